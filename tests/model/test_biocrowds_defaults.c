/* tests/model/test_biocrowds_defaults.c - every parameter of BioCrowds and Tree Paths that the specification lists,
 * with its default and a way to change it without compiling: by its name in a table of parameters, or by a key of
 * scenes. */
#include "support/scene_runs.h"
#include "support/worlds.h"
#include "throng/group.h"
#include "throng/guide.h"
#include "throng/guide/tree.h"
#include "throng/markers.h"
#include "throng/model/biocrowds.h"

typedef struct entry {
  const char *name;
  double listed;
} entry;

/* Of a table: defaults as listed, and each takes another value by name. */
static void check(const th_param *param, uint32_t count, void *values, const entry *list, uint32_t entries) {
  for (uint32_t i = 0; i < entries; i++) {
    const th_param *row = NULL;
    for (uint32_t k = 0; k < count; k++)
      if (!strcmp(param[k].name, list[i].name)) row = &param[k];
    assert_non_null(row);
    if (fabs(row->initial - list[i].listed) > 1e-6)
      fail_msg("%s: the default is %g, not %g", row->name, row->initial, list[i].listed);
    char text[32];
    const double other = list[i].listed * 0.9 >= row->min ? list[i].listed * 0.9 : list[i].listed * 1.1;
    snprintf(text, sizeof text, row->type == TH_PARAM_INT ? "%.0f" : "%g",
             row->type == TH_PARAM_INT ? list[i].listed + 1 : other);
    OK(th_param_set(param, count, values, row->name, text, &error));
    float number;
    int32_t whole;
    memcpy(&number, (const char *)values + row->offset, sizeof number);
    memcpy(&whole, (const char *)values + row->offset, sizeof whole);
    const double now = row->type == TH_PARAM_INT ? (double)whole : (double)number;
    assert_true(fabs(now - (row->type == TH_PARAM_INT ? list[i].listed + 1 : other)) < 1e-5);
  }
}

#define COUNT(list) (uint32_t)(sizeof(list) / sizeof *(list))

/* P2, P3, P6; P8 to P12, P14, P15, and of P19 to P24 reach, arrival at a node and children. */
/* shows: BIO-70 */
static void parameters_of_the_model_and_of_trees(void **state) {
  (void)state;
  static const entry model[] = {{"rate", 30}, {"radius", 1.25}, {"step", 0.4}};
  static const entry tree[] = {{"action", 2.75},    {"restriction", 1.75}, {"segment", 0.6}, {"spacing", 1.5},
                               {"jitter", 0.1},     {"adjust", 10},        {"cut", 2.5},     {"reach", 1.75},
                               {"node_reach", 0.3}, {"children", 8}};
  th_biocrowds_params p = th_default_biocrowds_params();
  assert_true(p.limit == TH_BIOCROWDS_SLOWING && !p.body);
  check(th_model_biocrowds.param, th_model_biocrowds.param_count, &p, model, COUNT(model));
  th_tree_params t = th_default_tree_params();
  assert_true(t.growth == TH_TREE_COLONISE && !t.collaborate && !t.wander);
  check(th_guide_tree.param, th_guide_tree.param_count, &t, tree, COUNT(tree));
}

static uint32_t markers_of(const th_markers_def *def, float side) {
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, side, side, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline, flat.outline_count = 1;
  th_ground *ground;
  OK(th_ground_make_flat(&flat, &ground, &error));
  const th_markers *markers;
  OK(th_ground_markers(ground, def, 0, &markers, &error));
  const uint32_t count = th_markers_count(markers);
  th_ground_release(ground);
  return count;
}

/* P4, P5, P11, P12, P13: distances of markers, and the densities that follow from them. */
/* shows: BIO-70 */
static void markers_and_their_density(void **state) {
  (void)state;
  th_markers_def dense = th_default_markers_def(), sparse = th_sparse_markers_def();
  assert_true(dense.distance == 0.2f && dense.layout == TH_MARKERS_RANDOM);
  assert_true(sparse.distance == 1.5f && sparse.noise == 0.1f && sparse.layout == TH_MARKERS_GRID);
  const double of_dense = markers_of(&dense, 24) / 576.0, of_sparse = markers_of(&sparse, 45) / 2025.0;
  print_message("%.2f and %.3f markers per m2\n", of_dense, of_sparse);
  assert_true(fabs(of_dense - 17.5) < 0.05 * 17.5);
  assert_true(fabs(of_sparse - 0.4) < 0.15 * 0.4); /* 1 / 1.5^2 is 0.44 */
  dense.distance = 0.4f;
  assert_true(markers_of(&dense, 24) / 576.0 < 0.3 * of_dense);
}

/* P16, P22, P23 as listed. Two differ on purpose: arms are 3.2 m long instead of 2.5 m (P21, see BIO-60), and agents
 * walk at 1.34 m/s instead of 1.8 m/s (P7), as those of all models do. All are keys of scenes. */
/* shows: BIO-70 */
static void groups_and_agents(void **state) {
  (void)state;
  const th_group_def def = th_default_group_def();
  assert_true(def.factor == 10.0f && def.half_width == 0.3f && def.base == 1.0f);
  assert_true(2.0f * def.spacing == 3.2f);
  assert_true(th_default_agent_def().speed == 1.34f && th_default_body_def().speed == 1.34f);
  static const char scene[] =
      "{\"version\": 1, \"name\": \"listed\", \"duration\": 1, \"people\": false, \"dt\": 0.0333,"
      " \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [46, 32]]}], \"markers\": {\"distance\": 0.3}},"
      " \"populations\": [{\"name\": \"red\", \"model\": \"biocrowds\", \"speed\": 1.8, \"positions\": [[2, 2], [3, "
      "4]],"
      " \"params\": {\"radius\": 1.5, \"step\": 0.5, \"rate\": 20}}],"
      " \"groups\": [{\"name\": \"dance\", \"populations\": [\"red\"], \"align\": \"both\", \"factor\": 7, "
      "\"spacing\": 1.25,"
      " \"half_width\": 0.2, \"base\": 2, \"area\": [{\"rectangle\": [[8, 4], [12, 8]]}]}]%s}";
  scene_run f;
  th_error error = {0};
  if (scene_run_try(scene, "", (th_run_def){.seed = 0}, &f, &error)) fail_msg("%u: %s", error.line, error.text);
  const th_world *world = th_run_world(f.run);
  th_group_id id;
  th_group_def now;
  assert_int_equal(th_world_groups(world, &id, 1), 1);
  assert_true(th_world_group_def(world, id, &now));
  assert_true(now.factor == 7.0f && now.spacing == 1.25f && now.half_width == 0.2f && now.base == 2.0f);
  th_agent_def one;
  assert_true(th_world_agent_def(world, th_world_agents(world).id[0], &one));
  const th_biocrowds_params *params = one.params;
  assert_true(one.speed == 1.8f && params->radius == 1.5f && params->step == 0.5f && params->rate == 20.0f);
  scene_run_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parameters_of_the_model_and_of_trees),
                                     cmocka_unit_test(markers_and_their_density), cmocka_unit_test(groups_and_agents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
