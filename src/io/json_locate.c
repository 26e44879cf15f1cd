/* io/json_locate.c - from a JSON pointer to line and column, and back.
 *
 * A parsed tree has no positions, so to locate an error the text is scanned again along the pointer, skipping every
 * value that is not on the pointer's path. The text was accepted by jansson up to the error, yet every step is bounded
 * by the length. Skipping counts brackets, so depth costs no stack. Cost: one pass, only when an error is reported.
 * JSON pointers: RFC 6901.
 */
#include <stdio.h>
#include <string.h>

#include "io/json.h"

static size_t skip_space(const th_json_text *s, size_t at) {
  while (at < s->length && strchr(" \t\r\n", s->text[at]) && s->text[at]) at++;
  return at;
}

/* Skips from an opening quote to just after the closing one. */
static size_t skip_string(const th_json_text *s, size_t at) {
  for (at++; at < s->length && s->text[at] != '"'; at++) {
    if (s->text[at] == '\\') at++;
  }
  return at < s->length ? at + 1 : s->length;
}

static size_t skip_value(const th_json_text *s, size_t at) {
  if (at < s->length && s->text[at] == '"') return skip_string(s, at);
  size_t depth = 0;
  while (at < s->length) {
    char c = s->text[at];
    if (c == '"') {
      at = skip_string(s, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == ']' || c == '}')) return at;
    if (c == '[' || c == '{') depth++;
    if (c == ']' || c == '}') {
      if (--depth == 0) return at + 1;
    }
    at++;
  }
  return at;
}

static bool same_key(const th_json_text *s, size_t begin, size_t end, const char *key) {
  size_t length = end - begin - 2;
  if (!memchr(s->text + begin, '\\', end - begin)) {
    return strlen(key) == length && memcmp(s->text + begin + 1, key, length) == 0;
  }
  json_t *decoded = json_loadb(s->text + begin, end - begin, JSON_DECODE_ANY, NULL);
  const char *text = json_string_value(decoded); /* NULL unless a string */
  bool same = text && strcmp(text, key) == 0;
  json_decref(decoded);
  return same;
}

/* Places of one member: its key (an element has none) and its value. */
typedef struct member {
  size_t key, value;
} member;

static bool find_key(const th_json_text *s, size_t at, const char *key, member *found) {
  for (at = skip_space(s, at + 1); at < s->length && s->text[at] == '"';) {
    size_t begin = at, end = skip_string(s, at);
    at = skip_space(s, end);
    if (at >= s->length || s->text[at] != ':') return false;
    at = skip_space(s, at + 1);
    if (end >= begin + 2 && same_key(s, begin, end, key)) {
      *found = (member){begin, at};
      return true;
    }
    at = skip_space(s, skip_value(s, at));
    if (at >= s->length || s->text[at] != ',') return false;
    at = skip_space(s, at + 1);
  }
  return false;
}

static bool find_index(const th_json_text *s, size_t at, size_t index, member *found) {
  at = skip_space(s, at + 1);
  for (size_t i = 0; at < s->length && s->text[at] != ']'; i++) {
    if (i == index) {
      *found = (member){at, at};
      return true;
    }
    at = skip_space(s, skip_value(s, at));
    if (at >= s->length || s->text[at] != ',') return false;
    at = skip_space(s, at + 1);
  }
  return false;
}

/* Reads one segment of a pointer, with ~1 and ~0 turned back into / and ~. */
static const char *take_segment(const char *pointer, char *segment, size_t size) {
  size_t used = 0;
  for (pointer++; *pointer && *pointer != '/'; pointer++) {
    char c = *pointer;
    if (c == '~' && (pointer[1] == '0' || pointer[1] == '1')) c = *++pointer == '1' ? '/' : '~';
    if (used + 1 < size) segment[used++] = c;
  }
  segment[used] = 0;
  return pointer;
}

static size_t index_of(const char *segment) {
  size_t index = 0;
  for (const char *c = segment; *c; c++) {
    if (*c < '0' || *c > '9' || index > SIZE_MAX / 16) return SIZE_MAX;
    index = index * 10 + (size_t)(*c - '0');
  }
  return index;
}

bool th_json_locate(const th_json_text *source, const char *pointer, bool key, uint32_t *line, uint32_t *column) {
  member at = {skip_space(source, 0), skip_space(source, 0)};
  while (*pointer == '/') {
    char segment[TH_JSON_POINTER];
    pointer = take_segment(pointer, segment, sizeof segment);
    if (at.value >= source->length) return false;
    char open = source->text[at.value];
    bool found = open == '{'   ? find_key(source, at.value, segment, &at)
                 : open == '[' ? find_index(source, at.value, index_of(segment), &at)
                               : false;
    if (!found) return false;
  }
  th_json_position(source, key ? at.key : at.value, line, column);
  return true;
}

void th_json_position(const th_json_text *source, size_t offset, uint32_t *line, uint32_t *column) {
  *line = *column = 1;
  for (size_t i = 0; i < offset && i < source->length; i++) {
    if (source->text[i] == '\n') {
      (*line)++;
      *column = 1;
    } else if (((unsigned char)source->text[i] & 0xC0u) != 0x80u) { /* not inside a UTF-8 sequence */
      (*column)++;
    }
  }
}

bool th_json_join(char *pointer, size_t size, const char *key) {
  size_t used = strlen(pointer), before = used;
  char piece[3] = {'/', 0, 0};
  for (const char *c = key;; c++) {
    if (used + 3 > size) {
      pointer[before] = 0;
      return false;
    }
    memcpy(pointer + used, piece, strlen(piece) + 1);
    used += strlen(piece);
    if (!*c) return true;
    piece[0] = *c == '/' || *c == '~' ? '~' : *c;
    piece[1] = *c == '/' ? '1' : *c == '~' ? '0' : 0;
  }
}

/* Walks down into the one member that contains the offset, until none does. */
void th_json_pointer_at(const th_json_text *source, size_t offset, char *pointer, size_t size) {
  size_t at = skip_space(source, 0);
  *pointer = 0;
  while (at < source->length && (source->text[at] == '{' || source->text[at] == '[')) {
    bool object = source->text[at] == '{', inside = false;
    at = skip_space(source, at + 1);
    for (size_t i = 0; at < source->length && !inside && source->text[at] != ']' && source->text[at] != '}'; i++) {
      char key[TH_JSON_POINTER] = "";
      if (object) {
        size_t end = skip_string(source, at), length = end > at + 2 ? end - at - 2 : 0;
        snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : sizeof key - 1), source->text + at + 1);
        at = skip_space(source, end);
        if (at >= source->length || source->text[at] != ':') return;
        at = skip_space(source, at + 1);
      } else {
        snprintf(key, sizeof key, "%zu", i);
      }
      size_t end = skip_value(source, at);
      inside = offset >= at && offset < end;
      if (inside && !th_json_join(pointer, size, key)) return;
      if (inside) break;
      at = skip_space(source, end);
      if (at >= source->length || source->text[at] != ',') return;
      at = skip_space(source, at + 1);
    }
    if (!inside) return;
  }
}
