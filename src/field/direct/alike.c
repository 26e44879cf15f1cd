/* field/direct/alike.c - pieces that look alike share one factorisation.
 *
 * Open floor is the same everywhere: two pieces of the tree with the same fronts, the same entries and alike children
 * have, number for number, the same factor, only at other places. Such a piece is found by a hash and then compared in
 * full (the idea of hash-consing, as in Gosper's HashLife, 1984), so sharing can never change a bit. Sharing saves
 * work, and above all memory traffic, which limits the speed of the solve. Cost: one pass over the pattern of a piece.
 */
#include "field/direct/alike.h"

#include <string.h>

#include "base/memory.h"

bool th_alike_make(th_alike *alike, const th_allocator *allocator, uint32_t piece_count) {
  *alike = (th_alike){.capacity = 16};
  while (alike->capacity / 2 < piece_count) alike->capacity *= 2;
  alike->hash = TH_TAKE(allocator, uint64_t, alike->capacity);
  alike->piece = TH_TAKE(allocator, uint32_t, alike->capacity);
  return alike->hash && alike->piece;
}

void th_alike_free(th_alike *alike, const th_allocator *allocator) {
  TH_GIVE(allocator, alike->hash, alike->capacity);
  TH_GIVE(allocator, alike->piece, alike->capacity);
  *alike = (th_alike){0};
}

static inline uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

static uint64_t mix_words(uint64_t hash, const uint32_t *word, uint32_t count) {
  for (uint32_t i = 0; i + 1 < count; i += 2) hash = mix(hash, word[i] | (uint64_t)word[i + 1] << 32);
  return count % 2 ? mix(hash, word[count - 1]) : hash;
}

static const th_front_piece *child_piece(const th_fronts *fronts, uint32_t piece, int c) {
  uint32_t child = fronts->tree->node[fronts->tree->piece_end[piece]].child[c];
  if (child == TH_NO_NODE || child >= th_elimination_piece_begin(fronts->tree, piece)) return NULL;
  return fronts->piece[th_elimination_piece_of(fronts->tree, child)];
}

uint64_t th_alike_hash(const th_fronts *fronts, const th_pattern *pattern, uint32_t piece) {
  uint64_t hash = mix(pattern->span, pattern->front_count);
  hash = mix_words(hash, pattern->index.item, pattern->index.count);
  hash = mix_words(hash, pattern->entry.item, pattern->entry.count);
  for (uint32_t i = 0; i < pattern->entry.count; i++) {
    uint64_t bits;
    memcpy(&bits, &pattern->entry_value[i], sizeof bits);
    hash = mix(hash, bits);
  }
  for (int c = 0; c < 2; c++) {
    const th_front_piece *child = child_piece(fronts, piece, c);
    hash = mix(hash, child ? (uintptr_t)child->block : 0);
  }
  return hash;
}

void th_alike_add(th_alike *alike, uint64_t hash, uint32_t piece) {
  uint32_t at = (uint32_t)hash & (alike->capacity - 1);
  while (alike->piece[at]) at = (at + 1) & (alike->capacity - 1);
  alike->hash[at] = hash;
  alike->piece[at] = piece + 1;
}

/* A complete piece, for turning ranks into its own numbers. */
typedef struct numbering {
  const th_front_piece *piece;
  uint32_t base;
} numbering;

static uint32_t number_of(const numbering *n, uint32_t rank) {
  uint32_t inside = rank - n->base, low = 0, high = n->piece->count;
  if (inside < n->piece->block->span) return inside;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (n->piece->rank[middle] < rank) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return n->piece->block->span + low;
}

/* Whether piece a of one tree and b of another have the same shape of subtree; children in other pieces are compared by
 * same_children. */
static bool same_tree(const th_elimination *one, uint32_t a, const th_elimination *other, uint32_t b) {
  uint32_t a0 = th_elimination_piece_begin(one, a), b0 = th_elimination_piece_begin(other, b),
           count = other->piece_end[b] + 1 - b0;
  if (one->piece_end[a] + 1 - a0 != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    const th_elimination_node *x = &one->node[a0 + i], *y = &other->node[b0 + i];
    for (int c = 0; c < 2; c++) {
      bool inside = x->child[c] != TH_NO_NODE && x->child[c] >= a0;
      if (inside != (y->child[c] != TH_NO_NODE && y->child[c] >= b0)) return false;
      if (inside && x->child[c] - a0 != y->child[c] - b0) return false;
    }
  }
  return true;
}

static bool same_structure(const th_front_block *block, const th_pattern *pattern) {
  return block->span == pattern->span && block->front_count == pattern->front_count &&
         block->index_count == pattern->index.count &&
         memcmp(block->front, pattern->front, block->front_count * sizeof *block->front) == 0 &&
         (!block->index_count ||
          memcmp(block->index, pattern->index.item, block->index_count * sizeof *block->index) == 0);
}

/* Whether entry `at` of the pattern is (row, value). */
static bool is_entry(const th_pattern *pattern, uint32_t at, uint32_t row, double value) {
  return at < pattern->entry.count && pattern->entry.item[at] == row && pattern->entry_value[at] == value;
}

static bool same_entries(const th_fronts_previous *previous, const numbering *n, const th_pattern *pattern) {
  const th_elimination *tree = previous->fronts->tree;
  uint32_t at = 0;
  const th_graph_operator *op = &previous->op;
  for (uint32_t i = 0; i < pattern->span; i++) {
    const uint32_t v = tree->order[n->base + i];
    if (op->kind[v] != TH_CELL_FREE) continue;
    th_graph_row row;
    op->graph.row(op->graph.user, v, &row);
    if (!is_entry(pattern, at++, i, th_graph_diagonal(op, &row, v))) return false;
    for (uint32_t k = 0; k < row.count; k++) {
      if (op->kind[row.other[k]] != TH_CELL_FREE) continue;
      uint32_t other = tree->rank[row.other[k]];
      if (other > n->base + i && !is_entry(pattern, at++, number_of(n, other), -row.weight[k])) return false;
    }
  }
  return at == pattern->entry.count;
}

static bool same_children(const th_fronts *fronts, uint32_t candidate, const numbering *n, const th_alike_wanted *w) {
  for (int c = 0; c < 2; c++) {
    const th_front_piece *a = child_piece(fronts, candidate, c), *b = child_piece(w->fronts, w->piece, c);
    if (!a && !b) continue;
    if (!a || !b || a->block != b->block || a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++) {
      if (number_of(n, a->rank[i]) != th_pattern_local(w->pattern, b->rank[i])) return false;
    }
  }
  return true;
}

th_front_block *th_alike_find(const th_alike *alike, const th_fronts_previous *previous, const th_alike_wanted *w) {
  const th_elimination *tree = previous->fronts->tree;
  const uint32_t mask = alike->capacity - 1;
  for (uint32_t at = (uint32_t)w->hash & mask; alike->piece[at]; at = (at + 1) & mask) {
    if (alike->hash[at] != w->hash) continue;
    uint32_t candidate = alike->piece[at] - 1;
    numbering n = {previous->fronts->piece[candidate], tree->node[th_elimination_piece_begin(tree, candidate)].first};
    if (same_tree(tree, candidate, w->fronts->tree, w->piece) && same_structure(n.piece->block, w->pattern) &&
        same_entries(previous, &n, w->pattern) && same_children(previous->fronts, candidate, &n, w)) {
      return n.piece->block;
    }
  }
  return NULL;
}
