/* bench/bench_mesh_scale.c - each step from the triangles of a torus without walls to the first path on it.
 *
 *   mesh.scale.{10k,100k,1M}
 *     generate_ms, ground_ms, prepare_ms, first_field_ms, path_ms    one after the other; total_s: their sum
 *     solve_ms, next_field_ms                                        what another goal costs then
 *     peak_mib                                                       of the whole process so far
 */
#include <stdio.h>
#include <sys/resource.h>

#include "mesh_fields.h"

static void report_scale(th_bench *bench, const char *size, const char *what, double value, const char *unit) {
  char name[64];
  snprintf(name, sizeof name, "mesh.scale.%s.%s", size, what);
  th_bench_report(bench, name, value, unit);
}

static void bench_steps(th_bench *bench, const char *size, th_soup *soup, double made) {
  th_mesh_ground_def def = th_bench_mesh_def(soup);
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
    field = th_bench_field_at(solver, ground, def.triangles.face_count / 3, TH_FIELD_HARMONIC);
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
      report_scale(bench, size, "solve_ms", 1e3 * th_bench_solve_time(solver), "ms");
      report_scale(bench, size, "next_field_ms", 1e3 * th_bench_field_time(solver, ground, TH_FIELD_HARMONIC), "ms");
      struct rusage used;
      if (getrusage(RUSAGE_SELF, &used) == 0)
        report_scale(bench, size, "peak_mib", (double)used.ru_maxrss / 1024.0, "MiB");
    }
  }
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
}

void th_bench_mesh_scale(th_bench *bench);

void th_bench_mesh_scale(th_bench *bench) {
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
