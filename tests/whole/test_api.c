/* tests/whole/test_api.c - every call of the core, once, by the public headers alone; the published planners are in
 * test_api_relax.c. tests/install/api.sh fails when a call is in neither file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/make.h>
#include <throng/throng.h>

#include "support/unit.h"
#include "throng/group.h"
#include "throng/guide.h"
#include "throng/guide/target.h"
#include "throng/guide/tree.h"
#include "throng/model.h"
#include "throng/watch.h"

#define OK(call) assert_int_equal(call, TH_OK)

static const th_vec2 outline_points[] = {{0, 0}, {12, 0}, {12, 8}, {0, 8}};
static const th_vec3 path_points[] = {{0, 0, 0}, {12, 0, 0}};
static const th_vec2 wall_points[] = {{5.9f, 0}, {6.1f, 0}, {6.1f, 3}, {5.9f, 3}};
static const th_vec2 door_points[] = {{5.9f, 3}, {6.1f, 3}, {6.1f, 5}, {5.9f, 5}};
static const th_vec2 goal_point = {10, 4}, other_point = {10, 6};

static th_ground *hall(void) {
  const th_polygon outline = {NULL, outline_points, 4}, wall = {"wall", wall_points, 4};
  const th_door door = {{"door", door_points, 4}, false};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  def.obstacle = &wall;
  def.obstacle_count = 1;
  def.door = &door;
  def.door_count = 1;
  th_ground *ground = NULL;
  OK(th_ground_make_flat(&def, &ground, NULL));
  return ground;
}

static void base_and_parameters(void **state) {
  (void)state;
  assert_string_equal(th_version(), "0.1.0");
  assert_string_equal(th_result_name(TH_ERROR_RANGE), "range");
  assert_true(th_simd_has(TH_SIMD_FOUR));
  assert_string_equal(th_simd_name(TH_SIMD_FOUR), "four");
  uint32_t count;
  const th_param *table = th_make_table(&count);
  th_make_params make = th_default_make_params(), again;
  memset(&again, 0, sizeof again);
  th_param_defaults(table, count, &again);
  assert_int_equal(make.shape, again.shape);
  OK(th_param_check(table, count, &make, NULL));
  OK(th_param_set(table, count, &make, table[0].name, table[0].choice[1], NULL));
  th_agent_spread crowd = th_default_agent_spread();
  const th_agent_def person = th_default_agent_def();
  assert_true(person.people == &th_default_people && !th_default_body_def().people);
  th_people_params calm = th_default_people_params();
  table = th_people_table(&count);
  OK(th_param_set(table, count, &calm, "time_gap", "1.2", NULL));
  for (uint32_t i = 0; i < count; i++) assert_true(strlen(th_people_source(i)) > 5);
  crowd.speed = th_default_spread(TH_SPREAD_NORMAL, 1.3f, 0.2f);
  crowd.radius = th_uniform_spread(0.2f, 0.3f);
  crowd.share = th_constant_spread(1);
  OK(th_spread_check(&crowd.speed, "speed", 0, 3, NULL));
  th_agent_def someone = th_default_body_def();
  th_agent_draw(&crowd, th_spread_bits(1, 2, 3), &someone);
  assert_true(someone.share == 1 && someone.speed != 1.34f && someone.radius >= 0.2f && someone.radius < 0.3f);
  assert_true(th_spread_draw(&crowd.speed, 4) == th_spread_draw(&crowd.speed, 4));
}

static void meshes(void **state) {
  (void)state;
  static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  static const uint32_t corner[] = {0, 1, 2};
  th_mesh_def def = th_default_mesh_def();
  def.xyz_double = xyz;
  def.vertex_count = 3;
  def.corner = corner;
  def.face_count = 1;
  th_mesh mesh;
  th_mesh_pieces pieces;
  th_mesh_borders borders;
  OK(th_mesh_build(&def, &mesh, NULL));
  OK(th_mesh_pieces_make(&mesh, &pieces, NULL));
  assert_int_equal(pieces.count, 1);
  th_mesh_pieces_free(&mesh, &pieces);
  OK(th_mesh_borders_make(&mesh, &borders, NULL));
  th_mesh_borders_free(&mesh, &borders);
  th_mesh_free(&mesh);
}

static void flat_ground(void **state) {
  (void)state;
  th_ground *ground = hall(), *next = NULL;
  assert_int_equal(th_default_image().dark, 128);
  assert_int_equal(th_ground_kind_of(ground), TH_GROUND_FLAT);
  assert_int_equal(th_ground_version(ground), 1);
  th_vec2 lower, upper;
  th_ground_bounds(ground, &lower, &upper);
  assert_true(lower.x <= 0 && upper.y >= 8);
  assert_int_not_equal(th_ground_locate(ground, 2, 2).cell, TH_NO_CELL);
  const th_markers *markers = NULL;
  th_markers_def sparse = th_sparse_markers_def();
  assert_true(th_default_markers_def().distance == th_ground_markers_def(ground).distance);
  OK(th_ground_markers(ground, &sparse, 1, &markers, NULL));
  assert_true(th_markers_count(markers) > 0 && th_markers_places(markers) != NULL && th_markers_hash(markers) != 0);
  assert_true(th_ground_clearance(ground, 2, 2) > 1.5f);
  assert_int_equal(th_ground_class(ground, 0.2f), 0);
  assert_true(fabsf(th_ground_ray(ground, th_ground_locate(ground, 2, 2), (th_vec2){1, 0}, 9).distance - 3.9f) < 0.01f);
  assert_true(fabsf(th_ground_nearest_wall(ground, th_ground_locate(ground, 2, 1), 3).distance - 1.0f) < 0.01f);
  uint32_t count;
  assert_non_null(th_ground_walls(ground, &count));
  assert_true(count > 4);
  assert_non_null(th_ground_clearance_raster(ground).sample);
  assert_int_equal(th_ground_passages(ground, 3.0f, NULL, 0), 0);
  th_place picked;
  assert_true(th_ground_pick(ground, (th_vec3){2, 2, 5}, (th_vec3){0, 0, -1}, 9, &picked));
  assert_true(fabsf(picked.x - 2) < 1e-4f);
  assert_null(th_ground_wall_halves(ground, &count));
  th_edit edit = th_default_edit();
  edit.kind = TH_EDIT_CLOSE, edit.name = "door";
  OK(th_ground_edit(ground, &edit, 1, &next, NULL));
  assert_ptr_equal(th_ground_retain(next), next);
  th_ground_release(next);
  th_ground_release(next);
  th_ground_release(ground);
}

static void mesh_ground(void **state) {
  (void)state;
  th_make_params make = th_default_make_params();
  th_mesh mesh;
  OK(th_mesh_generate(&make, &mesh, NULL));
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = &mesh;
  th_ground *ground = NULL, *next = NULL;
  OK(th_ground_make_mesh(&def, &ground, NULL));
  assert_int_equal(th_ground_mesh(ground)->face_count, mesh.face_count);
  assert_int_equal(th_ground_blocked_faces(ground)[0], 0);
  th_place place = th_ground_place_of(ground, 0, (th_vec3){0.5f, 0.25f, 0.25f});
  assert_true(fabsf(th_ground_weights(ground, place).x - 0.5f) < 1e-4f);
  th_vec3 point = th_ground_point(ground, place), normal = th_ground_normal(ground, place);
  assert_int_not_equal(th_ground_locate_at(ground, point, TH_ANY_LEVEL, 1.0f).cell, TH_NO_CELL);
  assert_true(fabsf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z - 1.0f) < 1e-4f);
  th_vec2 v = th_ground_to_cell(ground, place, th_ground_to_space(ground, place, (th_vec2){0.6f, 0.8f}));
  assert_true(fabsf(v.x - 0.6f) < 1e-4f);
  assert_int_equal(th_ground_level(ground, 0), 0);
  assert_int_equal(th_ground_terrain(ground, 0), 0);
  assert_string_equal(th_ground_terrain_name(ground, 0), "");
  assert_true(th_ground_speed(ground, 0) == 1.0f);
  assert_true(th_ground_speed_along(ground, 0, (th_vec2){1, 0}) == 1.0f);
  assert_true(th_ground_clearance_at(ground, place) >= 0.0f);
  th_turn turn = {1.0f, 0.0f};
  th_ground_walk(ground, &place, (th_vec2){0.01f, 0.0f}, 0.0f, &turn);
  const double *p = th_ground_mesh(ground)->xyz;
  const th_vertex_move move = {0, {(float)p[0], (float)p[1], (float)p[2] + 0.001f}};
  OK(th_ground_deform(ground, &move, 1, &next, NULL));
  th_ground_release(next);
  th_ground_release(ground);
  th_mesh_free(&mesh);
}

static void buildings(void **state) {
  (void)state;
  const th_polygon outline = {NULL, outline_points, 4};
  th_level_def level = th_default_level_def();
  level.number = 1, level.outline = &outline, level.outline_count = 1;
  assert_true(th_default_flight_def().speed == 0.0f && th_default_lift_def().pace == 1.34f);
  th_building_def def = th_default_building_def();
  def.level = &level;
  def.level_count = 1;
  def.edge = 2.0f;
  th_building building;
  OK(th_building_make(&def, &building, NULL));
  assert_true(building.face_count > 4);
  th_building_free(&building);
}

static void fields(void **state) {
  (void)state;
  th_ground *ground = hall(), *next = NULL;
  th_solver *solver = NULL, *later = NULL;
  th_field *field = NULL;
  th_solver_def solver_def = th_default_solver_def();
  solver_def.ground = ground;
  OK(th_solver_make(&solver_def, &solver, NULL));
  assert_true(th_fields_bytes(ground) == 0);
  OK(th_solver_prepare_fields(solver, 0, NULL));
  th_field_def def = th_default_field_def();
  def.goal = th_point_shape(goal_point.x, goal_point.y);
  OK(th_field_make(solver, &def, &field, NULL));
  th_place from = th_ground_locate(ground, 2, 4), path[400];
  assert_true(th_field_potential(field, from) > 0.0 && th_field_log(field, from) < 0.0);
  assert_true(th_field_reaches(field, from));
  assert_true(th_field_gradient_at(field, from).left > 7.0f);
  OK(th_field_admits(field, (th_vec2){0, 0}, NULL));
  assert_true(th_field_direction(field, from, (th_vec2){0, 0}, TH_SENSE_PULL).x > 0.5f);
  assert_true(th_field_trace(field, from, NULL, 0) > 10);
  uint32_t count = th_field_trace_places(field, from, path, 400), width, height;
  th_field_smooth_places(field, path, count < 400 ? count : 400, 1);
  assert_non_null(th_field_values(field, &width, &height));
  th_field_lengths(field, &count);
  assert_ptr_equal(th_field_retain(field), field);
  th_field_release(field);
  th_field_release(field);
  const th_edit edit = {.kind = TH_EDIT_CLOSE, .name = "door"};
  OK(th_ground_edit(ground, &edit, 1, &next, NULL));
  OK(th_solver_follow(solver, next, &later, NULL));
  th_solver_release(later);
  th_solver_release(solver);
  th_ground_release(next);
  th_ground_release(ground);
}

/* ---------------------------------------------------------------- worlds */

static void look(void *user, const th_work *work) {
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    const float x = view->x[lane], y = view->y[lane];
    assert_true(th_view_ray(view, x, y, 1, 0, 1) > 0.0f);
    assert_true(th_view_sees(view, x, y, x, y));
    assert_true(th_view_clearance(view, x, y) > 0.0f);
    assert_true(th_view_place(view, lane, (th_vec3){3, 4, 0}).x == 3);
    assert_true(th_view_point(view, lane, 3, 4).y == 4);
    assert_null(th_view_link(view, lane, TH_ROLE_LEADER));
    for (uint32_t k = 0; k < view->neighbours.count; k++)
      assert_true(th_view_wish(view, k).x * th_view_wish(view, k).x <= 1.001f);
    if (view->markers.x) assert_true(th_view_marker_seen(view, view->markers.x[0], view->markers.y[0], 0));
    ++*(int *)user;
  }
  th_rays ahead;
  memset(&ahead, 0, sizeof ahead);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) ahead.dx[lane] = ahead.length[lane] = 1;
  th_view_cast(view, &ahead, 1, work->simd);
  assert_non_null(th_view_bodies(view, view->neighbours.pick_count, work->simd));
  assert_true(ahead.free[0] > 0.0f);
  uint32_t seen[TH_MAX_NEAREST] = {0};
  th_view_visible(view, ahead.length, seen, work->simd);
  assert_true(seen[0] <= 0xffffu);
}

static void stand(void *user, const th_guide_query *query) {
  (void)query;
  ++*(int *)user;
}

typedef struct stage {
  th_ground *ground;
  th_world *world;
  th_goal_id goal;
  th_agent_id agent;
} stage;

static void begin(stage *s) {
  *s = (stage){.ground = hall()};
  th_world_def def = th_default_world_def();
  def.mesh = th_default_world_mesh_def();
  def.ground = s->ground;
  OK(th_world_make(&def, &s->world, NULL));
  th_goal_def goal = th_default_goal_def();
  goal.shape = th_point_shape(goal_point.x, goal_point.y);
  OK(th_world_add_goal(s->world, &goal, &s->goal, NULL));
  assert_true(th_is_null_agent(th_default_link_def().agent) && !th_default_link_def().to_point);
  th_agent_def agent = th_default_body_def();
  agent.model = &th_model_follow;
  agent.point.x = 2;
  agent.point.y = 4;
  agent.route[0].goal = s->goal;
  agent.route_count = 1;
  OK(th_world_add_agent(s->world, &agent, &s->agent, NULL));
}

static void end(stage *s) {
  th_world_free(s->world);
  th_ground_release(s->ground);
}

static void shapes(void **state) {
  (void)state;
  const th_vec3 end[1] = {{10, 5, 0}};
  assert_true(th_shape_at(&(th_shape){.kind = TH_SHAPE_POINT, .point = end, .count = 1}, 0).x == 10);
  const th_shape point = th_point_shape(1, 2), line = th_line_shape(0, 0, 3, 4), box = th_box_shape(0, 0, 2, 1);
  const th_shape disc = th_disc_shape(5, 6, 2), ball = th_disc_shape_at((th_vec3){1, 2, 3}, 2);
  const th_vec3 up = th_from_y_up((th_vec3){1, 2, 3}), back = th_to_y_up(up);
  assert_true(up.x == 1 && up.y == -3 && up.z == 2 && back.x == 1 && back.y == 2 && back.z == 3);
  const th_shape high = th_point_shape_at((th_vec3){1, 2, 3});
  assert_true(th_shape_at(&point, 0).y == 2 && th_shape_at(&line, 1).y == 4 && box.count == 4);
  assert_true(disc.radius == 2 && th_shape_at(&ball, 0).z == 3 && th_shape_at(&high, 0).z == 3);
  th_vec2 corner[4];
  assert_int_equal(th_box_polygon(0, 0, 2, 1, corner).count, 4);
}

static void count_disc(void *user, uint32_t part, th_vec3 centre, th_vec3 normal, float radius) {
  (void)centre, (void)normal, (void)radius;
  if (part == TH_DRAW_AGENTS) ++*(uint32_t *)user;
}

static void drawing(void **state) {
  (void)state;
  stage s;
  begin(&s);
  uint32_t discs = 0;
  th_draw draw = th_default_draw();
  draw.disc = count_disc;
  draw.user = &discs;
  th_world_draw(s.world, &draw);
  assert_int_equal(discs, 1);
  assert_int_not_equal(th_draw_colour(TH_DRAW_WALLS), th_draw_colour(TH_DRAW_AGENTS));
  size_t size = 1;
  assert_null(th_world_guide_row(s.world, s.agent, &size));
  assert_int_equal(size, 0);
  end(&s);
}

static const th_trace trace_row[] = {
    {"number", TH_TRACE_SCALAR, "", "a number", 0},    {"arrow", TH_TRACE_VECTOR, "m/s", "a vector", 0},
    {"point", TH_TRACE_POINT, "", "a place", 0},       {"segment", TH_TRACE_SEGMENT, "", "two places", 0},
    {"line", TH_TRACE_LINE, "m/s", "a half-plane", 0}, {"raster", TH_TRACE_RASTER, "", "two numbers", 0},
};

static void publish_all(void *user, const th_work *work) {
  const th_vec2 east = {1, 0}, line[2] = {{1, 0}, {0, 1}};
  const float values[2] = {1, 2};
  if (!th_trace_wants(work->trace, 0)) return;
  ++*(int *)user;
  th_trace_scalar(work->trace, 0, &trace_row[0], 1);
  th_trace_vector(work->trace, 0, &trace_row[1], east, 1);
  th_trace_point(work->trace, 0, &trace_row[2], east, 1);
  th_trace_segment(work->trace, 0, &trace_row[3], &(th_segment){0, 0, 1, 1}, 1);
  th_trace_line(work->trace, 0, &trace_row[4], line, 1);
  th_trace_raster(work->trace, 0, &trace_row[5], &(th_trace_grid){0, 0, 1, 0, 1, 2, 1}, values);
}

static void traces(void **state) {
  (void)state;
  stage s;
  begin(&s);
  int calls = 0;
  th_user_params host = th_default_user_params();
  host.decide = publish_all;
  host.user = &calls;
  th_agent_def agent;
  assert_true(th_world_agent_def(s.world, s.agent, &agent));
  agent.model = &th_model_user;
  agent.params = &host;
  OK(th_world_change_agent(s.world, s.agent, &agent, NULL));
  th_trace_def def = th_default_trace_def();
  assert_true(th_world_trace_def(s.world).items >= def.items);
  OK(th_world_trace(s.world, &def, NULL));
  OK(th_world_trace_agent(s.world, s.agent, true, NULL));
  th_world_step(s.world);
  th_agent_id id;
  th_trace_item item[16];
  uint32_t count, own;
  assert_int_equal(th_world_traced(s.world, &id, 1), 1);
  count = th_world_traces(s.world, id, item, 16);
  assert_true(calls == 1 && count >= 6 && count <= 16 && th_world_trace_table(&own) && own > 0 &&
              th_people_trace_table(&own) && own > 0);
  end(&s);
}

static void models_and_guides(void **state) {
  (void)state;
  stage s;
  begin(&s);
  const th_model *model[] = {&th_model_follow, &th_model_user,     &th_model_bvp,
                             &th_model_orca,   &th_model_steering, &th_model_biocrowds};
  const th_guide *kind[] = {&th_guide_field, &th_guide_reference_points, &th_guide_path, &th_guide_explore,
                            &th_guide_user};
  for (size_t i = 0; i < 6; i++) assert_ptr_equal(th_model_find(model[i]->name), model[i]);
  assert_true(th_default_biocrowds_params().radius == 1.25f);
  assert_int_equal(th_world_marker_owners(s.world, NULL, 0), 0);
  for (size_t i = 0; i < 5; i++) assert_ptr_equal(th_guide_find(kind[i]->name), kind[i]);
  assert_ptr_equal(th_guide_find("direction"), &th_guide_direction);
  assert_true(th_models()[0] && th_guides()[0]);
  th_follow_params follow = th_default_follow_params();
  th_user_params user = th_default_user_params();
  th_bvp_params bvp = th_default_bvp_params(15);
  th_orca_params orca = th_default_orca_params();
  th_steering_params steering = th_default_steering_params();
  th_steering_basic(&steering);
  th_steering_full(&steering);
  assert_true(th_steering_character_of(steering.people).on);
  assert_true(th_bvp_sweeps(15) > 0);
  int looks = 0, asked = 0;
  user.decide = look;
  user.user = &looks;
  const void *params[] = {&follow, &user, &bvp, &orca, &steering};
  th_reference_points_params points = th_default_reference_points_params();
  assert_false(th_default_direction_params().around);
  th_path_params path = th_default_path_params();
  path.point = path_points;
  path.count = 2;
  th_explore_params explore = th_default_explore_params();
  th_user_guide_params host = th_default_user_guide_params();
  host.answer = stand;
  host.user = &asked;
  const void *guide_params[] = {NULL, &points, &path, &explore, &host};
  th_guide_id guide[5];
  for (int i = 0; i < 5; i++) {
    OK(th_world_add_guide(s.world, kind[i], guide_params[i], &guide[i], NULL));
    assert_ptr_equal(th_world_guide_kind(s.world, guide[i]), kind[i]);
  }
  th_agent_def def;
  assert_true(th_world_agent_def(s.world, s.agent, &def));
  for (int i = 0; i < 5; i++) {
    def.model = model[i];
    def.params = params[i];
    def.guide = guide[i];
    def.point.y = 2.0f + (float)i;
    OK(th_world_add_agents(s.world, &def, 1, NULL, NULL));
  }
  for (int i = 0; i < 3; i++) th_world_step(s.world);
  assert_true(looks > 0 && asked > 0);
  const void *memory = th_world_guide_memory(s.world, guide[3], NULL);
  assert_true(th_explore_read(memory).sensed > 0);
  assert_true(th_explore_known(memory, th_world_ground(s.world), NULL, 0) > 1000);
  assert_int_equal(th_world_guides(s.world, guide, 5), 5);
  assert_non_null(th_world_guide_params(s.world, guide[2]));
  assert_true(th_world_has_guide(s.world, guide[2]));
  th_world_remove_guide(s.world, guide[2]);
  end(&s);
}

static void groups(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_group_def def = th_default_group_def();
  th_group_id group, other;
  th_vec3 point;
  OK(th_world_add_group(s.world, &def, &s.agent, 1, &group, NULL));
  assert_true(th_world_has_group(s.world, group) && th_world_groups(s.world, &other, 1) == 1);
  assert_true(th_same_group(th_world_agent_group(s.world, s.agent), group) && !th_is_null_group(group));
  assert_int_equal(th_world_group_members(s.world, group, NULL, 0), 1);
  def.align = TH_ALIGN_BOTH;
  OK(th_world_change_group(s.world, group, &def, NULL));
  assert_true(th_world_group_def(s.world, group, &def) && def.align == TH_ALIGN_BOTH);
  assert_false(th_world_group_point(s.world, group, &point));
  assert_false(th_world_agent_post(s.world, s.agent, &point)); /* it fills no formation */
  th_group_fit fit;
  OK(th_world_group_fit(s.world, group, &fit, NULL));
  assert_true(fit.members == 1 && isnan(fit.outside) && isnan(fit.askew));
  OK(th_world_split_group(s.world, group, &s.agent, 1, &other, NULL));
  OK(th_world_merge_groups(s.world, group, other, NULL));
  OK(th_world_leave_group(s.world, s.agent, NULL));
  OK(th_world_join_group(s.world, group, &s.agent, 1, NULL));
  th_world_step(s.world);
  th_world_remove_group(s.world, group);
  end(&s);
}

static void trees(void **state) {
  (void)state;
  stage s;
  begin(&s);
  assert_ptr_equal(th_guide_find("tree"), &th_guide_tree);
  th_tree_params params = th_default_tree_params();
  assert_int_equal(th_tree_broken_rules(&params, th_world_ground(s.world), 0.4f, NULL), 0);
  th_guide_id guide;
  OK(th_world_add_guide(s.world, &th_guide_tree, &params, &guide, NULL));
  OK(th_world_set_guide(s.world, s.agent, guide, NULL));
  for (int i = 0; i < 3; i++) th_world_step(s.world);
  const void *row = th_world_guide_row(s.world, s.agent, NULL);
  th_tree_state tree = th_tree_read(row);
  assert_true(tree.does == TH_TREE_SEEKS && tree.nodes > 3);
  assert_int_equal(th_tree_nodes(row, NULL, 0), tree.nodes);
  assert_true(th_tree_retained(row, NULL, 0) > 0);
  end(&s);
}

static void targets(void **state) {
  (void)state;
  stage s;
  begin(&s);
  assert_ptr_equal(th_guide_find("target"), &th_guide_target);
  assert_true(th_default_target_params().searches > 0);
  const th_vec3 at = th_world_agent_point(s.world, s.agent);
  OK(th_world_move_to(s.world, s.agent, (th_vec3){at.x + 1.0f, at.y, at.z}, NULL));
  th_world_step(s.world);
  assert_true(th_target_read(th_world_guide_row(s.world, s.agent, NULL)).corners > 0);
  const th_ground *ground = th_world_ground(s.world);
  const th_place from = th_ground_locate_at(ground, at, TH_ANY_LEVEL, 1.0f);
  assert_true(th_ground_path(ground, from, from, 0.2f, NULL, 0) > 0);
  end(&s);
}

static void watching(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_world_step(s.world);
  th_agent_chart chart = {.reach = 5.0f};
  OK(th_world_chart(s.world, s.agent, &chart, NULL));
  assert_true(chart.wall_count > 0 && chart.radius > 0.0f);
  assert_true(th_world_agent_text(s.world, s.agent, NULL, 0) > 10);
  assert_int_equal(th_world_barriers(s.world, NULL, 0), 2);
  assert_int_equal(th_world_overlaps(s.world, 0.0f, NULL, 0), 0);
  float density, phase = 0.0f;
  th_world_density(s.world, 2.0f, &density);
  th_world_strides(s.world, &phase, 1);
  assert_true(density > 0.0f && phase >= 0.0f);
  assert_true(th_stride_advance(0.0f, 0.1f, 0.1f, 1.75f) > 0.0f && th_stride_length(1.3f, 1.75f) > 0.5f);
  assert_int_equal(th_world_field_left(s.world, NULL, NULL, 0), 0); /* of no field; test_watch has those that are */
  uint32_t count = 1;
  assert_null(th_world_group_weights(s.world, TH_NULL_GROUP, &count));
  assert_true(th_world_dt(s.world) > 0.0f);
  char text[64];
  const th_people_params people = th_default_people_params();
  assert_true(th_param_get(th_people_table(&count), &people, text, sizeof text) > 0);
  end(&s);
}

static void changing(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_goal_def goal = th_default_goal_def();
  goal.shape = th_point_shape(10, 6);
  OK(th_world_change_goal(s.world, s.goal, &goal, NULL));
  assert_int_equal(th_world_change_guide(s.world, TH_NULL_GUIDE, NULL, NULL), TH_ERROR_STATE);
  OK(th_world_set_links(s.world, s.agent, NULL, 0, NULL));
  th_source_def source = th_default_source_def(), found;
  assert_true(th_world_agent_def(s.world, s.agent, &source.agent));
  source.region = (th_polygon){NULL, outline_points, 4};
  th_source_id from;
  OK(th_world_add_source(s.world, &source, &from, NULL));
  assert_true(th_world_source_def(s.world, from, &found) && found.rate == source.rate);
  th_source_flow flow = th_world_flow(s.world, from);
  flow.rate = 2.0f;
  OK(th_world_set_flow(s.world, from, &flow, NULL));
  assert_true(th_world_flow(s.world, from).rate == 2.0f);
  end(&s);
}

static void agents(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_world *w = s.world;
  const th_agent_id id = s.agent;
  assert_true(th_world_has_agent(w, id) && th_world_row(w, id) == 0);
  assert_true(th_world_agent_point(w, id).x == 2.0f && th_world_agent_previous(w, id).x == 2.0f);
  assert_true(th_world_agent_velocity(w, id).x == 0.0f && th_world_agent_heading(w, id).z == 0.0f);
  assert_int_equal(th_world_agent_state(w, id), TH_AGENT_WALKING);
  assert_int_equal(th_world_agent_stop(w, id), 0);
  th_world_set_user(w, id, &s);
  assert_ptr_equal(th_world_agent_user(w, id), &s);
  OK(th_world_set_speed_max(w, id, 3.0f, NULL));
  OK(th_world_set_speed(w, id, 2.5f, NULL));
  OK(th_world_set_radius(w, id, 0.25f, NULL));
  OK(th_world_set_velocity(w, id, (th_vec3){0.5f, 0.0f, 0.0f}, NULL));
  OK(th_world_set_layers(w, id, 1, 1, NULL));
  OK(th_world_set_params(w, id, NULL, NULL));
  OK(th_world_set_guide(w, id, TH_NULL_GUIDE, NULL));
  OK(th_world_set_goal(w, id, s.goal, NULL));
  OK(th_world_set_route(w, id, &(th_stop){.goal = s.goal, .wait = 1.0f}, 1, 0, NULL));
  th_agent_def def;
  assert_true(th_world_agent_def(w, id, &def) && def.speed == 2.5f);
  OK(th_world_change_agent(w, id, &def, NULL));
  OK(th_world_place_agent(w, id, (th_vec3){3, 3, 0}, NULL));
  OK(th_world_set_external(w, id, true, NULL));
  OK(th_world_drive_agent(w, id, (th_vec3){3, 4, 0}, (th_vec3){1, 0, 0}, (th_vec3){1, 0, 0}, NULL));
  th_world_remove_agent(w, id);
  th_source_def source = th_default_source_def();
  source.agent = def;
  source.region = (th_polygon){NULL, outline_points, 4};
  th_source_id from;
  OK(th_world_add_source(w, &source, &from, NULL));
  assert_true(th_world_has_source(w, from) && th_world_sources(w, NULL, 0) == 1);
  assert_int_equal(th_world_source_emitted(w, from), 0);
  th_world_remove_source(w, from);
  end(&s);
}

static void goals_and_queries(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_world *w = s.world;
  for (int i = 0; i < 3; i++) th_world_step(w);
  const th_vec3 at = {2, 4, 0};
  th_agent_id found[2];
  float distance;
  th_place path[200];
  assert_int_equal(th_world_within(w, at, 2.0f, NULL, found, 2), 1);
  assert_int_equal(th_world_inside(w, (th_vec3){1, 3, 0}, (th_vec3){3, 5, 0}, NULL, found, 2), 1);
  assert_true(th_same_agent(th_world_nearest(w, at, 5.0f, NULL), s.agent));
  assert_true(th_same_agent(th_world_ray(w, (th_vec3){1, 4, 0}, (th_vec3){1, 0, 0}, 4.0f, NULL, &distance), s.agent));
  const uint32_t places = th_world_path(w, at, s.goal, 0.2f, path, 200);
  assert_true(places > 5 && th_ground_corners(th_world_ground(w), path, places, 0.2f) < places);
  assert_true(th_world_distance(w, at, s.goal, 0.2f) > 7.0f);
  assert_non_null(th_world_field(w, s.goal, 0.2f));
  th_goal_def def;
  assert_true(th_world_goals(w, NULL, 0) == 1 && th_world_has_goal(w, s.goal));
  assert_true(th_world_goal_def(w, s.goal, &def) && def.shape.count == 1);
  const th_shape shape = th_point_shape(other_point.x, other_point.y);
  OK(th_world_move_goal(w, s.goal, &shape, NULL));
  th_world_remove_goal(w, s.goal);
  end(&s);
}

static void choices(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_world *w = s.world;
  th_choice_def def = th_default_choice_def();
  def.option[def.option_count++] = th_default_option(s.goal);
  th_choice_id choice;
  OK(th_world_add_choice(w, &def, &choice, NULL));
  assert_true(th_world_has_choice(w, choice) && th_world_choices(w, NULL, 0) == 1);
  def.every = 5.0f;
  OK(th_world_change_choice(w, choice, &def, NULL));
  assert_true(th_world_choice_def(w, choice, &def) && def.every == 5.0f);
  const th_stop stop = {.choice = choice};
  OK(th_world_set_route(w, s.agent, &stop, 1, 0, NULL));
  for (int i = 0; i < 3; i++) th_world_step(w);
  th_option_cost cost;
  assert_int_equal(th_world_choice_costs(w, s.agent, &cost, 1), 1);
  assert_true(th_same_goal(cost.goal, s.goal) && cost.left > 5.0f && cost.ahead == 0);
  assert_int_equal(th_world_choice_taken(w, choice, 0), 1);
  th_world_remove_choice(w, choice);
  end(&s);
}

static void time_and_state(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_world *w = s.world;
  OK(th_world_reserve(w, 100, NULL));
  OK(th_world_prepare(w, NULL));
  OK(th_world_prepare_fields(w, UINT64_MAX, NULL));
  uint32_t in_force;
  th_world_in_force(w, &in_force);
  OK(th_world_follow_in_force(w, NULL, in_force, NULL)); /* none: the world is not in real time */
  OK(th_world_set_dt(w, 0.05f, NULL));
  th_world_advise(w);
  th_world_integrate(w);
  th_world_advise(w);
  th_vec3 point, heading;
  th_world_points(w, &(th_points){.point = &point, .heading = &heading});
  th_guide_answer want;
  th_world_wants(w, &want);
  assert_true(want.state <= TH_ANSWER_LOST && th_world_env(w).log.write != NULL);
  th_world_accept(w, &point, 1);
  assert_int_equal(th_world_step_count(w), 2);
  assert_true(fabs(th_world_time(w) - 0.1) < 1e-6 && !th_world_done(w));
  const th_edit edit = {.kind = TH_EDIT_CLOSE, .name = "door"};
  OK(th_world_edit(w, &edit, 1, NULL));
  th_world_step(w);
  th_world_step(w);
  assert_int_equal(th_ground_version(th_world_ground(w)), 2);
  assert_int_equal(th_world_backlog(w), 0);
  assert_int_equal(th_world_agents(w).count, 1);
  uint32_t count;
  th_world_events(w, &count);
  assert_int_equal(th_world_counters(w).added, 1);
  double seconds[TH_PHASE_COUNT];
  th_world_profile(w, seconds);
  assert_string_equal(th_phase_name(TH_PHASE_MOVE), "move");
  assert_true(th_world_memory(w).total > 1000);
  uint8_t *memory = malloc(th_world_snapshot(w, NULL, 0));
  const size_t size = th_world_snapshot(w, memory, th_world_snapshot(w, NULL, 0));
  const uint64_t hash = th_world_hash(w);
  th_world_step(w);
  OK(th_world_restore(w, memory, size, NULL));
  assert_true(th_world_hash(w) == hash);
  free(memory);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(base_and_parameters),
      cmocka_unit_test(meshes),
      cmocka_unit_test(flat_ground),
      cmocka_unit_test(mesh_ground),
      cmocka_unit_test(buildings),
      cmocka_unit_test(fields),
      cmocka_unit_test(models_and_guides),
      cmocka_unit_test(trees),
      cmocka_unit_test(targets),
      cmocka_unit_test(groups),
      cmocka_unit_test(watching),
      cmocka_unit_test(changing),
      cmocka_unit_test(agents),
      cmocka_unit_test(goals_and_queries),
      cmocka_unit_test(choices),
      cmocka_unit_test(time_and_state),
      cmocka_unit_test(shapes),
      cmocka_unit_test(drawing),
      cmocka_unit_test(traces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
