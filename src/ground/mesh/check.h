/* ground/mesh/check.h - what a mesh ground accepts. */
#ifndef TH_GROUND_MESH_CHECK_H
#define TH_GROUND_MESH_CHECK_H

#include "throng/ground.h"

/* Numbers, terrains and names; the mesh checks itself and regions are checked against it. */
th_result th_mesh_ground_check(const th_mesh_ground_def *def, th_error *error);

#endif
