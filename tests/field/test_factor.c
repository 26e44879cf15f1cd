/* tests/field/test_factor.c - the grid factorisation against a banded long-double elimination, and against itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field/grid/factor.h"
#include "support/allocator.h"
#include "support/unit.h"

/* A grid with everything a test needs to solve on it. */
typedef struct map {
  uint32_t width, height;
  uint8_t *kind;
  double screen;
  bool neumann;
  double less[2];
} map;

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = (*state ^ (*state >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static uint32_t below(uint64_t *state, uint32_t limit) { return (uint32_t)(next_random(state) % limit); }

static map map_open(uint32_t width, uint32_t height) {
  map m = {.width = width, .height = height, .kind = calloc((size_t)width * height, 1)};
  for (uint32_t y = 1; y + 1 < height; y++)
    for (uint32_t x = 1; x + 1 < width; x++) m.kind[y * width + x] = TH_CELL_FREE;
  return m;
}

static void fill(map *m, uint32_t x0, uint32_t y0, uint32_t w, uint32_t h, uint8_t kind) {
  for (uint32_t y = y0; y < y0 + h && y + 1 < m->height; y++)
    for (uint32_t x = x0; x < x0 + w && x + 1 < m->width; x++) m->kind[y * m->width + x] = kind;
}

/* Boxes of wall, some cells of noise, sometimes a pinned box. */
static map map_random(uint64_t *state) {
  map m = map_open(3 + below(state, 40), 3 + below(state, 40));
  for (uint32_t boxes = below(state, 8); boxes > 0; boxes--) {
    uint8_t kind = below(state, 4) ? TH_CELL_WALL : TH_CELL_PINNED;
    uint32_t x = 1 + below(state, m.width - 2), y = 1 + below(state, m.height - 2);
    fill(&m, x, y, 1 + below(state, 9), 1 + below(state, 9), kind);
  }
  if (below(state, 2)) {
    for (uint32_t noise = m.width * m.height / 4; noise > 0; noise--)
      fill(&m, 1 + below(state, m.width - 2), 1 + below(state, m.height - 2), 1, 1, TH_CELL_WALL);
  }
  if (below(state, 3) == 0) m.screen = 0.01 * (1 + below(state, 100));
  if (below(state, 3) == 0) m.neumann = true, m.screen += 0.001;
  if (below(state, 3) == 0) m.less[below(state, 2)] = 0.005 * (1 + below(state, 100));
  return m;
}

static map map_serpentine(uint32_t size, uint32_t corridor) {
  map m = map_open(size, size);
  for (uint32_t y = corridor + 1, i = 0; y + 1 < size; y += corridor + 1, i++)
    fill(&m, i % 2 ? 1 + corridor : 1, y, size - 2 - corridor, 1, TH_CELL_WALL);
  return m;
}

static th_operator operator_of(const map *m) {
  return (th_operator){m->width, m->height, m->kind, m->screen, m->neumann, {m->less[0], m->less[1]}};
}

static th_factor *make(const map *m) {
  th_operator op = operator_of(m);
  th_factor *factor = NULL;
  th_error error;
  assert_int_equal(th_grid_factor_make(NULL, &op, TH_SIMD_AUTO, &factor, &error), TH_OK);
  return factor;
}

static uint32_t free_cell(const map *m, uint64_t *state) {
  uint32_t cells = m->width * m->height, start = below(state, cells);
  for (uint32_t i = 0; i < cells; i++)
    if (m->kind[(start + i) % cells] == TH_CELL_FREE) return (start + i) % cells;
  return UINT32_MAX;
}

static double *solve(const th_factor *factor, const map *m, const uint32_t *cell, const double *value, uint32_t count) {
  size_t cells = (size_t)m->width * m->height;
  double *x = malloc(cells * sizeof *x), *work = malloc(th_factor_work_size(factor) * sizeof *work);
  for (size_t i = 0; i < cells; i++) x[i] = NAN;
  th_factor_solve(factor, cell, value, count, x, work);
  free(work);
  return x;
}

static long double diagonal(const map *m, uint32_t cell) {
  const uint32_t other[4] = {cell - 1, cell + 1, cell - m->width, cell + m->width};
  long double sum = (long double)m->screen;
  for (int i = 0; i < 4; i++)
    if (!m->neumann || m->kind[other[i]] != TH_CELL_WALL) sum += (long double)(1.0 - m->less[i / 2]);
  return sum;
}

/* The oracle: L D L^T inside the band of the row-by-row numbering; cells that are not free are identity rows. */
static long double *oracle(const map *m, const long double *b) {
  uint32_t n = m->width * m->height, band = m->width;
  long double *l = calloc((size_t)n * (band + 1), sizeof *l), *x = malloc(n * sizeof *x);
#define AT(i, j) l[(size_t)(i) * (band + 1) + (band - ((i) - (j)))]
  for (uint32_t i = 0; i < n; i++) {
    bool is_free = m->kind[i] == TH_CELL_FREE;
    AT(i, i) = is_free ? diagonal(m, i) : 1.0L;
    if (is_free && m->kind[i - 1] == TH_CELL_FREE) AT(i, i - 1) = (long double)(m->less[0] - 1.0);
    if (is_free && m->kind[i - band] == TH_CELL_FREE) AT(i, i - band) = (long double)(m->less[1] - 1.0);
  }
  for (uint32_t i = 0; i < n; i++) { /* row i: l_ij d_j first, then divide */
    uint32_t low = i > band ? i - band : 0;
    for (uint32_t j = low; j < i; j++) {
      uint32_t from = j > band && j - band > low ? j - band : low;
      for (uint32_t k = from; k < j; k++) AT(i, j) -= AT(i, k) * AT(j, k);
    }
    for (uint32_t j = low; j < i; j++) {
      long double scaled = AT(i, j);
      AT(i, j) = scaled / AT(j, j);
      AT(i, i) -= scaled * AT(i, j);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    x[i] = m->kind[i] == TH_CELL_FREE ? b[i] : 0.0L;
    for (uint32_t j = i > band ? i - band : 0; j < i; j++) x[i] -= AT(i, j) * x[j];
  }
  for (uint32_t i = 0; i < n; i++) x[i] /= AT(i, i);
  for (uint32_t i = n; i-- > 0;)
    for (uint32_t j = i + 1; j < n && j <= i + band; j++) x[i] -= AT(j, i) * x[j];
#undef AT
  free(l);
  return x;
}

/* Largest relative difference where the oracle exceeds `min`; infinite when a cell that is not free is not 0. */
static double worst_error(const map *m, const double *x, const long double *exact, long double min) {
  double worst = 0.0;
  for (uint32_t i = 0; i < m->width * m->height; i++) {
    if (m->kind[i] != TH_CELL_FREE) {
      if (x[i] != 0.0) return INFINITY;
    } else if (exact[i] > min) {
      double relative = (double)fabsl(((long double)x[i] - exact[i]) / exact[i]);
      if (!(relative <= worst)) worst = relative;
    } else if (!(x[i] >= 0.0 && x[i] <= (double)min * 2.0)) {
      return INFINITY;
    }
  }
  return worst;
}

static void check_against_oracle(const map *m, uint64_t *state, uint32_t sources, uint64_t seed) {
  th_factor *factor = make(m);
  uint32_t cell[8];
  double value[8];
  long double *b = calloc((size_t)m->width * m->height, sizeof *b);
  uint32_t count = 0;
  for (; count < sources; count++) {
    cell[count] = free_cell(m, state);
    if (cell[count] == UINT32_MAX) break;
    value[count] = 1.0 + below(state, 5);
    b[cell[count]] += value[count];
  }
  double *x = solve(factor, m, cell, value, count);
  long double *exact = oracle(m, b);
  double worst = worst_error(m, x, exact, 1e-280L);
  if (!(worst < 1e-10)) print_error("seed %llu: relative error %g\n", (unsigned long long)seed, worst);
  assert_true(worst < 1e-10);
  free(x);
  free(exact);
  free(b);
  th_factor_release(factor);
}

static void random_maps_equal_a_dense_solve(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    uint64_t state = seed;
    map m = map_random(&state);
    check_against_oracle(&m, &state, 1 + below(&state, 8), seed);
    free(m.kind);
  }
}

static void serpentine_is_accurate_in_every_cell(void **unused) {
  (void)unused;
  const uint32_t size[] = {33, 65, 50}, corridor[] = {3, 3, 1};
  for (int i = 0; i < 3; i++) {
    map m = map_serpentine(size[i], corridor[i]);
    th_factor *factor = make(&m);
    uint32_t goal = m.width + 1;
    double one = 1.0, *x = solve(factor, &m, &goal, &one, 1);
    long double *b = calloc((size_t)m.width * m.height, sizeof *b);
    b[goal] = 1.0L;
    long double *exact = oracle(&m, b), min = 1.0L;
    for (uint32_t c = 0; c < m.width * m.height; c++)
      if (exact[c] > 0.0L && exact[c] < min) min = exact[c];
    assert_true(min < 1e-60L); /* the map does test tiny values */
    assert_true(worst_error(&m, x, exact, 1e-280L) < 1e-10);
    free(x);
    free(b);
    free(exact);
    th_factor_release(factor);
    free(m.kind);
  }
}

static void one_cell_is_solved_exactly(void **unused) {
  (void)unused;
  map m = map_open(3, 3);
  th_factor *factor = make(&m);
  uint32_t cell = 4;
  double value = 2.0, *x = solve(factor, &m, &cell, &value, 1);
  assert_true(fabs(x[4] - 0.5) < 1e-15);
  assert_true(th_factor_bytes(factor) > 0);
  free(x);
  th_factor_release(factor);
  m.kind[4] = TH_CELL_WALL;
  factor = make(&m);
  x = solve(factor, &m, NULL, NULL, 0);
  for (int i = 0; i < 9; i++) assert_true(x[i] == 0.0);
  free(x);
  th_factor_release(factor);
  free(m.kind);
}

/* Solves from several cells give the same bits. */
static void assert_same(const th_factor *a, const th_factor *b, const map *m, uint64_t *state, uint64_t seed) {
  for (int i = 0; i < 3; i++) {
    uint32_t cell = free_cell(m, state);
    double one = 1.0;
    if (cell == UINT32_MAX) return;
    double *x = solve(a, m, &cell, &one, 1), *y = solve(b, m, &cell, &one, 1);
    bool same = memcmp(x, y, (size_t)m->width * m->height * sizeof *x) == 0;
    if (!same) print_error("seed %llu: bits differ\n", (unsigned long long)seed);
    assert_true(same);
    free(x);
    free(y);
  }
}

static void edit(map *m, uint64_t *state) {
  uint32_t x = 1 + below(state, m->width - 2), y = 1 + below(state, m->height - 2);
  uint8_t kind = (uint8_t)below(state, 3);
  fill(m, x, y, 1 + below(state, 6), 1 + below(state, 2), kind);
  if (below(state, 8) == 0) fill(m, x, y, 40, 40, kind);
  if (below(state, 20) == 0) m->screen += 0.25;
  if (below(state, 20) == 0) m->neumann = !m->neumann && m->screen > 0.0;
}

static void update_equals_make(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    map m = seed % 4 ? map_random(&state) : map_open(70 + below(&state, 60), 70 + below(&state, 60));
    th_factor *factor = make(&m);
    for (int round = 0; round < 5; round++) {
      edit(&m, &state);
      th_operator op = operator_of(&m);
      th_factor *next = NULL, *fresh = make(&m);
      assert_int_equal(th_grid_factor_update(factor, &op, &next, NULL), TH_OK);
      th_factor_release(factor); /* shared parts must outlive it */
      factor = next;
      assert_int_equal(th_factor_bytes(factor), th_factor_bytes(fresh));
      assert_same(factor, fresh, &m, &state, seed);
      th_factor_release(fresh);
    }
    th_factor_release(factor);
    free(m.kind);
  }
}

static void every_instruction_set_gives_the_same_bits(void **unused) {
  (void)unused;
  const char *old = getenv("TH_SIMD");
  char *keep = old ? strdup(old) : NULL;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    uint64_t state = seed;
    map m = seed < 9 ? map_random(&state) : map_open(40 + below(&state, 160), 40 + below(&state, 160));
    setenv("TH_SIMD", "four", 1);
    th_factor *narrow = make(&m);
    const char *const wide[] = {"avx2", "avx512"};
    for (int i = 0; i < 2; i++) {
      setenv("TH_SIMD", wide[i], 1);
      th_factor *factor = make(&m);
      assert_same(narrow, factor, &m, &state, seed);
      th_factor_release(factor);
    }
    th_factor_release(narrow);
    free(m.kind);
  }
  if (keep) {
    setenv("TH_SIMD", keep, 1);
  } else {
    unsetenv("TH_SIMD");
  }
  free(keep);
}

/* Makes and updates a factor; both may run out of memory. */
static th_result make_and_update(const th_env *env, void *context) {
  map *m = context;
  th_operator op = operator_of(m);
  th_factor *factor = NULL, *next = NULL;
  th_error error = {0};
  th_result result = th_grid_factor_make(env, &op, TH_SIMD_AUTO, &factor, &error);
  if (result == TH_OK) {
    m->kind[20 * m->width + 30] = TH_CELL_WALL;
    result = th_grid_factor_update(factor, &op, &next, &error);
    m->kind[20 * m->width + 30] = TH_CELL_FREE;
  }
  assert_int_equal(error.code, result);
  th_factor_release(next);
  th_factor_release(factor);
  return result;
}

static void every_allocation_may_fail(void **unused) {
  (void)unused;
  map m = map_open(90, 45);
  assert_true(failing_every(make_and_update, &m) > 50);
  free(m.kind);
}

static void bad_input_is_refused(void **unused) {
  (void)unused;
  map m = map_open(8, 6);
  th_factor *factor = NULL;
  th_error error = {0};
  th_operator op = operator_of(&m);
  op.screen = -1.0;
  assert_int_equal(th_grid_factor_make(NULL, &op, TH_SIMD_AUTO, &factor, &error), TH_ERROR_RANGE);
  op.screen = NAN;
  assert_int_equal(th_grid_factor_make(NULL, &op, TH_SIMD_AUTO, &factor, &error), TH_ERROR_RANGE);
  op.screen = 0.0;
  op.neumann = true;
  assert_int_equal(th_grid_factor_make(NULL, &op, TH_SIMD_AUTO, &factor, &error), TH_ERROR_RANGE);
  op.neumann = false;
  op.width = 0;
  assert_int_equal(th_grid_factor_make(NULL, &op, TH_SIMD_AUTO, &factor, &error), TH_ERROR_RANGE);
  op.width = 8;
  m.kind[7] = TH_CELL_FREE;
  assert_int_equal(th_grid_factor_make(NULL, &op, TH_SIMD_AUTO, &factor, &error), TH_ERROR_RANGE);
  assert_int_equal(error.element, 7);
  m.kind[7] = TH_CELL_WALL;
  assert_null(factor);
  assert_int_equal(th_grid_factor_make(NULL, &op, TH_SIMD_AUTO, &factor, NULL), TH_OK);
  map other = map_open(9, 6);
  th_operator wrong = operator_of(&other);
  th_factor *next = NULL;
  assert_int_equal(th_grid_factor_update(factor, &wrong, &next, &error), TH_ERROR_RANGE);
  assert_null(next);
  th_factor_release(factor);
  th_factor_release(NULL);
  free(m.kind);
  free(other.kind);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_cell_is_solved_exactly),
      cmocka_unit_test(random_maps_equal_a_dense_solve),
      cmocka_unit_test(serpentine_is_accurate_in_every_cell),
      cmocka_unit_test(update_equals_make),
      cmocka_unit_test(every_instruction_set_gives_the_same_bits),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
