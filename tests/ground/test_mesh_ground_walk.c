/* tests/ground/test_mesh_ground_walk.c - discs on surfaces: as on flat ground in the plane, never through a wall, never
 * off. */
#include <time.h>

#include "support/mesh_grounds.h"
#include "throng/make.h"

/* The plane as mesh and as polygon: discs slide alike. */
static void the_plane_is_flat_ground(void **unused) {
  (void)unused;
  th_flat_def flat_def = th_default_flat_def();
  const th_vec2 room[4] = {{0, 0}, {20, 0}, {20, 20}, {0, 20}};
  const th_vec2 box[4] = {{5, 5}, {9, 5}, {9, 8}, {5, 8}}, bar[4] = {{12, 3}, {13, 3}, {13, 17}, {12, 17}};
  const th_polygon outline = {NULL, room, 4}, obstacle[2] = {{NULL, box, 4}, {NULL, bar, 4}};
  flat_def.outline = &outline;
  flat_def.outline_count = 1;
  flat_def.obstacle = obstacle;
  flat_def.obstacle_count = 2;
  th_ground *flat = NULL;
  assert_int_equal(th_ground_make_flat(&flat_def, &flat, NULL), TH_OK);
  th_soup soup;
  mesh_kind_soup(&soup, MESH_PLANE, 1);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  const th_region region[2] = {{.kind = TH_REGION_PRISM, .outline = box, .outline_count = 4, .low = -1, .high = 1},
                               {.kind = TH_REGION_PRISM, .outline = bar, .outline_count = 4, .low = -1, .high = 1}};
  def.blocked = region;
  def.blocked_count = 2;
  th_ground *mesh = mesh_kind_ground_of(&def);
  th_soup_free(&soup);
  double worst = 0.0;
  uint32_t touched = 0;
  for (uint32_t i = 0; i < 4000; i++) {
    float radius = 0.1f + 0.4f * th_random_unit(3, 0, i, 0);
    th_place a = th_ground_locate(flat, 20.0f * th_random_unit(3, 1, i, 0), 20.0f * th_random_unit(3, 2, i, 0));
    if (a.cell == TH_NO_CELL || th_ground_clearance(flat, a.x, a.y) < radius + 0.01f) continue;
    th_place b = th_ground_locate_at(mesh, (th_vec3){a.x, a.y, 0.0f}, TH_ANY_LEVEL, 1.0f);
    assert_true(b.cell != TH_NO_CELL);
    for (uint32_t n = 0; n < 10; n++) {
      float angle = 6.2831853f * th_random_unit(3, 3, i, n / 5), length = 0.6f * th_random_unit(3, 4, i, n);
      th_vec3 way = {length * cosf(angle), length * sinf(angle), 0.0f};
      th_place was = a;
      bool wall = th_ground_walk(flat, &a, (th_vec2){way.x, way.y}, radius, NULL);
      th_ground_walk(mesh, &b, th_ground_to_cell(mesh, b, way), radius, NULL);
      th_vec3 at = th_ground_point(mesh, b);
      double off = fmax(fabs((double)(at.x - a.x)), fabs((double)(at.y - a.y)));
      if (off > 1e-3)
        fail_msg("walk %u, step %u: (%g, %g), flat (%g, %g), radius %g; from (%.9g, %.9g) by (%.9g, %.9g)", i, n,
                 (double)at.x, (double)at.y, (double)a.x, (double)a.y, (double)radius, (double)was.x, (double)was.y,
                 (double)way.x, (double)way.y);
      worst = fmax(worst, off);
      touched += wall;
      b = th_ground_locate_at(mesh, (th_vec3){a.x, a.y, 0.0f}, TH_ANY_LEVEL, 1.0f);
    }
  }
  printf("plane against flat ground: worst difference %.2g m, %u contacts\n", worst, touched);
  assert_true(touched > 2000);
  th_ground_release(flat);
  th_ground_release(mesh);
}

/* On a tube between two rims the disc stops its radius from the rim and slides round along it: the unrolled strip
 * gives the angle. */
static void a_disc_slides_along_the_rim_of_a_tube(void **unused) {
  (void)unused;
  enum { AROUND = 48 };
  th_soup soup = th_soup_begin(NULL);
  th_make_pipe pipe = {.around = AROUND, .along = 10, .length = 8.0, .low = 3.0, .high = 3.0};
  th_make_tube(&soup, &pipe);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&def);
  const double pi = 3.14159265358979323846, side = 6.0 * sin(pi / AROUND), radius = 0.4;
  double worst = 0.0;
  for (uint32_t i = 0; i < 200; i++) {
    double mid = 2.0 * pi * (i % AROUND + 0.5) / AROUND, apothem = 3.0 * cos(pi / AROUND), z = 1.0;
    th_vec3 from = {(float)(apothem * cos(mid)), (float)(apothem * sin(mid)), (float)z};
    th_place at = th_ground_locate_at(ground, from, TH_ANY_LEVEL, 0.1f);
    double a = pi * (0.05 + 0.4 * th_random_unit_double(4, 0, i, 0)), metres = 1.5; /* down and round */
    th_vec3 way = {(float)(-metres * cos(a) * sin(mid)), (float)(metres * cos(a) * cos(mid)),
                   (float)(-metres * sin(a))};
    th_turn turn = {1.0f, 0.0f};
    bool touched = th_ground_walk(ground, &at, th_ground_to_cell(ground, at, way), (float)radius, &turn);
    th_vec3 end = th_ground_point(ground, at);
    double low = fmax(z - metres * sin(a), radius + (double)TH_WALK_SKIN);
    double strip = i % AROUND + 0.5 + metres * cos(a) / side, whole = floor(strip), part = strip - whole;
    double a0 = 2.0 * pi * whole / AROUND, a1 = 2.0 * pi * (whole + 1.0) / AROUND;
    double x = 3.0 * ((1 - part) * cos(a0) + part * cos(a1)), y = 3.0 * ((1 - part) * sin(a0) + part * sin(a1));
    double off = fmax(fabs((double)end.x - x), fmax(fabs((double)end.y - y), fabs((double)end.z - low)));
    worst = fmax(worst, off);
    if (off > 1e-4)
      fail_msg("walk %u: (%g, %g, %g), expected (%g, %g, %g)", i, (double)end.x, (double)end.y, (double)end.z, x, y,
               low);
    assert_int_equal(touched, z - metres * sin(a) < radius + (double)TH_WALK_SKIN);
    /* What pointed up the tube still does. */
    th_place start = th_ground_locate_at(ground, from, TH_ANY_LEVEL, 0.1f);
    th_vec2 up = th_ground_to_cell(ground, start, (th_vec3){0.0f, 0.0f, 1.0f});
    th_vec2 carried = {turn.c * up.x - turn.s * up.y, turn.s * up.x + turn.c * up.y};
    th_vec3 is = th_ground_to_space(ground, at, carried);
    assert_true(fabsf(is.z - 1.0f) < 1e-4f);
  }
  printf("tube: discs at the rim within %.2g m\n", worst);
  th_ground_release(ground);
  th_soup_free(&soup);
}

/* Level ground: who overlaps a wall is pushed out of it, over sides of faces, and goes on from there by the
 * displacement that it was asked for, though the face that it is on now has another frame. */
static void who_is_pushed_out_of_a_wall_keeps_its_direction(void **unused) {
  (void)unused;
  th_soup soup;
  mesh_kind_soup(&soup, MESH_PLANE, 1);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *ground = mesh_kind_ground_of(&def);
  const float radius = 0.8f, step = 0.1f;
  uint32_t crossed = 0;
  for (uint32_t i = 0; i < 4000; i++) {
    th_vec3 from = {2.0f + 16.0f * th_random_unit(5, 0, i, 0), 0.05f + 0.3f * th_random_unit(5, 1, i, 0), 0.0f};
    const th_vec3 d = {0.0f, step, 0.0f}; /* straight away from the wall y = 0 */
    const th_place start = th_ground_locate_at(ground, from, TH_ANY_LEVEL, 0.1f);
    th_place out = start, on = start;
    assert_true(th_ground_walk(ground, &out, (th_vec2){0.0f, 0.0f}, radius, NULL));
    assert_true(th_ground_walk(ground, &on, th_ground_to_cell(ground, start, d), radius, NULL));
    th_vec3 a = th_ground_point(ground, out), b = th_ground_point(ground, on);
    assert_true(a.y > from.y);
    if (fabsf(b.x - a.x - d.x) > 1e-4f || fabsf(b.y - a.y - d.y) > 1e-4f)
      fail_msg("walk %u: pushed to (%g, %g), then by (%g, %g), expected (%g, %g)", i, (double)a.x, (double)a.y,
               (double)(b.x - a.x), (double)(b.y - a.y), (double)d.x, (double)d.y);
    crossed += out.cell != start.cell;
  }
  assert_true(crossed > 50);
  th_ground_release(ground);
  th_soup_free(&soup);
}

/* A corridor whose end is closed, with a wall of teeth: from the middle of any face, where an edit may put a body, it
 * is out of the walls after a while. In a corner the ends of edges of one straight wall lie ahead and must not stop it.
 */
static void who_stands_in_a_wall_comes_out(void **unused) {
  (void)unused;
  static const th_vec2 solid[3][4] = {{{-1, -1}, {11, -1}, {11, 1.4f}, {-1, 1.4f}},
                                      {{-1, 2.6f}, {11, 2.6f}, {11, 6}, {-1, 6}},
                                      {{5, 0}, {11, 0}, {11, 5}, {5, 5}}};
  th_region region[3];
  for (int k = 0; k < 3; k++)
    region[k] =
        (th_region){.kind = TH_REGION_PRISM, .outline = solid[k], .outline_count = 4, .low = -1.0f, .high = 1.0f};
  th_soup soup = th_soup_begin(NULL);
  th_make_plane(&soup, 40, 20, 0.25, 0.25);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  def.blocked = region;
  def.blocked_count = 3;
  th_ground *ground = mesh_kind_ground_of(&def);
  const float radius = 0.2f;
  uint32_t inside = 0;
  for (uint32_t face = 0; face < ground->mesh->mesh.face_count; face++) {
    if (ground->mesh->blocked[face]) continue;
    th_place at = th_ground_place_of(ground, face, (th_vec3){1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f});
    const th_vec3 from = th_ground_point(ground, at);
    inside += th_ground_clearance_at(ground, at) < radius;
    for (uint32_t n = 0; n < 100; n++) (void)th_ground_walk(ground, &at, (th_vec2){0.0f, 0.0f}, radius, NULL);
    if (th_ground_clearance_at(ground, at) < radius - TH_WALK_TOLERANCE)
      fail_msg("from (%g, %g): %g m from a wall", (double)from.x, (double)from.y,
               (double)th_ground_clearance_at(ground, at));
  }
  assert_true(inside > 50);
  th_ground_release(ground);
  th_soup_free(&soup);
}

/* 1,000 walks on every surface among blocked faces: never on one, never off, the radius kept to the tolerance. */
/* shows: SBVP-45 */
static void discs_keep_their_distance(void **unused) {
  (void)unused;
  for (int kind = 0; kind < MESH_KINDS; kind++) {
    th_soup soup;
    mesh_kind_soup(&soup, (mesh_kind)kind, 5);
    th_mesh_ground_def def = mesh_kind_def(&soup);
    uint8_t *terrain_of = calloc(soup.face_count, 1);
    for (uint32_t f = 0; f < soup.face_count; f++) terrain_of[f] = th_random_unit(9, (uint32_t)kind, f, 0) < 0.06f;
    const th_terrain kinds[2] = {{.name = "floor", .speed = 1.0f}, {.name = "rock", .speed = 1.0f, .blocked = true}};
    def.terrain = kinds;
    def.terrain_count = 2;
    def.terrain_of = terrain_of;
    th_ground *ground = mesh_kind_ground_of(&def);
    const th_mesh_ground *s = ground->mesh;
    double deepest = 0.0;
    uint32_t walks = 0, touched = 0;
    for (uint32_t i = 0; i < 20000 && walks < 1000; i++) {
      float radius = 0.05f + 0.3f * th_random_unit(8, 0, i, 0);
      th_place at = mesh_kind_any_place(ground, 7, i);
      if (th_ground_clearance_at(ground, at) < radius + 0.002f) continue;
      walks++;
      th_turn turn = {1.0f, 0.0f};
      for (uint32_t n = 0; n < 30; n++) {
        float angle = 6.2831853f * th_random_unit(8, 1, i, n / 6), length = 0.4f * th_random_unit(8, 2, i, n);
        th_vec2 way = {length * cosf(angle), length * sinf(angle)};
        th_place before = at;
        touched += th_ground_walk(ground, &at, way, radius, &turn);
        if (at.cell >= s->mesh.face_count || s->blocked[at.cell])
          fail_msg("%s, seed 8, walk %u, step %u: cell %u", mesh_kind_name[kind], i, n, at.cell);
        double w[3];
        th_frames_weights(&s->frames, at.cell, (th_point){(double)at.x, (double)at.y}, w);
        for (int k = 0; k < 3; k++)
          if (!(w[k] > -1e-4)) fail_msg("%s, walk %u, step %u: weight %g", mesh_kind_name[kind], i, n, w[k]);
        th_vec3 p = th_ground_point(ground, before), q = th_ground_point(ground, at);
        double moved =
            sqrt((double)((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z)));
        if (moved > (double)length + 0.021)
          fail_msg("%s, walk %u: moved %g of %g", mesh_kind_name[kind], i, moved, (double)length);
        double depth = (double)radius - (double)th_ground_clearance_at(ground, at);
        deepest = fmax(deepest, depth);
        if (depth > (double)TH_WALK_TOLERANCE)
          fail_msg("%s, seed 8, walk %u, step %u: %g m deep, radius %g", mesh_kind_name[kind], i, n, depth,
                   (double)radius);
        assert_true(fabsf(turn.c * turn.c + turn.s * turn.s - 1.0f) < 1e-5f);
      }
    }
    printf("%-12s %5u walks, %6u contacts, deepest %.4f m\n", mesh_kind_name[kind], walks, touched, deepest);
    th_ground_release(ground);
    th_soup_free(&soup);
    free(terrain_of);
  }
}

static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Measured, not judged: least of five rounds of 5,000 steps of 0.1 m. */
static void speed_is_measured(void **unused) {
  (void)unused;
  enum { N = 5000 };
  th_ground *ground = mesh_kind_ground(MESH_PLANE, 1);
  for (int near = 0; near < 2; near++) {
    static th_place at[N];
    uint32_t count = 0;
    for (uint32_t i = 0; count < N; i++) {
      at[count] = mesh_kind_any_place(ground, 1, i);
      bool open = ground->mesh->face_clearance[at[count].cell] > 0.36f;
      count += open != (bool)near && th_ground_clearance_at(ground, at[count]) > 0.26f;
    }
    double best = HUGE_VAL;
    for (int round = 0; round < 5; round++) {
      double begin = processor_time();
      for (uint32_t i = 0; i < N; i++) {
        th_place p = at[i];
        th_turn turn = {1.0f, 0.0f};
        float x = i % 2 ? 0.08f : -0.08f, y = i % 4 < 2 ? 0.06f : -0.06f;
        th_ground_walk(ground, &p, (th_vec2){x, y}, 0.25f, &turn);
      }
      best = fmin(best, processor_time() - begin);
    }
    printf("a step of 0.1 m on faces of 1 m %s: %.3f us\n", near ? "near walls" : "in the open", 1e6 * best / N);
  }
  th_ground_release(ground);
}

/* From the vertices of hills, where places are rounded to beside the vertex, any way: it is gone as it was meant, but
 * for what the hill bends it. */
static void a_walk_may_begin_at_a_vertex(void **unused) {
  (void)unused;
  th_make_params make = th_default_make_params();
  th_mesh mesh;
  th_mesh_ground_def def = th_default_mesh_ground_def();
  th_ground *ground;
  make.shape = TH_MAKE_SHAPE_TERRAIN;
  assert_int_equal(th_mesh_generate(&make, &mesh, NULL), TH_OK);
  def.mesh = &mesh;
  assert_int_equal(th_ground_make_mesh(&def, &ground, NULL), TH_OK);
  for (uint32_t v = 0; v < mesh.vertex_count; v += 7) {
    const double *at = mesh.xyz + 3 * (size_t)v;
    if (at[0] < 2.0 || at[0] > 38.0 || at[1] < 2.0 || at[1] > 38.0) continue;
    for (int degree = 3; degree < 360; degree += 10) {
      th_place place =
          th_ground_locate_at(ground, (th_vec3){(float)at[0], (float)at[1], (float)at[2]}, TH_ANY_LEVEL, 1);
      th_vec3 way = {0.6f * cosf((float)degree / 57.29578f), 0.6f * sinf((float)degree / 57.29578f), 0.0f};
      th_vec3 from = th_ground_point(ground, place);
      th_ground_walk(ground, &place, th_ground_to_cell(ground, place, way), 0.0f, NULL);
      th_vec3 to = th_ground_point(ground, place);
      float off = hypotf(to.x - from.x - way.x, to.y - from.y - way.y);
      if (off > 0.12f) fail_msg("vertex %u, %d degrees: %g m off", v, degree, (double)off);
    }
  }
  th_ground_release(ground);
  th_mesh_free(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_plane_is_flat_ground),
      cmocka_unit_test(a_disc_slides_along_the_rim_of_a_tube),
      cmocka_unit_test(who_is_pushed_out_of_a_wall_keeps_its_direction),
      cmocka_unit_test(who_stands_in_a_wall_comes_out),
      cmocka_unit_test(discs_keep_their_distance),
      cmocka_unit_test(speed_is_measured),
      cmocka_unit_test(a_walk_may_begin_at_a_vertex),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
