/* people/walk.h - how people turn advice into walking. */
#ifndef TH_PEOPLE_WALK_H
#define TH_PEOPLE_WALK_H

#include <stdint.h>

/* Up to sixteen agents that are about to move. */
typedef struct th_people_walkers {
  uint32_t count;
  float standing[16];   /* of their parameters; 0: a bare body [m/s] */
  const float *vx, *vy; /* realised velocity [m/s] */
  const float *ax, *ay; /* advised velocity */
  const float *hx, *hy; /* heading */
  float *ahx, *ahy;     /* advised heading; that of standing people becomes their own */
} th_people_walkers;

void th_people_walk(const th_people_walkers *walkers);

#endif
