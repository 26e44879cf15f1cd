/* io/recording/read.c - reading recordings, ours and JuPedSim's.
 *
 * Two passes: the first counts the samples of each id, the second puts each sample where it belongs, so nothing is
 * sorted and every column is allocated once. The file is opened for writing where that is allowed, because only then
 * may SQLite roll back the journal of a killed writer. Every value is checked, because files may come from other
 * programs. Cost: about 1 us per row.
 */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/text.h"
#include "io/recording/tracks.h"

typedef struct record_file {
  sqlite3 *file;
  const char *path;
  th_error *error;
  bool has_state, has_agent, has_event, has_shape, has_meta, has_frames;
} record_file;

static th_result refuse(const record_file *in, th_result code, const char *text) {
  return th_fail(in->error, code, in->path, "%s", text);
}

static th_result broken(const record_file *in) {
  if (sqlite3_errcode(in->file) == SQLITE_NOMEM) return th_fail_memory(in->error, in->path);
  return th_fail(in->error, TH_ERROR_FORMAT, in->path, "not a recording: %s", sqlite3_errmsg(in->file));
}

static th_result prepare(const record_file *in, const char *sql, sqlite3_stmt **query) {
  return sqlite3_prepare_v2(in->file, sql, -1, query, NULL) == SQLITE_OK ? TH_OK : broken(in);
}

static bool has_table(const record_file *in, const char *name) {
  sqlite3_stmt *query = NULL;
  if (sqlite3_prepare_v2(in->file, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", -1, &query, NULL) !=
      SQLITE_OK)
    return false;
  sqlite3_bind_text(query, 1, name, -1, SQLITE_STATIC);
  bool found = sqlite3_step(query) == SQLITE_ROW;
  sqlite3_finalize(query);
  return found;
}

static const char *column_text(sqlite3_stmt *query, int column) {
  const char *text = (const char *)sqlite3_column_text(query, column);
  return text ? text : "";
}

static th_result open_record(const char *path, record_file *in, th_error *error) {
  *in = (record_file){.path = path, .error = error};
  if (sqlite3_open_v2(path, &in->file, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
    th_result result = th_fail(error, TH_ERROR_FILE, path, "cannot be opened: %s", sqlite3_errmsg(in->file));
    sqlite3_close(in->file);
    return result;
  }
  sqlite3_busy_timeout(in->file, 10000);
  if (sqlite3_exec(in->file, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL) != SQLITE_OK ||
      !has_table(in, "trajectory_data") || !has_table(in, "metadata")) {
    th_result result = th_fail(error, TH_ERROR_FORMAT, path,
                               "expected a recording with the tables trajectory_data and metadata, found none");
    sqlite3_close(in->file);
    return result;
  }
  in->has_state = has_table(in, "throng_state");
  in->has_agent = has_table(in, "throng_agent");
  in->has_event = has_table(in, "throng_event");
  in->has_shape = has_table(in, "throng_shape");
  in->has_meta = has_table(in, "throng_meta");
  in->has_frames = has_table(in, "frame_data");
  return TH_OK;
}

/* Value of a key as text in `buffer`; false when it is not there. */
static bool read_pair(const record_file *in, const char *table, const char *key, char *buffer, size_t size) {
  char sql[96];
  sqlite3_stmt *query = NULL;
  snprintf(sql, sizeof sql, "SELECT value FROM %s WHERE key = ?", table);
  if (sqlite3_prepare_v2(in->file, sql, -1, &query, NULL) != SQLITE_OK) return false;
  sqlite3_bind_text(query, 1, key, -1, SQLITE_STATIC);
  bool found = sqlite3_step(query) == SQLITE_ROW;
  if (found) snprintf(buffer, size, "%s", column_text(query, 0));
  sqlite3_finalize(query);
  return found;
}

static th_result read_head(const record_file *in, uint32_t *version, double *fps, char name[64], uint64_t *seed) {
  char text[64] = "";
  const char *end;
  if (!read_pair(in, "metadata", "fps", text, sizeof text))
    return refuse(in, TH_ERROR_FORMAT, "metadata: expected fps, found none");
  *fps = th_text_number(text, &end);
  if (end == text || !(*fps > 0.0 && *fps <= 1e6))
    return th_fail(in->error, TH_ERROR_FORMAT, in->path, "metadata: expected fps above 0 to 1e6, found '%s'", text);
  *version = 1;
  if (read_pair(in, "metadata", "version", text, sizeof text)) {
    double number = th_text_number(text, &end);
    if (end == text || !(number >= 1.0 && number <= 3.0))
      return th_fail(in->error, TH_ERROR_FORMAT, in->path, "metadata: expected version 1, 2 or 3, found '%s'", text);
    *version = (uint32_t)number;
  }
  *seed = 0;
  if (!in->has_meta) return TH_OK;
  (void)read_pair(in, "throng_meta", "name", name, 64);
  unsigned long long whole = 0;
  if (read_pair(in, "throng_meta", "seed", text, sizeof text) && sscanf(text, "%llu", &whole) == 1) *seed = whole;
  return TH_OK;
}

/* ---------------------------------------------------------------- tracks */

static th_result read_ids(const record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  uint64_t samples = 0;
  th_result result = prepare(in, "SELECT id, COUNT(*) FROM trajectory_data GROUP BY id ORDER BY id", &query);
  int step = SQLITE_DONE;
  while (result == TH_OK && (step = sqlite3_step(query)) == SQLITE_ROW) {
    uint64_t count = (uint64_t)sqlite3_column_int64(query, 1);
    if (!th_grow(&tracks->env.allocator, (void **)&tracks->track, &tracks->track_capacity, tracks->track_count + 1,
                 sizeof *tracks->track)) {
      result = th_fail_memory(in->error, in->path);
    } else if (samples + count > UINT32_MAX / 2) {
      result = refuse(in, TH_ERROR_CAPACITY, "more than 2^31 rows");
    } else {
      tracks->track[tracks->track_count++] =
          (th_track){.id = sqlite3_column_int64(query, 0), .first = (uint32_t)samples, .radius = 0.2f};
      samples += count;
    }
  }
  if (result == TH_OK && step != SQLITE_DONE) result = broken(in);
  sqlite3_finalize(query);
  if (result == TH_OK && !th_tracks_reserve(tracks, (uint32_t)samples)) result = th_fail_memory(in->error, in->path);
  tracks->sample_count = (uint32_t)samples;
  return result;
}

static th_result take_sample(const record_file *in, th_tracks *tracks, sqlite3_stmt *query) {
  int64_t frame = sqlite3_column_int64(query, 0);
  th_track *track = th_tracks_of(tracks, sqlite3_column_int64(query, 1));
  double x = sqlite3_column_double(query, 2), y = sqlite3_column_double(query, 3);
  if (!track || frame < 0 || frame >= UINT32_MAX || !isfinite(x) || !isfinite(y) || fabs(x) > 1e9 || fabs(y) > 1e9)
    return th_fail(in->error, TH_ERROR_FORMAT, in->path, "trajectory_data: frame %lld of id %lld is out of range",
                   (long long)frame, (long long)sqlite3_column_int64(query, 1));
  uint32_t i = track->first + track->count;
  if (track->count > 0 && tracks->frame[i - 1] == (uint32_t)frame)
    return th_fail(in->error, TH_ERROR_FORMAT, in->path, "trajectory_data: frame %lld holds id %lld twice",
                   (long long)frame, (long long)track->id);
  track->count++;
  tracks->frame[i] = (uint32_t)frame;
  tracks->x[i] = (float)x;
  tracks->y[i] = (float)y;
  if (!in->has_state) return TH_OK;
  tracks->heading[i] = (float)sqlite3_column_double(query, 4);
  tracks->vx[i] = (float)sqlite3_column_double(query, 5);
  tracks->vy[i] = (float)sqlite3_column_double(query, 6);
  tracks->gait[i] = (uint8_t)sqlite3_column_int(query, 7);
  tracks->state[i] = (uint8_t)sqlite3_column_int(query, 8);
  return TH_OK;
}

static th_result read_samples(const record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  th_result result = prepare(in,
                             in->has_state ? "SELECT t.frame, t.id, t.pos_x, t.pos_y, s.heading, s.vel_x, s.vel_y, "
                                             "s.gait, s.state FROM trajectory_data t LEFT JOIN throng_state s ON "
                                             "s.frame = t.frame AND s.id = t.id ORDER BY t.frame, t.id"
                                           : "SELECT frame, id, pos_x, pos_y FROM trajectory_data ORDER BY frame, id",
                             &query);
  int step = SQLITE_DONE;
  bool first = true;
  while (result == TH_OK && (step = sqlite3_step(query)) == SQLITE_ROW) {
    result = take_sample(in, tracks, query);
    uint32_t frame = (uint32_t)sqlite3_column_int64(query, 0);
    if (first) tracks->frame_first = frame;
    first = false;
    tracks->frame_last = frame;
  }
  if (result == TH_OK && step != SQLITE_DONE) result = broken(in);
  sqlite3_finalize(query);
  if (result == TH_OK && !in->has_state) th_tracks_derive(tracks);
  return result;
}

static th_result read_radii(const record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!in->has_agent) return TH_OK;
  th_result result = prepare(in, "SELECT id, radius FROM throng_agent", &query);
  while (result == TH_OK && sqlite3_step(query) == SQLITE_ROW) {
    th_track *track = th_tracks_of(tracks, sqlite3_column_int64(query, 0));
    double radius = sqlite3_column_double(query, 1);
    if (track && radius > 0.0 && radius < 1e3) track->radius = (float)radius;
  }
  sqlite3_finalize(query);
  return result;
}

/* Ground: one plan per change. Files of version 1 have one geometry and no frame_data. */
static th_result read_plans(const record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!has_table(in, "geometry")) return TH_OK;
  bool changes = in->has_frames && tracks->version >= 2;
  th_result result = prepare(in,
                             changes ? "SELECT f.frame, g.wkt, f.geometry_hash FROM frame_data f JOIN geometry g ON "
                                       "g.hash = f.geometry_hash ORDER BY f.frame"
                                     : "SELECT 0, wkt, 0 FROM geometry LIMIT 1",
                             &query);
  int64_t last = 0;
  while (result == TH_OK && sqlite3_step(query) == SQLITE_ROW) {
    int64_t frame = sqlite3_column_int64(query, 0), hash = sqlite3_column_int64(query, 2);
    if (tracks->plan_count > 0 && hash == last) continue;
    if (frame < 0 || frame >= UINT32_MAX)
      result = refuse(in, TH_ERROR_FORMAT, "frame_data: a frame is out of range");
    else
      result = th_tracks_add_plan(tracks, column_text(query, 1), (uint32_t)frame, in->error);
    last = hash;
  }
  sqlite3_finalize(query);
  if (result != TH_OK || tracks->plan_count > 0 || !changes) return result;
  result = prepare(in, "SELECT wkt FROM geometry LIMIT 1", &query); /* killed before its first frame */
  if (result == TH_OK && sqlite3_step(query) == SQLITE_ROW)
    result = th_tracks_add_plan(tracks, column_text(query, 0), 0, in->error);
  sqlite3_finalize(query);
  return result;
}

static th_result read_marks(const record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!in->has_shape) return TH_OK;
  th_result result = prepare(in, "SELECT kind, name, wkt FROM throng_shape", &query);
  while (result == TH_OK && sqlite3_step(query) == SQLITE_ROW)
    result = th_tracks_add_mark(tracks, column_text(query, 0), column_text(query, 1), column_text(query, 2), in->error);
  sqlite3_finalize(query);
  return result;
}

static th_result read_happenings(const record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!in->has_event) return TH_OK;
  th_result result = prepare(in, "SELECT kind, id, time FROM throng_event ORDER BY rowid", &query);
  while (result == TH_OK && sqlite3_step(query) == SQLITE_ROW)
    if (!th_tracks_add_happening(tracks, column_text(query, 0), sqlite3_column_int64(query, 1),
                                 sqlite3_column_double(query, 2)))
      result = th_fail_memory(in->error, in->path);
  sqlite3_finalize(query);
  return result;
}

th_result th_recording_read(const th_env *env, const char *path, th_tracks *tracks, th_error *error) {
  record_file in;
  th_result result = open_record(path, &in, error);
  if (result != TH_OK) return result;
  th_tracks read = {.env = th_env_complete(env)};
  result = read_head(&in, &read.version, &read.fps, read.name, &read.seed);
  if (result == TH_OK) result = read_ids(&in, &read);
  if (result == TH_OK) result = read_samples(&in, &read);
  if (result == TH_OK) result = read_radii(&in, &read);
  if (result == TH_OK) result = th_tracks_read_mesh_places(in.file, path, &read, error);
  if (result == TH_OK) result = read_plans(&in, &read);
  if (result == TH_OK) result = read_marks(&in, &read);
  if (result == TH_OK) result = read_happenings(&in, &read);
  sqlite3_close(in.file);
  if (result != TH_OK)
    th_tracks_free(&read);
  else
    *tracks = read;
  return result;
}

/* ---------------------------------------------------------------- without the frames */

static bool read_row(const record_file *in, const char *sql, double *value, int count) {
  sqlite3_stmt *query = NULL;
  bool found = sqlite3_prepare_v2(in->file, sql, -1, &query, NULL) == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW;
  for (int k = 0; k < count; k++) value[k] = found ? sqlite3_column_double(query, k) : 0.0;
  sqlite3_finalize(query);
  return found;
}

th_result th_recording_read_info(const char *path, th_recording_info *info, th_error *error) {
  record_file in;
  th_result result = open_record(path, &in, error);
  if (result != TH_OK) return result;
  th_recording_info read = {0};
  result = read_head(&in, &read.version, &read.fps, read.name, &read.seed);
  double row[9] = {0}, events = 0, geometries = 0, frames = 0;
  if (result == TH_OK &&
      !read_row(&in,
                "SELECT COUNT(*), COUNT(DISTINCT id), COUNT(DISTINCT frame), MIN(frame), MAX(frame), MIN(pos_x), "
                "MIN(pos_y), MAX(pos_x), MAX(pos_y) FROM trajectory_data",
                row, 9))
    result = broken(&in);
  if (in.has_event) (void)read_row(&in, "SELECT COUNT(*) FROM throng_event", &events, 1);
  if (in.has_frames) (void)read_row(&in, "SELECT COUNT(*) FROM frame_data", &frames, 1);
  (void)read_row(&in, "SELECT COUNT(*) FROM geometry", &geometries, 1);
  double mesh[5] = {0};
  if (has_table(&in, "throng_mesh") && has_table(&in, "throng_places")) {
    (void)read_row(&in, "SELECT COUNT(*), MAX(LENGTH(vertices)) / 24, MAX(LENGTH(faces)) / 12 FROM throng_mesh", mesh,
                   3);
    (void)read_row(&in, "SELECT MIN(pos_z), MAX(pos_z) FROM throng_places", mesh + 3, 2);
  }
  sqlite3_close(in.file);
  if (result != TH_OK) return result;
  read.rows = (uint64_t)row[0];
  read.agents = (uint64_t)row[1];
  read.frames = (uint64_t)(frames > row[2] ? frames : row[2]); /* frames without agents count */
  read.frame_first = row[3] > 0.0 && row[3] < 4e9 ? (uint32_t)row[3] : 0;
  read.frame_last = row[4] > 0.0 && row[4] < 4e9 ? (uint32_t)row[4] : 0;
  read.lower = (th_vec2){(float)row[5], (float)row[6]};
  read.upper = (th_vec2){(float)row[7], (float)row[8]};
  read.meshes = (uint32_t)mesh[0], read.vertices = (uint32_t)mesh[1], read.faces = (uint32_t)mesh[2];
  read.lowest = (float)mesh[3], read.highest = (float)mesh[4];
  read.events = (uint64_t)events;
  read.geometries = (uint64_t)geometries;
  *info = read;
  return TH_OK;
}

th_result th_recording_read_scene(const th_env *env, const char *path, char **text, th_error *error) {
  record_file in;
  th_result result = open_record(path, &in, error);
  if (result != TH_OK) return result;
  th_env full = th_env_complete(env);
  sqlite3_stmt *query = NULL;
  if (!in.has_meta) result = refuse(&in, TH_ERROR_STATE, "holds no scene: it was not made by throng");
  if (result == TH_OK) result = prepare(&in, "SELECT value FROM throng_meta WHERE key = 'scene'", &query);
  if (result == TH_OK && sqlite3_step(query) != SQLITE_ROW) result = refuse(&in, TH_ERROR_STATE, "holds no scene");
  if (result == TH_OK) {
    char *copy = th_text_copy(&full.allocator, column_text(query, 0));
    if (!copy)
      result = th_fail_memory(error, path);
    else
      *text = copy;
  }
  sqlite3_finalize(query);
  sqlite3_close(in.file);
  return result;
}
