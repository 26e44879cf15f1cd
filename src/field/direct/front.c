/* field/direct/front.c - multifrontal Cholesky (Duff and Reid 1983; Liu 1992) with shared pieces.
 *
 * Each node of the elimination tree has a dense front: assembled from the matrix and from the update matrices of its
 * children, partially factored, its Schur complement passed on. A front is a pure function of its subtree, so after an
 * edit only the pieces on the path from the changed unknowns to the root are computed again and all others are shared:
 * the result has the same bits as a new factorisation. The same holds for a factorisation that shares blocks with a
 * related one on another tree. Update matrices are kept at the top of each piece only; inside a piece they live on two
 * stacks, one for even and one for odd levels, so that a front never overlaps its children. Cost on an n-cell grid:
 * O(n^1.5) work, O(n log n) memory; an edit of a few cells about a fifth of the work.
 */
#include "field/direct/front.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/direct/alike.h"
#include "field/direct/pattern.h"

/* Scratch of one factorisation. */
typedef struct worker {
  th_fronts *fronts;
  const th_graph_operator *op;
  const th_fronts_previous *previous;
  th_pattern pattern;
  th_alike alike, previous_alike;
  uint32_t *place; /* row of an own number in the current front */
  uint32_t *rows;  /* places of a child's rows */
  double *head, *stack[2];
  uint32_t head_capacity, stack_capacity[2];
  size_t height[2];
} worker;

static void block_release(th_front_block *block, const th_allocator *allocator) {
  if (block && atomic_fetch_sub(&block->references, 1) == 1) th_give(allocator, block, block->bytes, 1);
}

static size_t piece_bytes(uint32_t count) { return sizeof(th_front_piece) + count * sizeof(uint32_t); }

static void piece_release(th_front_piece *piece, const th_allocator *allocator) {
  if (!piece || atomic_fetch_sub(&piece->references, 1) != 1) return;
  block_release(piece->block, allocator);
  th_give(allocator, piece, piece_bytes(piece->count), 1);
}

static size_t padded(size_t bytes) { return (bytes + TH_ALIGN - 1) / TH_ALIGN * TH_ALIGN; }

/* One block: header, fronts, numbers, strips, update matrix. */
static th_front_block *block_make(const th_pattern *pattern, const th_allocator *allocator) {
  const th_front *last = &pattern->front[pattern->front_count - 1];
  size_t header = padded(sizeof(th_front_block)), front = padded(pattern->front_count * sizeof(th_front));
  size_t index = padded(pattern->index.count * sizeof(uint32_t)), value = padded(pattern->value_count * sizeof(double));
  size_t bytes = header + front + index + value + th_pattern_update_count(last) * sizeof(double);
  uint8_t *memory = th_take(allocator, bytes, 1);
  if (!memory) return NULL;
  th_front_block *block = (th_front_block *)(void *)memory;
  atomic_init(&block->references, 1);
  block->bytes = bytes;
  block->span = pattern->span;
  block->front_count = pattern->front_count;
  block->index_count = pattern->index.count;
  block->front = (th_front *)(void *)(memory + header);
  block->index = (uint32_t *)(void *)(memory + header + front);
  block->value = (double *)(void *)(memory + header + front + index);
  block->update = (double *)(void *)(memory + header + front + index + value);
  memcpy(block->front, pattern->front, pattern->front_count * sizeof(th_front));
  memcpy(block->index, pattern->index.item, pattern->index.count * sizeof(uint32_t));
  return block;
}

static th_front_piece *piece_make(const th_pattern *pattern, const th_allocator *allocator) {
  th_front_piece *piece = th_take(allocator, piece_bytes(pattern->outer.count), 1);
  if (!piece) return NULL;
  atomic_init(&piece->references, 1);
  piece->count = pattern->outer.count;
  if (piece->count) memcpy(piece->rank, pattern->outer.item, piece->count * sizeof(uint32_t));
  return piece;
}

static bool grow_doubles(const th_allocator *allocator, double **memory, uint32_t *capacity, size_t need) {
  if (*memory && need <= *capacity) return true;
  if (need > UINT32_MAX) return false;
  TH_GIVE(allocator, *memory, *capacity);
  *memory = TH_TAKE(allocator, double, need);
  *capacity = *memory ? (uint32_t)need : 0;
  return *memory != NULL;
}

static bool worker_grow(worker *w) {
  const th_allocator *allocator = &w->fronts->allocator;
  return grow_doubles(allocator, &w->head, &w->head_capacity, w->pattern.head_count) &&
         grow_doubles(allocator, &w->stack[0], &w->stack_capacity[0], w->pattern.stack_count[0]) &&
         grow_doubles(allocator, &w->stack[1], &w->stack_capacity[1], w->pattern.stack_count[1]);
}

/* Enters the matrix into the front's pivot columns, from entry `at` on; returns where the next front's begin. */
static uint32_t assemble_entries(const worker *w, const th_dense_front *dense, uint32_t at) {
  const th_pattern *pattern = &w->pattern;
  size_t rows = th_strip_rows(dense->pivots) + th_strip_rows(dense->boundary);
  for (uint32_t k = 0; k < dense->pivots; k++) {
    double *column = dense->head + k * rows;
    column[k] = pattern->entry_value[at++];
    for (; at < pattern->entry.count && !(pattern->entry_value[at] > 0.0); at++) {
      column[w->place[pattern->entry.item[at]]] += pattern->entry_value[at];
    }
  }
  return at;
}

/* Adds the update matrix of a child in another piece. */
static void add_piece(const worker *w, const th_dense_front *dense, uint32_t child) {
  const th_front_piece *piece = w->fronts->piece[th_elimination_piece_of(w->fronts->tree, child)];
  for (uint32_t i = 0; i < piece->count; i++) w->rows[i] = w->place[th_pattern_local(&w->pattern, piece->rank[i])];
  w->fronts->dense->add(dense, &(th_dense_child){piece->block->update, piece->count, w->rows});
}

static void add_front(const worker *w, const th_dense_front *dense, const th_front *child, const double *update) {
  const uint32_t *boundary = w->pattern.index.item + child->index + child->pivots;
  for (uint32_t i = 0; i < child->boundary; i++) w->rows[i] = w->place[boundary[i]];
  w->fronts->dense->add(dense, &(th_dense_child){update, child->boundary, w->rows});
}

/* Adds the update matrices of the children: the second child lies on top of the stack of its level. */
static void assemble_children(worker *w, const th_elimination_node *node, uint32_t begin, const th_dense_front *dense) {
  size_t *height = &w->height[(node->depth + 1) & 1];
  const double *stack = w->stack[(node->depth + 1) & 1];
  for (int c = 2; c-- > 0;) {
    uint32_t child = node->child[c];
    if (child == TH_NO_NODE) continue;
    if (child < begin) {
      add_piece(w, dense, child);
    } else {
      const th_front *front = &w->pattern.front[child - begin];
      *height -= th_pattern_update_count(front);
      add_front(w, dense, front, stack + *height);
    }
  }
}

static void place_rows(const worker *w, const th_front *front) {
  const uint32_t *index = w->pattern.index.item + front->index;
  uint32_t pivot_rows = (uint32_t)th_strip_rows(front->pivots);
  for (uint32_t i = 0; i < front->pivots; i++) w->place[index[i]] = i;
  for (uint32_t i = 0; i < front->boundary; i++) w->place[index[front->pivots + i]] = pivot_rows + i;
}

/* Computes front `i` of a block whose piece begins at node `begin`. */
static bool compute_front(worker *w, th_front_block *block, uint32_t begin, uint32_t i, uint32_t *entry) {
  const th_elimination_node *node = &w->fronts->tree->node[begin + i];
  const th_front *front = &block->front[i];
  th_dense_front dense = {front->pivots, front->boundary, w->head, block->value + front->value, block->update};
  if (i + 1 < block->front_count) {
    size_t *height = &w->height[node->depth & 1], update = th_pattern_update_count(front);
    dense.update = w->stack[node->depth & 1] + *height;
    *height += update;
    memset(dense.update, 0, update * sizeof(double));
  }
  memset(w->head, 0, th_pattern_head_count(front) * sizeof(double));
  place_rows(w, front);
  *entry = assemble_entries(w, &dense, *entry);
  assemble_children(w, node, begin, &dense);
  return w->fronts->dense->factor(&dense);
}

static th_result compute_block(worker *w, th_front_block *block, uint32_t begin, th_error *error) {
  uint32_t entry = 0;
  w->height[0] = w->height[1] = 0;
  for (uint32_t i = 0; i < block->front_count; i++) {
    if (!compute_front(w, block, begin, i, &entry)) {
      return th_fail(error, TH_ERROR_RANGE, "factor", "expected a positive definite matrix, found a pivot <= 0");
    }
  }
  return TH_OK;
}

static th_result compute_piece(worker *w, uint32_t at, th_error *error) {
  th_fronts *fronts = w->fronts;
  if (!th_pattern_find(&w->pattern, fronts, w->op, at) || !worker_grow(w)) return th_fail_memory(error, "factor");
  th_front_piece *piece = piece_make(&w->pattern, &fronts->allocator);
  if (!piece) return th_fail_memory(error, "factor");
  fronts->piece[at] = piece;
  const th_alike_wanted wanted = {fronts, &w->pattern, at, th_alike_hash(fronts, &w->pattern, at)};
  piece->block = th_alike_find(&w->alike, &(th_fronts_previous){fronts, *w->op}, &wanted);
  if (piece->block) {
    atomic_fetch_add(&piece->block->references, 1);
    return TH_OK;
  }
  if (w->previous) piece->block = th_alike_find(&w->previous_alike, w->previous, &wanted);
  th_alike_add(&w->alike, wanted.hash, at);
  if (piece->block) {
    atomic_fetch_add(&piece->block->references, 1);
    return TH_OK;
  }
  piece->block = block_make(&w->pattern, &fronts->allocator);
  if (!piece->block) return th_fail_memory(error, "factor");
  piece->block->hash = wanted.hash;
  return compute_block(w, piece->block, th_elimination_piece_begin(fronts->tree, at), error);
}

/* A piece is stale when the piece of one of its children is. */
static void spread_stale(const th_elimination *tree, uint8_t *stale) {
  for (uint32_t piece = 0; piece < tree->piece_count; piece++) {
    uint32_t parent = tree->node[tree->piece_end[piece]].parent;
    if (stale[piece] && parent != TH_NO_NODE) stale[th_elimination_piece_of(tree, parent)] = 1;
  }
}

static void share_pieces(worker *w, const th_fronts_def *def) {
  th_fronts *fronts = w->fronts;
  spread_stale(fronts->tree, def->stale);
  for (uint32_t at = 0; at < fronts->tree->piece_count; at++) {
    if (def->stale[at]) continue;
    fronts->piece[at] = def->base->piece[at];
    atomic_fetch_add(&fronts->piece[at]->references, 1);
    th_alike_add(&w->alike, fronts->piece[at]->block->hash, at);
  }
}

static bool list_previous(worker *w) {
  const th_fronts *previous = w->previous->fronts;
  if (!th_alike_make(&w->previous_alike, &w->fronts->allocator, previous->tree->piece_count)) return false;
  for (uint32_t at = 0; at < previous->tree->piece_count; at++)
    th_alike_add(&w->previous_alike, previous->piece[at]->block->hash, at);
  return true;
}

static th_result compute_all(worker *w, const th_fronts_def *def, th_error *error) {
  th_fronts *fronts = w->fronts;
  const th_elimination *tree = fronts->tree;
  w->place = TH_TAKE(&fronts->allocator, uint32_t, tree->unknown_count);
  w->rows = TH_TAKE(&fronts->allocator, uint32_t, tree->unknown_count);
  if (!w->place || !w->rows || !th_pattern_make(&w->pattern, &fronts->allocator, tree) ||
      !th_alike_make(&w->alike, &fronts->allocator, tree->piece_count)) {
    return th_fail_memory(error, "factor");
  }
  if (w->previous && !list_previous(w)) return th_fail_memory(error, "factor");
  if (def->base) share_pieces(w, def);
  for (uint32_t piece = 0; piece < tree->piece_count; piece++) {
    if (fronts->piece[piece]) continue;
    th_result result = compute_piece(w, piece, error);
    if (result != TH_OK) return result;
  }
  return TH_OK;
}

static void worker_free(worker *w) {
  const th_allocator *allocator = &w->fronts->allocator;
  th_pattern_free(&w->pattern, allocator);
  th_alike_free(&w->alike, allocator);
  th_alike_free(&w->previous_alike, allocator);
  TH_GIVE(allocator, w->place, w->fronts->tree->unknown_count);
  TH_GIVE(allocator, w->rows, w->fronts->tree->unknown_count);
  TH_GIVE(allocator, w->head, w->head_capacity);
  for (int i = 0; i < 2; i++) TH_GIVE(allocator, w->stack[i], w->stack_capacity[i]);
}

static void measure_piece(th_fronts *fronts, const th_front_piece *piece) {
  const th_front_block *block = piece->block;
  size_t local = block->span + (size_t)piece->count;
  if (local > fronts->max_local) fronts->max_local = local;
  for (uint32_t i = 0; i < block->front_count; i++) {
    size_t need = 5 * th_strip_rows(block->front[i].pivots) + th_strip_rows(block->front[i].boundary);
    if (need > fronts->max_dense) fronts->max_dense = need;
  }
  fronts->bytes += piece_bytes(piece->count);
}

static int by_address(const void *a, const void *b) {
  uintptr_t x = (uintptr_t) * (th_front_block *const *)a, y = (uintptr_t) * (th_front_block *const *)b;
  return (x > y) - (x < y);
}

/* Sizes that a solve needs, and the bytes held, each block once. False: out of memory. */
static bool measure_all(th_fronts *fronts) {
  uint32_t count = fronts->tree->piece_count;
  th_front_block **block = TH_TAKE(&fronts->allocator, th_front_block *, count);
  if (!block) return false;
  fronts->bytes = sizeof *fronts + count * sizeof *fronts->piece + th_elimination_bytes(fronts->tree);
  for (uint32_t at = 0; at < count; at++) {
    measure_piece(fronts, fronts->piece[at]);
    block[at] = fronts->piece[at]->block;
  }
  qsort(block, count, sizeof *block, by_address);
  for (uint32_t at = 0; at < count; at++) fronts->bytes += at && block[at] == block[at - 1] ? 0 : block[at]->bytes;
  TH_GIVE(&fronts->allocator, block, count);
  return true;
}

th_result th_fronts_make(const th_fronts_def *def, th_fronts **fronts, th_error *error) {
  return th_fronts_make_like(def, NULL, fronts, error);
}

th_result th_fronts_make_like(const th_fronts_def *def, const th_fronts_previous *previous, th_fronts **fronts,
                              th_error *error) {
  th_fronts *made = TH_TAKE(&def->allocator, th_fronts, 1);
  if (!made) return th_fail_memory(error, "factor");
  made->allocator = def->allocator;
  made->tree = th_elimination_retain(def->tree);
  made->simd = th_simd_choose(def->simd);
  made->dense = th_dense_pick(made->simd);
  made->piece = TH_TAKE(&def->allocator, th_front_piece *, def->tree->piece_count);
  th_result result = made->piece ? TH_OK : th_fail_memory(error, "factor");
  if (result == TH_OK) {
    worker w = {.fronts = made, .op = &def->op, .previous = previous};
    result = compute_all(&w, def, error);
    worker_free(&w);
  }
  if (result == TH_OK && !measure_all(made)) result = th_fail_memory(error, "factor");
  if (result != TH_OK) {
    th_fronts_release(made);
    return result;
  }
  *fronts = made;
  return TH_OK;
}

void th_fronts_release(th_fronts *fronts) {
  if (!fronts) return;
  th_allocator allocator = fronts->allocator;
  uint32_t count = fronts->tree->piece_count;
  for (uint32_t at = 0; fronts->piece && at < count; at++) piece_release(fronts->piece[at], &allocator);
  TH_GIVE(&allocator, fronts->piece, count);
  th_elimination_release(fronts->tree);
  TH_GIVE(&allocator, fronts, 1);
}

size_t th_fronts_bytes(const th_fronts *fronts) { return fronts->bytes; }
