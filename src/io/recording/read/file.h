/* io/recording/read/file.h - an SQLite file that is being read. */
#ifndef TH_IO_RECORDING_READ_FILE_H
#define TH_IO_RECORDING_READ_FILE_H

#include <sqlite3.h>

#include "throng/recording.h"

typedef struct th_record_file {
  sqlite3 *file;
  const char *path;
  th_error *error;
  bool has_state, has_agent, has_goal, has_event, has_shape, has_meta, has_frames;
  bool has_narrowed, has_outline; /* a column of throng_state; of throng_spot */
  int64_t from, to;               /* frames that are read */
} th_record_file;

/* Opens a recording; on an error nothing stays open. sqlite3_close closes it. */
th_result th_record_file_open(const char *path, th_record_file *in, th_error *error);

/* What is wrong with the file, after a call of SQLite has failed. */
th_result th_record_broken(const th_record_file *in);

/* Parameters 1 and 2 of the query, if it has them, are the first and the last frame that are read. */
th_result th_record_prepare(const th_record_file *in, const char *sql, sqlite3_stmt **query);

/* The next row of a query; false at the end, on an error, which goes to `*result`, and when `*result` is one already.
 */
bool th_record_next(const th_record_file *in, sqlite3_stmt *query, th_result *result);

bool th_record_has_table(const th_record_file *in, const char *name);

/* A column as text, "" for NULL. */
const char *th_record_text(sqlite3_stmt *query, int column);

/* Value of a key as text in `buffer`; false when it is not there. */
bool th_record_pair(const th_record_file *in, const char *table, const char *key, char *buffer, size_t size);

/* What every recording says about itself. */
typedef struct th_record_head {
  char name[64];
  uint32_t version, every;
  double fps, dt;
  uint64_t seed;
} th_record_head;
th_result th_record_read_head(const th_record_file *in, th_record_head *head);

/* The first and the last frame, those without agents included. */
th_result th_record_read_frames(const th_record_file *in, uint32_t *first, uint32_t *last);

/* Parts of th_recording_read, for tracks that have their samples: names of agents, and events; and the places
 * in space and the meshes of mesh ground. */
th_result th_tracks_read_names(const th_record_file *in, th_tracks *tracks);
th_result th_tracks_read_groups(const th_record_file *in, th_tracks *tracks);
th_result th_tracks_read_events(const th_record_file *in, th_tracks *tracks);
th_result th_tracks_read_traces(const th_record_file *in, th_tracks *tracks);
th_result th_tracks_read_mesh_places(const th_record_file *in, th_tracks *tracks);
/* Marks and terrains, for tracks that have their meshes. */
th_result th_tracks_read_mesh_marks(const th_record_file *in, th_tracks *tracks);

#endif
