/* io/recording/flush.c - the thread that writes the log to the file.
 *
 * Frames are collected in memory and written in bursts, one transaction each, at most a quarter of a second after the
 * first frame came in. The thread has its own clock, so that a frame does not wait for the next step, however slow that
 * step is. Between bursts no journal exists and the file is complete on its own; a kill inside a burst leaves SQLite's
 * rollback journal, from which the next reader restores the state before the burst. synchronous=OFF is enough for that:
 * data handed to the operating system survive the end of the process. Rows are written in the order of the calls,
 * independent of the bursts, so equal runs give equal files. Cost: 3 to 5 us per row, off the stepping thread.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "base/trig.h"
#include "io/recording/recording.h"
#include "io/text.h"

#define BURST_SECONDS 0.25
#define WRITING_SECONDS 0.12

static const char *const insert_sql[TH_TABLE_COUNT] = {
    [TH_TABLE_TRAJECTORY] = "INSERT INTO trajectory_data VALUES(?, ?, ?, ?)",
    [TH_TABLE_STATE] = "INSERT INTO throng_state VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
    [TH_TABLE_FRAME] = "INSERT INTO frame_data VALUES(?, ?)",
    [TH_TABLE_GEOMETRY] = "INSERT INTO geometry VALUES(?, ?)",
    [TH_TABLE_AGENT] = "INSERT OR REPLACE INTO throng_agent VALUES(?, ?, ?, ?, ?, ?, ?)",
    [TH_TABLE_GOAL] = "INSERT OR REPLACE INTO throng_goal VALUES(?, ?, ?, ?)",
    [TH_TABLE_GROUP] = "INSERT OR REPLACE INTO throng_group VALUES(?, ?)",
    [TH_TABLE_MEMBER] = "INSERT OR REPLACE INTO throng_member VALUES(?, ?, ?)",
    [TH_TABLE_EVENT] = "INSERT INTO throng_event VALUES(?, ?, ?, ?, ?)",
    [TH_TABLE_DEBUG] = "INSERT INTO throng_debug VALUES(?, ?, ?, ?, ?, ?)",
    [TH_TABLE_SHAPE] = "INSERT INTO throng_shape VALUES(?, ?, ?)",
    [TH_TABLE_TRACE_ROW] = "INSERT INTO throng_trace_row VALUES(?, ?, ?, ?, ?, ?, ?)",
    [TH_TABLE_TRACE] = "INSERT INTO throng_trace VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [TH_TABLE_NUMBERS] = "INSERT OR REPLACE INTO throng_numbers VALUES(1, ?)",
    [TH_TABLE_MESH_PLACE] = "INSERT INTO throng_places VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [TH_TABLE_MESH] = "INSERT INTO throng_mesh VALUES(?, ?, ?, ?, ?)",
    [TH_TABLE_SPOT] = "INSERT INTO throng_spot VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [TH_TABLE_TERRAIN] = "INSERT INTO throng_terrain VALUES(?, ?, ?)"};

static const char *const trajectory_2_sql = "INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)";

static th_result report(th_recording *recording, th_error *error) {
  if (sqlite3_errcode(recording->file) == SQLITE_NOMEM) return th_fail_memory(error, recording->path);
  return th_fail(error, TH_ERROR_FILE, recording->path, "cannot write the recording: %s",
                 sqlite3_errmsg(recording->file));
}

void th_recording_detach(th_recording *recording) {
  for (int k = 0; k < TH_TABLE_COUNT; k++) sqlite3_finalize(recording->insert[k]);
  sqlite3_close(recording->file);
  recording->file = NULL;
}

th_result th_recording_attach(th_recording *recording, th_error *error) {
  bool good = sqlite3_open_v2(recording->path, &recording->file, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
  /* Pages reach the file at the end of a burst only: cache_spill off. A reader may hold its lock for a minute. */
  good = good && sqlite3_exec(recording->file,
                              "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; PRAGMA cache_spill=OFF; "
                              "PRAGMA busy_timeout=60000",
                              NULL, NULL, NULL) == SQLITE_OK;
  for (int k = 0; k < (recording->mesh ? TH_TABLE_COUNT : TH_TABLE_MESH_PLACE) && good; k++) {
    const char *sql = k == TH_TABLE_TRAJECTORY && recording->version == 2 ? trajectory_2_sql : insert_sql[k];
    good = sqlite3_prepare_v3(recording->file, sql, -1, SQLITE_PREPARE_PERSISTENT, &recording->insert[k], NULL) ==
           SQLITE_OK;
  }
  if (good) return TH_OK;
  th_result result = report(recording, error);
  th_recording_detach(recording);
  return result;
}

bool th_record_put(sqlite3_stmt *insert) {
  bool good = sqlite3_step(insert) == SQLITE_DONE;
  return sqlite3_reset(insert) == SQLITE_OK && good;
}

static bool put_row(th_recording *recording, int64_t frame, const th_record_row *row) {
  sqlite3_stmt *place = recording->insert[TH_TABLE_TRAJECTORY], *state = recording->insert[TH_TABLE_STATE];
  float heading = isnan(row->heading) ? th_atan2f(row->hy, row->hx) : row->heading, hx = row->hx, hy = row->hy;
  if (recording->version == 2 && !recording->mesh)
    th_sincosf(heading, &hy, &hx); /* of the angle, which CSV keeps to the bit */
  sqlite3_bind_int64(place, 1, frame);
  sqlite3_bind_int64(place, 2, row->id);
  sqlite3_bind_double(place, 3, (double)row->x);
  sqlite3_bind_double(place, 4, (double)row->y);
  if (recording->version == 2) {
    sqlite3_bind_double(place, 5, (double)hx);
    sqlite3_bind_double(place, 6, (double)hy);
  }
  sqlite3_bind_int64(state, 1, frame);
  sqlite3_bind_int64(state, 2, row->id);
  sqlite3_bind_double(state, 3, (double)heading);
  sqlite3_bind_double(state, 4, (double)row->vx);
  sqlite3_bind_double(state, 5, (double)row->vy);
  sqlite3_bind_int(state, 6, row->gait);
  sqlite3_bind_int(state, 7, row->state);
  sqlite3_bind_double(state, 8, (double)row->narrowed);
  return th_record_put(place) && th_record_put(state) &&
         (!recording->mesh || th_record_put_mesh_places(recording, frame, row));
}

static bool put_frame(th_recording *recording, const th_record *record, const th_record_row *row) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_FRAME];
  sqlite3_bind_int64(insert, 1, (int64_t)record->step);
  sqlite3_bind_int64(insert, 2, record->id);
  bool good = th_record_put(insert);
  for (uint32_t k = 0; k < record->count && good; k++) good = put_row(recording, (int64_t)record->step, &row[k]);
  return good;
}

static bool put_event(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_EVENT];
  sqlite3_bind_int64(insert, 1, (int64_t)record->step);
  sqlite3_bind_double(insert, 2, (double)record->step * recording->dt);
  sqlite3_bind_text(insert, 3, record->word, -1, SQLITE_STATIC);
  sqlite3_bind_int64(insert, 4, record->id);
  sqlite3_bind_int64(insert, 5, record->goal);
  return th_record_put(insert);
}

static bool put_debug(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_DEBUG];
  sqlite3_bind_int64(insert, 1, (int64_t)record->step);
  sqlite3_bind_int64(insert, 2, record->id);
  sqlite3_bind_text(insert, 3, record->text, -1, SQLITE_STATIC);
  sqlite3_bind_double(insert, 4, record->x);
  sqlite3_bind_double(insert, 5, record->y);
  sqlite3_bind_double(insert, 6, record->value);
  return th_record_put(insert);
}

/* NULL where nothing is known. */
static bool put_agent(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_AGENT];
  sqlite3_clear_bindings(insert);
  sqlite3_bind_int64(insert, 1, record->id);
  sqlite3_bind_int64(insert, 2, (int64_t)(record->step >> 32));
  sqlite3_bind_int64(insert, 3, (int64_t)(record->step & UINT32_MAX));
  if (record->x > 0.0) sqlite3_bind_double(insert, 4, record->x);
  sqlite3_bind_text(insert, 5, record->word, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 6, record->also, -1, SQLITE_STATIC);
  if (record->goal) sqlite3_bind_int64(insert, 7, record->goal);
  return th_record_put(insert);
}

static bool put_goal(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_GOAL];
  sqlite3_bind_int64(insert, 1, record->id);
  sqlite3_bind_int64(insert, 2, (int64_t)(record->step >> 32));
  sqlite3_bind_int64(insert, 3, (int64_t)(record->step & UINT32_MAX));
  sqlite3_bind_text(insert, 4, record->word, -1, SQLITE_STATIC);
  return th_record_put(insert);
}

static bool put_group(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_GROUP];
  sqlite3_bind_int64(insert, 1, record->id);
  sqlite3_bind_text(insert, 2, record->word, -1, SQLITE_STATIC);
  return th_record_put(insert);
}

static bool put_member(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_MEMBER];
  sqlite3_bind_int64(insert, 1, (int64_t)record->step);
  sqlite3_bind_int64(insert, 2, record->id);
  sqlite3_bind_int64(insert, 3, record->goal);
  return th_record_put(insert);
}

static bool put_geometry(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_GEOMETRY];
  sqlite3_bind_int64(insert, 1, record->id);
  sqlite3_bind_text(insert, 2, record->text, -1, SQLITE_STATIC);
  return th_record_put(insert);
}

static bool put_shape(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_SHAPE];
  sqlite3_bind_text(insert, 1, record->text, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 2, record->more, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 3, record->wkt, -1, SQLITE_STATIC);
  return th_record_put(insert);
}

static bool put_numbers(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_NUMBERS];
  sqlite3_bind_blob64(insert, 1, record->blob[0].bytes, record->blob[0].size, SQLITE_STATIC);
  return th_record_put(insert);
}

static bool put_record(th_recording *recording, const th_record_log *log, const th_record *record) {
  switch (record->kind) {
    case TH_RECORD_AGENT:
      return put_agent(recording, record);
    case TH_RECORD_GOAL:
      return put_goal(recording, record);
    case TH_RECORD_GROUP:
      return put_group(recording, record);
    case TH_RECORD_MEMBER:
      return put_member(recording, record);
    case TH_RECORD_GEOMETRY:
      return put_geometry(recording, record);
    case TH_RECORD_FRAME:
      return put_frame(recording, record, log->row + record->first);
    case TH_RECORD_EVENT:
      return put_event(recording, record);
    case TH_RECORD_DEBUG:
      return put_debug(recording, record);
    case TH_RECORD_SHAPE:
      return put_shape(recording, record);
    case TH_RECORD_MESH:
      return th_record_put_mesh(recording, record);
    case TH_RECORD_TRACE_ROW:
      return th_record_put_trace_row(recording, record);
    case TH_RECORD_TRACE:
      return th_record_put_trace(recording, record);
    case TH_RECORD_SPOT:
      return th_record_put_mesh_mark(recording, record);
    case TH_RECORD_TERRAIN:
      return th_record_put_terrain(recording, record);
    case TH_RECORD_NUMBERS:
      return put_numbers(recording, record);
  }
  return false;
}

th_result th_recording_flush(th_recording *recording, const th_record_log *log, th_error *error) {
  if (log->record_count == 0) return TH_OK;
  bool good = sqlite3_exec(recording->file, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
  for (uint32_t k = 0; k < log->record_count && good; k++) good = put_record(recording, log, &log->record[k]);
  good = good && sqlite3_exec(recording->file, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
  if (good) return TH_OK;
  th_result result = report(recording, error);
  sqlite3_exec(recording->file, "ROLLBACK", NULL, NULL, NULL);
  return result;
}

/* ---------------------------------------------------------------- the thread */

/* Waits for the first record, for the burst to fill and for the end of a step that has begun; false when there is
 * nothing more to come. */
static bool wait_for_burst(th_recording *recording) {
  while (recording->filling.record_count == 0 && !recording->stop)
    th_condition_wait(&recording->filled, &recording->mutex);
  if (recording->filling.record_count == 0) return false;
  const double until = th_clock_seconds() + BURST_SECONDS;
  while (!recording->stop && recording->filling.row_count + recording->filling.record_count < recording->limit)
    if (!th_condition_wait_until(&recording->filled, &recording->mutex, until)) break;
  while (recording->in_step) th_condition_wait(&recording->filled, &recording->mutex);
  return true;
}

/* How large the next burst may be, so that it is written in WRITING_SECONDS at the speed of the last one. */
static uint32_t next_limit(uint32_t size, double seconds) {
  double rows = (double)size * WRITING_SECONDS / (seconds > 1e-6 ? seconds : 1e-6);
  if (size < 64) return TH_RECORDING_FIRST_BURST; /* too few to judge by */
  return rows < 256.0 ? 256 : rows > 262144.0 ? 262144 : (uint32_t)rows;
}

void th_recording_thread(void *context) {
  th_recording *recording = context;
  th_mutex_lock(&recording->mutex);
  while (wait_for_burst(recording)) {
    th_record_log log = recording->filling;
    recording->filling = recording->emptying;
    recording->emptying = log;
    bool failed = recording->failed;
    th_condition_tell_all(&recording->emptied);
    th_mutex_unlock(&recording->mutex);
    th_error why = {0};
    uint32_t size = recording->emptying.row_count + recording->emptying.record_count;
    double began = th_clock_seconds();
    failed = failed || th_recording_flush(recording, &recording->emptying, &why) != TH_OK;
    th_record_log_clear(&recording->env.allocator, &recording->emptying);
    double took = th_clock_seconds() - began;
    th_mutex_lock(&recording->mutex);
    recording->limit = next_limit(size, took);
    if (failed && !recording->failed) recording->why = why;
    recording->failed = failed;
  }
  th_mutex_unlock(&recording->mutex);
}

void th_record_log_clear(const th_allocator *allocator, th_record_log *log) {
  for (uint32_t k = 0; k < log->record_count; k++) {
    th_text_free(log->record[k].text);
    th_text_free(log->record[k].more);
    th_text_free(log->record[k].wkt);
    th_record_blobs_free(allocator, log->record[k].blob);
    th_record_trace_free(allocator, log->record[k].trace);
  }
  log->record_count = log->row_count = 0;
}

void th_record_log_free(const th_allocator *allocator, th_record_log *log) {
  th_record_log_clear(allocator, log);
  TH_GIVE(allocator, log->record, log->record_capacity);
  TH_GIVE(allocator, log->row, log->row_capacity);
  *log = (th_record_log){0};
}
