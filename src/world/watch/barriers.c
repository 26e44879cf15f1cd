/* world/watch/barriers.c - the doors and obstacles of the ground in force.
 *
 * They are those of the ground itself, so they cannot differ from what agents walk round. Cost: linear in their number.
 */
#include "ground/mesh/ground.h"
#include "ground/mesh/regions.h"
#include "throng/watch.h"
#include "world/world.h"

static uint32_t of_flat(const th_shapes *shapes, th_barrier *list, uint32_t capacity) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < shapes->polygon_count; k++) {
    const th_floor_polygon *p = &shapes->polygon[k];
    if (p->kind == TH_FLOOR_OUTLINE || count++ >= capacity) continue;
    const bool door = p->kind == TH_FLOOR_DOOR;
    list[count - 1] = (th_barrier){p->name, door, !door || p->closed, {p->name, p->point, p->count}, NULL};
  }
  return count;
}

static uint32_t of_mesh(const th_mesh_ground *mesh, th_barrier *list, uint32_t capacity) {
  for (uint32_t k = 0; k < mesh->use_count && k < capacity; k++) {
    const th_mesh_barrier *use = &mesh->use[k];
    const th_region *region = &use->part->region;
    list[k] = (th_barrier){.name = region->name, .door = use->door, .closed = use->closed, .region = region};
  }
  return mesh->use_count;
}

uint32_t th_world_barriers(const th_world *world, th_barrier *list, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  const th_ground *ground = world->ground;
  return ground->mesh ? of_mesh(ground->mesh, list, capacity) : of_flat(ground->flat->shapes, list, capacity);
}
