/* world/memory.c - how many bytes a world uses, and for what.
 *
 * A world counts what it takes from the host: one tally for fields and their solvers, one for charts, one for the rest.
 * Within the rest, the bytes of rows and guides are computed from their sizes. Cost: a sum over models and guides.
 */
#include "world/world.h"

static size_t agents_of(const th_world *world) {
  const th_rows *rows = &world->rows;
  size_t bytes = rows->capacity * (th_rows_row_size() + sizeof *rows->user);
  bytes += world->row_of_capacity * sizeof *world->row_of + world->ids.capacity * sizeof *world->ids.generation;
  for (uint32_t i = 0; i < world->model_count; i++) {
    const th_model_slot *use = &world->model[i];
    bytes += use->capacity * (sizeof *use->set + use->state_stride + use->sets.stride);
  }
  return bytes;
}

static size_t guides_of(const th_world *world) {
  const th_guides_in_use *guides = &world->guides;
  size_t bytes = guides->capacity * sizeof *guides->guide;
  for (uint32_t i = 0; i < guides->capacity; i++) {
    const th_guide_slot *use = &guides->guide[i];
    bytes += use->memory_size + (use->kind ? use->kind->param_size : 0);
  }
  return bytes;
}

th_memory th_world_memory(const th_world *world) {
  if (th_no_world(world, __func__)) return (th_memory){0};
  th_memory memory = {.agents = agents_of(world),
                      .fields = th_tally_bytes(&world->tally.fields),
                      .charts = th_tally_bytes(&world->tally.charts),
                      .guides = guides_of(world)};
  const size_t rest = th_tally_bytes(&world->tally.rest) + sizeof *world;
  memory.scratch = rest - memory.agents - memory.guides;
  memory.total = rest + memory.fields + memory.charts;
  return memory;
}
