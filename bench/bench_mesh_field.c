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
 *   scale.*        a torus without walls: each step from the triangles to the first path
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "bench.h"
#include "field/mesh/field.h"
#include "geometry/make/shapes.h"
#include "throng/relax_mesh.h"

enum { REPEATS = 5 };

static th_mesh_ground_def def_of(const th_soup *soup) {
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.triangles.xyz_double = soup->xyz[0];
  def.triangles.vertex_count = soup->vertex_count;
  def.triangles.corner = soup->corner[0];
  def.triangles.face_count = soup->face_count;
  def.radius_class[0] = 0.0f;
  return def;
}

/* A point goal in the middle of a face. */
static th_field *field_at(th_solver *solver, th_ground *ground, uint32_t face, th_field_kind kind) {
  th_vec3 p = th_ground_point(ground, th_ground_place_of(ground, face, (th_vec3){0.3f, 0.3f, 0.4f}));
  th_field_def def = th_default_field_def();
  th_field *field = NULL;
  def.kind = kind;
  def.goal = th_point_shape_at(p);
  return th_field_make(solver, &def, &field, NULL) == TH_OK ? field : NULL;
}

/* Median time of whole fields to other goals each time. */
static double field_time(th_solver *solver, th_ground *ground, th_field_kind kind) {
  double time[REPEATS];
  const uint32_t faces = th_ground_mesh(ground)->face_count;
  for (uint32_t n = 0; n < REPEATS; n++) {
    uint32_t face = (n + 1) * (faces / (REPEATS + 1));
    while (th_ground_blocked_faces(ground)[face]) face++;
    double start = th_bench_now();
    th_field *field = field_at(solver, ground, face, kind);
    time[n] = th_bench_now() - start;
    th_field_release(field);
  }
  return th_bench_median(time, REPEATS);
}

/* Median time of one solve on the solver's first factor. */
static double solve_time(const th_solver *solver) {
  const th_factor *factor = solver->cached[0].factor;
  const th_fronts *fronts = factor->fronts;
  const uint32_t vertices = factor->count;
  double *x = malloc(vertices * sizeof *x), *work = malloc(th_fronts_work_size(fronts) * sizeof *work), one = 1.0;
  double time[REPEATS] = {0};
  for (uint32_t n = 0; x && work && n < REPEATS; n++) {
    uint32_t goal = (n + 1) * (vertices / (REPEATS + 1));
    while (factor->kind[goal] != TH_CELL_FREE) goal++;
    double start = th_bench_now();
    th_fronts_solve(fronts, (th_fronts_source){&goal, &one, 1}, x, work);
    time[n] = th_bench_now() - start;
  }
  free(work);
  free(x);
  return th_bench_median(time, REPEATS);
}

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
  double time[REPEATS];
  for (int n = 0; n < REPEATS; n++) {
    th_solver_release(*solver);
    th_ground_release(*ground);
    *solver = NULL, *ground = NULL;
    double start = th_bench_now();
    if (th_ground_make_mesh(def, ground, NULL) != TH_OK ||
        th_solver_make(&(th_solver_def){.ground = *ground}, solver, NULL) != TH_OK)
      return -1.0;
    th_field *field = field_at(*solver, *ground, def->triangles.face_count / 3, TH_FIELD_HARMONIC);
    time[n] = th_bench_now() - start;
    if (!field) return -1.0;
    th_field_release(field);
  }
  return th_bench_median(time, REPEATS);
}

/* From the loaded mesh to u: triangulation and weights, tree, factor, one solve. */
static double first_solve_time(const th_solver *solver, th_ground *ground) {
  const th_cached_factor *cached = &solver->cached[0];
  const uint32_t vertices = cached->factor->count, goal = vertices / 6;
  double time[REPEATS], one = 1.0, *x = malloc(vertices * sizeof *x);
  for (int n = 0; n < REPEATS; n++) {
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
  return th_bench_median(time, REPEATS);
}

static void bench_statue(th_bench *bench) {
  th_soup soup = th_soup_begin(NULL);
  th_ground *ground = NULL;
  th_solver *solver = NULL;
  if (th_make_sized(&soup, TH_MAKE_MOTHER, NULL) == TH_OK) {
    th_mesh_ground_def def = def_of(&soup);
    double first = first_time(&def, &ground, &solver);
    if (first > 0.0 && solver) {
      double weighing = 0.0, relax = relax_time(th_ground_mesh(ground), &weighing);
      double field = field_time(solver, ground, TH_FIELD_HARMONIC);
      th_bench_report(bench, "mesh.statue.relaxation_ms", 1e3 * relax, "ms");
      th_bench_report(bench, "mesh.statue.speedup", relax / solve_time(solver), "x");
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
  double time[REPEATS];
  static const float eps[16];
  th_guide_answer want[16];
  th_guide_query query = {.lanes = 16, .eps = eps, .simd = (uint32_t)th_simd_level(), .want = want};
  for (int k = 0; k < REPEATS; k++) {
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
  return th_bench_median(time, REPEATS);
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
  double *left = malloc(build.vertices * sizeof *left), time[REPEATS] = {0};
  for (uint32_t v = 0; build.kind && v < build.vertices; v++)
    build.kind[v] = th_mesh_vertex_blocked(ground, 0, v) ? TH_CELL_WALL : TH_CELL_FREE;
  for (int n = 0; build.kind && left && n < REPEATS; n++) {
    double start = th_bench_now();
    (void)th_mesh_field_march(&build, left, NULL);
    time[n] = th_bench_now() - start;
  }
  free(left);
  free(build.kind);
  return th_bench_median(time, REPEATS);
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
  double time[REPEATS];
  const th_cached_factor *was = &old->cached[0];
  for (int n = 0; n < REPEATS; n++) {
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
  return th_bench_median(time, REPEATS);
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
    th_mesh_ground_def def = def_of(&soup);
    for (uint32_t n = 0; n < DISCS; n++) {
      const double *p = soup.xyz[n * (soup.vertex_count / DISCS) + 17 * n];
      disc[n] = (th_region){.kind = TH_REGION_BALL, .centre = {(float)p[0], (float)p[1], (float)p[2]}, .radius = 1.5f};
    }
    def.blocked = disc;
    def.blocked_count = DISCS;
    double first = first_time(&def, &ground, &solver);
    if (first > 0.0 && solver) {
      th_bench_report(bench, "mesh.torus70k.first_ms", 1e3 * first, "ms");
      th_bench_report(bench, "mesh.torus70k.solve_ms", 1e3 * solve_time(solver), "ms");
      th_bench_report(bench, "mesh.torus70k.geodesic_ms", 1e3 * march_time(solver, ground), "ms");
      th_bench_report(bench, "mesh.torus70k.geodesic_field_ms", 1e3 * field_time(solver, ground, TH_FIELD_GEODESIC),
                      "ms");
      th_bench_report(bench, "mesh.torus70k.field_ms", 1e3 * field_time(solver, ground, TH_FIELD_HARMONIC), "ms");
      th_field *field = field_at(solver, ground, 1000, TH_FIELD_HARMONIC);
      if (field) th_bench_report(bench, "mesh.torus70k.sample_ns", 1e9 * sample_time(field), "ns");
      th_field_release(field);
      bench_deform(bench, solver, ground);
    }
  }
  th_solver_release(solver);
  th_ground_release(ground);
  th_soup_free(&soup);
}

static void report_scale(th_bench *bench, const char *size, const char *what, double value, const char *unit) {
  char name[64];
  snprintf(name, sizeof name, "mesh.scale.%s.%s", size, what);
  th_bench_report(bench, name, value, unit);
}

static void bench_steps(th_bench *bench, const char *size, th_soup *soup, double made) {
  th_mesh_ground_def def = def_of(soup);
  th_ground *ground = NULL;
  th_solver *solver = NULL;
  th_error error;
  double t0 = th_bench_now();
  if (th_ground_make_mesh(&def, &ground, &error) != TH_OK) return;
  double t1 = th_bench_now(), t2, t3, t4;
  th_field *field = NULL;
  if (th_solver_make(&(th_solver_def){.ground = ground}, &solver, &error) == TH_OK &&
      th_solver_prepare(solver, &error) == TH_OK) {
    t2 = th_bench_now();
    field = field_at(solver, ground, def.triangles.face_count / 3, TH_FIELD_HARMONIC);
    t3 = th_bench_now();
    uint32_t count = 0;
    if (field)
      count = th_field_trace_places(
          field, th_ground_place_of(ground, def.triangles.face_count / 5, (th_vec3){0.2f, 0.3f, 0.5f}), NULL, 0);
    t4 = th_bench_now();
    if (count > 0) {
      report_scale(bench, size, "generate_ms", 1e3 * made, "ms");
      report_scale(bench, size, "ground_ms", 1e3 * (t1 - t0), "ms");
      report_scale(bench, size, "prepare_ms", 1e3 * (t2 - t1), "ms");
      report_scale(bench, size, "first_field_ms", 1e3 * (t3 - t2), "ms");
      report_scale(bench, size, "path_ms", 1e3 * (t4 - t3), "ms");
      report_scale(bench, size, "total_s", made + t4 - t0, "s");
      report_scale(bench, size, "solve_ms", 1e3 * solve_time(solver), "ms");
      report_scale(bench, size, "next_field_ms", 1e3 * field_time(solver, ground, TH_FIELD_HARMONIC), "ms");
      struct rusage used;
      if (getrusage(RUSAGE_SELF, &used) == 0)
        report_scale(bench, size, "peak_mib", (double)used.ru_maxrss / 1024.0, "MiB");
    }
  }
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
}

static void bench_scale(th_bench *bench) {
  static const struct {
    const char *name;
    uint32_t around, along;
  } size[3] = {{"10k", 41, 123}, {"100k", 129, 387}, {"1M", 408, 1224}};
  for (int k = 0; k < 3; k++) {
    char name[32];
    snprintf(name, sizeof name, "mesh.scale.%s", size[k].name);
    if (!th_bench_wants(bench, name)) continue;
    double start = th_bench_now();
    th_soup soup = th_soup_begin(NULL);
    th_make_torus(&soup, size[k].around, size[k].along, 30.0, 10.0);
    if (!soup.failed) bench_steps(bench, size[k].name, &soup, th_bench_now() - start);
    th_soup_free(&soup);
  }
}

void th_bench_mesh_field(th_bench *bench);

void th_bench_mesh_field(th_bench *bench) {
  if (th_bench_wants(bench, "mesh.statue")) bench_statue(bench);
  if (th_bench_wants(bench, "mesh.torus70k")) bench_torus(bench);
  if (th_bench_wants(bench, "mesh.scale")) bench_scale(bench);
}
