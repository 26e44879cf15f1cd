/* tests/ground/test_building.c - buildings: floors, flights and lifts become one mesh that people walk on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/meshes.h"
#include "throng/building.h"
#include "throng/mesh_file.h"
#include "throng/scene.h"

static const th_vec2 hall[] = {{0, 0}, {12, 0}, {12, 8}, {0, 8}};
static const th_polygon halls[] = {{NULL, hall, 4}};

typedef struct house {
  th_level_def level[3];
  th_flight_def flight[2];
  th_lift_def lift;
  th_building_def def;
} house;

static const int32_t served[] = {1, 2, 3};

static house *three_floors(house *h) {
  *h = (house){.level = {{"low", 1, 0, halls, 1, NULL, 0, NULL, 0},
                         {"middle", 2, 3, halls, 1, NULL, 0, NULL, 0},
                         {"high", 3, 6, halls, 1, NULL, 0, NULL, 0}},
               .flight = {{"one", "stairs", 1, 2, {{2, 1}, {2, 2.5f}}, {{7, 1}, {7, 2.5f}}, 0.6f, 0, 0},
                          {"two", "ramp", 3, 2, {{2, 5}, {2, 6.5f}}, {{8, 5}, {8, 6.5f}}, 0.8f, 0, 0}},
               .lift = {"lift", {{9.5f, 5.5f}, {11.5f, 7.5f}}, TH_SIDE_SOUTH, served, 3, 1.0f, 5.0f, 1.34f}};
  h->def = th_default_building_def();
  h->def.level = h->level, h->def.level_count = 3;
  h->def.flight = h->flight, h->def.flight_count = 2;
  h->def.lift = &h->lift, h->def.lift_count = 1;
  return h;
}

static th_building built(const th_building_def *def) {
  th_building b;
  th_error error = {0};
  if (th_building_make(def, &b, &error) != TH_OK) fail_msg("%s %u: %s", error.where, error.element, error.text);
  return b;
}

static void floors_flights_and_lift_are_one_piece(void **state) {
  (void)state;
  house h;
  th_building b = built(&three_floors(&h)->def);
  meshes_assert_whole(&b.mesh);
  assert_int_equal(b.pieces, 1);
  assert_int_equal(b.mesh.count[TH_MESH_TURNED], 0);
  assert_int_equal(b.mesh.count[TH_MESH_PARTED], 0);
  assert_int_equal(b.terrain_count, 4); /* floor, stairs, ramp, lift */
  assert_string_equal(b.terrain[1].name, "stairs");
  print_message("least angle %.1f degrees, %u faces\n", b.min_angle, b.face_count);
  assert_true(b.min_angle > 5.0); /* railings leave border edges of 0.1 m beside those of 0.5 m */
  double area[4] = {0, 0, 0, 0};
  for (uint32_t f = 0; f < b.face_count; f++) {
    const double *p[3];
    for (int k = 0; k < 3; k++) p[k] = b.mesh.xyz + 3 * (size_t)b.mesh.corner[3 * f + (uint32_t)k];
    double a = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    assert_true(a > 0.0); /* every face looks up */
    assert_true(b.terrain_of[f] == 0 ? b.level_of[f] >= 1 : b.level_of[f] == 0);
    area[b.terrain_of[f]] += 0.5 * a;
  }
  assert_true(fabs(area[1] - 7.5) < 1e-3);
  assert_true(fabs(area[2] - 9.0) < 1e-3);
  assert_true(fabs(area[3] - 2.0 * (2.0 * 0.7 + 1.3 * 1.6)) < 1e-2); /* twice a landing and two lanes */
  th_building_free(&b);
}

static void refuse(const th_building_def *def, const char *where, uint32_t element, const char *text) {
  th_building b;
  th_error error = {0};
  assert_int_not_equal(th_building_make(def, &b, &error), TH_OK);
  if (strcmp(error.where, where) != 0 || error.element != element || !strstr(error.text, text))
    fail_msg("expected %s %u: ...%s..., found %s %u: %s", where, element, text, error.where, error.element, error.text);
}

static void mistakes_name_the_part(void **state) {
  (void)state;
  house h;
  three_floors(&h)->flight[0].to = 7;
  refuse(&h.def, "flight", 0, "levels that exist");
  three_floors(&h)->flight[1].head[0] = (th_vec2){14, 5}, h.flight[1].head[1] = (th_vec2){14, 6.5f};
  refuse(&h.def, "flight", 1, "meet the floor of level 2");
  three_floors(&h)->flight[0].head[0] = (th_vec2){2.5f, 1.2f};
  h.flight[0].head[1] = (th_vec2){1, 1.5f};
  refuse(&h.def, "flight", 0, "convex");
  three_floors(&h);
  for (int k = 0; k < 2; k++) { /* a ladder */
    h.flight[0].head[k].x = h.flight[0].foot[k].x + 0.1f * (h.flight[0].head[k].x - h.flight[0].foot[k].x);
    h.flight[0].head[k].y = h.flight[0].foot[k].y + 0.1f * (h.flight[0].head[k].y - h.flight[0].foot[k].y);
  }
  refuse(&h.def, "flight", 0, "rises by at most 2 m");
  three_floors(&h)->level[2].number = 2;
  refuse(&h.def, "level", 2, "a number of its own");
  three_floors(&h)->level[1].number = 0;
  refuse(&h.def, "level", 1, "found 0");
  three_floors(&h)->def.edge = 0.05f; /* about 480,000 triangles */
  h.def.face_limit = 100000;
  refuse(&h.def, "edge", TH_NO_ELEMENT, "at most 100000 triangles (face_limit)");
  three_floors(&h)->lift.corner[1] = (th_vec2){10.5f, 7.5f};
  refuse(&h.def, "lift", 0, "1.6 m");
  three_floors(&h)->def.flight_count = 0;
  h.def.lift_count = 0;
  refuse(&h.def, "level", 1, "one connected building");
  h.def.apart = true;
  th_building b = built(&h.def);
  assert_int_equal(b.pieces, 3);
  th_building_free(&b);
  three_floors(&h)->level[2].z = 3.1f; /* almost in the middle floor */
  h.def.lift_count = 0, h.def.flight_count = 1, h.def.apart = true;
  refuse(&h.def, "level", 2, "overlap");
}

/* Two flights through each other. */
static void flights_that_overlap_are_refused(void **state) {
  (void)state;
  house h;
  three_floors(&h);
  h.flight[1] = (th_flight_def){"cross", "ramp", 1, 2, {{4, 0.5f}, {5, 0.5f}}, {{4, 5}, {5, 5}}, .speed = 1.0f};
  th_building b;
  th_error error = {0};
  assert_int_equal(th_building_make(&h.def, &b, &error), TH_ERROR_GEOMETRY);
}

static th_result make_failing(const th_env *env, void *context) {
  house h;
  (void)context;
  three_floors(&h)->def.env = *env;
  h.def.edge = 2.0f;
  th_building b;
  th_result result = th_building_make(&h.def, &b, NULL);
  if (result == TH_OK) th_building_free(&b);
  return result;
}

static void memory_may_end_anywhere(void **state) {
  (void)state;
  assert_true(failing_every(make_failing, NULL) > 50);
}

static void marks_survive_files(void **state) {
  (void)state;
  static const char *const path[] = {"/tmp/throng_test_levels.ply", "/tmp/throng_test_levels.obj"};
  house h;
  th_building b = built(&three_floors(&h)->def);
  for (int k = 0; k < 2; k++) {
    th_error error = {0};
    th_mesh_def def = th_default_mesh_def();
    th_building again;
    assert_int_equal(th_building_save(&b, path[k], &error), TH_OK);
    if (th_building_load(&def, NULL, path[k], &again, &error) != TH_OK) fail_msg("%s", error.text);
    unlink(path[k]);
    assert_int_equal(again.face_count, b.face_count);
    assert_int_equal(again.terrain_count, b.terrain_count);
    assert_memory_equal(again.level_of, b.level_of, sizeof *b.level_of * b.face_count);
    assert_memory_equal(again.terrain_of, b.terrain_of, b.face_count);
    for (uint32_t i = 0; i < b.terrain_count; i++) {
      assert_string_equal(again.terrain[i].name, b.terrain[i].name);
      assert_true(again.terrain[i].speed == b.terrain[i].speed);
    }
    th_building_free(&again);
  }
  th_building_free(&b);
}

static th_scene *scene_of(const char *text) {
  th_scene *scene = NULL;
  th_error error = {0};
  if (th_scene_parse(text, strlen(text), &scene, &error) != TH_OK) fail_msg("%s", error.text);
  return scene;
}

static const char two_rooms[] =
    "{\"version\": 1, \"name\": \"rooms\", \"ground\": {\"mesh\": {\"building\": {\"levels\": ["
    "{\"number\": 1, \"z\": 0, \"outline\": [{\"rectangle\": [[0, 0], [12, 8]]}]},"
    "{\"number\": -2, \"z\": 3, \"outline\": [{\"rectangle\": [[0, 0], [12, 8]]}]}],"
    "\"stairs\": [{\"from\": 1, \"to\": -2, \"rectangle\": [[2, 1], [7, 2.5]], \"rises\": \"east\"}]},"
    "\"terrain\": [{\"name\": \"carpet\", \"rectangle\": [[0, 5], [12, 8]], \"low\": 2.5, \"high\": 3.5,"
    " \"speed\": 0.8}]}},"
    "\"goals\": [{\"name\": \"g\", \"point\": [1, 7, 3]}],"
    "\"populations\": [{\"name\": \"p\", \"positions\": [[10, 1, 0]], \"route\": [\"g\"]}], \"duration\": 1}";

/* What `throng convert` writes of a scene: levels and terrains are those of its ground, the scene's own included. */
static void a_scene_keeps_its_levels(void **state) {
  (void)state;
  th_scene *scene = scene_of(two_rooms);
  th_building b;
  th_ground *ground;
  th_error error = {0};
  if (th_scene_make_building(scene, &b, &error) != TH_OK) fail_msg("%s", error.text);
  assert_int_equal(th_scene_make_ground(scene, &ground, &error), TH_OK);
  th_scene_free(scene); /* names are the building's own */
  assert_int_equal(b.terrain_count, 3);
  assert_string_equal(b.terrain[1].name, "stairs");
  assert_string_equal(b.terrain[2].name, "carpet");
  assert_true(b.terrain[2].speed == 0.8f);
  uint32_t level[3] = {0}, carpet = 0;
  assert_int_equal(b.face_count, th_ground_mesh(ground)->face_count);
  for (uint32_t f = 0; f < b.face_count; f++) {
    assert_int_equal(b.level_of[f], th_ground_level(ground, f));
    assert_int_equal(b.terrain_of[f], th_ground_terrain(ground, f));
    level[b.level_of[f] == 1 ? 1 : b.level_of[f] == -2 ? 2 : 0]++;
    carpet += b.terrain_of[f] == 2 && b.level_of[f] == -2;
  }
  assert_true(level[0] > 10 && level[1] > 100 && level[2] > 100 && carpet > 50);
  th_ground_release(ground);
  th_building_free(&b);
  scene = scene_of(
      "{\"version\": 1, \"name\": \"flat\", \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [4, 4]]}]},"
      "\"goals\": [{\"name\": \"g\", \"point\": [1, 1]}], \"duration\": 1}");
  assert_int_equal(th_scene_make_building(scene, &b, &error), TH_ERROR_STATE);
  th_scene_free(scene);
}

static th_result scene_failing(const th_env *env, void *context) {
  th_building b;
  th_scene *scene = NULL;
  const th_scene_def def = {.env = *env, .text = context, .length = strlen(context)};
  th_result result = th_scene_make(&def, &scene, NULL);
  if (result != TH_OK) return result;
  result = th_scene_make_building(scene, &b, NULL);
  if (result == TH_OK) th_building_free(&b);
  th_scene_free(scene);
  return result;
}

static void memory_of_a_scene_may_end_anywhere(void **state) {
  (void)state;
  assert_true(failing_every(scene_failing, (void *)(uintptr_t)two_rooms) > 50);
}

static th_ground *ground_of(const th_building *b, float headroom) {
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = &b->mesh;
  def.terrain = b->terrain, def.terrain_count = b->terrain_count;
  def.terrain_of = b->terrain_of, def.level_of = b->level_of;
  def.headroom = headroom;
  th_ground *ground;
  th_error error = {0};
  if (th_ground_make_mesh(&def, &ground, &error) != TH_OK) fail_msg("%s", error.text);
  return ground;
}

/* shows: SBVP-115 */
static void floor_below_stairs_is_blocked_by_headroom(void **state) {
  (void)state;
  house h;
  th_building b = built(&three_floors(&h)->def);
  th_ground *low = ground_of(&b, 0.0f), *high = ground_of(&b, 2.0f);
  th_vec3 under = {4, 1.75f, 0}, free = {6.7f, 1.75f, 0}; /* the flight rises 0.6 m a metre */
  assert_int_not_equal(th_ground_locate_at(low, under, 1, 0.1f).cell, TH_NO_CELL);
  assert_int_equal(th_ground_locate_at(high, under, 1, 0.1f).cell, TH_NO_CELL);
  assert_int_not_equal(th_ground_locate_at(high, free, 1, 0.1f).cell, TH_NO_CELL);
  th_place on = th_ground_locate_at(high, (th_vec3){4.5f, 1.75f, 1.5f}, 0, 0.2f);
  assert_int_not_equal(on.cell, TH_NO_CELL);
  assert_int_equal(th_ground_level(high, on.cell), 0);
  assert_true(th_ground_speed(high, on.cell) == 0.6f);
  assert_true(fabsf(th_ground_point(high, on).z - 1.5f) < 1e-4f);
  assert_int_equal(th_ground_level(high, th_ground_locate_at(high, (th_vec3){6, 4, 6}, 0, 0.1f).cell), 3);
  th_ground_release(low);
  th_ground_release(high);
  th_building_free(&b);
}

/* ---------------------------------------------------------------- people */

static th_run *run_of(const th_scene_def *def, th_scene **scene) {
  th_error error = {0};
  th_run *run;
  if (th_scene_make(def, scene, &error) != TH_OK) fail_msg("%s", error.text);
  if (th_run_make(&(th_run_def){.scene = *scene}, &run, &error) != TH_OK) fail_msg("%s", error.text);
  return run;
}

/* On a level everybody stands at its height; between levels nobody jumps. */
static void assert_heights(const th_world *world, th_vec3 *point, float *before) {
  static const float height[] = {0.0f, 0.0f, 3.2f, 6.4f};
  th_agents agents = th_world_agents(world);
  th_world_points(world, &(th_points){.point = point});
  for (uint32_t i = 0; i < agents.count; i++) {
    int32_t level = th_ground_level(th_world_ground(world), agents.cell[i]);
    uint32_t index = agents.id[i].index;
    if (level) assert_true(fabsf(point[i].z - height[level]) < 1e-3f);
    assert_true(point[i].z >= -1e-3f && point[i].z <= 6.401f);
    assert_true(isnan(before[index]) || fabsf(point[i].z - before[index]) < 0.35f);
    before[index] = point[i].z;
  }
}

static void everybody_leaves_an_office_of_three_floors(void **state) {
  (void)state;
  th_scene *scene;
  th_run *run = run_of(&(th_scene_def){.path = "scenes/building.json"}, &scene);
  th_world *world = th_run_world(run);
  th_agents agents = th_world_agents(world);
  assert_int_equal(agents.count, 100);
  uint32_t on[4] = {0, 0, 0, 0};
  for (uint32_t i = 0; i < agents.count; i++) on[th_ground_level(th_world_ground(world), agents.cell[i])]++;
  assert_int_equal(on[0], 0);
  assert_int_equal(on[1], 20);
  assert_int_equal(on[2], 40);
  assert_int_equal(on[3], 40);
  th_vec3 point[100];
  float before[101]; /* by the index of an id, from 1 */
  for (int i = 0; i <= 100; i++) before[i] = NAN;
  while (!th_run_done(run)) {
    th_error error = {0};
    if (th_run_step(run, &error) != TH_OK) fail_msg("%s", error.text);
    assert_heights(world, point, before);
  }
  assert_int_equal(th_world_agents(world).count, 0); /* the goal is a sink: nobody is left between floors */
  assert_true(th_world_step_count(world) < 700);
  th_run_free(run);
  th_scene_free(scene);
}

/* One lift, one agent, from the basement up: the ride takes height / speed + wait, besides the way to the door. */
static void a_ride_takes_its_time(void **state) {
  (void)state;
  static const char text[] =
      "{\"version\": 1, \"name\": \"ride\", \"duration\": 200, \"ground\": {\"mesh\": {\"building\": {\"levels\": ["
      "{\"number\": -1, \"z\": -6, \"outline\": [{\"rectangle\": [[0, 0], [6, 6]]}]},"
      "{\"number\": 1, \"z\": 0, \"outline\": [{\"rectangle\": [[0, 0], [6, 6]]}]}],"
      "\"lifts\": [{\"rectangle\": [[2, 4], [4, 6]], \"door\": \"south\", \"levels\": [-1, 1], \"speed\": 0.5,"
      "\"wait\": 10}]}}}, \"goals\": [{\"name\": \"up\", \"point\": [3, 2, 0], \"level\": 1, \"sink\": true}],"
      "\"populations\": [{\"name\": \"one\", \"count\": 1, \"region\": {\"rectangle\": [[2, 1], [4, 3]], \"level\": "
      "-1}, \"route\": "
      "[\"up\"], \"speed\": 1.34, \"model\": \"follow\"}]}";
  th_scene *scene;
  th_run *run = run_of(&(th_scene_def){.text = text, .length = sizeof text - 1}, &scene);
  th_world *world = th_run_world(run);
  double ride = 0.0;
  while (!th_run_done(run)) {
    assert_int_equal(th_run_step(run, NULL), TH_OK);
    th_agents agents = th_world_agents(world);
    if (agents.count && th_ground_level(th_world_ground(world), agents.cell[0]) == 0) ride += 0.1;
  }
  assert_int_equal(th_world_agents(world).count, 0);
  print_message("ride of 6 m at 0.5 m/s with 10 s of waiting: %.1f s, expected 22\n", ride);
  assert_true(fabs(ride - 22.0) < 3.5);
  th_run_free(run);
  th_scene_free(scene);
}

static void errors_in_files_name_line_and_key(void **state) {
  (void)state;
  static const char *const path = "/tmp/throng_test_levels.json";
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  fputs(
      "{\"levels\": [\n{\"number\": 1, \"z\": 0, \"outline\": [{\"rectangle\": [[0, 0], [6, 6]]}]},\n"
      "{\"number\": 2, \"z\": 3, \"outline\": [{\"rectangle\": [[0, 0], [6, 6]]}]}],\n"
      "\"stairs\": [\n{\"from\": 1, \"to\": 2, \"rectangle\": [[5, 1], [9, 2]], \"rises\": \"east\"}]}\n",
      out);
  fclose(out);
  th_building b;
  th_error error = {0};
  th_mesh_def def = th_default_mesh_def();
  assert_int_equal(th_building_load(&def, NULL, path, &b, &error), TH_ERROR_GEOMETRY);
  unlink(path);
  assert_int_equal(error.line, 5);
  assert_non_null(strstr(error.text, "/stairs/0"));
  assert_non_null(strstr(error.text, "level 2"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floors_flights_and_lift_are_one_piece),
      cmocka_unit_test(mistakes_name_the_part),
      cmocka_unit_test(flights_that_overlap_are_refused),
      cmocka_unit_test(memory_may_end_anywhere),
      cmocka_unit_test(marks_survive_files),
      cmocka_unit_test(a_scene_keeps_its_levels),
      cmocka_unit_test(memory_of_a_scene_may_end_anywhere),
      cmocka_unit_test(floor_below_stairs_is_blocked_by_headroom),
      cmocka_unit_test(everybody_leaves_an_office_of_three_floors),
      cmocka_unit_test(a_ride_takes_its_time),
      cmocka_unit_test(errors_in_files_name_line_and_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
