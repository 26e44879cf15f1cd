/* world/step/shoulders.c - people under pressure give way, and turn their shoulders.
 *
 * The pressure of an agent is a number from 0 to 1. It grows to 1 within half a second while the agent wants to walk
 * and is slower than a share of its wanted speed, also for the moment in which it sets off; it falls again, over 25
 * seconds, when the agent walks and nobody pushes it: people who had to wait keep close to each other for a while,
 * without which a corridor behind a jam flows no better than one without. Pressure has two effects. The agent gives up
 * the personal distance beside its body and follows closer (view/room_ahead.c). And while it is slow, it turns its
 * shoulders: towards other agents its body narrows, down to a given share of its radius. An agent that walks is as wide
 * as ever even under pressure, because at doors and in corridors people keep close but do not walk sideways. For walls
 * and fields the radius stays. All this is a function of the state alone. Cost: about 3 ns per agent, in worlds where
 * somebody keeps a time gap or has shoulders to turn.
 */
#include <math.h>

#include "world/step/step.h"

#define HINDERED 0.36f /* of the wanted speed: an agent that gets along slower is under pressure */
#define RISE 0.5f      /* [s]: until the pressure is full */
#define FALL 25.0f     /* [s]: until the pressure is gone */
#define RETURN 0.3f    /* [s]: until shoulders are back */
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

/* Others have pushed it at more than `speed`. */
static bool is_pushed(const th_world *world, uint32_t slot, float speed) {
  const uint32_t row = world->order.row[slot];
  const float px = world->order.vx[slot] - world->rows.walk_vx[row];
  const float py = world->order.vy[slot] - world->rows.walk_vy[row];
  return px * px + py * py > speed * speed;
}

/* What changes in a step. */
typedef struct pace {
  th_world *world;
  float rise, fall, back;
} pace;

static float next_pressure(const pace *p, uint32_t slot, bool hindered) {
  const float pressure = p->world->rows.pressure[p->world->order.row[slot]];
  if (hindered) return least(1.0f, pressure + p->rise);
  return is_pushed(p->world, slot, PUSHED) ? pressure : most(0.0f, pressure - p->fall);
}

/* Turning back takes a moment, and room: who is pushed in a jam stays as narrow as it is, for its shoulders would push
 * others back. */
static float next_body(const pace *p, uint32_t slot) {
  const th_order *order = &p->world->order;
  const uint32_t row = order->row[slot];
  const float full = order->radius[slot], vx = order->vx[slot], vy = order->vy[slot], square = vx * vx + vy * vy;
  if (order->body[slot] == full && square >= FORWARDS * FORWARDS) return full;
  const float speed = sqrtf(square), slow = least(1.0f, most(0.0f, (FORWARDS - speed) / (FORWARDS - SIDEWAYS)));
  const float whole = full * (1.0f - p->world->rows.shoulders[row]), turned = p->world->rows.pressure[row] * slow;
  const bool held = speed < JAMMED && is_pushed(p->world, slot, SQUEEZED);
  return least(full - whole * turned, order->body[slot] + (held ? 0.0f : whole * p->back));
}

/* Most agents are under no pressure and stay so: they are told by few columns, which the order has side by side. */
static void turn_slots(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const pace *p = context;
  th_world *world = p->world;
  th_rows *rows = &world->rows;
  const th_order *order = &world->order;
  (void)worker;
  for (uint32_t slot = begin; slot < end; slot++) {
    const uint32_t row = order->row[slot];
    const bool hindered = is_hindered(world, slot, rows->speed[row]);
    if (!hindered && rows->pressure[row] == 0.0f && order->body[slot] == order->radius[slot]) continue;
    if (!(rows->shoulders[row] < 1.0f) && !(rows->time_gap[row] > 0.0f)) continue;
    rows->pressure[row] = next_pressure(p, slot, hindered);
    const float body = next_body(p, slot);
    if (body != order->body[slot]) rows->body[row] = order->body[slot] = body;
  }
}

void th_world_turn_shoulders(th_world *world) {
  pace p = {world, world->dt / RISE, world->dt / FALL, world->dt / RETURN};
  th_parallel_for(world->pool, world->order.count, 1024, turn_slots, &p);
}
