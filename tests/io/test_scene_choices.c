/* tests/io/test_scene_choices.c - choices of scenes: names, routes, events, and what is written again. */
#include "support/scene_runs.h"
#include "throng/world/choice.h"

static const char hall[] =
    "{\n"
    "  \"version\": 1, \"name\": \"hall\", \"duration\": 60,\n"
    "  \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}]},\n"
    "  \"goals\": [{\"name\": \"west\", \"line\": [[1, 3], [1, 7]]}, {\"name\": \"east\", \"point\": [19, 5]}],\n"
    "  \"choices\": [{\"name\": \"exits\", \"rule\": \"shares\", \"sees\": \"in_sight\", \"gain\": 0.2, \"every\": 1,\n"
    "    \"follow\": 0.3, \"flow\": 1.5, \"options\": [{\"goal\": \"west\", \"share\": 1, \"width\": 1.5},\n"
    "    {\"goal\": \"east\", \"share\": 3, \"known\": 0.5}]}],\n"
    "  \"populations\": [{\"name\": \"people\", \"count\": 8, \"region\": {\"rectangle\": [[7, 2], [13, 8]]},\n"
    "    \"route\": [\"exits\"]}]%s\n"
    "}\n";

static uint32_t heading_for(const scene_run *f, uint32_t goal) {
  const th_world *world = th_run_world(f->run);
  const th_agents agents = th_world_agents(world);
  uint32_t count = 0;
  for (uint32_t i = 0; i < agents.count; i++) {
    th_agent_def def;
    assert_true(th_world_agent_def(world, agents.id[i], &def));
    count += def.route[0].goal.index == goal;
  }
  return count;
}

static void a_scene_has_choices(void **state) {
  (void)state;
  scene_run f = scene_run_make(hall, "", (th_run_def){.seed = 0});
  const th_world *world = th_run_world(f.run);
  th_choice_id id;
  th_choice_def def;
  assert_true(th_world_choices(world, &id, 1) == 1 && th_world_choice_def(world, id, &def));
  assert_true(def.rule == TH_CHOICE_SHARES && def.sees == TH_CHOICE_SEES_IN_SIGHT && def.option_count == 2);
  assert_true(def.gain == 0.2f && def.every == 1.0f && def.follow == 0.3f && def.flow == 1.5f);
  assert_true(def.option[0].width == 1.5f && def.option[0].known == 1.0f && def.option[1].share == 3.0f);
  assert_true(def.option[1].known == 0.5f && def.option[1].width == 0.0f && def.option[1].goal.index == 2);
  scene_run_to(&f, 0.5);
  assert_int_equal(heading_for(&f, 1), 2);
  assert_int_equal(heading_for(&f, 2), 6);
  scene_run_free(&f);
}

static void events_change_choices(void **state) {
  (void)state;
  scene_run f = scene_run_make(
      hall,
      ", \"events\": [{\"at\": 1, \"choice\": {\"name\": \"exits\", \"rule\": \"nearest\", \"options\": [{\"goal\":"
      " \"west\"}]}}, {\"at\": 2, \"choice\": {\"name\": \"back\", \"options\": [{\"goal\": \"east\"}]}},"
      " {\"at\": 2, \"change\": {\"population\": \"people\", \"route\": [\"back\"]}},"
      " {\"at\": 3, \"remove_choice\": \"back\"}]",
      (th_run_def){.seed = 0});
  const th_world *world = th_run_world(f.run);
  scene_run_to(&f, 1.5);
  assert_int_equal(heading_for(&f, 1), 8);
  scene_run_to(&f, 2.5);
  assert_int_equal(heading_for(&f, 2), 8);
  assert_int_equal(th_world_choices(world, NULL, 0), 2);
  scene_run_to(&f, 3.5);
  assert_int_equal(heading_for(&f, 2), 8);
  assert_int_equal(th_world_choices(world, NULL, 0), 1);
  scene_run_free(&f);
}

static void refused(const char *part, const char *text) {
  scene_run f;
  th_error error = {0};
  assert_int_not_equal(scene_run_try(hall, part, (th_run_def){.seed = 0}, &f, &error), TH_OK);
  if (!strstr(error.text, text)) fail_msg("%s: %s", part, error.text);
}

#define EVENT(choice) ", \"events\": [{\"at\": 1, \"choice\": " choice "}]"

static void wrong_choices_are_told(void **state) {
  (void)state;
  refused(EVENT("{\"name\": \"x\", \"options\": [{\"goal\": \"wset\"}]}"), "did you mean \"west\"?");
  refused(EVENT("{\"name\": \"x\", \"options\": []}"), "an empty list");
  refused(EVENT("{\"name\": \"x\", \"options\": [{\"goal\": \"east\"}], \"rule\": \"fastest\"}"), "one of \"nearest\"");
  refused(EVENT("{\"name\": \"x\", \"options\": [{\"goal\": \"east\", \"known\": 2}]}"), "from 0 to 1");
  refused(EVENT("{\"name\": \"west\", \"options\": [{\"goal\": \"east\"}]}"), "that no goal has");
  refused(", \"expect\": {\"left_by\": {\"north\": 3}}", "the name of a goal");
  refused(", \"events\": [{\"at\": 1, \"goal\": {\"name\": \"exits\", \"point\": [5, 5]}}]", "that no goal has");
  refused(", \"events\": [{\"at\": 1, \"remove_choice\": \"exit\"}]", "did you mean \"exits\"?");
}

static void a_written_scene_is_the_same(void **state) {
  (void)state;
  scene_run f = scene_run_make(hall, "", (th_run_def){.seed = 0});
  const th_scene_write_def write = th_default_scene_write_def();
  char *once = NULL, *twice = NULL;
  th_scene *again = NULL;
  th_error error = {0};
  assert_int_equal(th_scene_write(f.scene, &write, &once, &error), TH_OK);
  assert_non_null(strstr(once, "\"choices\""));
  if (th_scene_parse(once, strlen(once), &again, &error)) fail_msg("%s", error.text);
  assert_int_equal(th_scene_write(again, &write, &twice, &error), TH_OK);
  assert_string_equal(once, twice);
  th_text_free(once), th_text_free(twice);
  th_scene_free(again);
  scene_run_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_has_choices),
      cmocka_unit_test(events_change_choices),
      cmocka_unit_test(wrong_choices_are_told),
      cmocka_unit_test(a_written_scene_is_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
