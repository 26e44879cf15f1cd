/* world/step/publish.c - phase 1: finished requests come into force.
 *
 * Finished fields and ground versions are installed and delayed agents enter. This phase is serial, because it changes
 * what every later phase reads. Events of the calls between steps stay in the list until here.
 */
#include <math.h>

#include "world/events.h"
#include "world/field_requests.h"
#include "world/step/step.h"

static void enter_delayed(th_world *world) {
  th_rows *rows = &world->rows;
  for (uint32_t row = 0; row < rows->count; row++) {
    if (rows->state[row] != TH_AGENT_DELAYED || rows->due[row] > world->step) continue;
    rows->in[row] = 1;
    rows->state[row] = rows->route[row].count || rows->guide[row] ? TH_AGENT_WALKING : TH_AGENT_WAITING;
    if (rows->state[row] == TH_AGENT_WAITING) rows->due[row] = UINT64_MAX;
    rows->best_step[row] = world->step;
    th_place place = {rows->cell[row], rows->x[row], rows->y[row]};
    if (!th_ground_holds(world->ground, place)) th_world_displace(world);
    th_event_add(world, TH_EVENT_ADDED, rows->id[row], 0);
  }
}

void th_phase_publish(th_world *world) {
  world->event_count = 0;
  th_requests_publish(world);
  enter_delayed(world);
}
