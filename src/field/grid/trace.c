/* field/grid/trace.c - the path that a field draws.
 *
 * Steps of half a cell along the direction at the middle of the step (Runge-Kutta 2), so that a curved path does not
 * drift outwards. A step that would enter a blocked cell slides along it. Cost: two samples per step.
 */
#include <math.h>

#include "field/grid/field.h"
#include "field/sample.h"

#define STEPS_PER_CELL 16u /* far above what a path needs; a bound on work, not a tuning */

/* A body may always stay in its cell and always step into a free one; from a blocked cell it may also go on through
 * blocked ones that have an exit. */
static bool may_enter(const th_field *field, uint32_t from, th_vec2 to) {
  uint32_t c = th_field_cell(field, to);
  if (c == from || (field->node[c].code & TH_NODE_FREE)) return true;
  return !(field->node[from].code & TH_NODE_FREE) && (field->node[c].code & TH_NODE_REACHES);
}

th_vec2 th_trace_step(const th_field *field, th_vec2 p, float dx, float dy) {
  uint32_t from = th_field_cell(field, p);
  th_vec2 both = {p.x + dx, p.y + dy}, across = {p.x + dx, p.y}, along = {p.x, p.y + dy};
  bool x_first = fabsf(dx) >= fabsf(dy);
  /* A diagonal step may not squeeze between two blocked cells. */
  bool side = may_enter(field, from, across) || may_enter(field, from, along);
  if (side && may_enter(field, from, both)) return both;
  if (may_enter(field, from, x_first ? across : along)) return x_first ? across : along;
  if (may_enter(field, from, x_first ? along : across)) return x_first ? along : across;
  return p;
}

static th_vec2 advance(const th_field *field, th_vec2 p, float length) {
  th_place here = {0, p.x, p.y};
  th_field_gradient s = th_field_gradient_at(field, here);
  th_vec2 middle = th_trace_step(field, p, 0.5f * length * s.dx, 0.5f * length * s.dy);
  th_field_gradient m = th_field_gradient_at(field, (th_place){0, middle.x, middle.y});
  if (m.dx == 0.0f && m.dy == 0.0f) m = s;
  th_vec2 next = th_trace_step(field, p, length * m.dx, length * m.dy);
  /* Beyond a corner the direction may lead straight into the wall that is still beside p: go to the corner first. */
  return next.x == p.x && next.y == p.y ? middle : next;
}

static void put(const th_field *field, const th_trace_layout *to, uint64_t n, th_vec2 p) {
  if (n >= to->capacity) return;
  if (to->point) to->point[n] = p;
  if (to->place) to->place[n] = (th_place){th_field_cell(field, p), p.x, p.y};
}

uint32_t th_grid_field_trace(const th_field *field, th_place from, const th_trace_layout *to) {
  const uint64_t max = (uint64_t)STEPS_PER_CELL * field->width * field->height;
  th_vec2 p = {from.x, from.y};
  for (uint64_t n = 0; n < max && n < UINT32_MAX; n++) {
    put(field, to, n, p);
    if (field->node[th_field_cell(field, p)].code & TH_NODE_GOAL) return (uint32_t)n + 1;
    p = advance(field, p, 0.5f * field->cell);
  }
  return 0;
}
