/* throng/query.h - a question to a guide, and its answer.
 *
 * The world fills one query for up to 16 agents, a guide answers it, and a field answers the same query directly:
 * nothing is copied in between.
 */
#ifndef THRONG_QUERY_H
#define THRONG_QUERY_H

#include "ground.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_field th_field;

typedef enum th_guide_answer_state {
  TH_ANSWER_LEAD,
  TH_ANSWER_WAIT,
  TH_ANSWER_ARRIVED,
  TH_ANSWER_LOST
} th_guide_answer_state;

/** Where a guide wants an agent to go: unit direction, distance left [m] (INFINITY when unknown), state, and by how
 *  much to reduce the wanted speed. A view's `speed` is already reduced. */
typedef struct th_guide_answer {
  float dx, dy, left;
  uint8_t state; /* th_guide_answer_state */
  uint8_t unused[3];
  float slow; /* share of the agent's wanted speed that is taken off [0, 1]; 0: none, the preset */
} th_guide_answer;

/** A question of up to 16 agents that head for the same goal, or each for its own if the guide allows it. Answers go to
 *  `want`, preset to TH_ANSWER_WAIT. */
typedef struct th_guide_query {
  const void *params;      /* of the guide */
  const th_ground *ground; /* version in force */
  uint32_t lanes;
  const uint32_t *agent; /* index of the agent's id */
  const uint32_t *cell;  /* of its place; all 16 entries of this and the next two may be read: unused ones are a cell of
                            the ground and finite numbers */
  const float *x, *y;    /* place in that cell's frame [m] */
  const th_vec2 *v;      /* personal vector, cell frame; read it only where eps is not 0 */
  const float *eps;
  const th_field *field;         /* of the goal that all lanes share; NULL while it is not ready or without a goal */
  const th_field *const *fields; /* the same of each lane, for guides with `own_fields`; else NULL */
  const void *memory;            /* of a guide that learns, as this step's update left it; else NULL */
  const void *shared;            /* what the guide's shared_make returned, or NULL */
  void *const *state;            /* per lane; NULL when state_size is 0 */
  void *const *row;              /* per lane: the agent's own row of a guide with `row_size`; else NULL */
  float dt;
  uint64_t step;
  uint32_t sense;          /* th_sense of the world */
  uint32_t simd;           /* th_simd of the world */
  struct th_tracer *trace; /* publishes what an answer was made of (throng/trace.h), in cell frames; NULL: no lane is
                              traced */
  th_guide_answer *want;
} th_guide_query;

#ifdef __cplusplus
}
#endif
#endif
