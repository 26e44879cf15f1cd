/* field/mesh/solver.c - what a solver keeps of one version of a mesh ground.
 *
 * Graph, elimination tree and vertex frames depend on the version alone and are made with the first field; factors are
 * kept by class, wall rule and screen. A piece of surface that touches no wall has a singular operator: there every
 * vertex loses a little, with a length of LENGTHS diameters, which is a uniform sink to the first order (the loss of u
 * is as good as constant), so u still falls everywhere away from the goal. The next version starts anew: the Delaunay
 * triangulation, and with it the graph, may change anywhere near an edit, and everything is a pure function of the
 * version. Cost for 70,000 faces: see graph.c, dissection.c, field/direct/front.c.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/mesh/edges.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"

#define LENGTHS 3.0

th_result th_mesh_solver_make(const th_env *env, th_ground *ground, th_mesh_solver **solver, th_error *error) {
  *solver = TH_TAKE(&env->allocator, th_mesh_solver, 1);
  if (!*solver) return th_fail_memory(error, "solver");
  if (pthread_mutex_init(&(*solver)->lock, NULL) != 0) {
    TH_GIVE(&env->allocator, *solver, 1);
    *solver = NULL;
    return th_fail_memory(error, "solver");
  }
  (*solver)->allocator = env->allocator;
  (*solver)->ground = ground;
  return TH_OK;
}

static void forget(th_mesh_solver *s) {
  const th_allocator *a = &s->allocator;
  const th_mesh *m = &s->ground->mesh->mesh;
  const size_t halves = 3 * (size_t)m->face_count;
  th_tree_release(s->tree);
  TH_GIVE(a, s->turn, 2 * halves);
  TH_GIVE(a, s->fan_start, (size_t)m->vertex_count + 1);
  TH_GIVE(a, s->fan, halves);
  TH_GIVE(a, s->apex, 2 * halves);
  th_mesh_graph_free(&s->graph);
  s->tree = NULL, s->turn = NULL, s->fan_start = NULL, s->fan = NULL, s->apex = NULL;
}

static void cached_free(const th_mesh_solver *s, th_mesh_cached_factor *cached) {
  th_mesh_factor_release(cached->factor);
  TH_GIVE(&s->allocator, cached->sink, s->ground->mesh->mesh.vertex_count);
}

void th_mesh_solver_release(th_mesh_solver *s) {
  if (!s) return;
  th_allocator a = s->allocator;
  uint32_t vertices = s->ground->mesh->mesh.vertex_count;
  for (uint32_t n = 0; n < s->cached_count; n++) cached_free(s, &s->cached[n]);
  TH_GIVE(&a, s->cached, s->cached_capacity);
  for (int k = 0; k < TH_MAX_CLASSES; k++) {
    TH_GIVE(&a, s->nearest_free[k].owner, vertices);
    TH_GIVE(&a, s->nearest_free[k].far, vertices);
  }
  th_mesh_links_release(s->links, &a, vertices);
  forget(s);
  pthread_mutex_destroy(&s->lock);
  TH_GIVE(&a, s, 1);
}

/* Intrinsic half-edges by the vertex they leave, and the far corner of each. */
static void fill_fans(th_mesh_solver *s) {
  const th_intrinsic *t = &s->graph.intrinsic;
  const uint32_t halves = 3 * t->face_count;
  for (uint32_t h = 0; h < halves; h++) s->fan_start[t->corner[h] + 1]++;
  for (uint32_t v = 0; v < t->vertex_count; v++) s->fan_start[v + 1] += s->fan_start[v];
  for (uint32_t h = halves; h-- > 0;) s->fan[--s->fan_start[t->corner[h] + 1]] = h;
  /* each start has moved to that of the vertex before: shift back */
  memmove(s->fan_start, s->fan_start + 1, t->vertex_count * sizeof *s->fan_start);
  s->fan_start[t->vertex_count] = halves;
  for (uint32_t h = 0; h < halves; h++) {
    double l = t->length[h], a = t->length[th_half_next(h)], b = t->length[th_half_previous(h)];
    s->apex[2 * (size_t)h] = 0.5 * (l + (b - a) * (b + a) / l);
    s->apex[2 * (size_t)h + 1] = 2.0 * th_intrinsic_area(t, h / 3) / l;
  }
}

static th_result need_all(th_mesh_solver *s, th_error *error) {
  if (s->ready) return TH_OK;
  const th_mesh_ground *mesh_ground = s->ground->mesh;
  const size_t halves = 3 * (size_t)mesh_ground->mesh.face_count;
  th_result result = th_mesh_graph_make(&s->graph, s->ground, &s->allocator, error);
  if (result != TH_OK) return result;
  s->turn = TH_TAKE(&s->allocator, float, 2 * halves);
  s->fan_start = TH_TAKE(&s->allocator, uint32_t, (size_t)mesh_ground->mesh.vertex_count + 1);
  s->fan = TH_TAKE(&s->allocator, uint32_t, halves);
  s->apex = TH_TAKE(&s->allocator, double, 2 * halves);
  s->tree =
      th_mesh_dissection_make(&s->graph, mesh_ground->mesh.xyz, TH_MESH_DISSECTION_LEAF, TH_MESH_DISSECTION_PIECE);
  if (!s->turn || !s->fan_start || !s->fan || !s->apex || !s->tree) {
    forget(s);
    return th_fail_memory(error, "solver");
  }
  th_mesh_turn_fill(mesh_ground, s->turn);
  fill_fans(s);
  s->ready = true;
  return TH_OK;
}

th_result th_mesh_solver_prepare(th_mesh_solver *s, th_error *error) {
  pthread_mutex_lock(&s->lock);
  th_result result = need_all(s, error);
  pthread_mutex_unlock(&s->lock);
  return result;
}

static th_result need_exits(th_mesh_solver *s, uint32_t radius_class, th_error *error) {
  th_mesh_nearest_free *nearest_free = &s->nearest_free[radius_class];
  const uint32_t vertices = s->ground->mesh->mesh.vertex_count;
  if (nearest_free->owner) return TH_OK;
  th_heap heap;
  bool got = th_heap_make(&heap, &s->allocator, vertices);
  th_mesh_nearest_free made = {TH_TAKE(&s->allocator, uint32_t, vertices), TH_TAKE(&s->allocator, double, vertices)};
  got = got && made.owner && made.far;
  if (got) {
    th_mesh_nearest_free_fill(s->ground, radius_class, &made, &heap);
    *nearest_free = made;
  } else {
    TH_GIVE(&s->allocator, made.owner, vertices);
    TH_GIVE(&s->allocator, made.far, vertices);
  }
  th_heap_free(&heap, &s->allocator);
  return got ? TH_OK : th_fail_memory(error, "solver");
}

th_result th_mesh_solver_nearest_free(th_mesh_solver *s, uint32_t radius_class, th_error *error) {
  pthread_mutex_lock(&s->lock);
  th_result result = need_exits(s, radius_class, error);
  pthread_mutex_unlock(&s->lock);
  return result;
}

/* The screen at each vertex: that of a third of each face around it. */
static void fill_screen(const th_mesh_solver *s, th_mesh_screen screen, double *sink) {
  const th_mesh_ground *mesh_ground = s->ground->mesh;
  for (uint32_t v = 0; v < s->graph.vertex_count; v++) sink[v] = screen.even * s->graph.mass[v];
  for (uint32_t f = 0; screen.haste > 0.0 && f < mesh_ground->mesh.face_count; f++) {
    if (mesh_ground->blocked[f]) continue;
    const double slow = 1.0 / (double)mesh_ground->speed[f];
    const double share =
        screen.haste * slow * slow * mesh_ground->frames.face[f].bx * mesh_ground->frames.face[f].cy / 6.0;
    for (uint32_t k = 0; k < 3; k++) sink[mesh_ground->mesh.corner[3 * (size_t)f + k]] += share;
  }
}

/* Gives each vertex of a piece that touches no wall its share of the sink. `stack` and `met` are scratch. */
static void fill_sink(const th_mesh_operator *op, double *sink, uint32_t *stack, uint8_t *met) {
  const th_mesh_graph *g = op->graph;
  const double length = LENGTHS * g->diameter, loss = 1.0 / (length * length);
  for (uint32_t root = 0; root < g->vertex_count; root++) {
    if (met[root] || op->kind[root] != TH_CELL_FREE) continue;
    uint32_t count = 1;
    bool held = false;
    stack[0] = root;
    met[root] = 1;
    for (uint32_t at = 0; at < count; at++) {
      uint32_t v = stack[at];
      for (uint32_t e = g->start[v]; e < g->start[v + 1]; e++) {
        uint32_t w = g->other[e];
        held |= op->kind[w] == TH_CELL_WALL;
        if (met[w] || op->kind[w] != TH_CELL_FREE) continue;
        met[w] = 1;
        stack[count++] = w;
      }
    }
    if (held && !op->neumann) continue;
    for (uint32_t at = 0; at < count; at++) sink[stack[at]] += loss * g->mass[stack[at]];
  }
}

static th_result make_sink(const th_mesh_solver *s, const th_mesh_operator *op, const th_mesh_cached_factor *cached,
                           th_error *error) {
  const th_allocator *a = &op->graph->allocator;
  const uint32_t vertices = op->graph->vertex_count;
  uint32_t *stack = TH_TAKE(a, uint32_t, vertices);
  uint8_t *met = TH_TAKE(a, uint8_t, vertices);
  bool got = stack && met;
  if (got) {
    fill_screen(s, cached->screen, cached->sink);
    fill_sink(op, cached->sink, stack, met);
  }
  TH_GIVE(a, met, vertices);
  TH_GIVE(a, stack, vertices);
  return got ? TH_OK : th_fail_memory(error, "solver");
}

static bool same_screen(th_mesh_screen a, th_mesh_screen b) { return a.even == b.even && a.haste == b.haste; }

static bool serves(const th_mesh_cached_factor *k, const th_mesh_cached_factor *wanted) {
  return k->radius_class == wanted->radius_class && k->neumann == wanted->neumann &&
         same_screen(k->screen, wanted->screen);
}

/* With what the version before had of the same kind, if there was one. */
static th_result make_factor(const th_mesh_solver *s, const th_mesh_operator *op, th_mesh_cached_factor *fresh,
                             th_error *error) {
  for (uint32_t n = 0; s->previous && n < s->previous->cached_count; n++) {
    const th_mesh_cached_factor *k = &s->previous->cached[n];
    const th_mesh_operator was = {&s->previous->graph, k->factor->kind, k->sink, k->neumann};
    if (serves(k, fresh)) return th_mesh_factor_follow(op, s->tree, k->factor, &was, &fresh->factor, error);
  }
  return th_mesh_factor_make(op, s->tree, NULL, &fresh->factor, error);
}

static th_result need_factor(th_mesh_solver *s, const th_mesh_operator *op, th_mesh_cached_factor fresh,
                             th_mesh_cached_factor *cached, th_error *error) {
  for (uint32_t n = 0; n < s->cached_count; n++) {
    const th_mesh_cached_factor *k = &s->cached[n];
    if (serves(k, &fresh)) return *cached = *k, TH_OK;
  }
  fresh.sink = TH_TAKE(&s->allocator, double, op->graph->vertex_count);
  th_result result = fresh.sink ? make_sink(s, op, &fresh, error) : th_fail_memory(error, "solver");
  if (result == TH_OK) {
    th_mesh_operator full = *op;
    full.sink = fresh.sink;
    result = make_factor(s, &full, &fresh, error);
  }
  if (result == TH_OK &&
      !th_grow(&s->allocator, (void **)&s->cached, &s->cached_capacity, s->cached_count + 1, sizeof *s->cached))
    result = th_fail_memory(error, "solver");
  if (result != TH_OK) {
    cached_free(s, &fresh);
    return result;
  }
  *cached = s->cached[s->cached_count++] = fresh;
  return TH_OK;
}

th_result th_mesh_solver_factor(th_mesh_solver *s, const th_mesh_operator *op, uint32_t radius_class,
                                th_mesh_screen screen, th_mesh_cached_factor *cached, th_error *error) {
  pthread_mutex_lock(&s->lock);
  th_result result =
      need_factor(s, op, (th_mesh_cached_factor){radius_class, op->neumann, screen, NULL, NULL}, cached, error);
  pthread_mutex_unlock(&s->lock);
  return result;
}

/* The factors that were wanted before are wanted again; with them everything else of the version is made at once. */
static th_result refactor(th_mesh_solver *s, const th_mesh_cached_factor *was, uint8_t *kind, th_error *error) {
  for (uint32_t v = 0; v < s->graph.vertex_count; v++) {
    bool blocked = th_mesh_vertex_blocked(s->ground, was->radius_class, v) || !(s->graph.mass[v] > 0.0);
    kind[v] = blocked ? TH_CELL_WALL : TH_CELL_FREE;
  }
  const th_mesh_operator op = {&s->graph, kind, NULL, was->neumann};
  th_mesh_cached_factor cached;
  return th_mesh_solver_factor(s, &op, was->radius_class, was->screen, &cached, error);
}

th_result th_mesh_solver_follow(const th_solver *old, th_ground *ground, th_solver **solver, th_error *error) {
  const th_mesh *was = &old->ground->mesh->mesh, *is = &ground->mesh->mesh;
  if (was->vertex_count != is->vertex_count || was->face_count != is->face_count ||
      old->ground->class_count != ground->class_count)
    return th_fail(error, TH_ERROR_STATE, "solver",
                   "expected a version of the same mesh (%u vertices, %u faces), found %u vertices, %u faces",
                   was->vertex_count, was->face_count, is->vertex_count, is->face_count);
  th_result result = th_solver_make(&old->env, ground, solver, error);
  if (result != TH_OK || old->mesh->cached_count == 0) return result;
  th_mesh_solver *s = (*solver)->mesh;
  s->previous = old->mesh;
  uint8_t *kind = TH_TAKE(&s->allocator, uint8_t, is->vertex_count);
  result = kind ? th_mesh_solver_prepare(s, error) : th_fail_memory(error, "solver");
  for (uint32_t n = 0; kind && n < old->mesh->cached_count && result == TH_OK; n++)
    result = refactor(s, &old->mesh->cached[n], kind, error);
  s->previous = NULL; /* it may go before this one */
  TH_GIVE(&s->allocator, kind, is->vertex_count);
  if (result == TH_OK) return TH_OK;
  th_solver_release(*solver);
  *solver = NULL;
  return result;
}
