/* tests/world/mesh/test_climb.c - up and down a slope, and across it, people walk at speeds of their own. */
#include "support/mesh_worlds.h"
#include "throng/building.h"
#include "throng/guide.h"
#include "throng/mesh_file.h"
#include "throng/model/bvp.h"
#include "throng/model/orca.h"
#include "throng/scene.h"

/* A plane that climbs along x by `degrees`. */
static th_ground *slope(const th_env *env, float degrees, th_mesh_ground_def def) {
  th_make_params plane = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  plane.length = 30.0f, plane.width = 20.0f;
  th_mesh mesh;
  th_ground *ground;
  plane.env = *env;
  OK(th_mesh_generate(&plane, &mesh, &error));
  const double rise = tan((double)degrees / 57.29577951308232);
  for (uint32_t v = 0; v < mesh.vertex_count; v++) mesh.xyz[3 * v + 2] = rise * mesh.xyz[3 * v];
  def.env = *env;
  def.mesh = &mesh;
  OK(th_ground_make_mesh(&def, &ground, &error));
  th_mesh_free(&mesh);
  return ground;
}

/* Everybody walks along the direction that `user` holds, seen from above. */
static void along(void *user, const th_guide_query *q) {
  const th_vec2 *d = user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_place place = {q->cell[lane], q->x[lane], q->y[lane]};
    th_vec2 to = th_ground_to_cell(q->ground, place, (th_vec3){d->x, d->y, 0.0f});
    q->want[lane] = (th_guide_answer){.dx = to.x, .dy = to.y, .left = 100.0f, .state = TH_ANSWER_LEAD};
  }
}

/* The speed that somebody who wants 1 m/s walks at in a direction seen from above. */
static float pace(th_ground *ground, const th_env *env, const th_model *model, th_vec2 direction) {
  th_world *world = worlds_make(ground, env);
  th_user_guide_params host = {along, &direction};
  th_agent_def def = worlds_agent_def(15, 10, NOWHERE);
  OK(th_world_add_guide(world, &th_guide_user, &host, &def.guide, &error));
  def.speed = 1.0f;
  def.model = model;
  th_agent_id id = worlds_add(world, &def);
  worlds_steps(world, 30);
  th_vec3 v = th_world_agent_velocity(world, id);
  th_world_free(world);
  return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static void assert_pace(float found, float expected) {
  if (!(fabsf(found - expected) < 2e-3f)) fail_msg("%g m/s, not %g", (double)found, (double)expected);
}

static void stairs_have_a_speed_up_and_one_down(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  const th_terrain stairs = {"stairs", 0.8f, false, 0.5f, 0.7f};
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.terrain = &stairs, def.terrain_count = 1;
  th_ground *ground = slope(&env, 30.0f, def);
  static const th_model *const models[] = {&th_model_follow, &th_model_orca, &th_model_bvp}; /* walk as they want to */
  for (size_t i = 0; i < 3; i++) {
    const th_model *const *model = &models[i];
    assert_pace(pace(ground, &env, *model, (th_vec2){1, 0}), 0.5f);
    assert_pace(pace(ground, &env, *model, (th_vec2){-1, 0}), 0.7f);
    assert_pace(pace(ground, &env, *model, (th_vec2){0, 1}), 0.8f);
  }
  /* half way between up and across, on the surface: 0.8 + (0.5 - 0.8) cos 45 degrees */
  const float c = sqrtf(0.75f);
  assert_pace(pace(ground, &env, &th_model_follow, (th_vec2){1, c}), 0.8f - 0.3f * sqrtf(0.5f));
  assert_int_equal(h.faults, 0);
  th_ground_release(ground);
}

static void slopes_slow_by_their_angle(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.slope_up = 0.9f, def.slope_down = -0.3f;
  for (int i = 0; i < 3; i++) {
    const float degrees = 15.0f * (float)i;
    th_ground *ground = slope(&env, degrees, def);
    assert_pace(pace(ground, &env, &th_model_orca, (th_vec2){1, 0}), 1.0f - 0.9f * degrees / 90.0f);
    assert_pace(pace(ground, &env, &th_model_orca, (th_vec2){-1, 0}), 1.0f + 0.3f * degrees / 90.0f);
    assert_pace(pace(ground, &env, &th_model_orca, (th_vec2){0, 1}), 1.0f);
    th_ground_release(ground);
  }
  def.slope_up = 1.5f;
  th_ground *none = NULL;
  th_error refused = {0};
  th_make_params plane = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  th_mesh mesh;
  plane.env = env;
  OK(th_mesh_generate(&plane, &mesh, &error));
  def.mesh = &mesh;
  assert_int_equal(th_ground_make_mesh(&def, &none, &refused), TH_ERROR_RANGE);
  assert_non_null(strstr(refused.where, "slope_up"));
  th_mesh_free(&mesh);
}

/* Flat faces of the terrain, such as a landing, have its plain speed. */
static void a_landing_knows_no_up(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  const th_terrain stairs = {"stairs", 0.8f, false, 0.5f, 0.7f};
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.terrain = &stairs, def.terrain_count = 1;
  th_ground *ground = slope(&env, 0.0f, def);
  assert_pace(pace(ground, &env, &th_model_follow, (th_vec2){1, 0}), 0.8f);
  assert_true(fabsf(th_ground_speed_along(ground, 0, (th_vec2){0, 0}) - 0.8f) < 1e-6f);
  th_ground_release(ground);
}

static const char house[] =
    "{\"version\": 1, \"name\": \"stairs\", \"duration\": 60, \"ground\": {\"mesh\": {\"building\": {\n"
    " \"levels\": [{\"number\": 1, \"z\": 0, \"outline\": [{\"rectangle\": [[0, 0], [4, 2]]}]},\n"
    "  {\"number\": 2, \"z\": 3, \"outline\": [{\"rectangle\": [[8, 0], [12, 2]]}]}],\n"
    " \"stairs\": [{\"from\": 1, \"to\": 2, \"rectangle\": [[4, 0], [8, 2]], \"rises\": \"east\",\n"
    "  \"speed\": 0.9, \"speed_up\": 0.4, \"speed_down\": 0.6}]}}},\n"
    " \"goals\": [{\"name\": \"up\", \"point\": [11, 1, 3], \"field\": \"geodesic\"},\n"
    "  {\"name\": \"down\", \"point\": [1, 1, 0], \"field\": \"geodesic\"}],\n"
    " \"populations\": [{\"name\": \"u\", \"positions\": [[1, 0.5, 0]], \"route\": [\"up\"], \"speed\": 1},\n"
    "  {\"name\": \"d\", \"positions\": [[11, 1.5, 3]], \"route\": [\"down\"], \"speed\": 1}]}";

/* The flight is 5 m long: 12.5 s up and 8.3 s down. */
static void a_scene_has_stairs_with_two_speeds(void **state) {
  (void)state;
  th_scene *scene = NULL;
  th_run *run = NULL;
  OK(th_scene_parse(house, strlen(house), &scene, &error));
  OK(th_run_make(&(th_run_def){.scene = scene}, &run, &error));
  th_world *world = th_run_world(run);
  th_agent_id id[2] = {th_world_agents(world).id[0], th_world_agents(world).id[1]};
  double on_stairs[2] = {0};
  while (!th_run_done(run)) {
    OK(th_run_step(run, &error));
    for (int i = 0; i < 2; i++) {
      if (!th_world_has_agent(world, id[i])) continue;
      const float x = th_world_agent_point(world, id[i]).x;
      on_stairs[i] += x > 4.0f && x < 8.0f ? 0.1 : 0.0;
    }
  }
  if (fabs(on_stairs[0] - 12.5) > 0.4 || fabs(on_stairs[1] - 8.33) > 0.4)
    fail_msg("%g s up, %g s down", on_stairs[0], on_stairs[1]);
  th_run_free(run);
  th_scene_free(scene);
}

/* The two speeds survive a mesh file. */
static void files_keep_both_speeds(void **state) {
  (void)state;
  static const char *const path[2] = {"/tmp/throng-climb-test.obj", "/tmp/throng-climb-test.ply"};
  th_scene *scene = NULL;
  OK(th_scene_parse(house, strlen(house), &scene, &error));
  for (int i = 0; i < 2; i++) {
    th_building made, read;
    th_mesh_def def = th_default_mesh_def();
    OK(th_scene_make_building(scene, &made, &error));
    OK(th_building_save(&made, path[i], &error));
    OK(th_building_load(&def, NULL, path[i], &read, &error));
    remove(path[i]);
    uint32_t climbing = 0;
    assert_int_equal(read.terrain_count, made.terrain_count);
    for (uint32_t k = 0; k < read.terrain_count; k++) {
      assert_true(read.terrain[k].speed_up == made.terrain[k].speed_up);
      assert_true(read.terrain[k].speed_down == made.terrain[k].speed_down);
      climbing += read.terrain[k].speed_up == 0.4f && read.terrain[k].speed_down == 0.6f;
    }
    assert_int_equal(climbing, 1);
    th_building_free(&read);
    th_building_free(&made);
  }
  th_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stairs_have_a_speed_up_and_one_down),
      cmocka_unit_test(slopes_slow_by_their_angle),
      cmocka_unit_test(a_landing_knows_no_up),
      cmocka_unit_test(a_scene_has_stairs_with_two_speeds),
      cmocka_unit_test(files_keep_both_speeds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
