/* field/relax.c - successive over-relaxation in red-black order.
 *
 * Baseline and test reference; everybody else uses the direct solver. The residual says nothing about cells that no
 * information has reached, so the sweep stops on the largest change relative to the cell's own value, and never
 * before a value could cross the grid. Each half sweep computes a whole row of averages into a buffer in the first
 * cache and blends it by a mask of weights (omega / diagonal on this colour's free cells, else 0), which compilers
 * vectorise; an in-place red-black loop they do not. Cost: 2 passes of the grid a sweep, O(side) sweeps at Young's
 * factor.
 */
#include "field/relax.h"

#include <math.h>

#include "base/memory.h"

typedef struct relaxer {
  uint32_t width, height;
  double *weight[2]; /* omega / diagonal_c for the free cells of each colour, else 0 */
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
  size_t size = (size_t)r->width * r->height;
  TH_GIVE(allocator, r->weight[0], size);
  TH_GIVE(allocator, r->weight[1], size);
  TH_GIVE(allocator, r->row, r->width);
}

static bool relaxer_make(relaxer *r, const th_allocator *allocator, const th_operator *op, double omega) {
  size_t size = (size_t)op->width * op->height;
  *r = (relaxer){op->width,
                 op->height,
                 {TH_TAKE(allocator, double, size), TH_TAKE(allocator, double, size)},
                 TH_TAKE(allocator, double, op->width)};
  if (!r->weight[0] || !r->weight[1] || !r->row) {
    relaxer_free(r, allocator);
    return false;
  }
  for (uint32_t c = op->width; c < (uint32_t)size - op->width; c++)
    if (op->kind[c] == TH_CELL_FREE) {
      double d = diagonal_of(op, c);
      r->weight[(c % op->width + c / op->width) & 1][c] = d > 0.0 ? omega / d : 0.0;
    }
  return true;
}

/* One colour of one row: u += (omega / d) (sum - d u), written as (1 - omega) u + (omega / d) sum. Returns whether
 * some cell changed by more than `tolerance` of its new value. */
static bool relax_row(const relaxer *r, uint32_t j, int colour, const double by[2], double *u) {
  const double *weight = r->weight[colour] + (size_t)j * r->width;
  double *own = u + (size_t)j * r->width, *row = r->row;
  const double *below = own - r->width, *above = own + r->width;
  const double omega = by[0], tolerance = by[1];
  double worst = -1.0;
  for (uint32_t i = 1; i + 1 < r->width; i++) {
    double fresh = own[i] + (weight[i] * ((own[i - 1] + own[i + 1]) + (below[i] + above[i])) - omega * own[i]);
    row[i] = weight[i] > 0.0 ? fresh : own[i];
  }
  for (uint32_t i = 1; i + 1 < r->width; i++) {
    double excess = fabs(row[i] - own[i]) - tolerance * fabs(row[i]);
    worst = excess > worst ? excess : worst;
    own[i] = row[i];
  }
  return worst > 0.0;
}

uint32_t th_relax_run(const th_allocator *allocator, const th_relax *relax, double *u) {
  relaxer r;
  if (!relaxer_make(&r, allocator, &relax->op, relax->omega)) return 0;
  const uint32_t least = r.width > r.height ? r.width : r.height;
  const double by[2] = {relax->omega, relax->tolerance};
  uint32_t sweep = 0;
  bool moving = true;
  while (sweep < relax->most && (moving || sweep < least)) {
    moving = false;
    for (int colour = 0; colour < 2; colour++)
      for (uint32_t j = 1; j + 1 < r.height; j++) moving |= relax_row(&r, j, colour, by, u);
    sweep++;
  }
  relaxer_free(&r, allocator);
  return sweep;
}

/* Gauss-Seidel (omega 1) on the homogeneous problem shrinks the error by rho^2 a sweep. */
static double shrink(const relaxer *r, uint32_t rounds, double *e) {
  const double by[2] = {1.0, 0.0};
  size_t size = (size_t)r->width * r->height;
  double ratio = 0.0, before = 0.0;
  for (uint32_t n = 0; n < rounds; n++) {
    for (int colour = 0; colour < 2; colour++)
      for (uint32_t j = 1; j + 1 < r->height; j++) (void)relax_row(r, j, colour, by, e);
    double sum = 0.0;
    for (size_t c = 0; c < size; c++) sum += e[c] * e[c];
    if (n > 0 && before > 0.0) ratio = sqrt(sum / before);
    before = sum;
  }
  return ratio;
}

double th_relax_omega(const th_allocator *allocator, const th_operator *op, uint32_t rounds) {
  relaxer r;
  if (!relaxer_make(&r, allocator, op, 1.0)) return 0.0;
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
