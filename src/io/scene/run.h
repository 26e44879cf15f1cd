/* io/scene/run.h - the internals of a run. */
#ifndef TH_IO_SCENE_RUN_H
#define TH_IO_SCENE_RUN_H

#include "base/ids.h"
#include "io/scene/world.h"
#include "throng/group.h"
#include "throng/run.h"

/* One agent of a population. */
typedef struct th_run_member {
  th_agent_id id;
  uint32_t population;
} th_run_member;

/* Something with a name. Those of the scene come first, in its order. */
typedef struct th_run_item {
  const char *name;          /* of the scene, or in the run's memory; NULL = none */
  th_id id;                  /* goals, choices, guides, sources, groups */
  const th_scene_area *area; /* of a door that an event made; NULL = one of the ground */
  bool closed;               /* such a door */
  bool gone;                 /* removed */
} th_run_item;

typedef struct th_run_list {
  th_run_item *item;
  uint32_t count, capacity;
} th_run_list;

/* What was done by hand, and before which step. */
typedef struct th_run_entry {
  uint64_t step;
  char *text; /* compact JSON */
} th_run_entry;

/* A snapshot that is kept, and the step at whose beginning it was taken. */
typedef struct th_run_kept {
  uint64_t step;
  uint8_t *bytes;
  size_t size;
} th_run_kept;

struct th_run {
  th_env env;
  const th_scene *scene;
  th_ground *ground; /* version 1 */
  th_world *world;
  th_run_list list[TH_NAMED_KINDS];
  th_run_member *member;
  uint32_t member_count, member_capacity;
  uint32_t *owner; /* member by the index of its id, TH_NO_INDEX = none */
  uint32_t owner_count;
  th_agent_id *picked; /* whom the last event meant */
  uint32_t picked_count, picked_capacity;
  uint32_t next_step_event, next_event; /* in scene->event */
  bool begun;                           /* its first step */
  uint64_t busy_until;                  /* step: the last events take effect from then on */
  uint64_t seed;
  float duration;

  struct th_scene_memory *memory; /* of names and of what guides point to: lives as long as the run */
  th_vec3 *accepted;              /* where the host moves all agents in the next step; NULL = it does not */
  uint32_t accepted_count;

  th_run_entry *log;
  uint32_t log_count, log_capacity, log_done;

  th_run_kept *kept; /* by step */
  uint32_t kept_count, kept_capacity;
  uint64_t kept_bytes, history; /* in all, and at most */
  uint64_t looked_at;           /* step + 1 for which it was decided whether to keep one */
};

/* Refuses populations that cannot fit into their regions, before memory is taken for them. */
th_result th_run_check_fit(const th_run *run, th_error *error);
th_result th_run_populate(th_run *run, th_error *error);
th_result th_run_add_sources(th_run *run, th_error *error);

/* crowd.c: agents of a population, to be added behind those that are there; and a source. */
typedef struct th_run_crowd {
  const th_scene_population *population; /* with its names resolved */
  uint32_t number;                       /* of the population */
  uint64_t seed;                         /* of the places */
  const char *where;                     /* JSON pointer */
} th_run_crowd;
/* The def of a crowd's agents, but for their draws, place and link; and what a change of a crowd gives, into a def. */
th_agent_def th_run_crowd_def(const th_run *run, const th_scene_crowd *crowd);
void th_run_crowd_change(const th_run *run, const th_scene_crowd *crowd, th_agent_def *def);
uint32_t th_run_crowd_size(const th_scene_population *population);
th_result th_run_crowd_add(th_run *run, const th_run_crowd *crowd, uint32_t count, th_error *error);
th_result th_run_make_source(th_run *run, const th_scene_source *from, th_source_id *id, th_error *error);

/* friends.c: friends among the members of a population, of which the first is `first`. */
th_result th_run_friends(th_run *run, const th_scene_population *population, uint32_t first, th_error *error);

/* Gives a def the links that its crowd names; `own` is the agent itself, which is no link of its own. */
void th_run_link(const th_run *run, const th_scene_crowd *crowd, th_agent_id own, th_agent_def *def);

/* choices.c: a choice with the goals that its options name, by their indices in the run's list; those of the scene. */
th_choice_def th_run_choices_def(const th_run *run, const th_scene_choice *choice);
th_result th_run_choices_add(th_run *run, th_error *error);

/* groups.c: the groups of the scene, once its agents are there. */
th_result th_run_group(th_run *run, th_error *error);
/* Makes a group, or gives the one that exists these members and this shape. */
th_result th_run_regroup(th_run *run, const th_scene_group *group, th_group_id *id, th_error *error);

/* run/trace.c: what the scene says about traces. */
th_result th_run_trace_scene(th_run *run, th_error *error);

/* run/names.c: what has names. The last thing of a kind that has the name and is not gone, or TH_NO_INDEX; the index of
 * a new one; ids of things by their index. */
uint32_t th_run_named(const th_run *run, th_named kind, const char *name);
th_result th_run_names_make(th_run *run, th_error *error);
/* No such thing is there now: "expected the name of a door that is there, found ...". */
th_result th_run_names_fail(th_error *error, const char *what, const char *name);
bool th_run_names_reserve(th_run *run, th_named kind, const char *name, const char **own);
uint32_t th_run_names_add(th_run *run, th_named kind, const char *own, th_id id);
void th_run_names_free(th_run *run);
th_goal_id th_run_goal_at(const th_run *run, uint32_t index);
th_choice_id th_run_choice_at(const th_run *run, uint32_t index);
th_guide_id th_run_guide_at(const th_run *run, uint32_t index);
th_group_id th_run_group_at(const th_run *run, uint32_t index);
th_source_id th_run_source_at(const th_run *run, uint32_t index);

/* run/members.c: members of populations. */
bool th_run_members_reserve(th_run *run, uint32_t more);
th_result th_run_members_own(th_run *run, th_error *error); /* finds members by their ids */
void th_run_members_free(th_run *run);

/* events.c: applies every event that is due before the next step, of the scene and of the log. */
th_result th_run_events(th_run *run, th_error *error);
/* Applies one event; an error names no position. */
th_result th_run_event_happen(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error);

/* run/in_force.c: what timing decided in a run in real time: what the scene says; forgetting what is to come; what an
 * episode of now says, NULL without memory, `count` entries. */
th_result th_run_in_force_follow(th_run *run, th_error *error);
void th_run_in_force_cut(th_run *run);
th_scene_in_force *th_run_in_force_list(const th_run *run, uint32_t *count);

/* run/log.c */
th_result th_run_log_replay(th_run *run, th_error *error); /* the entries to come that are due */
bool th_run_log_reserve(th_run *run);                      /* for one more */
void th_run_log_add(th_run *run, char *text);              /* takes the text over; it has happened */
void th_run_log_drop(th_run *run);

/* run/keep.c: at the beginning of a step, keeps a snapshot where one is due. */
void th_run_keep(th_run *run);
void th_run_keep_free(th_run *run);
void th_run_keep_cut(th_run *run); /* drops those of later steps */

#endif
