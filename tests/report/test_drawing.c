/* Tests of the parts that figures are made of: colour bars, isolines, colours, words, faces, bodies and time marks. */
#include "report/figure/wash.h"
#include "support/pictures.h"
#include "support/scene_runs.h"
#include "support/worlds.h"
#include "throng/recording.h"

/* ---------------------------------------------------------------- colours and lines */

static th_canvas sheet(int width, int height) {
  th_canvas canvas = {.width = width, .height = height, .unit = 1.0};
  canvas.surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  canvas.cr = cairo_create(canvas.surface);
  cairo_set_source_rgb(canvas.cr, 1.0, 1.0, 1.0);
  cairo_paint(canvas.cr);
  return canvas;
}

static picture look_at(const th_canvas *canvas) {
  cairo_surface_flush(canvas->surface);
  return (picture){canvas->surface, (int)canvas->width, (int)canvas->height};
}

static void sheet_free(th_canvas *canvas) {
  cairo_destroy(canvas->cr);
  cairo_surface_destroy(canvas->surface);
}

/* From the least value at the lower end of the bar to the greatest at its upper end. */
static void ticks_stand_beside_their_values(void **state) {
  (void)state;
  th_canvas canvas = sheet(300, 520);
  const th_scale scale = {.min = 0.0, .max = 3.0, .label = "v"};
  th_draw_colour_bar(&canvas, &scale, 50.0, 40.0, 200.0);
  const picture p = look_at(&canvas);
  uint32_t found = 0;
  for (int y = 0; y < p.height; y++) {
    if (light_at(&p, 66, y) > 250) continue; /* between the bar and the numbers */
    const double value = 3.0 * (240.0 - y) / 200.0;
    if (value < -0.03 || value > 3.03 || fabs(value - round(value)) > 0.03) fail_msg("a tick at %g", value);
    if (light_at(&p, 66, y - 1) > 250) found++;
  }
  assert_int_equal(found, 4);
  sheet_free(&canvas);
}

/* Two opposite corners of a square are high: two lines part them from the others. */
static void both_lines_of_a_saddle_are_drawn(void **state) {
  (void)state;
  th_canvas canvas = sheet(100, 100);
  double value[4] = {1.0, 0.0, 0.0, 1.0};
  const th_wash grid = {.width = 2, .height = 2, .cell = 10.0, .value = value};
  const th_scene_view view = {.canvas = &canvas, .map = {.bottom = 100.0, .scale = 5.0, .upper = {20, 20}}};
  cairo_set_source_rgb(canvas.cr, 0.0, 0.0, 0.0);
  cairo_set_line_width(canvas.cr, 2.0);
  th_wash_isoline(&view, &grid, 0.5);
  const picture p = look_at(&canvas);
  uint32_t ink[2] = {0, 0};
  for (int y = 0; y < 100; y++)
    for (int x = 0; x < 100; x++) ink[x + y > 100] += light_at(&p, x, y) < 128;
  assert_true(ink[0] > 30 && ink[1] > 30);
  sheet_free(&canvas);
}

static void values_beyond_a_scale_have_the_colours_of_its_ends(void **state) {
  (void)state;
  const double beyond[3] = {-3.0, 7.0, INFINITY}, end[3] = {0.0, 1.0, 0.0}; /* no number counts as the lower end */
  for (int k = 0; k < 3; k++) {
    double is[3], wish[3];
    th_colour_map(beyond[k], is);
    th_colour_map(end[k], wish);
    for (int c = 0; c < 3; c++) assert_true(is[c] == wish[c] && is[c] >= 0.0 && is[c] <= 1.0);
  }
}

/* ---------------------------------------------------------------- words */

/* Width of what stands right of a scale bar of 100 pixels [pixels]. */
static int width_of_bar_text(double metres) {
  th_canvas canvas = sheet(300, 60);
  const th_scene_view view = {.canvas = &canvas, .map = {.scale = 100.0 / metres}};
  th_draw_scale_bar(&view, 20.0, 40.0, 100.5);
  const picture p = look_at(&canvas);
  int right = 0;
  for (int x = 125; x < p.width; x++)
    for (int y = 0; y < p.height; y++)
      if (light_at(&p, x, y) < 200) right = x - 125;
  sheet_free(&canvas);
  return right;
}

/* From a thousand metres on: 1 km, not 1000 km. */
static void scale_bars_count_in_kilometres(void **state) {
  (void)state;
  const int one = width_of_bar_text(1e3), two = width_of_bar_text(2e3), ten = width_of_bar_text(1e4);
  print_message("1 km: %d, 2 km: %d, 10 km: %d pixels; 500 m: %d\n", one, two, ten, width_of_bar_text(500.0));
  assert_true(one > 20 && abs(one - two) <= 2 && one < ten);
}

/* Names of marks at one place stand below each other, as many as have room. */
static void names_make_room_for_each_other(void **state) {
  (void)state;
  th_vec2 middle = {10, 10};
  th_ring ring = {.count = 1};
  th_mark mark[2] = {{.kind = "goal", .name = "nose"}, {.kind = "goal", .name = "nose"}};
  for (int k = 0; k < 2; k++)
    mark[k].plan = (th_floor_plan){.point = &middle, .ring = &ring, .point_count = 1, .ring_count = 1};
  for (uint32_t count = 1; count <= 2; count++) {
    th_canvas canvas = sheet(300, 300);
    th_figure_def def = th_default_figure_def();
    def.mark = mark, def.mark_count = count;
    const th_scene_view view = {
        .canvas = &canvas, .map = {.bottom = 300.0, .scale = 15.0, .upper = {20, 20}}, .def = &def, .detail = 1.0};
    th_draw_labels(&view);
    const picture p = look_at(&canvas);
    uint32_t bands = 0;
    bool before = false;
    for (int y = 0; y < p.height; y++) {
      bool ink = false;
      for (int x = 0; x < p.width; x++) ink |= light_at(&p, x, y) < 128;
      bands += ink && !before;
      before = ink;
    }
    assert_int_equal(bands, count);
    sheet_free(&canvas);
  }
}

/* First and last row in which two pictures differ. */
static void differing_rows(const picture *a, const picture *b, int *first, int *last) {
  *first = *last = -1;
  for (int y = 0; y < a->height && y < b->height; y++)
    for (int x = 0; x < a->width; x++) {
      if (pixel(a, x, y) == pixel(b, x, y)) continue;
      if (*first < 0) *first = y;
      *last = y;
    }
}

/* The title is at the top, the note below it, and both are above the bars. */
static void words_of_bars_do_not_overlap(void **state) {
  (void)state;
  static const float value[2] = {0.2f, 0.8f};
  th_bars_figure_def def = th_default_bars_figure_def();
  def.value = value, def.count = 2, def.bars = 2, def.min = 0.0f, def.max = 1.0f, def.title = "", def.note = "";
  picture p[3];
  for (int k = 0; k < 3; k++) { /* without words, with a title, with both */
    if (k > 0) def.title = "Title";
    if (k > 1) def.note = "Note";
    assert_int_equal(th_bars_figure_write(&def, in_folder("w.png"), NULL), TH_OK);
    p[k] = load(in_folder("w.png"));
  }
  assert_true(p[0].height == p[1].height && p[1].height == p[2].height);
  int title[2], note[2], bars = 0;
  differing_rows(&p[0], &p[1], &title[0], &title[1]);
  differing_rows(&p[1], &p[2], &note[0], &note[1]);
  for (int y = p[0].height - 1; y >= 0; y--)
    for (int x = 0; x < p[0].width; x++)
      if (light_at(&p[0], x, y) < 250) bars = y;
  print_message("title %d to %d, note %d to %d, bars from %d\n", title[0], title[1], note[0], note[1], bars);
  assert_true(title[0] > 0 && title[1] < note[0] && note[1] < bars);
  for (int k = 0; k < 3; k++) cairo_surface_destroy(p[k].surface);
}

/* ---------------------------------------------------------------- surfaces */

static uint32_t count_text(const char *text, const char *part) {
  uint32_t count = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) count++;
  return count;
}

static th_mesh strip(uint32_t squares) { /* of 1 m, two faces each */
  th_mesh mesh;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 1, squares, 1.0, 1.0);
  assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK);
  return mesh;
}

static void every_face_is_in_a_vector_file(void **state) {
  (void)state;
  th_mesh mesh = strip(3);
  th_camera camera = from(-90.0, 90.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  size_t length;
  assert_int_equal(th_mesh_figure_write(&def, in_folder("f.svg"), NULL), TH_OK);
  char *text = file_bytes(in_folder("f.svg"), &length);
  assert_int_equal(count_text(text, "stroke:none;fill-rule"), 6); /* level: none is cut for smooth light */
  free(text);
  th_mesh_free(&mesh);
}

/* What is tall fills the height of several views side by side, but makes no page of one view taller than wide. */
static void one_view_is_wider_than_high(void **state) {
  (void)state;
  th_mesh mesh = strip(20);
  const th_camera camera[2] = {from(-90.0, 90.0), from(-90.0, 60.0)};
  for (uint32_t views = 1; views <= 2; views++) {
    th_mesh_figure_def def = scene(&mesh, camera);
    def.camera_count = views;
    picture p = draw(&def);
    assert_in_range(p.height, 650, 850); /* of 1000 */
    cairo_surface_destroy(p.surface);
  }
  th_mesh_free(&mesh);
}

/* ---------------------------------------------------------------- recordings on a mesh */

/* Records two seconds of a run, which is freed, and reads them back. */
static th_tracks record_run(scene_run f) {
  th_world *world = th_run_world(f.run);
  th_recording_def def = th_default_recording_def();
  th_recording *recording;
  char path[512];
  snprintf(path, sizeof path, "%s", in_folder("alone.sqlite"));
  def.ground = th_world_ground(world);
  OK(th_recording_make(path, &def, &recording, &error));
  for (int step = 0; step <= 20; step++) {
    if (step) OK(th_run_step(f.run, &error));
    OK(th_recording_step(recording, world, &error));
  }
  OK(th_recording_close(recording, &error));
  scene_run_free(&f);
  th_tracks tracks;
  OK(th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error));
  assert_int_equal(tracks.track_count, 1);
  return tracks;
}

/* Somebody alone on a planet, with this radius [m]. */
static th_tracks walk_alone(const char *radius) {
  return record_run(scene_run_make(
      "{\"version\": 1, \"name\": \"round\", \"duration\": 20,"
      "\"ground\": {\"mesh\": {\"make\": {\"shape\": \"planet\", \"radius\": 10, \"level\": 2}}},"
      "\"goals\": [{\"name\": \"exit\", \"point\": [10, 0, 0], \"field\": \"geodesic\"}],"
      "\"populations\": [{\"name\": \"red\", \"positions\": [[0, 0, 10]], \"route\": [\"exit\"], \"radius\": %s}]}",
      radius, (th_run_def){.seed = 0}));
}

static uint32_t parts_of(const th_figure_def *def) {
  size_t length;
  OK(th_figure_write(def, in_folder("m.svg"), &error));
  char *text = file_bytes(in_folder("m.svg"), &length);
  const uint32_t parts = count_text(text, "<path") + count_text(text, "<use");
  free(text);
  return parts;
}

/* The first path has its time marks, too; a picture of bodies has none. */
static void a_path_on_a_mesh_has_time_marks(void **state) {
  (void)state;
  th_tracks tracks = walk_alone("0.2");
  for (int bodies = 0; bodies < 2; bodies++) {
    th_figure_def def = th_default_figure_def();
    def.tracks = &tracks, def.width = 300, def.time = 2.0, def.bodies = bodies;
    const uint32_t plain = parts_of(&def);
    def.marks = 0.5;
    const uint32_t marked = parts_of(&def);
    if (bodies ? marked != plain : marked < plain + 5) /* 0, 0.5, 1, 1.5, 2 s */
      fail_msg("bodies %d: %u parts, %u with marks", bodies, plain, marked);
  }
  th_tracks_free(&tracks);
}

/* A planet is seen from two sides; behind a steep valley there would be nothing but bodies in the air. */
static void only_closed_surfaces_are_seen_from_behind(void **state) {
  (void)state;
  static const char *const where[] = {
      "\"ground\": {\"mesh\": {\"make\": {\"shape\": \"planet\", \"radius\": 10, \"level\": 2}}},"
      "\"populations\": [{\"name\": \"red\", \"positions\": [[0, 0, 10]]}]",
      "\"ground\": {\"mesh\": {\"file\": \"scenes/plans/notch.obj\"}},"
      "\"populations\": [{\"name\": \"red\", \"positions\": [[1.1, 5, 2.5]]}]"};
  for (int open = 0; open < 2; open++) {
    th_tracks tracks = record_run(scene_run_make("{\"version\": 1, \"name\": \"seen\", \"duration\": 20, %s}",
                                                 where[open], (th_run_def){.seed = 0}));
    const th_camera camera = th_default_camera();
    th_mesh_figure_def one = th_default_mesh_figure_def();
    one.camera = &camera, one.camera_count = 1;
    th_figure_def def = th_default_figure_def();
    def.tracks = &tracks, def.width = 300, def.time = 2.0, def.bodies = true;
    const uint32_t usual = parts_of(&def);
    def.mesh = &one;
    const uint32_t single = parts_of(&def);
    if (open ? usual != single : usual < single + 10) fail_msg("open %d: %u parts, one view %u", open, usual, single);
    th_tracks_free(&tracks);
  }
}

/* The same walk of somebody slim and of somebody wide: the wide body covers what the slim one does not. */
static void bodies_on_a_mesh_are_as_wide_as_they_were(void **state) {
  (void)state;
  picture p[2];
  for (int k = 0; k < 2; k++) {
    th_tracks tracks = walk_alone(k ? "0.8" : "0.2");
    th_figure_def def = th_default_figure_def();
    def.tracks = &tracks, def.width = 600, def.time = 2.0, def.bodies = true, def.paths = false;
    OK(th_figure_write(&def, in_folder("b.png"), &error));
    p[k] = load(in_folder("b.png"));
    th_tracks_free(&tracks);
  }
  uint32_t differ = 0;
  assert_true(p[0].width == p[1].width && p[0].height == p[1].height);
  for (int y = 0; y < p[0].height; y++)
    for (int x = 0; x < p[0].width; x++) differ += pixel(&p[0], x, y) != pixel(&p[1], x, y);
  print_message("%u pixels differ\n", differ);
  assert_true(differ > 200);
  for (int k = 0; k < 2; k++) cairo_surface_destroy(p[k].surface);
}

/* ---------------------------------------------------------------- traces */

/* The map that somebody steers by, which has no red, lies below its body. */
static void rasters_lie_below_bodies(void **state) {
  (void)state;
  th_tracks tracks =
      record_run(scene_run_make("%s",
                                "{\"version\": 1, \"name\": \"flat\", \"duration\": 20,"
                                "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 8]]}]},"
                                "\"goals\": [{\"name\": \"exit\", \"point\": [11, 4]}],"
                                "\"recording\": {\"traces\": [\"red\"], \"every\": 0.2},"
                                "\"populations\": [{\"name\": \"red\", \"model\": \"bvp\", \"positions\": [[3, 4]], "
                                "\"route\": [\"exit\"]}]}",
                                (th_run_def){.seed = 0}));
  const char *raster = NULL;
  for (uint32_t r = 0; r < tracks.trace_row_count; r++)
    if (tracks.trace_row[r].type == TH_TRACE_RASTER) raster = tracks.trace_row[r].name;
  assert_non_null(raster);
  picture p[2];
  for (int k = 0; k < 2; k++) {
    th_figure_def def = th_default_figure_def();
    def.tracks = &tracks, def.width = 800, def.time = 2.0, def.bodies = true, def.paths = false;
    def.colour = TH_COLOUR_AGENT, def.traces = k ? raster : NULL;
    OK(th_figure_write(&def, in_folder("r.png"), &error));
    p[k] = load(in_folder("r.png"));
  }
  const int plain = find(&p[0], is_reddish).count, shown = find(&p[1], is_reddish).count;
  print_message("%d pixels of the body, %d with its map\n", plain, shown);
  assert_true(plain > 50 && 10 * shown > 9 * plain);
  for (int k = 0; k < 2; k++) cairo_surface_destroy(p[k].surface);
  th_tracks_free(&tracks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ticks_stand_beside_their_values),
      cmocka_unit_test(both_lines_of_a_saddle_are_drawn),
      cmocka_unit_test(values_beyond_a_scale_have_the_colours_of_its_ends),
      cmocka_unit_test(scale_bars_count_in_kilometres),
      cmocka_unit_test(names_make_room_for_each_other),
      cmocka_unit_test(words_of_bars_do_not_overlap),
      cmocka_unit_test(every_face_is_in_a_vector_file),
      cmocka_unit_test(one_view_is_wider_than_high),
      cmocka_unit_test(a_path_on_a_mesh_has_time_marks),
      cmocka_unit_test(only_closed_surfaces_are_seen_from_behind),
      cmocka_unit_test(bodies_on_a_mesh_are_as_wide_as_they_were),
      cmocka_unit_test(rasters_lie_below_bodies),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_pictures);
}
