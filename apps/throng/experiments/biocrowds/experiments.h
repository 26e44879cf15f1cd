/* apps/throng/experiments/biocrowds/experiments.h - the experiments with BioCrowds and Tree Paths, one function each.
 */
#ifndef TH_APPS_EXPERIMENTS_BIOCROWDS_EXPERIMENTS_H
#define TH_APPS_EXPERIMENTS_BIOCROWDS_EXPERIMENTS_H

#include "experiments/table.h"

#define TH_BIO_EXPERIMENT(id) th_result th_bio_##id(th_lab *lab, th_error *error)

/* emergence.c: what crowds do by themselves, over twenty seeds each */
TH_BIO_EXPERIMENT(lanes);
TH_BIO_EXPERIMENT(density);
TH_BIO_EXPERIMENT(door);
TH_BIO_EXPERIMENT(cells);
/* chases.c: what trees do for moving targets and fugitives */
TH_BIO_EXPERIMENT(pursuit);
TH_BIO_EXPERIMENT(collaboration);
TH_BIO_EXPERIMENT(escape);
TH_BIO_EXPERIMENT(hunt);
/* shapes.c: what weights of markers make of a group */
TH_BIO_EXPERIMENT(formation);
TH_BIO_EXPERIMENT(alignment);
/* route.c: routes of trees */
TH_BIO_EXPERIMENT(route);
TH_BIO_EXPERIMENT(thin_walls);
TH_BIO_EXPERIMENT(seeds);

#endif
