/* tests/io/test_recording_step.c - a world recorded by one call a step: the same bytes as by the single calls, on flat
 * and mesh ground that changes; marks; what is refused; memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/allocator.h"
#include "throng/recording.h"
#include "throng/scene.h"
#include "throng/surface.h"

static const char flat[] =
    "{\"version\": 1, \"name\": \"flat\", \"duration\": 20,"
    "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 8]]}],"
    "  \"doors\": [{\"name\": \"lid\", \"rectangle\": [[5, 3], [6, 5]]}]},"
    "\"goals\": [{\"name\": \"exit\", \"point\": [11, 4]}],"
    "\"populations\": [{\"name\": \"red\", \"positions\": [[1, 1], [1, 4], [2, 6]], \"route\": [\"exit\"]}],"
    "\"sources\": [{\"name\": \"gate\", \"region\": {\"rectangle\": [[1, 2], [3, 3]]}, \"rate\": 1, \"route\": "
    "[\"exit\"]}],"
    "\"events\": [{\"at\": 2, \"close\": \"lid\"}, {\"at\": 4, \"open\": \"lid\"}]}";
static const char round_[] =
    "{\"version\": 1, \"name\": \"round\", \"duration\": 20,"
    "\"ground\": {\"mesh\": {\"make\": {\"shape\": \"planet\", \"radius\": 10, \"level\": 3}},"
    "  \"doors\": [{\"name\": \"lid\", \"ball\": {\"centre\": [10, 0, 0], \"radius\": 3}}]},"
    "\"goals\": [{\"name\": \"exit\", \"point\": [0, 0, -10], \"field\": \"geodesic\"}],"
    "\"populations\": [{\"name\": \"red\", \"positions\": [[0, 0, 10], [3, 0, 9.5], [0, 3, 9.5]], \"route\": "
    "[\"exit\"]}],"
    "\"events\": [{\"at\": 2, \"close\": \"lid\"}, {\"at\": 4, \"open\": \"lid\"}]}";

typedef struct fixture {
  th_scene *scene;
  th_run *run;
} fixture;

static fixture make(const char *text) {
  fixture f = {0};
  th_error error = {0};
  th_result result = th_scene_parse(text, strlen(text), &f.scene, &error);
  if (result == TH_OK) result = th_run_make(&(th_run_def){.scene = f.scene}, &f.run, &error);
  if (result != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return f;
}

static void release(fixture *f) {
  th_run_free(f->run);
  th_scene_free(f->scene);
}

/* What a host would write without th_recording_step. */
static void record_by_hand(th_recording *recording, const th_world *world, uint32_t *version) {
  static th_vec3 room[4][64];
  const th_ground *ground = th_world_ground(world);
  if (th_ground_version(ground) != *version) {
    char *wkt = NULL;
    assert_int_equal(th_ground_wkt(NULL, ground, &wkt, NULL), TH_OK);
    assert_int_equal(th_recording_ground(recording, wkt, NULL), TH_OK);
    if (th_ground_mesh(ground))
      assert_int_equal(th_recording_mesh(recording, th_ground_mesh(ground), th_ground_blocked_faces(ground), NULL),
                       TH_OK);
    th_text_free(NULL, wkt);
  }
  *version = th_ground_version(ground);
  th_points points = {.point = room[0], .velocity = room[1], .heading = room[2], .weights = room[3]};
  th_agents agents = th_world_agents(world);
  assert_true(agents.count <= 64);
  th_world_points(world, &points);
  agents.space = th_ground_mesh(ground) ? &points : NULL;
  assert_int_equal(th_recording_write(recording, th_world_step_count(world), &agents, NULL), TH_OK);
  uint32_t count;
  const th_event *event = th_world_events(world, &count);
  assert_int_equal(th_recording_events(recording, event, count, NULL), TH_OK);
}

static void record(const char *text, const char *path, bool by_hand) {
  fixture f = make(text);
  const th_world *world = th_run_world(f.run);
  th_recording_def def = th_default_recording_def();
  char *wkt = NULL;
  def.every = 3;
  assert_int_equal(th_ground_wkt(NULL, th_world_ground(world), &wkt, NULL), TH_OK);
  if (by_hand) {
    def.wkt = wkt;
    def.mesh = th_ground_mesh(th_world_ground(world)) != NULL;
  } else {
    def.ground = th_world_ground(world);
  }
  th_recording *recording = NULL;
  uint32_t version = 0;
  assert_int_equal(th_recording_create(path, &def, &recording, NULL), TH_OK);
  for (int step = 0; step <= 100; step++) {
    if (step) assert_int_equal(th_run_step(f.run, NULL), TH_OK);
    if (by_hand)
      record_by_hand(recording, world, &version);
    else
      assert_int_equal(th_recording_step(recording, world, NULL), TH_OK);
  }
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  th_text_free(NULL, wkt);
  release(&f);
}

static size_t bytes_of(const char *path, char **bytes) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  *bytes = malloc(size);
  assert_int_equal(fread(*bytes, 1, size, file), size);
  fclose(file);
  return size;
}

static void one_call_writes_what_the_single_calls_write(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char *a, *b;
    record(k ? round_ : flat, "step_a.sqlite", false);
    record(k ? round_ : flat, "step_b.sqlite", true);
    size_t size = bytes_of("step_a.sqlite", &a);
    assert_int_equal(bytes_of("step_b.sqlite", &b), size);
    assert_memory_equal(a, b, size);
    free(a);
    free(b);
    th_tracks tracks;
    assert_int_equal(th_recording_read(NULL, "step_a.sqlite", &tracks, NULL), TH_OK);
    assert_int_equal(k ? tracks.mesh_count : tracks.plan_count, 3); /* open, closed, open */
    assert_int_equal(tracks.frame_last, 33);
    th_tracks_free(&tracks);
  }
  unlink("step_a.sqlite");
  unlink("step_b.sqlite");
}

static th_recording *begin(const fixture *f, bool events) {
  th_recording_def def = th_default_recording_def();
  th_recording *recording = NULL;
  def.ground = th_world_ground(th_run_world(f->run));
  def.events = events;
  assert_int_equal(th_recording_create("step_m.sqlite", &def, &recording, NULL), TH_OK);
  return recording;
}

/* A mark is a shape of the plan and, on a mesh, a circle where its middle is; a shape beside the mesh has no circle. */
static void marks_stand_on_plans_and_meshes(void **state) {
  (void)state;
  th_vec2 spot = {0, 0}, away = {500, 0};
  float south = -10;
  th_shape goal = {.kind = TH_SHAPE_POINT, .point = &spot, .z = &south, .count = 1, .radius = 0.3f},
           lost = {.kind = TH_SHAPE_DISC, .point = &away, .count = 1, .radius = 2};
  for (int k = 0; k < 2; k++) {
    fixture f = make(k ? round_ : flat);
    const th_ground *ground = th_world_ground(th_run_world(f.run));
    th_recording *recording = begin(&f, true);
    assert_int_equal(th_recording_mark(recording, "goal", "south", &goal, ground, NULL), TH_OK);
    assert_int_equal(th_recording_mark(recording, "area", NULL, &lost, ground, NULL), TH_OK);
    assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
    assert_int_equal(th_recording_close(recording, NULL), TH_OK);
    th_tracks tracks;
    assert_int_equal(th_recording_read(NULL, "step_m.sqlite", &tracks, NULL), TH_OK);
    assert_int_equal(tracks.mark_count, 2);
    assert_int_equal(tracks.spot_count, k);
    if (k) {
      assert_string_equal(tracks.spot[0].name, "south");
      assert_true(tracks.spot[0].radius == 0.3f && tracks.spot[0].point.z < -9.5f);
    }
    th_tracks_free(&tracks);
    release(&f);
  }
  unlink("step_m.sqlite");
}

static void events_can_be_left_out(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    fixture f = make(flat);
    th_recording *recording = begin(&f, k == 1);
    for (int step = 0; step < 40; step++) {
      assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
      assert_int_equal(th_run_step(f.run, NULL), TH_OK);
    }
    assert_int_equal(th_recording_close(recording, NULL), TH_OK);
    th_recording_info info;
    assert_int_equal(th_recording_read_info("step_m.sqlite", &info, NULL), TH_OK);
    assert_true(k ? info.events > 0 : info.events == 0);
    release(&f);
  }
  unlink("step_m.sqlite");
}

/* A mesh does not fit into a recording of flat ground, nor a world on flat ground into one of a mesh. */
static void another_kind_of_ground_is_refused(void **state) {
  (void)state;
  fixture f[2] = {make(flat), make(round_)};
  for (int k = 0; k < 2; k++) {
    th_recording *recording = begin(&f[k], true);
    th_error error = {0};
    assert_int_equal(th_recording_step(recording, th_run_world(f[1 - k].run), &error), TH_ERROR_STATE);
    assert_non_null(strstr(error.text, "expected"));
    assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  }
  release(&f[0]);
  release(&f[1]);
  th_recording *recording = NULL;
  th_recording_def def = th_default_recording_def();
  assert_int_equal(th_recording_create("step_m.sqlite", &def, &recording, NULL), TH_ERROR_STATE);
  unlink("step_m.sqlite");
}

static th_result record_once(const th_env *env, void *context) {
  const fixture *f = context;
  th_recording_def def = th_default_recording_def();
  th_recording *recording = NULL;
  th_vec2 spot = {0, 0};
  th_shape goal = {.kind = TH_SHAPE_POINT, .point = &spot, .count = 1};
  def.env = *env;
  def.ground = th_world_ground(th_run_world(f->run));
  th_result result = th_recording_create("step_f.sqlite", &def, &recording, NULL);
  if (result != TH_OK) return result;
  result = th_recording_mark(recording, "goal", "south", &goal, def.ground, NULL);
  if (result == TH_OK) result = th_recording_step(recording, th_run_world(f->run), NULL);
  th_result closed = th_recording_close(recording, NULL);
  return result == TH_OK ? closed : result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  fixture f = make(round_);
  assert_true(failing_every(record_once, &f) > 20);
  release(&f);
  unlink("step_f.sqlite");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_call_writes_what_the_single_calls_write),
      cmocka_unit_test(marks_stand_on_plans_and_meshes),
      cmocka_unit_test(events_can_be_left_out),
      cmocka_unit_test(another_kind_of_ground_is_refused),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
