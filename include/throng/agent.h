/* throng/agent.h - agents, the sources that emit them, and ids.
 *
 * Ids name the agents, goals, choices, guides and sources of a world. One rule holds for an id that is stale (its
 * object was removed), null, or from a world with another tag: the call does nothing and reports a fault to the log. It
 * returns TH_ERROR_STATE if it returns a th_result; otherwise it returns false, NULL, 0 or what its declaration says.
 * Only th_world_has_... and th_world_row accept such ids without a fault. Links may name agents that were removed.
 * Threads: calls on one world must not overlap, but those that take a const world may run together.
 */
#ifndef THRONG_AGENT_H
#define THRONG_AGENT_H

#include "field.h"
#include "people.h"
#include "spread.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_world th_world;
typedef struct th_model th_model; /* model.h: how agents move */
typedef struct th_guide th_guide; /* guide.h: in which direction they want to go */

/* ---------------------------------------------------------------- ids */

/** Ids, as small as a pointer: copy them, compare them with th_same_..., keep them in your own objects. `index` counts
 *  from 1 and is reused; `generation` tells successive owners of an index apart (it keeps the lower 16 bits: after
 *  32768 more owners an old id would be accepted again); `tag` is th_world_def.tag. All zeros is the null id, which
 *  names nothing. */
typedef struct th_agent_id {
  uint32_t index;
  uint16_t generation, tag;
} th_agent_id;
typedef struct th_goal_id {
  uint32_t index;
  uint16_t generation, tag;
} th_goal_id;
typedef struct th_guide_id {
  uint32_t index;
  uint16_t generation, tag;
} th_guide_id;
typedef struct th_source_id {
  uint32_t index;
  uint16_t generation, tag;
} th_source_id;
typedef struct th_choice_id {
  uint32_t index;
  uint16_t generation, tag;
} th_choice_id;

#ifdef __cplusplus
#define TH_ZERO_OF(type) (type{})
#else
#define TH_ZERO_OF(type) ((type){0})
#endif
#define TH_NULL_AGENT TH_ZERO_OF(th_agent_id)
#define TH_NULL_GOAL TH_ZERO_OF(th_goal_id)
#define TH_NULL_GUIDE TH_ZERO_OF(th_guide_id)
#define TH_NULL_SOURCE TH_ZERO_OF(th_source_id)
#define TH_NULL_CHOICE TH_ZERO_OF(th_choice_id)

/** Is it the null id? Do two ids name the same thing? Any thread. */
static inline bool th_is_null_agent(th_agent_id id) { return id.index == 0; }
static inline bool th_is_null_goal(th_goal_id id) { return id.index == 0; }
static inline bool th_is_null_guide(th_guide_id id) { return id.index == 0; }
static inline bool th_is_null_source(th_source_id id) { return id.index == 0; }
static inline bool th_is_null_choice(th_choice_id id) { return id.index == 0; }
static inline bool th_same_agent(th_agent_id a, th_agent_id b) {
  return a.index == b.index && a.generation == b.generation && a.tag == b.tag;
}
static inline bool th_same_goal(th_goal_id a, th_goal_id b) {
  return a.index == b.index && a.generation == b.generation && a.tag == b.tag;
}
static inline bool th_same_guide(th_guide_id a, th_guide_id b) {
  return a.index == b.index && a.generation == b.generation && a.tag == b.tag;
}
static inline bool th_same_source(th_source_id a, th_source_id b) {
  return a.index == b.index && a.generation == b.generation && a.tag == b.tag;
}
static inline bool th_same_choice(th_choice_id a, th_choice_id b) {
  return a.index == b.index && a.generation == b.generation && a.tag == b.tag;
}

/* ---------------------------------------------------------------- agents */

#define TH_MAX_STOPS 8

/** One stop of a route: a goal and how long to wait there [s] (0 = go on at once). With a choice
 * (throng/world/choice.h) it is one of several goals: `goal` is then the one that the agent has taken, and need not be
 * given. */
typedef struct th_stop {
  th_goal_id goal;
  float wait;
  th_choice_id choice; /* TH_NULL_CHOICE = the goal alone */
} th_stop;

/** A named agent, or a point when `agent` is TH_NULL_AGENT and `to_point` is true. An agent that is gone is no error.
 */
typedef struct th_link_def {
  th_agent_id agent;
  bool to_point;
  th_vec3 point; /* [m]; flat ground ignores z. It may lie off the ground: the nearest place stands for it */
  uint32_t role; /* th_role, or the host's own from TH_ROLE_USER to TH_MAX_ROLE; default none */
} th_link_def;

typedef struct th_agent_def {
  th_vec3 point;           /* start [m], must be walkable; flat ground ignores z. On a mesh the place is the one that
                              th_ground_locate_at finds with any reach: straight above or below the point, else the
                              nearest; refused when it lies more than 2 m (two mean edges of the mesh, if these are
                              longer) beside it, seen from above */
  int32_t level;           /* mesh ground: of a building, 0 = any */
  th_vec2 heading;         /* seen from above, any length; 0, 0 = towards the guide */
  float start_speed;       /* along the heading when it enters [m/s] [0, speed_max], default 0; a heading of 0, 0 has
                              none, and th_world_agent_def gives 0 */
  float radius;            /* [m] [0.01, 10], default 0.2 */
  float height;            /* [m] [0.1, 100], default 1.75 */
  float speed;             /* wanted [m/s] [0, 100], default 1.34 */
  float speed_max;         /* [m/s] [speed, 100], default 2 */
  float acceleration_max;  /* [m/s2] (0, inf], default 2, of bare bodies 8; INFINITY = off */
  float turn_max;          /* [rad/s] (0, inf], default 6.3; INFINITY = off */
  float share;             /* part of the avoidance that this agent does itself [0, 1], default 0.5 */
  uint32_t layers, avoids; /* bit masks: layers it is in, layers it avoids; default 1 and all */
  th_vec2 v;               /* personal vector on the goal's field, seen from above; it is transported along the path */
  float eps;               /* its strength [1/cell] [0, 2], rounded to 8 levels of 0.25; default 0 */
  const th_model *model;   /* default th_model_orca, which keeps bodies apart */
  const void *params;      /* of the model, copied; NULL = defaults */
  const th_people_params *people; /* how it walks among others, whatever its model (people.h), copied; at most 255
                                     different sets in a world; NULL = a bare body; default th_default_people */
  th_guide_id guide;              /* TH_NULL_GUIDE = the field of the current goal */
  th_stop route[TH_MAX_STOPS];
  uint32_t route_count; /* 0 = no goal */
  bool loop;            /* start the route again after its last stop */
  bool remove;          /* leave the world at the last stop; default true */
  float delay;          /* enters the world after this time [s] [0, 1e9], default 0 */
  float premovement;    /* stands where it is for this time after it has entered, seen by all and giving way, before it
                           sets off [s] [0, 1e9], default 0 */
  bool collide;         /* takes part in contact correction, default true */
  bool external;        /* moved by the caller, seen by all; default false */
  th_link_def link[TH_MAX_LINKS];
  uint32_t link_count;
  void *user;
} th_agent_def;

/** A person, as populations and sources of scenes are. */
TH_API th_agent_def th_default_agent_def(void);
/** A bare body, as published methods have it: nothing but its model decides how it moves, and it gathers speed at up to
 *  8 m/s2. */
TH_API th_agent_def th_default_body_def(void);
TH_API th_link_def th_default_link_def(void); /* to nobody */

/** Members of th_agent_def that differ from agent to agent of a crowd. TH_SPREAD_NONE, the default, keeps the number of
 *  the def. */
typedef struct th_agent_spread {
  th_spread speed, radius, delay, premovement, share;
} th_agent_spread;

TH_API th_agent_spread th_default_agent_spread(void);

/** Puts one draw of each spread into the def: the same for the same bits (th_spread_bits). `speed_max` is raised where
 *  the drawn speed exceeds it. Threads: any. */
TH_API void th_agent_draw(const th_agent_spread *spread, uint64_t bits, th_agent_def *def);

/** Adds all agents or none; the error's element is the index of the def that is wrong. `ids` may be NULL. */
TH_API th_result th_world_add_agents(th_world *world, const th_agent_def *def, uint32_t count, th_agent_id *ids,
                                     th_error *error);
/** The same for one agent; `agent` may be NULL. */
TH_API th_result th_world_add_agent(th_world *world, const th_agent_def *def, th_agent_id *agent, th_error *error);
TH_API void th_world_remove_agent(th_world *world, th_agent_id agent);
TH_API bool th_world_has_agent(const th_world *world, th_agent_id agent);

/** One agent, in space; on flat ground z is 0. For many agents th_world_agents and th_world_points are faster. A stale
 *  id gives zeros, TH_AGENT_DELAYED, UINT32_MAX or NULL. */
TH_API th_vec3 th_world_agent_point(const th_world *world, th_agent_id agent);    /* [m] */
TH_API th_vec3 th_world_agent_previous(const th_world *world, th_agent_id agent); /* before the last step [m] */
TH_API th_vec3 th_world_agent_velocity(const th_world *world, th_agent_id agent); /* realised [m/s] */
TH_API th_vec3 th_world_agent_heading(const th_world *world, th_agent_id agent);  /* unit vector */
TH_API th_agent_state th_world_agent_state(const th_world *world, th_agent_id agent);
/** The stop of its route that it heads for or stands at, counted from 0; UINT32_MAX without a route. */
TH_API uint32_t th_world_agent_stop(const th_world *world, th_agent_id agent);
TH_API void *th_world_agent_user(const th_world *world, th_agent_id agent);

/** Each sets one property and keeps all others: the route is not restarted, guide and model keep their state, and an
 *  agent that waits or has arrived stays so. Ranges as in th_agent_def. Do not call them between th_world_advise and
 *  th_world_integrate, or while another call uses the world. */
TH_API th_result th_world_set_speed(th_world *world, th_agent_id agent, float speed, th_error *error);
TH_API th_result th_world_set_speed_max(th_world *world, th_agent_id agent, float speed_max, th_error *error);
TH_API th_result th_world_set_radius(th_world *world, th_agent_id agent, float radius, th_error *error);
TH_API th_result th_world_set_layers(th_world *world, th_agent_id agent, uint32_t layers, uint32_t avoids,
                                     th_error *error);
/** Parameters of the model that it has, copied; NULL = defaults. */
TH_API th_result th_world_set_params(th_world *world, th_agent_id agent, const void *params, th_error *error);
/** True: the caller moves the agent from now on. False: its model moves it again, to the stop that it headed for. */
TH_API th_result th_world_set_external(th_world *world, th_agent_id agent, bool external, th_error *error);
/** Gives the agent another guide; TH_NULL_GUIDE = the field of its goal. The new guide leads to the same stop, even if
 *  the agent has arrived or is lost; an agent that waits at a stop keeps waiting. The agent's state for its old guide
 *  is cleared. Setting the guide that the agent already has changes nothing. */
TH_API th_result th_world_set_guide(th_world *world, th_agent_id agent, th_guide_id guide, th_error *error);
/** A new route of `count` stops [0, 8], beginning at stop `first`. The agent sets off at once, even if it was waiting;
 *  without a stop and without a guide it stands still. `loop` and `remove` stay as they are. */
TH_API th_result th_world_set_route(th_world *world, th_agent_id agent, const th_stop *stop, uint32_t count,
                                    uint32_t first, th_error *error);
/** A route of this one stop; ends a loop. */
TH_API th_result th_world_set_goal(th_world *world, th_agent_id agent, th_goal_id goal, th_error *error);
/** Its links, in place of all that it had; at most TH_MAX_LINKS. */
TH_API th_result th_world_set_links(th_world *world, th_agent_id agent, const th_link_def *link, uint32_t count,
                                    th_error *error);
/** Sends the agent to a point of its own, on a shortest path, by the guide `target` (throng/guide/target.h): the one it
 *  has, else the first of the world, else a new one with default parameters. The point becomes its link of role target
 *  and its route ends; it sets off at once and stands when it has arrived. May be called before every step with a point
 *  that moves. A point off the ground or in a wall stands for the nearest place that the agent can reach. */
TH_API th_result th_world_move_to(th_world *world, th_agent_id agent, th_vec3 point, th_error *error);
/** A push: the velocity from which the next step begins, in space [m/s], of a length of at most 100; on mesh ground its
 *  part along the ground counts. The agent returns to its own decision as quickly as its acceleration allows, so one
 *  without that limit forgets the push within a step. Heading and route stay. */
TH_API th_result th_world_set_velocity(th_world *world, th_agent_id agent, th_vec3 velocity, th_error *error);
/** The host's own pointer; not part of hash and snapshot. May be called at any time. */
TH_API void th_world_set_user(th_world *world, th_agent_id agent, void *user);

/** Changes everything but the place and heading of an agent. If the route has the same goals as before, the agent
 *  continues at its current stop (waits, `loop` and `remove` may differ); a route with other goals begins at its first
 *  stop. */
TH_API th_result th_world_change_agent(th_world *world, th_agent_id agent, const th_agent_def *def, th_error *error);
/** The def that would make this agent as it is now (place and heading included). `params` points into the world,
 *  possibly to parameters that other agents share, and is valid until the next call that changes the world; the def may
 *  be passed to that call. */
TH_API bool th_world_agent_def(const th_world *world, th_agent_id agent, th_agent_def *def);
/** Puts an agent somewhere else. On mesh ground all its directions are turned into the plane of the new face, so that
 *  its heading changes as little as that face allows. th_world_drive_agent is for external agents: it also sets
 *  velocity [m/s] and heading. Both are projected onto the ground; a heading that projects to zero is ignored. */
TH_API th_result th_world_place_agent(th_world *world, th_agent_id agent, th_vec3 point, th_error *error);
TH_API th_result th_world_drive_agent(th_world *world, th_agent_id agent, th_vec3 point, th_vec3 velocity,
                                      th_vec3 heading, th_error *error);

/* ---------------------------------------------------------------- sources */

typedef struct th_source_def {
  th_agent_def agent;     /* what it emits; x and y of its point are replaced. Mesh ground: z and level select one of
                             several floors */
  th_polygon region;      /* agents appear at random free spots in it, seen from above on mesh ground; copied */
  float rate;             /* agents per second (0, 1e4] */
  float begin, end;       /* active time [s]; end INFINITY = for ever */
  uint32_t total;         /* greatest number of agents in all; 0 = no limit */
  th_agent_spread spread; /* what differs from one to the next; bounds in the ranges of th_agent_def */
} th_source_def;

TH_API th_source_def th_default_source_def(void);
TH_API th_result th_world_add_source(th_world *world, const th_source_def *def, th_source_id *source, th_error *error);
/** How a source emits: the members of its def. */
typedef struct th_source_flow {
  float rate;
  float begin, end;
  uint32_t total;
} th_source_flow;
/** Changes how a source emits from now on; what it has emitted counts on. */
TH_API th_result th_world_set_flow(th_world *world, th_source_id source, const th_source_flow *flow, th_error *error);
/** How it emits now; zeros for a stale id. */
TH_API th_source_flow th_world_flow(const th_world *world, th_source_id source);
TH_API void th_world_remove_source(th_world *world, th_source_id source);
TH_API bool th_world_has_source(const th_world *world, th_source_id source);
/** The ids of all sources, in the order of their indices: writes up to `capacity`, returns how many there are. */
TH_API uint32_t th_world_sources(const th_world *world, th_source_id *ids, uint32_t capacity);
/** How many agents a source has emitted; 0 for a stale id. While its region is full a source emits fewer than `rate`.
 */
TH_API uint32_t th_world_source_emitted(const th_world *world, th_source_id source);

#ifdef __cplusplus
}
#endif
#endif
