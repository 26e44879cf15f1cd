/* tests/ground/test_walls.c - walls bound exactly the walkable space; rays and nearest walls against brute force. */
#include "ground/walk.h"
#include "support/floor_plans.h"

static bool has_wall(const th_ground *ground, th_segment s) {
  for (uint32_t k = 0; k < ground->flat->wall_count; k++)
    if (!memcmp(&ground->flat->wall[k], &s, sizeof s)) return true;
  return false;
}

static th_ground *make(const th_flat_def *def) {
  th_ground *ground = NULL;
  th_error error = {0};
  if (th_ground_make_flat(def, &ground, &error)) fail_msg("%s: %s", error.where, error.text);
  return ground;
}

static void overlapping_boxes_have_one_border(void **unused) {
  (void)unused;
  th_vec2 a[4], b[4], c[4];
  th_polygon outline = plan_box(a, 0, 0, 10, 10);
  th_polygon solid[2] = {plan_box(b, 2, 2, 5, 5), plan_box(c, 4, 4, 7, 7)};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  def.obstacle = solid;
  def.obstacle_count = 2;
  th_ground *ground = make(&def);
  assert_int_equal(ground->flat->wall_count, 4 + 8);
  assert_true(has_wall(ground, (th_segment){0, 0, 10, 0})); /* left of it: the room */
  assert_true(has_wall(ground, (th_segment){5, 2, 2, 2}));
  assert_true(has_wall(ground, (th_segment){5, 4, 5, 2})); /* cut where the other box begins */
  assert_true(has_wall(ground, (th_segment){7, 4, 5, 4}));
  th_ground_release(ground);
}

static void touching_shapes_leave_no_wall_between(void **unused) {
  (void)unused;
  th_vec2 a[4], b[4], c[4], d[4];
  th_polygon outline[2] = {plan_box(a, 0, 0, 5, 10), plan_box(b, 5, 2, 10, 8)};
  th_polygon solid[2] = {plan_box(c, 0, 0, 2, 2), plan_box(d, 2, 0, 3, 2)};
  th_flat_def def = th_default_flat_def();
  def.outline = outline;
  def.outline_count = 2;
  def.obstacle = solid;
  def.obstacle_count = 2;
  th_ground *ground = make(&def);
  assert_int_equal(ground->flat->wall_count, 11);
  assert_true(has_wall(ground, (th_segment){5, 0, 5, 2})); /* above it the two outlines join */
  assert_true(has_wall(ground, (th_segment){3, 0, 5, 0})); /* the corner is filled by boxes */
  assert_true(has_wall(ground, (th_segment){0, 10, 0, 2}));
  assert_false(has_wall(ground, (th_segment){2, 0, 2, 2}));
  th_ground_release(ground);
}

/* Two rooms of an L that share a corner and parts of two borders: each part is a wall once, and ends meet. */
static void shared_borders_are_walls_once(void **unused) {
  (void)unused;
  static const th_segment expected[] = {{0, 0, 44, 0},    {44, 0, 44, 20},  {24, 20, 0, 20}, {0, 20, 0, 0},
                                        {44, 20, 44, 50}, {44, 50, 24, 50}, {24, 50, 24, 20}};
  for (int turned = 0; turned < 2; turned++) {
    th_vec2 a[4], b[4];
    th_polygon outline[2] = {plan_box(a, 0, 0, 44, 20), plan_box(b, 24, 0, 44, 50)};
    const th_vec2 corner = b[1];
    if (turned) b[1] = b[3], b[3] = corner; /* clockwise: the same walls */
    th_flat_def def = th_default_flat_def();
    def.outline = outline;
    def.outline_count = 2;
    th_ground *ground = make(&def);
    assert_int_equal(ground->flat->wall_count, 7);
    for (int k = 0; k < 7; k++) assert_true(has_wall(ground, expected[k]));
    th_ground_release(ground);
  }
}

static double length_of(const th_ground *ground) {
  double sum = 0.0;
  for (uint32_t k = 0; k < ground->flat->wall_count; k++) sum += th_segment_length(&ground->flat->wall[k]);
  return sum;
}

/* The same L at any angle, where no side is exact. */
static void shared_borders_are_walls_once_at_any_angle(void **unused) {
  (void)unused;
  for (int n = 0; n < 360; n++) {
    th_vec2 a[4], b[4];
    th_polygon outline[2] = {plan_box(a, 0, 0, 44, 20), plan_box(b, 24, 0, 44, 50)};
    const float c = cosf(0.0175f * (float)n + 0.003f), s = sinf(0.0175f * (float)n + 0.003f);
    for (int k = 0; k < 4; k++) {
      a[k] = (th_vec2){c * a[k].x - s * a[k].y, s * a[k].x + c * a[k].y};
      b[k] = (th_vec2){c * b[k].x - s * b[k].y, s * b[k].x + c * b[k].y};
    }
    th_flat_def def = th_default_flat_def();
    def.outline = outline;
    def.outline_count = 2;
    th_ground *ground = make(&def);
    if (!(fabs(length_of(ground) - 188.0) < 0.01)) fail_msg("%d degrees: %g m of walls", n, length_of(ground));
    th_ground_release(ground);
  }
}

/* An obstacle a hair off the border leaves the border its walls. */
static void a_hair_beside_a_border_opens_nothing(void **unused) {
  (void)unused;
  static const float off[] = {0.0f, 3e-6f, 1e-5f, 1.5e-5f, 2e-5f, 2.1e-5f, 2.5e-5f, 3e-5f, 4e-5f, 1e-4f};
  for (size_t n = 0; n < sizeof off / sizeof *off; n++) {
    th_vec2 a[4], b[4];
    th_polygon outline = plan_box(a, 0, 0, 50, 50), solid = plan_box(b, 20, off[n], 30, 1);
    th_flat_def def = th_default_flat_def();
    def.outline = &outline, def.outline_count = 1;
    def.obstacle = &solid, def.obstacle_count = 1;
    th_ground *ground = make(&def);
    double border = 0.0;
    for (uint32_t k = 0; k < ground->flat->wall_count; k++) {
      const th_segment *w = &ground->flat->wall[k];
      const bool beside = (w->ax < 20.0f || w->ax > 30.0f) || (w->bx < 20.0f || w->bx > 30.0f);
      if (beside && fabsf(w->ay) < 1e-3f && fabsf(w->by) < 1e-3f) border += th_segment_length(w);
    }
    if (!(border > 39.9)) fail_msg("%g m off: %g m of 40 m", (double)off[n], border);
    th_ground_release(ground);
  }
}

static void pixels_are_joined_into_long_walls(void **unused) {
  (void)unused;
  uint8_t grey[6 * 5];
  memset(grey, 255, sizeof grey);
  for (uint32_t i = 2; i < 5; i++) grey[1 * 6 + i] = grey[2 * 6 + i] = 0; /* rows from the top */
  grey[4 * 6] = 0;                                                        /* a corner of the image */
  th_image image = {grey, 6, 5, 0.5f, {10, 20}, 128};
  th_flat_def def = th_default_flat_def();
  def.image = &image;
  th_ground *ground = make(&def);
  assert_int_equal(ground->flat->wall_count, 4 + 4 + 2);
  assert_true(has_wall(ground, (th_segment){11, 22, 12.5f, 22})); /* top: walkable above */
  assert_true(has_wall(ground, (th_segment){12.5f, 21, 11, 21}));
  assert_true(has_wall(ground, (th_segment){10.5f, 20, 13, 20}));
  assert_true(has_wall(ground, (th_segment){10, 20.5f, 10.5f, 20.5f}));
  th_ground_release(ground);
}

static void a_wall_parts_walkable_from_solid(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    plan p;
    plan_make(&p, seed, (uint32_t)(seed % 50), 14.0f);
    th_ground *ground = plan_ground(&p);
    for (uint32_t k = 0; k < ground->flat->wall_count; k++) {
      const th_segment *w = &ground->flat->wall[k];
      double length = th_segment_length(w);
      if (length < 1e-3) continue;
      double nx = -((double)w->by - (double)w->ay) / length * 2e-5,
             ny = ((double)w->bx - (double)w->ax) / length * 2e-5;
      double x = 0.5 * ((double)w->ax + (double)w->bx), y = 0.5 * ((double)w->ay + (double)w->by);
      CHECK_SEED(plan_walkable(&p, x + nx, y + ny), seed, "solid left of wall %u at (%g, %g)", k, x, y);
      CHECK_SEED(!plan_walkable(&p, x - nx, y - ny), seed, "walkable right of wall %u at (%g, %g)", k, x, y);
    }
    th_ground_release(ground);
  }
}

/* Going from walkable to solid space meets a wall. */
static void the_border_is_closed(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    plan p;
    plan_make(&p, seed, (uint32_t)(seed % 50), 14.0f);
    th_ground *ground = plan_ground(&p);
    uint64_t state = seed;
    for (uint32_t n = 0; n < 2000; n++) {
      th_segment way = {plan_in(&state, -2, 18), plan_in(&state, -2, 18), plan_in(&state, -2, 18),
                        plan_in(&state, -2, 18)};
      bool from = plan_walkable(&p, (double)way.ax, (double)way.ay),
           to = plan_walkable(&p, (double)way.bx, (double)way.by);
      if (from == to) continue;
      float length = (float)th_segment_length(&way);
      th_hit hit =
          th_ground_ray(ground, (th_place){0, way.ax, way.ay},
                        (th_vec2){(way.bx - way.ax) / length, (way.by - way.ay) / length}, length * 1.0001f + 1e-3f);
      CHECK_SEED(hit.wall != UINT32_MAX, seed, "no wall from (%g, %g) to (%g, %g)", (double)way.ax, (double)way.ay,
                 (double)way.bx, (double)way.by);
    }
    th_ground_release(ground);
  }
}

/* Every other plan lies far from the origin; returns by how much it was moved. */
static th_vec2 put_elsewhere(plan *p, uint64_t seed) {
  const th_vec2 by = seed % 2 ? (th_vec2){0.0f, 0.0f} : (th_vec2){300.0f, -200.0f};
  th_vec2 *const points[] = {&p->outline_point[0][0], &p->point[0][0], &p->door_point[0][0]};
  const size_t count[] = {sizeof p->outline_point / sizeof(th_vec2), sizeof p->point / sizeof(th_vec2),
                          sizeof p->door_point / sizeof(th_vec2)};
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i < count[k]; i++) points[k][i] = (th_vec2){points[k][i].x + by.x, points[k][i].y + by.y};
  return by;
}

static double ray_by_force(const th_ground *ground, double x, double y, double dx, double dy, double length) {
  double best = length;
  for (uint32_t k = 0; k < ground->flat->wall_count; k++) {
    const th_segment *s = &ground->flat->wall[k];
    double ex = (double)s->bx - (double)s->ax, ey = (double)s->by - (double)s->ay, across = dx * ey - dy * ex;
    if (across == 0.0) continue;
    double ox = (double)s->ax - x, oy = (double)s->ay - y;
    double t = (ox * ey - oy * ex) / across, u = (ox * dy - oy * dx) / across;
    if (t >= 0.0 && u >= 0.0 && u <= 1.0 && t < best) best = t;
  }
  return best;
}

static void rays_agree_with_brute_force(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    plan p;
    plan_make(&p, seed, (uint32_t)(seed % 50), 14.0f);
    const th_vec2 by = put_elsewhere(&p, seed);
    th_ground *ground = plan_ground(&p);
    uint64_t state = seed;
    for (uint32_t n = 0; n < 1000; n++) {
      float x = by.x + plan_in(&state, -5, 20), y = by.y + plan_in(&state, -5, 20), angle = plan_in(&state, 0, 6.28f);
      float dx = n % 7 ? cosf(angle) : 0.0f, dy = n % 7 ? sinf(angle) : -1.0f;
      float length = n % 5 ? plan_in(&state, 0, 12) : INFINITY;
      double expected = ray_by_force(ground, (double)x, (double)y, (double)dx, (double)dy, (double)length);
      th_hit hit = th_ground_ray(ground, (th_place){0, x, y}, (th_vec2){dx, dy}, length);
      CHECK_SEED(hit.distance == (float)expected, seed, "%.9g instead of %.9g", (double)hit.distance, expected);
      CHECK_SEED((hit.wall == UINT32_MAX) == (expected >= (double)length), seed, "hit or not");
    }
    th_ground_release(ground);
  }
}

static void nearest_agrees_with_brute_force(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    plan p;
    plan_make(&p, seed, (uint32_t)(seed % 50), 14.0f);
    const th_vec2 by = put_elsewhere(&p, seed);
    th_ground *ground = plan_ground(&p);
    uint64_t state = seed;
    for (uint32_t n = 0; n < 1000; n++) {
      float x = by.x + plan_in(&state, -15, 30), y = by.y + plan_in(&state, -15, 30),
            reach = n % 4 ? plan_in(&state, 0, 3) : 1e5f;
      uint32_t best = UINT32_MAX;
      double best2 = (double)reach * (double)reach;
      for (uint32_t k = 0; k < ground->flat->wall_count; k++) {
        double d2 = th_segment_distance2(&ground->flat->wall[k], (double)x, (double)y);
        if (d2 < best2 || (d2 == best2 && best == UINT32_MAX)) best2 = d2, best = k;
      }
      th_hit hit = th_ground_nearest_wall(ground, (th_place){0, x, y}, reach);
      CHECK_SEED(hit.wall == best, seed, "wall %u instead of %u at (%g, %g)", hit.wall, best, (double)x, (double)y);
      CHECK_SEED(hit.distance == (float)sqrt(best2), seed, "distance");
    }
    th_ground_release(ground);
  }
}

static void walls_in_a_box_agree_with_brute_force(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    plan p;
    plan_make(&p, seed, (uint32_t)(seed % 50), 14.0f);
    const th_vec2 by = put_elsewhere(&p, seed);
    th_ground *ground = plan_ground(&p);
    uint64_t state = seed;
    for (uint32_t n = 0; n < 300; n++) {
      th_vec2 low = {by.x + plan_in(&state, -3, 16), by.y + plan_in(&state, -3, 16)};
      th_vec2 high = {low.x + plan_in(&state, 0, 5), low.y + plan_in(&state, 0, 5)};
      th_box box = {(double)low.x, (double)low.y, (double)high.x, (double)high.y};
      uint32_t found[256], capacity = n % 3 ? 256 : 3;
      uint32_t count = th_flat_query_walls(ground, low, high, found, capacity), expected = 0;
      for (uint32_t k = 0; k < ground->flat->wall_count; k++) {
        if (!th_segment_meets_box(&ground->flat->wall[k], &box)) continue;
        if (expected < capacity) CHECK_SEED(found[expected] == k, seed, "wall %u missing", k);
        expected++;
      }
      CHECK_SEED(count == expected, seed, "%u walls instead of %u", count, expected);
    }
    th_ground_release(ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overlapping_boxes_have_one_border),
      cmocka_unit_test(touching_shapes_leave_no_wall_between),
      cmocka_unit_test(shared_borders_are_walls_once),
      cmocka_unit_test(shared_borders_are_walls_once_at_any_angle),
      cmocka_unit_test(a_hair_beside_a_border_opens_nothing),
      cmocka_unit_test(pixels_are_joined_into_long_walls),
      cmocka_unit_test(a_wall_parts_walkable_from_solid),
      cmocka_unit_test(the_border_is_closed),
      cmocka_unit_test(rays_agree_with_brute_force),
      cmocka_unit_test(nearest_agrees_with_brute_force),
      cmocka_unit_test(walls_in_a_box_agree_with_brute_force),
  };
  return cmocka_run_group_tests_name("walls", tests, NULL, NULL);
}
