/* world/choice/decide.c - everybody who is due takes an option of a choice.
 *
 * At the end of publish, when this step's fields are in force and before guides are asked: agents whose next stop has a
 * choice that is not settled yet, those whose turn it is (every so many steps, staggered by id), and all of them after
 * fields, goals or choices have changed. They decide one after the other in the order of the rows, each knowing what
 * those before it have taken, so that a crowd that decides in one step spreads; the queues are brought up to date with
 * each. An agent that has a path again is lost no more. Serial, because each decision counts for the next one; nothing
 * is allocated. Cost: nothing without choices; else a pass over the rows, and some 0.1 us per option of those who
 * decide.
 */
#include <math.h>

#include "world/agent/agents.h"
#include "world/world.h"

#define NOTHING UINT32_MAX

/* How many of so many would have been fair, minus how many there were. */
static uint32_t by_shares(const th_choice *choice, const th_option_cost *cost) {
  double shares = 0.0, taken = 1.0, most = -INFINITY;
  uint32_t best = NOTHING;
  for (uint32_t i = 0; i < choice->count; i++) {
    if (!(cost[i].cost < INFINITY)) continue;
    shares += (double)choice->option[i].share;
    taken += choice->option[i].taken;
  }
  for (uint32_t i = 0; i < choice->count; i++) {
    const double part = shares > 0.0 ? (double)choice->option[i].share / shares : 1.0;
    const double behind = part * taken - (double)choice->option[i].taken;
    if (!(cost[i].cost < INFINITY) || (shares > 0.0 && part == 0.0) || behind <= most) continue;
    most = behind;
    best = i;
  }
  return best;
}

static uint32_t cheapest(const th_choice *choice, const th_option_cost *cost) {
  uint32_t best = NOTHING;
  for (uint32_t i = 0; i < choice->count; i++)
    if (cost[i].cost < (best == NOTHING ? INFINITY : cost[best].cost)) best = i;
  return best;
}

/* What to take when `present` (or NOTHING) is what has been taken; NOTHING: no path leads anywhere. */
static uint32_t pick(const th_choice *choice, const th_option_cost *cost, uint32_t present) {
  const bool open = present != NOTHING && cost[present].left < INFINITY;
  if (choice->rule == TH_CHOICE_SHARES) return open ? present : by_shares(choice, cost);
  const uint32_t best = cheapest(choice, cost);
  if (!open || best == NOTHING) return best;
  return cost[best].cost < (1.0f - choice->gain) * cost[present].cost ? best : present;
}

static uint32_t option_taken(const th_world *world, uint32_t row, const th_choice *choice) {
  const th_rows *rows = &world->rows;
  for (uint32_t i = 0; rows->choice[row].decided && i < choice->count; i++)
    if (choice->option[i].goal == rows->route[row].goal[rows->route[row].next]) return i;
  return NOTHING;
}

static void take(th_world *world, uint32_t row, uint32_t goal) {
  th_rows *rows = &world->rows;
  th_route *route = &rows->route[row];
  if (route->goal[route->next] != goal) {
    route->goal[route->next] = goal;
    route->field[route->next] = th_choice_entry(world, row, goal);
    th_agent_head_for(world, row, route->next);
  }
  if (rows->state[row] == TH_AGENT_LOST) rows->state[row] = TH_AGENT_WALKING;
  rows->choice[row].decided = 1;
}

static void decide(th_world *world, uint32_t row, th_choice *choice) {
  th_queues *queues = &world->choices.queues;
  th_option_cost cost[TH_MAX_OPTIONS];
  const uint32_t present = option_taken(world, row, choice);
  const float left = world->rows.left[row];
  th_choice_weigh(world, row, true, cost);
  const uint32_t best = pick(choice, cost, present);
  if (best == NOTHING) return;
  if (best == present && world->rows.state[row] != TH_AGENT_LOST) return;
  if (present != NOTHING && world->rows.state[row] == TH_AGENT_WALKING)
    th_queue_leave(queues, choice->option[present].goal, left);
  if (present != NOTHING && choice->option[present].taken) choice->option[present].taken--;
  choice->option[best].taken++;
  take(world, row, choice->option[best].goal);
  th_queue_enter(queues, choice->option[best].goal, cost[best].left);
}

static bool is_due(const th_world *world, uint32_t row, const th_choice *choice) {
  const uint8_t state = world->rows.state[row];
  if (state != TH_AGENT_WALKING) return state == TH_AGENT_LOST && world->choices.all;
  if (!world->rows.choice[row].decided || world->choices.all) return true;
  const float steps = ceilf(choice->every / world->dt);
  const uint64_t period = steps > 1.0f ? (uint64_t)steps : 1;
  return choice->rule != TH_CHOICE_SHARES && (world->step + world->rows.agent[row]) % period == 0;
}

void th_choices_decide(th_world *world) {
  if (!world->choices.ids.alive) return;
  bool filled = false, ready = true;
  for (uint32_t row = 0; row < world->rows.count; row++) {
    th_choice *choice = th_choice_of(world, row);
    if (!choice || !is_due(world, row, choice)) continue;
    if (!th_choice_ready(world, row)) {
      ready = false;
      continue;
    }
    if (!filled) th_queues_fill(world, &world->choices.queues);
    filled = true;
    decide(world, row, choice);
  }
  if (ready) world->choices.all = 0;
}

uint32_t th_world_choice_costs(const th_world *world, th_agent_id agent, th_option_cost *cost, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  uint32_t row;
  if (th_agent_find(world, agent, "th_world_choice_costs", &row, NULL)) return 0;
  const th_choice *choice = th_choice_of(world, row);
  th_option_cost all[TH_MAX_OPTIONS];
  if (!choice) return 0;
  th_choice_weigh(world, row, false, all);
  for (uint32_t i = 0; i < choice->count && i < capacity; i++) cost[i] = all[i];
  return choice->count;
}
