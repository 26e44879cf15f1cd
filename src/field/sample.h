/* field/sample.h - asking a field for the way at sixteen places at once. */
#ifndef TH_FIELD_SAMPLE_H
#define TH_FIELD_SAMPLE_H

#include "base/simd/simd.h"
#include "field/field.h"

#define TH_ASK_PLACES 16

enum th_field_query_state { TH_ASK_LEAD = 0, TH_ASK_ARRIVED = 2, TH_ASK_LOST = 3 };

/* Sixteen questions and their answers, one a lane. Unused lanes need any finite numbers in x and y, and on mesh ground
 * any face. */
typedef struct th_field_query {
  uint32_t cell[TH_ASK_PLACES];               /* mesh ground: the face; not read on flat ground */
  float x[TH_ASK_PLACES], y[TH_ASK_PLACES];   /* of the cell's frame [m] */
  float ox[TH_ASK_PLACES], oy[TH_ASK_PLACES]; /* th_field_offset of the agent, or 0 [1/m] */
  float dx[TH_ASK_PLACES], dy[TH_ASK_PLACES]; /* unit direction; 0, 0 on the goal and where no way leads */
  float left[TH_ASK_PLACES];                  /* metres left; INFINITY where no way leads */
  int32_t state[TH_ASK_PLACES];               /* th_field_query_state */
} th_field_query;

/* What v adds to grad log u on this field's eps level, about (eps/2) v / cell when v pulls, the negative as printed. */
th_vec2 th_field_offset(const th_field *field, th_vec2 v, th_sense sense);

/* Answers all sixteen; bit for bit what th_field_direction and th_field_gradient_at say, on every instruction set.
 * `level` comes from th_simd_choose. Reads the field only; any thread. */
void th_field_answer(const th_field *field, th_field_query *ask, th_simd level);

/* One place in scalar code: the reference for the lanes. */
typedef struct th_sample {
  float gx, gy, left;
  int32_t code;
} th_sample;
th_sample th_field_sample(const th_field *field, float x, float y, th_vec2 offset);

TH_LANES_DECLARE(void, th_field_answer_lanes, const th_field *field, th_field_query *ask);

#endif
