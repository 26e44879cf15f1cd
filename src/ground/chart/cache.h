/* ground/chart/cache.h - the charts of a surface: made when needed, kept as long as memory allows, renewed when it
 * moves.
 *
 *   th_chart_cache_prepare(&charts, &frames, patch, count, pool, error);     outside parallel passes
 *   ... const th_chart *chart = th_chart_cache_get(&charts, patch) ...       from any thread
 *
 * A chart is a pure function of frames, patches and def, so results do not depend on which charts are kept and which
 * are rebuilt. There is one intended exception: after a deformation at most `renewals` charts are rebuilt per call, and
 * the others keep their old shape until their turn comes, in the order in which the deformation affected them. Only
 * charts that are in use at that moment wait like this, and none of them is evicted, so the set of waiting charts never
 * depends on what was kept.
 */
#ifndef TH_GROUND_CHART_CACHE_H
#define TH_GROUND_CHART_CACHE_H

#include "ground/chart/sheet.h"

typedef struct th_chart_cache_def {
  th_chart_def chart;
  th_sheet_def sheet; /* default: no markers */
  size_t budget; /* bytes of charts and sheets to keep; those needed at once are kept in any case. Default 256 MiB */
  uint32_t renewals; /* charts renewed in one call after a deformation, default 64 */
} th_chart_cache_def;

typedef struct th_chart_cache {
  th_allocator allocator;
  const th_patches *patches; /* not owned; must not change */
  th_chart_cache_def def;
  uint32_t patch_count, vertex_count;
  th_chart **chart;        /* by patch; NULL: not kept */
  uint32_t *older, *newer; /* by patch: neighbours in the order of use */
  uint32_t oldest, newest; /* TH_NO_ELEMENT: none */
  uint64_t *used;          /* by patch: the last call that needed it */
  uint64_t call;
  uint8_t *stale, *queued; /* by patch: affected by a deformation; in the queue */
  uint8_t *gone;           /* by patch: its chart was evicted */
  bool tight;              /* the budget is too small: charts in use exceed it, or an evicted one was needed again */
  uint32_t *queue;         /* patches to renew, in order; some no longer need it */
  uint32_t queue_first, queue_count;
  uint32_t *version; /* by patch: the ground's version that a waiting chart was built from */
  uint32_t *todo;    /* patches made in this call */
  th_chart **made;
  uint8_t *moved;        /* by vertex: has another place in the version that charts follow to */
  th_chart_maker *maker; /* one per worker */
  uint32_t workers;
  size_t bytes;            /* of all charts kept, with their sheets */
  uint32_t kept, backlog;  /* charts; of these, waiting to be renewed */
  uint32_t built, evicted; /* in the last call; filling adds to those before */
} th_chart_cache;

th_chart_cache_def th_default_chart_cache_def(float reach);

th_result th_chart_cache_make(th_chart_cache *charts, const th_allocator *allocator, const th_mesh *mesh,
                              const th_patches *patches, const th_chart_cache_def *def, th_error *error);
void th_chart_cache_free(th_chart_cache *charts);

/* From now on charts have sheets of these markers, which must outlive them or the next call; other sheets are dropped.
 * Cost when nothing changes: none. */
void th_chart_cache_show(th_chart_cache *charts, const th_sheet_def *sheet);

/* Makes the charts of these patches available, renews up to `renewals` others, and evicts the least recently used ones
 * when the budget is exceeded. Allocates only when a chart is built or a sheet is laid. On failure no chart
 * has changed; sheets may be missing. */
th_result th_chart_cache_prepare(th_chart_cache *charts, const th_mesh_frames *frames, const uint32_t *patch,
                                 uint32_t count, th_pool *pool, th_error *error);

/* The same without renewing or evicting any: what is needed besides is not known yet. */
th_result th_chart_cache_require(th_chart_cache *charts, const th_mesh_frames *frames, const uint32_t *patch,
                                 uint32_t count, th_pool *pool, th_error *error);

/* Makes the charts of all other patches too, in their order, until the next one would exceed the budget; evicts none
 * and renews none. Charts that the last call named stay in use. On failure the blocks before are kept. */
th_result th_chart_cache_fill(th_chart_cache *charts, const th_mesh_frames *frames, th_pool *pool, th_error *error);

/* The chart of a patch that the last call of prepare named. */
static inline const th_chart *th_chart_cache_get(const th_chart_cache *charts, uint32_t patch) {
  return charts->chart[patch];
}

/* Releases a chart; or the sheet of a chart, if there is one. */
void th_chart_cache_drop(th_chart_cache *charts, uint32_t patch);
void th_chart_cache_drop_sheet(th_chart_cache *charts, uint32_t patch);

/* renewal.c. The surface has moved from `from`, which has that version of the ground, to `to`. Charts that the last
 * call of prepare or require named and that depend on a moved vertex wait to be renewed. Until then they stay in use:
 * their corners keep their planar coordinates, so barycentric weights still give the positions of agents. Other charts
 * that depend on a moved vertex are released. Allocates nothing. */
void th_chart_renewal_follow(th_chart_cache *charts, const th_mesh_frames *from, const th_mesh_frames *to,
                             uint32_t version, th_pool *pool);

/* A chart that waits to be renewed; snapshots and hashes store it, because a run depends on it. */
typedef struct th_chart_wait {
  uint32_t patch, version;
} th_chart_wait;

/* Iterates over the waiting charts in the order of renewal: `at` begins at 0; false when there are no more. */
bool th_chart_renewal_waiting(const th_chart_cache *charts, uint32_t *at, th_chart_wait *wait);

/* Restore the waiting charts, version by version. th_chart_renewal_resume builds those charts of the list that belong
 * to this version of the ground, which has these frames; th_chart_renewal_carry brings all waiting charts to the next
 * version; th_chart_renewal_queue puts the queue in the order of the list at the end. */
th_result th_chart_renewal_resume(th_chart_cache *charts, const th_mesh_frames *frames, const th_chart_wait *wait,
                                  uint32_t count, uint32_t version, th_pool *pool);
void th_chart_renewal_carry(th_chart_cache *charts, const th_mesh_frames *from, const th_mesh_frames *to,
                            th_pool *pool);
void th_chart_renewal_queue(th_chart_cache *charts, const th_chart_wait *wait, uint32_t count);

#endif
