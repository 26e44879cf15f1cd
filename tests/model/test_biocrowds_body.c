/* tests/model/test_biocrowds_body.c - the option `body` for one agent in a view made by hand: walls and neighbours
 * bound its velocity, and close to a wall it follows its guide. */
#include <math.h>
#include <string.h>

#include "model/biocrowds/own.h"
#include "support/unit.h"

typedef struct view_of_one {
  float x[16], y[16], radius[16], speed[16], nx[32], ny[32], nradius[32];
  uint32_t slot[16], nslot[32];
  th_guide_answer want[16], wish[32];
  th_segment wall[2];
  th_view view;
  th_work work;
  const void *params_of[16];
  th_biocrowds_params params;
} view_of_one;

/* A body of 0.2 m at the origin, led to the right. */
static void make(view_of_one *v) {
  memset(v, 0, sizeof *v);
  v->params = th_default_biocrowds_params();
  v->params.body = true;
  v->radius[0] = 0.2f;
  v->speed[0] = 1.8f;
  v->want[0] = (th_guide_answer){.dx = 1.0f, .left = 10.0f, .state = TH_ANSWER_LEAD};
  v->params_of[0] = &v->params;
  v->view = (th_view){.lanes = 1,
                      .slot = v->slot,
                      .x = v->x,
                      .y = v->y,
                      .radius = v->radius,
                      .speed = v->speed,
                      .want = v->want,
                      .neighbours = {.x = v->nx, .y = v->ny, .radius = v->nradius, .slot = v->nslot, .wish = v->wish},
                      .wall = v->wall};
  v->work = (th_work){.view = &v->view, .params = v->params_of, .dt = 1.0f / 30.0f};
}

/* Its markers draw it into a door post; its guide leads it past. Within 0.2 m of the wall it goes no more towards the
 * wall than the guide does; farther away, and while no guide leads it, as its markers say. */
static void bodies_leave_door_posts(void **state) {
  (void)state;
  static view_of_one v;
  const th_vec2 to_post = {1.0f, -0.8f};
  for (int led = 0; led < 2; led++) {
    for (int near = 0; near < 2; near++) {
      make(&v);
      const float y = near ? -0.35f : -0.45f; /* 0.15 and 0.25 m from the body */
      v.wall[0] = (th_segment){-1, y, 1, y};
      v.view.wall_count = 1;
      const th_vec2 u = th_biocrowds_body_keep_clear(&v.work, 0, to_post, led);
      assert_float_equal(u.x, 1.0f, 1e-4f);
      assert_float_equal(u.y, (led && near ? 0.0f : -0.8f), 1e-4f);
    }
  }
  make(&v); /* a guide that itself leads towards the wall, less than the markers do */
  v.want[0].dx = 0.96f, v.want[0].dy = -0.28f;
  v.wall[0] = (th_segment){-1, -0.35f, 1, -0.35f};
  v.view.wall_count = 1;
  const th_vec2 u = th_biocrowds_body_keep_clear(&v.work, 0, to_post, true);
  assert_float_equal(u.y, -0.28f * hypotf(1.0f, 0.8f), 1e-4f);
}

/* The way to a neighbour is shared by both; to a wall it is the agent's own. */
static void bodies_are_bounds(void **state) {
  (void)state;
  static view_of_one v;
  make(&v);
  v.want[0].state = TH_ANSWER_WAIT; /* nobody goes first */
  v.view.neighbours.count = 1;
  v.nx[0] = 0.45f, v.nradius[0] = 0.2f, v.nslot[0] = 1;
  const th_vec2 u = th_biocrowds_body_keep_clear(&v.work, 0, (th_vec2){1.8f, 0}, false);
  assert_float_equal(u.x / 30.0f, 0.5f * (0.45f - 0.4f - 0.002f), 1e-5f);
  make(&v);
  v.wall[0] = (th_segment){0.23f, -1, 0.23f, 1};
  v.view.wall_count = 1;
  const th_vec2 w = th_biocrowds_body_keep_clear(&v.work, 0, (th_vec2){1.8f, 0.5f}, false);
  assert_float_equal(w.x / 30.0f, 0.03f, 1e-5f);
  assert_float_equal(w.y, 0.5f, 1e-4f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_leave_door_posts), cmocka_unit_test(bodies_are_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
