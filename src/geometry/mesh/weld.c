/* geometry/mesh/weld.c - vertices at one place become one vertex.
 *
 * Vertices are visited in their order; each joins the kept vertex with the lowest index within the distance, or is kept
 * itself. Vertices are welded to kept ones only, so a chain of near vertices does not collapse into one, and the result
 * does not depend on the search method: a hash table of cubes twice as wide as the distance, in which the eight cubes
 * around a vertex hold all vertices within the distance. Expected cost: one to eight table lookups per vertex.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/mesh/build.h"

#define NOBODY UINT32_MAX

typedef struct table {
  uint32_t *first; /* of each slot the last vertex kept there */
  uint32_t *next;  /* of each vertex the one kept before it in its slot */
  uint32_t mask;
} table;

static uint64_t mix_cell(int64_t i, int64_t j, int64_t k) {
  uint64_t x = th_random_mix((uint64_t)i + 0x9e3779b97f4a7c15u);
  x = th_random_mix(x ^ (uint64_t)j);
  return th_random_mix(x ^ (uint64_t)k);
}

/* Lowest kept vertex within `weld` of vertex v in the slot of one cube. */
static uint32_t look(const th_mesh_builder *b, const table *t, uint32_t slot, uint32_t v, double weld) {
  const double *p = b->xyz + 3 * (size_t)v;
  uint32_t best = NOBODY;
  for (uint32_t w = t->first[slot]; w != NOBODY; w = t->next[w]) {
    const double *q = b->xyz + 3 * (size_t)w;
    double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
    if (x * x + y * y + z * z <= weld * weld && w < best) best = w;
  }
  return best;
}

static void keep(table *t, uint64_t hash, uint32_t v) {
  uint32_t slot = (uint32_t)hash & t->mask;
  t->next[v] = t->first[slot];
  t->first[slot] = v;
}

static void join(th_mesh_builder *b, uint32_t v, uint32_t to) {
  b->of[v] = to;
  b->mesh->count[TH_MESH_WELDED]++;
}

/* Equal coordinates only: their bits are the key. */
static void weld_equal(th_mesh_builder *b, table *t) {
  for (uint32_t v = 0; v < b->def->vertex_count; v++) {
    const double *p = b->xyz + 3 * (size_t)v;
    int64_t bits[3];
    for (int k = 0; k < 3; k++) {
      union {
        double number;
        int64_t bits;
      } u = {p[k]};
      bits[k] = u.bits;
    }
    uint64_t hash = mix_cell(bits[0], bits[1], bits[2]);
    uint32_t best = look(b, t, (uint32_t)hash & t->mask, v, 0.0);
    b->of[v] = v;
    if (best != NOBODY)
      join(b, v, best);
    else
      keep(t, hash, v);
  }
}

/* Cubes are 2 weld wide: on each axis a ball of radius `weld` reaches into the cube of its centre and at most one
 * beside it, the one on the side of the nearer face. */
static void weld_near(th_mesh_builder *b, table *t) {
  double weld = b->def->weld, cube = 2.0 * weld;
  for (uint32_t v = 0; v < b->def->vertex_count; v++) {
    int64_t cell[3], beside[3];
    for (int k = 0; k < 3; k++) {
      double at = b->xyz[3 * (size_t)v + (size_t)k] / cube, low = floor(at);
      cell[k] = (int64_t)low;
      beside[k] = at - low < 0.5 ? cell[k] - 1 : cell[k] + 1;
    }
    uint32_t best = NOBODY;
    for (int n = 0; n < 8; n++) {
      uint64_t hash = mix_cell(n & 1 ? beside[0] : cell[0], n & 2 ? beside[1] : cell[1], n & 4 ? beside[2] : cell[2]);
      uint32_t found = look(b, t, (uint32_t)hash & t->mask, v, weld);
      if (found < best) best = found;
    }
    b->of[v] = v;
    if (best != NOBODY)
      join(b, v, best);
    else
      keep(t, mix_cell(cell[0], cell[1], cell[2]), v);
  }
}

th_result th_mesh_weld(th_mesh_builder *b) {
  uint32_t count = b->def->vertex_count;
  if (b->def->weld < 0.0) {
    for (uint32_t v = 0; v < count; v++) b->of[v] = v;
    return TH_OK;
  }
  const th_allocator *a = &b->mesh->allocator;
  size_t slots = 16;
  while (slots < count) slots *= 2;
  table t = {TH_TAKE(a, uint32_t, slots), TH_TAKE(a, uint32_t, count), (uint32_t)(slots - 1)};
  th_result result = TH_OK;
  if (t.first && t.next) {
    for (size_t i = 0; i < slots; i++) t.first[i] = NOBODY;
    /* Below 1e-9 m the cubes' numbers would leave the integers, and no coordinate is that fine. */
    if (b->def->weld > 1e-9)
      weld_near(b, &t);
    else
      weld_equal(b, &t);
  } else {
    result = th_fail_memory(b->error, b->where);
  }
  TH_GIVE(a, t.first, slots);
  TH_GIVE(a, t.next, count);
  return result;
}
