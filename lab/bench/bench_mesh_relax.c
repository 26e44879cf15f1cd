/* lab/bench/bench_mesh_relax.c - the published relaxation on a mesh beside our fields: mesh.statue, 4,994 vertices of
 * genus 4, goal and start far apart, no obstacle.
 *
 *   speedup        the published relaxation (e_max 0.001) over one solve for a new goal on the kept factor
 *   field_speedup  the same over a whole field: distances, potential, and all that agents read
 *   first_speedup  the same from the loaded mesh on both sides: weights and sweeps, over triangulation, weights,
 *                  tree, factor and solve; first_field_speedup: over a new ground and a whole field on it
 */
#include <math.h>
#include <stdlib.h>

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

void th_bench_mesh_relax(th_bench *bench);

void th_bench_mesh_relax(th_bench *bench) {
  if (!th_bench_wants(bench, "mesh.statue")) return;
  th_soup soup = th_soup_begin(NULL);
  th_ground *ground = NULL;
  th_solver *solver = NULL;
  if (th_make_sized(&soup, TH_MAKE_MOTHER, NULL) == TH_OK) {
    th_mesh_ground_def def = th_bench_mesh_def(&soup);
    double first = th_bench_first_time(&def, &ground, &solver);
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
