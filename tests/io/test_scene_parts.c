/* tests/io/test_scene_parts.c - what a scene holds is read through public calls: every list, each entry's name, shape
 * and text, and the defs. */
#include <dirent.h>
#include <stdlib.h>

#include "support/allocator.h"
#include "support/scene_runs.h"
#include "throng/group.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "throng/model/bvp.h"

static const char text[] =
    "{\"version\": 1, \"name\": \"parts\", \"duration\": 5, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, "
    "10]]}], "
    "\"doors\": [{\"name\": \"gate\", \"closed\": true, \"rectangle\": [[8, 0], [9, 10]]}]}, \"goals\": [{\"name\": "
    "\"a\", "
    "\"point\": [4, 2]}, {\"name\": \"b\", \"line\": [[8, 2], [9, 3]]}], \"guides\": [{\"name\": \"way\", \"path\": "
    "{\"points\": "
    "[[1, 1], [2, 2]]}}], \"populations\": [{\"name\": \"p\", \"positions\": [[2, 2], [3, 3]], \"speed\": {\"from\": "
    "1, \"to\": "
    "2}, \"model\": \"bvp\", \"route\": [{\"goal\": \"b\", \"wait\": 6}]}, {\"name\": \"q\", \"count\": 7, \"region\": "
    "{\"disc\": "
    "{\"centre\": [15, 5], \"radius\": 2}}}], \"sources\": [{\"name\": \"in\", \"rate\": 2, \"region\": "
    "{\"rectangle\": [[1, 1], "
    "[3, 3]]}}], \"groups\": [{\"name\": \"g\", \"populations\": [\"p\"], \"factor\": 3}], \"events\": [{\"at\": 1, "
    "\"open\": "
    "\"gate\"}], \"measure\": {\"lines\": [{\"name\": \"l\", \"from\": [1, 1], \"to\": [2, 2]}]}, \"expect\": "
    "{\"agents\": %s}}";

static void lists_have_the_names_of_the_file(void **state) {
  (void)state;
  scene_run s = scene_run_make(text, "9", (th_run_def){.seed = 0});
  static const struct {
    const char *list;
    uint32_t count;
    const char *name;
    bool shape;
  } all[] = {{"goals", 2, "a", true},           {"guides", 1, "way", false},
             {"populations", 2, "p", false},    {"sources", 1, "in", true},
             {"groups", 1, "g", false},         {"events", 1, NULL, false},
             {"ground.outline", 1, NULL, true}, {"ground.doors", 1, "gate", true},
             {"measure.lines", 1, "l", false},  {"ground.obstacles", 0, NULL, false}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    th_shape shape;
    assert_int_equal(th_scene_part_count(s.scene, all[i].list), all[i].count);
    const char *name = th_scene_part_name(s.scene, all[i].list, 0);
    assert_true(all[i].name ? name && !strcmp(name, all[i].name) : !name);
    assert_true(th_scene_part_shape(s.scene, all[i].list, 0, &shape) == all[i].shape);
    assert_null(th_scene_part_name(s.scene, all[i].list, all[i].count));
    assert_null(th_scene_part_text(s.scene, all[i].list, all[i].count));
  }
  static const char *const none[] = {
      "", "name", "goals.a", "nothing", "ground", "ground.mesh.terrain", "ground..doors"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_int_equal(th_scene_part_count(s.scene, none[i]), 0);
  scene_run_free(&s);
}

static void assert_text(const th_scene *scene, const char *list, uint32_t entry, const char *expected) {
  char *found = th_scene_part_text(scene, list, entry);
  assert_non_null(found);
  assert_string_equal(found, expected);
  th_text_free(found);
}

static void an_entry_is_told_as_json(void **state) {
  (void)state;
  scene_run s = scene_run_make(text, "9", (th_run_def){.seed = 0});
  th_shape shape;
  assert_text(s.scene, "goals", 1, "{\"name\": \"b\", \"line\": [[8, 2], [9, 3]]}");
  assert_text(s.scene, "events", 0, "{\"at\": 1, \"open\": \"gate\"}");
  assert_text(s.scene, "expect", 0, "{\"agents\": 9}");
  assert_text(s.scene, "populations", 1,
              "{\"name\": \"q\", \"count\": 7, \"region\": {\"disc\": {\"centre\": [15, 5], \"radius\": 2}}}");
  assert_true(th_scene_part_shape(s.scene, "populations", 1, &shape) && shape.kind == TH_SHAPE_POLYGON);
  assert_true(th_scene_part_shape(s.scene, "goals", 1, &shape) && shape.kind == TH_SHAPE_LINE && shape.count == 2);
  scene_run_free(&s);
}

static void defs_are_those_of_the_scene(void **state) {
  (void)state;
  scene_run s = scene_run_make(text, "9", (th_run_def){.seed = 0});
  th_agent_def def;
  th_agent_spread spread;
  th_source_def source;
  th_group_def group;
  assert_true(th_scene_population_def(s.scene, 0, &def, &spread));
  assert_true(def.model == &th_model_bvp && def.route_count == 1 && def.route[0].wait == 6.0f && def.people);
  assert_true(spread.speed.kind == TH_SPREAD_UNIFORM && spread.speed.max == 2.0f);
  assert_int_equal(th_scene_population_size(s.scene, 0), 2);
  assert_true(th_scene_population_positions(s.scene, 0)[1].x == 3.0f);
  assert_int_equal(th_scene_population_size(s.scene, 1), 7);
  assert_null(th_scene_population_positions(s.scene, 1));
  assert_false(th_scene_population_def(s.scene, 2, &def, &spread));
  assert_int_equal(th_scene_population_size(s.scene, 2), 0);
  assert_true(th_scene_source_def(s.scene, 0, &source) && source.rate == 2.0f && source.region.count == 4);
  assert_false(th_scene_source_def(s.scene, 1, &source));
  assert_ptr_equal(th_scene_guide_kind(s.scene, 0), &th_guide_path);
  assert_int_equal(((const th_path_params *)th_scene_guide_params(s.scene, 0))->count, 2);
  assert_null(th_scene_guide_kind(s.scene, 1));
  assert_true(th_scene_group_def(s.scene, 0, &group) && group.factor == 3.0f);
  assert_false(th_scene_group_def(s.scene, 1, &group));
  assert_true(th_scene_door_closed(s.scene, 0) && !th_scene_door_closed(s.scene, 1));
  scene_run_free(&s);
}

static void terrains_of_a_mesh_are_a_list(void **state) {
  (void)state;
  static const char mesh[] =
      "{\"version\": 1, \"name\": \"m\", \"duration\": 5, \"ground\": {\"mesh\": {\"make\": {\"shape\": \"plane\"}, "
      "\"terrain\": [{\"name\": \"mud\", \"speed\": %s, \"everywhere\": true}]}}}";
  scene_run s = scene_run_make(mesh, "0.5", (th_run_def){.seed = 0});
  th_shape shape;
  assert_int_equal(th_scene_part_count(s.scene, "ground.mesh.terrain"), 1);
  assert_string_equal(th_scene_part_name(s.scene, "ground.mesh.terrain", 0), "mud");
  assert_true(th_scene_part_shape(s.scene, "ground.mesh.terrain", 0, &shape) && shape.kind == TH_SHAPE_DISC);
  assert_text(s.scene, "ground.mesh.terrain", 0, "{\"name\": \"mud\", \"speed\": 0.5, \"everywhere\": true}");
  scene_run_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_have_the_names_of_the_file),
      cmocka_unit_test(an_entry_is_told_as_json),
      cmocka_unit_test(defs_are_those_of_the_scene),
      cmocka_unit_test(terrains_of_a_mesh_are_a_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
