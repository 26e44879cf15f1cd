/* model/bvp/discs.lanes.c - other agents as runs of bits.
 *
 * A cell of the update zone is blocked when its centre lies within the sum of the radii of another agent, or when that
 * agent stands in it (a disc smaller than a cell must not be missed). Candidates are tested one register at a time;
 * those that touch the zone are collected, and then each register holds one row of several discs:
 *
 *   row j of a disc at (fx, fy), radius r, in cells:  i from ceil(fx - h) to floor(fx + h),  h = sqrt(r^2 - (j - fy)^2)
 *
 * Each lane has its own copy of the rows until all discs are drawn, and lanes are collected without a branch: whether a
 * candidate touches the zone is unpredictable, and mispredicted branches took half of the time. Cost with AVX2: 1 ns
 * per two candidates, 6 ns per disc.
 */
#include "model/bvp/discs.h"

#include "base/platform/compiler.h"

#define COLLECTED 128 /* candidates at most before they are drawn */
#define NARROW 30     /* rows of up to this many cells fit into a lane */

typedef struct picture {
  const th_bvp_discs *query;
  uint32_t count;
  int32_t found[COLLECTED + 16]; /* candidates that touch */
  vi row[NARROW];                /* when rows are narrow */
} picture;

/* 2 to the power of a whole number from 0 to 30. */
static vi power(vi i) { return vf_to_int(vi_as_float(vi_shl(vi_add(i, vi_set(127)), 23))); }

/* Sets cells i0 to i1 of row j in the lanes of the mask. */
static inline void set_runs(picture *p, vm mask, int32_t j, vi i0, vi i1) {
  const th_bvp_discs *q = p->query;
  if (q->last < NARROW) { /* 2^(i1 + 1) - 2^i0 */
    vi run = vi_sub(power(vi_add(i1, vi_set(1))), power(i0));
    p->row[j] = vi_or(p->row[j], vi_select(mask, run, vi_set(0)));
    return;
  }
  int32_t from[TH_LANES], to[TH_LANES];
  vi_store(from, i0);
  vi_store(to, i1);
  for (uint32_t bits = vm_bits(mask); bits; bits &= bits - 1) {
    uint32_t lane = th_lowest_bit(bits);
    q->row[j] |= (((uint64_t)2 << (to[lane] - from[lane])) - 1) << from[lane];
  }
}

/* Small discs: the cell they stand on. */
static void draw_own_cells(picture *p, vm small, vf x, vf y) {
  const vf first = vf_set((float)p->query->first), last = vf_set((float)p->query->last);
  vf i = vf_floor(vf_add(x, vf_set(0.5f))), j = vf_floor(vf_add(y, vf_set(0.5f)));
  small = vm_and(small, vm_and(vf_le(first, i), vf_le(i, last)));
  for (int32_t row = p->query->first; row <= p->query->last; row++)
    set_runs(p, vm_and(small, vf_eq(j, vf_set((float)row))), row, vf_to_int(i), vf_to_int(i));
}

/* Discs at (x, y) with radius r, in cells of the map; lanes outside the mask draw nothing. */
static inline void draw(picture *p, vm mask, vf x, vf y, vf r) {
  const th_bvp_discs *q = p->query;
  const vf first = vf_set((float)q->first), last = vf_set((float)q->last), r2 = vf_mul(r, r);
  const vf low = vf_sub(y, r), high = vf_add(y, r);
  const vi one = vi_set(1), none = vi_set(0);
  vm small = vm_and(mask, vf_lt(r, vf_set(0.708f))); /* a larger disc covers the centre of the cell it stands on */
  if (vm_any(small)) draw_own_cells(p, small, x, y);
  for (int32_t row = q->first; row <= q->last; row++) {
    vf j = vf_set((float)row), dy = vf_sub(j, y), h = vf_sqrt(vf_max(vf_sub(r2, vf_mul(dy, dy)), vf_zero()));
    vm some = vm_and(mask, vm_and(vf_le(low, j), vf_le(j, high)));
    vf a = vf_max(vf_sub(x, h), first), b = vf_min(vf_add(x, h), last); /* rounding towards zero is down from here on */
    vi i0 = vf_to_int(a), i1 = vf_to_int(b);
    i0 = vi_add(i0, vi_select(vf_lt(vi_to_float(i0), a), one, none));
    set_runs(p, vm_andnot(some, vi_lt(i1, i0)), row, i0, i1);
  }
}

/* People follow others that go in their direction (view/room_ahead.c), so only the rest is drawn as obstacles. */
static void leave_out_followed(picture *p) {
  const th_bvp_discs *q = p->query;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < p->count; k++) {
    th_vec2 wish = th_view_wish(q->person, (uint32_t)p->found[k]);
    if (wish.x * q->want.x + wish.y * q->want.y <= TH_BVP_ALONG) p->found[kept++] = p->found[k];
  }
  p->count = kept;
}

static void draw_found(picture *p) {
  const th_bvp_discs *q = p->query;
  if (q->person) leave_out_followed(p);
  const vf c = vf_set(q->frame.c), s = vf_set(q->frame.s), inverse = vf_set(q->inverse), centre = vf_set((float)q->c);
  const vf x = vf_set(q->x), y = vf_set(q->y), then = vf_set(q->foresight);
  for (int i = 0; i < TH_LANES; i++) p->found[p->count + (uint32_t)i] = 0; /* some candidate, masked away below */
  for (uint32_t k = 0; k < p->count; k += TH_LANES) {
    vi at = vi_load(p->found + k);
    uint32_t left = p->count - k;
    vm mask = vm_from_bits(left < TH_LANES ? (1u << left) - 1u : (1u << TH_LANES) - 1u);
    vf dx = vf_add(vf_sub(vf_gather(q->near->x, at), x), vf_mul(then, vf_gather(q->near->vx, at)));
    vf dy = vf_add(vf_sub(vf_gather(q->near->y, at), y), vf_mul(then, vf_gather(q->near->vy, at)));
    vf r = vf_add(vf_gather(q->near->radius, at), vf_set(q->radius));
    vf ox = vf_add(vf_mul(c, dx), vf_mul(s, dy)), oy = vf_sub(vf_mul(c, dy), vf_mul(s, dx));
    draw(p, mask, vf_add(vf_mul(ox, inverse), centre), vf_add(vf_mul(oy, inverse), centre), vf_mul(r, inverse));
  }
  p->count = 0;
}

/* Joins the lanes of each row. */
static void finish(const picture *p) {
  const th_bvp_discs *q = p->query;
  for (int32_t j = q->first; q->last < NARROW && j <= q->last; j++) {
    int32_t lane[TH_LANES], all = 0;
    vi_store(lane, p->row[j]);
    for (int k = 0; k < TH_LANES; k++) all |= lane[k];
    q->row[j] |= (uint32_t)all;
  }
}

static inline vm in_cone(const th_bvp_discs *q, vf x, vf y) {
  vf along = vf_add(vf_mul(x, vf_set(q->d.x)), vf_mul(y, vf_set(q->d.y)));
  return vf_le(vf_mul(vf_set(q->cos_half), vf_sqrt(vf_add(vf_mul(x, x), vf_mul(y, y)))), along);
}

/* Candidates in layers that the agent avoids, without the agent itself; padding is in no layer. */
static inline vm others(const th_bvp_discs *q, uint32_t k) {
  vi slot = vi_load((const int32_t *)q->near->slot + k), layers = vi_load((const int32_t *)q->near->layers + k);
  vm blind = vi_eq(vi_and(layers, vi_set((int32_t)q->avoids)), vi_set(0)), own = vi_eq(slot, vi_set((int32_t)q->slot));
  return vm_andnot(vm_from_bits((1u << TH_LANES) - 1u), vm_or(blind, own));
}

void TH_LANES_NAME(th_bvp_draw_discs)(const th_bvp_discs *q) {
  const th_neighbours *near = q->near;
  const vf x = vf_set(q->x), y = vf_set(q->y), c = vf_set(q->frame.c), s = vf_set(q->frame.s);
  const vf own = vf_set(q->radius), half = vf_set(0.5f * q->cell), zone = vf_set((float)(q->last - q->c) * q->cell);
  const vf reach2 = vf_set(q->reach * q->reach), then = vf_set(q->foresight);
  const vf own_vx = vf_set(q->vx), own_vy = vf_set(q->vy), max = vf_set(q->all ? 1e30f : 0.0f);
  picture p;
  p.query = q;
  p.count = 0;
  for (int32_t j = q->first; q->last < NARROW && j <= q->last; j++) p.row[j] = vi_set(0);
  for (uint32_t k = 0; k < near->count; k += TH_LANES) {
    vf dx = vf_sub(vf_load(near->x + k), x), dy = vf_sub(vf_load(near->y + k), y);
    vf vx = vf_load(near->vx + k), vy = vf_load(near->vy + k);
    vf apart = vf_add(vf_mul(dx, vf_sub(vx, own_vx)), vf_mul(dy, vf_sub(vy, own_vy))); /* half the growth of d^2 */
    vm counts = vm_and(vf_le(vf_add(vf_mul(dx, dx), vf_mul(dy, dy)), reach2), vf_le(apart, max));
    dx = vf_add(dx, vf_mul(then, vx));
    dy = vf_add(dy, vf_mul(then, vy));
    vf ox = vf_add(vf_mul(c, dx), vf_mul(s, dy)), oy = vf_sub(vf_mul(c, dy), vf_mul(s, dx));
    vf r = vf_add(vf_load(near->radius + k), own), edge = vf_add(zone, vf_max(r, half));
    vm touches = vm_and(vf_le(vf_abs(ox), edge), vf_le(vf_abs(oy), edge));
    touches = vm_and(touches, counts);
    if (!vm_any(touches)) continue;
    touches = vm_and(touches, others(q, k));
    if (q->cos_half >= -1.0f) touches = vm_and(touches, in_cone(q, ox, oy));
    uint32_t bits = vm_bits(touches);
    for (uint32_t lane = 0; lane < TH_LANES; lane++) {
      p.found[p.count] = (int32_t)(k + lane);
      p.count += bits >> lane & 1u;
    }
    if (p.count > COLLECTED - TH_LANES) draw_found(&p);
  }
  if (p.count) draw_found(&p);
  finish(&p);
}
