/* ground/charts.h - the charts of a surface: made when needed, kept as long as memory allows, renewed when it moves.
 *
 *   th_charts_prepare(&charts, &frames, patch, count, pool, error);     outside parallel passes
 *   ... const th_chart *chart = th_charts_get(&charts, patch) ...       from any thread
 *
 * A chart is a pure function of frames, patches and def, so what is kept and what is made anew never shows, with one
 * exception that is asked for: after a deformation at most `renewals` charts a call follow, and the others serve as
 * they were until their turn comes, in the order in which they were concerned.
 */
#ifndef TH_GROUND_CHARTS_H
#define TH_GROUND_CHARTS_H

#include "ground/chart.h"

typedef struct th_charts_def {
  th_chart_def chart;
  size_t budget;     /* bytes of charts to keep; those needed at once are kept in any case. Default 256 MiB */
  uint32_t renewals; /* charts renewed in one call after a deformation, default 64 */
} th_charts_def;

typedef struct th_charts {
  th_allocator allocator;
  const th_patches *patches; /* not owned; must not change */
  th_charts_def def;
  uint32_t patch_count, vertex_count;
  th_chart **chart;        /* by patch; NULL: not kept */
  uint32_t *older, *newer; /* by patch: neighbours in the order of use */
  uint32_t oldest, newest; /* TH_NO_ELEMENT: none */
  uint64_t *used;          /* by patch: the last call that needed it */
  uint64_t call;
  uint8_t *stale, *queued; /* by patch: concerned by a deformation; in the queue */
  uint32_t *queue;         /* patches to renew, the first one first */
  uint32_t queue_first, queue_count;
  uint32_t *todo; /* patches made in this call */
  th_chart **made;
  uint32_t *head; /* by vertex: first link of the charts that depend on it */
  struct th_charts_link *link;
  uint32_t link_count, link_capacity, link_free;
  th_chart_maker *maker; /* one a worker */
  uint32_t workers;
  size_t bytes;            /* of all charts kept */
  uint32_t kept, backlog;  /* charts; of these, waiting to be renewed */
  uint32_t built, evicted; /* in the last call */
} th_charts;

th_charts_def th_default_charts_def(float reach);

th_result th_charts_make(th_charts *charts, const th_allocator *allocator, const th_mesh *mesh,
                         const th_patches *patches, const th_charts_def *def, th_error *error);
void th_charts_free(th_charts *charts);

/* Makes the charts of these patches available, renews up to `renewals` others, lets go of what was not used for longest
 * when there is too much. Allocates only when something is made. On failure nothing has changed. */
th_result th_charts_prepare(th_charts *charts, const th_mesh_frames *frames, const uint32_t *patch, uint32_t count,
                            th_pool *pool, th_error *error);

/* The chart of a patch that the last call of prepare named. */
static inline const th_chart *th_charts_get(const th_charts *charts, uint32_t patch) { return charts->chart[patch]; }

/* These vertices have moved: charts that depend on them wait to be renewed. Allocates nothing. */
void th_charts_invalidate(th_charts *charts, const uint32_t *vertex, uint32_t count);

/* charts_index.c: which charts depend on a vertex. */
typedef struct th_charts_link {
  uint32_t next, patch;
} th_charts_link;

bool th_charts_index_room(th_charts *charts, uint32_t links);
void th_charts_index_add(th_charts *charts, const th_chart *chart);
void th_charts_index_remove(th_charts *charts, const th_chart *chart);

#endif
