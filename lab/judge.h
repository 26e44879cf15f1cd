/* lab/judge.h - whether a claim of a published experiment holds.
 *
 * A claim holds within its band. Outside it fails, unless the value is pinned. A pin is the value that we measured when
 * we found that the claim does not hold, and a tolerance. A pinned claim fails as soon as it is worse than that, so
 * every claim can fail; a value that is not a number always fails. Times are pinned as multiples of a yardstick, a
 * fixed piece of work that is timed in the same run, so that a slow machine is no difference and a slow program is one.
 */
#ifndef TH_LAB_JUDGE_H
#define TH_LAB_JUDGE_H

#include <math.h>

#include "lab/table.h"

typedef enum th_verdict { TH_HOLDS, TH_DIFFERS, TH_OPEN, TH_FAILS, TH_BROKEN } th_verdict;

/* A known difference. */
typedef struct th_pin {
  const char *experiment; /* "bvp.E15" */
  const char *claim;      /* its text */
  double value, slack;    /* measured when it was pinned; how much worse it may be, 0 = it is this value */
  bool yardsticks;        /* both are multiples of th_yardstick() */
} th_pin;

/* All of them, ended by an experiment of NULL. */
extern const th_pin th_pins[];

/* The processor time of a fixed piece of work on the current machine, in the unit of claims of time [ms]. */
double th_yardstick(void);

/* How far a value lies outside the band; 0 within. */
static inline double th_outside(const th_claim *claim, double value) {
  return value < claim->min ? claim->min - value : value > claim->max ? value - claim->max : 0.0;
}

/* `pin` may be NULL; `unit` is what its numbers are multiples of, 1 or a yardstick. */
static inline th_verdict th_judge(const th_claim *claim, const th_pin *pin, double unit) {
  if (isnan(claim->value)) return TH_FAILS;
  if (pin && pin->slack == 0.0) return claim->reason && claim->value == pin->value * unit ? TH_DIFFERS : TH_FAILS;
  if (claim->value >= claim->min && claim->value <= claim->max) return TH_HOLDS;
  if (!pin || !claim->reason) return TH_FAILS;
  return th_outside(claim, claim->value) <= th_outside(claim, pin->value * unit) + pin->slack * unit ? TH_DIFFERS
                                                                                                     : TH_FAILS;
}

#endif
