/* field/grid/sample.c - samples a field at one place.
 *
 * This is the kernel in sample_kernel.h on one lane. A personal vector v costs a second node and one addition
 * (personal_vector.c), and gives every agent on a field's eps level its own route.
 */
#include "field/sample.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/explog.h"
#include "base/simd/scalar.h"
#include "field/grid/personal_vector.h"
#include "field/mesh/field.h"

static inline void load_node(const float *word, vi node, vf out[8]) { memcpy(out, word + node, 8 * sizeof *out); }

#include "field/grid/sample_kernel.h"

th_sample th_field_sample(const th_field *field, float x, float y, th_vec2 offset) {
  found f = find(field, x, y, offset.x, offset.y);
  return (th_sample){f.gx, f.gy, f.left, f.code};
}

/* At a place of either kind of ground. */
static th_sample sample_at(const th_field *field, th_place place, th_vec2 offset) {
  return field->mesh ? th_mesh_field_sample(field, place, offset) : th_field_sample(field, place.x, place.y, offset);
}

static th_vec2 unit(float gx, float gy) {
  float length = sqrtf(gx * gx + gy * gy);
  return length > 0.0f ? (th_vec2){gx / length, gy / length} : (th_vec2){0.0f, 0.0f};
}

th_field_gradient th_field_gradient_at(const th_field *field, th_place place) {
  if (place.cell == TH_NO_CELL) return (th_field_gradient){.left = INFINITY};
  th_sample s = sample_at(field, place, (th_vec2){0.0f, 0.0f});
  th_vec2 d = unit(s.gx, s.gy);
  return (th_field_gradient){d.x, d.y, s.gx, s.gy, s.left};
}

th_vec2 th_field_offset(const th_field *field, th_vec2 v, th_sense sense) {
  float scale = sense == TH_SENSE_LITERAL ? -field->inverse_cell : field->inverse_cell, eps = field->eps;
  if (field->mesh) return (th_vec2){0.5f * eps * scale * v.x, 0.5f * eps * scale * v.y};
  return (th_vec2){scale * th_personal_vector_offset(eps, v.x), scale * th_personal_vector_offset(eps, v.y)};
}

th_result th_field_admits(const th_field *field, th_vec2 v, th_error *error) {
  float max = field->eps > 0.0f ? 2.0f / field->eps : INFINITY;
  if (fabsf(v.x) <= max && fabsf(v.y) <= max && isfinite(v.x) && isfinite(v.y)) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, "v",
                 "expected components of at most %g (|eps v| <= 2 at eps %g), found (%g, %g)", (double)max,
                 (double)field->eps, (double)v.x, (double)v.y);
}

th_vec2 th_field_direction(const th_field *field, th_place place, th_vec2 v, th_sense sense) {
  if (place.cell == TH_NO_CELL) return (th_vec2){0.0f, 0.0f};
  th_error error;
  if (th_field_admits(field, v, &error) != TH_OK) {
    th_fault(&field->env, "th_field_direction: %s", error.text);
    v = (th_vec2){0.0f, 0.0f};
  }
  th_sample s = sample_at(field, place, th_field_offset(field, v, sense));
  return unit(s.gx, s.gy);
}

/* Comparing bits takes a handful of instructions for sixteen; -0 counts as something. */
static inline bool any_eps(const th_guide_query *query) {
  uint32_t bits[TH_FIELD_LANES] = {0}, all = 0;
  if (query->lanes == TH_FIELD_LANES)
    memcpy(bits, query->eps, sizeof bits); /* the usual case, of a size the compiler knows */
  else
    memcpy(bits, query->eps, query->lanes * sizeof *bits);
  for (uint32_t lane = 0; lane < TH_FIELD_LANES; lane++) all |= bits[lane];
  return all != 0;
}

/* Most crowds have no v: then nothing is written and zeros are read. */
static const th_field_offsets *find_offsets(const th_field *field, const th_guide_query *query,
                                            th_field_offsets *room) {
  static const th_field_offsets none;
  if (!any_eps(query)) return &none;
  memset(room, 0, sizeof *room);
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    if (query->eps[lane] == 0.0f) continue;
    th_vec2 offset = th_field_offset(field, query->v[lane], (th_sense)query->sense);
    room->x[lane] = offset.x;
    room->y[lane] = offset.y;
  }
  return room;
}

void th_field_answer(const th_field *field, const th_guide_query *query) {
  th_field_offsets room;
  const th_field_offsets *offsets = find_offsets(field, query, &room);
  if (field->mesh)
    th_mesh_field_answer(field, query, offsets);
  else
    TH_LANES_PICK((th_simd)query->simd, th_field_answer_lanes)(field, query, offsets);
}

static const th_node *node_at(const th_field *field, th_place place) {
  return place.cell == TH_NO_CELL ? NULL : &field->node[spot_at(field, place.x, place.y).node / TH_NODE_WORDS];
}

double th_field_log(const th_field *field, th_place place) {
  if (field->mesh) return th_mesh_field_log(field, place);
  const th_node *node = node_at(field, place);
  if (!node || !(node->code & TH_NODE_FREE) || !(node->code & TH_NODE_REACHES)) return -INFINITY;
  if (field->log_u) return field->log_u[node - field->node];
  if (field->u) return th_log_double(field->u[node - field->node]);
  return -(double)node->left / (double)field->cell;
}

double th_field_potential(const th_field *field, th_place place) {
  if (field->mesh) return th_exp_double(th_mesh_field_log(field, place));
  const th_node *node = node_at(field, place);
  if (!node || !(node->code & TH_NODE_FREE)) return 0.0;
  return field->u ? field->u[node - field->node] : th_exp_double(th_field_log(field, place));
}

bool th_field_reaches(const th_field *field, th_place place) {
  if (field->mesh) return th_mesh_field_reaches(field, place);
  const th_node *node = node_at(field, place);
  return node && (node->code & TH_NODE_REACHES);
}
