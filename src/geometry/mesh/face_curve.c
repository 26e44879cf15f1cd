/* geometry/mesh/face_curve.c - faces along a Z-order curve of their centres, by Morton codes and a radix sort.
 *
 * The axis that each bit of the code halves is chosen by the shape of the whole mesh (Vinkler, Bittner and Havran
 * 2017). Cycling through x, y and z would cut a wide terrain into sheets of equal height, and a vertical line through a
 * million faces would meet thousands of them. O(n).
 */
#include "geometry/mesh/face_curve.h"

#include <math.h>

#include "base/memory.h"

#define BITS 30 /* of a code */

/* How a box is halved, again and again: always across its longest side. */
typedef struct cuts {
  double low[3], scale[3];
  uint8_t axis[BITS], bits[3];
} cuts;

/* Some faces of a mesh, or all. */
typedef struct faces {
  const th_mesh *mesh;
  const uint32_t *face; /* NULL: all */
  uint32_t count;
} faces;

/* Three times a coordinate of the centre. */
static double centre3(const faces *s, uint32_t i, int k) {
  const th_mesh *m = s->mesh;
  const uint32_t *c = m->corner + 3 * (size_t)(s->face ? s->face[i] : i);
  return m->xyz[3 * (size_t)c[0] + (size_t)k] + m->xyz[3 * (size_t)c[1] + (size_t)k] +
         m->xyz[3 * (size_t)c[2] + (size_t)k];
}

static cuts plan_cuts(const faces *s) {
  cuts plan = {.bits = {0, 0, 0}};
  double side[3], whole[3];
  for (int k = 0; k < 3; k++) {
    double min = HUGE_VAL, max = -HUGE_VAL;
    for (uint32_t i = 0; i < s->count; i++) {
      double c = centre3(s, i, k);
      min = c < min ? c : min;
      max = c > max ? c : max;
    }
    plan.low[k] = min;
    whole[k] = side[k] = max - min;
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

static void fill_codes(const faces *s, uint32_t *code) {
  const cuts plan = plan_cuts(s);
  for (uint32_t n = 0; n < s->count; n++) {
    uint32_t number[3], left[3];
    for (int k = 0; k < 3; k++) {
      number[k] = (uint32_t)((centre3(s, n, k) - plan.low[k]) * plan.scale[k]);
      left[k] = plan.bits[k];
    }
    code[n] = 0;
    for (int i = 0; i < BITS; i++) code[n] = code[n] << 1 | (number[plan.axis[i]] >> --left[plan.axis[i]] & 1u);
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

bool th_face_curve(const th_mesh *mesh, const uint32_t *face, uint32_t count, uint32_t *order) {
  const faces list = {mesh, face, count};
  uint32_t *code = TH_TAKE(&mesh->allocator, uint32_t, count), *other = TH_TAKE(&mesh->allocator, uint32_t, count);
  bool got = code && other;
  if (got) {
    fill_codes(&list, code);
    sort_by_code(code, count, order, other);
  }
  TH_GIVE(&mesh->allocator, code, count);
  TH_GIVE(&mesh->allocator, other, count);
  return got;
}
