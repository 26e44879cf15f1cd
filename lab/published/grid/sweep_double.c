/* lab/published/grid/sweep_double.c - the sweeps in double: the default, see kernel.h. */
#include <float.h>
#include <math.h>

#define real double
#define absolute fabs
#define tiny (64 * DBL_MIN)
#define named(name) name##_double

#include "lab/published/grid/kernel.h"
