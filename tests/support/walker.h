/* tests/support/walker.h - a point that follows a field over a raster, with cells as walls: what tests send over the
 * maps. */
#ifndef TH_TESTS_SUPPORT_WALKER_H
#define TH_TESTS_SUPPORT_WALKER_H

#include "support/raster_grounds.h"
#include "throng/field.h"

typedef struct walk_result {
  bool arrived;
  double length;        /* walked [m] */
  double min_clear;     /* least clearance of the cells passed [m] */
  double sharpest_turn; /* largest change of heading in a step [degrees], beyond 1 cell from walls and goal */
  th_vec2 end;
} walk_result;

typedef struct walk_rule {
  const th_ground *map;
  uint32_t radius_class;
  float step;   /* [cells] */
  uint32_t max; /* steps */
  th_vec2 goal; /* only turns further than `quiet` cells from here count */
  double quiet;
} walk_rule;

static inline bool walk_blocked(const walk_rule *rule, th_vec2 p) {
  return rule->map->flat->blocked[rule->radius_class][th_ground_cell(rule->map, p.x, p.y)];
}

/* One step; slides along the axis with the larger share when the way is blocked. */
static inline th_vec2 walk_step(const walk_rule *rule, th_vec2 p, th_vec2 d) {
  float s = rule->step * rule->map->cell;
  th_vec2 both = {p.x + s * d.x, p.y + s * d.y}, x = {both.x, p.y}, y = {p.x, both.y};
  bool open_x = !walk_blocked(rule, x), open_y = !walk_blocked(rule, y);
  if ((open_x || open_y) && !walk_blocked(rule, both)) return both;
  if (fabsf(d.x) >= fabsf(d.y)) return open_x ? x : open_y ? y : p;
  return open_y ? y : open_x ? x : p;
}

static inline double walk_turn(th_vec2 a, th_vec2 b) {
  return fabs(atan2((double)(a.x * b.y - a.y * b.x), (double)(a.x * b.x + a.y * b.y))) * 57.29577951308232;
}

/* Walks until the field says 0, 0 (arrived when the potential there is 1) or the steps are used up. */
static inline walk_result walk(const walk_rule *rule, const th_field *field, th_vec2 p) {
  walk_result r = {.min_clear = INFINITY};
  th_vec2 last = {0};
  for (uint32_t n = 0; n < rule->max; n++) {
    th_field_gradient s = th_field_gradient_at(field, map_place(rule->map, p));
    double clear = (double)rule->map->flat->clearance[th_ground_cell(rule->map, p.x, p.y)];
    r.min_clear = fmin(r.min_clear, clear);
    r.end = p;
    if (s.dx == 0.0f && s.dy == 0.0f) {
      r.arrived = th_field_potential(field, map_place(rule->map, p)) == 1.0;
      return r;
    }
    th_vec2 d = {s.dx, s.dy};
    double gap = hypot((double)(p.x - rule->goal.x), (double)(p.y - rule->goal.y)) / (double)rule->map->cell;
    if (n > 0 && clear > (double)rule->map->cell && gap > rule->quiet)
      r.sharpest_turn = fmax(r.sharpest_turn, walk_turn(last, d));
    last = d;
    th_vec2 next = walk_step(rule, p, d);
    r.length += hypot((double)(next.x - p.x), (double)(next.y - p.y));
    p = next;
  }
  return r;
}

#endif
