/* view/room_ahead.lanes.c - compares five directions ahead, one agent per lane.
 *
 * Neighbours are sorted by distance, and only the few that are close enough to slow somebody down are looked at. The
 * directions that they want to take are read one by one. room_ahead.c says how directions are rated, and why. Cost with
 * AVX-512: about 90 operations per close neighbour and register.
 */
#include "view/room_ahead.h"

#include <math.h>

typedef struct walker {
  vf x, y, radius, reach;  /* reach: own radius, and what is walked in a time gap */
  vf ex, ey, follow, pass; /* wanted direction; half widths of the strips, of l */
  vf ux[TH_ROOM_DIRECTIONS], uy[TH_ROOM_DIRECTIONS];
  vf behind[TH_ROOM_DIRECTIONS],
      any[TH_ROOM_DIRECTIONS]; /* free distance to agents that are followed, and to anybody [m] */
  vm close;                    /* somebody is close */
} walker;

static inline vf dot(vf ax, vf ay, vf bx, vf by) { return vf_add(vf_mul(ax, bx), vf_mul(ay, by)); }
static inline vf det(vf ax, vf ay, vf bx, vf by) { return vf_sub(vf_mul(ax, by), vf_mul(ay, bx)); }

static inline vm none(void) { return vf_lt(vf_zero(), vf_zero()); }

static inline void begin(const th_room_lanes *lanes, uint32_t i, walker *w) {
  const th_view *view = lanes->view;
  const vf free = vf_sub(vf_set(1.0f), vf_load(lanes->pressure + i)), far = vf_set(INFINITY);
  w->close = none();
  w->x = vf_load(view->x + i);
  w->y = vf_load(view->y + i);
  w->radius = vf_load(view->radius + i);
  w->reach = vf_add(w->radius, vf_mul(vf_load(view->speed + i), vf_load(view->time_gap + i)));
  w->ex = vf_load(lanes->ex + i);
  w->ey = vf_load(lanes->ey + i);
  w->follow = vf_add(vf_set(TH_ROOM_PRESSED), vf_mul(vf_set(TH_ROOM_APART - TH_ROOM_PRESSED), free));
  w->pass = vf_add(vf_set(TH_ROOM_PASSABLE), vf_mul(vf_set(TH_ROOM_APART - TH_ROOM_PASSABLE), free));
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    const vf c = vf_set(th_room_turn_c[k]), s = vf_set(th_room_turn_s[k]);
    w->ux[k] = vf_sub(vf_mul(c, w->ex), vf_mul(s, w->ey));
    w->uy[k] = vf_add(vf_mul(s, w->ex), vf_mul(c, w->ey));
    w->behind[k] = w->any[k] = far;
  }
}

/* What the neighbours of the lanes in the mask want. */
static inline void read_wishes(const th_room_lanes *lanes, const int32_t *pick, vm mask, vf *x, vf *y) {
  float wx[TH_LANES] = {0}, wy[TH_LANES] = {0};
  for (uint32_t bits = vm_bits(mask); bits; bits &= bits - 1) {
    const uint32_t lane = (uint32_t)__builtin_ctz(bits);
    const th_vec2 e = th_room_wish(lanes->view, (uint32_t)pick[lane]);
    wx[lane] = e.x;
    wy[lane] = e.y;
  }
  *x = vf_load(wx);
  *y = vf_load(wy);
}

/* Those in the mask whose neighbour is followed: x is the neighbour's offset, l the sum of both half widths. */
static inline vm follows(const walker *w, const vf x[2], const vf e[2], vf l, vm mask) {
  const vf zero = vf_zero();
  const vm against = vf_le(dot(e[0], e[1], w->ex, w->ey), vf_set(-TH_ROOM_AGAINST));
  const vm stays = vf_eq(dot(e[0], e[1], e[0], e[1]), zero);
  const vm mutual = vm_and(vf_lt(dot(x[0], x[1], e[0], e[1]), zero),
                           vf_lt(vf_abs(det(x[0], x[1], e[0], e[1])), vf_mul(vf_set(TH_ROOM_APART), l)));
  return vm_andnot(mask, vm_or(vm_or(against, stays), mutual));
}

/* Close neighbours shorten the free distance in the directions that they block. Their wishes are read only where they
 * stand in front and nobody nearer is followed: most do not. */
static inline void meet(const th_room_lanes *lanes, const int32_t *pick, walker *w, const vf x[2], vf l, vm close) {
  const vf zero = vf_zero(), s = vf_sqrt(dot(x[0], x[1], x[0], x[1])), free = vf_sub(s, l);
  const vm near = vm_and(close, vf_lt(s, vf_set(TH_ROOM_AHEAD)));
  const vf pass = vf_mul(w->pass, l), follow = vf_mul(w->follow, l);
  vm front[TH_ROOM_DIRECTIONS], due = none();
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    const vf beside = vf_abs(det(x[0], x[1], w->ux[k], w->uy[k]));
    const vm ahead = vm_and(near, vf_lt(zero, dot(x[0], x[1], w->ux[k], w->uy[k])));
    const vm in_the_way = vm_and(ahead, vf_lt(beside, pass));
    front[k] = vm_and(vm_and(ahead, vf_lt(beside, follow)), vf_lt(free, w->behind[k]));
    w->any[k] = vf_select(in_the_way, vf_min(w->any[k], free), w->any[k]);
    due = vm_or(due, front[k]);
  }
  if (!vm_any(due)) return;
  vf e[2];
  read_wishes(lanes, pick, due, &e[0], &e[1]);
  const vm followed = follows(w, x, e, l, due);
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) w->behind[k] = vf_select(vm_and(front[k], followed), free, w->behind[k]);
}

/* Looks at the k-th nearest; false when nobody farther away can be close to any lane. Distances ascend to one part in
 * 10,000. */
static inline bool look_at(const th_room_lanes *lanes, uint32_t i, uint32_t k, walker *w) {
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
  if (!vm_any(close)) return true;
  w->close = vm_or(w->close, close);
  meet(lanes, pick, w, x, vf_add(w->radius, body), close);
  return true;
}

/* How fast an agent gets on in each direction, with a small bonus for its heading. */
static inline void weigh(th_room_lanes *lanes, uint32_t i, const walker *w) {
  const th_view *view = lanes->view;
  const vf speed = vf_load(view->speed + i), gap = vf_load(view->time_gap + i);
  const vf hx = vf_load(view->hx + i), hy = vf_load(view->hy + i), zero = vf_zero();
  vf most = vf_set(-INFINITY), follow = w->behind[0];
  vi best = vi_set(0);
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    vf worth = vf_mul(vf_set(th_room_turn_c[k]), vf_min(speed, vf_max(zero, vf_div(w->any[k], gap))));
    vf kept = vf_mul(vf_set(TH_ROOM_KEEP), dot(w->ux[k], w->uy[k], hx, hy));
    worth = vf_add(worth, vf_sub(kept, vf_set(k ? TH_ROOM_LEAVE : 0.0f)));
    const vm better = vf_lt(most, worth);
    best = vi_select(better, vi_set(k), best);
    follow = vf_select(better, w->behind[k], follow);
    most = vf_max(most, worth);
    vf_store(lanes->worth[k] + i, worth);
    vf_store(lanes->follow[k] + i, w->behind[k]);
  }
  const vm looks = vm_or(w->close, vf_lt(speed, vf_set(TH_ROOM_AT_EASE)));
  lanes->looks |= vm_bits(looks) << i;
  lanes->turning |= vm_bits(vm_and(looks, vi_lt(vi_set(0), best))) << i;
  vi_store(lanes->best + i, best);
  vf_store(lanes->kept + i, vf_min(speed, vf_max(zero, vf_div(follow, gap))));
}

void TH_LANES_NAME(th_room_compare)(th_room_lanes *lanes) {
  lanes->looks = lanes->turning = 0;
  for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
    walker w;
    begin(lanes, i, &w);
    for (uint32_t k = 0; k < lanes->view->neighbours.pick_count; k++)
      if (!look_at(lanes, i, k, &w)) break;
    weigh(lanes, i, &w);
  }
}
