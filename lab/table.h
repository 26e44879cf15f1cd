/* lab/table.h - published experiments that `throng_lab reproduce` re-runs. */
#ifndef TH_LAB_TABLE_H
#define TH_LAB_TABLE_H

#include "throng/base.h"

/* One number of a run that must lie within a band. */
typedef struct th_claim {
  const char *text, *unit;
  double value, min, max; /* measured; band, both ends inside */
  double thesis;          /* number that the publication prints, NAN = it prints none */
  double earlier;         /* number of our own earlier, independent re-run; NAN = none */
  const char *reason;     /* why it may lie outside, no worse than its pin (judge.h); NULL = it may not */
} th_claim;

enum { TH_LAB_CLAIMS = 12 };

/* The inputs and results of an experiment. */
typedef struct th_lab {
  const char *folder; /* for its figure; NULL = draw none */
  const char *id;     /* of the experiment: its figure is folder/id.png */
  th_claim claim[TH_LAB_CLAIMS];
  uint32_t count;
  char figure[16];      /* name of the figure that was drawn; empty = none */
  bool timed;           /* its numbers depend on the machine */
  uint64_t first, last; /* seeds of experiments that run several: all of these */
  bool film;            /* films of what figures show, too */
} th_lab;

typedef struct th_experiment {
  const char *name; /* of the group that `throng_lab reproduce NAME` runs */
  const char *id, *title;
  const char *thesis;                             /* what the publication reports */
  th_result (*run)(th_lab *lab, th_error *error); /* NULL = missing */
} th_experiment;

/* Stores a claim; claims beyond TH_LAB_CLAIMS are dropped, and the last place then holds a failed claim. */
void th_lab_claim(th_lab *lab, const th_claim *claim);

/* All of them, ended by a name of NULL. */
extern const th_experiment th_experiments[];

#endif
