/* geometry/shape.h - shapes that own their points. */
#ifndef TH_GEOMETRY_SHAPE_H
#define TH_GEOMETRY_SHAPE_H

#include "throng/geometry.h"

/* A copy with points of its own; false, with an empty shape, when out of memory. */
bool th_shape_copy(const th_allocator *allocator, const th_shape *from, th_shape *to);

/* Frees the points of a copy and empties it; an empty shape is allowed. */
void th_shape_free(const th_allocator *allocator, th_shape *shape);

bool th_shape_same(const th_shape *a, const th_shape *b);

#endif
