/* field/grid/solver.c - the part of a solver for flat ground: unknowns are the cells of its raster.
 *
 * After an edit each factor is updated from the old one, which redoes only what the edit touches.
 */
#include "base/error.h"
#include "base/memory.h"
#include "field/grid/field.h"
#include "field/grid/nearest_free.h"

static uint32_t unknowns(const th_ground *ground) { return ground->flat->width * ground->flat->height; }

static th_result nothing(th_solver *solver, th_error *error) {
  (void)solver, (void)error;
  return TH_OK;
}

static void end(th_solver *solver) { (void)solver; }

static void kinds(const th_solver *solver, uint32_t radius_class, uint8_t *kind) {
  const uint8_t *blocked = solver->ground->flat->blocked[radius_class];
  for (uint32_t c = 0; c < unknowns(solver->ground); c++) kind[c] = blocked[c] ? TH_CELL_WALL : TH_CELL_FREE;
}

th_operator th_grid_solver_operator(const th_ground *ground, const th_factor_rule *rule, const uint8_t *kind) {
  return (th_operator){ground->flat->width, ground->flat->height, kind,
                       rule->screen,        rule->neumann,        {rule->less[0], rule->less[1]}};
}

static th_result factor(const th_solver *solver, const th_factor_order *order, th_cached_factor *fresh,
                        th_error *error) {
  const th_operator op = th_grid_solver_operator(solver->ground, order->rule, order->kind);
  return order->was ? th_grid_factor_update(order->was, &op, &fresh->factor, error)
                    : th_grid_factor_make(&solver->env, &op, solver->simd, &fresh->factor, error);
}

static bool nearest_free(const th_solver *solver, uint32_t radius_class, th_nearest_free *made) {
  const th_allocator *allocator = &solver->env.allocator;
  const uint32_t size = unknowns(solver->ground);
  uint32_t *owner = TH_TAKE(allocator, uint32_t, size), *fresh = TH_TAKE(allocator, uint32_t, size);
  const bool got = owner && fresh;
  if (got)
    th_nearest_free_fill(solver->ground, radius_class, owner, fresh);
  else
    TH_GIVE(allocator, owner, size);
  TH_GIVE(allocator, fresh, size);
  *made = (th_nearest_free){got ? owner : NULL, NULL};
  return got;
}

static th_result follows(const th_ground *was, const th_ground *is, th_error *error) {
  if (is->flat->width == was->flat->width && is->flat->height == was->flat->height &&
      is->class_count == was->class_count && is->cell == was->cell)
    return TH_OK;
  return th_fail(error, TH_ERROR_STATE, "solver",
                 "expected an edited version of the same ground (%u x %u cells), found %u x %u cells", was->flat->width,
                 was->flat->height, is->flat->width, is->flat->height);
}

const th_solver_kind th_grid_solver_kind = {unknowns,     nothing, nothing,           end, kinds, factor,
                                            nearest_free, follows, th_grid_field_make};
