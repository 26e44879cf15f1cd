/* tests/world/test_queue.c - who waits behind somebody that gets on queues; who waits for nobody is stuck. */
#include "support/mesh_worlds.h"
#include "throng/model/orca.h"

typedef struct stage {
  log_capture h;
  th_env env;
  th_ground *ground;
  th_world *world;
  th_goal_id goal;
} stage;

/* A corridor along x, 20 m long; as a mesh it climbs by 30 degrees. */
static th_ground *sloping(const th_env *env, float width) {
  th_make_params plane = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  plane.length = 20.0f, plane.width = width, plane.edge = 0.5f;
  th_mesh mesh;
  th_ground *ground;
  plane.env = *env;
  OK(th_mesh_generate(&plane, &mesh, &error));
  for (uint32_t v = 0; v < mesh.vertex_count; v++) mesh.xyz[3 * v + 2] = 0.57735 * mesh.xyz[3 * v];
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.env = *env;
  def.mesh = &mesh;
  OK(th_ground_make_mesh(&def, &ground, &error));
  th_mesh_free(&mesh);
  return ground;
}

/* A goal to which everybody on the axis walks straight ahead. */
static th_goal_id straight_to(th_world *world, float x) {
  th_vec2 point = {x, 0.75f};
  th_goal_def def = worlds_point_def(&point);
  def.field = TH_FIELD_GEODESIC;
  th_goal_id goal;
  OK(th_world_add_goal(world, &def, &goal, &error));
  return goal;
}

static void begin(stage *s, bool mesh) {
  memset(s, 0, sizeof *s);
  s->env = worlds_env(&s->h);
  s->ground = mesh ? sloping(&s->env, 1.5f) : worlds_box(&s->env, 20, 1.5f);
  s->world = worlds_make(s->ground, &s->env);
  s->goal = straight_to(s->world, 19);
}

static void stand(void *user, const th_work *work) {
  (void)user;
  (void)work;
}

/* Somebody who wants to go on and never does. */
static th_agent_id lazy(stage *s, float x) {
  static th_user_params host = {stand, NULL, 2.0f, 1};
  th_agent_def def = worlds_agent_def(x, 0.75f, s->goal);
  def.model = &th_model_user;
  def.params = &host;
  return worlds_add(s->world, &def);
}

typedef struct told {
  uint32_t stuck, queues;
} told;

static told steps(stage *s, uint32_t count, th_agent_id id) {
  told t = {0};
  for (uint32_t i = 0; i < count; i++) {
    th_world_step(s->world);
    t.stuck += worlds_events(s->world, TH_EVENT_STUCK, id);
    t.queues += worlds_events(s->world, TH_EVENT_QUEUES, id);
  }
  return t;
}

/* The first of three walks at 0.05 m/s: after 10 and 20 s the others are in a queue. When it is more than 1.5 m ahead,
 * they are not in one any more. */
static void who_follows_somebody_slow_queues(void **state) {
  (void)state;
  for (int mesh = 0; mesh < 2; mesh++) {
    stage s;
    begin(&s, mesh);
    th_agent_def def = worlds_agent_def(5.0f, 0.75f, s.goal);
    def.speed = 0.05f;
    worlds_add(s.world, &def);
    th_agent_id second = lazy(&s, 4.4f);
    lazy(&s, 3.5f);
    told early = steps(&s, 250, second), late = steps(&s, 300, second);
    assert_int_equal(early.stuck, 0);
    assert_int_equal(early.queues, 2);
    assert_true(late.stuck >= 1);
    th_counters all = th_world_counters(s.world);
    assert_int_equal(all.queues, 2 * (early.queues + late.queues)); /* the third waits for the second */
    assert_int_equal(all.stuck, 2 * late.stuck);
    worlds_end(s.world, s.ground);
  }
}

/* Whoever stands at a stop for a while, or has not set off yet, will go on; whoever stays will not. */
static void what_the_first_one_does_decides(void **state) {
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    stage s;
    begin(&s, kind == 1);
    th_agent_def def = worlds_agent_def(5.0f, 0.75f, kind == 2 ? NOWHERE : s.goal);
    if (kind == 0) def.premovement = 1000.0f;
    if (kind == 1) def.route[0] = (th_stop){.goal = worlds_goal(s.world, 5.0f, 0.75f), .wait = 1000.0f};
    worlds_add(s.world, &def);
    told t = steps(&s, 120, lazy(&s, 4.4f));
    assert_int_equal(t.queues, kind < 2);
    assert_int_equal(t.stuck, kind == 2);
    worlds_end(s.world, s.ground);
  }
}

/* The nearest one ahead stays for ever, another one beside it gets on: that is a queue. */
static void one_of_those_ahead_is_enough(void **state) {
  (void)state;
  stage s;
  begin(&s, false);
  th_agent_def stays = worlds_agent_def(4.9f, 0.95f, NOWHERE), slow = worlds_agent_def(5.0f, 0.5f, s.goal);
  slow.speed = 0.05f;
  worlds_add(s.world, &stays);
  worlds_add(s.world, &slow);
  told t = steps(&s, 120, lazy(&s, 4.4f));
  assert_int_equal(t.queues, 1);
  assert_int_equal(t.stuck, 0);
  worlds_end(s.world, s.ground);
}

/* Two who want to pass each other and do not are stuck, both: each waits for the other. */
static void a_lock_is_no_queue(void **state) {
  (void)state;
  stage s;
  begin(&s, false);
  th_agent_id one = lazy(&s, 5.0f);
  s.goal = straight_to(s.world, 1);
  lazy(&s, 5.5f);
  told t = steps(&s, 250, one);
  assert_int_equal(t.queues, 0);
  assert_int_equal(t.stuck, 2);
  assert_int_equal(th_world_counters(s.world).stuck, 4);
  worlds_end(s.world, s.ground);
}

/* Beside the way, behind and too far ahead nobody is in the way. */
static void only_who_is_ahead_counts(void **state) {
  (void)state;
  static const th_vec2 at[3] = {{5.0f, 1.3f}, {4.0f, 0.75f}, {7.5f, 0.75f}};
  for (int i = 0; i < 3; i++) {
    stage s;
    begin(&s, false);
    th_agent_def def = worlds_agent_def(at[i].x, at[i].y, s.goal);
    def.premovement = 1000.0f;
    worlds_add(s.world, &def);
    told t = steps(&s, 120, lazy(&s, 5.0f));
    assert_int_equal(t.queues, 0);
    assert_int_equal(t.stuck, 1);
    worlds_end(s.world, s.ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_follows_somebody_slow_queues), cmocka_unit_test(what_the_first_one_does_decides),
      cmocka_unit_test(one_of_those_ahead_is_enough),     cmocka_unit_test(a_lock_is_no_queue),
      cmocka_unit_test(only_who_is_ahead_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
