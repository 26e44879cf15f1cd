/* field/front_dense.h - dense kernels of one front, one set per instruction set, all with the same bits. */
#ifndef TH_FIELD_FRONT_DENSE_H
#define TH_FIELD_FRONT_DENSE_H

#include "base/simd.h"

#define TH_STRIP 4 /* rows of a strip */

/* Rows padded to whole strips. */
static inline size_t th_strip_rows(uint32_t count) { return ((size_t)count + TH_STRIP - 1) / TH_STRIP * TH_STRIP; }

/* One front while it is factored. Rows: the pivots padded to whole strips (P), then the boundary padded (B).
 *   head    (P + B) x pivots, column by column: assembled entries of the pivot columns; destroyed
 *   strip   the factor's columns in strips of four rows: row r, column k at ((r / 4) * pivots + k) * 4 + r % 4;
 *           the diagonal holds reciprocals
 *   update  B x B, column by column, lower triangle: assembled entries, then the Schur complement
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
  /* local: P right-hand sides of the pivots (result in place), then B known values of the boundary. */
  void (*backward)(const th_dense_front *front, double *local);
} th_dense;

TH_LANES_DECLARE(const th_dense *, th_dense, void);

/* The kernels of an instruction set that the processor has. */
static inline const th_dense *th_dense_pick(th_simd level) { return TH_LANES_PICK(level, th_dense)(); }

#endif
