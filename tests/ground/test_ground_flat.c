/* tests/ground/test_ground_flat.c - a flat ground says what is walkable, how far walls are, and what it refuses. */
#include "support/allocator.h"
#include "support/floor_plans.h"

static th_ground *make(const th_flat_def *def) {
  th_ground *ground = NULL;
  th_error error = {0};
  if (th_ground_make_flat(def, &ground, &error)) fail_msg("%s: %s", error.where, error.text);
  return ground;
}

static void a_room_that_fits_keeps_all_cells(void **unused) {
  (void)unused;
  const float cells[3] = {0.25f, 0.1f, 0.3f};
  for (uint32_t k = 0; k < 3; k++) {
    th_vec2 point[4];
    th_polygon outline = plan_box(point, -3.0f, 7.0f, 3.0f, 13.0f);
    th_flat_def def = th_default_flat_def();
    def.outline = &outline;
    def.outline_count = 1;
    def.cell = cells[k];
    th_ground *ground = make(&def);
    uint32_t n = (uint32_t)lrintf(6.0f / cells[k]);
    assert_int_equal(ground->flat->width, n + 2);
    assert_int_equal(ground->flat->height, n + 2);
    for (uint32_t j = 0; j < n + 2; j++)
      for (uint32_t i = 0; i < n + 2; i++)
        assert_int_equal(ground->flat->solid[j * (n + 2) + i], i == 0 || j == 0 || i == n + 1 || j == n + 1);
    th_vec2 low, high;
    th_ground_bounds(ground, &low, &high);
    assert_true(low.x == -3.0f && low.y == 7.0f && high.x == 3.0f && high.y == 13.0f);
    assert_int_equal(th_ground_version(ground), 1);
    th_ground_release(ground);
  }
}

static void partly_covered_cells_are_solid(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    plan p;
    plan_make(&p, seed, (uint32_t)(seed % 40), 14.0f);
    th_ground *ground = plan_ground(&p);
    uint64_t state = seed;
    for (uint32_t n = 0; n < 20000; n++) {
      uint32_t i = (uint32_t)(plan_bits(&state) % ground->flat->width),
               j = (uint32_t)(plan_bits(&state) % ground->flat->height);
      double u = (double)plan_in(&state, 0.001f, 0.999f), v = (double)plan_in(&state, 0.001f, 0.999f);
      double x = (double)ground->flat->x0 + (i + u) * (double)ground->cell,
             y = (double)ground->flat->y0 + (j + v) * (double)ground->cell;
      if (!plan_walkable(&p, x, y))
        CHECK_SEED(ground->flat->solid[j * ground->flat->width + i], seed, "free cell at (%g, %g)", x, y);
    }
    th_ground_release(ground);
  }
}

static void places_and_clearance_are_exact(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    plan p;
    plan_make(&p, seed, (uint32_t)(seed % 40), 14.0f);
    p.def.clearance_limit = 2.0f;
    th_ground *ground = plan_ground(&p);
    uint64_t state = seed;
    for (uint32_t n = 0; n < 1500; n++) {
      float x = plan_in(&state, -2, 20), y = plan_in(&state, -2, 20);
      bool walkable = plan_walkable(&p, (double)x, (double)y);
      th_place place = th_ground_locate(ground, x, y);
      CHECK_SEED((place.cell != TH_NO_CELL) == walkable, seed, "locate at (%g, %g)", (double)x, (double)y);
      if (walkable) assert_int_equal(place.cell, th_ground_cell(ground, x, y));
      double min = 4.0;
      for (uint32_t k = 0; k < ground->flat->wall_count; k++)
        min = fmin(min, th_segment_distance2(&ground->flat->wall[k], (double)x, (double)y));
      float expected = (float)(walkable ? sqrt(min) : -sqrt(min));
      CHECK_SEED(th_ground_clearance(ground, x, y) == expected, seed, "clearance at (%g, %g)", (double)x, (double)y);
    }
    th_raster raster = th_ground_clearance_raster(ground);
    for (uint32_t c = 0; c < raster.width * raster.height; c++) {
      double x = (double)ground->flat->x0 + (c % raster.width + 0.5) * (double)ground->cell;
      double y = (double)ground->flat->y0 + (c / raster.width + 0.5) * (double)ground->cell;
      float exact = th_ground_clearance(ground, (float)x, (float)y);
      CHECK_SEED(fabsf(raster.sample[c] - exact) < 2e-6f, seed, "cell %u: %g instead of %g", c,
                 (double)raster.sample[c], (double)exact);
      for (uint32_t k = 0; k < ground->class_count; k++)
        assert_int_equal(ground->flat->blocked[k][c],
                         ground->flat->solid[c] || ground->flat->clearance[c] < ground->radius_class[k]);
    }
    th_ground_release(ground);
  }
}

static void an_image_is_drawn_top_row_first(void **unused) {
  (void)unused;
  uint8_t grey[4 * 3];
  memset(grey, 200, sizeof grey);
  grey[0] = 127; /* top left */
  grey[11] = 128;
  th_image image = {grey, 4, 3, 0.5f, {-1, 2}, 128};
  th_flat_def def = th_default_flat_def();
  def.image = &image;
  def.cell = 0.5f;
  th_ground *ground = make(&def);
  assert_int_equal(ground->flat->width, 6);
  assert_int_equal(ground->flat->height, 5);
  assert_int_equal(th_ground_locate(ground, -0.75f, 3.25f).cell, TH_NO_CELL);
  assert_int_equal(th_ground_locate(ground, 0.75f, 2.25f).cell, 1 * 6 + 4);
  assert_int_equal(ground->flat->solid[3 * 6 + 1], 1);
  assert_int_equal(ground->flat->solid[3 * 6 + 2], 0); /* a pixel that fits closes one cell */
  th_ground_release(ground);
}

static void classes_are_the_smallest_that_fit(void **unused) {
  (void)unused;
  plan p;
  plan_make(&p, 1, 0, 14.0f);
  p.def.class_count = 3;
  memcpy(p.def.radius_class, (float[]){0.0f, 0.2f, 0.4f}, 3 * sizeof(float));
  th_ground *ground = plan_ground(&p);
  assert_int_equal(th_ground_class(ground, 0.0f), 0);
  assert_int_equal(th_ground_class(ground, 0.2f), 1);
  assert_int_equal(th_ground_class(ground, 0.21f), 2);
  assert_int_equal(th_ground_class(ground, 9.0f), 2);
  th_ground_release(ground);
}

static void open_doors_are_free(void **unused) {
  (void)unused;
  th_vec2 a[4], b[4], c[4];
  th_polygon outline[2] = {plan_box(a, 0, 0, 4, 4), plan_box(b, 3.9f, 1, 8, 3)};
  th_door door = {plan_box(c, 4, 0.5f, 4.5f, 3.5f), false};
  door.shape.name = "gate";
  th_flat_def def = th_default_flat_def();
  def.outline = outline;
  def.outline_count = 2;
  def.door = &door;
  def.door_count = 1;
  th_ground *open = make(&def);
  door.closed = true;
  th_ground *closed = make(&def);
  assert_int_not_equal(th_ground_locate(open, 4.25f, 2).cell, TH_NO_CELL);
  assert_int_equal(th_ground_locate(closed, 4.25f, 2).cell, TH_NO_CELL);
  assert_int_equal(th_ground_ray(open, (th_place){0, 2, 2}, (th_vec2){1, 0}, 20).distance, 6);
  assert_int_equal(th_ground_ray(closed, (th_place){0, 2, 2}, (th_vec2){1, 0}, 20).distance, 2);
  th_ground_release(open);
  th_ground_release(closed);
}

static void a_ray_and_the_nearest_wall_tell_where_they_hit(void **unused) {
  (void)unused;
  th_vec2 a[4];
  th_polygon outline = plan_box(a, -3, 1, 8, 6);
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  th_ground *ground = make(&def);
  const th_place from = {0, 2.0f, 2.5f};
  const th_hit up = th_ground_ray(ground, from, (th_vec2){0.6f, 0.8f}, 20.0f);
  assert_true(fabsf(up.distance - 4.375f) < 1e-5f && fabsf(up.place.x - 4.625f) < 1e-5f);
  assert_true(fabsf(up.place.y - 6.0f) < 1e-5f);
  const th_hit left = th_ground_ray(ground, from, (th_vec2){-0.96f, 0.28f}, 20.0f);
  assert_true(fabsf(left.place.x + 3.0f) < 1e-5f && fabsf(left.place.y - (2.5f + 5.0f * 0.28f / 0.96f)) < 1e-5f);
  const th_hit near = th_ground_nearest_wall(ground, from, 5.0f);
  assert_true(near.distance == 1.5f && near.place.x == 2.0f && near.place.y == 1.0f);
  th_ground_release(ground);
}

static void strange_questions_have_answers(void **unused) {
  (void)unused;
  plan p;
  plan_make(&p, 2, 5, 14.0f);
  th_ground *ground = plan_ground(&p);
  const float strange[4] = {NAN, INFINITY, -INFINITY, 3e38f};
  for (uint32_t k = 0; k < 4; k++) {
    assert_int_equal(th_ground_locate(ground, strange[k], 5).cell, TH_NO_CELL);
    assert_true(th_ground_clearance(ground, 5, strange[k]) < 0.0f);
    if (k < 3)
      assert_int_equal(th_ground_ray(ground, (th_place){0, strange[k], 1}, (th_vec2){1, 0}, 5).wall, UINT32_MAX);
    assert_int_equal(th_ground_nearest_wall(ground, (th_place){0, 1, strange[k]}, 5).wall, UINT32_MAX);
  }
  assert_int_equal(th_ground_ray(ground, (th_place){0, 1, 1}, (th_vec2){0, 0}, 5).wall, UINT32_MAX);
  assert_int_equal(th_ground_ray(ground, (th_place){0, 1, 1}, (th_vec2){1, 0}, -5).wall, UINT32_MAX);
  assert_int_equal(th_ground_nearest_wall(ground, (th_place){0, 1, 1}, -1).wall, UINT32_MAX);
  th_ground *same = th_ground_retain(ground);
  th_ground_release(ground);
  assert_int_equal(th_ground_version(same), 1);
  th_ground_release(same);
  th_ground_release(NULL);
}

static void refuse(const th_flat_def *def, th_result code, const char *where, uint32_t element) {
  failing f = {0};
  th_flat_def d = *def;
  d.env = failing_env(&f);
  th_ground *ground = NULL;
  th_error error = {0};
  assert_int_equal(th_ground_make_flat(&d, &ground, &error), code);
  assert_null(ground);
  assert_int_equal(error.code, code);
  assert_string_equal(error.where, where);
  assert_int_equal(error.element, element);
  assert_non_null(strstr(error.text, "expected"));
  assert_int_equal(th_ground_make_flat(&d, &ground, NULL), code);
  failing_assert_empty(&f);
  assert_true(f.peak < 1 << 20);
}

static void bad_numbers_are_named(void **unused) {
  (void)unused;
  plan p;
  plan_make(&p, 1, 3, 14.0f);
  th_flat_def def = p.def;
  const float bad[5] = {0.0f, -0.25f, NAN, INFINITY, 101.0f};
  for (uint32_t k = 0; k < 5; k++) {
    def.cell = bad[k];
    refuse(&def, TH_ERROR_RANGE, "cell", TH_NO_ELEMENT);
  }
  def = p.def;
  def.class_count = 0;
  refuse(&def, TH_ERROR_RANGE, "class_count", TH_NO_ELEMENT);
  def.class_count = 5;
  refuse(&def, TH_ERROR_RANGE, "class_count", TH_NO_ELEMENT);
  def.class_count = 2;
  def.radius_class[1] = 0.25f;
  refuse(&def, TH_ERROR_RANGE, "radius_class", 1);
  def.radius_class[0] = NAN;
  refuse(&def, TH_ERROR_RANGE, "radius_class", 0);
  def = p.def;
  def.clearance_limit = 0.001f;
  refuse(&def, TH_ERROR_RANGE, "clearance_limit", TH_NO_ELEMENT);
  def = p.def;
  def.cell_limit = 0;
  refuse(&def, TH_ERROR_RANGE, "cell_limit", TH_NO_ELEMENT);
  def = p.def;
  def.cell = 0.01f;
  p.outline_point[0][1].x = p.outline_point[0][2].x = 9e4f;
  refuse(&def, TH_ERROR_CAPACITY, "cell", TH_NO_ELEMENT);
}

/* A hall of 40 km is a slip of the pen: refused before anything is made, unless the host means it. */
static void a_mistyped_size_is_refused(void **unused) {
  (void)unused;
  th_vec2 corner[2][4];
  const th_polygon hall = th_box_polygon(0, 0, 40000, 6, corner[0]), room = th_box_polygon(0, 0, 10, 10, corner[1]);
  th_flat_def def = th_default_flat_def();
  def.outline = &hall;
  def.outline_count = 1;
  def.cell = 0.2f;
  refuse(&def, TH_ERROR_CAPACITY, "cell", TH_NO_ELEMENT);
  def = th_default_flat_def();
  def.outline = &room;
  def.outline_count = 1;
  def.cell_limit = 42 * 42 - 1;
  refuse(&def, TH_ERROR_CAPACITY, "cell", TH_NO_ELEMENT);
  def.cell_limit = 42 * 42;
  th_ground_release(make(&def));
}

/* Clearance is known up to the largest class, whatever the limit says. */
static void classes_may_exceed_the_limit_of_clearance(void **unused) {
  (void)unused;
  th_vec2 corner[4];
  const th_polygon hall = th_box_polygon(0, 0, 40, 40, corner);
  th_flat_def def = th_default_flat_def();
  def.outline = &hall;
  def.outline_count = 1;
  def.radius_class[0] = 5.0f;
  th_ground *ground = make(&def);
  assert_true(fabsf(th_ground_clearance(ground, 4.5f, 20) - 4.5f) < 0.3f);
  assert_true(fabsf(th_ground_clearance(ground, 20, 20) - 5.0f) < 0.3f);
  assert_true(th_ground_clearance(ground, 20, 20) >= 5.0f);
  th_ground_release(ground);
}

static void bad_shapes_are_named(void **unused) {
  (void)unused;
  plan p;
  plan_make(&p, 1, 3, 14.0f);
  th_flat_def def = p.def;
  def.outline_count = 0;
  refuse(&def, TH_ERROR_GEOMETRY, "outline", TH_NO_ELEMENT);
  def = p.def;
  def.obstacle = NULL;
  refuse(&def, TH_ERROR_RANGE, "def", TH_NO_ELEMENT);
  p.obstacle[2].count = 2;
  refuse(&p.def, TH_ERROR_GEOMETRY, "obstacle", 2);
  p.obstacle[2].count = 3;
  p.outline_point[1][2].y = NAN;
  refuse(&p.def, TH_ERROR_RANGE, "outline", 1);
  plan_make(&p, 1, 3, 14.0f);
  p.door[3].shape.name = NULL;
  refuse(&p.def, TH_ERROR_FORMAT, "door", 3);
  p.door[3].shape.name = p.door[1].shape.name;
  refuse(&p.def, TH_ERROR_FORMAT, "door", 3);
  p.door[3].shape.name = "west";
  p.obstacle[1].name = "west";
  refuse(&p.def, TH_ERROR_FORMAT, "obstacle", 1);
  p.obstacle[1].name = NULL;
  plan_box(p.door_point[2], 100, 100, 101, 101);
  refuse(&p.def, TH_ERROR_GEOMETRY, "door", 2);
  plan_make(&p, 1, 1, 14.0f);
  p.obstacle[0] = plan_box(p.point[0], -50, -50, 50, 50);
  refuse(&p.def, TH_ERROR_GEOMETRY, "ground", TH_NO_ELEMENT);
}

static void bad_images_are_named(void **unused) {
  (void)unused;
  uint8_t grey[4] = {255, 255, 255, 255};
  const th_image bad[7] = {{grey, 0, 2, 1, {0, 0}, 128},    {grey, 2, 0, 1, {0, 0}, 128},
                           {NULL, 2, 2, 1, {0, 0}, 128},    {grey, 2, 2, 0, {0, 0}, 128},
                           {grey, 2, 2, NAN, {0, 0}, 128},  {grey, 2, 2, 1, {NAN, 0}, 128},
                           {grey, 2, 2, 1, {99999, 0}, 128}};
  th_flat_def def = th_default_flat_def();
  for (uint32_t k = 0; k < 7; k++) {
    def.image = &bad[k];
    refuse(&def, TH_ERROR_RANGE, "image", TH_NO_ELEMENT);
  }
  th_image huge = {grey, 65536, 65536, 0.01f, {0, 0}, 128};
  def.image = &huge;
  refuse(&def, TH_ERROR_CAPACITY, "image", TH_NO_ELEMENT);
}

/* The same plan far from the origin: floats are coarse there, nothing may break. */
static void far_grounds_work(void **unused) {
  (void)unused;
  const float shift[3] = {1000.0f, -10000.0f, 90000.0f};
  for (uint32_t s = 0; s < 3; s++) {
    plan p;
    plan_make(&p, 4, 20, 14.0f);
    for (uint32_t k = 0; k < 2; k++)
      for (uint32_t n = 0; n < 4; n++) p.outline_point[k][n].x += shift[s], p.outline_point[k][n].y += shift[s];
    for (uint32_t k = 0; k < 20; k++)
      for (uint32_t n = 0; n < p.obstacle[k].count; n++) p.point[k][n].x += shift[s], p.point[k][n].y += shift[s];
    p.def.door_count = 0;
    if (s == 2) p.def.obstacle_count = 0; /* centimetre bars vanish between floats */
    th_ground *ground = plan_ground(&p);
    assert_true(ground->flat->wall_count >= 4);
    uint64_t state = 9;
    for (uint32_t n = 0; n < 2000; n++) {
      float x = shift[s] + plan_in(&state, 0, 14), y = shift[s] + plan_in(&state, 0, 14);
      assert_int_equal(th_ground_locate(ground, x, y).cell != TH_NO_CELL, plan_walkable(&p, (double)x, (double)y));
    }
    th_ground_release(ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_room_that_fits_keeps_all_cells),
      cmocka_unit_test(partly_covered_cells_are_solid),
      cmocka_unit_test(places_and_clearance_are_exact),
      cmocka_unit_test(an_image_is_drawn_top_row_first),
      cmocka_unit_test(classes_are_the_smallest_that_fit),
      cmocka_unit_test(open_doors_are_free),
      cmocka_unit_test(a_ray_and_the_nearest_wall_tell_where_they_hit),
      cmocka_unit_test(strange_questions_have_answers),
      cmocka_unit_test(bad_numbers_are_named),
      cmocka_unit_test(a_mistyped_size_is_refused),
      cmocka_unit_test(classes_may_exceed_the_limit_of_clearance),
      cmocka_unit_test(bad_shapes_are_named),
      cmocka_unit_test(bad_images_are_named),
      cmocka_unit_test(far_grounds_work),
  };
  return cmocka_run_group_tests_name("ground_flat", tests, NULL, NULL);
}
