/* bench/bench_nearby.c - queries for the agents near a point.
 *
 *   world.within.100000.us            agents within 3 m of a point, one per square metre, on flat ground
 *   world.within.mesh_100000.us       the same on a mesh of 70,000 faces
 *   world.nearest.*.us                the nearest agent, however far
 *   world.within.*.speedup            over a search of all agents, as before the first step
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "throng/ground.h"
#include "throng/make.h"
#include "throng/model.h"
#include "throng/world.h"

enum { AGENTS = 100000, ASKED = 2000, REPEATS = 5 };
#define SIDE 320.0f
#define REACH 3.0f

static float random_in(uint64_t *state, float max) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return max * (float)(*state >> 40) / 16777216.0f;
}

static th_ground *flat_ground(void) {
  const th_vec2 corner[4] = {{0, 0}, {SIDE, 0}, {SIDE, SIDE}, {0, SIDE}};
  th_polygon outline = {NULL, corner, 4};
  th_flat_def def = th_default_flat_def();
  th_ground *ground = NULL;
  def.cell = 1.0f;
  def.outline = &outline;
  def.outline_count = 1;
  return th_ground_make_flat(&def, &ground, NULL) == TH_OK ? ground : NULL;
}

static th_ground *mesh_ground(void) {
  th_make_params make = th_default_make_params();
  th_mesh_ground_def def = th_default_mesh_ground_def();
  th_ground *ground = NULL;
  th_mesh mesh;
  make.shape = TH_MAKE_SHAPE_TERRAIN;
  make.length = make.width = SIDE;
  make.edge = 1.7f;
  if (th_mesh_generate(&make, &mesh, NULL) != TH_OK) return NULL;
  def.mesh = &mesh;
  th_result result = th_ground_make_mesh(&def, &ground, NULL);
  th_mesh_free(&mesh);
  return result == TH_OK ? ground : NULL;
}

static th_world *crowd_on(th_ground *ground) {
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.ground = ground;
  def.agent_capacity = AGENTS;
  if (!ground || th_world_make(&def, &world, NULL) != TH_OK) return NULL;
  uint64_t state = 9;
  for (uint32_t n = 0; n < AGENTS; n++) {
    th_agent_def agent = th_default_body_def();
    agent.model = &th_model_follow;
    agent.point.x = 1.0f + random_in(&state, SIDE - 2.0f);
    agent.point.y = 1.0f + random_in(&state, SIDE - 2.0f);
    agent.collide = false;
    (void)th_world_add_agents(world, &agent, 1, NULL, NULL);
  }
  return world;
}

/* Microseconds per query; NAN when no query finds an agent. */
static double ask(const th_world *world, bool nearest, int asked) {
  static th_agent_id found[256];
  double time[REPEATS];
  uint64_t count = 0;
  for (int k = 0; k < REPEATS; k++) {
    uint64_t state = 5;
    double start = th_bench_now();
    for (int n = 0; n < asked; n++) {
      th_vec3 p = {random_in(&state, SIDE), random_in(&state, SIDE), 1.0f};
      count += nearest ? th_world_nearest(world, p, INFINITY, NULL).index
                       : th_world_within(world, p, REACH, NULL, found, 256);
    }
    time[k] = (th_bench_now() - start) / asked;
  }
  return count ? 1e6 * th_bench_median(time, REPEATS) : NAN;
}

static void measure(th_bench *bench, const char *kind, th_ground *ground) {
  char name[64];
  th_world *world = crowd_on(ground);
  if (world) {
    double all = ask(world, false, 20);
    th_world_step(world);
    double within = ask(world, false, ASKED), nearest = ask(world, true, ASKED);
    snprintf(name, sizeof name, "world.within.%s100000.us", kind);
    th_bench_report(bench, name, within, "us");
    snprintf(name, sizeof name, "world.within.%s100000.speedup", kind);
    th_bench_report(bench, name, all / within, "x");
    snprintf(name, sizeof name, "world.nearest.%s100000.us", kind);
    th_bench_report(bench, name, nearest, "us");
  }
  th_world_free(world);
  th_ground_release(ground);
}

void th_bench_nearby(th_bench *bench);

void th_bench_nearby(th_bench *bench) {
  if (th_bench_wants(bench, "world.within.100000") || th_bench_wants(bench, "world.nearest.100000"))
    measure(bench, "", flat_ground());
  if (th_bench_wants(bench, "world.within.mesh_100000") || th_bench_wants(bench, "world.nearest.mesh_100000"))
    measure(bench, "mesh_", mesh_ground());
}
