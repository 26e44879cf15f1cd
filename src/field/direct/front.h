/* field/direct/front.h - multifrontal Cholesky over any elimination tree; parts that an edit leaves alone are shared.
 */
#ifndef TH_FIELD_DIRECT_FRONT_H
#define TH_FIELD_DIRECT_FRONT_H

#include "field/direct/dense.h"
#include "field/direct/elimination.h"
#include "field/direct/graph.h"

/* One front of a factorisation: where its ranks and strips begin in its piece. */
typedef struct th_front {
  uint32_t pivots, boundary;
  size_t index, value;
} th_front;

/* The fronts of one piece in one block of memory, in the piece's own numbering: first the ranks of the piece, from 0,
 * then the rows outside it that its last front reaches, ascending. A block is a pure function of the matrix in its
 * piece, so pieces that look alike share one, within a factorisation and between factorisations. */
typedef struct th_front_block {
  atomic_uint references;
  size_t bytes;
  uint64_t hash;
  uint32_t span; /* ranks of the piece, absent unknowns included */
  uint32_t front_count, index_count;
  th_front *front;
  uint32_t *index; /* own numbering, ascending: pivots, then boundary, of each front */
  double *value;   /* strips of each front */
  double *update;  /* Schur complement of the last front */
} th_front_block;

/* A block at its place in the matrix. Shared by factorisations. */
typedef struct th_front_piece {
  atomic_uint references;
  uint32_t count; /* rows outside */
  th_front_block *block;
  uint32_t rank[]; /* of the rows outside, ascending */
} th_front_piece;

typedef struct th_fronts {
  th_allocator allocator;
  th_elimination *tree;
  th_simd simd; /* chosen */
  const th_dense *dense;
  th_front_piece **piece;
  size_t max_dense; /* doubles that the kernels need for the largest front */
  size_t max_local; /* own numbers of the largest piece */
  size_t bytes;
} th_fronts;

typedef struct th_fronts_def {
  th_allocator allocator;
  th_elimination *tree; /* retained */
  th_graph_operator op;
  th_simd simd;
  const th_fronts *base; /* shares the pieces that are not stale; or NULL */
  uint8_t *stale;        /* one flag per piece, with `base`; ancestors of stale pieces are flagged by the call */
} th_fronts_def;

/* Another factorisation, of an operator with its own tree: that of the ground before its vertices moved. */
typedef struct th_fronts_previous {
  const th_fronts *fronts;
  th_graph_operator op;
} th_fronts_previous;

/* Factors the operator. TH_ERROR_RANGE: it is not positive definite. */
th_result th_fronts_make(const th_fronts_def *def, th_fronts **fronts, th_error *error);

/* The same bits; pieces that look like one of `previous` (or NULL) share its block. */
th_result th_fronts_make_like(const th_fronts_def *def, const th_fronts_previous *previous, th_fronts **fronts,
                              th_error *error);
void th_fronts_release(th_fronts *fronts);
size_t th_fronts_bytes(const th_fronts *fronts);

/* Solves A x = b in place of the entries given: unknown[i] has the right-hand side value[i], all others 0. Writes x of
 * every unknown (0 for absent ones). */
typedef struct th_fronts_source {
  const uint32_t *unknown;
  const double *value;
  uint32_t count;
} th_fronts_source;

void th_fronts_solve(const th_fronts *fronts, th_fronts_source source, double *x, double *work);
size_t th_fronts_work_size(const th_fronts *fronts);

#endif
