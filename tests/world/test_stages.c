/* The stages of a step in the order of dynamic planarization: fields (made in the background) come into force, maps,
 * reference points, local navigation, update, and then whoever draws. A guide and a model of the host look at the
 * world's clock from inside their stages. */
#include "support/mesh_worlds.h"
#include "support/unit.h"
#include "world/world.h"

typedef struct witness {
  th_world *world;
  th_goal_id goal;
  double ask[TH_PHASE_COUNT], decide[TH_PHASE_COUNT]; /* seconds of each phase so far, seen from these stages */
  uint32_t asked, decided;
  bool field, charts, still; /* seen while asking: the goal's field, everybody's map, everybody where the step began */
  th_vec3 *begin;            /* where everybody was when it began */
} witness;

static bool all_charted(const th_world *world) {
  const th_atlas *atlas = world->mesh->atlas;
  for (uint32_t row = 0; row < world->rows.count; row++)
    if (!th_atlas_chart(atlas, atlas->patches.patch_of[world->rows.cell[row]])) return false;
  return true;
}

static bool all_still(const witness *w) {
  for (uint32_t row = 0; row < w->world->rows.count; row++)
    if (mesh_grounds_apart(mesh_grounds_at(w->world, row), w->begin[w->world->rows.agent[row] - 1]) != 0.0f)
      return false;
  return true;
}

static void look_while_asking(void *user, const th_guide_query *q) {
  witness *w = user;
  if (!w->asked++) th_world_profile(w->world, w->ask);
  w->field = th_world_field(w->world, w->goal, 0.2f) != NULL;
  w->charts = all_charted(w->world);
  w->still = all_still(w);
  for (uint32_t lane = 0; lane < q->lanes; lane++)
    q->want[lane] = (th_guide_answer){.dx = 1.0f, .left = 100.0f, .state = TH_ANSWER_LEAD};
}

static void look_while_deciding(void *user, const th_work *work) {
  witness *w = user;
  if (!w->decided++) th_world_profile(w->world, w->decide);
  w->still &= all_still(w);
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    work->advice.vx[lane] = work->view->want[lane].dx;
    work->advice.vy[lane] = work->view->want[lane].dy;
    work->advice.hx[lane] = 1.0f;
    work->advice.hy[lane] = 0.0f;
  }
}

static void phases_are_those_of_the_table(void **state) {
  (void)state;
  static const char *const name[TH_PHASE_COUNT] = {"publish", "order",    "guide",  "people", "decide",
                                                   "move",    "contacts", "commit", "finish"};
  for (int k = 0; k < TH_PHASE_COUNT; k++) assert_string_equal(th_phase_name((th_phase)k), name[k]);
}

static void spread_out(witness *w, uint32_t count, th_guide_id guide) {
  uint64_t random = 7;
  th_user_params params = {look_while_deciding, w, 3.0f, 4};
  for (uint32_t i = 0; i < count; i++) {
    const th_ground *ground = th_world_ground(w->world);
    th_vec3 p = th_ground_point(ground, mesh_grounds_place(ground, &random));
    th_agent_def def = worlds_agent_def(p.x, p.y, NOWHERE);
    def.point.z = p.z;
    def.guide = guide;
    def.model = &th_model_user;
    def.params = &params;
    worlds_add(w->world, &def);
  }
  for (uint32_t row = 0; row < count; row++) w->begin[w->world->rows.agent[row] - 1] = mesh_grounds_at(w->world, row);
}

/* What had run when a stage was looked at from inside: those before it, none from it on. */
static void assert_seen(const double *before, const double *seen, th_phase stage) {
  for (int k = 0; k < TH_PHASE_COUNT; k++) {
    if (k < (int)stage)
      assert_true(seen[k] > before[k]);
    else
      assert_true(seen[k] == before[k]);
  }
}

/* shows: PLAN-43 PLAN-46 PLAN-40 */
static void stages_come_in_the_order_of_the_thesis(void **state) {
  (void)state;
  enum { AGENTS = 40, LATENCY = 3, STEPS = 12 };
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.level = 3;
  th_ground *ground = mesh_grounds_make(&env, &make);
  th_world_def def = th_default_world_def();
  def.env = env;
  def.ground = ground;
  def.latency = LATENCY;
  def.field_threads = 1; /* fields are made in the background */
  witness w = {.begin = test_calloc(AGENTS + 1, sizeof *w.begin)};
  OK(th_world_make(&def, &w.world, &error));
  th_user_guide_params host = {look_while_asking, &w};
  th_guide_id guide;
  OK(th_world_add_guide(w.world, &th_guide_user, &host, &guide, &error));
  spread_out(&w, AGENTS, guide);
  th_goal_def goal = worlds_point_def_at((th_vec3){0, 0, 10});
  OK(th_world_add_goal(w.world, &goal, &w.goal, &error));
  th_agent_def walker = worlds_agent_def(0, 3, w.goal); /* its field is asked for before step 0 */
  walker.point.z = 9.5f;
  worlds_add(w.world, &walker);
  w.begin[AGENTS] = mesh_grounds_at(w.world, AGENTS);
  th_vec3 point[AGENTS + 1];
  for (uint32_t step = 0; step < STEPS; step++) {
    double before[TH_PHASE_COUNT], after[TH_PHASE_COUNT];
    th_world_profile(w.world, before);
    w.asked = w.decided = 0;
    th_world_step(w.world);
    th_world_profile(w.world, after);
    assert_true(w.asked > 0 && w.decided > 0);
    assert_seen(before, w.ask, TH_PHASE_GUIDE);     /* fields and maps before reference points */
    assert_seen(before, w.decide, TH_PHASE_DECIDE); /* these before local navigation */
    for (int k = 0; k < TH_PHASE_COUNT; k++) assert_true(after[k] > before[k]);
    assert_int_equal(w.field, step >= LATENCY);
    assert_true(w.charts && w.still);
    th_world_points(w.world, &(th_points){.point = point}); /* what is drawn is what the update has left */
    uint32_t moved = 0;
    for (uint32_t row = 0; row < w.world->rows.count; row++) {
      uint32_t agent = w.world->rows.agent[row] - 1;
      assert_true(mesh_grounds_apart(point[row], mesh_grounds_at(w.world, row)) == 0.0f);
      moved += mesh_grounds_apart(point[row], w.begin[agent]) > 0.0f;
      w.begin[agent] = point[row];
    }
    assert_true(moved > AGENTS / 2);
  }
  assert_int_equal(h.faults, 0);
  test_free(w.begin);
  worlds_end(w.world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(phases_are_those_of_the_table),
      cmocka_unit_test(stages_come_in_the_order_of_the_thesis),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
