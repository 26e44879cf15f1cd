/* io/scene/run.h - the internals of a run. */
#ifndef TH_IO_SCENE_RUN_H
#define TH_IO_SCENE_RUN_H

#include "io/scene/world.h"
#include "throng/group.h"

/* One agent of a population. */
typedef struct th_run_member {
  th_agent_id id;
  uint32_t population;
} th_run_member;

struct th_run {
  th_env env;
  const th_scene *scene;
  th_ground *ground; /* version 1 */
  th_world *world;
  th_goal_id *goal;   /* one per goal of the scene */
  th_guide_id *guide; /* one per guide */
  th_source_id *source;
  th_group_id *group; /* one per group of the scene, and one per event, which may make one */
  th_run_member *member;
  uint32_t member_count;
  uint32_t *owner; /* member by the index of its id, TH_NO_INDEX = none */
  uint32_t owner_count;
  uint32_t next_event;
  bool begun;          /* its first step */
  uint64_t busy_until; /* step: the last events take effect from then on */
  uint64_t seed;
  float duration;
};

/* Refuses populations that cannot fit into their regions, before memory is taken for them. */
th_result th_run_check_fit(const th_run *run, th_error *error);
th_result th_run_populate(th_run *run, th_error *error);
th_result th_run_add_sources(th_run *run, th_error *error);

/* Gives a def the links that its crowd names; `own` is the agent itself, which is no link of its own. */
void th_run_link(const th_run *run, const th_scene_crowd *crowd, th_agent_id own, th_agent_def *def);

/* groups.c: the groups of the scene, once its agents are there. */
th_result th_run_group(th_run *run, th_error *error);
/* An event that gives a group other members or another shape, or makes one. */
th_result th_run_regroup(th_run *run, const th_scene_event *event, th_error *error);

/* trace.c: what the scene says about traces. */
th_result th_run_trace_scene(th_run *run, th_error *error);

/* Applies every event that is due before the next step. */
th_result th_run_events(th_run *run, th_error *error);

#endif
