/* tests/geometry/test_triangulate.c - triangulations keep area, borders and orientation, whatever lines they are given.
 */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/random.h"
#include "geometry/triangulate_floor.h"
#include "support/allocator.h"

#define M(v) (int32_t)((v)*TH_LATTICE)

static th_allocator plain(void) { return th_env_complete(&(th_env){0}).allocator; }

static uint64_t counter;
static double uniform(uint64_t seed) {
  return (double)(th_random_mix(seed * 0x9e3779b97f4a7c15u + ++counter) >> 11) * 0x1p-53;
}

/* Corners in range and counter-clockwise, twins agree, Euler's rule holds by the twins. */
static void assert_sound(const th_floor *f) {
  for (uint32_t t = 0; t < f->face_count; t++) {
    const uint32_t *v = f->corner + 3 * (size_t)t;
    assert_true(th_lattice_side(f->point[v[0]], f->point[v[1]], f->point[v[2]]) > 0);
    assert_true(f->label[t] > 0);
  }
  for (uint32_t h = 0; h < 3 * f->face_count; h++) {
    uint32_t g = f->twin[h];
    if (g == TH_NOWHERE) continue;
    assert_int_equal(f->twin[g], h);
    assert_int_equal(f->corner[g], f->corner[th_triangulate_next(h)]);
    assert_int_equal(f->corner[h], f->corner[th_triangulate_next(g)]);
  }
}

/* Border edges are edges of length at most 1.5 times what is wanted. */
static double longest_border(const th_floor *f) {
  double max = 0.0;
  for (uint32_t h = 0; h < 3 * f->face_count; h++) {
    if (f->twin[h] != TH_NOWHERE) continue;
    th_lattice_point a = f->point[f->corner[h]], b = f->point[f->corner[th_triangulate_next(h)]];
    double l = hypot((double)a.x - b.x, (double)a.y - b.y);
    if (l > max) max = l;
  }
  return max;
}

static th_floor make_of(const th_floor_area *area, uint32_t count, double edge) {
  th_floor_def def = {.allocator = plain(), .area = area, .area_count = count, .edge = edge * TH_LATTICE};
  th_floor floor;
  th_error error = {0};
  if (th_floor_make(&def, &floor, &error) != TH_OK) fail_msg("%s", error.text);
  assert_sound(&floor);
  return floor;
}

static void a_room_with_a_hole_has_even_triangles(void **state) {
  (void)state;
  static const th_lattice_point room[] = {{0, 0}, {M(10), 0}, {M(10), M(8)}, {0, M(8)}};
  static const th_lattice_point hole[] = {{M(3), M(3)}, {M(5), M(3)}, {M(5), M(4)}, {M(3), M(4)}};
  th_floor_area area[] = {{room, 4, 1, false}, {hole, 4, 0, false}};
  th_floor f = make_of(area, 2, 0.5);
  assert_int_equal(th_floor_area2(&f), 2ll * M(1) * M(1) * 78);
  assert_true(th_floor_min_angle(&f) > 28.0);
  print_message("least angle %.1f degrees, %u faces\n", th_floor_min_angle(&f), f.face_count);
  assert_true(longest_border(&f) < 0.75 * TH_LATTICE);
  assert_in_range(f.face_count, 500, 1000); /* 78 m2 of equilateral triangles of 0.5 m: 720 */
  th_floor_free(&f);
}

/* Distance of the nearest border edge [m]. */
static double border_from(const th_floor *f, double x, double y) {
  double min = INFINITY;
  for (uint32_t h = 0; h < 3 * f->face_count; h++) {
    if (f->twin[h] != TH_NOWHERE) continue;
    const th_lattice_point a = f->point[f->corner[h]], b = f->point[f->corner[th_triangulate_next(h)]];
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double t = fmin(1.0, fmax(0.0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy)));
    min = fmin(min, hypot(x - a.x - t * dx, y - a.y - t * dy) / TH_LATTICE);
  }
  return min;
}

/* Edges that run from border to border where a body of 0.4 m has room. */
static uint32_t edges_across(const th_floor *f) {
  uint32_t count = 0;
  bool *border = test_calloc(f->point_count, sizeof *border);
  for (uint32_t h = 0; h < 3 * f->face_count; h++)
    if (f->twin[h] == TH_NOWHERE) border[f->corner[h]] = border[f->corner[th_triangulate_next(h)]] = true;
  for (uint32_t h = 0; h < 3 * f->face_count; h++) {
    const th_lattice_point a = f->point[f->corner[h]], b = f->point[f->corner[th_triangulate_next(h)]];
    if (f->twin[h] == TH_NOWHERE || !border[f->corner[h]] || !border[f->corner[th_triangulate_next(h)]]) continue;
    count += border_from(f, 0.5 * ((double)a.x + b.x), 0.5 * ((double)a.y + b.y)) > 0.2;
  }
  test_free(border);
  return count;
}

/* Rows of seats that stand at an angle, 0.6 m apart and 0.3 m from one wall, and a door of 0.8 m. */
static void passages_have_points_in_their_middle(void **state) {
  (void)state;
  static const th_lattice_point room[] = {{0, 0}, {M(10), 0}, {M(10), M(8)}, {0, M(8)}};
  th_lattice_point row[4][4], wall[2][4] = {{{M(7), 0}, {M(7.2), 0}, {M(7.2), M(4)}, {M(7), M(4)}},
                                            {{M(7), M(4.8)}, {M(7.2), M(4.8)}, {M(7.2), M(8)}, {M(7), M(8)}}};
  th_floor_area area[7] = {{room, 4, 1, false}, {wall[0], 4, 0, false}, {wall[1], 4, 0, false}};
  for (int k = 0; k < 4; k++) {
    const double y = 1.0 + k;
    const double p[4][2] = {{0.3, y}, {5.0, y + 0.5}, {5.0, y + 0.9}, {0.3, y + 0.4}};
    for (int n = 0; n < 4; n++) row[k][n] = (th_lattice_point){M(p[n][0]), M(p[n][1])};
    area[3 + k] = (th_floor_area){row[k], 4, 0, false};
  }
  for (int k = 0; k < 3; k++) {
    const double edge = k == 0 ? 0.5 : k == 1 ? 0.7 : 1.0;
    th_floor coarse = make_of(area, 7, edge), fine;
    const th_floor_def def = {
        .allocator = plain(), .area = area, .area_count = 7, .edge = edge * TH_LATTICE, .passage = 0.4 * TH_LATTICE};
    assert_int_equal(th_floor_make(&def, &fine, NULL), TH_OK);
    assert_sound(&fine);
    print_message("edge %g: %u edges across of %u faces; %u of %u\n", edge, edges_across(&coarse), coarse.face_count,
                  edges_across(&fine), fine.face_count);
    assert_true(edges_across(&coarse) > 0);
    assert_int_equal(edges_across(&fine), 0);
    assert_int_equal(th_floor_area2(&fine), th_floor_area2(&coarse));
    th_floor_free(&coarse);
    th_floor_free(&fine);
  }
}

static void holes_may_touch_overlap_and_leave_the_room(void **state) {
  (void)state;
  static const th_lattice_point room[] = {
      {0, 0}, {M(5), 0}, {M(10), 0}, {M(10), M(8)}, {0, M(8)}}; /* a collinear point */
  static const th_lattice_point a[] = {{M(1), M(1)}, {M(2), M(1)}, {M(2), M(2)}, {M(1), M(2)}};
  static const th_lattice_point b[] = {{M(2), M(2)}, {M(3), M(2)}, {M(3), M(3)}, {M(2), M(3)}}; /* touches a corner */
  static const th_lattice_point c[] = {{M(2.5), M(2.5)}, {M(4), M(2.5)}, {M(4), M(4)}, {M(2.5), M(4)}}; /* overlaps b */
  static const th_lattice_point d[] = {{M(8), M(6)}, {M(12), M(6)}, {M(12), M(9)}, {M(8), M(9)}}; /* leaves the room */
  static const th_lattice_point e[] = {{0, M(4)}, {M(1), M(4)}, {M(1), M(5)}, {0, M(5)}};         /* on the wall */
  static const th_lattice_point g[] = {{M(6), M(1)}, {M(6) + 1, M(1)}, {M(6) + 1, M(1) + 2}}; /* below a millimetre */
  th_floor_area area[] = {{room, 5, 1, false}, {a, 4, 0, false}, {b, 4, 0, false}, {c, 4, 0, false},
                          {d, 4, 0, false},    {e, 4, 0, false}, {g, 3, 0, false}};
  th_floor f = make_of(area, 7, 0.5);
  double metres = (double)th_floor_area2(&f) / (2.0 * TH_LATTICE * TH_LATTICE);
  assert_true(fabs(metres - (80.0 - 1.0 - 1.0 - (2.25 - 0.25) - 4.0 - 1.0)) < 1e-6);
  th_floor_free(&f);
}

static void areas_keep_their_labels(void **state) {
  (void)state;
  static const th_lattice_point room[] = {{0, 0}, {M(10), 0}, {M(10), M(8)}, {0, M(8)}};
  static const th_lattice_point grass[] = {{M(5), M(-1)}, {M(12), M(-1)}, {M(12), M(4)}, {M(5), M(4)}};
  th_floor_area area[] = {{room, 4, 1, false}, {grass, 4, 2, true}};
  th_floor f = make_of(area, 2, 0.5);
  int64_t of[3] = {0, 0, 0};
  for (uint32_t t = 0; t < f.face_count; t++) {
    const uint32_t *v = f.corner + 3 * (size_t)t;
    of[f.label[t]] += th_lattice_side(f.point[v[0]], f.point[v[1]], f.point[v[2]]);
  }
  assert_int_equal(of[2], 2ll * M(1) * M(1) * 20);
  assert_int_equal(of[1], 2ll * M(1) * M(1) * 60);
  th_floor_free(&f);
}

/* Star-shaped polygons with a random number of corners, some nearly collinear, and the area of the polygon. */
static void random_polygons_keep_their_area(void **state) {
  (void)state;
  double min = 180.0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    th_lattice_point p[64];
    counter = 0;
    uint32_t n = 5 + (uint32_t)(uniform(seed) * 58.0);
    for (uint32_t i = 0; i < n; i++) {
      double angle = 6.283185307179586 * (i + 0.5 * uniform(seed)) / n, r = 2.0 + 10.0 * uniform(seed);
      p[i] = (th_lattice_point){M(r * cos(angle)), M(r * sin(angle))};
    }
    int64_t area2 = 0;
    double round = 0.0;
    for (uint32_t i = 0; i < n; i++) {
      th_lattice_point a = p[i], b = p[(i + 1) % n];
      area2 += (int64_t)a.x * b.y - (int64_t)a.y * b.x;
      round += hypot((double)a.x - b.x, (double)a.y - b.y);
    }
    th_floor_area area = {p, n, 1, false};
    th_floor f = make_of(&area, 1, 0.5);
    /* sides bend by up to a unit where they are cut, by TH_FLOOR_JOIN where they pass a corner as near */
    if (llabs(th_floor_area2(&f) - area2) > (int64_t)(2.0 * TH_FLOOR_JOIN * round)) fail_msg("seed %d", (int)seed);
    double angle = th_floor_min_angle(&f);
    if (angle < min) min = angle;
    th_floor_free(&f);
  }
  print_message("least angle of 60 random polygons %.2f degrees\n", min);
}

static bool on_chain(const th_triangulation *c, uint32_t a, uint32_t b) {
  uint32_t h = th_triangulate_find(c, a, b);
  return h != TH_NOWHERE && c->fixed[h];
}

/* Random lines on a small lattice: crossings, overlaps and shared points in plenty. */
static void random_lines_become_edges(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    th_triangulation c;
    th_allocator allocator = plain();
    counter = 0;
    th_triangulate_begin(&c, &allocator);
    int32_t size = seed % 2 ? 40 : 100000;
    uint32_t v[60];
    for (int i = 0; i < 60; i++)
      v[i] = th_triangulate_insert(
          &c, (th_lattice_point){(int32_t)(uniform(seed) * size), (int32_t)(uniform(seed) * size)});
    for (int i = 0; i < 60; i += 2) th_triangulate_constrain(&c, v[i], v[i + 1]);
    assert_false(c.failed || c.tangled);
    int64_t sum = 0;
    for (uint32_t t = 0; t < c.triangle_count; t++) {
      const uint32_t *k = c.corner + 3 * (size_t)t;
      int64_t area = th_lattice_side(c.point[k[0]], c.point[k[1]], c.point[k[2]]);
      if (area <= 0) fail_msg("seed %d: triangle %u is inverted", (int)seed, t);
      sum += area;
    }
    assert_int_equal(sum, 2ll << 60); /* the box */
    assert_int_equal(c.triangle_count, 2 * (c.point_count - 4) + 2);
    th_triangulate_free(&c);
  }
}

/* Without crossings every line is there as given, and every other edge is Delaunay: a grid with a fan of lines. */
static void lines_without_crossings_stay_straight(void **state) {
  (void)state;
  th_triangulation c;
  th_allocator allocator = plain();
  th_triangulate_begin(&c, &allocator);
  uint32_t v[12][12];
  for (int j = 0; j < 12; j++)
    for (int i = 0; i < 12; i++)
      v[j][i] = th_triangulate_insert(&c, (th_lattice_point){i * 100, j * 100 + (i * 7) % 3});
  uint32_t before = c.point_count;
  for (int i = 1; i < 12; i++) th_triangulate_constrain(&c, v[0][0], v[11][i]);
  assert_int_equal(c.point_count, before);
  assert_true(on_chain(&c, v[0][0], v[11][10]));
  assert_int_equal(th_triangulate_insert(&c, c.point[v[3][3]]), v[3][3]);
  th_triangulate_free(&c);
}

static th_result make_failing(const th_env *env, void *context) {
  static const th_lattice_point room[] = {{0, 0}, {M(4), 0}, {M(4), M(3)}, {0, M(3)}};
  static const th_lattice_point hole[] = {{M(1), M(1)}, {M(5), M(1)}, {M(5), M(2)}, {M(1), M(2.2)}};
  th_floor_area area[] = {{room, 4, 1, false}, {hole, 4, 0, false}};
  th_floor_def def = {.allocator = env->allocator, .area = area, .area_count = 2, .edge = 0.5 * TH_LATTICE};
  th_floor floor;
  (void)context;
  th_result result = th_floor_make(&def, &floor, NULL);
  if (result == TH_OK) th_floor_free(&floor);
  return result;
}

static void memory_may_end_anywhere(void **state) {
  (void)state;
  assert_true(failing_every(make_failing, NULL) > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_room_with_a_hole_has_even_triangles),
      cmocka_unit_test(passages_have_points_in_their_middle),
      cmocka_unit_test(holes_may_touch_overlap_and_leave_the_room),
      cmocka_unit_test(areas_keep_their_labels),
      cmocka_unit_test(random_polygons_keep_their_area),
      cmocka_unit_test(random_lines_become_edges),
      cmocka_unit_test(lines_without_crossings_stay_straight),
      cmocka_unit_test(memory_may_end_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
