/* field/sample.lanes.c - th_field_sample for sixteen places at once.
 *
 * The same operations in the same order as sample.c, one place a lane; decisions become blends. The node of a cell is
 * four words, so index 4 * cell + k gathers its k-th word. Cost: 13 gathers for each register of places; the table
 * is the only memory touched.
 */
#include "field/sample.h"

#include <math.h>

/* The four corners around a place: home, across (east or west), along (north or south), and both. */
typedef struct corners {
  vi at[4]; /* word index of the node */
  vf weight[4];
  vi code; /* of home */
} corners;

static inline vm has(vi code, int32_t bit) { return vi_eq(vi_and(code, vi_set(bit)), vi_set(bit)); }

static inline vf clamped(vf f, float most) { return vf_min(vf_max(f, vf_set(1.0f)), vf_set(most)); }

static inline vf where(vm m, vf a) { return vf_select(m, a, vf_zero()); }

static inline vm pick(vm condition, vm yes, vm no) { return vm_or(vm_and(condition, yes), vm_andnot(no, condition)); }

static inline corners corners_of(const th_field *field, vf x, vf y) {
  const vf scale = vf_set(field->inverse_cell), half = vf_set(0.5f), one = vf_set(1.0f);
  const vf fi = clamped(vf_mul(vf_sub(x, vf_set(field->x0)), scale), field->most_i);
  const vf fj = clamped(vf_mul(vf_sub(y, vf_set(field->y0)), scale), field->most_j);
  const vi i = vf_to_int(fi), j = vf_to_int(fj);
  const vf a = vf_sub(vf_sub(fi, vi_to_float(i)), half), b = vf_sub(vf_sub(fj, vi_to_float(j)), half);
  const vm west = vf_lt(a, vf_zero()), south = vf_lt(b, vf_zero());
  const int32_t w = (int32_t)field->width;
  const vi di = vi_select(west, vi_set(-4), vi_set(4)), dj = vi_select(south, vi_set(-4 * w), vi_set(4 * w));
  corners c;
  c.at[0] = vi_shl(vi_add(vi_mul(j, vi_set(w)), i), 2);
  c.at[1] = vi_add(c.at[0], di);
  c.at[2] = vi_add(c.at[0], dj);
  c.at[3] = vi_add(c.at[1], dj);
  c.code = vi_gather((const int32_t *)field->node, vi_add(c.at[0], vi_set(3)));
  const vm across = pick(west, has(c.code, TH_NODE_WEST), has(c.code, TH_NODE_EAST));
  const vm along = pick(south, has(c.code, TH_NODE_SOUTH), has(c.code, TH_NODE_NORTH));
  const vm both = pick(south, pick(west, has(c.code, TH_NODE_SOUTH_WEST), has(c.code, TH_NODE_SOUTH_EAST)),
                       pick(west, has(c.code, TH_NODE_NORTH_WEST), has(c.code, TH_NODE_NORTH_EAST)));
  const vf wi = vf_abs(a), wj = vf_abs(b), ri = vf_sub(one, wi), rj = vf_sub(one, wj);
  c.weight[0] = vf_mul(ri, rj);
  c.weight[1] = where(across, vf_mul(wi, rj));
  c.weight[2] = where(along, vf_mul(ri, wj));
  c.weight[3] = where(both, vf_mul(wi, wj));
  return c;
}

static inline vf mean(const corners *c, const vf value[4], vf whole) {
  vf low = vf_add(vf_mul(c->weight[0], value[0]), vf_mul(c->weight[1], value[1]));
  vf high = vf_add(vf_mul(c->weight[2], value[2]), vf_mul(c->weight[3], value[3]));
  return vf_mul(vf_add(low, high), whole);
}

static inline vf square(vf gx, vf gy) { return vf_add(vf_mul(gx, gx), vf_mul(gy, gy)); }

static inline void answer(const th_field *field, th_ask *ask, int lane) {
  const float *word = (const float *)field->node;
  const corners c = corners_of(field, vf_load(ask->x + lane), vf_load(ask->y + lane));
  vf nx[4], ny[4], metres[4], power[4];
  for (int k = 0; k < 4; k++) {
    nx[k] = vf_gather(word, c.at[k]);
    ny[k] = vf_gather(word, vi_add(c.at[k], vi_set(1)));
    metres[k] = vf_gather(word, vi_add(c.at[k], vi_set(2)));
    power[k] = square(nx[k], ny[k]);
  }
  const vf sum = vf_add(vf_add(c.weight[0], c.weight[1]), vf_add(c.weight[2], c.weight[3]));
  const vf whole = vf_div(vf_set(1.0f), sum);
  vf gx = mean(&c, nx, whole), gy = mean(&c, ny, whole);
  const vm cancelled = vf_lt(square(gx, gy), vf_mul(vf_set(0.25f), mean(&c, power, whole)));
  gx = vf_add(vf_select(cancelled, nx[0], gx), vf_load(ask->ox + lane));
  gy = vf_add(vf_select(cancelled, ny[0], gy), vf_load(ask->oy + lane));
  const vm goal = has(c.code, TH_NODE_GOAL), reaches = has(c.code, TH_NODE_REACHES);
  const vf length = vf_sqrt(square(gx, gy));
  const vm moves = vm_andnot(vm_and(reaches, vf_lt(vf_zero(), length)), goal);
  vf_store(ask->dx + lane, where(moves, vf_div(gx, length)));
  vf_store(ask->dy + lane, where(moves, vf_div(gy, length)));
  vf left = vf_select(reaches, mean(&c, metres, whole), vf_set(INFINITY));
  vf_store(ask->left + lane, vf_select(goal, vf_zero(), left));
  vi state = vi_select(reaches, vi_set(TH_ASK_LEAD), vi_set(TH_ASK_LOST));
  vi_store(ask->state + lane, vi_select(goal, vi_set(TH_ASK_ARRIVED), state));
}

void TH_LANES_NAME(th_field_ask_lanes)(const th_field *field, th_ask *ask) {
  for (int lane = 0; lane < TH_ASK_PLACES; lane += TH_LANES) answer(field, ask, lane);
}
