/* io/recording/recording.h - inside a recording that is being written. */
#ifndef TH_IO_RECORDING_RECORDING_H
#define TH_IO_RECORDING_RECORDING_H

#include <sqlite3.h>

#include "base/platform/condition.h"
#include "base/platform/thread.h"
#include "io/recording/file.h"
#include "io/recording/numbers.h"
#include "io/recording/space.h"
#include "throng/recording.h"

/* One agent in one frame. */
typedef struct th_record_row {
  int64_t id;
  float x, y, vx, vy, hx, hy;
  float heading;                       /* [rad]; NAN: that of hx, hy */
  float z, vz, hz, weight_1, weight_2; /* mesh ground */
  uint32_t face;
  uint8_t gait, state;
  float narrowed; /* part of the radius by which shoulders are turned */
} th_record_row;

typedef enum th_record_kind {
  TH_RECORD_AGENT,     /* id, step = index << 32 | generation, goal, x = radius, word = population, also = model */
  TH_RECORD_GOAL,      /* id, step = index << 32 | generation, word = name */
  TH_RECORD_GROUP,     /* id, word = name */
  TH_RECORD_MEMBER,    /* step = frame, id, goal = number of the group */
  TH_RECORD_GEOMETRY,  /* id = hash, text = WKT */
  TH_RECORD_FRAME,     /* step = frame, id = hash of the ground, `count` rows from `first` */
  TH_RECORD_EVENT,     /* step, id, goal, text = kind */
  TH_RECORD_DEBUG,     /* step, id, x, y, value, text = name */
  TH_RECORD_SHAPE,     /* text = kind, more = name, wkt */
  TH_RECORD_MESH,      /* step = frame, id = number, blob[0 .. 2] = vertices, faces, blocked faces */
  TH_RECORD_TRACE_ROW, /* first = number of the row, trace = an item of it */
  TH_RECORD_TRACE,     /* first = number of its row, count = number of the item, step, id, goal = frame, trace */
  TH_RECORD_SPOT,      /* text = kind, more = name, id = face, x, y, z, value = radius; with an outline: count = 1 when
                          it is closed, low, high, blob[0] = its points */
  TH_RECORD_TERRAIN,   /* id = number, text = name, blob[0] = its faces */
  TH_RECORD_NUMBERS    /* blob[0] */
} th_record_kind;

typedef struct th_record_blob {
  void *bytes; /* owned; NULL: as before */
  size_t size;
} th_record_blob;

/* One entry of the log: what has been recorded and is not in the file yet, in the order of the calls. */
typedef struct th_record {
  th_record_kind kind;
  uint32_t first, count;
  uint64_t step;
  int64_t id, goal;
  double x, y, z, value, low, high;
  char *text, *more, *wkt; /* owned, or NULL */
  const char *word, *also; /* constants, or names that the recording keeps */
  th_record_blob *blob;    /* three, owned, or NULL */
  th_trace_item *trace;    /* owned, or NULL */
} th_record;

typedef struct th_record_log {
  th_record *record;
  th_record_row *row;
  uint32_t record_count, record_capacity, row_count, row_capacity;
} th_record_log;

/* Statements of the open file, one per table. */
typedef enum th_record_table {
  TH_TABLE_TRAJECTORY,
  TH_TABLE_STATE,
  TH_TABLE_FRAME,
  TH_TABLE_GEOMETRY,
  TH_TABLE_AGENT,
  TH_TABLE_GOAL,
  TH_TABLE_GROUP,
  TH_TABLE_MEMBER,
  TH_TABLE_EVENT,
  TH_TABLE_DEBUG,
  TH_TABLE_SHAPE,
  TH_TABLE_TRACE_ROW,
  TH_TABLE_TRACE,
  TH_TABLE_NUMBERS,
  TH_TABLE_MESH_PLACE, /* from here on: mesh ground only */
  TH_TABLE_MESH,
  TH_TABLE_SPOT,
  TH_TABLE_TERRAIN,
  TH_TABLE_COUNT
} th_record_table;

#define TH_RECORDING_FIRST_BURST 2048

/* A row of traces that is in the file. */
typedef struct th_record_trace_row {
  const th_trace *from;
  const char *source;
} th_record_trace_row;

struct th_recording {
  th_env env;
  char path[TH_PATH_ROOM];
  intptr_t lock; /* of the path */
  uint32_t every, version;
  double dt;
  th_numbers agents, goals, sources, groups;
  bool grouped; /* the world has had a group */
  char **name;  /* of populations, models, goals and groups; each text once */
  uint32_t name_count, name_capacity;
  const float *heading;  /* of the agents of the next frame [rad], where angles are known; else NULL */
  const float *narrowed; /* the same of their shoulders */
  const th_world *world; /* during th_recording_step: tells about agents that are new */
  int64_t geometry;
  bool mesh, events, terrains; /* terrains: they are in the file */
  uint32_t ground_version;     /* the last one that th_recording_step has recorded */
  th_space space;
  uint32_t mesh_count, frame_next; /* meshes so far; the frame after the last */
  th_record_trace_row *trace_row;
  th_trace_item *trace_item; /* of one agent */
  uint32_t trace_row_count, trace_row_capacity, trace_capacity;
  uint64_t trace_step;    /* items of earlier steps are in the file */
  uint64_t mesh_part[3];  /* hashes of the last vertices, faces and blocked faces */
  int64_t *geometry_seen; /* hashes that are in the file */
  uint32_t geometry_count, geometry_capacity;

  /* The caller fills `filling`, the thread empties `emptying`; the mutex guards `filling`, `limit`, `in_step`,
   * `stop`, `failed`, `why`. */
  th_thread thread;
  th_mutex mutex;
  th_condition filled, emptied;
  th_record_log filling, emptying;
  uint32_t limit; /* rows and records of a burst */
  bool in_step;   /* more of a step is to come: the thread waits for it */
  bool stop, failed;
  th_error why;

  sqlite3 *file; /* the thread's */
  sqlite3_stmt *insert[TH_TABLE_COUNT];
};

/* th_recording_make with the WKT of the ground given, and with frames per second that need not be 1 / (dt * every) to
 * the last bit. */
th_result th_recording_open(const char *path, const th_recording_def *def, double fps, th_recording **recording,
                            th_error *error);

/* Makes the file with all tables at `path`. */
th_result th_recording_tables(const char *path, const th_recording_def *def, double fps, th_error *error);

/* Opens a file that has its tables, and prepares the statements. On an error nothing stays open. */
th_result th_recording_attach(th_recording *recording, th_error *error);
void th_recording_detach(th_recording *recording);

/* Writes a log in one transaction; all of it or nothing. */
th_result th_recording_flush(th_recording *recording, const th_record_log *log, th_error *error);

/* Body of the writing thread; argument is the th_recording. */
void th_recording_thread(void *recording);

/* Locks, waits until the log has space and reserves it; on an error nothing is locked. th_record_end unlocks. */
th_result th_record_begin(th_recording *recording, uint32_t records, uint32_t rows, th_error *error);
void th_record_add(th_recording *recording, th_record record);
/* What is added between these two gets into the file at once. */
void th_record_begin_step(th_recording *recording);
void th_record_end_step(th_recording *recording);
void th_record_end(th_recording *recording);

/* Finds out what is not known yet about an agent or a goal, and counts the records that giving it a number adds. The
 * radius may be 0. False when out of memory. */
bool th_record_meet(th_recording *recording, th_agent_id agent, float radius, uint32_t *records);
bool th_record_meet_goal(th_recording *recording, th_goal_id goal, uint32_t *records);

/* The number of an agent or a goal in the file, 0 for the null id; between th_record_begin and th_record_end. Its row
 * is added when it is new or more is known about it. */
int64_t th_record_number(th_recording *recording, th_agent_id agent);
int64_t th_record_goal_number(th_recording *recording, th_goal_id goal);

/* A lasting copy of a text, one for all that are equal; NULL when out of memory. */
const char *th_record_keep_name(th_recording *recording, const char *text);

/* groups.c: who is in another group in this frame of the world. */
th_result th_recording_members(th_recording *recording, const th_world *world, th_error *error);

/* Notes the population of an agent that a source has emitted; false when out of memory. */
bool th_record_emitted(th_recording *recording, const th_event *event);
/* Frees numbers and names. */
void th_record_forget(th_recording *recording);

/* The two halves of th_recording_mark: a shape of a plan, a spot of a mesh. */
th_result th_recording_shape(th_recording *recording, const char *kind, const char *name, const th_shape *shape,
                             th_error *error);
th_result th_recording_mesh_mark(th_recording *recording, const th_mesh_mark *spot, th_error *error);

/* The terrains of mesh ground, once, where there are several. */
th_result th_recording_terrains(th_recording *recording, const th_ground *ground, th_error *error);
/* One of them: the faces whose entry in `terrain_of` is `number`; nothing when there are none. */
th_result th_recording_terrain(th_recording *recording, const th_recorded_name *terrain, const uint8_t *terrain_of,
                               uint32_t faces, th_error *error);

/* Notes that a geometry is in the file; false when out of memory. */
bool th_record_geometry_seen(th_recording *recording, int64_t hash);

/* traces.c */
extern const char *const th_record_trace_tables, *const th_trace_type_name[];
th_result th_recording_traces(th_recording *recording, const th_world *world, th_error *error);
bool th_record_put(sqlite3_stmt *insert); /* runs it */
bool th_record_put_trace_row(th_recording *recording, const th_record *record);
bool th_record_put_trace(th_recording *recording, const th_record *record);
void th_record_trace_free(const th_allocator *allocator, th_trace_item *item);

/* Tables and rows of mesh ground. */
extern const char *const th_record_mesh_tables;
bool th_record_put_mesh_places(th_recording *recording, int64_t frame, const th_record_row *row);
bool th_record_put_mesh_mark(th_recording *recording, const th_record *record);
bool th_record_put_terrain(th_recording *recording, const th_record *record);
bool th_record_put_mesh(th_recording *recording, const th_record *record);
/* Three blobs, the first with room for `size` bytes; NULL when out of memory. */
th_record_blob *th_record_blob_take(const th_allocator *allocator, size_t size);
void th_record_blobs_free(const th_allocator *allocator, th_record_blob *blob);

void th_record_log_clear(const th_allocator *allocator, th_record_log *log);
void th_record_log_free(const th_allocator *allocator, th_record_log *log);

/* FNV-1a, as the signed integer that SQLite keeps. */
int64_t th_recording_wkt_hash(const char *wkt);

#endif
