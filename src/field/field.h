/* field/field.h - internals of solvers and fields. */
#ifndef TH_FIELD_FIELD_H
#define TH_FIELD_FIELD_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/platform/mutex.h"
#include "field/direct/factor.h"
#include "ground/ground.h"
#include "throng/field.h"

/* The eight neighbours of a cell: sides first, corner k between sides k and k + 1. */
enum th_cell_neighbour {
  TH_EAST,
  TH_NORTH,
  TH_WEST,
  TH_SOUTH,
  TH_NORTH_EAST,
  TH_NORTH_WEST,
  TH_SOUTH_WEST,
  TH_SOUTH_EAST
};

/* What sampling reads of a cell: 32 bytes on one cache line, because at random places memory is most of the cost. */
typedef struct th_node {
  uint32_t more[4]; /* u of the neighbours minus u of the cell, relative to the latter: two per word, th_cell_neighbour
                       order; each is (16 bits - 32768) * scale */
  float scale;
  float left; /* distance to the goal [m]; 0 where it cannot be reached, so that no lane multiplies infinity by 0 */
  uint32_t left_more; /* slope of `left` along x and y: each (16 bits - 32768) / 16384 cells per cell */
  int32_t code;       /* th_node_code and the aim */
} th_node;

#define TH_NODE_WORDS 8

/* A node's aim, in whole cells from its centre: the centre of its highest side, or of a blocked cell's exit. It is kept
 * in the upper half of the code, and an exit further away than 127 cells is cut to that. */
static inline int32_t th_node_aim(int32_t i, int32_t j) {
  int32_t max = i < 0 ? -i : i, other = j < 0 ? -j : j;
  if (other > max) max = other;
  if (max > 127) i = i * 127 / max, j = j * 127 / max;
  return (int32_t)((uint32_t)(i + 128) << 16 | (uint32_t)(j + 128) << 24);
}
static inline int32_t th_node_aim_i(int32_t code) { return (int32_t)((uint32_t)code >> 16 & 255u) - 128; }
static inline int32_t th_node_aim_j(int32_t code) { return (int32_t)((uint32_t)code >> 24) - 128; }

enum th_node_code {
  TH_NODE_FREE = 1, /* a body of the class may stand at the centre */
  TH_NODE_GOAL = 2,
  TH_NODE_REACHES = 4,     /* a path leads from here to the goal */
  TH_NODE_BESIDE_GOAL = 8, /* among the eight neighbours is a goal */
  TH_NODE_SMOOTH = 16,     /* the spline decides; elsewhere the aim does */
  TH_NODE_FORK = 32        /* the spline may have a top of its own here: see field/grid/false_tops.c */
};

typedef struct th_field_calls th_field_calls; /* field/sample.h */
typedef struct th_mesh_field th_mesh_field;   /* field/mesh/field.h */
typedef struct th_mesh_solver th_mesh_solver; /* field/mesh/field.h */

/* A field along the edges of a mesh: distances along edges [m], 4 bytes per vertex. INFINITY where no path leads. */
typedef struct th_mesh_edges {
  const th_mesh_ground *mesh; /* of the ground that `th_mesh_field` retains */
  float *left;     /* of the quickest path: its time, as distance at full speed [m]; NULL: a field of another kind */
  float *distance; /* along that path [m]; NULL: `left` holds it */
  float near;      /* length of the longest edge at the goal: farther vertices have it in no map */
  float radius;    /* a goal that is a small disc [m] */
  uint32_t mark;   /* hash of the goal and the version: two fields of one mark are the same */
  bool whole;      /* faces with three corners at the goal belong to it */
} th_mesh_edges;

/* Neighbours may follow a thousand different fields: what a query reads of each lies on its first cache line. */
struct th_field {
  atomic_uint references;
  uint32_t version; /* of the ground */
  const th_field_calls *calls;
  th_mesh_field *mesh; /* mesh ground: then there are no raster, nodes, u and log_u below */
  th_mesh_edges edges; /* of mesh ground and TH_FIELD_EDGES: then `mesh_ground` holds nothing but the ground */
  th_env env;
  uint32_t width, height;
  float x0, y0, cell, inverse_cell;
  float max_i, max_j; /* largest raster coordinates that stay off the border ring */
  float eps;
  bool mirror; /* walls reflect u instead of holding it at 0 */
  th_node *node;
  th_node *across; /* fields solved with eps > 0: `node` is for v along x, this for v along y
                      (field/grid/personal_vector.c); else NULL */
  double *u;       /* NULL for geodesic fields */
  double *log_u;   /* only when u underflows somewhere */
};

_Static_assert(offsetof(struct th_field, env) <= 64, "the first cache line of a field");

/* A factor that a solver keeps: of one class and one rule. */
typedef struct th_cached_factor {
  uint32_t radius_class;
  double *sink; /* meshes: of the operator, one per vertex */
  th_factor *factor;
} th_cached_factor;

/* The exits of one class: where a body goes that stands where its class is blocked. */
typedef struct th_nearest_free {
  uint32_t *owner; /* free cell or vertex that each is led to, itself when free; UINT32_MAX: none */
  double *far;     /* meshes: distance to it along edges [m] */
} th_nearest_free;

typedef struct th_solver_kind th_solver_kind;

/* Fields of one solver may be made from several threads at once: what it keeps is looked up and made under its lock,
 * and never changes afterwards. */
struct th_solver {
  th_env env;
  const th_solver_kind *kind;
  th_simd simd; /* of its factors */
  th_mutex lock;
  th_ground *ground;
  th_cached_factor *cached;
  uint32_t cached_count, cached_capacity;
  th_nearest_free nearest_free[TH_MAX_CLASSES]; /* made on demand */
  th_mesh_solver *mesh;                         /* mesh ground: what else it keeps */
};

/* A request for a factor, and the factor to start from: that of the version before, or NULL. */
typedef struct th_factor_order {
  uint32_t radius_class;
  const th_factor_rule *rule;
  const uint8_t *kind; /* th_cell_kind of each unknown, without any goal */
  const th_solver *old;
  const th_factor *was;
  const double *was_sink;
} th_factor_order;

/* What each kind of ground supplies: field/grid/solver.c, field/mesh/solver.c. All but `field` run under the lock. */
struct th_solver_kind {
  uint32_t (*unknowns)(const th_ground *ground);
  th_result (*begin)(th_solver *solver, th_error *error);   /* makes `mesh` */
  th_result (*prepare)(th_solver *solver, th_error *error); /* makes what every factor needs */
  void (*end)(th_solver *solver);
  void (*kinds)(const th_solver *solver, uint32_t radius_class, uint8_t *kind);
  th_result (*factor)(const th_solver *solver, const th_factor_order *order, th_cached_factor *fresh, th_error *error);
  bool (*nearest_free)(const th_solver *solver, uint32_t radius_class, th_nearest_free *made); /* false: no memory */
  th_result (*follows)(const th_ground *was, const th_ground *is, th_error *error);
  th_result (*field)(th_solver *solver, const th_field_def *def, th_field **field, th_error *error);
};
extern const th_solver_kind th_grid_solver_kind, th_mesh_solver_kind;

/* mesh/all_edges.c: th_solver_prepare_fields with workers. */
typedef struct th_pool th_pool;
th_result th_solver_all_fields(th_solver *solver, uint64_t budget, th_pool *pool, th_error *error);

/* solver.c: what every factor needs of the kind of ground. */
th_result th_solver_prepare(th_solver *solver, th_error *error);

/* field.c: prefetches what answers in these cells will read; a field may be NULL. */
void th_field_prefetch(const th_field *const *field, const uint32_t *cell, uint32_t count);

/* solver.c: the kept factor of the ground's own operator; made on first use. */
th_result th_solver_factor(th_solver *solver, uint32_t radius_class, const th_factor_rule *rule,
                           th_cached_factor *cached, th_error *error);

/* solver.c: the exits of a class, solver->nearest_free; made on first use. */
th_result th_solver_nearest_free(th_solver *solver, uint32_t radius_class, th_error *error);

/* Raster cell at a place, clamped to the border ring. */
static inline uint32_t th_field_cell(const th_field *field, th_vec2 p) {
  float fi = (p.x - field->x0) * field->inverse_cell, fj = (p.y - field->y0) * field->inverse_cell;
  float mi = (float)(field->width - 1), mj = (float)(field->height - 1);
  fi = fi > 0.0f ? (fi < mi ? fi : mi) : 0.0f;
  fj = fj > 0.0f ? (fj < mj ? fj : mj) : 0.0f;
  return (uint32_t)fj * field->width + (uint32_t)fi;
}

#endif
