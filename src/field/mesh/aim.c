/* field/mesh/aim.c - finds an aim for each face whose gradient leads to no exit.
 *
 * On a ridge the slopes of both faces lead onto it and an agent gets no further; at a vertex it may be that none of the
 * faces around leads away (the known deadlock of walking by face gradients). So such a face leads to its highest
 * corner, where u is higher than anywhere in the face, and round that corner towards the next target: the corner's
 * highest neighbour, or the goal. The faces around the corner are laid out flat between the two, and a turn of more
 * than a quarter is cut, so that the path goes round face by face; so is every turn beside a blocked corner. Cost: some
 * arc tangents, in the few faces that need it.
 */
#include <math.h>

#include "base/trig.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"

#define QUARTER 1.5707963267948966
#define SHARE 0.3 /* of the shortest side: how far beside the corner a face aims when it cannot see the next target */

/* What comes after a corner: in the face of half-edge `half` which leaves the corner, turned by `angle` from it. */
typedef struct target {
  uint32_t half;
  double angle, far;
} target;

static double angle_between(th_point p, th_point q) {
  return th_atan2_double(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y);
}

static th_point along(const th_mesh_frames *f, uint32_t h) {
  return th_minus2d(th_frames_corner(f, th_half_next(h)), th_frames_corner(f, h));
}
static th_point back(const th_mesh_frames *f, uint32_t h) {
  return th_minus2d(th_frames_corner(f, th_half_previous(h)), th_frames_corner(f, h));
}
static double angle_at(const th_mesh_frames *f, uint32_t h) { return angle_between(along(f, h), back(f, h)); }

/* Towards a point of a face around the corner. */
static target towards(const th_mesh_frames *f, uint32_t h, th_point p) {
  th_point d = th_minus2d(p, th_frames_corner(f, h));
  return (target){h, angle_between(along(f, h), d), th_length2d(d)};
}

/* Whether a goal face comes next, for a corner that is goal. */
static bool goal_beside(const th_mesh_field_build *d, uint32_t h, target *found) {
  const th_mesh_frames *f = &d->mesh->frames;
  if (d->spread) {
    if (h / 3 != d->centre.cell) return false;
    *found = towards(f, h, (th_point){(double)d->centre.x, (double)d->centre.y});
    return true;
  }
  if (!d->goal_face[h / 3]) return false;
  th_point a = along(f, h), b = back(f, h);
  *found = (target){h, 0.5 * angle_between(a, b), 0.5 * fmin(th_length2d(a), th_length2d(b))};
  return true;
}

/* What comes after the corner that h leaves. */
static target next_of(const th_mesh_field_build *d, uint32_t h0) {
  const th_mesh *m = &d->mesh->mesh;
  const th_mesh_frames *f = &d->mesh->frames;
  const double *climb = d->field->climb;
  const uint32_t v = m->corner[h0], begin = m->leaving[v];
  const bool goal = d->kind[v] == TH_CELL_PINNED && (!d->spread || v == th_mesh_field_top(d));
  target best = {TH_NO_HALF, 0.0, 0.0};
  double highest = -INFINITY;
  uint32_t h = begin;
  do {
    if (!d->mesh->blocked[h / 3]) {
      if (goal && goal_beside(d, h, &best)) return best;
      double one = climb[th_half_to(m, h)], other = climb[m->corner[th_half_previous(h)]];
      if (one > highest) highest = one, best = (target){h, 0.0, th_length2d(along(f, h))};
      if (other > highest) highest = other, best = (target){h, angle_at(f, h), th_length2d(back(f, h))};
    }
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  return best;
}

/* The angle from the side of the face of h0 to the target, going left or right round the corner; INFINITY when a wall
 * is in the way. */
static double angle_to(const th_mesh_field_build *d, uint32_t h0, target t, bool left) {
  const th_mesh *m = &d->mesh->mesh;
  double sum = 0.0;
  for (uint32_t h = h0;;) {
    h = left ? th_half_left(m, h) : th_half_right(m, h);
    if (h == TH_NO_HALF || h == h0 || d->mesh->blocked[h / 3]) return INFINITY;
    double whole = angle_at(&d->mesh->frames, h);
    if (h == t.half) return sum + (left ? t.angle : whole - t.angle);
    sum += whole;
  }
}

static th_point turned(th_point d, double by, double far) {
  double sine, cosine, scale = far / th_length2d(d);
  th_sincos_double(by, &sine, &cosine);
  return (th_point){scale * (cosine * d.x - sine * d.y), scale * (sine * d.x + cosine * d.y)};
}

/* From beside a corner that bodies cannot reach, such as a jamb, the straight line to what comes next may lead through
 * it; the highest corner is in sight. */
static bool has_blocked_corner(const th_mesh_field_build *d, uint32_t face) {
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)face;
  return d->kind[corner[0]] == TH_CELL_WALL || d->kind[corner[1]] == TH_CELL_WALL || d->kind[corner[2]] == TH_CELL_WALL;
}

th_point th_mesh_field_aim(const th_mesh_field_build *d, uint32_t face) {
  const th_mesh *m = &d->mesh->mesh;
  const th_mesh_frames *f = &d->mesh->frames;
  uint32_t h0 = 3 * face;
  for (uint32_t k = 1; k < 3; k++)
    if (d->field->climb[m->corner[3 * face + k]] > d->field->climb[m->corner[h0]]) h0 = 3 * face + k;
  const th_point c = th_frames_corner(f, h0), a = along(f, h0), b = back(f, h0);
  const target t = next_of(d, h0);
  if (t.half == TH_NO_HALF || t.far == 0.0) return c;
  if (t.half == h0) {
    th_point inside = turned(a, t.angle, t.far);
    return (th_point){c.x + inside.x, c.y + inside.y};
  }
  const double left = angle_to(d, h0, t, true), right = angle_to(d, h0, t, false);
  const double min = fmin(left, right);
  if (!(min < INFINITY)) return c;
  const bool straight = min <= QUARTER && !has_blocked_corner(d, face);
  double far = straight ? t.far : fmin(t.far, SHARE * fmin(th_length2d(a), th_length2d(b)));
  double by = fmin(min, QUARTER);
  th_point beside = left <= right ? turned(b, by, far) : turned(a, -by, far);
  return (th_point){c.x + beside.x, c.y + beside.y};
}
