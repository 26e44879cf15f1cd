/* apps/throng/experiments/planarization/experiments.h - the experiments with dynamic planarization, one function each.
 */
#ifndef TH_APPS_EXPERIMENTS_PLANARIZATION_EXPERIMENTS_H
#define TH_APPS_EXPERIMENTS_PLANARIZATION_EXPERIMENTS_H

#include "experiments/table.h"

#define TH_PLANAR_EXPERIMENT(id) th_result th_planar_##id(th_lab *lab, th_error *error)

/* tables.c: tables 5.1 and 5.2, figure 5.8 */
TH_PLANAR_EXPERIMENT(sizes);
TH_PLANAR_EXPERIMENT(cost_bunny);
TH_PLANAR_EXPERIMENT(cost_heptoroid);
TH_PLANAR_EXPERIMENT(cost_fertility);
TH_PLANAR_EXPERIMENT(cost_glob);
TH_PLANAR_EXPERIMENT(cost_ball);
TH_PLANAR_EXPERIMENT(stretch);
/* crowds.c: five meshes, six crowds; figures 5.2 to 5.7 */
TH_PLANAR_EXPERIMENT(crowd_bunny);
TH_PLANAR_EXPERIMENT(crowd_heptoroid);
TH_PLANAR_EXPERIMENT(crowd_fertility);
TH_PLANAR_EXPERIMENT(crowd_glob);
TH_PLANAR_EXPERIMENT(crowd_ball);
/* crossings.c: figure 5.9, and whole trips */
TH_PLANAR_EXPERIMENT(ring_low);
TH_PLANAR_EXPERIMENT(ring_strong);
TH_PLANAR_EXPERIMENT(block_low);
TH_PLANAR_EXPERIMENT(block_strong);
TH_PLANAR_EXPERIMENT(trends);
/* trips.c: the six crowds to their destinations; figures 5.3 to 5.7, a long run */
TH_PLANAR_EXPERIMENT(trips);
/* map.c: the map of an agent */
TH_PLANAR_EXPERIMENT(map);

#endif
