/* field/mesh/all_edges.c - all fields along the edges of a mesh, made beforehand: a row of distances for each vertex.
 *
 * The preprocessing of Berndt 2014, section 4.1: 4 V^2 bytes, so that a field to any vertex is a copy of its row. The
 * rows are those that single fields would search for, to the last bit. They are independent, so workers share them in
 * blocks. The size is known before anything is made, and more than the caller's budget is refused. Cost: V searches of
 * O(V log V), about 0.1 us x V^2; a field then costs a copy of 4 V bytes.
 */
#include <string.h>

#include "base/error.h"
#include "base/lazy_heap.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "field/mesh/edges.h"

enum { BLOCK = 8 }; /* rows */

uint64_t th_fields_bytes(const th_ground *ground) {
  const uint64_t vertices = th_ground_is_mesh(ground) ? ground->mesh->mesh.vertex_count : 0;
  return sizeof(float) * vertices * vertices;
}

typedef struct rows {
  th_mesh_field_build build;
  th_lazy_heap *heap; /* of each worker */
  float *left;
} rows;

static void search_block(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const rows *r = context;
  for (uint32_t v = begin; v < end; v++) {
    th_mesh_edges row = {.left = r->left + (size_t)v * r->build.vertices};
    th_mesh_edges_search(&r->build, &row, &r->heap[worker], v);
  }
}

static th_result search_all(rows *r, th_pool *pool, th_error *error) {
  const th_allocator *a = r->build.allocator;
  const uint32_t workers = th_pool_workers(pool), keys = r->build.solver->mesh->links->link_count + r->build.vertices;
  r->heap = TH_TAKE(a, th_lazy_heap, workers);
  bool got = r->heap != NULL;
  for (uint32_t w = 0; got && w < workers; w++) got = th_lazy_heap_reserve(&r->heap[w], a, keys);
  if (got) th_parallel_for(pool, r->build.vertices, BLOCK, search_block, r);
  for (uint32_t w = 0; r->heap && w < workers; w++) th_lazy_heap_free(&r->heap[w], a);
  TH_GIVE(a, r->heap, workers);
  return got ? TH_OK : th_fail_memory(error, "all fields");
}

static th_result make_rows(th_solver *solver, th_pool *pool, float **left, th_error *error) {
  const th_allocator *a = &solver->env.allocator;
  const th_field_def def = th_default_field_def();
  const uint32_t vertices = solver->ground->mesh->mesh.vertex_count;
  rows r = {.build = {.solver = solver,
                      .ground = solver->ground,
                      .mesh = solver->ground->mesh,
                      .allocator = a,
                      .def = &def,
                      .vertices = vertices}};
  th_result result = th_mesh_edges_prepare(&r.build, error);
  if (result != TH_OK) return result;
  r.build.kind = TH_TAKE(a, uint8_t, vertices);
  r.left = th_take(a, (size_t)vertices * vertices, sizeof(float));
  result = r.build.kind && r.left ? TH_OK : th_fail_memory(error, "all fields");
  if (result == TH_OK) th_mesh_edges_kinds(&r.build);
  if (result == TH_OK) result = search_all(&r, pool, error);
  TH_GIVE(a, r.build.kind, vertices);
  if (result != TH_OK) TH_GIVE(a, r.left, (size_t)vertices * vertices);
  *left = result == TH_OK ? r.left : NULL;
  return result;
}

th_result th_solver_all_fields(th_solver *solver, uint64_t budget, th_pool *pool, th_error *error) {
  const uint64_t bytes = th_fields_bytes(solver->ground);
  if (bytes == 0 || solver->mesh->all) return TH_OK;
  if (bytes > budget)
    return th_fail(error, TH_ERROR_CAPACITY, "all fields",
                   "expected at most %llu bytes, found %llu: 4 bytes times the square of %u vertices",
                   (unsigned long long)budget, (unsigned long long)bytes, solver->ground->mesh->mesh.vertex_count);
  float *left;
  th_result result = make_rows(solver, pool, &left, error);
  if (result != TH_OK) return result;
  th_mutex_lock(&solver->lock);
  solver->mesh->all = left;
  th_mutex_unlock(&solver->lock);
  return TH_OK;
}

th_result th_solver_prepare_fields(th_solver *solver, uint64_t budget, th_error *error) {
  return th_solver_all_fields(solver, budget, NULL, error);
}

bool th_mesh_edges_copy(const th_mesh_field_build *d, uint32_t goal, float *left) {
  if (d->quick || d->def->radius_class != 0 || goal == TH_NO_ELEMENT) return false;
  th_mutex_lock(&d->solver->lock);
  const float *all = d->solver->mesh->all;
  th_mutex_unlock(&d->solver->lock);
  if (all) memcpy(left, all + (size_t)goal * d->vertices, d->vertices * sizeof *left);
  return all != NULL;
}
