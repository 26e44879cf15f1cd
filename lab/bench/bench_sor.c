/* lab/bench/bench_sor.c - over-relaxation beside the direct solver, on a 512 x 512 map of rooms.
 *
 *   field.grid512.speedup_over_sor   relaxation with its best factor until no cell changes by 1e-10 of the largest,
 *                                    over one solve for a new goal on the kept factor
 */
#include <math.h>
#include <string.h>

#include "lab/published/grid/sor.h"
#include "rooms.h"

/* The smallest time over factors around Young's. */
static double sor_time(th_rooms *r) {
  r->edited[r->goal] = TH_CELL_PINNED;
  th_relax relax = {.op = th_rooms_operator(r->edited), .tolerance = 1e-10, .min = 1.0, .max_sweeps = 5000};
  const double young = th_relax_omega(&r->env.allocator, &relax.op, 400);
  double best = 1e30;
  for (int n = 0; n <= 6; n++) {
    relax.omega = 2.0 - (2.0 - young) * pow(0.75, n);
    memset(r->u, 0, TH_ROOMS_SIZE * sizeof(double));
    r->u[r->goal] = 1.0;
    double start = th_bench_now();
    (void)th_relax_run(&r->env.allocator, &relax, r->u);
    double time = th_bench_now() - start;
    if (time < best) best = time;
  }
  r->edited[r->goal] = TH_CELL_FREE;
  return best;
}

void th_bench_sor(th_bench *bench);

void th_bench_sor(th_bench *bench) {
  if (!th_bench_wants(bench, "field.grid512.speedup_over_sor")) return;
  th_rooms r;
  if (th_rooms_make(&r))
    th_bench_report(bench, "field.grid512.speedup_over_sor", sor_time(&r) / th_rooms_solve_time(&r), "x");
  th_rooms_free(&r);
}
