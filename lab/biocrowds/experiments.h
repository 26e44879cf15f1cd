/* lab/biocrowds/experiments.h - the experiments with BioCrowds and Tree Paths, one function each.
 */
#ifndef TH_LAB_BIOCROWDS_EXPERIMENTS_H
#define TH_LAB_BIOCROWDS_EXPERIMENTS_H

#include "lab/table.h"

/* Rodrigues, "Controle de comportamentos de grupos de personagens virtuais", 2010: id, title, what the publication
 * reports, function */
#define TH_BIO_EXPERIMENTS(X)                                                                                      \
  X("T1", "A route against A*", "78.05 m for A* on 1 m cells, 83.60 m along a tree; one run each", th_bio_route)   \
  X("T2", "Pursuit of a moving target",                                                                            \
    "after node adjustment the tree changes shape and the pursuer goes round the obstacle on the other side",      \
    th_bio_pursuit)                                                                                                \
  X("T3", "Collaborative pursuit", "the two trees do not intersect; both pursuers go round the obstacle",          \
    th_bio_collaboration)                                                                                          \
  X("T4", "Escape from an area",                                                                                   \
    "the first node outside the circle gives the path; the tree does not touch the static agents", th_bio_escape)  \
  X("T5", "Collaborative pursuit and escape",                                                                      \
    "the pursuers' trees do not intersect but colonise all the space; the fugitive crosses the scene to the left", \
    th_bio_hunt)                                                                                                   \
  X("T6", "Formation", "21 agents aim at the star's centre and spread efficiently over it", th_bio_formation)      \
  X("T7", "Alignment", "51 agents align progressively, with some faults", th_bio_alignment)                        \
  X("T8-lanes", "Lanes in counterflow", "lanes form by themselves", th_bio_lanes)                                  \
  X("T8-density", "Speed in dense streams", "people walk slower the denser they stand", th_bio_density)            \
  X("T8-door", "A narrow passage", "people clog before a narrow passage", th_bio_door)                             \
  X("T9", "Cells", "an agent stays in its own cell, so no two collide", th_bio_cells)                              \
  X("T10", "Thin walls", "obstacles must be wider than 3.35 m, or the tree jumps over them", th_bio_thin_walls)    \
  X("T11", "Seeds", "paths are never identical", th_bio_seeds)

#define X(id, title, text, run) th_result run(th_lab *lab, th_error *error);
TH_BIO_EXPERIMENTS(X)
#undef X

#endif
