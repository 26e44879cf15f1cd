/* geometry/mesh/conformal_region.c - the part of a surface that a map of dynamic planarization covers.
 *
 * Dijkstra along edges from the corners of the given faces, as far as `reach`; then all faces around the vertices that
 * were reached. Paths along edges are longer than straight ones, so a disc of that radius need not be covered: charts
 * measure how far the cover extends. A reach below the shortest edge gives the ring of a face, which has
 * deg(a) + deg(b) + deg(c) - 5 faces on a closed surface.
 */
#include "geometry/mesh/conformal_map.h"

static bool in_run(const th_polar_map *d, uint32_t v) { return d->mark[v] >> 1 == d->run; }

static void meet(th_polar_map *d, uint32_t v, double key) {
  if (in_run(d, v) && d->node[v].key <= key) return;
  if (!in_run(d, v)) d->vertex[d->vertex_count++] = v;
  d->node[v] = (th_polar_map_node){.key = key};
  d->mark[v] = 2 * d->run;
  th_polar_map_push(d, key, v);
}

static double half_length(const th_mesh_frames *frames, uint32_t h) {
  th_point a = th_frames_corner(frames, h), b = th_frames_corner(frames, th_half_next(h));
  return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

/* Both ends of the sides at v of walkable faces; the last face of a fan has a second side that no other one has. */
static void pass_edges(th_polar_map *d, uint32_t v, double reach) {
  const th_mesh *m = d->frames->mesh;
  uint32_t begin = m->leaving[v], h = begin;
  double key = d->node[v].key;
  do {
    uint32_t back = th_half_previous(h);
    if (!d->frames->blocked || !d->frames->blocked[h / 3]) {
      double out = key + half_length(d->frames, h), in = key + half_length(d->frames, back);
      if (out < reach) meet(d, th_half_to(m, h), out);
      if (in < reach) meet(d, m->corner[back], in);
    }
    h = m->twin[back];
  } while (h != TH_NO_HALF && h != begin);
}

/* A face is listed at the first of its corners, in the order of the list of vertices, that was met. Once all are
 * listed, true for v = TH_NO_ELEMENT says that the face is not. */
static bool listed_here(const th_polar_map *d, uint32_t f, uint32_t v) {
  const uint32_t *corner = &d->frames->mesh->corner[3 * (size_t)f];
  for (int k = 0; k < 3; k++)
    if (corner[k] != v && in_run(d, corner[k]) && d->node[corner[k]].whole) return false;
  return true;
}

static void list_faces(th_polar_map *d, uint32_t v) {
  const th_mesh *m = d->frames->mesh;
  uint32_t begin = m->leaving[v], h = begin;
  do {
    uint32_t f = h / 3;
    if ((!d->frames->blocked || !d->frames->blocked[f]) && f != d->face[0] && listed_here(d, f, v))
      d->face[d->face_count++] = f;
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  d->node[v].whole = true;
}

void th_conformal_region(th_polar_map *d, const th_mesh_frames *frames, uint32_t centre, const uint32_t *face,
                         uint32_t count, double reach) {
  th_polar_map_empty(d, frames);
  const th_mesh *m = frames->mesh;
  for (uint32_t k = 0; k < 3; k++) meet(d, m->corner[3 * (size_t)centre + k], 0.0);
  for (uint32_t n = 0; n < 3 * count; n++) meet(d, m->corner[3 * (size_t)face[n / 3] + n % 3], 0.0);
  while (d->heap.count > 0) {
    uint32_t v;
    if (th_polar_map_pop(d, &v)) pass_edges(d, v, reach);
  }
  uint32_t met = d->vertex_count;
  d->face[d->face_count++] = centre;
  for (uint32_t n = 0; n < met; n++) list_faces(d, d->vertex[n]);
  for (uint32_t n = 0; n < d->face_count; n++)
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t v = m->corner[3 * (size_t)d->face[n] + k];
      if (in_run(d, v)) continue;
      d->vertex[d->vertex_count++] = v;
      d->node[v] = (th_polar_map_node){0};
      d->mark[v] = 2 * d->run;
    }
  for (uint32_t n = 0; n < d->vertex_count; n++) d->mark[d->vertex[n]] = 2 * d->run + 1;
}

int32_t th_conformal_region_euler(const th_polar_map *d) {
  const th_mesh *m = d->frames->mesh;
  int32_t sides = 0, inner = 0;
  for (uint32_t n = 0; n < d->face_count; n++)
    for (uint32_t h = 3 * d->face[n]; h < 3 * d->face[n] + 3; h++) {
      uint32_t twin = m->twin[h];
      bool within = twin != TH_NO_HALF && (!d->frames->blocked || !d->frames->blocked[twin / 3]) &&
                    !listed_here(d, twin / 3, TH_NO_ELEMENT);
      inner += within;
      sides += !within;
    }
  return (int32_t)d->vertex_count - (inner / 2 + sides) + (int32_t)d->face_count;
}
