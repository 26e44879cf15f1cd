/* ground/mesh/walls.c - walls of a mesh, and the routes out of blocked faces.
 *
 * Walls are the sides of walkable faces at the border of the mesh or at a blocked face. An agent on a blocked face (a
 * door closed on it) leaves over the side that begins the shortest path through the middles of sides, found once for
 * all faces by Dijkstra's method from outside. O(n), and O(b log b) for b blocked faces.
 */
#include "ground/mesh/walls.h"

#include <string.h>

#include "base/heap.h"

static void mark_vertices(th_mesh_ground *s) {
  const th_mesh *m = &s->mesh;
  memset(s->on_wall, 1, m->vertex_count);
  for (uint32_t h = 0; h < 3 * m->face_count; h++)
    if (!s->blocked[h / 3]) s->on_wall[m->corner[h]] = 0;
  for (uint32_t k = 0; k < s->wall_count; k++)
    s->on_wall[th_half_from(m, s->wall_half[k])] = s->on_wall[th_half_to(m, s->wall_half[k])] = 1;
}

static bool list_walls(th_mesh_ground *s) {
  uint32_t halves = 3 * s->mesh.face_count, count = 0;
  for (uint32_t h = 0; h < halves; h++) count += !s->blocked[h / 3] && th_mesh_is_wall(s, h);
  s->wall_half = TH_TAKE(&s->mesh.allocator, uint32_t, count);
  if (!s->wall_half) return false;
  s->wall_count = count;
  s->closed = count == 0;
  count = 0;
  for (uint32_t h = 0; h < halves; h++)
    if (!s->blocked[h / 3] && th_mesh_is_wall(s, h)) s->wall_half[count++] = h;
  return true;
}

/* From the face's centroid to the middle of side h. */
static double half_length(const th_mesh_frames *f, uint32_t h) {
  static const double third[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  th_point c = th_frames_at(f, h / 3, third), a = th_frames_corner(f, h), b = th_frames_corner(f, th_half_next(h));
  double x = 0.5 * (a.x + b.x) - c.x, y = 0.5 * (a.y + b.y) - c.y;
  return sqrt(x * x + y * y);
}

/* `distance` holds the distance of each blocked face from walkable ground. */
static void find_exits(th_mesh_ground *s, th_heap *heap, double *distance) {
  const th_mesh *m = &s->mesh;
  for (uint32_t f = 0; f < m->face_count; f++) {
    s->exit_half[f] = TH_NO_HALF;
    distance[f] = HUGE_VAL;
    for (uint32_t h = 3 * f; s->blocked[f] && h < 3 * f + 3; h++) {
      if (m->twin[h] == TH_NO_HALF || s->blocked[m->twin[h] / 3]) continue;
      double far = half_length(&s->frames, h);
      if (!(far < distance[f])) continue;
      s->exit_half[f] = h;
      th_heap_lower(heap, f, distance[f] = far);
    }
  }
  while (heap->count) {
    uint32_t f = th_heap_pop(heap);
    for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
      uint32_t g = m->twin[h];
      if (g == TH_NO_HALF || !s->blocked[g / 3]) continue;
      double far = distance[f] + half_length(&s->frames, h) + half_length(&s->frames, g);
      if (!(far < distance[g / 3])) continue;
      s->exit_half[g / 3] = g;
      th_heap_lower(heap, g / 3, distance[g / 3] = far);
    }
  }
}

bool th_mesh_find_walls(th_mesh_ground *s) {
  if (!list_walls(s)) return false;
  mark_vertices(s);
  const th_allocator *a = &s->mesh.allocator;
  double *distance = TH_TAKE(a, double, s->mesh.face_count);
  th_heap heap;
  bool done = th_heap_make(&heap, a, s->mesh.face_count) && distance;
  if (done) find_exits(s, &heap, distance);
  th_heap_free(&heap, a);
  TH_GIVE(a, distance, s->mesh.face_count);
  return done;
}
