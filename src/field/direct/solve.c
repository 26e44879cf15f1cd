/* field/direct/solve.c - the two triangular solves of a multifrontal factorisation.
 *
 * L y = b runs only over the fronts between the sources and the root, because y is zero elsewhere; L^T x = y runs over
 * all fronts from the root down. Right-hand sides and results are kept by rank, where the pivots of a front are close
 * together. All terms have one sign (M-matrix, b >= 0), so x is accurate relatively in every unknown.
 * Cost: one pass over the factor, bound by memory.
 */
#include <string.h>

#include "field/direct/front.h"

static size_t mark_doubles(const th_fronts *fronts) { return (fronts->tree->node_count + 7) / 8; }

size_t th_fronts_work_size(const th_fronts *fronts) {
  return fronts->tree->unknown_count + mark_doubles(fronts) + fronts->max_local + fronts->max_dense;
}

static void mark_paths(const th_elimination *tree, th_fronts_source source, uint8_t *mark) {
  for (uint32_t i = 0; i < source.count; i++) {
    uint32_t node = th_elimination_node_of(tree, source.unknown[i]);
    for (; node != TH_NO_NODE && !mark[node]; node = tree->node[node].parent) mark[node] = 1;
  }
}

/* A piece while it is solved: its values in its own numbering, and memory for one front. */
typedef struct solving {
  const th_dense *dense;
  const th_front_block *block;
  double *own, *local;
} solving;

static void solve_forward(const solving *s, const th_front *front) {
  const uint32_t *index = s->block->index + front->index, *boundary = index + front->pivots;
  size_t pivot_rows = th_strip_rows(front->pivots);
  th_dense_front dense = {front->pivots, front->boundary, NULL, s->block->value + front->value, NULL};
  for (uint32_t i = 0; i < front->pivots; i++) s->local[i] = s->own[index[i]];
  s->dense->forward(&dense, s->local);
  for (uint32_t i = 0; i < front->pivots; i++) s->own[index[i]] = s->local[i];
  for (uint32_t i = 0; i < front->boundary; i++) s->own[boundary[i]] -= s->local[pivot_rows + i];
}

static void solve_backward(const solving *s, const th_front *front) {
  const uint32_t *index = s->block->index + front->index, *boundary = index + front->pivots;
  size_t pivot_rows = th_strip_rows(front->pivots), boundary_rows = th_strip_rows(front->boundary);
  th_dense_front dense = {front->pivots, front->boundary, NULL, s->block->value + front->value, NULL};
  for (uint32_t i = 0; i < front->pivots; i++) s->local[i] = s->own[index[i]];
  for (size_t i = front->pivots; i < pivot_rows; i++) s->local[i] = 0.0;
  double *known = s->local + pivot_rows;
  for (uint32_t i = 0; i < front->boundary; i++) known[i] = s->own[boundary[i]];
  for (size_t i = front->boundary; i < boundary_rows; i++) known[i] = 0.0;
  s->dense->backward(&dense, s->local);
  for (uint32_t i = 0; i < front->pivots; i++) s->own[index[i]] = s->local[i];
}

static void load(const solving *s, const th_front_piece *piece, const double *inside, const double *y) {
  memcpy(s->own, inside, s->block->span * sizeof *y);
  for (uint32_t i = 0; i < piece->count; i++) s->own[s->block->span + i] = y[piece->rank[i]];
}

static void forward_piece(solving *s, const th_front_piece *piece, const uint8_t *mark, double *inside, double *y) {
  s->block = piece->block;
  load(s, piece, inside, y);
  for (uint32_t i = 0; i < s->block->front_count; i++) {
    if (mark[i]) solve_forward(s, &s->block->front[i]);
  }
  memcpy(inside, s->own, s->block->span * sizeof *y);
  for (uint32_t i = 0; i < piece->count; i++) y[piece->rank[i]] = s->own[s->block->span + i];
}

static void backward_piece(solving *s, const th_front_piece *piece, double *inside, const double *y) {
  s->block = piece->block;
  load(s, piece, inside, y);
  for (uint32_t i = s->block->front_count; i-- > 0;) solve_backward(s, &s->block->front[i]);
  memcpy(inside, s->own, s->block->span * sizeof *y);
}

void th_fronts_solve(const th_fronts *fronts, th_fronts_source source, double *x, double *work) {
  const th_elimination *tree = fronts->tree;
  size_t known = tree->unknown_count + mark_doubles(fronts);
  double *y = work;
  uint8_t *mark = (uint8_t *)(work + tree->unknown_count);
  solving s = {fronts->dense, NULL, work + known, work + known + fronts->max_local};
  memset(work, 0, known * sizeof *work);
  for (uint32_t i = 0; i < source.count; i++) y[tree->rank[source.unknown[i]]] += source.value[i];
  mark_paths(tree, source, mark);
  for (uint32_t at = 0; at < tree->piece_count; at++) {
    /* Paths lead to the root, so a piece is on one when its last node is. */
    if (!mark[tree->piece_end[at]]) continue;
    uint32_t begin = th_elimination_piece_begin(tree, at);
    forward_piece(&s, fronts->piece[at], mark + begin, y + tree->node[begin].first, y);
  }
  for (uint32_t at = tree->piece_count; at-- > 0;) {
    backward_piece(&s, fronts->piece[at], y + tree->node[th_elimination_piece_begin(tree, at)].first, y);
  }
  for (uint32_t rank = 0; rank < tree->unknown_count; rank++) x[tree->order[rank]] = y[rank];
}
