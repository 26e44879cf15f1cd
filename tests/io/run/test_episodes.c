/* tests/io/run/test_episodes.c - random episodes: done by hand, written, read, run again with 1 and 2 workers, and gone
 * back in. */
#include "support/event_cases.h"
#include "support/random_events.h"
#include "support/slow.h"
#include "support/unit.h"

enum { EVENTS = LONG_RUN(1000, 60), EACH = 4, EVERY = 20, MARKS = 64 };
static char room[1 << 20], log_text[1 << 19];

typedef struct marks {
  uint64_t hash[MARKS];
  uint32_t count;
} marks;

static void mark(marks *m, const scene_run *s) {
  if (th_world_step_count(th_run_world(s->run)) == (uint64_t)m->count * EVERY) m->hash[m->count++] = event_hash(s);
}

/* Refused ones leave the world as it is: what is tried is looked at now and then. */
static uint32_t live(scene_run *s, random_events *r, marks *m) {
  char text[8192];
  uint32_t tried = 0, refused = 0;
  th_error error = {0};
  while (th_run_log_count(s->run) < EVENTS && tried < 4 * EVENTS) {
    mark(m, s);
    for (uint32_t k = 0; k < EACH; k++, tried++) {
      const uint64_t before = tried % 8 ? 0 : event_hash(s);
      event_random(r, s->run, text, sizeof text);
      const bool good = th_run_do(s->run, text, NULL, &error) == TH_OK;
      refused += !good;
      if (!good && before && event_hash(s) != before) fail_msg("%s was refused and has changed something", text);
    }
    if (th_run_step(s->run, &error)) fail_msg("%s", error.text);
  }
  assert_true(th_run_log_count(s->run) >= EVENTS);
  print_message("%u events, %u refused, %u steps, %u marks\n", th_run_log_count(s->run), refused,
                (unsigned)th_world_step_count(th_run_world(s->run)), m->count);
  return th_run_log_count(s->run);
}

static const char *written(const scene_run *s) {
  size_t used = (size_t)snprintf(log_text, sizeof log_text, ", \"events\": [");
  for (uint32_t i = 0; i < th_run_log_count(s->run); i++)
    used += (size_t)snprintf(log_text + used, sizeof log_text - used, "%s{\"step\": %u, %s", i ? ", " : "",
                             (unsigned)th_run_log_when(s->run, i), th_run_log_text(s->run, i) + 1);
  snprintf(log_text + used, sizeof log_text - used, "]");
  assert_true(used + 2 < sizeof log_text);
  return log_text;
}

static void check_replay(const scene_run *s, const marks *m, bool mesh, uint32_t workers) {
  marks again = {{0}, 0};
  const uint64_t end = th_world_step_count(th_run_world(s->run));
  scene_run t = event_world(mesh, written(s), workers, 0, room, sizeof room);
  for (uint64_t step = 0; step < end; step++) {
    mark(&again, &t);
    event_steps(&t, step + 1);
  }
  assert_int_equal(again.count, m->count);
  for (uint32_t i = 0; i < m->count; i++)
    if (again.hash[i] != m->hash[i]) fail_msg("%u workers: another hash at step %u", workers, i * EVERY);
  assert_true(event_hash(&t) == event_hash(s));
  scene_run_free(&t);
}

/* Back to steps at random, and on to the next mark. */
static void check_back(scene_run *s, random_events *r, const marks *m) {
  th_error error = {0};
  const uint32_t log = th_run_log_count(s->run);
  for (int k = 0; k < LONG_RUN(6, 2); k++) {
    const uint32_t at = event_draw(r, m->count - 1);
    if (th_run_go_to(s->run, at * EVERY + event_draw(r, EVERY), &error)) fail_msg("%s", error.text);
    if (th_run_go_to(s->run, (uint64_t)(at + 1) * EVERY, &error)) fail_msg("%s: %s", error.where, error.text);
    if (event_hash(s) != m->hash[at + 1]) fail_msg("another hash at step %u", (at + 1) * EVERY);
  }
  assert_int_equal(th_run_log_count(s->run), log);
}

static void check_episode(bool mesh, uint64_t seed) {
  random_events r = {.seed = seed, .mesh = mesh};
  marks m = {{0}, 0};
  scene_run s = event_world(mesh, "", 1, (uint64_t)16 << 20, room, sizeof room);
  live(&s, &r, &m);
  check_replay(&s, &m, mesh, 1);
  check_replay(&s, &m, mesh, 2);
  check_back(&s, &r, &m);
  scene_run_free(&s);
}

static void flat_episodes_are_replayed(void **state) {
  (void)state;
  check_episode(false, 1);
}

static void mesh_episodes_are_replayed(void **state) {
  (void)state;
  check_episode(true, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_episodes_are_replayed),
      cmocka_unit_test(mesh_episodes_are_replayed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
