/* base/param.c - everything that the parameter tables drive: defaults, checks, values from text.
 *
 * Values are reached by offset and memcpy, so a table describes any struct. Ranges are compared in the type that is
 * stored: 0.1f is not above a limit of 0.1. A wrong name is answered with the known name of least edit distance
 * (Levenshtein 1966), which is what the writer of a scene meant nearly always. Cost: one pass over the table.
 */
#include "throng/param.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

#define LONGEST_NAME 63

/* Any value of a table, read or to be written. */
typedef union value {
  float number;
  int32_t whole;
  uint8_t truth;
  th_vec2 vector;
} value;

static size_t size_of(th_param_type type) {
  static const size_t size[] = {sizeof(float), sizeof(int32_t), sizeof(bool), sizeof(int32_t), sizeof(th_vec2)};
  return size[type];
}

static void write_value(const th_param *param, void *values, value v) {
  memcpy((char *)values + param->offset, &v, size_of(param->type));
}

static int32_t choices(const th_param *param) {
  int32_t count = 0;
  while (param->choice && param->choice[count]) count++;
  return count;
}

static void describe_choices(const th_param *param, char *text, size_t size) {
  size_t used = 0;
  for (int32_t i = 0; i < choices(param) && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", param->choice[i]);
}

/* "0 to 5 m/s", "true or false", "one of pull, literal" */
static void describe_range(const th_param *param, char *text, size_t size) {
  const char *unit = param->unit ? param->unit : "", *space = *unit ? " " : "";
  switch (param->type) {
    case TH_PARAM_FLOAT:
      snprintf(text, size, "%.7g to %.7g%s%s", param->min, param->max, space, unit);
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
      snprintf(text, size, "two numbers from %.7g to %.7g%s%s", param->min, param->max, space, unit);
      break;
  }
}

static th_result fail_value(th_error *error, th_result code, const th_param *param, const char *found) {
  char range[224];
  describe_range(param, range, sizeof range);
  return th_fail(error, code, param->name, "expected %s, found %.80s", range, *found ? found : "nothing");
}

static bool float_fits(const th_param *param, float x) {
  return isfinite(x) && x >= (float)param->min && x <= (float)param->max;
}

static bool fits(const th_param *param, value v) {
  switch (param->type) {
    case TH_PARAM_FLOAT:
      return float_fits(param, v.number);
    case TH_PARAM_INT:
      return (double)v.whole >= param->min && (double)v.whole <= param->max;
    case TH_PARAM_BOOL:
      return v.truth <= 1;
    case TH_PARAM_ENUM:
      return v.whole >= 0 && v.whole < choices(param);
    case TH_PARAM_VEC2:
      return float_fits(param, v.vector.x) && float_fits(param, v.vector.y);
  }
  return false;
}

static void describe_value(const th_param *param, value v, char *text, size_t size) {
  switch (param->type) {
    case TH_PARAM_FLOAT:
      snprintf(text, size, "%.7g", (double)v.number);
      break;
    case TH_PARAM_INT:
    case TH_PARAM_ENUM:
      snprintf(text, size, "%d", (int)v.whole);
      break;
    case TH_PARAM_BOOL:
      snprintf(text, size, "the byte %u", (unsigned)v.truth);
      break;
    case TH_PARAM_VEC2:
      snprintf(text, size, "%.7g %.7g", (double)v.vector.x, (double)v.vector.y);
      break;
  }
}

void th_param_defaults(const th_param *param, uint32_t count, void *values) {
  for (uint32_t i = 0; i < count; i++) {
    value v = {0};
    switch (param[i].type) {
      case TH_PARAM_FLOAT:
        v.number = (float)param[i].initial;
        break;
      case TH_PARAM_INT:
      case TH_PARAM_ENUM:
        v.whole = (int32_t)param[i].initial;
        break;
      case TH_PARAM_BOOL:
        v.truth = param[i].initial != 0;
        break;
      case TH_PARAM_VEC2:
        v.vector = (th_vec2){(float)param[i].initial, (float)param[i].initial};
        break;
    }
    write_value(&param[i], values, v);
  }
}

th_result th_param_check(const th_param *param, uint32_t count, const void *values, th_error *error) {
  for (uint32_t i = 0; i < count; i++) {
    value v = {0};
    memcpy(&v, (const char *)values + param[i].offset, size_of(param[i].type));
    if (fits(&param[i], v)) continue;
    char found[64];
    describe_value(&param[i], v, found, sizeof found);
    return fail_value(error, TH_ERROR_RANGE, &param[i], found);
  }
  return TH_OK;
}

/* Insertions, deletions and exchanges that turn `a` into `b`; one row of the table at a time. */
static uint32_t edit_distance(const char *a, const char *b) {
  uint32_t row[LONGEST_NAME + 1], length = (uint32_t)strnlen(b, LONGEST_NAME);
  for (uint32_t j = 0; j <= length; j++) row[j] = j;
  for (uint32_t i = 1; i <= LONGEST_NAME && a[i - 1]; i++) {
    uint32_t corner = row[0];
    row[0] = i;
    for (uint32_t j = 1; j <= length; j++) {
      uint32_t best = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[length];
}

static const th_param *find(const th_param *param, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(param[i].name, name) == 0) return &param[i];
  return NULL;
}

static th_result fail_name(th_error *error, const th_param *param, uint32_t count, const char *name) {
  const char *nearest = NULL;
  uint32_t min = UINT32_MAX;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t distance = edit_distance(name, param[i].name);
    if (distance < min) min = distance, nearest = param[i].name;
  }
  if (!nearest) return th_fail(error, TH_ERROR_FORMAT, name, "no parameters are known here, found \"%.63s\"", name);
  return th_fail(error, TH_ERROR_FORMAT, name, "expected a known parameter, found \"%.63s\"; the nearest is \"%s\"",
                 name, nearest);
}

static void skip_space(const char **text) {
  while (**text == ' ' || **text == '\t') ++*text;
}

/* Numbers separated by spaces or a comma, and nothing else. */
static bool read_numbers(const char *text, double *x, int count) {
  for (int i = 0; i < count; i++) {
    skip_space(&text);
    if (i > 0 && *text == ',') {
      text++;
      skip_space(&text);
    }
    if (!th_number_read(&text, &x[i])) return false;
  }
  skip_space(&text);
  return *text == 0;
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

/* TH_ERROR_FORMAT when the text is no value of the type, TH_ERROR_RANGE when it does not fit. */
static th_result read_value(const th_param *param, const char *text, value *v) {
  double x[2] = {0, 0};
  bool good = false;
  switch (param->type) {
    case TH_PARAM_FLOAT:
      good = read_numbers(text, x, 1);
      if (good && !(fabs(x[0]) <= 3.4e38)) return TH_ERROR_RANGE;
      v->number = (float)x[0];
      break;
    case TH_PARAM_INT:
      good = read_numbers(text, x, 1) && x[0] == floor(x[0]);
      if (good && !(fabs(x[0]) <= 2147483647.0)) return TH_ERROR_RANGE;
      if (good) v->whole = (int32_t)x[0];
      break;
    case TH_PARAM_BOOL:
      good = read_truth(text, &v->truth);
      break;
    case TH_PARAM_ENUM:
      good = read_choice(param, text, &v->whole);
      break;
    case TH_PARAM_VEC2:
      good = read_numbers(text, x, 2);
      if (good && !(fabs(x[0]) <= 3.4e38 && fabs(x[1]) <= 3.4e38)) return TH_ERROR_RANGE;
      v->vector = (th_vec2){(float)x[0], (float)x[1]};
      break;
  }
  if (!good) return TH_ERROR_FORMAT;
  return fits(param, *v) ? TH_OK : TH_ERROR_RANGE;
}

th_result th_param_set(const th_param *param, uint32_t count, void *values, const char *name, const char *text,
                       th_error *error) {
  const th_param *one = find(param, count, name);
  if (!one) return fail_name(error, param, count, name);
  value v = {0};
  th_result result = read_value(one, text, &v);
  if (result != TH_OK) return fail_value(error, result, one, text);
  write_value(one, values, v);
  return TH_OK;
}
