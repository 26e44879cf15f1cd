/* tests/guide/test_explore_mesh_world.c - explorations of planets, tubes, hills and houses, and how they end. */
#include "support/mesh_explorers.h"
#include "throng/model.h"
#include "throng/model/bvp.h"
#include "throng/model/steering.h"

/* ---------------------------------------------------------------- everything */

typedef struct tour {
  const char *name;
  th_make_params make;
  th_vec3 start;
  uint32_t max; /* steps */
} tour;

static tour tour_of(int k) {
  tour t = {"planet", sphere_of(6, 4), {0, 0, 6}, 4000};
  th_make_params *m = &t.make;
  switch (k) {
    case 1:
      t = (tour){"torus", mesh_grounds_shape(TH_MAKE_SHAPE_TORUS), {11, 0, 0}, 6000};
      m->radius = 3, m->large = 8, m->edge = 0.6f;
      break;
    case 2:
      t = (tour){"tube", mesh_grounds_shape(TH_MAKE_SHAPE_TUBE), {3, 0, 2}, 6000};
      m->radius = 3, m->length = 20, m->edge = 0.6f, m->inside = true;
      break;
    case 3:
      t = (tour){"terrain", mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN), {3, 3, 1}, 6000};
      m->length = 24, m->width = 16, m->edge = 0.6f, m->wave = 10;
      break;
    case 4:
      t = (tour){"house", mesh_grounds_shape(TH_MAKE_SHAPE_HOUSE), {2, 6, 0}, 8000};
      break;
    default:
      break;
  }
  return t;
}

/* What is known only grows, ends with the whole ground, and the explorer then has arrived. */
static void everything_is_explored(void **state) {
  (void)state;
  for (int k = 0; k < LONG_RUN(5, 1); k++)
    for (int relax = 0; relax < 2; relax++) {
      const tour t = tour_of(k);
      crew c;
      th_explore_params params = th_default_explore_params();
      params.relax = relax;
      params.sight = 3.0f;
      crew_make(&c, &t.make, &params, 1);
      crew_add(&c, t.start.x, t.start.y, t.start.z);
      float walked = walk_all(&c, t.max);
      double whole = area_of_ground(c.ground), seen = (double)explored(&c).area;
      print_message("%-8s %s: %4.0f of %4.0f m2 seen, %.0f m walked\n", t.name, relax ? "sensed" : "window", seen,
                    whole, (double)walked);
      assert_int_equal(worlds_state(c.world, c.agent[0]), TH_AGENT_ARRIVED);
      assert_true(seen > 0.97 * whole && seen < 1.001 * whole);
      crew_end(&c);
    }
}

/* ---------------------------------------------------------------- searching */

/* A point on the other floor is found by the stairs; who knows the house walks less. */
/* shows: BVP-80 */
static void explorers_go_upstairs(void **state) {
  (void)state;
  crew c;
  th_explore_params params = th_default_explore_params();
  params.target = TH_EXPLORE_FOR_POINT;
  params.point = (th_vec3){2, 6, 3};
  params.arrive = 0.5f;
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_HOUSE);
  crew_make(&c, &make, &params, 1);
  crew_add(&c, 2, 6, 0);
  float walked = walk_all(&c, 6000);
  th_vec3 end = point_of(&c, c.agent[0]);
  assert_int_equal(worlds_state(c.world, c.agent[0]), TH_AGENT_ARRIVED);
  assert_true(mesh_grounds_apart(end, (th_vec3){2, 6, 3}) < 0.7f);
  assert_true(explored(&c).found);

  th_goal_def goal = worlds_point_def_at((th_vec3){2, 6, 3});
  th_agent_def def = worlds_agent_def(2, 6, NOWHERE);
  OK(th_world_add_goal(c.world, &goal, &def.route[0].goal, &error));
  def.route_count = 1;
  def.remove = false;
  c.agent[0] = worlds_add(c.world, &def);
  float known = walk_all(&c, 2000);
  print_message("upstairs: %.1f m with the map, %.1f m without\n", (double)known, (double)walked);
  assert_true(walked > known);
  crew_end(&c);
}

/* Goals of every shape are found, arrived at, and found again after they have moved. */
static void goals_are_found(void **state) {
  (void)state;
  static const th_vec3 points[4] = {{20, 12, 1}, {21, 12, 1}, {21, 13, 1}, {20, 13, 1}},
                       moved[4] = {{3, 12, 1}, {4, 12, 1}, {4, 13, 1}, {3, 13, 1}};
  static const th_shape_kind kind[4] = {TH_SHAPE_POINT, TH_SHAPE_LINE, TH_SHAPE_DISC, TH_SHAPE_POLYGON};
  const tour t = tour_of(3);
  for (int k = 0; k < LONG_RUN(4, 1); k++) {
    crew c;
    th_explore_params params = th_default_explore_params();
    params.target = TH_EXPLORE_FOR_GOAL;
    params.relax = TH_EXPLORE_SENSED;
    crew_make(&c, &t.make, &params, 1);
    th_shape shape = {.kind = kind[k],
                      .point = points,
                      .count = k == 1   ? 2
                               : k == 3 ? 4
                                        : 1,
                      .radius = k == 2 ? 1.5f : 0.0f};
    th_goal_def goal = th_default_goal_def();
    goal.field = TH_FIELD_HARMONIC;
    goal.shape = shape;
    th_agent_def def = crew_def(&c, 3, 3, 1);
    OK(th_world_add_goal(c.world, &goal, &def.route[0].goal, &error));
    def.route_count = 1;
    c.agent[c.count++] = worlds_add(c.world, &def);
    uint32_t s = 0;
    while (s++ < 4000 && !explored(&c).found) worlds_steps(c.world, 1);
    assert_true(explored(&c).found);
    shape.point = moved;
    OK(th_world_move_goal(c.world, def.route[0].goal, &shape, &error));
    float walked = walk_all(&c, 6000);
    th_vec3 end = point_of(&c, c.agent[0]);
    print_message("goal of shape %d: found after %u steps, moved, reached after %.0f m more\n", k, s, (double)walked);
    assert_int_equal(worlds_state(c.world, c.agent[0]), TH_AGENT_ARRIVED);
    assert_true(hypotf(end.x - 3.5f, end.y - 12.5f) < 2.5f);
    crew_end(&c);
  }
}

/* Someone who walks round a planet is searched and met. */
/* shows: BVP-81 */
static void moving_targets_are_found(void **state) {
  (void)state;
  static const th_vec3 round[] = {{0, 6, 0}, {6, 0, 0}, {0, -6, 0}, {-6, 0, 0}};
  crew c;
  th_explore_params params = th_default_explore_params();
  params.target = TH_EXPLORE_FOR_LINK;
  params.arrive = 0.6f;
  params.sight = 3.0f;
  th_make_params make = sphere_of(6, 4);
  crew_make(&c, &make, &params, 1);
  th_path_params path = {.point = round, .count = 4, .closed = true, .ahead = 1.0f};
  th_guide_id way;
  OK(th_world_add_guide(c.world, &th_guide_path, &path, &way, &error));
  th_agent_def guest = worlds_agent_def(0, 6, NOWHERE), seeker = crew_def(&c, 0, 0, 6);
  guest.guide = way;
  guest.speed = 0.8f;
  th_agent_id find_target = worlds_add(c.world, &guest);
  seeker.link[0].agent = find_target;
  seeker.link_count = 1;
  c.agent[c.count++] = worlds_add(c.world, &seeker);
  uint32_t s = 0, faces = 0, last = TH_NO_CELL;
  bool seen = false;
  for (; s < 4000 && worlds_state(c.world, c.agent[0]) == TH_AGENT_WALKING; s++) {
    th_place a = place_of(&c, c.agent[0]), b = place_of(&c, find_target);
    seen |= th_explore_mesh_sees(c.ground, a, b, params.sight);
    worlds_steps(c.world, 1);
    assert_int_equal(explored(&c).found, seen); /* found when it is seen, and stays found */
    const th_explore_head *head = memory_of(&c);
    if (!head->found) continue;
    faces += head->target.cell != last;
    last = head->target.cell;
  }
  assert_int_equal(worlds_state(c.world, c.agent[0]), TH_AGENT_ARRIVED);
  assert_true(mesh_grounds_apart(point_of(&c, c.agent[0]), point_of(&c, find_target)) < 1.2f);
  print_message("met after %u steps; the mark moved over %u faces\n", s, faces);
  assert_true(faces > 2);
  crew_end(&c);
}

/* Two who search share what they see; two who do not know each other's map do not. */
/* shows: BVP-82 */
static void several_explorers_share_what_they_see(void **state) {
  (void)state;
  uint32_t found[3] = {0, 0, 0};
  for (int shared = 0; shared < 3; shared++) { /* one alone, two with a map each, two with one map */
    crew c;
    th_explore_params params = th_default_explore_params();
    params.target = TH_EXPLORE_FOR_POINT;
    params.point = (th_vec3){10, 6, 3};
    th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_HOUSE);
    crew_make(&c, &make, &params, 1);
    crew_add(&c, 2, 6, 0);
    th_guide_id other = c.guide;
    if (shared == 1) OK(th_world_add_guide(c.world, &th_guide_explore, &params, &other, &error));
    if (shared) {
      th_agent_def def = crew_def(&c, 9, 3.5f, 3);
      def.guide = other;
      c.agent[c.count++] = worlds_add(c.world, &def);
    }
    for (uint32_t s = 0; s < 6000 && !th_world_done(c.world); s++) {
      worlds_steps(c.world, 1);
      if (explored(&c).found && !found[shared]) found[shared] = s + 1;
    }
    for (uint32_t i = 0; i < c.count; i++) assert_int_equal(worlds_state(c.world, c.agent[i]), TH_AGENT_ARRIVED);
    crew_end(&c);
  }
  print_message("found after %u steps alone, %u beside a stranger, %u together\n", found[0], found[1], found[2]);
  assert_true(found[2] < found[0]);
  assert_true(found[1] > found[2]);
}

/* ---------------------------------------------------------------- ends */

static void unreachable_targets_are_told(void **state) {
  (void)state;
  static const th_vec2 wall[4] = {{5, -1}, {6, -1}, {6, 9}, {5, 9}};
  for (int target = TH_EXPLORE_FOR_GOAL; target <= TH_EXPLORE_FOR_LINK; target++) {
    crew c = {0};
    th_env env = worlds_env(&c.h);
    th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
    make.length = 12, make.width = 8, make.edge = 0.4f;
    th_mesh_ground_def def = th_default_mesh_ground_def();
    const th_region blocked = {.kind = TH_REGION_PRISM, .outline = wall, .outline_count = 4, .low = -1, .high = 1};
    def.blocked = &blocked;
    def.blocked_count = 1;
    th_explore_params params = th_default_explore_params();
    params.target = target;
    params.point = (th_vec3){9, 4, 0};
    crew_on(&c, mesh_grounds_make_of(&env, &make, def), &params, 1);
    th_agent_def agent = crew_def(&c, 2, 2, 0);
    if (target == TH_EXPLORE_FOR_GOAL) {
      agent.route[0].goal = worlds_goal(c.world, 9, 4);
      agent.route_count = 1;
    }
    if (target == TH_EXPLORE_FOR_LINK) {
      agent.link[0].agent = worlds_walker(c.world, 9, 4, NOWHERE);
      agent.link_count = 1;
    }
    th_agent_id id = worlds_add(c.world, &agent);
    for (uint32_t s = 0; s < 800 && worlds_state(c.world, id) == TH_AGENT_WALKING; s++) th_world_step(c.world);
    bool link = target == TH_EXPLORE_FOR_LINK;
    assert_int_equal(worlds_state(c.world, id), link ? TH_AGENT_WALKING : TH_AGENT_LOST);
    assert_false(explored(&c).found);
    if (link) assert_true(explored(&c).rounds >= 1);
    if (!link) assert_true(explored(&c).area > 35.0f && explored(&c).area < 42.0f);
    crew_end(&c);
  }
}

/* ---------------------------------------------------------------- with everything else */

static void every_model_explores(void **state) {
  (void)state;
  for (const th_model *const *model = th_models(); *model; model++) {
    if (*model == &th_model_user) continue;
    crew c;
    th_explore_params params = th_default_explore_params();
    params.target = TH_EXPLORE_FOR_POINT;
    params.point = (th_vec3){6, 6, 3};
    th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_HOUSE);
    crew_make(&c, &make, &params, 1);
    th_agent_def def = crew_def(&c, 2, 6, 0);
    def.model = *model;
    th_steering_params indoors = th_default_steering_params(); /* its own defaults are those of a town */
    indoors.obstacle.front_ray = 1.5f, indoors.obstacle.side_ray = 0.6f;
    if (*model == &th_model_steering) def.params = &indoors;
    c.agent[c.count++] = worlds_add(c.world, &def);
    float walked = walk_all(&c, 8000);
    print_message("%s: %.0f m, %.0f m2 seen\n", (*model)->name, (double)walked, (double)explored(&c).area);
    if (worlds_state(c.world, c.agent[0]) != TH_AGENT_ARRIVED) fail_msg("%s does not arrive", (*model)->name);
    crew_end(&c);
  }
}

/* Property: on noisy meshes with badly shaped faces points are found from anywhere. */
static void random_meshes_are_explored(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= LONG_RUN(10, 2); seed++) {
    uint64_t draw = seed;
    tour t = tour_of((int)(seed % 5));
    t.make.noise = 0.3f;
    t.make.seed = (int32_t)seed;
    crew c = {0};
    th_env env = worlds_env(&c.h);
    th_ground *ground = mesh_grounds_make(&env, &t.make);
    th_explore_params params = th_default_explore_params();
    params.relax = (int32_t)(seed & 1);
    params.sight = worlds_in(&draw, 1.5f, 6.0f);
    params.target = TH_EXPLORE_FOR_POINT;
    th_place to = mesh_grounds_place(ground, &draw), from = mesh_grounds_place(ground, &draw);
    th_vec3 a = th_ground_point(ground, from), b = th_ground_point(ground, to);
    params.point = (th_vec3){b.x, b.y, b.z};
    crew_on(&c, ground, &params, 1);
    crew_add(&c, a.x, a.y, a.z);
    for (uint32_t s = 0; s < 9000 && !th_world_done(c.world); s++) worlds_steps(c.world, 1);
    if (worlds_state(c.world, c.agent[0]) != TH_AGENT_ARRIVED)
      fail_msg("seed %u, %s: from (%g, %g, %g) to (%g, %g, %g), sight %g: not found", (unsigned)seed, t.name, a.x, a.y,
               a.z, b.x, b.y, b.z, params.sight);
    crew_end(&c);
  }
}

/* The ground moves under the explorers; the map keeps what it knows, and all of it is seen in the end. */
static void a_deformed_mesh_is_explored(void **state) {
  (void)state;
  crew c;
  th_explore_params params = th_default_explore_params();
  th_make_params make = sphere_of(6, 3);
  crew_make(&c, &make, &params, 1);
  crew_add(&c, 0, 0, 6);
  worlds_steps(c.world, 60);
  uint32_t sensed = explored(&c).sensed;
  assert_true(sensed > 10 && sensed < c.ground->mesh->mesh.vertex_count);
  th_vertex_move move[200];
  uint32_t count = 0;
  for (uint32_t v = 0; v < c.ground->mesh->mesh.vertex_count && count < 200; v++) {
    const double *p = c.ground->mesh->mesh.xyz + 3 * (size_t)v;
    if (p[2] < 0.0) move[count++] = (th_vertex_move){v, {(float)p[0], (float)p[1], (float)(0.6 * p[2])}};
  }
  th_edit edit = {.kind = TH_EDIT_DEFORM, .move = move, .move_count = count};
  OK(th_world_edit(c.world, &edit, 1, &error));
  worlds_steps(c.world, 2);
  assert_true(explored(&c).sensed >= sensed);
  walk_all(&c, 4000);
  assert_int_equal(explored(&c).sensed, c.ground->mesh->mesh.vertex_count);
  crew_end(&c);
}

static void workers_change_nothing(void **state) {
  (void)state;
  static const uint32_t workers[] = {1, 2, 3, 8};
  uint64_t hash[4];
  for (int k = 0; k < 4; k++) {
    crew c;
    th_explore_params params = th_default_explore_params();
    params.sight = 3.0f;
    params.target = TH_EXPLORE_FOR_POINT;
    params.point = (th_vec3){10, 6, 0};
    th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_HOUSE);
    crew_make(&c, &make, &params, workers[k]);
    for (uint32_t i = 0; i < 3; i++) crew_add(&c, 1.5f + (float)i, 6, 0);
    worlds_steps(c.world, 60);
    hash[k] = worlds_again(c.world, 60);
    assert_true(hash[k] == hash[0]);
    crew_end(&c);
  }
}

static th_result make_all(const th_env *env, void *context) {
  (void)context;
  th_make_params make = sphere_of(3, 2);
  th_mesh mesh;
  th_error error = {0};
  th_ground *ground = NULL;
  th_world *world = NULL;
  th_mesh_ground_def mesh_ground = th_default_mesh_ground_def();
  th_world_def def = th_default_world_def();
  th_agent_def agent = th_default_body_def();
  agent.model = &th_model_follow;
  agent.point.z = 3;
  make.env = *env;
  th_result result = th_mesh_generate(&make, &mesh, &error);
  if (result) return result;
  mesh_ground.env = *env;
  mesh_ground.mesh = &mesh;
  result = th_ground_make_mesh(&mesh_ground, &ground, &error);
  th_mesh_free(&mesh);
  def.env = *env;
  def.ground = ground;
  def.agent_capacity = 2;
  if (!result) result = th_world_make(&def, &world, &error);
  if (!result) result = th_world_add_guide(world, &th_guide_explore, NULL, &agent.guide, &error);
  if (!result) result = th_world_add_agents(world, &agent, 1, NULL, &error);
  th_world_free(world);
  th_ground_release(ground);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  assert_true(failing_every(make_all, NULL) > 50); /* steps take maps of patches from pools and tell by events */
}

/* Not even while a goal's shape is looked up: it has the map's own room. */
static void a_step_allocates_nothing(void **state) {
  (void)state;
  static const th_vec2 centre = {10, 6};
  failing f = {0};
  th_env env = failing_env(&f);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_HOUSE);
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  th_goal_def goal = th_default_goal_def();
  goal.field = TH_FIELD_HARMONIC;
  goal.shape = th_disc_shape(centre.x, centre.y, 1.0f);
  th_agent_def agent = worlds_agent_def(2, 6, NOWHERE);
  th_explore_params params = th_default_explore_params();
  params.target = TH_EXPLORE_FOR_GOAL;
  params.sight = 8.0f;
  OK(th_world_add_guide(world, &th_guide_explore, &params, &agent.guide, &error));
  OK(th_world_add_goal(world, &goal, &agent.route[0].goal, &error));
  agent.route_count = 1;
  worlds_add(world, &agent);
  worlds_steps(world, 1); /* maps of patches are made when they are first needed */
  while (th_world_step_count(world) < 200) {
    th_world_step(world);
    if (th_world_done(world)) break;
  }
  agent.point.x = 2.5f;
  worlds_add(world, &agent);
  failing_lock(&f);
  worlds_steps(world, 60);
  failing_unlock(&f);
  assert_true(th_explore_read(th_world_guide_memory(world, agent.guide, NULL)).found);
  worlds_end(world, ground);
  failing_assert_empty(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_explored),
      cmocka_unit_test(explorers_go_upstairs),
      cmocka_unit_test(goals_are_found),
      cmocka_unit_test(moving_targets_are_found),
      cmocka_unit_test(several_explorers_share_what_they_see),
      cmocka_unit_test(unreachable_targets_are_told),
      cmocka_unit_test(every_model_explores),
      cmocka_unit_test(random_meshes_are_explored),
      cmocka_unit_test(a_deformed_mesh_is_explored),
      cmocka_unit_test(workers_change_nothing),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(a_step_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
