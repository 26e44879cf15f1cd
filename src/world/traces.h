/* world/traces.h - which agents are traced, and the memory for what is published about them. */
#ifndef TH_WORLD_TRACES_H
#define TH_WORLD_TRACES_H

#include "throng/model.h"
#include "throng/world.h"
#include "view/patch_crowd.h"
#include "view/trace.h"

/* What the world itself publishes. */
enum {
  TH_OWN_WANTED,
  TH_OWN_LEFT,
  TH_OWN_SLOW,
  TH_OWN_ADVISED,
  TH_OWN_FACING,
  TH_OWN_GROUP_AREA,
  TH_OWN_GROUP_POINT,
  TH_OWN_GROUP_MASK,
  TH_OWN_TRACES
};
extern const th_trace th_world_own_trace[TH_OWN_TRACES];

typedef struct th_traces {
  th_trace_def def;
  th_trace_block *block; /* def.agents of them */
  th_agent_id *id;       /* of each block; index 0: free */
  th_trace_item *item;
  float *value;
  uint32_t *block_of; /* by index of an agent's id, less 1: number of its block, counted from 1; 0: not traced */
  uint8_t *mark;      /* by row, from guide to the end of the step: is traced */
  uint32_t capacity, mark_capacity;        /* of these two */
  uint32_t used;                           /* blocks */
  uint32_t next;                           /* where the search for a free one begins */
  bool told_items, told_agents, told_type; /* the log has been told */
} th_traces;

bool th_traces_grow(th_world *world, uint32_t agents); /* block_of for ids up to this index */
void th_traces_free(th_world *world);
void th_traces_begin(
    th_world *world);                /* a step begins: forgets the items of guides; with `all` new agents are traced */
void th_traces_end(th_world *world); /* it ends: tells what did not fit */
void th_traces_forget(th_world *world, th_agent_id agent); /* the agent leaves the world */
void th_traces_restored(th_world *world); /* other agents are in the world: keeps those that exist, without items */

/* True when one of these rows is traced. Only for worlds with traces. */
static inline bool th_traces_any(const th_traces *traces, const uint32_t *row, uint32_t count) {
  uint32_t any = 0;
  for (uint32_t lane = 0; lane < count; lane++) any |= traces->mark[row[lane]];
  return any;
}

/* A tracer for the agents of a query, one of whom is traced. */
th_tracer *th_traces_of_guide(const th_world *world, th_tracer *tracer, const uint32_t *row, uint32_t count,
                              const char *guide);

/* Agents that a pass is called for. */
typedef struct th_traced_lanes {
  const uint32_t *row;
  uint32_t count;
  const th_model *model;
  const th_pass *pass;
  const th_view *view;
  const th_patch_crowd *crowd; /* of a view on a mesh, with its own slots in `seen`; else NULL */
  const uint32_t *seen;
} th_traced_lanes;

/* The same for a pass. The first pass of a decision forgets what the last one has published. */
th_tracer *th_traces_of_pass(const th_world *world, th_tracer *tracer, const th_traced_lanes *lanes);

/* What the world itself publishes about every decision, once it is made. */
void th_traces_advised(th_tracer *tracer, const th_view *view, const th_advice *advice);

#endif
