/* apps/throng/validation/diagram.c - fundamental diagrams: speed over density in a corridor whose ends join.
 *
 * 40 m x 4 m for streams of one and of two directions, 26 m x 0.8 m for single file. People start on a shaken lattice,
 * walk for a while until the start is forgotten, and then their speed along the corridor is averaged over people and
 * time. The density is that of the start. Weidmann (1993): v = 1.34 (1 - exp(-1.913 (1 / rho - 1 / 5.4))); Seyfried et
 * al. (2005) for single file: headway d = 0.36 + 1.06 v.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "io/text.h"
#include "validation/lab.h"

#define TWO_PI 6.283185307179586
#define BEFORE 20.0 /* seconds that do not count */
#define FOR 15.0
#define STANDING 0.1 /* below this speed people stand [m/s] */

typedef struct ring {
  double length, width, density; /* [m], [m], [1/m2] */
  double spread;                 /* of free speeds [m/s] */
  bool two_way;
} ring;

/* Speeds in the direction that each wants to go: +1 for the first population, -1 for the second. */
typedef struct ring_sum {
  double speed, squares, standing, count;
} ring_sum;

static void watch_ring(void *user, th_run *run) {
  ring_sum *sum = user;
  th_world *world = th_run_world(run);
  if (th_world_time(world) < BEFORE) return;
  const th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < a.count; i++) {
    const th_vec3 p = th_world_agent_point(world, a.id[i]), v = th_world_agent_velocity(world, a.id[i]);
    const double round = ((double)p.x * (double)v.y - (double)p.y * (double)v.x) / hypot((double)p.x, (double)p.y);
    const double along = th_run_population(run, a.id[i]) == 1 ? -round : round;
    sum->speed += along;
    sum->squares += along * along;
    sum->standing += fabs(along) < STANDING;
    sum->count += 1.0;
  }
}

TH_PRINTF(2, 3) static void put(th_text *out, const char *format, ...) {
  char piece[1024];
  va_list rest;
  va_start(rest, format);
  const int length = vsnprintf(piece, sizeof piece, format, rest);
  va_end(rest);
  if (length < 0 || length >= (int)sizeof piece) out->failed = true;
  th_text_append(out, piece);
}

/* Places of every other person (or of all) on a shaken lattice, as JSON points in space. */
static void put_places(th_text *out, const ring *r, uint64_t seed, uint32_t first, uint32_t step) {
  const double n = floor(r->density * r->length * r->width + 0.5), radius = r->length / TWO_PI;
  const uint32_t rows = (uint32_t)fmax(1.0, floor(r->width * sqrt(r->density) + 0.5)), all = (uint32_t)n;
  const uint32_t columns = (all + rows - 1) / rows;
  const double dx = r->length / columns, dy = r->width / rows;
  const double loose = fmin(fmax(0.5 * (fmin(dx, dy) - 0.42), 0.0), 0.3), edge = fmin(0.21, 0.5 * r->width);
  for (uint32_t i = first, written = 0; i < all; i += step) {
    const double sx = 2.0 * (double)th_random_unit(seed, 1, i, 0) - 1.0,
                 sy = 2.0 * (double)th_random_unit(seed, 2, i, 0) - 1.0;
    const double at = (i / rows + 0.5) * dx + loose * sx, angle = TWO_PI * at / r->length;
    const double z = fmin(fmax((i % rows + 0.5) * dy + loose * sy, edge), r->width - edge);
    put(out, "%s[%.4f, %.4f, %.4f]", written++ ? ", " : "", radius * cos(angle), radius * sin(angle), z);
  }
}

static char *scene_of(const ring *r, uint64_t seed) {
  th_text out = {.allocator = th_env_complete(NULL).allocator};
  put(&out,
      "{\"version\": 1, \"name\": \"ring\", \"duration\": %g, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0],"
      "[%g, %g]]}], \"periodic\": true}, \"guides\": [{\"name\": \"left\", \"direction\": {\"vector\": [0, 0, 1],"
      "\"around\": true}}, {\"name\": \"right\", \"direction\": {\"vector\": [0, 0, -1], \"around\": true}}],"
      "\"populations\": [",
      BEFORE + FOR, r->length, r->width);
  for (uint32_t k = 0; k < (r->two_way ? 2u : 1u); k++) {
    put(&out,
        "%s{\"name\": \"%s\", \"guide\": \"%s\", \"model\": \"@model@\", \"speed\": {\"mean\": 1.34,"
        "\"spread\": %g}, \"positions\": [",
        k ? ", " : "", k ? "b" : "a", k ? "right" : "left", r->spread);
    put_places(&out, r, seed, k, r->two_way ? 2 : 1);
    put(&out, "]}");
  }
  put(&out, "]}");
  return th_text_finish(&out);
}

static th_result walk_ring(th_valid_lab *lab, const ring *r, uint64_t seed, ring_sum *watched, th_summary *sum,
                           th_error *error) {
  *watched = (ring_sum){0};
  char *text = scene_of(r, seed);
  if (!text) return th_fail_memory(error, "scene");
  th_trial trial = {.text = text, .seed = seed, .watch = watch_ring, .user = watched};
  th_result result = th_trial_run(lab, &trial, error);
  th_text_free(text);
  if (result != TH_OK) return result;
  *sum = trial.sum;
  th_trial_end(&trial);
  return TH_OK;
}

static double weidmann(double density) { return 1.34 * (1.0 - exp(-1.913 * (1.0 / density - 1.0 / 5.4))); }
static double single_file(double per_metre) { return fmin(1.34, fmax(0.0, (1.0 / per_metre - 0.36) / 1.06)); }

enum { MOST = 12 };

/* Speeds at all densities: of the seed that runs, and of all. */
typedef struct diagram {
  ring ring;
  const double *density;
  uint32_t count;
  double speed[MOST];
  th_reading all[MOST];
} diagram;

static th_result measure(th_valid_lab *lab, diagram *d, uint64_t seed, const th_conduct *conduct, th_error *error) {
  for (uint32_t k = 0; k < d->count; k++) {
    th_summary sum = {0};
    ring_sum watched;
    d->ring.density = d->density[k];
    th_result result = walk_ring(lab, &d->ring, seed, &watched, &sum, error);
    if (result != TH_OK) return result;
    d->speed[k] = watched.count > 0.0 ? watched.speed / watched.count : NAN;
    th_valid_note(&d->all[k], d->speed[k]);
    if (k + 1 == d->count && conduct) th_conduct_note(conduct, &sum);
  }
  return TH_OK;
}

static void draw(th_valid_lab *lab, const diagram *d, const char *figure, double per) {
  th_valid_curve *curve = th_valid_curve_of(lab, figure, lab->model);
  for (uint32_t k = 0; k < d->count; k++) th_valid_point(curve, d->density[k] * per, th_reading_mean(&d->all[k]));
}

/* Speed falls from density to density, seed by seed. */
static void note_falls(th_valid_lab *lab, const diagram *d, double per, const char *unit) {
  for (uint32_t k = 1; k < d->count; k++) {
    char name[80];
    snprintf(name, sizeof name, "speed falls from %g to %g %s by", d->density[k - 1] * per, d->density[k] * per, unit);
    th_reading *fall = th_valid_reading(lab, name, "m/s", -0.02, INFINITY);
    th_valid_note_pairs(th_valid_published(fall, 0.0, INFINITY, "implementers of RiMEA"), &d->all[k - 1], &d->all[k]);
  }
}

/* The largest flow of a seed [1/m/s], and at which density. */
static double capacity_of(const diagram *d, double *where) {
  double most = 0.0;
  for (uint32_t k = 0; k < d->count; k++)
    if (d->speed[k] * d->density[k] > most) most = d->speed[k] * d->density[k], *where = d->density[k];
  return most;
}

th_result th_valid_one_way(th_valid_lab *lab, th_error *error) {
  static const double densities[] = {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0};
  diagram d = {.ring = {40.0, 4.0, 0.0, 0.26, false}, .density = densities, .count = 8};
  th_reading *off = th_valid_reading(lab, "mean absolute error against Weidmann, 0.5 to 4 /m2", "m/s", -INFINITY, 0.15);
  th_reading *capacity = th_valid_reading(lab, "capacity", "/m/s", 1.2, 2.0);
  th_reading *at = th_valid_reading(lab, "at a density of", "/m2", 1.2, 3.0);
  th_valid_published_number(capacity, 1.225, "Weidmann 1.225");
  th_valid_published(at, 1.5, 2.0, "Weidmann 1.75, within a step of ours");
  const th_conduct conduct = th_conduct_of(lab);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_result result = measure(lab, &d, lab->seed_first + i, &conduct, error);
    if (result != TH_OK) return result;
    double sum = 0.0, where = NAN;
    for (uint32_t k = 0; k < d.count; k++) sum += fabs(d.speed[k] - weidmann(densities[k])) / d.count;
    th_valid_note(off, sum);
    th_valid_note(capacity, capacity_of(&d, &where));
    th_valid_note(at, where);
  }
  note_falls(lab, &d, 1.0, "/m2");
  draw(lab, &d, "diagram", 1.0);
  return TH_OK;
}

/* The published finding is a comparison, so the same densities are also walked one way. */
th_result th_valid_two_way(th_valid_lab *lab, th_error *error) {
  static const double densities[] = {0.5, 1.0, 1.5, 2.0, 2.5, 3.0};
  diagram two = {.ring = {40.0, 4.0, 0.0, 0.26, true}, .density = densities, .count = 6}, one = two;
  one.ring.two_way = false;
  th_reading *slow = th_valid_reading(lab, "least speed by Weidmann's, 0.5 to 3 /m2", "", 0.5, 1.3);
  th_reading *flow = th_valid_reading(lab, "largest flow of both directions", "/m/s", 0.9, 2.0);
  th_reading *alone = th_valid_reading(lab, "largest flow of one direction alone", "/m/s", NAN, NAN);
  th_reading *more = th_valid_reading(lab, "two ways above one way by", "/m/s", NAN, NAN);
  th_valid_published_number(flow, 1.5, "Zhang, about 1.5");
  th_valid_published_number(alone, 2.0, "Zhang, about 2.0");
  th_valid_published(more, -INFINITY, 0.0, "Zhang: two ways carry less");
  const th_conduct conduct = th_conduct_of(lab);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_result result = measure(lab, &two, lab->seed_first + i, &conduct, error);
    if (result == TH_OK) result = measure(lab, &one, lab->seed_first + i, NULL, error);
    if (result != TH_OK) return result;
    double least = INFINITY, where = NAN;
    for (uint32_t k = 0; k < two.count; k++) least = fmin(least, two.speed[k] / weidmann(densities[k]));
    th_valid_note(slow, least);
    th_valid_note(flow, capacity_of(&two, &where));
    th_valid_note(alone, capacity_of(&one, &where));
  }
  th_valid_note_pairs(more, flow, alone);
  draw(lab, &two, "two-way", 1.0);
  return TH_OK;
}

/* Densities per metre of the line; the corridor is 0.8 m wide, too narrow to pass, so free speeds are equal, as RiMEA
 * asks: with a spread all would walk at the speed of the slowest, 0.7 to 1.0 m/s by the seed. The headways of Seyfried
 * et al. are means; the guideline's 10 and 90 % lines lie round them, some 0.1 m/s to either side as far as can be said
 * without its data. */
th_result th_valid_single_file(th_valid_lab *lab, th_error *error) {
  static const double densities[] = {0.625, 1.25, 1.5625, 1.875, 2.1875, 2.5}; /* 0.5 to 2 per metre */
  diagram d = {.ring = {26.0, 0.8, 0.0, 0.0, false}, .density = densities, .count = 6};
  th_reading *off =
      th_valid_reading(lab, "mean absolute error against d = 0.36 + 1.06 v, 0.5 to 2 /m", "m/s", -INFINITY, 0.2);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_result result = measure(lab, &d, lab->seed_first + i, NULL, error);
    if (result != TH_OK) return result;
    double sum = 0.0;
    for (uint32_t k = 0; k < d.count; k++) sum += fabs(d.speed[k] - single_file(0.8 * densities[k])) / d.count;
    th_valid_note(off, sum);
  }
  for (uint32_t k = 0; k < d.count; k++) {
    char name[60];
    const double at = 0.8 * densities[k], published = single_file(at);
    snprintf(name, sizeof name, "speed at %g per m", at);
    th_reading *speed = th_valid_reading(lab, name, "m/s", NAN, NAN);
    th_valid_published(speed, fmax(0.0, published - 0.1), published + 0.1, "Seyfried 2005, 0.1 m/s to either side");
    for (uint32_t i = 0; i < d.all[k].count; i++) th_valid_note(speed, d.all[k].value[i]);
  }
  note_falls(lab, &d, 0.8, "per m");
  draw(lab, &d, "single-file", 0.8);
  return TH_OK;
}

/* Speed at 1.6 people per m, and whether they stop and go at 1.9: laboratories saw people who stand beside people who
 * walk there (Seyfried et al. 2010). */
th_result th_valid_stop_and_go(th_valid_lab *lab, th_error *error) {
  static const double per_metre[2] = {1.6, 1.9};
  th_reading *speed = th_valid_reading(lab, "speed at 1.6 per m", "m/s", 0.24 - 0.15, 0.24 + 0.15);
  th_reading *dense = th_valid_reading(lab, "speed at 1.9 per m", "m/s", NAN, NAN);
  th_reading *standing = th_valid_reading(lab, "time spent below 0.1 m/s at 1.9 per m", "%", NAN, NAN);
  th_reading *spread = th_valid_reading(lab, "standard deviation of speeds at 1.9 per m", "m/s", NAN, NAN);
  for (uint32_t i = 0; i < lab->seed_count; i++)
    for (int k = 0; k < 2; k++) {
      const ring file = {26.0, 0.8, per_metre[k] / 0.8, 0.0, false};
      th_summary sum;
      ring_sum w;
      th_result result = walk_ring(lab, &file, lab->seed_first + i, &w, &sum, error);
      if (result != TH_OK) return result;
      const double mean = w.speed / w.count;
      th_valid_note(k ? dense : speed, mean);
      if (k) th_valid_note(standing, 100.0 * w.standing / w.count);
      if (k) th_valid_note(spread, sqrt(fmax(0.0, w.squares / w.count - mean * mean)));
    }
  return TH_OK;
}
