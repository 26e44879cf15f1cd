/* tests/field/test_cut_off.c - what only the raster cuts off has a path all the same; what is too narrow has none.
 */
#include "support/allocator.h"
#include "support/floor_plans.h"
#include "throng/field.h"

#define ROWS 6

/* A corner of a plan that lies at an angle to the raster; tangent of half the angle 0.2. */
static th_vec2 turned(float x, float y) {
  const float c = 0.96f / 1.04f, s = 0.4f / 1.04f;
  return (th_vec2){c * x - s * y, s * x + c * y};
}

static th_polygon turned_box(th_vec2 point[4], float x0, float y0, float x1, float y1) {
  point[0] = turned(x0, y0), point[1] = turned(x1, y0), point[2] = turned(x1, y1), point[3] = turned(x0, y1);
  return (th_polygon){.point = point, .count = 4};
}

/* A hall of 10 x 8 m with rows of seats from the left wall to an aisle, `gap` apart. */
typedef struct hall {
  th_vec2 outline_point[4], point[ROWS][4];
  th_polygon outline, row[ROWS];
  th_ground *ground;
  th_solver *solver;
  th_field *field;
} hall;

static void hall_make(hall *h, float gap, float cell, th_field_kind kind) {
  th_flat_def def = th_default_flat_def();
  th_field_def to = th_default_field_def();
  const th_vec2 exit = turned(9.0f, 1.0f);
  h->outline = turned_box(h->outline_point, 0, 0, 10, 8);
  for (int k = 0; k < ROWS; k++)
    h->row[k] = turned_box(h->point[k], -0.1f, 1.0f + (0.4f + gap) * (float)k, 7.0f, 1.4f + (0.4f + gap) * (float)k);
  def.outline = &h->outline, def.outline_count = 1, def.obstacle = h->row, def.obstacle_count = ROWS, def.cell = cell;
  to.goal = th_point_shape(exit.x, exit.y), to.kind = kind;
  assert_int_equal(th_ground_make_flat(&def, &h->ground, NULL), TH_OK);
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = h->ground}, &h->solver, NULL), TH_OK);
  assert_int_equal(th_field_make(h->solver, &to, &h->field, NULL), TH_OK);
}

static void hall_free(hall *h) {
  th_field_release(h->field);
  th_solver_release(h->solver);
  th_ground_release(h->ground);
}

/* The middle of row n, `along` its length and `off` it. */
static th_place seat(const hall *h, float gap, int n, float along, float off) {
  const th_vec2 at = turned(along, 1.4f + 0.5f * gap + off + (0.4f + gap) * (float)n);
  return th_ground_locate(h->ground, at.x, at.y);
}

/* One body alone that follows the field in steps of 5 cm. */
static bool walks_out(const hall *h, th_place place, float radius) {
  for (int n = 0; n < 1200; n++) {
    const th_field_gradient s = th_field_gradient_at(h->field, place);
    if (s.left < 0.4f) return true;
    th_ground_walk(h->ground, &place, (th_vec2){0.05f * s.dx, 0.05f * s.dy}, radius, NULL);
  }
  return false;
}

static void rows_at_an_angle_have_a_path(void **state) {
  (void)state;
  static const float gap[3] = {0.54f, 0.6f, 0.66f}, cell[3] = {0.25f, 0.2f, 0.125f};
  static const th_field_kind kind[4] = {TH_FIELD_ROOMY, TH_FIELD_GEODESIC, TH_FIELD_HARMONIC, TH_FIELD_EDGES};
  for (int k = 0; k < 36; k++) {
    hall h;
    const float g = gap[k % 3];
    hall_make(&h, g, cell[k / 3 % 3], kind[k / 9]);
    for (int n = 0; n < ROWS - 1; n++)
      for (float along = 0.4f; along < 7.0f; along += 0.5f) {
        const float off = 0.05f * (float)(n % 3 - 1) * g;
        const th_place place = seat(&h, g, n, along, off);
        if (!th_field_reaches(h.field, place) || !walks_out(&h, place, 0.2f))
          fail_msg("rows %g m apart, cells of %g m, kind %d: %s out of row %d at %g m", (double)g,
                   (double)h.ground->cell, (int)kind[k / 9], th_field_reaches(h.field, place) ? "no walk" : "no path",
                   n, (double)along);
      }
    hall_free(&h);
  }
}

/* Two rooms with a gap between them that no centre tells: the other room has a path through it, of the right length;
 * a gap that is too narrow parts them. */
static void a_gap_between_two_rooms_is_found(void **state) {
  (void)state;
  static const float width[2] = {0.55f, 0.49f};
  for (int k = 0; k < 2; k++) {
    th_vec2 corner[3][4];
    const th_polygon outline = plan_box(corner[0], 0, 0, 10, 8);
    const th_polygon wall[2] = {plan_box(corner[1], 5.07f, -1, 5.27f, 3.225f),
                                plan_box(corner[2], 5.07f, 3.225f + width[k], 5.27f, 9)};
    th_flat_def def = th_default_flat_def();
    def.outline = &outline, def.outline_count = 1, def.obstacle = wall, def.obstacle_count = 2;
    th_field_def to = th_default_field_def();
    to.goal = th_point_shape(9, 3.5f), to.kind = TH_FIELD_GEODESIC;
    hall h;
    assert_int_equal(th_ground_make_flat(&def, &h.ground, NULL), TH_OK);
    assert_int_equal(th_solver_make(&(th_solver_def){.ground = h.ground}, &h.solver, NULL), TH_OK);
    assert_int_equal(th_field_make(h.solver, &to, &h.field, NULL), TH_OK);
    const th_place far = th_ground_locate(h.ground, 1, 3.5f);
    assert_int_equal(th_field_reaches(h.field, far), k == 0);
    if (k == 0) assert_true(walks_out(&h, far, 0.2f));
    if (k == 0) assert_in_range((uint32_t)(100.0f * th_field_gradient_at(h.field, far).left), 780, 880);
    hall_free(&h);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_at_an_angle_have_a_path),
      cmocka_unit_test(a_gap_between_two_rooms_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
