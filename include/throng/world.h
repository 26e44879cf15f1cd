/* throng/world.h - worlds, goals, guides, time, queries and state; throng/agent.h has agents, sources and ids.
 *
 * Worlds are independent of each other. The same calls give the same bits for any number of workers and any instruction
 * set.
 * Threads: calls on one world must not overlap, but those that take a const world may run together.
 */
#ifndef THRONG_WORLD_H
#define THRONG_WORLD_H

#include "agent.h"
#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- world */

/** How a patch of a mesh becomes flat. */
typedef enum th_chart_kind {
  TH_CHART_POLAR,    /* geodesic polar coordinates about its centre */
  TH_CHART_CONFORMAL /* least squares conformal map, central triangle kept */
} th_chart_kind;

/** Which bodies avoid each other above the surface of a mesh: in valleys, inside tubes, between facing walls, on floors
 *  closer than a body is high. Bodies are round columns as high as their agents. */
typedef enum th_overhead_kind {
  TH_OVERHEAD_OFF,
  TH_OVERHEAD_NORMAL, /* they stand along the normals of their faces, as on planets and in tubes */
  TH_OVERHEAD_PLUMB   /* they stand along z, as in houses and on terrain */
} th_overhead_kind;

/** The order in which agents decide and move. */
typedef enum th_update_order {
  TH_UPDATE_ALL_AT_ONCE, /* all from the state at the start of the step */
  TH_UPDATE_ONE_BY_ONE   /* in the order of ids; each agent sees the new places of those before it, as in the theses.
                            Slow, serial, flat ground only, th_world_step only; contacts are not corrected */
} th_update_order;

/** Settings for mesh ground. */
typedef struct th_world_mesh_def {
  float patch_size;    /* of a patch where the surface does not bend [m] [1, 100]; 0 = default 12 */
  bool one_face;       /* every face is a patch, as in dynamic planarization; default false */
  th_chart_kind chart; /* how patches become flat; default polar */
  uint32_t renewals; /* charts in use that are rebuilt in one step after vertices have moved [1, 2^30], default 64; the
                        others keep their old shape until it is their turn */
  uint32_t chart_memory; /* of the charts that are kept, with their markers [MiB] [1, 2^20], default 256; those in use
                            are kept in any case. When charts have to be made again because it is too small, the log
                            says so once */
  th_overhead_kind overhead; /* collisions above the surface; default off */
} th_world_mesh_def;

TH_API th_world_mesh_def th_default_world_mesh_def(void);

#define TH_CONTACT_ROUNDS_AUTO UINT32_MAX

typedef struct th_world_def {
  th_env env;
  th_ground *ground; /* retained by the world */
  float dt;          /* step [s] [0.001, 1], default 0.1 */
  uint32_t workers;  /* [1, 64], default 1; ignored when env.tasks is set */
  uint64_t seed;     /* of every random number, default 1 */
  uint16_t tag;      /* of this world's ids, default 0: give each world its own, and ids of another world are caught as
                        stale. Not part of hash and snapshot: a restored world keeps its own tag */
  uint32_t agent_capacity; /* reserved at once, default 1024; adding more agents reserves more, outside the step */
  uint32_t event_capacity; /* events of one step, default 4096; further ones are counted and dropped */
  uint32_t latency;        /* steps from asking for a field or an edit to its use [1, 1000], default 1 */
  uint32_t field_threads;  /* threads that make fields in parallel to the steps [0, 64]; default 0 = one when there is
                              more than one worker or realtime is set, else none: the call that asks for a field then
                              makes it. Results do not depend on it */
  bool realtime; /* fields and edits come into force when they are ready: a step never waits, agents stand until their
                    field is ready, and results depend on timing; default false */
  uint32_t contact_rounds; /* rounds of contact correction in a step [0, 32], default TH_CONTACT_ROUNDS_AUTO: 32 where
                              there are people, else 3; they end early when no two bodies overlap by more than 0.5 % of
                              the sum of their radii (1 % when more than 3 rounds are allowed) */
  th_sense sense;          /* of the agents' v, default pull */
  th_simd simd;            /* of steps, models and the solver of fields; default auto */
  th_update_order update;  /* default all at once */
  th_world_mesh_def mesh;
} th_world_def;

/** What timing decided in a world in real time: how many of the fields and edits that had been asked for came into
 *  force in a step, in the order of the asking. */
typedef struct th_in_force {
  uint64_t step;
  uint32_t count;
} th_in_force;

TH_API th_world_def th_default_world_def(void);
TH_API th_result th_world_make(const th_world_def *def, th_world **world, th_error *error);
TH_API void th_world_free(th_world *world);

/** World in real time: the steps in which something came into force, in order; valid until the next step. */
TH_API const th_in_force *th_world_in_force(const th_world *world, uint32_t *count);
/** World in real time: lets it take what it asks for at these steps, as long as the list goes; a step waits for what is
 *  late. The same calls then give the same results again. Steps that have been are the past; the list is copied. A
 *  restored world follows its own list until this call takes what is to come away. Between steps only. */
TH_API th_result th_world_follow_in_force(th_world *world, const th_in_force *list, uint32_t count, th_error *error);

/** Reserves memory for `agents` in all, so that sources and later additions allocate nothing; each guide with rows that
 *  is in the world gets as many rows. */
TH_API th_result th_world_reserve(th_world *world, uint32_t agents, th_error *error);
/** Mesh ground: makes the charts of all patches now, with all workers, up to `chart_memory`. Later steps then
 *  make no charts and allocate nothing, unless the ground changes or an agent with a longer reach is added. Call it
 *  between steps, after the agents have been added: a chart is as large as their reach needs, and agents of a source
 *  count only once they are emitted. Results never depend on this call. For that reason, while charts wait to be
 *  renewed (th_world_backlog) or a change of the ground is due, charts for a longer reach are left to the next step.
 *  The call fails only when memory runs out; steps then make the missing charts. Flat ground: does nothing. */
TH_API th_result th_world_prepare(th_world *world, th_error *error);

/** Mesh ground: makes all fields along edges now (th_fields_bytes tells their size beforehand), with all workers, if
 * they take at most `budget` bytes; else TH_ERROR_CAPACITY and nothing is made. A goal whose field is `edges` then gets
 *  it without a search, for agents of radius class 0, until an edit changes the ground. Results never depend on this
 *  call. Call it between steps, best before goals get their agents. Flat ground: does nothing. */
TH_API th_result th_world_prepare_fields(th_world *world, uint64_t budget, th_error *error);

/** Bytes that a world has taken from the host's allocator and holds now. The ground, which worlds may share, is not
 *  among them. */
typedef struct th_memory {
  size_t agents;  /* rows, and states and parameters of models */
  size_t fields;  /* and what solves them */
  size_t charts;  /* mesh ground: patches and charts */
  size_t guides;  /* parameters and memories */
  size_t scratch; /* the rest: buffers of a step, events, tables */
  size_t total;
} th_memory;
TH_API th_memory th_world_memory(const th_world *world);

/* ---------------------------------------------------------------- goals and guides */

typedef struct th_goal_def {
  th_shape shape;
  const char *name; /* for messages, at most 47 bytes are copied; not part of hash and snapshot; NULL = its number */
  const th_planner *planner; /* of the host (throng/field.h), for a harmonic field with Dirichlet walls; must outlive
                                the world. A snapshot holds whether there is one: restoring takes that of the same goal.
                                Default NULL: our own solver */
  th_field_kind field;       /* default roomy, made for people; published systems walk on harmonic fields */
  float blend;               /* [0, 1] for TH_FIELD_BLEND */
  bool quickest; /* where faces differ in speed: the quickest path, not the shortest; see th_field_def; default true */
  float room_weight;  /* [0, 1] for TH_FIELD_ROOMY: how much more a metre costs beside a wall; default 0.1 */
  float room_within;  /* [m] [0.1, 20] for TH_FIELD_ROOMY: this far from walls they cost; default 4 */
  th_wall_rule walls; /* default Dirichlet */
  float arrive;       /* a point or line counts as reached within this distance [m] [0, 100], default 0.5 */
  bool sink;          /* agents that arrive are removed whatever their route says; default false */
} th_goal_def;

TH_API th_goal_def th_default_goal_def(void);
/** Adds a goal. Its shape is copied. Fails when it lies in a wall or off the ground. */
TH_API th_result th_world_add_goal(th_world *world, const th_goal_def *def, th_goal_id *goal, th_error *error);
/** Moves a goal: its fields are solved again and used after `latency` steps. Agents that have arrived there stay where
 *  they are; th_world_set_goal sends each of them off again. */
TH_API th_result th_world_move_goal(th_world *world, th_goal_id goal, const th_shape *shape, th_error *error);
/** Changes a goal in place: all members of its def. What only says when an agent has arrived holds at once, another
 *  shape as th_world_move_goal says; for another kind of field, or its members, the agents that head for it stand until
 *  it is ready. A name of NULL stays as it is. */
TH_API th_result th_world_change_goal(th_world *world, th_goal_id goal, const th_goal_def *def, th_error *error);
/** Agents that head for it stop, with the event unreachable; it is no option of a choice any more. */
TH_API void th_world_remove_goal(th_world *world, th_goal_id goal);
TH_API bool th_world_has_goal(const th_world *world, th_goal_id goal);
/** The ids of all goals, in the order of their indices: writes up to `capacity`, returns how many there are. */
TH_API uint32_t th_world_goals(const th_world *world, th_goal_id *ids, uint32_t capacity);
/** The def a goal is made of now; the points of its shape belong to the world and are valid until the next call that
 *  changes it. False for a stale id. */
TH_API bool th_world_goal_def(const th_world *world, th_goal_id goal, th_goal_def *def);

/** Adds a guide of any kind; `params` are copied (pointers inside them stay the caller's). */
TH_API th_result th_world_add_guide(th_world *world, const th_guide *kind, const void *params, th_guide_id *guide,
                                    th_error *error);
/** Changes the parameters in the table of a guide's kind; what its agents and it remember stays, as does what `params`
 *  has beside the table. TH_ERROR_STATE for a kind that shares data made of its parameters (th_guide.shared_make), or
 *  whose memory would get another size. */
TH_API th_result th_world_change_guide(th_world *world, th_guide_id guide, const void *params, th_error *error);
TH_API void th_world_remove_guide(th_world *world, th_guide_id guide);
TH_API bool th_world_has_guide(const th_world *world, th_guide_id guide);
/** The ids of all guides, in the order of their indices: writes up to `capacity`, returns how many there are. */
TH_API uint32_t th_world_guides(const th_world *world, th_guide_id *ids, uint32_t capacity);
/** Kind and parameters of a guide; NULL for a stale id. The parameters are valid while the guide lives. */
TH_API const th_guide *th_world_guide_kind(const th_world *world, th_guide_id guide);
TH_API const void *th_world_guide_params(const th_world *world, th_guide_id guide);
/** The memory of a guide that learns; NULL when it has none. Valid until the next step. */
TH_API const void *th_world_guide_memory(const th_world *world, th_guide_id guide, size_t *size);
/** The row that an agent has in its guide, and its bytes; NULL when its guide has none. Valid until the next step or
 *  change of agents. A stale id is a fault and gives NULL. */
TH_API const void *th_world_guide_row(const th_world *world, th_agent_id agent, size_t *size);

/* ---------------------------------------------------------------- time */

/** One step: advise, then integrate. Allocates nothing except charts of mesh patches that no agent has walked on yet;
 *  see th_world_prepare. */
TH_API void th_world_step(th_world *world);
/** Decides: after it, th_world_agents() shows the advised velocities. */
TH_API void th_world_advise(th_world *world);
/** Moves agents by the advice. */
TH_API void th_world_integrate(th_world *world);
/** Instead of integrate: the host moved the bodies. Points are in the order of th_world_agents(). z is read on mesh
 *  ground only, where a body stands on the nearest place within one metre. Places in walls are refused and reported as
 *  an event. */
TH_API void th_world_accept(th_world *world, const th_vec3 *point, uint32_t count);

TH_API uint64_t th_world_step_count(const th_world *world);
TH_API double th_world_time(const th_world *world);
TH_API float th_world_dt(const th_world *world); /* step length now [s] */
/** Changes the step length from the next step on. */
TH_API th_result th_world_set_dt(th_world *world, float dt, th_error *error);
/** True when no agent is under way or still to be added: every agent has arrived, is lost or external, and every source
 *  is done. An agent without a route counts as under way when its model walks without a guide (th_model.alone). */
TH_API bool th_world_done(const th_world *world);

/** Opens and closes doors, adds and removes obstacles; in force after `latency` steps. */
TH_API th_result th_world_edit(th_world *world, const th_edit *edit, uint32_t count, th_error *error);
/** The version in force. Valid until the next step. */
TH_API const th_ground *th_world_ground(const th_world *world);
/** Number of charts in use that still have the shape of an earlier version of the mesh: see
 *  th_world_mesh_def.renewals. 0 on flat ground. */
TH_API uint32_t th_world_backlog(const th_world *world);

/* ---------------------------------------------------------------- reading */

/** Where agents are in space: one entry for each row of th_agents. The arrays are the caller's; those that are NULL are
 *  left out. */
typedef struct th_points {
  th_vec3 *point, *velocity; /* [m], [m/s] */
  th_vec3 *heading, *normal; /* unit vectors */
  th_vec3 *weights;          /* barycentric, of the corners of the face; 0 on flat ground */
  float *clearance;          /* distance along the ground to the nearest wall [m], as th_ground_clearance_at */
  th_vec3 *previous;         /* `point` before the last step [m]: frames between two steps interpolate */
} th_points;

/** All agents as arrays, one entry each; valid until the next call that changes the world. On mesh ground places,
 *  velocities and headings are in the frames of their faces: th_world_points has them in space. */
typedef struct th_agents {
  uint32_t count;
  const th_agent_id *id;
  const uint32_t *cell;
  const float *x, *y;            /* place */
  const uint32_t *previous_cell; /* place before the last step; NULL on flat ground */
  const float *previous_x, *previous_y;
  const float *vx, *vy; /* realised velocity */
  const float *hx, *hy; /* heading */
  const float *advised_vx, *advised_vy;
  const float *radius, *body;  /* [m]; body: half width towards other agents, `radius` or narrower */
  const float *speed;          /* wanted [m/s] */
  const float *left;           /* distance to the goal [m] */
  const uint8_t *gait, *state; /* th_gait, th_agent_state */
  void *const *user;
  const th_points *space; /* NULL; set it to th_world_points before agents of a mesh go to metrics or recordings */
} th_agents;

TH_API th_agents th_world_agents(const th_world *world);
/** Allocator and log that the world was made with; those of th_default_env without a world. */
TH_API th_env th_world_env(const th_world *world);
/** Fills the arrays of `points`, each with a capacity for all agents. Flat ground: z = 0. */
TH_API void th_world_points(const th_world *world, const th_points *points);
/** Where the guides of all agents have led them last, by row, as unit directions in the frames of their cells; state
 *  TH_ANSWER_WAIT for those that are not in the world yet. `want` has a capacity for all agents. Between
 * th_world_advise and th_world_integrate it tells from what the advice departs. */
struct th_guide_answer; /* query.h */
TH_API void th_world_wants(const th_world *world, struct th_guide_answer *want);
/** The agent that owns each marker of the ground since the last decision, in worlds whose agents have a model that
 *  competes for markers: index of its id, or 0. By marker number, as th_markers_places; writes up to `capacity`,
 * returns how many there are. 0 in other worlds. Not during a step. */
TH_API uint32_t th_world_marker_owners(const th_world *world, uint32_t *agent, uint32_t capacity);
/** Row of an agent in th_world_agents(), UINT32_MAX when the id is stale. */
TH_API uint32_t th_world_row(const th_world *world, th_agent_id agent);

typedef enum th_event_kind {
  TH_EVENT_ARRIVED,     /* at a goal */
  TH_EVENT_UNREACHABLE, /* no path to its goal */
  TH_EVENT_REMOVED,     /* left the world: sink, last stop, or a call */
  TH_EVENT_STUCK,       /* no progress for 10 s and nobody to wait for; again after another 10 s */
  TH_EVENT_ADDED,       /* emitted by a source, or its delay ended */
  TH_EVENT_FULL,        /* a source could not emit: its region or the world is full */
  TH_EVENT_DISPLACED,   /* an edit put a wall where it stood; it was moved to the nearest free place */
  TH_EVENT_REFUSED,     /* accept or drive named a place in a wall */
  TH_EVENT_SET_OFF,     /* its premovement time is over */
  TH_EVENT_LINK_GONE,   /* an agent that one of its links names has left the world */
  TH_EVENT_QUEUES,      /* no progress for 10 s, behind people whose first one moves or will move: not stuck */
  TH_EVENT_JOINED,      /* a group (throng/group.h) */
  TH_EVENT_LEFT         /* its group, by a call or because it left the world */
} th_event_kind;

typedef struct th_event {
  th_event_kind kind;
  th_agent_id agent;
  th_goal_id goal;
  uint64_t step;
  th_source_id
      source; /* of TH_EVENT_ADDED and TH_EVENT_FULL: the source that emitted, or could not; null when a delay ended */
} th_event;

/** Events of the last step and of the calls since, sorted by (kind, agent); valid until the next change. Wall
 *  contacts are counted in th_world_counters(), not listed. */
TH_API const th_event *th_world_events(const th_world *world, uint32_t *count);

typedef struct th_counters {
  uint64_t added, arrived, removed, unreachable, stuck, wall_contacts, dropped_events, queues;
} th_counters;
TH_API th_counters th_world_counters(const th_world *world);

/** The phases of a step, in their order. docs/step.md describes each. */
typedef enum th_phase {
  TH_PHASE_PUBLISH,
  TH_PHASE_ORDER,
  TH_PHASE_GUIDE,
  TH_PHASE_PEOPLE,
  TH_PHASE_DECIDE,
  TH_PHASE_MOVE,
  TH_PHASE_CONTACTS,
  TH_PHASE_COMMIT,
  TH_PHASE_FINISH,
  TH_PHASE_COUNT
} th_phase;
/** Seconds spent in each phase, summed over all steps. A world that updates one by one counts decide, move and commit
 *  as decide. */
TH_API void th_world_profile(const th_world *world, double seconds[TH_PHASE_COUNT]);
TH_API const char *th_phase_name(th_phase phase);

/* ---------------------------------------------------------------- traces */

#define TH_MAX_TRACED (1u << 20)
#define TH_MAX_TRACE_ITEMS 65536u
#define TH_MAX_TRACE_VALUES (1u << 20)

/** Capacities of tracing. th_world_trace takes the memory, never a step. */
typedef struct th_trace_def {
  uint32_t agents; /* traced at once [1, 2^20], default 16 */
  uint32_t items;  /* that are kept of each, of its last decision and of its guide [1, 65536], default 64 */
  uint32_t values; /* of the rasters that are kept of each [0, 2^20], default 1024 */
  bool all;        /* traces every agent, also those added later, as long as `agents` suffices; default false */
} th_trace_def;
TH_API th_trace_def th_default_trace_def(void);
/** The default with as many items and values as the models, guides and sources that the world has now may need. */
TH_API th_trace_def th_world_trace_def(const th_world *world);

/** Switches tracing on with this capacity, in place of what was there before; NULL: off, the default. What models,
 *  guides and people's layer publish is described in throng/trace.h and docs/traces.md. Results, hash and snapshot do
 *  not depend on tracing; a restored world goes on with the agents that exist in it. */
TH_API th_result th_world_trace(th_world *world, const th_trace_def *def, th_error *error);
/** Begins or ends tracing an agent. Fails when `agents` of the def are traced already. An agent that leaves the world
 *  is no longer traced. */
TH_API th_result th_world_trace_agent(th_world *world, th_agent_id agent, bool on, th_error *error);
/** The ids of all traced agents, in the order of their indices: writes up to `capacity`, returns how many there are. */
TH_API uint32_t th_world_traced(const th_world *world, th_agent_id *ids, uint32_t capacity);
/** What was published about an agent, first by its guide in the last step, then in its last decision, in the order of
 *  publishing: writes up to `capacity`, returns how many items there are; 0 when the agent is not traced. */
TH_API uint32_t th_world_traces(const th_world *world, th_agent_id agent, th_trace_item *items, uint32_t capacity);
/** What the world itself publishes, for any model and guide. Any thread. */
TH_API const th_trace *th_world_trace_table(uint32_t *count);

/* ---------------------------------------------------------------- queries */

/* On flat ground the z of every point is ignored. On mesh ground a point stands for the place that th_ground_locate_at
 * finds; beyond the distance that th_agent_def.point names there is no path. */

/** Whom a query may find. NULL instead of a filter: everybody. */
typedef struct th_agent_filter {
  th_agent_id except; /* never found, usually who asks; TH_NULL_AGENT, or one that has left: leaves out nobody */
  uint32_t layers;    /* bit mask: only agents in one of these layers; 0 = all */
} th_agent_filter;

/** Agents whose centre lies within `radius` of a point, in space, nearest first; returns how many there are. */
TH_API uint32_t th_world_within(const th_world *world, th_vec3 point, float radius, const th_agent_filter *filter,
                                th_agent_id *ids, uint32_t capacity);
/** Agents whose centre lies in a box with its sides along the axes, borders included, nearest to its middle first;
 *  returns how many there are. Sides may be infinite. */
TH_API uint32_t th_world_inside(const th_world *world, th_vec3 lower, th_vec3 upper, const th_agent_filter *filter,
                                th_agent_id *ids, uint32_t capacity);
/** The nearest agent within `reach`, TH_NULL_AGENT when there is none. */
TH_API th_agent_id th_world_nearest(const th_world *world, th_vec3 point, float reach, const th_agent_filter *filter);
/** First body hit by a ray (walls end it); TH_NULL_AGENT when there is none. On mesh ground the ray runs along the
 *  surface, straight ahead, and does not meet agents on the other side of the surface. `distance` may be NULL. */
TH_API th_agent_id th_world_ray(const th_world *world, th_vec3 from, th_vec3 direction, float length,
                                const th_agent_filter *filter, float *distance);
/** Path from a point to a goal for a body of `radius`; returns the number of places, 0 when there is no path or its
 *  field is not ready yet. th_ground_point has them in space, th_ground_corners keeps only the corners. */
TH_API uint32_t th_world_path(const th_world *world, th_vec3 from, th_goal_id goal, float radius, th_place *place,
                              uint32_t capacity);
/** Distance to a goal [m]; INFINITY when there is no path or its field is not ready yet. */
TH_API float th_world_distance(const th_world *world, th_vec3 from, th_goal_id goal, float radius);
/** The field that leads agents of `radius` to a goal; NULL while it is not ready. Valid until the next step. */
TH_API const th_field *th_world_field(const th_world *world, th_goal_id goal, float radius);

/* ---------------------------------------------------------------- state */

/** Hash of the whole state. */
TH_API uint64_t th_world_hash(const th_world *world);
/** Writes the state; returns the bytes needed (call with NULL, 0 first). */
TH_API size_t th_world_snapshot(const th_world *world, void *memory, size_t size);
/** Restores a snapshot of this world, or of one made by the same calls on the same ground. Nothing changes on an
 *  error. Pointers inside parameters of user models and guides come back as they were saved. Damage is found by a hash
 *  without a key, which anybody can compute: restore no snapshot of somebody whose programs you would not run. */
TH_API th_result th_world_restore(th_world *world, const void *memory, size_t size, th_error *error);

#ifdef __cplusplus
}
#endif
#endif
