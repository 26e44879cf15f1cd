/* Tests of the log of a run against a crowd whose decisions are known by hand, on flat ground and on a mesh. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/mesh_worlds.h"
#include "throng/guide.h"
#include "throng/metrics.h"
#include "throng/model.h"
#include "throng/view.h"

enum { COLUMNS = 19, LINES = 7 };
#define TURN 0.5235988f /* 30 degrees */

/* Along x in space, on any ground. */
static void along_x(void *user, const th_guide_query *q) {
  (void)user;
  for (uint32_t lane = 0; lane < q->lanes; lane++) {
    th_place place = {q->cell[lane], q->x[lane], q->y[lane]};
    th_vec2 d = th_ground_to_cell(q->ground, place, (th_vec3){1, 0, 0});
    q->want[lane] = (th_guide_answer){.dx = d.x, .dy = d.y, .left = 30.0f, .state = TH_ANSWER_LEAD};
  }
}

/* Everybody walks at 0.5 m/s, 30 degrees to the left of where it wants to go. */
static void decide(void *user, const th_work *work) {
  (void)user;
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    float dx = view->want[lane].dx, dy = view->want[lane].dy, c = 0.5f * cosf(TURN), s = 0.5f * sinf(TURN);
    work->advice.vx[lane] = c * dx - s * dy;
    work->advice.vy[lane] = s * dx + c * dy;
  }
}

/* Four that want 1 m/s: three in a row, 0.8 m apart, and one far away. */
static void add_people(th_world *world) {
  static const float at[4][2] = {{2, 2}, {2.8f, 2}, {3.6f, 2}, {2, 8}};
  th_user_guide_params host = {along_x, NULL};
  th_user_params model = {decide, NULL, 1.0f, 4};
  th_guide_id guide;
  OK(th_world_add_guide(world, &th_guide_user, &host, &guide, &error));
  for (int k = 0; k < 4; k++) {
    th_agent_def def = worlds_agent_def(at[k][0], at[k][1], NOWHERE);
    def.guide = guide;
    def.model = &th_model_user;
    def.params = &model;
    def.speed = 1.0f;
    def.acceleration_max = def.turn_max = INFINITY;
    worlds_add(world, &def);
  }
}

/* Two at 1 m/s, 5.1 and 3.1 m before a goal, where they leave. */
static void add_travellers(th_world *world) {
  th_goal_def goal = th_default_goal_def();
  th_goal_id id;
  goal.shape = th_disc_shape(8.0f, 5.0f, 0.5f);
  goal.field = TH_FIELD_GEODESIC;
  OK(th_world_add_goal(world, &goal, &id, &error));
  for (int k = 0; k < 2; k++) {
    th_agent_def def = worlds_agent_def(2.4f + 2.0f * (float)k, 5.0f, id);
    def.model = &th_model_follow;
    def.speed = 1.0f;
    def.acceleration_max = def.turn_max = INFINITY;
    worlds_add(world, &def);
  }
}

static void measure_step(th_metrics *metrics, const th_world *world) {
  th_vec3 point[4], velocity[4], heading[4], normal[4], weights[4], previous[4];
  float clearance[4];
  th_points points = {point, velocity, heading, normal, weights, clearance, previous};
  th_agents agents = th_world_agents(world);
  uint32_t events;
  const th_event *event = th_world_events(world, &events);
  assert_true(agents.count <= 4);
  th_world_points(world, &points);
  agents.space = &points;
  OK(th_metrics_step(metrics, th_world_step_count(world), &agents, event, events, &error));
}

/* Runs for some seconds with a log; reads its numbers. Returns the lines found. */
static int run(th_ground *ground, const th_env *env, void (*add)(th_world *), int seconds,
               double found[LINES][COLUMNS]) {
  char path[] = "/tmp/throng-log-XXXXXX", text[1024];
  close(mkstemp(path));
  th_world *world = worlds_make(ground, env);
  add(world);
  th_metrics *metrics = NULL;
  th_metrics_def measure = th_default_metrics_def();
  measure.dt = 0.1;
  th_run_log *log = NULL;
  th_run_log_def def = th_default_run_log_def();
  def.path = path;
  def.reach = 1.0f;
  OK(th_metrics_make(&measure, &metrics, &error));
  OK(th_run_log_make(&def, &log, &error));
  for (int step = 0; step < 10 * seconds; step++) {
    th_world_advise(world);
    OK(th_run_log_advice(log, world, &error));
    th_world_integrate(world);
    measure_step(metrics, world);
    OK(th_run_log_step(log, world, metrics, &error));
  }
  th_run_log_free(log);
  th_metrics_free(metrics);
  th_world_free(world);
  FILE *file = fopen(path, "r");
  int lines = -1; /* the head */
  while (fgets(text, sizeof text, file)) {
    int columns = 0;
    for (char *c = text, *end; c && lines >= 0 && lines < LINES; c = end ? end + 1 : NULL, columns++) {
      end = strchr(c, ',');
      found[lines][columns] = *c == ',' || *c == '\n' ? NAN : strtod(c, NULL);
    }
    if (lines >= 0) assert_int_equal(columns, COLUMNS);
    lines++;
  }
  fclose(file);
  unlink(path);
  return lines;
}

static bool near(double a, double b, double within) { return fabs(a - b) <= within; }

static void assert_numbers(double found[LINES][COLUMNS], int lines) {
  assert_int_equal(lines, 3);
  for (int k = 0; k < 3; k++) {
    const double *v = found[k];
    double phases = 0.0;
    assert_true(near(v[0], k + 1.0, 1e-6));
    assert_true(v[1] == 4.0 && v[2] == 0.0 && v[3] > 0.0);
    for (int i = 0; i < TH_PHASE_COUNT; i++) phases += v[4 + i];
    assert_true(near(phases * v[3], 1000.0, 1.0)); /* milliseconds of all phases x steps per second */
    assert_true(near(v[13], 1.0, 1e-6));           /* neighbours: 1, 2, 1 and 0 */
    assert_true(near(v[14], 30.0, 0.01));
    assert_true(near(v[15], k ? 0.5 : 0.45, 0.001)); /* in the first step nobody had moved yet */
    assert_true(near(v[16], 2.0, 0.001));            /* 0.8 m by twice the radius of 0.2 m */
    assert_true(isnan(v[17]) && near(v[18], 0.5 * (k + 1.0), 0.06));
  }
}

/* Time and distance to the destination: the nearer one arrives in the fourth second, the other in the sixth. They set
 * out in the second step and slow down before they arrive. */
static void assert_trips(double found[LINES][COLUMNS], int lines) {
  assert_int_equal(lines, LINES);
  for (int k = 0; k < LINES; k++) {
    const double *v = found[k];
    const double near_one = fmin(k + 1.0, 3.1), far_one = fmin(k + 1.0, 5.1);
    const int arrived = (k >= 3) + (k >= 5);
    if (v[1] != 2.0 - arrived || v[2] != arrived)
      fail_msg("second %d: %g agents, %g arrived in the mean at %g s", k + 1, v[1], v[2], v[17]);
    assert_true(arrived ? near(v[17], arrived == 1 ? 3.6 : 4.6, 0.3) : isnan(v[17]));
    if (!near(v[18], 0.5 * (near_one + far_one), 0.15)) fail_msg("second %d: path %g m", k + 1, v[18]);
  }
}

/* shows: PLAN-60 */
static void the_log_tells_what_a_crowd_decided(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  double found[LINES][COLUMNS];
  th_ground *flat = worlds_box(&env, 40.0f, 20.0f);
  assert_numbers(found, run(flat, &env, add_people, 3, found));
  assert_trips(found, run(flat, &env, add_travellers, LINES, found));
  th_ground_release(flat);
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = 40.0f, make.width = 20.0f, make.edge = 1.3f;
  th_ground *mesh = mesh_grounds_make(&env, &make);
  assert_numbers(found, run(mesh, &env, add_people, 3, found));
  assert_trips(found, run(mesh, &env, add_travellers, LINES, found));
  th_ground_release(mesh);
  assert_int_equal(h.faults, 0);
}

static void a_wrong_log_is_refused(void **state) {
  (void)state;
  th_run_log_def def = th_default_run_log_def();
  th_run_log *log = NULL;
  th_error error = {0};
  assert_int_equal(th_run_log_make(&def, &log, &error), TH_ERROR_RANGE); /* no path */
  def.path = "/no/such/folder/log.csv";
  assert_int_equal(th_run_log_make(&def, &log, &error), TH_ERROR_FILE);
  assert_non_null(strstr(error.where, "log.csv"));
  def.every = 0.0;
  assert_int_equal(th_run_log_make(&def, &log, &error), TH_ERROR_RANGE);
  def.every = 1.0, def.reach = -1.0f;
  assert_int_equal(th_run_log_make(&def, &log, &error), TH_ERROR_RANGE);
  assert_null(log);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_log_tells_what_a_crowd_decided),
      cmocka_unit_test(a_wrong_log_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
