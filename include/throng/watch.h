/* throng/watch.h - what an editor or a viewer reads of a world between steps, as arrays and as text.
 *
 * Lists write up to `capacity` entries and return how many there are. Nothing here changes a world or its results.
 * Threads: calls on one world must not overlap with those that change it; they may run together with each other.
 */
#ifndef THRONG_WATCH_H
#define THRONG_WATCH_H

#include "group.h"
#include "view.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- the ground */

/** A door or an obstacle of the ground in force. Pointers are valid until the next step. */
typedef struct th_barrier {
  const char *name;        /* NULL = none */
  bool door, closed;       /* an obstacle is closed */
  th_polygon outline;      /* flat ground; on a mesh without points */
  const th_region *region; /* mesh ground; NULL on flat ground */
} th_barrier;

/** Doors and obstacles as they are now, those of edits included, in the order in which they were made. */
TH_API uint32_t th_world_barriers(const th_world *world, th_barrier *list, uint32_t capacity);

/** Distance left along a field (th_world_field) from the middle of every raster cell, row by row from the lower left,
 * or from every vertex of a mesh [m]: of every kind of field, INFINITY where it does not lead. On the side of a wall
 * and on a vertex of blocked faces only it is INFINITY, too. O(cells) queries. */
TH_API uint32_t th_world_field_left(const th_world *world, const th_field *field, float *left, uint32_t capacity);

/** The def of a source as it is now; its pointers are valid until the next call that changes the world. False for a
 *  stale id. */
TH_API bool th_world_source_def(const th_world *world, th_source_id source, th_source_def *def);

/** Weights that a group gives its members' markers, by marker of th_ground_markers with th_ground_markers_def: those of
 *  its area, and of an alignment those of the last decision. NULL for a group without a shape. Valid until the next
 *  step. */
TH_API const th_marker_weights *th_world_group_weights(const th_world *world, th_group_id group, uint32_t *count);

/* ---------------------------------------------------------------- one agent */

/** Another agent in the flat map of an agent. */
typedef struct th_chart_agent {
  th_agent_id agent;
  float x, y, vx, vy; /* [m], [m/s], in the map */
  float radius;       /* [m] */
  float distance;     /* between the centres [m] */
  bool seen;          /* no wall stands between them */
} th_chart_agent;

/** A face in it. */
typedef struct th_chart_face {
  uint32_t face;
  th_vec2 corner[3]; /* [m], in the map */
  float least, most; /* lengths in the map, divided by those on the surface, in the directions where that is least and
                        most: 1 and 1 is no stretch */
} th_chart_face;

/** The flat map in which an agent decides: its own place is 0, 0. On flat ground axes are those of the ground, on a
 * mesh those of the chart of its patch. Arrays are the caller's; each has room for its capacity, and NULL with 0 is
 * allowed. */
typedef struct th_agent_chart {
  float reach;           /* given: how far it shows [m] (0, 100] */
  th_chart_agent *agent; /* nearest first */
  th_segment *wall;      /* walkable space is left of each */
  th_chart_face *face;   /* mesh ground */
  uint32_t agent_capacity, wall_capacity, face_capacity;
  uint32_t agent_count, wall_count, face_count; /* how many there are */
  th_vec2 velocity, heading, want; /* of the agent, in the map [m/s]; where its guide leads it: unit, or 0, 0 */
  float radius;                    /* [m] */
  float cover; /* everything on the surface within this distance is in the map [m]; INFINITY on flat ground */
} th_agent_chart;

/** The map of an agent. TH_ERROR_STATE for a stale id, and on a mesh while its patch has no chart yet: the first step
 *  makes it. Within a step that has been decided `want` is what it was decided by. O(agents, walls and faces within
 *  reach). */
TH_API th_result th_world_chart(const th_world *world, th_agent_id agent, th_agent_chart *chart, th_error *error);

/** All that makes an agent what it is, as lines "name value unit": its own numbers, its model and the model's
 * parameters, its guide's, and those of people; values as th_param_set takes them. Returns the length without the end,
 * as snprintf does; 0 for a stale id. */
TH_API size_t th_world_agent_text(const th_world *world, th_agent_id agent, char *text, size_t size);

/* ---------------------------------------------------------------- a moment of a crowd */

/** Agents per square metre around each agent, itself included, within `radius` [m] (0, 100] in space, by row of
 *  th_world_agents; 0 for those that are not in the world yet. Walls and the end of the ground are not taken into
 * account. `density` has a capacity for all agents. */
TH_API void th_world_density(const th_world *world, float radius, float *density);

/** Two bodies that overlap. */
typedef struct th_overlap {
  th_agent_id a, b;
  float depth; /* [m]: sum of their half widths (th_agents.body) less the distance of their centres in space */
} th_overlap;

/** Every pair that overlaps by more than `least` [m], once, in the order of rows. */
TH_API uint32_t th_world_overlaps(const th_world *world, float least, th_overlap *list, uint32_t capacity);

/* ---------------------------------------------------------------- strides */

/** Length of a stride, two steps, at a speed [m/s] of somebody of this height [m], in metres: 1.346 sqrt(speed / h) h
 * with the hip at h = 0.53 height (Boulic, Thalmann and Thalmann, "A global human walking model with real-time
 * kinematic personification", 1990). Any thread. */
TH_API float th_stride_length(float speed, float height);

/** The phase of a stride, [0, 1), after walking a distance [m] in a time [s]: legs of a drawn figure follow it, so feet
 * do not slide, and it stands while the agent stands. It is no state of a world: it follows from places alone, so a
 *  recording gives the same as a run, and whoever draws keeps it. Any thread. */
TH_API float th_stride_advance(float phase, float walked, float seconds, float height);

/** The same for all agents over the last step: phase[k] of the agent whose id has index k < capacity; begin with zeros.
 */
TH_API void th_world_strides(const th_world *world, float *phase, uint32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
