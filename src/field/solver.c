/* field/solver.c - the factorisations of one ground version.
 *
 * Factoring is the costly part of a harmonic field and does not depend on the goal (which enters as a source), so
 * each factor is kept, named by radius class, wall rule, screen and weights, and every further field costs one
 * triangular solve. After an edit the same factors are wanted again: they are updated from the old ones at once, which
 * redoes only what the edit touches.
 */
#include "base/error.h"
#include "base/memory.h"
#include "field/grid/nearest_free.h"
#include "field/mesh/field.h"

static size_t raster_size(const th_ground *ground) { return (size_t)ground->width * ground->height; }

/* A solver without factors; NULL when memory runs out. */
static th_solver *make_empty(const th_env *env, th_ground *ground) {
  th_env full = th_env_complete(env);
  th_solver *made = TH_TAKE(&full.allocator, th_solver, 1);
  if (!made) return NULL;
  if (pthread_mutex_init(&made->lock, NULL) != 0) {
    TH_GIVE(&full.allocator, made, 1);
    return NULL;
  }
  made->env = full;
  made->ground = th_ground_retain(ground);
  return made;
}

th_result th_solver_make(const th_env *env, th_ground *ground, th_solver **solver, th_error *error) {
  *solver = make_empty(env, ground);
  if (!*solver) return th_fail_memory(error, "solver");
  if (ground->kind != TH_GROUND_MESH) return TH_OK;
  th_result result = th_mesh_solver_make(&(*solver)->env, ground, &(*solver)->mesh, error);
  if (result == TH_OK) return TH_OK;
  th_solver_release(*solver);
  *solver = NULL;
  return result;
}

void th_solver_release(th_solver *solver) {
  if (!solver) return;
  th_allocator allocator = solver->env.allocator;
  th_mesh_solver_release(solver->mesh);
  for (uint32_t n = 0; n < solver->cached_count; n++) th_factor_release(solver->cached[n].factor);
  TH_GIVE(&allocator, solver->cached, solver->cached_capacity);
  for (int k = 0; k < TH_MAX_CLASSES; k++) TH_GIVE(&allocator, solver->nearest_free[k], raster_size(solver->ground));
  th_ground_release(solver->ground);
  pthread_mutex_destroy(&solver->lock);
  TH_GIVE(&allocator, solver, 1);
}

static bool keep(th_solver *solver, th_cached_factor cached) {
  if (!th_grow(&solver->env.allocator, (void **)&solver->cached, &solver->cached_capacity, solver->cached_count + 1,
               sizeof *solver->cached))
    return false;
  solver->cached[solver->cached_count++] = cached;
  return true;
}

static th_result need_factor(th_solver *solver, const th_operator *op, uint32_t radius_class, const th_factor **factor,
                             th_error *error) {
  for (uint32_t n = 0; n < solver->cached_count; n++) {
    const th_cached_factor *k = &solver->cached[n];
    if (k->radius_class == radius_class && k->neumann == op->neumann && k->screen == op->screen &&
        k->less[0] == op->less[0] && k->less[1] == op->less[1])
      return *factor = k->factor, TH_OK;
  }
  th_cached_factor fresh = {radius_class, op->neumann, op->screen, {op->less[0], op->less[1]}, NULL};
  th_result result = th_factor_make(&solver->env, op, &fresh.factor, error);
  if (result != TH_OK) return result;
  if (!keep(solver, fresh)) {
    th_factor_release(fresh.factor);
    return th_fail_memory(error, "solver");
  }
  *factor = fresh.factor;
  return TH_OK;
}

th_result th_solver_factor(th_solver *solver, const th_operator *op, uint32_t radius_class, const th_factor **factor,
                           th_error *error) {
  pthread_mutex_lock(&solver->lock);
  th_result result = need_factor(solver, op, radius_class, factor, error);
  pthread_mutex_unlock(&solver->lock);
  return result;
}

static th_result need_exits(th_solver *solver, uint32_t radius_class, const uint32_t **nearest_free, th_error *error) {
  const th_allocator *allocator = &solver->env.allocator;
  size_t size = raster_size(solver->ground);
  if (!solver->nearest_free[radius_class]) {
    uint32_t *made = TH_TAKE(allocator, uint32_t, size), *fresh = TH_TAKE(allocator, uint32_t, size);
    if (made && fresh) {
      th_nearest_free_fill(solver->ground, radius_class, made, fresh);
      solver->nearest_free[radius_class] = made;
    } else {
      TH_GIVE(allocator, made, size);
    }
    TH_GIVE(allocator, fresh, size);
  }
  *nearest_free = solver->nearest_free[radius_class];
  return *nearest_free ? TH_OK : th_fail_memory(error, "solver");
}

th_result th_solver_exits(th_solver *solver, uint32_t radius_class, const uint32_t **nearest_free, th_error *error) {
  pthread_mutex_lock(&solver->lock);
  th_result result = need_exits(solver, radius_class, nearest_free, error);
  pthread_mutex_unlock(&solver->lock);
  return result;
}

/* The factor of `old` for the new ground, where `kind` is scratch. */
static th_result follow_one(th_solver *solver, const th_cached_factor *old, uint8_t *kind, th_error *error) {
  const th_ground *ground = solver->ground;
  const uint8_t *blocked = ground->blocked[old->radius_class];
  for (size_t c = 0; c < raster_size(ground); c++) kind[c] = blocked[c] ? TH_CELL_WALL : TH_CELL_FREE;
  th_operator op = {ground->width, ground->height, kind, old->screen, old->neumann, {old->less[0], old->less[1]}};
  th_cached_factor fresh = *old;
  th_result result = th_factor_update(old->factor, &op, &fresh.factor, error);
  if (result != TH_OK) return result;
  if (keep(solver, fresh)) return TH_OK;
  th_factor_release(fresh.factor);
  return th_fail_memory(error, "solver");
}

th_result th_solver_follow(const th_solver *old, th_ground *ground, th_solver **solver, th_error *error) {
  *solver = NULL;
  const th_ground *was = old->ground;
  if (was->kind != ground->kind)
    return th_fail(error, TH_ERROR_STATE, "solver", "expected a version of the same ground, found another kind");
  if (old->mesh) return th_mesh_solver_follow(old, ground, solver, error);
  if (ground->width != was->width || ground->height != was->height || ground->class_count != was->class_count ||
      ground->cell != was->cell)
    return th_fail(error, TH_ERROR_STATE, "solver",
                   "expected an edited version of the same ground (%u x %u cells), found %u x %u cells", was->width,
                   was->height, ground->width, ground->height);
  th_solver *made = make_empty(&old->env, ground);
  if (!made) return th_fail_memory(error, "solver");
  uint8_t *kind = TH_TAKE(&made->env.allocator, uint8_t, raster_size(ground));
  if (!kind) {
    th_solver_release(made);
    return th_fail_memory(error, "solver");
  }
  th_result result = TH_OK;
  for (uint32_t n = 0; n < old->cached_count && result == TH_OK; n++)
    result = follow_one(made, &old->cached[n], kind, error);
  TH_GIVE(&made->env.allocator, kind, raster_size(ground));
  if (result == TH_OK)
    *solver = made;
  else
    th_solver_release(made);
  return result;
}
