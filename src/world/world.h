/* world/world.h - inside a world. Each member belongs to the file named beside it. */
#ifndef TH_WORLD_WORLD_H
#define TH_WORLD_WORLD_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/error.h"
#include "base/fetch.h"
#include "base/jobs.h"
#include "base/tasks.h"
#include "throng/surface.h"
#include "throng/world.h"
#include "world/state/param_sets.h"
#include "world/state/rows.h"
#include "world/step/mesh_charts.h"
#include "world/step/motion.h"

#define TH_MAX_MODELS 16
#define TH_EPS_LEVELS 8
#define TH_EPS_STEP 0.25f
#define TH_STUCK_SECONDS 10.0f
#define TH_STUCK_METRES 0.3f
#define TH_REFIT_STEPS 32 /* cluster size and rows are reconsidered every so many steps */

/* A model in use: its parameters and states by row. Only a row of this model has a set; of another one's the number
 * means nothing, and so does the state. */
typedef struct th_model_slot {
  const th_model *model;
  th_param_sets sets;
  uint32_t *set;   /* by row: the number of its parameters */
  uint8_t *states; /* capacity x state_stride, which keeps rows aligned */
  size_t state_stride;
  uint32_t capacity; /* rows */
  uint8_t *spare;    /* room for either column, for moving rows */
  void *shared;      /* for the ground in force */
  th_view_need wish; /* the widest of all its agents */
  bool warned;       /* the model's warning has been logged */
} th_model_slot;

typedef struct th_goal {
  th_goal_def def; /* shape.point is owned */
} th_goal;

/* The rows that a guide keeps for its agents. guide_rows.c */
typedef struct th_guide_rows {
  size_t size, stride; /* 0: none */
  uint32_t shift;      /* a block has 1 << shift rows */
  th_ids ids;
  uint8_t **block;
  uint32_t block_count, block_capacity;
} th_guide_rows;

typedef struct th_guide_slot {
  const th_guide *kind;
  uint8_t *params, *memory; /* memory: NULL unless the guide grows */
  size_t memory_size;
  th_guide_rows rows;
  uint32_t first, count; /* its agents in the room of growth, in this step */
} th_guide_slot;

/* Agents of a guide that learn together, as one unit: a part of `member`. */
typedef struct th_guide_unit {
  uint32_t guide, first, count;
} th_guide_unit;

/* Agents of the guides that grow, by guide and id: one part of each array a guide. guide_memory.c */
/* clang-format off */
#define TH_UPDATE_ARRAYS(X) \
  X(uint32_t, row, 1) X(uint32_t, agent, 1) X(th_place, place, 1) X(th_guide_link, link, TH_MAX_LINKS) \
  X(float, radius, 1) X(uint8_t, state, 1) X(const th_shape *, goal, 1) X(void *, memory, 1) \
  X(uint32_t, unit_of, 1) X(uint32_t, member, 1) X(uint32_t, spare, 1) X(th_guide_unit, unit, 1)
/* clang-format on */

typedef struct th_guide_update_scratch {
#define X(type, name, each) type *name;
  TH_UPDATE_ARRAYS(X)
#undef X
  uint32_t unit_count;
  uint32_t capacity; /* 0 until the first such guide comes */
  bool needed;
} th_guide_update_scratch;

/* One field of the table: leads to a goal, for a radius class and an eps level. */
typedef struct th_field_entry {
  uint32_t goal;
  uint8_t radius_class, eps_level;
  bool live;       /* the goal exists */
  bool failed;     /* the version in force has no way to make it */
  bool wanted;     /* restore: the snapshot had a field here */
  bool draft;      /* made by a call that may still fail */
  th_field *field; /* NULL until published */
  th_shape shape;  /* what that field leads to (the goal may have moved since); points owned */
} th_field_entry;

typedef struct th_request th_request;         /* field_requests.h */
typedef struct th_solver_slot th_solver_slot; /* field_requests.h */

typedef struct th_source {
  th_source_def def; /* points owned; params owned */
  uint8_t *params;
  uint16_t field[TH_MAX_STOPS];
  uint32_t emitted;
  double debt; /* fraction of an agent that is due */
} th_source;

/* The clusters of the last refit: they decide rows and sums until the next one. */
typedef struct th_order_frame {
  float x0, y0, side, inverse;
  uint32_t columns, rows, strips, cluster_count;
} th_order_frame;

/* Things with ids: an id pool and an array of records. */
typedef struct th_goals {
  th_ids ids;
  th_goal *goal;
  uint32_t capacity;
} th_goals;
typedef struct th_guides_in_use {
  th_ids ids;
  th_guide_slot *guide;
  uint32_t capacity;
} th_guides_in_use;
typedef struct th_sources {
  th_ids ids;
  th_source *source;
  uint32_t capacity;
} th_sources;

/* One edit of ground that was asked for, kept so that a snapshot can be restored elsewhere. edits.c */
typedef struct th_edit_record {
  uint32_t *word; /* th_edit_write; owned */
  uint32_t words;
  uint64_t step;    /* in force from this step on */
  uint32_t version; /* of the ground that it is part of; edits of one call share it */
} th_edit_record;

typedef struct th_worker_scratch {
  th_view_scratch view;
  th_view_path path[TH_VIEW_LANES]; /* of the view */
  void *scratch, *larger;           /* the second one while scratch grows */
  float farthest;                   /* squared way of the fastest agent it moved */
} th_worker_scratch;

struct th_world {
  th_env env;
  th_pool *pool;
  th_jobs *jobs; /* NULL without field_threads: jobs run when they are asked for */
  uint32_t field_threads;
  uint32_t workers;
  th_simd simd;
  th_world_def def;

  th_ground *ground, *base_ground, *latest_ground; /* in force; version 1; asked for last */
  th_edit_record *edit;
  uint32_t edit_count, edit_capacity;

  uint64_t step;
  double time;
  float dt;
  bool advised;  /* between advise and integrate */
  uint32_t turn; /* the agent that alone decides now, see world/step/one_by_one.c; 0 = all */

  th_ids ids; /* of agents; row_of[index - 1] */
  uint32_t *row_of;
  uint32_t row_of_capacity;
  th_rows rows;
  float radius_max;             /* of all agents so far [m] */
  th_overhead_def overhead_def; /* bodies of all agents so far, in coarse steps */
  bool layered;                 /* some agent so far was not in layer 1 alone, or did not see it */
  th_model_slot model[TH_MAX_MODELS];
  uint32_t model_count;

  th_goals goals;
  th_guides_in_use guides;
  th_guide_update_scratch update;
  th_sources sources;
  th_field_entry *entry;
  uint32_t entry_count, entry_capacity;
  uint32_t *entry_scratch; /* room for the number of every entry */
  uint32_t scratch_capacity;
  pthread_mutex_t solver_lock;
  th_solver_slot *solver; /* of the latest version that a job has needed; under the lock */
  th_request *request;    /* pending, oldest first */

  th_order order;
  th_world_mesh *mesh; /* NULL on flat ground */
  float area;          /* square metres per agent at the last refit */
  bool anyone_fresh;   /* an agent of this step may not have been turned to its guide yet: th_rows' fresh */
  bool order_holds;    /* the order is that of the last step: see nearby.c */
  float strayed;       /* how far anyone has come since then, at most [m] */
  uint32_t tail;       /* rows from here on came later */
  th_worker_scratch *room;
  uint32_t room_count;
  size_t scratch_size;
  th_guide_answer *want; /* by slot: what the guides answered in this step */
  atomic_bool slowed;    /* some of these answers slow their agents down */
  float *moved_x, *moved_y, *push_x, *push_y,
      *mobile;                    /* by slot: places during move and contacts; corrections; 1 = may be pushed */
  float farthest;                 /* longest way of this step [m] */
  uint32_t *lane_list, *ask_list; /* by slot: agents of one model that are due; agents that ask */
  uint8_t *touched;               /* by slot: a wall changed the way */
  uint8_t *contact[2];            /* by cluster: someone moved in this round, in the one before */
  uint8_t *permute_scratch;       /* th_rows_permute: one part a worker */
  size_t permute_size;
  uint32_t slot_capacity;

  th_event *event;
  uint32_t event_count; /* events of the last step and of calls since */
  th_counters counters;
  double seconds[TH_PHASE_COUNT];
};

/* agents.c */
uint32_t th_agent_row(const th_world *world, th_agent_id id, const char *call);
void th_agent_drop(th_world *world, uint32_t row);
th_result th_agent_emit(th_world *world, const th_agent_def *def, const uint16_t *field, th_agent_id *id);
th_result th_agent_check(th_world *world, const th_agent_def *def, uint32_t element, th_error *error);
void th_agent_limits(th_world *world, uint32_t row); /* derived columns, after a change of dt or of limits */
void th_agent_head_for(th_world *world, uint32_t row, uint8_t stop);

/* models.c */
th_result th_model_slot_find(th_world *world, const th_model *model, uint32_t *index, th_error *error);
/* The same for an agent with these parameters (NULL: defaults): checked, with room for its state. */
th_result th_model_slot_for(th_world *world, const th_model *model, const void *params, uint32_t *index,
                            th_error *error);
bool th_model_slot_grow(th_world *world, uint32_t capacity);
void th_model_slot_settle(th_world *world); /* nobody points to what was outgrown any more */
bool th_model_slot_widen(th_world *world, uint32_t model, size_t stride); /* states of at least `stride` bytes */
size_t th_model_state_bytes(const th_model_slot *use, uint32_t row);      /* of the agent in a row */
/* The row comes to the model, with a fresh state; or, when `again`, has it already and gets other parameters. */
void th_model_slot_set(th_world *world, uint32_t model, uint32_t row, const void *params, bool again);
void th_model_slot_leave(th_world *world, uint32_t model, uint32_t row); /* the row is no longer one of the model's */
void th_model_slot_move(th_world *world, uint32_t model, uint32_t to, uint32_t from);
static inline const void *th_model_params(const th_model_slot *use, uint32_t row) {
  return th_param_sets_bytes(&use->sets, use->set[row]);
}
void th_model_share(th_world *world, uint32_t model, void *shared); /* replaces what the model's agents share */
void th_model_slot_free(th_world *world);

/* goals.c */
void th_field_entry_clear(th_world *world, th_field_entry *entry);
/* Ends a call that may have made entries: keeps them, or takes back all since there were `before`. */
void th_field_entries_end(th_world *world, uint32_t before, bool keep);
typedef struct th_field_key {
  uint32_t goal, radius_class, eps_level;
} th_field_key;
/* The entry for a key; made, and its field asked for, when it is new. */
th_result th_field_entry_for(th_world *world, const th_field_key *key, uint16_t *entry, th_error *error);
uint32_t th_eps_level(float eps);
/* The field of an entry; `shape` is borrowed. */
th_field_def th_goal_field_def(const th_goal_def *goal, const th_field_entry *entry, const th_shape *shape);

/* guide_memory.c */
void th_guides_learn(th_world *world); /* what guides remember, before they are asked */
bool th_guide_update_reserve(th_world *world, uint32_t agents);
void th_guide_update_free(th_world *world);
th_result th_guide_remember(th_world *world, th_guide_slot *use, th_error *error); /* takes and fills its memory */
void th_guide_slot_free(th_world *world, th_guide_slot *use);

/* guide_rows.c; guides by the numbers that rows have, but for the last call by their place */
th_result th_guide_rows_begin(th_guide_slot *use, const th_ground *ground, th_error *error);
void th_guide_rows_free(const th_allocator *allocator, th_guide_rows *rows);
bool th_guide_rows_reserve(const th_allocator *allocator, th_guide_rows *rows, uint32_t count);
bool th_guides_reserve_rows(th_world *world, uint32_t agents); /* of all guides */
th_result th_guide_rows_for(th_world *world, uint32_t guide, uint32_t more, th_error *error);
th_result th_guide_rows_for_all(th_world *world, const th_agent_def *def, uint32_t count, th_error *error);
bool th_guide_row_left(const th_world *world, uint32_t guide); /* another agent may come to it */
void *th_guide_row(const th_guide_rows *rows, uint32_t number);
void th_guide_row_give(th_world *world, uint32_t row);
void *th_guide_row_take(th_world *world, uint32_t row); /* for the row's guide; zeroed; NULL: it has none */
void th_guide_row_follow(th_world *world, uint32_t row, uint32_t guide); /* the agent comes to another guide, or not */
/* All rows of a guide in the order of its agents' ids. */
void th_guide_rows_each(const th_world *world, uint32_t guide,
                        void (*visit)(void *context, uint32_t agent, const void *row, size_t size), void *context);

/* goal_check.c */
th_result th_goal_touches(const th_ground *ground, const th_shape *shape, th_error *error);

/* edits.c */
void th_world_displace(th_world *world);
void th_world_carry(th_world *world, const th_ground *from, const th_ground *to);
void th_edits_free(th_world *world);
void th_edit_records_free(const th_allocator *allocator, th_edit_record *record, uint32_t count, uint32_t capacity);

/* sources.c */
void th_sources_emit(th_world *world);
bool th_sources_done(const th_world *world);
void th_source_clear(th_world *world, th_source *source);

/* events.c */
void th_event_add(th_world *world, th_event_kind kind, th_agent_id agent, uint32_t goal);
void th_events_sort(th_world *world);

/* world/step/order.c */
th_order_frame th_order_frame_of(const th_order *order);
void th_order_frame_set(th_order *order, const th_order_frame *frame);

/* world/step/mesh_charts.c */
th_result th_world_mesh_make(th_world *world, th_error *error); /* world->mesh for the ground in force */
th_result th_world_mesh_atlas(const th_world *world, const th_ground *ground, th_atlas **atlas, th_error *error);
th_atlas *th_world_mesh_use(th_world *world, th_atlas *atlas); /* takes it over; returns the one before */
void th_world_mesh_follow(th_world *world, const th_ground *from, const th_ground *to); /* keeps the atlas in use */
void th_world_mesh_free(th_world *world);
bool th_world_mesh_grow(th_world *world, uint32_t agents);
th_patch_crowd_input th_world_mesh_crowd_input(const th_world *world, th_view_columns columns);
/* Charts of the patches that hold someone; and the order's own columns. */
void th_world_mesh_prepare(th_world *world);

/* world/step/overhead.c, world/step/overhead_view.c: bodies that meet above the surface of a mesh */
void th_world_overhead_look(th_world *world);                   /* ghosts of everyone for this step */
void th_world_overhead_contacts(th_world *world, uint8_t *now); /* adds to the corrections of contacts */
void th_world_overhead_show(const th_world *world, const th_overhead_lanes *lanes, th_view_scratch *room,
                            const th_view_need *wish);
void th_world_overhead_size(th_world *world, float height, float radius); /* such bodies come in */
th_result th_world_overhead_fit(th_world *world, th_error *error);        /* lists for all that have come in */
bool th_world_overhead_grow(th_world *world, uint32_t agents);
void th_world_overhead_free(th_world *world);

/* world/step/path_view.c: adds the paths of the rows to the view that was filled in this room */
typedef struct th_path_sight {
  const th_patch_crowd *crowd; /* NULL on flat ground */
  const th_patch_crowd_input *input;
} th_path_sight;
void th_world_show_paths(const th_world *world, th_worker_scratch *room, const uint32_t *row,
                         const th_path_sight *sight);

/* world/step/contacts.c: rounds of this step; none where nobody makes room */
uint32_t th_contact_rounds(const th_world *world);

/* world/step/mesh_move.c, world/step/mesh_contacts.c */
bool th_world_mesh_walk_slot(th_world *world, uint32_t slot, th_vec2 way); /* true when a wall changed the way */
/* Moves a group of slots as far as its faces go; the rest is added to the list, and moved by the second call. */
void th_world_mesh_move(th_world *world, th_motion *motion, uint32_t first, uint32_t movers, th_crossers *list);
void th_world_mesh_cross(th_world *world, const th_crossers *list);
void th_world_mesh_contacts(th_world *world);
void th_world_mesh_commit(th_world *world);
th_vec2 th_world_mesh_accept(th_world *world, uint32_t row, th_place place);
/* Before an agent is put elsewhere: what it carries, in the frame there. Its heading is seen from afar as it was, or
 * as near to that as the face allows; pushed a little way it turns with the ground. */
void th_world_mesh_turn_to(th_world *world, uint32_t row, th_place place);
void th_world_mesh_push_to(th_world *world, uint32_t row, th_place place);

/* world.c */
/* Refuses calls that would change agents between advise and integrate. */
th_result th_world_idle(const th_world *world, const char *call, th_error *error);
uint32_t th_ids_used(const th_ids *ids); /* rows up to the last one that was ever taken: capacity leaves no trace */
uint64_t th_world_due(const th_world *world, float seconds); /* the step that many seconds from now */
bool th_world_reserve_slots(th_world *world, uint32_t agents);
bool th_world_entry_scratch(th_world *world, uint32_t entries);

/* world/step/one_by_one.c: decide and move, one agent after the other */
void th_world_take_turns(th_world *world);
void th_order_again(th_world *world);                /* world/step/order.c: agents have moved, rows are the same */
void th_move_slot(th_world *world, uint32_t slot);   /* world/step/move.c */
void th_commit_slot(th_world *world, uint32_t slot); /* world/step/contacts.c: as if nobody touched it */

/* world/step/move.c: the longest way that workers have noted since the reset [m] */
void th_rooms_reset(th_world *world);
float th_rooms_farthest(const th_world *world);

/* What happens to an agent in a step; found by guide and contacts, handled by finish. */
enum {
  TH_NOTICE_ARRIVED = 1,
  TH_NOTICE_LOST = 2,
  TH_NOTICE_AWAKE = 4,
  TH_NOTICE_STUCK = 8,
  TH_NOTICE_WALL = 16,
  TH_NOTICE_GONE = 32
};

/* Whoever hardly moves stands, whatever was advised. */
static inline uint8_t th_gait_of(const th_rows *rows, uint32_t row) {
  float speed2 = rows->vx[row] * rows->vx[row] + rows->vy[row] * rows->vy[row];
  return speed2 < TH_SLOW2 ? (uint8_t)TH_GAIT_STAND : rows->advised_gait[row];
}

/* The phases of a step, one file each. */
void th_phase_publish(th_world *world);
void th_phase_order(th_world *world);
void th_phase_guide(th_world *world);
void th_phase_decide(th_world *world);
void th_phase_move(th_world *world);
void th_phase_contacts(th_world *world);
void th_phase_finish(th_world *world);

#endif
