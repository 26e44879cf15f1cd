/* model/bvp/state.h - what an agent of the model bvp keeps between passes and decisions.
 *
 * All of it is in the agent's own frame. A local map is n rows of one bit per cell (1 = blocked) plus two goals, so
 * that a crowd of 100,000 with 15 x 15 maps keeps 20 MB; values are unpacked for the relaxation only, unless the map
 * starts warm.
 */
#ifndef TH_MODEL_BVP_STATE_H
#define TH_MODEL_BVP_STATE_H

#include <math.h>

#include "throng/model.h"
#include "throng/model/bvp.h"

#define TH_BVP_MAX_N 63
#define TH_BVP_NO_CELL UINT16_MAX
#define TH_BVP_NEW 2

typedef struct th_bvp_state {
  float dx, dy;            /* heading of the last decision; 0, 0 before the first */
  float gx, gy, modulus;   /* gradient at the centre of the relaxed map: unit vector and length; 0 where it is flat */
  float ex, ey;            /* eps v of this decision [1/cell], sense included */
  float hold_x, hold_y;    /* vector that a random behaviour holds */
  uint32_t hold_until;     /* decision at which it draws again */
  uint32_t decisions;      /* so far */
  float reference;         /* modulus at the centre of an empty map of this size */
  uint16_t n, sweeps;      /* of the map below; 0 = none yet */
  uint16_t goal_i, goal_j; /* border cell in the middle of the local goal; TH_BVP_NO_CELL = none */
  uint16_t seen_i, seen_j; /* cell of the real goal inside; TH_BVP_NO_CELL = none */
  uint8_t goal_width;      /* border cells of the local goal */
  uint8_t lead;   /* the guide leads: there is a map to relax; TH_BVP_NEW: a person has not decided on it yet */
  uint8_t slot;   /* th_bvp_slot in force */
  uint8_t twice;  /* warm values are double */
  uint64_t row[]; /* n rows of blocked cells, bit i of row j; then, when warm, n x n values of u */
} th_bvp_state;

/* Where the values of a warm map begin. */
static inline void *th_bvp_values(th_bvp_state *state) { return state->row + state->n; }

/* Number of the border cell (i, j), counted along the ring from the lower left corner to the right, and back. */
static inline uint32_t th_bvp_ring_number(uint32_t n, uint32_t i, uint32_t j) {
  uint32_t side = n - 1;
  if (j == 0) return i;
  if (i == side) return side + j;
  if (j == side) return 3 * side - i;
  return 4 * side - j;
}
static inline void th_bvp_ring_cell(uint32_t n, uint32_t number, uint32_t *i, uint32_t *j) {
  uint32_t side = n - 1;
  while (number >= 4 * side) number -= 4 * side; /* at most once or twice: cheaper than dividing */
  if (number < side)
    *i = number, *j = 0;
  else if (number < 2 * side)
    *i = side, *j = number - side;
  else if (number < 3 * side)
    *i = 3 * side - number, *j = side;
  else
    *i = 0, *j = 4 * side - number;
}

/* behaviour.c: sets ex, ey and slot from what the agent perceives. */
typedef struct th_bvp_sight {
  uint32_t ahead; /* agents ahead within the sight distance */
  float nearest;  /* distance to the nearest of them [m]; INFINITY when there is none */
} th_bvp_sight;
void th_bvp_behaviour_set(const th_work *work, uint32_t lane, th_vec2 flow, const th_bvp_sight *sight);

/* bvp.c: what the model publishes. */
enum { TH_BVP_TRACE_MAP, TH_BVP_TRACE_GRADIENT, TH_BVP_TRACE_V, TH_BVP_TRACE_HEADING, TH_BVP_TRACES };
extern const th_trace th_bvp_trace[TH_BVP_TRACES];

/* The passes. */
void th_bvp_map(const th_work *work);   /* map.c */
void th_bvp_relax(const th_work *work); /* relax.c */
void th_bvp_turn(const th_work *work);  /* turn.c */

/* people.c: where people want to go, and how they walk there. */
void th_bvp_people_aim(const th_work *work, th_guide_answer *want);
void th_bvp_people_walk(const th_work *work, uint32_t lane);
static inline bool th_bvp_is_person(const th_view *view, uint32_t lane) { return view->people[lane] != NULL; }

/* map.c: how far an agent looks [m]. Every disc that can touch the update zone of a map lies within. */
float th_bvp_reach(const th_bvp_params *params);

/* turn.c */
th_gait th_bvp_gait(float speed);

static inline th_vec2 th_bvp_unit_or(float x, float y, th_vec2 otherwise) {
  float length = sqrtf(x * x + y * y);
  return length > 1e-6f ? (th_vec2){x / length, y / length} : otherwise;
}

/* relax.c: modulus of the slope at the centre of an empty map, in plain code. */
float th_bvp_empty_modulus(uint32_t n, uint32_t sweeps, bool alternate);

/* turn.c: one decision of heading and speed. `g` is the unit gradient, `d` the heading before and after. */
float th_bvp_steer(const th_bvp_params *params, th_vec2 g, float slowness, th_vec2 *d);

#endif
