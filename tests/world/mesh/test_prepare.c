/* tests/world/test_prepare.c - all charts before the first step: then steps make none and take no memory, and nothing
 * else tells a world that was prepared from one that was not. */
#include "support/mesh_worlds.h"
#include "support/slow.h"
#include "throng/model/orca.h"
#include "world/field_requests.h"

enum { AGENTS = 60, LENGTH = 48, WIDTH = 24 };

static th_ground *hills(void) {
  th_env env = {0};
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN);
  make.length = LENGTH;
  make.width = WIDTH;
  make.edge = 1.0f;
  make.height = 1.5f;
  return mesh_grounds_make(&env, &make);
}

typedef struct stage {
  failing f;
  th_ground *ground;
  th_world *world;
  th_vec3 low, high; /* of the ground */
} stage;

static th_agent_def agent_at(const stage *s, float along, float across, th_goal_id goal) {
  th_agent_def def =
      worlds_agent_def(s->low.x + along * (s->high.x - s->low.x), s->low.y + across * (s->high.y - s->low.y), goal);
  def.model = &th_model_orca;
  def.speed = def.speed_max = 2.0f;
  return def;
}

/* In lanes along the ground, from both ends to the other one and back. */
static void populate(stage *s, uint32_t agents) {
  enum { MAX_LANES = 6 };
  th_goal_id goal[2][MAX_LANES];
  const uint32_t lanes = agents < 2 * MAX_LANES ? 1 : MAX_LANES;
  for (int side = 0; side < 2; side++)
    for (uint32_t lane = 0; lane < lanes; lane++) {
      th_agent_def at = agent_at(s, side ? 0.97f : 0.03f, ((float)lane + 0.5f) / (float)lanes, NOWHERE);
      th_vec2 point = {at.point.x, at.point.y};
      th_goal_def def = worlds_point_def(&point);
      def.field = TH_FIELD_GEODESIC;
      OK(th_world_add_goal(s->world, &def, &goal[side][lane], &error));
    }
  for (uint32_t i = 0; i < agents; i++) {
    uint32_t side = i % 2, lane = i / 2 % lanes;
    th_agent_def def = agent_at(s, side ? 0.97f : 0.03f, (float)(i + 1) / (float)(agents + 1), goal[!side][lane]);
    def.route[1].goal = goal[side][lane];
    def.route_count = 2;
    def.loop = true;
    worlds_add(s->world, &def);
  }
}

static void stage_make(stage *s, th_ground *ground, const th_world_def *wish, uint32_t agents) {
  *s = (stage){.ground = ground};
  th_world_def def = *wish;
  def.env = failing_env(&s->f);
  def.ground = ground;
  def.dt = 0.2f;
  const th_mesh *mesh = th_ground_mesh(ground);
  s->low = s->high = (th_vec3){(float)mesh->xyz[0], (float)mesh->xyz[1], 0.0f};
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    float x = (float)mesh->xyz[3 * v], y = (float)mesh->xyz[3 * v + 1];
    s->low = (th_vec3){fminf(s->low.x, x), fminf(s->low.y, y), 0.0f};
    s->high = (th_vec3){fmaxf(s->high.x, x), fmaxf(s->high.y, y), 0.0f};
  }
  OK(th_world_make(&def, &s->world, &error));
  populate(s, agents);
  th_requests_wait(s->world); /* fields are made beside the steps */
}

static void stage_free(stage *s) {
  th_world_free(s->world);
  failing_assert_empty(&s->f);
}

static const th_chart_cache *charts(const stage *s) { return &s->world->mesh->atlas->charts; }

/* Makes that many steps; returns the charts they made. */
static uint32_t steps(stage *s, uint32_t count) {
  uint32_t built = 0;
  for (uint32_t i = 0; i < count; i++) {
    th_world_step(s->world);
    built += charts(s)->built;
  }
  return built;
}

static th_world_def usual(uint32_t workers) {
  th_world_def def = th_default_world_def();
  def.workers = workers;
  def.mesh.patch_size = 6.0f;
  return def;
}

/* ---------------------------------------------------------------- what it is for */

static void steps_make_no_charts(void **state) {
  (void)state;
  th_ground *ground = hills();
  const uint32_t count = LONG_RUN(400, 130);
  for (uint32_t workers = 1; workers <= 2; workers++) {
    th_world_def def = usual(workers);
    stage without, with;
    stage_make(&without, ground, &def, AGENTS);
    uint32_t first = steps(&without, 1), later = steps(&without, count - 1);
    uint32_t patches = without.world->mesh->atlas->patches.count;
    print_message("%u patches: %u charts in the first step, %u in later ones\n", patches, first, later);
    assert_true(first > 0 && later > first && 4 * (first + later) > 3 * patches); /* they come nearly everywhere */
    stage_make(&with, ground, &def, AGENTS);
    OK(th_world_prepare(with.world, &error));
    assert_true(charts(&with)->kept == patches && charts(&with)->built == patches);
    failing_lock(&with.f);
    assert_int_equal(steps(&with, count), 0);
    OK(th_world_prepare(with.world, &error)); /* nothing is missing */
    failing_unlock(&with.f);
    assert_true(th_world_hash(with.world) == th_world_hash(without.world));
    stage_free(&without);
    stage_free(&with);
  }
  th_ground_release(ground);
}

/* Whoever sees farther makes all charts new; asked again, the world has them before the step. */
static void who_sees_farther_is_prepared_for(void **state) {
  (void)state;
  th_ground *ground = hills();
  th_world_def def = usual(1);
  stage s;
  stage_make(&s, ground, &def, AGENTS);
  OK(th_world_prepare(s.world, &error));
  assert_int_equal(steps(&s, 3), 0);
  th_orca_params params = th_default_orca_params();
  params.distance += 2.0f;
  th_agent_def far = agent_at(&s, 0.5f, 0.5f, NOWHERE);
  far.params = &params;
  worlds_add(s.world, &far);
  OK(th_world_prepare(s.world, &error));
  assert_int_equal(charts(&s)->built, charts(&s)->patch_count);
  assert_true(charts(&s)->def.chart.reach >= params.distance);
  assert_int_equal(steps(&s, 3), 0);
  stage_free(&s);
  th_ground_release(ground);
}

/* ---------------------------------------------------------------- it does not show */

static void results_are_the_same(void **state) {
  (void)state;
  th_ground *ground = hills();
  for (int kind = 0; kind < 3; kind++) {
    uint64_t expected = 0;
    for (uint32_t way = 0; way < 4; way++) { /* 1 and 2 workers, without and with */
      th_world_def def = usual(1 + way / 2);
      def.mesh.chart = kind == 1 ? TH_CHART_CONFORMAL : TH_CHART_POLAR;
      def.mesh.one_face = kind == 2;
      stage s;
      stage_make(&s, ground, &def, 30);
      uint64_t before = th_world_hash(s.world);
      if (way % 2) OK(th_world_prepare(s.world, &error));
      assert_true(th_world_hash(s.world) == before);
      uint32_t built = steps(&s, 50);
      assert_true((built == 0) == (way % 2 == 1));
      if (!way) expected = th_world_hash(s.world);
      assert_true(th_world_hash(s.world) == expected);
      stage_free(&s);
    }
  }
  th_ground_release(ground);
}

/* Lifts all of the ground a little more than before, in waves. */
static void heave(stage *s, double height) {
  const th_mesh *rest = th_ground_mesh(s->ground);
  th_vertex_move *move = test_calloc(rest->vertex_count, sizeof *move);
  for (uint32_t v = 0; v < rest->vertex_count; v++) {
    const double *p = rest->xyz + 3 * (size_t)v;
    move[v] = (th_vertex_move){v, {(float)p[0], (float)p[1], (float)(p[2] + height * sin(0.4 * p[0]))}};
  }
  th_edit edit = {.kind = TH_EDIT_DEFORM, .move = move, .move_count = rest->vertex_count};
  OK(th_world_edit(s->world, &edit, 1, &error));
  test_free(move);
}

/* The ground moves, charts wait for their turn, and now and then someone comes who sees farther than all before. */
static void act(stage *s, uint32_t step) {
  if (step % 6 == 2) heave(s, 0.02 * (double)step);
  if (step % 18 != 3 && step % 18 != 10) return; /* a move is due in the next step; charts wait */
  th_orca_params params = th_default_orca_params();
  params.distance += 0.05f * (float)step;
  th_agent_def far = agent_at(s, 0.1f + 0.02f * (float)step, 0.5f, NOWHERE);
  far.params = &params;
  worlds_add(s->world, &far);
}

static void moving_ground_is_the_same(void **state) {
  (void)state;
  th_ground *ground = hills();
  for (uint32_t workers = 1; workers <= 2; workers++) {
    th_world_def def = usual(workers);
    def.mesh.renewals = 1;
    stage without, with;
    stage_make(&without, ground, &def, AGENTS);
    stage_make(&with, ground, &def, AGENTS);
    uint32_t waited = 0, filled = 0;
    for (uint32_t step = 0; step < 30; step++) {
      act(&without, step);
      act(&with, step);
      OK(th_world_prepare(with.world, &error));
      filled += charts(&with)->kept == charts(&with)->patch_count;
      if (th_world_hash(with.world) != th_world_hash(without.world)) fail_msg("before step %u", step);
      th_world_step(without.world);
      th_world_step(with.world);
      if (th_world_hash(with.world) != th_world_hash(without.world)) fail_msg("after step %u", step);
      waited += th_world_backlog(with.world) > 1;
    }
    assert_true(waited > 6 && filled > 20); /* some have waited while all others were made */
    stage_free(&without);
    stage_free(&with);
  }
  th_ground_release(ground);
}

static void see_farther(stage *s, bool prepare) {
  th_orca_params params = th_default_orca_params();
  params.distance += 4.0f;
  th_agent_def far = agent_at(s, 0.5f, 0.5f, NOWHERE);
  far.params = &params;
  worlds_add(s->world, &far);
  if (prepare) OK(th_world_prepare(s->world, &error));
  if (!prepare) steps(s, 1);
}

/* In a world that has been where someone saw farther, what was made for them does not show. */
static void going_back_is_the_same(void **state) {
  (void)state;
  th_ground *ground = hills();
  for (int kind = 0; kind < 3; kind++) { /* no charts yet; some; a move is due that lets them wait */
    th_world_def def = usual(1);
    def.mesh.chart = TH_CHART_CONFORMAL;
    def.mesh.renewals = 1;
    stage s;
    stage_make(&s, ground, &def, AGENTS);
    if (kind) steps(&s, 5);
    worlds_saved from = worlds_save(s.world);
    if (kind == 2) heave(&s, 0.1);
    if (kind == 2) steps(&s, 1);
    worlds_saved to = worlds_save(s.world);
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) hash[k] = (steps(&s, k ? 50 : 3), th_world_hash(s.world));
    for (int way = 0; way < 2; way++) {
      OK(th_world_restore(s.world, from.memory, from.size, &error));
      see_farther(&s, way == 1);
      OK(th_world_restore(s.world, to.memory, to.size, &error));
      for (int k = 0; k < 2; k++) assert_true((steps(&s, k ? 50 : 3), th_world_hash(s.world)) == hash[k]);
    }
    free(from.memory);
    free(to.memory);
    stage_free(&s);
  }
  th_ground_release(ground);
}

/* ---------------------------------------------------------------- little room */

static void a_budget_is_kept(void **state) {
  (void)state;
  th_ground *ground = hills();
  th_world_def def = usual(2);
  stage all;
  stage_make(&all, ground, &def, AGENTS);
  OK(th_world_prepare(all.world, &error));
  const size_t bytes = charts(&all)->bytes, budget[] = {bytes - 1, bytes / 2, 1};
  const uint32_t patches = charts(&all)->kept;
  steps(&all, 60);
  for (int k = 0; k < 3; k++) {
    stage s;
    stage_make(&s, ground, &def, AGENTS);
    s.world->mesh->atlas->def.charts.budget = budget[k];
    OK(th_world_prepare(s.world, &error));
    const th_chart_cache *c = charts(&s);
    uint32_t used = 0;
    for (uint32_t p = 0; p < patches; p++) used += c->used[p] == c->call && c->chart[p];
    assert_true(used > 0 && c->evicted == 0 && c->kept < patches);
    if (k < 2) assert_true(c->bytes <= budget[k] && c->bytes + 2 * bytes / patches > budget[k] && c->kept > used);
    if (k == 2) assert_int_equal(c->kept, used); /* those that are needed at once, and no more */
    for (uint32_t i = 0; i < 60; i++) {
      th_world_step(s.world);
      assert_true(i || c->built == 0); /* the first step finds its charts */
      if (k < 2) assert_true(c->bytes <= budget[k]);
      if (i % 20 == 10) OK(th_world_prepare(s.world, &error));
      for (uint32_t p = 0; p < patches; p++) assert_true(c->used[p] != c->call || c->chart[p]);
    }
    assert_true(th_world_hash(s.world) == th_world_hash(all.world));
    stage_free(&s);
  }
  stage_free(&all);
  th_ground_release(ground);
}

/* ---------------------------------------------------------------- calls */

/* Fails allocation number n of the call; true when there were fewer. */
static bool survives(th_ground *ground, const th_world_def *def, uint64_t n, uint64_t expected) {
  stage s;
  stage_make(&s, ground, def, 6);
  th_error error = {0};
  s.f.fail_at = atomic_load(&s.f.calls) + n;
  th_result result = th_world_prepare(s.world, &error);
  bool failed = atomic_load(&s.f.failed) != 0;
  s.f.fail_at = 0;
  assert_int_equal(result, failed ? TH_ERROR_MEMORY : TH_OK);
  assert_true(!failed || strlen(error.text) > 5);
  if (failed && n % 2) assert_int_equal(th_world_prepare(s.world, NULL), TH_OK); /* makes what is missing */
  uint32_t built = steps(&s, 4);
  assert_true((failed && n % 2 == 0) || built == 0);
  assert_true(th_world_hash(s.world) == expected);
  stage_free(&s);
  return !failed;
}

static void any_allocation_may_fail(void **state) {
  (void)state;
  th_env env = {0};
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_TERRAIN);
  make.length = make.width = 7.0f;
  make.edge = 1.0f;
  make.height = 0.5f;
  th_ground *ground = mesh_grounds_make(&env, &make);
  for (int one_face = 0; one_face < 2; one_face++) { /* one block of charts; several */
    th_world_def def = usual(1);
    def.mesh.one_face = one_face;
    stage s;
    stage_make(&s, ground, &def, 6);
    steps(&s, 4);
    const uint64_t expected = th_world_hash(s.world);
    const uint32_t patches = charts(&s)->patch_count;
    stage_free(&s);
    uint64_t n = 1;
    while (!survives(ground, &def, n, expected)) n += n > 100 ? LONG_RUN(1, 17) : 1; /* one chart after the other */
    print_message("%u patches: about %u allocations\n", patches, (uint32_t)n - 1);
    assert_true(n > 20 && (patches > 64) == (one_face == 1));
  }
  th_ground_release(ground);
}

static void it_has_its_time(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *flat = worlds_box(&env, 10.0f, 10.0f), *ground = hills();
  th_world *world = worlds_make(flat, &env);
  OK(th_world_prepare(world, &error)); /* nothing to do */
  worlds_walker(world, 2, 2, worlds_goal(world, 8, 8));
  worlds_steps(world, 2);
  OK(th_world_prepare(world, &error));
  worlds_end(world, flat);
  world = worlds_make(ground, &env);
  OK(th_world_prepare(world, &error)); /* nobody is there */
  assert_int_equal(world->mesh->atlas->charts.kept, world->mesh->atlas->patches.count);
  th_world_advise(world);
  REFUSED(world, th_world_prepare(world, &error), TH_ERROR_STATE, "th_world_prepare");
  th_world_integrate(world);
  OK(th_world_prepare(world, &error));
  assert_int_equal(h.faults, 0);
  worlds_end(world, ground);
}

/* ---------------------------------------------------------------- all fields */

/* A world whose goals have fields along edges, after some steps; `budget` 0: fields are searched for one by one. */
static uint64_t hash_with_fields(th_ground *ground, uint32_t workers, uint64_t budget, size_t *bytes) {
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.ground = ground;
  def.workers = workers;
  OK(th_world_make(&def, &world, &error));
  if (budget) OK(th_world_prepare_fields(world, budget, &error));
  for (int k = 0; k < 20; k++) {
    th_vec2 point = {4.0f + 2.0f * (float)k, k % 2 ? 20.0f : 4.0f};
    th_goal_def goal = worlds_point_def(&point);
    th_goal_id id;
    goal.field = TH_FIELD_EDGES;
    OK(th_world_add_goal(world, &goal, &id, &error));
    worlds_walker(world, point.x, 24.0f - point.y, id);
  }
  *bytes = th_world_memory(world).fields;
  worlds_steps(world, 40);
  mesh_grounds_assert_sound(world);
  uint64_t hash = th_world_hash(world);
  th_world_free(world);
  return hash;
}

/* All fields of a world beforehand: the size that was told, by any number of workers, and the same results. */
/* shows: PLAN-07 */
static void all_fields_change_no_result(void **state) {
  (void)state;
  th_ground *ground = hills();
  const uint64_t all = th_fields_bytes(ground);
  size_t searched, made;
  uint64_t hash = hash_with_fields(ground, 1, 0, &searched);
  for (uint32_t workers = 1; workers <= 3; workers += 2) {
    assert_true(hash == hash_with_fields(ground, workers, all, &made));
    if (workers == 1) assert_in_range(made - searched, all, all + 4096);
  }
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.ground = ground;
  OK(th_world_make(&def, &world, &error));
  size_t before = th_world_memory(world).fields;
  REFUSED(world, th_world_prepare_fields(world, all - 1, &error), TH_ERROR_CAPACITY, "fields");
  assert_true(th_world_memory(world).fields < before + all / 2);
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_make_no_charts),        cmocka_unit_test(who_sees_farther_is_prepared_for),
      cmocka_unit_test(results_are_the_same),        cmocka_unit_test(moving_ground_is_the_same),
      cmocka_unit_test(going_back_is_the_same),      cmocka_unit_test(a_budget_is_kept),
      cmocka_unit_test(any_allocation_may_fail),     cmocka_unit_test(it_has_its_time),
      cmocka_unit_test(all_fields_change_no_result),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
