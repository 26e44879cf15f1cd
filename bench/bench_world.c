/* bench/bench_world.c - whole steps of a world with the model `follow`.
 *
 * world.follow: a street (street.h). world.rooms: 60 boxes in a square, agents at random places, six goals. The model
 * `follow` does not see others, so streams run into each other and most bodies are in contact; this shows the cost of
 * contact correction. All defaults are on.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "bench.h"
#include "street.h"
#include "throng/model.h"

#define BOXES 60
#define GOALS 6

static th_ground *make_rooms(float side) {
  th_vec2 square[4] = {{0, 0}, {side, 0}, {side, side}, {0, side}}, corner[BOXES][4];
  th_polygon outline = {.point = square, .count = 4}, box[BOXES];
  for (uint32_t i = 0; i < BOXES; i++) { /* boxes on a jittered lattice, so that none overlap */
    float pitch = side / 8.0f, size = 0.35f * pitch;
    float x = pitch * ((float)(i % 8) + 0.25f + 0.2f * th_random_unit(7, 1, i, 0));
    float y = pitch * ((float)(i / 8) + 0.25f + 0.2f * th_random_unit(7, 2, i, 0));
    th_vec2 c[4] = {{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}};
    for (int k = 0; k < 4; k++) corner[i][k] = c[k];
    box[i] = (th_polygon){.point = corner[i], .count = 4};
  }
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  def.obstacle = box;
  def.obstacle_count = BOXES;
  th_ground *ground = NULL;
  th_error error;
  if (th_ground_make_flat(&def, &ground, &error)) fprintf(stderr, "bench: %s\n", error.text);
  return ground;
}

static th_world *make_stream(uint32_t count, uint32_t workers) {
  th_agent_def like = th_default_body_def();
  like.model = &th_model_follow;
  return th_street_make(count, workers, &like);
}

static th_world *make_crowd(uint32_t count, uint32_t workers) {
  float side = 128.0f * sqrtf((float)count / 10000.0f);
  th_world *world = th_street_world(make_rooms(side), count, workers);
  if (!world) return NULL;
  th_goal_id goal[GOALS];
  for (uint32_t i = 0; i < GOALS; i++) {
    th_goal_def g = th_default_goal_def();
    g.field = TH_FIELD_HARMONIC;
    th_vec2 at = {side * (0.05f + 0.18f * (float)i), i % 2 ? side * 0.98f : side * 0.02f};
    g.shape = th_point_shape(at.x, at.y);
    if (th_world_add_goal(world, &g, &goal[i], NULL)) {
      th_world_free(world);
      return NULL;
    }
  }
  th_agent_def *agent = calloc(count, sizeof *agent);
  if (!agent) {
    th_world_free(world);
    return NULL;
  }
  for (uint32_t i = 0, tries = 0; i < count; tries++) {
    agent[i] = th_default_body_def();
    agent[i].model = &th_model_follow;
    agent[i].point.x = side * th_random_unit(7, 3, tries, 0);
    agent[i].point.y = side * th_random_unit(7, 4, tries, 0);
    agent[i].route[0].goal = goal[i % GOALS];
    agent[i].route_count = 1;
    agent[i].remove = false;
    if (th_ground_clearance(th_world_ground(world), agent[i].point.x, agent[i].point.y) > 0.3f) i++;
  }
  if (th_world_add_agents(world, agent, count, NULL, NULL)) fprintf(stderr, "bench: agents were refused\n");
  free(agent);
  return world;
}

static void run(th_bench *bench, const char *kind, uint32_t count, th_world *(*make)(uint32_t, uint32_t)) {
  char name[96];
  snprintf(name, sizeof name, "world.%s.%u", kind, count);
  th_world *world = th_bench_wants(bench, name) ? make(count, 1) : NULL;
  if (!world) return;
  th_bench_side side = th_bench_stepping(world);
  th_bench_time(&side, 1, th_bench_now);
  double us = side.median * 1e6 / count;
  snprintf(name, sizeof name, "world.%s.%u.us", kind, count);
  th_bench_report(bench, name, us, "us");
  snprintf(name, sizeof name, "world.%s.%u", kind, count);
  th_bench_report_phases(bench, name, world, us, "us");
  th_world_free(world);
}

static void scaling(th_bench *bench) {
  if (!th_bench_wants(bench, "world.scaling.2")) return;
  th_world *world[2] = {make_stream(100000, 1), make_stream(100000, 2)};
  if (world[0] && world[1]) {
    th_bench_side side[2] = {th_bench_stepping(world[0]), th_bench_stepping(world[1])};
    th_bench_time(side, 2, th_bench_wall);
    th_bench_report(bench, "world.scaling.2", side[0].median / side[1].median, "x");
    if (th_world_hash(world[0]) != th_world_hash(world[1])) fprintf(stderr, "bench: one and two workers differ\n");
  }
  th_world_free(world[0]);
  th_world_free(world[1]);
}

void th_bench_world(th_bench *bench) {
  run(bench, "follow", 10000, make_stream);
  run(bench, "follow", 100000, make_stream);
  run(bench, "rooms", 10000, make_crowd);
  scaling(bench);
}
