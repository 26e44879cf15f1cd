/* bench/bench_interactive.c - a running world on a surface, changed interactively.
 *
 *   surface.interactive.1259   Costa's surface in the published size, 30 people under way, one worker
 *     start_ms      an agent is added, up to the end of the first step in which its guide leads it
 *     goal_ms       the goal is moved, up to the end of the step that uses the new field
 *     obstacle_ms   an obstacle is added or removed, up to the end of the step that uses new ground, fields, charts
 *     ms            the slowest of the three: the time that a frame must allow
 */
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "throng/ground.h"
#include "throng/make.h"
#include "throng/model/orca.h"
#include "throng/world.h"

enum { ROUNDS = 9, CROWD = 30, LATE = 2 /* steps until a change is seen */ };

typedef struct stage {
  th_ground *ground;
  th_world *world;
  th_goal_id goal;
  uint64_t random;
} stage;

/* A place a metre from every wall. */
static th_vec3 spot(stage *s) {
  const th_ground *ground = th_world_ground(s->world);
  const uint32_t faces = th_ground_mesh(ground)->face_count;
  for (;;) {
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    th_place place = th_ground_place_of(ground, (uint32_t)((s->random >> 33) % faces), (th_vec3){0.3f, 0.3f, 0.4f});
    if (th_ground_clearance_at(ground, place) > 1.0f) return th_ground_point(ground, place);
  }
}

static th_result add_agent(stage *s) {
  th_vec3 p = spot(s);
  th_agent_def def = th_default_body_def();
  def.point = p;
  def.model = &th_model_orca;
  def.route[0].goal = s->goal;
  def.route_count = 1;
  return th_world_add_agents(s->world, &def, 1, NULL, NULL);
}

static th_result move_goal(stage *s) {
  th_vec3 p = spot(s);
  th_goal_def def = th_default_goal_def();
  def.field = TH_FIELD_HARMONIC;
  def.shape = th_point_shape_at(p);
  if (!s->goal.index) return th_world_add_goal(s->world, &def, &s->goal, NULL);
  return th_world_move_goal(s->world, s->goal, &def.shape, NULL);
}

static th_result edit(stage *s, th_edit_kind kind) {
  th_region rock = {.name = "rock", .kind = TH_REGION_BALL, .centre = spot(s), .radius = 0.6f};
  th_edit change = {.kind = kind, .name = "rock", .region = kind == TH_EDIT_ADD ? &rock : NULL};
  return th_world_edit(s->world, &change, 1, NULL);
}

static th_result add_rock(stage *s) { return edit(s, TH_EDIT_ADD); }
static th_result remove_rock(stage *s) { return edit(s, TH_EDIT_REMOVE); }

static double time_of(stage *s, th_result (*change)(stage *s)) {
  double start = th_bench_now();
  if (change(s) != TH_OK) return NAN;
  for (int k = 0; k < LATE; k++) th_world_step(s->world);
  return th_bench_now() - start;
}

static bool open_stage(stage *s) {
  th_make_params make = th_default_make_params();
  th_mesh mesh;
  make.shape = TH_MAKE_SHAPE_COSTA;
  make.detail = 37;
  make.scale = 0.5f;
  if (th_mesh_generate(&make, &mesh, NULL) != TH_OK) return false;
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = &mesh;
  th_world_def world = th_default_world_def();
  bool made = th_ground_make_mesh(&def, &s->ground, NULL) == TH_OK;
  th_mesh_free(&mesh);
  world.ground = s->ground;
  made = made && th_world_make(&world, &s->world, NULL) == TH_OK && move_goal(s) == TH_OK;
  for (int k = 0; k < CROWD && made; k++) made = add_agent(s) == TH_OK;
  for (int k = 0; k < LATE && made; k++) th_world_step(s->world);
  return made;
}

static void measure(th_bench *bench, stage *s) {
  double goal[ROUNDS], start[ROUNDS], rock[2 * ROUNDS];
  for (int k = 0; k < ROUNDS; k++) {
    goal[k] = time_of(s, move_goal);
    start[k] = time_of(s, add_agent);
    rock[2 * k] = time_of(s, add_rock);
    rock[2 * k + 1] = time_of(s, remove_rock);
  }
  double g = th_bench_median(goal, ROUNDS), a = th_bench_median(start, ROUNDS), r = th_bench_median(rock, 2 * ROUNDS);
  th_bench_report(bench, "mesh.interactive.1259.start_ms", 1e3 * a, "ms");
  th_bench_report(bench, "mesh.interactive.1259.goal_ms", 1e3 * g, "ms");
  th_bench_report(bench, "mesh.interactive.1259.obstacle_ms", 1e3 * r, "ms");
  th_bench_report(bench, "mesh.interactive.1259.ms", 1e3 * fmax(fmax(g, a), r), "ms");
}

void th_bench_interactive(th_bench *bench);

void th_bench_interactive(th_bench *bench) {
  if (!th_bench_wants(bench, "mesh.interactive.1259")) return;
  stage s = {.random = 82};
  if (open_stage(&s)) measure(bench, &s);
  th_world_free(s.world);
  th_ground_release(s.ground);
}
