/* bench/mesh_fields.h - fields on made meshes, and how long they take. */
#ifndef TH_BENCH_MESH_FIELDS_H
#define TH_BENCH_MESH_FIELDS_H

#include <stdlib.h>

#include "base/memory.h"
#include "bench.h"
#include "field/mesh/field.h"
#include "make/shapes.h"

enum { TH_BENCH_REPEATS = 5 };

static inline th_mesh_ground_def th_bench_mesh_def(const th_soup *soup) {
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.triangles.xyz_double = soup->xyz[0];
  def.triangles.vertex_count = soup->vertex_count;
  def.triangles.corner = soup->corner[0];
  def.triangles.face_count = soup->face_count;
  def.radius_class[0] = 0.0f;
  return def;
}

/* A point goal in the middle of a face. */
static inline th_field *th_bench_field_at(th_solver *solver, th_ground *ground, uint32_t face, th_field_kind kind) {
  th_vec3 p = th_ground_point(ground, th_ground_place_of(ground, face, (th_vec3){0.3f, 0.3f, 0.4f}));
  th_field_def def = th_default_field_def();
  th_field *field = NULL;
  def.kind = kind;
  def.goal = th_point_shape_at(p);
  return th_field_make(solver, &def, &field, NULL) == TH_OK ? field : NULL;
}

/* Median time of whole fields to other goals each time. */
static inline double th_bench_field_time(th_solver *solver, th_ground *ground, th_field_kind kind) {
  double time[TH_BENCH_REPEATS];
  const uint32_t faces = th_ground_mesh(ground)->face_count;
  for (uint32_t n = 0; n < TH_BENCH_REPEATS; n++) {
    uint32_t face = (n + 1) * (faces / (TH_BENCH_REPEATS + 1));
    while (th_ground_blocked_faces(ground)[face]) face++;
    double start = th_bench_now();
    th_field *field = th_bench_field_at(solver, ground, face, kind);
    time[n] = th_bench_now() - start;
    th_field_release(field);
  }
  return th_bench_median(time, TH_BENCH_REPEATS);
}

/* Median time of one solve on the solver's first factor. */
static inline double th_bench_solve_time(const th_solver *solver) {
  const th_factor *factor = solver->cached[0].factor;
  const th_fronts *fronts = factor->fronts;
  const uint32_t vertices = factor->count;
  double *x = malloc(vertices * sizeof *x), *work = malloc(th_fronts_work_size(fronts) * sizeof *work), one = 1.0;
  double time[TH_BENCH_REPEATS] = {0};
  for (uint32_t n = 0; x && work && n < TH_BENCH_REPEATS; n++) {
    uint32_t goal = (n + 1) * (vertices / (TH_BENCH_REPEATS + 1));
    while (factor->kind[goal] != TH_CELL_FREE) goal++;
    double start = th_bench_now();
    th_fronts_solve(fronts, (th_fronts_source){&goal, &one, 1}, x, work);
    time[n] = th_bench_now() - start;
  }
  free(work);
  free(x);
  return th_bench_median(time, TH_BENCH_REPEATS);
}

/* Everything from the triangles in memory to the field. */
static inline double th_bench_first_time(const th_mesh_ground_def *def, th_ground **ground, th_solver **solver) {
  double time[TH_BENCH_REPEATS];
  for (int n = 0; n < TH_BENCH_REPEATS; n++) {
    th_solver_release(*solver);
    th_ground_release(*ground);
    *solver = NULL, *ground = NULL;
    double start = th_bench_now();
    if (th_ground_make_mesh(def, ground, NULL) != TH_OK ||
        th_solver_make(&(th_solver_def){.ground = *ground}, solver, NULL) != TH_OK)
      return -1.0;
    th_field *field = th_bench_field_at(*solver, *ground, def->triangles.face_count / 3, TH_FIELD_HARMONIC);
    time[n] = th_bench_now() - start;
    if (!field) return -1.0;
    th_field_release(field);
  }
  return th_bench_median(time, TH_BENCH_REPEATS);
}

#endif
