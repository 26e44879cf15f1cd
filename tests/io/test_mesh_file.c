/* tests/io/test_mesh_file.c - every format gives the same cube; broken files say what is wrong and where. */
#include <stdio.h>
#include <unistd.h>

#include "make/shapes.h"
#include "support/meshes.h"
#include "throng/mesh_file.h"

#define CORPUS "tests/fuzz/corpus/mesh/"

typedef struct blob {
  uint8_t data[16384];
  size_t size;
} blob;

static void load_blob(blob *b, const char *name) {
  char path[256];
  snprintf(path, sizeof path, CORPUS "%s", name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  b->size = fread(b->data, 1, sizeof b->data, file);
  fclose(file);
}

static const char *ending(const char *name) { return strrchr(name, '.') + 1; }

static th_result decode(const blob *b, const char *format, th_mesh *m, th_error *error) {
  th_mesh_def def = th_default_mesh_def();
  th_mesh_bytes bytes = {b->data, b->size, format};
  return th_mesh_decode(&def, NULL, &bytes, m, error);
}

static const char *const names[] = {"cube.obj", "text.ply",   "little.ply", "big.ply",
                                    "text.stl", "binary.stl", "cube.gltf",  "cube.glb"};

static void every_format_gives_the_cube(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[256];
    th_mesh m;
    th_error error = {0};
    th_mesh_def def = th_default_mesh_def();
    def.metres_per_unit = 2.0;
    snprintf(path, sizeof path, CORPUS "%s", names[i]);
    if (th_mesh_load(&def, NULL, path, &m, &error) != TH_OK) fail_msg("%s: %s", names[i], error.text);
    meshes_assert_whole(&m);
    assert_int_equal(m.vertex_count, 8);
    assert_int_equal(m.face_count, 12);
    assert_int_equal(meshes_only_piece(&m).euler, 2);
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9}, volume = 0.0;
    for (uint32_t v = 0; v < 8; v++)
      for (uint32_t k = 0; k < 3; k++)
        low[k] = fmin(low[k], m.xyz[3 * v + k]), high[k] = fmax(high[k], m.xyz[3 * v + k]);
    bool gltf = i >= 6; /* moved by its scene, and turned from y up: y becomes z, z becomes -y */
    assert_true(low[0] == (gltf ? 20.0 : 0.0) && high[0] == (gltf ? 22.0 : 2.0));
    assert_true(low[1] == (gltf ? -2.0 : 0.0) && high[1] == (gltf ? 0.0 : 2.0));
    assert_true(low[2] == 0.0 && high[2] == 2.0);
    for (uint32_t f = 0; f < 12; f++) {
      const double *a = m.xyz + 3 * m.corner[3 * f], *b = m.xyz + 3 * m.corner[3 * f + 1],
                   *c = m.xyz + 3 * m.corner[3 * f + 2];
      volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                 a[2] * (b[0] * c[1] - b[1] * c[0])) /
                6.0;
    }
    assert_true(fabs(volume - 8.0) < 1e-6); /* seen from outside */
    th_mesh_free(&m);
  }
}

static void refuse(const blob *b, const char *format, const char *part) {
  th_mesh m;
  th_error error = {0};
  th_result result = decode(b, format, &m, &error);
  if (result == TH_OK) fail_msg("%s was accepted, expected '%s'", format, part);
  if (!strstr(error.text, part)) fail_msg("%s: expected '%s' in '%s'", format, part, error.text);
  assert_null(m.xyz);
}

static void refuse_text(const char *text, const char *format, const char *part) {
  blob b;
  b.size = strlen(text);
  memcpy(b.data, text, b.size);
  refuse(&b, format, part);
}

static void broken_texts_are_refused_with_the_line(void **unused) {
  (void)unused;
  refuse_text("", "obj", "empty");
  refuse_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "obj", "found none");
  refuse_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "obj", "line 4: expected a vertex from 1 to 3, found \"4\"");
  refuse_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "obj", "line 4");
  refuse_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n", "obj", "line 4");
  refuse_text("v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n", "obj", "line 2: expected a finite coordinate");
  refuse_text("v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n", "obj", "line 2: expected three coordinates");
  refuse_text("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "obj", "area");
  refuse_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "obj", "line 4: expected a face of 3 corners");
  refuse_text("v 0 0 0\nv 0 0 1\nv 1 0 0\nv -1 0 0\nv 0 1 0\nf 1 2 3\nf 2 1 4\nf 1 2 5\n", "obj",
              "two faces on an edge, found 3 on that from vertex 1 at (0, 0, 0) to vertex 2 at (0, 0, 1): with the "
              "vertices 3, 4 "
              "and 5; drop_crowded");
  /* the numbers of the file, where the reader has others: vertices that no face uses, faces with texture corners */
  refuse_text(
      "v 9 9 9\nv 8 8 8\nv 0 0 0\nv 0 0 1\nv 1 0 0\nv -1 0 0\nv 0 1 0\nvt 0 0\nvt 1 1\nf 3/1 4/1 5/1\nf 4/2 3/2 6/2\n"
      "f 3/1 4/2 7/1\n",
      "obj", "from vertex 3 at (0, 0, 0) to vertex 4 at (0, 0, 1): with the vertices 5, 6 and 7");
  /* PLY counts from 0; STL has facets only, which count from 0, too */
  refuse_text(
      "ply\nformat ascii 1.0\nelement vertex 7\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 3\nproperty list uchar int vertex_indices\nend_header\n9 9 9\n8 8 8\n0 0 0\n0 0 1\n1 0 0\n-1 0 0\n"
      "0 1 0\n3 2 3 4\n3 3 2 5\n3 2 3 6\n",
      "ply", "from vertex 2 at (0, 0, 0) to vertex 3 at (0, 0, 1): with the vertices 4, 5 and 6");
#define FACET(a, b, c) "facet normal 0 0 1\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"
  refuse_text("solid x\n" FACET("0 0 0", "0 0 1", "1 0 0") FACET("0 0 1", "0 0 0", "-1 0 0")
                  FACET("0 0 0", "0 0 1", "0 1 0") "endsolid x\n",
              "stl", "from (0, 0, 0) to (0, 0, 1): faces 0, 1 and 2");
  refuse_text("plx\n", "ply", "first line");
  refuse_text("ply\nformat ascii 2.0 x\nend_header\n", "ply", "x, y, z");
  refuse_text("ply\nformat ascii 1.0\nelement vertex -3\n", "ply", "line 3");
  refuse_text("ply\nformat ascii 1.0\nelement vertex 99999999999\n", "ply", "line 3: expected a count");
  refuse_text("ply\nformat ascii 1.0\nwhat\n", "ply", "line 3");
  refuse_text("ply\nformat ascii 1.0\nproperty float x\n", "ply", "an element before");
  refuse_text(
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
      "ply", "a vertex that exists");
  refuse_text("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n", "stl",
              "no facet");
  refuse_text("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex nan 1 0\nendloop\n", "stl",
              "line 6");
  refuse_text("solid x\nendsolid x\n", "stl", "no facet");
  refuse_text("what is this", "stl", "84 bytes");
  refuse_text("{\"asset\":{\"version\":\"2.0\"}}", "gltf", "");
  refuse_text("{\"asset\":", "gltf", "gltf");
  refuse_text("hello", "glb", "binary glTF");
  refuse_text("hello", "doc", "found doc");
}

static void broken_binaries_are_refused(void **unused) {
  (void)unused;
  blob b;
  const char *const whole[] = {"little.ply", "big.ply", "binary.stl", "cube.glb"};
  for (int i = 0; i < 4; i++) { /* cut short anywhere */
    load_blob(&b, whole[i]);
    size_t size = b.size;
    for (size_t cut = 1; cut < size; cut += 7) {
      th_mesh m;
      b.size = size - cut;
      assert_int_not_equal(decode(&b, ending(whole[i]), &m, NULL), TH_OK);
    }
  }
  load_blob(&b, "little.ply");
  b.size -= 10;
  refuse(&b, "ply", "end of the file");
  load_blob(&b, "little.ply"); /* a million vertices are promised */
  char *count = strstr((char *)b.data, "vertex 8");
  memcpy(count, "vertex 9", 8);
  refuse(&b, "ply", "expected");
  load_blob(&b, "little.ply");
  size_t x = (size_t)(strstr((char *)b.data, "end_header\n") - (char *)b.data) + 11;
  const double nan = (double)NAN;
  memcpy(b.data + x, &nan, 8);
  refuse(&b, "ply", "finite coordinate");
  load_blob(&b, "binary.stl");
  memset(b.data + 80, 0xff, 4);
  refuse(&b, "stl", "4294967295 facets");
  load_blob(&b, "binary.stl");
  const float infinite = INFINITY;
  memcpy(b.data + 96, &infinite, 4);
  refuse(&b, "stl", "coordinates");
  load_blob(&b, "cube.glb");
  b.data[4] = 1;
  refuse(&b, "glb", "version 2");
}

static void absurd_counts_take_no_memory(void **unused) {
  (void)unused;
  blob b;
  load_blob(&b, "cube.gltf");
  b.data[b.size] = '\0';
  char *count = strstr((char *)b.data, "\"count\": 36");
  assert_non_null(count);
  memcpy(count, "\"count\":4e9", 11);
  th_mesh m;
  th_error error = {0};
  assert_int_not_equal(decode(&b, "gltf", &m, &error), TH_OK);
}

static void files_that_are_not_there_are_named(void **unused) {
  (void)unused;
  th_mesh m;
  th_error error = {0};
  th_mesh_def def = th_default_mesh_def();
  assert_int_equal(th_mesh_load(&def, NULL, "tests/none.obj", &m, &error), TH_ERROR_FILE);
  assert_string_equal(error.where, "tests/none.obj");
  assert_int_equal(th_mesh_load(&def, NULL, "tests/support/meshes.h", &m, &error), TH_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "found h"));
}

static th_result load_all(const th_env *env, void *context) {
  th_mesh m;
  th_mesh_def def = th_default_mesh_def();
  def.env = *env;
  th_result result = th_mesh_load(&def, NULL, context, &m, NULL);
  th_mesh_free(&m);
  return result;
}

static void every_failed_allocation_is_survived(void **unused) {
  (void)unused;
  char path[] = CORPUS "cube.obj";
  assert_true(failing_every(load_all, path) > 10);
}

/* Genus 0, 4, 7 and 22, closed, and one with borders: what was written is read, and its numbers are reported. */
/* shows: PLAN-01 */
static void any_genus_comes_from_files_with_its_numbers(void **unused) {
  (void)unused;
  static const struct {
    th_make_size size;
    uint32_t vertices, faces, genus;
    int32_t euler;
  } expected[] = {{TH_MAKE_BUNNY, 34481, 68958, 0, 2},
                  {TH_MAKE_HEPTOROID, 20000, 40084, 22, -42},
                  {TH_MAKE_FERTILITY, 19994, 40000, 4, -6},
                  {TH_MAKE_GLOB, 14875, 29774, 7, -12}};
  char path[] = "/tmp/throng-genus-XXXXXX.ply";
  int file = mkstemps(path, 4);
  assert_true(file >= 0);
  close(file);
  for (int k = 0; k <= 4; k++) {
    th_soup soup = th_soup_begin(NULL);
    th_mesh made, read;
    th_mesh_pieces pieces;
    if (k == 4)
      th_make_costa(&soup, 20, 8.0);
    else
      assert_int_equal(th_make_sized(&soup, expected[k].size, NULL), TH_OK);
    assert_int_equal(th_soup_mesh(&soup, &made, NULL), TH_OK);
    assert_int_equal(th_mesh_save(&made, path, NULL), TH_OK);
    th_mesh_def def = th_default_mesh_def();
    assert_int_equal(th_mesh_load(&def, NULL, path, &read, NULL), TH_OK);
    assert_int_equal(th_mesh_pieces_make(&read, &pieces, NULL), TH_OK);
    assert_int_equal(pieces.count, 1);
    const th_mesh_piece *piece = pieces.piece;
    if (k < 4) {
      assert_int_equal(read.vertex_count, expected[k].vertices);
      assert_int_equal(read.face_count, expected[k].faces);
      assert_int_equal(piece->euler, expected[k].euler);
      assert_int_equal(piece->genus, expected[k].genus);
      assert_int_equal(piece->borders, 0);
    } else { /* Costa's surface: a torus with three holes */
      assert_int_equal(piece->genus, 1);
      assert_int_equal(piece->borders, 3);
      assert_int_equal(piece->euler, -3);
    }
    th_mesh_pieces_free(&read, &pieces);
    th_mesh_free(&read);
    th_mesh_free(&made);
  }
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_format_gives_the_cube),
      cmocka_unit_test(broken_texts_are_refused_with_the_line),
      cmocka_unit_test(broken_binaries_are_refused),
      cmocka_unit_test(absurd_counts_take_no_memory),
      cmocka_unit_test(files_that_are_not_there_are_named),
      cmocka_unit_test(every_failed_allocation_is_survived),
      cmocka_unit_test(any_genus_comes_from_files_with_its_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
