/* Fields on meshes by the published relaxation: same walls, same goal, a way from everywhere near. */
#include "support/mesh_fields.h"
#include "support/mesh_worlds.h"
#include "support/unit.h"
#include "throng/published/planner.h"

static th_ground *plane_ground(void) {
  th_make_params make = th_default_make_params();
  make.shape = TH_MAKE_SHAPE_PLANE;
  make.length = 12;
  make.width = 8;
  return mesh_grounds_make(&(th_env){0}, &make);
}

/* shows: SBVP-27 */
static void relaxed_fields_lead_to_the_goal(void **state) {
  (void)state;
  th_ground *ground = plane_ground();
  th_solver *solver = solver_of(ground);
  static const th_method method[] = {TH_METHOD_JACOBI, TH_METHOD_SEIDEL, TH_METHOD_SEIDEL_ALTERNATING, TH_METHOD_SOR};
  th_field_def def = th_default_field_def();
  th_field *direct = field_to_point(solver, def, (th_vec3){9, 5, 0});
  for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
    th_relax_def relax = th_default_relax_def();
    const th_planner planner = th_relax_planner(&relax);
    relax.method = method[k];
    def.planner = &planner;
    th_field *field = field_to_point(solver, def, (th_vec3){9, 5, 0});
    uint32_t width = 0, height = 0;
    const double *u = th_field_values(field, &width, &height);
    for (uint32_t v = 0; v < width * height; v++) assert_true(u[v] >= 0.0 && u[v] <= 1.0);
    double worst = 0.0;
    for (uint32_t n = 0; n < 200; n++) {
      th_place place = free_place(ground, 100 + n);
      assert_true(walk_arrives(ground, field, place, 0.1));
      th_vec2 a = {th_field_gradient_at(field, place).dx, th_field_gradient_at(field, place).dy};
      th_vec2 b = {th_field_gradient_at(direct, place).dx, th_field_gradient_at(direct, place).dy};
      worst = fmax(worst, 1.0 - (double)(a.x * b.x + a.y * b.y));
    }
    print_message("method %d: largest 1 - cos between it and the direct field %.3f\n", (int)method[k], worst);
    th_field_release(field);
  }
  th_field_release(direct);
  th_solver_release(solver);
  th_ground_release(ground);
}

static void a_closed_surface_is_refused(void **state) {
  (void)state;
  th_make_params make = th_default_make_params();
  make.level = 2;
  th_mesh mesh;
  assert_int_equal(th_mesh_generate(&make, &mesh, NULL), TH_OK);
  th_mesh_ground_def ball = th_default_mesh_ground_def();
  ball.mesh = &mesh;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_mesh(&ball, &ground, NULL), TH_OK);
  th_mesh_free(&mesh);
  th_solver *solver = solver_of(ground);
  th_field_def def = th_default_field_def();
  const th_relax_def relax = th_default_relax_def();
  const th_planner planner = th_relax_planner(&relax);
  def.planner = &planner;
  th_vec2 point = {0, 0};
  float z = 10;
  def.goal = th_point_shape_at((th_vec3){point.x, point.y, z});
  th_field *field = NULL;
  th_error error = {0};
  assert_int_equal(th_field_make(solver, &def, &field, &error), TH_ERROR_GEOMETRY);
  assert_non_null(strstr(error.text, "closed surface"));
  th_solver_release(solver);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(relaxed_fields_lead_to_the_goal),
                                     cmocka_unit_test(a_closed_surface_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
