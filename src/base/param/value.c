/* base/param/value.c - one value of a parameter table: its range, its description, its text.
 *
 * Ranges are compared in the type that is stored: 0.1f is not above a limit of 0.1. Numbers of a vector are separated
 * by spaces or a comma, points of a list by a semicolon, which may also follow the last point. A list is a count and an
 * array of fixed capacity, so that parameters stay plain bytes, which are copied, compared, hashed and saved without
 * conversion. Cost: linear in the text.
 */
#include "base/param/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static uint32_t capacity_of(const th_param *param) {
  uint32_t capacity = param->initial >= 1.0 ? (uint32_t)fmin(param->initial, 1e6) : 1;
  return capacity < TH_MAX_PARAM_POINTS ? capacity : TH_MAX_PARAM_POINTS;
}

size_t th_param_value_bytes(const th_param *param) {
  static const size_t size[] = {
      sizeof(float), sizeof(int32_t), sizeof(bool), sizeof(int32_t), sizeof(th_vec2), sizeof(th_vec3), 0};
  if (param->type != TH_PARAM_POINTS) return size[param->type];
  return offsetof(th_param_points, point) + sizeof(th_vec3) * capacity_of(param);
}

/* ---------------------------------------------------------------- ranges */

static int32_t choices(const th_param *param) {
  int32_t count = 0;
  while (param->choice && param->choice[count]) count++;
  return count;
}

static bool float_fits(const th_param *param, float x) {
  return isfinite(x) && x >= (float)param->min && x <= (float)param->max;
}

static bool place_fits(const th_param *param, th_vec3 p) {
  return float_fits(param, p.x) && float_fits(param, p.y) && float_fits(param, p.z);
}

/* The first point of a list that does not fit, or their number. */
static uint32_t first_bad(const th_param *param, const th_param_points *points) {
  uint32_t i = 0;
  while (i < points->count && place_fits(param, points->point[i])) i++;
  return i;
}

bool th_param_value_fits(const th_param *param, const th_param_value *v) {
  switch (param->type) {
    case TH_PARAM_FLOAT:
      return float_fits(param, v->number);
    case TH_PARAM_INT:
      return (double)v->whole >= param->min && (double)v->whole <= param->max;
    case TH_PARAM_BOOL:
      return v->truth <= 1;
    case TH_PARAM_ENUM:
      return v->whole >= 0 && v->whole < choices(param);
    case TH_PARAM_VEC2:
      return float_fits(param, v->vector.x) && float_fits(param, v->vector.y);
    case TH_PARAM_PLACE:
      return place_fits(param, v->place);
    case TH_PARAM_POINTS:
      return v->points.count <= capacity_of(param) && first_bad(param, &v->points) == v->points.count;
  }
  return false;
}

/* ---------------------------------------------------------------- descriptions */

static void describe_choices(const th_param *param, char *text, size_t size) {
  size_t used = 0;
  for (int32_t i = 0; i < choices(param) && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", param->choice[i]);
}

void th_param_value_describe_range(const th_param *param, char *text, size_t size) {
  char range[96];
  const char *unit = param->unit ? param->unit : "", *space = *unit ? " " : "";
  snprintf(range, sizeof range, "%.7g to %.7g%s%.20s", param->min, param->max, space, unit);
  switch (param->type) {
    case TH_PARAM_FLOAT:
      snprintf(text, size, "%s", range);
      break;
    case TH_PARAM_INT:
      snprintf(text, size, "a whole number from %.10g to %.10g%s%s", param->min, param->max, space, unit);
      break;
    case TH_PARAM_BOOL:
      snprintf(text, size, "true or false");
      break;
    case TH_PARAM_ENUM: {
      char list[160] = "";
      describe_choices(param, list, sizeof list);
      snprintf(text, size, "one of %s", list);
      break;
    }
    case TH_PARAM_VEC2:
      snprintf(text, size, "two numbers from %s", range);
      break;
    case TH_PARAM_PLACE:
      snprintf(text, size, "two or three numbers from %s", range);
      break;
    case TH_PARAM_POINTS:
      snprintf(text, size, "at most %u points of two or three numbers from %s", capacity_of(param), range);
      break;
  }
}

static void describe_points(const th_param *param, const th_param_points *points, char text[TH_PARAM_FOUND]) {
  uint32_t bad = points->count <= capacity_of(param) ? first_bad(param, points) : points->count;
  if (bad == points->count) {
    snprintf(text, TH_PARAM_FOUND, "%u points", points->count);
    return;
  }
  const th_vec3 *p = &points->point[bad];
  snprintf(text, TH_PARAM_FOUND, "%.7g %.7g %.7g as point %u", (double)p->x, (double)p->y, (double)p->z, bad + 1);
}

void th_param_value_describe(const th_param *param, const th_param_value *v, char text[TH_PARAM_FOUND]) {
  switch (param->type) {
    case TH_PARAM_FLOAT:
      snprintf(text, TH_PARAM_FOUND, "%.7g", (double)v->number);
      break;
    case TH_PARAM_INT:
    case TH_PARAM_ENUM:
      snprintf(text, TH_PARAM_FOUND, "%d", (int)v->whole);
      break;
    case TH_PARAM_BOOL:
      snprintf(text, TH_PARAM_FOUND, "the byte %u", (unsigned)v->truth);
      break;
    case TH_PARAM_VEC2:
      snprintf(text, TH_PARAM_FOUND, "%.7g %.7g", (double)v->vector.x, (double)v->vector.y);
      break;
    case TH_PARAM_PLACE:
      snprintf(text, TH_PARAM_FOUND, "%.7g %.7g %.7g", (double)v->place.x, (double)v->place.y, (double)v->place.z);
      break;
    case TH_PARAM_POINTS:
      describe_points(param, &v->points, text);
      break;
  }
}

/* ---------------------------------------------------------------- text */

static void skip_space(const char **text) {
  while (**text == ' ' || **text == '\t') ++*text;
}

/* Up to `most` numbers with spaces or a comma between them; moves *text behind them. Returns how many. */
static int read_numbers(const char **text, double *x, int most) {
  for (int i = 0; i < most; i++) {
    skip_space(text);
    const char *at = *text;
    if (i > 0 && *at == ',') {
      at++;
      skip_space(&at);
    }
    if (!th_number_read(&at, &x[i])) return i;
    *text = at;
  }
  skip_space(text);
  return most;
}

/* Reads exactly this many numbers and nothing else. */
static bool only_numbers(const char *text, double *x, int count) {
  return read_numbers(&text, x, count) == count && *text == 0;
}

static bool float_holds(const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!(fabs(x[i]) <= 3.4e38)) return false;
  return true;
}

static bool read_truth(const char *text, uint8_t *truth) {
  static const char *const word[] = {"false", "true", "0", "1"};
  for (uint8_t i = 0; i < 4; i++) {
    if (strcmp(text, word[i]) != 0) continue;
    *truth = i & 1u;
    return true;
  }
  return false;
}

static bool read_choice(const th_param *param, const char *text, int32_t *index) {
  for (*index = 0; *index < choices(param); ++*index)
    if (strcmp(text, param->choice[*index]) == 0) return true;
  return false;
}

/* A point up to a semicolon or the end. */
static th_result read_place(const char **text, th_vec3 *place) {
  double x[3] = {0, 0, 0};
  if (read_numbers(text, x, 3) < 2 || (**text && **text != ';')) return TH_ERROR_FORMAT;
  if (!float_holds(x, 3)) return TH_ERROR_RANGE;
  *place = (th_vec3){(float)x[0], (float)x[1], (float)x[2]};
  return TH_OK;
}

/* Points beyond the largest capacity are read and counted, but not kept. */
static th_result read_points(const char *text, th_param_points *points) {
  th_vec3 surplus;
  for (skip_space(&text); *text; skip_space(&text)) {
    bool kept = points->count < TH_MAX_PARAM_POINTS;
    th_result result = read_place(&text, kept ? &points->point[points->count] : &surplus);
    if (result != TH_OK) return result;
    points->count++;
    if (*text == ';') text++;
  }
  return TH_OK;
}

static th_result read_number(const th_param *param, const char *text, th_param_value *v) {
  double x[2] = {0, 0};
  int count = param->type == TH_PARAM_VEC2 ? 2 : 1;
  if (!only_numbers(text, x, count)) return TH_ERROR_FORMAT;
  if (param->type == TH_PARAM_INT) {
    if (x[0] != floor(x[0])) return TH_ERROR_FORMAT;
    if (!(fabs(x[0]) <= 2147483647.0)) return TH_ERROR_RANGE;
    v->whole = (int32_t)x[0];
    return TH_OK;
  }
  if (!float_holds(x, count)) return TH_ERROR_RANGE;
  if (count == 2)
    v->vector = (th_vec2){(float)x[0], (float)x[1]};
  else
    v->number = (float)x[0];
  return TH_OK;
}

th_result th_param_value_read(const th_param *param, const char *text, th_param_value *v) {
  th_result result = TH_ERROR_FORMAT;
  switch (param->type) {
    case TH_PARAM_FLOAT:
    case TH_PARAM_INT:
    case TH_PARAM_VEC2:
      result = read_number(param, text, v);
      break;
    case TH_PARAM_BOOL:
      result = read_truth(text, &v->truth) ? TH_OK : TH_ERROR_FORMAT;
      break;
    case TH_PARAM_ENUM:
      result = read_choice(param, text, &v->whole) ? TH_OK : TH_ERROR_FORMAT;
      break;
    case TH_PARAM_PLACE:
      result = read_place(&text, &v->place);
      if (result == TH_OK && *text) result = TH_ERROR_FORMAT;
      break;
    case TH_PARAM_POINTS:
      result = read_points(text, &v->points);
      break;
  }
  return result == TH_OK && !th_param_value_fits(param, v) ? TH_ERROR_RANGE : result;
}

/* Numbers behind what is there already, separated by spaces; the new length. */
static size_t put_numbers(char *text, size_t size, size_t used, const float *x, int count) {
  for (int i = 0; i < count; i++) {
    char digits[TH_NUMBER_ROOM];
    th_number_of_float(digits, x[i]);
    used +=
        (size_t)snprintf(used < size ? text + used : NULL, used < size ? size - used : 0, "%s%s", i ? " " : "", digits);
  }
  return used;
}

/* Without its z where that is what is left out. */
static size_t put_place(char *text, size_t size, size_t used, th_vec3 place) {
  const bool flat = place.z == 0.0f && !signbit(place.z);
  return put_numbers(text, size, used, &place.x, flat ? 2 : 3);
}

static size_t points_text(const th_param_points *points, char *text, size_t size) {
  size_t used = 0;
  if (size) *text = 0;
  for (uint32_t i = 0; i < points->count && i < TH_MAX_PARAM_POINTS; i++) {
    if (i) used += (size_t)snprintf(used < size ? text + used : NULL, used < size ? size - used : 0, "; ");
    used = put_place(text, size, used, points->point[i]);
  }
  return used;
}

size_t th_param_value_text(const th_param *param, const th_param_value *v, char *text, size_t size) {
  switch (param->type) {
    case TH_PARAM_FLOAT:
      return put_numbers(text, size, 0, &v->number, 1);
    case TH_PARAM_INT:
      return (size_t)snprintf(text, size, "%d", (int)v->whole);
    case TH_PARAM_BOOL:
      return (size_t)snprintf(text, size, "%s", v->truth ? "true" : "false");
    case TH_PARAM_ENUM:
      return (size_t)snprintf(text, size, "%s",
                              v->whole >= 0 && v->whole < choices(param) ? param->choice[v->whole] : "");
    case TH_PARAM_VEC2:
      return put_numbers(text, size, 0, &v->vector.x, 2);
    case TH_PARAM_PLACE:
      return put_place(text, size, 0, v->place);
    case TH_PARAM_POINTS:
      return points_text(&v->points, text, size);
  }
  return 0;
}
