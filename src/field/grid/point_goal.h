/* field/grid/point_goal.h - makes the field isotropic around a goal of one cell. */
#ifndef TH_FIELD_GRID_POINT_GOAL_H
#define TH_FIELD_GRID_POINT_GOAL_H

#include "field/grid/field.h"

#define TH_POINT_GOAL_REACH 12 /* cells to each side: there the grid turns directions by only 0.1 degrees */

enum { TH_POINT_GOAL_SIDE = 2 * TH_POINT_GOAL_REACH + 5 }; /* with two rows of rim on each side */

/* A rectangle of free cells about the goal, and the rim around it. */
typedef struct th_point_goal {
  uint32_t i0, j0, columns, rows; /* of the rectangle; no rows: the field stays as it is */
  double rate;                    /* W = exp(-rate u) */
  double u[TH_POINT_GOAL_SIDE][TH_POINT_GOAL_SIDE];
  double w[TH_POINT_GOAL_SIDE][TH_POINT_GOAL_SIDE]; /* the spline's coefficients of W; [2][2] is cell i0, j0 */
} th_point_goal;

/* Makes an isotropic u around the goal; the field's own u stays. */
void th_point_goal_make(const th_field_build *build, th_point_goal *round);

/* Whether the node of a cell is filled from the isotropic u. */
static inline bool th_point_goal_holds(const th_point_goal *round, uint32_t c, uint32_t width) {
  return c / width - round->j0 < round->rows && c % width - round->i0 < round->columns;
}

/* The values of a cell's neighbours minus its own, in the rectangle, th_cell_neighbour order. */
void th_point_goal_more(const th_point_goal *round, uint32_t c, uint32_t width, double more[8]);

#endif
