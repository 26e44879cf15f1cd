/* bench/bench_mesh.c - what a mesh costs: the crowd of `cross` on flat ground, on a flat mesh and on hills.
 *
 * The same agents with the same goals and the model `orca`; flat ground takes turns with each mesh, so that ratios come
 * from one run, and the least of several crowds counts, so that they come from its quiet moments. All charts are made
 * before the first step, so that none of the timed ones makes any: left to the steps, one in six would, as the crowd
 * spreads onto new patches.
 */
#include <string.h>

#include "bench.h"
#include "workload_world.h"
#include "world/world.h"

enum { CROWDS = 4, ROUNDS = 15, STEPS = 10 }; /* short ones: a busy moment of the machine spoils few */

typedef struct crowd {
  th_workload work;
  th_world *world;
  const th_ground *ground;
} crowd;

/* Straight at the goal seen from above. */
static void answer(void *user, const th_question *q) {
  const crowd *c = user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_place place = {q->cell[lane], q->x[lane], q->y[lane]};
    th_vec2 goal = c->work.goal[q->agent[lane] - 1];
    th_vec3 p = th_ground_point(q->ground, place);
    float dx = goal.x - p.x, dy = goal.y - p.y, left = sqrtf(dx * dx + dy * dy);
    th_vec2 d = th_ground_to_cell(q->ground, place, (th_vec3){dx, dy, 0.0f});
    float length = sqrtf(d.x * d.x + d.y * d.y), k = length > 0.0f ? 1.0f / length : 0.0f;
    q->want[lane] = (th_want){.dx = d.x * k, .dy = d.y * k, .left = left, .state = TH_WANT_LEAD};
  }
}

static th_ground *mesh_ground(const th_workload *work, float edge, float height) {
  float x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY, margin = 30.0f;
  for (uint32_t i = 0; i < work->count; i++) {
    x0 = fminf(x0, work->position[i].x), x1 = fmaxf(x1, work->position[i].x);
    y0 = fminf(y0, work->position[i].y), y1 = fmaxf(y1, work->position[i].y);
  }
  th_make_params make = th_default_make_params();
  make.shape = height > 0.0f ? TH_MAKE_SHAPE_TERRAIN : TH_MAKE_SHAPE_PLANE;
  make.length = x1 - x0 + 2.0f * margin;
  make.width = y1 - y0 + 2.0f * margin;
  make.edge = edge;
  make.height = height;
  th_mesh mesh;
  th_ground *ground = NULL;
  if (th_make_mesh(NULL, &make, &mesh, NULL)) return NULL;
  for (uint32_t v = 0; v < mesh.vertex_count; v++) {
    mesh.xyz[3 * v] += (double)(x0 - margin);
    mesh.xyz[3 * v + 1] += (double)(y0 - margin);
  }
  th_surface_def def = th_default_surface_def();
  def.mesh.xyz_double = mesh.xyz;
  def.mesh.vertex_count = mesh.vertex_count;
  def.mesh.corner = mesh.corner;
  def.mesh.face_count = mesh.face_count;
  th_error error;
  if (th_ground_make_surface(&def, &ground, &error)) fprintf(stderr, "bench: %s\n", error.text);
  th_mesh_free(&mesh);
  return ground;
}

/* Height 0 and edge 0: flat ground. */
static bool make(crowd *c, uint32_t count, float edge, float height) {
  *c = (crowd){0};
  if (!th_workload_make(&c->work, "cross", count)) return false;
  th_world_def def = th_default_world_def();
  def.ground = edge > 0.0f ? mesh_ground(&c->work, edge, height) : th_workload_ground(&c->work, true);
  def.dt = c->work.dt;
  def.agent_capacity = c->work.count;
  if (!def.ground || th_world_make(&def, &c->world, NULL)) return false;
  th_ground_release(def.ground);
  th_orca_params params = th_default_orca_params();
  params.neighbours = (int32_t)c->work.neighbours;
  params.distance = c->work.reach;
  params.horizon = c->work.horizon;
  params.wall_horizon = c->work.wall_horizon;
  th_user_guide_params host = {answer, c};
  th_guide_id guide;
  if (th_world_add_guide(c->world, &th_guide_user, &host, &guide, NULL)) return false;
  for (uint32_t i = 0; i < c->work.count; i++) {
    th_agent_def agent = th_default_agent_def();
    agent.x = c->work.position[i].x;
    agent.y = c->work.position[i].y;
    agent.speed = c->work.speed;
    agent.speed_max = c->work.most_speed;
    agent.radius = c->work.radius;
    agent.acceleration_max = agent.turn_max = INFINITY;
    agent.model = &th_model_orca;
    agent.params = &params;
    agent.guide = guide;
    th_error error;
    if (th_world_add_agents(c->world, &agent, 1, NULL, &error)) {
      fprintf(stderr, "bench: %s\n", error.text);
      return false;
    }
  }
  return true;
}

static void drop(crowd *c) {
  th_world_free(c->world);
  th_workload_free(&c->work);
}

static double round_of(crowd *c) {
  double seconds[STEPS];
  for (int i = 0; i < STEPS; i++) {
    double begin = th_bench_now();
    th_world_step(c->world);
    seconds[i] = th_bench_now() - begin;
  }
  return th_bench_median(seconds, STEPS) * 1e6 / (double)c->work.count;
}

typedef struct kind {
  const char *name;
  float edge, height;
} kind;

static void phases(th_bench *bench, const char *name, const crowd *c) {
  double seconds[TH_PHASE_COUNT];
  char key[96];
  th_world_profile(c->world, seconds);
  for (int i = 0; i < TH_PHASE_COUNT; i++) {
    snprintf(key, sizeof key, "orca.mesh.%s.%s_us", name, th_phase_name((th_phase)i));
    th_bench_report(bench, key, seconds[i] * 1e6 / (double)c->work.count / (double)th_world_steps(c->world), "us");
  }
}

/* Least times of a step, flat ground's first. */
typedef struct figures {
  double us[2], prepare_ms, charts_mib;
} figures;

static bool measure(th_bench *bench, const kind *k, bool first, figures *f) {
  crowd flat, mesh;
  bool made = make(&flat, 10000, 0.0f, 0.0f);
  made = make(&mesh, 10000, k->edge, k->height) && made;
  double begin = th_bench_now();
  made = made && th_world_prepare(mesh.world, NULL) == TH_OK;
  f->prepare_ms = fmin(f->prepare_ms, (th_bench_now() - begin) * 1e3);
  for (int i = 0; made && i < ROUNDS; i++) {
    f->us[0] = fmin(f->us[0], round_of(&flat));
    f->us[1] = fmin(f->us[1], round_of(&mesh));
  }
  if (made) f->charts_mib = (double)mesh.world->mesh->atlas->charts.bytes / 1048576.0;
  if (made && first) phases(bench, k->name, &mesh);
  drop(&flat);
  drop(&mesh);
  return made;
}

static void report(th_bench *bench, const kind *k, const char *figure, double value, const char *unit) {
  char key[96];
  snprintf(key, sizeof key, "orca.mesh.%s.%s", k->name, figure);
  th_bench_report(bench, key, value, unit);
}

void th_bench_mesh(th_bench *bench) {
  static const kind list[] = {
      {"plane", 1.0f, 0.0f}, {"hills", 1.0f, 2.0f}, {"plane_half", 0.5f, 0.0f}, {"hills_half", 0.5f, 2.0f}};
  double worst = 0.0, worst_us = 0.0;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    const kind *k = &list[n];
    char key[96];
    snprintf(key, sizeof key, "orca.mesh.%s", k->name);
    if (!th_bench_wants(bench, key) && !(n < 2 && th_bench_wants(bench, "orca.mesh.cross")) &&
        !(n < 2 && th_bench_wants(bench, "orca.mesh_over_flat")))
      continue;
    figures f = {{INFINITY, INFINITY}, INFINITY, 0.0};
    bool made = true;
    for (int i = 0; made && i < CROWDS; i++) made = measure(bench, k, i == 0, &f);
    if (!made) continue;
    report(bench, k, "us", f.us[1], "us");
    report(bench, k, "over_flat", f.us[1] / f.us[0], "x");
    report(bench, k, "prepare_ms", f.prepare_ms, "ms");
    report(bench, k, "charts", f.charts_mib, "MiB");
    if (n < 2) worst = fmax(worst, f.us[1] / f.us[0]);
    if (n < 2) worst_us = fmax(worst_us, f.us[1]);
  }
  if (worst <= 0.0) return;
  th_bench_report(bench, "orca.mesh_over_flat.cross.10000", worst, "x");
  th_bench_report(bench, "orca.mesh.cross.10000.us", worst_us, "us");
}
