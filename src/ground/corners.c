/* ground/corners.c - the corners of a path.
 *
 * From a corner the path is followed as long as a body comes to it on a straight line: the number of places ahead is
 * doubled until the walk fails, then halved, so that a path of n places with k corners takes about k log n walks. Where
 * a straight line must begin is known by unfolding the path into the plane of its first face: every piece is measured
 * in axes that are carried along, turned from face to face by the smallest rotation of one normal into the other, which
 * is what unfolding over a common edge does. So flat and mesh ground need no cases. A body is not asked to keep more
 * distance from walls than the path keeps. Cost: O(n log n) places and some microseconds per walk.
 */
#include <math.h>

#include "geometry/vector.h"
#include "ground/walk.h"

#define STRIDE 1.0f     /* longest piece of a walk [m] */
#define NEAR_FLAT 0.001 /* how far from its corner a straight line may end [m] */
#define NEAR_MESH 0.25  /* the same in mean edges */

static void set3(double out[3], th_vec3 p) { out[0] = (double)p.x, out[1] = (double)p.y, out[2] = (double)p.z; }

/* Turns a vector by the smallest rotation of unit vector `from` into `to` (Rodrigues). Opposite ones: as it is. */
static void carry(const double from[3], const double to[3], double vector[3]) {
  double axis[3], cross[3];
  const double cosine = th_dot3d(from, to);
  if (cosine < -0.999999) return;
  th_cross3d(from, to, axis);
  const double along = th_dot3d(axis, vector) / (1.0 + cosine);
  th_cross3d(axis, vector, cross);
  for (int k = 0; k < 3; k++) vector[k] = cosine * vector[k] + cross[k] + along * axis[k];
}

/* The path from its first place to the last, unfolded into the frame of the first. `room`: the least distance to a wall
 * on it [m]. */
static th_vec2 unfold(const th_ground *ground, const th_place *place, uint32_t count, float *room) {
  double axis[2][3], normal[3], next[3], p[3], q[3], sum[2] = {0.0, 0.0};
  set3(axis[0], th_ground_to_space(ground, place[0], (th_vec2){1.0f, 0.0f}));
  set3(axis[1], th_ground_to_space(ground, place[0], (th_vec2){0.0f, 1.0f}));
  set3(normal, th_ground_normal(ground, place[0]));
  set3(p, th_ground_point(ground, place[0]));
  *room = th_ground_clearance_at(ground, place[0]);
  for (uint32_t i = 1; i < count; i++) {
    double step[3];
    set3(q, th_ground_point(ground, place[i]));
    th_minus3d(q, p, step);
    for (int k = 0; k < 2; k++) sum[k] += th_dot3d(step, axis[k]);
    set3(next, th_ground_normal(ground, place[i]));
    for (int k = 0; k < 2; k++) carry(normal, next, axis[k]);
    for (int k = 0; k < 3; k++) p[k] = q[k], normal[k] = next[k];
    *room = fminf(*room, th_ground_clearance_at(ground, place[i]));
  }
  return (th_vec2){(float)sum[0], (float)sum[1]};
}

/* True when a body walks straight from the first place to the last and meets no wall. */
static bool is_straight(const th_ground *ground, const th_place *place, uint32_t count, float radius) {
  float room;
  const th_vec2 vector = unfold(ground, place, count, &room);
  const float body = fmaxf(0.0f, fminf(radius, room - 2.0f * TH_WALK_SKIN));
  const float length = th_length2(vector), parts = ceilf(length / STRIDE);
  th_place at = place[0];
  th_turn turn = {1.0f, 0.0f};
  for (float k = 0.0f; k < parts; k += 1.0f) {
    const th_vec2 piece = th_turned2(th_scaled2(vector, 1.0f / parts), turn.c, turn.s);
    if (th_ground_walk(ground, &at, piece, body, &turn)) return false;
  }
  double p[3], q[3];
  set3(p, th_ground_point(ground, at));
  set3(q, th_ground_point(ground, place[count - 1]));
  return th_distance3d(p, q) <= (th_ground_mesh(ground) ? NEAR_MESH * (double)ground->cell : NEAR_FLAT);
}

/* Twice as far, but once at the last place before the end. */
static uint32_t farther(uint32_t far, uint32_t count) {
  const uint32_t last = count - 1;
  if (far == last) return count;
  return 2 * far <= count ? 2 * far : last;
}

/* How many places ahead of the first the next corner lies. */
static uint32_t ahead(const th_ground *ground, const th_place *place, uint32_t count, float radius) {
  uint32_t good = 1, bad = count;
  for (uint32_t far = 2; far < count; far = farther(far, count)) {
    if (!is_straight(ground, place, far + 1, radius)) {
      bad = far;
      break;
    }
    good = far;
  }
  while (bad - good > 1) {
    const uint32_t middle = good + (bad - good) / 2;
    if (is_straight(ground, place, middle + 1, radius))
      good = middle;
    else
      bad = middle;
  }
  return good;
}

uint32_t th_ground_corners(const th_ground *ground, th_place *place, uint32_t count, float radius) {
  uint32_t kept = count ? 1 : 0;
  for (uint32_t i = 0; i + 1 < count;) {
    i += ahead(ground, place + i, count - i, radius);
    place[kept++] = place[i];
  }
  return kept;
}
