/* io/scene/write/spreads.c - numbers that are drawn, and ranges, as JSON: the reverse of io/scene/spread.c.
 *
 * Bounds are left out where the reader would find the same ones. Cost: constant per value.
 */
#include <math.h>
#include <string.h>

#include "io/scene/read.h"
#include "io/scene/write/write.h"

static void append_named(th_scene_writer *writer, const char *name, float value) {
  th_write_object_name(writer, name);
  th_write_value_float(writer, value);
}

static void append_drawn(th_scene_writer *writer, const th_key *key, const th_spread *spread) {
  const th_spread usual = th_default_spread(spread->kind, spread->mean, spread->deviation);
  append_named(writer, "mean", spread->mean);
  append_named(writer, "spread", spread->deviation);
  if (spread->kind != TH_SPREAD_NORMAL) {
    th_write_object_name(writer, "distribution");
    th_write_value_text(writer, th_scene_distribution[spread->kind - TH_SPREAD_NORMAL]);
  }
  if (spread->min != fmaxf(usual.min, (float)key->min)) append_named(writer, "min", spread->min);
  if (spread->max != fminf(usual.max, (float)key->max)) append_named(writer, "max", spread->max);
}

bool th_write_spread(th_scene_writer *writer, const th_write *write) {
  th_spread spread;
  memcpy(&spread, write->object + write->key->offset, sizeof spread);
  if (spread.kind == TH_SPREAD_NONE) return false;
  if (spread.kind == TH_SPREAD_CONSTANT) return th_write_value_float(writer, spread.mean), true;
  th_text_append(&writer->text, "{");
  if (spread.kind == TH_SPREAD_UNIFORM) {
    append_named(writer, "from", spread.min);
    append_named(writer, "to", spread.max);
  } else {
    append_drawn(writer, write->key, &spread);
  }
  th_text_append(&writer->text, "}");
  return true;
}

/* ---------------------------------------------------------------- ranges */

static void append_range(th_scene_writer *writer, const th_range *range) {
  if (range->min == range->max) {
    th_write_value_double(writer, range->min);
    return;
  }
  th_text_append(&writer->text, "{");
  if (range->min > -HUGE_VAL) {
    th_write_object_name(writer, "min");
    th_write_value_double(writer, range->min);
  }
  if (range->max < HUGE_VAL) {
    th_write_object_name(writer, "max");
    th_write_value_double(writer, range->max);
  }
  th_text_append(&writer->text, "}");
}

bool th_write_spread_range(th_scene_writer *writer, const th_write *write) {
  th_range range;
  memcpy(&range, write->object + write->key->offset, sizeof range);
  if (range.given) append_range(writer, &range);
  return range.given;
}

bool th_write_spread_ranges(th_scene_writer *writer, const th_write *write) {
  const th_named_range *range;
  uint32_t count;
  memcpy(&range, write->object + write->key->offset, sizeof range);
  memcpy(&count, write->object + write->key->count_offset, sizeof count);
  th_text_append(&writer->text, "{");
  for (uint32_t i = 0; i < count; i++) {
    th_write_object_name(writer, range[i].name);
    append_range(writer, &range[i].range);
  }
  th_text_append(&writer->text, "}");
  return count || write->always;
}
