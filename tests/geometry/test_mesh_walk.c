/* tests/geometry/test_mesh_walk.c - straight lines on surfaces against closed forms; walls hold; frames are carried. */
#include <stdio.h>
#include <time.h>

#include "base/random.h"
#include "geometry/mesh/bvh.h"
#include "geometry/mesh/straight_walk.h"
#include "make/shapes.h"
#include "support/meshes.h"

#define PI TH_PI_DOUBLE

typedef struct stage {
  th_mesh mesh;
  th_mesh_frames frames;
  th_bvh bvh;
} stage;

static void stage_make(stage *s, th_soup *soup) {
  th_error error = {0};
  if (th_soup_mesh(soup, &s->mesh, &error) != TH_OK) fail_msg("%s", error.text);
  assert_true(th_mesh_frames_make(&s->frames, &s->mesh));
  assert_true(th_bvh_make(&s->bvh, &s->mesh));
}

static void stage_free(stage *s) {
  th_bvh_free(&s->bvh);
  th_mesh_frames_free(&s->frames);
  th_mesh_free(&s->mesh);
}

/* A walker at the mesh's point nearest to `from`, along the tangent part of `way`. */
static th_mesh_walker begin(const stage *s, const double *from, const double *way, double metres) {
  th_bvh_hit hit = th_bvh_nearest(&s->bvh, from, 1e6);
  double ux[3], uy[3];
  th_frames_axes(&s->frames, hit.face, ux, uy);
  th_point d = {way[0] * ux[0] + way[1] * ux[1] + way[2] * ux[2], way[0] * uy[0] + way[1] * uy[1] + way[2] * uy[2]};
  return th_mesh_walker_begin(hit.face, th_frames_at(&s->frames, hit.face, hit.weight), d, metres);
}

static void where(const stage *s, const th_mesh_walker *w, double *xyz, double *way) {
  double ux[3], uy[3], weight[3];
  th_frames_weights(&s->frames, w->face, w->p, weight);
  for (int k = 0; k < 3; k++) assert_true(weight[k] > -1e-6);
  th_frames_point(&s->frames, w->face, w->p, xyz);
  th_frames_axes(&s->frames, w->face, ux, uy);
  for (int k = 0; k < 3 && way; k++) way[k] = w->d.x * ux[k] + w->d.y * uy[k];
}

/* kind 0 regular, 1 noisy, 2 noisy with slivers of 1e-7, 3 right triangles */
static void sheet(stage *s, int kind, uint64_t seed) {
  th_soup soup = th_soup_begin(NULL);
  if (kind == 3)
    th_make_plane(&soup, 20, 20, 1.0, 1.0);
  else
    th_make_equilateral(&soup, 20, 20, 1.0);
  if (kind == 1 || kind == 2) assert_int_equal(th_soup_shake(&soup, 0.4, seed, NULL), TH_OK);
  if (kind == 2) th_soup_spoil(&soup, 0.5, 1e-7, seed);
  stage_make(s, &soup);
}

/* In the plane: the end is start plus vector, and at the walls of a convex room that clamped to the room. */
static void the_plane_is_the_plane(void **unused) {
  (void)unused;
  double worst = 0.0;
  for (int kind = 0; kind < 4; kind++) {
    stage s;
    sheet(&s, kind, 7);
    double high = kind == 3 ? 20.0 : 20.0 * sqrt(0.75);
    for (uint32_t i = 0; i < 2000; i++) {
      double a = 2.0 * PI * th_random_unit_double(1, 0, i, 0), metres = 25.0 * th_random_unit_double(1, 1, i, 0);
      double from[3] = {20.0 * th_random_unit_double(1, 2, i, 0), high * th_random_unit_double(1, 3, i, 0), 0.0};
      if (i % 4 == 0) { /* from a vertex, along the lines of the grid */
        uint32_t v = th_random_to_below(th_random(1, 4, i, 0), s.mesh.vertex_count);
        from[0] = s.mesh.xyz[3 * v], from[1] = s.mesh.xyz[3 * v + 1];
        a = (kind == 3 ? PI / 4.0 : PI / 3.0) * (double)(i / 4 % 12);
      }
      const double way[3] = {cos(a), sin(a), 0.0};
      th_mesh_walker w = begin(&s, from, way, metres);
      double at[3], to[3];
      assert_true(th_mesh_walk(&s.frames, &w, 100000));
      where(&s, &w, at, to);
      double x = fmin(fmax(from[0] + metres * way[0], 0.0), 20.0), y = fmin(fmax(from[1] + metres * way[1], 0.0), high);
      double off = fmax(fabs(at[0] - x), fabs(at[1] - y));
      if (off > 1e-6) fail_msg("kind %d, walk %u: (%g, %g), expected (%g, %g)", kind, i, at[0], at[1], x, y);
      worst = fmax(worst, off);
      bool out = x != from[0] + metres * way[0] || y != from[1] + metres * way[1];
      bool inside = from[0] > 1e-9 && from[0] < 20.0 - 1e-9 && from[1] > 1e-9 && from[1] < high - 1e-9;
      if (!out && inside) assert_true(fabs(to[0] - way[0]) < 1e-6 && fabs(to[1] - way[1]) < 1e-6 && !w.touched);
    }
    stage_free(&s);
  }
  printf("plane: worst error %.2g m\n", worst);
}

/* A prism unrolls: height and angle follow from the straight line on the unrolled strip. */
static void a_cylinder_unrolls(void **unused) {
  (void)unused;
  enum { AROUND = 24 };
  stage s;
  th_soup soup = th_soup_begin(NULL);
  th_make_pipe pipe = {.around = AROUND, .along = 30, .length = 60.0, .low = 3.0, .high = 3.0};
  th_make_tube(&soup, &pipe);
  stage_make(&s, &soup);
  double side = 2.0 * 3.0 * sin(PI / AROUND), worst = 0.0;
  for (uint32_t i = 0; i < 500; i++) {
    double a = PI * (th_random_unit_double(2, 0, i, 0) - 0.5), metres = 60.0 * th_random_unit_double(2, 1, i, 0);
    uint32_t n = i % AROUND;
    double mid = 2.0 * PI * (n + 0.5) / AROUND, apothem = 3.0 * cos(PI / AROUND);
    double z = 30.0 + (i % 5) * 0.37;
    const double from[3] = {apothem * cos(mid), apothem * sin(mid), z};
    const double way[3] = {-sin(mid) * cos(a), cos(mid) * cos(a), sin(a)};
    if (fabs(metres * sin(a)) > 28.0) continue;
    th_mesh_walker w = begin(&s, from, way, metres);
    assert_true(th_mesh_walk(&s.frames, &w, 100000));
    double at[3], strip = n + 0.5 + metres * cos(a) / side, whole = floor(strip), part = strip - whole;
    where(&s, &w, at, NULL);
    double a0 = 2.0 * PI * whole / AROUND, a1 = 2.0 * PI * (whole + 1.0) / AROUND;
    double x = 3.0 * ((1 - part) * cos(a0) + part * cos(a1)), y = 3.0 * ((1 - part) * sin(a0) + part * sin(a1));
    double off = fmax(fabs(at[0] - x), fmax(fabs(at[1] - y), fabs(at[2] - z - metres * sin(a))));
    if (off > 1e-9) fail_msg("walk %u: off by %g", i, off);
    worst = fmax(worst, off);
  }
  printf("cylinder: worst error %.2g m\n", worst);
  stage_free(&s);
}

/* A pyramid of many sides unfolds into a sector: the law of cosines gives the distance from the tip, and a walk round
 * the tip turns the carried frame by the missing angle. */
static void a_cone_unfolds(void **unused) {
  (void)unused;
  enum { AROUND = 12 };
  stage s;
  th_soup soup = th_soup_begin(NULL);
  th_make_pipe pipe = {.around = AROUND, .along = 8, .length = 10.0, .low = 10.0, .high = 0.0};
  th_make_tube(&soup, &pipe);
  assert_int_equal(th_soup_shake(&soup, 0.0, 1, NULL), TH_OK); /* welds the tip */
  stage_make(&s, &soup);
  double edge = sqrt(200.0), chord = 20.0 * sin(PI / AROUND), angle = 2.0 * asin(0.5 * chord / edge), worst = 0.0;
  for (uint32_t i = 0; i < 500; i++) {
    double a = 2.0 * PI * th_random_unit_double(3, 0, i, 0), metres = 6.0 * th_random_unit_double(3, 1, i, 0);
    const double from[3] = {3.0, 0.0, 7.0}; /* on an edge of the pyramid, r = 3 sqrt 2 from the tip */
    /* up along the edge, and sideways in the face to the left */
    double r = 3.0 * sqrt(2.0), up[3] = {-sqrt(0.5), 0.0, sqrt(0.5)}, left[3], size = 0.0, along;
    const double next[3] = {10.0 * cos(2 * PI / AROUND) - 10.0, 10.0 * sin(2 * PI / AROUND), 0.0};
    along = next[0] * up[0] + next[1] * up[1] + next[2] * up[2];
    for (int k = 0; k < 3; k++) left[k] = next[k] - along * up[k], size += left[k] * left[k];
    const double lean = cos(a), aside = fabs(sin(a));
    double way[3], at[3];
    for (int k = 0; k < 3; k++) way[k] = lean * up[k] + aside * left[k] / sqrt(size);
    const double in[3] = {from[0] + 1e-9 * left[0], from[1] + 1e-9 * left[1], from[2]};
    th_mesh_walker w = begin(&s, in, way, metres);
    if (r * r + metres * metres - 2.0 * r * metres * lean > 100.0) continue;
    assert_true(th_mesh_walk(&s.frames, &w, 100000));
    where(&s, &w, at, NULL);
    double x = at[0], y = at[1], dist = sqrt(x * x + y * y + (10.0 - at[2]) * (10.0 - at[2]));
    double wish = sqrt(r * r + metres * metres - 2.0 * r * metres * lean);
    worst = fmax(worst, fabs(dist - wish));
    if (fabs(dist - wish) > 1e-7) fail_msg("walk %u: %.12g from the tip, expected %.12g", i, dist, wish);
  }
  /* Straight through the tip: half of the total angle on each side, so it comes down on the opposite edge. */
  const double from[3] = {3.0, 0.0, 7.0}, way[3] = {-1.0, 0.0, 1.0};
  th_mesh_walker w = begin(&s, from, way, 3.0 * sqrt(2.0) + 2.0);
  double at[3];
  assert_true(th_mesh_walk(&s.frames, &w, 1000));
  where(&s, &w, at, NULL);
  assert_true(fabs(at[0] + sqrt(2.0)) < 1e-9 && fabs(at[1]) < 1e-9 && fabs(at[2] - (10.0 - sqrt(2.0))) < 1e-9);
  printf("cone: worst error %.2g m, angle of the tip %.4f\n", worst, AROUND * angle);
  stage_free(&s);
}

/* Great circles: a quarter, and the octant whose holonomy is a right angle. */
static void a_sphere_has_great_circles(void **unused) {
  (void)unused;
  double error[2] = {0, 0}, close_error[2] = {0, 0}, turn_error[2] = {0, 0};
  for (int fine = 0; fine < 2; fine++) {
    stage s;
    th_soup soup = th_soup_begin(NULL);
    assert_int_equal(th_make_icosphere(&soup, fine ? 6 : 4, 10.0, 0.0, NULL), TH_OK);
    stage_make(&s, &soup);
    for (uint32_t i = 0; i < 100; i++) {
      double p[3], q[3], dotted = 0.0, pp = 0.0, qq = 0.0, at[3], way[3];
      for (uint32_t k = 0; k < 3; k++) p[k] = th_random_normal(4, k, i, 0), q[k] = th_random_normal(4, 3 + k, i, 0);
      for (int k = 0; k < 3; k++) pp += p[k] * p[k], dotted += p[k] * q[k];
      for (int k = 0; k < 3; k++) q[k] -= dotted / pp * p[k], qq += q[k] * q[k];
      for (int k = 0; k < 3; k++) p[k] *= 10.0 / sqrt(pp), q[k] /= sqrt(qq);
      th_mesh_walker w = begin(&s, p, q, 5.0 * PI);
      const th_point first = w.d;
      assert_true(th_mesh_walk(&s.frames, &w, 100000));
      where(&s, &w, at, way);
      double off = 0.0;
      for (int k = 0; k < 3; k++) off += (at[k] - 10.0 * q[k]) * (at[k] - 10.0 * q[k]);
      error[fine] += sqrt(off) / 100.0;
      /* Two more quarters, each after a turn to the left by 90 degrees, close the octant. */
      double c = w.c, t = w.s;
      for (int leg = 0; leg < 2; leg++) {
        w = th_mesh_walker_begin(w.face, w.p, (th_point){-w.d.y, w.d.x}, 5.0 * PI);
        assert_true(th_mesh_walk(&s.frames, &w, 100000));
        double turned = w.c * c - w.s * t;
        t = w.s * c + w.c * t;
        c = turned;
      }
      /* Carried round an octant, a vector turns by its area, a right angle: q becomes p x q. */
      w.d = (th_point){c * first.x - t * first.y, t * first.x + c * first.y};
      where(&s, &w, at, way);
      const double turned[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
      double apart = 0.0;
      off = 0.0;
      for (int k = 0; k < 3; k++) {
        off += (at[k] - p[k]) * (at[k] - p[k]);
        apart += (way[k] - 0.1 * turned[k]) * (way[k] - 0.1 * turned[k]);
      }
      close_error[fine] += sqrt(off) / 100.0;
      turn_error[fine] += sqrt(apart) / 100.0;
    }
    stage_free(&s);
  }
  printf("sphere of radius 10 with 5,120 and 81,920 faces: quarters end %.3g, %.3g m off; octants close within %.3g, ",
         error[0], error[1], close_error[0]);
  printf("%.3g m and turn within %.3g, %.3g rad\n", close_error[1], turn_error[0], turn_error[1]);
  assert_true(error[0] < 0.08 && error[1] < 0.008 && close_error[0] < 0.16 && close_error[1] < 0.016);
  assert_true(turn_error[0] < 0.05 && turn_error[1] < 0.01);
}

/* What is carried keeps its angle with the way, on any surface; and back again it returns. */
static void frames_are_carried_and_ways_lead_back(void **unused) {
  (void)unused;
  stage s;
  th_soup soup = th_soup_begin(NULL);
  assert_int_equal(th_make_statue(&soup, 4, 10000, NULL), TH_OK);
  assert_int_equal(th_soup_shake(&soup, 0.3, 2, NULL), TH_OK);
  th_soup_spoil(&soup, 0.2, 1e-5, 2);
  stage_make(&s, &soup);
  double worst = 0.0;
  uint64_t faces = 0;
  for (uint32_t i = 0; i < 2000; i++) {
    uint32_t face = th_random_to_below(th_random(5, 0, i, 0), s.mesh.face_count);
    const double weight[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
    double a = 2.0 * PI * th_random_unit_double(5, 1, i, 0);
    th_point p = th_frames_at(&s.frames, face, weight), d = {cos(a), sin(a)};
    th_mesh_walker w = th_mesh_walker_begin(face, p, d, 1.0);
    assert_true(th_mesh_walk(&s.frames, &w, 100000));
    th_point carried = {w.c * d.x - w.s * d.y, w.s * d.x + w.c * d.y};
    assert_true(fabs(carried.x - w.d.x) < 1e-9 && fabs(carried.y - w.d.y) < 1e-9);
    assert_true(!w.touched && w.left == 0.0);
    faces += w.faces;
    th_mesh_walker back = th_mesh_walker_begin(w.face, w.p, (th_point){-w.d.x, -w.d.y}, 1.0);
    assert_true(th_mesh_walk(&s.frames, &back, 100000));
    double here[3], there[3], off = 0.0;
    th_frames_point(&s.frames, face, p, here);
    where(&s, &back, there, NULL);
    for (int k = 0; k < 3; k++) off = fmax(off, fabs(here[k] - there[k]));
    worst = fmax(worst, off);
  }
  printf("statue: there and back within %.2g m\n", worst);
  assert_true(worst < 1e-6 && faces > 2000 * 10);
  stage_free(&s);
}

/* Random walks among blocked faces and holes: never on a blocked face, never off the surface, never far. */
static void walls_hold(void **unused) {
  (void)unused;
  for (int kind = 0; kind < 4; kind++) {
    stage s;
    sheet(&s, kind, 9);
    uint8_t *blocked = calloc(s.mesh.face_count, 1);
    for (uint32_t f = 0; f < s.mesh.face_count; f++) blocked[f] = th_random_unit_double(6, (uint32_t)kind, f, 0) < 0.25;
    s.frames.blocked = blocked;
    uint32_t slides = 0;
    for (uint32_t i = 0; i < 300; i++) {
      uint32_t face = th_random_to_below(th_random(6, 10, i, 0), s.mesh.face_count);
      if (blocked[face]) continue;
      const double weight[3] = {0.2, 0.3, 0.5};
      th_mesh_walker w = th_mesh_walker_begin(face, th_frames_at(&s.frames, face, weight), (th_point){1, 0}, 0.0);
      for (uint32_t step = 0; step < 50; step++) {
        double a = 2.0 * PI * th_random_unit_double(6, 11, i, step), from[3], at[3], metres = 0.9;
        where(&s, &w, from, NULL);
        w = th_mesh_walker_begin(w.face, w.p, (th_point){cos(a), sin(a)}, metres);
        bool more;
        do {
          more = th_mesh_walker_advance(&s.frames, &w);
          if (blocked[w.face]) fail_msg("kind %d, walk %u, step %u: face %u is blocked", kind, i, step, w.face);
        } while (more && w.faces < 100000);
        assert_true(w.left == 0.0);
        where(&s, &w, at, NULL);
        assert_true(sqrt((at[0] - from[0]) * (at[0] - from[0]) + (at[1] - from[1]) * (at[1] - from[1])) <
                    metres + 1e-6);
        slides += w.touched;
      }
    }
    assert_true(slides > 1000);
    stage_free(&s);
    free(blocked);
  }
}

/* A door in a wall seen from the side: along the wall, round its end, straight on. */
static void a_slide_ends_with_the_wall(void **unused) {
  (void)unused;
  stage s;
  sheet(&s, 3, 0);
  uint8_t *blocked = calloc(s.mesh.face_count, 1);
  for (uint32_t j = 0; j < 10; j++) /* column 10, rows 0 to 9 */
    for (uint32_t k = 0; k < 2; k++) blocked[2 * (20 * j + 10) + k] = 1;
  s.frames.blocked = blocked;
  const double from[3] = {9.5, 8.0, 0.0}, way[3] = {0.5, sqrt(0.75), 0.0};
  th_mesh_walker w = begin(&s, from, way, 4.0);
  double at[3];
  assert_true(th_mesh_walk(&s.frames, &w, 1000));
  where(&s, &w, at, NULL);
  /* 1 m to the wall at x = 10, the other 3 m at sqrt(3)/2 of the speed along it and beyond its end */
  assert_true(w.touched && fabs(at[0] - 10.0) < 1e-9 && fabs(at[1] - (8.0 + 4.0 * sqrt(0.75))) < 1e-9);
  w = th_mesh_walker_begin(w.face, w.p, (th_point){0, 0}, 1.0); /* no direction: stands */
  assert_false(th_mesh_walker_advance(&s.frames, &w));
  w = th_mesh_walker_begin(2 * (20 * 5 + 10), (th_point){0.6, 0.3}, (th_point){-1, 0}, 3.0);
  assert_true(th_mesh_walk(&s.frames, &w, 1000)); /* from inside the wall: out */
  assert_false(blocked[w.face]);
  stage_free(&s);
  free(blocked);
}

/* Printed, not judged: a small mesh shows the arithmetic, a large one the wait for memory. */
static void speed_is_measured(void **unused) {
  (void)unused;
  for (uint32_t fine = 1; fine <= 10; fine += 9) {
    stage s;
    th_soup soup = th_soup_begin(NULL);
    th_make_torus(&soup, 14 * fine, 25 * fine, 40.0, 16.0);
    stage_make(&s, &soup);
    th_mesh_walker w = th_mesh_walker_begin(5, (th_point){0.1, 0.1}, (th_point){0.7, 0.4}, 200000.0 / fine);
    clock_t start = clock();
    assert_true(th_mesh_walk(&s.frames, &w, 1000000));
    printf("walking on %u faces: %.1f ns per face\n", s.mesh.face_count,
           1e9 * (double)(clock() - start) / CLOCKS_PER_SEC / w.faces);
    assert_true(w.faces > 10000);
    stage_free(&s);
  }
}

static bool make_one(const th_mesh *m) {
  th_mesh_frames frames;
  bool made = th_mesh_frames_make(&frames, m);
  th_mesh_frames_free(&frames);
  return made;
}

static th_result make_all(const th_env *env, void *context) {
  (void)context;
  return meshes_on_cube(env, make_one);
}

static void every_failed_allocation_is_survived(void **unused) {
  (void)unused;
  assert_true(failing_every(make_all, NULL) > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_plane_is_the_plane),
      cmocka_unit_test(a_cylinder_unrolls),
      cmocka_unit_test(a_cone_unfolds),
      cmocka_unit_test(a_sphere_has_great_circles),
      cmocka_unit_test(frames_are_carried_and_ways_lead_back),
      cmocka_unit_test(walls_hold),
      cmocka_unit_test(a_slide_ends_with_the_wall),
      cmocka_unit_test(speed_is_measured),
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
