/* lab/published/mesh/def.c - settings of the relaxation on meshes: defaults, checks, and the settings of flat maps. */
#include "lab/published/mesh/def.h"

#include <math.h>

#include "base/error.h"
#include "lab/published/mesh/relaxation.h"

th_mesh_relax_def th_default_mesh_relax_def(void) {
  return (th_mesh_relax_def){.storage = TH_STORAGE_P,
                             .precision = TH_PRECISION_DOUBLE,
                             .start = 0.5,
                             .omega = 1.0,
                             .e_max = 0.001,
                             .accuracy = 0.001,
                             .tolerance = INFINITY,
                             .min = 1.0,
                             .max_sweeps = 1000000,
                             .workers = 1};
}

th_mesh_relax_def th_mesh_relax_def_of(const th_relax_def *def) {
  th_mesh_relax_def d = th_default_mesh_relax_def();
  if (def->method == TH_METHOD_JACOBI) d.rule = TH_MESH_RELAX_JACOBI;
  if (def->method == TH_METHOD_SEIDEL_ALTERNATING) d.order = TH_MESH_RELAX_ALTERNATING;
  if (def->method == TH_METHOD_SOR) d.omega = def->omega > 0.0 ? def->omega : th_default_relax_def().omega;
  d.storage = def->storage;
  d.precision = def->precision;
  d.start = def->start;
  d.e_max = INFINITY;
  d.tolerance = def->tolerance;
  d.min = def->min;
  d.max_sweeps = def->max_sweeps;
  return d;
}

static th_result check_kinds(const th_mesh_relax_def *d, th_error *error) {
  if ((unsigned)d->rule > TH_MESH_RELAX_JACOBI || (unsigned)d->order > TH_MESH_RELAX_RANDOM)
    return th_fail(error, TH_ERROR_RANGE, "mesh relaxation", "expected a rule and an order, found %d and %d",
                   (int)d->rule, (int)d->order);
  if ((unsigned)d->storage > TH_STORAGE_P || (unsigned)d->precision > TH_PRECISION_FLOAT)
    return th_fail(error, TH_ERROR_RANGE, "mesh relaxation", "expected a storage and a precision, found %d and %d",
                   (int)d->storage, (int)d->precision);
  if (d->workers > TH_MAX_WORKERS)
    return th_fail(error, TH_ERROR_RANGE, "mesh relaxation.workers", "expected at most %d, found %u", TH_MAX_WORKERS,
                   d->workers);
  return TH_OK;
}

th_result th_mesh_relax_check(const th_mesh_relax_def *d, th_error *error) {
  const char *name = NULL;
  double found = 0.0;
#define WRONG(field, range_of, text) \
  if (!(range_of)) name = "mesh relaxation." #field ": expected " text, found = d->field;
  WRONG(start, d->start >= 0.0 && d->start <= 1.0, "0 to 1")
  WRONG(omega, d->omega > 0.0 && d->omega < 2.0, "above 0 and below 2")
  WRONG(omega, d->rule != TH_MESH_RELAX_JACOBI || d->omega == 1.0, "1 with Jacobi's rule")
  WRONG(e_max, d->e_max >= 0.0, "0 or more")
  WRONG(omega, d->e_max > 0.0 || d->omega == 1.0, "1 when e_max is to be found")
  WRONG(accuracy, d->accuracy > 0.0 && d->accuracy < 1.0, "above 0 and below 1")
  WRONG(tolerance, d->tolerance >= 0.0, "0 or more")
  WRONG(min, d->min >= 0.0 && isfinite(d->min), "0 or more")
#undef WRONG
  if (name) return th_fail(error, TH_ERROR_RANGE, "mesh relaxation", "%s, found %g", name, found);
  if (d->max_sweeps == 0)
    return th_fail(error, TH_ERROR_RANGE, "mesh relaxation.max_sweeps", "expected at least 1, found 0");
  return check_kinds(d, error);
}
