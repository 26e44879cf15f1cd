/* world/marker_owners.c - lists the owner of each marker, for pictures and hosts.
 *
 * The first model in use that knows owners tells them, as slots of the last order. */
#include "world/world.h"

static const th_model_slot *owning_model(const th_world *world) {
  for (uint32_t i = 0; i < world->model_count; i++)
    if (world->model[i].model->marker_owners && world->model[i].shared.data) return &world->model[i];
  return NULL;
}

uint32_t th_world_marker_owners(const th_world *world, uint32_t *agent, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  const th_model_slot *use = owning_model(world);
  uint32_t count = 0;
  const uint32_t *owner = use ? use->model->marker_owners(use->shared.data, &count) : NULL;
  for (uint32_t n = 0; n < count && n < capacity; n++)
    agent[n] = world->order_holds && owner[n] < world->order.count ? world->order.agent[owner[n]] : 0;
  return count;
}
