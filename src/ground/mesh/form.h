/* ground/mesh/form.h - the lasting part of a mesh ground: mesh, frames, boxes, slopes; shared by versions until
 * vertices move. */
#ifndef TH_GROUND_MESH_FORM_H
#define TH_GROUND_MESH_FORM_H

#include "ground/mesh/ground.h"

#define TH_TERRAIN_NAME 48

/* How faces are judged by their shape and terrain. */
typedef struct th_mesh_ground_rules {
  double slope_max, slope_speed, slope_up, slope_down, headroom;
  bool climbs; /* somewhere it matters whether one walks up or down */
  float terrain_speed[TH_MAX_TERRAINS], terrain_up[TH_MAX_TERRAINS], terrain_down[TH_MAX_TERRAINS];
  uint8_t terrain_blocked[TH_MAX_TERRAINS];
  char terrain_name[TH_MAX_TERRAINS][TH_TERRAIN_NAME]; /* longer names are cut off */
} th_mesh_ground_rules;

struct th_mesh_form {
  atomic_uint references;
  th_allocator allocator;
  th_mesh mesh;
  th_mesh_frames frames; /* blocked: NULL */
  th_bvh bvh;
  th_mesh_ground_rules rules;
  uint8_t *fixed; /* of each face: 1 = blocked by terrain, slope or headroom */
  float *speed;
  float *climb; /* of each face: factors of `speed` straight up and straight down; NULL: all 1 */
  uint8_t *terrain_of;
  int32_t *level_of;
  double mean_edge, shortest_edge;
  bool even; /* every factor in `speed` is 1, and there is no `climb` */
};

/* From a checked def, or like `old` with other vertices (3 for each vertex). */
th_result th_mesh_form_make(const th_mesh_ground_def *def, const th_env *env, th_mesh_form **form, th_error *error);
th_mesh_form *th_mesh_form_moved(const th_mesh_form *old, const double *xyz);
void th_mesh_form_release(th_mesh_form *form);

/* Fills `fixed` and `speed` from rules and geometry (slope.c). */
void th_mesh_slope_judge(th_mesh_form *form);

#endif
