/* tests/io/test_realtime.c - what timing decided in a run in real time is in its episode, and happens again: on any
 * number of threads, after going back, and in another run that its snapshot is given to. */
#include <stdlib.h>
#include <time.h>

#include "support/scene_runs.h"
#include "throng/run.h"

enum { STEPS = 200 };

/* A step takes microseconds, a harmonic field of this size many milliseconds: fields come late. */
#define HALL(in_force)                                                                                           \
  "{\"version\": 1, \"name\": \"late\", \"duration\": 400, \"realtime\": true, " in_force                        \
  "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [60, 40]]}], \"cell\": 0.125, \"doors\": [{\"name\": "    \
  "\"gate\", \"rectangle\": [[29.5, 18], [30.5, 22]]}]}, \"goals\": [{\"name\": \"a\", \"point\": [55, 20], "    \
  "\"field\": \"harmonic\"}, {\"name\": \"b\", \"point\": [5, 35], \"field\": \"harmonic\"}], \"populations\": " \
  "[{\"name\": \"p\", \"count\": 4, \"region\": {\"rectangle\": [[2, 2], [8, 8]]}, \"route\": [\"a\"], "         \
  "\"remove\": false}], \"seed\": %s}"

static const char *const done[] = {"{\"close\": \"gate\"}",
                                   "{\"move\": {\"goal\": \"a\", \"point\": [50, 5]}}",
                                   "{\"change\": {\"population\": \"p\", \"route\": [\"b\"]}}",
                                   "{\"open\": \"gate\"}",
                                   "{\"remove_goal\": \"a\"}",
                                   "{\"goal\": {\"name\": \"c\", \"point\": [50, 35], \"field\": \"harmonic\"}}",
                                   "{\"change\": {\"population\": \"p\", \"route\": [\"c\"]}}"};
enum { EVENTS = sizeof done / sizeof *done, EVERY = 20 };

static void step(th_run *run, uint64_t *hash) {
  th_error error = {0};
  if (th_run_step(run, &error)) fail_msg("%s", error.text);
  *hash = th_world_hash(th_run_world(run));
}

/* As a game has it between two frames: fields are ready later on, also on a machine with much else to do. */
static void rest(th_run *run, uint32_t k) {
  uint32_t count;
  th_world_in_force(th_run_world(run), &count);
  nanosleep(&(struct timespec){0, count || k < STEPS / 2 ? 4000000 : 100000000}, NULL);
}

static void act(th_run *run, uint64_t hash[STEPS]) {
  th_error error = {0};
  for (uint32_t k = 0; k < STEPS; k++) {
    const uint32_t n = k / EVERY - 1;
    if (k % EVERY == 0 && n < EVENTS && th_run_do(run, done[n], NULL, &error)) fail_msg("%s: %s", done[n], error.text);
    step(run, &hash[k]);
    rest(run, k);
  }
}

static char *episode_of(const th_run *run) {
  const th_scene_write_def def = th_default_scene_write_def();
  th_error error = {0};
  char *text = NULL;
  if (th_run_write(run, &def, NULL, 0, &text, &error)) fail_msg("%s: %s", error.where, error.text);
  return text;
}

/* How many came later than a world that waits would have had them. */
static uint32_t late(const th_run *run) {
  uint32_t count, late = 0;
  const th_in_force *list = th_world_in_force(th_run_world((th_run *)(uintptr_t)run), &count);
  for (uint32_t i = 0; i < count; i++) late += list[i].step % EVERY != 1;
  return late;
}

static void an_episode_runs_again(void **state) {
  (void)state;
  uint64_t hash[STEPS], now;
  scene_run s = scene_run_make(HALL(""), "3", (th_run_def){.workers = 1}), again = {0};
  th_error error = {0};
  act(s.run, hash);
  assert_true(late(s.run) > 0);
  char *text = episode_of(s.run);
  for (uint32_t workers = 1; workers <= 2; workers++) {
    assert_int_equal(th_scene_parse(text, strlen(text), &again.scene, &error), TH_OK);
    assert_int_equal(th_run_make(&(th_run_def){.scene = again.scene, .workers = workers}, &again.run, &error), TH_OK);
    for (uint32_t k = 0; k < STEPS; k++) {
      step(again.run, &now);
      if (now != hash[k]) fail_msg("another hash after step %u, %u workers:\n%s", k, workers, text);
    }
    char *second = episode_of(again.run);
    assert_non_null(strstr(second, "\"in_force\""));
    th_text_free(second);
    scene_run_free(&again);
  }
  th_text_free(text);
  scene_run_free(&s);
}

/* Saved while a field is still being made: the replay does not get it any sooner. */
static void what_has_not_come_yet_stays_away(void **state) {
  (void)state;
  scene_run s = scene_run_make(HALL(""), "3", (th_run_def){.workers = 1}), again = {0};
  th_error error = {0};
  uint64_t hash = 0, now = 0;
  for (uint32_t k = 0; k < 2; k++) step(s.run, &hash);
  char *text = episode_of(s.run);
  assert_int_equal(th_scene_parse(text, strlen(text), &again.scene, &error), TH_OK);
  assert_int_equal(th_run_make(&(th_run_def){.scene = again.scene}, &again.run, &error), TH_OK);
  nanosleep(&(struct timespec){0, 300000000}, NULL); /* its field is ready now */
  for (uint32_t k = 0; k < 2; k++) step(again.run, &now);
  assert_true(now == hash);
  th_text_free(text);
  scene_run_free(&s), scene_run_free(&again);
}

static void going_back_goes_on_as_before(void **state) {
  (void)state;
  uint64_t hash[STEPS], now;
  scene_run s = scene_run_make(HALL(""), "3", (th_run_def){.workers = 2, .history = 64 << 20}), other;
  th_error error = {0};
  act(s.run, hash);
  for (uint32_t back = STEPS - 5; back > 10; back -= 97) {
    assert_int_equal(th_run_go_to(s.run, back, &error), TH_OK);
    assert_true(th_world_hash(th_run_world(s.run)) == hash[back - 1]);
    for (uint32_t k = back; k < STEPS; k++) {
      step(s.run, &now);
      if (now != hash[k]) fail_msg("another hash after step %u, gone back to %u", k, back);
    }
  }
  const size_t size = th_run_snapshot(s.run, NULL, 0);
  uint8_t *bytes = malloc(size);
  th_run_snapshot(s.run, bytes, size);
  other = scene_run_make(HALL(""), "3", (th_run_def){.workers = 1});
  assert_int_equal(th_run_restore(other.run, bytes, size, &error), TH_OK);
  char *text = episode_of(s.run), *same = episode_of(other.run);
  assert_string_equal(text, same); /* and so it knows when what it never saw came into force */
  th_text_free(text), th_text_free(same);
  free(bytes);
  scene_run_free(&s), scene_run_free(&other);
}

/* Another event makes another future: what would have come is forgotten. */
static void another_event_forgets_what_would_have_come(void **state) {
  (void)state;
  uint64_t hash[STEPS];
  uint32_t count, all;
  scene_run s = scene_run_make(HALL(""), "3", (th_run_def){.workers = 1, .history = 64 << 20});
  th_error error = {0};
  act(s.run, hash);
  const th_in_force *list = th_world_in_force(th_run_world(s.run), &count);
  assert_true(count > 0);
  const uint64_t last = list[count - 1].step;
  assert_int_equal(th_run_go_to(s.run, last, &error), TH_OK);
  th_world_in_force(th_run_world(s.run), &all);
  assert_int_equal(all, count);
  assert_int_equal(th_run_do(s.run, "{\"dismiss\": \"p\"}", NULL, &error), TH_OK);
  th_world_in_force(th_run_world(s.run), &all);
  assert_int_equal(all, count - 1);
  scene_run_free(&s);
}

static void a_wrong_list_is_refused(void **state) {
  (void)state;
  scene_run s;
  th_error error = {0};
  assert_int_not_equal(scene_run_try(HALL("\"in_force\": [{\"step\": 4, \"count\": 1}, {\"step\": 4, \"count\": 1}], "),
                                     "1", (th_run_def){.workers = 1}, &s, &error),
                       TH_OK);
  assert_non_null(strstr(error.text, "expected a step after 4, found 4"));
  scene_run_free(&s);
  assert_int_not_equal(
      scene_run_try("{\"version\": 1, \"name\": \"n\", \"duration\": 1, \"in_force\": [{\"step\": 4, \"count\": 1}], "
                    "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [4, 4]]}]}, \"seed\": %s}",
                    "1", (th_run_def){.workers = 1}, &s, &error),
      TH_OK);
  assert_non_null(strstr(error.text, "real time"));
  scene_run_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_episode_runs_again),        cmocka_unit_test(what_has_not_come_yet_stays_away),
      cmocka_unit_test(going_back_goes_on_as_before), cmocka_unit_test(another_event_forgets_what_would_have_come),
      cmocka_unit_test(a_wrong_list_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
