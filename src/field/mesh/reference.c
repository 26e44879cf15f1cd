/* field/mesh/reference.c - the direction on a field along edges: the reference point of dynamic planarization.
 *
 * Every face has one point that its agents walk to (section 4.3.2 of the thesis). With t the middle of the face, p_k
 * its corners and d_k their distances: gain_k = mean(d) - d_k, V_k = unit(p_k - t) gain_k, so that each V_k points to
 * where the distance falls; the reference lies far away along sum |V_k| V_k. The mean turns paths along edges into
 * paths across faces. A goal within the map, the ring of faces round the face, is itself the reference. Where all gains
 * are 0, and for an agent that goes back and forth between faces that point at each other, it is the lowest vertex of
 * the map.
 *
 * Vertices of the ring are unfolded into the plane of the face round its corners, half of each fan from either side.
 * Cost: three square roots; some 20 small rotations where the ring is needed.
 */
#include <math.h>

#include "field/mesh/edges.h"
#include "geometry/mesh/halfedge.h"

#define FAR 40.0 /* of the reference in longest edges: ten times the width of a ring of four */

typedef struct ring {
  const th_mesh_ground *mesh;
  const float *left;
  uint32_t face, lowest;
  th_point middle, at; /* of the face; of the lowest vertex, in the plane of the face */
  double far;          /* from the middle, squared */
} ring;

static void look(ring *r, uint32_t v, th_point p) {
  const double x = p.x - r->middle.x, y = p.y - r->middle.y, far = x * x + y * y;
  if (r->lowest != TH_NO_ELEMENT && r->left[v] > r->left[r->lowest]) return;
  if (r->lowest != TH_NO_ELEMENT && r->left[v] == r->left[r->lowest] && far >= r->far) return;
  r->lowest = v;
  r->at = p;
  r->far = far;
}

static th_point apply(const th_edge_map *m, th_point p) {
  return (th_point){m->c * p.x - m->s * p.y + m->tx, m->s * p.x + m->c * p.y + m->ty};
}

/* First b, then a. */
static th_edge_map after(const th_edge_map *a, const th_edge_map *b) {
  const th_point t = apply(a, (th_point){b->tx, b->ty});
  return (th_edge_map){a->c * b->c - a->s * b->s, a->s * b->c + a->c * b->s, t.x, t.y};
}

/* Over the side `side` into the next face of the fan: false at walls. */
static bool cross(const ring *r, uint32_t side, th_edge_map *map) {
  if (th_mesh_is_wall(r->mesh, side)) return false;
  *map = after(map, &r->mesh->frames.edge[r->mesh->mesh.twin[side]]);
  return true;
}

static void look_round(ring *r, uint32_t h, uint32_t faces, bool left) {
  const th_mesh *m = &r->mesh->mesh;
  th_edge_map map = {1.0, 0.0, 0.0, 0.0};
  for (uint32_t n = 0; n < faces; n++) {
    if (!cross(r, left ? th_half_previous(h) : h, &map)) return;
    h = left ? th_half_left(m, h) : th_half_right(m, h);
    const uint32_t far = left ? th_half_previous(h) : th_half_next(h);
    look(r, m->corner[far], apply(&map, th_frames_corner(&r->mesh->frames, far)));
  }
}

static uint32_t faces_round(const th_mesh *m, uint32_t begin) {
  uint32_t count = 0, h = begin;
  do count++, h = th_half_left(m, h);
  while (h != TH_NO_HALF && h != begin);
  for (uint32_t k = th_half_right(m, begin); h == TH_NO_HALF && k != TH_NO_HALF; k = th_half_right(m, k)) count++;
  return count;
}

static void find_lowest(ring *r) {
  for (uint32_t k = 0; k < 3; k++) {
    const uint32_t h = 3 * r->face + k, others = faces_round(&r->mesh->mesh, h) - 1;
    look(r, r->mesh->mesh.corner[h], th_frames_corner(&r->mesh->frames, h));
    look_round(r, h, (others + 1) / 2, true);
    look_round(r, h, others / 2, false);
  }
}

static bool has_path(const float *d) { return d[0] < INFINITY && d[1] < INFINITY && d[2] < INFINITY; }

/* Sum of |V_k| V_k; 0 where the face is level. */
static th_point mean_gain(const float *d, const th_point *arm) {
  const double mean = ((double)d[0] + (double)d[1] + (double)d[2]) / 3.0;
  th_point sum = {0.0, 0.0};
  for (int k = 0; k < 3; k++) {
    const double gain = mean - (double)d[k], size = sqrt(arm[k].x * arm[k].x + arm[k].y * arm[k].y);
    const double factor = size > 0.0 ? fabs(gain) * gain / size : 0.0;
    sum.x += factor * arm[k].x;
    sum.y += factor * arm[k].y;
  }
  return sum;
}

th_reference th_mesh_field_reference(const th_field *field, uint32_t face, bool lowest) {
  const th_mesh_edges *e = &field->edges;
  const th_mesh_ground *s = field->edges.mesh;
  const uint32_t *corner = s->mesh.corner + 3 * (size_t)face;
  const th_face_frame *f = &s->frames.face[face];
  const th_point middle = {(f->bx + f->cx) / 3.0, f->cy / 3.0};
  const th_point arm[3] = {{-middle.x, -middle.y}, {f->bx - middle.x, -middle.y}, {f->cx - middle.x, f->cy - middle.y}};
  const float d[3] = {e->left[corner[0]], e->left[corner[1]], e->left[corner[2]]};
  ring r = {s, e->left, face, TH_NO_ELEMENT, middle, middle, INFINITY};
  const bool close = fminf(d[0], fminf(d[1], d[2])) <= e->near;
  if (close) find_lowest(&r);
  if (close && e->left[r.lowest] == 0.0f) return (th_reference){(float)r.at.x, (float)r.at.y, true};
  const th_point gain = has_path(d) ? mean_gain(d, arm) : (th_point){0.0, 0.0};
  const double size = sqrt(gain.x * gain.x + gain.y * gain.y);
  if (lowest || !(size > 0.0)) {
    if (!close) find_lowest(&r);
    return (th_reference){(float)r.at.x, (float)r.at.y, false};
  }
  const double edge = fmax(fmax(f->bx, sqrt(f->cx * f->cx + f->cy * f->cy)), (double)s->mean_edge);
  const double scale = FAR * edge / size;
  return (th_reference){(float)(middle.x + scale * gain.x), (float)(middle.y + scale * gain.y), false};
}

bool th_mesh_edges_goal(const th_field *field, uint32_t face) {
  const th_mesh_edges *e = &field->edges;
  const uint32_t *corner = field->edges.mesh->mesh.corner + 3 * (size_t)face;
  return e->whole && e->left[corner[0]] == 0.0f && e->left[corner[1]] == 0.0f && e->left[corner[2]] == 0.0f;
}

bool th_mesh_edges_left(const th_field *field, uint32_t face, float left[3]) {
  const th_mesh_ground *s = field->edges.mesh;
  const uint32_t *corner = s->mesh.corner + 3 * (size_t)face;
  const th_face_frame *f = &s->frames.face[face];
  const th_mesh_edges *e = &field->edges;
  const float *all = e->distance ? e->distance : e->left;
  const float d[3] = {all[corner[0]], all[corner[1]], all[corner[2]]};
  const float min = fminf(d[0], fminf(d[1], d[2]));
  left[0] = min;
  left[1] = left[2] = 0.0f;
  if (!has_path(d)) return min < INFINITY;
  const double x = ((double)d[1] - (double)d[0]) / f->bx;
  left[0] = d[0];
  left[1] = (float)x;
  left[2] = (float)(((double)d[2] - (double)d[0] - x * f->cx) / f->cy);
  return true;
}

static th_sample sample(const th_field *field, th_place place, th_vec2 offset) {
  float left[3];
  (void)offset;
  if (!th_mesh_field_is_face(field, place)) return (th_sample){0.0f, 0.0f, INFINITY, 0};
  const float scale = field->inverse_cell;
  if (!th_mesh_edges_left(field, place.cell, left)) return (th_sample){0.0f, 0.0f, INFINITY, 0};
  if (th_mesh_edges_goal(field, place.cell)) return (th_sample){0.0f, 0.0f, 0.0f, TH_NODE_REACHES | TH_NODE_GOAL};
  const th_reference r = th_mesh_field_reference(field, place.cell, false);
  const float x = r.x - place.x, y = r.y - place.y, far = sqrtf(x * x + y * y) - field->edges.radius;
  const float along = fmaxf(left[0] + left[1] * place.x + left[2] * place.y, 0.0f);
  if (r.arrives && far <= 0.0f) return (th_sample){0.0f, 0.0f, 0.0f, TH_NODE_REACHES | TH_NODE_GOAL};
  return (th_sample){x * scale, y * scale, r.arrives ? far : along, TH_NODE_REACHES};
}

static void answer(const th_field *field, const th_guide_query *query, const th_field_offsets *offsets) {
  (void)offsets;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    const th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
    const th_sample s = sample(field, place, (th_vec2){0.0f, 0.0f});
    const float size = sqrtf(s.gx * s.gx + s.gy * s.gy);
    th_guide_answer *want = &query->want[lane];
    *want = (th_guide_answer){.left = s.left};
    want->dx = size > 0.0f ? s.gx / size : 0.0f;
    want->dy = size > 0.0f ? s.gy / size : 0.0f;
    want->state = s.code & TH_NODE_GOAL      ? TH_ANSWER_ARRIVED
                  : s.code & TH_NODE_REACHES ? TH_ANSWER_LEAD
                                             : TH_ANSWER_LOST;
  }
}

/* ---------------------------------------------------------------- the shortest path along edges */

/* A walkable half-edge that leaves the vertex, at its place. */
static th_place place_of(const th_mesh_ground *s, uint32_t v) {
  uint32_t h = s->mesh.leaving[v];
  while (h != TH_NO_HALF && s->blocked[h / 3]) {
    h = th_half_left(&s->mesh, h);
    if (h == s->mesh.leaving[v]) break;
  }
  if (h == TH_NO_HALF) h = s->mesh.leaving[v];
  const th_point p = th_frames_corner(&s->frames, h);
  return (th_place){h / 3, (float)p.x, (float)p.y};
}

/* The neighbour that the path from v goes to: d(v) = min (d(w) + |vw|), or times. */
static uint32_t below(const th_mesh_ground *s, const th_mesh_edges *e, uint32_t v) {
  const float *left = e->left;
  uint32_t h = s->mesh.leaving[v], begin = h, best = v;
  float min = INFINITY;
  do {
    const uint32_t end[2] = {th_half_to(&s->mesh, h), th_half_from(&s->mesh, th_half_previous(h))};
    for (int k = 0; k < 2 && !s->blocked[h / 3]; k++) {
      float far = th_mesh_edge_length(&s->mesh, v, end[k]);
      if (e->distance) far *= (float)th_mesh_edge_slowness(s, k ? th_half_previous(h) : h);
      far += left[end[k]];
      if (left[end[k]] < left[v] && far < min) best = end[k], min = far;
    }
    h = th_half_left(&s->mesh, h);
  } while (h != TH_NO_HALF && h != begin);
  return best;
}

static uint32_t trace(const th_field *field, th_place from, th_place *place, uint32_t capacity) {
  const th_mesh_ground *s = field->edges.mesh;
  const float *left = field->edges.left;
  const uint32_t *corner = s->mesh.corner + 3 * (size_t)from.cell;
  uint32_t v = corner[0], count = 0;
  for (int k = 1; k < 3; k++)
    if (left[corner[k]] < left[v]) v = corner[k];
  if (!(left[v] < INFINITY)) return 0;
  if (count++ < capacity) place[0] = from;
  if (th_mesh_edges_goal(field, from.cell)) return count;
  for (uint32_t next;; v = next) {
    if (count++ < capacity) place[count - 1] = place_of(s, v);
    next = left[v] > 0.0f ? below(s, &field->edges, v) : v;
    if (next == v) return count;
  }
}

/* ---------------------------------------------------------------- as a kind of field */

static bool reaches(const th_field *field, th_place place) {
  float left[3];
  return th_mesh_field_is_face(field, place) && th_mesh_edges_left(field, place.cell, left);
}

static uint32_t trace_to(const th_field *field, th_place from, const th_trace_layout *to) {
  return th_mesh_trace_to(field, trace, from, to);
}

/* Its guide prefetches more precisely (guide/reference_points.c). */
static void prefetch(const th_field *field, const uint32_t *cell, uint32_t count) {
  (void)field, (void)cell, (void)count;
}

const th_field_calls th_edges_field_calls = {.sample = sample,
                                             .answer = answer,
                                             .offset = th_mesh_field_offset,
                                             .reaches = reaches,
                                             .log = th_mesh_field_sample_log,
                                             .potential = th_mesh_field_sample_u,
                                             .trace = trace_to,
                                             .smooth = th_mesh_field_straighten,
                                             .values = th_mesh_field_values,
                                             .prefetch = prefetch,
                                             .release = th_mesh_field_end};
