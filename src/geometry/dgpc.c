/* geometry/dgpc.c - discrete geodesic polar coordinates without trigonometry.
 *
 * Method: vertices are finished in the order of their distance from the origin, as in fast marching (Melvaer and
 * Reimers, "Geodesic polar coordinates on polygonal meshes", 2012). For a face (j, k, i) whose corners j and k are
 * known, the distances of j and k fix a virtual origin s in the plane of the face; then |i - s| is the distance of i,
 * and its direction follows from those of j and k by the angles at s. Written with complex numbers, p_i = p_j (i - s) /
 * (j - s), so no angle is ever computed; the two answers, from j and from k, are blended by the angles at s.
 *
 * Two changes. Where the straight way from s to i does not cross the edge, Melvaer and Reimers bend the way over j or
 * k and give i its direction, which folds the plane behind corners; we keep the same formula for the position and
 * carry the bent length as a key of its own, so a flat mesh is mapped without error whatever its holes and triangles.
 * And faces that lose their shape are not passed on, so nothing is seen beyond a fold.
 *
 * Cost: about 2.5 updates of 20 ns and one heap operation a vertex.
 */
#include "geometry/dgpc.h"

#include <string.h>

#include "base/memory.h"

#define BEYOND 1.5 /* growth ends at this multiple of the first face that is off */

static uint32_t most_faces_at_a_vertex(const th_mesh *m) {
  uint32_t most = 0;
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    uint32_t count = 0, begin = m->leaving[v], h = begin;
    do {
      count++;
      h = th_half_left(m, h);
    } while (h != TH_NO_HALF && h != begin);
    most = count > most ? count : most;
  }
  return most;
}

bool th_dgpc_make(th_dgpc *d, const th_allocator *allocator, const th_mesh *mesh) {
  *d = (th_dgpc){.allocator = *allocator, .vertex_capacity = mesh->vertex_count, .face_capacity = mesh->face_count};
  d->node = TH_TAKE(allocator, th_dgpc_node, d->vertex_capacity);
  d->vertex = TH_TAKE(allocator, uint32_t, d->vertex_capacity);
  d->face = TH_TAKE(allocator, uint32_t, d->face_capacity);
  d->off = TH_TAKE(allocator, float, d->face_capacity);
  d->heap_capacity = 256;
  d->heap = TH_TAKE(allocator, uint64_t, d->heap_capacity);
  d->fan_capacity = most_faces_at_a_vertex(mesh);
  d->fan = TH_TAKE(allocator, uint32_t, d->fan_capacity);
  if (d->node && d->vertex && d->face && d->off && d->heap && d->fan) return true;
  th_dgpc_free(d);
  return false;
}

void th_dgpc_free(th_dgpc *d) {
  if (!d->allocator.release) return;
  TH_GIVE(&d->allocator, d->node, d->vertex_capacity);
  TH_GIVE(&d->allocator, d->vertex, d->vertex_capacity);
  TH_GIVE(&d->allocator, d->face, d->face_capacity);
  TH_GIVE(&d->allocator, d->off, d->face_capacity);
  TH_GIVE(&d->allocator, d->heap, d->heap_capacity);
  TH_GIVE(&d->allocator, d->fan, d->fan_capacity);
  *d = (th_dgpc){0};
}

/* Keys are ordered as floats; equal ones by vertex number, so the order is a matter of the mesh alone. */
static uint64_t item_of(double key, uint32_t vertex) { return (uint64_t)th_bits_of_float((float)key) << 32 | vertex; }

void th_dgpc_push(th_dgpc *d, double key, uint32_t vertex) {
  uint64_t item = item_of(key, vertex);
  if (d->heap_count == d->heap_capacity) {
    void *memory = d->heap;
    if (!th_grow(&d->allocator, &memory, &d->heap_capacity, d->heap_count + 1, sizeof *d->heap)) {
      d->failed = true;
      return;
    }
    d->heap = memory;
  }
  uint32_t at = d->heap_count++;
  for (; at > 0 && item < d->heap[(at - 1) / 4]; at = (at - 1) / 4) d->heap[at] = d->heap[(at - 1) / 4];
  d->heap[at] = item;
}

static uint32_t least_of(const uint64_t *heap, uint32_t first, uint32_t end) {
  uint32_t best = first;
  uint64_t least = heap[first];
  for (uint32_t c = first + 1; c < end; c++) {
    best = heap[c] < least ? c : best;
    least = heap[c] < least ? heap[c] : least;
  }
  return best;
}

bool th_dgpc_pop(th_dgpc *d, uint32_t *vertex) {
  *vertex = (uint32_t)d->heap[0];
  bool newest = d->heap[0] == item_of(d->node[*vertex].key, *vertex);
  uint64_t item = d->heap[--d->heap_count], *heap = d->heap;
  uint32_t at = 0, n = d->heap_count;
  for (uint32_t child; (child = 4 * at + 1) < n;) {
    uint32_t best = least_of(heap, child, child + 4 < n ? child + 4 : n);
    if (heap[best] >= item) break;
    heap[at] = heap[best];
    at = best;
  }
  heap[at] = item;
  return newest;
}

static bool valued(const th_dgpc *d, uint32_t v) { return d->node[v].run == d->run; }
static bool final(const th_dgpc *d, uint32_t v) { return th_dgpc_has(d, v); }

static void set_value(th_dgpc *d, uint32_t v, const th_dgpc_node *value) {
  if (!valued(d, v)) d->vertex[d->vertex_count++] = v;
  d->node[v] = *value;
  d->node[v].run = d->run;
  th_dgpc_push(d, value->key, v);
}

/* An update: corners j, k and i of a face counter-clockwise; lengths are squared. */
typedef struct corner_step {
  const th_dgpc_node *j, *k;
  double ex, ey, ix, iy; /* k - j and i - j in the face's frame */
  double l2, inverse_l2;
} corner_step;

/* The point at `along` the edge and `across` it, both times the edge's length, from j. */
static th_point beside_edge(const corner_step *c, double along, double across) {
  return (th_point){(along * c->ex - across * c->ey) * c->inverse_l2, (along * c->ey + across * c->ex) * c->inverse_l2};
}

#define IN_LINE 1e-6 /* squared sine of the angle below which the edge points at the origin */

/* The virtual origin, from j, of points at distances with squares j2 and k2; `side` +1 puts it left of the edge.
 * False when no such point exists, or when a root would turn rounding into metres because it lies in line with j and
 * k. */
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

#define GRAZE -1e-12 /* times the squared edge: a way along a grid line passes its vertices */

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
static void lay_down(const corner_step *c, th_dgpc_node *value) {
  double px = c->k->x - c->j->x, py = c->k->y - c->j->y, size = 1.0 / sqrt((px * px + py * py) * c->l2);
  double co = (c->ex * px + c->ey * py) * size, si = (c->ex * py - c->ey * px) * size;
  value->x = c->j->x + co * c->ix - si * c->iy;
  value->y = c->j->y + si * c->ix + co * c->iy;
  value->inverse = 1.0 / (value->x * value->x + value->y * value->y);
}

/* p_i = p_j (i - s) / (j - s), the same from k, blended and brought to the length |i - s|. */
static void turn_to(const corner_step *c, th_point s, double share, th_dgpc_node *value) {
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

static void step_of(const th_dgpc *d, uint32_t f, uint32_t i, corner_step *c) {
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

/* The key of i, with the turns that share it out between j and k; INFINITY when `most` is not undercut. */
static double key_at(const corner_step *c, th_point s, bool left, double most, th_dgpc_node *value, double *share) {
  double from_k, to_j, dx = c->ix - s.x, dy = c->iy - s.y;
  turns_at(c, s, &from_k, &to_j);
  bool seen = !left && from_k >= GRAZE * c->l2 && to_j >= GRAZE * c->l2;
  value->shadow = !seen || c->j->shadow || c->k->shadow;
  if (!value->shadow) {
    double length2 = dx * dx + dy * dy;
    if (!(length2 < most * most)) return INFINITY;
    *share = to_j / (to_j + from_k);
    return sqrt(length2);
  }
  double part = to_j / (to_j + from_k);
  *share = left ? 0.5 : part > 0.0 ? (part < 1.0 ? part : 1.0) : 0.0;
  return left ? bent_key(c) : shadow_key(c);
}

/* Offers corner i of face f the value that its other two corners give it. */
static void relax(th_dgpc *d, uint32_t f, uint32_t i) {
  corner_step c;
  step_of(d, f, i, &c);
  uint32_t v = d->frames->mesh->corner[3 * (size_t)f + i];
  const th_dgpc_node *j = c.j, *k = c.k;
  double most = valued(d, v) ? d->node[v].key : INFINITY, share = 0.0;
  double j2 = j->x * j->x + j->y * j->y, k2 = k->x * k->x + k->y * k->y;
  bool left = j->x * k->y - j->y * k->x > 0.0; /* the origin lies on the side of i */
  th_dgpc_node value = {.shadow = true};
  th_point s;
  if (virtual_origin(&c, j2, k2, left ? 1.0 : -1.0, &s) || true_origin(&c, &s)) {
    value.key = key_at(&c, s, left, most, &value, &share);
    if (!(value.key < most)) return;
    turn_to(&c, s, share, &value);
  } else {
    value.key = bent_key(&c);
    if (!(value.key < most)) return;
    lay_down(&c, &value);
  }
  if (value.key < INFINITY && isfinite(value.x + value.y + value.inverse)) set_value(d, v, &value);
}

double th_face_off(const th_face_frame *t, const th_point *p) {
  double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, vx = p[2].x - p[0].x, vy = p[2].y - p[0].y;
  if (!(ux * vy - uy * vx > 0.0)) return INFINITY;
  double w = t->cx - t->bx, c2 = t->cy * t->cy;
  double a = (ux * ux + uy * uy) / (t->bx * t->bx), b = (vx * vx + vy * vy) / (t->cx * t->cx + c2);
  double c = ((vx - ux) * (vx - ux) + (vy - uy) * (vy - uy)) / (w * w + c2);
  double least = a < b ? a : b, most = a < b ? b : a;
  double shrunk = 1.0 - sqrt(c < least ? c : least), grown = sqrt(c > most ? c : most) - 1.0;
  return shrunk > grown ? shrunk : grown;
}

/* All three corners are final: does the face belong to the map? */
static void complete(th_dgpc *d, uint32_t f) {
  const uint32_t *corner = &d->frames->mesh->corner[3 * f];
  th_dgpc_node *n[3] = {&d->node[corner[0]], &d->node[corner[1]], &d->node[corner[2]]};
  const th_point p[3] = {{n[0]->x, n[0]->y}, {n[1]->x, n[1]->y}, {n[2]->x, n[2]->y}};
  double off = th_face_off(&d->frames->face[f], p);
  double least = fmin(n[0]->key, fmin(n[1]->key, n[2]->key));
  if (off > d->strict && least < d->first_off) d->first_off = least;
  bool whole = off <= TH_CHART_STRETCH || (d->tag && d->tag[f] == d->own);
  if (!whole && least < d->first_broken) d->first_broken = least;
  for (int k = 0; k < 3; k++) {
    n[k]->whole |= whole;
    n[k]->broken |= !whole;
  }
  if (!whole) return;
  d->off[d->face_count] = (float)off;
  d->face[d->face_count++] = f;
}

/* Offers values to the other corners of one face of the vertex that half-edge h leaves. False when neither of them has
 * one: its turn comes later. */
static bool pass_on_face(th_dgpc *d, uint32_t h) {
  uint32_t f = h / 3, a = h - 3 * f, ib = next_corner[a], ic = last_corner[a];
  const uint32_t *corner = &d->frames->mesh->corner[3 * (size_t)f];
  uint32_t b = corner[ib], c = corner[ic];
  bool has_b = valued(d, b), has_c = valued(d, c);
  bool final_b = has_b && d->node[b].state == TH_DGPC_FINAL, final_c = has_c && d->node[c].state == TH_DGPC_FINAL;
  if (has_b && !final_c && (final_b || !has_c)) relax(d, f, ic);
  if (has_c && !final_b && (final_c || !has_b)) relax(d, f, ib);
  return has_b || has_c;
}

/* Walks round a vertex that has become final: completes faces, and lists the others. */
static uint32_t go_round(th_dgpc *d, uint32_t v) {
  const th_mesh *m = d->frames->mesh;
  uint32_t begin = m->leaving[v], h = begin, count = 0;
  do {
    uint32_t f = h / 3, a = h - 3 * f;
    const uint32_t *corner = &m->corner[3 * (size_t)f];
    if (!d->frames->blocked || !d->frames->blocked[f]) {
      if (final(d, corner[next_corner[a]]) && final(d, corner[last_corner[a]]))
        complete(d, f);
      else
        d->fan[count++] = h;
    }
    h = m->twin[3 * f + last_corner[a]];
  } while (h != TH_NO_HALF && h != begin);
  return count;
}

/* Values travel round the vertex both ways. */
static void pass_on(th_dgpc *d, uint32_t count) {
  bool missed = false;
  for (uint32_t n = 0; n < count; n++) missed |= !pass_on_face(d, d->fan[n]);
  for (uint32_t n = count; missed && n > 0; n--) pass_on_face(d, d->fan[n - 1]);
}

void th_dgpc_empty(th_dgpc *d, const th_mesh_frames *frames) {
  d->frames = frames;
  d->vertex_count = d->face_count = d->heap_count = 0;
  if (++d->run == 0) { /* after 2^32 runs: forget all of them */
    memset(d->node, 0, d->vertex_capacity * sizeof *d->node);
    d->run = 1;
  }
  d->first_off = d->first_broken = INFINITY;
  d->reached = 0.0;
  if (!(d->strict > 0.0)) d->strict = INFINITY;
}

void th_dgpc_begin(th_dgpc *d, const th_mesh_frames *frames, uint32_t face) {
  th_dgpc_empty(d, frames);
  const th_face_frame *t = &frames->face[face];
  double ox = (t->bx + t->cx) / 3.0, oy = t->cy / 3.0;
  for (uint32_t k = 0; k < 3; k++) {
    th_point p = th_frames_corner(frames, 3 * face + k);
    th_dgpc_node value = {.x = p.x - ox, .y = p.y - oy};
    double length2 = value.x * value.x + value.y * value.y;
    value.key = sqrt(length2);
    value.inverse = 1.0 / length2;
    set_value(d, frames->mesh->corner[3 * face + k], &value);
  }
}

/* Lets the nearest vertex be final; `inside` ones hand their values on. */
static void finish_one(th_dgpc *d, bool inside) {
  uint32_t v;
  bool newest = th_dgpc_pop(d, &v);
  th_dgpc_node *n = &d->node[v];
  if (n->state == TH_DGPC_FINAL || !newest) return;
  n->state = TH_DGPC_FINAL;
  uint32_t count = go_round(d, v);
  if (inside && (n->whole || !n->broken)) pass_on(d, count);
}

void th_dgpc_advance(th_dgpc *d, double limit) {
  for (;;) {
    d->reached = limit < BEYOND * d->first_off ? limit : BEYOND * d->first_off;
    if (!(th_dgpc_next(d) <= d->reached)) return;
    finish_one(d, true);
  }
}

void th_dgpc_close(th_dgpc *d) {
  while (d->heap_count > 0) finish_one(d, false);
}
