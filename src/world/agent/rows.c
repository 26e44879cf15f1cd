/* world/agent/rows.c - adds and removes agents; read.c and set.c read and change existing ones.
 *
 * Every def is checked whole before anything changes, and all memory is taken before the first row is written, so a
 * failed call leaves no trace. A removed row is filled with the last one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/trig.h"
#include "throng/model/orca.h"
#include "world/agent/agents.h"
#include "world/events.h"
#include "world/nearby.h"

enum { STREAM_GAP = 0x6a90 };

th_link_def th_default_link_def(void) { return (th_link_def){0}; }

th_agent_def th_default_agent_def(void) {
  th_agent_def def = {.model = &th_model_orca, .people = &th_default_people, .remove = true};
#define NUMBER(to, type, name, initial, min, max, draw) def.name = initial;
#define WORD(to, type, name, initial) def.name = initial;
  TH_AGENT_NUMBERS(NUMBER, NUMBER, )
  TH_AGENT_WORDS(WORD, )
#undef WORD
#undef NUMBER
  return def;
}

th_agent_def th_default_body_def(void) {
  th_agent_def body = th_default_agent_def();
  body.people = NULL;
  body.acceleration_max = 8.0f;
  return body;
}

uint32_t th_world_row(const th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return UINT32_MAX;
  return th_ids_valid(&world->ids, TH_ID(agent)) ? world->row_of[agent.index - 1] : UINT32_MAX;
}

bool th_world_has_agent(const th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return false;
  return th_ids_valid(&world->ids, TH_ID(agent));
}

th_result th_agent_find(const th_world *world, th_agent_id agent, const char *call, uint32_t *row, th_error *error) {
  *row = th_world_row(world, agent);
  return th_world_id_check(world, &world->ids, TH_ID(agent), "agent", call, error);
}

/* ---------------------------------------------------------------- writing rows */

/* Fractions of ids that follow each other lie evenly in (0, 1), whatever the number of steps in a period: the digits of
 * an id to base 5, in reverse (van der Corput 1935), from the middle of a 625th. */
static float phase_of(uint32_t agent) {
  uint32_t reverse = 0, rest = 625 - agent % 625;
  for (int digit = 0; digit < 4; digit++, rest /= 5) reverse = 5 * reverse + rest % 5;
  return ((float)reverse + 0.5f) / 625.0f;
}

/* An agent that decides every step takes up its advice at once. The others approach it smoothly: when they decide
 * again, they have covered nine tenths of the difference, whatever the period and dt. People whose model aims for them
 * are advised in every step and have done so within `take_up`. */
static void write_period(th_world *world, uint32_t row) {
  const th_model_slot *use = &world->model[world->rows.model[row]];
  float period = use->model->period ? use->model->period(th_model_params(use, row)) : 0.0f;
  bool every_step = !(period > world->dt);
  world->rows.period[row] = every_step ? 0.0f : period;
  world->rows.phase[row] = use->model->together ? 0.0f : phase_of(world->rows.agent[row]);
  world->eases |= !every_step;
  const th_people_params *people = world->people.of[world->rows.people[row]];
  if (use->model->aim && people) period = fminf(period, people->take_up);
  world->rows.ease[row] = period > world->dt ? 2.5f / (period / world->dt + 1.5f) : 1.0f;
}

void th_agent_limits(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  world->order.radius_max = fmaxf(world->order.radius_max, rows->radius[row]);
  th_world_overhead_size(world, rows->height[row], rows->radius[row]);
  world->order.layered |= rows->layers[row] != 1u || !(rows->avoids[row] & 1u);
  rows->speed_step[row] = rows->acceleration_max[row] * world->dt;
  float turn = rows->turn_max[row] * world->dt;
  bool free_turn = !(turn < 3.1415f);
  rows->turn_c[row] = free_turn ? -2.0f : th_cosf(turn);
  rows->turn_s[row] = free_turn ? 0.0f : th_sinf(turn);
  write_period(world, row);
}

void th_agent_stand(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  rows->due[row] = th_world_due(world, rows->premovement[row]);
  if (rows->due[row] > world->step) rows->state[row] = TH_AGENT_PREMOVEMENT;
}

void th_agent_head_for(th_world *world, uint32_t row, uint8_t stop) {
  th_rows *rows = &world->rows;
  th_route *route = &rows->route[row];
  route->next = stop;
  rows->field[row] = stop < route->count ? route->field[stop] : TH_NO_FIELD;
  uint32_t goal = stop < route->count ? route->goal[stop] : 0;
  const th_goal_def *def = goal ? &world->goals.goal[goal - 1].def : NULL;
  rows->arrive[row] = def && def->shape.kind <= TH_SHAPE_LINE ? def->arrive : 0.0f; /* regions: inside them */
  rows->best[row] = rows->left[row] = INFINITY;
  rows->best_step[row] = world->step;
  rows->choice[row].decided = 0;
  memset(&rows->guide_memory[row], 0, sizeof rows->guide_memory[row]);
}

void th_agent_write_links(th_world *world, uint32_t row, const th_agent_def *def) {
  th_link_targets *links = &world->rows.links[row];
  th_link_names *names = &world->rows.names[row];
  memset(links, 0, sizeof *links);
  memset(names, 0, sizeof *names);
  for (uint32_t i = 0; i < def->link_count; i++) {
    if (def->link[i].agent.tag == world->def.tag) names->agent[i] = def->link[i].agent; /* others name nobody */
    links->target[i].kind = def->link[i].to_point ? TH_LINK_POINT : TH_LINK_AGENT;
    links->target[i].role = (uint16_t)def->link[i].role;
    links->target[i].at = def->link[i].point;
  }
  world->rows.link_count[row] = (uint8_t)def->link_count;
}

/* Converts a direction that a def gives in space to the frame of the agent's cell. */
static th_vec2 in_cell(const th_world *world, uint32_t row, th_vec2 v) {
  th_place place = {world->rows.cell[row], world->rows.x[row], world->rows.y[row]};
  return th_ground_to_cell(world->ground, place, (th_vec3){v.x, v.y, 0.0f});
}

void th_agent_put(th_world *world, uint32_t row, th_place place) {
  th_rows *rows = &world->rows;
  rows->cell[row] = rows->previous_cell[row] = place.cell;
  rows->x[row] = rows->previous_x[row] = place.x;
  rows->y[row] = rows->previous_y[row] = place.y;
  rows->rest[row] = (th_vec2){0.0f, 0.0f};
}

/* Gaps differ from person to person, but not from call to call. */
static float own_gap(const th_world *world, uint32_t row, const th_people_params *people) {
  const th_agent_id id = world->rows.id[row];
  const uint64_t bits = th_random(world->def.seed, STREAM_GAP, id.index, id.generation);
  const th_spread gaps = th_default_spread(TH_SPREAD_NORMAL, people->time_gap, people->time_gap_spread);
  return people->time_gap_spread > 0.0f ? th_spread_draw(&gaps, bits) : people->time_gap;
}

/* The def is checked, so there is a number for it. */
static void write_people(th_world *world, uint32_t row, const th_agent_def *def) {
  th_rows *rows = &world->rows;
  uint8_t number = 0;
  (void)th_people_sets_find(&world->people, def->people, &number, NULL);
  th_people_sets_join(&world->people, number);
  th_people_sets_leave(&world->people, rows->people[row]);
  rows->people[row] = number;
  const th_people_params *people = world->people.of[number];
  rows->time_gap[row] = people ? own_gap(world, row, people) : 0.0f;
}

void th_agent_write_body(th_world *world, uint32_t row, const th_agent_def *def) {
  th_rows *rows = &world->rows;
  write_people(world, row, def);
#define X(type, name) rows->name[row] = def->name;
  TH_AGENT_COLUMNS(X)
#undef X
  rows->body[row] = def->radius;
  rows->v[row] = in_cell(world, row, def->v);
  rows->eps[row] = (float)th_goal_eps_level(def->eps) * TH_EPS_STEP;
  rows->user[row] = def->user;
  th_agent_limits(world, row);
}

th_route th_agent_route_of(const th_world *world, const th_agent_def *def, const uint16_t *field) {
  th_route route;
  memset(&route, 0, sizeof route); /* padding is hashed too */
  route.count = (uint8_t)def->route_count;
  route.loop = def->loop;
  route.remove = def->remove;
  for (uint32_t i = 0; i < def->route_count; i++) {
    route.goal[i] = th_choice_route_goal(world, &def->route[i]);
    route.wait[i] = def->route[i].wait;
    route.field[i] = field[i];
  }
  return route;
}

void th_agent_note_waits(th_world *world, const th_route *route) {
  for (uint32_t i = 0; i < route->count; i++) world->waits |= route->wait[i] > 0.0f;
}

void th_agent_write_route(th_world *world, uint32_t row, const th_route *route) {
  world->rows.route[row] = *route;
  th_agent_note_waits(world, route);
}

static void write_row(th_world *world, uint32_t row, const th_agent_def *def, const uint16_t *field) {
  th_rows *rows = &world->rows;
  th_agent_put(world, row, th_ground_foot(world->ground, def->point, def->level));
  rows->advised_hx[row] = rows->advised_hy[row] = 0.0f;
  th_vec2 heading = in_cell(world, row, def->heading);
  float length = sqrtf(heading.x * heading.x + heading.y * heading.y);
  rows->hx[row] = length > 0.0f ? heading.x / length : 1.0f;
  rows->hy[row] = length > 0.0f ? heading.y / length : 0.0f;
  rows->fresh[row] = length > 0.0f ? 0 : 1; /* a fresh agent turns to its guide at once */
  float speed = length > 0.0f ? def->start_speed : 0.0f;
  rows->walk_vx[row] = rows->vx[row] = rows->advised_vx[row] = speed * rows->hx[row];
  rows->walk_vy[row] = rows->vy[row] = rows->advised_vy[row] = speed * rows->hy[row];
  rows->frame[row] = (th_turn){1.0f, 0.0f};
  rows->gait[row] = rows->advised_gait[row] = TH_GAIT_STAND;
  rows->notice[row] = 0;
  rows->pressure[row] = 0.0f;
  th_guide_row_follow(world, row, def->guide.index);
  const th_route route = th_agent_route_of(world, def, field);
  th_agent_write_route(world, row, &route);
  th_agent_write_body(world, row, def);
  th_agent_write_links(world, row, def);
  th_choice_route_put(world, row, def);
  th_agent_head_for(world, row, 0);
  rows->due[row] = th_world_due(world, def->delay);
  bool delayed = rows->due[row] > world->step;
  rows->in[row] = !delayed;
  rows->state[row] = delayed                   ? TH_AGENT_DELAYED
                     : def->external           ? TH_AGENT_EXTERNAL
                     : th_agent_under_way(def) ? TH_AGENT_WALKING
                                               : TH_AGENT_WAITING;
  if (!th_agent_under_way(def)) rows->due[row] = UINT64_MAX;
  rows->premovement[row] = def->premovement;
  if (rows->state[row] == TH_AGENT_WALKING) th_agent_stand(world, row);
  if (delayed && def->external) rows->state[row] = TH_AGENT_EXTERNAL, rows->in[row] = 1;
}

th_result th_agent_emit(th_world *world, const th_agent_def *def, const uint16_t *field, th_agent_id *id) {
  th_rows *rows = &world->rows;
  if (rows->count == rows->capacity) return TH_ERROR_CAPACITY;
  uint32_t model;
  if (th_model_slot_find(world, def->model, &model, NULL)) return TH_ERROR_CAPACITY;
  if (!th_guide_row_left(world, def->guide.index)) return TH_ERROR_CAPACITY;
  uint8_t people;
  if (th_people_sets_find(&world->people, def->people, &people, NULL)) return TH_ERROR_CAPACITY;
  th_id fresh = th_ids_take(&world->ids);
  if (!fresh.index) return TH_ERROR_CAPACITY;
  uint32_t row = rows->count++;
  world->row_of[fresh.index - 1] = row;
  rows->id[row] = (th_agent_id){fresh.index, fresh.generation, fresh.tag};
  rows->agent[row] = fresh.index;
  rows->model[row] = (uint8_t)model;
  rows->guide[row] = rows->guide_row[row] = 0;
  rows->group[row] = 0;
  rows->people[row] = 0;
  rows->choice[row] = (th_row_choice){0};
  rows->away[row] = (th_vec2){0.0f, 0.0f};
  rows->held[row] = 0.0f;
  th_model_slot_set(world, model, row, def->params, false);
  write_row(world, row, def, field);
  world->counters.added++;
  if (id) *id = rows->id[row];
  return TH_OK;
}

/* ---------------------------------------------------------------- calls */

/* The table entries of a route's fields; a goal that is gone keeps its entry. */
static th_result find_fields(th_world *world, const th_agent_def *def, uint16_t *field, th_error *error) {
  const th_field_key key = {.radius_class = th_ground_class(world->ground, def->radius),
                            .eps_level = th_goal_eps_level(def->eps)};
  th_result result = TH_OK;
  for (uint32_t i = 0; i < def->route_count && !result; i++)
    result = th_choice_route_fields(world, &def->route[i], key, &field[i], error);
  return result;
}

th_result th_agent_fields(th_world *world, const th_agent_def *def, uint16_t *field, th_error *error) {
  uint32_t before = world->entry_count;
  th_result result = find_fields(world, def, field, error);
  th_goal_entries_end(world, before, !result);
  return result;
}

static th_result make_room_for(th_world *world, uint32_t count, th_error *error) {
  if (count > UINT32_MAX / 2 - world->rows.count) return th_fail(error, TH_ERROR_CAPACITY, "agents", "too many agents");
  uint32_t need = world->rows.count + count, doubled = world->rows.capacity * 2;
  if (need <= world->rows.capacity) return TH_OK;
  return th_world_capacity_reserve(world, need > doubled ? need : doubled) ? TH_OK : th_fail_memory(error, "agents");
}

/* Everything that may fail, before the first row is written. */
static th_result prepare(th_world *world, const th_agent_def *def, uint32_t count, th_error *error) {
  uint16_t field[TH_MAX_STOPS];
  uint32_t model, before = world->entry_count;
  uint8_t people;
  th_result result = make_room_for(world, count, error);
  if (!result) result = th_guide_rows_for_all(world, def, count, error);
  for (uint32_t i = 0; i < count && !result; i++) {
    result = th_model_slot_for(world, def[i].model, def[i].params, &model, error);
    if (!result) result = th_people_sets_find(&world->people, def[i].people, &people, error);
    if (!result) result = find_fields(world, &def[i], field, error);
  }
  th_goal_entries_end(world, before, !result);
  return result;
}

static th_result check_one(th_world *world, const th_agent_def *def, uint32_t element, th_error *error) {
  th_result result = th_agent_check(world, def, NULL, error);
  if (!result) result = th_agent_check_needs(world, UINT32_MAX, def, error);
  if (!result) result = th_agent_check_place(world, def->point, def->level, error);
  if (!result || !error) return result;
  char text[sizeof error->text];
  memcpy(text, error->text, sizeof text);
  snprintf(error->text, sizeof error->text, "agent %u: %.300s", element, text);
  error->element = element;
  return result;
}

th_result th_world_add_agents(th_world *world, const th_agent_def *def, uint32_t count, th_agent_id *ids,
                              th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_add_agents", error);
  for (uint32_t i = 0; i < count && !result; i++) result = check_one(world, &def[i], i, error);
  if (!result) result = prepare(world, def, count, error);
  for (uint32_t i = 0; i < count && !result; i++) {
    uint16_t field[TH_MAX_STOPS];
    find_fields(world, &def[i], field, NULL); /* all entries are there now */
    th_agent_emit(world, &def[i], field, ids ? &ids[i] : NULL);
  }
  th_model_slot_settle(world);
  th_people_sets_settle(&world->people);
  return result;
}

th_result th_world_add_agent(th_world *world, const th_agent_def *def, th_agent_id *agent, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  return th_world_add_agents(world, def, 1, agent, error);
}

void th_agent_drop(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  th_agent_id id = rows->id[row];
  uint32_t last = rows->count - 1;
  th_traces_forget(world, id);
  th_groups_forget(world, row);
  th_ids_give(&world->ids, TH_ID(id));
  th_model_slot_leave(world, rows->model[row], row);
  th_people_sets_leave(&world->people, rows->people[row]);
  th_guide_row_give(world, row);
  if (row != last) {
    th_rows_copy(rows, row, last);
    th_model_slot_move(world, rows->model[row], row, last);
    world->row_of[rows->id[row].index - 1] = row;
  }
  rows->count--;
  if (last >= world->tail && row < world->tail) world->order_holds = false; /* a later agent in an earlier row */
  if (world->tail > rows->count) world->tail = rows->count;
  world->counters.removed++;
}

void th_world_remove_agent(th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return;
  uint32_t row;
  if (th_agent_find(world, agent, "th_world_remove_agent", &row, NULL)) return;
  if (world->advised) {
    th_fault(&world->env, "th_world_remove_agent: expected th_world_integrate or th_world_accept first");
    return;
  }
  th_agent_drop(world, row);
  th_event_add(world, TH_EVENT_REMOVED, agent, 0);
  th_events_sort(world);
}
