/* ground/surface_clearance.c - how far walls are, along the surface.
 *
 * Vertices: fast marching on triangles (Kimmel and Sethian 1998). A vertex v of a face with neighbours a, b whose
 * distances are known takes the T(v) for which the distance, linear on the face, has slope 1:
 *   T(a) - T(v) = n.a,  T(b) - T(v) = n.b,  |n| = 1        (a, b: vectors from v)
 * when the way -n runs through the face and T(v) exceeds both; else the shorter way along an edge. Every value rests
 * on strictly smaller ones, so the solution is one, whatever the order. That is why an edit may start from the values
 * before it and settle only what no longer agrees with its neighbours (Koenig, Likhachev and Furcy 2004, "Lifelong
 * planning A*"): the bits are those of a fresh start.
 * Faces: a lower bound, and it must hold: the straight distance in space from the centroid to the nearest wall, less
 * the distance to the farthest corner; no way over the surface is shorter. About 0.5 us a vertex and 1 us a face.
 */
#include <string.h>

#include "ground/surface_heap.h"
#include "ground/surface_walls.h"

typedef struct marcher {
  const th_surface *s;
  double *value; /* settled, or infinite */
  double *wish;  /* what the neighbours' values give */
  double limit;
  th_heap heap;
} marcher;

static double dot(th_point a, th_point b) { return a.x * b.x + a.y * b.y; }
static double cross(th_point a, th_point b) { return a.x * b.y - a.y * b.x; }

/* Distance at the origin of a front that is linear over the triangle (0, a, b); infinite when none comes through. */
static double through_face(th_point a, th_point b, double ta, double tb) {
  double area = cross(a, b), rise = tb - ta;
  /* n = u - t w, t = T(v) - T(a): n.a = -t, n.b = rise - t */
  th_point w = {(b.y - a.y) / area, (a.x - b.x) / area}, u = {-a.y * rise / area, a.x * rise / area};
  double ww = dot(w, w), uw = dot(u, w), root = uw * uw - ww * (dot(u, u) - 1.0);
  if (!(root >= 0.0 && ww > 0.0)) return HUGE_VAL;
  double t = (uw + sqrt(root)) / ww;
  th_point back = {t * w.x - u.x, t * w.y - u.y};
  if (!(cross(back, b) * area >= 0.0 && cross(a, back) * area >= 0.0)) return HUGE_VAL;
  double value = ta + t, above = ta > tb ? ta : tb;
  return value > above ? value : HUGE_VAL;
}

/* The start of half-edge h from the other two corners of its face. */
static double over_face(const marcher *m, uint32_t h) {
  const th_mesh_frames *f = &m->s->frames;
  uint32_t next = th_half_next(h), last = th_half_next(next);
  double ta = m->value[f->mesh->corner[next]], tb = m->value[f->mesh->corner[last]];
  if (ta == HUGE_VAL && tb == HUGE_VAL) return HUGE_VAL;
  th_point o = th_frames_corner(f, h), a = th_frames_corner(f, next), b = th_frames_corner(f, last);
  a = (th_point){a.x - o.x, a.y - o.y};
  b = (th_point){b.x - o.x, b.y - o.y};
  double over_a = ta + sqrt(dot(a, a)), over_b = tb + sqrt(dot(b, b)), best = over_a < over_b ? over_a : over_b;
  if (ta == HUGE_VAL || tb == HUGE_VAL) return best;
  double through = through_face(a, b, ta, tb);
  return through < best ? through : best;
}

static double wish_of(const marcher *m, uint32_t v) {
  const th_surface *s = m->s;
  if (s->on_wall[v]) return 0.0;
  double best = HUGE_VAL;
  uint32_t begin = s->mesh.leaving[v], h = begin;
  do { /* off all walls, every face round v is walkable */
    double value = over_face(m, h);
    best = value < best ? value : best;
    h = th_half_left(&s->mesh, h);
  } while (h != begin);
  return best <= m->limit ? best : HUGE_VAL;
}

static void revise(marcher *m, uint32_t v) {
  m->wish[v] = wish_of(m, v);
  if (m->wish[v] != m->value[v])
    th_heap_set(&m->heap, v, m->wish[v] < m->value[v] ? m->wish[v] : m->value[v]);
  else if (m->heap.slot[v] != UINT32_MAX)
    th_heap_remove(&m->heap, v);
}

static void revise_round(marcher *m, uint32_t v) {
  const th_mesh *mesh = &m->s->mesh;
  uint32_t begin = mesh->leaving[v], h = begin;
  do {
    revise(m, th_half_to(mesh, h));
    uint32_t left = th_half_left(mesh, h);
    if (left == TH_NO_HALF) revise(m, mesh->corner[th_half_previous(h)]);
    h = left;
  } while (h != TH_NO_HALF && h != begin);
}

static void settle(marcher *m) {
  while (m->heap.count) {
    uint32_t v = m->heap.item[0];
    th_heap_remove(&m->heap, v);
    if (m->wish[v] < m->value[v]) {
      m->value[v] = m->wish[v];
    } else { /* what it rested on is gone */
      m->value[v] = HUGE_VAL;
      revise(m, v);
    }
    revise_round(m, v);
  }
}

/* Vertices whose own rule differs from the version before, and their neighbours' rule with it. */
static void begin_march(marcher *m, const th_surface *old) {
  uint32_t vertices = m->s->mesh.vertex_count;
  for (uint32_t v = 0; v < vertices; v++) m->value[v] = m->wish[v] = old ? old->far[v] : HUGE_VAL;
  for (uint32_t v = 0; v < vertices; v++)
    if (old ? m->s->on_wall[v] != old->on_wall[v] : m->s->on_wall[v]) revise(m, v);
}

static bool march(th_surface *s, const th_surface *old, double limit) {
  const th_allocator *a = &s->mesh.allocator;
  uint32_t vertices = s->mesh.vertex_count;
  marcher m = {.s = s, .value = s->far, .wish = TH_TAKE(a, double, vertices), .limit = limit};
  bool done = th_heap_make(&m.heap, a, vertices) && m.wish;
  if (done) {
    begin_march(&m, old);
    settle(&m);
    for (uint32_t v = 0; v < vertices; v++) s->vertex_clearance[v] = (float)(s->far[v] < limit ? s->far[v] : limit);
  }
  th_heap_free(&m.heap, a);
  TH_GIVE(a, m.wish, vertices);
  return done;
}

static const double *vertex(const th_mesh *m, uint32_t h) { return m->xyz + 3 * (size_t)m->corner[h]; }

static double distance3(const double *a, const double *b) {
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

/* Least distance of walls from any point of the face, from below; `walls` holds wall k as the face (from, to, to). */
static float bound_face(const th_surface *s, const th_bvh *walls, uint32_t f, double limit) {
  if (s->blocked[f]) return 0.0f;
  if (!walls->mesh) return (float)limit;
  double c[3], widest = 0.0, upper = HUGE_VAL;
  for (size_t k = 0; k < 3; k++)
    c[k] = (vertex(&s->mesh, 3 * f)[k] + vertex(&s->mesh, 3 * f + 1)[k] + vertex(&s->mesh, 3 * f + 2)[k]) / 3.0;
  for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
    double far = distance3(c, vertex(&s->mesh, h)), over = s->far[s->mesh.corner[h]] + far;
    widest = far > widest ? far : widest;
    upper = over < upper ? over : upper;
  }
  /* The way over a vertex mostly bounds the search from above: marching errs a little to both sides. */
  double most = limit + widest, reach = upper < most ? upper * (1.0 + 1e-6) : most;
  th_bvh_hit hit = th_bvh_nearest(walls, c, reach);
  if (hit.face == TH_NO_ELEMENT && reach < most) hit = th_bvh_nearest(walls, c, most);
  double bound = (hit.face == TH_NO_ELEMENT ? most : hit.distance) - widest;
  bound = bound < limit ? bound : limit;
  return bound > 1e-6 ? (float)(bound * (1.0 - 1e-6) - 1e-9) : 0.0f;
}

/* A box round the walls that only one of the versions has, grown by what a wall can reach. */
static bool changed_box(const th_surface *s, const th_surface *old, double limit, double *low, double *high) {
  for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
  bool any = false;
  for (uint32_t i = 0, j = 0; i < s->wall_count || j < old->wall_count;) {
    uint32_t a = i < s->wall_count ? s->wall_half[i] : TH_NO_HALF;
    uint32_t b = j < old->wall_count ? old->wall_half[j] : TH_NO_HALF, h = a < b ? a : b;
    i += a <= b;
    j += b <= a;
    if (a == b) continue;
    any = true;
    for (int end = 0; end < 2; end++) {
      const double *p = vertex(&s->mesh, end ? th_half_next(h) : h);
      for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], p[k] - limit);
        high[k] = fmax(high[k], p[k] + limit);
      }
    }
  }
  return any;
}

/* Outside the box by more than the face's own size: no wall that its bound looks at has changed. */
static bool is_beyond(const th_mesh *m, uint32_t f, const double *low, const double *high) {
  double least[3], most[3], size = 0.0;
  for (int k = 0; k < 3; k++) {
    const double a = vertex(m, 3 * f)[k], b = vertex(m, 3 * f + 1)[k], c = vertex(m, 3 * f + 2)[k];
    least[k] = fmin(a, fmin(b, c));
    most[k] = fmax(a, fmax(b, c));
    size += most[k] - least[k];
  }
  for (int k = 0; k < 3; k++)
    if (least[k] > high[k] + size || most[k] < low[k] - size) return true;
  return false;
}

static void bound_faces(th_surface *s, const th_surface *old, const th_bvh *walls, double limit) {
  double low[3], high[3];
  bool changed = !old || changed_box(s, old, limit, low, high);
  for (uint32_t f = 0; f < s->mesh.face_count; f++) {
    bool keep = old && s->blocked[f] == old->blocked[f] && (!changed || is_beyond(&s->mesh, f, low, high));
    s->face_clearance[f] = keep ? old->face_clearance[f] : bound_face(s, walls, f, limit);
  }
}

/* Walls as faces without area, so that the boxes of geometry/bvh.h serve for them too. */
static bool box_walls(const th_surface *s, th_mesh *mesh, th_bvh *bvh) {
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

bool th_surface_measure(th_surface *s, const th_surface *old, double limit) {
  th_mesh mesh;
  th_bvh walls;
  if (!march(s, old, limit)) return false;
  bool done = box_walls(s, &mesh, &walls);
  if (done) bound_faces(s, old, &walls, limit);
  th_bvh_free(&walls);
  TH_GIVE(&mesh.allocator, mesh.corner, 3 * (size_t)s->wall_count);
  return done;
}
