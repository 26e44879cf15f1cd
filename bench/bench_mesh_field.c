/* bench/bench_mesh_field.c - fields on meshes.
 *
 *   torus70k       69,984 faces with 20 obstacles
 *     geodesic_ms    distances to a point by fast marching; geodesic_field_ms and field_ms: whole fields
 *     sample_ns      direction and distance to the goal at one of sixteen random places
 *     deform10_over_factor   a tenth of the vertices has moved: updating a solver, over rebuilding it
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench.h"
#include "field/mesh/field.h"
#include "make/shapes.h"
#include "mesh_fields.h"

/* Sixteen random places at a time. */
static double sample_time(const th_field *field) {
  enum { BATCHES = 20000, KEPT = 4096 };
  const uint32_t faces = th_ground_mesh(field->mesh->ground)->face_count;
  typedef struct places {
    uint32_t cell[16];
    float x[16], y[16];
  } places;
  places *ask = calloc(KEPT, sizeof *ask);
  if (!ask) return -1.0;
  uint64_t seed = 3;
  for (int n = 0; n < KEPT * TH_FIELD_LANES; n++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    th_place p = th_ground_place_of(field->mesh->ground, (uint32_t)((seed >> 33) % faces), (th_vec3){0.3f, 0.3f, 0.4f});
    ask[n / TH_FIELD_LANES].cell[n % TH_FIELD_LANES] = p.cell;
    ask[n / TH_FIELD_LANES].x[n % TH_FIELD_LANES] = p.x;
    ask[n / TH_FIELD_LANES].y[n % TH_FIELD_LANES] = p.y;
  }
  double time[TH_BENCH_REPEATS];
  static const float eps[16];
  th_guide_answer want[16];
  th_guide_query query = {.lanes = 16, .eps = eps, .simd = (uint32_t)th_simd_level(), .want = want};
  for (int k = 0; k < TH_BENCH_REPEATS; k++) {
    double start = th_bench_now();
    for (int b = 0; b < BATCHES; b++) {
      query.cell = ask[b % KEPT].cell;
      query.x = ask[b % KEPT].x;
      query.y = ask[b % KEPT].y;
      th_field_sample_query(field, &query);
    }
    time[k] = (th_bench_now() - start) / (BATCHES * (double)TH_FIELD_LANES);
  }
  free(ask);
  return th_bench_median(time, TH_BENCH_REPEATS);
}

/* Distances alone, as th_mesh_field_make asks for them. */
static double march_time(th_solver *solver, th_ground *ground) {
  th_mesh_field_build build = {.solver = solver, .ground = ground, .mesh = ground->mesh};
  build.allocator = &solver->env.allocator;
  build.vertices = ground->mesh->mesh.vertex_count;
  build.faces = ground->mesh->mesh.face_count;
  build.spread = true;
  build.centre = th_ground_place_of(ground, build.faces / 3, (th_vec3){0.3f, 0.3f, 0.4f});
  build.kind = malloc(build.vertices);
  double *left = malloc(build.vertices * sizeof *left), time[TH_BENCH_REPEATS] = {0};
  for (uint32_t v = 0; build.kind && v < build.vertices; v++)
    build.kind[v] = th_mesh_vertex_blocked(ground, 0, v) ? TH_CELL_WALL : TH_CELL_FREE;
  for (int n = 0; build.kind && left && n < TH_BENCH_REPEATS; n++) {
    double start = th_bench_now();
    (void)th_mesh_field_march(&build, left, NULL);
    time[n] = th_bench_now() - start;
  }
  free(left);
  free(build.kind);
  return th_bench_median(time, TH_BENCH_REPEATS);
}

/* The tenth of a torus that lies on one side swells. */
static th_ground *swollen(const th_ground *ground) {
  const th_mesh *m = th_ground_mesh(ground);
  th_vertex_move *move = malloc(m->vertex_count * sizeof *move);
  uint32_t count = 0;
  for (uint32_t v = 0; move && v < m->vertex_count; v++) {
    const double *p = m->xyz + 3 * (size_t)v, angle = atan2(p[1], p[0]), r = sqrt(p[0] * p[0] + p[1] * p[1]);
    if (fabs(angle - 0.6) > 0.31416) continue;
    const double lift = 0.25 * cos(5.0 * (angle - 0.6)), k = 1.0 + lift * (r - 30.0) / r;
    move[count++] = (th_vertex_move){v, {(float)(k * p[0]), (float)(k * p[1]), (float)((1.0 + lift) * p[2])}};
  }
  th_ground *next = NULL;
  if (move && th_ground_deform(ground, move, count, &next, NULL) != TH_OK) next = NULL;
  free(move);
  return next;
}

/* A solver for the ground with the factor that `old` has: updated from it, or rebuilt. */
static double solver_time(const th_solver *old, th_ground *ground, bool follow) {
  double time[TH_BENCH_REPEATS];
  const th_cached_factor *was = &old->cached[0];
  for (int n = 0; n < TH_BENCH_REPEATS; n++) {
    th_solver *solver = NULL;
    th_cached_factor cached;
    double start = th_bench_now();
    bool made;
    if (follow) {
      made = th_solver_follow(old, ground, &solver, NULL) == TH_OK;
    } else {
      made = th_solver_make(&(th_solver_def){.ground = ground}, &solver, NULL) == TH_OK &&
             th_solver_prepare(solver, NULL) == TH_OK &&
             th_solver_factor(solver, was->radius_class, &was->factor->rule, &cached, NULL) == TH_OK;
    }
    time[n] = made ? th_bench_now() - start : NAN;
    th_solver_release(solver);
  }
  return th_bench_median(time, TH_BENCH_REPEATS);
}

static void bench_deform(th_bench *bench, const th_solver *solver, const th_ground *ground) {
  th_ground *next = swollen(ground);
  if (next) {
    double rebuilt = solver_time(solver, next, false), follow = solver_time(solver, next, true);
    th_bench_report(bench, "mesh.torus70k.deform10_ms", 1e3 * follow, "ms");
    th_bench_report(bench, "mesh.torus70k.deform10_over_factor", follow / rebuilt, "x");
  }
  th_ground_release(next);
}

static void bench_torus(th_bench *bench) {
  enum { DISCS = 20 };
  th_soup soup = th_soup_begin(NULL);
  th_region disc[DISCS];
  th_ground *ground = NULL;
  th_solver *solver = NULL;
  th_make_torus(&soup, 108, 324, 30.0, 10.0);
  if (!soup.failed) {
    th_mesh_ground_def def = th_bench_mesh_def(&soup);
    for (uint32_t n = 0; n < DISCS; n++) {
      const double *p = soup.xyz[n * (soup.vertex_count / DISCS) + 17 * n];
      disc[n] = (th_region){.kind = TH_REGION_BALL, .centre = {(float)p[0], (float)p[1], (float)p[2]}, .radius = 1.5f};
    }
    def.blocked = disc;
    def.blocked_count = DISCS;
    double first = th_bench_first_time(&def, &ground, &solver);
    if (first > 0.0 && solver) {
      th_bench_report(bench, "mesh.torus70k.first_ms", 1e3 * first, "ms");
      th_bench_report(bench, "mesh.torus70k.solve_ms", 1e3 * th_bench_solve_time(solver), "ms");
      th_bench_report(bench, "mesh.torus70k.geodesic_ms", 1e3 * march_time(solver, ground), "ms");
      th_bench_report(bench, "mesh.torus70k.geodesic_field_ms",
                      1e3 * th_bench_field_time(solver, ground, TH_FIELD_GEODESIC), "ms");
      th_bench_report(bench, "mesh.torus70k.field_ms", 1e3 * th_bench_field_time(solver, ground, TH_FIELD_HARMONIC),
                      "ms");
      th_field *field = th_bench_field_at(solver, ground, 1000, TH_FIELD_HARMONIC);
      if (field) th_bench_report(bench, "mesh.torus70k.sample_ns", 1e9 * sample_time(field), "ns");
      th_field_release(field);
      bench_deform(bench, solver, ground);
    }
  }
  th_solver_release(solver);
  th_ground_release(ground);
  th_soup_free(&soup);
}

void th_bench_mesh_field(th_bench *bench);

void th_bench_mesh_field(th_bench *bench) {
  if (th_bench_wants(bench, "mesh.torus70k")) bench_torus(bench);
}
