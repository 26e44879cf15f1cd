/* tests/model/steering/test_steering_room.c - rays and distances that shrink to the width of the guide's way: people
 * get out of rooms with the defaults, and nothing changes in the open or for targets that no guide gives. */
#include "model/steering/steer.h"
#include "support/mesh_grounds.h"
#include "support/slow.h"
#include "support/worlds.h"
#include "throng/model/steering.h"
#include "world/world.h"

typedef struct room {
  th_ground *ground;
  th_world *world;
} room;

/* A room of 12 x 10 m; its door leads to another one. */
static room room_make(float door) {
  th_vec2 hall[4], low[4], high[4];
  const th_polygon outline = th_box_polygon(0, 0, 20, 10, hall);
  const th_polygon wall[2] = {th_box_polygon(12, 0, 12.3f, 5 - 0.5f * door, low),
                              th_box_polygon(12, 5 + 0.5f * door, 12.3f, 10, high)};
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline, flat.outline_count = 1;
  flat.obstacle = wall, flat.obstacle_count = 2;
  th_world_def def = th_default_world_def();
  room r;
  OK(th_ground_make_flat(&flat, &r.ground, &error));
  def.ground = r.ground;
  OK(th_world_make(&def, &r.world, &error));
  return r;
}

static void room_free(room *r) {
  th_world_free(r->world);
  th_ground_release(r->ground);
}

static void add(room *r, const th_steering_params *params, uint32_t count, uint64_t seed, th_vec2 target) {
  th_goal_def goal = th_default_goal_def();
  goal.field = TH_FIELD_HARMONIC;
  goal.shape = th_point_shape(target.x, target.y);
  goal.arrive = 1.5f;
  goal.sink = true;
  th_agent_def def = th_default_body_def();
  def.model = &th_model_steering;
  def.params = params;
  def.route_count = 1;
  OK(th_world_add_goal(r->world, &goal, &def.route[0].goal, &error));
  for (uint32_t n = 0; n < count; n++) {
    def.point = (th_vec3){worlds_in(&seed, 1, 9), worlds_in(&seed, 1, 9), 0};
    OK(th_world_add_agent(r->world, &def, NULL, &error));
  }
}

/* The same two rooms on a mesh of 0.5 m edges; faces under the wall are blocked. */
static room room_of_mesh(float door) {
  th_vec2 corner[2][4];
  th_box_polygon(12, -1, 12.4f, 5 - 0.5f * door, corner[0]);
  th_box_polygon(12, 5 + 0.5f * door, 12.4f, 11, corner[1]);
  th_region wall[2];
  for (int k = 0; k < 2; k++)
    wall[k] =
        (th_region){.kind = TH_REGION_PRISM, .outline = corner[k], .outline_count = 4, .low = -1.0f, .high = 1.0f};
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 40, 20, 0.5, 0.5);
  th_mesh_ground_def mesh = mesh_kind_def(&soup);
  mesh.blocked = wall, mesh.blocked_count = 2;
  th_world_def def = th_default_world_def();
  room r = {.ground = mesh_kind_ground_of(&mesh)};
  th_soup_free(&soup);
  def.ground = r.ground;
  OK(th_world_make(&def, &r.world, &error));
  return r;
}

/* How many of ten are still there after a minute. */
static uint32_t left_after_a_minute(float door, const th_steering_params *params, uint64_t seed, bool mesh) {
  room r = mesh ? room_of_mesh(door) : room_make(door);
  add(&r, params, 10, seed, (th_vec2){18, 5});
  while (th_world_time(r.world) < 60.0) th_world_step(r.world);
  const uint32_t left = r.world->rows.count;
  room_free(&r);
  return left;
}

/* shows: STEER-87 */
static void people_get_out_of_a_room_with_the_defaults(void **unused) {
  (void)unused;
  static const float door[] = {0.9f, 1.2f, 2.0f};
  th_steering_params town = th_default_steering_params();
  uint32_t stay = 0;
  town.adapt = false;
  for (int k = 0; k < 3; k++)
    for (uint64_t seed = 1; seed <= LONG_RUN(5u, 1u); seed++) {
      assert_int_equal(left_after_a_minute(door[k], NULL, seed, false), 0);
      stay += left_after_a_minute(door[k], &town, seed, false);
    }
  print_message("with the rays and distances of a town %u of %u are still there\n", stay, LONG_RUN(150u, 30u));
  assert_true(stay > LONG_RUN(75u, 15u)); /* else the adaptation is not needed */
}

static void people_get_out_of_a_room_on_a_mesh(void **unused) {
  (void)unused;
  th_steering_params town = th_default_steering_params();
  uint32_t stay = 0;
  town.adapt = false;
  for (uint64_t seed = 1; seed <= LONG_RUN(3u, 1u); seed++) {
    assert_int_equal(left_after_a_minute(1.5f, NULL, seed, true), 0);
    stay += left_after_a_minute(1.5f, &town, seed, true);
  }
  assert_true(stay > LONG_RUN(15u, 5u)); /* half of them: else the adaptation is not needed */
}

/* What the free width of the path makes of rays, distances and the pull: nothing in the open, an arm's length where the
 * path has none, and twice the pull at most. */
/* shows: STEER-18, STEER-25 */
static void the_width_of_the_path_adapts(void **unused) {
  (void)unused;
  th_steering_params params = th_default_steering_params();
  const float width[] = {INFINITY, 8.0f, 1.5f, 1.0f, 0.75f, 0.5f, 0.0f};
  const float pull[] = {1.0f, 1.0f, 1.0f, 1.5f, 2.0f, 2.0f, 2.0f},
              ahead[] = {6.25f, 6.25f, 1.5f, 1.0f, 0.75f, 0.5f, 0.5f};
  for (int k = 0; k < 7; k++) {
    const th_steer_self self = {.params = &params, .width = width[k]};
    assert_float_equal(th_steer_pull(&self, 1.3f), 1.3f * pull[k], 1e-5f);
    assert_float_equal(th_steer_ray_ahead(&self), ahead[k], 1e-6f);
    assert_float_equal(th_steer_ray_aside(&self), fminf(2.0f, fmaxf(TH_STEER_SIDE_MIN, width[k])), 1e-6f);
    assert_float_equal(th_steer_distance(&self, 3.0f), fminf(3.0f, fmaxf(1.0f, width[k])), 1e-6f);
  }
}

/* It is felt where the path leads: here 0.8 of its length towards a wall, beside 0.6 along it. */
static void the_width_is_felt_along_the_path(void **unused) {
  (void)unused;
  static float sample[32 * 32];
  for (uint32_t i = 0; i < 32 * 32; i++) sample[i] = 3.0f - 0.1f * (float)(i / 32);
  const th_guide_answer want = {.dx = 0.6f, .dy = 0.8f, .left = 100.0f, .state = TH_ANSWER_LEAD};
  const th_view view = {.lanes = 1, .want = &want, .clearance = {32, 32, -8.0f, -8.0f, 0.5f, sample}};
  th_steering_params params = th_default_steering_params();
  const th_steer_self self = {.view = &view, .params = &params};
  const float found = th_steer_free_width(&self), here = th_view_clearance(&view, 0.0f, 0.0f);
  const float end = here - 0.2f * 0.8f * params.obstacle.front_ray;
  if (!(found < here - 0.5f && found >= end)) fail_msg("%g, with %g here", (double)found, (double)here);
  params.adapt = false;
  assert_true(isinf(th_steer_free_width(&self)));
}

/* The hash of a walk with or without the adaptation. */
static uint64_t walk(bool adapt, bool place, float side) {
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, side, side, corner);
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline, flat.outline_count = 1;
  th_world_def def = th_default_world_def();
  th_steering_params params = th_default_steering_params();
  room r;
  params.adapt = adapt;
  if (place) params.target.by = TH_STEER_PLACE, params.target.place = (th_vec3){0.5f * side, 0.5f * side, 0};
  OK(th_ground_make_flat(&flat, &r.ground, &error));
  def.ground = r.ground;
  OK(th_world_make(&def, &r.world, &error));
  th_agent_def someone = th_default_body_def();
  th_goal_def goal = th_default_goal_def();
  goal.field = TH_FIELD_HARMONIC;
  goal.shape = th_point_shape(0.5f * side + 10.0f, 0.5f * side);
  OK(th_world_add_goal(r.world, &goal, &someone.route[0].goal, &error));
  someone.model = &th_model_steering, someone.params = &params, someone.route_count = 1;
  for (int n = 0; n < 4; n++) {
    someone.point = (th_vec3){0.5f * side - 8.0f + 4.0f * (float)n, 0.5f * side + 0.3f * (float)n, 0};
    OK(th_world_add_agent(r.world, &someone, NULL, &error));
  }
  for (int n = 0; n < 100; n++) th_world_step(r.world);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < r.world->rows.count; i++) {
    uint32_t bits[2];
    memcpy(bits, &r.world->rows.x[i], 4), memcpy(bits + 1, &r.world->rows.y[i], 4);
    sum = sum * 31 + bits[0] + ((uint64_t)bits[1] << 32);
  }
  room_free(&r);
  return sum;
}

static void in_the_open_and_without_a_guide_nothing_changes(void **unused) {
  (void)unused;
  assert_true(walk(true, false, 80.0f) == walk(false, false, 80.0f));
  assert_true(walk(true, true, 24.0f) == walk(false, true, 24.0f));
  assert_true(walk(true, false, 24.0f) != walk(false, false, 24.0f));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_width_of_the_path_adapts),
      cmocka_unit_test(the_width_is_felt_along_the_path),
      cmocka_unit_test(people_get_out_of_a_room_with_the_defaults),
      cmocka_unit_test(people_get_out_of_a_room_on_a_mesh),
      cmocka_unit_test(in_the_open_and_without_a_guide_nothing_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
