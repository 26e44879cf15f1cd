/* bench/bench_mesh_file.c - from a mesh file to the first path.
 *
 *   surface.scale.{10k,100k,1M}
 *     read_ply_ms, read_obj_ms    a binary PLY and an OBJ text through the call that scenes use
 *     from_ply_s, from_obj_s      file, ground, solver, first harmonic field, first path
 *     from_file_s, from_file_mb   the slower of the two; the larger peak of the whole process
 *   surface.scale.from_file_1M_over_100k   how the whole grows with ten times the faces: 10 is linear
 *
 * Each run is a process of its own, forked before anything is read, so that its peak includes no other run. The torus
 * is that of surface.scale's other figures. Times are CPU time, as in all benchmarks of one thread.
 */
#include <math.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "make/shapes.h"
#include "throng/field.h"
#include "throng/mesh_file.h"

typedef struct run {
  double read, whole; /* [s], from the child */
  double peak;        /* [MB] */
} run;

/* Goal in one face, start in another far away. */
static bool trace_first(th_ground *ground) {
  const uint32_t faces = th_ground_mesh(ground)->face_count;
  th_vec3 p = th_ground_point(ground, th_ground_place_of(ground, faces / 3, (th_vec3){0.3f, 0.3f, 0.4f}));
  th_solver *solver = NULL;
  th_field *field = NULL;
  th_field_def def = th_default_field_def();
  def.goal = th_point_shape_at(p);
  uint32_t count = 0;
  if (th_solver_make(&(th_solver_def){.ground = ground}, &solver, NULL) == TH_OK &&
      th_field_make(solver, &def, &field, NULL) == TH_OK)
    count = th_field_trace_places(field, th_ground_place_of(ground, faces / 5, (th_vec3){0.2f, 0.3f, 0.5f}), NULL, 0);
  th_field_release(field);
  th_solver_release(solver);
  return count > 1;
}

static th_result ground_of(const th_building *b, th_ground **ground) {
  th_mesh_ground_def def = th_default_mesh_ground_def();
  def.mesh = &b->mesh;
  def.terrain = b->terrain;
  def.terrain_count = b->terrain_count;
  def.terrain_of = b->terrain_of;
  def.level_of = b->level_of;
  return th_ground_make_mesh(&def, ground, NULL);
}

static bool read_and_trace(const char *path, double *read) {
  th_mesh_def def = th_default_mesh_def();
  th_building building;
  th_ground *ground = NULL;
  double start = th_bench_now();
  if (th_building_load(&def, NULL, path, &building, NULL) != TH_OK) return false;
  *read = th_bench_now() - start;
  bool traced = ground_of(&building, &ground) == TH_OK && trace_first(ground);
  th_ground_release(ground);
  th_building_free(&building);
  return traced;
}

static bool write_files(const char *folder, uint32_t around, uint32_t along) {
  th_soup soup = th_soup_begin(NULL);
  th_mesh mesh;
  char path[256];
  th_make_torus(&soup, around, along, 30.0, 10.0);
  if (soup.failed || th_soup_mesh(&soup, &mesh, NULL) != TH_OK) return false;
  bool done = true;
  for (int k = 0; k < 2; k++) {
    snprintf(path, sizeof path, "%s/torus.%s", folder, k ? "obj" : "ply");
    done = done && th_mesh_save(&mesh, path, NULL) == TH_OK;
  }
  th_mesh_free(&mesh);
  th_soup_free(&soup);
  return done;
}

/* The measurements of a child of `work`; NAN when it failed. */
static run run_child(bool (*work)(const void *what, double *read), const void *what) {
  run result = {NAN, NAN, NAN};
  int pipes[2], status = 1;
  if (pipe(pipes) != 0) return result;
  fflush(NULL);
#ifdef __GLIBC__
  malloc_trim(0); /* memory freed by earlier cases is not the child's */
#endif
  pid_t child = fork();
  if (child == 0) {
    double said[2] = {0, 0}, start = th_bench_now();
    bool done = work(what, &said[0]);
    said[1] = th_bench_now() - start;
    _exit(done && write(pipes[1], said, sizeof said) == (ssize_t)sizeof said ? 0 : 1);
  }
  close(pipes[1]);
  double said[2];
  struct rusage used;
  bool told = child > 0 && read(pipes[0], said, sizeof said) == (ssize_t)sizeof said;
  if (child > 0 && wait4(child, &status, 0, &used) == child && status == 0 && told)
    result = (run){said[0], said[1], (double)used.ru_maxrss * 1024.0 / 1e6};
  close(pipes[0]);
  return result;
}

typedef struct files {
  const char *folder;
  uint32_t around, along;
} files;

static bool write_work(const void *what, double *read) {
  const files *f = what;
  (void)read;
  return write_files(f->folder, f->around, f->along);
}

static bool read_work(const void *what, double *read) { return read_and_trace(what, read); }

static void report(th_bench *bench, const char *size, const char *what, double value, const char *unit) {
  char name[64];
  snprintf(name, sizeof name, "mesh.scale.%s.%s", size, what);
  th_bench_report(bench, name, value, unit);
}

/* Time of the slower file [s]. */
static double bench_size(th_bench *bench, const char *size, const files *f) {
  static const char *const ending[2] = {"ply", "obj"};
  char path[256], what[32];
  run done[2];
  (void)run_child(write_work, f);
  for (int k = 0; k < 2; k++) {
    snprintf(path, sizeof path, "%s/torus.%s", f->folder, ending[k]);
    done[k] = run_child(read_work, path);
    unlink(path);
    snprintf(what, sizeof what, "read_%s_ms", ending[k]);
    report(bench, size, what, 1e3 * done[k].read, "ms");
    snprintf(what, sizeof what, "from_%s_s", ending[k]);
    report(bench, size, what, done[k].whole, "s");
  }
  const double slower = fmax(done[0].whole, done[1].whole);
  report(bench, size, "from_file_s", slower, "s");
  report(bench, size, "from_file_mb", fmax(done[0].peak, done[1].peak), "MB");
  return slower;
}

void th_bench_mesh_file(th_bench *bench);

void th_bench_mesh_file(th_bench *bench) {
  static const struct {
    const char *name;
    uint32_t around, along;
  } size[3] = {{"10k", 41, 123}, {"100k", 129, 387}, {"1M", 408, 1224}};
  char folder[] = "/tmp/throng_bench_XXXXXX";
  double whole[3] = {NAN, NAN, NAN};
  const char *growth = "mesh.scale.from_file_1M_over_100k";
  const bool grows = th_bench_wants(bench, growth);
  if (!th_bench_wants(bench, "mesh.scale") || !mkdtemp(folder)) return;
  for (int k = 0; k < 3; k++) {
    char name[32];
    snprintf(name, sizeof name, "mesh.scale.%s", size[k].name);
    if (!th_bench_wants(bench, name) && !(grows && k > 0)) continue;
    whole[k] = bench_size(bench, size[k].name, &(files){folder, size[k].around, size[k].along});
  }
  if (grows) th_bench_report(bench, growth, whole[2] / whole[1], "x");
  rmdir(folder);
}
