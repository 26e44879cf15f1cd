/* lab/published/grid/sor.h - successive over-relaxation: the baseline for the direct solver and the reference of its
 * tests. */
#ifndef TH_PUBLISHED_GRID_SOR_H
#define TH_PUBLISHED_GRID_SOR_H

#include "field/grid/operator.h"

/* One relaxation of A u = (pinned neighbours). Pinned cells keep what `u` holds, walls stay 0. */
typedef struct th_relax {
  th_operator op;
  double omega;     /* 1 to 2; th_relax_omega gives the best */
  double tolerance; /* largest relative change of any cell in a sweep at which to stop */
  double min;       /* smaller values are judged as if they were this: rounding moves them for ever; 0 in small maps */
  uint32_t max_sweeps; /* sweeps */
} th_relax;

/* Relaxes u (width * height, in place) and returns the sweeps it took; 0 when out of memory. */
uint32_t th_relax_run(const th_allocator *allocator, const th_relax *relax, double *u);

/* Young's factor 2 / (1 + sqrt(1 - rho^2)), rho = spectral radius of Jacobi's method, by `rounds` power steps.
 * 0 when out of memory. */
double th_relax_omega(const th_allocator *allocator, const th_operator *op, uint32_t rounds);

#endif
