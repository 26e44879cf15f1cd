/* view/rays.h - the kernels of th_view_cast and th_view_visible. */
#ifndef TH_VIEW_RAYS_H
#define TH_VIEW_RAYS_H

#include "base/simd/simd.h"
#include "throng/view.h"

TH_LANES_DECLARE(void, th_rays_cast, const th_view *view, th_rays *rays, uint32_t count);
TH_LANES_DECLARE(void, th_rays_visible, const th_view *view, const float *range, uint32_t *seen);

#endif
