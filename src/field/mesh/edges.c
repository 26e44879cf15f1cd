/* field/mesh/edges.c - distances along the edges of a mesh.
 *
 * Dijkstra from the goal's vertex over edge lengths, in float: the field of Berndt, "Navegacao de multiplos agentes
 * sobre superficies arbitrarias utilizando planarizacao dinamica", 2014, section 4.1. These distances are longer than
 * paths over faces, by 7 % on a regular sphere, but cost four bytes per vertex and nothing per face, so that thousands
 * of goals fit into memory. For a point, the goal is the nearest corner of its face. Where faces differ in speed, the
 * search minimises time, with the speed of an edge's faster side, and sums the distance as well. Vertices that the
 * class blocks hold the distance through their exits. Cost: O(n log n), about 0.1 us per vertex.
 */
#include "field/mesh/edges.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/lazy_heap.h"
#include "base/memory.h"
#include "geometry/mesh/halfedge.h"

/* ---------------------------------------------------------------- links */

/* Each edge once from either end: by its half-edge, or by the twin where that lies in no walkable face. */
static bool owns(const th_mesh_ground *s, uint32_t h) {
  uint32_t twin = s->mesh.twin[h];
  return !s->blocked[h / 3] && (twin == TH_NO_HALF || twin > h || s->blocked[twin / 3]);
}

static void fill_links(const th_mesh_ground *s, th_mesh_links *links, uint32_t *at) {
  const th_mesh *m = &s->mesh;
  for (uint32_t h = 0; h < 3 * m->face_count; h++) {
    if (!owns(s, h)) continue;
    uint32_t end[2] = {th_half_from(m, h), th_half_to(m, h)};
    float length = th_mesh_edge_length(m, end[0], end[1]);
    for (int k = 0; k < 2; k++) {
      if (links->time) links->time[at[end[k]]] = (float)((double)length * th_mesh_edge_slowness(s, h));
      links->other[at[end[k]]] = end[1 - k];
      links->length[at[end[k]]++] = length;
    }
  }
}

static th_result need_links(th_solver *solver, th_error *error) {
  const th_allocator *a = &solver->env.allocator;
  const th_mesh_ground *s = solver->ground->mesh;
  const th_mesh *m = &s->mesh;
  if (solver->mesh->links) return TH_OK;
  th_mesh_links *links = TH_TAKE(a, th_mesh_links, 1);
  uint32_t *at = TH_TAKE(a, uint32_t, m->vertex_count);
  bool got = links && at;
  if (got) {
    for (uint32_t h = 0; h < 3 * m->face_count; h++) links->link_count += 2u * owns(s, h);
    links->start = TH_TAKE(a, uint32_t, (size_t)m->vertex_count + 1);
    links->other = TH_TAKE(a, uint32_t, links->link_count);
    links->length = TH_TAKE(a, float, links->link_count);
    const bool uneven = th_mesh_ground_uneven(s);
    if (uneven) links->time = TH_TAKE(a, float, links->link_count);
    got = links->start && links->other && links->length && (links->time || !uneven);
  }
  if (got) {
    for (uint32_t h = 0; h < 3 * m->face_count; h++)
      if (owns(s, h)) links->start[th_half_from(m, h) + 1]++, links->start[th_half_to(m, h) + 1]++;
    for (uint32_t v = 0; v < m->vertex_count; v++) links->start[v + 1] += links->start[v];
    for (uint32_t v = 0; v < m->vertex_count; v++) at[v] = links->start[v];
    fill_links(s, links, at);
    solver->mesh->links = links;
  } else if (links) {
    th_mesh_links_release(links, a, m->vertex_count);
  }
  TH_GIVE(a, at, m->vertex_count);
  return got ? TH_OK : th_fail_memory(error, "edges");
}

static th_result make_links(th_solver *solver, th_error *error) {
  th_mutex_lock(&solver->lock);
  th_result result = need_links(solver, error);
  th_mutex_unlock(&solver->lock);
  return result;
}

void th_mesh_links_release(th_mesh_links *links, const th_allocator *a, uint32_t vertices) {
  if (!links) return;
  TH_GIVE(a, links->time, links->link_count);
  TH_GIVE(a, links->length, links->link_count);
  TH_GIVE(a, links->other, links->link_count);
  TH_GIVE(a, links->start, (size_t)vertices + 1);
  TH_GIVE(a, links, 1);
}

/* ---------------------------------------------------------------- Dijkstra */

static void spread(const th_mesh_field_build *d, th_lazy_heap *q, const th_mesh_edges *e) {
  const th_mesh_links *links = d->solver->mesh->links;
  const float *length = e->distance ? links->time : links->length;
  float *left = e->left;
  while (q->count > 0) {
    const uint64_t top = th_lazy_heap_pop(q);
    const uint32_t v = th_lazy_number(top);
    const float here = th_lazy_distance(top);
    if (here > left[v]) continue; /* a shorter path was found since */
    for (uint32_t n = links->start[v]; n < links->start[v + 1]; n++) {
      const uint32_t w = links->other[n];
      const float far = here + length[n];
      if (!(far < left[w]) || d->kind[w] == TH_CELL_WALL) continue;
      left[w] = far;
      if (e->distance) e->distance[w] = e->distance[v] + links->length[n];
      th_lazy_heap_push(q, th_lazy_key(far, w));
    }
  }
}

/* The free corner of a point's face that is nearest to the point; ties go to the lower number. */
static uint32_t nearest_corner(const th_mesh_field_build *d) {
  uint32_t best = TH_NO_ELEMENT;
  double min = INFINITY;
  for (uint32_t k = 0; k < 3; k++) {
    uint32_t h = 3 * d->centre.cell + k, v = d->mesh->mesh.corner[h];
    th_point p = th_frames_corner(&d->mesh->frames, h);
    double x = p.x - (double)d->centre.x, y = p.y - (double)d->centre.y, far = x * x + y * y;
    if (d->kind[v] == TH_CELL_WALL || far > min || (far == min && v > best)) continue;
    min = far;
    best = v;
  }
  return best;
}

/* The mark and the longest edge of a vertex of the goal. */
static void note_goal(const th_mesh_field_build *d, th_mesh_edges *e, uint32_t v) {
  const th_mesh_links *links = d->solver->mesh->links;
  e->mark = (uint32_t)th_hash_fnv1a(TH_FNV1A_BEGIN ^ e->mark, &v, sizeof v);
  for (uint32_t n = links->start[v]; n < links->start[v + 1]; n++)
    e->near = fmaxf(e->near, (e->distance ? links->time : links->length)[n]);
}

static void begin_at(const th_mesh_edges *e, th_lazy_heap *q, uint32_t v) {
  e->left[v] = 0.0f;
  if (e->distance) e->distance[v] = 0.0f;
  th_lazy_heap_push(q, th_lazy_key(0.0f, v));
}

static void clear(const th_mesh_field_build *d, const th_mesh_edges *e) {
  for (uint32_t v = 0; v < d->vertices; v++) e->left[v] = INFINITY;
  for (uint32_t v = 0; e->distance && v < d->vertices; v++) e->distance[v] = INFINITY;
}

/* Blocked vertices lead to their exits. */
static void lead_out(const th_mesh_field_build *d, const th_mesh_edges *e) {
  for (uint32_t v = 0; v < d->vertices; v++) {
    uint32_t owner = d->kind[v] == TH_CELL_WALL ? d->nearest_free->owner[v] : TH_NO_ELEMENT;
    if (owner == TH_NO_ELEMENT || owner == v) continue;
    e->left[v] = e->left[owner] + (float)d->nearest_free->far[v];
    if (e->distance) e->distance[v] = e->distance[owner] + (float)d->nearest_free->far[v];
  }
}

void th_mesh_edges_search(const th_mesh_field_build *d, const th_mesh_edges *e, th_lazy_heap *q, uint32_t goal) {
  clear(d, e);
  begin_at(e, q, goal);
  spread(d, q, e);
  lead_out(d, e);
}

static th_result march(th_mesh_field_build *d, th_mesh_edges *e, th_error *error) {
  const uint32_t one = d->spread ? nearest_corner(d) : TH_NO_ELEMENT;
  const uint32_t *goal = d->spread ? &one : d->goal, count = d->spread ? 1 : d->goal_count;
  th_lazy_heap q = {0};
  e->mark = d->ground->version;
  for (uint32_t n = 0; n < count; n++) note_goal(d, e, goal[n]);
  if (d->spread && th_mesh_edges_copy(d, one, e->left)) return TH_OK;
  if (!th_lazy_heap_reserve(&q, d->allocator, d->solver->mesh->links->link_count + d->vertices))
    return th_fail_memory(error, "distances to the goal");
  clear(d, e);
  for (uint32_t n = 0; n < count; n++) begin_at(e, &q, goal[n]);
  spread(d, &q, e);
  lead_out(d, e);
  th_lazy_heap_free(&q, d->allocator);
  return TH_OK;
}

/* ---------------------------------------------------------------- field */

static bool take_memory(th_mesh_field_build *d) {
  const th_allocator *a = d->allocator;
  d->field = TH_TAKE(a, th_mesh_field, 1);
  if (!d->field) return false;
  d->field->ground = th_ground_retain(d->solver->ground);
  d->field->geodesic = true;
  d->field->goal.cell = TH_NO_CELL;
  d->field->top = TH_NO_ELEMENT;
  d->kind = TH_TAKE(a, uint8_t, d->vertices);
  d->goal_face = TH_TAKE(a, uint8_t, d->faces);
  d->edges.left = TH_TAKE(a, float, d->vertices);
  if (d->quick) d->edges.distance = TH_TAKE(a, float, d->vertices);
  return d->kind && d->goal_face && d->edges.left && (d->edges.distance || !d->quick);
}

th_result th_mesh_edges_prepare(th_mesh_field_build *d, th_error *error) {
  th_result result = make_links(d->solver, error);
  if (result == TH_OK) result = th_solver_nearest_free(d->solver, d->def->radius_class, error);
  d->nearest_free = &d->solver->nearest_free[d->def->radius_class];
  return result;
}

void th_mesh_edges_kinds(const th_mesh_field_build *d) {
  const th_mesh_links *links = d->solver->mesh->links;
  for (uint32_t v = 0; v < d->vertices; v++) {
    bool blocked = th_mesh_vertex_blocked(d->ground, d->def->radius_class, v) || links->start[v] == links->start[v + 1];
    d->kind[v] = blocked ? TH_CELL_WALL : TH_CELL_FREE;
  }
}

th_result th_mesh_edges_build(th_mesh_field_build *d, th_error *error) {
  th_result result = th_mesh_edges_prepare(d, error);
  if (result == TH_OK && !take_memory(d)) result = th_fail_memory(error, "field");
  if (result != TH_OK) return result;
  th_mesh_edges_kinds(d);
  result = th_mesh_field_goal_find(d, error);
  if (result == TH_OK) result = march(d, &d->edges, error);
  if (result != TH_OK) return result;
  d->edges.mesh = d->mesh;
  d->edges.whole = !d->spread;
  d->edges.radius = d->spread ? (float)d->centre_radius : 0.0f;
  return TH_OK;
}

void th_mesh_edges_release(const th_mesh_edges *e, const th_allocator *a, uint32_t vertices) {
  TH_GIVE(a, e->distance, vertices);
  TH_GIVE(a, e->left, vertices);
}

const float *th_field_lengths(const th_field *field, uint32_t *count) {
  const th_mesh_edges *e = &field->edges;
  *count = e->left ? field->mesh->ground->mesh->mesh.vertex_count : 0;
  return e->distance ? e->distance : e->left;
}
