/* Tests of figures and films: what is drawn where, even colours, formats, errors that leave former files alone. */
#include <cairo/cairo.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/folder.h"
#include "throng/figure.h"
#include "throng/metrics.h"

/* fontconfig keeps a pattern of its own after the last font is gone; ours are still counted. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

static int end(void **state) {
  cairo_debug_reset_static_data(); /* cairo keeps fonts until the end; a leak checker would count them */
  return drop_folder(state);
}

/* A room of 20 x 10 m with a block in its middle; three walk along y = 2, 5 cut off, 8. */
static th_tracks room(const th_env *env) {
  char path[96];
  th_tracks tracks = {0};
  snprintf(path, sizeof path, "%s/room.csv", folder);
  FILE *out = fopen(path, "w");
  fputs("# fps: 5\n# ground from 0: POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (8 4, 8 6, 12 6, 12 4, 8 4))\n", out);
  fputs("frame,id,x,y\n", out);
  for (int frame = 0; frame <= 50; frame++)
    for (int id = 1; id <= 2; id++) fprintf(out, "%d,%d,%g,%g\n", frame, id, 1.0 + 0.36 * frame, id == 1 ? 2.0 : 8.0);
  fclose(out);
  th_error error = {0};
  if (th_csv_read(&(th_tracks_def){.env = env ? *env : th_default_env(), .path = path}, &tracks, &error) != TH_OK &&
      error.code != TH_ERROR_MEMORY)
    fail_msg("%s", error.text);
  return tracks;
}

typedef struct picture {
  cairo_surface_t *surface;
  int width, height;
} picture;

static picture load(const char *path) {
  picture p = {.surface = cairo_image_surface_create_from_png(path)};
  assert_int_equal(cairo_surface_status(p.surface), CAIRO_STATUS_SUCCESS);
  p.width = cairo_image_surface_get_width(p.surface);
  p.height = cairo_image_surface_get_height(p.surface);
  return p;
}

static uint32_t pixel(const picture *p, int x, int y) {
  const uint8_t *bytes = cairo_image_surface_get_data(p->surface);
  uint32_t value;
  memcpy(&value, bytes + (size_t)y * (size_t)cairo_image_surface_get_stride(p->surface) + 4 * (size_t)x, 4);
  return value & 0xffffff;
}

static int lightness(uint32_t rgb) { return (int)((rgb >> 16) + (rgb >> 8 & 255) + (rgb & 255)) / 3; }
static int colourful(uint32_t rgb) {
  int r = (int)(rgb >> 16), g = (int)(rgb >> 8 & 255), b = (int)(rgb & 255);
  int max = r > g ? (r > b ? r : b) : (g > b ? g : b), min = r < g ? (r < b ? r : b) : (g < b ? g : b);
  return max - min;
}

/* Page coordinates of ground (x, y): without a title and a bar the ground has margins of 56 and 44 at 1600 pixels. */
static int page_x(double x) { return (int)lround(56.0 + x * 1488.0 / 20.0); }
static int page_y(double y) { return (int)lround(44.0 + (10.0 - y) * 1488.0 / 20.0); }

static void every_layer_is_where_it_belongs(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  th_figure_def def = th_default_figure_def();
  def.tracks = &tracks;
  def.colour = TH_COLOUR_AGENT;
  th_error error = {0};
  if (th_figure_write(&def, in_folder("a.png"), &error) != TH_OK) fail_msg("%s", error.text);
  picture p = load(in_folder("a.png"));
  assert_int_equal(p.width, 1600);
  assert_true(p.height > 744 + 44 && p.height < 1000);
  assert_int_equal(pixel(&p, 3, 3), 0xffffff);                   /* paper */
  assert_true(lightness(pixel(&p, page_x(5), page_y(5))) > 245); /* floor */
  uint32_t block = pixel(&p, page_x(10), page_y(5));
  assert_true(lightness(block) > 200 && lightness(block) < 235); /* obstacle: soft grey */
  assert_true(lightness(pixel(&p, page_x(0), page_y(5))) < 90);  /* wall: dark */
  assert_true(colourful(pixel(&p, page_x(10), page_y(2))) > 25); /* path */
  assert_true(colourful(pixel(&p, page_x(10), page_y(8))) > 25);
  assert_true(lightness(pixel(&p, page_x(19.7), page_y(2))) > 245); /* it ends at x = 19 */
  cairo_surface_destroy(p.surface);
  th_tracks_free(&tracks);
}

/* Agents of one population share a colour, those of another have another one, and the legend shows both; an agent of
 * none is grey. */
static void populations_have_their_colours(void **state) {
  (void)state;
  static const th_recorded_name name[2] = {{1, "east"}, {2, "west"}};
  th_tracks tracks = room(NULL);
  th_figure_def def = th_default_figure_def();
  uint32_t of[2][3] = {{0, 0, 0}, {0, 1, UINT32_MAX}}, colour[2][3];
  int shown = 0;
  tracks.population = (th_recorded_name *)(uintptr_t)name;
  tracks.population_count = 2;
  def.tracks = &tracks;
  def.paths = false, def.bodies = true, def.colour = TH_COLOUR_POPULATION;
  def.time = 5.0;
  for (int k = 0; k < 3; k++) {
    for (int t = 0; t < 2; t++) tracks.track[t].population = of[t][k];
    assert_int_equal(th_figure_write(&def, in_folder("p.png"), NULL), TH_OK);
    picture p = load(in_folder("p.png"));
    for (int t = 0; t < 2; t++) colour[t][k] = pixel(&p, page_x(9.9), page_y(t ? 8 : 2));
    for (int x = p.width / 2; x < p.width && k == 0; x++) shown += colourful(pixel(&p, x, p.height - 50)) > 60;
    cairo_surface_destroy(p.surface);
  }
  assert_int_equal(colour[0][0], colour[1][0]);
  assert_int_equal(colour[0][1], colour[0][0]);
  assert_int_not_equal(colour[1][1], colour[0][1]);
  assert_true(colourful(colour[1][1]) > 25 && colourful(colour[1][2]) < 8);
  assert_true(shown > 10); /* discs of the legend */
  tracks.population = NULL;
  tracks.population_count = 0;
  th_tracks_free(&tracks);
}

static size_t slurp(const char *path, char *bytes, size_t size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t n = fread(bytes, 1, size, file);
  fclose(file);
  return n;
}

/* As many discs as populations, in rows below the rest of the legend. */
static void all_populations_are_named(void **state) {
  (void)state;
  enum { MANY = 23, ROWS = 4 };
  static th_recorded_name name[MANY];
  th_tracks tracks = room(NULL);
  th_figure_def def = th_default_figure_def();
  for (int k = 0; k < MANY; k++) {
    name[k].id = k + 1;
    snprintf(name[k].text, sizeof name[k].text, "those of gate %d", k + 1);
  }
  tracks.population = name;
  tracks.population_count = MANY;
  def.tracks = &tracks;
  def.paths = false, def.bodies = true, def.colour = TH_COLOUR_POPULATION;
  assert_int_equal(th_figure_write(&def, in_folder("p.png"), NULL), TH_OK);
  picture p = load(in_folder("p.png"));
  int discs = 0;
  for (int row = 0; row < ROWS; row++) {
    bool before = false;
    for (int x = 0; x < p.width; x++) {
      const bool in = colourful(pixel(&p, x, p.height - 50 - 26 * row)) > 25;
      discs += in && !before;
      before = in;
    }
  }
  assert_int_equal(discs, MANY);
  cairo_surface_destroy(p.surface);
  tracks.population = NULL;
  tracks.population_count = 0;
  th_tracks_free(&tracks);
}

/* A vector file holds a picture of them. */
static void too_many_paths_are_a_picture(void **state) {
  (void)state;
  static char text[1 << 22];
  th_tracks tracks = {0};
  th_error error = {0};
  for (int k = 0; k < 2; k++) {
    FILE *out = fopen(in_folder("many.csv"), "w");
    fputs("# fps: 5\n# ground from 0: POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))\nframe,id,x,y\n", out);
    for (int id = 1; id <= (k ? 50001 : 500); id++)
      for (int frame = 0; frame < 2; frame++)
        fprintf(out, "%d,%d,%g,%g\n", frame, id, 1.0 + 0.02 * (id % 900) + 0.3 * frame, 1.0 + 0.1 * (id % 79));
    fclose(out);
    assert_int_equal(th_csv_read(&(th_tracks_def){.path = in_folder("many.csv")}, &tracks, &error), TH_OK);
    th_figure_def def = th_default_figure_def();
    def.width = 800;
    def.tracks = &tracks;
    assert_int_equal(th_figure_write(&def, in_folder("many.svg"), &error), TH_OK);
    const size_t size = slurp(in_folder("many.svg"), text, sizeof text - 1);
    text[size] = 0;
    assert_true(size < sizeof text - 1);
    assert_true(!strstr(text, "<image") == !k);
    th_tracks_free(&tracks);
  }
}

static void bodies_stand_where_they_were(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  th_figure_def def = th_default_figure_def();
  def.tracks = &tracks;
  def.paths = false, def.bodies = true, def.colour = TH_COLOUR_AGENT;
  def.time = 5.0; /* frame 25, x = 10 */
  assert_int_equal(th_figure_write(&def, in_folder("b.png"), NULL), TH_OK);
  picture p = load(in_folder("b.png"));
  assert_true(colourful(pixel(&p, page_x(9.9), page_y(2))) > 25);
  assert_true(lightness(pixel(&p, page_x(10.1), page_y(2))) > 230); /* the heading, light on the body */
  assert_true(lightness(pixel(&p, page_x(9.0), page_y(2))) > 245);
  cairo_surface_destroy(p.surface);
  def.paths = true; /* they end at the bodies: a picture of a moment has no future */
  assert_int_equal(th_figure_write(&def, in_folder("b.png"), NULL), TH_OK);
  p = load(in_folder("b.png"));
  assert_true(colourful(pixel(&p, page_x(6), page_y(2))) > 25);
  assert_true(lightness(pixel(&p, page_x(15), page_y(2))) > 245);
  cairo_surface_destroy(p.surface);
  th_tracks_free(&tracks);
}

static bool slope_to_the_right(void *user, float x, float y, double *value, th_vec2 *direction) {
  (void)user;
  *value = (double)x;
  *direction = (th_vec2){1, 0};
  return x >= 0.0f && x <= 20.0f && y >= 0.0f && y <= 10.0f && !(x > 8.0f && x < 12.0f && y > 4.0f && y < 6.0f);
}

static void fields_and_densities_are_coloured(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  th_plot_field field = {slope_to_the_right, NULL, "metres"};
  th_figure_def def = th_default_figure_def();
  def.plan = &tracks.plan[0];
  def.field = &field;
  def.title = "Field";
  assert_int_equal(th_figure_write(&def, in_folder("c.png"), NULL), TH_OK);
  picture p = load(in_folder("c.png"));
  long left = 0, right = 0;
  for (int y = 250; y < 650; y++)
    for (int x = 0; x < 60; x++) left += lightness(pixel(&p, 100 + x, y)), right += lightness(pixel(&p, 1300 + x, y));
  assert_true(left > right + 400 * 60 * 20); /* the wash darkens with the value */
  cairo_surface_destroy(p.surface);
  def = th_default_figure_def();
  def.tracks = &tracks;
  def.paths = false, def.density = true;
  assert_int_equal(th_figure_write(&def, in_folder("d.png"), NULL), TH_OK);
  p = load(in_folder("d.png"));
  int plot = 1600 - 2 * 56 - 112, crowded = 44 + plot / 2 * 8 / 10, empty = 44 + plot / 2 * 55 / 100;
  assert_true(lightness(pixel(&p, 56 + plot / 4, crowded)) < lightness(pixel(&p, 56 + plot / 4, empty)) - 20);
  cairo_surface_destroy(p.surface);
  th_tracks_free(&tracks);
}

static bool patch_of_a_slope(void *user, float x, float y, double *value, th_vec2 *direction) {
  (void)user;
  *value = 100.0 + (double)x;
  *direction = (th_vec2){0, 0};
  return x > 3.0f && x < 3.7f && y > 3.0f && y < 3.7f;
}

/* The scale spans the values that are there and nothing else, however few: 103 is as light as any, 103.7 as dark. */
static void a_small_field_has_the_whole_scale(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  th_plot_field field = {patch_of_a_slope, NULL, NULL};
  th_figure_def def = th_default_figure_def();
  def.plan = &tracks.plan[0];
  def.field = &field;
  assert_int_equal(th_figure_write(&def, in_folder("small.png"), NULL), TH_OK);
  picture p = load(in_folder("small.png"));
  int light = 0, dark = 255; /* with a bar at the right, a metre is 68.8 pixels */
  for (int k = 0; k < 8; k++) {
    light += lightness(pixel(&p, 268 + k, 500)) / 8;
    dark = lightness(pixel(&p, 300 + k, 500)) < dark ? lightness(pixel(&p, 300 + k, 500)) : dark;
  }
  assert_true(light > dark + 50);
  cairo_surface_destroy(p.surface);
  th_tracks_free(&tracks);
}

static void three_formats_and_equal_bytes(void **state) {
  (void)state;
  static char one[1 << 20], two[1 << 20];
  th_tracks tracks = room(NULL);
  th_figure_def def = th_default_figure_def();
  def.tracks = &tracks;
  def.title = "R\xC3\xA4ume", def.note = "a note";
  static const char *const name[] = {"e.png", "e.svg", "e.pdf"}, *const begin[] = {"\x89PNG", "<?xml", "%PDF"};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(th_figure_write(&def, in_folder(name[k]), NULL), TH_OK);
    size_t size = slurp(in_folder(name[k]), one, sizeof one);
    assert_memory_equal(one, begin[k], 4);
    assert_true(size > 2000 && size < sizeof one);
    if (k == 2) continue; /* a PDF holds its date */
    assert_int_equal(th_figure_write(&def, in_folder("f.png") /* other name */, NULL), TH_OK);
    if (k == 0) {
      assert_int_equal(slurp(in_folder("f.png"), two, sizeof two), size);
      assert_memory_equal(one, two, size);
    }
  }
  th_tracks_free(&tracks);
}

static void wrong_figures_are_refused_and_former_files_kept(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  th_figure_def def = th_default_figure_def();
  th_error error = {0};
  FILE *old = fopen(in_folder("old.png"), "w");
  fputs("former", old);
  fclose(old);
  assert_int_equal(th_figure_write(&def, in_folder("old.png"), &error), TH_ERROR_STATE); /* nothing to draw */
  def.tracks = &tracks;
  assert_int_equal(th_figure_write(&def, in_folder("old.jpeg"), &error), TH_ERROR_FORMAT);
  assert_non_null(strstr(error.text, ".jpeg"));
  assert_int_equal(th_figure_write(&def, "/no/such/folder/a.png", &error), TH_ERROR_FILE);
  assert_int_equal(mkdir(in_folder("folder.png"), 0777), 0);
  assert_int_equal(th_figure_write(&def, in_folder("folder.png"), &error), TH_ERROR_FILE);
  def.width = 10;
  assert_int_equal(th_figure_write(&def, in_folder("old.png"), &error), TH_ERROR_RANGE);
  char text[16] = "";
  assert_int_equal(slurp(in_folder("old.png"), text, sizeof text), 6);
  assert_string_equal(text, "former");
  assert_int_not_equal(access(in_folder("old.png.part"), F_OK), 0);
  th_tracks_free(&tracks);
}

static double linear(double a) { return a <= 0.04045 ? a / 12.92 : pow((a + 0.055) / 1.055, 2.4); }

/* OKLab of an sRGB colour: the way back from what colour.c computes. */
static void oklab(const double rgb[3], double lab[3]) {
  double r = linear(rgb[0]), g = linear(rgb[1]), b = linear(rgb[2]);
  double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static void the_colour_map_is_even(void **state) {
  (void)state;
  double before[3] = {0}, min = INFINITY, max = 0.0;
  for (int k = 0; k <= 64; k++) {
    double rgb[3], lab[3];
    th_colour_map(k / 64.0, rgb);
    oklab(rgb, lab);
    if (k > 0) {
      double d = sqrt(pow(lab[0] - before[0], 2) + pow(lab[1] - before[1], 2) + pow(lab[2] - before[2], 2));
      min = fmin(min, d), max = fmax(max, d);
      assert_true(lab[0] > before[0]); /* lighter all the way */
    }
    memcpy(before, lab, sizeof lab);
  }
  if (max > 1.15 * min) fail_msg("steps of colour from %g to %g", min, max);
}

static void comparisons_share_a_page(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  th_summary numbers = {.agents = 2, .arrived = 2, .arrival_last = NAN};
  th_panel panel[3];
  for (int k = 0; k < 3; k++) {
    panel[k] = (th_panel){th_default_figure_def(), &numbers};
    panel[k].figure.tracks = &tracks;
  }
  th_error error = {0};
  if (th_figure_compare(panel, 3, "Three", 1200, in_folder("g.png"), &error) != TH_OK) fail_msg("%s", error.text);
  picture p = load(in_folder("g.png"));
  assert_int_equal(p.width, 1200);
  cairo_surface_destroy(p.surface);
  assert_int_equal(th_figure_compare(panel, 0, NULL, 1200, in_folder("g.png"), &error), TH_ERROR_STATE);
  panel[1].figure.tracks = NULL;
  assert_int_equal(th_figure_compare(panel, 3, NULL, 1200, in_folder("g.png"), &error), TH_ERROR_STATE);
  assert_int_equal(error.element, 1);
  th_tracks_free(&tracks);
}

static bool stop_at_three(void *user, uint32_t frame, uint32_t count) {
  (void)count;
  *(uint32_t *)user = frame;
  return frame < 3;
}

static void films_are_frames_or_a_file(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  th_film_def def = th_default_film_def();
  def.figure.tracks = &tracks;
  def.figure.width = 320;
  def.speed = 5.0, def.fps = 5.0; /* 10 s of scene: 2 s of film, 11 frames */
  bool frames = false;
  th_error error = {0};
  if (th_film_write(&def, in_folder("frames/"), &frames, &error) != TH_OK) fail_msg("%s", error.text);
  assert_true(frames);
  assert_int_equal(access(in_folder("frames/00011.png"), F_OK), 0);
  assert_int_not_equal(access(in_folder("frames/00012.png"), F_OK), 0);
  if (th_film_write(&def, in_folder("film.mp4"), &frames, &error) != TH_OK) fail_msg("%s", error.text);
  assert_int_equal(access(in_folder(frames ? "film/00011.png" : "film.mp4"), F_OK), 0);
  uint32_t seen = 0;
  def.progress = stop_at_three, def.user = &seen;
  assert_int_equal(th_film_write(&def, in_folder("stopped.mp4"), &frames, &error), TH_ERROR_STOPPED);
  assert_int_equal(seen, 3);
  assert_int_not_equal(access(in_folder("stopped.mp4"), F_OK), 0);
  assert_int_equal(th_film_write(&def, in_folder("film.avi"), &frames, &error), TH_ERROR_FORMAT);
  def.fps = 0.0;
  assert_int_equal(th_film_write(&def, in_folder("film.mp4"), &frames, &error), TH_ERROR_RANGE);
  th_tracks_free(&tracks);
}

static void hush(void *user, th_log_level level, const char *text) {
  (void)level;
  snprintf((char *)user, 400, "%s", text);
}

static void without_ffmpeg_frames_and_a_message(void **state) {
  (void)state;
  char text[400] = "", *path = getenv("PATH"), kept[2000];
  snprintf(kept, sizeof kept, "%s", path ? path : "");
  th_tracks tracks = room(NULL);
  th_film_def def = th_default_film_def();
  def.figure.tracks = &tracks;
  def.figure.width = 240;
  def.figure.env.log = (th_log){hush, text};
  def.speed = 20.0, def.fps = 2.0;
  bool frames = false;
  setenv("PATH", folder, 1);
  th_result result = th_film_write(&def, in_folder("bare.mp4"), &frames, NULL);
  setenv("PATH", kept, 1);
  assert_int_equal(result, TH_OK);
  assert_true(frames);
  assert_non_null(strstr(text, "ffmpeg -framerate 2"));
  assert_int_equal(access(in_folder("bare/00001.png"), F_OK), 0);
  th_tracks_free(&tracks);
}

static th_result draw_everything(const th_env *env, void *context) {
  (void)context;
  th_tracks tracks = room(NULL);
  th_plot_field field = {slope_to_the_right, NULL, "metres"};
  th_figure_def def = th_default_figure_def();
  def.env = *env;
  def.width = 200;
  def.tracks = &tracks;
  def.density = true;
  th_result result = th_figure_write(&def, in_folder("h.png"), NULL);
  def.field = &field;
  if (result == TH_OK) result = th_figure_write(&def, in_folder("h.png"), NULL);
  th_metrics_def metrics_def = th_default_metrics_def();
  metrics_def.env = *env;
  th_metrics *metrics = NULL;
  if (result == TH_OK) result = th_metrics_of_tracks(&metrics_def, &tracks, &metrics, NULL);
  if (result == TH_OK) th_metrics_free(metrics);
  th_tracks_free(&tracks);
  return result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  assert_true(failing_every(draw_everything, NULL) > 8);
}

static void a_recording_is_measured_afterwards(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  tracks.track[1].count = 40; /* the second leaves after frame 39 */
  th_metrics_def def = th_default_metrics_def();
  th_metrics *metrics = NULL;
  assert_int_equal(th_metrics_of_tracks(&def, &tracks, &metrics, NULL), TH_OK);
  th_summary s = th_metrics_summary(metrics);
  assert_int_equal(s.agents, 2);
  assert_int_equal(s.arrived, 1);
  assert_true(fabs(s.arrival_last - 8.0) < 1e-9);
  assert_true(fabs(s.path_mean - 0.36 * (50 + 39) / 2.0) < 1e-3);
  assert_int_equal(s.wall_contacts, 0);
  th_metrics_free(metrics);
  th_tracks_free(&tracks);
}

/* The last one leaves in the step after the last frame that shows anybody. */
static void the_last_arrival_counts(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  double last = (double)tracks.frame_last / tracks.fps;
  th_recorded_event happening[2] = {{.time = last, .kind = "arrived", .id = tracks.track[0].id},
                                    {.time = last, .kind = "removed", .id = tracks.track[0].id}};
  tracks.happening = happening, tracks.happening_count = 2;
  th_metrics_def def = th_default_metrics_def();
  th_metrics *metrics = NULL;
  assert_int_equal(th_metrics_of_tracks(&def, &tracks, &metrics, NULL), TH_OK);
  th_summary s = th_metrics_summary(metrics);
  assert_int_equal(s.arrived, 1);
  assert_true(fabs(s.arrival_last - last - 1.0 / tracks.fps) < 1e-9);
  th_metrics_free(metrics);
  tracks.happening = NULL, tracks.happening_count = 0;
  th_tracks_free(&tracks);
}

static th_result write_as(const char *path, const th_tracks *tracks) {
  th_figure_def def = th_default_figure_def();
  def.tracks = tracks;
  const char *ending = strrchr(path, '.');
  if (strcmp(ending, ".csv") == 0) return th_csv_write(tracks, path, NULL);
  if (strcmp(ending, ".json") == 0) return th_report_write(&(th_report_def){.scene = "none"}, path, NULL);
  return th_figure_write(&def, path, NULL);
}

/* Somebody else put a link where a file is made under its temporary name; what it points to stays as it is. */
static void nothing_is_written_through_links(void **state) {
  (void)state;
  th_tracks tracks = room(NULL);
  static const char *const name[] = {"link.png", "link.svg", "link.pdf", "link.csv", "link.json"};
  char victim[96], link[112], path[96];
  snprintf(victim, sizeof victim, "%s", in_folder("victim"));
  for (int k = 0; k < 5; k++) {
    FILE *file = fopen(victim, "w");
    fputs("mine", file);
    fclose(file);
    snprintf(path, sizeof path, "%s", in_folder(name[k]));
    snprintf(link, sizeof link, "%s.part", path);
    assert_int_equal(symlink(victim, link), 0);
    assert_int_equal(write_as(path, &tracks), TH_OK);
    size_t size;
    char *bytes = file_bytes(victim, &size);
    if (strcmp(bytes, "mine") != 0) fail_msg("%s was written through a link", name[k]);
    free(bytes);
    struct stat about;
    assert_true(lstat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 10);
  }
  th_tracks_free(&tracks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_written_through_links),
      cmocka_unit_test(every_layer_is_where_it_belongs),
      cmocka_unit_test(populations_have_their_colours),
      cmocka_unit_test(all_populations_are_named),
      cmocka_unit_test(too_many_paths_are_a_picture),
      cmocka_unit_test(bodies_stand_where_they_were),
      cmocka_unit_test(fields_and_densities_are_coloured),
      cmocka_unit_test(a_small_field_has_the_whole_scale),
      cmocka_unit_test(three_formats_and_equal_bytes),
      cmocka_unit_test(wrong_figures_are_refused_and_former_files_kept),
      cmocka_unit_test(the_colour_map_is_even),
      cmocka_unit_test(comparisons_share_a_page),
      cmocka_unit_test(films_are_frames_or_a_file),
      cmocka_unit_test(without_ffmpeg_frames_and_a_message),
      cmocka_unit_test(every_failing_allocation_is_survived),
      cmocka_unit_test(a_recording_is_measured_afterwards),
      cmocka_unit_test(the_last_arrival_counts),
  };
  return cmocka_run_group_tests(tests, make_folder, end);
}
