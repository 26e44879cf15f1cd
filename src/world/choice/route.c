/* world/choice/route.c - routes whose stops have choices.
 *
 * A route holds the goal that has been taken, or that its stop begins with, and its field, like any other route; beside
 * it a column of the rows holds the choice of each stop, whether that of the next one is settled, and the radius class
 * of the fields. So everything that reads routes works as it is. The fields of all options are requested with the
 * route, because a decision needs them all and is part of a step, which allocates nothing. Cost: the options of the
 * stops.
 */
#include <string.h>

#include "world/agent/agents.h"
#include "world/world.h"

static const th_choice *choice_at(const th_world *world, uint32_t index) {
  return index ? &world->choices.choice[index - 1] : NULL;
}

static bool has_option(const th_choice *choice, uint32_t goal) {
  for (uint32_t i = 0; i < choice->count; i++)
    if (choice->option[i].goal == goal) return true;
  return false;
}

uint32_t th_choice_route_goal(const th_world *world, const th_stop *stop) {
  const th_choice *choice = choice_at(world, stop->choice.index);
  if (!choice || has_option(choice, stop->goal.index)) return stop->goal.index;
  return choice->count ? choice->option[0].goal : 0;
}

th_result th_choice_route_fields(th_world *world, const th_stop *stop, th_field_key key, uint16_t *field,
                                 th_error *error) {
  const th_choice *choice = choice_at(world, stop->choice.index);
  const uint32_t taken = th_choice_route_goal(world, stop);
  th_result result = TH_OK;
  uint16_t unused;
  for (uint32_t i = 0; choice && i < choice->count && !result; i++) {
    key.goal = choice->option[i].goal;
    result = th_goal_entry_for(world, &key, &unused, error);
  }
  key.goal = taken;
  return result || !taken ? result : th_goal_entry_for(world, &key, field, error);
}

/* The class of the fields that a row was given: a source has those of the largest body that it may emit. */
static uint8_t class_of(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const th_route *route = &rows->route[row];
  for (uint32_t i = 0; i < route->count; i++) {
    const uint16_t entry = route->field[i];
    if (rows->choice[row].of[i] && entry < world->entry_count && world->entry[entry].live)
      return world->entry[entry].radius_class;
  }
  return (uint8_t)th_ground_class(world->ground, rows->radius[row]);
}

void th_choice_route_put(th_world *world, uint32_t row, const th_agent_def *def) {
  th_row_choice *has = &world->rows.choice[row];
  const uint8_t next = world->rows.route[row].next;
  const uint16_t before = next < TH_MAX_STOPS ? has->of[next] : 0;
  const uint8_t decided = has->decided;
  memset(has, 0, sizeof *has);
  for (uint32_t i = 0; i < def->route_count; i++) has->of[i] = (uint16_t)def->route[i].choice.index;
  has->decided = decided && next < TH_MAX_STOPS && has->of[next] == before;
  has->radius_class = class_of(world, row);
}

void th_choice_route_keep(const th_world *world, uint32_t row, th_agent_def *def) {
  const th_route *route = &world->rows.route[row];
  for (uint32_t i = 0; i < def->route_count && i < route->count; i++) {
    const uint16_t choice = world->rows.choice[row].of[i];
    if (!choice || def->route[i].choice.index != choice || !route->goal[i]) continue;
    const th_id id = th_ids_at(&world->goals.ids, route->goal[i] - 1);
    def->route[i].goal = (th_goal_id){id.index, id.generation, id.tag};
  }
}

/* ---------------------------------------------------------------- choices that change */

/* The first option, for a stop of a row whose goal is none any more. */
static void begin_again(th_world *world, uint32_t row, uint32_t stop) {
  th_rows *rows = &world->rows;
  th_route *route = &rows->route[row];
  const th_choice *choice = choice_at(world, rows->choice[row].of[stop]);
  if (!choice->count || has_option(choice, route->goal[stop])) return;
  route->goal[stop] = choice->option[0].goal;
  route->field[stop] = th_choice_entry(world, row, route->goal[stop]);
  if (stop == route->next) th_agent_head_for(world, row, (uint8_t)stop);
}

static void begin_source_again(th_world *world, th_source *source, uint32_t stop) {
  th_stop *at = &source->def.agent.route[stop];
  const th_choice *choice = choice_at(world, at->choice.index);
  if (!has_option(choice, at->goal.index)) at->goal = TH_NULL_GOAL;
  (void)th_choice_route_fields(world, at, th_source_key(world, &source->def), &source->field[stop],
                               NULL); /* all are there */
}

/* Calls for every stop with a choice: `only`, or any when that is 0. */
static void each_stop(th_world *world, uint32_t only, void (*of_row)(th_world *, uint32_t row, uint32_t stop),
                      void (*of_source)(th_world *, th_source *, uint32_t stop)) {
  for (uint32_t row = 0; row < world->rows.count; row++)
    for (uint32_t i = 0; i < world->rows.route[row].count; i++) {
      const uint16_t choice = world->rows.choice[row].of[i];
      if (choice && (!only || choice == only)) of_row(world, row, i);
    }
  for (uint32_t k = 0; k < world->sources.capacity; k++)
    for (uint32_t i = 0; i < world->sources.source[k].def.agent.route_count; i++) {
      const uint32_t choice = world->sources.source[k].def.agent.route[i].choice.index;
      if (choice && (!only || choice == only)) of_source(world, &world->sources.source[k], i);
    }
}

void th_choice_route_forget_goal(th_world *world, uint32_t goal) {
  if (!world->choices.ids.alive) return;
  th_choices_drop_goal(world, goal);
  each_stop(world, 0, begin_again, begin_source_again);
}

static th_result request_all(th_world *world, uint32_t choice, th_error *error) {
  const th_stop stop = {.choice = {.index = choice}};
  th_result result = TH_OK;
  uint16_t unused;
  for (uint32_t row = 0; row < world->rows.count && !result; row++)
    for (uint32_t i = 0; i < world->rows.route[row].count && !result; i++) {
      if (world->rows.choice[row].of[i] != choice) continue;
      const th_field_key key = {.radius_class = world->rows.choice[row].radius_class,
                                .eps_level = th_goal_eps_level(world->rows.eps[row])};
      result = th_choice_route_fields(world, &stop, key, &unused, error);
    }
  for (uint32_t k = 0; k < world->sources.capacity && !result; k++) {
    const th_source_def *def = &world->sources.source[k].def;
    for (uint32_t i = 0; i < def->agent.route_count && !result; i++)
      if (def->agent.route[i].choice.index == choice)
        result = th_choice_route_fields(world, &stop, th_source_key(world, def), &unused, error);
  }
  return result;
}

th_result th_choice_route_follow(th_world *world, uint32_t choice, th_error *error) {
  const uint32_t before = world->entry_count;
  const th_result result = request_all(world, choice, error);
  th_goal_entries_end(world, before, !result);
  if (!result) each_stop(world, choice, begin_again, begin_source_again);
  return result;
}

static void leave_row(th_world *world, uint32_t row, uint32_t stop) {
  world->rows.choice[row].of[stop] = 0;
  if (stop == world->rows.route[row].next) world->rows.choice[row].decided = 0;
}

static void leave_source(th_world *world, th_source *source, uint32_t stop) {
  th_stop *at = &source->def.agent.route[stop];
  const uint32_t goal = th_choice_route_goal(world, at);
  const th_id id = goal ? th_ids_at(&world->goals.ids, goal - 1) : (th_id){0};
  at->goal = (th_goal_id){id.index, id.generation, id.tag};
  at->choice = TH_NULL_CHOICE;
}

void th_choice_route_forget(th_world *world, uint32_t choice) { each_stop(world, choice, leave_row, leave_source); }
