/* io/recording/names.c - the names that a scene has given, for the agents, goals and groups of its run. */
#include "io/scene/run.h"
#include "throng/recording.h"

th_result th_recording_names(th_recording *recording, const th_run *run, th_error *error) {
  const th_scene *scene = run->scene;
  th_result result = TH_OK;
  for (uint32_t i = 0; i < scene->goal_count && result == TH_OK; i++)
    result = th_recording_goal(recording, th_run_goal_at(run, i), scene->goal[i].name, error);
  for (uint32_t i = 0; i < scene->source_count && result == TH_OK; i++)
    result = th_recording_source(recording, th_run_source_at(run, i), scene->source[i].name, error);
  for (uint32_t i = 0; i < scene->group_count && result == TH_OK; i++)
    if (scene->group[i].name)
      result = th_recording_group(recording, th_run_group_at(run, i), scene->group[i].name, error);
  for (uint32_t i = 0; i < run->member_count && result == TH_OK; i++) {
    const th_recording_agent_def about = {.population =
                                              run->list[TH_NAMED_POPULATION].item[run->member[i].population].name};
    result = th_recording_agent(recording, run->member[i].id, &about, error);
  }
  return result;
}
