/* apps/throng/validation/lab.h - published tests of crowds that `throng validate` runs, and what they measure.
 *
 * A test makes scenes as text, runs them for one model and several seeds, and notes readings: numbers of every seed,
 * with the band of a publication, with a band of our own, with both, or with neither, and then they are only reported.
 * The two are judged apart (verdict.h). Curves are drawn in figures. A scene names the model as "@model@" and nothing
 * else about it, so that the defaults of people are what is tested.
 */
#ifndef TH_APPS_VALIDATION_LAB_H
#define TH_APPS_VALIDATION_LAB_H

#include "report/metrics/metrics.h"
#include "run.h"
#include "validation/verdict.h"

enum {
  TH_VALID_SEEDS = 32, /* at most */
  TH_VALID_DEFAULT_SEEDS = 20,
  TH_VALID_VALUES = 5 * TH_VALID_SEEDS,
  TH_VALID_READINGS = 48,
  TH_VALID_CURVES = 4,
  TH_VALID_POINTS = 200
};

/* A number of every seed, or of several runs of each. */
typedef struct th_reading {
  char text[100], unit[12];
  double value[TH_VALID_VALUES];
  uint32_t count;
  th_band ours, published;
  char source[60]; /* of the published band */
  bool whole;      /* one number in which chance has no part, or all seeds together: it has no interval */
} th_reading;

typedef struct th_valid_curve {
  char figure[24], name[48];
  double x[TH_VALID_POINTS], y[TH_VALID_POINTS];
  uint32_t count;
} th_valid_curve;

typedef struct th_valid_lab {
  const th_options *options;
  const char *model, *folder;
  uint64_t seed_first;
  uint32_t seed_count;
  th_reading reading[TH_VALID_READINGS];
  uint32_t reading_count;
  th_valid_curve curve[TH_VALID_CURVES];
  uint32_t curve_count;
} th_valid_lab;

typedef struct th_valid_test {
  const char *id, *title;
  const char *published;                                /* set-up and band of the publication */
  th_result (*run)(th_valid_lab *lab, th_error *error); /* NULL: open */
  const char *open;                                     /* why it is open; NULL: it is not */
  bool quick;                                           /* takes a second or less: part of the test suite */
  const char *differs; /* in what our set-up is not that of the publication; NULL: nothing that we know */
} th_valid_test;

/* All of them, ended by an id of NULL. */
extern const th_valid_test th_valid_tests[];

/* Why a test does not hold for a model, as far as we know; NULL: we do not. */
const char *th_valid_reason(const char *test, const char *model);

/* ---------------------------------------------------------------- runs */

/* One run of a scene; `watch` is called once before the first step and after each. */
typedef struct th_trial {
  const char *text;
  uint64_t seed;
  double dt;       /* 0 = the scene's */
  double duration; /* 0 = the scene's */
  void (*watch)(void *user, th_run *run);
  void *user;
  th_metrics *metrics; /* of the run; freed by th_trial_end */
  th_summary sum;
} th_trial;

th_result th_trial_run(th_valid_lab *lab, th_trial *trial, th_error *error);
void th_trial_end(th_trial *trial);

/* A reading to be filled seed by seed, with our band (NAN, NAN: none); a full lab gives the last one again. */
th_reading *th_valid_reading(th_valid_lab *lab, const char *text, const char *unit, double min, double max);
/* Gives a reading the band of a publication, named in a few words, and returns it. */
th_reading *th_valid_published(th_reading *reading, double min, double max, const char *source);
/* The same where the publication has one number: TH_VALID_AROUND of it to either side. */
th_reading *th_valid_published_number(th_reading *reading, double value, const char *source);
#define TH_VALID_AROUND 0.05
void th_valid_note(th_reading *reading, double value);
/* Notes a number of all seeds together; the reading has no interval then. */
void th_valid_note_whole(th_reading *reading, double value);
/* Notes the differences a - b of the same seeds. */
void th_valid_note_pairs(th_reading *reading, const th_reading *a, const th_reading *b);
double th_reading_mean(const th_reading *reading);
th_interval th_reading_interval(const th_reading *reading);

/* A curve of a figure; NULL when the lab is full. */
th_valid_curve *th_valid_curve_of(th_valid_lab *lab, const char *figure, const char *name);
void th_valid_point(th_valid_curve *curve, double x, double y);

/* What every crowd must keep to, whatever the test: overlap, turning while standing, walking backwards, acceleration.
 */
typedef struct th_conduct {
  th_reading *overlap, *full, *narrowed, *turning, *backwards, *acceleration;
} th_conduct;
th_conduct th_conduct_of(th_valid_lab *lab);
void th_conduct_note(const th_conduct *conduct, const th_summary *sum);

/* Passing times of a line [s], in order; their number. */
const th_line_log *th_trial_line(const th_trial *trial, const char *name);
/* How many stand on the other side of a line in the end: who walks over it and back does not count. */
double th_trial_passed(const th_trial *trial, const char *name);
/* People who have arrived, over time: a curve of a figure. */
void th_trial_egress(th_valid_lab *lab, const th_trial *trial, const char *figure);
/* Time mean of the density in an area between two times [1/m2]; NAN: no sample. */
double th_trial_density(const th_trial *trial, const char *name, double from, double to);

/* One file a family. */
th_result th_valid_corridor(th_valid_lab *lab, th_error *error);
th_result th_valid_corridor_nist(th_valid_lab *lab, th_error *error);
th_result th_valid_stairs_up(th_valid_lab *lab, th_error *error);
th_result th_valid_stairs_down(th_valid_lab *lab, th_error *error);
th_result th_valid_long_stairs(th_valid_lab *lab, th_error *error);
th_result th_valid_premovement(th_valid_lab *lab, th_error *error);
th_result th_valid_premovement_kinds(th_valid_lab *lab, th_error *error);
th_result th_valid_corner(th_valid_lab *lab, th_error *error);
th_result th_valid_speeds(th_valid_lab *lab, th_error *error);
th_result th_valid_slow_one(th_valid_lab *lab, th_error *error);
th_result th_valid_friends(th_valid_lab *lab, th_error *error);
th_result th_valid_one_way(th_valid_lab *lab, th_error *error);
th_result th_valid_two_way(th_valid_lab *lab, th_error *error);
th_result th_valid_single_file(th_valid_lab *lab, th_error *error);
th_result th_valid_counterflow(th_valid_lab *lab, th_error *error);
th_result th_valid_counterflow_hills(th_valid_lab *lab, th_error *error);
th_result th_valid_meeting(th_valid_lab *lab, th_error *error);
th_result th_valid_time_step(th_valid_lab *lab, th_error *error);
th_result th_valid_door(th_valid_lab *lab, th_error *error);
th_result th_valid_door_hills(th_valid_lab *lab, th_error *error);
th_result th_valid_bottlenecks(th_valid_lab *lab, th_error *error);
th_result th_valid_long_bottleneck(th_valid_lab *lab, th_error *error);
th_result th_valid_goal_behind(th_valid_lab *lab, th_error *error);
th_result th_valid_two_bottlenecks(th_valid_lab *lab, th_error *error);
th_result th_valid_room(th_valid_lab *lab, th_error *error);
th_result th_valid_rooms(th_valid_lab *lab, th_error *error);
th_result th_valid_exit_closes(th_valid_lab *lab, th_error *error);
th_result th_valid_exit_closes_hills(th_valid_lab *lab, th_error *error);
th_result th_valid_corner_crowd(th_valid_lab *lab, th_error *error);
th_result th_valid_stairs_crowd(th_valid_lab *lab, th_error *error);
th_result th_valid_house(th_valid_lab *lab, th_error *error);
th_result th_valid_stairs_or_level(th_valid_lab *lab, th_error *error);
th_result th_valid_speeds_nist(th_valid_lab *lab, th_error *error);
th_result th_valid_congestion(th_valid_lab *lab, th_error *error);
th_result th_valid_stop_and_go(th_valid_lab *lab, th_error *error);
th_result th_valid_head_on(th_valid_lab *lab, th_error *error);
th_result th_valid_overtaking(th_valid_lab *lab, th_error *error);
th_result th_valid_corner_alone(th_valid_lab *lab, th_error *error);
th_result th_valid_waiting(th_valid_lab *lab, th_error *error);
th_result th_valid_wide_doors(th_valid_lab *lab, th_error *error);
th_result th_valid_crossing(th_valid_lab *lab, th_error *error);
th_result th_valid_rasters(th_valid_lab *lab, th_error *error);
th_result th_valid_two_exits(th_valid_lab *lab, th_error *error);
th_result th_valid_social_influence(th_valid_lab *lab, th_error *error);
th_result th_valid_familiar_exits(th_valid_lab *lab, th_error *error);
th_result th_valid_lift(th_valid_lab *lab, th_error *error);

#endif
