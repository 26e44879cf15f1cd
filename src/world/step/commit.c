/* world/step/commit.c - phase 7: the rows take over what move and contacts found.
 *
 * Until here the rows hold the state at the start of the step, and arrays by slot hold the next one. This phase writes
 * place, previous place, realised velocity and gait, and a notice for agents that a wall has stopped, for sixteen
 * agents at a time, column by column. On a mesh it also turns the vectors of agents that contacts has pushed over an
 * edge (move has turned those of agents that walked over one). Commit waits for memory more than it computes: on a
 * mesh, where neighbours in a chart may be far apart in memory, cache lines are prefetched, and agents that turn are
 * listed first, so that many cache misses are under way at once. Cost: about 5 ns per agent, 10 ns on a mesh.
 */
#include "base/platform/compiler.h"
#include "ground/ground.h"
#include "world/state/columns.h"
#include "world/step/mesh_turn.h"
#include "world/step/motion.h"
#include "world/step/step.h"

#define AHEAD 32  /* slots */
#define BLOCK 256 /* slots */

/* Agents that contacts has turned, by row. */
typedef struct turners {
  uint32_t count, row[BLOCK];
  th_turn turn[BLOCK];
} turners;

static void fetch_carried(const th_rows *rows, uint32_t row) {
  const float *const column[] = {rows->walk_vx,    rows->walk_vy,    rows->hx,         rows->hy,
                                 rows->advised_vx, rows->advised_vy, rows->advised_hx, rows->advised_hy};
  for (uint32_t k = 0; k < sizeof column / sizeof *column; k++) th_fetch_line(&column[k][row]);
  th_fetch_line(&rows->v[row]);
  th_fetch_line(&rows->frame[row]);
}

static void list_turners(const th_world *world, uint32_t turned, uint32_t first, turners *list) {
  for (; turned; turned &= turned - 1) {
    uint32_t slot = first + th_lowest_bit(turned) / 2, row = world->order.row[slot];
    th_turn t = world->mesh->turn[slot];
    if (world->rows.state[row] == TH_AGENT_EXTERNAL || !th_turn_matters(t)) continue;
    fetch_carried(&world->rows, row);
    list->row[list->count] = row;
    list->turn[list->count++] = t;
  }
}

/* Bytes may alias anything: kept apart from the floats, they do not make the compiler load every pointer again.
 * Returns the lanes of those that the caller does not move. */
static inline uint32_t commit_bytes(th_world *world, uint32_t slow, uint32_t first, uint32_t count) {
  th_rows *rows = &world->rows;
  const uint8_t *touched = world->touched + first, *state = rows->state, *advised = rows->advised_gait;
  uint8_t *gait = rows->gait, *notice = rows->notice;
  const uint32_t *row = world->order.row + first;
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t at = row[lane];
    if (state[at] == TH_AGENT_EXTERNAL) continue;
    lanes |= 1u << lane;
    gait[at] = slow >> lane & 1u ? (uint8_t)TH_GAIT_STAND : advised[at];
    if (touched[lane]) notice[at] |= TH_NOTICE_WALL;
  }
  return lanes;
}

/* Place, velocity and gait of the sixteen from `first` on; returns the lanes that were written. */
static inline uint32_t commit_group(th_world *world, const th_landing *land, const uint32_t *cell, uint32_t first,
                                    uint32_t count) {
  th_rows *rows = &world->rows;
  const uint32_t *row = world->order.row + first;
  uint32_t lanes = commit_bytes(world, land->slow, first, count);
  th_column_put_cells(rows->cell, row, cell, lanes);
  th_column_put(rows->previous_x, row, world->order.x + first, lanes);
  th_column_put(rows->previous_y, row, world->order.y + first, lanes);
  th_column_put(rows->x, row, world->moved_x + first, lanes);
  th_column_put(rows->y, row, world->moved_y + first, lanes);
  th_column_put(rows->vx, row, land->vx, lanes);
  th_column_put(rows->vy, row, land->vy, lanes);
  return lanes;
}

/* One line of every column that is written: the rows of a group lie near each other. */
static void fetch_rows(const th_world *world, uint32_t slot) {
  if (slot >= world->order.count) return;
  const th_rows *rows = &world->rows;
  const void *const column[] = {
      rows->previous_cell, rows->cell, rows->previous_x, rows->previous_y, rows->x, rows->y, rows->vx, rows->vy};
  for (uint32_t k = 0; k < sizeof column / sizeof *column; k++)
    th_fetch_line((const float *)column[k] + world->order.row[slot]);
}

static void commit_flat(th_world *world, uint32_t first, uint32_t count, turners *list) {
  (void)list; /* frames are those of the plane */
  const th_flat_ground *g = world->ground->flat;
  const th_cell_grid grid = {g->x0, g->y0, g->inverse_cell, g->width, g->height};
  uint32_t cell[TH_GROUP];
  th_landing land;
  fetch_rows(world, first + AHEAD);
  land.dx = world->displacement_x + first;
  land.dy = world->displacement_y + first;
  land.turn = NULL;
  land.rate = 1.0f / world->dt;
  TH_LANES_PICK(world->simd, th_motion_land)(&land);
  TH_LANES_PICK(world->simd, th_motion_cells)(&grid, world->moved_x + first, world->moved_y + first, cell);
  commit_group(world, &land, cell, first, count);
}

static void commit_mesh(th_world *world, uint32_t first, uint32_t count, turners *list) {
  const th_world_mesh *mesh = world->mesh;
  th_landing land;
  land.dx = world->displacement_x + first;
  land.dy = world->displacement_y + first;
  land.turn = mesh->turn + first;
  land.rate = 1.0f / world->dt;
  fetch_rows(world, first + AHEAD);
  TH_LANES_PICK(world->simd, th_motion_land)(&land);
  uint32_t lanes = commit_group(world, &land, mesh->mcell + first, first, count);
  th_column_put_cells(world->rows.previous_cell, world->order.row + first, mesh->cell + first, lanes);
  list_turners(world, count < TH_GROUP ? land.turned & ((1u << 2 * count) - 1u) : land.turned, first, list);
}

static void commit_groups(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  void (*const commit)(th_world *, uint32_t, uint32_t, turners *) = world->mesh ? commit_mesh : commit_flat;
  turners list;
  list.count = 0;
  for (uint32_t group = begin; group < end; group++) {
    uint32_t first = group * TH_GROUP, rest = world->order.count - first;
    commit(world, first, rest < TH_GROUP ? rest : TH_GROUP, &list);
  }
  for (uint32_t n = 0; n < list.count; n++) th_turn_carried(&world->rows, list.row[n], list.turn[n]);
}

void th_commit_slot(th_world *world, uint32_t slot) { commit_flat(world, slot, 1, NULL); }

void th_phase_commit(th_world *world) {
  th_parallel_for(world->pool, (world->order.count + TH_GROUP - 1) / TH_GROUP, BLOCK / TH_GROUP, commit_groups, world);
}
