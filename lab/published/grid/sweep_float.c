/* lab/published/grid/sweep_float.c - the sweeps in float: half the memory, and the flat regions of the early graphics
 * hardware; see kernel.h. */
#include <float.h>
#include <math.h>

#define real float
#define absolute fabsf
#define tiny (64 * FLT_MIN)
#define named(name) name##_float

#include "lab/published/grid/kernel.h"
