/* tests/world/test_far.c - nobody is slower than it wants because of where it is or how short a step is.
 *
 * Coordinates are single precision: at 300 m a step of 1 ms is shorter than half their spacing. Crowds of all speeds
 * and accelerations walk in all directions at many distances from the origin of flat ground, and in faces of many sizes
 * and places of meshes. Near walls and bodies, what rounding takes away must neither be lost nor lead through them.
 */
#include "support/mesh_worlds.h"
#include "support/slow.h"
#include "throng/guide.h"
#include "world/world.h"

#define DIRECTIONS 5
#define SECONDS 20.0f

static const float speeds[] = {0.01f, 0.1f, 1.34f}, accelerations[] = {0.2f, 1.0f, 1000.0f};
#define KINDS 9
#define CROWD (KINDS * DIRECTIONS)

static float angle_of(uint32_t agent) { return 0.1f + 6.2831853f * (float)(agent % DIRECTIONS) / DIRECTIONS; }
static float speed_of(uint32_t agent) { return speeds[agent / DIRECTIONS % 3]; }

/* Everyone walks straight on, in the frame of its cell or, with a `user`, in space. */
static void straight_on(void *user, const th_guide_query *query) {
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    float angle = angle_of(query->agent[lane] - 1);
    th_vec2 d = {cosf(angle), sinf(angle)};
    th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
    if (user) d = th_ground_to_cell(query->ground, place, (th_vec3){d.x, d.y, 0.0f});
    query->want[lane] = (th_guide_answer){.dx = d.x, .dy = d.y, .left = 1000.0f, .state = TH_ANSWER_LEAD};
  }
}

typedef void answerer(void *user, const th_guide_query *query);

static th_world *make_world(th_ground *ground, float dt, answerer *answer, bool in_space, th_guide_id *guide) {
  th_world_def def = th_default_world_def();
  def.ground = ground;
  def.dt = dt;
  def.workers = 1;
  th_world *world = NULL;
  OK(th_world_make(&def, &world, &error));
  static char space;
  th_user_guide_params params = {.answer = answer, .user = in_space ? &space : NULL};
  OK(th_world_add_guide(world, &th_guide_user, &params, guide, &error));
  return world;
}

static th_agent_def walker_def(th_guide_id guide, float x, float y) {
  th_agent_def def = worlds_agent_def(x, y, NOWHERE);
  def.guide = guide;
  def.acceleration_max = 1000.0f;
  return def;
}

static void add_crowd(th_world *world, th_guide_id guide, th_vec3 at) {
  for (uint32_t i = 0; i < CROWD; i++) {
    th_agent_def def = walker_def(guide, at.x, at.y);
    def.point.z = at.z;
    def.speed = speed_of(i);
    def.acceleration_max = accelerations[i / DIRECTIONS / 3];
    def.collide = false;
    def.heading.x = cosf(angle_of(i));
    def.heading.y = sinf(angle_of(i));
    worlds_add(world, &def);
  }
}

static double spacing_at(float x) { return (double)(nextafterf(x, INFINITY) - x); }

/* Mean speeds after all have accelerated, up to one spacing of coordinates, and the velocity that others see at the
 * end. Everyone stays in its cell's frame. */
static void assert_speeds(th_world *world, float dt, const char *where) {
  double x[CROWD], y[CROWD];
  uint32_t count = (uint32_t)(SECONDS / dt + 0.5f);
  worlds_steps(world, (uint32_t)(8.0f / dt));
  th_agents a = th_world_agents(world);
  assert_int_equal(a.count, CROWD);
  for (uint32_t row = 0; row < CROWD; row++) {
    x[a.id[row].index - 1] = (double)a.x[row];
    y[a.id[row].index - 1] = (double)a.y[row];
  }
  worlds_steps(world, count);
  a = th_world_agents(world);
  for (uint32_t row = 0; row < CROWD; row++) {
    uint32_t i = a.id[row].index - 1;
    double wx = (double)a.x[row] - x[i], wy = (double)a.y[row] - y[i], time = (double)count * (double)dt;
    double mean = (wx * cos((double)angle_of(i)) + wy * sin((double)angle_of(i))) / time, want = (double)speed_of(i);
    double seen = hypot((double)a.vx[row], (double)a.vy[row]);
    double hair = spacing_at(fmaxf(fabsf(a.x[row]), fabsf(a.y[row]))) / time;
    if (fabs(mean - want) > 0.01 * want + hair || fabs(seen - want) > 0.01 * want)
      fail_msg("%s, dt %g: speed %g, acceleration %g, %g degrees: mean %g, seen %g m/s", where, (double)dt, want,
               (double)accelerations[i / DIRECTIONS / 3], (double)(angle_of(i) * 57.3f), mean, seen);
  }
}

static th_ground *open_square(float x0, float y0, float side) {
  worlds_rect rect = worlds_rectangle(x0, y0, x0 + side, y0 + side);
  th_ground *ground = NULL;
  OK(worlds_try_ground(&(th_env){0}, &(worlds_plan){&rect, 0, 0, 1.0f, 0}, &ground, &error));
  return ground;
}

static const float steps[] = {0.001f, 0.002f, 0.01f, 1.0f / 60.0f, 0.1f, 1.0f};

static void flat_anywhere(void **state) {
  (void)state;
  static const float from[] = {0.0f, 300.0f, 3000.0f, -50000.0f, 99700.0f};
  for (uint32_t k = 0; k < sizeof from / sizeof *from; k += LONG_RUN(1, 3))
    for (uint32_t n = 0; n < sizeof steps / sizeof *steps; n += LONG_RUN(1, 3)) {
      th_ground *ground = open_square(from[k], from[k], 300.0f);
      th_guide_id guide;
      th_world *world = make_world(ground, steps[n], straight_on, false, &guide);
      add_crowd(world, guide, (th_vec3){from[k] + 150.0f, from[k] + 150.0f, 0.0f});
      char where[64];
      snprintf(where, sizeof where, "flat, %g m from the origin", (double)from[k]);
      assert_speeds(world, steps[n], where);
      worlds_end(world, ground);
    }
}

/* A square of two faces, tilted, with a corner at `at`. */
static th_ground *tilted_square(double at, double side) {
  const double xyz[] = {
      at, at, at, at + 0.8 * side, at, at + 0.6 * side, at + 0.8 * side, at + side, at + 0.6 * side, at, at + side, at};
  const uint32_t corner[] = {0, 1, 2, 0, 2, 3};
  th_mesh_def def = {.xyz_double = xyz, .corner = corner, .vertex_count = 4, .face_count = 2, .metres_per_unit = 1.0};
  th_mesh mesh;
  OK(th_mesh_build(&def, &mesh, &error));
  th_mesh_ground_def of = th_default_mesh_ground_def();
  of.mesh = &mesh;
  th_ground *ground;
  OK(th_ground_make_mesh(&of, &ground, &error));
  th_mesh_free(&mesh);
  return ground;
}

/* Agents stand far from the corners of their face and do not leave it. */
static void mesh_anywhere(void **state) {
  (void)state;
  static const double at[] = {0.0, 5e5, 9e6}, side[] = {600.0, 20000.0};
  for (uint32_t k = 0; k < 6; k += LONG_RUN(1, 5))
    for (uint32_t n = 0; n < sizeof steps / sizeof *steps; n += 2) {
      th_ground *ground = tilted_square(at[k % 3], side[k / 3]);
      th_guide_id guide;
      th_world *world = make_world(ground, steps[n], straight_on, false, &guide);
      double far = side[k / 3];
      add_crowd(
          world, guide,
          (th_vec3){(float)(at[k % 3] + 0.56 * far), (float)(at[k % 3] + 0.3 * far), (float)(at[k % 3] + 0.42 * far)});
      char where[64];
      snprintf(where, sizeof where, "mesh at %g m with faces of %g m", at[k % 3], side[k / 3]);
      assert_speeds(world, steps[n], where);
      mesh_grounds_assert_sound(world);
      worlds_end(world, ground);
    }
}

/* Over many edges: a plane of small faces, measured in space. */
static void mesh_over_edges(void **state) {
  (void)state;
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = make.width = 60.0f;
  make.edge = 0.7f;
  th_ground *ground = mesh_grounds_make(&(th_env){0}, &make);
  th_guide_id guide;
  th_world *world = make_world(ground, 0.001f, straight_on, true, &guide);
  add_crowd(world, guide, (th_vec3){30.0f, 30.0f, 0.0f});
  worlds_steps(world, 8000);
  th_agents a = th_world_agents(world);
  th_vec3 before[CROWD];
  for (uint32_t row = 0; row < CROWD; row++) before[a.id[row].index - 1] = mesh_grounds_at(world, row);
  worlds_steps(world, 5000);
  a = th_world_agents(world);
  for (uint32_t row = 0; row < CROWD; row++) {
    uint32_t i = a.id[row].index - 1;
    double mean = (double)mesh_grounds_apart(mesh_grounds_at(world, row), before[i]) / 5.0, want = (double)speed_of(i);
    if (fabs(mean - want) > 0.01 * want) fail_msg("speed %g, %g rad: mean %g", want, (double)angle_of(i), mean);
  }
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- walls and bodies */

/* Into the wall below, at 45 degrees, or straight down. */
static void into_the_wall(void *user, const th_guide_query *query) {
  (void)user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    bool straight = query->agent[lane] % 2;
    query->want[lane] = (th_guide_answer){.dx = straight ? 0.0f : 0.70710678f,
                                          .dy = straight ? -1.0f : -0.70710678f,
                                          .left = 1e3f,
                                          .state = TH_ANSWER_LEAD};
  }
}

static float pressing_speed(uint32_t i) { return i % 4 < 2 ? 0.05f : 1.34f; }

static void add_pressing(th_world *world, th_guide_id guide, th_vec3 at) {
  for (uint32_t i = 0; i < 8; i++) {
    th_agent_def def = walker_def(guide, at.x, at.y);
    def.point.z = at.z;
    def.radius = i < 4 ? 0.05f : 0.3f;
    def.speed = pressing_speed(i);
    def.collide = false;
    worlds_add(world, &def);
  }
}

/* Everybody stays at the wall; those that slide do so at the speed along it. `above` tells the distance from the wall.
 */
static void assert_at_wall(th_world *world, float dt, double (*above)(const th_world *, uint32_t row), double spacing) {
  double x[8], deepest = INFINITY, highest = 0.0;
  worlds_steps(world, (uint32_t)(30.0f / dt)); /* the slow ones come from 1 m away */
  th_agents a = th_world_agents(world);
  for (uint32_t row = 0; row < 8; row++) x[a.id[row].index - 1] = (double)a.x[row];
  for (uint32_t n = 0; n < (uint32_t)(20.0f / dt); n++) {
    th_world_step(world);
    a = th_world_agents(world);
    for (uint32_t row = 0; row < 8; row++) {
      double gap = above(world, row) - (double)a.radius[row];
      deepest = fmin(deepest, gap);
      highest = fmax(highest, gap);
    }
  }
  if (deepest < -0.01 || highest > 0.002 + spacing)
    fail_msg("dt %g: bodies from %g to %g m from the wall", (double)dt, deepest, highest);
  for (uint32_t row = 0; row < 8; row++) {
    uint32_t i = a.id[row].index - 1;
    double mean = ((double)a.x[row] - x[i]) / 20.0, want = i % 2 ? (double)pressing_speed(i) * 0.70710678 : 0.0;
    if (fabs(mean - want) > 0.01 * want + 0.1 * spacing)
      fail_msg("dt %g, agent %u: %g along the wall, wanted %g", (double)dt, i, mean, want);
    assert_true(fabs((double)a.vx[row] - want) < 0.02 * want + 1e-6 && fabs((double)a.vy[row]) < 0.02);
  }
}

static float floor_of_square; /* of the test that runs */
static double above_floor(const th_world *world, uint32_t row) {
  return (double)th_world_agents(world).y[row] - (double)floor_of_square;
}

static void nobody_creeps_into_flat_walls(void **state) {
  (void)state;
  static const float from[] = {0.0f, 3000.0f, 99800.0f};
  for (uint32_t k = LONG_RUN(0, 2); k < 3; k++)
    for (uint32_t n = 0; n < 3; n += 2) {
      floor_of_square = from[k];
      th_ground *ground = open_square(from[k], from[k], 200.0f);
      th_guide_id guide;
      th_world *world = make_world(ground, steps[n], into_the_wall, false, &guide);
      add_pressing(world, guide, (th_vec3){from[k] + 50.0f, from[k] + 1.0f, 0.0f});
      assert_at_wall(world, steps[n], above_floor, from[k] > 9e4f ? 0.0079 : 0.0003);
      worlds_end(world, ground);
    }
}

/* The first side of face 0 is a border, and its frame has it on y = 0. */
static double above_side(const th_world *world, uint32_t row) {
  assert_int_equal(th_world_agents(world).cell[row], 0);
  return (double)th_world_agents(world).y[row];
}

static void nobody_creeps_into_mesh_walls(void **state) {
  (void)state;
  static const double at[] = {0.0, 5e5};
  for (uint32_t k = LONG_RUN(0, 1); k < 2; k++)
    for (uint32_t n = 0; n < 3; n += 2) {
      th_ground *ground = tilted_square(at[k], 1000.0);
      th_guide_id guide;
      th_world *world = make_world(ground, steps[n], into_the_wall, false, &guide);
      add_pressing(world, guide, (th_vec3){(float)(at[k] + 400.0), (float)(at[k] + 1.0), (float)(at[k] + 300.0)});
      assert_at_wall(world, steps[n], above_side, 0.0001);
      worlds_end(world, ground);
    }
}

/* Half of them walk to the right, half to the left, through a thin wall if they could. */
static void to_and_fro(void *user, const th_guide_query *query) {
  (void)user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    uint64_t random = query->step * 977 + query->agent[lane];
    float angle = (query->agent[lane] % 2 ? 0.0f : 3.1415927f) + worlds_in(&random, -1.5f, 1.5f);
    query->want[lane] =
        (th_guide_answer){.dx = cosf(angle), .dy = sinf(angle), .left = 1000.0f, .state = TH_ANSWER_LEAD};
  }
}

/* Bodies push each other against a wall thinner than the spacing of coordinates is wide. */
static void crowds_stay_on_their_side(void **state) {
  (void)state;
  const float from = 99800.0f;
  const worlds_rect rect[] = {worlds_rectangle(from, from, from + 8, from + 4),
                              worlds_rectangle(from + 4, from, from + 4.0234375f, from + 4)};
  th_ground *ground = NULL;
  OK(worlds_try_ground(&(th_env){0}, &(worlds_plan){rect, 1, 0, 0.25f, 0}, &ground, &error));
  th_guide_id guide;
  th_world *world = make_world(ground, 0.001f, to_and_fro, false, &guide);
  for (uint32_t i = 0; i < 60; i++) {
    th_agent_def def = walker_def(guide, from + (i % 2 ? 5.0f : 1.0f) + 0.4f * (float)(i / 2 % 5),
                                  from + 0.5f + 0.5f * (float)(i / 10));
    def.radius = i % 3 ? 0.2f : 0.011f;
    worlds_add(world, &def);
  }
  for (uint32_t n = 0; n < LONG_RUN(20000, 3000); n++) {
    th_world_step(world);
    th_agents a = th_world_agents(world);
    for (uint32_t row = 0; row < a.count; row++) {
      bool left = a.id[row].index % 2;
      assert_true(left ? a.x[row] < from + 4.0f : a.x[row] > from + 4.0234375f);
      assert_true(th_ground_is_walkable(ground, a.x[row], a.y[row]));
    }
  }
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- the rest as state */

static void a_rest_stays_where_it_is(void **state) {
  (void)state;
  th_ground *ground = open_square(3000.0f, 3000.0f, 300.0f);
  th_guide_id guide;
  th_world *world = make_world(ground, 0.001f, straight_on, false, &guide);
  add_crowd(world, guide, (th_vec3){3150.0f, 3150.0f, 0.0f});
  worlds_steps(world, 50);
  uint32_t with = 0;
  for (uint32_t row = 0; row < CROWD; row++) {
    with += world->rows.rest[row].x != 0.0f;
    assert_true(fabsf(world->rows.rest[row].x) <= 0.000123f && fabsf(world->rows.rest[row].y) <= 0.000123f);
  }
  assert_true(with > CROWD / 2);
  th_agent_id id = world->rows.id[0];
  OK(th_world_place_agent(world, id, (th_vec3){3100.0f, 3100.0f, 0.0f}, &error));
  uint32_t row = th_world_row(world, id);
  assert_true(world->rows.rest[row].x == 0.0f && world->rows.rest[row].y == 0.0f);
  uint64_t hash = th_world_hash(world);
  world->rows.rest[row].x = 1e-5f;
  assert_true(th_world_hash(world) != hash);
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flat_anywhere),
                                     cmocka_unit_test(mesh_anywhere),
                                     cmocka_unit_test(mesh_over_edges),
                                     cmocka_unit_test(nobody_creeps_into_flat_walls),
                                     cmocka_unit_test(nobody_creeps_into_mesh_walls),
                                     cmocka_unit_test(crowds_stay_on_their_side),
                                     cmocka_unit_test(a_rest_stays_where_it_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
