/* Points that stand for places on a mesh: how far off the surface they may lie, the same for agents, goals, sources and
 * scenes. What is accepted leads somewhere. */
#include "ground/ground.h"
#include "support/mesh_worlds.h"
#include "support/stage.h"
#include "throng/scene.h"
#include "world/world.h"

/* 20 x 16 m, up to 1 m high, with a blocked ball in it. */
static th_ground *hills(const th_env *env) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN);
  make.length = 20, make.width = 16, make.edge = 0.8f, make.height = 1;
  th_mesh_ground_def def = th_default_mesh_ground_def();
  th_region ball = {.kind = TH_REGION_BALL, .centre = {12, 5, 0.5f}, .radius = 2};
  def.blocked = &ball;
  def.blocked_count = 1;
  return mesh_grounds_make_of(env, &make, def);
}

/* Just beyond 2 m, far, very far, in a wall. */
static const th_vec3 off[] = {{-2.1f, 8, 0.5f}, {-6, -5, 0.5f}, {-100, -100, 0.5f}, {1e5f, 1e5f, 0}, {12, 5, 0.5f}};
/* On it, straight above and below, beside. */
static const th_vec3 on[] = {{5, 8, 0.5f}, {5, 8, 80}, {5, 8, -300}, {-1.9f, 8, 0.5f}};

static void agents_stand_on_the_ground_or_nowhere(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, hills, NULL);
  th_agent_def def = th_default_body_def();
  for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
    def.point = off[i];
    REFUSED(s.world, th_world_add_agents(s.world, &def, 1, NULL, &error), TH_ERROR_GEOMETRY, "place");
  }
  for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
    def.point = on[i];
    th_agent_id id = worlds_add(s.world, &def);
    th_vec3 p = mesh_grounds_at(s.world, th_world_row(s.world, id));
    assert_true(fabsf(p.x - on[i].x) < 2.0f && fabsf(p.y - on[i].y) < 0.1f && p.z > -2.0f && p.z < 2.0f);
    for (size_t k = 0; k < sizeof off / sizeof *off; k++)
      REFUSED(s.world, th_world_place_agent(s.world, id, off[k], &error), TH_ERROR_GEOMETRY, "place");
    OK(th_world_place_agent(s.world, id, (th_vec3){10, 12, 0}, &error));
  }
  stage_end(&s);
}

/* A goal that is accepted has a field that leads to it. */
static void goals_lie_on_the_ground_or_nowhere(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, hills, NULL);
  for (int disc = 0; disc < 2; disc++) {
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
      th_goal_def def = th_default_goal_def();
      def.shape = (th_shape){.kind = TH_SHAPE_POINT, .point = &off[i], .count = 1};
      if (disc) def.shape.kind = TH_SHAPE_DISC, def.shape.radius = 1;
      th_goal_id goal;
      REFUSED(s.world, th_world_add_goal(s.world, &def, &goal, &error), TH_ERROR_GEOMETRY, "goal");
    }
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
      th_goal_def def = th_default_goal_def();
      def.shape = (th_shape){.kind = TH_SHAPE_POINT, .point = &on[i], .count = 1};
      if (disc) def.shape.kind = TH_SHAPE_DISC, def.shape.radius = 1;
      th_goal_id goal;
      OK(th_world_add_goal(s.world, &def, &goal, &error));
      th_agent_id id = worlds_walker(s.world, 10, 12, goal);
      assert_true(worlds_until_gone(s.world, id, 2000) < 2000);
      th_shape far = {.kind = TH_SHAPE_POINT, .point = &(th_vec3){-600, -500, 0}, .count = 1};
      REFUSED(s.world, th_world_move_goal(s.world, goal, &far, &error), TH_ERROR_GEOMETRY, "goal");
    }
  }
  assert_int_equal(s.h.warnings, 0);
  stage_end(&s);
}

/* Of a line or an area some part must lie on the ground, whether its middle does or not. */
static void lines_and_areas_touch_the_ground(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, hills, NULL);
  const th_vec2 beside[4] = {{-9, -9}, {-5, -9}, {-5, -5}, {-9, -5}};
  const th_vec3 off_it[4] = {{-9, -9, 0}, {-5, -9, 0}, {-5, -5, 0}, {-9, -5, 0}},
                across[4] = {{-30, 4, 0}, {6, 4, 0}, {6, 9, 0}, {-30, 9, 0}};
  for (int polygon = 0; polygon < 2; polygon++) {
    th_goal_def def = th_default_goal_def();
    def.shape = (th_shape){.kind = polygon ? TH_SHAPE_POLYGON : TH_SHAPE_LINE, .point = off_it, .count = 4};
    th_goal_id goal;
    REFUSED(s.world, th_world_add_goal(s.world, &def, &goal, &error), TH_ERROR_GEOMETRY, "goal");
    def.shape.point = across;
    OK(th_world_add_goal(s.world, &def, &goal, &error));
    assert_true(worlds_until_gone(s.world, worlds_walker(s.world, 10, 12, goal), 2000) < 2000);
  }
  th_source_def source = th_default_source_def();
  source.region = (th_polygon){NULL, beside, 4};
  REFUSED(s.world, th_world_add_source(s.world, &source, NULL, &error), TH_ERROR_GEOMETRY, "region");
  assert_int_equal(s.h.warnings, 0);
  stage_end(&s);
}

/* Nothing leads from beyond the ground. */
static void queries_begin_on_the_ground(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, hills, NULL);
  th_goal_id goal = worlds_goal(s.world, 5, 8);
  worlds_walker(s.world, 10, 12, goal);
  worlds_steps(s.world, 10);
  assert_true(th_world_distance(s.world, (th_vec3){10, 12, 30}, goal, 0.2f) < 10.0f);
  assert_true(th_world_distance(s.world, off[1], goal, 0.2f) == INFINITY);
  assert_int_equal(th_world_path(s.world, off[1], goal, 0.2f, NULL, 0), 0);
  stage_end(&s);
}

static void expect_refusal(const char *goal, const char *position, const char *where) {
  char text[512];
  snprintf(
      text, sizeof text,
      "{\"version\": 1, \"name\": \"off\", \"duration\": 1, \"ground\": {\"mesh\": {\"make\": {\"shape\": \"terrain\","
      " \"length\": 20, \"width\": 16, \"edge\": 1, \"height\": 1}}}, \"goals\": [{\"name\": \"far\", \"point\": %s}],"
      " \"populations\": [{\"name\": \"p\", \"positions\": [[5, 5, 0.5], %s], \"route\": [\"far\"]}]}",
      goal, position);
  th_scene *scene;
  th_run *run = NULL;
  th_error found;
  OK(th_scene_parse(text, strlen(text), &scene, &error));
  th_run_def def = {.scene = scene};
  assert_int_equal(th_run_make(&def, &run, &found), TH_ERROR_GEOMETRY);
  if (!strstr(found.text, "m beside") || !strstr(found.text, where)) fail_msg("%s: %s", found.where, found.text);
  th_scene_free(scene);
}

static void scenes_name_what_lies_off_the_ground(void **state) {
  (void)state;
  expect_refusal("[-600, -500, 0]", "[6, 6, 0]", "/goals/0");
  expect_refusal("[3, 4, 0]", "[100000, 5, 0]", "/populations/0/positions/1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agents_stand_on_the_ground_or_nowhere), cmocka_unit_test(goals_lie_on_the_ground_or_nowhere),
      cmocka_unit_test(lines_and_areas_touch_the_ground),      cmocka_unit_test(queries_begin_on_the_ground),
      cmocka_unit_test(scenes_name_what_lies_off_the_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
