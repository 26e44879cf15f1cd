/* io/recording/read/file.c - opening an SQLite file that may be a recording, and its metadata.
 *
 * The file is opened for writing where that is allowed, because only then may SQLite roll back the journal of a killed
 * writer. SQLite detects most damage only when it reads the damaged page, so every read of a row may fail; the error
 * then says that the file is damaged.
 */
#include "io/recording/read/file.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/recording/tracks.h"
#include "io/text.h"

th_result th_record_broken(const th_record_file *in) {
  switch (sqlite3_errcode(in->file)) {
    case SQLITE_NOMEM:
      return th_fail_memory(in->error, in->path);
    case SQLITE_NOTADB:
      return th_fail(
          in->error, TH_ERROR_FORMAT, in->path,
          "expected a recording in SQLite's format, found another format, or a file damaged at its beginning");
    case SQLITE_CORRUPT:
      return th_fail(in->error, TH_ERROR_FORMAT, in->path, "the file is damaged or cut off (SQLite: %s)",
                     sqlite3_errmsg(in->file));
    default:
      return th_fail(in->error, TH_ERROR_FORMAT, in->path, "cannot be read as a recording: %s",
                     sqlite3_errmsg(in->file));
  }
}

th_result th_record_prepare(const th_record_file *in, const char *sql, sqlite3_stmt **query) {
  if (sqlite3_prepare_v2(in->file, sql, -1, query, NULL) != SQLITE_OK) return th_record_broken(in);
  if (sqlite3_bind_parameter_count(*query) < 2) return TH_OK;
  sqlite3_bind_int64(*query, 1, in->from);
  sqlite3_bind_int64(*query, 2, in->to);
  return TH_OK;
}

bool th_record_next(const th_record_file *in, sqlite3_stmt *query, th_result *result) {
  if (*result != TH_OK) return false;
  int step = sqlite3_step(query);
  if (step != SQLITE_ROW && step != SQLITE_DONE) *result = th_record_broken(in);
  return step == SQLITE_ROW;
}

bool th_record_has_table(const th_record_file *in, const char *name) {
  sqlite3_stmt *query = NULL;
  bool found = sqlite3_prepare_v2(in->file, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", -1, &query,
                                  NULL) == SQLITE_OK &&
               sqlite3_bind_text(query, 1, name, -1, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW;
  sqlite3_finalize(query);
  return found;
}

const char *th_record_text(sqlite3_stmt *query, int column) {
  const char *text = (const char *)sqlite3_column_text(query, column);
  return text ? text : "";
}

static th_result check_tables(const th_record_file *in) {
  if (sqlite3_exec(in->file, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL) != SQLITE_OK) return th_record_broken(in);
  if (th_record_has_table(in, "trajectory_data") && th_record_has_table(in, "metadata")) return TH_OK;
  return th_fail(in->error, TH_ERROR_FORMAT, in->path,
                 "expected a recording with the tables trajectory_data and metadata, found none");
}

/* Whether tables and columns of a query exist. */
static bool can_read(const th_record_file *in, const char *sql) {
  sqlite3_stmt *query = NULL;
  const bool good = sqlite3_prepare_v2(in->file, sql, -1, &query, NULL) == SQLITE_OK;
  sqlite3_finalize(query);
  return good;
}

th_result th_record_file_open(const char *path, th_record_file *in, th_error *error) {
  *in = (th_record_file){.path = path, .error = error};
  th_result result = TH_OK;
  if (sqlite3_open_v2(path, &in->file, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
    result = th_fail(error, TH_ERROR_FILE, path, "cannot be opened: %s", sqlite3_errmsg(in->file));
  sqlite3_busy_timeout(in->file, 10000);
  if (result == TH_OK) result = check_tables(in);
  if (result != TH_OK) {
    sqlite3_close(in->file);
    return result;
  }
  in->has_state = th_record_has_table(in, "throng_state");
  in->has_agent = th_record_has_table(in, "throng_agent");
  in->has_goal = th_record_has_table(in, "throng_goal");
  in->has_event = th_record_has_table(in, "throng_event");
  in->has_shape = th_record_has_table(in, "throng_shape");
  in->has_meta = th_record_has_table(in, "throng_meta");
  in->has_frames = th_record_has_table(in, "frame_data");
  in->has_narrowed = can_read(in, "SELECT narrowed FROM throng_state");
  in->has_outline = can_read(in, "SELECT outline FROM throng_spot");
  return TH_OK;
}

bool th_record_pair(const th_record_file *in, const char *table, const char *key, char *buffer, size_t size) {
  char sql[96];
  sqlite3_stmt *query = NULL;
  snprintf(sql, sizeof sql, "SELECT value FROM %s WHERE key = ?", table);
  if (sqlite3_prepare_v2(in->file, sql, -1, &query, NULL) != SQLITE_OK) return false;
  sqlite3_bind_text(query, 1, key, -1, SQLITE_STATIC);
  bool found = sqlite3_step(query) == SQLITE_ROW;
  if (found) snprintf(buffer, size, "%s", th_record_text(query, 0));
  if (found) th_make_printable(buffer);
  sqlite3_finalize(query);
  return found;
}

/* Files of other programs have no steps: there one step is one frame. */
static void read_steps(const th_record_file *in, th_record_head *head) {
  char text[64] = "";
  const char *end;
  unsigned long long whole = 0;
  head->dt = 1.0 / head->fps;
  head->every = 1;
  if (!in->has_meta) return;
  (void)th_record_pair(in, "throng_meta", "name", head->name, sizeof head->name);
  if (th_record_pair(in, "throng_meta", "seed", text, sizeof text) && sscanf(text, "%llu", &whole) == 1)
    head->seed = whole;
  double dt = th_record_pair(in, "throng_meta", "dt", text, sizeof text) ? th_text_number(text, &end) : 0.0;
  bool counted = th_record_pair(in, "throng_meta", "every", text, sizeof text) && sscanf(text, "%llu", &whole) == 1;
  if (!(dt > 0.0 && dt <= 10.0) || !counted || whole < 1 || whole >= UINT32_MAX) return;
  head->dt = dt;
  head->every = (uint32_t)whole;
}

th_result th_record_read_head(const th_record_file *in, th_record_head *head) {
  char text[64] = "";
  const char *end;
  *head = (th_record_head){.version = 1};
  if (!th_record_pair(in, "metadata", "fps", text, sizeof text))
    return sqlite3_errcode(in->file) == SQLITE_CORRUPT
               ? th_record_broken(in)
               : th_fail(in->error, TH_ERROR_FORMAT, in->path, "metadata: expected fps, found none");
  head->fps = th_text_number(text, &end);
  if (end == text || !(head->fps >= TH_FPS_LEAST && head->fps <= 1e6))
    return th_fail(in->error, TH_ERROR_FORMAT, in->path, "metadata: expected fps of 1e-6 to 1e6, found '%s'", text);
  if (th_record_pair(in, "metadata", "version", text, sizeof text)) {
    double number = th_text_number(text, &end);
    if (end == text || !(number >= 1.0 && number <= 3.0))
      return th_fail(in->error, TH_ERROR_FORMAT, in->path, "metadata: expected version 1, 2 or 3, found '%s'", text);
    head->version = (uint32_t)number;
  }
  read_steps(in, head);
  return TH_OK;
}

th_result th_record_read_frames(const th_record_file *in, uint32_t *first, uint32_t *last) {
  sqlite3_stmt *query = NULL;
  bool any = false;
  th_result result = TH_OK;
  *first = *last = 0;
  for (int k = 0; k < (in->has_frames ? 2 : 1) && result == TH_OK; k++) {
    result = th_record_prepare(
        in, k ? "SELECT MIN(frame), MAX(frame) FROM frame_data" : "SELECT MIN(frame), MAX(frame) FROM trajectory_data",
        &query);
    if (th_record_next(in, query, &result) && sqlite3_column_type(query, 0) != SQLITE_NULL) {
      int64_t low = sqlite3_column_int64(query, 0), high = sqlite3_column_int64(query, 1);
      if (low < 0 || high >= UINT32_MAX)
        result = th_fail(in->error, TH_ERROR_FORMAT, in->path,
                         "expected frames from 0 to 4294967294, found %lld to %lld", (long long)low, (long long)high);
      if (!any || low < *first) *first = (uint32_t)low;
      if (!any || high > *last) *last = (uint32_t)high;
      any = true;
    }
    sqlite3_finalize(query);
  }
  if (result == TH_OK && *last - *first >= TH_FRAMES_MOST)
    result = th_fail(in->error, TH_ERROR_FORMAT, in->path, "expected at most %u frames, found %u to %u", TH_FRAMES_MOST,
                     *first, *last);
  return result;
}
