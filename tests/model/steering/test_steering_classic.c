/* tests/model/steering/test_steering_classic.c - Reynolds' behaviours in the same combination: each does what its name
 * says. Geometry in cm, y to the right. */
#include "model/steering/classic.h"
#include "support/steering_walk.h"

static th_steering_params classic(th_classic which) {
  th_steering_params p = walk_params();
  p.classic.weight[which] = 1.0f;
  return p;
}

static th_steering_params classic_at(th_classic which, float x, float y) {
  th_steering_params p = classic(which);
  p.target.by = TH_STEER_PLACE;
  p.target.place = walk_point(x, y);
  return p;
}

static void seek_flee_and_arrival(void **state) {
  (void)state;
  static walk w;
  const th_steering_params seek = classic_at(TH_CLASSIC_SEEK, 2000, 1000),
                           flee = classic_at(TH_CLASSIC_FLEE, 2000, 1000);
  th_steering_params arrive = classic_at(TH_CLASSIC_ARRIVAL, 2000, 1000);
  arrive.classic.radius = 4.0f;
  walk_begin(&w, NULL, 0);
  walk_add(&w, 0, 0, 1000, 0, &seek);
  walk_add(&w, 0, 0, 1000, 0, &flee);
  walk_add(&w, 0, 0, 1000, 0, &arrive);
  walk_ticks(&w, 100);
  float near[2] = {INFINITY, INFINITY};
  for (uint32_t t = 0; t <= 100; t++)
    for (int i = 0; i < 2; i++) near[i] = fminf(near[i], walk_from(&w, 2u * (uint32_t)i, t, 2000, 1000));
  assert_true(near[0] < 47.0f); /* seek runs past it, nearer than a tick's distance */
  assert_true(walk_speed(&w, 0, 100) > 100.0f);
  /* flee: 2,236 at first and 4,675 in 100 ticks, a fifth of them for turning */
  assert_true(walk_from(&w, 1, 100, 2000, 1000) > 5900.0f);
  assert_true(walk_from(&w, 2, 100, 2000, 1000) < 30.0f && walk_speed(&w, 2, 100) < 1.0f);
  walk_end(&w);
}

/* Who pursues somebody that walks across meets it sooner than who runs after it; an offset keeps beside it; who evades
 * gets away farther. */
static void pursuit_and_evasion(void **state) {
  (void)state;
  static walk w;
  uint32_t met[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    const th_steering_params off = walk_params(), p = classic(k ? TH_CLASSIC_PURSUIT : TH_CLASSIC_SEEK);
    th_steering_params chase = p;
    chase.multiplier = 1.3f;
    chase.classic.time = 6.0f;
    walk_begin(&w, NULL, 0);
    walk_add(&w, 0, 0, 1000, 0, &off);
    walk_add(&w, 1500, 1500, 1500, 0, &off);
    walk_link(&w, 1, 0, TH_ROLE_TARGET, &chase);
    walk_ticks(&w, 120);
    while (met[k] <= w.ticks && walk_apart(&w, 0, 1, met[k]) > 120.0f) met[k]++;
    walk_end(&w);
  }
  assert_true(met[1] < 60 && met[1] < met[0]);
  th_steering_params off = walk_params(), beside = classic(TH_CLASSIC_OFFSET_PURSUIT),
                     flees = classic(TH_CLASSIC_EVASION);
  beside.classic.angle = 90.0f;
  beside.classic.radius = 3.0f;
  beside.classic.time = 0.25f;
  beside.multiplier = 1.3f;
  walk_begin(&w, NULL, 0);
  walk_add(&w, -3000, 0, 1000, 0, &off);
  walk_add(&w, -3300, -100, 1000, 0, &off);
  walk_add(&w, -2000, 30, 1000, 0, &off);
  walk_link(&w, 1, 0, TH_ROLE_TARGET, &beside);
  walk_link(&w, 2, 0, TH_ROLE_TARGET, &flees);
  walk_ticks(&w, 100);
  assert_float_equal(walk_now(&w, 1).y - walk_now(&w, 0).y, 300.0f, 10.0f); /* to its right */
  assert_true(walk_apart(&w, 0, 2, 100) > 1200.0f);
  walk_end(&w);
}

static void wander(void **state) {
  (void)state;
  static walk w;
  const th_steering_params p = classic(TH_CLASSIC_WANDER);
  walk_begin(&w, NULL, 0);
  walk_add(&w, 0, 0, 1000, 0, &p);
  walk_add(&w, 0, 0, 1000, 0, &p);
  walk_ticks(&w, 200);
  float most, turned = walk_turning(&w, 0, 0, 200, &most);
  assert_true(turned > 100.0f && most < 26.6f);    /* bends; a full rotation vector would jump */
  assert_true(walk_apart(&w, 0, 1, 200) > 100.0f); /* each has draws of its own */
  assert_true(walk_speed(&w, 0, 200) > 100.0f);
  walk_end(&w);
}

static void flow_along_a_guide(void **state) {
  (void)state;
  static walk w;
  const th_steering_params p = classic(TH_CLASSIC_FLOW);
  const th_vec3 corner[] = {walk_point(0, 0), walk_point(2000, 0), walk_point(2000, 2000)};
  th_path_params path = th_default_path_params();
  th_guide_id guide;
  path.point = corner;
  path.count = 3;
  walk_begin(&w, NULL, 0);
  assert_int_equal(th_world_add_guide(w.world, &th_guide_path, &path, &guide, NULL), TH_OK);
  th_agent_def def = walk_def(0, 0, 1000, 0, &p);
  def.guide = guide;
  walk_add_def(&w, &def);
  walk_ticks(&w, 60);
  assert_float_equal(walk_now(&w, 0).x, 2000.0f, 10.0f);
  assert_true(walk_now(&w, 0).y > 500.0f);
  walk_end(&w);
}

static void containment(void **state) {
  (void)state;
  static walk w;
  const walk_box room[] = {
      {-1100, -1100, 1100, -1000}, {-1100, 1000, 1100, 1100}, {-1100, -1000, -1000, 1000}, {1000, -1000, 1100, 1000}};
  const th_steering_params p = classic(TH_CLASSIC_CONTAINMENT);
  walk_begin(&w, room, 4);
  walk_add(&w, 0, 0, 1000, 300, &p);
  walk_ticks(&w, 400);
  assert_true(walk_clearance(&w, 0, 0, 400) > 25.0f); /* half a body */
  float far = 0.0f;
  for (uint32_t t = 0; t <= 400; t++) far = fmaxf(far, walk_from(&w, 0, t, 0, 0));
  assert_true(far > 500.0f && far < 1400.0f);
  walk_end(&w);
}

/* Who queues with nobody ahead has no objection to walking faster. */
static void an_empty_queue_holds_nobody(void **state) {
  (void)state;
  const th_view view = {.lanes = 1};
  const th_steering_params p = th_default_steering_params();
  const th_steer_self self = {.view = &view, .params = &p, .h = {1.0f, 0.0f}, .v = {1.0f, 0.0f}, .speed = 1.0f};
  th_steering_force f = {.agrees = true};
  th_classic_queuing(&self, &f);
  assert_true(f.agrees && !f.stop && f.force.x == 0.0f && f.force.y == 0.0f);
}

static void unaligned_and_queuing(void **state) {
  (void)state;
  static walk w;
  float least[2];
  for (int on = 0; on < 2; on++) {
    th_steering_params p = walk_to(3000, 0), q = walk_to(1500, 1500);
    p.classic.weight[TH_CLASSIC_UNALIGNED] = q.classic.weight[TH_CLASSIC_UNALIGNED] = on ? 2.0f : 0.0f;
    walk_begin(&w, NULL, 0);
    walk_add(&w, 0, 0, 3000, 0, &p);
    walk_add(&w, 1500, -1500, 1500, 0, &q);
    walk_ticks(&w, 60);
    least[on] = walk_least(&w, 0, 1);
    walk_end(&w);
  }
  assert_true(least[0] < 50.0f && least[1] > 80.0f);
  /* three walk up to one who stands: they stop one behind the other */
  th_steering_params p = walk_to(6000, 0), stands = walk_params();
  p.classic.weight[TH_CLASSIC_QUEUING] = 1.0f;
  p.target.on = false;
  p.classic.weight[TH_CLASSIC_SEEK] = 0.0f;
  walk_begin(&w, NULL, 0);
  walk_add_at_rest(&w, 2000, 0, &stands);
  for (int i = 0; i < 3; i++) walk_add(&w, 1000.0f - 300.0f * (float)i, 0, 2000, 0, &p);
  walk_ticks(&w, 100);
  for (uint32_t i = 1; i < 4; i++) {
    assert_true(walk_speed(&w, i, 100) < 1.0f);
    /* bodies of 5 do not touch; they stand where braking passes 0.9 of a radius of 200 */
    const float gap = walk_now(&w, i - 1).x - walk_now(&w, i).x;
    assert_true(gap > 10.0f && gap < 30.0f);
  }
  walk_end(&w);
}

static void interpose_and_hide(void **state) {
  (void)state;
  static walk w;
  th_steering_params off = walk_params(), between = classic(TH_CLASSIC_INTERPOSE), hides = classic(TH_CLASSIC_HIDE);
  between.classic.radius = 4.0f;
  walk_begin(&w, NULL, 0);
  walk_add_at_rest(&w, 0, -1000, &off);
  walk_add_at_rest(&w, 0, 1000, &off);
  walk_add(&w, -2000, 300, 0, 300, &off);
  th_agent_def def;
  assert_true(th_world_agent_def(w.world, w.id[2], &def));
  for (uint32_t i = 0; i < 2; i++) {
    def.link[i] = th_default_link_def();
    def.link[i].agent = w.id[i];
    def.link[i].role = i ? TH_ROLE_PARTNER : TH_ROLE_TARGET;
  }
  def.link_count = 2;
  def.params = &between;
  assert_int_equal(th_world_change_agent(w.world, w.id[2], &def, NULL), TH_OK);
  walk_ticks(&w, 120);
  assert_true(walk_from(&w, 2, 120, 0, 0) < 60.0f);
  walk_end(&w);
  /* a box between the two: behind it is not seen */
  const walk_box box = {-100, -300, 100, 300};
  hides.obstacle.on = true;
  hides.obstacle.front_ray = 1.5f;
  hides.obstacle.side_ray = 0.5f;
  walk_begin(&w, &box, 1);
  walk_add_at_rest(&w, -1500, 0, &off);
  walk_add(&w, 0, 700, 1000, 700, &off);
  walk_link(&w, 1, 0, TH_ROLE_TARGET, &hides);
  walk_ticks(&w, 120);
  assert_true(walk_now(&w, 1).x > 100.0f && fabsf(walk_now(&w, 1).y) < 300.0f);
  walk_end(&w);
}

static float spread_of(const walk *w, uint32_t tick) {
  float most = 0.0f;
  for (uint32_t i = 0; i < w->count; i++)
    for (uint32_t j = 0; j < i; j++) most = fmaxf(most, walk_apart(w, i, j, tick));
  return most;
}

/* How alike six walk: the length of the sum of their unit directions. */
static float order_of(const walk *w) {
  float x = 0.0f, y = 0.0f;
  for (uint32_t i = 0; i < w->count; i++) {
    const float dx = w->at[i][w->ticks].x - w->at[i][w->ticks - 1].x,
                dy = w->at[i][w->ticks].y - w->at[i][w->ticks - 1].y;
    const float k = hypotf(dx, dy);
    if (k > 0.0f) x += dx / k, y += dy / k;
  }
  return hypotf(x, y) / (float)w->count;
}

static void flocks(void **state) {
  (void)state;
  static walk w;
  const th_classic which[] = {TH_CLASSIC_SEPARATION, TH_CLASSIC_COHESION, TH_CLASSIC_ALIGNMENT, TH_CLASSIC_FLOCKING};
  for (int k = 0; k < 4; k++) {
    th_steering_params p = classic(which[k]);
    p.classic.radius = k ? 2.0f : 8.0f;
    walk_begin(&w, NULL, 0);
    for (int i = 0; i < 6; i++) {
      const float angle = 1.0472f * (float)i, x = 200.0f * cosf(angle), y = 200.0f * sinf(angle);
      if (k == 1)
        walk_add(&w, x, y, 2.0f * x, 2.0f * y, &p);
      else
        walk_add(&w, x, y, x + 300.0f, k >= 2 ? y + 150.0f * (float)(i - 2) : y, &p);
    }
    walk_ticks(&w, 60);
    if (k == 0) assert_true(spread_of(&w, 60) > 700.0f);
    if (k == 1) assert_true(spread_of(&w, 60) < 900.0f); /* they set out to all sides: 5000 without it */
    if (k == 2) assert_true(order_of(&w) > 0.95f);
    if (k == 3) {
      assert_true(order_of(&w) > 0.95f && spread_of(&w, 60) < 900.0f);
      for (uint32_t i = 0; i < 6; i++)
        for (uint32_t j = 0; j < i; j++) assert_true(walk_apart(&w, i, j, 60) > 50.0f);
    }
    walk_end(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(seek_flee_and_arrival),
                                     cmocka_unit_test(pursuit_and_evasion),
                                     cmocka_unit_test(wander),
                                     cmocka_unit_test(flow_along_a_guide),
                                     cmocka_unit_test(containment),
                                     cmocka_unit_test(unaligned_and_queuing),
                                     cmocka_unit_test(an_empty_queue_holds_nobody),
                                     cmocka_unit_test(interpose_and_hide),
                                     cmocka_unit_test(flocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
