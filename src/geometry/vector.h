/* geometry/vector.h - vectors of the plane and of space, once for all layers.
 *
 * The digit of a name is the dimension, a d behind it means double: th_dot2 takes th_vec2, th_dot3 th_vec3, th_dot2d
 * th_point, th_dot3d three doubles in an array. Sums are taken from left to right without fused operations, so results
 * have the same bits on every machine. Results in arrays come last and may be one of the operands. Cost: inline.
 */
#ifndef TH_GEOMETRY_VECTOR_H
#define TH_GEOMETRY_VECTOR_H

#include <math.h>

#include "throng/base.h"

/* A point or vector of the plane in double precision. */
typedef struct th_point {
  double x, y;
} th_point;

/* ---------------------------------------------------------------- numbers */

/* Of two equal ones, or when one is not a number, the second. */
static inline float th_min(float a, float b) { return a < b ? a : b; }
static inline float th_max(float a, float b) { return a > b ? a : b; }
static inline uint32_t th_min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t th_max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline float th_clamp(float a, float min, float max) { return a < min ? min : a > max ? max : a; }

/* Which of `count` bins of length 1 holds a coordinate; before and beyond them the first and the last. */
static inline uint32_t th_bin(float at, uint32_t count) {
  return at > 0.0f ? (at < (float)count ? (uint32_t)at : count - 1) : 0;
}
static inline uint32_t th_bin_double(double at, uint32_t count) {
  return at > 0.0 ? (at < (double)count ? (uint32_t)at : count - 1) : 0;
}

/* ---------------------------------------------------------------- plane, float */

static inline float th_dot2(th_vec2 a, th_vec2 b) { return a.x * b.x + a.y * b.y; }
static inline float th_cross2(th_vec2 a, th_vec2 b) { return a.x * b.y - a.y * b.x; }
static inline th_vec2 th_minus2(th_vec2 a, th_vec2 b) { return (th_vec2){a.x - b.x, a.y - b.y}; }
static inline th_vec2 th_plus2(th_vec2 a, th_vec2 b) { return (th_vec2){a.x + b.x, a.y + b.y}; }
static inline th_vec2 th_scaled2(th_vec2 a, float k) { return (th_vec2){a.x * k, a.y * k}; }
static inline float th_length2(th_vec2 a) { return sqrtf(th_dot2(a, a)); }
static inline th_vec2 th_left2(th_vec2 a) { return (th_vec2){-a.y, a.x}; }
static inline th_vec2 th_right2(th_vec2 a) { return (th_vec2){a.y, -a.x}; }

/* A null vector stays. */
static inline th_vec2 th_unit2(th_vec2 a) {
  const float length = th_length2(a);
  return length > 0.0f ? (th_vec2){a.x / length, a.y / length} : (th_vec2){0.0f, 0.0f};
}

/* a and k times d more. */
static inline th_vec2 th_along2(th_vec2 a, float k, th_vec2 d) { return (th_vec2){a.x + k * d.x, a.y + k * d.y}; }

/* Turned by the angle of that cosine and sine. */
static inline th_vec2 th_turned2(th_vec2 a, float c, float s) {
  return (th_vec2){c * a.x - s * a.y, s * a.x + c * a.y};
}

/* A vector as a turned frame has it, and back. */
static inline th_vec2 th_inward2(th_vec2 a, th_turn frame) { return th_turned2(a, frame.c, -frame.s); }
static inline th_vec2 th_outward2(th_vec2 a, th_turn frame) { return th_turned2(a, frame.c, frame.s); }

/* ---------------------------------------------------------------- plane, double */

static inline double th_dot2d(th_point a, th_point b) { return a.x * b.x + a.y * b.y; }
static inline double th_cross2d(th_point a, th_point b) { return a.x * b.y - a.y * b.x; }
static inline th_point th_minus2d(th_point a, th_point b) { return (th_point){a.x - b.x, a.y - b.y}; }
static inline double th_length2d(th_point a) { return sqrt(th_dot2d(a, a)); }

static inline th_point th_turned2d(th_point a, double c, double s) {
  return (th_point){c * a.x - s * a.y, s * a.x + c * a.y};
}

/* A null vector stays. */
static inline th_point th_unit2d(th_point a) {
  const double length = th_length2d(a);
  return length > 0.0 ? (th_point){a.x / length, a.y / length} : a;
}

/* The same point rounded to float; volatile, so that no compiler keeps the unrounded one. */
static inline th_point th_rounded2d(th_point a) {
  volatile float x = (float)a.x, y = (float)a.y;
  return (th_point){(double)x, (double)y};
}

/* ---------------------------------------------------------------- space, float */

static inline float th_dot3(th_vec3 a, th_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double th_dot3_double(th_vec3 a, th_vec3 b) {
  return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}
static inline th_vec3 th_minus3(th_vec3 a, th_vec3 b) { return (th_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline th_vec3 th_scaled3(th_vec3 a, float k) { return (th_vec3){a.x * k, a.y * k, a.z * k}; }
static inline float th_length3(th_vec3 a) { return sqrtf(th_dot3(a, a)); }

static inline th_vec3 th_cross3(th_vec3 a, th_vec3 b) {
  return (th_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline bool th_finite3(th_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/* ---------------------------------------------------------------- space, double */

static inline double th_dot3d(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline double th_length3d(const double *a) { return sqrt(th_dot3d(a, a)); }

static inline void th_minus3d(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static inline void th_cross3d(const double *a, const double *b, double *out) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x, out[1] = y, out[2] = z;
}

/* Of the triangle a, b, c counter-clockwise; as long as twice its area. */
static inline void th_normal3d(const double *a, const double *b, const double *c, double *out) {
  double u[3], v[3];
  th_minus3d(b, a, u);
  th_minus3d(c, a, v);
  th_cross3d(u, v, out);
}

static inline double th_distance3d(const double *a, const double *b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

/* Makes it a unit vector and returns the length before; a null vector stays. */
static inline double th_unit3d(double *a) {
  const double length = th_length3d(a);
  for (int k = 0; k < 3 && length > 0.0; k++) a[k] /= length;
  return length;
}

#endif
