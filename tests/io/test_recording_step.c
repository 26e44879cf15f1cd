/* tests/io/test_recording_step.c - a world recorded by one call a step: the same bytes as by the single calls, on flat
 * and mesh ground that changes; marks; what is refused; memory. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/folder.h"
#include "support/scene_runs.h"
#include "throng/ground.h"
#include "throng/model.h"
#include "throng/recording.h"

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

static scene_run make(const char *text) { return scene_run_make("%s", text, (th_run_def){.seed = 0}); }

/* Tells who an agent is, once. */
static void introduce(th_recording *recording, const th_world *world, th_agent_id agent, uint16_t *known) {
  th_agent_def def;
  if (known[agent.index] == agent.generation) return;
  known[agent.index] = agent.generation;
  assert_true(th_world_agent_def(world, agent, &def));
  th_recording_agent_def about = {.model = def.model->name, .goal = def.route[0].goal, .radius = def.radius};
  assert_int_equal(th_recording_agent(recording, agent, &about, NULL), TH_OK);
}

/* What a host would write without th_recording_step. */
static void record_by_hand(th_recording *recording, const th_world *world, uint32_t *version, uint16_t *known) {
  static th_vec3 room[4][64];
  const th_ground *ground = th_world_ground(world);
  if (th_ground_version(ground) != *version) {
    char *wkt = NULL;
    assert_int_equal(th_ground_wkt(ground, &wkt, NULL), TH_OK);
    assert_int_equal(th_recording_ground(recording, wkt, NULL), TH_OK);
    if (th_ground_mesh(ground))
      assert_int_equal(th_recording_mesh(recording, th_ground_mesh(ground), th_ground_blocked_faces(ground), NULL),
                       TH_OK);
    th_text_free(wkt);
  }
  *version = th_ground_version(ground);
  th_points points = {.point = room[0], .velocity = room[1], .heading = room[2], .weights = room[3]};
  th_agents agents = th_world_agents(world);
  assert_true(agents.count <= 64);
  for (uint32_t i = 0; i < agents.count; i++) introduce(recording, world, agents.id[i], known);
  th_world_points(world, &points);
  agents.space = th_ground_mesh(ground) ? &points : NULL;
  assert_int_equal(th_recording_write(recording, th_world_step_count(world), &agents, NULL), TH_OK);
  uint32_t count;
  const th_event *event = th_world_events(world, &count);
  assert_int_equal(th_recording_events(recording, event, count, NULL), TH_OK);
}

static void record(const char *text, const char *path, bool by_hand) {
  scene_run f = make(text);
  const th_world *world = th_run_world(f.run);
  th_recording_def def = th_default_recording_def();
  char *wkt = NULL;
  def.every = 3;
  assert_int_equal(th_ground_wkt(th_world_ground(world), &wkt, NULL), TH_OK);
  if (by_hand) {
    def.wkt = wkt;
    def.mesh = th_ground_mesh(th_world_ground(world)) != NULL;
  } else {
    def.ground = th_world_ground(world);
  }
  th_recording *recording = NULL;
  uint32_t version = 0;
  uint16_t known[256] = {0};
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_OK);
  for (int step = 0; step <= 100; step++) {
    if (step) assert_int_equal(th_run_step(f.run, NULL), TH_OK);
    if (by_hand)
      record_by_hand(recording, world, &version, known);
    else
      assert_int_equal(th_recording_step(recording, world, NULL), TH_OK);
  }
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  th_text_free(wkt);
  scene_run_free(&f);
}

static void one_call_writes_what_the_single_calls_write(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    record(k ? round_ : flat, "step_a.sqlite", false);
    record(k ? round_ : flat, "step_b.sqlite", true);
    size_t size, other;
    char *a = file_bytes("step_a.sqlite", &size), *b = file_bytes("step_b.sqlite", &other);
    assert_int_equal(size, other);
    assert_memory_equal(a, b, size);
    free(a);
    free(b);
    th_tracks tracks;
    assert_int_equal(th_recording_read(&(th_tracks_def){.path = "step_a.sqlite"}, &tracks, NULL), TH_OK);
    assert_int_equal(k ? tracks.mesh_count : tracks.plan_count, 3); /* open, closed, open */
    assert_int_equal(tracks.frame_last, 33);
    th_tracks_free(&tracks);
  }
  unlink("step_a.sqlite");
  unlink("step_b.sqlite");
}

/* How many rows a question has. */
static int rows_of(const char *path, const char *sql) {
  sqlite3 *file = NULL;
  sqlite3_stmt *query = NULL;
  int count = 0;
  assert_int_equal(sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  if (sqlite3_prepare_v2(file, sql, -1, &query, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(file));
  while (sqlite3_step(query) == SQLITE_ROW) count++;
  sqlite3_finalize(query);
  sqlite3_close(file);
  return count;
}

static th_recording *begin(const scene_run *f, bool events) {
  th_recording_def def = th_default_recording_def();
  th_recording *recording = NULL;
  def.ground = th_world_ground(th_run_world(f->run));
  def.events = events;
  assert_int_equal(th_recording_make("step_m.sqlite", &def, &recording, NULL), TH_OK);
  return recording;
}

/* A mark is a shape of the plan and, on a mesh, a circle where its middle is; a shape beside the mesh has no circle. */
static void marks_stand_on_plans_and_meshes(void **state) {
  (void)state;
  th_shape goal = th_point_shape_at((th_vec3){0, 0, -10}), lost = th_disc_shape(500, 0, 2);
  goal.radius = 0.3f;
  for (int k = 0; k < 2; k++) {
    scene_run f = make(k ? round_ : flat);
    const th_ground *ground = th_world_ground(th_run_world(f.run));
    th_recording *recording = begin(&f, true);
    assert_int_equal(th_recording_mark(recording, "goal", "south", &goal, ground, NULL), TH_OK);
    assert_int_equal(th_recording_mark(recording, "area", NULL, &lost, ground, NULL), TH_OK);
    assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
    assert_int_equal(th_recording_close(recording, NULL), TH_OK);
    th_tracks tracks;
    assert_int_equal(th_recording_read(&(th_tracks_def){.path = "step_m.sqlite"}, &tracks, NULL), TH_OK);
    assert_int_equal(tracks.mark_count, 2);
    assert_int_equal(tracks.spot_count, k);
    if (k) {
      assert_string_equal(tracks.spot[0].name, "south");
      assert_true(tracks.spot[0].radius == 0.3f && tracks.spot[0].point.z < -9.5f);
    }
    th_tracks_free(&tracks);
    scene_run_free(&f);
  }
  unlink("step_m.sqlite");
}

static void events_can_be_left_out(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    scene_run f = make(flat);
    th_recording *recording = begin(&f, k == 1);
    for (int step = 0; step < 40; step++) {
      assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
      assert_int_equal(th_run_step(f.run, NULL), TH_OK);
    }
    assert_int_equal(th_recording_close(recording, NULL), TH_OK);
    th_recording_info info;
    assert_int_equal(th_recording_read_info("step_m.sqlite", &info, NULL), TH_OK);
    assert_true(k ? info.events > 0 : info.events == 0);
    scene_run_free(&f);
  }
  unlink("step_m.sqlite");
}

/* A source and a sink: agents leave while others take the indices that they free. */
static const char stream[] =
    "{\"version\": 1, \"name\": \"stream\", \"duration\": 60, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, "
    "6]]}]},"
    "\"goals\": [{\"name\": \"exit\", \"line\": [[11, 1], [11, 5]], \"sink\": true}],"
    "\"sources\": [{\"name\": \"s\", \"region\": {\"rectangle\": [[0.5, 0.5], [3, 5.5]]}, \"rate\": 2, \"total\": 60,"
    "  \"route\": [\"exit\"], \"radius\": {\"from\": 0.2, \"to\": 0.3}, \"speed\": {\"mean\": 1.34, \"spread\": "
    "0.2}}]}";

/* Sixty agents are sixty ids, whichever of their frames are recorded; each path ends with the events of its own agent,
 * and each agent has the radius that it had in the world. */
static void an_agent_has_one_id_from_first_to_last(void **state) {
  (void)state;
  for (uint32_t every = 1; every <= 7; every += 3) {
    scene_run f = make(stream);
    th_recording_def def = th_default_recording_def();
    th_recording *recording = NULL;
    def.ground = th_world_ground(th_run_world(f.run));
    def.every = every;
    assert_int_equal(th_recording_make("step_i.sqlite", &def, &recording, NULL), TH_OK);
    assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
    while (!th_run_done(f.run)) {
      assert_int_equal(th_run_step(f.run, NULL), TH_OK);
      assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
    }
    assert_int_equal(th_recording_close(recording, NULL), TH_OK);
    scene_run_free(&f);
    static const char *const none[] = {
        "SELECT COUNT(*) FROM throng_agent GROUP BY agent_index, generation HAVING COUNT(*) > 1",
        "SELECT 1 FROM throng_agent WHERE radius IS NULL OR radius < 0.2 OR radius > 0.3",
        "SELECT 1 FROM throng_event e WHERE kind IN ('arrived', 'removed') AND id NOT IN (SELECT id FROM "
        "trajectory_data)",
        "SELECT 1 FROM throng_event e JOIN trajectory_data t ON t.id = e.id WHERE kind = 'removed' AND t.frame / 10.0 "
        "* "
        "(SELECT value FROM throng_meta WHERE key = 'every') > e.time + 0.01",
    };
    for (int k = 0; k < 4; k++)
      if (rows_of("step_i.sqlite", none[k]) != 0) fail_msg("every %u: %s", every, none[k]);
    assert_int_equal(rows_of("step_i.sqlite", "SELECT DISTINCT id FROM trajectory_data"), 60);
    assert_int_equal(rows_of("step_i.sqlite", "SELECT id FROM throng_agent"), 60);
    assert_int_equal(rows_of("step_i.sqlite", "SELECT DISTINCT id FROM throng_event WHERE kind = 'removed'"), 60);
  }
  unlink("step_i.sqlite");
}

static const char two_kinds[] =
    "{\"version\": 1, \"name\": \"kinds\", \"duration\": 20, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, "
    "6]]}]},"
    "\"goals\": [{\"name\": \"west\", \"point\": [0.5, 3]}, {\"name\": \"east\", \"point\": [11, 3], \"sink\": true}],"
    "\"populations\": [{\"name\": \"red\", \"positions\": [[2, 2], [2, 4]], \"route\": [\"west\", \"east\"], "
    "\"model\": \"orca\"},"
    "  {\"name\": \"blue\", \"positions\": [[9, 1], [9, 5]], \"route\": [\"west\"], \"model\": \"follow\", \"delay\": "
    "1}],"
    "\"sources\": [{\"name\": \"gate\", \"region\": {\"rectangle\": [[5, 2], [7, 4]]}, \"rate\": 1, \"total\": 5, "
    "\"route\": [\"east\"],"
    "  \"model\": \"orca\"}]}";

/* The file says of every agent to which population it belongs, which model moves it and where it goes, and what the
 * goals of events are called; so do tracks. */
static void agents_and_goals_have_their_names(void **state) {
  (void)state;
  scene_run f = make(two_kinds);
  th_recording *recording = begin(&f, true);
  assert_int_equal(th_recording_names(recording, f.run, NULL), TH_OK);
  for (; !th_run_done(f.run); assert_int_equal(th_run_step(f.run, NULL), TH_OK))
    assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  scene_run_free(&f);
  static const char each[] =
      "SELECT 1 FROM throng_agent a JOIN throng_goal g ON g.id = a.goal WHERE population = '%s' AND model = '%s' AND "
      "g.name = '%s'";
  static const struct {
    const char *population, *model, *goal;
    int count;
  } expected[] = {{"red", "orca", "east", 2}, {"blue", "follow", "west", 2}, {"gate", "orca", "east", 5}};
  char sql[400];
  for (int k = 0; k < 3; k++) {
    snprintf(sql, sizeof sql, each, expected[k].population, expected[k].model, expected[k].goal);
    assert_int_equal(rows_of("step_m.sqlite", sql), expected[k].count);
  }
  assert_int_equal(rows_of("step_m.sqlite",
                           "SELECT 1 FROM throng_event e JOIN throng_goal g ON g.id = e.goal WHERE "
                           "kind = 'arrived' AND g.name = 'west'"),
                   4);
  th_recorded_count list[2];
  uint32_t names;
  assert_int_equal(th_recording_read_counts("step_m.sqlite", TH_RECORDED_POPULATION, list, 2, &names, NULL), TH_OK);
  assert_int_equal(names, 3);
  assert_string_equal(list[0].name, "red");
  assert_int_equal(list[0].count, 2);
  assert_int_equal(th_recording_read_counts("step_m.sqlite", TH_RECORDED_GOAL, list, 2, &names, NULL), TH_OK);
  assert_int_equal(names, 2);
  assert_string_equal(list[0].name, "west");
  assert_int_equal(list[0].count, 4);
  th_tracks tracks;
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "step_m.sqlite"}, &tracks, NULL), TH_OK);
  assert_int_equal(tracks.population_count, 3);
  assert_int_equal(tracks.model_count, 2);
  assert_int_equal(tracks.goal_count, 2);
  for (uint32_t t = 0; t < tracks.track_count; t++) {
    const th_track *track = &tracks.track[t];
    bool blue = strcmp(tracks.population[track->population].text, "blue") == 0;
    assert_string_equal(tracks.model[track->model].text, blue ? "follow" : "orca");
    assert_string_equal(tracks.goal[track->goal].text, blue ? "west" : "east");
  }
  for (uint32_t k = 0; k < tracks.happening_count; k++)
    if (strcmp(tracks.happening[k].kind, "arrived") == 0) assert_true(tracks.happening[k].goal < 2);
  th_tracks_free(&tracks);
  unlink("step_m.sqlite");
}

/* A mesh does not fit into a recording of flat ground, nor a world on flat ground into one of a mesh. */
static void another_kind_of_ground_is_refused(void **state) {
  (void)state;
  scene_run f[2] = {make(flat), make(round_)};
  for (int k = 0; k < 2; k++) {
    th_recording *recording = begin(&f[k], true);
    th_error error = {0};
    assert_int_equal(th_recording_step(recording, th_run_world(f[1 - k].run), &error), TH_ERROR_STATE);
    assert_non_null(strstr(error.text, "expected"));
    assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  }
  scene_run_free(&f[0]);
  scene_run_free(&f[1]);
  th_recording *recording = NULL;
  th_recording_def def = th_default_recording_def();
  assert_int_equal(th_recording_make("step_m.sqlite", &def, &recording, NULL), TH_ERROR_STATE);
  unlink("step_m.sqlite");
}

static const char commanded[] =
    "{\"version\": 1, \"name\": \"commanded\", \"duration\": 3, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], "
    "[12, 6]]}]},"
    "\"populations\": [{\"name\": \"red\", \"positions\": [[2, 2], [2, 4]]},"
    "  {\"name\": \"blue\", \"positions\": [[9, 1], [9, 3], [9, 5]]}],"
    "\"groups\": [{\"name\": \"dance\", \"populations\": [\"red\"]}],"
    "\"events\": [{\"at\": 1, \"group\": {\"name\": \"dance\", \"populations\": [\"blue\"]}},"
    "  {\"at\": 2, \"dismiss\": \"blue\"}]}";

static const char *group_in(const th_tracks *tracks, uint32_t sample) {
  const uint32_t group = tracks->group ? tracks->group[sample] : UINT32_MAX;
  return group < tracks->group_name_count ? tracks->group_name[group].text : "none";
}

/* Red dances until the event takes effect, then blue; read whole and frame by frame it is the same. */
static void every_frame_knows_the_groups(void **state) {
  (void)state;
  scene_run f = make(commanded);
  th_recording *recording = begin(&f, true);
  assert_int_equal(th_recording_names(recording, f.run, NULL), TH_OK);
  assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
  for (; !th_run_done(f.run); assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK))
    assert_int_equal(th_run_step(f.run, NULL), TH_OK);
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  scene_run_free(&f);
  assert_int_equal(rows_of("step_m.sqlite", "SELECT 1 FROM throng_group WHERE name = 'dance'"), 1);
  assert_int_equal(rows_of("step_m.sqlite", "SELECT 1 FROM throng_member"), 7); /* 2 come, 2 leave, 3 come */
  th_tracks whole, part;
  uint32_t seen = 0;
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "step_m.sqlite"}, &whole, NULL), TH_OK);
  for (uint32_t frame = whole.frame_first; frame <= whole.frame_last; frame++) {
    const th_tracks_def one = {.path = "step_m.sqlite", .first = frame, .frames = 1};
    assert_int_equal(th_recording_read(&one, &part, NULL), TH_OK);
    for (uint32_t t = 0; t < part.track_count; t++) {
      const th_track *track = &part.track[t], *all = NULL;
      for (uint32_t k = 0; k < whole.track_count; k++)
        if (whole.track[k].id == track->id) all = &whole.track[k];
      assert_non_null(all);
      const char *group = group_in(&part, track->first);
      assert_string_equal(group, group_in(&whole, th_tracks_find(&whole, all, frame)));
      const bool red = strcmp(part.population[track->population].text, "red") == 0;
      assert_string_equal(group, red == (frame <= 10) ? "dance" : "none");
      seen++;
    }
    th_tracks_free(&part);
  }
  assert_true(seen > 100);
  th_tracks_free(&whole);
  unlink("step_m.sqlite");
}

/* What the events of a scene bring about is told with the step that they begin. */
static void scene_events_leave_their_traces(void **state) {
  (void)state;
  static const struct {
    const char *kind;
    double time;
    int count;
  } expected[] = {{"joined", 0, 2}, {"left", 1, 2}, {"joined", 1, 3}, {"left", 2, 3}, {"removed", 2, 3}};
  scene_run f = make(commanded);
  th_recording *recording = begin(&f, true);
  assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
  while (!th_run_done(f.run)) {
    assert_int_equal(th_run_step(f.run, NULL), TH_OK);
    assert_int_equal(th_recording_step(recording, th_run_world(f.run), NULL), TH_OK);
  }
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  scene_run_free(&f);
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT 1 FROM throng_event WHERE kind = '%s' AND ABS(time - %g) < 0.01",
             expected[k].kind, expected[k].time);
    assert_int_equal(rows_of("step_m.sqlite", sql), expected[k].count);
  }
  assert_int_equal(rows_of("step_m.sqlite", "SELECT 1 FROM throng_event"), 13);
  unlink("step_m.sqlite");
}

/* Looks into the file once, in the middle of a step: frames are older than events, and agents that only events name
 * need memory. */
typedef struct peek {
  bool armed;
  int frames;
} peek;

static void *look(void *user, size_t size, size_t align) {
  peek *p = user;
  if (p->armed) {
    p->armed = false;
    usleep(700000); /* bursts wait 0.25 s */
    p->frames = rows_of("step_m.sqlite", "SELECT 1 FROM frame_data");
  }
  void *block = NULL;
  return posix_memalign(&block, align < sizeof(void *) ? sizeof(void *) : align, size) == 0 ? block : NULL;
}

static void let_go(void *user, void *memory, size_t size) {
  (void)user, (void)size;
  free(memory);
}

/* A program that is killed leaves no frame without the events of its step. */
static void a_frame_and_its_events_come_together(void **state) {
  (void)state;
  scene_run f = make(flat);
  th_world *world = th_run_world(f.run);
  peek p = {.frames = -1};
  th_recording_def def = th_default_recording_def();
  def.env.allocator = (th_allocator){look, let_go, &p};
  def.ground = th_world_ground(world);
  th_recording *recording = NULL;
  assert_int_equal(th_recording_make("step_m.sqlite", &def, &recording, NULL), TH_OK);
  assert_int_equal(th_recording_step(recording, world, NULL), TH_OK);
  th_world_step(world);
  for (int k = 0; k < 300; k++) {
    th_agent_def agent = th_default_agent_def();
    th_agent_id id;
    agent.point = (th_vec3){3, 6, 0};
    agent.collide = false;
    assert_int_equal(th_world_add_agents(world, &agent, 1, &id, NULL), TH_OK);
    th_world_remove_agent(world, id);
  }
  p.armed = true;
  assert_int_equal(th_recording_step(recording, world, NULL), TH_OK);
  assert_false(p.armed);
  assert_in_range(p.frames, 0, 1);
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  assert_int_equal(rows_of("step_m.sqlite", "SELECT 1 FROM frame_data"), 2);
  scene_run_free(&f);
  unlink("step_m.sqlite");
}

static th_result record_once(const th_env *env, void *context) {
  const scene_run *f = context;
  th_recording_def def = th_default_recording_def();
  th_recording *recording = NULL;
  th_vec2 spot = {0, 0};
  th_shape goal = th_point_shape(spot.x, spot.y);
  def.env = *env;
  def.ground = th_world_ground(th_run_world(f->run));
  th_result result = th_recording_make("step_f.sqlite", &def, &recording, NULL);
  if (result != TH_OK) return result;
  result = th_recording_mark(recording, "goal", "south", &goal, def.ground, NULL);
  if (result == TH_OK) result = th_recording_names(recording, f->run, NULL);
  if (result == TH_OK) result = th_recording_step(recording, th_run_world(f->run), NULL);
  th_result closed = th_recording_close(recording, NULL);
  return result == TH_OK ? closed : result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  scene_run f = make(round_);
  assert_true(failing_every(record_once, &f) > 20);
  scene_run_free(&f);
  unlink("step_f.sqlite");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_call_writes_what_the_single_calls_write),
      cmocka_unit_test(marks_stand_on_plans_and_meshes),
      cmocka_unit_test(events_can_be_left_out),
      cmocka_unit_test(an_agent_has_one_id_from_first_to_last),
      cmocka_unit_test(agents_and_goals_have_their_names),
      cmocka_unit_test(another_kind_of_ground_is_refused),
      cmocka_unit_test(scene_events_leave_their_traces),
      cmocka_unit_test(every_frame_knows_the_groups),
      cmocka_unit_test(a_frame_and_its_events_come_together),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
