/* lab/published/mesh/gradient.c - the gradient of 3DS-BVP on a face, (4.14), found on demand.
 *
 * Gauss' theorem over a triangle gives grad p = (-p0 n1 - p1 n2 + p2 n0) / (2 area), with the edges turned by +90
 * degrees; as n1 + n2 - n0 = 0 (4.13) a constant may be taken off the values first. It is the exact gradient of the
 * linear function on the face and points uphill; the source adds it in Algorithm 4 all the same, so the walking code
 * chooses the sign. Values are scaled by their largest difference first: heights of 1e-200, far from the goal, would
 * otherwise have squares of 0. Cost: about 60 operations per face, once.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/vector.h"
#include "lab/published/mesh/height.h"
#include "lab/published/mesh/relaxation.h"

/* n = (v1 - v0) x (v2 - v0); returns its length, twice the area. */
static double face_normal(const double xyz[3][3], double *n) {
  double a[3], b[3];
  th_minus3d(xyz[1], xyz[0], a);
  th_minus3d(xyz[2], xyz[0], b);
  th_cross3d(a, b, n);
  return th_length3d(n);
}

void th_mesh_edge_normals(const double xyz[3][3], double normal[3][3]) {
  double n[3], edge[3][3];
  const double twice = face_normal(xyz, n);
  th_minus3d(xyz[1], xyz[0], edge[0]);
  th_minus3d(xyz[1], xyz[2], edge[1]);
  th_minus3d(xyz[2], xyz[0], edge[2]);
  for (int k = 0; k < 3; k++) n[k] = twice > 0.0 ? n[k] / twice : 0.0;
  for (int e = 0; e < 3; e++) th_cross3d(n, edge[e], normal[e]);
}

/* grad p = (-p0 n1 - p1 n2 + p2 n0) / (2 area) with p - p0 for p */
void th_mesh_face_gradient(const double xyz[3][3], const double value[3], double gradient[3]) {
  double n[3], edge[3][3];
  const double twice = face_normal(xyz, n), p1 = value[1] - value[0], p2 = value[2] - value[0];
  th_mesh_edge_normals(xyz, edge);
  for (int k = 0; k < 3; k++) gradient[k] = twice > 0.0 ? (p2 * edge[0][k] - p1 * edge[2][k]) / twice : 0.0;
}

/* Changes of the weights along -g / |g|: the weight of a corner is the linear function that is 1 there, 0 opposite. */
static void find_slope(const double xyz[3][3], const double height[3], th_mesh_height_slope *s) {
  const double p1 = height[1] - height[0], p2 = height[2] - height[0], scale = fmax(fabs(p1), fabs(p2));
  *s = (th_mesh_height_slope){{0.0, 0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}};
  if (!(scale > 0.0)) return;
  const double scaled[3] = {0.0, p1 / scale, p2 / scale};
  double g[3], to_corner[3];
  th_mesh_face_gradient(xyz, scaled, g);
  const double modulus = th_length3d(g);
  if (!(modulus > 0.0)) return;
  s->steep = modulus * scale;
  for (uint32_t c = 0; c < 3; c++) {
    const double unit[3] = {c == 0, c == 1, c == 2};
    th_mesh_face_gradient(xyz, unit, to_corner);
    s->rate[c] = -th_dot3d(g, to_corner) / modulus;
    s->gradient[c] = g[c] * scale;
  }
}

const th_mesh_height_slope *th_mesh_height_slope_of(th_mesh_height *h, uint32_t face) {
  th_mesh_height_slope *s = &h->slope[face];
  if (h->known[face]) return s;
  double xyz[3][3], height[3];
  th_mesh_height_corners(h->mesh, face, xyz);
  for (uint32_t c = 0; c < 3; c++) height[c] = h->height[h->mesh->corner[3 * (size_t)face + c]];
  find_slope((const double(*)[3])xyz, height, s);
  h->known[face] = 1;
  h->made++;
  return s;
}

void th_mesh_height_gradient(th_mesh_height *h, uint32_t face, double gradient[3]) {
  memcpy(gradient, th_mesh_height_slope_of(h, face)->gradient, 3 * sizeof *gradient);
}

uint32_t th_mesh_height_gradients_made(const th_mesh_height *h) { return h->made; }

uint32_t th_mesh_height_null_faces(th_mesh_height *h, double null_gradient, uint8_t *mark) {
  uint32_t count = 0;
  for (uint32_t f = 0; f < h->mesh->face_count; f++) {
    const uint32_t *c = h->mesh->corner + 3 * (size_t)f;
    const bool free = h->tile[c[0]] == TH_TILE_FREE || h->tile[c[1]] == TH_TILE_FREE || h->tile[c[2]] == TH_TILE_FREE;
    const bool flat = free && th_mesh_height_slope_of(h, f)->steep <= null_gradient;
    if (mark) mark[f] = flat;
    count += flat;
  }
  return count;
}

bool th_mesh_height_is_goal(const th_mesh_height *h, const th_mesh_spot *s) {
  const double max = fmax(s->weight[0], fmax(s->weight[1], s->weight[2]));
  for (uint32_t c = 0; c < 3; c++)
    if (s->weight[c] >= max && h->tile[h->mesh->corner[3 * (size_t)s->face + c]] == TH_TILE_GOAL) return true;
  return false;
}

/* ---------------------------------------------------------------- making */

void th_mesh_height_free(th_mesh_height *h) {
  if (!h) return;
  const th_allocator a = h->env.allocator;
  TH_GIVE(&a, h->height, h->vertices);
  TH_GIVE(&a, h->tile, h->vertices);
  TH_GIVE(&a, h->slope, h->faces);
  TH_GIVE(&a, h->known, h->faces);
  TH_GIVE(&a, h, 1);
}

static th_mesh_height *take(const th_env *env, const th_mesh *mesh) {
  const th_env full = th_env_complete(env);
  th_mesh_height *h = TH_TAKE(&full.allocator, th_mesh_height, 1);
  if (!h) return NULL;
  h->env = full;
  h->mesh = mesh;
  h->vertices = mesh->vertex_count;
  h->faces = mesh->face_count;
  h->height = TH_TAKE(&full.allocator, double, mesh->vertex_count);
  h->tile = TH_TAKE(&full.allocator, uint8_t, mesh->vertex_count);
  h->slope = TH_TAKE(&full.allocator, th_mesh_height_slope, mesh->face_count);
  h->known = TH_TAKE(&full.allocator, uint8_t, mesh->face_count);
  if (h->height && h->tile && h->slope && h->known) return h;
  th_mesh_height_free(h);
  return NULL;
}

th_mesh_height_def th_default_mesh_height_def(void) { return (th_mesh_height_def){.mesh = NULL}; }

th_result th_mesh_height_make(const th_mesh_height_def *def, th_mesh_height **height_map, th_error *error) {
  const uint32_t vertices = def->mesh->vertex_count;
  *height_map = take(&def->env, def->mesh);
  if (!*height_map) return th_fail_memory(error, "height map");
  memcpy((*height_map)->height, def->height, sizeof *def->height * vertices);
  for (uint32_t v = 0; v < vertices; v++) (*height_map)->tile[v] = def->tile ? def->tile[v] : TH_TILE_FREE;
  return TH_OK;
}

th_result th_mesh_height_of(const th_mesh_relax *relax, th_mesh_height **height_map, th_error *error) {
  const th_mesh *mesh = relax->weights->mesh;
  *height_map = take(&relax->def.env, mesh);
  if (!*height_map) return th_fail_memory(error, "height map");
  th_mesh_relax_heights(relax, (*height_map)->height);
  memcpy((*height_map)->tile, relax->tile, mesh->vertex_count);
  return TH_OK;
}
