/* tests/group/test_group_shape.c - areas and masks as weights of markers, on plain arrays. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "group/shape.h"
#include "support/worlds.h"

static th_env env(void) { return th_env_complete(&(th_env){0}); }

/* A grid of markers 0.25 m apart on [0, 12) x [0, 8). */
static th_group_sheet sheet_of(const th_env *e) {
  static th_vec3 point[48 * 32];
  for (uint32_t i = 0; i < 48 * 32; i++)
    point[i] = (th_vec3){0.125f + 0.25f * (float)(i % 48), 0.125f + 0.25f * (float)(i / 48), 0};
  th_group_sheet sheet;
  assert_true(th_group_sheet_make(&sheet, &e->allocator, point, 48 * 32, 1.0f));
  return sheet;
}

/* shows: BIO-55 */
static void areas_of_several_parts(void **state) {
  (void)state;
  th_env e = env();
  th_group_sheet sheet = sheet_of(&e);
  const th_vec2 v[5] = {{1, 6}, {2, 2}, {3, 6}, {2.5f, 6}, {2, 4}}, h[4] = {{5, 2}, {6, 2}, {6, 6}, {5, 6}};
  const th_polygon part[2] = {{NULL, v, 5}, {NULL, h, 4}};
  th_group_area area;
  assert_true(th_group_area_make(&area, &e.allocator, part, 2, NULL));
  uint8_t *inside = calloc(sheet.count, 1);
  uint32_t count = th_group_sheet_mark(&sheet, &area, inside), left = 0, right = 0;
  for (uint32_t i = 0; i < sheet.count; i++) {
    left += inside[i] && sheet.point[i].x < 4;
    right += inside[i] && sheet.point[i].x > 4;
    assert_true(inside[i] == th_group_area_holds(&area, sheet.point[i].x, sheet.point[i].y));
  }
  assert_int_equal(right, 4 * 16); /* 1 m x 4 m in cells of 0.25 m */
  assert_true(left > 20 && count == left + right);
  assert_false(th_group_area_holds(&area, 2, 5)); /* between the arms of the letter */
  free(inside);
  th_group_area_free(&area, &e.allocator);
  th_group_sheet_free(&sheet, &e.allocator);
}

/* shows: BIO-51 */
static void areas_of_pixels(void **state) {
  (void)state;
  th_env e = env();
  const uint8_t grey[6] = {0, 255, 255, 255, 255, 0}; /* row 0 at the top */
  th_image image = th_default_image();
  image.grey = grey, image.width = 3, image.height = 2, image.metres_per_pixel = 2, image.origin = (th_vec2){1, 1};
  th_group_area area;
  assert_true(th_group_area_make(&area, &e.allocator, NULL, 0, &image));
  assert_true(th_group_area_holds(&area, 1.5f, 4.5f) && th_group_area_holds(&area, 6.5f, 1.5f));
  assert_false(th_group_area_holds(&area, 1.5f, 1.5f) || th_group_area_holds(&area, 6.5f, 4.5f));
  assert_false(th_group_area_holds(&area, 0.5f, 4.5f) || th_group_area_holds(&area, 7.5f, 1.5f));
  th_group_area_free(&area, &e.allocator);
}

/* Every marker against the definition: arms along the axes, weights are distances, contributions add up. */
/* shows: BIO-57, BIO-58 */
static void masks_add_up(void **state) {
  (void)state;
  th_env e = env();
  th_group_sheet sheet = sheet_of(&e);
  float *weight = malloc(sizeof *weight * sheet.count), *wanted = malloc(sizeof *wanted * sheet.count);
  const th_vec3 agent[3] = {{4, 4, 0}, {5.6f, 4.1f, 0}, {0.3f, 0.2f, 0}};
  for (int kind = 0; kind < 4; kind++) { /* horizontal, vertical, both, along a slope */
    const float c = kind == 3 ? 0.8f : 1.0f, s = kind == 3 ? 0.6f : 0.0f;
    const th_group_mask mask = {c, s, kind != 1, kind == 1 || kind == 2, 2.5f, 0.3f};
    for (uint32_t i = 0; i < sheet.count; i++) weight[i] = wanted[i] = 1.0f;
    uint32_t twice = 0, touched = 0;
    for (int k = 0; k < 3; k++) {
      th_group_sheet_accumulate(&sheet, &mask, agent[k], weight);
      for (uint32_t i = 0; i < sheet.count; i++) {
        float x = sheet.point[i].x - agent[k].x, y = sheet.point[i].y - agent[k].y;
        float along = fabsf(x * c + y * s), across = fabsf(y * c - x * s);
        bool in = (mask.along && along <= 2.5f && across <= 0.3f) || (mask.across && across <= 2.5f && along <= 0.3f);
        twice += in && wanted[i] > 1.0f;
        touched += in;
        if (in) wanted[i] += hypotf(x, y);
      }
    }
    for (uint32_t i = 0; i < sheet.count; i++) assert_true(fabsf(weight[i] - wanted[i]) < 1e-4f);
    assert_true(touched > 60 && (twice > 0 || kind % 2 == 1));
  }
  free(weight);
  free(wanted);
  th_group_sheet_free(&sheet, &e.allocator);
}

/* Two floors of a building above each other: masks and areas of one do not reach to the other. */
static void other_floors_do_not_count(void **state) {
  (void)state;
  enum { SIDE = 24 };
  static th_vec3 point[2 * SIDE * SIDE];
  static float weight[2 * SIDE * SIDE];
  static uint8_t inside[2 * SIDE * SIDE];
  th_env e = env();
  for (uint32_t i = 0; i < 2 * SIDE * SIDE; i++)
    point[i] = (th_vec3){0.25f * (float)(i % SIDE), 0.25f * (float)(i / SIDE % SIDE), i < SIDE * SIDE ? 0.0f : 3.2f};
  th_group_sheet sheet;
  assert_true(th_group_sheet_make(&sheet, &e.allocator, point, 2 * SIDE * SIDE, 1.0f));
  const th_group_mask mask = {1, 0, true, true, 2.5f, 0.3f};
  for (int upper = 0; upper < 2; upper++) {
    const th_vec3 at = {3, 3, upper ? 3.2f : 0.0f};
    uint32_t here = 0;
    for (uint32_t i = 0; i < sheet.count; i++) weight[i] = 1.0f, inside[i] = (point[i].z > 1.0f) == (upper == 1);
    th_group_sheet_accumulate(&sheet, &mask, at, weight);
    for (uint32_t i = 0; i < sheet.count; i++) {
      if (!inside[i]) assert_true(weight[i] == 1.0f);
      here += inside[i] && weight[i] > 1.0f;
    }
    assert_true(here > 60);
    assert_true(th_group_sheet_touches(&sheet, inside, at, 1.25f));
    for (uint32_t i = 0; i < sheet.count; i++) inside[i] = !inside[i];
    assert_false(th_group_sheet_touches(&sheet, inside, at, 4.0f)); /* nor within reach through the ceiling */
  }
  th_group_sheet_free(&sheet, &e.allocator);
}

/* Rows and columns stand in line, turned ones when the mask is turned, too; chance is halfway; with one axis only the
 * neighbours near it count. */
static void members_stand_in_line(void **state) {
  (void)state;
  enum { SIDE = 8 };
  th_vec3 at[SIDE * SIDE];
  const float turn = 0.4f, c = cosf(turn), s = sinf(turn);
  th_group_mask straight = {1, 0, true, true, 2, 0.3f}, turned = {c, s, true, true, 2, 0.3f}, row = straight;
  row.across = false;
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    const float x = 1.3f * (float)(i % SIDE), y = 0.9f * (float)(i / SIDE);
    at[i] = (th_vec3){c * x - s * y, s * x + c * y, 0};
  }
  assert_true(th_group_fit_askew(at, SIDE * SIDE, &turned) < 1e-3);
  assert_true(fabs(th_group_fit_askew(at, SIDE * SIDE, &straight) - 0.4 * 57.29578) < 1e-3);
  const th_vec3 three[3] = {{0, 0, 0}, {0.2f, 1, 0}, {2, 0.2f, 0}}; /* the nearest of the first is no part of its row */
  assert_true(fabs(th_group_fit_askew(three, 2, &straight) - 57.29578 * atan2(0.2, 1)) < 1e-3);
  assert_true(isnan(th_group_fit_askew(three, 2, &row)) && isnan(th_group_fit_askew(three, 1, &straight)));
  const double first = atan2(0.2, 2), second = atan2(0.8, 1.8);
  assert_true(fabs(th_group_fit_askew(three, 3, &row) - 57.29578 * (first + 2 * second) / 3) < 1e-3);
  uint64_t seed = 5;
  static th_vec3 anywhere[2000];
  for (uint32_t i = 0; i < 2000; i++) anywhere[i] = (th_vec3){worlds_in(&seed, 0, 50), worlds_in(&seed, 0, 50), 0};
  assert_true(fabs(th_group_fit_askew(anywhere, 2000, &straight) - 22.5) < 1);
  assert_true(fabs(th_group_fit_askew(anywhere, 2000, &row) - 22.5) < 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(areas_of_several_parts), cmocka_unit_test(areas_of_pixels),
      cmocka_unit_test(masks_add_up),           cmocka_unit_test(other_floors_do_not_count),
      cmocka_unit_test(members_stand_in_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
