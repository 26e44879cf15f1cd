/* lab/published/mesh/path.c - a path over a mesh, point by point, and what is measured along it.
 *
 * Angles are those of the unfolded path: at an edge both pieces are measured against the edge, which is straight in
 * both faces. A piece grazes an occupied cell when, somewhere along it, the weight of that corner exceeds both others.
 * The excess is a minimum of two linear functions, so it suffices to test the ends and the point where the two are
 * equal. Cost: O(1) per piece.
 */
#include <math.h>

#include "base/memory.h"
#include "base/trig.h"
#include "geometry/mesh/halfedge.h"
#include "geometry/vector.h"
#include "lab/published/mesh/height.h"

void th_mesh_height_path_free(th_mesh_height_path *path) {
  if (path->allocator.release) TH_GIVE(&path->allocator, path->point, path->tail.capacity);
  *path = (th_mesh_height_path){0};
}

static double height_at(const th_mesh_height *h, uint32_t face, const double weight[3]) {
  const uint32_t *c = h->mesh->corner + 3 * (size_t)face;
  const double base = h->height[c[0]];
  return base + (weight[1] * (h->height[c[1]] - base) + weight[2] * (h->height[c[2]] - base));
}

/* Height gained along a piece; a difference of heights would be lost in their rounding. */
static double climb_of(const th_mesh_height *h, const th_mesh_height_leg *leg) {
  const uint32_t *c = h->mesh->corner + 3 * (size_t)leg->face;
  const double base = h->height[c[0]];
  return (leg->to[1] - leg->from[1]) * (h->height[c[1]] - base) +
         (leg->to[2] - leg->from[2]) * (h->height[c[2]] - base);
}

static bool push(th_mesh_height_path *path, const th_mesh_height *h, const th_mesh_height_walker *w) {
  if (!th_grow(&path->allocator, (void **)&path->point, &path->tail.capacity, path->count + 1, sizeof *path->point))
    return false;
  th_mesh_height_path_point *p = &path->point[path->count++];
  th_mesh_spot_xyz(h->mesh, &w->spot, p->xyz);
  p->height = height_at(h, w->spot.face, w->spot.weight);
  p->face = w->spot.face;
  p->half = w->half;
  p->vertex = w->vertex;
  return true;
}

bool th_mesh_height_path_start(th_mesh_height_path *path, const th_mesh_height *h, const th_mesh_height_walker *w) {
  return push(path, h, w);
}

/* ---------------------------------------------------------------- obstacles */

static bool is_wall(const th_mesh_height *h, uint32_t v) { return h->tile[v] == TH_TILE_WALL; }

static double lead_of(const double b[3], uint32_t c) { return fmin(b[c] - b[(c + 1) % 3], b[c] - b[(c + 2) % 3]); }

static bool grazes(const th_mesh_height_leg *leg, uint32_t c) {
  const uint32_t i = (c + 1) % 3, j = (c + 2) % 3;
  double max = fmax(lead_of(leg->from, c), lead_of(leg->to, c));
  const double at = leg->from[i] - leg->from[j], by = (leg->to[i] - leg->to[j]) - at; /* others equal: at + s by = 0 */
  const double s = by != 0.0 ? -at / by : -1.0;
  if (s > 0.0 && s < 1.0) {
    double b[3];
    for (int k = 0; k < 3; k++) b[k] = leg->from[k] + s * (leg->to[k] - leg->from[k]);
    max = fmax(max, lead_of(b, c));
  }
  return max > 1e-9;
}

static void count_walls(th_mesh_height_path *path, const th_mesh_height *h, const th_mesh_height_walker *w,
                        const th_mesh_height_leg *leg) {
  const uint32_t *c = h->mesh->corner + 3 * (size_t)leg->face;
  const bool wall[3] = {is_wall(h, c[0]), is_wall(h, c[1]), is_wall(h, c[2])};
  if (w->vertex != TH_NO_ELEMENT && is_wall(h, w->vertex)) path->touched++;
  if (leg->half != TH_NO_HALF)
    path->touched += wall[leg->half % 3] && wall[(leg->half + 1) % 3];
  else
    path->touched += wall[0] && wall[1] && wall[2];
  path->grazed += (wall[0] && grazes(leg, 0)) || (wall[1] && grazes(leg, 1)) || (wall[2] && grazes(leg, 2));
}

/* ---------------------------------------------------------------- angles */

/* Angle between two vectors of space. */
static double angle_of(const double *a, const double *b) {
  double n[3];
  th_cross3d(a, b, n);
  return th_atan2_double(th_length3d(n), th_dot3d(a, b));
}

/* Turn at the last but one point. */
static void add_turn(th_mesh_height_path *path, const th_mesh_height *h) {
  if (path->count < 3) return;
  const th_mesh_height_path_point *a = &path->point[path->count - 3], *b = a + 1, *c = a + 2;
  double in[3], out[3], edge[3], turn;
  th_minus3d(b->xyz, a->xyz, in);
  th_minus3d(c->xyz, b->xyz, out);
  if (b->half != TH_NO_HALF) {
    const th_mesh *m = h->mesh;
    th_minus3d(m->xyz + 3 * (size_t)th_half_to(m, b->half), m->xyz + 3 * (size_t)th_half_from(m, b->half), edge);
    turn = fabs(angle_of(edge, in) - angle_of(edge, out));
  } else {
    turn = angle_of(in, out);
  }
  path->turned += turn;
  path->turn_max_angle = fmax(path->turn_max_angle, turn);
}

bool th_mesh_height_path_add(th_mesh_height_path *path, const th_mesh_height *h, const th_mesh_height_walker *w,
                             const th_mesh_height_leg *leg) {
  if (!push(path, h, w)) return false;
  path->rises += !(climb_of(h, leg) < 0.0);
  path->valleys += leg->half != TH_NO_HALF;
  path->vertices += w->vertex != TH_NO_ELEMENT;
  path->length += leg->length;
  count_walls(path, h, w, leg);
  add_turn(path, h);
  return true;
}
