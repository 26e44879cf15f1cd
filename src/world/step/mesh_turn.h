/* world/step/mesh_turn.h - vectors of agents that come to another face. */
#ifndef TH_WORLD_STEP_MESH_TURN_H
#define TH_WORLD_STEP_MESH_TURN_H

#include <math.h>

#include "world/state/rows.h"

static inline th_vec2 th_turned(th_turn t, float x, float y) { return (th_vec2){t.c * x - t.s * y, t.s * x + t.c * y}; }

/* Scaled to length 1: else rounding would make vectors grow or shrink over many steps. */
static inline th_turn th_turn_composed(th_turn by, th_turn t) {
  float c = by.c * t.c - by.s * t.s, s = by.s * t.c + by.c * t.s, k = 1.0f / sqrtf(c * c + s * s);
  return (th_turn){c * k, s * k};
}

/* A rotation that changes nothing must not round either. */
static inline bool th_turn_matters(th_turn t) { return t.s != 0.0f || !(t.c > 0.0f); }

/* Everything the agent carries but its velocity, in the frame of the face it has come to. */
void th_turn_carried(th_rows *rows, uint32_t row, th_turn turn);

/* The same for a body that the host moved. Returns the chord, seen in the new face. */
th_vec2 th_world_mesh_accept(th_world *world, uint32_t row, th_place place);
/* Call before an agent is put elsewhere: expresses what it carries in the frame there. Its heading keeps its direction
 * in space, or the nearest direction that the face allows; th_world_mesh_push_to is for short distances: it turns the
 * heading with the ground. */
void th_world_mesh_turn_to(th_world *world, uint32_t row, th_place place);
void th_world_mesh_push_to(th_world *world, uint32_t row, th_place place);

#endif
