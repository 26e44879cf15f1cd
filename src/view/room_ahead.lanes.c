/* view/room_ahead.lanes.c - compares five directions ahead, one agent per lane.
 *
 * Neighbours are sorted by distance, and only the few that are close enough to slow somebody down are looked at. Who is
 * followed matters only in the direction that is taken, so it is found when this is known: the directions that
 * neighbours want to take are read one by one. room_ahead.c says how directions are rated, and why. Cost with
 * AVX-512: about 60 operations per close neighbour and register.
 */
#include "view/room_ahead.h"

#include <math.h>

typedef struct walker {
  vf x, y, radius, reach, pass; /* reach: own radius, and what is walked in a time gap; half width of the strip, of l */
  vf ux[TH_ROOM_DIRECTIONS], uy[TH_ROOM_DIRECTIONS];
  vf any[TH_ROOM_DIRECTIONS]; /* free distance to anybody [m] */
  vm close;                   /* somebody is close */
} walker;

static inline vf dot(vf ax, vf ay, vf bx, vf by) { return vf_add(vf_mul(ax, bx), vf_mul(ay, by)); }
static inline vf det(vf ax, vf ay, vf bx, vf by) { return vf_sub(vf_mul(ax, by), vf_mul(ay, bx)); }

/* Half width of a strip, of l: `pressed` under pressure. */
static inline vf strip(const th_room_lanes *lanes, uint32_t i, float pressed) {
  const vf free = vf_sub(vf_set(1.0f), vf_load(lanes->pressure + i));
  return vf_add(vf_set(pressed), vf_mul(vf_set(TH_ROOM_APART - pressed), free));
}

static inline void begin(const th_room_lanes *lanes, uint32_t i, walker *w) {
  const th_view *view = lanes->view;
  const vf ex = vf_load(lanes->ex + i), ey = vf_load(lanes->ey + i);
  w->close = vf_lt(vf_zero(), vf_zero());
  w->x = vf_load(view->x + i);
  w->y = vf_load(view->y + i);
  w->radius = vf_load(view->radius + i);
  w->reach = vf_add(w->radius, vf_mul(vf_load(view->speed + i), vf_load(view->time_gap + i)));
  w->pass = strip(lanes, i, TH_ROOM_PASSABLE);
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    const vf c = vf_set(th_room_turn_c[k]), s = vf_set(th_room_turn_s[k]);
    w->ux[k] = vf_sub(vf_mul(c, ex), vf_mul(s, ey));
    w->uy[k] = vf_add(vf_mul(s, ex), vf_mul(c, ey));
    w->any[k] = vf_set(INFINITY);
  }
}

/* Close neighbours shorten the free distance in the directions that they block: x is the neighbour's offset, l the sum
 * of both half widths. All this is kept for those who follow. */
static inline void meet(walker *w, const vf x[2], vf l, vm close, float *kept) {
  const vf s = vf_sqrt(dot(x[0], x[1], x[0], x[1])), pass = vf_mul(w->pass, l);
  const vm near = vm_and(close, vf_lt(s, vf_set(TH_ROOM_AHEAD)));
  const vf free = vf_select(near, vf_sub(s, l), vf_set(INFINITY));
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    const vf beside = vf_abs(det(x[0], x[1], w->ux[k], w->uy[k]));
    const vm ahead = vf_lt(vf_zero(), dot(x[0], x[1], w->ux[k], w->uy[k]));
    w->any[k] = vf_select(vm_and(ahead, vf_lt(beside, pass)), vf_min(w->any[k], free), w->any[k]);
  }
  vf_store(kept, free);
  vf_store(kept + TH_VIEW_LANES, x[0]);
  vf_store(kept + 2 * TH_VIEW_LANES, x[1]);
  vf_store(kept + 3 * TH_VIEW_LANES, l);
}

/* Looks at the k-th nearest; false when nobody farther away can be close to any lane. Distances ascend to one part in
 * 10,000. */
static inline bool look_at(th_room_lanes *lanes, uint32_t i, uint32_t k, walker *w) {
  const th_neighbours *near = &lanes->view->neighbours;
  const int32_t *pick = (const int32_t *)near->pick + k * TH_VIEW_LANES + i;
  const vi nobody = vi_set((int32_t)TH_NO_PICK), all = vi_load(pick);
  const vm there = vi_lt(nobody, all);
  const vi at = vi_select(there, all, vi_set(0));
  const vf x[2] = {vf_sub(vf_gather(near->x, at), w->x), vf_sub(vf_gather(near->y, at), w->y)};
  const vf d2 = dot(x[0], x[1], x[0], x[1]), widest = vf_mul(vf_add(w->reach, vf_set(lanes->widest)), vf_set(1.0002f));
  if (!vm_any(vm_and(there, vf_lt(d2, vf_mul(widest, widest))))) return false;
  const vf body = vf_gather(near->radius, at), far = vf_add(w->reach, body);
  const vm close = vm_and(there, vf_lt(d2, vf_mul(far, far)));
  if (vm_any(close))
    meet(w, x, vf_add(w->radius, body), close, lanes->met[k][0] + i);
  else
    vf_store(lanes->met[k][0] + i, vf_set(INFINITY));
  w->close = vm_or(w->close, close);
  return true;
}

/* How fast an agent gets on in each direction, with a small bonus for its heading. */
static inline void weigh(th_room_lanes *lanes, uint32_t i, const walker *w) {
  const th_view *view = lanes->view;
  const vf speed = vf_load(view->speed + i), gap = vf_load(view->time_gap + i);
  const vf hx = vf_load(view->hx + i), hy = vf_load(view->hy + i), zero = vf_zero();
  vf most = vf_set(-INFINITY);
  vi best = vi_set(0);
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    vf worth = vf_mul(vf_set(th_room_turn_c[k]), vf_min(speed, vf_max(zero, vf_div(w->any[k], gap))));
    vf kept = vf_mul(vf_set(TH_ROOM_KEEP), dot(w->ux[k], w->uy[k], hx, hy));
    worth = vf_add(worth, vf_sub(kept, vf_set(k ? TH_ROOM_LEAVE : 0.0f)));
    best = vi_select(vf_lt(most, worth), vi_set(k), best);
    most = vf_max(most, worth);
    vf_store(lanes->worth[k] + i, worth);
  }
  const vm looks = vm_or(w->close, vf_lt(speed, vf_set(TH_ROOM_AT_EASE)));
  lanes->looks |= vm_bits(looks) << i;
  lanes->turning |= vm_bits(vm_and(looks, vi_lt(vi_set(0), best))) << i;
  vi_store(lanes->best + i, best);
}

void TH_LANES_NAME(th_room_compare)(th_room_lanes *lanes) {
  lanes->looks = lanes->turning = 0;
  for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
    walker w;
    uint32_t k = 0;
    begin(lanes, i, &w);
    while (k < lanes->view->neighbours.pick_count && look_at(lanes, i, k, &w)) k++;
    lanes->met_count[i / 4] = k;
    weigh(lanes, i, &w);
  }
}

/* ---------------------------------------------------------------- who is followed */

/* What the neighbours of the lanes in the mask want. */
static inline void read_wishes(const th_room_lanes *lanes, const int32_t *pick, vm mask, vf e[2]) {
  float wx[TH_LANES] = {0}, wy[TH_LANES] = {0};
  for (uint32_t bits = vm_bits(mask); bits; bits &= bits - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctz(bits);
    const th_vec2 wish = th_room_wish(lanes->view, (uint32_t)pick[lane]);
    wx[lane] = wish.x;
    wy[lane] = wish.y;
  }
  e[0] = vf_load(wx);
  e[1] = vf_load(wy);
}

/* Lanes that do not follow the neighbour at x, which wants to go along e. */
static inline vm passes(const th_room_lanes *lanes, uint32_t i, const vf x[2], const vf e[2], vf l) {
  const vf zero = vf_zero(), ex = vf_load(lanes->ex + i), ey = vf_load(lanes->ey + i);
  const vm against = vf_le(dot(e[0], e[1], ex, ey), vf_set(-TH_ROOM_AGAINST));
  const vm stays = vf_eq(dot(e[0], e[1], e[0], e[1]), zero);
  const vm mutual = vm_and(vf_lt(dot(x[0], x[1], e[0], e[1]), zero),
                           vf_lt(vf_abs(det(x[0], x[1], e[0], e[1])), vf_mul(vf_set(TH_ROOM_APART), l)));
  return vm_or(vm_or(against, stays), mutual);
}

/* Free distance to the nearest that is followed along u. Wishes are read only of those who stand in front. */
static inline vf behind(const th_room_lanes *lanes, uint32_t i, vf ux, vf uy) {
  const int32_t *pick = (const int32_t *)lanes->view->neighbours.pick + i;
  const vf width = strip(lanes, i, TH_ROOM_PRESSED);
  vf follow = vf_set(INFINITY);
  for (uint32_t k = 0; k < lanes->met_count[i / 4]; k++) {
    const vf free = vf_load(lanes->met[k][0] + i);
    const vm nearer = vf_lt(free, follow);
    if (!vm_any(nearer)) continue;
    const vf x[2] = {vf_load(lanes->met[k][1] + i), vf_load(lanes->met[k][2] + i)}, l = vf_load(lanes->met[k][3] + i);
    const vm beside = vf_lt(vf_abs(det(x[0], x[1], ux, uy)), vf_mul(width, l));
    const vm front = vm_and(nearer, vm_and(beside, vf_lt(vf_zero(), dot(x[0], x[1], ux, uy))));
    if (!vm_any(front)) continue;
    vf e[2];
    read_wishes(lanes, pick + k * TH_VIEW_LANES, front, e);
    follow = vf_select(vm_andnot(front, passes(lanes, i, x, e, l)), free, follow);
  }
  return follow;
}

void TH_LANES_NAME(th_room_follow)(th_room_lanes *lanes) {
  for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
    const vf follow = behind(lanes, i, vf_load(lanes->ux + i), vf_load(lanes->uy + i));
    const vf speed = vf_load(lanes->view->speed + i), gap = vf_load(lanes->view->time_gap + i);
    vf_store(lanes->follow + i, follow);
    vf_store(lanes->kept + i, vf_min(speed, vf_max(vf_zero(), vf_div(follow, gap))));
  }
}
