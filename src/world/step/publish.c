/* world/step/publish.c - phase 1: finished requests come into force.
 *
 * Finished fields and ground versions are installed, delayed agents enter, those whose premovement is over set off, and
 * those whose stop is a choice take one of its goals.
 * This phase is serial, because it changes what every later phase reads. Events of the calls between steps stay in the
 * list until here, those of a scene's events, which are part of the step, until the next.
 */
#include <math.h>

#include "world/agent/agents.h"
#include "world/events.h"
#include "world/field_requests.h"
#include "world/step/step.h"

#define BLOCK 1024 /* rows */

static void enter(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  rows->in[row] = 1;
  rows->state[row] = rows->route[row].count || rows->guide[row] ? TH_AGENT_WALKING : TH_AGENT_WAITING;
  if (rows->state[row] == TH_AGENT_WAITING) rows->due[row] = UINT64_MAX;
  rows->best_step[row] = world->step;
  th_place place = {rows->cell[row], rows->x[row], rows->y[row]};
  if (!th_ground_holds(world->ground, place)) th_world_displace(world);
  th_event_add(world, TH_EVENT_ADDED, rows->id[row], 0);
  if (rows->state[row] == TH_AGENT_WALKING) th_agent_stand(world, row);
}

static void set_off(th_world *world, uint32_t row) {
  world->rows.state[row] = TH_AGENT_WALKING;
  world->rows.best_step[row] = world->step;
  th_event_add(world, TH_EVENT_SET_OFF, world->rows.id[row], 0);
}

/* True when one of these agents is not in the world yet, or has not set off; few ever are. */
static bool any_to_come(const uint8_t *state, uint32_t count) {
  uint8_t any = 0;
  for (uint32_t i = 0; i < count; i++)
    any |= (uint8_t)((state[i] == TH_AGENT_DELAYED) | (state[i] == TH_AGENT_PREMOVEMENT));
  return any;
}

static void begin_due(th_world *world, uint32_t first, uint32_t last) {
  const th_rows *rows = &world->rows;
  for (uint32_t row = first; row < last; row++) {
    const uint8_t state = rows->state[row];
    if ((state != TH_AGENT_DELAYED && state != TH_AGENT_PREMOVEMENT) || rows->due[row] > world->step) continue;
    if (state == TH_AGENT_DELAYED)
      enter(world, row);
    else
      set_off(world, row);
  }
}

void th_phase_publish(th_world *world) {
  if (!world->events_begun) world->event_count = 0;
  world->events_begun = false;
  th_requests_publish(world);
  for (uint32_t first = 0; first < world->rows.count; first += BLOCK) {
    uint32_t rest = world->rows.count - first, count = rest < BLOCK ? rest : BLOCK;
    if (any_to_come(world->rows.state + first, count)) begin_due(world, first, first + count);
  }
  th_choices_decide(world);
}
