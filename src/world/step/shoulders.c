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

#define HINDERED 0.4f  /* of the wanted speed: an agent that gets along slower is under pressure */
#define RISE 0.5f      /* [s]: until the pressure is full */
#define FALL 4.0f      /* [s]: until the pressure is gone */
#define RETURN 0.35f   /* [s]: until shoulders are back */
#define PUSHED 0.05f   /* [m/s]: an agent that others push at this speed stays under pressure */
#define SQUEEZED 0.02f /* [m/s]: and at this speed its shoulders stay turned */
#define JAMMED 0.4f    /* [m/s]: while it is slower than this */
#define SIDEWAYS 0.15f /* [m/s]: shoulders are turned as far as the pressure goes */
#define FORWARDS 0.35f /* [m/s]: and not at all */

static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }

static bool is_hindered(const th_world *world, uint32_t slot, float speed) {
  const th_guide_answer *want = &world->want[slot];
  const float along = world->order.vx[slot] * want->dx + world->order.vy[slot] * want->dy;
  return want->state == TH_ANSWER_LEAD && along < HINDERED * speed;
}

static bool is_pushed(const th_rows *rows, uint32_t row, float speed) {
  const float px = rows->vx[row] - rows->walk_vx[row], py = rows->vy[row] - rows->walk_vy[row];
  return px * px + py * py > speed * speed;
}

static float next_pressure(const th_world *world, uint32_t row, bool hindered) {
  const float pressure = world->rows.pressure[row];
  if (hindered) return least(1.0f, pressure + world->dt / RISE);
  return is_pushed(&world->rows, row, PUSHED) ? pressure : most(0.0f, pressure - world->dt / FALL);
}

/* Turning back takes a moment, and room: who is pushed in a jam stays as narrow as it is, for its shoulders would push
 * others back. */
static float next_body(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const float full = rows->radius[row], vx = rows->vx[row], vy = rows->vy[row], pressure = rows->pressure[row];
  const float speed = sqrtf(vx * vx + vy * vy), slow = (FORWARDS - speed) / (FORWARDS - SIDEWAYS);
  const float whole = full * (1.0f - rows->shoulders[row]), turned = pressure * least(1.0f, most(0.0f, slow));
  const bool held = speed < JAMMED && is_pushed(rows, row, SQUEEZED);
  return least(full - whole * turned, rows->body[row] + (held ? 0.0f : whole * world->dt / RETURN));
}

/* Most agents are under no pressure and stay so: they are told by few columns, which the order has side by side. */
static void turn_slots(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_world *world = context;
  th_rows *rows = &world->rows;
  const th_order *order = &world->order;
  (void)worker;
  for (uint32_t slot = begin; slot < end; slot++) {
    const uint32_t row = order->row[slot];
    const bool hindered = is_hindered(world, slot, rows->speed[row]);
    if (!hindered && rows->pressure[row] == 0.0f && order->body[slot] == order->radius[slot]) continue;
    if (!(rows->shoulders[row] < 1.0f)) continue;
    rows->pressure[row] = next_pressure(world, row, hindered);
    rows->body[row] = order->body[slot] = next_body(world, row);
  }
}

void th_world_turn_shoulders(th_world *world) {
  th_parallel_for(world->pool, world->order.count, 1024, turn_slots, world);
}
