/* ground/chart/renewal.c - charts on a surface that moves.
 *
 * Dynamic planarization (Berndt 2014, section 4.3.1): charts that depend on a moved vertex are rebuilt a few at a time
 * and keep their old layout until then. A chart lists every vertex that got a value while it was laid flat, held or
 * not, so rebuilding a chart whose vertices all stayed would give the same bits. Moved vertices are marked and the
 * lists are scanned; an index from vertices to charts would have to be changed for every chart that is made or evicted.
 * In the old layout the corners of each face keep their planar coordinates. The face itself has changed its shape, so
 * the map from its frame is fitted again, and an agent lies where its weights put it. The state of a run includes which
 * charts wait and the version that each was built from. Both follow from the charts in use when the surface moved, so a
 * snapshot needs few words for them, and the charts can be rebuilt version by version with the same roundings. Cost: 1
 * ns per vertex of all charts and 10 ns per face of the waiting ones.
 */
#include <string.h>

#include "base/memory.h"
#include "ground/chart/cache.h"
#include "ground/chart/stages.h"

/* From (0, 0), (bx, 0), (cx, cy) of the new frame to where those of the old one went. */
static th_chart_map fit(const th_chart_map *m, const th_face_frame *from, const th_face_frame *to) {
  double qx = (double)m->a * from->bx, qy = (double)m->c * from->bx;
  double rx = (double)m->a * from->cx + (double)m->b * from->cy, ry = (double)m->c * from->cx + (double)m->d * from->cy;
  double a = qx / to->bx, c = qy / to->bx;
  return (th_chart_map){
      (float)a, (float)((rx - a * to->cx) / to->cy), (float)c, (float)((ry - c * to->cx) / to->cy), m->tx, m->ty};
}

typedef struct carrying {
  th_chart_cache *charts;
  const th_mesh_frames *from, *to;
} carrying;

static void carry_cluster(const carrying *w, const th_chart *chart, uint32_t n) {
  const th_patches *p = w->charts->patches;
  const uint32_t *face = p->face + p->start[chart->cluster[n]];
  th_chart_map *map = (th_chart_map *)(uintptr_t)th_chart_maps(chart, n);
  uint32_t count = th_cluster_size(p, chart->cluster[n]);
  for (uint32_t k = 0; k < count; k++) {
    const th_face_frame *from = &w->from->face[face[k]], *to = &w->to->face[face[k]];
    bool same = from->bx == to->bx && from->cx == to->cx && from->cy == to->cy;
    if (!same && th_chart_holds(&map[k])) map[k] = fit(&map[k], from, to);
  }
}

static void carry_block(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  const carrying *w = context;
  for (uint32_t n = begin; n < end; n++) {
    uint32_t p = w->charts->queue[n];
    if (!w->charts->stale[p]) continue;
    const th_chart *chart = w->charts->chart[p];
    for (uint32_t k = 0; k < chart->cluster_count; k++) carry_cluster(w, chart, k);
  }
}

/* Moves the queue to the front of its array, without charts that no longer wait. */
static void pack_queue(th_chart_cache *c) {
  uint32_t kept = 0;
  for (uint32_t n = c->queue_first; n < c->queue_count; n++) {
    uint32_t p = c->queue[n];
    c->queued[p] = c->stale[p];
    if (c->stale[p]) c->queue[kept++] = p;
  }
  c->queue_first = 0;
  c->queue_count = kept;
}

void th_chart_renewal_carry(th_chart_cache *c, const th_mesh_frames *from, const th_mesh_frames *to, th_pool *pool) {
  pack_queue(c);
  carrying w = {c, th_frames_walked(from), th_frames_walked(to)};
  for (uint32_t n = 0; n < c->queue_count; n++) th_chart_cache_drop_sheet(c, c->queue[n]); /* their maps change */
  th_parallel_for(pool, c->queue_count, 4, carry_block, &w);
}

static void let_wait(th_chart_cache *c, uint32_t p, uint32_t version) {
  if (c->stale[p]) return;
  c->backlog++;
  c->stale[p] = 1;
  c->version[p] = version;
  if (c->queued[p]) return;
  c->queued[p] = 1;
  c->queue[c->queue_count++] = p;
}

static bool depends_on_moved(const th_chart_cache *c, const th_chart *chart) {
  for (uint32_t n = 0; n < chart->vertex_count; n++)
    if (c->moved[chart->vertex[n]]) return true;
  return false;
}

/* Charts in use wait; others are released. */
static void concern(th_chart_cache *c, uint32_t version) {
  for (uint32_t p = 0; p < c->patch_count; p++) {
    if (!c->chart[p] || !depends_on_moved(c, c->chart[p])) continue;
    if (c->used[p] == c->call)
      let_wait(c, p, version);
    else
      th_chart_cache_drop(c, p);
  }
}

static void mark_moved(th_chart_cache *c, const th_mesh *from, const th_mesh *to) {
  for (uint32_t v = 0; v < c->vertex_count; v++) {
    const double *p = from->xyz + 3 * (size_t)v, *q = to->xyz + 3 * (size_t)v;
    c->moved[v] |= p[0] != q[0] || p[1] != q[1] || p[2] != q[2];
  }
}

void th_chart_renewal_follow(th_chart_cache *c, const th_mesh_frames *from, const th_mesh_frames *to, uint32_t version,
                             th_pool *pool) {
  pack_queue(c);
  memset(c->moved, 0, c->vertex_count);
  mark_moved(c, from->mesh, to->mesh);
  if (from->walked) mark_moved(c, from->walked->mesh, to->walked->mesh);
  concern(c, version);
  th_chart_renewal_carry(c, from, to, pool);
}

bool th_chart_renewal_waiting(const th_chart_cache *c, uint32_t *at, th_chart_wait *wait) {
  while (c->queue_first + *at < c->queue_count) {
    uint32_t p = c->queue[c->queue_first + (*at)++];
    *wait = (th_chart_wait){p, c->version[p]};
    if (c->stale[p]) return true;
  }
  return false;
}

th_result th_chart_renewal_resume(th_chart_cache *c, const th_mesh_frames *frames, const th_chart_wait *wait,
                                  uint32_t count, uint32_t version, th_pool *pool) {
  uint32_t *list = TH_TAKE(&c->allocator, uint32_t, count), found = 0;
  if (!list) return TH_ERROR_MEMORY;
  for (uint32_t n = 0; n < count; n++)
    if (wait[n].version == version && wait[n].patch < c->patch_count) list[found++] = wait[n].patch;
  th_result result = found ? th_chart_cache_require(c, frames, list, found, pool, NULL) : TH_OK;
  for (uint32_t n = 0; n < found && !result; n++) let_wait(c, list[n], version);
  TH_GIVE(&c->allocator, list, count);
  return result;
}

void th_chart_renewal_queue(th_chart_cache *c, const th_chart_wait *wait, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t n = 0; n < count && kept < c->patch_count; n++)
    if (wait[n].patch < c->patch_count && c->stale[wait[n].patch]) c->queue[kept++] = wait[n].patch;
  c->queue_first = 0;
  c->queue_count = kept;
}
