/* tests/group/test_formation.c - shapes of formations, who gets which post, and narrow places, on plain arrays. */
#include <math.h>

#include "group/formation.h"
#include "support/unit.h"

#define MOST 64

static void lay(th_post *post, th_formation_kind kind, uint32_t count, uint32_t columns) {
  const th_formation f = {.kind = (int32_t)kind, .columns = columns};
  th_formation_lay(&f, post, count);
}

static float apart(const th_post *a, const th_post *b) { return hypotf(a->depth - b->depth, a->lateral - b->lateral); }

static float nearest(const th_post *post, uint32_t count, uint32_t i) {
  float least = INFINITY;
  for (uint32_t k = 0; k < count; k++)
    if (k != i) least = fminf(least, apart(&post[i], &post[k]));
  return least;
}

/* Every post of the shapes with a spacing has a neighbour at it and nobody nearer. */
static void neighbours_are_a_spacing_apart(void **state) {
  (void)state;
  const th_formation_kind kinds[] = {TH_FORMATION_LINE, TH_FORMATION_COLUMN, TH_FORMATION_WEDGE, TH_FORMATION_CIRCLE,
                                     TH_FORMATION_GRID};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (uint32_t count = 2; count <= 50; count++) {
      th_post post[MOST];
      lay(post, kinds[k], count, 0);
      for (uint32_t i = 0; i < count; i++) { /* posts of a row that is not full may lie right behind those before it */
        const float least = nearest(post, count, i), full = kinds[k] == TH_FORMATION_WEDGE ? 1.039f : 1.2f;
        assert_true(least > full - 0.01f && least < 1.35f);
      }
    }
}

static void wedges_are_rows_of_one_two_three(void **state) {
  (void)state;
  th_post post[MOST];
  lay(post, TH_FORMATION_WEDGE, 50, 0);
  uint32_t wide[16] = {0};
  for (uint32_t i = 0; i < 50; i++) wide[post[i].row]++;
  for (uint32_t row = 0; row < 9; row++) assert_int_equal(wide[row], row + 1);
  assert_int_equal(wide[9], 5);
  assert_true(post[0].depth == 0.0f && post[0].lateral == 0.0f);
}

static void friends_walk_side_by_side(void **state) {
  (void)state;
  th_post post[MOST];
  for (uint32_t count = 1; count <= 3; count++) {
    lay(post, TH_FORMATION_FRIENDS, count, 0);
    for (uint32_t i = 0; i < count; i++) assert_true(post[i].depth == 0.0f);
  }
  lay(post, TH_FORMATION_FRIENDS, 25, 0);
  for (uint32_t i = 0; i < 25; i++) assert_int_equal(post[i].row, i / 2);
}

/* Half of an outline's posts lie on its longer half: distances along it are equal. */
static void outlines_are_sampled_in_equal_distances(void **state) {
  (void)state;
  const th_vec2 corner[] = {{0, 0}, {9, 0}, {9, 1}, {0, 1}};
  const th_formation f = {.kind = TH_FORMATION_OUTLINE, .point = corner, .point_count = 4};
  th_post post[20];
  th_formation_lay(&f, post, 20);
  uint32_t below = 0;
  for (uint32_t i = 0; i < 20; i++) {
    const float x = 9.0f - post[i].depth, y = post[i].lateral;
    const bool on = fabsf(y) < 1e-4f || fabsf(y - 1) < 1e-4f || fabsf(x) < 1e-4f || fabsf(x - 9) < 1e-4f;
    if (!on) fail_msg("post %u at %g, %g is not on the outline", i, (double)x, (double)y);
    below += fabsf(y) < 1e-4f && x < 8.99f;
  }
  assert_int_equal(below, 9); /* x = 0, 1, ... 8 */
}

/* ---------------------------------------------------------------- who gets which */

static double walk(const th_vec2 *member, const th_vec2 *post, const uint32_t *of, uint32_t count) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; i++)
    sum += hypot((double)member[i].x - post[of[i]].x, (double)member[i].y - post[of[i]].y);
  return sum;
}

/* The least sum over all orders of `of`, by trying them. */
static double least_walk(const th_vec2 *member, const th_vec2 *post, uint32_t *of, uint32_t at, uint32_t count) {
  if (at == count) return walk(member, post, of, count);
  double least = INFINITY;
  for (uint32_t k = at; k < count; k++) {
    uint32_t held = of[at];
    of[at] = of[k], of[k] = held;
    least = fmin(least, least_walk(member, post, of, at + 1, count));
    held = of[at];
    of[at] = of[k], of[k] = held;
  }
  return least;
}

static float draw(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / 1677721.6f;
}

static void no_other_order_is_shorter(void **state) {
  (void)state;
  uint32_t random = 1;
  for (int k = 0; k < 40; k++) {
    th_vec2 member[7], post[7];
    uint32_t of[7], order[7] = {0, 1, 2, 3, 4, 5, 6};
    double work[64];
    assert_true(th_assign_work(7) <= sizeof work);
    for (int i = 0; i < 7; i++) member[i] = (th_vec2){draw(&random), draw(&random)};
    for (int i = 0; i < 7; i++) post[i] = (th_vec2){draw(&random), draw(&random)};
    th_assign_posts(member, post, 7, UINT32_MAX, of, work);
    assert_float_equal(walk(member, post, of, 7), least_walk(member, post, order, 0, 7), 1e-6);
    th_assign_posts(member, post, 7, 3, of, work);
    assert_int_equal(of[3], 0); /* a leader */
  }
}

/* Beyond the exact method pairs are exchanged: nobody is left without a post, and no pair gains. */
static void large_groups_gain_by_no_exchange(void **state) {
  (void)state;
  enum { MANY = 200 };
  static th_vec2 member[MANY], post[MANY];
  static uint32_t of[MANY], taken[MANY];
  static double work[MANY * 8];
  uint32_t random = 7;
  for (int i = 0; i < MANY; i++) member[i] = (th_vec2){draw(&random), draw(&random)};
  for (int i = 0; i < MANY; i++) post[i] = (th_vec2){draw(&random), draw(&random)};
  th_assign_posts(member, post, MANY, UINT32_MAX, of, work);
  const double sum = walk(member, post, of, MANY);
  for (int i = 0; i < MANY; i++) taken[of[i]]++;
  for (int i = 0; i < MANY; i++) assert_int_equal(taken[i], 1);
  for (int i = 0; i < MANY; i++) of[i] = (uint32_t)i;
  if (sum > 0.25 * walk(member, post, of, MANY)) fail_msg("%g m of %g m", sum, walk(member, post, of, MANY));
}

/* ---------------------------------------------------------------- narrow places */

/* 20 m wide but for a door of 1 m of free width at 10 m along the path. */
static th_free_sides door_at_ten(const void *path, float along) {
  (void)path;
  const float half = 0.5f + fabsf(along - 10.0f);
  return (th_free_sides){half, half};
}

static void wedge_at(float front, th_post *post) {
  lay(post, TH_FORMATION_WEDGE, 50, 0);
  const th_squeeze q = {.front = front, .tight = 0.55f, .gap = 0.75f, .sides = door_at_ten};
  th_formation_squeeze(&q, post, 50);
}

static void shapes_pass_a_door_and_close_again(void **state) {
  (void)state;
  th_post post[MOST];
  for (float front = 0.0f; front < 60.0f; front += 0.25f) {
    wedge_at(front, post);
    for (uint32_t i = 0; i < 50; i++) {
      const float room = door_at_ten(NULL, post[i].along).left;
      if (fabsf(post[i].aside) > room + 0.8f) /* of its row's first post, which is a little farther on */
        fail_msg("front at %g: post %u is %g m aside, with %g m", (double)front, i, (double)post[i].aside,
                 (double)room);
      for (uint32_t k = 0; k < i; k++) {
        const float d = hypotf(post[i].along - post[k].along, post[i].aside - post[k].aside);
        if (d < 0.45f) fail_msg("front at %g: posts %u and %u are %g m apart", (double)front, k, i, (double)d);
      }
    }
  }
  wedge_at(60.0f, post);
  for (uint32_t i = 0; i < 50; i++) {
    assert_float_equal(post[i].aside, post[i].lateral, 1e-5f);
    assert_float_equal(post[i].along, 60.0f - post[i].depth, 1e-5f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_are_a_spacing_apart),    cmocka_unit_test(wedges_are_rows_of_one_two_three),
      cmocka_unit_test(friends_walk_side_by_side),         cmocka_unit_test(outlines_are_sampled_in_equal_distances),
      cmocka_unit_test(no_other_order_is_shorter),         cmocka_unit_test(large_groups_gain_by_no_exchange),
      cmocka_unit_test(shapes_pass_a_door_and_close_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
