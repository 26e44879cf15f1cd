/* bench/peers/peers.c - our solvers against other libraries, in one run, on one thread.
 *
 * Each figure is the median of several tries in process CPU time; both sides are timed in turn, so a busy machine
 * disturbs both alike. Arguments and output are those of throng_bench.
 */
#include "peers.h"

#include <cholmod.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "field/grid/factor.h"

void openblas_set_num_threads(int count);

#define SIZE 512u
#define BOXES 60
#define REPEATS 9

static double now_ms(void) { return 1e3 * th_bench_now(); }

static uint32_t below(uint64_t *state, uint32_t limit) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((*state >> 33) % limit);
}

/* A floor of boxes, about 85 % free. */
static uint8_t *rooms_map(void) {
  uint8_t *kind = calloc((size_t)SIZE * SIZE, 1);
  if (!kind) return NULL;
  uint64_t state = 2026;
  for (uint32_t y = 1; y + 1 < SIZE; y++) memset(kind + (size_t)y * SIZE + 1, TH_CELL_FREE, SIZE - 2);
  for (int box = 0; box < BOXES; box++) {
    uint32_t w = 8 + below(&state, 36), h = 8 + below(&state, 36);
    uint32_t x0 = 1 + below(&state, SIZE - 2 - w), y0 = 1 + below(&state, SIZE - 2 - h);
    for (uint32_t y = y0; y < y0 + h; y++) memset(kind + (size_t)y * SIZE + x0, TH_CELL_WALL, w);
  }
  return kind;
}

typedef struct samples {
  double value[REPEATS];
  uint32_t count;
} samples;

static double median(samples *s) { return th_bench_median(s->value, s->count); }

/* The same matrix for CHOLMOD; `number` maps cells to unknowns. */
static cholmod_sparse *peer_matrix(const th_operator *op, int *number, cholmod_common *common) {
  int count = 0;
  for (uint32_t c = 0; c < op->width * op->height; c++) number[c] = op->kind[c] == TH_CELL_FREE ? count++ : -1;
  cholmod_triplet *t =
      cholmod_allocate_triplet((size_t)count, (size_t)count, (size_t)count * 3, 1, CHOLMOD_REAL, common);
  if (!t) return NULL;
  int *row = t->i, *column = t->j;
  double *value = t->x;
  for (uint32_t c = 0; c < op->width * op->height; c++) {
    if (number[c] < 0) continue;
    const uint32_t other[3] = {c, c + 1, c + op->width};
    for (int i = 0; i < 3; i++) {
      if (number[other[i]] < 0) continue;
      row[t->nnz] = number[c];
      column[t->nnz] = number[other[i]];
      value[t->nnz++] = i ? -1.0 : 4.0 + op->screen;
    }
  }
  cholmod_sparse *matrix = cholmod_triplet_to_sparse(t, t->nnz, common);
  cholmod_free_triplet(&t, common);
  return matrix;
}

enum { ANALYSE, FACTOR, SOLVE, PHASES };
static const char *const phase_name[PHASES] = {"analyse", "factor", "solve"};

/* One of CHOLMOD's modes with its data. */
typedef struct peer {
  cholmod_common common;
  cholmod_sparse *matrix;
  cholmod_dense *b;
  samples phase[PHASES];
} peer;

static bool peer_start(peer *p, int mode, const th_operator *op, int *number, uint32_t goal) {
  cholmod_start(&p->common);
  p->common.supernodal = mode;
  p->common.nmethods = 1;
  p->common.method[0].ordering = CHOLMOD_AMD;
  p->matrix = peer_matrix(op, number, &p->common);
  if (!p->matrix) return false;
  p->b = cholmod_zeros(p->matrix->nrow, 1, CHOLMOD_REAL, &p->common);
  if (!p->b) return false;
  ((double *)p->b->x)[number[goal]] = 1.0;
  return true;
}

/* One repeat; returns the solution, which the caller frees. */
static cholmod_dense *peer_run(peer *p) {
  double t0 = now_ms();
  cholmod_factor *factor = cholmod_analyze(p->matrix, &p->common);
  double t1 = now_ms();
  cholmod_factorize(p->matrix, factor, &p->common);
  double t2 = now_ms();
  cholmod_dense *x = cholmod_solve(CHOLMOD_A, factor, p->b, &p->common);
  double t3 = now_ms();
  p->phase[ANALYSE].value[p->phase[ANALYSE].count++] = t1 - t0;
  p->phase[FACTOR].value[p->phase[FACTOR].count++] = t2 - t1;
  p->phase[SOLVE].value[p->phase[SOLVE].count++] = t3 - t2;
  cholmod_free_factor(&factor, &p->common);
  return x;
}

static void peer_end(peer *p) {
  cholmod_free_sparse(&p->matrix, &p->common);
  cholmod_free_dense(&p->b, &p->common);
  cholmod_finish(&p->common);
}

/* Our side: factor, solve, a door that opens, a region that is pinned. */
typedef struct ours {
  samples factor, solve, door, region;
  double worst; /* largest relative difference from CHOLMOD where both are well above its noise */
  size_t bytes;
} ours;

static void put(samples *s, double value) { s->value[s->count++] = value; }

/* Updates `base` after the cells of a box became `kind`, and solves; then puts the cells back. */
static double timed_edit(const th_factor *base, uint8_t *cells, const uint32_t box[4], uint8_t kind, bool with_solve) {
  static const double one = 1.0;
  uint8_t *old = malloc((size_t)SIZE * SIZE);
  double *x = malloc((size_t)SIZE * SIZE * sizeof *x), spent = -1.0;
  if (old && x) {
    memcpy(old, cells, (size_t)SIZE * SIZE);
    for (uint32_t y = box[1]; y < box[1] + box[3]; y++) memset(cells + (size_t)y * SIZE + box[0], kind, box[2]);
    th_operator op = {.width = SIZE, .height = SIZE, .kind = cells};
    th_factor *next = NULL;
    double t0 = now_ms();
    if (th_grid_factor_update(base, &op, &next, NULL) == TH_OK) {
      double *work = malloc(th_factor_work_size(next) * sizeof *work);
      uint32_t cell = (box[1] - 1) * SIZE + box[0];
      if (with_solve && work) th_factor_solve(next, &cell, &one, 1, x, work);
      spent = now_ms() - t0;
      free(work);
    }
    th_factor_release(next);
    memcpy(cells, old, (size_t)SIZE * SIZE);
  }
  free(old);
  free(x);
  return spent;
}

static bool ours_run(ours *o, uint8_t *cells, uint32_t goal, double *x) {
  th_operator op = {.width = SIZE, .height = SIZE, .kind = cells};
  th_factor *factor = NULL;
  double one = 1.0, t0 = now_ms();
  if (th_grid_factor_make(NULL, &op, TH_SIMD_AUTO, &factor, NULL) != TH_OK) return false;
  put(&o->factor, now_ms() - t0);
  double *work = malloc(th_factor_work_size(factor) * sizeof *work);
  if (work) {
    memset(work, 0, th_factor_work_size(factor) * sizeof *work);
    t0 = now_ms();
    th_factor_solve(factor, &goal, &one, 1, x, work);
    put(&o->solve, now_ms() - t0);
  }
  o->bytes = th_factor_bytes(factor);
  const uint32_t door[4] = {170, 233, 6, 1}, region[4] = {300, 200, 25, 25};
  put(&o->door,
      timed_edit(factor, cells, door, cells[233 * SIZE + 170] == TH_CELL_FREE ? TH_CELL_WALL : TH_CELL_FREE, false));
  put(&o->region, timed_edit(factor, cells, region, TH_CELL_PINNED, true));
  free(work);
  th_factor_release(factor);
  return true;
}

static void compare(ours *o, const double *x, const cholmod_dense *y, const int *number) {
  for (uint32_t c = 0; c < SIZE * SIZE; c++) {
    if (number[c] < 0) continue;
    double peer_value = ((const double *)y->x)[number[c]];
    double relative = (x[c] - peer_value) / peer_value;
    if (relative < 0.0) relative = -relative;
    if (peer_value > 1e-100 && !(relative <= o->worst)) o->worst = relative;
  }
}

static void print(th_bench *bench, const char *name, double value, const char *unit) {
  char full[96];
  snprintf(full, sizeof full, "field.grid512.%s", name);
  th_bench_report(bench, full, value, unit);
}

static void report(th_bench *bench, ours *o, peer mode[2]) {
  static const char *const mode_name[2] = {"simplicial", "supernodal"};
  double best[PHASES] = {1e300, 1e300, 1e300}, ready = 1e300;
  for (int m = 0; m < 2; m++) {
    double value[PHASES];
    for (int p = 0; p < PHASES; p++) {
      char name[64];
      value[p] = median(&mode[m].phase[p]);
      if (value[p] < best[p]) best[p] = value[p];
      snprintf(name, sizeof name, "cholmod_%s_%s_ms", mode_name[m], phase_name[p]);
      print(bench, name, value[p], "ms");
    }
    if (value[ANALYSE] + value[FACTOR] < ready) ready = value[ANALYSE] + value[FACTOR];
  }
  double factor = median(&o->factor), solve = median(&o->solve);
  print(bench, "factor_ms", factor, "ms");
  print(bench, "solve_ms", solve, "ms");
  print(bench, "factor_over_cholmod", factor / best[FACTOR], "ratio");
  print(bench, "solve_over_cholmod", solve / best[SOLVE], "ratio");
  print(bench, "ready_over_cholmod", factor / ready, "ratio");
  print(bench, "factor_door_over_factor", median(&o->door) / factor, "ratio");
  print(bench, "factor_region100_over_factor", median(&o->region) / factor, "ratio");
  print(bench, "factor_mib", (double)o->bytes / 1048576.0, "MiB");
  print(bench, "largest_difference_from_cholmod", o->worst, "ratio");
}

/* All repeats of both sides on one map; `number` and `x` have one entry per cell. */
static bool measure(ours *mine, peer mode[2], uint8_t *cells, int *number, double *x) {
  uint32_t goal = 60 * SIZE + 60;
  while (cells[goal] != TH_CELL_FREE) goal++;
  th_operator op = {.width = SIZE, .height = SIZE, .kind = cells};
  if (!peer_start(&mode[0], CHOLMOD_SIMPLICIAL, &op, number, goal)) return false;
  if (!peer_start(&mode[1], CHOLMOD_SUPERNODAL, &op, number, goal)) return false;
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    if (!ours_run(mine, cells, goal, x)) return false;
    for (int m = 0; m < 2; m++) {
      cholmod_dense *y = peer_run(&mode[m]);
      if (!y) return false;
      compare(mine, x, y, number);
      cholmod_free_dense(&y, &mode[m].common);
    }
  }
  return true;
}

static void peers_field(th_bench *bench) {
  if (!th_bench_wants(bench, "field.grid512")) return;
  peer mode[2] = {0};
  ours mine = {0};
  uint8_t *cells = rooms_map();
  int *number = malloc((size_t)SIZE * SIZE * sizeof *number);
  double *x = calloc((size_t)SIZE * SIZE, sizeof *x);
  if (cells && number && x && measure(&mine, mode, cells, number, x)) {
    report(bench, &mine, mode);
    for (int m = 0; m < 2; m++) peer_end(&mode[m]);
  } else {
    print(bench, "factor_ms", NAN, "ms");
  }
  free(cells);
  free(number);
  free(x);
}

int main(int argc, char **argv) {
  static const th_bench_case cases[] = {{"field", peers_field}, {"mesh", peers_mesh}, {NULL, NULL}};
  openblas_set_num_threads(1);
  return th_bench_main(argc, argv, cases);
}
