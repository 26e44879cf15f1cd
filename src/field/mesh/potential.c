/* field/mesh/potential.c - the potential u of one goal on a mesh.
 *
 * As field/grid/potential.c: a goal in one face is a source spread over the face's corners on the kept factor,
 * u = A^-1 b / max; a larger goal pins its vertices and the factor is updated around them. Where u sinks below TAU the
 * field is continued in stages: what lies above is pinned and its rim rescaled to 1. u is kept as its logarithm, for it
 * has no lower bound. Cost: one triangular solve, plus one update for each further stage.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/explog.h"
#include "base/memory.h"
#include "field/mesh/field.h"

#define TAU 1e-260

typedef struct stage {
  th_mesh_field_build *build;
  th_mesh_operator op;
  const th_mesh_factor *factor;
  th_mesh_factor *own;
  uint8_t *kind;
  uint32_t *source;
  double *value, *x, *work;
  size_t work_size;
  uint32_t source_count;
} stage;

static void stage_free(stage *s) {
  const th_allocator *a = s->build->allocator;
  const uint32_t n = s->build->vertices;
  TH_GIVE(a, s->work, s->work_size);
  TH_GIVE(a, s->x, n);
  TH_GIVE(a, s->value, n);
  TH_GIVE(a, s->source, n);
  TH_GIVE(a, s->kind, n);
  th_mesh_factor_release(s->own);
}

static th_result stage_make(stage *s, th_error *error) {
  th_mesh_field_build *d = s->build;
  const th_allocator *a = d->allocator;
  const uint32_t n = d->vertices;
  s->kind = TH_TAKE(a, uint8_t, n);
  s->source = TH_TAKE(a, uint32_t, n);
  s->value = TH_TAKE(a, double, n);
  s->x = TH_TAKE(a, double, n);
  if (!s->kind || !s->source || !s->value || !s->x) return th_fail_memory(error, "field");
  for (uint32_t v = 0; v < n; v++) s->kind[v] = d->kind[v] == TH_CELL_WALL ? TH_CELL_WALL : TH_CELL_FREE;
  s->op = (th_mesh_operator){&d->solver->graph, s->kind, NULL, d->def->walls == TH_WALLS_NEUMANN};
  th_mesh_cached_factor cached;
  th_result result = th_mesh_solver_factor(d->solver, &s->op, d->def->radius_class, d->screen, &cached, error);
  if (result != TH_OK) return result;
  s->factor = cached.factor;
  s->op.sink = cached.sink;
  return TH_OK;
}

static th_result renew_factor(stage *s, th_error *error) {
  th_mesh_factor *next = NULL;
  th_result result = th_mesh_factor_make(&s->op, s->build->solver->tree, s->factor, &next, error);
  if (result != TH_OK) return result;
  th_mesh_factor_release(s->own);
  s->factor = s->own = next;
  return TH_OK;
}

static th_result solve(stage *s, th_error *error) {
  const th_allocator *a = s->build->allocator;
  const size_t need = th_fronts_work_size(s->factor->fronts);
  if (!s->work || need > s->work_size) {
    TH_GIVE(a, s->work, s->work_size);
    s->work = TH_TAKE(a, double, need);
    s->work_size = s->work ? need : 0;
    if (!s->work) return th_fail_memory(error, "field");
  }
  th_fronts_solve(s->factor->fronts, (th_fronts_source){s->source, s->value, s->source_count}, s->x, s->work);
  return TH_OK;
}

/* b_i = sum of w_ij exp(log u_j - shift) over pinned neighbours j. */
static void gather_source(stage *s, double shift) {
  const th_mesh_graph *g = s->op.graph;
  const double *log_u = s->build->field->log_u;
  s->source_count = 0;
  for (uint32_t v = 0; v < g->vertex_count; v++) {
    if (s->kind[v] != TH_CELL_FREE) continue;
    double sum = 0.0;
    for (uint32_t at = g->start[v]; at < g->start[v + 1]; at++) {
      uint32_t o = g->other[at];
      if (s->kind[o] == TH_CELL_PINNED && log_u[o] > -INFINITY) sum += g->weight[at] * th_exp_double(log_u[o] - shift);
    }
    if (sum == 0.0) continue;
    s->source[s->source_count] = v;
    s->value[s->source_count++] = sum;
  }
}

/* The source on the free corners of the centre's face, by barycentric weight. */
static void spread_source(stage *s) {
  const th_mesh_field_build *d = s->build;
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)d->centre.cell;
  double weight[3];
  th_frames_weights(&d->mesh->frames, d->centre.cell, (th_point){(double)d->centre.x, (double)d->centre.y}, weight);
  double sum = 0.0;
  for (int k = 0; k < 3; k++) sum += d->kind[corner[k]] != TH_CELL_WALL ? fmax(weight[k], 0.0) : 0.0;
  s->source_count = 0;
  for (int k = 0; k < 3; k++) {
    double w = sum > 0.0 ? fmax(weight[k], 0.0) / sum : 1.0;
    if (d->kind[corner[k]] == TH_CELL_WALL || w == 0.0) continue;
    s->source[s->source_count] = corner[k];
    s->value[s->source_count++] = w;
  }
}

static th_result first_solve(stage *s, th_error *error) {
  th_mesh_field_build *d = s->build;
  double *log_u = d->field->log_u;
  if (d->spread) {
    spread_source(s);
    return solve(s, error);
  }
  for (uint32_t n = 0; n < d->goal_count; n++) {
    s->kind[d->goal[n]] = TH_CELL_PINNED;
    log_u[d->goal[n]] = 0.0;
  }
  gather_source(s, 0.0);
  th_result result = renew_factor(s, error);
  return result == TH_OK ? solve(s, error) : result;
}

/* Accepts x where it can be trusted; counts what is left of the vertices that reach the goal. */
static size_t accept(stage *s, double scale, double shift, size_t *accepted) {
  const th_mesh_field_build *d = s->build;
  size_t low = 0;
  *accepted = 0;
  for (uint32_t v = 0; v < d->vertices; v++) {
    if (s->kind[v] != TH_CELL_FREE || !isfinite(d->field->left[v])) continue;
    if (!(s->x[v] * scale > TAU)) {
      low++;
      continue;
    }
    d->field->log_u[v] = shift + th_log_double(s->x[v] * scale);
    s->kind[v] = TH_CELL_PINNED;
    ++*accepted;
  }
  return low;
}

/* Largest accepted value next to a vertex that is still open. */
static double rim_level(const stage *s) {
  const th_mesh_graph *g = s->op.graph;
  const double *log_u = s->build->field->log_u;
  double level = -INFINITY;
  for (uint32_t v = 0; v < g->vertex_count; v++) {
    if (s->kind[v] != TH_CELL_FREE) continue;
    for (uint32_t at = g->start[v]; at < g->start[v + 1]; at++)
      if (s->kind[g->other[at]] == TH_CELL_PINNED) level = fmax(level, log_u[g->other[at]]);
  }
  return level;
}

static th_result in_stages(stage *s, th_error *error) {
  size_t accepted, low;
  double scale = 1.0;
  if (s->build->spread) {
    double peak = 0.0;
    for (uint32_t n = 0; n < s->source_count; n++) peak = fmax(peak, s->x[s->source[n]]);
    scale = 1.0 / peak;
  }
  low = accept(s, scale, 0.0, &accepted);
  while (low > 0 && accepted > 0) {
    double shift = rim_level(s);
    if (shift == -INFINITY) break;
    gather_source(s, shift);
    th_result result = renew_factor(s, error);
    if (result == TH_OK) result = solve(s, error);
    if (result != TH_OK) return result;
    low = accept(s, 1.0, shift, &accepted);
  }
  /* Vertices that only edges of weight LEAST join can stay open: the climb reaches them all the same. */
  return TH_OK;
}

th_result th_mesh_field_potential(th_mesh_field_build *build, th_error *error) {
  stage s = {.build = build};
  for (uint32_t v = 0; v < build->vertices; v++) build->field->log_u[v] = -INFINITY;
  th_result result = stage_make(&s, error);
  if (result == TH_OK && s.factor) result = first_solve(&s, error);
  if (result == TH_OK && s.factor) result = in_stages(&s, error);
  stage_free(&s);
  return result;
}
