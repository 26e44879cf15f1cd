/* view/patch_crowd.h - one patch of a mesh as a small flat world: its agents and those around them, in its chart.
 *
 * On flat ground one order serves every patch. On a mesh each patch has a chart of its own, so its agents and everyone
 * within reach are put into chart coordinates and sorted into squares once a patch. What results is an order and
 * columns of the same kind as on flat ground: views and contacts are then found by the same code.
 */
#ifndef TH_VIEW_PATCH_CROWD_H
#define TH_VIEW_PATCH_CROWD_H

#include "base/simd/pack.h"
#include "ground/chart/chart.h"
#include "view/view.h"

#define TH_MOST_LOCAL 16384u /* agents in and around one patch; beyond it the reach shrinks */

typedef struct th_local {
  th_allocator allocator;
  const th_chart *chart;
  th_order order;               /* chart coordinates; rows are slots of its own */
  uint32_t *slot;               /* own slot -> slot of the world's order */
  uint32_t *map;                /* own slot -> number of its face's map in the chart */
  uint32_t own_first, own_last; /* slots of the patch's agents in the world's order */
  uint32_t *own, own_count;     /* own slots of the patch's agents, row by row of squares */
  float reach;                  /* everyone within this distance of the patch is in it [m] */
  bool crowded;                 /* there was no room for more */
  th_view_source source;

  th_link_targets link[TH_VIEW_LANES]; /* of the view that is being filled, in the chart */

  float *dx, *dy, *mobile; /* by slot, for contacts */
  uint8_t *now;            /* by square */
  uint8_t *touching;       /* by row of squares */

  /* found, before they are sorted */
  float *fx, *fy;
  uint32_t *fslot, *fcluster, *fmap;
  uint8_t (*pack)[8]; /* TH_PACK_ROWS of them */
} th_local;

/* True for agents of the patch, false for those around it. */
static inline bool th_local_owns(const th_local *local, uint32_t at) {
  return local->slot[at] - local->own_first < local->own_last - local->own_first;
}

static inline const th_chart_map *th_local_map(const th_local *local, uint32_t at) {
  return local->chart->map + local->map[at];
}

/* Where the agents stand: slots of the world's order, their faces and places. */
typedef struct th_local_input {
  const th_ground *ground;
  const th_patches *patches;
  const th_order *order;   /* of the world: clusters are those of the patches */
  const uint32_t *cell;    /* face of each slot */
  const uint32_t *rank;    /* of that face, see th_patches */
  bool moved;              /* some may have left the cluster that the order has them in */
  const float *x, *y;      /* place of each slot in its face */
  th_view_columns columns; /* by row (`want` by slot), in face frames */
  const float *speed_of;   /* factor of each face; NULL: 1 everywhere */
  th_simd simd;
} th_local_input;

bool th_local_make(th_local *local, const th_allocator *allocator);
void th_local_free(th_local *local);

/* Takes up a patch; then fills the order with everyone in it and within `reach` of them, as often as asked. */
void th_local_begin(th_local *local, const th_local_input *input, const th_chart *chart);
void th_local_gather(th_local *local, const th_local_input *input, float reach);

/* What others see of everyone in it beside place and radius; and the names of its own. */
void th_local_neighbours(th_local *local, const th_local_input *input);

/* A reach that probably holds k neighbours of each own agent, at most `most`. */
float th_local_guess(const th_local *local, uint32_t k, float most);

/* As th_view_fill_patch: a view without lanes, the patch's own agents first among the candidates. Returns how many. */
uint32_t th_local_fill_patch(th_local *local, th_view_room *room, const th_view_wish *wish, th_simd simd);

/* True when a cluster that may hold someone within `reach` of the patch is marked. Three more bytes may be read. */
TH_LANES_DECLARE(bool, th_local_any, const th_chart *chart, float reach, const uint8_t *mark);

/* Parts of the above, compiled for each instruction set. th_local_find is false when there is no room. */
TH_LANES_DECLARE(bool, th_local_find, th_local *local, const th_local_input *input, float reach);
TH_LANES_DECLARE(void, th_local_squares, th_local *local);
TH_LANES_DECLARE(void, th_local_list_own, th_local *local);
TH_LANES_DECLARE(void, th_local_velocities, th_local *local, const th_local_input *input);
TH_LANES_DECLARE(void, th_local_turn, const th_local *local, th_view_room *room);

/* Two vectors a lane, seen in the chart by the agents at `at`, in the frames of their faces; 16 lanes. */
TH_LANES_DECLARE(void, th_local_to_faces, const th_local *local, const uint32_t *at, float *vector[4]);

/* Own agents in the order that views are filled in, once neighbours are known. */
void th_local_line_up(th_local *local, const th_local_input *input);

/* As th_view_fill for own agents: columns of rows are turned from the frames of faces into the chart. */
void th_local_fill(th_local *local, const th_local_input *input, th_view_room *room, const uint32_t *slot,
                   uint32_t lanes, const th_view_wish *wish);

#endif
