/* io/scene_shapes.c - reading points, shapes, routes, models and their parameters.
 *
 * A rectangle is two opposite corners; a disc that stands for an area becomes a polygon of 48 corners, made by turning
 * one vector again and again, so that its bits do not depend on a library's sine. Model parameters are read through the
 * model's own table. Cost: constant per point.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scene_read.h"

#define FAR 1e5 /* coordinates [m] */

static const th_key far_key = {.name = "", .least = -FAR, .most = FAR, .unit = "m"};

th_result th_read_pair(th_reader *reader, const json_t *value, th_vec2 *pair) {
  char found[TH_FOUND];
  if (json_array_size(value) != 2) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected two numbers [x, y], found %s of %zu",
                          th_reader_found(value, found), json_array_size(value));
  }
  double number[2] = {0, 0};
  for (size_t i = 0; i < 2; i++) {
    size_t mark = th_reader_enter_index(reader, i);
    th_result result = th_read_number(reader, json_array_get(value, i), &far_key, &number[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  *pair = (th_vec2){(float)number[0], (float)number[1]};
  return TH_OK;
}

th_result th_read_pairs(th_reader *reader, const json_t *value, uint32_t least, th_vec2 **pair, uint32_t *count) {
  char found[TH_FOUND];
  size_t size = json_array_size(value);
  if (size < least || size > UINT32_MAX) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                          "expected a list of at least %u points [x, y], found %s of %zu", least,
                          th_reader_found(value, found), size);
  }
  *pair = th_scene_memory_take(reader->memory, size, sizeof **pair);
  if (!*pair) return th_reader_fail_memory(reader);
  for (size_t i = 0; i < size; i++) {
    size_t mark = th_reader_enter_index(reader, i);
    th_result result = th_read_pair(reader, json_array_get(value, i), &(*pair)[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  *count = (uint32_t)size;
  return TH_OK;
}

th_result th_read_pair_key(th_reader *reader, const th_read *read) {
  th_vec2 pair = {0, 0};
  th_result result = th_read_pair(reader, read->value, &pair);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &pair, sizeof pair);
  return result;
}

th_result th_read_pairs_key(th_reader *reader, const th_read *read) {
  th_vec2 *pair = NULL;
  uint32_t count = 0;
  th_result result = th_read_pairs(reader, read->value, (uint32_t)read->key->least, &pair, &count);
  if (result != TH_OK) return result;
  memcpy(read->object + read->key->offset, &pair, sizeof pair);
  memcpy(read->object + read->key->count_offset, &count, sizeof count);
  return TH_OK;
}

/* ---------------------------------------------------------------- shapes */

static th_result keep_shape(const th_read *read, const th_shape *shape) {
  memcpy(read->object + read->key->offset, shape, sizeof *shape);
  return TH_OK;
}

static th_result read_points(th_reader *reader, const th_read *read, th_shape_kind kind, uint32_t least) {
  th_vec2 *point = NULL;
  th_shape shape = {.kind = kind};
  th_result result = th_read_pairs(reader, read->value, least, &point, &shape.count);
  shape.point = point;
  return result == TH_OK ? keep_shape(read, &shape) : result;
}

th_result th_read_line_key(th_reader *reader, const th_read *read) {
  return read_points(reader, read, TH_SHAPE_LINE, 2);
}

th_result th_read_polygon_key(th_reader *reader, const th_read *read) {
  return read_points(reader, read, TH_SHAPE_POLYGON, 3);
}

th_result th_read_point_key(th_reader *reader, const th_read *read) {
  th_vec2 *point = th_scene_memory_take(reader->memory, 1, sizeof *point);
  if (!point) return th_reader_fail_memory(reader);
  th_result result = th_read_pair(reader, read->value, point);
  return result == TH_OK ? keep_shape(read, &(th_shape){TH_SHAPE_POINT, point, 1, 0}) : result;
}

th_result th_read_rectangle_key(th_reader *reader, const th_read *read) {
  th_vec2 *corner = NULL, a = {0, 0}, b = {0, 0};
  uint32_t count = 0;
  th_result result = th_read_pairs(reader, read->value, 2, &corner, &count);
  if (result != TH_OK) return result;
  if (count >= 2) {
    a = corner[0];
    b = corner[1];
  }
  if (count != 2 || a.x == b.x || a.y == b.y) {
    return th_reader_fail(reader, TH_ERROR_GEOMETRY, false,
                          "expected two opposite corners that differ in x and y, found %u from %g, %g to %g, %g", count,
                          (double)a.x, (double)a.y, (double)b.x, (double)b.y);
  }
  th_vec2 *point = th_scene_memory_take(reader->memory, 4, sizeof *point);
  if (!point) return th_reader_fail_memory(reader);
  th_vec2 lower = {fminf(a.x, b.x), fminf(a.y, b.y)}, upper = {fmaxf(a.x, b.x), fmaxf(a.y, b.y)};
  point[0] = lower;
  point[1] = (th_vec2){upper.x, lower.y};
  point[2] = upper;
  point[3] = (th_vec2){lower.x, upper.y};
  return keep_shape(read, &(th_shape){TH_SHAPE_POLYGON, point, 4, 0});
}

enum { CORNERS = 48 };

static void turn_around(th_vec2 centre, float radius, th_vec2 *point) {
  const double c = 0.99144486137381041, s = 0.13052619222005159; /* 2 pi / 48 */
  double x = 1, y = 0;
  for (uint32_t i = 0; i < CORNERS; i++) {
    point[i] =
        (th_vec2){(float)((double)centre.x + (double)radius * x), (float)((double)centre.y + (double)radius * y)};
    double next = c * x - s * y;
    y = s * x + c * y;
    x = next;
  }
}

static const th_key disc_radius = {.name = "radius", .least = 0.01, .most = 1e4, .unit = "m"};

static th_result read_disc(th_reader *reader, const json_t *value, th_vec2 *centre, double *radius) {
  const char *name;
  json_t *member;
  json_object_foreach((json_t *)value, name, member) {
    size_t mark = th_reader_enter(reader, name);
    th_result result;
    if (strcmp(name, "centre") == 0)
      result = th_read_pair(reader, member, centre);
    else if (strcmp(name, "radius") == 0)
      result = th_read_number(reader, member, &disc_radius, radius);
    else
      result =
          th_reader_fail(reader, TH_ERROR_FORMAT, true, "expected \"centre\" or \"radius\", found \"%.60s\"", name);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  if (json_object_get(value, "centre") && json_object_get(value, "radius")) return TH_OK;
  return th_reader_fail(reader, TH_ERROR_FORMAT, false,
                        "expected an object such as {\"centre\": [5, 3], \"radius\": 2}, found %s without them",
                        th_json_kind(value));
}

th_result th_read_disc_key(th_reader *reader, const th_read *read) {
  th_vec2 centre = {0, 0};
  double radius = 0;
  bool corners = read->key->flags & TH_KEY_CORNERS;
  th_result result = read_disc(reader, read->value, &centre, &radius);
  if (result != TH_OK) return result;
  th_vec2 *point = th_scene_memory_take(reader->memory, corners ? CORNERS : 1, sizeof *point);
  if (!point) return th_reader_fail_memory(reader);
  if (!corners) {
    *point = centre;
    return keep_shape(read, &(th_shape){TH_SHAPE_DISC, point, 1, (float)radius});
  }
  turn_around(centre, (float)radius, point);
  return keep_shape(read, &(th_shape){TH_SHAPE_POLYGON, point, CORNERS, 0});
}

/* ---------------------------------------------------------------- routes and models */

static const th_key wait_key = {.name = "wait", .least = 0, .most = 1e6, .unit = "s"};

static th_result read_stop(th_reader *reader, const json_t *value, th_scene_stop *stop) {
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

th_result th_read_route_key(th_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  size_t count = json_array_size(read->value);
  if (!json_is_array(read->value) || count == 0 || count > TH_MOST_STOPS) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a list of 1 to %d goals, found %s of %zu",
                          TH_MOST_STOPS, th_reader_found(read->value, found), count);
  }
  th_scene_stop stop[TH_MOST_STOPS];
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

static th_result find_model(th_reader *reader, const json_t *value, const th_model **model) {
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

th_result th_read_model_key(th_reader *reader, const th_read *read) {
  const th_model *model = NULL;
  th_result result = find_model(reader, read->value, &model);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &model, sizeof model);
  return result;
}

/* A value as the text that th_param_set takes. */
static bool param_text(const json_t *value, char *text, size_t size) {
  if (json_is_string(value)) return snprintf(text, size, "%s", json_string_value(value)) < (int)size;
  if (json_is_number(value)) return snprintf(text, size, "%.17g", json_number_value(value)) < (int)size;
  if (json_is_boolean(value)) return snprintf(text, size, "%s", json_is_true(value) ? "true" : "false") < (int)size;
  const json_t *x = json_array_get(value, 0), *y = json_array_get(value, 1);
  if (json_array_size(value) != 2 || !json_is_number(x) || !json_is_number(y)) return false;
  return snprintf(text, size, "%.17g %.17g", json_number_value(x), json_number_value(y)) < (int)size;
}

/* A table of parameters and the struct that it describes. */
typedef struct settings {
  const th_param *param;
  uint32_t count;
  size_t size;
} settings;

static th_result set_param(th_reader *reader, const settings *all, void *params, const char *name,
                           const json_t *value) {
  char text[TH_FOUND], found[TH_FOUND];
  size_t mark = th_reader_enter(reader, name);
  if (!param_text(value, text, sizeof text)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a number, text, true, false or [x, y], found %s",
                          th_reader_found(value, found));
  }
  th_error error;
  th_result result = th_param_set(all->param, all->count, params, name, text, &error);
  if (result != TH_OK) return th_reader_fail(reader, result, false, "%s", error.text);
  th_reader_back(reader, mark);
  return TH_OK;
}

static th_result read_settings(th_reader *reader, const th_read *read, const settings *all) {
  void *params = th_scene_memory_take(reader->memory, 1, all->size);
  if (!params) return th_reader_fail_memory(reader);
  th_param_defaults(all->param, all->count, params);
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)read->value, name, value) {
    th_result result = set_param(reader, all, params, name, value);
    if (result != TH_OK) return result;
  }
  memcpy(read->object + read->key->offset, &params, sizeof params);
  return TH_OK;
}

/* Without a model beside them, parameters belong to `follow`. */
th_result th_read_params_key(th_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  const th_model *model = &th_model_follow;
  const json_t *named = json_object_get(read->parent, "model");
  if (!json_is_object(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected an object with the model's parameters, found %s",
                          th_reader_found(read->value, found));
  }
  if (named && find_model(reader, named, &model) != TH_OK) return TH_OK; /* "model" itself fails with its position */
  return read_settings(reader, read, &(settings){model->param, model->param_count, model->param_size});
}

th_result th_read_guide_key(th_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  const th_guide *guide = th_guide_find(read->key->name);
  if (!json_is_object(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected an object with the guide's parameters, found %s",
                          th_reader_found(read->value, found));
  }
  return read_settings(reader, read, &(settings){guide->param, guide->param_count, guide->param_size});
}
