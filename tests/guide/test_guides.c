/* tests/guide/test_guides.c - fields, paths and the host lead; a guide that goes away leaves its agents to their goals.
 */
#include "support/stage.h"
#include "throng/guide.h"
#include "throng/guide/tree.h"

static th_guide_id path_guide(stage *s, const th_vec3 *point, uint32_t count, bool closed) {
  th_path_params path = {.point = point, .count = count, .closed = closed, .ahead = 1.0f};
  th_guide_id id = TH_NULL_GUIDE;
  OK(th_world_add_guide(s->world, &th_guide_path, &path, &id, &error));
  return id;
}

static float distance_to_path(const th_vec3 *point, uint32_t count, th_vec2 p) {
  float best = INFINITY;
  for (uint32_t i = 0; i + 1 < count; i++) {
    float ex = point[i + 1].x - point[i].x, ey = point[i + 1].y - point[i].y, px = p.x - point[i].x,
          py = p.y - point[i].y;
    float t = fminf(fmaxf((px * ex + py * ey) / (ex * ex + ey * ey), 0.0f), 1.0f);
    best = fminf(best, hypotf(px - t * ex, py - t * ey));
  }
  return best;
}

static void paths_are_walked(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  static const th_vec3 point[] = {{1, 1, 0}, {6, 1, 0}, {6, 9, 0}, {2, 9, 0}, {2, 14, 0}};
  th_agent_def def = worlds_agent_def(1, 1, NOWHERE);
  def.guide = path_guide(&s, point, 5, false);
  th_agent_id id = worlds_add(s.world, &def);
  th_vec2 p = {0, 0};
  uint32_t steps = 0;
  float last = INFINITY;
  for (; steps < 400 && th_world_has_agent(s.world, id); steps++) {
    p = worlds_at(s.world, id);
    assert_true(distance_to_path(point, 5, p) < 0.6f);
    float left = th_world_agents(s.world).left[th_world_row(s.world, id)];
    if (steps > 2) assert_true(left <= last + 1e-3f);
    last = left;
    th_world_step(s.world);
  }
  assert_true(steps > 120 && steps < 250);
  assert_true(hypotf(p.x - 2, p.y - 14) < 0.7f);
  stage_end(&s);
}

/* A path that crosses itself is walked to its end, not short-cut. */
static void a_path_may_cross_itself(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  static const th_vec3 point[] = {{1, 4, 0}, {7, 4, 0}, {7, 8, 0}, {4, 8, 0}, {4, 1, 0}};
  th_agent_def def = worlds_agent_def(1, 4, NOWHERE);
  def.guide = path_guide(&s, point, 5, false);
  th_agent_id id = worlds_add(s.world, &def);
  bool corner = false;
  for (int n = 0; n < 400 && th_world_has_agent(s.world, id); n++) {
    th_vec2 p = worlds_at(s.world, id);
    corner |= hypotf(p.x - 7, p.y - 8) < 1.0f;
    th_world_step(s.world);
  }
  assert_true(corner && !th_world_has_agent(s.world, id));
  stage_end(&s);
}

static void loops_never_end(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  static const th_vec3 point[] = {{2, 2, 0}, {6, 2, 0}, {6, 6, 0}, {2, 6, 0}};
  th_agent_def def = worlds_agent_def(2, 2, NOWHERE);
  def.guide = path_guide(&s, point, 4, true);
  th_agent_id id = worlds_add(s.world, &def);
  float turned = 0.0f, last = 0.0f;
  for (int n = 0; n < 500; n++) {
    th_world_step(s.world);
    th_vec2 p = worlds_at(s.world, id);
    float angle = atan2f(p.y - 4, p.x - 4), d = angle - last;
    if (n) turned += d > 3.14f ? d - 6.2832f : d < -3.14f ? d + 6.2832f : d;
    last = angle;
  }
  assert_true(turned > 2.0f * 6.28f); /* round and round, always the same way */
  stage_end(&s);
}

typedef struct host {
  _Atomic uint32_t asked;
  float dx, dy;
  th_guide_answer_state state;
} host;

static void lead(void *user, const th_guide_query *query) {
  host *h = user;
  atomic_fetch_add(&h->asked, query->lanes);
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    if (query->want[lane].state != TH_ANSWER_WAIT || !isinf(query->want[lane].left))
      atomic_fetch_add(&h->asked, 1u << 20);
    uint32_t *memory = query->state[lane];
    ++*memory; /* 64 bytes of each agent's own */
    query->want[lane] =
        (th_guide_answer){.dx = h->dx, .dy = h->dy, .left = 100.0f - (float)*memory, .state = (uint8_t)h->state};
  }
}

/* shows: BVP-22 */
static void a_host_may_guide(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  host h = {.dx = 0.6f, .dy = 0.8f, .state = TH_ANSWER_LEAD};
  th_user_guide_params params = {lead, &h};
  th_agent_def def = worlds_agent_def(1, 1, NOWHERE);
  OK(th_world_add_guide(s.world, &th_guide_user, &params, &def.guide, &error));
  th_agent_id id[20];
  for (int i = 0; i < 20; i++) {
    def.point.y = 1.0f + 0.5f * (float)i;
    id[i] = worlds_add(s.world, &def);
  }
  worlds_steps(s.world, 10);
  assert_int_equal(h.asked, 200); /* each agent once a step, its answer preset to wait */
  th_agents a = th_world_agents(s.world);
  for (int i = 0; i < 20; i++) {
    uint32_t row = th_world_row(s.world, id[i]);
    assert_true(a.left[row] == 90.0f);
    assert_true(a.vx[row] > 0.6f && a.vy[row] > 0.7f);
  }
  h.state = TH_ANSWER_WAIT;
  worlds_steps(s.world, 5);
  a = th_world_agents(s.world);
  assert_true(fabsf(a.vx[0]) < 1e-6f);
  h.state = TH_ANSWER_ARRIVED;
  th_world_step(s.world);
  assert_int_equal(worlds_events(s.world, TH_EVENT_ARRIVED, NOBODY), 20);
  assert_int_equal(th_world_agents(s.world).count, 0);
  stage_end(&s);
}

/* A guide takes off a share of the wanted speed; one that asks for nonsense makes its agents wait. */
static void lead_slowly(void *user, const th_guide_query *query) {
  for (uint32_t lane = 0; lane < query->lanes; lane++)
    query->want[lane] = (th_guide_answer){.dx = 1.0f, .left = INFINITY, .slow = *(const float *)user};
}

static void guides_slow_agents_down(void **state) {
  (void)state;
  static const float slow[] = {0.0f, 0.25f, 1.0f, 1.5f, -0.1f, NAN}, speed[] = {1.0f, 0.75f, 0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i < 6; i++) {
    stage s;
    stage_begin(&s, worlds_house, NULL);
    float share = slow[i];
    th_user_guide_params params = {lead_slowly, &share};
    th_agent_def def = worlds_agent_def(1, 1, NOWHERE);
    def.speed = 1.2f;
    OK(th_world_add_guide(s.world, &th_guide_user, &params, &def.guide, &error));
    th_agent_id id = worlds_add(s.world, &def);
    worlds_steps(s.world, 20);
    uint32_t row = th_world_row(s.world, id);
    assert_true(fabsf(th_world_agents(s.world).vx[row] - 1.2f * speed[i]) < 1e-5f);
    stage_end(&s);
  }
}

static void a_guide_may_lose_its_agents(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  host h = {.state = TH_ANSWER_LOST};
  th_user_guide_params params = {lead, &h};
  th_agent_def def = worlds_agent_def(1, 1, NOWHERE);
  OK(th_world_add_guide(s.world, &th_guide_user, &params, &def.guide, &error));
  th_agent_id id = worlds_add(s.world, &def);
  th_world_step(s.world);
  assert_int_equal(worlds_events(s.world, TH_EVENT_UNREACHABLE, id), 1);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_LOST);
  stage_end(&s);
}

/* The agent goes on by the field of its goal. */
static void agents_of_a_removed_guide_follow_their_field(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  host h = {.dx = 1.0f, .state = TH_ANSWER_LEAD};
  th_user_guide_params params = {lead, &h};
  th_guide_id guide;
  OK(th_world_add_guide(s.world, &th_guide_user, &params, &guide, &error));
  th_agent_def def = worlds_agent_def(2, 4, worlds_goal(s.world, 2, 14));
  def.guide = guide;
  th_agent_id id = worlds_add(s.world, &def);
  worlds_steps(s.world, 5);
  assert_true(th_world_agents(s.world).vx[0] > 0.5f);
  th_world_remove_guide(s.world, guide);
  assert_true(worlds_until_gone(s.world, id, 200) < 200);
  uint64_t hash = th_world_hash(s.world);
  th_world_remove_guide(s.world, guide);
  assert_true(s.h.faults == 1 && th_world_hash(s.world) == hash);
  stage_end(&s);
}

static void say_nothing(const th_guide_query *query) { (void)query; }

static void wrong_guides_are_refused(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  static const th_vec3 point[] = {{1, 1, 0}, {6, 1, 0}}, broken[] = {{1, 1, 0}, {NAN, 1, 0}};
  static const th_guide mute = {.name = "mute"}, fat = {.name = "fat", .ask = say_nothing, .state_size = 65};
  th_path_params path = {.point = point, .count = 1, .ahead = 1.0f};
  REFUSED(s.world, th_world_add_guide(s.world, NULL, NULL, NULL, &error), TH_ERROR_STATE, "guide");
  REFUSED(s.world, th_world_add_guide(s.world, &mute, NULL, NULL, &error), TH_ERROR_STATE, "guide");
  REFUSED(s.world, th_world_add_guide(s.world, &fat, NULL, NULL, &error), TH_ERROR_CAPACITY, "fat");
  REFUSED(s.world, th_world_add_guide(s.world, &th_guide_path, &path, NULL, &error), TH_ERROR_RANGE, "path");
  REFUSED(s.world, th_world_add_guide(s.world, &th_guide_path, NULL, NULL, &error), TH_ERROR_RANGE, "path");
  path.count = 2;
  path.ahead = NAN;
  REFUSED(s.world, th_world_add_guide(s.world, &th_guide_path, &path, NULL, &error), TH_ERROR_RANGE, "ahead");
  path.ahead = 1.0f;
  path.point = broken;
  REFUSED(s.world, th_world_add_guide(s.world, &th_guide_path, &path, NULL, &error), TH_ERROR_RANGE, "path");
  path.point = point;
  OK(th_world_add_guide(s.world, &th_guide_path, &path, NULL, &error));
  stage_end(&s);
}

/* A path whose points coincide leads nowhere, without NaN. */
static void a_path_of_one_place_leads_nowhere(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  static const th_vec3 same[] = {{4, 4, 0}, {4, 4, 0}, {4, 4, 0}};
  for (int closed = 0; closed < 2; closed++) {
    th_agent_def def = worlds_agent_def(2, 4, NOWHERE);
    def.guide = path_guide(&s, same, 3, closed);
    th_agent_id id = worlds_add(s.world, &def);
    for (int n = 0; n < 60 && th_world_has_agent(s.world, id); n++) {
      th_world_step(s.world);
      th_agents a = th_world_agents(s.world);
      for (uint32_t i = 0; i < a.count; i++) assert_true(isfinite(a.x[i]) && isfinite(a.vx[i]) && isfinite(a.hx[i]));
    }
    if (!closed) assert_false(th_world_has_agent(s.world, id));
  }
  stage_end(&s);
}

/* v and eps bend the way: the same start and goal, another route. */
static void personal_vectors_bend_directions(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  th_goal_id goal = worlds_goal(s.world, 4, 14);
  float x[2] = {0};
  for (int side = 0; side < 2; side++) {
    th_agent_def def = worlds_agent_def(4, 2, goal);
    def.v = (th_vec2){side ? 1.0f : -1.0f, 0.0f};
    def.eps = 0.5f;
    th_agent_id id = worlds_add(s.world, &def);
    worlds_steps(s.world, 40);
    x[side] = worlds_at(s.world, id).x;
  }
  assert_true(x[0] < 3.8f && x[1] > 4.2f); /* pulled towards v */
  stage_end(&s);
}

static void all_guides_are_listed(void **state) {
  (void)state;
  uint32_t count = 0;
  for (const th_guide *const *g = th_guides(); *g; g++, count++) {
    assert_ptr_equal(th_guide_find((*g)->name), *g);
    assert_non_null((*g)->ask);
  }
  assert_true(count >= 3);
  assert_null(th_guide_find("nobody"));
}

/* The ranges that throng/guide/tree.h promises. */
static void a_tree_has_the_ranges_of_its_header(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double min, max;
  } promised[] = {{"reach", 0.05, 50}, {"node_reach", 0.01, 20}, {"adjust", 0, 1000},
                  {"cut", 0, 1000},    {"arrive", 0.05, 100},    {"area_radius", 0, 1e4},
                  {"cost", 0, 1},      {"nodes", 8, 8192},       {"marker_seed", 0, 2147483647},
                  {"children", 1, 64}};
  for (size_t k = 0; k < sizeof promised / sizeof *promised; k++) {
    uint32_t i = 0;
    while (i < th_guide_tree.param_count && strcmp(th_guide_tree.param[i].name, promised[k].name)) i++;
    assert_true(i < th_guide_tree.param_count);
    if (th_guide_tree.param[i].min != promised[k].min || th_guide_tree.param[i].max != promised[k].max)
      fail_msg("%s: %g to %g", promised[k].name, th_guide_tree.param[i].min, th_guide_tree.param[i].max);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_are_walked),
      cmocka_unit_test(a_path_may_cross_itself),
      cmocka_unit_test(loops_never_end),
      cmocka_unit_test(a_host_may_guide),
      cmocka_unit_test(guides_slow_agents_down),
      cmocka_unit_test(a_guide_may_lose_its_agents),
      cmocka_unit_test(agents_of_a_removed_guide_follow_their_field),
      cmocka_unit_test(wrong_guides_are_refused),
      cmocka_unit_test(a_path_of_one_place_leads_nowhere),
      cmocka_unit_test(personal_vectors_bend_directions),
      cmocka_unit_test(all_guides_are_listed),
      cmocka_unit_test(a_tree_has_the_ranges_of_its_header),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
