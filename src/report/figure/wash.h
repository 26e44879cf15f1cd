/* report/figure/wash.h - a grid of numbers under a figure: density, or a field. */
#ifndef TH_REPORT_FIGURE_WASH_H
#define TH_REPORT_FIGURE_WASH_H

#include "report/figure/draw.h"

/* Samples at the centres of square cells, row by row from the lower left; NAN where there is no ground. */
typedef struct th_wash {
  uint32_t width, height;
  double x0, y0, cell; /* [m], lower left corner */
  double *value;
} th_wash;

/* A grid of NANs over the figure with about `across` cells in its longer direction. */
th_result th_wash_make(const th_scene_view *view, double across, th_wash *grid, th_error *error);
void th_wash_free(const th_scene_view *view, th_wash *grid);

/* Paints the grid in washed colours, smoothly, clipped to the floor. `veil`: low values are transparent. */
th_result th_wash_paint(const th_scene_view *view, const th_wash *grid, const th_scale *scale, bool veil,
                        th_error *error);

/* Strokes the line value = level (marching squares). */
void th_wash_isoline(const th_scene_view *view, const th_wash *grid, double level);

#endif
