/* model/orca/half_plane.h - the velocities that avoid one neighbour, one agent per lane.
 *
 * Half-planes of van den Berg et al. 2011. All cases (cut-off disc, legs, overlap) are computed and blended, so each
 * lane performs exactly the operations of scalar.c. Cost with AVX2: about 100 operations per neighbour and register.
 */
#ifndef TH_MODEL_ORCA_HALF_PLANE_H
#define TH_MODEL_ORCA_HALF_PLANE_H

#include "base/simd/plane.h"
#include "model/orca/solve.h"
#include "view/view.h"

/* A point and a unit direction; the left side is permitted. */
typedef struct line {
  vf px, py, dx, dy;
} line;

static inline line no_line(void) { return (line){vf_zero(), vf_zero(), vf_zero(), vf_zero()}; }

static inline line choose_line(vm m, line yes, line no) {
  return (line){vf_select(m, yes.px, no.px), vf_select(m, yes.py, no.py), vf_select(m, yes.dx, no.dx),
                vf_select(m, yes.dy, no.dy)};
}

typedef struct self {
  vf x, y, vx, vy, radius, share, ux, uy, inverse_horizon, reach2;
  vi neighbours, slot;
  vf side;        /* 1 = turns right, -1 = left */
  vm either;      /* turns to the side on which a neighbour passes anyway */
  vf turn;        /* out: how directly a neighbour blocks the path, 0 to 1; negative: to the other side */
  vf widest;      /* largest radius of any neighbour; set only for agents in a crush */
  uint32_t first; /* lane of the view */
  bool even;      /* all shares around are the same */
} self;

/* The nearest point of the cut-off disc's rim, or of the disc that ends an overlap within a step:
 *   w = v_rel - x / time,  u = (r / time - |w|) w / |w|,  direction = w / |w| turned right */
static inline line disc_line(vf wx, vf wy, vf length, vf reach) {
  vf k = vf_div(vf_set(1.0f), length), nx = vf_mul(wx, k), ny = vf_mul(wy, k), depth = vf_sub(reach, length);
  return (line){vf_mul(depth, nx), vf_mul(depth, ny), ny, vf_negate(nx)};
}

/* The nearest point of a leg, left when x turns left to w:
 *   direction = +-(x L -+ y r, y L +- x r) / |x|^2,  L^2 = |x|^2 - r^2,  u = (v_rel . direction) direction - v_rel */
static inline line leg_line(const vf x[2], vf d2, vf r, const vf rel[2], vm left) {
  vf leg = vf_sqrt(vf_max(vf_sub(d2, vf_mul(r, r)), vf_zero())), k = vf_div(vf_set(1.0f), d2);
  vf side = vf_select(left, r, vf_negate(r)), sign = vf_select(left, k, vf_negate(k));
  vf dx = vf_mul(vf_sub(vf_mul(x[0], leg), vf_mul(x[1], side)), sign);
  vf dy = vf_mul(vf_add(vf_mul(x[1], leg), vf_mul(x[0], side)), sign), along = vf_dot(rel[0], rel[1], dx, dy);
  return (line){vf_sub(vf_mul(along, dx), rel[0]), vf_sub(vf_mul(along, dy), rel[1]), dx, dy};
}

/* ---- neighbours: each lane reads its own */

/* share / sum of shares; a half each when both are 0 */
static inline vf part_of(const self *s, const th_lane_bodies *other) {
  vf sum = vf_add(s->share, vf_load(other->share + s->first));
  return vf_select(vf_lt(vf_zero(), sum), vf_div(s->share, sum), vf_set(0.5f));
}

/* How directly the neighbour blocks the path: 1 on the line of the wanted direction, 0 beside it; less for an agent
 * with priority. People at ease turn away from it, to their side only where
 * it is straight ahead: both reckon alike. In a crowd all keep to one side, for otherwise opposed streams lock. */
static inline void note_standoff(self *s, const vf x[2], vf r, const vf v[2], vf part, vm valid) {
  const vf lateral = vf_cross(s->ux, s->uy, x[0], x[1]), past = vf_mul(r, vf_set(-TH_ORCA_IN_LINE));
  vf band = vf_mul(r, vf_set(TH_ORCA_BESIDE)), off = vf_abs(lateral);
  vm ahead = vf_lt(vf_zero(), vf_dot(s->ux, s->uy, x[0], x[1]));
  vm against = vf_lt(vf_dot(s->ux, s->uy, v[0], v[1]), vf_set(TH_ORCA_ALONG));
  vm in_the_way = vm_and(vm_and(ahead, against), vm_and(valid, vf_lt(off, band)));
  vf turn = vf_sub(vf_set(1.0f), vf_div(off, band));
  turn = vf_mul(turn, vf_min(vf_mul(vf_set(2.0f), part), vf_set(1.0f)));
  const vm most = vm_and(in_the_way, vf_lt(vf_abs(s->turn), turn));
  const vm other_side = vm_and(s->either, vf_lt(vf_mul(lateral, s->side), past));
  s->turn = vf_select(most, vf_select(other_side, vf_negate(turn), turn), s->turn);
}

static inline const int32_t *picks_of(const self *s, const th_neighbours *near, uint32_t k) {
  return (const int32_t *)near->pick + k * TH_VIEW_LANES + s->first;
}

/* Two bodies at the same point with the same velocity have no w: they separate along x, the lower slot to the left. */
static inline vf parting(const self *s, const th_neighbours *near, uint32_t k, vm stuck, vf *wx, vf *wy) {
  const vi pick = vi_load(picks_of(s, near, k)),
           at = vi_select(vi_eq(pick, vi_set((int32_t)TH_NO_PICK)), vi_set(0), pick);
  const vm lower = vi_lt(s->slot, vi_gather((const int32_t *)near->slot, at));
  *wx = vf_select(stuck, vf_select(lower, vf_set(-1e-6f), vf_set(1e-6f)), *wx);
  *wy = vf_select(stuck, vf_zero(), *wy);
  return vf_set(1e-6f);
}

static inline vm anybody(const int32_t *pick) { return vi_lt(vi_set((int32_t)TH_NO_PICK), vi_load(pick)); }

/* The k-th nearest neighbour of each lane, x = its position relative to the agent; returns the lanes that avoid it. */
static inline vm pick_one(const self *s, const th_orca_batch *b, uint32_t k, vf x[2]) {
  const th_neighbours *near = &b->view->neighbours;
  vm valid = vm_and(vi_lt(vi_set((int32_t)k), s->neighbours), anybody(picks_of(s, near, k)));
  x[0] = vf_sub(vf_load(b->body[k].x + s->first), s->x);
  x[1] = vf_sub(vf_load(b->body[k].y + s->first), s->y);
  return vm_and(valid, vf_le(vf_dot(x[0], x[1], x[0], x[1]), s->reach2));
}

/* True when no lane has a k-th or later neighbour: the limit may be larger than the number of agents nearby. */
static inline bool ends_at(const self *s, const th_neighbours *near, uint32_t k) {
  return k >= near->pick_count || !vm_any(anybody(picks_of(s, near, k)));
}

/* False when no lane has that neighbour. */
static inline bool half_plane(self *s, const th_orca_batch *b, uint32_t k, line *out) {
  const th_lane_bodies *other = &b->body[k];
  vf x[2];
  vm valid = pick_one(s, b, k, x);
  if (!vm_any(valid)) return false;
  vf v[2] = {vf_load(other->vx + s->first), vf_load(other->vy + s->first)};
  vf r = vf_add(s->radius, vf_load(other->radius + s->first));
  vf rel[2] = {vf_sub(s->vx, v[0]), vf_sub(s->vy, v[1])}, r2 = vf_mul(r, r), d2 = vf_dot(x[0], x[1], x[0], x[1]);
  vf part = s->even ? vf_set(0.5f) : part_of(s, other);
  note_standoff(s, x, r, v, part, valid);

  vm apart = vf_lt(r2, d2);
  vf rate = vf_select(apart, s->inverse_horizon, vf_set(b->inverse_dt)); /* 1 / time */
  vf wx = vf_sub(rel[0], vf_mul(x[0], rate)), wy = vf_sub(rel[1], vf_mul(x[1], rate));
  vf w2 = vf_dot(wx, wy, wx, wy), back = vf_dot(wx, wy, x[0], x[1]), length = vf_sqrt(w2);
  vm at_disc = vm_and(vf_lt(back, vf_zero()), vf_lt(vf_mul(r2, w2), vf_mul(back, back)));
  vm leg = vm_andnot(apart, at_disc), stuck = vm_andnot(vf_lt(length, vf_set(1e-6f)), leg);
  if (vm_any(stuck)) length = vf_select(stuck, parting(s, &b->view->neighbours, k, stuck, &wx, &wy), length);
  line u = disc_line(wx, wy, length, vf_mul(r, rate));
  if (vm_any(leg)) u = choose_line(leg, leg_line(x, d2, r, rel, vf_lt(vf_zero(), vf_cross(x[0], x[1], wx, wy))), u);
  if (!s->even) /* with no collision ahead: the part of the gap that is left to use up */
    part = vf_select(vf_lt(vf_zero(), vf_cross(u.dx, u.dy, u.px, u.py)), part, vf_sub(vf_set(1.0f), part));
  u.px = vf_add(s->vx, vf_mul(part, u.px));
  u.py = vf_add(s->vy, vf_mul(part, u.py));
  *out = choose_line(valid, u, no_line());
  return true;
}

/* Nearly always all shares are the same; then each agent takes a half and no share is read. */
static bool even_shares(const th_neighbours *near) {
  if (!near->count) return true;
  const vf first = vf_set(near->share[0]);
  vm same = vf_eq(first, first);
  uint32_t i = 0;
  for (; i + TH_LANES <= near->count; i += TH_LANES) same = vm_and(same, vf_eq(vf_load(near->share + i), first));
  bool even = vm_all(same);
  for (; even && i < near->count; i++) even = near->share[i] == near->share[0];
  return even;
}

#endif
