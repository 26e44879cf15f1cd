/* tests/model/test_own_model.c - a model of a host can do whatever built-in models can: it reads its nearest by lane,
 * owns markers, publishes large rasters, and its decisions can be measured. It sees public headers only. */
#include "support/worlds.h"
#include "throng/markers.h"
#include "throng/metrics.h"
#include "throng/model.h"
#include "throng/query.h"

enum { SIDE = 40, OWN_REACH = 3, COUNT = 40 }; /* SIDE: cells of the raster; more than 1024 values */

typedef struct own_params {
  int32_t side;
} own_params;
static const th_param own_table[] = {
    {"side", TH_PARAM_INT, 0, "", 1, 63, 3, "cells along a side of the raster that it publishes", NULL}};

typedef struct own_shared {
  uint32_t count, *owner; /* markers; who was last within 0.4 m of each */
  uint32_t pairs;         /* neighbours that were compared */
} own_shared;

static th_result own_make(const th_env *env, const th_ground *ground, void **shared, th_error *error) {
  (void)env;
  const th_markers_def def = th_ground_markers_def(ground);
  const th_markers *markers;
  if (th_ground_markers(ground, &def, 0, &markers, error)) return error->code;
  own_shared *own = calloc(1, sizeof *own);
  own->count = th_markers_count(markers);
  own->owner = malloc(sizeof *own->owner * own->count);
  for (uint32_t n = 0; n < own->count; n++) own->owner[n] = UINT32_MAX;
  *shared = own;
  return TH_OK;
}

static own_shared *last_shared; /* of the last step, for the test to look at */

static void own_free(const th_env *env, void *shared) {
  (void)env;
  free(((own_shared *)shared)->owner);
  free(shared);
}

static const th_trace own_trace[] = {{"map", TH_TRACE_RASTER, "", "ones", 0}};

/* What th_view_bodies has of the k-th nearest is what its pick names. */
static void compare_bodies(const th_work *work, uint32_t lane) {
  const th_neighbours *near = &work->view->neighbours;
  const th_lane_bodies *body = th_view_bodies(work->view, near->pick_count, work->simd);
  assert_non_null(body);
  for (uint32_t k = 0; k < near->pick_count; k++) {
    const uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) break;
    assert_true(body[k].x[lane] == near->x[j] && body[k].y[lane] == near->y[j]);
    assert_true(body[k].vx[lane] == near->vx[j] && body[k].vy[lane] == near->vy[j]);
    assert_true(body[k].radius[lane] == near->radius[j] && body[k].share[lane] == near->share[j]);
    ((own_shared *)work->shared)->pairs++;
  }
}

static void own_markers(const th_work *work, uint32_t lane) {
  const th_view_markers *m = &work->view->markers;
  own_shared *own = work->shared;
  for (uint32_t i = 0; i < m->start[m->columns * m->rows]; i++) {
    const float x = m->x[i] - work->view->x[lane], y = m->y[i] - work->view->y[lane];
    const uint32_t slot = work->view->slot[lane];
    if (x * x + y * y < 0.16f) own->owner[m->number ? m->number[i] : i] = m->world_of ? m->world_of[slot] : slot;
  }
}

static void own_decide(const th_work *work) {
  static float ones[SIDE * SIDE];
  const th_view *view = work->view;
  last_shared = work->shared;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    const uint32_t side = (uint32_t)((const own_params *)work->params[lane])->side;
    const th_trace_grid grid = {.ux = 1.0f, .cell = 0.1f, .columns = side, .rows = side};
    compare_bodies(work, lane);
    own_markers(work, lane);
    th_trace_raster(work->trace, lane, &own_trace[0], &grid, ones);
    if (view->want[lane].state != TH_ANSWER_LEAD) continue;
    work->advice.vx[lane] = view->want[lane].dx * view->speed[lane];
    work->advice.vy[lane] = view->want[lane].dy * view->speed[lane];
    work->advice.gait[lane] = TH_GAIT_WALK;
  }
}

static float own_reach(const void *params) { return (void)params, (float)OWN_REACH; }
static uint32_t own_nearest(const void *params) { return (void)params, 6; }
static th_trace_size own_size(const void *params) {
  const uint32_t side = (uint32_t)((const own_params *)params)->side;
  return (th_trace_size){200, side * side};
}
static const uint32_t *own_owners(const void *shared, uint32_t *count) {
  *count = ((const own_shared *)shared)->count;
  return ((const own_shared *)shared)->owner;
}

static const th_pass own_pass = {"own", TH_OVER_VIEWS, TH_SEE_NEAREST | TH_SEE_BODY | TH_SEE_MARKERS, own_decide};
static const th_model own_model = {.name = "own",
                                   .summary = "of a host",
                                   .param = own_table,
                                   .param_count = 1,
                                   .param_size = sizeof(own_params),
                                   .reach = own_reach,
                                   .nearest = own_nearest,
                                   .shared_make = own_make,
                                   .shared_free = own_free,
                                   .pass = &own_pass,
                                   .pass_count = 1,
                                   .trace = own_trace,
                                   .trace_count = 1,
                                   .trace_size = own_size,
                                   .marker_owners = own_owners};

typedef struct stage {
  log_capture log;
  th_ground *ground;
  th_world *world;
  th_agent_id agent[COUNT];
} stage;

/* Forty agents with the model, people when `people`. */
static void begin(stage *s, bool people) {
  *s = (stage){0};
  th_env env = worlds_env(&s->log);
  s->ground = worlds_box(&env, 20, 10);
  s->world = worlds_make(s->ground, &env);
  const th_goal_id goal = worlds_goal(s->world, 18, 5);
  const own_params params = {SIDE};
  for (uint32_t i = 0; i < COUNT; i++) {
    th_agent_def def = worlds_agent_def(1.0f + (float)(i % 8), 1.5f + 1.4f * (float)(i / 8), goal);
    def.model = &own_model, def.params = &params;
    def.people = people ? &th_default_people : NULL;
    s->agent[i] = worlds_add(s->world, &def);
  }
}

static void end(stage *s) {
  assert_int_equal(s->log.faults, 0);
  worlds_end(s->world, s->ground);
}

static void its_nearest_lie_by_lane(void **state) {
  (void)state;
  for (int people = 0; people < 2; people++) {
    stage s;
    begin(&s, people);
    worlds_steps(s.world, 5);
    assert_true(last_shared->pairs > 4 * COUNT);
    end(&s);
  }
}

static void its_markers_have_owners(void **state) {
  (void)state;
  stage s;
  begin(&s, false);
  assert_true(th_world_marker_owners(s.world, NULL, 0) > 0);
  th_world_step(s.world);
  static uint32_t owner[1 << 16];
  const uint32_t count = th_world_marker_owners(s.world, owner, 1 << 16);
  uint32_t owned = 0, named[COUNT + 1] = {0};
  assert_true(count == last_shared->count && count < 1 << 16);
  for (uint32_t n = 0; n < count; n++) {
    assert_true(owner[n] <= COUNT);
    owned += owner[n] > 0;
    named[owner[n]]++;
  }
  assert_true(owned > COUNT && owned < count);
  for (uint32_t i = 1; i <= COUNT; i++) assert_true(named[i] > 0);
  end(&s);
}

/* A raster of 1600 values does not fit into the default; what the model says is enough. */
static void its_traces_fit(void **state) {
  (void)state;
  stage s;
  begin(&s, false);
  th_trace_def def = th_world_trace_def(s.world);
  assert_true(def.values >= SIDE * SIDE && def.items >= 200 && th_default_trace_def().values < SIDE * SIDE);
  OK(th_world_trace(s.world, &def, NULL));
  OK(th_world_trace_agent(s.world, s.agent[0], true, NULL));
  th_world_step(s.world);
  th_trace_item item[16];
  uint32_t found = 0;
  for (uint32_t i = th_world_traces(s.world, s.agent[0], item, 16); i > 0; i--)
    found += item[i - 1].trace == &own_trace[0] && item[i - 1].columns == SIDE && item[i - 1].raster[0] == 0.0f;
  assert_int_equal(found, 1);
  end(&s);
}

/* Between advice and motion a host reads what agents want; the model advises just that, so nothing departs from it. */
static void its_decisions_are_measured(void **state) {
  (void)state;
  stage s;
  begin(&s, false);
  worlds_steps(s.world, 3);
  th_world_advise(s.world);
  th_guide_answer want[COUNT];
  th_world_wants(s.world, want);
  const th_agents a = th_world_agents(s.world);
  for (uint32_t row = 0; row < COUNT; row++) {
    assert_int_equal(want[row].state, TH_ANSWER_LEAD);
    assert_true(a.speed[row] == 1.34f);
    assert_true(fabsf(a.advised_vx[row] - want[row].dx * a.speed[row]) < 1e-5f);
    assert_true(fabsf(a.advised_vy[row] - want[row].dy * a.speed[row]) < 1e-5f);
  }
  th_decisions sum = {0};
  OK(th_decisions_look(&sum, s.world, 2.0f, NULL));
  assert_true(sum.samples == COUNT && sum.deviation / COUNT < 0.1 && sum.neighbours > 0);
  th_world_integrate(s.world);
  assert_ptr_equal(th_world_env(s.world).log.user, &s.log);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(its_nearest_lie_by_lane),
      cmocka_unit_test(its_markers_have_owners),
      cmocka_unit_test(its_traces_fit),
      cmocka_unit_test(its_decisions_are_measured),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
