/* tests/support/relaxed_meshes.h - meshes with a goal, relaxed by the published planner, for its tests. */
#ifndef TH_TESTS_SUPPORT_RELAXED_MESHES_H
#define TH_TESTS_SUPPORT_RELAXED_MESHES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh/halfedge.h"
#include "make/shapes.h"
#include "support/allocator.h"
#include "throng/published/relax_mesh.h"

typedef struct hills {
  th_mesh mesh;
  th_mesh_relax_weights *weights;
  uint8_t *tile;
  th_mesh_relax *relax;
  th_mesh_height *height_map;
} hills;

static inline void hills_check(th_result result, const th_error *error) {
  if (result != TH_OK) fail_msg("%s: %s", error->where, error->text);
}

static inline th_mesh hills_mesh(th_soup *soup) {
  th_mesh mesh;
  th_error error = {0};
  hills_check(th_soup_mesh(soup, &mesh, &error), &error);
  return mesh;
}

/* Equilateral triangles on about 1 x 1 m, displaced by up to `noise` of an edge. */
static inline th_mesh hills_sheet(uint32_t columns, double noise, uint64_t seed) {
  th_soup soup = th_soup_begin(NULL);
  th_error error = {0};
  const double edge = 1.0 / columns;
  th_make_equilateral(&soup, columns, (uint32_t)(1.0 / (edge * sqrt(0.75))), edge);
  if (noise > 0.0) hills_check(th_soup_shake(&soup, noise, seed, &error), &error);
  return hills_mesh(&soup);
}

static inline th_mesh hills_sized(th_make_size size) {
  th_soup soup = th_soup_begin(NULL);
  th_error error = {0};
  hills_check(th_make_sized(&soup, size, &error), &error);
  return hills_mesh(&soup);
}

static inline th_mesh hills_sphere(uint32_t level) {
  th_soup soup = th_soup_begin(NULL);
  th_error error = {0};
  hills_check(th_make_icosphere(&soup, level, 1.0, 0.0, &error), &error);
  return hills_mesh(&soup);
}

static inline uint32_t hills_nearest(const th_mesh *m, double x, double y, double z) {
  uint32_t best = 0;
  double min = HUGE_VAL;
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    const double *p = m->xyz + 3 * v, d = hypot(hypot(p[0] - x, p[1] - y), p[2] - z);
    if (d < min) min = d, best = v;
  }
  return best;
}

/* Marks vertices of a box seen from above. */
static inline void hills_block(hills *h, double x0, double y0, double x1, double y1) {
  for (uint32_t v = 0; v < h->mesh.vertex_count; v++) {
    const double *p = h->mesh.xyz + 3 * v;
    if (p[0] >= x0 && p[0] <= x1 && p[1] >= y0 && p[1] <= y1 && h->tile[v] == TH_TILE_FREE) h->tile[v] = TH_TILE_WALL;
  }
}

/* Takes the mesh over; tags with the goal at a vertex. */
static inline hills hills_make(th_mesh mesh, uint32_t goal, uint32_t start) {
  hills h = {.mesh = mesh};
  th_error error = {0};
  th_mesh_relax_bounds bounds = th_default_mesh_relax_bounds();
  bounds.goal = &goal;
  bounds.goal_count = 1;
  bounds.start = start;
  h.tile = (uint8_t *)calloc(mesh.vertex_count, 1);
  hills_check(th_mesh_relax_tag(&h.mesh, &bounds, h.tile, NULL, &error), &error);
  return h;
}

/* Weights hold the address of the mesh: `h` must stay where it is from here on. */
static inline th_mesh_relax_report hills_relax(hills *h, const th_mesh_relax_def *def) {
  th_error error = {0};
  th_mesh_relax_free(h->relax);
  th_mesh_height_free(h->height_map);
  if (!h->weights) hills_check(th_mesh_relax_weights_make(&h->mesh, NULL, &h->weights, &error), &error);
  hills_check(th_mesh_relax_make(def, h->weights, h->tile, &h->relax, &error), &error);
  th_mesh_relax_report report = th_mesh_relax_converge(h->relax);
  hills_check(th_mesh_height_of(h->relax, &h->height_map, &error), &error);
  return report;
}

static inline th_mesh_relax_def hills_def(double e_max) {
  th_mesh_relax_def def = th_default_mesh_relax_def();
  def.e_max = e_max;
  return def;
}

static inline void hills_free(hills *h) {
  th_mesh_height_free(h->height_map);
  th_mesh_relax_free(h->relax);
  th_mesh_relax_weights_free(h->weights);
  free(h->tile);
  th_mesh_free(&h->mesh);
}

/* Whether all corners of a face are free, or goals, with a way to the goal. */
static inline bool hills_is_start(const hills *h, uint32_t face) {
  const uint32_t *hops = th_mesh_relax_hops(h->relax);
  for (uint32_t k = 0; k < 3; k++)
    if (hops[h->mesh.corner[3 * face + k]] == TH_NO_ELEMENT) return false;
  return true;
}

static inline double hills_apart(const th_mesh_relax *a, const th_mesh_relax *b) {
  double max = 0.0;
  for (uint32_t v = 0; v < th_mesh_relax_mesh(a)->vertex_count; v++)
    max = fmax(max, fabs(th_mesh_relax_p(a, v) - th_mesh_relax_p(b, v)));
  return max;
}

static inline bool hills_equal(const th_mesh_relax *a, const th_mesh_relax *b) {
  for (uint32_t v = 0; v < th_mesh_relax_mesh(a)->vertex_count; v++) {
    double x = th_mesh_relax_p(a, v), y = th_mesh_relax_p(b, v);
    if (memcmp(&x, &y, sizeof x) != 0) return false;
  }
  return true;
}

#endif
