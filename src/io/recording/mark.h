/* io/recording/mark.h - the position of a shape's mark on mesh ground. */
#ifndef TH_IO_RECORDING_MARK_H
#define TH_IO_RECORDING_MARK_H

#include "throng/recording.h"

/* How many marks a shape has: lines apart have one each, all others one. Mark n stands for the shape of
 * th_mesh_mark_part. */
uint32_t th_mesh_mark_parts(const th_shape *shape);
th_shape th_mesh_mark_part(const th_shape *shape, uint32_t n);

/* The middle of a shape on mesh ground, for drawing; false when it is not on the ground. The circle is as wide as the
 * shape, and at least 0.5 m; that of a point is as wide as the shape's radius when it has one. */
bool th_mesh_mark_of(const th_ground *ground, const char *kind, const char *name, const th_shape *shape,
                     th_mesh_mark *mark);

#endif
