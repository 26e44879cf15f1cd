/* tests/field/test_mesh_edges.c - fields along edges, and the reference points that lead over faces. */
#include "field/mesh/edges.h"
#include "geometry/mesh/halfedge.h"
#include "support/mesh_fields.h"
#include "support/unit.h"

static th_ground *sized(th_make_size size, double scale) {
  th_soup soup = th_soup_begin(NULL);
  assert_int_equal(th_make_sized(&soup, size, NULL), TH_OK);
  for (uint32_t v = 0; v < soup.vertex_count; v++)
    for (int k = 0; k < 3; k++) soup.xyz[v][k] *= scale;
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&def);
  th_soup_free(&soup);
  return ground;
}

static th_field *to_vertex(th_solver *solver, const th_ground *ground, uint32_t v) {
  const double *p = ground->mesh->mesh.xyz + 3 * (size_t)v;
  th_field_def def = th_default_field_def();
  def.kind = TH_FIELD_EDGES;
  return field_to_point(solver, def, (th_vec3){(float)p[0], (float)p[1], (float)p[2]});
}

static uint32_t goal_of(const float *left, uint32_t count) {
  for (uint32_t v = 0; v < count; v++)
    if (left[v] == 0.0f) return v;
  return TH_NO_ELEMENT;
}

/* shows: PLAN-02 PLAN-03 */
static void distances_satisfy_dijkstra_on_every_genus(void **state) {
  (void)state;
  static const struct {
    th_make_size size;
    uint32_t faces, vertices;
    int32_t euler;
  } mesh[] = {{TH_MAKE_BUNNY, 68958, 34481, 2},
              {TH_MAKE_HEPTOROID, 40084, 20000, -42},
              {TH_MAKE_FERTILITY, 40000, 19994, -6},
              {TH_MAKE_GLOB, 29774, 14875, -12},
              {TH_MAKE_BALL, 20480, 10242, 2}};
  for (int k = 0; k < 5; k++) {
    th_ground *ground = sized(mesh[k].size, 1.0);
    const th_mesh *m = &ground->mesh->mesh;
    assert_int_equal(m->face_count, mesh[k].faces);
    assert_int_equal(m->vertex_count, mesh[k].vertices);
    assert_int_equal((int32_t)m->vertex_count - (int32_t)m->face_count / 2, mesh[k].euler); /* closed: E = 3 F / 2 */
    th_solver *solver = solver_of(ground);
    th_field *field = to_vertex(solver, ground, 777);
    uint32_t count, neighbour[64];
    const float *left = th_field_lengths(field, &count);
    assert_int_equal(count, m->vertex_count);
    assert_int_equal(goal_of(left, count), 777);
    for (uint32_t v = 0; v < count; v++) {
      float min = v == 777 ? 0.0f : INFINITY;
      uint32_t near = th_mesh_vertex_neighbours(m, v, neighbour, 64);
      assert_true(near <= 64);
      for (uint32_t n = 0; n < near && v != 777; n++)
        min = fminf(min, left[neighbour[n]] + th_mesh_edge_length(m, v, neighbour[n]));
      assert_true(left[v] == min);
    }
    th_field_release(field);
    th_solver_release(solver);
    th_ground_release(ground);
  }
}

/* shows: PLAN-03 PLAN-04 */
static void distances_are_symmetric_and_take_four_bytes(void **state) {
  (void)state;
  failing f = {0};
  th_soup soup;
  mesh_kind_soup(&soup, MESH_STATUE, 3);
  th_mesh_ground_def sdef = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&sdef);
  th_solver *solver = NULL;
  th_env env = failing_env(&f);
  assert_int_equal(th_solver_make(&(th_solver_def){.env = env, .ground = ground}, &solver, NULL), TH_OK);
  const uint32_t vertices = ground->mesh->mesh.vertex_count;
  const uint32_t pick[4] = {5, vertices / 3, vertices / 2, vertices - 7};
  th_field *field[4];
  for (int k = 0; k < 4; k++) {
    int64_t before = f.bytes;
    field[k] = to_vertex(solver, ground, pick[k]);
    if (k > 0) assert_in_range(f.bytes - before, 4 * vertices, 4 * vertices + 1024); /* A4: 4 V^2 for all */
  }
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++) {
      uint32_t count;
      float there = th_field_lengths(field[a], &count)[pick[b]], back = th_field_lengths(field[b], &count)[pick[a]];
      assert_true(fabsf(there - back) <= 1e-5f * (1.0f + there));
    }
  for (int k = 0; k < 4; k++) th_field_release(field[k]);
  th_solver_release(solver);
  assert_int_equal(f.bytes, 0);
  th_ground_release(ground);
  th_soup_free(&soup);
}

/* The size of all fields is told beforehand and is what they take; above a budget they are refused and nothing is
 * taken. Afterwards a field to any point has the numbers that a search gives, and comes from the table. */
/* shows: PLAN-07 */
static void all_fields_are_made_beforehand(void **state) {
  (void)state;
  failing f = {0};
  th_ground *ground = mesh_kind_ground(MESH_STATUE, 3);
  th_solver *plain = solver_of(ground), *solver = NULL;
  th_env env = failing_env(&f);
  th_error error = {0};
  assert_int_equal(th_solver_make(&(th_solver_def){.env = env, .ground = ground}, &solver, NULL), TH_OK);
  const uint64_t vertices = ground->mesh->mesh.vertex_count, bytes = 4 * vertices * vertices;
  assert_true(th_fields_bytes(ground) == bytes);
  th_field_release(to_vertex(solver, ground, 5)); /* links of the solver are there */
  const int64_t before = f.bytes;
  assert_int_equal(th_solver_prepare_fields(solver, bytes - 1, &error), TH_ERROR_CAPACITY);
  char told[32];
  snprintf(told, sizeof told, "found %llu", (unsigned long long)bytes);
  if (!strstr(error.text, told)) fail_msg("%s", error.text);
  assert_true(f.bytes == before);
  assert_int_equal(th_solver_prepare_fields(solver, bytes, &error), TH_OK);
  assert_true(f.bytes - before == (int64_t)bytes);
  for (uint32_t v = 3; v < vertices; v += 211) {
    th_field *searched = to_vertex(plain, ground, v), *copied = to_vertex(solver, ground, v);
    uint32_t count;
    const float *a = th_field_lengths(searched, &count), *b = th_field_lengths(copied, &count);
    assert_memory_equal(a, b, sizeof *a * count);
    assert_true(searched->edges.mark == copied->edges.mark && searched->edges.near == copied->edges.near);
    th_field_release(searched);
    th_field_release(copied);
  }
  solver->mesh->all[7 * vertices + 9] = 1234.0f; /* spoiled, to see that it is read */
  th_field *field = to_vertex(solver, ground, 7);
  uint32_t count;
  assert_true(th_field_lengths(field, &count)[9] == 1234.0f);
  th_field_release(field);
  th_solver_release(solver);
  th_solver_release(plain);
  assert_int_equal(f.bytes, 0);
  th_ground_release(ground);
}

/* The reference by its definition, in plain numbers. */
static th_vec2 by_hand(const th_mesh_ground *s, const float *left, uint32_t face) {
  const uint32_t *corner = s->mesh.corner + 3 * (size_t)face;
  double p[3][2], t[2] = {0, 0}, mean = 0, sum[2] = {0, 0};
  for (uint32_t k = 0; k < 3; k++) {
    th_point at = th_frames_corner(&s->frames, 3 * face + k);
    p[k][0] = at.x, p[k][1] = at.y;
    t[0] += at.x / 3, t[1] += at.y / 3;
    mean += (double)left[corner[k]] / 3;
  }
  for (int k = 0; k < 3; k++) {
    double x = p[k][0] - t[0], y = p[k][1] - t[1], gain = mean - (double)left[corner[k]], size = hypot(x, y);
    double v[2] = {x / size * gain, y / size * gain}, weight = hypot(v[0], v[1]);
    sum[0] += weight * v[0], sum[1] += weight * v[1];
  }
  double size = hypot(sum[0], sum[1]);
  return (th_vec2){(float)(sum[0] / size), (float)(sum[1] / size)};
}

/* shows: PLAN-24 PLAN-29 */
static void references_point_to_where_distances_fall(void **state) {
  (void)state;
  static const mesh_kind kinds[] = {MESH_SPHERE, MESH_BALL, MESH_EQUILATERAL, MESH_TORUS, MESH_STATUE};
  for (int k = 0; k < 5; k++) {
    th_ground *ground = mesh_kind_ground(kinds[k], 7);
    const th_mesh_ground *s = ground->mesh;
    th_solver *solver = solver_of(ground);
    th_field *field = to_vertex(solver, ground, s->mesh.vertex_count / 2);
    uint32_t count, far = 0, rises = 0;
    const float *left = th_field_lengths(field, &count);
    for (uint32_t face = 0; face < s->mesh.face_count; face++) {
      float slope[3];
      th_reference r = th_mesh_field_reference(field, face, false);
      th_point middle = {(s->frames.face[face].bx + s->frames.face[face].cx) / 3.0, s->frames.face[face].cy / 3.0};
      if (r.arrives || !th_mesh_edges_left(field, face, slope)) continue;
      if (hypotf(slope[1], slope[2]) < 1e-4f || slope[1] * slope[1] + slope[2] * slope[2] == 0.0f) continue;
      double x = (double)r.x - middle.x, y = (double)r.y - middle.y, size = hypot(x, y);
      th_vec2 d = by_hand(s, left, face);
      assert_true(fabs(x / size - (double)d.x) + fabs(y / size - (double)d.y) < 1e-4);
      assert_true(size > 10.0 * 4.0 * s->frames.face[face].bx * 0.99); /* no agent of the face can reach it */
      rises += x * (double)slope[1] + y * (double)slope[2] >= 0.0;
      far++;
    }
    print_message("%s: %u faces, %u of them lead uphill\n", mesh_kind_name[kinds[k]], far, rises);
    assert_true(far > s->mesh.face_count / 2);
    assert_int_equal(rises, 0);
    th_field_release(field);
    th_solver_release(solver);
    th_ground_release(ground);
  }
}

/* shows: PLAN-25 */
static void a_goal_within_the_map_is_the_reference(void **state) {
  (void)state;
  th_ground *ground = mesh_kind_ground(MESH_EQUILATERAL, 1);
  const th_mesh_ground *s = ground->mesh;
  th_solver *solver = solver_of(ground);
  const uint32_t goal = s->mesh.vertex_count / 2 + 3;
  th_field *field = to_vertex(solver, ground, goal);
  const double *g = s->mesh.xyz + 3 * (size_t)goal;
  uint32_t inside = 0;
  for (uint32_t face = 0; face < s->mesh.face_count; face++) {
    bool in_ring = false;
    uint32_t near[32];
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t v = s->mesh.corner[3 * face + k], n = th_mesh_vertex_neighbours(&s->mesh, v, near, 32);
      in_ring |= v == goal;
      for (uint32_t i = 0; i < n; i++) in_ring |= near[i] == goal;
    }
    th_reference r = th_mesh_field_reference(field, face, false);
    assert_int_equal(r.arrives, in_ring);
    if (!in_ring) continue;
    double xyz[3]; /* flat: the plane of every face is the same */
    th_frames_point(&s->frames, face, (th_point){(double)r.x, (double)r.y}, xyz);
    assert_true(hypot(xyz[0] - g[0], xyz[1] - g[1]) < 1e-5);
    th_place at = th_ground_place_of(ground, face, (th_vec3){0.2f, 0.5f, 0.3f});
    th_vec3 p = th_ground_point(ground, at);
    assert_true(fabs((double)th_field_gradient_at(field, at).left - hypot((double)p.x - g[0], (double)p.y - g[1])) <
                1e-5);
    inside++;
  }
  assert_int_equal(inside, 24); /* 6 faces at the goal, 18 around them */
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
}

static void the_lowest_vertex_of_the_ring_is_found(void **state) {
  (void)state;
  th_ground *ground = mesh_kind_ground(MESH_BALL, 2);
  const th_mesh_ground *s = ground->mesh;
  th_solver *solver = solver_of(ground);
  th_field *field = to_vertex(solver, ground, 11);
  uint32_t count, near[32];
  const float *left = th_field_lengths(field, &count);
  for (uint32_t face = 0; face < s->mesh.face_count; face++) {
    uint32_t lowest = s->mesh.corner[3 * face];
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t v = s->mesh.corner[3 * face + k], n = th_mesh_vertex_neighbours(&s->mesh, v, near, 32);
      if (left[v] < left[lowest]) lowest = v;
      for (uint32_t i = 0; i < n; i++)
        if (left[near[i]] < left[lowest]) lowest = near[i];
    }
    th_reference r = th_mesh_field_reference(field, face, true);
    double xyz[3], *p = s->mesh.xyz + 3 * (size_t)lowest;
    th_frames_point(&s->frames, face, (th_point){(double)r.x, (double)r.y}, xyz);
    double off =
        sqrt((xyz[0] - p[0]) * (xyz[0] - p[0]) + (xyz[1] - p[1]) * (xyz[1] - p[1]) + (xyz[2] - p[2]) * (xyz[2] - p[2]));
    assert_true(off < 0.5 * (double)s->mean_edge); /* unfolded: beside the surface by its bend only */
  }
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
}

static void other_goals_walls_and_traces(void **state) {
  (void)state;
  th_ground *ground = mesh_kind_ground(MESH_HOUSE, 1);
  th_solver *solver = solver_of(ground);
  th_place goal = free_place(ground, 3);
  th_vec3 g = th_ground_point(ground, goal);
  for (int kind = 0; kind < 2; kind++) {
    th_field_def def = th_default_field_def();
    def.kind = TH_FIELD_EDGES;
    def.goal = kind ? th_disc_shape_at(g, 1.2f) : th_point_shape_at(g);
    th_field *field = NULL;
    assert_int_equal(th_field_make(solver, &def, &field, NULL), TH_OK);
    for (uint32_t n = 0; n < 200; n++) {
      th_place from = mesh_kind_any_place(ground, 5, n), way[512];
      if (!th_field_reaches(field, from)) continue;
      uint32_t count = th_field_trace_places(field, from, way, 512);
      assert_in_range(count, 1, 512);
      for (uint32_t i = 2; i < count; i++)
        assert_true(th_field_gradient_at(field, way[i]).left < th_field_gradient_at(field, way[i - 1]).left + 1e-4f);
      if (count > 2) th_field_smooth_places(field, way, count, 2);
      assert_true(th_field_log(field, from) <= 0.0);
    }
    assert_null(th_field_values(field, &(uint32_t){0}, &(uint32_t){0}));
    th_field_release(field);
  }
  th_solver_release(solver);
  th_ground_release(ground);
}

static th_result make_all(const th_env *env, void *context) {
  th_mesh_ground_def sdef = mesh_kind_def(context);
  th_ground *ground = NULL;
  th_solver *solver = NULL;
  th_field *field = NULL;
  sdef.env = *env;
  th_vec2 at = {2.2f, 2.1f};
  th_field_def def = th_default_field_def();
  def.kind = TH_FIELD_EDGES;
  def.goal = th_point_shape(at.x, at.y);
  th_result result = th_ground_make_mesh(&sdef, &ground, NULL);
  if (result == TH_OK) result = th_solver_make(&(th_solver_def){.env = *env, .ground = ground}, &solver, NULL);
  if (result == TH_OK) result = th_field_make(solver, &def, &field, NULL);
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
  return result;
}

static void survives_every_failing_allocation(void **state) {
  (void)state;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 6, 6, 1.0, 1.0);
  failing_every(make_all, &soup);
  th_soup_free(&soup);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_satisfy_dijkstra_on_every_genus),
      cmocka_unit_test(distances_are_symmetric_and_take_four_bytes),
      cmocka_unit_test(all_fields_are_made_beforehand),
      cmocka_unit_test(references_point_to_where_distances_fall),
      cmocka_unit_test(a_goal_within_the_map_is_the_reference),
      cmocka_unit_test(the_lowest_vertex_of_the_ring_is_found),
      cmocka_unit_test(other_goals_walls_and_traces),
      cmocka_unit_test(survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
