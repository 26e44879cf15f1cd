/* ground/markers/shelf.h - the sets of markers of one version of a ground. */
#ifndef TH_GROUND_MARKERS_SHELF_H
#define TH_GROUND_MARKERS_SHELF_H

#include "ground/markers/markers.h"

/* NULL when out of memory. */
th_marker_shelf *th_marker_shelf_make(const th_allocator *allocator);
void th_marker_shelf_free(th_marker_shelf *shelf, const th_allocator *allocator); /* NULL is ignored */

/* Gives the next version the sets of the one before, but for those that do not fit it: a call that asks for one of
 * those fails with the reason. Fails when out of memory. */
th_result th_marker_shelf_follow(const th_ground *before, const th_ground *next, th_error *error);

/* Puts a set on the shelf of a ground that has none for its def; takes the reference over in any case. */
th_result th_marker_shelf_put(const th_ground *ground, th_markers *set, const th_markers **kept, th_error *error);

#endif
