/* apps/throng/validation/house.c - people in houses: RiMEA 8 and 14, NIST 2.7.
 *
 * A house of three storeys is left at four speeds; people have the choice between stairs and a long level path; one
 * person takes a lift. Houses are buildings of scenes, made here, since the plans of the guideline are figures.
 */
#include <math.h>
#include <stdio.h>

#include "validation/lab.h"

#define HEAD "{\"version\": 1, \"name\": \"house\", "

/* A text that grows. */
typedef struct page {
  char text[16000];
  size_t used;
} page;

#define ADD(p, ...) ((p)->used += (size_t)snprintf((p)->text + (p)->used, sizeof(p)->text - (p)->used, __VA_ARGS__))

/* ---------------------------------------------------------------- three storeys */

enum { STOREYS = 3, ROOMS = 8, EACH = 4, ALL = STOREYS * ROOMS * EACH, SPEEDS = 4 };

/* Lower left corner of a room of 4.8 m x 4.8 m: four on each side of the corridor. */
static double room_x(int i) { return 5.0 * (i % 4) + 0.1; }
static double room_y(int i) { return i < 4 ? 0.0 : 7.2; }

/* A corridor of 2 m with rooms behind doors of 0.9 m, and a stairwell at its end; below, the exit at the other end. */
static void add_storey(page *p, int number) {
  ADD(p, "%s{\"number\": %d, \"z\": %d, \"outline\": [{\"rectangle\": [[%d, 5], [20, 7]]}, {\"rectangle\":",
      number > 1 ? ", " : "", number, 3 * (number - 1), number > 1 ? 0 : -2);
  ADD(p, "[[20, 3], [28, 9]]}");
  for (int i = 0; i < ROOMS; i++) {
    const double x = room_x(i), y = room_y(i), wall = i < 4 ? 4.8 : 7.0;
    ADD(p, ", {\"rectangle\": [[%g, %g], [%g, %g]]}, {\"rectangle\": [[%g, %g], [%g, %g]]}", x, y, x + 4.8, y + 4.8,
        x + 1.9, wall, x + 2.8, wall + 0.2);
  }
  ADD(p, "]}");
}

/* Four people in every room, all with this speed, who set off within a time. Flights of 5 m x 1.5 m lead down to
 * opposite ends of the stairwell. */
static void house_of(page *p, double speed, double within) {
  p->used = 0;
  ADD(p, HEAD "\"duration\": 900, \"ground\": {\"mesh\": {\"headroom\": 2, \"building\": {\"levels\": [");
  for (int k = 1; k <= STOREYS; k++) add_storey(p, k);
  ADD(p,
      "], \"stairs\": [{\"from\": 1, \"to\": 2, \"rectangle\": [[21, 3.1], [26, 4.6]], \"rises\": \"east\"}, {\"from\":"
      "2, \"to\": 3, \"rectangle\": [[21, 7.4], [26, 8.9]], \"rises\": \"west\"}]}}}, \"goals\": [{\"name\": \"out\","
      "\"line\": [[-1.6, 5.3, 0], [-1.6, 6.7, 0]], \"sink\": true}], \"populations\": [");
  for (int k = 0; k < STOREYS * ROOMS; k++) {
    const double x = room_x(k % ROOMS), y = room_y(k % ROOMS);
    ADD(p,
        "%s{\"name\": \"room %d\", \"count\": %d, \"region\": {\"rectangle\": [[%g, %g], [%g, %g]], \"level\": %d},"
        "\"route\": [\"out\"], \"model\": \"@model@\", \"speed\": %g, \"premovement\": {\"from\": 0, \"to\": %g}}",
        k ? ", " : "", k + 1, EACH, x + 0.3, y + 0.3, x + 4.5, y + 4.5, k / ROOMS + 1, speed, within);
  }
  ADD(p, "]}");
}

/* Faster people leave sooner: the differences of neighbouring speeds, seed by seed. */
static void note_gains(th_valid_lab *lab, const double *speed, th_reading *const *time) {
  for (int k = 1; k < SPEEDS; k++) {
    char name[80];
    snprintf(name, sizeof name, "sooner at %g m/s than at %g m/s by", speed[k], speed[k - 1]);
    th_reading *gain = th_valid_reading(lab, name, "s", 0.0, INFINITY);
    th_valid_note_pairs(th_valid_published(gain, 0.0, INFINITY, "implementers of RiMEA"), time[k - 1], time[k]);
  }
}

/* The corner of the house that is farthest from the exit: 49.8 m of floor and two flights of 5.83 m at 0.6 of the
 * speed. */
#define FARTHEST (49.8 + 2.0 * 5.83 / 0.6)

static th_result leave_house(th_valid_lab *lab, const char *text, th_reading *all, th_reading *time,
                             const th_conduct *conduct, th_error *error) {
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(time, trial.sum.arrived == ALL ? trial.sum.arrival_last : INFINITY);
    th_valid_note(all, trial.sum.arrived);
    if (conduct) th_conduct_note(conduct, &trial.sum);
    th_trial_end(&trial);
  }
  return TH_OK;
}

th_result th_valid_house(th_valid_lab *lab, th_error *error) {
  static const double speed[SPEEDS] = {0.5, 0.75, 1.0, 1.25};
  th_valid_curve *curve = th_valid_curve_of(lab, "house", lab->model);
  th_reading *all = th_valid_reading(lab, "leave at every speed, of 96", "", ALL, ALL), *time[SPEEDS];
  for (int k = 0; k < SPEEDS; k++) {
    char name[60];
    snprintf(name, sizeof name, "%g m/s: the last one after", speed[k]);
    time[k] = th_valid_reading(lab, name, "s", 0.9 * FARTHEST / speed[k], 2.0 * FARTHEST / speed[k]);
  }
  th_reading *delayed = th_valid_reading(lab, "1 m/s, set off within 60 s: the last one later by", "s", 5.0, 60.0);
  const th_conduct conduct = th_conduct_of(lab);
  for (int k = 0; k < SPEEDS; k++) {
    page p;
    house_of(&p, speed[k], 0.0);
    th_result result = leave_house(lab, p.text, all, time[k], k == SPEEDS - 1 ? &conduct : NULL, error);
    if (result != TH_OK) return result;
    th_valid_point(curve, speed[k], th_reading_mean(time[k]));
  }
  note_gains(lab, speed, time);
  page p;
  house_of(&p, speed[2], 60.0);
  th_result result = leave_house(lab, p.text, all, delayed, NULL, error);
  for (uint32_t i = 0; i < delayed->count; i++) delayed->value[i] -= time[2]->value[i];
  return result;
}

/* ---------------------------------------------------------------- long path or stairs */

#define BRIDGE 14.0    /* two flights of 6 m and 2 m between them, seen from above */
#define SLOPE 7.5      /* length of a flight that rises by 4.5 m */
#define FACTOR 0.6     /* of the speed on stairs */
#define WIDTH 2.0      /* of corridors, also of those that leave and join the straight path */
#define CLEARANCE 0.25 /* of paths from walls: the radius class */

/* How deep a loop on the level is, so that a path through it is `length` long between its ends 2 m before and behind
 * the bridge. It runs along the inner corners. */
static double depth_of(double length) {
  const double across = WIDTH - 2.0 * CLEARANCE, arm = 0.5 * (length - BRIDGE - 4.0 * CLEARANCE);
  return across + sqrt(arm * arm - across * across);
}

/* Twenty people who may walk straight on over a bridge, or round by a level corridor of this length. */
static void paths_of(page *p, double length, bool quickest) {
  const double deep = depth_of(length);
  p->used = 0;
  ADD(p,
      HEAD
      "\"duration\": 200, \"ground\": {\"mesh\": {\"building\": {\"levels\": [{\"number\": 1, \"z\": 0, \"outline\":"
      "[{\"rectangle\": [[-9, 0], [0, 2]]}, {\"rectangle\": [[14, 0], [22, 2]]}, {\"rectangle\": [[-2, %g], [0, 0]]},"
      "{\"rectangle\": [[14, %g], [16, 0]]}, {\"rectangle\": [[-2, %g], [16, %g]]}]}, {\"number\": 2, \"z\": 4.5,"
      "\"outline\": [{\"rectangle\": [[6, 0], [8, 2]]}]}],",
      -deep, -deep, -deep, 2.0 - deep);
  ADD(p,
      "\"stairs\": [{\"from\": 1, \"to\": 2, \"rectangle\": [[0, 0], [6, 2]], \"rises\": \"east\", \"speed\": %g},"
      "{\"from\": 1, \"to\": 2, \"rectangle\": [[8, 0], [14, 2]], \"rises\": \"west\", \"speed\": %g}]}}},",
      FACTOR, FACTOR);
  ADD(p,
      "\"goals\": [{\"name\": \"end\", \"line\": [[21, 0.3, 0], [21, 1.7, 0]], \"sink\": true,"
      "\"quickest\": %s}], \"populations\": [{\"name\": \"people\", \"count\": 20, \"region\": {\"rectangle\":"
      "[[-8.7, 0.3], [-3, 1.7]], \"level\": 1}, \"route\": [\"end\"], \"model\": \"@model@\"}], \"measure\":"
      "{\"lines\": [{\"name\": \"bridge\", \"from\": [7, 0], \"to\": [7, 2]}, {\"name\": \"level\", \"from\": [7, %g],"
      "\"to\": [7, %g]}]}}",
      quickest ? "true" : "false", -deep, 2.0 - deep);
}

/* The level path has this share of the time, or of the length, of the one by stairs. */
typedef struct fork {
  const char *text;
  bool quickest;
  double share;
} fork;

th_result th_valid_stairs_or_level(th_valid_lab *lab, th_error *error) {
  static const fork forks[4] = {{"over the stairs, of 20; level path 0.9 of their time", true, 0.9},
                                {"level path 1.1 of their time", true, 1.1},
                                {"shortest path wanted, level path 0.9 of their length", false, 0.9},
                                {"shortest path wanted, level path 1.1 of their length", false, 1.1}};
  th_reading *all = th_valid_reading(lab, "arrive, of 20", "", 20.0, 20.0);
  for (int k = 0; k < 4; k++) {
    const fork *f = &forks[k];
    const double straight = 2.0 * WIDTH + 2.0, stairs = 2.0 * SLOPE / (f->quickest ? FACTOR : 1.0);
    const double over = f->share > 1.0 ? 20.0 : 0.0;
    th_reading *taken = th_valid_reading(lab, f->text, "", over, over);
    page p;
    paths_of(&p, f->share * (straight + stairs), f->quickest);
    for (uint32_t i = 0; i < lab->seed_count; i++) {
      th_trial trial = {.text = p.text, .seed = lab->seed_first + i};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      th_valid_note(taken, th_trial_passed(&trial, "bridge"));
      th_valid_note(all, trial.sum.arrived);
      th_trial_end(&trial);
    }
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- a lift */

typedef struct ride {
  double height, speed, wait; /* [m], [m/s], [s] */
  double pace;                /* wanted speed of the person [m/s] */
  bool stairs;                /* there are some, too */
} ride;

/* One person, from one floor to the other; up, or down. */
static void lift_of(page *p, const ride *r, bool up) {
  static const char floor[] = "\"outline\": [{\"rectangle\": [[0, 0], [12, 6]]}]";
  p->used = 0;
  ADD(p,
      HEAD
      "\"duration\": 300, \"ground\": {\"mesh\": {\"building\": {\"levels\": [{\"number\": 1, \"z\": 0, %s},"
      "{\"number\": 2, \"z\": %g, %s}], \"lifts\": [{\"rectangle\": [[2, 6], [4, 8]], \"door\": \"south\", \"levels\":"
      "[1, 2], \"speed\": %g, \"wait\": %g}]%s}}},",
      floor, r->height, floor, r->speed, r->wait,
      r->stairs ? ", \"stairs\": [{\"from\": 1, \"to\": 2, \"rectangle\": [[6, 2], [10, 3.5]], \"rises\": \"east\"}]"
                : "");
  ADD(p,
      "\"goals\": [{\"name\": \"end\", \"point\": [3, 1, %g], \"sink\": true}],"
      "\"populations\": [{\"name\": \"one\", \"positions\": [[3, 1, %g]], \"speed\": %g, \"route\": [\"end\"],"
      "\"model\": \"@model@\"}], \"measure\": {\"lines\": [{\"name\": \"door\", \"from\": [2, 6], \"to\": [4, 6]}]}}",
      up ? r->height : 0.0, up ? 0.0 : r->height, r->pace);
}

/* Seconds between the two crossings of the door by those that the ride takes; with stairs 1 when it is taken, 0 if not.
 */
static th_result take_lift(th_valid_lab *lab, const ride *r, bool up, th_reading *reading, th_error *error) {
  const double told = 1.34 / r->pace * (r->height / r->speed + r->wait);
  page p;
  lift_of(&p, r, up);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = p.text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    const th_line_log *door = th_trial_line(&trial, "door");
    const double inside = door->count == 2 ? door->crossing[1].time - door->crossing[0].time : NAN;
    const double reads = r->stairs ? door->count == 2 : inside / told;
    th_valid_note(reading, trial.sum.arrived ? reads : NAN);
    th_trial_end(&trial);
  }
  return TH_OK;
}

/* The lift stands near, 8 s there and back, the stairs farther away, some 15 s in all. */
th_result th_valid_lift(th_valid_lab *lab, th_error *error) {
  static const ride rides[5] = {{6.0, 0.5, 10.0, 1.34, false},
                                {3.0, 1.0, 5.0, 1.34, false},
                                {3.0, 1.0, 5.0, 0.67, false},
                                {3.0, 1.0, 1.0, 1.34, true},
                                {3.0, 1.0, 15.0, 1.34, true}};
  static const char *const text[5] = {"6 m at 0.5 m/s after 10 s: time by 22 s", "3 m at 1 m/s after 5 s: time by 8 s",
                                      "3 m at half the pace: time by 16 s", "3 m in 4 s, stairs beside it: takes it",
                                      "3 m in 18 s, stairs beside it: takes it"};
  static const double least[5] = {0.85, 0.85, 0.85, 1.0, 0.0}, most[5] = {1.15, 1.15, 1.15, 1.0, 0.0};
  for (int k = 0; k < 10; k++) {
    char name[80];
    snprintf(name, sizeof name, "%s %s", k % 2 ? "down" : "up", text[k / 2]);
    th_reading *reading = th_valid_reading(lab, name, "", least[k / 2], most[k / 2]);
    th_result result = take_lift(lab, &rides[k / 2], k % 2 == 0, reading, error);
    if (result != TH_OK) return result;
  }
  return TH_OK;
}
