/* apps/throng/validation/verdict.h - whether the mean of several runs lies in a band, as far as the runs can tell.
 *
 * A number that chance decides is judged by the 95 % interval of its mean over seeds (Student's t), never by its worst
 * seed: a band that every single seed has to meet can be met by luck, and the more seeds are looked at, the less often
 * it is. The band is held when the whole interval lies inside, missed when the whole interval lies outside, and
 * undecided when it crosses a limit: then more seeds are needed. Things that are compared (does time grow with the
 * people against?) are judged by the differences seed by seed, whose interval is narrower than those of both.
 */
#ifndef TH_APPS_VALIDATION_VERDICT_H
#define TH_APPS_VALIDATION_VERDICT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/student.h"

typedef enum th_judgement { TH_BAND_NONE, TH_BAND_HOLDS, TH_BAND_UNDECIDED, TH_BAND_MISSES } th_judgement;

/* Both ends inside; -INFINITY or INFINITY: no limit there. NAN: no band. */
typedef struct th_band {
  double min, max;
} th_band;

#define TH_NO_BAND ((th_band){NAN, NAN})

/* Mean and half width of its 95 % interval, over the values that are numbers; `never` counts the others: runs in which
 * it did not come about. The half width of a single value is infinite. */
typedef struct th_interval {
  double mean, half;
  uint32_t count, never;
} th_interval;

static inline th_interval th_interval_of(const double *value, uint32_t count) {
  th_interval of = {NAN, INFINITY, 0, 0};
  double sum = 0.0, squares = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    if (isfinite(value[i])) sum += value[i], of.count++;
  }
  of.never = count - of.count;
  if (of.count) of.mean = sum / of.count;
  for (uint32_t i = 0; i < count; i++)
    if (isfinite(value[i])) squares += (value[i] - of.mean) * (value[i] - of.mean);
  if (of.count > 1) of.half = th_student(of.count - 1) * sqrt(squares / (of.count - 1) / of.count);
  return of;
}

/* The differences a - b of the same seeds; what never came about in either is no number. */
static inline void th_pair(const double *a, const double *b, uint32_t count, double *apart) {
  for (uint32_t i = 0; i < count; i++) apart[i] = isfinite(a[i]) && isfinite(b[i]) ? a[i] - b[i] : NAN;
}

/* What never came about in some run has no mean, so it misses every band. Limits are met with the slack of rounding. */
static inline th_judgement th_judge_interval(const th_interval *of, th_band band) {
  if (isnan(band.min) || isnan(band.max)) return TH_BAND_NONE;
  if (of->never || !of->count) return TH_BAND_MISSES;
  const double slack = 1e-9 * fmax(1.0, fabs(of->mean)), low = of->mean - of->half, high = of->mean + of->half;
  if (low >= band.min - slack && high <= band.max + slack) return TH_BAND_HOLDS;
  return high < band.min - slack || low > band.max + slack ? TH_BAND_MISSES : TH_BAND_UNDECIDED;
}

/* Of several bands that all have to be held. */
static inline th_judgement th_judge_both(th_judgement a, th_judgement b) { return a > b ? a : b; }

static inline const char *th_judgement_name(th_judgement judgement) {
  static const char *const name[4] = {"none", "holds", "undecided", "misses"};
  return name[judgement];
}

#endif
