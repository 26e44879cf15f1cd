/* throng/field.h - solved scalar functions that lead to a goal from everywhere.
 *
 * A solver holds the factorisations of one ground version; each field costs one triangular solve. We store u: exactly
 * 0 on walls and exactly 1 on the goal; agents climb u. (The literature's p is 1 - u.)
 * Threads: any; a solver guards itself, and a field never changes once it is made.
 */
#ifndef THRONG_FIELD_H
#define THRONG_FIELD_H

#include "ground.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_solver th_solver;
typedef struct th_field th_field;

typedef enum th_field_kind {
  TH_FIELD_HARMONIC, /* Laplace: keeps away from walls */
  TH_FIELD_GEODESIC, /* shortest or quickest path (fast marching) */
  TH_FIELD_BLEND,    /* screened: one knob between the two */
  TH_FIELD_EDGES, /* shortest path along edges (Dijkstra) by reference points, as dynamic planarization does. Mesh: to
                     the vertex nearest to a point, 4 bytes per vertex; the guide `reference_points` keeps agents
                     from going back and forth on it. Flat ground: from cell to cell, in eight directions */
  TH_FIELD_ROOMY  /* for people: the shortest or quickest path when a metre near walls costs a little more, namely
                     1 + room_weight max(0, 1 - (clearance - radius of the class) / room_within) */
} th_field_kind;

typedef enum th_wall_rule {
  TH_WALLS_DIRICHLET, /* u = 0 on walls: they repel */
  TH_WALLS_NEUMANN    /* no flow through walls: paths may run along them */
} th_wall_rule;

/** What a cell of a raster or a vertex of a mesh is to a solver. */
typedef enum th_cell_kind {
  TH_CELL_WALL = 0,  /* outside; u = 0 with Dirichlet walls, absent with Neumann walls */
  TH_CELL_FREE = 1,  /* unknown */
  TH_CELL_PINNED = 2 /* known: the goal, u = 1 */
} th_cell_kind;

/** What a planner gives values to: the cells of a raster, row by row from the lower left, or the vertices of a mesh. */
typedef struct th_planner_cells {
  th_env env;             /* of the solver */
  const th_mesh *mesh;    /* NULL on flat ground */
  uint32_t width, height; /* on a mesh: its vertices and 1 */
  const uint8_t *kind;    /* th_cell_kind of each */
} th_planner_cells;

/** A planner of the host that gives harmonic fields their values in place of our solver, such as a published one
 *  (throng/published/planner.h). It is called once per field, whenever that is made again; a world does so in a job, so
 *  from any thread and for several fields at once. What it returns other than TH_OK, the field's making returns. */
typedef struct th_planner {
  /** Fills u of every cell: above 0 where a path leads to the goal, 0 where none does, -u where there is a value but no
   *  direction. Numbers that are not finite are refused; those of walls and goals do not count. */
  th_result (*plan)(void *user, const th_planner_cells *cells, double *u, th_error *error);
  void *user;
} th_planner;

typedef struct th_field_def {
  th_field_kind kind; /* default harmonic */
  float blend;        /* 0 = harmonic ... 1 = geodesic, both exactly; for TH_FIELD_BLEND only */
  bool quickest;      /* mesh ground whose faces differ in speed (slope, terrain): geodesic, roomy, blend and edges lead
                         along the quickest path, round slow ground where that takes less time; false: along the shortest.
                         Default true. `left` is a length [m] in both cases */
  th_wall_rule walls; /* default Dirichlet */
  float eps;          /* strength level [1/cell] [0, 2]: field shared by agents with this eps and any v of length 1;
                         costs twice as much as one without; default 0 */
  float room_weight;  /* TH_FIELD_ROOMY: how much more a metre costs beside a wall [0, 1], default 0.1; 0: exactly
                         the geodesic field. Above 0.3 people walk in files in the middle of corridors */
  float room_within;  /* TH_FIELD_ROOMY: this far beyond the radius of the class walls cost [m] [0.1, 20], default 4.
                         Clearances are known up to the ground's clearance_limit, 4 m by default: from there on the
                         cost stays as it is */
  uint32_t radius_class; /* 0 to 3 */
  th_shape goal;
  const th_planner *planner; /* whose values the field has; it needs a harmonic field with Dirichlet walls and eps 0.
                                Where it gives no direction, `left` is infinite. Default NULL: our own solver */
} th_field_def;

/** Direction and remaining distance at one place. */
typedef struct th_field_gradient {
  float dx, dy; /* unit direction that climbs u; 0, 0 on the goal and where the goal cannot be reached */
  float gx, gy; /* grad log u [1/m]; within 12 cells of a goal of one cell its length is approximate */
  float left; /* distance to the goal along the shortest path [m], for geodesic and roomy fields the length of their own
                 path; INFINITY when unreachable */
} th_field_gradient;

TH_API th_field_def th_default_field_def(void);

/** A solver for one ground version; retains the ground. Calls on one solver must not overlap. */
typedef struct th_solver_def {
  th_env env;
  th_ground *ground; /* needed */
  th_simd simd;      /* of the factors; default the widest. Every choice gives the same bits */
} th_solver_def;

TH_API th_solver_def th_default_solver_def(void); /* without a ground */
TH_API th_result th_solver_make(const th_solver_def *def, th_solver **solver, th_error *error);

/** A solver for an edited version of the same ground that reuses what the edit left alone. */
TH_API th_result th_solver_follow(const th_solver *old, th_ground *ground, th_solver **solver, th_error *error);
TH_API void th_solver_release(th_solver *solver);

/** Bytes of all fields along the edges of a mesh, one to each of its V vertices: 4 V^2. Flat ground: 0. */
TH_API uint64_t th_fields_bytes(const th_ground *ground);

/** Makes all fields along edges of the solver's mesh now, for radius class 0 and shortest paths. Such a field to a
 *  point is then a copy of 4 V bytes, with the same numbers. Above `budget` bytes TH_ERROR_CAPACITY says how many it
 *  would take, before any memory is taken. A solver that follows does not have them. Flat ground: does nothing. */
TH_API th_result th_solver_prepare_fields(th_solver *solver, uint64_t budget, th_error *error);

/** Solves one field. Fails when the goal is solid or off the ground, or when a number is out of range. A goal that is
 *  blocked only for the radius class is moved to the nearest free cell within the radius plus two cells. */
TH_API th_result th_field_make(th_solver *solver, const th_field_def *def, th_field **field, th_error *error);
TH_API void th_field_release(th_field *field);
TH_API th_field *th_field_retain(th_field *field);

/** u of the cell that holds a place, 0 to 1; exactly 1 on goal cells, exactly 0 on walls. Underflows to 0 far away: see
 *  th_field_log. Geodesic and roomy fields answer exp(-left / cell). */
TH_API double th_field_potential(const th_field *field, th_place place);

/** log u of the cell that holds a place: -INFINITY on walls and where the goal cannot be reached. */
TH_API double th_field_log(const th_field *field, th_place place);

TH_API bool th_field_reaches(const th_field *field, th_place place);

/** Smooth direction at a place. Any thread, as all queries here. */
TH_API th_field_gradient th_field_gradient_at(const th_field *field, th_place place);

/** Checks a vector v for this field's eps level: |eps v| may not exceed 2 in either component. */
TH_API th_result th_field_admits(const th_field *field, th_vec2 v, th_error *error);

/** Direction for an agent with its own vector v on this field's eps level: grad log u combined with about (eps/2) v.
 *  For |v| = 1 on flat ground it differs from a solve for this v alone, on average and at most, by 0.02 and 0.7 degrees
 *  (interpolation included) at eps 0.1 and by 0.07 and 2.4 at 0.3; on average by 0.7 at 0.7 and 6 at 1.4. A v that
 *  th_field_admits refuses is a fault and counts as 0. */
TH_API th_vec2 th_field_direction(const th_field *field, th_place place, th_vec2 v, th_sense sense);

/** Follows the direction from a place in steps of half a cell; writes up to `capacity` points, returns how many the
 *  path has (0 when the goal cannot be reached). On mesh ground: th_field_trace_places, seen from above. */
TH_API uint32_t th_field_trace(const th_field *field, th_place from, th_vec2 *point, uint32_t capacity);

/** As th_field_trace, with places. On mesh ground the path goes from border to border of each face, straight in between
 *  and rising in u everywhere; place n lies in the face that the path crosses next, the last one on the goal. */
TH_API uint32_t th_field_trace_places(const th_field *field, th_place from, th_place *place, uint32_t capacity);

/** Pulls a path of th_field_trace_places straight without leaving its faces; more rounds, straighter. On flat ground
 *  nothing changes: paths are smooth there. */
TH_API void th_field_smooth_places(const th_field *field, th_place *place, uint32_t count, uint32_t rounds);

/** u of every raster cell, row by row from the lower left, or of every vertex of a mesh (height = 1); valid as long as
 *  the field. NULL for geodesic and roomy fields and those along edges. */
TH_API const double *th_field_values(const th_field *field, uint32_t *width, uint32_t *height);

/** Distance along edges from every vertex to the goal [m], INFINITY where no path exists; valid as long as the field.
 *  NULL for fields that are not TH_FIELD_EDGES, and on flat ground. */
TH_API const float *th_field_lengths(const th_field *field, uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
