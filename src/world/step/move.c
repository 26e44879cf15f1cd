/* world/step/move.c - phase 5: agents walk by their advice.
 *
 * Limits are applied sixteen agents at a time. An agent that may reach a wall in this step is walked exactly; the
 * others add their displacement. On a mesh agents that leave their face are put on a list and cross edges together.
 * Results stay in slot order (moved_x, displacement_x) until `contacts` has pushed bodies apart. Cost: about 15 ns per
 * agent in the open, 40 ns on a mesh of 1 m edges, 100 ns beside walls.
 */
#include <math.h>
#include <string.h>

#include "base/platform/compiler.h"
#include "ground/walk.h"
#include "people/walk.h"
#include "world/state/columns.h"
#include "world/step/motion.h"
#include "world/step/step.h"

/* People walk as people do: realised velocities are those of the order. */
static void walk_as_people(const th_world *world, th_motion *m, uint32_t first, uint32_t count) {
  const th_order *order = &world->order;
  th_people_walkers w = {count, {0}, order->vx + first, order->vy + first, m->ax, m->ay, m->hx, m->hy, m->ahx, m->ahy};
  for (uint32_t lane = 0; lane < count; lane++) {
    const th_people_params *people = world->people.of[world->rows.people[order->row[first + lane]]];
    w.standing[lane] = people ? people->standing : 0.0f;
  }
  th_people_walk(&w);
}

static void gather(th_world *world, th_motion *m, uint32_t first, uint32_t count) {
  th_rows *rows = &world->rows;
  const th_order *order = &world->order;
  const uint32_t *row = order->row + first;
  if (count < TH_GROUP) memset(m, 0, sizeof *m);
  memcpy(m->x, order->x + first, sizeof m->x);
  memcpy(m->y, order->y + first, sizeof m->y);
  memcpy(m->radius, order->radius + first, sizeof m->radius);
  for (uint32_t lane = 0; world->anyone_fresh && lane < count; lane++)
    if (world->want[first + lane].state == TH_ANSWER_LEAD) rows->fresh[row[lane]] = 0; /* guide has turned it */
  if (world->eases) th_column_take(m->ease, rows->ease, row, count);
  th_column_take_pairs(m->rest, rows->rest, row, count);
  th_column_take(m->vx, rows->walk_vx, row, count);
  th_column_take(m->vy, rows->walk_vy, row, count);
  th_column_take(m->ax, rows->advised_vx, row, count);
  th_column_take(m->ay, rows->advised_vy, row, count);
  th_column_take(m->ahx, rows->advised_hx, row, count);
  th_column_take(m->ahy, rows->advised_hy, row, count);
  th_column_take(m->hx, rows->hx, row, count);
  th_column_take(m->hy, rows->hy, row, count);
  th_column_take(m->speed_step, rows->speed_step, row, count);
  th_column_take(m->speed_max, rows->speed_max, row, count);
  th_column_take(m->turn_c, rows->turn_c, row, count);
  th_column_take(m->turn_s, rows->turn_s, row, count);
  if (world->people.any) walk_as_people(world, m, first, count);
}

/* Rows of a group lie near each other: one cache line of every column serves most of them. There are more columns than
 * a processor follows on its own: without this a crowd of 100,000 took half as long again. */
static void fetch_rows(const th_rows *rows, uint32_t row) {
  const float *const column[] = {rows->walk_vx,    rows->walk_vy,    rows->advised_vx, rows->advised_vy,
                                 rows->advised_hx, rows->advised_hy, rows->hx,         rows->hy,
                                 rows->speed_step, rows->speed_max,  rows->turn_c,     rows->turn_s};
  for (uint32_t k = 0; k < sizeof column / sizeof *column; k++) th_fetch_line(&column[k][row]);
  th_fetch_line(&rows->rest[row]);
}

static void end_at(th_motion *m, uint32_t lane, const th_footing *f) {
  float dx = f->place.x - m->x[lane], dy = f->place.y - m->y[lane], rate = 1.0f / m->dt;
  m->nx[lane] = f->place.x;
  m->ny[lane] = f->place.y;
  m->left[lane] = f->rest;
  m->dx[lane] = f->moved.x;
  m->dy[lane] = f->moved.y;
  m->vx[lane] = f->moved.x * rate;
  m->vy[lane] = f->moved.y * rate;
  m->length2[lane] = dx * dx + dy * dy;
}

static th_footing footing_of(const th_world *world, const th_motion *m, uint32_t slot, uint32_t lane) {
  return (th_footing){.place = {world->rows.cell[world->order.row[slot]], m->x[lane], m->y[lane]},
                      .rest = m->rest[lane]};
}

/* Leaves agents that the caller moves in place, and marks the bodies that may be pushed. Returns the lanes of the
 * others. */
static uint32_t sort_out(th_world *world, th_motion *m, uint32_t first, uint32_t count) {
  const th_rows *rows = &world->rows;
  static const float mobile[2][2] = {{-1.0f, -1.0f}, {1.0f, 0.0f}};
  uint32_t movers = 0;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t row = world->order.row[first + lane];
    bool external = rows->state[row] == TH_AGENT_EXTERNAL;
    world->mobile[first + lane] = mobile[rows->collide[row] != 0][external];
    movers |= (uint32_t)!external << lane;
    if (external) {
      th_footing still = footing_of(world, m, first + lane, lane);
      end_at(m, lane, &still);
    }
  }
  return movers;
}

/* Four independent chains of maxima, so that no operation waits for all before it. Lanes without an agent hold 0. */
static float longest(const float length2[TH_GROUP]) {
  float max[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (uint32_t lane = 0; lane < TH_GROUP; lane += 4)
    for (uint32_t k = 0; k < 4; k++) max[k] = length2[lane + k] > max[k] ? length2[lane + k] : max[k];
  max[0] = max[1] > max[0] ? max[1] : max[0];
  max[2] = max[3] > max[2] ? max[3] : max[2];
  return max[2] > max[0] ? max[2] : max[0];
}

/* ---------------------------------------------------------------- flat ground */

/* The distance around each cell that is free of walls. The raster is read at scattered places: what later slots need is
 * prefetched while these move. */
static void look_flat(const th_world *world, th_motion *m, uint32_t first, uint32_t count) {
  const float half_diagonal = 0.7072f * world->ground->cell, *clearance = world->ground->flat->clearance;
  const uint32_t *cell = world->rows.cell, *row = world->order.row, ahead = first + TH_MOVE_AHEAD;
  for (uint32_t lane = 0; lane < count; lane++) m->clear[lane] = clearance[cell[row[first + lane]]] - half_diagonal;
  for (uint32_t slot = ahead; slot < ahead + TH_GROUP && slot < world->order.count; slot++)
    th_fetch_line(&clearance[cell[row[slot]]]);
}

/* Walks those that may reach a wall; the others go as planned. */
static void walk_flat(th_world *world, th_motion *m, uint32_t first, uint32_t movers, th_crossers *list) {
  (void)list;
  for (uint32_t mask = movers & ~m->safe; mask; mask &= mask - 1) {
    uint32_t lane = th_lowest_bit(mask), slot = first + lane;
    th_footing footing = footing_of(world, m, slot, lane);
    if (m->dx[lane] != 0.0f || m->dy[lane] != 0.0f)
      world->touched[slot] =
          th_ground_walk_on(world->ground, &footing, (th_vec2){m->dx[lane], m->dy[lane]}, m->radius[lane]);
    end_at(m, lane, &footing);
  }
  memcpy(world->moved_x + first, m->nx, sizeof m->nx);
  memcpy(world->moved_y + first, m->ny, sizeof m->ny);
  memcpy(world->displacement_x + first, m->dx, sizeof m->dx);
  memcpy(world->displacement_y + first, m->dy, sizeof m->dy);
}

static void end_flat(th_world *world, const th_crossers *list) { (void)world, (void)list; }

static const th_move_calls flat_calls = {.look = look_flat, .walk = walk_flat, .end = end_flat};

/* ---------------------------------------------------------------- both */

/* Returns the longest squared displacement. Arrays by slot hold a whole group past the end. */
static float move_group(th_world *world, const th_move_calls *calls, uint32_t first, uint32_t count,
                        th_crossers *list) {
  th_motion m;
  if (first + TH_MOVE_AHEAD < world->order.count) fetch_rows(&world->rows, world->order.row[first + TH_MOVE_AHEAD]);
  gather(world, &m, first, count);
  calls->look(world, &m, first, count);
  m.dt = world->dt;
  m.eases = world->eases;
  TH_LANES_PICK(world->simd, th_motion_plan)(&m);
  uint32_t movers = sort_out(world, &m, first, count);
  memset(world->touched + first, 0, TH_GROUP);
  calls->walk(world, &m, first, movers, list);
  const uint32_t *row = world->order.row + first;
  th_column_put(world->rows.hx, row, m.hx, movers);
  th_column_put(world->rows.hy, row, m.hy, movers);
  th_column_put_pairs(world->rows.rest, row, m.left, movers);
  th_column_put(world->rows.walk_vx, row, m.vx, movers);
  th_column_put(world->rows.walk_vy, row, m.vy, movers);
  return longest(m.length2);
}

void th_move_slot(th_world *world, uint32_t slot) {
  world->farthest = sqrtf(move_group(world, &flat_calls, slot, 1, NULL));
}

static void move_groups(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  th_world *world = context;
  const th_move_calls *calls = world->mesh ? &th_mesh_move_calls : &flat_calls;
  th_crossers list;
  list.count = list.beside_walls = 0;
  float farthest = world->scratch[worker].farthest;
  for (uint32_t group = begin; group < end; group++) {
    uint32_t first = group * TH_GROUP, rest = world->order.count - first;
    float length2 = move_group(world, calls, first, rest < TH_GROUP ? rest : TH_GROUP, &list);
    farthest = length2 > farthest ? length2 : farthest;
  }
  calls->end(world, &list);
  world->scratch[worker].farthest = farthest;
}

void th_move_farthest_reset(th_world *world) {
  for (uint32_t i = 0; i < world->scratch_count; i++) world->scratch[i].farthest = 0.0f;
}

float th_move_farthest_found(const th_world *world) {
  float farthest = 0.0f; /* a maximum does not depend on the worker that found it */
  for (uint32_t i = 0; i < world->scratch_count; i++)
    farthest = world->scratch[i].farthest > farthest ? world->scratch[i].farthest : farthest;
  return sqrtf(farthest);
}

void th_phase_move(th_world *world) {
  th_move_farthest_reset(world);
  th_parallel_for(world->pool, (world->order.count + TH_GROUP - 1) / TH_GROUP, TH_MOVE_BLOCK / TH_GROUP, move_groups,
                  world);
  world->farthest = th_move_farthest_found(world);
}
