/* tests/world/test_edits.c - doors close and open while people walk: in force after the latency, nobody left in a wall.
 */
#include "support/stage.h"
#include "world/world.h"

static void begin(stage *s, uint32_t latency) {
  th_world_def def = th_default_world_def();
  def.latency = latency;
  stage_begin(s, worlds_house, &def);
}

static void edits_come_after_their_latency(void **state) {
  (void)state;
  for (uint32_t latency = 1; latency <= 7; latency += 3) {
    stage s;
    begin(&s, latency);
    worlds_steps(s.world, 4);
    OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
    for (uint32_t i = 0; i < latency; i++) {
      assert_int_equal(th_ground_version(th_world_ground(s.world)), 1);
      th_world_step(s.world);
    }
    th_world_step(s.world); /* the step number `asked + latency` sees it */
    assert_int_equal(th_ground_version(th_world_ground(s.world)), 2);
    assert_int_equal(th_ground_locate(th_world_ground(s.world), 8, 4).cell, TH_NO_CELL);
    stage_end(&s);
  }
}

static void wrong_edits_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s, 1);
  worlds_rect box = worlds_rectangle(2, 2, 3, 3), cross = {{{2, 2}, {3, 3}, {3, 2}, {2, 3}}},
              gone = worlds_rectangle(2, 2, NAN, 3);
  const th_edit wrong[] = {{.kind = TH_EDIT_CLOSE, .name = "nowhere"},
                           {.kind = TH_EDIT_OPEN, .name = NULL},
                           {.kind = TH_EDIT_REMOVE, .name = "nothing"},
                           {.kind = (th_edit_kind)9, .name = "west"},
                           {.kind = TH_EDIT_ADD, .shape = {"x", cross.point, 4}},
                           {.kind = TH_EDIT_ADD, .shape = {"x", gone.point, 4}},
                           {.kind = TH_EDIT_ADD, .shape = {"x", NULL, 0}}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    th_edit pair[2] = {{.kind = TH_EDIT_ADD, .shape = {"box", box.point, 4}}, wrong[i]};
    uint64_t hash = th_world_hash(s.world);
    th_error error = {0};
    assert_int_not_equal(th_world_edit(s.world, pair, 2, &error), TH_OK); /* all or none */
    assert_true(strlen(error.text) > 5);
    assert_true(th_world_hash(s.world) == hash);
  }
  worlds_steps(s.world, 3);
  assert_int_equal(th_ground_version(th_world_ground(s.world)), 1);
  stage_end(&s);
}

/* The way through the door closes: the crowd goes round by the gap, nobody walks through the closed door. */
static void agents_take_the_way_round(void **state) {
  (void)state;
  stage s;
  begin(&s, 1);
  th_goal_id goal = worlds_goal(s.world, 12, 2);
  th_agent_id id = worlds_walker(s.world, 2, 4, goal);
  worlds_steps(s.world, 5);
  OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
  float crossing = 0.0f;
  th_vec2 last = worlds_at(s.world, id);
  for (int n = 0; n < 400 && th_world_has_agent(s.world, id); n++) {
    th_vec2 p = worlds_at(s.world, id);
    if (last.x < 8 && p.x >= 8) crossing = p.y;
    last = p;
    th_world_step(s.world);
  }
  assert_false(th_world_has_agent(s.world, id));
  assert_true(crossing > 11.0f && crossing < 13.0f);
  stage_end(&s);
}

/* No way left: lost; a way again: on they go. */
static void agents_are_lost_and_found(void **state) {
  (void)state;
  stage s;
  begin(&s, 2);
  th_goal_id goal = worlds_goal(s.world, 12, 2);
  th_agent_id id = worlds_walker(s.world, 2, 4, goal);
  worlds_rect gap = worlds_rectangle(7.9f, 10.9f, 8.1f, 13.1f);
  th_edit shut[2] = {{.kind = TH_EDIT_CLOSE, .name = "west"}, {.kind = TH_EDIT_ADD, .shape = {"plug", gap.point, 4}}};
  OK(th_world_edit(s.world, shut, 2, &error));
  worlds_steps(s.world, 10);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_LOST);
  OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_REMOVE, .name = "plug"}, 1, &error));
  assert_true(worlds_until_gone(s.world, id, 400) < 400);
  stage_end(&s);
}

/* A wall where people stand: they are moved beside it and told. */
static void agents_in_new_walls_are_displaced(void **state) {
  (void)state;
  stage s;
  begin(&s, 1);
  th_agent_id in[9], out = worlds_walker(s.world, 2, 2, NOWHERE);
  for (int i = 0; i < 9; i++)
    in[i] = worlds_walker(s.world, 4.0f + 0.5f * (float)(i % 3), 8.0f + 0.5f * (float)(i / 3), NOWHERE);
  worlds_rect box = worlds_rectangle(3.5f, 7.5f, 5.5f, 9.5f);
  OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_ADD, .shape = {"box", box.point, 4}}, 1, &error));
  worlds_steps(s.world, 2);
  uint32_t displaced = worlds_events(s.world, TH_EVENT_DISPLACED, NOBODY);
  assert_int_equal(displaced, 9);
  assert_int_equal(worlds_events(s.world, TH_EVENT_DISPLACED, out), 0);
  for (int i = 0; i < 9; i++) {
    th_vec2 p = worlds_at(s.world, in[i]);
    assert_true(th_ground_locate(th_world_ground(s.world), p.x, p.y).cell != TH_NO_CELL);
    assert_true(hypotf(p.x - 4.5f, p.y - 8.5f) < 3.0f);
  }
  worlds_steps(s.world, 30);
  stage_end(&s);
}

/* Several calls in one step, and a call on top of one that is pending. */
static void edits_stack(void **state) {
  (void)state;
  stage s;
  begin(&s, 3);
  worlds_rect box = worlds_rectangle(4, 4, 5, 5);
  OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_ADD, .shape = {"box", box.point, 4}}, 1, &error));
  OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
  th_world_step(s.world);
  OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_REMOVE, .name = "box"}, 1, &error));
  worlds_steps(s.world, 3);
  assert_int_equal(th_ground_version(th_world_ground(s.world)), 3);
  assert_int_equal(th_ground_locate(th_world_ground(s.world), 4.5f, 4.5f).cell, TH_NO_CELL);
  th_world_step(s.world);
  assert_int_equal(th_ground_version(th_world_ground(s.world)), 4);
  assert_int_not_equal(th_ground_locate(th_world_ground(s.world), 4.5f, 4.5f).cell, TH_NO_CELL);
  stage_end(&s);
}

/* A thousand turns of a door, and obstacles that come and go: neither the world nor its snapshot grows, and a twin that
 * takes it over goes on with the same bits. */
static void superseded_edits_are_forgotten(void **state) {
  (void)state;
  stage s, twin;
  begin(&s, 2);
  begin(&twin, 2);
  worlds_rect rect = worlds_rectangle(2, 2, 3, 3);
  size_t early = 0, late = 0;
  for (uint32_t n = 0; n < 400; n++) {
    const th_edit turn = {.kind = n % 2 ? TH_EDIT_OPEN : TH_EDIT_CLOSE, .name = "west"};
    const th_edit box = {.kind = n % 2 ? TH_EDIT_REMOVE : TH_EDIT_ADD, .name = "box", .shape = {"box", rect.point, 4}};
    OK(th_world_edit(s.world, &turn, 1, &error));
    OK(th_world_edit(s.world, &box, 1, &error));
    worlds_steps(s.world, n % 3);
    if (n == 20) early = th_world_snapshot(s.world, NULL, 0);
  }
  late = th_world_snapshot(s.world, NULL, 0);
  assert_true(s.world->edit_count < 12);
  assert_true(late < early + 500);
  worlds_saved saved = worlds_save(s.world);
  OK(th_world_restore(twin.world, saved.memory, saved.size, &error));
  assert_true(twin.world->edit_count == s.world->edit_count);
  for (uint32_t n = 0; n < 30; n++) {
    assert_true(th_world_hash(s.world) == th_world_hash(twin.world));
    if (n == 5) OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
    if (n == 5) OK(th_world_edit(twin.world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
    worlds_steps(s.world, 1);
    worlds_steps(twin.world, 1);
  }
  free(saved.memory);
  stage_end(&s);
  stage_end(&twin);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edits_come_after_their_latency),    cmocka_unit_test(wrong_edits_are_refused),
      cmocka_unit_test(agents_take_the_way_round),         cmocka_unit_test(agents_are_lost_and_found),
      cmocka_unit_test(agents_in_new_walls_are_displaced), cmocka_unit_test(edits_stack),
      cmocka_unit_test(superseded_edits_are_forgotten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
