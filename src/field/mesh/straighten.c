/* field/mesh/straighten.c - pulls a path on a mesh straight without leaving its faces.
 *
 * Each point on an edge moves to where the straight line between the points before and after it, laid out flat over the
 * two faces, crosses that edge: the path gets shorter with every move and keeps its sequence of faces, so it stays on
 * the surface and on the same side of every obstacle (the relaxation step of geodesics by shortening, cf. Martinez,
 * Velho and Carvalho 2005). A point never comes closer to a blocked end of its edge than it was. Cost: about 50 ns per
 * point and round.
 */
#include <math.h>

#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"

#define OFF_END 1e-3 /* share of an edge by which points keep off its ends, unless they were closer */
#define ON_EDGE 1e-4 /* share of an edge within which a point lies on it */

typedef struct strip {
  const th_field *field;
  const th_mesh_ground *mesh;
} strip;

static th_point at(th_place p) { return (th_point){(double)p.x, (double)p.y}; }

static th_point mapped(const strip *s, uint32_t h, th_point p) {
  const th_edge_map *m = &s->mesh->frames.edge[h];
  return (th_point){m->c * p.x - m->s * p.y + m->tx, m->s * p.x + m->c * p.y + m->ty};
}

/* The side of face `from` towards face `to` on which p lies (in the frame of `to`); TH_NO_HALF when there is none. */
static uint32_t side_between(const strip *s, uint32_t from, th_place p, double *share) {
  for (uint32_t h = 3 * from; h < 3 * from + 3; h++) {
    uint32_t twin = s->mesh->mesh.twin[h];
    if (twin == TH_NO_HALF || twin / 3 != p.cell) continue;
    th_point a = th_frames_corner(&s->mesh->frames, twin);
    th_point side = th_minus2d(th_frames_corner(&s->mesh->frames, th_half_next(twin)), a), d = th_minus2d(at(p), a);
    double square = th_dot2d(side, side);
    *share = th_dot2d(side, d) / square;
    if (fabs(th_cross2d(side, d)) <= ON_EDGE * square) return h;
  }
  return TH_NO_HALF;
}

static bool blocked(const strip *s, uint32_t v) {
  return s->mesh->on_wall[v] || (s->field->mesh->climb && s->field->mesh->climb[v] < -1e8);
}

/* The range of a point on the side that it came over, given its present place. */
static double limited(const strip *s, uint32_t half, double was, double wanted) {
  double low = fmin(OFF_END, was), high = fmax(1.0 - OFF_END, was);
  if (blocked(s, s->mesh->mesh.corner[half])) low = was;
  if (blocked(s, s->mesh->mesh.corner[th_half_next(half)])) high = was;
  return wanted < low ? low : wanted > high ? high : wanted;
}

/* Moves place[1] between its neighbours; all of it happens in the frame of its face. */
static void pull(const strip *s, th_place *place) {
  double share, beyond;
  uint32_t in = side_between(s, place[0].cell, place[1], &share);
  if (in == TH_NO_HALF || place[0].cell == place[1].cell || share <= 0.0 || share >= 1.0) return;
  th_point before = mapped(s, in, at(place[0])), after = at(place[2]);
  if (place[2].cell != place[1].cell) {
    uint32_t out = side_between(s, place[1].cell, place[2], &beyond);
    if (out == TH_NO_HALF) return;
    after = mapped(s, s->mesh->mesh.twin[out], after);
  }
  const uint32_t half = s->mesh->mesh.twin[in];
  th_point a = th_frames_corner(&s->mesh->frames, half);
  th_point side = th_minus2d(th_frames_corner(&s->mesh->frames, th_half_next(half)), a),
           chord = th_minus2d(after, before);
  double bottom = th_cross2d(side, chord);
  if (bottom == 0.0) return;
  share = limited(s, half, share, th_cross2d(th_minus2d(before, a), chord) / bottom);
  place[1].x = (float)(a.x + share * side.x);
  place[1].y = (float)(a.y + share * side.y);
}

void th_mesh_field_straighten(const th_field *field, th_place *place, uint32_t count, uint32_t rounds) {
  const strip s = {field, field->mesh->ground->mesh};
  for (uint32_t round = 0; round < rounds; round++)
    for (uint32_t n = 1; n + 1 < count; n++) pull(&s, place + n - 1);
}
