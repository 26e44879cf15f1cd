/* model/steering/people_avoidance.lanes.c - keeps away from people in sight, sixteen agents at a time.
 *
 * The forces of all neighbours that an agent sees are added (people_kernel.h has the force of one). Neighbours come by
 * distance and each lane reads its own. Cost with AVX2 and ten neighbours: about 60 ns per agent.
 */
#include "model/steering/people.h"
#include "model/steering/people_kernel.h"

static inline vm is_set(const int32_t *flag) { return vi_lt(vi_set(0), vi_load(flag)); }

static avoider load(const th_steer_crowd *c, uint32_t i) {
  vf distance = vf_load(c->distance + i), one = vf_set(1.0f);
  return (avoider){.vx = vf_load(c->vx + i),
                   .vy = vf_load(c->vy + i),
                   .a = vf_load(c->a + i),
                   .force = vf_load(c->force + i),
                   .distance = distance,
                   .inverse = vf_div(one, vf_select(vf_lt(vf_zero(), distance), distance, one)),
                   .projection = vf_load(c->projection + i),
                   .soon = vf_load(c->soon + i),
                   .tie = vf_load(c->tie + i),
                   .circumvents = is_set(c->circumvents + i),
                   .slows = is_set(c->slows + i),
                   .hurries = is_set(c->hurries + i)};
}

/* The k-th nearest of each lane; false when no lane sees it. */
static inline bool add_one(const th_steer_crowd *c, const avoider *s, uint32_t i, uint32_t k, push *sum) {
  const th_view *v = c->view;
  const th_neighbours *near = &v->neighbours;
  vm seen = vm_and(vm_from_bits(c->seen[k] >> i), vi_lt(vi_set((int32_t)k), vi_load(c->nearest + i)));
  if (!vm_any(seen)) return false;
  const vi pick = vi_load((const int32_t *)near->pick + k * TH_VIEW_LANES + i);
  const vi at = vi_select(seen, pick, vi_set(0));
  vf r[2] = {vf_sub(vf_gather(near->x, at), vf_load(v->x + i)), vf_sub(vf_gather(near->y, at), vf_load(v->y + i))};
  vf u[2] = {vf_gather(near->vx, at), vf_gather(near->vy, at)};
  vm first = vi_lt(vi_load((const int32_t *)v->slot + i), vi_gather((const int32_t *)near->slot, at));
  push p = avoid_one(s, r, u, first);
  sum->x = vf_add(sum->x, vf_select(seen, p.x, vf_zero()));
  sum->y = vf_add(sum->y, vf_select(seen, p.y, vf_zero()));
  sum->free = vm_andnot(sum->free, vm_andnot(seen, p.free));
  return true;
}

void TH_LANES_NAME(th_steer_avoid)(th_steer_crowd *c) {
  c->free = 0;
  for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
    const avoider s = load(c, i);
    push sum = {vf_zero(), vf_zero(), vf_eq(s.a, s.a)};
    for (uint32_t k = 0; k < c->count; k++) add_one(c, &s, i, k, &sum);
    vf_store(c->fx + i, sum.x);
    vf_store(c->fy + i, sum.y);
    c->free |= vm_bits(sum.free) << i;
  }
}
