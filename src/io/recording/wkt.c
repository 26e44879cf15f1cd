/* io/recording/wkt.c - plans as well-known text (OGC 06-103r4, section 7), the geometry column of recordings.
 *
 * A reader for the few types that walkable areas and marks use, in one pass over the text without recursion: a polygon
 * is a list of rings, a multipolygon a list of polygons, a collection any of these; nesting only changes the meaning of
 * a comma. Coordinates beyond the second (z, m) are skipped. Cost: O(characters).
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "io/recording/plan.h"
#include "io/text.h"

typedef struct wkt_reader {
  const char *text, *at;
  th_floor_plan *plan;
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

static bool read_number(wkt_reader *reader, float *value) {
  const char *end;
  skip_blanks(reader);
  double number = th_text_number(reader->at, &end);
  if (end == reader->at || !isfinite(number) || fabs(number) > 1e9) return refuse(reader, "a coordinate below 1e9");
  reader->at = end;
  *value = (float)number;
  return true;
}

static bool at_number(wkt_reader *reader) {
  skip_blanks(reader);
  return *reader->at && strchr("+-.0123456789", *reader->at) != NULL;
}

/* "x y, x y ...": points of one ring, without the repeated last one when `closed`. */
static bool read_points(wkt_reader *reader, bool closed, bool hole) {
  uint32_t first = reader->plan->point_count;
  do {
    th_vec2 p;
    float more;
    if (!read_number(reader, &p.x) || !read_number(reader, &p.y)) return false;
    while (at_number(reader))
      if (!read_number(reader, &more)) return false;
    if (!th_floor_plan_add_point(reader->plan, p)) return no_memory(reader);
  } while (accept(reader, ','));
  uint32_t last = reader->plan->point_count - 1;
  const th_vec2 *a = &reader->plan->point[first], *b = &reader->plan->point[last];
  if (closed && last > first && a->x == b->x && a->y == b->y) reader->plan->point_count--;
  if (closed && reader->plan->point_count - first < 3) return refuse(reader, "a ring of three points or more");
  return th_floor_plan_add_ring(reader->plan, first, hole) || no_memory(reader);
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

th_result th_floor_plan_of_wkt(const th_env *env, const char *wkt, th_floor_plan *plan, th_error *error) {
  th_floor_plan made = {.env = *env};
  wkt_reader reader = {.text = wkt, .at = wkt, .plan = &made, .error = error, .result = TH_OK};
  bool good = read_any(&reader);
  skip_blanks(&reader);
  if (good && *reader.at) good = refuse(&reader, "the end");
  if (!good) {
    th_floor_plan_free(&made);
    return reader.result;
  }
  *plan = made;
  return TH_OK;
}

/* ---------------------------------------------------------------- writing */

static void append_point(th_text *text, th_vec2 p) {
  th_text_append_float(text, p.x);
  th_text_append(text, " ");
  th_text_append_float(text, p.y);
}

static void append_ring(th_text *text, const th_floor_plan *plan, const th_ring *ring) {
  th_text_append(text, "(");
  for (uint32_t k = 0; k < ring->count; k++) {
    append_point(text, plan->point[ring->first + k]);
    th_text_append(text, ", ");
  }
  append_point(text, plan->point[ring->first]);
  th_text_append(text, ")");
}

/* POLYGON for one outline, MULTIPOLYGON for several, POLYGON EMPTY for none. */
th_result th_floor_plan_wkt(const th_floor_plan *plan, char **text, th_error *error) {
  th_text out = {.allocator = th_env_complete(&plan->env).allocator};
  uint32_t outlines = 0, closed = 0;
  for (uint32_t r = 0; r < plan->ring_count; r++) outlines += !plan->ring[r].hole;
  th_text_append(&out, outlines > 1 ? "MULTIPOLYGON (" : outlines ? "POLYGON " : "POLYGON EMPTY");
  for (uint32_t r = 0; r < plan->ring_count && outlines; r++) {
    bool starts = !plan->ring[r].hole || r == 0;
    if (starts && closed++) th_text_append(&out, "), ");
    th_text_append(&out, starts ? "(" : ", ");
    append_ring(&out, plan, &plan->ring[r]);
  }
  if (outlines) th_text_append(&out, outlines > 1 ? "))" : ")");
  char *finished = th_text_finish(&out);
  if (!finished) return th_fail_memory(error, "WKT");
  *text = finished;
  return TH_OK;
}
