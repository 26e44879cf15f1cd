/* field/grid/operator.h - the screened Laplacian on the free cells of a grid, which relaxation and the direct solver
 * share. */
#ifndef TH_PUBLISHED_GRID_OPERATOR_H
#define TH_PUBLISHED_GRID_OPERATOR_H

#include "throng/base.h"
#include "throng/field.h"

/* The operator A on the free cells of a width x height grid (outermost ring: walls), row by row:
 *   (A u)_c = diagonal_c * u_c - sum of weight * u over free 4-neighbours
 *   weight     = 1 - less[0] along x, 1 - less[1] along y
 *   diagonal_c = screen + sum of the weights of all 4-neighbours       with Dirichlet walls
 *              = screen + sum of those of free and pinned 4-neighbours  with Neumann walls (screen must be > 0) */
typedef struct th_operator {
  uint32_t width, height;
  const uint8_t *kind; /* th_cell_kind */
  double screen;       /* >= 0 */
  bool neumann;
  double less[2]; /* [0, 1) */
} th_operator;

#endif
