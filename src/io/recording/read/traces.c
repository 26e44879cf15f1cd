/* io/recording/read/traces.c - reads traces of decisions back from the file.
 *
 * All items are read at once, in the order in which they were published; figures look for those of an agent and a
 * moment. Files from before these tables have none. Cost: one reading of the table.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/read/file.h"
#include "io/recording/recording.h"

static th_result out_of_memory(const th_record_file *in) { return th_fail_memory(in->error, in->path); }

static th_result damaged(const th_record_file *in, const char *what) {
  return th_fail(in->error, TH_ERROR_FORMAT, in->path, "throng_trace: expected %s", what);
}

static void copy_text(char *to, size_t size, sqlite3_stmt *query, int column) {
  snprintf(to, size, "%s", th_record_text(query, column));
}

static th_result take_row(const th_record_file *in, th_tracks *tracks, sqlite3_stmt *query) {
  const char *type = th_record_text(query, 3);
  uint32_t k = 0;
  if (sqlite3_column_int64(query, 0) != (int64_t)tracks->trace_row_count + 1)
    return damaged(in, "rows that are numbered from 1");
  while (k <= TH_TRACE_RASTER && strcmp(type, th_trace_type_name[k]) != 0) k++;
  if (k > TH_TRACE_RASTER) return damaged(in, "scalar, vector, point, segment, line or raster");
  if (!th_grow(&tracks->env.allocator, (void **)&tracks->trace_row, &tracks->tail.trace_row_capacity,
               tracks->trace_row_count + 1, sizeof *tracks->trace_row))
    return out_of_memory(in);
  th_recorded_trace_row *row = &tracks->trace_row[tracks->trace_row_count++];
  *row = (th_recorded_trace_row){.type = (th_trace_type)k, .colour = (uint32_t)sqlite3_column_int64(query, 6)};
  copy_text(row->source, sizeof row->source, query, 1);
  copy_text(row->name, sizeof row->name, query, 2);
  copy_text(row->unit, sizeof row->unit, query, 4);
  copy_text(row->text, sizeof row->text, query, 5);
  return TH_OK;
}

static th_vec3 vector_at(sqlite3_stmt *query, int column) {
  return (th_vec3){(float)sqlite3_column_double(query, column), (float)sqlite3_column_double(query, column + 1),
                   (float)sqlite3_column_double(query, column + 2)};
}

static th_result take_values(const th_record_file *in, th_tracks *tracks, sqlite3_stmt *query,
                             th_recorded_trace *item) {
  const int64_t columns = sqlite3_column_int64(query, 17), rows = sqlite3_column_int64(query, 18);
  const void *bytes = sqlite3_column_blob(query, 19);
  if (columns < 1 || rows < 1 || columns > (1 << 20) || rows > (1 << 20) ||
      (int64_t)sizeof(float) * columns * rows != sqlite3_column_bytes(query, 19))
    return damaged(in, "columns x rows values of a raster");
  const uint32_t count = (uint32_t)(columns * rows);
  if (!th_grow(&tracks->env.allocator, (void **)&tracks->trace_value, &tracks->tail.trace_value_capacity,
               tracks->trace_value_count + count, sizeof *tracks->trace_value))
    return out_of_memory(in);
  memcpy(tracks->trace_value + tracks->trace_value_count, bytes, sizeof(float) * count);
  item->columns = (uint32_t)columns;
  item->rows = (uint32_t)rows;
  item->first = tracks->trace_value_count;
  tracks->trace_value_count += count;
  return TH_OK;
}

static th_result take_item(const th_record_file *in, th_tracks *tracks, sqlite3_stmt *query) {
  const int64_t frame = sqlite3_column_int64(query, 0), row = sqlite3_column_int64(query, 2);
  if (frame < 0 || frame >= UINT32_MAX || row < 1 || row > (int64_t)tracks->trace_row_count)
    return damaged(in, "frames from 0 and rows of throng_trace_row");
  if (!th_grow(&tracks->env.allocator, (void **)&tracks->trace, &tracks->tail.trace_capacity, tracks->trace_count + 1,
               sizeof *tracks->trace))
    return out_of_memory(in);
  th_recorded_trace item = {.id = sqlite3_column_int64(query, 1),
                            .frame = (uint32_t)frame,
                            .row = (uint32_t)row - 1,
                            .step = (uint64_t)sqlite3_column_int64(query, 3),
                            .at = vector_at(query, 4),
                            .a = vector_at(query, 7),
                            .b = vector_at(query, 10),
                            .c = vector_at(query, 13),
                            .value = (float)sqlite3_column_double(query, 16)};
  th_result result = TH_OK;
  if (tracks->trace_row[item.row].type == TH_TRACE_RASTER) result = take_values(in, tracks, query, &item);
  if (result == TH_OK) tracks->trace[tracks->trace_count++] = item;
  return result;
}

static th_result read_table(const th_record_file *in, th_tracks *tracks, const char *sql,
                            th_result (*take)(const th_record_file *, th_tracks *, sqlite3_stmt *)) {
  sqlite3_stmt *query = NULL;
  th_result result = th_record_prepare(in, sql, &query);
  while (th_record_next(in, query, &result)) result = take(in, tracks, query);
  sqlite3_finalize(query);
  return result;
}

th_result th_tracks_read_traces(const th_record_file *in, th_tracks *tracks) {
  if (!th_record_has_table(in, "throng_trace") || !th_record_has_table(in, "throng_trace_row")) return TH_OK;
  th_result result = read_table(
      in, tracks, "SELECT row, source, name, type, unit, text, colour FROM throng_trace_row ORDER BY row", take_row);
  if (result != TH_OK) return result;
  return read_table(in, tracks,
                    "SELECT frame, id, row, step, at_x, at_y, at_z, a_x, a_y, a_z, b_x, b_y, b_z, c_x, c_y, c_z, value,"
                    " columns, rows, raster FROM throng_trace WHERE frame BETWEEN ?1 AND ?2 ORDER BY frame, id, number",
                    take_item);
}
