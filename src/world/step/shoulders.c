/* world/step/shoulders.c - people under pressure give way, and turn their shoulders.
 *
 * The pressure of an agent is a number from 0 to 1. It grows to 1 within half a second while the agent wants to walk
 * and is slower than a share of its wanted speed; it falls again, over four seconds, when the agent walks and nobody
 * pushes it: people who had to wait keep close to each other for a while, without which a corridor behind a jam
 * flows no better than one without. Pressure has two effects. The agent gives up the personal distance beside its body
 * (view/room_ahead.c). And while it is slow, it turns its shoulders: towards other agents its body narrows, down to a
 * given share of its radius. An agent that walks is as wide as ever even under pressure, because at doors and in
 * corridors people keep close but do not walk sideways. For walls and fields the radius stays. All this is a function
 * of the state alone. Cost: about 3 ns per agent, in worlds where somebody has shoulders to turn.
 */
#include <math.h>

#include "world/step/step.h"

#define HINDERED 0.3f  /* of the wanted speed: an agent that gets along slower is under pressure */
#define RISE 0.5f      /* [s]: until the pressure is full */
#define FALL 4.0f      /* [s]: until the pressure is gone */
#define RETURN 0.35f   /* [s]: until shoulders are back */
#define PUSHED 0.05f   /* [m/s]: an agent that others push at this speed stays under pressure */
#define SIDEWAYS 0.15f /* [m/s]: shoulders are turned as far as the pressure goes */
#define FORWARDS 0.35f /* [m/s]: and not at all */

static float next_pressure(const th_world *world, uint32_t slot, uint32_t row) {
  const th_rows *rows = &world->rows;
  const th_guide_answer *want = &world->want[slot];
  const float vx = rows->vx[row], vy = rows->vy[row], pressure = rows->pressure[row];
  const bool hindered = want->state == TH_ANSWER_LEAD && vx * want->dx + vy * want->dy < HINDERED * rows->speed[row];
  if (hindered) return fminf(1.0f, pressure + world->dt / RISE);
  if (pressure == 0.0f) return 0.0f;
  const float px = vx - rows->walk_vx[row], py = vy - rows->walk_vy[row];
  if (px * px + py * py > PUSHED * PUSHED) return pressure;
  return fmaxf(0.0f, pressure - world->dt / FALL);
}

/* Turning back takes a moment, so that a body which is pushed on does not press into others. */
static float next_body(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const float full = rows->radius[row], vx = rows->vx[row], vy = rows->vy[row], pressure = rows->pressure[row];
  if (pressure == 0.0f && rows->body[row] == full) return full;
  const float slow = (FORWARDS - sqrtf(vx * vx + vy * vy)) / (FORWARDS - SIDEWAYS);
  const float whole = full * (1.0f - rows->shoulders[row]), turned = pressure * fminf(1.0f, fmaxf(0.0f, slow));
  return fminf(full - whole * turned, rows->body[row] + whole * world->dt / RETURN);
}

static void turn_slots(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_world *world = context;
  th_rows *rows = &world->rows;
  (void)worker;
  for (uint32_t slot = begin; slot < end; slot++) {
    const uint32_t row = world->order.row[slot];
    if (!(rows->shoulders[row] < 1.0f)) continue;
    rows->pressure[row] = next_pressure(world, slot, row);
    rows->body[row] = world->order.body[slot] = next_body(world, row);
  }
}

void th_world_turn_shoulders(th_world *world) {
  th_parallel_for(world->pool, world->order.count, 1024, turn_slots, world);
}
