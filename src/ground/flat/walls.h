/* ground/flat/walls.h - the parts of all sides that bound walkable space. */
#ifndef TH_GROUND_FLAT_WALLS_H
#define TH_GROUND_FLAT_WALLS_H

#include "ground/flat/shapes.h"

typedef struct th_walls {
  th_segment *wall; /* walkable space on the left, side by side in the order of the shapes */
  uint32_t count, capacity;
  uint32_t *first; /* first wall of each side; side_count + 1 entries */
  uint32_t side_count;
} th_walls;

/* Walls of `shapes` on a lattice. With `old` (the walls of `old_shapes`), sides that do not meet `changed` are taken
 * over, and `changed` grows by every wall that differs. False when out of memory. */
typedef struct th_walls_task {
  const th_shapes *shapes, *old_shapes;
  const th_walls *old;
  double tolerance; /* points nearer than this are one [m] */
} th_walls_task;

bool th_walls_make(th_walls *walls, const th_walls_task *task, th_box *changed, const th_allocator *allocator);
void th_walls_free(th_walls *walls, const th_allocator *allocator);

#endif
