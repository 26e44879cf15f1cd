/* guide/explore/mesh_direction.c - the direction in which the map of a mesh leads from a place.
 *
 * On a face, u and the distance left are linear functions of their values at its corners. A slope that is constant on
 * each face jumps at every edge. So the slopes g of the two faces at an edge are averaged there, and inside a face the
 * three averages are blended by
 *     w_k = b_i b_j / (b_0 b_1 + b_1 b_2 + b_2 b_0)      (edge k from corner i to corner j, barycentric weights b),
 * which is 1 on edge k and 0 on the others: directions are continuous over edges. A vertex that is blocked for a body
 * counts with the distance of its nearest free vertex. Cost: about 100 ns per answer.
 */
#include <math.h>

#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"
#include "guide/explore/mesh.h"

typedef struct corners {
  double value[3];
  bool whole; /* all are finite */
} corners;

/* Distance left at a vertex, by its nearest free vertex when a body cannot stand there. */
static double left_at(const th_explore_mesh *explored_mesh, uint32_t v) {
  if (th_explore_is_free(explored_mesh, v)) return (double)explored_mesh->left[v];
  uint32_t out = explored_mesh->nearest_free.owner[v];
  if (out == TH_NO_ELEMENT || out == v) return INFINITY;
  return (double)explored_mesh->left[out] + explored_mesh->nearest_free.far[v];
}

static corners lefts(const th_explore_mesh *explored_mesh, uint32_t face) {
  corners c;
  for (uint32_t k = 0; k < 3; k++) c.value[k] = left_at(explored_mesh, explored_mesh->mesh->corner[3 * face + k]);
  c.whole = c.value[0] < INFINITY && c.value[1] < INFINITY && c.value[2] < INFINITY;
  return c;
}

static corners heights(const th_explore_mesh *explored_mesh, uint32_t face) {
  const uint32_t *v = explored_mesh->mesh->corner + 3 * (size_t)face;
  return (corners){{explored_mesh->u[v[0]], explored_mesh->u[v[1]], explored_mesh->u[v[2]]}, true};
}

static th_point slope(const th_explore_mesh *explored_mesh, uint32_t face, const double *value) {
  const th_face_frame *f = &explored_mesh->mesh_ground->frames.face[face];
  double x = (value[1] - value[0]) / f->bx;
  return (th_point){x, (value[2] - value[0] - x * f->cx) / f->cy};
}

/* The slope of the face behind half-edge h, turned into this face's frame; `own` where there is none. */
static th_point slope_behind(const th_explore_mesh *explored_mesh, uint32_t h, bool by_left, th_point own) {
  uint32_t twin = explored_mesh->mesh->twin[h];
  if (twin == TH_NO_HALF || explored_mesh->mesh_ground->blocked[twin / 3]) return own;
  corners c = by_left ? lefts(explored_mesh, twin / 3) : heights(explored_mesh, twin / 3);
  if (!c.whole) return own;
  const th_edge_map *map = &explored_mesh->mesh_ground->frames.edge[h];
  th_point g = slope(explored_mesh, twin / 3, c.value);
  return (th_point){map->c * g.x + map->s * g.y, map->c * g.y - map->s * g.x};
}

static th_point blended(const th_explore_mesh *explored_mesh, th_place place, const double *value, bool by_left) {
  double b[3];
  th_frames_weights(&explored_mesh->mesh_ground->frames, place.cell, (th_point){(double)place.x, (double)place.y}, b);
  for (int k = 0; k < 3; k++) b[k] = b[k] > 1e-6 ? b[k] : 1e-6;
  const double w[3] = {b[0] * b[1], b[1] * b[2], b[2] * b[0]}, half = 0.5 / (w[0] + w[1] + w[2]);
  const th_point own = slope(explored_mesh, place.cell, value);
  th_point sum = {0.5 * own.x, 0.5 * own.y};
  for (uint32_t k = 0; k < 3; k++) {
    th_point other = slope_behind(explored_mesh, 3 * place.cell + k, by_left, own);
    sum.x += half * w[k] * other.x;
    sum.y += half * w[k] * other.y;
  }
  return sum;
}

static th_point to_corner(const th_explore_mesh *explored_mesh, th_place place, uint32_t k) {
  th_point p = th_frames_corner(&explored_mesh->mesh_ground->frames, 3 * place.cell + k);
  return (th_point){p.x - (double)place.x, p.y - (double)place.y};
}

/* The corner with the shortest path, and the length of that path. */
static uint32_t best_corner(const th_explore_mesh *explored_mesh, th_place place, const double *left,
                            double *distance) {
  uint32_t best = 0;
  *distance = INFINITY;
  for (uint32_t k = 0; k < 3; k++) {
    double all = left[k] + th_length2d(to_corner(explored_mesh, place, k));
    if (!(all < *distance)) continue;
    *distance = all;
    best = k;
  }
  return best;
}

/* In the target's own face the path is straight. */
static bool is_there(const th_explore_mesh *explored_mesh, th_place place, th_point *to) {
  const th_explore_head *head = explored_mesh->head;
  *to = (th_point){(double)head->target.x - (double)place.x, (double)head->target.y - (double)place.y};
  return head->found && head->target.cell == place.cell;
}

float th_explore_mesh_left(const void *memory, const th_ground *ground, th_place place) {
  const th_explore_mesh explored_mesh = th_explore_mesh_open(memory, ground);
  th_point to;
  double distance;
  if (is_there(&explored_mesh, place, &to))
    return (float)fmax(th_length2d(to) - (double)explored_mesh.head->radius, 0.0);
  corners c = lefts(&explored_mesh, place.cell);
  (void)best_corner(&explored_mesh, place, c.value, &distance);
  if (!c.whole) return (float)distance;
  double b[3];
  th_frames_weights(&explored_mesh.mesh_ground->frames, place.cell, (th_point){(double)place.x, (double)place.y}, b);
  return (float)fmax(b[0] * c.value[0] + b[1] * c.value[1] + b[2] * c.value[2], 0.0);
}

static th_vec2 towards_target(const th_explore_mesh *explored_mesh, th_place place) {
  th_point to;
  double distance;
  if (is_there(explored_mesh, place, &to)) return th_explore_unit(to.x, to.y);
  corners c = lefts(explored_mesh, place.cell);
  if (c.whole) {
    th_point up = blended(explored_mesh, place, c.value, true);
    if (up.x != 0.0 || up.y != 0.0) return th_explore_unit(-up.x, -up.y);
  }
  to = to_corner(explored_mesh, place, best_corner(explored_mesh, place, c.value, &distance));
  return distance < INFINITY ? th_explore_unit(to.x, to.y) : (th_vec2){0.0f, 0.0f};
}

/* No corner is free: leads out, down the distances to the nearest free vertices. */
static th_vec2 towards_free(const th_explore_mesh *explored_mesh, th_place place) {
  const uint32_t *v = explored_mesh->mesh->corner + 3 * (size_t)place.cell;
  double far[3], distance;
  for (int k = 0; k < 3; k++) far[k] = explored_mesh->nearest_free.far[v[k]];
  if (far[0] < INFINITY && far[1] < INFINITY && far[2] < INFINITY) {
    th_point up = slope(explored_mesh, place.cell, far);
    if (up.x != 0.0 || up.y != 0.0) return th_explore_unit(-up.x, -up.y);
  }
  th_point to = to_corner(explored_mesh, place, best_corner(explored_mesh, place, far, &distance));
  return distance < INFINITY ? th_explore_unit(to.x, to.y) : (th_vec2){0.0f, 0.0f};
}

static th_vec2 uphill(const th_explore_mesh *explored_mesh, th_place place) {
  corners c = heights(explored_mesh, place.cell);
  const double *u = c.value;
  if (!(fmax(u[0], fmax(u[1], u[2])) > 0.0)) return towards_free(explored_mesh, place);
  th_point up = blended(explored_mesh, place, u, false);
  if (up.x == 0.0 && up.y == 0.0) /* a top, or flat */
    up = to_corner(explored_mesh, place, u[1] > u[0] ? (u[2] > u[1] ? 2 : 1) : (u[2] > u[0] ? 2 : 0));
  return th_explore_unit(up.x, up.y);
}

th_vec2 th_explore_mesh_direction(const void *memory, const th_ground *ground, th_place place, bool by_left) {
  const th_explore_mesh explored_mesh = th_explore_mesh_open(memory, ground);
  return by_left ? towards_target(&explored_mesh, place) : uphill(&explored_mesh, place);
}

static bool leads_on(const th_explore_mesh *explored_mesh, uint32_t v) {
  return !(explored_mesh->mark[v] & TH_EXPLORE_KNOWN) ||
         (th_explore_is_free(explored_mesh, v) && (explored_mesh->mark[v] & TH_EXPLORE_OPEN));
}

bool th_explore_mesh_is_open(const void *memory, const th_ground *ground, th_place place) {
  const th_explore_mesh explored_mesh = th_explore_mesh_open(memory, ground);
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t v = explored_mesh.mesh->corner[3 * place.cell + k], out = explored_mesh.nearest_free.owner[v];
    if (leads_on(&explored_mesh, v)) return true;
    if (!th_explore_is_free(&explored_mesh, v) && out != TH_NO_ELEMENT && leads_on(&explored_mesh, out)) return true;
  }
  return false;
}
