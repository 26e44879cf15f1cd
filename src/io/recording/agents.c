/* io/recording/agents.c - the numbers, populations, models and goals of the agents in a recording.
 *
 * Agents and goals are numbered as they appear. A row of throng_agent or throng_goal is written when its number is
 * given, and again when more has become known, so that an agent whose first event comes before its first frame still
 * has its radius. Before the log changes, a call finds what it needs and takes its memory (th_record_meet); numbers are
 * given while the log is filled. Cost: one look at an owner per agent and frame; a def of the world per new agent.
 */
#include <string.h>

#include "base/error.h"
#include "io/recording/recording.h"
#include "io/text.h"
#include "throng/model.h"

/* Recordings know few names. */
const char *th_record_keep_name(th_recording *recording, const char *text) {
  const th_allocator *allocator = &recording->env.allocator;
  for (uint32_t k = 0; k < recording->name_count; k++)
    if (strcmp(recording->name[k], text) == 0) return recording->name[k];
  if (!th_grow(allocator, (void **)&recording->name, &recording->name_capacity, recording->name_count + 1,
               sizeof *recording->name))
    return NULL;
  char *copy = th_text_copy(allocator, text);
  if (copy) recording->name[recording->name_count++] = copy;
  return copy;
}

void th_record_forget(th_recording *recording) {
  const th_allocator *allocator = &recording->env.allocator;
  for (uint32_t k = 0; k < recording->name_count; k++) th_text_free(recording->name[k]);
  TH_GIVE(allocator, recording->name, recording->name_capacity);
  TH_GIVE(allocator, recording->trace_row, recording->trace_row_capacity);
  TH_GIVE(allocator, recording->trace_item, recording->trace_capacity);
  th_numbers_free(&recording->agents, allocator);
  th_numbers_free(&recording->goals, allocator);
  th_numbers_free(&recording->sources, allocator);
  th_numbers_free(&recording->groups, allocator);
}

static th_numbered *agent_of(th_recording *recording, th_agent_id agent) {
  return th_numbers_owner(&recording->agents, &recording->env.allocator, agent.index, agent.generation);
}

static th_numbered *goal_of(th_recording *recording, th_goal_id goal) {
  return th_numbers_owner(&recording->goals, &recording->env.allocator, goal.index, goal.generation);
}

/* Copies the data of an agent from the world; an agent that has left keeps its old data. False when out of memory. */
static bool ask_world(th_recording *recording, th_agent_id agent) {
  th_agent_def def;
  if (!th_world_has_agent(recording->world, agent) || !th_world_agent_def(recording->world, agent, &def)) return true;
  const char *model = th_record_keep_name(recording, def.model->name);
  if (!model || (def.route_count && !goal_of(recording, def.route[def.route_count - 1].goal))) return false;
  th_numbered *owner = agent_of(recording, agent);
  owner->model = model;
  owner->radius = def.radius;
  if (def.route_count) owner->goal = def.route[def.route_count - 1].goal;
  owner->news = true;
  return true;
}

bool th_record_meet(th_recording *recording, th_agent_id agent, float radius, uint32_t *records) {
  if (th_is_null_agent(agent)) return true;
  th_numbered *owner = agent_of(recording, agent);
  if (!owner) return false;
  if (owner->number && !owner->news && owner->radius > 0.0f) return true;
  if (!owner->model && recording->world && !ask_world(recording, agent)) return false;
  if (!(owner->radius > 0.0f) && radius > 0.0f) {
    owner->radius = radius;
    owner->news = true;
  }
  *records += 2; /* the agent and its goal */
  return true;
}

bool th_record_meet_goal(th_recording *recording, th_goal_id goal, uint32_t *records) {
  if (th_is_null_goal(goal)) return true;
  const th_numbered *owner = goal_of(recording, goal);
  if (owner && !owner->number) *records += 1;
  return owner != NULL;
}

int64_t th_record_goal_number(th_recording *recording, th_goal_id goal) {
  if (th_is_null_goal(goal)) return 0;
  th_numbered *owner = goal_of(recording, goal);
  if (owner->number && !owner->news) return owner->number;
  if (!owner->number) owner->number = ++recording->goals.count;
  owner->news = false;
  th_record_add(recording, (th_record){.kind = TH_RECORD_GOAL,
                                       .id = owner->number,
                                       .step = (uint64_t)goal.index << 32 | goal.generation,
                                       .word = owner->name ? owner->name : ""});
  return owner->number;
}

int64_t th_record_number(th_recording *recording, th_agent_id agent) {
  if (th_is_null_agent(agent)) return 0;
  th_numbered *owner = agent_of(recording, agent);
  if (owner->number && !owner->news) return owner->number;
  if (!owner->number) owner->number = ++recording->agents.count;
  owner->news = false;
  th_record_add(recording, (th_record){.kind = TH_RECORD_AGENT,
                                       .id = owner->number,
                                       .step = (uint64_t)agent.index << 32 | agent.generation,
                                       .goal = th_record_goal_number(recording, owner->goal),
                                       .x = (double)owner->radius,
                                       .word = owner->name,
                                       .also = owner->model});
  return owner->number;
}

th_result th_recording_goal(th_recording *recording, th_goal_id goal, const char *name, th_error *error) {
  if (th_is_null_goal(goal)) return th_fail(error, TH_ERROR_STATE, recording->path, "expected a goal, found none");
  const char *kept = th_record_keep_name(recording, name);
  th_numbered *owner = kept ? goal_of(recording, goal) : NULL;
  if (!owner) return th_fail_memory(error, recording->path);
  th_result result = th_record_begin(recording, 1, 0, error);
  if (result != TH_OK) return result;
  owner->name = kept;
  owner->news = true;
  (void)th_record_goal_number(recording, goal);
  th_record_end(recording);
  return TH_OK;
}

th_result th_recording_agent(th_recording *recording, th_agent_id agent, const th_recording_agent_def *def,
                             th_error *error) {
  if (th_is_null_agent(agent)) return th_fail(error, TH_ERROR_STATE, recording->path, "expected an agent, found none");
  const char *population = def->population ? th_record_keep_name(recording, def->population) : NULL,
             *model = def->model ? th_record_keep_name(recording, def->model) : NULL;
  bool known = (population || !def->population) && (model || !def->model) &&
               (th_is_null_goal(def->goal) || goal_of(recording, def->goal));
  th_numbered *owner = known ? agent_of(recording, agent) : NULL;
  if (!owner) return th_fail_memory(error, recording->path);
  th_result result = owner->number ? th_record_begin(recording, 2, 0, error) : TH_OK;
  if (result != TH_OK) return result;
  if (population) owner->name = population;
  if (model) owner->model = model;
  if (!th_is_null_goal(def->goal)) owner->goal = def->goal;
  if (def->radius > 0.0f) owner->radius = def->radius;
  owner->news = true;
  if (!owner->number) return TH_OK; /* its row is written when it appears */
  (void)th_record_number(recording, agent);
  th_record_end(recording);
  return TH_OK;
}

th_result th_recording_source(th_recording *recording, th_source_id source, const char *population, th_error *error) {
  if (th_is_null_source(source))
    return th_fail(error, TH_ERROR_STATE, recording->path, "expected a source, found none");
  const char *kept = th_record_keep_name(recording, population);
  th_numbered *owner =
      kept ? th_numbers_owner(&recording->sources, &recording->env.allocator, source.index, source.generation) : NULL;
  if (!owner) return th_fail_memory(error, recording->path);
  owner->name = kept;
  return TH_OK;
}

bool th_record_emitted(th_recording *recording, const th_event *event) {
  if (event->kind != TH_EVENT_ADDED || th_is_null_source(event->source)) return true;
  const th_numbered *source =
      th_numbers_owner(&recording->sources, &recording->env.allocator, event->source.index, event->source.generation);
  const char *name = source ? source->name : NULL;
  th_numbered *owner = source ? agent_of(recording, event->agent) : NULL;
  if (!owner) return false;
  if (name && !owner->name) {
    owner->name = name;
    owner->news = true;
  }
  return true;
}
