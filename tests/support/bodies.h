/* tests/support/bodies.h - grounds on which bodies meet above the surface, crowds on them, and who meets.
 *
 *   bodies_soup soup = {0};  bodies_sheet(&soup, ...);  th_ground *g = bodies_ground(&env, &soup);
 *   bodies_meetings(world, 0.1f, &m);     every pair, without any broad phase
 */
#ifndef TH_TESTS_SUPPORT_BODIES_H
#define TH_TESTS_SUPPORT_BODIES_H

#include "geometry/capsule.h"
#include "ground/chart/overhead.h"
#include "support/mesh_worlds.h"
#include "throng/guide.h"
#include "throng/model/orca.h"

enum { BODIES_MAX = 60000, BODIES_CROWD = 400 };

typedef struct bodies_soup {
  double xyz[3 * BODIES_MAX];
  uint32_t corner[3 * BODIES_MAX];
  uint32_t vertices, faces;
} bodies_soup;

typedef struct bodies_plane {
  double at[3], u[3], v[3]; /* a corner and the two sides; walkable where u x v points */
  uint32_t nu, nv;          /* squares along them */
} bodies_plane;

static inline void bodies_sheet(bodies_soup *s, bodies_plane p) {
  uint32_t first = s->vertices;
  for (uint32_t j = 0; j <= p.nv; j++)
    for (uint32_t i = 0; i <= p.nu; i++, s->vertices++)
      for (int k = 0; k < 3; k++)
        s->xyz[3 * s->vertices + (uint32_t)k] = p.at[k] + p.u[k] * ((double)i / p.nu) + p.v[k] * ((double)j / p.nv);
  for (uint32_t j = 0; j < p.nv; j++)
    for (uint32_t i = 0; i < p.nu; i++) {
      uint32_t a = first + j * (p.nu + 1) + i, b = a + 1, c = a + p.nu + 1, d = c + 1, *to = s->corner + 3 * s->faces;
      const uint32_t six[6] = {a, b, d, a, d, c};
      memcpy(to, six, sizeof six);
      s->faces += 2;
    }
  assert_true(s->vertices < BODIES_MAX && s->faces < BODIES_MAX);
}

static inline th_ground *bodies_ground(const th_env *env, const bodies_soup *s) {
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.env = *env;
  def.triangles.xyz_double = s->xyz;
  def.triangles.vertex_count = s->vertices;
  def.triangles.corner = s->corner;
  def.triangles.face_count = s->faces;
  def.triangles.weld = 1e-6;
  th_ground *ground;
  OK(th_ground_make_mesh(&def, &ground, &error));
  return ground;
}

/* Two slopes of `degrees` that meet in a line along y, from y = 0 to `length`, `width` metres up on either side. */
static inline th_ground *bodies_valley(const th_env *env, double degrees, double length, double width) {
  static bodies_soup s;
  double c = cos(degrees * 3.14159265358979 / 180.0) * width, h = sin(degrees * 3.14159265358979 / 180.0) * width;
  s.vertices = s.faces = 0;
  bodies_sheet(&s, (bodies_plane){{0, 0, 0}, {c, 0, h}, {0, length, 0}, (uint32_t)width, (uint32_t)length});
  bodies_sheet(&s, (bodies_plane){{-c, 0, h}, {c, 0, -h}, {0, length, 0}, (uint32_t)width, (uint32_t)length});
  return bodies_ground(env, &s);
}

/* Two floors of length x 6 m, `apart` metres from each other, both walkable on their upper side; the upper one turned
 * over when `facing`, both turned away from each other when `apart` is negative (a sheet). */
static inline th_ground *bodies_floors(const th_env *env, double length, double apart, bool facing) {
  static bodies_soup s;
  s.vertices = s.faces = 0;
  bodies_plane low = {{0, 0, 0}, {length, 0, 0}, {0, 6, 0}, (uint32_t)length, 6}, high = low, turned = low;
  high.at[2] = fabs(apart);
  turned.u[0] = 0, turned.u[1] = 6, turned.v[0] = length, turned.v[1] = 0;
  turned.nu = low.nv, turned.nv = low.nu;
  if (apart < 0.0) {
    bodies_sheet(&s, high);
    bodies_sheet(&s, turned);
    return bodies_ground(env, &s);
  }
  bodies_sheet(&s, low);
  turned.at[2] = apart;
  bodies_sheet(&s, facing ? turned : high);
  return bodies_ground(env, &s);
}

static inline th_ground *bodies_tube(const th_env *env, float radius, float length, float edge) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TUBE);
  make.radius = make.end_radius = radius;
  make.length = length;
  make.edge = edge;
  make.bend = 0.0f;
  make.inside = true;
  return mesh_grounds_make(env, &make);
}

/* ---------------------------------------------------------------- crowds */

typedef struct bodies_walker {
  th_vec3 from, to;
} bodies_walker;

typedef struct bodies_stage {
  log_capture h;
  th_env env;
  bodies_walker walker[BODIES_CROWD];
  uint32_t count;
  float height, radius;
  const th_model *model;
} bodies_stage;

/* Straight on in space, as far as the ground allows; who has arrived stands. */
static inline void bodies_lead(void *user, const th_guide_query *q) {
  const bodies_stage *s = (const bodies_stage *)user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_place place = {q->cell[lane], q->x[lane], q->y[lane]};
    th_vec3 p = th_ground_point(q->ground, place), to = s->walker[q->agent[lane] - 1].to;
    th_vec3 way = {to.x - p.x, to.y - p.y, to.z - p.z};
    th_vec2 d = th_ground_to_cell(q->ground, place, way);
    float length = sqrtf(d.x * d.x + d.y * d.y), left = sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
    q->want[lane].state = left < 0.5f ? TH_ANSWER_ARRIVED : TH_ANSWER_LEAD;
    q->want[lane].left = left;
    if (length > 0.0f) q->want[lane].dx = d.x / length, q->want[lane].dy = d.y / length;
  }
}

static inline th_world *bodies_world(bodies_stage *s, th_ground *ground, th_overhead_kind overhead, uint32_t workers,
                                     th_simd simd) {
  th_world_def def = th_default_world_def();
  def.env = s->env;
  def.ground = ground;
  def.mesh.overhead = overhead;
  def.workers = workers;
  def.simd = simd;
  th_world *world;
  OK(th_world_make(&def, &world, &error));
  th_guide_id guide;
  th_user_guide_params params = {bodies_lead, s};
  OK(th_world_add_guide(world, &th_guide_user, &params, &guide, &error));
  for (uint32_t i = 0; i < s->count; i++) {
    th_agent_def agent = th_default_body_def();
    agent.point = s->walker[i].from;
    agent.height = s->height > 0.0f ? s->height : agent.height;
    agent.radius = s->radius > 0.0f ? s->radius : agent.radius;
    agent.model = s->model ? s->model : &th_model_orca;
    agent.guide = guide;
    agent.remove = false;
    OK(th_world_add_agents(world, &agent, 1, NULL, &error));
  }
  return world;
}

static inline th_capsule bodies_body(const th_world *world, uint32_t row, float height, th_vec3 *foot) {
  th_agents a = th_world_agents(world);
  const th_ground *ground = th_world_ground(world);
  th_place place = {a.cell[row], a.x[row], a.y[row]};
  *foot = th_ground_point(ground, place);
  return th_capsule_standing(*foot, th_ground_normal(ground, place), height, a.radius[row]);
}

typedef struct bodies_count {
  uint32_t pairs; /* that meet above by more than `min` of their radii */
  float deepest;  /* of all, as a part of the radii */
} bodies_count;

static inline float bodies_size(th_vec3 v) { return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z); }

/* Pairs of bodies that overlap in space although their feet are apart. */
static inline bodies_count bodies_meetings(const th_world *world, float height, float min) {
  bodies_count count = {0, 0.0f};
  uint32_t n = th_world_agents(world).count;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n; k++) {
      th_vec3 fi, fk;
      th_capsule a = bodies_body(world, i, height, &fi), b = bodies_body(world, k, height, &fk);
      float radii = a.radius + b.radius, axes = bodies_size(th_capsule_apart(&a, &b)), deep = 1.0f - axes / radii;
      if (mesh_grounds_apart(fi, fk) < radii || deep <= min) continue;
      count.pairs++;
      count.deepest = deep > count.deepest ? deep : count.deepest;
    }
  return count;
}

typedef struct bodies_run {
  uint64_t pair_steps;
  float deepest;
  uint32_t max;
  float left; /* mean way to the goal at the end [m] */
} bodies_run;

static inline bodies_run bodies_walk(bodies_stage *s, th_world *world, uint32_t steps, float height) {
  bodies_run run = {0};
  for (uint32_t i = 0; i < steps; i++) {
    th_world_step(world);
    bodies_count c = bodies_meetings(world, height, 0.1f);
    run.pair_steps += c.pairs;
    run.deepest = c.deepest > run.deepest ? c.deepest : run.deepest;
    run.max = c.pairs > run.max ? c.pairs : run.max;
  }
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t row = th_world_row(world, (th_agent_id){i + 1, 1, 0});
    run.left += mesh_grounds_apart(mesh_grounds_at(world, row), s->walker[i].to) / (float)s->count;
  }
  return run;
}

#endif
