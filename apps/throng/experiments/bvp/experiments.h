/* apps/throng/experiments/bvp/experiments.h - the experiments with the model bvp, one function each. */
#ifndef TH_APPS_EXPERIMENTS_BVP_EXPERIMENTS_H
#define TH_APPS_EXPERIMENTS_BVP_EXPERIMENTS_H

#include "experiments/table.h"

#define TH_BVP_EXPERIMENT(id) th_result th_bvp_##id(th_lab *lab, th_error *error)

/* ablations.c: variants that were tried and dropped */
TH_BVP_EXPERIMENT(e37);
TH_BVP_EXPERIMENT(e39);
/* ambush.c: pockets of standing people */
TH_BVP_EXPERIMENT(e18);
TH_BVP_EXPERIMENT(e26);
TH_BVP_EXPERIMENT(e27);
TH_BVP_EXPERIMENT(e28);
TH_BVP_EXPERIMENT(e29);
/* behaviours.c: behaviours */
TH_BVP_EXPERIMENT(e07);
TH_BVP_EXPERIMENT(e08);
TH_BVP_EXPERIMENT(e09);
TH_BVP_EXPERIMENT(e10);
TH_BVP_EXPERIMENT(e11);
/* collision.c: collision courses */
TH_BVP_EXPERIMENT(e21);
/* corridor.c: one parameter at a time */
TH_BVP_EXPERIMENT(e13);
TH_BVP_EXPERIMENT(e14);
TH_BVP_EXPERIMENT(e16);
TH_BVP_EXPERIMENT(e33);
TH_BVP_EXPERIMENT(e36);
/* cost.c: speed */
TH_BVP_EXPERIMENT(e32);
/* explore.c: unknown ground */
TH_BVP_EXPERIMENT(e25);
/* flatness.c: cost of flatness */
TH_BVP_EXPERIMENT(f01);
TH_BVP_EXPERIMENT(f02);
/* fields.c: shared fields */
TH_BVP_EXPERIMENT(e01);
TH_BVP_EXPERIMENT(e02);
TH_BVP_EXPERIMENT(e03);
TH_BVP_EXPERIMENT(e04);
TH_BVP_EXPERIMENT(e05);
TH_BVP_EXPERIMENT(e38);
/* local.c: local maps and one decision */
TH_BVP_EXPERIMENT(e06);
TH_BVP_EXPERIMENT(e12);
TH_BVP_EXPERIMENT(e15);
TH_BVP_EXPERIMENT(e40);
/* meeting.c: meetings and races */
TH_BVP_EXPERIMENT(e22);
TH_BVP_EXPERIMENT(e23);
TH_BVP_EXPERIMENT(e24);
/* motion.c: heading and speed */
TH_BVP_EXPERIMENT(e17);
TH_BVP_EXPERIMENT(e19);
TH_BVP_EXPERIMENT(e20);
/* park.c: the park */
TH_BVP_EXPERIMENT(e30);
TH_BVP_EXPERIMENT(e31);
TH_BVP_EXPERIMENT(e34);
TH_BVP_EXPERIMENT(e35);

#endif
