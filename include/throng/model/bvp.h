/* throng/model/bvp.h - the model `bvp`: each agent solves a small boundary value problem around itself.
 *
 * At every decision an agent draws walls and other agents into a square map of n x n cells around itself, opens a goal
 * in the map's border where its guide leads, relaxes  laplace u + eps v . grad u = 0  for some sweeps and climbs
 * the gradient of u at the centre. The vector v and its strength are personal and follow from a behaviour, so different
 * agents walk the same route differently (Dapper, "Pedestrian motion planning using potential fields", 2007). Threads:
 * any.
 */
#ifndef THRONG_MODEL_BVP_H
#define THRONG_MODEL_BVP_H

#include "../base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_model th_model; /* model.h */
typedef struct th_link th_link;   /* view.h */

/** How v comes about at each decision. */
typedef enum th_bvp_kind {
  TH_BVP_CONSTANT,        /* v as given */
  TH_BVP_HARMONIC,        /* no v: keeps to the middle of free space */
  TH_BVP_SINUSOID,        /* (1, sin wt) */
  TH_BVP_DOUBLE_SINUSOID, /* (1, sin wt + sin wt/2): the drunk walker */
  TH_BVP_CROSS_SINUSOID,  /* (sin wt, 1) */
  TH_BVP_TOWARD,          /* unit vector to a link; along the guide when there is no such link */
  TH_BVP_ACROSS,          /* the same turned by 90 degrees, to the left or to the right */
  TH_BVP_RANDOM,          /* components at random in -1 to 1, held for a random time */
  TH_BVP_USER             /* the host's `choose` */
} th_bvp_kind;

typedef enum th_bvp_axes { TH_BVP_AXES_GROUND, TH_BVP_AXES_FLOW } th_bvp_axes;
typedef enum th_bvp_hand { TH_BVP_LEFT, TH_BVP_RIGHT } th_bvp_hand;

/** A behaviour and its numbers. */
typedef struct th_bvp_behaviour {
  int32_t kind;             /* th_bvp_kind */
  th_vec2 v;                /* for `constant` */
  float strength;           /* eps / cell [1/m] [-20, 20]: how much v counts, whatever the size of cells */
  int32_t axes;             /* th_bvp_axes: v lies in the agent's frame, or x runs along the guide's direction */
  float wave;               /* of sinusoids: length of a period [s] (0, 1e4] */
  int32_t link;             /* of `toward` and `across`: which of the agent's links [0, 7] */
  int32_t hand;             /* of `across`: th_bvp_hand */
  float hold_min, hold_max; /* of `random` [s] [0, 1e4] */
} th_bvp_behaviour;

/** Which behaviour is in force: the one on sight while the trigger fires; else the first, from later_after on the
 *  later. */
typedef enum th_bvp_slot { TH_BVP_FIRST, TH_BVP_SIGHT, TH_BVP_LATER, TH_BVP_SLOTS } th_bvp_slot;

typedef enum th_bvp_trigger {
  TH_BVP_NEVER,  /* one behaviour only */
  TH_BVP_AHEAD,  /* an agent is ahead within `sight` */
  TH_BVP_CROWD,  /* at least `crowd` are ahead within `sight` */
  TH_BVP_LINKED, /* the link of the behaviour on sight is seen */
  TH_BVP_TOLD    /* the host's `criterion` */
} th_bvp_trigger;

typedef enum th_bvp_motion {
  TH_BVP_GRADIENT, /* D1: heads up the slope g at once */
  TH_BVP_MEAN,     /* D2: d' = |d + g| */
  TH_BVP_MASS,     /* D3: d' = |mass d + g| */
  TH_BVP_BLEND,    /* D4: d' = |eta d + (1 - eta) g| */
  TH_BVP_ANGLE     /* D4 on angles, along the shorter arc */
} th_bvp_motion;

typedef enum th_bvp_speed {
  TH_BVP_TABLE,   /* by the cosine between slope and heading, from the table */
  TH_BVP_COSINE,  /* that cosine, 0 when it is negative */
  TH_BVP_MODULUS, /* min(1, modulus of the slope / reference) */
  TH_BVP_STEADY   /* always full speed */
} th_bvp_speed;

typedef enum th_bvp_perception { TH_BVP_SQUARE, TH_BVP_CONE } th_bvp_perception;
typedef enum th_bvp_local_goal { TH_BVP_GOAL_ALWAYS, TH_BVP_GOAL_UNLESS_INSIDE } th_bvp_local_goal;
typedef enum th_bvp_start { TH_BVP_COLD, TH_BVP_WARM } th_bvp_start;
typedef enum th_bvp_order { TH_BVP_ALTERNATING, TH_BVP_FIXED } th_bvp_order;
typedef enum th_bvp_others { TH_BVP_OTHERS_CLOSING, TH_BVP_OTHERS_ALL } th_bvp_others;
typedef enum th_bvp_flat { TH_BVP_FLAT_GUIDE, TH_BVP_FLAT_STAY } th_bvp_flat;

/** What the host's callbacks get. All vectors are in the agent's frame. */
typedef struct th_bvp_moment {
  uint32_t agent;      /* index of its id */
  uint32_t decision;   /* how many it has made before */
  float time;          /* duration of those [s] */
  th_vec2 place;       /* chart coordinates [m] */
  th_vec2 heading;     /* of its last decision */
  th_vec2 flow;        /* unit vector along the guide */
  uint32_t ahead;      /* agents ahead within `sight` */
  float nearest;       /* distance to the nearest of them [m], INFINITY when there is none */
  const th_link *link; /* TH_MAX_LINKS of them */
} th_bvp_moment;

#define TH_BVP_TABLE_STEPS 6

typedef struct th_bvp_params {
  int32_t n;          /* cells per side, odd [5, 63], default 15 */
  int32_t sweeps;     /* per decision [1, 1000], default 30; th_bvp_sweeps(n) for larger maps */
  float cell;         /* [m] [0.01, 100], default 0.4; at most the size of the ground */
  int32_t free_ring;  /* cells inside the border that nothing blocks [0, 5], default 1 */
  int32_t goal_width; /* border cells of the local goal [1, 15], default 3 */
  int32_t perception; /* th_bvp_perception, default square */
  float cone;         /* full angle of the view cone [rad] [0.01, 6.2832], default 2.0944 */
  int32_t local_goal; /* th_bvp_local_goal, default always */
  int32_t start;      /* th_bvp_start, default cold */
  int32_t order;      /* th_bvp_order, default alternating */
  int32_t precision;  /* th_precision, default float */
  int32_t sense;      /* th_sense, default pull */
  int32_t flat;       /* th_bvp_flat: without a slope follow the guide or stay, default guide */
  float period;       /* time between decisions [s] [0.001, 10], default 0.5 */
  int32_t others;     /* th_bvp_others, default closing */
  float foresight;    /* others are drawn where they will be after this time [s] [0, 5], default 0.4 */
  int32_t trigger;    /* th_bvp_trigger, default never */
  float sight;        /* [m] [0, 50], default 4 */
  int32_t crowd;      /* agents [1, 1000], default 3 */
  float later_after;  /* time until the later behaviour [s] [0, 1e9], default 1e9 */
  int32_t motion;     /* th_bvp_motion, default mass */
  int32_t speed_rule; /* th_bvp_speed, default table */
  float mass;         /* weight of the previous heading [0, 1e4], default 1.5 */
  float eta;          /* [0, 1), default 0.5 */
  float reference;    /* modulus of full speed [0, 1]; 0, the default = that of an empty map */
  float table_below[TH_BVP_TABLE_STEPS - 1]; /* ascending cosines [-1, 1] */
  float table_speed[TH_BVP_TABLE_STEPS];     /* share of the speed below each, then above all [0, 1] */
  th_bvp_behaviour behaviour[TH_BVP_SLOTS];
  /* The host's: not in scenes; may be called from several threads at once. */
  void (*choose)(void *user, const th_bvp_moment *moment, th_vec2 *v, float *strength);
  bool (*criterion)(void *user, const th_bvp_moment *moment);
  void *user;
} th_bvp_params;

/** Defaults for maps of n x n cells, with as many sweeps as they need. */
TH_API th_bvp_params th_default_bvp_params(int32_t n);

/** Sweeps that maps of n x n cells need: 30 up to 17, 100 at 35, in proportion between and beyond. Any thread. */
TH_API int32_t th_bvp_sweeps(int32_t n);

TH_API extern const th_model th_model_bvp;

#ifdef __cplusplus
}
#endif
#endif
