/* tests/world/agent/test_agent_access.c - one agent at a time: what is read is what the arrays say, and setting one
 * thing keeps all others, whatever the agent is doing. */
#include "support/explorers.h"
#include "support/mesh_worlds.h"
#include "world/world.h"

typedef struct stage {
  log_capture h;
  th_ground *ground;
  th_world *world;
  th_goal_id goal[3];
  th_guide_id path, explore;
} stage;

static const th_vec3 corner[] = {{2, 2, 0}, {6, 2, 0}, {6, 6, 0}};

static void begin(stage *s) {
  *s = (stage){0};
  th_env env = worlds_env(&s->h);
  s->ground = worlds_house(&env);
  s->world = worlds_make(s->ground, &env);
  s->goal[0] = worlds_goal(s->world, 5, 3);
  s->goal[1] = worlds_goal(s->world, 5, 10);
  s->goal[2] = worlds_goal(s->world, 2, 14);
  th_path_params path = {.point = corner, .count = 3, .ahead = 1.0f};
  OK(th_world_add_guide(s->world, &th_guide_path, &path, &s->path, &error));
  OK(th_world_add_guide(s->world, &th_guide_explore, NULL, &s->explore, &error));
}

static void end(stage *s) { worlds_end(s->world, s->ground); }

/* Three stops, two of them with a wait. */
static th_agent_def tourist(const stage *s, float x, float y) {
  th_agent_def def = worlds_agent_def(x, y, s->goal[0]);
  def.route[0].wait = 1.0f;
  def.route[1] = (th_stop){.goal = s->goal[1], .wait = 3.0f};
  def.route[2] = (th_stop){.goal = s->goal[2], .wait = 0.0f};
  def.route_count = 3;
  def.remove = false;
  return def;
}

static void walk_to(stage *s, th_agent_id id, th_agent_state state, uint32_t stop) {
  for (uint32_t n = 0; n < 1000; n++) {
    if (th_world_agent_state(s->world, id) == state && th_world_agent_stop(s->world, id) == stop) return;
    th_world_step(s->world);
  }
  fail_msg("expected state %d at stop %u, found %d at %u", (int)state, stop, (int)th_world_agent_state(s->world, id),
           th_world_agent_stop(s->world, id));
}

/* Everything that can be set, set to what the agent has. */
static void set_all_as_it_is(stage *s, th_agent_id id) {
  th_agent_def def;
  assert_true(th_world_agent_def(s->world, id, &def));
  OK(th_world_set_speed(s->world, id, def.speed, &error));
  OK(th_world_set_speed_max(s->world, id, def.speed_max, &error));
  OK(th_world_set_radius(s->world, id, def.radius, &error));
  OK(th_world_set_layers(s->world, id, def.layers, def.avoids, &error));
  OK(th_world_set_params(s->world, id, def.params, &error));
  OK(th_world_set_guide(s->world, id, def.guide, &error));
  OK(th_world_set_external(s->world, id, def.external, &error));
  th_world_set_user(s->world, id, def.user);
  assert_true(th_world_agent_def(s->world, id, &def));
  OK(th_world_change_agent(s->world, id, &def, &error));
}

static void what_is_set_as_it_was_leaves_no_trace(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_def def = tourist(&s, 3, 3);
  def.loop = true;
  th_agent_id id[9] = {worlds_add(s.world, &def)};
  def.loop = false;
  def.guide = s.path;
  id[1] = worlds_add(s.world, &def);
  def = worlds_agent_def(3, 8, TH_NULL_GOAL);
  def.guide = s.explore;
  id[2] = worlds_add(s.world, &def);
  def = tourist(&s, 2, 9);
  def.delay = 40.0f;
  id[3] = worlds_add(s.world, &def);
  def.delay = 0.0f;
  def.external = true;
  id[4] = worlds_add(s.world, &def);
  id[5] = worlds_walker(s.world, 4, 13, TH_NULL_GOAL); /* nowhere to go */
  th_goal_id gone = worlds_goal(s.world, 6, 14);
  def = worlds_agent_def(2, 6, gone);
  def.route[1].goal = s.goal[0];
  def.route_count = 2;
  def.v = (th_vec2){0.6f, -0.8f};
  def.eps = 0.5f;
  id[6] = worlds_add(s.world, &def); /* will be lost */
  def = worlds_agent_def(4, 14, s.goal[2]);
  def.remove = false;
  def.link[0].agent = id[0];
  def.link[1].agent = id[6];
  def.link_count = 2;
  id[7] = worlds_add(s.world, &def); /* will have arrived */
  id[8] = worlds_add(s.world, &def); /* will be gone: links may name it */
  uint32_t seen = 0;
  for (uint32_t n = 0; n < 400; n++) {
    if (n == 20) th_world_remove_goal(s.world, gone);
    if (n == 30) th_world_remove_agent(s.world, id[8]);
    uint64_t hash = th_world_hash(s.world);
    for (uint32_t i = 0; i < 8; i++) {
      seen |= 1u << th_world_agent_state(s.world, id[i]);
      set_all_as_it_is(&s, id[i]);
      if (th_world_hash(s.world) != hash) fail_msg("step %u, agent %u", n, i);
    }
    th_world_step(s.world);
  }
  assert_int_equal(seen, 63); /* every state has been met */
  assert_int_equal(s.h.faults, 0);
  end(&s);
}

static void agents_that_wait_or_have_arrived_stay_so(void **state) {
  (void)state;
  stage s, twin;
  begin(&s);
  begin(&twin);
  th_agent_def def = tourist(&s, 3, 3);
  th_agent_id id = worlds_add(s.world, &def), other = worlds_add(twin.world, &def);
  walk_to(&s, id, TH_AGENT_WAITING, 1);
  walk_to(&twin, other, TH_AGENT_WAITING, 1);
  assert_true(th_world_time(s.world) == th_world_time(twin.world));
  OK(th_world_set_speed(s.world, id, 0.7f, &error));
  OK(th_world_set_radius(s.world, id, 0.45f, &error));
  OK(th_world_set_layers(s.world, id, 2, 4, &error));
  OK(th_world_set_params(s.world, id, &(th_follow_params){0.5f}, &error));
  assert_int_equal(th_world_agent_state(s.world, id), TH_AGENT_WAITING);
  walk_to(&s, id, TH_AGENT_WALKING, 2);
  walk_to(&twin, other, TH_AGENT_WALKING, 2);
  assert_true(th_world_time(s.world) == th_world_time(twin.world)); /* waited as long */
  assert_true(th_world_agent_def(s.world, id, &def));
  assert_true(def.speed == 0.7f && def.radius == 0.45f && def.layers == 2 && def.avoids == 4);
  assert_true(((const th_follow_params *)def.params)->slow_within == 0.5f);
  walk_to(&s, id, TH_AGENT_ARRIVED, 2);
  OK(th_world_set_speed_max(s.world, id, 3.0f, &error));
  OK(th_world_set_speed(s.world, id, 2.5f, &error));
  th_vec3 p = th_world_agent_point(s.world, id);
  worlds_steps(s.world, 10);
  th_vec3 q = th_world_agent_point(s.world, id);
  assert_int_equal(th_world_agent_state(s.world, id), TH_AGENT_ARRIVED);
  assert_true(hypotf(p.x - q.x, p.y - q.y) < 0.3f);
  end(&s);
  end(&twin);
}

/* Pushed sideways it walks on sideways until its acceleration has turned it; without a limit it forgets at once. */
static void a_push_lasts_as_long_as_the_acceleration_allows(void **state) {
  (void)state;
  for (int limited = 0; limited < 2; limited++) {
    stage s;
    begin(&s);
    th_agent_def def = tourist(&s, 3, 3);
    def.acceleration_max = limited ? 2.0f : INFINITY;
    th_agent_id id = worlds_add(s.world, &def);
    worlds_steps(s.world, 8);
    const th_vec3 before = th_world_agent_velocity(s.world, id), heading = th_world_agent_heading(s.world, id);
    const th_vec3 push = {-before.y, before.x, 0.0f};
    assert_true(hypotf(before.x, before.y) > 1.0f);
    OK(th_world_set_velocity(s.world, id, push, &error));
    th_vec3 now = th_world_agent_velocity(s.world, id), kept = th_world_agent_heading(s.world, id);
    assert_true(now.x == push.x && now.y == push.y);
    assert_true(kept.x == heading.x && kept.y == heading.y);
    worlds_steps(s.world, 1);
    now = th_world_agent_velocity(s.world, id);
    float along = (now.x * push.x + now.y * push.y) / (push.x * push.x + push.y * push.y);
    if (!(limited ? along > 0.7f : fabsf(along) < 0.1f))
      fail_msg("limit %d: %g of the push is left", limited, (double)along);
    REFUSED(s.world, th_world_set_velocity(s.world, id, (th_vec3){101.0f, 0.0f, 0.0f}, &error), TH_ERROR_RANGE,
            "velocity");
    REFUSED(s.world, th_world_set_velocity(s.world, id, (th_vec3){NAN, 0.0f, 0.0f}, &error), TH_ERROR_RANGE,
            "velocity");
    th_world_advise(s.world);
    REFUSED(s.world, th_world_set_velocity(s.world, id, push, &error), TH_ERROR_STATE, "th_world_set_velocity");
    th_world_integrate(s.world);
    end(&s);
  }
}

/* However hard it is pushed, and however slowly it brakes. */
static void a_push_goes_through_no_wall(void **state) {
  (void)state;
  for (int k = 0; k < 16; k++) {
    stage s;
    begin(&s);
    th_agent_def def = tourist(&s, 6, 8); /* walls from x = 7.9 to 8.1 between y = 5 and 11 */
    def.acceleration_max = 1.0f;
    th_agent_id id = worlds_add(s.world, &def);
    worlds_steps(s.world, 3);
    const float angle = 0.1f * (float)(k - 8);
    const th_vec3 push = {99.9f * cosf(angle), 99.9f * sinf(angle), 0.0f};
    OK(th_world_set_velocity(s.world, id, push, &error));
    for (int n = 0; n < 20; n++) {
      th_world_step(s.world);
      const th_vec3 at = th_world_agent_point(s.world, id);
      if (!(at.x < 7.9f))
        fail_msg("push %d is through the wall after %d steps, at %g, %g", k, n + 1, (double)at.x, (double)at.y);
    }
    end(&s);
  }
}

static void a_wider_body_gets_a_field_of_its_own(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_id id = worlds_walker(s.world, 3, 3, s.goal[2]);
  worlds_steps(s.world, 3);
  OK(th_world_set_radius(s.world, id, 0.9f, &error));
  worlds_steps(s.world, 3);
  assert_non_null(th_world_field(s.world, s.goal[2], 0.9f));
  assert_int_equal(th_world_agent_state(s.world, id), TH_AGENT_WALKING);
  end(&s);
}

static void an_explorer_keeps_what_it_knows(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_def def = worlds_agent_def(3, 8, TH_NULL_GOAL);
  def.guide = s.explore;
  th_agent_id id = worlds_add(s.world, &def);
  worlds_steps(s.world, 30);
  size_t size;
  const void *memory = th_world_guide_memory(s.world, s.explore, &size);
  uint32_t sensed = th_explore_read(memory).sensed;
  void *kept = malloc(size);
  memcpy(kept, memory, size);
  th_guide_memory own = s.world->rows.guide_memory[th_world_row(s.world, id)];
  OK(th_world_set_speed(s.world, id, 0.5f, &error));
  assert_true(th_world_agent_def(s.world, id, &def));
  def.speed = 0.6f;
  OK(th_world_change_agent(s.world, id, &def, &error));
  assert_memory_equal(th_world_guide_memory(s.world, s.explore, NULL), kept, size);
  assert_memory_equal(&own, &s.world->rows.guide_memory[th_world_row(s.world, id)], sizeof own);
  worlds_steps(s.world, 30);
  assert_true(th_explore_read(th_world_guide_memory(s.world, s.explore, NULL)).sensed >= sensed);
  free(kept);
  end(&s);
}

static void a_route_that_is_given_starts_where_it_says(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_def def = tourist(&s, 3, 3);
  th_agent_id id = worlds_add(s.world, &def);
  walk_to(&s, id, TH_AGENT_WAITING, 0);
  OK(th_world_set_route(s.world, id, def.route, 3, 2, &error));
  assert_int_equal(th_world_agent_state(s.world, id), TH_AGENT_WALKING);
  assert_int_equal(th_world_agent_stop(s.world, id), 2);
  walk_to(&s, id, TH_AGENT_ARRIVED, 2);
  OK(th_world_set_goal(s.world, id, s.goal[0], &error));
  assert_int_equal(th_world_agent_stop(s.world, id), 0);
  walk_to(&s, id, TH_AGENT_ARRIVED, 0);
  OK(th_world_set_route(s.world, id, NULL, 0, 0, &error));
  assert_int_equal(th_world_agent_state(s.world, id), TH_AGENT_WAITING);
  assert_int_equal(th_world_agent_stop(s.world, id), UINT32_MAX);
  assert_true(th_world_done(s.world));
  assert_true(th_world_agent_def(s.world, id, &def));
  assert_int_equal(def.route_count, 0);
  def.route[0].goal = s.goal[1]; /* other goals: from the first stop */
  def.route_count = 1;
  OK(th_world_change_agent(s.world, id, &def, &error));
  walk_to(&s, id, TH_AGENT_ARRIVED, 0);
  end(&s);
}

static void a_delayed_or_external_agent_keeps_its_state(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_def def = tourist(&s, 3, 3);
  def.delay = 1.0f;
  th_agent_id late = worlds_add(s.world, &def);
  def.delay = 0.0f;
  def.point.x = 4.0f;
  def.external = true;
  th_agent_id player = worlds_add(s.world, &def);
  OK(th_world_set_goal(s.world, late, s.goal[2], &error));
  OK(th_world_set_goal(s.world, player, s.goal[2], &error));
  OK(th_world_set_guide(s.world, player, s.path, &error));
  OK(th_world_set_guide(s.world, player, TH_NULL_GUIDE, &error));
  assert_int_equal(th_world_agent_state(s.world, late), TH_AGENT_DELAYED);
  assert_int_equal(th_world_agent_state(s.world, player), TH_AGENT_EXTERNAL);
  th_vec3 p = th_world_agent_point(s.world, player);
  worlds_steps(s.world, 12);
  th_vec3 q = th_world_agent_point(s.world, player);
  assert_true(p.x == q.x && p.y == q.y);
  assert_int_equal(th_world_agent_state(s.world, late), TH_AGENT_WALKING);
  OK(th_world_set_external(s.world, player, false, &error)); /* walks on by itself */
  walk_to(&s, player, TH_AGENT_ARRIVED, 0);
  OK(th_world_set_external(s.world, late, true, &error));
  p = th_world_agent_point(s.world, late);
  worlds_steps(s.world, 5);
  q = th_world_agent_point(s.world, late);
  assert_true(p.x == q.x && p.y == q.y);
  end(&s);
}

static void another_guide_leads_on(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_id id = worlds_walker(s.world, 3, 3, TH_NULL_GOAL); /* stands */
  OK(th_world_set_guide(s.world, id, s.path, &error));
  assert_int_equal(th_world_agent_state(s.world, id), TH_AGENT_WALKING);
  worlds_steps(s.world, 5);
  assert_true(th_world_agent_velocity(s.world, id).x > 0.2f);
  OK(th_world_set_guide(s.world, id, TH_NULL_GUIDE, &error));
  assert_int_equal(th_world_agent_state(s.world, id), TH_AGENT_WAITING);
  th_agent_def def = tourist(&s, 3, 3);
  id = worlds_add(s.world, &def);
  walk_to(&s, id, TH_AGENT_WAITING, 1);
  OK(th_world_set_guide(s.world, id, s.path, &error));
  assert_int_equal(th_world_agent_state(s.world, id), TH_AGENT_WAITING);
  walk_to(&s, id, TH_AGENT_WALKING, 2);
  end(&s);
}

static void wrong_settings_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_def def = tourist(&s, 3, 3);
  th_agent_id id = worlds_add(s.world, &def);
  th_stop stop[TH_MAX_STOPS + 1];
  for (uint32_t i = 0; i <= TH_MAX_STOPS; i++) stop[i] = (th_stop){.goal = s.goal[0], .wait = 0.0f};
  const float speed[] = {-1.0f, 2.1f, NAN}, radius[] = {0.0f, 11.0f, NAN}, fast[] = {1.0f, 101.0f, NAN};
  for (int i = 0; i < 3; i++) {
    REFUSED(s.world, th_world_set_speed(s.world, id, speed[i], &error), TH_ERROR_RANGE, "speed");
    REFUSED(s.world, th_world_set_radius(s.world, id, radius[i], &error), TH_ERROR_RANGE, "radius");
    REFUSED(s.world, th_world_set_speed_max(s.world, id, fast[i], &error), TH_ERROR_RANGE, "speed_max");
  }
  REFUSED(s.world, th_world_set_route(s.world, id, stop, TH_MAX_STOPS + 1, 0, &error), TH_ERROR_CAPACITY, "route");
  REFUSED(s.world, th_world_set_route(s.world, id, stop, 2, 2, &error), TH_ERROR_RANGE, "first");
  stop[0].wait = -1.0f;
  REFUSED(s.world, th_world_set_route(s.world, id, stop, 1, 0, &error), TH_ERROR_RANGE, "route");
  REFUSED(s.world, th_world_set_params(s.world, id, &(th_follow_params){-3.0f}, &error), TH_ERROR_RANGE, "slow_within");
  th_world_advise(s.world);
  REFUSED(s.world, th_world_set_speed(s.world, id, 1.0f, &error), TH_ERROR_STATE, "th_world_set_speed");
  REFUSED(s.world, th_world_set_goal(s.world, id, s.goal[0], &error), TH_ERROR_STATE, "th_world_set_goal");
  th_world_set_user(s.world, id, &s);
  assert_ptr_equal(th_world_agent_user(s.world, id), &s);
  th_world_integrate(s.world);
  end(&s);
}

/* One agent's numbers are those of the arrays. */
static void check_reading(const th_world *world) {
  th_agents a = th_world_agents(world);
  th_vec3 *v = calloc(4 * (size_t)a.count, sizeof *v);
  th_points points = {
      .point = v, .velocity = v + a.count, .heading = v + 2 * (size_t)a.count, .previous = v + 3 * (size_t)a.count};
  th_world_points(world, &points);
  for (uint32_t i = 0; i < a.count; i++) {
    th_vec3 p = th_world_agent_point(world, a.id[i]), u = th_world_agent_velocity(world, a.id[i]);
    th_vec3 h = th_world_agent_heading(world, a.id[i]), before = th_world_agent_previous(world, a.id[i]);
    assert_memory_equal(&p, &points.point[i], sizeof p);
    assert_memory_equal(&u, &points.velocity[i], sizeof u);
    assert_memory_equal(&h, &points.heading[i], sizeof h);
    assert_memory_equal(&before, &points.previous[i], sizeof before);
    assert_int_equal(th_world_agent_state(world, a.id[i]), a.state[i]);
    float way = sqrtf((p.x - before.x) * (p.x - before.x) + (p.y - before.y) * (p.y - before.y) +
                      (p.z - before.z) * (p.z - before.z));
    float speed = sqrtf(u.x * u.x + u.y * u.y + u.z * u.z);
    assert_true(fabsf(way - speed * 0.1f) < 0.02f);
  }
  free(v);
}

static void one_agent_is_read_as_the_arrays_say(void **state) {
  (void)state;
  stage s;
  begin(&s);
  for (int i = 0; i < 5; i++) worlds_walker(s.world, 1.0f + (float)i, 7.0f, s.goal[i % 3]);
  worlds_steps(s.world, 7);
  check_reading(s.world);
  assert_true(th_world_agent_point(s.world, th_world_agents(s.world).id[0]).z == 0.0f);
  end(&s);
}

static void one_agent_on_a_mesh_is_read_in_space(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  uint64_t random = 5;
  th_goal_def def = th_default_goal_def();
  th_vec3 at = th_ground_point(ground, mesh_grounds_place(ground, &random));
  def.shape = th_point_shape_at(at);
  th_goal_id goal = TH_NULL_GOAL;
  OK(th_world_add_goal(world, &def, &goal, &error));
  for (int i = 0; i < 6; i++) {
    at = th_ground_point(ground, mesh_grounds_place(ground, &random));
    th_agent_def agent = worlds_agent_def(at.x, at.y, goal);
    agent.point.z = at.z;
    agent.v = (th_vec2){0.6f, -0.8f};
    agent.eps = i % 2 ? 0.5f : 0.0f;
    OK(th_world_add_agent(world, &agent, NULL, &error));
  }
  worlds_steps(world, 9);
  check_reading(world);
  uint64_t hash = th_world_hash(world);
  for (uint32_t i = 0; i < 6; i++) {
    th_agent_def agent;
    assert_true(th_world_agent_def(world, th_world_agents(world).id[i], &agent));
    OK(th_world_change_agent(world, th_world_agents(world).id[i], &agent, &error));
  }
  assert_true(th_world_hash(world) == hash); /* given back as it was */
  worlds_end(world, ground);
}

static void goals_and_guides_are_read_back(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_goal_id goal[8];
  th_guide_id guide[8];
  assert_int_equal(th_world_goals(s.world, NULL, 0), 3);
  th_world_remove_goal(s.world, s.goal[1]);
  assert_int_equal(th_world_goals(s.world, goal, 8), 2);
  assert_true(th_same_goal(goal[0], s.goal[0]) && th_same_goal(goal[1], s.goal[2]));
  assert_true(th_world_has_goal(s.world, goal[0]) && !th_world_has_goal(s.world, s.goal[1]));
  assert_int_equal(th_world_goals(s.world, goal, 1), 2); /* writes one */
  th_goal_def def;
  assert_true(th_world_goal_def(s.world, s.goal[2], &def));
  assert_true(def.shape.kind == TH_SHAPE_POINT && th_shape_at(&def.shape, 0).x == 2 &&
              th_shape_at(&def.shape, 0).y == 14);
  assert_true(def.arrive == 0.5f && !def.sink);
  assert_int_equal(th_world_guides(s.world, guide, 8), 2);
  assert_true(th_same_guide(guide[0], s.path) && th_same_guide(guide[1], s.explore));
  assert_ptr_equal(th_world_guide_kind(s.world, s.path), &th_guide_path);
  const th_path_params *path = th_world_guide_params(s.world, s.path);
  assert_true(path->count == 3 && path->ahead == 1.0f && path->point == corner);
  const th_explore_params *explore = th_world_guide_params(s.world, s.explore);
  const th_explore_params initial = th_default_explore_params();
  assert_memory_equal(explore, &initial, sizeof initial);
  assert_true(th_world_has_guide(s.world, s.path));
  th_world_remove_guide(s.world, s.path);
  assert_false(th_world_has_guide(s.world, s.path));
  th_source_def door = th_default_source_def();
  door.agent.model = &th_model_follow;
  worlds_rect room = worlds_rectangle(1, 1, 5, 5);
  door.region = (th_polygon){NULL, room.point, 4};
  th_source_id source = TH_NULL_SOURCE, found[2];
  OK(th_world_add_source(s.world, &door, &source, &error));
  assert_true(th_world_sources(s.world, found, 2) == 1 && th_same_source(found[0], source));
  assert_true(th_world_has_source(s.world, source));
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_set_as_it_was_leaves_no_trace),
      cmocka_unit_test(agents_that_wait_or_have_arrived_stay_so),
      cmocka_unit_test(a_push_lasts_as_long_as_the_acceleration_allows),
      cmocka_unit_test(a_push_goes_through_no_wall),
      cmocka_unit_test(a_wider_body_gets_a_field_of_its_own),
      cmocka_unit_test(an_explorer_keeps_what_it_knows),
      cmocka_unit_test(a_route_that_is_given_starts_where_it_says),
      cmocka_unit_test(a_delayed_or_external_agent_keeps_its_state),
      cmocka_unit_test(another_guide_leads_on),
      cmocka_unit_test(wrong_settings_are_refused),
      cmocka_unit_test(one_agent_is_read_as_the_arrays_say),
      cmocka_unit_test(one_agent_on_a_mesh_is_read_in_space),
      cmocka_unit_test(goals_and_guides_are_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
