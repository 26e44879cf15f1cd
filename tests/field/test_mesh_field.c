/* tests/field/test_mesh_field.c - fields on meshes: everyone arrives, values obey the equation, goals of every
 * shape. */
#include <stdlib.h>

#include "support/field_questions.h"
#include "support/mesh_fields.h"

static th_field_def def_of(th_field_kind kind) {
  th_field_def def = th_default_field_def();
  def.kind = kind;
  def.blend = 0.6f;
  return def;
}

/* What a step is measured by: the mean edge, or the width of needles. Steps of many widths can swing across a ridge of
 * the field without end; traced paths have no steps. */
static double edge_of(const th_ground *ground, mesh_kind kind) {
  return kind == MESH_NEEDLES ? (double)ground->mesh->shortest_edge : (double)ground->cell;
}

static void everyone_arrives(mesh_kind kind, th_field_def def, uint32_t starts) {
  const uint64_t seed = 7;
  th_ground *ground = mesh_kind_ground(kind, seed);
  th_solver *solver = solver_of(ground);
  const double edge = edge_of(ground, kind);
  const double step[3] = {0.05 * edge, 0.3 * edge, kind == MESH_NEEDLES ? edge : 0.13};
  for (uint64_t goal = 1; goal <= 2; goal++) {
    th_field *field = field_to_point(solver, def, th_ground_point(ground, free_place(ground, goal)));
    uint32_t asked = 0;
    for (uint32_t n = 0; n < starts; n++) {
      th_place from = mesh_kind_any_place(ground, seed + goal, n);
      if (!th_field_reaches(field, from)) continue;
      asked++;
      if (th_field_trace_places(field, from, NULL, 0) == 0)
        fail_msg("%s, field %d, goal %d: no path from start %u", mesh_kind_name[kind], (int)def.kind, (int)goal, n);
      for (int k = 0; k < 3; k++)
        if (n % 3 == (uint32_t)k && !walk_arrives(ground, field, from, step[k]))
          fail_msg("%s, field %d, goal %d: steps of %g m from start %u do not arrive", mesh_kind_name[kind],
                   (int)def.kind, (int)goal, step[k], n);
    }
    assert_true(asked > starts / 2);
    th_field_release(field);
  }
  th_solver_release(solver);
  th_ground_release(ground);
}

/* shows: SBVP-43 SBVP-44 SBVP-48 SBVP-49 */
static void everyone_arrives_harmonic(void **state) {
  (void)state;
  for (int kind = 0; kind < MESH_KINDS; kind++)
    everyone_arrives((mesh_kind)kind, def_of(TH_FIELD_HARMONIC), MESH_STARTS);
}

static void everyone_arrives_geodesic(void **state) {
  (void)state;
  for (int kind = 0; kind < MESH_KINDS; kind++)
    everyone_arrives((mesh_kind)kind, def_of(TH_FIELD_GEODESIC), MESH_STARTS);
}

static void everyone_arrives_blend(void **state) {
  (void)state;
  for (int kind = 0; kind < MESH_KINDS; kind++) everyone_arrives((mesh_kind)kind, def_of(TH_FIELD_BLEND), MESH_STARTS);
}

/* Height of a place: u is linear in each face. */
static double height_at(const th_field *field, th_place place) {
  const th_mesh_field *f = field->mesh;
  const uint32_t *corner = f->ground->mesh->mesh.corner + 3 * (size_t)place.cell;
  double w[3], top = -INFINITY, sum = 0.0;
  th_frames_weights(&f->ground->mesh->frames, place.cell, (th_point){(double)place.x, (double)place.y}, w);
  for (int k = 0; k < 3; k++) top = fmax(top, f->climb[corner[k]]);
  for (int k = 0; k < 3; k++) sum += w[k] * exp(f->climb[corner[k]] - top);
  return top + log(fmax(sum, 1e-300));
}

/* shows: SBVP-41 SBVP-42 SBVP-45 SBVP-47 */
static void paths_rise_and_stay_on_free_faces(void **state) {
  (void)state;
  enum { MAX = 20000 };
  th_place *path = malloc(MAX * sizeof *path);
  assert_non_null(path);
  for (int kind = 0; kind < MESH_KINDS; kind++) {
    th_ground *ground = mesh_kind_ground((mesh_kind)kind, 3);
    th_solver *solver = solver_of(ground);
    th_vec3 goal = th_ground_point(ground, free_place(ground, 5));
    th_field *field = field_to_point(solver, def_of(TH_FIELD_HARMONIC), goal);
    for (uint32_t n = 0; n < MESH_STARTS / 5; n++) {
      th_place from = mesh_kind_any_place(ground, 11, n);
      uint32_t count = th_field_trace_places(field, from, path, MAX);
      if (!th_field_reaches(field, from)) continue;
      assert_in_range(count, 1, MAX);
      assert_memory_equal(&path[0], &from, sizeof from);
      for (uint32_t k = 1; k + 2 < count; k++) { /* the last two lead over the goal's own face */
        double before = height_at(field, path[k - 1]), after = height_at(field, path[k]);
        if (before > -1e8 && after < before - 2e-3)
          fail_msg("%s: start %u sinks by %g at place %u of %u", mesh_kind_name[kind], n, before - after, k, count);
        assert_false(ground->mesh->blocked[path[k].cell]);
      }
      assert_true(distance3(th_ground_point(ground, path[count - 1]), goal) < 1e-3 * (double)ground->cell + 1e-5);
    }
    th_field_release(field);
    th_solver_release(solver);
    th_ground_release(ground);
  }
  free(path);
}

static double length_of(const th_ground *ground, const th_place *path, uint32_t count) {
  double sum = 0.0;
  for (uint32_t n = 1; n < count; n++)
    sum += distance3(th_ground_point(ground, path[n - 1]), th_ground_point(ground, path[n]));
  return sum;
}

/* shows: SBVP-116 */
static void smoothing_shortens_on_the_surface(void **state) {
  (void)state;
  enum { MAX = 20000 };
  static th_place path[MAX], was[MAX];
  for (int kind = 0; kind < MESH_KINDS; kind++) {
    th_ground *ground = mesh_kind_ground((mesh_kind)kind, 3);
    th_solver *solver = solver_of(ground);
    th_field *field = field_to_point(solver, def_of(TH_FIELD_HARMONIC), th_ground_point(ground, free_place(ground, 5)));
    double before = 0.0, after = 0.0;
    for (uint32_t n = 0; n < 40; n++) {
      uint32_t count = th_field_trace_places(field, mesh_kind_any_place(ground, 11, n), path, MAX);
      memcpy(was, path, count * sizeof *path);
      th_field_smooth_places(field, path, count, 50);
      before += length_of(ground, was, count);
      after += length_of(ground, path, count);
      assert_true(length_of(ground, path, count) <= length_of(ground, was, count) * (1.0 + 1e-4) + 1e-4);
      for (uint32_t k = 0; k < count; k++) {
        assert_int_equal(path[k].cell, was[k].cell);
        th_vec3 w = th_ground_weights(ground, path[k]);
        assert_true(w.x > -1e-3f && w.y > -1e-3f && w.z > -1e-3f);
      }
    }
    assert_true(after < before);
    th_field_release(field);
    th_solver_release(solver);
    th_ground_release(ground);
  }
}

/* (A u)_i = 0 at free vertices, u = 0 on walls, 1 at the goal's highest corner and nowhere above. */
static void values_obey_the_equation(void **state) {
  (void)state;
  for (int kind = 0; kind < MESH_KINDS; kind++) {
    th_ground *ground = mesh_kind_ground((mesh_kind)kind, 4);
    th_solver *solver = solver_of(ground);
    th_place at = free_place(ground, 9);
    th_field *field = field_to_point(solver, def_of(TH_FIELD_HARMONIC), th_ground_point(ground, at));
    const th_mesh_graph *g = &solver->mesh->graph;
    const th_mesh_field *f = field->mesh;
    const uint32_t *corner = ground->mesh->mesh.corner + 3 * (size_t)f->goal.cell;
    double max = 0.0;
    for (uint32_t v = 0; v < g->vertex_count; v++) {
      max = fmax(max, f->u[v]);
      if (th_mesh_vertex_blocked(ground, 0, v)) assert_true(f->u[v] == 0.0);
      if (!(f->u[v] > 0.0) || v == corner[0] || v == corner[1] || v == corner[2]) continue;
      double sum = -solver->cached[0].sink[v] * f->u[v], scale = 0.0;
      for (uint32_t k = g->start[v]; k < g->start[v + 1]; k++) {
        sum += g->weight[k] * (f->u[g->other[k]] - f->u[v]);
        scale += g->weight[k] * f->u[v];
      }
      if (!(fabs(sum) <= 1e-9 * scale)) fail_msg("%s: vertex %u is off by %g", mesh_kind_name[kind], v, sum / scale);
    }
    assert_true(fabs(max - 1.0) < 1e-12);
    assert_true(th_field_log(field, at) <= 0.0 && th_field_potential(field, at) > 0.0);
    th_field_release(field);
    th_solver_release(solver);
    th_ground_release(ground);
  }
}

/* On a sphere without walls the ways are great circles. */
static void sphere_paths_are_great_circles(void **state) {
  (void)state;
  th_soup soup = th_soup_begin(NULL);
  assert_int_equal(th_make_icosphere(&soup, 5, 10.0, 0.0, NULL), TH_OK);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&def);
  th_solver *solver = solver_of(ground);
  th_vec3 goal = th_ground_point(ground, mesh_kind_any_place(ground, 2, 0));
  th_field *field = field_to_point(solver, def_of(TH_FIELD_HARMONIC), goal);
  double worst = 0.0;
  for (uint32_t n = 0; n < 60; n++) {
    th_place place = mesh_kind_any_place(ground, 3, n);
    th_vec3 p = th_ground_point(ground, place);
    /* Within 10 degrees of the antipode a small error at the start turns the whole circle. */
    double far = ((double)p.x * (double)goal.x + (double)p.y * (double)goal.y + (double)p.z * (double)goal.z) / 100.0;
    if (far < -cos(10.0 / 57.29577951)) continue;
    double nx = (double)p.y * (double)goal.z - (double)p.z * (double)goal.y;
    double ny = (double)p.z * (double)goal.x - (double)p.x * (double)goal.z;
    double nz = (double)p.x * (double)goal.y - (double)p.y * (double)goal.x, size = sqrt(nx * nx + ny * ny + nz * nz);
    for (int k = 0; k < 2000; k++) {
      th_field_gradient s = th_field_gradient_at(field, place);
      if (s.left < 0.05f) break;
      th_ground_walk(ground, &place, (th_vec2){0.05f * s.dx, 0.05f * s.dy}, 0.0f, NULL);
      p = th_ground_point(ground, place);
      double off = (nx * (double)p.x + ny * (double)p.y + nz * (double)p.z) / size;
      double r = sqrt((double)p.x * (double)p.x + (double)p.y * (double)p.y + (double)p.z * (double)p.z);
      worst = fmax(worst, fabs(asin(off / r)) * 57.29577951);
    }
    assert_true(th_field_gradient_at(field, place).left < 0.05f);
  }
  if (!(worst < 1.0)) fail_msg("%g degrees off the great circle", worst);
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
  th_soup_free(&soup);
}

/* u falls to exp(-1500) here: what a double cannot hold is solved in stages. */
static void long_strip_has_a_way_everywhere(void **state) {
  (void)state;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 2000, 8, 0.5, 0.5);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&def);
  th_solver *solver = solver_of(ground);
  th_field *field = field_to_point(solver, def_of(TH_FIELD_HARMONIC), (th_vec3){5.0f, 2.0f, 0.0f});
  double min = 0.0;
  for (uint32_t n = 0; n < 200; n++) {
    th_place from = mesh_kind_any_place(ground, 1, n);
    assert_true(th_field_reaches(field, from));
    assert_true(th_field_trace_places(field, from, NULL, 0) > 0);
    min = fmin(min, th_field_log(field, from));
  }
  th_place far = th_ground_locate_at(ground, (th_vec3){995.0f, 2.0f, 0.0f}, TH_ANY_LEVEL, 1.0f);
  assert_true(th_field_potential(field, far) == 0.0 && isfinite(th_field_log(field, far)));
  assert_true(walk_arrives(ground, field, far, 0.13));
  assert_true(min < -710.0);
  /* exp(-pi s / width) in a corridor: the border vertices are the walls, 4 m apart */
  double slope = (double)th_field_gradient_at(field, far).gx;
  assert_true(fabs(slope + 3.14159265 / 4.0) < 0.02);
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
  th_soup_free(&soup);
}

/* Along the walls of a corridor people are led straight to the goal, not away from the wall. Nearer to it than a body
 * gets, they are led out of the band. */
static void distances_lead_along_walls(void **state) {
  (void)state;
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 120, 8, 0.25, 0.25);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&def);
  th_solver *solver = solver_of(ground);
  th_field *field = field_to_point(solver, def_of(TH_FIELD_GEODESIC), (th_vec3){1.0f, 1.0f, 0.0f});
  double worst = 0.0;
  for (uint32_t n = 0; n < 200; n++) {
    const float x = 8.0f + 0.1f * (float)n, y = n % 2 ? 0.26f : 1.74f;
    for (int depth = 0; depth < 2; depth++) {
      const float at = depth ? (y < 1.0f ? 0.1f : 1.9f) : y;
      const th_place place = th_ground_locate_at(ground, (th_vec3){x, at, 0.0f}, TH_ANY_LEVEL, 0.01f);
      const th_field_gradient g = th_field_gradient_at(field, place);
      const th_vec3 d = th_ground_to_space(ground, place, (th_vec2){g.dx, g.dy});
      const double off =
          asin((double)((1.0f - x) * d.y - (1.0f - at) * d.x) / hypot(1.0 - (double)x, 1.0 - (double)at));
      if (!depth) worst = fmax(worst, fabs(off));
      if (depth) assert_true(y < 1.0f ? d.y > 0.1f : d.y < -0.1f);
    }
  }
  print_message("beside walls directions are off by up to %.2f degrees\n", worst * 57.29578);
  assert_true(worst * 57.29578 < 1.5);
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
  th_soup_free(&soup);
}

static void blend_ends_are_the_two_kinds(void **state) {
  (void)state;
  th_ground *ground = mesh_kind_ground(MESH_NOISY, 2);
  th_solver *solver = solver_of(ground);
  th_vec3 goal = th_ground_point(ground, free_place(ground, 5));
  th_field_def def = def_of(TH_FIELD_BLEND);
  for (int end = 0; end < 2; end++) {
    def.blend = (float)end;
    th_field *blend = field_to_point(solver, def, goal);
    th_field *pure = field_to_point(solver, def_of(end ? TH_FIELD_GEODESIC : TH_FIELD_HARMONIC), goal);
    size_t bytes = ground->mesh->mesh.face_count * sizeof(th_face_node);
    assert_memory_equal(blend->mesh->node, pure->mesh->node, bytes);
    th_field_release(blend);
    th_field_release(pure);
  }
  th_solver_release(solver);
  th_ground_release(ground);
}

/* At the goal an agent ends on the very point, and is told how far it is. */
static void agents_reach_the_exact_point(void **state) {
  (void)state;
  for (int kind = 0; kind < MESH_KINDS; kind++) {
    th_ground *ground = mesh_kind_ground((mesh_kind)kind, 6);
    th_solver *solver = solver_of(ground);
    th_vec3 goal = th_ground_point(ground, free_place(ground, 21));
    th_field *field = field_to_point(solver, def_of(TH_FIELD_HARMONIC), goal);
    th_place place = field->mesh->goal, start = place;
    assert_true(th_field_gradient_at(field, place).left == 0.0f && th_field_gradient_at(field, place).dx == 0.0f);
    for (uint32_t n = 0; n < 200; n++) {
      place = mesh_kind_any_place(ground, 5, n);
      if (!th_field_reaches(field, place) || th_field_gradient_at(field, place).left > 20.0f * ground->cell) continue;
      for (int k = 0; k < 8000 && th_field_gradient_at(field, place).left > 0.0f; k++) {
        th_field_gradient s = th_field_gradient_at(field, place);
        float step = fminf(0.1f * (float)edge_of(ground, (mesh_kind)kind), s.left);
        th_ground_walk(ground, &place, (th_vec2){step * s.dx, step * s.dy}, 0.0f, NULL);
      }
      double off = distance3(th_ground_point(ground, place), th_ground_point(ground, start));
      if (!(off < 2e-3 * (double)ground->cell))
        fail_msg("%s: start %u ends %g m beside the goal", mesh_kind_name[kind], n, off);
    }
    th_field_release(field);
    th_solver_release(solver);
    th_ground_release(ground);
  }
}

static th_field *field_to_shape(th_solver *solver, th_shape shape, th_result expected) {
  th_field_def def = th_default_field_def();
  th_field *field = NULL;
  th_error error = {0};
  def.goal = shape;
  th_result result = th_field_make(solver, &def, &field, &error);
  if (result != expected) fail_msg("expected %d, found %d: %s", (int)expected, (int)result, error.text);
  return field;
}

static void goals_of_every_shape_are_reached(void **state) {
  (void)state;
  th_ground *ground = mesh_kind_ground(MESH_PLANE, 0);
  th_solver *solver = solver_of(ground);
  const th_vec3 line[2] = {{4.3f, 4.2f, 0}, {4.3f, 15.8f, 0}},
                square[3] = {{12.1f, 3.1f, 0}, {17.0f, 3.1f, 0}, {12.1f, 8.0f, 0}};
  const th_vec3 centre = {10.4f, 10.3f, 0}, thin[3] = {{8.1f, 8.1f, 0}, {8.2f, 8.1f, 0}, {8.1f, 8.2f, 0}};
  const th_shape shape[5] = {{.kind = TH_SHAPE_LINE, .point = line, .count = 2},
                             {.kind = TH_SHAPE_POLYGON, .point = square, .count = 3},
                             {.kind = TH_SHAPE_DISC, .point = &centre, .count = 1, .radius = 3.0f},
                             {.kind = TH_SHAPE_DISC, .point = &centre, .count = 1, .radius = 0.2f},
                             {.kind = TH_SHAPE_POLYGON, .point = thin, .count = 3}};
  for (int k = 0; k < 5; k++) {
    th_field *field = field_to_shape(solver, shape[k], TH_OK);
    for (uint32_t n = 0; n < MESH_STARTS / 4; n++) {
      th_place from = mesh_kind_any_place(ground, 8, n);
      assert_true(th_field_reaches(field, from));
      assert_true(th_field_trace_places(field, from, NULL, 0) > 0);
      if (!walk_arrives(ground, field, from, 0.13)) fail_msg("shape %d, start %u", k, n);
    }
    th_field_release(field);
  }
  th_field *disc = field_to_shape(solver, shape[2], TH_OK);
  th_place inside = th_ground_locate_at(ground, (th_vec3){10.0f, 10.0f, 0.0f}, TH_ANY_LEVEL, 1.0f);
  assert_true(th_field_gradient_at(disc, inside).left == 0.0f && th_field_potential(disc, inside) == 1.0);
  th_place outside = th_ground_locate_at(ground, (th_vec3){16.4f, 10.3f, 0.0f}, TH_ANY_LEVEL, 1.0f);
  assert_true(fabsf(th_field_gradient_at(disc, outside).left - 3.0f) < 0.3f);
  th_field_release(disc);
  const th_vec2 off = {200.0f, 10.0f}, rim = {0.02f, 10.0f};
  assert_null(field_to_shape(solver, th_point_shape(off.x, off.y), TH_ERROR_GEOMETRY));
  th_field *moved = field_to_shape(solver, th_point_shape(rim.x, rim.y), TH_OK);
  th_field_release(moved);
  th_solver_release(solver);
  th_ground_release(ground);
}

/* Every answer of a batch is the scalar answer to the bit. */
static void lanes_equal_scalar(void **state) {
  (void)state;
  th_ground *ground = mesh_kind_ground(MESH_NOISY, 2);
  th_solver *solver = solver_of(ground);
  th_field_def def = def_of(TH_FIELD_HARMONIC);
  def.eps = 0.4f;
  th_field *field = field_to_point(solver, def, th_ground_point(ground, free_place(ground, 5)));
  for (int level = TH_SIMD_FOUR; level <= (int)th_simd_level(); level++) {
    for (uint32_t batch = 0; batch < 400; batch++) {
      field_question ask;
      field_question_begin(&ask, (th_simd)level);
      for (uint32_t n = 0; n < TH_FIELD_LANES; n++) {
        th_place p = mesh_kind_any_place(ground, 17, 16 * batch + n);
        ask.cell[n] = p.cell, ask.x[n] = p.x, ask.y[n] = p.y;
        ask.v[n] = (th_vec2){th_random_unit(3, 4, batch, n) - 0.5f, th_random_unit(3, 5, batch, n) - 0.5f};
      }
      th_field_sample_query(field, &ask.query);
      for (uint32_t n = 0; n < TH_FIELD_LANES; n++) {
        th_place p = {ask.cell[n], ask.x[n], ask.y[n]};
        th_vec2 d = th_field_direction(field, p, ask.v[n], TH_SENSE_PULL);
        th_field_gradient s = th_field_gradient_at(field, p);
        assert_memory_equal(&ask.want[n].dx, &d.x, sizeof(float));
        assert_memory_equal(&ask.want[n].dy, &d.y, sizeof(float));
        assert_memory_equal(&ask.want[n].left, &s.left, sizeof(float));
      }
    }
  }
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_obey_the_equation),
                                     cmocka_unit_test(paths_rise_and_stay_on_free_faces),
                                     cmocka_unit_test(smoothing_shortens_on_the_surface),
                                     cmocka_unit_test(agents_reach_the_exact_point),
                                     cmocka_unit_test(goals_of_every_shape_are_reached),
                                     cmocka_unit_test(blend_ends_are_the_two_kinds),
                                     cmocka_unit_test(lanes_equal_scalar),
                                     cmocka_unit_test(sphere_paths_are_great_circles),
                                     cmocka_unit_test(long_strip_has_a_way_everywhere),
                                     cmocka_unit_test(distances_lead_along_walls),
                                     cmocka_unit_test(everyone_arrives_harmonic),
                                     cmocka_unit_test(everyone_arrives_geodesic),
                                     cmocka_unit_test(everyone_arrives_blend)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
