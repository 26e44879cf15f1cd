/* tests/people/test_people.c - how people make way: shoulders that turn and turn back, overtaking, meetings, doors. */
#include "support/mesh_worlds.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "world/world.h"

static void along(void *user, const th_guide_query *q) {
  const th_vec2 *d = user;
  for (uint32_t lane = 0; lane < q->lanes; lane++)
    q->want[lane] = (th_guide_answer){.dx = d->x, .dy = d->y, .left = 100.0f, .state = TH_ANSWER_LEAD};
}

static th_vec2 east = {1.0f, 0.0f}, west = {-1.0f, 0.0f};

static th_guide_id guide_along(th_world *world, th_vec2 *direction) {
  th_user_guide_params host = {along, direction};
  th_guide_id guide;
  OK(th_world_add_guide(world, &th_guide_user, &host, &guide, &error));
  return guide;
}

static th_agent_id add(th_world *world, th_guide_id guide, float x, float y, float speed) {
  th_agent_def def = th_default_agent_def();
  def.point = (th_vec3){x, y, 0.0f};
  def.guide = guide;
  def.speed = speed;
  return worlds_add(world, &def);
}

static float body_of(const th_world *world, th_agent_id id) {
  return th_world_agents(world).body[th_world_row(world, id)];
}

/* A wall stops a person: its shoulders turn within half a second, and turn back when it may go on. */
static void shoulders_turn_under_pressure(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20.0f, 4.0f);
  th_world *world = worlds_make(ground, &env);
  th_guide_id to_east = guide_along(world, &east), to_west = guide_along(world, &west);
  th_agent_id a = add(world, to_east, 18.0f, 2.0f, 1.34f);
  worlds_steps(world, 10);
  assert_true(body_of(world, a) == 0.2f); /* under way */
  worlds_steps(world, 30);
  assert_true(fabsf(body_of(world, a) - 0.18f) < 0.004f); /* at the wall, which it nears ever more slowly */
  OK(th_world_set_guide(world, a, to_west, &error));
  worlds_steps(world, 15);
  assert_true(body_of(world, a) == 0.2f);
  assert_true(th_world_agents(world).radius[th_world_row(world, a)] == 0.2f);
  worlds_end(world, ground);
}

/* Somebody who enters where another one was held up is at ease. */
static void newcomers_are_at_ease(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20.0f, 4.0f);
  th_world *world = worlds_make(ground, &env);
  th_guide_id to_east = guide_along(world, &east);
  th_agent_id held = add(world, to_east, 18.0f, 2.0f, 1.34f);
  worlds_steps(world, 40);
  assert_true(world->rows.pressure[th_world_row(world, held)] == 1.0f);
  th_world_remove_agent(world, held);
  th_agent_id fresh = add(world, to_east, 2.0f, 2.0f, 1.34f);
  assert_true(world->rows.pressure[th_world_row(world, fresh)] == 0.0f);
  worlds_end(world, ground);
}

/* Bodies without shoulders keep their radius. */
static void bare_bodies_never_narrow(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20.0f, 4.0f);
  th_world *world = worlds_make(ground, &env);
  th_guide_id to_east = guide_along(world, &east);
  th_agent_def def = worlds_agent_def(18.0f, 2.0f, NOWHERE);
  def.guide = to_east;
  th_agent_id a = worlds_add(world, &def);
  add(world, to_east, 17.0f, 2.0f, 1.34f);
  worlds_steps(world, 60);
  assert_true(body_of(world, a) == 0.2f);
  worlds_end(world, ground);
}

/* Three who pass one after the other do not push somebody who stands in a corridor along it: it makes way, and comes
 * back when they are gone. */
static void who_stands_steps_aside_and_comes_back(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    const float width = 0.9f + 0.1f * (float)(k / 3);
    log_capture h = {0};
    th_env env = worlds_env(&h);
    th_ground *ground = worlds_box(&env, 24.0f, width);
    th_world *world = worlds_make(ground, &env);
    th_agent_def def = th_default_agent_def();
    def.point = (th_vec3){6.0f, 0.5f * width + 0.1f * (float)(k % 3 - 1), 0.0f};
    const th_guide_id to_east = guide_along(world, &east);
    const th_agent_id stands = worlds_add(world, &def);
    float aside = 0.0f, along = 0.0f;
    for (int n = 0; n < 3; n++) add(world, to_east, 1.0f + 1.5f * (float)n, 0.5f * width, 1.34f);
    for (int n = 0; n < 120; n++) {
      worlds_steps(world, 1);
      const th_vec3 p = th_world_agent_point(world, stands);
      aside = fmaxf(aside, fabsf(p.y - 0.5f * width));
      along = fmaxf(along, fabsf(p.x - 6.0f));
    }
    const th_vec3 p = th_world_agent_point(world, stands);
    assert_true(aside > 0.14f && along < 0.15f);
    assert_true(hypotf(p.x - def.point.x, p.y - def.point.y) < 0.32f); /* near enough */
    for (uint32_t row = 0; row < 4; row++)
      assert_true(th_world_agents(world).x[row] > 9.0f || th_same_agent(th_world_agents(world).id[row], stands));
    worlds_end(world, ground);
  }
}

/* People speed up and brake at no more than 2 m/s2. */
static void people_set_off_slowly(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 4.0f);
  th_world *world = worlds_make(ground, &env);
  const th_agent_id a = add(world, guide_along(world, &east), 10.0f, 2.0f, 1.34f);
  worlds_steps(world, 4);
  assert_true(fabsf(th_world_agents(world).vx[0] - 4.0f * 0.2f) < 1e-4f);
  worlds_steps(world, 20);
  assert_true(fabsf(th_world_agents(world).vx[0] - 1.34f) < 1e-4f);
  OK(th_world_set_guide(world, a, guide_along(world, &west), &error));
  worlds_steps(world, 2);
  assert_true(fabsf(th_world_agents(world).vx[0] - (1.34f - 2.0f * 0.2f)) < 1e-4f);
  worlds_end(world, ground);
}

/* Where there is room beside whoever is slow, people overtake. */
static void people_overtake(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 4.0f);
  th_world *world = worlds_make(ground, &env);
  th_guide_id to_east = guide_along(world, &east);
  th_agent_id slow = add(world, to_east, 6.0f, 2.0f, 0.5f), quick = add(world, to_east, 4.0f, 2.0f, 1.34f);
  worlds_steps(world, 100);
  assert_true(th_world_agent_point(world, quick).x > th_world_agent_point(world, slow).x + 2.0f);
  worlds_end(world, ground);
}

/* An exactly symmetric meeting takes at most 1.1 times the free time. */
static void people_head_on_pass_each_other(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 4.0f);
  th_world *world = worlds_make(ground, &env);
  th_agent_id a = add(world, guide_along(world, &east), 10.0f, 2.0f, 1.34f);
  th_agent_id b = add(world, guide_along(world, &west), 30.0f, 2.0f, 1.34f);
  int steps = 0;
  while (steps < 400 && (th_world_agent_point(world, a).x < 30.0f || th_world_agent_point(world, b).x > 10.0f))
    th_world_step(world), steps++;
  if (!(0.1 * steps <= 1.1 * 20.0 / 1.34)) fail_msg("%g s for 20 m", 0.1 * steps);
  worlds_end(world, ground);
}

/* Somebody who is led along the wall that it touches, with another one at its side, does not rub along it: so opposed
 * streams stood for ever on meshes, whose fields lead along walls. */
static void people_do_not_rub_along_walls(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 4.0f);
  th_world *world = worlds_make(ground, &env);
  const th_guide_id to_east = guide_along(world, &east);
  const th_agent_id beside = add(world, to_east, 4.0f, 0.201f, 1.0f);
  add(world, to_east, 4.0f, 0.65f, 1.0f);
  worlds_steps(world, 60);
  const float y = th_world_agent_point(world, beside).y;
  if (!(y > 0.22f && y < 0.26f)) fail_msg("%g m from the wall", (double)y);
  worlds_end(world, ground);
}

#define RING 10.0f /* [m] */

typedef struct ring {
  uint32_t count;
} ring;

/* Everybody through the middle to the place opposite its own, which its index tells. */
static void across(void *user, const th_guide_query *q) {
  const ring *r = user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    double angle = 2.0 * 3.14159265358979 * (q->agent[lane] - 1) / r->count;
    float dx = 12.0f - RING * (float)cos(angle) - q->x[lane], dy = 12.0f - RING * (float)sin(angle) - q->y[lane];
    float left = sqrtf(dx * dx + dy * dy), k = left > 0.0f ? 1.0f / left : 0.0f;
    uint8_t state = left < 0.2f ? TH_ANSWER_ARRIVED : TH_ANSWER_LEAD;
    q->want[lane] = (th_guide_answer){.dx = dx * k, .dy = dy * k, .left = left, .state = state};
  }
}

/* Seconds until all of an exact ring are on its other side. */
static double cross_ring(uint32_t count) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 24.0f, 24.0f);
  th_world *world = worlds_make(ground, &env);
  ring r = {count};
  th_user_guide_params host = {across, &r};
  th_guide_id guide;
  OK(th_world_add_guide(world, &th_guide_user, &host, &guide, &error));
  for (uint32_t i = 0; i < count; i++) {
    double angle = 2.0 * 3.14159265358979 * i / count;
    add(world, guide, 12.0f + RING * (float)cos(angle), 12.0f + RING * (float)sin(angle), 1.34f);
  }
  int steps = 0;
  while (steps < 1000 && th_world_agents(world).count) th_world_step(world), steps++;
  worlds_end(world, ground);
  return 0.1 * steps;
}

/* Exactly symmetric rings do not stand: four take at most 1.1 times the free time, sixty no more than a crowd does. */
static void exact_rings_get_through(void **state) {
  (void)state;
  const double free = (2.0 * (double)RING - 0.2) / 1.34;
  static const struct {
    uint32_t count;
    double most;
  } rings[] = {{2, 1.1}, {4, 1.1}, {20, 2.0}, {60, 3.0}};
  for (int k = 0; k < 4; k++) {
    double times = cross_ring(rings[k].count) / free;
    print_message("a ring of %u: %.2f times the free time\n", rings[k].count, times);
    assert_true(times < rings[k].most);
  }
}

/* Seconds until two people who meet exactly in a passage for one have passed each other, at most 60. */
static double meet_in_a_passage(float patience) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40.0f, 0.9f);
  th_world *world = worlds_make(ground, &env);
  th_people_params people = th_default_people_params();
  th_agent_def def = th_default_agent_def();
  people.patience = patience;
  def.people = &people, def.model = &th_model_follow;
  def.guide = guide_along(world, &east), def.point = (th_vec3){18.0f, 0.45f, 0.0f};
  const th_agent_id a = worlds_add(world, &def);
  def.guide = guide_along(world, &west), def.point = (th_vec3){22.0f, 0.45f, 0.0f};
  const th_agent_id b = worlds_add(world, &def);
  int steps = 0;
  while (steps < 600 && (th_world_agent_point(world, a).x < 22.0f || th_world_agent_point(world, b).x > 18.0f))
    th_world_step(world), steps++;
  worlds_end(world, ground);
  return 0.1 * steps;
}

/* Who has no patience to try other directions stands before somebody opposed for ever. */
static void opposed_people_try_other_directions(void **state) {
  (void)state;
  const float patience = th_default_people_params().patience;
  const double within = meet_in_a_passage(patience), never = meet_in_a_passage(1e3f);
  print_message("past each other after %g s, without trying after %g s\n", within, never);
  assert_true(within > (double)patience && within < (double)patience + 10.0);
  assert_true(never == 60.0);
}

/* Every number of people says where it comes from, and there are no more. */
static void people_have_sources(void **state) {
  (void)state;
  uint32_t count;
  assert_non_null(th_people_table(&count));
  for (uint32_t row = 0; row < count; row++) assert_true(strlen(th_people_source(row)) > 0);
  assert_null(th_people_source(count));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shoulders_turn_under_pressure),
      cmocka_unit_test(newcomers_are_at_ease),
      cmocka_unit_test(bare_bodies_never_narrow),
      cmocka_unit_test(who_stands_steps_aside_and_comes_back),
      cmocka_unit_test(people_overtake),
      cmocka_unit_test(people_set_off_slowly),
      cmocka_unit_test(people_head_on_pass_each_other),
      cmocka_unit_test(people_do_not_rub_along_walls),
      cmocka_unit_test(exact_rings_get_through),
      cmocka_unit_test(opposed_people_try_other_directions),
      cmocka_unit_test(people_have_sources),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
