/* bench/street.h - a crowd on a street, for benchmarks of whole steps.
 *
 * The lattice of the cross workload (one person per square metre, jittered) on a walled square with 30 m to walk to;
 * all walk in the same direction, along the harmonic field of a line.
 */
#ifndef TH_BENCH_STREET_H
#define TH_BENCH_STREET_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "throng/throng.h"
#include "workloads.h"

/* A world on this ground, which it takes over. */
static inline th_world *th_street_world(th_ground *ground, uint32_t count, uint32_t workers) {
  th_world_def def = th_default_world_def();
  def.ground = ground;
  def.workers = workers;
  def.agent_capacity = count;
  th_world *world = NULL;
  th_error error;
  if (ground && th_world_make(&def, &world, &error)) fprintf(stderr, "bench: %s\n", error.text);
  th_ground_release(ground);
  return world;
}

static inline th_ground *th_street_ground(float side) {
  th_vec2 corner[4] = {{-2, -2}, {side + 32, -2}, {side + 32, side + 2}, {-2, side + 2}};
  th_polygon outline = {.point = corner, .count = 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  th_ground *ground = NULL;
  th_error error;
  if (th_ground_make_flat(&def, &ground, &error)) fprintf(stderr, "bench: %s\n", error.text);
  return ground;
}

static inline bool th_street_people(th_world *world, const th_workload *work, const th_agent_def *like) {
  float side = sqrtf((float)work->count);
  th_vec3 end[2] = {{side + 31, -1, 0}, {side + 31, side + 1, 0}};
  th_goal_def goal = th_default_goal_def();
  goal.field = TH_FIELD_HARMONIC;
  goal.shape = (th_shape){.kind = TH_SHAPE_LINE, .point = end, .count = 2};
  th_agent_def one = *like, *agent = (th_agent_def *)calloc(work->count, sizeof *agent);
  th_error error = {0};
  bool made = agent && !th_world_add_goal(world, &goal, &one.route[0].goal, &error);
  one.route_count = 1;
  one.speed = work->speed;
  one.radius = work->radius;
  for (uint32_t i = 0; made && i < work->count; i++) {
    agent[i] = one;
    agent[i].point.x = work->position[i].x;
    agent[i].point.y = work->position[i].y;
  }
  made = made && !th_world_add_agents(world, agent, work->count, NULL, &error);
  if (!made) fprintf(stderr, "bench: %s\n", error.text);
  free(agent);
  return made;
}

/* Agents `like` this one, but for place, speed, radius and goal; NULL when the world could not be made. */
static inline th_world *th_street_make(uint32_t count, uint32_t workers, const th_agent_def *like) {
  th_workload work;
  if (!th_workload_make(&work, "cross", count)) return NULL;
  th_world *world = th_street_world(th_street_ground(sqrtf((float)work.count)), work.count, workers);
  if (world && !th_street_people(world, &work, like)) {
    th_world_free(world);
    world = NULL;
  }
  th_workload_free(&work);
  return world;
}

#endif
