/* apps/throng/experiments.h - published experiments that `throng reproduce` re-runs. */
#ifndef TH_APPS_EXPERIMENTS_H
#define TH_APPS_EXPERIMENTS_H

#include "throng/base.h"

/* One experiment: a number that a run of ours must bring into a band. */
typedef struct th_experiment {
  const char *name; /* of the group that `throng reproduce NAME` runs */
  const char *id, *text, *unit;
  double least, most;                                   /* band */
  double published;                                     /* NAN = none */
  const char *reason;                                   /* why it may fail, NULL = it may not */
  th_result (*measure)(double *value, th_error *error); /* NULL = missing */
} th_experiment;

/* All of them, ended by a name of NULL. */
extern const th_experiment th_experiments[];

#endif
