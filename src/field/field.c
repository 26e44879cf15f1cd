/* field/field.c - what fields on both kinds of ground share: their definition, their references, their values.
 *
 * field/grid/field.c and field/mesh/field.c make them.
 */
#include "field/field.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/grid/field.h"
#include "field/grid/goal.h"
#include "field/sample.h"
#include "geometry/shape.h"

th_field_def th_default_field_def(void) {
  return (th_field_def){.kind = TH_FIELD_HARMONIC, .quickest = true, .room_weight = 0.1f, .room_within = 4.0f};
}

static th_result check_room(const th_field_def *def, th_error *error) {
  if (def->kind != TH_FIELD_ROOMY) return TH_OK;
  if (!(def->room_weight >= 0.0f && def->room_weight <= 1.0f))
    return th_fail(error, TH_ERROR_RANGE, "field.room_weight", "expected 0 to 1, found %g", (double)def->room_weight);
  if (!(def->room_within >= 0.1f && def->room_within <= 20.0f))
    return th_fail(error, TH_ERROR_RANGE, "field.room_within", "expected 0.1 to 20 m, found %g",
                   (double)def->room_within);
  return TH_OK;
}

static th_result check_planner(const th_field_def *def, th_error *error) {
  if (!def->planner) return TH_OK;
  if (!def->planner->plan) return th_fail(error, TH_ERROR_STATE, "field.planner", "expected a call, found none");
  if (def->kind == TH_FIELD_HARMONIC && def->walls == TH_WALLS_DIRICHLET && def->eps == 0.0f) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, "field.planner",
                 "expected a harmonic field with dirichlet walls and eps 0, found kind %d, walls %d, eps %g",
                 (int)def->kind, (int)def->walls, (double)def->eps);
}

static th_result check_def(const th_ground *ground, const th_field_def *def, th_error *error) {
  if ((unsigned)def->kind > TH_FIELD_ROOMY)
    return th_fail(error, TH_ERROR_RANGE, "field.kind", "expected harmonic, geodesic, blend, edges or roomy, found %d",
                   (int)def->kind);
  if ((unsigned)def->walls > TH_WALLS_NEUMANN)
    return th_fail(error, TH_ERROR_RANGE, "field.walls", "expected dirichlet or neumann, found %d", (int)def->walls);
  if (def->kind == TH_FIELD_BLEND && !(def->blend >= 0.0f && def->blend <= 1.0f))
    return th_fail(error, TH_ERROR_RANGE, "field.blend", "expected 0 to 1, found %g", (double)def->blend);
  if (!(def->eps >= 0.0f && def->eps <= 2.0f))
    return th_fail(error, TH_ERROR_RANGE, "field.eps",
                   "expected 0 to 2 (beyond it the equation has no solution between 0 and 1), found %g",
                   (double)def->eps);
  if (def->radius_class >= ground->class_count)
    return th_fail(error, TH_ERROR_RANGE, "field.radius_class", "expected a class below %u, found %u",
                   ground->class_count, def->radius_class);
  th_result result = check_room(def, error);
  if (result == TH_OK) result = check_planner(def, error);
  return result == TH_OK ? th_shape_check(&def->goal, "goal", error) : result;
}

th_result th_field_make(th_solver *solver, const th_field_def *def, th_field **field, th_error *error) {
  *field = NULL;
  th_result result = check_def(solver->ground, def, error);
  return result == TH_OK ? solver->kind->field(solver, def, field, error) : result;
}

th_field *th_field_retain(th_field *field) {
  atomic_fetch_add_explicit(&field->references, 1, memory_order_relaxed);
  return field;
}

void th_field_release(th_field *field) {
  if (!field || atomic_fetch_sub_explicit(&field->references, 1, memory_order_acq_rel) != 1) return;
  const th_allocator allocator = field->env.allocator;
  field->calls->release(field);
  TH_GIVE(&allocator, field, 1);
}

const double *th_field_values(const th_field *field, uint32_t *width, uint32_t *height) {
  return field->calls->values(field, width, height);
}

/* Neighbours mostly follow one field: what it keeps is looked up once for a run of them. */
void th_field_prefetch(const th_field *const *field, const uint32_t *cell, uint32_t count) {
  for (uint32_t first = 0, end = 0; first < count; first = end) {
    const th_field *f = field[first];
    while (end < count && field[end] == f) end++;
    if (f) f->calls->prefetch(f, cell + first, end - first);
  }
}
