/* field/sample.h - samples the direction of a field at sixteen places at once. */
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
void th_field_answer(const th_field *field, const th_guide_query *query);

/* One place in scalar code: the reference for the lanes. */
typedef struct th_sample {
  float gx, gy, left;
  int32_t code;
} th_sample;
th_sample th_field_sample(const th_field *field, float x, float y, th_vec2 offset);

TH_LANES_DECLARE(void, th_field_answer_lanes, const th_field *field, const th_guide_query *query,
                 const th_field_offsets *offsets);

#endif
