/* world/step/queue.c - tells agents that queue from agents that are stuck.
 *
 * An agent that makes no progress for a while may stand in a queue that moves slowly, or in a jam that never opens. The
 * chain of agents ahead of it tells which: the nearest one in the direction that it wants to go, the nearest one ahead
 * of that one, and so on. The chain of a queue ends at an agent that made progress within the same time, waits at a
 * stop or has not set off yet. The chain of a jam ends at nobody or at an agent that stays for ever, or it is a cycle.
 * Only agents without progress ask, every TH_STUCK_SECONDS. Cost: some 20 us per question in a dense crowd.
 */
#include <math.h>

#include "world/nearby.h"
#include "world/step/step.h"

#define REACH 1.5f   /* from body to body: an agent farther away blocks nobody [m] */
#define MAX_LINKS 64 /* of a chain */

static float dot(th_vec3 a, th_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* The direction that an agent wanted in this step, in space; 0, 0, 0 when it wanted to stay. Answers are in the frame
 * of the cell that the agent has come from. */
static th_vec3 wish_of(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const uint32_t slot = world->order.slot_of[row];
  if (slot >= world->order.count || rows->state[row] != TH_AGENT_WALKING) return (th_vec3){0};
  const th_guide_answer *want = &world->want[slot];
  if (want->state != TH_ANSWER_LEAD) return (th_vec3){0};
  if (!world->mesh) return (th_vec3){want->dx, want->dy, 0.0f};
  const th_place from = {rows->previous_cell[row], rows->previous_x[row], rows->previous_y[row]};
  return th_ground_to_space(world->ground, from, (th_vec2){want->dx, want->dy});
}

/* The nearest agent ahead of an agent, at most as far to the side as both are wide; UINT32_MAX: nobody. Equal distances
 * fall to the lower id, for rows have no lasting order. */
static uint32_t ahead_of(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const th_vec3 wanted = wish_of(world, row), at = th_row_point(world, row);
  uint32_t other, found = UINT32_MAX;
  float nearest = INFINITY;
  if (dot(wanted, wanted) == 0.0f) return UINT32_MAX;
  for (th_nearby walk = th_nearby_begin(world, at, REACH + rows->radius[row] + world->order.radius_max);
       th_nearby_next(&walk, &other);) {
    if (other == row || !rows->in[other]) continue;
    const th_vec3 p = th_row_point(world, other), d = {p.x - at.x, p.y - at.y, p.z - at.z};
    const float wide = rows->radius[row] + rows->radius[other], far2 = dot(d, d), along = dot(d, wanted);
    if (!(along > 0.0f) || far2 - along * along >= wide * wide || far2 >= (REACH + wide) * (REACH + wide)) continue;
    if (far2 > nearest || (far2 == nearest && rows->agent[other] > rows->agent[found])) continue;
    nearest = far2;
    found = other;
  }
  return found;
}

/* It got on within the time in which others count as stuck, or will go on by itself. */
static bool goes_on(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  switch (rows->state[row]) {
    case TH_AGENT_WALKING:
      return world->step - rows->best_step[row] < th_stuck_steps(world->dt);
    case TH_AGENT_WAITING:
      return rows->due[row] != UINT64_MAX;
    default:
      return rows->state[row] == TH_AGENT_PREMOVEMENT;
  }
}

bool th_agent_queues(const th_world *world, uint32_t row) {
  for (uint32_t link = 0; link < MAX_LINKS; link++) {
    row = ahead_of(world, row);
    if (row == UINT32_MAX) return false;
    if (goes_on(world, row)) return true;
  }
  return false;
}
