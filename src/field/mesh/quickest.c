/* field/mesh/quickest.c - the quickest path over a mesh whose faces have speed factors, by fast marching; the roomy
 * one.
 *
 * The method is that of march.c, with a slowness of 1 / factor in each face (the eikonal equation |grad T| = slowness
 * on triangles: Kimmel and Sethian 1998). In a roomy field a face is slower by its cost near walls (field/room.h), at
 * the mean clearance of its corners. Times are given as distances at full speed. A triangle is crossed from the
 * virtual source that its known corners see at the triangle's own slowness: exact inside one speed, and of first order
 * where paths are refracted at the edges between two (Snell's law follows from the least time). The triangles are those
 * of the mesh, because a flipped one may lie in faces of several speeds; an edge is walked on its faster side. Each
 * vertex gets its time and the length of its path. Cost: O(n log n), about 0.5 us per vertex, and 8 bytes per face.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/mesh/field.h"
#include "field/room.h"
#include "geometry/mesh/halfedge.h"

#define NEAR 4.0    /* mean edges around the goal within which vertices get exact times, while the speed is the same */
#define BETTER 1e-6 /* a known vertex is opened again for a gain of this share of the edge */

typedef struct marcher {
  const th_mesh_field_build *build;
  double *time, *distance;
  uint8_t *known;
  th_heap heap;
  double *slow; /* of each face */
  double even;  /* around the goal the factor is the same up to here [m] */
} marcher;

static double factor_of(const th_mesh_field_build *d, uint32_t face) {
  return d->quick ? (double)d->mesh->speed[face] : 1.0;
}

static double room_of(const th_mesh_field_build *d, double clearance) {
  return d->roomy ? th_room_cost(d->ground, d->def, clearance) : 1.0;
}

static double slowness(const th_mesh_field_build *d, uint32_t face) {
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)face;
  const float *clear = d->mesh->vertex_clearance;
  const double mean = ((double)clear[corner[0]] + (double)clear[corner[1]] + (double)clear[corner[2]]) / 3.0;
  return room_of(d, mean) / factor_of(d, face);
}

static void lower(marcher *m, uint32_t v, double time, double distance, double edge) {
  if (m->build->kind[v] == TH_CELL_WALL) return;
  if (!(time < (m->known[v] ? m->time[v] - BETTER * edge : m->time[v]))) return;
  m->time[v] = time;
  m->distance[v] = distance;
  m->known[v] = 0;
  th_heap_lower(&m->heap, v, time);
}

static double length_of(double x, double y) { return sqrt(x * x + y * y); }

static double rate_of(const marcher *m, uint32_t v) { return m->time[v] > 0.0 ? m->distance[v] / m->time[v] : 1.0; }

/* Over the face of h, from its side h with both ends known, to the far corner. */
static void cross_face(marcher *m, uint32_t h) {
  const th_mesh_frames *f = &m->build->mesh->frames;
  const uint32_t *corner = m->build->mesh->mesh.corner;
  const uint32_t a = corner[h], b = corner[th_half_next(h)], c = corner[th_half_previous(h)];
  const th_point p = th_frames_corner(f, h), q = th_frames_corner(f, th_half_next(h)),
                 r = th_frames_corner(f, th_half_previous(h));
  const double l = length_of(q.x - p.x, q.y - p.y), ex = (q.x - p.x) / l, ey = (q.y - p.y) / l, slow = m->slow[h / 3];
  const double apex[2] = {(r.x - p.x) * ex + (r.y - p.y) * ey, (r.y - p.y) * ex - (r.x - p.x) * ey};
  double share = 0.0, far = th_mesh_field_across_face(l, m->time[a] / slow, m->time[b] / slow, apex, &share);
  if (!(far < INFINITY)) return;
  /* The ratio of length to time varies little along the side, so it is interpolated, not the length itself. */
  const double inside = length_of(apex[0] - share * l, apex[1]), before = fmax(slow * (far - inside), 0.0);
  const double rate = (1.0 - share) * rate_of(m, a) + share * rate_of(m, b);
  lower(m, c, slow * far, rate * before + inside, slow * l);
}

/* From the known vertex at the start of h along both sides of its face and across it. */
static void advance(marcher *m, uint32_t h) {
  const th_mesh_frames *f = &m->build->mesh->frames;
  const uint32_t *corner = m->build->mesh->mesh.corner, back = th_half_previous(h);
  const uint32_t a = corner[h], b = corner[th_half_next(h)], c = corner[back];
  const th_point p = th_frames_corner(f, h), q = th_frames_corner(f, th_half_next(h)), r = th_frames_corner(f, back);
  const double ab = length_of(q.x - p.x, q.y - p.y), ac = length_of(r.x - p.x, r.y - p.y), slow = m->slow[h / 3];
  lower(m, b, m->time[a] + slow * ab, m->distance[a] + ab, slow * ab);
  lower(m, c, m->time[a] + slow * ac, m->distance[a] + ac, slow * ac);
  if (m->known[b]) cross_face(m, h);
  if (m->known[c]) cross_face(m, back);
}

static void pass_vertex(void *user, uint32_t v, double distance) { (void)user, (void)v, (void)distance; }

static void find_even(void *user, uint32_t face, th_point centre, double distance) {
  marcher *m = user;
  (void)centre;
  if (factor_of(m->build, face) != factor_of(m->build, m->build->centre.cell)) m->even = fmin(m->even, distance);
}

static void pass_face(void *user, uint32_t face, th_point centre, double distance) {
  (void)user, (void)face, (void)centre, (void)distance;
}

static void start_at(void *user, uint32_t v, double distance) {
  marcher *m = user;
  const th_mesh_field_build *d = m->build;
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)d->centre.cell;
  if (distance > m->even && v != corner[0] && v != corner[1] && v != corner[2]) return;
  const double left = fmax(distance - d->centre_radius, 0.0), slow = m->slow[d->centre.cell];
  const double there = room_of(d, (double)d->mesh->vertex_clearance[v]) / factor_of(d, d->centre.cell);
  lower(m, v, 0.5 * (slow + there) * left, left, 0.0);
}

static void march(marcher *m) {
  const th_mesh_field_build *d = m->build;
  const th_mesh *mesh = &d->mesh->mesh;
  for (uint32_t v = 0; v < d->vertices; v++) m->time[v] = m->distance[v] = INFINITY;
  if (d->centre.cell != TH_NO_CELL) {
    m->even = NEAR * (double)d->mesh->mean_edge;
    th_sight_from_goal(d, &(th_sight_callbacks){m->even, pass_vertex, find_even, m});
    th_sight_from_goal(d, &(th_sight_callbacks){NEAR * (double)d->mesh->mean_edge, start_at, pass_face, m});
  }
  for (uint32_t n = 0; n < d->goal_count && !d->spread; n++) lower(m, d->goal[n], 0.0, 0.0, 0.0);
  while (m->heap.count > 0) {
    const uint32_t v = th_heap_pop(&m->heap), begin = mesh->leaving[v];
    uint32_t h = begin;
    m->known[v] = 1;
    do {
      if (!d->mesh->blocked[h / 3]) advance(m, h);
      h = th_half_left(mesh, h);
    } while (h != TH_NO_HALF && h != begin);
  }
}

bool th_mesh_ground_uneven(const th_mesh_ground *s) {
  float min = INFINITY, max = 0.0f;
  for (uint32_t f = 0; f < s->mesh.face_count; f++) {
    if (s->blocked[f]) continue;
    min = fminf(min, s->speed[f]);
    max = fmaxf(max, s->speed[f]);
  }
  return min < max;
}

th_result th_mesh_field_quickest(const th_mesh_field_build *build, double *time, double *distance, th_error *error) {
  const th_allocator *a = build->allocator;
  marcher m = {.build = build, .time = time, .distance = distance};
  bool got = th_heap_make(&m.heap, a, build->vertices);
  m.known = TH_TAKE(a, uint8_t, build->vertices);
  m.slow = TH_TAKE(a, double, build->faces);
  got = got && m.known && m.slow;
  for (uint32_t f = 0; got && f < build->faces; f++) m.slow[f] = slowness(build, f);
  if (got) march(&m);
  TH_GIVE(a, m.slow, build->faces);
  TH_GIVE(a, m.known, build->vertices);
  th_heap_free(&m.heap, a);
  return got ? TH_OK : th_fail_memory(error, "times to the goal");
}
