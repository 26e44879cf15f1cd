/* tests/lab/test_mesh_relax.c - cells, tags, weights and sweeps of the published planner on meshes are as
 * published. */
#include "base/random.h"
#include "support/relaxed_meshes.h"

/* ---------------------------------------------------------------- cells and tags */

/* Whether p lies in the quadrilateral of corner k: corner, middle, centroid, middle; by signs of areas. */
static bool in_region(const double p[2], const double xy[3][2], int k) {
  double q[4][2];
  for (int i = 0; i < 2; i++) {
    q[0][i] = xy[k][i];
    q[1][i] = 0.5 * (xy[k][i] + xy[(k + 1) % 3][i]);
    q[2][i] = (xy[0][i] + xy[1][i] + xy[2][i]) / 3.0;
    q[3][i] = 0.5 * (xy[k][i] + xy[(k + 2) % 3][i]);
  }
  for (int i = 0; i < 4; i++) {
    const double *a = q[i], *b = q[(i + 1) % 4];
    if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) < 0.0) return false;
  }
  return true;
}

/* shows: SBVP-10 */
static void cells_are_thirds_of_their_faces(void **unused) {
  (void)unused;
  static const double xyz[] = {0.1, -0.2, 0, 2.3, 0.4, 0, 0.7, 1.1, 0};
  static const uint32_t corner[] = {0, 1, 2};
  th_mesh_def def = th_default_mesh_def();
  def.xyz_double = xyz;
  def.vertex_count = 3;
  def.corner = corner;
  def.face_count = 1;
  th_mesh m;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  const double xy[3][2] = {{0.1, -0.2}, {2.3, 0.4}, {0.7, 1.1}};
  uint32_t met[3] = {0};
  for (uint32_t n = 0; n < 30000; n++) {
    const double a = th_random_unit_double(7, 1, n, 0), b = th_random_unit_double(7, 2, n, 0);
    th_mesh_spot s = {0, {1.0 - sqrt(a), sqrt(a) * (1.0 - b), sqrt(a) * b}};
    double p[3];
    th_mesh_spot_xyz(&m, &s, p);
    const uint32_t cell = th_mesh_relax_cell(&m, &s);
    assert_true(in_region(p, xy, (int)cell));
    met[cell]++;
  }
  for (int k = 0; k < 3; k++) assert_true(met[k] > 9700 && met[k] < 10300); /* 3.7 deviations of 10000 */
  th_mesh_free(&m);
}

/* shows: SBVP-11, SBVP-12, SBVP-13, SBVP-16 */
static void tags_follow_the_listing(void **unused) {
  (void)unused;
  hills h = {.mesh = hills_sheet(12, 0.0, 0)};
  const uint32_t border = h.mesh.corner[0], inner = hills_nearest(&h.mesh, 0.5, 0.5, 0.0),
                 other = hills_nearest(&h.mesh, 0.3, 0.6, 0.0), both = hills_nearest(&h.mesh, 0.7, 0.3, 0.0);
  uint8_t *blocked = (uint8_t *)calloc(h.mesh.face_count, 1);
  blocked[h.mesh.leaving[other] / 3] = 1;
  const uint32_t occupied[] = {inner, both}, goal[] = {both, border};
  th_mesh_relax_bounds b = {occupied, 2, blocked, goal, 2, TH_NO_ELEMENT};
  h.tile = (uint8_t *)calloc(h.mesh.vertex_count, 1);
  assert_true(th_vertex_is_border(&h.mesh, border));
  assert_int_equal(th_mesh_relax_tag(&h.mesh, &b, h.tile, NULL, NULL), TH_OK);
  uint32_t walls = 0, rim = 0;
  for (uint32_t v = 0; v < h.mesh.vertex_count; v++) {
    walls += h.tile[v] == TH_TILE_WALL;
    rim += th_vertex_is_border(&h.mesh, v);
    if (th_vertex_is_border(&h.mesh, v) && v != border) assert_int_equal(h.tile[v], TH_TILE_WALL);
  }
  assert_int_equal(h.tile[both], TH_TILE_GOAL); /* the goal wins over an obstacle and over the border */
  assert_int_equal(h.tile[border], TH_TILE_GOAL);
  assert_int_equal(h.tile[inner], TH_TILE_WALL);
  for (uint32_t k = 0; k < 3; k++)
    assert_int_equal(h.tile[h.mesh.corner[h.mesh.leaving[other] / 3 * 3 + k]], TH_TILE_WALL);
  assert_int_equal(walls, rim - 1 + 1 + 3);
  th_mesh_relax_def def = hills_def(0.01);
  def.max_sweeps = 1;
  assert_int_equal(th_mesh_relax_weights_make(&h.mesh, NULL, &h.weights, NULL), TH_OK);
  assert_int_equal(th_mesh_relax_make(&def, h.weights, h.tile, &h.relax, NULL), TH_OK);
  for (uint32_t v = 0; v < h.mesh.vertex_count; v++) {
    const double p = th_mesh_relax_p(h.relax, v);
    assert_true(p == (h.tile[v] == TH_TILE_WALL ? 1.0 : h.tile[v] == TH_TILE_GOAL ? 0.0 : 0.5));
  }
  free(blocked);
  hills_free(&h);
}

/* shows: SBVP-14 */
static void only_closed_meshes_without_obstacles_use_the_start(void **unused) {
  (void)unused;
  uint32_t goal = 0, obstacle = 5;
  th_mesh sphere = hills_sphere(2), sheet = hills_sheet(8, 0.0, 0);
  uint8_t *tile = (uint8_t *)calloc(sphere.vertex_count + sheet.vertex_count, 1);
  th_mesh_relax_bounds b = th_default_mesh_relax_bounds();
  bool used = false;
  b.goal = &goal;
  b.goal_count = 1;
  b.start = 9;
  assert_int_equal(th_mesh_relax_tag(&sphere, &b, tile, &used, NULL), TH_OK);
  assert_true(used && tile[9] == TH_TILE_WALL);
  b.occupied = &obstacle;
  b.occupied_count = 1;
  assert_int_equal(th_mesh_relax_tag(&sphere, &b, tile, &used, NULL), TH_OK);
  assert_true(!used && tile[9] == TH_TILE_FREE);
  b.occupied_count = 0;
  b.start = hills_nearest(&sheet, 0.5, 0.5, 0.0);
  assert_int_equal(th_mesh_relax_tag(&sheet, &b, tile, &used, NULL), TH_OK);
  assert_true(!used && tile[b.start] == TH_TILE_FREE);
  th_mesh_free(&sphere);
  th_mesh_free(&sheet);
  free(tile);
}

/* shows: SBVP-15 */
static void without_a_wall_the_field_becomes_constant(void **unused) {
  (void)unused;
  hills h = hills_make(hills_sphere(2), 3, TH_NO_ELEMENT);
  th_mesh_relax_def def = hills_def(1e-300);
  const th_mesh_relax_report report = hills_relax(&h, &def);
  assert_true(report.converged && report.no_wall && !report.no_goal);
  for (uint32_t v = 0; v < h.mesh.vertex_count; v++) assert_true(th_mesh_relax_p(h.relax, v) < 1e-290);
  assert_int_equal(th_mesh_height_null_faces(h.height_map, 1e-280, NULL), h.mesh.face_count);
  hills_free(&h);
}

static void wrong_bounds_are_refused(void **unused) {
  (void)unused;
  th_mesh m = hills_sheet(6, 0.0, 0);
  uint8_t *tile = (uint8_t *)calloc(m.vertex_count, 1);
  uint32_t far = m.vertex_count, near = 0;
  th_error error = {0};
  th_mesh_relax_bounds b = th_default_mesh_relax_bounds();
  assert_int_equal(th_mesh_relax_tag(&m, &b, tile, NULL, &error), TH_ERROR_RANGE);
  b.goal = &far;
  b.goal_count = 1;
  assert_int_equal(th_mesh_relax_tag(&m, &b, tile, NULL, &error), TH_ERROR_RANGE);
  b.goal = &near;
  b.start = far;
  assert_int_equal(th_mesh_relax_tag(&m, &b, tile, NULL, &error), TH_ERROR_RANGE);
  b.start = near;
  b.occupied = &far;
  b.occupied_count = 1;
  assert_int_equal(th_mesh_relax_tag(&m, &b, tile, NULL, &error), TH_ERROR_RANGE);
  free(tile);
  th_mesh_free(&m);
}

/* ---------------------------------------------------------------- weights */

/* shows: SBVP-20 */
static void weights_are_those_computed_by_hand(void **unused) {
  (void)unused;
  /* A vertex at the origin with neighbours at distances 1, 2, 3 and 4: Dmin = 1, Dmax = 4, I = 4, 3, 2, 1. */
  static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, -3, 0, 0, 0, -4, 0};
  static const uint32_t corner[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1};
  th_mesh_def def = th_default_mesh_def();
  def.xyz_double = xyz;
  def.vertex_count = 5;
  def.corner = corner;
  def.face_count = 4;
  th_mesh m;
  th_mesh_relax_weights *w;
  const uint32_t *neighbour;
  const double *weight;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  assert_int_equal(th_mesh_relax_weights_make(&m, NULL, &w, NULL), TH_OK);
  assert_int_equal(th_mesh_relax_weights_of(w, 0, &neighbour, &weight), 4);
  for (int k = 0; k < 4; k++) assert_true(fabs(weight[k] - (5.0 - neighbour[k]) / 10.0) < 1e-15);
  th_mesh_relax_weights_free(w);
  th_mesh_free(&m);
  m = hills_sized(TH_MAKE_COSTA);
  assert_int_equal(th_mesh_relax_weights_make(&m, NULL, &w, NULL), TH_OK);
  for (uint32_t v = 0; v < m.vertex_count; v++) {
    double sum = 0.0;
    const uint32_t count = th_mesh_relax_weights_of(w, v, &neighbour, &weight);
    for (uint32_t k = 0; k < count; k++) {
      assert_true(weight[k] > 0.0);
      sum += weight[k];
    }
    assert_true(fabs(sum - 1.0) < 1e-14);
  }
  th_mesh_relax_weights_free(w);
  th_mesh_free(&m);
}

/* shows: SBVP-21 */
static void equal_edges_give_equal_weights(void **unused) {
  (void)unused;
  th_mesh m = hills_sheet(20, 0.0, 0);
  th_mesh_relax_weights *w;
  uint32_t seen = 0;
  assert_int_equal(th_mesh_relax_weights_make(&m, NULL, &w, NULL), TH_OK);
  for (uint32_t v = 0; v < m.vertex_count; v++) {
    const double *p = m.xyz + 3 * v, *weight;
    const uint32_t *neighbour, count = th_mesh_relax_weights_of(w, v, &neighbour, &weight);
    if (p[0] < 0.06 || p[0] > 0.94 || th_vertex_is_border(&m, v)) continue; /* half triangles at the sides */
    seen++;
    for (uint32_t k = 0; k < count; k++) assert_true(fabs(weight[k] - 1.0 / count) < 1e-13);
  }
  assert_true(seen > 200);
  th_mesh_relax_weights_free(w);
  th_mesh_free(&m);
}

/* shows: SBVP-110 */
static void factors_change_the_weights(void **unused) {
  (void)unused;
  static const th_mesh_relax_weights_def uniform = {.alpha = 1, .beta = 1},
                                         strong = {.alpha = 1, .beta = 1, .gamma = 3},
                                         near = {.alpha = 0.5, .beta = 1, .gamma = 1};
  hills h = hills_make(hills_sheet(24, 0.4, 5), 0, TH_NO_ELEMENT);
  h.tile[0] = TH_TILE_WALL;
  h.tile[hills_nearest(&h.mesh, 0.5, 0.5, 0.0)] = TH_TILE_GOAL;
  const th_mesh_relax_def def = hills_def(1e-6);
  const uint32_t plain = hills_relax(&h, &def).sweeps, *neighbour;
  const double *weight;
  th_error error = {0};
  th_mesh_relax_weights_free(h.weights);
  assert_int_equal(th_mesh_relax_weights_make(&h.mesh, &strong, &h.weights, &error), TH_ERROR_RANGE);
  assert_true(error.element < h.mesh.vertex_count);
  assert_null(h.weights);
  assert_int_equal(th_mesh_relax_weights_make(&h.mesh, &uniform, &h.weights, &error), TH_OK);
  const uint32_t count = th_mesh_relax_weights_of(h.weights, 100, &neighbour, &weight);
  for (uint32_t k = 0; k < count; k++) assert_true(fabs(weight[k] - 1.0 / count) < 1e-15);
  const uint32_t even = hills_relax(&h, &def).sweeps;
  th_mesh_relax_weights_free(h.weights);
  assert_int_equal(th_mesh_relax_weights_make(&h.mesh, &near, &h.weights, &error), TH_OK);
  const uint32_t nearer = hills_relax(&h, &def).sweeps;
  assert_true(plain != even && plain != nearer && even != nearer);
  assert_int_equal(th_mesh_relax_pits(h.relax), 0);
  hills_free(&h);
}

/* ---------------------------------------------------------------- sweeps */

/* Algorithm 2 once more, straight from the listing: q = sum p I / Itotal, in place, by index. */
static double listing_sweep(const hills *h, double *p) {
  double e = 0.0;
  for (uint32_t v = 0; v < h->mesh.vertex_count; v++) {
    const uint32_t *neighbour;
    const double *weight;
    if (h->tile[v] != TH_TILE_FREE) continue;
    const uint32_t count = th_mesh_relax_weights_of(h->weights, v, &neighbour, &weight);
    double q = 0.0;
    for (uint32_t k = 0; k < count; k++) q += weight[k] * p[neighbour[k]];
    e += fabs(q - p[v]);
    p[v] = q;
  }
  return e;
}

/* shows: SBVP-22, SBVP-23, SBVP-24 */
static void sweeps_are_those_of_the_listing(void **unused) {
  (void)unused;
  hills h = hills_make(hills_sheet(20, 0.3, 2), 0, TH_NO_ELEMENT);
  h.tile[0] = TH_TILE_WALL;
  h.tile[hills_nearest(&h.mesh, 0.4, 0.5, 0.0)] = TH_TILE_GOAL;
  hills_block(&h, 0.6, 0.3, 0.7, 0.6);
  double *p = (double *)calloc(h.mesh.vertex_count, sizeof *p), e = HUGE_VAL;
  th_mesh_relax_def def = hills_def(0.005);
  const th_mesh_relax_report report = hills_relax(&h, &def);
  for (uint32_t v = 0; v < h.mesh.vertex_count; v++)
    p[v] = h.tile[v] == TH_TILE_WALL ? 1.0 : h.tile[v] == TH_TILE_GOAL ? 0.0 : 0.5;
  uint32_t sweeps = 0;
  while (e > 0.005) {
    e = listing_sweep(&h, p);
    sweeps++;
    for (uint32_t v = 0; v < h.mesh.vertex_count; v++) {
      assert_true(p[v] >= 0.0 && p[v] <= 1.0);
      if (h.tile[v] == TH_TILE_WALL) assert_true(p[v] == 1.0);
    }
  }
  assert_int_equal(report.sweeps, sweeps);
  assert_true(report.converged && report.e == e && report.seconds > 0.0 && report.e_max == 0.005);
  for (uint32_t v = 0; v < h.mesh.vertex_count; v++) assert_true(th_mesh_relax_p(h.relax, v) == p[v]);
  free(p);
  hills_free(&h);
}

/* What the relaxation reports while it runs, and that it can be stopped. */
typedef struct seen {
  uint32_t sweeps, stop;
  double e;
  bool fell;
} seen;

static bool watch(void *user, uint32_t sweep, double e) {
  seen *s = (seen *)user;
  assert_int_equal(sweep, s->sweeps + 1);
  s->sweeps = sweep;
  s->fell = e < s->e;
  s->e = e;
  return sweep != s->stop;
}

static void a_watcher_sees_every_sweep(void **unused) {
  (void)unused;
  seen s = {0, 0, HUGE_VAL, false};
  hills h = hills_make(hills_sheet(10, 0.0, 0), 60, TH_NO_ELEMENT);
  th_mesh_relax_def def = hills_def(0.01);
  def.watch = watch;
  def.user = &s;
  const th_mesh_relax_report report = hills_relax(&h, &def);
  assert_true(report.sweeps == s.sweeps && report.e == s.e && s.fell);
  s = (seen){0, 7, HUGE_VAL, false};
  const th_mesh_relax_report stopped = hills_relax(&h, &def);
  assert_true(stopped.sweeps == 7 && !stopped.converged);
  hills_free(&h);
}

/* shows: SBVP-25 */
static void converged_fields_have_no_pits(void **unused) {
  (void)unused;
  static const th_make_size size[3] = {TH_MAKE_CAR, TH_MAKE_COSTA, TH_MAKE_MOTHER};
  for (int k = 0; k < 5; k++) {
    hills h = hills_make(k < 3 ? hills_sized(size[k]) : hills_sheet(50, k == 4 ? 0.4 : 0.0, 9), 0, 1);
    h.tile[0] = TH_TILE_FREE;
    h.tile[h.mesh.vertex_count / 2] = TH_TILE_GOAL;
    const th_mesh_relax_def def = hills_def(k == 2 ? 1e-3 : 1e-7); /* the statue takes 19,000 sweeps for 1e-3 */
    assert_true(hills_relax(&h, &def).converged);
    assert_int_equal(th_mesh_relax_pits(h.relax), 0);
    hills_free(&h);
  }
}

/* shows: SBVP-26 */
static void thresholds_cost_sweeps_by_their_logarithms(void **unused) {
  (void)unused;
  static const double e_max[3] = {0.010, 0.005, 0.001};
  static const th_make_size size[3] = {TH_MAKE_CAR, TH_MAKE_COSTA, TH_MAKE_MOTHER};
  for (int k = 0; k < 3; k++) {
    hills h = hills_make(hills_sized(size[k]), 0, 1);
    h.tile[0] = th_vertex_is_border(&h.mesh, 0) ? TH_TILE_WALL : TH_TILE_FREE;
    h.tile[h.mesh.vertex_count / 2] = TH_TILE_GOAL;
    uint32_t sweeps[3];
    for (int n = 0; n < 3; n++) {
      const th_mesh_relax_def def = hills_def(e_max[n]);
      sweeps[n] = hills_relax(&h, &def).sweeps;
    }
    const double ratio = (double)(sweeps[2] - sweeps[1]) / (sweeps[1] - sweeps[0]);
    if (!(fabs(ratio / (log(5.0) / log(2.0)) - 1.0) < 0.05))
      fail_msg("mesh %d: %u, %u, %u sweeps, ratio %g", k, sweeps[0], sweeps[1], sweeps[2], ratio);
    hills_free(&h);
  }
}

/* shows: SBVP-27 */
static void other_goals_reuse_the_weights(void **unused) {
  (void)unused;
  hills h = hills_make(hills_sheet(16, 0.2, 3), 0, TH_NO_ELEMENT), fresh = {0};
  h.tile[0] = TH_TILE_WALL;
  const uint32_t a = hills_nearest(&h.mesh, 0.3, 0.3, 0.0), b = hills_nearest(&h.mesh, 0.7, 0.6, 0.0);
  th_mesh_relax_def def = hills_def(1e-6);
  failing f = {0};
  def.env = failing_env(&f);
  h.tile[a] = TH_TILE_GOAL;
  hills_relax(&h, &def);
  h.tile[a] = TH_TILE_FREE;
  h.tile[b] = TH_TILE_GOAL;
  hills_block(&h, 0.45, 0.2, 0.55, 0.5);
  failing_lock(&f);
  th_mesh_relax_retag(h.relax, h.tile, false);
  const uint32_t cold = th_mesh_relax_converge(h.relax).sweeps;
  failing_unlock(&f);
  fresh.mesh = hills_sheet(16, 0.2, 3);
  fresh.tile = (uint8_t *)calloc(fresh.mesh.vertex_count, 1);
  memcpy(fresh.tile, h.tile, fresh.mesh.vertex_count);
  hills_relax(&fresh, &def);
  assert_true(hills_equal(h.relax, fresh.relax));
  th_mesh_relax_retag(h.relax, h.tile, true);
  assert_true(th_mesh_relax_converge(h.relax).sweeps < cold / 2); /* warm */
  hills_free(&h);
  hills_free(&fresh);
  failing_assert_empty(&f);
}

/* Fields of a sheet and of the same sheet moved. */
static double after_a_move(const double turn[3][3], double scale) {
  hills h = hills_make(hills_sheet(20, 0.4, 4), 0, TH_NO_ELEMENT), moved = {.mesh = hills_sheet(20, 0.4, 4)};
  h.tile[0] = TH_TILE_WALL;
  h.tile[hills_nearest(&h.mesh, 0.6, 0.4, 0.0)] = TH_TILE_GOAL;
  for (uint32_t v = 0; v < h.mesh.vertex_count; v++)
    for (int k = 0; k < 3; k++) {
      const double *p = h.mesh.xyz + 3 * v;
      moved.mesh.xyz[3 * v + (uint32_t)k] = scale * (turn[k][0] * p[0] + turn[k][1] * p[1] + turn[k][2] * p[2]);
    }
  moved.tile = (uint8_t *)calloc(h.mesh.vertex_count, 1);
  memcpy(moved.tile, h.tile, h.mesh.vertex_count);
  th_mesh_relax_def def = hills_def(1e-300);
  def.max_sweeps = 500;
  hills_relax(&h, &def);
  hills_relax(&moved, &def);
  const double apart = hills_apart(h.relax, moved.relax);
  hills_free(&h);
  hills_free(&moved);
  return apart;
}

/* shows: SBVP-28, SBVP-29 */
static void fields_do_not_depend_on_attitude_and_scale(void **unused) {
  (void)unused;
  static const double none[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double c = 0.36, s = 0.48, t = 0.8; /* rows of unit length, at right angles */
  const double turn[3][3] = {{c, s, t}, {-t, 0.6, 0.0}, {-0.48, -0.64, 0.6}};
  assert_true(fabs(c * c + s * s + t * t - 1.0) < 1e-15);
  assert_true(after_a_move(turn, 1.0) < 1e-12);
  assert_true(after_a_move(none, 1024.0) == 0.0);
  assert_true(after_a_move(none, 3.7e-3) < 1e-12);
}

/* ---------------------------------------------------------------- what the source asks for */

/* shows: SBVP-111 */
static void orders_and_start_values_change_only_the_cost(void **unused) {
  (void)unused;
  static const th_mesh_relax_order order[] = {TH_MESH_RELAX_INDEX, TH_MESH_RELAX_REVERSE, TH_MESH_RELAX_ALTERNATING,
                                              TH_MESH_RELAX_FROM_GOAL, TH_MESH_RELAX_RANDOM};
  hills h = hills_make(hills_sheet(30, 0.3, 8), 0, TH_NO_ELEMENT), other = {0};
  h.tile[0] = TH_TILE_WALL;
  h.tile[hills_nearest(&h.mesh, 0.2, 0.2, 0.0)] = TH_TILE_GOAL;
  th_mesh_relax_def def = hills_def(1e-9);
  uint32_t sweeps[5], low, high;
  hills_relax(&h, &def);
  other.mesh = hills_sheet(30, 0.3, 8);
  other.tile = (uint8_t *)calloc(h.mesh.vertex_count, 1);
  memcpy(other.tile, h.tile, h.mesh.vertex_count);
  for (int k = 0; k < 5; k++) {
    def.order = order[k];
    sweeps[k] = hills_relax(&other, &def).sweeps;
    assert_true(hills_apart(h.relax, other.relax) < 1e-7);
    for (int j = 0; j < k; j++) assert_true(sweeps[j] != sweeps[k]);
  }
  def.max_sweeps = 20;
  hills_relax(&h, &def);
  hills_relax(&other, &def);
  assert_true(hills_equal(h.relax, other.relax));
  def.seed = 2;
  hills_relax(&other, &def);
  assert_true(!hills_equal(h.relax, other.relax));
  def = hills_def(1e-9);
  hills_relax(&h, &def);
  def.start = 0.0;
  low = hills_relax(&other, &def).sweeps;
  assert_true(hills_apart(h.relax, other.relax) < 1e-7);
  def.start = 1.0;
  high = hills_relax(&other, &def).sweeps;
  assert_true(hills_apart(h.relax, other.relax) < 1e-7);
  assert_true(low != high && low != sweeps[0] && high != sweeps[0]);
  hills_free(&h);
  hills_free(&other);
}

/* shows: SBVP-112 */
static void workers_change_no_bit(void **unused) {
  (void)unused;
  static const th_mesh_relax_rule rule[] = {TH_MESH_RELAX_COLOURED, TH_MESH_RELAX_JACOBI};
  static const th_precision precision[] = {TH_PRECISION_DOUBLE, TH_PRECISION_FLOAT};
  hills h = hills_make(hills_sphere(4), 7, 2000), one = {0}, many = {0}; /* five blocks of cells */
  th_mesh_relax_def def = hills_def(1e-4);
  hills_relax(&h, &def);
  one.mesh = many.mesh = h.mesh;
  one.tile = many.tile = h.tile;
  for (int k = 0; k < 4; k++) {
    def = hills_def(k < 2 ? 1e-4 : 1e-3);
    def.rule = rule[k % 2];
    def.precision = precision[k / 2];
    const th_mesh_relax_report first = hills_relax(&one, &def);
    assert_true(hills_apart(h.relax, one.relax) < (k < 2 ? 0.01 : 0.1));
    for (uint32_t workers = 2; workers < 9u; workers += 3) {
      def.workers = workers;
      const th_mesh_relax_report again = hills_relax(&many, &def);
      assert_int_equal(again.sweeps, first.sweeps);
      assert_true(again.e == first.e && hills_equal(one.relax, many.relax));
    }
  }
  th_mesh_height_free(one.height_map);
  th_mesh_relax_free(one.relax);
  th_mesh_relax_weights_free(one.weights);
  th_mesh_height_free(many.height_map);
  th_mesh_relax_free(many.relax);
  th_mesh_relax_weights_free(many.weights);
  hills_free(&h);
}

enum { THRESHOLD_MESHES = 7 };

static th_mesh threshold_mesh(int k) {
  switch (k) {
    case 0:
      return hills_sized(TH_MAKE_CAR);
    case 1:
      return hills_sized(TH_MAKE_COSTA);
    case 2:
      return hills_sheet(50, 0.4, 3);
    case 3:
      return hills_sheet(30, 0.0, 0);
    default: /* closed, held high at one vertex: the mean of all cells settles last */
      return hills_sphere((uint32_t)k - 2);
  }
}

/* shows: SBVP-117 */
static void the_threshold_is_found(void **unused) {
  (void)unused;
  static const double accuracy[2] = {0.01, 1e-4};
  static const th_mesh_relax_rule rule[3] = {TH_MESH_RELAX_SEIDEL, TH_MESH_RELAX_COLOURED, TH_MESH_RELAX_JACOBI};
  for (int k = 0; k < 2 * THRESHOLD_MESHES; k++) {
    hills h = hills_make(threshold_mesh(k / 2), 0, 1);
    h.tile[0] = th_vertex_is_border(&h.mesh, 0) ? TH_TILE_WALL : TH_TILE_FREE;
    h.tile[h.mesh.vertex_count / 2] = TH_TILE_GOAL;
    th_mesh_relax_def def = hills_def(0.0), exact = hills_def(1e-8);
    def.accuracy = accuracy[k % 2];
    def.rule = rule[k % 3];
    def.order = k % 5 ? TH_MESH_RELAX_INDEX : TH_MESH_RELAX_ALTERNATING;
    const th_mesh_relax_report report = hills_relax(&h, &def);
    th_mesh_relax *found = h.relax;
    h.relax = NULL;
    assert_true(report.converged && report.e_max > 0.0 && report.e_max == report.e);
    assert_int_equal(th_mesh_relax_pits(found), 0);
    hills_relax(&h, &exact);
    double sum = 0.0, cells = 0.0;
    for (uint32_t v = 0; v < h.mesh.vertex_count; v++) {
      cells += h.tile[v] == TH_TILE_FREE;
      sum += fabs(th_mesh_relax_p(h.relax, v) - th_mesh_relax_p(found, v));
    }
    if (sum / cells > def.accuracy)
      fail_msg("mesh %d: mean error %g for an accuracy of %g", k / 2, sum / cells, def.accuracy);
    th_mesh_relax_free(found);
    hills_free(&h);
  }
}

static void u_and_over_relaxation_lead_to_the_same_field(void **unused) {
  (void)unused;
  hills h = hills_make(hills_sheet(20, 0.2, 6), 0, TH_NO_ELEMENT), other = {0};
  h.tile[0] = TH_TILE_WALL;
  h.tile[hills_nearest(&h.mesh, 0.7, 0.7, 0.0)] = TH_TILE_GOAL;
  th_mesh_relax_def def = hills_def(1e-10);
  const uint32_t plain = hills_relax(&h, &def).sweeps;
  other.mesh = hills_sheet(20, 0.2, 6);
  other.tile = (uint8_t *)calloc(h.mesh.vertex_count, 1);
  memcpy(other.tile, h.tile, h.mesh.vertex_count);
  def.omega = 1.6;
  def.storage = TH_STORAGE_U;
  assert_true(hills_relax(&other, &def).sweeps < plain / 2);
  assert_true(hills_apart(h.relax, other.relax) < 1e-8);
  th_relax_def flat = th_default_relax_def();
  flat.method = TH_METHOD_SOR;
  flat.omega = 1.6;
  flat.tolerance = 1e-12;
  def = th_mesh_relax_def_of(&flat);
  assert_true(def.omega == 1.6 && def.storage == TH_STORAGE_U && def.start == flat.start);
  assert_true(hills_relax(&other, &def).converged);
  assert_true(hills_apart(h.relax, other.relax) < 1e-8);
  hills_free(&h);
  hills_free(&other);
}

/* ---------------------------------------------------------------- bad cases */

static void wrong_settings_are_refused(void **unused) {
  (void)unused;
  hills h = hills_make(hills_sheet(6, 0.0, 0), 9, TH_NO_ELEMENT);
  th_mesh_relax_def def = hills_def(0.01), bad[12];
  for (int k = 0; k < 12; k++) bad[k] = def;
  bad[0].start = 1.5;
  bad[1].omega = 2.0;
  bad[2].e_max = -1.0;
  bad[3].accuracy = 0.0;
  bad[4].tolerance = -1.0;
  bad[5].min = INFINITY;
  bad[6].max_sweeps = 0;
  bad[7].workers = 1000;
  bad[8].rule = (th_mesh_relax_rule)7;
  bad[9].start = NAN;
  bad[10].rule = TH_MESH_RELAX_JACOBI;
  bad[10].omega = 1.5;
  bad[11].omega = 1.5;
  bad[11].e_max = 0.0;
  hills_relax(&h, &def);
  for (int k = 0; k < 12; k++) {
    th_mesh_relax *r;
    th_error error = {0};
    assert_int_equal(th_mesh_relax_make(&bad[k], h.weights, h.tile, &r, &error), TH_ERROR_RANGE);
    assert_null(r);
    assert_true(error.text[0] != '\0');
  }
  h.tile[3] = 9;
  th_mesh_relax *r;
  assert_int_equal(th_mesh_relax_make(&def, h.weights, h.tile, &r, NULL), TH_ERROR_RANGE);
  hills_free(&h);
}

static th_result run_all(const th_env *env, void *context) {
  const hills *h = (const hills *)context;
  th_mesh_relax_weights *weights = NULL;
  th_mesh_relax *relax = NULL, *copy = NULL;
  th_mesh_height *height_map = NULL;
  th_mesh_height_path path = {0};
  th_mesh_relax_def def = hills_def(0.0);
  def.env = *env;
  def.rule = TH_MESH_RELAX_COLOURED;
  const th_mesh_spot from = {h->mesh.face_count / 3, {0.2, 0.3, 0.5}};
  th_result result = th_mesh_relax_weights_make(
      &h->mesh, &(th_mesh_relax_weights_def){.env = *env, .alpha = 1, .beta = 1, .gamma = 1}, &weights, NULL);
  if (result == TH_OK) result = th_mesh_relax_make(&def, weights, h->tile, &relax, NULL);
  if (result == TH_OK) (void)th_mesh_relax_converge(relax);
  if (result == TH_OK) result = th_mesh_relax_copy(relax, &copy, NULL);
  if (result == TH_OK) result = th_mesh_height_of(copy, &height_map, NULL);
  if (result == TH_OK) result = th_mesh_height_trace(height_map, &from, &path, NULL);
  if (result == TH_OK) assert_int_equal(path.end, TH_DESCENT_ARRIVED);
  th_mesh_height_path_free(&path);
  th_mesh_height_free(height_map);
  th_mesh_relax_free(copy);
  th_mesh_relax_free(relax);
  th_mesh_relax_weights_free(weights);
  return result;
}

static void memory_may_end_anywhere(void **unused) {
  (void)unused;
  hills h = hills_make(hills_sheet(10, 0.1, 1), 60, TH_NO_ELEMENT);
  assert_true(failing_every(run_all, &h) > 20);
  hills_free(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_are_thirds_of_their_faces),
      cmocka_unit_test(tags_follow_the_listing),
      cmocka_unit_test(only_closed_meshes_without_obstacles_use_the_start),
      cmocka_unit_test(without_a_wall_the_field_becomes_constant),
      cmocka_unit_test(wrong_bounds_are_refused),
      cmocka_unit_test(weights_are_those_computed_by_hand),
      cmocka_unit_test(equal_edges_give_equal_weights),
      cmocka_unit_test(factors_change_the_weights),
      cmocka_unit_test(sweeps_are_those_of_the_listing),
      cmocka_unit_test(a_watcher_sees_every_sweep),
      cmocka_unit_test(converged_fields_have_no_pits),
      cmocka_unit_test(thresholds_cost_sweeps_by_their_logarithms),
      cmocka_unit_test(other_goals_reuse_the_weights),
      cmocka_unit_test(fields_do_not_depend_on_attitude_and_scale),
      cmocka_unit_test(orders_and_start_values_change_only_the_cost),
      cmocka_unit_test(workers_change_no_bit),
      cmocka_unit_test(the_threshold_is_found),
      cmocka_unit_test(u_and_over_relaxation_lead_to_the_same_field),
      cmocka_unit_test(wrong_settings_are_refused),
      cmocka_unit_test(memory_may_end_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
