/* people/table.c - the parameters of people, each declared once.
 *
 * A row has the name, unit, range and default of a number, one sentence, and where the number comes from: a
 * publication, or the scenes that it was calibrated on (lab/people.md has the protocol and the effect of each).
 */
#include <stddef.h>

#include "throng/people.h"

#define CALIBRATED "calibrated on doors, corridors and counterflow"

/* clang-format off */
#define PEOPLE(X) \
  X(time_gap, "s", 0.05, 10, 1.06, "time gap that people at ease keep to the person ahead, in the mean", \
    "Seyfried et al. 2005: headways grow by 1.06 s per m/s in single file") \
  X(time_gap_spread, "s", 0, 10, 0.21, "deviation of time gaps from person to person", CALIBRATED) \
  X(hurry, "", 0.1, 1, 0.65, "part of the time gap that is left under pressure", CALIBRATED) \
  X(strip, "", 0.1, 3, 1.05, "half width of the strip ahead at ease, of both bodies", CALIBRATED) \
  X(strip_pressed, "", 0.1, 3, 0.62, "half width of the strip in which people are followed under pressure, of both bodies", CALIBRATED) \
  X(beyond, "m", 0, 10, 0.3, "who will have left the strip when a person has walked to its place and this far on is not followed", CALIBRATED) \
  X(keep_heading, "m/s", 0, 10, 0.3, "worth of keeping the present heading", CALIBRATED) \
  X(leave_wanted, "m/s", 0, 10, 0.05, "cost of leaving the wanted direction", CALIBRATED) \
  X(wall_berth, "m", 0, 1, 0.22, "distance from walls that people at ease keep where there is room", \
    "Habicht and Braaksma 1984: 0.14 to 0.22 m at walls of a corridor") \
  X(hindered, "", 0, 1, 0.36, "who gets along slower than this part of the wanted speed is under pressure", CALIBRATED) \
  X(press_in, "s", 0.01, 100, 0.5, "time until pressure is full", CALIBRATED) \
  X(press_out, "s", 0.01, 1000, 10, "time until pressure is gone", CALIBRATED) \
  X(shoulders, "", 0.7, 1, 0.9, "part of the radius to which a body narrows under pressure; 1: never", CALIBRATED) \
  X(forwards, "m/s", 0.01, 10, 0.35, "from this speed on shoulders are not turned", CALIBRATED) \
  X(round_room, "m", 0, 10, 2, "people step round somebody slow where nobody stands within this; 0: never", CALIBRATED) \
  X(patience, "s", 0.01, 1000, 3, "who stands before somebody opposed for longer than this tries other directions", CALIBRATED) \
  X(standing, "m/s", 0, 10, 0.1, "people slower than this do not turn on the spot", CALIBRATED) \
  X(take_up, "s", 0.01, 100, 0.4, "time until people of a model that decides now and then follow its advice", CALIBRATED)
/* clang-format on */

#define VALUE(name, unit, min, max, initial, text, source) .name = (float)(initial),
const th_people_params th_default_people = {PEOPLE(VALUE)};

#define ROW(name, unit, min, max, initial, text, source) \
  {#name, TH_PARAM_FLOAT, (uint32_t)offsetof(th_people_params, name), unit, min, max, initial, text, NULL},
static const th_param table[] = {PEOPLE(ROW)};
_Static_assert(sizeof table / sizeof *table * sizeof(float) == sizeof(th_people_params), "a row for every member");

#define SOURCE(name, unit, min, max, initial, text, source) source,
static const char *const sources[] = {PEOPLE(SOURCE)};

const char *th_people_source(uint32_t row) { return row < sizeof table / sizeof *table ? sources[row] : NULL; }

th_people_params th_default_people_params(void) { return th_default_people; }

const th_param *th_people_table(uint32_t *count) {
  *count = sizeof table / sizeof *table;
  return table;
}
