/* tests/world/test_far_contacts.c - one body that goes metres in a step: others are found where it ends, as before, but
 * the others do not look as far around as it goes. Work is counted in bodies that were looked at. */
#include "support/mesh_worlds.h"
#include "support/slow.h"
#include "world/world.h"

enum { CROWD = SLOW_BUILD ? 400 : 1600, STEPS = 20 };

static uint64_t looked(const th_world *world) {
  uint64_t sum = 0;
  for (uint32_t k = 0; k < world->scratch_count; k++) sum += world->scratch[k].looked;
  return sum;
}

/* A lattice of people a metre apart who walk to the right, and `fast` of them at 60 m/s, 6 m in a step. */
static th_world *crowd_on(th_ground *ground, log_capture *h, uint32_t fast, th_simd simd) {
  th_env env = worlds_env(h);
  th_world_def def = th_default_world_def();
  def.env = env, def.ground = ground, def.simd = simd;
  th_world *world;
  OK(th_world_make(&def, &world, &error));
  const uint32_t side = (uint32_t)sqrt(CROWD);
  th_goal_id goal;
  th_goal_def to = worlds_point_def_at((th_vec3){(float)side + 25.0f, 0.5f * (float)side, 0.0f});
  to.field = TH_FIELD_GEODESIC;
  OK(th_world_add_goal(world, &to, &goal, &error));
  for (uint32_t i = 0; i < CROWD; i++) {
    th_agent_def agent = worlds_agent_def(2.0f + (float)(i % side), 2.0f + (float)(i / side), goal);
    agent.model = &th_model_follow;
    agent.radius = 0.3f;
    agent.acceleration_max = agent.turn_max = INFINITY;
    if (i % (CROWD / 8) == 0 && i / (CROWD / 8) < fast) agent.speed = agent.speed_max = 60.0f;
    OK(th_world_add_agent(world, &agent, NULL, &error));
  }
  return world;
}

static th_ground *hall(bool mesh) {
  static const float side = SLOW_BUILD ? 50.0f : 70.0f;
  if (!mesh) return worlds_box(&(th_env){0}, side, side);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = make.width = side;
  make.edge = 1.0f;
  return mesh_grounds_make(&(th_env){0}, &make);
}

static uint64_t work_of(bool mesh, uint32_t fast) {
  log_capture h = {0};
  th_ground *ground = hall(mesh);
  th_world *world = crowd_on(ground, &h, fast, TH_SIMD_AUTO);
  worlds_steps(world, STEPS);
  uint64_t sum = looked(world);
  worlds_end(world, ground);
  return sum;
}

/* Of 1,600, one and eight. When everybody looked as far as they go it was 4.3 and 7.7 times on flat ground, and 1.45
 * and 2.31 on a mesh, whose charts end. The patches in which they start still look that far. */
static void a_few_do_not_slow_all(void **state) {
  (void)state;
  static const double most[2][2] = {{1.15, 1.6}, {1.25, 2.0}};
  for (int mesh = 0; mesh < 2; mesh++)
    for (int k = 0; k < 2; k++) {
      double times = (double)work_of(mesh, k ? 8 : 1) / (double)work_of(mesh, 0);
      print_message("%s, %d fast: %.2f times the bodies looked at\n", mesh ? "mesh" : "flat", k ? 8 : 1, times);
      if (!SLOW_BUILD) assert_true(times < most[mesh][k]); /* a smaller crowd has a larger share of them */
    }
}

/* Body against body, by places after the step: those who came far part as others do. */
static double worst_overlap(const th_world *world) {
  th_agents a = th_world_agents(world);
  double worst = 0.0;
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t j = 0; j < i; j++) {
      th_vec3 p = mesh_grounds_at(world, i), q = mesh_grounds_at(world, j);
      double sum = (double)(a.radius[i] + a.radius[j]);
      worst = fmax(worst, 1.0 - hypot((double)(p.x - q.x), (double)(p.y - q.y)) / sum);
    }
  return worst;
}

/* One that comes 6 m and ends on top of another: the rounds part them to what is left of two who start there. */
static void those_who_come_far_are_parted(void **state) {
  (void)state;
  for (int mesh = 0; mesh < 2; mesh++) {
    log_capture h = {0};
    th_ground *ground = hall(mesh);
    th_world_def def = th_default_world_def();
    def.env = worlds_env(&h), def.ground = ground, def.contact_rounds = 16;
    th_world *world;
    OK(th_world_make(&def, &world, &error));
    th_goal_id goal = worlds_goal(world, 30, 20);
    for (uint32_t i = 0; i < 5; i++) {
      th_agent_def agent = worlds_agent_def(i ? 20.0f + 0.35f * (float)i : 14.9f, 20, goal);
      agent.model = &th_model_follow;
      agent.radius = 0.3f;
      agent.acceleration_max = agent.turn_max = INFINITY;
      agent.speed = i ? 0.0f : 60.0f, agent.speed_max = 60.0f;
      OK(th_world_add_agent(world, &agent, NULL, &error));
    }
    worlds_steps(world, 2); /* the field is there in the second */
    assert_true(mesh_grounds_at(world, th_world_row(world, (th_agent_id){1, 1, 0})).x > 18.0f);
    print_message("%s: overlap %.4f\n", mesh ? "mesh" : "flat", worst_overlap(world));
    assert_true(worst_overlap(world) < 0.02);
    worlds_end(world, ground);
  }
}

static void all_sets_agree(void **state) {
  (void)state;
  for (int mesh = 0; mesh < 2; mesh++) {
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
      log_capture h = {0};
      th_ground *ground = hall(mesh);
      th_world *world = crowd_on(ground, &h, 1, (th_simd)(TH_SIMD_FOUR + k));
      worlds_steps(world, STEPS);
      hash[k] = th_world_hash(world);
      worlds_end(world, ground);
      if (!th_simd_has((th_simd)(TH_SIMD_FOUR + k))) hash[k] = hash[0];
    }
    assert_true(hash[1] == hash[0] && hash[2] == hash[0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_few_do_not_slow_all),
                                     cmocka_unit_test(those_who_come_far_are_parted), cmocka_unit_test(all_sets_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
