/* Mesh ground changes under the feet of a crowd: doors, obstacles, moving vertices; snapshots remember it all. */
#include "support/mesh_worlds.h"
#include "support/unit.h"
#include "throng/model.h"
#include "throng/model/orca.h"

/* ---------------------------------------------------------------- two rooms and a door */

/* A floor of 20 x 10 m with a wall at x = 10 and a door in it, y 4 to 6. */
static th_ground *two_rooms(const th_env *env) {
  static const worlds_rect wall[2] = {{{{9.5f, -1}, {10.5f, -1}, {10.5f, 4}, {9.5f, 4}}},
                                      {{{9.5f, 6}, {10.5f, 6}, {10.5f, 11}, {9.5f, 11}}}};
  static const worlds_rect gap = {{{9.5f, 4}, {10.5f, 4}, {10.5f, 6}, {9.5f, 6}}};
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = 20;
  make.width = 10;
  make.edge = 0.5f;
  th_region blocked[2];
  for (int i = 0; i < 2; i++)
    blocked[i] =
        (th_region){.kind = TH_REGION_PRISM, .outline = wall[i].point, .outline_count = 4, .low = -1.0f, .high = 1.0f};
  th_mesh_door door = {.region = {.name = "door",
                                  .kind = TH_REGION_PRISM,
                                  .outline = gap.point,
                                  .outline_count = 4,
                                  .low = -1.0f,
                                  .high = 1.0f}};
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.blocked = blocked;
  def.blocked_count = 2;
  def.door = &door;
  def.door_count = 1;
  return mesh_grounds_make_of(env, &make, def);
}

static void turn_door(th_world *world, th_edit_kind kind) {
  th_edit edit = {.kind = kind, .name = "door"};
  OK(th_world_edit(world, &edit, 1, &error));
}

static uint32_t in_the_door(const th_world *world) {
  th_agents a = th_world_agents(world);
  uint32_t count = 0;
  for (uint32_t i = 0; i < a.count; i++) {
    float x = mesh_grounds_at(world, i).x;
    count += x > 9.6f && x < 10.4f;
  }
  return count;
}

/* shows: SBVP-48 */
static void doors_close_and_open(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = two_rooms(&env);
  th_world *world = worlds_make(ground, &env);
  th_goal_id goal = worlds_goal(world, 18, 5);
  for (uint32_t i = 0; i < 30; i++) {
    th_agent_def def = worlds_agent_def(2.0f + 0.8f * (float)(i % 6), 3.0f + 0.8f * (float)(i / 6), goal);
    def.model = i % 2 ? &th_model_orca : &th_model_follow;
    worlds_add(world, &def);
  }
  while (!in_the_door(world) && th_world_step_count(world) < 200) th_world_step(world);
  assert_true(in_the_door(world) > 0);
  turn_door(world, TH_EDIT_CLOSE);
  worlds_steps(world, 2);
  assert_int_equal(in_the_door(world), 0);
  mesh_grounds_assert_sound(world);
  worlds_steps(world, 150);
  uint64_t through = th_world_counters(world).arrived;
  assert_true(through < 30);
  assert_true(isinf(th_world_distance(world, (th_vec3){5, 5, 0}, goal, 0.2f))); /* the field has followed */
  assert_true(th_world_counters(world).unreachable > 0);
  turn_door(world, TH_EDIT_OPEN);
  for (int step = 0; step < 600 && th_world_counters(world).arrived < 30; step++) th_world_step(world);
  assert_int_equal(th_world_counters(world).arrived, 30);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- a planet that changes */

static th_ground *planet(const th_env *env) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 4;
  return mesh_grounds_make(env, &make);
}

static th_goal_id pole_goal(th_world *world, float z) {
  th_goal_def def = worlds_point_def_at((th_vec3){0, 0, z});
  th_goal_id goal;
  OK(th_world_add_goal(world, &def, &goal, &error));
  return goal;
}

/* Half of them stand, half go to the pole. */
static th_world *crowd_on(const th_env *env, th_ground *ground, uint32_t count) {
  th_world *world = worlds_make(ground, env);
  th_goal_id goal = pole_goal(world, 10);
  uint64_t random = 3;
  for (uint32_t i = 0; i < count; i++) {
    th_vec3 p = th_ground_point(ground, mesh_grounds_place(ground, &random));
    th_agent_def def = worlds_agent_def(p.x, p.y, i % 2 ? goal : NOWHERE);
    def.point.z = p.z;
    def.model = i % 3 ? &th_model_orca : &th_model_follow;
    worlds_add(world, &def);
  }
  return world;
}

static void obstacles_come_and_go(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = crowd_on(&env, ground, 100);
  th_goal_id goal = th_world_has_agent(world, (th_agent_id){2, 1, 0}) ? (th_goal_id){1, 1, 0} : TH_NULL_GOAL;
  worlds_steps(world, 5);
  th_vec3 from = {10, 0, 0};
  float before = th_world_distance(world, from, goal, 0.2f);
  th_region rock = {.name = "rock", .kind = TH_REGION_BALL, .centre = {7, 0, 7}, .radius = 3};
  th_edit add = {.kind = TH_EDIT_ADD, .region = &rock}, take = {.kind = TH_EDIT_REMOVE, .name = "rock"};
  OK(th_world_edit(world, &add, 1, &error));
  worlds_steps(world, 2);
  th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < a.count; i++) /* blocked are faces whose middle lies inside */
    assert_true(mesh_grounds_apart(mesh_grounds_at(world, i), rock.centre) > 2.0f);
  mesh_grounds_assert_sound(world);
  assert_true(th_world_distance(world, from, goal, 0.2f) > before * 1.01f);
  OK(th_world_edit(world, &take, 1, &error));
  worlds_steps(world, 2);
  assert_true(th_world_distance(world, from, goal, 0.2f) == before);
  for (int step = 0; step < 500 && !th_world_done(world); step++) th_world_step(world);
  assert_int_equal(th_world_counters(world).arrived, 50);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* Breathes: every vertex within a band moves in and out. */
static void breathe(th_world *world, float phase) {
  const th_mesh *mesh = th_ground_mesh(th_world_ground(world));
  th_vertex_move *move = malloc(sizeof *move * mesh->vertex_count);
  uint32_t count = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    double x = mesh->xyz[3 * v], y = mesh->xyz[3 * v + 1], z = mesh->xyz[3 * v + 2], r = sqrt(x * x + y * y + z * z);
    double k = (10.0 + 0.6 * sin((double)phase) * cos(0.6 * x + 0.4 * y)) / r;
    if (x > -6.0) move[count++] = (th_vertex_move){v, {(float)(k * x), (float)(k * y), (float)(k * z)}};
  }
  th_edit edit = {.kind = TH_EDIT_DEFORM, .move = move, .move_count = count};
  OK(th_world_edit(world, &edit, 1, &error));
  free(move);
}

/* shows: PLAN-47 PLAN-52 PLAN-37 PLAN-22 */
static void a_crowd_walks_on_a_breathing_planet(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = crowd_on(&env, ground, 100);
  for (int step = 0; step < 600 && th_world_counters(world).arrived < 50; step++) {
    if (step % 4 == 0) breathe(world, 0.1f * (float)step);
    th_world_step(world);
    mesh_grounds_assert_sound(world);
  }
  assert_true(th_ground_version(th_world_ground(world)) > 20);
  assert_int_equal(th_world_counters(world).arrived, 50);
  assert_int_equal(th_world_counters(world).wall_contacts, 0);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* After a deformation the ways are those of a world that has never known another ground. */
/* shows: PLAN-51 */
static void fields_follow_the_surface(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = crowd_on(&env, ground, 20);
  worlds_steps(world, 3);
  th_goal_id goal = {1, 1, 0};
  th_place from = th_ground_locate_at(ground, (th_vec3){9, 2, -4}, 0, INFINITY);
  th_vec3 weights = th_ground_weights(ground, from);
  float before = th_world_distance(world, th_ground_point(ground, from), goal, 0.2f);
  for (int k = 1; k <= 3; k++) breathe(world, 0.5f * (float)k), worlds_steps(world, 2);
  th_ground *now = th_ground_retain((th_ground *)(uintptr_t)th_world_ground(world));
  th_world *fresh = crowd_on(&env, now, 20);
  worlds_steps(fresh, 3);
  th_vec3 p = th_ground_point(now, th_ground_place_of(now, from.cell, weights));
  float after = th_world_distance(world, p, goal, 0.2f);
  assert_true(isfinite(after) && fabsf(after - before) > 0.01f);
  assert_true(after == th_world_distance(fresh, p, goal, 0.2f));
  assert_int_equal(h.faults, 0);
  th_world_free(fresh);
  th_ground_release(now);
  worlds_end(world, ground);
}

/* Who stands alone stays at the same weights in the same face, wherever that goes. */
static void places_keep_face_and_weights(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = worlds_make(ground, &env);
  uint64_t random = 8;
  uint32_t cell[40];
  th_vec3 weight[40], at[40];
  for (uint32_t i = 0; i < 40; i++) {
    th_vec3 p = th_ground_point(ground, mesh_grounds_place(ground, &random));
    th_agent_def def = worlds_agent_def(p.x, p.y, NOWHERE);
    def.point.z = p.z;
    def.collide = false;
    worlds_add(world, &def);
    th_agents a = th_world_agents(world);
    cell[i] = a.cell[i];
    weight[i] = th_ground_weights(ground, (th_place){a.cell[i], a.x[i], a.y[i]});
    at[i] = mesh_grounds_at(world, i);
  }
  breathe(world, 1.5f);
  worlds_steps(world, 3);
  float moved = 0.0f;
  th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < 40; i++) {
    uint32_t row = th_world_row(world, (th_agent_id){i + 1, 1, 0});
    th_vec3 w = th_ground_weights(th_world_ground(world), (th_place){a.cell[row], a.x[row], a.y[row]});
    assert_int_equal(a.cell[row], cell[i]);
    assert_true(mesh_grounds_apart(w, weight[i]) < 1e-5f);
    moved = fmaxf(moved, mesh_grounds_apart(mesh_grounds_at(world, row), at[i]));
  }
  assert_true(moved > 0.1f);
  worlds_end(world, ground);
}

/* shows: PLAN-52 PLAN-37 */
static void twenty_thousand_on_a_breathing_torus(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TORUS);
  make.radius = 12;
  make.large = 40;
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world_def def = th_default_world_def();
  def.env = env;
  def.ground = ground;
  def.agent_capacity = 20000;
  def.workers = 2;
  th_world *world;
  OK(th_world_make(&def, &world, &error));
  th_vec2 at = {52, 0};
  th_goal_def goal_def = worlds_point_def(&at);
  th_goal_id goal;
  OK(th_world_add_goal(world, &goal_def, &goal, &error));
  uint64_t random = 4;
  th_agent_def *agent = malloc(sizeof *agent * 20000);
  for (uint32_t i = 0; i < 20000; i++) {
    th_vec3 p = th_ground_point(ground, mesh_grounds_place(ground, &random));
    agent[i] = worlds_agent_def(p.x, p.y, goal);
    agent[i].point.z = p.z;
    agent[i].model = &th_model_orca;
  }
  OK(th_world_add_agents(world, agent, 20000, NULL, &error));
  free(agent);
  for (int step = 0; step < 6; step++) {
    const th_mesh *mesh = th_ground_mesh(th_world_ground(world));
    static th_vertex_move move[2000];
    for (uint32_t v = 0; v < 2000; v++) {
      const double *p = mesh->xyz + 3 * v;
      double k = 1.0 + 0.01 * sin(0.4 * p[0] + (double)step);
      move[v] = (th_vertex_move){v, {(float)(k * p[0]), (float)(k * p[1]), (float)p[2]}};
    }
    th_edit edit = {.kind = TH_EDIT_DEFORM, .move = move, .move_count = 2000};
    OK(th_world_edit(world, &edit, 1, &error));
    th_world_step(world);
    mesh_grounds_assert_sound(world);
  }
  th_counters counters = th_world_counters(world);
  assert_int_equal(th_world_agents(world).count + counters.removed, 20000);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- snapshots, memory */

static void change_at(th_world *world, int step) {
  th_region rock = {.name = "rock", .kind = TH_REGION_BALL, .centre = {7, 0, 7}, .radius = 3};
  th_edit add = {.kind = TH_EDIT_ADD, .region = &rock};
  if (step % 6 == 1) breathe(world, 0.3f * (float)step);
  if (step == 9) OK(th_world_edit(world, &add, 1, &error));
}

static void snapshots_hold_edits_and_deformation(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = crowd_on(&env, ground, 60), *other = crowd_on(&env, ground, 60);
  int step = 0;
  for (; step < 20; step++) change_at(world, step), th_world_step(world);
  worlds_saved saved = worlds_save(world);
  OK(th_world_restore(other, saved.memory, saved.size, &error));
  assert_true(th_world_hash(world) == th_world_hash(other));
  for (; step < 40; step++) {
    change_at(world, step), th_world_step(world);
    change_at(other, step), th_world_step(other);
    assert_true(th_world_hash(world) == th_world_hash(other));
  }
  OK(th_world_restore(world, saved.memory, saved.size, &error)); /* back to an earlier form of the planet */
  for (step = 20; step < 40; step++) change_at(world, step), th_world_step(world);
  assert_true(th_world_hash(world) == th_world_hash(other));
  free(saved.memory);
  assert_int_equal(h.faults, 0);
  th_world_free(other);
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(doors_close_and_open),
      cmocka_unit_test(obstacles_come_and_go),
      cmocka_unit_test(a_crowd_walks_on_a_breathing_planet),
      cmocka_unit_test(fields_follow_the_surface),
      cmocka_unit_test(places_keep_face_and_weights),
      cmocka_unit_test(twenty_thousand_on_a_breathing_torus),
      cmocka_unit_test(snapshots_hold_edits_and_deformation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
