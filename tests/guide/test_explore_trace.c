/* tests/guide/test_explore_trace.c - what an exploration publishes: its way, the area that is known, the map around. */
#include "support/explorers.h"

static const th_trace_item *item_of(const th_trace_item *item, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp(item[i].source, "explore") && !strcmp(item[i].trace->name, name)) return &item[i];
  return NULL;
}

static void an_explorer_shows_its_map_and_its_way(void **unused) {
  (void)unused;
  th_explore_params params = th_default_explore_params();
  params.sight = 1.2f; /* less than the map shows */
  th_trace_item item[64];
  crew p;
  crew_in_house(&p, &params, 1);
  crew_enter(&p, 2);
  const th_trace_def def = th_default_trace_def();
  OK(th_world_trace(p.world, &def, &error));
  OK(th_world_trace_agent(p.world, p.agent[0], true, &error));
  float unknown_first = 0.0f, unknown = 0.0f;
  for (int step = 0; step < 400 && !th_world_done(p.world); step++) {
    const float before = explored(&p).area;
    th_world_step(p.world);
    const uint32_t count = th_world_traces(p.world, p.agent[0], item, 64);
    const th_trace_item *known = item_of(item, count, "known"), *map = item_of(item, count, "map"),
                        *way = item_of(item, count, "towards");
    if (!known) continue; /* it has arrived: nothing is left to explore */
    assert_true(known->value >= before && known->value <= explored(&p).area);
    assert_non_null(map);
    assert_int_equal(map->columns * map->rows, 225);
    unknown = 0.0f;
    for (uint32_t k = 0; k < 225; k++) {
      const th_vec2 at = {map->a.x + (float)(k % 15) * map->b.x, map->a.y + (float)(k / 15) * map->c.y};
      const uint8_t mark = th_explore_flat_open(memory_of(&p)).mark[cell_at(&p, at.x, at.y)];
      const float expected = !(mark & TH_EXPLORE_KNOWN) ? 2.0f : mark & TH_EXPLORE_BLOCKED ? 0.0f : 1.0f;
      assert_true(map->raster[k] == expected);
      unknown += expected == 2.0f;
    }
    if (step == 0) unknown_first = unknown;
    if (way) assert_true(fabsf(way->a.x * way->a.x + way->a.y * way->a.y - 1.0f) < 1e-4f && way->value == 0.0f);
  }
  assert_true(unknown_first > 100.0f && unknown < unknown_first);
  uint32_t others = th_world_traces(p.world, p.agent[1], item, 64);
  assert_int_equal(others, 0);
  crew_end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_explorer_shows_its_map_and_its_way)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
