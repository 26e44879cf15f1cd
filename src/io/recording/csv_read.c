/* io/recording/csv_read.c - tracks from comma-separated values.
 *
 * Lines are read one at a time into rows, rows are sorted by (id, frame), and the columns are filled from them: the
 * file may list its rows in any order. The header names the columns, so files of other programs need only frame, id, x
 * and y. Cost: O(n log n) for the sort.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/file.h"
#include "io/recording/tracks.h"
#include "io/text.h"

typedef enum csv_column {
  CSV_FRAME,
  CSV_TIME,
  CSV_ID,
  CSV_X,
  CSV_Y,
  CSV_VX,
  CSV_VY,
  CSV_HEADING,
  CSV_RADIUS,
  CSV_NARROWED,
  CSV_GAIT,
  CSV_STATE,
  CSV_Z, /* from here on: mesh ground */
  CSV_VZ,
  CSV_FACE,
  CSV_WEIGHT_1,
  CSV_WEIGHT_2,
  CSV_HEAD_X,
  CSV_HEAD_Y,
  CSV_HEAD_Z,
  CSV_POPULATION, /* from here on: names */
  CSV_MODEL,
  CSV_GOAL,
  CSV_COUNT
} csv_column;

static const char *const column_name[CSV_COUNT] = {"frame",  "time",    "id",         "x",        "y",        "vx",
                                                   "vy",     "heading", "radius",     "narrowed", "gait",     "state",
                                                   "z",      "vz",      "face",       "weight_1", "weight_2", "head_x",
                                                   "head_y", "head_z",  "population", "model",    "goal"};

#define MAX_COLUMNS 64
#define MAX_LINE (1u << 24) /* characters; a line holds a whole ground as WKT */

typedef struct csv_row {
  int64_t id;
  uint32_t frame, line, face;
  float value[CSV_POPULATION];
  uint32_t name[CSV_COUNT - CSV_POPULATION]; /* index in the tracks; UINT32_MAX: none */
} csv_row;

typedef struct csv_reader {
  FILE *in;
  const char *path;
  th_error *error;
  th_tracks *tracks;
  char *line;
  csv_row *row;
  uint32_t line_capacity, row_count, row_capacity, number; /* number of the line, from 1 */
  int meaning[MAX_COLUMNS];                                /* csv_column, -1: unknown */
  uint32_t columns;
  bool has[CSV_COUNT];
  bool framed; /* the file says which frames it holds */
} csv_reader;

static th_result refuse(const csv_reader *reader, uint32_t column, const char *expected, const char *found) {
  th_result result =
      th_fail(reader->error, TH_ERROR_FORMAT, reader->path, "expected %s, found '%.40s'", expected, found);
  if (reader->error) {
    reader->error->line = reader->number;
    reader->error->column = column;
  }
  return result;
}

/* Next line without its end; TH_ERROR_STOPPED at the end of the file. */
static th_result next_line(csv_reader *reader) {
  uint32_t length = 0;
  int sign = 0;
  while ((sign = fgetc(reader->in)) != EOF && sign != '\n') {
    if (length >= MAX_LINE) return refuse(reader, 0, "a line below 16 million characters", "a longer one");
    if (!th_grow(&reader->tracks->env.allocator, (void **)&reader->line, &reader->line_capacity, length + 2, 1))
      return th_fail_memory(reader->error, reader->path);
    reader->line[length++] = (char)sign;
  }
  if (sign == EOF && length == 0) return TH_ERROR_STOPPED;
  if (!th_grow(&reader->tracks->env.allocator, (void **)&reader->line, &reader->line_capacity, length + 1, 1))
    return th_fail_memory(reader->error, reader->path);
  if (length > 0 && reader->line[length - 1] == '\r') length--;
  reader->line[length] = 0;
  reader->number++;
  return TH_OK;
}

static th_result read_comment(csv_reader *reader) {
  th_tracks *tracks = reader->tracks;
  char *key = reader->line + 1, *value = strstr(key, ": ");
  if (!value) return TH_OK;
  key += strspn(key, " ");
  value += 2;
  const char *end;
  unsigned frame = 0, last = 0;
  if (strncmp(key, "fps: ", 5) == 0) {
    tracks->fps = th_text_number(value, &end);
    if (end == value || !(tracks->fps >= TH_FPS_LEAST && tracks->fps <= 1e6))
      return refuse(reader, 0, "fps of 1e-6 to 1e6", value);
  } else if (strncmp(key, "name: ", 6) == 0) {
    snprintf(tracks->name, sizeof tracks->name, "%s", value);
  } else if (strncmp(key, "seed: ", 6) == 0) {
    tracks->seed = strtoull(value, NULL, 10);
  } else if (strncmp(key, "frames: ", 8) == 0) {
    reader->framed = sscanf(value, "%u to %u", &frame, &last) == 2 && frame <= last && last - frame < TH_FRAMES_MOST;
    if (!reader->framed) return refuse(reader, 0, "frames such as '0 to 99'", value);
    tracks->frame_first = frame;
    tracks->frame_last = last;
  } else if (strncmp(key, "dt: ", 4) == 0) {
    tracks->dt = th_text_number(value, &end);
    if (end == value || !(tracks->dt > 0.0 && tracks->dt <= 10.0)) return refuse(reader, 0, "dt above 0 to 10", value);
  } else if (sscanf(key, "every: %u", &frame) == 1) {
    if (frame < 1) return refuse(reader, 0, "every of 1 or more", value);
    tracks->every = frame;
  } else if (sscanf(key, "ground from %u:", &frame) == 1) {
    return th_tracks_add_plan(tracks, value, frame, reader->error);
  }
  return TH_OK;
}

static th_result read_header(csv_reader *reader) {
  char *at = reader->line;
  for (reader->columns = 0; at; reader->columns++) {
    if (reader->columns == MAX_COLUMNS) return refuse(reader, 0, "at most 64 columns", "more");
    char *comma = strchr(at, ',');
    if (comma) *comma = 0;
    reader->meaning[reader->columns] = -1;
    for (int k = 0; k < CSV_COUNT; k++)
      if (strcmp(at, column_name[k]) == 0) {
        if (reader->has[k]) return refuse(reader, (uint32_t)(at - reader->line) + 1, "each column once", at);
        reader->has[k] = true;
        reader->meaning[reader->columns] = k;
      }
    at = comma ? comma + 1 : NULL;
  }
  static const csv_column needed[] = {CSV_FRAME, CSV_ID, CSV_X, CSV_Y};
  for (int k = 0; k < 4; k++)
    if (!reader->has[needed[k]]) return refuse(reader, 1, "the columns frame, id, x and y", reader->line);
  return TH_OK;
}

static th_result keep_value(csv_reader *reader, csv_row *row, int meaning, uint32_t column, const char *text) {
  const char *end;
  double number = th_text_number(text, &end);
  bool whole =
      meaning == CSV_FRAME || meaning == CSV_ID || meaning == CSV_GAIT || meaning == CSV_STATE || meaning == CSV_FACE;
  if (end == text || (*end != ',' && *end != 0) || !isfinite(number) || fabs(number) > 1e15)
    return refuse(reader, column, "a number", text);
  if (whole && number != floor(number)) return refuse(reader, column, "a whole number", text);
  if (meaning == CSV_FACE && !(number >= 0.0 && number < 4294967295.0))
    return refuse(reader, column, "a face from 0 to 4294967294", text);
  if (meaning == CSV_FACE) row->face = (uint32_t)number;
  if (meaning == CSV_FRAME && !(number >= 0.0 && number < 4294967295.0))
    return refuse(reader, column, "a frame from 0 to 4294967294", text);
  if ((meaning == CSV_GAIT || meaning == CSV_STATE) && !(number >= 0.0 && number <= 255.0))
    return refuse(reader, column, "0 to 255", text);
  if (meaning == CSV_NARROWED && !(number >= 0.0 && number < 1.0))
    return refuse(reader, column, "a share from 0 to below 1", text);
  if (meaning == CSV_FRAME) row->frame = (uint32_t)number;
  if (meaning == CSV_ID) row->id = (int64_t)number;
  row->value[meaning] = (float)number;
  return TH_OK;
}

/* Just after a value: at its comma or at the end of the line. NULL: a quotation mark that does not end. */
static const char *value_end(const char *at) {
  if (*at != '"') return at + strcspn(at, ",");
  for (at++; *at != '"' || at[1] == '"'; at += *at == '"' ? 2 : 1)
    if (*at == 0) return NULL;
  return at + 1 + strcspn(at + 1, ",");
}

/* The name in a value, without quotation marks; one that is empty is none. */
static bool keep_name(csv_reader *reader, int meaning, const char *at, const char *end, uint32_t *index) {
  char name[sizeof((th_recorded_name *)0)->text];
  size_t length = 0;
  bool quoted = *at == '"';
  for (at += quoted; at < end && length + 1 < sizeof name && !(quoted && *at == '"' && at[1] != '"'); at++) {
    at += quoted && *at == '"';
    name[length++] = *at;
  }
  name[length] = 0;
  *index = UINT32_MAX;
  if (length == 0) return true;
  if (meaning == CSV_POPULATION) return th_tracks_population(reader->tracks, name, index);
  if (meaning == CSV_MODEL) return th_tracks_model(reader->tracks, name, index);
  return th_tracks_goal_named(reader->tracks, name, index);
}

static th_result read_row(csv_reader *reader) {
  const char *line = reader->line, *at = line;
  if (!th_grow(&reader->tracks->env.allocator, (void **)&reader->row, &reader->row_capacity, reader->row_count + 1,
               sizeof *reader->row))
    return th_fail_memory(reader->error, reader->path);
  csv_row *row = &reader->row[reader->row_count];
  *row = (csv_row){.line = reader->number};
  for (int k = 0; k < CSV_COUNT - CSV_POPULATION; k++) row->name[k] = UINT32_MAX;
  for (uint32_t k = 0; k < reader->columns; k++) {
    if (!at) return refuse(reader, (uint32_t)strlen(line) + 1, "as many values as columns", "the end");
    uint32_t column = (uint32_t)(at - line) + 1;
    const char *end = value_end(at);
    int meaning = reader->meaning[k];
    if (!end) return refuse(reader, column, "a quotation mark at the end of the value", at);
    th_result result = meaning < 0 || meaning >= CSV_POPULATION ? TH_OK : keep_value(reader, row, meaning, column, at);
    if (meaning >= CSV_POPULATION && !keep_name(reader, meaning, at, end, &row->name[meaning - CSV_POPULATION]))
      result = th_fail_memory(reader->error, reader->path);
    if (result != TH_OK) return result;
    at = *end ? end + 1 : NULL;
  }
  if (at) return refuse(reader, (uint32_t)(at - line), "as many values as columns", at);
  reader->row_count++;
  return TH_OK;
}

static th_result read_lines(csv_reader *reader) {
  th_result result;
  while ((result = next_line(reader)) == TH_OK) {
    if (reader->line[0] == 0) continue;
    if (reader->line[0] == '#')
      result = read_comment(reader);
    else if (reader->columns == 0)
      result = read_header(reader);
    else
      result = read_row(reader);
    if (result != TH_OK) return result;
  }
  if (result != TH_ERROR_STOPPED) return result;
  if (reader->columns == 0) return refuse(reader, 0, "a header line with frame, id, x and y", "the end");
  if (!(reader->tracks->fps > 0.0)) return refuse(reader, 0, "a comment line '# fps: number'", "none");
  return TH_OK;
}

static int by_id_and_frame(const void *a, const void *b) {
  const csv_row *p = (const csv_row *)a, *q = (const csv_row *)b;
  if (p->id != q->id) return p->id < q->id ? -1 : 1;
  if (p->frame != q->frame) return p->frame < q->frame ? -1 : 1;
  return p->line < q->line ? -1 : p->line > q->line;
}

static void keep_sample(csv_reader *reader, uint32_t i, th_track *track) {
  th_tracks *tracks = reader->tracks;
  const csv_row *row = &reader->row[i];
  tracks->frame[i] = row->frame;
  tracks->x[i] = row->value[CSV_X];
  tracks->y[i] = row->value[CSV_Y];
  tracks->vx[i] = row->value[CSV_VX];
  tracks->vy[i] = row->value[CSV_VY];
  tracks->heading[i] = row->value[CSV_HEADING];
  tracks->narrowed[i] = row->value[CSV_NARROWED];
  tracks->gait[i] = (uint8_t)row->value[CSV_GAIT];
  tracks->state[i] = (uint8_t)row->value[CSV_STATE];
  if (row->value[CSV_RADIUS] > 0.0f && row->value[CSV_RADIUS] < 1e3f) track->radius = row->value[CSV_RADIUS];
  if (track->count == 0) {
    track->population = row->name[0];
    track->model = row->name[1];
    track->goal = row->name[2];
  }
  if ((i == 0 && !reader->framed) || row->frame < tracks->frame_first) tracks->frame_first = row->frame;
  if (row->frame > tracks->frame_last) tracks->frame_last = row->frame;
  track->count++;
}

static th_result lift(csv_reader *reader, uint32_t i) {
  static const csv_column column[7] = {CSV_WEIGHT_1, CSV_WEIGHT_2, CSV_Z, CSV_VZ, CSV_HEAD_X, CSV_HEAD_Y, CSV_HEAD_Z};
  const csv_row *row = &reader->row[i];
  double value[7];
  for (int k = 0; k < 7; k++) value[k] = (double)row->value[column[k]];
  if (th_tracks_lift_sample(reader->tracks, i, row->face, value)) return TH_OK;
  reader->number = row->line;
  return refuse(reader, 1, "weights within -2 and 2, the rest within 1e9", "more");
}

static th_result fill_tracks(csv_reader *reader) {
  th_tracks *tracks = reader->tracks;
  if (!th_tracks_reserve(tracks, reader->row_count) || (reader->has[CSV_Z] && !th_tracks_lift(tracks)))
    return th_fail_memory(reader->error, reader->path);
  tracks->sample_count = reader->row_count;
  if (reader->row_count > 0) qsort(reader->row, reader->row_count, sizeof *reader->row, by_id_and_frame);
  for (uint32_t i = 0; i < reader->row_count; i++) {
    const csv_row *row = &reader->row[i];
    bool starts = i == 0 || row[-1].id != row->id;
    if (!starts && row[-1].frame == row->frame) {
      reader->number = row->line;
      return refuse(reader, 1, "each id once in a frame", "it twice");
    }
    if (starts && !th_tracks_add_track(tracks, row->id, i)) return th_fail_memory(reader->error, reader->path);
    keep_sample(reader, i, &tracks->track[tracks->track_count - 1]);
    th_result result = reader->has[CSV_Z] ? lift(reader, i) : TH_OK;
    if (result != TH_OK) return result;
  }
  if (tracks->frame_last - tracks->frame_first >= TH_FRAMES_MOST)
    return th_fail(reader->error, TH_ERROR_FORMAT, reader->path, "expected at most %u frames, found %u to %u",
                   TH_FRAMES_MOST, tracks->frame_first, tracks->frame_last);
  if (!(tracks->dt > 0.0) || !tracks->every) {
    tracks->dt = 1.0 / tracks->fps;
    tracks->every = 1;
  }
  if (!reader->has[CSV_VX] || !reader->has[CSV_VY] || !reader->has[CSV_HEADING]) th_tracks_derive(tracks);
  return TH_OK;
}

th_result th_csv_read(const th_tracks_def *def, th_tracks *tracks, th_error *error) {
  const char *path = def->path;
  FILE *in = th_file_open(path, error);
  if (!in) return TH_ERROR_FILE;
  th_tracks read = {.env = th_env_complete(&def->env)};
  csv_reader reader = {.in = in, .path = path, .error = error, .tracks = &read};
  th_result result = read_lines(&reader);
  if (result == TH_OK && ferror(in)) result = th_fail(error, TH_ERROR_FILE, path, "cannot be read");
  fclose(in);
  if (result == TH_OK) result = fill_tracks(&reader);
  TH_GIVE(&read.env.allocator, reader.line, reader.line_capacity);
  TH_GIVE(&read.env.allocator, reader.row, reader.row_capacity);
  if (result != TH_OK)
    th_tracks_free(&read);
  else
    *tracks = read;
  return result;
}
