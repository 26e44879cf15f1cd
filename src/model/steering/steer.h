/* model/steering/steer.h - what the steerings of one decision share: the agent, its senses, its memory.
 *
 * A steering is a function of a th_steer_self that fills one th_steering_force. It knows no other steering. Vectors are
 * in the chart; what is remembered from one decision to the next is in the agent's own frame, or a point in space.
 */
#ifndef TH_MODEL_STEERING_STEER_H
#define TH_MODEL_STEERING_STEER_H

#include "geometry/vector.h"
#include "model/steering/people.h"
#include "throng/model.h"
#include "throng/model/steering.h"

#define TH_STEER_MEMORY 20    /* velocities of a leader */
#define TH_STEER_STANDS 0.05f /* [m/s]: slower is standing */
#define TH_STEER_CAP 20.0f    /* [m/s]: no force is larger */
#define TH_STEER_SMALL 0.3f   /* of the wanted speed: smaller forces are added but not counted */
#define TH_STEER_NEAR 0.8f    /* [m]: a follower is at its place */
#define TH_STEER_RAISED 0.8f  /* of the wanted speed: up to it slow agents are raised */

/* Rays: ahead, 15 or 30 degrees to the left and right, to the left and right. */
enum { TH_RAY_FRONT, TH_RAY_OBLIQUE_LEFT, TH_RAY_OBLIQUE_RIGHT, TH_RAY_LEFT, TH_RAY_RIGHT, TH_RAY_COUNT };

/* Which wall is followed. */
enum { TH_WALL_NONE, TH_WALL_LEFT, TH_WALL_RIGHT };

typedef struct th_steering_state {
  uint32_t decisions;             /* so far */
  uint32_t path_guide, path_next; /* the path that is followed: its guide, the number of its next corner */
  float path_last;                /* distance to that corner at the last decision [m] */
  float wander;                   /* course of wander against the heading [rad] */
  uint8_t wall_side;              /* TH_WALL_... */
  uint8_t wall_lost;              /* decisions in a row without the wall */
  uint8_t leader_known;
  uint8_t memory_count, memory_next;
  uint8_t unused[3];
  th_vec3 leader_at;               /* where the leader was seen last */
  th_vec2 leader_v;                /* how it moved then, agent's frame [m/s] */
  th_vec2 leader_direction;        /* its last direction, unit vector, agent's frame */
  th_vec2 memory[TH_STEER_MEMORY]; /* its velocities, agent's frame; state_bytes leaves them out where none are kept */
} th_steering_state;

/* What sixteen agents sense, cast together. */
typedef struct th_steer_senses {
  th_rays obstacle[TH_RAY_COUNT], wall[TH_RAY_COUNT], ahead; /* ahead: of containment */
  uint32_t seen[TH_MAX_NEAREST];                             /* of th_view_visible */
  th_steer_crowd crowd;                                      /* forces of people avoidance */
} th_steer_senses;

/* One agent that decides. */
typedef struct th_steer_self {
  const th_work *work;
  const th_view *view;
  const th_steer_senses *senses;
  const th_steering_params *params;
  th_steering_state *state;
  uint32_t lane;
  th_vec2 at, v, h;        /* place, velocity (0, 0 while it stands), heading */
  float speed, walk, tick; /* |v|, wanted speed [m/s], time between decisions [s] */
  float a;                 /* weight of the previous velocity */
  float width;             /* free width to either side of the guide's path [m]; infinite where it does not matter */
} th_steer_self;

/* Scratch of one view. */
typedef struct th_steer_scratch {
  th_steer_self self[TH_VIEW_LANES];
  th_steer_senses senses;
} th_steer_scratch;

/* steering.c: the agent of a lane at the start of its decision. */
th_steer_self th_steer_look_at(const th_work *work, const th_steer_senses *senses, uint32_t lane);

/* free_width.c: the free width of the agent's path; and the length of rays, and a distance from others, that this width
 * allows [m]. */
#define TH_STEER_RAY_MIN 0.5f
#define TH_STEER_SIDE_MIN 0.5f
#define TH_STEER_DISTANCE_MIN 1.0f
float th_steer_free_width(const th_steer_self *self);
float th_steer_ray_ahead(const th_steer_self *self);
float th_steer_ray_aside(const th_steer_self *self);
float th_steer_distance(const th_steer_self *self, float distance);
float th_steer_pull(const th_steer_self *self, float force); /* of the target */

typedef void (*th_steer_run)(const th_steer_self *self, th_steering_force *out);

/* The steerings. */
void th_steer_obstacle(const th_steer_self *self, th_steering_force *out);
void th_steer_people(const th_steer_self *self, th_steering_force *out);
void th_steer_target(const th_steer_self *self, th_steering_force *out);
void th_steer_path(const th_steer_self *self, th_steering_force *out);
void th_steer_wall(const th_steer_self *self, th_steering_force *out);
void th_steer_leader(const th_steer_self *self, th_steering_force *out);
void th_steer_along(const th_steer_self *self, th_steering_force *out);

/* Parts that others use. */
float th_steer_power(float x, int32_t order); /* x^order by multiplication */
/* obstacle_avoidance.c: a push against the velocity, within 3 degrees, is turned half aside. `side`: 1 left, -1 right,
 * taken where the push is exactly opposite. */
th_vec2 th_steer_front_fix(const th_steer_self *self, th_vec2 push, float side);
/* target_approaching.c: the target of this agent; false when there is none. */
bool th_steer_target_of(const th_steer_self *self, th_vec2 *target);
float th_steer_function(const th_vec3 *points, uint32_t count, float distance);
/* leader_following.c: the leader as it is seen, or was last; false when there is nothing to follow: then `out` says
 * what to do. */
typedef struct th_steer_leader_view {
  th_vec2 at, v;
  float distance;
  bool seen;
} th_steer_leader_view;
bool th_steer_find_leader(const th_steer_self *self, th_steering_force *out, th_steer_leader_view *leader);
/* leader_formation.c */
void th_steer_formation(const th_steer_self *self, const th_steer_leader_view *leader, th_steering_force *out);
/* obstacle_avoidance.c: 1 = left, -1 = right; one draw per decision for each use. */
float th_steer_side(const th_steer_self *self, uint32_t stream);

/* combine.c */
typedef struct th_steer_sum {
  th_vec2 sum, focus; /* weighted forces and previous velocity; sum of the foci */
  float k;            /* of the weights that count */
  uint32_t foci;
  bool faster, stopped;
} th_steer_sum;
typedef struct th_steer_result {
  th_vec2 velocity; /* [m/s] */
  th_vec2 look;     /* point that a standing agent turns to */
  bool looks;
  uint8_t gait; /* th_gait */
} th_steer_result;
float th_steer_weight(float speed, float walk);            /* of the previous velocity: 0, or 2 down to 1 */
float th_steer_scale(float speed, float walk, bool *runs); /* speed that is walked or run [m/s] */
th_steer_sum th_steer_combine_begin(const th_steer_self *self);
void th_steer_combine_add(const th_steer_self *self, th_steer_sum *sum, const th_steering_force *force, float weight);
th_steer_result th_steer_combine_finish(const th_steer_self *self, const th_steer_sum *sum);

/* senses.c and people_avoidance.c: for sixteen agents. */
void th_steer_sense(const th_work *work, const th_steer_self *self, th_steer_senses *senses);
void th_steer_sense_people(const th_work *work, const th_steer_self *self, th_steer_senses *senses);

/* ---------------------------------------------------------------- small vectors */

/* A unit vector to the left or right of the velocity; of the heading while the agent stands. */
static inline th_vec2 th_steer_beside(const th_steer_self *self, float side) {
  th_vec2 ahead = self->speed > 0.0f ? th_scaled2(self->v, 1.0f / self->speed) : self->h;
  return th_scaled2(th_left2(ahead), side);
}

/* The rotation vector: across the velocity and as long as it; a standing agent turns as fast as a walking one. */
static inline th_vec2 th_steer_rotation(const th_steer_self *self, float side) {
  return th_scaled2(th_steer_beside(self, side), self->speed > 0.0f ? self->speed : self->walk);
}

/* Slows down by the share q of the velocity; negative q speeds up. */
static inline th_vec2 th_steer_brake(const th_steer_self *self, float q) { return th_scaled2(self->v, -q * self->a); }

/* The force that alone leads to this velocity. */
static inline th_vec2 th_steer_exactly(const th_steer_self *self, th_vec2 wanted) {
  return th_minus2(th_scaled2(wanted, self->a + 1.0f), th_scaled2(self->v, self->a));
}

/* To and from the agent's own frame. */
static inline th_vec2 th_steer_inward(const th_steer_self *self, th_vec2 v) {
  return th_inward2(v, self->view->frame[self->lane]);
}
static inline th_vec2 th_steer_outward(const th_steer_self *self, th_vec2 v) {
  return th_outward2(v, self->view->frame[self->lane]);
}

#endif
