/* ground/mesh/version.h - building one version of a mesh ground out of a form and the regions in use. */
#ifndef TH_GROUND_MESH_VERSION_H
#define TH_GROUND_MESH_VERSION_H

#include "ground/mesh/form.h"
#include "ground/mesh/regions.h"

/* A ground of `form` (a reference is taken) with the regions of `use` (likewise). `old`, NULL for the first version, is
 * the version before; with the same form only the difference is computed. */
typedef struct th_mesh_ground_version {
  const th_env *env;
  th_mesh_form *form;
  const th_mesh_barrier *use;
  uint32_t use_count;
  const float *radius_class;
  uint32_t class_count, version;
  float clearance_limit;
  th_markers_def markers;
  const th_mesh_ground *old;
} th_mesh_ground_version;

th_result th_mesh_ground_build(const th_mesh_ground_version *build, th_ground **ground, th_error *error);

#endif
