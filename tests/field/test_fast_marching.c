/* tests/field/test_fast_marching.c - distances on meshes against closed forms and against exact polyhedral distances.
 *
 * The oracle is its own code: straight ways from every vertex to all it sees are found by laying out rows of faces from
 * their edge lengths alone, and shortest paths bend at vertices only, so Dijkstra over those ways is exact.
 */
#include <stdlib.h>

#include "geometry/mesh/halfedge.h"
#include "support/mesh_fields.h"

typedef struct oracle {
  const th_mesh *m;
  double *way; /* vertex_count x vertex_count: straight distances, INFINITY where one cannot see the other */
  double reach;
  uint32_t from;
} oracle;

typedef struct flat_point {
  double x, y;
} flat_point;

static double edge_length(const th_mesh *m, uint32_t a, uint32_t b) {
  const double *p = m->xyz + 3 * (size_t)a, *q = m->xyz + 3 * (size_t)b;
  return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

/* The third corner beyond the side p q, right of p -> q when seen from the source below. */
static flat_point beyond(flat_point p, flat_point q, double from_p, double from_q) {
  double l = hypot(q.x - p.x, q.y - p.y), x = (l * l + from_p * from_p - from_q * from_q) / (2.0 * l);
  double y = sqrt(fmax(from_p * from_p - x * x, 0.0)), ux = (q.x - p.x) / l, uy = (q.y - p.y) / l;
  return (flat_point){p.x + x * ux - y * uy, p.y + x * uy + y * ux};
}

static double turn(flat_point p, flat_point q) { return p.x * q.y - p.y * q.x; }

/* The source is the origin; light between directions a (right) and b (left) comes over half-edge h whose start is at p
 * and end at q, seen from inside the face it leaves: q left of p. */
static void shine(oracle *o, uint32_t h, const flat_point side[2], flat_point a, flat_point b) {
  const uint32_t g = o->m->twin[h];
  if (g == TH_NO_HALF) return;
  flat_point p = side[0], q = side[1];
  double t = -(p.x * (q.x - p.x) + p.y * (q.y - p.y)) / ((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
  t = fmin(fmax(t, 0.0), 1.0);
  if (hypot(p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)) > o->reach) return;
  uint32_t v = o->m->corner[th_half_previous(g)];
  /* seen from the source the far corner lies beyond p -> q: mirror to the other side */
  flat_point c = beyond(q, p, edge_length(o->m, o->m->corner[g], v), edge_length(o->m, th_half_to(o->m, g), v));
  bool right_of = turn(a, c) < 0.0, left_of = turn(c, b) < 0.0;
  double *way = &o->way[(size_t)o->from * o->m->vertex_count + v], far = hypot(c.x, c.y);
  if (!right_of && !left_of && far < *way) *way = far;
  if (!right_of) shine(o, th_half_next(g), (flat_point[2]){p, c}, a, left_of ? b : c);
  if (!left_of) shine(o, th_half_previous(g), (flat_point[2]){c, q}, right_of ? a : c, b);
}

static void see_from(oracle *o, uint32_t v) {
  const th_mesh *m = o->m;
  uint32_t begin = m->leaving[v], h = begin;
  o->from = v;
  do {
    uint32_t p = th_half_to(m, h), q = m->corner[th_half_previous(h)];
    double lp = edge_length(m, v, p), lq = edge_length(m, v, q), l = edge_length(m, p, q);
    o->way[(size_t)v * m->vertex_count + p] = lp;
    o->way[(size_t)v * m->vertex_count + q] = lq;
    double x = (lp * lp + lq * lq - l * l) / (2.0 * lp), y = sqrt(fmax(lq * lq - x * x, 0.0));
    flat_point side[2] = {{lp, 0.0}, {x, y}};
    shine(o, th_half_next(h), side, side[0], side[1]);
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
}

/* Exact distances of all vertices from one: Dijkstra without a heap. */
static void exact_from(const oracle *o, uint32_t source, double *out) {
  const uint32_t n = o->m->vertex_count;
  uint8_t *done = calloc(n, 1);
  assert_non_null(done);
  for (uint32_t v = 0; v < n; v++) out[v] = v == source ? 0.0 : INFINITY;
  for (uint32_t round = 0; round < n; round++) {
    uint32_t best = TH_NO_ELEMENT;
    for (uint32_t v = 0; v < n; v++)
      if (!done[v] && (best == TH_NO_ELEMENT || out[v] < out[best])) best = v;
    done[best] = 1;
    for (uint32_t v = 0; v < n; v++) out[v] = fmin(out[v], out[best] + o->way[(size_t)best * n + v]);
  }
  free(done);
}

static th_ground *ground_of(th_soup *soup, float radius) {
  th_mesh_ground_def def = mesh_kind_def(soup);
  def.radius_class[0] = radius;
  th_ground *ground = mesh_kind_ground_of(&def);
  th_soup_free(soup);
  return ground;
}

static th_vec3 vertex_point(const th_ground *ground, uint32_t v) {
  const double *p = ground->mesh->mesh.xyz + 3 * (size_t)v;
  return (th_vec3){(float)p[0], (float)p[1], (float)p[2]};
}

static th_field *distances_to(th_ground *ground, th_vec3 goal) {
  th_solver *solver = solver_of(ground);
  th_field_def def = th_default_field_def();
  def.kind = TH_FIELD_GEODESIC;
  th_field *field = field_to_point(solver, def, goal);
  th_solver_release(solver);
  return field;
}

typedef struct misfit {
  double mean, worst; /* relative */
} misfit;

static misfit against_exact(th_ground *ground, uint32_t source) {
  const th_mesh *m = &ground->mesh->mesh;
  const size_t n = m->vertex_count;
  oracle o = {m, malloc(n * n * sizeof(double)), 60.0, 0};
  double *exact = malloc(n * sizeof *exact);
  assert_true(o.way && exact);
  for (size_t k = 0; k < n * n; k++) o.way[k] = INFINITY;
  for (uint32_t v = 0; v < n; v++) see_from(&o, v);
  exact_from(&o, source, exact);
  th_field *field = distances_to(ground, vertex_point(ground, source));
  misfit f = {0.0, 0.0};
  uint32_t count = 0;
  for (uint32_t v = 0; v < n; v++) {
    if (v == source || !isfinite(field->mesh->left[v]) || th_mesh_vertex_blocked(ground, 0, v)) continue;
    double off = fabs(field->mesh->left[v] - exact[v]) / exact[v];
    f.mean += off;
    f.worst = fmax(f.worst, off);
    count++;
  }
  f.mean /= (double)count;
  th_field_release(field);
  free(exact);
  free(o.way);
  return f;
}

static void expect_close(const char *name, th_soup *soup, uint32_t source, misfit max) {
  th_ground *ground = ground_of(soup, 0.0f);
  misfit f = against_exact(ground, source);
  if (!(f.mean <= max.mean && f.worst <= max.worst))
    fail_msg("%s: mean %.4f, worst %.4f off the exact distance", name, f.mean, f.worst);
  th_ground_release(ground);
}

/* shows: PLAN-64 */
static void distances_are_close_to_exact_polyhedral_ones(void **state) {
  (void)state;
  th_soup s = th_soup_begin(NULL);
  assert_int_equal(th_make_icosphere(&s, 2, 5.0, 0.0, NULL), TH_OK);
  expect_close("sphere", &s, 11, (misfit){0.008, 0.04});
  assert_int_equal(th_make_icosphere(&s, 2, 5.0, 0.3, NULL), TH_OK);
  expect_close("waved sphere", &s, 40, (misfit){0.012, 0.06});
  th_make_torus(&s, 10, 20, 5.0, 2.0);
  expect_close("torus", &s, 17, (misfit){0.012, 0.05});
  assert_int_equal(th_make_icosphere(&s, 2, 5.0, 0.0, NULL), TH_OK);
  assert_int_equal(th_soup_shake(&s, 0.4, 3, NULL), TH_OK);
  expect_close("shaken sphere", &s, 100, (misfit){0.012, 0.06});
  assert_int_equal(th_make_icosphere(&s, 1, 5.0, 0.0, NULL), TH_OK);
  th_soup_spoil(&s, 0.3, 0.01, 5);
  expect_close("sphere with slivers", &s, 5, (misfit){0.02, 0.10});
}

/* On a plane everything that sees the goal is exact, whatever the faces. */
static void a_plane_is_exact(void **state) {
  (void)state;
  const mesh_kind kind[3] = {MESH_PLANE, MESH_EQUILATERAL, MESH_NOISY};
  for (int k = 0; k < 3; k++) {
    th_ground *ground = mesh_kind_ground(kind[k], 3);
    th_vec3 goal = {9.3f, 8.6f, 0.0f};
    th_field *field = distances_to(ground, goal);
    double worst = 0.0;
    for (uint32_t v = 0; v < ground->mesh->mesh.vertex_count; v++) {
      if (th_mesh_vertex_blocked(ground, 0, v)) continue;
      double far = distance3(vertex_point(ground, v), goal);
      worst = fmax(worst, fabs(field->mesh->left[v] - far) / (double)ground->cell);
    }
    if (!(worst < 2e-5)) fail_msg("%s: %g edges off", mesh_kind_name[kind[k]], worst);
    th_field_release(field);
    th_ground_release(ground);
  }
}

/* The largest error of distances on a ball of radius 10, relative to the way round it. */
static double sphere_error(uint32_t level) {
  th_soup s = th_soup_begin(NULL);
  assert_int_equal(th_make_icosphere(&s, level, 10.0, 0.0, NULL), TH_OK);
  th_ground *ground = ground_of(&s, 0.0f);
  th_vec3 goal = vertex_point(ground, 77);
  th_field *field = distances_to(ground, goal);
  double worst = 0.0;
  for (uint32_t v = 0; v < ground->mesh->mesh.vertex_count; v++) {
    th_vec3 p = vertex_point(ground, v);
    double c = ((double)p.x * (double)goal.x + (double)p.y * (double)goal.y + (double)p.z * (double)goal.z) / 100.0;
    worst = fmax(worst, fabs(field->mesh->left[v] - 10.0 * acos(fmax(fmin(c, 1.0), -1.0))) / 31.4);
  }
  th_field_release(field);
  th_ground_release(ground);
  return worst;
}

static void a_sphere_converges(void **state) {
  (void)state;
  double coarse = sphere_error(3), middle = sphere_error(4), fine = sphere_error(5);
  if (!(middle < 0.7 * coarse && fine < 0.7 * middle && fine < 0.008))
    fail_msg("errors %g, %g, %g do not fall with the edge", coarse, middle, fine);
}

/* A tube and a cone unroll: distances are straight on the sheet, round the shorter side. */
static void tubes_and_cones_unroll(void **state) {
  (void)state;
  th_soup s = th_soup_begin(NULL);
  th_make_tube(&s, &(th_make_pipe){.around = 64, .along = 60, .length = 20.0, .low = 3.0, .high = 3.0});
  th_ground *ground = ground_of(&s, 0.0f);
  th_vec3 goal = {3.0f, 0.0f, 10.0f};
  th_field *field = distances_to(ground, goal);
  double worst = 0.0;
  for (uint32_t v = 0; v < ground->mesh->mesh.vertex_count; v++) {
    th_vec3 p = vertex_point(ground, v);
    if (th_mesh_vertex_blocked(ground, 0, v)) continue;
    double round = 3.0 * fabs(atan2((double)p.y, (double)p.x)), far = hypot(round, (double)p.z - 10.0);
    worst = fmax(worst, fabs(field->mesh->left[v] - far) / (1.0 + far));
  }
  if (!(worst < 0.004)) fail_msg("tube: %g off", worst);
  th_field_release(field);
  th_ground_release(ground);
  th_make_tube(&s, &(th_make_pipe){.around = 96, .along = 60, .length = 8.0, .low = 6.0, .high = 0.0});
  ground = ground_of(&s, 0.0f);
  /* A cone of slant 10 and radius 6 unrolls with the angle shrunk to 6/10; the tip is at z = 8. */
  goal = (th_vec3){3.0f, 0.0f, 4.0f};
  field = distances_to(ground, goal);
  worst = 0.0;
  for (uint32_t v = 0; v < ground->mesh->mesh.vertex_count; v++) {
    th_vec3 p = vertex_point(ground, v);
    if (th_mesh_vertex_blocked(ground, 0, v)) continue;
    double slant = (8.0 - (double)p.z) / 0.8, angle = 0.6 * fabs(atan2((double)p.y, (double)p.x));
    double far = sqrt(slant * slant + 25.0 - 10.0 * slant * cos(fmin(angle, 3.14159265)));
    worst = fmax(worst, fabs(field->mesh->left[v] - far) / (1.0 + far));
  }
  if (!(worst < 0.006)) fail_msg("cone: %g off", worst);
  th_field_release(field);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_plane_is_exact), cmocka_unit_test(a_sphere_converges),
                                     cmocka_unit_test(tubes_and_cones_unroll),
                                     cmocka_unit_test(distances_are_close_to_exact_polyhedral_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
