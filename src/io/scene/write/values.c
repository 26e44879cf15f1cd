/* io/scene/write/values.c - numbers, texts and lists of them as JSON: the reverse of io/scene/read_values.c.
 *
 * A float is written as a float: the shortest decimal that its reader turns into the same bits. Whole numbers up to
 * 10^15 are written without an exponent; minus zero keeps its point, for as a whole number it would lose its sign.
 * Cost: constant per value.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/scene/write/write.h"

/* "1e+06" as 1000000, "2.5e-07" as 2.5e-7. */
static void append_number(th_scene_writer *writer, const char *shortest) {
  char text[TH_NUMBER_ROOM], *power = NULL;
  const char *end;
  const double value = th_text_number(shortest, &end);
  if (value == 0.0) {
    th_text_append(&writer->text, *shortest == '-' ? "-0.0" : "0");
    return;
  }
  snprintf(text, sizeof text, "%s", shortest);
  power = strchr(text, 'e');
  if (power && fabs(value) < 1e15 && value == floor(value)) {
    snprintf(text, sizeof text, "%.0f", value);
  } else if (power) {
    const char *digits = power + 2 + strspn(power + 2, "0");
    char *to = power + 1 + (power[1] == '-');
    memmove(to, digits, strlen(digits) + 1);
  }
  th_text_append(&writer->text, text);
}

static void fail_number(th_scene_writer *writer) {
  th_write_object_fail(writer, TH_ERROR_RANGE, "a number", "expected a finite one, which JSON can hold, found none");
}

void th_write_value_float(th_scene_writer *writer, float value) {
  char text[TH_NUMBER_ROOM];
  if (!isfinite(value)) fail_number(writer);
  append_number(writer, th_number_of_float(text, value));
}

void th_write_value_double(th_scene_writer *writer, double value) {
  char text[TH_NUMBER_ROOM];
  if (!isfinite(value)) fail_number(writer);
  append_number(writer, th_number_of_double(text, value));
}

void th_write_value_whole(th_scene_writer *writer, int64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, value);
  th_text_append(&writer->text, text);
}

void th_write_value_text(th_scene_writer *writer, const char *value) {
  char piece[64];
  size_t used = 0;
  th_text_append(&writer->text, "\"");
  for (const char *c = value; *c; c++) {
    if (used + 8 > sizeof piece) th_text_append(&writer->text, piece), used = 0;
    if (*c == '\n')
      used += (size_t)snprintf(piece + used, sizeof piece - used, "\\n");
    else if ((unsigned char)*c < 0x20)
      used += (size_t)snprintf(piece + used, sizeof piece - used, "\\u%04x", (unsigned)(unsigned char)*c);
    else
      used += (size_t)snprintf(piece + used, sizeof piece - used, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
  }
  if (used) th_text_append(&writer->text, piece);
  th_text_append(&writer->text, "\"");
}

/* ---------------------------------------------------------------- kinds */

bool th_write_value_of_float(th_scene_writer *writer, const th_write *write) {
  float value;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  th_write_value_float(writer, value);
  return true;
}

bool th_write_value_of_double(th_scene_writer *writer, const th_write *write) {
  double value;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  th_write_value_double(writer, value);
  return true;
}

bool th_write_value_of_count(th_scene_writer *writer, const th_write *write) {
  uint32_t value;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  th_write_value_whole(writer, value);
  return true;
}

bool th_write_value_of_whole(th_scene_writer *writer, const th_write *write) {
  int32_t value;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  th_write_value_whole(writer, value);
  return true;
}

bool th_write_value_of_wholes(th_scene_writer *writer, const th_write *write) {
  const int32_t *value;
  uint32_t count;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  memcpy(&count, write->object + write->key->count_offset, sizeof count);
  th_text_append(&writer->text, "[");
  for (uint32_t i = 0; i < count; i++) {
    if (i) th_text_append(&writer->text, ", ");
    th_write_value_whole(writer, value[i]);
  }
  th_text_append(&writer->text, "]");
  return count || write->always;
}

bool th_write_value_of_seed(th_scene_writer *writer, const th_write *write) {
  uint64_t value;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  th_write_value_whole(writer, (int64_t)value); /* at most 2^53 */
  return true;
}

bool th_write_value_of_bool(th_scene_writer *writer, const th_write *write) {
  bool value;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  th_text_append(&writer->text, value ? "true" : "false");
  return true;
}

bool th_write_value_of_text(th_scene_writer *writer, const th_write *write) {
  const char *value;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  if (!value) return false;
  if (write->key->flags & TH_KEY_FILE)
    th_write_path(writer, value);
  else
    th_write_value_text(writer, value);
  return true;
}

bool th_write_value_of_texts(th_scene_writer *writer, const th_write *write) {
  const char *const *value;
  uint32_t count;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  memcpy(&count, write->object + write->key->count_offset, sizeof count);
  th_text_append(&writer->text, "[");
  for (uint32_t i = 0; i < count; i++) {
    if (i) th_text_append(&writer->text, ", ");
    th_write_value_text(writer, value[i]);
  }
  th_text_append(&writer->text, "]");
  return count || write->always;
}

bool th_write_value_of_choice(th_scene_writer *writer, const th_write *write) {
  int32_t value, known = 0;
  memcpy(&value, write->object + write->key->offset, sizeof value);
  while (write->key->choice[known]) known++;
  if (value < 0 || value >= known) return false; /* none was chosen */
  th_write_value_text(writer, write->key->choice[value]);
  return true;
}

static void append_doubles(th_scene_writer *writer, const double *value, int count) {
  th_text_append(&writer->text, "[");
  for (int i = 0; i < count; i++) {
    if (i) th_text_append(&writer->text, ", ");
    th_write_value_double(writer, value[i]);
  }
  th_text_append(&writer->text, "]");
}

static void append_floats(th_scene_writer *writer, const float *value, uint32_t count) {
  th_text_append(&writer->text, "[");
  for (uint32_t i = 0; i < count; i++) {
    if (i) th_text_append(&writer->text, ", ");
    th_write_value_float(writer, value[i]);
  }
  th_text_append(&writer->text, "]");
}

bool th_write_value_of_pair(th_scene_writer *writer, const th_write *write) {
  float value[2];
  memcpy(value, write->object + write->key->offset, sizeof value);
  append_floats(writer, value, 2);
  return true;
}

bool th_write_value_of_triple(th_scene_writer *writer, const th_write *write) {
  double value[3];
  memcpy(value, write->object + write->key->offset, sizeof value);
  append_doubles(writer, value, 3);
  return true;
}

bool th_write_value_of_floats(th_scene_writer *writer, const th_write *write) {
  const size_t at = write->key->offset, bytes = TH_MAX_CLASSES * sizeof(float);
  float value[TH_MAX_CLASSES];
  uint32_t count, initial;
  memcpy(value, write->object + at, bytes);
  memcpy(&count, write->object + write->key->count_offset, sizeof count);
  memcpy(&initial, write->initial + write->key->count_offset, sizeof initial);
  if (!write->always && count == initial && memcmp(value, write->initial + at, count * sizeof *value) == 0)
    return false;
  append_floats(writer, value, count);
  return count > 0;
}
