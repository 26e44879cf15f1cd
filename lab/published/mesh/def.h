/* lab/published/mesh/def.h - checks of settings. */
#ifndef TH_PUBLISHED_MESH_DEF_H
#define TH_PUBLISHED_MESH_DEF_H

#include "throng/published/relax_mesh.h"

th_result th_mesh_relax_check(const th_mesh_relax_def *def, th_error *error);

#endif
