/* apps/throng/validation/people.c - how one or two people conduct themselves, and how people wait.
 *
 * Two who meet head on, one who overtakes another, one round a corner, and 25 who wait at a point. The bands are ours:
 * people see each other early, give each other room and stand still when they have nowhere to go; publications that we
 * could read give no numbers. Where nothing is drawn in a scene, the place at the start is, so that seeds differ.
 * Rasters have cells of 0.1 m and paths for bodies of 0.2 m, so that paths lie as close to walls as bodies can.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "validation/lab.h"

#define DT 0.1
#define HEAD "{\"version\": 1, \"name\": \"people\", \"dt\": 0.1, "
#define RASTER "\"cell\": 0.1, \"radius_classes\": [0.2]"
#define SIDEWAYS 0.05 /* a person that is so far off its line has begun to give way [m] */

/* -1 to 1, by the seed. */
static double drawn(uint64_t seed) { return 2.0 * (double)th_random_unit(seed, 77, 0, 0) - 1.0; }

/* ---------------------------------------------------------------- two people */

/* What is seen of two people who walk along x. */
typedef struct pair {
  double start[2];    /* y of both at the start */
  double begins;      /* distance of the centres when the first one is off its line; NAN: not yet */
  double clearance;   /* least distance of the bodies */
  double sideways[2]; /* speeds of the step before */
  double turn;        /* largest sideways acceleration [m/s2] */
  bool first_decides; /* only the first one has to give way */
  bool seen;
} pair;

static void watch_pair(void *user, th_run *run) {
  pair *p = user;
  const th_agents a = th_world_agents(th_run_world(run));
  double y[2] = {0.0, 0.0}, x[2] = {0.0, 0.0}, v[2] = {0.0, 0.0}, radii = 0.0;
  if (a.count < 2) return;
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t k = th_run_population(run, a.id[i]) == 1;
    x[k] = (double)a.x[i], y[k] = (double)a.y[i], v[k] = (double)a.vy[i], radii += (double)a.radius[i];
    if (a.state[i] != TH_AGENT_WALKING && p->seen) return; /* it has arrived and stops */
  }
  const double apart = hypot(x[0] - x[1], y[0] - y[1]);
  for (int k = 0; k < 2; k++) {
    if (!p->seen) p->start[k] = y[k];
    const bool decides = k == 0 || !p->first_decides;
    if (isnan(p->begins) && decides && fabs(y[k] - p->start[k]) >= SIDEWAYS) p->begins = apart;
    if (p->seen) p->turn = fmax(p->turn, fabs(v[k] - p->sideways[k]) / DT);
    p->sideways[k] = v[k];
  }
  p->clearance = fmin(p->clearance, apart - radii);
  p->seen = true;
}

/* Two people in the open, from a place each to the line at the other end. */
typedef struct meeting {
  double x[2], y[2];
  const char *speed[2], *to[2];
} meeting;

static th_result meet(th_valid_lab *lab, const meeting *m, uint64_t seed, pair *p, th_error *error) {
  char text[2000];
  int used = snprintf(text, sizeof text,
                      HEAD "\"duration\": 60, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [32, 10]]}], " RASTER
                           "}, \"goals\": [{\"name\": \"east\", \"line\": [[31, 0.3], [31, 9.7]]},"
                           "{\"name\": \"west\", \"line\": [[1, 0.3], [1, 9.7]]}],"
                           "\"populations\": [");
  for (int k = 0; k < 2; k++)
    used +=
        snprintf(text + used, sizeof text - (size_t)used,
                 "%s{\"name\": \"%s\", \"positions\": [[%.4f, %.4f]], \"route\": [\"%s\"], \"speed\": %s, \"model\":"
                 "\"@model@\"}",
                 k ? ", " : "", k ? "b" : "a", m->x[k], m->y[k], m->to[k], m->speed[k]);
  snprintf(text + used, sizeof text - (size_t)used, "]}");
  th_trial trial = {.text = text, .seed = seed, .watch = watch_pair, .user = p};
  p->begins = NAN, p->clearance = INFINITY;
  th_result result = th_trial_run(lab, &trial, error);
  if (result == TH_OK) th_trial_end(&trial);
  return result;
}

/* Head on, each 0.1 m to the left of the other's line and to the right of it. Those who never give way are read as 0 m.
 */
th_result th_valid_head_on(th_valid_lab *lab, th_error *error) {
  static const char *const side[2] = {"left", "right"};
  static const char speed[] = "{\"mean\": 1.34, \"spread\": 0.26}";
  for (int k = 0; k < 2; k++) {
    char name[3][80];
    snprintf(name[0], 80, "other 0.1 m to the %s: gives way (0.05 m) at a distance of", side[k]);
    snprintf(name[1], 80, "other 0.1 m to the %s: room between the bodies", side[k]);
    snprintf(name[2], 80, "other 0.1 m to the %s: largest sideways acceleration", side[k]);
    th_reading *begins = th_valid_reading(lab, name[0], "m", 2.0, INFINITY);
    th_reading *room = th_valid_reading(lab, name[1], "m", 0.1, INFINITY);
    th_reading *turn = th_valid_reading(lab, name[2], "m/s2", -INFINITY, 2.0);
    const double off = k ? -0.1 : 0.1; /* who walks along x has larger y to the left */
    for (uint32_t i = 0; i < lab->seed_count; i++) {
      const meeting m = {{6.0, 26.0}, {5.0, 5.0 + off}, {speed, speed}, {"east", "west"}};
      pair p = {.first_decides = false};
      th_result result = meet(lab, &m, lab->seed_first + i, &p, error);
      if (result != TH_OK) return result;
      th_valid_note(begins, isnan(p.begins) ? 0.0 : p.begins);
      th_valid_note(room, p.clearance);
      th_valid_note(turn, p.turn);
    }
  }
  return TH_OK;
}

th_result th_valid_overtaking(th_valid_lab *lab, th_error *error) {
  th_reading *begins = th_valid_reading(lab, "1.6 past 0.6 m/s: turns aside (0.05 m) behind it by", "m", 1.5, INFINITY);
  th_reading *room = th_valid_reading(lab, "room between the bodies", "m", NAN, NAN);
  th_reading *turn = th_valid_reading(lab, "largest sideways acceleration", "m/s2", NAN, NAN);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    const uint64_t seed = lab->seed_first + i;
    const meeting m = {{2.0, 10.0}, {5.0, 5.0 + 0.05 * drawn(seed)}, {"1.6", "0.6"}, {"east", "east"}};
    pair p = {.first_decides = true};
    th_result result = meet(lab, &m, seed, &p, error);
    if (result != TH_OK) return result;
    th_valid_note(begins, isnan(p.begins) ? 0.0 : p.begins);
    th_valid_note(room, p.clearance);
    th_valid_note(turn, p.turn);
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- a corner */

static void watch_corner(void *user, th_run *run) {
  double *least = user;
  const th_agents a = th_world_agents(th_run_world(run));
  for (uint32_t i = 0; i < a.count; i++) *least = fmin(*least, hypot((double)a.x[i] - 10.0, (double)a.y[i] - 2.0));
}

/* One person round the corner of RiMEA 6. */
th_result th_valid_corner_alone(th_valid_lab *lab, th_error *error) {
  th_reading *passes = th_valid_reading(lab, "centre of the body from the corner, at least", "m", 0.4, 0.6);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    char text[1200];
    double least = INFINITY;
    snprintf(text, sizeof text,
             HEAD
             "\"duration\": 60, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 2]]}, {\"rectangle\": [[10,"
             "0], [12, 12]]}], " RASTER
             "}, \"goals\": [{\"name\": \"end\", \"line\": [[10.3, 11.6], [11.7, 11.6]], \"sink\": true"
             "}], \"populations\": [{\"name\": \"one\", \"positions\": [[1, %.3f]], \"route\": [\"end\"],"
             "\"model\": \"@model@\"}]}",
             1.0 + 0.7 * drawn(lab->seed_first + i));
    th_trial trial = {.text = text, .seed = lab->seed_first + i, .watch = watch_corner, .user = &least};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(passes, trial.sum.arrived ? least : NAN);
    th_trial_end(&trial);
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- waiting */

enum { CROWD = 25 };

/* Places of the step before, of agents 1 to CROWD; how far and how long they moved while they waited. */
typedef struct stay {
  double x[CROWD + 1], y[CROWD + 1], path[CROWD + 1], search;
  double walked, seconds;
  bool there[CROWD + 1], waits[CROWD + 1];
} stay;

static void watch_stay(void *user, th_run *run) {
  stay *s = user;
  const th_agents a = th_world_agents(th_run_world(run));
  for (uint32_t i = 0; i < a.count; i++) {
    const uint32_t n = a.id[i].index;
    const bool waits = a.state[i] == TH_AGENT_WAITING;
    if (n > CROWD) continue;
    const double step = s->there[n] ? hypot((double)a.x[i] - s->x[n], (double)a.y[i] - s->y[n]) : 0.0;
    if (waits && s->waits[n]) s->walked += step, s->seconds += DT;
    if (!waits && !s->waits[n] && s->path[n] >= 0.0) s->path[n] += step;
    if (waits && s->path[n] >= 0.0) s->search = fmax(s->search, s->path[n]), s->path[n] = -1.0; /* found its place */
    s->x[n] = (double)a.x[i], s->y[n] = (double)a.y[i];
    s->waits[n] = waits, s->there[n] = true;
  }
}

th_result th_valid_waiting(th_valid_lab *lab, th_error *error) {
  static const char text[] = HEAD
      "\"duration\": 200, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 20]]}], " RASTER
      "}, \"goals\": [{\"name\": \"stop\", \"point\": [10, 10]}, {\"name\": \"end\", \"line\":"
      "[[19.5, 1], [19.5, 19]], \"sink\": true}], \"populations\": [{\"name\": \"people\","
      "\"count\": 25, \"region\": {\"rectangle\": [[1, 1], [7, 19]]}, \"route\": [{\"goal\": \"stop\", \"wait\": 40},"
      "\"end\"], \"model\": \"@model@\"}]}";
  th_reading *walk = th_valid_reading(lab, "walked per minute of waiting, mean", "m", -INFINITY, 0.5);
  th_reading *search = th_valid_reading(lab, "longest path until one waits", "m", NAN, NAN);
  th_reading *all = th_valid_reading(lab, "arrive, of 25", "", CROWD, CROWD);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    stay s = {.search = 0.0};
    th_trial trial = {.text = text, .seed = lab->seed_first + i, .watch = watch_stay, .user = &s};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(walk, s.seconds > 0.0 ? 60.0 * s.walked / s.seconds : NAN);
    th_valid_note(search, s.search);
    th_valid_note(all, trial.sum.arrived);
    th_trial_end(&trial);
  }
  return TH_OK;
}
