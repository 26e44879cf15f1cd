/* geometry/mesh/polar_map.c - discrete geodesic polar coordinates without trigonometry.
 *
 * Method: vertices are finished in the order of their distance from the origin, as in fast marching (Melvaer and
 * Reimers, "Geodesic polar coordinates on polygonal meshes", 2012). For a face (j, k, i) whose corners j and k are
 * known, the distances of j and k fix a virtual origin s in the plane of the face; then |i - s| is the distance of i,
 * and its direction follows from those of j and k by the angles at s. Written with complex numbers, p_i = p_j (i - s) /
 * (j - s), so no angle is ever computed; the two answers, from j and from k, are blended by the angles at s.
 *
 * We make two changes. Where the straight path from s to i does not cross the edge, Melvaer and Reimers bend the path
 * over j or k and give i the direction of that vertex, which folds the plane behind corners; we keep the same formula
 * for the position and store the length of the bent path as a separate key, so a flat mesh is mapped without error for
 * any holes and triangles. Second, faces that lose their shape do not propagate values, so the map ends at a fold.
 *
 * Cost: about 2.5 updates of 20 ns and one heap operation per vertex.
 */
#include "geometry/mesh/polar_map.h"

#include <string.h>

#include "base/memory.h"

#define BEYOND 1.5 /* growth ends at this multiple of the first face that is off */

static uint32_t most_faces_at_a_vertex(const th_mesh *m) {
  uint32_t max = 0;
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    uint32_t count = 0, begin = m->leaving[v], h = begin;
    do {
      count++;
      h = th_half_left(m, h);
    } while (h != TH_NO_HALF && h != begin);
    max = count > max ? count : max;
  }
  return max;
}

bool th_polar_map_make(th_polar_map *d, const th_allocator *allocator, const th_mesh *mesh) {
  *d =
      (th_polar_map){.allocator = *allocator, .vertex_capacity = mesh->vertex_count, .face_capacity = mesh->face_count};
  d->node = TH_TAKE(allocator, th_polar_map_node, d->vertex_capacity);
  d->mark = TH_TAKE(allocator, uint32_t, d->vertex_capacity);
  d->vertex = TH_TAKE(allocator, uint32_t, d->vertex_capacity);
  d->face = TH_TAKE(allocator, uint32_t, d->face_capacity);
  d->off = TH_TAKE(allocator, float, d->face_capacity);
  d->fan_capacity = most_faces_at_a_vertex(mesh);
  d->fan = TH_TAKE(allocator, uint32_t, d->fan_capacity);
  if (d->node && d->mark && d->vertex && d->face && d->off && d->fan && th_lazy_heap_reserve(&d->heap, allocator, 256))
    return true;
  th_polar_map_free(d);
  return false;
}

void th_polar_map_free(th_polar_map *d) {
  if (!d->allocator.release) return;
  TH_GIVE(&d->allocator, d->node, d->vertex_capacity);
  TH_GIVE(&d->allocator, d->mark, d->vertex_capacity);
  TH_GIVE(&d->allocator, d->vertex, d->vertex_capacity);
  TH_GIVE(&d->allocator, d->face, d->face_capacity);
  TH_GIVE(&d->allocator, d->off, d->face_capacity);
  th_lazy_heap_free(&d->heap, &d->allocator);
  TH_GIVE(&d->allocator, d->fan, d->fan_capacity);
  *d = (th_polar_map){0};
}

/* Keys are ordered as floats; equal ones by vertex number, so the order depends on the mesh alone. */
void th_polar_map_push(th_polar_map *d, double key, uint32_t vertex) {
  if (th_lazy_heap_reserve(&d->heap, &d->allocator, d->heap.count + 1))
    th_lazy_heap_push(&d->heap, th_lazy_key((float)key, vertex));
  else
    d->failed = true;
}

bool th_polar_map_pop(th_polar_map *d, uint32_t *vertex) {
  const uint64_t top = th_lazy_heap_pop(&d->heap);
  *vertex = th_lazy_number(top);
  return top == th_lazy_key((float)d->node[*vertex].key, *vertex);
}

static bool valued(const th_polar_map *d, uint32_t v) { return d->mark[v] >> 1 == d->run; }
static bool final(const th_polar_map *d, uint32_t v) { return th_polar_map_has(d, v); }

static void set_value(th_polar_map *d, uint32_t v, const th_polar_map_node *value) {
  if (!valued(d, v)) d->vertex[d->vertex_count++] = v;
  d->node[v] = *value;
  d->mark[v] = 2 * d->run;
  th_polar_map_push(d, value->key, v);
}

/* An update: corners j, k and i of a face counter-clockwise; lengths are squared. */
typedef struct corner_step {
  const th_polar_map_node *j, *k;
  double ex, ey, ix, iy; /* k - j and i - j in the face's frame */
  double l2, inverse_l2;
} corner_step;

/* The point at `along` the edge and `across` it, both times the edge's length, from j. */
static th_point beside_edge(const corner_step *c, double along, double across) {
  return (th_point){(along * c->ex - across * c->ey) * c->inverse_l2, (along * c->ey + across * c->ex) * c->inverse_l2};
}

#define IN_LINE 1e-6 /* squared sine of the angle below which the edge points at the origin */

/* The virtual origin, from j, of points at distances with squares j2 and k2; `side` +1 puts it left of the edge. False
 * when no such point exists, or when it lies nearly in line with j and k, where the square root would turn rounding
 * errors into large distances. */
static bool virtual_origin(const corner_step *c, double j2, double k2, double side, th_point *s) {
  double along = 0.5 * (j2 + c->l2 - k2), rest = j2 * c->l2 - along * along;
  if (!(rest >= IN_LINE * j2 * c->l2)) return false;
  *s = beside_edge(c, along, side * sqrt(rest));
  return true;
}

/* The origin as the planar edge sees it, when the edge has kept its length. */
static bool true_origin(const corner_step *c, th_point *s) {
  double x = c->k->x - c->j->x, y = c->k->y - c->j->y, change = x * x + y * y - c->l2;
  if (!(fabs(change) <= 1e-6 * c->l2)) return false;
  *s = beside_edge(c, -(c->j->x * x + c->j->y * y), c->j->x * c->k->y - c->j->y * c->k->x);
  return true;
}

/* The turns from k - s to i - s and from i - s to j - s: both not negative when i is seen from s through the edge. */
static void turns_at(const corner_step *c, th_point s, double *from_k, double *to_j) {
  double dx = c->ix - s.x, dy = c->iy - s.y;
  *from_k = (c->ex - s.x) * dy - (c->ey - s.y) * dx;
  *to_j = dy * s.x - dx * s.y;
}

#define GRAZE -1e-12 /* times the squared edge: a path along a grid line passes its vertices */

static double bent_key(const corner_step *c) {
  double over_j = c->j->key + sqrt(c->ix * c->ix + c->iy * c->iy);
  double kx = c->ix - c->ex, ky = c->iy - c->ey, over_k = c->k->key + sqrt(kx * kx + ky * ky);
  return over_j < over_k ? over_j : over_k;
}

/* Behind a corner, distances along the surface follow an origin of their own. */
static double shadow_key(const corner_step *c) {
  th_point s;
  double from_k, to_j;
  if (!virtual_origin(c, c->j->key * c->j->key, c->k->key * c->k->key, -1.0, &s)) return bent_key(c);
  turns_at(c, s, &from_k, &to_j);
  if (!(from_k >= GRAZE * c->l2 && to_j >= GRAZE * c->l2)) return bent_key(c);
  return sqrt((c->ix - s.x) * (c->ix - s.x) + (c->iy - s.y) * (c->iy - s.y));
}

/* Rigid: the face laid down along the planar edge. For distances that fit no triangle. */
static void lay_down(const corner_step *c, th_polar_map_node *value) {
  double px = c->k->x - c->j->x, py = c->k->y - c->j->y, size = 1.0 / sqrt((px * px + py * py) * c->l2);
  double co = (c->ex * px + c->ey * py) * size, si = (c->ex * py - c->ey * px) * size;
  value->x = c->j->x + co * c->ix - si * c->iy;
  value->y = c->j->y + si * c->ix + co * c->iy;
  value->inverse = 1.0 / (value->x * value->x + value->y * value->y);
}

/* p_i = p_j (i - s) / (j - s), the same from k, blended and brought to the length |i - s|. */
static void turn_to(const corner_step *c, th_point s, double share, th_polar_map_node *value) {
  double dx = c->ix - s.x, dy = c->iy - s.y, kx = c->ex - s.x, ky = c->ey - s.y;
  double jr = (-dx * s.x - dy * s.y) * c->j->inverse, ji = (dx * s.y - dy * s.x) * c->j->inverse;
  double kr = (dx * kx + dy * ky) * c->k->inverse, ki = (dy * kx - dx * ky) * c->k->inverse;
  double x = (1.0 - share) * (c->j->x * jr - c->j->y * ji) + share * (c->k->x * kr - c->k->y * ki);
  double y = (1.0 - share) * (c->j->x * ji + c->j->y * jr) + share * (c->k->x * ki + c->k->y * kr);
  double length2 = dx * dx + dy * dy;
  value->inverse = 1.0 / length2;
  double q = (x * x + y * y) * value->inverse; /* 1 when both agree; one Newton step for 1 / sqrt q near it */
  double scale = q > 0.98 ? 1.5 - 0.5 * q : 1.0 / sqrt(q);
  value->x = x * scale;
  value->y = y * scale;
}

static const uint8_t next_corner[3] = {1, 2, 0}, last_corner[3] = {2, 0, 1};

static void step_of(const th_polar_map *d, uint32_t f, uint32_t i, corner_step *c) {
  const th_face_frame *t = &d->frames->face[f];
  const uint32_t *corner = &d->frames->mesh->corner[3 * (size_t)f];
  const double qx[3] = {0.0, t->bx, t->cx}, qy[3] = {0.0, 0.0, t->cy};
  uint32_t j = next_corner[i], k = last_corner[i];
  c->j = &d->node[corner[j]];
  c->k = &d->node[corner[k]];
  c->ex = qx[k] - qx[j], c->ey = qy[k] - qy[j], c->ix = qx[i] - qx[j], c->iy = qy[i] - qy[j];
  c->l2 = c->ex * c->ex + c->ey * c->ey;
  c->inverse_l2 = 1.0 / c->l2;
}

/* The key of i, with the turns that share it out between j and k; INFINITY when `max` is not undercut. */
static double key_at(const corner_step *c, th_point s, bool left, double max, th_polar_map_node *value, double *share) {
  double from_k, to_j, dx = c->ix - s.x, dy = c->iy - s.y;
  turns_at(c, s, &from_k, &to_j);
  bool seen = !left && from_k >= GRAZE * c->l2 && to_j >= GRAZE * c->l2;
  value->shadow = !seen || c->j->shadow || c->k->shadow;
  if (!value->shadow) {
    double length2 = dx * dx + dy * dy;
    if (!(length2 < max * max)) return INFINITY;
    *share = to_j / (to_j + from_k);
    return sqrt(length2);
  }
  double part = to_j / (to_j + from_k);
  *share = left ? 0.5 : part > 0.0 ? (part < 1.0 ? part : 1.0) : 0.0;
  return left ? bent_key(c) : shadow_key(c);
}

/* Offers corner i of face f the value that its other two corners give it. */
static void relax(th_polar_map *d, uint32_t f, uint32_t i) {
  corner_step c;
  step_of(d, f, i, &c);
  uint32_t v = d->frames->mesh->corner[3 * (size_t)f + i];
  const th_polar_map_node *j = c.j, *k = c.k;
  double max = valued(d, v) ? d->node[v].key : INFINITY, share = 0.0;
  double j2 = j->x * j->x + j->y * j->y, k2 = k->x * k->x + k->y * k->y;
  bool left = j->x * k->y - j->y * k->x > 0.0; /* the origin lies on the side of i */
  th_polar_map_node value = {.shadow = true};
  th_point s;
  if (virtual_origin(&c, j2, k2, left ? 1.0 : -1.0, &s) || true_origin(&c, &s)) {
    value.key = key_at(&c, s, left, max, &value, &share);
    if (!(value.key < max)) return;
    turn_to(&c, s, share, &value);
  } else {
    value.key = bent_key(&c);
    if (!(value.key < max)) return;
    lay_down(&c, &value);
  }
  if (value.key < INFINITY && isfinite(value.x + value.y + value.inverse)) set_value(d, v, &value);
}

double th_polar_map_face_off(const th_face_frame *t, const th_point *p) {
  double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, vx = p[2].x - p[0].x, vy = p[2].y - p[0].y;
  if (!(ux * vy - uy * vx > 0.0)) return INFINITY;
  double w = t->cx - t->bx, c2 = t->cy * t->cy;
  double a = (ux * ux + uy * uy) / (t->bx * t->bx), b = (vx * vx + vy * vy) / (t->cx * t->cx + c2);
  double c = ((vx - ux) * (vx - ux) + (vy - uy) * (vy - uy)) / (w * w + c2);
  double min = a < b ? a : b, max = a < b ? b : a;
  double shrunk = 1.0 - sqrt(c < min ? c : min), grown = sqrt(c > max ? c : max) - 1.0;
  return shrunk > grown ? shrunk : grown;
}

/* th_polar_map_face_off <= TH_CHART_STRETCH without roots and divisions. */
static bool keeps_shape(const th_face_frame *t, const th_point *p) {
  const double low = (1.0 - TH_CHART_STRETCH) * (1.0 - TH_CHART_STRETCH),
               high = (1.0 + TH_CHART_STRETCH) * (1.0 + TH_CHART_STRETCH);
  double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, vx = p[2].x - p[0].x, vy = p[2].y - p[0].y;
  double w = t->cx - t->bx, c2 = t->cy * t->cy, a = t->bx * t->bx, b = t->cx * t->cx + c2, c = w * w + c2;
  double a2 = ux * ux + uy * uy, b2 = vx * vx + vy * vy, d2 = (vx - ux) * (vx - ux) + (vy - uy) * (vy - uy);
  return (ux * vy - uy * vx > 0.0) & (a2 >= low * a) & (a2 <= high * a) & (b2 >= low * b) & (b2 <= high * b) &
         (d2 >= low * c) & (d2 <= high * c);
}

static double min_key(th_polar_map_node *const *n) {
  double min = n[0]->key < n[1]->key ? n[0]->key : n[1]->key;
  return min < n[2]->key ? min : n[2]->key;
}

/* All three corners are final: does the face belong to the map? */
static void complete(th_polar_map *d, uint32_t f) {
  const uint32_t *corner = &d->frames->mesh->corner[3 * (size_t)f];
  th_polar_map_node *n[3] = {&d->node[corner[0]], &d->node[corner[1]], &d->node[corner[2]]};
  const th_point p[3] = {{n[0]->x, n[0]->y}, {n[1]->x, n[1]->y}, {n[2]->x, n[2]->y}};
  bool whole = keeps_shape(&d->frames->face[f], p);
  for (int k = 0; k < 3; k++) n[k]->lacking--;
  double off = 0.0;
  if (d->strict < INFINITY) {
    off = whole ? th_polar_map_face_off(&d->frames->face[f], p) : INFINITY;
    if (off > d->strict) d->first_off = fmin(d->first_off, min_key(n));
  }
  if (!whole && !(d->tag && d->tag[f] == d->own)) {
    d->first_broken = fmin(d->first_broken, min_key(n));
    for (int k = 0; k < 3; k++) n[k]->broken = true;
    return;
  }
  for (int k = 0; k < 3; k++) n[k]->whole = true;
  d->off[d->face_count] = (float)off;
  d->face[d->face_count++] = f;
}

/* Walks round a vertex that has become final: completes faces, and lists the half-edges that leave the one corner that
 * a face still lacks. */
static uint32_t go_round(th_polar_map *d, uint32_t v) {
  const uint32_t *corner = d->frames->mesh->corner, *twin = d->frames->mesh->twin, *mark = d->mark;
  const uint8_t *blocked = d->frames->blocked;
  uint32_t begin = d->frames->mesh->leaving[v], h = begin, count = 0, faces = 0, final_mark = 2 * d->run + 1;
  do {
    uint32_t f = h / 3, hb = h - 3 * f == 2 ? h - 2 : h + 1, hc = h == 3 * f ? h + 2 : h - 1;
    bool has_b = mark[corner[hb]] == final_mark, has_c = mark[corner[hc]] == final_mark;
    if (!(blocked && blocked[f])) {
      faces++;
      if (has_b && has_c)
        complete(d, f);
      else if (has_b || has_c)
        d->fan[count++] = has_b ? hc : hb;
    }
    h = twin[hc];
  } while (h != TH_NO_HALF && h != begin);
  d->node[v].lacking += faces;
  return count;
}

/* Corners of the face without a value get one from a corner that has one; false when none has. */
static bool fill_face(th_polar_map *d, uint32_t h) {
  uint32_t f = h / 3, a = h - 3 * f, ib = next_corner[a], ic = last_corner[a];
  const uint32_t *corner = &d->frames->mesh->corner[3 * (size_t)f];
  bool has_b = valued(d, corner[ib]), has_c = valued(d, corner[ic]);
  if ((has_b && has_c) || (d->frames->blocked && d->frames->blocked[f])) return true;
  if (has_b) relax(d, f, ic);
  if (has_c) relax(d, f, ib);
  return has_b || has_c;
}

/* The same for all faces of a final vertex; values propagate around it in both directions. */
static void fill_round(th_polar_map *d, uint32_t v) {
  const th_mesh *m = d->frames->mesh;
  uint32_t begin = m->leaving[v], h = begin, last;
  bool all = true;
  do {
    all &= fill_face(d, h);
    last = h;
    h = th_half_left(m, h);
  } while (h != TH_NO_HALF && h != begin);
  for (h = last; !all && h != begin; h = th_half_right(m, h)) fill_face(d, h);
  if (!all) fill_face(d, begin);
}

void th_polar_map_empty(th_polar_map *d, const th_mesh_frames *frames) {
  d->frames = frames;
  d->vertex_count = d->face_count = d->heap.count = 0;
  if (++d->run > UINT32_MAX / 2) { /* forget all of them */
    memset(d->mark, 0, d->vertex_capacity * sizeof *d->mark);
    d->run = 1;
  }
  d->first_off = d->first_broken = INFINITY;
  d->reached = 0.0;
  if (!(d->strict > 0.0)) d->strict = INFINITY;
}

void th_polar_map_begin(th_polar_map *d, const th_mesh_frames *frames, uint32_t face) {
  th_polar_map_empty(d, frames);
  const th_face_frame *t = &frames->face[face];
  double ox = (t->bx + t->cx) / 3.0, oy = t->cy / 3.0;
  for (uint32_t k = 0; k < 3; k++) {
    th_point p = th_frames_corner(frames, 3 * face + k);
    th_polar_map_node value = {.x = p.x - ox, .y = p.y - oy};
    double length2 = value.x * value.x + value.y * value.y;
    value.key = sqrt(length2);
    value.inverse = 1.0 / length2;
    set_value(d, frames->mesh->corner[3 * face + k], &value);
  }
}

/* Makes the nearest vertex final. It propagates its value unless every face that it completes is broken. */
static void finish_one(th_polar_map *d) {
  uint32_t v;
  bool newest = th_polar_map_pop(d, &v);
  if (!newest || final(d, v)) return;
  d->mark[v] = 2 * d->run + 1;
  uint32_t count = go_round(d, v);
  if (!d->node[v].whole && d->node[v].broken) return;
  for (uint32_t n = 0; n < count; n++) relax(d, d->fan[n] / 3, d->fan[n] % 3);
}

void th_polar_map_advance(th_polar_map *d, double limit) {
  for (;;) {
    d->reached = limit < BEYOND * d->first_off ? limit : BEYOND * d->first_off;
    if (!(th_polar_map_next(d) <= d->reached)) return;
    finish_one(d);
  }
}

void th_polar_map_close(th_polar_map *d) {
  uint32_t grown = d->vertex_count;
  for (uint32_t n = 0; n < grown; n++) {
    uint32_t v = d->vertex[n];
    if (!final(d, v) || d->node[v].lacking == 0 || (!d->node[v].whole && d->node[v].broken)) continue;
    fill_round(d, v);
  }
  for (uint32_t n = 0; n < d->vertex_count; n++) {
    uint32_t v = d->vertex[n];
    if (final(d, v)) continue;
    d->mark[v] = 2 * d->run + 1;
    d->node[v].closed = true;
    go_round(d, v);
  }
  d->heap.count = 0;
}
