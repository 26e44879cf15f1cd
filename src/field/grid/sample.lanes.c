/* field/grid/sample.lanes.c - th_field_direction for sixteen places at once.
 *
 * One place a lane; the kernel is the text that sample.c compiles for a single lane, so the bits agree on every
 * instruction set. A node is one 32-byte load; those of a register are transposed, which costs less than gathers. Cost:
 * one cache line a place.
 */
#include "field/sample.h"

#include <math.h>

#include "base/simd/rows.h"

static inline void load_node(const float *word, vi node, vf out[8]) { vf_load_rows(word, node, out); }

#include "field/grid/sample_kernel.h"

static inline void answer(const th_field *field, th_field_query *ask, int lane) {
  const found f =
      find(field, vf_load(ask->x + lane), vf_load(ask->y + lane), vf_load(ask->ox + lane), vf_load(ask->oy + lane));
  const vm goal = has(f.code, TH_NODE_GOAL), reaches = has(f.code, TH_NODE_REACHES);
  const vf length = vf_sqrt(square(f.gx, f.gy));
  const vm moves = vm_andnot(vm_and(reaches, vf_lt(vf_zero(), length)), goal);
  vf_store(ask->dx + lane, where(moves, vf_div(f.gx, length)));
  vf_store(ask->dy + lane, where(moves, vf_div(f.gy, length)));
  vf_store(ask->left + lane, f.left);
  const vi state = vi_select(reaches, vi_set(TH_ASK_LEAD), vi_set(TH_ASK_LOST));
  vi_store(ask->state + lane, vi_select(goal, vi_set(TH_ASK_ARRIVED), state));
}

void TH_LANES_NAME(th_field_answer_lanes)(const th_field *field, th_field_query *ask) {
  for (int lane = 0; lane < TH_ASK_PLACES; lane += TH_LANES) answer(field, ask, lane);
}
