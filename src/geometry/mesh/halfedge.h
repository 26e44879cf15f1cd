/* geometry/mesh/halfedge.h - moving over a mesh by half-edges.
 *
 * Half-edge 3 f + k is side k of face f, so face, next and previous are arithmetic and only the twin is stored: 4 bytes
 * per half-edge, where the classical doubly connected edge list keeps five links. The outer half-edge of a border edge
 * is not stored: it has no face, and th_half_next_border follows the border.
 */
#ifndef TH_GEOMETRY_MESH_HALFEDGE_H
#define TH_GEOMETRY_MESH_HALFEDGE_H

#include "throng/mesh.h"

static inline uint32_t th_half_next(uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
static inline uint32_t th_half_previous(uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
static inline uint32_t th_half_face(uint32_t h) { return h / 3; }
static inline uint32_t th_half_from(const th_mesh *m, uint32_t h) { return m->corner[h]; }
static inline uint32_t th_half_to(const th_mesh *m, uint32_t h) { return m->corner[th_half_next(h)]; }

/* The next half-edge that leaves the same vertex, or TH_NO_HALF at the border. */
static inline uint32_t th_half_left(const th_mesh *m, uint32_t h) { return m->twin[th_half_previous(h)]; }
static inline uint32_t th_half_right(const th_mesh *m, uint32_t h) {
  return m->twin[h] == TH_NO_HALF ? TH_NO_HALF : th_half_next(m->twin[h]);
}

static inline bool th_vertex_is_border(const th_mesh *m, uint32_t v) { return m->twin[m->leaving[v]] == TH_NO_HALF; }

/* After the border half-edge h, the next one of its loop. */
static inline uint32_t th_half_next_border(const th_mesh *m, uint32_t h) { return m->leaving[th_half_to(m, h)]; }

/* The half-edge from vertex a to vertex b, TH_NO_HALF when there is none (also when only b to a exists). O(degree). */
uint32_t th_half_link(const th_mesh *m, uint32_t a, uint32_t b);

/* Vertices joined with v by an edge, counter-clockwise, each once; writes up to `capacity`, returns how many. */
uint32_t th_mesh_vertex_neighbours(const th_mesh *m, uint32_t v, uint32_t *neighbour, uint32_t capacity);

#endif
