/* people/walk.c - people do not turn on the spot.
 *
 * People who stand keep their heading, whatever their model wants to face and wherever others push them: a crowd before
 * a door would spin. Cost: about 2 ns per agent.
 */
#include "people/walk.h"

/* True when an agent that moves at v1 and is to move at v2 stands in either. */
static bool stands(float x1, float y1, float x2, float y2, float least) {
  const float square = least * least;
  return (x1 * x1 + y1 * y1 < square) | (x2 * x2 + y2 * y2 < square);
}

void th_people_walk(const th_people_walkers *w) {
  for (uint32_t lane = 0; lane < w->count; lane++) {
    const th_people_params *people = w->people[lane];
    if (!people || !stands(w->vx[lane], w->vy[lane], w->ax[lane], w->ay[lane], people->standing)) continue;
    w->ahx[lane] = w->hx[lane];
    w->ahy[lane] = w->hy[lane];
  }
}
