/* ground/chart/overhead.c - finds the clusters whose bodies can meet above the surface.
 *
 * Candidates come from boxes round clusters, and boxes round runs of clusters, which lie together because they are
 * numbered patch by patch. Then face is tested against face (ground/chart/facet_meeting.c), until one pair is found.
 */
#include "ground/chart/overhead.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/vector.h"
#include "ground/chart/facet_meeting.h"

#define RUN 64u /* clusters in one box of the coarse search */

typedef struct work {
  const th_mesh_frames *frames;
  const th_patches *patches;
  th_overhead *overhead;
  th_meeting meeting;
  th_facet *facet;         /* of each face */
  th_facet_box *box, *run; /* of clusters, of runs of them */
  uint32_t run_count;
  uint32_t *count; /* candidates of each cluster */
  uint32_t *other; /* candidates, cluster by cluster, and how many in all */
  size_t others;
  uint8_t *keep;    /* of each candidate */
  uint64_t *tested; /* pairs of facets, of each cluster */
} work;

/* ---------------------------------------------------------------- candidates */

static void make_boxes(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  const work *w = context;
  const th_patches *p = w->patches;
  for (uint32_t run = begin; run < end; run++) {
    w->run[run] = th_facet_box_empty();
    for (uint32_t c = run * RUN; c < (run + 1) * RUN && c < p->cluster_count; c++) {
      w->box[c] = th_facet_box_empty();
      for (uint32_t i = p->start[c]; i < p->start[c + 1]; i++) {
        w->facet[p->face[i]] = th_facet_of(w->frames->mesh, p->face[i], w->overhead->def.plumb);
        th_facet_box b = th_facet_axes(&w->facet[p->face[i]], w->meeting.top);
        th_facet_box_join(&w->box[c], b.low);
        th_facet_box_join(&w->box[c], b.high);
      }
      th_facet_box_join(&w->run[run], w->box[c].low);
      th_facet_box_join(&w->run[run], w->box[c].high);
    }
  }
}

/* Clusters whose boxes come near; written to `to` unless it is NULL. */
static uint32_t candidates(const work *w, uint32_t cluster, uint32_t *to) {
  uint32_t count = 0, clusters = w->patches->cluster_count;
  double reach2 = w->meeting.reach * w->meeting.reach;
  const th_facet_box *own = &w->box[cluster];
  for (uint32_t run = 0; run < w->run_count; run++) {
    if (th_facet_box_apart2(own, &w->run[run]) > reach2) continue;
    for (uint32_t c = run * RUN; c < (run + 1) * RUN && c < clusters; c++) {
      if (th_facet_box_apart2(own, &w->box[c]) > reach2) continue;
      if (to) to[count] = c;
      count++;
    }
  }
  return count;
}

static void count_candidates(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  const work *w = context;
  for (uint32_t c = begin; c < end; c++) w->count[c] = candidates(w, c, NULL);
}

/* True when a body on the face may meet one on a face of the cluster. */
static bool meets_cluster(const work *w, const th_facet *t, const th_facet_box *axes, uint32_t cluster,
                          uint64_t *tested) {
  const th_patches *p = w->patches;
  if (th_facet_box_apart2(axes, &w->box[cluster]) > w->meeting.reach * w->meeting.reach) return false;
  for (uint32_t i = p->start[cluster]; i < p->start[cluster + 1]; i++)
    if (th_facets_may_meet(&w->meeting, t, &w->facet[p->face[i]], tested)) return true;
  return false;
}

static th_vec3 rounded(const double *v) { return (th_vec3){(float)v[0], (float)v[1], (float)v[2]}; }

static void note_face(const work *w, uint32_t face) {
  double x[3], y[3];
  const th_facet *t = &w->facet[face];
  th_frames_axes(w->frames, face, x, y);
  w->overhead->face[face] = (th_overhead_face){rounded(t->p[0]), rounded(x), rounded(y), rounded(t->normal)};
}

static void test_cluster(const work *w, uint32_t cluster) {
  th_overhead *a = w->overhead;
  const th_patches *p = w->patches;
  uint32_t first = a->first[cluster], last = a->first[cluster + 1];
  candidates(w, cluster, w->other + first);
  for (uint32_t i = p->start[cluster]; i < p->start[cluster + 1]; i++) {
    uint32_t face = p->face[i];
    th_facet_box axes = th_facet_axes(&w->facet[face], w->meeting.top);
    note_face(w, face);
    for (uint32_t k = first; k < last; k++) {
      if (a->crowded[face] && w->keep[k]) continue;
      if (!meets_cluster(w, &w->facet[face], &axes, w->other[k], &w->tested[cluster])) continue;
      a->crowded[face] = w->keep[k] = 1;
    }
  }
}

static void test_clusters(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  for (uint32_t c = begin; c < end; c++) test_cluster(context, c);
}

/* ---------------------------------------------------------------- lists */

static bool lay_out(work *w, th_pool *pool) {
  th_overhead *a = w->overhead;
  uint32_t clusters = w->patches->cluster_count;
  size_t sum = 0;
  th_parallel_for(pool, w->run_count, 4, make_boxes, w);
  th_parallel_for(pool, clusters, 64, count_candidates, w);
  for (uint32_t c = 0; c < clusters; c++) sum += w->count[c];
  if (sum > UINT32_MAX) return false;
  w->others = sum;
  w->other = TH_TAKE(&a->allocator, uint32_t, sum);
  w->keep = TH_TAKE(&a->allocator, uint8_t, sum);
  sum = 0;
  for (uint32_t c = 0; c < clusters; c++) {
    a->first[c] = (uint32_t)sum;
    sum += w->count[c];
  }
  a->first[clusters] = (uint32_t)sum;
  return w->other && w->keep;
}

/* The runs of clusters that are kept; writes them to `to` unless it is NULL. Returns how many. */
static uint32_t runs_of(const work *w, uint32_t begin, uint32_t end, th_overhead_run *to) {
  uint32_t count = 0, last = UINT32_MAX;
  for (uint32_t k = begin; k < end; k++) {
    uint32_t c = w->other[k];
    if (!w->keep[k]) continue;
    if (c != last) count++;
    if (to && c != last) to[count - 1].first = c;
    if (to) to[count - 1].last = c + 1;
    last = c + 1;
  }
  return count;
}

static bool compact(work *w) {
  th_overhead *a = w->overhead;
  uint32_t sum = 0;
  for (uint32_t c = 0; c < a->cluster_count; c++) sum += runs_of(w, a->first[c], a->first[c + 1], NULL);
  for (size_t k = 0; k < w->others; k++) a->pairs += w->keep[k];
  a->runs = sum;
  a->run = TH_TAKE(&a->allocator, th_overhead_run, sum);
  if (!a->run) return false;
  uint32_t begin = 0, count = 0;
  for (uint32_t c = 0; c < a->cluster_count; c++) {
    uint32_t end = a->first[c + 1];
    a->first[c] = count;
    count += runs_of(w, begin, end, a->run + count);
    begin = end;
  }
  a->first[a->cluster_count] = count;
  return true;
}

static bool make_lists(work *w, th_pool *pool) {
  th_overhead *a = w->overhead;
  const th_allocator *allocator = &a->allocator;
  uint32_t clusters = a->cluster_count;
  w->run_count = (clusters + RUN - 1) / RUN;
  a->first = TH_TAKE(allocator, uint32_t, (size_t)clusters + 1);
  a->crowded = TH_TAKE(allocator, uint8_t, a->face_count);
  a->face = TH_TAKE(allocator, th_overhead_face, a->face_count);
  w->facet = TH_TAKE(allocator, th_facet, a->face_count);
  w->box = TH_TAKE(allocator, th_facet_box, clusters);
  w->run = TH_TAKE(allocator, th_facet_box, w->run_count);
  w->count = TH_TAKE(allocator, uint32_t, clusters);
  w->tested = TH_TAKE(allocator, uint64_t, clusters);
  bool made = a->first && a->crowded && a->face && w->facet && w->box && w->run && w->count && w->tested;
  made = made && lay_out(w, pool);
  if (made) {
    th_parallel_for(pool, clusters, 8, test_clusters, w);
    for (uint32_t c = 0; c < clusters; c++) a->tested += w->tested[c];
    made = compact(w);
  }
  TH_GIVE(allocator, w->keep, w->others);
  TH_GIVE(allocator, w->other, w->others);
  TH_GIVE(allocator, w->tested, clusters);
  TH_GIVE(allocator, w->count, clusters);
  TH_GIVE(allocator, w->run, w->run_count);
  TH_GIVE(allocator, w->box, clusters);
  TH_GIVE(allocator, w->facet, a->face_count);
  return made;
}

th_result th_overhead_make(const th_overhead_input *input, const th_overhead_def *def, th_overhead **overhead,
                           th_error *error) {
  const th_patches *patches = input->patches;
  th_overhead *a = *overhead = TH_TAKE(input->allocator, th_overhead, 1);
  if (!a) return th_fail_memory(error, "overhead");
  a->allocator = *input->allocator;
  a->def = *def;
  a->cluster_count = patches->cluster_count;
  a->face_count = patches->face_count;
  work w = {.frames = input->frames, .patches = patches, .overhead = a, .meeting = th_meeting_of(def)};
  if (make_lists(&w, input->pool)) return TH_OK;
  th_overhead_free(a);
  *overhead = NULL;
  return th_fail_memory(error, "overhead");
}

void th_overhead_free(th_overhead *a) {
  if (!a) return;
  th_allocator allocator = a->allocator;
  TH_GIVE(&allocator, a->first, (size_t)a->cluster_count + 1);
  TH_GIVE(&allocator, a->crowded, a->face_count);
  TH_GIVE(&allocator, a->face, a->face_count);
  TH_GIVE(&allocator, a->run, a->runs);
  TH_GIVE(&allocator, a, 1);
}
