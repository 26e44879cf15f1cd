/* ground/chart/overhead.c - finds the clusters whose bodies can meet above the surface.
 *
 * For feet p and q on faces with normals m and n, bodies that reach up to S along them, and e = p - q:
 *
 *   D^2 = |e + s m - t n|^2 >= c^2 - 2 S (a + b),   a = m . (q - p), b = n . (p - q), both at least 0
 *
 * where a is how high q lies above the plane of p's face, and b the reverse. On convex ground a = b = 0, so axes are
 * never nearer than feet and nothing is listed. Elsewhere "what counts" (overhead.h) needs
 *
 *   2 S (a + b) >= c^2 - D^2 >= max(0.36 c^2, 0.25 R (2 c - 0.25 R)),   R the least sum of radii,
 *
 * since c >= 1.25 D and c - D >= 0.25 R. Bodies that stand upright (along z) have parallel axes, and D^2 >= c^2 - h^2
 * where h is how much higher one stands: there h^2 takes the place of 2 S (a + b). Two faces are tested by these bounds
 * as a whole, and cut in four where they are larger than a body, so that a gentle fold of large faces is not taken for
 * a sharp one. Candidates come from boxes round clusters, and boxes round runs of clusters, which lie together because
 * they are numbered patch by patch.
 */
#include "ground/chart/overhead.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/vector.h"

#define RUN 64u /* clusters in one box of the coarse search */
#define MAX_CUTS 12

typedef struct box {
  double low[3], high[3];
} box;

/* A face, or a part of one, with the plane of the face. */
typedef struct tile {
  double p[3][3], centre[3], radius; /* all corners are within `radius` of the centre */
  double normal[3], level;           /* the plane: normal . x = level */
  double up[3];                      /* along which bodies stand */
} tile;

typedef struct work {
  const th_mesh_frames *frames;
  const th_patches *patches;
  th_overhead *overhead;
  double top, reach, min, max; /* of axes; farthest that counts; least and largest sum of radii [m] */
  double beside, gain;         /* no nearer feet count; no smaller gain 2 S (a + b) can do */
  tile *tile;                  /* of each face */
  box *box, *run;              /* of clusters, of runs of them */
  uint32_t run_count;
  uint32_t *count; /* candidates of each cluster, then entries */
  uint32_t *other; /* candidates, cluster by cluster, and how many in all */
  size_t others;
  uint8_t *keep; /* of each candidate */
} work;

static void join(box *b, const double *p) {
  for (int k = 0; k < 3; k++) {
    b->low[k] = p[k] < b->low[k] ? p[k] : b->low[k];
    b->high[k] = p[k] > b->high[k] ? p[k] : b->high[k];
  }
}

static box empty_box(void) { return (box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; }

/* Where axes of bodies on the tile can be: from its corners up to the highest. */
static box axes_box(const tile *t, double top) {
  box b = empty_box();
  for (int i = 0; i < 3; i++) {
    double up[3];
    for (int k = 0; k < 3; k++) up[k] = t->p[i][k] + top * t->up[k];
    join(&b, t->p[i]);
    join(&b, up);
  }
  return b;
}

/* Squared distance of two boxes. */
static double between(const box *a, const box *b) {
  double sum = 0.0;
  for (int k = 0; k < 3; k++) {
    double left = a->low[k] - b->high[k], right = b->low[k] - a->high[k], d = left > right ? left : right;
    sum += d > 0.0 ? d * d : 0.0;
  }
  return sum;
}

/* Centre and radius from the corners. */
static void enclose(tile *t) {
  double max = 0.0;
  for (int k = 0; k < 3; k++) t->centre[k] = (t->p[0][k] + t->p[1][k] + t->p[2][k]) / 3.0;
  for (int i = 0; i < 3; i++) {
    const double e[3] = {t->p[i][0] - t->centre[0], t->p[i][1] - t->centre[1], t->p[i][2] - t->centre[2]};
    max = fmax(max, th_dot3d(e, e));
  }
  t->radius = sqrt(max);
}

static tile tile_of(const th_mesh *mesh, uint32_t face, bool plumb) {
  tile t;
  double n[3];
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 3; k++) t.p[i][k] = mesh->xyz[3 * (size_t)mesh->corner[3 * (size_t)face + i] + k];
  th_normal3d(t.p[0], t.p[1], t.p[2], n);
  double size = th_length3d(n);
  for (int k = 0; k < 3; k++) t.normal[k] = size > 0.0 ? n[k] / size : 0.0;
  for (int k = 0; k < 3; k++) t.up[k] = plumb ? (k == 2 ? 1.0 : 0.0) : t.normal[k];
  t.level = th_dot3d(t.normal, t.p[0]);
  enclose(&t);
  return t;
}

/* Corner i's quarter; the fourth is the one in the middle. */
static tile quarter(const tile *t, int i) {
  tile part = *t;
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++) part.p[c][k] = 0.5 * (t->p[c][k] + (i < 3 ? t->p[i][k] : t->p[(c + 1) % 3][k]));
  enclose(&part);
  return part;
}

/* From where to where `other` lies above the plane of `t`. */
typedef struct heights {
  double low, high;
} heights;

static inline heights heights_over(const tile *t, const tile *other) {
  double a = th_dot3d(t->normal, other->p[0]), b = th_dot3d(t->normal, other->p[1]),
         c = th_dot3d(t->normal, other->p[2]);
  double low = a < b ? a : b, high = a < b ? b : a;
  return (heights){(c < low ? c : low) - t->level, (c > high ? c : high) - t->level};
}

/* Whether bodies on g can be level, along f's normal, with those on f: on parallel planes they keep that distance, on
 * others it may shrink while they walk. */
static bool level(const work *w, const tile *f, const tile *g, const heights *h) {
  double turn = th_dot3d(f->normal, g->normal), own = w->top * th_dot3d(f->normal, f->up),
         up = w->top * th_dot3d(f->normal, g->up);
  double allowed = w->max + (w->reach - w->max) * sqrt(fmax(0.0, 1.0 - turn * turn));
  return h->low + fmin(0.0, up) - fmax(0.0, own) <= allowed && fmin(0.0, own) - (h->high + fmax(0.0, up)) <= allowed;
}

/* How much higher a point of one can be than a point of the other, squared. */
static double steps(const tile *f, const tile *g) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    low[0] = fmin(low[0], f->p[i][2]), high[0] = fmax(high[0], f->p[i][2]);
    low[1] = fmin(low[1], g->p[i][2]), high[1] = fmax(high[1], g->p[i][2]);
  }
  double h = fmax(high[1] - low[0], high[0] - low[1]);
  return h > 0.0 ? h * h : 0.0;
}

/* What feet c apart need at least to count. */
static double need(const work *w, double c) {
  const double near = (double)TH_OVERHEAD_NEARER, share = 1.0 - 1.0 / ((1.0 + near) * (1.0 + near));
  return fmax(share * c * c, near * w->min * (2.0 * c - near * w->min));
}

static bool may_meet(const work *w, const tile *f, const tile *g, int cuts) {
  heights hf = heights_over(f, g), hg = heights_over(g, f);
  double gain = 2.0 * w->top * ((hf.high > 0.0 ? hf.high : 0.0) + (hg.high > 0.0 ? hg.high : 0.0));
  if (w->overhead->def.plumb) gain = steps(f, g);
  if (gain < w->gain) return false;
  const double e[3] = {g->centre[0] - f->centre[0], g->centre[1] - f->centre[1], g->centre[2] - f->centre[2]};
  double apart = th_length3d(e), both = f->radius + g->radius;
  if (gain < need(w, fmax(apart - both, w->beside)) || apart + both < w->beside) return false;
  if (!level(w, f, g, &hf) || !level(w, g, f, &hg)) return false;
  box af = axes_box(f, w->top), ag = axes_box(g, w->top);
  if (between(&af, &ag) > w->reach * w->reach) return false;
  if (!cuts || fmax(f->radius, g->radius) <= 0.5 * w->min) return true;
  bool first = f->radius >= g->radius, any = false;
  for (int i = 0; i < 4 && !any; i++) {
    tile part = quarter(first ? f : g, i);
    any = first ? may_meet(w, &part, g, cuts - 1) : may_meet(w, f, &part, cuts - 1);
  }
  return any;
}

/* ---------------------------------------------------------------- candidates */

static void make_boxes(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  const work *w = context;
  const th_patches *p = w->patches;
  for (uint32_t run = begin; run < end; run++) {
    w->run[run] = empty_box();
    for (uint32_t c = run * RUN; c < (run + 1) * RUN && c < p->cluster_count; c++) {
      w->box[c] = empty_box();
      for (uint32_t i = p->start[c]; i < p->start[c + 1]; i++) {
        w->tile[p->face[i]] = tile_of(w->frames->mesh, p->face[i], w->overhead->def.plumb);
        box b = axes_box(&w->tile[p->face[i]], w->top);
        join(&w->box[c], b.low);
        join(&w->box[c], b.high);
      }
      join(&w->run[run], w->box[c].low);
      join(&w->run[run], w->box[c].high);
    }
  }
}

/* Clusters whose boxes come near; written to `to` unless it is NULL. */
static uint32_t candidates(const work *w, uint32_t cluster, uint32_t *to) {
  uint32_t count = 0, clusters = w->patches->cluster_count;
  double reach2 = w->reach * w->reach;
  const box *own = &w->box[cluster];
  for (uint32_t run = 0; run < w->run_count; run++) {
    if (between(own, &w->run[run]) > reach2) continue;
    for (uint32_t c = run * RUN; c < (run + 1) * RUN && c < clusters; c++) {
      if (between(own, &w->box[c]) > reach2) continue;
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
static bool meets_cluster(const work *w, const tile *t, const box *axes, uint32_t cluster) {
  const th_patches *p = w->patches;
  if (between(axes, &w->box[cluster]) > w->reach * w->reach) return false;
  for (uint32_t i = p->start[cluster]; i < p->start[cluster + 1]; i++)
    if (may_meet(w, t, &w->tile[p->face[i]], MAX_CUTS)) return true;
  return false;
}

static th_vec3 rounded(const double *v) { return (th_vec3){(float)v[0], (float)v[1], (float)v[2]}; }

static void note_face(const work *w, uint32_t face) {
  double x[3], y[3];
  const tile *t = &w->tile[face];
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
    box axes = axes_box(&w->tile[face], w->top);
    note_face(w, face);
    for (uint32_t k = first; k < last; k++) {
      if (a->crowded[face] && w->keep[k]) continue;
      if (!meets_cluster(w, &w->tile[face], &axes, w->other[k])) continue;
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
  w->tile = TH_TAKE(allocator, tile, a->face_count);
  w->box = TH_TAKE(allocator, box, clusters);
  w->run = TH_TAKE(allocator, box, w->run_count);
  w->count = TH_TAKE(allocator, uint32_t, clusters);
  bool made = a->first && a->crowded && a->face && w->tile && w->box && w->run && w->count && lay_out(w, pool);
  if (made) {
    th_parallel_for(pool, clusters, 8, test_clusters, w);
    made = compact(w);
  }
  TH_GIVE(allocator, w->keep, w->others);
  TH_GIVE(allocator, w->other, w->others);
  TH_GIVE(allocator, w->count, clusters);
  TH_GIVE(allocator, w->run, w->run_count);
  TH_GIVE(allocator, w->box, clusters);
  TH_GIVE(allocator, w->tile, a->face_count);
  return made;
}

th_result th_overhead_make(th_overhead **overhead, const th_allocator *allocator, const th_mesh_frames *frames,
                           const th_patches *patches, const th_overhead_def *def, th_pool *pool, th_error *error) {
  th_overhead *a = *overhead = TH_TAKE(allocator, th_overhead, 1);
  if (!a) return th_fail_memory(error, "overhead");
  a->allocator = *allocator;
  a->def = *def;
  a->cluster_count = patches->cluster_count;
  a->face_count = patches->face_count;
  double max = 2.0 * (double)def->radius_max;
  work w = {.frames = frames,
            .patches = patches,
            .overhead = a,
            .top = fmax((double)def->height - (double)def->radius_min, (double)def->radius_max),
            .reach = max + (double)def->gap,
            .min = 2.0 * (double)def->radius_min,
            .max = max};
  w.beside = (double)TH_OVERHEAD_BESIDE * w.min;
  w.gain = need(&w, w.beside);
  if (make_lists(&w, pool)) return TH_OK;
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
