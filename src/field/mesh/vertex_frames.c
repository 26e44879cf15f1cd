/* field/mesh/vertex_frames.c - one frame at each vertex, and how the faces around it are turned against it.
 *
 * The angles around a vertex are stretched to sum to 2 pi, as in geodesic polar coordinates (Polthier and Schmies 1998;
 * Knoeppel et al. 2013), so that vectors of all faces around it can be added. A face is turned such that its bisector
 * at the vertex points along the stretched angle. At a border nothing is stretched. Cost: one arc tangent per
 * half-edge, once per mesh.
 */
#include <math.h>

#include "base/trig.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"

/* Direction of h, and of the half-edge before it turned round, in their face's frame. */
static void sides(const th_mesh_frames *frames, uint32_t h, th_point *out, th_point *back) {
  th_point a = th_frames_corner(frames, h), b = th_frames_corner(frames, th_half_next(h)),
           c = th_frames_corner(frames, th_half_previous(h));
  *out = (th_point){b.x - a.x, b.y - a.y};
  *back = (th_point){c.x - a.x, c.y - a.y};
}

/* Rotation by the angle `to` from the bisector of p and q. */
static void turn_to(double to, th_point p, th_point q, float *turn) {
  double one = 1.0 / sqrt(p.x * p.x + p.y * p.y), other = 1.0 / sqrt(q.x * q.x + q.y * q.y), sine, cosine;
  double x = one * p.x + other * q.x, y = one * p.y + other * q.y, scale = x * x + y * y;
  scale = scale > 0.0 ? 1.0 / sqrt(scale) : 0.0;
  th_sincos_double(to, &sine, &cosine);
  turn[0] = (float)(scale * (cosine * x + sine * y));
  turn[1] = (float)(scale * (sine * x - cosine * y));
}

/* The angles are kept in `turn` between the two rounds. */
static void turn_vertex(const th_mesh_ground *s, uint32_t v, float *turn) {
  const th_mesh *m = &s->mesh;
  const uint32_t begin = m->leaving[v];
  double total = 0.0, before = 0.0;
  uint32_t h = begin;
  th_point p, q;
  do {
    sides(&s->frames, h, &p, &q);
    turn[2 * (size_t)h] = (float)th_atan2_double(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y);
    total += (double)turn[2 * (size_t)h];
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  const double stretch = h == TH_NO_HALF ? 1.0 : TH_TURN / total;
  h = begin;
  do {
    const double angle = (double)turn[2 * (size_t)h];
    sides(&s->frames, h, &p, &q);
    turn_to(stretch * (before + 0.5 * angle), p, q, turn + 2 * (size_t)h);
    before += angle;
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
}

void th_mesh_vertex_frames_fill(const th_mesh_ground *mesh_ground, float *turn) {
  for (uint32_t v = 0; v < mesh_ground->mesh.vertex_count; v++) turn_vertex(mesh_ground, v, turn);
}
