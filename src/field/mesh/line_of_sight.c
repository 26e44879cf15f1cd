/* field/mesh/line_of_sight.c - exact distances around a goal or an explorer.
 *
 * The part of the surface that is visible from the goal is laid out flat face by face: a beam through a side of a face
 * enters the next face, whose far corner cuts the beam in two (the windows of Mitchell, Mount and Papadimitriou 1987,
 * without new sources at vertices). The straight line to a vertex in a beam is a geodesic. Cost: one beam per
 * face near the goal.
 */
#include <math.h>

#include "base/trig.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"

#define DEPTH 256         /* faces in a row: needles are many */
#define MAX_BEAMS 100000u /* a bound on work where everything lies within reach: some 3 ms */
#define ON_SIDE 1e-5      /* a goal this close to a side or corner, in barycentric weights, lies on it */

typedef struct line_of_sight {
  const th_mesh_ground *mesh;
  const th_sight_callbacks *callbacks;
  uint32_t beams; /* still allowed */
} line_of_sight;

/* A beam from `s` through the part from a to b of half-edge h, all in the frame of its face; a lies right. */
typedef struct beam {
  uint32_t half;
  th_point s, a, b;
} beam;

static th_point mapped(const th_edge_map *m, th_point p) {
  return (th_point){m->c * p.x - m->s * p.y + m->tx, m->s * p.x + m->c * p.y + m->ty};
}

/* Distance of s from the segment a b. */
static double distance_to(const beam *b) {
  th_point d = th_minus2d(b->b, b->a), p = th_minus2d(b->s, b->a);
  double square = d.x * d.x + d.y * d.y, t = square > 0.0 ? (d.x * p.x + d.y * p.y) / square : 0.0;
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  return th_hypot_double(p.x - t * d.x, p.y - t * d.y);
}

/* Where the ray from s through p meets the line from c to d. */
static th_point meet(th_point s, th_point p, th_point c, th_point d) {
  th_point ray = th_minus2d(p, s), side = th_minus2d(d, c);
  double bottom = th_cross2d(side, ray);
  if (bottom == 0.0) return c;
  double t = th_cross2d(th_minus2d(s, c), ray) / bottom;
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  return (th_point){c.x + t * side.x, c.y + t * side.y};
}

static void look(line_of_sight *l, beam from, uint32_t depth) {
  const th_mesh_ground *s = l->mesh;
  const uint32_t g = s->mesh.twin[from.half];
  if (depth == 0 || g == TH_NO_HALF || s->blocked[g / 3]) return;
  const double distance = distance_to(&from);
  if (distance > l->callbacks->reach || l->beams == 0) return;
  l->beams--;
  const th_edge_map *map = &s->frames.edge[from.half];
  const th_point o = mapped(map, from.s), a = mapped(map, from.a), b = mapped(map, from.b);
  const uint32_t right = th_half_next(g), left = th_half_previous(g);
  const th_point far = th_frames_corner(&s->frames, left), end_right = th_frames_corner(&s->frames, right),
                 end_left = th_frames_corner(&s->frames, g), to = th_minus2d(far, o);
  const bool beyond_right = th_cross2d(th_minus2d(a, o), to) < 0.0,
             beyond_left = th_cross2d(to, th_minus2d(b, o)) < 0.0;
  l->callbacks->face(l->callbacks->user, g / 3, o, distance);
  if (!beyond_right && !beyond_left)
    l->callbacks->vertex(l->callbacks->user, s->mesh.corner[left], th_hypot_double(to.x, to.y));
  /* Side `right` runs from the right end of the beam's side to the far corner, `left` from there to the left end. */
  if (!beyond_right) {
    th_point until = beyond_left ? meet(o, b, end_right, far) : far;
    look(l, (beam){right, o, meet(o, a, end_right, far), until}, depth - 1);
  }
  if (!beyond_left) {
    th_point since = beyond_right ? meet(o, a, far, end_left) : far;
    look(l, (beam){left, o, since, meet(o, b, far, end_left)}, depth - 1);
  }
}

/* From a face that holds the goal at s; no beam leaves through a side that the goal lies on. Barycentric weights decide
 * this, not distances: in a sliver all sides are near. */
static void look_around(line_of_sight *l, uint32_t face, th_point s) {
  const th_mesh_ground *mesh_ground = l->mesh;
  double weight[3];
  if (mesh_ground->blocked[face]) return;
  l->callbacks->face(l->callbacks->user, face, s, 0.0);
  th_frames_weights(&mesh_ground->frames, face, s, weight);
  for (uint32_t h = 3 * face; h < 3 * face + 3; h++) {
    th_point a = th_frames_corner(&mesh_ground->frames, h), b = th_frames_corner(&mesh_ground->frames, th_half_next(h));
    l->callbacks->vertex(l->callbacks->user, mesh_ground->mesh.corner[h], th_hypot_double(a.x - s.x, a.y - s.y));
    if (weight[(h + 2) % 3] >= ON_SIDE) look(l, (beam){h, s, a, b}, DEPTH);
  }
}

/* A goal on a side or a corner of its face lies in the other faces there as well. */
bool th_sight_from_place(const th_mesh_ground *s, th_place centre, const th_sight_callbacks *callbacks,
                         uint32_t beams) {
  line_of_sight l = {s, callbacks, beams};
  const uint32_t cell = centre.cell;
  const th_point p = {(double)centre.x, (double)centre.y};
  double weight[3];
  th_frames_weights(&s->frames, cell, p, weight);
  for (uint32_t h = 3 * cell; h < 3 * cell + 3; h++) {
    if (weight[h % 3] <= 1.0 - ON_SIDE) continue;
    uint32_t begin = s->mesh.leaving[s->mesh.corner[h]], g = begin;
    do {
      look_around(&l, g / 3, th_frames_corner(&s->frames, g));
      g = th_half_left(&s->mesh, g);
    } while (g != TH_NO_HALF && g != begin);
    return l.beams > 0;
  }
  look_around(&l, cell, p);
  for (uint32_t h = 3 * cell; h < 3 * cell + 3; h++)
    if (weight[(h + 2) % 3] < ON_SIDE && s->mesh.twin[h] != TH_NO_HALF)
      look_around(&l, s->mesh.twin[h] / 3, mapped(&s->frames.edge[h], p));
  return l.beams > 0;
}

void th_sight_from_goal(const th_mesh_field_build *build, const th_sight_callbacks *callbacks) {
  (void)th_sight_from_place(build->mesh, build->centre, callbacks, MAX_BEAMS);
}
