/* world/traces.c - traced agents: chosen by the host, each with memory for what is published about it.
 *
 * A traced agent has a block of its own, so workers need no locks, and what does not fit is the same for any number of
 * workers. Traces are no part of the state: hash and snapshot do not know them, and a restored world goes on tracing
 * the agents that exist in it. Without tracing a world has no th_traces, and a step pays for one pointer per 16 agents;
 * with it also for a look at the number of each agent's block.
 */
#include "world/traces.h"

#include <stdio.h>
#include <string.h>

#include "world/agent/agents.h"
#include "world/world.h"

const th_trace th_world_own_trace[TH_OWN_TRACES] = {
    [TH_OWN_WANTED] = {"wanted", TH_TRACE_VECTOR, "m/s", "the guide's direction at the wanted speed; value: that speed",
                       0},
    [TH_OWN_LEFT] = {"left", TH_TRACE_SCALAR, "m", "distance left, as the guide knows it", 0},
    [TH_OWN_SLOW] = {"slow", TH_TRACE_SCALAR, "", "share of the wanted speed that the guide takes off", 0},
    [TH_OWN_ADVISED] = {"advised", TH_TRACE_VECTOR, "m/s", "the velocity that the model has chosen; value: its gait",
                        0},
    [TH_OWN_FACING] = {"facing", TH_TRACE_VECTOR, "",
                       "where the model wants it to look, when that is not along the velocity", 0},
    [TH_OWN_GROUP_AREA] = {"group area", TH_TRACE_SEGMENT, "",
                           "side of the area that its group fills; value: weight of markers inside", 0xd02020},
    [TH_OWN_GROUP_POINT] = {"group point", TH_TRACE_POINT, "", "common point of its group's area; value: 1 inside it",
                            0xd02020},
    [TH_OWN_GROUP_MASK] = {"group mask", TH_TRACE_SEGMENT, "m",
                           "arm of the mask that aligns its group; value: its half width", 0x4060d0},
};

const th_trace *th_world_trace_table(uint32_t *count) {
  *count = TH_OWN_TRACES;
  return th_world_own_trace;
}

/* ---------------------------------------------------------------- memory */

th_trace_def th_default_trace_def(void) { return (th_trace_def){.agents = 16, .items = 64, .values = 1024}; }

/* What models publish at most that do not say how much, and what world, groups and people's layer add. */
enum { MODEL_ITEMS = 128, OWN_ITEMS = 32 };

static void widen(const th_model *model, const void *params, th_trace_size *size) {
  if (!model->trace_size || !params) return;
  const th_trace_size own = model->trace_size(params);
  size->items = own.items > size->items ? own.items : size->items;
  size->values = own.values > size->values ? own.values : size->values;
}

th_trace_def th_world_trace_def(const th_world *world) {
  th_trace_def def = th_default_trace_def();
  if (th_no_world(world, __func__)) return def;
  th_trace_size size = {MODEL_ITEMS, def.values};
  for (uint32_t row = 0; row < world->rows.count; row++) {
    const th_model_slot *use = &world->model[world->rows.model[row]];
    widen(use->model, th_model_params(use, row), &size);
  }
  for (uint32_t i = 0; i < world->sources.capacity; i++)
    if (th_ids_at(&world->sources.ids, i).index)
      widen(world->sources.source[i].def.agent.model, world->sources.source[i].params, &size);
  uint32_t guided = 0;
  for (uint32_t i = 0; i < th_ids_used(&world->guides.ids); i++) {
    const th_guide_slot *use = &world->guides.guide[i];
    if (!use->kind || !use->kind->trace_size) continue;
    const th_trace_size own = use->kind->trace_size(use->params);
    guided = own.items > guided ? own.items : guided;
    size.values = own.values > size.values ? own.values : size.values;
  }
  def.items = size.items + guided + OWN_ITEMS;
  def.values = size.values;
  return def;
}

static th_result check(const th_trace_def *def, th_error *error) {
  if (def->agents < 1 || def->agents > TH_MAX_TRACED)
    return th_fail(error, TH_ERROR_RANGE, "agents", "expected 1 to %u traced agents, found %u", TH_MAX_TRACED,
                   def->agents);
  if (def->items < 1 || def->items > TH_MAX_TRACE_ITEMS)
    return th_fail(error, TH_ERROR_RANGE, "items", "expected 1 to %u items, found %u", TH_MAX_TRACE_ITEMS, def->items);
  if (def->values > TH_MAX_TRACE_VALUES)
    return th_fail(error, TH_ERROR_RANGE, "values", "expected at most %u values, found %u", TH_MAX_TRACE_VALUES,
                   def->values);
  return TH_OK;
}

static void release(const th_allocator *a, th_traces *t) {
  if (!t) return;
  TH_GIVE(a, t->block, t->def.agents);
  TH_GIVE(a, t->id, t->def.agents);
  th_give(a, t->item, t->def.agents, t->def.items * sizeof *t->item);
  th_give(a, t->value, t->def.agents, t->def.values * sizeof *t->value);
  TH_GIVE(a, t->block_of, t->capacity);
  TH_GIVE(a, t->mark, t->mark_capacity);
  TH_GIVE(a, t, 1);
}

static th_traces *make(const th_allocator *a, const th_trace_def *def, uint32_t agents) {
  th_traces *t = TH_TAKE(a, th_traces, 1);
  if (!t) return NULL;
  t->def = *def;
  t->capacity = t->mark_capacity = agents;
  t->block = TH_TAKE(a, th_trace_block, def->agents);
  t->id = TH_TAKE(a, th_agent_id, def->agents);
  t->item = th_take(a, def->agents, def->items * sizeof *t->item);
  t->value = th_take(a, def->agents, def->values * sizeof *t->value);
  t->block_of = TH_TAKE(a, uint32_t, agents);
  t->mark = TH_TAKE(a, uint8_t, agents);
  if (!t->block || !t->id || !t->item || !t->value || !t->block_of || !t->mark) {
    release(a, t);
    return NULL;
  }
  for (uint32_t i = 0; i < def->agents; i++)
    t->block[i] = (th_trace_block){.item = t->item + (size_t)i * def->items,
                                   .value = t->value + (size_t)i * def->values,
                                   .items = def->items,
                                   .values = def->values};
  return t;
}

bool th_traces_grow(th_world *world, uint32_t agents) {
  th_traces *t = world->traces;
  if (!t) return true;
  void *block_of = t->block_of, *mark = t->mark;
  bool grown = th_grow(&world->env.allocator, &block_of, &t->capacity, agents, sizeof *t->block_of) &&
               th_grow(&world->env.allocator, &mark, &t->mark_capacity, agents, sizeof *t->mark);
  t->block_of = block_of;
  t->mark = mark;
  return grown;
}

void th_traces_free(th_world *world) {
  release(&world->env.allocator, world->traces);
  world->traces = NULL;
}

/* ---------------------------------------------------------------- who is traced */

static bool take_block(th_traces *t, th_agent_id agent) {
  if (t->block_of[agent.index - 1]) return true;
  for (uint32_t n = 0; t->used < t->def.agents && n < t->def.agents; n++) {
    uint32_t i = t->next;
    t->next = i + 1 < t->def.agents ? i + 1 : 0;
    if (t->id[i].index) continue;
    th_trace_block *b = &t->block[i];
    th_trace_clear_guide(b);
    th_trace_clear_decision(b);
    t->id[i] = agent;
    t->block_of[agent.index - 1] = i + 1;
    t->used++;
    return true;
  }
  return false;
}

static void give_block(th_traces *t, uint32_t block) {
  t->block_of[t->id[block].index - 1] = 0;
  t->id[block] = TH_NULL_AGENT;
  t->used--;
}

/* Agents from the lowest index on, as many as there are blocks. */
static void trace_all(th_world *world) {
  th_traces *t = world->traces;
  if (t->used == world->rows.count) return;
  for (uint32_t i = 0; i < world->ids.capacity; i++) {
    th_id id = th_ids_at(&world->ids, i);
    if (!id.index || take_block(t, (th_agent_id){id.index, id.generation, id.tag})) continue;
    char text[160];
    if (t->told_agents) return;
    t->told_agents = true;
    snprintf(text, sizeof text, "traces: agent %u and others are not traced: the capacity is %u agents", id.index,
             t->def.agents);
    world->env.log.write(world->env.log.user, TH_LOG_WARNING, text);
    return;
  }
}

th_result th_world_trace(th_world *world, const th_trace_def *def, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_trace", error);
  if (!result && def) result = check(def, error);
  if (result) return result;
  th_traces *t = def ? make(&world->env.allocator, def, world->row_of_capacity) : NULL;
  if (def && !t) return th_fail_memory(error, "traces");
  th_traces_free(world);
  world->traces = t;
  if (t && def->all) trace_all(world);
  return TH_OK;
}

th_result th_world_trace_agent(th_world *world, th_agent_id agent, bool on, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = th_agent_find(world, agent, "th_world_trace_agent", &row, error);
  if (result) return result;
  th_traces *t = world->traces;
  if (!t) return on ? th_fail(error, TH_ERROR_STATE, "traces", "expected th_world_trace before it") : TH_OK;
  uint32_t block = t->block_of[agent.index - 1];
  if (!on && block) give_block(t, block - 1);
  if (on && !take_block(t, agent))
    return th_fail(error, TH_ERROR_CAPACITY, "traces", "expected at most %u traced agents", t->def.agents);
  return TH_OK;
}

uint32_t th_world_traced(const th_world *world, th_agent_id *ids, uint32_t capacity) {
  if (th_no_world(world, __func__) || !world->traces) return 0;
  const th_traces *t = world->traces;
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->capacity && count < t->used; i++) {
    if (!t->block_of[i]) continue;
    if (count < capacity) ids[count] = t->id[t->block_of[i] - 1];
    count++;
  }
  return count;
}

uint32_t th_world_traces(const th_world *world, th_agent_id agent, th_trace_item *items, uint32_t capacity) {
  uint32_t row, count = 0;
  if (th_no_world(world, __func__) || th_agent_find(world, agent, "th_world_traces", &row, NULL)) return 0;
  const th_traces *t = world->traces;
  uint32_t block = t ? t->block_of[agent.index - 1] : 0;
  if (!block) return 0;
  const th_trace_block *b = &t->block[block - 1];
  for (uint32_t i = 0; i < b->front; i++, count++)
    if (count < capacity) items[count] = b->item[i];
  for (uint32_t i = 1; i <= b->back; i++, count++)
    if (count < capacity) items[count] = b->item[b->items - i];
  return count;
}

void th_traces_forget(th_world *world, th_agent_id agent) {
  th_traces *t = world->traces;
  uint32_t block = t ? t->block_of[agent.index - 1] : 0;
  if (block) give_block(t, block - 1);
}

void th_traces_restored(th_world *world) {
  th_traces *t = world->traces;
  for (uint32_t i = 0; t && i < t->def.agents; i++) {
    th_trace_clear_guide(&t->block[i]);
    th_trace_clear_decision(&t->block[i]);
    if (t->id[i].index && !th_ids_valid(&world->ids, TH_ID(t->id[i]))) give_block(t, i);
  }
}

/* ---------------------------------------------------------------- in a step */

void th_traces_begin(th_world *world) {
  th_traces *t = world->traces;
  if (t->def.all) trace_all(world);
  memset(t->mark, 0, world->rows.count);
  for (uint32_t i = 0; i < t->def.agents; i++) {
    th_trace_clear_guide(&t->block[i]);
    if (t->id[i].index) t->mark[world->row_of[t->id[i].index - 1]] = 1;
  }
}

static void tell(th_world *world, th_log_level level, const char *format, uint32_t agent, const char *name) {
  char text[192];
  snprintf(text, sizeof text, format, agent, name);
  world->env.log.write(world->env.log.user, level, text);
}

void th_traces_end(th_world *world) {
  th_traces *t = world->traces;
  for (uint32_t i = 0; i < t->def.agents && !(t->told_items && t->told_type); i++) {
    th_trace_block *b = &t->block[i];
    if (b->dropped && !t->told_items)
      tell(world, TH_LOG_WARNING, "traces: what agent %u publishes does not fit; set more items or values%s",
           t->id[i].index, "");
    if (b->wrong && !t->told_type)
      tell(world, TH_LOG_FAULT, "traces: agent %u: \"%s\" was published as another type than its table says",
           t->id[i].index, b->wrong->name);
    t->told_items |= b->dropped > 0;
    t->told_type |= b->wrong != NULL;
    b->dropped = 0;
    b->wrong = NULL;
  }
}

/* The traced ones of the lanes, with their places and the coordinates of guides: those of their cells. */
static th_tracer *begin(const th_world *world, th_tracer *tracer, const uint32_t *row, uint32_t count) {
  const th_traces *t = world->traces;
  const th_rows *rows = &world->rows;
  tracer->ground = world->ground;
  tracer->step = world->step;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t block = lane < count ? t->block_of[rows->agent[row[lane]] - 1] : 0, at = row[lane < count ? lane : 0];
    tracer->lane[lane] = (th_trace_lane){.block = block ? &t->block[block - 1] : NULL,
                                         .place = {rows->cell[at], rows->x[at], rows->y[at]},
                                         .x = rows->x[at],
                                         .y = rows->y[at],
                                         .m = {1.0f, 0.0f, 0.0f, 1.0f}};
  }
  return tracer;
}

th_tracer *th_traces_of_guide(const th_world *world, th_tracer *tracer, const uint32_t *row, uint32_t count,
                              const char *guide) {
  begin(world, tracer, row, count);
  tracer->source = guide;
  tracer->guide = true;
  return tracer;
}

/* From the coordinates of the pass to the frame of the agent's cell. */
static void turn_lane(const th_world *world, th_trace_lane *to, const th_traced_lanes *from, uint32_t lane) {
  const bool alone = from->pass->over == TH_OVER_LANES;
  to->x = alone ? 0.0f : from->view->x[lane];
  to->y = alone ? 0.0f : from->view->y[lane];
  if (alone) {
    const th_turn turn = world->rows.frame[from->row[lane]];
    memcpy(to->m, (float[4]){turn.c, -turn.s, turn.s, turn.c}, sizeof to->m);
  } else if (from->crowd) {
    const th_chart_map *map = th_patch_crowd_map(from->crowd, from->seen[lane]);
    const th_vec2 x = th_chart_to_face(map, 1.0f, 0.0f), y = th_chart_to_face(map, 0.0f, 1.0f);
    memcpy(to->m, (float[4]){x.x, y.x, x.y, y.y}, sizeof to->m);
  }
}

/* Passes over patches come before and know no agents. */
static bool is_first(const th_traced_lanes *lanes) {
  const th_pass *first = lanes->model->pass;
  while (first < lanes->pass && first->over == TH_OVER_PATCHES) first++;
  return first == lanes->pass;
}

th_tracer *th_traces_of_pass(const th_world *world, th_tracer *tracer, const th_traced_lanes *lanes) {
  begin(world, tracer, lanes->row, lanes->count);
  tracer->source = lanes->model->name;
  tracer->guide = false;
  for (uint32_t lane = 0; lane < lanes->count; lane++) {
    if (!tracer->lane[lane].block) continue;
    turn_lane(world, &tracer->lane[lane], lanes, lane);
    if (is_first(lanes)) th_trace_clear_decision(tracer->lane[lane].block);
  }
  return tracer;
}

static void publish_wanted(th_tracer *tracer, const th_view *view, uint32_t lane) {
  const th_guide_answer *want = &view->want[lane];
  const float speed = view->speed[lane];
  if (want->state != TH_ANSWER_LEAD) return;
  th_trace_vector(tracer, lane, &th_world_own_trace[TH_OWN_WANTED], (th_vec2){want->dx * speed, want->dy * speed},
                  speed);
  th_trace_scalar(tracer, lane, &th_world_own_trace[TH_OWN_LEFT], want->left);
  th_trace_scalar(tracer, lane, &th_world_own_trace[TH_OWN_SLOW], want->slow);
}

void th_traces_advised(th_tracer *tracer, const th_view *view, const th_advice *advice) {
  tracer->source = "world";
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    if (!th_trace_wants(tracer, lane)) continue;
    const th_vec2 facing = {advice->hx[lane], advice->hy[lane]};
    publish_wanted(tracer, view, lane);
    th_trace_vector(tracer, lane, &th_world_own_trace[TH_OWN_ADVISED], (th_vec2){advice->vx[lane], advice->vy[lane]},
                    (float)advice->gait[lane]);
    if (facing.x != 0.0f || facing.y != 0.0f)
      th_trace_vector(tracer, lane, &th_world_own_trace[TH_OWN_FACING], facing, 0.0f);
  }
}
