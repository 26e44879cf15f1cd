/* lab/bvp/lab.h - small worlds for the experiments with the model bvp, and measures of their
 * results.
 *
 * One metre is one cell of the thesis' grids and one step is half a second, so that a step size s is a speed 2 s.
 */
#ifndef TH_LAB_BVP_LAB_H
#define TH_LAB_BVP_LAB_H

#include <math.h>

#include "lab/table.h"
#include "throng/figure.h"
#include "throng/guide.h"
#include "throng/model/bvp.h"
#include "throng/published/relax.h"

enum { TH_BVP_MAX_GOALS = 8 };

typedef struct th_bvp_walker {
  float x, y, hx, hy;             /* heading 0, 0 = along the guide */
  float radius, step;             /* step in cells; 0 = an agent that stands */
  uint8_t goal[TH_BVP_MAX_GOALS]; /* to visit in order */
  uint32_t goal_count;
  uint32_t link; /* 1 + the walker that its link 0 names, 0 = none */
  bool by_field; /* follows the field of its goal although the trial has a guide */
  bool to_point; /* its link 0 is a point instead */
  th_vec2 point;
  th_bvp_params params;
} th_bvp_walker;

typedef struct th_bvp_trial {
  float width, height; /* of the thesis' grid; its outermost cells are wall */
  const th_polygon *obstacle;
  uint32_t obstacle_count;
  const th_shape *goal;
  uint32_t goal_count;
  const th_bvp_walker *walker;
  uint32_t walker_count;
  uint32_t steps;        /* at most */
  bool alone;            /* walkers do not see each other: as many runs with one walker each */
  bool sequential;       /* one after the other decides and moves, as in the thesis; else all from the same state */
  const th_guide *guide; /* for those that walk; NULL = the field of the goal */
  const void *guide_params;
  struct th_bvp_window *window; /* takes the local map of walker 0; NULL = not wanted */
  uint32_t window_step;         /* after this step; 0 = after the last one */
} th_bvp_trial;

typedef struct th_bvp_run {
  th_tracks tracks;  /* one per walker, in the order of the trial; frame = step, from the first decision on */
  uint32_t *arrived; /* step at which it came to its last goal; 0 = it did not */
  uint32_t walkers;
  uint32_t steps;           /* that were run */
  uint64_t wall_contacts;   /* steps in which a wall stopped or turned a body */
  double seconds;           /* of processor time in all steps */
  th_explored begun, ended; /* what explorers knew after the first step, and in the end */
  th_vec2 corner[4];        /* of the walkable rectangle */
} th_bvp_run;

/* Model and motion as the thesis has them: n x n cells of one metre, cold start at p = 1, alternating sweeps, double.
 */
th_bvp_params th_bvp_thesis_params(int32_t n);
/* The same with a constant behaviour. */
th_bvp_params th_bvp_constant_params(int32_t n, float vx, float vy, float eps);
/* A walker at the start of the standard corridor (80 x 21, goal cells x = 76, y = 9 to 11). */
th_bvp_walker th_bvp_corridor_walker(th_bvp_params params);
/* An agent that stands there all the time. */
th_bvp_walker th_bvp_stander(float x, float y, float radius);
/* The standard corridor with these walkers. */
th_bvp_trial th_bvp_corridor(const th_bvp_walker *walker, uint32_t count, uint32_t steps);

/* A log that lets only faults through: some experiments exceed |eps v| = 2 on purpose. */
void th_bvp_hush(void *user, th_log_level level, const char *text);

/* Runs a trial until no agent is under way or its steps are over. */
th_result th_bvp_try(const th_bvp_trial *trial, th_bvp_run *run, th_error *error);
void th_bvp_run_free(th_bvp_run *run);

/* ---------------------------------------------------------------- measures (measure.c) */

/* y where a walker first crosses x, between two samples; NAN when it never does. */
double th_bvp_y_at(const th_bvp_run *run, uint32_t walker, double x);
double th_bvp_turning(const th_bvp_run *run, uint32_t walker); /* sum of |change of heading| [rad] */
double th_bvp_length(const th_bvp_run *run, uint32_t walker);
uint32_t th_bvp_stops(const th_bvp_run *run, uint32_t walker); /* steps without motion while under way */
/* Least distance between the centres of two walkers while both are there; INFINITY when they never are. */
double th_bvp_min(const th_bvp_run *run, uint32_t a, uint32_t b);
/* Least distance between the bodies of any two; negative when they overlap. */
double th_bvp_min_gap(const th_bvp_run *run);
uint32_t th_bvp_overlaps(const th_bvp_run *run); /* pairs and steps in which bodies overlap */
uint32_t th_bvp_arrived(const th_bvp_run *run);  /* how many of those that walk */
/* Mean and greatest distance between the paths of walker a of one run and b of another, at equal steps. */
double th_bvp_apart(const th_bvp_run *one, uint32_t a, const th_bvp_run *other, uint32_t b, double *max);

/* ---------------------------------------------------------------- figures (figure.c) */

typedef struct th_bvp_panel {
  const th_bvp_run *run;
  const char *title;
  const th_bvp_trial *trial;
} th_bvp_panel;

/* Paths of up to four runs side by side, as the figure of the lab's experiment. */
th_result th_bvp_draw(th_lab *lab, const th_bvp_panel *panel, uint32_t count, const char *title, th_error *error);

/* Fields on a grid of cells, for figures: log10 of u and the descent of p. */
typedef struct th_relaxation th_relaxation;
th_result th_bvp_draw_fields(th_lab *lab, const th_relaxation *const *field, const char *const *name, uint32_t count,
                             const char *title, th_error *error);

/* Curves over the number of agents, as an SVG file: y[k] for x[k], one line per name. */
typedef struct th_bvp_curves {
  const char *title, *x_label, *y_label;
  const double *x, *y[4];
  const char *name[4];
  uint32_t count, lines;
} th_bvp_curves;
th_result th_bvp_draw_curves(th_lab *lab, const th_bvp_curves *curves, th_error *error);

#endif
