/* tests/io/test_pack.c - packs: every scene of the golden file from its pack, each kind of file, and packs that are
 * wrong. */
#include <string.h>
#include <unistd.h>

#include "io/pack/base64.h"
#include "support/allocator.h"
#include "support/folder.h"
#include "support/golden.h"
#include "support/slow.h"
#include "support/worlds.h"
#include "throng/mesh_file.h"
#include "throng/scene.h"

/* ---------------------------------------------------------------- base64 */

static void bytes_are_read_back(void **unused) {
  (void)unused;
  static const char *const known[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                      "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"}; /* RFC 4648, 10 */
  for (size_t size = 0; size < 7; size++) {
    char text[16] = {0}, back[8];
    th_base64_write("foobar", size, text);
    assert_string_equal(text, known[size]);
    assert_true(th_base64_fits(text, size));
    th_base64_read(text, size, back);
    assert_memory_equal(back, "foobar", size);
  }
  for (int k = 0; k < 256; k++) {
    const uint8_t one = (uint8_t)k;
    uint8_t back;
    char text[5] = {0};
    th_base64_write(&one, 1, text);
    th_base64_read(text, 1, &back);
    assert_int_equal(back, one);
  }
}

static void another_form_does_not_fit(void **unused) {
  (void)unused;
  static const char *const wrong[] = {"Zg=", "Zg", "Zh==", "Z===", "Zg=a", "Z g=", "Zg==Zg==", "\xc3\xa9=="};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) assert_false(th_base64_fits(wrong[k], 1));
  assert_false(th_base64_fits("Zm9=", 2));
}

/* ---------------------------------------------------------------- scenes */

static char *packed(const th_scene *scene) {
  char *text;
  OK(th_scene_pack(scene, &text, &error));
  assert_null(strpbrk(text, "<>&"));
  for (const char *c = text; *c; c++) assert_true((unsigned char)*c < 128);
  return text;
}

static uint64_t hash_after(const th_scene *scene, uint32_t steps) {
  th_run *run;
  OK(th_run_make(&(th_run_def){.scene = scene}, &run, &error));
  for (uint32_t step = 0; step < steps; step++) OK(th_run_step(run, &error));
  const uint64_t hash = golden_hash(th_run_world(run));
  th_run_free(run);
  return hash;
}

static void every_golden_scene_is_the_same_from_its_pack(void **unused) {
  (void)unused;
  static golden_lines golden;
  uint32_t seen = 0;
  assert_int_equal(golden_read(&golden), 0);
  for (uint32_t i = 0; i < golden.count; i++) {
    const golden_line *line = &golden.line[i];
    char path[512];
    th_scene *scene, *again;
    if (strncmp(line->name, "crowd/", 6) == 0 || (SLOW_BUILD && i % 20)) continue;
    golden_scene_path(line->name, TH_MATRIX, path, sizeof path);
    OK(th_scene_load(path, &scene, &error));
    char *text = packed(scene);
    OK(th_scene_parse(text, strlen(text), &again, &error));
    assert_string_equal(th_scene_text(again), th_scene_text(scene));
    assert_true(th_scene_hash(again) == th_scene_hash(scene));
    if (hash_after(again, GOLDEN_EARLY) != line->early) fail_msg("%s differs from its pack", line->name);
    char *twice = packed(again);
    assert_string_equal(twice, text);
    th_text_free(text);
    th_text_free(twice);
    th_scene_free(again);
    th_scene_free(scene);
    seen++;
  }
  assert_true(seen > (SLOW_BUILD ? 5u : 200u));
}

/* ---------------------------------------------------------------- files */

static void put_file(const char *name, const char *bytes, size_t size) {
  FILE *out = fopen(in_folder(name), "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(bytes, 1, size, out), size);
  fclose(out);
}

static void put_text(const char *name, const char *text) { put_file(name, text, strlen(text)); }

#define HEAD "{\"version\": 1, \"name\": \"packed\", \"duration\": 30, \"ground\": "
#define FLAT_CROWD                                                                                              \
  ", \"goals\": [{\"name\": \"exit\", \"point\": [9, 5]}], \"populations\": [{\"name\": \"all\", \"count\": 6," \
  " \"region\": {\"rectangle\": [[1, 3], [4, 7]]}, \"route\": [\"exit\"]}]"

/* 20 x 20 pixels of half a metre: a room with a pillar. */
static void put_picture(const char *name) {
  char picture[15 + 400];
  const int head = snprintf(picture, sizeof picture, "P5\n20 20\n255\n");
  for (int y = 0; y < 20; y++)
    for (int x = 0; x < 20; x++) {
      const bool wall = x == 0 || y == 0 || x == 19 || y == 19 || (x > 9 && x < 13 && y > 7 && y < 12);
      picture[head + 20 * y + x] = (char)(wall ? 0 : 255);
    }
  put_file(name, picture, (size_t)head + 400);
}

static void put_floor(const char *name, double east, double north) {
  FILE *out = fopen(in_folder(name), "w");
  assert_non_null(out);
  for (int i = 0; i <= 10; i++)
    for (int j = 0; j <= 10; j++) fprintf(out, "v %.3f %.3f 0\n", east + i + 0.1, north + j + 0.7);
  for (int i = 0; i < 10; i++)
    for (int j = 1; j <= 10; j++)
      fprintf(out, "f %d %d %d %d\n", 11 * i + j, 11 * (i + 1) + j, 11 * (i + 1) + j + 1, 11 * i + j + 1);
  fclose(out);
}

/* Runs a scene beside its files, takes these away, and runs the pack. */
static void same_without_files(const char *text, const char *const *file) {
  char path[128];
  th_scene *scene, *again;
  snprintf(path, sizeof path, "%s", in_folder("scene.json"));
  put_text("scene.json", text);
  OK(th_scene_load(path, &scene, &error));
  const uint64_t hash = hash_after(scene, 60);
  char *pack = packed(scene);
  for (; *file; file++) assert_int_equal(unlink(in_folder(*file)), 0);
  th_run *run;
  assert_int_not_equal(th_run_make(&(th_run_def){.scene = scene}, &run, NULL), TH_OK);
  put_text("scene.pack", pack);
  OK(th_scene_load(in_folder("scene.pack"), &again, &error));
  assert_true(hash_after(again, 60) == hash);
  char *twice = packed(again);
  assert_string_equal(twice, pack);
  th_text_free(twice);
  th_text_free(pack);
  th_scene_free(again);
  th_scene_free(scene);
}

static void an_image_is_packed(void **unused) {
  (void)unused;
  put_picture("room.pgm");
  same_without_files(HEAD "{\"image\": {\"file\": \"room.pgm\", \"metres_per_pixel\": 0.5}}" FLAT_CROWD "}",
                     (const char *const[]){"room.pgm", NULL});
}

static void a_robot_map_is_packed(void **unused) {
  (void)unused;
  put_picture("room.pgm");
  put_text("room.yaml", "image: room.pgm\nresolution: 0.51\norigin: [0.1, 0.2, 0]\nnegate: 0\n");
  same_without_files(HEAD "{\"map\": \"room.yaml\"}" FLAT_CROWD "}",
                     (const char *const[]){"room.pgm", "room.yaml", NULL});
}

static void a_shape_of_a_group_is_packed(void **unused) {
  (void)unused;
  put_picture("shape.pgm");
  same_without_files(HEAD "{\"outline\": [{\"rectangle\": [[0, 0], [12, 12]]}]}" FLAT_CROWD
                          ", \"groups\": [{\"name\": \"g\", \"populations\": [\"all\"], \"image\": {\"file\": "
                          "\"shape.pgm\", \"metres_per_pixel\": 0.4}}]}",
                     (const char *const[]){"shape.pgm", NULL});
}

#define MESH_CROWD                                                                                               \
  ", \"goals\": [{\"name\": \"exit\", \"disc\": {\"centre\": [9, 5, 0], \"radius\": 0.7}}], \"populations\": [{" \
  "\"name\": \"all\", \"positions\": [[2, 5, 0], [3, 4, 0], [2, 7, 0]], \"route\": [\"exit\"]}]}"

static void a_mesh_that_is_shifted_is_packed(void **unused) {
  (void)unused;
  put_floor("floor.obj", 691600.25, 5334000.5);
  same_without_files(HEAD "{\"mesh\": {\"file\": \"floor.obj\", \"shift\": [-691600, -5334000, 0]}}" MESH_CROWD,
                     (const char *const[]){"floor.obj", NULL});
}

/* A binary STL has 32 bits for a coordinate, so the shift is added behind it: the pack holds doubles. */
static void a_mesh_of_doubles_is_packed(void **unused) {
  (void)unused;
  uint8_t bytes[84 + 50 * 2] = {0};
  const float corner[2][9] = {{0, 0, 0, 10, 0, 0, 10, 10, 0}, {0, 0, 0, 10, 10, 0, 0, 10, 0}};
  bytes[80] = 2;
  for (int f = 0; f < 2; f++) memcpy(bytes + 84 + 50 * f + 12, corner[f], sizeof corner[f]);
  put_file("floor.stl", (const char *)bytes, sizeof bytes);
  same_without_files(HEAD "{\"mesh\": {\"file\": \"floor.stl\", \"shift\": [0.1, 0.01, 0.001]}}" MESH_CROWD,
                     (const char *const[]){"floor.stl", NULL});
}

/* Levels and terrains of a building that was written as a mesh, and the building itself. */
static void a_building_is_packed(void **unused) {
  (void)unused;
  static const char *const building =
      "{\"levels\": [{\"number\": 1, \"z\": 0, \"outline\": [{\"rectangle\": [[0, 0], [10, 10]]}], \"terrain\": [{"
      "\"name\": \"a <b> & c\", \"rectangle\": [[4, 0], [6, 10]], \"speed\": 0.3}]}], \"edge\": 1}";
  th_mesh_def def = th_default_mesh_def();
  th_building made;
  put_text("house.json", building);
  OK(th_building_load(&def, NULL, in_folder("house.json"), &made, &error));
  OK(th_building_save(&made, in_folder("house.ply"), &error));
  th_building_free(&made);
  same_without_files(HEAD "{\"mesh\": {\"file\": \"house.json\"}}" MESH_CROWD,
                     (const char *const[]){"house.json", NULL});
  same_without_files(HEAD "{\"mesh\": {\"file\": \"house.ply\"}}" MESH_CROWD, (const char *const[]){"house.ply", NULL});
}

/* Markers are read from a pack, and never written beside one. */
static void markers_are_packed(void **unused) {
  (void)unused;
  static const char *const text = HEAD
      "{\"outline\": [{\"rectangle\": [[0, 0], [12, 12]]}], \"markers\": {\"distance\": 0.3, \"seed\": 5, "
      "\"file\": \"hall.markers\"}}, \"populations\": [{\"name\": \"p\", \"count\": 4, \"region\": {"
      "\"rectangle\": [[1, 1], [8, 6]]}, \"model\": \"biocrowds\"}]}";
  th_scene *scene, *bare, *full;
  put_text("scene.json", text);
  OK(th_scene_load(in_folder("scene.json"), &scene, &error));
  char *without = packed(scene);
  const uint64_t hash = hash_after(scene, 20);
  char *with = packed(scene);
  assert_true(strlen(with) > strlen(without) + 1000);
  assert_int_equal(unlink(in_folder("hall.markers")), 0);
  OK(th_scene_parse(without, strlen(without), &bare, &error));
  OK(th_scene_parse(with, strlen(with), &full, &error));
  assert_true(hash_after(bare, 20) == hash && hash_after(full, 20) == hash);
  assert_int_not_equal(access(in_folder("hall.markers"), F_OK), 0);
  char *damaged = strstr(with, "\"bytes\": \"");
  damaged[10 + 200] = damaged[10 + 200] == 'A' ? 'B' : 'A';
  th_scene *wrong;
  th_ground *ground;
  th_error error;
  assert_int_equal(th_scene_parse(with, strlen(with), &wrong, NULL), TH_OK);
  assert_int_equal(th_scene_make_ground(wrong, &ground, &error), TH_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "damaged"));
  th_scene_free(wrong);
  th_scene_free(full);
  th_scene_free(bare);
  th_scene_free(scene);
  th_text_free(with);
  th_text_free(without);
}

/* ---------------------------------------------------------------- mistakes */

typedef struct mistake {
  const char *pack;
  th_result code;
  uint32_t line;
  const char *text; /* a part of the message */
} mistake;

#define SCENE                                                                                                        \
  "\"scene\": \"{\\\"version\\\": 1, \\\"name\\\": \\\"s\\\", \\\"duration\\\": 1, \\\"ground\\\": {\\\"image\\\": " \
  "{\\\"file\\\": "                                                                                                  \
  "\\\"a\\\", \\\"metres_per_pixel\\\": 1}}}\""

static const mistake mistakes[] = {
    {"{\"pack\": 2,\n \"scene\": \"{}\"}", TH_ERROR_RANGE, 1, "/pack"},
    {"{\"pack\": 1}", TH_ERROR_FORMAT, 1, "\"scene\""},
    {"{\"pack\": 1,\n \"scene\": \"{\\\"pack\\\": 1, \\\"scene\\\": \\\"{}\\\"}\"}", TH_ERROR_FORMAT, 1, "\"pack\""},
    {"{\"pack\": 1, \"scene\": \"{\\n\\\"version\\\": 1,\\n \\\"nmae\\\": 2}\"}", TH_ERROR_FORMAT, 3, "nmae"},
    {"{\"pack\": 1, " SCENE ",\n \"files\": [{\"name\": \"a\"}]}", TH_ERROR_FORMAT, 2, "exactly one of image"},
    {"{\"pack\": 1, " SCENE ",\n \"files\": [{\"name\": \"a\", \"image\": {\"width\": 3, \"height\": 2,\n \"grey\": "
     "\"AAAA\"}}]}",
     TH_ERROR_FORMAT, 3, "6 bytes in base64, found a text of 4"},
    {"{\"pack\": 1, " SCENE ",\n \"files\": [{\"name\": \"a\", \"image\": {\"width\": 200000, \"height\": 200000,\n "
     "\"grey\": \"AAAA\"}}]}",
     TH_ERROR_CAPACITY, 2, "pixels"},
    {"{\"pack\": 1, " SCENE ",\n \"files\": [{\"name\": \"a\", \"mesh\": {\"vertices\": 800000000, \"faces\": "
     "200000000, \"up\": \"z\", \"shift\": [0, 0, 0], \"metres_per_unit\": 1,\n \"floats\": \"AAAA\", \"corners\": "
     "\"AAAA\"}}]}",
     TH_ERROR_FORMAT, 3, "2400000000 bytes"},
    {"{\"pack\": 1, " SCENE ", \"files\": [{\"name\": \"a\", \"size\": 7,\n \"bytes\": \"AA*A\"}]}", TH_ERROR_FORMAT, 2,
     "7 bytes"},
};

static void mistakes_are_told_with_their_place(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
    const mistake *m = &mistakes[k];
    th_scene *scene;
    th_error error = {0};
    assert_int_equal(th_scene_parse(m->pack, strlen(m->pack), &scene, &error), m->code);
    if (error.line != m->line || !strstr(error.text, m->text)) fail_msg("%zu: line %u: %s", k, error.line, error.text);
  }
}

static void fails_at_ground(const char *pack, th_result code, const char *expected) {
  th_scene *scene;
  th_ground *ground;
  th_error why = {0};
  OK(th_scene_parse(pack, strlen(pack), &scene, &error));
  assert_int_equal(th_scene_make_ground(scene, &ground, &why), code);
  if (!strstr(why.text, expected)) fail_msg("%s", why.text);
  th_scene_free(scene);
}

static void what_is_not_in_a_pack_is_told(void **unused) {
  (void)unused;
  fails_at_ground("{\"pack\": 1, " SCENE "}", TH_ERROR_FILE, "image \"a\" in the pack, found none");
  fails_at_ground("{\"pack\": 1, " SCENE ", \"files\": [{\"name\": \"a\", \"text\": \"b\"}]}", TH_ERROR_FILE,
                  "it as something else");
}

/* Coordinates were shifted when they were read, so another shift cannot be had from a pack. */
static void a_mesh_is_not_read_in_another_way(void **unused) {
  (void)unused;
  th_scene *scene, *again;
  th_ground *ground;
  th_error why;
  OK(th_scene_load("scenes/notch.json", &scene, &error));
  char *pack = packed(scene);
  static const char *const set[] = {"ground.mesh.shift=[1,0,0]"};
  const th_scene_def def = {.text = pack, .length = strlen(pack), .set = set, .set_count = 1};
  OK(th_scene_make(&def, &again, &error));
  assert_int_equal(th_scene_make_ground(again, &ground, &why), TH_ERROR_STATE);
  assert_non_null(strstr(why.text, "pack the scene again"));
  th_scene_free(again);
  th_scene_free(scene);
  th_text_free(pack);
}

static th_result pack_and_read(const th_env *env, void *path) {
  th_scene *scene, *again;
  char *text = NULL;
  th_result result = th_scene_make(&(th_scene_def){.env = *env, .path = path}, &scene, NULL);
  if (result) return result;
  result = th_scene_pack(scene, &text, NULL);
  if (!result) result = th_scene_make(&(th_scene_def){.env = *env, .text = text, .length = strlen(text)}, &again, NULL);
  th_text_free(text);
  th_scene_free(scene);
  th_ground *ground;
  if (result) return result;
  result = th_scene_make_ground(again, &ground, NULL);
  if (!result) th_ground_release(ground);
  th_scene_free(again);
  return result;
}

static void every_allocation_may_fail(void **unused) {
  (void)unused;
  put_picture("room.pgm");
  put_text("room.json", HEAD "{\"image\": {\"file\": \"room.pgm\", \"metres_per_pixel\": 0.5}}" FLAT_CROWD "}");
  assert_true(failing_every(pack_and_read, (void *)(uintptr_t)in_folder("room.json")) > 10);
  put_floor("floor.obj", 0, 0);
  put_text("floor.json", HEAD "{\"mesh\": {\"file\": \"floor.obj\"}}" MESH_CROWD);
  assert_true(failing_every(pack_and_read, (void *)(uintptr_t)in_folder("floor.json")) > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_are_read_back),
      cmocka_unit_test(another_form_does_not_fit),
      cmocka_unit_test(every_golden_scene_is_the_same_from_its_pack),
      cmocka_unit_test(an_image_is_packed),
      cmocka_unit_test(a_robot_map_is_packed),
      cmocka_unit_test(a_shape_of_a_group_is_packed),
      cmocka_unit_test(a_mesh_that_is_shifted_is_packed),
      cmocka_unit_test(a_mesh_of_doubles_is_packed),
      cmocka_unit_test(a_building_is_packed),
      cmocka_unit_test(markers_are_packed),
      cmocka_unit_test(mistakes_are_told_with_their_place),
      cmocka_unit_test(what_is_not_in_a_pack_is_told),
      cmocka_unit_test(a_mesh_is_not_read_in_another_way),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
