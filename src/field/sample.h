/* field/sample.h - what is asked of a field, and the three kinds of fields that answer. */
#ifndef TH_FIELD_SAMPLE_H
#define TH_FIELD_SAMPLE_H

#include "base/simd/simd.h"
#include "field/field.h"
#include "throng/query.h"

#define TH_FIELD_LANES 16

/* th_field_offset of each lane, 0 for one without eps [1/m]. */
typedef struct th_field_offsets {
  float x[TH_FIELD_LANES], y[TH_FIELD_LANES];
} th_field_offsets;

/* The addition of v to grad log u on this field's eps level, about (eps/2) v / cell when v pulls, the negative as
 * printed. */
th_vec2 th_field_offset(const th_field *field, th_vec2 v, th_sense sense);

/* Answers a guide's query on this field, whatever field it names; bit for bit what th_field_direction and
 * th_field_gradient_at say, on every instruction set. `query->simd` comes from th_simd_choose. Any thread. */
void th_field_sample_query(const th_field *field, const th_guide_query *query);

/* One place in scalar code: the reference for the lanes. */
typedef struct th_sample {
  float gx, gy, left;
  int32_t code;
} th_sample;

/* Where a path is written to: points seen from above or places, as far as they fit; the other is NULL. */
typedef struct th_trace_layout {
  th_vec2 *point;
  th_place *place;
  uint32_t capacity;
} th_trace_layout;

/* What each kind of field supplies: rasters (field/grid/sample.c), functions on a mesh (field/mesh/sample.c), distances
 * along the edges of a mesh (field/mesh/reference.c). No other code tests the kind of a field. */
struct th_field_calls {
  th_sample (*sample)(const th_field *field, th_place place, th_vec2 offset);
  void (*answer)(const th_field *field, const th_guide_query *query, const th_field_offsets *offsets);
  float (*offset)(float eps, float scale, float v); /* one component of th_field_offset */
  bool (*reaches)(const th_field *field, th_place place);
  double (*log)(const th_field *field, th_place place);
  double (*potential)(const th_field *field, th_place place);
  uint32_t (*trace)(const th_field *field, th_place from, const th_trace_layout *to); /* from where it reaches */
  void (*smooth)(const th_field *field, th_place *place, uint32_t count, uint32_t rounds);
  const double *(*values)(const th_field *field, uint32_t *width, uint32_t *height);
  void (*prefetch)(const th_field *field, const uint32_t *cell, uint32_t count);
  void (*release)(th_field *field); /* everything but the struct */
};
extern const th_field_calls th_grid_field_calls, th_mesh_field_calls, th_edges_field_calls;

TH_LANES_DECLARE(void, th_field_sample_lanes, const th_field *field, const th_guide_query *query,
                 const th_field_offsets *offsets);

#endif
