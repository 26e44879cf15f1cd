/* tests/support/random_episodes.h - random episodes: done by hand, written, read, run again with 1 and 2 workers, gone
 * back in, mutated, and short of memory. */
#ifndef TESTS_RANDOM_EPISODES_H
#define TESTS_RANDOM_EPISODES_H

#include "support/allocator.h"
#include "support/event_cases.h"
#include "support/random_events.h"

enum { EPISODE_EACH = 4, EPISODE_EVERY = 20, EPISODE_MARKS = 256, EPISODE_SHORT = 20 };

typedef struct episode_marks {
  th_run_mark mark[EPISODE_MARKS];
  uint32_t count;
} episode_marks;

static inline void episode_mark(episode_marks *m, const scene_run *s) {
  const uint64_t step = th_world_step_count(th_run_world(s->run));
  if (step == (uint64_t)m->count * EPISODE_EVERY && m->count < EPISODE_MARKS)
    m->mark[m->count++] = (th_run_mark){step, event_hash(s)};
}

/* So many events. Refused ones leave the world as it is: what is tried is looked at now and then. */
static inline void episode_live(scene_run *s, random_events *r, uint32_t events, episode_marks *m) {
  char text[8192];
  uint32_t tried = 0, refused = 0;
  th_error error = {0};
  while (th_run_log_count(s->run) < events && tried < 4 * events) {
    episode_mark(m, s);
    for (uint32_t k = 0; k < EPISODE_EACH; k++, tried++) {
      const uint64_t before = tried % 8 ? 0 : event_hash(s);
      event_random(r, s->run, text, sizeof text);
      const bool good = th_run_do(s->run, text, NULL, &error) == TH_OK;
      refused += !good;
      if (!good && before && event_hash(s) != before) fail_msg("%s was refused and has changed something", text);
    }
    if (th_run_step(s->run, &error)) fail_msg("%s", error.text);
  }
  assert_true(th_run_log_count(s->run) >= events);
  print_message("%u events, %u refused, %u steps, %u marks\n", th_run_log_count(s->run), refused,
                (unsigned)th_world_step_count(th_run_world(s->run)), m->count);
}

static inline char *episode_text(const scene_run *s, const episode_marks *m) {
  const th_scene_write_def def = th_default_scene_write_def();
  char *text = NULL;
  th_error error = {0};
  if (th_run_write(s->run, &def, m->mark, m->count, &text, &error)) fail_msg("%s: %s", error.where, error.text);
  return text;
}

static inline scene_run episode_open(const char *text, uint32_t workers) {
  scene_run t = {0};
  th_error error = {0};
  if (th_scene_parse(text, strlen(text), &t.scene, &error)) fail_msg("%u:%u: %s", error.line, error.column, error.text);
  if (th_run_make(&(th_run_def){.scene = t.scene, .workers = workers}, &t.run, &error))
    fail_msg("%s: %s", error.where, error.text);
  return t;
}

static inline void episode_replay(const scene_run *s, const episode_marks *m, uint32_t workers) {
  episode_marks again = {{{0, 0}}, 0};
  const uint64_t end = th_world_step_count(th_run_world(s->run));
  char *text = episode_text(s, m);
  scene_run t = episode_open(text, workers);
  for (uint64_t step = 0; step < end; step++) {
    episode_mark(&again, &t);
    event_steps(&t, step + 1);
  }
  assert_int_equal(again.count, m->count);
  for (uint32_t i = 0; i < m->count; i++)
    if (again.mark[i].hash != m->mark[i].hash)
      fail_msg("%u workers: another hash at step %u", workers, i * EPISODE_EVERY);
  assert_true(event_hash(&t) == event_hash(s));
  th_text_free(text);
  scene_run_free(&t);
}

/* Back to steps at random, and on to the next mark. */
static inline void episode_back(scene_run *s, random_events *r, const episode_marks *m, int times) {
  th_error error = {0};
  const uint32_t log = th_run_log_count(s->run);
  for (int k = 0; k < times; k++) {
    assert_true(m->count > 1);
    const uint32_t at = event_draw(r, m->count - 1);
    if (th_run_go_to(s->run, at * EPISODE_EVERY + event_draw(r, EPISODE_EVERY), &error)) fail_msg("%s", error.text);
    if (th_run_go_to(s->run, (uint64_t)(at + 1) * EPISODE_EVERY, &error)) fail_msg("%s: %s", error.where, error.text);
    if (event_hash(s) != m->mark[at + 1].hash) fail_msg("another hash at step %u", (at + 1) * EPISODE_EVERY);
  }
  assert_int_equal(th_run_log_count(s->run), log);
}

/* An episode of so many events on flat ground or a mesh. */
static inline void episode_check(bool mesh, uint64_t seed, uint32_t events, int back) {
  static char room[1 << 16];
  random_events r = {.seed = seed, .mesh = mesh};
  episode_marks m = {{{0, 0}}, 0};
  scene_run s = event_world(mesh, "", 1, (uint64_t)16 << 20, room, sizeof room);
  episode_live(&s, &r, events, &m);
  episode_replay(&s, &m, 1);
  episode_replay(&s, &m, 2);
  episode_back(&s, &r, &m, back);
  scene_run_free(&s);
}

/* ---------------------------------------------------------------- mutated */

/* One change of a text with room for twice its length: a byte, a range that goes, or one that comes twice. */
static inline void episode_mutate(random_events *r, char *text) {
  static const char sign[] = "{}[]\",:0123456789.-eabnst ";
  const uint32_t length = (uint32_t)strlen(text);
  if (length < 2) return;
  const uint32_t at = event_draw(r, length - 1), most = length - at < 60 ? length - at : 60,
                 size = 1 + event_draw(r, most);
  switch (event_draw(r, 3)) {
    case 0:
      text[at] = sign[event_draw(r, sizeof sign - 1)];
      break;
    case 1:
      memmove(text + at, text + at + size, length - at - size + 1);
      break;
    default:
      memmove(text + at + size, text + at, length - at + 1);
  }
}

/* Read or refused with a reason; what is read runs, or stops with a reason. How many were read. */
static inline uint32_t episode_mutations(bool mesh, uint64_t seed, uint32_t events, uint32_t times) {
  static char room[1 << 16];
  random_events r = {.seed = seed, .mesh = mesh};
  episode_marks m = {{{0, 0}}, 0};
  scene_run s = event_world(mesh, "", 1, 0, room, sizeof room);
  episode_live(&s, &r, events, &m);
  char *text = episode_text(&s, &m), *other = malloc(2 * strlen(text) + 400);
  uint32_t read = 0;
  failing f = {0};
  assert_non_null(other);
  for (uint32_t n = 0; n < times; n++) {
    memcpy(other, text, strlen(text) + 1);
    for (uint32_t k = event_draw(&r, 3) + 1; k > 0; k--) episode_mutate(&r, other);
    th_error error = {0};
    scene_run t = {0};
    const th_scene_def from = {.env = failing_env(&f), .text = other, .length = strlen(other)};
    th_result result = th_scene_make(&from, &t.scene, &error);
    read += result == TH_OK;
    if (!result) result = th_run_make(&(th_run_def){.env = failing_env(&f), .scene = t.scene}, &t.run, &error);
    for (int step = 0; step < 8 && !result && th_world_agents(th_run_world(t.run)).count < 500; step++)
      result = th_run_step(t.run, &error);
    if (result && !error.text[0]) fail_msg("refused without a reason:\n%s", other);
    scene_run_free(&t);
  }
  failing_assert_empty(&f);
  free(other);
  th_text_free(text);
  scene_run_free(&s);
  return read;
}

/* ---------------------------------------------------------------- short of memory */

/* Going back and on with one allocation failing ends well or with a reason, and with memory again the run comes to the
 * same end. */
static inline void episode_short_of_memory(bool mesh, uint64_t seed, uint32_t times) {
  static char room[1 << 16];
  failing f = {0};
  random_events r = {.seed = seed, .mesh = mesh};
  char text[8192];
  th_error error = {0};
  scene_run s = {0};
  snprintf(room, sizeof room, EVENT_WORLD, mesh ? EVENT_MESH : EVENT_FLAT, "");
  const th_scene_def from = {.env = failing_env(&f), .text = room, .length = strlen(room)};
  assert_int_equal(th_scene_make(&from, &s.scene, &error), TH_OK);
  const th_run_def def = {.env = failing_env(&f), .scene = s.scene, .history = (uint64_t)4 << 20};
  assert_int_equal(th_run_make(&def, &s.run, &error), TH_OK);
  for (uint32_t i = 0; i < EPISODE_SHORT; i++) {
    event_random(&r, s.run, text, sizeof text);
    (void)th_run_do(s.run, text, NULL, &error);
    assert_int_equal(th_run_step(s.run, &error), TH_OK);
  }
  const uint64_t hash = event_hash(&s);
  const uint32_t log = th_run_log_count(s.run);
  uint64_t nth = 1;
  uint32_t failed = 0;
  for (uint32_t n = 0; n < times; n++, nth += 1 + nth / 8) {
    f.calls = f.failed = 0;
    f.fail_at = nth;
    const th_result result = th_run_go_to(s.run, event_draw(&r, EPISODE_SHORT), &error);
    f.fail_at = 0;
    failed += f.failed > 0;
    if (result && !f.failed) fail_msg("%s", error.text);
    if (th_run_go_to(s.run, 0, &error) || th_run_go_to(s.run, EPISODE_SHORT, &error))
      fail_msg("after allocation %u: %s", (unsigned)nth, error.text);
    if (event_hash(&s) != hash) fail_msg("after allocation %u: another hash", (unsigned)nth);
    assert_int_equal(th_run_log_count(s.run), log);
  }
  assert_true(failed > 0);
  scene_run_free(&s);
  failing_assert_empty(&f);
}

#endif
