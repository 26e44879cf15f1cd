/* bench/bench_targets.c - a thousand people with targets of their own, against the same people led by fields.
 *
 * A hall of 120 m x 80 m with 200 boxes, flat or as a terrain of some 70,000 faces. Each target moves at 1 m/s along a
 * line, off the rim of the hall and the boxes as they come, and is given again before every step, which counts. The
 * crowd beside it starts at the same places and walks to eight goals, whose fields are there before the time runs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "throng/guide/target.h"
#include "throng/make.h"
#include "throng/throng.h"

enum { PEOPLE = 1000, BOXES = 200, GOALS = 8 };
#define WIDE 120.0f
#define DEEP 80.0f

typedef struct hall {
  th_vec2 box[BOXES][4];
  uint32_t random;
} hall;

typedef struct crowd {
  th_world *world;
  th_agent_id id[PEOPLE];
  th_vec2 target[PEOPLE], velocity[PEOPLE];
} crowd;

static float draw(hall *h, float min, float max) {
  h->random = h->random * 1664525u + 1013904223u;
  return min + (max - min) * (float)(h->random >> 8) / 16777216.0f;
}

static void furnish(hall *h) {
  for (uint32_t i = 0; i < BOXES; i++) {
    const float x = 6.0f * (float)(i % 20) + draw(h, 1.5f, 4.0f), y = 8.0f * (float)(i / 20) + draw(h, 2.0f, 5.5f);
    const float w = draw(h, 0.5f, 1.4f), d = draw(h, 0.5f, 1.4f);
    th_box_polygon(x - w, y - d, x + w, y + d, h->box[i]);
  }
}

static th_ground *flat_hall(hall *h) {
  static const th_vec2 rim[4] = {{0, 0}, {WIDE, 0}, {WIDE, DEEP}, {0, DEEP}};
  const th_polygon outline = {NULL, rim, 4};
  th_polygon box[BOXES];
  for (uint32_t i = 0; i < BOXES; i++) box[i] = (th_polygon){NULL, h->box[i], 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline, def.outline_count = 1;
  def.obstacle = box, def.obstacle_count = BOXES;
  th_ground *ground = NULL;
  return th_ground_make_flat(&def, &ground, NULL) ? NULL : ground;
}

static th_ground *mesh_hall(hall *h) {
  th_make_params make = th_default_make_params();
  make.shape = TH_MAKE_SHAPE_TERRAIN;
  make.length = WIDE, make.width = DEEP, make.height = 3, make.edge = 0.54f;
  th_mesh mesh;
  if (th_mesh_generate(&make, &mesh, NULL)) return NULL;
  double low[2] = {HUGE_VAL, HUGE_VAL};
  for (uint32_t v = 0; v < 2 * mesh.vertex_count; v++)
    low[v % 2] = fmin(low[v % 2], mesh.xyz[3 * (size_t)(v / 2) + v % 2]);
  for (uint32_t v = 0; v < 2 * mesh.vertex_count; v++) mesh.xyz[3 * (size_t)(v / 2) + v % 2] -= low[v % 2];
  th_region box[BOXES];
  for (uint32_t i = 0; i < BOXES; i++)
    box[i] =
        (th_region){.kind = TH_REGION_PRISM, .outline = h->box[i], .outline_count = 4, .low = -100.0f, .high = 100.0f};
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = &mesh;
  def.blocked = box, def.blocked_count = BOXES;
  th_ground *ground = NULL;
  const th_result result = th_ground_make_mesh(&def, &ground, NULL);
  th_mesh_free(&mesh);
  return result ? NULL : ground;
}

/* A place with some room round it. */
static th_vec3 free_point(hall *h, const th_ground *ground) {
  for (;;) {
    const float x = draw(h, 1, WIDE - 1), y = draw(h, 1, DEEP - 1);
    const th_place place = th_ground_locate(ground, x, y);
    if (place.cell == TH_NO_CELL || th_ground_clearance_at(ground, place) < 0.5f) continue;
    return th_ground_point(ground, place);
  }
}

static bool add_people(crowd *c, hall *h, bool own) {
  th_goal_id goal[GOALS];
  const th_ground *ground = th_world_ground(c->world);
  for (uint32_t k = 0; k < GOALS && !own; k++) {
    th_goal_def def = th_default_goal_def();
    def.shape = th_point_shape_at(free_point(h, ground));
    if (th_world_add_goal(c->world, &def, &goal[k], NULL)) return false;
  }
  h->random = 77;
  for (uint32_t i = 0; i < PEOPLE; i++) {
    th_agent_def def = th_default_agent_def();
    def.point = free_point(h, ground);
    if (!own) def.route[0].goal = goal[i % GOALS], def.route_count = 1, def.remove = false;
    if (th_world_add_agent(c->world, &def, &c->id[i], NULL)) return false;
    c->target[i] = (th_vec2){draw(h, 1, WIDE - 1), draw(h, 1, DEEP - 1)};
    const float angle = draw(h, 0, 6.28f);
    c->velocity[i] = (th_vec2){cosf(angle), sinf(angle)};
  }
  return true;
}

static bool make_crowd(crowd *c, bool mesh, bool own) {
  hall h = {.random = 7};
  furnish(&h);
  th_world_def def = th_default_world_def();
  def.ground = mesh ? mesh_hall(&h) : flat_hall(&h);
  def.agent_capacity = PEOPLE;
  const bool made = def.ground && !th_world_make(&def, &c->world, NULL);
  th_ground_release(def.ground);
  h.random = 99;
  return made && add_people(c, &h, own) && !th_world_prepare(c->world, NULL);
}

static void go_on(float *at, float *velocity, float dt, float end) {
  *at += *velocity * dt;
  if (*at < 1.0f || *at > end - 1.0f) *velocity = -*velocity, *at += 2.0f * *velocity * dt;
}

static void step_own(void *user) {
  crowd *c = user;
  for (uint32_t i = 0; i < PEOPLE; i++) {
    go_on(&c->target[i].x, &c->velocity[i].x, 0.1f, WIDE);
    go_on(&c->target[i].y, &c->velocity[i].y, 0.1f, DEEP);
    th_world_move_to(c->world, c->id[i], (th_vec3){c->target[i].x, c->target[i].y, 0}, NULL);
  }
  th_world_step(c->world);
}

static void step_led(void *user) { th_world_step(((crowd *)user)->world); }

static void compare(th_bench *bench, bool mesh) {
  char name[64];
  snprintf(name, sizeof name, "targets.%s1000", mesh ? "mesh." : "");
  if (!th_bench_wants(bench, name)) return;
  crowd *c = calloc(2, sizeof *c);
  if (c && make_crowd(&c[0], mesh, true) && make_crowd(&c[1], mesh, false)) {
    th_bench_side side[2] = {{step_own, &c[0], 0}, {step_led, &c[1], 0}};
    th_bench_time(side, 2, th_bench_now);
    snprintf(name, sizeof name, "targets.%s1000.us", mesh ? "mesh." : "");
    th_bench_report(bench, name, side[0].median * 1e6 / PEOPLE, "us");
    snprintf(name, sizeof name, "targets.%s1000.over_field", mesh ? "mesh." : "");
    th_bench_report(bench, name, side[0].median / side[1].median, "x");
  } else {
    fprintf(stderr, "bench: no world for %s\n", name);
  }
  for (int k = 0; k < 2 && c; k++) th_world_free(c[k].world);
  free(c);
}

void th_bench_targets(th_bench *bench) {
  compare(bench, false);
  compare(bench, true);
}
