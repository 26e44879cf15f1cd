/* throng/surface_relax.h - the published planner 3DS-BVP on plain triangle meshes: no ground and no world is needed.
 *
 * Source: L. G. Fischer, "3DS-BVP: a path planner for arbitrary surfaces", 2011. Every vertex is a cell; walls hold
 * p = 1, goals p = 0, and each free cell is relaxed to a mean of its neighbours, weighted by distance. Agents walk down
 * the gradient from face to face. This is the reference to compare with, faults included (it takes thousands of sweeps,
 * and loses the way far from the goal); fields for crowds are better solved directly, see field.h. Numbers of equations
 * and algorithms are those of the source. All of it is the same to the last bit on every machine and for any number of
 * workers. Calls that change an object must not overlap; any number of threads may read while nobody changes it.
 */
#ifndef THRONG_SURFACE_RELAX_H
#define THRONG_SURFACE_RELAX_H

#include "mesh.h"
#include "relax.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- cells and tags */

/** A point of a mesh: a face and weights of its corners that sum to 1. */
typedef struct th_surface_spot {
  uint32_t face;
  double weight[3];
} th_surface_spot;

TH_API void th_surface_spot_xyz(const th_mesh *mesh, const th_surface_spot *spot, double xyz[3]);

/** The vertex whose cell holds a spot: that of the largest weight, of equals the first corner. */
TH_API uint32_t th_surface_cell(const th_mesh *mesh, const th_surface_spot *spot);

/** What is known of a mesh before it is relaxed. */
typedef struct th_surface_bounds {
  const uint32_t *occupied; /* vertices of obstacles */
  uint32_t occupied_count;
  const uint8_t *blocked_face; /* 1: the three cells of the face are occupied; NULL: none */
  const uint32_t *goal;        /* vertices, at least one */
  uint32_t goal_count;
  uint32_t start; /* vertex of the start's cell: occupied when no other cell is (section 4.3); TH_NO_ELEMENT: none */
} th_surface_bounds;

TH_API th_surface_bounds th_default_surface_bounds(void);

/** Tags of Algorithm 1: border vertices and obstacles are TH_TILE_WALL, goals win over both. One th_tile a vertex.
 *  `start_used`, may be NULL, tells whether the start's cell was occupied because nothing else was. */
TH_API th_result th_surface_tag(const th_mesh *mesh, const th_surface_bounds *bounds, uint8_t *tile, bool *start_used,
                                th_error *error);

/* ---------------------------------------------------------------- weights */

/** Influence of a neighbour at distance D: alpha Dmin + beta Dmax - gamma D, (4.4) with factors; each default 1. */
typedef struct th_surface_influence {
  double alpha, beta, gamma;
} th_surface_influence;

/** Weights of all neighbours of all vertices: they depend on the mesh alone and serve every goal. */
typedef struct th_surface_weights th_surface_weights;

/** The mesh is kept by reference and must outlive the weights. `influence` may be NULL. Fails when an influence is
 *  negative: values would leave [0, 1]. */
TH_API th_result th_surface_weights_make(const th_env *env, const th_mesh *mesh, const th_surface_influence *influence,
                                         th_surface_weights **weights, th_error *error);
TH_API void th_surface_weights_free(th_surface_weights *weights); /* NULL is allowed */

/** Neighbours of a vertex and their weights; returns how many. A vertex without any influence has none. */
TH_API uint32_t th_surface_weights_of(const th_surface_weights *weights, uint32_t vertex, const uint32_t **neighbour,
                                      const double **weight);

/* ---------------------------------------------------------------- relaxation */

typedef enum th_surface_rule {
  TH_SURFACE_SEIDEL,   /* in place, one cell after the other: Algorithm 2; default */
  TH_SURFACE_COLOURED, /* in place, cells without a common edge at once: for several workers */
  TH_SURFACE_JACOBI    /* all cells from the sweep before: for several workers */
} th_surface_rule;

typedef enum th_surface_order {
  TH_SURFACE_INDEX,       /* by vertex number; default */
  TH_SURFACE_REVERSE,     /* from the last vertex */
  TH_SURFACE_ALTERNATING, /* both in turn */
  TH_SURFACE_FROM_GOAL,   /* by the number of edges to the goal */
  TH_SURFACE_RANDOM       /* shuffled once, by the seed */
} th_surface_order;

typedef struct th_surface_relax_def {
  th_env env;
  th_surface_rule rule;
  th_surface_order order; /* of TH_SURFACE_SEIDEL; the others ignore it */
  uint64_t seed;
  th_storage storage;     /* default p, as published */
  th_precision precision; /* default double */
  double start;           /* p of free cells before the first sweep [0, 1], default 0.5 */
  double omega;           /* over-relaxation (0, 2), not with Jacobi; default 1 */
  double e_max;           /* converged at the first sweep whose summed change is not above; default 0.001, INFINITY: not
                             asked, 0: found from the accuracy, at twice the cost a sweep */
  double accuracy;        /* for e_max = 0: mean error of a cell that may remain (0, 1), default 0.001 */
  double tolerance;       /* and no stored value changes by more in a sweep; default INFINITY: not asked */
  double least;     /* changes are judged relative to the stored value or to this where it is smaller; default 1 */
  uint32_t most;    /* sweeps; default 1000000 */
  uint32_t workers; /* of TH_SURFACE_COLOURED and _JACOBI; 0 = one per processor, default 1 */
  bool (*watch)(void *user, uint32_t sweep, double e); /* after each sweep; false ends th_surface_relax_settle */
  void *user;
} th_surface_relax_def;

/** A field on a mesh that is being relaxed. */
typedef struct th_surface_relax th_surface_relax;

typedef struct th_surface_report {
  uint32_t sweeps; /* of all calls */
  double e;        /* summed change of the last sweep, (4.7) */
  double e_max;    /* limit in force; for a def of 0 the one that was found */
  double seconds;  /* in sweeps */
  bool converged;
  bool no_goal, no_wall; /* without one of them the field becomes constant and has no gradient */
} th_surface_report;

TH_API th_surface_relax_def th_default_surface_relax_def(void);

/** The same choice for a mesh as a def for flat maps makes: method, storage, precision, start, omega, tolerance. */
TH_API th_surface_relax_def th_surface_relax_def_of(const th_relax_def *def);

/** A relaxation before its first sweep; the tags are copied, the weights kept by reference. */
TH_API th_result th_surface_relax_make(const th_surface_relax_def *def, const th_surface_weights *weights,
                                       const uint8_t *tile, th_surface_relax **relax, th_error *error);
TH_API th_result th_surface_relax_copy(const th_surface_relax *from, th_surface_relax **relax, th_error *error);
TH_API void th_surface_relax_free(th_surface_relax *relax); /* NULL is allowed */

/** Other goals or obstacles: mesh and weights are reused. Free cells start anew, or keep their values when `warm`.
 *  Allocates nothing. */
TH_API void th_surface_relax_retag(th_surface_relax *relax, const uint8_t *tile, bool warm);

/** `count` sweeps; returns the summed change of the last one. Allocates nothing, as the next. */
TH_API double th_surface_relax_sweep(th_surface_relax *relax, uint32_t count);

/** Sweeps until converged, at most def.most times in this call. */
TH_API th_surface_report th_surface_relax_settle(th_surface_relax *relax);

TH_API const th_mesh *th_surface_relax_mesh(const th_surface_relax *relax);
TH_API const uint8_t *th_surface_relax_tiles(const th_surface_relax *relax);
TH_API double th_surface_relax_p(const th_surface_relax *relax, uint32_t vertex);
TH_API double th_surface_relax_u(const th_surface_relax *relax, uint32_t vertex);

/** Of every vertex the stored p, or -u: what agents walk down, without the rounding of 1 - u. */
TH_API void th_surface_relax_heights(const th_surface_relax *relax, double *height);

/** Edges through free cells to the nearest goal; TH_NO_ELEMENT when there is no such way. */
TH_API const uint32_t *th_surface_relax_hops(const th_surface_relax *relax);

/** Free vertices with a way to the goal that have no lower neighbour. 0 in a field that has converged. */
TH_API uint32_t th_surface_relax_pits(const th_surface_relax *relax);

/* ---------------------------------------------------------------- gradients and walking */

/** n0 = R(v1 - v0), n1 = R(v1 - v2), n2 = R(v2 - v0), R by +90 degrees about the face's normal, (8.3). `xyz` holds the
 *  three corners. */
TH_API void th_surface_edge_normals(const double xyz[3][3], double normal[3][3]);

/** The gradient of the linear function with these values at the corners, (4.14); it points uphill. Zero for a face
 *  without area. */
TH_API void th_surface_gradient(const double xyz[3][3], const double value[3], double gradient[3]);

/** A function on a mesh, linear on each face, to walk down on; gradients are found on demand, each at most once. */
typedef struct th_hill th_hill;

/** `height` and `tile` (th_tile, NULL: all free) are copied, the mesh is kept by reference. Calls on one hill must not
 *  overlap: they fill it. */
TH_API th_result th_hill_make(const th_env *env, const th_mesh *mesh, const double *height, const uint8_t *tile,
                              th_hill **hill, th_error *error);
TH_API th_result th_hill_of(const th_surface_relax *relax, th_hill **hill, th_error *error);
TH_API void th_hill_free(th_hill *hill); /* NULL is allowed */

TH_API void th_hill_gradient(th_hill *hill, uint32_t face, double gradient[3]);
TH_API uint32_t th_hill_gradients_made(const th_hill *hill);

/** Faces with a free corner whose gradient is null: not above `null_gradient` [1/m]. Marks them when `mark` is set. */
TH_API uint32_t th_hill_flat(th_hill *hill, double null_gradient, uint8_t *mark);

typedef enum th_surface_sign {
  TH_SURFACE_DOWN,   /* d = -grad p */
  TH_SURFACE_PRINTED /* as Algorithm 4 prints it: d = +grad p, uphill */
} th_surface_sign;

/** An agent of Algorithm 4: a point in space and its face. */
typedef struct th_surface_agent {
  double xyz[3];
  uint32_t face;
} th_surface_agent;

/** One call of Algorithm 4 as printed: at most `speed` metres, cut at the edge of the face. It stands still for ever
 *  where two faces push against each other. TH_DESCENT_BLOCKED at the border of the mesh. */
TH_API th_descent th_surface_update_position(th_hill *hill, th_surface_agent *agent, double speed,
                                             th_surface_sign sign);

/** A walker that knows the cases Algorithm 4 leaves out: valleys, vertices, borders, faces without a gradient. */
typedef struct th_surface_walker {
  th_surface_spot spot;
  uint32_t half;   /* the half-edge of spot.face on which it stands, TH_NO_HALF: inside or on a vertex */
  uint32_t vertex; /* on which it stands, TH_NO_ELEMENT: none */
  bool sliding;    /* follows `half` to its lower end */
} th_surface_walker;

TH_API th_surface_walker th_surface_walker_at(const th_mesh *mesh, const th_surface_spot *spot);

/** Walks to the other side of the face, or to the end of the edge, but not further than `most` metres. */
TH_API th_descent th_surface_walker_advance(th_hill *hill, th_surface_walker *walker, double most);

typedef struct th_surface_path_point {
  double xyz[3], height;
  uint32_t face;
  uint32_t half, vertex; /* edge crossed or vertex met here, or TH_NO_HALF and TH_NO_ELEMENT */
} th_surface_path_point;

typedef struct th_surface_path {
  th_allocator allocator;
  th_surface_path_point *point;
  uint32_t count, capacity;
  th_descent end;           /* TH_DESCENT_ARRIVED, TH_DESCENT_NULL, TH_DESCENT_MOVED: gave up */
  uint32_t valleys;         /* edges that were followed */
  uint32_t vertices;        /* that were met */
  uint32_t rises;           /* pieces that do not end lower than they begin */
  uint32_t touched;         /* occupied vertices met, edges and faces entered that have occupied corners only */
  uint32_t grazed;          /* pieces that enter the outer part of an occupied cell */
  double length;            /* [m] */
  double turn_most, turned; /* largest angle between two pieces and the sum of all, edges unfolded [rad] */
} th_surface_path;

/** The way down from a spot, exact: from border to border of each face. `path` is zeroed or holds an earlier path,
 *  which is replaced. */
TH_API th_result th_surface_trace(const th_env *env, th_hill *hill, const th_surface_spot *from, th_surface_path *path,
                                  th_error *error);
TH_API void th_surface_path_free(th_surface_path *path);

/* ---------------------------------------------------------------- flatness */

/** Intermediate goals against flatness: level 0 is a field; level k > 0 has goals where level k - 1 is about to become
 *  flat. As many levels as every face with a way to the goal needs. */
typedef struct th_surface_rings th_surface_rings;

/** `field` is copied and settled. The ring of a level is put where 1 - p crosses def.ring; def.sweeps is the least
 *  number of sweeps of a level, which is then settled. */
TH_API th_result th_surface_rings_make(const th_surface_relax *field, const th_flatness_def *def,
                                       th_surface_rings **rings, th_error *error);
TH_API void th_surface_rings_free(th_surface_rings *rings); /* NULL is allowed */

/** Levels above 0; the field of one; the lowest level with a gradient on a face (TH_NO_ELEMENT: none has). */
TH_API uint32_t th_surface_rings_count(const th_surface_rings *rings);
TH_API const th_surface_relax *th_surface_rings_field(const th_surface_rings *rings, uint32_t level);
TH_API uint32_t th_surface_rings_level(const th_surface_rings *rings, uint32_t face);

/** The way down over all levels, from ring to ring. */
TH_API th_result th_surface_rings_trace(th_surface_rings *rings, const th_surface_spot *from, th_surface_path *path,
                                        th_error *error);

#ifdef __cplusplus
}
#endif
#endif
