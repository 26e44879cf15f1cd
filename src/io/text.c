/* io/text.c - text that grows, and numbers as text.
 *
 * printf and strtod follow the locale of the host program, where the decimal point may be a comma; files must not.
 * Reading replaces the point by the locale's own sign in a copy of the number; base/number.c writes them. Cost: linear.
 */
#include "io/text.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void th_text_append(th_text *text, const char *piece) {
  size_t more = strlen(piece);
  if (text->failed) return;
  if (more > UINT32_MAX / 2 - text->length ||
      !th_grow(&text->allocator, (void **)&text->text, &text->capacity, text->length + (uint32_t)more + 1, 1)) {
    text->failed = true;
    return;
  }
  memcpy(text->text + text->length, piece, more + 1);
  text->length += (uint32_t)more;
}

void th_text_append_float(th_text *text, float value) {
  char buffer[TH_NUMBER_ROOM];
  th_text_append(text, th_number_of_float(buffer, value));
}

char *th_text_finish(th_text *text) {
  char *copy = text->failed ? NULL : th_text_copy(&text->allocator, text->text ? text->text : "");
  th_give(&text->allocator, text->text, text->capacity, 1);
  *text = (th_text){.allocator = text->allocator};
  return copy;
}

/* What stands before the characters of every text, so that one call releases any. */
typedef struct owner {
  th_allocator allocator;
  size_t size; /* of both */
} owner;

static char *take_text(const th_allocator *allocator, size_t length) {
  const size_t size = sizeof(owner) + length + 1;
  owner *head = th_take(allocator, size, 1);
  if (!head) return NULL;
  *head = (owner){*allocator, size};
  return (char *)(head + 1);
}

char *th_text_copy(const th_allocator *allocator, const char *text) {
  const size_t length = strlen(text);
  char *copy = take_text(allocator, length);
  if (copy) memcpy(copy, text, length + 1);
  return copy;
}

char *th_text_of_json(const th_allocator *allocator, const json_t *json, size_t flags) {
  const size_t length = json ? json_dumpb(json, NULL, 0, flags) : 0;
  char *text = length ? take_text(allocator, length) : NULL;
  if (!text) return NULL;
  text[length] = 0;
  if (json_dumpb(json, text, length, flags) == length) return text;
  th_text_free(text);
  return NULL;
}

void th_text_free(char *text) {
  if (!text) return;
  owner *head = (owner *)(void *)text - 1;
  const owner copy = *head;
  th_give(&copy.allocator, head, copy.size, 1);
}

double th_text_number(const char *text, const char **end) {
  char copy[64];
  size_t n = strspn(text, "+-0123456789.eE");
  *end = text;
  if (n == 0 || n >= sizeof copy) return 0.0;
  memcpy(copy, text, n);
  copy[n] = 0;
  char *point = strchr(copy, '.');
  if (point) *point = localeconv()->decimal_point[0];
  char *stop = copy;
  double value = strtod(copy, &stop);
  *end = text + (stop - copy);
  return value;
}
