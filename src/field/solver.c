/* field/solver.c - keeps the factorisations of one ground version.
 *
 * Factoring is the costly part of a harmonic field and does not depend on the goal (which enters as a source), so each
 * factor is kept, named by radius class and rule, and every further field costs one triangular solve. The next version
 * needs the same factors again: they are made at once, and share with the old ones what an edit left alone.
 */
#include "base/error.h"
#include "base/memory.h"
#include "field/field.h"

th_solver_def th_default_solver_def(void) { return (th_solver_def){0}; }

th_result th_solver_make(const th_solver_def *def, th_solver **solver, th_error *error) {
  const th_env full = th_env_complete(&def->env);
  *solver = NULL;
  th_solver *made = TH_TAKE(&full.allocator, th_solver, 1);
  if (!made) return th_fail_memory(error, "solver");
  if (!th_mutex_make(&made->lock)) {
    TH_GIVE(&full.allocator, made, 1);
    return th_fail_memory(error, "solver");
  }
  made->env = full;
  made->simd = def->simd;
  made->kind = th_ground_is_mesh(def->ground) ? &th_mesh_solver_kind : &th_grid_solver_kind;
  made->ground = th_ground_retain(def->ground);
  th_result result = made->kind->begin(made, error);
  if (result == TH_OK)
    *solver = made;
  else
    th_solver_release(made);
  return result;
}

static void cached_free(const th_solver *solver, th_cached_factor *cached) {
  th_factor_release(cached->factor);
  TH_GIVE(&solver->env.allocator, cached->sink, solver->kind->unknowns(solver->ground));
}

void th_solver_release(th_solver *solver) {
  if (!solver) return;
  const th_allocator allocator = solver->env.allocator;
  const uint32_t unknowns = solver->kind->unknowns(solver->ground);
  solver->kind->end(solver);
  for (uint32_t n = 0; n < solver->cached_count; n++) cached_free(solver, &solver->cached[n]);
  TH_GIVE(&allocator, solver->cached, solver->cached_capacity);
  for (int k = 0; k < TH_MAX_CLASSES; k++) {
    TH_GIVE(&allocator, solver->nearest_free[k].owner, unknowns);
    TH_GIVE(&allocator, solver->nearest_free[k].far, unknowns);
  }
  th_ground_release(solver->ground);
  th_mutex_free(&solver->lock);
  TH_GIVE(&allocator, solver, 1);
}

th_result th_solver_prepare(th_solver *solver, th_error *error) {
  th_mutex_lock(&solver->lock);
  th_result result = solver->kind->prepare(solver, error);
  th_mutex_unlock(&solver->lock);
  return result;
}

/* Makes a factor and appends it to those kept. */
static th_result add_factor(th_solver *solver, th_factor_order order, th_error *error) {
  const th_allocator *allocator = &solver->env.allocator;
  const uint32_t unknowns = solver->kind->unknowns(solver->ground);
  th_cached_factor fresh = {.radius_class = order.radius_class};
  uint8_t *kind = TH_TAKE(allocator, uint8_t, unknowns);
  if (!kind || !th_grow(allocator, (void **)&solver->cached, &solver->cached_capacity, solver->cached_count + 1,
                        sizeof *solver->cached)) {
    TH_GIVE(allocator, kind, unknowns);
    return th_fail_memory(error, "solver");
  }
  solver->kind->kinds(solver, order.radius_class, kind);
  order.kind = kind;
  th_result result = solver->kind->factor(solver, &order, &fresh, error);
  if (result == TH_OK)
    solver->cached[solver->cached_count++] = fresh;
  else
    cached_free(solver, &fresh);
  TH_GIVE(allocator, kind, unknowns);
  return result;
}

static th_result need_factor(th_solver *solver, uint32_t radius_class, const th_factor_rule *rule,
                             th_cached_factor *cached, th_error *error) {
  for (uint32_t n = 0; n < solver->cached_count; n++) {
    const th_cached_factor *k = &solver->cached[n];
    if (k->radius_class == radius_class && th_factor_rule_same(&k->factor->rule, rule)) return *cached = *k, TH_OK;
  }
  th_result result = add_factor(solver, (th_factor_order){.radius_class = radius_class, .rule = rule}, error);
  if (result == TH_OK) *cached = solver->cached[solver->cached_count - 1];
  return result;
}

th_result th_solver_factor(th_solver *solver, uint32_t radius_class, const th_factor_rule *rule,
                           th_cached_factor *cached, th_error *error) {
  th_mutex_lock(&solver->lock);
  th_result result = need_factor(solver, radius_class, rule, cached, error);
  th_mutex_unlock(&solver->lock);
  return result;
}

th_result th_solver_nearest_free(th_solver *solver, uint32_t radius_class, th_error *error) {
  th_mutex_lock(&solver->lock);
  th_nearest_free *made = &solver->nearest_free[radius_class];
  const bool got = made->owner || solver->kind->nearest_free(solver, radius_class, made);
  th_mutex_unlock(&solver->lock);
  return got ? TH_OK : th_fail_memory(error, "solver");
}

th_result th_solver_follow(const th_solver *old, th_ground *ground, th_solver **solver, th_error *error) {
  *solver = NULL;
  if (th_ground_is_mesh(old->ground) != th_ground_is_mesh(ground))
    return th_fail(error, TH_ERROR_STATE, "solver", "expected a version of the same ground, found another kind");
  th_result result = old->kind->follows(old->ground, ground, error);
  if (result == TH_OK) result = th_solver_make(&(th_solver_def){old->env, ground, old->simd}, solver, error);
  if (result == TH_OK && old->cached_count) result = th_solver_prepare(*solver, error);
  for (uint32_t n = 0; n < old->cached_count && result == TH_OK; n++) {
    const th_cached_factor *was = &old->cached[n];
    result = add_factor(*solver,
                        (th_factor_order){.radius_class = was->radius_class,
                                          .rule = &was->factor->rule,
                                          .old = old,
                                          .was = was->factor,
                                          .was_sink = was->sink},
                        error);
  }
  if (result == TH_OK) return TH_OK;
  th_solver_release(*solver);
  *solver = NULL;
  return result;
}
