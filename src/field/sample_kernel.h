/* field/sample_kernel.h - the way at a place, smooth below the cell; compiled for one lane and for every width.
 *
 * U is the quadratic spline with the cells' u as coefficients: U(x) = sum of B(x - i) B(y - j) u_ij over the 3 x 3
 * cells around the place. grad U is continuous, so headings are; and as u is harmonic inside and 0 on walls, U is at
 * most the mean of its values one cell away in the four directions, so no top but the goal can stop an ascent (bilinear
 * gradients do stop, between obstacles one cell apart). U and grad U need only the rows through the cell and its
 * northern and southern neighbours, the columns likewise: five nodes. With t in [-1/2, 1/2] from the centre,
 *   B = (1/2 - t)^2 / 2,  3/4 - t^2,  (1/2 + t)^2 / 2,
 *   a row's slope is g + t h, its value 1 + h/8 + t (g + t h / 2), both relative to its middle cell.
 * A neighbour that is blocked has no row of its own: with mirrors it repeats the cell's row, else only its ends count.
 * Near a critical point of U the slope says nothing; there the steepest neighbour leads, so nobody stands still on
 * the axis of a symmetric map. Cost: 22 loads and some 150 operations; one division.
 */
#include "field/field.h"

#define STEER 0.5f /* slope below this part of the steepest rise: the steepest neighbour leads */

enum { WORD_GX, WORD_HX, WORD_GY, WORD_HY, WORD_LEFT, WORD_CODE, WORD_STEER_X, WORD_STEER_Y };

/* Slope and bend of one node along one axis. */
typedef struct bend {
  vf g, h;
} bend;

/* B of the cell before, the cell itself and the one after. */
typedef struct weights {
  vf low, middle, high;
} weights;

/* Slope and value of U along a row or column of three cells, relative to its middle cell. */
typedef struct lines {
  vf slope, value;
} lines;

typedef struct found {
  vf gx, gy, left; /* [1/m], [m] */
  vi code;
} found;

static inline vm has(vi code, int32_t bit) { return vi_eq(vi_and(code, vi_set(bit)), vi_set(bit)); }
static inline vf where(vm m, vf a) { return vf_select(m, a, vf_zero()); }
static inline vf clamped(vf f, float most) { return vf_min(vf_max(f, vf_set(1.0f)), vf_set(most)); }

static inline weights weights_at(vf t) {
  const vf half = vf_set(0.5f), low = vf_sub(half, t), high = vf_add(half, t);
  return (weights){vf_mul(half, vf_mul(low, low)), vf_sub(vf_set(0.75f), vf_mul(t, t)),
                   vf_mul(half, vf_mul(high, high))};
}

static inline bend bend_at(const float *word, vi node, int32_t axis) {
  return (bend){vf_gather(word, vi_add(node, vi_set(axis))), vf_gather(word, vi_add(node, vi_set(axis + 1)))};
}

/* Ratios of the next cells up and down an axis to the node's own. */
static inline vf ratio_up(bend b) { return vf_add(vf_set(1.0f), vf_add(b.g, vf_mul(vf_set(0.5f), b.h))); }
static inline vf ratio_down(bend b) { return vf_sub(vf_set(1.0f), vf_sub(b.g, vf_mul(vf_set(0.5f), b.h))); }

static inline lines along(bend b, vf t) {
  const vf th = vf_mul(t, b.h), value = vf_add(vf_set(1.0f), vf_mul(vf_set(0.125f), b.h));
  return (lines){vf_add(b.g, th), vf_add(value, vf_mul(t, vf_add(b.g, vf_mul(vf_set(0.5f), th))))};
}

/* The line through a neighbour beside the cell: its own when it is free; else a mirror of the cell's line, or only
 * the two corner cells at its ends (`down` and `up`, as ratios to the cell). */
typedef struct beside {
  vm free;
  vf ratio; /* of the neighbour to the cell */
  bend bend;
  vf down, up;
} beside;

static inline lines line_beside(const beside *b, lines own, vf t, bool mirror) {
  const vf half = vf_set(0.5f), low = vf_sub(half, t), high = vf_add(half, t);
  const lines open = along(b->bend, t);
  lines shut = own;
  if (!mirror) {
    shut.slope = vf_sub(vf_mul(high, b->up), vf_mul(low, b->down));
    shut.value = vf_mul(half, vf_add(vf_mul(vf_mul(high, high), b->up), vf_mul(vf_mul(low, low), b->down)));
  }
  return (lines){vf_select(b->free, vf_mul(b->ratio, open.slope), shut.slope),
                 vf_select(b->free, vf_mul(b->ratio, open.value), shut.value)};
}

static inline vf weighed(weights w, vf low, vf middle, vf high) {
  return vf_add(vf_mul(w.middle, middle), vf_add(vf_mul(w.low, low), vf_mul(w.high, high)));
}

/* The cell of a place: index of its first word, and the offsets from its centre in cells. */
typedef struct spot {
  vi node;
  vf tx, ty;
} spot;

static inline spot spot_at(const th_field *field, vf x, vf y) {
  const vf scale = vf_set(field->inverse_cell), half = vf_set(0.5f);
  const vf fi = clamped(vf_mul(vf_sub(x, vf_set(field->x0)), scale), field->most_i);
  const vf fj = clamped(vf_mul(vf_sub(y, vf_set(field->y0)), scale), field->most_j);
  const vi i = vf_to_int(fi), j = vf_to_int(fj);
  return (spot){vi_shl(vi_add(vi_mul(j, vi_set((int32_t)field->width)), i), 3),
                vf_sub(vf_sub(fi, vi_to_float(i)), half), vf_sub(vf_sub(fj, vi_to_float(j)), half)};
}

/* East, north, west and south of a cell; the cell itself where that neighbour is blocked. */
typedef struct cross {
  vm free[4];
  vi node[4];
} cross;

static inline cross cross_at(const th_field *field, vi node, vi code) {
  const int32_t row = TH_NODE_WORDS * (int32_t)field->width;
  const int32_t step[4] = {TH_NODE_WORDS, row, -TH_NODE_WORDS, -row};
  cross c;
  for (int k = 0; k < 4; k++) {
    c.free[k] = has(code, 1 << k);
    c.node[k] = vi_select(c.free[k], vi_add(node, vi_set(step[k])), node);
  }
  return c;
}

/* grad U / U [per cell]. */
static inline void spline_slope(const th_field *field, spot s, const cross *c, vf *gx, vf *gy) {
  const float *word = (const float *)field->node;
  const bend bx = bend_at(word, s.node, WORD_GX), by = bend_at(word, s.node, WORD_GY);
  const bend n = bend_at(word, c->node[1], WORD_GX), z = bend_at(word, c->node[3], WORD_GX);
  const bend e = bend_at(word, c->node[0], WORD_GY), w = bend_at(word, c->node[2], WORD_GY);
  const vf re = ratio_up(bx), rw = ratio_down(bx), rn = ratio_up(by), rz = ratio_down(by);
  const vf fe = where(c->free[0], re), fw = where(c->free[2], rw), fn = where(c->free[1], rn),
           fz = where(c->free[3], rz);
  const beside north = {c->free[1], rn, n, vf_mul(fw, ratio_up(w)), vf_mul(fe, ratio_up(e))};
  const beside south = {c->free[3], rz, z, vf_mul(fw, ratio_down(w)), vf_mul(fe, ratio_down(e))};
  const beside east = {c->free[0], re, e, vf_mul(fz, ratio_up(z)), vf_mul(fn, ratio_up(n))};
  const beside west = {c->free[2], rw, w, vf_mul(fz, ratio_down(z)), vf_mul(fn, ratio_down(n))};
  const weights wx = weights_at(s.tx), wy = weights_at(s.ty);
  const lines row = along(bx, s.tx), column = along(by, s.ty);
  const lines row_n = line_beside(&north, row, s.tx, field->mirror),
              row_s = line_beside(&south, row, s.tx, field->mirror);
  const vf column_e = line_beside(&east, column, s.ty, field->mirror).slope;
  const vf column_w = line_beside(&west, column, s.ty, field->mirror).slope;
  const vf whole = vf_div(vf_set(1.0f), weighed(wy, row_s.value, row.value, row_n.value));
  *gx = vf_mul(weighed(wy, row_s.slope, row.slope, row_n.slope), whole);
  *gy = vf_mul(weighed(wx, column_w, column.slope, column_e), whole);
}

/* Central differences; a blocked side counts as level. */
static inline vf left_at(const float *word, spot s, const cross *c) {
  vf at[4];
  for (int k = 0; k < 4; k++) at[k] = vf_gather(word, vi_add(c->node[k], vi_set(WORD_LEFT)));
  const vf half = vf_set(0.5f), own = vf_gather(word, vi_add(s.node, vi_set(WORD_LEFT)));
  const vf dx = vf_mul(vf_mul(half, s.tx), vf_sub(at[0], at[2]));
  const vf dy = vf_mul(vf_mul(half, s.ty), vf_sub(at[1], at[3]));
  return vf_max(vf_add(own, vf_add(dx, dy)), vf_zero());
}

static inline vf square(vf x, vf y) { return vf_add(vf_mul(x, x), vf_mul(y, y)); }

static inline found find(const th_field *field, vf x, vf y) {
  const float *word = (const float *)field->node;
  const spot s = spot_at(field, x, y);
  const vi code = vi_gather((const int32_t *)field->node, vi_add(s.node, vi_set(WORD_CODE)));
  const cross c = cross_at(field, s.node, code);
  vf gx, gy;
  spline_slope(field, s, &c, &gx, &gy);
  const vf steer_x = vf_gather(word, vi_add(s.node, vi_set(WORD_STEER_X)));
  const vf steer_y = vf_gather(word, vi_add(s.node, vi_set(WORD_STEER_Y)));
  const vm weak = vf_lt(square(gx, gy), vf_mul(vf_set(STEER * STEER), square(steer_x, steer_y)));
  const vm follow = vm_andnot(has(code, TH_NODE_FREE), weak); /* a blocked cell has its steer only */
  const vm leads = vm_andnot(has(code, TH_NODE_REACHES), has(code, TH_NODE_GOAL));
  const vf scale = where(leads, vf_set(field->inverse_cell));
  found f;
  f.gx = vf_mul(vf_select(follow, gx, steer_x), scale);
  f.gy = vf_mul(vf_select(follow, gy, steer_y), scale);
  f.left = vf_select(has(code, TH_NODE_REACHES), left_at(word, s, &c), vf_set(INFINITY));
  f.left = vf_select(has(code, TH_NODE_GOAL), vf_zero(), f.left);
  f.code = code;
  return f;
}
