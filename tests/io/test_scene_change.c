/* tests/io/test_scene_change.c - an event that changes a population changes what it gives, and nothing else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/scene_runs.h"
#include "throng/guide.h"

static const char tour[] =
    "{\"version\": 1, \"name\": \"tour\", \"duration\": 60,\n"
    " \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}]},\n"
    " \"goals\": [{\"name\": \"a\", \"point\": [4, 2]}, {\"name\": \"b\", \"point\": [8, 2]},\n"
    "            {\"name\": \"c\", \"point\": [18, 2]}],\n"
    " \"guides\": [{\"name\": \"curious\", \"explore\": {\"sight\": 3}}],\n"
    " \"populations\": [\n"
    "  {\"name\": \"tourist\", \"positions\": [[2, 2]], \"speed_max\": 3, \"remove\": false,\n"
    "   \"route\": [\"a\", {\"goal\": \"b\", \"wait\": 6}, \"c\"]},\n"
    "  {\"name\": \"guest\", \"positions\": [[16, 2]], \"route\": [\"c\"], \"remove\": false},\n"
    "  {\"name\": \"explorer\", \"positions\": [[2, 8]], \"guide\": \"curious\", \"remove\": false}],\n"
    " \"events\": [%s]}";

typedef struct fixture {
  scene_run of;
  th_world *world;
  th_agent_id agent[3]; /* tourist, guest, explorer */
} fixture;

static fixture make(const char *events) {
  fixture f;
  f.of = scene_run_make(tour, events, (th_run_def){.seed = 0});
  f.world = th_run_world(f.of.run);
  for (int i = 0; i < 3; i++) f.agent[i] = th_world_agents(f.world).id[i];
  return f;
}

static void release(fixture *f) { scene_run_free(&f->of); }

static void step_to(fixture *f, double time) { scene_run_to(&f->of, time); }

#define CHANGE(at, who, what) "{\"at\": " #at ", \"change\": {\"population\": \"" who "\", " what "}}"

/* The tourist waits at its second stop from 5 s to 11 s. */
static void routes_and_waits_go_on(void **state) {
  (void)state;
  fixture f = make(CHANGE(7, "tourist", "\"speed\": 0.8") ", " CHANGE(12, "tourist", "\"radius\": 0.3"));
  fixture same = make("");
  step_to(&f, 7.5);
  step_to(&same, 7.5);
  th_agent_def def;
  assert_true(th_world_agent_def(f.world, f.agent[0], &def));
  assert_true(def.speed == 0.8f && def.speed_max == 3.0f); /* that was not given */
  assert_int_equal(th_world_agent_state(f.world, f.agent[0]), TH_AGENT_WAITING);
  assert_int_equal(th_world_agent_stop(f.world, f.agent[0]), 1);
  while (th_world_agent_stop(same.world, same.agent[0]) == 1) {
    assert_int_equal(th_world_agent_stop(f.world, f.agent[0]), 1);
    th_error error = {0};
    assert_int_equal(th_run_step(f.of.run, &error) | th_run_step(same.of.run, &error), TH_OK);
  }
  assert_int_equal(th_world_agent_stop(f.world, f.agent[0]), 2); /* waited as long */
  step_to(&f, 13);
  assert_int_equal(th_world_agent_stop(f.world, f.agent[0]), 2);
  release(&f);
  release(&same);
}

static void agents_that_have_arrived_stay(void **state) {
  (void)state;
  fixture f = make(CHANGE(6, "guest", "\"speed\": 1.8"));
  step_to(&f, 6);
  assert_int_equal(th_world_agent_state(f.world, f.agent[1]), TH_AGENT_ARRIVED);
  step_to(&f, 8);
  assert_int_equal(th_world_agent_state(f.world, f.agent[1]), TH_AGENT_ARRIVED);
  assert_int_equal(th_world_counters(f.world).arrived, 3); /* the guest once, the tourist twice */
  release(&f);
}

static void explorers_remember(void **state) {
  (void)state;
  fixture f = make(CHANGE(4, "explorer", "\"speed\": 0.01"));
  step_to(&f, 4);
  th_guide_id guide;
  assert_int_equal(th_world_guides(f.world, &guide, 1), 1);
  uint32_t known = th_explore_read(th_world_guide_memory(f.world, guide, NULL)).sensed;
  assert_true(known > 100);
  step_to(&f, 4.5);
  assert_true(th_explore_read(th_world_guide_memory(f.world, guide, NULL)).sensed >= known);
  assert_int_equal(th_world_agent_state(f.world, f.agent[2]), TH_AGENT_WALKING);
  release(&f);
}

static void a_route_that_is_given_begins(void **state) {
  (void)state;
  fixture f = make(CHANGE(7, "tourist", "\"route\": [\"a\", {\"goal\": \"b\", \"wait\": 6}, \"c\"]") ", " CHANGE(
      7, "guest", "\"route\": [\"a\"]"));
  step_to(&f, 7.2);
  assert_int_equal(th_world_agent_stop(f.world, f.agent[0]), 0); /* the same one, from its first stop */
  assert_int_equal(th_world_agent_state(f.world, f.agent[0]), TH_AGENT_WALKING);
  assert_int_equal(th_world_agent_state(f.world, f.agent[1]), TH_AGENT_WALKING);
  release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(routes_and_waits_go_on),
      cmocka_unit_test(agents_that_have_arrived_stay),
      cmocka_unit_test(explorers_remember),
      cmocka_unit_test(a_route_that_is_given_begins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
