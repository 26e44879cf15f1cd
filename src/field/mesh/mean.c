/* field/mesh/mean.c - weighted means of neighbours on a mesh: the distance weights of 3DS-BVP, (4.2) to (4.5), and
 * sweeps in double.
 *
 * The nearest neighbour of a vertex gets the influence Dmax, the farthest Dmin, and the others values in between. It is
 * a heuristic for Laplace's equation, exact where all edges of a vertex are equally long. A potential that grows while
 * it is explored takes a few sweeps of it per step; a field is solved instead. Cost: see mean_kernel.h; weights
 * O(edges).
 */
#include "field/mesh/mean.h"

#include <float.h>
#include <math.h>

#define real double
#define absolute(x) fabs(x)
#define tiny DBL_MIN
#define named(x) x##_double
#include "field/mesh/mean_kernel.h"

static double distance_of(const th_mesh *m, uint32_t a, uint32_t b) {
  const double *p = m->xyz + 3 * (size_t)a, *q = m->xyz + 3 * (size_t)b;
  const double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
  return sqrt(x * x + y * y + z * z);
}

double th_mean_weigh(const th_mesh *mesh, uint32_t v, const double factor[3], th_mean_row row) {
  double low = INFINITY, high = 0.0, total = 0.0, min = INFINITY;
  for (uint32_t k = 0; k < row.count; k++) {
    const double d = row.weight[k] = distance_of(mesh, v, row.neighbour[k]);
    low = d < low ? d : low;
    high = d > high ? d : high;
  }
  for (uint32_t k = 0; k < row.count; k++) {
    const double influence = factor[0] * low + factor[1] * high - factor[2] * row.weight[k];
    row.weight[k] = influence;
    total += influence;
    min = influence < min ? influence : min;
  }
  for (uint32_t k = 0; k < row.count; k++) row.weight[k] = total > 0.0 ? row.weight[k] / total : 0.0;
  return min;
}
