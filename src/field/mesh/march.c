/* field/mesh/march.c - distances to the goal along the surface, by fast marching.
 *
 * Fronts are advanced over triangles in the order of distance (Kimmel and Sethian 1998). A triangle with two known
 * corners is unfolded with the point that is as far from both as they are from the goal: the third is as far from that
 * virtual source, if the straight line crosses the side between them (Novotni and Klein 2002; Reimers 2004). For a
 * point goal this is exact on every part that can be unfolded. Where the two circles do not meet, because the goal is
 * as wide as the triangle, the front is taken as straight. The triangles are the intrinsic Delaunay ones, as obtuse
 * ones would break the order; a vertex whose distance came out too large is opened again when a better path appears.
 * Cost: O(n log n), about 0.3 us per vertex.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"

#define NEAR 4.0    /* mean edges around the goal whose vertices get exact distances */
#define BETTER 1e-6 /* a known vertex is opened again for a gain of this share of the edge */

typedef struct marcher {
  const th_mesh_field_build *build;
  const th_mesh_solver *solver;
  double *t;
  uint8_t *known;
  th_heap heap;
} marcher;

static void lower(marcher *m, uint32_t v, double t, double edge) {
  if (m->build->kind[v] == TH_CELL_WALL) return;
  if (!(t < (m->known[v] ? m->t[v] - BETTER * edge : m->t[v]))) return;
  m->t[v] = t;
  m->known[v] = 0;
  th_heap_lower(&m->heap, v, t);
}

/* Distance of the far corner (x, y) from the goal, with side (0, 0) to (l, 0) whose ends are ta and tb away from it;
 * INFINITY when the line does not cross the side. *share of the side lies before the crossing; NULL: not wanted. */
double th_mesh_field_across_face(double l, double ta, double tb, const double *apex, double *share) {
  const double x = apex[0], y = apex[1];
  const double sx = 0.5 * (l + (ta - tb) * (ta + tb) / l), sy2 = (ta - sx) * (ta + sx);
  if (sy2 >= 0.0) {
    const double sy = sqrt(sy2), meets = sx * y + x * sy, height = y + sy;
    if (!(meets >= 0.0 && meets <= l * height)) return INFINITY;
    if (share) *share = meets / (height * l);
    return sqrt((x - sx) * (x - sx) + height * height);
  }
  const double px = (tb - ta) / l, py2 = 1.0 - px * px;
  if (!(py2 > 0.0)) return INFINITY;
  const double py = sqrt(py2), foot = x - y * px / py;
  if (share) *share = foot / l;
  return foot >= 0.0 && foot <= l ? ta + px * x + py * y : INFINITY;
}

/* From the known vertex at the start of h over the face of h. */
static void advance(marcher *m, uint32_t h) {
  const th_delaunay *t = &m->solver->graph.intrinsic;
  const uint32_t back = th_half_previous(h), a = t->corner[h], b = t->corner[th_half_next(h)], c = t->corner[back];
  const double la = t->length[h], lc = t->length[back];
  lower(m, b, m->t[a] + la, la);
  lower(m, c, m->t[a] + lc, lc);
  if (m->known[b])
    lower(m, c, th_mesh_field_across_face(la, m->t[a], m->t[b], m->solver->apex + 2 * (size_t)h, NULL), la);
  if (m->known[c])
    lower(m, b, th_mesh_field_across_face(lc, m->t[c], m->t[a], m->solver->apex + 2 * (size_t)back, NULL), lc);
}

static void start_at(void *user, uint32_t v, double left) {
  marcher *m = user;
  left = fmax(left - m->build->centre_radius, 0.0);
  lower(m, v, left, 0.0);
}

static void pass_by(void *user, uint32_t face, th_point centre, double distance) {
  (void)user, (void)face, (void)centre, (void)distance;
}

static void march(marcher *m) {
  const th_mesh_field_build *d = m->build;
  const uint8_t *blocked = d->mesh->blocked;
  for (uint32_t v = 0; v < d->vertices; v++) m->t[v] = INFINITY;
  const th_sight_callbacks callbacks = {NEAR * (double)d->mesh->mean_edge, start_at, pass_by, m};
  if (d->centre.cell != TH_NO_CELL) th_sight_from_goal(d, &callbacks);
  for (uint32_t n = 0; n < d->goal_count && !d->spread; n++) lower(m, d->goal[n], 0.0, 0.0);
  while (m->heap.count > 0) {
    uint32_t v = th_heap_pop(&m->heap);
    m->known[v] = 1;
    for (uint32_t at = m->solver->fan_start[v]; at < m->solver->fan_start[v + 1]; at++) {
      uint32_t h = m->solver->fan[at];
      if (!blocked[h / 3]) advance(m, h);
    }
  }
}

th_result th_mesh_field_march(const th_mesh_field_build *build, double *left, th_error *error) {
  const th_allocator *a = build->allocator;
  marcher m = {.build = build, .solver = build->solver->mesh, .t = left};
  bool got = th_heap_make(&m.heap, a, build->vertices);
  m.known = TH_TAKE(a, uint8_t, build->vertices);
  got = got && m.known;
  if (got) march(&m);
  TH_GIVE(a, m.known, build->vertices);
  th_heap_free(&m.heap, a);
  return got ? TH_OK : th_fail_memory(error, "distances to the goal");
}
