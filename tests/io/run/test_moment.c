/* tests/io/run/test_moment.c - the world as it stands is written as the beginning of a new scene.
 *
 * The new scene follows the schema, and its world begins where the old one stood: the same agents at the same places
 * with the same velocities, headings, members and stops, among the same things. Where nothing is remembered (bare
 * bodies that follow) both go on alike. All scenes of the repository and worlds after random events are
 * taken over; what is lost is told.
 */
#include <dirent.h>
#include <math.h>

#include "support/allocator.h"
#include "support/folder.h"
#include "support/random_events.h"
#include "support/schema.h"
#include "support/slow.h"
#include "throng/model.h"
#include "throng/watch.h"

static json_t *schema;
static char room[1 << 16];

/* The new scene, and what is lost. */
static scene_run moment_of(const th_run *run, const char *name, char **text, char **lost) {
  th_scene_write_def def = th_default_scene_write_def();
  th_error error = {0};
  scene_run next = {0};
  char place[128];
  snprintf(place, sizeof place, "%s/moved.json", folder);
  def.path = place;
  if (th_run_write_moment(run, &def, text, lost, &error)) fail_msg("%s: %s: %s", name, error.where, error.text);
  json_t *root = json_loads(*text, JSON_REJECT_DUPLICATES, NULL);
  if (!schema_valid(schema, schema, root)) fail_msg("%s does not follow the schema:\n%s", name, *text);
  json_decref(root);
  const th_scene_def from = {.path = place, .text = *text, .length = strlen(*text)};
  if (th_scene_make(&from, &next.scene, &error)) fail_msg("%s: %u: %s\n%s", name, error.line, error.text, *text);
  if (th_run_make(&(th_run_def){.scene = next.scene}, &next.run, &error))
    fail_msg("%s: %s: %s\n%s", name, error.where, error.text, *text);
  return next;
}

static scene_run take_over(const th_run *run, const char *name) {
  char *text, *lost;
  scene_run next = moment_of(run, name, &text, &lost);
  th_text_free(text);
  th_text_free(lost);
  return next;
}

/* ---------------------------------------------------------------- the same agents */

static bool near(th_vec3 a, th_vec3 b, float within) {
  return fabsf(a.x - b.x) <= within && fabsf(a.y - b.y) <= within && fabsf(a.z - b.z) <= within;
}

/* Agents of a moment count by population, those of no population last: here by population and id. */
typedef struct known {
  th_agent_id id;
  uint32_t population, group, order;
} known;

static int by_order(const void *a, const void *b) {
  const known *p = a, *q = b;
  if (p->population != q->population) return p->population < q->population ? -1 : 1;
  if (p->group != q->group) return p->group < q->group ? -1 : 1;
  return (p->order > q->order) - (p->order < q->order);
}

static known *all_of(const th_run *run, bool fresh) {
  th_world *world = th_run_world((th_run *)(uintptr_t)run);
  const th_agents agents = th_world_agents(world);
  known *list = calloc(agents.count + 1, sizeof *list);
  assert_non_null(list);
  for (uint32_t row = 0; row < agents.count; row++) {
    const th_agent_id id = agents.id[row];
    list[row] = (known){id, 0, 0, id.index};
    if (!fresh) list[row].population = th_run_population(run, id);
    if (!fresh) list[row].group = th_world_agent_group(world, id).index;
  }
  if (agents.count) qsort(list, agents.count, sizeof *list, by_order);
  return list;
}

static void assert_same_agent(const th_world *a, th_agent_id p, const th_world *b, th_agent_id q, const char *name) {
  const bool flat = !th_ground_mesh(th_world_ground(a));
  th_agent_def one, other;
  assert_true(th_world_agent_def(a, p, &one) && th_world_agent_def(b, q, &other));
  const float within = flat ? 0.0f : 1e-3f;
  if (!near(one.point, other.point, within))
    fail_msg("%s: agent %u is at %g %g %g, was at %g %g %g", name, q.index, (double)other.point.x,
             (double)other.point.y, (double)other.point.z, (double)one.point.x, (double)one.point.y,
             (double)one.point.z);
  const th_vec3 v = th_world_agent_velocity(a, p), w = th_world_agent_velocity(b, q);
  if (!near(v, w, flat ? 0.0f : 0.02f))
    fail_msg("%s: agent %u has the velocity %g %g %g, had %g %g %g", name, q.index, (double)w.x, (double)w.y,
             (double)w.z, (double)v.x, (double)v.y, (double)v.z);
  assert_true(one.speed == other.speed && one.radius == other.radius && one.height == other.height);
  assert_true(one.speed_max == other.speed_max && one.share == other.share && one.eps == other.eps);
  assert_true(one.layers == other.layers && one.avoids == other.avoids && one.external == other.external);
  assert_true(one.loop == other.loop && one.remove == other.remove && one.collide == other.collide);
  assert_true(!one.people == !other.people);
  if (one.people) assert_memory_equal(one.people, other.people, sizeof *one.people);
  if (!(one.model->needs && one.model->needs(one.params))) assert_ptr_equal(one.model, other.model);
}

static void assert_same_agents(const th_run *run, const th_run *next, const char *name) {
  th_world *a = th_run_world((th_run *)(uintptr_t)run), *b = th_run_world((th_run *)(uintptr_t)next);
  const uint32_t count = th_world_agents(a).count;
  if (th_world_agents(b).count != count)
    fail_msg("%s: %u agents, there were %u", name, th_world_agents(b).count, count);
  known *old = all_of(run, false), *new = all_of(next, true);
  for (uint32_t i = 0; i < count; i++) assert_same_agent(a, old[i].id, b, new[i].id, name);
  free(old);
  free(new);
}

/* ---------------------------------------------------------------- all scenes */

static void go(th_run *run, int steps, const char *name) {
  th_error error = {0};
  for (int i = 0; i < steps && !th_run_done(run); i++)
    if (th_run_step(run, &error)) fail_msg("%s: %s", name, error.text);
}

static void check_scene(const char *file) {
  scene_run s = {0};
  th_error error = {0};
  if (th_scene_load(file, &s.scene, &error)) fail_msg("%s: %s", error.where, error.text);
  if (th_run_make(&(th_run_def){.scene = s.scene}, &s.run, &error)) fail_msg("%s: %s", error.where, error.text);
  go(s.run, LONG_RUN(20, 4), file);
  scene_run next = take_over(s.run, file);
  if (!th_world_has_group(th_run_world(s.run), (th_group_id){1, 0, 0})) assert_same_agents(s.run, next.run, file);
  go(next.run, 3, file);
  scene_run_free(&next);
  scene_run_free(&s);
}

static uint32_t try_folder(const char *path) {
  DIR *list = opendir(path);
  uint32_t count = 0;
  assert_non_null(list);
  for (struct dirent *entry; (entry = readdir(list));) {
    const size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".json") || !strcmp(entry->d_name, "schema.json")) continue;
    char file[400];
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    if (count++ % LONG_RUN(2, 16) == 0) check_scene(file);
  }
  closedir(list);
  return count;
}

static void scenes_go_on_as_new_ones(void **state) {
  (void)state;
  static const char *const path[] = {"scenes", "scenes/steering", "scenes/biocrowds", TH_MATRIX};
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof path / sizeof *path; i++) count += try_folder(path[i]);
  assert_true(count >= 200);
}

/* ---------------------------------------------------------------- the same bits */

#define WALKERS                                                                                                    \
  "{\"version\": 1, \"name\": \"walkers\", \"duration\": 60, \"people\": false, \"ground\": {\"outline\": "        \
  "[{\"rectangle\": [[0, 0], [30, 10]]}], \"doors\": [{\"name\": \"gate\", \"rectangle\": [[20, 0], [20.5, 4]]}]," \
  " \"obstacles\": [{\"name\": \"desk\", \"disc\": {\"centre\": [15, 5], \"radius\": 1}}]}, \"goals\": ["          \
  "{\"name\": \"a\", \"point\": [12, 5]}, {\"name\": \"b\", \"point\": [28, 5]}], \"populations\": ["              \
  "{\"name\": \"p\", \"count\": 12, \"region\": {\"rectangle\": [[1, 1], [9, 9]]}, \"model\": \"follow\","         \
  " \"speed\": {\"mean\": 1.3, \"spread\": 0.2}, \"radius\": {\"from\": 0.2, \"to\": 0.3}, \"premovement\":"       \
  " {\"from\": 0, \"to\": 8}, \"route\": [\"a\", \"b\"], \"remove\": false}], \"events\": [{\"at\": 12, \"move\":" \
  " {\"goal\": \"b\", \"point\": [27, 8]}}, {\"step\": 90, \"close\": \"gate\"} %s]}"

/* The farthest that two of the same index are from each other after some steps. */
static float apart_after(scene_run *s, scene_run *next, int steps) {
  th_world *a = th_run_world(s->run), *b = th_run_world(next->run);
  float farthest = 0.0f;
  go(s->run, steps, "walkers");
  go(next->run, steps, "walkers");
  const th_agents agents = th_world_agents(a);
  for (uint32_t row = 0; row < agents.count; row++) {
    const th_vec3 p = th_world_agent_point(a, agents.id[row]), q = th_world_agent_point(b, agents.id[row]);
    farthest = fmaxf(farthest, hypotf(p.x - q.x, p.y - q.y));
  }
  return farthest;
}

/* What is not taken over is what rounding and contact have left between walked and wanted: a part of a millimetre. */
static void bodies_without_memory_walk_on_as_before(void **state) {
  (void)state;
  scene_run s = scene_run_make(WALKERS, "", (th_run_def){.seed = 5});
  go(s.run, 70, "walkers");
  char *text, *lost;
  scene_run next = moment_of(s.run, "walkers", &text, &lost);
  assert_string_equal(lost, "");
  assert_non_null(strstr(text, "{\"at\": 5, \"move\": {\"goal\": \"b\", \"point\": [27, 8]}}"));
  assert_non_null(strstr(text, "{\"step\": 20, \"close\": \"gate\"}"));
  assert_non_null(strstr(text, "\"stop\": 1"));
  assert_non_null(strstr(text, "\"seed\": 5"));
  for (int i = 0; i < 15; i++) {
    const float apart = apart_after(&s, &next, 10);
    if (apart > 1e-3f) fail_msg("%g m apart after %d steps", (double)apart, 10 * (i + 1));
  }
  uint32_t arrived = 0;
  const th_agents agents = th_world_agents(th_run_world(s.run));
  for (uint32_t row = 0; row < agents.count; row++) arrived += agents.state[row] == TH_AGENT_ARRIVED;
  assert_true(arrived > 0);
  scene_run third = take_over(s.run, "walkers at the end"); /* who has arrived stays so */
  assert_true(apart_after(&s, &third, 20) < 1e-5f);
  th_text_free(text), th_text_free(lost);
  scene_run_free(&third), scene_run_free(&next), scene_run_free(&s);
}

/* Written once more before its first step, the text is the same. */
static void a_moment_of_a_moment_is_the_same(void **state) {
  (void)state;
  scene_run s = scene_run_make(WALKERS, "", (th_run_def){.seed = 5});
  go(s.run, 33, "walkers");
  char *text, *again, *lost;
  scene_run next = moment_of(s.run, "walkers", &text, &lost);
  th_text_free(lost);
  scene_run third = moment_of(next.run, "walkers", &again, &lost);
  assert_string_equal(text, again);
  th_text_free(text), th_text_free(again), th_text_free(lost);
  scene_run_free(&third), scene_run_free(&next), scene_run_free(&s);
}

/* ---------------------------------------------------------------- what events have made */

static void do_all(th_run *run, const char *const *event, size_t count) {
  th_error error = {0};
  for (size_t i = 0; i < count; i++)
    if (th_run_do(run, event[i], NULL, &error)) fail_msg("%s: %s", event[i], error.text);
}

static void things_are_as_events_left_them(void **state) {
  (void)state;
  static const char *const done[] = {
      "{\"close\": \"exit\"}",
      "{\"remove\": \"desk\"}",
      "{\"add\": {\"name\": \"crate\", \"rectangle\": [[6, 8.5], [7, 9.5]]}}",
      "{\"door\": {\"name\": \"side\", \"closed\": true, \"rectangle\": [[16, 0], [16.5, 3]]}}",
      "{\"goal\": {\"name\": \"north\", \"point\": [5, 9]}}",
      "{\"remove_goal\": \"west\"}",
      "{\"guide\": {\"name\": \"path\", \"path\": {\"points\": [[2, 9], [18, 5]]}}}",
      "{\"move\": {\"goal\": \"east\", \"point\": [16, 8]}}",
      "{\"change\": {\"agents\": [1], \"route\": [\"north\"], \"model\": \"steering\"}}",
      "{\"group\": {\"name\": \"pair\", \"populations\": [\"strollers\"], \"leader\": \"strollers\"}}",
      "{\"link\": {\"agents\": [2, 3], \"links\": [{\"role\": \"leader\", \"agent\": 1}]}}",
      "{\"send\": {\"agents\": [4], \"point\": [4, 8]}}",
      "{\"dt\": 0.05}"};
  static const char *const holds[] = {
      "\"options\": [{\"goal\": \"east\"}]", /* the other one is gone */
      "\"name\": \"exit\", \"closed\": true",
      "\"obstacles\": [{\"name\": \"crate\"",
      "\"name\": \"side\", \"closed\": true",
      "{\"name\": \"north\", \"point\": [5, 9]}",
      "{\"name\": \"east\", \"point\": [16, 8]}",
      "\"points\": [[2, 9], [18, 5]]",
      "{\"name\": \"pair\", \"populations\": [\"strollers\"], \"leader\": \"strollers\"}",
      "\"links\": [{\"role\": \"leader\", \"agent\": 1}]",
      "\"send\": {\"agents\": [4], \"point\": [4, 8]}",
      "\"dt\": 0.05",
      "\"route\": [\"north\"]"};
  scene_run s = event_world(false, "", 1, 0, room, sizeof room);
  event_steps(&s, 20);
  do_all(s.run, done, sizeof done / sizeof *done);
  event_steps(&s, 24);
  char *text, *lost;
  scene_run next = moment_of(s.run, "things", &text, &lost);
  for (size_t i = 0; i < sizeof holds / sizeof *holds; i++)
    if (!strstr(text, holds[i])) fail_msg("no %s in\n%s", holds[i], text);
  assert_null(strstr(text, "\"west\""));
  assert_null(strstr(text, "\"desk\""));
  assert_non_null(strstr(lost, "memory of the model steering: 1 agents"));
  assert_same_agents(s.run, next.run, "things");
  go(next.run, 5, "things");
  th_world *world = th_run_world(next.run);
  const th_agents agents = th_world_agents(world);
  uint32_t linked = 0, sent = 0;
  for (uint32_t row = 0; row < agents.count; row++) {
    th_agent_def def;
    assert_true(th_world_agent_def(world, agents.id[row], &def));
    for (uint32_t i = 0; i < def.link_count; i++) {
      linked += def.link[i].role == TH_ROLE_LEADER && def.link[i].agent.index == 1;
      sent += def.link[i].role == TH_ROLE_TARGET && def.link[i].to_point;
    }
  }
  assert_int_equal(linked, 2);
  assert_int_equal(sent, 1);
  th_text_free(text), th_text_free(lost);
  scene_run_free(&next), scene_run_free(&s);
}

/* Vertices are moved again, and take along who stands on them. */
static void moved_ground_takes_its_agents_along(void **state) {
  (void)state;
  static const char *const done[] = {
      "{\"deform\": {\"vertices\": [3, 40, 41], \"points\": [[3, 0, 0.1], [11.01, 7.02, "
      "0.2], [11.8, 7, 0.2]]}}"};
  scene_run s = event_world(true, "", 1, 0, room, sizeof room);
  event_steps(&s, 10);
  do_all(s.run, done, 1);
  event_steps(&s, 16);
  scene_run next = take_over(s.run, "deformed");
  go(next.run, 1, "deformed"); /* it is asked for; places are those of the ground that is in force */
  th_error error = {0};
  for (int i = 0; i < 4; i++) assert_int_equal(th_run_step(next.run, &error), TH_OK);
  const th_mesh *old = th_ground_mesh(th_world_ground(th_run_world(s.run))),
                *new = th_ground_mesh(th_world_ground(th_run_world(next.run)));
  assert_int_equal(old->vertex_count, new->vertex_count);
  assert_memory_equal(old->xyz, new->xyz, sizeof *old->xyz * 3 * old->vertex_count);
  scene_run_free(&next), scene_run_free(&s);
}

static void what_is_lost_is_told(void **state) {
  (void)state;
  scene_run s = scene_run_make(WALKERS,
                               ", {\"at\": 30, \"dismiss\": \"p\"}, {\"at\": 31, \"change\": {\"agents\": [3], "
                               "\"speed\": 1}}",
                               (th_run_def){.seed = 5});
  go(s.run, 20, "walkers");
  static const char *const done[] = {"{\"leave\": {\"population\": \"p\"}}"};
  do_all(s.run, done, 1);
  char *text, *lost;
  scene_run next = moment_of(s.run, "lost", &text, &lost);
  assert_non_null(strstr(lost, "the event dismiss to come: what it names is gone\n"));
  assert_non_null(strstr(lost, "the event change to come: it means agents by ids"));
  assert_null(strstr(text, "\"populations\""));
  th_text_free(text), th_text_free(lost);
  scene_run_free(&next), scene_run_free(&s);
}

/* Where something was put on faces that had been moved, and the error says so. */
static bool is_refused(const th_run *run) {
  const th_scene_write_def def = th_default_scene_write_def();
  char *text = NULL, *lost = NULL;
  th_error error = {0};
  const th_result result = th_run_write_moment(run, &def, &text, &lost, &error);
  if (result) assert_non_null(strstr(error.text, "after vertices were moved"));
  th_text_free(text), th_text_free(lost);
  return result != TH_OK;
}

/* After random events of all kinds the world can be taken over, and goes on. Returns how often that was tried. */
static uint32_t check_random(bool mesh, uint64_t seed) {
  uint32_t taken = 0;
  random_events r = {.seed = seed, .mesh = mesh};
  char text[8192];
  th_error error = {0};
  scene_run s = event_world(mesh, "", 1, 0, room, sizeof room);
  for (int i = 0; i < LONG_RUN(300, 30); i++) {
    event_random(&r, s.run, text, sizeof text);
    const bool moves_ground = strstr(text, "\"deform\"") != NULL; /* with odd seeds only */
    if (!moves_ground || seed % 2 == 1) (void)th_run_do(s.run, text, NULL, &error);
    if (i % 4 == 3 && th_run_step(s.run, &error)) fail_msg("%s", error.text);
    if (i % 50 != 29 || is_refused(s.run)) continue;
    taken++;
    scene_run next = take_over(s.run, "random events");
    if (!mesh)
      assert_int_equal(th_world_agents(th_run_world(next.run)).count, th_world_agents(th_run_world(s.run)).count);
    go(next.run, 4, "random events");
    scene_run_free(&next);
  }
  scene_run_free(&s);
  return taken;
}

static void worlds_after_random_events_are_taken_over(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= LONG_RUN(4, 1); seed++) assert_true(check_random(false, seed) >= LONG_RUN(5, 1));
  uint32_t on_meshes = 0;
  for (uint64_t seed = 9; seed <= LONG_RUN(12, 9); seed++) on_meshes += check_random(true, seed);
  assert_true(on_meshes >= LONG_RUN(12, 1)); /* 6 each of two seeds */
}

/* ---------------------------------------------------------------- one by one */

static void agents_may_be_given_one_by_one(void **state) {
  (void)state;
  static const char format[] =
      "{\"version\": 1, \"name\": \"x\", \"duration\": 9, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, "
      "10]]}]}, \"goals\": [{\"name\": \"a\", \"point\": [5, 5]}, {\"name\": \"b\", \"point\": [15, 5]}],"
      "\"populations\": [{\"name\": \"p\", \"speed\": 1.2, \"route\": [\"a\", \"b\"], \"each\": [{\"point\": [2, 2]},"
      "{\"point\": [3, 3], \"velocity\": [0.5, -0.25], \"speed\": 0.7, \"stop\": 1, \"radius\": 0.3, \"people\":"
      " false}, {\"point\": [4, 7], \"delay\": 2, \"route\": [\"b\"], \"model\": \"follow\"} %s]}]}";
  scene_run s = scene_run_make(format, "", (th_run_def){.seed = 0});
  th_world *world = th_run_world(s.run);
  const th_agents agents = th_world_agents(world);
  th_agent_def def;
  assert_int_equal(agents.count, 3);
  assert_int_equal(th_scene_agents(s.scene), 3);
  assert_int_equal(th_run_population(s.run, agents.id[2]), 0);
  assert_true(th_world_agent_def(world, agents.id[0], &def));
  assert_true(def.speed == 1.2f && def.route_count == 2 && def.people && th_world_agent_stop(world, agents.id[0]) == 0);
  assert_true(th_world_agent_def(world, agents.id[1], &def));
  assert_true(def.speed == 0.7f && def.radius == 0.3f && !def.people);
  assert_int_equal(th_world_agent_stop(world, agents.id[1]), 1);
  const th_vec3 v = th_world_agent_velocity(world, agents.id[1]);
  assert_true(v.x == 0.5f && v.y == -0.25f);
  assert_true(th_world_agent_def(world, agents.id[2], &def));
  assert_true(def.route_count == 1 && def.model == &th_model_follow && def.speed == 1.2f);
  assert_int_equal(th_world_agent_state(world, agents.id[2]), TH_AGENT_DELAYED);
  scene_run_free(&s);
  static const char *const bad[] = {", {\"point\": [2, 4], \"stop\": 3}", ", {\"point\": [2, 4], \"route\": [\"c\"]}",
                                    ", {\"point\": [70, 4]}", ", {\"speed\": 1}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    th_error error = {0};
    if (scene_run_try(format, bad[i], (th_run_def){.seed = 0}, &s, &error) == TH_OK) fail_msg("%s is taken", bad[i]);
    if (!strstr(error.text, "expected")) fail_msg("%s: %s", bad[i], error.text);
    scene_run_free(&s);
  }
}

/* ---------------------------------------------------------------- memory */

static th_result write_failing(const th_env *env, void *context) {
  const th_scene_write_def def = th_default_scene_write_def();
  th_scene *scene = NULL;
  th_run *run = NULL;
  char *text = NULL, *lost = NULL;
  th_error error = {0};
  const th_scene_def from = {.env = *env, .text = context, .length = strlen(context)};
  th_result result = th_scene_make(&from, &scene, &error);
  if (result == TH_OK) result = th_run_make(&(th_run_def){.env = *env, .scene = scene}, &run, &error);
  if (result == TH_OK) result = th_run_do(run, "{\"goal\": {\"name\": \"c\", \"point\": [9, 9]}}", NULL, &error);
  if (result == TH_OK) result = th_run_write_moment(run, &def, &text, &lost, &error);
  assert_true((result == TH_OK) == (text != NULL) && (result == TH_OK) == (lost != NULL));
  th_text_free(text);
  th_text_free(lost);
  th_run_free(run);
  th_scene_free(scene);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  snprintf(room, sizeof room, WALKERS, "");
  failing_every(write_failing, room);
}

static int begin(void **state) {
  schema = schema_load("scenes/schema.json");
  return make_folder(state);
}

static int end(void **state) {
  json_decref(schema);
  return drop_folder(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agents_may_be_given_one_by_one),
      cmocka_unit_test(bodies_without_memory_walk_on_as_before),
      cmocka_unit_test(a_moment_of_a_moment_is_the_same),
      cmocka_unit_test(things_are_as_events_left_them),
      cmocka_unit_test(moved_ground_takes_its_agents_along),
      cmocka_unit_test(what_is_lost_is_told),
      cmocka_unit_test(worlds_after_random_events_are_taken_over),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(scenes_go_on_as_new_ones),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
