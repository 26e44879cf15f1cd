/* tests/whole/test_plans.c - everybody leaves: random floor plans that nobody chose, and rows of seats.
 *
 * The plans are those of seeds 1 to 24 (support/random_plan.h). Rows of seats that empty into an aisle are the plan in
 * which people once stood for ever at the ends of rows, led against each other by the field's exits of blocked cells:
 * gaps of 0.5 to 0.7 m on several rasters.
 */
#include "support/allocator.h"
#include "support/plan_run.h"
#include "support/slow.h"

enum { PLANS = 24 };

static void run_plans(const plan_scene_def *def) {
  uint32_t people = 0;
  for (uint64_t seed = 1; seed <= PLANS; seed++) {
    plan_result r;
    if (plan_run(seed, *def, &r) != TH_OK) fail_msg("plan %llu: %s", (unsigned long long)seed, r.error.text);
    if (r.pathless) fail_msg("plan %llu: %u people have no path", (unsigned long long)seed, r.pathless);
    if (r.left)
      fail_msg("plan %llu: %u of %u people left after %.0f s, first at (%.2f, %.2f, %.2f)", (unsigned long long)seed,
               r.left, r.people, r.time, (double)r.first.x, (double)r.first.y, (double)r.first.z);
    people += r.people;
  }
  print_message("%u people of %d plans\n", people, PLANS);
}

/* The default model empties every plan on flat ground. */
static void everybody_leaves_flat_plans(void **state) {
  (void)state;
  run_plans(&(plan_scene_def){.model = "orca"});
}

/* So does bvp. */
static void bvp_leaves_flat_plans(void **state) {
  (void)state;
  run_plans(&(plan_scene_def){.model = "bvp"});
}

/* The same plans as meshes, with upper floors. */
static void everybody_leaves_mesh_plans(void **state) {
  (void)state;
  run_plans(&(plan_scene_def){.model = "orca", .mesh = true});
}

/* One who walks along the field alone, with a body smaller than its class, in steps of 5 cm. */
static bool walks_out(const th_ground *ground, const th_field *field, th_place place) {
  const double max = 120.0 * (double)th_field_gradient_at(field, place).left + 2000.0;
  for (double n = 0.0; n < max; n += 1.0) {
    const th_field_gradient s = th_field_gradient_at(field, place);
    if (s.left <= 0.3f) return true;
    th_ground_walk(ground, &place, (th_vec2){0.05f * s.dx, 0.05f * s.dy}, 0.2f, NULL);
  }
  return false;
}

static uint32_t walk_from_all_faces(uint64_t seed, const char *kind) {
  plan_crowd crowd = {0};
  double exit_width;
  const plan_scene_def def = {.model = "orca", .mesh = true, .field = kind, .duration = 1.0};
  char *text = plan_scene_text(seed, &def, &crowd, &exit_width);
  th_scene *scene = NULL;
  th_ground *ground = NULL;
  th_solver *solver = NULL;
  th_field *field = NULL;
  assert_int_equal(th_scene_parse(text, strlen(text), &scene, NULL), TH_OK);
  assert_int_equal(th_scene_make_ground(scene, &ground, NULL), TH_OK);
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = ground}, &solver, NULL), TH_OK);
  const th_field_def to = th_scene_goal_field(scene, 0, ground, 0.2f);
  assert_int_equal(th_field_make(solver, &to, &field, NULL), TH_OK);
  uint32_t walks = 0;
  for (uint32_t f = 0; f < th_ground_mesh(ground)->face_count; f++) {
    const th_place place = th_ground_place_of(ground, f, (th_vec3){0.34f, 0.33f, 0.33f});
    if (!th_field_reaches(field, place) || th_ground_clearance_at(ground, place) < 0.2f) continue;
    if (!walks_out(ground, field, place))
      fail_msg("plan %llu, %s: the walk from face %u ends nowhere", (unsigned long long)seed, kind, f);
    walks++;
  }
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
  th_scene_free(scene);
  free(text);
  return walks;
}

/* Blocked faces and those at corners too: nobody is led back, or to the tip of a corner, as at the pillars of plans 52
 * and 61. */
static void fields_lead_out_of_mesh_plans(void **state) {
  (void)state;
  static const uint64_t seed[] = {52, 61, 1, 2, 3, 4, 5, 6, 7, 8, 22};
  uint32_t walks = 0;
  for (uint32_t k = 0; k < LONG_RUN(sizeof seed / sizeof *seed, 1u); k++)
    walks += walk_from_all_faces(seed[k], "roomy") + walk_from_all_faces(seed[k], "geodesic");
  print_message("%u walks\n", walks);
}

/* 16 rows, `gap` apart, beside an aisle of 2.5 m. */
static char *rows_of_seats(double gap, double cell) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  fprintf(out,
          "{\"version\": 1, \"name\": \"rows\", \"duration\": 300, \"ground\": {\"cell\": %g, \"outline\": ", cell);
  fprintf(out, "[{\"rectangle\": [[0, 0], [10.5, 26]]}], \"obstacles\": [");
  for (int k = 0; k < 16; k++) {
    const double y = 8.0 + (0.4 + gap) * k;
    fprintf(out, "%s{\"rectangle\": [[0, %g], [8, %g]]}", k ? ", " : "", y, y + 0.4);
  }
  fprintf(out,
          "]}, \"goals\": [{\"name\": \"out\", \"line\": [[1, 1], [4, 1]], \"sink\": true, \"field\": "
          "\"geodesic\"}], \"populations\": [{\"name\": \"people\", \"count\": 120, \"region\": {\"rectangle\": ");
  fprintf(out, "[[0, 8], [8, %g]]}, \"route\": [\"out\"], \"speed\": {\"mean\": 1.2, \"spread\": 0.2}}]}",
          8.0 + (0.4 + gap) * 16);
  assert_int_equal(fclose(out), 0);
  return text;
}

static uint32_t left_in_rows(double gap, double cell, uint64_t seed) {
  char *text = rows_of_seats(gap, cell);
  th_scene *scene = NULL;
  th_run *run = NULL;
  assert_int_equal(th_scene_parse(text, strlen(text), &scene, NULL), TH_OK);
  th_run_def def = th_default_run_def();
  def.scene = scene, def.seed = seed, def.workers = 1;
  assert_int_equal(th_run_make(&def, &run, NULL), TH_OK);
  while (!th_run_done(run)) assert_int_equal(th_run_step(run, NULL), TH_OK);
  const uint32_t left = th_world_agents(th_run_world(run)).count;
  th_run_free(run);
  th_scene_free(scene);
  free(text);
  return left;
}

/* Nobody stays at the end of a row, whatever the raster. */
static void rows_of_seats_empty(void **state) {
  (void)state;
  static const double gap[3] = {0.5, 0.6, 0.7}, cell[3] = {0.0625, 0.1, 0.125};
  for (int k = 0; k < 9; k++)
    for (uint64_t seed = 1; seed <= 2; seed++) {
      const uint32_t left = left_in_rows(gap[k / 3], cell[k % 3], seed);
      if (left)
        fail_msg("rows %g m apart, cells of %g m, seed %llu: %u people stay", gap[k / 3], cell[k % 3],
                 (unsigned long long)seed, left);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everybody_leaves_flat_plans), cmocka_unit_test(bvp_leaves_flat_plans),
      cmocka_unit_test(everybody_leaves_mesh_plans), cmocka_unit_test(fields_lead_out_of_mesh_plans),
      cmocka_unit_test(rows_of_seats_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
