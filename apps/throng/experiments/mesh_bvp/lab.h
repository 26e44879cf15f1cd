/* apps/throng/experiments/mesh_bvp/lab.h - meshes with a goal for the experiments with 3DS-BVP, and measures of all
 * ways on them. */
#ifndef TH_APPS_EXPERIMENTS_MESH_BVP_LAB_H
#define TH_APPS_EXPERIMENTS_MESH_BVP_LAB_H

#include <math.h>

#include "experiments/table.h"
#include "geometry/make/shapes.h"
#include "throng/report.h"
#include "throng/surface_relax.h"

/* A mesh, its tags, and the field that was relaxed on it. It may not be moved: weights hold the mesh's address. */
typedef struct th_surface_lab {
  th_mesh mesh;
  uint8_t *tile;
  th_surface_weights *weights;
  th_surface_relax *relax;
  th_hill *hill;
  th_surface_report report;
} th_surface_lab;

/* Rectangle seen from above. */
typedef struct th_surface_box {
  double x0, y0, x1, y1;
} th_surface_box;

/* The mesh of a soup, which is freed in any case; border vertices are walls, all others free. */
th_result th_surface_lab_make(th_soup *soup, th_surface_lab *lab, th_error *error);
/* Equilateral triangles of about 1 x 1 m: `columns` x `rows`, displaced by up to `noise` of an edge. */
th_result th_surface_lab_sheet(uint32_t columns, uint32_t rows, double noise, th_surface_lab *lab, th_error *error);
void th_surface_lab_free(th_surface_lab *lab);

uint32_t th_surface_lab_nearest(const th_surface_lab *lab, double x, double y, double z);
/* Tags free vertices in a box, or within `radius` of a vertex in space; a goal also replaces walls. */
void th_surface_lab_box(th_surface_lab *lab, th_tile tile, const th_surface_box *box);
void th_surface_lab_ball(th_surface_lab *lab, th_tile tile, uint32_t vertex, double radius);

/* Relaxes from the start and makes the hill. The thesis' settings with another e_max. */
th_result th_surface_lab_relax(th_surface_lab *lab, const th_surface_relax_def *def, th_error *error);
th_surface_relax_def th_surface_lab_def(double e_max);

/* The ways from all faces of free cells that are joined to the goal, every `stride`-th of them. */
typedef struct th_surface_ways {
  uint32_t starts, arrived, rises, touched, grazed;
  double turn_most; /* largest angle between two pieces [degrees] */
  double turn_mean; /* mean of the largest angle of each way [degrees] */
  double seconds;   /* of processor time a way */
} th_surface_ways;

bool th_surface_lab_is_start(const th_surface_lab *lab, uint32_t face);
th_result th_surface_lab_ways(th_surface_lab *lab, uint32_t stride, th_surface_ways *ways, th_error *error);
/* The way from the middle of a face. */
th_result th_surface_lab_way(th_surface_lab *lab, uint32_t face, th_surface_path *path, th_error *error);
/* Faces to draw ways from: `count` start faces off the goal, drawn from a seed; returns how many there are. */
uint32_t th_surface_lab_pick(const th_surface_lab *lab, uint32_t count, uint64_t seed, uint32_t *face);

/* Mean distance of the points of one line from another. */
double th_surface_line_apart(const th_vec3 *one, uint32_t count, const th_vec3 *other, uint32_t other_count);

/* The same claims for all ways that are meant to arrive: share that arrives, pieces that rise, walls touched. */
void th_surface_claim_ways(th_lab *lab, const th_surface_ways *ways);

/* ---------------------------------------------------------------- figures (figure.c) */

enum { TH_SURFACE_MOST_LINES = 40 };

typedef struct th_surface_sheet {
  const char *title, *note;
  const th_surface_path *path; /* blue */
  uint32_t paths;
  const th_surface_line *line; /* others */
  uint32_t lines;
  const th_camera *camera;
  uint32_t cameras;
  bool gradients, edges;
} th_surface_sheet;

/* Draws potential, frontiers and ways as the lab's figure. */
th_result th_surface_lab_draw(th_lab *lab, const th_surface_lab *surface, const th_surface_sheet *sheet,
                              th_error *error);

#endif
