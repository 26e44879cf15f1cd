/* field/grid/sample_kernel.h - the direction at a place, smooth within the cell; compiled for one lane and for every
 * width.
 *
 * U is the quadratic spline with the cells' u as coefficients: U(x) = sum of B(x - i) B(y - j) u_ij over the 3 x 3
 * cells around the place. grad U is continuous, so headings are; a harmonic u is reproduced to third order; and as u is
 * harmonic inside and 0 on walls, U is at most the mean of its values one cell away in the four directions, so maxima
 * other than the goal are rare (bilinear slopes have them between obstacles one cell apart); false_tops.c corrects
 * them. With t in [-1/2, 1/2] from the centre, B = (1/2 - t)^2 / 2, 3/4 - t^2, (1/2 + t)^2 / 2, and a line of three
 * cells (m + down, m, m + up) has the slope (1/2 + t) up - (1/2 - t) down and the bend up + down. On the axis of a
 * symmetric map an agent would walk into a saddle of U and stay: where the slope is weak beside the bend, it follows
 * the axis along which U bends upwards most, to the side it already leans to. (Around a goal slopes look weak as well,
 * but there the agent can be led nowhere else.) Cost: one node, some 200 operations, one division; twice that in fields
 * for agents with vectors of their own.
 */
#include "field/field.h"

/* A file that includes this defines load_node(word, node, out): the eight words of each lane's node. */

#define WEAK 0.25f /* slope over bend; of a saddle these are the points within 1/4 cell */

enum { WORD_MORE, WORD_SCALE = 4, WORD_LEFT, WORD_LEFT_MORE, WORD_CODE };

/* B of the cell before, the cell itself and the one after. */
typedef struct weights {
  vf low, middle, high;
} weights;

/* Three cells in a row or column: the middle one, and the differences of its neighbours to it. In units of the place's
 * cell. */
typedef struct line {
  vf middle, down, up;
} line;

typedef struct found {
  vf gx, gy, left; /* [1/m], [m] */
  vi code;
} found;

static inline vm has(vi code, int32_t bit) { return vi_eq(vi_and(code, vi_set(bit)), vi_set(bit)); }
static inline vf where(vm m, vf a) { return vf_select(m, a, vf_zero()); }
static inline vf clamped(vf f, float max) { return vf_min(vf_max(f, vf_set(1.0f)), vf_set(max)); }
static inline vf square(vf x, vf y) { return vf_add(vf_mul(x, x), vf_mul(y, y)); }

/* The two halves of a word as numbers from -32768 to 32767. */
static inline vf low_half(vf word) {
  return vf_sub(vi_to_float(vi_and(vf_bits(word), vi_set(0xffff))), vf_set(32768.0f));
}
static inline vf high_half(vf word) { return vf_sub(vi_to_float(vi_shr(vf_bits(word), 16)), vf_set(32768.0f)); }

static inline weights weights_at(vf t) {
  const vf half = vf_set(0.5f), low = vf_sub(half, t), high = vf_add(half, t);
  return (weights){vf_mul(half, vf_mul(low, low)), vf_sub(vf_set(0.75f), vf_mul(t, t)),
                   vf_mul(half, vf_mul(high, high))};
}

/* Derivatives of the weights. */
static inline weights slopes_at(vf t) {
  const vf half = vf_set(0.5f);
  return (weights){vf_sub(t, half), vf_mul(vf_set(-2.0f), t), vf_add(half, t)};
}

static inline vf weighed(weights w, const vf of[3]) {
  return vf_add(vf_mul(w.middle, of[1]), vf_add(vf_mul(w.low, of[0]), vf_mul(w.high, of[2])));
}

static inline vf slope_of(line l, vf t) {
  return vf_sub(vf_mul(vf_add(vf_set(0.5f), t), l.up), vf_mul(vf_sub(vf_set(0.5f), t), l.down));
}

static inline vf bend_of(line l) { return vf_add(l.up, l.down); }

static inline vf value_of(line l, weights w) {
  return vf_add(l.middle, vf_add(vf_mul(w.low, l.down), vf_mul(w.high, l.up)));
}

/* The cell of a place: index of its first word, and the offsets from its centre in cells. */
typedef struct spot {
  vi node;
  vf tx, ty;
} spot;

static inline spot spot_at(const th_field *field, vf x, vf y) {
  const vf scale = vf_set(field->inverse_cell), half = vf_set(0.5f);
  const vf fi = clamped(vf_mul(vf_sub(x, vf_set(field->x0)), scale), field->max_i);
  const vf fj = clamped(vf_mul(vf_sub(y, vf_set(field->y0)), scale), field->max_j);
  const vi i = vf_to_int(fi), j = vf_to_int(fj);
  return (spot){vi_shl(vi_add(vi_mul(j, vi_set((int32_t)field->width)), i), 3),
                vf_sub(vf_sub(fi, vi_to_float(i)), half), vf_sub(vf_sub(fj, vi_to_float(j)), half)};
}

/* First and second derivatives of U over U [per cell]. */
typedef struct shape {
  vf x, y, xx, xy, yy;
} shape;

/* Rows from south to north and columns from west to east through the 3 x 3 cells. */
typedef struct frame {
  line row[3], column[3];
} frame;

static inline line line_of(vf middle, vf down, vf up) {
  return (line){vf_add(vf_set(1.0f), middle), vf_sub(down, middle), vf_sub(up, middle)};
}

static inline frame frame_of(const vf node[8]) {
  vf m[8];
  for (int k = 0; k < 4; k++) {
    m[2 * k] = vf_mul(low_half(node[WORD_MORE + k]), node[WORD_SCALE]);
    m[2 * k + 1] = vf_mul(high_half(node[WORD_MORE + k]), node[WORD_SCALE]);
  }
  const vf own = vf_zero();
  return (frame){{line_of(m[TH_SOUTH], m[TH_SOUTH_WEST], m[TH_SOUTH_EAST]), line_of(own, m[TH_WEST], m[TH_EAST]),
                  line_of(m[TH_NORTH], m[TH_NORTH_WEST], m[TH_NORTH_EAST])},
                 {line_of(m[TH_WEST], m[TH_SOUTH_WEST], m[TH_NORTH_WEST]), line_of(own, m[TH_SOUTH], m[TH_NORTH]),
                  line_of(m[TH_EAST], m[TH_SOUTH_EAST], m[TH_NORTH_EAST])}};
}

static inline shape shape_at(const vf node[8], spot s) {
  const frame f = frame_of(node);
  const weights wx = weights_at(s.tx), wy = weights_at(s.ty);
  vf value[3], x[3], y[3], xx[3], yy[3];
  for (int k = 0; k < 3; k++) {
    value[k] = value_of(f.row[k], wx);
    x[k] = slope_of(f.row[k], s.tx);
    y[k] = slope_of(f.column[k], s.ty);
    xx[k] = bend_of(f.row[k]);
    yy[k] = bend_of(f.column[k]);
  }
  const vf whole = vf_div(vf_set(1.0f), weighed(wy, value));
  return (shape){vf_mul(weighed(wy, x), whole), vf_mul(weighed(wx, y), whole), vf_mul(weighed(wy, xx), whole),
                 vf_mul(weighed(slopes_at(s.ty), x), whole), vf_mul(weighed(wx, yy), whole)};
}

/* Replaces a weak slope by the eigenvector of the largest eigenvalue of U's second derivatives,
 *   most = (xx + yy) / 2 + sqrt(((xx - yy) / 2)^2 + xy^2),
 * scaled to about half of it, which is the rise one cell along. */
static inline void leave_saddle(shape *u, vm allowed) {
  const vf half = vf_set(0.5f), mean = vf_mul(half, vf_add(u->xx, u->yy)), gap = vf_mul(half, vf_sub(u->xx, u->yy));
  const vf max = vf_add(mean, vf_sqrt(square(gap, u->xy)));
  const vf limit = vf_mul(vf_set(WEAK), max);
  const vm weak = vm_and(vm_and(allowed, vf_lt(vf_zero(), max)), vf_lt(square(u->x, u->y), vf_mul(limit, limit)));
  const vm wide = vf_lt(gap, vf_zero()); /* bends more along y */
  vf ex = vf_mul(vf_set(0.25f), vf_select(wide, u->xy, vf_sub(max, u->yy)));
  vf ey = vf_mul(vf_set(0.25f), vf_select(wide, vf_sub(max, u->xx), u->xy));
  const vm back = vf_lt(vf_add(vf_mul(u->x, ex), vf_mul(u->y, ey)), vf_zero());
  ex = vf_select(back, vf_sub(vf_zero(), ex), ex);
  ey = vf_select(back, vf_sub(vf_zero(), ey), ey);
  u->x = vf_select(weak, ex, u->x);
  u->y = vf_select(weak, ey, u->y);
}

/* In a cell without a spline: straight to the aim, whatever the agent's own vector. */
static inline void take_aim(vi code, spot s, vm smooth, shape *u) {
  const vf middle = vf_set(128.0f);
  const vf aim_x = vf_sub(vi_to_float(vi_and(vi_shr(code, 16), vi_set(255))), middle);
  const vf aim_y = vf_sub(vi_to_float(vi_shr(code, 24)), middle);
  u->x = vf_select(smooth, u->x, vf_sub(aim_x, s.tx));
  u->y = vf_select(smooth, u->y, vf_sub(aim_y, s.ty));
}

static inline vf left_at(const th_field *field, const vf node[8], spot s) {
  const vf cells = vf_add(vf_mul(s.tx, low_half(node[WORD_LEFT_MORE])), vf_mul(s.ty, high_half(node[WORD_LEFT_MORE])));
  return vf_max(vf_add(node[WORD_LEFT], vf_mul(cells, vf_set(field->cell / 16384.0f))), vf_zero());
}

/* Part of `to` in the mixture. */
static inline shape mixed(shape from, shape to, vf part) {
  return (shape){vf_add(from.x, vf_mul(part, vf_sub(to.x, from.x))), vf_add(from.y, vf_mul(part, vf_sub(to.y, from.y))),
                 vf_add(from.xx, vf_mul(part, vf_sub(to.xx, from.xx))),
                 vf_add(from.xy, vf_mul(part, vf_sub(to.xy, from.xy))),
                 vf_add(from.yy, vf_mul(part, vf_sub(to.yy, from.yy)))};
}

/* Adds the field for vectors along y by its share oy^2 / (ox^2 + oy^2), or half of it for agents without a vector. */
static inline shape with_across(const th_field *field, shape u, spot s, vf ox, vf oy) {
  vf node[8];
  load_node((const float *)field->across, s.node, node);
  const vf all = square(ox, oy), part = vf_div(vf_mul(oy, oy), all);
  return mixed(u, shape_at(node, s), vf_select(vf_lt(vf_zero(), all), part, vf_set(0.5f)));
}

/* The direction at x, y for an agent whose own vector adds (ox, oy) [1/m]. */
static inline found find(const th_field *field, vf x, vf y, vf ox, vf oy) {
  const spot s = spot_at(field, x, y);
  vf node[8];
  load_node((const float *)field->node, s.node, node);
  const vi code = vf_bits(node[WORD_CODE]);
  const vm smooth = has(code, TH_NODE_SMOOTH), goal = has(code, TH_NODE_GOAL), reaches = has(code, TH_NODE_REACHES);
  shape u = shape_at(node, s);
  if (field->across) u = with_across(field, u, s, ox, oy);
  u.x = vf_add(u.x, vf_mul(ox, vf_set(field->cell)));
  u.y = vf_add(u.y, vf_mul(oy, vf_set(field->cell)));
  leave_saddle(&u, vm_andnot(smooth, has(code, TH_NODE_BESIDE_GOAL)));
  take_aim(code, s, smooth, &u);
  const vf scale = where(vm_andnot(reaches, goal), vf_set(field->inverse_cell));
  const vf left = vf_select(reaches, left_at(field, node, s), vf_set(INFINITY));
  return (found){vf_mul(u.x, scale), vf_mul(u.y, scale), vf_select(goal, vf_zero(), left), code};
}
