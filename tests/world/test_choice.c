/* tests/world/test_choice.c - choices among goals: least time, shares, what is known and seen, edits, state. */
#include "support/halls.h"
#include "support/mesh_worlds.h"
#include "world/state/snapshot.h"
#include "world/world.h"

static uint32_t total(const hall *s) { return s->left[0] + s->left[1] + s->left[2]; }

/* The goal that is taken; who has left has none. */
static th_goal_id taken_by(const th_world *world, th_agent_id id) {
  th_agent_def def;
  return th_world_has_agent(world, id) && th_world_agent_def(world, id, &def) ? def.route[0].goal : TH_NULL_GOAL;
}

static th_agent_id chooser(hall *s, float x, float y) {
  th_agent_def def = th_default_agent_def();
  def.point.x = x, def.point.y = y;
  def.route[0] = (th_stop){.choice = s->choice};
  def.route_count = 1;
  return worlds_add(s->world, &def);
}

static uint32_t heading_for(const hall *s, int exit) {
  const th_agents a = th_world_agents(s->world);
  uint32_t count = 0;
  for (uint32_t i = 0; i < a.count; i++) count += th_same_goal(taken_by(s->world, a.id[i]), s->exit[exit]);
  return count;
}

/* ---------------------------------------------------------------- the rules */

static void exits_of_three_widths_are_empty_together(void **state) {
  (void)state;
  hall s;
  const th_choice_def def = th_default_choice_def();
  hall_begin(&s, &def, 1);
  hall_people(&s, 300, 30, 3.0f, 3.0f);
  hall_run(&s, 600.0);
  assert_int_equal(total(&s), 300);
  const double first = fmin(s.last[0], fmin(s.last[1], s.last[2])), last = fmax(s.last[0], fmax(s.last[1], s.last[2]));
  if (last - first > 10.0) fail_msg("last ones after %.1f, %.1f and %.1f s", s.last[0], s.last[1], s.last[2]);
  hall_end(&s);
}

/* Everybody comes from the corner of the narrow exit, where the nearest is the worst. */
static void least_time_is_faster_than_the_nearest(void **state) {
  (void)state;
  double time[2];
  for (int rule = 0; rule < 2; rule++) {
    hall s;
    th_choice_def def = th_default_choice_def();
    def.rule = rule ? TH_CHOICE_TIME : TH_CHOICE_NEAREST;
    hall_begin(&s, &def, 1);
    hall_people(&s, 120, 10, 1.0f, 5.0f);
    worlds_steps(s.world, 3);
    if (!rule) assert_int_equal(heading_for(&s, 0), 120);
    hall_run(&s, 600.0);
    assert_int_equal(total(&s), 120);
    time[rule] = th_world_time(s.world);
    hall_end(&s);
  }
  assert_true(time[1] < 0.7 * time[0]);
}

static void shares_hold(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.rule = TH_CHOICE_SHARES;
  def.option_count = 3;
  def.option[0].share = 30, def.option[1].share = 50, def.option[2].share = 20;
  for (int i = 0; i < 3; i++) def.option[i].known = 1.0f;
  hall_begin(&s, &def, 1);
  hall_people(&s, 200, 25, 3.0f, 3.0f);
  hall_run(&s, 600.0);
  assert_int_equal(total(&s), 200);
  assert_int_equal(s.left[0], 60);
  assert_int_equal(s.left[1], 100);
  assert_int_equal(s.left[2], 40);
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(th_world_choice_taken(s.world, s.choice, i), s.left[i]);
  hall_end(&s);
}

/* Part of the people know the wide exit only. */
static void who_does_not_know_an_exit_takes_another(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.rule = TH_CHOICE_NEAREST;
  def.option_count = 3;
  for (int i = 0; i < 3; i++) def.option[i] = (th_option){.share = 1.0f, .known = 1.0f};
  def.option[0].known = 0.4f;
  def.option[1].known = 0.0f;
  hall_begin(&s, &def, 1);
  /* behind a wall that hides the exits: what they know decides */
  worlds_rect wall = worlds_rectangle(2.0f, 10.0f, 30.0f, 10.4f);
  th_edit edit = {.kind = TH_EDIT_ADD, .shape = {"wall", wall.point, 4}};
  OK(th_world_edit(s.world, &edit, 1, &error));
  worlds_steps(s.world, 2);
  hall_people(&s, 250, 25, 8.0f, 1.0f);
  worlds_steps(s.world, 3);
  const double part = (double)heading_for(&s, 0) / 250.0;
  assert_true(part > 0.3 && part < 0.5); /* four standard deviations of 250 draws are 0.12 */
  assert_int_equal(heading_for(&s, 1), 0);
  assert_int_equal(heading_for(&s, 0) + heading_for(&s, 2), 250);
  hall_end(&s);
}

static void who_stands_before_an_exit_sees_it(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.option_count = 3;
  for (int i = 0; i < 3; i++) def.option[i] = (th_option){.share = 1.0f, .known = i == 2 ? 1.0f : 0.0f};
  hall_begin(&s, &def, 1);
  const th_agent_id near = chooser(&s, 5.4f, 15.0f);
  worlds_steps(s.world, 3);
  assert_true(th_same_goal(taken_by(s.world, near), s.exit[0]));
  th_option_cost cost[3];
  assert_int_equal(th_world_choice_costs(s.world, near, cost, 3), 3);
  assert_true(cost[0].seen && cost[0].known && cost[2].known && cost[0].left < 5.0f);
  hall_end(&s);
}

/* People between two exits at the same distance: those who follow go where the others go. NIST TN 1822, 3.2. */
static void others_raise_the_wish_to_follow(void **state) {
  (void)state;
  for (int follow = 0; follow < 2; follow++) {
    hall s;
    th_choice_def def = th_default_choice_def();
    def.rule = TH_CHOICE_NEAREST;
    def.follow = follow ? 0.5f : 0.0f;
    hall_begin(&s, &def, 1);
    for (int i = 0; i < 6; i++) { /* they go to the farther exit, whatever the choice says */
      th_agent_def other = th_default_agent_def();
      other.point.x = 9.0f + 0.7f * (float)i, other.point.y = 9.0f;
      other.route[0] = (th_stop){.goal = s.exit[1]};
      other.route_count = 1;
      worlds_add(s.world, &other);
    }
    worlds_steps(s.world, 3);
    const th_agent_id id = chooser(&s, 9.0f, 8.0f);
    worlds_steps(s.world, 3);
    assert_true(th_same_goal(taken_by(s.world, id), s.exit[follow]));
    hall_end(&s);
  }
}

static void those_who_see_only_what_is_in_sight(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.sees = TH_CHOICE_SEES_IN_SIGHT;
  hall_begin(&s, &def, 1);
  hall_people(&s, 300, 30, 3.0f, 3.0f);
  hall_run(&s, 600.0);
  assert_int_equal(total(&s), 300);
  for (int i = 0; i < 3; i++) assert_true(s.left[i] > 20);
  hall_end(&s);
}

/* ---------------------------------------------------------------- what changes */

static void a_closed_exit_leads_people_on(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.rule = TH_CHOICE_NEAREST;
  hall_begin(&s, &def, 1);
  const th_agent_id id = chooser(&s, 5.4f, 12.0f);
  worlds_steps(s.world, 5);
  assert_true(th_same_goal(taken_by(s.world, id), s.exit[0]));
  th_edit edit = {.kind = TH_EDIT_CLOSE, .name = "west"};
  OK(th_world_edit(s.world, &edit, 1, &error));
  hall_run(&s, 60.0);
  assert_true(total(&s) == 1 && s.left[1] == 1);
  assert_int_equal(th_world_counters(s.world).unreachable, 0);
  hall_end(&s);
}

/* Every exit is closed: lost; one opens again: on. */
static void who_was_lost_goes_on_when_an_exit_opens(void **state) {
  (void)state;
  hall s;
  const th_choice_def def = th_default_choice_def();
  hall_begin(&s, &def, 1);
  th_world_remove_goal(s.world, s.exit[1]);
  const th_agent_id id = chooser(&s, 12.0f, 12.0f);
  const worlds_rect gap = worlds_rectangle(14.0f, 18.0f, 15.2f, 18.4f);
  th_edit close[3] = {{.kind = TH_EDIT_CLOSE, .name = "west"},
                      {.kind = TH_EDIT_CLOSE, .name = "east"},
                      {.kind = TH_EDIT_ADD, .shape = {"gap", gap.point, 4}}};
  OK(th_world_edit(s.world, close, 3, &error));
  worlds_steps(s.world, 5);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_LOST);
  th_edit open = {.kind = TH_EDIT_OPEN, .name = "east"};
  OK(th_world_edit(s.world, &open, 1, &error));
  worlds_steps(s.world, 2); /* the world was done */
  hall_run(&s, 60.0);
  assert_int_equal(s.left[2], 1);
  hall_end(&s);
}

static void a_goal_that_goes_is_no_option_any_more(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.rule = TH_CHOICE_NEAREST;
  hall_begin(&s, &def, 1);
  const th_agent_id id = chooser(&s, 5.4f, 12.0f);
  worlds_steps(s.world, 5);
  th_world_remove_goal(s.world, s.exit[0]);
  assert_true(th_world_choice_def(s.world, s.choice, &def));
  assert_int_equal(def.option_count, 2);
  assert_true(th_same_goal(def.option[0].goal, s.exit[1]));
  hall_run(&s, 60.0);
  assert_int_equal(s.left[1], 1);
  assert_int_equal(th_world_counters(s.world).unreachable, 0);
  assert_false(th_world_has_agent(s.world, id));
  hall_end(&s);
}

static void a_choice_changes_for_all_who_have_it(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.rule = TH_CHOICE_NEAREST;
  hall_begin(&s, &def, 1);
  const th_agent_id id = chooser(&s, 5.4f, 6.0f), other = chooser(&s, 6.4f, 6.0f);
  worlds_steps(s.world, 3);
  assert_true(th_same_goal(taken_by(s.world, id), s.exit[0]));
  assert_true(th_world_choice_def(s.world, s.choice, &def));
  const th_goal_id late = worlds_goal(s.world, 2.0f, 6.0f); /* nobody has a field to it yet */
  def.option[0] = th_default_option(late);
  OK(th_world_change_choice(s.world, s.choice, &def, &error));
  worlds_steps(s.world, 2);
  assert_true(th_same_goal(taken_by(s.world, id), late) && th_same_goal(taken_by(s.world, other), late));
  th_world_remove_choice(s.world, s.choice);
  th_agent_def agent;
  assert_true(th_world_agent_def(s.world, id, &agent));
  assert_true(th_is_null_choice(agent.route[0].choice) && th_same_goal(agent.route[0].goal, late));
  assert_int_equal(s.h.faults, 0);
  assert_true(worlds_until_gone(s.world, id, 600) < 600);
  hall_end(&s);
}

static void what_is_set_keeps_what_was_taken(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.rule = TH_CHOICE_SHARES;
  def.option_count = 3;
  for (int i = 0; i < 3; i++) def.option[i] = (th_option){.share = i == 2, .known = 1.0f};
  hall_begin(&s, &def, 1);
  const th_agent_id id = chooser(&s, 5.4f, 6.0f);
  worlds_steps(s.world, 3);
  assert_true(th_same_goal(taken_by(s.world, id), s.exit[2]));
  th_agent_def agent;
  assert_true(th_world_agent_def(s.world, id, &agent));
  assert_true(th_same_choice(agent.route[0].choice, s.choice));
  agent.speed = 1.0f;
  agent.route[0].goal = TH_NULL_GOAL;
  OK(th_world_change_agent(s.world, id, &agent, &error));
  OK(th_world_set_radius(s.world, id, 0.15f, &error));
  OK(th_world_set_guide(s.world, id, TH_NULL_GUIDE, &error));
  worlds_steps(s.world, 3);
  assert_true(th_same_goal(taken_by(s.world, id), s.exit[2]));
  assert_int_equal(th_world_choice_taken(s.world, s.choice, 2), 1);
  OK(th_world_set_goal(s.world, id, s.exit[0], &error)); /* a goal alone */
  worlds_steps(s.world, 3);
  assert_true(th_world_choice_costs(s.world, id, NULL, 0) == 0);
  assert_true(th_same_goal(taken_by(s.world, id), s.exit[0]));
  hall_end(&s);
}

/* A loop takes an option anew in every round. */
static void every_round_of_a_loop_chooses_again(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.rule = TH_CHOICE_SHARES;
  hall_begin(&s, &def, 1);
  th_agent_def agent = th_default_agent_def();
  agent.point.x = 15.0f, agent.point.y = 15.0f;
  agent.route[0] = (th_stop){.choice = s.choice};
  agent.route[1] = (th_stop){.goal = worlds_goal(s.world, 15.0f, 14.0f)};
  agent.route_count = 2, agent.loop = true;
  worlds_add(s.world, &agent);
  for (int n = 0; n < 1500; n++) hall_step(&s);
  assert_true(s.left[0] >= 1 && s.left[1] >= 1 && s.left[2] >= 1);
  const uint32_t rounds = th_world_choice_taken(s.world, s.choice, 0) + th_world_choice_taken(s.world, s.choice, 1) +
                          th_world_choice_taken(s.world, s.choice, 2);
  assert_true(rounds == total(&s) || rounds == total(&s) + 1);
  hall_end(&s);
}

static void add_hall_source(hall *s) {
  const worlds_rect region = worlds_rectangle(2, 2, 12, 8);
  th_source_def def = th_default_source_def();
  def.agent.route[0] = (th_stop){.choice = s->choice};
  def.agent.route_count = 1;
  def.region = (th_polygon){NULL, region.point, 4};
  def.rate = 3.0f;
  def.spread.radius = th_uniform_spread(0.15f, 0.3f);
  OK(th_world_add_source(s->world, &def, NULL, &error));
}

static void those_of_a_source_choose(void **state) {
  (void)state;
  hall s;
  th_choice_def def = th_default_choice_def();
  def.rule = TH_CHOICE_SHARES;
  hall_begin(&s, &def, 1);
  add_hall_source(&s);
  for (int n = 0; n < 300; n++) hall_step(&s);
  th_world_remove_goal(s.world, s.exit[0]); /* the one that the source began with */
  for (int n = 0; n < 600; n++) hall_step(&s);
  assert_int_equal(th_world_counters(s.world).unreachable, 0);
  assert_true(s.left[1] > 50 && s.left[2] > 50 && s.left[0] > 0 && s.left[0] < 40);
  th_world_remove_choice(s.world, s.choice);
  const uint32_t before = s.left[2];
  for (int n = 0; n < 600; n++) hall_step(&s);
  assert_int_equal(th_world_counters(s.world).unreachable, 0);
  assert_true(s.left[1] > 150 && s.left[2] < before + 60); /* new ones have the goal that its stop began with */
  hall_end(&s);
}

/* ---------------------------------------------------------------- refusals */

static void wrong_choices_are_refused(void **state) {
  (void)state;
  hall s;
  const th_choice_def good = th_default_choice_def();
  hall_begin(&s, &good, 1);
  th_choice_def def = good;
#define BAD(change, code, name)                                                   \
  assert_true(th_world_choice_def(s.world, s.choice, &def));                      \
  change;                                                                         \
  REFUSED(s.world, th_world_add_choice(s.world, &def, NULL, &error), code, name); \
  REFUSED(s.world, th_world_change_choice(s.world, s.choice, &def, &error), code, name);
  BAD(def.option_count = 0, TH_ERROR_CAPACITY, "option_count")
  BAD(def.option_count = TH_MAX_OPTIONS + 1, TH_ERROR_CAPACITY, "option_count")
  BAD(def.option[1].goal = def.option[0].goal, TH_ERROR_STATE, "option")
  BAD(def.option[1].goal.index = 99, TH_ERROR_STATE, "option")
  BAD(def.option[1].width = -1.0f, TH_ERROR_RANGE, "width")
  BAD(def.option[1].share = NAN, TH_ERROR_RANGE, "share")
  BAD(def.option[1].known = 1.5f, TH_ERROR_RANGE, "known")
  BAD(def.rule = 3, TH_ERROR_RANGE, "rule")
  BAD(def.sees = -1, TH_ERROR_RANGE, "sees")
  BAD(def.follow = 2.0f, TH_ERROR_RANGE, "follow")
  BAD(def.gain = -0.1f, TH_ERROR_RANGE, "gain")
  BAD(def.every = 0.0f, TH_ERROR_RANGE, "every")
  BAD(def.flow = NAN, TH_ERROR_RANGE, "flow")
#undef BAD
  th_world_advise(s.world);
  REFUSED(s.world, th_world_change_choice(s.world, s.choice, &good, &error), TH_ERROR_STATE, "th_world_change_choice");
  th_world_integrate(s.world);
  hall_end(&s);
}

/* ---------------------------------------------------------------- state */

static th_choice_def mixed(void) {
  th_choice_def def = th_default_choice_def();
  def.follow = 0.3f;
  def.every = 0.7f;
  def.option_count = 3;
  for (int i = 0; i < 3; i++) def.option[i] = (th_option){.share = 1.0f, .known = 0.7f};
  return def;
}

static uint64_t run_mixed(uint32_t workers) {
  hall s;
  const th_choice_def def = mixed();
  hall_begin(&s, &def, workers);
  hall_people(&s, 150, 15, 9.0f, 3.0f);
  add_hall_source(&s);
  worlds_steps(s.world, 150);
  const uint64_t hash = th_world_hash(s.world);
  hall_end(&s);
  return hash;
}

static void workers_do_not_matter(void **state) {
  (void)state;
  assert_true(run_mixed(1) == run_mixed(2));
}

static void a_restored_world_chooses_the_same(void **state) {
  (void)state;
  hall s;
  const th_choice_def def = mixed();
  hall_begin(&s, &def, 1);
  hall_people(&s, 150, 15, 9.0f, 3.0f);
  add_hall_source(&s);
  th_edit edit = {.kind = TH_EDIT_CLOSE, .name = "east"};
  for (int n = 0; n < 12; n++) {
    if (n == 4) OK(th_world_edit(s.world, &edit, 1, &error));
    if (n == 6) th_world_remove_goal(s.world, s.exit[1]);
    worlds_again(s.world, 7);
  }
  worlds_saved saved = worlds_save(s.world);
  const uint64_t hash = th_world_hash(s.world);
  th_world_remove_choice(s.world, s.choice);
  worlds_steps(s.world, 3);
  OK(th_world_restore(s.world, saved.memory, saved.size, &error));
  assert_true(th_world_hash(s.world) == hash && th_world_has_choice(s.world, s.choice));
  worlds_steps(s.world, 20);
  free(saved.memory);
  assert_int_equal(s.h.faults, 0);
  hall_end(&s);
}

/* Back to a world that had no choice yet, and forth again. */
static void a_snapshot_without_choices_has_none(void **state) {
  (void)state;
  hall s;
  const th_choice_def def = th_default_choice_def();
  hall_begin(&s, &def, 1);
  th_world_remove_choice(s.world, s.choice);
  th_world_free(s.world);
  s.world = worlds_make(s.ground, &s.env);
  const th_goal_id goal[2] = {worlds_goal(s.world, 3, 3), worlds_goal(s.world, 12, 3)};
  const th_agent_id id = worlds_walker(s.world, 7, 12, goal[0]);
  worlds_steps(s.world, 3);
  worlds_saved before = worlds_save(s.world);
  const uint64_t hash = th_world_hash(s.world);
  th_choice_def both = th_default_choice_def();
  for (int i = 0; i < 2; i++) both.option[both.option_count++] = th_default_option(goal[i]);
  OK(th_world_add_choice(s.world, &both, &s.choice, &error));
  OK(th_world_set_route(s.world, id, &(th_stop){.choice = s.choice}, 1, 0, &error));
  worlds_steps(s.world, 3);
  worlds_saved after = worlds_save(s.world);
  const uint64_t later = th_world_hash(s.world);
  OK(th_world_restore(s.world, before.memory, before.size, &error));
  assert_true(th_world_hash(s.world) == hash && !th_world_has_choice(s.world, s.choice));
  worlds_steps(s.world, 3);
  OK(th_world_restore(s.world, after.memory, after.size, &error));
  assert_true(th_world_hash(s.world) == later && th_world_has_choice(s.world, s.choice));
  assert_true(worlds_until_gone(s.world, id, 600) < 600);
  free(before.memory), free(after.memory);
  hall_end(&s);
}

/* What has come into force before there was a choice leaves nothing behind. */
static void a_choice_comes_to_a_restored_world(void **state) {
  (void)state;
  uint64_t hash[2];
  hall s;
  const th_choice_def empty = th_default_choice_def();
  hall_begin(&s, &empty, 1);
  th_choice_def def;
  assert_true(th_world_choice_def(s.world, s.choice, &def));
  const th_agent_id id = worlds_walker(s.world, 7, 12, s.exit[0]);
  worlds_steps(s.world, 3);
  th_world_remove_choice(s.world, s.choice);
  worlds_steps(s.world, 3);
  worlds_saved saved = worlds_save(s.world);
  for (int again = 0; again < 2; again++) {
    if (again) OK(th_world_restore(s.world, saved.memory, saved.size, &error));
    OK(th_world_add_choice(s.world, &def, &s.choice, &error));
    hash[again] = th_world_hash(s.world);
  }
  assert_true(hash[0] == hash[1] && th_world_has_agent(s.world, id));
  free(saved.memory);
  hall_end(&s);
}

/* Bytes that were changed are refused or restored, never followed. */
static void a_broken_snapshot_does_no_harm(void **state) {
  (void)state;
  hall s;
  const th_choice_def def = mixed();
  hall_begin(&s, &def, 1);
  hall_people(&s, 20, 10, 9.0f, 3.0f);
  add_hall_source(&s);
  worlds_steps(s.world, 10);
  worlds_saved saved = worlds_save(s.world);
  uint8_t *bytes = saved.memory;
  uint64_t bits = 5;
  uint32_t refused = 0;
  for (int n = 0; n < 400; n++) {
    const size_t at = saved.size - 9 - worlds_below(&bits, 1500); /* records, rows and what is pending stand last */
    const uint8_t was = bytes[at];
    bytes[at] = (uint8_t)worlds_bits(&bits);
    th_hash hash = th_hash_begin(TH_SNAPSHOT_MAGIC);
    th_hash_bytes(&hash, bytes, saved.size - sizeof(uint64_t));
    const uint64_t guard = th_hash_end(&hash);
    memcpy(bytes + saved.size - sizeof guard, &guard, sizeof guard);
    if (th_world_restore(s.world, bytes, saved.size, NULL))
      refused++;
    else
      worlds_steps(s.world, 2);
    bytes[at] = was;
  }
  assert_true(refused > 40 && refused < 400);
  free(saved.memory);
  hall_end(&s);
}

/* ---------------------------------------------------------------- meshes */

static void people_on_a_mesh_choose(void **state) {
  (void)state;
  log_capture h = {0};
  const th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = 20.0f, make.width = 10.0f, make.edge = 0.7f;
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  th_vec2 lower, upper;
  th_ground_bounds(ground, &lower, &upper);
  const float middle = 0.5f * (lower.y + upper.y);
  th_choice_def def = th_default_choice_def();
  for (int i = 0; i < 2; i++) {
    const th_vec3 at = {i ? upper.x - 1.0f : lower.x + 1.0f, middle, 0.0f};
    def.option[def.option_count++] = th_default_option(worlds_goal_at(world, at, TH_FIELD_ROOMY));
    def.option[i].width = i ? 2.0f : 1.0f;
  }
  th_choice_id choice;
  OK(th_world_add_choice(world, &def, &choice, &error));
  for (int i = 0; i < 60; i++) {
    th_agent_def agent = th_default_agent_def();
    agent.point = (th_vec3){lower.x + 3.0f + 0.7f * (float)(i % 10), middle - 2.0f + 0.7f * (float)(i / 10), 0.0f};
    agent.route[0] = (th_stop){.choice = choice};
    agent.route_count = 1;
    worlds_add(world, &agent);
  }
  worlds_steps(world, 40);
  worlds_again(world, 10);
  worlds_steps(world, 600);
  assert_int_equal(th_world_counters(world).arrived, 60);
  const uint32_t west = th_world_choice_taken(world, choice, 0), east = th_world_choice_taken(world, choice, 1);
  assert_true(west + east == 60 && west >= 15 && east >= 15);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exits_of_three_widths_are_empty_together),
      cmocka_unit_test(least_time_is_faster_than_the_nearest),
      cmocka_unit_test(shares_hold),
      cmocka_unit_test(who_does_not_know_an_exit_takes_another),
      cmocka_unit_test(who_stands_before_an_exit_sees_it),
      cmocka_unit_test(others_raise_the_wish_to_follow),
      cmocka_unit_test(those_who_see_only_what_is_in_sight),
      cmocka_unit_test(a_closed_exit_leads_people_on),
      cmocka_unit_test(who_was_lost_goes_on_when_an_exit_opens),
      cmocka_unit_test(a_goal_that_goes_is_no_option_any_more),
      cmocka_unit_test(a_choice_changes_for_all_who_have_it),
      cmocka_unit_test(what_is_set_keeps_what_was_taken),
      cmocka_unit_test(every_round_of_a_loop_chooses_again),
      cmocka_unit_test(those_of_a_source_choose),
      cmocka_unit_test(wrong_choices_are_refused),
      cmocka_unit_test(workers_do_not_matter),
      cmocka_unit_test(a_restored_world_chooses_the_same),
      cmocka_unit_test(a_snapshot_without_choices_has_none),
      cmocka_unit_test(a_choice_comes_to_a_restored_world),
      cmocka_unit_test(a_broken_snapshot_does_no_harm),
      cmocka_unit_test(people_on_a_mesh_choose),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
