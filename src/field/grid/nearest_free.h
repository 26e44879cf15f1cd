/* field/grid/nearest_free.h - finds the exit of a body that stands in a cell its class blocks. */
#ifndef TH_FIELD_GRID_NEAREST_FREE_H
#define TH_FIELD_GRID_NEAREST_FREE_H

#include "ground/ground.h"

/* Fills exits[c] for every cell: c itself when it is free for the class, else the nearest free cell that walkable
 * cells join it to, else TH_NO_CELL. `fresh` is scratch of width * height. */
void th_nearest_free_fill(const th_ground *ground, uint32_t radius_class, uint32_t *nearest_free, uint32_t *fresh);

#endif
