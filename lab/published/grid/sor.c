/* lab/published/grid/sor.c - successive over-relaxation in red-black order.
 *
 * This is the baseline and the test reference; all other code uses the direct solver. The residual tells nothing about
 * cells that no information has reached. So sweeping stops on the largest change relative to the cell's own value, and
 * never before a value could cross the grid. Rows of averages go into a buffer in the first-level cache and are blended
 * in by a mask: compilers vectorise this, but not an in-place red-black loop. The black half follows the red one a row
 * behind, so that memory is read once per sweep. Cost: O(side) sweeps at Young's factor.
 */
#include "lab/published/grid/sor.h"

#include <math.h>

#include "base/memory.h"

typedef struct relaxer {
  uint32_t width, height;
  double omega, tolerance, min;
  double *weight;    /* omega / diagonal_c for free cells, else 0 */
  double *colour[2]; /* 1 in every other column, from column 0 and from column 1 */
  double *row;       /* new values of one row */
} relaxer;

static double diagonal_of(const th_operator *op, uint32_t c) {
  if (!op->neumann) return 4.0 + op->screen;
  const uint8_t *k = op->kind;
  uint32_t w = op->width;
  int count =
      (k[c - 1] != TH_CELL_WALL) + (k[c + 1] != TH_CELL_WALL) + (k[c - w] != TH_CELL_WALL) + (k[c + w] != TH_CELL_WALL);
  return (double)count + op->screen;
}

static void relaxer_free(relaxer *r, const th_allocator *allocator) {
  TH_GIVE(allocator, r->weight, (size_t)r->width * r->height);
  TH_GIVE(allocator, r->colour[0], r->width);
  TH_GIVE(allocator, r->colour[1], r->width);
  TH_GIVE(allocator, r->row, r->width);
}

static bool relaxer_make(relaxer *r, const th_allocator *allocator, const th_operator *op) {
  size_t size = (size_t)op->width * op->height;
  r->width = op->width;
  r->height = op->height;
  r->weight = TH_TAKE(allocator, double, size);
  r->colour[0] = TH_TAKE(allocator, double, op->width);
  r->colour[1] = TH_TAKE(allocator, double, op->width);
  r->row = TH_TAKE(allocator, double, op->width);
  if (!r->weight || !r->colour[0] || !r->colour[1] || !r->row) {
    relaxer_free(r, allocator);
    return false;
  }
  for (uint32_t i = 0; i < op->width; i++) r->colour[i & 1][i] = 1.0;
  for (uint32_t c = op->width; c < (uint32_t)size - op->width; c++) {
    double d = op->kind[c] == TH_CELL_FREE ? diagonal_of(op, c) : 0.0;
    r->weight[c] = d > 0.0 ? r->omega / d : 0.0;
  }
  return true;
}

/* One colour of one row: u += (omega / d) sum - omega u. Returns whether some cell changed by more than allowed. */
static bool relax_row(const relaxer *r, uint32_t j, uint32_t colour, double *u) {
  const double *weight = r->weight + (size_t)j * r->width, *mask = r->colour[(j + colour) & 1];
  double *own = u + (size_t)j * r->width, *row = r->row;
  const double *below = own - r->width, *above = own + r->width;
  const double omega = r->omega, tolerance = r->tolerance, min = r->min;
  double worst = -1.0;
  for (uint32_t i = 1; i + 1 < r->width; i++) {
    double fresh = own[i] + (weight[i] * ((own[i - 1] + own[i + 1]) + (below[i] + above[i])) - omega * own[i]);
    row[i] = weight[i] * mask[i] > 0.0 ? fresh : own[i];
  }
  for (uint32_t i = 1; i + 1 < r->width; i++) {
    double size = fabs(row[i]) > min ? fabs(row[i]) : min, excess = fabs(row[i] - own[i]) - tolerance * size;
    worst = excess > worst ? excess : worst;
    own[i] = row[i];
  }
  return worst > 0.0;
}

/* Red row j, then black row j - 1, whose red neighbours are all new by then. */
static bool relax_sweep(const relaxer *r, double *u) {
  bool moving = false;
  for (uint32_t j = 1; j < r->height; j++) {
    if (j + 1 < r->height) moving |= relax_row(r, j, 0, u);
    if (j > 1) moving |= relax_row(r, j - 1, 1, u);
  }
  return moving;
}

uint32_t th_relax_run(const th_allocator *allocator, const th_relax *relax, double *u) {
  relaxer r = {.omega = relax->omega, .tolerance = relax->tolerance, .min = relax->min};
  if (!relaxer_make(&r, allocator, &relax->op)) return 0;
  const uint32_t min = r.width > r.height ? r.width : r.height;
  uint32_t sweep = 0;
  bool moving = true;
  while (sweep < relax->max_sweeps && (moving || sweep < min)) {
    moving = relax_sweep(&r, u);
    sweep++;
  }
  relaxer_free(&r, allocator);
  return sweep;
}

/* Gauss-Seidel (omega 1) on the homogeneous problem shrinks the error by rho^2 per sweep. */
static double shrink(const relaxer *r, uint32_t rounds, double *e) {
  size_t size = (size_t)r->width * r->height;
  double ratio = 0.0, before = 0.0;
  for (uint32_t n = 0; n < rounds; n++) {
    (void)relax_sweep(r, e);
    double sum = 0.0;
    for (size_t c = 0; c < size; c++) sum += e[c] * e[c];
    if (n > 0 && before > 0.0) ratio = sqrt(sum / before);
    before = sum;
  }
  return ratio;
}

double th_relax_omega(const th_allocator *allocator, const th_operator *op, uint32_t rounds) {
  relaxer r = {.omega = 1.0};
  if (!relaxer_make(&r, allocator, op)) return 0.0;
  size_t size = (size_t)op->width * op->height;
  double *e = TH_TAKE(allocator, double, size), omega = 0.0;
  if (e) {
    for (size_t c = 0; c < size; c++) e[c] = op->kind[c] == TH_CELL_FREE ? 1.0 : 0.0;
    double rho_squared = shrink(&r, rounds, e);
    omega = 2.0 / (1.0 + sqrt(fmax(1.0 - rho_squared, 0.0)));
  }
  TH_GIVE(allocator, e, size);
  relaxer_free(&r, allocator);
  return omega;
}
