/* field/direct/elimination.h - an elimination order with its tree of separators, independent of what is eliminated. */
#ifndef TH_FIELD_DIRECT_ELIMINATION_H
#define TH_FIELD_DIRECT_ELIMINATION_H

#include <stdatomic.h>

#include "throng/base.h"

#define TH_NO_NODE UINT32_MAX

/* A node eliminates the unknowns of rank first .. first + count - 1; every neighbour of such an unknown belongs to the
 * node itself, to a descendant or to an ancestor. Nodes stand in postorder: children before their parent, each
 * subtree in one piece, ranks ascending. */
typedef struct th_elimination_node {
  uint32_t first, count;
  uint32_t parent;   /* TH_NO_NODE at a root */
  uint32_t child[2]; /* TH_NO_NODE where there is none */
  uint32_t begin;    /* first node of its subtree */
  uint32_t depth;    /* 0 at a root */
} th_elimination_node;

/* Shared by reference count, never changed once made. */
typedef struct th_elimination {
  atomic_uint references;
  th_allocator allocator;
  uint32_t unknown_count, node_count, node_capacity;
  th_elimination_node *node;
  uint32_t *order; /* unknown of a rank */
  uint32_t *rank;  /* rank of an unknown */
  /* A piece is what a factorisation shares and recomputes as a whole: a small subtree, or one node above those. */
  uint32_t piece_count;
  uint32_t *piece_end; /* last node of each piece */
} th_elimination;

/* An empty tree with reserved memory; the caller then adds nodes in postorder and fills `order`. NULL: out of
 * memory. */
th_elimination *th_elimination_make(const th_allocator *allocator, uint32_t unknown_count, uint32_t node_capacity);

/* Appends a node with the next `count` ranks and returns it. */
uint32_t th_elimination_add(th_elimination *tree, uint32_t count, uint32_t left, uint32_t right);

/* Derives ranks, depths and pieces; a subtree of at most `piece_unknowns` unknowns is one piece. */
void th_elimination_finish(th_elimination *tree, uint32_t piece_unknowns);

th_elimination *th_elimination_retain(th_elimination *tree);
void th_elimination_release(th_elimination *tree);
size_t th_elimination_bytes(const th_elimination *tree);

uint32_t th_elimination_node_of(const th_elimination *tree, uint32_t unknown);
uint32_t th_elimination_piece_of(const th_elimination *tree, uint32_t node);
uint32_t th_elimination_piece_begin(const th_elimination *tree, uint32_t piece);

#endif
