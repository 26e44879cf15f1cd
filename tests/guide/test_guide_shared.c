/* tests/guide/test_guide_shared.c - what all agents of a guide share on one version of the ground. */
#include "support/worlds.h"
#include "throng/guide.h"

static int alive, refuse;

typedef struct sheet_params {
  float length;
} sheet_params;

typedef struct sheet {
  uint32_t version;
  float length;
} sheet;

static const th_param sheet_param[] = {
    {"length", TH_PARAM_FLOAT, offsetof(sheet_params, length), "m", 0, 10, 2, "of the sheet", NULL},
};

static th_result sheet_make(const th_env *env, const void *params, const th_ground *ground, void **shared,
                            th_error *error) {
  (void)env;
  if (refuse) {
    *error = (th_error){.code = TH_ERROR_GEOMETRY, .where = "sheet", .text = "no sheet for this ground"};
    return TH_ERROR_GEOMETRY;
  }
  sheet *made = malloc(sizeof *made);
  *made = (sheet){th_ground_version(ground), ((const sheet_params *)params)->length};
  alive++;
  *shared = made;
  return TH_OK;
}

static void sheet_free(const th_env *env, void *shared) {
  (void)env;
  free(shared);
  alive--;
}

static _Atomic uint32_t seen_version;
static float seen_length;

static void sheet_ask(const th_guide_query *query) {
  const sheet *own = query->shared;
  assert_int_equal(own->version, th_ground_version(query->ground));
  seen_version = own->version;
  seen_length = own->length;
}

static void sheet_learn(const th_guide_update *update) {
  assert_int_equal(((const sheet *)update->shared)->version, th_ground_version(update->ground));
  assert_true(update->seed == 1);
}

static const char *sheet_warn(const void *params, const th_ground *ground) {
  (void)ground;
  return ((const sheet_params *)params)->length > 5.0f ? "a long sheet" : NULL;
}

static const th_guide sheets = {.name = "sheets",
                                .summary = "shares a sheet",
                                .param = sheet_param,
                                .param_count = 1,
                                .param_size = sizeof(sheet_params),
                                .ask = sheet_ask,
                                .learn = sheet_learn,
                                .shared_make = sheet_make,
                                .shared_free = sheet_free,
                                .warn = sheet_warn};

static void close_door(th_world *world, bool closed) {
  OK(th_world_edit(world, &(th_edit){.kind = closed ? TH_EDIT_CLOSE : TH_EDIT_OPEN, .name = "west"}, 1, &error));
}

static void shared_data_is_made_for_each_version(void **state) {
  (void)state;
  log_capture log = {0};
  th_env env = worlds_env(&log);
  th_ground *ground = worlds_house(&env);
  th_world_def def = th_default_world_def();
  def.env = env, def.ground = ground, def.latency = 3;
  th_world *world;
  OK(th_world_make(&def, &world, &error));
  th_guide_id first, second;
  OK(th_world_add_guide(world, &sheets, &(sheet_params){6.0f}, &first, &error));
  assert_int_equal(log.warnings, 1);
  th_agent_def agent = worlds_agent_def(2, 2, TH_NULL_GOAL);
  agent.route_count = 0, agent.guide = first;
  worlds_add(world, &agent);
  worlds_steps(world, 1);
  assert_true(seen_version == 1 && seen_length == 6.0f);
  close_door(world, true); /* version 2 is pending */
  assert_int_equal(alive, 2);
  OK(th_world_add_guide(world, &sheets, NULL, &second, &error)); /* comes in between: on both */
  assert_int_equal(alive, 4);
  worlds_steps(world, 1);
  assert_int_equal(seen_version, 1);
  worlds_steps(world, 4);
  assert_int_equal(seen_version, 2);
  assert_int_equal(alive, 2);
  size_t size = th_world_snapshot(world, NULL, 0);
  void *bytes = malloc(size);
  th_world_snapshot(world, bytes, size);
  close_door(world, false);
  worlds_steps(world, 5);
  assert_int_equal(seen_version, 3);
  OK(th_world_restore(world, bytes, size, &error)); /* back to version 2 */
  worlds_steps(world, 1);
  assert_int_equal(seen_version, 2);
  assert_int_equal(alive, 2);
  close_door(world, false);
  th_world_remove_guide(world, second); /* leaves nothing pending either */
  assert_int_equal(alive, 2);
  OK(th_world_add_guide(world, &sheets, NULL, &second, &error));
  worlds_steps(world, 5);
  free(bytes);
  th_world_free(world);
  th_ground_release(ground);
  assert_int_equal(alive, 0);
}

static void a_refusal_changes_nothing(void **state) {
  (void)state;
  th_ground *ground = worlds_house(&(th_env){0});
  th_world *world = worlds_make(ground, &(th_env){0});
  th_guide_id guide;
  refuse = 1;
  REFUSED(world, th_world_add_guide(world, &sheets, NULL, &guide, &error), TH_ERROR_GEOMETRY, "sheet");
  refuse = 0;
  th_error fine;
  assert_int_equal(th_world_add_guide(world, &sheets, NULL, &guide, &fine), TH_OK);
  refuse = 1; /* an edit whose ground the guide cannot serve changes nothing */
  REFUSED(world, th_world_edit(world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error), TH_ERROR_GEOMETRY,
          "sheet");
  refuse = 0;
  worlds_steps(world, 3);
  assert_int_equal(th_ground_version(th_world_ground(world)), 1);
  th_world_free(world);
  th_ground_release(ground);
  assert_int_equal(alive, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shared_data_is_made_for_each_version),
                                     cmocka_unit_test(a_refusal_changes_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
