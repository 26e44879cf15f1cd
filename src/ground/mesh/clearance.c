/* ground/mesh/clearance.c - the distance to walls along the surface.
 *
 * Faces: a lower bound, and it must hold: the straight distance in space from the centroid to the nearest wall, less
 * the distance to the farthest corner; no path over the surface is shorter. Vertices: the nearest wall in sight
 * (wall_in_sight.c). A shortest path may also bend, at vertices with more than 360 degrees, round which there is no
 * sight; so along every edge the value at one end is at most that at the other plus the edge's length. Values become
 * final in ascending order (Dijkstra). Each depends on strictly smaller ones only, so the solution is unique, and an
 * edit may start from the previous values and recompute only those that no longer agree with their neighbours (Koenig,
 * Likhachev and Furcy 2004, "Lifelong planning A*"): the bits are those of a fresh start. About 1 us per face and 1 us
 * per vertex.
 */
#include <string.h>

#include "base/heap.h"
#include "geometry/vector.h"
#include "ground/mesh/wall_in_sight.h"
#include "ground/mesh/walls.h"

typedef struct spreader {
  const th_mesh_ground *s;
  double *value; /* settled, or infinite */
  double *wish;  /* what sight and the neighbours' values give */
  double limit;
  th_heap heap;
} spreader;

static double side_length(const th_mesh_frames *f, uint32_t h) {
  th_point a = th_frames_corner(f, h), b = th_frames_corner(f, th_half_next(h));
  return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

static double wish_of(const spreader *m, uint32_t v) {
  const th_mesh_ground *s = m->s;
  double best = s->sight[v];
  if (s->on_wall[v]) return 0.0;
  uint32_t begin = s->mesh.leaving[v], h = begin;
  do { /* off all walls, every face round v is walkable */
    double over = m->value[th_half_to(&s->mesh, h)] + side_length(&s->frames, h);
    best = over < best ? over : best;
    h = th_half_left(&s->mesh, h);
  } while (h != begin);
  return best <= m->limit ? best : HUGE_VAL;
}

static void revise(spreader *m, uint32_t v) {
  m->wish[v] = wish_of(m, v);
  if (m->wish[v] != m->value[v])
    th_heap_set(&m->heap, v, m->wish[v] < m->value[v] ? m->wish[v] : m->value[v]);
  else if (th_heap_holds(&m->heap, v))
    th_heap_remove(&m->heap, v);
}

static void revise_round(spreader *m, uint32_t v) {
  const th_mesh *mesh = &m->s->mesh;
  uint32_t begin = mesh->leaving[v], h = begin;
  do {
    revise(m, th_half_to(mesh, h));
    uint32_t left = th_half_left(mesh, h);
    if (left == TH_NO_HALF) revise(m, mesh->corner[th_half_previous(h)]);
    h = left;
  } while (h != TH_NO_HALF && h != begin);
}

static void settle(spreader *m) {
  while (m->heap.count) {
    uint32_t v = th_heap_pop(&m->heap);
    if (m->wish[v] < m->value[v]) {
      m->value[v] = m->wish[v];
    } else { /* the value it depended on is gone */
      m->value[v] = HUGE_VAL;
      revise(m, v);
    }
    revise_round(m, v);
  }
}

/* Starts with the vertices whose own rule differs from the version before. */
static void begin_spread(spreader *m, const th_mesh_ground *old) {
  const th_mesh_ground *s = m->s;
  uint32_t vertices = s->mesh.vertex_count;
  for (uint32_t v = 0; v < vertices; v++) m->value[v] = m->wish[v] = old ? old->far[v] : HUGE_VAL;
  for (uint32_t v = 0; v < vertices; v++) {
    bool same = old && s->on_wall[v] == old->on_wall[v] && s->sight[v] == old->sight[v];
    if (!same && (old || s->on_wall[v] || s->sight[v] < HUGE_VAL)) revise(m, v);
  }
}

static bool spread(th_mesh_ground *s, const th_mesh_ground *old, double limit) {
  const th_allocator *a = &s->mesh.allocator;
  uint32_t vertices = s->mesh.vertex_count;
  spreader m = {.s = s, .value = s->far, .wish = TH_TAKE(a, double, vertices), .limit = limit};
  bool done = th_heap_make(&m.heap, a, vertices) && m.wish;
  if (done) {
    begin_spread(&m, old);
    settle(&m);
    for (uint32_t v = 0; v < vertices; v++) s->vertex_clearance[v] = (float)(s->far[v] < limit ? s->far[v] : limit);
  }
  th_heap_free(&m.heap, a);
  TH_GIVE(a, m.wish, vertices);
  return done;
}

static const double *vertex(const th_mesh *m, uint32_t h) { return m->xyz + 3 * (size_t)m->corner[h]; }

/* A distance rounded so that it still is a lower bound. */
static float less(double distance) { return distance > 1e-6 ? (float)(distance * (1.0 - 1e-6) - 1e-9) : 0.0f; }

/* Least distance of walls from any point of the face, from below; `walls` holds wall k as the face (from, to, to). */
static float bound_face(const th_mesh_ground *s, const th_bvh *walls, uint32_t f, double limit) {
  if (s->blocked[f]) return 0.0f;
  if (!walls->mesh) return (float)limit;
  double c[3], widest = 0.0;
  for (size_t k = 0; k < 3; k++)
    c[k] = (vertex(&s->mesh, 3 * f)[k] + vertex(&s->mesh, 3 * f + 1)[k] + vertex(&s->mesh, 3 * f + 2)[k]) / 3.0;
  for (uint32_t h = 3 * f; h < 3 * f + 3; h++) widest = fmax(widest, th_distance3d(c, vertex(&s->mesh, h)));
  double max = limit + widest;
  th_bvh_hit hit = th_bvh_nearest(walls, c, max);
  double bound = (hit.face == TH_NO_ELEMENT ? max : hit.distance) - widest;
  if (bound >= limit) return (float)limit;
  return less(bound);
}

/* What an edit reaches: a box round the walls that only one of the versions has, grown by the limit. */
typedef struct change {
  double low[3], high[3];
  bool all, none;
} change;

static change find_change(const th_mesh_ground *s, const th_mesh_ground *old, double limit) {
  change c = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, !old, true};
  for (uint32_t i = 0, j = 0; old && (i < s->wall_count || j < old->wall_count);) {
    uint32_t a = i < s->wall_count ? s->wall_half[i] : TH_NO_HALF;
    uint32_t b = j < old->wall_count ? old->wall_half[j] : TH_NO_HALF, h = a < b ? a : b;
    i += a <= b;
    j += b <= a;
    if (a == b) continue;
    c.none = false;
    for (int end = 0; end < 2; end++) {
      const double *p = vertex(&s->mesh, end ? th_half_next(h) : h);
      for (int k = 0; k < 3; k++) {
        c.low[k] = fmin(c.low[k], p[k] - limit);
        c.high[k] = fmax(c.high[k], p[k] + limit);
      }
    }
  }
  return c;
}

/* Outside the box by more than the face's own size: nothing that is measured from the face has changed. */
static bool is_beyond(const th_mesh *m, uint32_t f, const change *box) {
  double min[3], max[3], size = 0.0;
  if (box->all) return false;
  if (box->none) return true;
  for (int k = 0; k < 3; k++) {
    const double a = vertex(m, 3 * f)[k], b = vertex(m, 3 * f + 1)[k], c = vertex(m, 3 * f + 2)[k];
    min[k] = fmin(a, fmin(b, c));
    max[k] = fmax(a, fmax(b, c));
    size += max[k] - min[k];
  }
  for (int k = 0; k < 3; k++)
    if (min[k] > box->high[k] + size || max[k] < box->low[k] - size) return true;
  return false;
}

static void bound_faces(th_mesh_ground *s, const th_mesh_ground *old, const th_bvh *walls, const change *c,
                        double limit) {
  for (uint32_t f = 0; f < s->mesh.face_count; f++) {
    bool keep = old && s->blocked[f] == old->blocked[f] && is_beyond(&s->mesh, f, c);
    s->face_clearance[f] = keep ? old->face_clearance[f] : bound_face(s, walls, f, limit);
  }
}

/* Neither a wall in reach of v nor the bound of a face round it has changed. */
static bool keeps_sight(const th_mesh_ground *s, const th_mesh_ground *old, const change *c, uint32_t v) {
  if (!old || old->on_wall[v] || !is_beyond(&s->mesh, s->mesh.leaving[v] / 3, c)) return false;
  uint32_t begin = s->mesh.leaving[v], h = begin;
  do {
    if (s->face_clearance[h / 3] != old->face_clearance[h / 3]) return false;
    h = th_half_left(&s->mesh, h);
  } while (h != begin);
  return true;
}

static void look_round(th_mesh_ground *s, const th_mesh_ground *old, const th_bvh *walls, const change *c,
                       double limit) {
  for (uint32_t v = 0; v < s->mesh.vertex_count; v++) {
    const bool keep = !s->on_wall[v] && keeps_sight(s, old, c, v);
    double straight = 0.0;
    s->sight[v] = keep ? old->sight[v] : s->on_wall[v] ? 0.0 : th_mesh_wall_in_sight(s, walls, v, limit, &straight);
    s->vertex_bound[v] = keep ? old->vertex_bound[v] : less(straight);
  }
}

/* Stores walls as faces without area, so that geometry/mesh/bvh.h can hold them too. */
static bool box_walls(const th_mesh_ground *s, th_mesh *mesh, th_bvh *bvh) {
  *mesh = (th_mesh){.allocator = s->mesh.allocator,
                    .xyz = s->mesh.xyz,
                    .vertex_count = s->mesh.vertex_count,
                    .face_count = s->wall_count};
  *bvh = (th_bvh){0};
  if (!s->wall_count) return true;
  mesh->corner = TH_TAKE(&mesh->allocator, uint32_t, 3 * (size_t)s->wall_count);
  if (!mesh->corner) return false;
  for (uint32_t k = 0; k < s->wall_count; k++) {
    uint32_t *c = mesh->corner + 3 * (size_t)k;
    c[0] = th_half_from(&s->mesh, s->wall_half[k]);
    c[1] = c[2] = th_half_to(&s->mesh, s->wall_half[k]);
  }
  return th_bvh_make(bvh, mesh);
}

bool th_mesh_clearance_measure(th_mesh_ground *s, const th_mesh_ground *old, double limit) {
  th_mesh mesh;
  th_bvh walls;
  bool done = box_walls(s, &mesh, &walls);
  if (done) {
    change c = find_change(s, old, limit);
    bound_faces(s, old, &walls, &c, limit);
    look_round(s, old, &walls, &c, limit);
  }
  th_bvh_free(&walls);
  TH_GIVE(&mesh.allocator, mesh.corner, 3 * (size_t)s->wall_count);
  return done && spread(s, old, limit);
}
