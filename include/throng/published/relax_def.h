/* throng/published/relax_def.h - how a potential is relaxed: the settings, without the solvers. Part of
 * throng_published, not of the core library.
 *
 * The solvers themselves, on plain arrays, are in relax.h and relax_mesh.h; planner.h gives them to fields. Threads:
 * any.
 */
#ifndef THRONG_PUBLISHED_RELAX_DEF_H
#define THRONG_PUBLISHED_RELAX_DEF_H

#include "../base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum th_method {
  TH_METHOD_DIRECT,             /* no relaxation: our own solver (throng/field.h); refused here */
  TH_METHOD_JACOBI,             /* all cells from the values of the sweep before */
  TH_METHOD_SEIDEL,             /* Gauss-Seidel: in place, i and j ascending */
  TH_METHOD_SEIDEL_ALTERNATING, /* Gauss-Seidel, the four orders of i and j up and down in turn */
  TH_METHOD_SOR                 /* over-relaxation in Gauss-Seidel's fixed order */
} th_method;

typedef enum th_storage {
  TH_STORAGE_U, /* u = 1 - p: small numbers far from the goal, which floats hold well */
  TH_STORAGE_P  /* p itself, as in the literature: differences from 1 below the rounding error are lost */
} th_storage;

typedef struct th_relax_def {
  th_method method; /* default Gauss-Seidel, alternating */
  th_storage storage;
  th_precision precision;
  th_sense sense;
  th_vec2 v;    /* behaviour vector; sense pull takes its direction only, literal its length as well; default 0, 0 */
  double eps;   /* its strength [1/cell] (-2, 2); one warning is logged when |eps| is 2 or more, with sense literal
                   when |eps v| is above 2 in a component: values then leave [0, 1]; default 0 */
  double start; /* p of free cells before the first sweep [0, 1]; default 1 */
  double omega; /* factor of TH_METHOD_SOR (0, 2), or 0 = the best one for this map; default 1.8 */
  double tolerance; /* converged when no cell changes by more in a sweep; default 1e-12, at least 4 units of rounding
                       (5e-7 in float) */
  double min;       /* changes count relative to the cell's stored value, or to this if the value is smaller: 1 is the
                       absolute change, default; 0 follows u down to underflow (not with SOR, whose rounding errors
                       near the goal exceed the values far away) */
  uint32_t sweeps;  /* fields: exact number of sweeps; 0 = until converged, default */
  uint32_t max_sweeps; /* sweeps after which a field that has not converged is taken as it is; default 1000000 */
} th_relax_def;

TH_API th_relax_def th_default_relax_def(void);

#ifdef __cplusplus
}
#endif
#endif
