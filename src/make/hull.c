/* make/hull.c - the surface of a solid that is given by a function, with a wanted number of faces.
 *
 * Marching tetrahedra (Doi and Koide 1991): a grid of cubes, each cut into six tetrahedra along its diagonal, and a
 * triangle or two where the sign changes inside a tetrahedron. Unlike marching cubes it has no ambiguous case, so the
 * surface is always a closed manifold. The grid is chosen so that the surface has a little fewer faces than wanted; the
 * longest edges are halved until the number is met, and the vertices are spread on the surface by averaging, each time
 * followed by a Newton step back onto the zero of the function. Cost: one value per grid point and 84 per vertex, about
 * 1 s for 70,000 faces.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/vector.h"
#include "make/shapes.h"

#define MAX_GRID 220 /* points on the longest side */
#define SPREADS 12   /* rounds of averaging */
#define NO_VERTEX UINT32_MAX

typedef struct grid {
  const th_make_hull *skin;
  double h;
  uint32_t n[3];
  double *value;
  uint32_t *edge; /* 7 for each point: the vertex on the edge to the point ahead by the bits of 1 .. 7 */
  size_t points;
} grid;

static size_t point_of(const grid *g, uint32_t i, uint32_t j, uint32_t k) {
  return ((size_t)k * g->n[1] + j) * g->n[0] + i;
}

static void place_point(const grid *g, size_t p, double *out) {
  size_t i = p % g->n[0], j = p / g->n[0] % g->n[1], k = p / g->n[0] / g->n[1];
  out[0] = g->skin->lower[0] + g->h * (double)i;
  out[1] = g->skin->lower[1] + g->h * (double)j;
  out[2] = g->skin->lower[2] + g->h * (double)k;
}

/* The surface crosses between points a and b = a + bits; kept off the ends, so that no triangle degenerates. */
static uint32_t cross(const grid *g, th_soup *soup, size_t a, size_t b, uint32_t bits) {
  uint32_t *slot = &g->edge[7 * a + bits - 1];
  if (*slot != NO_VERTEX) return *slot;
  double p[3], q[3], t = g->value[a] / (g->value[a] - g->value[b]);
  t = t < 0.15 ? 0.15 : t > 0.85 ? 0.85 : t;
  place_point(g, a, p);
  place_point(g, b, q);
  *slot = th_soup_vertex(soup, p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2]));
  return *slot;
}

/* Corners c[0] < ... < c[3] of one tetrahedron, as bits of the cube; each edge runs from lower to higher bits. */
static uint32_t edge_vertex(const grid *g, th_soup *soup, const size_t *at, const uint32_t *c, int m, int n) {
  int low = m < n ? m : n, high = m < n ? n : m;
  return cross(g, soup, at[low], at[high], c[high] & ~c[low]);
}

/* Winding by the outward direction: from the inner corners to the outer ones. */
static void add_outward(th_soup *soup, uint32_t a, uint32_t b, uint32_t c, const double *out) {
  if (soup->failed) return;
  const double *p = soup->xyz[a], *q = soup->xyz[b], *r = soup->xyz[c];
  double n[3];
  th_normal3d(p, q, r, n);
  const double side = th_dot3d(n, out);
  th_soup_face(soup, a, side > 0.0 ? b : c, side > 0.0 ? c : b);
}

static void add_tetrahedron(const grid *g, th_soup *soup, const size_t *at, const uint32_t *c) {
  int in[4], out[4], ins = 0, outs = 0;
  double outward[3] = {0.0, 0.0, 0.0}, p[3];
  for (int m = 0; m < 4; m++)
    if (g->value[at[m]] < 0.0)
      in[ins++] = m;
    else
      out[outs++] = m;
  if (!ins || !outs) return;
  for (int m = 0; m < 4; m++) {
    place_point(g, at[m], p);
    double weight = g->value[at[m]] < 0.0 ? -1.0 / ins : 1.0 / outs;
    for (int k = 0; k < 3; k++) outward[k] += weight * p[k];
  }
  if (ins == 2) {
    uint32_t a = edge_vertex(g, soup, at, c, in[0], out[0]), b = edge_vertex(g, soup, at, c, in[0], out[1]);
    uint32_t d = edge_vertex(g, soup, at, c, in[1], out[1]), e = edge_vertex(g, soup, at, c, in[1], out[0]);
    add_outward(soup, a, b, d, outward);
    add_outward(soup, a, d, e, outward);
    return;
  }
  int one = ins == 1 ? in[0] : out[0];
  const int *rest = ins == 1 ? out : in;
  add_outward(soup, edge_vertex(g, soup, at, c, one, rest[0]), edge_vertex(g, soup, at, c, one, rest[1]),
              edge_vertex(g, soup, at, c, one, rest[2]), outward);
}

/* The six tetrahedra of a cube: from corner 0 to corner 7 by adding the three axes in each order (Kuhn 1960). */
static void add_cube(const grid *g, th_soup *soup, uint32_t i, uint32_t j, uint32_t k) {
  static const uint32_t order[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
  size_t corner[8];
  uint32_t inside = 0;
  for (uint32_t m = 0; m < 8; m++) {
    corner[m] = point_of(g, i + (m & 1), j + (m >> 1 & 1), k + (m >> 2));
    inside += g->value[corner[m]] < 0.0;
  }
  if (inside == 0 || inside == 8) return;
  for (int t = 0; t < 6; t++) {
    const uint32_t c[4] = {0, order[t][0], order[t][1], 7};
    const size_t at[4] = {corner[0], corner[c[1]], corner[c[2]], corner[7]};
    add_tetrahedron(g, soup, at, c);
  }
}

static void march(grid *g, th_soup *soup) {
  for (size_t p = 0; p < g->points; p++) {
    double at[3];
    place_point(g, p, at);
    g->value[p] = g->skin->solid(g->skin->user, at);
  }
  for (size_t e = 0; e < 7 * g->points; e++) g->edge[e] = NO_VERTEX;
  for (uint32_t k = 0; k + 1 < g->n[2]; k++)
    for (uint32_t j = 0; j + 1 < g->n[1]; j++)
      for (uint32_t i = 0; i + 1 < g->n[0]; i++) add_cube(g, soup, i, j, k);
}

static void march_with(const th_make_hull *skin, double h, th_soup *soup) {
  grid g = {.skin = skin, .h = h};
  for (int k = 0; k < 3; k++) g.n[k] = (uint32_t)ceil((skin->upper[k] - skin->lower[k]) / h) + 1;
  g.points = (size_t)g.n[0] * g.n[1] * g.n[2];
  g.value = TH_TAKE(&soup->allocator, double, g.points);
  g.edge = TH_TAKE(&soup->allocator, uint32_t, 7 * g.points);
  if (g.value && g.edge)
    march(&g, soup);
  else
    soup->failed = true;
  TH_GIVE(&soup->allocator, g.value, g.points);
  TH_GIVE(&soup->allocator, g.edge, 7 * g.points);
}

/* p - f grad f / |grad f|^2, by central differences. */
static void project(const th_make_hull *skin, double *p, double step) {
  double q[3] = {p[0], p[1], p[2]}, slope[3], gg = 0.0, f = skin->solid(skin->user, p);
  for (int k = 0; k < 3; k++) {
    q[k] = p[k] + step;
    double ahead = skin->solid(skin->user, q);
    q[k] = p[k] - step;
    slope[k] = (ahead - skin->solid(skin->user, q)) / (2.0 * step);
    q[k] = p[k];
    gg += slope[k] * slope[k];
  }
  if (gg > 1e-6)
    for (int k = 0; k < 3; k++) p[k] -= f * slope[k] / gg;
}

/* Moves each vertex half way to the mean of its neighbours, then back onto the surface. */
static void spread(th_soup *soup, const th_make_hull *skin, double h) {
  const th_allocator *a = &soup->allocator;
  double(*sum)[4] = th_take(a, soup->vertex_count, sizeof *sum);
  if (!sum) soup->failed = true;
  for (int round = 0; round < SPREADS && sum; round++) {
    for (uint32_t v = 0; v < soup->vertex_count; v++)
      for (int k = 0; k < 4; k++) sum[v][k] = 0.0;
    for (uint32_t f = 0; f < soup->face_count; f++) {
      for (int m = 0; m < 3; m++) {
        uint32_t v = soup->corner[f][m], w = soup->corner[f][(m + 1) % 3];
        for (int k = 0; k < 3; k++) sum[v][k] += soup->xyz[w][k];
        sum[v][3] += 1.0;
      }
    }
    for (uint32_t v = 0; v < soup->vertex_count; v++) {
      for (int k = 0; k < 3; k++) soup->xyz[v][k] = 0.5 * (soup->xyz[v][k] + sum[v][k] / sum[v][3]);
      project(skin, soup->xyz[v], 1e-3 * h);
    }
  }
  TH_GIVE(a, sum, soup->vertex_count);
}

static th_result check_genus(const th_soup *soup, const th_make_hull *skin, bool *right, th_error *error) {
  th_soup copy = {.allocator = soup->allocator};
  for (uint32_t v = 0; v < soup->vertex_count; v++)
    th_soup_vertex(&copy, soup->xyz[v][0], soup->xyz[v][1], soup->xyz[v][2]);
  for (uint32_t f = 0; f < soup->face_count; f++)
    th_soup_face(&copy, soup->corner[f][0], soup->corner[f][1], soup->corner[f][2]);
  th_mesh mesh;
  th_mesh_pieces pieces = {0};
  th_result result = th_soup_mesh(&copy, &mesh, error);
  if (result == TH_OK) result = th_mesh_pieces_make(&mesh, &pieces, error);
  if (result == TH_OK)
    *right = pieces.count == 1 && pieces.piece[0].borders == 0 && pieces.piece[0].genus == skin->genus;
  th_mesh_pieces_free(&mesh, &pieces);
  th_mesh_free(&mesh);
  return result;
}

/* Finds a grid whose skin has 80 to 100 % of the wanted faces: their number grows with 1 / h^2. */
static th_result find_grid(th_soup *soup, const th_make_hull *skin, double *h, th_error *error) {
  double longest = 0.0;
  for (int k = 0; k < 3; k++) longest = fmax(longest, skin->upper[k] - skin->lower[k]);
  *h = longest / 40.0;
  for (int round = 0; round < 12; round++) {
    th_soup trial = {.allocator = soup->allocator};
    march_with(skin, *h, &trial);
    bool right = false;
    uint32_t faces = trial.face_count;
    th_result result = trial.failed ? th_fail_memory(error, "skin") : TH_OK;
    if (result == TH_OK && faces && faces <= skin->faces && faces >= 0.8 * skin->faces)
      result = check_genus(&trial, skin, &right, error);
    if (right && result == TH_OK) {
      *soup = trial;
      return TH_OK;
    }
    th_soup_free(&trial);
    if (result != TH_OK) return result;
    *h *= faces ? sqrt(faces / ((0.95 - 0.01 * round) * skin->faces)) : 0.5;
    if (longest / *h > MAX_GRID) break;
  }
  return th_fail(error, TH_ERROR_GEOMETRY, "skin", "expected a solid of genus %u that %u faces show, found none",
                 skin->genus, skin->faces);
}

th_result th_make_hull_of(th_soup *soup, const th_make_hull *skin, th_error *error) {
  double h;
  th_result result = find_grid(soup, skin, &h, error);
  if (result == TH_OK) result = th_soup_refine(soup, skin->faces, error);
  if (result != TH_OK) return result;
  spread(soup, skin, h);
  return soup->failed ? th_fail_memory(error, "skin") : TH_OK;
}
