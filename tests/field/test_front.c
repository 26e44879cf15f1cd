/* tests/field/test_front.c - dense kernels against plain loops, bit for bit; the solver on graphs that are no 5-point
 * grid.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "field/direct/front.h"
#include "field/grid/dissection.h"
#include "support/allocator.h"
#include "support/unit.h"

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  uint64_t z = (*state ^ (*state >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double uniform(uint64_t *state) { return (double)(next_random(state) >> 11) * 0x1p-53; }

/* A dense front with the same numbers in plain columns: `whole` is (pivots + boundary) squared, lower triangle. */
typedef struct plain {
  uint32_t pivots, size;
  double *whole;
} plain;

static plain plain_make(uint32_t pivots, uint32_t boundary, uint64_t *state) {
  plain p = {pivots, pivots + boundary, calloc((size_t)(pivots + boundary) * (pivots + boundary), sizeof(double))};
  for (uint32_t j = 0; j < p.size; j++) {
    for (uint32_t i = j + 1; i < p.size; i++) p.whole[j * p.size + i] = -uniform(state);
    p.whole[j * p.size + j] = p.size + uniform(state);
  }
  return p;
}

/* Row of the padded front where row i of the plain one stands. */
static size_t row_of(const plain *p, uint32_t i) {
  return i < p->pivots ? i : th_strip_rows(p->pivots) + i - p->pivots;
}

static size_t update_at(size_t rows, size_t row, size_t column) {
  return th_update_at(rows, column / 4) + column % 4 * (rows - column / 4 * 4) + row;
}

typedef struct dense_room {
  th_dense_front front;
  size_t head, strip, update;
} dense_room;

static dense_room room_make(const plain *p) {
  size_t pivot_rows = th_strip_rows(p->pivots), boundary_rows = th_strip_rows(p->size - p->pivots);
  dense_room r = {{p->pivots, p->size - p->pivots, NULL, NULL, NULL}, 0, 0, 0};
  r.head = (pivot_rows + boundary_rows) * pivot_rows + 1;
  r.strip = th_strip_at(p->pivots, (pivot_rows + boundary_rows) / 4) + 1;
  r.update = boundary_rows * boundary_rows + 1;
  r.front.head = calloc(r.head, sizeof(double));
  r.front.strip = calloc(r.strip, sizeof(double));
  r.front.update = calloc(r.update, sizeof(double));
  return r;
}

static void room_free(dense_room *r) {
  free(r->front.head);
  free(r->front.strip);
  free(r->front.update);
}

static void room_fill(dense_room *r, const plain *p) {
  size_t pivot_rows = th_strip_rows(p->pivots), boundary_rows = th_strip_rows(p->size - p->pivots);
  for (uint32_t j = 0; j < p->size; j++) {
    for (uint32_t i = j; i < p->size; i++) {
      double value = p->whole[j * p->size + i];
      if (j < p->pivots) {
        r->front.head[j * (pivot_rows + boundary_rows) + row_of(p, i)] = value;
      } else {
        r->front.update[update_at(boundary_rows, i - p->pivots, j - p->pivots)] = value;
      }
    }
  }
}

/* Textbook elimination in the promised order; the diagonal of the pivots becomes reciprocals. */
static void plain_factor(plain *p) {
  double *a = p->whole;
  uint32_t n = p->size;
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = j; i < n; i++) {
      for (uint32_t k = 0; k < j && k < p->pivots; k++) a[j * n + i] -= a[k * n + i] * a[k * n + j];
    }
    if (j >= p->pivots) continue;
    a[j * n + j] = 1.0 / sqrt(a[j * n + j]);
    for (uint32_t i = j + 1; i < n; i++) a[j * n + i] *= a[j * n + j];
  }
}

static void assert_same_factor(const dense_room *r, const plain *p) {
  size_t boundary_rows = th_strip_rows(p->size - p->pivots);
  for (uint32_t j = 0; j < p->size; j++) {
    for (uint32_t i = j; i < p->size; i++) {
      size_t row = row_of(p, i);
      const double *got = j < p->pivots ? r->front.strip + th_strip_at(p->pivots, row / 4) + j * 4 + row % 4
                                        : r->front.update + update_at(boundary_rows, i - p->pivots, j - p->pivots);
      assert_memory_equal(got, &p->whole[j * p->size + i], sizeof(double));
    }
  }
}

/* Forward then backward with the front alone must solve L11 L11^T x = b, L21 giving the boundary's part. */
static void check_solves(const th_dense *dense, const dense_room *r, const plain *p, double *first) {
  size_t pivot_rows = th_strip_rows(p->pivots), boundary_rows = th_strip_rows(p->size - p->pivots);
  double *local = calloc(5 * pivot_rows + boundary_rows + 1, sizeof *local);
  long double *want = calloc(p->size + 1, sizeof *want);
  for (uint32_t i = 0; i < p->pivots; i++) want[i] = local[i] = 1.0 + i % 7;
  for (uint32_t j = 0; j < p->pivots; j++) {
    want[j] *= p->whole[j * p->size + j];
    for (uint32_t i = j + 1; i < p->size; i++) want[i] -= p->whole[j * p->size + i] * want[j];
  }
  dense->forward(&r->front, local);
  for (uint32_t i = 0; i < p->size; i++) {
    double sign = i < p->pivots ? 1.0 : -1.0;
    assert_true(fabsl(sign * local[row_of(p, i)] - want[i]) <= 1e-12L * fabsl(want[i]));
  }
  for (uint32_t i = p->pivots; i < p->size; i++) want[i] = local[row_of(p, i)] = 0.5 + i % 5;
  for (uint32_t j = p->pivots; j-- > 0;) {
    for (uint32_t i = j + 1; i < p->size; i++) want[j] -= p->whole[j * p->size + i] * want[i];
    want[j] *= p->whole[j * p->size + j];
  }
  dense->backward(&r->front, local);
  for (uint32_t i = 0; i < p->pivots; i++) assert_true(fabsl(local[i] - want[i]) <= 1e-12L * fabsl(want[i]));
  /* The first instruction set leaves its bits for the others. */
  if (isnan(first[0])) memcpy(first, local, p->pivots * sizeof *first);
  assert_memory_equal(first, local, p->pivots * sizeof *first);
  free(local);
  free(want);
}

static void kernels_match_plain_loops(void **unused) {
  (void)unused;
  const uint32_t pivots[] = {1, 2, 3, 4, 5, 8, 13, 63, 64, 65, 130, 260}, boundary[] = {0, 1, 3, 4, 9, 31, 70};
  uint64_t state = 7;
  for (size_t i = 0; i < sizeof pivots / sizeof *pivots; i++) {
    for (size_t k = 0; k < sizeof boundary / sizeof *boundary; k++) {
      plain p = plain_make(pivots[i], boundary[k], &state);
      dense_room r[TH_SIMD_AVX512 + 1];
      for (th_simd s = TH_SIMD_FOUR; s <= TH_SIMD_AVX512; s++) {
        r[s] = room_make(&p);
        room_fill(&r[s], &p);
      }
      plain_factor(&p);
      double *first = calloc(p.pivots, sizeof *first);
      first[0] = NAN;
      for (th_simd s = TH_SIMD_FOUR; s <= TH_SIMD_AVX512; s++) {
        const th_dense *dense = th_dense_pick(th_simd_choose(s));
        assert_true(dense->factor(&r[s].front));
        assert_same_factor(&r[s], &p);
        check_solves(dense, &r[s], &p, first);
        room_free(&r[s]);
      }
      free(first);
      free(p.whole);
    }
  }
}

static void a_pivot_of_zero_is_refused(void **unused) {
  (void)unused;
  uint64_t state = 3;
  for (uint32_t bad = 0; bad < 9; bad++) {
    plain p = plain_make(9, 6, &state);
    p.whole[bad * p.size + bad] = bad % 2 ? -1.0 : NAN;
    dense_room r = room_make(&p);
    room_fill(&r, &p);
    assert_false(th_dense_pick(th_simd_level())->factor(&r.front));
    room_free(&r);
    free(p.whole);
  }
}

/* A child's matrix arrives at its rows, in the head and in the update matrix. */
static void children_are_added_in_place(void **unused) {
  (void)unused;
  const uint32_t at[7] = {0, 1, 4, 8, 9, 10, 13}; /* of 5 pivots (padded to 8) and 7 boundary rows */
  for (th_simd s = TH_SIMD_FOUR; s <= TH_SIMD_AVX512; s++) {
    plain p = {5, 12, calloc(144, sizeof(double))};
    dense_room r = room_make(&p);
    double child[48] = {0};
    for (uint32_t j = 0; j < 7; j++)
      for (uint32_t i = j; i < 7; i++) child[update_at(8, i, j)] = 10.0 * j + i + 1.0;
    th_dense_child c = {child, 7, at};
    const th_dense *dense = th_dense_pick(th_simd_choose(s));
    dense->add(&r.front, &c);
    dense->add(&r.front, &c);
    double sum = 0.0, want = 0.0;
    for (uint32_t j = 0; j < 7; j++) {
      for (uint32_t i = j; i < 7; i++) {
        double got = at[j] < 8 ? r.front.head[at[j] * 16 + at[i]] : r.front.update[update_at(8, at[i] - 8, at[j] - 8)];
        assert_true(got == 2.0 * (10.0 * j + i + 1.0));
        want += got;
      }
    }
    for (size_t i = 0; i < r.head; i++) sum += r.front.head[i];
    for (size_t i = 0; i < r.update; i++) sum += r.front.update[i];
    assert_true(sum == want); /* and nowhere else */
    room_free(&r);
    free(p.whole);
  }
}

/* A symmetric M-matrix on a grid with diagonals: up to 8 neighbours of any weight, some unknowns absent. */
typedef struct graph {
  uint32_t width, count;
  uint8_t *kind;
  double *sink, *diagonal; /* diagonal 0: absent */
  uint32_t *degree, *other;
  double *weight;
} graph;

static void list_graph(const void *user, uint32_t unknown, th_graph_row *row) {
  const graph *g = user;
  row->count = g->degree[unknown];
  row->other = g->other + 8 * (size_t)unknown;
  row->weight = g->weight + 8 * (size_t)unknown;
}

static void link_two(graph *g, uint32_t a, uint32_t b, double weight) {
  if (g->diagonal[a] == 0.0 || g->diagonal[b] == 0.0) return;
  const uint32_t pair[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    size_t slot = 8 * (size_t)pair[i] + g->degree[pair[i]]++;
    g->other[slot] = pair[1 - i];
    g->weight[slot] = weight;
    g->diagonal[pair[i]] += weight;
  }
}

/* absent: share of unknowns that are missing; uneven: every weight differs. */
static graph graph_make(uint32_t width, uint32_t height, double absent, bool uneven, uint64_t *state) {
  graph g = {.width = width, .count = width * height};
  g.kind = calloc(g.count, sizeof *g.kind);
  g.sink = calloc(g.count, sizeof *g.sink);
  g.diagonal = calloc(g.count, sizeof *g.diagonal);
  g.degree = calloc(g.count, sizeof *g.degree);
  g.other = calloc((size_t)g.count * 8, sizeof *g.other);
  g.weight = calloc((size_t)g.count * 8, sizeof *g.weight);
  for (uint32_t i = 0; i < g.count; i++) {
    g.kind[i] = uniform(state) < absent ? TH_CELL_WALL : TH_CELL_FREE;
    g.sink[i] = g.diagonal[i] = g.kind[i] == TH_CELL_FREE ? 0.125 : 0.0;
  }
  for (uint32_t i = 0; i < g.count; i++) {
    bool right = i % width + 1 < width, left = i % width > 0, up = i + width < g.count;
    double w[4];
    for (int k = 0; k < 4; k++) w[k] = uneven ? 0.1 + uniform(state) : 0.5;
    if (right) link_two(&g, i, i + 1, w[0]);
    if (up) link_two(&g, i, i + width, w[1]);
    if (up && right) link_two(&g, i, i + width + 1, w[2]);
    if (up && left) link_two(&g, i, i + width - 1, w[3]);
  }
  return g;
}

static void graph_free(graph *g) {
  free(g->kind);
  free(g->sink);
  free(g->diagonal);
  free(g->degree);
  free(g->other);
  free(g->weight);
}

/* The residual of a dense long-double solve would prove little: eliminate densely and compare every unknown. */
static long double *graph_oracle(const graph *g, uint32_t source) {
  uint32_t n = g->count;
  long double *a = calloc((size_t)n * n, sizeof *a), *x = calloc(n, sizeof *x);
  for (uint32_t i = 0; i < n; i++) {
    a[(size_t)i * n + i] = g->diagonal[i] == 0.0 ? 1.0L : g->diagonal[i];
    for (uint32_t k = 0; k < g->degree[i]; k++) a[(size_t)i * n + g->other[8 * i + k]] = -g->weight[8 * i + k];
  }
  x[source] = 1.0L;
  for (uint32_t k = 0; k < n; k++) {
    for (uint32_t i = k + 1; i < n; i++) {
      long double l = a[(size_t)i * n + k] / a[(size_t)k * n + k];
      if (l == 0.0L) continue;
      for (uint32_t j = k; j < n; j++) a[(size_t)i * n + j] -= l * a[(size_t)k * n + j];
      x[i] -= l * x[k];
    }
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t j = i + 1; j < n; j++) x[i] -= a[(size_t)i * n + j] * x[j];
    x[i] /= a[(size_t)i * n + i];
  }
  free(a);
  return x;
}

static th_result graph_factor(const th_env *env, const graph *g, th_fronts **fronts) {
  th_elimination *tree = th_dissection_make(&env->allocator, g->width, g->count / g->width, 12, 64);
  if (!tree) return TH_ERROR_MEMORY;
  th_fronts_def def = {.allocator = env->allocator, .tree = tree};
  def.op = (th_graph_operator){.graph = {g->count, list_graph, g}, .kind = g->kind, .sink = g->sink};
  th_result result = th_fronts_make(&def, fronts, NULL);
  th_elimination_release(tree);
  return result;
}

static void any_graph_can_be_solved(void **unused) {
  (void)unused;
  th_env env = th_env_complete(NULL);
  for (uint64_t seed = 1; seed <= 12; seed++) {
    uint64_t state = seed;
    graph g = graph_make(10 + (uint32_t)(seed * 7 % 13), 12 + (uint32_t)(seed % 9), (double)(seed % 3) * 0.2, seed % 2,
                         &state);
    th_fronts *fronts = NULL;
    assert_int_equal(graph_factor(&env, &g, &fronts), TH_OK);
    uint32_t source = (uint32_t)(next_random(&state) % g.count);
    while (g.diagonal[source] == 0.0) source = (source + 1) % g.count;
    double one = 1.0, *x = calloc(g.count, sizeof *x), *work = calloc(th_fronts_work_size(fronts), sizeof *work);
    th_fronts_solve(fronts, (th_fronts_source){&source, &one, 1}, x, work);
    long double *want = graph_oracle(&g, source);
    for (uint32_t i = 0; i < g.count; i++) {
      bool good = g.diagonal[i] == 0.0 ? x[i] == 0.0 : fabsl(x[i] - want[i]) <= 1e-12L * want[i];
      if (!good) print_error("seed %llu, unknown %u: %.17g\n", (unsigned long long)seed, i, x[i]);
      assert_true(good);
    }
    free(want);
    free(x);
    free(work);
    th_fronts_release(fronts);
    graph_free(&g);
  }
}

static void alike_pieces_share_memory(void **unused) {
  (void)unused;
  th_env env = th_env_complete(NULL);
  size_t bytes[2];
  for (int uneven = 0; uneven < 2; uneven++) {
    uint64_t state = 5;
    graph g = graph_make(127, 127, 0.0, uneven, &state);
    th_fronts *fronts = NULL;
    assert_int_equal(graph_factor(&env, &g, &fronts), TH_OK);
    bytes[uneven] = th_fronts_bytes(fronts);
    th_fronts_release(fronts);
    graph_free(&g);
  }
  assert_true((double)bytes[0] < 0.7 * (double)bytes[1]);
}

static th_result build(const th_env *env, void *context) {
  th_fronts *fronts = NULL;
  th_result result = graph_factor(env, context, &fronts);
  if (result == TH_OK) th_fronts_release(fronts);
  return result;
}

static void every_allocation_may_fail(void **unused) {
  (void)unused;
  uint64_t state = 9;
  graph g = graph_make(20, 15, 0.1, true, &state);
  assert_true(failing_every(build, &g) > 10);
  graph_free(&g);
}

static void an_indefinite_matrix_is_refused(void **unused) {
  (void)unused;
  uint64_t state = 11;
  failing f = {0};
  th_env env = failing_env(&f);
  graph g = graph_make(30, 30, 0.0, true, &state);
  g.sink[450] += 1e-3 - g.diagonal[450];
  th_fronts *fronts = NULL;
  assert_int_equal(graph_factor(&env, &g, &fronts), TH_ERROR_RANGE);
  assert_null(fronts);
  failing_assert_empty(&f);
  graph_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_match_plain_loops),       cmocka_unit_test(a_pivot_of_zero_is_refused),
      cmocka_unit_test(children_are_added_in_place),     cmocka_unit_test(any_graph_can_be_solved),
      cmocka_unit_test(alike_pieces_share_memory),       cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(an_indefinite_matrix_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
