/* field/direct/pattern.c - the symbolic part of a factorisation, piece by piece.
 *
 * The boundary of a front is the union of its children's boundaries and of the later neighbours of its own pivots,
 * without those pivots (Duff and Reid 1983): sorted lists of ranks that are merged. Only present unknowns enter, so
 * walls make the fronts smaller although the tree ignores them. Cost: one merge over the rows of each front.
 */
#include "field/direct/pattern.h"

#include <string.h>

#include "base/memory.h"

size_t th_pattern_update_count(const th_front *front) {
  size_t strips = th_strip_rows(front->boundary) / TH_DENSE_STRIP;
  return 8 * strips * (strips + 1);
}

size_t th_pattern_head_count(const th_front *front) {
  size_t pivot_rows = th_strip_rows(front->pivots);
  return (pivot_rows + th_strip_rows(front->boundary)) * pivot_rows;
}

size_t th_pattern_strip_count(const th_front *front) {
  size_t rows = th_strip_rows(front->pivots) + th_strip_rows(front->boundary);
  return th_strip_at(front->pivots, rows / TH_DENSE_STRIP);
}

bool th_pattern_make(th_pattern *pattern, const th_allocator *allocator, const th_elimination *tree) {
  *pattern = (th_pattern){0};
  for (uint32_t piece = 0; piece < tree->piece_count; piece++) {
    uint32_t count = tree->piece_end[piece] + 1 - th_elimination_piece_begin(tree, piece);
    if (count > pattern->front_capacity) pattern->front_capacity = count;
  }
  pattern->local_capacity = tree->unknown_count;
  pattern->front = TH_TAKE(allocator, th_front, pattern->front_capacity);
  pattern->local = TH_TAKE(allocator, uint32_t, pattern->local_capacity);
  return pattern->front && pattern->local;
}

void th_pattern_free(th_pattern *pattern, const th_allocator *allocator) {
  TH_GIVE(allocator, pattern->front, pattern->front_capacity);
  TH_GIVE(allocator, pattern->local, pattern->local_capacity);
  TH_GIVE(allocator, pattern->index.item, pattern->index.capacity);
  TH_GIVE(allocator, pattern->extra.item, pattern->extra.capacity);
  TH_GIVE(allocator, pattern->outer.item, pattern->outer.capacity);
  TH_GIVE(allocator, pattern->entry.item, pattern->entry.capacity);
  TH_GIVE(allocator, pattern->entry_value, pattern->value_capacity);
  *pattern = (th_pattern){0};
}

/* A borrowed list of ranks. */
typedef struct rows {
  const uint32_t *rank;
  uint32_t count;
} rows;

static bool reserve(th_ranks *ranks, const th_allocator *allocator, uint32_t more) {
  if (more > UINT32_MAX - ranks->count) return false;
  void *memory = ranks->item;
  bool done = th_grow(allocator, &memory, &ranks->capacity, ranks->count + more, sizeof *ranks->item);
  ranks->item = memory;
  return done;
}

/* Insertion: the neighbours of a leaf are a few dozen at most and come nearly in order. */
static void sort(th_ranks *ranks) {
  for (uint32_t i = 1; i < ranks->count; i++) {
    uint32_t rank = ranks->item[i], at = i;
    for (; at > 0 && ranks->item[at - 1] > rank; at--) ranks->item[at] = ranks->item[at - 1];
    ranks->item[at] = rank;
  }
}

static bool entry_capacity(th_pattern *pattern, const th_allocator *allocator, uint32_t more) {
  void *memory = pattern->entry_value;
  bool done = reserve(&pattern->entry, allocator, more) &&
              th_grow(allocator, &memory, &pattern->value_capacity, pattern->entry.count + more, sizeof(double));
  pattern->entry_value = memory;
  return done;
}

static void add_entry(th_pattern *pattern, uint32_t rank, double value) {
  pattern->entry_value[pattern->entry.count] = value;
  pattern->entry.item[pattern->entry.count++] = rank;
}

/* Lists the present pivots of a node in `index`, their entries from the diagonal on (an entry belongs to the pivot that
 * goes first), and their neighbours beyond the node, sorted, in `extra`. */
static bool list_pivots(th_pattern *pattern, const th_fronts *fronts, const th_graph_operator *op,
                        const th_elimination_node *node) {
  const th_elimination *tree = fronts->tree;
  uint32_t end = node->first + node->count;
  pattern->extra.count = 0;
  if (!reserve(&pattern->index, &fronts->allocator, node->count)) return false;
  for (uint32_t rank = node->first; rank < end; rank++) {
    const uint32_t v = tree->order[rank];
    if (op->kind[v] != TH_CELL_FREE) continue;
    th_graph_row row;
    op->graph.row(op->graph.user, v, &row);
    pattern->index.item[pattern->index.count++] = rank;
    if (!reserve(&pattern->extra, &fronts->allocator, row.count)) return false;
    if (!entry_capacity(pattern, &fronts->allocator, row.count + 1)) return false;
    add_entry(pattern, rank, th_graph_diagonal(op, &row, v));
    for (uint32_t i = 0; i < row.count; i++) {
      if (op->kind[row.other[i]] != TH_CELL_FREE) continue;
      uint32_t other = tree->rank[row.other[i]];
      if (other > rank) add_entry(pattern, other, -row.weight[i]);
      if (other >= end) pattern->extra.item[pattern->extra.count++] = other;
    }
  }
  sort(&pattern->extra);
  return true;
}

static rows skip_pivots(rows list, uint32_t end) {
  while (list.count && list.rank[0] < end) list.rank++, list.count--;
  return list;
}

/* Merges two sorted lists without repeats; returns how many it wrote. */
static uint32_t merge(rows a, rows b, uint32_t *out) {
  uint32_t *to = out, i = 0, j = 0;
  while (i < a.count && j < b.count) {
    uint32_t x = a.rank[i], y = b.rank[j];
    *to++ = x < y ? x : y;
    i += x <= y;
    j += y <= x;
  }
  if (i < a.count) memcpy(to, a.rank + i, (a.count - i) * sizeof *to);
  to += a.count - i;
  if (j < b.count) memcpy(to, b.rank + j, (b.count - j) * sizeof *to);
  to += b.count - j;
  return (uint32_t)(to - out);
}

static rows extra_rows(th_ranks *extra) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < extra->count; i++) {
    if (!kept || extra->item[kept - 1] != extra->item[i]) extra->item[kept++] = extra->item[i];
  }
  return (rows){extra->item, kept};
}

static rows child_rows(const th_pattern *pattern, const th_fronts *fronts, uint32_t child, uint32_t begin) {
  if (child == TH_NO_NODE) return (rows){NULL, 0};
  if (child < begin) {
    const th_front_piece *piece = fronts->piece[th_elimination_piece_of(fronts->tree, child)];
    return (rows){piece->rank, piece->count};
  }
  const th_front *front = &pattern->front[child - begin];
  return (rows){pattern->index.item + front->index + front->pivots, front->boundary};
}

/* Appends the boundary of `node`, whose pivots and extra neighbours are listed. */
static bool list_boundary(th_pattern *pattern, const th_fronts *fronts, const th_elimination_node *node,
                          uint32_t begin) {
  th_ranks *index = &pattern->index;
  uint32_t end = node->first + node->count, max = pattern->extra.count;
  for (int c = 0; c < 2; c++) max += child_rows(pattern, fronts, node->child[c], begin).count;
  if (!reserve(index, &fronts->allocator, max) || !reserve(&pattern->extra, &fronts->allocator, max)) return false;
  rows a = skip_pivots(child_rows(pattern, fronts, node->child[0], begin), end);
  rows b = skip_pivots(child_rows(pattern, fronts, node->child[1], begin), end);
  rows extra = extra_rows(&pattern->extra);
  uint32_t *out = index->item + index->count;
  if (!extra.count) {
    index->count += merge(a, b, out);
  } else {
    uint32_t *both = pattern->extra.item + extra.count;
    index->count += merge((rows){both, merge(a, b, both)}, extra, out);
  }
  return true;
}

static void measure(th_pattern *pattern, const th_front *front, size_t height[2], const th_elimination_node *node) {
  size_t head = th_pattern_head_count(front), *own = &height[node->depth & 1];
  if (head > pattern->head_count) pattern->head_count = head;
  *own += th_pattern_update_count(front);
  if (*own > pattern->stack_count[node->depth & 1]) pattern->stack_count[node->depth & 1] = *own;
}

/* From ranks to the piece's own numbers. */
static bool renumber(th_pattern *pattern, const th_allocator *allocator) {
  const th_front *last = &pattern->front[pattern->front_count - 1];
  pattern->outer.count = 0;
  if (!reserve(&pattern->outer, allocator, last->boundary)) return false;
  for (uint32_t i = 0; i < last->boundary; i++) {
    uint32_t rank = pattern->index.item[last->index + last->pivots + i];
    pattern->outer.item[pattern->outer.count++] = rank;
    pattern->local[rank] = pattern->span + i;
  }
  th_ranks *list[2] = {&pattern->index, &pattern->entry};
  for (int l = 0; l < 2; l++) {
    for (uint32_t i = 0; i < list[l]->count; i++) list[l]->item[i] = th_pattern_local(pattern, list[l]->item[i]);
  }
  return true;
}

static void start(th_pattern *pattern, const th_elimination *tree, uint32_t begin, uint32_t end) {
  pattern->base = tree->node[begin].first;
  pattern->span = tree->node[end - 1].first + tree->node[end - 1].count - pattern->base;
  pattern->front_count = end - begin;
  pattern->index.count = pattern->entry.count = 0;
  pattern->value_count = pattern->head_count = pattern->stack_count[0] = pattern->stack_count[1] = 0;
}

bool th_pattern_find(th_pattern *pattern, const th_fronts *fronts, const th_graph_operator *op, uint32_t piece) {
  const th_elimination *tree = fronts->tree;
  uint32_t begin = th_elimination_piece_begin(tree, piece), end = tree->piece_end[piece] + 1;
  size_t height[2] = {0, 0};
  start(pattern, tree, begin, end);
  for (uint32_t at = begin; at < end; at++) {
    const th_elimination_node *node = &tree->node[at];
    th_front *front = &pattern->front[at - begin];
    *front = (th_front){0, 0, pattern->index.count, pattern->value_count};
    if (!list_pivots(pattern, fronts, op, node)) return false;
    front->pivots = pattern->index.count - (uint32_t)front->index;
    if (!list_boundary(pattern, fronts, node, begin)) return false;
    front->boundary = pattern->index.count - (uint32_t)front->index - front->pivots;
    pattern->value_count += th_pattern_strip_count(front);
    measure(pattern, front, height, node);
    for (int c = 0; c < 2; c++) {
      uint32_t child = node->child[c];
      if (child == TH_NO_NODE || child < begin) continue;
      height[(node->depth + 1) & 1] -= th_pattern_update_count(&pattern->front[child - begin]);
    }
  }
  /* The backward solve, which bounds the time of a field, goes from the last front to the first: store them so. */
  for (uint32_t i = 0; i < pattern->front_count; i++) {
    th_front *front = &pattern->front[i];
    front->value = pattern->value_count - front->value - th_pattern_strip_count(front);
  }
  return renumber(pattern, &fronts->allocator);
}
