/* tests/ground/test_chart.c - what a chart promises: own faces held, shapes kept, no gap within its cover, walls where
 * they are. */
#include <time.h>

#include "geometry/mesh/straight_walk.h"
#include "support/patched_meshes.h"
#include "support/slow.h"

typedef struct bench_top {
  charting s;
  th_patches p;
  th_chart_maker k;
} bench_top;

static void top_make(bench_top *b, charting_kind kind, double blocked, float size, bool one_face) {
  charting_make(&b->s, kind);
  if (blocked > 0.0) charting_block(&b->s, blocked, 21);
  b->p = charting_patches(&b->s, size, one_face);
  assert_true(th_chart_maker_make(&b->k, &b->s.mesh.allocator, &b->s.mesh, &b->p));
}

static void top_free(bench_top *b) {
  th_chart_maker_free(&b->k);
  th_patches_free(&b->p);
  charting_free(&b->s);
}

static th_chart *build(bench_top *b, float reach, uint32_t patch) {
  th_chart_def def = {.method = TH_CHART_DGPC, .reach = reach};
  th_chart *chart = th_chart_build(&b->k, &b->s.frames, &b->p, &def, patch);
  assert_non_null(chart);
  assert_int_equal(chart->patch, patch);
  return chart;
}

static th_vec2 corner_in(const bench_top *b, const th_chart_map *map, uint32_t h) {
  th_point q = th_frames_corner(&b->s.frames, h);
  return th_chart_point(map, (float)q.x, (float)q.y);
}

/* Own faces are held, clusters ascend, every held face keeps its shape, neighbours agree along their edge. */
static void assert_sound(const bench_top *b, const th_chart *chart) {
  uint32_t held = 0;
  for (uint32_t n = 1; n < chart->cluster_count; n++) assert_true(chart->cluster[n - 1] < chart->cluster[n]);
  for (uint32_t n = 0; n < b->p.first[chart->patch + 1] - b->p.first[chart->patch]; n++)
    assert_int_equal(chart->cluster[chart->own_first + n], b->p.first[chart->patch] + n);
  for (uint32_t f = 0; f < b->p.face_count; f++) {
    if (b->s.blocked[f]) continue;
    const th_chart_map *map = th_chart_find(chart, &b->p, f);
    if (b->p.patch_of[f] == chart->patch) assert_non_null(map);
    if (!map) continue;
    held++;
    th_point p[3];
    for (uint32_t k = 0; k < 3; k++) {
      th_vec2 q = corner_in(b, map, 3 * f + k);
      p[k] = (th_point){(double)q.x, (double)q.y};
      assert_true(q.x >= chart->box.x0 - 1e-4f && q.x <= chart->box.x1 + 1e-4f);
      assert_true(q.y >= chart->box.y0 - 1e-4f && q.y <= chart->box.y1 + 1e-4f);
    }
    double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    if (b->s.frames.face[f].cy > 1e-3) assert_true(area > 0.0);
    for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
      uint32_t twin = b->s.mesh.twin[h];
      const th_chart_map *other =
          twin == TH_NO_HALF || b->s.blocked[twin / 3] ? NULL : th_chart_find(chart, &b->p, twin / 3);
      if (!other) continue;
      th_vec2 here = corner_in(b, map, h), there = corner_in(b, other, th_half_next(twin));
      assert_true(fabsf(here.x - there.x) < 1e-4f && fabsf(here.y - there.y) < 1e-4f);
    }
  }
  assert_int_equal(held, chart->face_count);
}

/* shows: PLAN-13 PLAN-14 */
static void charts_are_sound(void **unused) {
  (void)unused;
  for (int kind = 0; kind < CHARTING_KINDS; kind++)
    for (int holes = 0; holes < 2; holes++) {
      bench_top b;
      top_make(&b, (charting_kind)kind, holes ? 0.15 : 0.0, 8.0f, false);
      for (uint32_t patch = 0; patch < b.p.count; patch += 1 + b.p.count / 12) {
        th_chart *chart = build(&b, 4.0f, patch);
        assert_sound(&b, chart);
        th_chart_free(chart, &b.k.allocator);
      }
      top_free(&b);
    }
}

/* shows: PLAN-19 */
static void flat_charts_are_isometric(void **unused) {
  (void)unused;
  for (int kind = CHARTING_GRID; kind <= CHARTING_SHAKEN; kind++)
    for (int holes = 0; holes < 2; holes++) {
      bench_top b;
      top_make(&b, (charting_kind)kind, holes ? 0.2 : 0.0, 8.0f, false);
      for (uint32_t patch = 0; patch < b.p.count; patch++) {
        th_chart *chart = build(&b, 5.0f, patch);
        for (uint32_t n = 0; n < chart->map_count; n++) {
          const th_chart_map *m = &chart->map[n];
          if (!th_chart_holds(m)) continue;
          assert_true(fabsf(m->a * m->a + m->c * m->c - 1.0f) < 2e-6f &&
                      fabsf(m->b * m->b + m->d * m->d - 1.0f) < 2e-6f);
          assert_true(fabsf(m->a * m->b + m->c * m->d) < 2e-6f && m->a * m->d - m->b * m->c > 0.0f);
        }
        th_chart_free(chart, &b.k.allocator);
      }
      top_free(&b);
    }
}

/* Walks from places of the patch, any way, not farther than the cover: every place on the way is held, and on surfaces
 * that bend little the chart shows it as far away as it is. */
static void walk_within_cover(bench_top *b, const th_chart *chart, uint32_t n) {
  uint32_t first = b->p.start[b->p.first[chart->patch]], end = b->p.start[b->p.first[chart->patch + 1]];
  uint32_t face = b->p.face[first + th_random_to_below(th_random(5, 0, n, chart->patch), end - first)];
  double u = th_random_unit_double(5, 1, n, 0), v = th_random_unit_double(5, 2, n, 0);
  if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
  const double weight[3] = {1.0 - u - v, u, v};
  th_point p = th_frames_at(&b->s.frames, face, weight);
  double angle = 6.283185 * th_random_unit_double(5, 3, n, 0);
  double metres = 0.999 * (double)chart->cover * (n % 2 ? 1.0 : th_random_unit_double(5, 4, n, 0));
  th_mesh_walker w = th_mesh_walker_begin(face, p, (th_point){cos(angle), sin(angle)}, metres);
  while (th_mesh_walker_advance(&b->s.frames, &w) && !w.touched) {
    const th_chart_map *map = th_chart_find(chart, &b->p, w.face);
    if (!map) fail_msg("patch %u walk %u: face %u is missing, cover %g", chart->patch, n, w.face, (double)chart->cover);
  }
}

/* shows: PLAN-10 */
static void nothing_is_missing_within_the_cover(void **unused) {
  (void)unused;
  for (int kind = 0; kind < CHARTING_KINDS; kind++)
    for (int mode = 0; mode < 3; mode++) { /* patches, patches between obstacles, one face */
      bench_top b;
      top_make(&b, (charting_kind)kind, mode == 1 ? 0.15 : 0.0, 8.0f, mode == 2);
      for (uint32_t patch = 0; patch < b.p.count; patch += 1 + b.p.count / 16) {
        th_chart *chart = build(&b, mode == 2 ? 1.5f : 4.0f, patch);
        for (uint32_t n = 0; n < 100; n++) walk_within_cover(&b, chart, n);
        th_chart_free(chart, &b.k.allocator);
      }
      top_free(&b);
    }
}

/* The cover is what was asked for wherever the surface allows it: with patches nearly everywhere, with one face each
 * everywhere. */
/* shows: PLAN-10 */
static void gentle_surfaces_are_covered(void **unused) {
  (void)unused;
  const charting_kind gentle[] = {CHARTING_GRID,   CHARTING_SHAKEN, CHARTING_HILLS,
                                  CHARTING_SPHERE, CHARTING_TORUS,  CHARTING_TUBE};
  for (uint32_t i = 0; i < sizeof gentle / sizeof *gentle; i++) {
    bench_top b;
    top_make(&b, gentle[i], 0.0, 8.0f, false);
    uint32_t full = 0;
    for (uint32_t patch = 0; patch < b.p.count; patch++) {
      th_chart *chart = build(&b, 4.0f, patch);
      full += chart->cover >= 0.95f * 4.0f;
      th_chart_free(chart, &b.k.allocator);
    }
    if (full * 100 < b.p.count * 95) fail_msg("kind %d: %u of %u charts covered", (int)gentle[i], full, b.p.count);
    top_free(&b);
    top_make(&b, gentle[i], 0.0, 8.0f, true);
    for (uint32_t patch = 0; patch < b.p.count; patch++) {
      th_chart *chart = build(&b, 1.5f, patch);
      if (chart->cover < 1.49f) fail_msg("kind %d, face %u: %g m covered", (int)gentle[i], patch, (double)chart->cover);
      th_chart_free(chart, &b.k.allocator);
    }
    top_free(&b);
  }
}

/* A map of one face holds it and all faces that touch it, as in the thesis, sum deg^2 / F - 5 in the mean, and few
 * more. */
static void assert_rings(bench_top *b) {
  const th_mesh *m = &b->s.mesh;
  uint32_t *degree = calloc(m->vertex_count, sizeof *degree);
  double expected = 0.0, found = 0.0;
  assert_non_null(degree);
  for (uint32_t h = 0; h < 3 * m->face_count; h++) degree[m->corner[h]]++;
  for (uint32_t v = 0; v < m->vertex_count; v++) expected += (double)degree[v] * degree[v] / m->face_count;
  for (uint32_t patch = 0; patch < b->p.count; patch++) {
    th_chart *chart = build(b, 0.1f, patch);
    found += (double)chart->face_count / b->p.count;
    th_chart_free(chart, &b->k.allocator);
  }
  free(degree);
  if (found < expected - 5.0 - 1e-9 || found > expected - 4.0)
    fail_msg("%g faces in a map, expected %g", found, expected - 5.0);
}

/* Maps of one face and the faces around it: the least processor time of rounds over all faces. */
/* shows: PLAN-21 */
static void a_map_of_one_ring_takes_microseconds(void **unused) {
  (void)unused;
  bench_top b;
  double least = INFINITY;
  top_make(&b, CHARTING_SPHERE, 0.0, 8.0f, true);
  assert_rings(&b);
  for (int round = 0; round < LONG_RUN(12, 1); round++) {
    struct timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    for (uint32_t patch = 0; patch < b.p.count; patch++) th_chart_free(build(&b, 0.1f, patch), &b.k.allocator);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    double time = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    least = fmin(least, time / b.p.count);
  }
  print_message("%.2f us for each of %u maps\n", 1e6 * least, b.p.count);
  if (!SLOW_BUILD) assert_true(least <= 0.02e-3);
  top_free(&b);
}

/* Distance in the chart of own centroids against the straight way over the surface. */
static void distances_are_kept(void **unused) {
  (void)unused;
  bench_top b;
  top_make(&b, CHARTING_SPHERE, 0.0, 8.0f, false);
  double worst = 0.0;
  for (uint32_t patch = 0; patch < b.p.count; patch++) {
    th_chart *chart = build(&b, 2.0f, patch);
    for (uint32_t n = 0; n < 50; n++) {
      uint32_t first = b.p.start[b.p.first[patch]], end = b.p.start[b.p.first[patch + 1]];
      uint32_t face = b.p.face[first + th_random_to_below(th_random(8, 0, n, patch), end - first)];
      th_point p = {b.s.frames.face[face].bx / 3.0 + b.s.frames.face[face].cx / 3.0, b.s.frames.face[face].cy / 3.0};
      double angle = 6.283185 * th_random_unit_double(8, 1, n, patch);
      th_mesh_walker w = th_mesh_walker_begin(face, p, (th_point){cos(angle), sin(angle)}, 2.0);
      assert_true(th_mesh_walk(&b.s.frames, &w, 1000));
      const th_chart_map *from = th_chart_find(chart, &b.p, face), *to = th_chart_find(chart, &b.p, w.face);
      if (!to) continue;
      th_vec2 a = th_chart_point(from, (float)p.x, (float)p.y), c = th_chart_point(to, (float)w.p.x, (float)w.p.y);
      worst = fmax(worst, fabs(hypot((double)(a.x - c.x), (double)(a.y - c.y)) / 2.0 - 1.0));
    }
    th_chart_free(chart, &b.k.allocator);
  }
  if (!(worst < 0.06)) fail_msg("2 m are off by %g", worst);
  top_free(&b);
}

/* Two storeys 0.1 m apart, joined at one end: who stands below is not in the chart of who stands above. */
static void thin_sheets_do_not_see_through(void **unused) {
  (void)unused;
  th_soup soup = th_soup_begin(NULL);
  uint32_t row[61][2];
  for (uint32_t i = 0; i <= 60; i++) { /* 30 m there on top, 30 m back below */
    double x = i < 30 ? (double)i : i == 30 ? 30.0 : (double)(60 - i), z = i <= 30 ? 0.1 : 0.0;
    for (uint32_t k = 0; k < 2; k++)
      row[i][k] = th_soup_vertex(&soup, x, i <= 30 ? (double)k : (double)k, i == 30 ? 0.05 : z);
  }
  for (uint32_t i = 0; i < 60; i++) th_soup_quad(&soup, row[i][0], row[i + 1][0], row[i + 1][1], row[i][1]);
  bench_top b;
  charting_finish(&b.s, &soup);
  b.p = charting_patches(&b.s, 4.0f, false);
  assert_true(th_chart_maker_make(&b.k, &b.s.mesh.allocator, &b.s.mesh, &b.p));
  for (uint32_t patch = 0; patch < b.p.count; patch++) {
    th_chart *chart = build(&b, 5.0f, patch);
    uint32_t own = b.p.centre[patch] / 2; /* quad along the band */
    for (uint32_t f = 0; f < b.p.face_count; f++)
      if (th_chart_find(chart, &b.p, f)) assert_true(abs((int)(f / 2) - (int)own) < 14);
    th_chart_free(chart, &b.k.allocator);
  }
  top_free(&b);
}

/* Does the point lie inside a held face other than `but`, by more than `deep` [m2]? */
static bool covered_twice(const bench_top *b, const th_chart *chart, uint32_t but, th_vec2 at, float deep) {
  for (uint32_t f = 0; f < b->p.face_count; f++) {
    const th_chart_map *map = f == but ? NULL : th_chart_find(chart, &b->p, f);
    bool inside = map != NULL;
    for (uint32_t h = 3 * f; inside && h < 3 * f + 3; h++) {
      th_vec2 p = corner_in(b, map, h), q = corner_in(b, map, th_half_next(h));
      inside = (q.x - p.x) * (at.y - p.y) - (q.y - p.y) * (at.x - p.x) > deep;
    }
    if (inside) return true;
  }
  return false;
}

/* A ramp that winds up round a pillar: laid flat, its turns would lie on top of each other. */
static void check_spiral(double size) {
  th_soup soup = th_soup_begin(NULL);
  uint32_t before[4] = {0}, row[4];
  for (uint32_t i = 0; i <= 96; i++) { /* three turns of 32 steps, 0.6 to 2.6 from the axis, 3 a turn */
    double angle = 6.283185307179586 * i / 32.0;
    for (uint32_t k = 0; k < 4; k++) {
      double r = size * (0.6 + 2.0 * k / 3.0);
      row[k] = th_soup_vertex(&soup, r * cos(angle), r * sin(angle), size * 3.0 * i / 32.0);
    }
    for (uint32_t k = 0; i > 0 && k < 3; k++) th_soup_quad(&soup, before[k], before[k + 1], row[k + 1], row[k]);
    memcpy(before, row, sizeof row);
  }
  bench_top b;
  charting_finish(&b.s, &soup);
  b.p = charting_patches(&b.s, 3.0f * (float)size, false);
  assert_true(th_chart_maker_make(&b.k, &b.s.mesh.allocator, &b.s.mesh, &b.p));
  for (uint32_t patch = 0; patch < b.p.count; patch++) {
    th_chart *chart = build(&b, 12.0f * (float)size, patch);
    for (uint32_t f = 0; f < b.p.face_count; f++) {
      const th_chart_map *map = th_chart_find(chart, &b.p, f);
      if (!map) continue;
      const th_face_frame *t = &b.s.frames.face[f];
      const th_vec2 middle = th_chart_point(map, (float)((t->bx + t->cx) / 3.0), (float)(t->cy / 3.0));
      assert_false(covered_twice(&b, chart, f, middle, 1e-4f * (float)(size * size)));
    }
    assert_true(chart->torn > 0 && chart->face_count < b.p.face_count);
    th_chart_free(chart, &b.k.allocator);
  }
  top_free(&b);
}

static void a_spiral_does_not_cover_itself(void **unused) {
  (void)unused;
  check_spiral(1.0);
  check_spiral(0.1); /* what counts is a part of a side, not a length */
}

/* shows: PLAN-20 */
static void tubes_are_cut_open_once(void **unused) {
  (void)unused;
  bench_top b;
  top_make(&b, CHARTING_THIN_TUBE, 0.0, 8.0f, false);
  uint32_t torn = 0;
  for (uint32_t patch = 0; patch < b.p.count; patch++) {
    th_chart *chart = build(&b, 6.0f, patch);
    assert_sound(&b, chart);
    torn += chart->torn > 0;
    /* half the circumference, 1.86 m, less what the patch takes up, and not more than that */
    assert_true(chart->cover > 0.3f && chart->cover < 1.9f);
    th_chart_free(chart, &b.k.allocator);
  }
  assert_int_equal(torn, b.p.count); /* each says that it is not a disc */
  top_free(&b);
}

/* Walls are exactly the sides of held faces beyond which nobody may go, with the face on the left. */
static void walls_are_where_they_are(void **unused) {
  (void)unused;
  bench_top b;
  top_make(&b, CHARTING_HILLS, 0.1, 8.0f, false);
  for (uint32_t patch = 0; patch < b.p.count; patch += 5) {
    th_chart *chart = build(&b, 4.0f, patch);
    uint32_t count = 0;
    for (uint32_t f = 0; f < b.p.face_count; f++) {
      const th_chart_map *map = b.s.blocked[f] ? NULL : th_chart_find(chart, &b.p, f);
      for (uint32_t h = 3 * f; map && h < 3 * f + 3; h++) {
        if (b.s.mesh.twin[h] != TH_NO_HALF && !b.s.blocked[b.s.mesh.twin[h] / 3]) continue;
        count++;
        th_vec2 a = corner_in(&b, map, h), c = corner_in(&b, map, th_half_previous(h));
        bool found = false;
        for (uint32_t n = 0; n < chart->wall_count; n++) {
          const th_segment *w = &chart->wall[n];
          if (fabsf(w->ax - a.x) > 1e-4f || fabsf(w->ay - a.y) > 1e-4f) continue;
          found |= th_segment_side(w, (double)c.x, (double)c.y) > 0.0;
        }
        assert_true(found);
      }
    }
    assert_int_equal(count, chart->wall_count);
    th_chart_free(chart, &b.k.allocator);
  }
  top_free(&b);
}

static void vectors_go_there_and_back(void **unused) {
  (void)unused;
  bench_top b;
  top_make(&b, CHARTING_BUMPY, 0.0, 8.0f, false);
  th_chart *chart = build(&b, 4.0f, 3);
  for (uint32_t n = 0; n < chart->map_count; n++) {
    if (!th_chart_holds(&chart->map[n])) continue;
    th_vec2 there = th_chart_vector(&chart->map[n], 0.6f, -1.1f),
            back = th_chart_to_face(&chart->map[n], there.x, there.y);
    assert_true(fabsf(back.x - 0.6f) < 1e-5f && fabsf(back.y + 1.1f) < 1e-5f);
  }
  th_chart_free(chart, &b.k.allocator);
  top_free(&b);
}

/* Clearance against every wall, one by one; 0 where no held face lies. */
static void clearance_is_exact(void **unused) {
  (void)unused;
  bench_top b;
  top_make(&b, CHARTING_SHAKEN, 0.1, 8.0f, false);
  th_chart_def def = {.reach = 4.0f, .clearance_cell = 0.25f, .clearance_limit = 3.0f};
  uint32_t large = 0;
  for (uint32_t patch = 0; patch < b.p.count; patch += 2) {
    th_chart *chart = th_chart_build(&b.k, &b.s.frames, &b.p, &def, patch);
    const th_raster *r = &chart->clearance;
    assert_true(r->width > 0 && r->height > 0 && r->cell == 0.25f);
    uint32_t inside = 0, zero = 0;
    for (uint32_t c = 0; c < r->width * r->height; c++) {
      double x = (double)(r->x0 + (float)(c % r->width) * r->cell),
             y = (double)(r->y0 + (float)(c / r->width) * r->cell);
      double min = 3.0;
      for (uint32_t n = 0; n < chart->wall_count; n++)
        min = fmin(min, sqrt(th_segment_distance2(&chart->wall[n], x, y)));
      inside += r->sample[c] > 0.0f;
      zero += r->sample[c] == 0.0f;
      if (r->sample[c] > 0.0f) assert_true(fabs((double)r->sample[c] - min) < 1e-4);
    }
    large += inside > 1000 && zero > 100;
    for (uint32_t f = 0; f < b.p.face_count; f++) { /* a held face's centroid is not 0 unless a wall is there */
      const th_chart_map *map = b.s.blocked[f] ? NULL : th_chart_find(chart, &b.p, f);
      if (!map || b.p.patch_of[f] != patch) continue;
      const th_face_frame *t = &b.s.frames.face[f];
      th_vec2 q = th_chart_point(map, (float)((t->bx + t->cx) / 3.0), (float)(t->cy / 3.0));
      uint32_t i = (uint32_t)((q.x - r->x0) / r->cell + 0.5f), j = (uint32_t)((q.y - r->y0) / r->cell + 0.5f);
      assert_true(i < r->width && j < r->height);
    }
    th_chart_free(chart, &b.k.allocator);
  }
  assert_true(large > 5); /* obstacles also leave pockets of a few faces */
  top_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(charts_are_sound),
      cmocka_unit_test(flat_charts_are_isometric),
      cmocka_unit_test(nothing_is_missing_within_the_cover),
      cmocka_unit_test(gentle_surfaces_are_covered),
      cmocka_unit_test(a_map_of_one_ring_takes_microseconds),
      cmocka_unit_test(distances_are_kept),
      cmocka_unit_test(thin_sheets_do_not_see_through),
      cmocka_unit_test(a_spiral_does_not_cover_itself),
      cmocka_unit_test(tubes_are_cut_open_once),
      cmocka_unit_test(walls_are_where_they_are),
      cmocka_unit_test(vectors_go_there_and_back),
      cmocka_unit_test(clearance_is_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
