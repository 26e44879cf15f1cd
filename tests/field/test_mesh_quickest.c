/* tests/field/test_mesh_quickest.c - where faces differ in speed, geodesic fields lead along the quickest way: against
 * closed forms on two half planes of different speed (Snell's law), round slow ground, and in metres that stay honest.
 */
#include "support/mesh_fields.h"

#define EDGE 0.25
#define SIDE 80u /* edges: 20 m */

enum { MAX = 4000 };

typedef struct layout {
  th_soup soup;
  uint8_t *terrain_of;
  th_terrain terrain[2];
  th_ground *ground;
} layout;

static bool everywhere(double x, double y) {
  (void)x, (void)y;
  return true;
}
static bool right_half(double x, double y) {
  (void)y;
  return x > 10.0;
}
/* From the lower border up to y = 15. */
static bool marsh(double x, double y) { return x > 9.0 && x < 11.0 && y < 15.0; }

/* A square of 20 m; where `slow` tells so, its faces have the factor. */
static void sheet_make(layout *s, bool (*slow)(double x, double y), float factor) {
  *s = (layout){.soup = th_soup_begin(NULL),
                .terrain = {{.name = "firm", .speed = 1.0f}, {.name = "soft", .speed = factor}}};
  th_make_plane(&s->soup, SIDE, SIDE, EDGE, EDGE);
  s->terrain_of = test_calloc(s->soup.face_count, 1);
  for (uint32_t f = 0; f < s->soup.face_count; f++) {
    double x = 0.0, y = 0.0;
    for (int k = 0; k < 3; k++) {
      x += s->soup.xyz[s->soup.corner[f][k]][0] / 3.0;
      y += s->soup.xyz[s->soup.corner[f][k]][1] / 3.0;
    }
    s->terrain_of[f] = slow(x, y);
  }
  th_mesh_ground_def def = mesh_kind_def(&s->soup);
  def.terrain = s->terrain;
  def.terrain_count = 2;
  def.terrain_of = s->terrain_of;
  s->ground = mesh_kind_ground_of(&def);
}

static void sheet_free(layout *s) {
  th_ground_release(s->ground);
  test_free(s->terrain_of);
  th_soup_free(&s->soup);
}

static th_field *geodesic(th_solver *solver, bool quickest, th_vec3 goal) {
  th_field_def def = th_default_field_def();
  def.kind = TH_FIELD_GEODESIC;
  def.quickest = quickest;
  return field_to_point(solver, def, goal);
}

/* ---------------------------------------------------------------- closed forms */

/* The least of a convex function on [a, b], by golden sections. */
typedef double (*function)(double at, const double *p);
static double min_at(function f, const double *p, double a, double b) {
  for (int n = 0; n < 200; n++) {
    double c = b - 0.6180339887498949 * (b - a), d = a + 0.6180339887498949 * (b - a);
    if (f(c, p) < f(d, p))
      b = d;
    else
      a = c;
  }
  return 0.5 * (a + b);
}

/* p: goal x, y, start x, y, slowness right of x = 10. */
static double through(double y, const double *p) {
  return hypot(10.0 - p[0], y - p[1]) + p[4] * hypot(p[2] - 10.0, p[3] - y);
}

static void two_half_planes_are_crossed_as_computed(void **state) {
  (void)state;
  layout s;
  sheet_make(&s, right_half, 0.4f);
  th_solver *solver = solver_of(s.ground);
  const th_vec3 goal = {4.1f, 5.2f, 0.0f};
  th_field *field = geodesic(solver, true, goal);
  assert_non_null(field->mesh->time);
  double worst = 0.0, off = 0.0;
  for (uint32_t v = 0; v < s.soup.vertex_count; v++) {
    const double *at = s.ground->mesh->mesh.xyz + 3 * (size_t)v, left = field->mesh->left[v];
    if (th_mesh_vertex_blocked(s.ground, 0, v)) continue;
    const double p[5] = {(double)goal.x, (double)goal.y, at[0], at[1], 1.0 / (double)0.4f};
    const double y = min_at(through, p, 0.0, 20.0);
    const bool right = at[0] > 10.0;
    const double time = right ? through(y, p) : hypot(at[0] - p[0], at[1] - p[1]);
    const double metres = right ? hypot(10.0 - p[0], y - p[1]) + hypot(at[0] - 10.0, at[1] - y) : time;
    worst = fmax(worst, fabs(field->mesh->time[v] - time) / time);
    off = fmax(off, fabs(left - metres) / metres);
  }
  if (!(worst < 0.01)) fail_msg("times are off by %g", worst);
  if (!(off < 0.02)) fail_msg("metres are off by %g", off);
  th_field_release(field);
  th_solver_release(solver);
  sheet_free(&s);
}

static double slope_between(const th_ground *ground, const th_place *path, uint32_t count, double from, double to) {
  double x[2] = {0.0, 0.0}, y[2] = {0.0, 0.0};
  bool first = true;
  for (uint32_t n = 0; n < count; n++) {
    th_vec3 p = th_ground_point(ground, path[n]);
    if ((double)p.x < from || (double)p.x > to) continue;
    if (first) x[0] = (double)p.x, y[0] = (double)p.y;
    x[1] = (double)p.x, y[1] = (double)p.y;
    first = false;
  }
  return (y[1] - y[0]) / hypot(x[1] - x[0], y[1] - y[0]); /* the sine of the angle to the border's normal */
}

/* sin a / sin b = speed a / speed b. */
static void paths_obey_snells_law(void **state) {
  (void)state;
  static th_place path[MAX];
  const float factor[3] = {0.4f, 0.7f, 1.6f};
  for (int k = 0; k < 3; k++) {
    layout s;
    sheet_make(&s, right_half, factor[k]);
    th_solver *solver = solver_of(s.ground);
    th_field *field = geodesic(solver, true, (th_vec3){3.1f, 4.2f, 0.0f});
    th_place from = th_ground_locate_at(s.ground, (th_vec3){15.1f, 15.3f, 0.0f}, TH_ANY_LEVEL, 1.0f);
    uint32_t count = th_field_trace_places(field, from, path, MAX);
    assert_in_range(count, 2, MAX);
    const double left = slope_between(s.ground, path, count, 4.0, 9.7);
    const double right = slope_between(s.ground, path, count, 10.3, 15.2);
    if (!(fabs(right / left - (double)factor[k]) < 0.03 * (double)factor[k]))
      fail_msg("factor %g: sines %g and %g", (double)factor[k], left, right);
    th_field_release(field);
    th_solver_release(solver);
    sheet_free(&s);
  }
}

/* From slow ground to slow ground with firm ground beside it: out at the critical angle, along the border, back in. */
static void paths_run_along_the_faster_side(void **state) {
  (void)state;
  layout s;
  sheet_make(&s, right_half, 0.3f);
  th_solver *solver = solver_of(s.ground);
  const double slow = 1.0 / (double)0.3f, depth = 0.6, sine = 1.0 / slow, cosine = sqrt(1.0 - sine * sine);
  th_field *field = geodesic(solver, true, (th_vec3){10.6f, 3.0f, 0.0f});
  for (uint32_t v = 0; v < s.soup.vertex_count; v++) {
    const double *at = s.ground->mesh->mesh.xyz + 3 * (size_t)v;
    if (at[0] < 10.2 || at[0] > 11.0 || at[1] < 8.0 || at[1] > 19.0) continue;
    const double deep = depth + at[0] - 10.0, along = at[1] - 3.0;
    const double time = slow * deep / cosine + along - deep * sine / cosine;
    if (!(fabs(field->mesh->time[v] - time) < 0.02 * time))
      fail_msg("at %g, %g: %g, not %g", at[0], at[1], field->mesh->time[v], time);
  }
  th_field_release(field);
  th_solver_release(solver);
  sheet_free(&s);
}

/* ---------------------------------------------------------------- what it is for */

/* Metres of the path to the goal's face, on all faces and on slow ones. */
static double length_of(const layout *s, const th_place *path, uint32_t count, double *slow) {
  double sum = 0.0;
  *slow = 0.0;
  for (uint32_t n = 1; n < count; n++) {
    const double d = distance3(th_ground_point(s->ground, path[n - 1]), th_ground_point(s->ground, path[n]));
    sum += d;
    const th_vec3 p = th_ground_point(s->ground, path[n - 1]), q = th_ground_point(s->ground, path[n]);
    const double x = 0.5 * ((double)p.x + (double)q.x), y = 0.5 * ((double)p.y + (double)q.y);
    if (x > 9.01 && x < 10.99 && y < 14.99) *slow += d; /* on its border people walk on the firm side */
  }
  return sum;
}

static void paths_lead_round_a_marsh(void **state) {
  (void)state;
  static th_place path[MAX];
  layout s;
  sheet_make(&s, marsh, 0.1f);
  th_solver *solver = solver_of(s.ground);
  const th_vec3 goal = {5.1f, 10.1f, 0.0f};
  th_place from = th_ground_locate_at(s.ground, (th_vec3){15.0f, 10.0f, 0.0f}, TH_ANY_LEVEL, 1.0f);
  static const th_field_kind kinds[3] = {TH_FIELD_GEODESIC, TH_FIELD_BLEND, TH_FIELD_EDGES};
  for (int kind = 0; kind < 3; kind++) {
    for (int quickest = 0; quickest < 2; quickest++) {
      th_field_def def = th_default_field_def();
      def.kind = kinds[kind];
      def.blend = 0.9f;
      def.walls = TH_WALLS_NEUMANN;
      def.quickest = quickest;
      th_field *field = field_to_point(solver, def, goal);
      uint32_t count = th_field_trace_places(field, from, path, MAX);
      assert_in_range(count, 2, MAX);
      double slow, length = length_of(&s, path, count, &slow), left = (double)th_field_gradient_at(field, from).left;
      /* a face at a corner of the marsh, whose three corners lie on its border, may be cut */
      if (quickest ? slow > 1.5 * EDGE : slow < 1.9) fail_msg("kind %d, %d: %g m in the marsh", kind, quickest, slow);
      if (kind != 1 && !(fabs(left - length) < 0.03 * length + (kind ? 2.0 * EDGE : 0.0)))
        fail_msg("kind %d: %g m are told, the way has %g", kind, left, length);
      assert_true(walk_arrives(s.ground, field, from, 0.1));
      th_field_release(field);
    }
  }
  th_solver_release(solver);
  sheet_free(&s);
}

/* One speed everywhere, whatever it is: the quickest way is the shortest, bit for bit. */
static void even_ground_is_as_before(void **state) {
  (void)state;
  layout s;
  sheet_make(&s, everywhere, 0.5f);
  th_solver *solver = solver_of(s.ground);
  const th_vec3 goal = {4.1f, 5.2f, 0.0f};
  th_field *a = geodesic(solver, true, goal), *b = geodesic(solver, false, goal);
  assert_null(a->mesh->time);
  assert_memory_equal(a->mesh->node, b->mesh->node, s.soup.face_count * sizeof *a->mesh->node);
  th_field_release(a);
  th_field_release(b);
  th_solver_release(solver);
  sheet_free(&s);
}

/* Speeds by slope and by terrain on a shaken terrain: everyone arrives. */
static void everyone_arrives(void **state) {
  (void)state;
  th_ground *made = mesh_kind_ground(MESH_STATUE, 3);
  const th_mesh *m = th_ground_mesh(made);
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = m;
  def.slope_speed = 1.0f;
  th_ground *ground = mesh_kind_ground_of(&def);
  assert_true(th_mesh_ground_uneven(ground->mesh));
  th_solver *solver = solver_of(ground);
  th_field *field = geodesic(solver, true, th_ground_point(ground, free_place(ground, 4)));
  for (uint32_t n = 0; n < LONG_RUN(1000u, 40u); n++) {
    th_place from = mesh_kind_any_place(ground, 6, n);
    assert_true(th_field_trace_places(field, from, NULL, 0) > 0);
    if (!walk_arrives(ground, field, from, 0.2 * (double)ground->cell)) fail_msg("start %u", n);
  }
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
  th_ground_release(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_half_planes_are_crossed_as_computed),
      cmocka_unit_test(paths_obey_snells_law),
      cmocka_unit_test(paths_run_along_the_faster_side),
      cmocka_unit_test(paths_lead_round_a_marsh),
      cmocka_unit_test(even_ground_is_as_before),
      cmocka_unit_test(everyone_arrives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
