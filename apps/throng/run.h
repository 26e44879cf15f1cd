/* apps/throng/run.h - one call of `throng run`. */
#ifndef TH_APPS_RUN_H
#define TH_APPS_RUN_H

#include <jansson.h>

#include "cli.h"
#include "io/recording/space.h"
#include "throng/run.h"

typedef struct th_episode {
  json_t *marks; /* NULL: not wanted, or no memory */
} th_episode;

typedef struct th_session {
  const th_options *options;
  const th_scene *scene;
  const char *folder; /* where the files go */
  bool started;       /* the world of a seed was made */
  bool figures;       /* are made */
  th_run *run;
  th_recording *recording; /* NULL when this seed is not recorded */
  th_metrics *metrics;     /* of the seed that runs */
  th_run_log *log;         /* NULL when this seed is not logged */
  uint32_t version;        /* of the ground whose walls the metrics know */
  uint64_t *seed;
  th_metrics **all;  /* of the seeds that have run */
  th_group_fit *fit; /* of these at their ends, the scene's groups one after the other */
  uint32_t seed_count, run_count;
  double phase_seconds[TH_PHASE_COUNT], wall_seconds;
  uint64_t steps, hash;
  th_space space;
  th_findings findings;                   /* of the first seed; overlaps of all */
  bool looked;                            /* for agents without a path */
  th_episode episode;                     /* of the first seed */
  void (*watch)(void *user, th_run *run); /* called before the first step and after each; NULL = nobody watches */
  void *watch_user;
} th_session;

/* interactive.c: drives a run by lines of JSON; an exit code. */
int th_interactive(const th_options *options, const th_scene *scene);

/* episode.c: events of --do that are due before the next step; hashes of a run; the episode as a file. */
th_result th_episode_do(const th_options *options, th_run *run, th_error *error);
bool th_episode_more(const th_options *options, th_run *run); /* some are still to come */
th_result th_episode_check(const th_options *options, th_error *error);
enum { TH_EPISODE_EVERY = 100 }; /* steps between marks */
void th_episode_mark(th_episode *episode, th_run *run, bool end);
th_result th_episode_write(const th_episode *episode, const th_run *run, const char *path, th_error *error);

th_result th_session_seed(th_session *session, uint64_t seed, const char *recording, th_error *error);

/* Starts the recording of the session's run. */
th_result th_session_record(th_session *session, const char *path, th_error *error);
/* figure.png and figure.svg from the recording. */
th_result th_session_figures(const th_session *session, const char *recording, const char *folder, th_error *error);
/* report.json, and what is printed; an exit code. */
int th_session_report(const th_session *session, const char *folder);

#endif
