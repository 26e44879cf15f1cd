/* view/bodies.lanes.c - reads the nearest of each lane that nobody has read so far (view/bodies.h). */
#include "view/bodies.h"

void TH_LANES_NAME(th_bodies_fill)(th_bodies *bodies, const th_neighbours *near, uint32_t count) {
  for (uint32_t first = 0; first < TH_VIEW_LANES; first += TH_LANES)
    for (uint32_t k = bodies->kept_count[first / 4]; k < count; k++) {
      const vi pick = vi_load((const int32_t *)near->pick + k * TH_VIEW_LANES + first);
      if (!vm_any(vi_lt(vi_set((int32_t)TH_NO_PICK), pick))) break; /* then no later one is there */
      vf body[TH_BODY_WORDS];
      th_bodies_lay(bodies, near);
      th_bodies_read(bodies, near, k, first, body);
    }
}
