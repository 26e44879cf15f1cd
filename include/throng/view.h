/* throng/view.h - the flat neighbourhood that a model reads.
 *
 * A view holds up to 16 agents of one patch and one model. All coordinates are in the patch's chart, which is flat on
 * every ground, so no model knows whether the ground is curved. Own columns have one entry per lane; lanes from `lanes`
 * to 15 repeat the last agent, so a kernel may always work on 16. Everything is valid during one pass only.
 * Threads: only those that run the pass to which the view was given.
 */
#ifndef THRONG_VIEW_H
#define THRONG_VIEW_H

#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TH_VIEW_LANES 16
#define TH_MAX_NEAREST 64
#define TH_NO_PICK UINT32_MAX

/** What a model asks to be filled in. Nothing else is computed. */
typedef enum th_see {
  TH_SEE_NEIGHBOURS = 1, /* every agent within reach of a lane */
  TH_SEE_NEAREST = 2,    /* the K nearest agents of each lane within reach, as picks into the candidates */
  TH_SEE_WALLS = 4,      /* wall segments within reach */
  TH_SEE_CLEARANCE = 8,  /* distance to the nearest solid [m], as a raster */
  TH_SEE_LINKS = 16,     /* the named agents or points of each lane */
  TH_SEE_BODY = 32,      /* own velocity, heading, radius, greatest speed, layers and frame of each lane */
  TH_SEE_PATH = 64       /* the next corners of the path that the guide of each lane has */
} th_see;

/** Candidates: one list for all lanes, in slot order, the view's own agents among them. Arrays may be read up to the
 *  next multiple of 16 entries; the padding lies far away. */
typedef struct th_neighbours {
  uint32_t count;
  const float *x, *y, *vx, *vy, *radius, *share; /* [m], [m/s], [m], priority share 0 to 1 */
  const uint32_t *slot, *layers;
  float cover;          /* every agent within this distance of a lane is in the list [m] */
  const uint32_t *pick; /* pick[k * 16 + lane]: candidate number of the k-th nearest other agent, or TH_NO_PICK */
  uint32_t pick_count;  /* K */
} th_neighbours;

/** A named agent or point. Inside the chart: coordinates, velocity, line of sight; outside: direction and distance. */
typedef struct th_link {
  float x, y, vx, vy;     /* when `inside` */
  float dx, dy, distance; /* unit direction and distance [m], always */
  uint16_t role;          /* th_role, or the host's own */
  bool exists, inside, seen;
} th_link;

#define TH_PATH_CORNERS 4

/** The path ahead of an agent whose guide has one, in the chart. On mesh ground a corner is the place on the ground
 *  nearest to the guide's corner. One outside the chart is shown in its true direction, at its distance in space. */
typedef struct th_view_path {
  uint32_t count;       /* corners ahead, the path's end among them; 0: the guide has none. A corner is behind once the
                           agent's projection on the path has passed it */
  float back_x, back_y; /* start of the path's segment that the agent is on; with count > 0 */
  float x[TH_PATH_CORNERS], y[TH_PATH_CORNERS];
  float left, right; /* free width on either side of the path [m]; INFINITY: unknown */
} th_view_path;

typedef struct th_view {
  uint32_t patch, lanes;
  const uint32_t *slot, *agent; /* slot in the step's order; index of the agent's id */
  const float *x, *y, *speed;   /* place; wanted speed, lowered by guide and ground: what a model must use */
  const th_guide_answer *want;
  const float *vx, *vy, *hx, *hy, *radius, *speed_max; /* from here on with TH_SEE_BODY */
  const uint32_t *layers, *avoids;                     /* layers the agent is in, layers it avoids */
  const th_turn *frame;                                /* agent's frame against the chart */
  th_neighbours neighbours;
  const th_segment *wall;
  uint32_t wall_count;
  th_raster clearance;
  const th_link *link; /* link[lane * link_count + k] */
  uint32_t link_count;
  const th_view_path *path;          /* per lane, with TH_SEE_PATH; else NULL */
  const struct th_view_space *space; /* of th_view_place; NULL on flat ground */
} th_view;

/** Distance from (x, y) along the unit direction (dx, dy) to the first wall of the view [m], at most `length`. */
TH_API float th_view_ray(const th_view *view, float x, float y, float dx, float dy, float length);

/** True when no wall of the view stands between the two points. */
TH_API bool th_view_sees(const th_view *view, float ax, float ay, float bx, float by);

/** A point in space, such as a parameter of the model, in the chart of a lane: on flat ground its x and y; on a mesh in
 *  its direction along the ground, at its distance in space. */
TH_API th_vec2 th_view_place(const th_view *view, uint32_t lane, th_vec3 point);

/** The first link of a lane that has this role (th_role, or the host's own) and exists; NULL when there is none or the
 *  pass does not see links. */
TH_API const th_link *th_view_link(const th_view *view, uint32_t lane, uint32_t role);

/** Clearance at a point of the chart [m], bilinear; 0 outside the raster. */
TH_API float th_view_clearance(const th_view *view, float x, float y);

#ifdef __cplusplus
}
#endif
#endif
