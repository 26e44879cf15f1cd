/* geometry/mesh/smooth.c - takes the fine relief off a surface by diffusion.
 *
 * In each round a vertex moves halfway to the mean of its neighbours, which spreads a point over a disc whose
 * variance along each axis grows by a quarter of the squared edge; longer edges count less, so that the scale is a
 * length [m] and not a number of edges. Diffusion also drags vertices along the surface, shrinks borders and can turn
 * faces over. Therefore only the part of the displacement along the smooth surface's normal is used: faces keep their
 * place. Where a face stands so steep that it would lose most of its area, its corners move half as far, again and
 * again, until it does not; a corner that has been halved MAX_HALVINGS times stays where it was, so this ends. Cost:
 * about 10 ns per vertex and round.
 */
#include "geometry/mesh/smooth.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"

#define MAX_ROUNDS 400.0
#define MAX_HALVINGS 6

typedef struct smoother {
  const th_mesh *mesh;
  double edge;
  double *at;      /* of each vertex: where diffusion has brought it */
  double *sum;     /* of each vertex: of its neighbours' displacements; then the normal */
  double *weight;  /* of each half-edge */
  uint8_t *halved; /* of each vertex: how often */
  uint32_t *degree;
} smoother;

static bool take(smoother *s) {
  const th_allocator *a = &s->mesh->allocator;
  const size_t vertices = s->mesh->vertex_count;
  s->at = TH_TAKE(a, double, 3 * vertices);
  s->sum = TH_TAKE(a, double, 3 * vertices);
  s->weight = TH_TAKE(a, double, 3 * (size_t)s->mesh->face_count);
  s->halved = TH_TAKE(a, uint8_t, vertices);
  s->degree = TH_TAKE(a, uint32_t, vertices);
  return s->at && s->sum && s->weight && s->halved && s->degree;
}

static void give(smoother *s) {
  const th_allocator *a = &s->mesh->allocator;
  const size_t vertices = s->mesh->vertex_count;
  TH_GIVE(a, s->at, 3 * vertices);
  TH_GIVE(a, s->sum, 3 * vertices);
  TH_GIVE(a, s->weight, 3 * (size_t)s->mesh->face_count);
  TH_GIVE(a, s->halved, vertices);
  TH_GIVE(a, s->degree, vertices);
}

/* An edge of two faces is two half-edges, one from each end; one at the border is only one and serves both. */
static bool serves_both(const smoother *s, uint32_t h) { return s->mesh->twin[h] == TH_NO_HALF; }

static void weigh_edges(smoother *s) {
  const th_mesh *m = s->mesh;
  for (uint32_t h = 0; h < 3 * m->face_count; h++) {
    double d[3];
    uint32_t a = th_half_from(m, h), b = th_half_to(m, h);
    th_minus3d(m->xyz + 3 * (size_t)b, m->xyz + 3 * (size_t)a, d);
    s->weight[h] = fmin(1.0, s->edge * s->edge / th_dot3d(d, d));
    s->degree[a]++;
    s->degree[b] += serves_both(s, h);
  }
}

static void diffuse(smoother *s) {
  const th_mesh *m = s->mesh;
  memset(s->sum, 0, 3 * sizeof *s->sum * m->vertex_count);
  for (uint32_t h = 0; h < 3 * m->face_count; h++) {
    size_t a = 3 * (size_t)th_half_from(m, h), b = 3 * (size_t)th_half_to(m, h);
    for (size_t k = 0; k < 3; k++) {
      double pull = s->weight[h] * (s->at[b + k] - s->at[a + k]);
      s->sum[a + k] += pull;
      if (serves_both(s, h)) s->sum[b + k] -= pull;
    }
  }
  for (uint32_t v = 0; v < m->vertex_count; v++)
    for (size_t k = 3 * (size_t)v; k < 3 * (size_t)v + 3; k++)
      s->at[k] += 0.5 * s->sum[k] / (s->degree[v] + (s->degree[v] == 0));
}

static double normal_of(const th_mesh *m, uint32_t f, const double *xyz, double *n) {
  const uint32_t *corner = m->corner + 3 * (size_t)f;
  th_normal3d(xyz + 3 * (size_t)corner[0], xyz + 3 * (size_t)corner[1], xyz + 3 * (size_t)corner[2], n);
  return th_length3d(n);
}

/* Puts into `sum` of each vertex the displacement along the diffused surface's normal. */
static void keep_normal_part(smoother *s) {
  const th_mesh *m = s->mesh;
  memset(s->sum, 0, 3 * sizeof *s->sum * m->vertex_count);
  for (uint32_t f = 0; f < m->face_count; f++) {
    double n[3];
    normal_of(m, f, s->at, n);
    for (uint32_t corner = 0; corner < 3; corner++)
      for (size_t k = 0; k < 3; k++) s->sum[3 * (size_t)m->corner[3 * f + corner] + k] += n[k];
  }
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    double *n = s->sum + 3 * (size_t)v, d[3];
    th_minus3d(s->at + 3 * (size_t)v, m->xyz + 3 * (size_t)v, d);
    double square = th_dot3d(n, n), along = square > 0.0 ? th_dot3d(d, n) / square : 0.0;
    for (int k = 0; k < 3; k++) n[k] *= along;
  }
}

static void displace(const smoother *s, double *xyz) {
  static const double share[MAX_HALVINGS + 1] = {1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.0};
  for (uint32_t v = 0; v < s->mesh->vertex_count; v++)
    for (size_t k = 3 * (size_t)v; k < 3 * (size_t)v + 3; k++)
      xyz[k] = s->mesh->xyz[k] + share[s->halved[v]] * s->sum[k];
}

/* Corners of faces that have lost their area move half as far; false when there is none. */
static bool hold_back(smoother *s, const double *xyz) {
  const th_mesh *m = s->mesh;
  bool any = false;
  for (uint32_t f = 0; f < m->face_count; f++) {
    double n[3];
    if (normal_of(m, f, xyz, n) >= TH_SMOOTH_AREA * normal_of(m, f, m->xyz, n)) continue;
    for (uint32_t corner = 0; corner < 3; corner++) {
      uint8_t *halved = &s->halved[m->corner[3 * f + corner]];
      if (*halved == MAX_HALVINGS) continue;
      ++*halved;
      any = true;
    }
  }
  return any;
}

bool th_mesh_smooth(const th_mesh *mesh, const th_smooth_def *def, double *xyz) {
  smoother s = {.mesh = mesh, .edge = def->edge};
  bool taken = take(&s);
  if (taken) {
    memcpy(s.at, mesh->xyz, 3 * sizeof *s.at * mesh->vertex_count);
    weigh_edges(&s);
    const double rounds = fmin(ceil(4.0 * def->scale * def->scale / (def->edge * def->edge)), MAX_ROUNDS);
    for (double n = 0.0; n < rounds; n += 1.0) diffuse(&s);
    keep_normal_part(&s);
    do displace(&s, xyz);
    while (hold_back(&s, xyz));
  }
  give(&s);
  return taken;
}
