/* group/formation.c - the posts of a formation, on plain arrays.
 *
 * A shape is a list of offsets, x ahead and y to the left; generated ones are centred, given ones keep their sides. The
 * front is the post farthest ahead. Posts within half a spacing of the first one of a row are that row, so that shapes
 * of any kind can thin row by row (squeeze.c). A drawn outline is sampled in equal distances (Companion B of the
 * planner: "sampled into attraction points, one per agent"). Cost: n log n, outlines n x corners.
 */
#include "group/formation.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"

float th_formation_spacing(const th_formation *f) {
  if (f->spacing > 0.0f) return f->spacing;
  return f->kind == TH_FORMATION_FRIENDS ? 0.8f : 1.2f;
}

/* Rows of `columns`; the last one is centred. */
static void lay_rows(th_post *post, uint32_t count, uint32_t columns, float spacing) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t row = i / columns, left = count - row * columns, wide = left < columns ? left : columns;
    post[i].depth = (float)row * spacing;
    post[i].lateral = (0.5f * (float)(wide - 1) - (float)(i % columns)) * spacing;
  }
}

/* Neighbours in a wedge are `spacing` apart in all directions. */
static void lay_wedge(th_post *post, uint32_t count, float spacing) {
  for (uint32_t i = 0, row = 0, at = 0; i < count; i++, at++) {
    if (at > row) row++, at = 0;
    const uint32_t begun = i - at, left = count - begun, wide = left < row + 1 ? left : row + 1;
    post[i].depth = (float)row * 0.8660254f * spacing;
    post[i].lateral = (0.5f * (float)(wide - 1) - (float)at) * spacing;
  }
}

static void lay_circle(th_post *post, uint32_t count, float spacing) {
  float s, c;
  th_sincosf((float)TH_PI / (float)count, &s, &c);
  const float radius = count > 1 ? 0.5f * spacing / s : 0.0f;
  for (uint32_t i = 0; i < count; i++) {
    th_sincosf(2.0f * (float)TH_PI * (float)i / (float)count, &s, &c);
    post[i].depth = -radius * c;
    post[i].lateral = radius * s;
  }
}

static float side(const th_formation *f, uint32_t k) {
  const th_vec2 a = f->point[k], b = f->point[(k + 1) % f->point_count];
  return sqrtf((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

static void lay_outline(const th_formation *f, th_post *post, uint32_t count) {
  float length = 0.0f, before = 0.0f;
  for (uint32_t k = 0; k < f->point_count; k++) length += side(f, k);
  for (uint32_t i = 0, k = 0; i < count; i++) {
    const float at = length * (float)i / (float)count;
    while (k + 1 < f->point_count && before + side(f, k) < at) before += side(f, k++);
    const th_vec2 a = f->point[k], b = f->point[(k + 1) % f->point_count];
    const float whole = side(f, k), t = whole > 0.0f ? fminf((at - before) / whole, 1.0f) : 0.0f;
    post[i].depth = -(a.x + t * (b.x - a.x));
    post[i].lateral = a.y + t * (b.y - a.y);
  }
}

/* Friends walk side by side as long as they can talk so, larger groups in pairs. */
static uint32_t columns_of(const th_formation *f, uint32_t count) {
  if (f->columns) return f->columns;
  if (f->kind == TH_FORMATION_FRIENDS) return count <= 3 ? count : 2;
  return f->kind == TH_FORMATION_GRID ? (uint32_t)ceilf(sqrtf((float)count)) : 1;
}

static void lay_kind(const th_formation *f, th_post *post, uint32_t count) {
  const float spacing = th_formation_spacing(f);
  if (f->kind == TH_FORMATION_WEDGE) {
    lay_wedge(post, count, spacing);
  } else if (f->kind == TH_FORMATION_CIRCLE) {
    lay_circle(post, count, spacing);
  } else if (f->kind == TH_FORMATION_OUTLINE) {
    lay_outline(f, post, count);
  } else if (f->kind == TH_FORMATION_POINTS) {
    for (uint32_t i = 0; i < count; i++) post[i] = (th_post){.depth = -f->point[i].x, .lateral = f->point[i].y};
  } else {
    lay_rows(post, count, f->kind == TH_FORMATION_LINE ? count : columns_of(f, count), spacing);
  }
}

/* ---------------------------------------------------------------- rows */

static int by_depth(const void *a, const void *b) {
  const th_post *p = a, *q = b;
  if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
  return p->lateral > q->lateral ? -1 : p->lateral < q->lateral;
}

/* `aside` is here the distance from the middle of the row. */
static int by_row(const void *a, const void *b) {
  const th_post *p = a, *q = b;
  if (p->row != q->row) return p->row < q->row ? -1 : 1;
  if (p->aside != q->aside) return p->aside < q->aside ? -1 : 1;
  return by_depth(a, b);
}

static void find_rows(th_post *post, uint32_t count, float within) {
  for (uint32_t first = 0, row = 0, end; first < count; first = end, row++) {
    float low = post[first].lateral, high = low;
    for (end = first; end < count && post[end].depth - post[first].depth < within; end++) {
      low = fminf(low, post[end].lateral);
      high = fmaxf(high, post[end].lateral);
    }
    for (uint32_t i = first; i < end; i++) {
      post[i].row = row;
      post[i].aside = fabsf(post[i].lateral - 0.5f * (low + high));
    }
  }
}

void th_formation_lay(const th_formation *f, th_post *post, uint32_t count) {
  lay_kind(f, post, count);
  float front = INFINITY;
  for (uint32_t i = 0; i < count; i++) front = fminf(front, post[i].depth);
  for (uint32_t i = 0; i < count; i++) post[i].depth -= front;
  qsort(post, count, sizeof *post, by_depth);
  find_rows(post, count, 0.5f * th_formation_spacing(f));
  qsort(post, count, sizeof *post, by_row);
  for (uint32_t i = 0; i < count; i++) post[i].along = post[i].aside = 0.0f;
}
