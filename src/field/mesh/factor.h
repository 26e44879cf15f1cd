/* field/mesh/factor.h - factorisations of a mesh graph's operator. */
#ifndef TH_FIELD_MESH_FACTOR_H
#define TH_FIELD_MESH_FACTOR_H

#include "field/direct/front.h"
#include "field/grid/factor.h"
#include "field/mesh/graph.h"

/* The operator A on the free vertices of a graph:
 *   (A u)_i = diagonal_i u_i - sum of w_ij u_j over free neighbours j
 *   diagonal_i = sum of w_ij over all neighbours + sink_i                    with Dirichlet walls
 *              = sum of w_ij over free and pinned neighbours + sink_i        with Neumann walls */
typedef struct th_mesh_operator {
  const th_mesh_graph *graph;
  const uint8_t *kind; /* th_cell_kind of each vertex */
  const double *sink;  /* >= 0 */
  bool neumann;
} th_mesh_operator;

typedef struct th_mesh_factor {
  th_allocator allocator;
  uint32_t vertex_count;
  uint8_t *kind;
  bool neumann;
  th_fronts *fronts;
} th_mesh_factor;

/* With `base`, a factor of the same graph, sinks and wall rule: what the kinds leave alone is shared, and the result is
 * bit for bit the one without. */
th_result th_mesh_factor_make(const th_mesh_operator *op, th_tree *tree, const th_mesh_factor *base,
                              th_mesh_factor **factor, th_error *error);
/* The same bits as without `previous`, the factor of another version's operator `previous_op`: what they have alike is
 * shared. */
th_result th_mesh_factor_follow(const th_mesh_operator *op, th_tree *tree, const th_mesh_factor *previous,
                                const th_mesh_operator *previous_op, th_mesh_factor **factor, th_error *error);
void th_mesh_factor_release(th_mesh_factor *factor);

#endif
