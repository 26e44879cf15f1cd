/* make/soup.h - generated triangles before they become a mesh: collected, refined, spoilt on purpose. */
#ifndef TH_MAKE_SOUP_H
#define TH_MAKE_SOUP_H

#include "throng/mesh.h"

/* Triangles being collected. When memory runs out, `failed` is set and all later calls do nothing, so that generators
 * need no checks: th_soup_mesh reports the failure. Release with th_soup_free or th_soup_mesh. */
typedef struct th_soup {
  th_allocator allocator;
  double (*xyz)[3];
  uint32_t (*corner)[3];
  uint32_t vertex_count, vertex_capacity, face_count, face_capacity;
  bool failed;
} th_soup;

th_soup th_soup_begin(const th_env *env); /* `env` may be NULL */
void th_soup_free(th_soup *soup);

uint32_t th_soup_vertex(th_soup *soup, double x, double y, double z);
void th_soup_face(th_soup *soup, uint32_t a, uint32_t b, uint32_t c);
void th_soup_quad(th_soup *soup, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* The mesh of the triangles collected; vertices with equal coordinates become one. Frees the soup in any case. */
th_result th_soup_mesh(th_soup *soup, th_mesh *mesh, th_error *error);

/* Cuts every face into four by the middles of its edges. The soup's faces must be a valid mesh, here and below. */
th_result th_soup_quarter(th_soup *soup, th_error *error);

/* Halves the longest edges until there are `faces` faces. An inner edge adds two and a border edge one, so a closed
 * surface needs an even number. Fails when there are more already. */
th_result th_soup_refine(th_soup *soup, uint32_t faces, th_error *error);

/* Moves each inner vertex in its tangent plane by a random length up to `share` of its shortest edge. On a mesh of
 * equilateral triangles no face turns over up to sqrt(3)/4 = 0.433. */
th_result th_soup_shake(th_soup *soup, double share, uint64_t seed, th_error *error);

/* Spoils a share of the faces: each gets a vertex `height` times its edge above the middle of its first edge, so that
 * one of its three new faces is a sliver. */
void th_soup_spoil(th_soup *soup, double share, double height, uint64_t seed);

#endif
