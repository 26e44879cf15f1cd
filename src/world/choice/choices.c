/* world/choice/choices.c - choices are made, changed, removed and read.
 *
 * A record holds the goals by their indices and how often each has been taken; route.c tells the routes of what happens
 * to it. Everything is checked, and every field that somebody may need requested, before anything changes. Cost:
 * adding one is constant, changing and removing one passes over the rows.
 */
#include "world/choice/choices.h"

#include <string.h>

#include "geometry/shape.h"
#include "world/agent/agents.h"
#include "world/world.h"

th_choice_def th_default_choice_def(void) {
  th_choice_def def = {.option_count = 0};
#define X(type, name, initial, least, most) def.name = initial;
  TH_CHOICE_MEMBERS(X)
#undef X
  return def;
}

th_option th_default_option(th_goal_id goal) { return (th_option){.goal = goal, .share = 1.0f, .known = 1.0f}; }

void th_choices_free(th_choices *choices, const th_allocator *a) {
  TH_GIVE(a, choices->choice, choices->capacity);
  th_ids_free(&choices->ids, a);
  th_queues_free(&choices->queues, a);
  *choices = (th_choices){0};
}

th_result th_choice_check(const th_world *world, th_choice_id choice, const char *call, th_error *error) {
  return th_world_id_check(world, &world->choices.ids, TH_ID(choice), "choice", call, error);
}

/* ---------------------------------------------------------------- checks */

static th_result check_option(const th_world *world, const th_choice_def *def, uint32_t i, th_error *error) {
  const th_option *option = &def->option[i];
  if (th_world_id_check(world, &world->goals.ids, TH_ID(option->goal), "goal", "option of a choice", NULL))
    return th_fail(error, TH_ERROR_STATE, "option", "option %u names a goal that does not exist", i);
  for (uint32_t k = 0; k < i; k++)
    if (def->option[k].goal.index == option->goal.index)
      return th_fail(error, TH_ERROR_STATE, "option", "expected each goal once, found that of option %u again as %u", k,
                     i);
  th_result result = option->width == 0.0f ? TH_OK : th_agent_check_number("width", option->width, 0.01f, 1e3f, error);
  if (!result) result = th_agent_check_number("share", option->share, 0.0f, 1e6f, error);
  return result ? result : th_agent_check_number("known", option->known, 0.0f, 1.0f, error);
}

static th_result check_def(const th_world *world, const th_choice_def *def, th_error *error) {
  th_result result = TH_OK;
#define X(type, name, initial, least, most) \
  if (!result) result = th_agent_check_number(#name, (float)def->name, least, most, error);
  TH_CHOICE_MEMBERS(X)
#undef X
  if (!result && (!def->option_count || def->option_count > TH_MAX_OPTIONS))
    result = th_fail(error, TH_ERROR_CAPACITY, "option_count", "expected 1 to %d options, found %u", TH_MAX_OPTIONS,
                     def->option_count);
  for (uint32_t i = 0; i < def->option_count && !result; i++) result = check_option(world, def, i, error);
  return result;
}

/* ---------------------------------------------------------------- records */

/* What has been taken before counts on. */
static th_choice record_of(const th_choice_def *def, const th_choice *before) {
  th_choice record;
  memset(&record, 0, sizeof record);
#define X(type, name, initial, least, most) record.name = def->name;
  TH_CHOICE_MEMBERS(X)
#undef X
  record.count = def->option_count;
  for (uint32_t i = 0; i < def->option_count; i++) {
    const th_option *from = &def->option[i];
    record.option[i] = (th_choice_option){from->goal.index, from->width, from->share, from->known, 0};
    for (uint32_t k = 0; before && k < before->count; k++)
      if (before->option[k].goal == from->goal.index) record.option[i].taken = before->option[k].taken;
  }
  return record;
}

/* Room for the queues of all options that there may be with one more choice. */
static bool reserve_queues(th_world *world) {
  th_choices *choices = &world->choices;
  uint32_t count = TH_MAX_OPTIONS;
  for (uint32_t i = 0; i < th_ids_used(&choices->ids); i++) count += choices->choice[i].count;
  const uint32_t goals = th_ids_used(&world->goals.ids);
  return th_queues_reserve(&choices->queues, &world->env.allocator, goals, count < goals ? count : goals);
}

static void number_queues(th_choices *choices) {
  th_queues_clear(&choices->queues);
  for (uint32_t i = 0; i < th_ids_used(&choices->ids); i++)
    for (uint32_t k = 0; k < choices->choice[i].count; k++)
      th_queues_add(&choices->queues, choices->choice[i].option[k].goal);
}

static bool reserve(th_world *world) {
  th_choices *choices = &world->choices;
  const th_allocator *a = &world->env.allocator;
  if (!reserve_queues(world)) return false;
  if (choices->ids.alive < choices->ids.capacity) return true;
  uint32_t larger = choices->ids.capacity ? choices->ids.capacity * 2 : 8;
  void *memory = choices->choice;
  bool grown = th_grow(a, &memory, &choices->capacity, larger, sizeof *choices->choice);
  choices->choice = memory;
  return grown && th_ids_grow(&choices->ids, a, larger);
}

th_result th_world_add_choice(th_world *world, const th_choice_def *def, th_choice_id *choice, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_add_choice", error);
  if (!result) result = check_def(world, def, error);
  if (!result && world->choices.ids.alive == TH_MAX_CHOICES)
    result = th_fail(error, TH_ERROR_CAPACITY, "choice", "expected at most %d choices", TH_MAX_CHOICES);
  if (!result && !reserve(world)) result = th_fail_memory(error, "choice");
  if (result) return result;
  const th_id id = th_ids_take(&world->choices.ids);
  world->choices.choice[id.index - 1] = record_of(def, NULL);
  number_queues(&world->choices);
  if (choice) *choice = (th_choice_id){id.index, id.generation, id.tag};
  return TH_OK;
}

th_result th_world_change_choice(th_world *world, th_choice_id choice, const th_choice_def *def, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_choice_check(world, choice, "th_world_change_choice", error);
  if (!result) result = th_world_idle(world, "th_world_change_choice", error);
  if (!result) result = check_def(world, def, error);
  if (!result && !reserve_queues(world)) result = th_fail_memory(error, "choice");
  if (result) return result;
  th_choice *record = &world->choices.choice[choice.index - 1];
  const th_choice old = *record;
  *record = record_of(def, &old);
  result = th_choice_route_follow(world, choice.index, error);
  if (result) *record = old;
  number_queues(&world->choices);
  if (!result) world->choices.all = 1;
  return result;
}

void th_world_remove_choice(th_world *world, th_choice_id choice) {
  if (th_no_world(world, __func__)) return;
  if (th_choice_check(world, choice, "th_world_remove_choice", NULL)) return;
  th_choice_route_forget(world, choice.index);
  memset(&world->choices.choice[choice.index - 1], 0, sizeof *world->choices.choice);
  th_ids_give(&world->choices.ids, TH_ID(choice));
  if (!world->choices.ids.alive) world->choices.all = 0;
  number_queues(&world->choices);
}

void th_choices_drop_goal(th_world *world, uint32_t goal) {
  th_choices *choices = &world->choices;
  for (uint32_t i = 0; i < th_ids_used(&choices->ids); i++) {
    th_choice *choice = &choices->choice[i];
    for (uint32_t k = 0; k < choice->count; k++) {
      if (choice->option[k].goal != goal) continue;
      choice->count--;
      memmove(&choice->option[k], &choice->option[k + 1], sizeof *choice->option * (choice->count - k));
      memset(&choice->option[choice->count], 0, sizeof *choice->option);
      choices->all = 1;
    }
  }
  number_queues(choices);
}

/* ---------------------------------------------------------------- reading */

bool th_world_has_choice(const th_world *world, th_choice_id choice) {
  if (th_no_world(world, __func__)) return false;
  return th_ids_valid(&world->choices.ids, TH_ID(choice));
}

uint32_t th_world_choices(const th_world *world, th_choice_id *ids, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->choices.ids.capacity; i++) {
    th_id id = th_ids_at(&world->choices.ids, i);
    if (id.index && count++ < capacity) ids[count - 1] = (th_choice_id){id.index, id.generation, id.tag};
  }
  return count;
}

bool th_world_choice_def(const th_world *world, th_choice_id choice, th_choice_def *def) {
  if (th_no_world(world, __func__)) return false;
  if (th_choice_check(world, choice, "th_world_choice_def", NULL)) return false;
  const th_choice *record = &world->choices.choice[choice.index - 1];
  *def = (th_choice_def){.option_count = record->count};
#define X(type, name, initial, least, most) def->name = record->name;
  TH_CHOICE_MEMBERS(X)
#undef X
  for (uint32_t i = 0; i < record->count; i++) {
    const th_choice_option *from = &record->option[i];
    const th_id id = th_ids_at(&world->goals.ids, from->goal - 1);
    def->option[i] = (th_option){{id.index, id.generation, id.tag}, from->width, from->share, from->known};
  }
  return true;
}

uint32_t th_world_choice_taken(const th_world *world, th_choice_id choice, uint32_t option) {
  if (th_no_world(world, __func__)) return 0;
  if (th_choice_check(world, choice, "th_world_choice_taken", NULL)) return 0;
  const th_choice *record = &world->choices.choice[choice.index - 1];
  return option < record->count ? record->option[option].taken : 0;
}
