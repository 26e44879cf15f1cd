/* throng/model/steering.h - the model `steering`: forces of several steerings, blended into one velocity.
 *
 * Seven steerings for people (Popelova, "Steering techniques library for virtual agents", 2011): obstacle avoidance,
 * people avoidance, target approaching, path following, wall following, leader following, walk along. Beside them stand
 * the behaviours of Reynolds, "Steering behaviors for autonomous characters", 1999. Every steering that is on returns a
 * force and may ask the agent to stop. The forces and the previous velocity are blended by weights. An agent walks at
 * its wanted speed (th_agent_def.speed); its greatest speed should leave room to run, which is up to 3.6 times as fast.
 *
 * Units are metres and seconds. A force of 1 m/s keeps an agent moving at 1 m/s, so that the thesis' 1 N_UT is 0.01 m/s
 * and its 1 cm_UT is 0.01 m. Angles are positive to the right, as in the thesis.
 *
 * The steerings follow the agents that its links name: TH_ROLE_LEADER, TH_ROLE_PARTNER, TH_ROLE_TARGET. A standing
 * agent turns to TH_ROLE_FOCUS. Path following needs a guide that has a path (th_guide_path). Parameters may change
 * while the agent walks (th_world_set_params); the agent keeps its memory. Threads: any.
 */
#ifndef THRONG_MODEL_STEERING_H
#define THRONG_MODEL_STEERING_H

#include "../base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_model th_model; /* model.h */
typedef struct th_view th_view;   /* view.h */

/** The side that a steering takes where it needs one and nothing else decides it. */
typedef enum th_steering_side {
  TH_STEER_RANDOM, /* drawn from the world's seed, the agent and the step */
  TH_STEER_RIGHT,
  TH_STEER_LEFT
} th_steering_side;

/** How to read formulas that are damaged in the thesis or contradict its text. */
typedef enum th_steering_reading {
  TH_STEER_REPAIRED, /* as the text describes it */
  TH_STEER_PRINTED,  /* as it is printed */
  TH_STEER_UNCAPPED  /* of path_reading alone: the force grows without limit */
} th_steering_reading;

/** Where the target of target approaching and walk along is. */
typedef enum th_steering_target {
  TH_STEER_GUIDE, /* where the guide leads; it says when the agent has arrived. Without a guide the agent wants to stand
                   */
  TH_STEER_PLACE, /* `target` */
  TH_STEER_LINK,  /* the link with TH_ROLE_TARGET */
  TH_STEER_NONE   /* only the list `targets` */
} th_steering_target;

/** Characters of people: settings of people avoidance that replace the ones beside them. */
typedef enum th_steering_character {
  TH_CHARACTER_OWN,        /* the parameters as they are */
  TH_CHARACTER_DOMINANT,   /* never gives way */
  TH_CHARACTER_SHY,        /* keeps far away */
  TH_CHARACTER_FRIEND,     /* comes close */
  TH_CHARACTER_THOUGHTFUL, /* in thought: notices others late */
  TH_CHARACTER_OLD,        /* old or ill: does not hurry */
  TH_CHARACTER_HURRIED,    /* hurries, does not wait */
  TH_CHARACTER_INTRUSIVE,  /* comes so close that others turn away */
  TH_CHARACTER_ALOOF,      /* keeps his distance */
  TH_CHARACTER_CROWD,      /* member of a compact group */
  TH_CHARACTER_INDIVIDUAL  /* avoids others in every way */
} th_steering_character;

typedef enum th_steering_following { TH_FOLLOW_BASIC, TH_FOLLOW_FORMATION } th_steering_following;

#define TH_STEERING_TARGETS 16
#define TH_STEERING_BREAKS 64

/** Rays against walls ahead and beside push the agent away. */
typedef struct th_steering_obstacle {
  bool on;         /* default true */
  bool front;      /* turns along a wall that it meets head-on instead of bouncing back; default true */
  bool tree;       /* passes narrow round obstacles on the near side; default true */
  float weight;    /* [0, 10], default 1, as all weights */
  float force;     /* [m/s] [0, 20], default 2.4 */
  int32_t order;   /* of the growth towards the wall [1, 10], default 1 */
  float front_ray; /* length of the rays ahead and 15 degrees beside it [m] [0.1, 50], default 6.25 */
  float side_ray;  /* length of the rays to the sides [m] [0.1, 50], default 2 */
} th_steering_obstacle;

/** Keeps away from people in sight, walks round them, lets them pass or hurries. */
typedef struct th_steering_people {
  bool on;            /* default true */
  bool circumvention; /* walks round whoever will be in the way; default true */
  bool deceleration;  /* slows down for whoever will cross first; default true */
  bool acceleration;  /* hurries where it will cross first; default true */
  float weight;
  float force;       /* [m/s] [0, 10], default 2 */
  float distance;    /* that it wants to keep [m] [0.5, 20], default 3; about 2 in crowded places */
  float projection;  /* how far ahead it looks [s] [0, 7.5], default 4 */
  int32_t nearest;   /* how many it looks at, the nearest ones [1, 64], default 10 */
  int32_t reading;   /* th_steering_reading of how soon: (P - t)/(P - 1 tick), or printed (P - t)/P */
  int32_t character; /* th_steering_character, default own */
} th_steering_people;

/** Pulls to a target and stops there; a list of further ones pulls or repels by distance. */
typedef struct th_steering_approach {
  bool on; /* default true */
  float weight;
  float force;   /* [m/s] [0, 10], default 1 */
  int32_t by;    /* th_steering_target, default guide */
  float stop;    /* stops within this distance [m] [0, 100], default 1.5; led by a guide it slows down there */
  th_vec3 place; /* of TH_STEER_PLACE [m] */
  struct {
    uint32_t count;
    th_vec3 point[TH_STEERING_TARGETS];
  } targets; /* [m] */
  /* Force by distance from the targets in `targets`, one function after the other: distance [m], force [m/s] at it, and
   * 1: from here on straight to the next one, or 0: none up to the next one. Distances ascend in a function; one that
   * does not begins the next function. Targets beyond the last function share it. */
  struct {
    uint32_t count;
    th_vec3 point[TH_STEERING_BREAKS];
  } functions;
} th_steering_approach;

/** Passes the corridor around the path of the guide. */
typedef struct th_steering_path {
  bool on; /* default false */
  float weight;
  float force;      /* [m/s] [0, 10], default 2 */
  float distance;   /* half width of the corridor [m] [0, 10], default 4 */
  float projection; /* how far ahead it looks [s] [0, 12.5], default 3.75 */
  float regulation; /* force along the path [m/s] [0, 20], default 0.5 */
  float stop;       /* stops within this distance of the end [m] [0, 100], default 1.5 */
  int32_t reading;  /* th_steering_reading of the force outside: repaired min(2, x), printed min(0, x), or uncapped */
} th_steering_path;

/** Walks along walls, also round corners. */
typedef struct th_steering_wall {
  bool on;      /* default false */
  bool my_side; /* ignores rays of the side that it does not follow; default true */
  bool front;   /* as in obstacle avoidance; default true */
  float weight;
  float force;   /* [m/s] [0, 10], default 1 */
  int32_t order; /* [1, 10], default 1 */
  float attract; /* weight of the attraction [0, 10], default 1 */
  float repel;   /* weight of the repulsion [0, 10], default 1 */
  float concave; /* weight of turning round a corner of the wall, an outer corner of a building [0, 10], default 1 */
  float convex;  /* weight of turning away in a corner, an inner corner of a room [0, 10], default 1 */
  float ray;     /* length of the side rays [m] [0.1, 25], default 3: walks at half of it from the wall */
} th_steering_wall;

/** Follows the link with TH_ROLE_LEADER. */
typedef struct th_steering_leader {
  bool on;            /* default false */
  bool deceleration;  /* basic: slows down instead of walking back; default true */
  bool memory;        /* formation: goes by the leader's mean velocity; default true */
  bool circumvention; /* formation: runs round the leader; default true */
  float weight;
  float force;          /* [m/s] [0, 10], default 2 */
  float distance;       /* [m] [0.3, 20], default 3 */
  float force_distance; /* this much farther away than wanted the pull equals `force` [m] [0.01, 20], default 0.5 */
  int32_t type;         /* th_steering_following, default basic */
  float angle;          /* formation [degrees] [-180, 180]: 0 ahead, 90 right, -90 left, 180 behind; default 180 */
  int32_t memory_size;  /* decisions that the memory holds [0, 20], default 5 */
  int32_t reading;      /* th_steering_reading of the repulsion: F ((D - d)/D)^2, or printed F (d/D)^2 */
} th_steering_leader;

/** Reaches the target together with the link with TH_ROLE_PARTNER, side by side. */
typedef struct th_steering_along {
  bool on;       /* default false */
  bool give_way; /* makes room to the side instead of pushing forwards and back; default true */
  bool wait;     /* waits for a partner who is far behind; default true */
  float weight;
  float force;     /* [m/s] [0, 10], default 2 */
  float distance;  /* between the two [m] [0, 20], default 5; 1.5 to 4 looks more natural */
  float stop;      /* stops within this distance of its place beside the target [m] [0, 100], default 2 */
  int32_t reading; /* th_steering_reading of the lead: per 5 m, or printed per cm */
} th_steering_along;

/** Reynolds' behaviours return the velocity that they want, up to the wanted speed. All are off by default. */
typedef enum th_classic {
  TH_CLASSIC_SEEK,           /* straight at the target */
  TH_CLASSIC_FLEE,           /* straight away from it */
  TH_CLASSIC_ARRIVAL,        /* at the target, slower within classic_radius */
  TH_CLASSIC_PURSUIT,        /* at where the target will be */
  TH_CLASSIC_OFFSET_PURSUIT, /* at a place beside where it will be: classic_radius away, at classic_angle */
  TH_CLASSIC_EVASION,        /* away from where it will be */
  TH_CLASSIC_WANDER,         /* at random, without haste */
  TH_CLASSIC_FLOW,           /* along the guide */
  TH_CLASSIC_CONTAINMENT,    /* away from the wall that it would reach within classic_time */
  TH_CLASSIC_UNALIGNED,      /* aside, from the agent to which it would come nearest within classic_time */
  TH_CLASSIC_INTERPOSE,      /* between target and partner */
  TH_CLASSIC_HIDE,           /* behind a wall from the target */
  TH_CLASSIC_SEPARATION,     /* away from people within classic_radius */
  TH_CLASSIC_COHESION,       /* to the middle of people in sight */
  TH_CLASSIC_ALIGNMENT,      /* as they walk on average */
  TH_CLASSIC_FLOCKING,       /* separation, cohesion and alignment */
  TH_CLASSIC_QUEUING,        /* waits behind whoever is ahead */
  TH_CLASSIC_COUNT
} th_classic;

typedef struct th_steering_classic {
  float weight[TH_CLASSIC_COUNT]; /* [0, 10]; 0, the default = off */
  float radius;                   /* [m] [0, 50], default 2 */
  float angle;                    /* of offset pursuit [degrees] [-180, 180], positive to the right; default 180 */
  float time;                     /* [s] [0, 10], default 2 */
  float wander; /* how far a decision may change the course of wander [degrees] [0, 180], default 20 */
} th_steering_classic;

/** What a steering of the host gets; vectors and places are in the chart of the view. */
typedef struct th_steering_moment {
  const th_view *view;
  uint32_t lane;
  th_vec2 place, velocity, heading; /* velocity 0, 0 while it stands; heading is a unit vector */
  float walk, tick;                 /* its wanted speed [m/s]; time between decisions [s] */
  float memory;                     /* weight of the previous velocity: -q memory velocity slows down by q */
} th_steering_moment;

/** What any steering returns. Preset to: no force, no stop, agrees. */
typedef struct th_steering_force {
  th_vec2 force; /* [m/s]; one that is not finite counts as none */
  bool stop;     /* asks the agent to stand still */
  bool looks;    /* with a stop: look at `focus` */
  bool agrees;   /* a slow agent may walk faster again */
  th_vec2 focus; /* [m] */
} th_steering_force;

typedef struct th_steering_params {
  float period;     /* time between decisions [s] [0, 10], default 0.25; 0 = every step */
  float multiplier; /* of the resulting speed [0, 20], default 1; 3 makes an agent run */
  float sight;      /* how far it sees people and links [m] [0.1, 50], default 10 */
  int32_t side;     /* th_steering_side, default random */
  bool adapt;       /* where the guide gives the target: rays of obstacle avoidance and the distance from people are at
                       most as long as its path is wide, default true; false: as they are set */
  th_steering_obstacle obstacle;
  th_steering_people people;
  th_steering_approach target;
  th_steering_path path;
  th_steering_wall wall;
  th_steering_leader leader;
  th_steering_along along;
  th_steering_classic classic;
  /* The host's own steering: not in scenes; may be called from several threads at once. */
  void (*behave)(void *user, const th_steering_moment *moment, th_steering_force *force);
  void *user;
  float behave_weight; /* [0, 10], default 1 */
} th_steering_params;

/** Obstacle avoidance, people avoidance and target approaching are on, all with their extensions. */
TH_API th_steering_params th_default_steering_params(void);

/** Switches the extensions of all steerings off, or on with the recommended values. What is on stays on. Any thread. */
TH_API void th_steering_basic(th_steering_params *params);
TH_API void th_steering_full(th_steering_params *params);

/** The settings of people avoidance that a character has; `own` is returned as it is. Any thread. */
TH_API th_steering_people th_steering_character_of(th_steering_people own);

TH_API extern const th_model th_model_steering;

#ifdef __cplusplus
}
#endif
#endif
