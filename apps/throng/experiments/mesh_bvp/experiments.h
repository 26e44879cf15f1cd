/* apps/throng/experiments/mesh_bvp/experiments.h - the experiments with 3DS-BVP, one function each. */
#ifndef TH_APPS_EXPERIMENTS_MESH_BVP_EXPERIMENTS_H
#define TH_APPS_EXPERIMENTS_MESH_BVP_EXPERIMENTS_H

#include "experiments/table.h"

#define TH_MESH_EXPERIMENT(id) th_result th_mesh_##id(th_lab *lab, th_error *error)

/* compare.c: fields and paths against the flat planner */
TH_MESH_EXPERIMENT(at1_even);
TH_MESH_EXPERIMENT(at1_noisy);
/* shapes.c: paths on arbitrary surfaces */
TH_MESH_EXPERIMENT(at2_car);
TH_MESH_EXPERIMENT(at2_costa);
TH_MESH_EXPERIMENT(at2_statue);
TH_MESH_EXPERIMENT(at2_sphere);
/* printed.c: Algorithm 4 */
TH_MESH_EXPERIMENT(at2_walk);
/* trap.c: local minima, bad triangles */
TH_MESH_EXPERIMENT(at3);
TH_MESH_EXPERIMENT(at5);
/* cost.c: speed */
TH_MESH_EXPERIMENT(at4_car);
TH_MESH_EXPERIMENT(at4_costa);
TH_MESH_EXPERIMENT(at4_statue);
/* flatness.c: flatness, degenerate meshes */
TH_MESH_EXPERIMENT(at6);
TH_MESH_EXPERIMENT(at7);

#endif
