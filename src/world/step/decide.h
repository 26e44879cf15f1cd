/* world/step/decide.h - a pass over agents of one model, and the views that it sees. */
#ifndef TH_WORLD_STEP_DECIDE_H
#define TH_WORLD_STEP_DECIDE_H

#include "world/world.h"

typedef struct th_pass_work {
  th_world *world;
  const th_pass *pass;
  uint32_t model;
  uint32_t listed; /* TH_OVER_LANES: agents in lane_list */
  th_view_source source;
  th_patch_crowd_input input; /* mesh ground */
  const th_markers *markers;  /* of the ground, when the pass sees them */
  const struct th_view_calls *calls;
} th_pass_work;

/* Agents of a patch among the candidates of its view. */
typedef struct th_own_run {
  uint32_t first, count;
} th_own_run;

/* How views are made on a kind of ground. */
typedef struct th_view_calls {
  void (*begin)(th_pass_work *work); /* before the first pass */
  void (*over_views)(void *work, uint32_t begin, uint32_t end, uint32_t worker);
  uint32_t block; /* patches that one task of over_views takes */
  bool (*fill_patch)(th_pass_work *work, uint32_t patch, uint32_t worker, const th_view_need *need, th_own_run *own);
} th_view_calls;

/* Up to sixteen agents and where they are seen: their slots in the world's order, and in that of the source. */
typedef struct th_pass_group {
  th_patch_crowd *crowd; /* of a mesh; NULL on flat ground, where the two slots are the same */
  uint32_t slot[16], seen[16], count;
  bool last;        /* there will be no wider search */
  uint32_t earlier; /* groups of the patch that have run */
} th_pass_group;

/* decide.c: what of its model's needs the pass sees. The last pass decides; it also sees what people that keep a time
 * gap need. */
th_view_need th_decide_need(const th_pass_work *work);
bool th_decide_due(const th_pass_work *work, uint32_t slot, uint32_t row);
bool th_decide_anyone_due(const th_pass_work *work, uint32_t first, uint32_t last); /* of these slots */
/* decide.c: false when the view did not reach far enough to find the nearest agents: then nothing was decided. */
bool th_decide_run(th_pass_work *work, th_worker_scratch *scratch, const th_pass_group *group);

/* mesh_views.c */
extern const th_view_calls th_mesh_view_calls;

/* path_view.c: adds the next corners of guides with a path to a view. */
typedef struct th_path_sight {
  const th_patch_crowd *crowd; /* NULL on flat ground */
  const th_patch_crowd_input *input;
} th_path_sight;

/* Paths of the rows, for the view that was filled in this scratch. */
void th_world_show_paths(const th_world *world, th_worker_scratch *scratch, const uint32_t *row,
                         const th_path_sight *sight);

#endif
