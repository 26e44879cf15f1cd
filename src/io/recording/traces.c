/* io/recording/traces.c - traces of decisions, written beside the frames.
 *
 * Each kind of item is described once (throng_trace_row), and every item names its row and the frame with which it was
 * written. An item is written with the first frame after it was published, so decisions that hold over several frames
 * are kept once; of decisions between two frames the last one is kept. Columns that a type does not use are NULL. Cost:
 * that of a row of SQLite for each item of a traced agent.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/recording.h"

const char *const th_record_trace_tables =
    "CREATE TABLE throng_trace_row(row INTEGER PRIMARY KEY, source TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT "
    "NULL,"
    " unit TEXT NOT NULL, text TEXT NOT NULL, colour INTEGER NOT NULL);"
    "CREATE TABLE throng_trace(frame INTEGER NOT NULL, id INTEGER NOT NULL, number INTEGER NOT NULL,"
    " row INTEGER NOT NULL, step INTEGER NOT NULL, at_x REAL, at_y REAL, at_z REAL, a_x REAL, a_y REAL, a_z REAL,"
    " b_x REAL, b_y REAL, b_z REAL, c_x REAL, c_y REAL, c_z REAL, value REAL, columns INTEGER, rows INTEGER, raster "
    "BLOB,"
    " PRIMARY KEY(frame, id, number)) WITHOUT ROWID;";

const char *const th_trace_type_name[] = {"scalar", "vector", "point", "segment", "line", "raster"};

/* ---------------------------------------------------------------- into the file */

bool th_record_put_trace_row(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_TRACE_ROW];
  const th_trace *row = record->trace->trace;
  sqlite3_bind_int64(insert, 1, (int64_t)record->first + 1);
  sqlite3_bind_text(insert, 2, record->trace->source, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 3, row->name, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 4, th_trace_type_name[row->type], -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 5, row->unit, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 6, row->text, -1, SQLITE_STATIC);
  sqlite3_bind_int64(insert, 7, row->colour);
  return th_record_put(insert);
}

/* How many of at, a, b and c a type uses. */
static int vectors_of(th_trace_type type) {
  static const int count[] = {1, 2, 2, 3, 3, 4};
  return count[type];
}

bool th_record_put_trace(th_recording *recording, const th_record *record) {
  sqlite3_stmt *insert = recording->insert[TH_TABLE_TRACE];
  const th_trace_item *item = record->trace;
  const th_vec3 vector[4] = {item->at, item->a, item->b, item->c};
  sqlite3_clear_bindings(insert);
  sqlite3_bind_int64(insert, 1, record->goal);
  sqlite3_bind_int64(insert, 2, record->id);
  sqlite3_bind_int64(insert, 3, record->count);
  sqlite3_bind_int64(insert, 4, (int64_t)record->first + 1);
  sqlite3_bind_int64(insert, 5, (int64_t)record->step);
  for (int k = 0; k < vectors_of(item->trace->type); k++) {
    sqlite3_bind_double(insert, 6 + 3 * k, (double)vector[k].x);
    sqlite3_bind_double(insert, 7 + 3 * k, (double)vector[k].y);
    sqlite3_bind_double(insert, 8 + 3 * k, (double)vector[k].z);
  }
  if (!item->raster) sqlite3_bind_double(insert, 18, (double)item->value);
  if (item->raster) {
    sqlite3_bind_int64(insert, 19, item->columns);
    sqlite3_bind_int64(insert, 20, item->rows);
    sqlite3_bind_blob64(insert, 21, item->raster, sizeof(float) * item->columns * item->rows, SQLITE_STATIC);
  }
  return th_record_put(insert);
}

/* The item and its raster are one block. */
static size_t block_size(const th_trace_item *item) {
  return sizeof *item + (item->raster ? sizeof(float) * item->columns * item->rows : 0);
}

void th_record_trace_free(const th_allocator *allocator, th_trace_item *item) {
  if (item) th_give(allocator, item, block_size(item), 1);
}

static th_trace_item *copy_item(const th_allocator *allocator, const th_trace_item *item) {
  size_t size = block_size(item);
  th_trace_item *copy = th_take(allocator, size, 1);
  if (!copy) return NULL;
  *copy = *item;
  if (item->raster) memcpy(copy + 1, item->raster, size - sizeof *item);
  if (item->raster) copy->raster = (const float *)(copy + 1);
  return copy;
}

/* ---------------------------------------------------------------- from the world */

/* The number of a row, which is written when it is new; UINT32_MAX when out of memory. Sources are few, rows too. */
static uint32_t row_number(th_recording *recording, const th_trace_item *item, bool *fresh) {
  *fresh = false;
  for (uint32_t k = 0; k < recording->trace_row_count; k++)
    if (recording->trace_row[k].from == item->trace && !strcmp(recording->trace_row[k].source, item->source)) return k;
  if (!th_grow(&recording->env.allocator, (void **)&recording->trace_row, &recording->trace_row_capacity,
               recording->trace_row_count + 1, sizeof *recording->trace_row))
    return UINT32_MAX;
  recording->trace_row[recording->trace_row_count] = (th_record_trace_row){item->trace, item->source};
  *fresh = true;
  return recording->trace_row_count++;
}

static th_result record_item(th_recording *recording, const th_trace_item *item, th_agent_id agent, uint32_t number,
                             th_error *error) {
  const th_allocator *allocator = &recording->env.allocator;
  bool fresh;
  uint32_t records = 2, row = row_number(recording, item, &fresh);
  th_trace_item *copy = copy_item(allocator, item), *head = fresh ? copy_item(allocator, item) : NULL;
  bool good = row != UINT32_MAX && copy && (head || !fresh) && th_record_meet(recording, agent, 0.0f, &records);
  th_result result = good ? th_record_begin(recording, records, 0, error) : th_fail_memory(error, recording->path);
  if (result != TH_OK) {
    th_record_trace_free(allocator, copy);
    th_record_trace_free(allocator, head);
    return result;
  }
  int64_t id = th_record_number(recording, agent);
  if (fresh) th_record_add(recording, (th_record){.kind = TH_RECORD_TRACE_ROW, .first = row, .trace = head});
  th_record_add(recording, (th_record){.kind = TH_RECORD_TRACE,
                                       .first = row,
                                       .count = number,
                                       .step = item->step,
                                       .id = id,
                                       .goal = (int64_t)recording->frame_next - 1,
                                       .trace = copy});
  th_record_end(recording);
  return TH_OK;
}

static th_result record_agent(th_recording *recording, const th_world *world, th_agent_id agent, th_error *error) {
  uint32_t count = th_world_traces(world, agent, recording->trace_item, recording->trace_capacity);
  if (count > recording->trace_capacity) {
    if (!th_grow(&recording->env.allocator, (void **)&recording->trace_item, &recording->trace_capacity, count,
                 sizeof *recording->trace_item))
      return th_fail_memory(error, recording->path);
    count = th_world_traces(world, agent, recording->trace_item, recording->trace_capacity);
  }
  th_result result = TH_OK;
  for (uint32_t k = 0; k < count && result == TH_OK; k++)
    if (recording->trace_item[k].step >= recording->trace_step)
      result = record_item(recording, &recording->trace_item[k], agent, k, error);
  return result;
}

th_result th_recording_traces(th_recording *recording, const th_world *world, th_error *error) {
  uint32_t count = th_world_traced(world, NULL, 0);
  if (!count) return TH_OK;
  const th_allocator *allocator = &recording->env.allocator;
  th_agent_id *id = TH_TAKE(allocator, th_agent_id, count);
  if (!id) return th_fail_memory(error, recording->path);
  th_world_traced(world, id, count);
  th_result result = TH_OK;
  for (uint32_t i = 0; i < count && result == TH_OK; i++) result = record_agent(recording, world, id[i], error);
  TH_GIVE(allocator, id, count);
  recording->trace_step = th_world_step_count(world);
  return result;
}
