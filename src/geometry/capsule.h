/* geometry/capsule.h - upright bodies in space: round columns with round ends. */
#ifndef TH_GEOMETRY_CAPSULE_H
#define TH_GEOMETRY_CAPSULE_H

#include "throng/base.h"

/* All points within `radius` of the axis, which runs from middle - half to middle + half. */
typedef struct th_capsule {
  th_vec3 middle, half;
  float radius, length; /* length: of `half` [m] */
} th_capsule;

/* A standing body: it touches the ground at `foot` and ends `height` above it along the unit normal. A body that is
 * wider than high is a ball. */
th_capsule th_capsule_standing(th_vec3 foot, th_vec3 normal, float height, float radius);

/* The shortest vector from the axis of `a` to that of `b`; if several have that length, one of them. */
th_vec3 th_capsule_apart(const th_capsule *a, const th_capsule *b);

#endif
