/* io/recording/read/names.c - populations, models and goals of the agents of a recording, and its events.
 *
 * Names are kept once each and tracks refer to them by index, so that figures and tables can count by population, model
 * or goal. Files of other programs, and ours from before these tables, have no names. Cost: a search through the names
 * for each agent.
 */
#include <string.h>

#include "base/error.h"
#include "io/recording/read/file.h"
#include "io/recording/tracks.h"

static th_result take_agent(const th_record_file *in, th_tracks *tracks, sqlite3_stmt *query) {
  th_track *track = th_tracks_of(tracks, sqlite3_column_int64(query, 0));
  double radius = sqlite3_column_double(query, 1);
  if (!track) return TH_OK; /* has events only */
  if (radius > 0.0 && radius < 1e3) track->radius = (float)radius;
  if (!in->has_goal) return TH_OK;
  track->goal = th_tracks_goal(tracks, sqlite3_column_int64(query, 4));
  const bool named[2] = {sqlite3_column_type(query, 2) != SQLITE_NULL, sqlite3_column_type(query, 3) != SQLITE_NULL};
  bool good = (!named[0] || th_tracks_population(tracks, th_record_text(query, 2), &track->population)) &&
              (!named[1] || th_tracks_model(tracks, th_record_text(query, 3), &track->model));
  return good ? TH_OK : th_fail_memory(in->error, in->path);
}

static th_result read_goals(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  th_result result = th_record_prepare(in, "SELECT id, name FROM throng_goal ORDER BY id", &query);
  while (th_record_next(in, query, &result))
    if (!th_tracks_add_goal(tracks, sqlite3_column_int64(query, 0), th_record_text(query, 1)))
      result = th_fail_memory(in->error, in->path);
  sqlite3_finalize(query);
  return result;
}

th_result th_tracks_read_names(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!in->has_agent) return TH_OK;
  th_result result = in->has_goal ? read_goals(in, tracks) : TH_OK;
  if (result == TH_OK)
    result = th_record_prepare(in,
                               in->has_goal ? "SELECT id, radius, population, model, goal FROM throng_agent ORDER BY id"
                                            : "SELECT id, radius FROM throng_agent ORDER BY id",
                               &query);
  while (th_record_next(in, query, &result)) result = take_agent(in, tracks, query);
  sqlite3_finalize(query);
  return result;
}

th_result th_tracks_read_events(const th_record_file *in, th_tracks *tracks) {
  sqlite3_stmt *query = NULL;
  if (!in->has_event) return TH_OK;
  th_result result = th_record_prepare(in, "SELECT kind, id, time, goal FROM throng_event ORDER BY rowid", &query);
  while (th_record_next(in, query, &result)) {
    uint32_t goal = th_tracks_goal(tracks, sqlite3_column_int64(query, 3));
    if (!th_tracks_add_happening(tracks, th_record_text(query, 0), sqlite3_column_int64(query, 1),
                                 sqlite3_column_double(query, 2), goal))
      result = th_fail_memory(in->error, in->path);
  }
  sqlite3_finalize(query);
  return result;
}
