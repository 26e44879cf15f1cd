/* field/mesh/nearest_free.c - finds the exit of a body that stands at a vertex its class blocks.
 *
 * Shortest paths along the edges of walkable faces from all free vertices at once (Dijkstra 1959): each blocked vertex
 * gets the free vertex that it is led to. Only walkable faces are crossed, so an exit never lies behind a wall. Cost:
 * O(n log n) in the number of blocked vertices.
 */
#include <math.h>

#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"

static double edge_length(const th_mesh *m, uint32_t a, uint32_t b) {
  const double *p = m->xyz + 3 * (size_t)a, *q = m->xyz + 3 * (size_t)b;
  double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return sqrt(x * x + y * y + z * z);
}

typedef struct fire {
  const th_mesh_ground *mesh;
  th_nearest_free *nearest_free;
  th_heap *heap;
} fire;

static void offer(const fire *f, uint32_t from, uint32_t to) {
  double far = f->nearest_free->far[from] + edge_length(&f->mesh->mesh, from, to);
  if (!(far < f->nearest_free->far[to])) return;
  f->nearest_free->far[to] = far;
  f->nearest_free->owner[to] = f->nearest_free->owner[from];
  th_heap_lower(f->heap, to, far);
}

void th_mesh_nearest_free_fill(const th_ground *ground, uint32_t radius_class, th_nearest_free *nearest_free,
                               th_heap *heap) {
  const th_mesh_ground *s = ground->mesh;
  const th_mesh *m = &s->mesh;
  const fire f = {s, nearest_free, heap};
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    bool blocked = th_mesh_vertex_blocked(ground, radius_class, v);
    nearest_free->owner[v] = blocked ? TH_NO_ELEMENT : v;
    nearest_free->far[v] = blocked ? INFINITY : 0.0;
  }
  /* Only the rim of the free vertices is entered: those with an edge to a blocked one. */
  for (uint32_t h = 0; h < 3 * m->face_count; h++) {
    if (s->blocked[h / 3]) continue;
    uint32_t a = th_half_from(m, h), b = th_half_to(m, h);
    if (nearest_free->owner[a] == a && nearest_free->owner[b] != b) offer(&f, a, b);
    if (nearest_free->owner[b] == b && nearest_free->owner[a] != a) offer(&f, b, a);
  }
  while (heap->count > 0) {
    uint32_t v = th_heap_pop(heap), begin = m->leaving[v], h = begin;
    do {
      if (!s->blocked[h / 3]) {
        offer(&f, v, th_half_to(m, h));
        offer(&f, v, th_half_from(m, th_half_previous(h)));
      }
      h = th_half_left(m, h);
    } while (h != TH_NO_HALF && h != begin);
  }
}
