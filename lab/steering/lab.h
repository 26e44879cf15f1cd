/* lab/steering/lab.h - scenes of the steering library, run again and measured.
 *
 * Lengths are centimetres and y points to the right, as in the publication; a tick is a decision, 0.25 s.
 */
#ifndef TH_LAB_STEERING_LAB_H
#define TH_LAB_STEERING_LAB_H

#include <math.h>

#include "lab/table.h"

enum { TH_STEER_AGENTS = 8, TH_STEER_TICKS = 1300 };

/* A run of a scene: where everybody was at each tick, and when it arrived. */
typedef struct th_steer_run {
  uint32_t agents, ticks; /* entries of `at` are 0 to ticks */
  double at[TH_STEER_AGENTS][TH_STEER_TICKS + 1][2];
  double look[TH_STEER_AGENTS][TH_STEER_TICKS + 1][2]; /* heading */
  double clear[TH_STEER_AGENTS];                       /* least distance of its centre from a wall */
  uint32_t arrived[TH_STEER_AGENTS];                   /* tick; 0 = it did not */
} th_steer_run;

/* Runs a scene of scenes/steering by name with another seed (0: its own); with `figure`, draws it to folder/id.png of
 * the lab. */
th_result th_steer_scene_run(th_lab *lab, const char *name, uint64_t seed, bool figure, th_steer_run *run,
                             th_error *error);

/* Runs several, the figure of number `shown`; *runs must be freed whatever is returned. */
th_result th_steer_scenes_run(th_lab *lab, const char *const *name, uint32_t count, uint32_t shown, th_steer_run **runs,
                              th_error *error);

/* ---------------------------------------------------------------- measures */

double th_steer_apart(const th_steer_run *run, uint32_t a, uint32_t b, uint32_t tick);
double th_steer_least(const th_steer_run *run); /* distance of any two, at any tick */
/* Of the track at a tick [degrees], right positive; 0 where it hardly moves. */
double th_steer_turn(const th_steer_run *run, uint32_t agent, uint32_t tick);
double th_steer_turning(const th_steer_run *run, uint32_t agent);                 /* total [degrees] */
double th_steer_sharpest(const th_steer_run *run, uint32_t agent, uint32_t from); /* most in one tick [degrees] */
double th_steer_length(const th_steer_run *run, uint32_t agent);
double th_steer_speed(const th_steer_run *run, uint32_t agent, uint32_t tick);     /* [cm/s] */
uint32_t th_steer_arrived(const th_steer_run *run);                                /* how many */
uint32_t th_steer_last(const th_steer_run *run);                                   /* tick of the last arrival */
double th_steer_most(const th_steer_run *run, uint32_t agent, int axis, bool low); /* extreme coordinate */
/* Changes of the turning side or of speed between one tick and the next, there and back again, per tick: 1 would be a
 * flip in every tick. Turns below 5 degrees and changes below 10 cm/s do not count. */
double th_steer_flips(const th_steer_run *run, uint32_t agent, uint32_t from, uint32_t to);

/* ---------------------------------------------------------------- claims */

/* A body of 25 cm whose centre comes nearer to a wall has touched it: walls are solid and stop it a millimetre off. */
#define TH_STEER_CLEAR 25.5

/* A number with its band. `earlier`: what the specification's own check simulation found, NAN = nothing; `reason`: why
 * it is pinned outside, or NULL. */
#define TH_STEER_CLAIM(lab, what, in, number, low, high, before, why) \
  th_lab_claim(lab, &(th_claim){.text = (what),                       \
                                .unit = (in),                         \
                                .value = (number),                    \
                                .min = (low),                         \
                                .max = (high),                        \
                                .thesis = NAN,                        \
                                .earlier = (before),                  \
                                .reason = (why)})

#endif
