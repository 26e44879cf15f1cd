/* tests/lab/test_mesh_printed.c - gradients of the published planner, its printed walk, and the walk that arrives.
 */
#include <stdio.h>

#include "base/platform/clock.h"
#include "base/random.h"
#include "geometry/mesh/bvh.h"
#include "support/relaxed_meshes.h"

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double pick(uint32_t n, uint32_t k) { return 4.0 * th_random_unit_double(11, k, n, 0) - 2.0; }

/* ---------------------------------------------------------------- gradients */

/* shows: SBVP-30 */
static void gradients_of_linear_functions_are_exact(void **unused) {
  (void)unused;
  for (uint32_t n = 0; n < 500; n++) {
    double xyz[3][3], slope[3], value[3], g[3], normal[3], a[3], b[3];
    for (uint32_t k = 0; k < 9; k++) xyz[k / 3][k % 3] = pick(n, k);
    for (uint32_t k = 0; k < 3; k++) slope[k] = pick(n, 9 + k);
    for (int k = 0; k < 3; k++) {
      value[k] = 5.0 + dot(slope, xyz[k]);
      a[k] = xyz[1][k] - xyz[0][k];
      b[k] = xyz[2][k] - xyz[0][k];
    }
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
    const double size = dot(normal, normal), out = dot(slope, normal) / size;
    th_mesh_face_gradient((const double(*)[3])xyz, value, g);
    for (int k = 0; k < 3; k++) {
      const double tangent = slope[k] - out * normal[k];
      if (!(fabs(g[k] - tangent) < 1e-12 * (1.0 + 10.0 / sqrt(size))))
        fail_msg("triangle %u: %g, %g", n, g[k], tangent);
    }
  }
}

/* shows: SBVP-31 */
static void edge_normals_are_turned_edges(void **unused) {
  (void)unused;
  static const int edge[3][2] = {{0, 1}, {2, 1}, {0, 2}};
  for (uint32_t n = 0; n < 500; n++) {
    double xyz[3][3], normal[3][3];
    for (uint32_t k = 0; k < 9; k++) xyz[k / 3][k % 3] = pick(n, k);
    th_mesh_edge_normals((const double(*)[3])xyz, normal);
    const double face[3] = {
        (xyz[1][1] - xyz[0][1]) * (xyz[2][2] - xyz[0][2]) - (xyz[1][2] - xyz[0][2]) * (xyz[2][1] - xyz[0][1]),
        (xyz[1][2] - xyz[0][2]) * (xyz[2][0] - xyz[0][0]) - (xyz[1][0] - xyz[0][0]) * (xyz[2][2] - xyz[0][2]),
        (xyz[1][0] - xyz[0][0]) * (xyz[2][1] - xyz[0][1]) - (xyz[1][1] - xyz[0][1]) * (xyz[2][0] - xyz[0][0])};
    for (int k = 0; k < 3; k++) assert_true(fabs(normal[1][k] + normal[2][k] - normal[0][k]) < 1e-13);
    for (int e = 0; e < 3; e++) {
      double along[3];
      for (int k = 0; k < 3; k++) along[k] = xyz[edge[e][1]][k] - xyz[edge[e][0]][k];
      assert_true(fabs(dot(normal[e], normal[e]) - dot(along, along)) < 1e-12 * (1.0 + dot(along, along)));
      assert_true(fabs(dot(normal[e], along)) < 1e-13 * (1.0 + dot(along, along)));
      assert_true(fabs(dot(normal[e], face)) < 1e-12 * (1.0 + dot(along, along) + dot(face, face)));
    }
  }
}

/* Two faces with a common edge from a (0, 0) to b (1, 0); c above it and d below. */
static th_mesh two_faces(void) {
  static const double xyz[] = {0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, -1, 0};
  static const uint32_t corner[] = {0, 1, 2, 1, 0, 3};
  th_mesh_def def = th_default_mesh_def();
  def.xyz_double = xyz;
  def.vertex_count = 4;
  def.corner = corner;
  def.face_count = 2;
  th_mesh m;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  return m;
}

/* shows: SBVP-32, SBVP-33 */
static void walking_goes_down_and_each_gradient_is_found_once(void **unused) {
  (void)unused;
  hills h = hills_make(hills_sheet(20, 0.4, 1), 0, TH_NO_ELEMENT);
  h.tile[0] = TH_TILE_WALL;
  h.tile[hills_nearest(&h.mesh, 0.5, 0.5, 0.0)] = TH_TILE_GOAL;
  const th_mesh_relax_def def = hills_def(1e-8);
  hills_relax(&h, &def);
  assert_int_equal(th_mesh_height_gradients_made(h.height_map), 0);
  uint32_t face = h.mesh.leaving[hills_nearest(&h.mesh, 0.2, 0.2, 0.0)] / 3;
  const th_mesh_spot from = {face, {0.3, 0.3, 0.4}};
  th_mesh_height_path path = {0};
  assert_int_equal(th_mesh_height_trace(h.height_map, &from, &path, NULL), TH_OK);
  const uint32_t made = th_mesh_height_gradients_made(h.height_map);
  assert_true(made > 5 && made < h.mesh.face_count / 2);
  for (uint32_t k = 1; k < path.count; k++) assert_true(path.point[k].height < path.point[k - 1].height);
  assert_int_equal(th_mesh_height_trace(h.height_map, &from, &path, NULL), TH_OK);
  assert_int_equal(th_mesh_height_gradients_made(h.height_map), made);
  /* the direction of the first piece is -grad p */
  double g[3], d[3];
  th_mesh_height_gradient(h.height_map, face, g);
  for (int k = 0; k < 3; k++) d[k] = path.point[1].xyz[k] - path.point[0].xyz[k];
  assert_true(dot(g, d) < -0.999999 * sqrt(dot(g, g) * dot(d, d)));
  th_mesh_height_path_free(&path);
  hills_free(&h);
}

/* From inside every face of a slope, the last one too, a walker goes straight down, by as much as it may. */
static void every_face_of_a_slope_leads_down(void **unused) {
  (void)unused;
  th_mesh m = two_faces();
  double height[4], before[3], after[3];
  th_mesh_height *height_map;
  for (uint32_t v = 0; v < 4; v++) height[v] = -m.xyz[3 * v];
  assert_int_equal(th_mesh_height_make(&(th_mesh_height_def){.mesh = &m, .height = height}, &height_map, NULL), TH_OK);
  for (uint32_t f = m.face_count; f-- > 0;) {
    const th_mesh_spot from = {f, {0.3, 0.3, 0.4}};
    th_mesh_height_walker w = th_mesh_height_walker_at(&m, &from);
    th_mesh_spot_xyz(&m, &w.spot, before);
    assert_int_equal(th_mesh_height_walker_advance(height_map, &w, 0.05), TH_DESCENT_MOVED);
    th_mesh_spot_xyz(&m, &w.spot, after);
    assert_true(fabs(after[0] - before[0] - 0.05) < 1e-12 && fabs(after[1] - before[1]) < 1e-12);
  }
  th_mesh_height_free(height_map);
  th_mesh_free(&m);
}

/* ---------------------------------------------------------------- the printed walk */

/* shows: SBVP-40 */
static void a_printed_step_is_cut_at_the_edge(void **unused) {
  (void)unused;
  th_mesh m = two_faces();
  const double height[4] = {1.0, 1.5, 2.0, -4.0}; /* both faces lead from c to d */
  th_mesh_height *height_map;
  double g[3];
  assert_int_equal(th_mesh_height_make(&(th_mesh_height_def){.mesh = &m, .height = height}, &height_map, NULL), TH_OK);
  th_mesh_printed_walker a = {{0.5, 0.5, 0.0}, 0};
  th_mesh_height_gradient(height_map, 0, g);
  assert_int_equal(th_mesh_printed_walker_update(height_map, &a, 0.1, TH_MESH_PRINTED_DOWN), TH_DESCENT_MOVED);
  const double size = sqrt(dot(g, g));
  assert_true(fabs(a.xyz[0] - (0.5 - 0.1 * g[0] / size)) < 1e-15 && fabs(a.xyz[1] - (0.5 - 0.1 * g[1] / size)) < 1e-15);
  assert_int_equal(a.face, 0);
  assert_int_equal(th_mesh_printed_walker_update(height_map, &a, 5.0, TH_MESH_PRINTED_DOWN), TH_DESCENT_MOVED);
  assert_int_equal(a.face, 1); /* handed over on the edge, the rest of the 5 m is dropped */
  assert_true(fabs(a.xyz[1]) < 1e-15 && a.xyz[0] > 0.0 && a.xyz[0] < 0.5);
  assert_int_equal(th_mesh_printed_walker_update(height_map, &a, 0.05, TH_MESH_PRINTED_DOWN), TH_DESCENT_MOVED);
  assert_true(a.xyz[1] < 0.0 && a.face == 1);
  while (th_mesh_printed_walker_update(height_map, &a, 0.3, TH_MESH_PRINTED_DOWN) == TH_DESCENT_MOVED)
    assert_true(a.xyz[1] > -1.0);
  th_mesh_printed_walker up = {{0.5, 0.5, 0.0}, 0}; /* the printed sign climbs: towards c */
  assert_int_equal(th_mesh_printed_walker_update(height_map, &up, 0.1, TH_MESH_PRINTED_UP), TH_DESCENT_MOVED);
  assert_true(up.xyz[1] > 0.5);
  th_mesh_height_free(height_map);
  th_mesh_free(&m);
}

/* shows: SBVP-43 */
static void valleys_stop_the_printed_walk_only(void **unused) {
  (void)unused;
  th_mesh m = two_faces();
  const double height[4] = {0.0, 0.5, 2.0, 2.0}; /* both faces lead to the edge, which falls towards a */
  th_mesh_height *height_map;
  assert_int_equal(th_mesh_height_make(&(th_mesh_height_def){.mesh = &m, .height = height}, &height_map, NULL), TH_OK);
  th_mesh_printed_walker a = {{0.5, 0.5, 0.0}, 0};
  for (int k = 0; k < 50; k++)
    assert_int_equal(th_mesh_printed_walker_update(height_map, &a, 0.05, TH_MESH_PRINTED_DOWN), 0);
  const double stuck[2] = {a.xyz[0], a.xyz[1]};
  uint32_t swaps = 0, face = a.face;
  for (int k = 0; k < 100; k++) {
    assert_int_equal(th_mesh_printed_walker_update(height_map, &a, 0.05, TH_MESH_PRINTED_DOWN), TH_DESCENT_MOVED);
    swaps += a.face != face;
    face = a.face;
  }
  assert_int_equal(swaps, 100);
  assert_true(fabs(a.xyz[0] - stuck[0]) < 1e-12 && fabs(a.xyz[1] - stuck[1]) < 1e-12);
  const th_mesh_spot from = {0, {0.25, 0.25, 0.5}};
  th_mesh_height_path path = {0};
  assert_int_equal(th_mesh_height_trace(height_map, &from, &path, NULL), TH_OK);
  assert_int_equal(path.count, 3); /* inside, on the edge, at its lower end */
  assert_int_equal(path.valleys, 1);
  assert_int_equal(path.rises, 0);
  assert_int_equal(path.point[2].vertex, 0);
  assert_int_equal(path.end, TH_DESCENT_NULL); /* nothing is lower and there is no goal */
  th_mesh_height_path_free(&path);
  th_mesh_height_free(height_map);
  th_mesh_free(&m);
}

/* How many starts arrive by the printed walk with the sign put right. */
static double printed_share(hills *h, double speed) {
  uint32_t starts = 0, arrived = 0;
  for (uint32_t f = 0; f < h->mesh.face_count; f += 5) {
    if (!hills_is_start(h, f)) continue;
    const th_mesh_spot s = {f, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
    th_mesh_printed_walker a = {.face = f};
    th_mesh_spot_xyz(&h->mesh, &s, a.xyz);
    th_descent end = TH_DESCENT_MOVED;
    for (int k = 0; k < 3000 && end == TH_DESCENT_MOVED; k++)
      end = th_mesh_printed_walker_update(h->height_map, &a, speed, TH_MESH_PRINTED_DOWN);
    starts++;
    arrived += end == TH_DESCENT_ARRIVED;
  }
  assert_true(starts > 200);
  return (double)arrived / starts;
}

/* A sheet with three obstacles and the goal on its left side, as in the re-run that found the deadlock. */
static hills obstacles(uint32_t columns, double noise, uint64_t seed) {
  hills h = hills_make(hills_sheet(columns, noise, seed), 0, TH_NO_ELEMENT);
  h.tile[0] = TH_TILE_WALL;
  for (uint32_t v = 0; v < h.mesh.vertex_count; v++) {
    const double *p = h.mesh.xyz + 3 * v;
    if (p[0] < 1e-9 && p[1] > 0.45 && p[1] < 0.55) h.tile[v] = TH_TILE_GOAL;
  }
  hills_block(&h, 0.25, 0.35, 0.4, 0.62);
  hills_block(&h, 0.55, 0.1, 0.65, 0.5);
  hills_block(&h, 0.6, 0.65, 0.85, 0.75);
  return h;
}

static void most_printed_walks_never_arrive(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    hills h = obstacles(50, 0.4 * k, 6);
    const th_mesh_relax_def def = hills_def(1e-9);
    hills_relax(&h, &def);
    const double share = printed_share(&h, 0.3 / 50.0);
    if (!(share > 0.0 && share < (k ? 0.2 : 0.6))) fail_msg("noise %d: %g arrive", k, share);
    hills_free(&h);
  }
}

/* ---------------------------------------------------------------- the walk that arrives */

/* shows: SBVP-44 */
static void at_a_vertex_the_steepest_way_is_taken(void **unused) {
  (void)unused;
  enum { RING = 7 };
  for (uint32_t n = 0; n < 300; n++) {
    th_soup soup = th_soup_begin(NULL);
    double height[RING + 1];
    height[0] = pick(n, 40);
    th_soup_vertex(&soup, 0, 0, pick(n, 41) * 0.2);
    for (uint32_t k = 0; k < RING; k++) {
      const double angle = 6.283185307179586 * k / RING, r = 1.5 + 0.5 * pick(n, k);
      th_soup_vertex(&soup, r * cos(angle), r * sin(angle), 0.3 * pick(n, 10 + k));
      height[k + 1] = pick(n, 20 + k);
    }
    for (uint32_t k = 0; k < RING; k++) th_soup_face(&soup, 0, k + 1, (k + 1) % RING + 1);
    th_mesh m = hills_mesh(&soup);
    th_mesh_height *height_map;
    assert_int_equal(th_mesh_height_make(&(th_mesh_height_def){.mesh = &m, .height = height}, &height_map, NULL),
                     TH_OK);
    double best = 0.0; /* steepest of 400 directions in each face */
    for (uint32_t f = 0; f < RING; f++)
      for (int k = 0; k <= 400; k++) {
        const double s = k / 400.0, *o = m.xyz, *a = m.xyz + 3 * m.corner[3 * f + 1],
                     *b = m.xyz + 3 * m.corner[3 * f + 2];
        double d[3], to = (1.0 - s) * height[m.corner[3 * f + 1]] + s * height[m.corner[3 * f + 2]];
        for (int i = 0; i < 3; i++) d[i] = (1.0 - s) * a[i] + s * b[i] - o[i];
        best = fmax(best, (height[0] - to) / sqrt(dot(d, d)));
      }
    const th_mesh_spot from = {m.leaving[0] / 3, {m.leaving[0] % 3 == 0, m.leaving[0] % 3 == 1, m.leaving[0] % 3 == 2}};
    th_mesh_height_walker w = th_mesh_height_walker_at(&m, &from);
    assert_int_equal(w.vertex, 0);
    const th_descent end = th_mesh_height_walker_advance(height_map, &w, HUGE_VAL);
    assert_int_equal(end, best > 0.0 ? TH_DESCENT_MOVED : TH_DESCENT_NULL);
    if (best > 0.0) {
      double p[3], h = 0.0, d[3];
      th_mesh_spot_xyz(&m, &w.spot, p);
      for (int k = 0; k < 3; k++) h += w.spot.weight[k] * height[m.corner[3 * w.spot.face + (uint32_t)k]];
      for (int k = 0; k < 3; k++) d[k] = p[k] - m.xyz[k];
      const double taken = (height[0] - h) / sqrt(dot(d, d));
      if (!(taken > best * (1.0 - 1e-9) && taken < best * 1.001)) fail_msg("fan %u: %g instead of %g", n, taken, best);
    }
    th_mesh_height_free(height_map);
    th_mesh_free(&m);
  }
}

/* shows: SBVP-41, SBVP-45, SBVP-46 */
static void nobody_leaves_the_surface(void **unused) {
  (void)unused;
  th_mesh m = hills_sized(TH_MAKE_CAR);
  th_bvh bvh;
  th_mesh_height *height_map;
  double *height = (double *)calloc(m.vertex_count, sizeof *height);
  assert_true(th_bvh_make(&bvh, &m));
  for (uint32_t v = 0; v < m.vertex_count; v++) height[v] = -m.xyz[3 * v] - 0.3 * m.xyz[3 * v + 1];
  assert_int_equal(th_mesh_height_make(&(th_mesh_height_def){.mesh = &m, .height = height}, &height_map, NULL), TH_OK);
  const uint32_t lowest = hills_nearest(&m, 1e3, 300.0, 0.0);
  th_mesh_height_path path = {0};
  for (uint32_t f = 0; f < m.face_count; f += 3) { /* everybody runs to the border and along it to its lowest corner */
    const th_mesh_spot from = {f, {0.2, 0.5, 0.3}};
    assert_int_equal(th_mesh_height_trace(height_map, &from, &path, NULL), TH_OK);
    assert_int_equal(path.end, TH_DESCENT_NULL);
    const th_mesh_height_path_point *last = &path.point[path.count - 1];
    assert_int_equal(last->vertex, lowest);
    assert_int_equal(path.rises, 0);
    for (uint32_t k = 0; k < path.count; k++)
      assert_true(th_bvh_nearest(&bvh, path.point[k].xyz, 1.0).distance < 1e-12);
    for (uint32_t k = 1; k < path.count; k++) { /* a piece lies in a face: its middle is on the surface as well */
      double middle[3];
      for (int i = 0; i < 3; i++) middle[i] = 0.5 * (path.point[k].xyz[i] + path.point[k - 1].xyz[i]);
      assert_true(th_bvh_nearest(&bvh, middle, 1.0).distance < 1e-12);
    }
  }
  th_mesh_height_free(height_map);
  memset(height, 0, m.vertex_count * sizeof *height);
  assert_int_equal(th_mesh_height_make(&(th_mesh_height_def){.mesh = &m, .height = height}, &height_map, NULL), TH_OK);
  const th_mesh_spot from = {50, {0.2, 0.5, 0.3}}; /* no gradient: reported where it happens */
  double p[3];
  th_mesh_spot_xyz(&m, &from, p);
  assert_int_equal(th_mesh_height_trace(height_map, &from, &path, NULL), TH_OK);
  assert_true(path.end == TH_DESCENT_NULL && path.count == 1 && path.point[0].face == 50);
  for (int k = 0; k < 3; k++) assert_true(fabs(path.point[0].xyz[k] - p[k]) < 1e-15);
  th_mesh_height_path_free(&path);
  th_mesh_height_free(height_map);
  th_bvh_free(&bvh);
  free(height);
  th_mesh_free(&m);
}

/* shows: SBVP-42 */
static void arrival_is_seen_inside_on_edges_and_on_vertices(void **unused) {
  (void)unused;
  th_mesh m = two_faces();
  const double height[4] = {0.0, 0.5, 2.0, 2.0};
  const uint8_t tile[4] = {TH_TILE_GOAL, TH_TILE_FREE, TH_TILE_FREE, TH_TILE_FREE};
  th_mesh_height *height_map;
  th_mesh_height_path path = {0};
  assert_int_equal(
      th_mesh_height_make(&(th_mesh_height_def){.mesh = &m, .height = height, .tile = tile}, &height_map, NULL), TH_OK);
  static const th_mesh_spot there[3] = {{0, {0.4, 0.3, 0.3}}, {1, {0.4, 0.6, 0.0}}, {0, {1.0, 0.0, 0.0}}};
  for (int k = 0; k < 3; k++) { /* in the cell, on the edge (corner 1 of face 1 is a), on the vertex */
    assert_int_equal(th_mesh_height_trace(height_map, &there[k], &path, NULL), TH_OK);
    assert_true(path.end == TH_DESCENT_ARRIVED && path.count == 1);
  }
  const th_mesh_spot valley = {0, {0.1, 0.8, 0.1}}; /* along the edge up to the rim of the goal's cell, its middle */
  assert_int_equal(th_mesh_height_trace(height_map, &valley, &path, NULL), TH_OK);
  assert_int_equal(path.end, TH_DESCENT_ARRIVED);
  const double *p = path.point[path.count - 1].xyz;
  assert_true(fabs(p[0] - 0.5) < 1e-12 && fabs(p[1]) < 1e-12);
  th_mesh_height_free(height_map);
  const double side[4] = {0.0, 2.0, 0.5, 3.0}; /* through the inside: stops on the rim of the cell */
  assert_int_equal(
      th_mesh_height_make(&(th_mesh_height_def){.mesh = &m, .height = side, .tile = tile}, &height_map, NULL), TH_OK);
  const th_mesh_spot inside = {0, {0.1, 0.6, 0.3}};
  assert_int_equal(th_mesh_height_trace(height_map, &inside, &path, NULL), TH_OK);
  assert_int_equal(path.end, TH_DESCENT_ARRIVED);
  th_mesh_height_path_free(&path);
  th_mesh_height_free(height_map);
  th_mesh_free(&m);
}

/* shows: SBVP-47, SBVP-49 */
static void all_starts_arrive_on_regular_and_noisy_sheets(void **unused) {
  (void)unused;
  static const uint32_t columns[2] = {50, 100};
  for (int k = 0; k < 6; k++) {
    hills h = obstacles(columns[k / 3], 0.2 * (k % 3), 30 + (uint64_t)k);
    const th_mesh_relax_def def = hills_def(1e-7);
    hills_relax(&h, &def);
    assert_int_equal(th_mesh_relax_pits(h.relax), 0);
    th_mesh_height_path path = {0};
    uint32_t starts = 0, grazed = 0;
    for (uint32_t f = 0; f < h.mesh.face_count; f++) {
      if (!hills_is_start(&h, f)) continue;
      const th_mesh_spot s = {f, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
      assert_int_equal(th_mesh_height_trace(h.height_map, &s, &path, NULL), TH_OK);
      if (path.end != TH_DESCENT_ARRIVED || path.rises || path.touched)
        fail_msg("sheet %d, face %u: end %d, %u rises, %u touched", k, f, (int)path.end, path.rises, path.touched);
      starts++;
      grazed += path.grazed;
    }
    assert_true(starts > h.mesh.face_count / 2);
    print_message("sheet of %u columns, noise %g: %u of %u starts arrive, %u pieces graze an occupied cell\n",
                  columns[k / 3], 0.2 * (k % 3), starts, starts, grazed);
    th_mesh_height_path_free(&path);
    hills_free(&h);
  }
}

/* A path straight through the corner of an occupied cell is counted. */
static void grazing_an_occupied_cell_is_counted(void **unused) {
  (void)unused;
  th_mesh m = two_faces();
  const double height[4] = {0.0, 0.0, 1.0, -1.0};
  const uint8_t tile[4] = {TH_TILE_WALL, TH_TILE_FREE, TH_TILE_FREE, TH_TILE_GOAL};
  th_mesh_height *height_map;
  th_mesh_height_path path = {0};
  assert_int_equal(
      th_mesh_height_make(&(th_mesh_height_def){.mesh = &m, .height = height, .tile = tile}, &height_map, NULL), TH_OK);
  const th_mesh_spot near = {0, {0.6, 0.2, 0.2}}, far = {0, {0.2, 0.6, 0.2}};
  assert_int_equal(th_mesh_height_trace(height_map, &near, &path, NULL), TH_OK);
  assert_true(path.grazed > 0 && path.touched == 0);
  assert_int_equal(th_mesh_height_trace(height_map, &far, &path, NULL), TH_OK);
  assert_int_equal(path.grazed, 0);
  th_mesh_height_path_free(&path);
  th_mesh_height_free(height_map);
  th_mesh_free(&m);
}

/* shows: SBVP-48 */
static void many_agents_share_one_field(void **unused) {
  (void)unused;
  enum { AGENTS = 500 };
  hills h = hills_make(hills_sized(TH_MAKE_COSTA), 0, TH_NO_ELEMENT);
  const th_mesh_relax_def def = hills_def(1e-8);
  th_mesh_height_walker w[AGENTS];
  bool there[AGENTS] = {false};
  uint32_t left = AGENTS, turns = 0;
  h.tile[0] = th_vertex_is_border(&h.mesh, 0) ? TH_TILE_WALL : TH_TILE_FREE;
  h.tile[h.mesh.vertex_count / 2] = TH_TILE_GOAL;
  hills_relax(&h, &def);
  for (uint32_t k = 0, f = 0; k < AGENTS; f = (f + 37) % h.mesh.face_count) {
    const th_mesh_spot s = {f, {0.3, 0.3, 0.4}};
    if (hills_is_start(&h, f)) w[k++] = th_mesh_height_walker_at(&h.mesh, &s);
  }
  for (; left > 0 && turns < 20000; turns++) /* round robin, 5 cm a turn at most */
    for (uint32_t k = 0; k < AGENTS; k++) {
      if (there[k]) continue;
      double a[3], b[3];
      th_mesh_spot_xyz(&h.mesh, &w[k].spot, a);
      const th_descent end = th_mesh_height_walker_advance(h.height_map, &w[k], 0.05);
      th_mesh_spot_xyz(&h.mesh, &w[k].spot, b);
      assert_true(hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]) < 0.05 + 1e-12);
      assert_true(end == TH_DESCENT_MOVED || end == TH_DESCENT_ARRIVED);
      there[k] = end == TH_DESCENT_ARRIVED;
      left -= there[k];
    }
  assert_int_equal(left, 0);
  assert_true(th_mesh_height_gradients_made(h.height_map) <= h.mesh.face_count);
  hills_free(&h);
}

/* shows: SBVP-50 */
static void starts_round_the_pole_take_different_ways(void **unused) {
  (void)unused;
  th_mesh mesh = hills_sphere(4);
  const uint32_t north = hills_nearest(&mesh, 0, 0, 1), south = hills_nearest(&mesh, 0, 0, -1);
  hills h = hills_make(mesh, south, north);
  const th_mesh_relax_def def = hills_def(1e-8);
  hills_relax(&h, &def);
  double angle[16];
  uint32_t count = 0, half = h.mesh.leaving[north];
  th_mesh_height_path path = {0};
  do {
    const th_mesh_spot s = {half / 3, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
    assert_int_equal(th_mesh_height_trace(h.height_map, &s, &path, NULL), TH_OK);
    assert_true(path.end == TH_DESCENT_ARRIVED && path.rises == 0);
    uint32_t k = 0;
    while (path.point[k].xyz[2] > 0.0) k++; /* where it crosses the equator */
    angle[count++] = atan2(path.point[k].xyz[1], path.point[k].xyz[0]);
    half = th_half_left(&h.mesh, half);
  } while (half != h.mesh.leaving[north]);
  assert_true(count >= 5);
  double max = 0.0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < i; j++) {
      const double apart = fabs(remainder(angle[i] - angle[j], 6.283185307179586));
      if (!(apart > 0.1)) fail_msg("starts %u and %u cross the equator %g rad apart", i, j, apart);
      max = fmax(max, apart);
    }
  assert_true(max > 2.5);
  th_mesh_height_path_free(&path);
  hills_free(&h);
}

/* shows: SBVP-51 */
static void paths_cost_next_to_nothing(void **unused) {
  (void)unused;
  hills h = hills_make(hills_sized(TH_MAKE_MOTHER), 100, 4000);
  const th_mesh_relax_def def = hills_def(0.01);
  const double solve = hills_relax(&h, &def).seconds, before = th_clock_seconds();
  th_mesh_height_path path = {0};
  uint32_t paths = 0;
  for (uint32_t f = 0; f < h.mesh.face_count; f += 100) {
    const th_mesh_spot s = {f, {0.3, 0.3, 0.4}};
    assert_int_equal(th_mesh_height_trace(h.height_map, &s, &path, NULL), TH_OK);
    paths++;
  }
  const double one = (th_clock_seconds() - before) / paths;
  if (!(one < 0.02 * solve)) fail_msg("a path takes %g s, the field %g s", one, solve);
  th_mesh_height_path_free(&path);
  hills_free(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradients_of_linear_functions_are_exact),
      cmocka_unit_test(edge_normals_are_turned_edges),
      cmocka_unit_test(walking_goes_down_and_each_gradient_is_found_once),
      cmocka_unit_test(every_face_of_a_slope_leads_down),
      cmocka_unit_test(a_printed_step_is_cut_at_the_edge),
      cmocka_unit_test(valleys_stop_the_printed_walk_only),
      cmocka_unit_test(most_printed_walks_never_arrive),
      cmocka_unit_test(at_a_vertex_the_steepest_way_is_taken),
      cmocka_unit_test(nobody_leaves_the_surface),
      cmocka_unit_test(arrival_is_seen_inside_on_edges_and_on_vertices),
      cmocka_unit_test(all_starts_arrive_on_regular_and_noisy_sheets),
      cmocka_unit_test(grazing_an_occupied_cell_is_counted),
      cmocka_unit_test(many_agents_share_one_field),
      cmocka_unit_test(starts_round_the_pole_take_different_ways),
      cmocka_unit_test(paths_cost_next_to_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
