/* view/rays.lanes.c - rays of sixteen agents against the walls of their view, and which neighbours they see.
 *
 * A ray o + t d meets the wall from a to a + e at
 *
 *   t = cross(a - o, e) / cross(d, e),   s = cross(a - o, d) / cross(d, e),   0 <= s <= 1,  0 <= t < length
 *
 * The rays of an agent start at one place, so cross(a - o, e) is computed once for all of them. Sight needs no
 * division: both fractions are compared by multiplying with the divisor. A view has few walls, so each is tested. Cost
 * with AVX2: about 0.15 ns per ray and wall of an agent.
 */
#include "view/rays.h"

typedef struct nearest_wall {
  vf t;
  vi wall;
} nearest_wall;

static inline vf cross(vf ax, vf ay, vf bx, vf by) { return vf_sub(vf_mul(ax, by), vf_mul(ay, bx)); }

/* The normal of the wall that was met, on the side of the ray's start; 0, 0 without one. */
static void normal_of(const th_view *view, const nearest_wall *met, th_rays *r, uint32_t i) {
  const float *end = &view->wall[0].ax;
  const vm none = vi_lt(met->wall, vi_set(0));
  const vi at = vi_shl(vi_select(none, vi_set(0), met->wall), 2);
  vf ex = vf_sub(vf_gather(end, vi_add(at, vi_set(2))), vf_gather(end, at));
  vf ey = vf_sub(vf_gather(end, vi_add(at, vi_set(3))), vf_gather(end, vi_add(at, vi_set(1))));
  vf k = vf_div(vf_set(1.0f), vf_sqrt(vf_add(vf_mul(ex, ex), vf_mul(ey, ey))));
  vm left = vf_lt(vf_zero(), cross(vf_load(r->dx + i), vf_load(r->dy + i), ex, ey));
  k = vf_select(none, vf_zero(), vf_select(left, k, vf_negate(k)));
  vf_store(r->nx + i, vf_select(none, vf_zero(), vf_mul(vf_negate(ey), k)));
  vf_store(r->ny + i, vf_select(none, vf_zero(), vf_mul(ex, k)));
}

/* Casts one ray of each lane in the register that begins at lane i. */
static void cast(const th_view *view, th_rays *r, uint32_t i) {
  const vf ox = vf_load(view->x + i), oy = vf_load(view->y + i), dx = vf_load(r->dx + i), dy = vf_load(r->dy + i);
  const vf zero = vf_zero(), one = vf_set(1.0f);
  nearest_wall met = {vf_load(r->length + i), vi_set(-1)};
  for (uint32_t n = 0; n < view->wall_count; n++) {
    const th_segment *w = &view->wall[n];
    vf rx = vf_sub(vf_set(w->ax), ox), ry = vf_sub(vf_set(w->ay), oy);
    vf ex = vf_set(w->bx - w->ax), ey = vf_set(w->by - w->ay);
    vf inverse = vf_div(one, cross(dx, dy, ex, ey));
    vf t = vf_mul(cross(rx, ry, ex, ey), inverse), s = vf_mul(cross(rx, ry, dx, dy), inverse);
    vm hit = vm_and(vm_and(vf_le(zero, s), vf_le(s, one)), vm_and(vf_le(zero, t), vf_lt(t, met.t)));
    met.t = vf_select(hit, t, met.t);
    met.wall = vi_select(hit, vi_set((int32_t)n), met.wall);
  }
  vf_store(r->free + i, met.t);
  normal_of(view, &met, r, i);
}

void TH_LANES_NAME(th_rays_cast)(const th_view *view, th_rays *rays, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) cast(view, &rays[k], i);
}

/* Lanes between whose places and the points (x, y) away from them a wall stands. */
static inline vm hidden_at(const th_view *view, uint32_t i, vf x, vf y) {
  const vf ox = vf_load(view->x + i), oy = vf_load(view->y + i), zero = vf_zero();
  vm hidden = vf_lt(zero, zero);
  for (uint32_t n = 0; n < view->wall_count; n++) {
    const th_segment *w = &view->wall[n];
    vf rx = vf_sub(vf_set(w->ax), ox), ry = vf_sub(vf_set(w->ay), oy);
    vf ex = vf_set(w->bx - w->ax), ey = vf_set(w->by - w->ay), slope = cross(x, y, ex, ey);
    vf t = vf_mul(cross(rx, ry, ex, ey), slope), s = vf_mul(cross(rx, ry, x, y), slope), whole = vf_mul(slope, slope);
    vm across = vm_and(vm_and(vf_le(zero, s), vf_le(s, whole)), vm_and(vf_le(zero, t), vf_lt(t, whole)));
    hidden = vm_or(hidden, across);
  }
  return hidden;
}

void TH_LANES_NAME(th_rays_visible)(const th_view *view, const float *range, uint32_t *seen) {
  const th_neighbours *near = &view->neighbours;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    seen[k] = 0;
    for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
      const vi pick = vi_load((const int32_t *)near->pick + k * TH_VIEW_LANES + i);
      vm there = vi_lt(vi_set((int32_t)TH_NO_PICK), pick);
      if (!vm_any(there)) continue;
      const vi at = vi_select(there, pick, vi_set(0));
      const vf far = vf_load(range + i);
      vf x = vf_sub(vf_gather(near->x, at), vf_load(view->x + i));
      vf y = vf_sub(vf_gather(near->y, at), vf_load(view->y + i));
      there = vm_and(there, vf_le(vf_add(vf_mul(x, x), vf_mul(y, y)), vf_mul(far, far)));
      seen[k] |= vm_bits(vm_andnot(there, hidden_at(view, i, x, y))) << i;
    }
  }
}
