/* model/steering/people_kernel.h - what one person in sight does to an agent, one agent per lane.
 *
 * Written in the operations of base/simd/simd.h, and compiled for one lane by the tests. With r the offset of the
 * other, v and u the two velocities, D the wanted distance, P the look-ahead:
 *
 *   repulsion       -r/|r| F max(0, D - |r|)/D
 *   speed change    where the half-lines along v and u cross at S, after t_A and t_B; g = distance of the two at
 *                   t = min(t_A, t_B). If g < D and t < P, the later one slows down by q, the earlier one speeds up by
 *                   3 q, q = (P - t_A)/P (D - g)/D
 *   circumvention   if there was no speed change: first t <= P at which they are closer than D, w = offset of the other
 *                   then. Turns away from its side with 2 F K1 max(K2, K3): how soon, how close, how much ahead
 *
 * All are computed and blended. (Popelova 2011, 3.2, with the repairs .) Cost: about 100 operations.
 */
#ifndef TH_MODEL_STEERING_PEOPLE_KERNEL_H
#define TH_MODEL_STEERING_PEOPLE_KERNEL_H

#include "base/simd/plane.h"

#define TH_ATAN_0 -0x1.5553d2p-2f /* (atan z - z) / z^3 on 0 to tan(pi / 8), fitted: error 5e-9 */
#define TH_ATAN_1 0x1.990616p-3f
#define TH_ATAN_2 -0x1.1b1f1ep-3f
#define TH_ATAN_3 0x1.43ab60p-4f

/* The agents, and one of their neighbours each. */
typedef struct avoider {
  vf vx, vy, a, force, distance, inverse, projection, soon, tie; /* inverse: 1 / distance */
  vm circumvents, slows, hurries;
} avoider;

typedef struct push {
  vf x, y;
  vm free; /* it neither repels nor slows down */
} push;

static inline vf clamp01(vf x) { return vf_min(vf_max(x, vf_zero()), vf_set(1.0f)); }

/* atan(y / x) of two lengths, in units of a right angle; 0 when both are 0. */
static inline vf share_of_right_angle(vf y, vf x) {
  vf large = vf_max(x, y), z = vf_div(vf_min(x, y), vf_select(vf_lt(vf_zero(), large), large, vf_set(1.0f)));
  vm steep = vf_lt(vf_set(0.41421356f), z);
  vf b = vf_select(steep, vf_div(vf_sub(z, vf_set(1.0f)), vf_add(z, vf_set(1.0f))), z), b2 = vf_mul(b, b);
  vf p = vf_add(vf_set(TH_ATAN_2), vf_mul(b2, vf_set(TH_ATAN_3)));
  p = vf_add(vf_set(TH_ATAN_0), vf_mul(b2, vf_add(vf_set(TH_ATAN_1), vf_mul(b2, p))));
  vf angle = vf_add(b, vf_mul(vf_mul(b, b2), p));
  angle = vf_mul(angle, vf_set(0.63661977f));
  angle = vf_select(steep, vf_add(angle, vf_set(0.5f)), angle);
  return vf_select(vf_lt(x, y), vf_sub(vf_set(1.0f), angle), angle);
}

/* The share q of the velocity by which the agent speeds up (3 q) or slows down (-q); 0 where there is no crossing. */
static inline vf speed_change(const avoider *s, const vf r[2], const vf u[2]) {
  const vf zero = vf_zero(), one = vf_set(1.0f);
  vf den = vf_cross(s->vx, s->vy, u[0], u[1]);
  vm cross = vm_or(vf_lt(den, zero), vf_lt(zero, den));
  vf inverse = vf_div(one, vf_select(cross, den, one));
  vf ta = vf_mul(vf_cross(r[0], r[1], u[0], u[1]), inverse), tb = vf_mul(vf_cross(r[0], r[1], s->vx, s->vy), inverse);
  vf t = vf_min(ta, tb);
  vf x = vf_add(r[0], vf_mul(vf_sub(u[0], s->vx), t)), y = vf_add(r[1], vf_mul(vf_sub(u[1], s->vy), t));
  vf g = vf_sqrt(vf_dot(x, y, x, y));
  vm active = vm_and(vm_and(cross, vf_le(zero, t)), vm_and(vf_lt(g, s->distance), vf_lt(t, s->projection)));
  vm earlier = vf_lt(ta, tb), later = vf_lt(tb, ta);
  vm even = vm_andnot(vm_andnot(active, earlier), later), drawn = vf_lt(zero, s->tie);
  vm hurry = vm_and(s->hurries, vm_or(earlier, vm_and(even, vm_or(drawn, vm_andnot(even, s->slows)))));
  vm slow = vm_andnot(vm_and(s->slows, vm_or(later, even)), hurry);
  vf q = vf_mul(vf_div(vf_sub(s->projection, ta), s->projection), vf_mul(vf_sub(s->distance, g), s->inverse));
  q = vf_select(active, clamp01(q), zero);
  return vf_select(hurry, vf_mul(vf_set(3.0f), q), vf_select(slow, vf_sub(zero, q), zero));
}

/* Size of the turn, positive to the left; 0 where nobody will come too near. */
static inline vf circumvent(const avoider *s, const vf r[2], const vf u[2], vf r2) {
  const vf zero = vf_zero(), one = vf_set(1.0f);
  vf wx = vf_sub(u[0], s->vx), wy = vf_sub(u[1], s->vy), w2 = vf_dot(wx, wy, wx, wy), rw = vf_dot(r[0], r[1], wx, wy);
  vf root = vf_sub(vf_mul(rw, rw), vf_mul(w2, vf_sub(r2, vf_mul(s->distance, s->distance))));
  vm inside = vf_lt(r2, vf_mul(s->distance, s->distance));
  vm meets = vm_and(vf_lt(rw, zero), vf_lt(zero, root));
  vf t = vf_div(vf_sub(vf_sub(zero, rw), vf_sqrt(vf_max(root, zero))), vf_select(vf_lt(zero, w2), w2, one));
  t = vf_select(inside, zero, t);
  vm valid = vm_and(vm_or(inside, meets), vf_le(t, s->projection));
  vf x = vf_add(r[0], vf_mul(wx, t)), y = vf_add(r[1], vf_mul(wy, t)), d = vf_sqrt(vf_dot(x, y, x, y));
  vf k1 = vf_select(vf_lt(s->soon, zero), one, clamp01(vf_mul(vf_sub(s->projection, t), s->soon)));
  vf k2 = vf_max(vf_mul(vf_sub(s->distance, d), s->inverse), zero);
  vf ahead = vf_dot(s->vx, s->vy, x, y), side = vf_cross(s->vx, s->vy, x, y);
  vf k3 = share_of_right_angle(vf_max(ahead, zero), vf_max(side, vf_sub(zero, side)));
  vf size = vf_mul(vf_mul(vf_set(2.0f), s->force), vf_mul(k1, vf_max(k2, k3)));
  vf turn = vf_select(vf_lt(zero, side), vf_sub(zero, size), vf_select(vf_lt(side, zero), size, vf_mul(size, s->tie)));
  return vf_select(vm_and(valid, s->circumvents), turn, zero);
}

/* The force of one neighbour that is seen. `first`: the agent's slot is lower, which decides for two at one place. */
static inline push avoid_one(const avoider *s, const vf r[2], const vf u[2], vm first) {
  const vf zero = vf_zero(), one = vf_set(1.0f);
  vf r2 = vf_dot(r[0], r[1], r[0], r[1]), d = vf_sqrt(r2);
  vf gap = vf_max(vf_sub(s->distance, d), zero), size = vf_mul(vf_mul(s->force, gap), s->inverse);
  vm apart = vf_lt(zero, d);
  vf k = vf_div(size, vf_select(apart, d, one));
  vf x = vf_select(apart, vf_sub(zero, vf_mul(r[0], k)), vf_select(first, size, vf_sub(zero, size)));
  vf y = vf_select(apart, vf_sub(zero, vf_mul(r[1], k)), zero);
  vf q = speed_change(s, r, u), by = vf_mul(q, s->a);
  vm changes = vm_or(vf_lt(q, zero), vf_lt(zero, q));
  vf v2 = vf_dot(s->vx, s->vy, s->vx, s->vy);
  vm moves = vf_lt(zero, v2);
  vf turn = vf_select(vm_andnot(moves, changes), circumvent(s, r, u, r2), zero);
  turn = vf_div(turn, vf_sqrt(vf_select(moves, v2, one)));
  x = vf_add(x, vf_sub(vf_mul(by, s->vx), vf_mul(turn, s->vy)));
  y = vf_add(y, vf_add(vf_mul(by, s->vy), vf_mul(turn, s->vx)));
  return (push){x, y, vm_andnot(vf_le(zero, q), vf_lt(zero, size))};
}

#endif
