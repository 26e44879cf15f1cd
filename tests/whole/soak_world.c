/* tests/whole/soak_world.c - long runs: the busy world for thousands of steps with random calls, snapshots and restores
 * on the way, and a twin with another number of workers that must agree throughout. */
#include "support/busy_world.h"

#define STEPS 4000

static void check_sound(const th_world *world) {
  th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < a.count; i++) {
    assert_true(isfinite(a.x[i]) && isfinite(a.y[i]) && isfinite(a.vx[i]) && isfinite(a.hx[i]));
    if (a.state[i] != TH_AGENT_DELAYED && th_ground_locate(th_world_ground(world), a.x[i], a.y[i]).cell == TH_NO_CELL)
      fail_msg("step %llu: agent %u stands in a wall", (unsigned long long)th_world_step_count(world), a.id[i].index);
  }
}

/* One random call; a function of the step and of the state alone. */
static void random_call(busy *b) {
  uint64_t step = th_world_step_count(b->world), random = step * 7919u + 3u;
  th_agents a = th_world_agents(b->world);
  th_agent_id someone = a.count ? a.id[worlds_below(&random, a.count)] : NOBODY;
  th_vec2 at = {worlds_in(&random, 9, 15), worlds_in(&random, 1, 15)};
  th_shape shape = th_point_shape(at.x, at.y);
  th_agent_def def = busy_agent(b, worlds_below(&random, 60));
  switch (worlds_below(&random, 40)) {
    case 0:
      th_world_edit(b->world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, NULL);
      break;
    case 1:
      th_world_edit(b->world, &(th_edit){.kind = TH_EDIT_OPEN, .name = "west"}, 1, NULL);
      break;
    case 2:
      th_world_edit(b->world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "east"}, 1, NULL);
      break;
    case 3:
      th_world_edit(b->world, &(th_edit){.kind = TH_EDIT_OPEN, .name = "east"}, 1, NULL);
      break;
    case 4:
      th_world_move_goal(b->world, b->goal[1], &shape, NULL);
      break;
    case 5:
      th_world_add_agents(b->world, &def, 1, NULL, NULL);
      break;
    case 6:
      if (someone.index && someone.index != b->player.index) th_world_remove_agent(b->world, someone);
      break;
    case 7:
      if (someone.index && someone.index != b->player.index) th_world_change_agent(b->world, someone, &def, NULL);
      break;
    case 8:
      th_world_set_dt(b->world, worlds_in(&random, 0.02f, 0.2f), NULL);
      break;
    default:
      break;
  }
}

static void twins_stay_twins(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  busy one, two;
  busy_make(&one, &def);
  def.workers = 3;
  def.simd = TH_SIMD_FOUR;
  busy_make(&two, &def);
  void *memory = NULL;
  for (uint32_t n = 0; n < STEPS; n++) {
    random_call(&one);
    random_call(&two);
    th_world_step(one.world);
    th_world_step(two.world);
    check_sound(one.world);
    if (th_world_hash(one.world) != th_world_hash(two.world)) fail_msg("the twins differ after step %u", n + 1);
    if (n % 97 != 0) continue;
    size_t size = th_world_snapshot(one.world, NULL, 0);
    memory = realloc(memory, size);
    th_world_snapshot(one.world, memory, size);
    OK(th_world_restore(two.world, memory, size, &error)); /* goes on from the other's state */
  }
  assert_int_equal(h.faults, 0);
  assert_true(th_world_counters(one.world).added > 300);
  free(memory);
  busy_end(&one);
  busy_end(&two);
}

/* Memory does not grow with time. */
static void memory_does_not_grow(void **state) {
  (void)state;
  failing f = {0};
  busy_def def = BUSY_DEF(failing_env(&f));
  busy b;
  busy_make(&b, &def);
  int64_t early = 0;
  for (uint32_t n = 0; n < STEPS; n++) {
    if (n % 50 == 0) OK(busy_door(&b, n % 100 ? TH_EDIT_OPEN : TH_EDIT_CLOSE, "west", &error));
    th_world_step(b.world);
    if (n == STEPS / 4) early = atomic_load(&f.bytes);
  }
  assert_true(atomic_load(&f.bytes) < early + 100000);
  busy_end(&b);
  failing_assert_empty(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(twins_stay_twins), cmocka_unit_test(memory_does_not_grow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
