/* field/mesh/factor.c - the operator of a mesh graph as rows for the multifrontal solver.
 *
 * As field/grid/factor.c for grids: the tree serves every set of pinned vertices, and an update compares the kinds of
 * vertices to find the pieces that are stale. Cost of the comparison: one pass over the graph.
 */
#include "field/mesh/factor.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* A row without the neighbours that are not free is written here; the solver reads one row at a time. */
typedef struct listing {
  const th_mesh_operator *op;
  uint32_t *other;
  double *weight;
} listing;

static void list_row(const void *user, uint32_t v, th_star *star) {
  const listing *l = user;
  const th_mesh_graph *g = l->op->graph;
  star->diagonal = 0.0;
  star->count = 0;
  if (l->op->kind[v] != TH_CELL_FREE) return;
  double sum = 0.0;
  uint32_t count = 0;
  for (uint32_t at = g->start[v]; at < g->start[v + 1]; at++) {
    uint8_t beside = l->op->kind[g->other[at]];
    if (beside != TH_CELL_WALL || !l->op->neumann) sum += g->weight[at];
    l->other[count] = g->other[at];
    l->weight[count] = g->weight[at];
    count += beside == TH_CELL_FREE;
  }
  star->diagonal = sum + l->op->sink[v];
  star->count = count;
  star->other = l->other;
  star->weight = l->weight;
}

static bool matters(const th_mesh_operator *op, const th_mesh_factor *base, uint32_t v) {
  uint8_t before = base->kind[v], after = op->kind[v];
  return before != after && (op->neumann || before == TH_CELL_FREE || after == TH_CELL_FREE);
}

/* Flags the pieces in which a row of A differs. */
static void flag_changes(const th_mesh_operator *op, const th_mesh_factor *base, uint8_t *stale) {
  const th_mesh_graph *g = op->graph;
  const th_tree *tree = base->fronts->tree;
  for (uint32_t v = 0; v < g->vertex_count; v++) {
    if (!matters(op, base, v)) continue;
    stale[th_tree_piece_of(tree, th_tree_node_of(tree, v))] = 1;
    for (uint32_t at = g->start[v]; at < g->start[v + 1]; at++)
      stale[th_tree_piece_of(tree, th_tree_node_of(tree, g->other[at]))] = 1;
  }
}

static th_mesh_factor *factor_take(const th_mesh_operator *op) {
  const th_allocator *a = &op->graph->allocator;
  th_mesh_factor *made = TH_TAKE(a, th_mesh_factor, 1);
  if (!made) return NULL;
  *made = (th_mesh_factor){.allocator = *a, .vertex_count = op->graph->vertex_count, .neumann = op->neumann};
  made->kind = TH_TAKE(a, uint8_t, made->vertex_count);
  if (made->kind) {
    memcpy(made->kind, op->kind, made->vertex_count);
    return made;
  }
  TH_GIVE(a, made, 1);
  return NULL;
}

static bool listing_make(listing *l, const th_mesh_operator *op) {
  const uint32_t row = op->graph->max_row + 1; /* a row is written before its last entry is known to count */
  *l = (listing){op, TH_TAKE(&op->graph->allocator, uint32_t, row), TH_TAKE(&op->graph->allocator, double, row)};
  return l->other && l->weight;
}

static void listing_free(listing *l) {
  if (!l->op) return;
  const uint32_t row = l->op->graph->max_row + 1;
  TH_GIVE(&l->op->graph->allocator, l->weight, row);
  TH_GIVE(&l->op->graph->allocator, l->other, row);
}

/* What a factor is made from: its own operator first, then that of its kin. */
typedef struct making {
  const th_mesh_factor *base, *previous;
  listing list[2];
  uint8_t *stale;
} making;

static th_result make(const th_mesh_operator *op, th_tree *tree, making *m, th_mesh_factor **factor, th_error *error) {
  const th_allocator *a = &op->graph->allocator;
  th_mesh_factor *made = factor_take(op);
  if (!made) return th_fail_memory(error, "field");
  if (m->base) flag_changes(op, m->base, m->stale);
  th_fronts_def def = {*a, tree, {list_row, &m->list[0]}, TH_SIMD_AUTO, m->base ? m->base->fronts : NULL, m->stale};
  const th_fronts_previous previous = {m->previous ? m->previous->fronts : NULL, {list_row, &m->list[1]}};
  th_result result = th_fronts_make_like(&def, m->previous ? &previous : NULL, &made->fronts, error);
  if (result == TH_OK)
    *factor = made;
  else
    th_mesh_factor_release(made);
  return result;
}

th_result th_mesh_factor_make(const th_mesh_operator *op, th_tree *tree, const th_mesh_factor *base,
                              th_mesh_factor **factor, th_error *error) {
  const th_allocator *a = &op->graph->allocator;
  making m = {.base = base, .stale = base ? TH_TAKE(a, uint8_t, tree->piece_count) : NULL};
  *factor = NULL;
  bool got = listing_make(&m.list[0], op) && (m.stale || !base);
  th_result result = got ? make(op, tree, &m, factor, error) : th_fail_memory(error, "field");
  listing_free(&m.list[0]);
  TH_GIVE(a, m.stale, tree->piece_count);
  return result;
}

th_result th_mesh_factor_follow(const th_mesh_operator *op, th_tree *tree, const th_mesh_factor *previous,
                                const th_mesh_operator *previous_op, th_mesh_factor **factor, th_error *error) {
  making m = {.previous = previous};
  *factor = NULL;
  bool got = listing_make(&m.list[0], op);
  got = listing_make(&m.list[1], previous_op) && got;
  th_result result = got ? make(op, tree, &m, factor, error) : th_fail_memory(error, "field");
  listing_free(&m.list[0]);
  listing_free(&m.list[1]);
  return result;
}

void th_mesh_factor_release(th_mesh_factor *factor) {
  if (!factor) return;
  th_allocator a = factor->allocator;
  th_fronts_release(factor->fronts);
  TH_GIVE(&a, factor->kind, factor->vertex_count);
  TH_GIVE(&a, factor, 1);
}
