/* field/mesh/sample.c - fields on a mesh: samples at one place, by the kernel in sample_kernel.h on one lane, and the
 * other queries. Fields along edges (reference.c) share the queries that read no nodes.
 */
#include <math.h>

#include "base/error.h"
#include "base/exp_log.h"
#include "base/platform/fetch.h"
#include "base/simd/scalar.h"
#include "field/mesh/edges.h"
#include "field/mesh/field.h"

static inline void load_face(const float *word, vi first, vf out[TH_FACE_WORDS]) {
  memcpy(out, word + first, TH_FACE_WORDS * sizeof *out);
}

#include "field/mesh/sample_kernel.h"

static th_sample sample(const th_field *field, th_place place, th_vec2 offset) {
  if (!th_mesh_field_is_face(field, place)) return (th_sample){0.0f, 0.0f, INFINITY, 0};
  const vf at[4] = {place.x, place.y, offset.x, offset.y};
  const found f = find(field->mesh->node, field->inverse_cell, (vi)(place.cell * TH_FACE_WORDS), at);
  return (th_sample){f.gx, f.gy, f.left, f.arrived ? f.code | TH_NODE_GOAL : f.code};
}

static void answer(const th_field *field, const th_guide_query *query, const th_field_offsets *offsets) {
  TH_LANES_PICK((th_simd)query->simd, th_mesh_field_sample_lanes)(field, query, offsets);
}

static bool reaches(const th_field *field, th_place place) {
  return th_mesh_field_is_face(field, place) && (field->mesh->node[place.cell].code & TH_NODE_REACHES);
}

/* u is linear in a face: log of sum w_k u_k, taken from the highest corner. */
double th_mesh_field_sample_log(const th_field *field, th_place place) {
  const th_mesh_field *s = field->mesh;
  if (!field->calls->reaches(field, place)) return -INFINITY;
  const th_sample here = field->calls->sample(field, place, (th_vec2){0.0f, 0.0f});
  if (here.code & TH_NODE_GOAL) return 0.0;
  if (s->geodesic) return -(double)here.left / (double)field->cell;
  const uint32_t *corner = s->ground->mesh->mesh.corner + 3 * (size_t)place.cell;
  double weight[3], top = -INFINITY, sum = 0.0;
  th_frames_weights(&s->ground->mesh->frames, place.cell, (th_point){(double)place.x, (double)place.y}, weight);
  for (int k = 0; k < 3; k++) top = fmax(top, s->log_u[corner[k]]);
  if (top == -INFINITY) return top;
  for (int k = 0; k < 3; k++) sum += fmax(weight[k], 0.0) * th_exp_double(s->log_u[corner[k]] - top);
  return sum > 0.0 ? fmin(top + th_log_double(sum), 0.0) : -INFINITY;
}

double th_mesh_field_sample_u(const th_field *field, th_place place) {
  return th_exp_double(th_mesh_field_sample_log(field, place));
}

float th_mesh_field_offset(float eps, float scale, float v) { return 0.5f * eps * scale * v; }

const double *th_mesh_field_values(const th_field *field, uint32_t *width, uint32_t *height) {
  *width = field->mesh->ground->mesh->mesh.vertex_count;
  *height = 1;
  return field->mesh->u;
}

static void prefetch(const th_field *field, const uint32_t *cell, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) th_fetch_line(field->mesh->node + cell[i]);
}

const th_field_calls th_mesh_field_calls = {.sample = sample,
                                            .answer = answer,
                                            .offset = th_mesh_field_offset,
                                            .reaches = reaches,
                                            .log = th_mesh_field_sample_log,
                                            .potential = th_mesh_field_sample_u,
                                            .trace = th_mesh_field_trace,
                                            .smooth = th_mesh_field_straighten,
                                            .values = th_mesh_field_values,
                                            .prefetch = prefetch,
                                            .release = th_mesh_field_end};
