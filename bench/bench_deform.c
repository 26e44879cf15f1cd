/* bench/bench_deform.c - the cost of a surface that deforms under a crowd.
 *
 * 20,000 agents of the model `orca` walk around a torus of 37,650 faces. Waves run over half of it: in every step each
 * vertex there moves, so 128 of 221 charts have to be rebuilt and K of them are. There is one worker; the time is that
 * of the call for the deformation (the next version of the ground, and the check whether patches are still flat) and of
 * the step that brings it into force. The guide belongs to the benchmark. For comparison: the same steps on a surface
 * at rest, and with one harmonic field, which is rebuilt for every deformation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "throng/guide.h"
#include "throng/make.h"
#include "throng/model.h"
#include "throng/model/orca.h"
#include "throng/world.h"
#include "workload_world.h"

enum { AGENTS = 20000, STEPS = 24, WARM = 4 };
#define TUBE 12.0
#define RING 40.0

typedef struct swell {
  th_ground *ground;
  th_world *world;
  double *xyz; /* at rest */
  th_vertex_move *move;
  uint32_t vertices;
} swell;

/* Leads around the torus. */
static void lead_round(void *user, const th_guide_query *q) {
  (void)user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_place place = {q->cell[lane], q->x[lane], q->y[lane]};
    th_vec3 p = th_ground_point(q->ground, place);
    th_vec2 d = th_ground_to_cell(q->ground, place, (th_vec3){-p.y, p.x, 0.0f});
    float length = sqrtf(d.x * d.x + d.y * d.y), k = length > 0.0f ? 1.0f / length : 0.0f;
    q->want[lane] = (th_guide_answer){.dx = d.x * k, .dy = d.y * k, .left = 1e3f, .state = TH_ANSWER_LEAD};
  }
}

static bool make_ground(swell *s) {
  th_make_params make = th_default_make_params();
  make.shape = TH_MAKE_SHAPE_TORUS;
  make.radius = (float)TUBE;
  make.large = (float)RING;
  th_mesh mesh;
  if (th_mesh_generate(&make, &mesh, NULL)) return false;
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = &mesh;
  th_result result = th_ground_make_mesh(&def, &s->ground, NULL);
  th_mesh_free(&mesh);
  if (result) return false;
  const th_mesh *made = th_ground_mesh(s->ground);
  s->vertices = made->vertex_count;
  s->xyz = malloc(3 * sizeof *s->xyz * s->vertices);
  s->move = malloc(sizeof *s->move * s->vertices);
  if (s->xyz) memcpy(s->xyz, made->xyz, 3 * sizeof *s->xyz * s->vertices);
  return s->xyz && s->move;
}

static bool make_world(swell *s, uint32_t renewals) {
  th_world_def def = th_default_world_def();
  def.ground = s->ground;
  def.agent_capacity = AGENTS;
  def.mesh.renewals = renewals;
  if (th_world_make(&def, &s->world, NULL)) return false;
  th_user_guide_params host = {lead_round, NULL};
  th_guide_id guide;
  th_agent_def *agent = malloc(AGENTS * sizeof *agent);
  if (!agent || th_world_add_guide(s->world, &th_guide_user, &host, &guide, NULL)) {
    free(agent);
    return false;
  }
  uint32_t faces = th_ground_mesh(s->ground)->face_count;
  for (uint32_t i = 0; i < AGENTS; i++) {
    th_place place =
        th_ground_place_of(s->ground, (uint32_t)((uint64_t)i * faces / AGENTS), (th_vec3){0.3f, 0.3f, 0.4f});
    th_vec3 p = th_ground_point(s->ground, place);
    agent[i] = th_default_body_def();
    agent[i].point = p;
    agent[i].model = &th_model_orca;
    agent[i].guide = guide;
  }
  th_result result = th_world_add_agents(s->world, agent, AGENTS, NULL, NULL);
  free(agent);
  return result == TH_OK;
}

/* An agent that walks to a point, so that there is a field. */
static bool add_goal(swell *s) {
  const th_vec2 at = {-52.0f, 0.0f};
  const float z = 0.0f;
  th_goal_def goal = th_default_goal_def();
  goal.field = TH_FIELD_HARMONIC;
  goal.shape = th_point_shape_at((th_vec3){at.x, at.y, z});
  th_agent_def agent = th_default_body_def();
  agent.model = &th_model_follow;
  agent.point.x = 52.0f;
  agent.route_count = 1;
  return !th_world_add_goal(s->world, &goal, &agent.route[0].goal, NULL) &&
         !th_world_add_agents(s->world, &agent, 1, NULL, NULL);
}

/* Waves of 20 m and 0.6 m where x > 0. */
static uint32_t roll(swell *s, double phase) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < s->vertices; v++) {
    const double *p = s->xyz + 3 * (size_t)v;
    if (p[0] < 0.0) continue;
    double r = sqrt(p[0] * p[0] + p[1] * p[1]), a = atan2(p[1], p[0]), out = r - RING;
    double lift = 0.6 * cos(a) * cos(a) * sin(a * RING * 0.31415926 - phase) / sqrt(out * out + p[2] * p[2]);
    double k = 1.0 + lift * out / r;
    s->move[count++] = (th_vertex_move){v, {(float)(p[0] * k), (float)(p[1] * k), (float)(p[2] * (1.0 + lift))}};
  }
  return count;
}

/* Steps per second; `moves` false: the surface is at rest. */
static double rate_of(swell *s, bool moves) {
  double seconds[STEPS];
  for (int i = 0; i < WARM + STEPS; i++) {
    th_edit edit = {.kind = TH_EDIT_DEFORM, .move = s->move, .move_count = moves ? roll(s, 0.3 * i) : 0};
    double begin = th_bench_now();
    if (moves && th_world_edit(s->world, &edit, 1, NULL)) return NAN;
    th_world_step(s->world);
    if (i >= WARM) seconds[i - WARM] = th_bench_now() - begin;
  }
  return 1.0 / th_bench_median(seconds, STEPS);
}

typedef struct kind {
  const char *name;
  uint32_t renewals;
  bool moves, field;
} kind;

static void measure(th_bench *bench, swell *s, const kind *k) {
  char full[64];
  snprintf(full, sizeof full, "chart.deform.20000.%s", k->name);
  if (!th_bench_wants(bench, full)) return;
  double rate = make_world(s, k->renewals) && (!k->field || add_goal(s)) ? rate_of(s, k->moves) : NAN;
  th_bench_report(bench, full, rate, "1/s");
  th_world_free(s->world);
  s->world = NULL;
}

/* The next version of the ground alone: the cost of a deformation before the world uses it. */
static void measure_ground(th_bench *bench, swell *s) {
  double seconds[5];
  if (!th_bench_wants(bench, "chart.deform.ground_ms")) return;
  for (int i = 0; i < 5; i++) {
    th_ground *next = NULL;
    uint32_t count = roll(s, 0.3 * i);
    double begin = th_bench_now();
    th_result result = th_ground_deform(s->ground, s->move, count, &next, NULL);
    seconds[i] = result ? NAN : th_bench_now() - begin;
    th_ground_release(next);
  }
  th_bench_report(bench, "chart.deform.ground_ms", th_bench_median(seconds, 5) * 1e3, "ms");
}

static const kind kinds[] = {{"k16.steps_per_s", 16, true, false},
                             {"k64.steps_per_s", 64, true, false},
                             {"all.steps_per_s", 1u << 30, true, false},
                             {"still.steps_per_s", 64, false, false},
                             {"k64_and_field.steps_per_s", 64, true, true}};

void th_bench_deform(th_bench *bench) {
  if (!th_bench_wants(bench, "chart.deform")) return;
  swell s = {0};
  if (make_ground(&s)) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) measure(bench, &s, &kinds[k]);
    measure_ground(bench, &s);
  }
  free(s.xyz);
  free(s.move);
  th_ground_release(s.ground);
}
