/* world/step/path_view.h - adds the next corners of guides with a path to the view of a pass. */
#ifndef TH_WORLD_STEP_PATH_VIEW_H
#define TH_WORLD_STEP_PATH_VIEW_H

#include "world/world.h"

typedef struct th_path_sight {
  const th_patch_crowd *crowd; /* NULL on flat ground */
  const th_patch_crowd_input *input;
} th_path_sight;

/* Paths of the rows, for the view that was filled in this scratch. */
void th_world_show_paths(const th_world *world, th_worker_scratch *room, const uint32_t *row,
                         const th_path_sight *sight);

#endif
