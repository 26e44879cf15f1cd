/* world/state/people_sets.h - the sets of people's parameters in use: each distinct one is held once, known by a
 * number. */
#ifndef TH_WORLD_PEOPLE_SETS_H
#define TH_WORLD_PEOPLE_SETS_H

#include "base/bytes.h"
#include "throng/people.h"
#include "world/state/rows.h"

#define TH_MAX_PEOPLE_SETS 255u

typedef struct th_people_sets {
  th_people_params set[TH_MAX_PEOPLE_SETS];
  const th_people_params *of[TH_MAX_PEOPLE_SETS + 1]; /* by number; NULL for 0, a bare body, and for those not in use */
  uint32_t users[TH_MAX_PEOPLE_SETS + 1];             /* agents, by number */
  bool held[TH_MAX_PEOPLE_SETS + 1];                  /* somebody is about to use it */
  uint32_t used;                                      /* numbers that were ever given */
  bool any;                                           /* there was a person */
  bool narrow;                                        /* whose shoulders turn */
} th_people_sets;

/* The number of the set that equals `people`, 0 for NULL; it is kept until th_people_sets_settle. An error when there
 * are too many. */
th_result th_people_sets_find(th_people_sets *sets, const th_people_params *people, uint8_t *number, th_error *error);
void th_people_sets_settle(th_people_sets *sets);
/* One user more or less of a number; 0 is fine. */
void th_people_sets_join(th_people_sets *sets, uint8_t number);
void th_people_sets_leave(th_people_sets *sets, uint8_t number);

/* Snapshots: the sets by their numbers, and what rows have of people. Read marks the reader broken when they do not
 * fit.
 */
void th_people_sets_write(const th_people_sets *sets, const th_rows *rows, th_byte_writer *writer);
void th_people_sets_read(th_people_sets *sets, th_rows *rows, th_byte_reader *reader);
/* A copied table points to its own sets. */
void th_people_sets_point(th_people_sets *sets);

#endif
