/* field/grid/potential.c - the potential u of one goal.
 *
 * A goal of one cell is a source on the ground's own factor: u = A^-1 e_g / (A^-1)_gg. A larger goal pins its cells,
 * and the factor is updated around them. A is an M-matrix and b >= 0, so the direct solve is accurate relatively in
 * every cell, down to underflow. Where u sinks below TAU the field is continued in stages: accept what lies above,
 * pin it, rescale its rim to 1, solve the rest. Each stage covers about 600 nats, and as the cells next to the
 * largest rim value come out above 1 / (4 + screen), every stage makes progress. Cost: one triangular solve, plus
 * one update for each further stage.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/explog.h"
#include "base/memory.h"
#include "field/field.h"

#define TAU 1e-260

/* One linear system after the other. `factor` is what the solver keeps, or `own`, an update of it. */
typedef struct stage {
  th_field_build *build;
  th_operator op;
  const th_factor *factor;
  th_factor *own;
  uint8_t *kind; /* of the current system: accepted cells are pinned */
  uint32_t *source;
  double *value, *x, *work;
  size_t work_size;
  uint32_t source_count;
} stage;

static void stage_free(stage *s) {
  const th_allocator *allocator = s->build->allocator;
  size_t size = s->build->size;
  TH_GIVE(allocator, s->work, s->work_size);
  TH_GIVE(allocator, s->x, size);
  TH_GIVE(allocator, s->value, size);
  TH_GIVE(allocator, s->source, size);
  TH_GIVE(allocator, s->kind, size);
  th_factor_release(s->own);
}

/* The kept factor of the ground without any goal. */
static th_result stage_make(stage *s, th_solver *solver, th_error *error) {
  const th_field_build *build = s->build;
  const th_allocator *allocator = build->allocator;
  s->kind = TH_TAKE(allocator, uint8_t, build->size);
  s->source = TH_TAKE(allocator, uint32_t, build->size);
  s->value = TH_TAKE(allocator, double, build->size);
  if (!s->kind || !s->source || !s->value) return th_fail_memory(error, "field");
  for (size_t c = 0; c < build->size; c++) s->kind[c] = th_is_free(build, c) ? TH_CELL_FREE : TH_CELL_WALL;
  s->op = (th_operator){build->ground->width,
                        build->ground->height,
                        s->kind,
                        build->screen,
                        build->def->walls == TH_WALLS_NEUMANN,
                        {build->less[0], build->less[1]}};
  return th_solver_factor(solver, &s->op, build->def->radius_class, &s->factor, error);
}

/* The factor for the kinds as they are now, from the one before. */
static th_result renew_factor(stage *s, th_error *error) {
  th_factor *next = NULL;
  th_result result = th_factor_update(s->factor, &s->op, &next, error);
  if (result != TH_OK) return result;
  th_factor_release(s->own);
  s->factor = s->own = next;
  return TH_OK;
}

static th_result solve(stage *s, double *x, th_error *error) {
  const th_allocator *allocator = s->build->allocator;
  size_t need = th_factor_work_size(s->factor);
  if (!s->work || need > s->work_size) {
    TH_GIVE(allocator, s->work, s->work_size);
    s->work = TH_TAKE(allocator, double, need);
    s->work_size = need;
    if (!s->work) return th_fail_memory(error, "field");
  }
  th_factor_solve(s->factor, s->source, s->value, s->source_count, x, s->work);
  return TH_OK;
}

/* b_c = sum of weight * exp(log u_j - shift) over the pinned neighbours j of each free cell; without log_u all u_j are
 * 1. */
static void gather_source(stage *s, const double *log_u, double shift) {
  const uint32_t w = s->op.width;
  const double along[2] = {1.0 - s->op.less[0], 1.0 - s->op.less[1]};
  s->source_count = 0;
  for (uint32_t c = w; c < (uint32_t)s->build->size - w; c++) {
    if (s->kind[c] != TH_CELL_FREE) continue;
    const uint32_t side[4] = {c - w, c - 1, c + 1, c + w};
    double sum = 0.0;
    for (int k = 0; k < 4; k++)
      if (s->kind[side[k]] == TH_CELL_PINNED)
        sum += along[k == 0 || k == 3] * (log_u ? th_exp_double(log_u[side[k]] - shift) : 1.0);
    if (sum == 0.0) continue;
    s->source[s->source_count] = c;
    s->value[s->source_count++] = sum;
  }
}

static th_result first_solve(stage *s, th_error *error) {
  th_field_build *build = s->build;
  double *u = build->field->u;
  if (build->goal.count > 1) {
    memcpy(s->kind, build->kind, build->size);
    th_result result = renew_factor(s, error);
    if (result != TH_OK) return result;
    gather_source(s, NULL, 0.0);
    return solve(s, u, error);
  }
  uint32_t goal = build->goal.cell[0];
  s->source[0] = goal;
  s->value[0] = 1.0;
  s->source_count = 1;
  th_result result = solve(s, u, error);
  if (result != TH_OK) return result;
  double peak = u[goal];
  for (size_t c = 0; c < build->size; c++) u[c] /= peak;
  return TH_OK;
}

/* Goals exactly 1, what cannot reach them exactly 0. Returns how many cells still lie below TAU. */
static size_t settle(const th_field_build *build) {
  double *u = build->field->u;
  size_t low = 0;
  for (size_t c = 0; c < build->size; c++) {
    if (!isfinite(build->distance[c]))
      u[c] = 0.0;
    else if (u[c] <= TAU)
      low++;
  }
  for (uint32_t n = 0; n < build->goal.count; n++) {
    low -= u[build->goal.cell[n]] <= TAU;
    u[build->goal.cell[n]] = 1.0;
  }
  return low;
}

/* Accepts x where it can be trusted. Returns how many cells that were. */
static size_t accept(stage *s, const double *x, double shift) {
  const th_field_build *build = s->build;
  size_t count = 0;
  for (size_t c = 0; c < build->size; c++) {
    if (s->kind[c] != TH_CELL_FREE || !(x[c] > TAU) || !isfinite(build->distance[c])) continue;
    build->field->log_u[c] = shift + th_log_double(x[c]);
    s->kind[c] = TH_CELL_PINNED;
    count++;
  }
  return count;
}

/* Largest accepted value next to a cell that is still open. */
static double rim_level(const stage *s) {
  const uint32_t w = s->op.width;
  const double *log_u = s->build->field->log_u;
  double level = -INFINITY;
  for (uint32_t c = w; c < (uint32_t)s->build->size - w; c++) {
    if (s->kind[c] != TH_CELL_PINNED || log_u[c] <= level) continue;
    if (s->kind[c - w] == TH_CELL_FREE || s->kind[c - 1] == TH_CELL_FREE || s->kind[c + 1] == TH_CELL_FREE ||
        s->kind[c + w] == TH_CELL_FREE)
      level = log_u[c];
  }
  return level;
}

static th_result continue_in_stages(stage *s, size_t low, th_error *error) {
  th_field_build *build = s->build;
  th_field *field = build->field;
  field->log_u = TH_TAKE(build->allocator, double, build->size);
  s->x = TH_TAKE(build->allocator, double, build->size);
  if (!field->log_u || !s->x) return th_fail_memory(error, "field");
  for (size_t c = 0; c < build->size; c++) field->log_u[c] = -INFINITY;
  for (uint32_t n = 0; n < build->goal.count; n++) s->kind[build->goal.cell[n]] = TH_CELL_FREE;
  accept(s, field->u, 0.0);
  while (low > 0) {
    double shift = rim_level(s);
    gather_source(s, field->log_u, shift);
    th_result result = renew_factor(s, error);
    if (result == TH_OK) result = solve(s, s->x, error);
    if (result != TH_OK) return result;
    size_t accepted = accept(s, s->x, shift);
    if (accepted == 0)
      return th_fail(error, TH_ERROR_STATE, "field", "%zu cells next to the goal's side stay open", low);
    low -= accepted;
  }
  for (size_t c = 0; c < build->size; c++) field->u[c] = th_exp_double(field->log_u[c]);
  return TH_OK;
}

th_result th_potential_solve(th_solver *solver, th_field_build *build, th_error *error) {
  stage s = {.build = build};
  th_result result = stage_make(&s, solver, error);
  if (result == TH_OK) result = first_solve(&s, error);
  if (result == TH_OK) {
    size_t low = settle(build);
    if (low > 0) result = continue_in_stages(&s, low, error);
  }
  stage_free(&s);
  return result;
}
