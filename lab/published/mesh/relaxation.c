/* lab/published/mesh/relaxation.c - relaxation of a field on a mesh: Algorithm 2 of 3DS-BVP, and the rule that ends it.
 *
 * As published, cells are relaxed in place one after the other until the summed change e(t) of a sweep is at most e_max
 * (4.7). The source gives no rule for choosing e_max; with e_max = 0 this file uses an error bound instead. A sweep is
 * linear and monotone. So take a second field that starts with 1 in all free cells and 0 in walls and goals: swept by
 * the same rule, it bounds the errors of all cells, relative to the largest initial error. This doubles the cost.
 * Sweeping ends when the mean of the bound is below the accuracy asked for and no cell with a path to the goal lacks a
 * lower neighbour. (Extrapolating the decrease of e(t) fails: on closed meshes the mean of all cells settles last and
 * is hidden by faster parts.) Coloured and Jacobi sweeps run over blocks of constant size whose sums are added in
 * order, so the result does not depend on the number of workers. Cost: one product per link and sweep; 1,000 to 30,000
 * sweeps on meshes of 700 to 5,000 cells, which is why fields for crowds are solved directly.
 */
#include "lab/published/mesh/relaxation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "lab/published/mesh/def.h"

/* ---------------------------------------------------------------- making */

static uint32_t blocks_of(uint32_t size) { return size / TH_MESH_RELAX_BLOCK + 1; }

static bool take(th_mesh_relax *r) {
  const th_allocator *a = &r->def.env.allocator;
  const uint32_t size = th_mesh_relax_size(r);
  const size_t links = r->links, bytes = th_mesh_relax_value_size(r);
  const bool jacobi = r->def.rule == TH_MESH_RELAX_JACOBI, coloured = r->def.rule == TH_MESH_RELAX_COLOURED;
  const bool doubts = r->def.e_max == 0.0;
  r->tile = TH_TAKE(a, uint8_t, size);
  r->hops = TH_TAKE(a, uint32_t, size);
  r->value = th_take(a, size, bytes);
  r->cell = TH_TAKE(a, uint32_t, size);
  r->row = TH_TAKE(a, uint32_t, (size_t)size + 1);
  r->neighbour = TH_TAKE(a, uint32_t, links);
  r->weight = th_take(a, links, bytes);
  r->change = TH_TAKE(a, th_mean_change, blocks_of(size));
  if (jacobi) r->other = th_take(a, size, bytes);
  if (doubts) r->doubt = th_take(a, size, bytes);
  if (doubts && jacobi) r->doubt_other = th_take(a, size, bytes);
  if (coloured) r->colour = TH_TAKE(a, uint32_t, size);
  if (coloured) r->colour_start = TH_TAKE(a, uint32_t, (size_t)size + 2);
  return r->tile && r->hops && r->value && r->cell && r->row && r->neighbour && r->weight && r->change &&
         (!jacobi || r->other) && (!doubts || r->doubt) && (!doubts || !jacobi || r->doubt_other) &&
         (!coloured || (r->colour && r->colour_start));
}

void th_mesh_relax_free(th_mesh_relax *r) {
  if (!r) return;
  const th_allocator a = r->def.env.allocator;
  const uint32_t size = th_mesh_relax_size(r);
  const size_t links = r->links, bytes = th_mesh_relax_value_size(r);
  th_pool_free(r->pool);
  TH_GIVE(&a, r->tile, size);
  TH_GIVE(&a, r->hops, size);
  th_give(&a, r->value, size, bytes);
  th_give(&a, r->other, size, bytes);
  th_give(&a, r->doubt, size, bytes);
  th_give(&a, r->doubt_other, size, bytes);
  TH_GIVE(&a, r->cell, size);
  TH_GIVE(&a, r->row, (size_t)size + 1);
  TH_GIVE(&a, r->neighbour, links);
  th_give(&a, r->weight, links, bytes);
  TH_GIVE(&a, r->colour, size);
  TH_GIVE(&a, r->colour_start, (size_t)size + 2);
  TH_GIVE(&a, r->change, blocks_of(size));
  TH_GIVE(&a, r, 1);
}

/* Walls 1, goals 0, free cells the start value, in p. */
static double first_p(const th_mesh_relax *r, uint8_t tile) {
  return tile == TH_TILE_WALL ? 1.0 : tile == TH_TILE_GOAL ? 0.0 : r->def.start;
}

/* 1 in free cells and 0 in those that are known; Jacobi's rule needs it twice. */
static void start_doubt(th_mesh_relax *r) {
  void *const both[2] = {r->doubt, r->doubt_other};
  for (int k = 0; k < 2; k++) {
    if (!both[k]) continue;
    for (uint32_t v = 0; v < r->size; v++) {
      const bool free = r->tile[v] == TH_TILE_FREE;
      if (r->def.precision == TH_PRECISION_FLOAT)
        ((float *)both[k])[v] = free;
      else
        ((double *)both[k])[v] = free;
    }
  }
}

void th_mesh_relax_retag(th_mesh_relax *r, const uint8_t *tile, bool warm) {
  const uint32_t size = th_mesh_relax_size(r);
  bool walls = false, goals = false;
  for (uint32_t v = 0; v < size; v++) {
    r->tile[v] = tile[v];
    walls |= tile[v] == TH_TILE_WALL;
    goals |= tile[v] == TH_TILE_GOAL;
    if (!warm || tile[v] != TH_TILE_FREE) th_mesh_relax_put(r, v, th_mesh_relax_store_of(r, first_p(r, tile[v])));
  }
  r->report = (th_mesh_relax_report){.e = INFINITY, .e_max = r->def.e_max, .no_goal = !goals, .no_wall = !walls};
  r->warm = warm;
  th_mesh_relax_plan(r);
  start_doubt(r);
  if (r->other) memcpy(r->other, r->value, size * th_mesh_relax_value_size(r));
}

static th_result check_tiles(const th_mesh_relax_weights *w, const uint8_t *tile, th_error *error) {
  for (uint32_t v = 0; v < w->mesh->vertex_count; v++)
    if (tile[v] > TH_TILE_GOAL)
      return th_fail_at(error, TH_ERROR_RANGE, "mesh relaxation", v, "expected a tag from 0 to 2, found %u", tile[v]);
  return TH_OK;
}

th_result th_mesh_relax_make(const th_mesh_relax_def *def, const th_mesh_relax_weights *weights, const uint8_t *tile,
                             th_mesh_relax **relax, th_error *error) {
  *relax = NULL;
  th_result result = th_mesh_relax_check(def, error);
  if (result == TH_OK) result = check_tiles(weights, tile, error);
  if (result != TH_OK) return result;
  const th_env env = th_env_complete(&def->env);
  th_mesh_relax *r = TH_TAKE(&env.allocator, th_mesh_relax, 1);
  if (!r) return th_fail_memory(error, "mesh relaxation");
  r->def = *def;
  r->def.env = env;
  r->weights = weights;
  r->size = weights->mesh->vertex_count;
  r->links = (size_t)weights->links + r->size;
  result = take(r) ? TH_OK : th_fail_memory(error, "mesh relaxation");
  if (result == TH_OK && def->rule != TH_MESH_RELAX_SEIDEL && def->workers != 1)
    result = th_pool_make(&env, def->workers, &r->pool, error);
  if (result == TH_OK) {
    th_mesh_relax_retag(r, tile, false);
    *relax = r;
  } else {
    th_mesh_relax_free(r);
  }
  return result;
}

th_result th_mesh_relax_copy(const th_mesh_relax *from, th_mesh_relax **relax, th_error *error) {
  th_result result = th_mesh_relax_make(&from->def, from->weights, from->tile, relax, error);
  if (!*relax) return result;
  memcpy((*relax)->value, from->value, th_mesh_relax_size(from) * th_mesh_relax_value_size(from));
  (*relax)->report = from->report;
  return TH_OK;
}

/* ---------------------------------------------------------------- sweeping */

typedef struct job {
  const th_mesh_relax *relax;
  th_mean_pass pass;
  uint32_t first; /* cell of the run */
} job;

static th_mean_change run_pass(const th_mesh_relax *r, const th_mean_pass *pass, uint32_t begin, uint32_t end) {
  return r->def.precision == TH_PRECISION_FLOAT ? th_mean_sweep_float(pass, begin, end)
                                                : th_mean_sweep_double(pass, begin, end);
}

static void run_block(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const job *j = context;
  (void)worker;
  j->relax->change[begin / TH_MESH_RELAX_BLOCK] = run_pass(j->relax, &j->pass, j->first + begin, j->first + end);
}

static void add_change(th_mean_change *sum, th_mean_change more) {
  sum->e += more.e;
  sum->excess = more.excess > sum->excess ? more.excess : sum->excess;
}

/* Cells [begin, end) at once, in blocks. */
static void run_range(th_mesh_relax *r, const th_mean_pass *pass, uint32_t begin, uint32_t end, th_mean_change *sum) {
  job j = {r, *pass, begin};
  if (begin == end) return;
  th_parallel_for(r->pool, end - begin, TH_MESH_RELAX_BLOCK, run_block, &j);
  for (uint32_t b = 0; b <= (end - begin - 1) / TH_MESH_RELAX_BLOCK; b++) add_change(sum, r->change[b]);
}

/* Sweep `number` of one field; odd ones run backwards when the order alternates. */
static th_mean_change sweep_values(th_mesh_relax *r, void **value, void **other, uint32_t number) {
  th_mean_change sum = {0.0, 0.0};
  const th_mesh_relax_def *d = &r->def;
  th_mean_pass pass = {r->cell, r->row, r->neighbour, r->weight, *value, *value, d->omega, d->tolerance, d->min, false};
  if (d->rule == TH_MESH_RELAX_SEIDEL) {
    pass.back = d->order == TH_MESH_RELAX_ALTERNATING && (number & 1);
    sum = run_pass(r, &pass, 0, r->count);
  } else if (d->rule == TH_MESH_RELAX_COLOURED) {
    for (uint32_t c = 0; c < r->colours; c++) run_range(r, &pass, r->colour_start[c], r->colour_start[c + 1], &sum);
  } else {
    pass.to = *other;
    run_range(r, &pass, 0, r->count, &sum);
    *other = *value;
    *value = pass.to;
  }
  return sum;
}

static th_mean_change sweep_once(th_mesh_relax *r) {
  const th_mean_change sum = sweep_values(r, &r->value, &r->other, r->report.sweeps);
  r->report.sweeps++;
  r->report.e = sum.e;
  return sum;
}

double th_mesh_relax_sweep(th_mesh_relax *r, uint32_t count) {
  const double before = th_clock_seconds();
  for (uint32_t n = 0; n < count; n++) (void)sweep_once(r);
  r->report.seconds += th_clock_seconds() - before;
  return r->report.e;
}

/* ---------------------------------------------------------------- ending */

enum { WINDOW = 16 }; /* sweeps between two tests */

/* Sum of the error bounds of the relaxed cells. */
static double doubt_of(const th_mesh_relax *r) {
  const bool single = r->def.precision == TH_PRECISION_FLOAT;
  double sum = 0.0;
  for (uint32_t n = 0; n < r->count; n++)
    sum += single ? (double)((const float *)r->doubt)[r->cell[n]] : ((const double *)r->doubt)[r->cell[n]];
  return sum;
}

/* True when the mean error is below the accuracy and every cell leads on. A field that floating-point numbers cannot
 * resolve any further ends as well. */
static bool is_enough(th_mesh_relax *r, double *accuracy) {
  const double min = r->def.precision == TH_PRECISION_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
  (void)sweep_values(r, &r->doubt, &r->doubt_other, r->report.sweeps - 1); /* as the sweep just done */
  if (r->report.e <= min * r->count) return true;
  if (r->report.sweeps % WINDOW != 0) return false;
  const double first = r->warm ? 1.0 : fmax(r->def.start, 1.0 - r->def.start); /* bounds the initial errors */
  if (first * doubt_of(r) > *accuracy * r->count) return false;
  if (th_mesh_relax_pits(r) == 0) return true;
  *accuracy *= 0.1;
  return false;
}

th_mesh_relax_report th_mesh_relax_converge(th_mesh_relax *r) {
  const double before = th_clock_seconds();
  double accuracy = r->def.accuracy;
  r->report.converged = false;
  for (uint32_t n = 0; n < r->def.max_sweeps && !r->report.converged; n++) {
    const th_mean_change c = sweep_once(r);
    const bool enough = r->def.e_max > 0.0 ? c.e <= r->def.e_max : is_enough(r, &accuracy);
    r->report.converged = enough && !(c.excess > 0.0);
    if (r->def.watch && !r->def.watch(r->def.user, r->report.sweeps, c.e)) break;
  }
  if (r->def.e_max == 0.0) r->report.e_max = r->report.e;
  r->report.seconds += th_clock_seconds() - before;
  return r->report;
}
