/* field/sample.c - queries of a field of any kind.
 *
 * Each kind answers through its table (field/sample.h). This file holds what is the same for all kinds: unit
 * directions, the addition of a personal vector, faults.
 */
#include "field/sample.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static th_vec2 unit(float gx, float gy) {
  float length = sqrtf(gx * gx + gy * gy);
  return length > 0.0f ? (th_vec2){gx / length, gy / length} : (th_vec2){0.0f, 0.0f};
}

th_field_gradient th_field_gradient_at(const th_field *field, th_place place) {
  if (place.cell == TH_NO_CELL) return (th_field_gradient){.left = INFINITY};
  th_sample s = field->calls->sample(field, place, (th_vec2){0.0f, 0.0f});
  th_vec2 d = unit(s.gx, s.gy);
  return (th_field_gradient){d.x, d.y, s.gx, s.gy, s.left};
}

th_vec2 th_field_offset(const th_field *field, th_vec2 v, th_sense sense) {
  float scale = sense == TH_SENSE_LITERAL ? -field->inverse_cell : field->inverse_cell, eps = field->eps;
  return (th_vec2){field->calls->offset(eps, scale, v.x), field->calls->offset(eps, scale, v.y)};
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
  th_sample s = field->calls->sample(field, place, th_field_offset(field, v, sense));
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
                                            th_field_offsets *scratch) {
  static const th_field_offsets none;
  if (!any_eps(query)) return &none;
  memset(scratch, 0, sizeof *scratch);
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    if (query->eps[lane] == 0.0f) continue;
    th_vec2 offset = th_field_offset(field, query->v[lane], (th_sense)query->sense);
    scratch->x[lane] = offset.x;
    scratch->y[lane] = offset.y;
  }
  return scratch;
}

void th_field_sample_query(const th_field *field, const th_guide_query *query) {
  th_field_offsets scratch;
  const th_field_offsets *offsets = find_offsets(field, query, &scratch);
  field->calls->answer(field, query, offsets);
}

double th_field_log(const th_field *field, th_place place) { return field->calls->log(field, place); }

double th_field_potential(const th_field *field, th_place place) { return field->calls->potential(field, place); }

bool th_field_reaches(const th_field *field, th_place place) { return field->calls->reaches(field, place); }

uint32_t th_field_trace(const th_field *field, th_place from, th_vec2 *point, uint32_t capacity) {
  if (!th_field_reaches(field, from)) return 0;
  return field->calls->trace(field, from, &(th_trace_layout){point, NULL, capacity});
}

uint32_t th_field_trace_places(const th_field *field, th_place from, th_place *place, uint32_t capacity) {
  if (!th_field_reaches(field, from)) return 0;
  return field->calls->trace(field, from, &(th_trace_layout){NULL, place, capacity});
}

void th_field_smooth_places(const th_field *field, th_place *place, uint32_t count, uint32_t rounds) {
  field->calls->smooth(field, place, count, rounds);
}
