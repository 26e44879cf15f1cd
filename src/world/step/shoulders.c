/* world/step/shoulders.c - people under pressure turn their shoulders.
 *
 * An agent that wants to go on and gets along by less than a part of its wanted speed turns sideways: its body narrows
 * towards other agents, within half a second, to the least part of its radius. When it walks again, and nobody presses
 * on it, it turns back. Walls and fields keep the full radius. A function of the state alone. Cost: about 3 ns per
 * agent, in worlds where somebody has shoulders to turn.
 */
#include <math.h>

#include "world/step/step.h"

#define HINDERED 0.25f /* of the wanted speed: an agent that walks slower is under pressure */
#define TURN 0.5f      /* [s]: that a whole turn takes */
#define BACK 0.15f     /* [s]: the same back */
#define PRESSED 0.05f  /* [m/s]: who is pushed by others at this speed does not turn back */

static float next_body(const th_world *world, uint32_t slot, uint32_t row) {
  const th_rows *rows = &world->rows;
  const th_guide_answer *want = &world->want[slot];
  const float full = rows->radius[row], vx = rows->vx[row], vy = rows->vy[row];
  const bool hindered = want->state == TH_ANSWER_LEAD && vx * want->dx + vy * want->dy < HINDERED * rows->speed[row];
  if (!hindered && rows->body[row] == full) return full;
  const float least = full * rows->shoulders[row], turn = (full - least) * world->dt;
  const float px = vx - rows->walk_vx[row], py = vy - rows->walk_vy[row];
  if (hindered) return fmaxf(least, rows->body[row] - turn / TURN);
  if (px * px + py * py > PRESSED * PRESSED) return rows->body[row];
  return fminf(full, rows->body[row] + turn / BACK);
}

static void turn_slots(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_world *world = context;
  (void)worker;
  for (uint32_t slot = begin; slot < end; slot++) {
    uint32_t row = world->order.row[slot];
    if (world->rows.shoulders[row] < 1.0f)
      world->rows.body[row] = world->order.body[slot] = next_body(world, slot, row);
  }
}

void th_world_turn_shoulders(th_world *world) {
  th_parallel_for(world->pool, world->order.count, 1024, turn_slots, world);
}
