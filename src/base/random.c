/* base/random.c - random numbers with distributions other than uniform on [0, 1).
 *
 * The normal deviate is Box and Muller's: one draw gives radius and angle of a point of the two-dimensional normal law.
 * It uses our own log and cos, so its bits are the same on every machine. Cost: about 30 ns.
 */
#include "base/random.h"

#include <math.h>

#include "base/explog.h"
#include "base/trig.h"

float th_random_to_range(uint64_t bits, float min, float max) {
  if (!(min < max)) return min;
  double u = th_random_to_double(bits);
  float x = (float)((double)min + u * ((double)max - (double)min));
  return x < max ? x : nextafterf(max, min); /* rounding to float may reach the open end */
}

/* floor(bits * count / 2^64), from two halves so that no 128-bit integer is needed. */
uint32_t th_random_to_below(uint64_t bits, uint32_t count) {
  uint64_t low = (bits & 0xffffffffu) * count, high = (bits >> 32) * count;
  return (uint32_t)((high + (low >> 32)) >> 32);
}

/* n = sqrt(-2 ln a) cos(2 pi b), a in (0, 1], b in [0, 1) */
double th_random_to_normal(uint64_t bits) {
  double a = ((double)(bits >> 32) + 1.0) * 0x1p-32;
  double b = (double)(bits & 0xffffffffu) * 0x1p-32;
  return sqrt(-2.0 * th_log_double(a)) * th_cos_double(6.283185307179586 * b);
}
