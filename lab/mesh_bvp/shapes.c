/* lab/mesh_bvp/shapes.c - paths of 3DS-BVP on a car, Costa's surface, a statue of genus 4 and a
 * sphere: AT-2.
 *
 * The thesis shows its models only in pictures; these are generated with the same numbers of vertices and the same
 * topology. Every free face is a start, not only those of a figure.
 */
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"
#include "lab/mesh_bvp/experiments.h"
#include "lab/mesh_bvp/lab.h"

#define NONE NAN
#define PI 3.14159265358979323846

enum { DRAWN = 24 };

static th_result make_sized(th_make_size size, th_mesh_lab *s, th_error *error) {
  th_soup soup = th_soup_begin(NULL);
  th_result result = th_make_sized(&soup, size, error);
  if (result == TH_OK) return th_mesh_lab_make(&soup, s, error);
  th_soup_free(&soup);
  return result;
}

typedef struct views {
  uint32_t count;
  double azimuth[4], elevation[4];
} views;

/* Paths from some starts in several views. */
static th_result draw(th_lab *lab, th_mesh_lab *s, const char *title, const views *from, th_error *error) {
  th_camera camera[4];
  th_mesh_height_path path[DRAWN] = {0};
  uint32_t face[DRAWN], count = th_mesh_lab_pick(s, DRAWN, 3, face);
  th_result result = TH_OK;
  for (uint32_t k = 0; k < count && result == TH_OK; k++) result = th_mesh_lab_path(s, face[k], &path[k], error);
  for (uint32_t k = 0; k < from->count; k++) {
    camera[k] = th_default_camera();
    camera[k].kind = TH_CAMERA_ANGLES;
    camera[k].azimuth = from->azimuth[k];
    camera[k].elevation = from->elevation[k];
  }
  const th_mesh_lab_figure sheet = {
      .title = title, .path = path, .paths = count, .camera = camera, .cameras = from->count};
  if (result == TH_OK) result = th_mesh_lab_draw(lab, s, &sheet, error);
  for (uint32_t k = 0; k < DRAWN; k++) th_mesh_height_path_free(&path[k]);
  return result;
}

static void claim_size(th_lab *lab, const th_mesh_lab *s, double vertices) {
  th_lab_claim(
      lab, &(th_claim){"vertices", "", s->mesh.vertex_count, 0.98 * vertices, 1.02 * vertices, vertices, NONE, NULL});
}

/* ---------------------------------------------------------------- car */

/* Share of the paths that pass an obstacle on the roof on its left side, y below its middle. */
static th_result share_left(th_mesh_lab *s, double x, double y, double *share, th_error *error) {
  th_mesh_height_path path = {0};
  th_result result = TH_OK;
  uint32_t passed = 0, left = 0;
  for (uint32_t f = 0; f < s->mesh.face_count && result == TH_OK; f++) {
    if (!th_mesh_lab_is_start(s, f)) continue;
    result = th_mesh_lab_path(s, f, &path, error);
    for (uint32_t k = 1; k < path.count; k++) {
      if (!(path.point[k - 1].xyz[0] > x && path.point[k].xyz[0] <= x)) continue;
      passed++;
      left += path.point[k].xyz[1] < y;
      break;
    }
  }
  th_mesh_height_path_free(&path);
  *share = passed ? (double)left / passed : NAN;
  return result;
}

th_result th_mesh_at2_car(th_lab *lab, th_error *error) {
  static const th_mesh_lab_box_def roof = {1.9, 0.65, 2.4, 1.15}, boot = {3.2, 0.3, 3.5, 0.8};
  static const views around = {4, {-60.0, 120.0, 30.0, -90.0}, {30.0, 30.0, 15.0, 90.0}};
  th_mesh_lab s;
  th_mesh_lab_paths paths;
  double left = NAN;
  th_result result = make_sized(TH_MAKE_CAR, &s, error);
  if (result != TH_OK) return result;
  th_mesh_lab_box(&s, TH_TILE_WALL, &roof);
  th_mesh_lab_box(&s, TH_TILE_WALL, &boot);
  s.tile[th_mesh_lab_nearest(&s, 0.5, 0.9, 0.75)] = TH_TILE_GOAL;
  const th_mesh_relax_def def = th_mesh_lab_def(1e-8);
  result = th_mesh_lab_relax(&s, &def, error);
  if (result == TH_OK) result = th_mesh_lab_walk_all(&s, 1, &paths, error);
  if (result == TH_OK) result = share_left(&s, 1.9, 0.9, &left, error);
  if (result == TH_OK) result = draw(lab, &s, "AT-2: paths over a car, two obstacles", &around, error);
  if (result == TH_OK) {
    claim_size(lab, &s, 665);
    th_mesh_lab_claim_paths(lab, &paths);
    th_lab_claim(lab, &(th_claim){"pieces that graze an occupied cell", "", paths.grazed, 0, 0, NONE, NONE, NULL});
    th_lab_claim(
        lab, &(th_claim){"share of paths that pass the obstacle on the left", "", left, 0.1, 0.9, NONE, NONE, NULL});
  }
  th_mesh_lab_free(&s);
  return result;
}

/* ---------------------------------------------------------------- Costa */

th_result th_mesh_at2_costa(th_lab *lab, th_error *error) {
  static const views both_sides = {2, {-60.0, 30.0}, {50.0, -35.0}};
  th_mesh_lab s;
  th_mesh_lab_paths paths;
  th_mesh_pieces pieces = {0};
  th_result result = make_sized(TH_MAKE_COSTA, &s, error);
  if (result != TH_OK) return result;
  s.tile[s.mesh.vertex_count / 2] = TH_TILE_GOAL;
  const th_mesh_relax_def def = th_mesh_lab_def(1e-8);
  result = th_mesh_lab_relax(&s, &def, error);
  if (result == TH_OK) result = th_mesh_pieces_make(&s.mesh, &pieces, error);
  if (result == TH_OK) result = th_mesh_lab_walk_all(&s, 1, &paths, error);
  if (result == TH_OK) result = draw(lab, &s, "AT-2: paths on Costa's surface", &both_sides, error);
  if (result == TH_OK) {
    claim_size(lab, &s, 1259);
    th_lab_claim(lab, &(th_claim){"genus", "", pieces.piece->genus, 1, 1, 1, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"borders", "", pieces.piece->borders, 3, 3, 3, NONE, NULL});
    th_mesh_lab_claim_paths(lab, &paths);
    th_lab_claim(lab, &(th_claim){"largest angle of a path, mean over paths", "degrees", paths.turn_mean, 0, 60, NONE,
                                  NONE, NULL});
  }
  if (pieces.piece) th_mesh_pieces_free(&s.mesh, &pieces);
  th_mesh_lab_free(&s);
  return result;
}

/* ---------------------------------------------------------------- statue */

/* Largest distance of a path from another. */
static double max_apart(const th_mesh_height_path *a, const th_mesh_height_path *b) {
  double max = 0.0;
  for (uint32_t i = 0; i < a->count; i++) {
    double min = INFINITY;
    for (uint32_t j = 0; j < b->count; j++) min = fmin(min, th_distance3d(a->point[i].xyz, b->point[j].xyz));
    max = fmax(max, min);
  }
  return max;
}

/* Smallest distance of the second path from the middle of the first, where the obstacle was put. */
static double from_middle(const th_mesh_height_path path[2]) {
  double min = INFINITY;
  for (uint32_t k = 0; k < path[1].count; k++)
    min = fmin(min, th_distance3d(path[1].point[k].xyz, path[0].point[path[0].count / 2].xyz));
  return min;
}

/* The vertex nearest to the middle of a path. */
static uint32_t middle_of(const th_mesh_lab *s, const th_mesh_height_path *p) {
  const double *m = p->point[p->count / 2].xyz;
  return th_mesh_lab_nearest(s, m[0], m[1], m[2]);
}

/* Head to foot: first the thesis' start cell alone, then three obstacles, each in the middle of the last path. */
static th_result two_routes(th_mesh_lab *s, th_mesh_height_path path[2], th_mesh_lab_paths paths[2], th_error *error) {
  const uint32_t start = th_mesh_lab_nearest(s, 0.0, 0.0, 5.0), goal = th_mesh_lab_nearest(s, 1.2, 0.0, 0.4);
  const th_mesh_relax_def def = th_mesh_lab_def(1e-7);
  const uint32_t face = s->mesh.leaving[start] / 3;
  s->tile[start] = TH_TILE_WALL; /* the mesh is closed and has no obstacle */
  s->tile[goal] = TH_TILE_GOAL;
  th_result result = th_mesh_lab_relax(s, &def, error);
  if (result == TH_OK) result = th_mesh_lab_walk_all(s, 1, &paths[0], error);
  if (result == TH_OK) result = th_mesh_lab_path(s, face, &path[0], error);
  s->tile[start] = TH_TILE_FREE; /* obstacles take its place */
  for (int k = 0; k < 3 && result == TH_OK; k++) {
    th_mesh_lab_ball(s, TH_TILE_WALL, middle_of(s, &path[k > 0]), 0.35);
    result = th_mesh_lab_relax(s, &def, error);
    if (result == TH_OK) result = th_mesh_lab_path(s, face, &path[1], error);
  }
  if (result == TH_OK) result = th_mesh_lab_walk_all(s, 1, &paths[1], error);
  return result;
}

static th_result draw_routes(th_lab *lab, th_mesh_lab *s, const th_mesh_height_path path[2], th_error *error) {
  th_camera camera[3];
  static const double azimuth[3] = {0.0, 120.0, 240.0};
  for (int k = 0; k < 3; k++) {
    camera[k] = th_default_camera();
    camera[k].kind = TH_CAMERA_ANGLES;
    camera[k].azimuth = azimuth[k];
    camera[k].elevation = 15.0;
  }
  const th_mesh_lab_figure sheet = {.title = "AT-2: head to foot, before and after three obstacles on the path",
                                    .path = path,
                                    .paths = 2,
                                    .camera = camera,
                                    .cameras = 3};
  return th_mesh_lab_draw(lab, s, &sheet, error);
}

th_result th_mesh_at2_statue(th_lab *lab, th_error *error) {
  th_mesh_lab s;
  th_mesh_height_path path[2] = {0};
  th_mesh_lab_paths paths[2];
  th_mesh_pieces pieces = {0};
  th_result result = make_sized(TH_MAKE_MOTHER, &s, error);
  if (result != TH_OK) return result;
  result = th_mesh_pieces_make(&s.mesh, &pieces, error);
  if (result == TH_OK) result = two_routes(&s, path, paths, error);
  if (result == TH_OK) result = draw_routes(lab, &s, path, error);
  if (result == TH_OK) {
    claim_size(lab, &s, 4994);
    th_lab_claim(lab, &(th_claim){"genus", "", pieces.piece->genus, 4, 4, 4, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"share of starts that arrives, start cell only", "",
                                  (double)paths[0].arrived / paths[0].starts, 1, 1, 1, NONE, NULL});
    th_mesh_lab_claim_paths(lab, &paths[1]);
    th_lab_claim(lab, &(th_claim){"largest distance of the new route from the old one", "m",
                                  max_apart(&path[1], &path[0]), 0.5, INFINITY, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"distance of the new route from the middle of the old one", "m", from_middle(path),
                                  0.3, INFINITY, NONE, NONE, NULL});
  }
  for (int k = 0; k < 2; k++) th_mesh_height_path_free(&path[k]);
  if (pieces.piece) th_mesh_pieces_free(&s.mesh, &pieces);
  th_mesh_lab_free(&s);
  return result;
}

/* ---------------------------------------------------------------- sphere */

/* Longitude at the equator. */
static double longitude(const th_mesh_height_path *p) {
  for (uint32_t k = 0; k < p->count; k++)
    if (p->point[k].xyz[2] <= 0.0) return atan2(p->point[k].xyz[1], p->point[k].xyz[0]);
  return NAN;
}

th_result th_mesh_at2_sphere(th_lab *lab, th_error *error) {
  th_mesh_lab s;
  th_mesh_height_path path[3] = {0};
  th_soup soup = th_soup_begin(NULL);
  th_result result = th_make_icosphere(&soup, 4, 1.0, 0.0, error);
  if (result == TH_OK) result = th_mesh_lab_make(&soup, &s, error);
  if (result != TH_OK) return result;
  const uint32_t north = th_mesh_lab_nearest(&s, 0, 0, 1), south = th_mesh_lab_nearest(&s, 0, 0, -1);
  s.tile[north] = TH_TILE_WALL;
  s.tile[south] = TH_TILE_GOAL;
  const th_mesh_relax_def def = th_mesh_lab_def(1e-8);
  result = th_mesh_lab_relax(&s, &def, error);
  uint32_t half = s.mesh.leaving[north];
  double min = INFINITY, arrived = 0.0;
  for (int k = 0; k < 3 && result == TH_OK; k++) { /* every second face around the pole */
    result = th_mesh_lab_path(&s, half / 3, &path[k], error);
    half = th_half_left(&s.mesh, th_half_left(&s.mesh, half));
    arrived += path[k].end == TH_DESCENT_ARRIVED;
    for (int j = 0; j < k && result == TH_OK; j++)
      min = fmin(min, fabs(remainder(longitude(&path[k]) - longitude(&path[j]), 2.0 * PI)) * 180.0 / PI);
  }
  th_camera camera[2] = {th_default_camera(), th_default_camera()};
  for (int k = 0; k < 2; k++) {
    camera[k].kind = TH_CAMERA_ANGLES;
    camera[k].azimuth = 180.0 * k;
    camera[k].elevation = 35.0;
  }
  const th_mesh_lab_figure sheet = {.title = "AT-2: three starts round the north pole, the goal at the south pole",
                                    .path = path,
                                    .paths = 3,
                                    .camera = camera,
                                    .cameras = 2};
  if (result == TH_OK) result = th_mesh_lab_draw(lab, &s, &sheet, error);
  th_lab_claim(lab, &(th_claim){"paths that arrive", "", arrived, 3, 3, 3, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"least angle between two paths at the equator", "degrees", min, 30, 180, NONE, NONE, NULL});
  for (int k = 0; k < 3; k++) th_mesh_height_path_free(&path[k]);
  th_mesh_lab_free(&s);
  return result;
}
