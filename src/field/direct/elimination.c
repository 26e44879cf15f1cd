/* field/direct/elimination.c - bookkeeping of an elimination tree.
 *
 * Postorder makes every subtree one interval of nodes and of ranks, so that "the node of an unknown" and "the piece of
 * a node" are binary searches and a piece needs no list. Cost: 8 bytes per unknown, 32 bytes per node.
 */
#include "field/direct/elimination.h"

#include "base/memory.h"

th_elimination *th_elimination_make(const th_allocator *allocator, uint32_t unknown_count, uint32_t node_capacity) {
  th_elimination *tree = TH_TAKE(allocator, th_elimination, 1);
  if (!tree) return NULL;
  atomic_init(&tree->references, 1);
  tree->allocator = *allocator;
  tree->unknown_count = unknown_count;
  tree->node_capacity = node_capacity;
  tree->node = TH_TAKE(allocator, th_elimination_node, node_capacity);
  tree->order = TH_TAKE(allocator, uint32_t, unknown_count);
  tree->rank = TH_TAKE(allocator, uint32_t, unknown_count);
  tree->piece_end = TH_TAKE(allocator, uint32_t, node_capacity);
  if (tree->node && tree->order && tree->rank && tree->piece_end) return tree;
  th_elimination_release(tree);
  return NULL;
}

uint32_t th_elimination_add(th_elimination *tree, uint32_t count, uint32_t left, uint32_t right) {
  uint32_t at = tree->node_count++;
  th_elimination_node *node = &tree->node[at];
  uint32_t first = at ? node[-1].first + node[-1].count : 0;
  uint32_t begin = left != TH_NO_NODE ? tree->node[left].begin : right != TH_NO_NODE ? tree->node[right].begin : at;
  *node = (th_elimination_node){first, count, TH_NO_NODE, {left, right}, begin, 0};
  if (left != TH_NO_NODE) tree->node[left].parent = at;
  if (right != TH_NO_NODE) tree->node[right].parent = at;
  return at;
}

static bool small(const th_elimination *tree, uint32_t node, uint32_t limit) {
  const th_elimination_node *n = &tree->node[node];
  return n->first + n->count - tree->node[n->begin].first <= limit;
}

void th_elimination_finish(th_elimination *tree, uint32_t piece_unknowns) {
  for (uint32_t rank = 0; rank < tree->unknown_count; rank++) tree->rank[tree->order[rank]] = rank;
  for (uint32_t at = tree->node_count; at-- > 0;) {
    uint32_t parent = tree->node[at].parent;
    tree->node[at].depth = parent == TH_NO_NODE ? 0 : tree->node[parent].depth + 1;
  }
  for (uint32_t at = 0; at < tree->node_count; at++) {
    uint32_t parent = tree->node[at].parent;
    bool covered = parent != TH_NO_NODE && small(tree, parent, piece_unknowns);
    if (!covered) tree->piece_end[tree->piece_count++] = at;
  }
}

th_elimination *th_elimination_retain(th_elimination *tree) {
  atomic_fetch_add(&tree->references, 1);
  return tree;
}

void th_elimination_release(th_elimination *tree) {
  if (!tree || atomic_fetch_sub(&tree->references, 1) != 1) return;
  th_allocator allocator = tree->allocator;
  TH_GIVE(&allocator, tree->node, tree->node_capacity);
  TH_GIVE(&allocator, tree->order, tree->unknown_count);
  TH_GIVE(&allocator, tree->rank, tree->unknown_count);
  TH_GIVE(&allocator, tree->piece_end, tree->node_capacity);
  TH_GIVE(&allocator, tree, 1);
}

size_t th_elimination_bytes(const th_elimination *tree) {
  return sizeof *tree + tree->node_capacity * (sizeof *tree->node + sizeof *tree->piece_end) +
         tree->unknown_count * (sizeof *tree->order + sizeof *tree->rank);
}

uint32_t th_elimination_node_of(const th_elimination *tree, uint32_t unknown) {
  uint32_t rank = tree->rank[unknown], low = 0, high = tree->node_count - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (tree->node[middle].first + tree->node[middle].count > rank) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

uint32_t th_elimination_piece_of(const th_elimination *tree, uint32_t node) {
  uint32_t low = 0, high = tree->piece_count - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (tree->piece_end[middle] >= node) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

uint32_t th_elimination_piece_begin(const th_elimination *tree, uint32_t piece) {
  return piece ? tree->piece_end[piece - 1] + 1 : 0;
}
