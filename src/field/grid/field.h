/* field/grid/field.h - internals of making fields on a grid. */
#ifndef TH_FIELD_GRID_FIELD_H
#define TH_FIELD_GRID_FIELD_H

#include "field/grid/factor.h"
#include "field/sample.h"

/* A list of raster cells in ascending order. */
typedef struct th_cell_list {
  uint32_t *cell;
  uint32_t count, capacity;
} th_cell_list;

/* Everything that making one field needs; lives on the stack of th_grid_field_make. */
typedef struct th_field_build {
  const th_ground *ground;
  const th_allocator *allocator;
  const th_field_def *def;
  size_t size; /* cells of the raster */
  const uint32_t *nearest_free;
  uint8_t *kind; /* th_cell_kind; goal cells are pinned */
  th_cell_list goal;
  double *distance; /* distance to the goal along the field's path, or the shortest [cells]; INFINITY: there is none */
  double *cost;     /* roomy fields: what that path costs [cells]; else NULL */
  const double *lead;     /* what geodesic fields descend, and exits go by: `cost` or `distance` */
  double band;            /* what a cell costs in the band that the class blocks */
  double screen, less[2]; /* of the operator */
  bool geodesic;
  th_field *field;
} th_field_build;

/* field.c */
th_result th_grid_field_make(th_solver *solver, const th_field_def *def, th_field **field, th_error *error);

/* solver.c: the operator of a ground, with the numbers of a rule. */
th_operator th_grid_solver_operator(const th_ground *ground, const th_factor_rule *rule, const uint8_t *kind);

/* potential.c: fills field->u (and log_u). */
th_result th_grid_potential_solve(th_solver *solver, th_field_build *build, th_error *error);

/* planned.c: fills field->u by the host's planner. */
th_result th_grid_field_plan(th_field_build *build, th_error *error);

/* node.c: fills field->node; aims one cell at another, with what is left there [cells]. */
void th_node_fill(th_field_build *build);
void th_node_lead(const th_field_build *build, uint32_t c, uint32_t aim, double left);

/* false_tops.c: makes sure that walks leave every fork. */
void th_false_tops_remove(th_field_build *build);

/* trace.c: th_field_calls.trace; the place after a step of (dx, dy) [m] that slides along blocked cells. */
uint32_t th_grid_field_trace(const th_field *field, th_place from, const th_trace_layout *to);
th_vec2 th_trace_step(const th_field *field, th_vec2 from, float dx, float dy);

static inline bool th_is_free(const th_field_build *build, size_t cell) { return build->kind[cell] != TH_CELL_WALL; }

#endif
