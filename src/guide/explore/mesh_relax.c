/* guide/explore/mesh_relax.c - the potential that attracts explorers on a mesh, and the distance left to the target.
 *
 * Known free vertices take the mean of their neighbours with the distance weights of 3DS-BVP ((4.2) to (4.6);
 * field/mesh/mean.c), some sweeps per step, in place, forwards and backwards in turn. First the
 * links are packed in the order of the sweeps, which also takes up deformations of the ground. Distances to the target
 * are found by fast marching over known vertices (Kimmel and Sethian 1998, with the update of field/mesh/march.c over
 * the mesh's own triangles). Open vertices are found by a flood from the unknown ones. Cost: about 10 ns per vertex and
 * sweep, 80 ns to pack one; marching 0.4 us per vertex.
 */
#include <math.h>

#include "field/mesh/mean.h"
#include "geometry/mesh/halfedge.h"
#include "guide/explore/mesh.h"

/* ---------------------------------------------------------------- sweeps */

static uint32_t list_known(th_explore_mesh *explored_mesh) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < explored_mesh->mesh->vertex_count; v++)
    if (explored_mesh->mark[v] & TH_EXPLORE_KNOWN) explored_mesh->list[count++] = v;
  return count;
}

/* Packs the vertices of the list that are to be relaxed, with their weights times `keep`; returns how many. */
static uint32_t pack(th_explore_mesh *explored_mesh, uint32_t listed, double keep) {
  static const double plain[3] = {1.0, 1.0, 1.0};
  uint32_t count = 0, links = 0;
  for (uint32_t n = 0; n < listed; n++) {
    uint32_t v = explored_mesh->list[n];
    if (!th_explore_is_free(explored_mesh, v) || (explored_mesh->mark[v] & TH_EXPLORE_TARGET)) continue;
    uint32_t *neighbour = explored_mesh->neighbour + links;
    uint32_t degree =
        th_mesh_vertex_neighbours(explored_mesh->mesh, v, neighbour, 3 * explored_mesh->mesh->face_count - links);
    const th_mean_row row = {neighbour, explored_mesh->weight + links, degree};
    (void)th_mean_weigh(explored_mesh->mesh, v, plain, row);
    for (uint32_t k = 0; k < degree; k++) row.weight[k] *= keep;
    explored_mesh->cell[count] = v;
    explored_mesh->row[count++] = links;
    links += degree;
  }
  explored_mesh->row[count] = links;
  return count;
}

static bool has_wall(const th_explore_mesh *explored_mesh, uint32_t listed) {
  for (uint32_t n = 0; n < listed; n++)
    if (explored_mesh->mark[explored_mesh->list[n]] & TH_EXPLORE_BLOCKED) return true;
  return false;
}

void th_explore_mesh_relax(void *memory, const th_guide_update *update, uint32_t explorer) {
  const th_explore_params *params = update->params;
  th_explore_mesh explored_mesh = th_explore_mesh_open(memory, update->ground);
  bool all = explorer == update->count;
  uint32_t listed =
      all ? list_known(&explored_mesh) : th_explore_mesh_window(&explored_mesh, update->place[explorer], params->sight);
  double sink = th_explore_sink(params, explored_mesh.ground->cell, has_wall(&explored_mesh, listed));
  uint32_t count = pack(&explored_mesh, listed, 1.0 - sink);
  th_mean_pass pass = {.cell = explored_mesh.cell,
                       .row = explored_mesh.row,
                       .neighbour = explored_mesh.neighbour,
                       .weight = explored_mesh.weight};
  pass.from = pass.to = explored_mesh.u;
  pass.omega = 1.0;
  for (int32_t sweep = 0; sweep < params->sweeps; sweep++) {
    pass.back = sweep & 1;
    (void)th_mean_sweep_double(&pass, 0, count);
  }
}

/* ---------------------------------------------------------------- distances */

typedef struct front {
  th_explore_mesh *explored_mesh;
  th_heap heap;
} front;

static void lower(void *user, uint32_t v, double distance) {
  front *f = user;
  if (!th_explore_is_free(f->explored_mesh, v) || !((float)distance < f->explored_mesh->left[v])) return;
  f->explored_mesh->left[v] = (float)distance;
  f->explored_mesh->mark[v] &= (uint8_t)~TH_EXPLORE_SETTLED;
  th_heap_lower(&f->heap, v, (double)f->explored_mesh->left[v]);
}

/* Updates the corner opposite side h in the face of h; both ends of the side must be settled. */
static void cross_side(front *f, uint32_t h) {
  const th_mesh_frames *frames = &f->explored_mesh->mesh_ground->frames;
  const th_mesh *m = f->explored_mesh->mesh;
  const uint32_t a = th_half_from(m, h), b = th_half_to(m, h), next = th_half_next(h), back = th_half_next(next);
  if (!(f->explored_mesh->mark[a] & f->explored_mesh->mark[b] & TH_EXPLORE_SETTLED)) return;
  th_point p = th_frames_corner(frames, h), q = th_frames_corner(frames, next), c = th_frames_corner(frames, back);
  const double ex = q.x - p.x, ey = q.y - p.y, l = sqrt(ex * ex + ey * ey);
  const double apex[2] = {((c.x - p.x) * ex + (c.y - p.y) * ey) / l, (ex * (c.y - p.y) - ey * (c.x - p.x)) / l};
  lower(f, m->corner[back],
        th_mesh_field_across_face(l, (double)f->explored_mesh->left[a], (double)f->explored_mesh->left[b], apex, NULL));
}

static void follow_edge(front *f, uint32_t a, uint32_t b) {
  const double *p = f->explored_mesh->mesh->xyz + 3 * (size_t)a, *q = f->explored_mesh->mesh->xyz + 3 * (size_t)b;
  double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
  lower(f, b, (double)f->explored_mesh->left[a] + sqrt(x * x + y * y + z * z));
}

void th_explore_mesh_measure(void *memory, const th_ground *ground) {
  th_explore_mesh explored_mesh = th_explore_mesh_open(memory, ground);
  const th_mesh *m = explored_mesh.mesh;
  front f = {&explored_mesh, th_explore_mesh_heap(&explored_mesh)};
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    explored_mesh.left[v] = INFINITY;
    explored_mesh.mark[v] &= (uint8_t)~TH_EXPLORE_SETTLED;
  }
  th_explore_mesh_starts(&explored_mesh, lower, &f);
  while (f.heap.count > 0) {
    uint32_t v = th_heap_pop(&f.heap), begin = m->leaving[v], h = begin;
    explored_mesh.mark[v] |= TH_EXPLORE_SETTLED;
    do {
      follow_edge(&f, v, th_half_to(m, h));
      cross_side(&f, h);
      cross_side(&f, th_half_previous(h));
      h = th_half_left(m, h);
    } while (h != TH_NO_HALF && h != begin);
  }
  explored_mesh.head->measured = explored_mesh.head->target;
  explored_mesh.head->stale = 0;
}

/* ---------------------------------------------------------------- what is open */

static bool touches_unknown(const th_explore_mesh *explored_mesh, uint32_t v) {
  uint32_t begin = explored_mesh->mesh->leaving[v], h = begin;
  do {
    if (!(explored_mesh->mark[th_half_to(explored_mesh->mesh, h)] & TH_EXPLORE_KNOWN)) return true;
    h = th_half_left(explored_mesh->mesh, h);
  } while (h != TH_NO_HALF && h != begin);
  return false;
}

void th_explore_mesh_find_open(void *memory, const th_ground *ground) {
  th_explore_mesh explored_mesh = th_explore_mesh_open(memory, ground);
  const th_mesh *m = explored_mesh.mesh;
  uint32_t count = 0;
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    explored_mesh.mark[v] &= (uint8_t)~TH_EXPLORE_OPEN;
    if (!th_explore_is_free(&explored_mesh, v) || !touches_unknown(&explored_mesh, v)) continue;
    explored_mesh.mark[v] |= TH_EXPLORE_OPEN;
    explored_mesh.list[count++] = v;
  }
  for (uint32_t n = 0; n < count; n++) {
    uint32_t v = explored_mesh.list[n], begin = m->leaving[v], h = begin;
    do {
      uint32_t to = th_half_to(m, h);
      if (th_explore_is_free(&explored_mesh, to) && !(explored_mesh.mark[to] & TH_EXPLORE_OPEN)) {
        explored_mesh.mark[to] |= TH_EXPLORE_OPEN;
        explored_mesh.list[count++] = to;
      }
      h = th_half_left(m, h);
    } while (h != TH_NO_HALF && h != begin);
  }
  explored_mesh.head->fresh = 0;
}
