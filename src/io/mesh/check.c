/* io/mesh/check.c - checks OBJ, STL and binary glTF files before they are read.
 *
 * The reading library trusts counts and indices and silently drops data that it does not understand. This check costs
 * one pass over the bytes and gives errors a position: the line of a text file, the size of a binary file.
 */
#include "io/mesh/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

typedef struct scan {
  const th_mesh_source *source;
  size_t at, end; /* rest of the line */
  size_t next;    /* begin of the next line */
  uint32_t line;
} scan;

th_result th_mesh_fail_line(th_error *error, const th_mesh_source *source, uint32_t line, const char *expected,
                            const char *found) {
  th_result result =
      th_fail(error, TH_ERROR_FORMAT, source->where, "line %u: expected %s, found \"%s\"", line, expected, found);
  if (error) error->line = line;
  return result;
}

static bool next_line(scan *s) {
  if (s->next >= s->source->size) return false;
  const uint8_t *begin = s->source->bytes + s->next;
  const uint8_t *end = memchr(begin, '\n', s->source->size - s->next);
  s->at = s->next;
  s->end = end ? (size_t)(end - s->source->bytes) : s->source->size;
  s->next = s->end + 1;
  s->line++;
  return true;
}

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The next word of the line, cut to the buffer; false at the end of the line. */
static bool next_word(scan *s, char *word, size_t size) {
  const uint8_t *bytes = s->source->bytes;
  while (s->at < s->end && is_blank(bytes[s->at])) s->at++;
  if (s->at == s->end) return false;
  size_t length = 0;
  for (; s->at < s->end && !is_blank(bytes[s->at]); s->at++)
    if (length + 1 < size) word[length++] = (char)bytes[s->at];
  word[length] = '\0';
  return true;
}

static uint64_t count_vertices(const th_mesh_source *source) {
  scan s = {.source = source};
  uint64_t count = 0;
  char word[8];
  while (next_line(&s)) count += next_word(&s, word, sizeof word) && strcmp(word, "v") == 0;
  return count;
}

/* A corner is "7", "7/1", "7//3" or "7/1/3", 1-based, or counted back from the last vertex when negative. */
static th_result check_corner(const scan *s, const char *word, uint64_t seen, uint64_t all, th_error *error) {
  char *rest, expected[80];
  long long index = strtoll(word, &rest, 10);
  if (rest == word || (*rest && *rest != '/'))
    return th_mesh_fail_line(error, s->source, s->line, "the number of a vertex", word);
  if ((index > 0 && (uint64_t)index <= all) || (index < 0 && 0 - (uint64_t)index <= seen)) return TH_OK;
  snprintf(expected, sizeof expected, "a vertex from 1 to %llu", (unsigned long long)all);
  return th_mesh_fail_line(error, s->source, s->line, expected, word);
}

static th_result check_face(scan *s, uint64_t seen, uint64_t all, th_error *error) {
  char word[64];
  uint32_t corners = 0;
  for (; next_word(s, word, sizeof word); corners++) {
    th_result result = check_corner(s, word, seen, all, error);
    if (result != TH_OK) return result;
  }
  if (corners >= 3) return TH_OK;
  snprintf(word, sizeof word, "%u corners", corners);
  return th_mesh_fail_line(error, s->source, s->line, "a face of 3 corners or more", word);
}

static th_result check_vertex(scan *s, th_error *error) {
  char word[64];
  for (int k = 0; k < 3; k++) {
    if (!next_word(s, word, sizeof word))
      return th_mesh_fail_line(error, s->source, s->line, "three coordinates", "fewer");
    double value;
    const char *rest = word;
    if (!th_number_read(&rest, &value) || *rest || value - value != 0.0)
      return th_mesh_fail_line(error, s->source, s->line, "a finite coordinate", word);
    th_mesh_move_text(s->source, s->at, (uint32_t)k, value);
  }
  return TH_OK;
}

th_result th_mesh_check_obj(const th_mesh_source *source, th_error *error) {
  uint64_t all = count_vertices(source), seen = 0, faces = 0;
  scan s = {.source = source};
  char word[8];
  while (next_line(&s)) {
    if (s.end > s.at && memchr(source->bytes + s.at, 0, s.end - s.at))
      return th_mesh_fail_line(error, source, s.line, "text", "a zero byte");
    if (!next_word(&s, word, sizeof word)) continue;
    th_result result = TH_OK;
    if (strcmp(word, "v") == 0) {
      result = check_vertex(&s, error);
      seen++;
    } else if (strcmp(word, "f") == 0) {
      result = check_face(&s, seen, all, error);
      faces++;
    }
    if (result != TH_OK) return result;
  }
  if (faces) return TH_OK;
  return th_fail(error, TH_ERROR_FORMAT, source->where, "expected an OBJ file with faces, found none among %u lines",
                 s.line);
}

uint32_t th_mesh_obj_number(const void *user, const double xyz[3]) {
  scan s = {.source = user};
  char word[64];
  uint32_t seen = 0, best = TH_NO_ELEMENT;
  double min = HUGE_VAL;
  while (next_line(&s)) {
    if (!next_word(&s, word, sizeof word) || strcmp(word, "v") != 0) continue;
    double d2 = 0.0, value = 0.0;
    seen++;
    for (int k = 0; k < 3 && next_word(&s, word, sizeof word); k++) {
      const char *rest = word;
      if (th_number_read(&rest, &value)) d2 += (value - xyz[k]) * (value - xyz[k]);
    }
    if (d2 < min) min = d2, best = seen;
  }
  return best;
}

/* The lines of the text form, in their order. A vertex comes three times. */
enum { OUTSIDE, OPENED, LOOPED, CLOSED };

typedef struct stl_text {
  int state;
  uint32_t facets, corners;
  bool ended;
} stl_text;

static bool has_words(scan *s, const char *second, uint32_t numbers, bool point) {
  char word[64];
  if (second && !(next_word(s, word, sizeof word) && strcmp(word, second) == 0)) return false;
  for (uint32_t k = 0; k < numbers; k++) {
    double value;
    const char *rest = word;
    if (!next_word(s, word, sizeof word) || !th_number_read(&rest, &value) || *rest) return false;
    if (point) th_mesh_move_text(s->source, s->at, k, value);
  }
  return !next_word(s, word, sizeof word);
}

/* True when the line is allowed at this point; advances the state. */
static bool step_stl(stl_text *t, scan *s, const char *word) {
  switch (t->state) {
    case OUTSIDE:
      t->ended = strcmp(word, "endsolid") == 0;
      if (t->ended || strcmp(word, "solid") == 0) return true;
      t->state = OPENED;
      return strcmp(word, "facet") == 0 && has_words(s, "normal", 3, false);
    case OPENED:
      t->state = LOOPED;
      t->corners = 0;
      return strcmp(word, "outer") == 0 && has_words(s, "loop", 0, false);
    case LOOPED:
      if (strcmp(word, "vertex") == 0) return ++t->corners <= 3 && has_words(s, NULL, 3, true);
      t->state = CLOSED;
      return strcmp(word, "endloop") == 0 && t->corners == 3 && has_words(s, NULL, 0, false);
    default:
      t->state = OUTSIDE;
      t->facets++;
      return strcmp(word, "endfacet") == 0 && has_words(s, NULL, 0, false);
  }
}

static th_result check_stl_text(const th_mesh_source *source, th_error *error) {
  static const char *const expected[] = {"solid, facet normal X Y Z or endsolid", "outer loop",
                                         "three lines vertex X Y Z, then endloop", "endfacet"};
  scan s = {.source = source};
  stl_text t = {OUTSIDE, 0, 0, false};
  char word[32];
  while (next_line(&s)) {
    if (!next_word(&s, word, sizeof word)) continue;
    int state = t.state;
    if (!step_stl(&t, &s, word)) return th_mesh_fail_line(error, source, s.line, expected[state], word);
  }
  if (t.facets && t.ended) return TH_OK;
  return th_fail(error, TH_ERROR_FORMAT, source->where, "expected a whole STL text that ends with endsolid, found %s",
                 t.facets ? "the end of the file before" : "no facet");
}

static uint32_t little32(const uint8_t *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

th_result th_mesh_check_stl(const th_mesh_source *source, th_error *error) {
  uint64_t facets = source->size >= 84 ? little32(source->bytes + 80) : 0, whole = 84 + 50 * facets;
  if (source->size >= 84 && whole == source->size && facets) return TH_OK;
  if (source->size >= 5 && memcmp(source->bytes, "solid", 5) == 0 && !memchr(source->bytes, 0, source->size))
    return check_stl_text(source, error);
  if (source->size < 84)
    return th_fail(error, TH_ERROR_FORMAT, source->where, "expected an STL file of 84 bytes or more, found %zu",
                   source->size);
  return th_fail(error, TH_ERROR_FORMAT, source->where,
                 "expected %llu bytes for the %llu facets of its header, found %zu", (unsigned long long)whole,
                 (unsigned long long)facets, source->size);
}

/* A header of 12 bytes, then chunks of length, kind and data, the first JSON. */
th_result th_mesh_check_glb(const th_mesh_source *source, th_error *error) {
  const uint8_t *b = source->bytes;
  if (source->size < 20 || memcmp(b, "glTF", 4) != 0)
    return th_fail(error, TH_ERROR_FORMAT, source->where, "expected a binary glTF file, found %zu other bytes",
                   source->size);
  if (little32(b + 4) != 2)
    return th_fail(error, TH_ERROR_FORMAT, source->where, "expected version 2 of glTF, found %u", little32(b + 4));
  if (little32(b + 8) != source->size)
    return th_fail(error, TH_ERROR_FORMAT, source->where, "expected the %u bytes of its header, found %zu",
                   little32(b + 8), source->size);
  for (size_t at = 12; at < source->size;) {
    uint64_t length = source->size - at >= 8 ? little32(b + at) : UINT32_MAX;
    if (length > source->size - at - 8)
      return th_fail(error, TH_ERROR_FORMAT, source->where, "expected a whole chunk at byte %zu, found its end cut off",
                     at);
    at += 8 + (size_t)length;
  }
  return TH_OK;
}
