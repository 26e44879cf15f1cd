/* field/mesh/sample.c - samples a field on a mesh at one place: the kernel in sample_kernel.h, on one lane. */
#include <math.h>

#include "base/error.h"
#include "base/explog.h"
#include "base/simd/scalar.h"
#include "field/mesh/edges.h"
#include "field/mesh/field.h"

static inline void load_face(const float *word, vi first, vf out[TH_FACE_WORDS]) {
  memcpy(out, word + first, TH_FACE_WORDS * sizeof *out);
}

#include "field/mesh/sample_kernel.h"

static bool is_face(const th_field *field, th_place place) {
  return place.cell < field->mesh->ground->mesh->mesh.face_count;
}

th_sample th_mesh_field_sample(const th_field *field, th_place place, th_vec2 offset) {
  if (!is_face(field, place)) return (th_sample){0.0f, 0.0f, INFINITY, 0};
  if (field->edges.left) return th_mesh_edges_sample(field, place);
  const vf at[4] = {place.x, place.y, offset.x, offset.y};
  const found f = find(field->mesh->node, field->inverse_cell, (vi)(place.cell * TH_FACE_WORDS), at);
  return (th_sample){f.gx, f.gy, f.left, f.arrived ? f.code | TH_NODE_GOAL : f.code};
}

void th_mesh_field_answer(const th_field *field, const th_guide_query *query, const th_field_offsets *offsets) {
  if (field->edges.left)
    th_mesh_edges_answer(field, query);
  else
    TH_LANES_PICK((th_simd)query->simd, th_mesh_field_answer_lanes)(field, query, offsets);
}

bool th_mesh_field_reaches(const th_field *field, th_place place) {
  float left[3];
  if (!is_face(field, place)) return false;
  if (field->edges.left) return th_mesh_edges_left(field, place.cell, left);
  return field->mesh->node[place.cell].code & TH_NODE_REACHES;
}

/* u is linear in a face: log of sum w_k u_k, taken from the highest corner. */
double th_mesh_field_log(const th_field *field, th_place place) {
  const th_mesh_field *s = field->mesh;
  if (!th_mesh_field_reaches(field, place)) return -INFINITY;
  const th_sample here = th_mesh_field_sample(field, place, (th_vec2){0.0f, 0.0f});
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
