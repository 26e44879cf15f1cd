/* ground/chart/clearance.c - the clearance raster of a chart.
 *
 * Cells whose centre lies in a held face get their exact distance from the chart's walls (geometry/raster.h); all
 * others are 0, since the chart holds no ground there. The raster covers the patch and its reach. Cost:
 * about 10 wall distances per cell.
 */
#include <string.h>

#include "base/memory.h"
#include "ground/chart/stages.h"

#define MAX_SIDE 1024.0 /* cells; beyond it the raster is cut off, and cut off is 0 */

th_lattice th_chart_lattice(const th_chart_task *t, th_raster *raster) {
  double cell = (double)t->def->clearance_cell;
  *raster = (th_raster){0};
  if (!(cell > 0.0)) return (th_lattice){0};
  th_box box = th_box_grow(t->maker->own, (double)t->def->reach);
  const th_box *all = &t->maker->box;
  box = (th_box){fmax(box.x0, all->x0), fmax(box.y0, all->y0), fmin(box.x1, all->x1), fmin(box.y1, all->y1)};
  th_lattice lattice = {floor(box.x0 / cell) * cell, floor(box.y0 / cell) * cell, cell, 0, 0};
  lattice.width = (uint32_t)fmin(ceil((box.x1 - lattice.x0) / cell) + 1.0, MAX_SIDE);
  lattice.height = (uint32_t)fmin(ceil((box.y1 - lattice.y0) / cell) + 1.0, MAX_SIDE);
  raster->width = lattice.width;
  raster->height = lattice.height;
  raster->x0 = (float)th_lattice_x(&lattice, 0);
  raster->y0 = (float)th_lattice_y(&lattice, 0);
  raster->cell = (float)cell;
  return lattice;
}

#define SLACK 1e-9 /* of the face: a centre on an edge belongs to both faces, never to none */

static bool inside(const th_point *p, double x, double y) {
  double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
  for (int k = 0; k < 3; k++) {
    th_point a = p[k], b = p[(k + 1) % 3];
    if ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) < -SLACK * area) return false;
  }
  return true;
}

static void mark_face(const th_chart_task *t, const th_lattice *lattice, uint32_t f) {
  th_point p[3];
  th_box box = th_box_empty();
  for (uint32_t k = 0; k < 3; k++) {
    p[k] = th_chart_corner(t, 3 * f + k);
    th_box_add(&box, p[k].x, p[k].y);
  }
  th_window w = th_raster_window(lattice, &box);
  for (uint32_t j = w.j0; j < w.j1; j++)
    for (uint32_t i = w.i0; i < w.i1; i++)
      if (inside(p, th_lattice_x(lattice, i), th_lattice_y(lattice, j)))
        t->maker->cell[(size_t)j * lattice->width + i] = 1;
}

static bool fill_distance(const th_chart_task *t, const th_chart *chart, const th_lattice *lattice, float *sample) {
  const th_allocator *allocator = &t->maker->allocator;
  uint32_t cells = lattice->width * lattice->height;
  if (chart->wall_count == 0) {
    for (uint32_t c = 0; c < cells; c++) sample[c] = t->def->clearance_limit;
    return true;
  }
  th_segment_grid grid;
  if (!th_segment_grid_make(&grid, allocator, chart->wall, chart->wall_count, 2.0, 0.0)) return false;
  th_window all = th_lattice_all(lattice);
  bool done = th_raster_distance(lattice, &all, &grid, (double)t->def->clearance_limit, sample, allocator);
  th_segment_grid_free(&grid, allocator);
  return done;
}

bool th_chart_clearance(const th_chart_task *t, th_chart *chart, const th_lattice *lattice) {
  th_chart_maker *k = t->maker;
  uint32_t cells = lattice->width * lattice->height;
  float *sample = (float *)(uintptr_t)chart->clearance.sample;
  void *memory = k->cell;
  if (!th_grow(&k->allocator, &memory, &k->cell_capacity, cells, 1)) return false;
  k->cell = memory;
  memset(k->cell, 0, cells);
  for (uint32_t n = 0; n < k->face_count; n++) mark_face(t, lattice, k->face[n]);
  if (!fill_distance(t, chart, lattice, sample)) return false;
  for (uint32_t c = 0; c < cells; c++)
    if (!k->cell[c]) sample[c] = 0.0f;
  return true;
}
