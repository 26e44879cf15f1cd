/* field/grid/personal_vector.h - one field for agents with any vector v of strength eps. */
#ifndef TH_FIELD_GRID_PERSONAL_VECTOR_H
#define TH_FIELD_GRID_PERSONAL_VECTOR_H

#include "field/grid/field.h"

/* The addition of a vector with component v to grad log u of a field with its eps [1/cell]. */
static inline float th_personal_vector_offset(float eps, float v) {
  const float a = 0.5f * eps * v;
  return a + a * a * a * (1.0f / 3.0f);
}

/* 1 minus the weight of neighbours along v. */
double th_personal_vector_less(double eps);

/* Fills field->u (and log_u), node and across of a field with eps > 0. */
th_result th_personal_vector_solve(th_solver *solver, th_field_build *build, th_error *error);

#endif
