/* world/step/mesh_charts.h - what a world needs on mesh ground only. */
#ifndef TH_WORLD_STEP_MESH_CHARTS_H
#define TH_WORLD_STEP_MESH_CHARTS_H

#include "ground/chart/atlas.h"
#include "throng/world.h"
#include "view/patch_crowd.h"
#include "world/step/contacts.h"
#include "world/step/overhead.h"

/* Places of agents lie in faces, and so do all their vectors; walking turns both. */
typedef struct th_world_mesh {
  th_atlas *atlas;             /* patches of the ground in force, and their charts */
  th_patch_crowd *crowd;       /* one per worker */
  th_contact_scratch *contact; /* one per worker */
  uint32_t *cell;              /* by slot: face at the start of the step */
  uint32_t *rank, *mrank;      /* by slot: of these two among the faces by cluster, see th_patches */
  uint32_t *mcell;             /* by slot: face during move and contacts; moved_x, moved_y lie in it */
  th_turn *turn;               /* by slot: rotation of the frame by contacts; that by move is in the rows */
  float *hop2;                 /* by slot: squared length of the displacement that was planned [m2] */
  uint8_t *decided;            /* by slot: has decided in this pass */
  uint32_t *patch_list;        /* patches that hold agents */
  uint8_t *patch_mark;         /* by patch: is in that list; 0 between calls */
  th_world_overhead *overhead; /* bodies above the surface; NULL unless asked for */
  uint32_t workers, slot_capacity, patch_capacity;
  bool told; /* that charts do not fit their memory */
} th_world_mesh;

th_result th_world_mesh_make(th_world *world, th_error *error); /* world->mesh for the ground in force */
th_result th_world_mesh_atlas(const th_world *world, const th_ground *ground, th_atlas **atlas, th_error *error);
th_atlas *th_world_mesh_use(th_world *world, th_atlas *atlas); /* takes it over; returns the one before */
void th_world_mesh_follow(th_world *world, const th_ground *from, const th_ground *to); /* keeps the atlas in use */
void th_world_mesh_free(th_world *world);
bool th_world_mesh_grow(th_world *world, uint32_t agents);
th_patch_crowd_input th_world_mesh_crowd_input(const th_world *world, th_view_columns columns);
/* Charts of the patches that hold agents; and the order's own columns. */
void th_world_mesh_prepare(th_world *world);

#endif
