/* field/direct/graph.h - a weighted graph and the operator that fields are solved with on it. Grids and meshes both are
 * such graphs: each supplies the rows, and the solver depends on neither. */
#ifndef TH_FIELD_DIRECT_GRAPH_H
#define TH_FIELD_DIRECT_GRAPH_H

#include "throng/base.h"
#include "throng/field.h"

#define TH_ROW_CAPACITY 4

/* The neighbours of an unknown, whatever their kind, and the weights of the edges to them. */
typedef struct th_graph_row {
  uint32_t count;
  const uint32_t *other;               /* may point to own_other */
  const double *weight;                /* > 0; may point to own_weight */
  uint32_t own_other[TH_ROW_CAPACITY]; /* for a graph that computes its rows instead of keeping them */
  double own_weight[TH_ROW_CAPACITY];
} th_graph_row;

/* A symmetric graph: one function that lists a row. It is called only for unknowns that some operator has free or
 * pinned (a grid's outermost ring never is). */
typedef struct th_graph {
  uint32_t count; /* unknowns */
  void (*row)(const void *user, uint32_t unknown, th_graph_row *row);
  const void *user;
} th_graph;

/* The operator A on the free unknowns, a symmetric M-matrix:
 *   (A u)_i = diagonal_i u_i - sum of w_ij u_j over free neighbours j
 *   diagonal_i = sum of w_ij over all neighbours + sink_i               with Dirichlet walls
 *              = sum of w_ij over free and pinned neighbours + sink_i   with Neumann walls */
typedef struct th_graph_operator {
  th_graph graph;
  const uint8_t *kind; /* th_cell_kind of each unknown */
  const double *sink;  /* >= 0, of each unknown; NULL: `screen` everywhere */
  double screen;       /* >= 0 */
  bool neumann;
} th_graph_operator;

static inline double th_graph_diagonal(const th_graph_operator *op, const th_graph_row *row, uint32_t unknown) {
  double sum = 0.0;
  for (uint32_t k = 0; k < row->count; k++)
    if (!op->neumann || op->kind[row->other[k]] != TH_CELL_WALL) sum += row->weight[k];
  return sum + (op->sink ? op->sink[unknown] : op->screen);
}

#endif
