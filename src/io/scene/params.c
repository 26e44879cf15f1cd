/* io/scene/params.c - reading routes, models and parameters.
 *
 * Parameters of models, guides and made surfaces are read through their own tables, so a new parameter needs no line
 * here. Cost: constant per key.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "io/scene/read.h"
#include "throng/guide.h"
#include "throng/model.h"

static const th_key wait_key = {.name = "wait", .min = 0, .max = 1e6, .unit = "s"};

static th_result read_stop(th_scene_reader *reader, const json_t *value, th_scene_stop *stop) {
  if (json_is_string(value)) return th_read_text(reader, value, &stop->name);
  char found[TH_FOUND];
  if (!json_object_get(value, "goal")) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                          "expected the name of a goal or {\"goal\", \"wait\"}, found %s",
                          th_reader_found(value, found));
  }
  const char *name;
  json_t *member;
  json_object_foreach((json_t *)value, name, member) {
    size_t mark = th_reader_enter(reader, name);
    double wait = 0;
    th_result result;
    if (strcmp(name, "goal") == 0)
      result = th_read_text(reader, member, &stop->name);
    else if (strcmp(name, "wait") == 0)
      result = th_read_number(reader, member, &wait_key, &wait);
    else
      result = th_reader_fail(reader, TH_ERROR_FORMAT, true, "expected \"goal\" or \"wait\", found \"%.60s\"", name);
    if (result != TH_OK) return result;
    if (strcmp(name, "wait") == 0) stop->wait = (float)wait;
    th_reader_back(reader, mark);
  }
  return TH_OK;
}

th_result th_read_route_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  size_t count = json_array_size(read->value);
  if (!json_is_array(read->value) || count == 0 || count > TH_MAX_STOPS) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a list of 1 to %d goals, found %s of %zu",
                          TH_MAX_STOPS, th_reader_found(read->value, found), count);
  }
  th_scene_stop stop[TH_MAX_STOPS];
  memset(stop, 0, sizeof stop);
  for (size_t i = 0; i < count; i++) {
    size_t mark = th_reader_enter_index(reader, i);
    th_result result = read_stop(reader, json_array_get(read->value, i), &stop[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  uint32_t narrow = (uint32_t)count;
  memcpy(read->object + read->key->offset, stop, sizeof stop);
  memcpy(read->object + read->key->count_offset, &narrow, sizeof narrow);
  return TH_OK;
}

static th_result find_model(th_scene_reader *reader, const json_t *value, const th_model **model) {
  char found[TH_FOUND], known[120] = "";
  const char *name = json_string_value(value);
  for (const th_model *const *m = th_models(); *m; m++) {
    if (*m == &th_model_user) continue; /* a callback cannot stand in a file */
    if (name && strcmp((*m)->name, name) == 0) {
      *model = *m;
      return TH_OK;
    }
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s\"%s\"", used ? ", " : "", (*m)->name);
  }
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a model (%s), found %s", known,
                        th_reader_found(value, found));
}

th_result th_read_model_key(th_scene_reader *reader, const th_read *read) {
  const th_model *model = NULL;
  th_result result = find_model(reader, read->value, &model);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &model, sizeof model);
  return result;
}

static bool numbers_text(const json_t *list, char *text, size_t size) {
  size_t used = 0, i;
  const json_t *number;
  *text = 0;
  json_array_foreach((json_t *)list, i, number) {
    if (!json_is_number(number) || used >= size) return false;
    char digits[TH_NUMBER_ROOM];
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "",
                             th_number_of_double(digits, json_number_value(number)));
  }
  return used < size;
}

/* [x, y], or a list of points; a list contains semicolons, a single point does not. */
static bool list_text(const json_t *list, char *text, size_t size) {
  size_t used = 0, i;
  const json_t *point;
  if (!json_is_array(json_array_get(list, 0))) return numbers_text(list, text, size);
  json_array_foreach((json_t *)list, i, point) {
    if (!json_is_array(point) || !numbers_text(point, text + used, size - used)) return false;
    used += strlen(text + used);
    used += (size_t)snprintf(text + used, size - used, ";");
    if (used >= size) return false;
  }
  return true;
}

bool th_param_text(const json_t *value, char *text, size_t size) {
  if (json_is_string(value)) return snprintf(text, size, "%s", json_string_value(value)) < (int)size;
  char number[TH_NUMBER_ROOM];
  if (json_is_number(value))
    return snprintf(text, size, "%s", th_number_of_double(number, json_number_value(value))) < (int)size;
  if (json_is_boolean(value)) return snprintf(text, size, "%s", json_is_true(value) ? "true" : "false") < (int)size;
  return json_is_array(value) && list_text(value, text, size);
}

/* A table of parameters and the struct that it describes. */
typedef struct settings {
  const th_param *param;
  uint32_t count;
  size_t size;
  const char *beside, *also_beside; /* keys that are no parameters, or NULL */
} settings;

static th_result set_param(th_scene_reader *reader, const settings *all, void *params, const char *name,
                           const json_t *value) {
  char text[TH_PARAM_TEXT], found[TH_FOUND];
  size_t mark = th_reader_enter(reader, name);
  if (!th_param_text(value, text, sizeof text)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                          "expected a number, text, true, false, [x, y] or a list of at most %d points, found %s",
                          TH_MAX_PARAM_POINTS, th_reader_found(value, found));
  }
  th_error error;
  th_result result = th_param_set(all->param, all->count, params, name, text, &error);
  if (result != TH_OK) return th_reader_fail(reader, result, false, "%s", error.text);
  th_reader_back(reader, mark);
  return TH_OK;
}

/* What a guide has beside its table: the points of a path, and a graph over which it goes from point to point. */
static th_result read_points(th_scene_reader *reader, const th_read *read, th_path_params *path) {
  th_scene_points points = {0};
  const th_key key = {.name = "points", .kind = TH_KEY_POINTS, .min = 2};
  const json_t *value = json_object_get(read->value, key.name);
  if (!value)
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected the key \"points\" (2 or more), found none");
  size_t mark = th_reader_enter(reader, key.name);
  th_result result = th_read_points_key(reader, &(th_read){&key, value, read->value, (uint8_t *)&points});
  if (result) return result;
  th_reader_back(reader, mark);
  path->point = points.point;
  path->count = points.count;
  const json_t *edges = json_object_get(read->value, "graph");
  ((th_scene_guide *)(void *)read->object)->given = points;
  return edges ? th_read_graph(reader, edges, (th_scene_guide *)(void *)read->object, path) : TH_OK;
}

static th_result read_settings(th_scene_reader *reader, const th_read *read, const settings *all, void **out) {
  void *params = th_scene_memory_take(reader->memory, 1, all->size);
  if (!params) return th_reader_fail_memory(reader);
  th_param_defaults(all->param, all->count, params);
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)read->value, name, value) {
    if (all->beside && (!strcmp(name, all->beside) || !strcmp(name, all->also_beside))) continue;
    th_result result = set_param(reader, all, params, name, value);
    if (result != TH_OK) return result;
  }
  memcpy(read->object + read->key->offset, &params, sizeof params);
  if (out) *out = params;
  return TH_OK;
}

/* Without a model beside them, parameters belong to the default one. */
th_result th_read_params_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  const th_model *model = th_default_agent_def().model;
  const json_t *named = json_object_get(read->parent, "model");
  if (!json_is_object(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected an object with the model's parameters, found %s",
                          th_reader_found(read->value, found));
  }
  if (named && find_model(reader, named, &model) != TH_OK) return TH_OK; /* "model" itself fails with its position */
  return read_settings(reader, read, &(settings){model->param, model->param_count, model->param_size, NULL, NULL},
                       NULL);
}

th_result th_read_guide_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  const th_guide *guide = th_guide_find(read->key->name);
  const bool is_path = guide == &th_guide_path;
  void *params = NULL;
  if (!json_is_object(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected an object with the guide's parameters, found %s",
                          th_reader_found(read->value, found));
  }
  const settings all = {guide->param, guide->param_count, guide->param_size, is_path ? "points" : NULL, "graph"};
  th_result result = read_settings(reader, read, &all, &params);
  ((th_scene_guide *)(void *)read->object)->kind = guide;
  return !result && is_path ? read_points(reader, read, params) : result;
}

/* ---------------------------------------------------------------- the host's planner */

th_result th_read_planner_key(th_scene_reader *reader, const th_read *read, bool *known) {
  const th_scene_planner *planner = reader->planner;
  th_scene_goal *goal = (th_scene_goal *)(void *)read->object;
  for (uint32_t k = 0; planner && k < planner->param_count && !*known; k++)
    *known = strcmp(planner->param[k].name, read->key->name) == 0;
  if (!*known) return TH_OK;
  const settings all = {planner->param, planner->param_count, planner->param_size, NULL, NULL};
  if (!goal->planner) {
    goal->planner = th_scene_memory_take(reader->memory, 1, all.size);
    if (!goal->planner) return th_reader_fail_memory(reader);
    th_param_defaults(all.param, all.count, goal->planner);
  }
  return set_param(reader, &all, goal->planner, read->key->name, read->value);
}

th_result th_read_planner(th_scene_reader *reader, th_scene_goal *goal) {
  if (!goal->planner) return TH_OK;
  th_planner *planner = th_scene_memory_take(reader->memory, 1, sizeof *planner);
  if (!planner) return th_reader_fail_memory(reader);
  if (reader->planner->make(goal->planner, planner)) goal->def.planner = planner;
  return TH_OK;
}

th_result th_read_make_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  if (!json_is_object(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                          "expected an object such as {\"shape\": \"planet\"}, found %s",
                          th_reader_found(read->value, found));
  }
  uint32_t count;
  const th_param *table = th_make_table(&count);
  return read_settings(reader, read, &(settings){table, count, sizeof(th_make_params), NULL, NULL}, NULL);
}
