/* apps/throng/experiments/planarization/experiments.h - the experiments with dynamic planarization, one function each.
 */
#ifndef TH_APPS_EXPERIMENTS_PLANARIZATION_EXPERIMENTS_H
#define TH_APPS_EXPERIMENTS_PLANARIZATION_EXPERIMENTS_H

#include "experiments/table.h"

#define TH_PLAN_EXPERIMENT(id) th_result th_plan_##id(th_lab *lab, th_error *error)

/* tables.c: tables 5.1 and 5.2, figure 5.8 */
TH_PLAN_EXPERIMENT(sizes);
TH_PLAN_EXPERIMENT(cost_bunny);
TH_PLAN_EXPERIMENT(cost_heptoroid);
TH_PLAN_EXPERIMENT(cost_fertility);
TH_PLAN_EXPERIMENT(cost_glob);
TH_PLAN_EXPERIMENT(cost_ball);
TH_PLAN_EXPERIMENT(stretch);
/* crowds.c: five meshes, six crowds; figures 5.2 to 5.7 */
TH_PLAN_EXPERIMENT(crowd_bunny);
TH_PLAN_EXPERIMENT(crowd_heptoroid);
TH_PLAN_EXPERIMENT(crowd_fertility);
TH_PLAN_EXPERIMENT(crowd_glob);
TH_PLAN_EXPERIMENT(crowd_ball);
/* crossings.c: figure 5.9, and whole trips */
TH_PLAN_EXPERIMENT(ring_low);
TH_PLAN_EXPERIMENT(ring_strong);
TH_PLAN_EXPERIMENT(block_low);
TH_PLAN_EXPERIMENT(block_strong);
TH_PLAN_EXPERIMENT(trends);
/* map.c: the map of an agent */
TH_PLAN_EXPERIMENT(map);

#endif
