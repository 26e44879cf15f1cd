/* tests/field/test_mesh_field_solver.c - a solver on meshes follows doors and deformation; Neumann walls; an agent's
 * own vector; memory that ends. */
#include <stdlib.h>

#include "support/mesh_fields.h"

/* Bit for bit the same field. */
static void expect_same(const th_field *a, const th_field *b) {
  const th_mesh *m = &a->mesh->ground->mesh->mesh;
  assert_memory_equal(a->mesh->node, b->mesh->node, m->face_count * sizeof(th_face_node));
  assert_memory_equal(a->mesh->left, b->mesh->left, m->vertex_count * sizeof(double));
  assert_memory_equal(a->mesh->u, b->mesh->u, m->vertex_count * sizeof(double));
}

static th_field *harmonic(th_solver *solver, th_vec3 goal) {
  return field_to_point(solver, th_default_field_def(), goal);
}

static void a_solver_follows_a_door(void **state) {
  (void)state;
  th_soup soup;
  mesh_kind_soup(&soup, MESH_NOISY, 3);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  const th_mesh_door door = {{.name = "door", .kind = TH_REGION_BALL, .centre = {8.0f, 8.0f, 0.0f}, .radius = 3.0f},
                             false};
  def.door = &door;
  def.door_count = 1;
  th_ground *open = mesh_kind_ground_of(&def), *closed = NULL;
  const th_mesh_door shut = {door.region, true};
  def.door = &shut;
  th_ground *fresh_ground = mesh_kind_ground_of(&def);
  const th_edit edit = {.kind = TH_EDIT_CLOSE, .name = "door"};
  assert_int_equal(th_ground_edit(open, &edit, 1, &closed, NULL), TH_OK);
  th_solver *solver = solver_of(open), *next = NULL, *fresh = solver_of(fresh_ground);
  const th_vec3 goal = {15.0f, 12.0f, 0.0f};
  th_field *before = harmonic(solver, goal);
  assert_int_equal(th_solver_follow(solver, closed, &next, NULL), TH_OK);
  assert_int_equal(next->cached_count, 1); /* ready before the first field */
  th_field *after = harmonic(next, goal), *expected = harmonic(fresh, goal);
  expect_same(after, expected);
  th_place there = th_ground_locate_at(open, (th_vec3){4.0f, 5.0f, 0.0f}, TH_ANY_LEVEL, 1.0f);
  assert_true(th_field_gradient_at(after, there).left > th_field_gradient_at(before, there).left + 0.1f);
  th_field_release(before);
  th_field_release(after);
  th_field_release(expected);
  th_solver_release(solver);
  th_solver_release(next);
  th_solver_release(fresh);
  th_ground_release(open);
  th_ground_release(closed);
  th_ground_release(fresh_ground);
  th_soup_free(&soup);
}

/* A tenth of the vertices moves; the field is that of a mesh made from the moved vertices. */
static void a_solver_follows_deformation(void **state) {
  (void)state;
  th_soup soup;
  mesh_kind_soup(&soup, MESH_TORUS, 3);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&def), *moved = NULL;
  const uint32_t count = soup.vertex_count / 10;
  th_vertex_move *move = malloc(count * sizeof *move);
  assert_non_null(move);
  for (uint32_t n = 0; n < count; n++) {
    uint32_t v = ground->mesh->mesh.vertex_of[n];
    float lift = 0.2f * th_random_unit(3, 1, n, 0);
    move[n] = (th_vertex_move){v, {(float)soup.xyz[n][0], (float)soup.xyz[n][1], (float)soup.xyz[n][2] + lift}};
  }
  for (uint32_t n = 0; n < count; n++) {
    const float to[3] = {move[n].to.x, move[n].to.y, move[n].to.z};
    for (int k = 0; k < 3; k++) soup.xyz[n][k] = (double)to[k];
  }
  assert_int_equal(th_ground_deform(ground, move, count, &moved, NULL), TH_OK);
  th_mesh_ground_def again = mesh_kind_def(&soup);
  th_ground *fresh_ground = mesh_kind_ground_of(&again);
  th_solver *solver = solver_of(ground), *next = NULL, *fresh = solver_of(fresh_ground);
  const th_vec3 goal = {-6.0f, 0.3f, 2.0f};
  th_field *before = harmonic(solver, goal);
  assert_int_equal(th_solver_follow(solver, moved, &next, NULL), TH_OK);
  th_field *after = harmonic(next, goal), *expected = harmonic(fresh, goal);
  expect_same(after, expected);
  assert_memory_not_equal(after->mesh->u, before->mesh->u, sizeof(double) * 100);
  th_field_release(before);
  th_field_release(after);
  th_field_release(expected);
  th_solver_release(solver);
  th_solver_release(next);
  th_solver_release(fresh);
  th_ground_release(ground);
  th_ground_release(moved);
  th_ground_release(fresh_ground);
  free(move);
  th_soup_free(&soup);
}

static void a_solver_refuses_another_mesh(void **state) {
  (void)state;
  th_ground *a = mesh_kind_ground(MESH_PLANE, 0), *b = mesh_kind_ground(MESH_CAR, 0);
  th_solver *solver = solver_of(a), *next = NULL;
  th_error error = {0};
  assert_int_equal(th_solver_follow(solver, b, &next, &error), TH_ERROR_STATE);
  assert_null(next);
  assert_true(strlen(error.text) > 0);
  th_solver_release(solver);
  th_ground_release(a);
  th_ground_release(b);
}

/* With walls that do not repel u falls slowly along a corridor, and ways may run along the walls. */
static void neumann_walls_repel_nobody(void **state) {
  (void)state;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 80, 10, 0.5, 0.5);
  th_mesh_ground_def sdef = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&sdef);
  th_solver *solver = solver_of(ground);
  th_field_def def = th_default_field_def();
  def.walls = TH_WALLS_NEUMANN;
  th_field *field = field_to_point(solver, def, (th_vec3){38.0f, 2.6f, 0.0f});
  th_field *repelled = harmonic(solver, (th_vec3){38.0f, 2.6f, 0.0f});
  th_place far = th_ground_locate_at(ground, (th_vec3){2.0f, 2.6f, 0.0f}, TH_ANY_LEVEL, 1.0f);
  assert_true(th_field_log(field, far) > -3.0 && th_field_log(repelled, far) < -15.0);
  for (uint32_t n = 0; n < 300; n++) {
    th_place from = mesh_kind_any_place(ground, 4, n);
    assert_true(th_field_trace_places(field, from, NULL, 0) > 0);
    if (!walk_arrives(ground, field, from, 0.13)) fail_msg("start %u does not arrive", n);
  }
  th_field_release(field);
  th_field_release(repelled);
  th_solver_release(solver);
  th_ground_release(ground);
  th_soup_free(&soup);
}

/* grad log h = grad log Q + (eps / 2) v / cell, v in the face's frame. */
static void an_own_vector_bends_the_way(void **state) {
  (void)state;
  th_ground *ground = mesh_kind_ground(MESH_TORUS, 2);
  th_solver *solver = solver_of(ground);
  th_field_def def = th_default_field_def();
  def.eps = 0.5f;
  th_field *field = field_to_point(solver, def, th_ground_point(ground, free_place(ground, 3)));
  uint32_t bent = 0;
  for (uint32_t n = 0; n < 500; n++) {
    th_place p = mesh_kind_any_place(ground, 6, n);
    const th_vec2 v = {th_random_unit(1, 2, n, 0) - 0.5f, th_random_unit(1, 3, n, 0) - 0.5f};
    th_field_gradient s = th_field_gradient_at(field, p);
    th_vec2 d = th_field_direction(field, p, v, TH_SENSE_PULL);
    if (!(field->mesh->node[p.cell].code & TH_NODE_SMOOTH)) {
      assert_true(d.x == s.dx && d.y == s.dy);
      continue;
    }
    double x = (double)s.gx + 0.25 * (double)v.x / (double)ground->cell;
    double y = (double)s.gy + 0.25 * (double)v.y / (double)ground->cell, size = hypot(x, y);
    assert_true(fabs((double)d.x - x / size) < 1e-4 && fabs((double)d.y - y / size) < 1e-4);
    bent++;
  }
  assert_true(bent > 450);
  assert_int_not_equal(th_field_admits(field, (th_vec2){5.0f, 0.0f}, NULL), TH_OK);
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
}

static th_result make_all(const th_env *env, void *context) {
  th_soup *soup = context;
  th_mesh_ground_def sdef = mesh_kind_def(soup);
  sdef.env = *env;
  th_ground *ground = NULL;
  th_solver *solver = NULL, *next = NULL;
  th_result result = th_ground_make_mesh(&sdef, &ground, NULL);
  if (result == TH_OK) result = th_solver_make(&(th_solver_def){.env = *env, .ground = ground}, &solver, NULL);
  const th_vec3 at = {2.2f, 2.1f, 0}, disc = {6.0f, 6.0f, 0};
  th_shape shape[2] = {{.kind = TH_SHAPE_POINT, .point = &at, .count = 1},
                       {.kind = TH_SHAPE_DISC, .point = &disc, .count = 1, .radius = 2.5f}};
  for (int k = 0; k < 3 && result == TH_OK; k++) {
    th_field_def def = th_default_field_def();
    def.kind = k == 2 ? TH_FIELD_GEODESIC : TH_FIELD_HARMONIC;
    def.goal = shape[k % 2];
    th_field *field = NULL;
    result = th_field_make(solver, &def, &field, NULL);
    th_field_release(field);
  }
  if (result == TH_OK) result = th_solver_follow(solver, ground, &next, NULL);
  th_solver_release(next);
  th_solver_release(solver);
  th_ground_release(ground);
  return result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 10, 10, 1.0, 1.0);
  assert_true(failing_every(make_all, &soup) > 100);
  th_soup_free(&soup);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_solver_follows_a_door),       cmocka_unit_test(a_solver_follows_deformation),
      cmocka_unit_test(a_solver_refuses_another_mesh), cmocka_unit_test(neumann_walls_repel_nobody),
      cmocka_unit_test(an_own_vector_bends_the_way),   cmocka_unit_test(every_failing_allocation_is_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
