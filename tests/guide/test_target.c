/* tests/guide/test_target.c - the guide `target`: everybody to a place of their own, on flat ground and on a mesh. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/unit.h"
#include "throng/guide/target.h"
#include "throng/make.h"
#include "throng/throng.h"

enum { MANY = 60 };

/* 30 m x 20 m with a wall along x = 15 that leaves 2 m free at the top; a door, open, closes the gap. */
static th_ground *hall(void) {
  static const th_vec2 rim[4] = {{0, 0}, {30, 0}, {30, 20}, {0, 20}},
                       wall[4] = {{14.8f, 0}, {15.2f, 0}, {15.2f, 18}, {14.8f, 18}},
                       gap[4] = {{14.8f, 18}, {15.2f, 18}, {15.2f, 20}, {14.8f, 20}};
  const th_polygon outline = {NULL, rim, 4}, obstacle = {NULL, wall, 4};
  const th_door door = {{"gate", gap, 4}, false};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline, def.outline_count = 1;
  def.obstacle = &obstacle, def.obstacle_count = 1;
  def.door = &door, def.door_count = 1;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_flat(&def, &ground, NULL), TH_OK);
  return ground;
}

/* The same as a mesh. */
static th_ground *mesh_hall(void) {
  static const th_vec2 wall[4] = {{14.3f, -1}, {15.7f, -1}, {15.7f, 17}, {14.3f, 17}},
                       gap[4] = {{14.3f, 17}, {15.7f, 17}, {15.7f, 21}, {14.3f, 21}};
  th_make_params make = th_default_make_params();
  make.shape = TH_MAKE_SHAPE_PLANE;
  make.length = 30, make.width = 20, make.edge = 0.7f;
  th_mesh mesh;
  assert_int_equal(th_mesh_generate(&make, &mesh, NULL), TH_OK);
  double low[2] = {HUGE_VAL, HUGE_VAL};
  for (uint32_t v = 0; v < mesh.vertex_count; v++)
    for (int k = 0; k < 2; k++) low[k] = fmin(low[k], mesh.xyz[3 * v + (uint32_t)k]);
  for (uint32_t v = 0; v < mesh.vertex_count; v++)
    for (int k = 0; k < 2; k++) mesh.xyz[3 * v + (uint32_t)k] -= low[k];
  const th_region block = {.kind = TH_REGION_PRISM, .outline = wall, .outline_count = 4, .low = -1, .high = 1};
  const th_mesh_door door = {
      {.name = "gate", .kind = TH_REGION_PRISM, .outline = gap, .outline_count = 4, .low = -1, .high = 1}, false};
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = &mesh;
  def.blocked = &block, def.blocked_count = 1;
  def.door = &door, def.door_count = 1;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_mesh(&def, &ground, NULL), TH_OK);
  th_mesh_free(&mesh);
  return ground;
}

static th_world *world_on(th_ground *ground, uint32_t workers) {
  th_world_def def = th_default_world_def();
  def.ground = ground;
  def.workers = workers;
  th_world *world = NULL;
  assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
  th_ground_release(ground);
  return world;
}

static th_agent_id put(th_world *world, float x, float y) {
  th_agent_def def = th_default_agent_def();
  def.point = (th_vec3){x, y, 0};
  th_agent_id id;
  assert_int_equal(th_world_add_agent(world, &def, &id, NULL), TH_OK);
  return id;
}

static void move_to(th_world *world, th_agent_id id, float x, float y) {
  assert_int_equal(th_world_move_to(world, id, (th_vec3){x, y, 0}, NULL), TH_OK);
}

static void run(th_world *world, double seconds) {
  for (const double end = th_world_time(world) + seconds; th_world_time(world) < end;) th_world_step(world);
}

static float apart(const th_world *world, th_agent_id id, float x, float y) {
  const th_vec3 p = th_world_agent_point(world, id);
  return hypotf(p.x - x, p.y - y);
}

static th_target_state state_of(const th_world *world, th_agent_id id) {
  return th_target_read(th_world_guide_row(world, id, NULL));
}

typedef th_ground *make_ground(void);
static make_ground *const grounds[] = {hall, mesh_hall};

static void everybody_comes_to_their_own_place_round_the_wall(void **state) {
  (void)state;
  for (int g = 0; g < 2; g++) {
    th_world *world = world_on(grounds[g](), 1);
    th_agent_id id[MANY];
    for (uint32_t i = 0; i < MANY; i++)
      id[i] = put(world, 2.0f + 1.0f * (float)(i % 10), 2.0f + 1.5f * (float)(i / 10));
    for (uint32_t i = 0; i < MANY; i++)
      move_to(world, id[i], 28.0f - 1.1f * (float)(i % 10), 2.0f + 1.7f * (float)(i / 10));
    run(world, 1);
    assert_true(state_of(world, id[0]).left > 38.0f && state_of(world, id[0]).left < 50.0f);
    run(world, 90);
    for (uint32_t i = 0; i < MANY; i++) {
      /* who has arrived may be made to step aside by those who walk past */
      assert_true(apart(world, id[i], 28.0f - 1.1f * (float)(i % 10), 2.0f + 1.7f * (float)(i / 10)) < 1.5f);
      assert_true(state_of(world, id[i]).left <= 0.5f);
      assert_int_equal(th_world_agent_state(world, id[i]), TH_AGENT_ARRIVED);
    }
    assert_int_equal(th_world_counters(world).arrived, MANY);
    move_to(world, id[0], 2, 2); /* and back */
    run(world, 60);
    assert_true(apart(world, id[0], 2, 2) < 0.7f);
    th_world_free(world);
  }
}

/* Two units without a hindrance between them: the walk is as long as the path. */
static void the_way_walked_is_the_shortest(void **state) {
  (void)state;
  for (int g = 0; g < 2; g++) {
    th_world *world = world_on(grounds[g](), 1);
    const th_agent_id id = put(world, 12, 2);
    move_to(world, id, 18, 2);
    th_place path[16];
    const th_ground *ground = th_world_ground(world);
    const uint32_t count =
        th_ground_path(ground, th_ground_locate(ground, 12, 2), th_ground_locate(ground, 18, 2), 0.2f, path, 16);
    assert_true(count >= 3 && count <= 16);
    double length = 0.0, walked = 0.0;
    for (uint32_t i = 1; i < count; i++) {
      const th_vec3 a = th_ground_point(ground, path[i - 1]), b = th_ground_point(ground, path[i]);
      length += (double)hypotf(b.x - a.x, b.y - a.y);
    }
    while (th_world_agent_state(world, id) == TH_AGENT_WALKING && th_world_time(world) < 60) {
      const th_vec3 before = th_world_agent_point(world, id);
      th_world_step(world);
      walked += (double)apart(world, id, before.x, before.y);
    }
    assert_int_equal(th_world_agent_state(world, id), TH_AGENT_ARRIVED);
    assert_true(walked < 1.03 * length && walked > length - 1.5);
    th_world_free(world);
  }
}

static void a_gate_that_closes_and_opens(void **state) {
  (void)state;
  for (int g = 0; g < 2; g++) {
    th_world *world = world_on(grounds[g](), 1);
    const th_agent_id id = put(world, 5, 10);
    move_to(world, id, 25, 10);
    run(world, 2);
    assert_true(state_of(world, id).left > 20.0f);
    th_edit edit = {.kind = TH_EDIT_CLOSE, .name = "gate"};
    assert_int_equal(th_world_edit(world, &edit, 1, NULL), TH_OK);
    run(world, 5);
    assert_int_equal(th_world_agent_state(world, id), TH_AGENT_LOST);
    assert_int_equal(th_world_counters(world).unreachable, 1); /* told once */
    edit.kind = TH_EDIT_OPEN;
    assert_int_equal(th_world_edit(world, &edit, 1, NULL), TH_OK);
    run(world, 40);
    assert_true(apart(world, id, 25, 10) < 0.7f);
    th_world_free(world);
  }
}

static void a_target_in_a_wall_stands_for_the_nearest_place(void **state) {
  (void)state;
  for (int g = 0; g < 2; g++) {
    th_world *world = world_on(grounds[g](), 1);
    const th_agent_id id = put(world, 5, 10);
    move_to(world, id, 14.95f, 10); /* nearer to this side */
    run(world, 30);
    assert_true(state_of(world, id).moved);
    assert_int_equal(th_world_agent_state(world, id), TH_AGENT_ARRIVED);
    const th_vec3 p = th_world_agent_point(world, id);
    assert_true(p.x < 15.0f && p.x > 12.5f && fabsf(p.y - 10.0f) < 1.5f);
    th_world_free(world);
  }
}

/* One is chased by another that knows where it is: it comes near and stays near, without arriving. */
static void an_agent_that_moves_is_followed(void **state) {
  (void)state;
  for (int g = 0; g < 2; g++) {
    th_world *world = world_on(grounds[g](), 1);
    th_guide_id guide;
    assert_int_equal(th_world_add_guide(world, &th_guide_target, NULL, &guide, NULL), TH_OK);
    const th_agent_id prey = put(world, 20, 5);
    th_agent_def def = th_default_agent_def();
    def.point = (th_vec3){5, 5, 0}, def.guide = guide, def.speed = 1.8f;
    def.link[0] = th_default_link_def();
    def.link[0].agent = prey, def.link[0].role = TH_ROLE_TARGET, def.link_count = 1;
    th_agent_id hunter;
    assert_int_equal(th_world_add_agent(world, &def, &hunter, NULL), TH_OK);
    move_to(world, prey, 28, 18);
    run(world, 60);
    assert_true(apart(world, hunter, th_world_agent_point(world, prey).x, th_world_agent_point(world, prey).y) < 1.3f);
    assert_int_equal(th_world_agent_state(world, hunter), TH_AGENT_WALKING);
    move_to(world, prey, 3, 3);
    run(world, 60);
    assert_true(apart(world, prey, 3, 3) < 0.7f && apart(world, hunter, 3, 3) < 2.0f);
    th_world_remove_agent(world, prey);
    run(world, 1);
    assert_int_equal(th_world_agent_state(world, hunter), TH_AGENT_LOST);
    th_world_free(world);
  }
}

/* A place that goes in a circle, given in every step; pushes on top of it. */
static uint64_t circle(int g, uint32_t workers, uint32_t steps, size_t *back) {
  th_world *world = world_on(grounds[g](), workers);
  th_agent_id id[MANY];
  void *saved = NULL;
  size_t size = 0;
  for (uint32_t i = 0; i < MANY; i++) id[i] = put(world, 2.0f + 1.0f * (float)(i % 10), 2.0f + 1.5f * (float)(i / 10));
  for (uint32_t n = 0; n < steps; n++) {
    if (back && n == steps / 2) {
      size = th_world_snapshot(world, NULL, 0);
      saved = malloc(size);
      assert_int_equal(th_world_snapshot(world, saved, size), size);
    }
    for (uint32_t i = 0; i < MANY; i++) {
      const float angle = 0.01f * (float)n + (float)i;
      move_to(world, id[i], 15.0f + 11.0f * cosf(angle), 10.0f + 7.0f * sinf(angle));
    }
    if (n % 10 == 0) assert_int_equal(th_world_set_velocity(world, id[n % MANY], (th_vec3){3, 3, 0}, NULL), TH_OK);
    th_world_step(world);
  }
  const uint64_t hash = th_world_hash(world);
  if (back) {
    assert_int_equal(th_world_restore(world, saved, size, NULL), TH_OK);
    for (uint32_t n = steps / 2; n < steps; n++) {
      for (uint32_t i = 0; i < MANY; i++) {
        const float angle = 0.01f * (float)n + (float)i;
        move_to(world, id[i], 15.0f + 11.0f * cosf(angle), 10.0f + 7.0f * sinf(angle));
      }
      if (n % 10 == 0) assert_int_equal(th_world_set_velocity(world, id[n % MANY], (th_vec3){3, 3, 0}, NULL), TH_OK);
      th_world_step(world);
    }
    assert_int_equal(th_world_hash(world), hash);
    free(saved);
  }
  th_world_free(world);
  return hash;
}

static void the_same_bits_for_any_workers_and_after_restoring(void **state) {
  (void)state;
  for (int g = 0; g < 2; g++) {
    size_t back = 0;
    const uint64_t one = circle(g, 1, 200, &back);
    assert_true(one == circle(g, 2, 200, NULL));
    assert_true(one == circle(g, 3, 200, NULL));
  }
}

static void few_searches_and_few_nodes_still_lead_there(void **state) {
  (void)state;
  for (int g = 0; g < 2; g++) {
    th_world *world = world_on(grounds[g](), 1);
    th_target_params params = th_default_target_params();
    params.searches = 1, params.nodes = 64;
    th_guide_id guide;
    assert_int_equal(th_world_add_guide(world, &th_guide_target, &params, &guide, NULL), TH_OK);
    th_agent_id id[8];
    for (uint32_t i = 0; i < 8; i++) {
      id[i] = put(world, 3.0f, 2.0f + (float)i);
      move_to(world, id[i], 27.0f, 2.0f + (float)i);
    }
    th_world_step(world);
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < 8; i++) waiting += state_of(world, id[i]).waits;
    assert_int_equal(waiting, 7);
    run(world, 120);
    for (uint32_t i = 0; i < 8; i++) assert_true(apart(world, id[i], 27.0f, 2.0f + (float)i) < 0.7f);
    th_world_free(world);
  }
}

/* Targets that move, searches, and th_world_move_to itself once the guide is there. */
static void a_step_allocates_nothing(void **state) {
  (void)state;
  for (int g = 0; g < 2; g++) {
    failing f = {0};
    th_ground *ground = grounds[g]();
    th_world_def def = th_default_world_def();
    def.env = failing_env(&f);
    def.ground = ground;
    th_world *world = NULL;
    assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
    th_ground_release(ground);
    th_agent_id id[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
      id[i] = put(world, 2.0f + 1.0f * (float)(i % 10), 2.0f + 1.5f * (float)(i / 10));
      move_to(world, id[i], 28.0f - (float)(i % 10), 2.0f + (float)(i / 10));
    }
    assert_int_equal(th_world_prepare(world, NULL), TH_OK);
    failing_lock(&f);
    for (uint32_t n = 0; n < 100; n++) {
      for (uint32_t i = 0; i < MANY; i++) move_to(world, id[i], 28.0f - 0.1f * (float)n, 2.0f + (float)(i / 10));
      th_world_step(world);
    }
    failing_unlock(&f);
    th_world_free(world);
    failing_assert_empty(&f);
  }
}

/* Each single allocation fails once: nothing is left behind. */
static th_result make_world_of_targets(const th_env *env, void *context) {
  th_ground *ground = *(make_ground **)context == hall ? hall() : mesh_hall();
  th_world_def def = th_default_world_def();
  def.env = *env;
  def.ground = ground;
  th_world *world = NULL;
  th_result result = th_world_make(&def, &world, NULL);
  th_ground_release(ground);
  th_agent_def agent = th_default_agent_def();
  agent.point = (th_vec3){5, 5, 0};
  th_agent_id id;
  if (!result) result = th_world_add_agent(world, &agent, &id, NULL);
  if (!result) result = th_world_move_to(world, id, (th_vec3){25, 5, 0}, NULL);
  th_world_free(world);
  return result;
}

static void failing_memory_is_survived(void **state) {
  (void)state;
  for (int g = 0; g < 2; g++) {
    make_ground *ground = grounds[g];
    assert_true(failing_every(make_world_of_targets, &ground) > 5);
  }
}

static void what_is_wrong_is_refused(void **state) {
  (void)state;
  th_world *world = world_on(hall(), 1);
  const th_agent_id id = put(world, 5, 10);
  th_error error;
  const uint64_t before = th_world_hash(world);
  assert_int_equal(th_world_move_to(world, id, (th_vec3){NAN, 0, 0}, &error), TH_ERROR_RANGE);
  assert_int_equal(th_world_move_to(world, TH_NULL_AGENT, (th_vec3){1, 1, 0}, &error), TH_ERROR_STATE);
  assert_true(th_world_hash(world) == before);
  assert_true(th_target_read(NULL).corners == 0);
  th_world_free(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everybody_comes_to_their_own_place_round_the_wall),
      cmocka_unit_test(the_way_walked_is_the_shortest),
      cmocka_unit_test(a_gate_that_closes_and_opens),
      cmocka_unit_test(a_target_in_a_wall_stands_for_the_nearest_place),
      cmocka_unit_test(an_agent_that_moves_is_followed),
      cmocka_unit_test(the_same_bits_for_any_workers_and_after_restoring),
      cmocka_unit_test(few_searches_and_few_nodes_still_lead_there),
      cmocka_unit_test(a_step_allocates_nothing),
      cmocka_unit_test(failing_memory_is_survived),
      cmocka_unit_test(what_is_wrong_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
