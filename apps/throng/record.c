/* apps/throng/record.c - the recording and the figures of a run. */
#include <math.h>
#include <stdio.h>

#include "run.h"

static th_result record_marks(th_session *s, th_error *error) {
  const th_scene *scene = s->scene;
  const th_ground *ground = th_world_ground(th_run_world(s->run));
  th_result result = TH_OK;
  for (uint32_t i = 0; i < scene->goal_count && result == TH_OK; i++) {
    th_shape shape = th_cli_goal_shape(&scene->goal[i]);
    result = th_recording_mark(s->recording, "goal", scene->goal[i].name, &shape, ground, error);
  }
  for (uint32_t i = 0; i < scene->ground.door_count && result == TH_OK; i++) {
    const th_scene_area *door = &scene->ground.door[i];
    result = th_recording_mark(s->recording, "door", door->name, &door->shape, ground, error);
  }
  for (uint32_t i = 0; i < scene->source_count && result == TH_OK; i++) {
    result = th_recording_mark(s->recording, "source", scene->source[i].name, &scene->source[i].region, ground, error);
  }
  for (uint32_t i = 0; i < scene->measure.area_count && result == TH_OK; i++) {
    const th_scene_area *area = &scene->measure.area[i];
    result = th_recording_mark(s->recording, "area", area->name, &area->shape, ground, error);
  }
  for (uint32_t i = 0; i < scene->measure.line_count && result == TH_OK; i++) {
    const th_scene_line *line = &scene->measure.line[i];
    th_shape shape = th_line_shape(line->from.x, line->from.y, line->to.x, line->to.y);
    shape.any_z = true; /* it counts on all floors */
    result = th_recording_mark(s->recording, "line", line->name, &shape, ground, error);
  }
  return result;
}

th_result th_session_record(th_session *s, const char *path, th_error *error) {
  th_recording_def def = th_default_recording_def();
  def.dt = th_cli_dt(s->scene);
  double every = round((double)s->scene->recording.every / def.dt);
  def.every = every >= 1 && every < 4e9 ? (uint32_t)every : 1;
  def.seed = th_run_seed(s->run);
  def.version = s->scene->recording.version;
  def.events = s->scene->recording.events;
  def.name = s->scene->name;
  def.scene = s->scene->text;
  def.ground = th_world_ground(th_run_world(s->run));
  th_result result = th_recording_make(path, &def, &s->recording, error);
  if (result == TH_OK) result = th_recording_names(s->recording, s->run, error);
  return result == TH_OK ? record_marks(s, error) : result;
}

/* Reads the file that was just written and not memory: the figure shows that the recording is complete. */
th_result th_session_figures(const th_session *s, const char *recording, const char *folder, th_error *error) {
  th_tracks tracks;
  th_result result = th_recording_read(&(th_tracks_def){.path = recording}, &tracks, error);
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
  if (tracks.trace_count) { /* about eight moments of every path, with the vectors of its decisions */
    def.traces = "vectors";
    def.marks = fmax(0.25, pow(2.0, round(log2(sum.duration / 12.0))));
  }
  static const char *const name[] = {"figure.png", "figure.svg"};
  for (int i = 0; i < 2 && result == TH_OK; i++) {
    th_cli_join(path, sizeof path, folder, name[i]);
    result = th_figure_write(&def, path, error);
  }
  th_tracks_free(&tracks);
  return result;
}
