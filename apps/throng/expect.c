/* apps/throng/expect.c - compares a scene's expectations with the results of a run.
 *
 * A value that was not measured (no agent arrived or crossed) meets no expectation.
 */
#include <math.h>
#include <stdio.h>

#include "cli.h"

typedef struct list {
  th_check *check;
  uint32_t count, capacity;
} list;

static void test(list *all, const char *name, const th_range *range, double value) {
  if (!range->given || all->count == all->capacity) return;
  th_check *check = &all->check[all->count++];
  snprintf(check->name, sizeof check->name, "%s", name);
  check->value = value;
  check->min = range->min;
  check->max = range->max;
  /* both limits are meant as written: a value printed as 0.1 must meet 0.1 */
  double slack = 1e-9 * fmax(1, fabs(value));
  check->good = value >= range->min - slack && value <= range->max + slack;
}

static void test_named(list *all, const th_scene_expect *e, const th_metrics *metrics) {
  char name[80];
  uint32_t forwards = 0, backwards = 0;
  double flow, density, speed;
  for (uint32_t i = 0; i < e->flow_count; i++) {
    flow = NAN;
    th_metrics_line(metrics, e->flow[i].name, &forwards, &backwards, &flow);
    snprintf(name, sizeof name, "flow.%s", e->flow[i].name);
    test(all, name, &e->flow[i].range, flow);
  }
  for (uint32_t i = 0; i < e->count_count; i++) {
    bool there = th_metrics_line(metrics, e->count[i].name, &forwards, &backwards, &flow);
    snprintf(name, sizeof name, "count.%s", e->count[i].name);
    test(all, name, &e->count[i].range, there ? (double)forwards + (double)backwards : NAN);
  }
  for (uint32_t i = 0; i < e->density_count; i++) {
    density = NAN;
    th_metrics_area(metrics, e->density[i].name, &density, &speed);
    snprintf(name, sizeof name, "density.%s", e->density[i].name);
    test(all, name, &e->density[i].range, density);
  }
  for (uint32_t i = 0; i < e->inside_count; i++) {
    double people = NAN;
    th_metrics_inside(metrics, e->inside[i].name, &people);
    snprintf(name, sizeof name, "inside.%s", e->inside[i].name);
    test(all, name, &e->inside[i].range, people);
  }
}

static void test_exits(list *all, const th_scene_expect *e, const th_metrics *metrics) {
  char name[80];
  uint32_t arrived;
  double first, last;
  for (uint32_t i = 0; i < e->left_by_count; i++) {
    const bool there = th_metrics_exit(metrics, e->left_by[i].name, &arrived, &first, &last);
    snprintf(name, sizeof name, "left_by.%s", e->left_by[i].name);
    test(all, name, &e->left_by[i].range, there ? (double)arrived : NAN);
  }
  for (uint32_t i = 0; i < e->last_by_count; i++) {
    (void)th_metrics_exit(metrics, e->last_by[i].name, &arrived, &first, &last);
    snprintf(name, sizeof name, "last_by.%s", e->last_by[i].name);
    test(all, name, &e->last_by[i].range, last);
  }
}

static void test_groups(list *all, const th_scene_expect *e, const th_group_fit *fit) {
  char name[80];
  for (uint32_t i = 0; i < e->outside_count; i++) {
    snprintf(name, sizeof name, "outside.%s", e->outside[i].name);
    test(all, name, &e->outside[i].range, fit[e->outside[i].index].outside);
  }
  for (uint32_t i = 0; i < e->off_post_count; i++) {
    snprintf(name, sizeof name, "off_post.%s", e->off_post[i].name);
    test(all, name, &e->off_post[i].range, fit[e->off_post[i].index].off_post);
  }
  for (uint32_t i = 0; i < e->askew_count; i++) {
    snprintf(name, sizeof name, "askew.%s", e->askew[i].name);
    test(all, name, &e->askew[i].range, fit[e->askew[i].index].askew);
  }
}

uint32_t th_cli_expect(const th_scene *scene, const th_measured *found, th_check *check, uint32_t capacity) {
  const th_scene_expect *e = &scene->expect;
  th_summary s = th_metrics_summary(found->metrics);
  list all = {check, 0, capacity};
  test(&all, "agents", &e->agents, s.agents);
  test(&all, "arrived", &e->arrived, s.arrived);
  test(&all, "lost", &e->lost, s.lost);
  test(&all, "stuck", &e->stuck, s.stuck);
  test(&all, "queued", &e->queued, s.queued);
  test(&all, "time", &e->time, s.arrival_last);
  test(&all, "mean_time", &e->mean_time, s.arrival_mean);
  test(&all, "mean_speed", &e->mean_speed, s.speed_mean);
  test(&all, "wall_contacts", &e->wall_contacts, (double)s.wall_contacts);
  test(&all, "worst_wall_overlap", &e->worst_wall_overlap, s.worst_wall_overlap);
  test(&all, "contacts", &e->contacts, (double)s.contacts);
  test(&all, "worst_overlap", &e->worst_overlap, s.worst_overlap);
  test(&all, "worst_full_overlap", &e->worst_full_overlap, s.worst_full_overlap);
  test(&all, "narrowed_free", &e->narrowed_free, s.narrowed_free);
  test(&all, "min_distance", &e->min_distance, s.min_distance);
  test_named(&all, e, found->metrics);
  test_exits(&all, e, found->metrics);
  test_groups(&all, e, found->fit);
  return all.count;
}

json_t *th_cli_expect_json(const th_check *check, uint32_t count) {
  json_t *rows = json_array();
  for (uint32_t i = 0; i < count; i++) {
    json_t *row = json_pack("{s:s, s:b}", "name", check[i].name, "good", (int)check[i].good);
    json_object_set_new(row, "value", isfinite(check[i].value) ? json_real(check[i].value) : json_null());
    if (isfinite(check[i].min)) json_object_set_new(row, "min", json_real(check[i].min));
    if (isfinite(check[i].max)) json_object_set_new(row, "max", json_real(check[i].max));
    json_array_append_new(rows, row);
  }
  return rows;
}
