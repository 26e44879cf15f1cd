/* lab/mesh_bvp/lab.c - a mesh with a goal, relaxed as 3DS-BVP does, and the paths from all its
 * faces. */
#include "lab/mesh_bvp/lab.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "base/random.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"

#define DEGREES 57.29577951308232
#define NONE NAN

th_result th_mesh_lab_make(th_soup *soup, th_mesh_lab *lab, th_error *error) {
  *lab = (th_mesh_lab){0};
  th_result result = th_soup_mesh(soup, &lab->mesh, error);
  if (result != TH_OK) return result;
  lab->tile = TH_TAKE(&lab->mesh.allocator, uint8_t, lab->mesh.vertex_count);
  if (!lab->tile) {
    th_mesh_lab_free(lab);
    return th_fail_memory(error, "experiment");
  }
  for (uint32_t v = 0; v < lab->mesh.vertex_count; v++)
    lab->tile[v] = th_vertex_is_border(&lab->mesh, v) ? TH_TILE_WALL : TH_TILE_FREE;
  return TH_OK;
}

th_result th_mesh_lab_sheet(uint32_t columns, uint32_t rows, double noise, th_mesh_lab *lab, th_error *error) {
  th_soup soup = th_soup_begin(NULL);
  th_make_equilateral(&soup, columns, rows, 1.0 / columns);
  th_result result = noise > 0.0 ? th_soup_shake(&soup, noise, 7, error) : TH_OK;
  if (result == TH_OK) return th_mesh_lab_make(&soup, lab, error);
  th_soup_free(&soup);
  return result;
}

void th_mesh_lab_free(th_mesh_lab *lab) {
  th_mesh_height_free(lab->height_map);
  th_mesh_relax_free(lab->relax);
  th_mesh_relax_weights_free(lab->weights);
  if (lab->tile) TH_GIVE(&lab->mesh.allocator, lab->tile, lab->mesh.vertex_count);
  th_mesh_free(&lab->mesh);
  *lab = (th_mesh_lab){0};
}

uint32_t th_mesh_lab_nearest(const th_mesh_lab *lab, double x, double y, double z) {
  const double p[3] = {x, y, z};
  uint32_t best = 0;
  for (uint32_t v = 1; v < lab->mesh.vertex_count; v++)
    if (th_distance3d(p, lab->mesh.xyz + 3 * (size_t)v) < th_distance3d(p, lab->mesh.xyz + 3 * (size_t)best)) best = v;
  return best;
}

static void tag(th_mesh_lab *lab, uint32_t v, th_tile tile) {
  if (tile == TH_TILE_GOAL || lab->tile[v] == TH_TILE_FREE) lab->tile[v] = (uint8_t)tile;
}

void th_mesh_lab_box(th_mesh_lab *lab, th_tile tile, const th_mesh_lab_box_def *b) {
  for (uint32_t v = 0; v < lab->mesh.vertex_count; v++) {
    const double *p = lab->mesh.xyz + 3 * (size_t)v;
    if (p[0] >= b->x0 && p[0] <= b->x1 && p[1] >= b->y0 && p[1] <= b->y1) tag(lab, v, tile);
  }
}

void th_mesh_lab_ball(th_mesh_lab *lab, th_tile tile, uint32_t vertex, double radius) {
  for (uint32_t v = 0; v < lab->mesh.vertex_count; v++)
    if (th_distance3d(lab->mesh.xyz + 3 * (size_t)v, lab->mesh.xyz + 3 * (size_t)vertex) <= radius) tag(lab, v, tile);
}

th_mesh_relax_def th_mesh_lab_def(double e_max) {
  th_mesh_relax_def def = th_default_mesh_relax_def();
  def.e_max = e_max;
  return def;
}

th_result th_mesh_lab_relax(th_mesh_lab *lab, const th_mesh_relax_def *def, th_error *error) {
  th_mesh_height_free(lab->height_map);
  th_mesh_relax_free(lab->relax);
  lab->height_map = NULL;
  lab->relax = NULL;
  th_result result = TH_OK;
  if (!lab->weights) result = th_mesh_relax_weights_make(&lab->mesh, NULL, &lab->weights, error);
  if (result == TH_OK) result = th_mesh_relax_make(def, lab->weights, lab->tile, &lab->relax, error);
  if (result == TH_OK) lab->report = th_mesh_relax_converge(lab->relax);
  if (result == TH_OK) result = th_mesh_height_of(lab->relax, &lab->height_map, error);
  return result;
}

/* ---------------------------------------------------------------- paths */

bool th_mesh_lab_is_start(const th_mesh_lab *lab, uint32_t face) {
  const uint32_t *hops = th_mesh_relax_hops(lab->relax);
  for (uint32_t k = 0; k < 3; k++)
    if (hops[lab->mesh.corner[3 * (size_t)face + k]] == TH_NO_ELEMENT) return false;
  return true;
}

th_result th_mesh_lab_path(th_mesh_lab *lab, uint32_t face, th_mesh_height_path *path, th_error *error) {
  const th_mesh_spot middle = {face, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
  return th_mesh_height_trace(lab->height_map, &middle, path, error);
}

th_result th_mesh_lab_walk_all(th_mesh_lab *lab, uint32_t stride, th_mesh_lab_paths *paths, th_error *error) {
  th_mesh_height_path path = {0};
  th_result result = TH_OK;
  const double before = th_clock_processor_seconds();
  *paths = (th_mesh_lab_paths){0};
  for (uint32_t f = 0; f < lab->mesh.face_count && result == TH_OK; f += stride) {
    if (!th_mesh_lab_is_start(lab, f)) continue;
    result = th_mesh_lab_path(lab, f, &path, error);
    paths->starts++;
    paths->arrived += path.end == TH_DESCENT_ARRIVED;
    paths->rises += path.rises;
    paths->touched += path.touched;
    paths->grazed += path.grazed;
    paths->turn_max_angle = fmax(paths->turn_max_angle, path.turn_max_angle * DEGREES);
    paths->turn_mean += path.turn_max_angle * DEGREES;
  }
  th_mesh_height_path_free(&path);
  if (paths->starts) paths->turn_mean /= paths->starts;
  if (paths->starts) paths->seconds = (th_clock_processor_seconds() - before) / paths->starts;
  return result;
}

uint32_t th_mesh_lab_pick(const th_mesh_lab *lab, uint32_t count, uint64_t seed, uint32_t *face) {
  uint32_t found = 0;
  for (uint32_t n = 0; n < 100 * count && found < count; n++) {
    const uint32_t f = th_random_to_below(th_random(seed, 1, n, 0), lab->mesh.face_count);
    bool goal = false;
    for (uint32_t k = 0; k < 3; k++) goal |= lab->tile[lab->mesh.corner[3 * (size_t)f + k]] == TH_TILE_GOAL;
    if (!goal && th_mesh_lab_is_start(lab, f)) face[found++] = f;
  }
  return found;
}

static double from_piece(const th_vec3 *p, const th_vec3 *a, const th_vec3 *b) {
  const double dx = (double)b->x - a->x, dy = (double)b->y - a->y, dz = (double)b->z - a->z;
  const double x = (double)p->x - a->x, y = (double)p->y - a->y, z = (double)p->z - a->z;
  const double size = dx * dx + dy * dy + dz * dz;
  const double t = size > 0.0 ? fmin(fmax((x * dx + y * dy + z * dz) / size, 0.0), 1.0) : 0.0;
  return sqrt((x - t * dx) * (x - t * dx) + (y - t * dy) * (y - t * dy) + (z - t * dz) * (z - t * dz));
}

double th_mesh_lab_line_apart(const th_vec3 *one, uint32_t count, const th_vec3 *other, uint32_t other_count) {
  double sum = 0.0;
  for (uint32_t k = 0; k < count; k++) {
    double min = INFINITY;
    for (uint32_t n = 0; n + 1 < other_count; n++) min = fmin(min, from_piece(&one[k], &other[n], &other[n + 1]));
    sum += min;
  }
  return count ? sum / count : INFINITY;
}

void th_mesh_lab_claim_paths(th_lab *lab, const th_mesh_lab_paths *w) {
  const double share = w->starts ? (double)w->arrived / w->starts : NAN;
  th_lab_claim(lab, &(th_claim){"starts, one in each free face", "", w->starts, 100, INFINITY, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"share of the starts that arrives", "", share, 1, 1, 1, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"pieces of paths that do not go down", "", w->rises, 0, 0, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"walls touched", "", w->touched, 0, 0, 0, NONE, NULL});
}
