/* field/mesh/edges.h - fields along the edges of a mesh, and the points that they lead to: dynamic planarization. */
#ifndef TH_FIELD_MESH_EDGES_H
#define TH_FIELD_MESH_EDGES_H

#include <math.h>

#include "base/lazy_heap.h"
#include "field/mesh/field.h"

static inline float th_mesh_edge_length(const th_mesh *m, uint32_t a, uint32_t b) {
  const double *p = m->xyz + 3 * (size_t)a, *q = m->xyz + 3 * (size_t)b;
  double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return (float)sqrt(x * x + y * y + z * z);
}

/* 1 / speed factor along the edge of half-edge h of a walkable face: that of its faster side. */
static inline double th_mesh_edge_slowness(const th_mesh_ground *s, uint32_t h) {
  const uint32_t twin = s->mesh.twin[h];
  float speed = s->speed[h / 3];
  if (twin != TH_NO_HALF && !s->blocked[twin / 3] && s->speed[twin / 3] > speed) speed = s->speed[twin / 3];
  return 1.0 / (double)speed;
}

/* Neighbours of each vertex with the lengths of the edges; an edge counts where it lies at a walkable face. */
struct th_mesh_links {
  uint32_t *start; /* vertices + 1 */
  uint32_t *other;
  float *length; /* [m] */
  float *time;   /* time as distance at full speed [m]; NULL where all faces have one speed */
  uint32_t link_count;
};

/* Makes a field of kind TH_FIELD_EDGES; the draft has neither memory nor goal yet. */
th_result th_mesh_edges_build(th_mesh_field_build *build, th_error *error);
/* Parts of it: links and exits of the solver; which vertices are free; the distances to one vertex. The heap is empty
 * and has room for every link and vertex. */
th_result th_mesh_edges_prepare(th_mesh_field_build *build, th_error *error);
void th_mesh_edges_kinds(const th_mesh_field_build *build);
void th_mesh_edges_search(const th_mesh_field_build *build, const th_mesh_edges *edges, th_lazy_heap *heap,
                          uint32_t goal);
/* all_edges.c: the distances to a vertex from the fields that were made beforehand; false when they are not there. */
bool th_mesh_edges_copy(const th_mesh_field_build *build, uint32_t goal, float *left);
void th_mesh_edges_release(const th_mesh_edges *edges, const th_allocator *allocator, uint32_t vertices);
void th_mesh_links_release(th_mesh_links *links, const th_allocator *allocator, uint32_t vertices);

/* reference.c: the point that agents of a face walk to, in the face's frame. */
typedef struct th_reference {
  float x, y;
  bool arrives; /* it is the goal */
} th_reference;

/* `lowest`: the lowest vertex of the map, for an agent that goes back and forth; else the mean of the corners'
 * gains. */
th_reference th_mesh_field_reference(const th_field *field, uint32_t face, bool lowest);

/* Remaining distance [m] at x, y of a face: left[0] + left[1] x + left[2] y. False when no path leads from here. */
bool th_mesh_edges_left(const th_field *field, uint32_t face, float left[3]);
/* The whole face is goal. */
bool th_mesh_edges_goal(const th_field *field, uint32_t face);

#endif
