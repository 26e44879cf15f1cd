/* field/grid/dissection.h - nested dissection of a grid rectangle. */
#ifndef TH_FIELD_GRID_DISSECTION_H
#define TH_FIELD_GRID_DISSECTION_H

#include "field/direct/elimination.h"

/* The elimination tree of a width x height grid with 4-neighbours; unknowns are cells, row by row. It depends on the
 * two sizes only, never on which cells are free. `leaf`: most cells of a part that is not cut further (>= 1). */
th_elimination *th_dissection_make(const th_allocator *allocator, uint32_t width, uint32_t height, uint32_t leaf,
                                   uint32_t piece_cells);

#endif
