/* world/choice/weigh.c - what the options of a choice cost an agent.
 *
 * Time is what walking takes, and what those take who head for the same goal and are nearer to it along its field
 * (Kretz 2009 and Kemloh Wagoum 2012 weigh the same two). The walk and the wait are added, as in those: who arrives
 * while the queue still stands has waited less, but who stands in it walks no faster than it does. An option is weighed
 * when a path leads there and the agent knows of it or sees it; where nothing of that is left, all are that a path
 * leads to. Cost: a question to each option's field, and ten additions.
 */
#include <math.h>

#include "base/random.h"
#include "geometry/shape.h"
#include "world/nearby.h"

#define STREAM_KNOWN 0xc401u
#define FOLLOW_WITHIN 10.0f /* [m] */
#define SIGHT_PART 1.05f    /* a path in sight is that much longer than the straight line at most, */
#define SIGHT_REST 0.5f     /* and this much [m] */
#define SLOWEST 0.1f        /* [m/s]: who does not walk at all weighs up as if at this speed */

th_choice *th_choice_of(const th_world *world, uint32_t row) {
  const uint8_t next = world->rows.route[row].next;
  if (next >= world->rows.route[row].count || !world->rows.choice[row].of[next]) return NULL;
  return &world->choices.choice[world->rows.choice[row].of[next] - 1];
}

uint16_t th_choice_entry(const th_world *world, uint32_t row, uint32_t goal) {
  const uint32_t radius_class = world->rows.choice[row].radius_class;
  const uint32_t eps_level = th_goal_eps_level(world->rows.eps[row]);
  for (uint32_t i = 0; i < world->entry_count; i++) {
    const th_field_entry *entry = &world->entry[i];
    if (entry->live && entry->goal == goal && entry->radius_class == radius_class && entry->eps_level == eps_level)
      return (uint16_t)i;
  }
  return TH_NO_FIELD;
}

static const th_field_entry *entry_of(const th_world *world, uint32_t row, uint32_t goal) {
  const uint16_t entry = th_choice_entry(world, row, goal);
  return entry == TH_NO_FIELD ? NULL : &world->entry[entry];
}

bool th_choice_ready(const th_world *world, uint32_t row) {
  const th_choice *choice = th_choice_of(world, row);
  for (uint32_t i = 0; i < choice->count; i++) {
    const th_field_entry *entry = entry_of(world, row, choice->option[i].goal);
    if (entry && !entry->field && !entry->failed) return false;
  }
  return true;
}

static float left_of(const th_world *world, uint32_t row, uint32_t goal) {
  const th_field_entry *entry = entry_of(world, row, goal);
  const th_place place = th_row_place(world, row);
  if (!entry || !entry->field || !th_field_reaches(entry->field, place)) return INFINITY;
  return th_field_gradient_at(entry->field, place).left;
}

static float straight_to(const th_world *world, uint32_t row, uint32_t goal) {
  const th_shape *shape = &world->goals.goal[goal - 1].def.shape;
  const th_vec3 p = th_row_point(world, row);
  if (!world->mesh) return (float)th_shape_near(shape, (double)p.x, (double)p.y);
  const th_vec3 q = th_shape_nearest(shape, p);
  const float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
  return sqrtf(x * x + y * y + z * z);
}

/* The same for an agent whenever it is asked. */
static bool knows(const th_world *world, uint32_t row, const th_choice_option *option) {
  if (option->known >= 1.0f) return true;
  const th_agent_id id = world->rows.id[row];
  const uint64_t of = (uint64_t)option->goal << 32 | id.generation;
  return th_random_unit(world->def.seed, STREAM_KNOWN, id.index, of) < option->known;
}

static float width_of(const th_world *world, const th_choice_option *option) {
  if (option->width > 0.0f) return option->width;
  const th_shape *shape = &world->goals.goal[option->goal - 1].def.shape;
  float length = 0.0f;
  uint32_t a, b;
  for (uint32_t n = 0; shape->kind == TH_SHAPE_LINE && th_shape_side(shape, n, &a, &b); n++) {
    const th_vec3 p = th_shape_at(shape, a), q = th_shape_at(shape, b);
    const float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z;
    length += sqrtf(x * x + y * y + z * z);
  }
  return length > 0.01f ? length : 1.0f;
}

/* The goal that another agent heads for, where that is settled; else 0. Where only those nearby are looked at, one that
 * enters in this step does not count: whether it is found depends on what a restored world does not have. */
static uint32_t wish_of(const th_world *world, uint32_t other) {
  const th_rows *rows = &world->rows;
  const th_route *route = &rows->route[other];
  if (rows->state[other] != TH_AGENT_WALKING || route->next >= route->count) return 0;
  if (!world->choices.all && rows->best_step[other] >= world->step) return 0;
  if (rows->choice[other].of[route->next] && !rows->choice[other].decided) return 0;
  return route->goal[route->next];
}

/* Shares of those nearby who head for each option. */
static void wishes(const th_world *world, uint32_t row, const th_choice *choice, float part[TH_MAX_OPTIONS]) {
  uint32_t count[TH_MAX_OPTIONS] = {0}, all = 0, other;
  const th_vec3 at = th_row_point(world, row);
  const float reach = world->choices.all ? INFINITY : FOLLOW_WITHIN; /* an edit may have put people somewhere else */
  for (th_nearby walk = th_nearby_begin(world, at, reach); th_nearby_next(&walk, &other);) {
    const th_vec3 p = th_row_point(world, other);
    const float x = p.x - at.x, y = p.y - at.y, z = p.z - at.z;
    const uint32_t goal = other == row ? 0 : wish_of(world, other);
    if (!goal || x * x + y * y + z * z > FOLLOW_WITHIN * FOLLOW_WITHIN) continue;
    for (uint32_t i = 0; i < choice->count; i++)
      if (choice->option[i].goal == goal) count[i]++, all++;
  }
  for (uint32_t i = 0; i < choice->count; i++) part[i] = all ? (float)count[i] / (float)all : 0.0f;
}

static th_option_cost look(const th_world *world, uint32_t row, const th_choice_option *option) {
  const th_id id = th_ids_at(&world->goals.ids, option->goal - 1);
  th_option_cost cost = {.goal = {id.index, id.generation, id.tag}, .cost = INFINITY};
  cost.left = left_of(world, row, option->goal);
  cost.seen = cost.left < INFINITY && cost.left <= SIGHT_PART * straight_to(world, row, option->goal) + SIGHT_REST;
  cost.known = cost.seen || knows(world, row, option);
  return cost;
}

/* Between which options an agent weighs: those in sight and the one that it heads for; those that it knows; all that a
 * path leads to. The first of these that holds any counts. */
enum { IN_SIGHT, KNOWN, REACHED };

static bool is_in(uint32_t tier, const th_option_cost *cost, bool present) {
  if (!(cost->left < INFINITY)) return false;
  return tier == IN_SIGHT ? cost->seen || present : tier == KNOWN ? cost->known : true;
}

static uint32_t tier_of(const th_choice *choice, const th_option_cost *cost, uint32_t present) {
  uint32_t tier = choice->sees == TH_CHOICE_SEES_IN_SIGHT ? IN_SIGHT : KNOWN;
  for (; tier < REACHED; tier++)
    for (uint32_t i = 0; i < choice->count; i++)
      if (is_in(tier, &cost[i], i == present)) return tier;
  return REACHED;
}

/* An agent that sees no queue goes by the path alone. */
static void settle(const th_choice *choice, th_option_cost *cost, uint32_t present) {
  const uint32_t tier = tier_of(choice, cost, present);
  const bool blind = choice->sees == TH_CHOICE_SEES_IN_SIGHT && tier != IN_SIGHT;
  const bool by_path = choice->rule != TH_CHOICE_TIME || blind;
  for (uint32_t i = 0; i < choice->count; i++)
    if (is_in(tier, &cost[i], i == present)) cost[i].cost = by_path ? cost[i].left : cost[i].time;
}

void th_choice_weigh(const th_world *world, uint32_t row, bool counted, th_option_cost cost[TH_MAX_OPTIONS]) {
  const th_choice *choice = th_choice_of(world, row);
  const th_rows *rows = &world->rows;
  const uint32_t goal = rows->choice[row].decided ? rows->route[row].goal[rows->route[row].next] : 0;
  const float speed = fmaxf(rows->speed[row], SLOWEST);
  uint32_t present = UINT32_MAX;
  for (uint32_t i = 0; i < choice->count; i++) {
    const th_choice_option *option = &choice->option[i];
    cost[i] = look(world, row, option);
    cost[i].ahead = counted ? th_queue_ahead(&world->choices.queues, option->goal, cost[i].left)
                            : th_queue_count(world, option->goal, cost[i].left);
    cost[i].time = cost[i].left / speed + (float)cost[i].ahead / (choice->flow * width_of(world, option));
    if (option->goal == goal) present = i;
  }
  settle(choice, cost, present);
  float part[TH_MAX_OPTIONS];
  if (choice->follow > 0.0f) wishes(world, row, choice, part);
  for (uint32_t i = 0; i < choice->count && choice->follow > 0.0f; i++) cost[i].cost *= 1.0f - choice->follow * part[i];
}
