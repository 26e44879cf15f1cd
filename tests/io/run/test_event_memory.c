/* tests/io/run/test_event_memory.c - memory runs out while an event is done: it is refused, nothing is lost, and when
 * there is memory again it is done as if nothing had been. */
#include "support/allocator.h"
#include "support/event_cases.h"
#include "support/slow.h"

enum { WHEN = 4, END = 8 };
static char room[1 << 14];

static void begin(scene_run *s, const th_env *env, bool mesh) {
  th_error error = {0};
  *s = (scene_run){0};
  snprintf(room, sizeof room, EVENT_WORLD, mesh ? EVENT_MESH : EVENT_FLAT, "");
  const th_scene_def def = {.env = *env, .text = room, .length = strlen(room)};
  if (th_scene_make(&def, &s->scene, &error)) fail_msg("%s", error.text);
  if (th_run_make(&(th_run_def){.env = *env, .scene = s->scene}, &s->run, &error)) fail_msg("%s", error.text);
  event_steps(s, WHEN);
}

/* Tries with the first, the second ... allocation failing (with sanitizers every fifth) until one try succeeds; how
 * many failed. */
static uint32_t try_on(scene_run *s, failing *f, const char *event) {
  const uint64_t before = event_hash(s);
  for (uint64_t nth = 1;; nth += SLOW_BUILD ? 5 : 1) {
    th_error error = {0};
    th_run_answer answer;
    f->calls = 0;
    f->failed = 0;
    f->fail_at = nth;
    const th_result result = th_run_do(s->run, event, &answer, &error);
    f->fail_at = 0;
    if (!result) return (uint32_t)nth - 1;
    if (!f->failed) fail_msg("%s: refused with all the memory it asked for: %s", event, error.text);
    if (result != TH_ERROR_MEMORY) fail_msg("%s: allocation %u: %d: %s", event, (unsigned)nth, result, error.text);
    assert_int_equal(answer.agent_count, 0);
    assert_int_equal(th_run_log_count(s->run), 0);
    if (event_hash(s) != before) fail_msg("%s: allocation %u fails and something has changed", event, (unsigned)nth);
  }
}

static void check(const event_case *c, bool mesh) {
  failing f = {0};
  const th_env env = failing_env(&f);
  char text[4096];
  scene_run s, spared;
  th_error error = {0};
  begin(&s, &env, mesh);
  begin(&spared, &env, mesh);
  const char *event = c->act == TH_ACT_ACCEPT ? event_accept(s.run, text, sizeof text) : c->good;
  assert_true(try_on(&s, &f, event) > 0);
  assert_int_equal(th_run_do(spared.run, event, NULL, &error), TH_OK);
  event_steps(&s, END);
  event_steps(&spared, END);
  if (event_hash(&s) != event_hash(&spared)) fail_msg("%s: failed tries have left something", event);
  scene_run_free(&s);
  scene_run_free(&spared);
  assert_int_equal(f.blocks, 0);
  assert_int_equal(f.wrong, 0);
}

static void nothing_is_lost_on(bool mesh) {
  for (int i = 0; i < EVENT_CASES; i++)
    if (mesh || !event_cases[i].mesh_only) check(&event_cases[i], mesh);
}

static void nothing_is_lost_on_flat_ground(void **state) {
  (void)state;
  nothing_is_lost_on(false);
}

static void nothing_is_lost_on_a_mesh(void **state) {
  (void)state;
  nothing_is_lost_on(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_lost_on_flat_ground),
      cmocka_unit_test(nothing_is_lost_on_a_mesh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
