/* world/world.h - inside a world. Each group of members belongs to the files named above it. */
#ifndef TH_WORLD_WORLD_H
#define TH_WORLD_WORLD_H

#include <stdatomic.h>

#include "base/error.h"
#include "base/jobs.h"
#include "base/platform/fetch.h"
#include "base/platform/mutex.h"
#include "base/tally.h"
#include "base/tasks.h"
#include "world/agent/sources.h"
#include "world/choice/choices.h"
#include "world/edits.h"
#include "world/goals.h"
#include "world/group/groups.h"
#include "world/guide_memory.h"
#include "world/models.h"
#include "world/state/people_sets.h"
#include "world/state/rows.h"
#include "world/step/mesh_charts.h"
#include "world/traces.h"

typedef struct th_request th_request; /* field_requests.h */
/* By step: of a world in real time, what came into force and what is to come into force again. */
typedef struct th_in_force_list {
  th_in_force *entry;
  uint32_t count, capacity;
  uint64_t until; /* the list tells all about the steps before this one */
} th_in_force_list;
typedef struct th_solver_slot th_solver_slot; /* field_requests.h */

typedef struct th_worker_scratch {
  th_view_scratch view;
  th_view_path path[TH_VIEW_LANES];                /* of the view */
  const th_marker_weights *weights[TH_VIEW_LANES]; /* of the view */
  void *of_model, *larger; /* scratch of the model that decides; the second one while it grows */
  th_tracer tracer;        /* of the view, while somebody in it is traced */
  float farthest;          /* squared displacement of the fastest agent it moved */
  uint64_t looked;         /* bodies among which it looked for contacts, in all steps */
  uint64_t looked_up;      /* bodies that it tested for contacts above, in all steps */
} th_worker_scratch;

/* Bytes taken from the host, by use. memory.c */
typedef struct th_world_tally {
  th_tally rest, fields, charts;
} th_world_tally;

/* Weights of markers that groups give their members, by row: 0 = none, else use[n - 1]. The group layer
 * keeps it valid while rows move. */
typedef struct th_weights_in_use {
  const uint16_t *of_row; /* NULL: nobody has any */
  const th_marker_weights *use;
} th_weights_in_use;

struct th_world {
  /* what the host gave, and what runs it: world.c */
  th_env env, field_env;        /* the second one for fields and their solvers */
  th_allocator chart_allocator; /* of patches and charts */
  th_world_tally tally;         /* these three count in it */
  th_world_def def;             /* field_threads as chosen, where the host left it to us */
  th_pool *pool;
  th_jobs *jobs; /* NULL without field_threads: jobs run when they are asked for */
  th_simd simd;  /* chosen for def.simd */

  /* ground: edits.c */
  th_ground *ground, *base_ground, *latest_ground; /* in force; version 1; asked for last */
  th_edit_record *edit;
  uint32_t edit_count, edit_capacity;
  uint64_t history; /* hash of all edits in force, folded or not; 0: none */

  /* time: step/step.c */
  uint64_t step;
  double time;
  float dt;     /* of now; def.dt is that of the start */
  bool advised; /* between advise and integrate */
  double seconds[TH_PHASE_COUNT];

  /* agents: agent/rows.c, models.c */
  th_ids ids; /* row_of[index - 1] */
  uint32_t *row_of;
  uint32_t row_of_capacity;
  th_rows rows;
  th_overhead_def overhead_def; /* bodies of all agents so far, in coarse steps */
  th_model_slot model[TH_MAX_MODELS];
  uint32_t model_count;
  th_people_sets people; /* people_sets.c */

  /* other things with ids: goals.c, choice/choices.c, guides.c, agent/sources.c */
  th_goals goals;
  th_choices choices;
  th_guides_in_use guides;
  th_groups groups;
  th_guide_update_scratch update;
  th_sources sources;

  /* fields: goals.c, field_requests.c */
  th_field_entry *entry;
  uint32_t entry_count, entry_capacity;
  uint32_t *entry_scratch; /* for the number of every entry */
  uint32_t scratch_capacity;
  th_mutex solver_lock;
  th_solver_slot *solver;    /* of the latest version that a job has needed; under the lock */
  th_request *request;       /* pending, oldest first */
  th_in_force_list in_force; /* state/in_force.c */

  /* the order of agents: step/order.c; between steps nearby.c reads it */
  th_order order;
  float area;        /* per agent at the last refit [m2] */
  bool anyone_fresh; /* an agent of this step may not have been turned to its guide yet: th_rows' fresh */
  bool order_holds;  /* the order is that of the last step */
  float strayed;     /* how far any agent has moved since then, at most [m] */
  uint32_t tail;     /* rows from here on came later */

  /* scratch of a step */
  th_world_mesh *mesh; /* NULL on flat ground; step/mesh_charts.c */
  th_worker_scratch *scratch;
  uint32_t scratch_count;
  size_t scratch_size;
  uint32_t alone;             /* the agent that alone decides now, see step/one_by_one.c; 0 = all */
  th_guide_answer *answer_of; /* by row: what the guides answered, while agents decide one by one and slots change */
  th_guide_answer *want;      /* by slot: what the guides answered in this step */
  bool linked, paths;         /* in this step somebody has a link; some guide has paths */
  bool eases;                 /* somebody decides less often than every step, and approaches its advice */
  bool waits;                 /* somebody's route has, or had, a stop at which people wait */
  th_weights_in_use weights;
  atomic_bool slowed;       /* some of these answers slow their agents down */
  float *moved_x, *moved_y; /* by slot: places during move and contacts */
  float *displacement_x,
      *displacement_y;             /* by slot: displacement of this step so far, on a mesh in the frame of mcell [m] */
  float *push_x, *push_y, *mobile; /* by slot: corrections [m]; 1 = may be pushed, see th_contacts */
  float farthest;                  /* longest displacement of this step [m] */
  uint32_t *lane_list, *ask_list;  /* by slot: agents of one model that are due; agents that ask */
  uint8_t *touched;                /* by slot: a wall changed the path */
  uint8_t *pushed, *pushed_before; /* by cluster: a body moves in this round of contacts, moved in the one before */
  float *hops;                     /* by cluster: how far one of its bodies may have gone [m]; mesh, long steps only */
  uint8_t *permute_scratch;        /* th_rows_permute: one part per worker */
  size_t permute_size;
  uint32_t slot_capacity;

  th_traces *traces; /* NULL: nobody is traced; traces.c */

  /* what happened: events.c */
  th_event *event;
  uint32_t event_count; /* events of the last step and of calls since */
  bool events_begun;    /* the next step goes on with them */
  th_counters counters;
};

/* world.c */
/* A call without a world is a programmer error: a fault in the default log, and nothing happens. */
bool th_no_world(const th_world *world, const char *call);
th_result th_fail_no_world(th_error *error);

/* The one rule for ids that name nothing (throng/agent.h): a fault in the log, and TH_ERROR_STATE. */
th_result th_world_id_check(const th_world *world, const th_ids *ids, th_id id, const char *what, const char *call,
                            th_error *error);
/* Refuses calls that would change agents between advise and integrate. */
th_result th_world_idle(const th_world *world, const char *call, th_error *error);
uint64_t th_world_due(const th_world *world, float seconds); /* the step that many seconds from now */

/* state/capacity.c: rows, slots and ids for so many agents; numbers of so many fields. False, with what was there kept,
 * when out of memory. */
#define TH_MAX_AGENTS (1u << 26)
bool th_world_capacity_reserve(th_world *world, uint32_t agents);
bool th_world_capacity_entry_scratch(th_world *world, uint32_t entries);
void th_world_capacity_free(th_world *world);

#endif
