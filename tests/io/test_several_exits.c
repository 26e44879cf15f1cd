/* tests/io/test_several_exits.c - one goal of several lines: everybody goes to the nearest of them, on flat ground and
 * on a mesh. */
#include <math.h>
#include <stdlib.h>

#include "support/folder.h"
#include "support/scene_runs.h"
#include "throng/recording.h"

#define EXITS "\"lines\": [[[0.5, 3], [0.5, 5]], [[29.5, 3], [29.5, 5]]], \"sink\": true"
#define CROWD "\"count\": 20, \"region\": {\"rectangle\": [[2, 1], [28, 7]]}, \"route\": [\"exits\"]"

static const char scene[] =
    "{\"version\": 1, \"name\": \"exits\", \"duration\": 60, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [30, "
    "8]]}]},"
    " \"goals\": [{\"name\": \"exits\", " EXITS
    ", %s}],"
    " \"populations\": [{\"name\": \"people\", " CROWD "}]}";
static const char on_mesh[] =
    "{\"version\": 1, \"name\": \"exits\", \"duration\": 60, \"ground\": {\"mesh\": {\"make\": {\"shape\": \"plane\","
    " \"length\": 30, \"width\": 8, \"edge\": 0.5}}},"
    " \"goals\": [{\"name\": \"exits\", " EXITS
    ", %s}],"
    " \"populations\": [{\"name\": \"people\", " CROWD "}]}";

static th_vec3 point_of(const th_world *world, uint32_t row) {
  const th_agents a = th_world_agents(world);
  return th_ground_point(th_world_ground(world), (th_place){a.cell[row], a.x[row], a.y[row]});
}

/* Everybody leaves, and nobody who began on one side, well off the middle, leaves on the other. */
static void check_walk(const char *format, const char *field) {
  scene_run s = scene_run_make(format, field, (th_run_def){0});
  th_world *world = th_run_world(s.run);
  const th_agents first = th_world_agents(world);
  float begun[32] = {0}, seen[32] = {0};
  const uint32_t count = first.count;
  assert_true(count == 20);
  for (uint32_t row = 0; row < count; row++) begun[first.id[row].index] = point_of(world, row).x;
  th_error error = {0};
  while (!th_run_done(s.run)) {
    if (th_run_step(s.run, &error)) fail_msg("%s", error.text);
    const th_agents now = th_world_agents(world);
    for (uint32_t row = 0; row < now.count; row++) seen[now.id[row].index] = point_of(world, row).x;
  }
  assert_int_equal(th_world_counters(world).arrived, count);
  uint32_t west = 0;
  for (uint32_t i = 1; i <= count; i++) {
    assert_true(seen[i] < 2.5f || seen[i] > 27.5f);
    if (fabsf(begun[i] - 15.0f) > 2.0f) assert_true((begun[i] < 15.0f) == (seen[i] < 15.0f));
    west += seen[i] < 15.0f;
  }
  assert_true(west >= 5 && west <= 15);
  scene_run_free(&s);
}

static void everybody_takes_the_nearest(void **unused) {
  (void)unused;
  check_walk(scene, "\"field\": \"geodesic\"");
  check_walk(scene, "\"field\": \"harmonic\"");
  check_walk(on_mesh, "\"field\": \"geodesic\"");
}

/* The line between two exits is no goal. */
static void distances_are_those_to_the_nearest(void **unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    scene_run s = scene_run_make(k ? on_mesh : scene, "\"field\": \"geodesic\"", (th_run_def){0});
    scene_run_to(&s, 0.5);
    th_world *world = th_run_world(s.run);
    const th_goal_id goal = th_run_goal(s.run, 0);
    const float middle = th_world_distance(world, (th_vec3){15, 4, 0}, goal, 0.2f);
    const float east = th_world_distance(world, (th_vec3){25, 4, 0}, goal, 0.2f);
    if (fabsf(middle - 14.5f) > 0.7f || fabsf(east - 4.5f) > 0.7f)
      fail_msg("%d: %g, %g", k, (double)middle, (double)east);
    scene_run_free(&s);
  }
}

static void a_snapshot_keeps_lines_apart(void **unused) {
  (void)unused;
  scene_run s = scene_run_make(scene, "\"field\": \"geodesic\"", (th_run_def){0});
  th_world *world = th_run_world(s.run);
  scene_run_to(&s, 1.0);
  const size_t size = th_world_snapshot(world, NULL, 0);
  void *memory = malloc(size);
  th_world_snapshot(world, memory, size);
  const uint64_t hash = th_world_hash(world);
  th_goal_def def;
  assert_true(th_world_goal_def(world, th_run_goal(s.run, 0), &def) && def.shape.apart && def.shape.count == 4);
  th_shape one = def.shape;
  one.apart = false;
  assert_int_equal(th_world_move_goal(world, th_run_goal(s.run, 0), &one, NULL), TH_OK);
  assert_true(th_world_hash(world) != hash);
  assert_int_equal(th_world_restore(world, memory, size, NULL), TH_OK);
  assert_true(th_world_hash(world) == hash);
  assert_true(th_world_goal_def(world, th_run_goal(s.run, 0), &def) && def.shape.apart);
  free(memory);
  scene_run_free(&s);
}

/* The plan of a recording has each line as one of its own, and on a mesh each has a mark. */
static void recordings_show_every_line(void **unused) {
  (void)unused;
  for (uint32_t k = 0; k < 2; k++) {
    scene_run s = scene_run_make(k ? on_mesh : scene, "\"field\": \"geodesic\"", (th_run_def){0});
    th_world *world = th_run_world(s.run);
    th_goal_def goal;
    assert_true(th_world_goal_def(world, th_run_goal(s.run, 0), &goal));
    th_recording_def def = th_default_recording_def();
    th_recording *recording;
    def.ground = th_world_ground(world);
    assert_int_equal(th_recording_make(in_folder("exits.sqlite"), &def, &recording, NULL), TH_OK);
    assert_int_equal(th_recording_mark(recording, "goal", "exits", &goal.shape, def.ground, NULL), TH_OK);
    assert_int_equal(th_recording_step(recording, world, NULL), TH_OK);
    assert_int_equal(th_recording_close(recording, NULL), TH_OK);
    th_tracks tracks;
    assert_int_equal(th_recording_read(&(th_tracks_def){.path = in_folder("exits.sqlite")}, &tracks, NULL), TH_OK);
    assert_int_equal(tracks.mark_count, 1);
    assert_int_equal(tracks.mark[0].plan.ring_count, 2);
    assert_int_equal(tracks.mark[0].plan.point_count, 4);
    assert_int_equal(tracks.spot_count, 2 * k);
    if (k) assert_true(tracks.spot[0].point.x < 1.0f && tracks.spot[1].point.x > 29.0f);
    th_tracks_free(&tracks);
    scene_run_free(&s);
  }
}

static void wrong_lines_are_refused(void **unused) {
  (void)unused;
  static const char *const wrong[][2] = {{"\"lines\": []", "a list of lines"},
                                         {"\"lines\": [[1, 2], [3, 4]]", "numbers [x, y]"},
                                         {"\"lines\": [[[1, 2], [3, 4], [5, 6]]]", "two points"},
                                         {"\"lines\": [[[1, 2], [3]]]", "[x, y]"},
                                         {"\"lines\": [[[1, 2], [3, 4]]], \"point\": [1, 1]", "one of"}};
  static const char hall[] =
      "{\"version\": 1, \"name\": \"a\", \"duration\": 1, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [30, "
      "8]]}]},"
      " \"goals\": [{\"name\": \"exits\", %s}]}";
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    scene_run s;
    th_error error = {0};
    assert_int_not_equal(scene_run_try(hall, wrong[k][0], (th_run_def){0}, &s, &error), TH_OK);
    if (!strstr(error.text, wrong[k][1])) fail_msg("%s: %s", wrong[k][0], error.text);
    assert_non_null(strstr(error.text, "/goals/0"));
    scene_run_free(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everybody_takes_the_nearest),  cmocka_unit_test(distances_are_those_to_the_nearest),
      cmocka_unit_test(a_snapshot_keeps_lines_apart), cmocka_unit_test(recordings_show_every_line),
      cmocka_unit_test(wrong_lines_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
