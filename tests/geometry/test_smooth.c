/* tests/geometry/test_smooth.c - fine relief goes, coarse relief and the faces' places stay. */
#include "base/memory.h"
#include "base/random.h"
#include "geometry/mesh/frames.h"
#include "geometry/mesh/smooth.h"
#include "geometry/vector.h"
#include "make/shapes.h"
#include "support/meshes.h"

typedef struct relief {
  double fine, coarse; /* heights of waves 0.6 m and 12 m long [m] */
  double spikes;       /* random heights up to this [m] */
} relief;

static double height(void *user, double x, double y) {
  const relief *r = user;
  uint32_t at = (uint32_t)(1000.0 * x + 0.5) * 7919u + (uint32_t)(1000.0 * y + 0.5);
  return r->fine * sin(10.47 * x) * sin(10.47 * y) + r->coarse * sin(0.5236 * x) +
         r->spikes * th_random_unit_double(3, 0, at, 0);
}

static th_mesh sheet(const relief *r) {
  th_soup soup = th_soup_begin(NULL);
  th_mesh mesh;
  th_make_plane(&soup, 60, 60, 0.2, 0.2);
  th_make_terrain(&soup, height, (void *)(uintptr_t)r);
  assert_int_equal(th_soup_mesh(&soup, &mesh, NULL), TH_OK);
  return mesh;
}

static double *smoothed(const th_mesh *mesh) {
  th_smooth_def def = {.scale = 0.6, .edge = 0.23};
  double *xyz = TH_TAKE(&mesh->allocator, double, 3 * (size_t)mesh->vertex_count);
  assert_true(th_mesh_smooth(mesh, &def, xyz));
  return xyz;
}

/* Far from the border: root of the mean square of the height. */
static double rough(const th_mesh *mesh, const double *xyz) {
  double sum = 0.0;
  uint32_t count = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    const double *p = mesh->xyz + 3 * (size_t)v;
    if (p[0] < 3.0 || p[0] > 9.0 || p[1] < 3.0 || p[1] > 9.0) continue;
    sum += xyz[3 * (size_t)v + 2] * xyz[3 * (size_t)v + 2];
    count++;
  }
  return sqrt(sum / count);
}

static void end(th_mesh *mesh, double *xyz) {
  TH_GIVE(&mesh->allocator, xyz, 3 * (size_t)mesh->vertex_count);
  th_mesh_free(mesh);
}

static void fine_relief_goes_and_coarse_stays(void **state) {
  (void)state;
  for (int coarse = 0; coarse < 2; coarse++) {
    const relief r = {.fine = coarse ? 0.0 : 0.1, .coarse = coarse ? 0.5 : 0.0};
    th_mesh mesh = sheet(&r);
    double *xyz = smoothed(&mesh), left = rough(&mesh, xyz) / rough(&mesh, mesh.xyz);
    print_message("%s waves: %.3f of the height is left\n", coarse ? "long" : "short", left);
    if (coarse) assert_true(left > 0.9);
    if (!coarse) assert_true(left < 0.05);
    end(&mesh, xyz);
  }
}

static void flat_ground_stays(void **state) {
  (void)state;
  const relief r = {0};
  th_mesh mesh = sheet(&r);
  double *xyz = smoothed(&mesh);
  for (uint32_t k = 0; k < 3 * mesh.vertex_count; k++) assert_true(fabs(xyz[k] - mesh.xyz[k]) < 1e-12);
  end(&mesh, xyz);
}

/* The border is not drawn inwards, and vertices do not drift along the surface. */
static void vertices_keep_their_place(void **state) {
  (void)state;
  const relief r = {.fine = 0.05};
  th_mesh mesh = sheet(&r);
  double *xyz = smoothed(&mesh);
  for (uint32_t v = 0; v < mesh.vertex_count; v++) {
    double d[3];
    th_minus3d(xyz + 3 * (size_t)v, mesh.xyz + 3 * (size_t)v, d);
    assert_true(fabs(d[0]) < 0.02 && fabs(d[1]) < 0.02);
  }
  end(&mesh, xyz);
}

static double area_of(const th_mesh *m, const double *xyz, uint32_t f) {
  const uint32_t *c = m->corner + 3 * (size_t)f;
  double n[3];
  th_normal3d(xyz + 3 * (size_t)c[0], xyz + 3 * (size_t)c[1], xyz + 3 * (size_t)c[2], n);
  return th_length3d(n);
}

/* Spikes five edges high stand so steep that the plane would leave nothing of their faces. */
static void no_face_vanishes(void **state) {
  (void)state;
  const relief r = {.spikes = 1.0};
  th_mesh mesh = sheet(&r);
  double *xyz = smoothed(&mesh), least = INFINITY;
  for (uint32_t f = 0; f < mesh.face_count; f++)
    least = fmin(least, area_of(&mesh, xyz, f) / area_of(&mesh, mesh.xyz, f));
  print_message("a face keeps at least %.3f of its area\n", least);
  assert_true(least >= TH_SMOOTH_AREA);
  end(&mesh, xyz);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fine_relief_goes_and_coarse_stays),
      cmocka_unit_test(flat_ground_stays),
      cmocka_unit_test(vertices_keep_their_place),
      cmocka_unit_test(no_face_vanishes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
