/* io/text.h - text that grows, and numbers in it, independent of the host's locale. */
#ifndef TH_IO_TEXT_H
#define TH_IO_TEXT_H

#include <jansson.h>

#include "base/memory.h"
#include "base/number.h"
#include "throng/text.h"

typedef struct th_text th_text;
struct th_text {
  th_allocator allocator;
  char *text;
  uint32_t length, capacity;
  bool failed; /* out of memory: further appends do nothing */
};

void th_text_append(th_text *text, const char *piece);
void th_text_append_float(th_text *text, float value);

/* Hands the text over, to be released by th_text_free; NULL when anything failed. Frees the builder. */
char *th_text_finish(th_text *text);

/* A text to be released by th_text_free, as a copy or of JSON; NULL when out of memory. */
char *th_text_copy(const th_allocator *allocator, const char *text);
char *th_text_of_json(const th_allocator *allocator, const json_t *json, size_t flags);

/* Reads a decimal number from `text`; `*end` is just after it, or `text` when there is none. */
double th_text_number(const char *text, const char **end);

#endif
