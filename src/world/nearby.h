/* world/nearby.h - the agents around a point, between steps. */
#ifndef TH_WORLD_NEARBY_H
#define TH_WORLD_NEARBY_H

#include "geometry/mesh/bvh.h"
#include "world/world.h"

/* A walk over all agents in the world that may lie within a distance in space, each once, in no order that matters:
 *   for (th_nearby n = th_nearby_begin(world, point, reach); th_nearby_next(&n, &row);) ... */
typedef struct th_nearby {
  const th_world *world;
  bool (*next)(struct th_nearby *nearby, uint32_t *slot); /* slots still to come, by the kind of ground */
  uint32_t column0, column1, line, line1;                 /* flat ground: clusters still to come */
  th_bvh_walk face;                                       /* mesh ground: faces still to come */
  uint32_t cell;                                          /* the face at hand */
  uint32_t slot, end;                                     /* of the line, or of the cluster of that face */
  uint32_t row;                                           /* after these: rows that have no slot */
} th_nearby;

/* z counts on mesh ground only. */
th_nearby th_nearby_begin(const th_world *world, th_vec3 at, float reach);
/* The same for a box; sides may be infinite. */
th_nearby th_nearby_begin_box(const th_world *world, th_vec3 lower, th_vec3 upper);
bool th_nearby_next(th_nearby *nearby, uint32_t *row);

/* Call before an agent is put somewhere else, so that the walks above still find it. */
void th_nearby_strays(th_world *world, uint32_t row, th_place to);

/* Where the agent of a row is. */
static inline th_place th_row_place(const th_world *world, uint32_t row) {
  return (th_place){world->rows.cell[row], world->rows.x[row], world->rows.y[row]};
}

/* The same in space; z = 0 on flat ground. */
static inline th_vec3 th_row_point(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  if (!world->mesh) return (th_vec3){rows->x[row], rows->y[row], 0.0f};
  return th_ground_point(world->ground, th_row_place(world, row));
}

/* True when a query with that filter, or NULL, does not find the agent of a row. */
static inline bool th_row_hidden(const th_world *world, uint32_t row, const th_agent_filter *filter) {
  if (!filter) return false;
  return th_same_agent(world->rows.id[row], filter->except) ||
         (filter->layers && !(world->rows.layers[row] & filter->layers));
}

#endif
