/* guide/tree/read.c - gives trees to their readers: tests, traces and figures.
 *
 * Slots of a row are reused, so a child may have a lower slot than its parent. Readers get nodes sorted by depth and
 * then by slot, parents first, by a counting sort. Cost: three passes over the nodes, and a sort of the markers.
 */
#include <string.h>

#include "guide/tree/tree.h"

enum { MOST = 8192 }; /* nodes of a tree, by its parameters */

/* The number that a node has outside: how many come before it, by depth and then by slot. */
static uint32_t number_of(const th_tree *tree, uint32_t node) {
  uint32_t before = 0;
  if (node == TH_TREE_NONE) return UINT32_MAX;
  for (uint32_t i = 0; i < tree->head->used; i++) {
    if (!th_tree_lives(tree, i)) continue;
    uint32_t a = tree->node[i].depth, b = tree->node[node].depth;
    before += a < b || (a == b && i < node);
  }
  return before;
}

th_tree_state th_tree_read(const void *row) {
  th_tree_state state = {.root = UINT32_MAX, .next = UINT32_MAX, .best = UINT32_MAX};
  if (!row) return state;
  const th_tree tree = th_tree_open(row);
  const th_tree_head *head = tree.head;
  state.does = (th_tree_does)head->does;
  if (!head->begun) return state;
  for (uint32_t i = 0; i < head->used; i++) state.keys += th_tree_lives(&tree, i) && tree.node[i].children > 1;
  state.nodes = head->count;
  state.root = number_of(&tree, head->root);
  state.next = number_of(&tree, head->next);
  state.best = number_of(&tree, head->best);
  state.reached = head->reached;
  state.full = head->count == head->capacity;
  state.target = head->point;
  state.area = head->area;
  state.area_radius = head->area_radius;
  return state;
}

/* The numbers of all nodes by slot; no node lies deeper below the root than there are nodes. */
static void number_all(const th_tree *tree, uint16_t number[MOST]) {
  uint16_t start[MOST + 1];
  const th_tree_head *head = tree->head;
  const uint32_t top = tree->node[head->root].depth;
  memset(start, 0, sizeof start);
  for (uint32_t i = 0; i < head->used; i++)
    if (th_tree_lives(tree, i)) start[tree->node[i].depth - top + 1]++;
  for (uint32_t d = 0; d < head->count; d++) start[d + 1] = (uint16_t)(start[d + 1] + start[d]);
  for (uint32_t i = 0; i < head->used; i++)
    if (th_tree_lives(tree, i)) number[i] = start[tree->node[i].depth - top]++;
}

uint32_t th_tree_nodes(const void *row, th_tree_node *node, uint32_t capacity) {
  uint16_t number[MOST];
  if (!row || !((const th_tree_head *)row)->begun) return 0;
  const th_tree tree = th_tree_open(row);
  number_all(&tree, number);
  for (uint32_t i = 0; i < tree.head->used; i++) {
    const th_tree_slot *from = &tree.node[i];
    if (!th_tree_lives(&tree, i) || number[i] >= capacity) continue;
    const uint32_t parent = from->parent == TH_TREE_NONE ? UINT32_MAX : number[from->parent];
    node[number[i]] = (th_tree_node){from->point, parent, from->children, false};
  }
  for (uint16_t at = tree.head->best; at != TH_TREE_NONE; at = tree.node[at].parent)
    if (number[at] < capacity) node[number[at]].on_path = true;
  return tree.head->count;
}

uint32_t th_tree_retained(const void *row, uint32_t *marker, uint32_t capacity) {
  uint32_t count = 0;
  if (!row || !((const th_tree_head *)row)->begun) return 0;
  const th_tree tree = th_tree_open(row);
  for (uint32_t i = 0; i <= tree.head->mask; i++) {
    if (!tree.table[i].marker || tree.table[i].owner == TH_TREE_NONE) continue;
    uint32_t at = count++ < capacity ? count - 1 : capacity, own = tree.table[i].marker - 1;
    for (; at < capacity && at > 0 && marker[at - 1] > own; at--) marker[at] = marker[at - 1];
    if (at < capacity) marker[at] = own;
  }
  return count;
}
