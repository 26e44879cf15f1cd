/* tests/ground/test_markers.c - markers: density, distances, free places, and the same bits after edits and for any
 * number of workers. */
#include "base/tasks.h"
#include "ground/markers/markers.h"
#include "support/floor_plans.h"
#include "support/mesh_grounds.h"
#include "support/slow.h"

static const th_markers *markers_of(const th_ground *ground, const th_markers_def *def, uint32_t workers) {
  const th_markers *markers = NULL;
  th_error error = {0};
  if (th_ground_markers(ground, def, workers, &markers, &error)) fail_msg("%s: %s", error.where, error.text);
  return markers;
}

static th_ground *hall(float width, float height) {
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0.0f, 0.0f, width, height, corner);
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_flat(&def, &ground, NULL), TH_OK);
  return ground;
}

static double distance_of(th_vec3 a, th_vec3 b) {
  double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
  return sqrt(x * x + y * y + z * z);
}

/* The least distance of all pairs whose normals point to the same side; by brute force. */
static double closest(const th_ground *ground, const th_markers *markers) {
  const th_place *place = th_markers_places(markers);
  double least = HUGE_VAL;
  uint32_t count = th_markers_count(markers);
  th_vec3 *point = calloc(count, sizeof *point), *normal = calloc(count, sizeof *normal);
  for (uint32_t i = 0; i < count; i++) {
    point[i] = th_ground_point(ground, place[i]);
    normal[i] = th_ground_normal(ground, place[i]);
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < i; j++) {
      float same = normal[i].x * normal[j].x + normal[i].y * normal[j].y + normal[i].z * normal[j].z;
      if (same > 0.01f) least = fmin(least, distance_of(point[i], point[j]));
    }
  free(point);
  free(normal);
  return least;
}

/* shows: BIO-01, BIO-02 */
static void dense_markers_reach_the_jamming_density(void **unused) {
  (void)unused;
  th_ground *ground = hall(46.0f, 32.0f);
  const th_markers_def def = th_default_markers_def();
  const th_markers *markers = markers_of(ground, &def, 1);
  double density = (double)th_markers_count(markers) / (46.0 * 32.0);
  print_message("%u markers, %.2f per square metre\n", th_markers_count(markers), density);
  assert_true(density > 17.4 && density < 17.8);
  th_ground_release(ground);
  ground = hall(8.0f, 8.0f);
  assert_true(closest(ground, markers_of(ground, &def, 1)) >= 0.2 * (1.0 - 1e-6));
  th_ground_release(ground);
}

/* No gap that would hold another marker: 50,000 more darts find no place but in gaps of less than 2 % of the
 * distance. */
static void no_further_marker_fits(void **unused) {
  (void)unused;
  th_ground *ground = hall(5.0f, 5.0f);
  const th_markers_def def = th_default_markers_def();
  const th_markers *markers = markers_of(ground, &def, 1);
  uint32_t free_darts = 0;
  for (uint32_t n = 0; n < LONG_RUN(50000u, 5000u); n++) {
    th_vec3 p = {5.0f * th_random_unit(5, 0, n, 0), 5.0f * th_random_unit(5, 1, n, 0), 0.0f};
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < th_markers_count(markers) && least > 0.2; i++) {
      th_place m = th_markers_places(markers)[i];
      least = fmin(least, distance_of(p, (th_vec3){m.x, m.y, 0.0f}));
    }
    free_darts += least >= 0.2;
  }
  print_message("%u darts hit a gap\n", free_darts);
  assert_true(free_darts < 3u);
  th_ground_release(ground);
}

/* shows: BIO-01, BIO-17 */
static void no_marker_lies_in_a_wall(void **unused) {
  (void)unused;
  const th_markers_def def[3] = {
      th_default_markers_def(), th_sparse_markers_def(), {.distance = 0.2f, .layout = TH_MARKERS_GRID, .seed = 1}};
  for (uint64_t seed = 1; seed <= 20; seed++) {
    plan p;
    plan_make(&p, seed, 12, 14.0f);
    th_ground *ground = plan_ground(&p);
    for (int k = 0; k < 3; k++) {
      const th_markers *markers = markers_of(ground, &def[k], 1);
      for (uint32_t i = 0; i < th_markers_count(markers); i++) {
        th_place m = th_markers_places(markers)[i];
        CHECK_SEED(plan_walkable(&p, (double)m.x, (double)m.y), seed, "marker %u at %g %g", i, (double)m.x,
                   (double)m.y);
        assert_int_equal(m.cell, th_ground_cell(ground, m.x, m.y));
      }
    }
    th_ground_release(ground);
  }
}

/* shows: BIO-17 */
static void sparse_markers_are_a_shaken_grid(void **unused) {
  (void)unused;
  th_ground *ground = hall(46.0f, 32.0f);
  const th_markers_def def = th_sparse_markers_def();
  const th_markers *markers = markers_of(ground, &def, 1);
  assert_int_equal(th_markers_count(markers), 31 * 21);
  bool seen[31 * 21] = {0};
  double shift = 0.0, most = 0.0;
  for (uint32_t i = 0; i < th_markers_count(markers); i++) {
    th_place m = th_markers_places(markers)[i];
    double u = ((double)m.x - 0.75) / 1.5, v = ((double)m.y - 0.75) / 1.5;
    double dx = 1.5 * (u - round(u)), dy = 1.5 * (v - round(v));
    uint32_t at = (uint32_t)round(v) * 31 + (uint32_t)round(u);
    assert_false(seen[at]);
    seen[at] = true;
    shift += dx + dy;
    most = fmax(most, fmax(fabs(dx), fabs(dy)));
  }
  assert_true(most <= 0.1 + 1e-5 && most > 0.09);
  assert_true(fabs(shift / (2.0 * 31 * 21)) < 0.01);
  th_ground_release(ground);
}

/* shows: BIO-61 */
static void a_grid_is_regular(void **unused) {
  (void)unused;
  th_ground *ground = hall(10.0f, 6.0f);
  const th_markers_def def = {.distance = 0.2f, .layout = TH_MARKERS_GRID, .seed = 9};
  const th_markers *markers = markers_of(ground, &def, 1);
  assert_int_equal(th_markers_count(markers), 50 * 30);
  for (uint32_t i = 0; i < th_markers_count(markers); i++) {
    th_place m = th_markers_places(markers)[i];
    double u = ((double)m.x - 0.1) / 0.2, v = ((double)m.y - 0.1) / 0.2;
    assert_true(fabs(u - round(u)) < 1e-3 && fabs(v - round(v)) < 1e-3);
  }
  th_ground_release(ground);
}

/* Another def on the same ground is another set; the same one is not made twice. */
static void a_set_is_made_once(void **unused) {
  (void)unused;
  th_ground *ground = hall(8.0f, 6.0f);
  th_markers_def def = th_default_markers_def();
  const th_markers *first = markers_of(ground, &def, 1);
  assert_ptr_equal(markers_of(ground, &def, 1), first);
  def.seed = 2;
  assert_true(th_markers_hash(markers_of(ground, &def, 1)) != th_markers_hash(first));
  th_error error = {0};
  for (uint64_t seed = 3; seed <= TH_MAX_MARKER_SETS; seed++) {
    def.seed = seed;
    markers_of(ground, &def, 1);
  }
  def.seed = 99;
  assert_int_equal(th_ground_markers(ground, &def, 1, &first, &error), TH_ERROR_CAPACITY);
  th_ground_release(ground);
}

static void workers_change_nothing(void **unused) {
  (void)unused;
  static const uint32_t workers[] = {2, 3, 8};
  th_ground *flat[4], *mesh[4];
  const th_markers_def dense = th_default_markers_def(), sparse = th_sparse_markers_def();
  for (int k = 0; k < 4; k++) {
    plan p;
    plan_make(&p, 7, 10, 20.0f);
    flat[k] = plan_ground(&p);
    mesh[k] = mesh_kind_ground(MESH_TORUS, 1);
    uint32_t count = k ? workers[k - 1] : 1;
    const th_markers_def *def[2] = {&dense, &sparse};
    for (int n = 0; n < 2; n++) {
      uint64_t a = th_markers_hash(markers_of(flat[k], def[n], count));
      uint64_t b = th_markers_hash(markers_of(mesh[k], def[n], count));
      assert_true(a == th_markers_hash(markers_of(flat[0], def[n], 1)));
      assert_true(b == th_markers_hash(markers_of(mesh[0], def[n], 1)));
    }
  }
  for (int k = 0; k < 4; k++) th_ground_release(flat[k]), th_ground_release(mesh[k]);
}

/* A door, an obstacle more, an obstacle less: the set follows and equals that of a ground with this plan. */
static void edits_equal_a_fresh_start(void **unused) {
  (void)unused;
  const th_markers_def dense = th_default_markers_def(), sparse = th_sparse_markers_def();
  for (uint64_t seed = 1; seed <= LONG_RUN(6u, 2u); seed++) {
    plan p;
    plan_make(&p, seed, 6, 24.0f);
    th_ground *ground = plan_ground(&p);
    markers_of(ground, &dense, 1), markers_of(ground, &sparse, 1);
    for (uint32_t n = 0; n < 6; n++) {
      th_door *door = &p.door[n % 4];
      th_edit edit = {.kind = door->closed ? TH_EDIT_OPEN : TH_EDIT_CLOSE, .name = door->shape.name};
      if (n == 3) {
        uint32_t at = p.def.obstacle_count++;
        p.obstacle[at] = plan_obstacle(&p.state, p.point[at], 24.0f);
        p.obstacle[at].name = "more";
        edit = (th_edit){.kind = TH_EDIT_ADD, .shape = p.obstacle[at]};
      } else {
        door->closed = !door->closed;
      }
      th_ground *next = NULL;
      assert_int_equal(th_ground_edit(ground, &edit, 1, &next, NULL), TH_OK);
      th_ground *fresh = plan_ground(&p);
      CHECK_SEED(th_markers_hash(markers_of(next, &dense, 1)) == th_markers_hash(markers_of(fresh, &dense, 1)), seed,
                 "edit %u: dense", n);
      CHECK_SEED(th_markers_hash(markers_of(next, &sparse, 1)) == th_markers_hash(markers_of(fresh, &sparse, 1)), seed,
                 "edit %u: sparse", n);
      th_ground_release(fresh);
      th_ground_release(ground);
      ground = next;
    }
    th_ground_release(ground);
  }
}

/* Every marker stands in its square or face, the columns are those of the places, and no wall is nearer than said. */
static void check_index(const th_ground *ground, const th_markers *m) {
  const th_marker_index *index = &m->index;
  for (uint32_t c = 0; c < index->columns * index->rows; c++)
    for (uint32_t n = index->start[c]; n < index->start[c + 1]; n++) {
      assert_true(index->x[n] == m->place[n].x && index->y[n] == m->place[n].y);
      assert_true(index->clearance[n] == th_ground_clearance_at(ground, m->place[n]));
      if (th_ground_is_mesh(ground)) {
        assert_int_equal(m->place[n].cell, c);
        continue;
      }
      float x = index->x0 + index->side * (float)(c % index->columns),
            y = index->y0 + index->side * (float)(c / index->columns);
      assert_true(index->x[n] > x - 1e-3f && index->x[n] < x + index->side + 1e-3f);
      assert_true(index->y[n] > y - 1e-3f && index->y[n] < y + index->side + 1e-3f);
    }
  assert_int_equal(index->start[index->columns * index->rows], m->count);
}

static void markers_are_found_by_place(void **unused) {
  (void)unused;
  plan p;
  plan_make(&p, 4, 8, 14.0f);
  th_ground *flat = plan_ground(&p), *mesh = mesh_kind_ground(MESH_TORUS, 1);
  const th_markers_def dense = th_default_markers_def();
  check_index(flat, markers_of(flat, &dense, 1));
  check_index(mesh, markers_of(mesh, &dense, 1));
  th_ground_release(flat);
  th_ground_release(mesh);
}

/* A small change of a large hall fills few tiles again. */
static void an_edit_is_local(void **unused) {
  (void)unused;
  th_ground *ground = hall(60.0f, 60.0f), *next = NULL;
  const th_markers_def def = th_default_markers_def();
  const th_markers *before = markers_of(ground, &def, 1);
  th_vec2 corner[4];
  const th_edit edit = {.kind = TH_EDIT_ADD, .shape = th_box_polygon(30.0f, 30.0f, 31.0f, 31.0f, corner)};
  assert_int_equal(th_ground_edit(ground, &edit, 1, &next, NULL), TH_OK);
  const th_markers *after = markers_of(next, &def, 1);
  uint32_t differ = 0;
  assert_int_equal(before->tiles.count, after->tiles.count);
  for (uint32_t t = 0; t < before->tiles.count; t++) {
    uint32_t a = before->first[t], b = after->first[t], n = before->first[t + 1] - a;
    differ +=
        after->first[t + 1] - b != n || memcmp(before->by_tile + a, after->by_tile + b, n * sizeof *before->by_tile);
  }
  print_message("%u of %u tiles differ\n", differ, before->tiles.count);
  assert_true(differ >= 1 && differ <= 16);
  th_ground_release(ground);
  th_ground_release(next);
}

static double area_of(const th_ground *ground) {
  double area = 0.0;
  for (uint32_t f = 0; f < ground->mesh->mesh.face_count; f++) {
    const th_face_frame *frame = &ground->mesh->frames.face[f];
    if (!ground->mesh->blocked[f]) area += 0.5 * frame->bx * frame->cy;
  }
  return area;
}

/* shows: BIO-01, BIO-02, BIO-17 */
static void meshes_have_markers_of_the_same_density(void **unused) {
  (void)unused;
  static const mesh_kind kind[] = {MESH_PLANE, MESH_NOISY, MESH_NEEDLES, MESH_SPHERE, MESH_TORUS, MESH_HOUSE};
  const th_markers_def dense = th_default_markers_def(), sparse = th_sparse_markers_def();
  for (int k = 0; k < LONG_RUN(6, 2); k++) {
    th_ground *ground = mesh_kind_ground(kind[k], 3);
    const th_markers *many = markers_of(ground, &dense, 1), *few = markers_of(ground, &sparse, 1);
    double area = area_of(ground), a = th_markers_count(many) / area, b = th_markers_count(few) / area;
    print_message("%s: %.1f m2, %.2f and %.3f per square metre\n", mesh_kind_name[kind[k]], area, a, b);
    assert_true(a > 17.0 && a < 19.0);
    assert_true(b > 0.40 && b < 0.62);
    assert_true(closest(ground, few) >= 1.25 * (1.0 - 1e-5));
    if (area < 130.0) assert_true(closest(ground, many) >= 0.2 * (1.0 - 1e-5));
    for (uint32_t i = 0; i < th_markers_count(many); i++)
      assert_false(ground->mesh->blocked[th_markers_places(many)[i].cell]);
    th_ground_release(ground);
  }
}

static void mesh_edits_equal_a_fresh_start(void **unused) {
  (void)unused;
  const th_markers_def dense = th_default_markers_def();
  th_soup soup;
  mesh_kind_soup(&soup, MESH_PLANE, 1);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *plain = mesh_kind_ground_of(&def), *next = NULL;
  markers_of(plain, &dense, 1);
  const th_region ball = {.name = "rock", .kind = TH_REGION_BALL, .centre = {7.0f, 9.0f, 0.0f}, .radius = 2.5f};
  const th_edit add = {.kind = TH_EDIT_ADD, .region = &ball};
  assert_int_equal(th_ground_edit(plain, &add, 1, &next, NULL), TH_OK);
  def.blocked = &ball;
  def.blocked_count = 1;
  th_ground *fresh = mesh_kind_ground_of(&def);
  assert_true(th_markers_hash(markers_of(next, &dense, 1)) == th_markers_hash(markers_of(fresh, &dense, 1)));
  /* and away again: the first set */
  th_ground *again = NULL;
  const th_edit drop = {.kind = TH_EDIT_REMOVE, .name = "rock"};
  assert_int_equal(th_ground_edit(next, &drop, 1, &again, NULL), TH_OK);
  assert_true(th_markers_hash(markers_of(again, &dense, 1)) == th_markers_hash(markers_of(plain, &dense, 1)));
  th_ground *all[] = {plain, next, fresh, again};
  for (int k = 0; k < 4; k++) th_ground_release(all[k]);
  th_soup_free(&soup);
}

/* A hill rises, high enough to leave its tiles, and sinks again. */
static void deformation_equals_a_fresh_start(void **unused) {
  (void)unused;
  const th_markers_def dense = th_default_markers_def();
  th_soup soup;
  mesh_kind_soup(&soup, MESH_PLANE, 1);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  th_ground *plain = mesh_kind_ground_of(&def);
  markers_of(plain, &dense, 1);
  const th_mesh *mesh = th_ground_mesh(plain);
  th_vertex_move move[64];
  uint32_t count = 0;
  for (uint32_t v = 0; v < mesh->vertex_count && count < 64; v++) {
    const double *p = mesh->xyz + 3 * (size_t)v;
    double d2 = (p[0] - 8.0) * (p[0] - 8.0) + (p[1] - 8.0) * (p[1] - 8.0);
    if (d2 < 9.0) move[count++] = (th_vertex_move){v, {(float)p[0], (float)p[1], (float)(0.6 * (9.0 - d2))}};
  }
  th_ground *hill = NULL, *back = NULL;
  assert_int_equal(th_ground_deform(plain, move, count, &hill, NULL), TH_OK);
  def.triangles = th_default_mesh_def();
  def.mesh = th_ground_mesh(hill);
  th_ground *fresh = mesh_kind_ground_of(&def);
  assert_true(th_markers_hash(markers_of(hill, &dense, 1)) == th_markers_hash(markers_of(fresh, &dense, 1)));
  for (uint32_t k = 0; k < count; k++) move[k].to.z = 0.0f;
  assert_int_equal(th_ground_deform(hill, move, count, &back, NULL), TH_OK);
  assert_true(th_markers_hash(markers_of(back, &dense, 1)) == th_markers_hash(markers_of(plain, &dense, 1)));
  th_ground *all[] = {plain, hill, fresh, back};
  for (int k = 0; k < 4; k++) th_ground_release(all[k]);
  th_soup_free(&soup);
}

static void refuse(const th_ground *ground, th_markers_def def, th_result code, const char *word) {
  const th_markers *markers = NULL;
  th_error error = {0};
  assert_int_equal(th_ground_markers(ground, &def, 1, &markers, &error), code);
  assert_null(markers);
  if (!strstr(error.text, word)) fail_msg("expected \"%s\" in: %s", word, error.text);
}

static void bad_defs_are_refused(void **unused) {
  (void)unused;
  th_ground *ground = hall(6.0f, 5.0f);
  refuse(ground, (th_markers_def){.distance = 0.0f}, TH_ERROR_RANGE, "0.02 to 100 m");
  refuse(ground, (th_markers_def){.distance = NAN}, TH_ERROR_RANGE, "0.02 to 100 m");
  refuse(ground, (th_markers_def){.distance = 7.0f}, TH_ERROR_RANGE, "the 6 m that the ground is wide");
  refuse(ground, (th_markers_def){.distance = 0.2f, .layout = 5}, TH_ERROR_RANGE, "random or grid");
  refuse(ground, (th_markers_def){.distance = 0.2f, .noise = 0.2f}, TH_ERROR_RANGE, "half the distance");
  const th_markers *markers;
  const th_markers_def def = th_default_markers_def();
  assert_int_equal(th_ground_markers(ground, &def, 1000, &markers, NULL), TH_ERROR_RANGE);
  th_ground_release(ground);
  /* a grid that misses the only free ground */
  th_vec2 a[4], b[4];
  const th_polygon part[2] = {th_box_polygon(0.0f, 0.0f, 0.4f, 0.4f, a), th_box_polygon(9.0f, 9.0f, 9.4f, 9.4f, b)};
  th_flat_def flat = th_default_flat_def();
  flat.outline = part;
  flat.outline_count = 2;
  flat.cell = 0.1f;
  assert_int_equal(th_ground_make_flat(&flat, &ground, NULL), TH_OK);
  refuse(ground, (th_markers_def){.distance = 4.0f, .layout = TH_MARKERS_GRID}, TH_ERROR_GEOMETRY, "found none");
  th_ground_release(ground);
}

static th_result make_with(const th_env *env, void *context) {
  (void)context;
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0.0f, 0.0f, 5.0f, 4.0f, corner);
  th_flat_def def = th_default_flat_def();
  def.env = *env;
  def.outline = &outline;
  def.outline_count = 1;
  th_ground *ground = NULL, *next = NULL;
  th_result result = th_ground_make_flat(&def, &ground, NULL);
  if (result) return result;
  const th_markers *markers = NULL;
  const th_markers_def dense = {.distance = 1.0f, .seed = 1};
  result = th_ground_markers(ground, &dense, 1, &markers, NULL);
  th_vec2 box[4];
  const th_edit edit = {.kind = TH_EDIT_ADD, .shape = th_box_polygon(1.0f, 1.0f, 2.0f, 2.0f, box)};
  if (!result) result = th_ground_edit(ground, &edit, 1, &next, NULL);
  if (!result) result = th_ground_markers(next, &dense, 1, &markers, NULL);
  th_ground_release(next);
  th_ground_release(ground);
  return result;
}

static void any_allocation_may_fail(void **unused) {
  (void)unused;
  assert_true(failing_every(make_with, NULL) > 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dense_markers_reach_the_jamming_density),
      cmocka_unit_test(no_further_marker_fits),
      cmocka_unit_test(no_marker_lies_in_a_wall),
      cmocka_unit_test(sparse_markers_are_a_shaken_grid),
      cmocka_unit_test(a_grid_is_regular),
      cmocka_unit_test(a_set_is_made_once),
      cmocka_unit_test(workers_change_nothing),
      cmocka_unit_test(edits_equal_a_fresh_start),
      cmocka_unit_test(markers_are_found_by_place),
      cmocka_unit_test(an_edit_is_local),
      cmocka_unit_test(meshes_have_markers_of_the_same_density),
      cmocka_unit_test(mesh_edits_equal_a_fresh_start),
      cmocka_unit_test(deformation_equals_a_fresh_start),
      cmocka_unit_test(bad_defs_are_refused),
      cmocka_unit_test(any_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
