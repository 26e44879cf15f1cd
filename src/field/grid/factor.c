/* field/grid/factor.c - the 5-point operator of a grid as rows for the multifrontal solver.
 *
 * The tree of the grid depends on its two sizes only and is shared by all versions. An update compares the cells: a
 * cell whose row of A differs makes its piece stale. Cost of the comparison: one pass.
 */
#include "field/grid/factor.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/direct/front.h"
#include "field/grid/dissection.h"

#define LEAF_CELLS 32   /* smaller: more fronts than work; larger: dense blocks of a sparse leaf */
#define PIECE_CELLS 128 /* smaller: more update matrices kept; larger: more to recompute for one cell */

struct th_factor {
  th_env env;
  uint32_t width, height;
  uint8_t *kind;
  double screen, less[2];
  bool neumann;
  th_fronts *fronts;
};

static void list_row(const void *user, uint32_t cell, th_star *star) {
  const th_operator *op = user;
  const uint8_t *kind = op->kind + cell;
  star->diagonal = 0.0;
  star->count = 0;
  if (*kind != TH_CELL_FREE) return;
  const uint32_t other[4] = {cell - op->width, cell - 1, cell + 1, cell + op->width};
  const double along[2] = {1.0 - op->less[0], 1.0 - op->less[1]}, weight[4] = {along[1], along[0], along[0], along[1]};
  uint32_t count = 0;
  double kept = 0.0;
  for (int i = 0; i < 4; i++) {
    uint8_t beside = op->kind[other[i]];
    if (!op->neumann || beside != TH_CELL_WALL) kept += weight[i];
    star->other_room[count] = other[i];
    star->weight_capacity[count] = weight[i];
    count += beside == TH_CELL_FREE;
  }
  star->diagonal = kept + op->screen;
  star->count = count;
  star->other = star->other_room;
  star->weight = star->weight_capacity;
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

/* A factor of `op` with the fronts still missing. */
static th_factor *factor_take(const th_env *env, const th_operator *op) {
  th_factor *factor = TH_TAKE(&env->allocator, th_factor, 1);
  if (!factor) return NULL;
  size_t cells = (size_t)op->width * op->height;
  *factor = (th_factor){.env = *env, .width = op->width, .height = op->height};
  factor->screen = op->screen;
  memcpy(factor->less, op->less, sizeof factor->less);
  factor->neumann = op->neumann;
  factor->kind = TH_TAKE(&env->allocator, uint8_t, cells);
  if (!factor->kind) {
    TH_GIVE(&env->allocator, factor, 1);
    return NULL;
  }
  memcpy(factor->kind, op->kind, cells);
  return factor;
}

th_result th_factor_make(const th_env *env, const th_operator *op, th_factor **factor, th_error *error) {
  th_result result = check(op, error);
  if (result != TH_OK) return result;
  th_env full = th_env_complete(env);
  th_factor *made = factor_take(&full, op);
  th_tree *tree = made ? th_dissection_make(&full.allocator, op->width, op->height, LEAF_CELLS, PIECE_CELLS) : NULL;
  if (!tree) {
    th_factor_release(made);
    return th_fail_memory(error, "factor");
  }
  th_fronts_def def = {.allocator = full.allocator, .tree = tree, .stars = {list_row, op}};
  result = th_fronts_make(&def, &made->fronts, error);
  th_tree_release(tree);
  if (result == TH_OK) {
    *factor = made;
  } else {
    th_factor_release(made);
  }
  return result;
}

/* Two operators on one grid. */
typedef struct change {
  const uint8_t *before, *after;
  uint32_t width;
  bool neumann;
} change;

/* Whether what happened to a cell changes any row of A. */
static bool matters(const change *c, uint32_t cell) {
  uint8_t before = c->before[cell], after = c->after[cell];
  return before != after && (c->neumann || before == TH_CELL_FREE || after == TH_CELL_FREE);
}

/* Whether the row of a cell differs: free cells never lie on the outermost ring, so all four neighbours exist. */
static bool touched(const change *c, uint32_t cell) {
  if (c->before[cell] != TH_CELL_FREE && c->after[cell] != TH_CELL_FREE) return false;
  return matters(c, cell) || matters(c, cell - 1) || matters(c, cell + 1) || matters(c, cell - c->width) ||
         matters(c, cell + c->width);
}

static void flag_changes(const change *c, const th_tree *tree, uint8_t *stale) {
  uint32_t first = 0, last = tree->unknown_count;
  while (first < last && !matters(c, first)) first++;
  while (last > first && !matters(c, last - 1)) last--;
  if (first == last) return;
  /* Changes lie off the ring: first >= width + 1, last <= unknown_count - width. */
  uint32_t low = first - c->width, span = last + c->width - low;
  for (uint32_t piece = 0, rank = 0; piece < tree->piece_count; piece++) {
    const th_tree_node *node = &tree->node[tree->piece_end[piece]];
    for (uint32_t end = node->first + node->count; rank < end && !stale[piece]; rank++) {
      stale[piece] = tree->order[rank] - low < span && touched(c, tree->order[rank]);
    }
    rank = node->first + node->count;
  }
}

th_result th_factor_update(const th_factor *base, const th_operator *op, th_factor **factor, th_error *error) {
  th_result result = check(op, error);
  if (result != TH_OK) return result;
  if (op->width != base->width || op->height != base->height) {
    return th_fail(error, TH_ERROR_RANGE, "factor", "expected the same grid of %u x %u cells, found %u x %u",
                   base->width, base->height, op->width, op->height);
  }
  const th_allocator *allocator = &base->env.allocator;
  th_tree *tree = base->fronts->tree;
  th_factor *made = factor_take(&base->env, op);
  uint8_t *stale = made ? TH_TAKE(allocator, uint8_t, tree->piece_count) : NULL;
  if (!stale) {
    th_factor_release(made);
    return th_fail_memory(error, "factor");
  }
  if (base->screen != op->screen || base->neumann != op->neumann || base->less[0] != op->less[0] ||
      base->less[1] != op->less[1]) {
    memset(stale, 1, tree->piece_count);
  } else {
    flag_changes(&(change){base->kind, op->kind, op->width, op->neumann}, tree, stale);
  }
  th_fronts_def def = {*allocator, tree, {list_row, op}, TH_SIMD_AUTO, base->fronts, stale};
  result = th_fronts_make(&def, &made->fronts, error);
  TH_GIVE(allocator, stale, tree->piece_count);
  if (result == TH_OK) {
    *factor = made;
  } else {
    th_factor_release(made);
  }
  return result;
}

void th_factor_release(th_factor *factor) {
  if (!factor) return;
  th_allocator allocator = factor->env.allocator;
  th_fronts_release(factor->fronts);
  TH_GIVE(&allocator, factor->kind, (size_t)factor->width * factor->height);
  TH_GIVE(&allocator, factor, 1);
}

void th_factor_solve(const th_factor *factor, const uint32_t *cell, const double *value, uint32_t count, double *x,
                     double *work) {
  th_fronts_solve(factor->fronts, (th_fronts_source){cell, value, count}, x, work);
}

size_t th_factor_work_size(const th_factor *factor) { return th_fronts_work_size(factor->fronts); }

size_t th_factor_bytes(const th_factor *factor) {
  return sizeof *factor + (size_t)factor->width * factor->height + th_fronts_bytes(factor->fronts);
}
