/* Tests of recordings as files: whole copies, a second writer, damage. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/recordings.h"

/* A copy has all tables, row by row, also those of other programs; a file is not copied onto itself, by any name. */
static void a_copy_holds_everything(void **state) {
  (void)state;
  char from[96], to[96], link_name[96], sql[400];
  snprintf(from, sizeof from, "%s", in_folder("from.sqlite"));
  snprintf(to, sizeof to, "%s", in_folder("to.sqlite"));
  snprintf(link_name, sizeof link_name, "%s", in_folder("link.sqlite"));
  th_recording_def def = room_def();
  def.scene = "{\"version\": 1}";
  th_recording *recording = NULL;
  crowd c;
  th_vec3 centre = {5, 5, 0};
  th_shape disc = {.kind = TH_SHAPE_DISC, .point = &centre, .count = 1, .radius = 0.5f};
  assert_int_equal(th_recording_make(from, &def, &recording, NULL), TH_OK);
  assert_int_equal(th_recording_mark(recording, "goal", "fountain", &disc, NULL, NULL), TH_OK);
  assert_int_equal(th_recording_goal(recording, (th_goal_id){4, 1, 0}, "fountain", NULL), TH_OK);
  th_agents a = crowd_at(&c, 9, 0);
  assert_int_equal(th_recording_write(recording, 0, &a, NULL), TH_OK);
  th_event event = {.kind = TH_EVENT_ARRIVED, .agent = c.id[1], .goal = {4, 1, 0}};
  assert_int_equal(th_recording_events(recording, &event, 1, NULL), TH_OK);
  assert_int_equal(th_recording_debug(recording, 0, c.id[0], "pull", (th_vec2){1, 2}, 0.5), TH_OK);
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  assert_int_equal(th_recording_copy(from, to, NULL), TH_OK);
  static const char *const table[] = {"trajectory_data", "metadata",     "geometry",     "frame_data",
                                      "throng_agent",    "throng_state", "throng_event", "throng_debug",
                                      "throng_shape",    "throng_goal",  "throng_meta"};
  for (int k = 0; k < 11; k++) {
    snprintf(sql, sizeof sql, "SELECT COUNT(*) FROM %s", table[k]);
    assert_true(ask(from, sql) > 0);
    snprintf(sql, sizeof sql, "ATTACH '%s' AS copy; ", to);
    sqlite3 *both = NULL;
    assert_int_equal(sqlite3_open(from, &both), SQLITE_OK);
    assert_int_equal(sqlite3_exec(both, sql, NULL, NULL, NULL), SQLITE_OK);
    snprintf(
        sql, sizeof sql,
        "CREATE TEMP TABLE differs AS SELECT * FROM (SELECT * FROM main.%s EXCEPT SELECT * FROM copy.%s) UNION ALL "
        "SELECT * FROM (SELECT * FROM copy.%s EXCEPT SELECT * FROM main.%s)",
        table[k], table[k], table[k], table[k]);
    assert_int_equal(sqlite3_exec(both, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_stmt *query = NULL;
    assert_int_equal(sqlite3_prepare_v2(both, "SELECT COUNT(*) FROM differs", -1, &query, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(query, 0), 0);
    sqlite3_finalize(query);
    sqlite3_close(both);
  }
  th_error error = {0};
  assert_int_equal(symlink(from, link_name), 0);
  assert_int_equal(th_recording_copy(from, from, &error), TH_ERROR_STATE);
  assert_int_equal(th_recording_copy(from, link_name, &error), TH_ERROR_STATE);
  assert_int_equal(ask(from, "SELECT COUNT(*) FROM throng_event"), 1);
}

/* The second of two writers of one file is told so and changes nothing; when the first has ended it may write. */
static void a_second_writer_is_refused(void **state) {
  (void)state;
  char path[96];
  snprintf(path, sizeof path, "%s", in_folder("busy.sqlite"));
  th_recording_def def = room_def();
  th_recording *first = NULL, *second = NULL;
  th_error error = {0};
  crowd c;
  record(path, def, 3, 5);
  assert_int_equal(th_recording_make(path, &def, &first, NULL), TH_OK);
  assert_int_equal(th_recording_make(path, &def, &second, &error), TH_ERROR_FILE);
  assert_non_null(strstr(error.text, "another run is writing"));
  th_agents a = crowd_at(&c, 7, 0);
  assert_int_equal(th_recording_write(first, 0, &a, NULL), TH_OK);
  record(in_folder("source.sqlite"), def, 3, 5);
  assert_int_equal(th_recording_copy(in_folder("source.sqlite"), path, &error), TH_ERROR_FILE);
  assert_int_equal(th_recording_close(first, NULL), TH_OK);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data"), 7);
  record(path, def, 4, 5);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data"), 20);
  pid_t child = fork(); /* the lock of a writer that was killed holds nobody up */
  if (child == 0) _exit(th_recording_make(path, &def, &first, NULL) == TH_OK ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  record(path, def, 2, 5);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data"), 10);
}

/* Reads everything that a file may hold; TH_OK or the first error. */
static th_result read_all(const char *path, th_error *error) {
  th_tracks tracks = {0};
  th_recording_info info;
  th_result result = th_recording_read(&(th_tracks_def){.path = path}, &tracks, error);
  if (result == TH_OK) result = th_recording_read_info(path, &info, error);
  th_tracks_free(&tracks);
  return result;
}

static void record_with_events(const char *path) {
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  crowd c;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_OK);
  for (uint64_t step = 0; step < 40; step++) {
    th_agents a = crowd_at(&c, 20, step);
    assert_int_equal(th_recording_write(recording, step, &a, NULL), TH_OK);
    th_event event = {.kind = TH_EVENT_STUCK, .agent = c.id[step % 20], .step = step};
    assert_int_equal(th_recording_events(recording, &event, 1, NULL), TH_OK);
  }
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
}

/* Fills the first page of a table with rubbish. */
static void spoil(const char *path, const char *table) {
  static const char rubbish[4096] = {7, 7, 7};
  char sql[96];
  snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
  long page = (long)ask(path, sql) - 1;
  FILE *file = fopen(path, "r+b");
  assert_int_equal(fseek(file, 4096 * page, SEEK_SET), 0);
  assert_int_equal(fwrite(rubbish, 1, sizeof rubbish, file), sizeof rubbish);
  fclose(file);
}

/* A file that was cut off, or in which a page holds rubbish, is called damaged; nothing is taken from it. */
static void damaged_files_are_called_damaged(void **state) {
  (void)state;
  static const char *const table[] = {"trajectory_data", "metadata",     "geometry",     "frame_data", "throng_agent",
                                      "throng_state",    "throng_event", "throng_shape", "throng_goal"};
  char path[96];
  snprintf(path, sizeof path, "%s", in_folder("damaged.sqlite"));
  for (int k = -2; k < 9; k++) {
    record_with_events(path);
    if (k < 0)
      assert_int_equal(truncate(path, k == -1 ? 4096 : 20000), 0);
    else
      spoil(path, table[k]);
    th_error error = {0};
    if (read_all(path, &error) != TH_ERROR_FORMAT || !strstr(error.text, "damaged"))
      fail_msg("%s: %s", k < 0 ? "cut off" : table[k], error.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_copy_holds_everything),
      cmocka_unit_test(a_second_writer_is_refused),
      cmocka_unit_test(damaged_files_are_called_damaged),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
