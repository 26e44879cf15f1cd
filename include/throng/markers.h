/* throng/markers.h - points of free space that agents compete for and through which the trees of the guide `tree` grow.
 *
 * A set of markers is a pure function of a version of a ground and of a def. All callers that ask for the same def
 * share one set. A set that is made again has the same bits, for any number of threads. An edit of the ground refills
 * the changed places only, and leads to the same markers as a set that is made from nothing. No marker lies in a wall
 * or on a blocked face. Threads: any.
 */
#ifndef THRONG_MARKERS_H
#define THRONG_MARKERS_H

#include "ground.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TH_MAX_MARKER_SETS 16 /* of one ground */

/** A set that was made for a ground. It lives as long as any version of the ground that has it. */
typedef struct th_markers th_markers;

/** The set of a ground for a def: found, or made by up to `workers` threads [1, 64] (0: one per processor). Versions
 *  that th_ground_edit makes of this ground have the set from the start. Fails when no point is free, when the distance
 *  is larger than the ground, and beyond TH_MAX_MARKER_SETS different defs. */
TH_API th_result th_ground_markers(const th_ground *ground, const th_markers_def *def, uint32_t workers,
                                   const th_markers **markers, th_error *error);

/** The def of the set that models use: member `markers` of the ground's def. */
TH_API th_markers_def th_ground_markers_def(const th_ground *ground);

/** How many there are, and the places of all of them: an array that is valid as long as the ground. NULL: 0 and NULL.
 */
TH_API uint32_t th_markers_count(const th_markers *markers);
TH_API const th_place *th_markers_places(const th_markers *markers);

/** A hash of def and places: equal sets have equal hashes. 0 for NULL. */
TH_API uint64_t th_markers_hash(const th_markers *markers);

#ifdef __cplusplus
}
#endif
#endif
