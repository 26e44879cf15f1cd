/* world/step/motion.lanes.c - from advice to a step: limits of acceleration, speed and turning.
 *
 *   v' = v + (a - v) min(ease, speed_step / |a - v|),   |v'| <= speed_max,   displacement = v' dt
 *   x' = x + (displacement + rest), rounded,   rest' = displacement + rest - (x' - x)
 *   heading turns by at most the angle (turn_c, turn_s), towards the advised one, or towards v' when none is advised
 *
 * An infinite limit switches itself off in these formulas. A lane is safe when the clearance of its cell proves that no
 * wall can be reached; the others are walked one by one.
 */
#include "world/step/motion.h"

#include "base/simd/rows.h"
#include "ground/walk.h"

#define FAR2 1e12f /* [m^2]: the walk refuses longer displacements */
#define SLOW 0.01f /* (0.1 m/s)^2: below it a body keeps its heading */

static vf limited(vf square, vf max) { /* factor that shortens a vector of squared length `square` to `max` */
  vm over = vf_lt(vf_mul(max, max), square);
  vf root = vf_sqrt(vf_select(over, square, vf_set(1.0f)));
  return vf_select(over, vf_div(max, root), vf_set(1.0f));
}

static void turn_heading(th_motion *m, uint32_t i, vf vx, vf vy, vf speed2) {
  vf hx = vf_load(m->hx + i), hy = vf_load(m->hy + i), tx = vf_load(m->ahx + i), ty = vf_load(m->ahy + i);
  vf length2 = vf_add(vf_mul(tx, tx), vf_mul(ty, ty));
  vm advised = vf_lt(vf_zero(), length2), moving = vf_lt(vf_set(SLOW), speed2);
  tx = vf_select(advised, tx, vf_select(moving, vx, hx));
  ty = vf_select(advised, ty, vf_select(moving, vy, hy));
  if (m->eases) {
    vf ease = vf_load(m->ease + i), rest = vf_sub(vf_set(1.0f), ease);
    vf sx = vf_add(vf_mul(ease, tx), vf_mul(rest, hx)), sy = vf_add(vf_mul(ease, ty), vf_mul(rest, hy));
    vm smooth = vm_and(vf_lt(ease, vf_set(1.0f)), vf_lt(vf_set(1e-6f), vf_add(vf_mul(sx, sx), vf_mul(sy, sy))));
    tx = vf_select(smooth, sx, tx);
    ty = vf_select(smooth, sy, ty);
  }
  vf length = vf_sqrt(vf_add(vf_mul(tx, tx), vf_mul(ty, ty)));
  tx = vf_div(tx, length);
  ty = vf_div(ty, length);
  vf cosine = vf_add(vf_mul(hx, tx), vf_mul(hy, ty)), sine = vf_sub(vf_mul(hx, ty), vf_mul(hy, tx));
  vf c = vf_load(m->turn_c + i), s = vf_load(m->turn_s + i);
  s = vf_select(vf_lt(sine, vf_zero()), vf_negate(s), s);
  vf rx = vf_sub(vf_mul(hx, c), vf_mul(hy, s)), ry = vf_add(vf_mul(hy, c), vf_mul(hx, s));
  vf norm = vf_sqrt(vf_add(vf_mul(rx, rx), vf_mul(ry, ry)));
  vm near = vf_le(c, cosine);
  vf_store(m->hx + i, vf_select(near, tx, vf_div(rx, norm)));
  vf_store(m->hy + i, vf_select(near, ty, vf_div(ry, norm)));
}

/* What is to be walked: the displacement, and what was left before. */
static inline void add_rest(const th_motion *m, uint32_t i, vf dx, vf dy, vf *gx, vf *gy) {
  vf rx, ry;
  vf_load_pairs(&m->rest[i].x, &rx, &ry);
  *gx = vf_add(dx, rx);
  *gy = vf_add(dy, ry);
}

/* Goes by (gx, gy): the displacement and what was left before. */
static void go(th_motion *m, uint32_t i, vf gx, vf gy) {
  vf x = vf_load(m->x + i), y = vf_load(m->y + i), nx = vf_add(x, gx), ny = vf_add(y, gy);
  vf wx = vf_sub(nx, x), wy = vf_sub(ny, y);
  vf_store(m->nx + i, nx);
  vf_store(m->ny + i, ny);
  vf_store_pairs(&m->left[i].x, vf_sub(gx, wx), vf_sub(gy, wy));
  vf_store(m->length2 + i, vf_add(vf_mul(wx, wx), vf_mul(wy, wy)));
}

void TH_LANES_NAME(th_motion_plan)(th_motion *m) {
  const vf dt = vf_set(m->dt), rate = vf_set(1.0f / m->dt);
  m->safe = 0;
  for (uint32_t i = 0; i < 16; i += TH_LANES) {
    vf vx = vf_load(m->vx + i), vy = vf_load(m->vy + i);
    vf ex = vf_sub(vf_load(m->ax + i), vx), ey = vf_sub(vf_load(m->ay + i), vy);
    vf k = limited(vf_add(vf_mul(ex, ex), vf_mul(ey, ey)), vf_load(m->speed_step + i));
    if (m->eases) k = vf_min(k, vf_load(m->ease + i));
    vx = vf_add(vx, vf_mul(ex, k));
    vy = vf_add(vy, vf_mul(ey, k));
    k = limited(vf_add(vf_mul(vx, vx), vf_mul(vy, vy)), vf_load(m->speed_max + i));
    vx = vf_mul(vx, k);
    vy = vf_mul(vy, k);
    turn_heading(m, i, vx, vy, vf_add(vf_mul(vx, vx), vf_mul(vy, vy)));
    vf dx = vf_mul(vx, dt), dy = vf_mul(vy, dt), gx, gy;
    add_rest(m, i, dx, dy, &gx, &gy);
    vf length2 = vf_add(vf_mul(gx, gx), vf_mul(gy, gy));
    vf slack = vf_sub(vf_load(m->clear + i), vf_load(m->radius + i));
    vm safe = vm_and(vf_lt(vf_zero(), slack), vf_lt(length2, vf_mul(slack, slack)));
    vf_store(m->dx + i, dx);
    vf_store(m->dy + i, dy);
    m->safe |= vm_bits(safe) << i;
    vf_store(m->vx + i, vf_mul(dx, rate));
    vf_store(m->vy + i, vf_mul(dy, rate));
    go(m, i, gx, gy);
  }
}

void TH_LANES_NAME(th_motion_cells)(const th_cell_grid *g, const float *x, const float *y, uint32_t cell[16]) {
  const vf x0 = vf_set(g->x0), y0 = vf_set(g->y0), inverse = vf_set(g->inverse);
  const vf mi = vf_set((float)(g->width - 1)), mj = vf_set((float)(g->height - 1));
  const vi width = vi_set((int32_t)g->width);
  for (uint32_t i = 0; i < 16; i += TH_LANES) {
    vf fi = vf_mul(vf_sub(vf_load(x + i), x0), inverse), fj = vf_mul(vf_sub(vf_load(y + i), y0), inverse);
    vi column = vf_to_int(vf_min(vf_max(fi, vf_zero()), mi)), row = vf_to_int(vf_min(vf_max(fj, vf_zero()), mj));
    vi_store((int32_t *)cell + i, vi_add(vi_mul(row, width), column));
  }
}

/* Inside of all three sides of the triangle (0, 0), (bx, 0), (cx, cy): the arithmetic of ground/mesh/walk.c. *over
 * is the word of a side that p lies beyond. */
static inline vm in_triangle(const vf *row, vf x, vf y, vi *over) {
  const vf bx = row[0], cx = row[1], cy = row[2];
  vf a = vf_mul(bx, y), c = vf_sub(vf_mul(cy, x), vf_mul(cx, y));
  vf b = vf_sub(vf_mul(vf_sub(cx, bx), y), vf_mul(cy, vf_sub(x, bx)));
  vf word = vf_select(vf_lt(a, vf_zero()), row[3], vf_select(vf_lt(b, vf_zero()), row[4], row[5]));
  *over = vf_bits(word);
  return vm_and(vf_le(vf_zero(), a), vm_and(vf_le(vf_zero(), b), vf_le(vf_zero(), c)));
}

static inline vm find_inside(const th_motion *m, th_staying *s, uint32_t i, vf gx, vf gy, vf length2) {
  vi cell = vi_load((const int32_t *)s->face + i), over;
  vf row[8];
  vf_load_rows((const float *)s->mesh->frames.walk, vi_shl(cell, 4), row);
  vm in = in_triangle(row, vf_add(vf_load(m->x + i), gx), vf_add(vf_load(m->y + i), gy), &over);
  vm free = vf_lt(length2, vf_set(FAR2));
  if (!s->mesh->closed) {
    vf spare = vf_sub(vf_sub(vf_gather(s->mesh->face_clearance, cell), vf_load(m->radius + i)), vf_set(TH_WALK_SKIN));
    free = vm_and(vf_lt(vf_zero(), spare), vf_lt(length2, vf_mul(spare, spare)));
    in = vm_and(in, free);
  }
  s->free |= vm_bits(free) << i;
  vi_store((int32_t *)s->over + i, over);
  return in;
}

/* Turns that change nothing, as they lie in memory: c, s, c, s ... */
static const float identity[16] = {1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f,
                                   1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f};

/* Ends the displacement (gx, gy), rest included, of the lanes that stay in their face. */
static inline void stay_in(th_motion *m, th_staying *s, uint32_t i, vm in, vf gx, vf gy) {
  vf x = vf_load(m->x + i), y = vf_load(m->y + i), rx, ry;
  vf_load_pairs(&m->rest[i].x, &rx, &ry);
  vf nx = vf_add(x, vf_select(in, gx, vf_zero())), ny = vf_add(y, vf_select(in, gy, vf_zero()));
  vf_store(s->x + i, nx);
  vf_store(s->y + i, ny);
  rx = vf_select(in, vf_sub(gx, vf_sub(nx, x)), rx);
  ry = vf_select(in, vf_sub(gy, vf_sub(ny, y)), ry);
  vf_store_pairs(&m->left[i].x, rx, ry);
}

/* Turns velocity back by a rotation with c = 1, s = 0, as for agents that cross an edge by theirs: signs of zeros
 * included. */
void TH_LANES_NAME(th_motion_stay)(th_motion *m, th_staying *s) {
  const vf one = vf_set(1.0f), none = vf_zero(), rate = vf_set(1.0f / m->dt);
  s->inside = s->still = s->free = 0;
  for (uint32_t i = 0; i < 16; i += TH_LANES) {
    vf dx = vf_load(m->dx + i), dy = vf_load(m->dy + i), gx, gy;
    add_rest(m, i, dx, dy, &gx, &gy);
    vf length2 = vf_add(vf_mul(gx, gx), vf_mul(gy, gy));
    vm moves = vm_from_bits(s->movers >> i), in = vm_and(find_inside(m, s, i, gx, gy, length2), moves);
    vf wx = vf_select(in, dx, none), wy = vf_select(in, dy, none);
    s->inside |= vm_bits(in) << i;
    s->still |= vm_bits(vm_and(vf_eq(dx, none), vf_eq(dy, none))) << i;
    vf_store(s->dx + i, wx);
    vf_store(s->dy + i, wy);
    stay_in(m, s, i, in, gx, gy);
    vf_store(m->vx + i, vf_mul(vf_add(vf_mul(one, wx), vf_mul(none, wy)), rate));
    vf_store(m->vy + i, vf_mul(vf_sub(vf_mul(one, wy), vf_mul(none, wx)), rate));
    vf_store(m->length2 + i,
             vf_select(moves, length2, none)); /* the wanted one: at a wall more than the realised one */
    vf_store((float *)(s->turn + i), vf_load(identity));
    vf_store((float *)(s->turn + i) + TH_LANES, vf_load(identity));
  }
}

static uint32_t turned(const th_turn *turn) {
  const vf same = vf_load(identity);
  uint32_t alike = 0;
  for (uint32_t i = 0; i < 32; i += TH_LANES) alike |= vm_bits(vf_eq(vf_load((const float *)turn + i), same)) << i;
  return ~(alike & alike >> 1) & 0x55555555u;
}

/* The velocity that is kept follows from the displacement, not from places, which are rounded. */
void TH_LANES_NAME(th_motion_land)(th_landing *l) {
  const vf rate = vf_set(l->rate), limit = vf_set(TH_SLOW2);
  l->slow = 0;
  for (uint32_t i = 0; i < 16; i += TH_LANES) {
    vf vx = vf_mul(vf_load(l->dx + i), rate), vy = vf_mul(vf_load(l->dy + i), rate);
    vf_store(l->vx + i, vx);
    vf_store(l->vy + i, vy);
    l->slow |= vm_bits(vf_lt(vf_add(vf_mul(vx, vx), vf_mul(vy, vy)), limit)) << i;
  }
  if (l->turn) l->turned = turned(l->turn);
}
