/* model/orca/solve.lanes.c - half-planes and the programmes that choose among them, one agent a lane.
 *
 * Half-planes, incremental 2D programme and dense fallback of van den Berg et al. 2011. All cases of a half-plane (cut-
 * off disc, legs, overlap) are computed and blended; a line that no lane violates is skipped, which is what makes the
 * incremental programme cheap. Lanes that are done idle under a mask, so each lane goes through exactly the operations
 * of scalar.c. Cost with AVX2, ten neighbours at one person a square metre: about 70 ns an agent.
 */
#include "model/orca/solve.h"

#include <string.h>

#include "base/simd_rows.h"

typedef struct lines {
  vf px[TH_ORCA_LINES], py[TH_ORCA_LINES], dx[TH_ORCA_LINES], dy[TH_ORCA_LINES];
} lines;

typedef struct velocity {
  vf x, y;
} velocity;

/* What a programme wants: the point nearest to (x, y), or the farthest along it; speed at most `most`. */
typedef struct aim {
  vf x, y, most;
  bool along;
} aim;

static inline vf dot(vf ax, vf ay, vf bx, vf by) { return vf_add(vf_mul(ax, bx), vf_mul(ay, by)); }
static inline vf det(vf ax, vf ay, vf bx, vf by) { return vf_sub(vf_mul(ax, by), vf_mul(ay, bx)); }
static inline vm none(void) { return vf_lt(vf_zero(), vf_zero()); }

/* ---------------------------------------------------------------- half-planes */

typedef struct self {
  vf x, y, vx, vy, radius, share, ux, uy, inverse_horizon, reach2;
  vi neighbours, slot;
  vf turn;        /* out: how straight somebody is in the way, 0 to 1 */
  uint32_t first; /* lane of the view */
  bool even;      /* all shares around are the same */
} self;

/* The nearest point of the cut-off disc's rim, or of the disc that ends an overlap within a step:
 *   w = v_rel - x / time,  u = (r / time - |w|) w / |w|,  direction = w / |w| turned right */
static inline void disc_line(vf wx, vf wy, vf length, vf reach, vf out[4]) {
  vf k = vf_div(vf_set(1.0f), length), nx = vf_mul(wx, k), ny = vf_mul(wy, k), depth = vf_sub(reach, length);
  out[0] = vf_mul(depth, nx);
  out[1] = vf_mul(depth, ny);
  out[2] = ny;
  out[3] = vf_negate(nx);
}

/* The nearest point of a leg, left when x turns left to w:
 *   direction = +-(x L -+ y r, y L +- x r) / |x|^2,  L^2 = |x|^2 - r^2,  u = (v_rel . direction) direction - v_rel */
static inline void leg_line(const vf x[2], vf d2, vf r, const vf rel[2], vm left, vf out[4]) {
  vf leg = vf_sqrt(vf_max(vf_sub(d2, vf_mul(r, r)), vf_zero())), k = vf_div(vf_set(1.0f), d2);
  vf side = vf_select(left, r, vf_negate(r)), sign = vf_select(left, k, vf_negate(k));
  vf dx = vf_mul(vf_sub(vf_mul(x[0], leg), vf_mul(x[1], side)), sign);
  vf dy = vf_mul(vf_add(vf_mul(x[1], leg), vf_mul(x[0], side)), sign), along = dot(rel[0], rel[1], dx, dy);
  out[0] = vf_sub(vf_mul(along, dx), rel[0]);
  out[1] = vf_sub(vf_mul(along, dy), rel[1]);
  out[2] = dx;
  out[3] = dy;
}

/* ---- neighbours: each lane reads others than its fellows do, and five of these words of each */

enum { X, Y, VX, VY, RADIUS, SHARE, SLOT, WORDS = 8 };

#if TH_LANES == 16

static void lay_bodies(th_orca_batch *b) { (void)b; }

static inline void read_bodies(const th_orca_batch *b, vi i, vf body[WORDS]) {
  const th_near *near = &b->view->near;
  body[X] = vf_gather(near->x, i);
  body[Y] = vf_gather(near->y, i);
  body[VX] = vf_gather(near->vx, i);
  body[VY] = vf_gather(near->vy, i);
  body[RADIUS] = vf_gather(near->radius, i);
  body[SHARE] = vf_gather(near->share, i);
  body[SLOT] = vi_as_float(vi_gather((const int32_t *)near->slot, i));
}

#else

/* All words of a candidate in a row: five gathers for each neighbour took a quarter of the time. */
static void lay_bodies(th_orca_batch *b) {
  const th_near *near = &b->view->near;
  uint32_t i = 0;
  for (; i + TH_LANES <= near->count; i += TH_LANES) {
    vi slot = vi_load((const int32_t *)near->slot + i);
    vf body[WORDS] = {vf_load(near->x + i),      vf_load(near->y + i),     vf_load(near->vx + i), vf_load(near->vy + i),
                      vf_load(near->radius + i), vf_load(near->share + i), vi_as_float(slot),     vf_zero()};
    vf_store_rows(b->body + (size_t)i * WORDS, body);
  }
  for (; i < near->count; i++) {
    float *body = b->body + (size_t)i * WORDS;
    body[X] = near->x[i];
    body[Y] = near->y[i];
    body[VX] = near->vx[i];
    body[VY] = near->vy[i];
    body[RADIUS] = near->radius[i];
    body[SHARE] = near->share[i];
    memcpy(body + SLOT, near->slot + i, sizeof *near->slot);
  }
}

static inline void read_bodies(const th_orca_batch *b, vi i, vf body[WORDS]) {
  vf_load_rows(b->body, vi_shl(i, 3), body);
}

#endif

/* share / sum of shares; a half each when both are 0 */
static inline vf part_of(const self *s, const vf body[WORDS]) {
  vf sum = vf_add(s->share, body[SHARE]);
  return vf_select(vf_lt(vf_zero(), sum), vf_div(s->share, sum), vf_set(0.5f));
}

/* How straight the neighbour is in the way: 1 on the line of the wanted way, 0 beside it; less for who has priority. */
static inline void note_standoff(self *s, const vf x[2], vf r, const vf v[2], vf part, vm valid) {
  vf band = vf_mul(r, vf_set(TH_ORCA_BESIDE)), off = vf_abs(det(s->ux, s->uy, x[0], x[1]));
  vm ahead = vf_lt(vf_zero(), dot(s->ux, s->uy, x[0], x[1]));
  vm against = vf_lt(dot(s->ux, s->uy, v[0], v[1]), vf_set(TH_ORCA_ALONG));
  vm in_way = vm_and(vm_and(ahead, against), vm_and(valid, vf_lt(off, band)));

  vf turn = vf_sub(vf_set(1.0f), vf_div(off, band));
  turn = vf_mul(turn, vf_min(vf_mul(vf_set(2.0f), part), vf_set(1.0f)));
  s->turn = vf_select(in_way, vf_max(s->turn, turn), s->turn);
}

/* Two bodies on one point with one velocity have no w: they part along x, the lower slot to the left. */
static inline vf parting(const self *s, const vf body[WORDS], vm stuck, vf *wx, vf *wy) {
  *wx = vf_select(stuck, vf_select(vi_lt(s->slot, vf_bits(body[SLOT])), vf_set(-1e-6f), vf_set(1e-6f)), *wx);
  *wy = vf_select(stuck, vf_zero(), *wy);
  return vf_set(1e-6f);
}

/* The k-th nearest of each lane, x = its place from here; returns the lanes that avoid it. */
static inline vm pick_one(const self *s, const th_orca_batch *b, uint32_t k, vf body[WORDS], vf x[2]) {
  vi pick = vi_load((const int32_t *)b->view->near.pick + k * TH_VIEW_LANES + s->first);
  vm valid = vm_and(vi_lt(vi_set((int32_t)k), s->neighbours), vi_lt(vi_set((int32_t)TH_NO_PICK), pick)); /* it is -1 */
  read_bodies(b, vi_select(valid, pick, vi_set(0)), body);
  x[0] = vf_sub(body[X], s->x);
  x[1] = vf_sub(body[Y], s->y);
  return vm_and(valid, vf_le(dot(x[0], x[1], x[0], x[1]), s->reach2));
}

/* True when the k-th and all later picks are nobody: many may be asked for where few stand. */
static inline bool ends_at(const th_near *near, uint32_t first, uint32_t k) {
  vi pick = vi_load((const int32_t *)near->pick + k * TH_VIEW_LANES + first);
  return !vm_any(vi_lt(vi_set((int32_t)TH_NO_PICK), pick));
}

static inline vm half_plane(self *s, const th_orca_batch *b, uint32_t k, vf line[4]) {
  vf body[WORDS], x[2];
  vm valid = pick_one(s, b, k, body, x);
  if (!vm_any(valid)) return valid;
  vf v[2] = {body[VX], body[VY]}, r = vf_add(s->radius, body[RADIUS]);
  vf rel[2] = {vf_sub(s->vx, v[0]), vf_sub(s->vy, v[1])}, r2 = vf_mul(r, r), d2 = dot(x[0], x[1], x[0], x[1]);
  vf part = s->even ? vf_set(0.5f) : part_of(s, body);
  note_standoff(s, x, r, v, part, valid);

  vm apart = vf_lt(r2, d2);
  vf rate = vf_select(apart, s->inverse_horizon, vf_set(b->inverse_dt)); /* 1 / time */
  vf wx = vf_sub(rel[0], vf_mul(x[0], rate)), wy = vf_sub(rel[1], vf_mul(x[1], rate));
  vf w2 = dot(wx, wy, wx, wy), back = dot(wx, wy, x[0], x[1]), length = vf_sqrt(w2);
  vm at_disc = vm_and(vf_lt(back, vf_zero()), vf_lt(vf_mul(r2, w2), vf_mul(back, back)));
  vm leg = vm_andnot(apart, at_disc), stuck = vm_andnot(vf_lt(length, vf_set(1e-6f)), leg);
  if (vm_any(stuck)) length = vf_select(stuck, parting(s, body, stuck, &wx, &wy), length);
  vf u[4], w[4];
  disc_line(wx, wy, length, vf_mul(r, rate), u);
  if (vm_any(leg)) {
    leg_line(x, d2, r, rel, vf_lt(vf_zero(), det(x[0], x[1], wx, wy)), w);
    for (int c = 0; c < 4; c++) u[c] = vf_select(leg, w[c], u[c]);
  }
  if (!s->even) /* with no collision ahead: the part of the gap that is left to use up */
    part = vf_select(vf_lt(vf_zero(), det(u[2], u[3], u[0], u[1])), part, vf_sub(vf_set(1.0f), part));
  line[0] = vf_select(valid, vf_add(s->vx, vf_mul(part, u[0])), vf_zero());
  line[1] = vf_select(valid, vf_add(s->vy, vf_mul(part, u[1])), vf_zero());
  line[2] = vf_select(valid, u[2], vf_zero());
  line[3] = vf_select(valid, u[3], vf_zero());
  return valid;
}

/* Nearly always all shares are the same; then each agent takes a half and nobody needs to look. */
static bool even_shares(const th_near *near) {
  if (!near->count) return true;
  const vf first = vf_set(near->share[0]);
  vm same = vf_eq(first, first);
  uint32_t i = 0;
  for (; i + TH_LANES <= near->count; i += TH_LANES) same = vm_and(same, vf_eq(vf_load(near->share + i), first));
  bool even = vm_all(same);
  for (; even && i < near->count; i++) even = near->share[i] == near->share[0];
  return even;
}

/* ---------------------------------------------------------------- programmes */

/* The best point of line i that the lines before it and the speed permit; returns the lanes where there is one.
 *   t of the crossing with line j = det(d_j, p_i - p_j) / det(d_i, d_j), an upper bound when the divisor is positive */
static inline vm on_line(const lines *l, uint32_t i, const aim *a, velocity *v) {
  const vf px = l->px[i], py = l->py[i], dx = l->dx[i], dy = l->dy[i], q = dot(px, py, dx, dy);
  const vf flat = vf_set(TH_ORCA_FLAT), steep = vf_set(-TH_ORCA_FLAT), far = vf_set(1e30f), back = vf_set(-1e30f);
  vf room = vf_sub(vf_add(vf_mul(q, q), vf_mul(a->most, a->most)), dot(px, py, px, py));
  vf root = vf_sqrt(vf_max(room, vf_zero())), low = vf_sub(vf_negate(q), root), high = vf_sub(root, q);
  vm shut = vf_lt(room, vf_zero());
  for (uint32_t j = 0; j < i; j++) {
    vf den = det(dx, dy, l->dx[j], l->dy[j]);
    vf num = det(l->dx[j], l->dy[j], vf_sub(px, l->px[j]), vf_sub(py, l->py[j])), t = vf_div(num, den);
    vm up = vf_lt(flat, den), down = vf_lt(den, steep);
    high = vf_min(high, vf_select(up, t, far));
    low = vf_max(low, vf_select(down, t, back));
    shut = vm_or(shut, vm_andnot(vf_lt(num, vf_zero()), vm_or(up, down)));
  }
  vf t;
  if (a->along)
    t = vf_select(vf_lt(vf_zero(), dot(a->x, a->y, dx, dy)), high, low);
  else
    t = vf_min(vf_max(dot(dx, dy, vf_sub(a->x, px), vf_sub(a->y, py)), low), high);
  *v = (velocity){vf_add(px, vf_mul(t, dx)), vf_add(py, vf_mul(t, dy))};
  return vm_andnot(vf_le(low, high), shut);
}

static inline vf violation(const lines *l, uint32_t i, velocity v) {
  return det(l->dx[i], l->dy[i], vf_sub(l->px[i], v.x), vf_sub(l->py[i], v.y));
}

static inline velocity choose(vm m, velocity yes, velocity no) {
  return (velocity){vf_select(m, yes.x, no.x), vf_select(m, yes.y, no.y)};
}

/* Line after line, each one that the point so far violates moves it onto itself. Returns the lanes that found no point;
 * `*at` says at which line, and their point is the last good one. */
static inline vm plan(const lines *l, uint32_t count, const aim *a, vm active, velocity *v, vi *at) {
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
static inline void bisect(const lines *l, uint32_t i, uint32_t j, lines *out) {
  const vf dx = l->dx[i], dy = l->dy[i], ex = l->dx[j], ey = l->dy[j], half = vf_set(0.5f);
  vf d = det(dx, dy, ex, ey);
  vm flat = vf_le(vf_abs(d), vf_set(TH_ORCA_FLAT)), opposed = vf_lt(dot(dx, dy, ex, ey), vf_set(-0.5f));
  vf t = vf_div(det(ex, ey, vf_sub(l->px[i], l->px[j]), vf_sub(l->py[i], l->py[j])), d);
  vf mx = vf_mul(half, vf_add(l->px[i], l->px[j])), my = vf_mul(half, vf_add(l->py[i], l->py[j]));
  vf nx = vf_sub(ex, dx), ny = vf_sub(ey, dy), k = vf_div(vf_set(1.0f), vf_sqrt(dot(nx, ny, nx, ny)));
  vm skip = vm_andnot(flat, opposed);
  out->px[j] = vf_select(skip, vf_zero(), vf_select(flat, mx, vf_add(l->px[i], vf_mul(t, dx))));
  out->py[j] = vf_select(skip, vf_zero(), vf_select(flat, my, vf_add(l->py[i], vf_mul(t, dy))));
  out->dx[j] = vf_select(skip, vf_zero(), vf_mul(nx, k));
  out->dy[j] = vf_select(skip, vf_zero(), vf_mul(ny, k));
}

/* Walls stay as they are where they alone leave a point (`hard`); else they count like neighbours. */
static inline void relax(const lines *l, uint32_t i, uint32_t walls, vm hard, lines *out) {
  for (uint32_t j = 0; j < i; j++) {
    bisect(l, i, j, out);
    if (j >= walls) continue;
    out->px[j] = vf_select(hard, l->px[j], out->px[j]);
    out->py[j] = vf_select(hard, l->py[j], out->py[j]);
    out->dx[j] = vf_select(hard, l->dx[j], out->dx[j]);
    out->dy[j] = vf_select(hard, l->dy[j], out->dy[j]);
  }
}

/* What the plan could not do. */
typedef struct crush {
  uint32_t count, walls; /* lines; how many of them are walls */
  vf most;               /* speed */
  vm failed;             /* these lanes, */
  vi at;                 /* at this line */
} crush;

/* Least penetration: from the line that failed on, each one that is violated deeper than all before pulls the point as
 * far to its own side as the lines of equal depth permit. */
static void fall_back(const lines *l, const crush *c, velocity *v) {
  lines equal;
  vf depth = vf_zero();
  vm hard = vm_andnot(vf_eq(c->most, c->most), vi_lt(c->at, vi_set((int32_t)c->walls)));
  for (uint32_t i = 0; i < c->count; i++) {
    vm due = vm_andnot(c->failed, vi_lt(vi_set((int32_t)i), c->at));
    vm bad = vm_and(due, vf_lt(depth, violation(l, i, *v)));
    if (!vm_any(bad)) continue;
    relax(l, i, c->walls, hard, &equal);
    aim a = {vf_negate(l->dy[i]), l->dx[i], c->most, true};
    velocity next = {vf_mul(a.x, c->most), vf_mul(a.y, c->most)};
    vi unused = vi_set(0);
    vm good = vm_andnot(bad, plan(&equal, i, &a, bad, &next, &unused));
    *v = choose(good, next, *v);
    depth = vf_select(bad, violation(l, i, *v), depth);
  }
}

/* After the fallback: keeps to its own part of the gap to each neighbour, so that no two bodies meet within the step.
 *   the nearest velocity within the walls' half-planes and  v . n <= (d - r (1 - squeeze)) part' / dt,  n = x / d */
static void hold_back(const th_orca_batch *b, const self *s, lines *l, const crush *c, velocity *v) {
  const th_near *near = &b->view->near;
  uint32_t rows = b->wall_rows;
  for (uint32_t k = 0; k < near->pick_count && !ends_at(near, s->first, k); k++) {
    vf body[WORDS], o[2];
    vm valid = pick_one(s, b, k, body, o);
    vf r = vf_add(s->radius, body[RADIUS]), d = vf_sqrt(dot(o[0], o[1], o[0], o[1]));
    vf gap = vf_sub(d, vf_mul(r, vf_set(1.0f - TH_ORCA_SQUEEZE)));
    gap = vf_mul(vf_max(gap, vf_zero()), vf_set(b->inverse_dt));
    vf free = vf_mul(gap, vf_sub(vf_set(1.0f), s->even ? vf_set(0.5f) : part_of(s, body)));
    valid = vm_and(vm_and(valid, c->failed), vm_and(vf_lt(vf_set(1e-6f), d), vf_lt(free, c->most)));
    if (!vm_any(valid)) continue;
    vf inverse = vf_div(vf_set(1.0f), d), nx = vf_mul(o[0], inverse), ny = vf_mul(o[1], inverse);
    l->px[rows] = vf_select(valid, vf_mul(free, nx), vf_zero());
    l->py[rows] = vf_select(valid, vf_mul(free, ny), vf_zero());
    l->dx[rows] = vf_select(valid, vf_negate(ny), vf_zero());
    l->dy[rows] = vf_select(valid, nx, vf_zero());
    rows++;
  }
  aim a = {v->x, v->y, c->most, false};
  velocity next = *v;
  vi unused = vi_set(0);
  *v = choose(vm_andnot(c->failed, plan(l, rows, &a, c->failed, &next, &unused)), next, *v);
}

/* ---------------------------------------------------------------- all of it */

static uint32_t build(const th_orca_batch *b, self *s, lines *l) {
  const uint32_t first = s->first;
  uint32_t rows = b->wall_rows;
  for (uint32_t i = 0; i < rows; i++) {
    l->px[i] = vf_load(b->wall[i][0] + first);
    l->py[i] = vf_load(b->wall[i][1] + first);
    l->dx[i] = vf_load(b->wall[i][2] + first);
    l->dy[i] = vf_load(b->wall[i][3] + first);
  }
  for (uint32_t k = 0; k < b->view->near.pick_count && !ends_at(&b->view->near, first, k); k++) {
    vf line[4];
    if (!vm_any(half_plane(s, b, k, line))) continue;
    l->px[rows] = line[0];
    l->py[rows] = line[1];
    l->dx[rows] = line[2];
    l->dy[rows] = line[3];
    rows++;
  }
  return rows;
}

/* The wanted velocity, turned aside by as much as somebody stands straight in the way. */
static void turn_aside(const th_orca_batch *b, const self *s, vf *x, vf *y) {
  vf t = vf_mul(vf_mul(s->turn, vf_set(TH_ORCA_TURN)), vf_load(b->side + s->first));
  vf k = vf_div(vf_set(1.0f), vf_sqrt(vf_add(vf_set(1.0f), vf_mul(t, t))));
  vf wx = *x, wy = *y;
  vm some = vf_lt(vf_zero(), s->turn);
  *x = vf_select(some, vf_mul(vf_add(wx, vf_mul(wy, t)), k), wx);
  *y = vf_select(some, vf_mul(vf_sub(wy, vf_mul(wx, t)), k), wy);
}

void TH_LANES_NAME(th_orca_solve)(th_orca_batch *b) {
  const th_view *v = b->view;
  const bool even = even_shares(&v->near);
  float share[TH_VIEW_LANES] = {0};
  for (uint32_t lane = 0; !even && lane < TH_VIEW_LANES; lane++) share[lane] = th_orca_own_share(v, lane);
  lines l;
  lay_bodies(b);
  for (uint32_t i = 0; i < TH_VIEW_LANES; i += TH_LANES) {
    self s = {.x = vf_load(v->x + i),
              .y = vf_load(v->y + i),
              .vx = vf_load(v->vx + i),
              .vy = vf_load(v->vy + i),
              .radius = vf_load(v->radius + i),
              .share = vf_load(share + i),
              .ux = vf_load(b->ux + i),
              .uy = vf_load(b->uy + i),
              .inverse_horizon = vf_load(b->inverse_horizon + i),
              .reach2 = vf_load(b->reach2 + i),
              .neighbours = vi_load(b->neighbours + i),
              .slot = vi_load((const int32_t *)v->slot + i),
              .turn = vf_zero(),
              .first = i,
              .even = even};
    uint32_t count = build(b, &s, &l);
    aim a = {vf_load(b->wx + i), vf_load(b->wy + i), vf_load(v->speed_max + i), false};
    if (vm_any(vf_lt(vf_zero(), s.turn))) turn_aside(b, &s, &a.x, &a.y);
    velocity best = {a.x, a.y};
    crush c = {.count = count, .walls = b->wall_rows, .most = a.most, .at = vi_set((int32_t)count)};
    c.failed = plan(&l, count, &a, vf_eq(a.x, a.x), &best, &c.at);
    if (vm_any(c.failed)) {
      fall_back(&l, &c, &best);
      hold_back(b, &s, &l, &c, &best);
    }
    vf_store(b->vx + i, best.x);
    vf_store(b->vy + i, best.y);
  }
}
