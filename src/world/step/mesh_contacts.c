/* world/step/mesh_contacts.c - bodies that touch, on a mesh.
 *
 * Every patch is laid flat with everyone who may touch its bodies, as for views, and the contacts are found by the code
 * of flat ground. Corrections go back to the frames of faces and are walked there, so walls hold. From the second round
 * on only patches near a body that moved look again. Cost: about 50 ns an agent.
 */
#include <math.h>
#include <string.h>

#include "ground/slide.h"
#include "world/step/mesh_move.h"
#include "world/step/motion.h"
#include "world/step/step.h"

#define MAX_CORRECTION 0.5f /* of a radius and round, as on flat ground */

typedef struct part_work {
  th_world *world;
  th_patch_crowd_input input;
  float reach;
  const uint8_t *before; /* by cluster: someone moved in the round before; NULL in the first */
  uint8_t *now;
} part_work;

/* Nobody moved in the round before who could touch a body of the patch now. */
static bool quiet(const part_work *work, const th_chart *chart) {
  float reach = work->reach + work->world->order.radius_max;
  return work->before && !TH_LANES_PICK(work->world->simd, th_patch_crowd_any)(chart, reach, work->before);
}

/* Corrections of the patch's own bodies, in their faces. */
static void keep(const part_work *work, const th_patch_crowd *crowd) {
  th_world *world = work->world;
  for (uint32_t n = 0; n < crowd->own_count; n++) {
    uint32_t at = crowd->own[n], slot = crowd->slot[at];
    if (!crowd->now[crowd->order.cluster[at]] || (crowd->dx[at] == 0.0f && crowd->dy[at] == 0.0f)) continue;
    th_vec2 q = th_chart_to_face(th_patch_crowd_map(crowd, at), crowd->dx[at], crowd->dy[at]);
    world->push_x[slot] = q.x;
    world->push_y[slot] = q.y;
    work->now[world->order.cluster[world->order.row[slot]]] = 1;
  }
}

static void find_in(const part_work *work, uint32_t patch, uint32_t worker) {
  th_world *world = work->world;
  th_patch_crowd *crowd = &world->mesh->crowd[worker];
  const th_chart *chart = th_atlas_chart(world->mesh->atlas, patch);
  if (!chart || quiet(work, chart)) return;
  th_patch_crowd_begin(crowd, &work->input, chart);
  th_patch_crowd_gather(crowd, &work->input, work->reach + world->order.radius_max);
  const th_order *order = &crowd->order;
  if (!order->count) return;
  th_contacts contacts = {.x = order->x,
                          .y = order->y,
                          .radius = order->radius,
                          .mobile = crowd->mobile,
                          .start = order->start,
                          .columns = order->grid.columns,
                          .rows = order->grid.rows,
                          .x0 = order->grid.x0,
                          .y0 = order->grid.y0,
                          .inverse = order->grid.inverse,
                          .radius_max = order->radius_max,
                          .reach = order->radius_max,
                          .rings = (uint32_t)(2.0f * order->radius_max * order->grid.inverse) + 1,
                          .now = crowd->now,
                          .dx = crowd->dx,
                          .dy = crowd->dy};
  if (!TH_LANES_PICK(world->simd, th_contacts_rows)(&contacts, crowd->touching)) return;
  memset(crowd->now, 0, order->grid.cluster_count);
  for (uint32_t at = 0; at < order->count; at++) crowd->mobile[at] = world->mobile[crowd->slot[at]];
  for (uint32_t row = 0; row < order->grid.rows; row++)
    if (crowd->touching[row])
      TH_LANES_PICK(world->simd, th_contacts_find)
      (&contacts, row * order->grid.columns, (row + 1) * order->grid.columns);
  keep(work, crowd);
}

static void find_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const part_work *work = context;
  const th_order *order = &work->world->order;
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last;
    th_order_patch(order, patch, &first, &last);
    memset(work->now + first, 0, last - first);
    uint32_t slot = order->start[first], count = order->start[last] - slot;
    memset(work->world->push_x + slot, 0, count * sizeof(float));
    memset(work->world->push_y + slot, 0, count * sizeof(float));
    if (count) find_in(work, patch, worker);
  }
}

/* Walks one body by its correction; returns the squared way. */
static float apply_to(th_world *world, uint32_t slot) {
  float dx = world->push_x[slot], dy = world->push_y[slot], square = dx * dx + dy * dy;
  float max = MAX_CORRECTION * world->order.radius[slot];
  if (square == 0.0f) return 0.0f;
  if (square > max * max) {
    float k = max / sqrtf(square);
    dx *= k;
    dy *= k;
  }
  th_world_mesh_walk_slot(world, slot, (th_vec2){dx, dy});
  return dx * dx + dy * dy;
}

static void apply_clusters(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  part_work *work = context;
  float *farthest = &work->world->room[worker].farthest;
  const th_order *order = &work->world->order;
  for (uint32_t cluster = begin; cluster < end; cluster++) {
    if (!work->now[cluster]) continue;
    for (uint32_t slot = order->start[cluster]; slot < order->start[cluster + 1]; slot++) {
      float way2 = apply_to(work->world, slot);
      *farthest = way2 > *farthest ? way2 : *farthest;
    }
  }
}

void th_world_mesh_contacts(th_world *world) {
  const th_order *order = &world->order;
  part_work work = {.world = world, .input = th_world_mesh_crowd_input(world, (th_view_columns){0})};
  work.input.cell = world->mesh->mcell;
  work.input.rank = world->mesh->mrank;
  work.input.moved = true;
  work.input.x = world->moved_x;
  work.input.y = world->moved_y;
  float strayed = world->farthest;
  for (uint32_t round = 0, rounds = th_contact_rounds(world); round < rounds; round++) {
    work.before = round ? world->contact[1 - round % 2] : NULL;
    work.now = world->contact[round % 2];
    work.reach = order->radius_max + 2.0f * strayed + 1e-3f; /* both may have strayed */
    th_parallel_for(world->pool, th_order_patches(order), 1, find_patches, &work);
    if (world->mesh->overhead) th_world_overhead_contacts(world, work.now);
    if (!memchr(work.now, 1, order->grid.cluster_count)) break;
    th_rooms_reset(world);
    th_parallel_for(world->pool, order->grid.cluster_count, 64, apply_clusters, &work);
    strayed += th_rooms_farthest(world);
  }
  /* A walk that begins in a wall also leads out of it. */
  world->strayed += strayed + (float)TH_ESCAPE_MAX * (float)(1 + world->def.contact_rounds);
}
