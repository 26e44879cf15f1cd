/* field/grid/edges.h - paths along the edges of the raster's grid. */
#ifndef TH_FIELD_GRID_EDGES_H
#define TH_FIELD_GRID_EDGES_H

#include "field/grid/geodesic.h"

/* Distance of every cell's centre to the nearest goal cell's along edges, in cells; INFINITY where no path leads. */
th_result th_grid_edges_run(const th_allocator *allocator, const th_march *grid, double *distance, th_error *error);

/* Makes the node of each free cell lead to the centre of the cell where its path turns next. */
void th_grid_edges_aim(th_field_build *build);

#endif
