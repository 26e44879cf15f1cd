/* field/mesh/trace.c - the path that a field draws on a mesh.
 *
 * u is linear in each face, so a path is straight there: it goes from border to border along the slope. Where two
 * slopes lead onto their common edge it follows the edge to its higher end; at a vertex it takes the steepest of the
 * faces around whose slope leads into them and of the edges that rise. Every vertex but the goal's has a higher
 * neighbour (climb.c), so u rises along every piece of the path and the path ends at the goal. Place n lies in the face
 * that the path crosses next. Cost: about 0.1 us per face.
 */
#include <math.h>

#include "base/exp_log.h"
#include "base/memory.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"

#define AT_END 1e-9       /* share of a side within which a point is the corner */
#define PIECES_A_FACE 16u /* far above what a path needs; a bound on work, not a tuning */
#define MAX_NATS 600.0    /* a larger rise counts as this */

typedef enum stand { INSIDE, ON_SIDE, AT_VERTEX } stand;

typedef struct tracer {
  const th_mesh_field *field;
  const th_mesh_ground *mesh;
  stand stand;
  uint32_t half; /* ON_SIDE: the side of the face; AT_VERTEX: it leaves the vertex */
  uint32_t face;
  th_point p;
  th_place *place;
  uint32_t capacity, count;
} tracer;

static th_point corner_of(const tracer *t, uint32_t h) { return th_frames_corner(&t->mesh->frames, h); }
static uint32_t vertex_of(const tracer *t, uint32_t h) { return t->mesh->mesh.corner[h]; }
static double climb_of(const tracer *t, uint32_t v) { return t->field->climb[v]; }

static void put(tracer *t) {
  if (t->count < t->capacity) t->place[t->count] = (th_place){t->face, (float)t->p.x, (float)t->p.y};
  t->count++;
}

/* The difference of `value` to `base`, in units of u(base); for distances the plain difference. */
static double rise(const tracer *t, double base, double value) {
  double more = value - base;
  return t->field->geodesic ? more : th_expm1_double(fmin(more, MAX_NATS));
}

/* Slope of a face in units of u at `base`; zero where the goal cannot be reached. */
static th_point slope_of(const tracer *t, uint32_t face, double base) {
  const uint32_t *corner = t->mesh->mesh.corner + 3 * (size_t)face;
  const th_face_frame *f = &t->mesh->frames.face[face];
  double value[3], low = INFINITY;
  for (int k = 0; k < 3; k++)
    if (climb_of(t, corner[k]) > -INFINITY) low = fmin(low, climb_of(t, corner[k]));
  if (low == INFINITY) return (th_point){0.0, 0.0};
  for (int k = 0; k < 3; k++) {
    double climb = climb_of(t, corner[k]);
    value[k] = rise(t, base, t->field->geodesic ? fmax(climb, low) : climb);
  }
  double x = (value[1] - value[0]) / f->bx;
  return (th_point){x, (value[2] - value[0] - x * f->cx) / f->cy};
}

static double top_of(const tracer *t, uint32_t face) {
  const uint32_t *corner = t->mesh->mesh.corner + 3 * (size_t)face;
  return fmax(climb_of(t, corner[0]), fmax(climb_of(t, corner[1]), climb_of(t, corner[2])));
}

static bool is_wall(const tracer *t, uint32_t h) {
  uint32_t twin = t->mesh->mesh.twin[h];
  return twin == TH_NO_HALF || t->mesh->blocked[twin / 3];
}

/* Steps onto side h of the face, at share s of it, or onto its end. */
static void step_to(tracer *t, uint32_t h, double s) {
  th_point a = corner_of(t, h), b = corner_of(t, th_half_next(h));
  if (s < AT_END || s > 1.0 - AT_END) {
    t->half = s < 0.5 ? h : th_half_next(h);
    t->p = corner_of(t, t->half);
    t->stand = AT_VERTEX;
    return;
  }
  t->half = h;
  t->p = (th_point){a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
  t->stand = ON_SIDE;
}

/* Share of side h at which the line from p along d meets it. */
static double meet(const tracer *t, uint32_t h, th_point d) {
  th_point a = corner_of(t, h), side = th_minus2d(corner_of(t, th_half_next(h)), a);
  double bottom = th_cross2d(side, d), s = bottom != 0.0 ? th_cross2d(th_minus2d(t->p, a), d) / bottom : 0.0;
  return s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
}

/* From inside the face: the first side ahead. */
static void leave_inside(tracer *t, th_point d) {
  uint32_t best = 3 * t->face;
  double min = INFINITY;
  for (uint32_t h = 3 * t->face; h < 3 * t->face + 3; h++) {
    th_point a = corner_of(t, h), side = th_minus2d(corner_of(t, th_half_next(h)), a);
    double out = th_cross2d(d, side); /* > 0: leads out over this side */
    if (!(out > 0.0)) continue;
    double far = fmax(th_cross2d(th_minus2d(a, t->p), side) / out, 0.0);
    if (far < min) min = far, best = h;
  }
  step_to(t, best, meet(t, best, d));
}

/* From side h into the face: out left or right of the corner opposite. */
static void cross_from_side(tracer *t, th_point d) {
  uint32_t right = th_half_next(t->half), left = th_half_previous(t->half);
  uint32_t out = th_cross2d(d, th_minus2d(corner_of(t, left), t->p)) > 0.0 ? right : left;
  step_to(t, out, meet(t, out, d));
}

/* To the other side of the edge. */
static void change_face(tracer *t) {
  const th_edge_map *m = &t->mesh->frames.edge[t->half];
  t->p = (th_point){m->c * t->p.x - m->s * t->p.y + m->tx, m->s * t->p.x + m->c * t->p.y + m->ty};
  t->half = t->mesh->mesh.twin[t->half];
  t->face = t->half / 3;
}

/* How steeply the slope of the face of h leads into it from side h; <= 0: it does not. */
static double steepness(const tracer *t, uint32_t h, double base, th_point *slope) {
  th_point side = th_minus2d(corner_of(t, th_half_next(h)), corner_of(t, h));
  *slope = slope_of(t, h / 3, base);
  return th_cross2d(side, *slope) > 0.0 ? th_length2d(*slope) : 0.0;
}

static void go_from_side(tracer *t) {
  const uint32_t h = t->half, twin = t->mesh->mesh.twin[h];
  const double base = fmax(top_of(t, h / 3), is_wall(t, h) ? -INFINITY : top_of(t, twin / 3));
  th_point own, across = {0.0, 0.0};
  double here = steepness(t, h, base, &own), there = is_wall(t, h) ? 0.0 : steepness(t, twin, base, &across);
  if (here <= 0.0 && there <= 0.0) { /* a ridge: to its higher end */
    bool back = climb_of(t, vertex_of(t, h)) > climb_of(t, vertex_of(t, th_half_next(h)));
    put(t);
    step_to(t, h, back ? 0.0 : 1.0);
    return;
  }
  if (there > here) change_face(t);
  put(t);
  cross_from_side(t, there > here ? across : own);
}

/* The steepest path from a vertex: over the face of `half` along `slope`, or along the edge of `half` (back: the one
 * that ends in the vertex). */
typedef struct departure {
  double steep;
  uint32_t half;
  bool edge, back;
  th_point slope;
} departure;

static void try_edge(const tracer *t, uint32_t h, bool back, departure *best) {
  uint32_t from = back ? th_half_previous(h) : h, v = vertex_of(t, h),
           other = vertex_of(t, back ? from : th_half_next(h));
  if (!(climb_of(t, other) > climb_of(t, v))) return;
  double far = th_length2d(th_minus2d(corner_of(t, th_half_next(from)), corner_of(t, from)));
  double steep = rise(t, climb_of(t, v), climb_of(t, other)) / far;
  if (steep > best->steep) *best = (departure){steep, h, true, back, {0.0, 0.0}};
}

static void try_face(const tracer *t, uint32_t h, departure *best) {
  th_point slope = slope_of(t, h / 3, climb_of(t, vertex_of(t, h)));
  th_point a = th_minus2d(corner_of(t, th_half_next(h)), corner_of(t, h));
  th_point b = th_minus2d(corner_of(t, th_half_previous(h)), corner_of(t, h));
  double steep = th_length2d(slope);
  if (th_cross2d(a, slope) > 0.0 && th_cross2d(slope, b) > 0.0 && steep > best->steep)
    *best = (departure){steep, h, false, false, slope};
}

/* False when nothing leads on. */
static bool go_from_vertex(tracer *t) {
  const th_mesh *m = &t->mesh->mesh;
  const uint32_t begin = m->leaving[vertex_of(t, t->half)];
  departure best = {0.0, TH_NO_HALF, false, false, {0.0, 0.0}};
  uint32_t h = begin;
  do {
    if (!t->mesh->blocked[h / 3]) {
      try_face(t, h, &best);
      try_edge(t, h, false, &best);
      try_edge(t, h, true, &best);
    }
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  if (best.half == TH_NO_HALF) return false;
  t->face = best.half / 3;
  t->p = corner_of(t, best.half);
  put(t);
  if (best.edge) {
    step_to(t, best.back ? th_half_previous(best.half) : best.half, best.back ? 0.0 : 1.0);
  } else {
    uint32_t opposite = th_half_next(best.half);
    step_to(t, opposite, meet(t, opposite, best.slope));
  }
  return true;
}

static void put_goal(tracer *t) {
  t->face = t->field->goal.cell;
  t->p = (th_point){(double)t->field->goal.x, (double)t->field->goal.y};
  put(t);
}

/* At the highest corner of the goal's face: into that face, and straight to the goal. */
static void end_at_top(tracer *t) {
  const uint32_t v = vertex_of(t, t->half), cell = t->field->goal.cell;
  for (uint32_t h = 3 * cell; h < 3 * cell + 3; h++) {
    if (vertex_of(t, h) != v) continue;
    t->face = cell;
    t->p = corner_of(t, h);
    put(t);
  }
  put_goal(t);
}

/* True when the path has ended; the last place is written. */
static bool at_goal(tracer *t) {
  const int32_t code = t->field->node[t->face].code;
  if (code & TH_NODE_GOAL) return put(t), true;
  if ((code & TH_FACE_CENTRE) && t->field->node[t->face].left[0] == 0.0f) { /* it holds the goal */
    put(t);
    if (t->face != t->field->goal.cell || !(t->field->goal.x == (float)t->p.x && t->field->goal.y == (float)t->p.y))
      put_goal(t);
    return true;
  }
  if (t->stand != AT_VERTEX) return false;
  const uint32_t v = vertex_of(t, t->half);
  if (v == t->field->top) return end_at_top(t), true;
  return t->field->top == TH_NO_ELEMENT && t->field->left[v] == 0.0 ? (put(t), true) : false;
}

static bool advance(tracer *t) {
  if (t->stand == AT_VERTEX) return go_from_vertex(t);
  if (t->stand == ON_SIDE) return go_from_side(t), true;
  th_point slope = slope_of(t, t->face, top_of(t, t->face));
  put(t);
  if (slope.x == 0.0 && slope.y == 0.0)
    step_to(t, 3 * t->face, 0.0); /* all corners are equal: a path leads on from one of them */
  else
    leave_inside(t, slope);
  return true;
}

static uint32_t trace(const th_field *field, th_place from, th_place *place, uint32_t capacity) {
  const th_mesh_ground *s = field->mesh->ground->mesh;
  tracer t = {.field = field->mesh, .mesh = s, .face = from.cell, .place = place, .capacity = capacity};
  t.p = (th_point){(double)from.x, (double)from.y};
  const uint64_t max = PIECES_A_FACE * (uint64_t)s->mesh.face_count + 64;
  for (uint64_t n = 0; n < max; n++) {
    if (at_goal(&t)) return t.count;
    if (!advance(&t)) return 0;
  }
  return 0;
}

/* Points are the places seen from above. */
uint32_t th_mesh_trace_to(const th_field *field, th_mesh_trace path, th_place from, const th_trace_layout *to) {
  if (!to->point) return path(field, from, to->place, to->capacity);
  const th_allocator *allocator = &field->env.allocator;
  uint32_t count = path(field, from, NULL, 0);
  th_place *place = to->capacity > 0 && count > 0 ? TH_TAKE(allocator, th_place, count) : NULL;
  if (!place) return to->capacity > 0 ? 0 : count;
  path(field, from, place, count);
  for (uint32_t n = 0; n < count && n < to->capacity; n++) {
    th_vec3 p = th_ground_point(field->mesh->ground, place[n]);
    to->point[n] = (th_vec2){p.x, p.y};
  }
  TH_GIVE(allocator, place, count);
  return count;
}

uint32_t th_mesh_field_trace(const th_field *field, th_place from, const th_trace_layout *to) {
  return th_mesh_trace_to(field, trace, from, to);
}
