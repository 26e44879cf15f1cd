/* report/raster.h - a grid of numbers under a figure: density, or a field. */
#ifndef TH_REPORT_RASTER_H
#define TH_REPORT_RASTER_H

#include "report/draw.h"

/* Samples at the centres of square cells, row by row from the lower left; NAN where there is no ground. */
typedef struct th_grid {
  uint32_t width, height;
  double x0, y0, cell; /* [m], lower left corner */
  double *value;
} th_grid;

/* A grid of NANs over the figure with about `across` cells in its longer direction. */
th_result th_grid_make(const th_scene_view *view, double across, th_grid *grid, th_error *error);
void th_grid_free(const th_scene_view *view, th_grid *grid);

/* Paints the grid in washed colours, smoothly, clipped to the floor. `veil`: low values are transparent. */
th_result th_grid_paint(const th_scene_view *view, const th_grid *grid, const th_scale *scale, bool veil,
                        th_error *error);

/* Strokes the line value = level (marching squares). */
void th_grid_isoline(const th_scene_view *view, const th_grid *grid, double level);

#endif
