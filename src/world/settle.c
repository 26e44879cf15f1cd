/* world/settle.c - phase 7: arrivals, waits, sinks, sources, events.
 *
 * A parallel look at all rows marks those to which something happens; the few marked ones are then handled in order of
 * their ids, so removal, events and counters never depend on rows or workers.
 */
#include <math.h>

#include "world.h"

enum { NOTICE_ARRIVED = 1, NOTICE_LOST = 2, NOTICE_AWAKE = 4, NOTICE_STUCK = 8, NOTICE_WALL = 16, NOTICE_GONE = 32 };

static uint8_t look_walking(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  uint8_t want = rows->want[row].state, notice = 0;
  if (want == TH_WANT_ARRIVED) notice |= NOTICE_ARRIVED;
  if (want == TH_WANT_LOST) notice |= NOTICE_LOST;
  if (want != TH_WANT_LEAD) return notice;
  if (rows->left[row] < rows->best[row] - TH_STUCK_METRES || rows->best[row] == INFINITY) {
    rows->best[row] = rows->left[row];
    rows->best_step[row] = world->step;
  } else if ((float)(world->step - rows->best_step[row]) * world->dt >= TH_STUCK_SECONDS) {
    notice |= NOTICE_STUCK;
  }
  return notice;
}

static void look(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  th_rows *rows = &world->rows;
  for (uint32_t row = begin; row < end; row++) {
    uint8_t notice = 0, state = rows->state[row];
    if (state == TH_AGENT_WALKING)
      notice = look_walking(world, row);
    else if (state == TH_AGENT_WAITING && rows->due[row] <= world->step)
      notice = NOTICE_AWAKE;
    if (rows->in[row] && rows->moved[row]) notice |= NOTICE_WALL;
    float speed2 = rows->vx[row] * rows->vx[row] + rows->vy[row] * rows->vy[row];
    rows->gait[row] = speed2 < 0.0025f ? TH_GAIT_STAND : rows->advised_gait[row];
    rows->notice[row] = notice;
  }
}

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
    rows->notice[row] |= NOTICE_GONE;
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
    rows->notice[row] |= NOTICE_GONE;
    return;
  }
  rows->state[row] = TH_AGENT_WALKING;
  th_agent_head_for(world, row, last ? 0 : (uint8_t)(route->next + 1));
}

static void handle(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  uint8_t notice = rows->notice[row];
  uint32_t goal = rows->route[row].next < rows->route[row].count ? rows->route[row].goal[rows->route[row].next] : 0;
  if (notice & NOTICE_WALL) world->counters.wall_contacts++;
  if (notice & NOTICE_ARRIVED) arrive(world, row);
  if (notice & NOTICE_AWAKE) wake(world, row);
  if (notice & NOTICE_LOST) {
    rows->state[row] = TH_AGENT_LOST;
    th_event_add(world, TH_EVENT_UNREACHABLE, rows->id[row], goal);
    world->counters.unreachable++;
  }
  if (notice & NOTICE_STUCK) {
    rows->best_step[row] = world->step; /* again after another while */
    th_event_add(world, TH_EVENT_STUCK, rows->id[row], goal);
    world->counters.stuck++;
  }
}

static void remove_gone(th_world *world) {
  for (uint32_t row = world->rows.count; row-- > 0;) {
    if (!(world->rows.notice[row] & NOTICE_GONE)) continue;
    th_event_add(world, TH_EVENT_REMOVED, world->rows.id[row], 0);
    th_agent_drop(world, row);
  }
}

static void settle(th_world *world) {
  th_parallel_for(world->pool, world->rows.count, 2048, look, world);
  for (uint32_t row = 0; row < world->rows.count; row++)
    if (world->rows.notice[row]) handle(world, row);
  remove_gone(world);
  world->step++;
  world->time += (double)world->dt;
  th_sources_emit(world);
  th_events_sort(world);
}

void th_phase_settle(th_world *world) { settle(world); }

void th_world_accept(th_world *world, const float *x, const float *y, uint32_t count) {
  th_rows *rows = &world->rows;
  if (!world->advised || count != rows->count) {
    th_fault(&world->env, "th_world_accept: expected th_world_advise before it and %u places, found %u", rows->count,
             count);
    return;
  }
  for (uint32_t row = 0; row < count; row++) {
    rows->px[row] = rows->x[row];
    rows->py[row] = rows->y[row];
    rows->moved[row] = 0;
    th_place place = th_ground_locate(world->ground, x[row], y[row]);
    if (place.cell == TH_NO_CELL) {
      th_event_add(world, TH_EVENT_REFUSED, rows->id[row], 0);
      place = (th_place){rows->cell[row], rows->x[row], rows->y[row]};
    }
    rows->vx[row] = (place.x - rows->x[row]) / world->dt;
    rows->vy[row] = (place.y - rows->y[row]) / world->dt;
    rows->x[row] = place.x;
    rows->y[row] = place.y;
    rows->cell[row] = place.cell;
  }
  settle(world);
  world->advised = false;
}
