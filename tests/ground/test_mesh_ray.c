/* Rays, nearest walls and picks on meshes: against every wall of a plane, every face of a closed mesh, and against a
 * fan of rays where the surface bends. */
#include "support/mesh_grounds.h"
#include "support/unit.h"

static const double TURN = 6.28318530717958647692;

/* With two blocked balls. */
static th_ground *ground_with_holes(mesh_kind kind) {
  static const th_vec3 centre[3][2] = {{{6, 6, 0}, {14, 11, 0}}, {{0, 0, 5}, {5, 0, 0}}, {{8, 0, 0}, {-6, 0, 2}}};
  const th_vec3 *c = centre[kind == MESH_SPHERE ? 1 : kind == MESH_TORUS ? 2 : 0];
  th_region hole[2] = {{.kind = TH_REGION_BALL, .centre = c[0], .radius = 1.8f},
                       {.kind = TH_REGION_BALL, .centre = c[1], .radius = 1.2f}};
  th_soup soup;
  mesh_kind_soup(&soup, kind, 3);
  th_mesh_ground_def def = mesh_kind_def(&soup);
  def.blocked = hole;
  def.blocked_count = 2;
  def.clearance_limit = 30.0f;
  th_ground *ground = mesh_kind_ground_of(&def);
  th_soup_free(&soup);
  return ground;
}

static th_segment wall_from_above(const th_ground *ground, uint32_t half) {
  const th_mesh *m = th_ground_mesh(ground);
  const double *a = m->xyz + 3 * (size_t)th_half_from(m, half), *b = m->xyz + 3 * (size_t)th_half_to(m, half);
  return (th_segment){(float)a[0], (float)a[1], (float)b[0], (float)b[1]};
}

/* Metres along the unit vector d from p to the segment, or infinite. */
static double meet(th_vec3 p, th_vec3 d, const th_segment *s) {
  double ex = (double)(s->bx - s->ax), ey = (double)(s->by - s->ay), ox = (double)(s->ax - p.x);
  double oy = (double)(s->ay - p.y), det = (double)d.x * ey - (double)d.y * ex;
  if (det == 0.0) return HUGE_VAL;
  double t = (ox * ey - oy * ex) / det, u = (ox * (double)d.y - oy * (double)d.x) / det;
  return t >= 0.0 && u >= 0.0 && u <= 1.0 ? t : HUGE_VAL;
}

static th_vec2 towards(double angle) { return (th_vec2){(float)cos(angle), (float)sin(angle)}; }

static bool is_listed(const th_ground *ground, uint32_t half) {
  uint32_t count;
  const uint32_t *wall = th_ground_wall_halves(ground, &count);
  for (uint32_t k = 0; k < count; k++)
    if (wall[k] == half) return true;
  return false;
}

static float apart(th_vec3 a, th_vec3 b) {
  return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* The place of a hit lies on the wall that it names. */
static void check_on_wall(const th_ground *ground, th_hit hit) {
  assert_true(is_listed(ground, hit.wall));
  const th_mesh *m = th_ground_mesh(ground);
  const double *a = m->xyz + 3 * (size_t)th_half_from(m, hit.wall), *b = m->xyz + 3 * (size_t)th_half_to(m, hit.wall);
  th_vec3 from = {(float)a[0], (float)a[1], (float)a[2]}, to = {(float)b[0], (float)b[1], (float)b[2]};
  th_vec3 p = th_ground_point(ground, hit.place);
  assert_true(apart(from, p) + apart(p, to) < apart(from, to) + 1e-4f);
}

static void plane_agrees_with_brute_force(void **unused) {
  (void)unused;
  static const mesh_kind kind[] = {MESH_PLANE, MESH_NOISY, MESH_SLIVERS};
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
    th_ground *ground = ground_with_holes(kind[i]);
    uint32_t count;
    const uint32_t *wall = th_ground_wall_halves(ground, &count);
    for (uint32_t n = 0; n < 400; n++) {
      th_place from = mesh_kind_any_place(ground, 5, n);
      th_vec2 d = towards(TURN * (double)th_random_unit(6, 0, n, 0));
      th_vec3 p = th_ground_point(ground, from), way = th_ground_to_space(ground, from, d);
      double ray = HUGE_VAL, near = HUGE_VAL;
      for (uint32_t k = 0; k < count; k++) {
        th_segment s = wall_from_above(ground, wall[k]);
        ray = fmin(ray, meet(p, way, &s));
        near = fmin(near, sqrt(th_segment_distance2(&s, (double)p.x, (double)p.y)));
      }
      th_hit hit = th_ground_ray(ground, from, d, INFINITY);
      assert_float_equal(hit.distance, (float)ray, 2e-4f);
      check_on_wall(ground, hit);
      th_vec3 end = {p.x + hit.distance * way.x, p.y + hit.distance * way.y, p.z};
      assert_true(apart(end, th_ground_point(ground, hit.place)) < 1e-3f);
      float less = fmaxf((float)ray - 1e-3f, 0.0f); /* a place may lie on the wall but for rounding */
      hit = th_ground_ray(ground, from, d, less);
      assert_int_equal(hit.wall, UINT32_MAX);
      assert_true(hit.distance == less);
      hit = th_ground_nearest_wall(ground, from, INFINITY);
      assert_float_equal(hit.distance, (float)near, 2e-4f);
      check_on_wall(ground, hit);
      assert_float_equal(apart(p, th_ground_point(ground, hit.place)), (float)near, 2e-4f);
      assert_int_equal(th_ground_nearest_wall(ground, from, fmaxf((float)near - 1e-3f, 0.0f)).wall, UINT32_MAX);
    }
    th_ground_release(ground);
  }
}

/* Short walks, one after the other, until one is turned by a wall. */
static float walk_to_wall(const th_ground *ground, th_place from, th_vec2 d, float max) {
  const float step = 0.01f;
  float gone = 0.0f;
  while (gone < max) {
    th_turn turn = {1.0f, 0.0f};
    if (th_ground_walk(ground, &from, (th_vec2){step * d.x, step * d.y}, 0.0f, &turn)) return gone;
    d = (th_vec2){turn.c * d.x - turn.s * d.y, turn.s * d.x + turn.c * d.y};
    gone += step;
  }
  return INFINITY;
}

/* No ray of a fan is shorter than the way to the nearest wall in sight, and one is hardly longer: on the inside of a
 * torus rays part so fast that 4000 leave 1.6 % at 7 m. */
static void check_fan(const th_ground *ground, th_place from) {
  th_hit near = th_ground_nearest_wall(ground, from, INFINITY);
  float min = INFINITY;
  for (int k = 0; k < 4000; k++)
    min = fminf(min, th_ground_ray(ground, from, towards(TURN * k / 4000), 30.0f).distance);
  assert_true(min > near.distance - 2e-3f);
  assert_true(min < near.distance * 1.02f + 2e-3f);
  assert_true(th_ground_clearance_at(ground, from) < near.distance + 2e-3f);
  check_on_wall(ground, near);
}

static void bent_surfaces_agree_with_walks(void **unused) {
  (void)unused;
  static const mesh_kind kind[] = {MESH_SPHERE, MESH_TORUS};
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
    th_ground *ground = ground_with_holes(kind[i]);
    uint32_t hits = 0;
    for (uint32_t n = 0; n < 60; n++) {
      th_place from = mesh_kind_any_place(ground, 7, n);
      th_vec2 d = towards(TURN * (double)th_random_unit(8, 0, n, 0));
      th_hit hit = th_ground_ray(ground, from, d, 12.0f);
      float walked = walk_to_wall(ground, from, d, 12.0f);
      hits += hit.wall != UINT32_MAX;
      if (hit.wall != UINT32_MAX) {
        assert_float_equal(hit.distance, walked, 0.03f);
        check_on_wall(ground, hit);
      } else {
        assert_true(walked == INFINITY);
        assert_true(hit.distance == 12.0f);
      }
      check_fan(ground, from);
    }
    assert_true(hits > 5);
    th_ground_release(ground);
  }
}

/* A closed surface without walls: nothing is hit, however far the ray goes. */
static void without_walls_nothing_is_hit(void **unused) {
  (void)unused;
  th_ground *ground = mesh_kind_ground(MESH_SPHERE, 1);
  th_place from = mesh_kind_any_place(ground, 1, 1), nowhere = {TH_NO_CELL, 0, 0};
  assert_int_equal(th_ground_ray(ground, from, (th_vec2){1, 0}, INFINITY).wall, UINT32_MAX);
  assert_int_equal(th_ground_ray(ground, from, (th_vec2){0, 0}, 1).wall, UINT32_MAX);
  assert_int_equal(th_ground_ray(ground, from, (th_vec2){NAN, 0}, 1).wall, UINT32_MAX);
  assert_int_equal(th_ground_ray(ground, from, (th_vec2){1, 0}, -1).wall, UINT32_MAX);
  assert_int_equal(th_ground_ray(ground, nowhere, (th_vec2){1, 0}, 1).wall, UINT32_MAX);
  assert_int_equal(th_ground_nearest_wall(ground, from, INFINITY).wall, UINT32_MAX);
  assert_int_equal(th_ground_nearest_wall(ground, nowhere, 1).wall, UINT32_MAX);
  th_ground_release(ground);
}

/* Towards the middle of a wall at right angles, where a walk would stop instead of sliding, and along the border. */
static void walls_are_met_head_on(void **unused) {
  (void)unused;
  th_ground *ground = mesh_kind_ground(MESH_PLANE, 1);
  th_place from = th_ground_locate(ground, 3.3f, 4.4f);
  th_hit hit = th_ground_ray(ground, from, th_ground_to_cell(ground, from, (th_vec3){0, -1, 0}), 100);
  assert_float_equal(hit.distance, 4.4f, 1e-5f);
  check_on_wall(ground, hit);
  from = th_ground_locate(ground, 3.0f, 4.0f); /* a vertex; the ray passes vertices only, and ends in one */
  hit = th_ground_ray(ground, from, th_ground_to_cell(ground, from, (th_vec3){0, -1, 0}), 100);
  assert_float_equal(hit.distance, 4.0f, 1e-5f);
  check_on_wall(ground, hit);
  from = th_ground_locate(ground, 4.0f, 4.0f); /* into the corner */
  th_vec3 diagonal = {-sqrtf(0.5f), -sqrtf(0.5f), 0};
  hit = th_ground_ray(ground, from, th_ground_to_cell(ground, from, diagonal), 100);
  assert_float_equal(hit.distance, 4.0f * sqrtf(2.0f), 1e-5f);
  check_on_wall(ground, hit);
  th_ground_release(ground);
}

/* Moeller and Trumbore against every face. */
static uint32_t first_face(const th_mesh *m, th_vec3 o, th_vec3 d, double *distance) {
  uint32_t best = TH_NO_ELEMENT;
  *distance = HUGE_VAL;
  for (uint32_t f = 0; f < m->face_count; f++) {
    double e[3][3], q[3], n[3], way[3] = {(double)d.x, (double)d.y, (double)d.z};
    const double from[3] = {(double)o.x, (double)o.y, (double)o.z};
    const double *a = m->xyz + 3 * (size_t)m->corner[3 * f], *b = m->xyz + 3 * (size_t)m->corner[3 * f + 1];
    const double *c = m->xyz + 3 * (size_t)m->corner[3 * f + 2];
    for (int k = 0; k < 3; k++) e[0][k] = b[k] - a[k], e[1][k] = c[k] - a[k], e[2][k] = from[k] - a[k];
    for (int k = 0; k < 3; k++) {
      int x = (k + 1) % 3, y = (k + 2) % 3;
      n[k] = way[x] * e[1][y] - way[y] * e[1][x];
      q[k] = e[2][x] * e[0][y] - e[2][y] * e[0][x];
    }
    double det = e[0][0] * n[0] + e[0][1] * n[1] + e[0][2] * n[2];
    double u = (e[2][0] * n[0] + e[2][1] * n[1] + e[2][2] * n[2]) / det;
    double v = (way[0] * q[0] + way[1] * q[1] + way[2] * q[2]) / det;
    double t = (e[1][0] * q[0] + e[1][1] * q[1] + e[1][2] * q[2]) / det;
    if (det == 0.0 || u < 0.0 || v < 0.0 || u + v > 1.0 || t < 0.0 || t >= *distance) continue;
    *distance = t;
    best = f;
  }
  return best;
}

static void picks_agree_with_brute_force(void **unused) {
  (void)unused;
  static const mesh_kind kind[] = {MESH_PLANE, MESH_SPHERE, MESH_TORUS};
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
    th_ground *ground = ground_with_holes(kind[i]);
    uint32_t met = 0, blocked = 0;
    for (uint32_t n = 0; n < 500; n++) {
      th_vec3 eye = {20 * th_random_unit(1, 0, n, 0) - 5, 20 * th_random_unit(1, 1, n, 0) - 5, 9.0f};
      th_vec3 at = th_ground_point(ground, mesh_kind_any_place(ground, 3, n)), d = {at.x - eye.x, at.y - eye.y, 0};
      at.x += 3 * th_random_unit(1, 2, n, 0) - 1.5f;
      d = (th_vec3){at.x - eye.x, at.y - eye.y, at.z - eye.z};
      float size = apart(at, eye);
      double distance;
      uint32_t face = first_face(th_ground_mesh(ground), eye, (th_vec3){d.x / size, d.y / size, d.z / size}, &distance);
      bool expected = face != TH_NO_ELEMENT && !th_ground_blocked_faces(ground)[face];
      th_place place;
      assert_int_equal(th_ground_pick(ground, eye, d, INFINITY, &place), expected);
      met += expected;
      blocked += face != TH_NO_ELEMENT && !expected;
      if (!expected) {
        assert_int_equal(place.cell, TH_NO_CELL);
        continue;
      }
      assert_int_equal(place.cell, face);
      assert_float_equal(apart(eye, th_ground_point(ground, place)), (float)distance, 1e-4f);
      assert_false(th_ground_pick(ground, eye, d, 0.99f * (float)distance, &place));
    }
    assert_true(met > 100 && blocked > 0);
    th_ground_release(ground);
  }
}

static void flat_ground_is_picked(void **unused) {
  (void)unused;
  const th_vec2 square[4] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}}, box[4] = {{4, 4}, {6, 4}, {6, 6}, {4, 6}};
  th_polygon outline = {.point = square, .count = 4}, solid = {.point = box, .count = 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline, def.outline_count = 1, def.obstacle = &solid, def.obstacle_count = 1;
  th_ground *ground;
  assert_int_equal(th_ground_make_flat(&def, &ground, NULL), TH_OK);
  th_place place;
  assert_true(th_ground_pick(ground, (th_vec3){2, 3, 4}, (th_vec3){0, 0, -2}, 5, &place));
  assert_true(place.x == 2.0f && place.y == 3.0f && place.cell == th_ground_locate(ground, 2, 3).cell);
  assert_true(th_ground_pick(ground, (th_vec3){0, 0, 3}, (th_vec3){1, 0.5f, -1}, INFINITY, &place));
  assert_float_equal(place.x, 3.0f, 1e-5f);
  assert_float_equal(place.y, 1.5f, 1e-5f);
  assert_false(th_ground_pick(ground, (th_vec3){2, 3, 4}, (th_vec3){0, 0, -2}, 3.9f, &place)); /* too short */
  assert_false(th_ground_pick(ground, (th_vec3){2, 3, 4}, (th_vec3){0, 0, 1}, 99, &place));    /* up */
  assert_false(th_ground_pick(ground, (th_vec3){2, 3, 4}, (th_vec3){1, 0, 0}, INFINITY, &place));
  assert_false(th_ground_pick(ground, (th_vec3){5, 5, 4}, (th_vec3){0, 0, -1}, 99, &place)); /* solid */
  assert_int_equal(place.cell, TH_NO_CELL);
  assert_false(th_ground_pick(ground, (th_vec3){5, 5, 4}, (th_vec3){0, 0, 0}, 99, &place));
  assert_false(th_ground_pick(ground, (th_vec3){NAN, 5, 4}, (th_vec3){0, 0, -1}, 99, &place));
  uint32_t count = 7;
  assert_null(th_ground_wall_halves(ground, &count));
  assert_int_equal(count, 0);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plane_agrees_with_brute_force), cmocka_unit_test(bent_surfaces_agree_with_walks),
      cmocka_unit_test(without_walls_nothing_is_hit),  cmocka_unit_test(walls_are_met_head_on),
      cmocka_unit_test(picks_agree_with_brute_force),  cmocka_unit_test(flat_ground_is_picked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
