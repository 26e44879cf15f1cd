/* ground/chart/cache.c - the cache of charts.
 *
 * Charts are built in parallel, one at a time by each worker, and stored by one thread in the order of the list, so the
 * result does not depend on which worker built which chart. The order of use is a doubly linked list through arrays by
 * patch; the least recently used chart is evicted first. The size of a chart is known only after it is built, so
 * filling builds a block of charts and keeps those that fit. Cost of a call that finds all charts: one write per patch.
 */
#include "ground/chart/cache.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/chart/stages.h"

/* Charts built at once when all are wanted: enough to occupy all workers, and only a few megabytes beyond the
 * budget. */
#define FILL_BLOCK 64

th_chart_cache_def th_default_chart_cache_def(float reach) {
  return (th_chart_cache_def){.chart = {.method = TH_CHART_DGPC, .reach = reach, .clearance_limit = 4.0f},
                              .budget = (size_t)256 << 20,
                              .renewals = 64};
}

static bool take_arrays(th_chart_cache *c) {
  const th_allocator *a = &c->allocator;
  c->chart = TH_TAKE(a, th_chart *, c->patch_count);
  c->made = TH_TAKE(a, th_chart *, c->patch_count);
  c->older = TH_TAKE(a, uint32_t, c->patch_count);
  c->newer = TH_TAKE(a, uint32_t, c->patch_count);
  c->used = TH_TAKE(a, uint64_t, c->patch_count);
  c->stale = TH_TAKE(a, uint8_t, c->patch_count);
  c->queued = TH_TAKE(a, uint8_t, c->patch_count);
  c->gone = TH_TAKE(a, uint8_t, c->patch_count);
  c->queue = TH_TAKE(a, uint32_t, c->patch_count);
  c->version = TH_TAKE(a, uint32_t, c->patch_count);
  c->todo = TH_TAKE(a, uint32_t, c->patch_count);
  c->moved = TH_TAKE(a, uint8_t, c->vertex_count);
  return c->chart && c->made && c->older && c->newer && c->used && c->stale && c->queued && c->gone && c->queue &&
         c->version && c->todo && c->moved;
}

th_result th_chart_cache_make(th_chart_cache *c, const th_allocator *allocator, const th_mesh *mesh,
                              const th_patches *patches, const th_chart_cache_def *def, th_error *error) {
  *c = (th_chart_cache){.allocator = *allocator,
                        .patches = patches,
                        .def = *def,
                        .patch_count = patches->count,
                        .vertex_count = mesh->vertex_count,
                        .oldest = TH_NO_ELEMENT,
                        .newest = TH_NO_ELEMENT};
  const th_chart_def *d = &def->chart;
  if (!(d->reach >= 0.0f && d->reach < 1e4f && d->clearance_cell >= 0.0f && d->clearance_limit >= 0.0f)) {
    *c = (th_chart_cache){0};
    return th_fail(error, TH_ERROR_RANGE, "charts", "expected reach in [0, 10000) m and no negative cell, found %g, %g",
                   (double)d->reach, (double)d->clearance_cell);
  }
  if (!take_arrays(c)) {
    th_chart_cache_free(c);
    return th_fail_memory(error, "charts");
  }
  return TH_OK;
}

static void free_makers(th_chart_cache *c) {
  for (uint32_t w = 0; w < c->workers && c->maker; w++) th_chart_maker_free(&c->maker[w]);
  TH_GIVE(&c->allocator, c->maker, c->workers);
  c->maker = NULL;
  c->workers = 0;
}

void th_chart_cache_free(th_chart_cache *c) {
  if (!c->allocator.release) return;
  const th_allocator *a = &c->allocator;
  for (uint32_t p = 0; c->chart && p < c->patch_count; p++) th_chart_free(c->chart[p], a);
  free_makers(c);
  TH_GIVE(a, c->chart, c->patch_count);
  TH_GIVE(a, c->made, c->patch_count);
  TH_GIVE(a, c->older, c->patch_count);
  TH_GIVE(a, c->newer, c->patch_count);
  TH_GIVE(a, c->used, c->patch_count);
  TH_GIVE(a, c->stale, c->patch_count);
  TH_GIVE(a, c->queued, c->patch_count);
  TH_GIVE(a, c->gone, c->patch_count);
  TH_GIVE(a, c->queue, c->patch_count);
  TH_GIVE(a, c->version, c->patch_count);
  TH_GIVE(a, c->todo, c->patch_count);
  TH_GIVE(a, c->moved, c->vertex_count);
  *c = (th_chart_cache){0};
}

static bool take_makers(th_chart_cache *c, const th_mesh_frames *frames, uint32_t workers) {
  if (c->workers >= workers) return true;
  free_makers(c);
  c->maker = TH_TAKE(&c->allocator, th_chart_maker, workers);
  if (!c->maker) return false;
  c->workers = workers;
  for (uint32_t w = 0; w < workers; w++)
    if (!th_chart_maker_make(&c->maker[w], &c->allocator, frames->mesh, c->patches)) {
      free_makers(c);
      return false;
    }
  return true;
}

static void unlink_use(th_chart_cache *c, uint32_t p) {
  uint32_t older = c->older[p], newer = c->newer[p];
  *(older == TH_NO_ELEMENT ? &c->oldest : &c->newer[older]) = newer;
  *(newer == TH_NO_ELEMENT ? &c->newest : &c->older[newer]) = older;
}

static void link_newest(th_chart_cache *c, uint32_t p) {
  c->older[p] = c->newest;
  c->newer[p] = TH_NO_ELEMENT;
  *(c->newest == TH_NO_ELEMENT ? &c->oldest : &c->newer[c->newest]) = p;
  c->newest = p;
}

static size_t bytes_of(const th_chart *chart) { return chart->bytes + (chart->sheet ? chart->sheet->bytes : 0); }

void th_chart_cache_drop(th_chart_cache *c, uint32_t p) {
  unlink_use(c, p);
  c->backlog -= c->stale[p];
  c->stale[p] = 0;
  c->bytes -= bytes_of(c->chart[p]);
  c->kept--;
  th_chart_free(c->chart[p], &c->allocator);
  c->chart[p] = NULL;
}

/* Lists the charts to build: those that are needed and missing, then up to `max` stale ones in the order of the
 * queue. */
static uint32_t list_todo(th_chart_cache *c, const uint32_t *patch, uint32_t count, uint32_t max) {
  uint32_t todo = 0, renewals = 0;
  for (uint32_t n = 0; n < count; n++) {
    uint32_t p = patch[n];
    if (c->used[p] == c->call) continue;
    c->used[p] = c->call;
    if (c->chart[p]) {
      unlink_use(c, p);
      link_newest(c, p);
    } else {
      c->todo[todo++] = p;
    }
  }
  for (uint32_t n = c->queue_first; n < c->queue_count && renewals < max; n++) {
    uint32_t p = c->queue[n];
    if (!c->stale[p]) continue;
    c->todo[todo++] = p;
    renewals++;
  }
  return todo;
}

/* False when out of memory. */
static bool lay_sheet(const th_chart_cache *c, th_chart *chart) {
  if (!c->def.sheet.markers) return true;
  chart->sheet = th_marker_sheet_make(&c->def.sheet, c->patches, chart, &c->allocator);
  return chart->sheet != NULL;
}

typedef struct making {
  th_chart_cache *charts;
  const th_mesh_frames *frames;
} making;

static void make_block(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  making *m = context;
  th_chart_cache *c = m->charts;
  for (uint32_t n = begin; n < end; n++) {
    c->made[n] = th_chart_build(&c->maker[worker], m->frames, c->patches, &c->def.chart, c->todo[n]);
    if (!c->made[n] || lay_sheet(c, c->made[n])) continue;
    th_chart_free(c->made[n], &c->allocator);
    c->made[n] = NULL;
  }
}

static bool make_all(th_chart_cache *c, const th_mesh_frames *frames, uint32_t todo, th_pool *pool) {
  if (todo == 0) return true;
  if (!take_makers(c, frames, th_pool_workers(pool))) return false;
  making m = {c, frames};
  th_parallel_for(pool, todo, 1, make_block, &m);
  bool done = true;
  for (uint32_t n = 0; n < todo; n++) done &= c->made[n] != NULL;
  if (done) return true;
  for (uint32_t n = 0; n < todo; n++) th_chart_free(c->made[n], &c->allocator);
  return false;
}

static void put_in_place(th_chart_cache *c, uint32_t p, th_chart *fresh) {
  th_chart *old = c->chart[p];
  if (!old) {
    link_newest(c, p);
    c->kept++;
    c->tight |= c->gone[p] != 0;
  } else {
    c->backlog -= c->stale[p];
    c->stale[p] = 0;
    c->bytes -= bytes_of(old);
    th_chart_free(old, &c->allocator);
  }
  c->bytes += bytes_of(fresh);
  c->chart[p] = fresh;
}

static void shorten_queue(th_chart_cache *c) {
  while (c->queue_first < c->queue_count && !c->stale[c->queue[c->queue_first]])
    c->queued[c->queue[c->queue_first++]] = 0;
  if (c->queue_first == c->queue_count) c->queue_first = c->queue_count = 0;
}

/* Evicts the least recently used charts first; charts that this call named or that wait to be renewed stay. */
static void evict_oldest(th_chart_cache *c) {
  for (uint32_t p = c->oldest, next; p != TH_NO_ELEMENT && c->bytes > c->def.budget; p = next) {
    if (c->used[p] == c->call) return;
    next = c->newer[p];
    if (c->stale[p]) continue;
    th_chart_cache_drop(c, p);
    c->gone[p] = 1;
    c->evicted++;
  }
}

void th_chart_cache_drop_sheet(th_chart_cache *c, uint32_t p) {
  th_chart *chart = c->chart[p];
  if (!chart || !chart->sheet) return;
  c->bytes -= chart->sheet->bytes;
  th_marker_sheet_free(chart->sheet, &c->allocator);
  chart->sheet = NULL;
}

void th_chart_cache_show(th_chart_cache *c, const th_sheet_def *sheet) {
  if (c->def.sheet.markers == sheet->markers && c->def.sheet.reach == sheet->reach) return;
  c->def.sheet = *sheet;
  for (uint32_t p = 0; p < c->patch_count; p++) th_chart_cache_drop_sheet(c, p);
}

static void lay_block(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_chart_cache *c = context;
  for (uint32_t n = begin; n < end; n++) (void)lay_sheet(c, c->chart[c->todo[n]]);
}

/* Sheets of charts that this call named and that were made before their markers. */
static bool lay_missing(th_chart_cache *c, th_pool *pool) {
  uint32_t todo = 0;
  bool done = true;
  if (!c->def.sheet.markers) return true;
  for (uint32_t p = c->newest; p != TH_NO_ELEMENT && c->used[p] == c->call; p = c->older[p])
    if (!c->chart[p]->sheet) c->todo[todo++] = p;
  if (todo) th_parallel_for(pool, todo, 1, lay_block, c);
  for (uint32_t n = 0; n < todo; n++) {
    const th_chart *chart = c->chart[c->todo[n]];
    c->bytes += chart->sheet ? chart->sheet->bytes : 0;
    done &= chart->sheet != NULL;
  }
  return done;
}

typedef struct needed {
  const uint32_t *patch;
  uint32_t count, renewals;
  bool all; /* all that a step needs, so others may go */
} needed;

static th_result make_needed(th_chart_cache *c, const th_mesh_frames *frames, const needed *need, th_pool *pool,
                             th_error *error) {
  c->call++;
  c->built = c->evicted = 0;
  uint32_t todo = list_todo(c, need->patch, need->count, need->renewals);
  if (!make_all(c, frames, todo, pool)) {
    c->call++; /* so that a further attempt finds the same patches missing */
    return th_fail_memory(error, "charts");
  }
  for (uint32_t n = 0; n < todo; n++) put_in_place(c, c->todo[n], c->made[n]);
  c->built = todo;
  const bool laid = lay_missing(c, pool);
  shorten_queue(c);
  if (need->all) evict_oldest(c);
  c->tight |= need->all && c->bytes > c->def.budget;
  return laid ? TH_OK : th_fail_memory(error, "charts");
}

th_result th_chart_cache_prepare(th_chart_cache *c, const th_mesh_frames *frames, const uint32_t *patch, uint32_t count,
                                 th_pool *pool, th_error *error) {
  needed need = {patch, count, c->def.renewals, true};
  return make_needed(c, frames, &need, pool, error);
}

th_result th_chart_cache_require(th_chart_cache *c, const th_mesh_frames *frames, const uint32_t *patch, uint32_t count,
                                 th_pool *pool, th_error *error) {
  needed need = {patch, count, 0, false};
  return make_needed(c, frames, &need, pool, error);
}

/* Puts a block in place in its order, up to the first that does not fit; true when all did. */
static bool keep_block(th_chart_cache *c, uint32_t count) {
  bool fits = true;
  for (uint32_t n = 0; n < count; n++) {
    fits = fits && c->bytes + bytes_of(c->made[n]) <= c->def.budget;
    if (fits) put_in_place(c, c->todo[n], c->made[n]);
    if (!fits) th_chart_free(c->made[n], &c->allocator);
    c->built += fits;
  }
  return fits;
}

th_result th_chart_cache_fill(th_chart_cache *c, const th_mesh_frames *frames, th_pool *pool, th_error *error) {
  bool fits = c->bytes < c->def.budget;
  for (uint32_t next = 0; fits && next < c->patch_count;) {
    uint32_t todo = 0;
    for (; next < c->patch_count && todo < FILL_BLOCK; next++)
      if (!c->chart[next]) c->todo[todo++] = next;
    if (!make_all(c, frames, todo, pool)) return th_fail_memory(error, "charts");
    fits = keep_block(c, todo);
  }
  c->tight |= !fits;
  return TH_OK;
}
