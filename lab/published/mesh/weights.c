/* lab/published/mesh/weights.c - the distance weights of 3DS-BVP, (4.2) to (4.5), of every vertex (field/mesh/mean.c).
 *
 * The factors alpha, beta and gamma of their three terms are the source's own idea for further work. Weights are found
 * once per mesh. Cost: O(edges).
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/halfedge.h"
#include "lab/published/mesh/relaxation.h"

static th_result weigh_all(th_mesh_relax_weights *w, const th_mesh_relax_weights_def *f, th_error *error) {
  const double factor[3] = {f->alpha, f->beta, f->gamma};
  for (uint32_t v = 0; v < w->mesh->vertex_count; v++) {
    const uint32_t first = w->row[v];
    const th_mean_row row = {w->neighbour + first, w->weight + first, w->row[v + 1] - first};
    const double min = th_mean_weigh(w->mesh, v, factor, row);
    if (row.count > 0 && !(min >= 0.0))
      return th_fail_at(error, TH_ERROR_RANGE, "influence", v,
                        "expected no neighbour with a negative influence, found %g at vertex %u for alpha %g, beta %g, "
                        "gamma %g",
                        min, v, f->alpha, f->beta, f->gamma);
  }
  return TH_OK;
}

static bool take(th_mesh_relax_weights *w) {
  const th_allocator *a = &w->env.allocator;
  const th_mesh *m = w->mesh;
  w->row = TH_TAKE(a, uint32_t, (size_t)m->vertex_count + 1);
  if (!w->row) return false;
  for (uint32_t v = 0; v < m->vertex_count; v++) w->row[v + 1] = w->row[v] + th_mesh_vertex_neighbours(m, v, NULL, 0);
  w->links = w->row[m->vertex_count];
  w->neighbour = TH_TAKE(a, uint32_t, w->links);
  w->weight = TH_TAKE(a, double, w->links);
  return w->neighbour && w->weight;
}

static bool is_factor(double x) { return isfinite(x) && fabs(x) <= 1e6; }

th_mesh_relax_weights_def th_default_mesh_relax_weights_def(void) {
  return (th_mesh_relax_weights_def){.alpha = 1.0, .beta = 1.0, .gamma = 1.0};
}

th_result th_mesh_relax_weights_make(const th_mesh *mesh, const th_mesh_relax_weights_def *def,
                                     th_mesh_relax_weights **weights, th_error *error) {
  const th_mesh_relax_weights_def plain = th_default_mesh_relax_weights_def(), *f = def ? def : &plain;
  *weights = NULL;
  if (!is_factor(f->alpha) || !is_factor(f->beta) || !is_factor(f->gamma))
    return th_fail(error, TH_ERROR_RANGE, "influence", "expected factors from -1e6 to 1e6, found %g, %g, %g", f->alpha,
                   f->beta, f->gamma);
  const th_env full = th_env_complete(&f->env);
  th_mesh_relax_weights *w = TH_TAKE(&full.allocator, th_mesh_relax_weights, 1);
  if (!w) return th_fail_memory(error, "mesh weights");
  w->env = full;
  w->mesh = mesh;
  w->vertices = mesh->vertex_count;
  const bool taken = take(w);
  th_result result = taken ? TH_OK : th_fail_memory(error, "mesh weights");
  if (taken) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
      th_mesh_vertex_neighbours(mesh, v, w->neighbour + w->row[v], w->row[v + 1] - w->row[v]);
    result = weigh_all(w, f, error);
  }
  if (result == TH_OK)
    *weights = w;
  else
    th_mesh_relax_weights_free(w);
  return result;
}

void th_mesh_relax_weights_free(th_mesh_relax_weights *w) {
  if (!w) return;
  const th_allocator a = w->env.allocator;
  TH_GIVE(&a, w->row, (size_t)w->vertices + 1);
  TH_GIVE(&a, w->neighbour, w->links);
  TH_GIVE(&a, w->weight, w->links);
  TH_GIVE(&a, w, 1);
}

/* True when a vertex has any influence: Itotal > 0. */
static bool has_influence(const th_mesh_relax_weights *w, uint32_t v) {
  for (uint32_t k = w->row[v]; k < w->row[v + 1]; k++)
    if (w->weight[k] > 0.0) return true;
  return false;
}

uint32_t th_mesh_relax_weights_of(const th_mesh_relax_weights *w, uint32_t v, const uint32_t **neighbour,
                                  const double **weight) {
  *neighbour = w->neighbour + w->row[v];
  *weight = w->weight + w->row[v];
  return has_influence(w, v) ? w->row[v + 1] - w->row[v] : 0;
}
