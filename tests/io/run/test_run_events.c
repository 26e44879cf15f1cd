/* tests/io/run/test_run_events.c - for every row of the vocabulary: by scene and by call the same, refused as a whole,
 * undone by going back. */
#include "support/event_cases.h"
#include "support/unit.h"

enum { WHEN = 12, END = 26 };
#define HISTORY (64u << 20)
static char room[1 << 14];

static const char *event_of(const event_case *c, const scene_run *s, char *text, size_t size) {
  return c->act == TH_ACT_ACCEPT ? event_accept(s->run, text, size) : c->good;
}

static scene_run plain(bool mesh, uint64_t history) { return event_world(mesh, "", 1, history, room, sizeof room); }

static void every_row_has_a_case(void **state) {
  (void)state;
  bool has[TH_ACT_COUNT] = {false};
  for (int i = 0; i < EVENT_CASES; i++) has[event_cases[i].act] = true;
  for (int act = TH_ACT_NONE + 1; act < TH_ACT_COUNT; act++)
    if (!has[act]) fail_msg("row %d of the vocabulary has no case in tests/support/event_cases.h", act);
}

static void over_all(void (*check)(const event_case *, bool)) {
  for (int i = 0; i < EVENT_CASES; i++)
    for (int mesh = event_cases[i].mesh_only; mesh <= 1; mesh++) check(&event_cases[i], mesh);
}

static void check_alike(const event_case *c, bool mesh) {
  char text[4096], events[8192];
  scene_run by_hand = plain(mesh, 0), nothing = plain(mesh, 0);
  event_steps(&by_hand, WHEN);
  const char *event = event_of(c, &by_hand, text, sizeof text);
  th_error error = {0};
  th_run_answer answer;
  if (th_run_do(by_hand.run, event, &answer, &error)) fail_msg("%s: %s: %s", event, error.where, error.text);
  event_steps(&by_hand, END);
  event_steps(&nothing, END);
  snprintf(events, sizeof events, ", \"events\": [{\"step\": %d, %s]", WHEN, event + 1);
  scene_run by_scene = event_world(mesh, events, 1, 0, room, sizeof room);
  event_steps(&by_scene, END);
  if (event_hash(&by_hand) != event_hash(&by_scene)) fail_msg("%s: by scene and by call differ", event);
  if (c->act != TH_ACT_OPEN && event_hash(&by_hand) == event_hash(&nothing)) fail_msg("%s has no effect", event);
  assert_int_equal(th_run_log_count(by_hand.run), 1);
  assert_int_equal(th_run_log_when(by_hand.run, 0), WHEN);
  scene_run_free(&by_hand);
  scene_run_free(&nothing);
  scene_run_free(&by_scene);
}

static void by_scene_and_by_call_are_alike(void **state) {
  (void)state;
  over_all(check_alike);
}

static void check_refused(const event_case *c, bool mesh) {
  scene_run s = plain(mesh, 0);
  event_steps(&s, WHEN);
  const uint64_t before = event_hash(&s);
  th_error error = {0};
  assert_true(th_run_do(s.run, c->bad, NULL, &error) != TH_OK);
  if (event_hash(&s) != before) fail_msg("%s was refused and has changed something", c->bad);
  assert_true(error.text[0]);
  assert_int_equal(th_run_log_count(s.run), 0);
  scene_run same = plain(mesh, 0);
  event_steps(&same, END);
  event_steps(&s, END);
  if (event_hash(&s) != event_hash(&same)) fail_msg("%s was refused and has an effect", c->bad);
  scene_run_free(&same);
  scene_run_free(&s);
}

static void wrong_ones_change_nothing(void **state) {
  (void)state;
  over_all(check_refused);
}

static void check_undone(const event_case *c, bool mesh) {
  char text[4096];
  scene_run s = plain(mesh, HISTORY);
  event_steps(&s, WHEN);
  const uint64_t before = event_hash(&s);
  const char *event = event_of(c, &s, text, sizeof text);
  th_error error = {0};
  assert_int_equal(th_run_do(s.run, event, NULL, &error), TH_OK);
  event_steps(&s, END);
  const uint64_t after = event_hash(&s);
  if (th_run_go_to(s.run, WHEN, &error)) fail_msg("%s: %s", event, error.text);
  if (event_hash(&s) != before) fail_msg("%s is not undone", event);
  assert_int_equal(th_run_log_done(s.run), 0);
  assert_int_equal(th_run_log_count(s.run), 1);
  if (th_run_go_to(s.run, END, &error)) fail_msg("%s again: %s: %s", event, error.where, error.text);
  if (event_hash(&s) != after) fail_msg("%s again gives something else", event);
  assert_int_equal(th_run_go_to(s.run, WHEN, &error), TH_OK);
  th_run_log_cut(s.run);
  event_steps(&s, END);
  scene_run nothing = plain(mesh, 0);
  event_steps(&nothing, END);
  if (event_hash(&s) != event_hash(&nothing)) fail_msg("%s was cut and still has an effect", event);
  scene_run_free(&nothing);
  scene_run_free(&s);
}

static void going_back_undoes(void **state) {
  (void)state;
  over_all(check_undone);
}

static void answers_name_what_was_made(void **state) {
  (void)state;
  scene_run s = plain(false, 0);
  th_world *world = th_run_world(s.run);
  th_run_answer answer;
  th_error error = {0};
  assert_int_equal(
      th_run_do(s.run, "{\"enter\": {\"name\": \"two\", \"positions\": [[0, 0], [0, 1]]}}", &answer, &error), TH_OK);
  assert_int_equal(answer.agent_count, 2);
  assert_true(th_world_has_agent(world, answer.agent[1]));
  assert_int_equal(th_run_population(s.run, answer.agent[1]), 3);
  assert_int_equal(th_run_do(s.run, "{\"goal\": {\"name\": \"here\", \"point\": [0, 0]}}", &answer, &error), TH_OK);
  assert_true(th_world_has_goal(world, answer.goal));
  assert_int_equal(th_run_do(s.run, "{\"change\": {\"population\": \"two\", \"route\": [\"here\"]}}", &answer, &error),
                   TH_OK);
  assert_int_equal(answer.agent_count, 2);
  assert_int_equal(th_run_log_count(s.run), 3);
  assert_string_equal(th_run_log_text(s.run, 1), "{\"goal\":{\"name\":\"here\",\"point\":[0,0]}}");
  scene_run_free(&s);
}

/* What is there now: "name" and "name!" of a closed door, in order. */
static void assert_parts(const scene_run *s, const char *list, const char *expected) {
  th_run_part part[16];
  char text[200] = "";
  const uint32_t count = th_run_parts(s->run, list, part, 16);
  for (uint32_t i = 0; i < count && i < 16; i++) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s%s", used ? " " : "", part[i].name, part[i].closed ? "!" : "");
  }
  assert_string_equal(text, expected);
}

static void what_a_run_has_is_listed(void **state) {
  (void)state;
  static const char *const done[] = {"{\"goal\": {\"name\": \"north\", \"point\": [5, 9]}}",
                                     "{\"remove_goal\": \"east\"}",
                                     "{\"guide\": {\"name\": \"path\", \"path\": {\"points\": [[2, 9], [18, 5]]}}}",
                                     "{\"remove_source\": \"gate\"}",
                                     "{\"door\": {\"name\": \"side\", \"rectangle\": [[7, 0], [8.5, 3]]}}",
                                     "{\"close\": \"exit\"}",
                                     "{\"group\": {\"name\": \"pair\", \"populations\": [\"strollers\"]}}",
                                     "{\"enter\": {\"name\": \"guests\", \"positions\": [[14, 6]]}}"};
  scene_run s = plain(false, 0);
  th_error error = {0};
  assert_parts(&s, "goals", "east west");
  assert_parts(&s, "ground.doors", "exit");
  for (size_t i = 0; i < sizeof done / sizeof *done; i++)
    if (th_run_do(s.run, done[i], NULL, &error)) fail_msg("%s: %s", done[i], error.text);
  event_steps(&s, 3);
  assert_parts(&s, "goals", "west north");
  assert_parts(&s, "guides", "curious path");
  assert_parts(&s, "sources", "");
  assert_parts(&s, "groups", "band pair");
  assert_parts(&s, "populations", "walkers strollers puppets guests");
  assert_parts(&s, "ground.doors", "exit! side");
  assert_int_equal(th_run_do(s.run, "{\"close\": \"side\"}", NULL, &error), TH_OK);
  assert_parts(&s, "ground.doors", "exit! side!");
  assert_parts(&s, "events", "");
  th_run_part part[2];
  assert_int_equal(th_run_parts(s.run, "goals", part, 1), 2);
  assert_true(th_world_has_goal(th_run_world(s.run), part[0].goal));
  scene_run_free(&s);
}

/* Two calls before one step: what both raise is read after it. */
static void events_survive_the_step(void **state) {
  (void)state;
  scene_run s = plain(false, 0);
  event_steps(&s, 5);
  th_error error = {0};
  assert_int_equal(th_run_do(s.run, "{\"leave\": {\"agents\": [1]}}", NULL, &error), TH_OK);
  assert_int_equal(th_run_do(s.run, "{\"leave\": {\"agents\": [2]}}", NULL, &error), TH_OK);
  assert_int_equal(th_run_step(s.run, &error), TH_OK);
  uint32_t count, removed = 0;
  const th_event *event = th_world_events(th_run_world(s.run), &count);
  for (uint32_t i = 0; i < count; i++) removed += event[i].kind == TH_EVENT_REMOVED;
  assert_int_equal(removed, 2);
  scene_run_free(&s);
}

static void snapshots_of_strangers_are_refused(void **state) {
  (void)state;
  static uint8_t bytes[1 << 20];
  scene_run s = plain(false, 0), mesh = plain(true, 0), same = plain(false, 0);
  event_steps(&s, 5);
  th_error error = {0};
  assert_int_equal(
      th_run_do(s.run, "{\"door\": {\"name\": \"side\", \"closed\": true, \"rectangle\": [[-3, 1], [-2, 2]]}}", NULL,
                &error),
      TH_OK);
  event_steps(&s, 9);
  const size_t size = th_run_snapshot(s.run, bytes, sizeof bytes);
  assert_true(size && size < sizeof bytes);
  assert_int_equal(th_run_restore(mesh.run, bytes, size, &error), TH_ERROR_FORMAT);
  assert_int_equal(th_run_restore(same.run, bytes, size, &error), TH_OK);
  assert_true(event_hash(&same) == event_hash(&s));
  assert_int_equal(th_run_log_count(same.run), 1);
  assert_int_equal(th_run_do(same.run, "{\"open\": \"side\"}", NULL, &error), TH_OK);
  assert_int_equal(th_run_do(s.run, "{\"open\": \"side\"}", NULL, &error), TH_OK);
  event_steps(&s, 20);
  event_steps(&same, 20);
  assert_true(event_hash(&same) == event_hash(&s));
  const uint64_t hash = event_hash(&s);
  for (size_t at = 0; at < size; at += 97) {
    bytes[at] ^= 0x40;
    assert_int_equal(th_run_restore(s.run, bytes, size, &error), TH_ERROR_FORMAT);
    bytes[at] ^= 0x40;
  }
  assert_int_equal(th_run_restore(s.run, bytes, size / 2, &error), TH_ERROR_FORMAT);
  assert_true(event_hash(&s) == hash);
  scene_run_free(&s);
  scene_run_free(&mesh);
  scene_run_free(&same);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_has_a_case),       cmocka_unit_test(by_scene_and_by_call_are_alike),
      cmocka_unit_test(wrong_ones_change_nothing),  cmocka_unit_test(going_back_undoes),
      cmocka_unit_test(answers_name_what_was_made), cmocka_unit_test(what_a_run_has_is_listed),
      cmocka_unit_test(events_survive_the_step),    cmocka_unit_test(snapshots_of_strangers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
