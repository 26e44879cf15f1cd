/* apps/throng/validation/movement.c - tests with few people: corridors, stairs, premovement, a corner, speeds.
 *
 * RiMEA 1, 2, 3, 5, 6, 7 and NIST 1.1, 2.1, 2.2, 2.3, 2.4, 2.10: each test checks that one setting has the effect that
 * it should have.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/lab.h"

#define HEAD "{\"version\": 1, \"name\": \"validation\", "

/* ---------------------------------------------------------------- one person */

/* 40 m at a speed; the time it takes. */
static th_result walk_corridor(th_valid_lab *lab, double speed, th_reading *time, th_error *error) {
  char text[1200];
  snprintf(text, sizeof text,
           HEAD
           "\"duration\": 120, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [42, 2]]}]},"
           "\"goals\": [{\"name\": \"end\", \"line\": [[41, 0.3], [41, 1.7]], \"arrive\": 0.5, \"sink\": true"
           "}],"
           "\"populations\": [{\"name\": \"one\", \"positions\": [[0.5, 1]], \"speed\": %g, \"route\": [\"end\"],"
           "\"model\": \"@model@\"}]}",
           speed);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(time, trial.sum.arrival_last);
    th_trial_end(&trial);
  }
  return TH_OK;
}

th_result th_valid_corridor(th_valid_lab *lab, th_error *error) {
  th_reading *time = th_valid_reading(lab, "40 m at 1.33 m/s", "s", 29.0, 31.5);
  return walk_corridor(lab, 1.33, th_valid_published(time, 26.0, 34.0, "RiMEA"), error);
}

th_result th_valid_corridor_nist(th_valid_lab *lab, th_error *error) {
  th_reading *time = th_valid_reading(lab, "speed over 40 m at 1 m/s", "m/s", 0.95, 1.05);
  th_valid_published(time, 0.95, 1.05, "NIST, as automated by others");
  th_result result = walk_corridor(lab, 1.0, time, error);
  for (uint32_t i = 0; i < time->count; i++) time->value[i] = 40.0 / time->value[i];
  return result;
}

typedef struct flight {
  double length, rise; /* seen from above; height [m] */
  double up, down;     /* factors of 1 m/s */
} flight;

/* Seconds on the flight, from line to line. */
static th_result climb(th_valid_lab *lab, const flight *f, bool up, th_reading *reading, th_error *error) {
  char text[2400];
  const double foot = 5.0, head = foot + f->length, end = head + 5.0;
  snprintf(text, sizeof text,
           HEAD
           "\"duration\": 300, \"ground\": {\"mesh\": {\"building\": {\"levels\": ["
           "{\"number\": 1, \"z\": 0, \"outline\": [{\"rectangle\": [[0, 0], [%g, 2]]}]},"
           "{\"number\": 2, \"z\": %g, \"outline\": [{\"rectangle\": [[%g, 0], [%g, 2]]}]}],"
           "\"stairs\": [{\"from\": 1, \"to\": 2, \"rectangle\": [[%g, 0], [%g, 2]], \"rises\": \"east\","
           "\"speed\": 1, \"speed_up\": %g, \"speed_down\": %g}]}}},"
           "\"goals\": [{\"name\": \"end\", \"point\": [%g, 1, %g], \"sink\": true}],"
           "\"populations\": [{\"name\": \"one\", \"positions\": [[%g, 1, %g]], \"speed\": 1,"
           "\"route\": [\"end\"], \"model\": \"@model@\"}],"
           "\"measure\": {\"lines\": [{\"name\": \"foot\", \"from\": [%g, 0], \"to\": [%g, 2]},"
           "{\"name\": \"head\", \"from\": [%g, 0], \"to\": [%g, 2]}]}}",
           foot, f->rise, head, end, foot, head, f->up, f->down, up ? end - 1 : 1.0, up ? f->rise : 0.0,
           up ? 1.0 : end - 1, up ? 0.0 : f->rise, foot, foot, head, head);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    const th_line_log *low = th_trial_line(&trial, "foot"), *high = th_trial_line(&trial, "head");
    const double on = low->count && high->count ? fabs(high->crossing[0].time - low->crossing[0].time) : NAN;
    th_valid_note(reading, hypot(f->length, f->rise) / on);
    th_trial_end(&trial);
  }
  return TH_OK;
}

static const flight stairs = {8.66, 5.0, 0.5, 0.7};

/* RiMEA asks for "as test 1, adjusted": the time may be 26 to 34 s where 30.08 s are nominal. */
static th_reading *as_test_1(th_reading *r, double given) {
  return th_valid_published(r, given * 30.08 / 34.0, given * 30.08 / 26.0, "RiMEA, shares of test 1");
}

th_result th_valid_stairs_up(th_valid_lab *lab, th_error *error) {
  th_reading *r = th_valid_reading(lab, "speed up 10 m of stairs, 0.5 m/s given", "m/s", 0.475, 0.525);
  return climb(lab, &stairs, true, as_test_1(r, stairs.up), error);
}

th_result th_valid_stairs_down(th_valid_lab *lab, th_error *error) {
  th_reading *r = th_valid_reading(lab, "speed down 10 m of stairs, 0.7 m/s given", "m/s", 0.665, 0.735);
  return climb(lab, &stairs, false, as_test_1(r, stairs.down), error);
}

th_result th_valid_long_stairs(th_valid_lab *lab, th_error *error) {
  const flight tower = {86.6, 50.0, 1.0, 1.0};
  th_reading *up = th_valid_reading(lab, "speed up 100 m of stairs, 1 m/s given", "m/s", 0.95, 1.05);
  th_valid_published(up, 0.95, 1.05, "NIST, as automated by others");
  th_result result = climb(lab, &tower, true, up, error);
  if (result != TH_OK) return result;
  th_reading *down = th_valid_reading(lab, "speed down them", "m/s", 0.95, 1.05);
  th_valid_published(down, 0.95, 1.05, "NIST, as automated by others");
  return climb(lab, &tower, false, down, error);
}

/* ---------------------------------------------------------------- premovement */

enum { PEOPLE = 10 };

/* When each was told to set off, and when it first walked at a tenth of its speed. */
typedef struct starts {
  double told[PEOPLE + 1], walked[PEOPLE + 1];
} starts;

static void watch_starts(void *user, th_run *run) {
  starts *s = user;
  th_world *world = th_run_world(run);
  const th_agents a = th_world_agents(world);
  const double now = th_world_time(world);
  uint32_t count;
  const th_event *event = th_world_events(world, &count);
  for (uint32_t k = 0; k < count; k++)
    if (event[k].kind == TH_EVENT_SET_OFF && event[k].agent.index <= PEOPLE) s->told[event[k].agent.index] = now;
  for (uint32_t i = 0; i < a.count; i++) {
    const uint32_t n = a.id[i].index;
    if (n <= PEOPLE && a.state[i] == TH_AGENT_WALKING && !(s->walked[n] > 0.0) && hypotf(a.vx[i], a.vy[i]) > 0.13f)
      s->walked[n] = now;
  }
}

/* Ten people of a room of 8 m x 5 m with this premovement. */
static th_result watch_room(th_valid_lab *lab, const char *premovement, uint64_t seed, starts *s, uint32_t *arrived,
                            th_error *error) {
  char text[1200];
  *s = (starts){{0}, {0}};
  snprintf(text, sizeof text,
           HEAD
           "\"duration\": 400, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [8, 5]]}, {\"rectangle\": [[8, 2],"
           "[10, 3]]}]}, \"goals\": [{\"name\": \"exit\", \"line\": [[9.7, 2.3], [9.7, 2.7]], \"sink\": true"
           "}], \"populations\": [{\"name\": \"people\", \"count\": 10, \"region\":"
           "{\"rectangle\": [[0.3, 0.3], [7.7, 4.7]]}, \"route\": [\"exit\"], \"model\": \"@model@\","
           "\"premovement\": %s}]}",
           premovement);
  th_trial trial = {.text = text, .seed = seed, .watch = watch_starts, .user = s};
  th_result result = th_trial_run(lab, &trial, error);
  if (result != TH_OK) return result;
  *arrived = trial.sum.arrived;
  th_trial_end(&trial);
  return TH_OK;
}

/* It stands still, or others have pushed it into the exit while it stood. */
static bool never_walked(const starts *s, uint32_t n) { return !(s->walked[n] > 0.0); }

static double longest_delay(const starts *s) {
  double worst = 0.0;
  for (uint32_t n = 1; n <= PEOPLE; n++)
    if (!never_walked(s, n)) worst = fmax(worst, s->walked[n] - s->told[n]);
  return worst;
}

th_result th_valid_premovement(th_valid_lab *lab, th_error *error) {
  th_reading *early = th_valid_reading(lab, "first one sets off", "s", NAN, NAN);
  th_reading *late = th_valid_reading(lab, "last one sets off", "s", NAN, NAN);
  th_reading *outside =
      th_valid_reading(lab, "set off before 10 s or after 100 s and a step, of 10", "", -INFINITY, 0.0);
  th_reading *delay = th_valid_reading(lab, "longest delay until it walks", "s", -INFINITY, 0.5);
  th_valid_published(outside, -INFINITY, 0.0, "RiMEA");
  th_valid_published(delay, -INFINITY, 0.5, "implementers of RiMEA");
  th_reading *all = th_valid_reading(lab, "arrive, of 10", "", 10.0, 10.0);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    starts s;
    uint32_t arrived = 0;
    th_result result = watch_room(lab, "{\"from\": 10, \"to\": 100}", lab->seed_first + i, &s, &arrived, error);
    if (result != TH_OK) return result;
    double first = INFINITY, last = 0.0, still = 0.0, wrong = 0.0;
    for (uint32_t n = 1; n <= PEOPLE; n++) first = fmin(first, s.told[n]), last = fmax(last, s.told[n]);
    for (uint32_t n = 1; n <= PEOPLE; n++) wrong += !(s.told[n] >= 10.0 && s.told[n] <= 100.1 + 1e-6);
    for (uint32_t n = 1; n <= PEOPLE; n++) still += never_walked(&s, n);
    th_valid_note(early, first);
    th_valid_note(late, last);
    th_valid_note(outside, wrong);
    th_valid_note(delay, still > 0.0 ? INFINITY : longest_delay(&s));
    th_valid_note(all, arrived);
  }
  return TH_OK;
}

/* Distribution functions of the premovements of NIST 1.1, closed ones: gamma and Weibull have the deviations of the
 * exponential and of Rayleigh's distribution. */
static double below_uniform(double t) { return fmin(1.0, fmax(0.0, (t - 10.0) / 90.0)); }
static double below_gamma(double t) { return 1.0 - exp(-t / 30.0); }
static double below_weibull(double t) { return 1.0 - exp(-0.25 * 3.141592653589793 * t * t / 1600.0); }
static double below_lognormal(double t) {
  const double variance = log(1.0 + 0.25 * 0.25);
  return 0.5 * erfc(-(log(t / 40.0) + 0.5 * variance) / sqrt(2.0 * variance));
}

typedef struct premovement {
  const char *name, *text;
  double (*below)(double t);
} premovement;

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Largest distance between two distribution functions, times the root of the number of people: Kolmogorov and Smirnov.
 */
static double distance_of(double *time, uint32_t count, double (*below)(double t)) {
  double worst = 0.0;
  qsort(time, count, sizeof *time, by_size);
  for (uint32_t i = 0; i < count; i++) {
    const double f = below(time[i]);
    worst = fmax(worst, fmax(f - (double)i / count, (i + 1.0) / count - f));
  }
  return worst * sqrt(count);
}

th_result th_valid_premovement_kinds(th_valid_lab *lab, th_error *error) {
  static const premovement kind[] = {
      {"uniform", "{\"from\": 10, \"to\": 100}", below_uniform},
      {"gamma", "{\"mean\": 30, \"spread\": 30, \"distribution\": \"gamma\", \"min\": 0, \"max\": 1000}", below_gamma},
      {"lognormal", "{\"mean\": 40, \"spread\": 10, \"distribution\": \"lognormal\", \"min\": 0, \"max\": 1000}",
       below_lognormal},
      {"Weibull", "{\"mean\": 40, \"spread\": 20.9089, \"distribution\": \"weibull\", \"min\": 0, \"max\": 1000}",
       below_weibull}};
  double time[TH_VALID_SEEDS * PEOPLE], worst = 0.0, still = 0.0;
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
    char name[80];
    uint32_t count = 0;
    for (uint32_t i = 0; i < lab->seed_count; i++) {
      starts s;
      uint32_t arrived;
      th_result result = watch_room(lab, kind[k].text, lab->seed_first + i, &s, &arrived, error);
      if (result != TH_OK) return result;
      for (uint32_t n = 1; n <= PEOPLE; n++) time[count++] = s.told[n], still += never_walked(&s, n);
      worst = fmax(worst, longest_delay(&s));
    }
    snprintf(name, sizeof name, "%s: distance to the distribution given, by root n", kind[k].name);
    th_reading *apart = th_valid_reading(lab, name, "", -INFINITY, 1.36); /* 5 % */
    th_valid_published(apart, -INFINITY, 1.36, "Kolmogorov and Smirnov, 5 %");
    th_valid_note_whole(apart, distance_of(time, count, kind[k].below));
  }
  th_valid_note_whole(th_valid_reading(lab, "longest delay until anybody walks", "s", -INFINITY, 0.5), worst);
  th_valid_note_whole(th_valid_reading(lab, "never walked by themselves, of all", "", -INFINITY, 0.0), still);
  return TH_OK;
}

/* ---------------------------------------------------------------- some people */

th_result th_valid_corner(th_valid_lab *lab, th_error *error) {
  static const char text[] = HEAD
      "\"duration\": 120, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 2]]}, {\"rectangle\": [[10, 0],"
      "[12, 12]]}]}, \"goals\": [{\"name\": \"end\", \"line\": [[10.3, 11.6], [11.7, 11.6]], \"sink\": true"
      "}], \"populations\": [{\"name\": \"people\", \"count\": 20, \"region\":"
      "{\"rectangle\": [[0.2, 0.2], [6.2, 1.8]]}, \"route\": [\"end\"], \"model\": \"@model@\"}]}";
  th_reading *all = th_valid_reading(lab, "arrive, of 20", "", 20.0, 20.0);
  th_reading *time = th_valid_reading(lab, "the last one after", "s", 12.0, 40.0);
  th_reading *walls = th_valid_reading(lab, "bodies in walls, of their radius", "%", -INFINITY, 5.0);
  th_valid_published(all, 20.0, 20.0, "RiMEA, NIST");
  th_valid_published(walls, -INFINITY, 99.9, "RiMEA: no centre behind a wall");
  const th_conduct conduct = th_conduct_of(lab);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(all, trial.sum.arrived);
    th_valid_note(time, trial.sum.arrival_last);
    th_valid_note(walls, 100.0 * trial.sum.worst_wall_overlap);
    th_conduct_note(&conduct, &trial.sum);
    th_trial_end(&trial);
  }
  return TH_OK;
}

/* A population that is given these speeds. */
typedef struct adults {
  uint32_t count;
  double mean, spread;
} adults;

/* Mean and deviation of the speeds at which people really walked. */
static void note_speeds(const th_metrics *m, th_reading *mean, th_reading *spread) {
  double sum = 0.0, squares = 0.0, n = m->life_count;
  for (uint32_t k = 0; k < m->life_count; k++) sum += m->life[k].path / m->life[k].under_way;
  for (uint32_t k = 0; k < m->life_count; k++) {
    const double off = m->life[k].path / m->life[k].under_way - sum / n;
    squares += off * off;
  }
  th_valid_note(mean, sum / n);
  th_valid_note(spread, sqrt(squares / (n - 1.0)));
}

/* People far from each other: their speeds are those that they were given. */
static th_result walk_apart(th_valid_lab *lab, const adults *given, th_error *error) {
  char text[1200], name[80];
  snprintf(
      text, sizeof text,
      HEAD
      "\"duration\": 60, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [100, 60]]}]}, \"guides\":"
      "[{\"name\": \"east\", \"direction\": {\"vector\": [1, 0, 0]}}], \"populations\": [{\"name\": \"adults\","
      "\"count\": %u, \"region\": {\"rectangle\": [[1, 1], [60, 59]]}, \"guide\": \"east\", \"model\": \"@model@\","
      "\"speed\": {\"mean\": %g, \"spread\": %g}}]}",
      given->count, given->mean, given->spread);
  const double error95 = 1.96 * given->spread / sqrt(given->count); /* of the mean of one such population */
  snprintf(name, sizeof name, "mean speed, %g m/s given", given->mean);
  th_reading *mean = th_valid_reading(lab, name, "m/s", 0.92 * given->mean, 1.08 * given->mean);
  th_valid_published(mean, given->mean - error95, given->mean + error95, "95 % of such samples, as others read it");
  snprintf(name, sizeof name, "standard deviation, %g m/s given", given->spread);
  th_reading *spread = th_valid_reading(lab, name, "m/s", 0.7 * given->spread, 1.3 * given->spread);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i, .duration = 20.0};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    note_speeds(trial.metrics, mean, spread);
    th_trial_end(&trial);
  }
  return TH_OK;
}

th_result th_valid_speeds(th_valid_lab *lab, th_error *error) {
  return walk_apart(lab, &(adults){50, 1.34, 0.26}, error);
}

th_result th_valid_speeds_nist(th_valid_lab *lab, th_error *error) {
  return walk_apart(lab, &(adults){100, 1.2, 0.2}, error);
}

/* 24 through a corridor behind one who is slower and larger, and the same with one like them. */
th_result th_valid_slow_one(th_valid_lab *lab, th_error *error) {
  static const char *const first[2] = {"\"speed\": 1.25", "\"speed\": 0.8, \"radius\": 0.4"};
  char text[2][1600];
  for (int k = 0; k < 2; k++)
    snprintf(text[k], sizeof text[k],
             HEAD
             "\"duration\": 200, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [6, 5]]}, {\"rectangle\":"
             "[[6, 1.75], [26, 3.25]]}]}, \"goals\": [{\"name\": \"end\", \"line\": [[25.5, 2.05], [25.5, 2.95]],"
             "\"sink\": true}], \"populations\": [{\"name\": \"first\", \"positions\":"
             "[[5.5, 2.5]], \"route\": [\"end\"], \"model\": \"@model@\", %s}, {\"name\": \"others\", \"count\": 24,"
             "\"region\": {\"rectangle\": [[0.3, 0.3], [4.8, 4.7]]}, \"route\": [\"end\"], \"model\": \"@model@\","
             "\"speed\": 1.25}]}",
             first[k]);
  th_reading *longer = th_valid_reading(lab, "last arrival by that without", "", 1.05, 2.5);
  th_valid_published(longer, 1.0, INFINITY, "NIST: slower than without");
  th_reading *all = th_valid_reading(lab, "arrive, of 25", "", 25.0, 25.0);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    double time[2] = {NAN, NAN};
    for (int k = 0; k < 2; k++) {
      th_trial trial = {.text = text[k], .seed = lab->seed_first + i};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      time[k] = trial.sum.arrival_last;
      if (k) th_valid_note(all, trial.sum.arrived);
      th_trial_end(&trial);
    }
    th_valid_note(longer, time[1] / time[0]);
  }
  return TH_OK;
}
