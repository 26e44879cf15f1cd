/* field/direct/potential.c - the potential u of one goal.
 *
 * A goal that is a point is a source on the kept factor: u = A^-1 b / max. A larger goal pins its unknowns, and the
 * factor is updated around them. A is an M-matrix and b >= 0, so the direct solve is accurate relatively in every
 * unknown, down to underflow. Where u sinks below TH_POTENTIAL_MIN the field is continued in stages: accept what lies
 * above, pin it, rescale its rim to 1, solve the rest. Each stage covers about 600 nats. An unknown next to the largest
 * rim value gets a good share of that value, so every stage makes progress. Cost: one triangular solve, plus one update
 * of the factor for a larger goal and for each further stage.
 */
#include "field/direct/potential.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/exp_log.h"
#include "base/memory.h"

th_result th_potential_make(th_potential *p, const th_factor *factor, const th_graph_operator *op, th_error *error) {
  *p = (th_potential){.allocator = factor->allocator, .op = *op, .factor = factor};
  const uint32_t count = op->graph.count;
  p->kind = TH_TAKE(&p->allocator, uint8_t, count);
  p->source = TH_TAKE(&p->allocator, uint32_t, count);
  p->value = TH_TAKE(&p->allocator, double, count);
  if (!p->kind || !p->source || !p->value) return th_fail_memory(error, "field");
  memcpy(p->kind, factor->kind, count);
  p->op.kind = p->kind;
  return TH_OK;
}

void th_potential_free(th_potential *p) {
  const uint32_t count = p->op.graph.count;
  TH_GIVE(&p->allocator, p->work, p->work_size);
  TH_GIVE(&p->allocator, p->value, count);
  TH_GIVE(&p->allocator, p->source, count);
  TH_GIVE(&p->allocator, p->kind, count);
  th_factor_release(p->own);
}

/* Updates the factor to the present kinds. */
static th_result renew_factor(th_potential *p, th_error *error) {
  th_factor *next = NULL;
  th_result result = th_factor_update(p->factor, &p->op, &next, error);
  if (result != TH_OK) return result;
  th_factor_release(p->own);
  p->factor = p->own = next;
  return TH_OK;
}

static th_result solve(th_potential *p, th_fronts_source source, double *x, th_error *error) {
  const size_t need = th_factor_work_size(p->factor);
  if (!p->work || need > p->work_size) {
    TH_GIVE(&p->allocator, p->work, p->work_size);
    p->work = TH_TAKE(&p->allocator, double, need);
    p->work_size = p->work ? need : 0;
    if (!p->work) return th_fail_memory(error, "field");
  }
  th_factor_solve(p->factor, source.unknown, source.value, source.count, x, p->work);
  return TH_OK;
}

/* b_i = sum of w_ij exp(log u_j - shift) over the pinned neighbours j of i; without log_u all u_j are 1. */
static void gather_source(th_potential *p, const double *log_u, double shift) {
  const th_graph *graph = &p->op.graph;
  p->source_count = 0;
  for (uint32_t v = 0; v < graph->count; v++) {
    if (p->kind[v] != TH_CELL_FREE) continue;
    th_graph_row row;
    graph->row(graph->user, v, &row);
    double sum = 0.0;
    for (uint32_t k = 0; k < row.count; k++)
      if (p->kind[row.other[k]] == TH_CELL_PINNED)
        sum += row.weight[k] * (log_u ? th_exp_double(log_u[row.other[k]] - shift) : 1.0);
    if (sum == 0.0) continue;
    p->source[p->source_count] = v;
    p->value[p->source_count++] = sum;
  }
}

static th_result solve_gathered(th_potential *p, double *x, th_error *error) {
  th_result result = renew_factor(p, error);
  return result == TH_OK ? solve(p, (th_fronts_source){p->source, p->value, p->source_count}, x, error) : result;
}

th_result th_potential_from_sources(th_potential *p, th_fronts_source source, double *x, th_error *error) {
  return solve(p, source, x, error);
}

th_result th_potential_from_pinned(th_potential *p, const uint32_t *goal, uint32_t count, double *x, th_error *error) {
  for (uint32_t n = 0; n < count; n++) p->kind[goal[n]] = TH_CELL_PINNED;
  gather_source(p, NULL, 0.0);
  return solve_gathered(p, x, error);
}

/* The result that stages add to. */
typedef struct stage {
  const double *distance, *x;
  double *log_u, shift;
  size_t low, accepted;
} stage;

/* Accepts x where it is accurate; counts the unknowns that stay open. */
static void accept(th_potential *p, stage *s) {
  s->low = s->accepted = 0;
  for (uint32_t v = 0; v < p->op.graph.count; v++) {
    if (p->kind[v] != TH_CELL_FREE || !isfinite(s->distance[v])) continue;
    if (!(s->x[v] > TH_POTENTIAL_MIN)) {
      s->low++;
      continue;
    }
    s->log_u[v] = s->shift + th_log_double(s->x[v]);
    p->kind[v] = TH_CELL_PINNED;
    s->accepted++;
  }
}

/* Largest accepted value next to an unknown that is still open. */
static double rim_level(const th_potential *p, const double *log_u) {
  const th_graph *graph = &p->op.graph;
  double level = -INFINITY;
  for (uint32_t v = 0; v < graph->count; v++) {
    if (p->kind[v] != TH_CELL_PINNED || log_u[v] <= level) continue;
    th_graph_row row;
    graph->row(graph->user, v, &row);
    for (uint32_t k = 0; k < row.count; k++)
      if (p->kind[row.other[k]] == TH_CELL_FREE) level = log_u[v];
  }
  return level;
}

th_result th_potential_in_stages(th_potential *p, const double *distance, double *x, double *log_u, size_t *open,
                                 th_error *error) {
  stage s = {.distance = distance, .x = x, .log_u = log_u};
  for (uint32_t v = 0; v < p->op.graph.count; v++) log_u[v] = p->kind[v] == TH_CELL_PINNED ? 0.0 : -INFINITY;
  accept(p, &s);
  while (s.low > 0 && s.accepted > 0) {
    s.shift = rim_level(p, log_u);
    if (s.shift == -INFINITY) break;
    gather_source(p, log_u, s.shift);
    th_result result = solve_gathered(p, x, error);
    if (result != TH_OK) return result;
    accept(p, &s);
  }
  *open = s.low;
  return TH_OK;
}
