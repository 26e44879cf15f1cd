/* ground/path/corridor.c - a path over a mesh, pulled tight between the ends of the portals that it crosses.
 *
 * The faces of a corridor are unfolded one after the other into the plane of the first, where the shortest path is
 * found by a funnel (Lee and Preparata, "Euclidean shortest paths in the presence of rectilinear barriers", Networks
 * 14, 1984). Where it turns at a vertex with free ground all round, the corridor may lead round the vertex on the other
 * side instead: repeated as long as that is shorter, this ends at a path that no small change shortens, a geodesic.
 * Cost: about 15 ns per portal.
 */
#include "ground/path/portals.h"

#define MOST_FACES 64u /* round a vertex */

static th_point applied(const th_edge_map *m, th_point p) {
  return (th_point){m->c * p.x - m->s * p.y + m->tx, m->s * p.x + m->c * p.y + m->ty};
}

/* First `inner`, then `outer`. */
static th_edge_map joined(const th_edge_map *outer, const th_edge_map *inner) {
  const th_point t = applied(outer, (th_point){inner->tx, inner->ty});
  return (th_edge_map){outer->c * inner->c - outer->s * inner->s, outer->s * inner->c + outer->c * inner->s, t.x, t.y};
}

static th_point on_portal(const th_path_portals *p, uint32_t half, bool left) {
  const th_mesh_frames *f = &p->mesh->frames;
  const th_point a = th_frames_corner(f, half), b = th_frames_corner(f, th_half_next(half));
  const double t = (double)(left ? p->low[half] : p->high[half]);
  return (th_point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/* The portals in the frame of the first face; returns the end in it. */
static th_point unfold(const th_corridor *c) {
  th_edge_map map = {1.0, 0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < c->count; i++) {
    map = joined(&map, &c->portals->mesh->frames.edge[c->half[i]]);
    c->left[i] = applied(&map, on_portal(c->portals, c->half[i], true));
    c->right[i] = applied(&map, on_portal(c->portals, c->half[i], false));
  }
  return applied(&map, (th_point){(double)c->to.x, (double)c->to.y});
}

/* The funnel between two sides, from its apex. */
typedef struct funnel {
  th_point apex, left, right;
  uint32_t left_at, right_at; /* their portals */
} funnel;

static bool same(th_point a, th_point b) { return a.x == b.x && a.y == b.y; }

/* Takes in the next portal. False: the path turns at *corner first, and the funnel begins again there. */
static bool narrow(funnel *f, uint32_t i, th_point left, th_point right, th_corridor_corner *corner) {
  if (same(f->apex, f->right) || th_free_space_side(f->apex, f->right, right) >= 0.0) {
    if (!same(f->apex, f->left) && !same(f->apex, f->right) && th_free_space_side(f->apex, f->left, right) > 0.0) {
      *corner = (th_corridor_corner){f->left, f->left_at, true};
      return false;
    }
    f->right = right, f->right_at = i;
  }
  if (same(f->apex, f->left) || th_free_space_side(f->apex, f->left, left) <= 0.0) {
    if (!same(f->apex, f->left) && !same(f->apex, f->right) && th_free_space_side(f->apex, f->right, left) < 0.0) {
      *corner = (th_corridor_corner){f->right, f->right_at, false};
      return false;
    }
    f->left = left, f->left_at = i;
  }
  return true;
}

uint32_t th_corridor_pull(const th_corridor *c, th_corridor_corner *corner, uint32_t capacity, double *length) {
  const th_point end = unfold(c);
  funnel f = {c->from, c->from, c->from, 0, 0};
  th_point last = c->from;
  double sum = 0.0;
  uint32_t count = 0;
  for (uint32_t i = 0; i <= c->count; i++) {
    th_corridor_corner turn;
    if (narrow(&f, i, i < c->count ? c->left[i] : end, i < c->count ? c->right[i] : end, &turn)) continue;
    if (count < capacity) corner[count] = turn;
    count++;
    sum += th_length2d(th_minus2d(turn.at, last));
    last = turn.at;
    i = turn.portal;
    f = (funnel){turn.at, turn.at, turn.at, i, i};
  }
  if (count < capacity) corner[count] = (th_corridor_corner){end, c->count, false};
  if (length) *length = sum + th_length2d(th_minus2d(end, last));
  return count + 1;
}

th_place th_corridor_place(const th_corridor *c, const th_corridor_corner *corner) {
  if (corner->portal >= c->count) return c->to;
  const uint32_t half = c->half[corner->portal];
  const th_point p = on_portal(c->portals, half, corner->left);
  return (th_place){half / 3, (float)p.x, (float)p.y};
}

/* ---------------------------------------------------------------- the other side of a vertex */

static uint32_t vertex_at(const th_corridor *c, uint32_t portal, bool left) {
  const uint32_t half = c->half[portal];
  return c->portals->mesh->mesh.corner[left ? half : th_half_next(half)];
}

uint32_t th_corridor_other_side(const th_corridor *c, const th_corridor_corner *corner, uint32_t *half,
                                uint32_t capacity, uint32_t *first, uint32_t *last) {
  if (corner->portal >= c->count) return 0;
  const uint32_t *twin = c->portals->mesh->mesh.twin, at = c->half[corner->portal];
  if (corner->left ? c->portals->low[at] > 0.0f : c->portals->high[at] < 1.0f) return 0; /* held off a wall */
  const uint32_t vertex = vertex_at(c, corner->portal, corner->left);
  *first = *last = corner->portal;
  while (*first && vertex_at(c, *first - 1, corner->left) == vertex) --*first;
  while (*last + 1 < c->count && vertex_at(c, *last + 1, corner->left) == vertex) ++*last;
  const uint32_t goal = c->half[*last] / 3;
  uint32_t count = 0, h = twin[c->half[*first]];
  while (h / 3 != goal) {
    const uint32_t out = corner->left ? th_half_next(h) : th_half_next(th_half_next(h));
    if (count == capacity || count == MOST_FACES || !th_path_portals_open(c->portals, out)) return 0;
    h = half[count++] = twin[out];
  }
  return count;
}
