/* report/render/raster.c - rasterises one face into a band of samples.
 *
 * Three linear functions e_k over the page are enough: e_k is the barycentric weight k times the perspective divisor,
 * so b_k = e_k / (e_0 + e_1 + e_2) is exact in perspective, e_k = 0 is the edge opposite to corner k, and sum e_k (v_k
 * - L) = 0 is the isoline of level L. A linear function divided by the length of its gradient is a distance on the
 * page, so edges, frontiers and isolines get an even width by a test per sample, without drawing lines. (Olano and
 * Greer 1997 rasterise by such functions.) Cost: O(samples covered).
 */
#include "report/render/view.h"

typedef struct flat {
  double at, x, y; /* at + x X + y Y */
} flat;

static inline double flat_at(const flat *f, double x, double y) { return f->at + f->x * x + f->y * y; }
static inline double flat_slope(const flat *f) { return sqrt(f->x * f->x + f->y * f->y); }

/* A corner of the part of a face in front of the eye. */
typedef struct cut_corner {
  double point[3], b[3];
} cut_corner;

typedef struct tile {
  const th_render_mesh *drawn;
  const th_render_camera *eye;
  th_render_rows *band;
  uint32_t face;
  bool plain, behind;
  flat inside[3], e[3], key, weight, value;
  double edge[3]; /* 1 / slope of e opposite to each corner, 0: that edge is no thin line */
  double v[3];    /* vertex values */
  bool lines;     /* isolines */
  bool mixed;     /* cells of several kinds meet */
  th_render_rims rims;
  th_render_face_marks marks;
} tile;

/* The function that is 1 in corner k and 0 in the two others. */
static bool make_inside(tile *t, const th_render_point spot[3]) {
  double area = (spot[1].x - spot[0].x) * (spot[2].y - spot[0].y) - (spot[2].x - spot[0].x) * (spot[1].y - spot[0].y);
  if (!(fabs(area) > 1e-12)) return false;
  t->behind = area > 0.0; /* y runs down on the page */
  for (int k = 0; k < 3; k++) {
    const th_render_point *a = &spot[(k + 1) % 3], *b = &spot[(k + 2) % 3];
    flat f = {0.0, (a->y - b->y) / area, (b->x - a->x) / area};
    f.at = -(f.x * a->x + f.y * a->y);
    t->inside[k] = f;
  }
  return true;
}

static void add(flat *sum, const flat *f, double by) {
  sum->at += by * f->at, sum->x += by * f->x, sum->y += by * f->y;
}

static void make_functions(tile *t, const th_render_point spot[3], const cut_corner corner[3]) {
  t->key = t->weight = t->value = (flat){0};
  for (int k = 0; k < 3; k++) t->e[k] = (flat){0};
  for (int j = 0; j < 3; j++) {
    add(&t->key, &t->inside[j], spot[j].key);
    add(&t->weight, &t->inside[j], spot[j].weight);
    for (int k = 0; k < 3; k++) add(&t->e[k], &t->inside[j], spot[j].weight * corner[j].b[k]);
  }
  for (int k = 0; k < 3; k++) {
    double slope = flat_slope(&t->e[k]);
    const bool thin = t->drawn->edge[3 * t->face + (uint32_t)((k + 1) % 3)] == TH_EDGE_MESH;
    t->edge[k] = thin && slope > 0.0 ? 1.0 / slope : 0.0;
    if (t->lines) add(&t->value, &t->e[k], t->v[k]);
  }
}

/* Where the value equals a level, within half the width of a line; narrower where levels are dense. */
static double isoline(const tile *t, double x, double y, double value) {
  const th_render_mesh *drawn = t->drawn;
  uint32_t i = th_render_mesh_level(drawn, value);
  double level = drawn->level[i], gap = 0.0;
  double fx = t->value.x - level * t->weight.x, fy = t->value.y - level * t->weight.y, slope = sqrt(fx * fx + fy * fy);
  double f = flat_at(&t->value, x, y) - level * flat_at(&t->weight, x, y);
  if (!(fabs(f) < 0.75 * t->band->unit * slope)) return 0.0;
  if (i + 1 < drawn->levels) gap = drawn->level[i + 1] - level;
  if (i > 0) gap = gap > 0.0 ? fmin(gap, level - drawn->level[i - 1]) : level - drawn->level[i - 1];
  double apart = gap * flat_at(&t->weight, x, y) / slope / t->band->unit;
  if (apart > 400.0) return 0.0; /* a plain without slope is no line */
  return drawn->levels > 1 ? fmin(1.0, fmax(0.0, (apart - 2.0) / 6.0)) : 1.0;
}

/* The border between the two nearest vertices, when their cells differ. */
static bool frontier(const tile *t, double x, double y, const double b[3]) {
  const uint32_t *corner = t->drawn->def->mesh->corner + 3 * (size_t)t->face;
  int low = b[0] < b[1] ? (b[0] < b[2] ? 0 : 2) : (b[1] < b[2] ? 1 : 2), i = (low + 1) % 3, j = (low + 2) % 3;
  if (t->drawn->def->cell[corner[i]] == t->drawn->def->cell[corner[j]]) return false;
  flat d = t->e[i];
  add(&d, &t->e[j], -1.0);
  return fabs(flat_at(&d, x, y)) < 1.1 * t->band->unit * flat_slope(&d);
}

#define THIN 0.45 /* half the width of the triangles' edges, in units of the page */

static void draw_edges(const tile *t, double x, double y, const double e[3], float rgb[3]) {
  for (int k = 0; k < 3; k++)
    if (t->edge[k] > 0.0 && e[k] * t->edge[k] < THIN * t->band->unit) th_render_mix(rgb, &th_ink, 0.26);
  const th_edge_mark mark = th_render_rims_at(&t->rims, x, y, t->band->unit);
  if (mark != TH_EDGE_NONE) th_render_mix(rgb, mark == TH_EDGE_WALL ? &th_ink : &th_frontier_yellow, 0.95);
}

static uint32_t shade(const tile *t, double x, double y) {
  const float *normal = t->drawn->normal + 9 * (size_t)t->face;
  double e[3], b[3], n[3], ray[3], w = 0.0;
  float rgb[3];
  for (int k = 0; k < 3; k++) {
    e[k] = fmax(0.0, flat_at(&t->e[k], x, y));
    w += e[k];
  }
  for (int k = 0; k < 3; k++) b[k] = e[k] / w;
  th_render_mesh_colour(t->drawn, t->face, b, rgb);
  if (t->behind) th_render_mix(rgb, &th_soft_ink, 0.30);
  if (t->lines) {
    double line = isoline(t, x, y, b[0] * t->v[0] + b[1] * t->v[1] + b[2] * t->v[2]);
    if (line > 0.0) th_render_mix(rgb, &th_ink, TH_ISOLINE_INK * line);
  }
  if (t->mixed && frontier(t, x, y, b)) th_render_mix(rgb, &th_frontier_yellow, 0.95);
  const th_render_sample at = {t->face, b, t->band->unit};
  if (t->marks.count && !t->behind) th_render_marks_paint(t->drawn, t->eye, &t->marks, &at, rgb);
  draw_edges(t, x, y, e, rgb);
  for (int k = 0; k < 3; k++)
    n[k] = (b[0] * (double)normal[k] + b[1] * (double)normal[3 + k] + b[2] * (double)normal[6 + k]) *
           (t->behind ? -1.0 : 1.0);
  th_unit3d(n);
  for (int k = 0; k < 3; k++) ray[k] = t->eye->back[k]; /* accurate enough in perspective for darkening */
  double light = th_render_light(t->eye, n, ray);
  uint32_t pixel = 0xff;
  for (int k = 0; k < 3; k++) pixel = pixel << 8 | (uint32_t)(255.0 * fmin(1.0, light * (double)rgb[k]) + 0.5);
  return pixel;
}

/* Samples of row y inside all three edges; false when there is none. */
static bool span(const tile *t, double y, double *from, double *to) {
  double lo = 0.5, hi = t->band->width - 0.5;
  for (int k = 0; k < 3; k++) {
    double at = t->inside[k].at + t->inside[k].y * y + 1e-9, slope = t->inside[k].x;
    if (slope > 0.0)
      lo = fmax(lo, -at / slope);
    else if (slope < 0.0)
      hi = fmin(hi, -at / slope);
    else if (at < 0.0)
      return false;
  }
  *from = ceil(lo - 0.5), *to = floor(hi - 0.5);
  return *from <= *to;
}

static void fill(tile *t, const th_render_point spot[3]) {
  th_render_rows *band = t->band;
  double low = fmin(spot[0].y, fmin(spot[1].y, spot[2].y)), high = fmax(spot[0].y, fmax(spot[1].y, spot[2].y));
  double first = fmax(ceil(low - 0.5), band->top), last = fmin(floor(high - 0.5), (double)band->top + band->rows - 1.0);
  for (double row = first; row <= last; row += 1.0) {
    double y = row + 0.5, from, to;
    if (!span(t, y, &from, &to)) continue;
    size_t base = ((size_t)row - band->top) * band->width;
    for (size_t i = (size_t)from; i <= (size_t)to; i++) {
      double x = (double)i + 0.5;
      float key = (float)flat_at(&t->key, x, y);
      if (!(key > band->key[base + i])) continue;
      band->key[base + i] = key;
      band->face[base + i] = t->face;
      band->colour[base + i] = t->plain ? 0xff000000u : shade(t, x, y);
    }
  }
}

static void fill_corners(tile *t, const cut_corner *corner[3]) {
  th_render_point spot[3];
  cut_corner copy[3];
  for (int k = 0; k < 3; k++) {
    if (!th_render_camera_see(t->eye, corner[k]->point, &spot[k])) return;
    copy[k] = *corner[k];
  }
  double low = fmin(spot[0].y, fmin(spot[1].y, spot[2].y)), high = fmax(spot[0].y, fmax(spot[1].y, spot[2].y));
  if (high < t->band->top || low > (double)t->band->top + t->band->rows || !make_inside(t, spot)) return;
  if (t->behind && t->eye->cull) return;
  make_functions(t, spot, copy);
  fill(t, spot);
}

/* The part of a face in front of the eye: at most four corners. */
static int cut(const th_render_camera *eye, const cut_corner in[3], cut_corner out[4]) {
  int count = 0;
  for (int k = 0; k < 3; k++) {
    const cut_corner *a = &in[k], *b = &in[(k + 1) % 3];
    double d[3], da, db;
    for (int i = 0; i < 3; i++) d[i] = a->point[i] - eye->at[i];
    da = -th_dot3d(d, eye->back) - 1.01 * eye->nearest;
    for (int i = 0; i < 3; i++) d[i] = b->point[i] - eye->at[i];
    db = -th_dot3d(d, eye->back) - 1.01 * eye->nearest;
    if (da >= 0.0) out[count++] = *a;
    if ((da >= 0.0) == (db >= 0.0)) continue;
    double s = da / (da - db);
    for (int i = 0; i < 3; i++) {
      out[count].point[i] = a->point[i] + s * (b->point[i] - a->point[i]);
      out[count].b[i] = a->b[i] + s * (b->b[i] - a->b[i]);
    }
    count++;
  }
  return count;
}

static void prepare(tile *t) {
  const th_mesh_figure_def *def = t->drawn->def;
  const uint32_t *corner = def->mesh->corner + 3 * (size_t)t->face;
  bool blocked = def->blocked && def->blocked[t->face];
  t->lines = def->value.vertex && t->drawn->levels && !blocked;
  for (int k = 0; k < 3 && t->lines; k++) {
    t->v[k] = (double)def->value.vertex[corner[k]];
    if (!isfinite(t->v[k])) t->lines = false;
  }
  th_render_rims_find(t->drawn, t->eye, t->face, &t->rims);
  th_render_marks_find(t->drawn, t->face, &t->marks);
  t->mixed =
      def->cell && (def->cell[corner[0]] != def->cell[corner[1]] || def->cell[corner[1]] != def->cell[corner[2]]);
}

void th_raster_face(const th_render_mesh *drawn, const th_render_camera *eye, th_render_rows *band, uint32_t face,
                    bool plain) {
  if (eye->hidden && eye->hidden[face]) return;
  tile t = {.drawn = drawn, .eye = eye, .band = band, .face = face, .plain = plain};
  cut_corner in[3] = {{.b = {1.0, 0.0, 0.0}}, {.b = {0.0, 1.0, 0.0}}, {.b = {0.0, 0.0, 1.0}}}, out[4];
  int count = 3;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      in[k].point[i] = drawn->xyz[3 * (size_t)drawn->def->mesh->corner[3 * (size_t)face + (size_t)k] + (size_t)i];
  for (int k = 0; k < 3; k++) out[k] = in[k];
  if (eye->lens) count = cut(eye, in, out);
  if (!plain && count >= 3) prepare(&t);
  for (int k = 1; k + 1 < count; k++) fill_corners(&t, (const cut_corner *[3]){&out[0], &out[k], &out[k + 1]});
}
