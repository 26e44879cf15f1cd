/* io/recording/tracks.h - building th_tracks, for the readers of recordings and CSV. */
#ifndef TH_IO_RECORDING_TRACKS_H
#define TH_IO_RECORDING_TRACKS_H

#include "throng/recording.h"

/* What is refused otherwise: readers go through all frames, those without agents too. */
#define TH_FRAMES_MOST 10000000u /* eleven days of ten frames a second */
#define TH_FPS_LEAST 1e-6

/* Allocates all samples at once. */
bool th_tracks_reserve(th_tracks *tracks, uint32_t samples);

/* Allocates the columns of mesh ground. */
bool th_tracks_lift(th_tracks *tracks);

/* Checks the values of a sample of mesh ground and stores them. value: weight_1, weight_2, z, vz, head. */
bool th_tracks_lift_sample(th_tracks *tracks, uint32_t sample, uint32_t face, const double value[7]);

/* Track of an id; `tracks->track` must be sorted by id. NULL: none. */
th_track *th_tracks_of(const th_tracks *tracks, int64_t id);

/* Velocities (central differences) and headings (along them) from places, where a file has none. */
void th_tracks_derive(th_tracks *tracks);

/* Adds ground that holds from `frame` on, or a mark, from its WKT. */
th_result th_tracks_add_plan(th_tracks *tracks, const char *wkt, uint32_t frame, th_error *error);
th_result th_tracks_add_mark(th_tracks *tracks, const char *kind, const char *name, const char *wkt, th_error *error);
bool th_tracks_add_happening(th_tracks *tracks, const char *kind, int64_t id, double time, uint32_t goal);

/* A new track at the end; NULL when out of memory. */
th_track *th_tracks_add_track(th_tracks *tracks, int64_t id, uint32_t first);

/* Index of a population, model or goal of this name, which is added when it is new; false when out of memory. */
bool th_tracks_population(th_tracks *tracks, const char *name, uint32_t *index);
bool th_tracks_model(th_tracks *tracks, const char *name, uint32_t *index);
bool th_tracks_goal_named(th_tracks *tracks, const char *name, uint32_t *index);

/* Adds a goal; its index by its number in the file, UINT32_MAX: none. */
bool th_tracks_add_goal(th_tracks *tracks, int64_t id, const char *name);
uint32_t th_tracks_goal(const th_tracks *tracks, int64_t id);
bool th_tracks_add_group(th_tracks *tracks, int64_t id, const char *name);
bool th_tracks_add_terrain(th_tracks *tracks, int64_t id, const char *name);

#endif
