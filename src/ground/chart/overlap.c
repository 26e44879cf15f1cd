/* ground/chart/overlap.c - no two faces of a chart lie on top of each other.
 *
 * Polar coordinates cannot overlap where straight paths from the centre exist, because these are spread over one full
 * turn; behind corners they can: the next turn of a spiral ramp comes to lie on the one below. So only faces with a
 * corner in such a shadow are tested, nearest first, against whatever is there already, found through buckets as wide
 * as a face. The own faces, and the nearer copy, stay. Cost: nothing without shadows, else about 0.2 us per face.
 */
#include <string.h>

#include "base/memory.h"
#include "ground/chart/stages.h"

typedef struct triangle {
  th_point p[3];
} triangle;

typedef struct buckets {
  const th_chart_task *t;
  double x0, y0, inverse;
  uint32_t columns, rows;
  bool failed;
} buckets;

#define MAX_COLUMNS 256.0

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

static uint32_t clamp(double at, uint32_t count) {
  return at > 0.0 ? (at < (double)count ? (uint32_t)at : count - 1) : 0;
}

static th_window window_of(const buckets *b, const triangle *a) {
  th_box box = th_box_empty();
  for (int k = 0; k < 3; k++) th_box_add(&box, a->p[k].x, a->p[k].y);
  return (th_window){clamp((box.x0 - b->x0) * b->inverse, b->columns), clamp((box.y0 - b->y0) * b->inverse, b->rows),
                     clamp((box.x1 - b->x0) * b->inverse, b->columns) + 1,
                     clamp((box.y1 - b->y0) * b->inverse, b->rows) + 1};
}

static void put(buckets *b, uint32_t f) {
  th_chart_maker *k = b->t->maker;
  triangle a = triangle_of(b->t, f);
  th_window w = window_of(b, &a);
  for (uint32_t j = w.j0; j < w.j1; j++)
    for (uint32_t i = w.i0; i < w.i1; i++) {
      void *memory = k->bucket_link;
      if (!th_grow(&k->allocator, &memory, &k->bucket_link_capacity, k->bucket_links + 1, sizeof *k->bucket_link)) {
        b->failed = true;
        return;
      }
      k->bucket_link = memory;
      uint32_t *head = &k->bucket[(size_t)j * b->columns + i];
      k->bucket_link[k->bucket_links] = (th_chart_link){f, *head};
      *head = k->bucket_links++;
    }
}

static bool is_free(const buckets *b, uint32_t f) {
  const th_chart_maker *k = b->t->maker;
  triangle a = triangle_of(b->t, f);
  th_window w = window_of(b, &a);
  for (uint32_t j = w.j0; j < w.j1; j++)
    for (uint32_t i = w.i0; i < w.i1; i++)
      for (uint32_t n = k->bucket[(size_t)j * b->columns + i]; n != TH_NO_ELEMENT; n = k->bucket_link[n].next) {
        uint32_t g = k->bucket_link[n].face;
        triangle c = triangle_of(b->t, g);
        if (apart_at_a_side(&a, &c) || apart_at_a_side(&c, &a) || share_a_corner(b->t, f, g)) continue;
        return false;
      }
  return true;
}

static bool in_shadow(const th_chart_task *t, uint32_t f) {
  const th_dgpc_node *node = t->maker->map.node;
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

static bool take_buckets(buckets *b) {
  th_chart_maker *k = b->t->maker;
  th_box box = th_box_grow(k->own, (double)b->t->def->reach);
  double wide = fmax(box.x1 - box.x0, box.y1 - box.y0),
         size = fmax((double)b->t->patches->mean_edge, wide / MAX_COLUMNS);
  b->x0 = box.x0;
  b->y0 = box.y0;
  b->inverse = 1.0 / size;
  b->columns = (uint32_t)((box.x1 - box.x0) * b->inverse) + 1;
  b->rows = (uint32_t)((box.y1 - box.y0) * b->inverse) + 1;
  void *memory = k->bucket;
  if (!th_grow(&k->allocator, &memory, &k->bucket_capacity, b->columns * b->rows, sizeof *k->bucket)) return false;
  k->bucket = memory;
  memset(k->bucket, 0xff, (size_t)b->columns * b->rows * sizeof *k->bucket);
  k->bucket_links = 0;
  return true;
}

bool th_chart_drop_overlaps(const th_chart_task *t) {
  th_chart_maker *k = t->maker;
  if (!any_in_shadow(t)) return true;
  buckets b = {.t = t};
  if (!take_buckets(&b)) return false;
  for (uint32_t n = 0; n < k->map.face_count && !b.failed; n++)
    if (k->mark[k->map.face[n]] == 2 * t->run && !in_shadow(t, k->map.face[n])) put(&b, k->map.face[n]);
  for (uint32_t n = 0; n < k->map.face_count && !b.failed; n++) {
    uint32_t f = k->map.face[n];
    if (k->mark[f] != 2 * t->run || !in_shadow(t, f)) continue;
    if (is_free(&b, f))
      put(&b, f);
    else
      k->mark[f] = 0;
  }
  return !b.failed;
}
