/* apps/throng/figures/explored.c - `throng explored`: shows what explorers have seen, and when.
 *
 * Runs the scene and reads the known map of all exploring guides after every step; a cell of flat ground or a vertex of
 * a mesh shows the time when one of them first knew it, and has no colour when none has seen it. The paths of the
 * explorers are drawn on top. Cost: the run, and one pass over the map per step.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli.h"
#include "io/scene/run.h"
#include "throng/guide.h"

typedef struct watch {
  th_allocator allocator;
  th_scene *scene;
  th_run *run;
  const th_ground *ground; /* in force */
  uint32_t cells;
  uint8_t *known;
  float *when; /* of each cell or vertex [s]; NAN: not seen */
  th_agent_id *agent;
  uint32_t agents; /* explorers */
  uint32_t steps, room;
  th_vec3 *trail; /* of each explorer `room` points */
  uint32_t *face; /* the last position of each of them */
} watch;

/* Round, as the scene writes its step. */
static double time_of(const watch *w) {
  return (double)th_world_step_count(th_run_world(w->run)) * th_cli_dt(w->scene);
}

static bool is_explorer(const watch *w, th_agent_id id) {
  uint32_t population = th_run_population(w->run, id);
  if (population == TH_NO_INDEX) return false;
  uint32_t guide = w->scene->population[population].crowd.guide_index;
  return guide != TH_NO_INDEX && w->scene->guide[guide].kind == &th_guide_explore;
}

static th_result find_explorers(watch *w, th_error *error) {
  th_agents all = th_world_agents(th_run_world(w->run));
  for (uint32_t row = 0; row < all.count; row++) w->agents += is_explorer(w, all.id[row]);
  if (w->agents == 0)
    return th_fail(error, TH_ERROR_STATE, w->scene->path,
                   "expected a population with a guide that explores, found none");
  w->agent = TH_TAKE(&w->allocator, th_agent_id, w->agents);
  w->trail = TH_TAKE(&w->allocator, th_vec3, (size_t)w->agents * w->room);
  w->face = TH_TAKE(&w->allocator, uint32_t, w->agents);
  if (!w->agent || !w->trail || !w->face) return th_fail_memory(error, "explorers");
  uint32_t count = 0;
  for (uint32_t row = 0; row < all.count; row++)
    if (is_explorer(w, all.id[row])) w->agent[count++] = all.id[row];
  return TH_OK;
}

static th_result open_watch(watch *w, const th_options *options, th_error *error) {
  w->allocator = th_env_complete(NULL).allocator;
  th_result result = th_cli_scene(options, options->argument[0], &w->scene, error);
  if (result != TH_OK) return result;
  const th_run_def def = {.scene = w->scene, .seed = options->seed, .duration = options->duration};
  result = th_run_make(&def, &w->run, error);
  if (result != TH_OK) return result;
  w->ground = th_world_ground(th_run_world(w->run));
  const th_mesh *mesh = th_ground_mesh(w->ground);
  th_raster raster = th_ground_clearance_raster(w->ground);
  w->cells = mesh ? mesh->vertex_count : raster.width * raster.height;
  w->room = (uint32_t)((double)th_run_duration(w->run) / th_cli_dt(w->scene)) + 3;
  w->known = TH_TAKE(&w->allocator, uint8_t, w->cells);
  w->when = TH_TAKE(&w->allocator, float, w->cells);
  if (!w->known || !w->when) return th_fail_memory(error, "map");
  for (uint32_t i = 0; i < w->cells; i++) w->when[i] = NAN;
  return find_explorers(w, error);
}

static void close_watch(watch *w) {
  TH_GIVE(&w->allocator, w->known, w->cells);
  TH_GIVE(&w->allocator, w->when, w->cells);
  TH_GIVE(&w->allocator, w->agent, w->agents);
  TH_GIVE(&w->allocator, w->trail, (size_t)w->agents * w->room);
  TH_GIVE(&w->allocator, w->face, w->agents);
  th_run_free(w->run);
  th_scene_free(w->scene);
}

/* An agent that has left the world keeps its last point. */
static void note_places(watch *w) {
  const th_world *world = th_run_world(w->run);
  th_agents all = th_world_agents(world);
  for (uint32_t k = 0; k < w->agents; k++) {
    uint32_t row = th_world_row(world, w->agent[k]);
    th_vec3 *at = w->trail + (size_t)k * w->room + w->steps;
    if (row == UINT32_MAX && w->steps) *at = at[-1];
    if (row == UINT32_MAX) continue;
    *at = th_ground_point(w->ground, (th_place){all.cell[row], all.x[row], all.y[row]});
    w->face[k] = all.cell[row];
  }
  w->steps++;
}

static void note_map(watch *w) {
  const th_world *world = th_run_world(w->run);
  for (uint32_t g = 0; g < w->scene->guide_count; g++) {
    if (w->scene->guide[g].kind != &th_guide_explore) continue;
    th_explore_known(th_world_guide_memory(world, th_run_guide_at(w->run, g), NULL), w->ground, w->known, w->cells);
    for (uint32_t i = 0; i < w->cells; i++)
      if (w->known[i] != TH_EXPLORED_NOT && isnan(w->when[i])) w->when[i] = (float)time_of(w);
  }
}

/* No agent explores any more: all have arrived, are lost or have left. */
static bool is_over(const watch *w) {
  const th_world *world = th_run_world(w->run);
  th_agents all = th_world_agents(world);
  for (uint32_t k = 0; k < w->agents; k++) {
    uint32_t row = th_world_row(world, w->agent[k]);
    if (row != UINT32_MAX && all.state[row] != TH_AGENT_ARRIVED && all.state[row] != TH_AGENT_LOST) return false;
  }
  return true;
}

static th_result watch_run(watch *w, const th_options *options, th_error *error) {
  th_result result = TH_OK;
  const double end = isnan(options->time) ? INFINITY : options->time;
  note_places(w);
  while (result == TH_OK && !th_run_done(w->run) && !is_over(w) && w->steps < w->room) {
    if (time_of(w) >= end) break;
    result = th_run_step(w->run, error);
    w->ground = th_world_ground(th_run_world(w->run));
    note_places(w);
    note_map(w);
    th_cli_progress(options, time_of(w) / (double)th_run_duration(w->run), w->scene->name);
  }
  th_cli_progress_end(options);
  return result;
}

/* ---------------------------------------------------------------- figures */

static th_result draw_mesh(const watch *w, const th_options *options, const char *path, th_error *error) {
  th_camera camera[TH_CLI_MAX_CAMERAS];
  th_mesh_figure_def def = th_cli_mesh_figure(options, camera);
  const th_allocator *a = &w->allocator;
  th_mesh_figure_line *line = TH_TAKE(a, th_mesh_figure_line, w->agents);
  th_vec3 *at = TH_TAKE(a, th_vec3, w->agents);
  uint32_t *kind = TH_TAKE(a, uint32_t, w->agents);
  th_result result = line && at && kind ? TH_OK : th_fail_memory(error, "figure");
  for (uint32_t k = 0; result == TH_OK && k < w->agents; k++) {
    const th_vec3 *trail = w->trail + (size_t)k * w->room;
    line[k] = (th_mesh_figure_line){TH_MESH_FIGURE_TRAIL, trail, w->steps, k};
    at[k] = trail[w->steps - 1];
    kind[k] = k;
  }
  def.title = w->scene->name;
  def.note = "when explorers saw it first";
  def.mesh = th_ground_mesh(w->ground);
  def.blocked = th_ground_blocked_faces(w->ground);
  def.value =
      (th_mesh_figure_value){.vertex = w->when, .label = "seen after [s]", .min = NAN, .max = NAN, .middle = NAN};
  def.value.isolines = TH_ISOLINES_EVEN;
  def.line = line;
  def.line_count = w->agents;
  def.agents.count = w->agents;
  def.agents.face = w->face;
  def.agents.point = at;
  def.agents.kind = kind;
  def.agents.kind_count = w->agents;
  if (result == TH_OK) result = th_mesh_figure_write(&def, path, error);
  TH_GIVE(a, line, w->agents);
  TH_GIVE(a, at, w->agents);
  TH_GIVE(a, kind, w->agents);
  return result;
}

static bool seen_at(void *user, float x, float y, double *value, th_vec2 *direction) {
  const watch *w = user;
  th_place place = th_ground_locate(w->ground, x, y);
  *direction = (th_vec2){0, 0};
  if (place.cell == TH_NO_CELL || isnan(w->when[place.cell])) return false;
  *value = (double)w->when[place.cell];
  return true;
}

/* The trails as tracks of one sample per step; release with give_tracks in either case. */
static th_result take_tracks(const watch *w, th_tracks *tracks, th_error *error) {
  const th_allocator *a = &w->allocator;
  const uint32_t samples = w->agents * w->steps;
  *tracks = (th_tracks){.fps = 1.0 / th_cli_dt(w->scene), .frame_last = w->steps - 1};
  tracks->track_count = w->agents;
  tracks->sample_count = samples;
  tracks->track = TH_TAKE(a, th_track, w->agents);
  tracks->frame = TH_TAKE(a, uint32_t, samples);
  tracks->x = TH_TAKE(a, float, samples);
  tracks->y = TH_TAKE(a, float, samples);
  tracks->vx = tracks->vy = tracks->heading = TH_TAKE(a, float, samples);
  tracks->gait = tracks->state = TH_TAKE(a, uint8_t, samples);
  bool got = tracks->track && tracks->frame && tracks->x && tracks->y && tracks->vx && tracks->gait;
  if (!got) return th_fail_memory(error, "figure");
  for (uint32_t k = 0; k < w->agents; k++) {
    tracks->track[k] = (th_track){.id = k + 1, .first = k * w->steps, .count = w->steps, .radius = 0.2f};
    for (uint32_t s = 0; s < w->steps; s++) {
      const uint32_t n = k * w->steps + s;
      tracks->frame[n] = s;
      tracks->x[n] = w->trail[(size_t)k * w->room + s].x;
      tracks->y[n] = w->trail[(size_t)k * w->room + s].y;
    }
  }
  return TH_OK;
}

static void give_tracks(const watch *w, const th_tracks *tracks) {
  const th_allocator *a = &w->allocator;
  const uint32_t samples = w->agents * w->steps;
  TH_GIVE(a, tracks->track, w->agents);
  TH_GIVE(a, tracks->frame, samples);
  TH_GIVE(a, tracks->x, samples);
  TH_GIVE(a, tracks->y, samples);
  TH_GIVE(a, tracks->vx, samples);
  TH_GIVE(a, tracks->gait, samples);
}

static th_result draw_flat(watch *w, const th_options *options, const char *path, th_error *error) {
  th_floor_plan plan = {0};
  th_plot_field field = {seen_at, w, "seen after [s]"};
  th_tracks tracks;
  th_result result = take_tracks(w, &tracks, error);
  th_figure_def def = th_default_figure_def();
  if (options->width) def.width = options->width;
  def.title = w->scene->name;
  def.note = "when explorers saw it first";
  def.plan = &plan;
  def.tracks = &tracks;
  def.paths = def.bodies = def.legend = true;
  def.colour = TH_COLOUR_AGENT;
  def.field = &field;
  if (result == TH_OK) result = th_cli_plan(w->ground, &plan, error);
  if (result == TH_OK) result = th_figure_write(&def, path, error);
  th_floor_plan_free(&plan);
  give_tracks(w, &tracks);
  return result;
}

static int tell(const watch *w, const th_options *options, const char *path) {
  const th_world *world = th_run_world(w->run);
  json_t *guides = json_array();
  for (uint32_t g = 0; g < w->scene->guide_count; g++) {
    if (w->scene->guide[g].kind != &th_guide_explore) continue;
    th_explored e = th_explore_read(th_world_guide_memory(world, th_run_guide_at(w->run, g), NULL));
    json_array_append_new(guides, json_pack("{s:s, s:f, s:b}", "guide", w->scene->guide[g].name, "area", (double)e.area,
                                            "found", e.found));
    if (!options->json && !options->quiet)
      printf("%s: %.0f m2 seen%s after %.1f s\n", w->scene->guide[g].name, (double)e.area, e.found ? ", found" : "",
             time_of(w));
  }
  if (!options->json && !options->quiet) printf("%s\n", path);
  if (options->json)
    return th_cli_print_json(json_pack("{s:s, s:s, s:f, s:o}", "scene", w->scene->name, "file", path, "time",
                                       time_of(w), "explored", guides));
  json_decref(guides);
  return TH_EXIT_OK;
}

int th_command_explored(const th_options *options) {
  const char *path = options->out ? options->out : "explored.png";
  watch w = {0};
  th_error error = {0};
  int code = TH_EXIT_OK;
  th_result result = open_watch(&w, options, &error);
  if (result == TH_OK) result = watch_run(&w, options, &error);
  if (result != TH_OK) code = th_cli_fail(&error, th_cli_code(result));
  if (result == TH_OK) {
    result = th_ground_mesh(w.ground) ? draw_mesh(&w, options, path, &error) : draw_flat(&w, options, path, &error);
    code = result == TH_OK ? tell(&w, options, path) : th_cli_fail(&error, th_cli_output_code(result));
  }
  close_watch(&w);
  return code;
}
