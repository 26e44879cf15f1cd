/* field/direct/potential.h - the potential of one goal on any graph, continued in stages where it underflows. */
#ifndef TH_FIELD_DIRECT_POTENTIAL_H
#define TH_FIELD_DIRECT_POTENTIAL_H

#include "field/direct/factor.h"

#define TH_POTENTIAL_MIN 1e-260 /* u below this is left to the next stage */

/* One linear system after the other. */
typedef struct th_potential {
  th_allocator allocator;
  th_graph_operator op;    /* its kinds are those below */
  const th_factor *factor; /* the one given, or `own`, an update of it */
  th_factor *own;
  uint8_t *kind; /* of the current system: goals and accepted unknowns are pinned */
  uint32_t *source;
  double *value, *work;
  size_t work_size;
  uint32_t source_count;
} th_potential;

/* `factor` is that of `op` without any goal; op.kind is not read. Ends with th_potential_free, also after an error. */
th_result th_potential_make(th_potential *potential, const th_factor *factor, const th_graph_operator *op,
                            th_error *error);
void th_potential_free(th_potential *potential);

/* The first solve, into x: from sources on the given factor, not scaled yet; or from unknowns that are pinned at 1,
 * where x then is 0. */
th_result th_potential_from_sources(th_potential *potential, th_fronts_source source, double *x, th_error *error);
th_result th_potential_from_pinned(th_potential *potential, const uint32_t *goal, uint32_t count, double *x,
                                   th_error *error);

/* log u of every unknown with a finite distance to the goal, from the first x; -INFINITY of all others. x is scratch
 * afterwards. *open: how many could not be reached from what was accepted. */
th_result th_potential_in_stages(th_potential *potential, const double *distance, double *x, double *log_u,
                                 size_t *open, th_error *error);

#endif
