/* field/relax_double.c - the sweeps in double: the default, see relax_kernel.h. */
#include <float.h>
#include <math.h>

#define real double
#define absolute fabs
#define tiny (64 * DBL_MIN)
#define named(name) name##_double

#include "field/relax_kernel.h"
