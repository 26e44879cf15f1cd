/* make/refine.c - more faces on the same surface: all cut in four, or a wanted number.
 *
 * To reach a wanted number exactly, the longest edges are halved first. One pass halves edges that share no face, so
 * it needs no links kept up to date; passes follow until the number is reached. A pass sorts the edges: O(n log n).
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/halfedge.h"
#include "make/soup.h"

typedef struct cut {
  double length2;
  uint32_t half;
} cut;

static void copy_vertices(th_soup *soup, const th_mesh *m) {
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    const double *p = m->xyz + 3 * (size_t)v;
    th_soup_vertex(soup, p[0], p[1], p[2]);
  }
}

static uint32_t add_middle(th_soup *soup, const th_mesh *m, uint32_t h) {
  const double *p = m->xyz + 3 * (size_t)th_half_from(m, h), *q = m->xyz + 3 * (size_t)th_half_to(m, h);
  return th_soup_vertex(soup, 0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2]));
}

static void quarter(th_soup *soup, const th_mesh *m, uint32_t *middle) {
  copy_vertices(soup, m);
  for (uint32_t h = 0; h < 3 * m->face_count; h++) {
    bool mine = m->twin[h] == TH_NO_HALF || h < m->twin[h];
    middle[h] = mine ? add_middle(soup, m, h) : middle[m->twin[h]];
  }
  for (uint32_t f = 0; f < m->face_count; f++) {
    const uint32_t *c = m->corner + 3 * (size_t)f, *d = middle + 3 * (size_t)f;
    th_soup_face(soup, c[0], d[0], d[2]);
    th_soup_face(soup, c[1], d[1], d[0]);
    th_soup_face(soup, c[2], d[2], d[1]);
    th_soup_face(soup, d[0], d[1], d[2]);
  }
}

th_result th_soup_quarter(th_soup *soup, th_error *error) {
  th_mesh m;
  th_allocator a = soup->allocator;
  th_result result = th_soup_mesh(soup, &m, error);
  if (result != TH_OK) return result;
  uint32_t *middle = TH_TAKE(&a, uint32_t, 3 * (size_t)m.face_count);
  if (middle)
    quarter(soup, &m, middle);
  else
    soup->failed = true;
  TH_GIVE(&a, middle, 3 * (size_t)m.face_count);
  th_mesh_free(&m);
  return soup->failed ? th_fail_memory(error, "mesh") : TH_OK;
}

/* Longest first; equals by number, so that the result is unique. */
static bool goes_before(const cut *a, const cut *b) {
  return a->length2 != b->length2 ? a->length2 > b->length2 : a->half < b->half;
}

static void sift(cut *c, uint32_t at, uint32_t count) {
  cut moved = c[at];
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && goes_before(&c[child], &c[child + 1])) child++;
    if (!goes_before(&moved, &c[child])) break;
    c[at] = c[child];
  }
  c[at] = moved;
}

static uint32_t list_cuts(const th_mesh *m, cut *c) {
  uint32_t count = 0;
  for (uint32_t h = 0; h < 3 * m->face_count; h++) {
    if (m->twin[h] != TH_NO_HALF && m->twin[h] < h) continue;
    const double *p = m->xyz + 3 * (size_t)th_half_from(m, h), *q = m->xyz + 3 * (size_t)th_half_to(m, h);
    double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
    c[count++] = (cut){x * x + y * y + z * z, h};
  }
  for (uint32_t i = count / 2; i-- > 0;) sift(c, i, count);
  for (uint32_t i = count; i-- > 1;) {
    cut last = c[i];
    c[i] = c[0];
    c[0] = last;
    sift(c, 0, i);
  }
  return count;
}

/* split[f] = 1 + the half-edge of face f that is halved; middle[f] the new vertex. */
static void halve(th_soup *soup, const th_mesh *m, const cut *c, uint32_t count, uint32_t more, uint32_t *split) {
  uint32_t *middle = split + m->face_count;
  copy_vertices(soup, m);
  for (uint32_t i = 0; i < count && more > 0; i++) {
    uint32_t h = c[i].half, g = m->twin[h], gain = g == TH_NO_HALF ? 1 : 2;
    if (gain > more || split[h / 3] || (g != TH_NO_HALF && split[g / 3])) continue;
    more -= gain;
    split[h / 3] = 1 + h;
    middle[h / 3] = add_middle(soup, m, h);
    if (g == TH_NO_HALF) continue;
    split[g / 3] = 1 + g;
    middle[g / 3] = middle[h / 3];
  }
  for (uint32_t f = 0; f < m->face_count; f++) {
    const uint32_t *v = m->corner + 3 * (size_t)f;
    if (!split[f]) {
      th_soup_face(soup, v[0], v[1], v[2]);
      continue;
    }
    uint32_t h = split[f] - 1, a = th_half_from(m, h), b = th_half_to(m, h), o = m->corner[th_half_previous(h)];
    th_soup_face(soup, a, middle[f], o);
    th_soup_face(soup, middle[f], b, o);
  }
}

static th_result refine_once(th_soup *soup, uint32_t more, th_error *error) {
  th_mesh m;
  th_allocator a = soup->allocator;
  th_result result = th_soup_mesh(soup, &m, error);
  if (result != TH_OK) return result;
  cut *c = TH_TAKE(&a, cut, 3 * (size_t)m.face_count);
  uint32_t *split = TH_TAKE(&a, uint32_t, 2 * (size_t)m.face_count);
  if (c && split)
    halve(soup, &m, c, list_cuts(&m, c), more, split);
  else
    soup->failed = true;
  TH_GIVE(&a, c, 3 * (size_t)m.face_count);
  TH_GIVE(&a, split, 2 * (size_t)m.face_count);
  th_mesh_free(&m);
  return soup->failed ? th_fail_memory(error, "mesh") : TH_OK;
}

th_result th_soup_refine(th_soup *soup, uint32_t faces, th_error *error) {
  while (!soup->failed && soup->face_count < faces) {
    uint32_t before = soup->face_count;
    th_result result = refine_once(soup, faces - before, error);
    if (result != TH_OK) return result;
    if (soup->face_count == before) break;
  }
  if (soup->failed) return th_fail_memory(error, "mesh");
  if (soup->face_count == faces) return TH_OK;
  return th_fail(error, TH_ERROR_GEOMETRY, "mesh", "expected a number of faces that can be reached from %u, found %u",
                 soup->face_count, faces);
}
