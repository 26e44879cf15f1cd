/* The calls of a world on mesh ground: sources, queries, hosts that move bodies, links, transport, memory, bits. */
#include "support/mesh_worlds.h"
#include "support/unit.h"
#include "throng/model/orca.h"
#include "throng/scene.h"
#include "world/world.h"

static th_ground *planet(const th_env *env) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 4;
  return mesh_grounds_make(env, &make);
}

static th_agent_id add_at(th_world *world, th_vec3 p, th_goal_id goal) {
  th_agent_def def = worlds_agent_def(p.x, p.y, goal);
  def.point.z = p.z;
  return worlds_add(world, &def);
}

/* ---------------------------------------------------------------- sources */

static void sources_emit_on_the_side_that_is_meant(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = worlds_make(ground, &env);
  static const th_vec2 square[4] = {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}};
  for (int side = 0; side < 2; side++) {
    th_source_def def = th_default_source_def();
    def.agent.route[0].goal = worlds_goal_at(world, (th_vec3){0, 10, 0}, TH_FIELD_HARMONIC);
    def.agent.route_count = 1;
    def.agent.point.z = side ? 10.0f : -10.0f;
    def.agent.model = &th_model_orca;
    def.region = (th_polygon){NULL, square, 4};
    def.rate = 5;
    def.total = 40;
    OK(th_world_add_source(world, &def, NULL, &error));
  }
  uint32_t above = 0, below = 0;
  for (int step = 0; step < 900 && !th_world_done(world); step++) {
    th_world_step(world);
    uint32_t count;
    const th_event *event = th_world_events(world, &count);
    for (uint32_t i = 0; i < count; i++) {
      if (event[i].kind != TH_EVENT_ADDED) continue;
      th_vec3 p = mesh_grounds_at(world, th_world_row(world, event[i].agent));
      assert_true(fabsf(p.x) < 3.01f && fabsf(p.y) < 3.01f && fabsf(p.z) > 8.0f);
      above += p.z > 0.0f;
      below += p.z < 0.0f;
      th_agents a = th_world_agents(world);
      for (uint32_t k = 0; k < a.count; k++)
        assert_true(a.id[k].index == event[i].agent.index || mesh_grounds_apart(p, mesh_grounds_at(world, k)) > 0.39f);
    }
  }
  assert_int_equal(above, 40);
  assert_int_equal(below, 40);
  assert_int_equal(th_world_counters(world).arrived, 80);
  static const th_vec2 far[3] = {{50, 50}, {51, 50}, {50, 51}};
  th_source_def wrong = th_default_source_def();
  wrong.region = (th_polygon){NULL, far, 3};
  wrong.agent.level = 7; /* there is none */
  REFUSED(world, th_world_add_source(world, &wrong, NULL, &error), TH_ERROR_GEOMETRY, "region");
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* The same from a scene: a ball high up on a planet, and everywhere. */
static void sources_of_scenes_emit_on_meshes(void **state) {
  (void)state;
  static const char text[] =
      "{\"version\": 1, \"name\": \"rain\", \"duration\": 90,"
      " \"ground\": {\"mesh\": {\"make\": {\"shape\": \"planet\", \"level\": 3}}},"
      " \"goals\": [{\"name\": \"side\", \"point\": [0, 10, 0], \"arrive\": 1}],"
      " \"sources\": [{\"name\": \"top\", \"region\": {\"ball\": {\"centre\": [0, 0, 10], \"radius\": 2}},"
      "   \"rate\": 4, \"total\": 20, \"route\": [\"side\"], \"model\": \"orca\"},"
      "  {\"name\": \"rest\", \"region\": {\"everywhere\": true}, \"rate\": 4, \"total\": 20,"
      "   \"route\": [\"side\"], \"model\": \"orca\"}]}";
  th_scene *scene;
  th_run *run;
  OK(th_scene_parse(text, strlen(text), &scene, &error));
  th_run_def def = {.scene = scene};
  OK(th_run_make(&def, &run, &error));
  while (!th_run_done(run)) OK(th_run_step(run, &error));
  assert_int_equal(th_world_counters(th_run_world(run)).added, 40);
  assert_int_equal(th_world_counters(th_run_world(run)).arrived, 40);
  th_run_free(run);
  th_scene_free(scene);
}

/* ---------------------------------------------------------------- queries */

static void queries_are_in_space(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = worlds_make(ground, &env);
  th_goal_id goal = worlds_goal_at(world, (th_vec3){0, 0, 10}, TH_FIELD_HARMONIC);
  uint64_t random = 6;
  for (uint32_t i = 0; i < 300; i++) add_at(world, th_ground_point(ground, mesh_grounds_place(ground, &random)), goal);
  worlds_steps(world, 4);
  th_agents a = th_world_agents(world);
  for (uint32_t n = 0; n < 50; n++) {
    th_vec3 p = th_ground_point(ground, mesh_grounds_place(ground, &random));
    float reach = worlds_in(&random, 0.5f, 8.0f), min = INFINITY;
    uint32_t expected = 0, nearest = 0;
    for (uint32_t i = 0; i < a.count; i++) {
      float apart = mesh_grounds_apart(mesh_grounds_at(world, i), p);
      expected += apart <= reach;
      if (apart < min) min = apart, nearest = a.id[i].index;
    }
    th_agent_id found[300];
    assert_int_equal(th_world_within(world, p, reach, NULL, found, 300), expected);
    assert_int_equal(th_world_nearest(world, p, reach, NULL).index, expected ? nearest : 0);
    if (expected) assert_int_equal(found[0].index, nearest);
  }
  /* a quarter of a great circle to the pole */
  float left = th_world_distance(world, (th_vec3){10, 0, 0}, goal, 0.2f);
  assert_true(fabsf(left - 15.7f) < 0.5f);
  th_place way[600];
  uint32_t count = th_world_path(world, (th_vec3){10, 0, 0}, goal, 0.2f, way, 600);
  assert_true(count > 5 && count <= 600);
  assert_true(mesh_grounds_apart(th_ground_point(ground, way[count - 1]), (th_vec3){0, 0, 10}) < 1.0f);
  assert_true(isinf(th_world_distance(world, (th_vec3){NAN, 0, 0}, goal, 0.2f)));
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* A ray runs round the planet; what is straight ahead in space or inside does not count. */
static void rays_run_along_the_surface(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = worlds_make(ground, &env);
  th_agent_id ahead = add_at(world, (th_vec3){0, 0, 10}, NOWHERE);
  add_at(world, (th_vec3){-10, 0, 0}, NOWHERE);
  float distance;
  th_vec3 up = {0, 0, 1}, inwards = {-1, 0, 0}, from = {10, 0, 0};
  assert_int_equal(th_world_ray(world, from, up, 20.0f, NULL, &distance).index, ahead.index);
  assert_true(fabsf(distance - (15.7f - 0.2f)) < 0.3f);
  assert_int_equal(th_world_ray(world, from, up, 10.0f, NULL, &distance).index, 0);
  assert_true(fabsf(distance - 10.0f) < 1e-3f);
  const th_agent_filter others = {.except = ahead};
  assert_int_equal(th_world_ray(world, from, up, 40.0f, &others, &distance).index, 2);
  assert_int_equal(th_world_nearest(world, (th_vec3){0, 0, 10}, 30.0f, &others).index, 2);
  th_world_remove_agent(world, ahead);
  assert_int_equal(th_world_ray(world, from, up, 40.0f, NULL, &distance).index, 2); /* on, over the pole */
  assert_true(fabsf(distance - (31.4f - 0.2f)) < 0.6f);
  th_world_ray(world, from, inwards, 30.0f, NULL, &distance); /* no NaN, whatever is left of that direction */
  assert_true(distance >= 0.0f && distance <= 30.0f);
  worlds_end(world, ground);

  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TUBE); /* a wall ends it */
  make.length = 20;
  make.inside = true;
  ground = mesh_grounds_make(&env, &make);
  world = worlds_make(ground, &env);
  th_world_ray(world, (th_vec3){10, 0, 5}, up, 100.0f, NULL, &distance);
  assert_true(fabsf(distance - 15.0f) < 0.1f);
  worlds_end(world, ground);
}

/* Only the part along the ground counts, and it is that of the push. */
static void a_push_runs_along_the_surface(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = worlds_make(ground, &env);
  th_agent_id id = add_at(world, (th_vec3){10, 0, 0}, NOWHERE);
  worlds_steps(world, 2);
  const th_agents a = th_world_agents(world);
  const th_vec3 n = th_ground_normal(ground, (th_place){a.cell[0], a.x[0], a.y[0]}), push = {1.0f, 0.5f, 2.0f};
  const float out = push.x * n.x + push.y * n.y + push.z * n.z;
  OK(th_world_set_velocity(world, id, push, &error));
  const th_vec3 v = th_world_agent_velocity(world, id);
  assert_true(fabsf(v.x - (push.x - out * n.x)) < 1e-4f && fabsf(v.y - (push.y - out * n.y)) < 1e-4f);
  assert_true(fabsf(v.z - (push.z - out * n.z)) < 1e-4f);
  th_world_step(world);
  assert_true(th_world_agent_point(world, id).z > 0.02f);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- a host that moves the bodies */

static void a_host_moves_bodies_in_space(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = worlds_make(ground, &env);
  th_goal_id goal = worlds_goal_at(world, (th_vec3){0, 0, 10}, TH_FIELD_HARMONIC);
  add_at(world, (th_vec3){10, 0, 0}, goal);
  add_at(world, (th_vec3){0, 9, -3}, goal);
  for (int step = 0; step < 400 && !th_world_done(world); step++) {
    th_world_advise(world);
    th_agents a = th_world_agents(world);
    th_vec3 point[2];
    for (uint32_t i = 0; i < a.count; i++) {
      th_place place = {a.cell[i], a.x[i], a.y[i]};
      th_vec3 p = th_ground_point(ground, place);
      th_vec3 v = th_ground_to_space(ground, place, (th_vec2){a.advised_vx[i], a.advised_vy[i]});
      point[i] = (th_vec3){p.x + 0.1f * v.x, p.y + 0.1f * v.y, p.z + 0.1f * v.z};
    }
    th_world_accept(world, point, a.count);
    mesh_grounds_assert_sound(world);
  }
  assert_int_equal(th_world_counters(world).arrived, 2);
  add_at(world, (th_vec3){10, 0, 0}, goal);
  th_world_advise(world);
  th_world_accept(world, &(th_vec3){30, 0, 0}, 1); /* far from the surface */
  assert_int_equal(worlds_events(world, TH_EVENT_REFUSED, NOBODY), 1);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- links */

typedef struct linked {
  th_link near, far, point;
} linked;

static void look(void *user, const th_work *work) {
  linked *l = user;
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    const th_link *link = work->view->link + (size_t)lane * work->view->link_count;
    if (work->view->agent[lane] != 3 || work->view->link_count < 3) continue;
    l->near = link[0];
    l->far = link[1];
    l->point = link[2];
  }
}

static void links_reach_over_the_surface(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = planet(&env);
  th_world *world = worlds_make(ground, &env);
  float third = 0.3f; /* [rad] along the meridian */
  th_agent_id near = add_at(world, (th_vec3){10 * cosf(third), 0, 10 * sinf(third)}, NOWHERE);
  th_agent_id far = add_at(world, (th_vec3){-10, 0, 0}, NOWHERE);
  linked seen = {0};
  th_user_params params = {look, &seen, 5.0f, 4};
  th_agent_def def = worlds_agent_def(10, 0, NOWHERE);
  def.model = &th_model_user;
  def.params = &params;
  def.link[0] = (th_link_def){.agent = near, .role = TH_ROLE_LEADER};
  def.link[1] = (th_link_def){.agent = far, .role = TH_ROLE_PARTNER};
  def.link[2] = (th_link_def){.to_point = true, .point.z = 10, .role = TH_ROLE_USER + 3};
  def.link_count = 3;
  worlds_add(world, &def);
  worlds_steps(world, 2);
  assert_true(seen.near.exists && seen.near.inside && seen.near.seen);
  assert_true(fabsf(seen.near.distance - 3.0f) < 0.1f); /* along the surface */
  assert_true(seen.far.exists && !seen.far.inside);
  assert_true(fabsf(seen.far.distance - 20.0f) < 0.3f); /* in space */
  assert_true(seen.point.exists && fabsf(seen.point.distance - 14.14f) < 0.3f);
  float along = seen.point.dx * seen.near.dx + seen.point.dy * seen.near.dy; /* both up the meridian */
  assert_true(along > 0.98f);
  assert_true(seen.near.role == TH_ROLE_LEADER && seen.far.role == TH_ROLE_PARTNER);
  assert_int_equal(seen.point.role, TH_ROLE_USER + 3);
  th_world_remove_agent(world, near);
  worlds_steps(world, 1);
  assert_false(seen.near.exists);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- transport */

static void round_the_axis(void *user, const th_guide_query *q) {
  const float *height = user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_place place = {q->cell[lane], q->x[lane], q->y[lane]};
    th_vec3 p = th_ground_point(q->ground, place);
    th_vec2 d = th_ground_to_cell(q->ground, place, (th_vec3){-p.y, p.x, 4.0f * (*height - p.z)});
    float k = 1.0f / sqrtf(d.x * d.x + d.y * d.y);
    q->want[lane] = (th_guide_answer){d.x * k, d.y * k, 100.0f, TH_ANSWER_LEAD, {0}, 0.0f};
  }
}

/* Angle of the agent's own vector against the way up its facet. */
static float angle_of_v(const th_world *world) {
  const th_rows *rows = &world->rows;
  th_place place = {rows->cell[0], rows->x[0], rows->y[0]};
  th_vec2 up = th_ground_to_cell(world->ground, place, (th_vec3){0, 0, 1}), v = rows->v[0];
  return atan2f(up.x * v.y - up.y * v.x, up.x * v.x + up.y * v.y);
}

static int32_t facet_of(const th_world *world, int32_t facets) {
  th_vec3 p = mesh_grounds_at(world, 0);
  float turn = atan2f(p.y, p.x) / 6.28318531f;
  return (int32_t)floorf((turn < 0.0f ? turn + 1.0f : turn) * (float)facets);
}

/* Round a cone the own vector comes back turned by the sum of the facets' angles at the apex (on a round cone: by
 * 2 pi sin(half apex angle)), which is 2 pi less the angle defect. */
static void v_comes_back_turned_by_the_angle_defect(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TUBE); /* radius 6 to 3 over 4 m */
  make.radius = 6;
  make.end_radius = 3;
  make.length = 4;
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  float height = 2.0f;
  th_guide_id guide;
  th_user_guide_params params = {round_the_axis, &height};
  OK(th_world_add_guide(world, &th_guide_user, &params, &guide, &error));
  th_agent_def def = worlds_agent_def(4.45f, 0.3f, NOWHERE);
  def.point.z = 2.0f;
  def.guide = guide;
  def.v = (th_vec2){0.3f, 1.0f};
  def.eps = 0.5f;
  worlds_add(world, &def);
  const int32_t facets = 38; /* 2 pi 6 m of 1 m edges */
  int32_t first = facet_of(world, facets);
  float before = angle_of_v(world),
        length = sqrtf(world->rows.v[0].x * world->rows.v[0].x + world->rows.v[0].y * world->rows.v[0].y);
  bool away = false;
  int step = 0;
  for (; step < 400; step++) {
    th_world_step(world);
    int32_t facet = facet_of(world, facets);
    away |= facet == (first + facets / 2) % facets;
    if (away && facet == first) break;
  }
  assert_true(step < 400);
  float after = angle_of_v(world), pi = 3.14159265f;
  float expected = (float)facets * 2.0f * asinf(sinf(pi / (float)facets) * 3.0f / sqrtf(9.0f + 16.0f * 1.0f));
  float turned = fmodf(before - after + 4.0f * pi, 2.0f * pi);
  float off = fmodf(fabsf(turned - expected), 2.0f * pi);
  off = fminf(off, 2.0f * pi - off);
  print_message("v turned by %.4f rad, expected %.4f\n", (double)turned, (double)expected);
  assert_true(off < 0.01f);
  th_vec2 v = world->rows.v[0];
  assert_true(fabsf(sqrtf(v.x * v.x + v.y * v.y) - length) < 1e-4f);
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- bits, memory */

static void bits_do_not_depend_on_workers_or_lanes(void **state) {
  (void)state;
  static const struct {
    uint32_t workers;
    th_simd simd;
  } way[] = {{1, TH_SIMD_AUTO}, {2, TH_SIMD_AUTO}, {3, TH_SIMD_FOUR}, {8, TH_SIMD_AUTO}, {16, TH_SIMD_FOUR}};
  th_scene *scene;
  OK(th_scene_load(TH_MATRIX "/mixed.json", &scene, &error));
  uint64_t first = 0;
  for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
    th_run_def def = {.scene = scene, .workers = way[k].workers, .simd = way[k].simd};
    th_run *run;
    OK(th_run_make(&def, &run, &error));
    for (int step = 0; step < 60; step++) OK(th_run_step(run, &error));
    uint64_t hash = th_world_hash(th_run_world(run));
    if (!k) first = hash;
    assert_true(hash == first);
    th_run_free(run);
  }
  th_scene_free(scene);
}

static th_result make_and_step(const th_env *env, void *context) {
  th_ground *ground = context;
  th_world_def def = th_default_world_def();
  th_world *world;
  th_error error = {0};
  def.env = *env;
  def.ground = ground;
  def.agent_capacity = 16;
  th_result result = th_world_make(&def, &world, &error);
  if (result) {
    assert_true(strlen(error.text) > 5);
    return result;
  }
  th_agent_def agent[30];
  uint64_t random = 2;
  for (uint32_t i = 0; i < 30; i++) {
    th_vec3 p = th_ground_point(ground, mesh_grounds_place(ground, &random));
    agent[i] = worlds_agent_def(p.x, p.y, NOWHERE);
    agent[i].point.z = p.z;
    agent[i].model = &th_model_orca;
  }
  result = th_world_add_agents(world, agent, 30, NULL, &error);
  uint64_t failed_before = atomic_load(&((failing *)env->allocator.user)->failed);
  worlds_steps(world, 3); /* charts may lack memory: then agents stand, and nothing is lost */
  bool failed = atomic_load(&((failing *)env->allocator.user)->failed) != failed_before;
  th_world_free(world);
  return result ? result : failed ? TH_ERROR_MEMORY : TH_OK;
}

static void any_allocation_may_fail(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 2;
  th_ground *ground = mesh_grounds_make(&env, &make);
  uint64_t count = failing_every(make_and_step, ground);
  print_message("%u allocations\n", (uint32_t)count);
  assert_true(count > 100);
  th_ground_release(ground);
}

static void steps_allocate_nothing_once_charts_are_there(void **state) {
  (void)state;
  failing f = {0};
  th_env env = failing_env(&f);
  log_capture h = {0};
  th_env plain = worlds_env(&h);
  th_ground *ground = planet(&plain);
  th_world *world = worlds_make(ground, &env);
  th_goal_id goal = worlds_goal_at(world, (th_vec3){0, 0, 10}, TH_FIELD_HARMONIC);
  uint64_t random = 12;
  for (uint32_t i = 0; i < 100; i++) add_at(world, th_ground_point(ground, mesh_grounds_place(ground, &random)), goal);
  worlds_saved saved = worlds_save(world);
  worlds_steps(world, 80);
  OK(th_world_restore(world, saved.memory, saved.size, &error));
  worlds_steps(world, 2); /* the field is there */
  failing_lock(&f);
  worlds_steps(world, 70);
  failing_unlock(&f);
  th_world_free(world);
  free(saved.memory);
  failing_assert_empty(&f);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sources_emit_on_the_side_that_is_meant),
      cmocka_unit_test(sources_of_scenes_emit_on_meshes),
      cmocka_unit_test(queries_are_in_space),
      cmocka_unit_test(rays_run_along_the_surface),
      cmocka_unit_test(a_push_runs_along_the_surface),
      cmocka_unit_test(a_host_moves_bodies_in_space),
      cmocka_unit_test(links_reach_over_the_surface),
      cmocka_unit_test(v_comes_back_turned_by_the_angle_defect),
      cmocka_unit_test(bits_do_not_depend_on_workers_or_lanes),
      cmocka_unit_test(any_allocation_may_fail),
      cmocka_unit_test(steps_allocate_nothing_once_charts_are_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
