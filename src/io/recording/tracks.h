/* io/recording/tracks.h - building th_tracks, for the readers of recordings and CSV. */
#ifndef TH_IO_RECORDING_TRACKS_H
#define TH_IO_RECORDING_TRACKS_H

#include "throng/recording.h"

struct sqlite3;

/* Allocates all samples at once. */
bool th_tracks_reserve(th_tracks *tracks, uint32_t samples);

/* Allocates the columns of mesh ground. */
bool th_tracks_lift(th_tracks *tracks);

/* Checks the values of a sample of mesh ground and stores them. value: weight_1, weight_2, z, vz, head. */
bool th_tracks_lift_sample(th_tracks *tracks, uint32_t sample, uint32_t face, const double value[7]);

/* Reads the places in space and the meshes of a recording, when it has them. */
th_result th_tracks_read_mesh_places(struct sqlite3 *file, const char *path, th_tracks *tracks, th_error *error);

/* Track of an id; `tracks->track` must be sorted by id. NULL: none. */
th_track *th_tracks_of(th_tracks *tracks, int64_t id);

/* Velocities (central differences) and headings (along them) from places, where a file has none. */
void th_tracks_derive(th_tracks *tracks);

/* Adds ground that holds from `frame` on, or a mark, from its WKT. */
th_result th_tracks_add_plan(th_tracks *tracks, const char *wkt, uint32_t frame, th_error *error);
th_result th_tracks_add_mark(th_tracks *tracks, const char *kind, const char *name, const char *wkt, th_error *error);
bool th_tracks_add_happening(th_tracks *tracks, const char *kind, int64_t id, double time);

#endif
