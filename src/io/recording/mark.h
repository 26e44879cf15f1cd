/* io/recording/mark.h - the mark of a shape on mesh ground. */
#ifndef TH_IO_RECORDING_MARK_H
#define TH_IO_RECORDING_MARK_H

#include "throng/recording.h"

#define TH_MARK_POINTS 1024 /* of an outline, at most */

/* How many marks a shape has: lines apart have one each, all others one. Mark n stands for the shape of
 * th_mesh_mark_part. */
uint32_t th_mesh_mark_parts(const th_shape *shape);
th_shape th_mesh_mark_part(const th_shape *shape, uint32_t n);

/* A shape on mesh ground, for drawing; false when it is not on the ground. The outline of a line or polygon is written
 * to `outline`, which must live as long as the mark. The circle of others is as wide as the shape, and at least 0.5 m;
 * that of a point is as wide as the shape's radius when it has one. */
bool th_mesh_mark_of(const th_ground *ground, const char *kind, const char *name, const th_shape *shape,
                     th_vec3 outline[TH_MARK_POINTS], th_mesh_mark *mark);

#endif
