/* world/step/finish.c - phase 8: arrivals, waits, sinks, sources, events.
 *
 * Earlier phases, which read a row anyway, have marked the agents to which something happens with a notice. These few
 * are handled one after the other, so removal, events and counters never depend on workers. Cost: reading one byte per
 * agent.
 */
#include <string.h>

#include "world/agent/agents.h"
#include "world/events.h"
#include "world/step/step.h"

/* At a stop: wait there, go on, start again, stay or leave. */
static void arrive(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  th_route *route = &rows->route[row];
  uint32_t goal = route->next < route->count ? route->goal[route->next] : 0;
  bool sink = goal && world->goals.goal[goal - 1].def.sink;
  th_event_add(world, TH_EVENT_ARRIVED, rows->id[row], goal);
  world->counters.arrived++;
  float wait = route->next < route->count ? route->wait[route->next] : 0.0f;
  bool last = route->next + 1 >= route->count;
  if (sink || (last && !route->loop && route->remove && !(wait > 0.0f))) {
    rows->notice[row] |= TH_NOTICE_GONE;
    return;
  }
  if (last && !route->loop) {
    rows->state[row] = route->remove ? TH_AGENT_WAITING : TH_AGENT_ARRIVED;
    rows->due[row] = th_world_due(world, wait);
    return;
  }
  if (wait > 0.0f) {
    rows->state[row] = TH_AGENT_WAITING;
    rows->due[row] = th_world_due(world, wait);
    return;
  }
  th_agent_head_for(world, row, last ? 0 : (uint8_t)(route->next + 1));
}

static void wake(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  th_route *route = &rows->route[row];
  bool last = route->next + 1 >= route->count;
  if (last && !route->loop) {
    rows->notice[row] |= TH_NOTICE_GONE;
    return;
  }
  rows->state[row] = TH_AGENT_WALKING;
  th_agent_head_for(world, row, last ? 0 : (uint8_t)(route->next + 1));
}

static void handle(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  uint8_t notice = rows->notice[row];
  if (rows->state[row] != TH_AGENT_WALKING) notice &= TH_NOTICE_WALL | TH_NOTICE_AWAKE; /* changed since the answer */
  uint32_t goal = rows->route[row].next < rows->route[row].count ? rows->route[row].goal[rows->route[row].next] : 0;
  if (notice & TH_NOTICE_WALL) world->counters.wall_contacts++;
  if (notice & TH_NOTICE_ARRIVED) arrive(world, row);
  if (notice & TH_NOTICE_AWAKE) wake(world, row);
  if (notice & TH_NOTICE_LOST) {
    rows->state[row] = TH_AGENT_LOST;
    th_event_add(world, TH_EVENT_UNREACHABLE, rows->id[row], goal);
    world->counters.unreachable++;
  }
  if (notice & TH_NOTICE_STUCK) {
    const bool queues = th_agent_queues(world, row);
    th_event_add(world, queues ? TH_EVENT_QUEUES : TH_EVENT_STUCK, rows->id[row], goal);
    world->counters.stuck += !queues;
    world->counters.queues += queues;
  }
}

/* Eight rows at a glance. */
static void handle_noticed(th_world *world) {
  const uint8_t *notice = world->rows.notice;
  uint32_t count = world->rows.count, row = 0;
  for (; row + 8 <= count; row += 8) {
    uint64_t eight;
    memcpy(&eight, notice + row, sizeof eight);
    for (uint32_t k = 0; eight && k < 8; k++)
      if (notice[row + k]) handle(world, row + k);
  }
  for (; row < count; row++)
    if (notice[row]) handle(world, row);
}

static void remove_gone(th_world *world) {
  for (uint32_t row = world->rows.count; row-- > 0;) {
    if (!(world->rows.notice[row] & TH_NOTICE_GONE)) continue;
    th_event_add(world, TH_EVENT_REMOVED, world->rows.id[row], 0);
    th_agent_drop(world, row);
  }
}

void th_phase_finish(th_world *world) {
  if (world->traces) th_traces_end(world);
  handle_noticed(world);
  remove_gone(world);
  world->step++;
  world->time += (double)world->dt;
  th_sources_emit(world);
  th_events_sort(world);
}
