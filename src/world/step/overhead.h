/* world/step/overhead.h - bodies that meet above the surface of a mesh. */
#ifndef TH_WORLD_STEP_OVERHEAD_H
#define TH_WORLD_STEP_OVERHEAD_H

#include "geometry/ball.h"
#include "geometry/capsule.h"
#include "ground/chart/overhead.h"
#include "throng/world.h"
#include "view/patch_crowd.h"

#define TH_MAX_GHOSTS 6

/* A body above, as one agent sees it in the plane of its own face. */
typedef struct th_ghost {
  float x, y, vx, vy; /* from the agent, in the frame of its face [m], [m/s] */
  float radius, share;
  float gap;             /* distance to contact [m] */
  uint32_t slot, layers; /* whose body it is, and where it is seen */
} th_ghost;

/* A body in space. */
typedef struct th_stander {
  th_capsule body;
  th_vec3 foot, normal, velocity;
} th_stander;

typedef struct th_world_overhead {
  th_ball *ball;       /* holds the body, by slot; out of reach for a body that can meet no other */
  float *tight;        /* by slot: distance to the nearest body above at the start of the step [m] */
  th_stander *stander; /* by slot; filled in clusters that have a list */
  th_ghost *ghost;     /* by slot, TH_MAX_GHOSTS each, least gap first */
  uint8_t *count;      /* by slot: how many */
  uint32_t capacity;
  th_overhead *lists;     /* NULL until they are needed */
  uint32_t lists_version; /* of the ground they were made for */
} th_world_overhead;

/* Up to sixteen agents whose view is filled: their slots in the world's order, and in that of their chart. */
typedef struct th_overhead_lanes {
  const th_patch_crowd *crowd;
  const uint32_t *slot, *seen;
} th_overhead_lanes;

struct th_contact_round;

void th_world_overhead_look(th_world *world);                          /* ghosts of all agents for this step */
void th_world_overhead_contacts(const struct th_contact_round *round); /* adds to the corrections of contacts */
void th_world_overhead_show(const th_world *world, const th_overhead_lanes *lanes, th_view_scratch *scratch,
                            const th_view_need *need);
void th_world_overhead_size(th_world *world, float height, float radius); /* bodies of this size are added */
th_result th_world_overhead_fit(th_world *world, th_error *error);        /* lists for all bodies added so far */
bool th_world_overhead_grow(th_world *world, uint32_t agents);
void th_world_overhead_free(th_world *world);

#endif
