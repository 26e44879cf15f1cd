/* io/json.h - JSON text with positions: reading within limits, finding the position of a value, overriding a value. */
#ifndef TH_IO_JSON_H
#define TH_IO_JSON_H

#include <jansson.h>

#include "throng/base.h"

#define TH_JSON_MAX_BYTES ((size_t)64 << 20)
#define TH_JSON_POINTER 240

typedef struct th_json_text {
  const char *name; /* of the file, for errors */
  const char *text; /* not terminated */
  size_t length;
} th_json_text;

/* A whole file in one block of `capacity` bytes. */
typedef struct th_json_file {
  char *text;
  size_t length, capacity;
} th_json_file;

/* Refuses folders and files above TH_JSON_MAX_BYTES. `env` is complete. */
th_result th_json_load(const th_env *env, const char *path, th_json_file *file, th_error *error);
void th_json_unload(const th_env *env, th_json_file *file);

/* Some editors begin UTF-8 with a byte order mark, which JSON does not know (RFC 8259, 8.1): it may be ignored. */
void th_json_skip_mark(th_json_text *source);

/* Parses; duplicate keys are refused. The error has line and column. */
th_result th_json_parse(const th_json_text *source, json_t **root, th_error *error);

/* Line and column (1-based, in characters) of the value at a JSON pointer, or of its key. False when it is not in the
 * text. */
bool th_json_locate(const th_json_text *source, const char *pointer, bool key, uint32_t *line, uint32_t *column);

/* Line and column of a byte offset. */
void th_json_position(const th_json_text *source, size_t offset, uint32_t *line, uint32_t *column);

/* The pointer of the innermost value that contains a byte offset. */
void th_json_pointer_at(const th_json_text *source, size_t offset, char *pointer, size_t size);

/* Applies "populations.0.speed=1.2"; entries of a list are found by number or by their "name". Writes the pointer of
 * what changed (TH_JSON_POINTER bytes). */
th_result th_json_set(json_t *root, const char *assignment, char *pointer, th_error *error);

/* Appends JSON, which comes in one line with ", " and ": " between its parts, in lines that a person can read; ends
 * with a new line. */
struct th_text;
void th_json_layout(struct th_text *text, const char *line);

/* "an object", "a list", "a text", ... of a value, for messages. */
const char *th_json_kind(const json_t *value);

/* Appends a key or an index to a pointer; false when it does not fit. */
bool th_json_join(char *pointer, size_t size, const char *key);

/* Edit distance of two names (insert, remove, replace, swap neighbours), and whether it is small enough for a hint. */
uint32_t th_json_distance(const char *a, const char *b);
bool th_json_similar(const char *a, const char *b, uint32_t distance);

#endif
