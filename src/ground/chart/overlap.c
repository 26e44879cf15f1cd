/* ground/chart/overlap.c - no two faces of a chart lie on top of each other.
 *
 * Polar coordinates cannot overlap where straight paths from the centre exist, because these are spread over one full
 * turn; behind corners they can: the next turn of a spiral ramp comes to lie on the one below. So only faces with a
 * corner in such a shadow are tested, nearest first, against the faces already placed. Those are found through
 * buckets half as wide as a face; most faces lie in one bucket, that of their middle. The own faces, and the nearer
 * copy, stay. Cost: nothing without shadows, else about 0.2 us per face.
 */
#include <string.h>

#include "base/memory.h"
#include "geometry/vector.h"
#include "ground/chart/stages.h"

typedef struct triangle {
  th_point p[3];
} triangle;

typedef struct buckets {
  const th_chart_task *t;
  double x0, y0, inverse;
  double small; /* faces up to this wide lie in the bucket of their middle, others in all that they touch [m] */
  uint32_t columns, rows;
} buckets;

#define MAX_COLUMNS 512.0
#define BUCKET 0.5            /* width, in mean edges */
#define SMALL 1.5             /* in mean edges */
#define IN_SHADOW 0x80000000u /* in an entry: the face is in a shadow; the rest is its number in the map */

static triangle triangle_of(const th_chart_task *t, uint32_t f) {
  return (triangle){{th_chart_corner(t, 3 * f), th_chart_corner(t, 3 * f + 1), th_chart_corner(t, 3 * f + 2)}};
}

/* All of b lies right of, or almost on, a side of a: then they have no inner point in common. */
static bool apart_at_a_side(const triangle *a, const triangle *b) {
  for (int k = 0; k < 3; k++) {
    th_point p = a->p[k], q = a->p[(k + 1) % 3];
    double ex = q.x - p.x, ey = q.y - p.y, deep = 1e-3 * (ex * ex + ey * ey); /* a thousandth of the side: no harm */
    int n = 0;
    while (n < 3 && ex * (b->p[n].y - p.y) - ey * (b->p[n].x - p.x) <= deep) n++;
    if (n == 3) return true;
  }
  return false;
}

static bool share_a_corner(const th_chart_task *t, uint32_t f, uint32_t g) {
  const uint32_t *a = &t->frames->mesh->corner[3 * (size_t)f], *b = &t->frames->mesh->corner[3 * (size_t)g];
  for (int i = 0; i < 9; i++)
    if (a[i / 3] == b[i % 3]) return true;
  return false;
}

static th_window window_of(const buckets *b, const th_box *box) {
  return (th_window){th_bin_double((box->x0 - b->x0) * b->inverse, b->columns),
                     th_bin_double((box->y0 - b->y0) * b->inverse, b->rows),
                     th_bin_double((box->x1 - b->x0) * b->inverse, b->columns) + 1,
                     th_bin_double((box->y1 - b->y0) * b->inverse, b->rows) + 1};
}

/* Where a face is put. */
static th_window home_of(const buckets *b, const th_box *box) {
  if (box->x1 - box->x0 > b->small || box->y1 - box->y0 > b->small) return window_of(b, box);
  const double x = 0.5 * (box->x0 + box->x1), y = 0.5 * (box->y0 + box->y1);
  return window_of(b, &(th_box){x, y, x, y});
}

static bool boxes_meet(const th_box *a, const th_box *b) {
  return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

/* Boxes tell most pairs apart; of the others most are neighbours. */
static bool overlap(const buckets *b, uint32_t n, uint32_t other, const triangle *a) {
  const th_chart_maker *k = b->t->maker;
  const uint32_t f = k->map.face[n], g = k->map.face[other];
  if (!boxes_meet(&k->bucket_box[n], &k->bucket_box[other]) || k->mark[g] != 2 * b->t->run) return false;
  if (share_a_corner(b->t, f, g)) return false;
  triangle c = triangle_of(b->t, g);
  return !apart_at_a_side(a, &c) && !apart_at_a_side(&c, a);
}

/* Nothing that is there already lies on face n of the map: no face outside shadows, and none of a smaller number. */
static bool is_free(const buckets *b, uint32_t n) {
  const th_chart_maker *k = b->t->maker;
  const triangle a = triangle_of(b->t, k->map.face[n]);
  const th_box near = th_box_grow(k->bucket_box[n], 0.5 * b->small);
  const th_window w = window_of(b, &near);
  for (uint32_t j = w.j0; j < w.j1; j++)
    for (uint32_t at = k->bucket[(size_t)j * b->columns + w.i0]; at < k->bucket[(size_t)j * b->columns + w.i1]; at++) {
      const uint32_t entry = k->bucket_entry[at], other = entry & ~IN_SHADOW;
      if ((entry == other || other < n) && overlap(b, n, other, &a)) return false;
    }
  return true;
}

static bool in_shadow(const th_chart_task *t, uint32_t f) {
  const th_polar_map_node *node = t->maker->map.node;
  const uint32_t *corner = &t->frames->mesh->corner[3 * (size_t)f];
  return t->patches->patch_of[f] != t->patch &&
         (node[corner[0]].shadow || node[corner[1]].shadow || node[corner[2]].shadow);
}

static bool any_in_shadow(const th_chart_task *t) {
  const th_chart_maker *k = t->maker;
  for (uint32_t n = 0; n < k->map.face_count; n++)
    if (k->mark[k->map.face[n]] == 2 * t->run && in_shadow(t, k->map.face[n])) return true;
  return false;
}

static bool lay_buckets(buckets *b) {
  th_chart_maker *k = b->t->maker;
  th_box box = th_box_grow(k->own, (double)b->t->def->reach);
  double wide = fmax(box.x1 - box.x0, box.y1 - box.y0),
         size = fmax(BUCKET * (double)b->t->patches->mean_edge, wide / MAX_COLUMNS);
  b->x0 = box.x0;
  b->y0 = box.y0;
  b->inverse = 1.0 / size;
  b->small = SMALL * (double)b->t->patches->mean_edge;
  b->columns = (uint32_t)((box.x1 - box.x0) * b->inverse) + 1;
  b->rows = (uint32_t)((box.y1 - box.y0) * b->inverse) + 1;
  const uint32_t count = b->columns * b->rows + 1;
  void *bucket = k->bucket, *boxes = k->bucket_box;
  bool grown = th_grow(&k->allocator, &bucket, &k->bucket_capacity, count, sizeof *k->bucket);
  grown &= th_grow(&k->allocator, &boxes, &k->bucket_box_capacity, k->map.face_count, sizeof *k->bucket_box);
  k->bucket = bucket;
  k->bucket_box = boxes;
  if (grown) memset(k->bucket, 0, count * sizeof *k->bucket);
  return grown;
}

static void count_faces(buckets *b) {
  th_chart_maker *k = b->t->maker;
  for (uint32_t n = 0; n < k->map.face_count; n++) {
    if (k->mark[k->map.face[n]] != 2 * b->t->run) continue;
    k->bucket_box[n] = th_chart_face_box(b->t, k->map.face[n]);
    const th_window w = home_of(b, &k->bucket_box[n]);
    for (uint32_t j = w.j0; j < w.j1; j++)
      for (uint32_t i = w.i0; i < w.i1; i++) k->bucket[(size_t)j * b->columns + i]++;
  }
}

static void put_faces(buckets *b) {
  th_chart_maker *k = b->t->maker;
  for (uint32_t n = 0; n < k->map.face_count; n++) {
    const uint32_t f = k->map.face[n];
    if (k->mark[f] != 2 * b->t->run) continue;
    const uint32_t entry = in_shadow(b->t, f) ? n | IN_SHADOW : n;
    const th_window w = home_of(b, &k->bucket_box[n]);
    for (uint32_t j = w.j0; j < w.j1; j++)
      for (uint32_t i = w.i0; i < w.i1; i++) k->bucket_entry[--k->bucket[(size_t)j * b->columns + i]] = entry;
  }
}

/* Puts the marked faces into their buckets by a counting sort. */
static bool fill_buckets(buckets *b) {
  th_chart_maker *k = b->t->maker;
  const uint32_t count = b->columns * b->rows;
  uint32_t sum = 0;
  count_faces(b);
  for (uint32_t c = 0; c < count; c++) sum = k->bucket[c] += sum;
  k->bucket[count] = sum;
  void *memory = k->bucket_entry;
  if (!th_grow(&k->allocator, &memory, &k->bucket_entry_capacity, sum, sizeof *k->bucket_entry)) return false;
  k->bucket_entry = memory;
  put_faces(b);
  return true;
}

bool th_chart_drop_overlaps(const th_chart_task *t) {
  th_chart_maker *k = t->maker;
  if (!any_in_shadow(t)) return true;
  buckets b = {.t = t};
  if (!lay_buckets(&b) || !fill_buckets(&b)) return false;
  for (uint32_t n = 0; n < k->map.face_count; n++) {
    const uint32_t f = k->map.face[n];
    if (k->mark[f] == 2 * t->run && in_shadow(t, f) && !is_free(&b, n)) k->mark[f] = 0;
  }
  return true;
}
