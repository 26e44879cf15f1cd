/* world/step/mesh_contacts.c - contacts on a mesh.
 *
 * Every patch is laid flat together with all bodies that may touch its own, as for views, and the code of flat ground
 * finds the contacts. Corrections go back to the frames of faces and are walked there, so walls hold. From the second
 * round on only patches near a body that moved are searched again. Cost: about 50 ns per agent.
 */
#include <math.h>
#include <string.h>

#include "ground/slide.h"
#include "world/step/contacts.h"
#include "world/step/motion.h"
#include "world/world.h"

#define LONG 1.0f /* [m]: longer displacements are bounded per cluster instead of by one number for all */
#define CROWD (TH_MAX_PATCH_CROWD + 16)
#define ARRAYS(X) X(dx, CROWD) X(dy, CROWD)

bool th_contact_scratch_make(th_contact_scratch *scratch, const th_allocator *allocator) {
  bool made = true;
#define X(name, count) made &= (scratch->name = th_take(allocator, count, sizeof *scratch->name)) != NULL;
  ARRAYS(X)
#undef X
  return made;
}

void th_contact_scratch_free(th_contact_scratch *scratch, const th_allocator *allocator) {
#define X(name, count) TH_GIVE(allocator, scratch->name, count);
  ARRAYS(X)
#undef X
}

typedef struct find_work {
  const th_contact_round *round;
  th_patch_crowd_input input;
  float reach;
} find_work;

/* True when no body that could now touch one of the patch moved in the round before. */
static bool quiet(const find_work *work, const th_chart *chart, float reach) {
  const th_world *world = work->round->world;
  const uint8_t *before = work->round->before;
  return before && !TH_LANES_PICK(world->simd, th_patch_crowd_any)(chart, reach, before, work->input.hops);
}

/* Corrections of the patch's own bodies, in their faces. */
static void keep(const find_work *work, const th_patch_crowd *crowd, const th_contact_scratch *scratch) {
  th_world *world = work->round->world;
  for (uint32_t n = 0; n < crowd->own_count; n++) {
    if (scratch->dx[n] == 0.0f && scratch->dy[n] == 0.0f) continue;
    uint32_t at = crowd->own[n], slot = crowd->slot[at];
    th_vec2 q = th_chart_to_face(th_patch_crowd_map(crowd, at), scratch->dx[n], scratch->dy[n]);
    world->push_x[slot] = q.x;
    world->push_y[slot] = q.y;
    work->round->now[world->order.cluster[world->order.row[slot]]] = 1;
  }
}

/* False when no body is pushed. */
static bool find_among(const find_work *work, const th_patch_crowd *crowd, uint32_t worker) {
  th_world *world = work->round->world;
  const th_contact_scratch *scratch = &world->mesh->contact[worker];
  const th_order *order = &crowd->order;
  th_contacts contacts = {.x = order->x,
                          .y = order->y,
                          .radius = order->body,
                          .mobile = world->mobile,
                          .from = crowd->slot,
                          .start = order->start,
                          .grid = order->grid,
                          .radius_max = order->radius_max,
                          .reach = order->radius_max,
                          .least = work->round->least,
                          .dx = scratch->dx,
                          .dy = scratch->dy,
                          .looked = &world->scratch[worker].looked};
  world->scratch[worker].looked += order->count;
  return TH_LANES_PICK(world->simd, th_contacts_listed)(&contacts, crowd->own, crowd->own_count);
}

/* How far a body of the patch may have gone, when that is not the same for all. */
static float hop_of(const find_work *work, uint32_t patch) {
  const float *hops = work->input.hops;
  float longest = 0.0f;
  uint32_t first, last;
  if (!hops) return 0.0f;
  th_order_patch(&work->round->world->order, patch, &first, &last);
  for (uint32_t cluster = first; cluster < last; cluster++) longest = hops[cluster] > longest ? hops[cluster] : longest;
  return longest;
}

static void find_in(const find_work *work, uint32_t patch, uint32_t worker) {
  th_world *world = work->round->world;
  th_patch_crowd *crowd = &world->mesh->crowd[worker];
  const th_contact_scratch *scratch = &world->mesh->contact[worker];
  const th_chart *chart = th_atlas_chart(world->mesh->atlas, patch);
  th_atlas_fetch_after(world->mesh->atlas, patch);
  if (!chart) return;
  const float reach = work->reach + world->order.radius_max + hop_of(work, patch);
  if (quiet(work, chart, reach)) return;
  th_patch_crowd_begin(crowd, &work->input, chart);
  th_patch_crowd_gather(crowd, &work->input, reach);
  if (crowd->order.count && find_among(work, crowd, worker)) keep(work, crowd, scratch);
}

static void find_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const find_work *work = context;
  th_world *world = work->round->world;
  const th_order *order = &world->order;
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last;
    th_order_patch(order, patch, &first, &last);
    memset(work->round->now + first, 0, last - first);
    uint32_t slot = order->start[first], count = order->start[last] - slot;
    memset(world->push_x + slot, 0, count * sizeof(float));
    memset(world->push_y + slot, 0, count * sizeof(float));
    if (count) find_in(work, patch, worker);
  }
}

static void find(const th_contact_round *round) {
  th_world *world = round->world;
  find_work work = {.round = round, .input = th_world_mesh_crowd_input(world, (th_view_columns){0})};
  work.input.cell = world->mesh->mcell;
  work.input.rank = world->mesh->mrank;
  work.input.moved = true;
  work.input.x = world->moved_x;
  work.input.y = world->moved_y;
  work.input.hops = round->hops;
  work.reach = world->order.radius_max + 1e-3f + 2.0f * round->pushed; /* both may have strayed */
  if (!round->hops) work.reach += 2.0f * round->strayed;
  th_parallel_for(world->pool, th_order_patches(&world->order), 1, find_patches, &work);
  if (world->mesh->overhead) th_world_overhead_contacts(round);
}

static void find_hops(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  const th_world *world = context;
  const float *hop2 = world->mesh->hop2;
  for (uint32_t cluster = begin; cluster < end; cluster++) {
    float longest = 0.0f;
    for (uint32_t slot = world->order.start[cluster]; slot < world->order.start[cluster + 1]; slot++)
      longest = hop2[slot] > longest ? hop2[slot] : longest;
    world->hops[cluster] = sqrtf(longest);
  }
}

/* One body that goes far must not make all others look that far around. */
static void begin(th_contact_round *round) {
  th_world *world = round->world;
  round->strayed = world->farthest;
  if (!(round->strayed > LONG)) return;
  th_parallel_for(world->pool, world->order.grid.cluster_count, 256, find_hops, world);
  round->hops = world->hops;
}

static float walk_by(th_world *world, uint32_t slot, th_vec2 push) {
  th_world_mesh_walk_slot(world, slot, push);
  return push.x * push.x + push.y * push.y;
}

const th_contact_calls th_mesh_contact_calls = {
    .begin = begin, .find = find, .walk_by = walk_by, .block = 64, .escape = (float)TH_ESCAPE_MAX};
