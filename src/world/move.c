/* world/move.c - phase 5: agents walk by their advice.
 *
 * Limits are applied sixteen agents at a time; whoever may reach a wall in this step is walked exactly, the others just
 * go. Results stay in slot order (mx, my) until `part` has made room between bodies. Cost: about 15 ns an agent in the
 * open, 100 ns beside walls.
 */
#include <math.h>

#include "ground/walk.h"
#include "motion.h"
#include "world.h"

#define GROUP 16

static void gather(const th_world *world, th_motion *m, uint32_t first, uint32_t count) {
  const th_rows *rows = &world->rows;
  const th_order *order = &world->order;
  const float half_diagonal = 0.7072f * world->ground->cell;
  for (uint32_t lane = 0; lane < GROUP; lane++) {
    uint32_t slot = first + (lane < count ? lane : count - 1), row = order->row[slot];
    m->x[lane] = order->x[slot];
    m->y[lane] = order->y[slot];
    m->vx[lane] = rows->wx[row];
    m->vy[lane] = rows->wy[row];
    m->radius[lane] = order->radius[slot];
    m->ax[lane] = rows->ax[row];
    m->ay[lane] = rows->ay[row];
    m->ahx[lane] = rows->ahx[row];
    m->ahy[lane] = rows->ahy[row];
    m->hx[lane] = rows->hx[row];
    m->hy[lane] = rows->hy[row];
    m->speed_step[lane] = rows->speed_step[row];
    m->speed_max[lane] = rows->speed_max[row];
    m->turn_c[lane] = rows->turn_c[row];
    m->turn_s[lane] = rows->turn_s[row];
    m->room[lane] = world->ground->clearance[rows->cell[row]] - half_diagonal;
  }
}

/* A fresh agent looks where its guide leads before it turns at a limited rate. */
static void face_guide(th_rows *rows, uint32_t row) {
  if (rows->want[row].state != TH_WANT_LEAD) return;
  float dx = rows->want[row].dx, dy = rows->want[row].dy;
  rows->fresh[row] = 0;
  if (dx == 0.0f && dy == 0.0f) return;
  rows->hx[row] = dx;
  rows->hy[row] = dy;
}

static bool step_one(th_world *world, const th_motion *m, uint32_t lane, uint32_t slot) {
  uint32_t row = world->order.row[slot];
  th_place place = {world->rows.cell[row], m->x[lane], m->y[lane]};
  bool wall = false;
  if (m->safe >> lane & 1u) {
    place.x += m->dx[lane];
    place.y += m->dy[lane];
  } else if (m->dx[lane] != 0.0f || m->dy[lane] != 0.0f) {
    wall = th_walk(world->ground, &place, m->dx[lane], m->dy[lane], m->radius[lane]);
  }
  world->mx[slot] = place.x;
  world->my[slot] = place.y;
  return wall;
}

static float move_group(th_world *world, uint32_t first, uint32_t count) {
  th_rows *rows = &world->rows;
  for (uint32_t slot = first; slot < first + count; slot++)
    if (rows->fresh[world->order.row[slot]]) face_guide(rows, world->order.row[slot]);
  th_motion m;
  gather(world, &m, first, count);
  m.dt = world->dt;
  TH_LANES_PICK(world->simd, th_motion_plan)(&m);
  float farthest = 0.0f, rate = 1.0f / world->dt;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t slot = first + lane, row = world->order.row[slot];
    bool external = rows->state[row] == TH_AGENT_EXTERNAL;
    world->mobile[slot] = !rows->part[row] ? -1.0f : external ? 0.0f : 1.0f;
    if (external) {
      world->mx[slot] = m.x[lane];
      world->my[slot] = m.y[lane];
      world->touched[slot] = 0;
      continue;
    }
    world->touched[slot] = step_one(world, &m, lane, slot);
    rows->hx[row] = m.hx[lane];
    rows->hy[row] = m.hy[lane];
    float dx = world->mx[slot] - m.x[lane], dy = world->my[slot] - m.y[lane], way2 = dx * dx + dy * dy;
    rows->wx[row] = dx * rate;
    rows->wy[row] = dy * rate;
    farthest = way2 > farthest ? way2 : farthest;
  }
  return farthest;
}

static void move_groups(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_world *world = context;
  float farthest = world->room[worker].farthest;
  for (uint32_t group = begin; group < end; group++) {
    uint32_t first = group * GROUP, rest = world->order.count - first;
    float way2 = move_group(world, first, rest < GROUP ? rest : GROUP);
    farthest = way2 > farthest ? way2 : farthest;
  }
  world->room[worker].farthest = farthest;
}

void th_rooms_reset(th_world *world) {
  for (uint32_t i = 0; i < world->room_count; i++) world->room[i].farthest = 0.0f;
}

float th_rooms_farthest(const th_world *world) {
  float farthest = 0.0f; /* a maximum does not depend on who found it */
  for (uint32_t i = 0; i < world->room_count; i++)
    farthest = world->room[i].farthest > farthest ? world->room[i].farthest : farthest;
  return sqrtf(farthest);
}

void th_phase_move(th_world *world) {
  th_rooms_reset(world);
  th_parallel_for(world->pool, (world->order.count + GROUP - 1) / GROUP, 32, move_groups, world);
  world->farthest = th_rooms_farthest(world);
}
