/* lab/planarization/experiments.h - the experiments with dynamic planarization, one function each.
 */
#ifndef TH_LAB_PLANARIZATION_EXPERIMENTS_H
#define TH_LAB_PLANARIZATION_EXPERIMENTS_H

#include "lab/table.h"

/* Berndt, "Navegacao de multiplos agentes sobre superficies arbitrarias utilizando planarizacao dinamica", 2014: id,
 * title, what the publication reports, function */
#define TH_PLANAR_EXPERIMENTS(X)                                                                                     \
  X("sizes", "Five meshes", "13.0 to 13.6 triangles a map on meshes of genus 0, 22, 4, 7 and 0", th_planar_sizes)    \
  X("cost-bunny", "Maps and fields, Stanford Bunny", "0.0162 ms per map, 4.70 ms per field", th_planar_cost_bunny)   \
  X("cost-hepto", "Maps and fields, Heptoroid", "0.0166 ms per map, 3.00 ms per field", th_planar_cost_heptoroid)    \
  X("cost-ferti", "Maps and fields, Fertility", "0.0164 ms per map, 2.65 ms per field", th_planar_cost_fertility)    \
  X("cost-glob", "Maps and fields, Glob", "0.0167 ms per map, 1.95 ms per field", th_planar_cost_glob)               \
  X("cost-ball", "Maps and fields, distorted sphere", "0.0148 ms per map, 1.12 ms per field", th_planar_cost_ball)   \
  X("stretch", "Distortion of the maps", "most triangles have an L2 of 1, those round the agent rather",             \
    th_planar_stretch)                                                                                               \
  X("map", "The map of an agent", "neighbours in and out of vision, reference point and directions", th_planar_map)  \
  X("crowd-bunny", "Six crowds, Stanford Bunny",                                                                     \
    "steps per second fall as neighbours rise; deviation grows with the crowd", th_planar_crowd_bunny)               \
  X("crowd-hepto", "Six crowds, Heptoroid", "the same", th_planar_crowd_heptoroid)                                   \
  X("crowd-ferti", "Six crowds, Fertility", "the same", th_planar_crowd_fertility)                                   \
  X("crowd-glob", "Six crowds, Glob", "the same", th_planar_crowd_glob)                                              \
  X("crowd-ball", "Six crowds, distorted sphere", "the same", th_planar_crowd_ball)                                  \
  X("trends", "Whole trips of growing crowds",                                                                       \
    "deviation grows with the crowd, time and distance hardly change, speed stays near the wanted one",              \
    th_planar_trends)                                                                                                \
  X("ring-low", "A ring crosses, light deformation", "no collision; a bottleneck in the middle", th_planar_ring_low) \
  X("ring-strong", "A ring crosses, strong deformation", "no collision; a bottleneck in the middle",                 \
    th_planar_ring_strong)                                                                                           \
  X("block-low", "A block crosses, light deformation", "no collision; a bottleneck in the middle",                   \
    th_planar_block_low)                                                                                             \
  X("block-str", "A block crosses, strong deformation", "no collision; a bottleneck in the middle",                  \
    th_planar_block_strong)

#define X(id, title, text, run) th_result run(th_lab *lab, th_error *error);
TH_PLANAR_EXPERIMENTS(X)
#undef X
/* trips.c: the six crowds to their destinations, in hours instead of minutes */
th_result th_planar_trips(th_lab *lab, th_error *error);

#endif
