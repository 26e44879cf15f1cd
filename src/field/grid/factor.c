/* field/grid/factor.c - the 5-point operator of a grid as rows of a graph.
 *
 * The elimination tree of the grid depends on its two sizes only and is shared by all versions of a factor.
 */
#include "field/grid/factor.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/grid/dissection.h"

#define LEAF_CELLS 32   /* smaller: more fronts than work; larger: dense blocks of a sparse leaf */
#define PIECE_CELLS 128 /* smaller: more update matrices kept; larger: more to recompute for one cell */

/* Free and pinned cells never lie on the outermost ring, so all four neighbours exist. */
static void list_row(const void *user, uint32_t cell, th_graph_row *row) {
  const th_operator *op = user;
  const double along[2] = {1.0 - op->less[0], 1.0 - op->less[1]};
  row->count = 4;
  row->other = row->own_other;
  row->weight = row->own_weight;
  row->own_other[0] = cell - op->width;
  row->own_other[1] = cell - 1;
  row->own_other[2] = cell + 1;
  row->own_other[3] = cell + op->width;
  row->own_weight[0] = row->own_weight[3] = along[1];
  row->own_weight[1] = row->own_weight[2] = along[0];
}

th_graph_operator th_grid_graph_operator(const th_operator *op) {
  return (th_graph_operator){
      .graph = {op->width * op->height, list_row, op}, .kind = op->kind, .screen = op->screen, .neumann = op->neumann};
}

static th_factor_rule rule_of(const th_operator *op) {
  return (th_factor_rule){
      .width = op->width, .neumann = op->neumann, .screen = op->screen, .less = {op->less[0], op->less[1]}};
}

static th_result check_ring(const th_operator *op, th_error *error) {
  for (uint32_t y = 0; y < op->height; y++) {
    bool whole = y == 0 || y == op->height - 1;
    for (uint32_t x = 0; x < op->width; x += whole || x == op->width - 1 ? 1 : op->width - 1) {
      if (op->kind[(size_t)y * op->width + x] == TH_CELL_WALL) continue;
      return th_fail_at(error, TH_ERROR_RANGE, "factor", y * op->width + x,
                        "expected a wall on the outermost ring, found an open cell at %u, %u", x, y);
    }
  }
  return TH_OK;
}

static th_result check(const th_operator *op, th_error *error) {
  uint64_t cells = (uint64_t)op->width * op->height;
  if (cells == 0 || cells > INT32_MAX) {
    return th_fail(error, TH_ERROR_RANGE, "factor", "expected 1 to %d cells, found %u x %u", INT32_MAX, op->width,
                   op->height);
  }
  if (!(op->screen >= 0.0) || !isfinite(op->screen) || (op->neumann && op->screen == 0.0)) {
    return th_fail(error, TH_ERROR_RANGE, "factor", "expected screen >= 0 (> 0 with Neumann walls), found %g",
                   op->screen);
  }
  for (int k = 0; k < 2; k++)
    if (!(op->less[k] >= 0.0 && op->less[k] < 1.0))
      return th_fail(error, TH_ERROR_RANGE, "factor", "expected weights above 0 and up to 1, found %g",
                     1.0 - op->less[k]);
  return check_ring(op, error);
}

th_result th_grid_factor_make(const th_env *env, const th_operator *op, th_simd simd, th_factor **factor,
                              th_error *error) {
  th_result result = check(op, error);
  if (result != TH_OK) return result;
  const th_env full = th_env_complete(env);
  th_elimination *tree = th_dissection_make(&full.allocator, op->width, op->height, LEAF_CELLS, PIECE_CELLS);
  if (!tree) return th_fail_memory(error, "factor");
  const th_factor_def def = {
      .allocator = full.allocator, .tree = tree, .rule = rule_of(op), .simd = simd, .op = th_grid_graph_operator(op)};
  result = th_factor_make(&def, factor, error);
  th_elimination_release(tree);
  return result;
}

th_result th_grid_factor_update(const th_factor *base, const th_operator *op, th_factor **factor, th_error *error) {
  th_result result = check(op, error);
  if (result != TH_OK) return result;
  if (op->width != base->rule.width || op->width * op->height != base->count)
    return th_fail(error, TH_ERROR_RANGE, "factor", "expected the same grid of %u x %u cells, found %u x %u",
                   base->rule.width, base->count / base->rule.width, op->width, op->height);
  const th_factor_def def = {.allocator = base->allocator,
                             .tree = base->fronts->tree,
                             .rule = rule_of(op),
                             .simd = base->fronts->simd,
                             .op = th_grid_graph_operator(op),
                             .base = base};
  return th_factor_make(&def, factor, error);
}
