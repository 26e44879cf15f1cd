/* lab/planarization/tables.c - the cost of maps and fields: tables 5.1 and 5.2 of the thesis, and
 * figure 5.8.
 *
 * There is one conformal map per face with its ring, as in the thesis' tests. Maps and fields are made one after the
 * other on one core; the thesis' times are means with a graphics card for the maps and all cores for the fields. The
 * memory of a field is the mean of what the allocator handed out for those that were made. The memory of the fields of
 * all vertices is that mean times the number of vertices, since few machines hold them at once.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "base/platform/pages.h"
#include "geometry/mesh/halfedge.h"
#include "lab/planarization/experiments.h"
#include "lab/planarization/lab.h"

#define NONE NAN

enum { FIELDS = 40 };

/* Mean faces of a ring by counting degrees: sum deg^2 / F - 5. */
static double ring_faces(const th_mesh *m) {
  double sum = 0.0;
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    const double degree = (double)th_mesh_vertex_neighbours(m, v, NULL, 0);
    sum += degree * degree;
  }
  return sum / m->face_count - 5.0;
}

th_result th_planar_sizes(th_lab *lab, th_error *error) {
  static const char *const name[TH_PLANAR_MESHES] = {"Stanford Bunny: faces of a map", "Heptoroid: faces of a map",
                                                     "Fertility: faces of a map", "Glob: faces of a map",
                                                     "Distorted sphere: faces of a map"};
  double off = 0.0, wrong = 0.0;
  for (int k = 0; k < TH_PLANAR_MESHES; k++) {
    const th_planar_mesh *mesh = &th_planar_meshes[k];
    th_ground *ground = NULL;
    th_planar_maps maps;
    th_result result = th_planar_mesh_ground(mesh, &ground, error);
    if (result == TH_OK) result = th_planar_maps_measure(NULL, ground, true, &maps, error);
    if (result != TH_OK) {
      th_ground_release(ground);
      return result;
    }
    const th_mesh *m = th_ground_mesh(ground);
    wrong += fabs(m->face_count - mesh->faces) + fabs(m->vertex_count - mesh->vertices);
    off = fmax(off, fabs(maps.faces - ring_faces(m)));
    th_lab_claim(lab, &(th_claim){name[k], "", maps.faces, mesh->map_faces - 0.6, mesh->map_faces + 0.6,
                                  mesh->map_faces, NONE, NULL});
    th_ground_release(ground);
  }
  th_lab_claim(lab, &(th_claim){"faces and vertices that differ from table 5.1", "", wrong, 0, 0, 0, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"largest difference from sum deg^2 / F - 5", "", off, 0, 0.05, NONE, NONE, NULL});
  return TH_OK;
}

/* An allocator that counts the bytes in use. */
static void *count_allocate(void *user, size_t size, size_t align) {
  void *memory = th_pages_take(size, align);
  if (memory) *(double *)user += (double)size;
  return memory;
}

static void count_release(void *user, void *memory, size_t size) {
  *(double *)user -= (double)size;
  th_pages_give(memory);
}

typedef struct field_cost {
  double used;      /* bytes in use, of the allocator */
  double ms, bytes; /* of a field */
  th_field *last;   /* one of them, for the figure */
} field_cost;

/* Makes fields to vertices all over the mesh and keeps them until all are there. */
static th_result fields(th_ground *ground, field_cost *cost, th_error *error) {
  const th_mesh *m = th_ground_mesh(ground);
  th_solver *solver = NULL;
  th_field *made[FIELDS + 1] = {NULL};
  const th_env env = {.allocator = {count_allocate, count_release, &cost->used}};
  th_result result = th_solver_make(&(th_solver_def){.env = env, .ground = ground}, &solver, error);
  double begin = 0.0, before = 0.0;
  for (uint32_t k = 0; k <= FIELDS && result == TH_OK; k++) { /* the first one makes the links, too */
    const double *p = m->xyz + 3 * (size_t)(k * (m->vertex_count / (FIELDS + 1)));
    th_vec2 at = {(float)p[0], (float)p[1]};
    float z = (float)p[2];
    th_field_def def = th_default_field_def();
    def.kind = TH_FIELD_EDGES;
    def.goal = th_point_shape_at((th_vec3){at.x, at.y, z});
    result = th_field_make(solver, &def, &made[k], error);
    if (k == 0) begin = th_clock_processor_seconds(), before = cost->used;
  }
  cost->ms = (th_clock_processor_seconds() - begin) / FIELDS * 1e3;
  cost->bytes = (cost->used - before) / FIELDS;
  for (uint32_t k = 0; k < FIELDS; k++) th_field_release(made[k]);
  cost->last = made[FIELDS];
  th_solver_release(solver);
  return result;
}

/* The surface coloured by distance, with its triangles. */
static th_result draw(th_lab *lab, const th_planar_mesh *mesh, const th_ground *ground, const th_field *field,
                      th_error *error) {
  char path[1024];
  uint32_t count;
  if (!th_planar_figure_path(lab, path, sizeof path)) return TH_OK;
  th_mesh_figure_def def = th_default_mesh_figure_def();
  def.width = 800;
  def.title = mesh->name;
  def.note = "a generated surface with the faces, vertices and genus of the thesis' model";
  def.mesh = th_ground_mesh(ground);
  def.value.vertex = th_field_lengths(field, &count);
  def.value.label = "distance along edges (mean edge 1 m)";
  def.edges = true;
  return th_mesh_figure_write(&def, path, error);
}

static void claim_cost(th_lab *lab, const th_planar_mesh *mesh, const th_planar_maps *maps, double ms, double bytes) {
  const double each = maps->bytes / maps->maps, gib = bytes * mesh->vertices / 1073741824.0;
  th_lab_claim(lab,
               &(th_claim){"time of a map", "ms", maps->seconds * 1e3 / maps->maps, 0, 0.02, mesh->map_ms, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"time of a field", "ms", ms, 0, 2.0 * mesh->field_ms, mesh->field_ms, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"memory of a field", "bytes/vertex", bytes / mesh->vertices, 4, 4.1, 4, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"memory of all fields", "GiB", gib, mesh->field_gb - 0.015, mesh->field_gb + 0.015,
                                mesh->field_gb, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){
               "memory of all maps", "MiB", maps->bytes / 1048576.0, 0, 400.0 * mesh->faces / 1048576.0, mesh->maps_mb,
               NONE, "a map is also the view of its agents: it keeps clusters, their distances and the walls around"});
  th_lab_claim(
      lab,
      &(th_claim){"bytes of a map", "bytes", each, 0, 400, 378.3, NONE,
                  "a map is also the view of its agents: it keeps clusters, their distances and the walls around"});
}

static th_result cost(th_lab *lab, const th_planar_mesh *mesh, th_error *error) {
  th_ground *ground = NULL;
  field_cost field = {0};
  th_planar_maps maps;
  lab->timed = true;
  th_result result = th_planar_mesh_ground(mesh, &ground, error);
  if (result == TH_OK) result = th_planar_maps_measure(NULL, ground, true, &maps, error);
  if (result == TH_OK) result = fields(ground, &field, error);
  if (result == TH_OK) claim_cost(lab, mesh, &maps, field.ms, field.bytes);
  if (result == TH_OK) result = draw(lab, mesh, ground, field.last, error);
  th_field_release(field.last);
  th_ground_release(ground);
  return result;
}

th_result th_planar_cost_bunny(th_lab *lab, th_error *error) { return cost(lab, &th_planar_meshes[0], error); }
th_result th_planar_cost_heptoroid(th_lab *lab, th_error *error) { return cost(lab, &th_planar_meshes[1], error); }
th_result th_planar_cost_fertility(th_lab *lab, th_error *error) { return cost(lab, &th_planar_meshes[2], error); }
th_result th_planar_cost_glob(th_lab *lab, th_error *error) { return cost(lab, &th_planar_meshes[3], error); }
th_result th_planar_cost_ball(th_lab *lab, th_error *error) { return cost(lab, &th_planar_meshes[4], error); }

/* ---------------------------------------------------------------- distortion */

/* The histogram as values for the bars: one for every thousandth of all triangles. */
static th_result draw_bars(th_lab *lab, const th_stretch_table *t, th_error *error) {
  static float value[1000];
  char path[1024];
  uint32_t count = 0;
  if (!th_planar_figure_path(lab, path, sizeof path)) return TH_OK;
  for (uint32_t b = 0; b < TH_STRETCH_BINS; b++) {
    const double share = (double)t->bin[b] * 1000.0 / (double)t->count;
    for (double n = 0.5; n < share && count < 1000; n += 1.0)
      value[count++] = (float)(TH_STRETCH_MIN + TH_STRETCH_BIN * b);
  }
  th_bars_figure_def def = th_default_bars_figure_def();
  def.title = "L2 of all triangles of all maps";
  def.note = "the five meshes together; each triangle counts once for each map that holds it";
  def.label = "L2";
  def.value = value;
  def.count = count;
  def.min = 0.795f;
  def.max = 1.205f;
  def.bars = TH_STRETCH_BINS;
  def.middle = 1.0f;
  return th_bars_figure_write(&def, path, error);
}

static void add(th_stretch_table *all, const th_stretch_table *one) {
  all->count += one->count;
  all->central += one->central;
  all->rim += one->rim;
  all->sum += one->sum;
  all->worst = fmax(all->worst, one->worst);
  all->central_off += one->central_off;
  all->rim_off += one->rim_off;
  for (uint32_t b = 0; b < TH_STRETCH_BINS; b++) all->bin[b] += one->bin[b];
}

th_result th_planar_stretch(th_lab *lab, th_error *error) {
  th_stretch_table all = {0};
  uint32_t top = 0;
  for (int k = 0; k < TH_PLANAR_MESHES; k++) {
    th_ground *ground = NULL;
    th_planar_maps maps = {0};
    th_result result = th_planar_mesh_ground(&th_planar_meshes[k], &ground, error);
    if (result == TH_OK) result = th_planar_maps_measure(NULL, ground, true, &maps, error);
    th_ground_release(ground);
    if (result != TH_OK) return result;
    add(&all, &maps.stretch);
  }
  for (uint32_t b = 1; b < TH_STRETCH_BINS; b++) top = all.bin[b] > all.bin[top] ? b : top;
  const double central = all.central_off / (double)all.central, rim = all.rim_off / (double)all.rim;
  th_lab_claim(
      lab, &(th_claim){"L2 that occurs most often", "", TH_STRETCH_MIN + TH_STRETCH_BIN * top, 0.99, 1.01, 1, 1, NULL});
  th_lab_claim(lab, &(th_claim){"share of triangles within 5 % of 1", "", th_stretch_share(&all, 0.05), 0.5, 1, NONE,
                                NONE, NULL});
  th_lab_claim(lab, &(th_claim){"|L2 - 1| of central triangles, mean", "", central, 0, rim, NONE, 0, NULL});
  th_lab_claim(lab,
               &(th_claim){"|L2 - 1| of the triangles around, mean", "", rim, central, INFINITY, NONE, NONE, NULL});
  return draw_bars(lab, &all, error);
}
