/* world/nearby.h - the agents around a point, between steps. */
#ifndef TH_WORLD_NEARBY_H
#define TH_WORLD_NEARBY_H

#include "world.h"

/* A walk over all agents in the world that may lie within a distance, each once, in no order that matters:
 *   for (th_nearby n = th_nearby_begin(world, x, y, reach); th_nearby_next(&n, &row);) ... */
typedef struct th_nearby {
  const th_world *world;
  uint32_t column0, column1, line, line1; /* clusters still to come */
  uint32_t slot, end;                     /* of the line at hand */
  uint32_t row;                           /* after the clusters: rows that have no slot */
} th_nearby;

th_nearby th_nearby_begin(const th_world *world, float x, float y, float reach);

/* Where the agent of a row is in space; z = 0 on flat ground. */
static inline th_vec3 th_row_point(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  if (!world->mesh) return (th_vec3){rows->x[row], rows->y[row], 0.0f};
  return th_ground_point(world->ground, (th_place){rows->cell[row], rows->x[row], rows->y[row]});
}
bool th_nearby_next(th_nearby *nearby, uint32_t *row);

#endif
