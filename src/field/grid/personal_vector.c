/* field/grid/personal_vector.c - one field for agents with any vector v of strength eps.
 *
 * An agent's own h obeys 4 h = sum of (1 +- a) h over its neighbours, a = eps v / 2. With h = D q and D the product of
 * ((1 - a) / (1 + a))^(x/2) along both axes this becomes symmetric without any error,
 *   4 q = sqrt(1 - ax^2) (q_east + q_west) + sqrt(1 - ay^2) (q_north + q_south),
 * and grad log h = grad log q - (atanh ax, atanh ay). Only squares of v are left in it, and log q is smooth in them, so
 * two fields suffice for all vectors: one for v along x, one for v along y, whose grad log q is mixed in proportion to
 * the squares of v's components (sample_kernel.h). That is exact along the axes and off by O(eps^4) between them; one
 * field for all directions, with the sum of both squares as a screen, is off by O(eps^2). atanh is cut to a + a^3/3,
 * and the weights to 1 / cosh of that, which matches it as the square root matches atanh: without poles the field stays
 * accurate up to eps 2. The field is made for vectors of length 1. u is the geometric mean of both. Cost: two factors,
 * two solves, twice the nodes.
 */
#include "field/grid/personal_vector.h"

#include <math.h>

#include "base/error.h"
#include "base/exp_log.h"
#include "base/memory.h"

double th_personal_vector_less(double eps) {
  const double a = 0.5 * eps;
  const double e = th_exp_double(a + a * a * a / 3.0); /* cosh x = (e^x + e^-x) / 2 */
  return 1.0 - 2.0 / (e + 1.0 / e);
}

/* u and log u of one of the two. */
typedef struct solution {
  double *u, *log_u;
} solution;

static double log_of(const solution *s, size_t c) { return s->log_u ? s->log_u[c] : th_log_double(s->u[c]); }

/* Writes the mean into the arrays of `field`. */
static th_result average(const th_field_build *build, const solution *other, th_error *error) {
  th_field *field = build->field;
  if (!field->log_u && other->log_u) field->log_u = TH_TAKE(build->allocator, double, build->size);
  if (!field->log_u && other->log_u) return th_fail_memory(error, "field");
  const bool stages = field->log_u != NULL;
  for (size_t c = 0; c < build->size; c++) {
    const solution own = {field->u, stages && other->log_u ? field->log_u : NULL};
    if (stages) field->log_u[c] = 0.5 * (log_of(&own, c) + log_of(other, c));
    field->u[c] = stages ? th_exp_double(field->log_u[c]) : sqrt(field->u[c]) * sqrt(other->u[c]);
  }
  return TH_OK;
}

/* Solves for v along one axis; writes nodes and u where the field points to. */
static th_result solve_along(th_solver *solver, th_field_build *build, int axis, th_error *error) {
  build->less[axis] = th_personal_vector_less((double)build->def->eps);
  build->less[1 - axis] = 0.0;
  th_result result = th_grid_potential_solve(solver, build, error);
  if (result == TH_OK) th_node_fill(build);
  return result;
}

static void swap_nodes(th_field *field) {
  th_node *node = field->node;
  field->node = field->across;
  field->across = node;
}

th_result th_personal_vector_solve(th_solver *solver, th_field_build *build, th_error *error) {
  th_field *field = build->field;
  field->across = TH_TAKE(build->allocator, th_node, build->size);
  solution along_x = {TH_TAKE(build->allocator, double, build->size), NULL};
  if (!field->across || !along_x.u) {
    TH_GIVE(build->allocator, along_x.u, build->size);
    return th_fail_memory(error, "field");
  }
  double *u = field->u;
  field->u = along_x.u;
  th_result result = solve_along(solver, build, 0, error);
  along_x.log_u = field->log_u;
  field->u = u;
  field->log_u = NULL;
  swap_nodes(field);
  if (result == TH_OK) result = solve_along(solver, build, 1, error);
  swap_nodes(field);
  if (result == TH_OK) result = average(build, &along_x, error);
  TH_GIVE(build->allocator, along_x.log_u, build->size);
  TH_GIVE(build->allocator, along_x.u, build->size);
  return result;
}
