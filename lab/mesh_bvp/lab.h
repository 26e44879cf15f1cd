/* lab/mesh_bvp/lab.h - meshes with a goal for the experiments with 3DS-BVP, and measures of all
 * paths on them. */
#ifndef TH_LAB_MESH_BVP_LAB_H
#define TH_LAB_MESH_BVP_LAB_H

#include <math.h>

#include "lab/table.h"
#include "make/shapes.h"
#include "throng/figure.h"
#include "throng/published/relax_mesh.h"

/* A mesh, its tags, and the field that was relaxed on it. It may not be moved: weights hold the mesh's address. */
typedef struct th_mesh_lab {
  th_mesh mesh;
  uint8_t *tile;
  th_mesh_relax_weights *weights;
  th_mesh_relax *relax;
  th_mesh_height *height_map;
  th_mesh_relax_report report;
} th_mesh_lab;

/* Rectangle seen from above. */
typedef struct th_mesh_lab_box_def {
  double x0, y0, x1, y1;
} th_mesh_lab_box_def;

/* The mesh of a soup, which is freed in any case; border vertices are walls, all others free. */
th_result th_mesh_lab_make(th_soup *soup, th_mesh_lab *lab, th_error *error);
/* Equilateral triangles of about 1 x 1 m: `columns` x `rows`, displaced by up to `noise` of an edge. */
th_result th_mesh_lab_sheet(uint32_t columns, uint32_t rows, double noise, th_mesh_lab *lab, th_error *error);
void th_mesh_lab_free(th_mesh_lab *lab);

uint32_t th_mesh_lab_nearest(const th_mesh_lab *lab, double x, double y, double z);
/* Tags free vertices in a box, or within `radius` of a vertex in space; a goal also replaces walls. */
void th_mesh_lab_box(th_mesh_lab *lab, th_tile tile, const th_mesh_lab_box_def *box);
void th_mesh_lab_ball(th_mesh_lab *lab, th_tile tile, uint32_t vertex, double radius);

/* Relaxes from the start and makes the hill. The thesis' settings with another e_max. */
th_result th_mesh_lab_relax(th_mesh_lab *lab, const th_mesh_relax_def *def, th_error *error);
th_mesh_relax_def th_mesh_lab_def(double e_max);

/* The paths from all faces of free cells that are connected to the goal, every `stride`-th of them. */
typedef struct th_mesh_lab_paths {
  uint32_t starts, arrived, rises, touched, grazed;
  double turn_max_angle; /* largest angle between two pieces [degrees] */
  double turn_mean;      /* mean of the largest angle of each path [degrees] */
  double seconds;        /* of processor time per path */
} th_mesh_lab_paths;

bool th_mesh_lab_is_start(const th_mesh_lab *lab, uint32_t face);
th_result th_mesh_lab_walk_all(th_mesh_lab *lab, uint32_t stride, th_mesh_lab_paths *paths, th_error *error);
/* The path from the middle of a face. */
th_result th_mesh_lab_path(th_mesh_lab *lab, uint32_t face, th_mesh_height_path *path, th_error *error);
/* Faces to draw paths from: `count` start faces off the goal, drawn from a seed; returns how many there are. */
uint32_t th_mesh_lab_pick(const th_mesh_lab *lab, uint32_t count, uint64_t seed, uint32_t *face);

/* Mean distance of the points of one line from another. */
double th_mesh_lab_line_apart(const th_vec3 *one, uint32_t count, const th_vec3 *other, uint32_t other_count);

/* The same claims for all paths that should arrive: share that arrives, pieces that rise, walls touched. */
void th_mesh_lab_claim_paths(th_lab *lab, const th_mesh_lab_paths *paths);

/* ---------------------------------------------------------------- figures (figure.c) */

enum { TH_MESH_LAB_MAX_LINES = 40 };

typedef struct th_mesh_lab_figure {
  const char *title, *note;
  const th_mesh_height_path *path; /* blue */
  uint32_t paths;
  const th_mesh_figure_line *line; /* of the flat planner */
  uint32_t lines;
  const th_camera *camera;
  uint32_t cameras;
  bool gradients, edges;
} th_mesh_lab_figure;

/* Draws potential, frontiers and paths as the lab's figure. */
th_result th_mesh_lab_draw(th_lab *lab, const th_mesh_lab *mesh_ground, const th_mesh_lab_figure *sheet,
                           th_error *error);

#endif
