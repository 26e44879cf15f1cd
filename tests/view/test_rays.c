/* tests/view/test_rays.c - rays and sight of sixteen agents at once: against one at a time, with the same bits on every
 * instruction set. */
#include <stdlib.h>

#include "support/worlds.h"
#include "view/rays.h"

#define CROWD 40

typedef struct sight {
  float x[16], y[16], nx[CROWD + 16], ny[CROWD + 16], range[16];
  uint32_t pick[8 * 16];
  th_segment wall[12];
  th_rays rays[3];
  th_view view;
} sight;

static void make(sight *s, uint64_t seed) {
  uint64_t random = seed;
  memset(s, 0, sizeof *s);
  s->view = (th_view){.lanes = 16,
                      .x = s->x,
                      .y = s->y,
                      .wall = s->wall,
                      .wall_count = worlds_below(&random, 13),
                      .neighbours = {.count = CROWD, .x = s->nx, .y = s->ny, .pick = s->pick, .pick_count = 8}};
  for (uint32_t i = 0; i < s->view.wall_count; i++)
    s->wall[i] = (th_segment){worlds_in(&random, -5, 5), worlds_in(&random, -5, 5), worlds_in(&random, -5, 5),
                              worlds_in(&random, -5, 5)};
  for (uint32_t i = 0; i < CROWD; i++) {
    s->nx[i] = worlds_in(&random, -6, 6);
    s->ny[i] = worlds_in(&random, -6, 6);
  }
  for (uint32_t i = 0; i < 16; i++) {
    s->x[i] = worlds_in(&random, -5, 5);
    s->y[i] = worlds_in(&random, -5, 5);
    s->range[i] = worlds_in(&random, 0, 8);
    for (uint32_t k = 0; k < 3; k++) {
      float angle = worlds_in(&random, 0, 6.28f);
      s->rays[k].dx[i] = cosf(angle);
      s->rays[k].dy[i] = sinf(angle);
      s->rays[k].length[i] = k == 2 ? 0.0f : worlds_in(&random, 0, 12);
    }
    for (uint32_t k = 0; k < 8; k++) s->pick[k * 16 + i] = k < i / 2 ? worlds_below(&random, CROWD) : TH_NO_PICK;
  }
}

/* The normal lies across the wall that was met, is a unit vector and points back. */
static void check_normal(const sight *s, const th_rays *r, uint32_t lane, bool met) {
  float nx = r->nx[lane], ny = r->ny[lane];
  if (!met) {
    assert_true(nx == 0.0f && ny == 0.0f);
    return;
  }
  assert_float_equal(nx * nx + ny * ny, 1.0f, 1e-5f);
  assert_true(nx * r->dx[lane] + ny * r->dy[lane] <= 0.0f);
  float px = s->x[lane] + r->dx[lane] * r->free[lane], py = s->y[lane] + r->dy[lane] * r->free[lane], least = INFINITY;
  for (uint32_t i = 0; i < s->view.wall_count; i++) {
    const th_segment *w = &s->wall[i];
    float ex = w->bx - w->ax, ey = w->by - w->ay, length = sqrtf(ex * ex + ey * ey);
    float off = fabsf(((px - w->ax) * ey - (py - w->ay) * ex) / length), along = fabsf(nx * ex + ny * ey) / length;
    if (along < 1e-4f && off < least) least = off;
  }
  assert_true(least < 1e-3f);
}

/* shows: STEER-15 */
static void rays_meet_walls(void **state) {
  (void)state;
  uint32_t hits = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    sight s, other;
    make(&s, seed);
    other = s;
    th_view_cast(&s.view, s.rays, 3, TH_SIMD_FOUR);
    for (uint32_t k = 0; k < 3; k++) {
      for (uint32_t lane = 0; lane < 16; lane++) {
        const th_rays *r = &s.rays[k];
        float one = th_view_ray(&s.view, s.x[lane], s.y[lane], r->dx[lane], r->dy[lane], r->length[lane]);
        assert_float_equal(r->free[lane], one, 1e-4f * (1.0f + one));
        check_normal(&s, r, lane, r->free[lane] < r->length[lane]);
        hits += r->free[lane] < r->length[lane];
      }
    }
    for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
      if (th_simd_choose(simd) != simd) continue;
      th_view_cast(&s.view, other.rays, 3, simd);
      assert_memory_equal(other.rays, s.rays, sizeof s.rays);
    }
  }
  assert_true(hits > 2000);
}

/* shows: STEER-16 */
static void only_those_in_sight(void **state) {
  (void)state;
  uint32_t seen_all = 0, hidden = 0, far = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    sight s;
    make(&s, seed);
    uint32_t seen[8], again[8];
    th_view_visible(&s.view, s.range, seen, TH_SIMD_FOUR);
    for (uint32_t k = 0; k < 8; k++) {
      for (uint32_t lane = 0; lane < 16; lane++) {
        uint32_t j = s.pick[k * 16 + lane];
        bool there = j != TH_NO_PICK;
        float dx = there ? s.nx[j] - s.x[lane] : 0.0f, dy = there ? s.ny[j] - s.y[lane] : 0.0f;
        bool near = there && dx * dx + dy * dy <= s.range[lane] * s.range[lane];
        bool clear = near && th_view_sees(&s.view, s.x[lane], s.y[lane], s.nx[j], s.ny[j]);
        assert_int_equal(seen[k] >> lane & 1u, clear);
        seen_all += clear;
        hidden += near && !clear;
        far += there && !near;
      }
    }
    for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
      if (th_simd_choose(simd) != simd) continue;
      th_view_visible(&s.view, s.range, again, simd);
      assert_memory_equal(again, seen, sizeof seen);
    }
  }
  assert_true(seen_all > 1000 && hidden > 1000 && far > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rays_meet_walls), cmocka_unit_test(only_those_in_sight)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
