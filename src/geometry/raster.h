/* geometry/raster.h - square cells: which ones a segment touches, and how far each centre is from the segments. */
#ifndef TH_GEOMETRY_RASTER_H
#define TH_GEOMETRY_RASTER_H

#include "geometry/segment_grid.h"

/* width x height square cells from the lower left corner (x0, y0), row by row. */
typedef struct th_lattice {
  double x0, y0, cell;
  uint32_t width, height;
} th_lattice;

/* Cells [i0, i1) x [j0, j1). */
typedef struct th_window {
  uint32_t i0, j0, i1, j1;
} th_window;

static inline double th_lattice_x(const th_lattice *lattice, uint32_t i) {
  return lattice->x0 + ((double)i + 0.5) * lattice->cell;
}
static inline double th_lattice_y(const th_lattice *lattice, uint32_t j) {
  return lattice->y0 + ((double)j + 0.5) * lattice->cell;
}
static inline th_window th_lattice_all(const th_lattice *lattice) {
  return (th_window){0, 0, lattice->width, lattice->height};
}

/* Cells of the lattice that the box meets; empty when it meets none. */
th_window th_raster_window(const th_lattice *lattice, const th_box *box);

/* Sets mask = 1 on the cells of the window whose interior the segment enters. A segment that runs along the border of a
 * cell, or less than 1e-4 of a cell inside, does not enter it, so a room whose walls follow cell borders keeps all its
 * cells. */
void th_raster_segment(const th_lattice *lattice, const th_window *window, const th_segment *s, uint8_t *mask);

/* Writes the distance [m] from each cell centre of the window to the nearest segment of the grid, at most `limit`. Each
 * value depends on the segments alone, not on the window. False when out of memory. */
bool th_raster_distance(const th_lattice *lattice, const th_window *window, const th_segment_grid *grid, double limit,
                        float *distance, const th_allocator *allocator);

#endif
