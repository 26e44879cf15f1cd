/* lab/published/mesh/relaxation.h - inside the published planner on meshes. */
#ifndef TH_PUBLISHED_MESH_RELAXATION_H
#define TH_PUBLISHED_MESH_RELAXATION_H

#include "base/tasks.h"
#include "field/mesh/mean.h"
#include "throng/published/relax_mesh.h"

#define TH_MESH_RELAX_BLOCK 512u /* cells of one task: constant, so that sums do not depend on the workers */

struct th_mesh_relax_weights {
  th_env env;
  const th_mesh *mesh;
  uint32_t *row; /* neighbours of v are row[v] to row[v + 1] - 1 */
  uint32_t *neighbour;
  double *weight;
  uint32_t links, vertices;
};

/* sweep_float.c: as th_mean_sweep_double, of floats. */
th_mean_change th_mean_sweep_float(const th_mean_pass *pass, uint32_t begin, uint32_t end);

struct th_mesh_relax {
  th_mesh_relax_def def;
  const th_mesh_relax_weights *weights;
  uint32_t size; /* vertices: weights and mesh may be gone when this is freed */
  size_t links;  /* capacity of the packed links */
  th_pool *pool;
  uint8_t *tile;
  uint32_t *hops;
  void *value, *other;       /* of each vertex, float or double; `other` for Jacobi only */
  void *doubt, *doubt_other; /* error bound of each cell over the largest initial error; for e_max = 0 only */
  bool warm;                 /* the first values are not the start value */
  uint32_t *cell;            /* that are relaxed, in the order of a sweep */
  uint32_t count;
  uint32_t *row, *neighbour; /* of these cells, packed in that order */
  void *weight;
  uint32_t *colour, *colour_start; /* of the coloured rule only */
  uint32_t colours;
  th_mean_change *change; /* of each block */
  th_mesh_relax_report report;
};

static inline uint32_t th_mesh_relax_size(const th_mesh_relax *r) { return r->size; }
static inline size_t th_mesh_relax_value_size(const th_mesh_relax *r) {
  return r->def.precision == TH_PRECISION_FLOAT ? sizeof(float) : sizeof(double);
}

static inline double th_mesh_relax_stored(const th_mesh_relax *r, uint32_t v) {
  return r->def.precision == TH_PRECISION_FLOAT ? (double)((const float *)r->value)[v] : ((const double *)r->value)[v];
}

/* The stored value for p. */
static inline double th_mesh_relax_store_of(const th_mesh_relax *r, double p) {
  return r->def.storage == TH_STORAGE_U ? 1.0 - p : p;
}

/* order.c: hops to the goal, the cells of a sweep in their order, and their packed links. */
void th_mesh_relax_plan(th_mesh_relax *relax);

/* read.c */
void th_mesh_relax_put(th_mesh_relax *relax, uint32_t vertex, double stored);

#endif
