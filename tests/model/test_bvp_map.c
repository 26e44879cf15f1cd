/* tests/model/test_bvp_map.c - the local map: zones, walls, agents, goals, perception. */
#include <stdio.h>

#include "base/random.h"
#include "support/bvp_reference.h"

static _Alignas(64) uint8_t scratch[TH_BVP_SCRATCH];
static one o;

static void walls_by(float (*clearance)(float x, float y)) {
  for (uint32_t j = 0; j < 81; j++)
    for (uint32_t i = 0; i < 81; i++)
      o.clearance[j * 81 + i] = clearance(-10.0f + 0.25f * (float)i, -10.0f + 0.25f * (float)j);
}

static float solid_right_of_one(float x, float y) { return (void)y, 1.0f - x; }
static float solid_everywhere(float x, float y) { return (void)x, (void)y, -1.0f; }

/* Border, free ring and update zone; a map of any odd size covers n cells. */
/* shows: BVP-27, BVP-28, BVP-29, SBVP-65 */
static void zones(void **state) {
  (void)state;
  for (int32_t n = 5; n <= 63; n += 2)
    for (int32_t ring = 0; ring <= (n - 5) / 2 && ring <= 2; ring++) {
      one_make(&o, scratch);
      o.params.n = n;
      o.params.free_ring = ring;
      walls_by(solid_everywhere);
      one_decide(&o);
      for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n; i++) {
          bool zone = i > ring && j > ring && i + ring + 1 < n && j + ring + 1 < n;
          bool centre = i == n / 2 && j == n / 2;
          assert_int_equal(one_blocked(&o, (uint32_t)i, (uint32_t)j), zone && !centre);
        }
    }
}

/* The map covers a square of n * cell: with cells of 7.5 m / n the same person and wall show at the same places for
 * every n, each within the cells of that n, and nothing beyond the square does. */
/* shows: BVP-39 */
static void sides_are_n_cells(void **state) {
  (void)state;
  for (int32_t n = 11; n <= 63; n += 4) {
    const float cell = 7.5f / (float)n, far = cell * (float)(n / 2 - 2); /* the last row of the update zone */
    one_make(&o, scratch);
    o.params.n = n;
    o.params.cell = cell;
    one_sees(&o, -1.3f, 1.1f, 0.25f);
    walls_by(solid_right_of_one);
    one_decide(&o);
    const int32_t c = n / 2;
    assert_true(
        one_blocked(&o, (uint32_t)(c + (int32_t)lroundf(-1.3f / cell)), (uint32_t)(c + (int32_t)lroundf(1.1f / cell))));
    for (int32_t j = 2; j < n - 2; j++)
      for (int32_t i = 2; i < n - 2; i++) {
        float x = (float)(i - c) * cell, y = (float)(j - c) * cell;
        float person = hypotf(x + 1.3f, y - 1.1f) - 0.45f, wall = 1.0f - x - 0.2f;
        if (fabsf(person) < cell || fabsf(wall) < 1e-4f) continue; /* the cell below its feet is blocked in any case */
        if (one_blocked(&o, (uint32_t)i, (uint32_t)j) != (person < 0.0f || wall < 0.0f))
          fail_msg("n = %d: cell at %g, %g", (int)n, (double)x, (double)y);
      }
    one_make(&o, scratch); /* one who stands outside the square, and one just inside */
    o.params.n = n;
    o.params.cell = cell;
    one_sees(&o, 0.0f, 3.75f + 0.25f + 0.5f * cell, 0.05f);
    one_decide(&o);
    for (int32_t j = 0; j < n; j++) assert_true(((const th_bvp_state *)(const void *)o.memory)->row[j] == 0);
    one_sees(&o, 0.0f, far, 0.05f);
    one_decide(&o);
    assert_true(one_blocked(&o, (uint32_t)c, (uint32_t)(n - 3)));
  }
}

/* A cell is blocked when a wall is nearer to its centre than the radius. */
/* shows: BVP-30 */
static void walls_grow_by_the_radius(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    one_make(&o, scratch);
    o.radius[0] = 0.1f + 0.2f * (float)k;
    walls_by(solid_right_of_one);
    one_decide(&o);
    for (uint32_t j = 2; j < 13; j++)
      for (uint32_t i = 2; i < 13; i++) {
        float x = ((float)i - 7.0f) * 0.5f;
        bool centre = i == 7 && j == 7;
        assert_int_equal(one_blocked(&o, i, j), 1.0f - x < o.radius[0] && !centre);
      }
  }
}

/* Skipping through open space along rows finds what sampling every cell finds. */
static float rough(float x, float y) {
  float a = sqrtf((x - 1.3f) * (x - 1.3f) + (y - 0.7f) * (y - 0.7f)) - 0.6f;
  float b = sqrtf((x + 1.1f) * (x + 1.1f) + (y + 1.4f) * (y + 1.4f)) - 0.3f;
  return fminf(a, b);
}
static void no_wall_is_skipped(void **state) {
  (void)state;
  for (uint32_t trial = 0; trial < 200; trial++) {
    one_make(&o, scratch);
    o.params.n = 31;
    o.params.cell = 0.2f;
    o.x[0] = th_random_range(3, 1, trial, 0, -3.0f, 3.0f);
    o.y[0] = th_random_range(3, 2, trial, 0, -3.0f, 3.0f);
    walls_by(rough);
    one_decide(&o);
    for (uint32_t j = 2; j < 29; j++)
      for (uint32_t i = 2; i < 29; i++) {
        float x = o.x[0] + ((float)i - 15.0f) * 0.2f, y = o.y[0] + ((float)j - 15.0f) * 0.2f;
        float spare = th_view_clearance(&o.view, x, y) - 0.2f;
        if (fabsf(spare) < 1e-4f || (i == 15 && j == 15)) continue;
        if (one_blocked(&o, i, j) != (spare < 0.0f))
          fail_msg("trial %u: cell %u %u, spare %g", trial, i, j, (double)spare);
      }
  }
}

/* A disc of the sum of the radii around every other agent; the cell it stands on in any case; never one's own. */
/* shows: BVP-31 */
static void agents_are_discs(void **state) {
  (void)state;
  for (uint32_t trial = 0; trial < 500; trial++) {
    one_make(&o, scratch);
    const uint32_t n = trial % 2 ? 39 : 15, c = n / 2, count = 1 + trial % 40;
    o.params.n = (int32_t)n;
    o.params.cell = n == 15 ? 0.5f : 0.2f;
    const float a_metre = 1.0f / o.params.cell, half = (float)c, reach = 1.4143f * half * o.params.cell;
    for (uint32_t k = 0; k < count; k++)
      one_sees(&o, th_random_range(11, 1, trial, k, -4.0f, 4.0f), th_random_range(11, 2, trial, k, -4.0f, 4.0f),
               th_random_range(11, 3, trial, k, 0.02f, 0.9f));
    one_decide(&o);
    for (uint32_t j = 2; j < n - 2; j++)
      for (uint32_t i = 2; i < n - 2; i++) {
        bool expected = false, unsure = i == c && j == c;
        for (uint32_t k = 0; k < count; k++) {
          float dx = o.nx[k] * a_metre + half - (float)i, dy = o.ny[k] * a_metre + half - (float)j;
          float spare = sqrtf(dx * dx + dy * dy) - (o.nradius[k] + 0.2f) * a_metre;
          bool reached = o.nx[k] * o.nx[k] + o.ny[k] * o.ny[k] <= reach * reach;
          expected |= reached && (spare < 0.0f || fmaxf(fabsf(dx), fabsf(dy)) < 0.5f);
          unsure |= fabsf(spare) < 1e-4f;
        }
        if (!unsure && one_blocked(&o, i, j) != expected) fail_msg("trial %u: cell %u %u", trial, i, j);
      }
    assert_false(one_blocked(&o, c, c));
  }
}

/* Others are drawn where they will be, and not at all when they move away; both can be switched off. */
static void others_as_they_move(void **state) {
  (void)state;
  one_make(&o, scratch);
  o.params.foresight = 1.0f;
  one_sees(&o, 2.0f, 0.0f, 0.2f);
  o.nvx[0] = -1.0f; /* comes: in a second at x = 1, column 9 */
  one_decide(&o);
  assert_true(one_blocked(&o, 9, 7));
  assert_false(one_blocked(&o, 11, 7));
  o.nvx[0] = 0.5f; /* goes: nowhere */
  one_decide(&o);
  for (uint32_t i = 2; i < 13; i++) assert_false(one_blocked(&o, i, 7));
  o.vx[0] = 1.0f; /* who walks faster catches up with it */
  one_decide(&o);
  assert_true(one_blocked(&o, 12, 7));
  o.vx[0] = 0.0f;
  o.params.others = TH_BVP_OTHERS_ALL;
  o.params.foresight = 0.0f;
  one_decide(&o);
  assert_true(one_blocked(&o, 11, 7));
}

static void layers_that_are_not_avoided(void **state) {
  (void)state;
  one_make(&o, scratch);
  one_sees(&o, 1.0f, 0.0f, 0.2f);
  o.nlayers[0] = 2;
  o.avoids[0] = 1;
  one_decide(&o);
  assert_false(one_blocked(&o, 9, 7));
  o.avoids[0] = 3;
  one_decide(&o);
  assert_true(one_blocked(&o, 9, 7));
}

/* The local goal lies where the guide points, all around and in the corners, three cells wide. */
/* shows: BVP-28, BVP-33 */
static void local_goal_all_around(void **state) {
  (void)state;
  for (int degree = 0; degree < 360; degree++) {
    one_make(&o, scratch);
    double x = cos(degree / DEGREES), y = sin(degree / DEGREES), max = fmax(fabs(x), fabs(y));
    o.want[0].dx = (float)x;
    o.want[0].dy = (float)y;
    const th_bvp_state *s = one_decide(&o);
    assert_int_equal(s->goal_width, 3);
    assert_true(fabs(s->goal_i - (7 + x / max * 7)) <= 0.501 && fabs(s->goal_j - (7 + y / max * 7)) <= 0.501);
    assert_true(s->goal_i == 0 || s->goal_i == 14 || s->goal_j == 0 || s->goal_j == 14);
    uint32_t i, j, ring = th_bvp_ring_number(15, s->goal_i, s->goal_j);
    th_bvp_ring_cell(15, ring, &i, &j);
    assert_true(i == s->goal_i && j == s->goal_j);
    double off = one_angle(&o) - degree; /* the square bends ways that are not along an axis or a diagonal */
    assert_true(fabs(remainder(off, 360.0)) < 12.0);
  }
}

/* Four axes, thirty sweeps in alternating order: the slope points to the goal within two degrees. */
/* shows: BVP-34 */
static void slope_points_to_the_goal(void **state) {
  (void)state;
  static const float way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (int precision = 0; precision < 2; precision++)
    for (int k = 0; k < 4; k++) {
      one_make(&o, scratch);
      o.params.precision = precision;
      o.want[0].dx = way[k][0];
      o.want[0].dy = way[k][1];
      one_decide(&o);
      assert_true(fabs(remainder(one_angle(&o) - 90.0 * k, 360.0)) < 2.0);
    }
}

static float solid_right(float x, float y) { return (void)y, 0.6f - x; }

/* Without the free ring a wall in front of the local goal cuts it off and the slope is null; with it, it never is. */
/* shows: BVP-29, BVP-35 */
static void free_ring_keeps_the_way_open(void **state) {
  (void)state;
  for (int ring = 0; ring <= 1; ring++)
    for (int precision = 0; precision < 2; precision++) {
      one_make(&o, scratch);
      o.params.free_ring = ring;
      o.params.precision = precision;
      o.params.sweeps = 100;
      walls_by(solid_right);
      const th_bvp_state *s = one_decide(&o);
      if (ring) /* up or down, but never into the wall */
        assert_true(s->modulus > 0.0f && s->gx < 0.1f);
      else
        assert_true(s->modulus == 0.0f && s->gx == 0.0f && s->gy == 0.0f);
    }
}

/* The goal itself inside the map: goal there, and still one in the border unless that is switched off. */
/* shows: BVP-32 */
static void goal_inside(void **state) {
  (void)state;
  for (int unless = 0; unless < 2; unless++) {
    one_make(&o, scratch);
    o.params.local_goal = unless;
    o.want[0] = (th_guide_answer){0.0f, 1.0f, 1.6f, TH_ANSWER_LEAD, {0}, 0.0f};
    const th_bvp_state *s = one_decide(&o);
    assert_int_equal(s->seen_i, 7);
    assert_int_equal(s->seen_j, 10);
    assert_int_equal(s->goal_j, unless ? TH_BVP_NO_CELL : 14);
    assert_true(fabs(one_angle(&o) - 90.0) < 2.0);
    o.want[0].left = 3.4f; /* beyond the update zone */
    one_decide(&o);
    assert_int_equal(s->seen_i, TH_BVP_NO_CELL);
    assert_int_equal(s->goal_j, 14);
    one_sees(&o, 0.0f, 1.5f, 0.2f); /* somebody stands on it */
    o.want[0].left = 1.6f;
    one_decide(&o);
    assert_int_equal(s->seen_i, TH_BVP_NO_CELL);
  }
}

/* All around by default; with a cone only what lies ahead of the heading. */
/* shows: BVP-36, SBVP-66 */
static void square_or_cone(void **state) {
  (void)state;
  for (int cone = 0; cone < 2; cone++) {
    one_make(&o, scratch);
    o.params.perception = cone;
    o.params.cone = 1.5708f;
    o.hx[0] = 0.0f;
    o.hy[0] = 1.0f;
    one_sees(&o, 0.0f, 1.5f, 0.2f);
    one_sees(&o, 0.0f, -1.5f, 0.2f);
    one_sees(&o, 1.5f, 1.0f, 0.2f);
    walls_by(solid_right_of_one);
    one_decide(&o);
    assert_true(one_blocked(&o, 7, 10));
    assert_int_equal(one_blocked(&o, 7, 4), !cone);
    assert_int_equal(one_blocked(&o, 12, 2), !cone); /* a wall behind */
    assert_true(one_blocked(&o, 11, 12));            /* and one ahead */
  }
}

/* A map of another size, or in another precision, while running: starts anew and goes on. */
/* shows: BVP-38 */
static void size_changes_while_running(void **state) {
  (void)state;
  one_make(&o, scratch);
  o.params.start = TH_BVP_WARM;
  for (int32_t k = 0; k < 12; k++) {
    o.params.n = 11 + 4 * (k % 3);
    o.params.cell = 0.3f + 0.1f * (float)(k % 4);
    o.params.precision = k % 2;
    const th_bvp_state *s = one_decide(&o);
    assert_int_equal(s->n, o.params.n);
    assert_true(fabs(one_angle(&o)) < 2.5);
  }
}

/* Warm maps go on where the last decision ended: after many decisions they reach the limit. */
static void warm_maps_go_on(void **state) {
  (void)state;
  for (int precision = 0; precision < 2; precision++) {
    one_make(&o, scratch);
    o.params.start = TH_BVP_WARM;
    o.params.precision = precision;
    o.params.sense = TH_SENSE_LITERAL;
    o.params.behaviour[0].v = (th_vec2){0.0f, 1.0f};
    o.params.behaviour[0].strength = 0.7f / o.params.cell;
    one_decide(&o);
    ASSERT_NEAR(one_angle(&o), -33.15, 0.01);
    for (int k = 0; k < 100; k++) one_decide(&o);
    ASSERT_NEAR(one_angle(&o), -35.45, 0.01);
  }
}

/* Sweeps that larger maps need, and that they are enough for a slope. */
/* shows: BVP-37 */
static void sweeps_for_a_size(void **state) {
  (void)state;
  assert_int_equal(th_bvp_sweeps(11), 30);
  assert_int_equal(th_bvp_sweeps(17), 30);
  assert_int_equal(th_bvp_sweeps(35), 100);
  for (int32_t n = 5; n <= 63; n += 2) {
    one_make(&o, scratch);
    o.params = th_default_bvp_params(n);
    o.params.cell = 0.25f;
    const th_bvp_state *s = one_decide(&o);
    assert_true(s->modulus > 0.0f && fabs(one_angle(&o)) < 5.0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zones),
      cmocka_unit_test(sides_are_n_cells),
      cmocka_unit_test(walls_grow_by_the_radius),
      cmocka_unit_test(no_wall_is_skipped),
      cmocka_unit_test(agents_are_discs),
      cmocka_unit_test(others_as_they_move),
      cmocka_unit_test(layers_that_are_not_avoided),
      cmocka_unit_test(local_goal_all_around),
      cmocka_unit_test(slope_points_to_the_goal),
      cmocka_unit_test(free_ring_keeps_the_way_open),
      cmocka_unit_test(goal_inside),
      cmocka_unit_test(square_or_cone),
      cmocka_unit_test(size_changes_while_running),
      cmocka_unit_test(warm_maps_go_on),
      cmocka_unit_test(sweeps_for_a_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
