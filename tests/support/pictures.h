/* tests/support/pictures.h - drawing figures of surfaces and looking at their pixels. */
#ifndef TH_TESTS_SUPPORT_PICTURES_H
#define TH_TESTS_SUPPORT_PICTURES_H

#include <cairo/cairo.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "make/shapes.h"
#include "support/allocator.h"
#include "support/folder.h"
#include "throng/figure.h"

/* fontconfig keeps a pattern of its own after the last font is gone; ours are still counted. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

/* cairo keeps fonts until the end; a leak checker would count them. */
static inline int drop_pictures(void **state) {
  cairo_debug_reset_static_data();
  return drop_folder(state);
}

/* ---------------------------------------------------------------- pictures */

typedef struct picture {
  cairo_surface_t *surface;
  int width, height;
} picture;

static inline uint32_t pixel(const picture *p, int x, int y) {
  const uint8_t *bytes = cairo_image_surface_get_data(p->surface);
  uint32_t value;
  memcpy(&value, bytes + (size_t)y * (size_t)cairo_image_surface_get_stride(p->surface) + 4 * (size_t)x, 4);
  return value & 0xffffff;
}

static inline picture draw(const th_mesh_figure_def *def) {
  th_error error = {0};
  if (th_mesh_figure_write(def, in_folder("a.png"), &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  picture p = {.surface = cairo_image_surface_create_from_png(in_folder("a.png"))};
  assert_int_equal(cairo_surface_status(p.surface), CAIRO_STATUS_SUCCESS);
  p.width = cairo_image_surface_get_width(p.surface);
  p.height = cairo_image_surface_get_height(p.surface);
  return p;
}

static inline picture load(const char *path) {
  picture p = {.surface = cairo_image_surface_create_from_png(path)};
  assert_int_equal(cairo_surface_status(p.surface), CAIRO_STATUS_SUCCESS);
  p.width = cairo_image_surface_get_width(p.surface);
  p.height = cairo_image_surface_get_height(p.surface);
  return p;
}

typedef bool (*looks)(int r, int g, int b);

static inline bool is_red(int r, int g, int b) { return r > 130 && r > 2 * g && r > 2 * b; }
static inline bool is_reddish(int r, int g, int b) { return r > g + 50 && r > b + 50; }
static inline bool is_green(int r, int g, int b) { return g > 90 && g > 2 * r && 2 * g > 3 * b; }
static inline bool is_blue(int r, int g, int b) { return b > 130 && b > 2 * r && b > 2 * g; }
static inline bool is_yellow(int r, int g, int b) { return r > 150 && g > 120 && b < 90; }
static inline bool is_black(int r, int g, int b) { return r < 40 && g < 40 && b < 40; }
static inline bool is_white(int r, int g, int b) { return r > 250 && g > 250 && b > 250; }
static inline bool is_ground(int r, int g, int b) { return r < 245 || g < 245 || b < 245; }

/* How many pixels look so, where their middle is, and the box around them. */
typedef struct blob {
  int count, left, right, top, bottom;
  double x, y;
} blob;

static inline blob find(const picture *p, looks like) {
  blob found = {0, p->width, -1, p->height, -1, 0.0, 0.0};
  for (int y = 0; y < p->height; y++)
    for (int x = 0; x < p->width; x++) {
      uint32_t c = pixel(p, x, y);
      if (!like((int)(c >> 16), (int)(c >> 8 & 255), (int)(c & 255))) continue;
      found.count++;
      found.x += x, found.y += y;
      if (x < found.left) found.left = x;
      if (x > found.right) found.right = x;
      if (y < found.top) found.top = y;
      if (y > found.bottom) found.bottom = y;
    }
  if (found.count) found.x /= found.count, found.y /= found.count;
  return found;
}

static inline blob drawn(const th_mesh_figure_def *def, looks like) {
  picture p = draw(def);
  blob found = find(&p, like);
  cairo_surface_destroy(p.surface);
  return found;
}

static inline int light_at(const picture *p, double x, double y) {
  uint32_t c = pixel(p, (int)x, (int)y);
  return (int)((c >> 16) + (c >> 8 & 255) + (c & 255)) / 3;
}

/* ---------------------------------------------------------------- scenes */

static inline th_mesh sphere(void) {
  th_mesh mesh;
  th_soup soup = th_soup_begin(NULL);
  assert_int_equal(th_make_icosphere(&soup, 4, 10.0, 0.0, NULL), TH_OK);
  assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK);
  return mesh;
}

static inline th_mesh plane(void) { /* 20 x 10 m */
  th_mesh mesh;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 20, 10, 1.0, 1.0);
  assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK);
  return mesh;
}

static inline th_camera from(double azimuth, double elevation) {
  th_camera camera = th_default_camera();
  camera.kind = TH_CAMERA_ANGLES;
  camera.azimuth = azimuth, camera.elevation = elevation;
  return camera;
}

/* No legend, one camera. */
static inline th_mesh_figure_def scene(const th_mesh *mesh, const th_camera *camera) {
  th_mesh_figure_def def = th_default_mesh_figure_def();
  def.mesh = mesh;
  def.width = 1000;
  def.legend = false;
  def.camera = camera;
  def.camera_count = 1;
  return def;
}

/* The face nearest to a point, by centroid. */
static inline uint32_t face_at(const th_mesh *mesh, double x, double y, double z) {
  uint32_t best = 0;
  double min = INFINITY;
  for (uint32_t f = 0; f < mesh->face_count; f++) {
    double c[3] = {-x, -y, -z};
    for (size_t k = 0; k < 9; k++) c[k % 3] += mesh->xyz[3 * (size_t)mesh->corner[3 * (size_t)f + k / 3] + k % 3] / 3.0;
    double d = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    if (d < min) min = d, best = f;
  }
  return best;
}

static inline float *values_of(const th_mesh *mesh, int axis) {
  float *value = malloc(mesh->vertex_count * sizeof *value);
  assert_non_null(value);
  for (uint32_t v = 0; v < mesh->vertex_count; v++) value[v] = (float)mesh->xyz[3 * (size_t)v + (size_t)axis];
  return value;
}

/* 20 m along z, 4 m wide, walked on its inside. */
static inline th_mesh tube_from_inside(void) {
  th_mesh mesh;
  th_soup soup = th_soup_begin(NULL);
  th_make_pipe pipe = {32, 20, 20.0, 4.0, 4.0, 0.0, true};
  th_make_tube(&soup, &pipe);
  assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK);
  return mesh;
}

#endif
