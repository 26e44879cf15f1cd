/* report/chance.c - Student's distribution, and many tests at once.
 *
 * For whole degrees of freedom the distribution is a finite sum of powers of the cosine (Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 26.7.3 and 26.7.4), so nothing is approximated. Of thirty numbers of two equal
 * crowds one or two lie outside their own 95 % interval by chance; Holm's step-down procedure (Scandinavian Journal of
 * Statistics 6, 1979) keeps the probability that any such is called different at the level asked for, with no
 * assumption on how the numbers hang together. Cost: freedom / 2 terms; count squared comparisons.
 */
#include "report/chance.h"

#include <math.h>

#define PI 3.14159265358979323846

double th_chance_student(double t, uint32_t freedom) {
  if (isinf(t)) return 0.0;
  const double theta = atan(fabs(t) / sqrt((double)freedom)), c = cos(theta);
  const bool odd = freedom % 2 == 1;
  /* A(t | v) for even v: sin (1 + 1/2 cos^2 + 1*3/(2*4) cos^4 + ...); for odd v: 2/pi (theta + sin (cos + 2/3 cos^3 +
   * ...)) */
  double term = odd ? c : 1.0, sum = 0.0;
  for (uint32_t k = odd ? 1 : 0; k + 2 <= freedom; k += 2) {
    sum += term;
    term *= c * c * (double)(k + 1) / (double)(k + 2);
  }
  const double within = odd ? 2.0 / PI * (theta + sin(theta) * sum) : sin(theta) * sum;
  return fmax(0.0, 1.0 - within);
}

/* How many tested chances come before the k-th in order of size; equal ones in the order of the list. */
static uint32_t before(const double *chance, uint32_t count, uint32_t k) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) n += chance[i] < chance[k] || (chance[i] == chance[k] && i < k) ? 1 : 0;
  return n;
}

void th_chance_holm(const double *chance, uint32_t count, double level, bool *differs) {
  uint32_t tested = 0, first_kept = 0;
  for (uint32_t k = 0; k < count; k++) tested += isnan(chance[k]) ? 0 : 1;
  first_kept = tested;
  for (uint32_t k = 0; k < count; k++) {
    if (isnan(chance[k])) continue;
    const uint32_t rank = before(chance, count, k);
    if (chance[k] > level / (double)(tested - rank) && rank < first_kept) first_kept = rank;
  }
  for (uint32_t k = 0; k < count; k++) differs[k] = !isnan(chance[k]) && before(chance, count, k) < first_kept;
}
