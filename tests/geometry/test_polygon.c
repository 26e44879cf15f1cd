/* tests/geometry/test_polygon.c - polygons are accepted or refused for the right reason. */
#include "geometry/polygon.h"
#include "support/allocator.h"
#include "support/floor_plans.h"

static th_allocator plain(void) {
  static failing f;
  return failing_allocator(&f);
}

static th_result check(const th_vec2 *point, uint32_t count, th_error *error) {
  th_allocator allocator = plain();
  th_polygon polygon = {NULL, point, count};
  return th_polygon_check(&allocator, &polygon, "shape", 7, error);
}

static void area_has_the_sign_of_the_winding(void **unused) {
  (void)unused;
  th_vec2 point[4] = {{99990, 99990}, {99992, 99990}, {99992, 99993}, {99990, 99993}};
  assert_true(th_polygon_area(point, 4) == 6.0);
  th_vec2 turned[3] = {{0, 0}, {0, 2}, {3, 0}};
  assert_true(th_polygon_area(turned, 3) == -3.0);
}

static void neighbours_share_no_point(void **unused) {
  (void)unused;
  th_vec2 left[4], right[4];
  plan_box(left, 0, 0, 1, 2);
  plan_box(right, 1, 0, 2, 2);
  for (int k = 0; k < 8; k++) {
    double y = k / 4.0;
    assert_int_equal(th_polygon_holds(left, 4, 1.0, y) + th_polygon_holds(right, 4, 1.0, y), 1);
  }
  assert_true(th_polygon_holds(left, 4, 0.5, 1.0));
  assert_false(th_polygon_holds(left, 4, 0.5, 2.5));
}

static void repeated_points_are_dropped(void **unused) {
  (void)unused;
  th_vec2 point[7] = {{0, 0}, {0, 0}, {1, 0}, {1, 1}, {1, 1}, {0, 1}, {0, 0}};
  assert_int_equal(check(point, 7, NULL), TH_OK);
  assert_int_equal(th_polygon_clean(point, 7, point), 4);
  assert_true(point[3].x == 0.0f && point[3].y == 1.0f);
}

static void refuse(const th_vec2 *point, uint32_t count, th_result code, const char *part) {
  th_error error = {0};
  assert_int_equal(check(point, count, &error), code);
  assert_int_equal(error.element, 7);
  assert_string_equal(error.where, "shape");
  if (!strstr(error.text, part)) fail_msg("expected '%s' in '%s'", part, error.text);
}

static void bad_polygons_are_named(void **unused) {
  (void)unused;
  th_vec2 bow[4] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}};
  refuse(bow, 4, TH_ERROR_GEOMETRY, "cross or touch itself"); /* its two halves cancel: the area is 0 */
  th_vec2 skew[5] = {{0, 0}, {4, 0}, {4, 4}, {2, -1}, {0, 4}};
  refuse(skew, 5, TH_ERROR_GEOMETRY, "(0, 0)-(4, 0)");
  th_vec2 touch[5] = {{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}};
  refuse(touch, 5, TH_ERROR_GEOMETRY, "touch");
  th_vec2 spike[5] = {{0, 0}, {2, 0}, {1, 0}, {1, 2}, {0, 2}};
  refuse(spike, 5, TH_ERROR_GEOMETRY, "(0, 0)-(2, 0)");
  th_vec2 flat[3] = {{0, 0}, {1, 1}, {2, 2}};
  refuse(flat, 3, TH_ERROR_GEOMETRY, "area 0");
  refuse(bow, 2, TH_ERROR_GEOMETRY, "found 2");
  refuse(NULL, 5, TH_ERROR_GEOMETRY, "found 0");
  th_vec2 same[4] = {{1, 1}, {1, 1}, {2, 2}, {1, 1}};
  refuse(same, 4, TH_ERROR_GEOMETRY, "different");
  th_vec2 hole[3] = {{0, 0}, {NAN, 1}, {1, 0}};
  refuse(hole, 3, TH_ERROR_RANGE, "point 1");
  hole[1] = (th_vec2){1, INFINITY};
  refuse(hole, 3, TH_ERROR_RANGE, "point 1");
  hole[1] = (th_vec2){1, -100001};
  refuse(hole, 3, TH_ERROR_RANGE, "-100001");
}

/* A star of many corners, then the same with two corners swapped. */
static void many_sides_are_checked_as_few(void **unused) {
  (void)unused;
  static th_vec2 point[2000];
  for (uint32_t n = 60; n <= 2000; n += 485) {
    for (uint32_t k = 0; k < n; k++) {
      float angle = 6.2831853f * (float)k / (float)n, radius = k % 2 ? 10.0f : 12.0f;
      point[k] = (th_vec2){radius * cosf(angle), radius * sinf(angle)};
    }
    assert_int_equal(check(point, n, NULL), TH_OK);
    th_vec2 swap = point[n / 3];
    point[n / 3] = point[n / 3 + 3];
    point[n / 3 + 3] = swap;
    assert_int_equal(check(point, n, NULL), TH_ERROR_GEOMETRY);
  }
}

static th_result run_check(const th_env *env, void *context) {
  th_polygon *polygon = context;
  return th_polygon_check(&env->allocator, polygon, "shape", 0, NULL);
}

static void failing_allocations_are_survived(void **unused) {
  (void)unused;
  th_vec2 point[100];
  for (uint32_t k = 0; k < 100; k++) {
    float angle = 6.2831853f * (float)k / 100.0f;
    point[k] = (th_vec2){cosf(angle), sinf(angle)};
  }
  th_polygon polygon = {NULL, point, 100};
  assert_true(failing_every(run_check, &polygon) >= 4);
}

static void segments_meet_boxes(void **unused) {
  (void)unused;
  th_box box = {0, 0, 1, 1};
  assert_true(th_segment_meets_box(&(th_segment){-1, 0.5f, 2, 0.5f}, &box));
  assert_true(th_segment_meets_box(&(th_segment){1, 1, 2, 2}, &box));
  assert_true(th_segment_meets_box(&(th_segment){0.2f, 0.2f, 0.3f, 0.2f}, &box));
  assert_false(th_segment_meets_box(&(th_segment){0.9f, 2, 2, 0.8f}, &box));
  assert_false(th_segment_meets_box(&(th_segment){1.01f, 0, 1.01f, 1}, &box));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(area_has_the_sign_of_the_winding),
      cmocka_unit_test(neighbours_share_no_point),
      cmocka_unit_test(repeated_points_are_dropped),
      cmocka_unit_test(bad_polygons_are_named),
      cmocka_unit_test(many_sides_are_checked_as_few),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(segments_meet_boxes),
  };
  return cmocka_run_group_tests_name("polygon", tests, NULL, NULL);
}
