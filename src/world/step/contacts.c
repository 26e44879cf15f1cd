/* world/step/contacts.c - phase 6: pushes apart bodies that overlap.
 *
 * There are up to three rounds; worlds of people have more, until no overlap is above 1 %. In each round every body
 * first sums the corrections from all bodies around it (find) and then walks by the sum, so walls hold. A barrier
 * between the two makes the order of bodies irrelevant. From the second round on only the neighbourhood of bodies that
 * moved is looked at. Clusters are those of the step's start, so the search reaches as far as two bodies can have moved
 * since. The kinds of ground differ in how bodies are found and walked; the rounds are the same. A round moves a
 * body by half its radius at most; a step has no limit of its own, because a pile that a host or an edit has stacked
 * would otherwise stay in itself for seconds, and corrections are walked, so no wall is crossed however far they lead.
 * Cost on flat ground: about 10 ns per agent, plus 100 ns per contact.
 */
#include "world/step/contacts.h"

#include <math.h>
#include <string.h>

#include "ground/walk.h"
#include "world/step/motion.h"
#include "world/step/step.h"

#define PEOPLE_ROUNDS 32
#define FEW 3               /* worlds with more rounds end them when no overlap is left above */
#define ENOUGH 0.01f        /* of the radii's sum */
#define MAX_CORRECTION 0.5f /* part of a radius per round: many contacts at once must not throw a body about */

/* ---------------------------------------------------------------- flat ground */

/* 0: at most one side; each further class twice as far. */
static uint32_t class_of(float length2, float side2) {
  uint32_t found = 0;
  for (float limit = side2; length2 > limit && found < 23; limit *= 4.0f) found++;
  return found;
}

typedef struct find_work {
  th_world *world;
  th_contacts contacts;
} find_work;

static void find_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const find_work *work = context;
  th_contacts contacts = work->contacts;
  contacts.looked = &work->world->scratch[worker].looked;
  for (uint32_t patch = begin; patch < end; patch++) {
    uint32_t first, last;
    th_order_patch(&work->world->order, patch, &first, &last);
    TH_LANES_PICK(work->world->simd, th_contacts_find)(&contacts, first, last);
  }
}

/* Squared distance from the place at the start of the step to the one of now. */
static float hop2(const th_world *world, uint32_t slot) {
  float dx = world->moved_x[slot] - world->order.x[slot], dy = world->moved_y[slot] - world->order.y[slot];
  return dx * dx + dy * dy;
}

/* Lists bodies that went farther than most, when they are few: without the list everybody else would have to look as
 * far around as they went. Lengths are sorted by powers of two of a cluster's side. Returns how far the others went. */
static float part_far(th_world *world, th_contact_round *round) {
  enum { CLASSES = 24 };
  const float side2 = world->order.grid.side * world->order.grid.side;
  uint32_t in_class[CLASSES] = {0}, above = 0, top = CLASSES - 1;
  round->far_count = 0;
  if (!(world->farthest > world->order.grid.side)) return world->farthest;
  for (uint32_t slot = 0; slot < world->order.count; slot++) in_class[class_of(hop2(world, slot), side2)]++;
  for (; top > 0 && above + in_class[top] <= TH_MAX_FAR; top--) above += in_class[top];
  float others = 0.0f;
  for (uint32_t slot = 0; slot < world->order.count; slot++) {
    if (class_of(hop2(world, slot), side2) > top)
      round->far[round->far_count++] = slot;
    else
      others = fmaxf(others, hop2(world, slot));
  }
  return sqrtf(others);
}

/* Others may have left their clusters by the displacement of the step and by the corrections of the rounds before. */
static void find_flat(const th_contact_round *round) {
  th_world *world = round->world;
  const th_order *order = &world->order;
  float reach = order->radius_max + round->strayed + round->pushed + 1e-3f;
  find_work work = {.world = world,
                    .contacts = {.x = world->moved_x,
                                 .y = world->moved_y,
                                 .radius = order->body,
                                 .mobile = world->mobile,
                                 .start = order->start,
                                 .grid = order->grid,
                                 .radius_max = order->radius_max,
                                 .reach = reach,
                                 .least = round->least,
                                 .far = round->far,
                                 .far_count = round->far_count,
                                 .rings = (uint32_t)((reach + order->radius_max) * order->grid.inverse) + 1,
                                 .before = round->before,
                                 .now = round->now,
                                 .dx = world->push_x,
                                 .dy = world->push_y}};
  th_parallel_for(world->pool, th_order_patches(order), 4, find_patches, &work);
}

static void begin_flat(th_contact_round *round) { round->strayed = part_far(round->world, round); }

static float walk_flat(th_world *world, uint32_t slot, th_vec2 push) {
  uint32_t row = world->order.row[slot];
  th_footing footing = {.place = {0, world->moved_x[slot], world->moved_y[slot]}, /* walking finds the cell */
                        .rest = world->rows.rest[row]};
  th_ground_walk_on(world->ground, &footing, push, world->order.radius[slot]);
  float wx = footing.place.x - world->moved_x[slot], wy = footing.place.y - world->moved_y[slot];
  world->moved_x[slot] = footing.place.x;
  world->moved_y[slot] = footing.place.y;
  world->displacement_x[slot] += footing.moved.x;
  world->displacement_y[slot] += footing.moved.y;
  world->rows.rest[row] = footing.rest;
  return wx * wx + wy * wy;
}

static const th_contact_calls flat_calls = {.begin = begin_flat, .find = find_flat, .walk_by = walk_flat, .block = 256};

/* ---------------------------------------------------------------- both */

typedef struct push_work {
  th_world *world;
  const th_contact_calls *calls;
  const uint8_t *now;
} push_work;

static th_vec2 correction_of(const th_world *world, uint32_t slot) {
  float dx = world->push_x[slot], dy = world->push_y[slot], square = dx * dx + dy * dy;
  float max = MAX_CORRECTION * world->order.radius[slot];
  if (square > max * max) {
    float k = max / sqrtf(square);
    dx *= k;
    dy *= k;
  }
  return (th_vec2){dx, dy};
}

static void push_clusters(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const push_work *work = context;
  th_world *world = work->world;
  float *farthest = &world->scratch[worker].farthest;
  for (const uint8_t *at = work->now + begin, *last = work->now + end; (at = memchr(at, 1, (size_t)(last - at)));
       at++) {
    const size_t cluster = (size_t)(at - work->now);
    for (uint32_t slot = world->order.start[cluster]; slot < world->order.start[cluster + 1]; slot++) {
      th_vec2 push = correction_of(world, slot);
      if (push.x * push.x + push.y * push.y == 0.0f) continue;
      float length2 = work->calls->walk_by(world, slot, push);
      *farthest = length2 > *farthest ? length2 : *farthest;
    }
  }
}

/* Bare bodies keep apart by their models; people stand close, and are to touch without overlapping. */
static uint32_t most_rounds(const th_world *world) {
  if (world->def.contact_rounds != TH_CONTACT_ROUNDS_AUTO) return world->def.contact_rounds;
  return world->people.any ? PEOPLE_ROUNDS : FEW;
}

/* No rounds where no body may be pushed. */
static uint32_t rounds_of(const th_world *world) {
  for (uint32_t slot = 0; slot < world->order.count; slot++)
    if (world->mobile[slot] > 0.0f) return most_rounds(world);
  return 0;
}

void th_phase_contacts(th_world *world) {
  const th_contact_calls *calls = world->mesh ? &th_mesh_contact_calls : &flat_calls;
  th_contact_round round = {.world = world};
  uint32_t clusters = world->order.grid.cluster_count, rounds = rounds_of(world);
  if (rounds) calls->begin(&round);
  for (uint32_t n = 0; n < rounds; n++) {
    round.before = n ? (n % 2 ? world->pushed : world->pushed_before) : NULL;
    round.now = n % 2 ? world->pushed_before : world->pushed;
    round.least = n && rounds > FEW ? ENOUGH : TH_CONTACT_SLOP;
    calls->find(&round);
    if (!memchr(round.now, 1, clusters)) break;
    th_move_farthest_reset(world);
    push_work work = {world, calls, round.now};
    th_parallel_for(world->pool, clusters, calls->block, push_clusters, &work);
    round.pushed += th_move_farthest_found(world);
  }
  world->strayed += world->farthest + round.pushed + calls->escape * (float)(1 + most_rounds(world));
}
