/* view/view.h - fills views from an order of agents. */
#ifndef TH_VIEW_VIEW_H
#define TH_VIEW_VIEW_H

#include "ground/chart/chart.h"
#include "ground/ground.h"
#include "throng/trace.h"
#include "throng/view.h"
#include "view/nearest.h"
#include "view/order.h"

#define TH_MAX_CANDIDATES 8192u /* around one view; beyond it the view's cover shrinks */
#define TH_MAX_VIEW_WALLS 512u

/* Where a link points: a row of the caller's arrays, a fixed point, or nothing. */
enum { TH_LINK_NONE, TH_LINK_AGENT, TH_LINK_POINT };
typedef struct th_link_target {
  uint16_t kind, role; /* one of the above; th_role */
  uint32_t row;
  th_vec3 at; /* of a point */
} th_link_target;

typedef struct th_link_targets {
  th_link_target target[TH_MAX_LINKS];
} th_link_targets;

/* Columns by row that views copy for their own lanes; `want` alone is by slot, because it is recomputed in each
 * step. */
typedef struct th_view_columns {
  const float *hx, *hy, *speed, *speed_max;
  const uint8_t *people; /* number of its set of parameters, 0: a bare body. NULL: nobody is a person */
  const struct th_people_params *const *people_set; /* by number; the first is NULL */
  const float *time_gap;                            /* of people, at ease [s] */
  const float *pressure;                            /* of people, 0 to 1 (people/pressure.c) */
  const float *held;   /* of people: how long they have stood though they want to walk [s] */
  const th_vec2 *away; /* of people: how far they were moved since they stand, in their frame [m] */
  const uint32_t *avoids;
  const th_turn *frame;
  const th_guide_answer *want;
  const th_link_targets *link;
  const uint8_t *link_count;
  bool slowed; /* some answer slows its agent down */
} th_view_columns;

/* What to fill: the union of what a model's passes see, for the widest reach of the agents concerned. */
typedef struct th_view_need {
  uint32_t see; /* th_see */
  float reach;  /* [m] */
  uint32_t nearest;
} th_view_need;

/* A rectangle of clusters. */
typedef struct th_rectangle {
  uint32_t column0, column1, row, row1; /* inclusive */
} th_rectangle;

/* The same for each four lanes of a view. */
typedef struct th_quarters {
  uint32_t column0[4], column1[4], row[4], row1[4];
} th_quarters;

/* Memory of view/bodies.h. */
enum { TH_BODY_X, TH_BODY_Y, TH_BODY_VX, TH_BODY_VY, TH_BODY_RADIUS, TH_BODY_SHARE, TH_BODY_WORDS = 8 };

typedef struct th_bodies {
  bool laid;                                       /* candidates lie in `row` */
  uint32_t kept_count[4];                          /* of the nearest, for each four lanes */
  th_lane_bodies kept[TH_MAX_NEAREST];             /* by rank */
  float row[((size_t)TH_MAX_CANDIDATES + 17) * 8]; /* from the second row on */
} th_bodies;

/* One worker's memory for one view at a time. */
typedef struct th_view_scratch {
  float x[16], y[16], vx[16], vy[16], hx[16], hy[16], radius[16], body[16], time_gap[16], pressure[16], speed[16],
      speed_max[16], farthest[16];
  const struct th_people_params *people[16];
  float held[16];
  uint32_t slot[16], row[16], agent[16], layers[16], avoids[16], own[16]; /* row: of the columns */
  th_turn frame[16];
  th_guide_answer want[16];
  const th_link_targets *target[16];
  uint32_t target_count[16];
  th_link link[16 * TH_MAX_LINKS];
  uint32_t pick[TH_MAX_NEAREST * 16];
  th_segment wall[TH_MAX_VIEW_WALLS];
  float wall_reach;                              /* the view holds all walls within this distance of a lane [m] */
  float *nx, *ny, *nvx, *nvy, *nradius, *nshare; /* candidates */
  uint32_t *nslot, *nlayers;
  uint32_t *nopen;     /* bit `lane`: the candidate may be one of its nearest; while some are barred (in_sight.c) */
  bool barred;         /* somebody is */
  th_bodies *bodies;   /* of the candidates */
  uint32_t at_row[16]; /* row of clusters of each lane */
  th_rectangle box;    /* clusters of the lanes */
  th_quarters quarters;
  uint32_t run_first[3], run_last[3]; /* candidates of the own rows, the rows below, the rows above */
  uint32_t row0, rows;                /* rows of clusters they were copied from */
  uint32_t row_at[TH_NEAREST_RUNS];   /* first candidate of each row, of so many at most */
  uint32_t shift[TH_NEAREST_RUNS];    /* number of a candidate minus its slot, likewise */
  uint32_t rings;                     /* of clusters that each four lanes scan round theirs; 0: all candidates */
  th_nearest nearest;
  bool whole; /* the cover was wide enough: no agent is missing among the K nearest */
  th_view view;
  const struct th_view_space *space; /* of a view on a mesh, else NULL */
  th_tracer *trace;                  /* of the view; NULL: nobody in it is traced */
} th_view_scratch;

typedef struct th_view_source {
  const th_ground *ground;
  const th_order *order;
  th_view_columns columns;
  const th_chart *chart; /* NULL on flat ground */
  float cover;           /* the order holds all agents within this distance of a lane; INFINITY on flat ground */
  float dt;              /* of the step [s] */
  double time;           /* at its start [s] */
  uint64_t seed;         /* of the world */
  th_simd simd;
} th_view_source;

TH_LANES_DECLARE(void, th_bodies_fill, th_bodies *bodies, const th_neighbours *near, uint32_t count);

/* NULL on flat ground. */
static inline const struct th_view_space *th_view_space_of(const th_view *view) {
  return view->scratch ? view->scratch->space : NULL;
}

bool th_view_scratch_make(th_view_scratch *scratch, const th_allocator *allocator);
void th_view_scratch_free(th_view_scratch *scratch, const th_allocator *allocator);

/* Fills scratch->view for `lanes` slots (1 to 16, of one patch, their rows of clusters ascending). */
void th_view_fill(th_view_scratch *scratch, const th_view_source *source, const uint32_t *slot, uint32_t lanes,
                  const th_view_need *need);

/* Fills scratch->view with the candidates of a whole patch and no lanes; returns how many of them are the patch's own,
 * which start at *own_first. */
uint32_t th_view_fill_patch(th_view_scratch *scratch, const th_view_source *source, uint32_t patch,
                            const th_view_need *need, uint32_t *own_first);

/* A view of so many lanes, everything else empty. */
void th_view_begin(th_view *view, uint32_t lanes);

/* Sets the wanted speeds of the lanes, by row, reduced by the guide's answers and by the ground: people lower
 * them once more, by the room ahead (people/room_ahead.c). Ground that slows bodies down, by the factors in `terrain`
 * (NULL: 1), also lowers the greatest speed. Call it after the lanes themselves and `want` have been filled. */
void th_view_slow_down(th_view_scratch *scratch, const th_view_columns *columns, const float *terrain);

/* Parts of filling. First the lanes themselves, whose slots and rows are in `scratch`, without `want` and speed;
 * returns true when the sixteen slots are consecutive, so that the view can point to the order's columns. Then what is
 * around them; this needs the targets of links. */
bool th_view_fill_own(th_view_scratch *scratch, const th_view_source *source, uint32_t lanes, uint32_t see);
void th_view_fill_around(th_view_scratch *scratch, const th_view_source *source, const th_view_need *need);
/* Parts of filling what is around the lanes: the clusters that hold the lanes; then other agents. */
void th_view_find_boxes(th_view_scratch *scratch, const th_order *order);
void th_view_fill_neighbours(th_view_scratch *scratch, const th_view_source *source, const th_view_need *need);
/* Copies candidates in as many rings round a box as are asked for and as `scratch` holds; returns how many rings. */
uint32_t th_view_copy_rings(th_view_scratch *scratch, const th_view_source *source, const th_rectangle *box,
                            uint32_t rings);

/* in_sight.c: bars the picks that a wall hides from their lane, and says whether there were any: then those lanes must
 * search again. Bars follow the candidates when these get new numbers; there were `count` of them before. */
bool th_view_in_sight_bar(th_view_scratch *scratch, const th_view_source *source);
void th_view_in_sight_move_bars(th_view_scratch *scratch, const th_view_source *source, uint32_t count);

/* Candidates: every agent in the rectangle of clusters [column0 - rings, column1 + rings] x [row - rings, row1 +
 * rings]. False when they are too many. */
bool th_candidates_copy(th_view_scratch *scratch, const th_order *order, const th_rectangle *box, uint32_t rings,
                        th_simd simd);
TH_LANES_DECLARE(void, th_candidates_append, th_view_scratch *scratch, const th_order *order, uint32_t first,
                 uint32_t count, uint32_t at);
TH_LANES_DECLARE(void, th_candidates_pad, th_view_scratch *scratch, uint32_t at);

#endif
