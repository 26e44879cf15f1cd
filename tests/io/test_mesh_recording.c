/* Recordings and metrics of mesh ground: face, weights and point in space; the mesh itself; CSV; and ways, turning and
 * distances in space. */
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/recording/recording.h"
#include "support/allocator.h"
#include "support/folder.h"
#include "throng/figure.h"
#include "throng/ground.h"
#include "throng/make.h"
#include "throng/mesh_file.h"
#include "throng/metrics.h"
#include "throng/model.h"
#include "throng/world.h"

/* fontconfig keeps a pattern of its own after the last font is gone; ours are still counted. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

#define RADIUS 10.0f

static th_ground *planet(uint32_t level) {
  th_make_params params = th_default_make_params();
  params.radius = RADIUS;
  params.level = (int32_t)level;
  th_mesh mesh;
  assert_int_equal(th_mesh_generate(&params, &mesh, NULL), TH_OK);
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = &mesh;
  th_region lid = {.name = "lid", .kind = TH_REGION_BALL, .centre = {RADIUS, 0, 0}, .radius = 3};
  th_mesh_door door = {.region = lid};
  def.door = &door;
  def.door_count = 1;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_mesh(&def, &ground, NULL), TH_OK);
  th_mesh_free(&mesh);
  return ground;
}

typedef struct walk {
  th_world *world;
  th_vec3 space[5][16];
  float clearance[16];
  th_points points;
} walk;

/* Eight agents from a circle round the north pole to the south pole. */
static void begin_walk(walk *w) {
  th_ground *ground = planet(4);
  th_world_def def = th_default_world_def();
  def.ground = ground;
  assert_int_equal(th_world_make(&def, &w->world, NULL), TH_OK);
  th_ground_release(ground);
  th_goal_def goal_def = th_default_goal_def();
  th_vec2 at = {0, 0};
  float z = -RADIUS;
  goal_def.shape = th_point_shape_at((th_vec3){at.x, at.y, z});
  goal_def.field = TH_FIELD_GEODESIC;
  goal_def.arrive = 2;
  th_goal_id goal;
  assert_int_equal(th_world_add_goal(w->world, &goal_def, &goal, NULL), TH_OK);
  for (int k = 0; k < 8; k++) {
    th_agent_def agent = th_default_body_def();
    agent.model = &th_model_follow;
    float angle = 0.785398f * (float)k;
    agent.point.x = 4.0f * cosf(angle), agent.point.y = 4.0f * sinf(angle), agent.point.z = 9.1f;
    agent.heading.x = cosf(angle), agent.heading.y = sinf(angle);
    agent.route[0].goal = goal;
    agent.route_count = 1;
    assert_int_equal(th_world_add_agents(w->world, &agent, 1, NULL, NULL), TH_OK);
  }
  w->points = (th_points){w->space[0], w->space[1], w->space[2], w->space[3], w->space[4], w->clearance, NULL};
}

static th_agents agents_of(walk *w) {
  th_agents agents = th_world_agents(w->world);
  assert_true(agents.count <= 16);
  th_world_points(w->world, &w->points);
  agents.space = &w->points;
  return agents;
}

static th_recording *create(const char *path, const walk *w) {
  const th_ground *ground = th_world_ground(w->world);
  char *wkt = NULL;
  assert_int_equal(th_ground_wkt(ground, &wkt, NULL), TH_OK);
  th_recording_def def = th_default_recording_def();
  def.wkt = wkt;
  def.name = "planet";
  def.mesh = true;
  th_recording *recording = NULL;
  assert_int_equal(th_recording_make(path, &def, &recording, NULL), TH_OK);
  assert_int_equal(th_recording_mesh(recording, th_ground_mesh(ground), th_ground_blocked_faces(ground), NULL), TH_OK);
  th_text_free(wkt);
  return recording;
}

/* `steps` steps; the door closes at step 50, vertex 0 moves at the end. */
static void record(const char *path, uint32_t steps) {
  walk w = {0};
  begin_walk(&w);
  th_recording *recording = create(path, &w);
  uint32_t version = th_ground_version(th_world_ground(w.world));
  for (uint32_t step = 0; step <= steps; step++) {
    if (step) th_world_step(w.world);
    if (step == 50) {
      th_edit edit = {.kind = TH_EDIT_CLOSE, .name = "lid"};
      assert_int_equal(th_world_edit(w.world, &edit, 1, NULL), TH_OK);
    }
    const th_ground *ground = th_world_ground(w.world);
    if (th_ground_version(ground) != version)
      assert_int_equal(th_recording_mesh(recording, th_ground_mesh(ground), th_ground_blocked_faces(ground), NULL),
                       TH_OK);
    version = th_ground_version(ground);
    th_agents agents = agents_of(&w);
    assert_int_equal(th_recording_write(recording, step, &agents, NULL), TH_OK);
  }
  th_mesh_mark spot = {.kind = "goal", .name = "camp", .face = 3, .point = {0, 0, -RADIUS}, .radius = 2};
  assert_int_equal(th_recording_mesh_mark(recording, &spot, NULL), TH_OK);
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  th_world_free(w.world);
}

/* Recorded places lie on the mesh that was recorded: face, weights and point agree. */
static void places_and_mesh_come_back(void **state) {
  (void)state;
  record("mesh_a.sqlite", 100);
  th_tracks tracks;
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "mesh_a.sqlite"}, &tracks, NULL), TH_OK);
  assert_int_equal(tracks.track_count, 8);
  assert_int_equal(tracks.sample_count, 8 * 101);
  assert_int_equal(tracks.mesh_count, 2);
  assert_int_equal(tracks.mesh[0].mesh.face_count, 20 * 256);
  assert_int_equal(tracks.mesh[0].frame, 0);
  assert_true(tracks.mesh[1].frame > 50 && tracks.mesh[1].frame < 55);
  assert_int_equal(tracks.spot_count, 1);
  assert_string_equal(tracks.spot[0].name, "camp");
  uint32_t shut[2] = {0, 0};
  for (int k = 0; k < 2; k++)
    for (uint32_t f = 0; f < 20 * 256; f++) shut[k] += tracks.mesh[k].blocked[f];
  assert_int_equal(shut[0], 0);
  assert_true(shut[1] > 20);
  assert_ptr_equal(th_tracks_mesh_at(&tracks, 49), &tracks.mesh[0]);
  assert_ptr_equal(th_tracks_mesh_at(&tracks, 100), &tracks.mesh[1]);
  for (uint32_t i = 0; i < tracks.sample_count; i++) {
    const th_mesh *mesh = &tracks.mesh[0].mesh;
    const float w[3] = {tracks.weights[i].x, tracks.weights[i].y, tracks.weights[i].z};
    double p[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++)
        p[k] += (double)w[c] * mesh->xyz[3 * (size_t)mesh->corner[3 * (size_t)tracks.face[i] + (size_t)c] + (size_t)k];
    assert_true(fabs(p[0] - (double)tracks.x[i]) < 1e-4);
    assert_true(fabs(p[1] - (double)tracks.y[i]) < 1e-4);
    assert_true(fabs(p[2] - (double)tracks.z[i]) < 1e-4);
    th_vec3 h = tracks.head[i];
    assert_true(fabs((double)(h.x * h.x + h.y * h.y + h.z * h.z) - 1.0) < 1e-4);
  }
  th_tracks_free(&tracks);
  unlink("mesh_a.sqlite");
}

static void assert_same_files(const char *a, const char *b) {
  size_t m, n;
  char *p = file_bytes(a, &m), *q = file_bytes(b, &n);
  assert_int_equal(m, n);
  assert_memory_equal(p, q, n);
  free(p);
  free(q);
}

static void equal_runs_give_equal_files(void **state) {
  (void)state;
  record("mesh_a.sqlite", 60);
  record("mesh_b.sqlite", 60);
  assert_same_files("mesh_a.sqlite", "mesh_b.sqlite");
  unlink("mesh_a.sqlite");
  unlink("mesh_b.sqlite");
}

/* CSV and back gives the same numbers; recording the tracks of a recording gives mesh and places back. */
static void csv_and_copies_keep_space(void **state) {
  (void)state;
  record("mesh_a.sqlite", 60);
  th_tracks a, b, c;
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "mesh_a.sqlite"}, &a, NULL), TH_OK);
  assert_int_equal(th_csv_write(&a, "mesh_a.csv", NULL), TH_OK);
  assert_int_equal(th_csv_read(&(th_tracks_def){.path = "mesh_a.csv"}, &b, NULL), TH_OK);
  assert_int_equal(th_tracks_record(&a, "mesh_b.sqlite", NULL), TH_OK);
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "mesh_b.sqlite"}, &c, NULL), TH_OK);
  assert_int_equal(c.mesh_count, 2);
  assert_int_equal(c.mesh[1].frame, a.mesh[1].frame);
  assert_int_equal(c.spot_count, 1);
  for (int k = 0; k < 2; k++) {
    const th_tracks *t = k ? &c : &b;
    assert_int_equal(t->sample_count, a.sample_count);
    assert_memory_equal(t->z, a.z, a.sample_count * sizeof *a.z);
    assert_memory_equal(t->vz, a.vz, a.sample_count * sizeof *a.vz);
    assert_memory_equal(t->face, a.face, a.sample_count * sizeof *a.face);
    assert_memory_equal(t->weights, a.weights, a.sample_count * sizeof *a.weights);
    assert_memory_equal(t->head, a.head, a.sample_count * sizeof *a.head);
  }
  th_tracks_free(&a);
  th_tracks_free(&b);
  th_tracks_free(&c);
  unlink("mesh_a.sqlite");
  unlink("mesh_b.sqlite");
  unlink("mesh_a.csv");
}

/* Runs until it is killed; a frame every 20 ms. */
static void record_for_ever(const char *path) {
  walk w = {0};
  begin_walk(&w);
  th_recording *recording = create(path, &w);
  for (uint32_t step = 0;; step++) {
    if (step) th_world_step(w.world);
    th_agents agents = agents_of(&w);
    if (th_recording_write(recording, step, &agents, NULL) != TH_OK) _exit(1);
    usleep(20000);
  }
}

/* After SIGKILL the mesh and every frame older than a second are there, each with its row in space. */
static void a_killed_writer_leaves_mesh_and_places(void **state) {
  (void)state;
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) record_for_ever("mesh_k.sqlite");
  usleep(2500000);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  th_tracks tracks;
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "mesh_k.sqlite"}, &tracks, NULL), TH_OK);
  assert_int_equal(tracks.mesh_count, 1);
  assert_true(tracks.frame_last >= 5);
  for (uint32_t i = 0; i < tracks.sample_count; i++) {
    th_vec3 h = tracks.head[i];
    assert_true(fabs((double)(h.x * h.x + h.y * h.y + h.z * h.z) - 1.0) < 1e-4); /* 0 where the row is missing */
  }
  th_tracks_free(&tracks);
  unlink("mesh_k.sqlite");
  unlink("mesh_k.sqlite-journal");
  unlink("mesh_k.sqlite.lock"); /* of the writer that was killed */
}

/* What a broken file says about its mesh is refused or survived, never believed. */
static void broken_meshes_are_refused(void **state) {
  (void)state;
  static const char *const harm[] = {"UPDATE throng_mesh SET vertices = x'00' WHERE version = 1",
                                     "UPDATE throng_mesh SET faces = NULL WHERE version = 1",
                                     "UPDATE throng_mesh SET faces = zeroblob(12 * 5120) WHERE version = 1",
                                     "UPDATE throng_mesh SET blocked = zeroblob(7) WHERE version = 1",
                                     "UPDATE throng_mesh SET frame = -1",
                                     "UPDATE throng_places SET face = 5120",
                                     "UPDATE throng_places SET face = -1",
                                     "UPDATE throng_places SET pos_z = 9e99",
                                     "UPDATE throng_places SET weight_1 = 5"};
  record("mesh_a.sqlite", 5);
  size_t size;
  char *bytes = file_bytes("mesh_a.sqlite", &size);
  for (size_t k = 0; k < sizeof harm / sizeof *harm; k++) {
    FILE *out = fopen("mesh_b.sqlite", "wb");
    fwrite(bytes, 1, size, out);
    fclose(out);
    sqlite3 *file;
    assert_int_equal(sqlite3_open("mesh_b.sqlite", &file), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file, harm[k], NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(file);
    th_tracks tracks;
    th_error error = {0};
    assert_int_not_equal(th_recording_read(&(th_tracks_def){.path = "mesh_b.sqlite"}, &tracks, &error), TH_OK);
    assert_true(error.text[0] != 0);
  }
  free(bytes);
  unlink("mesh_a.sqlite");
  unlink("mesh_b.sqlite");
}

/* On a sphere everyone walks a great circle: the way is an arc, the turning almost 0 though the heading turns in
 * space, and nobody touches. The same from the recording. */
static void metrics_are_measured_in_space(void **state) {
  (void)state;
  walk w = {0};
  begin_walk(&w);
  th_recording *recording = create("mesh_a.sqlite", &w);
  th_metrics_def def = th_default_metrics_def();
  th_metrics *metrics, *again;
  assert_int_equal(th_metrics_make(&def, &metrics, NULL), TH_OK);
  for (uint32_t step = 0; step <= 300 && (step == 0 || !th_world_done(w.world)); step++) {
    if (step) th_world_step(w.world);
    uint32_t count;
    const th_event *event = th_world_events(w.world, &count);
    th_agents agents = agents_of(&w);
    assert_int_equal(th_metrics_step(metrics, step, &agents, event, count, NULL), TH_OK);
    assert_int_equal(th_recording_write(recording, step, &agents, NULL), TH_OK);
    assert_int_equal(th_recording_events(recording, event, count, NULL), TH_OK);
  }
  assert_int_equal(th_recording_close(recording, NULL), TH_OK);
  th_world_free(w.world);
  th_summary sum = th_metrics_summary(metrics);
  double arc = (3.14159265 - asin(0.4)) * (double)RADIUS - 2.0;
  assert_int_equal(sum.arrived, 8);
  assert_true(fabs(sum.path_mean - arc) < 0.4);
  assert_true(sum.speed_mean > 1.2 && sum.speed_mean < 1.4);
  assert_true(sum.turning_mean < 0.3); /* the heading in space turns by 2.5 rad */
  assert_int_equal(sum.wall_contacts, 0);
  th_tracks tracks;
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "mesh_a.sqlite"}, &tracks, NULL), TH_OK);
  assert_int_equal(th_metrics_of_tracks(&def, &tracks, &again, NULL), TH_OK);
  th_summary other = th_metrics_summary(again);
  assert_int_equal(other.arrived, 8);
  assert_true(fabs(other.path_mean - sum.path_mean) < 1e-3);
  assert_true(fabs(other.turning_mean - sum.turning_mean) < 1e-2);
  assert_true(fabs(other.min_distance - sum.min_distance) < 1e-4);
  th_metrics_free(metrics);
  th_metrics_free(again);
  th_tracks_free(&tracks);
  unlink("mesh_a.sqlite");
}

/* Two bodies 0.3 m apart touch when they stand on one side, and not through a sheet. */
static void sheets_part_bodies(void **state) {
  (void)state;
  const th_agent_id id[2] = {{1, 1, 0}, {2, 1, 0}};
  const uint32_t cell[2] = {0, 1};
  const float radius[2] = {0.2f, 0.2f}, zero[2] = {0, 0};
  th_vec3 point[2] = {{0, 0, 0}, {0, 0.1f, 0.2828427f}}, still[2] = {{0, 0, 0}, {0, 0, 0}},
          heading[2] = {{1, 0, 0}, {1, 0, 0}}, normal[2] = {{0, 0, 1}, {0, 0, 1}};
  for (int opposite = 0; opposite < 2; opposite++) {
    th_metrics_def def = th_default_metrics_def();
    th_metrics *metrics;
    normal[1].z = opposite ? -1.0f : 1.0f;
    th_points space = {.point = point, .velocity = still, .heading = heading, .normal = normal};
    th_agents agents = {.count = 2, .id = id, .cell = cell, .x = zero, .y = zero, .radius = radius, .space = &space};
    assert_int_equal(th_metrics_make(&def, &metrics, NULL), TH_OK);
    assert_int_equal(th_metrics_step(metrics, 0, &agents, NULL, 0, NULL), TH_OK);
    th_summary sum = th_metrics_summary(metrics);
    assert_int_equal(sum.contacts, opposite ? 0 : 1);
    if (!opposite) assert_true(fabs(sum.worst_overlap - 0.25) < 1e-4);
    th_metrics_free(metrics);
  }
}

/* A mesh that was written reads back with the same numbers. */
static void saved_meshes_read_back(void **state) {
  (void)state;
  static const char *const name[] = {"mesh_a.obj", "mesh_a.ply"};
  th_ground *ground = planet(3);
  const th_mesh *mesh = th_ground_mesh(ground);
  for (int k = 0; k < 2; k++) {
    th_mesh_def def = th_default_mesh_def();
    th_mesh read;
    assert_int_equal(th_mesh_save(mesh, name[k], NULL), TH_OK);
    assert_int_equal(th_mesh_load(&def, NULL, name[k], &read, NULL), TH_OK);
    assert_int_equal(read.vertex_count, mesh->vertex_count);
    assert_int_equal(read.face_count, mesh->face_count);
    for (size_t h = 0; h < 3 * (size_t)read.face_count;
         h++) /* vertices may be numbered anew; some readers keep floats */
      for (size_t c = 0; c < 3; c++)
        assert_true(fabs(read.xyz[3 * (size_t)read.corner[h] + c] - mesh->xyz[3 * (size_t)mesh->corner[h] + c]) <=
                    1e-6 * (double)RADIUS);
    th_mesh_free(&read);
    unlink(name[k]);
  }
  assert_int_equal(th_mesh_save(mesh, "mesh_a.stl", NULL), TH_ERROR_FORMAT);
  th_ground_release(ground);
}

/* A figure of such a recording is one of its surface. */
static void figures_show_the_surface(void **state) {
  (void)state;
  record("mesh_a.sqlite", 40);
  th_tracks tracks;
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "mesh_a.sqlite"}, &tracks, NULL), TH_OK);
  th_mesh_figure_def look = th_default_mesh_figure_def();
  look.colours = TH_MESH_FIGURE_THESIS;
  th_figure_def def = th_default_figure_def();
  def.width = 300;
  def.tracks = &tracks;
  def.bodies = true;
  size_t size[4];
  for (int k = 0; k < 4; k++) {
    def.mesh = k == 1 ? &look : NULL;
    def.density = k == 2;
    def.time = k == 3 ? 1.0 : NAN;
    assert_int_equal(th_figure_write(&def, "mesh_a.png", NULL), TH_OK);
    free(file_bytes("mesh_a.png", &size[k]));
    for (int j = 0; j < k; j++) assert_int_not_equal(size[k], size[j]);
    assert_true(size[k] > 5000);
  }
  th_tracks_free(&tracks);
  unlink("mesh_a.png");
  unlink("mesh_a.sqlite");
}

static uint64_t drawn(const th_figure_def *def) {
  size_t size;
  assert_int_equal(th_figure_write(def, "mesh_a.png", NULL), TH_OK);
  char *bytes = file_bytes("mesh_a.png", &size);
  uint64_t sum = size;
  for (size_t i = 0; i < size; i++) sum = sum * 31 + (uint8_t)bytes[i];
  free(bytes);
  return sum;
}

/* Agents of one population share a colour, the legend has one name more with each population, those of none are grey.
 */
static void populations_have_their_colours(void **state) {
  (void)state;
  static const th_recorded_name name[2] = {{1, "east"}, {2, "west"}};
  record("mesh_a.sqlite", 40);
  th_tracks tracks;
  assert_int_equal(th_recording_read(&(th_tracks_def){.path = "mesh_a.sqlite"}, &tracks, NULL), TH_OK);
  th_figure_def def = th_default_figure_def();
  def.width = 300, def.tracks = &tracks, def.legend = true;
  uint64_t by_time = drawn(&def), seen[4];
  def.colour = TH_COLOUR_POPULATION;
  th_recorded_name *own = tracks.population;
  const uint32_t own_count = tracks.population_count;
  tracks.population = (th_recorded_name *)(uintptr_t)name;
  for (uint32_t k = 0; k < 4; k++) { /* all of one, of two in turn, of one of two, of none */
    tracks.population_count = k == 0 ? 1 : 2;
    for (uint32_t t = 0; t < tracks.track_count; t++)
      tracks.track[t].population = k == 1 ? t % 2 : k == 3 ? UINT32_MAX : 0;
    seen[k] = drawn(&def);
    assert_true(seen[k] == drawn(&def) && seen[k] != by_time);
    for (uint32_t j = 0; j < k; j++) assert_true(seen[j] != seen[k]);
  }
  tracks.population = own, tracks.population_count = own_count;
  th_tracks_free(&tracks);
  unlink("mesh_a.png");
  unlink("mesh_a.sqlite");
}

/* Two pictures of a tube, as it is and with all faces cut away that are seen from behind: equal when it is walked
 * inside, where they hide everything, and different when it is walked outside, where one looks in at its ends. */
static void only_what_is_walked_inside_is_cut_away(void **state) {
  (void)state;
  for (int inside = 0; inside < 2; inside++) {
    th_make_params params = th_default_make_params();
    params.shape = TH_MAKE_SHAPE_TUBE;
    params.inside = inside;
    th_mesh mesh;
    assert_int_equal(th_mesh_generate(&params, &mesh, NULL), TH_OK);
    uint8_t *blocked = calloc(mesh.face_count, 1);
    th_tracks_mesh shown = {.mesh = mesh, .blocked = blocked};
    th_tracks tracks = {.fps = 10.0, .mesh = &shown, .mesh_count = 1};
    th_mesh_figure_def look = th_default_mesh_figure_def();
    th_figure_def def = th_default_figure_def();
    def.width = 300, def.tracks = &tracks, def.mesh = &look;
    const uint64_t plain = drawn(&def);
    look.cut_away = true;
    assert_true((drawn(&def) == plain) == (inside == 1));
    th_mesh_free(&mesh);
    free(blocked);
  }
  unlink("mesh_a.png");
}

/* A frame of one agent on a mesh of two faces: written, read, measured, drawn. */
static th_result write_and_read(const th_env *env, void *context) {
  (void)context;
  static const double xyz[12] = {0, 0, 0, 4, 0, 0, 4, 4, 1, 0, 4, 1};
  static const uint32_t corner[6] = {0, 1, 2, 0, 2, 3}, cell[1] = {0};
  static const th_agent_id id[1] = {{1, 1, 0}};
  static const float flat[1] = {0}, radius[1] = {0.2f};
  th_vec3 point[1] = {{3, 1, 0.25f}}, still[1] = {{0, 0, 0}}, heading[1] = {{1, 0, 0}},
          weights[1] = {{0.25f, 0.5f, 0.25f}};
  th_points space = {.point = point, .velocity = still, .heading = heading, .weights = weights};
  th_agents agents = {.count = 1, .id = id, .cell = cell, .x = flat, .y = flat, .radius = radius, .space = &space};
  th_mesh_mark spot = {.kind = "goal", .name = "x", .point = {1, 1, 0.25f}, .radius = 1};
  th_mesh_def mesh_def = th_default_mesh_def();
  mesh_def.xyz_double = xyz, mesh_def.corner = corner, mesh_def.vertex_count = 4, mesh_def.face_count = 2;
  mesh_def.env = *env;
  th_mesh mesh;
  th_recording *recording = NULL;
  th_tracks tracks = {0};
  th_metrics *metrics = NULL;
  th_recording_def def = th_default_recording_def();
  def.env = *env;
  def.wkt = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))";
  def.mesh = true;
  th_result result = th_mesh_build(&mesh_def, &mesh, NULL);
  if (result != TH_OK) return result;
  result = th_recording_make("mesh_f.sqlite", &def, &recording, NULL);
  if (result == TH_OK) {
    result = th_recording_mesh(recording, &mesh, NULL, NULL);
    if (result == TH_OK) result = th_recording_mesh_mark(recording, &spot, NULL);
    if (result == TH_OK) result = th_recording_write(recording, 0, &agents, NULL);
    th_result closed = th_recording_close(recording, NULL);
    result = result == TH_OK ? closed : result;
  }
  if (result == TH_OK)
    result = th_recording_read(&(th_tracks_def){.env = *env, .path = "mesh_f.sqlite"}, &tracks, NULL);
  if (result == TH_OK) {
    th_metrics_def metrics_def = th_default_metrics_def();
    metrics_def.env = *env;
    result = th_metrics_of_tracks(&metrics_def, &tracks, &metrics, NULL);
    if (result == TH_OK) th_metrics_free(metrics);
  }
  if (result == TH_OK) result = th_csv_write(&tracks, "mesh_f.csv", NULL);
  th_tracks_free(&tracks);
  if (result == TH_OK) result = th_csv_read(&(th_tracks_def){.env = *env, .path = "mesh_f.csv"}, &tracks, NULL);
  if (result == TH_OK) th_tracks_free(&tracks);
  th_mesh_free(&mesh);
  return result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  assert_true(failing_every(write_and_read, NULL) > 40);
  unlink("mesh_f.sqlite");
  unlink("mesh_f.csv");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(places_and_mesh_come_back),
                                     cmocka_unit_test(equal_runs_give_equal_files),
                                     cmocka_unit_test(csv_and_copies_keep_space),
                                     cmocka_unit_test(a_killed_writer_leaves_mesh_and_places),
                                     cmocka_unit_test(broken_meshes_are_refused),
                                     cmocka_unit_test(metrics_are_measured_in_space),
                                     cmocka_unit_test(sheets_part_bodies),
                                     cmocka_unit_test(saved_meshes_read_back),
                                     cmocka_unit_test(figures_show_the_surface),
                                     cmocka_unit_test(populations_have_their_colours),
                                     cmocka_unit_test(only_what_is_walked_inside_is_cut_away),
                                     cmocka_unit_test(every_failing_allocation_is_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
