/* world/watch/field_left.c - the distances of a field as an array, whatever its kind.
 *
 * Each number is the answer that a body with its centre there would get, so harmonic, geodesic and roomy fields are
 * read alike and none of their solvers needs an array of its own. Cost: one query per cell or vertex.
 */
#include <math.h>

#include "ground/ground.h"
#include "ground/mesh/ground.h"
#include "throng/watch.h"
#include "world/world.h"

static uint32_t of_cells(const th_ground *ground, const th_field *field, float *left, uint32_t capacity) {
  const th_lattice lattice = th_ground_lattice(ground);
  for (uint32_t j = 0; j < lattice.height; j++)
    for (uint32_t i = 0; i < lattice.width && j * lattice.width + i < capacity; i++) {
      const float x = (float)(lattice.x0 + ((double)i + 0.5) * lattice.cell);
      const float y = (float)(lattice.y0 + ((double)j + 0.5) * lattice.cell);
      const th_place place = {j * lattice.width + i, x, y};
      left[place.cell] = th_field_reaches(field, place) ? th_field_gradient_at(field, place).left : INFINITY;
    }
  return lattice.width * lattice.height;
}

/* Of the faces round a vertex the one that tells the shortest distance. */
static uint32_t of_vertices(const th_ground *ground, const th_field *field, float *left, uint32_t capacity) {
  const th_mesh *mesh = &ground->mesh->mesh;
  for (uint32_t v = 0; v < mesh->vertex_count && v < capacity; v++) left[v] = INFINITY;
  for (uint32_t half = 0; half < 3 * mesh->face_count; half++) {
    const uint32_t vertex = mesh->corner[half], k = half % 3;
    if (vertex >= capacity || ground->mesh->blocked[half / 3]) continue;
    const th_vec3 weights = {k == 0, k == 1, k == 2};
    const th_place place = th_ground_place_of(ground, half / 3, weights);
    if (th_field_reaches(field, place)) left[vertex] = fminf(left[vertex], th_field_gradient_at(field, place).left);
  }
  return mesh->vertex_count;
}

uint32_t th_world_field_left(const th_world *world, const th_field *field, float *left, uint32_t capacity) {
  if (th_no_world(world, __func__) || !field) return 0;
  return world->ground->mesh ? of_vertices(world->ground, field, left, capacity)
                             : of_cells(world->ground, field, left, capacity);
}
