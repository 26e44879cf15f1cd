/* io/scene/events/act_things.c - events of goals, choices, guides, sources, groups and of the world.
 *
 * "As it is from then on, by its name": the thing that has the name changes in place, or a new one is made. A guide of
 * another kind, or whose agents share what was made of its parameters, is replaced: its agents and sources get the new
 * one. A source that changes more than how it emits is ended, and a new one begins. What is replaced or removed stays
 * in the world without effect, so that a restored world has it still. Cost: agents of a replaced guide, else constant.
 */
#include <string.h>

#include "base/memory.h"
#include "io/scene/events/events.h"
#include "throng/guide.h"
#include "world/guide_memory.h"

/* ---------------------------------------------------------------- goals */

th_result th_act_move(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t goal = th_run_named(run, TH_NAMED_GOAL, event->name);
  if (goal == TH_NO_INDEX) return th_run_names_fail(error, "a goal", event->name);
  answer->goal = th_run_goal_at(run, goal);
  return th_world_move_goal(run->world, answer->goal, &event->move->shape, error);
}

th_result th_act_goal(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t goal = th_run_named(run, TH_NAMED_GOAL, event->name);
  th_goal_def def = event->goal->def;
  const char *own;
  def.name = event->name;
  answer->goal = th_run_goal_at(run, goal);
  if (goal != TH_NO_INDEX) return th_world_change_goal(run->world, answer->goal, &def, error);
  if (!th_run_names_reserve(run, TH_NAMED_GOAL, event->name, &own)) return th_fail_memory(error, "goal");
  th_result result = th_world_add_goal(run->world, &def, &answer->goal, error);
  if (!result) th_run_names_add(run, TH_NAMED_GOAL, own, TH_ID(answer->goal));
  return result;
}

th_result th_act_remove_goal(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t goal = th_run_named(run, TH_NAMED_GOAL, event->name);
  if (goal == TH_NO_INDEX) return th_run_names_fail(error, "a goal", event->name);
  answer->goal = th_run_goal_at(run, goal);
  th_world_remove_goal(run->world, answer->goal);
  run->list[TH_NAMED_GOAL].item[goal].gone = true;
  return TH_OK;
}

/* ---------------------------------------------------------------- choices */

th_result th_act_choice(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t known = th_run_named(run, TH_NAMED_CHOICE, event->name);
  const char *own;
  for (uint32_t i = 0; i < event->choice->option_count; i++) {
    th_scene_option *option = &event->choice->option[i];
    option->index = th_run_named(run, TH_NAMED_GOAL, option->goal);
    if (option->index == TH_NO_INDEX) return th_run_names_fail(error, "a goal", option->goal);
  }
  const th_choice_def def = th_run_choices_def(run, event->choice);
  answer->choice = th_run_choice_at(run, known);
  if (known != TH_NO_INDEX) return th_world_change_choice(run->world, answer->choice, &def, error);
  if (!th_run_names_reserve(run, TH_NAMED_CHOICE, event->name, &own)) return th_fail_memory(error, "choice");
  th_result result = th_world_add_choice(run->world, &def, &answer->choice, error);
  if (!result) th_run_names_add(run, TH_NAMED_CHOICE, own, TH_ID(answer->choice));
  return result;
}

th_result th_act_remove_choice(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t choice = th_run_named(run, TH_NAMED_CHOICE, event->name);
  if (choice == TH_NO_INDEX) return th_run_names_fail(error, "a choice", event->name);
  answer->choice = th_run_choice_at(run, choice);
  th_world_remove_choice(run->world, answer->choice);
  run->list[TH_NAMED_CHOICE].item[choice].gone = true;
  return TH_OK;
}

/* ---------------------------------------------------------------- guides */

/* Agents go on to the same stops. */
static th_result follow_other(th_run *run, th_guide_id from, th_guide_id to, th_error *error) {
  const uint32_t count = th_world_agents(run->world).count;
  th_agent_id *id = TH_TAKE(&run->env.allocator, th_agent_id, count);
  th_result result = id ? TH_OK : th_fail_memory(error, "guide");
  for (uint32_t i = 0; id && i < count; i++) id[i] = th_world_agents(run->world).id[i];
  for (uint32_t i = 0; i < count && !result; i++) {
    th_agent_def def;
    if (th_world_agent_def(run->world, id[i], &def) && def.guide.index == from.index)
      result = th_world_set_guide(run->world, id[i], to, error);
  }
  TH_GIVE(&run->env.allocator, id, count);
  if (!result) th_guide_of_sources(run->world, from, to);
  return result;
}

static bool changes_in_place(const th_run *run, th_guide_id id, const th_scene_guide *to) {
  return th_world_guide_kind(run->world, id) == to->kind && !to->kind->shared_make && to->kind != &th_guide_path;
}

th_result th_act_guide(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t guide = th_run_named(run, TH_NAMED_GUIDE, event->name);
  const th_guide_id old = th_run_guide_at(run, guide);
  const char *own;
  answer->guide = old;
  if (guide != TH_NO_INDEX && changes_in_place(run, old, event->guide))
    return th_world_change_guide(run->world, old, event->guide->params, error);
  if (!th_run_names_reserve(run, TH_NAMED_GUIDE, event->name, &own)) return th_fail_memory(error, "guide");
  th_result result = th_world_add_guide(run->world, event->guide->kind, event->guide->params, &answer->guide, error);
  if (result) return result;
  if (guide != TH_NO_INDEX) run->list[TH_NAMED_GUIDE].item[guide].gone = true;
  th_run_names_add(run, TH_NAMED_GUIDE, own, TH_ID(answer->guide));
  return guide != TH_NO_INDEX ? follow_other(run, old, answer->guide, error) : TH_OK;
}

th_result th_act_remove_guide(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t guide = th_run_named(run, TH_NAMED_GUIDE, event->name);
  if (guide == TH_NO_INDEX) return th_run_names_fail(error, "a guide", event->name);
  answer->guide = th_run_guide_at(run, guide);
  th_result result = follow_other(run, answer->guide, TH_NULL_GUIDE, error);
  if (!result) run->list[TH_NAMED_GUIDE].item[guide].gone = true;
  return result;
}

/* ---------------------------------------------------------------- sources */

static void end_source(th_run *run, uint32_t index) {
  const th_source_id id = th_run_source_at(run, index);
  th_source_flow flow = th_world_flow(run->world, id);
  flow.begin = flow.end = 0.0f; /* 0 <= 0, and over */
  (void)th_world_set_flow(run->world, id, &flow, NULL);
  run->list[TH_NAMED_SOURCE].item[index].gone = true;
}

th_result th_act_source(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t old = th_run_named(run, TH_NAMED_SOURCE, event->name);
  th_scene_source source = *event->source;
  const char *own;
  th_result result = th_act_crowd_now(run, &event->source->crowd, &source.crowd, error);
  if (result) return result;
  if (!th_run_names_reserve(run, TH_NAMED_SOURCE, event->name, &own)) return th_fail_memory(error, "source");
  result = th_run_make_source(run, &source, &answer->source, error);
  if (result) return result;
  if (old != TH_NO_INDEX) end_source(run, old);
  th_run_names_add(run, TH_NAMED_SOURCE, own, TH_ID(answer->source));
  return TH_OK;
}

th_result th_act_remove_source(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t source = th_run_named(run, TH_NAMED_SOURCE, event->name);
  if (source == TH_NO_INDEX) return th_run_names_fail(error, "a source", event->name);
  answer->source = th_run_source_at(run, source);
  end_source(run, source);
  return TH_OK;
}

/* ---------------------------------------------------------------- groups */

th_result th_act_group(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t known = th_run_named(run, TH_NAMED_GROUP, event->name);
  const char *own;
  answer->group = th_run_group_at(run, known);
  if (!th_run_names_reserve(run, TH_NAMED_GROUP, event->name, &own)) return th_fail_memory(error, "group");
  th_result result = th_run_regroup(run, event->group, &answer->group, error);
  if (!result && known == TH_NO_INDEX) th_run_names_add(run, TH_NAMED_GROUP, own, TH_ID(answer->group));
  return result;
}

th_result th_act_remove_group(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  const uint32_t group = th_run_named(run, TH_NAMED_GROUP, event->name);
  if (group == TH_NO_INDEX) return th_run_names_fail(error, "a group", event->name);
  answer->group = th_run_group_at(run, group);
  th_world_remove_group(run->world, answer->group);
  run->list[TH_NAMED_GROUP].item[group].gone = true;
  return TH_OK;
}

/* ---------------------------------------------------------------- the world */

th_result th_act_dt(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  return th_world_set_dt(run->world, event->number, error);
}
