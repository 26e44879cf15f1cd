/* base/trig.h - sin, cos and atan2 with the same bits on every machine.
 *
 * Only + - * / and bit operations (see base/exp_log.h). Arguments up to 1024 rad are reduced by pi/2 in four pieces
 * (Cody and Waite, 1980), so short that products with the quadrant number are exact; larger ones take a slow path with
 * as many bits of 2/pi as they need (Payne and Hanek, 1983). Measured errors: sin, cos 1.5 ulp, atan2 0.5 ulp; in
 * double 0.8 and 1.8 ulp. Cost: about 5 ns for both sin and cos, 1 ns per lane.
 */
#ifndef TH_BASE_TRIG_H
#define TH_BASE_TRIG_H

#include "base/exp_log.h"

#define TH_PI 3.14159265358979323846
#define TH_TURN 6.283185307179586477   /* [rad] */
#define TH_DEGREE 0.017453292519943295 /* [rad] */
#define TH_DEGREES 57.29577951308232   /* of a radian */

#define TH_TRIG_MAX 1024.0f
#define TH_TWO_OVER_PI 0x1.45f306p-1f
/* Down to 2^-13, then 2^-24, so that the first two differences are exact; each product with up to 652 quadrants is. */
#define TH_HALF_PI_1 0x1.9218p+0f
#define TH_HALF_PI_2 0x1.ed4p-14f
#define TH_HALF_PI_3 0x1.1108p-26f
#define TH_HALF_PI_4 0x1.a308d4p-41f

/* (sin r - r) / r^3 and (cos r - 1 + z/2) / z^2, z = r^2, on |r| <= pi/4 */
#define TH_SIN_0 -0x1.555552p-3f
#define TH_SIN_1 0x1.110c24p-7f
#define TH_SIN_2 -0x1.9ac6fcp-13f
#define TH_COS_0 0x1.555554p-5f
#define TH_COS_1 -0x1.6c12cep-10f
#define TH_COS_2 0x1.9bd67p-16f

/* Any argument; used beyond TH_TRIG_MAX. Infinite and NaN arguments give NaN. */
void th_sincosf_large(float x, float *sine, float *cosine);

static inline void th_sincosf(float x, float *sine, float *cosine) {
  if (!(x <= TH_TRIG_MAX && x >= -TH_TRIG_MAX)) {
    th_sincosf_large(x, sine, cosine);
    return;
  }
  float shifted = x * TH_TWO_OVER_PI + TH_ROUNDER, k = shifted - TH_ROUNDER;
  float r = (((x - k * TH_HALF_PI_1) - k * TH_HALF_PI_2) - k * TH_HALF_PI_3) - k * TH_HALF_PI_4;
  float z = r * r;
  float s = r + r * z * (TH_SIN_0 + z * (TH_SIN_1 + z * TH_SIN_2));
  float c = 1.0f - (0.5f * z - z * z * (TH_COS_0 + z * (TH_COS_1 + z * TH_COS_2)));
  uint32_t quadrant = th_bits_of_float(shifted); /* sin and cos swap in odd ones; signs: + + - - and + - - + */
  uint32_t sine_sign = (quadrant << 30) & 0x80000000u, cosine_sign = ((quadrant + 1u) << 30) & 0x80000000u;
  *sine = th_float_of_bits(th_bits_of_float(quadrant & 1u ? c : s) ^ sine_sign);
  *cosine = th_float_of_bits(th_bits_of_float(quadrant & 1u ? s : c) ^ cosine_sign);
}

static inline float th_sinf(float x) {
  float s, c;
  th_sincosf(x, &s, &c);
  return s;
}

static inline float th_cosf(float x) {
  float s, c;
  th_sincosf(x, &s, &c);
  return c;
}

void th_sincos_double(double x, double *sine, double *cosine);
double th_sin_double(double x);
double th_cos_double(double x);

/* Angle of (x, y) in [-pi, pi]; 0 for (0, 0) with either sign of x, carrying the sign of y. */
/* Length of (x, y); the squares neither overflow nor underflow. Not for infinite arguments. */
static inline double th_hypot_double(double x, double y) {
  double a = fabs(x), b = fabs(y), max = a > b ? a : b, min = a > b ? b : a;
  if (max == 0.0) return 0.0;
  double t = min / max;
  return max * sqrt(1.0 + t * t);
}

double th_atan2_double(double y, double x);
float th_atan2f(float y, float x);

#endif
