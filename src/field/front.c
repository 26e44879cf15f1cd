/* field/front.c - multifrontal Cholesky (Duff and Reid 1983; Liu 1992) with shared pieces.
 *
 * Each node of the elimination tree has a dense front: assembled from the matrix and from the update matrices of its
 * children, partially factored, its Schur complement passed on. A front is a pure function of its subtree, so after an
 * edit only the pieces on the way from the changed unknowns to the root are computed again and all others are shared:
 * the result has the same bits as a new factorisation. Update matrices are kept at the top of each piece only; inside
 * a piece they live on two stacks, one for even and one for odd levels, so that a front never overlaps its children.
 * Cost on an n-cell grid: O(n^1.5) work, O(n log n) memory; an edit of a few cells about a fifth of the work.
 */
#include "field/front.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/front_pattern.h"

/* Scratch of one factorisation. */
typedef struct worker {
  th_fronts *fronts;
  th_stars stars;
  th_pattern pattern;
  uint32_t *place; /* row of a rank in the current front; one entry a rank */
  uint32_t *rows;  /* places of a child's rows */
  uint32_t rows_room;
  double *head, *stack[2];
  uint32_t head_room, stack_room[2];
  size_t height[2];
} worker;

static void piece_release(th_front_piece *piece, const th_allocator *allocator) {
  if (piece && atomic_fetch_sub(&piece->references, 1) == 1) th_give(allocator, piece, piece->bytes, 1);
}

static size_t padded(size_t bytes) { return (bytes + TH_ALIGN - 1) / TH_ALIGN * TH_ALIGN; }

/* One block: header, fronts, ranks, strips, update matrix. Strips may be read one vector past a column. */
static th_front_piece *piece_make(const th_pattern *pattern, const th_allocator *allocator) {
  const th_front *last = &pattern->front[pattern->front_count - 1];
  size_t header = padded(sizeof(th_front_piece)), front = padded(pattern->front_count * sizeof(th_front));
  size_t index = padded(pattern->index.count * sizeof(uint32_t)), value = padded(pattern->value_count * sizeof(double));
  size_t bytes = header + front + index + value + th_front_update_count(last) * sizeof(double);
  uint8_t *memory = th_take(allocator, bytes, 1);
  if (!memory) return NULL;
  th_front_piece *piece = (th_front_piece *)(void *)memory;
  atomic_init(&piece->references, 1);
  piece->bytes = bytes;
  piece->front_count = pattern->front_count;
  piece->front = (th_front *)(void *)(memory + header);
  piece->index = (uint32_t *)(void *)(memory + header + front);
  piece->value = (double *)(void *)(memory + header + front + index);
  piece->update = (double *)(void *)(memory + header + front + index + value);
  memcpy(piece->front, pattern->front, pattern->front_count * sizeof(th_front));
  memcpy(piece->index, pattern->index.item, pattern->index.count * sizeof(uint32_t));
  return piece;
}

static bool grow_doubles(const th_allocator *allocator, double **memory, uint32_t *room, size_t need) {
  if (*memory && need <= *room) return true;
  if (need > UINT32_MAX) return false;
  TH_GIVE(allocator, *memory, *room);
  *memory = TH_TAKE(allocator, double, need);
  *room = *memory ? (uint32_t)need : 0;
  return *memory != NULL;
}

static bool worker_grow(worker *w) {
  const th_allocator *allocator = &w->fronts->allocator;
  return grow_doubles(allocator, &w->head, &w->head_room, w->pattern.head_count) &&
         grow_doubles(allocator, &w->stack[0], &w->stack_room[0], w->pattern.stack_count[0]) &&
         grow_doubles(allocator, &w->stack[1], &w->stack_room[1], w->pattern.stack_count[1]);
}

/* Enters the rows of the matrix that belong to the front's pivots; an entry belongs to the pivot that goes first. */
static void assemble_stars(const worker *w, const th_dense_front *dense, const uint32_t *index) {
  const th_tree *tree = w->fronts->tree;
  size_t rows = th_strip_rows(dense->pivots) + th_strip_rows(dense->boundary);
  for (uint32_t k = 0; k < dense->pivots; k++) {
    th_star star;
    w->stars.list(w->stars.user, tree->order[index[k]], &star);
    double *column = dense->head + k * rows;
    column[k] += star.diagonal;
    for (uint32_t i = 0; i < star.count; i++) {
      uint32_t other = tree->rank[star.other[i]];
      if (other > index[k]) column[w->place[other]] -= star.weight[i];
    }
  }
}

static void add_child(const worker *w, const th_dense_front *dense, th_rows rows, const double *update) {
  for (uint32_t i = 0; i < rows.count; i++) w->rows[i] = w->place[rows.rank[i]];
  w->fronts->dense->add(dense, &(th_dense_child){update, rows.count, w->rows});
}

/* Adds the update matrices of the children: the second child lies on top of the stack of its level. */
static void assemble_children(worker *w, const th_front_piece *piece, uint32_t begin, const th_tree_node *node,
                              const th_dense_front *dense) {
  size_t *height = &w->height[(node->depth + 1) & 1];
  const double *stack = w->stack[(node->depth + 1) & 1];
  for (int c = 2; c-- > 0;) {
    uint32_t child = node->child[c];
    if (child == TH_NO_NODE) continue;
    if (child < begin) {
      uint32_t below = th_tree_piece_of(w->fronts->tree, child);
      add_child(w, dense, th_piece_rows(w->fronts, child), w->fronts->piece[below]->update);
    } else {
      const th_front *front = &piece->front[child - begin];
      *height -= th_front_update_count(front);
      add_child(w, dense, (th_rows){piece->index + front->index + front->pivots, front->boundary}, stack + *height);
    }
  }
}

static bool compute_front(worker *w, th_front_piece *piece, uint32_t begin, uint32_t at) {
  const th_tree_node *node = &w->fronts->tree->node[at];
  const th_front *front = &piece->front[at - begin];
  const uint32_t *index = piece->index + front->index;
  size_t pivot_rows = th_strip_rows(front->pivots), update = th_front_update_count(front);
  th_dense_front dense = {front->pivots, front->boundary, w->head, piece->value + front->value, piece->update};
  if (at - begin + 1 < piece->front_count) {
    size_t *height = &w->height[node->depth & 1];
    dense.update = w->stack[node->depth & 1] + *height;
    *height += update;
    memset(dense.update, 0, update * sizeof(double));
  }
  memset(w->head, 0, th_front_head_count(front) * sizeof(double));
  for (uint32_t i = 0; i < front->pivots; i++) w->place[index[i]] = i;
  for (uint32_t i = 0; i < front->boundary; i++) w->place[index[front->pivots + i]] = (uint32_t)pivot_rows + i;
  assemble_stars(w, &dense, index);
  assemble_children(w, piece, begin, node, &dense);
  return w->fronts->dense->factor(&dense);
}

static th_result compute_piece(worker *w, uint32_t at, th_error *error) {
  th_fronts *fronts = w->fronts;
  uint32_t begin = th_tree_piece_begin(fronts->tree, at);
  if (!th_pattern_find(&w->pattern, fronts, &w->stars, at) || !worker_grow(w)) return th_fail_memory(error, "factor");
  th_front_piece *piece = piece_make(&w->pattern, &fronts->allocator);
  if (!piece) return th_fail_memory(error, "factor");
  fronts->piece[at] = piece;
  w->height[0] = w->height[1] = 0;
  for (uint32_t i = 0; i < piece->front_count; i++) {
    if (!compute_front(w, piece, begin, begin + i)) {
      return th_fail(error, TH_ERROR_RANGE, "factor", "expected a positive definite matrix, found a pivot <= 0");
    }
  }
  return TH_OK;
}

/* A piece is stale when the piece of one of its children is. */
static void spread_stale(const th_tree *tree, uint8_t *stale) {
  for (uint32_t piece = 0; piece < tree->piece_count; piece++) {
    uint32_t parent = tree->node[tree->piece_end[piece]].parent;
    if (stale[piece] && parent != TH_NO_NODE) stale[th_tree_piece_of(tree, parent)] = 1;
  }
}

static th_result compute_all(worker *w, const th_fronts_def *def, th_error *error) {
  th_fronts *fronts = w->fronts;
  const th_tree *tree = fronts->tree;
  w->rows_room = tree->unknown_count;
  w->place = TH_TAKE(&fronts->allocator, uint32_t, tree->unknown_count);
  w->rows = TH_TAKE(&fronts->allocator, uint32_t, w->rows_room);
  if (!w->place || !w->rows || !th_pattern_make(&w->pattern, &fronts->allocator, tree)) {
    return th_fail_memory(error, "factor");
  }
  for (uint32_t piece = 0; piece < tree->piece_count; piece++) {
    if (def->base && !def->stale[piece]) {
      fronts->piece[piece] = def->base->piece[piece];
      atomic_fetch_add(&fronts->piece[piece]->references, 1);
      continue;
    }
    th_result result = compute_piece(w, piece, error);
    if (result != TH_OK) return result;
  }
  return TH_OK;
}

static void worker_free(worker *w) {
  const th_allocator *allocator = &w->fronts->allocator;
  th_pattern_free(&w->pattern, allocator);
  TH_GIVE(allocator, w->place, w->fronts->tree->unknown_count);
  TH_GIVE(allocator, w->rows, w->rows_room);
  TH_GIVE(allocator, w->head, w->head_room);
  for (int i = 0; i < 2; i++) TH_GIVE(allocator, w->stack[i], w->stack_room[i]);
}

static size_t most_rows(const th_fronts *fronts) {
  size_t most = 0;
  for (uint32_t at = 0; at < fronts->tree->piece_count; at++) {
    const th_front_piece *piece = fronts->piece[at];
    for (uint32_t i = 0; i < piece->front_count; i++) {
      size_t rows = th_strip_rows(piece->front[i].pivots) + th_strip_rows(piece->front[i].boundary);
      if (rows > most) most = rows;
    }
  }
  return most;
}

th_result th_fronts_make(const th_fronts_def *def, th_fronts **fronts, th_error *error) {
  th_fronts *made = TH_TAKE(&def->allocator, th_fronts, 1);
  if (!made) return th_fail_memory(error, "factor");
  made->allocator = def->allocator;
  made->tree = th_tree_retain(def->tree);
  made->dense = th_dense_pick(th_simd_choose(def->simd));
  made->piece = TH_TAKE(&def->allocator, th_front_piece *, def->tree->piece_count);
  th_result result = made->piece ? TH_OK : th_fail_memory(error, "factor");
  if (result == TH_OK) {
    worker w = {.fronts = made, .stars = def->stars};
    if (def->base) spread_stale(def->tree, def->stale);
    result = compute_all(&w, def, error);
    worker_free(&w);
  }
  if (result != TH_OK) {
    th_fronts_release(made);
    return result;
  }
  made->most_rows = most_rows(made);
  *fronts = made;
  return TH_OK;
}

void th_fronts_release(th_fronts *fronts) {
  if (!fronts) return;
  th_allocator allocator = fronts->allocator;
  uint32_t count = fronts->tree->piece_count;
  for (uint32_t at = 0; fronts->piece && at < count; at++) piece_release(fronts->piece[at], &allocator);
  TH_GIVE(&allocator, fronts->piece, count);
  th_tree_release(fronts->tree);
  TH_GIVE(&allocator, fronts, 1);
}

size_t th_fronts_bytes(const th_fronts *fronts) {
  size_t bytes = sizeof *fronts + fronts->tree->piece_count * sizeof *fronts->piece + th_tree_bytes(fronts->tree);
  for (uint32_t at = 0; at < fronts->tree->piece_count; at++) bytes += fronts->piece[at]->bytes;
  return bytes;
}
