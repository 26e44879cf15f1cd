/* apps/page/markers.c - points of free space as four numbers each, with the weights that a group gives them. */
#include "throng/markers.h"

#include "page.h"
#include "throng/watch.h"

/* The weights of a group, NULL for one without a shape or when there is none. */
static const th_marker_weights *weights_of(const th_page *page, uint32_t group, uint32_t *count) {
  th_group_id all[TH_MAX_GROUPS];
  const th_world *world = th_page_world(page);
  const uint32_t groups = th_world_groups(world, all, TH_MAX_GROUPS);
  for (uint32_t i = 0; i < groups && i < TH_MAX_GROUPS; i++)
    if (all[i].index == group) return th_world_group_weights(world, all[i], count);
  return NULL;
}

const float *th_page_markers(th_page *page, uint32_t group, uint32_t *count) {
  const th_ground *ground = th_world_ground(th_page_world(page));
  const th_markers_def def = th_ground_markers_def(ground);
  const th_markers *markers = NULL;
  uint32_t weighted = 0;
  const th_marker_weights *weight = weights_of(page, group, &weighted);
  *count = page->markers.count = 0;
  if (th_ground_markers(ground, &def, 1, &markers, &page->error) != TH_OK) return NULL;
  const th_place *place = th_markers_places(markers);
  for (uint32_t i = 0; i < th_markers_count(markers); i++) {
    const th_vec3 at = th_ground_point(ground, place[i]);
    const float worth = weight && i < weighted ? weight->weight[i] : 1;
    th_page_put(&page->markers, (const float[4]){at.x, at.y, at.z, worth}, 4);
  }
  *count = page->markers.failed ? 0 : page->markers.count / 4;
  return page->markers.at;
}
