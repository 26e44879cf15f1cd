/* field/mesh/mean.h - sweeps over the vertices of a mesh in which each takes the weighted mean of its neighbours. */
#ifndef TH_FIELD_MESH_MEAN_H
#define TH_FIELD_MESH_MEAN_H

#include "throng/mesh.h"

/* Weights of one vertex' neighbours; they sum to 1, or are all 0. */
typedef struct th_mean_row {
  const uint32_t *neighbour;
  double *weight;
  uint32_t count;
} th_mean_row;

/* Fills the weights with factor[0] Dmin + factor[1] Dmax - factor[2] D over their sum, D the distance of a neighbour,
 * Dmin and Dmax those of the nearest and the farthest one; returns the least of them before the division. */
double th_mean_weigh(const th_mesh *mesh, uint32_t v, const double factor[3], th_mean_row row);

/* One run over packed cells: cell[n] has the links row[n] to row[n + 1] - 1. */
typedef struct th_mean_pass {
  const uint32_t *cell, *row, *neighbour;
  const void *weight, *from; /* float or double */
  void *to;                  /* equal to `from` in place */
  double omega, tolerance, min;
  bool back;
} th_mean_pass;

/* The result of a run over cells. */
typedef struct th_mean_change {
  double e;      /* summed change */
  double excess; /* above 0: some cell changed by more than the tolerance */
} th_mean_change;

th_mean_change th_mean_sweep_double(const th_mean_pass *pass, uint32_t begin, uint32_t end);

#endif
