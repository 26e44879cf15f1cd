/* apps/throng/experiments_surface.h - the experiments with 3DS-BVP, one function each. */
#ifndef TH_APPS_EXPERIMENTS_SURFACE_H
#define TH_APPS_EXPERIMENTS_SURFACE_H

#include "experiments.h"

#define TH_SURFACE_EXPERIMENT(id) th_result th_surface_##id(th_lab *lab, th_error *error)

/* surface_compare.c: fields and ways against the flat planner */
TH_SURFACE_EXPERIMENT(at1_even);
TH_SURFACE_EXPERIMENT(at1_noisy);
/* surface_shapes.c: ways on arbitrary surfaces */
TH_SURFACE_EXPERIMENT(at2_car);
TH_SURFACE_EXPERIMENT(at2_costa);
TH_SURFACE_EXPERIMENT(at2_statue);
TH_SURFACE_EXPERIMENT(at2_sphere);
/* surface_printed.c: Algorithm 4 */
TH_SURFACE_EXPERIMENT(at2_walk);
/* surface_trap.c: local minima, bad triangles */
TH_SURFACE_EXPERIMENT(at3);
TH_SURFACE_EXPERIMENT(at5);
/* surface_cost.c: speed */
TH_SURFACE_EXPERIMENT(at4_car);
TH_SURFACE_EXPERIMENT(at4_costa);
TH_SURFACE_EXPERIMENT(at4_statue);
/* surface_flat.c: flatness, degenerate meshes */
TH_SURFACE_EXPERIMENT(at6);
TH_SURFACE_EXPERIMENT(at7);

#endif
