/* ground/chart/patches.c - patches and the clusters in them.
 *
 * patches_cut.c cuts the surface. Here every patch is laid flat once more and cut into squares of the cluster's size,
 * in parallel; clusters are then numbered patch by patch and faces sorted by cluster with counting sorts. With one face
 * per patch, patch, cluster and face coincide. O(n).
 */
#include "ground/chart/patches.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/polar_map.h"

#define MAX_SQUARES 48.0 /* of a patch along each side */

th_patches_def th_default_patches_def(void) {
  return (th_patches_def){.size = 8.0f, .cluster = 2.0f, .rim = 0.04, .lean = 0.906};
}

typedef struct squares {
  th_patches *patches;
  const th_mesh_frames *frames;
  double side;         /* of a cluster [m] */
  th_polar_map *map;   /* one per worker */
  const uint32_t *of;  /* first face of each patch in `list` */
  uint32_t *list;      /* faces by patch, then reordered by square */
  uint32_t *square_of; /* of each face its square, from 0 */
  uint32_t *count;     /* clusters of each patch */
  bool *failed;        /* of each worker */
} squares;

static th_point centroid(const th_polar_map *map, uint32_t face) {
  const uint32_t *corner = &map->frames->mesh->corner[3 * (size_t)face];
  const th_polar_map_node *a = &map->node[corner[0]], *b = &map->node[corner[1]], *d = &map->node[corner[2]];
  return (th_point){(a->x + b->x + d->x) / 3.0, (a->y + b->y + d->y) / 3.0};
}

/* Maps until the patch's own faces are complete. They are: the patch was made from this map. */
static double map_own(squares *s, th_polar_map *map, uint32_t patch) {
  const th_patches *p = s->patches;
  map->tag = p->patch_of;
  map->own = patch;
  th_polar_map_begin(map, s->frames, p->centre[patch]);
  double max = 0.0;
  for (uint32_t n = s->of[patch]; n < s->of[patch + 1]; n++)
    for (int k = 0; k < 3; k++) {
      uint32_t v = s->frames->mesh->corner[3 * (size_t)s->list[n] + (size_t)k];
      while (!th_polar_map_has(map, v) && map->heap.count > 0) th_polar_map_advance(map, th_polar_map_next(map));
      max = fmax(max, map->node[v].key);
    }
  return max;
}

/* Numbers the squares that hold faces. */
static uint32_t sort_squares(squares *s, uint32_t patch, uint32_t square_count) {
  uint32_t tally[(size_t)MAX_SQUARES * (size_t)MAX_SQUARES] = {0};
  uint32_t first = s->of[patch], end = s->of[patch + 1], clusters = 0;
  for (uint32_t n = first; n < end; n++) tally[s->square_of[s->list[n]]]++;
  for (uint32_t q = 0; q < square_count; q++) {
    bool held = tally[q] > 0;
    tally[q] = clusters;
    clusters += held;
  }
  for (uint32_t n = first; n < end; n++) s->square_of[s->list[n]] = tally[s->square_of[s->list[n]]];
  return clusters;
}

static void square_patch(squares *s, const th_polar_map *map, uint32_t patch) {
  th_box box = th_box_empty();
  uint32_t first = s->of[patch], end = s->of[patch + 1];
  for (uint32_t n = first; n < end; n++) {
    th_point p = centroid(map, s->list[n]);
    th_box_add(&box, p.x, p.y);
  }
  double width = box.x1 - box.x0, height = box.y1 - box.y0;
  double columns = fmin(fmax(1.0, floor(width / s->side + 0.5)), MAX_SQUARES);
  double rows = fmin(fmax(1.0, floor(height / s->side + 0.5)), MAX_SQUARES);
  for (uint32_t n = first; n < end; n++) {
    th_point p = centroid(map, s->list[n]);
    double i = width > 0.0 ? fmin(floor((p.x - box.x0) / width * columns), columns - 1.0) : 0.0;
    double j = height > 0.0 ? fmin(floor((p.y - box.y0) / height * rows), rows - 1.0) : 0.0;
    s->square_of[s->list[n]] = (uint32_t)(j * columns + i);
  }
  s->count[patch] = sort_squares(s, patch, (uint32_t)(columns * rows));
}

static void square_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  squares *s = context;
  th_polar_map *map = &s->map[worker];
  for (uint32_t patch = begin; patch < end; patch++) {
    s->patches->radius[patch] = (float)(map_own(s, map, patch) * (1.0 + 1e-6));
    square_patch(s, map, patch);
    s->failed[worker] |= map->failed;
  }
}

/* Faces by `key` (below `keys`, TH_NO_ELEMENT: none), ascending in each: the counting sort of both levels. */
static void sort_faces(const uint32_t *key, uint32_t faces, uint32_t *start, uint32_t keys, uint32_t *list) {
  memset(start, 0, ((size_t)keys + 1) * sizeof *start);
  for (uint32_t f = 0; f < faces; f++)
    if (key[f] != TH_NO_ELEMENT) start[key[f]]++;
  for (uint32_t k = 0, sum = 0; k <= keys; k++) {
    uint32_t held = start[k];
    start[k] = sum;
    sum += held;
  }
  for (uint32_t f = 0; f < faces; f++)
    if (key[f] != TH_NO_ELEMENT) list[start[key[f]]++] = f;
  for (uint32_t k = keys; k > 0; k--) start[k] = start[k - 1];
  start[0] = 0;
}

static bool number_clusters(squares *s) {
  th_patches *p = s->patches;
  uint32_t total = 0;
  for (uint32_t patch = 0; patch < p->count; patch++) {
    p->first[patch] = total;
    total += s->count[patch];
  }
  p->first[p->count] = p->cluster_count = total;
  for (uint32_t f = 0; f < p->face_count; f++)
    p->cluster_of[f] = p->patch_of[f] == TH_NO_ELEMENT ? TH_NO_ELEMENT : p->first[p->patch_of[f]] + s->square_of[f];
  p->start = TH_TAKE(&p->allocator, uint32_t, (size_t)total + 1);
  if (!p->start) return false;
  sort_faces(p->cluster_of, p->face_count, p->start, total, p->face);
  return true;
}

static bool make_clusters(th_patches *p, const th_mesh_frames *frames, float side, th_pool *pool) {
  const th_allocator *allocator = &p->allocator;
  uint32_t workers = th_pool_workers(pool), made = 0;
  p->first = TH_TAKE(allocator, uint32_t, (size_t)p->count + 1);
  p->radius = TH_TAKE(allocator, float, p->count);
  uint32_t *of = TH_TAKE(allocator, uint32_t, (size_t)p->count + 1), *count = TH_TAKE(allocator, uint32_t, p->count);
  squares s = {.patches = p,
               .frames = frames,
               .side = (double)side,
               .map = TH_TAKE(allocator, th_polar_map, workers),
               .of = of,
               .count = count};
  s.list = TH_TAKE(allocator, uint32_t, p->open_faces);
  s.square_of = TH_TAKE(allocator, uint32_t, p->face_count);
  s.failed = TH_TAKE(allocator, bool, workers);
  bool done = p->first && p->radius && of && count && s.map && s.list && s.square_of && s.failed;
  for (; done && made < workers; made++) done = th_polar_map_make(&s.map[made], allocator, frames->mesh);
  if (done) {
    sort_faces(p->patch_of, p->face_count, of, p->count, s.list);
    th_parallel_for(pool, p->count, 4, square_patches, &s);
    for (uint32_t w = 0; w < workers; w++) done &= !s.failed[w];
    done = done && number_clusters(&s);
  }
  for (uint32_t w = 0; s.map && w < workers; w++) th_polar_map_free(&s.map[w]);
  TH_GIVE(allocator, s.map, workers);
  TH_GIVE(allocator, of, (size_t)p->count + 1);
  TH_GIVE(allocator, count, p->count);
  TH_GIVE(allocator, s.list, p->open_faces);
  TH_GIVE(allocator, s.square_of, p->face_count);
  TH_GIVE(allocator, s.failed, workers);
  return done;
}

/* Every walkable face is a patch and a cluster. */
static bool make_single(th_patches *p, const th_mesh_frames *frames) {
  p->count = p->cluster_count = p->open_faces;
  p->centre = TH_TAKE(&p->allocator, uint32_t, p->count);
  p->radius = TH_TAKE(&p->allocator, float, p->count);
  p->first = TH_TAKE(&p->allocator, uint32_t, (size_t)p->count + 1);
  p->start = TH_TAKE(&p->allocator, uint32_t, (size_t)p->count + 1);
  if (!p->centre || !p->radius || !p->first || !p->start) return false;
  uint32_t n = 0;
  for (uint32_t f = 0; f < p->face_count; f++) {
    p->patch_of[f] = p->cluster_of[f] = TH_NO_ELEMENT;
    if (frames->blocked && frames->blocked[f]) continue;
    const th_face_frame *t = &frames->face[f];
    double ox = (t->bx + t->cx) / 3.0, oy = t->cy / 3.0, max = ox * ox + oy * oy;
    max = fmax(max, (t->bx - ox) * (t->bx - ox) + oy * oy);
    max = fmax(max, (t->cx - ox) * (t->cx - ox) + (t->cy - oy) * (t->cy - oy));
    p->radius[n] = (float)(sqrt(max) * (1.0 + 1e-6));
    p->centre[n] = p->face[n] = f;
    p->first[n] = p->start[n] = n;
    p->patch_of[f] = p->cluster_of[f] = n++;
  }
  p->first[n] = p->start[n] = n;
  return true;
}

static void survey(th_patches *p, const th_mesh_frames *frames) {
  double sum = 0.0;
  for (uint32_t f = 0; f < p->face_count; f++) {
    if (frames->blocked && frames->blocked[f]) continue;
    const th_face_frame *t = &frames->face[f];
    double wx = t->cx - t->bx;
    sum += t->bx + sqrt(t->cx * t->cx + t->cy * t->cy) + sqrt(wx * wx + t->cy * t->cy);
    p->open_faces++;
  }
  p->mean_edge = p->open_faces ? (float)(sum / (3.0 * p->open_faces)) : 0.0f;
}

th_result th_patches_make(th_patches *patches, const th_allocator *allocator, const th_mesh_frames *frames,
                          const th_patches_def *def, th_pool *pool, th_error *error) {
  *patches = (th_patches){.allocator = *allocator, .face_count = frames->mesh->face_count};
  if (!(def->size > 0.0f && def->cluster > 0.0f && def->size <= 1e4f))
    return th_fail(error, TH_ERROR_RANGE, "patches", "expected sizes in (0, 10000] m, found size %g and cluster %g",
                   (double)def->size, (double)def->cluster);
  survey(patches, frames);
  patches->patch_of = TH_TAKE(allocator, uint32_t, patches->face_count);
  patches->cluster_of = TH_TAKE(allocator, uint32_t, patches->face_count);
  patches->rank_of = TH_TAKE(allocator, uint32_t, patches->face_count);
  patches->face = TH_TAKE(allocator, uint32_t, patches->open_faces);
  bool done = patches->patch_of && patches->cluster_of && patches->rank_of && patches->face;
  if (done && def->one_face)
    done = make_single(patches, frames);
  else if (done)
    done = th_patches_cut(patches, frames, def) && make_clusters(patches, frames, def->cluster, pool);
  for (uint32_t n = 0; done && n < patches->open_faces; n++) patches->rank_of[patches->face[n]] = n;
  if (done) return TH_OK;
  th_patches_free(patches);
  return th_fail_memory(error, "patches");
}

void th_patches_free(th_patches *p) {
  if (!p->allocator.release) return;
  TH_GIVE(&p->allocator, p->patch_of, p->face_count);
  TH_GIVE(&p->allocator, p->cluster_of, p->face_count);
  TH_GIVE(&p->allocator, p->rank_of, p->face_count);
  TH_GIVE(&p->allocator, p->face, p->open_faces);
  TH_GIVE(&p->allocator, p->centre, p->count);
  TH_GIVE(&p->allocator, p->radius, p->count);
  TH_GIVE(&p->allocator, p->first, (size_t)p->count + 1);
  TH_GIVE(&p->allocator, p->start, (size_t)p->cluster_count + 1);
  *p = (th_patches){0};
}
