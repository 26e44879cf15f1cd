/* world/marker_owners.c - lists the owner of each marker of the model biocrowds, for pictures and hosts. */
#include "model/biocrowds/cells.h"
#include "throng/markers.h"
#include "world/world.h"

uint32_t th_world_marker_owners(const th_world *world, uint32_t *agent, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  for (uint32_t i = 0; i < world->model_count; i++) {
    if (world->model[i].model != &th_model_biocrowds || !world->model[i].shared.data) continue;
    const th_biocrowds_shared *shared = world->model[i].shared.data;
    for (uint32_t n = 0; n < shared->count && n < capacity; n++) {
      const uint32_t slot = shared->owner[n];
      agent[n] = world->order_holds && slot < world->order.count ? world->order.agent[slot] : 0;
    }
    return shared->count;
  }
  return 0;
}
