/* Tests of recordings: JuPedSim's tables by plain SQL, what comes back, kills, full disks, replaced files. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/recordings.h"

static void assert_columns(const char *path, const char *table, const char *expected) {
  char sql[256], found[256];
  snprintf(sql, sizeof sql,
           "SELECT group_concat(name || ' ' || type || ' ' || \"notnull\", ', ') FROM pragma_table_info('%s')", table);
  ask_text(path, sql, found, sizeof found);
  assert_string_equal(found, expected);
}

static void the_tables_are_jupedsims(void **state) {
  (void)state;
  const char *path = in_folder("tables.sqlite");
  record(path, room_def(), 5, 10);
  assert_columns(path, "trajectory_data",
                 "frame INTEGER 1, id INTEGER 1, pos_x REAL 1, pos_y REAL 1, ori_x REAL 1, ori_y REAL 1");
  assert_columns(path, "metadata", "key TEXT 1, value TEXT 1");
  assert_columns(path, "geometry", "hash INTEGER 1, wkt TEXT 1");
  assert_columns(path, "frame_data", "frame INTEGER 1, geometry_hash INTEGER 1");
  char text[128];
  ask_text(path, "SELECT value FROM metadata WHERE key = 'version'", text, sizeof text);
  assert_string_equal(text, "2"); /* PedPy loads the walkable area of versions 1 and 2 */
  ask_text(path, "SELECT value FROM metadata WHERE key = 'fps'", text, sizeof text);
  assert_string_equal(text, "10");
  ask_text(path, "SELECT value FROM metadata WHERE key = 'xmax'", text, sizeof text);
  assert_string_equal(text, "20");
  ask_text(path, "SELECT wkt FROM geometry JOIN frame_data ON hash = geometry_hash WHERE frame = 9", text, sizeof text);
  assert_string_equal(text, ROOM);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM frame_data"), 10);
  /* what PedPy asks */
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM (SELECT frame, id, pos_x AS x, pos_y AS y FROM trajectory_data)"),
                   50);
  assert_true(fabs(ask(path, "SELECT pos_x FROM trajectory_data WHERE frame = 9 AND id = 3") - 2.37) < 1e-5);
  assert_true(fabs(ask(path, "SELECT heading FROM throng_state WHERE frame = 9 AND id = 3") - atan2(0.8, 0.6)) < 1e-6);
  assert_true(fabs(ask(path, "SELECT ori_x FROM trajectory_data WHERE frame = 9 AND id = 3") - 0.6) < 1e-6);
  assert_true(fabs(ask(path, "SELECT ori_y FROM trajectory_data WHERE frame = 9 AND id = 3") - 0.8) < 1e-6);
}

static void version_3_has_no_orientations(void **state) {
  (void)state;
  const char *path = in_folder("version3.sqlite");
  th_recording_def def = room_def();
  def.version = 3;
  record(path, def, 3, 10);
  assert_columns(path, "trajectory_data", "frame INTEGER 1, id INTEGER 1, pos_x REAL 1, pos_y REAL 1");
  char text[8];
  ask_text(path, "SELECT value FROM metadata WHERE key = 'version'", text, sizeof text);
  assert_string_equal(text, "3");
}

/* shows: BIO-67 */
static void what_was_written_comes_back(void **state) {
  (void)state;
  const char *path = in_folder("back.sqlite");
  th_recording_def def = room_def();
  def.every = 2;
  record(path, def, 5, 21);
  th_tracks tracks = {0};
  th_error error = {0};
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error), TH_OK);
  assert_string_equal(tracks.name, "room");
  assert_int_equal(tracks.seed, 7);
  assert_true(tracks.fps == 5.0);
  assert_int_equal(tracks.track_count, 5);
  assert_int_equal(tracks.sample_count, 55);
  assert_int_equal(tracks.frame_last, 10);
  assert_int_equal(tracks.plan_count, 1);
  assert_int_equal(tracks.plan[0].ring_count, 2);
  assert_true(tracks.plan[0].ring[1].hole);
  crowd c;
  for (uint32_t f = 0; f <= 10; f++) {
    (void)crowd_at(&c, 5, 2 * f);
    for (uint32_t i = 0; i < 5; i++) {
      uint32_t k = th_tracks_find(&tracks, &tracks.track[i], f);
      assert_int_equal(tracks.frame[k], f);
      assert_true(tracks.x[k] == c.x[i] && tracks.y[k] == c.y[i] && tracks.vx[k] == c.vx[i]);
      assert_true(tracks.track[i].radius == c.radius[i]);
      assert_int_equal(tracks.gait[k], TH_GAIT_WALK);
    }
  }
  assert_int_equal(th_tracks_find(&tracks, &tracks.track[0], 11), UINT32_MAX);
  th_tracks_free(&tracks);
  th_recording_info info;
  assert_int_equal(th_recording_read_info(path, &info, &error), TH_OK);
  assert_int_equal(info.frames, 11);
  assert_int_equal(info.agents, 5);
  assert_int_equal(info.rows, 55);
  assert_true(info.lower.x == 1.0f);
}

static void reused_ids_become_new_agents(void **state) {
  (void)state;
  const char *path = in_folder("reuse.sqlite");
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  crowd c;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_OK);
  th_agents a = crowd_at(&c, 2, 0);
  assert_int_equal(th_recording_write(recording, 0, &a, NULL), TH_OK);
  c.id[1].generation = 2; /* another agent in the same row */
  assert_int_equal(th_recording_write(recording, 1, &a, NULL), TH_OK);
  c.state[0] = TH_AGENT_DELAYED; /* not in the world */
  assert_int_equal(th_recording_write(recording, 2, &a, NULL), TH_OK);
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM throng_agent"), 3);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data WHERE id = 2"), 1);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data WHERE id = 3"), 2);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data WHERE frame = 2"), 1);
}

/* The frame shows who took the index; the events of the one who left come after it. */
static void events_of_a_reused_index_go_to_their_agents(void **state) {
  (void)state;
  const char *path = in_folder("events.sqlite");
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  crowd c;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_OK);
  th_agents a = crowd_at(&c, 2, 0);
  th_event added = {.kind = TH_EVENT_ADDED, .agent = c.id[0]};
  assert_int_equal(th_recording_events(recording, &added, 1, NULL), TH_OK); /* before its first frame */
  assert_int_equal(th_recording_write(recording, 0, &a, NULL), TH_OK);
  for (uint16_t generation = 3; generation < 40; generation = (uint16_t)(generation + 2)) {
    th_event left[2] = {{.kind = TH_EVENT_REMOVED, .agent = c.id[1]}, {.kind = TH_EVENT_ADDED, .agent = c.id[1]}};
    c.id[1].generation = left[1].agent.generation = generation;
    assert_int_equal(th_recording_write(recording, generation, &a, NULL), TH_OK);
    assert_int_equal(th_recording_events(recording, left, 2, NULL), TH_OK);
  }
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM throng_agent"), 21);
  assert_int_equal(ask(path, "SELECT COUNT(DISTINCT id) FROM trajectory_data"), 21);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM throng_agent WHERE radius IS NULL OR radius < 0.2"), 0);
  assert_int_equal(ask(path, "SELECT COUNT(DISTINCT id) FROM throng_event WHERE kind = 'removed'"), 19);
  assert_int_equal(ask(path, "SELECT MIN(id) FROM throng_event WHERE kind = 'removed'"), 2);
  assert_int_equal(ask(path, "SELECT MAX(id) FROM throng_event WHERE kind = 'removed'"), 20);
}

/* The words of docs/recordings.md, by enumerator: whatever is added to the enum, none of them moves. */
static void kinds_of_events_have_their_words(void **state) {
  (void)state;
  static const struct {
    th_event_kind kind;
    const char *word;
  } known[] = {{TH_EVENT_ARRIVED, "arrived"},
               {TH_EVENT_UNREACHABLE, "unreachable"},
               {TH_EVENT_REMOVED, "removed"},
               {TH_EVENT_STUCK, "stuck"},
               {TH_EVENT_ADDED, "added"},
               {TH_EVENT_FULL, "full"},
               {TH_EVENT_DISPLACED, "displaced"},
               {TH_EVENT_REFUSED, "refused"},
               {TH_EVENT_SET_OFF, "set_off"},
               {TH_EVENT_LINK_GONE, "link_gone"},
               {TH_EVENT_QUEUES, "queues"},
               {TH_EVENT_JOINED, "joined"},
               {TH_EVENT_LEFT, "left"}};
  const uint32_t count = sizeof known / sizeof *known;
  const char *path = in_folder("kinds.sqlite");
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  crowd c;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_OK);
  th_agents a = crowd_at(&c, 2, 0);
  assert_int_equal(th_recording_write(recording, 0, &a, NULL), TH_OK);
  for (uint32_t k = 0; k < count; k++) {
    th_event event = {.kind = known[k].kind, .agent = c.id[0], .step = k};
    assert_int_equal(th_recording_events(recording, &event, 1, NULL), TH_OK);
  }
  th_error error;
  th_event none = {.kind = (th_event_kind)count, .agent = c.id[0]};
  assert_int_equal(th_recording_events(recording, &none, 1, &error), TH_ERROR_RANGE);
  assert_non_null(strstr(error.text, "expected a th_event_kind, found 13"));
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  th_tracks tracks;
  th_tracks_def from = th_default_tracks_def();
  from.path = path;
  assert_int_equal(th_recording_read(&from, &tracks, NULL), TH_OK);
  assert_int_equal(tracks.happening_count, count);
  for (uint32_t k = 0; k < count; k++) assert_string_equal(tracks.happening[k].kind, known[k].word);
  th_tracks_free(&tracks);
}

static void ground_changes_events_and_shapes_are_kept(void **state) {
  (void)state;
  const char *path = in_folder("rich.sqlite");
  th_recording_def def = room_def();
  def.scene = "{\"version\": 1}";
  th_recording *recording = NULL;
  crowd c;
  th_vec3 centre = {5, 5, 0}, line[2] = {{1, 1, 0}, {1, 9, 0}};
  th_shape disc = {.kind = TH_SHAPE_DISC, .point = &centre, .count = 1, .radius = 0.5f},
           gate = {.kind = TH_SHAPE_LINE, .point = line, .count = 2};
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_OK);
  assert_int_equal(th_recording_mark(recording, "goal", "fountain", &disc, NULL, NULL), TH_OK);
  assert_int_equal(th_recording_mark(recording, "line", NULL, &gate, NULL, NULL), TH_OK);
  for (uint64_t step = 0; step < 9; step++) {
    th_agents a = crowd_at(&c, 2, step);
    const char *wkt = step / 3 == 1 ? ROOM_CLOSED : ROOM; /* open, closed, open again */
    assert_int_equal(th_recording_ground(recording, wkt, NULL), TH_OK);
    assert_int_equal(th_recording_write(recording, step, &a, NULL), TH_OK);
  }
  th_event event = {.kind = TH_EVENT_ARRIVED, .agent = c.id[1], .goal = {4, 1, 0}, .step = 8};
  assert_int_equal(th_recording_events(recording, &event, 1, NULL), TH_OK);
  assert_int_equal(th_recording_debug(recording, 8, c.id[0], "pull", (th_vec2){1, 2}, 0.5), TH_OK);
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  th_tracks tracks = {0};
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = path}, &tracks, NULL), TH_OK);
  assert_int_equal(tracks.plan_count, 3);
  assert_int_equal(tracks.plan_frame[1], 3);
  assert_int_equal(tracks.plan_frame[2], 6);
  assert_int_equal(tracks.mark_count, 2);
  assert_string_equal(tracks.mark[0].name, "fountain");
  assert_int_equal(tracks.mark[0].plan.point_count, 48);
  assert_int_equal(tracks.mark[1].plan.point_count, 2);
  assert_int_equal(tracks.happening_count, 1);
  assert_string_equal(tracks.happening[0].kind, "arrived");
  assert_int_equal(tracks.happening[0].id, 2);
  assert_true(fabs(tracks.happening[0].time - 0.8) < 1e-9);
  th_tracks_free(&tracks);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM geometry"), 2);
  assert_true(ask(path, "SELECT value FROM throng_debug WHERE name = 'pull' AND id = 1") == 0.5);
  char *scene = NULL;
  assert_int_equal(th_recording_read_scene(&(th_tracks_def){.path = path}, &scene, NULL), TH_OK);
  assert_string_equal(scene, def.scene);
  th_text_free(scene);
}

static void nap(double seconds) {
  struct timespec wait = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&wait, NULL);
}

typedef enum pace { STEADY, PAUSE, RUSH } pace;

/* Writes frames for ever, one each 20 ms or as fast as it goes, and shows the number of the last one in `told`. */
static void write_until_killed(const char *path, _Atomic uint64_t *told, pace how) {
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  crowd c;
  if (th_recording_make(path, &def, &recording, NULL) != TH_OK) _exit(3);
  for (uint64_t step = 0;; step++) {
    th_agents a = crowd_at(&c, 50, step);
    if (th_recording_write(recording, step, &a, NULL) != TH_OK) _exit(4);
    atomic_store(told, step);
    if (how == PAUSE && step == 7) nap(60.0); /* a step that takes very long */
    if (how != RUSH) nap(0.02);
  }
}

typedef struct writer {
  pid_t child;
  _Atomic uint64_t *told;
  uint64_t old; /* the last frame that was a second old when it was killed */
} writer;

static writer start_writer(const char *path, pace how) {
  writer w = {.told = mmap(NULL, sizeof *w.told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)};
  assert_ptr_not_equal(w.told, MAP_FAILED);
  w.child = fork();
  if (w.child == 0) write_until_killed(path, w.told, how);
  return w;
}

/* Kills writers that have just started, after `seconds`. */
static void kill_writers(writer *w, int count, double seconds) {
  nap(seconds - 1.0);
  for (int k = 0; k < count; k++) w[k].old = atomic_load(w[k].told);
  nap(1.0);
  for (int k = 0; k < count; k++) kill(w[k].child, SIGKILL);
  for (int k = 0; k < count; k++) {
    int status = 0;
    waitpid(w[k].child, &status, 0);
    munmap((void *)w[k].told, sizeof *w[k].told);
    assert_true(WIFSIGNALED(status));
  }
}

static uint64_t kill_writer(const char *path, double seconds, pace how) {
  writer w = start_writer(path, how);
  kill_writers(&w, 1, seconds);
  return w.old;
}

static void assert_whole(const char *path, uint64_t old) {
  assert_true(old >= 5);
  th_tracks tracks = {0};
  th_error error = {0};
  if (th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error) != TH_OK) fail_msg("%s", error.text);
  assert_true(tracks.frame_last >= old);
  assert_int_equal(tracks.sample_count, 50 * (tracks.frame_last + 1)); /* no half frames */
  th_tracks_free(&tracks);
  char check[32];
  ask_text(path, "PRAGMA integrity_check", check, sizeof check);
  assert_string_equal(check, "ok");
}

/* One that writes now and then and one that writes all the time, killed together: most of this is waiting. */
static void a_killed_writer_leaves_every_old_frame(void **state) {
  (void)state;
  for (int run = 0; run < 3; run++) {
    char steady[96], rush[96];
    snprintf(steady, sizeof steady, "%s", in_folder("steady.sqlite"));
    snprintf(rush, sizeof rush, "%s", in_folder("rush.sqlite"));
    writer w[2] = {start_writer(steady, STEADY), start_writer(rush, RUSH)};
    kill_writers(w, 2, 1.5 + 0.26 * run);
    assert_whole(steady, w[0].old);
    assert_whole(rush, w[1].old);
  }
}

static void a_slow_step_keeps_no_frame_back(void **state) {
  (void)state;
  const char *path = in_folder("slow.sqlite");
  uint64_t old = kill_writer(path, 1.6, PAUSE);
  assert_int_equal(old, 7);
  assert_int_equal(ask(path, "SELECT MAX(frame) FROM trajectory_data"), 7);
}

/* What a writer that was killed before its first frame leaves: the plan and nobody. */
static void a_file_without_frames_has_its_plan(void **state) {
  (void)state;
  const char *path = in_folder("early.sqlite");
  record(path, room_def(), 3, 5);
  sqlite3 *file = NULL;
  assert_int_equal(sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_exec(file, "DELETE FROM trajectory_data; DELETE FROM frame_data", NULL, NULL, NULL),
                   SQLITE_OK);
  sqlite3_close(file);
  th_tracks tracks;
  th_error error = {0};
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error), TH_OK);
  assert_true(tracks.plan_count == 1 && tracks.track_count == 0);
  char *text = NULL;
  assert_int_equal(th_floor_plan_wkt(&tracks.plan[0], &text, &error), TH_OK);
  assert_string_equal(text, ROOM);
  th_text_free(text);
  th_tracks_free(&tracks);
}

static void a_killed_recording_can_be_replaced(void **state) {
  (void)state;
  const char *path = in_folder("again.sqlite");
  (void)kill_writer(path, 1.2, STEADY);
  record(path, room_def(), 3, 5);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data"), 15);
  assert_int_not_equal(access(in_folder("again.sqlite.old"), F_OK), 0);
}

static void one_file_is_left(void **state) {
  (void)state;
  const char *path = in_folder("single.sqlite");
  record(path, room_def(), 3, 5);
  record(path, room_def(), 4, 5);
  static const char *const side[] = {"-journal", "-wal", "-shm", ".part", ".old", ".lock"};
  char name[120];
  for (int k = 0; k < 6; k++) {
    snprintf(name, sizeof name, "%s%s", path, side[k]);
    assert_int_not_equal(access(name, F_OK), 0);
  }
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data"), 20);
}

static void record_slowly(const char *path) {
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  crowd c;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_OK);
  for (uint64_t step = 0; step < 200; step++) {
    th_agents a = crowd_at(&c, 40, step);
    assert_int_equal(th_recording_write(recording, step, &a, NULL), TH_OK);
    if (step % 50 == 20) nap(0.4);
  }
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
}

static void equal_runs_give_equal_bytes(void **state) {
  (void)state;
  char one[96], two[96];
  snprintf(one, sizeof one, "%s", in_folder("one.sqlite"));
  snprintf(two, sizeof two, "%s", in_folder("two.sqlite"));
  record(one, room_def(), 40, 200);
  record_slowly(two); /* the same, in five bursts */
  size_t size, other;
  char *a = file_bytes(one, &size), *b = file_bytes(two, &other);
  assert_int_equal(size, other);
  assert_memory_equal(a, b, size);
  assert_memory_equal(a + 24, "\0\0\0\1", 4); /* SQLite's counts of transactions, which it compares */
  assert_memory_equal(a + 92, "\0\0\0\1", 4);
  free(a);
  free(b);
}

static void folders_that_cannot_be_written_are_refused(void **state) {
  (void)state;
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  th_error error = {0};
  assert_int_equal(th_recording_make("/no/such/folder/a.sqlite", &def, &recording, &error), TH_ERROR_FILE);
  assert_non_null(strstr(error.where, "/no/such/folder/a.sqlite"));
  assert_int_equal(th_recording_make(folder, &def, &recording, &error), TH_ERROR_FILE);
  assert_non_null(strstr(error.text, "folder"));
  assert_int_equal(th_recording_make("", &def, &recording, &error), TH_ERROR_FILE);
  char name[5000];
  memset(name, 'a', sizeof name);
  name[sizeof name - 1] = 0;
  assert_int_equal(th_recording_make(name, &def, &recording, &error), TH_ERROR_FILE);
  assert_null(recording);
}

static void wrong_defs_are_refused_and_nothing_is_touched(void **state) {
  (void)state;
  const char *path = in_folder("kept.sqlite");
  record(path, room_def(), 3, 5);
  th_recording *recording = NULL;
  th_recording_def def = room_def();
  def.dt = NAN;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_ERROR_RANGE);
  def = room_def();
  def.every = 0;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_ERROR_RANGE);
  def = room_def();
  def.version = 1;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_ERROR_RANGE);
  def = room_def();
  def.wkt = "POLYGON ((0 0, 1 0";
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_ERROR_FORMAT);
  def.wkt = NULL;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_ERROR_STATE);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data"), 15);
}

/* Exit code 0 when a disk that fills up was reported as it should. */
static int fill_disk(const char *path, rlim_t limit) {
  struct rlimit size = {limit, limit};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &size);
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  th_error error = {0};
  crowd c;
  if (th_recording_make(path, &def, &recording, &error) != TH_OK) return error.code == TH_ERROR_FILE ? 10 : 1;
  th_result result = TH_OK;
  for (uint64_t step = 0; step < 100000 && result == TH_OK; step++) {
    th_agents a = crowd_at(&c, 60, step);
    result = th_recording_write(recording, step, &a, &error);
  }
  if (result != TH_ERROR_FILE || !strstr(error.where, path)) return 2;
  if (th_recording_close(recording, &error) != TH_ERROR_FILE) return 3;
  return strstr(error.text, ".part") ? 0 : 4;
}

static int in_child(const char *path, rlim_t limit) {
  pid_t child = fork();
  if (child == 0) _exit(fill_disk(path, limit));
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static void a_full_disk_is_reported_and_the_former_file_returns(void **state) {
  (void)state;
  const char *path = in_folder("full.sqlite");
  record(path, room_def(), 3, 5);
  assert_int_equal(in_child(path, 300000), 0);
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data"), 15);
  assert_int_equal(in_child(path, 2000), 10); /* not even room for the tables */
  assert_int_equal(ask(path, "SELECT COUNT(*) FROM trajectory_data"), 15);
}

static void files_that_are_no_recordings_are_refused(void **state) {
  (void)state;
  const char *path = in_folder("bad.sqlite");
  th_tracks tracks = {0};
  th_recording_info info;
  th_error error = {0};
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = in_folder("missing.sqlite")}, &tracks, &error),
                   TH_ERROR_FILE);
  FILE *file = fopen(in_folder("bad.sqlite"), "w");
  fputs("this is not a database, but it is long enough to look at", file);
  fclose(file);
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error), TH_ERROR_FORMAT);
  static const char *const change[] = {"UPDATE metadata SET value = '0' WHERE key = 'fps'",
                                       "DELETE FROM metadata WHERE key = 'fps'",
                                       "UPDATE metadata SET value = '9' WHERE key = 'version'",
                                       "UPDATE trajectory_data SET pos_x = 9e999 WHERE frame = 2",
                                       "UPDATE trajectory_data SET frame = -4 WHERE frame = 2",
                                       "UPDATE trajectory_data SET frame = 1 WHERE frame = 2",
                                       "UPDATE metadata SET value = '1e-320' WHERE key = 'fps'",
                                       "UPDATE trajectory_data SET frame = 2000000000 WHERE frame = 4",
                                       "UPDATE frame_data SET frame = 2000000000 WHERE frame = 4",
                                       "UPDATE geometry SET wkt = 'CIRCLE (1 2)'",
                                       "DROP TABLE metadata"};
  for (size_t k = 0; k < sizeof change / sizeof *change; k++) {
    sqlite3 *open = NULL;
    record(in_folder("bad.sqlite"), room_def(), 3, 5);
    assert_int_equal(sqlite3_open(path, &open), SQLITE_OK);
    assert_int_equal(sqlite3_exec(open, change[k], NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(open);
    assert_int_equal(th_recording_read(&(th_tracks_def){.path = path}, &tracks, &error), TH_ERROR_FORMAT);
  }
  assert_int_equal(th_recording_read_info(path, &info, &error), TH_ERROR_FORMAT);
}

static void places_that_are_no_numbers_are_refused(void **state) {
  (void)state;
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  th_error error = {0};
  crowd c;
  assert_int_equal(th_recording_make(in_folder("nan.sqlite"), &def, &recording, NULL), TH_OK);
  th_agents a = crowd_at(&c, 5, 0);
  c.x[3] = NAN;
  assert_int_equal(th_recording_write(recording, 0, &a, &error), TH_ERROR_RANGE);
  assert_int_equal(error.element, 3);
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
}

static th_result write_and_read(const th_env *env, void *context) {
  const char *path = (const char *)context;
  th_recording_def def = room_def();
  def.env = *env;
  th_recording *recording = NULL;
  crowd c;
  th_vec3 centre = {5, 5, 0};
  th_shape disc = {.kind = TH_SHAPE_DISC, .point = &centre, .count = 1, .radius = 0.5f};
  th_result result = th_recording_make(path, &def, &recording, NULL);
  if (result != TH_OK) return result;
  th_agents a = crowd_at(&c, 20, 0);
  result = th_recording_mark(recording, "goal", "a", &disc, NULL, NULL);
  if (result == TH_OK) result = th_recording_ground(recording, ROOM_CLOSED, NULL);
  if (result == TH_OK) result = th_recording_write(recording, 0, &a, NULL);
  th_event event = {.kind = TH_EVENT_ARRIVED, .agent = {40, 1, 0}, .goal = {4, 1, 0}, .step = 8};
  if (result == TH_OK) result = th_recording_events(recording, &event, 1, NULL);
  if (result == TH_OK) result = th_recording_debug(recording, 0, c.id[0], "n", (th_vec2){0, 0}, 1.0);
  th_result closed = th_recording_close(recording, NULL);
  if (result != TH_OK) return result;
  if (closed != TH_OK) return closed;
  th_tracks tracks = {0};
  result = th_recording_read(&(th_tracks_def){.env = *env, .path = path}, &tracks, NULL);
  th_tracks_free(&tracks);
  return result;
}

static void drop_column(const char *path) {
  sqlite3 *file = NULL;
  assert_int_equal(sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_exec(file, "ALTER TABLE throng_state RENAME COLUMN narrowed TO other", NULL, NULL, NULL),
                   SQLITE_OK);
  sqlite3_close(file);
}

/* Turned shoulders are kept, go along when tracks are recorded again, and are none in a file that does not have them.
 */
static void turned_shoulders_are_kept(void **state) {
  (void)state;
  const char *path = in_folder("turned.sqlite");
  th_recording_def def = room_def();
  th_recording *recording = NULL;
  th_error error = {0};
  crowd c;
  const float body[3] = {0.2f, 0.9f * 0.201f, 0.95f * 0.202f};
  assert_int_equal(th_recording_make(path, &def, &recording, &error), TH_OK);
  th_agents a = crowd_at(&c, 3, 0);
  a.body = body;
  assert_int_equal(th_recording_write(recording, 0, &a, &error), TH_OK);
  assert_int_equal(th_recording_close(recording, &error), TH_OK);
  for (int pass = 0; pass < 3; pass++) {
    const float expected[3] = {0.0f, 1.0f - body[1] / 0.201f, 1.0f - body[2] / 0.202f};
    const char *file = pass == 0 ? path : in_folder("turned_again.sqlite");
    th_tracks_def read = th_default_tracks_def();
    th_tracks tracks = {0};
    read.path = file;
    if (pass == 2) drop_column(file);
    assert_int_equal(th_recording_read(&read, &tracks, &error), TH_OK);
    for (uint32_t i = 0; i < 3; i++) assert_true(tracks.narrowed[i] == (pass == 2 ? 0.0f : expected[i]));
    if (pass == 0) assert_int_equal(th_tracks_record(&tracks, in_folder("turned_again.sqlite"), &error), TH_OK);
    th_tracks_free(&tracks);
  }
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  assert_true(failing_every(write_and_read, (void *)(uintptr_t)in_folder("failing.sqlite")) > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tables_are_jupedsims),
      cmocka_unit_test(version_3_has_no_orientations),
      cmocka_unit_test(what_was_written_comes_back),
      cmocka_unit_test(reused_ids_become_new_agents),
      cmocka_unit_test(events_of_a_reused_index_go_to_their_agents),
      cmocka_unit_test(kinds_of_events_have_their_words),
      cmocka_unit_test(ground_changes_events_and_shapes_are_kept),
      cmocka_unit_test(a_killed_writer_leaves_every_old_frame),
      cmocka_unit_test(a_slow_step_keeps_no_frame_back),
      cmocka_unit_test(a_file_without_frames_has_its_plan),
      cmocka_unit_test(a_killed_recording_can_be_replaced),
      cmocka_unit_test(one_file_is_left),
      cmocka_unit_test(equal_runs_give_equal_bytes),
      cmocka_unit_test(folders_that_cannot_be_written_are_refused),
      cmocka_unit_test(wrong_defs_are_refused_and_nothing_is_touched),
      cmocka_unit_test(a_full_disk_is_reported_and_the_former_file_returns),
      cmocka_unit_test(files_that_are_no_recordings_are_refused),
      cmocka_unit_test(places_that_are_no_numbers_are_refused),
      cmocka_unit_test(turned_shoulders_are_kept),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
