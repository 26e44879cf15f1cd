/* geometry/bvh.c - building and fitting the boxes.
 *
 * Faces are sorted along a Z-order curve of their centres (Morton codes, radix sort) and cut into equal leaves of a
 * complete binary tree (after Lauterbach et al. 2009, without their pointers): building is linear, the tree needs no
 * child links, and fitting it to moved vertices is one sweep from the leaves to the root. Which axis a bit of the code
 * halves follows the shape of the whole (Vinkler, Bittner and Havran 2017): bits in turn would cut a wide terrain into
 * sheets of equal height, and a plumb line through a million faces would meet thousands of them. Queries are within a
 * small factor of trees built by surface area, which take ten times as long to build.
 */
#include "geometry/bvh.h"

#include <math.h>

#include "base/memory.h"

#define LEAF_FACES 4 /* about */
#define BITS 30      /* of a code */

/* How a box is halved, again and again: always across its longest side. */
typedef struct cuts {
  double low[3], scale[3];
  uint8_t axis[BITS], bits[3];
} cuts;

static double centre3(const th_mesh *m, uint32_t f, int k) {
  const uint32_t *c = m->corner + 3 * (size_t)f;
  return m->xyz[3 * (size_t)c[0] + (size_t)k] + m->xyz[3 * (size_t)c[1] + (size_t)k] +
         m->xyz[3 * (size_t)c[2] + (size_t)k];
}

static cuts plan_cuts(const th_mesh *m) {
  cuts plan = {.bits = {0, 0, 0}};
  double side[3], whole[3];
  for (int k = 0; k < 3; k++) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (uint32_t f = 0; f < m->face_count; f++) {
      double c = centre3(m, f, k);
      least = c < least ? c : least;
      most = c > most ? c : most;
    }
    plan.low[k] = least;
    whole[k] = side[k] = most - least;
  }
  for (int i = 0; i < BITS; i++) {
    uint8_t longest = side[1] > side[0] ? 1 : 0;
    if (side[2] > side[longest]) longest = 2;
    plan.axis[i] = longest;
    plan.bits[longest]++;
    side[longest] *= 0.5;
  }
  for (int k = 0; k < 3; k++) plan.scale[k] = whole[k] > 0.0 ? (double)((1u << plan.bits[k]) - 1) / whole[k] : 0.0;
  return plan;
}

static void fill_codes(const th_mesh *m, uint32_t *code) {
  const cuts plan = plan_cuts(m);
  for (uint32_t f = 0; f < m->face_count; f++) {
    uint32_t number[3], left[3];
    for (int k = 0; k < 3; k++) {
      number[k] = (uint32_t)((centre3(m, f, k) - plan.low[k]) * plan.scale[k]);
      left[k] = plan.bits[k];
    }
    code[f] = 0;
    for (int i = 0; i < BITS; i++) code[f] = code[f] << 1 | (number[plan.axis[i]] >> --left[plan.axis[i]] & 1u);
  }
}

/* Stable, three passes of 10 bits; the result is in `order`. */
static void sort_by_code(const uint32_t *code, uint32_t count, uint32_t *order, uint32_t *other) {
  uint32_t *from = other, *to = order;
  for (uint32_t i = 0; i < count; i++) from[i] = i;
  for (uint32_t shift = 0; shift < BITS; shift += 10) {
    uint32_t start[1025] = {0};
    for (uint32_t i = 0; i < count; i++) start[(code[i] >> shift & 1023u) + 1]++;
    for (uint32_t i = 0; i < 1024; i++) start[i + 1] += start[i];
    for (uint32_t i = 0; i < count; i++) to[start[code[from[i]] >> shift & 1023u]++] = from[i];
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
}

static void add_face(th_bvh_box *box, const th_mesh *m, uint32_t f) {
  for (int n = 0; n < 3; n++) {
    const double *p = m->xyz + 3 * (size_t)m->corner[3 * (size_t)f + (size_t)n];
    for (int k = 0; k < 3; k++) {
      float low = (float)p[k], high = low;
      if ((double)low > p[k]) low = nextafterf(low, -INFINITY);
      if ((double)high < p[k]) high = nextafterf(high, INFINITY);
      box->low[k] = low < box->low[k] ? low : box->low[k];
      box->high[k] = high > box->high[k] ? high : box->high[k];
    }
  }
}

static void join(th_bvh_box *out, const th_bvh_box *a, const th_bvh_box *b) {
  for (int k = 0; k < 3; k++) {
    out->low[k] = a->low[k] < b->low[k] ? a->low[k] : b->low[k];
    out->high[k] = a->high[k] > b->high[k] ? a->high[k] : b->high[k];
  }
}

static uint32_t leaf_start(const th_bvh *bvh, uint32_t leaf) {
  return (uint32_t)((uint64_t)bvh->mesh->face_count * leaf / bvh->leaves);
}

void th_bvh_refit(th_bvh *bvh) {
  for (uint32_t leaf = 0; leaf < bvh->leaves; leaf++) {
    th_bvh_box *box = &bvh->box[bvh->leaves - 1 + leaf];
    for (int k = 0; k < 3; k++) box->low[k] = INFINITY, box->high[k] = -INFINITY;
    for (uint32_t i = leaf_start(bvh, leaf); i < leaf_start(bvh, leaf + 1); i++)
      add_face(box, bvh->mesh, bvh->order[i]);
  }
  for (uint32_t i = bvh->leaves - 1; i-- > 0;) join(&bvh->box[i], &bvh->box[2 * i + 1], &bvh->box[2 * i + 2]);
}

bool th_bvh_make(th_bvh *bvh, const th_mesh *mesh) {
  const th_allocator *a = &mesh->allocator;
  uint32_t faces = mesh->face_count;
  *bvh = (th_bvh){.mesh = mesh, .leaves = 1};
  while ((uint64_t)bvh->leaves * LEAF_FACES < faces) bvh->leaves *= 2;
  bvh->box = TH_TAKE(a, th_bvh_box, 2 * (size_t)bvh->leaves - 1);
  bvh->order = TH_TAKE(a, uint32_t, faces);
  uint32_t *code = TH_TAKE(a, uint32_t, faces), *other = TH_TAKE(a, uint32_t, faces);
  bool got = bvh->box && bvh->order && code && other;
  if (got) {
    fill_codes(mesh, code);
    sort_by_code(code, faces, bvh->order, other);
    th_bvh_refit(bvh);
  }
  TH_GIVE(a, code, faces);
  TH_GIVE(a, other, faces);
  if (!got) th_bvh_free(bvh);
  return got;
}

void th_bvh_free(th_bvh *bvh) {
  if (!bvh->mesh) return;
  TH_GIVE(&bvh->mesh->allocator, bvh->box, 2 * (size_t)bvh->leaves - 1);
  TH_GIVE(&bvh->mesh->allocator, bvh->order, bvh->mesh->face_count);
  *bvh = (th_bvh){0};
}
