/* view/bodies.c - the nearest neighbours by lane, for models (throng/view.h). */
#include "view/view.h"

const th_lane_bodies *th_view_bodies(const th_view *view, uint32_t count, uint32_t simd) {
  const th_neighbours *near = &view->neighbours;
  if (!view->scratch) return NULL;
  th_bodies *bodies = view->scratch->bodies;
  TH_LANES_PICK(simd, th_bodies_fill)(bodies, near, count < near->pick_count ? count : near->pick_count);
  return bodies->kept;
}
