/* field/grid/sample.c - fields on a raster: samples at one place, and the other queries.
 *
 * This is the kernel in sample_kernel.h on one lane. A personal vector v costs a second node and one addition
 * (personal_vector.c), and gives every agent on a field's eps level its own route.
 */
#include "field/sample.h"

#include <math.h>
#include <string.h>

#include "base/exp_log.h"
#include "base/memory.h"
#include "base/platform/fetch.h"
#include "base/simd/scalar.h"
#include "field/grid/field.h"
#include "field/grid/personal_vector.h"

static inline void load_node(const float *word, vi node, vf out[8]) { memcpy(out, word + node, 8 * sizeof *out); }

#include "field/grid/sample_kernel.h"

static th_sample sample(const th_field *field, th_place place, th_vec2 offset) {
  found f = find(field, place.x, place.y, offset.x, offset.y);
  return (th_sample){f.gx, f.gy, f.left, f.code};
}

static void answer(const th_field *field, const th_guide_query *query, const th_field_offsets *offsets) {
  TH_LANES_PICK((th_simd)query->simd, th_field_sample_lanes)(field, query, offsets);
}

static float offset(float eps, float scale, float v) { return scale * th_personal_vector_offset(eps, v); }

static const th_node *node_at(const th_field *field, th_place place) {
  return place.cell == TH_NO_CELL ? NULL : &field->node[spot_at(field, place.x, place.y).node / TH_NODE_WORDS];
}

static bool reaches(const th_field *field, th_place place) {
  const th_node *node = node_at(field, place);
  return node && (node->code & TH_NODE_REACHES);
}

static double log_at(const th_field *field, th_place place) {
  const th_node *node = node_at(field, place);
  if (!node || !(node->code & TH_NODE_FREE) || !(node->code & TH_NODE_REACHES)) return -INFINITY;
  if (field->log_u) return field->log_u[node - field->node];
  if (field->u) return th_log_double(field->u[node - field->node]);
  return -(double)node->left / (double)field->cell;
}

static double potential(const th_field *field, th_place place) {
  const th_node *node = node_at(field, place);
  if (!node || !(node->code & TH_NODE_FREE)) return 0.0;
  return field->u ? field->u[node - field->node] : th_exp_double(log_at(field, place));
}

/* Paths on a raster are not pulled straight. */
static void smooth(const th_field *field, th_place *place, uint32_t count, uint32_t rounds) {
  (void)field, (void)place, (void)count, (void)rounds;
}

static const double *values(const th_field *field, uint32_t *width, uint32_t *height) {
  *width = field->width;
  *height = field->height;
  return field->u;
}

static void prefetch(const th_field *field, const uint32_t *cell, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) th_fetch_line(field->node + cell[i]);
  for (uint32_t i = 0; field->across && i < count; i++) th_fetch_line(field->across + cell[i]);
}

static void release(th_field *field) {
  const th_allocator *allocator = &field->env.allocator;
  size_t size = (size_t)field->width * field->height;
  TH_GIVE(allocator, field->log_u, size);
  TH_GIVE(allocator, field->u, size);
  TH_GIVE(allocator, field->across, size);
  TH_GIVE(allocator, field->node, size);
}

const th_field_calls th_grid_field_calls = {.sample = sample,
                                            .answer = answer,
                                            .offset = offset,
                                            .reaches = reaches,
                                            .log = log_at,
                                            .potential = potential,
                                            .trace = th_grid_field_trace,
                                            .smooth = smooth,
                                            .values = values,
                                            .prefetch = prefetch,
                                            .release = release};
