/* field/mesh/mean_kernel.h - one run of (4.6) over packed cells, written once for float and double.
 *
 * The links of the cells follow one another in memory in the order of the sweep, so only the values are gathered. The
 * weights sum to 1, so the same line serves p and u = 1 - p. The summed change is kept in double in either case: with
 * floats it would stop before the values do. Denormals become 0, as they would cost a hundred times as much. Cost: one
 * product, one sum and one gathered value per link.
 *
 * A file that includes this defines real, absolute(x), tiny and named(x).
 */
#include "field/mesh/mean.h"

static inline void sweep_cell(const th_mean_pass *s, uint32_t n, th_mean_change *change) {
  const real *from = (const real *)s->from, *weight = (const real *)s->weight, omega = (real)s->omega;
  const uint32_t c = s->cell[n], last = s->row[n + 1];
  const real own = from[c];
  real q = 0;
  for (uint32_t k = s->row[n]; k < last; k++) q += weight[k] * from[s->neighbour[k]];
  if (omega != 1) q = own + omega * (q - own);
  q = absolute(q) < tiny ? (real)0 : q;
  ((real *)s->to)[c] = q;
  double moved = (double)absolute(q - own), size = (double)absolute(q);
  size = size > s->min ? size : s->min;
  change->e += moved;
  double excess = moved - s->tolerance * size;
  change->excess = excess > change->excess ? excess : change->excess;
}

th_mean_change named(th_mean_sweep)(const th_mean_pass *s, uint32_t begin, uint32_t end) {
  th_mean_change change = {0.0, 0.0};
  if (s->back)
    for (uint32_t n = end; n-- > begin;) sweep_cell(s, n, &change);
  else
    for (uint32_t n = begin; n < end; n++) sweep_cell(s, n, &change);
  return change;
}
