/* io/scene/choices.c - choices of a scene: their keys, the goals that they name, and as choices of a world.
 *
 * A stop of a route names a goal or a choice, so no name is both. Cost: options times goals.
 */

#include <stdio.h>

#include "io/scene/key_rows.h"
#include "io/scene/read.h"
#include "io/scene/run.h"

/* ---------------------------------------------------------------- keys */

static void option_init(void *object) {
  const th_option initial = th_default_option(TH_NULL_GOAL);
  *(th_scene_option *)object = (th_scene_option){.def = initial, .index = TH_NO_INDEX};
}
static const th_key option_key[] = {
    KEY("goal", TH_KEY_TEXT, th_scene_option, goal, LOW, HIGH, TH_KEY_NEEDED, "", "its name"),
    KEY("width", TH_KEY_FLOAT, th_scene_option, def.width, 0, 1000, 0, "m",
        "through which people leave there; default 0 = the length of its line, 1 m for other shapes"),
    KEY("share", TH_KEY_FLOAT, th_scene_option, def.share, 0, 1e6, 0, "",
        "of the people, against the shares of the other options; default 1"),
    KEY("known", TH_KEY_FLOAT, th_scene_option, def.known, 0, 1, 0, "",
        "part of the people who know of it before they see it; default 1"),
};
static const th_table option = {PLAIN_TABLE("option", "A goal that may be taken.", option_key, th_scene_option), NULL,
                                option_init, NULL};

static const char *const rule_names[] = {"nearest", "shares", "time", NULL};
static const char *const sees_names[] = {"all", "in_sight", NULL};
static void choice_init(void *object) { ((th_scene_choice *)object)->def = th_default_choice_def(); }
static th_result choice_check(th_scene_reader *reader, const json_t *json, void *object) {
  (void)json;
  th_scene_choice *choice = object;
  choice->def.option_count = choice->option_count;
  if (choice->option_count <= TH_MAX_OPTIONS) return TH_OK;
  th_reader_enter(reader, "options");
  return th_reader_fail(reader, TH_ERROR_CAPACITY, false, "expected at most %d options, found %u", TH_MAX_OPTIONS,
                        choice->option_count);
}
#define NUMBER(n, m, lo, hi, u, t) KEY(n, TH_KEY_FLOAT, th_scene_choice, def.m, lo, hi, 0, u, t)
static const th_key choice_key[] = {
    KEY("name", TH_KEY_TEXT, th_scene_choice, name, LOW, HIGH, TH_KEY_NEEDED, "",
        "routes call it by this name, in place of a goal"),
    LIST("options", th_scene_choice, option, option_count, &option, TH_KEY_NEEDED | TH_KEY_FEW,
         "the goals, each once, up to 16"),
    PICK("rule", th_scene_choice, def.rule, rule_names, 0,
         "nearest: the shortest path; shares: whichever is farthest behind its share; time: the least of walking and "
         "queueing; default time"),
    PICK("sees", th_scene_choice, def.sees, sees_names, 0,
         "all: they weigh up all that they know; in_sight: the one that they head for and those in sight; default all"),
    NUMBER("follow", follow, 0, 1, "",
           "how far the wish rises to go where those within 10 m go: part of the cost; default 0"),
    NUMBER("gain", gain, 0, 1, "", "part of the cost by which another option must be better; default 0.1"),
    NUMBER("every", every, 0.1, 1000, "s", "until somebody thinks again; default 2"),
    NUMBER("flow", flow, 0.01, 100, "1/m/s", "people per metre of width and second; default 1.3"),
};
const th_table th_scene_choice_table = {
    PLAIN_TABLE("choice", "Goals of which everybody takes one.", choice_key, th_scene_choice), NULL, choice_init,
    choice_check};

/* ---------------------------------------------------------------- names */

th_result th_scene_choices_link(th_scene_reader *reader, const th_scene *scene, th_scene_choice *choice) {
  const size_t begin = th_reader_enter(reader, "options");
  for (uint32_t i = 0; i < choice->option_count; i++) {
    const size_t mark = th_reader_enter_index(reader, i);
    th_reader_enter(reader, "goal");
    th_result result =
        th_scene_link_name(reader, scene, TH_NAMED_GOAL, choice->option[i].goal, &choice->option[i].index);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  th_reader_back(reader, begin);
  if (!th_scene_link_known(reader, scene, TH_NAMED_GOAL, choice->name)) return TH_OK;
  th_reader_enter(reader, "name");
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a name that no goal has, found \"%.60s\" again",
                        choice->name);
}

/* ---------------------------------------------------------------- in a world */

th_choice_def th_run_choices_def(const th_run *run, const th_scene_choice *choice) {
  th_choice_def def = choice->def;
  for (uint32_t i = 0; i < choice->option_count; i++) {
    def.option[i] = choice->option[i].def;
    def.option[i].goal = th_run_goal_at(run, choice->option[i].index);
  }
  return def;
}

th_result th_run_choices_add(th_run *run, th_error *error) {
  for (uint32_t i = 0; i < run->scene->choice_count; i++) {
    th_error found = {0};
    const th_choice_def def = th_run_choices_def(run, &run->scene->choice[i]);
    th_choice_id id;
    th_result result = th_world_add_choice(run->world, &def, &id, &found);
    if (result == TH_OK) run->list[TH_NAMED_CHOICE].item[i].id = TH_ID(id);
    if (result == TH_OK) continue;
    char pointer[48];
    snprintf(pointer, sizeof pointer, "/choices/%u", i);
    return th_scene_fail(run->scene, error, found.code ? found.code : result, pointer, "%s: %s", found.where,
                         found.text);
  }
  return TH_OK;
}
