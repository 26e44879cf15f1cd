/* tests/model/test_orca_world.c - the model orca in worlds: who passes whom, priority, layers, walls, determinism,
 * memory. */
#include "support/orca_reference.h"
#include "support/worlds.h"
#include "throng/guide.h"
#include "throng/model.h"

#define MAX 64

/* Agents with goals of their own on an open floor; each walks straight at its goal and stays there. */
typedef struct meeting {
  th_world *world;
  th_ground *ground;
  uint32_t count;
  th_vec2 goal[MAX];
  th_agent_id id[MAX];
} meeting;

static void lead(void *user, const th_guide_query *query) {
  const meeting *m = user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    th_vec2 goal = m->goal[query->agent[lane] - 1];
    float dx = goal.x - query->x[lane], dy = goal.y - query->y[lane], left = sqrtf(dx * dx + dy * dy);
    th_guide_answer want = {.left = left, .state = left > 0.05f ? TH_ANSWER_LEAD : TH_ANSWER_WAIT};
    if (left > 0.0f) want.dx = dx / left, want.dy = dy / left;
    query->want[lane] = want;
  }
}

static void begin(meeting *m, th_ground *ground, const th_env *env) {
  *m = (meeting){.ground = ground};
  m->world = worlds_make(ground, env);
}

static th_agent_def person(float x, float y, th_guide_id guide) {
  th_agent_def def = th_default_body_def();
  def.point.x = x;
  def.point.y = y;
  def.model = &th_model_orca;
  def.guide = guide;
  return def;
}

static th_guide_id guide_of(meeting *m) {
  th_user_guide_params host = {lead, m};
  th_guide_id guide;
  OK(th_world_add_guide(m->world, &th_guide_user, &host, &guide, &error));
  return guide;
}

static void join(meeting *m, const th_agent_def *def, float gx, float gy) {
  assert_true(m->count < MAX);
  m->id[m->count] = worlds_add(m->world, def);
  assert_int_equal(m->id[m->count].index, m->count + 1);
  m->goal[m->count++] = (th_vec2){gx, gy};
}

static float left_of(const meeting *m, uint32_t i) {
  th_vec2 at = worlds_at(m->world, m->id[i]);
  return hypotf(m->goal[i].x - at.x, m->goal[i].y - at.y);
}

/* The deepest overlap as a part of the radii's sum. */
static float overlap(const meeting *m) {
  th_agents a = th_world_agents(m->world);
  float worst = 0.0f;
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t j = i + 1; j < a.count; j++)
      worst = fmaxf(worst, 1.0f - hypotf(a.x[i] - a.x[j], a.y[i] - a.y[j]) / (a.radius[i] + a.radius[j]));
  return worst;
}

/* Steps until everyone is within `near` of its goal; `max` when they never are. */
static uint32_t until_there(meeting *m, float near, uint32_t max, float *worst) {
  *worst = 0.0f;
  for (uint32_t n = 0; n < max; n++) {
    bool all = true;
    for (uint32_t i = 0; i < m->count; i++) all &= left_of(m, i) <= near;
    if (all) return n;
    th_world_step(m->world);
    *worst = fmaxf(*worst, overlap(m));
  }
  return max;
}

static void end(meeting *m) { worlds_end(m->world, m->ground); }

/* Exactly symmetric agents on a ring, each to the opposite point; returns the time over the free time. */
static float ring(uint32_t count, float radius, float *worst) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  meeting m;
  begin(&m, worlds_box(&env, 40, 40), &env);
  th_guide_id guide = guide_of(&m);
  for (uint32_t i = 0; i < count; i++) {
    double angle = 6.283185307179586 * i / count;
    float x = radius * (float)cos(angle), y = radius * (float)sin(angle);
    th_agent_def def = person(20.0f + x, 20.0f + y, guide);
    join(&m, &def, 20.0f - x, 20.0f - y);
  }
  uint32_t max = 1500, steps = until_there(&m, 0.2f, max, worst);
  end(&m);
  return steps == max ? INFINITY : (float)steps * 0.1f / ((2.0f * radius - 0.2f) / 1.34f);
}

static void symmetric_agents_pass(void **state) {
  (void)state;
  static const uint32_t count[] = {2, 4, 20};
  for (int i = 0; i < 3; i++) {
    float worst, ratio = ring(count[i], 6.0f, &worst);
    print_message("%u on a ring: %.2f of the free time, overlap %.3f\n", count[i], (double)ratio, (double)worst);
    assert_true(ratio < (i == 0 ? 1.5f : 5.0f));
    assert_true(worst < 0.02f);
  }
}

/* People stand in the whole width of a corridor; somebody comes along. */
static float corridor(bool yields, float share, float *worst) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  meeting m;
  begin(&m, worlds_box(&env, 20, 2), &env);
  th_guide_id guide = guide_of(&m);
  th_orca_params params = th_default_orca_params();
  params.yields = yields;
  th_agent_def mover = person(2, 1, guide);
  join(&m, &mover, 18, 1);
  for (uint32_t i = 0; i < 8; i++) { /* two rows of four: 0.5 m apart, bodies 0.4 m wide */
    th_agent_def stander = person(9.0f + (float)(i / 4), 0.25f + 0.5f * (float)(i % 4), guide);
    stander.params = &params;
    stander.share = share;
    join(&m, &stander, stander.point.x, stander.point.y);
  }
  uint32_t n = 0;
  *worst = 0.0f;
  for (; n < 600 && left_of(&m, 0) > 0.3f; n++) {
    th_world_step(m.world);
    *worst = fmaxf(*worst, overlap(&m));
  }
  end(&m);
  return n == 600 ? INFINITY : (float)n * 0.1f;
}

/* A mover gets past eight who stand in its way and may yield; who may not yield stays where it is. */
static void standers_make_way(void **state) {
  (void)state;
  float worst, free_time = (16.0f - 0.3f) / 1.34f, taken = corridor(true, 0.5f, &worst);
  print_message("past two rows of four in 2 m: %.1f s, free %.1f s, overlap %.3f\n", (double)taken, (double)free_time,
                (double)worst);
  assert_true(taken < 1.5f * free_time);
  assert_true(worst < 0.02f);
  assert_true(corridor(false, 0.0f, &worst) == INFINITY);
  assert_true(worst < 0.02f);
}

/* Head-on, one of them with priority: it keeps its line, the other goes around it. */
static void the_smaller_share_has_priority(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  float aside[2] = {0, 0}, worst;
  meeting m;
  begin(&m, worlds_box(&env, 30, 20), &env);
  th_guide_id guide = guide_of(&m);
  th_agent_def first = person(5, 10, guide), second = person(25, 10.05f, guide);
  first.share = 0.0f;
  join(&m, &first, 25, 10);
  join(&m, &second, 5, 10.05f);
  for (int n = 0; n < 300; n++) {
    th_world_step(m.world);
    for (uint32_t i = 0; i < 2; i++) aside[i] = fmaxf(aside[i], fabsf(worlds_at(m.world, m.id[i]).y - m.goal[i].y));
    assert_true(overlap(&m) < 0.02f);
  }
  print_message("aside: %.3f m with priority, %.3f m without\n", (double)aside[0], (double)aside[1]);
  assert_true(aside[1] > 0.3f && aside[0] < 0.15f);
  assert_true(until_there(&m, 0.3f, 10, &worst) == 0);
  end(&m);
}

/* Who does not look at a layer walks through it, and through nobody else. */
static void layers_are_respected(void **state) {
  (void)state;
  for (int seen = 0; seen < 2; seen++) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    meeting m;
    begin(&m, worlds_box(&env, 30, 20), &env);
    th_guide_id guide = guide_of(&m);
    th_agent_def ghost = person(5, 10, guide), other = person(25, 10, guide);
    ghost.avoids = other.avoids = seen ? UINT32_MAX : 1u; /* both are in layer 2 */
    ghost.layers = other.layers = 2u;
    ghost.collide = other.collide = false;
    join(&m, &ghost, 25, 10);
    join(&m, &other, 5, 10);
    float worst, aside = 0.0f;
    for (int n = 0; n < 90; n++) {
      th_world_step(m.world);
      aside = fmaxf(aside, fabsf(worlds_at(m.world, m.id[0]).y - 10.0f));
    }
    assert_true(seen ? aside > 0.1f : aside < 1e-4f);
    assert_true(until_there(&m, 0.3f, 200, &worst) < 200);
    end(&m);
  }
}

/* Past a corner that juts out, from dead ahead to well clear of it: nobody freezes, nobody touches the walls. */
static void corners_are_passed(void **state) {
  (void)state;
  for (int k = -2; k <= 6; k++) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    const worlds_rect rect[] = {worlds_rectangle(0, 0, 20, 20), worlds_rectangle(9, 9, 11, 11)};
    th_ground *ground = NULL;
    OK(worlds_try_ground(&env, &(worlds_plan){rect, 1, 0, 0.25f, 0}, &ground, &error));
    meeting m;
    begin(&m, ground, &env);
    th_guide_id guide = guide_of(&m);
    float off = 0.2f + 0.07f * (float)k; /* 0.06 m to 0.62 m beside the corner, with a body of 0.2 m */
    th_agent_def def = person(9.0f - off, 3, guide);
    join(&m, &def, 9.0f - off, 17);
    uint32_t n = 0;
    for (; n < 600 && left_of(&m, 0) > 0.3f; n++) {
      th_world_step(m.world);
      th_vec2 at = worlds_at(m.world, m.id[0]);
      assert_true(th_ground_clearance(ground, at.x, at.y) > 0.19f);
    }
    if (n == 600) fail_msg("aimed %g m beside the corner: never arrives", (double)off);
    end(&m);
  }
}

/* ---------------------------------------------------------------- plain 2-D avoidance */

#define CROWD 12

static void reference_model(void *user, const th_work *work) {
  (void)user;
  const th_view *v = work->view;
  for (uint32_t lane = 0; lane < v->lanes; lane++) {
    ref_body body[CROWD + 1];
    uint32_t count = 0, self = 0;
    for (uint32_t i = 0; i < v->neighbours.count; i++) {
      if (v->neighbours.slot[i] == v->slot[lane]) self = count;
      body[count++] = (ref_body){{(double)v->neighbours.x[i], (double)v->neighbours.y[i]},
                                 {(double)v->neighbours.vx[i], (double)v->neighbours.vy[i]},
                                 (double)v->neighbours.radius[i]};
    }
    double speed = fmin((double)v->speed[lane], (double)v->want[lane].left / (double)work->dt);
    ref_vec wanted = {(double)v->want[lane].dx * speed, (double)v->want[lane].dy * speed};
    if (v->want[lane].state != TH_ANSWER_LEAD) wanted = (ref_vec){0, 0};
    ref_vec found = ref_decide(body, count, self, wanted, 2.0, 2.0, (double)work->dt);
    work->advice.vx[lane] = (float)found.x;
    work->advice.vy[lane] = (float)found.y;
  }
}

static th_vec2 start_of(uint32_t i) {
  float row = (float)(i / 2), side = i % 2 ? 1.0f : -1.0f; /* two lines of people, one from each side */
  return (th_vec2){20.0f + side * (5.0f + 0.3f * row), 17.0f + 1.0f * row + 0.1f * side};
}

/* The crowd after 100 steps; with the model orca, or with the reference plugged in as the host's own model. */
static void cross_over(bool plugged, th_vec2 at[CROWD]) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  meeting m;
  begin(&m, worlds_box(&env, 40, 40), &env);
  th_guide_id guide = guide_of(&m);
  th_orca_params params = th_default_orca_params();
  params.side = TH_ORCA_NEITHER;
  params.distance = 40.0f;
  params.neighbours = CROWD;
  th_user_params host = {.decide = reference_model, .reach = 40.0f, .nearest = 1};
  for (uint32_t i = 0; i < CROWD; i++) {
    th_vec2 start = start_of(i);
    th_agent_def def = person(start.x, start.y, guide);
    def.model = plugged ? &th_model_user : &th_model_orca;
    def.params = plugged ? (const void *)&host : (const void *)&params;
    def.acceleration_max = INFINITY;
    def.collide = false;
    join(&m, &def, i % 2 ? 2.0f : 38.0f, start.y);
  }
  worlds_steps(m.world, 100);
  for (uint32_t i = 0; i < CROWD; i++) at[i] = worlds_at(m.world, m.id[i]);
  end(&m);
}

/* Positions, velocities and nothing else: no world, no ground, no view. */
static void cross_over_plainly(ref_vec at[CROWD], double *bent) {
  ref_body body[CROWD];
  ref_vec goal[CROWD], next[CROWD];
  const double dt = (double)0.1f;
  *bent = 0.0;
  for (uint32_t i = 0; i < CROWD; i++) {
    th_vec2 start = start_of(i);
    body[i] = (ref_body){{(double)start.x, (double)start.y}, {0, 0}, (double)0.2f};
    goal[i] = (ref_vec){i % 2 ? 2.0 : 38.0, (double)start.y};
  }
  for (int n = 0; n < 100; n++) {
    for (uint32_t i = 0; i < CROWD; i++) {
      ref_vec way = ref_sub(goal[i], body[i].at);
      double left = ref_norm(way), speed = left > 0.05 ? fmin((double)1.34f, left / dt) : 0.0;
      ref_vec wanted = {way.x / left * speed, way.y / left * speed};
      next[i] = ref_decide(body, CROWD, i, wanted, 2.0, 2.0, dt);
      *bent = fmax(*bent, ref_norm(ref_sub(next[i], wanted)));
    }
    for (uint32_t i = 0; i < CROWD; i++) {
      body[i].at = ref_add(body[i].at, dt, next[i]);
      body[i].v = next[i];
    }
  }
  for (uint32_t i = 0; i < CROWD; i++) at[i] = body[i].at;
}

/* shows: PLAN-38, PLAN-39 */
static void equals_plain_avoidance(void **state) {
  (void)state;
  th_vec2 model[CROWD], plugged[CROWD];
  ref_vec plain[CROWD];
  double bent, far[2] = {0, 0};
  cross_over(false, model);
  cross_over(true, plugged);
  cross_over_plainly(plain, &bent);
  for (uint32_t i = 0; i < CROWD; i++) {
    far[0] = fmax(far[0], hypot((double)model[i].x - plain[i].x, (double)model[i].y - plain[i].y));
    far[1] = fmax(far[1], hypot((double)plugged[i].x - plain[i].x, (double)plugged[i].y - plain[i].y));
  }
  print_message("after 100 steps %.2g m from plain 2-D avoidance; plugged in %.2g m; bent by %.2g m/s\n", far[0],
                far[1], bent);
  assert_true(bent > 0.2); /* they do get in each other's way */
  assert_true(far[0] < 1e-4 && far[1] < 1e-4);
}

/* ---------------------------------------------------------------- promises */

static uint64_t run_house(uint32_t workers, th_simd simd, th_orca_backend backend, uint64_t *midway) {
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.env = env;
  def.ground = ground;
  def.workers = workers;
  def.simd = simd;
  OK(th_world_make(&def, &world, &error));
  th_goal_id goal[2] = {worlds_goal(world, 2, 2), worlds_goal(world, 22, 14)};
  th_orca_params params = th_default_orca_params();
  uint64_t random = 5;
  for (uint32_t i = 0; i < 150; i++) {
    th_agent_def agent = worlds_agent_def(worlds_in(&random, 1, 7), worlds_in(&random, 1, 15), goal[i % 2]);
    if (i % 2) agent.point.x += 16.0f;
    params.neighbours = 4 + (int32_t)(i % 20);
    params.horizon = 1.0f + 0.1f * (float)(i % 7);
    params.side = (int32_t)(i % 3);
    params.backend = (int32_t)backend;
    agent.share = 0.25f * (float)(i % 4);
    agent.layers = 1u << i % 2;
    agent.avoids = i % 5 ? 3u : 1u;
    agent.model = &th_model_orca;
    agent.params = &params;
    worlds_add(world, &agent);
  }
  worlds_steps(world, 60);
  *midway = 0;
  th_agents a = th_world_agents(world); /* parameters are part of the state's hash, so places are compared */
  for (uint32_t i = 0; i < a.count; i++) {
    uint32_t bits[2];
    memcpy(&bits[0], &a.x[i], 4);
    memcpy(&bits[1], &a.y[i], 4);
    *midway = (*midway * 31 + bits[0]) * 31 + bits[1];
  }
  worlds_steps(world, 60);
  uint64_t hash = th_world_hash(world);
  worlds_end(world, ground);
  assert_int_equal(h.faults, 0);
  return hash;
}

/* 1, 2 and 8 workers, every instruction set, both back-ends. */
/* shows: PLAN-40, PLAN-45 */
static void same_bits_everywhere(void **state) {
  (void)state;
  static const uint32_t workers[] = {1, 2, 8};
  uint64_t places, expected_places, expected = run_house(1, TH_SIMD_FOUR, TH_ORCA_LANES, &expected_places);
  for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++)
    for (int i = 0; i < 3 && th_simd_has(simd); i++) {
      assert_true(run_house(workers[i], simd, TH_ORCA_LANES, &places) == expected);
      assert_true(places == expected_places);
    }
  run_house(2, TH_SIMD_AUTO, TH_ORCA_SCALAR, &places);
  assert_true(places == expected_places);
}

static th_result try_memory(const th_env *env, void *context) {
  (void)context;
  th_ground *ground = NULL;
  th_world *world = NULL;
  th_world_def def = th_default_world_def();
  th_agent_def agent = th_default_body_def();
  agent.point.x = agent.point.y = 2.0f;
  agent.model = &th_model_orca;
  th_result result = worlds_try_house(env, 0.5f, &ground, NULL);
  def.env = *env;
  def.ground = ground;
  if (!result) result = th_world_make(&def, &world, NULL);
  if (!result) result = th_world_add_agents(world, &agent, 1, NULL, NULL);
  if (!result) worlds_steps(world, 2);
  th_world_free(world);
  th_ground_release(ground);
  return result;
}

static void memory_may_fail(void **state) {
  (void)state;
  assert_true(failing_every(try_memory, NULL) > 10);
}

static void parameters_are_checked(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 10, 10);
  th_world *world = worlds_make(ground, &env);
  th_orca_params params = th_default_orca_params();
  assert_true(params.neighbours == 10 && params.distance == 5.0f && params.horizon == 2.0f && params.yields);
  assert_true(th_model_find("orca") == &th_model_orca);
  th_agent_def agent = worlds_agent_def(5, 5, NOWHERE);
  agent.model = &th_model_orca;
  agent.params = &params;
  params.neighbours = 65;
  REFUSED(world, th_world_add_agents(world, &agent, 1, NULL, &error), TH_ERROR_RANGE, "neighbours");
  params.neighbours = 64;
  params.horizon = 0.0f;
  REFUSED(world, th_world_add_agents(world, &agent, 1, NULL, &error), TH_ERROR_RANGE, "horizon");
  params.horizon = 2.0f;
  worlds_add(world, &agent);
  worlds_steps(world, 3);
  worlds_end(world, ground);
}

/* The table of docs/orca.md is the table of the model: name, default, range, unit, meaning. */
static void the_page_lists_every_parameter(void **state) {
  (void)state;
  static char page[32768];
  FILE *file = fopen("docs/orca.md", "r");
  assert_non_null(file);
  page[fread(page, 1, sizeof page - 1, file)] = '\0';
  fclose(file);
  for (uint32_t i = 0; i < th_model_orca.param_count; i++) {
    const th_param *p = &th_model_orca.param[i];
    char range[128] = "", row[512], initial[32];
    snprintf(range, sizeof range, "%g to %g", p->min, p->max);
    snprintf(initial, sizeof initial, "%g", p->initial);
    if (p->type == TH_PARAM_BOOL) {
      snprintf(range, sizeof range, "true, false");
      snprintf(initial, sizeof initial, p->initial != 0.0 ? "true" : "false");
    }
    for (uint32_t k = 0; p->choice && p->choice[k]; k++) {
      size_t used = k ? strlen(range) : 0;
      snprintf(range + used, sizeof range - used, "%s%s", k ? ", " : "", p->choice[k]);
      if ((double)k == p->initial) snprintf(initial, sizeof initial, "%s", p->choice[k]);
    }
    snprintf(row, sizeof row, "| `%s` | %s | %s | %s | %s |", p->name, initial, range, p->unit, p->text);
    if (!strstr(page, row)) fail_msg("docs/orca.md lacks: %s", row);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(symmetric_agents_pass),
      cmocka_unit_test(standers_make_way),
      cmocka_unit_test(the_smaller_share_has_priority),
      cmocka_unit_test(layers_are_respected),
      cmocka_unit_test(corners_are_passed),
      cmocka_unit_test(equals_plain_avoidance),
      cmocka_unit_test(same_bits_everywhere),
      cmocka_unit_test(memory_may_fail),
      cmocka_unit_test(parameters_are_checked),
      cmocka_unit_test(the_page_lists_every_parameter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
