/* apps/throng/paths/path.c - `throng path`: the path from a point to a goal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "paths/goal_field.h"

typedef struct trace {
  th_place *place;
  th_vec3 *point;
  uint32_t count, capacity;
  double length;
  bool mesh;
} trace;

static th_result follow(const th_options *options, const th_goal_path *goal_path, const th_env *env, trace *t,
                        th_error *error) {
  th_vec3 at = options->from;
  t->mesh = th_ground_mesh(goal_path->ground) != NULL;
  th_place from = t->mesh ? th_ground_locate_at(goal_path->ground, at, TH_ANY_LEVEL, 10.0f)
                          : th_ground_locate(goal_path->ground, at.x, at.y);
  if (from.cell == TH_NO_CELL) {
    return th_fail(error, TH_ERROR_GEOMETRY, "--from", "expected a walkable place, found %g, %g in a wall or outside",
                   (double)at.x, (double)at.y);
  }
  uint32_t count = th_field_trace_places(goal_path->field, from, NULL, 0);
  if (count == 0) return th_fail(error, TH_ERROR_UNREACHABLE, "--from", "no path leads from there to the goal");
  t->place = TH_TAKE(&env->allocator, th_place, count);
  t->point = TH_TAKE(&env->allocator, th_vec3, count);
  t->count = t->capacity = count;
  if (!t->point || !t->place) return th_fail_memory(error, "path");
  th_field_trace_places(goal_path->field, from, t->place, count);
  for (uint32_t i = 0; i < count; i++) {
    t->point[i] = th_ground_point(goal_path->ground, t->place[i]);
    if (i == 0) continue;
    th_vec3 p = t->point[i - 1], q = t->point[i];
    t->length += hypot(hypot((double)(q.x - p.x), (double)(q.y - p.y)), (double)(q.z - p.z));
  }
  return TH_OK;
}

/* Figures show the whole path, and its length is that of the whole path. */
static void keep_corners(const th_options *options, const th_goal_path *goal_path, trace *t) {
  t->count = th_ground_corners(goal_path->ground, t->place, t->count, (float)options->radius);
  for (uint32_t i = 0; i < t->count; i++) t->point[i] = th_ground_point(goal_path->ground, t->place[i]);
}

static void print_point(const th_options *options, const trace *t, th_vec3 p, json_t *points) {
  if (options->json && t->mesh)
    json_array_append_new(points, json_pack("[f, f, f]", (double)p.x, (double)p.y, (double)p.z));
  else if (options->json)
    json_array_append_new(points, json_pack("[f, f]", (double)p.x, (double)p.y));
  else if (!options->quiet && t->mesh)
    printf("%.4f %.4f %.4f\n", (double)p.x, (double)p.y, (double)p.z);
  else if (!options->quiet)
    printf("%.4f %.4f\n", (double)p.x, (double)p.y);
}

static int print(const th_options *options, const th_goal_path *goal_path, const trace *t) {
  json_t *points = json_array();
  for (uint32_t i = 0; i < t->count; i++) print_point(options, t, t->point[i], points);
  const char *goal = goal_path->scene->goal[goal_path->goal].name;
  if (options->json) {
    return th_cli_print_json(json_pack("{s:s, s:f, s:o}", "goal", goal, "length", t->length, "points", points));
  }
  json_decref(points);
  return TH_EXIT_OK;
}

/* The path of an agent that walks at 1.34 m/s, so that the colours show the time. A long path is thinned for
 * drawing. */
static th_result draw(const th_options *options, const th_goal_path *goal_path, const trace *t, th_error *error) {
  enum { MAX = 1000 };
  if (t->mesh) return th_goal_path_draw_mesh(goal_path, options, t->point, t->count, options->out, error);
  float x[MAX], y[MAX], zero[MAX] = {0};
  uint32_t frame[MAX], count = t->count < MAX ? t->count : MAX;
  uint8_t none[MAX] = {0};
  for (uint32_t i = 0; i < count; i++) {
    th_vec3 p = t->point[(uint64_t)i * (t->count - 1) / (count > 1 ? count - 1 : 1)];
    x[i] = p.x;
    y[i] = p.y;
    frame[i] = i;
  }
  th_track track = {.id = 1, .count = count, .radius = (float)options->radius};
  th_tracks tracks = {.fps = t->length > 0 ? (count - 1) * 1.34 / t->length : 1,
                      .frame_last = count - 1,
                      .track_count = 1,
                      .sample_count = count,
                      .track = &track,
                      .frame = frame,
                      .x = x,
                      .y = y,
                      .vx = zero,
                      .vy = zero,
                      .heading = zero,
                      .gait = none,
                      .state = none};
  return th_goal_path_draw(goal_path, options, NULL, &tracks, options->out, error);
}

int th_command_path(const th_options *options) {
  if (!options->from_given) return th_cli_usage("path", "path expects --from X,Y");
  th_env env = th_env_complete(NULL);
  th_goal_path goal_path;
  trace t = {0};
  th_error error = {0};
  th_result result = th_goal_path_make(options, &goal_path, &error);
  if (result == TH_OK) result = follow(options, &goal_path, &env, &t, &error);
  int code = result == TH_OK ? TH_EXIT_OK : th_cli_fail(&error, th_cli_code(result));
  if (result == TH_OK && options->out) {
    result = draw(options, &goal_path, &t, &error);
    if (result != TH_OK) code = th_cli_fail(&error, th_cli_output_code(result));
  }
  if (code == TH_EXIT_OK && options->corners) keep_corners(options, &goal_path, &t);
  if (code == TH_EXIT_OK) code = print(options, &goal_path, &t);
  TH_GIVE(&env.allocator, t.point, t.capacity);
  TH_GIVE(&env.allocator, t.place, t.capacity);
  th_goal_path_free(&goal_path);
  return code;
}
