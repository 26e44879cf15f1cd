/* tests/lab/test_relax.c - over-relaxation against the direct solver. */
#include <math.h>

#include "base/memory.h"
#include "field/grid/factor.h"
#include "lab/published/grid/sor.h"
#include "support/allocator.h"
#include "support/raster_grounds.h"

typedef struct problem {
  th_ground *map;
  uint8_t *kind;
  double *u;
  th_relax relax;
} problem;

static problem problem_make(uint64_t seed, bool neumann) {
  th_ground *map = map_rooms(65, 49, 5, seed);
  size_t size = (size_t)map->flat->width * map->flat->height;
  problem p = {map, malloc(size), calloc(size, sizeof(double)), {.tolerance = 1e-12, .max_sweeps = 100000}};
  for (size_t c = 0; c < size; c++) p.kind[c] = map->flat->solid[c] ? TH_CELL_WALL : TH_CELL_FREE;
  uint32_t goal = 0;
  while (map->flat->solid[goal]) goal = map_below(&seed, (uint32_t)size);
  p.kind[goal] = TH_CELL_PINNED;
  p.u[goal] = 1.0;
  p.relax.op = (th_operator){map->flat->width, map->flat->height, p.kind, neumann ? 1e-3 : 0.0, neumann, {0.0, 0.0}};
  return p;
}

static void problem_free(problem *p) {
  map_free(p->map);
  free(p->kind);
  free(p->u);
}

static void compare(problem *p) {
  th_env env = th_env_complete(NULL);
  size_t size = (size_t)p->map->flat->width * p->map->flat->height;
  p->relax.omega = th_relax_omega(&env.allocator, &p->relax.op, 400);
  assert_true(p->relax.omega > 1.0 && p->relax.omega < 2.0);
  assert_true(th_relax_run(&env.allocator, &p->relax, p->u) < p->relax.max_sweeps);
  th_factor *factor = NULL;
  assert_int_equal(th_grid_factor_make(&env, &p->relax.op, TH_SIMD_AUTO, &factor, NULL), TH_OK);
  uint32_t w = p->map->flat->width, cell[4], count = 0, goal = 0;
  while (p->kind[goal] != TH_CELL_PINNED) goal++;
  const uint32_t side[4] = {goal - w, goal - 1, goal + 1, goal + w};
  double value[4], *x = calloc(size, sizeof(double)), *work = calloc(th_factor_work_size(factor), sizeof(double));
  for (int k = 0; k < 4; k++)
    if (p->kind[side[k]] == TH_CELL_FREE) cell[count] = side[k], value[count++] = 1.0;
  th_factor_solve(factor, cell, value, count, x, work);
  for (size_t c = 0; c < size; c++)
    if (p->kind[c] == TH_CELL_FREE) assert_true(fabs(p->u[c] - x[c]) <= 1e-8 * x[c]);
  free(x);
  free(work);
  th_factor_release(factor);
}

static void relaxation_equals_the_direct_solve(void **state) {
  (void)state;
  for (uint64_t seed = 3; seed < 6; seed++)
    for (int neumann = 0; neumann < 2; neumann++) {
      problem p = problem_make(seed, neumann);
      compare(&p);
      problem_free(&p);
    }
}

static void the_best_factor_is_faster(void **state) {
  (void)state;
  th_env env = th_env_complete(NULL);
  problem p = problem_make(3, false), q = problem_make(3, false);
  p.relax.omega = th_relax_omega(&env.allocator, &p.relax.op, 400);
  q.relax.omega = 1.0;
  uint32_t fast = th_relax_run(&env.allocator, &p.relax, p.u), slow = th_relax_run(&env.allocator, &q.relax, q.u);
  print_message("omega %.3f: %u sweeps, omega 1: %u sweeps\n", p.relax.omega, fast, slow);
  assert_true(fast * 4 < slow);
  for (uint32_t c = 0; c < p.map->flat->width * p.map->flat->height; c++) {
    assert_true(p.kind[c] != TH_CELL_WALL || p.u[c] == 0.0);
    assert_true(p.kind[c] != TH_CELL_PINNED || p.u[c] == 1.0);
  }
  problem_free(&p);
  problem_free(&q);
}

static th_result run(const th_env *env, void *context) {
  problem p = problem_make(3, false);
  (void)context;
  p.relax.omega = th_relax_omega(&env->allocator, &p.relax.op, 10);
  bool ok = p.relax.omega > 0.0 && th_relax_run(&env->allocator, &p.relax, p.u) > 0;
  problem_free(&p);
  return ok ? TH_OK : TH_ERROR_MEMORY;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  assert_true(failing_every(run, NULL) > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relaxation_equals_the_direct_solve),
      cmocka_unit_test(the_best_factor_is_faster),
      cmocka_unit_test(failing_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
