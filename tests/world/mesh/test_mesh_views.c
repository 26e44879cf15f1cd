/* What views on a mesh show is what is there: places, distances and velocities in the chart; lists of agents by face.
 */
#include "support/mesh_worlds.h"
#include "support/unit.h"
#include "throng/model/orca.h"
#include "world/world.h"

enum { CROWD = 250 };
#define REACH 2.5f

/* Agents are known by their radius, of which each has its own. */
static float radius_of(uint32_t agent) { return 0.05f + 0.0005f * (float)agent; }
static uint32_t agent_of(float radius) { return (uint32_t)lroundf((radius - 0.05f) / 0.0005f); }

typedef struct truth {
  const th_world *world;
  th_vec3 at[CROWD + 1], velocity[CROWD + 1]; /* by agent, at the start of the step */
  uint32_t pairs, wrong_distance, wrong_velocity, missed, alone;
} truth;

static float dot(th_vec3 a, th_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static void compare_pair(truth *t, const th_view *view, uint32_t lane, uint32_t i) {
  uint32_t me = view->agent[lane], other = agent_of(view->neighbours.radius[i]);
  float x = view->neighbours.x[i] - view->x[lane], y = view->neighbours.y[i] - view->y[lane],
        flat = sqrtf(x * x + y * y);
  if (flat > REACH || flat < 0.3f) return;
  th_vec3 d = {t->at[other].x - t->at[me].x, t->at[other].y - t->at[me].y, t->at[other].z - t->at[me].z};
  float space = sqrtf(dot(d, d));
  t->pairs++;
  t->wrong_distance += fabsf(flat - space) > 0.04f * space;
  /* how fast the two come together */
  th_vec3 v = {t->velocity[other].x - t->velocity[me].x, t->velocity[other].y - t->velocity[me].y,
               t->velocity[other].z - t->velocity[me].z};
  float vx = view->neighbours.vx[i] - view->vx[lane], vy = view->neighbours.vy[i] - view->vy[lane];
  float approach = (vx * x + vy * y) / flat, expected = dot(v, d) / space;
  t->wrong_velocity += fabsf(approach - expected) > 0.15f; /* directions bend by up to 2.5 m / 10 m / 2 */
}

static void look(void *user, const th_work *work) {
  truth *t = user;
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    uint32_t me = view->agent[lane], seen = 0, there = 0;
    for (uint32_t i = 0; i < view->neighbours.count; i++) {
      float x = view->neighbours.x[i] - view->x[lane], y = view->neighbours.y[i] - view->y[lane];
      if (agent_of(view->neighbours.radius[i]) == me) t->alone += x * x + y * y > 1e-6f; /* it is itself where it is */
      if (agent_of(view->neighbours.radius[i]) == me) continue;
      seen += x * x + y * y < REACH * REACH * 1.02f;
      compare_pair(t, view, lane, i);
    }
    for (uint32_t other = 1; other <= CROWD; other++)
      there += other != me && mesh_grounds_apart(t->at[me], t->at[other]) < REACH * 0.96f;
    t->missed += seen < there;
    work->advice.vx[lane] = view->want[lane].dx * view->speed[lane];
    work->advice.vy[lane] = view->want[lane].dy * view->speed[lane];
  }
}

static void remember(truth *t) {
  th_agents a = th_world_agents(t->world);
  for (uint32_t i = 0; i < a.count; i++) {
    th_place place = {a.cell[i], a.x[i], a.y[i]};
    t->at[a.id[i].index] = th_ground_point(th_world_ground(t->world), place);
    t->velocity[a.id[i].index] = th_ground_to_space(th_world_ground(t->world), place, (th_vec2){a.vx[i], a.vy[i]});
  }
}

static void wander(void *user, const th_guide_query *q) {
  (void)user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_place place = {q->cell[lane], q->x[lane], q->y[lane]};
    th_vec3 p = th_ground_point(q->ground, place);
    th_vec2 d = th_ground_to_cell(q->ground, place,
                                  q->agent[lane] % 2 ? (th_vec3){-p.y, p.x, 0.3f} : (th_vec3){p.z, 0.2f, -p.x});
    float k = 1.0f / sqrtf(d.x * d.x + d.y * d.y + 1e-9f);
    q->want[lane] = (th_guide_answer){d.x * k, d.y * k, 100.0f, TH_ANSWER_LEAD, {0}, 0.0f};
  }
}

static th_world *wanderers(const th_env *env, th_ground *ground, const th_model *model, const void *params,
                           bool one_face) {
  th_world_def def = th_default_world_def();
  th_world *world;
  def.env = *env;
  def.ground = ground;
  def.mesh.one_face = one_face;
  OK(th_world_make(&def, &world, &error));
  th_guide_id guide;
  th_user_guide_params ask = {wander, NULL};
  OK(th_world_add_guide(world, &th_guide_user, &ask, &guide, &error));
  uint64_t random = 21;
  for (uint32_t i = 1; i <= CROWD; i++) {
    th_vec3 p = th_ground_point(ground, mesh_grounds_place(ground, &random));
    th_agent_def agent = worlds_agent_def(p.x, p.y, NOWHERE);
    agent.point.z = p.z;
    agent.radius = radius_of(i);
    agent.guide = guide;
    agent.model = model;
    agent.params = params;
    worlds_add(world, &agent);
  }
  return world;
}

static th_ground *planet(const th_env *env) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 4;
  return mesh_grounds_make(env, &make);
}

/* shows: PLAN-30 PLAN-31 PLAN-32 PLAN-39 */
static void views_show_what_is_there(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  truth t = {0};
  th_user_params params = {look, &t, REACH, 8};
  th_world *world = wanderers(&env, ground, &th_model_user, &params, false);
  t.world = world;
  for (int step = 0; step < 20; step++) {
    remember(&t);
    th_world_step(world);
  }
  print_message("%u pairs: %u distances and %u velocities off, %u views lack someone\n", t.pairs, t.wrong_distance,
                t.wrong_velocity, t.missed);
  assert_true(t.pairs > 5000);
  assert_int_equal(t.wrong_distance, 0);
  assert_int_equal(t.wrong_velocity, 0);
  assert_int_equal(t.missed, 0);
  assert_int_equal(t.alone, 0);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- rays */

enum { RAYS = 12 };

typedef struct sights {
  const th_world *world;
  th_place place[CROWD + 1]; /* by agent, at the start of the step */
  uint32_t rays, hits, wrong;
} sights;

/* The straight line over the surface, in a direction of the agent's face that is turned by `turn`. */
static float surface_ray(const sights *s, uint32_t agent, th_vec2 d, float turn) {
  const float c = cosf(turn), n = sinf(turn);
  return th_ground_ray(th_world_ground(s->world), s->place[agent], (th_vec2){c * d.x - n * d.y, n * d.x + c * d.y},
                       0.9f * REACH)
      .distance;
}

/* A ray of the view is as long as that over the surface, or lies between those beside it: two degrees are the
 * difference between a pillar that is met and one that is missed. */
static void compare_ray(sights *s, const th_view *view, uint32_t lane, float dx, float dy) {
  const th_ground *ground = th_world_ground(s->world);
  const uint32_t agent = view->agent[lane];
  const float x = view->x[lane], y = view->y[lane], found = th_view_ray(view, x, y, dx, dy, 0.9f * REACH);
  th_vec3 at = th_ground_point(ground, s->place[agent]), to = th_view_point(view, lane, x + dx, y + dy);
  th_vec2 d = th_ground_to_cell(ground, s->place[agent], (th_vec3){to.x - at.x, to.y - at.y, to.z - at.z});
  float size = hypotf(d.x, d.y), least = INFINITY, most = 0.0f;
  for (int k = -1; k <= 1; k++) {
    float beside = surface_ray(s, agent, (th_vec2){d.x / size, d.y / size}, 0.035f * (float)k);
    least = fminf(least, beside);
    most = fmaxf(most, beside);
  }
  s->rays++;
  s->hits += found < 0.85f * REACH;
  s->wrong += !(fabsf(size - 1.0f) < 0.01f && found > 0.96f * least - 0.03f && found < 1.04f * most + 0.03f);
}

static void look_for_walls(void *user, const th_work *work) {
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    for (int k = 0; k < RAYS; k++) compare_ray(user, view, lane, cosf(0.5236f * (float)k), sinf(0.5236f * (float)k));
    work->advice.vx[lane] = view->want[lane].dx * view->speed[lane];
    work->advice.vy[lane] = view->want[lane].dy * view->speed[lane];
  }
}

/* A planet with rocks on it: every ray that a model asks of its view ends where the straight line over the surface
 * meets a rock. */
static void rays_end_at_walls_of_the_surface(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  th_mesh_ground_def def = th_default_mesh_ground_def();
  th_region rock[24];
  uint64_t random = 4;
  for (int k = 0; k < 24; k++) {
    float turn = worlds_in(&random, 0.0f, 6.2831853f), z = worlds_in(&random, -0.95f, 0.95f), r = sqrtf(1.0f - z * z);
    rock[k] = (th_region){.kind = TH_REGION_BALL,
                          .centre = {10.0f * r * cosf(turn), 10.0f * r * sinf(turn), 10.0f * z},
                          .radius = worlds_in(&random, 0.6f, 1.4f)};
  }
  make.level = 4;
  def.blocked = rock;
  def.blocked_count = 24;
  th_ground *ground = mesh_grounds_make_of(&env, &make, def);
  sights s = {0};
  th_user_params params = {look_for_walls, &s, REACH, 8};
  th_world *world = wanderers(&env, ground, &th_model_user, &params, false);
  s.world = world;
  for (int step = 0; step < 20; step++) {
    th_agents a = th_world_agents(world);
    for (uint32_t i = 0; i < a.count; i++) s.place[a.id[i].index] = (th_place){a.cell[i], a.x[i], a.y[i]};
    th_world_step(world);
  }
  print_message("%u rays, %u end at a wall, %u elsewhere than over the surface\n", s.rays, s.hits, s.wrong);
  assert_true(s.rays > 20 * RAYS * CROWD / 2 && s.hits > s.rays / 10);
  assert_int_equal(s.wrong, 0);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* With one patch a face, the slots of a patch are the agents in that face, each once, in every step. */
/* shows: PLAN-23 PLAN-22 */
static void every_face_lists_its_agents(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = wanderers(&env, ground, &th_model_orca, NULL, true);
  for (int step = 0; step < 60; step++) {
    th_world_advise(world);
    const th_order *order = &world->order;
    const th_patches *patches = &world->mesh->atlas->patches;
    assert_int_equal(patches->count, th_ground_mesh(ground)->face_count);
    assert_int_equal(order->count, CROWD);
    bool listed[CROWD + 1] = {false};
    for (uint32_t face = 0; face < patches->face_count; face++) {
      uint32_t first, last;
      th_order_patch(order, patches->patch_of[face], &first, &last);
      for (uint32_t slot = order->start[first]; slot < order->start[last]; slot++) {
        assert_int_equal(world->rows.cell[order->row[slot]], face);
        assert_false(listed[order->agent[slot]]);
        listed[order->agent[slot]] = true;
      }
    }
    for (uint32_t i = 1; i <= CROWD; i++) assert_true(listed[i]);
    th_world_integrate(world);
  }
  mesh_grounds_assert_sound(world);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(views_show_what_is_there),
      cmocka_unit_test(rays_end_at_walls_of_the_surface),
      cmocka_unit_test(every_face_lists_its_agents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
