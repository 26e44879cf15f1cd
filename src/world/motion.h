/* world/motion.h - kernels of move and part: sixteen agents at a time. */
#ifndef TH_WORLD_MOTION_H
#define TH_WORLD_MOTION_H

#include "base/simd.h"

/* Sixteen agents that are about to move, gathered from their columns. */
typedef struct th_motion {
  float x[16], y[16], vx[16], vy[16];          /* place and realised velocity */
  float ax[16], ay[16], ahx[16], ahy[16];      /* advice */
  float hx[16], hy[16];                        /* heading; replaced */
  float speed_step[16], speed_max[16], turn_c[16], turn_s[16], radius[16];
  float room[16];                              /* metres that are free of walls around the agent's cell */
  float dt;
  float dx[16], dy[16];                        /* out: the way of this step [m] */
  uint32_t safe;                               /* out: bit set when no wall can be in the way */
} th_motion;

TH_LANES_DECLARE(void, th_motion_plan, th_motion *motion);

/* Contacts of sixteen bodies with the bodies in up to three runs of slots. */
typedef struct th_contact {
  float x[16], y[16], radius[16], mobile[16];
  uint32_t own[16];                    /* slots of the sixteen */
  uint32_t lanes;
  const float *cx, *cy, *cradius, *cmobile; /* by slot; 16 entries may be read past the end */
  uint32_t *first, *last, runs;        /* runs of slots */
  float radius_max;                    /* of the candidates */
  float dx[16], dy[16];                /* out: correction [m] */
  uint32_t touching;                   /* out: bit set when the body touches another */
} th_contact;

TH_LANES_DECLARE(void, th_contact_find, th_contact *contact);

#endif
