/* apps/throng/info.c - `throng info`: the contents of a scene, a recording or a mesh; the schema; the models. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "throng/guide.h"
#include "throng/model.h"

static int print_schema(void) {
  char *text = th_scene_schema();
  if (!text) {
    fprintf(stderr, "throng: out of memory\n");
    return TH_EXIT_ENVIRONMENT;
  }
  puts(text);
  th_text_free(text);
  return TH_EXIT_OK;
}

static json_t *params_json(const th_param *param, uint32_t count) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < count; i++) {
    const th_param *p = &param[i];
    json_t *one = json_pack("{s:s, s:s, s:s}", "name", p->name, "unit", p->unit, "text", p->text);
    if (p->type == TH_PARAM_ENUM) {
      json_t *choices = json_array();
      for (uint32_t k = 0; p->choice && p->choice[k]; k++) json_array_append_new(choices, json_string(p->choice[k]));
      json_object_set_new(one, "choices", choices);
      json_object_set_new(one, "default", json_string(p->choice[(uint32_t)p->initial]));
    } else if (p->type == TH_PARAM_BOOL) {
      json_object_set_new(one, "default", json_boolean(p->initial != 0));
    } else {
      json_object_update_new(one, json_pack("{s:f, s:f, s:f}", "min", p->min, "max", p->max, "default", p->initial));
    }
    json_array_append_new(list, one);
  }
  return list;
}

/* A vector holds the same range and default in all its components. */
static void print_param(const th_param *p) {
  printf("  %-20s ", p->name);
  if (p->type == TH_PARAM_ENUM) {
    for (uint32_t k = 0; p->choice && p->choice[k]; k++) printf("%s%s", k ? ", " : "", p->choice[k]);
    printf("; default %s", p->choice[(uint32_t)p->initial]);
  } else if (p->type == TH_PARAM_BOOL) {
    printf("true or false; default %s", p->initial != 0 ? "true" : "false");
  } else if (p->type == TH_PARAM_POINTS) {
    printf("up to %g points", p->initial);
  } else {
    const char *many = p->type == TH_PARAM_VEC2 ? "[x, y], each " : p->type == TH_PARAM_PLACE ? "[x, y, z], each " : "";
    printf("%s%g to %g%s%s; default %g", many, p->min, p->max, *p->unit ? " " : "", p->unit, p->initial);
  }
  printf(": %s\n", p->text);
}

static void add_traces(json_t *all, const char *source, const th_trace *row, uint32_t count, bool print) {
  static const char *const type[] = {"scalar", "vector", "point", "segment", "line", "raster"};
  for (uint32_t i = 0; i < count; i++, row++) {
    json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s, s:s}", "source", source, "name", row->name, "type",
                                         type[row->type], "unit", row->unit, "text", row->text));
    if (!print) continue;
    if (!i) printf("%s\n", source);
    printf("  %-20s %s%s%s%s: %s\n", row->name, type[row->type], *row->unit ? " [" : "", row->unit,
           *row->unit ? "]" : "", row->text);
  }
}

static int print_traces(const th_options *options) {
  json_t *all = json_array();
  uint32_t count;
  const th_trace *own = th_world_trace_table(&count);
  add_traces(all, "world", own, count, !options->json);
  own = th_people_trace_table(&count);
  add_traces(all, "people", own, count, !options->json);
  for (const th_model *const *m = th_models(); *m; m++)
    add_traces(all, (*m)->name, (*m)->trace, (*m)->trace_count, !options->json);
  for (const th_guide *const *g = th_guides(); *g; g++)
    add_traces(all, (*g)->name, (*g)->trace, (*g)->trace_count, !options->json);
  if (options->json) return th_cli_print_json(json_pack("{s:o}", "traces", all));
  json_decref(all);
  return TH_EXIT_OK;
}

static int print_models(const th_options *options) {
  json_t *all = json_array();
  for (const th_model *const *m = th_models(); *m; m++) {
    json_array_append_new(all, json_pack("{s:s, s:s, s:o}", "name", (*m)->name, "summary", (*m)->summary, "params",
                                         params_json((*m)->param, (*m)->param_count)));
    if (options->json) continue;
    printf("%s: %s\n", (*m)->name, (*m)->summary);
    for (uint32_t i = 0; i < (*m)->param_count; i++) print_param(&(*m)->param[i]);
  }
  if (options->json) return th_cli_print_json(json_pack("{s:o}", "models", all));
  json_decref(all);
  return TH_EXIT_OK;
}

static int print_people(const th_options *options) {
  uint32_t count;
  const th_param *table = th_people_table(&count);
  json_t *all = params_json(table, count);
  for (uint32_t i = 0; i < count; i++)
    json_object_set_new(json_array_get(all, i), "source", json_string(th_people_source(i)));
  if (options->json) return th_cli_print_json(json_pack("{s:o}", "people", all));
  json_decref(all);
  for (uint32_t i = 0; i < count; i++) {
    print_param(&table[i]);
    printf("  %-20s (%s)\n", "", th_people_source(i));
  }
  return TH_EXIT_OK;
}

static int print_make(const th_options *options) {
  uint32_t count;
  const th_param *table = th_make_table(&count);
  if (options->json) return th_cli_print_json(json_pack("{s:o}", "make", params_json(table, count)));
  for (uint32_t i = 0; i < count; i++) print_param(&table[i]);
  return TH_EXIT_OK;
}

static json_t *scene_info(const th_options *options, const char *path, th_error *error) {
  th_scene *scene;
  if (th_cli_scene(options, path, &scene, error) != TH_OK) return NULL;
  char hash[24];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)scene->hash);
  json_t *row =
      json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:I, s:s}", "file", path, "kind", "scene", "name",
                scene->name, "goals", (int)scene->goal_count, "populations", (int)scene->population_count, "sources",
                (int)scene->source_count, "events", (int)scene->event_count, "duration", (double)scene->duration, "dt",
                (double)scene->world.dt, "seed", (json_int_t)scene->world.seed, "hash", hash);
  json_object_set_new(row, "agents", json_integer(th_scene_agents(scene)));
  if (scene->description) json_object_set_new(row, "description", json_string(scene->description));
  th_ground *ground;
  if (th_scene_make_ground(scene, &ground, error) == TH_OK) {
    json_object_set_new(row, "ground", th_cli_ground_info(ground));
    th_ground_release(ground);
  } else {
    json_decref(row);
    row = NULL;
  }
  th_scene_free(scene);
  return row;
}

/* Names with their counts; what has no name is left out. */
static th_result add_counts(const char *path, th_recorded_by by, const char *key, json_t *row, th_error *error) {
  enum { MAX = 256 };
  th_recorded_count list[MAX];
  uint32_t count;
  th_result result = th_recording_read_counts(path, by, list, MAX, &count, error);
  if (result != TH_OK || count == 0) return result;
  json_t *counts = json_object();
  for (uint32_t k = 0; k < count && k < MAX; k++)
    if (list[k].name[0]) json_object_set_new(counts, list[k].name, json_integer((json_int_t)list[k].count));
  json_object_set_new(row, key, counts);
  return TH_OK;
}

static th_result add_all_counts(const char *path, json_t *row, th_error *error) {
  th_result result = add_counts(path, TH_RECORDED_POPULATION, "populations", row, error);
  if (result == TH_OK) result = add_counts(path, TH_RECORDED_MODEL, "models", row, error);
  return result == TH_OK ? add_counts(path, TH_RECORDED_GOAL, "arrivals", row, error) : result;
}

static json_t *recording_info(const char *path, th_error *error) {
  th_recording_info info;
  if (th_recording_read_info(path, &info, error) != TH_OK) return NULL;
  json_t *row =
      json_pack("{s:s, s:s, s:s, s:i, s:f, s:I, s:I, s:I, s:I}", "file", path, "kind", "recording", "name", info.name,
                "version", (int)info.version, "fps", info.fps, "frames", (json_int_t)info.frames, "agents",
                (json_int_t)info.agents, "events", (json_int_t)info.events, "seed", (json_int_t)info.seed);
  json_object_set_new(row, "seconds", json_real(info.fps > 0 ? (info.frame_last - info.frame_first) / info.fps : 0));
  if (info.meshes) {
    json_object_set_new(row, "mesh",
                        json_pack("{s:i, s:i, s:i}", "vertices", (int)info.vertices, "faces", (int)info.faces,
                                  "versions", (int)info.meshes));
    json_object_set_new(row, "heights", json_pack("[f, f]", (double)info.lowest, (double)info.highest));
  }
  json_object_set_new(row, "bounds",
                      json_pack("[f, f, f, f]", (double)info.lower.x, (double)info.lower.y, (double)info.upper.x,
                                (double)info.upper.y));
  if (add_all_counts(path, row, error) == TH_OK) return row;
  json_decref(row);
  return NULL;
}

static json_t *file_info(const th_options *options, const char *path, th_error *error) {
  const bool json = th_cli_ends(path, ".json");
  if (th_cli_is_mesh(path) || (json && th_cli_is_building(path))) return th_cli_mesh_info(path, error);
  return json || th_cli_ends(path, ".pack") ? scene_info(options, path, error) : recording_info(path, error);
}

static void print_row(const json_t *row) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)row, key, value) {
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6) | JSON_COMPACT);
    if (strcmp(key, "file") == 0)
      printf("%s\n", json_string_value(value));
    else if (json_is_string(value))
      printf("  %-12s %s\n", key, json_string_value(value));
    else
      printf("  %-12s %s\n", key, text ? text : "");
    free(text);
  }
}

int th_command_info(const th_options *options) {
  if (options->schema) return print_schema();
  if (options->models) return print_models(options);
  if (options->people) return print_people(options);
  if (options->traces) return print_traces(options);
  if (options->make) return print_make(options);
  if (options->argument_count == 0)
    return th_cli_usage("info", "info expects FILE..., --schema, --models, --people, --traces or --make");
  json_t *all = json_array();
  for (uint32_t i = 0; i < options->argument_count; i++) {
    const char *path = options->argument[i];
    th_error error = {0};
    json_t *row = file_info(options, path, &error);
    if (!row) {
      json_decref(all);
      return th_cli_fail(&error, th_cli_code(error.code));
    }
    if (!options->json) print_row(row);
    json_array_append_new(all, row);
  }
  if (options->json) return th_cli_print_json(json_pack("{s:o}", "files", all));
  json_decref(all);
  return TH_EXIT_OK;
}
