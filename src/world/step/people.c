/* world/step/people.c - phase 4: what people are like in this step, before anybody decides.
 *
 * Pressure and body width follow from the last step (people/pressure.c), people who will wait slow down before their
 * stop, and people who stand remember where. What
 * needs neighbours is done on the views that are filled for the models (people/room_ahead.c, called by decide.c). Most
 * people are under no pressure and stay so: they are told by few columns, which the order has side by side. Cost: about
 * 3 ns per person; nothing without people.
 */
#include <math.h>

#include "base/platform/fetch.h"
#include "people/pressure.h"
#include "world/step/step.h"

#define SEES 4.0f /* [m]: a goal that is nearer is seen, and who waits there */
#define AHEAD 64
#define SETS_OFF 0.1f /* of the largest change of speed in a step: advice that is farther ahead was not reached yet */

static th_pressed one_of(const th_world *world, uint32_t slot) {
  const th_order *order = &world->order;
  const th_guide_answer *want = &world->want[slot];
  const uint32_t row = order->row[slot];
  const th_rows *rows = &world->rows;
  const float vx = order->vx[slot], vy = order->vy[slot], along = vx * want->dx + vy * want->dy;
  return (th_pressed){.along = along,
                      .speed = rows->speed[row] * (1.0f - want->slow),
                      .led = want->state == TH_ANSWER_LEAD,
                      .vx = vx,
                      .vy = vy,
                      .radius = order->radius[slot],
                      .pressure = rows->pressure[row],
                      .body = order->body[slot]};
}

/* Only of those who get along slowly. */
static bool sets_off(const th_world *world, uint32_t slot, uint32_t row) {
  const th_guide_answer *want = &world->want[slot];
  const th_rows *rows = &world->rows;
  const float own = rows->walk_vx[row] * want->dx + rows->walk_vy[row] * want->dy;
  const float advised = rows->advised_vx[row] * want->dx + rows->advised_vy[row] * want->dy;
  return advised > own + SETS_OFF * rows->speed_step[row];
}

/* A person that stands remembers where, as the displacement since. */
static void keep_place(th_world *world, uint32_t slot, uint32_t row) {
  th_vec2 *away = &world->rows.away[row];
  if (world->want[slot].state == TH_ANSWER_LEAD) {
    *away = (th_vec2){0.0f, 0.0f};
    return;
  }
  const th_turn frame = world->rows.frame[row];
  const float x = world->dt * world->order.vx[slot], y = world->dt * world->order.vy[slot];
  away->x += frame.c * x + frame.s * y;
  away->y += frame.c * y - frame.s * x;
}

/* A person that wants to walk and stands is held; that is forgotten as slowly as it came. */
static void count_held(th_world *world, uint32_t slot, uint32_t row, float standing) {
  const float vx = world->order.vx[slot], vy = world->order.vy[slot], held = world->rows.held[row];
  const bool led = world->want[slot].state == TH_ANSWER_LEAD, stands = vx * vx + vy * vy < standing * standing;
  const float less = held > world->dt ? held - world->dt : 0.0f;
  world->rows.held[row] = led && stands ? held + world->dt : less;
}

/* It stops in its post. */
static bool in_formation(const th_world *world, uint32_t row) {
  const uint32_t group = world->groups.marches ? world->rows.group[row] : 0;
  return group && world->groups.group[group - 1].march.numbers.begun;
}

/* Somebody who will wait walks no faster than it can brake: v <= sqrt(2 a d), with d the distance to its stop. */
static void slow_before_stop(th_world *world, uint32_t slot, uint32_t row) {
  th_guide_answer *want = &world->want[slot];
  const float d = th_agent_stop_distance(world, row), speed = world->rows.speed[row];
  if (d <= 0.0f) world->rows.notice[row] |= TH_NOTICE_ARRIVED;
  const float most = sqrtf(2.0f * world->rows.acceleration_max[row] * fmaxf(d, 0.0f)), slow = 1.0f - most / speed;
  if (!(slow > want->slow)) return;
  want->slow = slow;
  atomic_store_explicit(&world->slowed, true, memory_order_relaxed);
}

/* Rows of a group lie near each other, and there are more columns than a processor follows on its own. */
static void fetch_rows(const th_rows *rows, uint32_t row) {
  const float *const column[] = {rows->pressure, rows->held,       rows->speed,      rows->walk_vx,
                                 rows->walk_vy,  rows->advised_vx, rows->advised_vy, rows->speed_step};
  for (uint32_t k = 0; k < sizeof column / sizeof *column; k++) th_fetch_line(&column[k][row]);
  th_fetch_line(&rows->away[row]);
}

static void press_slots(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_world *world = context;
  (void)worker;
  for (uint32_t slot = begin; slot < end; slot++) {
    const uint32_t row = world->order.row[slot];
    if (slot % 16 == 0 && slot + AHEAD < end) fetch_rows(&world->rows, world->order.row[slot + AHEAD]);
    const th_people_params *people = world->people.of[world->rows.people[row]];
    if (!people) continue;
    keep_place(world, slot, row);
    count_held(world, slot, row, people->standing);
    th_pressed one = one_of(world, slot);
    if (th_people_hindered(people, &one)) one.sets_off = sets_off(world, slot, row);
    const bool ease = th_people_at_ease(people, &one);
    const bool near = world->waits && one.led && (!ease || world->want[slot].left < SEES);
    if (near && !in_formation(world, row)) slow_before_stop(world, slot, row);
    if (ease) continue;
    th_people_press(people, world->dt, &one);
    world->rows.pressure[row] = one.pressure;
    if (one.body != world->order.body[slot]) world->rows.body[row] = world->order.body[slot] = one.body;
  }
}

void th_phase_people(th_world *world) {
  if (world->people.any) th_parallel_for(world->pool, world->order.count, 1024, press_slots, world);
}
