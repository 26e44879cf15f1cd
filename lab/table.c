/* lab/table.c - the table of published experiments, from the rows of each publication. */
#include "lab/table.h"

#include <stddef.h>

#include "lab/biocrowds/experiments.h"
#include "lab/bvp/experiments.h"
#include "lab/mesh_bvp/experiments.h"
#include "lab/planarization/experiments.h"
#include "lab/steering/experiments.h"

#define TRIP(mesh, title, agents)                                                                          \
  {                                                                                                        \
    "planarization-trip", "trips-" mesh "-" agents, agents " to their destinations, " title, "as all six", \
        th_planar_trips                                                                                    \
  }
#define TRIPS(mesh, title)                                                                                        \
  TRIP(mesh, title, "20160"), TRIP(mesh, title, "40000"), TRIP(mesh, title, "60000"), TRIP(mesh, title, "80000"), \
      TRIP(mesh, title, "100000"), TRIP(mesh, title, "120000"), {                                                 \
    "planarization-trips", "trips-" mesh, "Six crowds to their destinations, " title,                             \
        "deviation grows with the crowd, time and distance are little affected, speed stays near the wanted one", \
        th_planar_trips                                                                                           \
  }

/* clang-format off */
const th_experiment th_experiments[] = {
#define X(id, title, text, run) {"bvp", id, title, text, run},
    TH_BVP_EXPERIMENTS(X)
#undef X
#define X(id, title, text, run) {"flatness", id, title, text, run},
    TH_FLATNESS_EXPERIMENTS(X)
#undef X
#define X(id, title, text, run) {"3ds-bvp", id, title, text, run},
    TH_MESH_EXPERIMENTS(X)
#undef X
#define X(id, title, text, run) {"planarization", id, title, text, run},
    TH_PLANAR_EXPERIMENTS(X)
#undef X
    TRIPS("bunny", "Stanford Bunny"),
    TRIPS("hepto", "Heptoroid"),
    TRIPS("ferti", "Fertility"),
    TRIPS("glob", "Glob"),
    TRIPS("ball", "distorted sphere"),
#define X(id, title, text, run) {"steering", id, title, text, run},
    TH_STEER_EXPERIMENTS(X)
#undef X
#define X(id, title, text, run) {"biocrowds", id, title, text, run},
    TH_BIO_EXPERIMENTS(X)
#undef X
    {NULL, NULL, NULL, NULL, NULL},
};
/* clang-format on */
