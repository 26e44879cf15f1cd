/* geometry/ball.h - the smallest ball round points; in a plane the smallest circle. */
#ifndef TH_GEOMETRY_BALL_H
#define TH_GEOMETRY_BALL_H

#include "throng/base.h"

typedef struct th_ball {
  th_vec3 centre;
  float radius; /* [m]; holds every point, rounding included */
} th_ball;

/* Of no point: radius 0 round the origin. */
th_ball th_smallest_ball(const th_vec3 *point, uint32_t count);

#endif
