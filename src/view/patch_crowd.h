/* view/patch_crowd.h - one patch of a mesh as a small flat world: its agents and those around them, in its chart.
 *
 * On flat ground one order serves every patch. On a mesh each patch has a chart of its own, so its agents and all
 * agents within reach are put into chart coordinates and sorted into squares once per patch. The result is an order and
 * columns of the same kind as on flat ground, so the same code finds views and contacts.
 */
#ifndef TH_VIEW_PATCH_CROWD_H
#define TH_VIEW_PATCH_CROWD_H

#include "base/simd/pack.h"
#include "ground/chart/chart.h"
#include "view/view.h"

#define TH_MAX_PATCH_SQUARES 4096u
#define TH_MAX_PATCH_CROWD 16384u /* agents in and around one patch; beyond it the reach shrinks */

/* What a view of a chart knows about space. */
typedef struct th_view_space {
  const struct th_patch_crowd *crowd;
  const struct th_patch_crowd_input *input;
} th_view_space;

typedef struct th_patch_crowd {
  th_allocator allocator;
  const th_chart *chart;
  th_order order;               /* chart coordinates; rows are slots of its own */
  uint32_t *slot;               /* own slot -> slot of the world's order */
  uint32_t *map;                /* own slot -> number of its face's map in the chart */
  uint32_t own_first, own_last; /* slots of the patch's agents in the world's order */
  uint32_t *own, own_count;     /* own slots of the patch's agents, row by row of squares */
  float reach;                  /* every agent within this distance of the patch is in it [m] */
  bool crowded;                 /* the memory was full */
  th_view_source source;

  th_link_targets link[TH_VIEW_LANES]; /* of the view that is being filled, in the chart */
  th_view_space space;

  /* found, before they are sorted */
  float *fx, *fy;
  uint32_t *fslot, *fcluster, *fmap;
  uint8_t (*pack)[8]; /* TH_PACK_ROWS of them */
} th_patch_crowd;

/* True for agents of the patch, false for those around it. */
static inline bool th_patch_crowd_owns(const th_patch_crowd *crowd, uint32_t at) {
  return crowd->slot[at] - crowd->own_first < crowd->own_last - crowd->own_first;
}

static inline const th_chart_map *th_patch_crowd_map(const th_patch_crowd *crowd, uint32_t at) {
  return crowd->chart->map + crowd->map[at];
}

/* Where the agents stand: slots of the world's order, their faces and places. */
typedef struct th_patch_crowd_input {
  const th_ground *ground;
  const th_patches *patches;
  const th_order *order;                 /* of the world: clusters are those of the patches */
  const uint32_t *cell;                  /* face of each slot */
  const uint32_t *rank;                  /* of that face, see th_patches */
  const float *hops;                     /* by cluster: its agents may be as far from it [m]; NULL: none is */
  bool moved;                            /* some agents may have left the cluster that they have in the order */
  const float *x, *y;                    /* place of each slot in its face */
  th_view_columns columns;               /* by row (`want` by slot), in face frames */
  const float *speed_of;                 /* factor of each face; NULL: 1 everywhere */
  const struct th_mesh_ground *climbing; /* where up and down differ in speed; NULL: nowhere */
  th_simd simd;
} th_patch_crowd_input;

bool th_patch_crowd_make(th_patch_crowd *crowd, const th_allocator *allocator);
void th_patch_crowd_free(th_patch_crowd *crowd);

/* th_patch_crowd_begin takes up a patch. th_patch_crowd_gather then fills the order with all agents in the patch and
 * within `reach` of it; it may be repeated. */
void th_patch_crowd_begin(th_patch_crowd *crowd, const th_patch_crowd_input *input, const th_chart *chart);
void th_patch_crowd_gather(th_patch_crowd *crowd, const th_patch_crowd_input *input, float reach);

/* Fills what others see of all agents in it apart from place and radius, and the ids of its own agents. */
void th_patch_crowd_neighbours(th_patch_crowd *crowd, const th_patch_crowd_input *input);
void th_patch_crowd_names(th_patch_crowd *crowd, const th_patch_crowd_input *input); /* the ids alone */

/* A reach that probably holds k neighbours of each own agent, at most `max`. */
float th_patch_crowd_guess(const th_patch_crowd *crowd, uint32_t k, float max);

/* As th_view_fill_patch: a view without lanes, the patch's own agents first among the candidates. Returns how many. */
uint32_t th_patch_crowd_fill_patch(th_patch_crowd *crowd, th_view_scratch *scratch, const th_view_need *need,
                                   th_simd simd);

/* True when a cluster that may hold an agent within `reach` of the patch is marked. `hops` as above. */
TH_LANES_DECLARE(bool, th_patch_crowd_any, const th_chart *chart, float reach, const uint8_t *mark, const float *hops);

/* Parts of the above, compiled for each instruction set. th_patch_crowd_find is false when the memory is full. */
TH_LANES_DECLARE(bool, th_patch_crowd_find, th_patch_crowd *crowd, const th_patch_crowd_input *input, float reach);
TH_LANES_DECLARE(void, th_patch_crowd_squares, th_patch_crowd *crowd);
TH_LANES_DECLARE(void, th_patch_crowd_list_own, th_patch_crowd *crowd);
TH_LANES_DECLARE(void, th_patch_crowd_velocities, th_patch_crowd *crowd, const th_patch_crowd_input *input);
TH_LANES_DECLARE(void, th_patch_crowd_turn, const th_patch_crowd *crowd, th_view_scratch *scratch);

/* Turns two vectors per lane from the chart into the frames of the faces of the agents at `at`; 16 lanes. */
TH_LANES_DECLARE(void, th_patch_crowd_to_faces, const th_patch_crowd *crowd, const uint32_t *at, float *vector[4]);

/* A point of the chart in the direction of a point in space, at the same distance from the agent. */
th_vec2 th_patch_crowd_towards(const th_patch_crowd *crowd, const th_patch_crowd_input *input, uint32_t at,
                               th_vec3 there);

/* Lists own agents in the order in which views are filled, once neighbours are known. */
void th_patch_crowd_line_up(th_patch_crowd *crowd, const th_patch_crowd_input *input);

/* As th_view_fill for own agents: columns of rows are turned from the frames of faces into the chart. */
void th_patch_crowd_fill(th_patch_crowd *crowd, const th_patch_crowd_input *input, th_view_scratch *scratch,
                         const uint32_t *slot, uint32_t lanes, const th_view_need *need);

#endif
