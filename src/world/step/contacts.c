/* world/step/contacts.c - phase 6: bodies that touch make room for each other.
 *
 * Up to three rounds. In each, every body looks at all others around it at once (find), then walks by its correction
 * (apply), so walls hold; a barrier between the two makes the order of bodies irrelevant. From the second round on only
 * the neighbourhood of bodies that moved is looked at. Clusters are those of the step's start, so the search reaches as
 * far as two bodies can have moved since. Cost: about 10 ns an agent, plus 100 ns a contact.
 */
#include <math.h>
#include <string.h>

#include "ground/walk.h"
#include "world/step/motion.h"
#include "world/world.h"

#define MAX_CORRECTION 0.5f /* of a radius and round: many contacts at once must not throw a body about */

typedef struct part_work {
  th_world *world;
  th_contacts contacts;
} part_work;

static void find_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  part_work *work = context;
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last;
    th_order_patch(&work->world->order, patch, &first, &last);
    TH_LANES_PICK(work->world->simd, th_contacts_find)(&work->contacts, first, last);
  }
}

/* Walks one body by its correction; returns the squared way. */
static float apply_to(th_world *world, uint32_t slot) {
  float dx = world->push_x[slot], dy = world->push_y[slot], radius = world->order.radius[slot];
  float max = MAX_CORRECTION * radius, square = dx * dx + dy * dy;
  if (square == 0.0f) return 0.0f;
  if (square > max * max) {
    float k = max / sqrtf(square);
    dx *= k;
    dy *= k;
  }
  th_place place = {0, world->moved_x[slot], world->moved_y[slot]}; /* walking finds the cell */
  th_ground_walk(world->ground, &place, (th_vec2){dx, dy}, radius, NULL);
  float wx = place.x - world->moved_x[slot], wy = place.y - world->moved_y[slot];
  world->moved_x[slot] = place.x;
  world->moved_y[slot] = place.y;
  return wx * wx + wy * wy;
}

static void apply_clusters(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  part_work *work = context;
  float *farthest = &work->world->room[worker].farthest;
  const th_order *order = &work->world->order;
  for (uint32_t cluster = begin; cluster < end; cluster++) {
    if (!work->contacts.now[cluster]) continue;
    for (uint32_t slot = order->start[cluster]; slot < order->start[cluster + 1]; slot++) {
      float way2 = apply_to(work->world, slot);
      *farthest = way2 > *farthest ? way2 : *farthest;
    }
  }
}

static bool any_contact(const part_work *work) {
  return memchr(work->contacts.now, 1, work->world->order.cluster_count) != NULL;
}

/* Others may have left their clusters by the step's way and by the corrections of the rounds before. */
static void look_as_far_as(part_work *work, float strayed) {
  const th_order *order = &work->world->order;
  work->contacts.reach = order->radius_max + strayed + 1e-3f;
  work->contacts.rings = (uint32_t)((work->contacts.reach + order->radius_max) * order->inverse) + 1;
}

uint32_t th_contact_rounds(const th_world *world) {
  for (uint32_t slot = 0; slot < world->order.count; slot++)
    if (world->mobile[slot] > 0.0f) return world->def.contact_rounds;
  return 0;
}

static void make_room(th_world *world) {
  const th_order *order = &world->order;
  float strayed = world->farthest;
  part_work work = {.world = world,
                    .contacts = {.x = world->moved_x,
                                 .y = world->moved_y,
                                 .radius = order->radius,
                                 .mobile = world->mobile,
                                 .start = order->start,
                                 .columns = order->columns,
                                 .rows = order->rows,
                                 .x0 = order->x0,
                                 .y0 = order->y0,
                                 .inverse = order->inverse,
                                 .radius_max = order->radius_max,
                                 .now = world->contact[0],
                                 .dx = world->push_x,
                                 .dy = world->push_y}};
  for (uint32_t round = 0, rounds = th_contact_rounds(world); round < rounds; round++) {
    work.contacts.before = round ? world->contact[1 - round % 2] : NULL;
    work.contacts.now = world->contact[round % 2];
    look_as_far_as(&work, strayed);
    th_parallel_for(world->pool, th_order_patches(order), 4, find_patches, &work);
    if (!any_contact(&work)) break;
    th_rooms_reset(world);
    th_parallel_for(world->pool, order->cluster_count, 256, apply_clusters, &work);
    strayed += th_rooms_farthest(world);
  }
  world->strayed += strayed;
}

/* Bytes may alias anything: kept apart from the floats, they do not make the compiler load every pointer again. */
static void commit_bytes(th_world *world, uint32_t slow, uint32_t first, uint32_t count) {
  th_rows *rows = &world->rows;
  const uint8_t *touched = world->touched + first, *state = rows->state, *advised = rows->advised_gait;
  uint8_t *gait = rows->gait, *notice = rows->notice;
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t row = world->order.row[first + lane];
    if (state[row] == TH_AGENT_EXTERNAL) continue;
    gait[row] = slow >> lane & 1u ? (uint8_t)TH_GAIT_STAND : advised[row];
    if (touched[lane]) notice[row] |= TH_NOTICE_WALL;
  }
}

/* The rows take over what move and contacts found; the order still holds the old places. */
static void commit_group(th_world *world, const th_cell_grid *grid, uint32_t first, uint32_t count) {
  th_rows *rows = &world->rows;
  th_landing land;
  uint32_t cell[16];
  land.x = world->order.x + first;
  land.y = world->order.y + first;
  land.nx = world->moved_x + first;
  land.ny = world->moved_y + first;
  land.rate = 1.0f / world->dt;
  TH_LANES_PICK(world->simd, th_motion_land)(&land);
  TH_LANES_PICK(world->simd, th_motion_cells)(grid, land.nx, land.ny, cell);
  for (uint32_t lane = 0; lane < count; lane++) {
    uint32_t row = world->order.row[first + lane];
    if (rows->state[row] == TH_AGENT_EXTERNAL) continue;
    rows->previous_x[row] = land.x[lane];
    rows->previous_y[row] = land.y[lane];
    rows->x[row] = land.nx[lane];
    rows->y[row] = land.ny[lane];
    rows->vx[row] = land.vx[lane];
    rows->vy[row] = land.vy[lane];
    rows->cell[row] = cell[lane];
  }
  commit_bytes(world, land.slow, first, count);
}

void th_commit_slot(th_world *world, uint32_t slot) {
  const th_ground *g = world->ground;
  const th_cell_grid grid = {g->x0, g->y0, g->inverse_cell, g->width, g->height};
  commit_group(world, &grid, slot, 1);
}

static void commit(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  const th_ground *ground = world->ground;
  const th_cell_grid grid = {ground->x0, ground->y0, ground->inverse_cell, ground->width, ground->height};
  for (uint32_t group = begin; group < end; group++) {
    uint32_t first = group * 16, rest = world->order.count - first;
    commit_group(world, &grid, first, rest < 16 ? rest : 16);
  }
}

void th_phase_contacts(th_world *world) {
  if (world->mesh) {
    th_world_mesh_contacts(world);
    th_world_mesh_commit(world);
    return;
  }
  make_room(world);
  th_parallel_for(world->pool, (world->order.count + 15) / 16, 64, commit, world);
}
