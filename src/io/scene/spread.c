/* io/scene/spread.c - reading numbers that differ from agent to agent.
 *
 * A number; {mean, spread}, where `spread` is the standard deviation, with an optional distribution and bounds; or
 * {from, to}. Bounds that are not given are those of th_default_spread, cut to the range of the key. Cost: constant per
 * value.
 */
#include "throng/spread.h"

#include <math.h>
#include <string.h>

#include "io/scene/read.h"

enum { MEAN, SPREAD, MIN, MAX, NUMBERS };
static const char *const number_name[NUMBERS] = {"mean", "spread", "min", "max"};

const char *const th_scene_distribution[] = {"normal", "lognormal", "gamma", "weibull", NULL};

static th_result read_member(th_scene_reader *reader, const th_key *key, const char *name, const json_t *value,
                             double number[NUMBERS], int32_t *distribution) {
  th_key loose = *key; /* a deviation may be below the minimum */
  if (strcmp(name, "distribution") == 0) {
    const th_key choice = {.name = name, .kind = TH_KEY_CHOICE, .choice = th_scene_distribution, .unit = ""};
    return th_read_choice_key(reader, &(th_read){&choice, value, NULL, (uint8_t *)distribution});
  }
  for (int i = 0; i < NUMBERS; i++) {
    if (strcmp(name, number_name[i]) != 0) continue;
    loose.min = i == SPREAD ? 0 : key->min;
    return th_read_number(reader, value, &loose, &number[i]);
  }
  return th_reader_fail(reader, TH_ERROR_FORMAT, true,
                        "expected \"mean\", \"spread\", \"distribution\", \"min\" or \"max\", found \"%.60s\"", name);
}

static th_result check_bounds(th_scene_reader *reader, const th_key *key, const th_spread *spread) {
  if (spread->min > spread->mean || spread->mean > spread->max)
    return th_reader_fail(reader, TH_ERROR_RANGE, false, "expected min <= mean <= max, found %g, %g and %g",
                          (double)spread->min, (double)spread->mean, (double)spread->max);
  if (spread->kind != TH_SPREAD_NORMAL && !(spread->mean > 0))
    return th_reader_fail(reader, TH_ERROR_RANGE, false, "expected a mean above 0%s%s, found %g", *key->unit ? " " : "",
                          key->unit, (double)spread->mean);
  return TH_OK;
}

static th_result read_distribution(th_scene_reader *reader, const th_read *read, th_spread *spread) {
  const th_key *key = read->key;
  double number[NUMBERS] = {NAN, NAN, NAN, NAN};
  int32_t distribution = 0;
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)read->value, name, value) {
    size_t mark = th_reader_enter(reader, name);
    th_result result = read_member(reader, key, name, value, number, &distribution);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  for (int i = MEAN; i <= SPREAD; i++) {
    if (isnan(number[i]))
      return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected the key \"%s\", found none", number_name[i]);
  }
  *spread =
      th_default_spread((th_spread_kind)(TH_SPREAD_NORMAL + distribution), (float)number[MEAN], (float)number[SPREAD]);
  spread->min = isnan(number[MIN]) ? fmaxf(spread->min, (float)key->min) : (float)number[MIN];
  spread->max = isnan(number[MAX]) ? fminf(spread->max, (float)key->max) : (float)number[MAX];
  return check_bounds(reader, key, spread);
}

static th_result read_uniform(th_scene_reader *reader, const th_read *read, th_spread *spread) {
  double pair[2] = {0, 0};
  th_result result = th_read_two(reader, read->value, &(th_two){"from", "to", true}, read->key, pair);
  if (result == TH_OK && pair[0] > pair[1])
    return th_reader_fail(reader, TH_ERROR_RANGE, false, "expected \"from\" not above \"to\", found %g and %g", pair[0],
                          pair[1]);
  *spread = th_uniform_spread((float)pair[0], (float)pair[1]);
  return result;
}

th_result th_read_spread_key(th_scene_reader *reader, const th_read *read) {
  th_spread spread;
  double number = 0;
  th_result result;
  if (json_is_object(read->value)) {
    const bool uniform = json_object_get(read->value, "from") || json_object_get(read->value, "to");
    result = (uniform ? read_uniform : read_distribution)(reader, read, &spread);
  } else if (json_is_number(read->value)) {
    result = th_read_number(reader, read->value, read->key, &number);
    spread = th_constant_spread((float)number);
  } else {
    return th_read_fail_number(reader, read->value, read->key,
                               "a number, {\"mean\", \"spread\"} or {\"from\", \"to\"}");
  }
  if (result == TH_OK) memcpy(read->object + read->key->offset, &spread, sizeof spread);
  return result;
}
