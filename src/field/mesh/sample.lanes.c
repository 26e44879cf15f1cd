/* field/mesh/sample.lanes.c - the way for sixteen places of a mesh at once.
 *
 * One place a lane; the kernel is the text that sample.c compiles for a single lane, so the bits agree on every
 * instruction set. A node is one cache line, loaded in halves and transposed.
 */
#include <math.h>

#include "base/simd/rows.h"
#include "field/mesh/field.h"

static inline void load_face(const float *word, vi first, vf out[TH_FACE_WORDS]) {
  vf_load_rows(word, first, out);
  vf_load_rows(word + 8, first, out + 8);
}

#include "field/mesh/sample_kernel.h"

static inline void answer(const th_field *field, th_field_query *ask, int lane) {
  const vf place[4] = {vf_load(ask->x + lane), vf_load(ask->y + lane), vf_load(ask->ox + lane),
                       vf_load(ask->oy + lane)};
  const vi first = vi_shl(vi_load((const int32_t *)ask->cell + lane), 4);
  const found f = find(field->mesh->node, field->inverse_cell, first, place);
  const vf length = vf_sqrt(vf_add(vf_mul(f.gx, f.gx), vf_mul(f.gy, f.gy)));
  const vm moves = vf_lt(vf_zero(), length);
  vf_store(ask->dx + lane, vf_select(moves, vf_div(f.gx, length), vf_zero()));
  vf_store(ask->dy + lane, vf_select(moves, vf_div(f.gy, length), vf_zero()));
  vf_store(ask->left + lane, f.left);
  const vi state = vi_select(f.reaches, vi_set(TH_ASK_LEAD), vi_set(TH_ASK_LOST));
  vi_store(ask->state + lane, vi_select(f.arrived, vi_set(TH_ASK_ARRIVED), state));
}

void TH_LANES_NAME(th_mesh_field_query_lanes)(const th_field *field, th_field_query *ask) {
  for (int lane = 0; lane < TH_ASK_PLACES; lane += TH_LANES) answer(field, ask, lane);
}
