/* Films of surfaces: ground that is kept between frames gives the bits of ground drawn anew, the page stands still; and
 * what lies on faces that are cut away is not drawn. */
#include "report/render/view.h"
#include "support/pictures.h"
#include "support/unit.h"

enum { WIDTH = 800, HEIGHT = 600, PEOPLE = 30 };

typedef struct crowd {
  th_mesh mesh;
  uint32_t face[PEOPLE];
  th_vec3 weights[PEOPLE];
  float speed[PEOPLE];
} crowd;

static void stand_somewhere(crowd *c, uint32_t frame) {
  for (uint32_t i = 0; i < PEOPLE; i++) {
    c->face[i] = (i * 997 + frame * 131) % c->mesh.face_count;
    c->weights[i] = (th_vec3){0.3f, 0.3f, 0.4f};
    c->speed[i] = 0.05f * (float)((i + frame) % 40);
  }
}

static th_mesh_figure_def frame_of(crowd *c, const th_camera *camera, uint32_t cameras) {
  th_mesh_figure_def def = scene(&c->mesh, camera);
  def.camera_count = cameras;
  def.width = WIDTH, def.height = HEIGHT;
  def.title = "film";
  def.agents.count = PEOPLE, def.agents.face = c->face, def.agents.weights = c->weights;
  def.agents.value = c->speed, def.agents.label = "speed", def.agents.min = 0.0f, def.agents.max = 2.0f;
  return def;
}

static picture draw_page(const th_mesh_figure_def *def, th_render_cache *cache) {
  picture p = {cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT), WIDTH, HEIGHT};
  th_error error = {0};
  if (th_mesh_figure_draw(def, cache, p.surface, &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return p;
}

static uint32_t differ(const picture *a, const picture *b) {
  uint32_t count = 0;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) count += pixel(a, x, y) != pixel(b, x, y);
  return count;
}

static void drop(th_render_cache *cache) {
  for (int k = 0; k < TH_MAX_CAMERAS; k++) th_render_cache_free(&cache[k]);
}

/* Frames on kept ground against frames of their own; then another camera, which the kept ground must not survive. */
static void kept_ground_has_the_bits_of_new_ground(void **state) {
  (void)state;
  crowd c = {.mesh = sphere()};
  th_camera camera[2] = {from(-60.0, 35.0), from(120.0, -35.0)};
  th_mesh_figure_def def = frame_of(&c, camera, 2);
  th_render_cache kept[TH_MAX_CAMERAS] = {0};
  for (uint32_t frame = 0; frame < 4; frame++) {
    th_render_cache fresh[TH_MAX_CAMERAS] = {0};
    stand_somewhere(&c, frame);
    if (frame == 3) camera[0].azimuth = 10.0;
    picture a = draw_page(&def, kept), b = draw_page(&def, fresh);
    assert_true(kept[0].ready && kept[1].ready);
    assert_int_equal(differ(&a, &b), 0);
    assert_true(find(&a, is_ground).count > 30000);
    cairo_surface_destroy(a.surface);
    cairo_surface_destroy(b.surface);
    drop(fresh);
  }
  drop(kept);
  th_mesh_free(&c.mesh);
}

/* People who walk off the rim must not make the page zoom: where nobody is, nothing changes. */
static void the_page_stands_still(void **state) {
  (void)state;
  crowd c = {.mesh = plane()};
  th_camera camera = from(-60.0, 25.0);
  th_mesh_figure_def def = frame_of(&c, &camera, 1);
  th_render_cache cache[TH_MAX_CAMERAS] = {0};
  def.agents.plumb = true;
  stand_somewhere(&c, 0);
  picture crowded = draw_page(&def, cache);
  def.agents.count = 0;
  picture empty = draw_page(&def, cache);
  uint32_t ink = 0; /* the bar of speeds stays when nobody is there */
  for (int y = 0; y < HEIGHT; y++)
    for (int x = WIDTH * 9 / 10; x < WIDTH; x++) {
      assert_int_equal(pixel(&crowded, x, y), pixel(&empty, x, y));
      ink += pixel(&empty, x, y) != 0xffffff;
    }
  assert_true(ink > 200);
  assert_true(differ(&crowded, &empty) > 500);
  assert_true(differ(&crowded, &empty) < WIDTH * HEIGHT / 5); /* people, their shadows, and nothing else */
  cairo_surface_destroy(crowded.surface);
  cairo_surface_destroy(empty.surface);
  drop(cache);
  th_mesh_free(&c.mesh);
}

/* The near half of a tube whose inside is walked is left out, and with it the way along it. */
static void ways_on_cut_away_faces_are_not_drawn(void **state) {
  (void)state;
  th_mesh mesh = tube_from_inside();
  th_camera camera = from(0.0, 0.0);
  th_mesh_figure_def def = scene(&mesh, &camera);
  const th_vec3 near[2] = {{3.97f, 0.3f, 2}, {3.97f, 0.3f, 18}}, far[2] = {{-3.97f, 0.3f, 2}, {-3.97f, 0.3f, 18}};
  th_mesh_figure_line line = {TH_MESH_FIGURE_PATH, far, 2, 0};
  def.line = &line, def.line_count = 1;
  def.cut_away = true;
  assert_true(drawn(&def, is_blue).count > 100);
  line.point = near;
  assert_int_equal(drawn(&def, is_blue).count, 0);
  th_mesh_free(&mesh);
}

typedef struct trial {
  crowd *c;
  const th_camera *camera;
} trial;

static th_result draw_failing(const th_env *env, void *context) {
  const trial *t = context;
  th_mesh_figure_def def = frame_of(t->c, t->camera, 1);
  th_render_cache cache[TH_MAX_CAMERAS] = {0};
  def.env = *env;
  def.width = 300, def.height = 220;
  cairo_surface_t *page = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 300, 220);
  th_result result = th_mesh_figure_draw(&def, cache, page, NULL);
  if (result == TH_OK && !cache[0].ready) result = TH_ERROR_MEMORY; /* drawn all the same, but not kept */
  cairo_surface_destroy(page);
  drop(cache);
  return result;
}

static void memory_may_end_anywhere(void **state) {
  (void)state;
  crowd c = {.mesh = plane()};
  th_camera camera = from(-60.0, 25.0);
  trial t = {&c, &camera};
  stand_somewhere(&c, 1);
  assert_true(failing_every(draw_failing, &t) > 8);
  th_mesh_free(&c.mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_ground_has_the_bits_of_new_ground), cmocka_unit_test(the_page_stands_still),
      cmocka_unit_test(ways_on_cut_away_faces_are_not_drawn), cmocka_unit_test(memory_may_end_anywhere)};
  return cmocka_run_group_tests(tests, make_folder, drop_pictures);
}
