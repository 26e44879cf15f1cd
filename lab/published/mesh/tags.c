/* lab/published/mesh/tags.c - cells of a mesh and their tags: lines 2 to 10 of Algorithm 1.
 *
 * The cell of a vertex is the area round it that the middles of the edges and the centroids bound; a point lies in the
 * cell of the corner with the largest weight, as the cuts are the lines where two weights are equal. Goals are written
 * last, so they override other tags. A closed mesh without obstacles has no high value at all; then the start's cell
 * becomes one, a step that the printed listing leaves out (section 4.3 of the source). Cost: O(vertices).
 */
#include "base/error.h"
#include "geometry/mesh/halfedge.h"
#include "lab/published/mesh/relaxation.h"

void th_mesh_spot_xyz(const th_mesh *mesh, const th_mesh_spot *spot, double xyz[3]) {
  for (int k = 0; k < 3; k++) {
    xyz[k] = 0.0;
    for (uint32_t c = 0; c < 3; c++)
      xyz[k] += spot->weight[c] * mesh->xyz[3 * (size_t)mesh->corner[3 * (size_t)spot->face + c] + (size_t)k];
  }
}

uint32_t th_mesh_relax_cell(const th_mesh *mesh, const th_mesh_spot *spot) {
  uint32_t best = 0;
  for (uint32_t c = 1; c < 3; c++)
    if (spot->weight[c] > spot->weight[best]) best = c;
  return mesh->corner[3 * (size_t)spot->face + best];
}

th_mesh_relax_bounds th_default_mesh_relax_bounds(void) { return (th_mesh_relax_bounds){.start = TH_NO_ELEMENT}; }

static th_result check_list(const th_mesh *mesh, const uint32_t *vertex, uint32_t count, const char *name,
                            th_error *error) {
  for (uint32_t k = 0; k < count; k++)
    if (vertex[k] >= mesh->vertex_count)
      return th_fail_at(error, TH_ERROR_RANGE, name, k, "expected a vertex below %u, found %u", mesh->vertex_count,
                        vertex[k]);
  return TH_OK;
}

static th_result check_bounds(const th_mesh *mesh, const th_mesh_relax_bounds *b, th_error *error) {
  th_result result = check_list(mesh, b->occupied, b->occupied_count, "mesh.occupied", error);
  if (result == TH_OK) result = check_list(mesh, b->goal, b->goal_count, "mesh.goal", error);
  if (result != TH_OK) return result;
  if (b->goal_count == 0) return th_fail(error, TH_ERROR_RANGE, "mesh.goal", "expected a goal, found none");
  if (b->start != TH_NO_ELEMENT && b->start >= mesh->vertex_count)
    return th_fail(error, TH_ERROR_RANGE, "mesh.start", "expected a vertex below %u, found %u", mesh->vertex_count,
                   b->start);
  return TH_OK;
}

static bool has_wall(const th_mesh *mesh, const uint8_t *tile) {
  for (uint32_t v = 0; v < mesh->vertex_count; v++)
    if (tile[v] == TH_TILE_WALL) return true;
  return false;
}

th_result th_mesh_relax_tag(const th_mesh *mesh, const th_mesh_relax_bounds *b, uint8_t *tile, bool *start_used,
                            th_error *error) {
  th_result result = check_bounds(mesh, b, error);
  if (result != TH_OK) return result;
  for (uint32_t v = 0; v < mesh->vertex_count; v++)
    tile[v] = th_vertex_is_border(mesh, v) ? TH_TILE_WALL : TH_TILE_FREE;
  for (uint32_t k = 0; k < b->occupied_count; k++) tile[b->occupied[k]] = TH_TILE_WALL;
  for (uint32_t f = 0; b->blocked_face && f < mesh->face_count; f++)
    for (uint32_t c = 0; b->blocked_face[f] && c < 3; c++) tile[mesh->corner[3 * (size_t)f + c]] = TH_TILE_WALL;
  const bool trick = b->start != TH_NO_ELEMENT && !has_wall(mesh, tile);
  if (trick) tile[b->start] = TH_TILE_WALL;
  for (uint32_t k = 0; k < b->goal_count; k++) tile[b->goal[k]] = TH_TILE_GOAL;
  if (start_used) *start_used = trick && tile[b->start] == TH_TILE_WALL;
  return TH_OK;
}
