/* report/metrics/metrics.h - internals of the metrics of a run. */
#ifndef TH_REPORT_METRICS_METRICS_H
#define TH_REPORT_METRICS_METRICS_H

#include "throng/metrics.h"

/* One agent, from its first step to its last. */
typedef struct th_life {
  th_agent_id id;
  double entered, set_off, arrived, last_arrival; /* [s]; NAN: not yet */
  double path, turning, under_way;                /* [m], [rad], [s] */
  float x, y, hx, hy;
  float z;
  th_vec3 heading, normal;   /* mesh ground */
  th_vec3 velocity, upright; /* of the step before, and the normal there: motion.c */
  uint64_t seen;             /* step */
  th_vec3 rest;              /* it has not moved by 0.1 m from there: rest.c */
  double rest_since;         /* [s] */
  uint32_t goal;             /* index of that of its last arrival; 0: none */
  bool lost, stuck, queued, at_wall, walked, faces;
  bool displaced, carried; /* by an obstacle that was put where it stood: at some time; in this step */
  bool walks, bound;       /* in the step last seen; once had somewhere to go */
} th_life;

/* How one agent moves in a step. */
typedef struct th_moment {
  th_vec3 velocity, heading, normal; /* in space; flat ground: z = 0, the normal points upwards */
  double turned;                     /* in this step [rad] */
  bool walking;                      /* under way: neither before its time nor at a stop */
  bool narrowed;                     /* it has turned its shoulders */
} th_moment;

/* Sums over all agents and steps. */
typedef struct th_motion_sums {
  double seconds, standing, backwards;  /* person-seconds */
  double standing_turns;                /* [rad] */
  double squares, changes;              /* of accelerations [m2/s4], how many */
  double narrowed, free, narrowed_free; /* person-seconds; free: outside jams */
} th_motion_sums;

typedef struct th_line_crossing {
  double time;
  bool forwards;
} th_line_crossing;

typedef struct th_line_log {
  char name[48];
  th_vec2 a, b;
  th_line_crossing *crossing;
  uint32_t count, capacity;
} th_line_log;

typedef struct th_area_log {
  char name[48];
  th_vec2 *point;
  uint32_t count;
  double size;                                  /* [m2] */
  double now;                                   /* people in the last step */
  double most, most_time;                       /* people at most, and when first [s] */
  double density_sum, speed_sum, steps, people; /* people: person-steps */
  double *density, *speed;                      /* sampled with the curves */
  uint32_t density_capacity, speed_capacity;
} th_area_log;

/* A goal by its name. */
typedef struct th_exit_log {
  char name[48]; /* empty: it has none */
} th_exit_log;

/* Agents or walls sorted into square cells. */
typedef struct th_metrics_bins {
  double x0, y0, cell;
  uint32_t width, height;
  uint32_t *first, *item; /* items of cell c: item[first[c]] ... item[first[c + 1] - 1] */
  uint32_t first_capacity, item_capacity;
} th_metrics_bins;

typedef struct th_curve_point {
  double time;
  uint32_t present, arrived;
} th_curve_point;

struct th_metrics {
  th_env env;
  double dt, sample, time;
  float contact, min_within;
  uint64_t steps, step; /* how many were taken in; number of the last one */

  th_life *life;
  uint32_t life_count, life_capacity;
  uint32_t *known; /* by index of the agent's id: number of the life + 1 */
  uint32_t known_capacity;
  uint32_t *row_life; /* lives of the rows of this step */
  uint32_t row_life_capacity;
  uint32_t *event_life; /* by event of this step: number of the life + 1 */
  uint32_t event_life_capacity;

  float *seen_from_above; /* mesh ground: six columns of the agents of this step */
  uint32_t overhead_capacity;

  th_metrics_bins cells;
  uint64_t *pair, *pair_before; /* touching pairs of this step and of the one before, sorted */
  uint32_t pair_count, pair_capacity, pair_before_count, pair_before_capacity;
  double min_distance, worst_overlap, worst_full, contact_seconds; /* worst_full: of bodies of full radius */
  uint64_t contacts;

  th_segment *wall;
  uint32_t wall_count, wall_capacity;
  th_metrics_bins wall_cells;
  uint64_t wall_contacts;
  double wall_seconds, worst_wall;

  th_motion_sums motion;
  th_curve_point *curve;
  uint32_t curve_count, curve_capacity;
  th_line_log *line;
  th_area_log *area;
  th_exit_log *exit; /* by index of the goal - 1 */
  uint32_t line_count, area_count, exit_count, arrived;
};

/* Passes of one step. False: out of memory. */
bool th_metrics_near_pairs(th_metrics *metrics, const th_agents *agents);
bool th_metrics_wall_contacts(th_metrics *metrics, const th_agents *agents);
bool th_metrics_measure_crossing(th_metrics *metrics, const th_life *life, float x, float y);
bool th_metrics_measure_areas(th_metrics *metrics, const th_agents *agents, bool sample);

/* exits.c: copies the names of goals. */
bool th_metrics_exits_make(th_metrics *metrics, const th_metrics_def *def);

/* Mesh ground. `agents` with x, y, velocity and heading seen from above, in memory of the metrics; false: no memory. */
bool th_metrics_from_above(th_metrics *metrics, const th_agents *agents, th_agents *above);
/* Adds the distance and the turning of one step in space to a life, and stores its new position. */
void th_metrics_live_in_space(th_life *life, const th_points *space, uint32_t i, bool first);
/* A vector of the tangent plane with normal m, carried into the one with normal n. */
th_vec3 th_metrics_carry(th_vec3 h, th_vec3 m, th_vec3 n);
/* Notes where an agent is in this step, before `seen` is set; and whether it is still there at the end, not arrived. */
void th_metrics_rest(const th_metrics *metrics, th_life *life, th_vec3 point, uint8_t state);
bool th_metrics_remains(const th_metrics *metrics, const th_life *life);
/* Adds how an agent moves to the sums; and what they come to. */
void th_metrics_motion(th_metrics *metrics, th_life *life, const th_moment *now);
void th_metrics_motion_sum(const th_metrics *metrics, th_summary *sum);
/* Distance in space; INFINITY between bodies that stand on opposite sides of a sheet. */
double th_metrics_apart(const th_points *space, uint32_t i, uint32_t j);

/* Reserves `cells` and `items`; fills `first` with zeros. */
bool th_metrics_bins_reserve(const th_allocator *allocator, th_metrics_bins *cells, uint32_t items);
void th_metrics_bins_free(const th_allocator *allocator, th_metrics_bins *cells);
uint32_t th_metrics_bins_column(const th_metrics_bins *cells, double x);
uint32_t th_metrics_bins_row(const th_metrics_bins *cells, double y);

#endif
