/* relax/mesh/sweep_double.c - runs over cells in double. */
#include <float.h>
#include <math.h>

#define real double
#define absolute(x) fabs(x)
#define tiny DBL_MIN
#define named(x) x##_double
#include "relax/mesh/kernel.h"
