/* io/recording/tables.c - the tables of a recording: JuPedSim's own, and ours beside them.
 *
 * JuPedSim's writer (file version 2, and 3 without orientation) defines trajectory_data, metadata, geometry and
 * frame_data; PedPy reads these and ignores the rest. Version 2 is the default: PedPy's loader of walkable areas
 * refuses version 3. Throng's own tables are clustered on (frame, id), so that rows are appended and a join with
 * trajectory_data reads both in order. The text depends on the def alone, so equal runs give equal files.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/recording/recording.h"
#include "io/text.h"

static const char *const jupedsim_tables =
    "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
    "CREATE UNIQUE INDEX geometry_hash ON geometry(hash);"
    "CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);"
    "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);";

static const char *const trajectory_3 =
    "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT "
    "NULL);";
static const char *const trajectory_2 =
    "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT "
    "NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);";

static const char *const own_tables =
    "CREATE TABLE throng_meta(key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE throng_agent(id INTEGER PRIMARY KEY, agent_index INTEGER NOT NULL, generation INTEGER NOT NULL,"
    " radius REAL, population TEXT, model TEXT, goal INTEGER);"
    "CREATE TABLE throng_goal(id INTEGER PRIMARY KEY, goal_index INTEGER NOT NULL, generation INTEGER NOT NULL,"
    " name TEXT NOT NULL);"
    "CREATE TABLE throng_group(id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE throng_member(frame INTEGER NOT NULL, id INTEGER NOT NULL, group_id INTEGER NOT NULL,"
    " PRIMARY KEY(frame, id)) WITHOUT ROWID;"
    "CREATE TABLE throng_state(frame INTEGER NOT NULL, id INTEGER NOT NULL, heading REAL NOT NULL,"
    " vel_x REAL NOT NULL, vel_y REAL NOT NULL, gait INTEGER NOT NULL, state INTEGER NOT NULL,"
    " narrowed REAL NOT NULL, PRIMARY KEY(frame, id)) WITHOUT ROWID;"
    "CREATE TABLE throng_event(step INTEGER NOT NULL, time REAL NOT NULL, kind TEXT NOT NULL, id INTEGER NOT NULL,"
    " goal INTEGER NOT NULL);"
    "CREATE TABLE throng_debug(step INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL, x REAL NOT NULL,"
    " y REAL NOT NULL, value REAL NOT NULL);"
    "CREATE TABLE throng_numbers(run INTEGER PRIMARY KEY, metrics BLOB NOT NULL);"
    "CREATE TABLE throng_shape(kind TEXT NOT NULL, name TEXT NOT NULL, wkt TEXT NOT NULL);";

int64_t th_recording_wkt_hash(const char *wkt) {
  uint64_t hash = 14695981039346656037u;
  for (; *wkt; wkt++) hash = (hash ^ (uint8_t)*wkt) * 1099511628211u;
  return (int64_t)hash;
}

static bool put_pair(sqlite3 *file, const char *table, const char *key, const char *value) {
  char sql[96];
  sqlite3_stmt *insert = NULL;
  snprintf(sql, sizeof sql, "INSERT INTO %s VALUES(?, ?)", table);
  bool good = sqlite3_prepare_v2(file, sql, -1, &insert, NULL) == SQLITE_OK &&
              sqlite3_bind_text(insert, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
              sqlite3_bind_text(insert, 2, value, -1, SQLITE_STATIC) == SQLITE_OK &&
              sqlite3_step(insert) == SQLITE_DONE;
  sqlite3_finalize(insert);
  return good;
}

static bool put_number(sqlite3 *file, const char *table, const char *key, double value) {
  char text[TH_NUMBER_ROOM];
  return put_pair(file, table, key, th_number_of_double(text, value));
}

static bool put_whole(sqlite3 *file, const char *key, uint64_t value) {
  char text[TH_NUMBER_ROOM];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  return put_pair(file, "throng_meta", key, text);
}

/* JuPedSim keeps the bounds of its geometry as text in metadata. */
static bool put_metadata(sqlite3 *file, const th_recording_def *def, double fps, const th_floor_plan *plan) {
  th_vec2 lower, upper;
  th_floor_plan_bounds(plan, &lower, &upper);
  return put_pair(file, "metadata", "version", def->version == 2 ? "2" : "3") &&
         put_number(file, "metadata", "fps", fps) && put_number(file, "metadata", "xmin", (double)lower.x) &&
         put_number(file, "metadata", "xmax", (double)upper.x) &&
         put_number(file, "metadata", "ymin", (double)lower.y) && put_number(file, "metadata", "ymax", (double)upper.y);
}

static bool put_own_metadata(sqlite3 *file, const th_recording_def *def) {
  return put_pair(file, "throng_meta", "throng", th_version()) && put_number(file, "throng_meta", "dt", def->dt) &&
         put_whole(file, "every", def->every) && put_whole(file, "seed", def->seed) &&
         (!def->name || put_pair(file, "throng_meta", "name", def->name)) &&
         (!def->scene || put_pair(file, "throng_meta", "scene", def->scene));
}

static bool put_geometry(sqlite3 *file, const char *wkt) {
  sqlite3_stmt *insert = NULL;
  bool good = sqlite3_prepare_v2(file, "INSERT INTO geometry VALUES(?, ?)", -1, &insert, NULL) == SQLITE_OK &&
              sqlite3_bind_int64(insert, 1, th_recording_wkt_hash(wkt)) == SQLITE_OK &&
              sqlite3_bind_text(insert, 2, wkt, -1, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(insert) == SQLITE_DONE;
  sqlite3_finalize(insert);
  return good;
}

static bool fill_tables(sqlite3 *file, const th_recording_def *def, double fps, const th_floor_plan *plan) {
  return sqlite3_exec(file, "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; BEGIN", NULL, NULL, NULL) ==
             SQLITE_OK &&
         sqlite3_exec(file, def->version == 2 ? trajectory_2 : trajectory_3, NULL, NULL, NULL) == SQLITE_OK &&
         sqlite3_exec(file, jupedsim_tables, NULL, NULL, NULL) == SQLITE_OK &&
         sqlite3_exec(file, own_tables, NULL, NULL, NULL) == SQLITE_OK &&
         sqlite3_exec(file, th_record_trace_tables, NULL, NULL, NULL) == SQLITE_OK &&
         (!def->mesh || sqlite3_exec(file, th_record_mesh_tables, NULL, NULL, NULL) == SQLITE_OK) &&
         put_metadata(file, def, fps, plan) && put_own_metadata(file, def) && put_geometry(file, def->wkt) &&
         sqlite3_exec(file, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

th_result th_recording_tables(const char *path, const th_recording_def *def, double fps, th_error *error) {
  th_floor_plan plan = {0};
  th_result result = th_floor_plan_make(&(th_floor_plan_def){.env = def->env, .wkt = def->wkt}, &plan, error);
  if (result != TH_OK) return result;
  sqlite3 *file = NULL;
  th_file_remove(path);
  bool good = sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK &&
              fill_tables(file, def, fps, &plan);
  if (!good) {
    bool memory = sqlite3_errcode(file) == SQLITE_NOMEM;
    result = memory ? th_fail_memory(error, path)
                    : th_fail(error, TH_ERROR_FILE, path, "cannot make a recording here: %s", sqlite3_errmsg(file));
  }
  sqlite3_close(file);
  if (!good) th_file_remove(path);
  th_floor_plan_free(&plan);
  return result;
}
