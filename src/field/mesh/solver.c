/* field/mesh/solver.c - the data that a solver keeps for one version of a mesh ground.
 *
 * Graph, elimination tree and vertex frames depend on the version alone and are made with the first field; factors are
 * kept by class and rule (field/solver.c). A piece of surface that touches no wall has a singular operator: there every
 * vertex loses a little, with a length of LENGTHS diameters, which is a uniform sink to the first order (the loss of u
 * is almost constant), so u still falls everywhere away from the goal. The next version starts from scratch: the
 * Delaunay triangulation, and with it the graph, may change anywhere near an edit, and everything is a pure function of
 * the version. Cost for 70,000 faces: see graph.c, dissection.c, field/direct/front.c.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/mesh/edges.h"
#include "field/mesh/field.h"
#include "geometry/mesh/halfedge.h"

#define LENGTHS 3.0

static uint32_t unknowns(const th_ground *ground) { return ground->mesh->mesh.vertex_count; }

static th_result begin(th_solver *solver, th_error *error) {
  solver->mesh = TH_TAKE(&solver->env.allocator, th_mesh_solver, 1);
  return solver->mesh ? TH_OK : th_fail_memory(error, "solver");
}

static void forget(th_solver *solver) {
  const th_allocator *a = &solver->env.allocator;
  th_mesh_solver *s = solver->mesh;
  const th_mesh *m = &solver->ground->mesh->mesh;
  const size_t halves = 3 * (size_t)m->face_count;
  th_elimination_release(s->tree);
  TH_GIVE(a, s->turn, 2 * halves);
  TH_GIVE(a, s->fan_start, (size_t)m->vertex_count + 1);
  TH_GIVE(a, s->fan, halves);
  TH_GIVE(a, s->apex, 2 * halves);
  th_mesh_graph_free(&s->graph);
  s->tree = NULL, s->turn = NULL, s->fan_start = NULL, s->fan = NULL, s->apex = NULL;
}

static void end(th_solver *solver) {
  if (!solver->mesh) return;
  const size_t vertices = unknowns(solver->ground);
  TH_GIVE(&solver->env.allocator, solver->mesh->all, vertices * vertices);
  th_mesh_links_release(solver->mesh->links, &solver->env.allocator, unknowns(solver->ground));
  forget(solver);
  TH_GIVE(&solver->env.allocator, solver->mesh, 1);
}

/* Intrinsic half-edges by the vertex they leave, and the far corner of each. */
static void fill_fans(th_mesh_solver *s) {
  const th_delaunay *t = &s->graph.intrinsic;
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
    s->apex[2 * (size_t)h + 1] = 2.0 * th_delaunay_area(t, h / 3) / l;
  }
}

static th_result prepare(th_solver *solver, th_error *error) {
  th_mesh_solver *s = solver->mesh;
  if (s->ready) return TH_OK;
  const th_allocator *a = &solver->env.allocator;
  const th_mesh_ground *ground = solver->ground->mesh;
  const size_t halves = 3 * (size_t)ground->mesh.face_count;
  th_result result = th_mesh_graph_make(&s->graph, solver->ground, a, error);
  if (result != TH_OK) return result;
  s->turn = TH_TAKE(a, float, 2 * halves);
  s->fan_start = TH_TAKE(a, uint32_t, (size_t)ground->mesh.vertex_count + 1);
  s->fan = TH_TAKE(a, uint32_t, halves);
  s->apex = TH_TAKE(a, double, 2 * halves);
  s->tree = th_mesh_dissection_make(&s->graph, ground->mesh.xyz, TH_MESH_DISSECTION_LEAF, TH_MESH_DISSECTION_PIECE);
  if (!s->turn || !s->fan_start || !s->fan || !s->apex || !s->tree) {
    forget(solver);
    return th_fail_memory(error, "solver");
  }
  th_mesh_vertex_frames_fill(ground, s->turn);
  fill_fans(s);
  s->ready = true;
  return TH_OK;
}

static void kinds(const th_solver *solver, uint32_t radius_class, uint8_t *kind) {
  const double *mass = solver->mesh->graph.mass;
  for (uint32_t v = 0; v < unknowns(solver->ground); v++) {
    const bool blocked = th_mesh_vertex_blocked(solver->ground, radius_class, v) || !(mass[v] > 0.0);
    kind[v] = blocked ? TH_CELL_WALL : TH_CELL_FREE;
  }
}

static bool nearest_free(const th_solver *solver, uint32_t radius_class, th_nearest_free *made) {
  const th_allocator *a = &solver->env.allocator;
  const uint32_t vertices = unknowns(solver->ground);
  th_heap heap;
  bool got = th_heap_make(&heap, a, vertices);
  th_nearest_free fresh = {TH_TAKE(a, uint32_t, vertices), TH_TAKE(a, double, vertices)};
  got = got && fresh.owner && fresh.far;
  if (got) {
    th_mesh_nearest_free_fill(solver->ground, radius_class, &fresh, &heap);
    *made = fresh;
  } else {
    TH_GIVE(a, fresh.owner, vertices);
    TH_GIVE(a, fresh.far, vertices);
  }
  th_heap_free(&heap, a);
  return got;
}

/* The screen at each vertex: that of a third of each face around it. */
static void fill_screen(const th_solver *solver, const th_factor_rule *rule, double *sink) {
  const th_mesh_ground *ground = solver->ground->mesh;
  const th_mesh_graph *graph = &solver->mesh->graph;
  for (uint32_t v = 0; v < graph->vertex_count; v++) sink[v] = rule->screen * graph->mass[v];
  for (uint32_t f = 0; rule->haste > 0.0 && f < ground->mesh.face_count; f++) {
    if (ground->blocked[f]) continue;
    const double slow = 1.0 / (double)ground->speed[f];
    const double share = rule->haste * slow * slow * ground->frames.face[f].bx * ground->frames.face[f].cy / 6.0;
    for (uint32_t k = 0; k < 3; k++) sink[ground->mesh.corner[3 * (size_t)f + k]] += share;
  }
}

/* Gives each vertex of a piece that touches no wall its share of the sink. `stack` and `met` are scratch. */
static void fill_sink(const th_mesh_graph *g, const th_factor_order *order, double *sink, uint32_t *stack,
                      uint8_t *met) {
  const double length = LENGTHS * g->diameter, loss = 1.0 / (length * length);
  for (uint32_t root = 0; root < g->vertex_count; root++) {
    if (met[root] || order->kind[root] != TH_CELL_FREE) continue;
    uint32_t count = 1;
    bool held = false;
    stack[0] = root;
    met[root] = 1;
    for (uint32_t at = 0; at < count; at++) {
      uint32_t v = stack[at];
      for (uint32_t e = g->start[v]; e < g->start[v + 1]; e++) {
        uint32_t w = g->other[e];
        held |= order->kind[w] == TH_CELL_WALL;
        if (met[w] || order->kind[w] != TH_CELL_FREE) continue;
        met[w] = 1;
        stack[count++] = w;
      }
    }
    if (held && !order->rule->neumann) continue;
    for (uint32_t at = 0; at < count; at++) sink[stack[at]] += loss * g->mass[stack[at]];
  }
}

static bool make_sink(const th_solver *solver, const th_factor_order *order, th_cached_factor *fresh) {
  const th_allocator *a = &solver->env.allocator;
  const uint32_t vertices = unknowns(solver->ground);
  fresh->sink = TH_TAKE(a, double, vertices);
  uint32_t *stack = TH_TAKE(a, uint32_t, vertices);
  uint8_t *met = TH_TAKE(a, uint8_t, vertices);
  const bool got = fresh->sink && stack && met;
  if (got) {
    fill_screen(solver, order->rule, fresh->sink);
    fill_sink(&solver->mesh->graph, order, fresh->sink, stack, met);
  }
  TH_GIVE(a, met, vertices);
  TH_GIVE(a, stack, vertices);
  return got;
}

static th_result factor(const th_solver *solver, const th_factor_order *order, th_cached_factor *fresh,
                        th_error *error) {
  if (!make_sink(solver, order, fresh)) return th_fail_memory(error, "solver");
  th_factor_def def = {
      .allocator = solver->env.allocator, .tree = solver->mesh->tree, .rule = *order->rule, .simd = solver->simd};
  def.op = th_mesh_graph_operator(&solver->mesh->graph, order->kind, fresh->sink, order->rule->neumann);
  def.previous = order->was;
  if (order->was)
    def.previous_op =
        th_mesh_graph_operator(&order->old->mesh->graph, order->was->kind, order->was_sink, order->was->rule.neumann);
  return th_factor_make(&def, &fresh->factor, error);
}

static th_result follows(const th_ground *before, const th_ground *after, th_error *error) {
  const th_mesh *was = &before->mesh->mesh, *is = &after->mesh->mesh;
  if (was->vertex_count == is->vertex_count && was->face_count == is->face_count &&
      before->class_count == after->class_count)
    return TH_OK;
  return th_fail(error, TH_ERROR_STATE, "solver",
                 "expected a version of the same mesh (%u vertices, %u faces), found %u vertices, %u faces",
                 was->vertex_count, was->face_count, is->vertex_count, is->face_count);
}

const th_solver_kind th_mesh_solver_kind = {unknowns,     begin,   prepare,           end, kinds, factor,
                                            nearest_free, follows, th_mesh_field_make};
