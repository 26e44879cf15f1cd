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

/** What a pass needs to see. Nothing else is filled in. */
typedef enum th_see {
  TH_SEE_NEIGHBOURS = 1, /* every agent within reach of a lane */
  TH_SEE_NEAREST = 2,    /* the K nearest agents of each lane within reach, as picks into the candidates */
  TH_SEE_WALLS = 4,      /* wall segments within reach */
  TH_SEE_CLEARANCE = 8,  /* distance to the nearest solid [m], as a raster */
  TH_SEE_LINKS = 16,     /* the named agents or points of each lane; link_count is 0 in a world without links */
  TH_SEE_BODY = 32,      /* own velocity, heading, radius, greatest speed, layers and frame of each lane */
  TH_SEE_PATH = 64,      /* the next corners of the path that the guide of each lane has */
  TH_SEE_MARKERS = 128,  /* markers: over patches those of the patch, over views all within reach of the patch */
  TH_SEE_IN_SIGHT = 256  /* with TH_SEE_NEAREST and TH_SEE_WALLS: agents behind walls are not among the K nearest */
} th_see;

/** Candidates: one list for all lanes, in slot order, the view's own agents among them. Arrays may be read up to the
 *  next multiple of 16 entries; the padding lies far away. */
typedef struct th_neighbours {
  uint32_t count;
  const float *x, *y, *vx, *vy, *radius, *share; /* [m], [m/s], [m], priority share 0 to 1 */
  const uint32_t *slot, *layers;
  const th_guide_answer *wish; /* of all agents of the world; th_view_wish reads it */
  float cover;                 /* every agent within this distance of a lane is in the list [m] */
  const uint32_t *pick; /* pick[k * 16 + lane]: candidate number of the k-th nearest other agent, or TH_NO_PICK */
  uint32_t pick_count;  /* K */
  bool in_sight;        /* no wall stands between a lane and its picks: TH_SEE_IN_SIGHT */
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
  uint32_t guide;       /* index of the guide's id */
  uint32_t number;      /* of the first of these corners on the path; the path's start is 0 */
  float back_x, back_y; /* start of the path's segment that the agent is on; with count > 0 */
  float x[TH_PATH_CORNERS], y[TH_PATH_CORNERS];
  float left, right; /* free width on either side of the path [m]; INFINITY: unknown */
} th_view_path;

/** Weights of markers that a group gives its members instead of those of the model; by marker number. */
typedef struct th_marker_weights {
  const float *weight;   /* not negative, finite; only ratios count */
  const uint8_t *inside; /* 1: an agent that owns such a marker uses the weights, others walk on; NULL: all use them */
} th_marker_weights;

/** Markers of the ground (throng/markers.h) in squares of the chart. The markers of squares [i, k) of row j are the
 *  entries from start[j * columns + i] to start[j * columns + k]. Arrays may be read 16 entries past the end. */
typedef struct th_view_markers {
  const float *x, *y;       /* by entry, chart [m]; NULL: no markers */
  const float *clearance;   /* by entry: no wall is nearer [m] */
  const uint32_t *number;   /* by entry: number of the marker, in arrays by marker; NULL: the entry itself */
  const uint32_t *start;    /* first entry of each square, row by row; columns x rows + 1 */
  float x0, y0, inverse;    /* lower left corner [m]; 1 / side of a square [1/m] */
  uint32_t columns, rows;   /* of squares */
  float reach;              /* how far the model sees [m] */
  uint32_t i0, i1, j0, j1;  /* TH_OVER_PATCHES: squares [i0, i1) x [j0, j1) are those of the patch */
  const uint32_t *world_of; /* slot of the view -> slot of all agents of the world; NULL: the same */
  const th_marker_weights *const *weights; /* by lane; NULL: no lane has any; an entry of NULL: this lane has none */
  const th_ground *ground;                 /* flat ground, for th_view_marker_seen; else NULL */
} th_view_markers;

typedef struct th_view {
  uint32_t patch, lanes;
  const uint32_t *slot, *agent; /* slot in the step's order; index of the agent's id */
  const float *x, *y, *speed;   /* place; wanted speed, lowered by guide and ground: what a model must use */
  const th_guide_answer *want;
  const float *vx, *vy, *hx, *hy, *radius, *speed_max; /* from here on with TH_SEE_BODY */
  const float *body; /* half width towards other agents [m]: `radius`, or less with turned shoulders */
  const struct th_people_params *const *people; /* by lane: how they walk among others (people.h); NULL: a bare body */
  const float *time_gap; /* people keep it to the person ahead of them now [s], less under pressure; `want` and `speed`
                            respect it already */
  const float *pressure; /* of people: 0 at ease, 1 when held up; the more, the less distance they keep */
  const uint32_t *layers, *avoids; /* layers the agent is in, layers it avoids */
  const th_turn *frame;            /* agent's frame against the chart */
  th_neighbours neighbours;
  const th_segment *wall;
  uint32_t wall_count;
  th_raster clearance;
  const th_link *link; /* link[lane * link_count + k] */
  uint32_t link_count;
  const th_view_path *path;        /* per lane, with TH_SEE_PATH; else NULL */
  th_view_markers markers;         /* with TH_SEE_MARKERS; else without any */
  struct th_view_scratch *scratch; /* memory of the calls below; NULL: a flat view that a host has made itself */
} th_view;

/** Distance from (x, y) along the unit direction (dx, dy) to the first wall of the view [m], at most `length`. */
TH_API float th_view_ray(const th_view *view, float x, float y, float dx, float dy, float length);

/** One ray of each lane, from the lane's own place. */
typedef struct th_rays {
  float dx[TH_VIEW_LANES], dy[TH_VIEW_LANES]; /* unit direction */
  float length[TH_VIEW_LANES];                /* [m]; 0: no ray */
  float free[TH_VIEW_LANES];                  /* out: distance to the first wall [m]; the length when there is none */
  float nx[TH_VIEW_LANES], ny[TH_VIEW_LANES]; /* out: normal of that wall, towards the lane; 0, 0 when there is none */
} th_rays;

/** Casts `count` rays of each of the sixteen lanes at once; `simd` is that of th_work. Needs TH_SEE_WALLS. */
TH_API void th_view_cast(const th_view *view, th_rays *rays, uint32_t count, uint32_t simd);

/** Which of their nearest neighbours the lanes see: bit `lane` of seen[k] is set when the k-th nearest of that lane is
 *  within the lane's `range` [m] and no wall stands between them. `seen` has pick_count entries, `range` 16. Needs
 *  TH_SEE_NEAREST and TH_SEE_WALLS. */
TH_API void th_view_visible(const th_view *view, const float *range, uint32_t *seen, uint32_t simd);

/** Neighbours of the same rank, one per lane, as candidates have them. */
typedef struct th_lane_bodies {
  float x[TH_VIEW_LANES], y[TH_VIEW_LANES], vx[TH_VIEW_LANES], vy[TH_VIEW_LANES]; /* [m], [m/s] */
  float radius[TH_VIEW_LANES], share[TH_VIEW_LANES];
} th_lane_bodies;

/** The `count` nearest neighbours of all lanes, at most pick_count: entry k has the candidates that the picks of rank k
 *  name, and nothing that counts in lanes without such a pick. They are read once for each view, by whoever asks first,
 *  people's layer among them, and stay for the pass: quicker than reading candidates by picks. Needs TH_SEE_NEAREST;
 *  NULL for a view without scratch. `simd` is that of th_work. */
TH_API const th_lane_bodies *th_view_bodies(const th_view *view, uint32_t count, uint32_t simd);

/** True when no wall of the view stands between the two points. */
TH_API bool th_view_sees(const th_view *view, float ax, float ay, float bx, float by);

/** True when no wall stands between a point of the view and a marker, in a pass that sees markers. */
TH_API bool th_view_marker_seen(const th_view *view, float x, float y, uint32_t entry);

/** A point in space, such as a parameter of the model, in the chart of a lane: on flat ground its x and y; on a mesh in
 *  its direction along the ground, at its distance in space. */
TH_API th_vec2 th_view_place(const th_view *view, uint32_t lane, th_vec3 point);

/** The reverse: a place of the chart in space. On flat ground (x, y, 0); on a mesh in its direction and at its distance
 *  along the plane of the lane's face, so that th_view_place finds it again, also from where the lane will be later. */
TH_API th_vec3 th_view_point(const th_view *view, uint32_t lane, float x, float y);

/** The direction in which a candidate wants to go, a unit vector of the chart; 0, 0 when it wants to stay. */
TH_API th_vec2 th_view_wish(const th_view *view, uint32_t candidate);

/** The first link of a lane that has this role (th_role, or the host's own) and exists; NULL when there is none or the
 *  pass does not see links. */
TH_API const th_link *th_view_link(const th_view *view, uint32_t lane, uint32_t role);

/** Clearance at a point of the chart [m], bilinear; 0 outside the raster. */
TH_API float th_view_clearance(const th_view *view, float x, float y);

#ifdef __cplusplus
}
#endif
#endif
