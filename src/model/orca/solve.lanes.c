/* model/orca/solve.lanes.c - linear programmes over half-planes, one agent per lane.
 *
 * Incremental 2D programme and dense fallback of van den Berg et al. 2011. A line that no lane violates is skipped,
 * which is what makes the incremental programme cheap. Finished lanes are masked off, so each lane performs exactly the
 * operations of scalar.c, independent of the other lanes. The alternative to the programme is the soft form: the
 * velocity of least cost, by a few of Newton's steps. Cost with AVX2, ten neighbours at one person per square metre:
 * about 60 ns per agent, half-planes included.
 */
#include "model/orca/half_plane.h"

typedef struct velocity {
  vf x, y;
} velocity;

/* The objective of a programme: the point nearest to (x, y), or the farthest along it; speed at most `max`. */
typedef struct aim {
  vf x, y, max;
  bool along;
} aim;

static inline vm none(void) { return vf_lt(vf_zero(), vf_zero()); }

/* ---------------------------------------------------------------- programmes */

/* The best point of line i that the lines before it and the speed permit; returns the lanes where there is one.
 *   t of the crossing with line j = vf_cross(d_j, p_i - p_j) / vf_cross(d_i, d_j), an upper bound when the divisor is
 * positive */
static inline vm on_line(const line *l, uint32_t i, const aim *a, velocity *v) {
  const line own = l[i];
  const vf px = own.px, py = own.py, dx = own.dx, dy = own.dy, q = vf_dot(px, py, dx, dy);
  const vf flat = vf_set(TH_ORCA_FLAT), steep = vf_set(-TH_ORCA_FLAT), far = vf_set(1e30f), back = vf_set(-1e30f);
  vf square = vf_sub(vf_add(vf_mul(q, q), vf_mul(a->max, a->max)), vf_dot(px, py, px, py));
  vf root = vf_sqrt(vf_max(square, vf_zero())), low = vf_sub(vf_negate(q), root), high = vf_sub(root, q);
  vm shut = vf_lt(square, vf_zero());
  for (uint32_t j = 0; j < i; j++) {
    const line o = l[j];
    vf den = vf_cross(dx, dy, o.dx, o.dy), num = vf_cross(o.dx, o.dy, vf_sub(px, o.px), vf_sub(py, o.py)),
       t = vf_div(num, den);
    vm up = vf_lt(flat, den), down = vf_lt(den, steep);
    high = vf_min(high, vf_select(up, t, far));
    low = vf_max(low, vf_select(down, t, back));
    shut = vm_or(shut, vm_andnot(vf_lt(num, vf_zero()), vm_or(up, down)));
  }
  vf t;
  if (a->along)
    t = vf_select(vf_lt(vf_zero(), vf_dot(a->x, a->y, dx, dy)), high, low);
  else
    t = vf_min(vf_max(vf_dot(dx, dy, vf_sub(a->x, px), vf_sub(a->y, py)), low), high);
  *v = (velocity){vf_add(px, vf_mul(t, dx)), vf_add(py, vf_mul(t, dy))};
  return vm_andnot(vf_le(low, high), shut);
}

static inline vf violation(const line *l, uint32_t i, velocity v) {
  const line o = l[i];
  return vf_cross(o.dx, o.dy, vf_sub(o.px, v.x), vf_sub(o.py, v.y));
}

static inline velocity choose(vm m, velocity yes, velocity no) {
  return (velocity){vf_select(m, yes.x, no.x), vf_select(m, yes.y, no.y)};
}

/* Takes line after line; where the current point violates a line, it moves onto that line. Returns the lanes that found
 * no point; `*at` says at which line, and their point is the last good one. */
static inline vm plan(const line *l, uint32_t count, const aim *a, vm active, velocity *v, vi *at) {
  vm failed = none();
  for (uint32_t i = 0; i < count; i++) {
    vm bad = vm_and(active, vf_lt(vf_zero(), violation(l, i, *v)));
    if (!vm_any(bad)) continue;
    velocity next;
    vm found = on_line(l, i, a, &next), lost = vm_andnot(bad, found);
    *v = choose(vm_and(bad, found), next, *v);
    *at = vi_select(lost, vi_set((int32_t)i), *at);
    failed = vm_or(failed, lost);
    active = vm_andnot(active, lost);
  }
  return failed;
}

/* Where lines i and j are violated alike: the line of equal depth, permitted where j is violated less than i. */
static inline line bisect(line i, line j) {
  vf d = vf_cross(i.dx, i.dy, j.dx, j.dy), half = vf_set(0.5f);
  vm flat = vf_le(vf_abs(d), vf_set(TH_ORCA_FLAT)), opposed = vf_lt(vf_dot(i.dx, i.dy, j.dx, j.dy), vf_set(-0.5f));
  vf t = vf_div(vf_cross(j.dx, j.dy, vf_sub(i.px, j.px), vf_sub(i.py, j.py)), d);
  vf mx = vf_mul(half, vf_add(i.px, j.px)), my = vf_mul(half, vf_add(i.py, j.py));
  vf nx = vf_sub(j.dx, i.dx), ny = vf_sub(j.dy, i.dy), k = vf_div(vf_set(1.0f), vf_sqrt(vf_dot(nx, ny, nx, ny)));
  line out = {vf_select(flat, mx, vf_add(i.px, vf_mul(t, i.dx))), vf_select(flat, my, vf_add(i.py, vf_mul(t, i.dy))),
              vf_mul(nx, k), vf_mul(ny, k)};
  return choose_line(vm_andnot(flat, opposed), no_line(), out);
}

/* Wall lines stay hard where the walls alone permit a point (`hard`); else they are relaxed like those of
 * neighbours. */
static inline void relax(const line *l, uint32_t i, uint32_t walls, vm hard, line *out) {
  const line own = l[i];
  for (uint32_t j = 0; j < i; j++) {
    const line equal = bisect(own, l[j]);
    out[j] = j < walls ? choose_line(hard, l[j], equal) : equal;
  }
}

/* The lanes for which the programme found no point. */
typedef struct crush {
  uint32_t count, walls; /* lines; how many of them are walls */
  vf max;                /* speed */
  vm failed;             /* these lanes, */
  vi at;                 /* at this line */
} crush;

/* Lanes with fewer neighbours than others have empty lines behind theirs. The violation of an empty line is 0, which is
 * deeper than that of a point inside all lines of a lane. */
static inline vm is_line(const line *l) { return vf_lt(vf_zero(), vf_dot(l->dx, l->dy, l->dx, l->dy)); }

/* Least penetration: starting at the line that failed, each line that is violated deeper than all before moves the
 * point as far to its permitted side as the lines of equal depth allow. */
static void fall_back(const line *l, const crush *c, velocity *v) {
  line equal[TH_ORCA_LINES];
  vf depth = vf_zero();
  vm hard = vm_andnot(vf_eq(c->max, c->max), vi_lt(c->at, vi_set((int32_t)c->walls)));
  for (uint32_t i = 0; i < c->count; i++) {
    vm due = vm_andnot(c->failed, vi_lt(vi_set((int32_t)i), c->at));
    vm bad = vm_and(vm_and(due, is_line(&l[i])), vf_lt(depth, violation(l, i, *v)));
    if (!vm_any(bad)) continue;
    relax(l, i, c->walls, hard, equal);
    const line own = l[i];
    aim a = {vf_negate(own.dy), own.dx, c->max, true};
    velocity next = {vf_mul(a.x, c->max), vf_mul(a.y, c->max)};
    vi unused = vi_set(0);
    vm good = vm_andnot(bad, plan(equal, i, &a, bad, &next, &unused));
    *v = choose(good, next, *v);
    depth = vf_select(bad, violation(l, i, *v), depth);
  }
}

/* Moves the point out of every wall's line, one after the other. */
static inline velocity hold_walls(const line *l, uint32_t walls, velocity v) {
  for (uint32_t i = 0; i < walls; i++) {
    vf depth = vf_max(violation(l, i, v), vf_zero());
    v.x = vf_sub(v.x, vf_mul(depth, l[i].dy));
    v.y = vf_add(v.y, vf_mul(depth, l[i].dx));
  }
  return v;
}

/* One of Newton's steps. */
static inline velocity step_down(const line *l, uint32_t count, uint32_t walls, const aim *a, velocity v) {
  const vf zero = vf_zero(), one = vf_set(1.0f), people = vf_set(TH_ORCA_STIFF), wall = vf_set(TH_ORCA_WALL_STIFF);
  vf gx = vf_sub(v.x, a->x), gy = vf_sub(v.y, a->y), xx = one, xy = zero, yy = one;
  for (uint32_t i = 0; i < count; i++) {
    const line o = l[i];
    vf depth = vf_max(violation(l, i, v), zero);
    vf stiff = vf_keep(vf_lt(zero, depth), i < walls ? wall : people);
    vf px = vf_mul(stiff, o.dx), py = vf_mul(stiff, o.dy);
    gx = vf_add(gx, vf_mul(depth, py));
    gy = vf_sub(gy, vf_mul(depth, px));
    xx = vf_add(xx, vf_mul(py, o.dy));
    xy = vf_sub(xy, vf_mul(py, o.dx));
    yy = vf_add(yy, vf_mul(px, o.dx));
  }
  vf k = vf_div(one, vf_cross(xx, xy, xy, yy));
  return (velocity){vf_mul(vf_cross(yy, xy, gy, gx), k), vf_mul(vf_cross(xx, xy, gx, gy), k)};
}

/* The least of  |v - a|^2 + k sum max(0, depth_i)^2  as in scalar.c; a lane that has found it stays there. */
static velocity soften(const line *l, uint32_t count, uint32_t walls, const aim *a, const self *s) {
  const vf one = vf_set(1.0f), end = vf_set(TH_ORCA_SOFT_END * TH_ORCA_SOFT_END);
  velocity v = {a->x, a->y};
  vm active = vf_eq(one, one);
  for (int step = 0; step < TH_ORCA_SOFT_STEPS && vm_any(active); step++) {
    velocity by = step_down(l, count, walls, a, v);
    v = choose(active, (velocity){vf_sub(v.x, by.x), vf_sub(v.y, by.y)}, v);
    active = vm_andnot(active, vf_lt(vf_dot(by.x, by.y, by.x, by.y), end));
  }
  vf back = vf_min(vf_dot(s->ux, s->uy, v.x, v.y), vf_zero());
  v = (velocity){vf_sub(v.x, vf_mul(back, s->ux)), vf_sub(v.y, vf_mul(back, s->uy))};
  v = hold_walls(l, walls, v);
  vf speed = vf_sqrt(vf_dot(v.x, v.y, v.x, v.y));
  vf k = vf_select(vf_lt(a->max, speed), vf_div(a->max, speed), one);
  return (velocity){vf_mul(v.x, k), vf_mul(v.y, k)};
}

/* The widest body around. */
static vf widest_of(const th_neighbours *near) {
  float lane[TH_LANES], max = 0.0f;
  vf widest = vf_zero();
  uint32_t i = 0;
  for (; i + TH_LANES <= near->count; i += TH_LANES) widest = vf_max(widest, vf_load(near->radius + i));
  for (; i < near->count; i++) max = near->radius[i] > max ? near->radius[i] : max;
  vf_store(lane, widest);
  for (uint32_t k = 0; k < TH_LANES; k++) max = lane[k] > max ? lane[k] : max;
  return vf_set(max);
}

/* How fast two bodies at a distance may close the gap between them within the step:
 *   (d - r (1 - squeeze)) / dt */
static inline vf closing(const th_orca_batch *b, vf d, vf r) {
  vf gap = vf_sub(d, vf_mul(r, vf_set(1.0f - TH_ORCA_SQUEEZE)));
  return vf_mul(vf_max(gap, vf_zero()), vf_set(b->inverse_dt));
}

/* Neighbours come by distance, to one part in 10,000. When a body of the largest radius would be too far away to
 * matter, all later neighbours are, too. With unequal shares an agent may get no part of a gap, however wide. */
static inline bool all_far(const th_orca_batch *b, const self *s, const crush *c, uint32_t k, vf d) {
  vf near = vf_mul(d, vf_set(0.9999f)), free = vf_mul(closing(b, near, vf_add(s->radius, s->widest)), vf_set(0.5f));
  vm there = vm_and(anybody(picks_of(s, &b->view->neighbours, k)), c->failed);
  return s->even && !vm_any(vm_and(there, vf_lt(free, c->max)));
}

/* After the fallback: the agent uses only its own part of the gap to each neighbour, so that no two bodies meet in the
 * step.
 *   the nearest velocity within the walls' half-planes and  v . n <= closing part',  n = x / d */
static void hold_back(const th_orca_batch *b, self *s, line *l, const crush *c, velocity *v) {
  const th_neighbours *near = &b->view->neighbours;
  uint32_t rows = b->wall_rows;
  s->widest = widest_of(near);
  for (uint32_t k = 0; !ends_at(s, near, k); k++) {
    vf o[2];
    vm valid = pick_one(s, b, k, o);
    vf r = vf_add(s->radius, vf_load(b->body[k].radius + s->first)), d = vf_sqrt(vf_dot(o[0], o[1], o[0], o[1]));
    if (all_far(b, s, c, k, d)) break;
    vf free = vf_mul(closing(b, d, r), vf_sub(vf_set(1.0f), s->even ? vf_set(0.5f) : part_of(s, &b->body[k])));
    valid = vm_and(vm_and(valid, c->failed), vm_and(vf_lt(vf_set(1e-6f), d), vf_lt(free, c->max)));
    if (!vm_any(valid)) continue;
    vf inverse = vf_div(vf_set(1.0f), d), nx = vf_mul(o[0], inverse), ny = vf_mul(o[1], inverse);
    l[rows++] = choose_line(valid, (line){vf_mul(free, nx), vf_mul(free, ny), vf_negate(ny), nx}, no_line());
  }
  aim a = {v->x, v->y, c->max, false};
  velocity next = *v;
  vi unused = vi_set(0);
  *v = choose(vm_andnot(c->failed, plan(l, rows, &a, c->failed, &next, &unused)), next, *v);
}

/* ---------------------------------------------------------------- all of it */

static uint32_t build(const th_orca_batch *b, self *s, line *l) {
  const uint32_t first = s->first;
  uint32_t rows = b->wall_rows;
  for (uint32_t i = 0; i < rows; i++)
    l[i] = (line){vf_load(b->wall[i][0] + first), vf_load(b->wall[i][1] + first), vf_load(b->wall[i][2] + first),
                  vf_load(b->wall[i][3] + first)};
  for (uint32_t k = 0; !ends_at(s, &b->view->neighbours, k); k++) {
    rows += half_plane(s, b, k, &l[rows]) ? 1 : 0;
  }
  return rows;
}

/* The wanted velocity, turned aside in proportion to how directly a neighbour blocks the path. */
static void turn_aside(const self *s, vf *x, vf *y) {
  vf t = vf_mul(vf_mul(s->turn, vf_set(TH_ORCA_TURN)), s->side);
  vf k = vf_div(vf_set(1.0f), vf_sqrt(vf_add(vf_set(1.0f), vf_mul(t, t))));
  vf wx = *x, wy = *y;
  vm some = vf_lt(vf_zero(), vf_abs(s->turn));
  *x = vf_select(some, vf_mul(vf_add(wx, vf_mul(wy, t)), k), wx);
  *y = vf_select(some, vf_mul(vf_sub(wy, vf_mul(wx, t)), k), wy);
}

void TH_LANES_NAME(th_orca_solve)(th_orca_batch *b) {
  const th_view *v = b->view;
  const bool even = even_shares(&v->neighbours);
  float share[TH_VIEW_LANES] = {0};
  for (uint32_t lane = 0; !even && lane < TH_VIEW_LANES; lane++) share[lane] = th_orca_own_share(v, lane);
  line l[TH_ORCA_LINES];
  for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
    self s = {.x = vf_load(v->x + i),
              .y = vf_load(v->y + i),
              .vx = vf_load(v->vx + i),
              .vy = vf_load(v->vy + i),
              .radius = vf_load(v->body + i),
              .share = vf_load(share + i),
              .ux = vf_load(b->ux + i),
              .uy = vf_load(b->uy + i),
              .inverse_horizon = vf_load(b->inverse_horizon + i),
              .reach2 = vf_load(b->reach2 + i),
              .neighbours = vi_load(b->neighbours + i),
              .slot = vi_load((const int32_t *)v->slot + i),
              .side = vf_load(b->side + i),
              .either = vi_lt(vi_set(0), vi_load(b->either + i)),
              .turn = vf_zero(),
              .first = i,
              .even = even};
    uint32_t count = build(b, &s, l);
    aim a = {vf_load(b->wx + i), vf_load(b->wy + i), vf_load(v->speed_max + i), false};
    if (vm_any(vf_lt(vf_zero(), vf_abs(s.turn)))) turn_aside(&s, &a.x, &a.y);
    velocity best = {a.x, a.y};
    vm soft = vi_lt(vi_set(0), vi_load(b->soft + i));
    crush c = {.count = count, .walls = b->wall_rows, .max = a.max, .at = vi_set((int32_t)count)};
    velocity gentle = vm_any(soft) ? soften(l, count, b->wall_rows, &a, &s) : best;
    if (!vm_all(soft)) c.failed = plan(l, count, &a, vf_eq(a.x, a.x), &best, &c.at);
    if (!vm_all(soft) && vm_any(c.failed)) {
      fall_back(l, &c, &best);
      hold_back(b, &s, l, &c, &best);
    }
    best = choose(soft, gentle, best);
    vf_store(b->vx + i, best.x);
    vf_store(b->vy + i, best.y);
  }
}
