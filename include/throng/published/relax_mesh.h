/* throng/published/relax_mesh.h - the published planner 3DS-BVP on plain triangle meshes: no ground and no world is
 * needed. Part of throng_published, not of the core library.
 *
 * Source: L. G. Fischer, "3DS-BVP: a path planner for arbitrary surfaces", 2011. Every vertex is a cell; p is 1 on
 * walls and 0 on goals, and each free cell is relaxed to a mean of its neighbours, weighted by distance. Agents walk
 * down the gradient from face to face. This is the reference to compare with, faults included (it takes thousands of
 * sweeps, and has no gradient far from the goal); fields for crowds are better solved directly, see field.h. Numbers of
 * equations and algorithms are those of the source. Results are the same to the last bit on every machine and for any
 * number of workers.
 * Threads: any number may read an object while nobody changes it; calls that change it must not overlap.
 */
#ifndef THRONG_RELAX_MESH_H
#define THRONG_RELAX_MESH_H

#include "../mesh.h"
#include "relax.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- cells and tags */

/** A point of a mesh: a face and weights of its corners that sum to 1. */
typedef struct th_mesh_spot {
  uint32_t face;
  double weight[3];
} th_mesh_spot;

TH_API void th_mesh_spot_xyz(const th_mesh *mesh, const th_mesh_spot *spot, double xyz[3]);

/** The vertex whose cell holds a spot: that of the largest weight, of equals the first corner. */
TH_API uint32_t th_mesh_relax_cell(const th_mesh *mesh, const th_mesh_spot *spot);

/** The cells of a mesh that keep their values, as vertices and faces. */
typedef struct th_mesh_relax_bounds {
  const uint32_t *occupied; /* vertices of obstacles */
  uint32_t occupied_count;
  const uint8_t *blocked_face; /* 1: the three cells of the face are occupied; NULL: none */
  const uint32_t *goal;        /* vertices, at least one */
  uint32_t goal_count;
  uint32_t start; /* vertex of the start's cell: occupied when no other cell is (section 4.3); TH_NO_ELEMENT: none */
} th_mesh_relax_bounds;

TH_API th_mesh_relax_bounds th_default_mesh_relax_bounds(void);

/** Tags of Algorithm 1: border vertices and obstacles are TH_TILE_WALL, goals override both. One th_tile per vertex.
 *  `start_used`, may be NULL, tells whether the start's cell was occupied because nothing else was. */
TH_API th_result th_mesh_relax_tag(const th_mesh *mesh, const th_mesh_relax_bounds *bounds, uint8_t *tile,
                                   bool *start_used, th_error *error);

/* ---------------------------------------------------------------- weights */

/** Influence of a neighbour at distance D: alpha Dmin + beta Dmax - gamma D, (4.4) with factors; each default 1. */
typedef struct th_mesh_relax_weights_def {
  th_env env;
  double alpha, beta, gamma;
} th_mesh_relax_weights_def;

TH_API th_mesh_relax_weights_def th_default_mesh_relax_weights_def(void);

/** Weights of all neighbours of all vertices: they depend on the mesh alone and are the same for every goal. */
typedef struct th_mesh_relax_weights th_mesh_relax_weights;

/** The mesh is kept by reference and must outlive the weights. `def` may be NULL: the defaults. Fails when an influence
 *  is negative: values would leave [0, 1]. */
TH_API th_result th_mesh_relax_weights_make(const th_mesh *mesh, const th_mesh_relax_weights_def *def,
                                            th_mesh_relax_weights **weights, th_error *error);
TH_API void th_mesh_relax_weights_free(th_mesh_relax_weights *weights); /* NULL is allowed */

/** Neighbours of a vertex and their weights; returns how many. A vertex without any influence has none. */
TH_API uint32_t th_mesh_relax_weights_of(const th_mesh_relax_weights *weights, uint32_t vertex,
                                         const uint32_t **neighbour, const double **weight);

/* ---------------------------------------------------------------- relaxation */

typedef enum th_mesh_relax_rule {
  TH_MESH_RELAX_SEIDEL,   /* in place, one cell after the other: Algorithm 2; default */
  TH_MESH_RELAX_COLOURED, /* in place, cells without a common edge at once: for several workers */
  TH_MESH_RELAX_JACOBI    /* all cells from the sweep before: for several workers */
} th_mesh_relax_rule;

typedef enum th_mesh_relax_order {
  TH_MESH_RELAX_INDEX,       /* by vertex number; default */
  TH_MESH_RELAX_REVERSE,     /* from the last vertex */
  TH_MESH_RELAX_ALTERNATING, /* both in turn */
  TH_MESH_RELAX_FROM_GOAL,   /* by the number of edges to the goal */
  TH_MESH_RELAX_RANDOM       /* shuffled once, by the seed */
} th_mesh_relax_order;

typedef struct th_mesh_relax_def {
  th_env env;
  th_mesh_relax_rule rule;
  th_mesh_relax_order order; /* of TH_MESH_RELAX_SEIDEL; the others ignore it */
  uint64_t seed;
  th_storage storage;     /* default p, as published */
  th_precision precision; /* default double */
  double start;           /* p of free cells before the first sweep [0, 1], default 0.5 */
  double omega;           /* over-relaxation (0, 2), not with Jacobi; default 1 */
  double e_max; /* converged at the first sweep whose summed change is not above; default 0.001, INFINITY: not asked, 0:
                   found from the accuracy, at twice the cost per sweep */
  double accuracy;     /* for e_max = 0: mean error of a cell that may remain (0, 1), default 0.001 */
  double tolerance;    /* and no stored value changes by more in a sweep; default INFINITY: not asked */
  double min;          /* changes are judged relative to the stored value or to this where it is smaller; default 1 */
  uint32_t max_sweeps; /* sweeps; default 1000000 */
  uint32_t workers;    /* of TH_MESH_RELAX_COLOURED and _JACOBI; 0 = one per processor, default 1 */
  bool (*watch)(void *user, uint32_t sweep, double e); /* after each sweep; false ends th_mesh_relax_converge */
  void *user;
} th_mesh_relax_def;

/** A field on a mesh that is being relaxed. */
typedef struct th_mesh_relax th_mesh_relax;

typedef struct th_mesh_relax_report {
  uint32_t sweeps; /* of all calls */
  double e;        /* summed change of the last sweep, (4.7) */
  double e_max;    /* limit in force; for a def of 0 the one that was found */
  double seconds;  /* in sweeps */
  bool converged;
  bool no_goal, no_wall; /* without one of them the field becomes constant and has no gradient */
} th_mesh_relax_report;

TH_API th_mesh_relax_def th_default_mesh_relax_def(void);

/** Copies the settings of a def for flat maps: method, storage, precision, start, omega, tolerance. */
TH_API th_mesh_relax_def th_mesh_relax_def_of(const th_relax_def *def);

/** A relaxation before its first sweep; the tags are copied, the weights kept by reference. */
TH_API th_result th_mesh_relax_make(const th_mesh_relax_def *def, const th_mesh_relax_weights *weights,
                                    const uint8_t *tile, th_mesh_relax **relax, th_error *error);
TH_API th_result th_mesh_relax_copy(const th_mesh_relax *from, th_mesh_relax **relax, th_error *error);
TH_API void th_mesh_relax_free(th_mesh_relax *relax); /* NULL is allowed */

/** Other goals or obstacles: mesh and weights are reused. Free cells restart at def.start, or keep their values when
 *  `warm`. Allocates nothing. */
TH_API void th_mesh_relax_retag(th_mesh_relax *relax, const uint8_t *tile, bool warm);

/** `count` sweeps; returns the summed change of the last one. Allocates nothing, as the next. */
TH_API double th_mesh_relax_sweep(th_mesh_relax *relax, uint32_t count);

/** Sweeps until converged, at most def.max_sweeps times in this call. */
TH_API th_mesh_relax_report th_mesh_relax_converge(th_mesh_relax *relax);

TH_API const th_mesh *th_mesh_relax_mesh(const th_mesh_relax *relax);
TH_API const uint8_t *th_mesh_relax_tiles(const th_mesh_relax *relax);
TH_API double th_mesh_relax_p(const th_mesh_relax *relax, uint32_t vertex);
TH_API double th_mesh_relax_u(const th_mesh_relax *relax, uint32_t vertex);

/** Of every vertex the stored p, or -u: what agents walk down, without the rounding of 1 - u. */
TH_API void th_mesh_relax_heights(const th_mesh_relax *relax, double *height);

/** Number of edges through free cells to the nearest goal; TH_NO_ELEMENT when there is no such path. */
TH_API const uint32_t *th_mesh_relax_hops(const th_mesh_relax *relax);

/** Number of free vertices with a path to the goal that have no lower neighbour. 0 in a field that has converged. */
TH_API uint32_t th_mesh_relax_pits(const th_mesh_relax *relax);

/* ---------------------------------------------------------------- gradients and walking */

/** n0 = R(v1 - v0), n1 = R(v1 - v2), n2 = R(v2 - v0), R by +90 degrees about the face's normal, (8.3). `xyz` holds the
 *  three corners. */
TH_API void th_mesh_edge_normals(const double xyz[3][3], double normal[3][3]);

/** The gradient of the linear function with these values at the corners, (4.14); it points uphill. Zero for a face
 *  without area. */
TH_API void th_mesh_face_gradient(const double xyz[3][3], const double value[3], double gradient[3]);

/** A function on a mesh, linear on each face, to walk down on; gradients are found on demand, each at most once. */
typedef struct th_mesh_height th_mesh_height;

typedef struct th_mesh_height_def {
  th_env env;
  const th_mesh *mesh;  /* kept by reference */
  const double *height; /* of each vertex, copied */
  const uint8_t *tile;  /* th_tile of each vertex, copied; NULL: all free */
} th_mesh_height_def;

TH_API th_mesh_height_def th_default_mesh_height_def(void); /* of no mesh yet */

/** Calls on one height map must not overlap, since they store gradients in it. */
TH_API th_result th_mesh_height_make(const th_mesh_height_def *def, th_mesh_height **height_map, th_error *error);
TH_API th_result th_mesh_height_of(const th_mesh_relax *relax, th_mesh_height **height_map, th_error *error);
TH_API void th_mesh_height_free(th_mesh_height *height_map); /* NULL is allowed */

TH_API void th_mesh_height_gradient(th_mesh_height *height_map, uint32_t face, double gradient[3]);
TH_API uint32_t th_mesh_height_gradients_made(const th_mesh_height *height_map);

/** Faces with a free corner whose gradient is null: not above `null_gradient` [1/m]. Marks them when `mark` is set. */
TH_API uint32_t th_mesh_height_null_faces(th_mesh_height *height_map, double null_gradient, uint8_t *mark);

typedef enum th_mesh_printed_sign {
  TH_MESH_PRINTED_DOWN, /* d = -grad p */
  TH_MESH_PRINTED_UP    /* as Algorithm 4 prints it: d = +grad p, uphill */
} th_mesh_printed_sign;

/** An agent of Algorithm 4: a point in space and its face. */
typedef struct th_mesh_printed_walker {
  double xyz[3];
  uint32_t face;
} th_mesh_printed_walker;

/** One call of Algorithm 4 as printed: a step of length `speed` [m], cut at the edge of the face. The agent stands
 *  still for ever where two faces push against each other. TH_DESCENT_BLOCKED at the border of the mesh. */
TH_API th_descent th_mesh_printed_walker_update(th_mesh_height *height_map, th_mesh_printed_walker *agent, double speed,
                                                th_mesh_printed_sign sign);

/** A walker that handles the cases Algorithm 4 leaves out: valleys, vertices, borders, faces without a gradient. */
typedef struct th_mesh_height_walker {
  th_mesh_spot spot;
  uint32_t half;   /* the half-edge of spot.face on which it stands, TH_NO_HALF: inside or on a vertex */
  uint32_t vertex; /* on which it stands, TH_NO_ELEMENT: none */
  bool sliding;    /* follows `half` to its lower end */
} th_mesh_height_walker;

TH_API th_mesh_height_walker th_mesh_height_walker_at(const th_mesh *mesh, const th_mesh_spot *spot);

/** Walks to the other side of the face, or to the end of the edge, but not further than `max` [m]. */
TH_API th_descent th_mesh_height_walker_advance(th_mesh_height *height_map, th_mesh_height_walker *walker, double max);

typedef struct th_mesh_height_path_point {
  double xyz[3], height;
  uint32_t face;
  uint32_t half, vertex; /* edge crossed or vertex met here, or TH_NO_HALF and TH_NO_ELEMENT */
} th_mesh_height_path_point;

typedef struct th_mesh_height_path {
  th_allocator allocator;
  th_mesh_height_path_point *point;
  uint32_t count;
  th_descent end;                /* TH_DESCENT_ARRIVED, TH_DESCENT_NULL, TH_DESCENT_MOVED: gave up */
  uint32_t valleys;              /* edges that were followed */
  uint32_t vertices;             /* that were met */
  uint32_t rises;                /* pieces that do not end lower than they begin */
  uint32_t touched;              /* occupied vertices met, edges and faces entered that have occupied corners only */
  uint32_t grazed;               /* pieces that enter the outer part of an occupied cell */
  double length;                 /* [m] */
  double turn_max_angle, turned; /* largest angle between two pieces and the sum of all, edges unfolded [rad] */
  struct {
    uint32_t capacity;
  } tail; /* the library's own */
} th_mesh_height_path;

/** The exact path of descent from a spot, from border to border of each face. `path` is zeroed or holds an earlier
 *  path, which is replaced; its memory comes from the height map's env. */
TH_API th_result th_mesh_height_trace(th_mesh_height *height_map, const th_mesh_spot *from, th_mesh_height_path *path,
                                      th_error *error);
TH_API void th_mesh_height_path_free(th_mesh_height_path *path);

/* ---------------------------------------------------------------- flatness */

/** Intermediate goals against flatness: level 0 is a field; level k > 0 has goals where level k - 1 is about to become
 *  flat. There are as many levels as every face with a path to the goal needs. */
typedef struct th_mesh_relax_rings th_mesh_relax_rings;

/** `field` is copied and relaxed until it has converged. The ring of a level is put where 1 - p crosses def.ring. Each
 *  level is relaxed until it has converged, by at least def.sweeps sweeps. */
TH_API th_result th_mesh_relax_rings_make(const th_mesh_relax *field, const th_flatness_def *def,
                                          th_mesh_relax_rings **rings, th_error *error);
TH_API void th_mesh_relax_rings_free(th_mesh_relax_rings *rings); /* NULL is allowed */

/** Levels above 0; the field of one; the lowest level with a gradient on a face (TH_NO_ELEMENT: none has). */
TH_API uint32_t th_mesh_relax_rings_count(const th_mesh_relax_rings *rings);
TH_API const th_mesh_relax *th_mesh_relax_rings_field(const th_mesh_relax_rings *rings, uint32_t level);
TH_API uint32_t th_mesh_relax_rings_level(const th_mesh_relax_rings *rings, uint32_t face);

/** The path of descent over all levels, from ring to ring. */
TH_API th_result th_mesh_relax_rings_trace(th_mesh_relax_rings *rings, const th_mesh_spot *from,
                                           th_mesh_height_path *path, th_error *error);

#ifdef __cplusplus
}
#endif
#endif
