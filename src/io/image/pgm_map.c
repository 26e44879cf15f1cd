/* io/image/pgm_map.c - PGM images and the YAML of robot maps.
 *
 * PGM: "P2" (text) or "P5" (bytes), width, height, greatest value, pixels; '#' starts a comment in the header
 * (netpbm's pgm(5)). Maps follow ROS map_server: p = (255 - grey) / 255, or grey / 255 when negated; a pixel is free
 * when p < free_thresh; occupied and unknown pixels are solid, because unknown ground may not be walkable. The YAML is
 * the flat list of keys that map_saver writes; other keys are ignored. Cost: one pass.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/image/image.h"

typedef struct scanner {
  const th_image_source *source;
  size_t at;
} scanner;

static void skip_blank(scanner *s) {
  while (s->at < s->source->size) {
    uint8_t c = s->source->bytes[s->at];
    if (c == '#')
      while (s->at < s->source->size && s->source->bytes[s->at] != '\n') s->at++;
    else if (isspace(c))
      s->at++;
    else
      return;
  }
}

/* A decimal number up to 2^31; false when there is none. */
static bool number(scanner *s, uint32_t *value) {
  skip_blank(s);
  uint64_t sum = 0;
  size_t begin = s->at;
  while (s->at < s->source->size && isdigit(s->source->bytes[s->at]) && sum <= INT32_MAX)
    sum = sum * 10 + (uint64_t)(s->source->bytes[s->at++] - '0');
  *value = (uint32_t)sum;
  return s->at > begin && sum <= INT32_MAX;
}

static th_result broken(const scanner *s, th_error *error, const char *expected) {
  return th_fail(error, TH_ERROR_FORMAT, s->source->where, "expected %s at byte %zu of the PGM, found %s", expected,
                 s->at, s->at < s->source->size ? "something else" : "the end of the file");
}

static uint8_t scaled(uint32_t value, uint32_t max) {
  return (uint8_t)(value < max ? (value * 255 + max / 2) / max : 255);
}

static bool read_pixels(scanner *s, bool text, uint32_t max, uint8_t *grey, size_t count) {
  for (size_t k = 0; k < count; k++) {
    uint32_t value;
    if (text) {
      if (!number(s, &value)) return false;
    } else {
      value = s->source->bytes[s->at++];
      if (max > 255) value = value << 8 | s->source->bytes[s->at++];
    }
    grey[k] = scaled(value, max);
  }
  return true;
}

th_result th_pgm_decode(const th_image_source *source, th_image *image, th_error *error) {
  scanner s = {source, 2};
  bool text = source->bytes[1] == '2';
  uint32_t width, height, max;
  if (!number(&s, &width) || !number(&s, &height)) return broken(&s, error, "width and height");
  if (!number(&s, &max) || max < 1 || max > 65535) return broken(&s, error, "a greatest value of 1 to 65535");
  if (s.at < source->size) s.at++; /* exactly one blank before bytes */
  /* Text needs a digit and a blank per pixel, but for the last one. */
  uint64_t min = (uint64_t)width * height * (text ? 2 : max > 255 ? 2 : 1) - (text && width && height);
  if ((uint64_t)width * height <= 1u << 28 && min > source->size - s.at)
    return th_fail(error, TH_ERROR_FORMAT, source->where, "expected %u x %u pixels, found %zu bytes for them", width,
                   height, source->size - s.at);
  uint8_t *grey;
  th_result result = th_image_take(source, width, height, &grey, error);
  if (result) return result;
  if (!read_pixels(&s, text, max, grey, (size_t)width * height)) {
    TH_GIVE(source->allocator, grey, (size_t)width * height);
    return broken(&s, error, "a pixel");
  }
  image->grey = grey;
  image->width = width;
  image->height = height;
  return TH_OK;
}

/* One line of the YAML: key and value without blanks, quotes and comment. */
typedef struct entry {
  char key[32], value[512];
  uint32_t line;
} entry;

static void trim(char *text) {
  size_t n = strlen(text), begin = 0;
  while (n && isspace((unsigned char)text[n - 1])) n--;
  while (begin < n && isspace((unsigned char)text[begin])) begin++;
  if (n - begin >= 2 && (text[begin] == '"' || text[begin] == '\'') && text[n - 1] == text[begin]) begin++, n--;
  memmove(text, text + begin, n - begin);
  text[n - begin] = '\0';
}

/* Copies bytes as a string; false when they do not fit or hold a zero. */
static bool copy_text(char *out, size_t capacity, const uint8_t *bytes, size_t size) {
  if (size >= capacity || memchr(bytes, 0, size)) return false;
  memcpy(out, bytes, size);
  out[size] = '\0';
  return true;
}

/* Next "key: value" line; 0 at the end, -1 when a line is neither that nor empty. */
static int next_entry(scanner *s, entry *e) {
  while (s->at < s->source->size) {
    const uint8_t *line = s->source->bytes + s->at, *end = memchr(line, '\n', s->source->size - s->at);
    size_t size = end ? (size_t)(end - line) : s->source->size - s->at;
    s->at += size + (end != NULL);
    e->line++;
    const uint8_t *comment = memchr(line, '#', size);
    if (comment) size = (size_t)(comment - line);
    size_t blank = 0;
    while (blank < size && isspace(line[blank])) blank++;
    if (blank == size || (size - blank >= 3 && memcmp(line + blank, "---", 3) == 0)) continue;
    const uint8_t *colon = memchr(line, ':', size);
    if (!colon || !copy_text(e->key, sizeof e->key, line, (size_t)(colon - line)) ||
        !copy_text(e->value, sizeof e->value, colon + 1, size - (size_t)(colon + 1 - line)))
      return -1;
    trim(e->key);
    trim(e->value);
    return 1;
  }
  return 0;
}

/* `count` finite numbers, in brackets when more than one. */
static bool numbers(const char *text, double *value, uint32_t count) {
  if (count > 1 && *text++ != '[') return false;
  for (uint32_t k = 0; k < count; k++) {
    char *end;
    value[k] = strtod(text, &end);
    if (end == text || !isfinite(value[k])) return false;
    while (isspace((unsigned char)*end)) end++;
    if (count > 1 && *end++ != (k + 1 < count ? ',' : ']')) return false;
    text = end;
  }
  return *text == '\0';
}

static bool set_entry(th_robot_map *map, const entry *e) {
  double negate;
  if (strcmp(e->key, "image") == 0) {
    memcpy(map->image, e->value, sizeof map->image);
    return e->value[0] != '\0';
  }
  if (strcmp(e->key, "resolution") == 0) return numbers(e->value, &map->resolution, 1);
  if (strcmp(e->key, "origin") == 0) return numbers(e->value, map->origin, 3);
  if (strcmp(e->key, "occupied_thresh") == 0) return numbers(e->value, &map->occupied, 1);
  if (strcmp(e->key, "free_thresh") == 0) return numbers(e->value, &map->free, 1);
  if (strcmp(e->key, "negate") == 0) {
    if (!numbers(e->value, &negate, 1) || (negate != 0.0 && negate != 1.0)) return false;
    map->negate = negate != 0.0;
  }
  return true;
}

static th_result fail_line(const th_image_source *source, uint32_t line, th_error *error, const char *text) {
  th_result result = th_fail(error, TH_ERROR_FORMAT, source->where, "%s", text);
  if (error) error->line = line;
  return result;
}

static th_result check_map(const th_image_source *source, const th_robot_map *map, th_error *error) {
  if (!map->image[0]) return fail_line(source, 0, error, "expected the key image, found none");
  if (!(map->resolution > 0.0 && map->resolution <= 100.0))
    return th_fail(error, TH_ERROR_RANGE, source->where, "expected resolution in (0, 100] m, found %g",
                   map->resolution);
  if (!(fabs(map->origin[0]) <= 1e5 && fabs(map->origin[1]) <= 1e5))
    return th_fail(error, TH_ERROR_RANGE, source->where, "expected an origin within +-1e5 m, found (%g, %g)",
                   map->origin[0], map->origin[1]);
  if (map->origin[2] != 0.0)
    return th_fail(error, TH_ERROR_RANGE, source->where, "expected a map that is not turned (yaw 0), found yaw %g",
                   map->origin[2]);
  if (!(map->free >= 0.0 && map->free <= map->occupied && map->occupied <= 1.0))
    return th_fail(error, TH_ERROR_RANGE, source->where,
                   "expected 0 <= free_thresh <= occupied_thresh <= 1, found %g and %g", map->free, map->occupied);
  return TH_OK;
}

th_result th_robot_map_parse(const th_image_source *source, th_robot_map *map, th_error *error) {
  *map = (th_robot_map){.occupied = 0.65, .free = 0.196};
  scanner s = {source, 0};
  entry e = {.line = 0};
  int found;
  while ((found = next_entry(&s, &e)) > 0)
    if (!set_entry(map, &e))
      return fail_line(
          source, e.line, error,
          "expected a value of the map's key (numbers; origin as [x, y, yaw]; negate 0 or 1), found another");
  if (found < 0) return fail_line(source, e.line, error, "expected a line 'key: value', found another");
  return check_map(source, map, error);
}

void th_robot_map_apply(const th_robot_map *map, uint8_t *grey, th_image *image) {
  for (size_t k = 0; k < (size_t)image->width * image->height; k++) {
    double p = (map->negate ? (double)grey[k] : 255.0 - (double)grey[k]) / 255.0;
    grey[k] = p < map->free ? 255 : 0;
  }
  image->metres_per_pixel = (float)map->resolution;
  image->origin = (th_vec2){(float)map->origin[0], (float)map->origin[1]};
  image->dark = 128;
}
