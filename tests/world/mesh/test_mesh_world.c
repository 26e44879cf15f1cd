/* Worlds on meshes: what holds on flat ground holds there. */
#include "support/mesh_worlds.h"
#include "support/unit.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "throng/model/orca.h"

/* Agents that head for a fixed point in space each, whatever the ground. */
typedef struct targets {
  const th_vec3 *at; /* by agent index - 1 */
} targets;

static void head_for(void *user, const th_guide_query *q) {
  const targets *t = user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_place place = {q->cell[lane], q->x[lane], q->y[lane]};
    th_vec3 p = th_ground_point(q->ground, place), to = t->at[q->agent[lane] - 1];
    th_vec3 way = {to.x - p.x, to.y - p.y, to.z - p.z};
    th_vec2 d = th_ground_to_cell(q->ground, place, way);
    float length = sqrtf(d.x * d.x + d.y * d.y), left = sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
    q->want[lane].state = left < 0.3f ? TH_ANSWER_ARRIVED : TH_ANSWER_LEAD;
    q->want[lane].left = left;
    if (length > 0.0f) q->want[lane].dx = d.x / length, q->want[lane].dy = d.y / length;
  }
}

enum { CROWD = 24 };

typedef struct stage {
  log_capture h;
  th_env env;
  th_vec3 at[CROWD];
  targets t;
} stage;

static th_world *crossing(stage *s, th_ground *ground, uint32_t workers, th_simd simd) {
  th_world_def def = th_default_world_def();
  def.env = s->env;
  def.ground = ground;
  def.workers = workers;
  def.simd = simd;
  th_world *world;
  OK(th_world_make(&def, &world, &error));
  th_guide_id guide;
  th_user_guide_params params = {head_for, &s->t};
  s->t.at = s->at;
  OK(th_world_add_guide(world, &th_guide_user, &params, &guide, &error));
  uint64_t state = 5;
  for (uint32_t i = 0; i < CROWD; i++) {
    th_agent_def agent = th_default_body_def();
    float side = i % 2 ? 4.0f : 16.0f;
    agent.point.x = side + worlds_in(&state, -2, 2);
    agent.point.y = 3.0f + 1.2f * (float)(i / 2) + (i % 2 ? 0.25f : 0.0f);
    s->at[i] = (th_vec3){20.0f - agent.point.x, agent.point.y, 0.0f};
    agent.model = &th_model_orca;
    agent.guide = guide;
    agent.remove = false;
    OK(th_world_add_agents(world, &agent, 1, NULL, &error));
  }
  return world;
}

static th_ground *flat_square(const th_env *env) {
  worlds_rect box = worlds_rectangle(0, 0, 20, 20);
  th_flat_def def = th_default_flat_def();
  th_polygon outline = {NULL, box.point, 4};
  def.env = *env;
  def.outline = &outline;
  def.outline_count = 1;
  th_ground *ground;
  OK(th_ground_make_flat(&def, &ground, &error));
  return ground;
}

static th_ground *mesh_square(const th_env *env, float noise) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = make.width = 20;
  make.noise = noise;
  return mesh_grounds_make(env, &make);
}

/* shows: PLAN-38 PLAN-19 */
static void a_flat_mesh_is_flat_ground(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    stage s = {0}, m = {0};
    s.env = worlds_env(&s.h);
    m.env = worlds_env(&m.h);
    th_ground *flat = flat_square(&s.env), *mesh = mesh_square(&m.env, k ? 0.3f : 0.0f);
    th_world *a = crossing(&s, flat, 1, TH_SIMD_AUTO), *b = crossing(&m, mesh, 1, TH_SIMD_AUTO);
    float worst = 0.0f;
    for (int step = 0; step < 100; step++) {
      th_world_step(a);
      th_world_step(b);
    }
    for (uint32_t i = 0; i < CROWD; i++) {
      th_agent_id id = {i + 1, 1, 0};
      uint32_t ra = th_world_row(a, id), rb = th_world_row(b, id);
      assert_true(ra != UINT32_MAX && rb != UINT32_MAX);
      float apart = mesh_grounds_apart(mesh_grounds_at(a, ra), mesh_grounds_at(b, rb));
      worst = apart > worst ? apart : worst;
    }
    print_message("worst difference after 100 steps: %g m\n", (double)worst);
    assert_true(worst < 1e-4f); /* of an edge, which is 1 m */
    assert_int_equal(s.h.faults + m.h.faults, 0);
    th_world_free(a);
    th_world_free(b);
    th_ground_release(flat);
    th_ground_release(mesh);
  }
}

static th_world *planet_crowd(const th_env *env, th_ground *ground, uint32_t workers, th_simd simd) {
  th_world_def def = th_default_world_def();
  def.env = *env;
  def.ground = ground;
  def.workers = workers;
  def.simd = simd;
  th_world *world;
  OK(th_world_make(&def, &world, &error));
  static const th_model *const model[] = {&th_model_follow, &th_model_orca};
  th_vec2 pole = {0, 0};
  float z[2] = {10, -10};
  th_goal_id goal[2];
  for (int i = 0; i < 2; i++) {
    th_goal_def g = th_default_goal_def();
    g.shape = th_point_shape_at((th_vec3){pole.x, pole.y, z[i]});
    OK(th_world_add_goal(world, &g, &goal[i], &error));
  }
  uint64_t state = 11;
  for (uint32_t i = 0; i < 150; i++) {
    th_agent_def agent = th_default_body_def();
    th_vec3 p = th_ground_point(ground, mesh_grounds_place(ground, &state));
    agent.point = p;
    agent.model = model[i % 2];
    agent.route[0].goal = goal[i % 2];
    agent.route_count = 1;
    agent.v = (th_vec2){1, 0};
    agent.eps = i % 3 ? 0.0f : 0.5f;
    OK(th_world_add_agents(world, &agent, 1, NULL, &error));
  }
  return world;
}

static th_ground *planet(const th_env *env) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 4;
  make.bumps = 0.1f;
  return mesh_grounds_make(env, &make);
}

/* shows: SBVP-48 PLAN-40 */
static void everyone_arrives_and_bits_agree(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  static const struct {
    uint32_t workers;
    th_simd simd;
  } way[] = {{1, TH_SIMD_AUTO}, {2, TH_SIMD_AUTO}, {3, TH_SIMD_FOUR}, {8, TH_SIMD_AUTO}};
  uint64_t first = 0;
  for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
    th_world *world = planet_crowd(&env, ground, way[k].workers, way[k].simd);
    for (int step = 0; step < 120; step++) th_world_step(world);
    mesh_grounds_assert_sound(world);
    uint64_t hash = th_world_hash(world);
    if (!k) first = hash;
    assert_true(hash == first);
    if (!k) {
      for (int step = 0; step < 400 && !th_world_done(world); step++) th_world_step(world);
      assert_int_equal(th_world_counters(world).arrived, 150);
      assert_int_equal(th_world_counters(world).wall_contacts, 0);
    }
    th_world_free(world);
  }
  assert_int_equal(h.faults, 0);
  th_ground_release(ground);
}

static void a_snapshot_goes_on_alike(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = planet_crowd(&env, ground, 2, TH_SIMD_AUTO), *other = planet_crowd(&env, ground, 1, TH_SIMD_AUTO);
  for (int step = 0; step < 40; step++) th_world_step(world);
  worlds_saved saved = worlds_save(world);
  for (int step = 0; step < 40; step++) th_world_step(world);
  OK(th_world_restore(other, saved.memory, saved.size, &error));
  for (int step = 0; step < 40; step++) th_world_step(other);
  assert_true(th_world_hash(world) == th_world_hash(other));
  OK(th_world_restore(world, saved.memory, saved.size, &error));
  for (int step = 0; step < 40; step++) th_world_step(world);
  assert_true(th_world_hash(world) == th_world_hash(other));
  free(saved.memory);
  th_world_free(world);
  th_world_free(other);
  assert_int_equal(h.faults, 0);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_flat_mesh_is_flat_ground),
      cmocka_unit_test(everyone_arrives_and_bits_agree),
      cmocka_unit_test(a_snapshot_goes_on_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
