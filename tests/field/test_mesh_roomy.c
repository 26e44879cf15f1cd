/* tests/field/test_mesh_roomy.c - roomy fields on meshes: against the geodesic field, against their twin on flat
 * ground, and along walks.
 */
#include "ground/mesh/visible_walls.h"
#include "support/mesh_fields.h"

#define EDGE 0.25
#define SIDE 64u /* edges: 16 m */

/* Two walls with a gap each, so that paths wind: seen from above, of the plane and of its flat twin. */
static const th_vec2 wall[3][4] = {{{5.0f, 0.0f}, {5.5f, 0.0f}, {5.5f, 11.0f}, {5.0f, 11.0f}},
                                   {{10.0f, 5.0f}, {10.5f, 5.0f}, {10.5f, 16.0f}, {10.0f, 16.0f}},
                                   {{13.0f, 9.0f}, {14.0f, 9.0f}, {14.0f, 10.0f}, {13.0f, 10.0f}}};

static const th_terrain terrain[2] = {{.name = "firm", .speed = 1.0f}, {.name = "soft", .speed = 0.4f}};

static th_ground *plan_mesh(bool (*slow)(double x, double y), float radius) {
  th_soup soup = th_soup_begin(NULL);
  th_region region[3];
  th_make_plane(&soup, SIDE, SIDE, EDGE, EDGE);
  uint8_t *terrain_of = test_calloc(soup.face_count, 1);
  for (uint32_t f = 0; slow && f < soup.face_count; f++) {
    const double *p = soup.xyz[soup.corner[f][0]];
    terrain_of[f] = slow(p[0], p[1]);
  }
  for (int k = 0; k < 3; k++)
    region[k] =
        (th_region){.kind = TH_REGION_PRISM, .outline = wall[k], .outline_count = 4, .low = -1.0f, .high = 1.0f};
  th_mesh_ground_def def = mesh_kind_def(&soup);
  def.blocked = region;
  def.blocked_count = 3;
  def.radius_class[0] = radius;
  if (slow) def.terrain = terrain, def.terrain_count = 2, def.terrain_of = terrain_of;
  th_ground *ground = mesh_kind_ground_of(&def);
  test_free(terrain_of);
  th_soup_free(&soup);
  return ground;
}

static th_ground *plan_flat(void) {
  static const th_vec2 square[4] = {{0.0f, 0.0f}, {16.0f, 0.0f}, {16.0f, 16.0f}, {0.0f, 16.0f}};
  const th_polygon outline = {.point = square, .count = 4};
  th_polygon obstacle[3];
  for (int k = 0; k < 3; k++) obstacle[k] = (th_polygon){.point = wall[k], .count = 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  def.obstacle = obstacle;
  def.obstacle_count = 3;
  def.cell = 0.125f;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_flat(&def, &ground, NULL), TH_OK);
  return ground;
}

static th_field_def roomy(float weight, float within) {
  th_field_def def = th_default_field_def();
  def.kind = TH_FIELD_ROOMY;
  def.room_weight = weight;
  def.room_within = within;
  return def;
}

static bool same_nodes(const th_field *a, const th_field *b) {
  return memcmp(a->mesh->node, b->mesh->node, sizeof(th_face_node) * a->mesh->ground->mesh->mesh.face_count) == 0;
}

static bool marsh(double x, double y) { return x > 6.0 && x < 9.0 && y > 6.0 && y < 13.0; }

static void a_weight_of_0_is_the_geodesic_field(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    th_ground *ground = k == 0   ? plan_mesh(NULL, 0.25f)
                        : k == 1 ? plan_mesh(marsh, 0.25f)
                                 : mesh_kind_ground(k == 2 ? MESH_HOUSE : MESH_NOISY, 3);
    th_solver *solver = solver_of(ground);
    const th_vec3 goal = th_ground_point(ground, free_place(ground, 5));
    th_field_def other = roomy(0.0f, 4.0f);
    other.kind = TH_FIELD_GEODESIC;
    th_field *field = field_to_point(solver, roomy(0.0f, 4.0f), goal), *geodesic = field_to_point(solver, other, goal),
             *more = field_to_point(solver, roomy(0.1f, 4.0f), goal);
    assert_true(same_nodes(field, geodesic));
    assert_false(same_nodes(more, geodesic));
    th_field_release(more);
    th_field_release(geodesic);
    th_field_release(field);
    th_solver_release(solver);
    th_ground_release(ground);
  }
}

/* Costs are marched over the faces of the mesh, distances over the Delaunay triangles: badly shaped faces show. */
static void a_small_weight_changes_little(void **state) {
  (void)state;
  for (int k = 0; k < MESH_KINDS; k++) {
    th_ground *ground = mesh_kind_ground((mesh_kind)k, 7);
    th_solver *solver = solver_of(ground);
    const th_vec3 goal = th_ground_point(ground, free_place(ground, 5));
    th_field_def other = roomy(0.0f, 4.0f);
    other.kind = TH_FIELD_GEODESIC;
    th_field *field = field_to_point(solver, roomy(1e-4f, 4.0f), goal), *geodesic = field_to_point(solver, other, goal);
    double mean = 0.0, most = 0.0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < ground->mesh->mesh.vertex_count; v++) {
      const double is = field->mesh->left[v], was = geodesic->mesh->left[v];
      assert_true(isfinite(is) == isfinite(was));
      if (!isfinite(is) || was < 2.0) continue;
      mean += is / was - 1.0, most = fmax(most, fabs(is / was - 1.0)), count++;
    }
    print_message("%s: lengths are %.4f more in the mean, %.4f at most\n", mesh_kind_name[k], mean / count, most);
    assert_true(fabs(mean / count) < 0.004 && most < (k == MESH_HOUSE ? 0.2 : 0.04));
    th_field_release(geodesic);
    th_field_release(field);
    th_solver_release(solver);
    th_ground_release(ground);
  }
}

typedef struct twins {
  th_ground *ground[2]; /* flat, mesh */
  th_solver *solver[2];
  th_field *field[2];
} twins;

static void twins_make(twins *t, th_field_def def, th_vec3 goal) {
  t->ground[0] = plan_flat();
  t->ground[1] = plan_mesh(NULL, 0.25f);
  for (int k = 0; k < 2; k++) {
    t->solver[k] = solver_of(t->ground[k]);
    t->field[k] = field_to_point(t->solver[k], def, goal);
  }
}

static void twins_free(twins *t) {
  for (int k = 0; k < 2; k++) {
    th_field_release(t->field[k]);
    th_solver_release(t->solver[k]);
    th_ground_release(t->ground[k]);
  }
}

static void a_plane_agrees_with_flat_ground(void **state) {
  (void)state;
  static const float rule[3][2] = {{0.1f, 4.0f}, {0.3f, 4.0f}, {0.5f, 1.0f}};
  for (int k = 0; k < 3; k++) {
    twins t;
    twins_make(&t, roomy(rule[k][0], rule[k][1]), (th_vec3){14.7f, 14.2f, 0.0f});
    double worst = 0.0, sum = 0.0, turn = 0.0;
    uint32_t count = 0;
    for (uint32_t n = 0; n < 2000; n++) {
      const float x = 16.0f * th_random_unit(3, 0, n, 0), y = 16.0f * th_random_unit(3, 1, n, 0);
      const th_place flat = {th_ground_cell(t.ground[0], x, y), x, y};
      const th_place mesh = th_ground_locate_at(t.ground[1], (th_vec3){x, y, 0.0f}, TH_ANY_LEVEL, 0.1f);
      if (mesh.cell == TH_NO_CELL || th_ground_clearance(t.ground[0], x, y) < 0.6f) continue;
      const th_field_gradient a = th_field_gradient_at(t.field[0], flat), b = th_field_gradient_at(t.field[1], mesh);
      if (a.left < 2.0f) continue;
      const th_vec3 ahead = th_ground_point(t.ground[1], (th_place){mesh.cell, mesh.x + b.dx, mesh.y + b.dy});
      worst = fmax(worst, fabs((double)(b.left / a.left) - 1.0));
      sum += (double)(b.left / a.left) - 1.0;
      turn += fabs(atan2((double)(a.dx * (ahead.y - y) - a.dy * (ahead.x - x)),
                         (double)(a.dx * (ahead.x - x) + a.dy * (ahead.y - y))));
      count++;
    }
    print_message("weight %.1f: left of the mesh is %.4f more, %.4f at most, directions %.2f degrees off\n",
                  (double)rule[k][0], sum / count, worst, turn / count * 57.29577951308232);
    assert_true(count > 1000 && fabs(sum / count) < 0.02 && worst < 0.06);
    assert_true(turn / count * 57.29577951308232 < 4.0);
    twins_free(&t);
  }
}

/* Least distance from the corner (5.5, 11) of the first wall on the path round it. */
static void corners_are_passed_farther_off(void **state) {
  (void)state;
  th_ground *ground = plan_mesh(NULL, 0.25f);
  th_solver *solver = solver_of(ground);
  double before = 0.0;
  for (int k = 0; k < 3; k++) {
    th_field *field = field_to_point(solver,
                                     roomy(k == 0   ? 0.0f
                                           : k == 1 ? 0.1f
                                                    : 0.5f,
                                           k == 2 ? 1.0f : 4.0f),
                                     (th_vec3){8.0f, 3.0f, 0.0f});
    th_place place = th_ground_locate_at(ground, (th_vec3){2.0f, 3.0f, 0.0f}, TH_ANY_LEVEL, 0.1f);
    double min = INFINITY;
    for (int n = 0; n < 4000 && th_field_gradient_at(field, place).left > 0.1f; n++) {
      const th_field_gradient s = th_field_gradient_at(field, place);
      th_ground_walk(ground, &place, (th_vec2){0.02f * s.dx, 0.02f * s.dy}, 0.0f, NULL);
      const th_vec3 p = th_ground_point(ground, place);
      min = fmin(min, hypot((double)p.x - 5.5, (double)p.y - 11.0));
    }
    assert_true(th_field_gradient_at(field, place).left <= 0.1f);
    print_message("%.3f m from the corner\n", min);
    assert_true(min > before);
    before = min;
    th_field_release(field);
  }
  th_solver_release(solver);
  th_ground_release(ground);
}

typedef struct walker {
  const char *name;
  const th_ground *ground;
  const th_field *field;
  float radius;
} walker;

static bool in_band(const th_ground *ground, uint32_t face) {
  const uint32_t *corner = ground->mesh->mesh.corner + 3 * (size_t)face;
  return th_mesh_vertex_blocked(ground, 0, corner[0]) || th_mesh_vertex_blocked(ground, 0, corner[1]) ||
         th_mesh_vertex_blocked(ground, 0, corner[2]);
}

/* Walks from the middle of a face; what is left must have fallen after every half metre, up to the length of an edge
 * where it is measured by way of the nearest vertex that the class leaves free. Returns the length. */
static double walk_down(const walker *w, th_place place) {
  const th_ground *ground = w->ground;
  const th_field *field = w->field;
  const double step = 0.05 * (double)ground->cell;
  const uint32_t face = place.cell, stride = (uint32_t)(0.5 / step) + 1;
  float before = INFINITY;
  double length = 0.0;
  for (uint32_t n = 0;; n++) {
    const th_field_gradient s = th_field_gradient_at(field, place);
    if ((double)s.left <= 2.0 * step) return length;
    if (n % stride == 0) {
      if (!(s.left < before + (in_band(ground, place.cell) ? ground->cell : 0.0f)) || n > 100000)
        fail_msg("%s, face %u, body %g: %g m left after %u steps, %g before", w->name, face, (double)w->radius,
                 (double)s.left, n, (double)before);
      before = s.left;
    }
    const th_vec3 from = th_ground_point(ground, place);
    th_ground_walk(ground, &place, (th_vec2){(float)step * s.dx, (float)step * s.dy}, w->radius, NULL);
    length += distance3(from, th_ground_point(ground, place));
  }
}

/* From all faces of a ground, with bodies of this radius. */
static void all_walk_down(const char *name, th_ground *ground, th_field_kind kind, float radius) {
  th_solver *solver = solver_of(ground);
  th_field_def def = roomy(0.1f, 4.0f);
  def.kind = kind;
  th_field *field = field_to_point(solver, def, th_ground_point(ground, free_place(ground, 5)));
  double most = 0.0, sum = 0.0;
  uint32_t count = 0, faces = 0, blocked = 0;
  for (uint32_t f = 0; f < ground->mesh->mesh.face_count; f += LONG_RUN(1, 29)) {
    const th_place place = th_ground_place_of(ground, f, (th_vec3){0.34f, 0.33f, 0.33f});
    const uint32_t *corner = ground->mesh->mesh.corner + 3 * (size_t)f;
    const th_point p = {(double)place.x, (double)place.y};
    if (ground->mesh->blocked[f] || !th_field_reaches(field, place)) continue;
    if (!(th_mesh_clearance(ground->mesh, f, p, 1.0) >= (double)radius)) continue;
    const double left = (double)th_field_gradient_at(field, place).left,
                 length = walk_down(&(walker){name, ground, field, radius}, place);
    if (left > 5.0) sum += left / length - 1.0, most = fmax(most, fabs(left / length - 1.0)), count++;
    faces++;
    bool band = true;
    for (int n = 0; n < 3; n++) band &= th_mesh_vertex_blocked(ground, 0, corner[n]);
    blocked += band;
  }
  print_message("%s, kind %d, body %.2f: %u faces, %u blocked; left / length - 1 = %.4f in the mean, %.4f at most\n",
                name, (int)kind, (double)radius, faces, blocked, sum / count, most);
  assert_true(fabs(sum / count) < 0.04);
  th_field_release(field);
  th_solver_release(solver);
}

static void left_falls_from_every_walkable_face(void **state) {
  (void)state;
  static const th_field_kind kind[2] = {TH_FIELD_GEODESIC, TH_FIELD_ROOMY};
  for (int k = 0; k < 2; k++) {
    for (int n = 0; n < 3; n++) {
      th_ground *ground = plan_mesh(NULL, n == 0 ? 0.25f : n == 1 ? 0.6f : 1.0f);
      all_walk_down("plan", ground, kind[k], 0.0f);
      all_walk_down("plan", ground, kind[k], 0.2f);
      th_ground_release(ground);
    }
    for (int n = 0; n < 2; n++) {
      th_ground *ground = mesh_kind_ground(n ? MESH_NOISY : MESH_HOUSE, 3);
      all_walk_down(n ? "noisy" : "house", ground, kind[k], 0.0f);
      all_walk_down(n ? "noisy" : "house", ground, kind[k], 0.2f);
      th_ground_release(ground);
    }
  }
}

/* Slow ground and walls count together: no path is quicker than the quickest, nor costs more than walls add to it. */
static void slow_ground_counts_too(void **state) {
  (void)state;
  th_ground *ground = plan_mesh(marsh, 0.25f);
  th_solver *solver = solver_of(ground);
  const th_vec3 goal = {8.0f, 3.0f, 0.0f};
  th_field_def other = roomy(0.0f, 4.0f), shortest = roomy(0.2f, 4.0f);
  shortest.quickest = false;
  th_field *field = field_to_point(solver, roomy(0.2f, 4.0f), goal), *quickest = field_to_point(solver, other, goal),
           *straight = field_to_point(solver, shortest, goal);
  uint32_t longer = 0;
  for (uint32_t v = 0; v < ground->mesh->mesh.vertex_count; v++) {
    if (th_mesh_vertex_blocked(ground, 0, v)) continue;
    const double cost = field->mesh->time[v], time = quickest->mesh->time[v], left = field->mesh->left[v];
    if (!(cost >= 0.999 * time && cost <= 1.2 * time + 0.01))
      fail_msg("vertex %u costs %g, its time is %g", v, cost, time);
    assert_true(left <= cost + 1e-6);
    assert_true(straight->mesh->time[v] <= cost + 1e-6);
    longer += left > straight->mesh->left[v] + 0.2;
  }
  print_message("%u vertices walk round the slow ground\n", longer);
  assert_true(longer > 200);
  th_field_release(field);
  th_field_release(quickest);
  th_field_release(straight);
  th_solver_release(solver);
  th_ground_release(ground);
}

static th_result build(const th_env *env, void *context) {
  th_solver *solver = NULL;
  th_field *field = NULL;
  th_field_def def = roomy(0.1f, 4.0f);
  def.goal = th_point_shape_at((th_vec3){8.0f, 3.0f, 0.0f});
  th_result result = th_solver_make(&(th_solver_def){.env = *env, .ground = context}, &solver, NULL);
  if (result == TH_OK) result = th_field_make(solver, &def, &field, NULL);
  th_field_release(field);
  th_solver_release(solver);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  th_ground *ground = plan_mesh(NULL, 0.25f);
  print_message("%llu allocations fail in turn\n", (unsigned long long)failing_every(build, ground));
  assert_int_equal(atomic_load(&ground->references), 1);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_weight_of_0_is_the_geodesic_field), cmocka_unit_test(a_small_weight_changes_little),
      cmocka_unit_test(a_plane_agrees_with_flat_ground),     cmocka_unit_test(corners_are_passed_farther_off),
      cmocka_unit_test(left_falls_from_every_walkable_face), cmocka_unit_test(slow_ground_counts_too),
      cmocka_unit_test(failing_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
