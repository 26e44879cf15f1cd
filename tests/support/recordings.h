/* tests/support/recordings.h - a made-up crowd to record, and questions to them in SQL. */
#ifndef TH_TESTS_SUPPORT_RECORDINGS_H
#define TH_TESTS_SUPPORT_RECORDINGS_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/folder.h"
#include "support/made_crowd.h"
#include "support/unit.h"
#include "throng/recording.h"

#define ROOM "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (8 4, 8 6, 10 6, 10 4, 8 4))"
#define ROOM_CLOSED "POLYGON ((0 0, 12 0, 12 10, 0 10, 0 0), (8 4, 8 6, 10 6, 10 4, 8 4))"

/* A crowd whose numbers are a function of (agent, step). */
static inline th_agents crowd_at(crowd *c, uint32_t count, uint64_t step) {
  for (uint32_t i = 0; i < count; i++) {
    float t = 0.1f * (float)step;
    c->id[i] = (th_agent_id){i + 1, 1, 0};
    c->x[i] = 1.0f + 0.1f * (float)i + 1.3f * t;
    c->y[i] = 2.0f + 0.01f * (float)i;
    c->vx[i] = 1.3f;
    c->vy[i] = -0.25f;
    c->hx[i] = 0.6f;
    c->hy[i] = 0.8f;
    c->radius[i] = 0.2f + 0.001f * (float)i;
    c->gait[i] = TH_GAIT_WALK;
    c->state[i] = TH_AGENT_WALKING;
  }
  return crowd_agents(c, count);
}

static inline th_recording_def room_def(void) {
  th_recording_def def = th_default_recording_def();
  def.wkt = ROOM;
  def.name = "room";
  def.seed = 7;
  return def;
}

static inline void record(const char *path, th_recording_def def, uint32_t agents, uint64_t steps) {
  th_recording *recording = NULL;
  th_error error = {0};
  crowd c;
  th_result result = th_recording_make(path, &def, &recording, &error);
  if (result != TH_OK) fail_msg("%s: %s", error.where, error.text);
  for (uint64_t step = 0; step < steps; step++) {
    th_agents a = crowd_at(&c, agents, step);
    assert_int_equal(th_recording_write(recording, step, &a, &error), TH_OK);
  }
  assert_int_equal(th_recording_close(recording, &error), TH_OK);
}

static inline double ask(const char *path, const char *sql) {
  sqlite3 *file = NULL;
  sqlite3_stmt *query = NULL;
  assert_int_equal(sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  if (sqlite3_prepare_v2(file, sql, -1, &query, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(file));
  assert_int_equal(sqlite3_step(query), SQLITE_ROW);
  double value = sqlite3_column_double(query, 0);
  sqlite3_finalize(query);
  sqlite3_close(file);
  return value;
}

static inline void ask_text(const char *path, const char *sql, char *text, size_t size) {
  sqlite3 *file = NULL;
  sqlite3_stmt *query = NULL;
  assert_int_equal(sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
  if (sqlite3_prepare_v2(file, sql, -1, &query, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(file));
  assert_int_equal(sqlite3_step(query), SQLITE_ROW);
  snprintf(text, size, "%s", (const char *)sqlite3_column_text(query, 0));
  sqlite3_finalize(query);
  sqlite3_close(file);
}

#endif
