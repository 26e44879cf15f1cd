/* field/direct/factor.h - factorisations of a graph's operator that are updated, not redone, after an edit. */
#ifndef TH_FIELD_DIRECT_FACTOR_H
#define TH_FIELD_DIRECT_FACTOR_H

#include "field/direct/front.h"
#include "field/direct/graph.h"

/* The numbers from which the rows of an operator are computed. Together with the kinds of the unknowns they identify a
 * factor of a graph. */
typedef struct th_factor_rule {
  bool neumann;
  double screen;  /* loss of u everywhere */
  double haste;   /* meshes: further loss, times the slowness of the ground squared */
  double less[2]; /* grids: 1 - weight along x and along y */
  uint32_t width; /* grids: cells of a row */
} th_factor_rule;

static inline bool th_factor_rule_same(const th_factor_rule *a, const th_factor_rule *b) {
  return a->neumann == b->neumann && a->screen == b->screen && a->haste == b->haste && a->less[0] == b->less[0] &&
         a->less[1] == b->less[1] && a->width == b->width;
}

typedef struct th_factor {
  th_allocator allocator;
  th_factor_rule rule;
  uint32_t count; /* unknowns */
  uint8_t *kind;
  th_fronts *fronts;
} th_factor;

typedef struct th_factor_def {
  th_allocator allocator;
  th_elimination *tree; /* retained */
  th_factor_rule rule;
  th_simd simd;              /* default auto */
  th_graph_operator op;      /* not referred to afterwards */
  const th_factor *base;     /* of the same graph and tree: pieces whose rows are the same are shared; or NULL */
  const th_factor *previous; /* of another graph: pieces that look alike are shared; or NULL */
  th_graph_operator previous_op;
} th_factor_def;

/* Factors the operator; bit for bit the same with `base` or `previous` as without. */
th_result th_factor_make(const th_factor_def *def, th_factor **factor, th_error *error);

/* The factor of another operator of the same graph and rule. */
th_result th_factor_update(const th_factor *base, const th_graph_operator *op, th_factor **factor, th_error *error);

void th_factor_release(th_factor *factor);

/* Solves A x = b, where b is zero but for `count` entries (unknown[i], value[i] >= 0; free ones). Writes x of every
 * unknown (0 where it is not free). `work` holds th_factor_work_size() doubles. Reads the factor only, so several
 * solves may run at once with their own work. */
void th_factor_solve(const th_factor *factor, const uint32_t *unknown, const double *value, uint32_t count, double *x,
                     double *work);
size_t th_factor_work_size(const th_factor *factor);

/* Bytes held, shared parts included. */
size_t th_factor_bytes(const th_factor *factor);

#endif
