/* io/recording/read/tracks.c - reading recordings, ours and JuPedSim's.
 *
 * Two passes: the first counts the samples of each id, the second puts each sample where it belongs, so nothing is
 * sorted and every column is allocated once. Every value is checked, because files may come from other programs. Cost:
 * about 1 us per row.
 */
#include "io/recording/tracks.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/read/file.h"

static th_result refuse(const th_record_file *in, th_result code, const char *text) {
  return th_fail(in->error, code, in->path, "%s", text);
}

static th_result read_ids(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  uint64_t samples = 0;
  th_result result =
      th_record_prepare(in,
                        "SELECT id, COUNT(*) FROM trajectory_data WHERE frame BETWEEN ?1 AND ?2 GROUP BY id "
                        "ORDER BY id",
                        &query);
  while (th_record_next(in, query, &result)) {
    uint64_t count = (uint64_t)sqlite3_column_int64(query, 1);
    if (samples + count > UINT32_MAX / 2)
      result = refuse(in, TH_ERROR_CAPACITY, "more than 2^31 rows");
    else if (!th_tracks_add_track(tracks, sqlite3_column_int64(query, 0), (uint32_t)samples))
      result = th_fail_memory(in->error, in->path);
    samples += count;
  }
  sqlite3_finalize(query);
  if (result == TH_OK && !th_tracks_reserve(tracks, (uint32_t)samples)) result = th_fail_memory(in->error, in->path);
  tracks->sample_count = (uint32_t)samples;
  return result;
}

static th_result take_sample(const th_record_file *in, th_tracks *tracks, sqlite3_stmt *query) {
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
  const double narrowed = in->has_narrowed ? sqlite3_column_double(query, 9) : 0.0;
  tracks->narrowed[i] = narrowed > 0.0 && narrowed < 1.0 ? (float)narrowed : 0.0f;
  return TH_OK;
}

static th_result read_samples(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
#define WITH_STATE(more)                                                                      \
  "SELECT t.frame, t.id, t.pos_x, t.pos_y, s.heading, s.vel_x, s.vel_y, s.gait, s.state" more \
  " FROM trajectory_data t LEFT JOIN throng_state s ON s.frame = t.frame AND s.id = t.id"     \
  " WHERE t.frame BETWEEN ?1 AND ?2 ORDER BY t.frame, t.id"
  th_result result =
      th_record_prepare(in,
                        in->has_narrowed ? WITH_STATE(", s.narrowed")
                        : in->has_state  ? WITH_STATE("")
                                         : "SELECT frame, id, pos_x, pos_y FROM trajectory_data WHERE frame BETWEEN ?1 "
                                           "AND ?2 ORDER BY frame, id",
                        &query);
#undef WITH_STATE
  while (th_record_next(in, query, &result)) {
    result = take_sample(in, tracks, query);
  }
  sqlite3_finalize(query);
  if (result == TH_OK && !in->has_state) th_tracks_derive(tracks);
  return result;
}

/* Ground: one plan per change. Files of version 1 have one geometry and no frame_data. */
static th_result read_plans(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!th_record_has_table(in, "geometry")) return TH_OK;
  bool changes = in->has_frames && tracks->version >= 2;
  th_result result =
      th_record_prepare(in,
                        changes ? "SELECT f.frame, g.wkt, f.geometry_hash FROM frame_data f JOIN geometry g ON "
                                  "g.hash = f.geometry_hash ORDER BY f.frame"
                                : "SELECT 0, wkt, 0 FROM geometry LIMIT 1",
                        &query);
  int64_t last = 0;
  while (th_record_next(in, query, &result)) {
    int64_t frame = sqlite3_column_int64(query, 0), hash = sqlite3_column_int64(query, 2);
    if (tracks->plan_count > 0 && hash == last) continue;
    if (frame < 0 || frame >= UINT32_MAX)
      result = refuse(in, TH_ERROR_FORMAT, "frame_data: a frame is out of range");
    else
      result = th_tracks_add_plan(tracks, th_record_text(query, 1), (uint32_t)frame, in->error);
    last = hash;
  }
  sqlite3_finalize(query);
  if (result != TH_OK || tracks->plan_count > 0 || !changes) return result;
  result = th_record_prepare(in, "SELECT wkt FROM geometry LIMIT 1", &query); /* killed before its first frame */
  if (th_record_next(in, query, &result)) result = th_tracks_add_plan(tracks, th_record_text(query, 0), 0, in->error);
  sqlite3_finalize(query);
  return result;
}

static th_result read_marks(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!in->has_shape) return TH_OK;
  th_result result = th_record_prepare(in, "SELECT kind, name, wkt FROM throng_shape", &query);
  while (th_record_next(in, query, &result))
    result = th_tracks_add_mark(tracks, th_record_text(query, 0), th_record_text(query, 1), th_record_text(query, 2),
                                in->error);
  sqlite3_finalize(query);
  return result;
}

/* Files of other programs have none, nor has a run that was killed. */
static th_result read_numbers(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  th_result result = TH_OK;
  if (!th_record_has_table(in, "throng_numbers")) return TH_OK;
  result = th_record_prepare(in, "SELECT metrics FROM throng_numbers", &query);
  if (th_record_next(in, query, &result) && sqlite3_column_bytes(query, 0) > 0) {
    const size_t size = (size_t)sqlite3_column_bytes(query, 0);
    tracks->numbers = TH_TAKE(&tracks->env.allocator, uint8_t, size);
    if (tracks->numbers) memcpy(tracks->numbers, sqlite3_column_blob(query, 0), tracks->numbers_size = size);
    if (!tracks->numbers) result = th_fail_memory(in->error, in->path);
  }
  sqlite3_finalize(query);
  return result;
}

static th_result read_all(const th_record_file *in, th_tracks *tracks) {
  th_record_head head;
  th_result result = th_record_read_head(in, &head);
  if (result != TH_OK) return result;
  memcpy(tracks->name, head.name, sizeof tracks->name);
  tracks->version = head.version;
  tracks->fps = head.fps;
  tracks->dt = head.dt;
  tracks->every = head.every;
  tracks->seed = head.seed;
  result = th_record_read_frames(in, &tracks->frame_first, &tracks->frame_last);
  if (in->from > tracks->frame_first) tracks->frame_first = (uint32_t)in->from;
  if (in->to < tracks->frame_last) tracks->frame_last = (uint32_t)in->to;
  if (result == TH_OK) result = read_ids(in, tracks);
  if (result == TH_OK) result = read_samples(in, tracks);
  if (result == TH_OK) result = th_tracks_read_names(in, tracks);
  if (result == TH_OK) result = th_tracks_read_groups(in, tracks);
  if (result == TH_OK) result = th_tracks_read_mesh_places(in, tracks);
  if (result == TH_OK) result = read_plans(in, tracks);
  if (result == TH_OK) result = read_marks(in, tracks);
  if (result == TH_OK) result = th_tracks_read_traces(in, tracks);
  if (result == TH_OK) result = read_numbers(in, tracks);
  return result == TH_OK ? th_tracks_read_events(in, tracks) : result;
}

th_tracks_def th_default_tracks_def(void) { return (th_tracks_def){.path = NULL}; }

th_result th_recording_read(const th_tracks_def *def, th_tracks *tracks, th_error *error) {
  th_record_file in;
  th_result result = th_record_file_open(def->path, &in, error);
  if (result != TH_OK) return result;
  th_tracks read = {.env = th_env_complete(&def->env)};
  in.from = def->frames ? def->first : 0;
  in.to = def->frames ? (int64_t)def->first + def->frames - 1 : INT64_MAX;
  result = read_all(&in, &read);
  sqlite3_close(in.file);
  if (result != TH_OK)
    th_tracks_free(&read);
  else
    *tracks = read;
  return result;
}
