/* guide/tree/nodes.c - the nodes of a tree, and for each marker near it the nearest node and the node that retains it.
 *
 * The costly part of space colonisation is to find the node nearest to a marker. So it is stored: a new node takes over
 * the markers that it is nearest to, and when a node is cut, the nearest of the others gets its markers. Markers near
 * the tree stand in a hash table in the row, so its size follows the tree and not the ground. Cost: 0.5 us for a new
 * node; a cut looks at all nodes once for each marker that has lost its nearest.
 */
#include <string.h>

#include "geometry/vector.h"
#include "guide/tree/tree.h"

#define SAME 1e-3f         /* [m]: nodes nearer to each other are one */
#define ENTRIES_PER_NODE 2 /* of the table */

static size_t rounded(size_t size) { return (size + 63) / 64 * 64; }

static uint32_t table_size(uint32_t nodes) {
  uint32_t size = 64;
  while (size < ENTRIES_PER_NODE * nodes) size *= 2;
  return size;
}

size_t th_tree_row_size(const th_tree_params *params) {
  uint32_t nodes = (uint32_t)params->nodes;
  return rounded(sizeof(th_tree_head)) + rounded(sizeof(th_tree_slot) * nodes) +
         sizeof(th_tree_marker) * table_size(nodes);
}

th_tree th_tree_open(const void *row) {
  union {
    const void *from;
    uint8_t *to;
  } memory = {row};
  th_tree tree = {.head = (void *)memory.to};
  tree.node = (void *)(memory.to + rounded(sizeof(th_tree_head)));
  tree.table = (void *)((uint8_t *)tree.node + rounded(sizeof(th_tree_slot) * tree.head->capacity));
  return tree;
}

/* ---------------------------------------------------------------- the table */

static uint32_t first_of(const th_tree *tree, uint32_t marker) {
  return (marker * 0x9e3779b1u >> 7) & tree->head->mask;
}

th_tree_marker *th_tree_entry(const th_tree *tree, uint32_t marker) {
  for (uint32_t i = first_of(tree, marker); tree->table[i].marker; i = (i + 1) & tree->head->mask)
    if (tree->table[i].marker == marker + 1) return &tree->table[i];
  return NULL;
}

/* The entry of a marker, made if need be; NULL: the table is full, and the tree takes no notice of the marker. */
static th_tree_marker *need_entry(th_tree *tree, uint32_t marker) {
  uint32_t i = first_of(tree, marker), mask = tree->head->mask;
  for (; tree->table[i].marker; i = (i + 1) & mask)
    if (tree->table[i].marker == marker + 1) return &tree->table[i];
  if (tree->head->kept >= mask - mask / 8) return NULL;
  tree->head->kept++;
  tree->table[i] = (th_tree_marker){marker + 1, TH_TREE_NONE, TH_TREE_NONE, 0.0f};
  return &tree->table[i];
}

/* Entries behind it that were put off move up, so that a search never meets a gap. */
static void erase_entry(th_tree *tree, uint32_t at) {
  uint32_t mask = tree->head->mask, gap = at;
  for (uint32_t i = (at + 1) & mask; tree->table[i].marker; i = (i + 1) & mask) {
    uint32_t from = first_of(tree, tree->table[i].marker - 1);
    if (((i - from) & mask) < ((i - gap) & mask)) continue;
    tree->table[gap] = tree->table[i];
    gap = i;
  }
  tree->table[gap] = (th_tree_marker){0};
  tree->head->kept--;
}

/* ---------------------------------------------------------------- nodes */

typedef struct taking {
  th_tree *tree;
  uint16_t node;
} taking;

static void take_over(void *context, uint32_t marker, th_vec2 offset) {
  const taking *take = context;
  th_tree_marker *entry = need_entry(take->tree, marker);
  float distance = th_length2(offset);
  if (!entry || (entry->nearest != TH_TREE_NONE && entry->distance <= distance)) return;
  entry->nearest = take->node;
  entry->distance = distance;
}

void th_tree_node_claim(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye, uint16_t node) {
  taking take = {tree, node};
  th_tree_near(eye, tree->node[node].place, params->action, take_over, &take);
}

static uint16_t new_slot(th_tree *tree) {
  th_tree_head *head = tree->head;
  if (head->count == head->capacity) return TH_TREE_NONE;
  uint32_t slot = head->free;
  if (slot != TH_TREE_NONE)
    head->free = tree->node[slot].child;
  else
    slot = head->used++;
  head->count++;
  return (uint16_t)slot;
}

static uint16_t put(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye, th_place place) {
  uint16_t slot = new_slot(tree);
  if (slot == TH_TREE_NONE) return slot;
  tree->node[slot] = (th_tree_slot){.place = place,
                                    .point = th_ground_point(eye->space->ground, place),
                                    .parent = TH_TREE_NONE,
                                    .child = TH_TREE_NONE,
                                    .sibling = TH_TREE_NONE,
                                    .flags = TH_TREE_ALIVE | TH_TREE_FRESH};
  th_tree_node_claim(tree, params, eye, slot);
  return slot;
}

void th_tree_plant(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye, th_place place) {
  th_tree_head *head = tree->head, old = *head;
  memset(head, 0, th_tree_row_size(params));
  head->begun = 1;
  head->version = th_ground_version(eye->space->ground);
  head->capacity = (uint32_t)params->nodes;
  head->mask = table_size(head->capacity) - 1;
  head->does = old.does, head->target = old.target, head->draws = old.draws;
  head->aim = old.aim, head->aim_left = old.aim_left;
  head->free = head->next = TH_TREE_NONE;
  *tree = th_tree_open(head);
  head->root = head->best = put(tree, params, eye, place);
}

/* Looks at its parent's other children and its neighbours: a node at the same spot is one of them. */
static bool is_taken(const th_tree *tree, th_vec3 point) {
  for (uint32_t i = 0; i < tree->head->used; i++) {
    th_vec3 off = th_minus3(tree->node[i].point, point);
    if (th_tree_lives(tree, i) && th_dot3(off, off) < SAME * SAME) return true;
  }
  return false;
}

uint16_t th_tree_node_add(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye, uint16_t parent,
                          th_place place) {
  if (tree->node[parent].depth == UINT16_MAX || is_taken(tree, th_ground_point(eye->space->ground, place)))
    return TH_TREE_NONE;
  uint16_t node = put(tree, params, eye, place);
  if (node == TH_TREE_NONE) return node;
  th_tree_slot *from = &tree->node[parent], *to = &tree->node[node];
  to->parent = parent;
  to->sibling = from->child;
  to->depth = (uint16_t)(from->depth + 1);
  from->child = node;
  from->children++;
  return node;
}

void th_tree_node_cut(th_tree *tree, uint16_t node) {
  uint16_t at = node;
  if (tree->node[node].flags & TH_TREE_DOOMED) return;
  tree->head->cut = 1;
  for (;;) { /* down to the children first, then along the siblings, then up: no stack */
    tree->node[at].flags |= TH_TREE_DOOMED;
    if (tree->node[at].child != TH_TREE_NONE) {
      at = tree->node[at].child;
      continue;
    }
    while (at != node && tree->node[at].sibling == TH_TREE_NONE) at = tree->node[at].parent;
    if (at == node) return;
    at = tree->node[at].sibling;
  }
}

static void unlink(th_tree *tree, uint16_t node) {
  uint16_t parent = tree->node[node].parent;
  if (parent == TH_TREE_NONE || (tree->node[parent].flags & TH_TREE_DOOMED)) return;
  uint16_t *at = &tree->node[parent].child;
  while (*at != node) at = &tree->node[*at].sibling;
  *at = tree->node[node].sibling;
  tree->node[parent].children--;
}

static void free_doomed(th_tree *tree) {
  th_tree_head *head = tree->head;
  for (uint32_t i = 0; i < head->used; i++)
    if (tree->node[i].flags & TH_TREE_DOOMED) unlink(tree, (uint16_t)i);
  for (uint32_t i = 0; i < head->used; i++) {
    th_tree_slot *node = &tree->node[i];
    if (th_tree_lives(tree, i) && !(node->flags & TH_TREE_DOOMED) && node->parent != TH_TREE_NONE &&
        (tree->node[node->parent].flags & TH_TREE_DOOMED))
      node->parent = node->sibling = TH_TREE_NONE; /* a root whose parent goes */
  }
  for (uint32_t i = 0; i < head->used; i++) {
    if (!(tree->node[i].flags & TH_TREE_DOOMED)) continue;
    tree->node[i] = (th_tree_slot){.child = (uint16_t)head->free};
    head->free = i;
    head->count--;
  }
}

/* Another node becomes the nearest, if one is in reach. */
static void find_nearest(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye, th_tree_marker *entry) {
  uint32_t marker = entry->marker - 1;
  th_vec3 at = eye->space->point[marker];
  entry->nearest = TH_TREE_NONE;
  entry->distance = params->action;
  for (uint32_t i = 0; i < tree->head->used; i++) {
    th_vec3 off = th_minus3(tree->node[i].point, at);
    th_vec2 offset;
    if (!th_tree_lives(tree, i) || th_dot3(off, off) > entry->distance * entry->distance) continue;
    if (!th_tree_offset(eye, tree->node[i].place, eye->space->place[marker], entry->distance, &offset)) continue;
    float distance = th_length2(offset);
    if (entry->nearest != TH_TREE_NONE && distance >= entry->distance) continue;
    entry->nearest = (uint16_t)i;
    entry->distance = distance;
  }
}

void th_tree_settle(th_tree *tree, const th_tree_params *params, const th_tree_eye *eye) {
  th_tree_head *head = tree->head;
  if (!head->cut) return;
  head->cut = 0;
  for (uint32_t i = 0; i <= head->mask; i++) { /* while the doomed can still be told */
    th_tree_marker *entry = &tree->table[i];
    if (!entry->marker) continue;
    if (entry->owner != TH_TREE_NONE && (tree->node[entry->owner].flags & TH_TREE_DOOMED)) entry->owner = TH_TREE_NONE;
    if (entry->nearest != TH_TREE_NONE && (tree->node[entry->nearest].flags & TH_TREE_DOOMED)) entry->distance = -1.0f;
  }
  free_doomed(tree);
  for (uint32_t i = 0; i <= head->mask; i++)
    if (tree->table[i].marker && tree->table[i].distance < 0.0f) find_nearest(tree, params, eye, &tree->table[i]);
  for (uint32_t i = 0; i <= head->mask; i++)
    while (tree->table[i].marker && tree->table[i].nearest == TH_TREE_NONE && tree->table[i].owner == TH_TREE_NONE)
      erase_entry(tree, i);
  for (uint32_t i = 0; i < head->used; i++) tree->node[i].flags &= (uint16_t)~TH_TREE_IDLE;
  if (head->best != TH_TREE_NONE && !th_tree_lives(tree, head->best)) head->best = head->root;
  if (head->next != TH_TREE_NONE && !th_tree_lives(tree, head->next)) head->next = TH_TREE_NONE;
}
