/* lab/mesh_bvp/compare.c - compares fields and paths of 3DS-BVP with those of the flat planner:
 * AT-1.
 *
 * Four environments on a square, each on a regular mesh of equilateral triangles and on one whose vertices are moved by
 * up to 40 % of an edge; about as many cells as the grid has. The grid's outermost nodes lie on the border of the mesh.
 * Potentials are compared in the free cells of the mesh; those of the grid are interpolated bilinearly (the thesis does
 * not say how). The thesis gives its obstacles only as drawings, so these are our own; the fourth environment has its
 * goal on the left border, as in the thesis.
 */
#include "base/error.h"
#include "base/memory.h"
#include "lab/mesh_bvp/experiments.h"
#include "lab/mesh_bvp/lab.h"

#define NONE NAN

enum { CASES = 4, MAX_BOXES = 6, MAX_SIDE = 100, STARTS = 32, MAX_POINTS = 4000 };

typedef struct layout {
  uint32_t side, columns, rows; /* nodes of the grid; of the mesh */
  uint32_t boxes;
  th_mesh_lab_box_def goal, box[MAX_BOXES];
  double regular, noisy; /* mean differences that the thesis prints */
  double regular_max, noisy_max;
} layout;

static const layout layouts[CASES] = {
    {50, 45, 52, 1, {0.86, 0.44, 0.93, 0.56}, {{0.4, 0.3, 0.55, 0.7}}, 0.00394, 0.00903, 0.06224, 0.15687},
    {100,
     92,
     106,
     4,
     {0.46, 0.46, 0.54, 0.54},
     {{0.15, 0.15, 0.35, 0.3}, {0.65, 0.2, 0.85, 0.3}, {0.2, 0.65, 0.3, 0.85}, {0.65, 0.65, 0.8, 0.85}},
     0.00303,
     0.00469,
     0.05802,
     0.30755},
    {100,
     92,
     106,
     3,
     {0.06, 0.06, 0.14, 0.14},
     {{0, 0.3, 0.7, 0.36}, {0.3, 0.62, 1, 0.68}, {0.45, 0.06, 0.51, 0.2}},
     0.01844,
     0.01867,
     0.08957,
     0.49989},
    {100,
     92,
     106,
     3,
     {-1, 0.45, 0.001, 0.55},
     {{0.25, 0.35, 0.4, 0.62}, {0.55, 0.1, 0.65, 0.5}, {0.6, 0.65, 0.85, 0.75}},
     0.00604,
     0.00792,
     0.08911,
     0.49913},
};

/* One environment on both discretisations. The height of the mesh is `high` [m], and the grid is stretched onto it. */
typedef struct pair {
  th_mesh_lab mesh;
  th_relaxation *grid;
  uint32_t side;
  double high;
} pair;

static bool holds(const th_mesh_lab_box_def *b, double x, double y) {
  return x >= b->x0 && x <= b->x1 && y >= b->y0 && y <= b->y1;
}

static th_result make_grid(const layout *l, pair *p, th_error *error) {
  uint8_t cell[MAX_SIDE * MAX_SIDE];
  for (uint32_t j = 0; j < l->side; j++)
    for (uint32_t i = 0; i < l->side; i++) {
      const double x = (double)i / (l->side - 1), y = p->high * j / (l->side - 1);
      const bool rim = i == 0 || j == 0 || i == l->side - 1 || j == l->side - 1;
      th_tile tile = rim ? TH_TILE_WALL : TH_TILE_FREE;
      for (uint32_t k = 0; k < l->boxes; k++)
        if (holds(&l->box[k], x, y)) tile = TH_TILE_WALL;
      if (holds(&l->goal, x, y)) tile = TH_TILE_GOAL;
      cell[j * l->side + i] = (uint8_t)tile;
    }
  const th_grid grid = {.width = l->side, .height = l->side, .cell = cell};
  th_relax_def def = th_default_relax_def();
  def.method = TH_METHOD_SOR;
  def.storage = TH_STORAGE_P;
  def.start = 0.5;
  def.omega = 1.9;
  def.tolerance = 1e-11;
  p->side = l->side;
  th_result result = th_relaxation_make(&def, &grid, &p->grid, error);
  if (result == TH_OK) (void)th_relaxation_converge(p->grid);
  return result;
}

static th_result make_pair(const layout *l, double noise, pair *p, th_error *error) {
  *p = (pair){0};
  th_result result = th_mesh_lab_sheet(l->columns, l->rows, noise, &p->mesh, error);
  if (result != TH_OK) return result;
  for (uint32_t v = 0; v < p->mesh.mesh.vertex_count; v++) p->high = fmax(p->high, p->mesh.mesh.xyz[3 * (size_t)v + 1]);
  for (uint32_t k = 0; k < l->boxes; k++) th_mesh_lab_box(&p->mesh, TH_TILE_WALL, &l->box[k]);
  th_mesh_lab_box(&p->mesh, TH_TILE_GOAL, &l->goal);
  const th_mesh_relax_def def = th_mesh_lab_def(1e-9);
  result = th_mesh_lab_relax(&p->mesh, &def, error);
  return result == TH_OK ? make_grid(l, p, error) : result;
}

static void free_pair(pair *p) {
  th_mesh_lab_free(&p->mesh);
  th_relaxation_free(p->grid);
}

/* ---------------------------------------------------------------- fields */

/* The node below and left of a point, and the fractions towards the next nodes. */
static void node_at(const pair *p, double x, double y, uint32_t node[2], double share[2]) {
  const double at[2] = {x * (p->side - 1), y / p->high * (p->side - 1)};
  for (int k = 0; k < 2; k++) {
    const double low = fmin(fmax(floor(at[k]), 0.0), p->side - 2.0);
    node[k] = (uint32_t)low;
    share[k] = fmin(fmax(at[k] - low, 0.0), 1.0);
  }
}

static double grid_p(const pair *p, double x, double y) {
  uint32_t n[2];
  double s[2], sum = 0.0;
  node_at(p, x, y, n, s);
  for (uint32_t k = 0; k < 4; k++)
    sum += (k & 1 ? s[0] : 1.0 - s[0]) * (k & 2 ? s[1] : 1.0 - s[1]) *
           th_relaxation_p(p->grid, n[0] + (k & 1), n[1] + (k >> 1));
  return sum;
}

typedef struct difference {
  double mean, deviation, max;
} difference;

static difference compare_fields(const pair *p) {
  double sum = 0.0, squares = 0.0, max = 0.0, count = 0.0;
  for (uint32_t v = 0; v < p->mesh.mesh.vertex_count; v++) {
    const double *at = p->mesh.mesh.xyz + 3 * (size_t)v;
    if (p->mesh.tile[v] != TH_TILE_FREE) continue;
    const double d = fabs(th_mesh_relax_p(p->mesh.relax, v) - grid_p(p, at[0], at[1]));
    sum += d;
    squares += d * d;
    max = fmax(max, d);
    count += 1.0;
  }
  const double mean = sum / count;
  return (difference){mean, sqrt(fmax(squares / count - mean * mean, 0.0)), max};
}

/* ---------------------------------------------------------------- paths */

/* The flat planner's path: steps of a fifth of a cell along (3.4), interpolated between nodes. */
static uint32_t grid_path(const pair *p, double x, double y, th_vec3 *point) {
  const double step = 0.2 / (p->side - 1);
  uint32_t count = 0;
  while (count < MAX_POINTS) {
    uint32_t n[2];
    double s[2], gx = 0.0, gy = 0.0;
    point[count++] = (th_vec3){(float)x, (float)y, 0.0f};
    node_at(p, x, y, n, s);
    if (th_relaxation_tile(p->grid, n[0] + (s[0] > 0.5), n[1] + (s[1] > 0.5)) == TH_TILE_GOAL) break;
    for (uint32_t k = 0; k < 4; k++) {
      double dx, dy;
      const double w = (k & 1 ? s[0] : 1.0 - s[0]) * (k & 2 ? s[1] : 1.0 - s[1]);
      th_relaxation_descent(p->grid, n[0] + (k & 1), n[1] + (k >> 1), &dx, &dy);
      gx += w * dx;
      gy += w * dy;
    }
    const double size = hypot(gx, gy);
    if (!(size > 0.0)) break;
    x += step * gx / size;
    y += step * gy / size;
  }
  return count;
}

typedef struct walks {
  th_mesh_height_path path[STARTS];
  th_vec3 *point; /* MOST_POINTS each */
  uint32_t points[STARTS], count;
} walks;

static void free_walks(const pair *p, walks *w) {
  for (uint32_t k = 0; k < STARTS; k++) th_mesh_height_path_free(&w->path[k]);
  TH_GIVE(&p->mesh.mesh.allocator, w->point, STARTS * MAX_POINTS);
}

/* Mean distance of a path on the mesh from that of the grid, divided by the side of the square. */
static double paths_apart(const th_mesh_height_path *path, const th_vec3 *other, uint32_t points) {
  double sum = 0.0;
  for (uint32_t n = 0; n < path->count; n++) {
    const double *at = path->point[n].xyz;
    const th_vec3 here = {(float)at[0], (float)at[1], 0.0f};
    sum += th_mesh_lab_line_apart(&here, 1, other, points);
  }
  return sum / path->count;
}

static double median_of(const double *number, uint32_t count) {
  double sorted[STARTS];
  for (uint32_t k = 0; k < count; k++) {
    uint32_t at = k;
    for (; at > 0 && sorted[at - 1] > number[k]; at--) sorted[at] = sorted[at - 1];
    sorted[at] = number[k];
  }
  return count ? sorted[count / 2] : NAN;
}

typedef struct agreement {
  double together; /* share of the starts whose paths stay within 2 % of the side on average */
  double median;   /* distance / side */
} agreement;

/* Paths of both from the same random starts. Next to a watershed they may pass an obstacle on different sides. */
static th_result compare_paths(pair *p, walks *w, agreement *found, th_error *error) {
  uint32_t face[STARTS], near = 0;
  double apart[STARTS];
  *w = (walks){.point = TH_TAKE(&p->mesh.mesh.allocator, th_vec3, STARTS * MAX_POINTS)};
  if (!w->point) return th_fail_memory(error, "experiment");
  w->count = th_mesh_lab_pick(&p->mesh, STARTS, 4, face);
  th_result result = TH_OK;
  for (uint32_t k = 0; k < w->count && result == TH_OK; k++) {
    th_vec3 *other = w->point + (size_t)k * MAX_POINTS;
    result = th_mesh_lab_path(&p->mesh, face[k], &w->path[k], error);
    if (result != TH_OK) break;
    const double *start = w->path[k].point[0].xyz;
    w->points[k] = grid_path(p, start[0], start[1], other);
    apart[k] = paths_apart(&w->path[k], other, w->points[k]);
    near += apart[k] < 0.02;
  }
  if (result == TH_OK) *found = (agreement){(double)near / w->count, median_of(apart, w->count)};
  return result;
}

static th_result draw_paths(th_lab *lab, const pair *p, const walks *w, const char *title, th_error *error) {
  th_mesh_figure_line line[STARTS];
  const uint32_t drawn = w->count < 16 ? w->count : 16;
  for (uint32_t k = 0; k < drawn; k++)
    line[k] = (th_mesh_figure_line){TH_MESH_FIGURE_GRID, w->point + (size_t)k * MAX_POINTS, w->points[k], 0};
  th_camera above = th_default_camera();
  above.kind = TH_CAMERA_ANGLES;
  above.azimuth = -90.0;
  above.elevation = 90.0;
  const th_mesh_lab_figure sheet = {.title = title,
                                    .note = "blue: on the mesh, white: on the grid",
                                    .path = w->path,
                                    .paths = drawn,
                                    .line = line,
                                    .lines = drawn,
                                    .camera = &above,
                                    .cameras = 1};
  return th_mesh_lab_draw(lab, &p->mesh, &sheet, error);
}

/* ---------------------------------------------------------------- claims */

static uint32_t inverted(const th_mesh *m) {
  uint32_t count = 0;
  for (uint32_t f = 0; f < m->face_count; f++) {
    const uint32_t *c = m->corner + 3 * (size_t)f;
    const double *a = m->xyz + 3 * (size_t)c[0], *b = m->xyz + 3 * (size_t)c[1], *d = m->xyz + 3 * (size_t)c[2];
    count += !((b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]) > 0.0);
  }
  return count;
}

typedef struct tally {
  double mean, deviation, max, together, median; /* means over cases */
  uint32_t inverted;
  double cells_off; /* largest share by which the number of cells differs from the grid's */
} tally;

static th_result run_case(th_lab *lab, uint32_t k, double noise, tally *t, th_error *error) {
  static const char *const name[2][CASES] = {
      {"case 1: mean difference of p", "case 2: mean difference of p", "case 3: mean difference of p",
       "case 4: mean difference of p, goal on the border"},
      {"case 5: mean difference of p", "case 6: mean difference of p", "case 7: mean difference of p",
       "case 8: mean difference of p, goal on the border"}};
  const layout *l = &layouts[k];
  pair p;
  walks w = {0};
  agreement found = {NAN, NAN};
  th_result result = make_pair(l, noise, &p, error);
  if (result == TH_OK) {
    const difference d = compare_fields(&p);
    const double cells = (double)l->side * l->side;
    t->mean += d.mean / CASES;
    t->deviation += d.deviation / CASES;
    t->max += d.max / CASES;
    t->inverted += inverted(&p.mesh.mesh);
    t->cells_off = fmax(t->cells_off, fabs(p.mesh.mesh.vertex_count / cells - 1.0));
    th_lab_claim(
        lab, &(th_claim){name[noise > 0.0][k], "", d.mean, 0, 0.02, noise > 0.0 ? l->noisy : l->regular, NONE, NULL});
    result = compare_paths(&p, &w, &found, error);
    t->together += found.together / CASES;
    t->median += found.median / CASES;
  }
  if (result == TH_OK && k == CASES - 1)
    result = draw_paths(lab, &p, &w,
                        noise > 0.0 ? "AT-1, case 8: paths of both planners" : "AT-1, case 4: paths of both planners",
                        error);
  free_walks(&p, &w);
  free_pair(&p);
  return result;
}

static th_result run_cases(th_lab *lab, double noise, tally *t, th_error *error) {
  th_result result = TH_OK;
  *t = (tally){0};
  for (uint32_t k = 0; k < CASES && result == TH_OK; k++) result = run_case(lab, k, noise, t, error);
  return result;
}

static th_result compare(th_lab *lab, double noise, const double thesis[3], th_error *error) {
  tally t;
  th_result result = run_cases(lab, noise, &t, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"mean over the cases", "", t.mean, 0, 0.01, thesis[0], NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"standard deviation, mean over the cases", "", t.deviation, 0, 0.03, thesis[1], NONE, NULL});
  th_lab_claim(lab, &(th_claim){"largest difference, mean over the cases (told, not judged)", "", t.max, 0, 1,
                                thesis[2], NONE, NULL});
  th_lab_claim(lab, &(th_claim){"distance of a path from the grid's by the side, median of 32 starts", "", t.median, 0,
                                0.01, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"share of paths that stay within 2 %; the others pass an obstacle on its other side",
                                "", t.together, 0.95, 1, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"inverted triangles", "", t.inverted, 0, 0, 0, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"number of cells against 2,500 and 10,000", "", t.cells_off, 0, 0.02, NONE, NONE, NULL});
  return TH_OK;
}

th_result th_mesh_at1_even(th_lab *lab, th_error *error) {
  static const double thesis[3] = {0.00786, 0.00781, 0.07473};
  return compare(lab, 0.0, thesis, error);
}

th_result th_mesh_at1_noisy(th_lab *lab, th_error *error) {
  static const double thesis[3] = {0.01008, 0.01180, 0.36586};
  return compare(lab, 0.4, thesis, error);
}
