/* lab/mesh_bvp/trap.c - a pocket that opens towards the start, and a sheet of long thin triangles:
 * AT-3, AT-5.
 */
#include "lab/mesh_bvp/experiments.h"
#include "lab/mesh_bvp/lab.h"

#define NONE NAN

static th_camera from_above(void) {
  th_camera camera = th_default_camera();
  camera.kind = TH_CAMERA_ANGLES;
  camera.azimuth = -90.0;
  camera.elevation = 90.0;
  return camera;
}

/* Paths from a few starts, seen from above. */
static th_result draw_above(th_lab *lab, th_mesh_lab *s, const char *title, const uint32_t *face, uint32_t count,
                            th_error *error) {
  enum { MAX = 16 };
  const th_camera above = from_above();
  th_mesh_height_path path[MAX] = {0};
  th_result result = TH_OK;
  for (uint32_t k = 0; k < count && k < MAX && result == TH_OK; k++)
    result = th_mesh_lab_path(s, face[k], &path[k], error);
  const th_mesh_lab_figure sheet = {
      .title = title, .path = path, .paths = count, .camera = &above, .cameras = 1, .edges = true};
  if (result == TH_OK) result = th_mesh_lab_draw(lab, s, &sheet, error);
  for (uint32_t k = 0; k < MAX; k++) th_mesh_height_path_free(&path[k]);
  return result;
}

/* ---------------------------------------------------------------- AT-3 */

/* A U that is open to the left, its back between the starts inside and the goal on the right. */
static th_result make_trap(double noise, th_mesh_lab *s, th_error *error) {
  static const th_mesh_lab_box_def wall[3] = {
      {0.3, 0.25, 0.65, 0.32}, {0.3, 0.68, 0.65, 0.75}, {0.58, 0.25, 0.65, 0.75}};
  th_result result = th_mesh_lab_sheet(45, 52, noise, s, error);
  if (result != TH_OK) return result;
  for (int k = 0; k < 3; k++) th_mesh_lab_box(s, TH_TILE_WALL, &wall[k]);
  s->tile[th_mesh_lab_nearest(s, 0.85, 0.5, 0.0)] = TH_TILE_GOAL;
  const th_mesh_relax_def def = th_mesh_lab_def(1e-9);
  return th_mesh_lab_relax(s, &def, error);
}

typedef struct escape {
  uint32_t inside, out;
  uint32_t face[12], faces; /* some of them */
} escape;

static th_result try_escape(th_mesh_lab *s, escape *e, th_error *error) {
  th_mesh_height_path path = {0};
  th_result result = TH_OK;
  *e = (escape){0};
  for (uint32_t f = 0; f < s->mesh.face_count && result == TH_OK; f++) {
    const double *p = s->mesh.xyz + 3 * (size_t)s->mesh.corner[3 * (size_t)f];
    if (p[0] < 0.32 || p[0] > 0.56 || p[1] < 0.34 || p[1] > 0.66 || !th_mesh_lab_is_start(s, f)) continue;
    result = th_mesh_lab_path(s, f, &path, error);
    if (e->inside++ % 37 == 0 && e->faces < 12) e->face[e->faces++] = f;
    e->out += path.end == TH_DESCENT_ARRIVED;
  }
  th_mesh_height_path_free(&path);
  return result;
}

th_result th_mesh_at3(th_lab *lab, th_error *error) {
  static const char *const name[2] = {"regular: starts in the pocket that come to the goal",
                                      "noisy: starts in the pocket that come to the goal"};
  static const char *const pit[2] = {"regular: free cells without a lower neighbour",
                                     "noisy: free cells without a lower neighbour"};
  th_result result = TH_OK;
  for (int k = 0; k < 2 && result == TH_OK; k++) {
    th_mesh_lab s;
    escape e;
    result = make_trap(0.4 * k, &s, error);
    if (result == TH_OK) result = try_escape(&s, &e, error);
    if (result == TH_OK && k == 1)
      result = draw_above(lab, &s, "AT-3: out of a pocket, noisy mesh", e.face, e.faces, error);
    if (result == TH_OK) {
      th_lab_claim(lab, &(th_claim){"starts in the pocket", "", e.inside, 100, INFINITY, NONE, NONE, NULL});
      th_lab_claim(lab, &(th_claim){name[k], "", (double)e.out / e.inside, 1, 1, 1, NONE, NULL});
      th_lab_claim(lab, &(th_claim){pit[k], "", th_mesh_relax_pits(s.relax), 0, 0, 0, NONE, NULL});
    }
    th_mesh_lab_free(&s);
  }
  return result;
}

/* ---------------------------------------------------------------- AT-5 */

/* A sheet of 1 x 1 m with a goal in the middle of its left side. */
static th_result relax_sheet(th_mesh_lab *s, th_mesh_lab_paths *paths, th_error *error) {
  s->tile[th_mesh_lab_nearest(s, 0.0, 0.5, 0.0)] = TH_TILE_GOAL;
  const th_mesh_relax_def def = th_mesh_lab_def(1e-9);
  th_result result = th_mesh_lab_relax(s, &def, error);
  return result == TH_OK ? th_mesh_lab_walk_all(s, 1, paths, error) : result;
}

th_result th_mesh_at5(th_lab *lab, th_error *error) {
  th_mesh_lab thin, even;
  th_mesh_lab_paths bad, good;
  th_soup soup = th_soup_begin(NULL);
  uint32_t face[8];
  th_make_plane(&soup, 120, 12, 1.0 / 120.0, 1.0 / 12.0); /* triangles ten times as long as wide */
  th_result result = th_mesh_lab_make(&soup, &thin, error);
  if (result != TH_OK) return result;
  result = relax_sheet(&thin, &bad, error);
  if (result == TH_OK)
    result = draw_above(lab, &thin, "AT-5: long thin triangles", face, th_mesh_lab_pick(&thin, 8, 2, face), error);
  th_mesh_lab_free(&thin);
  if (result != TH_OK) return result;
  result = th_mesh_lab_sheet(36, 41, 0.0, &even, error); /* as many cells */
  if (result != TH_OK) return result;
  result = relax_sheet(&even, &good, error);
  th_mesh_lab_free(&even);
  if (result != TH_OK) return result;
  th_mesh_lab_claim_paths(lab, &bad);
  th_lab_claim(
      lab, &(th_claim){"largest angle of a path, mean over paths", "degrees", bad.turn_mean, 0, 180, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"the same on a regular mesh", "degrees", good.turn_mean, 0, 60, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"thin by regular, mean over paths", "", bad.turn_mean / good.turn_mean, 1.2, INFINITY,
                                NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"thin by regular, largest of all", "", bad.turn_max_angle / good.turn_max_angle, 1,
                                INFINITY, NONE, NONE, NULL});
  return TH_OK;
}
