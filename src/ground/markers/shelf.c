/* ground/markers/shelf.c - sets of markers, made once for each version of a ground and def.
 *
 * A set is a pure function of the version and the def, so no reader can tell whether it was kept or made again. A lock
 * guards the list; a caller that asks for a set that is being made waits for it.
 */
#include "ground/markers/shelf.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/mutex.h"

#define MAX_WORKERS 64

struct th_marker_shelf {
  th_mutex lock;
  th_markers *set[TH_MAX_MARKER_SETS];
  uint32_t count;
};

th_marker_shelf *th_marker_shelf_make(const th_allocator *allocator) {
  th_marker_shelf *shelf = TH_TAKE(allocator, th_marker_shelf, 1);
  if (!shelf || th_mutex_make(&shelf->lock)) return shelf;
  TH_GIVE(allocator, shelf, 1);
  return NULL;
}

void th_marker_shelf_free(th_marker_shelf *shelf, const th_allocator *allocator) {
  if (!shelf) return;
  for (uint32_t k = 0; k < shelf->count; k++) th_markers_release(shelf->set[k]);
  th_mutex_free(&shelf->lock);
  TH_GIVE(allocator, shelf, 1);
}

static bool equal(const th_markers_def *a, const th_markers_def *b) {
  return a->distance == b->distance && a->layout == b->layout && a->noise == b->noise && a->seed == b->seed &&
         a->through_walls == b->through_walls;
}

static const th_markers *find(const th_marker_shelf *shelf, const th_markers_def *def) {
  for (uint32_t k = 0; k < shelf->count; k++)
    if (equal(&shelf->set[k]->def, def)) return shelf->set[k];
  return NULL;
}

static th_result full(th_error *error) {
  return th_fail(error, TH_ERROR_CAPACITY, "markers", "expected at most %d sets of markers on a ground",
                 TH_MAX_MARKER_SETS);
}

static th_result make(const th_ground *ground, const th_markers_def *def, uint32_t workers, th_markers **set,
                      th_error *error) {
  th_pool *pool = NULL;
  th_result result = workers == 1 ? TH_OK : th_pool_make(&ground->env, workers, &pool, error);
  if (!result) result = th_markers_make(&(th_markers_job){.ground = ground, .def = def, .pool = pool}, set, error);
  th_pool_free(pool);
  return result;
}

th_result th_ground_markers(const th_ground *ground, const th_markers_def *def, uint32_t workers,
                            const th_markers **markers, th_error *error) {
  th_marker_shelf *shelf = ground->shelf;
  *markers = NULL;
  if (workers > MAX_WORKERS)
    return th_fail(error, TH_ERROR_RANGE, "markers", "expected at most %d workers, found %u", MAX_WORKERS, workers);
  th_mutex_lock(&shelf->lock);
  th_result result = TH_OK;
  *markers = find(shelf, def);
  if (!*markers && shelf->count == TH_MAX_MARKER_SETS) result = full(error);
  if (!*markers && !result) {
    th_markers *set;
    result = make(ground, def, workers, &set, error);
    if (!result) *markers = shelf->set[shelf->count++] = set;
  }
  th_mutex_unlock(&shelf->lock);
  return result;
}

th_result th_marker_shelf_put(const th_ground *ground, th_markers *set, const th_markers **kept, th_error *error) {
  th_marker_shelf *shelf = ground->shelf;
  th_mutex_lock(&shelf->lock);
  *kept = find(shelf, &set->def);
  th_result result = !*kept && shelf->count == TH_MAX_MARKER_SETS ? full(error) : TH_OK;
  if (*kept || result)
    th_markers_release(set);
  else
    *kept = shelf->set[shelf->count++] = set;
  th_mutex_unlock(&shelf->lock);
  return result;
}

th_result th_marker_shelf_follow(const th_ground *before, const th_ground *next, th_error *error) {
  th_marker_shelf *from = before->shelf, *to = next->shelf;
  th_result result = TH_OK;
  th_mutex_lock(&from->lock);
  for (uint32_t k = 0; k < from->count && result != TH_ERROR_MEMORY; k++) {
    th_markers_job job = {.ground = next, .def = &from->set[k]->def, .old = from->set[k], .before = before};
    result = th_markers_make(&job, &to->set[to->count], error);
    to->count += result == TH_OK;
  }
  th_mutex_unlock(&from->lock);
  return result == TH_ERROR_MEMORY ? result : TH_OK;
}

th_markers_def th_ground_markers_def(const th_ground *ground) { return ground->markers; }
