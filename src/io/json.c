/* io/json.c - reading JSON within limits.
 *
 * jansson parses; it limits the depth to 2048 levels, and files above 64 MB are refused before it starts, so that a
 * wrong file exhausts neither the stack nor the memory. jansson reports positions of syntax errors only; json_locate.c
 * locates all errors found later. Cost: one pass over the file.
 */
#include "io/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/file.h"

static th_result too_large(const char *path, th_error *error) {
  return th_fail(error, TH_ERROR_CAPACITY, path, "expected a file of at most %zu MB, found a larger one",
                 TH_JSON_MAX_BYTES >> 20);
}

/* Reserves at least one more byte, up to one byte past the limit. */
static th_result grow_text(const th_env *env, const char *path, th_json_file *file, th_error *error) {
  if (file->length < file->capacity) return TH_OK;
  if (file->capacity > TH_JSON_MAX_BYTES) return too_large(path, error);
  size_t larger = file->capacity < TH_JSON_MAX_BYTES / 2 ? file->capacity * 2 : TH_JSON_MAX_BYTES + 1;
  char *fresh = TH_TAKE(&env->allocator, char, larger);
  if (!fresh) return th_fail_memory(error, path);
  memcpy(fresh, file->text, file->length);
  TH_GIVE(&env->allocator, file->text, file->capacity);
  file->text = fresh;
  file->capacity = larger;
  return TH_OK;
}

/* Reads to the end: the size of a pipe is not known before. */
static th_result read_all(const th_env *env, FILE *from, const char *path, th_json_file *file, th_error *error) {
  while (!feof(from)) {
    th_result result = grow_text(env, path, file, error);
    if (result != TH_OK) return result;
    file->length += fread(file->text + file->length, 1, file->capacity - file->length, from);
    if (ferror(from)) return th_fail(error, TH_ERROR_FILE, path, "cannot be read: %s", strerror(errno));
  }
  return file->length > TH_JSON_MAX_BYTES ? too_large(path, error) : TH_OK;
}

static th_result load(const th_env *env, FILE *from, const char *path, th_json_file *file, th_error *error) {
  const uint64_t size = th_file_size(path);
  if (size > TH_JSON_MAX_BYTES) return too_large(path, error);
  file->capacity = size ? (size_t)size + 1 : 4096;
  file->text = TH_TAKE(&env->allocator, char, file->capacity);
  if (!file->text) return th_fail_memory(error, path);
  return read_all(env, from, path, file, error);
}

void th_json_skip_mark(th_json_text *source) {
  if (source->length < 3 || memcmp(source->text, "\xef\xbb\xbf", 3) != 0) return;
  source->text += 3;
  source->length -= 3;
}

th_result th_json_load(const th_env *env, const char *path, th_json_file *file, th_error *error) {
  *file = (th_json_file){0};
  if (th_file_look(path) == TH_FILE_FOLDER)
    return th_fail(error, TH_ERROR_FILE, path, "expected a file, found a folder");
  FILE *from = th_file_stream(path, "rb");
  if (!from) return th_fail(error, TH_ERROR_FILE, path, "cannot be opened: %s", strerror(errno));
  th_result result = load(env, from, path, file, error);
  fclose(from);
  if (result != TH_OK) th_json_unload(env, file);
  return result;
}

void th_json_unload(const th_env *env, th_json_file *file) {
  TH_GIVE(&env->allocator, file->text, file->capacity);
  *file = (th_json_file){0};
}

/* jansson reports the position after the second key; the error names the key itself. */
static th_result fail_duplicate(const th_json_text *source, const json_error_t *found, th_error *error) {
  size_t end = found->position > 0 ? (size_t)found->position : 0;
  if (end > source->length) end = source->length;
  size_t begin = end;
  if (begin > 0) begin--; /* the closing quote */
  while (begin > 0 && !(source->text[begin - 1] == '"' && (begin < 2 || source->text[begin - 2] != '\\'))) begin--;
  if (begin > 0) begin--; /* the opening quote */
  char pointer[TH_JSON_POINTER];
  th_json_pointer_at(source, begin, pointer, sizeof pointer);
  th_result result =
      th_fail(error, TH_ERROR_FORMAT, source->name, "%s: expected every key once, found %.*s a second time",
              *pointer ? pointer : "/", (int)(end - begin > 80 ? 80 : end - begin), source->text + begin);
  if (error) th_json_position(source, begin, &error->line, &error->column);
  return result;
}

th_result th_json_parse(const th_json_text *source, json_t **root, th_error *error) {
  json_error_t found;
  *root = json_loadb(source->text, source->length, JSON_REJECT_DUPLICATES, &found);
  if (*root) return TH_OK;
  enum json_error_code code = json_error_code(&found);
  if (code == json_error_out_of_memory) return th_fail_memory(error, source->name);
  if (code == json_error_duplicate_key) return fail_duplicate(source, &found, error);
  if (source->length == 0) {
    th_fail(error, TH_ERROR_FORMAT, source->name, "expected a JSON object, found an empty file");
  } else {
    th_fail(error, TH_ERROR_FORMAT, source->name, "expected JSON, found a syntax error: %s", found.text);
  }
  if (error) {
    error->line = found.line > 0 ? (uint32_t)found.line : 1;
    error->column = found.column > 0 ? (uint32_t)found.column : 1;
  }
  return TH_ERROR_FORMAT;
}

const char *th_json_kind(const json_t *value) {
  if (!value) return "nothing";
  switch (json_typeof(value)) {
    case JSON_OBJECT:
      return "an object";
    case JSON_ARRAY:
      return "a list";
    case JSON_STRING:
      return "a text";
    case JSON_INTEGER:
      return "a whole number";
    case JSON_REAL:
      return "a number";
    case JSON_TRUE:
      return "true";
    case JSON_FALSE:
      return "false";
    default:
      return "null";
  }
}

enum { MAX_NAME = 48 };

/* Optimal string alignment: three rows of the table are enough. */
uint32_t th_json_distance(const char *a, const char *b) {
  size_t la = strlen(a), lb = strlen(b);
  if (la >= MAX_NAME || lb >= MAX_NAME) return UINT32_MAX;
  uint32_t row[3][MAX_NAME];
  for (size_t j = 0; j <= lb; j++) row[0][j] = (uint32_t)j;
  for (size_t i = 1; i <= la; i++) {
    uint32_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
    now[0] = (uint32_t)i;
    for (size_t j = 1; j <= lb; j++) {
      uint32_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
      now[j] = best;
    }
  }
  return row[la % 3][lb];
}

bool th_json_similar(const char *a, const char *b, uint32_t distance) {
  size_t la = strlen(a), lb = strlen(b), longer = la > lb ? la : lb;
  size_t shorter = la < lb ? la : lb;
  /* a name that continues another ("metre" and "metres_per_pixel") is a hint too */
  return distance <= (longer + 2) / 3 || (shorter >= 3 && strncmp(a, b, shorter) == 0);
}
