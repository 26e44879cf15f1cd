/* world/part.c - phase 6: bodies that touch make room for each other.
 *
 * Up to three rounds; in each, every body looks at all others around it at once and walks by its correction, so walls
 * hold. A patch is skipped when neither it nor a neighbour had a contact in the round before. Clusters are those of the
 * step's start, so the search reaches as far as two bodies can have moved. Cost: about 15 ns an agent and round.
 */
#include <math.h>
#include <string.h>

#include "ground/walk.h"
#include "motion.h"
#include "world.h"

typedef struct part_work {
  th_world *world;
  uint32_t rings, round;
  const float *fx, *fy; /* places before the round */
  float *tx, *ty;       /* and after */
} part_work;

static void correct(const part_work *work, const th_contact *c, uint32_t lane, uint32_t slot) {
  th_world *world = work->world;
  float dx = c->dx[lane], dy = c->dy[lane], most = 0.5f * c->radius[lane], square = dx * dx + dy * dy;
  if (square > most * most) { /* many contacts at once must not throw a body about */
    float k = most / sqrtf(square);
    dx *= k;
    dy *= k;
  }
  th_place place = {th_ground_cell(world->ground, c->x[lane], c->y[lane]), c->x[lane], c->y[lane]};
  if (dx != 0.0f || dy != 0.0f) th_walk(world->ground, &place, dx, dy, c->radius[lane]);
  work->tx[slot] = place.x;
  work->ty[slot] = place.y;
}

/* Runs of slots in the rows of clusters around one stretch of a row. */
static uint32_t find_runs(const part_work *work, uint32_t low, uint32_t high, uint32_t *first, uint32_t *last) {
  const th_order *order = &work->world->order;
  uint32_t rings = work->rings, row = low / order->columns, column0 = low % order->columns, column1 = high % order->columns;
  column0 = column0 > rings ? column0 - rings : 0;
  column1 = column1 + rings < order->columns ? column1 + rings : order->columns - 1;
  uint32_t row0 = row > rings ? row - rings : 0, row1 = row + rings < order->rows ? row + rings : order->rows - 1;
  uint32_t runs = 0;
  for (uint32_t r = row0; r <= row1; r++, runs++) {
    first[runs] = order->start[(size_t)r * order->columns + column0];
    last[runs] = order->start[(size_t)r * order->columns + column1 + 1];
  }
  return runs;
}

static bool part_group(const part_work *work, uint32_t begin, uint32_t count) {
  th_world *world = work->world;
  const th_order *order = &world->order;
  uint32_t first[2 * TH_PART_RINGS + 1], last[2 * TH_PART_RINGS + 1];
  th_contact c;
  for (uint32_t lane = 0; lane < 16; lane++) {
    uint32_t slot = begin + (lane < count ? lane : count - 1);
    c.x[lane] = work->fx[slot];
    c.y[lane] = work->fy[slot];
    c.radius[lane] = order->radius[slot];
    c.mobile[lane] = world->mobile[slot];
    c.own[lane] = slot;
  }
  c.lanes = count;
  c.cx = work->fx;
  c.cy = work->fy;
  c.cradius = order->radius;
  c.cmobile = world->mobile;
  c.first = first;
  c.last = last;
  c.runs = find_runs(work, order->cluster[order->row[begin]], order->cluster[order->row[begin + count - 1]], first, last);
  c.radius_max = order->radius_max;
  TH_LANES_PICK(world->simd, th_contact_find)(&c);
  bool any = false;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t slot = begin + lane;
    bool moves = (c.touching >> lane & 1u) && c.mobile[lane] > 0.0f;
    if (moves) correct(work, &c, lane, slot);
    else {
      work->tx[slot] = c.x[lane];
      work->ty[slot] = c.y[lane];
    }
    any |= moves;
  }
  return any;
}

static bool had_contact(const part_work *work, uint32_t patch) {
  const th_order *order = &work->world->order;
  uint32_t row = patch / order->strips, strip = patch % order->strips;
  for (uint32_t r = row > work->rings ? row - work->rings : 0; r <= row + work->rings && r < order->rows; r++)
    for (uint32_t s = strip ? strip - 1 : 0; s <= strip + 1 && s < order->strips; s++)
      if (work->world->contact[r * order->strips + s] >> (work->round - 1) & 1u) return true;
  return false;
}

static void part_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  const part_work *work = context;
  th_world *world = work->world;
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t low, high;
    th_order_patch(&world->order, patch, &low, &high);
    uint32_t first = world->order.start[low], last = world->order.start[high];
    if (first == last) continue;
    if (work->round && !had_contact(work, patch)) {
      memcpy(work->tx + first, work->fx + first, sizeof(float) * (last - first));
      memcpy(work->ty + first, work->fy + first, sizeof(float) * (last - first));
      continue;
    }
    bool any = false;
    for (uint32_t slot = first; slot < last; slot += 16)
      any |= part_group(work, slot, last - slot < 16 ? last - slot : 16);
    if (any) world->contact[patch] |= (uint8_t)(1u << work->round);
  }
}

/* The rows take over what move and part found. */
static void commit(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  th_rows *rows = &world->rows;
  float rate = 1.0f / world->dt;
  for (uint32_t slot = begin; slot < end; slot++) {
    uint32_t row = world->order.row[slot];
    if (rows->state[row] == TH_AGENT_EXTERNAL) continue;
    float x = rows->x[row], y = rows->y[row], nx = world->mx[slot], ny = world->my[slot];
    rows->px[row] = x;
    rows->py[row] = y;
    rows->x[row] = nx;
    rows->y[row] = ny;
    rows->vx[row] = (nx - x) * rate;
    rows->vy[row] = (ny - y) * rate;
    rows->cell[row] = th_ground_cell(world->ground, nx, ny);
    rows->moved[row] = world->touched[slot];
  }
}

static void swap_places(th_world *world) {
  float *x = world->mx, *y = world->my;
  world->mx = world->qx;
  world->my = world->qy;
  world->qx = x;
  world->qy = y;
}

void th_phase_part(th_world *world) {
  const th_order *order = &world->order;
  uint32_t patches = th_order_patches(order);
  float reach = 2.0f * (order->radius_max + world->farthest) + 1e-3f;
  uint32_t rings = (uint32_t)ceilf(reach * order->inverse);
  part_work work = {.world = world, .rings = rings < TH_PART_RINGS ? rings : TH_PART_RINGS};
  memset(world->contact, 0, patches);
  for (uint32_t round = 0; round < world->def.part_rounds; round++) {
    work.round = round;
    work.fx = world->mx;
    work.fy = world->my;
    work.tx = world->qx;
    work.ty = world->qy;
    th_parallel_for(world->pool, patches, 4, part_patches, &work);
    swap_places(world);
    bool any = false;
    for (uint32_t patch = 0; patch < patches && !any; patch++) any = world->contact[patch] >> round & 1u;
    if (!any) break;
  }
  th_parallel_for(world->pool, order->count, 1024, commit, world);
}
