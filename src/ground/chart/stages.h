/* ground/chart/stages.h - the steps of making a chart that have files of their own. */
#ifndef TH_GROUND_CHART_STAGES_H
#define TH_GROUND_CHART_STAGES_H

#include "geometry/raster.h"
#include "ground/chart/chart.h"

typedef struct th_chart_task {
  th_chart_maker *maker;
  const th_mesh_frames *frames;
  const th_patches *patches;
  const th_chart_def *def;
  uint32_t patch, run;
} th_chart_task;

/* Planar coordinates of the start of half-edge h. */
static inline th_point th_chart_corner(const th_chart_task *t, uint32_t h) {
  const th_polar_map_node *n = &t->maker->map.node[t->frames->mesh->corner[h]];
  return (th_point){n->x, n->y};
}

static inline th_box th_chart_face_box(const th_chart_task *t, uint32_t f) {
  th_box box = th_box_empty();
  for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
    th_point p = th_chart_corner(t, h);
    th_box_add(&box, p.x, p.y);
  }
  return box;
}

/* conformal.c: lays the patch flat by LSCM. False when the region is not a disc, when an own face loses its
 * shape, or when out of memory, which sets map.failed. */
bool th_chart_lay_conformal(const th_chart_task *t);

/* overlap.c: takes the mark off faces that would lie on top of nearer ones. False when out of memory. */
bool th_chart_drop_overlaps(const th_chart_task *t);

/* cover.c: fills cover and torn of the maker from its rim and tears. */
void th_chart_measure_cover(const th_chart_task *t);

/* clearance.c: the cells of the raster, none when it is not wanted; its values. False when out of memory. */
th_lattice th_chart_lattice(const th_chart_task *t, th_raster *raster);
bool th_chart_clearance(const th_chart_task *t, th_chart *chart, const th_lattice *lattice);

#endif
