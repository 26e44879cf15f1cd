/* tests/io/test_mesh_marks.c - what lies on the mesh of a recording: outlines of goals and areas on the surface, and
 * terrains with their names; files from before, damaged ones, and memory. */
#include <math.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/folder.h"
#include "support/scene_runs.h"
#include "throng/ground.h"
#include "throng/recording.h"

static const char hills[] =
    "{\"version\": 1, \"name\": \"hills\", \"duration\": 2,"
    "\"ground\": {\"mesh\": {\"make\": {\"shape\": \"terrain\", \"length\": 20, \"width\": 16, \"edge\": 1, "
    "\"height\": 3,"
    "  \"wave\": 14}, \"terrain\": [{\"name\": \"sand\", \"speed\": 0.7, \"rectangle\": [[4, 0], [8, 16]]},"
    "  {\"name\": \"pond\", \"blocked\": true, \"rectangle\": [[12, 2], [14, 4]]}]}},"
    "\"goals\": [{\"name\": \"camp\", \"rectangle\": [[15, 10], [19, 14]]}],"
    "\"populations\": [{\"name\": \"red\", \"positions\": [[1, 1], [2, 3]], \"route\": [\"camp\"]}]}";

/* A polygon, a line and a disc on the hills. */
static void shapes_of(const scene_run *f, th_shape shape[3]) {
  const th_ground *ground = th_world_ground(th_run_world(f->run));
  const th_place a = th_ground_locate(ground, 2, 13), b = th_ground_locate(ground, 10, 13);
  shape[0] = th_box_shape(15, 10, 19, 14);
  shape[1] = th_line_shape(2, 13, 10, 13);
  shape[1].own[0].z = th_ground_point(ground, a).z;
  shape[1].own[1].z = th_ground_point(ground, b).z;
  shape[2] = th_disc_shape_at(th_ground_point(ground, a), 1.5f);
}

static void record(const scene_run *f, const char *path) {
  th_shape shape[3];
  th_recording_def def = th_default_recording_def();
  th_recording *recording = NULL;
  shapes_of(f, shape);
  def.ground = th_world_ground(th_run_world(f->run));
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_OK);
  for (int k = 0; k < 3; k++)
    assert_int_equal(th_recording_mark(recording, "goal", "camp", &shape[k], def.ground, NULL), TH_OK);
  for (int k = 0; k < 3; k++) {
    assert_int_equal(th_recording_step(recording, th_run_world(f->run), NULL), TH_OK);
    assert_int_equal(th_run_step(f->run, NULL), TH_OK);
  }
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
}

static th_tracks tracks_of(const char *path) {
  th_tracks tracks;
  th_error error = {0};
  if (th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error) != TH_OK) fail_msg("%s", error.text);
  return tracks;
}

static void assert_on_surface(const th_ground *ground, const th_mesh_mark *mark) {
  for (uint32_t k = 0; k < mark->outline_count; k++) {
    const th_vec3 p = mark->outline[k];
    const th_place place = th_ground_locate_at(ground, p, TH_ANY_LEVEL, INFINITY);
    const th_vec3 q = th_ground_point(ground, place);
    if (!(hypotf(hypotf(p.x - q.x, p.y - q.y), p.z - q.z) < 2e-3f)) fail_msg("point %u is off the ground", k);
  }
}

/* Outlines follow the surface: the border of a polygon, a line from end to end; a disc is a circle. */
static void outlines_follow_the_surface(void **state) {
  (void)state;
  scene_run f = scene_run_make("%s", hills, (th_run_def){.seed = 0});
  record(&f, "marks_a.sqlite");
  th_tracks a = tracks_of("marks_a.sqlite");
  const th_ground *ground = th_world_ground(th_run_world(f.run));
  assert_int_equal(a.spot_count, 3);
  const th_mesh_mark *area = &a.spot[0], *line = &a.spot[1], *disc = &a.spot[2];
  assert_true(area->closed && area->outline_count > 16 && area->low == -INFINITY && area->high == INFINITY);
  assert_true(!line->closed && line->outline_count > 8 && !disc->outline && disc->radius == 1.5f);
  assert_on_surface(ground, area);
  assert_on_surface(ground, line);
  for (uint32_t k = 0; k < area->outline_count; k++) {
    const th_vec3 p = area->outline[k];
    const float off = fminf(fminf(fabsf(p.x - 15), fabsf(p.x - 19)), fminf(fabsf(p.y - 10), fabsf(p.y - 14)));
    assert_true(off < 1e-3f && p.x > 14.99f && p.x < 19.01f && p.y > 9.99f && p.y < 14.01f);
  }
  const th_vec3 *end = line->outline;
  assert_true(fabsf(end[0].x - 2) < 1e-3f && fabsf(end[line->outline_count - 1].x - 10) < 1e-3f);
  assert_true(end[0].z != end[line->outline_count / 2].z); /* it is not straight in space */
  th_tracks_free(&a);
  scene_run_free(&f);
  unlink("marks_a.sqlite");
}

/* Every face has the terrain of the ground, with its name; a copy of the tracks has all of it. */
static void terrains_come_back_with_their_names(void **state) {
  (void)state;
  scene_run f = scene_run_make("%s", hills, (th_run_def){.seed = 0});
  const th_ground *ground = th_world_ground(th_run_world(f.run));
  static const char *const name[] = {"plain", "sand", "pond"};
  for (uint32_t k = 0; k < 3; k++) assert_string_equal(th_ground_terrain_name(ground, k), name[k]);
  assert_string_equal(th_ground_terrain_name(ground, 3), "");
  assert_string_equal(th_ground_terrain_name(ground, 1000), "");
  record(&f, "marks_a.sqlite");
  th_tracks a = tracks_of("marks_a.sqlite");
  assert_int_equal(th_tracks_record(&a, "marks_b.sqlite", NULL), TH_OK);
  th_tracks b = tracks_of("marks_b.sqlite");
  for (int copy = 0; copy < 2; copy++) {
    const th_tracks *t = copy ? &b : &a;
    assert_int_equal(t->terrain_count, 3);
    for (uint32_t k = 0; k < 3; k++) assert_string_equal(t->terrain[k].text, name[k]);
    for (uint32_t face = 0; face < t->mesh[0].mesh.face_count; face++)
      assert_int_equal(t->terrain_of[face], th_ground_terrain(ground, face));
    assert_int_equal(t->spot_count, 3);
    assert_int_equal(t->spot[0].outline_count, a.spot[0].outline_count);
    assert_memory_equal(t->spot[0].outline, a.spot[0].outline, a.spot[0].outline_count * sizeof(th_vec3));
    assert_true(t->spot[0].closed && t->spot[0].high == INFINITY && !t->spot[1].closed);
  }
  th_tracks_free(&a);
  th_tracks_free(&b);
  scene_run_free(&f);
  unlink("marks_a.sqlite");
  unlink("marks_b.sqlite");
}

static void change(const char *path, const char *sql) {
  sqlite3 *file = NULL;
  char *why = NULL;
  assert_int_equal(sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  if (sqlite3_exec(file, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", sql, why);
  sqlite3_close(file);
}

/* A file from before outlines and terrains has circles and one terrain; a damaged outline is a circle, too. */
static void older_and_damaged_files_are_read(void **state) {
  (void)state;
  static const char drop[] =
      "CREATE TABLE old AS SELECT kind, name, face, x, y, z, radius FROM throng_spot; DROP TABLE throng_spot;"
      "ALTER TABLE old RENAME TO throng_spot; DROP TABLE throng_terrain";
  static const char *const sql[] = {
      "UPDATE throng_spot SET outline = x'00010203'", "UPDATE throng_spot SET low = 5, high = 4",
      "UPDATE throng_spot SET outline = x'0000c07f0000c07f0000c07f0000c07f0000c07f0000c07f'", /* not numbers */
      drop};
  scene_run f = scene_run_make("%s", hills, (th_run_def){.seed = 0});
  for (int k = 0; k < 4; k++) {
    record(&f, "marks_c.sqlite");
    change("marks_c.sqlite", sql[k]);
    th_tracks tracks = tracks_of("marks_c.sqlite");
    assert_int_equal(tracks.spot_count, 3);
    assert_true(!tracks.spot[0].outline && tracks.spot[0].outline_count == 0 && tracks.spot[0].radius > 1.0f);
    assert_true(k < 3 ? tracks.terrain_count == 3 : !tracks.terrain_of);
    th_tracks_free(&tracks);
  }
  record(&f, "marks_c.sqlite");
  change("marks_c.sqlite", "UPDATE throng_terrain SET faces = x'ffffff00' WHERE number = 1");
  th_tracks tracks;
  th_error error = {0};
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "marks_c.sqlite"}, &tracks, &error), TH_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "throng_terrain: expected a face below"));
  scene_run_free(&f);
  unlink("marks_c.sqlite");
}

static th_result write_once(const th_env *env, void *context) {
  const scene_run *f = context;
  th_shape shape[3];
  th_recording_def def = th_default_recording_def();
  th_recording *recording = NULL;
  shapes_of(f, shape);
  def.env = *env;
  def.ground = th_world_ground(th_run_world(f->run));
  th_result result = th_recording_make("marks_f.sqlite", &def, &recording, NULL);
  if (result != TH_OK) return result;
  for (int k = 0; k < 3 && result == TH_OK; k++)
    result = th_recording_mark(recording, "goal", "camp", &shape[k], def.ground, NULL);
  if (result == TH_OK) result = th_recording_step(recording, th_run_world(f->run), NULL);
  th_result closed = th_recording_close(recording, NULL);
  return result == TH_OK ? closed : result;
}

static th_result read_once(const th_env *env, void *context) {
  th_tracks tracks;
  (void)context;
  th_result result = th_recording_read(&(th_tracks_def){.env = *env, .path = "marks_g.sqlite"}, &tracks, NULL);
  if (result == TH_OK) th_tracks_free(&tracks);
  return result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  scene_run f = scene_run_make("%s", hills, (th_run_def){.seed = 0});
  assert_true(failing_every(write_once, &f) > 20);
  record(&f, "marks_g.sqlite");
  assert_true(failing_every(read_once, NULL) > 20);
  scene_run_free(&f);
  unlink("marks_f.sqlite");
  unlink("marks_g.sqlite");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outlines_follow_the_surface),
      cmocka_unit_test(terrains_come_back_with_their_names),
      cmocka_unit_test(older_and_damaged_files_are_read),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
