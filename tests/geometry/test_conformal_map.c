/* tests/geometry/test_conformal_map.c - the maps of dynamic planarization: regions, conformal maps, distortion, memory.
 */
#include "geometry/mesh/stretch.h"
#include "support/patched_meshes.h"

static double shortest_edge(const charting *s) {
  double min = INFINITY;
  for (uint32_t h = 0; h < 3 * s->mesh.face_count; h++) {
    th_point a = th_frames_corner(&s->frames, h), b = th_frames_corner(&s->frames, th_half_next(h));
    min = fmin(min, hypot(b.x - a.x, b.y - a.y));
  }
  return min;
}

static void sphere_of_the_thesis(charting *s, double bumps) {
  th_soup soup = th_soup_begin(NULL);
  assert_int_equal(th_make_icosphere(&soup, 5, 10.0, bumps, NULL), TH_OK);
  charting_finish(s, &soup);
  assert_int_equal(s->mesh.face_count, 20480);
}

/* A2: 12.997 on the icosphere, sum of deg^2 / F - 5 on any closed mesh. */
/* shows: PLAN-09 PLAN-16 */
static void rings_have_the_size_of_the_thesis(void **unused) {
  (void)unused;
  for (int kind = 0; kind < 3; kind++) {
    charting s;
    if (kind == 0) sphere_of_the_thesis(&s, 0.0);
    if (kind == 1) charting_make(&s, CHARTING_TORUS);
    if (kind == 2) charting_make(&s, CHARTING_HANDLES);
    th_polar_map d;
    assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh));
    double reach = 0.9 * shortest_edge(&s), sum = 0.0, squares = 0.0;
    for (uint32_t f = 0; f < s.mesh.face_count; f++) {
      th_conformal_region(&d, &s.frames, f, &f, 1, reach);
      assert_int_equal(d.face[0], f);
      sum += d.face_count;
    }
    for (uint32_t v = 0; v < s.mesh.vertex_count; v++) {
      uint32_t degree = th_mesh_vertex_neighbours(&s.mesh, v, NULL, 0);
      squares += (double)degree * degree;
    }
    double mean = sum / s.mesh.face_count, expected = squares / s.mesh.face_count - 5.0;
    if (fabs(mean - expected) > 1e-9) fail_msg("kind %d: %g faces a map, expected %g", kind, mean, expected);
    if (kind == 0) assert_true(fabs(mean - 12.997) < 0.001);
    th_polar_map_free(&d);
    charting_free(&s);
  }
}

/* Larger reach: against Dijkstra written plainly. */
/* shows: PLAN-09 */
static void regions_hold_what_is_within_reach(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_HOUSE);
  charting_block(&s, 0.1, 6);
  th_polar_map d;
  assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh));
  double *dist = TH_TAKE(&s.mesh.allocator, double, s.mesh.vertex_count);
  for (uint32_t f = 3; f < s.mesh.face_count; f += 41) {
    if (s.blocked[f]) continue;
    for (uint32_t v = 0; v < s.mesh.vertex_count; v++) dist[v] = INFINITY;
    for (uint32_t k = 0; k < 3; k++) dist[s.mesh.corner[3 * f + k]] = 0.0;
    for (bool more = true; more;) {
      more = false;
      for (uint32_t h = 0; h < 3 * s.mesh.face_count; h++) {
        if (s.blocked[h / 3]) continue;
        uint32_t a = th_half_from(&s.mesh, h), b = th_half_to(&s.mesh, h);
        th_point p = th_frames_corner(&s.frames, h), q = th_frames_corner(&s.frames, th_half_next(h));
        double l = hypot(q.x - p.x, q.y - p.y);
        if (dist[a] + l < dist[b] - 1e-12) dist[b] = dist[a] + l, more = true;
        if (dist[b] + l < dist[a] - 1e-12) dist[a] = dist[b] + l, more = true;
      }
    }
    th_conformal_region(&d, &s.frames, f, &f, 1, 2.2);
    uint32_t count = 0;
    for (uint32_t g = 0; g < s.mesh.face_count; g++) {
      double min = INFINITY;
      for (uint32_t k = 0; k < 3; k++) min = fmin(min, dist[s.mesh.corner[3 * g + k]]);
      count += !s.blocked[g] && min < 2.2;
    }
    assert_int_equal(d.face_count, count);
  }
  TH_GIVE(&s.mesh.allocator, dist, s.mesh.vertex_count);
  th_polar_map_free(&d);
  charting_free(&s);
}

/* Solves the region round a face and adds its triangles to the table; the largest gap between corners of neighbours. */
static void map_face(const charting *s, th_polar_map *d, th_conformal_map *l, uint32_t face, double reach) {
  th_conformal_region(d, &s->frames, face, &face, 1, reach);
  th_conformal_map_task task = {&s->frames, d->face, d->vertex, d->face_count, d->vertex_count};
  assert_int_equal(th_conformal_map_solve(l, &task), TH_CONFORMAL_MAP_DONE);
}

static void corners(const charting *s, const th_conformal_map *l, uint32_t face, th_point *p) {
  for (uint32_t k = 0; k < 3; k++) p[k] = l->at[l->local[s->mesh.corner[3 * face + k]]];
}

/* A3: the central triangle keeps its area, nothing is turned over, distortion peaks at 1 and is least at the centre. */
/* shows: PLAN-11 PLAN-12 PLAN-13 PLAN-17 PLAN-18 */
static void maps_have_the_quality_of_the_thesis(void **unused) {
  (void)unused;
  for (int bumps = 0; bumps < 2; bumps++) {
    charting s;
    sphere_of_the_thesis(&s, bumps ? 0.2 : 0.0);
    th_polar_map d;
    th_conformal_map l;
    assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh) &&
                th_conformal_map_make(&l, &s.mesh.allocator, &s.mesh));
    th_stretch_table table = {0};
    double reach = 0.9 * shortest_edge(&s);
    for (uint32_t f = 0; f < s.mesh.face_count; f++) {
      map_face(&s, &d, &l, f, reach);
      assert_int_equal(th_conformal_region_euler(&d), 1);
      for (uint32_t n = 0; n < d.face_count; n++) {
        th_point p[3];
        corners(&s, &l, d.face[n], p);
        double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
        const th_face_frame *t = &s.frames.face[d.face[n]];
        assert_true(area > 0.0);
        if (n == 0) assert_true(fabs(area / (t->bx * t->cy) - 1.0) < 1e-5);
        th_stretch_add(&table, th_stretch_of(t, p).l2, n == 0 ? TH_STRETCH_CENTRAL : TH_STRETCH_RIM);
      }
    }
    uint32_t peak = 0;
    for (uint32_t k = 1; k < TH_STRETCH_BINS; k++) peak = table.bin[k] > table.bin[peak] ? k : peak;
    assert_int_equal(peak, 20); /* L2 = 1 */
    assert_true(th_stretch_share(&table, 0.05) > 0.99);
    assert_true(table.worst < 0.15);
    assert_true(table.central_off / (double)table.central <= table.rim_off / (double)table.rim);
    assert_int_equal(table.central, 20480);
    th_conformal_map_free(&l);
    th_polar_map_free(&d);
    charting_free(&s);
  }
}

/* shows: PLAN-19 */
static void flat_maps_are_isometric(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_SHAKEN);
  th_polar_map d;
  th_conformal_map l;
  assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh) &&
              th_conformal_map_make(&l, &s.mesh.allocator, &s.mesh));
  const double reach[] = {0.01, 2.5, 7.0}; /* a ring; whole rows; rows from their first entry on */
  for (uint32_t f = 800; f < 1600; f += 157)
    for (int k = 0; k < 3; k++) {
      map_face(&s, &d, &l, f, reach[k]);
      for (uint32_t n = 0; n < d.face_count; n++) {
        th_point p[3];
        corners(&s, &l, d.face[n], p);
        assert_true(th_polar_map_face_off(&s.frames.face[d.face[n]], p) < 1e-6);
      }
    }
  th_conformal_map_free(&l);
  th_polar_map_free(&d);
  charting_free(&s);
}

/* Of few unknowns as they come, and of many that are numbered anew. */
static void solutions_have_no_gradient(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_BUMPY);
  th_polar_map d;
  th_conformal_map l;
  assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh) &&
              th_conformal_map_make(&l, &s.mesh.allocator, &s.mesh));
  const double reach[] = {0.1, 2.5, 6.0};
  for (int k = 0; k < 3; k++) {
    map_face(&s, &d, &l, 1234, reach[k]);
    double *g = TH_TAKE(&s.mesh.allocator, double, 2 * d.vertex_count), size = 0.0;
    for (uint32_t n = 0; n < d.face_count; n++) { /* gradient of sum |W U|^2 / d, written out */
      const th_face_frame *t = &s.frames.face[d.face[n]];
      const double wx[3] = {t->cx - t->bx, -t->cx, t->bx}, wy[3] = {t->cy, -t->cy, 0.0};
      th_point p[3];
      corners(&s, &l, d.face[n], p);
      double re = 0.0, im = 0.0;
      for (int a = 0; a < 3; a++) re += wx[a] * p[a].x - wy[a] * p[a].y, im += wx[a] * p[a].y + wy[a] * p[a].x;
      for (uint32_t a = 0; a < 3; a++) {
        uint32_t v = l.local[s.mesh.corner[3 * d.face[n] + a]];
        g[2 * v] += (wx[a] * re + wy[a] * im) / (t->bx * t->cy);
        g[2 * v + 1] += (wx[a] * im - wy[a] * re) / (t->bx * t->cy);
      }
    }
    for (uint32_t v = 3; v < d.vertex_count; v++) size = fmax(size, hypot(g[2 * v], g[2 * v + 1]));
    if (!(size < 1e-8)) fail_msg("reach %g: gradient %g", reach[k], size);
    TH_GIVE(&s.mesh.allocator, g, 2 * d.vertex_count);
  }
  th_conformal_map_free(&l);
  th_polar_map_free(&d);
  charting_free(&s);
}

/* Stretch of known maps: identity, twice as large, squeezed in one direction. */
static void stretch_is_what_it_says(void **unused) {
  (void)unused;
  th_face_frame t = {2.0, 0.7, 1.5};
  const th_point same[3] = {{1, 1}, {3, 1}, {1.7, 2.5}}, twice[3] = {{0, 0}, {4, 0}, {1.4, 3.0}};
  const th_point flat[3] = {{0, 0}, {2, 0}, {0.7, 0.75}};
  assert_true(fabs(th_stretch_of(&t, same).l2 - 1.0) < 1e-12);
  assert_true(fabs(th_stretch_of(&t, twice).l2 - 0.5) < 1e-12);
  th_stretch s = th_stretch_of(&t, flat);
  assert_true(fabs(s.large - 2.0) < 1e-12 && fabs(s.small - 1.0) < 1e-12 && fabs(s.l2 - sqrt(2.5)) < 1e-12);
  th_stretch_table table = {0};
  th_stretch_add(&table, 1.0, TH_STRETCH_CENTRAL);
  th_stretch_add(&table, 1.2, TH_STRETCH_RIM);
  th_stretch_add(&table, 7.0, TH_STRETCH_INNER);
  assert_true(table.bin[20] == 1 && table.bin[40] == 2 && table.count == 3);
  assert_true(fabs(th_stretch_share(&table, 0.05) - 1.0 / 3.0) < 1e-12);
}

/* A4: the content of a ring's chart, ids and maps, stays within the 400 bytes of the thesis; with the distances of
 * clusters, the octagon, vertices and the head a chart takes 684, which is the difference (docs/differences.txt). */
/* shows: PLAN-14 PLAN-20 PLAN-63 */
static void charts_by_lscm(void **unused) {
  (void)unused;
  charting s;
  sphere_of_the_thesis(&s, 0.2);
  th_patches p = charting_patches(&s, 8.0f, true);
  th_chart_maker k;
  assert_true(th_chart_maker_make(&k, &s.mesh.allocator, &s.mesh, &p));
  th_chart_def def = {.method = TH_CHART_LSCM, .reach = (float)(0.9 * shortest_edge(&s))};
  double faces = 0.0, content = 0.0, bytes = 0.0;
  for (uint32_t n = 0; n < p.count; n++) {
    th_chart *chart = th_chart_build(&k, &s.frames, &p, &def, n);
    assert_non_null(chart);
    assert_false(chart->polar);
    assert_true(chart->first == NULL && chart->map_count == chart->cluster_count);
    faces += chart->face_count;
    bytes += (double)chart->bytes;
    content += 4.0 * chart->cluster_count + (double)sizeof(th_chart_map) * chart->map_count;
    const th_chart_map *own = th_chart_find(chart, &p, p.centre[n]);
    assert_true(fabsf(own->a - 1.0f) < 1e-6f && fabsf(own->d - 1.0f) < 1e-6f && fabsf(own->b) < 1e-6f);
    assert_true(chart->cover > 0.0f);
    th_chart_free(chart, &k.allocator);
  }
  assert_true(fabs(faces / p.count - 12.997) < 0.001);
  print_message("bytes of a map: %.1f, of its content: %.1f\n", bytes / p.count, content / p.count);
  assert_true(content / p.count <= 400.0);
  assert_true(fabs(bytes / p.count - 683.9) < 0.1);
  th_chart_maker_free(&k);
  th_patches_free(&p);
  charting_free(&s);
}

/* A thin tube: no disc, so these charts are made by polar coordinates and say so. */
/* shows: PLAN-20 */
static void regions_that_are_no_discs_are_found(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_THIN_TUBE);
  th_patches p = charting_patches(&s, 8.0f, true);
  th_chart_maker k;
  assert_true(th_chart_maker_make(&k, &s.mesh.allocator, &s.mesh, &p));
  for (int wide = 0; wide < 2; wide++) {
    th_chart_def def = {.method = TH_CHART_LSCM, .reach = wide ? 3.0f : 0.1f};
    for (uint32_t n = 0; n < p.count; n += 17) {
      th_chart *chart = th_chart_build(&k, &s.frames, &p, &def, n);
      assert_true(chart->polar == (wide == 1));
      assert_non_null(th_chart_find(chart, &p, p.centre[n]));
      if (wide) assert_true(chart->torn > 0);
      th_chart_free(chart, &k.allocator);
    }
  }
  th_chart_maker_free(&k);
  th_patches_free(&p);
  charting_free(&s);
}

/* Patches of many faces by LSCM: own faces are always held, whatever it takes. */
static void patches_by_lscm(void **unused) {
  (void)unused;
  for (int kind = 0; kind < CHARTING_KINDS; kind++) {
    charting s;
    charting_make(&s, (charting_kind)kind);
    th_patches p = charting_patches(&s, 6.0f, false);
    th_chart_maker k;
    assert_true(th_chart_maker_make(&k, &s.mesh.allocator, &s.mesh, &p));
    th_chart_def def = {.method = TH_CHART_LSCM, .reach = 2.0f};
    for (uint32_t n = 0; n < p.count; n += 1 + p.count / 6) {
      th_chart *chart = th_chart_build(&k, &s.frames, &p, &def, n);
      assert_non_null(chart);
      for (uint32_t i = p.start[p.first[n]]; i < p.start[p.first[n + 1]]; i++)
        assert_non_null(th_chart_find(chart, &p, p.face[i]));
      th_chart_free(chart, &k.allocator);
    }
    th_chart_maker_free(&k);
    th_patches_free(&p);
    charting_free(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rings_have_the_size_of_the_thesis),
      cmocka_unit_test(regions_hold_what_is_within_reach),
      cmocka_unit_test(maps_have_the_quality_of_the_thesis),
      cmocka_unit_test(flat_maps_are_isometric),
      cmocka_unit_test(solutions_have_no_gradient),
      cmocka_unit_test(stretch_is_what_it_says),
      cmocka_unit_test(charts_by_lscm),
      cmocka_unit_test(regions_that_are_no_discs_are_found),
      cmocka_unit_test(patches_by_lscm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
