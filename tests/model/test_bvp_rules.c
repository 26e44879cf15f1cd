/* tests/model/test_bvp_rules.c - rules of the planner that no single module keeps: shared maps, cells, who is stepped.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "ground/ground.h"
#include "support/allocator.h"
#include "throng/throng.h"

enum { BOXES = 12 };

typedef struct place_of_test {
  th_vec2 corner[BOXES + 1][4];
  th_polygon outline, obstacle[BOXES];
} place_of_test;

static void box(th_vec2 corner[4], float x0, float y0, float x1, float y1) {
  corner[0] = (th_vec2){x0, y0};
  corner[1] = (th_vec2){x1, y0};
  corner[2] = (th_vec2){x1, y1};
  corner[3] = (th_vec2){x0, y1};
}

/* A hall of 24 x 16 m; columns of random size stand in a loose grid between x = 4 and 20. */
static th_ground *make_hall(place_of_test *p, uint64_t seed, float cell) {
  box(p->corner[BOXES], 0, 0, 24, 16);
  p->outline = (th_polygon){.point = p->corner[BOXES], .count = 4};
  for (uint32_t k = 0; k < BOXES; k++) {
    float x = 5.0f + 4.0f * (float)(k % 4) + th_random_range(seed, 1, k, 0, 0.0f, 1.0f);
    float y = 2.0f + 4.5f * (float)(k / 4) + th_random_range(seed, 2, k, 0, 0.0f, 1.0f);
    box(p->corner[k], x, y, x + th_random_range(seed, 3, k, 0, 0.3f, 1.6f),
        y + th_random_range(seed, 4, k, 0, 0.3f, 1.6f));
    p->obstacle[k] = (th_polygon){.point = p->corner[k], .count = 4};
  }
  th_flat_def def = th_default_flat_def();
  def.outline = &p->outline;
  def.outline_count = 1;
  def.obstacle = p->obstacle;
  def.obstacle_count = BOXES;
  def.cell = cell;
  th_ground *ground = NULL;
  th_error error;
  if (th_ground_make_flat(&def, &ground, &error)) fail_msg("%s", error.text);
  return ground;
}

static th_world *make_world(th_ground *ground) {
  th_world_def def = th_default_world_def();
  def.ground = ground;
  th_world *world = NULL;
  th_error error;
  if (th_world_make(&def, &world, &error)) fail_msg("%s", error.text);
  th_ground_release(ground);
  return world;
}

static th_goal_id add_goal(th_world *world, float x, float y) {
  th_vec2 centre = {x, y};
  th_goal_def def = th_default_goal_def();
  def.field = TH_FIELD_HARMONIC;
  def.shape = th_disc_shape(centre.x, centre.y, 0.6f);
  th_goal_id goal;
  th_error error;
  if (th_world_add_goal(world, &def, &goal, &error)) fail_msg("%s", error.text);
  return goal;
}

static th_agent_id add_body(th_world *world, const th_bvp_params *params, float radius, float x, float y,
                            th_goal_id goal) {
  th_agent_def def = th_default_body_def();
  def.point.x = x;
  def.point.y = y;
  def.radius = radius;
  def.model = &th_model_bvp;
  def.params = params;
  def.route[0].goal = goal;
  def.route_count = 1;
  th_agent_id id;
  th_error error;
  if (th_world_add_agents(world, &def, 1, &id, &error)) fail_msg("%s", error.text);
  return id;
}

static th_agent_id add_walker(th_world *world, const th_bvp_params *params, float x, float y, th_goal_id goal) {
  return add_body(world, params, 0.2f, x, y, goal);
}

/* Exact distance from a point to a box; 0 inside. */
static float distance_to_box(const th_vec2 corner[4], float x, float y) {
  float dx = fmaxf(fmaxf(corner[0].x - x, x - corner[2].x), 0.0f);
  float dy = fmaxf(fmaxf(corner[0].y - y, y - corner[2].y), 0.0f);
  return sqrtf(dx * dx + dy * dy);
}

/* Nobody's disc ever overlaps a column or a wall, and all come through. The planner alone keeps them off: the world,
 * which stops a body at a wall, never has to. Bodies are of several sizes, and v presses most of them sideways, to
 * where only a map whose walls have grown by the radius holds them back. */
/* shows: BVP-02 */
static void no_body_overlaps_a_wall(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    place_of_test p;
    th_world *world = make_world(make_hall(&p, seed, 0.25f));
    th_goal_id goal = add_goal(world, 22.5f, 8.0f);
    for (int k = 0; k < 12; k++) {
      th_bvp_params params = th_default_bvp_params(15);
      params.behaviour[TH_BVP_FIRST].v = (th_vec2){0.0f, k % 2 ? 1.0f : -1.0f};
      params.behaviour[TH_BVP_FIRST].strength = 0.5f * (float)(k % 3);
      add_body(world, &params, 0.2f + 0.1f * (float)(k % 3), 1.0f + (float)(k % 3), 3.0f + 0.9f * (float)k, goal);
    }
    for (int step = 0; step < 900 && !th_world_done(world); step++) {
      th_world_step(world);
      th_agents a = th_world_agents(world);
      for (uint32_t row = 0; row < a.count; row++) {
        float min = fminf(fminf(a.x[row], 24.0f - a.x[row]), fminf(a.y[row], 16.0f - a.y[row]));
        for (int b = 0; b < BOXES; b++) min = fminf(min, distance_to_box(p.corner[b], a.x[row], a.y[row]));
        if (!(min >= a.radius[row] - 1e-3f))
          fail_msg("seed %u, step %d: a wall %g m from a body of radius %g", (unsigned)seed, step, (double)min,
                   (double)a.radius[row]);
      }
    }
    assert_true(th_world_done(world));
    assert_int_equal(th_world_counters(world).wall_contacts, 0);
    th_world_free(world);
  }
}

/* A cell of which an obstacle covers any part is solid, however small the part. */
/* shows: BVP-03 */
static void partly_covered_cells_are_solid(void **state) {
  (void)state;
  place_of_test p;
  box(p.corner[BOXES], 0, 0, 10, 10);
  p.outline = (th_polygon){.point = p.corner[BOXES], .count = 4};
  box(p.corner[0], 4.9f, 5.1f, 6.1f, 5.2f); /* a sliver over three cells of a metre */
  p.obstacle[0] = (th_polygon){.point = p.corner[0], .count = 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &p.outline;
  def.outline_count = 1;
  def.obstacle = p.obstacle;
  def.obstacle_count = 1;
  def.cell = 1.0f;
  def.radius_class[0] = 0.0f;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_flat(&def, &ground, NULL), TH_OK);
  uint32_t solid = 0;
  for (uint32_t i = 0; i < 10; i++)
    for (uint32_t j = 0; j < 10; j++) {
      uint32_t cell = th_ground_cell(ground, (float)i + 0.5f, (float)j + 0.5f);
      bool expected = j == 5 && i >= 4 && i <= 6;
      solid += expected;
      assert_int_equal(ground->flat->solid[cell], expected);
    }
  assert_int_equal(solid, 3);
  th_ground_release(ground);
}

/* The map of a goal is solved before the simulation starts: no step allocates, though the map takes memory. It comes
 * into force with the second step (`latency`), so the agent stands in the first and walks from then on. */
/* shows: BVP-17 */
static void maps_are_solved_before_the_first_step(void **state) {
  (void)state;
  place_of_test p;
  failing f = {0};
  th_world_def def = th_default_world_def();
  def.ground = make_hall(&p, 5, 0.25f);
  def.env = failing_env(&f);
  th_world *world = NULL;
  assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
  th_ground_release(def.ground);
  th_goal_id goal = add_goal(world, 22.5f, 8.0f);
  add_walker(world, NULL, 1.5f, 8.0f, goal);
  size_t solved = th_world_memory(world).fields;
  assert_true(solved >= 96 * 64 * sizeof(double)); /* 24 x 16 m in cells of a quarter */
  failing_lock(&f);
  th_world_step(world);
  assert_true(th_world_agents(world).x[0] == 1.5f);
  th_world_step(world);
  assert_true(th_world_agents(world).x[0] > 1.5f);
  assert_non_null(th_world_field(world, goal, 0.2f));
  for (int step = 0; step < 40; step++) th_world_step(world);
  failing_unlock(&f);
  assert_int_equal(th_world_memory(world).fields, solved);
  th_world_free(world);
  failing_assert_empty(&f);
}

/* Twelve agents for each of two goals, far off and with other parameters; only the map of the second goal is new. */
static void add_populations(th_world *world, th_goal_id first, th_goal_id second) {
  const th_field *field = th_world_field(world, first, 0.2f);
  size_t before = th_world_memory(world).fields;
  th_bvp_params params = th_default_bvp_params(11);
  params.behaviour[TH_BVP_FIRST].v = (th_vec2){0.0f, 1.0f};
  params.behaviour[TH_BVP_FIRST].strength = 0.7f;
  for (int k = 0; k < 12; k++) add_walker(world, k % 2 ? &params : NULL, 23.5f, 0.5f + 0.5f * (float)k, first);
  assert_int_equal(th_world_memory(world).fields, before);
  for (int k = 0; k < 12; k++) add_walker(world, k % 2 ? &params : NULL, 23.5f, 9.5f + 0.5f * (float)k, second);
  assert_true(th_world_memory(world).fields > before);
  for (int step = 0; step < 2; step++) th_world_step(world);
  assert_ptr_equal(field, th_world_field(world, first, 0.2f));
  assert_non_null(th_world_field(world, second, 0.2f));
  assert_ptr_not_equal(field, th_world_field(world, second, 0.2f));
}

/* Maps of goals are independent and shared: two populations with parameters of their own use the map of their goal, a
 * second goal has another one, and nobody who walks changes any. */
/* shows: BVP-20, SBVP-64 */
static void one_map_a_goal(void **state) {
  (void)state;
  float alone[2] = {0, 0};
  for (int both = 0; both < 2; both++) {
    place_of_test p;
    th_world *world = make_world(make_hall(&p, 5, 0.25f));
    th_goal_id first = add_goal(world, 22.5f, 8.0f), second = {0};
    if (both) second = add_goal(world, 12.0f, 15.2f);
    th_agent_id id = add_walker(world, NULL, 1.5f, 8.0f, first);
    th_world_step(world);
    th_world_step(world);
    const th_field *field = th_world_field(world, first, 0.2f);
    assert_non_null(field);
    uint32_t width, height;
    const double *values = th_field_values(field, &width, &height);
    double *before = malloc(sizeof *before * width * height);
    assert_non_null(before);
    memcpy(before, values, sizeof *before * width * height);
    if (both) add_populations(world, first, second);
    for (int step = both ? 2 : 0; step < 60; step++) th_world_step(world);
    assert_ptr_equal(field, th_world_field(world, first, 0.2f));
    assert_memory_equal(before, th_field_values(field, &width, &height), sizeof *before * width * height);
    uint32_t row = th_world_row(world, id);
    float x = th_world_agents(world).x[row], y = th_world_agents(world).y[row];
    assert_true(x > 4.0f); /* it has walked since the first step */
    if (both) assert_true(x == alone[0] && y == alone[1]);
    alone[0] = x;
    alone[1] = y;
    free(before);
    th_world_free(world);
  }
}

/* Cells of shared and local maps are chosen apart, also while the world runs. */
/* shows: BVP-21 */
static void cells_are_independent(void **state) {
  (void)state;
  static const float shared[3] = {0.15f, 0.25f, 0.5f}, local[3] = {0.2f, 0.4f, 0.7f};
  for (int k = 0; k < 9; k++) {
    place_of_test p;
    th_world *world = make_world(make_hall(&p, 7, shared[k / 3]));
    th_bvp_params params = th_default_bvp_params(15);
    params.cell = local[k % 3];
    th_goal_id goal = add_goal(world, 22.5f, 8.0f);
    add_walker(world, &params, 1.5f, 7.0f, goal);
    for (int step = 0; step < 600 && !th_world_done(world); step++) th_world_step(world);
    assert_true(th_world_done(world));
    th_world_free(world);
  }
}

static void count_calls(void *user, const th_bvp_moment *moment, th_vec2 *v, float *strength) {
  (void)v;
  (void)strength;
  ((uint32_t *)user)[moment->agent & 7u]++;
}

/* Who has no way to go is not stepped: its behaviour is not asked, its place stays; the others decide each time. */
/* shows: BVP-70 */
static void only_who_moves_is_stepped(void **state) {
  (void)state;
  place_of_test p;
  uint32_t calls[8] = {0};
  th_world *world = make_world(make_hall(&p, 9, 0.25f));
  th_bvp_params params = th_default_bvp_params(15);
  params.period = 0.1f;
  params.choose = count_calls;
  params.user = calls;
  params.behaviour[TH_BVP_FIRST].kind = TH_BVP_USER;
  th_goal_id goal = add_goal(world, 22.5f, 8.0f);
  th_agent_id walks = add_walker(world, &params, 1.5f, 7.0f, goal),
              stands = add_walker(world, &params, 2.5f, 13.0f, goal);
  th_agent_def def;
  assert_true(th_world_agent_def(world, stands, &def));
  def.route_count = 0; /* stopped */
  assert_int_equal(th_world_change_agent(world, stands, &def, NULL), TH_OK);
  for (int step = 0; step < 20; step++) th_world_step(world);
  assert_in_range(calls[walks.index & 7u], 18, 20);
  assert_int_equal(calls[stands.index & 7u], 0);
  uint32_t row = th_world_row(world, stands);
  assert_true(th_world_agents(world).x[row] == 2.5f && th_world_agents(world).y[row] == 13.0f);
  def.route[0].goal = goal;
  def.route_count = 1; /* set walking again */
  assert_int_equal(th_world_change_agent(world, stands, &def, NULL), TH_OK);
  for (int step = 0; step < 20; step++) th_world_step(world);
  assert_true(calls[stands.index & 7u] >= 18);
  th_world_free(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_body_overlaps_a_wall),
      cmocka_unit_test(partly_covered_cells_are_solid),
      cmocka_unit_test(maps_are_solved_before_the_first_step),
      cmocka_unit_test(one_map_a_goal),
      cmocka_unit_test(cells_are_independent),
      cmocka_unit_test(only_who_moves_is_stepped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
