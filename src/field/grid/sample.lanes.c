/* field/grid/sample.lanes.c - th_field_direction for sixteen places at once.
 *
 * One place per lane; the kernel is the text that sample.c compiles for a single lane, so the bits agree on every
 * instruction set. A node is one 32-byte load; those of a register are transposed, which costs less than gathers. Cost:
 * one cache line per place.
 */
#include "field/sample.h"

#include <math.h>

#include "base/simd/rows.h"
#include "field/tell.h"

static inline void load_node(const float *word, vi node, vf out[8]) { vf_load_rows(word, node, out); }

#include "field/grid/sample_kernel.h"

static inline void answer(const th_field *field, const th_guide_query *query, const th_field_offsets *offsets,
                          uint32_t lane) {
  const found f = find(field, vf_load(query->x + lane), vf_load(query->y + lane), vf_load(offsets->x + lane),
                       vf_load(offsets->y + lane));
  const vm goal = has(f.code, TH_NODE_GOAL), reaches = has(f.code, TH_NODE_REACHES);
  const vf length = vf_sqrt(square(f.gx, f.gy));
  const vm moves = vm_andnot(vm_and(reaches, vf_lt(vf_zero(), length)), goal);
  const vi state = vi_select(reaches, vi_set(TH_ANSWER_LEAD), vi_set(TH_ANSWER_LOST));
  th_field_tell(query, lane, where(moves, vf_div(f.gx, length)), where(moves, vf_div(f.gy, length)), f.left,
                vi_select(goal, vi_set(TH_ANSWER_ARRIVED), state));
}

void TH_LANES_NAME(th_field_sample_lanes)(const th_field *field, const th_guide_query *query,
                                          const th_field_offsets *offsets) {
  for (uint32_t lane = 0; lane < query->lanes; lane += TH_LANES) answer(field, query, offsets, lane);
}
