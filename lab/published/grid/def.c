/* lab/published/grid/def.c - the numbers of a relaxation: ranges and weights.
 *
 * lap p + eps (v . grad p) = 0 in second-order central differences, solved for the middle cell, gives the weights
 * 1/4 +- eps v_x / 8 and 1/4 +- eps v_y / 8 of the four neighbours (Dapper 2007, eq. 5.1; Trevisan et al. 2006). They
 * sum to 1, and none is negative while |eps v| <= 2 in both components: only then every value is a mean of its
 * neighbours. The bias is rounded to a multiple of 2^-50 (float: 2^-21), because then sums of weights are exact, and a
 * mean of numbers up to 1 never rounds to above 1, in any order of summation.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "lab/published/grid/relaxation.h"

th_relax_def th_default_relax_def(void) {
  return (th_relax_def){.method = TH_METHOD_SEIDEL_ALTERNATING,
                        .start = 1.0,
                        .omega = 1.8,
                        .tolerance = 1e-12,
                        .min = 1.0,
                        .max_sweeps = 1000000};
}

static th_result check_choices(const th_relax_def *def, th_error *error) {
  if (def->method == TH_METHOD_DIRECT || (unsigned)def->method > TH_METHOD_SOR)
    return th_fail(error, TH_ERROR_RANGE, "relax.method",
                   "expected jacobi, seidel, seidel_alternating or sor, found %d", (int)def->method);
  if ((unsigned)def->storage > TH_STORAGE_P)
    return th_fail(error, TH_ERROR_RANGE, "relax.storage", "expected u or p, found %d", (int)def->storage);
  if ((unsigned)def->precision > TH_PRECISION_FLOAT)
    return th_fail(error, TH_ERROR_RANGE, "relax.precision", "expected double or float, found %d", (int)def->precision);
  if ((unsigned)def->sense > TH_SENSE_LITERAL)
    return th_fail(error, TH_ERROR_RANGE, "relax.sense", "expected pull or literal, found %d", (int)def->sense);
  return TH_OK;
}

th_result th_relax_check(const th_relax_def *def, th_error *error) {
  th_result result = check_choices(def, error);
  if (result != TH_OK) return result;
  if (!isfinite(def->eps) || !isfinite(def->v.x) || !isfinite(def->v.y))
    return th_fail(error, TH_ERROR_RANGE, "relax.eps", "expected finite eps and v, found %g and (%g, %g)", def->eps,
                   (double)def->v.x, (double)def->v.y);
  if (!(def->start >= 0.0 && def->start <= 1.0))
    return th_fail(error, TH_ERROR_RANGE, "relax.start", "expected 0 to 1, found %g", def->start);
  if (def->method == TH_METHOD_SOR && !(def->omega >= 0.0 && def->omega < 2.0))
    return th_fail(error, TH_ERROR_RANGE, "relax.omega", "expected a factor below 2, or 0 for the best one, found %g",
                   def->omega);
  if (!(def->tolerance >= 0.0 && def->tolerance < 1.0))
    return th_fail(error, TH_ERROR_RANGE, "relax.tolerance", "expected 0 to below 1, found %g", def->tolerance);
  if (!(def->min >= 0.0 && def->min <= 1.0))
    return th_fail(error, TH_ERROR_RANGE, "relax.min", "expected 0 to 1, found %g", def->min);
  if (def->max_sweeps == 0)
    return th_fail(error, TH_ERROR_RANGE, "relax.max_sweeps", "expected at least 1 sweep, found 0");
  return TH_OK;
}

static double on_lattice(double x, double unit) { return nearbyint(x / unit) * unit; }

static void warn(th_relaxation *r, const char *what, double x, double y) {
  if (r->warned) return;
  r->warned = true;
  char text[160];
  snprintf(text, sizeof text, "relaxation: %s (%g, %g): potentials leave 0 to 1 and paths may not lead to the goal",
           what, x, y);
  r->env.log.write(r->env.log.user, TH_LOG_WARNING, text);
}

/* eps v as the printed equation has it. Where v attracts it is a direction, so that eps alone is the strength: the
 * range of eps is then the same for every direction. */
static void bias_of(th_relaxation *r, double *bx, double *by) {
  const bool literal = r->def.sense == TH_SENSE_LITERAL;
  const double x = (double)r->def.v.x, y = (double)r->def.v.y, length = sqrt(x * x + y * y), eps = r->def.eps;
  const double scale = literal ? eps : length > 0.0 ? -eps / length : 0.0;
  *bx = scale * x;
  *by = scale * y;
  if (literal && (fabs(*bx) > 2.0 || fabs(*by) > 2.0))
    warn(r, "|eps v| exceeds 2 in a component,", fabs(*bx), fabs(*by));
  if (!literal && length > 0.0 && fabs(eps) >= 2.0) warn(r, "|eps| reaches 2 with v", x, y);
}

void th_relaxation_weigh(th_relaxation *r) {
  const double unit = r->def.precision == TH_PRECISION_FLOAT ? 0x1p-21 : 0x1p-50;
  double bx, by;
  bias_of(r, &bx, &by);
  const double x = on_lattice(bx / 8.0, unit), y = on_lattice(by / 8.0, unit);
  r->east = 0.25 + x;
  r->west = 0.25 - x;
  r->north = 0.25 + y;
  r->south = 0.25 - y;
}
