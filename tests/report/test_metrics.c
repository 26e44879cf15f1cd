/* Tests of metrics against crowds whose answers are known by hand, against brute force, and of report.json. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/made_crowd.h"
#include "throng/metrics.h"

static void place(crowd *c, uint32_t i, float x, float y) {
  c->id[i] = (th_agent_id){i + 1, 1, 0};
  c->x[i] = x, c->y[i] = y;
  c->vx[i] = 1.0f, c->vy[i] = 0.0f;
  c->hx[i] = 1.0f, c->hy[i] = 0.0f;
  c->radius[i] = 0.25f;
  c->state[i] = TH_AGENT_WALKING;
}

static bool near(double a, double b, double within) { return fabs(a - b) <= within; }

static th_metrics *make(th_metrics_def def) {
  th_metrics *metrics = NULL;
  th_error error = {0};
  if (th_metrics_make(&def, &metrics, &error) != TH_OK) fail_msg("%s", error.text);
  return metrics;
}

/* Two walk 9 m in 9 s; one turns by 90 degrees half way; the first arrives and leaves. */
static void one_walk_is_measured(void **state) {
  (void)state;
  th_metrics_def def = th_default_metrics_def();
  th_measure_line line[2] = {{"gate", {5, 2}, {5, -2}}, {"short", {5, 30}, {5, 20}}};
  th_vec2 corner[4] = {{2, -1}, {6, -1}, {6, 1}, {2, 1}};
  th_measure_area area = {"yard", corner, 4};
  static const char *const goal[] = {"exit", NULL, "unused"};
  def.goal = goal, def.goal_count = 3;
  def.line = line, def.line_count = 2, def.area = &area, def.area_count = 1;
  th_metrics *metrics = make(def);
  static crowd c;
  for (uint64_t step = 0; step <= 90; step++) {
    place(&c, 0, 0.1f * (float)step, 0.5f);
    place(&c, 1, 9.0f - 0.1f * (float)step, -0.5f);
    if (step > 45) c.hx[1] = 0.0f, c.hy[1] = 1.0f;
    th_agents agents = crowd_agents(&c, 2);
    th_event event[2] = {{.kind = TH_EVENT_ARRIVED, .agent = c.id[0], .goal = {1, 1, 0}, .step = step},
                         {.kind = TH_EVENT_REMOVED, .agent = c.id[0], .goal = {1, 1, 0}, .step = step}};
    assert_int_equal(th_metrics_step(metrics, step, &agents, event, step == 90 ? 2 : 0, NULL), TH_OK);
  }
  th_summary s = th_metrics_summary(metrics);
  assert_int_equal(s.agents, 2);
  assert_int_equal(s.arrived, 1);
  assert_true(near(s.arrival_last, 9.0, 1e-9) && near(s.duration, 9.0, 1e-9));
  assert_true(near(s.path_mean, 9.0, 1e-4));
  assert_true(near(s.speed_mean, 18.0 / 18.1, 1e-3)); /* the step in which it left counts too */
  assert_true(near(s.turning_mean, 3.14159265 / 4.0, 1e-6));
  assert_true(near(s.min_distance, 1.0 - 0.5, 1e-3));
  assert_int_equal(s.contacts, 0);
  uint32_t forwards, backwards;
  double flow, density, speed, first, last;
  uint32_t left;
  assert_true(th_metrics_exit(metrics, "exit", &left, &first, &last)); /* of the two the one that arrived */
  assert_true(left == 1 && near(first, 9.0, 1e-9) && near(last, 9.0, 1e-9));
  assert_true(th_metrics_exit(metrics, "unused", &left, &first, &last));
  assert_true(left == 0 && isnan(first) && isnan(last));
  assert_false(th_metrics_exit(metrics, "none", &left, &first, &last) ||
               th_metrics_exit(metrics, "", &left, &first, &last));
  assert_true(th_metrics_line(metrics, "gate", &forwards, &backwards, &flow));
  assert_int_equal(forwards, 1);
  assert_int_equal(backwards, 1);
  assert_true(near(flow, 1.0 / 1.0, 0.11)); /* at about 5.0 s and 4.0 s */
  assert_true(th_metrics_line(metrics, "short", &forwards, &backwards, &flow));
  assert_int_equal(forwards + backwards, 0);
  assert_false(th_metrics_line(metrics, "none", NULL, NULL, NULL));
  assert_true(th_metrics_area(metrics, "yard", &density, &speed));
  assert_true(near(density, 2.0 * 40.0 / 91.0 / 8.0, 0.005)); /* each inside for 40 of 91 steps, 8 m2 */
  assert_true(near(speed, 1.0, 1e-6));
  double people = -1, peak = 0, when = -1;
  assert_true(th_metrics_area_peak(metrics, "yard", &peak, &when)); /* both are inside from about 3 s on */
  assert_true(near(peak, 2.0 / 8.0, 1e-9) && when > 1.0 && when < 5.0);
  assert_false(th_metrics_area_peak(metrics, "none", &peak, &when));
  assert_true(th_metrics_inside(metrics, "yard", &people));
  assert_true(people == 0); /* both have left it at the end */
  assert_false(th_metrics_inside(metrics, "none", &people));
  th_metrics_free(metrics);
}

static void removal_without_a_goal_is_no_arrival(void **state) {
  (void)state;
  th_metrics *metrics = make(th_default_metrics_def());
  static crowd c;
  place(&c, 0, 1, 1);
  place(&c, 1, 5, 5);
  c.state[1] = TH_AGENT_DELAYED;
  th_agents agents = crowd_agents(&c, 2);
  assert_int_equal(th_metrics_step(metrics, 0, &agents, NULL, 0, NULL), TH_OK);
  assert_int_equal(th_metrics_summary(metrics).agents, 1);
  c.state[1] = TH_AGENT_ARRIVED;
  th_event event = {.kind = TH_EVENT_REMOVED, .agent = c.id[0], .step = 1};
  assert_int_equal(th_metrics_step(metrics, 1, &agents, &event, 1, NULL), TH_OK);
  th_summary s = th_metrics_summary(metrics);
  assert_int_equal(s.agents, 2);
  assert_int_equal(s.arrived, 1);
  c.id[0].generation = 2; /* its row is used again */
  assert_int_equal(th_metrics_step(metrics, 2, &agents, NULL, 0, NULL), TH_OK);
  assert_int_equal(th_metrics_summary(metrics).agents, 3);
  th_metrics_free(metrics);
}

/* A source gives the index of the one who leaves to a newcomer, in the same step. */
static void an_index_used_again_loses_no_arrival(void **state) {
  (void)state;
  th_metrics *metrics = make(th_default_metrics_def());
  static crowd c;
  place(&c, 0, 1, 1);
  th_agents agents = crowd_agents(&c, 1);
  for (uint32_t step = 0; step < 5; step++) {
    th_agent_id left = {1, (uint16_t)step, 0};
    th_event event[2] = {{.kind = TH_EVENT_REMOVED, .agent = left, .goal = {1, 1, 0}, .step = step},
                         {.kind = TH_EVENT_ARRIVED, .agent = left, .goal = {1, 1, 0}, .step = step}};
    c.id[0].generation = (uint16_t)(step + 1);
    assert_int_equal(th_metrics_step(metrics, step, &agents, event, step ? 2 : 0, NULL), TH_OK);
  }
  th_summary s = th_metrics_summary(metrics);
  assert_int_equal(s.agents, 5);
  assert_int_equal(s.arrived, 4);
  assert_true(near(s.arrival_first, 0.1, 1e-9) && near(s.arrival_last, 0.4, 1e-9));
  th_metrics_free(metrics);
}

/* Bodies of 0.25 m pass each other at 0.4 m: they overlap while |dx| < 0.3. */
static void contacts_have_a_length(void **state) {
  (void)state;
  th_metrics *metrics = make(th_default_metrics_def());
  static crowd c;
  for (uint64_t step = 0; step <= 200; step++) {
    float t = 0.01f * (float)step;
    place(&c, 0, -1.0f + t, 0.0f);
    place(&c, 1, 1.0f - t, 0.4f);
    place(&c, 2, 0.0f, 2.0f);
    th_agents agents = crowd_agents(&c, 3);
    assert_int_equal(th_metrics_step(metrics, step, &agents, NULL, 0, NULL), TH_OK);
  }
  th_summary s = th_metrics_summary(metrics);
  assert_int_equal(s.contacts, 1);
  double half = sqrt(0.495 * 0.495 - 0.4 * 0.4); /* overlap of 1 % */
  assert_true(near(s.contact_seconds, 0.1 * half / 0.01, 0.11));
  assert_true(near(s.worst_overlap, 0.2, 1e-3));
  assert_true(near(s.min_distance, -0.1, 1e-3));
  th_metrics_free(metrics);
}

static void walls_are_touched(void **state) {
  (void)state;
  th_metrics *metrics = make(th_default_metrics_def());
  static const th_segment wall[] = {{0, 0, 100, 0}, {100, 0, 100, 50}, {50, 20, 50.5f, 21}};
  assert_int_equal(th_metrics_walls(metrics, wall, 3, NULL), TH_OK);
  static crowd c;
  for (uint64_t step = 0; step <= 100; step++) {
    float t = 0.1f * (float)step;
    place(&c, 0, 30.0f, fabsf(5.0f - t) + 0.1f); /* comes as near as 0.1 m, once */
    place(&c, 1, 99.75f, 10.0f + t);             /* just touches, all the time */
    th_agents agents = crowd_agents(&c, 2);
    assert_int_equal(th_metrics_step(metrics, step, &agents, NULL, 0, NULL), TH_OK);
  }
  th_summary s = th_metrics_summary(metrics);
  assert_int_equal(s.wall_contacts, 1);
  assert_true(near(s.wall_contact_seconds, 0.3, 0.01)); /* y of 0.2, 0.1, 0.2 */
  assert_true(near(s.worst_wall_overlap, 0.6, 1e-4));
  th_metrics_free(metrics);
}

static uint32_t draw(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

static void the_grid_agrees_with_brute_force(void **state) {
  (void)state;
  for (uint32_t first = 1; first <= 20; first++) {
    uint32_t seed = first;
    static crowd c;
    th_metrics *metrics = make(th_default_metrics_def());
    double min = INFINITY, worst = 0.0;
    uint64_t contacts = 0;
    static bool before[CROWD_MAX][CROWD_MAX];
    memset(before, 0, sizeof before);
    uint32_t count = 100 + draw(&seed) % 300;
    for (uint64_t step = 0; step < 5; step++) {
      for (uint32_t i = 0; i < count; i++) {
        place(&c, i, 0.001f * (float)(draw(&seed) % 20000), 0.001f * (float)(draw(&seed) % 15000));
        c.radius[i] = 0.1f + 0.0001f * (float)(draw(&seed) % 4000);
      }
      for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < i; j++) {
          double radii = (double)c.radius[i] + (double)c.radius[j];
          double gap = hypot((double)c.x[i] - (double)c.x[j], (double)c.y[i] - (double)c.y[j]) - radii;
          min = fmin(min, gap), worst = fmax(worst, -gap / radii);
          bool touch = -gap / radii > 0.01;
          contacts += touch && !before[i][j];
          before[i][j] = touch;
        }
      th_agents agents = crowd_agents(&c, count);
      assert_int_equal(th_metrics_step(metrics, step, &agents, NULL, 0, NULL), TH_OK);
    }
    th_summary s = th_metrics_summary(metrics);
    if (!near(s.min_distance, min, 1e-9) || !near(s.worst_overlap, worst, 1e-9) || s.contacts != contacts)
      fail_msg("seed %u: %g %g %llu, brute force %g %g %llu", first, s.min_distance, s.worst_overlap,
               (unsigned long long)s.contacts, min, worst, (unsigned long long)contacts);
    th_metrics_free(metrics);
  }
}

/* Columns of a host that end with the last agent: nothing behind them is read, which sanitizers see. */
static void columns_end_with_the_last_agent(void **state) {
  (void)state;
  enum { COUNT = 3 };
  static crowd c;
  for (uint32_t i = 0; i < COUNT; i++) place(&c, i, (float)i, 0.0f);
  th_agents agents = crowd_agents(&c, COUNT);
  float *radius = malloc(COUNT * sizeof *radius), *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
  assert_true(radius && x && y);
  memcpy(radius, c.radius, COUNT * sizeof *radius);
  memcpy(x, c.x, COUNT * sizeof *x);
  memcpy(y, c.y, COUNT * sizeof *y);
  agents.radius = radius, agents.x = x, agents.y = y;
  th_metrics *metrics = make(th_default_metrics_def());
  assert_int_equal(th_metrics_step(metrics, 0, &agents, NULL, 0, NULL), TH_OK);
  assert_true(near(th_metrics_summary(metrics).min_distance, 0.5, 1e-6));
  th_metrics_free(metrics);
  free(radius), free(x), free(y);
}

static void steps_allocate_nothing_once_warm(void **state) {
  (void)state;
  failing f = {0};
  th_metrics_def def = th_default_metrics_def();
  def.env = failing_env(&f);
  def.sample = 1000.0;
  th_metrics *metrics = make(def);
  static crowd c;
  for (uint32_t i = 0; i < 50; i++) place(&c, i, (float)i, 0.0f);
  th_agents agents = crowd_agents(&c, 50);
  for (uint64_t step = 0; step < 100; step++) {
    if (step == 3) failing_lock(&f);
    for (uint32_t i = 0; i < 50; i++) c.y[i] += 0.01f;
    assert_int_equal(th_metrics_step(metrics, step, &agents, NULL, 0, NULL), TH_OK);
  }
  failing_unlock(&f);
  th_metrics_free(metrics);
  failing_assert_empty(&f);
}

static void wrong_input_is_refused(void **state) {
  (void)state;
  th_metrics *metrics = NULL;
  th_metrics_def def = th_default_metrics_def();
  def.dt = 0.0;
  assert_int_equal(th_metrics_make(&def, &metrics, NULL), TH_ERROR_RANGE);
  def = th_default_metrics_def();
  def.contact = NAN;
  assert_int_equal(th_metrics_make(&def, &metrics, NULL), TH_ERROR_RANGE);
  metrics = make(th_default_metrics_def());
  static crowd c;
  place(&c, 0, INFINITY, 0);
  th_agents agents = crowd_agents(&c, 1);
  th_error error = {0};
  assert_int_equal(th_metrics_step(metrics, 0, &agents, NULL, 0, &error), TH_ERROR_RANGE);
  assert_int_equal(error.element, 0);
  th_metrics_free(metrics);
}

/* A run in which agent i walks i + 1 metres in 1 s. */
static th_result run_once(const th_env *env, uint32_t agents_count, th_metrics **metrics) {
  static crowd c;
  th_metrics_def def = th_default_metrics_def();
  th_measure_line line = {"l", {0.5f, 100}, {0.5f, -1}};
  th_vec2 corner[3] = {{0, -1}, {50, -1}, {0, 50}};
  th_measure_area area = {NULL, corner, 3};
  def.env = *env, def.dt = 1.0;
  def.line = &line, def.line_count = 1, def.area = &area, def.area_count = 1;
  th_result result = th_metrics_make(&def, metrics, NULL);
  for (uint64_t step = 0; step < 2 && result == TH_OK; step++) {
    for (uint32_t i = 0; i < agents_count; i++) place(&c, i, (float)(step * (i + 1)), 0.4f * (float)i);
    th_agents agents = crowd_agents(&c, agents_count);
    result = th_metrics_step(*metrics, step, &agents, NULL, 0, NULL);
  }
  if (result != TH_OK) th_metrics_free(*metrics);
  return result;
}

static double number_at(json_t *object, const char *a, const char *b) {
  json_t *found = json_object_get(json_object_get(object, a), b);
  if (!json_is_number(found)) fail_msg("no number %s.%s", a, b);
  return json_number_value(found);
}

static void a_report_holds_mean_spread_and_interval(void **state) {
  (void)state;
  th_env env = {0};
  th_metrics *run[3];
  uint64_t seed[3] = {4, 5, 6};
  for (uint32_t k = 0; k < 3; k++) assert_int_equal(run_once(&env, 2 * k + 1, &run[k]), TH_OK);
  th_report_def def = {.scene = "walk", .seed = seed, .run = (const th_metrics *const *)run, .run_count = 3};
  def.phase_seconds[TH_PHASE_DECIDE] = 0.5, def.steps = 1000;
  const char *path = "/tmp/throng_test_report.json";
  th_error error = {0};
  assert_int_equal(th_report_write(&def, path, &error), TH_OK);
  json_t *report = json_load_file(path, 0, NULL);
  assert_non_null(report);
  json_t *over = json_object_get(report, "over_seeds"), *runs = json_object_get(report, "runs");
  assert_true(near(number_at(over, "path_mean", "mean"), 2.0, 1e-6)); /* means of 1, 1..3 and 1..5 are 1, 2, 3 */
  assert_true(near(number_at(over, "path_mean", "spread"), 1.0, 1e-6));
  assert_true(near(number_at(over, "path_mean", "interval95"), 4.303 / sqrt(3.0), 1e-6));
  assert_true(number_at(over, "arrival_mean", "runs") == 0.0);
  assert_int_equal(json_array_size(runs), 3);
  assert_int_equal(json_integer_value(json_object_get(json_array_get(runs, 2), "seed")), 6);
  assert_true(json_is_null(json_object_get(json_object_get(json_array_get(runs, 0), "summary"), "arrival_last")));
  json_t *line = json_array_get(json_object_get(json_array_get(runs, 1), "lines"), 0);
  assert_int_equal(json_array_size(json_object_get(line, "times")), 3);
  assert_true(near(number_at(report, "cost", "us_per_step"), 500.0, 1e-6));
  json_decref(report);
  assert_int_equal(th_report_write(&def, "/no/such/folder/report.json", &error), TH_ERROR_FILE);
  assert_int_equal(th_report_write(&def, "/tmp", &error), TH_ERROR_FILE);
  unlink(path);
  for (int k = 0; k < 3; k++) th_metrics_free(run[k]);
}

static th_result run_and_report(const th_env *env, void *context) {
  (void)context;
  th_metrics *metrics = NULL;
  static const th_segment wall[] = {{0, 0, 9, 0}, {9, 0, 9, 9}, {9, 9, 0, 0}};
  th_result result = run_once(env, 8, &metrics);
  if (result != TH_OK) return result;
  char *text = NULL;
  th_report_def def = {.env = *env, .run = (const th_metrics *const *)&metrics, .run_count = 1};
  result = th_metrics_walls(metrics, wall, 3, NULL);
  if (result == TH_OK) result = th_report_text(&def, &text, NULL);
  th_text_free(text);
  th_metrics_free(metrics);
  return result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  assert_true(failing_every(run_and_report, NULL) > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_walk_is_measured),
      cmocka_unit_test(removal_without_a_goal_is_no_arrival),
      cmocka_unit_test(an_index_used_again_loses_no_arrival),
      cmocka_unit_test(contacts_have_a_length),
      cmocka_unit_test(walls_are_touched),
      cmocka_unit_test(the_grid_agrees_with_brute_force),
      cmocka_unit_test(columns_end_with_the_last_agent),
      cmocka_unit_test(steps_allocate_nothing_once_warm),
      cmocka_unit_test(wrong_input_is_refused),
      cmocka_unit_test(a_report_holds_mean_spread_and_interval),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
