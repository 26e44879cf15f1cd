/* world/draw/traces.c - what traced agents have published, as lines and discs in space.
 *
 * Items are given in space. Only the heads of arrows and the like, which lie across an item, need the normal of the
 * ground at the agent. Numbers that are not finite are left out.
 */
#include <math.h>

#include "geometry/vector.h"
#include "world/draw/pen.h"

#define HALF_LENGTH 1.0f /* of the line of a half-plane [m] */

typedef struct item_pen {
  const th_pen *pen;
  th_vec3 up; /* unit normal */
} item_pen;

static th_vec3 plus(th_vec3 a, float k, th_vec3 b) { return (th_vec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z}; }

static bool is_finite3(th_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static void draw_line(const item_pen *p, th_vec3 from, th_vec3 to) {
  const float lift = p->pen->draw->lift;
  if (is_finite3(from) && is_finite3(to)) th_pen_line(p->pen, plus(from, lift, p->up), plus(to, lift, p->up));
}

static void draw_arrow(const item_pen *p, th_vec3 from, th_vec3 offset) {
  const th_vec3 tip = plus(from, 1.0f, offset), neck = plus(from, 0.75f, offset), left = th_cross3(p->up, offset);
  draw_line(p, from, tip);
  draw_line(p, plus(neck, 0.15f, left), tip);
  draw_line(p, plus(neck, -0.15f, left), tip);
}

static void draw_half_plane(const item_pen *p, const th_trace_item *item) {
  const th_vec3 at = plus(item->at, 1.0f, item->a), left = th_cross3(p->up, item->b);
  draw_line(p, plus(at, -HALF_LENGTH, item->b), plus(at, HALF_LENGTH, item->b));
  for (int k = -1; k <= 1; k++) {
    const th_vec3 foot = plus(at, 0.6f * (float)k, item->b);
    draw_line(p, foot, plus(foot, -0.12f, left));
  }
}

static void draw_raster(const item_pen *p, const th_trace_item *item) {
  const float w = (float)item->columns, h = (float)item->rows;
  const th_vec3 a = plus(plus(item->a, -0.5f, item->b), -0.5f, item->c), b = plus(a, w, item->b),
                c = plus(b, h, item->c), d = plus(a, h, item->c);
  draw_line(p, a, b);
  draw_line(p, b, c);
  draw_line(p, c, d);
  draw_line(p, d, a);
}

static void draw_item(const item_pen *p, const th_trace_item *item) {
  const th_draw *draw = p->pen->draw;
  switch (item->trace->type) {
    case TH_TRACE_VECTOR:
      draw_arrow(p, item->at, item->a);
      break;
    case TH_TRACE_SEGMENT:
      draw_line(p, item->a, item->b);
      break;
    case TH_TRACE_LINE:
      draw_half_plane(p, item);
      break;
    case TH_TRACE_RASTER:
      draw_raster(p, item);
      break;
    case TH_TRACE_POINT:
      if (draw->disc && is_finite3(item->a))
        draw->disc(draw->user, p->pen->part, plus(item->a, draw->lift, p->up), p->up, 0.1f);
      break;
    case TH_TRACE_SCALAR:
      break;
  }
}

void th_draw_traces(const th_pen *pen) {
  const th_world *world = pen->world;
  const th_traces *traces = world->traces;
  for (uint32_t i = 0; traces && i < traces->capacity; i++) {
    if (!traces->block_of[i]) continue;
    const th_trace_block *b = &traces->block[traces->block_of[i] - 1];
    const uint32_t row = world->row_of[i];
    const th_place place = {world->rows.cell[row], world->rows.x[row], world->rows.y[row]};
    const item_pen p = {pen, th_ground_normal(world->ground, place)};
    for (uint32_t k = 0; k < b->front; k++) draw_item(&p, &b->item[k]);
    for (uint32_t k = 1; k <= b->back; k++) draw_item(&p, &b->item[b->items - k]);
  }
}
