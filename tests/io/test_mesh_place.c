/* tests/io/test_mesh_place.c - where a mesh file lies: its axis that looks up, and a shift that loses nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/folder.h"
#include "support/meshes.h"
#include "throng/mesh_file.h"
#include "throng/scene.h"

#define CORPUS "tests/fuzz/corpus/mesh/"
#define EAST 691600.0 /* a place on the map of a country [m] */
#define NORTH 5334000.0

static const char *const names[] = {"cube.obj", "text.ply",   "little.ply", "big.ply",
                                    "text.stl", "binary.stl", "cube.gltf",  "cube.glb"};

static void box_of(const th_mesh *m, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) low[k] = 1e9, high[k] = -1e9;
  for (uint32_t v = 0; v < m->vertex_count; v++)
    for (uint32_t k = 0; k < 3; k++)
      low[k] = fmin(low[k], m->xyz[3 * v + k]), high[k] = fmax(high[k], m->xyz[3 * v + k]);
}

static void assert_box(const th_mesh *m, const double low[3], const double high[3], const char *name) {
  double from[3], to[3];
  box_of(m, from, to);
  for (int k = 0; k < 3; k++)
    if (from[k] != low[k] || to[k] != high[k])
      fail_msg("%s: axis %d from %.17g to %.17g, expected %g to %g", name, k, from[k], to[k], low[k], high[k]);
}

static void load(const th_mesh_axes *axes, double unit, const char *name, th_mesh *m) {
  th_mesh_def def = th_default_mesh_def();
  def.metres_per_unit = unit;
  char path[256];
  th_error error = {0};
  snprintf(path, sizeof path, CORPUS "%s", name);
  if (th_mesh_load(&def, axes, path, m, &error) != TH_OK) fail_msg("%s: %s", name, error.text);
  meshes_assert_whole(m);
}

/* The cube of the files has edges of 1 from 0 to 1; glTF's scene moves it to x = 10. */
static void the_axis_that_looks_up_is_turned_to_z(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    th_mesh m;
    const double x = i >= 6 ? 10.0 : 0.0;
    load(&(th_mesh_axes){.up = TH_MESH_UP_Y}, 1.0, names[i], &m);
    assert_box(&m, (double[3]){x, -1.0, 0.0}, (double[3]){x + 1.0, 0.0, 1.0}, names[i]);
    th_mesh_free(&m);
    load(&(th_mesh_axes){.up = TH_MESH_UP_Z}, 1.0, names[i], &m);
    assert_box(&m, (double[3]){x, 0.0, 0.0}, (double[3]){x + 1.0, 1.0, 1.0}, names[i]);
    th_mesh_free(&m);
  }
}

static void a_shift_comes_after_scale_and_turn(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    th_mesh m;
    const double x = i >= 6 ? 20.0 : 0.0;
    load(&(th_mesh_axes){TH_MESH_UP_Y, {100.0, 30.0, -5.0}}, 2.0, names[i], &m);
    assert_box(&m, (double[3]){x + 100.0, 28.0, -5.0}, (double[3]){x + 102.0, 30.0, -3.0}, names[i]);
    th_mesh_free(&m);
  }
}

/* A square of 0.25 m on the map of a country, where neighbours in single precision are 0.5 m apart. */
static const char far_obj[] =
    "# a square\nv 691600.25 5334000.25 7.125 0.5 0.5 0.5\nv 691600.5 5334000.25 7.125\r\n"
    "v\t691600.5  5334000.5 7.125\nv 691600.25 5334000.5 7.125\nf 1 2 3 4\n";
static const char far_ply[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float z\nproperty uchar red\nproperty double x\n"
    "property double y\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "7.125 9 691600.25 5334000.25\n7.125 9 691600.5 5334000.25\n7.125 9 691600.5 5334000.5\n"
    "7.125 9 691600.25 5334000.5\n4 0 1 2 3\n";
static const char far_stl[] =
    "solid square\nfacet normal 0 0 1\nouter loop\nvertex 691600.25 5334000.25 7.125\n"
    "vertex 691600.5 5334000.25 7.125\nvertex 691600.5 5334000.5 7.125\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 691600.25 5334000.25 7.125\nvertex 691600.5 5334000.5 7.125\n"
    "vertex 691600.25 5334000.5 7.125\nendloop\nendfacet\nendsolid square\n";

static size_t far_binary(uint8_t *bytes, bool big) {
  static const char head[] =
      "element vertex 4\nproperty double x\nproperty double y\nproperty double z\nelement face 1\n"
      "property list uchar uchar vertex_indices\nend_header\n";
  static const double xyz[4][3] = {{691600.25, 5334000.25, 7.125},
                                   {691600.5, 5334000.25, 7.125},
                                   {691600.5, 5334000.5, 7.125},
                                   {691600.25, 5334000.5, 7.125}};
  size_t at = (size_t)sprintf((char *)bytes, "ply\nformat binary_%s_endian 1.0\n%s", big ? "big" : "little", head);
  for (int i = 0; i < 12; i++, at += 8) {
    uint8_t raw[8];
    memcpy(raw, &xyz[i / 3][i % 3], 8);
    for (int k = 0; k < 8; k++) bytes[at + (size_t)k] = raw[big ? 7 - k : k];
  }
  memcpy(bytes + at, (uint8_t[]){4, 0, 1, 2, 3}, 5);
  return at + 5;
}

static const th_mesh_axes near_zero = {.shift = {-EAST, -NORTH, 0.0}};

static void a_shift_keeps_what_single_precision_would_lose(void **unused) {
  (void)unused;
  uint8_t little[512], big[512];
  const struct {
    const char *name;
    th_mesh_bytes bytes;
  } far[] = {{"obj", {far_obj, sizeof far_obj - 1, "obj"}},
             {"ply", {far_ply, sizeof far_ply - 1, "ply"}},
             {"stl", {far_stl, sizeof far_stl - 1, "stl"}},
             {"little", {little, far_binary(little, false), "ply"}},
             {"big", {big, far_binary(big, true), "ply"}}};
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
    th_mesh m;
    th_error error = {0};
    th_mesh_def def = th_default_mesh_def();
    if (th_mesh_decode(&def, &near_zero, &far[i].bytes, &m, &error) != TH_OK)
      fail_msg("%s: %s", far[i].name, error.text);
    assert_int_equal(m.face_count, 2);
    assert_box(&m, (double[3]){0.25, 0.25, 7.125}, (double[3]){0.5, 0.5, 7.125}, far[i].name);
    th_mesh_free(&m);
  }
}

static th_result decode_far(const th_env *env, void *context) {
  th_mesh m;
  th_mesh_def def = th_default_mesh_def();
  def.env = *env;
  th_result result = th_mesh_decode(&def, &near_zero, context, &m, NULL);
  th_mesh_free(&m);
  return result;
}

static void every_failed_allocation_is_survived(void **unused) {
  (void)unused;
  th_mesh_bytes bytes = {far_obj, sizeof far_obj - 1, "obj"};
  assert_true(failing_every(decode_far, &bytes) > 10);
}

static void a_shift_or_axis_that_is_none_is_refused(void **unused) {
  (void)unused;
  th_mesh m;
  th_error error = {0};
  const th_mesh_bytes bytes = {far_obj, sizeof far_obj - 1, "obj"};
  th_mesh_def def = th_default_mesh_def();
  th_mesh_axes axes = {.shift = {0.0, 0.0, (double)NAN}};
  assert_int_equal(th_mesh_decode(&def, &axes, &bytes, &m, &error), TH_ERROR_RANGE);
  assert_non_null(strstr(error.text, "finite shift"));
  axes = (th_mesh_axes){.up = (th_mesh_up)7};
  assert_int_equal(th_mesh_decode(&def, &axes, &bytes, &m, &error), TH_ERROR_RANGE);
  axes = (th_mesh_axes){.shift = {1e8, 0.0, 0.0}};
  assert_int_equal(th_mesh_decode(&def, &axes, &bytes, &m, &error), TH_ERROR_RANGE);
}

/* A floor of 20 x 10 m with y up, far away, as a modelling program writes it. */
static void write_floor(FILE *out) {
  for (int i = 0; i <= 20; i++)
    for (int j = 0; j <= 10; j++) fprintf(out, "v %.1f 2 %.1f\n", EAST + i, -NORTH - j);
  for (int i = 0; i < 20; i++)
    for (int j = 1; j <= 10; j++)
      fprintf(out, "f %d %d %d %d\n", 11 * i + j, 11 * (i + 1) + j, 11 * (i + 1) + j + 1, 11 * i + j + 1);
}

static void a_scene_turns_and_shifts_its_mesh(void **unused) {
  (void)unused;
  const char *path = in_folder("floor.obj");
  char text[1024];
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  write_floor(file);
  fclose(file);
  snprintf(text, sizeof text,
           "{\"version\": 1, \"name\": \"far\", \"duration\": 60,\n"
           " \"ground\": {\"mesh\": {\"file\": \"%s\", \"up\": \"y\", \"shift\": [-691600, -5334000, -2]}},\n"
           " \"goals\": [{\"name\": \"exit\", \"disc\": {\"centre\": [18, 5, 0], \"radius\": 1}}],\n"
           " \"populations\": [{\"name\": \"one\", \"positions\": [[2, 5, 0]], \"route\": [\"exit\"]}]}\n",
           path);
  th_error error = {0};
  th_scene *scene;
  th_run *run;
  if (th_scene_parse(text, strlen(text), &scene, &error) != TH_OK) fail_msg("%u: %s", error.line, error.text);
  th_run_def def = {.scene = scene};
  if (th_run_make(&def, &run, &error) != TH_OK) fail_msg("%u: %s", error.line, error.text);
  while (!th_run_done(run))
    if (th_run_step(run, &error) != TH_OK) fail_msg("%s", error.text);
  assert_int_equal(th_world_counters(th_run_world(run)).arrived, 1);
  th_run_free(run);
  th_scene_free(scene);
}

static void a_shift_that_is_no_triple_is_refused_at_its_line(void **unused) {
  (void)unused;
  static const char *const wrong[][2] = {
      {"[1, 2]", "three numbers"}, {"7", "three numbers"}, {"[1, 2, \"up\"]", "a number"}, {"[1, 2, 2e9]", "a number"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[512];
    th_scene *scene;
    th_error error = {0};
    snprintf(text, sizeof text,
             "{\"version\": 1, \"name\": \"far\", \"duration\": 60,\n \"ground\": {\"mesh\": {\"file\": \"a.obj\",\n"
             " \"shift\": %s}},\n \"goals\": [{\"name\": \"exit\", \"point\": [1, 1]}]}\n",
             wrong[i][0]);
    assert_true(th_scene_parse(text, strlen(text), &scene, &error) != TH_OK);
    assert_int_equal(error.line, 3);
    if (!strstr(error.text, wrong[i][1])) fail_msg("%s: %s", wrong[i][0], error.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_axis_that_looks_up_is_turned_to_z),
      cmocka_unit_test(a_shift_comes_after_scale_and_turn),
      cmocka_unit_test(a_shift_keeps_what_single_precision_would_lose),
      cmocka_unit_test(every_failed_allocation_is_survived),
      cmocka_unit_test(a_shift_or_axis_that_is_none_is_refused),
      cmocka_unit_test(a_scene_turns_and_shifts_its_mesh),
      cmocka_unit_test(a_shift_that_is_no_triple_is_refused_at_its_line),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
