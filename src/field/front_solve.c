/* field/front_solve.c - the two triangular solves of a multifrontal factorisation.
 *
 * L y = b runs only over the fronts between the sources and the root, because y is zero elsewhere; L^T x = y runs over
 * all fronts from the root down. Right-hand sides and results are kept by rank, where the pivots of a front are close
 * together. All terms have one sign (M-matrix, b >= 0), so x is accurate relatively in every unknown.
 * Cost: one pass over the factor, bound by memory.
 */
#include <string.h>

#include "field/front.h"

static size_t mark_doubles(const th_fronts *fronts) { return (fronts->tree->node_count + 7) / 8; }

size_t th_fronts_work_size(const th_fronts *fronts) {
  return fronts->tree->unknown_count + mark_doubles(fronts) + fronts->most_rows;
}

static void mark_paths(const th_tree *tree, th_fronts_source source, uint8_t *mark) {
  for (uint32_t i = 0; i < source.count; i++) {
    uint32_t node = th_tree_node_of(tree, source.unknown[i]);
    for (; node != TH_NO_NODE && !mark[node]; node = tree->node[node].parent) mark[node] = 1;
  }
}

static void solve_forward(const th_fronts *fronts, const th_front_piece *piece, const th_front *front, double *y,
                          double *local) {
  const uint32_t *index = piece->index + front->index, *boundary = index + front->pivots;
  size_t pivot_rows = th_strip_rows(front->pivots);
  th_dense_front dense = {front->pivots, front->boundary, NULL, piece->value + front->value, NULL};
  for (uint32_t i = 0; i < front->pivots; i++) local[i] = y[index[i]];
  fronts->dense->forward(&dense, local);
  for (uint32_t i = 0; i < front->pivots; i++) y[index[i]] = local[i];
  for (uint32_t i = 0; i < front->boundary; i++) y[boundary[i]] -= local[pivot_rows + i];
}

static void solve_backward(const th_fronts *fronts, const th_front_piece *piece, const th_front *front, double *y,
                           double *local) {
  const uint32_t *index = piece->index + front->index, *boundary = index + front->pivots;
  size_t pivot_rows = th_strip_rows(front->pivots), boundary_rows = th_strip_rows(front->boundary);
  th_dense_front dense = {front->pivots, front->boundary, NULL, piece->value + front->value, NULL};
  for (uint32_t i = 0; i < front->pivots; i++) local[i] = y[index[i]];
  for (uint32_t i = front->pivots; i < pivot_rows; i++) local[i] = 0.0;
  for (uint32_t i = 0; i < front->boundary; i++) local[pivot_rows + i] = y[boundary[i]];
  for (size_t i = front->boundary; i < boundary_rows; i++) local[pivot_rows + i] = 0.0;
  fronts->dense->backward(&dense, local);
  for (uint32_t i = 0; i < front->pivots; i++) y[index[i]] = local[i];
}

void th_fronts_solve(const th_fronts *fronts, th_fronts_source source, double *x, double *work) {
  const th_tree *tree = fronts->tree;
  double *y = work, *local = work + tree->unknown_count + mark_doubles(fronts);
  uint8_t *mark = (uint8_t *)(work + tree->unknown_count);
  memset(work, 0, (tree->unknown_count + mark_doubles(fronts)) * sizeof *work);
  for (uint32_t i = 0; i < source.count; i++) y[tree->rank[source.unknown[i]]] += source.value[i];
  mark_paths(tree, source, mark);
  for (uint32_t at = 0, node = 0; at < tree->piece_count; at++) {
    const th_front_piece *piece = fronts->piece[at];
    for (uint32_t i = 0; i < piece->front_count; i++, node++) {
      if (mark[node]) solve_forward(fronts, piece, &piece->front[i], y, local);
    }
  }
  for (uint32_t at = tree->piece_count; at-- > 0;) {
    const th_front_piece *piece = fronts->piece[at];
    for (uint32_t i = piece->front_count; i-- > 0;) solve_backward(fronts, piece, &piece->front[i], y, local);
  }
  for (uint32_t rank = 0; rank < tree->unknown_count; rank++) x[tree->order[rank]] = y[rank];
}
