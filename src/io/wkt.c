/* io/wkt.c - reads well-known text (OGC 06-103r4, section 7): polygons and lines, handed on point by point.
 *
 * A reader for the few types that walkable areas and marks use, in one pass over the text without recursion: a polygon
 * is a list of rings, a multipolygon a list of polygons, a collection any of these; nesting only changes the meaning of
 * a comma. Coordinates beyond the second (z, m) are skipped. What the points become is the caller's matter. Cost:
 * O(characters).
 */
#include "io/wkt.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "io/text.h"

typedef struct wkt_reader {
  const char *text, *at;
  const th_wkt_sink *sink;
  th_error *error;
  th_result result;
} wkt_reader;

static void skip_blanks(wkt_reader *reader) {
  while (isspace((unsigned char)*reader->at)) reader->at++;
}

static bool refuse(wkt_reader *reader, const char *expected) {
  char found[24] = "the end";
  if (*reader->at) {
    size_t n = strcspn(reader->at, "\n");
    if (n > sizeof found - 1) n = sizeof found - 1;
    memcpy(found, reader->at, n);
    found[n] = 0;
  }
  size_t where = (size_t)(reader->at - reader->text);
  reader->result = th_fail_at(reader->error, TH_ERROR_FORMAT, "WKT", where < UINT32_MAX ? (uint32_t)where : UINT32_MAX,
                              "expected %s, found '%s'", expected, found);
  return false;
}

static bool no_memory(wkt_reader *reader) {
  reader->result = th_fail_memory(reader->error, "WKT");
  return false;
}

static bool accept(wkt_reader *reader, char sign) {
  skip_blanks(reader);
  if (*reader->at != sign) return false;
  reader->at++;
  return true;
}

static bool read_number(wkt_reader *reader, double *value) {
  const char *end;
  skip_blanks(reader);
  double number = th_text_number(reader->at, &end);
  if (end == reader->at || !isfinite(number) || fabs(number) > 1e9) return refuse(reader, "a coordinate below 1e9");
  reader->at = end;
  *value = number;
  return true;
}

static bool at_number(wkt_reader *reader) {
  skip_blanks(reader);
  return *reader->at && strchr("+-.0123456789", *reader->at) != NULL;
}

/* "x y, x y ...": points of one ring or line. */
static bool read_points(wkt_reader *reader, bool closed, bool hole) {
  const th_wkt_sink *sink = reader->sink;
  if (!sink->begin(sink->to, closed, hole)) return no_memory(reader);
  do {
    double x, y, more;
    if (!read_number(reader, &x) || !read_number(reader, &y)) return false;
    while (at_number(reader))
      if (!read_number(reader, &more)) return false;
    if (!sink->point(sink->to, x, y)) return no_memory(reader);
  } while (accept(reader, ','));
  uint32_t points = 0;
  if (!sink->end(sink->to, &points)) return no_memory(reader);
  return !closed || points >= 3 || refuse(reader, "a ring of three points or more");
}

static bool read_polygon(wkt_reader *reader) {
  if (!accept(reader, '(')) return refuse(reader, "'(' before the rings of a polygon");
  bool hole = false;
  do {
    if (!accept(reader, '(')) return refuse(reader, "'(' before a ring");
    if (!read_points(reader, true, hole)) return false;
    if (!accept(reader, ')')) return refuse(reader, "')' after a ring");
    hole = true;
  } while (accept(reader, ','));
  return accept(reader, ')') || refuse(reader, "')' after the rings of a polygon");
}

static bool read_line(wkt_reader *reader) {
  if (!accept(reader, '(')) return refuse(reader, "'(' before points");
  if (!read_points(reader, false, false)) return false;
  return accept(reader, ')') || refuse(reader, "')' after points");
}

static bool read_list(wkt_reader *reader, bool (*read_item)(wkt_reader *)) {
  if (!accept(reader, '(')) return refuse(reader, "'(' before a list");
  do
    if (!read_item(reader)) return false;
  while (accept(reader, ','));
  return accept(reader, ')') || refuse(reader, "')' after a list");
}

static bool take_word(wkt_reader *reader, const char *word) {
  size_t n = strlen(word);
  skip_blanks(reader);
  if (!th_letters_begin(reader->at, word) || isalpha((unsigned char)reader->at[n])) return false;
  reader->at += n;
  return true;
}

static bool read_simple(wkt_reader *reader) {
  typedef struct kind {
    const char *word;
    bool (*read)(wkt_reader *);
    bool list;
  } kind;
  static const kind known[] = {{"POLYGON", read_polygon, false},     {"MULTIPOLYGON", read_polygon, true},
                               {"LINESTRING", read_line, false},     {"POINT", read_line, false},
                               {"MULTILINESTRING", read_line, true}, {"LINEARRING", read_line, false}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (!take_word(reader, known[k].word)) continue;
    if (!take_word(reader, "ZM") && !take_word(reader, "Z")) (void)take_word(reader, "M");
    if (take_word(reader, "EMPTY")) return true;
    return known[k].list ? read_list(reader, known[k].read) : known[k].read(reader);
  }
  return refuse(reader, "POLYGON, MULTIPOLYGON, LINESTRING or POINT");
}

static bool read_any(wkt_reader *reader) {
  if (!take_word(reader, "GEOMETRYCOLLECTION")) return read_simple(reader);
  return take_word(reader, "EMPTY") || read_list(reader, read_simple);
}

th_result th_wkt_read(const char *wkt, const th_wkt_sink *sink, th_error *error) {
  wkt_reader reader = {.text = wkt, .at = wkt, .sink = sink, .error = error, .result = TH_OK};
  const bool good = read_any(&reader);
  skip_blanks(&reader);
  if (good && *reader.at) (void)refuse(&reader, "the end");
  return reader.result;
}
