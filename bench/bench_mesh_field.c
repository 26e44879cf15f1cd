/* bench/bench_mesh_field.c - fields on meshes.
 *
 *   statue         4,994 vertices of genus 4, goal and start far apart, no obstacle
 *     speedup        the published relaxation (e_max 0.001) over one solve for a new goal on the kept factor
 *     field_speedup  the same over a whole field: distances, potential, and all that agents read
 *     first_speedup  the same from the loaded mesh on both sides: weights and sweeps, over triangulation, weights,
 *                    tree, factor and solve; first_field_speedup: over a new ground and a whole field on it
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
#include "throng/published/relax_mesh.h"

/* The published relaxation as printed, weights at hand; `weighing` is the time these take. */
static double relax_time(const th_mesh *mesh, double *weighing) {
  th_mesh_relax_weights *weights = NULL;
  th_mesh_relax *relax = NULL;
  uint8_t *tile = malloc(mesh->vertex_count);
  uint32_t goal = mesh->vertex_count / 6;
  th_mesh_relax_bounds bounds = th_default_mesh_relax_bounds();
  bounds.goal = &goal;
  bounds.goal_count = 1;
  bounds.start = mesh->vertex_count / 2;
  th_mesh_relax_def def = th_default_mesh_relax_def();
  def.e_max = 0.001;
  double time = -1.0, begin = th_bench_now();
  if (tile && th_mesh_relax_tag(mesh, &bounds, tile, NULL, NULL) == TH_OK &&
      th_mesh_relax_weights_make(mesh, NULL, &weights, NULL) == TH_OK &&
      th_mesh_relax_make(&def, weights, tile, &relax, NULL) == TH_OK) {
    *weighing = th_bench_now() - begin;
    double start = th_bench_now();
    (void)th_mesh_relax_converge(relax);
    time = th_bench_now() - start;
  }
  th_mesh_relax_free(relax);
  th_mesh_relax_weights_free(weights);
  free(tile);
  return time;
}

/* Everything from the triangles in memory to the field. */
static double first_time(const th_mesh_ground_def *def, th_ground **ground, th_solver **solver) {
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

/* From the loaded mesh to u: triangulation and weights, tree, factor, one solve. */
static double first_solve_time(const th_solver *solver, th_ground *ground) {
  const th_cached_factor *cached = &solver->cached[0];
  const uint32_t vertices = cached->factor->count, goal = vertices / 6;
  double time[TH_BENCH_REPEATS], one = 1.0, *x = malloc(vertices * sizeof *x);
  for (int n = 0; n < TH_BENCH_REPEATS; n++) {
    th_mesh_graph graph;
    th_factor *factor = NULL;
    double start = th_bench_now();
    time[n] = NAN; /* told by the frame */
    if (!x || th_mesh_graph_make(&graph, ground, &solver->env.allocator, NULL) != TH_OK) continue;
    th_elimination *tree =
        th_mesh_dissection_make(&graph, ground->mesh->mesh.xyz, TH_MESH_DISSECTION_LEAF, TH_MESH_DISSECTION_PIECE);
    const th_factor_def def = {.allocator = solver->env.allocator,
                               .tree = tree,
                               .rule = cached->factor->rule,
                               .op = th_mesh_graph_operator(&graph, cached->factor->kind, cached->sink, false)};
    double *work = NULL;
    if (tree && th_factor_make(&def, &factor, NULL) == TH_OK) {
      work = malloc(th_fronts_work_size(factor->fronts) * sizeof *work);
      if (work) th_fronts_solve(factor->fronts, (th_fronts_source){&goal, &one, 1}, x, work);
    }
    time[n] = th_bench_now() - start;
    free(work);
    th_factor_release(factor);
    th_elimination_release(tree);
    th_mesh_graph_free(&graph);
  }
  free(x);
  return th_bench_median(time, TH_BENCH_REPEATS);
}

static void bench_statue(th_bench *bench) {
  th_soup soup = th_soup_begin(NULL);
  th_ground *ground = NULL;
  th_solver *solver = NULL;
  if (th_make_sized(&soup, TH_MAKE_MOTHER, NULL) == TH_OK) {
    th_mesh_ground_def def = th_bench_mesh_def(&soup);
    double first = first_time(&def, &ground, &solver);
    if (first > 0.0 && solver) {
      double weighing = 0.0, relax = relax_time(th_ground_mesh(ground), &weighing);
      double field = th_bench_field_time(solver, ground, TH_FIELD_HARMONIC);
      th_bench_report(bench, "mesh.statue.relaxation_ms", 1e3 * relax, "ms");
      th_bench_report(bench, "mesh.statue.speedup", relax / th_bench_solve_time(solver), "x");
      th_bench_report(bench, "mesh.statue.field_speedup", relax / field, "x");
      th_bench_report(bench, "mesh.statue.first_speedup", (relax + weighing) / first_solve_time(solver, ground), "x");
      th_bench_report(bench, "mesh.statue.first_field_speedup", (relax + weighing) / first, "x");
    }
  }
  th_solver_release(solver);
  th_ground_release(ground);
  th_soup_free(&soup);
}

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
      th_field_answer(field, &query);
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
    double first = first_time(&def, &ground, &solver);
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
  if (th_bench_wants(bench, "mesh.statue")) bench_statue(bench);
  if (th_bench_wants(bench, "mesh.torus70k")) bench_torus(bench);
}
