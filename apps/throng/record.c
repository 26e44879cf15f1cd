/* apps/throng/record.c - the recording and the figures of a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "run.h"

static th_result record_shapes(th_session *s, th_error *error) {
  const th_scene *scene = s->scene;
  th_result result = TH_OK;
  for (uint32_t i = 0; i < scene->goal_count && result == TH_OK; i++) {
    result = th_recording_shape(s->recording, "goal", scene->goal[i].name, &scene->goal[i].shape, error);
  }
  for (uint32_t i = 0; i < scene->ground.door_count && result == TH_OK; i++) {
    const th_scene_area *door = &scene->ground.door[i];
    result = th_recording_shape(s->recording, "door", door->name, &door->shape, error);
  }
  for (uint32_t i = 0; i < scene->source_count && result == TH_OK; i++) {
    result = th_recording_shape(s->recording, "source", scene->source[i].name, &scene->source[i].region, error);
  }
  for (uint32_t i = 0; i < scene->measure.area_count && result == TH_OK; i++) {
    const th_scene_area *area = &scene->measure.area[i];
    result = th_recording_shape(s->recording, "area", area->name, &area->shape, error);
  }
  for (uint32_t i = 0; i < scene->measure.line_count && result == TH_OK; i++) {
    const th_scene_line *line = &scene->measure.line[i];
    th_vec2 point[2] = {line->from, line->to};
    th_shape shape = {.kind = TH_SHAPE_LINE, .point = point, .count = 2};
    result = th_recording_shape(s->recording, "line", line->name, &shape, error);
  }
  return result;
}

/* On a mesh: where they are in space. */
static th_result record_spots(th_session *s, th_error *error) {
  const th_scene *scene = s->scene;
  const th_ground *ground = th_world_ground(th_run_world(s->run));
  th_result result = TH_OK;
  th_mesh_mark spot;
  for (uint32_t i = 0; i < scene->goal_count && result == TH_OK; i++) {
    if (th_cli_goal_spot(ground, &scene->goal[i], &spot)) result = th_recording_spot(s->recording, &spot, error);
  }
  for (uint32_t i = 0; i < scene->ground.door_count && result == TH_OK; i++) {
    const th_scene_area *door = &scene->ground.door[i];
    if (th_cli_spot(ground, "door", door->name, &door->shape, &spot))
      result = th_recording_spot(s->recording, &spot, error);
  }
  return result;
}

th_result th_session_agents(th_session *s, th_agents *agents, th_error *error) {
  const th_world *world = th_run_world(s->run);
  *agents = th_world_agents(world);
  if (!th_ground_mesh(th_world_ground(world))) return TH_OK;
  if (s->room < agents->count || !s->space) {
    free(s->space);
    free(s->clearance);
    s->room = 2 * agents->count + 16;
    s->space = calloc(5 * (size_t)s->room, sizeof *s->space);
    s->clearance = calloc(s->room, sizeof *s->clearance);
    if (!s->space || !s->clearance) return th_fail_memory(error, "agents");
    s->points = (th_points){s->space,
                            s->space + s->room,
                            s->space + 2 * (size_t)s->room,
                            s->space + 3 * (size_t)s->room,
                            s->space + 4 * (size_t)s->room,
                            s->clearance,
                            NULL};
  }
  th_world_points(world, &s->points);
  agents->space = &s->points;
  return TH_OK;
}

th_result th_session_ground(th_session *s, th_error *error) {
  const th_ground *ground = th_world_ground(th_run_world(s->run));
  const th_mesh *mesh = th_ground_mesh(ground);
  if (th_ground_version(ground) == s->version) return TH_OK;
  s->version = th_ground_version(ground);
  uint32_t count;
  const th_segment *wall = th_ground_walls(ground, &count);
  th_result result = mesh ? TH_OK : th_metrics_walls(s->metrics, wall, count, error);
  if (result != TH_OK || !s->recording) return result;
  char *wkt = NULL;
  result = th_ground_wkt(NULL, ground, &wkt, error);
  if (result == TH_OK) result = th_recording_ground(s->recording, wkt, error);
  if (result == TH_OK && mesh) result = th_recording_mesh(s->recording, mesh, th_ground_blocked_faces(ground), error);
  th_text_free(NULL, wkt);
  return result;
}

th_result th_session_record(th_session *s, const char *path, th_error *error) {
  char *wkt = NULL;
  th_result result = th_ground_wkt(NULL, th_world_ground(th_run_world(s->run)), &wkt, error);
  if (result != TH_OK) return result;
  th_recording_def def = th_default_recording_def();
  def.dt = th_cli_dt(s->scene);
  double every = round((double)s->scene->recording.every / def.dt);
  def.every = every >= 1 && every < 4e9 ? (uint32_t)every : 1;
  def.seed = th_run_seed(s->run);
  def.version = s->scene->recording.version;
  def.name = s->scene->name;
  def.scene = s->scene->text;
  def.wkt = wkt;
  def.mesh = th_ground_mesh(th_world_ground(th_run_world(s->run))) != NULL;
  result = th_recording_create(path, &def, &s->recording, error);
  th_text_free(NULL, wkt);
  if (result == TH_OK) result = record_shapes(s, error);
  return result == TH_OK && def.mesh ? record_spots(s, error) : result;
}

th_result th_session_figures(const th_session *s, const char *recording, const char *folder, th_error *error) {
  th_tracks tracks;
  th_result result = th_recording_read(NULL, recording, &tracks, error);
  if (result != TH_OK) return result;
  char note[160], path[1024];
  th_summary sum = th_metrics_summary(s->all[0]);
  snprintf(note, sizeof note, "%u agents, %u arrived, %.0f s, seed %llu", sum.agents, sum.arrived, sum.duration,
           (unsigned long long)s->seed[0]);
  th_figure_def def = th_default_figure_def();
  def.title = s->scene->name;
  def.note = note;
  def.tracks = &tracks;
  def.paths = true;
  def.legend = true;
  static const char *const name[] = {"figure.png", "figure.svg"};
  for (int i = 0; i < 2 && result == TH_OK; i++) {
    th_cli_join(path, sizeof path, folder, name[i]);
    result = th_figure_write(&def, path, error);
  }
  th_tracks_free(&tracks);
  return result;
}
