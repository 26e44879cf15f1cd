/* Surfaces by name: every shape of the table is a sound mesh, and wrong parameters are told. */
#include <string.h>

#include "support/meshes.h"
#include "support/unit.h"
#include "throng/make.h"

static void every_shape_is_sound(void **state) {
  (void)state;
  for (int32_t shape = TH_MAKE_SHAPE_PLANE; shape <= TH_MAKE_SHAPE_CAR; shape++) {
    th_make_params params = th_default_make_params();
    params.shape = shape;
    params.level = 3;
    params.faces = 2000;
    params.genus = shape == TH_MAKE_SHAPE_SIEVE ? 3 : 0;
    params.edge = 2;
    th_mesh mesh;
    th_error error = {0};
    if (th_mesh_generate(&params, &mesh, &error) != TH_OK) fail_msg("shape %d: %s", shape, error.text);
    meshes_assert_whole(&mesh);
    assert_true(mesh.face_count > 100);
    if (shape == TH_MAKE_SHAPE_SIEVE) assert_int_equal(meshes_only_piece(&mesh).genus, 3);
    th_mesh_free(&mesh);
  }
}

static double span(const th_mesh *mesh, int axis) {
  double low = mesh->xyz[axis], high = low;
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    double z = mesh->xyz[3 * v + (uint32_t)axis];
    low = z < low ? z : low;
    high = z > high ? z : high;
  }
  return high - low;
}

static void parameters_have_their_effect(void **state) {
  (void)state;
  th_make_params params = th_default_make_params();
  params.shape = TH_MAKE_SHAPE_TERRAIN;
  params.length = 30;
  params.scale = 2;
  th_mesh mesh;
  assert_int_equal(th_mesh_generate(&params, &mesh, NULL), TH_OK);
  assert_true(fabs(span(&mesh, 0) - 60) < 1e-9 && fabs(span(&mesh, 1) - 80) < 1e-9);
  assert_true(span(&mesh, 2) > 2 && span(&mesh, 2) <= 4.001);
  assert_int_equal(mesh.face_count, 2 * 30 * 40);
  double first = mesh.xyz[3 * 100];
  th_mesh_free(&mesh);
  params.noise = 0.2f;
  assert_int_equal(th_mesh_generate(&params, &mesh, NULL), TH_OK);
  assert_true(mesh.xyz[3 * 100] != first);
  th_mesh_free(&mesh);
}

static void wrong_parameters_are_told(void **state) {
  (void)state;
  th_mesh mesh;
  th_error error = {0};
  th_make_params params = th_default_make_params();
  params.radius = -1;
  assert_int_equal(th_mesh_generate(&params, &mesh, &error), TH_ERROR_RANGE);
  assert_non_null(strstr(error.text, "-1"));
  params = th_default_make_params();
  params.shape = TH_MAKE_SHAPE_PLANET;
  params.bumps = 0.5f; /* waves stay below half of the radius */
  assert_int_equal(th_mesh_generate(&params, &mesh, &error), TH_ERROR_RANGE);
  assert_non_null(strstr(error.text, "0.49"));
  params = th_default_make_params();
  params.shape = TH_MAKE_SHAPE_STATUE;
  params.faces = 2001;
  assert_int_equal(th_mesh_generate(&params, &mesh, &error), TH_ERROR_RANGE);
  params = th_default_make_params();
  params.shape = TH_MAKE_SHAPE_PLANE;
  params.length = params.width = 1e5f;
  assert_int_equal(th_mesh_generate(&params, &mesh, &error), TH_ERROR_CAPACITY);
  params = th_default_make_params();
  params.shape = TH_MAKE_SHAPE_TUBE;
  params.length = 24, params.edge = 0.4f, params.end_radius = 2000; /* 2 m was meant */
  assert_int_equal(th_mesh_generate(&params, &mesh, &error), TH_ERROR_CAPACITY);
  assert_string_equal(error.where, "face_limit");
  params = th_default_make_params();
  params.face_limit = 20 * 1024 - 1; /* a planet of level 5 */
  assert_int_equal(th_mesh_generate(&params, &mesh, &error), TH_ERROR_CAPACITY);
  params.face_limit++;
  assert_int_equal(th_mesh_generate(&params, &mesh, &error), TH_OK);
  th_mesh_free(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_shape_is_sound),
      cmocka_unit_test(parameters_have_their_effect),
      cmocka_unit_test(wrong_parameters_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
