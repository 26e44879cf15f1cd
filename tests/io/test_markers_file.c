/* tests/io/test_markers_file.c - markers saved and loaded: the same set, refused where it does not belong. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "support/folder.h"
#include "support/worlds.h"
#include "throng/markers.h"
#include "throng/scene.h"

static const th_markers *made(const th_ground *ground, const th_markers_def *def) {
  const th_markers *markers = NULL;
  OK(th_ground_markers(ground, def, 1, &markers, &error));
  return markers;
}

/* shows: BIO-03 */
static void a_loaded_set_is_the_saved_one(void **unused) {
  (void)unused;
  const th_markers_def defs[2] = {th_default_markers_def(), th_sparse_markers_def()};
  for (int k = 0; k < 2; k++) {
    th_ground *one = worlds_house(&(th_env){0}), *two = worlds_house(&(th_env){0}), *next = NULL, *fresh = NULL;
    const th_markers *markers = made(one, &defs[k]), *loaded = NULL;
    const char *path = in_folder("house.markers");
    OK(th_markers_save(one, markers, path, &error));
    OK(th_markers_load(two, path, &loaded, &error));
    assert_int_equal(th_markers_count(loaded), th_markers_count(markers));
    assert_memory_equal(th_markers_places(loaded), th_markers_places(markers),
                        sizeof(th_place) * th_markers_count(markers));
    assert_ptr_equal(made(two, &defs[k]), loaded); /* it is the ground's own now */
    const th_edit edit = {.kind = TH_EDIT_CLOSE, .name = "west"};
    OK(th_ground_edit(two, &edit, 1, &next, &error));
    OK(th_ground_edit(one, &edit, 1, &fresh, &error));
    assert_true(th_markers_hash(made(next, &defs[k])) == th_markers_hash(made(fresh, &defs[k])));
    /* not for another ground, nor when a byte is wrong */
    th_error error = {0};
    assert_int_equal(th_markers_load(fresh, path, &loaded, &error), TH_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "this ground"));
    FILE *file = fopen(path, "r+b");
    fseek(file, 200, SEEK_SET);
    fputc(fgetc(file) ^ 1, file);
    fclose(file);
    assert_int_equal(th_markers_load(one, path, &loaded, &error), TH_ERROR_FORMAT);
    assert_null(loaded);
    assert_int_equal(th_markers_load(one, "/nowhere/at/all", &loaded, &error), TH_ERROR_FILE);
    th_ground *all[] = {one, two, next, fresh};
    for (int n = 0; n < 4; n++) th_ground_release(all[n]);
  }
}

/* Four bytes too many, under a hash that is right: a file is as long as its numbers say. */
static void a_file_of_another_length_is_refused(void **unused) {
  (void)unused;
  const th_markers_def def = th_default_markers_def();
  th_ground *one = worlds_house(&(th_env){0}), *two = worlds_house(&(th_env){0});
  const th_markers *loaded = NULL;
  const char *path = in_folder("long.markers");
  OK(th_markers_save(one, made(one, &def), path, &error));
  size_t size;
  char *bytes = file_bytes(path, &size);
  bytes = realloc(bytes, size + 4);
  assert_non_null(bytes);
  memset(bytes + size - 8, 0, 4);
  th_hash hash = th_hash_begin(2);
  th_hash_bytes(&hash, bytes, size - 4);
  const uint64_t sum = th_hash_end(&hash);
  memcpy(bytes + size - 4, &sum, sizeof sum);
  FILE *file = fopen(path, "wb");
  assert_int_equal(fwrite(bytes, 1, size + 4, file), size + 4);
  fclose(file);
  free(bytes);
  assert_int_equal(th_markers_load(two, path, &loaded, NULL), TH_ERROR_FORMAT);
  th_ground_release(one);
  th_ground_release(two);
}

static const char text[] =
    "{\"version\": 1, \"name\": \"hall\", \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [9, 7]]}],"
    " \"markers\": {\"distance\": 0.3, \"seed\": 5, \"file\": \"%s\"}}, \"populations\": [{\"name\": \"p\", \"count\": "
    "4,"
    " \"region\": {\"rectangle\": [[1, 1], [8, 6]]}, \"model\": \"biocrowds\"}], \"duration\": 1}";

static void write_scene(const char *path, const char *file) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fprintf(out, text, file);
  fclose(out);
}

/* Making the world, as `throng check` does, reads; a run writes. */
static void a_scene_keeps_its_markers(void **unused) {
  (void)unused;
  char scene_path[512], path[512];
  snprintf(scene_path, sizeof scene_path, "%s", in_folder("hall.json"));
  snprintf(path, sizeof path, "%s", in_folder("hall.markers"));
  write_scene(scene_path, "hall.markers");
  uint64_t hash[2];
  for (int k = 0; k < 2; k++) {
    th_scene *scene;
    th_run *run;
    OK(th_scene_load(scene_path, &scene, &error));
    OK(th_run_make(&(th_run_def){.scene = scene}, &run, &error));
    th_world_step(th_run_world(run));
    assert_int_equal(access(path, F_OK), k - 1);
    OK(th_run_step(run, &error));
    assert_int_equal(access(path, F_OK), 0);
    const th_ground *ground = th_world_ground(th_run_world(run));
    const th_markers_def def = th_ground_markers_def(ground);
    assert_true(def.distance == 0.3f && def.seed == 5);
    hash[k] = th_markers_hash(made(ground, &def));
    th_run_free(run);
    th_scene_free(scene);
  }
  assert_true(hash[0] == hash[1]);
}

/* A scene of a stranger does not choose where files appear. */
static void markers_are_kept_beside_the_scene(void **unused) {
  (void)unused;
  static const char *const file[] = {"../hall.markers", "a/../../hall.markers", "..", "/tmp/hall.markers"};
  char scene_path[512];
  snprintf(scene_path, sizeof scene_path, "%s", in_folder("stranger.json"));
  for (size_t k = 0; k < sizeof file / sizeof *file; k++) {
    th_scene *scene;
    th_ground *ground;
    th_error why = {0};
    write_scene(scene_path, file[k]);
    OK(th_scene_load(scene_path, &scene, &error));
    assert_int_equal(th_scene_make_ground(scene, &ground, &why), TH_ERROR_RANGE);
    assert_non_null(strstr(why.text, "beside the scene"));
    th_scene_free(scene);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loaded_set_is_the_saved_one), cmocka_unit_test(a_file_of_another_length_is_refused),
      cmocka_unit_test(a_scene_keeps_its_markers), cmocka_unit_test(markers_are_kept_beside_the_scene)};
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
