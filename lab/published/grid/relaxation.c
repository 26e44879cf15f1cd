/* lab/published/grid/relaxation.c - a potential that is relaxed sweep by sweep.
 *
 * The free cells of each row are kept as runs; a sweep visits nothing else, so walls and goals cannot change and solid
 * space costs nothing. The alternating order goes through (i, j) up-up, down-up, up-down, down-down (Prestes 2003 for
 * the idea): a fixed order carries values fast in one direction only, and leaves fields that are not fully relaxed with
 * a bias in that direction. The number of sweeps done is part of the state, so that a resumed relaxation goes on as if
 * it had never stopped. Cost of a sweep: O(free cells); to convergence O(side^2) sweeps, O(side) for SOR at its best
 * factor.
 */
#include "lab/published/grid/relaxation.h"

#include <float.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lab/published/grid/sor.h"

#define LARGEST 65534u

_Static_assert((int)TH_TILE_WALL == (int)TH_CELL_WALL && (int)TH_TILE_FREE == (int)TH_CELL_FREE &&
                   (int)TH_TILE_GOAL == (int)TH_CELL_PINNED,
               "the operators of the direct solver read tiles");

#define OMEGA_ROUNDS 400 /* power steps to find the best factor */

static size_t value_size(const th_relaxation *r) {
  return r->def.precision == TH_PRECISION_FLOAT ? sizeof(float) : sizeof(double);
}

/* Every run but the last of a row is followed by a fixed cell. */
static size_t run_capacity(const th_relaxation *r) { return (size_t)(r->width / 2 + 1) * r->height; }

static bool take_memory(th_relaxation *r) {
  const th_allocator *allocator = &r->env.allocator;
  const size_t cells = th_relaxation_cells(r), size = value_size(r);
  r->tile = TH_TAKE(allocator, uint8_t, cells);
  r->value = th_take(allocator, cells, size);
  r->line = th_take(allocator, 2 * (size_t)r->width, size);
  r->run = TH_TAKE(allocator, th_run_of_cells, run_capacity(r));
  if (r->def.method == TH_METHOD_JACOBI) r->other = th_take(allocator, cells, size);
  return r->tile && r->value && r->line && r->run && (r->other || r->def.method != TH_METHOD_JACOBI);
}

void th_relaxation_free(th_relaxation *r) {
  if (!r) return;
  th_allocator allocator = r->env.allocator;
  const size_t cells = th_relaxation_cells(r), size = value_size(r);
  th_give(&allocator, r->other, cells, size);
  TH_GIVE(&allocator, r->run, run_capacity(r));
  th_give(&allocator, r->line, 2 * (size_t)r->width, size);
  th_give(&allocator, r->value, cells, size);
  TH_GIVE(&allocator, r->tile, cells);
  TH_GIVE(&allocator, r, 1);
}

static th_result check_grid(const th_grid *grid, th_error *error) {
  if (grid->width < 1 || grid->height < 1 || grid->width > LARGEST || grid->height > LARGEST)
    return th_fail(error, TH_ERROR_RANGE, "grid", "expected 1 to %u cells a side, found %u x %u", LARGEST, grid->width,
                   grid->height);
  if ((uint64_t)(grid->width + 2) * (grid->height + 2) > UINT32_MAX)
    return th_fail(error, TH_ERROR_CAPACITY, "grid", "expected fewer than 2^32 cells, found %u x %u", grid->width,
                   grid->height);
  const size_t cells = (size_t)grid->width * grid->height;
  for (size_t c = 0; c < cells; c++)
    if (grid->cell[c] > TH_TILE_GOAL)
      return th_fail_at(error, TH_ERROR_RANGE, "grid", (uint32_t)c, "expected wall 0, free 1 or goal 2, found %u",
                        grid->cell[c]);
  return TH_OK;
}

static th_relaxation *take(const th_env *env, const th_relax_def *def, uint32_t width, uint32_t height) {
  th_relaxation *r = TH_TAKE(&env->allocator, th_relaxation, 1);
  if (!r) return NULL;
  r->env = *env;
  r->def = *def;
  r->width = width;
  r->height = height;
  r->stale = true;
  const double finest = 4.0 * (def->precision == TH_PRECISION_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON);
  if (r->def.tolerance < finest) r->def.tolerance = finest; /* below it, rounding may cycle for ever */
  if (take_memory(r)) return r;
  th_relaxation_free(r);
  return NULL;
}

static void set_cells(th_relaxation *r, const th_grid *grid) {
  const double start = r->def.storage == TH_STORAGE_P ? r->def.start : th_u_of(r->def.start);
  const double wall = th_relaxation_fixed(r, TH_TILE_WALL);
  for (size_t c = 0; c < th_relaxation_cells(r); c++) th_relaxation_store(r, c, wall);
  for (uint32_t j = 0; j < grid->height; j++)
    for (uint32_t i = 0; i < grid->width; i++) {
      const size_t at = th_relaxation_at(r, i, j);
      r->tile[at] = grid->cell[(size_t)j * grid->width + i];
      th_relaxation_store(r, at, r->tile[at] == TH_TILE_FREE ? start : th_relaxation_fixed(r, r->tile[at]));
    }
}

/* Young's factor belongs to the unbiased equation; a bias only makes convergence easier. */
static bool find_omega(th_relaxation *r) {
  r->omega = r->def.method == TH_METHOD_SOR ? r->def.omega : 1.0;
  if (r->omega > 0.0) return true;
  const th_operator op = {.width = r->width, .height = r->height, .kind = r->tile};
  r->omega = th_relax_omega(&r->env.allocator, &op, OMEGA_ROUNDS);
  return r->omega > 0.0;
}

th_grid th_default_grid(void) { return (th_grid){.cell = NULL}; }

th_result th_relaxation_make(const th_relax_def *def, const th_grid *grid, th_relaxation **relaxation,
                             th_error *error) {
  *relaxation = NULL;
  th_result result = th_relax_check(def, error);
  if (result != TH_OK) return result;
  result = check_grid(grid, error);
  if (result != TH_OK) return result;
  const th_env full = th_env_complete(&grid->env);
  th_relaxation *r = take(&full, def, grid->width + 2, grid->height + 2);
  if (!r) return th_fail_memory(error, "relaxation");
  set_cells(r, grid);
  if (!find_omega(r)) {
    th_relaxation_free(r);
    return th_fail_memory(error, "relaxation");
  }
  th_relaxation_weigh(r);
  *relaxation = r;
  return TH_OK;
}

th_result th_relaxation_copy(const th_relaxation *from, th_relaxation **relaxation, th_error *error) {
  *relaxation = NULL;
  th_relaxation *r = take(&from->env, &from->def, from->width, from->height);
  if (!r) return th_fail_memory(error, "relaxation");
  memcpy(r->tile, from->tile, th_relaxation_cells(r));
  memcpy(r->value, from->value, th_relaxation_cells(r) * value_size(r));
  r->east = from->east, r->west = from->west, r->north = from->north, r->south = from->south;
  r->omega = from->omega;
  r->warned = from->warned;
  r->swept = from->swept;
  *relaxation = r;
  return TH_OK;
}

/* The runs of free cells inside a window. Jacobi's second buffer must hold what no sweep will write. */
static void cut_runs(th_relaxation *r, const th_relax_window *window) {
  r->run_count = 0;
  for (uint32_t j = window->j0; j < window->j1; j++) {
    const uint32_t row = (j + 1) * r->width + 1, end = row + window->i1;
    for (uint32_t c = row + window->i0; c < end; c++) {
      if (r->tile[c] != TH_TILE_FREE) continue;
      const uint32_t begin = c;
      while (c < end && r->tile[c] == TH_TILE_FREE) c++;
      r->run[r->run_count++] = (th_run_of_cells){begin, c};
    }
  }
  if (r->other) memcpy(r->other, r->value, th_relaxation_cells(r) * value_size(r));
  r->window = *window;
  r->stale = false;
}

static void fit_runs(th_relaxation *r, const th_relax_window *window) {
  const uint32_t w = r->width - 2, h = r->height - 2;
  th_relax_window cut = {0, 0, w, h};
  if (window) {
    cut.i1 = window->i1 < w ? window->i1 : w;
    cut.j1 = window->j1 < h ? window->j1 : h;
    cut.i0 = window->i0 < cut.i1 ? window->i0 : cut.i1;
    cut.j0 = window->j0 < cut.j1 ? window->j0 : cut.j1;
  }
  const th_relax_window had = r->window;
  if (r->stale || cut.i0 != had.i0 || cut.j0 != had.j0 || cut.i1 != had.i1 || cut.j1 != had.j1) cut_runs(r, &cut);
}

static bool sweep_once(th_relaxation *r, bool judge) {
  const bool alternate = r->def.method == TH_METHOD_SEIDEL_ALTERNATING, single = r->def.precision == TH_PRECISION_FLOAT;
  th_sweep s = {r->run,
                r->run_count,
                r->width,
                r->value,
                r->other,
                r->line,
                r->east,
                r->west,
                r->north,
                r->south,
                r->omega,
                r->def.tolerance,
                r->def.min,
                alternate && (r->swept & 1),
                alternate && (r->swept & 2),
                judge};
  r->swept++;
  if (r->def.method == TH_METHOD_JACOBI) {
    bool moving = single ? th_sweep_jacobi_float(&s) : th_sweep_jacobi_double(&s);
    void *fresh = r->other;
    r->other = r->value;
    r->value = fresh;
    return moving;
  }
  if (r->def.method == TH_METHOD_SOR) return single ? th_sweep_sor_float(&s) : th_sweep_sor_double(&s);
  return single ? th_sweep_seidel_float(&s) : th_sweep_seidel_double(&s);
}

void th_relaxation_sweep_window(th_relaxation *r, const th_relax_window *window, uint32_t count) {
  fit_runs(r, window);
  for (uint32_t n = 0; n < count; n++) (void)sweep_once(r, false);
}

void th_relaxation_sweep(th_relaxation *r, uint32_t count) { th_relaxation_sweep_window(r, NULL, count); }

bool th_relaxation_converge(th_relaxation *r) {
  fit_runs(r, NULL);
  for (uint32_t n = 0; n < r->def.max_sweeps; n++)
    if (!sweep_once(r, true)) return true;
  return false;
}

void th_relaxation_mark(th_relaxation *r, uint32_t i, uint32_t j, th_tile tile) {
  const size_t at = th_relaxation_at(r, i, j);
  if (at == 0 || (unsigned)tile > TH_TILE_GOAL) {
    th_fault(&r->env, "th_relaxation_mark: expected a cell of the map and a tile, found (%u, %u) and %d", i, j,
             (int)tile);
    return;
  }
  r->tile[at] = (uint8_t)tile;
  if (tile != TH_TILE_FREE) th_relaxation_store(r, at, th_relaxation_fixed(r, (uint8_t)tile));
  r->stale = true;
}

th_result th_relaxation_bias(th_relaxation *r, th_vec2 v, double eps, th_error *error) {
  th_relax_def def = r->def;
  def.v = v;
  def.eps = eps;
  th_result result = th_relax_check(&def, error);
  if (result != TH_OK) return result;
  r->def = def;
  th_relaxation_weigh(r);
  return TH_OK;
}
