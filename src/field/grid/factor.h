/* field/grid/factor.h - a sparse factorisation of the grid operator that is updated, not redone, after an edit. */
#ifndef TH_FIELD_GRID_FACTOR_H
#define TH_FIELD_GRID_FACTOR_H

#include "relax/grid/operator.h"

typedef struct th_factor th_factor;

/* Factors the operator. The result does not refer to `op` afterwards. */
th_result th_factor_make(const th_env *env, const th_operator *op, th_factor **factor, th_error *error);

/* The factor of another operator on the same grid (same width, height): parts that the difference does not touch are
 * shared with `base`, not copied. Bit for bit equal to th_factor_make(op). */
th_result th_factor_update(const th_factor *base, const th_operator *op, th_factor **factor, th_error *error);

void th_factor_release(th_factor *factor);

/* Solves A x = b, where b is zero but for `count` entries (cell[i], value[i] >= 0; free cells). Writes x on every
 * cell of the grid (0 outside the free cells). `work` holds th_factor_work_size() doubles. Reads the factor only, so
 * several solves may run at once with their own work. */
void th_factor_solve(const th_factor *factor, const uint32_t *cell, const double *value, uint32_t count, double *x,
                     double *work);
size_t th_factor_work_size(const th_factor *factor);

/* Bytes held, shared parts included. */
size_t th_factor_bytes(const th_factor *factor);

#endif
