/* field/grid/factor.h - factorisations of the grid operator: its 5-point rows for field/direct/factor.h. */
#ifndef TH_FIELD_GRID_FACTOR_H
#define TH_FIELD_GRID_FACTOR_H

#include "field/direct/factor.h"
#include "field/grid/operator.h"

/* The operator as one of a graph, which refers to `op`. */
th_graph_operator th_grid_graph_operator(const th_operator *op);

/* Factors the operator. The result does not refer to `op` afterwards. */
th_result th_grid_factor_make(const th_env *env, const th_operator *op, th_simd simd, th_factor **factor,
                              th_error *error);

/* The factor of another operator on the same grid (same width, height): parts that the difference does not touch are
 * shared with `base`, not copied. Bit for bit equal to th_grid_factor_make(op). */
th_result th_grid_factor_update(const th_factor *base, const th_operator *op, th_factor **factor, th_error *error);

#endif
