/* field/direct/dense.h - dense kernels of one front, one set per instruction set, all with the same bits. */
#ifndef TH_FIELD_DIRECT_DENSE_H
#define TH_FIELD_DIRECT_DENSE_H

#include "base/simd/simd.h"

#define TH_DENSE_STRIP 4 /* rows of a strip */

/* Rows padded to whole strips. */
static inline size_t th_strip_rows(uint32_t count) {
  return ((size_t)count + TH_DENSE_STRIP - 1) / TH_DENSE_STRIP * TH_DENSE_STRIP;
}

/* Where strip s begins in a factor of `pivots` columns. Pivot strip s holds the columns up to its diagonal, 4 s + 4 of
 * them; a boundary strip holds all. */
static inline size_t th_strip_at(uint32_t pivots, size_t s) {
  size_t pivot_strips = ((size_t)pivots + TH_DENSE_STRIP - 1) / TH_DENSE_STRIP;
  if (s < pivot_strips || s == 0) return 8 * s * (s + 1);
  return 8 * (pivot_strips - (pivots > 0)) * pivot_strips +
         TH_DENSE_STRIP * (size_t)pivots * (s + (pivots > 0) - pivot_strips);
}

/* Where column 4 t of an update matrix of `rows` padded rows would have its row 0: the four columns of strip t are kept
 * from row 4 t on, `rows` - 4 t apart. */
static inline size_t th_update_at(size_t rows, size_t t) { return 4 * t * rows - 8 * t * (t - 1) - 4 * t; }

/* One front while it is factored. Rows: the pivots padded to whole strips (P), then the boundary padded (B).
 *   head    (P + B) x P, column by column: assembled entries of the pivot columns; destroyed
 *   strip   the factor in strips of four rows: row r, column k at th_strip_at(r / 4) + k * 4 + r % 4; the diagonal
 *           holds reciprocals
 *   update  lower triangle of B x B in strips of four columns: assembled entries, then the Schur complement; row r,
 *           column c at th_update_at(c / 4) + (c % 4) * (B - c / 4 * 4) + r
 * Padding is zero everywhere. */
typedef struct th_dense_front {
  uint32_t pivots, boundary;
  double *head, *strip, *update;
} th_dense_front;

/* Adds a child's update matrix: its row i stands at row `place[i]` (ascending) of the front. */
typedef struct th_dense_child {
  const double *update;
  uint32_t boundary;
  const uint32_t *place;
} th_dense_child;

typedef struct th_dense {
  void (*add)(const th_dense_front *front, const th_dense_child *child);
  /* False when a pivot is not positive. */
  bool (*factor)(const th_dense_front *front);
  /* local: P + B values, right-hand side of the pivots first. Solves the pivots and leaves in the boundary part what
   * is to be subtracted there. */
  void (*forward)(const th_dense_front *front, double *local);
  /* local: P right-hand sides of the pivots (result in place), B known values of the boundary, 4 P of scratch. */
  void (*backward)(const th_dense_front *front, double *local);
} th_dense;

TH_LANES_DECLARE(const th_dense *, th_dense, void);

/* The kernels of an instruction set that the processor has. */
static inline const th_dense *th_dense_pick(th_simd level) { return TH_LANES_PICK(level, th_dense)(); }

#endif
