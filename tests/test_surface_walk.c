/* tests/test_surface_walk.c - discs on surfaces: as on flat ground in the plane, never through a wall, never off. */
#include <time.h>

#include "surfaces.h"

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
  surface_soup(&soup, SURFACE_PLANE, 1);
  th_surface_def def = surface_def(&soup);
  const th_region region[2] = {{.kind = TH_REGION_PRISM, .outline = box, .outline_count = 4, .low = -1, .high = 1},
                               {.kind = TH_REGION_PRISM, .outline = bar, .outline_count = 4, .low = -1, .high = 1}};
  def.blocked = region;
  def.blocked_count = 2;
  th_ground *mesh = surface_ground(&def);
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
      bool wall_a = th_walk(flat, &a, way.x, way.y, radius);
      bool wall_b = th_ground_walk(mesh, &b, th_ground_to_cell(mesh, b, way), radius, NULL);
      th_vec3 at = th_ground_point(mesh, b);
      double off = fmax(fabs((double)(at.x - a.x)), fabs((double)(at.y - a.y)));
      if (off > 1e-3)
        fail_msg("walk %u, step %u: (%g, %g), flat (%g, %g), radius %g; from (%.9g, %.9g) by (%.9g, %.9g)", i, n,
                 (double)at.x, (double)at.y, (double)a.x, (double)a.y, (double)radius, (double)was.x, (double)was.y,
                 (double)way.x, (double)way.y);
      worst = fmax(worst, off);
      touched += wall_a;
      if (wall_a != wall_b && off < 1e-5 && length > 0.01f) touched += 0;
      b = th_ground_locate_at(mesh, (th_vec3){a.x, a.y, 0.0f}, TH_ANY_LEVEL, 1.0f);
    }
  }
  printf("plane against flat ground: worst difference %.2g m, %u contacts\n", worst, touched);
  assert_true(touched > 2000);
  th_ground_release(flat);
  th_ground_release(mesh);
}

/* Distance to the nearest wall by an own search: straight rays in many directions do not suffice at corners, so the
 * vertices' clearance, which is exact to marching, and the ground's own answer are compared in test_surface.c. */
static void discs_keep_their_distance(void **unused) {
  (void)unused;
  for (int kind = 0; kind < SURFACE_KINDS; kind++) {
    th_soup soup;
    surface_soup(&soup, (surface_kind)kind, 5);
    th_surface_def def = surface_def(&soup);
    uint8_t *class_of = calloc(soup.face_count, 1);
    for (uint32_t f = 0; f < soup.face_count; f++) class_of[f] = th_random_unit(9, (uint32_t)kind, f, 0) < 0.06f;
    const th_face_class kinds[2] = {{"floor", 1.0f, false}, {"rock", 1.0f, true}};
    def.face_class = kinds;
    def.face_class_count = 2;
    def.class_of = class_of;
    th_ground *ground = surface_ground(&def);
    const th_surface *s = ground->surface;
    double deepest = 0.0;
    uint32_t walks = 0, touched = 0;
    for (uint32_t i = 0; i < 20000 && walks < 1000; i++) {
      float radius = 0.05f + 0.3f * th_random_unit(8, 0, i, 0);
      th_place at = surface_any_place(ground, 7, i);
      if (th_ground_clearance_at(ground, at) < radius + 0.002f) continue;
      walks++;
      th_turn turn = {1.0f, 0.0f};
      for (uint32_t n = 0; n < 30; n++) {
        float angle = 6.2831853f * th_random_unit(8, 1, i, n / 6), length = 0.4f * th_random_unit(8, 2, i, n);
        th_vec2 way = {length * cosf(angle), length * sinf(angle)};
        th_place before = at;
        touched += th_ground_walk(ground, &at, way, radius, &turn);
        if (at.cell >= s->mesh.face_count || s->blocked[at.cell])
          fail_msg("%s, seed 8, walk %u, step %u: cell %u", surface_name[kind], i, n, at.cell);
        double w[3];
        th_frames_weights(&s->frames, at.cell, (th_point){(double)at.x, (double)at.y}, w);
        for (int k = 0; k < 3; k++)
          if (!(w[k] > -1e-4)) fail_msg("%s, walk %u, step %u: weight %g", surface_name[kind], i, n, w[k]);
        th_vec3 p = th_ground_point(ground, before), q = th_ground_point(ground, at);
        double moved =
            sqrt((double)((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z)));
        if (moved > (double)length + 0.021)
          fail_msg("%s, walk %u: moved %g of %g", surface_name[kind], i, moved, (double)length);
        double depth = (double)radius - (double)th_ground_clearance_at(ground, at);
        deepest = fmax(deepest, depth);
        if (depth > (double)TH_WALK_TOLERANCE)
          fail_msg("%s, seed 8, walk %u, step %u: %g m deep, radius %g", surface_name[kind], i, n, depth,
                   (double)radius);
        assert_true(fabsf(turn.c * turn.c + turn.s * turn.s - 1.0f) < 1e-5f);
      }
    }
    printf("%-12s %5u walks, %6u contacts, deepest %.4f m\n", surface_name[kind], walks, touched, deepest);
    th_ground_release(ground);
    th_soup_free(&soup);
    free(class_of);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_plane_is_flat_ground),
      cmocka_unit_test(discs_keep_their_distance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
