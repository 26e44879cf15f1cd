/* report/figure/draw_density.c - the density of the crowd, averaged over the time that a figure shows.
 *
 * Each sample is spread by a Gaussian of 0.7 m, cut at 2.5 times that distance and normalised on the grid, so that the
 * sum over the grid is the number of people; divided by the number of frames this is people per square metre. Cost:
 * O(samples x cells under the kernel).
 */
#include <math.h>

#include "report/figure/wash.h"

#define SPREAD 0.7 /* [m] */

static double weight(double dx, double dy) { return exp(-(dx * dx + dy * dy) / (2.0 * SPREAD * SPREAD)); }

static void spread(th_wash *grid, double x, double y, double amount) {
  double fi = (x - grid->x0) / grid->cell - 0.5, fj = (y - grid->y0) / grid->cell - 0.5;
  int reach = (int)ceil(2.5 * SPREAD / grid->cell);
  int i0 = (int)fmax(0.0, floor(fi) - reach), i1 = (int)fmin(grid->width - 1.0, floor(fi) + reach + 1);
  int j0 = (int)fmax(0.0, floor(fj) - reach), j1 = (int)fmin(grid->height - 1.0, floor(fj) + reach + 1);
  double sum = 0.0;
  for (int j = j0; j <= j1; j++)
    for (int i = i0; i <= i1; i++) sum += weight((i - fi) * grid->cell, (j - fj) * grid->cell);
  if (!(sum > 0.0)) return;
  for (int j = j0; j <= j1; j++)
    for (int i = i0; i <= i1; i++)
      grid->value[(size_t)j * grid->width + (size_t)i] +=
          amount * weight((i - fi) * grid->cell, (j - fj) * grid->cell) / sum;
}

th_result th_draw_density(th_scene_view *view, th_error *error) {
  const th_tracks *tracks = view->def->tracks;
  th_wash grid;
  if (!tracks || tracks->sample_count == 0) return TH_OK;
  th_result result = th_wash_make(view, 180.0, &grid, error);
  if (result != TH_OK) return result;
  size_t cells = (size_t)grid.width * grid.height;
  for (size_t k = 0; k < cells; k++) grid.value[k] = 0.0;
  double frames = (double)(tracks->frame_last - tracks->frame_first) + 1.0;
  for (uint32_t i = 0; i < tracks->sample_count; i++)
    spread(&grid, (double)tracks->x[i], (double)tracks->y[i], 1.0 / (frames * grid.cell * grid.cell));
  double max = 0.0;
  for (size_t k = 0; k < cells; k++) max = fmax(max, grid.value[k]);
  view->field = (th_scale){0.0, max > 0.0 ? max : 1.0, "density [1/m\xC2\xB2]", true};
  result = th_wash_paint(view, &grid, &view->field, true, error);
  th_wash_free(view, &grid);
  return result;
}
