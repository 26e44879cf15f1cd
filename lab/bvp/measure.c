/* lab/bvp/measure.c - measures of paths: position, turning, distance to each other. */
#include "lab/bvp/lab.h"

#define PI 3.14159265358979

double th_bvp_y_at(const th_bvp_run *run, uint32_t walker, double x) {
  const th_tracks *t = &run->tracks;
  const th_track *track = &t->track[walker];
  for (uint32_t k = 1; k < track->count; k++) {
    uint32_t i = track->first + k;
    double a = (double)t->x[i - 1] - x, b = (double)t->x[i] - x;
    if ((a < 0.0) == (b < 0.0) || a == b) continue;
    return (double)t->y[i - 1] + a / (a - b) * ((double)t->y[i] - (double)t->y[i - 1]);
  }
  return NAN;
}

double th_bvp_turning(const th_bvp_run *run, uint32_t walker) {
  const th_tracks *t = &run->tracks;
  const th_track *track = &t->track[walker];
  double sum = 0.0;
  for (uint32_t k = 1; k < track->count; k++) {
    double turn = (double)t->heading[track->first + k] - (double)t->heading[track->first + k - 1];
    if (turn > PI) turn -= 2.0 * PI;
    if (turn < -PI) turn += 2.0 * PI;
    sum += fabs(turn);
  }
  return sum;
}

static double distance(const th_tracks *t, uint32_t i, uint32_t j) {
  return hypot((double)t->x[i] - (double)t->x[j], (double)t->y[i] - (double)t->y[j]);
}

double th_bvp_length(const th_bvp_run *run, uint32_t walker) {
  const th_track *track = &run->tracks.track[walker];
  double sum = 0.0;
  for (uint32_t k = 1; k < track->count; k++) sum += distance(&run->tracks, track->first + k - 1, track->first + k);
  return sum;
}

uint32_t th_bvp_stops(const th_bvp_run *run, uint32_t walker) {
  const th_track *track = &run->tracks.track[walker];
  uint32_t stops = 0;
  for (uint32_t k = 1; k < track->count; k++)
    stops += distance(&run->tracks, track->first + k - 1, track->first + k) < 1e-6;
  return stops;
}

double th_bvp_min(const th_bvp_run *run, uint32_t a, uint32_t b) {
  const th_track *one = &run->tracks.track[a], *other = &run->tracks.track[b];
  uint32_t count = one->count < other->count ? one->count : other->count;
  double min = INFINITY;
  for (uint32_t k = 0; k < count; k++) min = fmin(min, distance(&run->tracks, one->first + k, other->first + k));
  return min;
}

static bool stands(const th_bvp_run *run, uint32_t walker) {
  return run->tracks.state[run->tracks.track[walker].first] == TH_AGENT_EXTERNAL;
}

double th_bvp_min_gap(const th_bvp_run *run) {
  double min = INFINITY;
  for (uint32_t a = 0; a < run->walkers; a++)
    for (uint32_t b = a + 1; b < run->walkers; b++) {
      if (stands(run, a) && stands(run, b)) continue;
      double radii = (double)run->tracks.track[a].radius + (double)run->tracks.track[b].radius;
      min = fmin(min, th_bvp_min(run, a, b) - radii);
    }
  return min;
}

uint32_t th_bvp_overlaps(const th_bvp_run *run) {
  const th_tracks *t = &run->tracks;
  uint32_t overlaps = 0;
  for (uint32_t a = 0; a < run->walkers; a++)
    for (uint32_t b = a + 1; b < run->walkers; b++) {
      if (stands(run, a) && stands(run, b)) continue;
      double radii = (double)t->track[a].radius + (double)t->track[b].radius;
      for (uint32_t k = 0; k < t->track[a].count && k < t->track[b].count; k++)
        overlaps += distance(t, t->track[a].first + k, t->track[b].first + k) < radii;
    }
  return overlaps;
}

uint32_t th_bvp_arrived(const th_bvp_run *run) {
  uint32_t arrived = 0;
  for (uint32_t k = 0; k < run->walkers; k++) arrived += run->arrived[k] != 0;
  return arrived;
}

double th_bvp_apart(const th_bvp_run *one, uint32_t a, const th_bvp_run *other, uint32_t b, double *max) {
  const th_track *s = &one->tracks.track[a], *t = &other->tracks.track[b];
  uint32_t count = s->count < t->count ? s->count : t->count;
  double sum = 0.0, largest = 0.0;
  for (uint32_t k = 0; k < count; k++) {
    double apart = hypot((double)one->tracks.x[s->first + k] - (double)other->tracks.x[t->first + k],
                         (double)one->tracks.y[s->first + k] - (double)other->tracks.y[t->first + k]);
    sum += apart;
    largest = fmax(largest, apart);
  }
  if (max) *max = largest;
  return count ? sum / count : 0.0;
}
