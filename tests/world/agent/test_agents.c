/* tests/world/agent/test_agents.c - agents come, change and go; every wrong def is refused with a reason and leaves no
 * trace.
 */
#include "support/stage.h"
#include "world/world.h"

static void begin(stage *s) {
  stage_begin(s, worlds_house, NULL);
  s->goal = worlds_goal(s->world, 20, 3);
  worlds_walker(s->world, 3, 3, s->goal);
  th_world_step(s->world);
}

typedef struct wrong_number {
  const char *name;
  size_t offset;
  float value;
} wrong_number;

/* Each number of a def out of its range, by the three calls that take one. */
static void wrong_numbers_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s);
#define NUMBER(field, value) \
  { #field, offsetof(th_agent_def, field), value }
  static const wrong_number wrong[] = {NUMBER(radius, -0.1f),
                                       NUMBER(radius, 0.0f),
                                       NUMBER(radius, 11.0f),
                                       NUMBER(radius, NAN),
                                       NUMBER(height, 0.0f),
                                       NUMBER(height, NAN),
                                       NUMBER(height, 101.0f),
                                       NUMBER(speed, -1.0f),
                                       NUMBER(speed, NAN),
                                       NUMBER(speed, 101.0f),
                                       NUMBER(speed_max, 0.5f),
                                       NUMBER(speed_max, NAN),
                                       NUMBER(speed_max, 1e9f),
                                       NUMBER(acceleration_max, 0.0f),
                                       NUMBER(acceleration_max, -1.0f),
                                       NUMBER(acceleration_max, NAN),
                                       NUMBER(turn_max, 0.0f),
                                       NUMBER(turn_max, NAN),
                                       NUMBER(share, -0.1f),
                                       NUMBER(share, 1.1f),
                                       NUMBER(share, NAN),
                                       NUMBER(eps, -0.1f),
                                       NUMBER(eps, 2.1f),
                                       NUMBER(eps, NAN),
                                       NUMBER(v.x, NAN),
                                       NUMBER(v.y, INFINITY),
                                       NUMBER(heading.x, NAN),
                                       NUMBER(heading.y, INFINITY),
                                       NUMBER(heading.x, 1.1e6f),
                                       NUMBER(heading.y, -1.1e6f),
                                       NUMBER(delay, -1.0f),
                                       NUMBER(delay, NAN),
                                       NUMBER(delay, INFINITY)};
  th_agent_id first = th_world_agents(s.world).id[0];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    th_agent_def def[2] = {worlds_agent_def(2, 2, s.goal), worlds_agent_def(2, 4, s.goal)};
    memcpy((uint8_t *)&def[1] + wrong[i].offset, &wrong[i].value, sizeof(float));
    th_error reason = {0};
    REFUSED(s.world, th_world_add_agents(s.world, def, 2, NULL, &error), TH_ERROR_RANGE, wrong[i].name);
    assert_int_equal(th_world_add_agents(s.world, def, 2, NULL, &reason), TH_ERROR_RANGE);
    assert_int_equal(reason.element, 1);
    REFUSED(s.world, th_world_change_agent(s.world, first, &def[1], &error), TH_ERROR_RANGE, wrong[i].name);
    th_source_def source = th_default_source_def();
    worlds_rect rect = worlds_rectangle(1, 1, 3, 3);
    source.region = (th_polygon){NULL, rect.point, 4};
    source.agent = def[1];
    REFUSED(s.world, th_world_add_source(s.world, &source, NULL, &error), TH_ERROR_RANGE, wrong[i].name);
  }
  stage_end(&s);
}

static void refuse(stage *s, const th_agent_def *def, th_result code, const char *name) {
  REFUSED(s->world, th_world_add_agents(s->world, def, 1, NULL, &error), code, name);
}

static void wrong_places_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s);
  static const th_vec2 wrong[] = {{8.0f, 1.0f}, {-1, 3},  {25, 3},       {3, 17},
                                  {NAN, 3},     {3, NAN}, {INFINITY, 0}, {1e30f, 1e30f}};
  th_agent_id id = th_world_agents(s.world).id[0];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    th_agent_def def = worlds_agent_def(wrong[i].x, wrong[i].y, s.goal);
    refuse(&s, &def, TH_ERROR_GEOMETRY, "place");
    REFUSED(s.world, th_world_place_agent(s.world, id, (th_vec3){wrong[i].x, wrong[i].y, 0}, &error), TH_ERROR_GEOMETRY,
            "place");
  }
  stage_end(&s);
}

static void wrong_names_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_goal_id gone = worlds_goal(s.world, 4, 4);
  th_guide_id guide;
  OK(th_world_add_guide(s.world, &th_guide_user, NULL, &guide, &error));
  th_world_remove_goal(s.world, gone);
  th_world_remove_guide(s.world, guide);
  th_agent_def def = worlds_agent_def(2, 2, gone);
  refuse(&s, &def, TH_ERROR_STATE, "route");
  def = worlds_agent_def(2, 2, (th_goal_id){999, 1, 0});
  refuse(&s, &def, TH_ERROR_STATE, "route");
  def = worlds_agent_def(2, 2, s.goal);
  def.route[0].wait = -1.0f;
  refuse(&s, &def, TH_ERROR_RANGE, "route");
  def.route[0].wait = NAN;
  refuse(&s, &def, TH_ERROR_RANGE, "route");
  def = worlds_agent_def(2, 2, s.goal);
  def.route_count = TH_MAX_STOPS + 1;
  refuse(&s, &def, TH_ERROR_CAPACITY, "route_count");
  def = worlds_agent_def(2, 2, s.goal);
  def.guide = guide;
  refuse(&s, &def, TH_ERROR_STATE, "guide");
  def = worlds_agent_def(2, 2, s.goal);
  def.link_count = TH_MAX_LINKS + 1;
  refuse(&s, &def, TH_ERROR_CAPACITY, "link_count");
  def.link_count = 1;
  def.link[0] = (th_link_def){.to_point = true, .point = {NAN, 0, 0}};
  refuse(&s, &def, TH_ERROR_RANGE, "link");
  def.link[0] = (th_link_def){.to_point = true, .role = TH_ROLE_USER - 1};
  refuse(&s, &def, TH_ERROR_RANGE, "role");
  def.link[0].role = TH_MAX_ROLE + 1;
  refuse(&s, &def, TH_ERROR_RANGE, "role");
  def = worlds_agent_def(2, 2, s.goal);
  def.model = NULL;
  refuse(&s, &def, TH_ERROR_STATE, "model");
  def = worlds_agent_def(2, 2, s.goal);
  def.params = &(th_follow_params){-3.0f};
  refuse(&s, &def, TH_ERROR_RANGE, "slow_within");
  stage_end(&s);
}

static void stale_ids_are_faults(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_id gone = worlds_walker(s.world, 5, 5, NOWHERE), never = {77, 1, 0};
  th_agent_def def = worlds_agent_def(2, 2, s.goal), out;
  th_world_remove_agent(s.world, gone);
  th_agent_id fresh = worlds_walker(s.world, 6, 6, NOWHERE);
  assert_int_equal(fresh.index, gone.index); /* the row is used again, the id is not */
  assert_int_not_equal(fresh.generation, gone.generation);
  const th_agent_id stale[] = {gone, never, NOBODY, {UINT32_MAX, UINT16_MAX, 0}};
  for (int i = 0; i < 4; i++) {
    uint64_t hash = th_world_hash(s.world);
    uint32_t faults = s.h.faults;
    assert_false(th_world_has_agent(s.world, stale[i]));
    assert_int_equal(th_world_row(s.world, stale[i]), UINT32_MAX);
    th_world_remove_agent(s.world, stale[i]);
    assert_false(th_world_agent_def(s.world, stale[i], &out));
    assert_int_equal(s.h.faults, faults + 2); /* the log says so */
    assert_true(th_world_hash(s.world) == hash);
    REFUSED(s.world, th_world_change_agent(s.world, stale[i], &def, &error), TH_ERROR_STATE, "agent");
    REFUSED(s.world, th_world_place_agent(s.world, stale[i], (th_vec3){2, 2, 0}, &error), TH_ERROR_STATE, "agent");
    REFUSED(s.world,
            th_world_drive_agent(s.world, stale[i], (th_vec3){2, 2, 0}, (th_vec3){0, 0, 0}, (th_vec3){1, 0, 0}, &error),
            TH_ERROR_STATE, "agent");
  }
  assert_true(th_world_has_agent(s.world, fresh));
  stage_end(&s);
}

static void calls_in_the_wrong_order_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_id id = th_world_agents(s.world).id[0];
  th_agent_def def = worlds_agent_def(2, 2, s.goal);
  th_world_advise(s.world);
  REFUSED(s.world, th_world_add_agents(s.world, &def, 1, NULL, &error), TH_ERROR_STATE, "th_world_add_agents");
  REFUSED(s.world, th_world_change_agent(s.world, id, &def, &error), TH_ERROR_STATE, "th_world_change_agent");
  REFUSED(s.world, th_world_place_agent(s.world, id, (th_vec3){2, 2, 0}, &error), TH_ERROR_STATE,
          "th_world_place_agent");
  REFUSED(s.world, th_world_reserve(s.world, 5000, &error), TH_ERROR_STATE, "th_world_reserve");
  uint64_t hash = th_world_hash(s.world);
  th_world_remove_agent(s.world, id);
  assert_true(th_world_hash(s.world) == hash && s.h.faults == 1);
  th_world_integrate(s.world);
  OK(th_world_add_agents(s.world, &def, 1, NULL, &error));
  stage_end(&s);
}

/* What a def says comes back. */
static void a_def_comes_back(void **state) {
  (void)state;
  stage s;
  begin(&s);
  int mark;
  th_goal_id second = worlds_goal(s.world, 12, 5);
  th_guide_id guide;
  OK(th_world_add_guide(s.world, &th_guide_user, NULL, &guide, &error));
  th_agent_def def = worlds_agent_def(2.5f, 2.25f, s.goal), out;
  def.heading.x = 3.0f, def.heading.y = 4.0f, def.radius = 0.22f, def.height = 1.6f, def.speed = 1.1f,
  def.speed_max = 1.9f;
  def.acceleration_max = 3.0f, def.turn_max = 2.0f, def.share = 0.25f, def.layers = 6, def.avoids = 5;
  def.v = (th_vec2){0.5f, -0.25f}, def.eps = 0.8f, def.guide = guide, def.loop = true, def.remove = false;
  def.params = &(th_follow_params){0.75f}, def.delay = 2.0f, def.collide = false, def.user = &mark;
  def.route[1] = (th_stop){.goal = second, .wait = 1.5f}, def.route_count = 2;
  def.link[0] = (th_link_def){.agent = th_world_agents(s.world).id[0], .role = TH_ROLE_FOCUS};
  def.link[1] = (th_link_def){.to_point = true, .point = {7.0f, 8.0f, 0}, .role = TH_MAX_ROLE}, def.link_count = 2;
  th_agent_id id = worlds_add(s.world, &def);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_DELAYED);
  assert_true(th_world_agent_def(s.world, id, &out));
  assert_true(out.point.x == 2.5f && out.point.y == 2.25f && fabsf(out.heading.x - 0.6f) < 1e-6f &&
              fabsf(out.heading.y - 0.8f) < 1e-6f);
  assert_true(out.radius == 0.22f && out.height == 1.6f && out.speed == 1.1f && out.speed_max == 1.9f);
  assert_true(out.acceleration_max == 3.0f && out.turn_max == 2.0f && out.share == 0.25f && out.eps == 0.75f);
  assert_true(out.layers == 6 && out.avoids == 5 && out.v.x == 0.5f && out.v.y == -0.25f);
  assert_true(out.loop && !out.remove && !out.collide && !out.external && fabsf(out.delay - 2.0f) < 0.11f);
  assert_ptr_equal(out.user, &mark);
  assert_int_equal(out.route_count, 2);
  assert_memory_equal(out.route, def.route, sizeof(th_stop) * 2);
  assert_memory_equal(&out.guide, &guide, sizeof guide);
  assert_int_equal(out.link_count, 2);
  assert_memory_equal(&out.link[0].agent, &def.link[0].agent, sizeof(th_agent_id));
  assert_true(out.link[0].role == TH_ROLE_FOCUS && out.link[1].role == TH_MAX_ROLE);
  assert_true(out.link[1].to_point && out.link[1].point.x == 7.0f && out.link[1].point.y == 8.0f);
  assert_true(((const th_follow_params *)out.params)->slow_within == 0.75f);
  out.delay = 0.0f; /* and what came back is a def again */
  OK(th_world_change_agent(s.world, id, &out, &error));
  stage_end(&s);
}

/* A def that came back makes further agents, also where they need more room. */
static void a_def_that_came_back_makes_more(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_def def = worlds_agent_def(2.5f, 2.25f, s.goal), *many = malloc(sizeof *many * 4096);
  def.params = &(th_follow_params){0.75f};
  th_agent_id first = worlds_add(s.world, &def);
  for (uint32_t more = 1; more <= 4096; more *= 2) {
    assert_true(th_world_agent_def(s.world, first, &def));
    for (uint32_t i = 0; i < more; i++) many[i] = def;
    OK(th_world_add_agents(s.world, many, more, NULL, &error));
    th_agents a = th_world_agents(s.world);
    for (uint32_t i = a.count - more; i < a.count; i++) {
      assert_true(th_world_agent_def(s.world, a.id[i], &def));
      assert_true(((const th_follow_params *)def.params)->slow_within == 0.75f);
    }
  }
  free(many);
  stage_end(&s);
}

/* shows: BVP-19, BVP-73 */
static void agents_change_while_they_run(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_goal_id other = worlds_goal(s.world, 2, 14);
  th_agent_id id = worlds_walker(s.world, 4, 8, s.goal);
  worlds_steps(s.world, 10);
  th_agent_def def;
  assert_true(th_world_agent_def(s.world, id, &def));
  def.route[0].goal = other;
  def.speed = 0.4f;
  def.speed_max = 0.4f;
  OK(th_world_change_agent(s.world, id, &def, &error));
  worlds_steps(s.world, 12);
  th_agents a = th_world_agents(s.world);
  uint32_t row = th_world_row(s.world, id);
  assert_true(sqrtf(a.vx[row] * a.vx[row] + a.vy[row] * a.vy[row]) < 0.41f);
  assert_true(a.vy[row] > 0.1f); /* turned towards the other goal */
  def.route_count = 0;           /* nowhere to go: stands */
  OK(th_world_change_agent(s.world, id, &def, &error));
  worlds_steps(s.world, 5);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_WAITING);
  th_vec2 p = worlds_at(s.world, id);
  worlds_steps(s.world, 5);
  th_vec2 q = worlds_at(s.world, id);
  assert_true(p.x == q.x && p.y == q.y);
  def.route_count = 1;
  def.speed = def.speed_max = 2.0f;
  OK(th_world_change_agent(s.world, id, &def, &error));
  assert_true(worlds_until_gone(s.world, id, 200) < 200);
  stage_end(&s);
}

static void the_host_moves_external_agents(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_def def = worlds_agent_def(4, 10, NOWHERE);
  def.external = true;
  th_agent_id player = worlds_add(s.world, &def), walker = worlds_walker(s.world, 6, 10, NOWHERE);
  const th_vec3 to = {5, 11, 3}; /* flat ground ignores heights */
  OK(th_world_drive_agent(s.world, player, to, (th_vec3){0.5f, 0.25f, 0}, (th_vec3){0, 2, 0}, &error));
  worlds_steps(s.world, 3);
  uint32_t row = th_world_row(s.world, player);
  th_agents a = th_world_agents(s.world);
  assert_true(a.x[row] == 5 && a.y[row] == 11 && a.vx[row] == 0.5f && a.vy[row] == 0.25f && a.hy[row] == 1.0f);
  assert_int_equal(a.state[row], TH_AGENT_EXTERNAL);
  REFUSED(s.world, th_world_drive_agent(s.world, walker, to, (th_vec3){0, 0, 0}, (th_vec3){1, 0, 0}, &error),
          TH_ERROR_STATE, "agent");
  REFUSED(s.world,
          th_world_drive_agent(s.world, player, (th_vec3){8, 1, 0}, (th_vec3){0, 0, 0}, (th_vec3){1, 0, 0}, &error),
          TH_ERROR_GEOMETRY, "place");
  REFUSED(s.world, th_world_drive_agent(s.world, player, to, (th_vec3){NAN, 0, 0}, (th_vec3){1, 0, 0}, &error),
          TH_ERROR_RANGE, "velocity");
  REFUSED(s.world, th_world_drive_agent(s.world, player, to, (th_vec3){0, 0, 0}, (th_vec3){0, INFINITY, 0}, &error),
          TH_ERROR_RANGE, "velocity");
  def.external = false; /* the world takes over */
  def.route[0].goal = s.goal;
  def.route_count = 1;
  OK(th_world_change_agent(s.world, player, &def, &error));
  worlds_steps(s.world, 20);
  assert_true(worlds_at(s.world, player).x != 5);
  stage_end(&s);
}

/* Whoever comes and goes in any order: ids, rows and columns stay consistent. */
static void many_come_and_go_in_any_order(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    stage s;
    uint64_t random = seed;
    begin(&s);
    th_agent_id id[600];
    float radius[600];
    uint32_t count = 0;
    for (int round = 0; round < 400; round++) {
      if (count < 600 && worlds_below(&random, 3)) {
        th_agent_def def = worlds_agent_def(worlds_in(&random, 1, 7), worlds_in(&random, 1, 15), NOWHERE);
        radius[count] = def.radius = worlds_in(&random, 0.05f, 0.3f);
        id[count++] = worlds_add(s.world, &def);
      } else if (count) {
        uint32_t at = worlds_below(&random, count);
        th_world_remove_agent(s.world, id[at]);
        assert_false(th_world_has_agent(s.world, id[at]));
        id[at] = id[--count];
        radius[at] = radius[count];
      }
      if (round % 37 == 0) th_world_step(s.world);
    }
    th_agents a = th_world_agents(s.world);
    assert_int_equal(a.count, count + 1);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t row = th_world_row(s.world, id[i]);
      if (row >= a.count || a.id[row].index != id[i].index || a.radius[row] != radius[i])
        fail_msg("seed %llu: agent %u has another's row", (unsigned long long)seed, i);
    }
    stage_end(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_numbers_are_refused),
      cmocka_unit_test(wrong_places_are_refused),
      cmocka_unit_test(wrong_names_are_refused),
      cmocka_unit_test(stale_ids_are_faults),
      cmocka_unit_test(calls_in_the_wrong_order_are_refused),
      cmocka_unit_test(a_def_comes_back),
      cmocka_unit_test(a_def_that_came_back_makes_more),
      cmocka_unit_test(agents_change_while_they_run),
      cmocka_unit_test(the_host_moves_external_agents),
      cmocka_unit_test(many_come_and_go_in_any_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
