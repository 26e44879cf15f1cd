/* view/rays.h - the kernels of th_view_cast and th_view_visible. */
#ifndef TH_VIEW_RAYS_H
#define TH_VIEW_RAYS_H

#include "base/simd/simd.h"
#include "throng/view.h"

TH_LANES_DECLARE(void, th_rays_cast, const th_view *view, th_rays *rays, uint32_t count);
TH_LANES_DECLARE(void, th_rays_visible, const th_view *view, const float *range, uint32_t *seen);

/* Copies the walls that touch the box to `kept`, in their order, until there are `most`; returns how many. A wall is
 * stored before it is known to count: no branch depends on where walls lie, which no processor predicts. */
static inline uint32_t th_walls_in(const th_segment *wall, uint32_t count, th_vec2 lower, th_vec2 upper,
                                   th_segment *kept, uint32_t most) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count && found < most; i++) {
    const th_segment w = wall[i];
    const float left = w.ax < w.bx ? w.ax : w.bx, right = w.ax < w.bx ? w.bx : w.ax;
    const float low = w.ay < w.by ? w.ay : w.by, high = w.ay < w.by ? w.by : w.ay;
    kept[found] = w;
    found += (uint32_t)(right >= lower.x) & (uint32_t)(left <= upper.x) & (uint32_t)(high >= lower.y) &
             (uint32_t)(low <= upper.y);
  }
  return found;
}

#endif
