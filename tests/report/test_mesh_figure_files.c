/* Tests of figures of surfaces as files: vector files, equal bytes, errors, memory; charts and bars. */
#include "support/pictures.h"

/* ---------------------------------------------------------------- files */

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

static th_mesh_figure_def rich(const th_mesh *mesh, const th_camera *camera, const float *value) {
  static const uint32_t face[3] = {3, 200, 900};
  static const th_vec3 middle[3] = {{0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}, {0.3f, 0.3f, 0.4f}};
  static const th_vec3 way[3] = {{10, 0, 0}, {7.07f, 7.07f, 0}, {0, 10, 0}};
  static const th_mesh_figure_line line = {TH_MESH_FIGURE_PATH, way, 3, 0};
  static const th_mesh_figure_mark mark = {
      .kind = "goal", .name = "a < b", .face = 3, .point = {9, 0, 3}, .radius = 1.0f};
  th_mesh_figure_def def = scene(mesh, camera);
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
  th_mesh_figure_def def = rich(&mesh, &camera, value);
  size_t length;
  th_mesh_figure_def plain = scene(&mesh, &camera);
  assert_int_equal(th_mesh_figure_write(&plain, in_folder("p.svg"), NULL), TH_OK);
  char *text = file_bytes(in_folder("p.svg"), &length);
  uint32_t polygons = count_tags(text, "path");
  assert_in_range(polygons, mesh.face_count * 4 / 10, 25000); /* half of 5,120, more when cut for smooth light */
  assert_int_equal(count_tags(text, "image"), 0);
  free(text);
  assert_int_equal(th_mesh_figure_write(&def, in_folder("p.svg"), NULL), TH_OK);
  text = file_bytes(in_folder("p.svg"), &length);
  assert_true(count_tags(text, "path") > polygons / 2);
  assert_null(strstr(text, "nan"));
  assert_true(length < 8u << 20);
  free(text);
  assert_int_equal(th_mesh_figure_write(&def, in_folder("p.pdf"), NULL), TH_OK);
  text = file_bytes(in_folder("p.pdf"), &length);
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
  th_mesh_figure_def def = scene(&mesh, &camera);
  def.width = 800;
  size_t length;
  assert_int_equal(th_mesh_figure_write(&def, in_folder("h.svg"), NULL), TH_OK);
  char *text = file_bytes(in_folder("h.svg"), &length);
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
  th_mesh_figure_def def = rich(&mesh, &camera, value);
  for (int k = 0; k < 2; k++) {
    size_t first, second;
    def.env.tasks.run = NULL;
    assert_int_equal(th_mesh_figure_write(&def, in_folder(name[k]), NULL), TH_OK);
    char *a = file_bytes(in_folder(name[k]), &first);
    def.env.tasks.run = run_alone; /* other threads, other order */
    assert_int_equal(th_mesh_figure_write(&def, in_folder(name[k]), NULL), TH_OK);
    char *b = file_bytes(in_folder(name[k]), &second);
    if (k == 1) first = without_numbers(a, first), second = without_numbers(b, second);
    assert_int_equal(first, second);
    assert_memory_equal(a, b, first);
    free(a);
    free(b);
  }
  free(value);
  th_mesh_free(&mesh);
}

static void expect_error(const th_mesh_figure_def *def, th_result code, const char *word) {
  th_error error = {0};
  assert_int_equal(th_mesh_figure_write(def, in_folder("never.png"), &error), code);
  if (!strstr(error.text, word)) fail_msg("expected '%s' in '%s'", word, error.text);
  assert_int_not_equal(access(in_folder("never.png"), F_OK), 0);
  assert_int_not_equal(access(in_folder("never.png.part"), F_OK), 0);
}

static void wrong_input_is_named(void **state) {
  (void)state;
  th_mesh mesh = plane();
  th_camera camera = from(0.0, 30.0);
  th_mesh_figure_def good = scene(&mesh, &camera), bad = good;
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
  const th_mesh_figure_line line = {TH_MESH_FIGURE_PATH, way, 2, 0};
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
  assert_int_equal(th_mesh_figure_write(&good, in_folder("a.gif"), &error), TH_ERROR_FORMAT);
  th_mesh_free(&mesh);
}

static th_result draw_all(const th_env *env, void *context) {
  const th_mesh *mesh = context;
  static const char *const name[] = {"f.png", "f.svg"};
  th_camera camera[2] = {th_default_camera(), th_default_camera()};
  camera[1].kind = TH_CAMERA_BEHIND;
  float *value = values_of(mesh, 0);
  th_mesh_figure_def def = rich(mesh, camera, value);
  static const uint32_t face[3] = {3, 20, 90};
  static const th_mesh_figure_mark mark = {.kind = "goal", .name = "g", .face = 3, .point = {9, 5, 0}, .radius = 1.0f};
  def.agents.face = face, def.mark = &mark;
  def.env = *env, def.width = 200, def.camera_count = 2;
  th_result result = TH_OK;
  for (int k = 0; k < 2 && result == TH_OK; k++) result = th_mesh_figure_write(&def, in_folder(name[k]), NULL);
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
  def.value = value, def.count = 8, def.bars = 2, def.min = 0.0f, def.max = 1.0f;
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
      cmocka_unit_test(a_vector_file_holds_only_what_is_seen),
      cmocka_unit_test(a_huge_mesh_becomes_a_picture_in_a_vector_file),
      cmocka_unit_test(two_runs_give_the_same_bytes),
      cmocka_unit_test(wrong_input_is_named),
      cmocka_unit_test(every_failing_allocation_is_survived),
      cmocka_unit_test(a_chart_shows_who_is_in_vision),
      cmocka_unit_test(a_stretched_chart_parts_at_one),
      cmocka_unit_test(bars_are_as_high_as_their_share),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_pictures);
}
