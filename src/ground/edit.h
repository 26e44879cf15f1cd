/* ground/edit.h - a list of edits, applied one after the other to the next version of a ground. */
#ifndef TH_GROUND_EDIT_H
#define TH_GROUND_EDIT_H

#include "throng/ground.h"

/* th_ground_edit with a version of its own, and with deformations among other edits: they are done first. */
th_result th_ground_revise(const th_ground *ground, const th_edit *edit, uint32_t count, uint32_t version,
                           th_ground **next, th_error *error);

/* What flat and mesh grounds do differently. `revision` belongs to the ground; a NULL place means that there is none of
 * that name. */
typedef struct th_edit_rules {
  void *(*find)(void *revision, const char *name, bool door); /* a door, or an obstacle */
  void (*set_door)(void *revision, void *door, bool closed);
  void (*remove)(void *revision, void *obstacle);
  th_result (*add)(void *revision, const th_edit *edit, uint32_t index, th_error *error);
  const char *deform; /* why vertices cannot be moved; NULL: they have been */
} th_edit_rules;

/* Stops at the first edit that cannot be done; the error's element is its index. */
th_result th_edit_apply(const th_edit_rules *rules, void *revision, const th_edit *edit, uint32_t count,
                        th_error *error);

#endif
