/* tests/world/test_goals.c - goals of every shape, queues, waiting, loops, sinks, moving and removing goals. */
#include "support/stage.h"
#include "world/world.h"

static void wrong_goals_are_refused(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  th_goal_def def = worlds_point_def(&(th_vec2){8, 1});
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_GEOMETRY, "goal"); /* in a wall */
  def.shape = th_point_shape(100, 100);
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_GEOMETRY, "goal");
  def.shape = th_point_shape(NAN, 1);
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_RANGE, "");
  def.shape = th_point_shape(3, 3);
  def.shape.count = 0;
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_RANGE, "");
  def.shape.count = 1;
  def.shape.kind = (th_shape_kind)9;
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_RANGE, "");
  def.shape.kind = TH_SHAPE_DISC;
  def.shape.radius = -1.0f;
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_RANGE, "");
  def = worlds_point_def(&(th_vec2){3, 3});
  def.arrive = -1.0f;
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_RANGE, "arrive");
  def.arrive = NAN;
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_RANGE, "arrive");
  def = worlds_point_def(&(th_vec2){3, 3});
  def.field = TH_FIELD_BLEND;
  def.blend = 1.5f;
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_RANGE, "blend");
  def.field = (th_field_kind)7;
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_RANGE, "field");
  th_goal_id goal = worlds_goal(s.world, 3, 3), stale = worlds_goal(s.world, 4, 3);
  th_world_remove_goal(s.world, stale);
  th_shape wall = th_point_shape(8, 1);
  REFUSED(s.world, th_world_move_goal(s.world, goal, &wall, &error), TH_ERROR_GEOMETRY, "goal");
  th_shape free_place = th_point_shape(3, 1);
  REFUSED(s.world, th_world_move_goal(s.world, stale, &free_place, &error), TH_ERROR_STATE, "goal");
  uint64_t hash = th_world_hash(s.world);
  th_world_remove_goal(s.world, stale);
  assert_true(s.h.faults == 2 && th_world_hash(s.world) == hash);
  stage_end(&s);
}

static void goals_of_every_shape_are_reached(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  static const th_vec3 point[4] = {{20, 4, 0}, {22, 4, 0}, {22, 6, 0}, {20, 6, 0}};
  static const th_shape shape[] = {{.kind = TH_SHAPE_POINT, .point = point, .count = 1},
                                   {.kind = TH_SHAPE_LINE, .point = point, .count = 3},
                                   {.kind = TH_SHAPE_DISC, .point = point, .count = 1, .radius = 1.5f},
                                   {.kind = TH_SHAPE_POLYGON, .point = point, .count = 4}};
  for (int i = 0; i < 4; i++) {
    for (th_field_kind kind = TH_FIELD_HARMONIC; kind <= TH_FIELD_BLEND; kind++) {
      th_goal_def def = th_default_goal_def();
      def.shape = shape[i];
      def.field = kind;
      def.blend = 0.5f;
      th_goal_id goal;
      OK(th_world_add_goal(s.world, &def, &goal, &error));
      th_agent_id id = worlds_walker(s.world, 2, 2, goal);
      th_vec2 last = {0, 0};
      for (int n = 0; n < 600 && th_world_has_agent(s.world, id); n++) {
        last = worlds_at(s.world, id);
        th_world_step(s.world);
      }
      if (th_world_has_agent(s.world, id)) fail_msg("shape %d, field %d: never arrives", i, (int)kind);
      assert_true(last.x > 18.0f && last.x < 24.0f && last.y > 2.0f && last.y < 8.0f);
    }
  }
  assert_int_equal(th_world_counters(s.world).arrived, 12);
  stage_end(&s);
}

/* A queue with waits: stops in order, stands still while waiting, leaves at the end. */
/* shows: BVP-71, BVP-72 */
static void stops_come_in_their_order(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  th_goal_id goal[3] = {worlds_goal(s.world, 5, 3), worlds_goal(s.world, 5, 8), worlds_goal(s.world, 2, 8)};
  th_agent_def def = worlds_agent_def(2, 3, goal[0]);
  def.route[0].wait = 2.0f;
  def.route[1] = (th_stop){.goal = goal[1], .wait = 0.0f};
  def.route[2] = (th_stop){.goal = goal[2], .wait = 1.0f};
  def.route_count = 3;
  th_agent_id id = worlds_add(s.world, &def);
  uint32_t arrived = 0, waiting[3] = {0};
  while (th_world_has_agent(s.world, id) && th_world_step_count(s.world) < 500) {
    th_world_step(s.world);
    uint32_t count;
    const th_event *event = th_world_events(s.world, &count);
    for (uint32_t i = 0; i < count; i++) {
      if (event[i].kind != TH_EVENT_ARRIVED) continue;
      assert_true(arrived < 3);
      assert_int_equal(event[i].goal.index, goal[arrived].index);
      assert_int_equal(event[i].agent.index, id.index);
      arrived++;
    }
    if (th_world_has_agent(s.world, id) && arrived && worlds_state(s.world, id) == TH_AGENT_WAITING)
      waiting[arrived - 1]++;
  }
  assert_int_equal(arrived, 3);
  assert_true(waiting[0] >= 19 && waiting[0] <= 21); /* 2 s of 0.1 s */
  assert_int_equal(waiting[1], 0);
  assert_true(waiting[2] >= 9 && waiting[2] <= 11);
  assert_true(th_world_done(s.world));
  stage_end(&s);
}

static void routes_loop_or_end(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  th_goal_id a = worlds_goal(s.world, 2, 3), b = worlds_goal(s.world, 5, 3);
  th_agent_def def = worlds_agent_def(3, 3, a);
  def.route[1].goal = b;
  def.route_count = 2;
  def.loop = true;
  th_agent_id looper = worlds_add(s.world, &def);
  def = worlds_agent_def(2, 10, b);
  def.remove = false;
  th_agent_id stayer = worlds_add(s.world, &def);
  worlds_steps(s.world, 400);
  assert_true(th_world_has_agent(s.world, looper) && th_world_has_agent(s.world, stayer));
  assert_true(th_world_counters(s.world).arrived >= 8);
  assert_int_equal(worlds_state(s.world, stayer), TH_AGENT_ARRIVED);
  assert_int_equal(worlds_state(s.world, looper), TH_AGENT_WALKING);
  assert_false(th_world_done(s.world));
  th_world_remove_agent(s.world, looper);
  assert_true(th_world_done(s.world));
  stage_end(&s);
}

/* A sink removes whatever the route says. */
static void sinks_take_agents_out(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  th_vec2 at = {5, 3};
  th_goal_def sink = worlds_point_def(&at);
  sink.sink = true;
  th_goal_id goal, other = worlds_goal(s.world, 2, 14);
  OK(th_world_add_goal(s.world, &sink, &goal, &error));
  th_agent_def def = worlds_agent_def(2, 3, goal);
  def.route[0].wait = 5.0f;
  def.route[1].goal = other;
  def.route_count = 2;
  def.loop = true;
  def.remove = false;
  th_agent_id id = worlds_add(s.world, &def);
  assert_true(worlds_until_gone(s.world, id, 100) < 100);
  assert_int_equal(worlds_events(s.world, TH_EVENT_REMOVED, id), 1);
  assert_int_equal(worlds_events(s.world, TH_EVENT_ARRIVED, id), 1);
  stage_end(&s);
}

static void the_distance_of_arrival_counts(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  for (float arrive = 0.3f; arrive < 4.0f; arrive *= 2.0f) {
    th_vec2 at = {2, 14}, last = {0, 0};
    th_goal_def def = worlds_point_def(&at);
    def.arrive = arrive;
    th_goal_id goal;
    OK(th_world_add_goal(s.world, &def, &goal, &error));
    th_agent_id id = worlds_walker(s.world, 4, 2, goal);
    for (int n = 0; n < 300 && th_world_has_agent(s.world, id); n++) {
      last = worlds_at(s.world, id);
      th_world_step(s.world);
    }
    assert_false(th_world_has_agent(s.world, id));
    float d = hypotf(last.x - at.x, last.y - at.y);
    if (d > arrive * 1.15f + 0.3f || d < arrive - 0.6f) fail_msg("arrive %g: stopped at %g", (double)arrive, (double)d);
  }
  stage_end(&s);
}

static void goals_move(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  th_goal_id goal = worlds_goal(s.world, 5, 2);
  th_agent_id id = worlds_walker(s.world, 3, 8, goal);
  worlds_steps(s.world, 10);
  assert_true(worlds_at(s.world, id).y < 7.5f);
  th_vec2 to = {3, 14};
  th_shape shape = th_point_shape(to.x, to.y);
  OK(th_world_move_goal(s.world, goal, &shape, &error));
  to = (th_vec2){0, 0}; /* the shape was copied */
  worlds_steps(s.world, 15);
  uint32_t row = th_world_row(s.world, id);
  assert_true(th_world_agents(s.world).vy[row] > 0.5f);
  assert_true(worlds_until_gone(s.world, id, 200) < 200);
  stage_end(&s);
}

/* Those who head for a goal that is gone stop and are lost; they never follow a goal that took its number. */
static void removed_goals_leave_agents_lost(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  th_goal_id goal = worlds_goal(s.world, 5, 2);
  th_agent_id id = worlds_walker(s.world, 3, 8, goal);
  worlds_steps(s.world, 5);
  th_world_remove_goal(s.world, goal);
  th_goal_id other = worlds_goal(s.world, 3, 14);
  assert_int_equal(other.index, goal.index);
  th_agent_id late = worlds_walker(s.world, 6, 8, other);
  th_world_step(s.world);
  assert_int_equal(worlds_events(s.world, TH_EVENT_UNREACHABLE, id), 1);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_LOST);
  worlds_steps(s.world, 5);
  th_vec2 p = worlds_at(s.world, id);
  OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "east"}, 1, &error)); /* the lost look again */
  worlds_steps(s.world, 20);
  th_vec2 q = worlds_at(s.world, id);
  assert_true(hypotf(q.x - p.x, q.y - p.y) < 0.05f);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_LOST);
  assert_true(worlds_until_gone(s.world, late, 100) < 100);
  stage_end(&s);
}

static void unreachable_goals_are_told(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_cells(&env);
  th_world *world = worlds_make(ground, &env);
  th_goal_id goal = worlds_goal(world, 12, 4);
  th_agent_id id = worlds_walker(world, 3, 4, goal);
  uint32_t events = 0;
  for (int i = 0; i < 20; i++) {
    th_world_step(world);
    events += worlds_events(world, TH_EVENT_UNREACHABLE, id);
  }
  assert_int_equal(events, 1);
  assert_int_equal(worlds_state(world, id), TH_AGENT_LOST);
  th_vec2 p = worlds_at(world, id);
  assert_true(p.x == 3 && p.y == 4); /* it stands, it does not wander */
  assert_true(th_world_done(world));
  assert_int_equal(th_world_counters(world).unreachable, 1);
  assert_true(isinf(th_world_distance(world, (th_vec3){3, 4, 0}, goal, 0.2f)));
  assert_int_equal(th_world_path(world, (th_vec3){3, 4, 0}, goal, 0.2f, NULL, 0), 0);
  worlds_end(world, ground);
}

/* One field for all who share goal, class and strength; dead entries are used again only when nobody names them. */
/* shows: BVP-18 */
static void fields_are_shared_and_given_back(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  th_goal_id goal = worlds_goal(s.world, 5, 2);
  for (int i = 0; i < 20; i++) {
    th_agent_def def = worlds_agent_def(2.0f + 0.1f * (float)i, 8, goal);
    def.eps = 0.25f * (float)(i % 3);
    worlds_add(s.world, &def);
  }
  assert_int_equal(s.world->entry_count, 3);
  th_world_remove_goal(s.world, goal);
  th_goal_id other = worlds_goal(s.world, 3, 14);
  worlds_walker(s.world, 6, 8, other);
  assert_int_equal(s.world->entry_count, 4);
  while (th_world_agents(s.world).count) th_world_remove_agent(s.world, th_world_agents(s.world).id[0]);
  th_agent_def def = worlds_agent_def(6, 8, other);
  def.eps = 1.0f;
  worlds_add(s.world, &def);
  assert_int_equal(s.world->entry_count, 4);
  stage_end(&s);
}

/* A goal that an obstacle swallows leads nowhere; the log tells which one, by its name where it has one. A restored
 * world keeps the names that its host gave. */
static void the_log_names_the_goal(void **state) {
  (void)state;
  for (int named = 0; named < 2; named++) {
    stage s;
    stage_begin(&s, worlds_house, NULL);
    th_goal_def def = th_default_goal_def(), back;
    def.shape = th_point_shape(14, 8);
    def.name = named ? "popcorn" : NULL;
    th_goal_id goal;
    OK(th_world_add_goal(s.world, &def, &goal, &error));
    worlds_saved saved = worlds_save(s.world);
    OK(th_world_restore(s.world, saved.memory, saved.size, &error));
    free(saved.memory);
    assert_true(th_world_goal_def(s.world, goal, &back) && (back.name != NULL) == named);
    if (named) assert_string_equal(back.name, "popcorn");
    worlds_walker(s.world, 12, 8, goal);
    worlds_steps(s.world, 2);
    const worlds_rect box = worlds_rectangle(13, 7, 15, 9);
    const th_edit edit = {.kind = TH_EDIT_ADD, .shape = {"box", box.point, 4}};
    OK(th_world_edit(s.world, &edit, 1, &error));
    worlds_steps(s.world, 5);
    assert_true(s.h.warnings > 0);
    if (!strstr(s.h.last, named ? "goal 1, \"popcorn\" cannot" : "goal 1 cannot")) fail_msg("%s", s.h.last);
    stage_end(&s);
  }
}

static void eps_is_rounded_to_levels(void **state) {
  (void)state;
  assert_int_equal(th_goal_eps_level(0.0f), 0);
  assert_int_equal(th_goal_eps_level(0.12f), 0);
  assert_int_equal(th_goal_eps_level(0.13f), 1);
  assert_int_equal(th_goal_eps_level(2.0f), TH_EPS_LEVELS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_goals_are_refused),
      cmocka_unit_test(goals_of_every_shape_are_reached),
      cmocka_unit_test(stops_come_in_their_order),
      cmocka_unit_test(routes_loop_or_end),
      cmocka_unit_test(sinks_take_agents_out),
      cmocka_unit_test(the_distance_of_arrival_counts),
      cmocka_unit_test(goals_move),
      cmocka_unit_test(removed_goals_leave_agents_lost),
      cmocka_unit_test(unreachable_goals_are_told),
      cmocka_unit_test(fields_are_shared_and_given_back),
      cmocka_unit_test(eps_is_rounded_to_levels),
      cmocka_unit_test(the_log_names_the_goal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
