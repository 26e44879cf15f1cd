/* tests/world/test_path_view.c - models that see the next corners of their guide's path, on flat ground and on meshes.
 */
#include "support/mesh_worlds.h"
#include "world/world.h"

/* Goes straight to the next corner, or to the one after it when that is close, whatever the guide's direction is. */
typedef struct corner_state {
  uint32_t count, begun;
  float back_x, back_y, x[TH_PATH_CORNERS], y[TH_PATH_CORNERS], at_x, at_y, left, right;
} corner_state;

static void go(const th_work *work) {
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    const th_view_path *path = &view->path[lane];
    corner_state *s = work->state[lane];
    *s = (corner_state){.count = path->count, .begun = 1, .back_x = path->back_x, .back_y = path->back_y};
    s->left = path->left, s->right = path->right;
    s->at_x = view->x[lane], s->at_y = view->y[lane];
    memcpy(s->x, path->x, sizeof s->x);
    memcpy(s->y, path->y, sizeof s->y);
    const uint32_t to = path->count > 1 && hypotf(path->x[0] - view->x[lane], path->y[0] - view->y[lane]) < 0.2f;
    float dx = path->x[to] - view->x[lane], dy = path->y[to] - view->y[lane], d = sqrtf(dx * dx + dy * dy);
    if (!path->count || view->want[lane].state != TH_ANSWER_LEAD) continue;
    float speed = fminf(view->speed[lane], d / work->dt);
    work->advice.vx[lane] = d > 0.0f ? dx / d * speed : 0.0f;
    work->advice.vy[lane] = d > 0.0f ? dy / d * speed : 0.0f;
  }
}

static const th_pass passes[] = {{"go", TH_OVER_VIEWS, TH_SEE_PATH, go}};
static const th_model cornering = {.name = "cornering",
                                   .summary = "goes from corner to corner",
                                   .state_size = sizeof(corner_state),
                                   .pass = passes,
                                   .pass_count = 1};

static const corner_state *state_of(const th_world *world, th_agent_id id) {
  uint32_t row = th_world_row(world, id), model = world->rows.model[row];
  return (const void *)(world->model[model].states + row * world->model[model].state_stride);
}

static void corners_are_seen_on_flat_ground(void **state) {
  (void)state;
  static const th_vec3 point[] = {{1, 1, 0}, {6, 1, 0}, {6, 9, 0}, {2, 9, 0}, {2, 14, 0}, {2.5f, 14, 0}, {3, 14, 0}};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20, 20);
  th_world *world = worlds_make(ground, &env);
  th_path_params path = {.point = point, .count = 7, .ahead = 1.0f, .width = 1.4f};
  th_agent_def def = worlds_agent_def(1.5f, 1.25f, NOWHERE);
  OK(th_world_add_guide(world, &th_guide_path, &path, &def.guide, &error));
  def.model = &cornering;
  th_agent_id id = worlds_add(world, &def);
  th_agent_def other = worlds_agent_def(10, 10, worlds_goal(world, 18, 10));
  other.model = &cornering;
  th_agent_id without = worlds_add(world, &other);
  worlds_steps(world, 1);
  const corner_state *s = state_of(world, id);
  assert_int_equal(s->count, 4);
  assert_true(s->back_x == 1 && s->back_y == 1);
  for (int i = 0; i < 4; i++) assert_true(s->x[i] == point[i + 1].x && s->y[i] == point[i + 1].y);
  assert_true(s->left == 0.7f && s->right == 0.7f);
  assert_int_equal(state_of(world, without)->count, 0);
  assert_true(state_of(world, without)->left == INFINITY && state_of(world, without)->right == INFINITY);
  uint32_t steps = 0, fewer = 4;
  for (; steps < 400 && th_world_has_agent(world, id); steps++) {
    s = state_of(world, id);
    assert_true(s->count >= 1 && s->count <= fewer); /* the last ones are passed, never shown again */
    fewer = s->count;
    assert_true(s->x[s->count - 1] == (fewer < 4 ? 3.0f : s->x[3]));
    worlds_steps(world, 1);
  }
  assert_true(steps > 120 && steps < 250);
  assert_int_equal(fewer, 1);
  worlds_end(world, ground);
}

static void corners_of_a_loop_are_seen(void **state) {
  (void)state;
  static const th_vec3 point[] = {{2, 2, 0}, {8, 2, 0}, {5, 8, 0}};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20, 20);
  th_world *world = worlds_make(ground, &env);
  th_path_params path = {.point = point, .count = 3, .closed = true, .ahead = 1.0f};
  th_agent_def def = worlds_agent_def(2, 2, NOWHERE);
  OK(th_world_add_guide(world, &th_guide_path, &path, &def.guide, &error));
  def.model = &cornering;
  th_agent_id id = worlds_add(world, &def);
  uint32_t seen = 0;
  for (uint32_t step = 0; step < 300; step++) {
    worlds_steps(world, 1);
    const corner_state *s = state_of(world, id);
    assert_int_equal(s->count, 4);
    assert_true(s->x[0] == s->x[3] && s->y[0] == s->y[3] && s->left == INFINITY);
    for (uint32_t i = 0; i < 3; i++) seen |= (uint32_t)(s->x[0] == point[i].x && s->y[0] == point[i].y) << i;
  }
  assert_int_equal(seen, 7);
  worlds_end(world, ground);
}

/* On a flat mesh charts keep lengths: corners lie where they are. Those that the chart does not hold are seen in their
 * direction and at their distance. */
static void corners_are_seen_on_a_mesh(void **state) {
  (void)state;
  static const th_vec3 point[] = {{2, 2, 0}, {5, 2, 0}, {5, 5, 0}, {5, 27, 0}, {26, 27, 0}};
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = make.width = 30.0f;
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world *world = worlds_make(ground, &env);
  th_path_params path = {.point = point, .count = 5, .ahead = 1.0f, .width = 2.0f};
  th_agent_def def = worlds_agent_def(2.5f, 2.0f, NOWHERE);
  OK(th_world_add_guide(world, &th_guide_path, &path, &def.guide, &error));
  def.model = &cornering;
  th_agent_id id = worlds_add(world, &def);
  uint32_t steps = 0;
  for (; steps < 800 && th_world_has_agent(world, id); steps++) {
    th_agents a = th_world_agents(world);
    uint32_t row = th_world_row(world, id);
    th_vec3 here = th_ground_point(ground, (th_place){a.cell[row], a.x[row], a.y[row]});
    worlds_steps(world, 1);
    if (!th_world_has_agent(world, id)) break;
    const corner_state *s = state_of(world, id);
    assert_true(s->count >= 1 && s->count <= 4 && s->left == 1.0f);
    for (uint32_t i = 0; i < s->count; i++) {
      const th_vec3 *corner = &point[5 - s->count + i];
      float there = hypotf(corner->x - here.x, corner->y - here.y);
      assert_true(fabsf(hypotf(s->x[i] - s->at_x, s->y[i] - s->at_y) - there) < 0.02f * there + 0.02f);
    }
  }
  print_message("arrived after %u steps\n", steps);
  assert_true(steps > 300 && steps < 600);
  worlds_end(world, ground);
}

/* On a ball the path is one of chords; agents that go from corner to corner in their charts come round it. */
static void corners_are_seen_on_a_ball(void **state) {
  (void)state;
  enum { CORNERS = 9 };
  th_vec3 point[CORNERS];
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 4;
  th_ground *ground = mesh_grounds_make(&env, &make);
  float r = make.radius;
  for (int i = 0; i < CORNERS; i++) {
    float angle = 0.35f * (float)i;
    point[i] = (th_vec3){r * cosf(angle), 0.0f, r * sinf(angle)};
  }
  th_world *world = worlds_make(ground, &env);
  th_path_params path = {.point = point, .count = CORNERS, .ahead = 0.5f};
  th_agent_def def = worlds_agent_def(point[0].x, point[0].y, NOWHERE);
  OK(th_world_add_guide(world, &th_guide_path, &path, &def.guide, &error));
  def.model = &cornering;
  th_agent_id id = worlds_add(world, &def);
  uint32_t steps = 0;
  for (; steps < 2000 && th_world_has_agent(world, id); steps++) worlds_steps(world, 1);
  print_message("arrived after %u steps\n", steps);
  assert_true(steps < 2000);
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_are_seen_on_flat_ground), cmocka_unit_test(corners_of_a_loop_are_seen),
      cmocka_unit_test(corners_are_seen_on_a_mesh), cmocka_unit_test(corners_are_seen_on_a_ball)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
