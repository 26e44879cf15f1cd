/* apps/throng/path.c - `throng path`: the way from a point to a goal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "way.h"

typedef struct trace {
  th_vec2 *point;
  uint32_t count;
  double length;
} trace;

static th_result follow(const th_options *options, const th_way *way, const th_env *env, trace *t, th_error *error) {
  th_place from = th_ground_locate(way->ground, options->from.x, options->from.y);
  if (from.cell == TH_NO_CELL) {
    return th_fail(error, TH_ERROR_GEOMETRY, "--from", "expected a walkable place, found %g, %g in a wall or outside",
                   (double)options->from.x, (double)options->from.y);
  }
  uint32_t count = th_field_trace(way->field, from, NULL, 0);
  if (count == 0) return th_fail(error, TH_ERROR_UNREACHABLE, "--from", "no way leads from there to the goal");
  t->point = TH_TAKE(&env->allocator, th_vec2, count);
  if (!t->point) return th_fail_memory(error, "path");
  t->count = count;
  th_field_trace(way->field, from, t->point, count);
  for (uint32_t i = 1; i < count; i++) {
    t->length += hypot((double)(t->point[i].x - t->point[i - 1].x), (double)(t->point[i].y - t->point[i - 1].y));
  }
  return TH_OK;
}

static int print(const th_options *options, const th_way *way, const trace *t) {
  json_t *points = json_array();
  for (uint32_t i = 0; i < t->count; i++) {
    th_vec2 p = t->point[i];
    if (options->json)
      json_array_append_new(points, json_pack("[f, f]", (double)p.x, (double)p.y));
    else if (!options->quiet)
      printf("%.4f %.4f\n", (double)p.x, (double)p.y);
  }
  const char *goal = way->scene->goal[way->goal].name;
  if (options->json) {
    return th_cli_print_json(json_pack("{s:s, s:f, s:o}", "goal", goal, "length", t->length, "points", points));
  }
  json_decref(points);
  return TH_EXIT_OK;
}

/* The way as somebody walks it at 1.34 m/s, so that the colours tell the time. A long way is thinned for drawing. */
static th_result draw(const th_options *options, const th_way *way, const trace *t, th_error *error) {
  enum { MOST = 1000 };
  float x[MOST], y[MOST], zero[MOST] = {0};
  uint32_t frame[MOST], count = t->count < MOST ? t->count : MOST;
  uint8_t none[MOST] = {0};
  for (uint32_t i = 0; i < count; i++) {
    th_vec2 p = t->point[(uint64_t)i * (t->count - 1) / (count > 1 ? count - 1 : 1)];
    x[i] = p.x;
    y[i] = p.y;
    frame[i] = i;
  }
  th_track track = {1, 0, count, (float)options->radius};
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
  return th_way_draw(way, options, NULL, &tracks, options->out, error);
}

int th_command_path(const th_options *options) {
  if (!options->from_given) return th_cli_usage("path", "path expects --from X,Y");
  th_env env = th_env_complete(NULL);
  th_way way;
  trace t = {0};
  th_error error = {0};
  th_result result = th_way_make(options, &way, &error);
  if (result == TH_OK) result = follow(options, &way, &env, &t, &error);
  int code = result == TH_OK ? TH_EXIT_OK : th_cli_fail(&error, th_cli_code(result));
  if (result == TH_OK && options->out) {
    if (draw(options, &way, &t, &error) != TH_OK) code = th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  }
  if (code == TH_EXIT_OK) code = print(options, &way, &t);
  TH_GIVE(&env.allocator, t.point, t.count);
  th_way_free(&way);
  return code;
}
