/* tests/world/test_stale_ids.c - one rule for ids that name nothing, call by call, and ids that carry a world's tag. */
#include "support/worlds.h"
#include "throng/guide.h"
#include "throng/world/choice.h"

typedef struct stage {
  log_capture h;
  th_ground *ground;
  th_world *world;
  th_goal_id goal;
  th_guide_id guide;
  th_source_id source;
  th_choice_id choice;
  th_agent_id agent;
} stage;

static const th_vec3 along[] = {{2, 2, 0}, {6, 2, 0}};

static th_source_id add_source(th_world *world, th_goal_id goal) {
  worlds_rect room = worlds_rectangle(1, 1, 5, 5);
  th_source_def def = th_default_source_def();
  def.agent = worlds_agent_def(0, 0, goal);
  def.region = (th_polygon){NULL, room.point, 4};
  def.rate = 2.0f;
  th_source_id source = TH_NULL_SOURCE;
  OK(th_world_add_source(world, &def, &source, &error));
  return source;
}

static th_choice_def choice_of(th_goal_id goal) {
  th_choice_def def = th_default_choice_def();
  def.option[def.option_count++] = th_default_option(goal);
  return def;
}

static th_choice_id add_choice(th_world *world, th_goal_id goal) {
  const th_choice_def def = choice_of(goal);
  th_choice_id choice = TH_NULL_CHOICE;
  OK(th_world_add_choice(world, &def, &choice, &error));
  return choice;
}

static void begin(stage *s, uint16_t tag) {
  *s = (stage){0};
  th_env env = worlds_env(&s->h);
  s->ground = worlds_house(&env);
  th_world_def def = th_default_world_def();
  def.env = env;
  def.ground = s->ground;
  def.tag = tag;
  OK(th_world_make(&def, &s->world, &error));
  s->goal = worlds_goal(s->world, 20, 3);
  th_path_params path = {.point = along, .count = 2, .ahead = 1.0f};
  OK(th_world_add_guide(s->world, &th_guide_path, &path, &s->guide, &error));
  s->source = add_source(s->world, s->goal);
  s->choice = add_choice(s->world, s->goal);
  s->agent = worlds_walker(s->world, 3, 3, s->goal);
  th_agent_def second = worlds_agent_def(4, 4, s->goal);
  second.link[0].agent = s->agent;
  second.link_count = 1;
  worlds_add(s->world, &second);
}

static void end(stage *s) { worlds_end(s->world, s->ground); }

/* ---------------------------------------------------------------- every call that takes an id */

/* What a call is given: one of the ids is stale, the others are good. */
typedef struct given {
  th_world *world;
  th_agent_id agent;
  th_goal_id goal;
  th_guide_id guide;
  th_source_id source;
  th_choice_id choice;
} given;

/* 0: it has no result; otherwise its result. True in *quiet when it returned what it returns for nothing. */
typedef th_result (*call_of)(const given *g, bool *quiet, th_error *error);

#define CALL(name) static th_result call_##name(const given *g, bool *quiet, th_error *error)
#define NO_RESULT(ok) (*quiet = (ok), (void)error, TH_OK)
#define RESULT(call) (*quiet = true, (call))

static bool is_zero(th_vec3 p) { return p.x == 0.0f && p.y == 0.0f && p.z == 0.0f; }

CALL(remove_agent) { return th_world_remove_agent(g->world, g->agent), NO_RESULT(true); }
CALL(agent_point) { return NO_RESULT(is_zero(th_world_agent_point(g->world, g->agent))); }
CALL(agent_previous) { return NO_RESULT(is_zero(th_world_agent_previous(g->world, g->agent))); }
CALL(agent_velocity) { return NO_RESULT(is_zero(th_world_agent_velocity(g->world, g->agent))); }
CALL(agent_heading) { return NO_RESULT(is_zero(th_world_agent_heading(g->world, g->agent))); }
CALL(agent_state) { return NO_RESULT(th_world_agent_state(g->world, g->agent) == TH_AGENT_DELAYED); }
CALL(agent_stop) { return NO_RESULT(th_world_agent_stop(g->world, g->agent) == UINT32_MAX); }
CALL(agent_user) { return NO_RESULT(th_world_agent_user(g->world, g->agent) == NULL); }
CALL(agent_def) { return NO_RESULT(!th_world_agent_def(g->world, g->agent, &(th_agent_def){0})); }
CALL(set_user) { return th_world_set_user(g->world, g->agent, quiet), NO_RESULT(true); }
CALL(set_speed) { return RESULT(th_world_set_speed(g->world, g->agent, 1.0f, error)); }
CALL(set_speed_max) { return RESULT(th_world_set_speed_max(g->world, g->agent, 2.0f, error)); }
CALL(set_velocity) { return RESULT(th_world_set_velocity(g->world, g->agent, (th_vec3){1, 0, 0}, error)); }
CALL(set_radius) { return RESULT(th_world_set_radius(g->world, g->agent, 0.3f, error)); }
CALL(set_layers) { return RESULT(th_world_set_layers(g->world, g->agent, 2, 2, error)); }
CALL(set_params) { return RESULT(th_world_set_params(g->world, g->agent, NULL, error)); }
CALL(set_external) { return RESULT(th_world_set_external(g->world, g->agent, true, error)); }
CALL(set_guide) { return RESULT(th_world_set_guide(g->world, g->agent, g->guide, error)); }
CALL(set_goal) { return RESULT(th_world_set_goal(g->world, g->agent, g->goal, error)); }
CALL(set_route) {
  return RESULT(th_world_set_route(g->world, g->agent, &(th_stop){.goal = g->goal, .wait = 0}, 1, 0, error));
}
CALL(place_agent) { return RESULT(th_world_place_agent(g->world, g->agent, (th_vec3){2, 2, 0}, error)); }
CALL(drive_agent) {
  return RESULT(
      th_world_drive_agent(g->world, g->agent, (th_vec3){2, 2, 0}, (th_vec3){0, 0, 0}, (th_vec3){1, 0, 0}, error));
}
static th_agent_def def_of(const given *g) {
  th_agent_def def = worlds_agent_def(2, 2, g->goal);
  def.route_count = 1;
  def.guide = g->guide;
  return def;
}
CALL(change_agent) {
  th_agent_def def = def_of(g);
  return RESULT(th_world_change_agent(g->world, g->agent, &def, error));
}
CALL(add_agent) {
  th_agent_def def = def_of(g);
  return RESULT(th_world_add_agent(g->world, &def, NULL, error));
}
CALL(add_source) {
  worlds_rect room = worlds_rectangle(1, 1, 5, 5);
  th_source_def def = th_default_source_def();
  def.agent = def_of(g);
  def.region = (th_polygon){NULL, room.point, 4};
  return RESULT(th_world_add_source(g->world, &def, NULL, error));
}
CALL(goal_def) { return NO_RESULT(!th_world_goal_def(g->world, g->goal, &(th_goal_def){0})); }
CALL(remove_goal) { return th_world_remove_goal(g->world, g->goal), NO_RESULT(true); }
CALL(move_goal) {
  th_shape shape = {.kind = TH_SHAPE_POINT, .point = along, .count = 1};
  return RESULT(th_world_move_goal(g->world, g->goal, &shape, error));
}
CALL(field) { return NO_RESULT(th_world_field(g->world, g->goal, 0.2f) == NULL); }
CALL(path) { return NO_RESULT(th_world_path(g->world, (th_vec3){2, 2, 0}, g->goal, 0.2f, NULL, 0) == 0); }
CALL(distance) { return NO_RESULT(isinf(th_world_distance(g->world, (th_vec3){2, 2, 0}, g->goal, 0.2f))); }
CALL(remove_guide) { return th_world_remove_guide(g->world, g->guide), NO_RESULT(true); }
CALL(guide_kind) { return NO_RESULT(th_world_guide_kind(g->world, g->guide) == NULL); }
CALL(guide_params) { return NO_RESULT(th_world_guide_params(g->world, g->guide) == NULL); }
CALL(guide_memory) { return NO_RESULT(th_world_guide_memory(g->world, g->guide, NULL) == NULL); }
CALL(source_emitted) { return NO_RESULT(th_world_source_emitted(g->world, g->source) == 0); }
CALL(remove_source) { return th_world_remove_source(g->world, g->source), NO_RESULT(true); }
CALL(choose) {
  const th_stop stop = {.choice = g->choice};
  return RESULT(th_is_null_choice(g->choice) ? th_world_change_choice(g->world, g->choice, NULL, error)
                                             : th_world_set_route(g->world, g->agent, &stop, 1, 0, error));
}
CALL(add_choice) {
  const th_choice_def def = choice_of(g->goal);
  return RESULT(th_world_add_choice(g->world, &def, NULL, error));
}
CALL(change_choice) {
  const th_choice_def def = choice_of(g->goal);
  return RESULT(th_world_change_choice(g->world, g->choice, &def, error));
}
CALL(remove_choice) { return th_world_remove_choice(g->world, g->choice), NO_RESULT(true); }
CALL(choice_def) { return NO_RESULT(!th_world_choice_def(g->world, g->choice, &(th_choice_def){0})); }
CALL(choice_taken) { return NO_RESULT(th_world_choice_taken(g->world, g->choice, 0) == 0); }
CALL(choice_costs) { return NO_RESULT(th_world_choice_costs(g->world, g->agent, NULL, 0) == 0); }

enum { AGENT = 1, GOAL = 2, GUIDE = 4, SOURCE = 8, CHOICE = 16 };

typedef struct row {
  const char *name;
  call_of call;
  int takes; /* ids that may be stale in it */
  bool result;
} row;

/* clang-format off */
#define V(name, takes) {#name, call_##name, takes, false}
#define R(name, takes) {#name, call_##name, takes, true}
static const row rows[] = {
    V(remove_agent, AGENT), V(agent_point, AGENT), V(agent_previous, AGENT), V(agent_velocity, AGENT),
    V(agent_heading, AGENT), V(agent_state, AGENT), V(agent_stop, AGENT), V(agent_user, AGENT), V(agent_def, AGENT),
    V(set_user, AGENT), R(set_speed, AGENT), R(set_speed_max, AGENT), R(set_velocity, AGENT), R(set_radius, AGENT), R(set_layers, AGENT),
    R(set_params, AGENT), R(set_external, AGENT), R(set_guide, AGENT | GUIDE), R(set_goal, AGENT | GOAL),
    R(set_route, AGENT | GOAL), R(place_agent, AGENT), R(drive_agent, AGENT), R(change_agent, AGENT | GOAL | GUIDE),
    R(add_agent, GOAL | GUIDE), R(add_source, GOAL | GUIDE), V(goal_def, GOAL), V(remove_goal, GOAL),
    R(move_goal, GOAL), V(field, GOAL), V(path, GOAL), V(distance, GOAL), V(remove_guide, GUIDE),
    V(guide_kind, GUIDE), V(guide_params, GUIDE), V(guide_memory, GUIDE), V(source_emitted, SOURCE),
    V(remove_source, SOURCE), R(choose, CHOICE), R(add_choice, GOAL), R(change_choice, GOAL | CHOICE),
    V(remove_choice, CHOICE), V(choice_def, CHOICE), V(choice_taken, CHOICE), V(choice_costs, AGENT)};
/* clang-format on */

static void check_call(stage *s, const row *call, const given *g, const char *how) {
  uint64_t hash = th_world_hash(s->world);
  uint32_t faults = s->h.faults;
  bool quiet = false;
  th_error error = {0};
  th_result result = call->call(g, &quiet, &error);
  if (s->h.faults != faults + 1) fail_msg("%s, %s: %u faults", call->name, how, s->h.faults - faults);
  if (!strstr(s->h.last, "does not exist")) fail_msg("%s, %s: %s", call->name, how, s->h.last);
  if (result != (call->result ? TH_ERROR_STATE : TH_OK) || error.code != result)
    fail_msg("%s, %s: result %s", call->name, how, th_result_name(result));
  if (!quiet) fail_msg("%s, %s: an answer", call->name, how);
  if (th_world_hash(s->world) != hash) fail_msg("%s, %s: the world has changed", call->name, how);
}

/* Ids of things that are gone, that never were, null, and of a world with another tag. */
static void every_call_reports_a_stale_id(void **state) {
  (void)state;
  stage s;
  begin(&s, 3);
  given good = {s.world, s.agent, s.goal, s.guide, s.source, s.choice}, gone = good;
  gone.agent = worlds_walker(s.world, 5, 5, TH_NULL_GOAL);
  gone.goal = worlds_goal(s.world, 4, 4);
  OK(th_world_add_guide(s.world, &th_guide_field, NULL, &gone.guide, &error));
  gone.source = add_source(s.world, s.goal);
  gone.choice = add_choice(s.world, s.goal);
  th_world_remove_agent(s.world, gone.agent);
  th_world_remove_goal(s.world, gone.goal);
  th_world_remove_guide(s.world, gone.guide);
  th_world_remove_source(s.world, gone.source);
  th_world_remove_choice(s.world, gone.choice);
  given never = {s.world, {77, 1, 3}, {77, 1, 3}, {77, 1, 3}, {77, 1, 3}, {77, 1, 3}}, null = {.world = s.world},
        other = good;
  other.agent.tag = other.goal.tag = other.guide.tag = other.source.tag = other.choice.tag = 4;
  const given bad[] = {gone, never, null, other};
  static const char *const how[] = {"gone", "never there", "null", "of another tag"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (int kind = 0; kind < 4; kind++) {
      given g = good;
      if (rows[i].takes & AGENT) g.agent = bad[kind].agent, check_call(&s, &rows[i], &g, how[kind]);
      g = good;
      if (rows[i].takes & GOAL) g.goal = bad[kind].goal, check_call(&s, &rows[i], &g, how[kind]);
      g = good;
      g.guide = bad[kind].guide;
      bool allowed = kind == 2 && rows[i].takes != GUIDE; /* a null guide is the field of the goal */
      if (rows[i].takes & GUIDE && !allowed) check_call(&s, &rows[i], &g, how[kind]);
      g = good;
      if (rows[i].takes & SOURCE) g.source = bad[kind].source, check_call(&s, &rows[i], &g, how[kind]);
      g = good;
      if (rows[i].takes & CHOICE) g.choice = bad[kind].choice, check_call(&s, &rows[i], &g, how[kind]);
    }
  }
  uint32_t faults = s.h.faults; /* questions are silent */
  for (int kind = 0; kind < 4; kind++) {
    assert_false(th_world_has_agent(s.world, bad[kind].agent) || th_world_has_goal(s.world, bad[kind].goal));
    assert_false(th_world_has_guide(s.world, bad[kind].guide) || th_world_has_source(s.world, bad[kind].source));
    assert_int_equal(th_world_row(s.world, bad[kind].agent), UINT32_MAX);
    assert_false(th_world_has_choice(s.world, bad[kind].choice));
  }
  assert_int_equal(s.h.faults, faults);
  end(&s);
}

/* ---------------------------------------------------------------- tags */

static void ids_carry_the_tag_of_their_world(void **state) {
  (void)state;
  stage s;
  begin(&s, 9);
  worlds_steps(s.world, 60);
  assert_int_equal(s.agent.tag, 9);
  assert_int_equal(s.goal.tag, 9);
  assert_int_equal(s.guide.tag, 9);
  assert_int_equal(s.source.tag, 9);
  th_agents a = th_world_agents(s.world);
  assert_true(a.count > 10);
  for (uint32_t i = 0; i < a.count; i++) assert_int_equal(a.id[i].tag, 9);
  th_agent_def def;
  assert_true(th_world_agent_def(s.world, a.id[th_world_row(s.world, s.agent)], &def));
  assert_int_equal(def.route[0].goal.tag, 9);
  assert_int_equal(th_world_nearest(s.world, (th_vec3){3, 3, 0}, 50, NULL).tag, 9);
  uint32_t count;
  const th_event *event = th_world_events(s.world, &count);
  for (uint32_t i = 0; i < count; i++) assert_true(th_world_has_agent(s.world, event[i].agent));
  assert_true(th_is_null_agent(TH_NULL_AGENT) && !th_is_null_agent(s.agent));
  assert_true(th_same_agent(s.agent, s.agent) && !th_same_agent(s.agent, TH_NULL_AGENT));
  end(&s);
}

static void a_tag_is_no_part_of_the_state(void **state) {
  (void)state;
  stage s, t;
  begin(&s, 0);
  begin(&t, 500);
  worlds_steps(s.world, 40);
  worlds_steps(t.world, 40);
  assert_true(th_world_hash(s.world) == th_world_hash(t.world));
  worlds_saved a = worlds_save(s.world), b = worlds_save(t.world);
  assert_int_equal(a.size, b.size);
  assert_memory_equal(a.memory, b.memory, a.size);
  worlds_steps(t.world, 20);
  OK(th_world_restore(t.world, a.memory, a.size, &error)); /* of a world with another tag */
  assert_true(th_world_hash(s.world) == th_world_hash(t.world));
  assert_true(th_world_has_agent(t.world, t.agent) && !th_world_has_agent(t.world, s.agent));
  assert_true(th_world_has_goal(t.world, t.goal) && th_world_has_guide(t.world, t.guide));
  assert_true(th_world_has_source(t.world, t.source));
  th_agents agents = th_world_agents(t.world);
  for (uint32_t i = 0; i < agents.count; i++) assert_true(th_world_has_agent(t.world, agents.id[i]));
  th_agent_def def = {0}; /* the link as well */
  for (uint32_t i = 0; i < agents.count && !def.link_count; i++)
    assert_true(th_world_agent_def(t.world, agents.id[i], &def));
  assert_true(th_same_agent(def.link[0].agent, t.agent));
  worlds_steps(s.world, 40);
  worlds_steps(t.world, 40);
  assert_true(th_world_hash(s.world) == th_world_hash(t.world));
  free(a.memory);
  free(b.memory);
  end(&s);
  end(&t);
}

static void a_link_to_another_world_names_nobody(void **state) {
  (void)state;
  stage s, t;
  begin(&s, 1);
  begin(&t, 2);
  th_agent_def def = worlds_agent_def(5, 5, t.goal);
  def.link[0].agent = s.agent;
  def.link_count = 1;
  th_agent_id id = worlds_add(t.world, &def);
  worlds_steps(t.world, 2);
  assert_true(th_world_agent_def(t.world, id, &def));
  assert_true(def.link_count == 1 && th_is_null_agent(def.link[0].agent));
  end(&s);
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_call_reports_a_stale_id),
      cmocka_unit_test(ids_carry_the_tag_of_their_world),
      cmocka_unit_test(a_tag_is_no_part_of_the_state),
      cmocka_unit_test(a_link_to_another_world_names_nobody),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
