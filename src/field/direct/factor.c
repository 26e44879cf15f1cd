/* field/direct/factor.c - factors of one graph; they share the pieces on which walls and pins agree.
 *
 * One elimination tree serves every set of walls and pinned unknowns. An update compares the kinds of the unknowns: an
 * unknown whose row of A differs makes its piece stale, and only stale pieces are computed again. Cost of the
 * comparison: one pass over the kinds, and one over the rows of what changed.
 */
#include "field/direct/factor.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Two sets of kinds on one graph, and the unknowns whose rows of A differ: all lie in [low, end). */
typedef struct change {
  const uint8_t *before, *after;
  bool neumann;
  uint8_t *touched;
  uint32_t low, end;
} change;

/* Whether what happened to an unknown changes any row of A. */
static inline bool matters(const change *c, uint32_t v) {
  const uint8_t before = c->before[v], after = c->after[v];
  return before != after && (c->neumann || before == TH_CELL_FREE || after == TH_CELL_FREE);
}

static inline void touch(change *c, uint32_t v) {
  if (c->before[v] != TH_CELL_FREE && c->after[v] != TH_CELL_FREE) return;
  c->touched[v] = 1;
  if (v < c->low) c->low = v;
  if (v >= c->end) c->end = v + 1;
}

static void find_touched(change *c, const th_graph *graph) {
  for (uint32_t v = 0; v < graph->count; v++) {
    if (!matters(c, v)) continue;
    th_graph_row row;
    graph->row(graph->user, v, &row);
    touch(c, v);
    for (uint32_t k = 0; k < row.count; k++) touch(c, row.other[k]);
  }
}

/* Flags the pieces in which a row of A differs. */
static void flag_pieces(const change *c, const th_elimination *tree, uint8_t *stale) {
  if (c->low >= c->end) return;
  const uint32_t span = c->end - c->low;
  for (uint32_t piece = 0, rank = 0; piece < tree->piece_count; piece++) {
    const th_elimination_node *node = &tree->node[tree->piece_end[piece]];
    for (uint32_t end = node->first + node->count; rank < end && !stale[piece]; rank++) {
      const uint32_t v = tree->order[rank];
      stale[piece] = v - c->low < span && c->touched[v];
    }
    rank = node->first + node->count;
  }
}

static bool flag_changes(const th_factor_def *def, uint8_t *stale) {
  const th_factor *base = def->base;
  if (!th_factor_rule_same(&base->rule, &def->rule)) {
    memset(stale, 1, def->tree->piece_count);
    return true;
  }
  change c = {base->kind, def->op.kind, def->rule.neumann, NULL, base->count, 0};
  c.touched = TH_TAKE(&def->allocator, uint8_t, base->count);
  if (!c.touched) return false;
  find_touched(&c, &def->op.graph);
  flag_pieces(&c, def->tree, stale);
  TH_GIVE(&def->allocator, c.touched, base->count);
  return true;
}

/* A factor with the fronts still missing. */
static th_factor *factor_take(const th_factor_def *def) {
  th_factor *made = TH_TAKE(&def->allocator, th_factor, 1);
  if (!made) return NULL;
  *made = (th_factor){.allocator = def->allocator, .rule = def->rule, .count = def->op.graph.count};
  made->kind = TH_TAKE(&def->allocator, uint8_t, made->count);
  if (made->kind) {
    memcpy(made->kind, def->op.kind, made->count);
    return made;
  }
  TH_GIVE(&def->allocator, made, 1);
  return NULL;
}

th_result th_factor_make(const th_factor_def *def, th_factor **factor, th_error *error) {
  const uint32_t pieces = def->tree->piece_count;
  *factor = NULL;
  th_factor *made = factor_take(def);
  uint8_t *stale = def->base ? TH_TAKE(&def->allocator, uint8_t, pieces) : NULL;
  const bool got = made && (!def->base || (stale && flag_changes(def, stale)));
  th_result result = got ? TH_OK : th_fail_memory(error, "factor");
  if (result == TH_OK) {
    const th_fronts_def fronts = {def->allocator, def->tree, def->op, def->simd, def->base ? def->base->fronts : NULL,
                                  stale};
    const th_fronts_previous previous = {def->previous ? def->previous->fronts : NULL, def->previous_op};
    result = th_fronts_make_like(&fronts, def->previous ? &previous : NULL, &made->fronts, error);
  }
  TH_GIVE(&def->allocator, stale, pieces);
  if (result == TH_OK)
    *factor = made;
  else
    th_factor_release(made);
  return result;
}

th_result th_factor_update(const th_factor *base, const th_graph_operator *op, th_factor **factor, th_error *error) {
  const th_factor_def def = {.allocator = base->allocator,
                             .tree = base->fronts->tree,
                             .rule = base->rule,
                             .simd = base->fronts->simd,
                             .op = *op,
                             .base = base};
  return th_factor_make(&def, factor, error);
}

void th_factor_release(th_factor *factor) {
  if (!factor) return;
  th_allocator allocator = factor->allocator;
  th_fronts_release(factor->fronts);
  TH_GIVE(&allocator, factor->kind, factor->count);
  TH_GIVE(&allocator, factor, 1);
}

void th_factor_solve(const th_factor *factor, const uint32_t *unknown, const double *value, uint32_t count, double *x,
                     double *work) {
  th_fronts_solve(factor->fronts, (th_fronts_source){unknown, value, count}, x, work);
}

size_t th_factor_work_size(const th_factor *factor) { return th_fronts_work_size(factor->fronts); }

size_t th_factor_bytes(const th_factor *factor) {
  return sizeof *factor + factor->count + th_fronts_bytes(factor->fronts);
}
