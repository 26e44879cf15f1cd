/* view/trace.h - where published items go: a tracer of one pass or query, and the memory of a traced agent. */
#ifndef TH_VIEW_TRACE_H
#define TH_VIEW_TRACE_H

#include "throng/trace.h"
#include "throng/view.h"

/* What one agent has published. Items of guides, which answer in every step, fill the memory from its front; those of a
 * decision, which stay until the next one, from its back. What is left out depends on the agent alone, so it is the
 * same for any number of workers. */
typedef struct th_trace_block {
  th_trace_item *item;
  float *value;                     /* of rasters */
  uint32_t items, values;           /* capacities */
  uint32_t front, back;             /* items in use at either end */
  uint32_t value_front, value_back; /* likewise */
  uint32_t dropped;                 /* items that did not fit since the last report */
  const th_trace *wrong;            /* a row that was published as another type; NULL: none */
} th_trace_block;

/* The agent of a lane that is traced. `m` turns a vector of the pass into the frame of the agent's cell. */
typedef struct th_trace_lane {
  th_trace_block *block; /* NULL: not traced */
  th_place place;
  float x, y; /* the agent in the coordinates of the pass */
  float m[4]; /* row by row */
} th_trace_lane;

struct th_tracer {
  const th_ground *ground;
  const char *source;
  uint64_t step;
  bool guide; /* items go to the front */
  th_trace_lane lane[TH_VIEW_LANES];
};

/* Forgets what a guide, or a decision, has published. */
void th_trace_clear_guide(th_trace_block *block);
void th_trace_clear_decision(th_trace_block *block);

#endif
