/* io/scene/events/events.h - what the rows of the vocabulary do. */
#ifndef TH_IO_SCENE_EVENTS_EVENTS_H
#define TH_IO_SCENE_EVENTS_EVENTS_H

#include "io/scene/read.h"
#include "io/scene/run.h"

typedef th_result (*th_act_linker)(th_scene_reader *reader, const th_scene *scene, th_scene_event *event);
typedef th_result (*th_act_doer)(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error);

/* One row of TH_ACTS. */
typedef struct th_act_row {
  const char *name;
  th_named of;        /* NAME: of what; else TH_NAMED_NONE */
  th_act_linker link; /* PART: resolves its names; else NULL */
  th_act_doer happen;
} th_act_row;

/* By th_scene_act; the first row is empty. */
extern const th_act_row th_act_rows[TH_ACT_COUNT];

/* The table of events, and the names of all acts, NULL-terminated. */
extern const th_table th_scene_event_table;

#define X(act, name, value, of, text)                                                                        \
  th_result th_act_##name(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error); \
  th_result th_act_link_##name(th_scene_reader *reader, const th_scene *scene, th_scene_event *event);
TH_ACTS(X)
#undef X

/* act_links.c: all names in an event. */
th_result th_act_link_event(th_scene_reader *reader, const th_scene *scene, th_scene_event *event);

/* The name of what an event makes, and its kind; NULL: it makes nothing that has a name. */
const char *th_act_made(const th_scene_event *event, th_named *kind);

/* whom.c: those who are meant, in the order of their ids (members of populations: of their numbers), in run->picked.
 * Nobody is no error, an agent that is not there is. */
th_result th_run_whom(th_run *run, const th_scene_whom *whom, th_error *error);
th_result th_run_whom_listed(th_run *run, const int32_t *agent, uint32_t count, th_error *error);
th_result th_run_whom_of(th_run *run, uint32_t population, th_error *error);

/* run/do.c: reads an event by hand and makes it happen; the log is the caller's. */
th_result th_run_do_read(th_run *run, const th_json_text *source, const json_t *root, th_run_answer *answer,
                         th_error *error);

/* A crowd of an event with its names resolved by what the run has now. */
th_result th_act_crowd_now(const th_run *run, const th_scene_crowd *crowd, th_scene_crowd *resolved, th_error *error);

#endif
