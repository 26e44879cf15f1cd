/* base/param/table.c - everything that the parameter tables drive: defaults, checks, values from text.
 *
 * Values are reached by offset and memcpy, so a table describes any struct; value.c handles the types. The error for an
 * unknown name suggests the known name of least edit distance (Levenshtein 1966), which nearly always is the one that
 * the author of a scene meant. Cost: one pass over the table.
 */
#include <string.h>

#include "base/error.h"
#include "base/param/value.h"

#define LONGEST_NAME 63

static void write_value(const th_param *param, void *values, const th_param_value *v) {
  memcpy((char *)values + param->offset, v, th_param_value_bytes(param));
}

static void take_value(const th_param *param, const void *values, th_param_value *v) {
  memcpy(v, (const char *)values + param->offset, th_param_value_bytes(param));
}

static th_result fail_value(th_error *error, th_result code, const th_param *param, const char *found) {
  char range[224];
  th_param_value_describe_range(param, range, sizeof range);
  return th_fail(error, code, param->name, "expected %s, found %.80s", range, *found ? found : "nothing");
}

void th_param_defaults(const th_param *param, uint32_t count, void *values) {
  for (uint32_t i = 0; i < count; i++) {
    th_param_value v;
    const float initial = (float)param[i].initial;
    memset(&v, 0, th_param_value_bytes(&param[i]));
    switch (param[i].type) {
      case TH_PARAM_FLOAT:
        v.number = initial;
        break;
      case TH_PARAM_INT:
      case TH_PARAM_ENUM:
        v.whole = (int32_t)param[i].initial;
        break;
      case TH_PARAM_BOOL:
        v.truth = param[i].initial != 0;
        break;
      case TH_PARAM_VEC2:
        v.vector = (th_vec2){initial, initial};
        break;
      case TH_PARAM_PLACE:
        v.place = (th_vec3){initial, initial, initial};
        break;
      case TH_PARAM_POINTS: /* none */
        break;
    }
    write_value(&param[i], values, &v);
  }
}

th_result th_param_check(const th_param *param, uint32_t count, const void *values, th_error *error) {
  for (uint32_t i = 0; i < count; i++) {
    th_param_value v;
    take_value(&param[i], values, &v);
    if (th_param_value_fits(&param[i], &v)) continue;
    char found[TH_PARAM_FOUND];
    th_param_value_describe(&param[i], &v, found);
    return fail_value(error, TH_ERROR_RANGE, &param[i], found);
  }
  return TH_OK;
}

void th_param_table_tidy(const th_param *param, uint32_t count, void *values) {
  for (uint32_t i = 0; i < count; i++) {
    if (param[i].type != TH_PARAM_POINTS) continue;
    th_param_value v;
    take_value(&param[i], values, &v);
    if (v.points.count < TH_MAX_PARAM_POINTS)
      memset(v.points.point + v.points.count, 0, sizeof(th_vec3) * (TH_MAX_PARAM_POINTS - v.points.count));
    write_value(&param[i], values, &v);
  }
}

/* Insertions, deletions and exchanges that turn `a` into `b`; one row of the table at a time. */
static uint32_t edit_distance(const char *a, const char *b) {
  uint32_t row[LONGEST_NAME + 1], length = 0;
  while (length < LONGEST_NAME && b[length]) length++;
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

/* A long list is described, not repeated. */
th_result th_param_set(const th_param *param, uint32_t count, void *values, const char *name, const char *text,
                       th_error *error) {
  const th_param *one = find(param, count, name);
  if (!one) return fail_name(error, param, count, name);
  th_param_value v;
  memset(&v, 0, sizeof v);
  th_result result = th_param_value_read(one, text, &v);
  if (result != TH_OK) {
    char found[TH_PARAM_FOUND];
    bool described = one->type == TH_PARAM_POINTS && result == TH_ERROR_RANGE && !th_param_value_fits(one, &v);
    if (described) th_param_value_describe(one, &v, found);
    return fail_value(error, result, one, described ? found : text);
  }
  write_value(one, values, &v);
  return TH_OK;
}

size_t th_param_get(const th_param *row, const void *values, char *text, size_t size) {
  th_param_value v;
  take_value(row, values, &v);
  return th_param_value_text(row, &v, text, size);
}
