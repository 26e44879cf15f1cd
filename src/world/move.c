/* world/move.c - phase 5: agents walk by their advice.
 *
 * Limits are applied sixteen agents at a time; whoever may reach a wall in this step is walked exactly, the others just
 * go. Results stay in slot order (mx, my) until `part` has made room between bodies. Cost: about 15 ns an agent in the
 * open, 100 ns beside walls.
 */
#include <math.h>
#include <string.h>

#include "ground/surface.h"
#include "ground/walk.h"
#include "motion.h"
#include "world.h"

#define GROUP 16
#define AHEAD 32 /* slots */

/* A fresh agent looks where its guide leads before it turns at a limited rate. */
static void face_guide(th_rows *rows, uint32_t row, const th_want *want) {
  if (want->state != TH_WANT_LEAD) return;
  rows->fresh[row] = 0;
  if (want->dx == 0.0f && want->dy == 0.0f) return;
  rows->hx[row] = want->dx;
  rows->hy[row] = want->dy;
}

/* Who decides every step takes up its advice at once. The others approach it smoothly: when they decide again, nine
 * tenths of the way are done, whatever the period and dt. */
static float ease_of(uint8_t period) { return period == 1 ? 1.0f : 2.5f / ((float)period + 1.5f); }

static void gather(th_world *world, th_motion *m, uint32_t first, uint32_t count) {
  th_rows *rows = &world->rows;
  const th_order *order = &world->order;
  const float half_diagonal = 0.7072f * world->ground->cell;
  if (count < GROUP) memset(m, 0, sizeof *m);
  memcpy(m->x, order->x + first, sizeof m->x);
  memcpy(m->y, order->y + first, sizeof m->y);
  memcpy(m->radius, order->radius + first, sizeof m->radius);
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t row = order->row[first + lane];
    if (rows->fresh[row]) face_guide(rows, row, &world->want[first + lane]);
    m->vx[lane] = rows->wx[row];
    m->vy[lane] = rows->wy[row];
    m->ax[lane] = rows->ax[row];
    m->ay[lane] = rows->ay[row];
    m->ahx[lane] = rows->ahx[row];
    m->ahy[lane] = rows->ahy[row];
    m->hx[lane] = rows->hx[row];
    m->hy[lane] = rows->hy[row];
    m->ease[lane] = ease_of(rows->period[row]);
    m->speed_step[lane] = rows->speed_step[row];
    m->speed_max[lane] = rows->speed_max[row];
    m->turn_c[lane] = rows->turn_c[row];
    m->turn_s[lane] = rows->turn_s[row];
    m->room[lane] = world->mesh ? 0.0f : world->ground->clearance[rows->cell[row]] - half_diagonal;
  }
}

/* The clearance raster and the faces are read all over: what later slots need comes while these move. */
static void fetch(const th_world *world, uint32_t first, uint32_t last) {
  if (last > world->order.count) last = world->order.count;
  const th_face_way *way = world->mesh ? world->ground->surface->frames.way : NULL;
  for (uint32_t slot = first; way && slot < last; slot++) th_fetch_line(&way[world->mesh->cell[slot]]);
  for (uint32_t slot = first; !way && slot < last; slot++)
    th_fetch_line(&world->ground->clearance[world->rows.cell[world->order.row[slot]]]);
}

static void end_at(th_motion *m, uint32_t lane, float x, float y) {
  float dx = x - m->x[lane], dy = y - m->y[lane], rate = 1.0f / m->dt;
  m->nx[lane] = x;
  m->ny[lane] = y;
  m->vx[lane] = dx * rate;
  m->vy[lane] = dy * rate;
  m->way2[lane] = dx * dx + dy * dy;
}

/* The lanes in the mask may reach a wall. */
static void walk_lanes(th_world *world, th_motion *m, uint32_t first, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask), slot = first + lane;
    th_place place = {world->rows.cell[world->order.row[slot]], m->x[lane], m->y[lane]};
    if (m->dx[lane] != 0.0f || m->dy[lane] != 0.0f)
      world->touched[slot] = th_walk(world->ground, &place, m->dx[lane], m->dy[lane], m->radius[lane]);
    end_at(m, lane, place.x, place.y);
  }
}

/* Everyone of the group in its face: `inside` at the end of its way, the others where they stood. */
static void stay(th_world *world, const th_motion *m, uint32_t first, uint32_t count, uint32_t inside) {
  th_world_mesh *mesh = world->mesh;
  memcpy(mesh->mcell + first, mesh->cell + first, count * sizeof *mesh->cell);
  memcpy(mesh->mrank + first, mesh->rank + first, count * sizeof *mesh->rank);
  float *wayx = mesh->wayx + first, *wayy = mesh->wayy + first, *mx = world->mx + first, *my = world->my + first;
  for (uint32_t lane = 0; lane < count; lane++) {
    bool in = inside >> lane & 1u;
    wayx[lane] = in ? m->dx[lane] : 0.0f;
    wayy[lane] = in ? m->dy[lane] : 0.0f;
    mx[lane] = m->x[lane] + wayx[lane];
    my[lane] = m->y[lane] + wayy[lane];
  }
  for (uint32_t lane = 0; lane < count; lane++) mesh->turn[first + lane] = (th_turn){1.0f, 0.0f};
}

/* On a mesh every way that leaves its face, or may meet a wall, is walked on its own. Velocity is kept in the frame of
 * the start until the step is committed. */
static void walk_faces(th_world *world, th_motion *m, uint32_t first, uint32_t count, uint32_t movers) {
  th_world_mesh *mesh = world->mesh;
  const float rate = 1.0f / m->dt;
  uint32_t face[GROUP] = {0};
  memcpy(face, mesh->cell + first, count * sizeof *face);
  uint32_t inside = TH_LANES_PICK(world->simd, th_motion_inside)(m, world->ground->surface, face) & movers;
  stay(world, m, first, count, inside);
  for (uint32_t rest = movers & ~inside; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest), slot = first + lane;
    if (m->dx[lane] == 0.0f && m->dy[lane] == 0.0f) continue;
    world->touched[slot] = th_world_mesh_walk_slot(world, slot, (th_vec2){m->dx[lane], m->dy[lane]});
  }
  for (uint32_t lane = 0; lane < count; lane++) {
    th_turn t = mesh->turn[first + lane];
    float wx = mesh->wayx[first + lane], wy = mesh->wayy[first + lane];
    m->vx[lane] = (t.c * wx + t.s * wy) * rate;
    m->vy[lane] = (t.c * wy - t.s * wx) * rate;
    bool moves = movers >> lane & 1u; /* the way that was wanted: at a wall more than it has come */
    m->way2[lane] = moves ? m->dx[lane] * m->dx[lane] + m->dy[lane] * m->dy[lane] : 0.0f;
  }
}

/* Who is moved by the caller stays; says who may be pushed. Returns the lanes of the others. */
static uint32_t sort_out(th_world *world, th_motion *m, uint32_t first, uint32_t count) {
  const th_rows *rows = &world->rows;
  uint32_t movers = 0;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t row = world->order.row[first + lane];
    bool external = rows->state[row] == TH_AGENT_EXTERNAL;
    world->mobile[first + lane] = !rows->part[row] ? -1.0f : external ? 0.0f : 1.0f;
    movers |= (uint32_t)!external << lane;
    if (external) end_at(m, lane, m->x[lane], m->y[lane]);
  }
  return movers;
}

static void scatter(th_rows *rows, const th_motion *m, const uint32_t *row_of, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(lanes), row = row_of[lane];
    rows->hx[row] = m->hx[lane];
    rows->hy[row] = m->hy[lane];
    rows->wx[row] = m->vx[lane];
    rows->wy[row] = m->vy[lane];
  }
}

/* Returns the longest squared way. Arrays by slot have room for a whole group at the end. */
static float move_group(th_world *world, uint32_t first, uint32_t count) {
  th_motion m;
  fetch(world, first + AHEAD, first + AHEAD + GROUP);
  gather(world, &m, first, count);
  m.dt = world->dt;
  TH_LANES_PICK(world->simd, th_motion_plan)(&m);
  uint32_t movers = sort_out(world, &m, first, count);
  memset(world->touched + first, 0, GROUP);
  if (world->mesh) {
    walk_faces(world, &m, first, count, movers);
  } else {
    walk_lanes(world, &m, first, movers & ~m.safe);
    memcpy(world->mx + first, m.nx, sizeof m.nx);
    memcpy(world->my + first, m.ny, sizeof m.ny);
  }
  scatter(&world->rows, &m, world->order.row + first, movers);
  float farthest = 0.0f;
  for (uint32_t lane = 0; lane < count; lane++) farthest = m.way2[lane] > farthest ? m.way2[lane] : farthest;
  return farthest;
}

void th_move_slot(th_world *world, uint32_t slot) { world->farthest = sqrtf(move_group(world, slot, 1)); }

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
