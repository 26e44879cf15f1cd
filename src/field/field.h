/* field/field.h - inside a solver and a field. */
#ifndef TH_FIELD_FIELD_H
#define TH_FIELD_FIELD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "field/grid/factor.h"
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
  uint32_t more[4]; /* what the neighbours hold more than the cell, relative to it: two a word, th_cell_neighbour order;
                       each is (16 bits - 32768) * scale */
  float scale;
  float left;         /* metres to the goal; 0 where it cannot be reached, so that no lane multiplies infinity by 0 */
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
  TH_NODE_REACHES = 4,     /* a way leads from here to the goal */
  TH_NODE_BESIDE_GOAL = 8, /* among the eight neighbours is a goal */
  TH_NODE_SMOOTH = 16,     /* the spline decides; elsewhere the aim does */
  TH_NODE_FORK = 32        /* the spline may have a top of its own here: see field/grid/false_tops.c */
};

typedef struct th_mesh_field th_mesh_field;   /* field/mesh/field.h */
typedef struct th_mesh_solver th_mesh_solver; /* field/mesh/field.h */

/* What a field along the edges of a mesh has: metres along edges, 4 bytes a vertex. INFINITY where no way leads. */
typedef struct th_mesh_edges {
  const th_mesh_ground *mesh; /* of the ground that `th_mesh_field` retains */
  float *left;                /* of fields of the quickest way: metres at full speed; NULL: a field of another kind */
  float *metres;              /* of that way; NULL: those of `left` */
  float near;                 /* length of the longest edge at the goal: farther vertices have it in no map */
  float radius;               /* a goal that is a small disc [m] */
  uint32_t mark;              /* of the goal and the version: two fields of one mark are the same */
  bool whole;                 /* faces with three corners at the goal belong to it */
} th_mesh_edges;

/* Neighbours may follow a thousand fields: what a question reads of each lies on its first cache line. */
struct th_field {
  atomic_uint references;
  uint32_t version;    /* of the ground */
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

/* A factor that the solver keeps. */
typedef struct th_cached_factor {
  uint32_t radius_class;
  bool neumann;
  double screen, less[2];
  th_factor *factor;
} th_cached_factor;

/* Fields of one solver may be made from several threads at once: what it keeps is looked up and made under its lock,
 * and never changes afterwards. */
struct th_solver {
  th_env env;
  pthread_mutex_t lock;
  th_ground *ground;
  th_cached_factor *cached;
  uint32_t cached_count, cached_capacity;
  uint32_t *nearest_free[TH_MAX_CLASSES]; /* see field/grid/nearest_free.h; made on demand */
  th_mesh_solver *mesh;                   /* mesh ground: has its own factors and exits */
};

/* A list of raster cells in ascending order. */
typedef struct th_cell_list {
  uint32_t *cell;
  uint32_t count, capacity;
} th_cell_list;

/* Everything that making one field needs; lives on the stack of th_field_make. */
typedef struct th_field_build {
  const th_ground *ground;
  const th_allocator *allocator;
  const th_field_def *def;
  size_t size; /* cells of the raster */
  const uint32_t *nearest_free;
  uint8_t *kind; /* th_cell_kind; goal cells are pinned */
  th_cell_list goal;
  double *distance;       /* cells to the goal along the shortest way, INFINITY when there is none */
  double screen, less[2]; /* of the operator */
  bool geodesic;
  th_field *field;
} th_field_build;

/* field.c: fetches what answers in these cells will read; a field may be NULL. */
void th_field_prefetch(const th_field *const *field, const uint32_t *cell, uint32_t count);

/* solver.c: the kept factor of the ground's own operator; made when it is not there yet. */
th_result th_solver_factor(th_solver *solver, const th_operator *op, uint32_t radius_class, const th_factor **factor,
                           th_error *error);

/* solver.c: the exits of a class; made when they are not there yet. */
th_result th_solver_exits(th_solver *solver, uint32_t radius_class, const uint32_t **nearest_free, th_error *error);

/* field/grid/potential.c: fills field->u (and log_u). */
th_result th_potential_solve(th_solver *solver, th_field_build *build, th_error *error);

/* field/grid/relaxed.c: checks what a field that is not solved directly needs; fills field->u by relaxation. */
th_result th_relax_field_check(const th_field_def *def, th_error *error);
th_result th_relax_field_solve(th_field_build *build, th_error *error);

/* field/grid/node.c: fills field->node. */
void th_node_fill(th_field_build *build);

/* field/grid/false_tops.c: makes sure that walks leave every fork. */
void th_false_tops_remove(th_field_build *build);

/* field/grid/trace.c: the place after a step of (dx, dy) metres that slides along blocked cells. */
th_vec2 th_trace_step(const th_field *field, th_vec2 from, float dx, float dy);

/* Raster cell at a place, clamped to the border ring. */
static inline uint32_t th_field_cell(const th_field *field, th_vec2 p) {
  float fi = (p.x - field->x0) * field->inverse_cell, fj = (p.y - field->y0) * field->inverse_cell;
  float mi = (float)(field->width - 1), mj = (float)(field->height - 1);
  fi = fi > 0.0f ? (fi < mi ? fi : mi) : 0.0f;
  fj = fj > 0.0f ? (fj < mj ? fj : mj) : 0.0f;
  return (uint32_t)fj * field->width + (uint32_t)fi;
}

static inline bool th_is_free(const th_field_build *build, size_t cell) { return build->kind[cell] != TH_CELL_WALL; }

#endif
