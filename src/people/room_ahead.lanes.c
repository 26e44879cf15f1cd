/* people/room_ahead.lanes.c - compares five directions ahead, one agent per lane.
 *
 * Neighbours are sorted by distance, and only the few that are close enough to slow somebody down are looked at. Those
 * in front are noted: who of them is followed is a matter of few pairs, which room_ahead.c takes one by one. It says
 * how directions are rated, and why. Cost with AVX-512: about 85 operations per close neighbour and register.
 */
#include "people/room_ahead.h"

#include <math.h>

#include "base/simd/plane.h"
#include "view/bodies.h"

typedef struct walker {
  uint32_t first;             /* lane of the view */
  vf x, y, radius, reach;     /* reach: own radius, and what is walked in a time gap */
  vf strip, pass;             /* half width of the strip of those who are followed, and of anybody, of l */
  vf ex, ey;                  /* wanted direction */
  vf any[TH_ROOM_DIRECTIONS]; /* free distance to anybody [m] */
  vm looking, close;          /* keeps a gap; somebody is close */
} walker;

/* The lanes that keep a gap, and their wanted directions. Answers are rows of words. */
static inline vm read_wants(th_room_lanes *lanes, uint32_t i, vf *ex, vf *ey) {
  const th_view *view = lanes->view;
  vf want[4];
  vf_load_fours((const float *)(view->want + i), sizeof *view->want / sizeof(float), want);
  *ex = want[0];
  *ey = want[1];
  vf_store(lanes->ex + i, want[0]);
  vf_store(lanes->ey + i, want[1]);
  const vm led = vi_eq(vi_and(vf_bits(want[3]), vi_set(0xff)), vi_set(TH_ANSWER_LEAD));
  const vm there = vm_from_bits(((1u << view->lanes) - 1u) >> i);
  return vm_and(vm_and(led, there), vm_from_bits(lanes->people >> i));
}

static inline void begin(th_room_lanes *lanes, uint32_t i, walker *w) {
  const th_view *view = lanes->view;
  w->first = i;
  w->looking = read_wants(lanes, i, &w->ex, &w->ey);
  w->close = vf_lt(vf_zero(), vf_zero());
  w->x = vf_load(view->x + i);
  w->y = vf_load(view->y + i);
  w->radius = vf_load(view->radius + i);
  w->reach = vf_add(w->radius, vf_mul(vf_load(view->speed + i), vf_load(view->time_gap + i)));
  w->strip = vf_load(lanes->followed + i);
  w->pass = vf_load(lanes->of.strip + i);
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) w->any[k] = vf_set(INFINITY);
}

/* A close neighbour, the n-th nearest: half widths of the strips for it, free distance to it, lanes that have it near.
 */
typedef struct neighbour {
  uint32_t n;
  vf pass, strip, free;
  vm near;
} neighbour;

/* Shortens the free distance in direction k where the neighbour, `along` it and `beside` it, blocks it. */
static inline void block(th_room_lanes *lanes, const neighbour *o, walker *w, int k, vf along, vf beside) {
  const vf off = vf_abs(beside);
  const vm ahead = vm_and(o->near, vf_lt(vf_zero(), along)), front = vm_and(ahead, vf_lt(off, o->strip));
  w->any[k] = vf_select(vm_and(ahead, vf_lt(off, o->pass)), vf_min(w->any[k], o->free), w->any[k]);
  lanes->front[k][o->n / 4] |= (uint64_t)vm_bits(front) << (16 * (o->n % 4) + w->first);
}

/* Close neighbours shorten the free distance in the directions that they block: x is the neighbour's offset, l the sum
 * of both half widths. With a and b its offset along and across the wanted direction, it lies at c a - s b along and
 * s a + c b beside the direction to the right, at c a + s b and s a - c b of that to the left. Those in front are noted
 * in `front`. */
static inline void meet(th_room_lanes *lanes, uint32_t n, walker *w, const vf x[2], vf l, vm close) {
  const vf d = vf_sqrt(vf_dot(x[0], x[1], x[0], x[1])), a = vf_dot(x[0], x[1], w->ex, w->ey),
           b = vf_cross(w->ex, w->ey, x[0], x[1]);
  const vm near = vm_and(close, vf_lt(d, vf_set(TH_ROOM_AHEAD)));
  const vf free = vf_select(near, vf_sub(d, l), vf_set(INFINITY));
  const neighbour o = {n, vf_mul(w->pass, l), vf_mul(w->strip, l), free, near};
  block(lanes, &o, w, 0, a, b);
  for (int k = 1; k < TH_ROOM_DIRECTIONS; k += 2) {
    const vf c = vf_set(th_room_turn_c[k + 1]), s = vf_set(th_room_turn_s[k + 1]);
    const vf ca = vf_mul(c, a), cb = vf_mul(c, b), sa = vf_mul(s, a), sb = vf_mul(s, b);
    block(lanes, &o, w, k, vf_sub(ca, sb), vf_add(sa, cb));
    block(lanes, &o, w, k + 1, vf_add(ca, sb), vf_sub(sa, cb));
  }
  vf_store(lanes->free[n] + w->first, free);
}

/* Looks at the k-th nearest; false when nobody farther away can be close to any lane. Distances ascend to one part in
 * 10,000. */
static inline bool look_at(th_room_lanes *lanes, uint32_t k, walker *w) {
  const th_neighbours *near = &lanes->view->neighbours;
  const vi pick = vi_load((const int32_t *)near->pick + k * TH_VIEW_LANES + w->first);
  const vm there = vm_and(w->looking, vi_lt(vi_set((int32_t)TH_NO_PICK), pick));
  vf body[TH_BODY_WORDS];
  th_bodies_read(lanes->bodies, near, k, w->first, body);
  const vf x[2] = {vf_sub(body[TH_BODY_X], w->x), vf_sub(body[TH_BODY_Y], w->y)};
  const vf d2 = vf_dot(x[0], x[1], x[0], x[1]),
           widest = vf_mul(vf_add(w->reach, vf_set(lanes->widest)), vf_set(1.0002f));
  if (!vm_any(vm_and(there, vf_lt(d2, vf_mul(widest, widest))))) return false;
  const vf far = vf_add(w->reach, body[TH_BODY_RADIUS]);
  const vm close = vm_and(there, vf_lt(d2, vf_mul(far, far)));
  if (!vm_any(close)) return true;
  meet(lanes, k, w, x, vf_add(w->radius, body[TH_BODY_RADIUS]), close);
  w->close = vm_or(w->close, close);
  return true;
}

/* The directions that those who turn take. */
static inline void take(th_room_lanes *lanes, uint32_t i, const walker *w, vi best, vm turning) {
  vf c = vf_set(1.0f), s = vf_zero();
  for (int k = 1; k < TH_ROOM_DIRECTIONS; k++) {
    const vm own = vi_eq(best, vi_set(k));
    c = vf_select(own, vf_set(th_room_turn_c[k]), c);
    s = vf_select(own, vf_set(th_room_turn_s[k]), s);
  }
  vf_store(lanes->ux + i, vf_sub(vf_mul(c, w->ex), vf_mul(s, w->ey)));
  vf_store(lanes->uy + i, vf_add(vf_mul(s, w->ex), vf_mul(c, w->ey)));
  lanes->turning |= vm_bits(turning) << i;
}

/* How fast an agent gets on in each direction, with a small bonus for its heading. */
static inline void weigh(th_room_lanes *lanes, uint32_t i, const walker *w) {
  const th_view *view = lanes->view;
  const vf speed = vf_load(view->speed + i), gap = vf_load(view->time_gap + i);
  const vf hx = vf_load(view->hx + i), hy = vf_load(view->hy + i), zero = vf_zero();
  const vf keep = vf_load(lanes->of.keep + i), leave = vf_load(lanes->of.leave + i);
  const vf along = vf_dot(w->ex, w->ey, hx, hy), across = vf_cross(w->ex, w->ey, hx, hy);
  vf most = vf_set(-INFINITY);
  vi best = vi_set(0);
  for (int k = 0; k < TH_ROOM_DIRECTIONS; k++) {
    const vf c = vf_set(th_room_turn_c[k]), s = vf_set(th_room_turn_s[k]);
    vf worth = vf_mul(c, vf_min(speed, vf_max(zero, vf_div(w->any[k], gap))));
    const vf kept = vf_mul(keep, vf_add(vf_mul(c, along), vf_mul(s, across)));
    worth = vf_add(worth, vf_sub(kept, k ? leave : zero));
    best = vi_select(vf_lt(most, worth), vi_set(k), best);
    most = vf_max(most, worth);
    vf_store(lanes->worth[k] + i, worth);
  }
  const vm looks = vm_and(w->looking, vm_or(w->close, vf_lt(speed, vf_load(lanes->of.at_ease + i))));
  const vm turning = vm_and(looks, vi_lt(vi_set(0), best));
  const vm open = vf_lt(vf_add(w->radius, vf_mul(vf_set(2.0f * TH_ROOM_FEEL), w->radius)), vf_set(lanes->room));
  lanes->alone |= vm_bits(vm_andnot(w->looking, w->close)) << i;
  lanes->looks |= vm_bits(looks) << i;
  lanes->open |= vm_bits(open) << i;
  vi_store(lanes->best + i, best);
  take(lanes, i, w, best, turning);
}

void TH_LANES_NAME(th_room_compare)(th_room_lanes *lanes) {
  const uint32_t count = lanes->view->neighbours.pick_count;
  uint32_t most = 0;
  lanes->looking = lanes->alone = lanes->looks = lanes->turning = lanes->open = 0;
  for (uint32_t k = 0; k < TH_ROOM_DIRECTIONS; k++)
    for (uint32_t i = 0; 4 * i < count; i++) lanes->front[k][i] = 0;
  for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
    walker w;
    uint32_t k = 0;
    begin(lanes, i, &w);
    lanes->looking |= vm_bits(w.looking) << i;
    if (!vm_any(w.looking)) continue;
    th_bodies_lay(lanes->bodies, &lanes->view->neighbours);
    while (k < count && look_at(lanes, k, &w)) k++;
    most = most > k ? most : k;
    weigh(lanes, i, &w);
  }
  lanes->words = (most + 3) / 4;
}
