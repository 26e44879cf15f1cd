/* world/step/queue.c - tells agents that queue from agents that are stuck.
 *
 * An agent that makes no progress for a while may stand in a queue that moves slowly, or in a jam that never opens. The
 * agents ahead of it tell which: the nearest ones in the direction that it wants to go, the nearest ones ahead of
 * those, and so on. In a queue one of them made progress within the same time, waits at a stop or has not set off yet.
 * In a jam all of them stand, or there is nobody. Each agent has up to three ahead: in a dense crowd before a door the
 * nearest ones alone form cycles. Only agents without progress ask, every TH_STUCK_SECONDS. Cost: some 20 us per agent
 * that is looked at, mostly one or two.
 */
#include <math.h>

#include "geometry/vector.h"
#include "world/nearby.h"
#include "world/step/step.h"

#define REACH 1.5f /* from body to body: an agent farther away blocks nobody [m] */

enum { BRANCHES = 3, MOST = 128 }; /* agents ahead of each; agents that are looked at */

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

typedef struct ahead {
  uint32_t row[BRANCHES], count;
  float far2[BRANCHES];
} ahead;

/* Keeps the nearest; equal distances fall to the lower id, for rows have no lasting order. */
static void keep(const th_rows *rows, ahead *a, uint32_t row, float far2) {
  uint32_t k = a->count;
  while (k > 0 &&
         (far2 < a->far2[k - 1] || (far2 == a->far2[k - 1] && rows->agent[row] < rows->agent[a->row[k - 1]]))) {
    if (k < BRANCHES) a->row[k] = a->row[k - 1], a->far2[k] = a->far2[k - 1];
    k--;
  }
  if (k == BRANCHES) return;
  a->row[k] = row;
  a->far2[k] = far2;
  if (a->count < BRANCHES) a->count++;
}

/* The nearest agents ahead of an agent, at most as far to the side as both are wide. */
static ahead ahead_of(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const th_vec3 wanted = wish_of(world, row), at = th_row_point(world, row);
  ahead found = {.count = 0};
  uint32_t other;
  if (th_dot3(wanted, wanted) == 0.0f) return found;
  for (th_nearby walk = th_nearby_begin(world, at, REACH + rows->radius[row] + world->order.radius_max);
       th_nearby_next(&walk, &other);) {
    if (other == row || !rows->in[other]) continue;
    const th_vec3 p = th_row_point(world, other), d = {p.x - at.x, p.y - at.y, p.z - at.z};
    const float wide = rows->radius[row] + rows->radius[other], far2 = th_dot3(d, d), along = th_dot3(d, wanted);
    if (!(along > 0.0f) || far2 - along * along >= wide * wide || far2 >= (REACH + wide) * (REACH + wide)) continue;
    keep(rows, &found, other, far2);
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

static bool holds(const uint32_t *list, uint32_t count, uint32_t row) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == row) return true;
  return false;
}

bool th_agent_queues(const th_world *world, uint32_t row) {
  uint32_t list[MOST] = {row}, count = 1;
  for (uint32_t i = 0; i < count; i++) {
    const ahead found = ahead_of(world, list[i]);
    for (uint32_t k = 0; k < found.count; k++) {
      if (goes_on(world, found.row[k])) return true;
      if (count < MOST && !holds(list, count, found.row[k])) list[count++] = found.row[k];
    }
  }
  return false;
}
