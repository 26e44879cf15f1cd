/* tests/geometry/test_ball.c - the smallest ball against all balls through two, three or four of the points. */
#include <math.h>

#include "geometry/ball.h"
#include "support/worlds.h"

typedef struct circle {
  double x, y, radius;
} circle;

static bool holds(const circle *c, const th_vec3 *point, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (hypot((double)point[i].x - c->x, (double)point[i].y - c->y) > c->radius * (1.0 + 1e-9) + 1e-9) return false;
  return true;
}

static circle of_two(th_vec3 a, th_vec3 b) {
  return (circle){0.5 * ((double)a.x + (double)b.x), 0.5 * ((double)a.y + (double)b.y),
                  0.5 * hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y)};
}

static circle of_three(th_vec3 a, th_vec3 b, th_vec3 c) {
  const double bx = (double)b.x - (double)a.x, by = (double)b.y - (double)a.y, cx = (double)c.x - (double)a.x,
               cy = (double)c.y - (double)a.y, d = 2.0 * (bx * cy - by * cx);
  const double x = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / d,
               y = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / d;
  return (circle){(double)a.x + x, (double)a.y + y, hypot(x, y)};
}

/* The smallest circle is one through two or three of the points. */
static circle smallest(const th_vec3 *p, uint32_t count) {
  circle best = {0, 0, INFINITY};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < i; j++) {
      circle c = of_two(p[i], p[j]);
      if (c.radius < best.radius && holds(&c, p, count)) best = c;
      for (uint32_t k = 0; k < j; k++) {
        c = of_three(p[i], p[j], p[k]);
        if (c.radius < best.radius && holds(&c, p, count)) best = c;
      }
    }
  return best;
}

/* shows: BIO-45 */
static void circles_are_the_smallest(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    uint64_t random = seed;
    th_vec3 point[9];
    const uint32_t count = 2 + worlds_below(&random, 8);
    const float wide = seed % 2 ? 20.0f : 2.0f; /* a fugitive and its hunters, nearly in line in half of the cases */
    for (uint32_t i = 0; i < count; i++)
      point[i] = (th_vec3){worlds_in(&random, 0, 20), worlds_in(&random, 0, wide), 0};
    const circle wanted = smallest(point, count);
    const th_ball found = th_smallest_ball(point, count);
    if (fabs((double)found.radius - wanted.radius) > 1e-4 || fabs((double)found.centre.x - wanted.x) > 1e-3 ||
        fabs((double)found.centre.y - wanted.y) > 1e-3)
      fail_msg("seed %d: radius %g, not %g", (int)seed, (double)found.radius, wanted.radius);
  }
}

/* Any ball round the points whose centre is a little off is larger: the smallest one has no other near it. */
static void balls_in_space_are_the_smallest(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    uint64_t random = seed;
    th_vec3 point[12];
    const uint32_t count = 1 + worlds_below(&random, 12);
    for (uint32_t i = 0; i < count; i++)
      point[i] = (th_vec3){worlds_in(&random, 0, 20), worlds_in(&random, 0, 20), worlds_in(&random, 0, 6)};
    const th_ball found = th_smallest_ball(point, count);
    for (int n = -1; n < 40; n++) {
      const float by = n < 0 ? 0.0f : 0.01f * (float)(1 + n % 10);
      const th_vec3 at = {found.centre.x + worlds_in(&random, -by, by), found.centre.y + worlds_in(&random, -by, by),
                          found.centre.z + worlds_in(&random, -by, by)};
      float radius = 0.0f;
      for (uint32_t i = 0; i < count; i++)
        radius = fmaxf(radius, hypotf(hypotf(point[i].x - at.x, point[i].y - at.y), point[i].z - at.z));
      if (n < 0) assert_float_equal(radius, found.radius, 1e-4f);
      assert_true(radius >= found.radius - 1e-4f);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(circles_are_the_smallest),
                                     cmocka_unit_test(balls_in_space_are_the_smallest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
