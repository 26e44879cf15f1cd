/* ground/path/landmarks.c - distances from a few faces to all others, which tell a search how far it has to go.
 *
 * Behind walls the straight distance to a target says little, and A* looks at all that lies before them. Distances from
 * landmarks bound it from below by the triangle inequality (Goldberg and Harrelson, "Computing the shortest path: A*
 * search meets graph theory", SODA 2005). Each landmark is the face farthest from those before it, in the largest part
 * of the ground. Distances run from middle to middle of faces. Cost: eight searches of Dijkstra's over all faces.
 */
#include <math.h>
#include <string.h>

#include "base/lazy_heap.h"
#include "ground/path/portals.h"

static th_point middle_of(const th_mesh_frames *f, uint32_t face) {
  static const double third[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  return th_frames_at(f, face, third);
}

/* From the middle of a half-edge's face to the middle of what is open of it. */
static double half_way(const th_path_portals *p, uint32_t half) {
  return th_length2d(th_minus2d(th_path_portals_middle(p, half), middle_of(&p->mesh->frames, half / 3)));
}

static void measure(th_path_portals *p, uint32_t mark, uint32_t from, th_lazy_heap *open) {
  for (uint32_t f = 0; f < p->faces; f++) p->landmark[TH_LANDMARKS * (size_t)f + mark] = INFINITY;
  p->landmark[TH_LANDMARKS * (size_t)from + mark] = 0.0f;
  open->count = 0;
  th_lazy_heap_push(open, th_lazy_key(0.0f, from));
  while (open->count) {
    const uint64_t key = th_lazy_heap_pop(open);
    const uint32_t face = th_lazy_number(key);
    if (th_lazy_distance(key) > p->landmark[TH_LANDMARKS * (size_t)face + mark]) continue;
    for (uint32_t out = 3 * face; out < 3 * face + 3; out++) {
      if (!th_path_portals_open(p, out)) continue;
      const uint32_t half = p->mesh->mesh.twin[out];
      const float far = th_lazy_distance(key) + (float)(half_way(p, out) + half_way(p, half));
      float *has = &p->landmark[TH_LANDMARKS * (size_t)(half / 3) + mark];
      if (far >= *has) continue;
      *has = far;
      th_lazy_heap_push(open, th_lazy_key(far, half / 3));
    }
  }
}

/* The face farthest from the first `marks` landmarks. */
static uint32_t farthest(const th_path_portals *p, uint32_t marks) {
  uint32_t best = 0;
  float most = -1.0f;
  for (uint32_t f = 0; f < p->faces; f++) {
    float least = INFINITY;
    for (uint32_t k = 0; k < marks; k++) least = fminf(least, p->landmark[TH_LANDMARKS * (size_t)f + k]);
    if (least > most && least < INFINITY) most = least, best = f;
  }
  return best;
}

/* A face of the largest part. `size`: of each part, zeros. */
static uint32_t begin_in(const th_path_portals *p, uint32_t *size) {
  uint32_t best = 0, most = 0;
  for (uint32_t f = 0; f < p->faces; f++)
    if (p->part[f] != TH_ANY_PART && ++size[p->part[f]] > most) most = size[p->part[f]], best = f;
  return best;
}

bool th_path_landmarks_find(th_path_portals *p) {
  th_lazy_heap open = {0};
  uint32_t *size = TH_TAKE(&p->allocator, uint32_t, p->faces);
  const bool taken = size && th_lazy_heap_reserve(&open, &p->allocator, 3 * p->faces + 1);
  if (taken) measure(p, 0, begin_in(p, size), &open);
  for (uint32_t k = 0; k < TH_LANDMARKS && taken; k++) measure(p, k, farthest(p, k ? k : 1), &open);
  th_lazy_heap_free(&open, &p->allocator);
  TH_GIVE(&p->allocator, size, p->faces);
  return taken;
}
