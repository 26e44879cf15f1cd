/* Tests of figures of surfaces: what is seen where, what is hidden, colours, vector files, errors, memory. */
#include <cairo/cairo.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failing.h"
#include "geometry/make_shapes.h"
#include "throng/report.h"

/* fontconfig keeps a pattern of its own after the last font is gone; ours are still counted. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

static char folder[] = "/tmp/throng_surface_XXXXXX";
static char file_path[96];

static const char *in_folder(const char *name) {
  snprintf(file_path, sizeof file_path, "%s/%s", folder, name);
  return file_path;
}

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state) {
  (void)state;
  char command[96];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cairo_debug_reset_static_data(); /* cairo keeps fonts until the end; a leak checker would count them */
  return system(command);
}

/* ---------------------------------------------------------------- pictures */

typedef struct picture {
  cairo_surface_t *surface;
  int width, height;
} picture;

static uint32_t pixel(const picture *p, int x, int y) {
  const uint8_t *bytes = cairo_image_surface_get_data(p->surface);
  uint32_t value;
  memcpy(&value, bytes + (size_t)y * (size_t)cairo_image_surface_get_stride(p->surface) + 4 * (size_t)x, 4);
  return value & 0xffffff;
}

static picture draw(const th_surface_figure_def *def) {
  th_error error = {0};
  if (th_surface_figure_write(def, in_folder("a.png"), &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  picture p = {.surface = cairo_image_surface_create_from_png(in_folder("a.png"))};
  assert_int_equal(cairo_surface_status(p.surface), CAIRO_STATUS_SUCCESS);
  p.width = cairo_image_surface_get_width(p.surface);
  p.height = cairo_image_surface_get_height(p.surface);
  return p;
}

typedef bool (*looks)(int r, int g, int b);

static bool is_red(int r, int g, int b) { return r > 130 && r > 2 * g && r > 2 * b; }
static bool is_reddish(int r, int g, int b) { return r > g + 50 && r > b + 50; }
static bool is_green(int r, int g, int b) { return g > 90 && g > 2 * r && 2 * g > 3 * b; }
static bool is_blue(int r, int g, int b) { return b > 130 && b > 2 * r && b > 2 * g; }
static bool is_yellow(int r, int g, int b) { return r > 150 && g > 120 && b < 90; }
static bool is_black(int r, int g, int b) { return r < 40 && g < 40 && b < 40; }
static bool is_white(int r, int g, int b) { return r > 250 && g > 250 && b > 250; }
static bool is_ground(int r, int g, int b) { return r < 245 || g < 245 || b < 245; }

/* How many pixels look so, where their middle is, and the box around them. */
typedef struct blob {
  int count, left, right, top, bottom;
  double x, y;
} blob;

static blob find(const picture *p, looks like) {
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

static blob drawn(const th_surface_figure_def *def, looks like) {
  picture p = draw(def);
  blob found = find(&p, like);
  cairo_surface_destroy(p.surface);
  return found;
}

static int light_at(const picture *p, double x, double y) {
  uint32_t c = pixel(p, (int)x, (int)y);
  return (int)((c >> 16) + (c >> 8 & 255) + (c & 255)) / 3;
}

/* ---------------------------------------------------------------- scenes */

static th_mesh sphere(void) {
  th_mesh mesh;
  th_soup soup = th_soup_begin(NULL);
  assert_int_equal(th_make_icosphere(&soup, 4, 10.0, 0.0, NULL), TH_OK);
  assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK);
  return mesh;
}

static th_mesh plane(void) { /* 20 x 10 m */
  th_mesh mesh;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 20, 10, 1.0, 1.0);
  assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK);
  return mesh;
}

static th_camera from(double azimuth, double elevation) {
  th_camera camera = th_default_camera();
  camera.kind = TH_CAMERA_ANGLES;
  camera.azimuth = azimuth, camera.elevation = elevation;
  return camera;
}

/* No legend, one camera. */
static th_surface_figure_def scene(const th_mesh *mesh, const th_camera *camera) {
  th_surface_figure_def def = th_default_surface_figure_def();
  def.mesh = mesh;
  def.width = 1000;
  def.legend = false;
  def.camera = camera;
  def.camera_count = 1;
  return def;
}

/* The face nearest to a point, by centroid. */
static uint32_t face_at(const th_mesh *mesh, double x, double y, double z) {
  uint32_t best = 0;
  double least = INFINITY;
  for (uint32_t f = 0; f < mesh->face_count; f++) {
    double c[3] = {-x, -y, -z};
    for (size_t k = 0; k < 9; k++) c[k % 3] += mesh->xyz[3 * (size_t)mesh->corner[3 * (size_t)f + k / 3] + k % 3] / 3.0;
    double d = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    if (d < least) least = d, best = f;
  }
  return best;
}

static float *values_of(const th_mesh *mesh, int axis) {
  float *value = malloc(mesh->vertex_count * sizeof *value);
  assert_non_null(value);
  for (uint32_t v = 0; v < mesh->vertex_count; v++) value[v] = (float)mesh->xyz[3 * (size_t)v + (size_t)axis];
  return value;
}

/* ---------------------------------------------------------------- the ground */

static void a_ball_is_round_and_lit_from_the_upper_left(void **state) {
  (void)state;
  th_mesh mesh = sphere();
  th_camera camera = from(30.0, 20.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  picture p = draw(&def);
  blob ball = find(&p, is_ground);
  double wide = ball.right - ball.left + 1.0, high = ball.bottom - ball.top + 1.0;
  assert_true(fabs(wide / high - 1.0) < 0.02);
  assert_true(fabs(ball.count / (0.785398 * wide * high) - 1.0) < 0.02);
  assert_true(light_at(&p, ball.x - 0.25 * wide, ball.y - 0.25 * high) >
              light_at(&p, ball.x + 0.25 * wide, ball.y + 0.25 * high) + 30);
  assert_true(is_white(255 & (int)pixel(&p, 2, 2), 255, 255));
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* shows: PLAN-57 */
static void values_become_colours_and_even_isolines(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  float *value = values_of(&mesh, 0);
  def.value.vertex = value, def.value.label = "way left [m]";
  def.value.least = 0.0f, def.value.most = 20.0f;
  def.width = 800;
  picture p = draw(&def);
  int row = p.height / 2, lines = 0, left = 60, right = 0;
  for (int x = 0; x < 650; x++) /* the bar stands beyond */
    if (light_at(&p, x, row) < 245) right = x;
  while (light_at(&p, left, row) > 245) left++;
  assert_true(light_at(&p, left + 12, row) > light_at(&p, right - 12, row) + 60);
  for (int x = left + 6; x < right - 6; x++) /* darker than both sides: a line */
    if (light_at(&p, x, row) + 12 < light_at(&p, x - 3, row) && light_at(&p, x, row) + 12 < light_at(&p, x + 3, row) &&
        light_at(&p, x, row) <= light_at(&p, x - 1, row) && light_at(&p, x, row) < light_at(&p, x + 1, row))
      lines++;
  assert_int_equal(lines, 9); /* every 2 m */
  cairo_surface_destroy(p.surface);
  free(value);
  th_mesh_free(&mesh);
}

/* shows: PLAN-58 */
static void edges_walls_and_blocked_faces_are_dark(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  picture p = draw(&def);
  blob page = find(&p, is_ground);
  int plain = light_at(&p, page.x, page.y);
  assert_true(plain > 180);
  int darkest = 255;
  for (int x = page.left; x < page.left + 4; x++)
    if (light_at(&p, x, page.y) < darkest) darkest = light_at(&p, x, page.y);
  assert_true(darkest < 130); /* the border is a wall */
  cairo_surface_destroy(p.surface);
  def.edges = true;
  p = draw(&def);
  int darker = 0;
  for (int x = page.left + 4; x < page.right - 4; x++) darker += light_at(&p, x, page.y) < plain - 12;
  assert_true(darker >= 20);
  cairo_surface_destroy(p.surface);
  uint8_t blocked[400] = {0};
  for (uint32_t f = 0; f < mesh.face_count; f++) blocked[f] = mesh.xyz[3 * (size_t)mesh.corner[3 * (size_t)f]] > 15.0;
  def.blocked = blocked, def.edges = false;
  p = draw(&def);
  assert_true(light_at(&p, page.left + 0.9 * (page.right - page.left), page.y + 3.0) < 120);
  assert_true(light_at(&p, page.left + 0.5 * (page.right - page.left), page.y + 3.0) > 180);
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* shows: SBVP-80 */
static void the_thesis_colours_run_from_green_to_red(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  float *value = values_of(&mesh, 0);
  uint8_t cell[231] = {0};
  for (uint32_t v = 0; v < mesh.vertex_count; v++) {
    value[v] /= 20.0f;
    cell[v] = value[v] < 0.15f ? TH_CELL_GOAL : value[v] > 0.85f ? TH_CELL_OCCUPIED : TH_CELL_FREE;
  }
  def.value.vertex = value, def.value.isolines = TH_ISOLINES_NONE;
  def.colours = TH_SURFACE_THESIS;
  blob without = drawn(&def, is_yellow);
  assert_int_equal(without.count, 0);
  def.cell = cell;
  picture p = draw(&def);
  blob red = find(&p, is_red), green = find(&p, is_green), yellow = find(&p, is_yellow), ground = find(&p, is_ground);
  assert_true(red.count > 500 && green.count > 500 && yellow.count > 60);
  assert_true(green.left < ground.left + 8 && red.right > ground.right - 8);
  assert_true(green.x < yellow.x && yellow.x < red.x);
  cairo_surface_destroy(p.surface);
  free(value);
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- lines */

/* shows: SBVP-81 */
static void paths_and_gradients_have_their_colours(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  float *value = values_of(&mesh, 1);
  for (uint32_t v = 0; v < mesh.vertex_count; v++) /* flat where x > 10: no gradient there */
    value[v] = mesh.xyz[3 * (size_t)v] > 10.5 ? 0.5f : 0.5f + 0.03f * value[v];
  def.value.vertex = value, def.value.isolines = TH_ISOLINES_NONE, def.value.least = 0.0f, def.value.most = 1.0f;
  def.colours = TH_SURFACE_THESIS;
  const th_vec3 path[2] = {{2, 3, 0}, {18, 3, 0}}, grid[2] = {{2, 7, 0}, {18, 7, 0}};
  const th_surface_line line[2] = {{TH_SURFACE_PATH, path, 2, 0}, {TH_SURFACE_GRID, grid, 2, 0}};
  def.line = line, def.line_count = 2;
  picture p = draw(&def);
  blob ground = find(&p, is_ground), blue = find(&p, is_blue);
  assert_true(blue.right - blue.left > 0.7 * (ground.right - ground.left) && blue.bottom - blue.top < 6);
  assert_true(blue.y > ground.y + 20.0); /* y = 3 is low on the page */
  int white = 0;
  for (int y = ground.top + 5; y < ground.y; y++) white += light_at(&p, ground.x, y) > 215;
  assert_in_range(white, 1, 4);
  cairo_surface_destroy(p.surface);
  blob before = drawn(&def, is_black);
  def.gradients = true;
  p = draw(&def);
  int left = 0, right = 0;
  for (int y = ground.top + 5; y < ground.bottom - 5; y++)
    for (int x = ground.left + 5; x < ground.right - 5; x++) {
      if (light_at(&p, x, y) > 45) continue;
      left += x<ground.x, right += x> ground.left + 0.6 * (ground.right - ground.left);
    }
  assert_true(left > before.count + 100);
  assert_int_equal(right, 0);
  cairo_surface_destroy(p.surface);
  free(value);
  th_mesh_free(&mesh);
}

/* shows: PLAN-54 */
static void what_lies_behind_is_hidden(void **state) {
  (void)state;
  th_mesh mesh = sphere();
  th_camera camera = from(0.0, 0.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  th_vec3 arc[41];
  for (int k = 0; k <= 40; k++) { /* a quarter of the equator, on the far side */
    double turn = 2.356194490 + 0.0392699 * k;
    arc[k] = (th_vec3){(float)(10.0 * cos(turn)), (float)(10.0 * sin(turn)), 0.0f};
  }
  th_surface_line line = {TH_SURFACE_PATH, arc, 41, 0};
  def.line = &line, def.line_count = 1;
  assert_int_equal(drawn(&def, is_blue).count, 0);
  camera = from(180.0, 0.0);
  assert_true(drawn(&def, is_blue).count > 100);
  line.kind = TH_SURFACE_TRAIL; /* fades towards its begin, which lies on the right from behind */
  picture p = draw(&def);
  blob red = find(&p, is_reddish), ground = find(&p, is_ground);
  assert_true(red.count > 100 && fabs(red.x - ground.x) > 10.0);
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- agents */

/* shows: PLAN-53 */
static void agents_stand_at_their_weights(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 90.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  for (int k = 0; k < 3; k++) { /* close to corner k of the face */
    uint32_t face = face_at(&mesh, 15.3, 6.6, 0.0);
    th_vec3 weights = {k == 0 ? 0.9f : 0.05f, k == 1 ? 0.9f : 0.05f, k == 2 ? 0.9f : 0.05f};
    const double *a = mesh.xyz + 3 * (size_t)mesh.corner[3 * face],
                 *b = mesh.xyz + 3 * (size_t)mesh.corner[3 * face + 1],
                 *c = mesh.xyz + 3 * (size_t)mesh.corner[3 * face + 2];
    double x = (double)weights.x * a[0] + (double)weights.y * b[0] + (double)weights.z * c[0];
    double y = (double)weights.x * a[1] + (double)weights.y * b[1] + (double)weights.z * c[1];
    def.agents =
        (th_surface_agents){.count = 1, .face = &face, .weights = &weights, .same_radius = 0.5f, .height = 1.0f};
    def.agents.shape = TH_BODY_DISC;
    picture p = draw(&def);
    blob red = find(&p, is_red), ground = find(&p, is_ground);
    double metre = (ground.right - ground.left + 1.0) / 20.0;
    assert_true(red.count > 0.5 * 3.14 * 0.25 * metre * metre && red.count < 1.1 * 3.14 * 0.25 * metre * metre);
    assert_true(fabs(red.x - (ground.left + x * metre)) < 1.5);
    assert_true(fabs(red.y - (ground.bottom + 1.0 - y * metre)) < 1.5);
    cairo_surface_destroy(p.surface);
  }
  th_mesh_free(&mesh);
}

/* shows: PLAN-59 */
static void agents_are_coloured_by_kind_or_by_value(void **state) {
  (void)state;
  th_mesh mesh = sphere();
  th_camera camera = from(0.0, 0.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  uint32_t face[4] = {face_at(&mesh, 9, 3, 3), face_at(&mesh, 9, -3, 3), face_at(&mesh, 9, 0, -4),
                      face_at(&mesh, -10, 0, 0)};
  const th_vec3 middle[4] = {{0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}};
  const uint32_t kind[4] = {0, 1, 2, 0};
  const float speed[4] = {0.0f, 1.0f, 0.5f, 1.0f};
  def.agents.count = 4, def.agents.face = face, def.agents.weights = middle, def.agents.same_radius = 1.0f;
  def.agents.shape = TH_BODY_DISC;
  def.agents.kind = kind, def.agents.kind_count = 3;
  picture p = draw(&def);
  blob red = find(&p, is_red), blue = find(&p, is_blue), ground = find(&p, is_ground);
  assert_true(red.count > 100 && blue.count > 100);
  /* one each: the fourth stands behind */
  assert_true(red.right - red.left < 0.15 * (ground.right - ground.left) && red.x > ground.x && red.y < ground.y);
  assert_true(blue.x < ground.x);
  cairo_surface_destroy(p.surface);
  def.agents.value = speed, def.agents.label = "speed [m/s]";
  def.agents.count = 3;
  p = draw(&def);
  ground = find(&p, is_ground);
  assert_true(find(&p, is_yellow).count > 50); /* of the map: blue is slow, amber fast */
  blue = find(&p, is_blue);
  assert_true(blue.count > 50);
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

static void upright_bodies_stick_out_and_hide_each_other(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(-90.0, 15.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  uint32_t face[2] = {face_at(&mesh, 10, 8, 0), face_at(&mesh, 10, 2, 0)};
  const th_vec3 point[2] = {{10, 8, 0}, {10, 2, 0}};
  const uint32_t kind[2] = {0, 1};
  def.agents.count = 1, def.agents.face = face, def.agents.point = point, def.agents.kind = kind;
  def.agents.kind_count = 2, def.agents.same_radius = 0.8f, def.agents.height = 5.0f;
  def.agents.shape = TH_BODY_UPRIGHT;
  blob alone = drawn(&def, is_red);
  assert_true(alone.bottom - alone.top > 2 * (alone.right - alone.left));
  def.agents.count = 2;
  picture p = draw(&def);
  blob behind = find(&p, is_red), before = find(&p, is_blue);
  assert_true(before.count > 100 && behind.count < alone.count - 50); /* partly hidden by the nearer one */
  assert_true(before.y > behind.y);
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- cameras */

static void a_cut_shows_the_inside_of_a_tube(void **state) {
  (void)state;
  th_mesh mesh;
  th_soup soup = th_soup_begin(NULL);
  th_make_pipe pipe = {32, 20, 20.0, 4.0, 4.0, 0.0, true};
  th_make_tube(&soup, &pipe);
  assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK);
  th_camera camera = from(0.0, 0.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  uint32_t face = face_at(&mesh, -4, 0, 10);
  const th_vec3 middle = {0.33f, 0.33f, 0.34f};
  def.agents.count = 1, def.agents.face = &face, def.agents.weights = &middle, def.agents.same_radius = 1.0f;
  def.agents.shape = TH_BODY_DISC;
  assert_int_equal(drawn(&def, is_red).count, 0);
  def.cut_away = true;
  assert_true(drawn(&def, is_red).count > 100);
  def.cut_away = false; /* and from within, where faces pass the eye */
  camera = th_default_camera();
  camera.kind = TH_CAMERA_POSITION;
  camera.lens = 80.0;
  camera.eye = (th_vec3){1, 0, 6}, camera.target = (th_vec3){-2, 0, 12};
  picture p = draw(&def);
  assert_true(find(&p, is_red).count > 100);
  blob ground = find(&p, is_ground);
  assert_true(ground.count > 0.8 * (ground.right - ground.left) * (ground.bottom - ground.top));
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

static void the_automatic_camera_looks_at_the_crowd(void **state) {
  (void)state;
  th_mesh mesh = sphere();
  th_camera camera = th_default_camera();
  th_surface_figure_def def = scene(&mesh, &camera);
  for (int side = 0; side < 4; side++) {
    double turn = 1.5707963 * side;
    uint32_t face = face_at(&mesh, 10.0 * cos(turn), 10.0 * sin(turn), side == 3 ? 30.0 : 0.0);
    const th_vec3 middle = {0.33f, 0.33f, 0.34f};
    def.agents.count = 1, def.agents.face = &face, def.agents.weights = &middle, def.agents.same_radius = 1.5f;
    def.agents.shape = TH_BODY_DISC;
    assert_true(drawn(&def, is_red).count > 150);
  }
  th_camera both[2] = {th_default_camera(), th_default_camera()};
  both[0].lens = 30.0;
  both[1].kind = TH_CAMERA_BEHIND;
  def.camera = both, def.camera_count = 2;
  picture p = draw(&def);
  blob red = find(&p, is_red);
  assert_true(red.count > 30 && red.right < p.width / 2); /* the second panel shows the back */
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

static void hidden_faces_take_along_who_stands_on_them(void **state) {
  (void)state;
  th_mesh mesh = plane();
  uint8_t hidden[400];
  th_camera camera = from(-90.0, 90.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  uint32_t face = face_at(&mesh, 15, 5, 0);
  const th_vec3 middle = {0.33f, 0.33f, 0.34f}, way[2] = {{11, 5, 0}, {19, 5, 0}};
  const th_surface_line line = {TH_SURFACE_PATH, way, 2, 0};
  for (uint32_t f = 0; f < mesh.face_count; f++) hidden[f] = mesh.xyz[3 * (size_t)mesh.corner[3 * (size_t)f]] >= 10.0;
  def.agents.count = 1, def.agents.face = &face, def.agents.weights = &middle;
  def.line = &line, def.line_count = 1;
  picture p = draw(&def);
  assert_true(find(&p, is_red).count > 10 && find(&p, is_blue).count > 100);
  cairo_surface_destroy(p.surface);
  camera.hidden_face = hidden;
  p = draw(&def);
  blob ground = find(&p, is_ground);
  assert_int_equal(find(&p, is_red).count, 0);
  assert_int_equal(find(&p, is_blue).count, 0);
  assert_true(ground.right - ground.left < 1.3 * (ground.bottom - ground.top)); /* 10 x 10 m are left */
  cairo_surface_destroy(p.surface);
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- files */

static char *text_of(const char *path, size_t *length) {
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  fseek(in, 0, SEEK_END);
  *length = (size_t)ftell(in);
  rewind(in);
  char *text = malloc(*length + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, *length, in), *length);
  text[*length] = 0;
  fclose(in);
  return text;
}

/* Tags open and close in turn. Returns how many of one name there are. */
static uint32_t count_tags(const char *text, const char *name) {
  uint32_t found = 0;
  int depth = 0;
  for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
    const char *end = strchr(at, '>');
    assert_non_null(end);
    if (at[1] == '?' || at[1] == '!') continue;
    if (strncmp(at + 1, name, strlen(name)) == 0) found++;
    if (at[1] == '/')
      depth--;
    else if (end[-1] != '/')
      depth++;
    assert_true(depth >= 0);
  }
  assert_int_equal(depth, 0);
  return found;
}

static th_surface_figure_def rich(const th_mesh *mesh, const th_camera *camera, const float *value) {
  static const uint32_t face[3] = {3, 200, 900};
  static const th_vec3 middle[3] = {{0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}};
  static const th_vec3 way[3] = {{10, 0, 0}, {7.07f, 7.07f, 0}, {0, 10, 0}};
  static const th_surface_line line = {TH_SURFACE_PATH, way, 3, 0};
  static const th_surface_mark mark = {"goal", "a < b", 3, {9, 0, 3}, 1.0f};
  th_surface_figure_def def = scene(mesh, camera);
  def.title = "T & U", def.note = "note";
  def.legend = true;
  def.value.vertex = value, def.value.label = "z [m]";
  def.agents.count = 3, def.agents.face = face, def.agents.weights = middle;
  def.line = &line, def.line_count = 1;
  def.mark = &mark, def.mark_count = 1;
  return def;
}

static void a_vector_file_holds_only_what_is_seen(void **state) {
  (void)state;
  th_mesh mesh = sphere();
  th_camera camera = from(20.0, 10.0);
  float *value = values_of(&mesh, 2);
  th_surface_figure_def def = rich(&mesh, &camera, value);
  size_t length;
  th_surface_figure_def plain = scene(&mesh, &camera);
  assert_int_equal(th_surface_figure_write(&plain, in_folder("p.svg"), NULL), TH_OK);
  char *text = text_of(in_folder("p.svg"), &length);
  uint32_t polygons = count_tags(text, "path");
  assert_in_range(polygons, mesh.face_count * 4 / 10, 25000); /* half of 5,120, more when cut for smooth light */
  assert_int_equal(count_tags(text, "image"), 0);
  free(text);
  assert_int_equal(th_surface_figure_write(&def, in_folder("p.svg"), NULL), TH_OK);
  text = text_of(in_folder("p.svg"), &length);
  assert_true(count_tags(text, "path") > polygons / 2);
  assert_null(strstr(text, "nan"));
  assert_true(length < 8u << 20);
  free(text);
  assert_int_equal(th_surface_figure_write(&def, in_folder("p.pdf"), NULL), TH_OK);
  text = text_of(in_folder("p.pdf"), &length);
  assert_memory_equal(text, "%PDF", 4);
  free(text);
  free(value);
  th_mesh_free(&mesh);
}

static void a_huge_mesh_becomes_a_picture_in_a_vector_file(void **state) {
  (void)state;
  th_mesh mesh;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 160, 120, 1.0, 1.0);
  assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK); /* 38,400 faces, all seen */
  th_camera camera = from(-90.0, 90.0);
  th_surface_figure_def def = scene(&mesh, &camera);
  def.width = 800;
  size_t length;
  assert_int_equal(th_surface_figure_write(&def, in_folder("h.svg"), NULL), TH_OK);
  char *text = text_of(in_folder("h.svg"), &length);
  assert_int_equal(count_tags(text, "image"), 1);
  assert_true(count_tags(text, "path") < 100);
  assert_true(length < 8u << 20);
  free(text);
  th_mesh_free(&mesh);
}

/* cairo numbers the surfaces of a process in its files: these numbers are taken out. */
static size_t without_numbers(char *text, size_t length) {
  static const char word[] = "surface";
  size_t out = 0, in = 0;
  while (in < length) {
    bool named = out >= 7 && memcmp(text + out - 7, word, 7) == 0;
    while (named && in < length && text[in] >= '0' && text[in] <= '9') in++;
    text[out++] = text[in++];
  }
  return out;
}

static void run_alone(void *user, uint32_t count, void (*task)(void *context, uint32_t index), void *context) {
  (void)user;
  for (uint32_t i = count; i-- > 0;) task(context, i);
}

static void two_runs_give_the_same_bytes(void **state) {
  (void)state;
  static const char *const name[] = {"x.png", "x.svg"};
  th_mesh mesh = sphere();
  th_camera camera = th_default_camera();
  float *value = values_of(&mesh, 2);
  th_surface_figure_def def = rich(&mesh, &camera, value);
  for (int k = 0; k < 2; k++) {
    size_t first, second;
    def.env.tasks.run = NULL;
    assert_int_equal(th_surface_figure_write(&def, in_folder(name[k]), NULL), TH_OK);
    char *a = text_of(in_folder(name[k]), &first);
    def.env.tasks.run = run_alone; /* other threads, other order */
    assert_int_equal(th_surface_figure_write(&def, in_folder(name[k]), NULL), TH_OK);
    char *b = text_of(in_folder(name[k]), &second);
    if (k == 1) first = without_numbers(a, first), second = without_numbers(b, second);
    assert_int_equal(first, second);
    assert_memory_equal(a, b, first);
    free(a);
    free(b);
  }
  free(value);
  th_mesh_free(&mesh);
}

static void expect_error(const th_surface_figure_def *def, th_result code, const char *word) {
  th_error error = {0};
  assert_int_equal(th_surface_figure_write(def, in_folder("never.png"), &error), code);
  if (!strstr(error.text, word)) fail_msg("expected '%s' in '%s'", word, error.text);
  assert_int_not_equal(access(in_folder("never.png"), F_OK), 0);
  assert_int_not_equal(access(in_folder("never.png.part"), F_OK), 0);
}

static void wrong_input_is_named(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(0.0, 30.0);
  th_surface_figure_def good = scene(&mesh, &camera), bad = good;
  bad.mesh = NULL;
  expect_error(&bad, TH_ERROR_STATE, "mesh");
  bad = good, bad.stretch = 0.0;
  expect_error(&bad, TH_ERROR_RANGE, "0.1");
  bad = good, bad.width = 10;
  expect_error(&bad, TH_ERROR_RANGE, "200");
  float value[400] = {0};
  bad = good, bad.value.vertex = bad.value.face = value;
  expect_error(&bad, TH_ERROR_STATE, "both");
  const uint32_t face = 400;
  const th_vec3 weights = {1, 0, 0}, way[2] = {{0, 0, 0}, {NAN, 0, 0}};
  bad = good, bad.agents.count = 1;
  expect_error(&bad, TH_ERROR_STATE, "faces");
  bad.agents.face = &face, bad.agents.weights = &weights;
  expect_error(&bad, TH_ERROR_RANGE, "below 400");
  const th_surface_line line = {TH_SURFACE_PATH, way, 2, 0};
  bad = good, bad.line = &line, bad.line_count = 1;
  expect_error(&bad, TH_ERROR_RANGE, "NAN");
  camera.elevation = 100.0;
  expect_error(&good, TH_ERROR_RANGE, "-90 to 90");
  camera = from(0.0, 0.0), camera.kind = TH_CAMERA_POSITION;
  expect_error(&good, TH_ERROR_RANGE, "lens");
  camera = from(0.0, 30.0), good.camera_count = 7;
  expect_error(&good, TH_ERROR_CAPACITY, "1 to 6");
  good.camera_count = 1;
  th_error error = {0};
  assert_int_equal(th_surface_figure_write(&good, in_folder("a.gif"), &error), TH_ERROR_FORMAT);
  th_mesh_free(&mesh);
}

static th_result draw_all(const th_env *env, void *context) {
  const th_mesh *mesh = context;
  static const char *const name[] = {"f.png", "f.svg"};
  th_camera camera[2] = {th_default_camera(), th_default_camera()};
  camera[1].kind = TH_CAMERA_BEHIND;
  float *value = values_of(mesh, 0);
  th_surface_figure_def def = rich(mesh, camera, value);
  static const uint32_t face[3] = {3, 20, 90};
  static const th_surface_mark mark = {"goal", "g", 3, {9, 5, 0}, 1.0f};
  def.agents.face = face, def.mark = &mark;
  def.env = *env, def.width = 200, def.camera_count = 2;
  th_result result = TH_OK;
  for (int k = 0; k < 2 && result == TH_OK; k++) result = th_surface_figure_write(&def, in_folder(name[k]), NULL);
  free(value);
  return result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  th_mesh mesh = plane();
  assert_true(failing_every(draw_all, &mesh) > 20);
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- charts and bars */

static picture load(const char *path) {
  picture p = {.surface = cairo_image_surface_create_from_png(path)};
  assert_int_equal(cairo_surface_status(p.surface), CAIRO_STATUS_SUCCESS);
  p.width = cairo_image_surface_get_width(p.surface);
  p.height = cairo_image_surface_get_height(p.surface);
  return p;
}

static th_chart_figure_def square_chart(void) {
  static const th_vec2 vertex[4] = {{-4, -4}, {4, -4}, {4, 4}, {-4, 4}};
  static const uint32_t corner[6] = {0, 1, 2, 0, 2, 3};
  th_chart_figure_def def = th_default_chart_figure_def();
  def.vertex = vertex, def.vertex_count = 4;
  def.corner = corner, def.triangle_count = 2;
  return def;
}

/* shows: PLAN-55 */
static void a_chart_shows_who_is_in_vision(void **state) {
  (void)state;
  static const th_vec2 neighbour[2] = {{2, 2}, {-3, 3}}, reference = {3, -2};
  static const uint8_t seen[2] = {1, 0};
  static const th_segment wall = {-4, -3, 4, -3};
  th_chart_figure_def def = square_chart();
  def.neighbour = neighbour, def.neighbour_count = 2, def.neighbour_seen = seen;
  def.reach = 3.0f, def.wanted = (th_vec2){1, 0}, def.reference = &reference;
  assert_int_equal(th_chart_figure_write(&def, in_folder("c.png"), NULL), TH_OK);
  picture p = load(in_folder("c.png"));
  double metre = (1000.0 - 96.0) / 8.0, x = 500.0, y = 40.0 + 4.0 * metre;
  uint32_t in = pixel(&p, (int)(x + 2.0 * metre), (int)(y - 2.0 * metre)),
           out = pixel(&p, (int)(x - 3.0 * metre), (int)(y - 3.0 * metre)), self = pixel(&p, (int)x - 10, (int)y),
           aim = pixel(&p, (int)(x + 3.0 * metre), (int)(y + 2.0 * metre)),
           arrow = pixel(&p, (int)(x + 0.5 * metre), (int)y);
  assert_true(is_blue((int)(in >> 16), (int)(in >> 8 & 255), (int)(in & 255) + 60));
  assert_true((out >> 16) > 240 && (out & 255) > 240); /* hollow */
  assert_true(is_red((int)(self >> 16), (int)(self >> 8 & 255), (int)(self & 255)));
  assert_true(is_green((int)(aim >> 16), (int)(aim >> 8 & 255), (int)(aim & 255)));
  assert_true(is_green((int)(arrow >> 16), (int)(arrow >> 8 & 255), (int)(arrow & 255)));
  assert_true(light_at(&p, x + metre, y + 3.0 * metre) > 220); /* no wall yet */
  cairo_surface_destroy(p.surface);
  def.wall = &wall, def.wall_count = 1;
  assert_int_equal(th_chart_figure_write(&def, in_folder("c.png"), NULL), TH_OK);
  p = load(in_folder("c.png"));
  assert_true(light_at(&p, x + metre, y + 3.0 * metre) < 60);
  cairo_surface_destroy(p.surface);
  static const uint32_t wrong[3] = {0, 1, 9};
  def.corner = wrong, def.triangle_count = 1;
  assert_int_equal(th_chart_figure_write(&def, in_folder("c.png"), NULL), TH_ERROR_RANGE);
}

/* shows: PLAN-56 */
static void a_stretched_chart_parts_at_one(void **state) {
  (void)state;
  static const float stretch[2] = {1.4f, 0.6f}, even[2] = {1.0f, 1.0f};
  th_chart_figure_def def = square_chart();
  def.stretch = stretch;
  assert_int_equal(th_chart_figure_write(&def, in_folder("s.png"), NULL), TH_OK);
  picture p = load(in_folder("s.png"));
  double metre = (1000.0 - 216.0) / 8.0, x = 48.0 + 4.0 * metre, y = 40.0 + 4.0 * metre;
  uint32_t shrunk = pixel(&p, (int)(x + 2.0 * metre), (int)(y + metre)),
           grown = pixel(&p, (int)(x - 2.0 * metre), (int)(y - metre));
  assert_true((shrunk >> 16) > (shrunk & 255) + 60 && (grown & 255) > (grown >> 16) + 60);
  cairo_surface_destroy(p.surface);
  def.stretch = even;
  assert_int_equal(th_chart_figure_write(&def, in_folder("s.png"), NULL), TH_OK);
  p = load(in_folder("s.png"));
  assert_true(light_at(&p, x + 2.0 * metre, y + metre) > 225);
  cairo_surface_destroy(p.surface);
}

static void bars_are_as_high_as_their_share(void **state) {
  (void)state;
  static const float value[8] = {0.1f, 0.2f, 0.3f, 0.4f, 0.6f, 0.9f, NAN, 7.0f}; /* 4 low, 3 high, one of them beyond */
  th_bars_figure_def def = th_default_bars_figure_def();
  def.value = value, def.count = 8, def.bars = 2, def.least = 0.0f, def.most = 1.0f;
  assert_int_equal(th_bars_figure_write(&def, in_folder("b.png"), NULL), TH_OK);
  picture p = load(in_folder("b.png"));
  int high[2] = {0, 0};
  for (int y = 0; y < p.height; y++)
    for (int k = 0; k < 2; k++) {
      uint32_t c = pixel(&p, k ? 740 : 320, y);
      high[k] += (c & 255) > (c >> 16) + 60;
    }
  assert_true(abs(high[0] - 420) < 3);
  assert_true(abs(high[1] - 315) < 3);
  cairo_surface_destroy(p.surface);
  def.count = 0;
  assert_int_equal(th_bars_figure_write(&def, in_folder("b.png"), NULL), TH_ERROR_STATE);
  def.count = 8, def.bars = 1;
  assert_int_equal(th_bars_figure_write(&def, in_folder("b.png"), NULL), TH_ERROR_RANGE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_is_round_and_lit_from_the_upper_left),
      cmocka_unit_test(values_become_colours_and_even_isolines),
      cmocka_unit_test(edges_walls_and_blocked_faces_are_dark),
      cmocka_unit_test(the_thesis_colours_run_from_green_to_red),
      cmocka_unit_test(paths_and_gradients_have_their_colours),
      cmocka_unit_test(what_lies_behind_is_hidden),
      cmocka_unit_test(agents_stand_at_their_weights),
      cmocka_unit_test(agents_are_coloured_by_kind_or_by_value),
      cmocka_unit_test(upright_bodies_stick_out_and_hide_each_other),
      cmocka_unit_test(a_cut_shows_the_inside_of_a_tube),
      cmocka_unit_test(the_automatic_camera_looks_at_the_crowd),
      cmocka_unit_test(hidden_faces_take_along_who_stands_on_them),
      cmocka_unit_test(a_vector_file_holds_only_what_is_seen),
      cmocka_unit_test(a_huge_mesh_becomes_a_picture_in_a_vector_file),
      cmocka_unit_test(two_runs_give_the_same_bytes),
      cmocka_unit_test(wrong_input_is_named),
      cmocka_unit_test(every_failing_allocation_is_survived),
      cmocka_unit_test(a_chart_shows_who_is_in_vision),
      cmocka_unit_test(a_stretched_chart_parts_at_one),
      cmocka_unit_test(bars_are_as_high_as_their_share),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
