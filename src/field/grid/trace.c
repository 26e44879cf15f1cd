/* field/grid/trace.c - the path that a field draws.
 *
 * Steps of half a cell along the direction at the middle of the step (Runge-Kutta 2), so that a curved path does not
 * drift outwards. A step that would enter a blocked cell slides along it. Cost: two samples per step.
 */
#include <math.h>

#include "base/memory.h"
#include "field/grid/field.h"
#include "field/mesh/field.h"

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

/* Where a path is written to: points or places, as far as they fit. */
typedef struct layout {
  th_vec2 *point;
  th_place *place;
  uint32_t capacity;
} layout;

static void put(const th_field *field, const layout *to, uint64_t n, th_vec2 p) {
  if (n >= to->capacity) return;
  if (to->point) to->point[n] = p;
  if (to->place) to->place[n] = (th_place){th_field_cell(field, p), p.x, p.y};
}

static uint32_t trace_flat(const th_field *field, th_place from, const layout *to) {
  const uint64_t max = (uint64_t)STEPS_PER_CELL * field->width * field->height;
  th_vec2 p = {from.x, from.y};
  for (uint64_t n = 0; n < max && n < UINT32_MAX; n++) {
    put(field, to, n, p);
    if (field->node[th_field_cell(field, p)].code & TH_NODE_GOAL) return (uint32_t)n + 1;
    p = advance(field, p, 0.5f * field->cell);
  }
  return 0;
}

/* A path on a mesh seen from above. */
static uint32_t trace_above(const th_field *field, th_place from, th_vec2 *point, uint32_t capacity) {
  uint32_t count = th_mesh_field_trace(field, from, NULL, 0);
  const th_allocator *allocator = &field->env.allocator;
  th_place *place = capacity > 0 && count > 0 ? TH_TAKE(allocator, th_place, count) : NULL;
  if (!place) return capacity > 0 ? 0 : count;
  th_mesh_field_trace(field, from, place, count);
  for (uint32_t n = 0; n < count && n < capacity; n++) {
    th_vec3 p = th_ground_point(field->mesh->ground, place[n]);
    point[n] = (th_vec2){p.x, p.y};
  }
  TH_GIVE(allocator, place, count);
  return count;
}

uint32_t th_field_trace(const th_field *field, th_place from, th_vec2 *point, uint32_t capacity) {
  if (!th_field_reaches(field, from)) return 0;
  if (field->mesh) return trace_above(field, from, point, capacity);
  return trace_flat(field, from, &(layout){point, NULL, capacity});
}

uint32_t th_field_trace_places(const th_field *field, th_place from, th_place *place, uint32_t capacity) {
  if (!th_field_reaches(field, from)) return 0;
  if (field->mesh) return th_mesh_field_trace(field, from, place, capacity);
  return trace_flat(field, from, &(layout){NULL, place, capacity});
}

void th_field_smooth_places(const th_field *field, th_place *place, uint32_t count, uint32_t rounds) {
  if (field->mesh) th_mesh_field_smooth(field, place, count, rounds);
}
