/* lab/mesh_bvp/flatness.c - where the field of a long hallway becomes flat and how to prevent it;
 * degenerate meshes: AT-6, AT-7. */
#include "lab/mesh_bvp/experiments.h"
#include "lab/mesh_bvp/lab.h"

#define NONE NAN

enum { WIDTH = 10, LONG = 20 };

/* ---------------------------------------------------------------- AT-6 */

/* 10 x 200 cells of one metre, the goal across the left end. */
static th_result make_hallway(th_mesh_lab *s, th_error *error) {
  static const th_mesh_lab_box_def end = {-0.1, 0.5, 0.1, WIDTH - 0.5};
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, WIDTH * LONG, WIDTH, 1.0, 1.0);
  th_result result = th_mesh_lab_make(&soup, s, error);
  if (result == TH_OK) th_mesh_lab_box(s, TH_TILE_GOAL, &end);
  return result;
}

/* Sweeps until nothing changes: from p = 1 values only fall, so this ends. */
static th_mesh_relax_def hallway_def(th_storage storage, th_precision precision) {
  th_mesh_relax_def def = th_mesh_lab_def(1e-300);
  def.storage = storage;
  def.precision = precision;
  def.start = 1.0;
  return def;
}

/* Distance, in widths, from the goal to the nearest flat face on the middle line; LONG when there is none. */
static double first_flat(const th_mesh_lab *s, uint32_t *flat) {
  double nearest = LONG;
  *flat = 0;
  for (uint32_t f = 0; f < s->mesh.face_count; f++) {
    double g[3];
    const double *p = s->mesh.xyz + 3 * (size_t)s->mesh.corner[3 * (size_t)f];
    if (!th_mesh_lab_is_start(s, f)) continue;
    th_mesh_height_gradient(s->height_map, f, g);
    if (g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0) continue;
    ++*flat;
    if (p[1] == WIDTH / 2.0) nearest = fmin(nearest, p[0] / WIDTH);
  }
  return nearest;
}

static th_result draw_hallway(th_lab *lab, const th_mesh_lab *s, th_error *error) {
  th_camera above = th_default_camera();
  above.kind = TH_CAMERA_ANGLES;
  above.azimuth = -90.0;
  above.elevation = 90.0;
  const th_mesh_lab_figure sheet = {
      .title = "AT-6: p in floats, gradients where there are any", .camera = &above, .cameras = 1, .gradients = true};
  return th_mesh_lab_draw(lab, s, &sheet, error);
}

/* With rings: how many, faces that are still flat, and whether a path from the far end arrives. */
static th_result try_rings(th_lab *lab, th_mesh_lab *s, th_error *error) {
  th_mesh_relax_rings *rings = NULL;
  th_mesh_height_path path = {0};
  th_flatness_def def = th_default_flatness_def();
  def.null_gradient = 0.0;
  th_result result = th_mesh_relax_rings_make(s->relax, &def, &rings, error);
  uint32_t starts = 0, flat = 0, arrived = 0;
  for (uint32_t f = 0; f < s->mesh.face_count && result == TH_OK; f += 3) {
    if (!th_mesh_lab_is_start(s, f)) continue;
    const th_mesh_spot middle = {f, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
    result = th_mesh_relax_rings_trace(rings, &middle, &path, error);
    starts++;
    flat += th_mesh_relax_rings_level(rings, f) == TH_NO_ELEMENT;
    arrived += path.end == TH_DESCENT_ARRIVED;
  }
  if (result == TH_OK) {
    th_lab_claim(lab, &(th_claim){"rings of intermediate goals, p in floats", "", th_mesh_relax_rings_count(rings), 1,
                                  20, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"with rings: flat faces", "", flat, 0, 0, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"with rings: share of starts that arrives", "", (double)arrived / starts, 1, 1, NONE,
                                  NONE, NULL});
  }
  th_mesh_height_path_free(&path);
  th_mesh_relax_rings_free(rings);
  return result;
}

th_result th_mesh_at6(th_lab *lab, th_error *error) {
  static const char *const name[4] = {"p in floats: first null gradient", "p in doubles: first null gradient",
                                      "u in floats: first null gradient (20: none)",
                                      "u in doubles: first null gradient (20: none)"};
  static const double min[4] = {5.0, 11.5, LONG, LONG}, max[4] = {6.0, 12.5, LONG, LONG};
  static const double earlier[4] = {5.7, 12.1, NAN, NAN};
  th_mesh_lab s;
  th_mesh_lab_paths paths;
  th_result result = make_hallway(&s, error);
  if (result != TH_OK) return result;
  for (int k = 0; k < 4 && result == TH_OK; k++) {
    const th_mesh_relax_def def =
        hallway_def(k < 2 ? TH_STORAGE_P : TH_STORAGE_U, k % 2 ? TH_PRECISION_DOUBLE : TH_PRECISION_FLOAT);
    uint32_t flat = 0;
    result = th_mesh_lab_relax(&s, &def, error);
    if (result != TH_OK) break;
    const double first = first_flat(&s, &flat);
    th_lab_claim(lab,
                 &(th_claim){name[k], "widths", first, min[k], max[k], NONE, earlier[k],
                             k < 2 ? "the band is that of squares; with six neighbours p rounds to 1 sooner" : NULL});
    if (k == 0)
      th_lab_claim(lab, &(th_claim){"p in floats: faces without a gradient", "", flat, 1, INFINITY, NONE, NONE, NULL});
    if (k == 0) result = draw_hallway(lab, &s, error);
    if (result == TH_OK && k == 0) result = try_rings(lab, &s, error);
  }
  if (result == TH_OK) result = th_mesh_lab_walk_all(&s, 3, &paths, error);
  if (result == TH_OK)
    th_lab_claim(lab, &(th_claim){"u in doubles: share of starts that arrives", "",
                                  (double)paths.arrived / paths.starts, 1, 1, NONE, NONE, NULL});
  th_mesh_lab_free(&s);
  return result;
}

/* ---------------------------------------------------------------- AT-7 */

/* A sheet with one vertex moved to within `gap` of its neighbour; `wrong` counts vertices whose p is not in [0, 1]. */
static th_result near_vertices(double gap, double *wrong, double *share, double *min, th_error *error) {
  th_mesh_lab s;
  th_mesh_lab_paths paths;
  th_result result = th_mesh_lab_sheet(20, 23, 0.0, &s, error);
  if (result != TH_OK) return result;
  const uint32_t v = th_mesh_lab_nearest(&s, 0.5, 0.5, 0.0), *neighbour;
  const double *weight;
  result = th_mesh_relax_weights_make(&s.mesh, NULL, &s.weights, error);
  if (result == TH_OK) {
    (void)th_mesh_relax_weights_of(s.weights, v, &neighbour, &weight);
    for (int k = 0; k < 3; k++) {
      const double to = s.mesh.xyz[3 * (size_t)neighbour[0] + (size_t)k], from = s.mesh.xyz[3 * (size_t)v + (size_t)k];
      s.mesh.xyz[3 * (size_t)v + (size_t)k] = to + gap * (from - to);
    }
    th_mesh_relax_weights_free(s.weights); /* the weights of the moved vertex */
    s.weights = NULL;
    s.tile[th_mesh_lab_nearest(&s, 0.2, 0.3, 0.0)] = TH_TILE_GOAL;
    const th_mesh_relax_def def = th_mesh_lab_def(1e-8);
    result = th_mesh_lab_relax(&s, &def, error);
  }
  if (result == TH_OK) result = th_mesh_lab_walk_all(&s, 1, &paths, error);
  if (result == TH_OK) {
    const uint32_t count = th_mesh_relax_weights_of(s.weights, v, &neighbour, &weight);
    *wrong = 0.0;
    for (uint32_t n = 0; n < s.mesh.vertex_count; n++) {
      const double p = th_mesh_relax_p(s.relax, n);
      *wrong += !(p >= 0.0 && p <= 1.0);
    }
    for (uint32_t n = 0; n < count; n++) *min = fmin(*min, weight[n]);
    *share = (double)paths.arrived / paths.starts;
  }
  th_mesh_lab_free(&s);
  return result;
}

/* Two vertices at one place, one without a face, a face without area: found and dropped. */
static th_result broken_mesh(th_lab *lab, th_error *error) {
  static const double xyz[] = {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, 0.3, 0, 9, 9, 9, 0.5, 0.3, 0, 0.25, 0, 0};
  static const uint32_t corner[] = {0, 1, 3, 1, 2, 5, 2, 0, 5, 3, 5, 1, 0, 6, 1};
  th_mesh_def def = th_default_mesh_def();
  def.xyz_double = xyz;
  def.vertex_count = 7;
  def.corner = corner;
  def.face_count = 5;
  th_mesh mesh;
  th_result result = th_mesh_build(&def, &mesh, error);
  if (result != TH_OK) return result;
  th_lab_claim(
      lab, &(th_claim){"coincident vertices found and welded", "", mesh.count[TH_MESH_WELDED], 1, 1, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"faces without area found and dropped", "", mesh.count[TH_MESH_DEGENERATE], 2, 2, NONE,
                                NONE, NULL});
  th_lab_claim(lab, &(th_claim){"vertices left without a face, dropped", "", mesh.count[TH_MESH_UNUSED], 2, 2, NONE,
                                NONE, NULL});
  th_mesh_free(&mesh);
  return TH_OK;
}

th_result th_mesh_at7(th_lab *lab, th_error *error) {
  double wrong = NAN, share = NAN, min = INFINITY;
  th_result result = broken_mesh(lab, error);
  if (result == TH_OK) result = near_vertices(1e-9, &wrong, &share, &min, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"two vertices 1e-9 of an edge apart: least weight of a neighbour", "", min, 0, 1e-8, 0,
                                NONE, NULL});
  th_lab_claim(lab, &(th_claim){"the same: values that are not in [0, 1]", "", wrong, 0, 0, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"the same: share of starts that arrives", "", share, 1, 1, NONE, NONE, NULL});
  return TH_OK;
}
