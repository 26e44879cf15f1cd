/* tests/support/field_questions.h - a query of sixteen places that a field answers, with its columns. */
#ifndef TESTS_SUPPORT_FIELD_QUESTIONS_H
#define TESTS_SUPPORT_FIELD_QUESTIONS_H

#include "field/sample.h"

typedef struct field_question {
  uint32_t cell[16];
  float x[16], y[16], eps[16];
  th_vec2 v[16];
  th_guide_answer want[16];
  th_guide_query query;
} field_question;

/* Sixteen lanes in cell 0 whose v counts; places are the caller's to fill. */
static inline void field_question_begin(field_question *ask, th_simd level) {
  *ask = (field_question){.query = {.lanes = 16, .sense = TH_SENSE_PULL, .simd = (uint32_t)level}};
  for (int n = 0; n < 16; n++) ask->eps[n] = 1.0f;
  ask->query.cell = ask->cell;
  ask->query.x = ask->x;
  ask->query.y = ask->y;
  ask->query.eps = ask->eps;
  ask->query.v = ask->v;
  ask->query.want = ask->want;
}

#endif
