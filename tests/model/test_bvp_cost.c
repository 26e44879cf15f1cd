/* tests/model/test_bvp_cost.c - what a decision costs: the relaxation by size, sweeps and obstacles, and whole steps.
 *
 * Processor time of this thread. In each round the compared cases take turns, and the median of their ratios over all
 * rounds counts: what disturbs the machine disturbs both sides of most ratios alike. Rounds are added while a ratio is
 * out of its band, up to ten times as many; a law that does not hold stays out of it. */
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "support/bvp_reference.h"
#include "support/slow.h"

enum { CASES = 8 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---------------------------------------------------------------- the relaxation */

typedef struct work_case {
  uint32_t n, sweeps;
  float blocked; /* share of the cells */
} work_case;

static _Alignas(64) double u[63 * 63 * 8], weight[4 * 8];
static _Alignas(64) double limit[63 * 63 * 8];

/* A ratio of two times, by what it is divided, and its band. */
typedef struct law {
  const char *text;
  int top, bottom;
  double by, min, max;
} law;

enum { BATCH = 100, BATCHES = 10 };
static double taken[BATCH * BATCHES][CASES];

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_of(const law *l, int rounds) {
  static double ratio[BATCH * BATCHES];
  for (int r = 0; r < rounds; r++) ratio[r] = taken[r][l->top] / taken[r][l->bottom] / l->by;
  qsort(ratio, (size_t)rounds, sizeof *ratio, ascending);
  return ratio[rounds / 2];
}

/* Takes rounds until all laws hold, then tells them; fails with the first that never does. */
static void assert_laws(double (*take)(int k), int cases, const law *list, size_t count) {
  const int batch = LONG_RUN(BATCH, 2), batches = LONG_RUN(BATCHES, 1);
  const law *broken = NULL;
  int rounds = 0;
  for (int n = 0; n < batches && (n == 0 || broken); n++) {
    for (int end = rounds + batch; rounds < end; rounds++)
      for (int k = 0; k < cases; k++) taken[rounds][k] = take(k);
    broken = NULL;
    for (size_t i = count; i-- > 0;) {
      double found = median_of(&list[i], rounds);
      if (!(found >= list[i].min && found <= list[i].max)) broken = &list[i];
    }
  }
  if (SLOW_BUILD) return; /* times of instrumented code say nothing */
  for (size_t i = 0; i < count; i++) print_message("%s: %.3f\n", list[i].text, median_of(&list[i], rounds));
  if (broken) fail_msg("%s: %g, expected %g to %g", broken->text, median_of(broken, rounds), broken->min, broken->max);
}

static const work_case relax_case[CASES] = {{31, 60, 0.0f}, {31, 30, 0.0f}, {31, 120, 0.0f}, {15, 60, 0.0f},
                                            {61, 60, 0.0f}, {31, 60, 0.2f}, {31, 60, 0.5f},  {31, 60, 0.9f}};

static double relax_once(int k_case) {
  const work_case *c = &relax_case[k_case];
  const th_simd simd = th_simd_level();
  const uint32_t lanes = simd == TH_SIMD_AVX512 ? 8 : simd == TH_SIMD_AVX2 ? 4 : 2, n = c->n;
  for (uint32_t k = 0; k < n * n * lanes; k++) {
    uint32_t i = k / lanes % n, j = k / lanes / n;
    bool inner = i > 0 && j > 0 && i + 1 < n && j + 1 < n;
    limit[k] = inner && th_random_unit(5, 1, k, 0) >= c->blocked ? INFINITY : 0.0;
    u[k] = i + 1 == n && j == n / 2 ? 1.0 : 0.0;
  }
  for (uint32_t k = 0; k < 4 * lanes; k++) weight[k] = 0.25;
  th_bvp_maps maps = {n, c->sweeps, lanes, true, false, u, limit, weight};
  double begin = now();
  TH_LANES_PICK(simd, th_bvp_relax_double)(&maps);
  double time = now() - begin;
  return time;
}

/* Linear in the sweeps, quadratic in the side, and the same whatever stands in the map. */
/* shows: BVP-103, BVP-107 */
static void relaxation_costs_cells_times_sweeps(void **state) {
  (void)state;
  static const law list[] = {{"60 sweeps against 30", 0, 1, 1, 1.85, 2.15},
                             {"120 sweeps against 60", 2, 0, 1, 1.85, 2.15},
                             {"31 cells a side against 15, by the squares", 0, 3, 29.0 * 29 / 169, 0.8, 1.25},
                             {"61 cells a side against 31, by the squares", 4, 0, 59.0 * 59 / 841, 0.8, 1.25},
                             {"a fifth of the map blocked against none", 5, 0, 1, 0.9, 1.1},
                             {"half of the map blocked against none", 6, 0, 1, 0.9, 1.1},
                             {"nine tenths of the map blocked against none", 7, 0, 1, 0.9, 1.1}};
  assert_laws(relax_once, CASES, list, sizeof list / sizeof *list);
}

/* ---------------------------------------------------------------- whole steps */

enum { SIDE = 16, AGENTS = SIDE * SIDE };

/* Agents on a lattice of 4 m; columns between them, each cut into `pieces` x `pieces` obstacles; 0 = no column. */
static th_world *make_lattice(int32_t sweeps, uint32_t pieces) {
  static th_vec2 corner[4 * (SIDE - 1) * (SIDE - 1)][4];
  static th_polygon obstacle[4 * (SIDE - 1) * (SIDE - 1)];
  th_vec2 frame[4] = {{0, 0}, {4.0f * SIDE, 0}, {4.0f * SIDE, 4.0f * SIDE}, {0, 4.0f * SIDE}};
  th_polygon outline = {.point = frame, .count = 4};
  uint32_t count = 0;
  for (uint32_t c = 0; pieces && c < (SIDE - 1) * (SIDE - 1); c++)
    for (uint32_t k = 0; k < pieces * pieces; k++, count++) {
      float size = 1.0f / (float)pieces, x = 3.5f + 4.0f * (float)(c % (SIDE - 1)) + size * (float)(k % pieces);
      float y = 3.5f + 4.0f * (float)(c / (SIDE - 1)) + size * (float)(k / pieces);
      corner[count][0] = (th_vec2){x, y};
      corner[count][1] = (th_vec2){x + size, y};
      corner[count][2] = (th_vec2){x + size, y + size};
      corner[count][3] = (th_vec2){x, y + size};
      obstacle[count] = (th_polygon){.point = corner[count], .count = 4};
    }
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline;
  flat.outline_count = 1;
  flat.obstacle = obstacle;
  flat.obstacle_count = count;
  flat.cell = 0.5f;
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  assert_int_equal(th_ground_make_flat(&flat, &def.ground, NULL), TH_OK);
  assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
  th_ground_release(def.ground);
  th_vec3 centre = {4.0f * SIDE - 1.0f, 2.0f * SIDE, 0.0f};
  th_goal_def goal_def = th_default_goal_def();
  goal_def.field = TH_FIELD_HARMONIC;
  goal_def.shape = (th_shape){.kind = TH_SHAPE_DISC, .point = &centre, .count = 1, .radius = 0.6f};
  th_goal_id goal;
  assert_int_equal(th_world_add_goal(world, &goal_def, &goal, NULL), TH_OK);
  th_bvp_params params = th_default_bvp_params(15);
  params.sweeps = sweeps;
  params.period = 0.1f;
  params.precision = TH_PRECISION_DOUBLE;
  for (uint32_t k = 0; k < AGENTS; k++) {
    th_agent_def agent = th_default_body_def();
    agent.point.x = 2.0f + 4.0f * (float)(k % SIDE);
    agent.point.y = 2.0f + 4.0f * (float)(k / SIDE);
    agent.speed = 0.01f; /* stays where it is, so that every step costs the same */
    agent.model = &th_model_bvp;
    agent.params = &params;
    agent.route[0].goal = goal;
    agent.route_count = 1;
    assert_int_equal(th_world_add_agents(world, &agent, 1, NULL, NULL), TH_OK);
  }
  for (int step = 0; step < 3; step++) th_world_step(world);
  return world;
}

static th_world *lattice[4];
static double step_once(int k) {
  double begin = now();
  th_world_step(lattice[k]);
  return now() - begin;
}

/* A column in one piece or in four: the number of obstacles does not count. Columns beside everyone cost more than open
 * space, which a map skips: less than twice. Halving the sweeps gives about 1.6 times the steps, not double, because
 * drawing and turning, which the sweeps no longer hide, take a part of each. */
/* shows: BVP-103, BVP-107 */
static void steps_cost_what_maps_hold_not_how_many_obstacles(void **state) {
  (void)state;
  static const law list[] = {{"900 obstacles against 225 of the same shape", 1, 0, 1, 0.8, 1.25},
                             {"columns beside everyone against open space", 0, 2, 1, 1.0, 2.0},
                             {"30 sweeps against 60: steps/s", 2, 3, 1, 1.4, 1.8}};
  for (int k = 0; k < 4; k++) lattice[k] = make_lattice(k == 3 ? 30 : 60, k < 2 ? 1 + (uint32_t)k : 0);
  assert_laws(step_once, 4, list, sizeof list / sizeof *list);
  for (int k = 0; k < 4; k++) th_world_free(lattice[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relaxation_costs_cells_times_sweeps),
      cmocka_unit_test(steps_cost_what_maps_hold_not_how_many_obstacles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
