/* tests/io/test_trace_recording.c - traces in a recording: what was published comes back to the bit, once for each
 * decision, on flat and mesh ground; as CSV; which agents a scene names; figures that show them. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/pictures.h"
#include "support/scene_runs.h"
#include "support/worlds.h"
#include "throng/figure.h"
#include "throng/recording.h"

static const char flat[] =
    "{\"version\": 1, \"name\": \"flat\", \"duration\": 20,"
    "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 8]]}]},"
    "\"goals\": [{\"name\": \"exit\", \"point\": [11, 4]}],"
    "\"recording\": {\"traces\": [\"red\"], \"every\": 0.2},"
    "\"populations\": [{\"name\": \"red\", \"model\": \"bvp\", \"positions\": [[1, 1], [1, 4]], \"route\": [\"exit\"]},"
    "  {\"name\": \"blue\", \"model\": \"orca\", \"positions\": [[3, 4]], \"route\": [\"exit\"]}]}";
static const char ball[] =
    "{\"version\": 1, \"name\": \"round\", \"duration\": 20,"
    "\"ground\": {\"mesh\": {\"make\": {\"shape\": \"planet\", \"radius\": 10, \"level\": 3}}},"
    "\"goals\": [{\"name\": \"exit\", \"point\": [0, 0, -10], \"field\": \"geodesic\"}],"
    "\"recording\": {\"traces\": [\"all\"], \"every\": 0.2},"
    "\"populations\": [{\"name\": \"red\", \"model\": \"orca\", \"positions\": [[0, 0, 10], [1, 0, 9.5]], \"route\": "
    "[\"exit\"]}]}";

static const char *copy_of(char path[512], const char *name) {
  snprintf(path, 512, "%s", in_folder(name));
  return path;
}

static scene_run make(const char *text) { return scene_run_make("%s", text, (th_run_def){.seed = 0}); }

/* Every item of every frame, in the order of the file, against what the world has told. */
static uint32_t compare_frame(const th_tracks *tracks, const th_world *world, uint32_t frame, uint64_t since,
                              uint32_t at) {
  th_agent_id id[8];
  th_trace_item item[256];
  const uint32_t agents = th_world_traced(world, id, 8);
  for (uint32_t i = 0; i < agents; i++) {
    const uint32_t count = th_world_traces(world, id[i], item, 256);
    for (uint32_t k = 0; k < count; k++) {
      if (item[k].step < since) continue;
      assert_true(at < tracks->trace_count);
      const th_recorded_trace *r = &tracks->trace[at++];
      const th_recorded_trace_row *row = &tracks->trace_row[r->row];
      assert_true(r->frame == frame && r->step == item[k].step && r->id == (int64_t)i + 1);
      assert_string_equal(row->name, item[k].trace->name);
      assert_string_equal(row->source, item[k].source);
      assert_string_equal(row->unit, item[k].trace->unit);
      assert_true(row->type == item[k].trace->type && row->colour == item[k].trace->colour);
      assert_memory_equal(&r->at, &item[k].at, sizeof r->at);
      if (row->type != TH_TRACE_SCALAR) assert_memory_equal(&r->a, &item[k].a, sizeof r->a);
      if (row->type == TH_TRACE_LINE) assert_memory_equal(&r->b, &item[k].b, sizeof r->b);
      if (row->type != TH_TRACE_RASTER) {
        assert_true(r->value == item[k].value);
        continue;
      }
      assert_true(r->columns == item[k].columns && r->rows == item[k].rows);
      assert_memory_equal(tracks->trace_value + r->first, item[k].raster, sizeof(float) * r->columns * r->rows);
    }
  }
  return at;
}

static void record(scene_run *f, const char *path, uint32_t steps) {
  th_world *world = th_run_world(f->run);
  th_recording_def def = th_default_recording_def();
  th_recording *recording;
  def.every = 2;
  def.ground = th_world_ground(world);
  OK(th_recording_make(path, &def, &recording, &error));
  for (uint32_t step = 0; step <= steps; step++) {
    if (step) OK(th_run_step(f->run, &error));
    OK(th_recording_step(recording, world, &error));
  }
  OK(th_recording_close(recording, &error));
}

static void comes_back(const char *scene, const char *path, bool rasters) {
  scene_run f = make(scene);
  record(&f, path, 30);
  scene_run_free(&f);
  th_tracks tracks;
  OK(th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error));
  assert_true(tracks.trace_count > 100 && (tracks.trace_value_count > 0) == rasters);
  f = make(scene); /* the same run again, beside what was read */
  uint32_t at = 0;
  for (uint32_t step = 1; step <= 30; step++) {
    OK(th_run_step(f.run, &error));
    if (step % 2 == 0) at = compare_frame(&tracks, th_run_world(f.run), step / 2, step - 2, at);
  }
  assert_int_equal(at, tracks.trace_count);
  scene_run_free(&f);
  th_tracks_free(&tracks);
}

static void traces_come_back(void **state) {
  (void)state;
  char path[512];
  comes_back(flat, copy_of(path, "traces_flat.sqlite"), true);
  comes_back(ball, copy_of(path, "traces_ball.sqlite"), false);
}

static th_result record_one_step(const th_env *env, void *context) {
  char path[512];
  const scene_run *f = context;
  const th_world *world = th_run_world(f->run);
  th_recording_def def = th_default_recording_def();
  th_recording *recording;
  def.env = *env;
  def.ground = th_world_ground(world);
  th_result result = th_recording_make(copy_of(path, "traces_failing.sqlite"), &def, &recording, NULL);
  if (result != TH_OK) return result;
  result = th_recording_step(recording, world, NULL);
  th_result closed = th_recording_close(recording, NULL);
  return result != TH_OK ? result : closed;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  scene_run f = make(flat);
  for (int step = 0; step < 3; step++) OK(th_run_step(f.run, &error));
  assert_true(failing_every(record_one_step, &f) > 20);
  scene_run_free(&f);
}

static void traces_of_an_unknown_type_are_refused(void **state) {
  (void)state;
  char path[512];
  scene_run f = make(flat);
  record(&f, copy_of(path, "traces_odd.sqlite"), 4);
  scene_run_free(&f);
  sqlite3 *file = NULL;
  assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
  assert_int_equal(sqlite3_exec(file, "UPDATE throng_trace_row SET type = 'odd' WHERE row = 1", NULL, NULL, NULL),
                   SQLITE_OK);
  sqlite3_close(file);
  th_tracks tracks;
  th_error error = {0};
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error), TH_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "line or raster"));
}

/* A line an item, with as many columns as the head. */
static void traces_as_csv(void **state) {
  (void)state;
  char path[512], csv[512], line[8192];
  scene_run f = make(flat);
  record(&f, copy_of(path, "traces_csv.sqlite"), 10);
  scene_run_free(&f);
  th_tracks tracks;
  OK(th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error));
  OK(th_csv_write_traces(&tracks, copy_of(csv, "traces.csv"), &error));
  FILE *in = fopen(csv, "r");
  assert_non_null(in);
  uint32_t lines = 0;
  while (fgets(line, sizeof line, in)) {
    uint32_t commas = 0;
    for (const char *c = line; *c; c++) commas += *c == ',';
    assert_int_equal(commas, 23);
    lines++;
  }
  fclose(in);
  assert_int_equal(lines, tracks.trace_count + 1);
  th_tracks_free(&tracks);
}

static void agents_are_named(void **state) {
  (void)state;
  scene_run f = make(flat);
  th_world *world = th_run_world(f.run);
  th_agent_id id[8];
  th_error found = {0};
  assert_int_equal(th_world_traced(world, id, 8), 2);
  OK(th_run_trace(f.run, "blue,1", &error));
  assert_int_equal(th_world_traced(world, id, 8), 2);
  assert_true(id[0].index == 1 && id[1].index == 3);
  OK(th_run_trace(f.run, "all", &error));
  assert_int_equal(th_world_traced(world, id, 8), 3);
  assert_int_equal(th_run_trace(f.run, "green", &found), TH_ERROR_RANGE);
  assert_non_null(strstr(found.text, "green"));
  OK(th_run_trace(f.run, "", &error));
  assert_int_equal(th_world_traced(world, id, 8), 0);
  scene_run_free(&f);
  char bad[sizeof flat];
  snprintf(bad, sizeof bad, "%s", flat);
  memcpy(strstr(bad, "[\"red\"]"), "[\"ret\"]", 7);
  OK(th_scene_parse(bad, strlen(bad), &f.scene, &error));
  assert_int_equal(th_run_make(&(th_run_def){.scene = f.scene}, &f.run, &found), TH_ERROR_RANGE);
  assert_non_null(strstr(found.text, "ret"));
  th_scene_free(f.scene);
}

static long size_of(const char *path) {
  size_t size;
  free(file_bytes(path, &size));
  return (long)size;
}

/* A vector picture grows by what is shown in it. */
static void figures_show_them(void **state) {
  (void)state;
  static const char *const scene[2] = {flat, ball};
  for (int k = 0; k < 2; k++) {
    char path[512], plain[512], shown[512];
    scene_run f = make(scene[k]);
    record(&f, copy_of(path, "traces_figure.sqlite"), 20);
    scene_run_free(&f);
    th_tracks tracks;
    OK(th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error));
    th_figure_def def = th_default_figure_def();
    def.tracks = &tracks, def.width = 400, def.time = 1.5, def.bodies = true;
    OK(th_figure_write(&def, copy_of(plain, "plain.svg"), &error));
    def.traces = "all";
    OK(th_figure_write(&def, copy_of(shown, "shown.svg"), &error));
    assert_true(size_of(shown) > size_of(plain) + 200);
    def.traces = "no_such_trace";
    OK(th_figure_write(&def, shown, &error));
    assert_true(labs(size_of(shown) - size_of(plain)) < 64);
    def.traces = NULL, def.bodies = false, def.time = 2.0;
    OK(th_figure_write(&def, plain, &error));
    def.marks = 0.5;
    OK(th_figure_write(&def, shown, &error));
    assert_true(size_of(shown) > size_of(plain) + 200);
    def.traces = "vectors";
    OK(th_figure_write(&def, copy_of(plain, "along.svg"), &error));
    assert_true(size_of(plain) > size_of(shown) + 200);
    th_tracks_free(&tracks);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(traces_come_back),
      cmocka_unit_test(every_failing_allocation_is_survived),
      cmocka_unit_test(traces_of_an_unknown_type_are_refused),
      cmocka_unit_test(traces_as_csv),
      cmocka_unit_test(agents_are_named),
      cmocka_unit_test(figures_show_them),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_pictures);
}
