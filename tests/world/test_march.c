/* tests/world/test_march.c - formations travel: round bends, through doors, on flat ground and on hills; friends wait.
 */
#include "support/parades.h"
#include "support/slow.h"
#include "throng/guide.h"

/* ---------------------------------------------------------------- a wedge of fifty */

typedef struct wedge_run {
  double off;          /* mean distance from posts before the door, over time [m] */
  double last, formed; /* when the last one was through the door, when the shape was whole again [s] */
  uint32_t files;      /* most that were in the door at a time */
  uint32_t arrived;
} wedge_run;

typedef struct wedge_seen {
  uint32_t through, in_door, arrived;
  float first;
} wedge_seen;

static wedge_seen look(const parade *p) {
  wedge_seen s = {0};
  for (int i = 0; i < PARADE_SIZE; i++) {
    const th_vec3 at = th_world_agent_point(p->world, p->agent[i]);
    s.through += at.x > 40.2f && at.y > PARADE_DOOR;
    s.in_door += at.x > 40.2f && at.y > 45.0f && at.y < PARADE_DOOR;
    s.arrived += th_world_agent_state(p->world, p->agent[i]) == TH_AGENT_ARRIVED;
    if (at.x > 40.2f) s.first = fmaxf(s.first, at.y);
  }
  return s;
}

static wedge_run march(const th_model *model, bool hills) {
  parade p;
  wedge_run run = {.last = -1, .formed = -1};
  double sum = 0.0;
  uint32_t count = 0;
  parade_begin(&p, model, hills, 1);
  parade_form(&p, TH_FORMATION_WEDGE);
  for (int step = 0; step < 4000 && run.arrived < PARADE_SIZE; step++) {
    worlds_steps(p.world, 1);
    const wedge_seen s = look(&p);
    const double off = parade_off(&p), now = th_world_time(p.world);
    if (now > 15.0 && s.first < 30.0f) sum += off, count++; /* it has formed, and the door is far */
    if (s.in_door > run.files) run.files = s.in_door;
    if (s.through == PARADE_SIZE && run.last < 0) run.last = now;
    if (run.last >= 0 && run.formed < 0 && off < 0.5 && parade_odd(&p) < 0.3f) run.formed = now;
    run.arrived = s.arrived;
  }
  run.off = sum / count;
  parade_end(&p);
  return run;
}

static void check_wedge(const th_model *model, bool hills) {
  const wedge_run run = march(model, hills);
  printf("%s, %s: %.2f m off; through at %.1f s, formed %.1f s later; at most %u in the door\n", model->name,
         hills ? "hills" : "flat", run.off, run.last, run.formed - run.last, run.files);
  assert_true(run.off < 0.5);
  assert_true(run.last > 0.0 && run.formed >= run.last && run.formed < run.last + 10.0);
  assert_true(run.files <= 4); /* it is thin there: two files of it, in 0.6 m */
  assert_int_equal(run.arrived, PARADE_SIZE);
}

static void wedges_turn_and_pass_a_door(void **state) {
  (void)state;
  check_wedge(&th_model_orca, false);
  if (SLOW_BUILD) return;
  check_wedge(&th_model_bvp, false);
  check_wedge(&th_model_steering, false);
  check_wedge(&th_model_biocrowds, false);
}

static void wedges_travel_over_hills(void **state) {
  (void)state;
  if (SLOW_BUILD) return;
  check_wedge(&th_model_orca, true);
  check_wedge(&th_model_bvp, true);
}

/* ---------------------------------------------------------------- what it costs nobody else */

/* Any number of workers gives the same bits; a snapshot holds all of a march; a group without formation hashes as
 * before. */
static void marches_are_state(void **state) {
  (void)state;
  parade a, b;
  parade_begin(&a, &th_model_orca, false, 1);
  parade_begin(&b, &th_model_orca, false, 3);
  parade_form(&a, TH_FORMATION_GRID);
  parade_form(&b, TH_FORMATION_GRID);
  worlds_steps(a.world, 40);
  worlds_steps(b.world, 40);
  assert_true(th_world_hash(a.world) == th_world_hash(b.world));
  assert_true(worlds_again(a.world, 25) != 0);
  parade_end(&b);
  parade_end(&a);
}

static void nobody_changes_posts_on_the_way(void **state) {
  (void)state;
  parade p;
  parade_begin(&p, &th_model_orca, false, 1);
  parade_form(&p, TH_FORMATION_WEDGE);
  worlds_steps(p.world, 5);
  th_agent_id holder[PARADE_SIZE];
  const th_marching *march = &p.world->groups.group[0].march;
  for (int i = 0; i < PARADE_SIZE; i++) holder[i] = march->holder[i].agent;
  worlds_steps(p.world, 300);
  for (int i = 0; i < PARADE_SIZE; i++) assert_true(th_same_agent(holder[i], march->holder[i].agent));
  parade_end(&p);
}

static void leaders_get_the_first_post(void **state) {
  (void)state;
  parade p;
  parade_begin(&p, &th_model_orca, false, 1);
  th_group_def group = th_default_group_def();
  group.formation.kind = TH_FORMATION_WEDGE, group.leader = p.agent[40];
  OK(th_world_add_group(p.world, &group, p.agent, PARADE_SIZE, &p.group, &error));
  worlds_steps(p.world, 5);
  assert_int_equal(p.world->groups.group[0].march.holder[0].agent.index, p.agent[40].index);
  parade_end(&p);
}

static void bad_formations_change_nothing(void **state) {
  (void)state;
  parade p;
  parade_begin(&p, &th_model_orca, false, 1);
  parade_form(&p, TH_FORMATION_COLUMN);
  worlds_steps(p.world, 10);
  const th_vec2 point[3] = {{0, 0}, {1, 0}, {NAN, 0}};
  th_group_def def = th_default_group_def();
  def.formation = (th_formation){.kind = 77};
  REFUSED(p.world, th_world_change_group(p.world, p.group, &def, &error), TH_ERROR_RANGE, "formation");
  def.formation = (th_formation){.kind = TH_FORMATION_POINTS, .point = point, .point_count = 2};
  REFUSED(p.world, th_world_change_group(p.world, p.group, &def, &error), TH_ERROR_CAPACITY, "formation");
  def.formation.point_count = 3;
  REFUSED(p.world, th_world_change_group(p.world, p.group, &def, &error), TH_ERROR_RANGE, "formation");
  def.formation = (th_formation){.kind = TH_FORMATION_OUTLINE, .point = point, .point_count = 2};
  REFUSED(p.world, th_world_change_group(p.world, p.group, &def, &error), TH_ERROR_RANGE, "formation");
  def.formation = (th_formation){.kind = TH_FORMATION_LINE, .spacing = -1};
  REFUSED(p.world, th_world_change_group(p.world, p.group, &def, &error), TH_ERROR_RANGE, "spacing");
  def.formation = (th_formation){.kind = TH_FORMATION_LINE};
  def.align = TH_ALIGN_BOTH;
  REFUSED(p.world, th_world_change_group(p.world, p.group, &def, &error), TH_ERROR_STATE, "formation");
  worlds_steps(p.world, 10);
  assert_true(th_world_group_def(p.world, p.group, &def) && def.formation.kind == TH_FORMATION_COLUMN);
  parade_end(&p);
}

/* Who leaves leaves a gap; who joins is an order, on which all get posts. */
static void members_come_and_go(void **state) {
  (void)state;
  parade p;
  th_vec3 post;
  parade_begin(&p, &th_model_orca, false, 1);
  th_group_def def = th_default_group_def();
  def.formation.kind = TH_FORMATION_GRID;
  OK(th_world_add_group(p.world, &def, p.agent, 30, &p.group, &error));
  worlds_steps(p.world, 20);
  assert_true(th_world_agent_post(p.world, p.agent[3], &post));
  assert_false(th_world_agent_post(p.world, p.agent[30], &post));
  th_world_remove_agent(p.world, p.agent[3]);
  OK(th_world_leave_group(p.world, p.agent[4], &error));
  worlds_steps(p.world, 20);
  assert_false(th_world_agent_post(p.world, p.agent[4], &post));
  OK(th_world_join_group(p.world, p.group, p.agent + 30, 20, &error));
  worlds_steps(p.world, 200);
  for (int i = 5; i < PARADE_SIZE; i++) assert_true(th_world_agent_post(p.world, p.agent[i], &post));
  assert_true(parade_off(&p) < 0.5);
  def.formation.kind = TH_FORMATION_NONE;
  OK(th_world_change_group(p.world, p.group, &def, &error));
  worlds_steps(p.world, 2);
  assert_false(th_world_agent_post(p.world, p.agent[7], &post));
  th_world_remove_group(p.world, p.group);
  worlds_steps(p.world, 2);
  parade_end(&p);
}

/* A drawn path is a guide as any other: the front follows it, members walk in their posts, and stop in them at its end.
 */
static void formations_follow_a_drawn_path(void **state) {
  (void)state;
  static const th_vec3 point[] = {{12, 8, 0}, {30, 6, 0}, {55, 10, 0}, {70, 30, 0}};
  parade p;
  th_guide_id guide;
  parade_begin(&p, &th_model_orca, false, 1);
  th_path_params path = th_default_path_params();
  path.point = point, path.count = 4;
  OK(th_world_add_guide(p.world, &th_guide_path, &path, &guide, &error));
  for (int i = 0; i < PARADE_SIZE; i++) {
    OK(th_world_set_route(p.world, p.agent[i], NULL, 0, 0, &error));
    OK(th_world_set_guide(p.world, p.agent[i], guide, &error));
  }
  parade_form(&p, TH_FORMATION_GRID);
  worlds_steps(p.world, 400);
  assert_true(parade_off(&p) < 0.5);
  worlds_steps(p.world, 500);
  for (int i = 0; i < PARADE_SIZE; i++) {
    const th_vec3 at = th_world_agent_point(p.world, p.agent[i]);
    assert_int_equal(th_world_agent_state(p.world, p.agent[i]), TH_AGENT_ARRIVED);
    assert_true(hypotf(at.x - 70, at.y - 30) < 13.0f); /* its grid is 8 m x 7 m behind the end */
  }
  parade_end(&p);
}

/* Each of these was used as an index, or led members to it. */
static void marches_that_cannot_be_are_refused(void **state) {
  (void)state;
  parade p;
  parade_begin(&p, &th_model_orca, true, 1);
  parade_form(&p, TH_FORMATION_WEDGE);
  worlds_steps(p.world, 20);
  th_marching *march = &p.world->groups.group[p.group.index - 1].march;
  assert_true(march->numbers.begun && march->numbers.end > march->numbers.first);
  worlds_saved one = worlds_save(p.world);
  OK(th_world_restore(p.world, one.memory, one.size, &error));
  free(one.memory);
  march = &p.world->groups.group[p.group.index - 1].march; /* the restored one */
  th_trail_sample *sample = &march->trail[march->numbers.first & (march->numbers.samples - 1)];
#define WRONG(at, value)                                                                                    \
  do {                                                                                                      \
    const __typeof__(at) held = at;                                                                         \
    at = (__typeof__(at))(value);                                                                           \
    one = worlds_save(p.world);                                                                             \
    at = held;                                                                                              \
    REFUSED(p.world, th_world_restore(p.world, one.memory, one.size, &error), TH_ERROR_FORMAT, "snapshot"); \
    free(one.memory);                                                                                       \
  } while (0)
  WRONG(sample->place.cell, 10000000);
  WRONG(sample->place.x, NAN);
  WRONG(sample->at.z, INFINITY);
  WRONG(march->holder[3].at.x, NAN);
  WRONG(march->post[2].depth, 1e30f);
  WRONG(march->numbers.front, NAN);
  WRONG(march->numbers.kind, 99);
  WRONG(march->numbers.first, march->numbers.end + 1);
#undef WRONG
  worlds_steps(p.world, 5);
  parade_end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(marches_that_cannot_be_are_refused), cmocka_unit_test(wedges_turn_and_pass_a_door),
      cmocka_unit_test(wedges_travel_over_hills),           cmocka_unit_test(marches_are_state),
      cmocka_unit_test(nobody_changes_posts_on_the_way),    cmocka_unit_test(leaders_get_the_first_post),
      cmocka_unit_test(bad_formations_change_nothing),      cmocka_unit_test(members_come_and_go),
      cmocka_unit_test(formations_follow_a_drawn_path)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
