/* field/grid/geodesic.h - distances along the shortest path, or along the cheapest. */
#ifndef TH_FIELD_GRID_GEODESIC_H
#define TH_FIELD_GRID_GEODESIC_H

#include "base/memory.h"
#include "field/grid/field.h"

/* A grid for fast marching: kind[c] == TH_CELL_WALL may not be entered; the outermost ring is walls. */
typedef struct th_march {
  uint32_t width, height;
  const uint8_t *kind;
  const th_cell_list *goal;
  const double *cost; /* of a path as long as the cell is wide, in each cell, at least 1; NULL: 1 everywhere */
  double *length;     /* with `cost`: gets the length of the cheapest path [cells] */
} th_march;

/* Distance of every cell's centre to the nearest goal cell's centre, in cells; INFINITY where no path leads. With
 * `cost` this is what the cheapest path costs. */
th_result th_geodesic_march(const th_allocator *allocator, const th_march *march, double *distance, th_error *error);

/* A raster to look over: cells that hold `wall` hide what is behind them. */
typedef struct th_grid_sight {
  uint32_t width;
  const uint8_t *cell;
  uint8_t wall;
} th_grid_sight;

/* True when the segment between two cells' centres crosses no wall after the first cell; it may graze one corner of a
 * wall but not pass between two. */
bool th_grid_sees(const th_grid_sight *sight, uint32_t from, uint32_t to);

#endif
