/* apps/throng/experiments.c - the table of published experiments. Each model brings its own rows. */
#include "experiments.h"

#include <stddef.h>

const th_experiment th_experiments[] = {
    {NULL, NULL, NULL, NULL, 0, 0, 0, NULL, NULL},
};
