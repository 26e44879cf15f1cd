/* field/grid/geodesic.h - distances along the shortest path. */
#ifndef TH_FIELD_GRID_GEODESIC_H
#define TH_FIELD_GRID_GEODESIC_H

#include "base/memory.h"
#include "field/grid/field.h"

/* A grid for fast marching: kind[c] == TH_CELL_WALL may not be entered; the outermost ring is walls. */
typedef struct th_march {
  uint32_t width, height;
  const uint8_t *kind;
  const th_cell_list *goal;
} th_march;

/* Distance of every cell's centre to the nearest goal cell's centre, in cells; INFINITY where no path leads. */
th_result th_march_run(const th_allocator *allocator, const th_march *march, double *distance, th_error *error);

/* True when the segment between two cells' centres crosses free cells only; it may graze one blocked corner but not
 * pass between two. */
bool th_march_sees(const th_march *march, uint32_t from, uint32_t to);

#endif
