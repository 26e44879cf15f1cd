/* make/soup.c - triangles collected one by one, and functions that distort them on purpose.
 *
 * Generated meshes go through th_mesh_build like meshes from files, so a generator only has to place triangles; seams
 * close because vertices at one place are welded. Noise is a function of (seed, vertex), so it does not depend on the
 * order of visits.
 */
#include "make/soup.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"

enum { STREAM_ACROSS = 1, STREAM_ALONG, STREAM_UP, STREAM_LENGTH, STREAM_SPOIL };

th_soup th_soup_begin(const th_env *env) {
  th_env none = {0};
  return (th_soup){.allocator = th_env_complete(env ? env : &none).allocator};
}

void th_soup_free(th_soup *soup) {
  TH_GIVE(&soup->allocator, soup->xyz, soup->vertex_capacity);
  TH_GIVE(&soup->allocator, soup->corner, soup->face_capacity);
  *soup = (th_soup){.allocator = soup->allocator};
}

uint32_t th_soup_vertex(th_soup *soup, double x, double y, double z) {
  void *memory = soup->xyz;
  if (soup->failed ||
      !th_grow(&soup->allocator, &memory, &soup->vertex_capacity, soup->vertex_count + 1, sizeof *soup->xyz)) {
    soup->failed = true;
    return 0;
  }
  soup->xyz = memory;
  double *p = soup->xyz[soup->vertex_count];
  p[0] = x;
  p[1] = y;
  p[2] = z;
  return soup->vertex_count++;
}

void th_soup_face(th_soup *soup, uint32_t a, uint32_t b, uint32_t c) {
  void *memory = soup->corner;
  if (soup->failed ||
      !th_grow(&soup->allocator, &memory, &soup->face_capacity, soup->face_count + 1, sizeof *soup->corner)) {
    soup->failed = true;
    return;
  }
  soup->corner = memory;
  uint32_t *corner = soup->corner[soup->face_count++];
  corner[0] = a;
  corner[1] = b;
  corner[2] = c;
}

void th_soup_quad(th_soup *soup, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  th_soup_face(soup, a, b, c);
  th_soup_face(soup, a, c, d);
}

th_result th_soup_mesh(th_soup *soup, th_mesh *mesh, th_error *error) {
  th_mesh_def def = th_default_mesh_def();
  def.env.allocator = soup->allocator;
  def.xyz_double = soup->vertex_count ? soup->xyz[0] : NULL;
  def.corner = soup->face_count ? soup->corner[0] : NULL;
  def.vertex_count = soup->vertex_count;
  def.face_count = soup->face_count;
  *mesh = (th_mesh){0};
  th_result result = soup->failed ? th_fail_memory(error, "mesh") : th_mesh_build(&def, mesh, error);
  th_soup_free(soup);
  return result;
}

/* Area-weighted normals, and the shortest edge of each vertex (0 for vertices of the border, which stay). */
static void measure(const th_mesh *m, double (*normal)[3], double *shortest) {
  for (uint32_t v = 0; v < m->vertex_count; v++) shortest[v] = th_vertex_is_border(m, v) ? 0.0 : HUGE_VAL;
  for (uint32_t f = 0; f < m->face_count; f++) {
    double n[3];
    const uint32_t *c = m->corner + 3 * (size_t)f;
    th_normal3d(m->xyz + 3 * (size_t)c[0], m->xyz + 3 * (size_t)c[1], m->xyz + 3 * (size_t)c[2], n);
    for (int k = 0; k < 3; k++) {
      double edge[3], length;
      uint32_t a = c[k], b = c[(k + 1) % 3];
      th_minus3d(m->xyz + 3 * (size_t)b, m->xyz + 3 * (size_t)a, edge);
      length = th_length3d(edge);
      if (length < shortest[a]) shortest[a] = length;
      if (length < shortest[b]) shortest[b] = length;
      for (int i = 0; i < 3; i++) normal[a][i] += n[i];
    }
  }
}

static void shake_vertex(double *p, const double *normal, double length, uint64_t seed, uint32_t v) {
  double d[3], nn = th_dot3d(normal, normal);
  for (uint32_t k = 0; k < 3; k++) d[k] = th_random_normal(seed, STREAM_ACROSS + k, v, 0);
  double out = nn > 0.0 ? th_dot3d(d, normal) / nn : 0.0;
  for (int k = 0; k < 3; k++) d[k] -= out * normal[k];
  double dd = th_dot3d(d, d), size = length * th_random_unit_double(seed, STREAM_LENGTH, v, 0);
  if (!(dd > 0.0)) return;
  for (int k = 0; k < 3; k++) p[k] += d[k] * size / sqrt(dd);
}

/* The soup becomes a mesh and the mesh's arrays a soup again, so that vertices at one place move as one. */
static void give_back(th_soup *soup, const th_mesh *m) {
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    const double *p = m->xyz + 3 * (size_t)v;
    th_soup_vertex(soup, p[0], p[1], p[2]);
  }
  for (uint32_t f = 0; f < m->face_count; f++) {
    const uint32_t *c = m->corner + 3 * (size_t)f;
    th_soup_face(soup, c[0], c[1], c[2]);
  }
}

th_result th_soup_shake(th_soup *soup, double share, uint64_t seed, th_error *error) {
  th_mesh m;
  th_allocator a = soup->allocator;
  th_result result = th_soup_mesh(soup, &m, error);
  if (result != TH_OK) return result;
  double(*normal)[3] = th_take(&a, m.vertex_count, sizeof *normal), *shortest = TH_TAKE(&a, double, m.vertex_count);
  if (normal && shortest) {
    measure(&m, normal, shortest);
    for (uint32_t v = 0; v < m.vertex_count; v++)
      shake_vertex(m.xyz + 3 * (size_t)v, normal[v], share * shortest[v], seed, v);
    give_back(soup, &m);
  } else {
    soup->failed = true;
  }
  TH_GIVE(&a, normal, m.vertex_count);
  TH_GIVE(&a, shortest, m.vertex_count);
  th_mesh_free(&m);
  return soup->failed ? th_fail_memory(error, "mesh") : TH_OK;
}

void th_soup_spoil(th_soup *soup, double share, double height, uint64_t seed) {
  for (uint32_t f = 0, faces = soup->face_count; f < faces && !soup->failed; f++) {
    if (th_random_unit_double(seed, STREAM_SPOIL, f, 0) >= share) continue;
    uint32_t a = soup->corner[f][0], b = soup->corner[f][1], c = soup->corner[f][2];
    double p[3], low = 0.5 * (1.0 - height);
    for (int k = 0; k < 3; k++) p[k] = low * soup->xyz[a][k] + low * soup->xyz[b][k] + height * soup->xyz[c][k];
    uint32_t v = th_soup_vertex(soup, p[0], p[1], p[2]);
    th_soup_face(soup, b, c, v);
    th_soup_face(soup, c, a, v);
    if (!soup->failed) soup->corner[f][2] = v;
  }
}
