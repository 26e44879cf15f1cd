/* lab/mesh_bvp/experiments.h - the experiments with 3DS-BVP, one function each. */
#ifndef TH_LAB_MESH_BVP_EXPERIMENTS_H
#define TH_LAB_MESH_BVP_EXPERIMENTS_H

#include "lab/table.h"

/* Fischer, "3DS-BVP: a path planner for arbitrary surfaces", 2011: id, title, what the publication reports, function */
#define TH_MESH_EXPERIMENTS(X)                                                                                        \
  X("AT-1-even", "Regular meshes against the flat planner",                                                           \
    "fields differ by 0.8 % on average, paths nearly coincide", th_mesh_at1_even)                                     \
  X("AT-1-noisy", "Noisy meshes against the flat planner",                                                            \
    "fields differ by 1 % on average; noise costs some smoothness", th_mesh_at1_noisy)                                \
  X("AT-2-car", "Paths over a car", "the path round an obstacle depends on the start", th_mesh_at2_car)               \
  X("AT-2-costa", "Paths on Costa's surface", "a smooth path from every start", th_mesh_at2_costa)                    \
  X("AT-2-statue", "Paths on a statue of genus 4",                                                                    \
    "with obstacles the same start and goal are joined by another route", th_mesh_at2_statue)                         \
  X("AT-2-sphere", "Closed mesh without obstacles", "starts round the cell that is held high take different paths",   \
    th_mesh_at2_sphere)                                                                                               \
  X("AT-2-walk", "Algorithm 4 as printed", "every path arrives", th_mesh_at2_walk)                                    \
  X("AT-3", "A pocket", "paths avoid the pocket, on regular and noisy meshes", th_mesh_at3)                           \
  X("AT-4-car", "Relaxation, car", "1,739 iterations and 0.074 s at e_max 0.001", th_mesh_at4_car)                    \
  X("AT-4-costa", "Relaxation, Costa's surface", "1,304 iterations and 0.093 s at e_max 0.001", th_mesh_at4_costa)    \
  X("AT-4-statue", "Relaxation, statue", "26,401 iterations and 9.6 s at e_max 0.001", th_mesh_at4_statue)            \
  X("AT-5", "Long thin triangles", "paths are found, with abrupt turns", th_mesh_at5)                                 \
  X("AT-6", "Flatness in a hallway", "far from the goal the gradient is null", th_mesh_at6)                           \
  X("AT-7", "Degenerate meshes", "coincident vertices stop the field, isolated ones and faces without area break it", \
    th_mesh_at7)

#define X(id, title, text, run) th_result run(th_lab *lab, th_error *error);
TH_MESH_EXPERIMENTS(X)
#undef X

#endif
