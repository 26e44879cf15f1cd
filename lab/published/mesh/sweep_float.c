/* lab/published/mesh/sweep_float.c - runs over cells in float; single precision shows where a field becomes flat. */
#include <float.h>
#include <math.h>

#define real float
#define absolute(x) fabsf(x)
#define tiny FLT_MIN
#define named(x) x##_float
#include "field/mesh/mean_kernel.h"
