/* io/recording/read/info.c - what a recording holds, without its frames: numbers, and the text of its scene. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/read/file.h"
#include "io/text.h"

/* The numbers of a query's only row; zeros where it has none. */
static th_result read_row(const th_record_file *in, const char *sql, double *value, int count) {
  sqlite3_stmt *query = NULL;
  th_result result = th_record_prepare(in, sql, &query);
  bool found = th_record_next(in, query, &result);
  for (int k = 0; k < count; k++) value[k] = found ? sqlite3_column_double(query, k) : 0.0;
  sqlite3_finalize(query);
  return result;
}

static th_result read_places(const th_record_file *in, th_recording_info *info) {
  double row[7] = {0};
  th_result result = read_row(in,
                              "SELECT COUNT(*), COUNT(DISTINCT id), COUNT(DISTINCT frame), MIN(pos_x), MIN(pos_y), "
                              "MAX(pos_x), MAX(pos_y) FROM trajectory_data",
                              row, 7);
  info->rows = (uint64_t)row[0];
  info->agents = (uint64_t)row[1];
  info->frames = (uint64_t)row[2];
  info->lower = (th_vec2){(float)row[3], (float)row[4]};
  info->upper = (th_vec2){(float)row[5], (float)row[6]};
  return result;
}

static th_result read_mesh(const th_record_file *in, th_recording_info *info) {
  double row[5] = {0};
  if (!th_record_has_table(in, "throng_mesh") || !th_record_has_table(in, "throng_places")) return TH_OK;
  th_result result =
      read_row(in, "SELECT COUNT(*), MAX(LENGTH(vertices)) / 24, MAX(LENGTH(faces)) / 12 FROM throng_mesh", row, 3);
  if (result == TH_OK) result = read_row(in, "SELECT MIN(pos_z), MAX(pos_z) FROM throng_places", row + 3, 2);
  info->meshes = (uint32_t)row[0], info->vertices = (uint32_t)row[1], info->faces = (uint32_t)row[2];
  info->lowest = (float)row[3], info->highest = (float)row[4];
  return result;
}

static th_result read_info(const th_record_file *in, th_recording_info *info) {
  th_record_head head;
  double events = 0, geometries = 0, frames = 0;
  th_result result = th_record_read_head(in, &head);
  if (result != TH_OK) return result;
  memcpy(info->name, head.name, sizeof info->name);
  info->version = head.version;
  info->fps = head.fps;
  info->seed = head.seed;
  result = th_record_read_frames(in, &info->frame_first, &info->frame_last);
  if (result == TH_OK) result = read_places(in, info);
  if (result == TH_OK && in->has_event) result = read_row(in, "SELECT COUNT(*) FROM throng_event", &events, 1);
  if (result == TH_OK && in->has_frames) result = read_row(in, "SELECT COUNT(*) FROM frame_data", &frames, 1);
  if (result == TH_OK && th_record_has_table(in, "geometry"))
    result = read_row(in, "SELECT COUNT(*) FROM geometry", &geometries, 1);
  if (result == TH_OK) result = read_mesh(in, info);
  info->events = (uint64_t)events;
  info->geometries = (uint64_t)geometries;
  if (frames > (double)info->frames) info->frames = (uint64_t)frames; /* frames without agents count */
  return result;
}

th_result th_recording_read_info(const char *path, th_recording_info *info, th_error *error) {
  th_record_file in;
  th_result result = th_record_file_open(path, &in, error);
  if (result != TH_OK) return result;
  th_recording_info read = {0};
  result = read_info(&in, &read);
  sqlite3_close(in.file);
  if (result == TH_OK) *info = read;
  return result;
}

th_result th_recording_read_counts(const char *path, th_recorded_by by, th_recorded_count *list, uint32_t capacity,
                                   uint32_t *count, th_error *error) {
  static const char *const sql[] = {
      "SELECT population, COUNT(*) FROM throng_agent WHERE population IS NOT NULL GROUP BY population ORDER BY MIN(id)",
      "SELECT model, COUNT(*) FROM throng_agent WHERE model IS NOT NULL GROUP BY model ORDER BY MIN(id)",
      ("SELECT name, (SELECT COUNT(*) FROM throng_event e WHERE e.goal = g.id AND kind = 'arrived') "
       "FROM throng_goal g ORDER BY id")};
  th_record_file in;
  sqlite3_stmt *query = NULL;
  *count = 0;
  th_result result = th_record_file_open(path, &in, error);
  if (result != TH_OK) return result;
  bool named = in.has_goal && in.has_agent && in.has_event;
  if (named) result = th_record_prepare(&in, sql[by], &query);
  while (named && th_record_next(&in, query, &result)) {
    uint32_t k = (*count)++;
    if (k >= capacity) continue;
    snprintf(list[k].name, sizeof list[k].name, "%s", th_record_text(query, 0));
    th_make_printable(list[k].name);
    list[k].count = (uint64_t)sqlite3_column_int64(query, 1);
  }
  sqlite3_finalize(query);
  sqlite3_close(in.file);
  return result;
}

th_result th_recording_read_scene(const th_tracks_def *def, char **text, th_error *error) {
  const char *path = def->path;
  th_record_file in;
  th_result result = th_record_file_open(path, &in, error);
  if (result != TH_OK) return result;
  th_env full = th_env_complete(&def->env);
  sqlite3_stmt *query = NULL;
  if (!in.has_meta) result = th_fail(error, TH_ERROR_STATE, path, "holds no scene: it was not made by throng");
  if (result == TH_OK) result = th_record_prepare(&in, "SELECT value FROM throng_meta WHERE key = 'scene'", &query);
  if (th_record_next(&in, query, &result)) {
    char *copy = th_text_copy(&full.allocator, th_record_text(query, 0));
    if (!copy)
      result = th_fail_memory(error, path);
    else
      *text = copy;
  } else if (result == TH_OK) {
    result = th_fail(error, TH_ERROR_STATE, path, "holds no scene");
  }
  sqlite3_finalize(query);
  sqlite3_close(in.file);
  return result;
}
