/* throng/metrics.h - numbers of a run. Part of throng_report.
 *
 * Metrics are collected step by step from th_agents, or afterwards from a recording; report.json holds one run or many
 * seeds.
 * Threads: any; calls on one set of metrics must not overlap.
 */
#ifndef THRONG_METRICS_H
#define THRONG_METRICS_H

#include "recording.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_metrics th_metrics;

/** Counts agents that cross the line from a to b; forwards means from its left side to its right. */
typedef struct th_measure_line {
  const char *name;
  th_vec2 a, b;
} th_measure_line;

/** Density [1/m2] and mean speed [m/s] of the agents inside. */
typedef struct th_measure_area {
  const char *name;
  const th_vec2 *point;
  uint32_t count;
} th_measure_area;

typedef struct th_metrics_def {
  th_env env;
  double dt;                   /* step [s] */
  const th_measure_line *line; /* copied */
  uint32_t line_count;
  const th_measure_area *area; /* copied */
  uint32_t area_count;
  const char *const *goal; /* names of goals, by index of their ids - 1, copied; NULL in between: of none */
  uint32_t goal_count;
  float contact;    /* bodies touch when they overlap by more than this part of r1 + r2, default 0.01 */
  float min_within; /* least distances are looked for up to here, body to body [m], default 2 */
  double sample;    /* time between samples of curves [s], default 1 */
} th_metrics_def;

TH_API th_metrics_def th_default_metrics_def(void);
TH_API th_result th_metrics_make(const th_metrics_def *def, th_metrics **metrics, th_error *error);
TH_API void th_metrics_free(th_metrics *metrics);

/** The walls from now on (th_ground_walls); call again after an edit. Without this call wall contacts are not
 *  detected. */
TH_API th_result th_metrics_walls(th_metrics *metrics, const th_segment *wall, uint32_t count, th_error *error);

/** Takes in the state after a step (and once before the first, with step 0). O(n). Allocates only when there are more
 *  agents than ever before. */
TH_API th_result th_metrics_step(th_metrics *metrics, uint64_t step, const th_agents *agents, const th_event *event,
                                 uint32_t event_count, th_error *error);

/** Metrics of a recording, as if it had been watched frame by frame. dt of the def is set from the recording. */
TH_API th_result th_metrics_of_tracks(const th_metrics_def *def, const th_tracks *tracks, th_metrics **metrics,
                                      th_error *error);

/** Writes the numbers so far, for th_recording_numbers; returns the bytes needed (call with NULL, 0 first). */
TH_API size_t th_metrics_save(const th_metrics *metrics, void *memory, size_t size);
/** The numbers that a run has saved in its recording, to the last bit, with the lines and areas that it measured:
 *  frames are rounded, and perhaps not all steps have one. They take in no further steps. TH_ERROR_STATE when the
 *  recording has none, because the run was killed or another program made it. */
TH_API th_result th_metrics_of_run(const th_env *env, const th_tracks *tracks, th_metrics **metrics, th_error *error);

/** The numbers that scene tests and `compare` read. Times in s, lengths in m. NAN where nothing was measured. */
typedef struct th_summary {
  uint32_t agents, arrived, lost;
  uint32_t stuck, queued; /* agents without progress for 10 s and nobody to wait for; agents in a queue that moves */
  uint32_t remaining;     /* agents that are still there at the end and have not arrived where they wanted to go */
  uint32_t displaced;     /* agents that stood where an edit put a wall and were moved; they did not walk there */
  uint32_t motionless;    /* of these, agents that walk by their state and have not moved 0.1 m for 60 s */
  double duration;        /* last step */
  double arrival_first, arrival_mean, arrival_last;
  double path_mean, speed_mean;                    /* distance walked; distance walked divided by time under way */
  double turning_mean;                             /* total absolute change of heading [rad] per agent */
  double jitter;                                   /* turning per metre walked [rad/m], whole crowd */
  double standing;                                 /* share of person-time under way below 0.1 m/s */
  double standing_turning;                         /* change of heading per second of it [rad/s] */
  double backwards;                                /* share of person-time against one's own heading, above 0.05 m/s */
  double acceleration;                             /* root mean square of changes of velocity [m/s2] */
  double min_distance;                             /* between bodies; negative: overlap */
  double worst_overlap;                            /* largest overlap as a part of r1 + r2; 0: none. Turned shoulders
                                                      make bodies narrower */
  double worst_full_overlap;                       /* the same of bodies of full radius */
  double narrowed;                                 /* share of person-time under way with shoulders turned */
  double narrowed_free;                            /* the same outside jams: of the time at 0.5 m/s and more */
  uint64_t contacts;                               /* pairs that began to touch */
  double contact_seconds;                          /* pair-seconds of touching */
  uint64_t wall_contacts;                          /* bodies that began to touch a wall */
  double wall_contact_seconds, worst_wall_overlap; /* as a part of the radius */
} th_summary;

TH_API th_summary th_metrics_summary(const th_metrics *metrics);

/** Where the motionless agents of the summary stand, up to `capacity` of them; returns how many there are. */
TH_API uint32_t th_metrics_motionless(const th_metrics *metrics, th_vec3 *point, uint32_t capacity);

/** When an agent arrived [s]; NAN: not yet, or unknown. Of th_metrics_of_tracks the agent of a track has its position +
 *  1 as index and generation 1. */
TH_API double th_metrics_arrival(const th_metrics *metrics, th_agent_id agent);

/** Who left by which: how many agents have arrived where they wanted to go at the goal of this name so far, and when
 * the first and the last of them did [s], NAN for none; false when there is no such goal. */
TH_API bool th_metrics_exit(const th_metrics *metrics, const char *name, uint32_t *arrived, double *first,
                            double *last);

/** Crossings of a measure line so far, by name; false when there is no such line. */
TH_API bool th_metrics_line(const th_metrics *metrics, const char *name, uint32_t *forwards, uint32_t *backwards,
                            double *flow);

/** The longest time between two crossings of a measure line that follow each other, in either direction [s]: how long
 *  a door stood still. NAN: fewer than two crossings, or no such line. */
TH_API double th_metrics_line_gap(const th_metrics *metrics, const char *name);

/** Time means in a measure area so far, by name. */
TH_API bool th_metrics_area(const th_metrics *metrics, const char *name, double *density, double *speed);
/** The highest density of a measure area in one step so far [1/m2], and when that step ended first [s]; by name. */
TH_API bool th_metrics_area_peak(const th_metrics *metrics, const char *name, double *density, double *time);
/** Agents in a measure area in the last step, by name. */
TH_API bool th_metrics_inside(const th_metrics *metrics, const char *name, double *people);

/** Sums over the decisions of the walking agents of a crowd in the steps that th_decisions_look was called for.
 *  Zero-initialise. */
typedef struct th_decisions {
  uint64_t steps, samples, paired;
  double neighbours; /* agents within reach; divide by `paired` */
  double deviation;  /* between the wanted and the advised direction [degrees]; divide by `samples` */
  double speed;      /* realised speed of the step before / wanted speed; divide by `samples` */
  double nearest;    /* smallest distance of two agents / sum of their radii; INFINITY: none within reach */
} th_decisions;

/** Adds the decisions of a step; to be called between th_world_advise and th_world_integrate. `reach` [m]: agents
 *  within it count as neighbours; 0: pairs are not counted. O(n). */
TH_API th_result th_decisions_look(th_decisions *sum, const th_world *world, float reach, th_error *error);

/** A log of a run as a CSV file, one line for every `every` seconds of the scene: agents, arrived, steps per second of
 *  real time, milliseconds of each phase per step, neighbours, deviation [degrees], realised by wanted speed, nearest
 *  pair by the sum of radii, mean arrival [s] and mean path [m] so far. Empty: nothing was measured. */
typedef struct th_run_log th_run_log;
typedef struct th_run_log_def {
  th_env env;
  const char *path; /* a file that is there is replaced */
  double every;     /* [s], above 0, default 1 */
  float reach;      /* agents within this distance count as neighbours [m] [0, 1000], default 2; 0: none are counted */
} th_run_log_def;

TH_API th_run_log_def th_default_run_log_def(void);
TH_API th_result th_run_log_make(const th_run_log_def *def, th_run_log **log, th_error *error);
TH_API void th_run_log_free(th_run_log *log);
/** Between th_world_advise (th_run_advise) and th_world_integrate. */
TH_API th_result th_run_log_advice(th_run_log *log, const th_world *world, th_error *error);
/** After the step, and after th_metrics_step; writes a line when one is due. */
TH_API th_result th_run_log_step(th_run_log *log, const th_world *world, const th_metrics *metrics, th_error *error);
/** At the end of a run: writes the line of an interval that is not over. */
TH_API th_result th_run_log_flush(th_run_log *log, const th_world *world, const th_metrics *metrics, th_error *error);

/** The other contents of report.json, besides the metrics. */
typedef struct th_report_def {
  th_env env;
  const char *scene, *model;    /* names, or NULL */
  const uint64_t *seed;         /* one per run */
  const th_metrics *const *run; /* one or more; several: mean, standard deviation and 95 % interval of each number */
  uint32_t run_count;
  double phase_seconds[TH_PHASE_COUNT]; /* th_world_profile, summed over runs; all zero: left out */
  double wall_seconds;                  /* real time of the whole run; 0: left out */
  uint64_t steps;                       /* summed over runs */
} th_report_def;

TH_API th_report_def th_default_report_def(void); /* of no run */

/** Writes report.json through `path`.part. */
TH_API th_result th_report_write(const th_report_def *def, const char *path, th_error *error);
/** The same document as text, to be released with th_text_free. */
TH_API th_result th_report_text(const th_report_def *def, char **text, th_error *error);

#define TH_MAX_DIFFERENCES 512

/** One number of two variants, each run over seeds. */
typedef struct th_difference {
  char name[160];    /* as in over_seeds of report.json */
  double mean[2];    /* of the runs that measured it; NAN: none did */
  uint32_t runs[2];  /* how many these are */
  double difference; /* of the means, the second less the first */
  double interval95; /* half width of its 95 % interval; NAN: fewer than two runs */
  double chance;     /* that equal variants differ as much; NAN: not tested, the same in all runs or too few runs */
  bool paired;       /* both variants have the same seeds, and runs of one seed were compared */
  bool differs;      /* with 5 % for all numbers together (Holm) */
} th_difference;

/** Compares all numbers that two report.json have, of two variants of a scene or of a program; `count` is how many. */
TH_API th_result th_report_differences(const char *before, const char *after, th_difference list[TH_MAX_DIFFERENCES],
                                       uint32_t *count, th_error *error);

#ifdef __cplusplus
}
#endif
#endif
