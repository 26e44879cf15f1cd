/* view/nearest.h - the K nearest candidates of each of 16 lanes. */
#ifndef TH_VIEW_NEAREST_H
#define TH_VIEW_NEAREST_H

#include "base/simd/simd.h"
#include "throng/view.h"

#define TH_KEY_BITS 9
#define TH_MAX_KEYED 511u /* candidates that a key can number; 511 itself means none */

#define TH_NEAREST_RUNS 8
#define TH_NO_RUN UINT32_MAX /* `first` of a run that four lanes skip; its `last` is 0 */

typedef struct th_nearest {
  const float *x, *y;     /* 16 lanes */
  const uint32_t *own;    /* candidate number of each lane itself */
  const uint32_t *avoids; /* layers that each lane sees, or NULL: all */
  const float *cx, *cy;   /* candidates */
  const uint32_t *clayers;
  uint32_t runs; /* of candidates to scan, in this order, for each four lanes */
  uint32_t first[TH_NEAREST_RUNS][4], last[TH_NEAREST_RUNS][4];
  bool known[4];  /* groups of four lanes that keep their picks from an earlier search, with the old numbers */
  uint32_t moved; /* runs of old numbers that have changed: */
  uint32_t moved_from[TH_NEAREST_RUNS], moved_by[TH_NEAREST_RUNS]; /* first of each run, what to add */
  float reach;                                                     /* [m] */
  uint32_t k;                                                      /* 1 to TH_MAX_NEAREST */
  uint32_t *pick;                                                  /* out: pick[i * 16 + lane] */
  float *farthest; /* out: squared distance of the k-th pick of each lane (truncated), or reach squared */
} th_nearest;

/* A key orders candidates: the bits of the squared distance with the lowest 9 replaced by the candidate's number, so
 * ties fall to the lower slot. Positive floats compare like their bits. */
TH_LANES_DECLARE(void, th_nearest_find, const th_nearest *search);

/* The same picks for any number of candidates, one lane at a time: for more candidates than keys can number. */
void th_nearest_find_many(const th_nearest *search);

#endif
