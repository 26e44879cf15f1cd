/* tests/geometry/test_shape.c - what lies in a shape, how far off the rest is, and copies that last. */
#include "geometry/shape.h"
#include "support/allocator.h"

static const th_vec3 ell[6] = {{0, 0, 5}, {4, 0, 5}, {4, 1, 5}, {1, 1, 5}, {1, 3, 5}, {0, 3, 5}};
static const th_shape bend = {.kind = TH_SHAPE_POLYGON, .point = ell, .count = 6};

static void made_shapes_hold_their_numbers(void **unused) {
  (void)unused;
  const th_shape shape[] = {th_point_shape(1, 2),
                            th_disc_shape(1, 2, 3),
                            th_line_shape(1, 2, 3, 4),
                            th_box_shape(1, 2, 3, 4),
                            th_point_shape_at((th_vec3){1, 2, 3}),
                            th_disc_shape_at((th_vec3){1, 2, 3}, 4)};
  for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
    assert_int_equal(th_shape_check(&shape[i], "shape", NULL), TH_OK);
    assert_true(th_shape_at(&shape[i], 0).x == 1.0f && th_shape_at(&shape[i], 0).y == 2.0f);
    assert_true(th_shape_at(&shape[i], 0).z == (i >= 4 ? 3.0f : 0.0f));
  }
  assert_true(shape[1].radius == 3.0f && shape[5].radius == 4.0f && th_shape_at(&shape[5], 0).z == 3.0f);
  assert_true(th_shape_at(&shape[2], 1).x == 3.0f && th_shape_at(&shape[2], 1).y == 4.0f);
  th_vec2 corner[4];
  const th_polygon box = th_box_polygon(1, 2, 3, 4, corner);
  const th_vec3 *point = th_shape_points(&shape[3]);
  assert_true(box.point == corner && box.count == 4 && shape[3].count == 4);
  for (int k = 0; k < 4; k++) assert_true(point[k].x == corner[k].x && point[k].y == corner[k].y);
  assert_true(corner[2].x == 3.0f && corner[2].y == 4.0f);
}

static void extents_hold_discs(void **unused) {
  (void)unused;
  th_box box = th_shape_bounds(&bend);
  assert_true(box.x0 == 0.0 && box.y0 == 0.0 && box.x1 == 4.0 && box.y1 == 3.0);
  const th_shape disc = th_disc_shape(1, 2, 3), all = th_disc_shape(0, 0, INFINITY);
  box = th_shape_bounds(&disc);
  assert_true(box.x0 == -2.0 && box.y0 == -1.0 && box.x1 == 4.0 && box.y1 == 5.0);
  box = th_shape_bounds(&all);
  assert_true(box.x0 == -HUGE_VAL && box.y1 == HUGE_VAL);
}

static void areas_cover_their_inside(void **unused) {
  (void)unused;
  assert_true(th_shape_covers(&bend, 0.5, 2.0) && th_shape_covers(&bend, 3.0, 0.5));
  assert_false(th_shape_covers(&bend, 2.0, 2.0));
  const th_shape left = th_box_shape(0, 0, 1, 1), right = th_box_shape(1, 0, 2, 1);
  assert_true(th_shape_covers(&left, 1.0, 0.5) != th_shape_covers(&right, 1.0, 0.5));
  const th_shape disc = th_disc_shape(0, 0, 2), line = th_line_shape(0, 0, 4, 0), point = th_point_shape(1, 1);
  assert_true(th_shape_covers(&disc, 2.0, 0.0) && !th_shape_covers(&disc, 2.0, 0.001));
  assert_false(th_shape_covers(&line, 2.0, 0.0));
  assert_false(th_shape_covers(&point, 1.0, 1.0));
}

static void lines_apart_have_no_side_between_them(void **unused) {
  (void)unused;
  const th_vec3 point[4] = {{0, 0, 0}, {2, 0, 0}, {10, 0, 0}, {12, 0, 0}};
  th_shape lines = {.kind = TH_SHAPE_LINE, .point = point, .count = 4}, same = lines;
  assert_true(th_shape_near(&lines, 6, 0) == 0.0);
  lines.apart = true;
  assert_true(th_shape_near(&lines, 6, 0) == 4.0 && th_shape_near(&lines, 11, 3) == 3.0);
  assert_false(th_shape_same(&lines, &same));
  assert_int_equal(th_shape_check(&lines, "shape", NULL), TH_OK);
  uint32_t a, b;
  assert_true(th_shape_side(&lines, 1, &a, &b) && a == 2 && b == 3 && !th_shape_side(&lines, 2, &a, &b));
  assert_true(th_shape_side(&same, 2, &a, &b) && a == 2 && b == 3 && !th_shape_side(&same, 3, &a, &b));
  assert_true(th_shape_side(&bend, 5, &a, &b) && a == 5 && b == 0 && !th_shape_side(&bend, 6, &a, &b));
  lines.count = 3;
  assert_int_equal(th_shape_check(&lines, "shape", NULL), TH_ERROR_RANGE);
  th_shape wrong = bend;
  wrong.apart = true;
  assert_int_equal(th_shape_check(&wrong, "shape", NULL), TH_ERROR_RANGE);
}

static void heights_count_unless_any_does(void **unused) {
  (void)unused;
  th_shape high = bend;
  high.any_z = true;
  assert_true(th_shape_holds(&high, 0.5, 0.5, 100.0));
  high.any_z = false;
  assert_true(th_shape_holds(&high, 0.5, 0.5, 6.5) && !th_shape_holds(&high, 0.5, 0.5, 3.0));
  assert_false(th_shape_holds(&high, 2.0, 2.0, 5.0));
  assert_true(fabsf(th_shape_middle(&high).z - 5.0f) < 1e-5f);
  const th_shape ball = th_disc_shape_at((th_vec3){0, 0, 10}, 2);
  assert_true(th_shape_holds(&ball, 0.0, 0.0, 12.0) && !th_shape_holds(&ball, 1.5, 0.0, 11.5));
}

static void distance_is_that_of_the_nearest_point(void **unused) {
  (void)unused;
  const th_shape disc = th_disc_shape(0, 0, 2), line = th_line_shape(0, 0, 4, 0), point = th_point_shape(1, 1);
  assert_true(th_shape_near(&bend, 2.0, 2.0) == 1.0 && th_shape_near(&bend, 0.5, 0.5) == 0.0);
  assert_true(th_shape_near(&bend, -1.0, 1.5) == 1.0); /* the side from the last point to the first */
  assert_true(th_shape_near(&disc, 5.0, 0.0) == 3.0 && th_shape_near(&disc, 1.0, 1.0) == 0.0);
  assert_true(th_shape_near(&line, 7.0, 4.0) == 5.0 && th_shape_near(&line, 2.0, -1.5) == 1.5);
  assert_true(th_shape_near(&point, 4.0, 5.0) == 5.0);
}

static void a_disc_has_an_outline(void **unused) {
  (void)unused;
  th_vec3 corner[TH_DISC_CORNERS];
  const th_shape disc = th_disc_shape(10, 20, 3), outline = th_shape_outline(&disc, corner);
  assert_true(outline.kind == TH_SHAPE_POLYGON && outline.count == TH_DISC_CORNERS && outline.point == corner);
  for (uint32_t n = 0; n < outline.count; n++) {
    const double x = (double)corner[n].x - 10.0, y = (double)corner[n].y - 20.0, a = 6.283185307179586 * n / 48.0;
    assert_true(fabs(x - 3.0 * cos(a)) < 2e-6 && fabs(y - 3.0 * sin(a)) < 2e-6);
  }
  assert_true(th_shape_outline(&bend, corner).point == ell);
}

static void copies_last_and_equal_their_originals(void **unused) {
  (void)unused;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  th_shape from = bend, copy, own;
  assert_true(th_shape_copy(&allocator, &from, &copy) && copy.point != from.point && th_shape_same(&from, &copy));
  const th_shape box = th_box_shape(0, 0, 1, 1);
  assert_true(th_shape_copy(&allocator, &box, &own) && th_shape_same(&box, &own) && !th_shape_same(&own, &copy));
  assert_int_equal(f.blocks, 1);
  th_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  th_shape given = {.kind = TH_SHAPE_POLYGON, .point = corner, .count = 4, .any_z = true};
  assert_true(th_shape_same(&box, &given));
  given.any_z = false;
  assert_false(th_shape_same(&box, &given));
  given.any_z = true, corner[2].z = 2;
  assert_false(th_shape_same(&box, &given));
  th_shape_free(&allocator, &own);
  th_shape_free(&allocator, &copy);
  assert_int_equal(f.blocks, 0);
  failing g = {.fail_at = 1};
  allocator = failing_allocator(&g);
  assert_false(th_shape_copy(&allocator, &from, &copy));
  assert_true(!copy.point && !copy.count && g.blocks == 0);
}

static void broken_shapes_are_refused(void **unused) {
  (void)unused;
  th_error error;
  const th_shape broken[] = {{.kind = (th_shape_kind)9},
                             {.kind = TH_SHAPE_POINT, .count = 0},
                             {.kind = TH_SHAPE_POLYGON, .point = ell, .count = 2},
                             {.kind = TH_SHAPE_DISC, .point = ell, .count = 2, .radius = 1},
                             {.kind = TH_SHAPE_POLYGON, .count = 5},
                             th_point_shape(NAN, 0),
                             th_disc_shape(0, 0, 0),
                             th_disc_shape(0, 0, 2e4f)};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    assert_int_equal(th_shape_check(&broken[i], "here", &error), TH_ERROR_RANGE);
    assert_string_equal(error.where, "here");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(made_shapes_hold_their_numbers), cmocka_unit_test(extents_hold_discs),
      cmocka_unit_test(areas_cover_their_inside),       cmocka_unit_test(lines_apart_have_no_side_between_them),
      cmocka_unit_test(heights_count_unless_any_does),  cmocka_unit_test(distance_is_that_of_the_nearest_point),
      cmocka_unit_test(a_disc_has_an_outline),          cmocka_unit_test(copies_last_and_equal_their_originals),
      cmocka_unit_test(broken_shapes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
