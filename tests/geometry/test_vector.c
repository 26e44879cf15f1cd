/* tests/geometry/test_vector.c - the algebra of vectors, on numbers that are exact. */
#include "geometry/vector.h"
#include "support/unit.h"

static void plane_vectors_follow_their_definitions(void **unused) {
  (void)unused;
  const th_vec2 a = {3, 4}, b = {-2, 1};
  assert_true(th_dot2(a, b) == -2.0f && th_cross2(a, b) == 11.0f && th_length2(a) == 5.0f);
  assert_true(th_minus2(a, b).x == 5.0f && th_minus2(a, b).y == 3.0f);
  assert_true(th_scaled2(a, 2).x == 6.0f && th_scaled2(a, 2).y == 8.0f);
  assert_true(th_along2(a, 2, b).x == -1.0f && th_along2(a, 2, b).y == 6.0f);
  assert_true(th_left2(a).x == -4.0f && th_left2(a).y == 3.0f);
  assert_true(th_turned2(a, 0, 1).x == -4.0f && th_turned2(a, 0, 1).y == 3.0f);
}

static void the_same_in_double(void **unused) {
  (void)unused;
  const th_point a = {3, 4}, b = {-2, 1};
  assert_true(th_dot2d(a, b) == -2.0 && th_cross2d(a, b) == 11.0 && th_length2d(a) == 5.0);
  assert_true(th_minus2d(a, b).x == 5.0 && th_minus2d(a, b).y == 3.0);
  assert_true(th_turned2d(a, 0, 1).x == -4.0 && th_turned2d(a, 0, 1).y == 3.0);
  assert_true(th_unit2d(a).x == 3.0 / 5.0 && th_unit2d(a).y == 4.0 / 5.0);
  assert_true(th_unit2d((th_point){0, 0}).x == 0.0);
  assert_true(th_rounded2d((th_point){0.1, 1}).x == (double)0.1f);
}

static void vectors_of_space_follow_their_definitions(void **unused) {
  (void)unused;
  const th_vec3 a = {1, 2, 2}, b = {0, 3, -1}, n = th_cross3(a, b);
  assert_true(th_dot3(a, b) == 4.0f && th_length3(a) == 3.0f);
  assert_true(n.x == -8.0f && n.y == 1.0f && n.z == 3.0f);
  assert_true(th_minus3(a, b).z == 3.0f && th_scaled3(a, -1).y == -2.0f);
  assert_true(th_finite3(a) && !th_finite3((th_vec3){0, INFINITY, 0}) && !th_finite3((th_vec3){0, 0, NAN}));
}

static void a_result_may_be_an_operand(void **unused) {
  (void)unused;
  double a[3] = {1, 2, 2}, b[3] = {0, 3, -1}, zero[3] = {0, 0, 0};
  assert_true(th_dot3d(a, b) == 4.0 && th_length3d(a) == 3.0 && th_distance3d(a, zero) == 3.0);
  th_cross3d(a, b, b);
  assert_true(b[0] == -8.0 && b[1] == 1.0 && b[2] == 3.0);
  th_minus3d(b, a, b);
  assert_true(b[0] == -9.0 && b[1] == -1.0 && b[2] == 1.0);
  assert_true(th_unit3d(a) == 3.0 && a[0] == 1.0 / 3.0 && a[2] == 2.0 / 3.0);
  assert_true(th_unit3d(zero) == 0.0 && zero[0] == 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plane_vectors_follow_their_definitions),
      cmocka_unit_test(the_same_in_double),
      cmocka_unit_test(vectors_of_space_follow_their_definitions),
      cmocka_unit_test(a_result_may_be_an_operand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
