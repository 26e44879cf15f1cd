/* world/agent/read.c - reads one agent at a time.
 *
 * Places and vectors are given in space, on flat ground with z = 0. Whole crowds are read as arrays (th_world_agents).
 * Cost: constant.
 */
#include "world/agent/agents.h"
#include "world/nearby.h"

th_vec3 th_world_agent_point(const th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return (th_vec3){0};
  uint32_t row;
  if (th_agent_find(world, agent, "th_world_agent_point", &row, NULL)) return (th_vec3){0};
  return th_ground_point(world->ground, th_row_place(world, row));
}

th_vec3 th_world_agent_previous(const th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return (th_vec3){0};
  uint32_t row;
  if (th_agent_find(world, agent, "th_world_agent_previous", &row, NULL)) return (th_vec3){0};
  const th_rows *rows = &world->rows;
  return th_ground_point(world->ground,
                         (th_place){rows->previous_cell[row], rows->previous_x[row], rows->previous_y[row]});
}

th_vec3 th_world_agent_velocity(const th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return (th_vec3){0};
  uint32_t row;
  if (th_agent_find(world, agent, "th_world_agent_velocity", &row, NULL)) return (th_vec3){0};
  const th_vec2 v = {world->rows.vx[row], world->rows.vy[row]};
  return th_ground_to_space(world->ground, th_row_place(world, row), v);
}

th_vec3 th_world_agent_heading(const th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return (th_vec3){0};
  uint32_t row;
  if (th_agent_find(world, agent, "th_world_agent_heading", &row, NULL)) return (th_vec3){0};
  const th_vec2 h = {world->rows.hx[row], world->rows.hy[row]};
  return th_ground_to_space(world->ground, th_row_place(world, row), h);
}

th_agent_state th_world_agent_state(const th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return TH_AGENT_DELAYED;
  uint32_t row;
  if (th_agent_find(world, agent, "th_world_agent_state", &row, NULL)) return TH_AGENT_DELAYED;
  return (th_agent_state)world->rows.state[row];
}

uint32_t th_world_agent_stop(const th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return UINT32_MAX;
  uint32_t row;
  if (th_agent_find(world, agent, "th_world_agent_stop", &row, NULL)) return UINT32_MAX;
  const th_route *route = &world->rows.route[row];
  return route->next < route->count ? route->next : UINT32_MAX;
}

void *th_world_agent_user(const th_world *world, th_agent_id agent) {
  if (th_no_world(world, __func__)) return NULL;
  uint32_t row;
  return th_agent_find(world, agent, "th_world_agent_user", &row, NULL) ? NULL : world->rows.user[row];
}

float th_agent_read_premovement_left(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  if (rows->state[row] == TH_AGENT_DELAYED) return rows->premovement[row];
  if (rows->state[row] != TH_AGENT_PREMOVEMENT) return 0.0f;
  return (float)(rows->due[row] - world->step) * world->dt;
}

static void read_route(const th_world *world, uint32_t row, th_agent_def *def) {
  const th_route *route = &world->rows.route[row];
  def->route_count = route->count;
  def->loop = route->loop;
  def->remove = route->remove;
  for (uint32_t i = 0; i < route->count; i++) {
    th_id goal = route->goal[i] ? th_ids_at(&world->goals.ids, route->goal[i] - 1) : (th_id){0};
    def->route[i] = (th_stop){.goal = {goal.index, goal.generation, goal.tag}, .wait = route->wait[i]};
    const uint16_t of = world->rows.choice[row].of[i];
    const th_id choice = of ? th_ids_at(&world->choices.ids, of - 1u) : (th_id){0};
    def->route[i].choice = (th_choice_id){choice.index, choice.generation, choice.tag};
  }
  if (!world->rows.guide[row]) return;
  th_id guide = th_ids_at(&world->guides.ids, world->rows.guide[row] - 1);
  def->guide = (th_guide_id){guide.index, guide.generation, guide.tag};
}

static void read_links(const th_rows *rows, uint32_t row, th_agent_def *def) {
  def->link_count = rows->link_count[row];
  for (uint32_t i = 0; i < def->link_count; i++) {
    const th_link_target *target = &rows->links[row].target[i];
    def->link[i] = (th_link_def){rows->names[row].agent[i], target->kind == TH_LINK_POINT, target->at, target->role};
  }
}

bool th_world_agent_def(const th_world *world, th_agent_id agent, th_agent_def *def) {
  if (th_no_world(world, __func__)) return false;
  uint32_t row;
  if (th_agent_find(world, agent, "th_world_agent_def", &row, NULL)) return false;
  const th_rows *rows = &world->rows;
  const th_model_slot *use = &world->model[rows->model[row]];
  const th_place place = th_row_place(world, row);
  th_vec3 heading = th_ground_to_space(world->ground, place, (th_vec2){rows->hx[row], rows->hy[row]});
  th_vec3 v = th_ground_to_space(world->ground, place, rows->v[row]);
  *def = (th_agent_def){.point = th_ground_point(world->ground, place),
                        .heading = {heading.x, heading.y},
                        .v = {v.x, v.y},
                        .eps = rows->eps[row],
                        .model = use->model,
                        .params = th_model_params(use, row),
                        .people = world->people.of[rows->people[row]],
                        .external = rows->state[row] == TH_AGENT_EXTERNAL,
                        .user = rows->user[row]};
#define X(type, name) def->name = rows->name[row];
  TH_AGENT_COLUMNS(X)
#undef X
  read_route(world, row, def);
  read_links(rows, row, def);
  if (rows->state[row] == TH_AGENT_DELAYED) def->delay = (float)(rows->due[row] - world->step) * world->dt;
  def->premovement = th_agent_read_premovement_left(world, row);
  return true;
}
