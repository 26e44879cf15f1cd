/* field/mesh/sample.lanes.c - the direction at sixteen places of a mesh at once.
 *
 * One place per lane; the kernel is the text that sample.c compiles for a single lane, so the bits agree on every
 * instruction set. A node is one cache line, loaded in halves and transposed.
 */
#include <math.h>

#include "base/simd/rows.h"
#include "field/mesh/field.h"
#include "field/tell.h"

static inline void load_face(const float *word, vi first, vf out[TH_FACE_WORDS]) {
  vf_load_rows(word, first, out);
  vf_load_rows(word + 8, first, out + 8);
}

#include "field/mesh/sample_kernel.h"

static inline void answer(const th_field *field, const th_guide_query *query, const th_field_offsets *offsets,
                          uint32_t lane) {
  const vf place[4] = {vf_load(query->x + lane), vf_load(query->y + lane), vf_load(offsets->x + lane),
                       vf_load(offsets->y + lane)};
  const vi first = vi_shl(vi_load((const int32_t *)query->cell + lane), 4);
  const found f = find(field->mesh->node, field->inverse_cell, first, place);
  const vf length = vf_sqrt(vf_add(vf_mul(f.gx, f.gx), vf_mul(f.gy, f.gy)));
  const vm moves = vf_lt(vf_zero(), length);
  const vi state = vi_select(f.reaches, vi_set(TH_ANSWER_LEAD), vi_set(TH_ANSWER_LOST));
  th_field_tell(query, lane, vf_select(moves, vf_div(f.gx, length), vf_zero()),
                vf_select(moves, vf_div(f.gy, length), vf_zero()), f.left,
                vi_select(f.arrived, vi_set(TH_ANSWER_ARRIVED), state));
}

void TH_LANES_NAME(th_mesh_field_sample_lanes)(const th_field *field, const th_guide_query *query,
                                               const th_field_offsets *offsets) {
  for (uint32_t lane = 0; lane < query->lanes; lane += TH_LANES) answer(field, query, offsets, lane);
}
