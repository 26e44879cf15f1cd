/* ground/flat/check.h - what a flat ground accepts. */
#ifndef TH_GROUND_FLAT_CHECK_H
#define TH_GROUND_FLAT_CHECK_H

#include "ground/ground.h"

/* Checks every number and shape of the def; nothing is allocated in proportion to the raster before this passed. */
th_result th_flat_check(const th_flat_def *def, const th_allocator *allocator, th_error *error);

/* Checks one solid shape and its name against those already there. */
th_result th_flat_check_polygon(const th_allocator *allocator, const th_floor_polygon_draft *drafts, uint32_t count,
                                const th_polygon *shape, th_error *error);

/* Corners of the image's rectangle. */
void th_flat_image_corners(const th_image *image, th_vec2 corner[4]);

/* Outline of the whole walkable area [m]. */
th_box th_flat_bounds(const th_flat_def *def);

/* Cells of the raster in each direction, the solid ring included. */
double th_flat_cells(double length, double cell);

#endif
