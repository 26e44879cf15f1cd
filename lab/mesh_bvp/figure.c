/* lab/mesh_bvp/figure.c - figures of the experiments with 3DS-BVP, in the thesis' colours:
 * potential from green to red, frontiers yellow, paths on the surface blue, paths of the flat planner white. */
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli.h"
#include "lab/mesh_bvp/lab.h"

typedef struct drawing {
  th_allocator allocator;
  float *value;
  uint8_t *cell;
  th_vec3 *point;
  uint32_t points;
  th_mesh_figure_line line[TH_MESH_LAB_MAX_LINES];
  uint32_t lines;
} drawing;

static void release(drawing *d, uint32_t vertices) {
  TH_GIVE(&d->allocator, d->value, vertices);
  TH_GIVE(&d->allocator, d->cell, vertices);
  TH_GIVE(&d->allocator, d->point, d->points);
}

static bool prepare(drawing *d, const th_mesh_lab *s, const th_mesh_lab_figure *sheet) {
  const uint32_t vertices = s->mesh.vertex_count;
  for (uint32_t k = 0; k < sheet->paths; k++) d->points += sheet->path[k].count;
  d->value = TH_TAKE(&d->allocator, float, vertices);
  d->cell = TH_TAKE(&d->allocator, uint8_t, vertices);
  d->point = TH_TAKE(&d->allocator, th_vec3, d->points);
  if (!d->value || !d->cell || !d->point) return false;
  for (uint32_t v = 0; v < vertices; v++) {
    d->value[v] = (float)th_mesh_relax_p(s->relax, v);
    d->cell[v] = s->tile[v] == TH_TILE_WALL   ? TH_FIGURE_CELL_OCCUPIED
                 : s->tile[v] == TH_TILE_GOAL ? TH_FIGURE_CELL_GOAL
                                              : TH_FIGURE_CELL_FREE;
  }
  return true;
}

/* Paths of the flat planner first, so that ours lie on top. */
static void add_lines(drawing *d, const th_mesh_lab_figure *sheet) {
  th_vec3 *at = d->point;
  for (uint32_t k = 0; k < sheet->lines && d->lines < TH_MESH_LAB_MAX_LINES; k++) d->line[d->lines++] = sheet->line[k];
  for (uint32_t k = 0; k < sheet->paths && d->lines < TH_MESH_LAB_MAX_LINES; k++) {
    const th_mesh_height_path *p = &sheet->path[k];
    d->line[d->lines++] = (th_mesh_figure_line){TH_MESH_FIGURE_PATH, at, p->count, 0};
    for (uint32_t n = 0; n < p->count; n++, at++)
      *at = (th_vec3){(float)p->point[n].xyz[0], (float)p->point[n].xyz[1], (float)p->point[n].xyz[2]};
  }
}

th_result th_mesh_lab_draw(th_lab *lab, const th_mesh_lab *s, const th_mesh_lab_figure *sheet, th_error *error) {
  if (!lab->folder) return TH_OK;
  char path[1024];
  drawing d = {.allocator = s->mesh.allocator};
  snprintf(lab->figure, sizeof lab->figure, "%s.png", lab->id);
  th_cli_join(path, sizeof path, lab->folder, lab->figure);
  th_result result = prepare(&d, s, sheet) ? TH_OK : th_fail_memory(error, "figure");
  if (result == TH_OK) {
    th_mesh_figure_def def = th_default_mesh_figure_def();
    add_lines(&d, sheet);
    def.width = sheet->cameras > 1 ? 1000 : 620;
    def.title = sheet->title;
    def.note = sheet->note;
    def.mesh = &s->mesh;
    def.cell = d.cell;
    def.value = (th_mesh_figure_value){
        .vertex = d.value, .label = "p", .min = 0, .max = 1, .middle = NAN, .isolines = TH_ISOLINES_NONE};
    def.colours = TH_MESH_FIGURE_THESIS;
    def.edges = sheet->edges;
    def.gradients = sheet->gradients;
    def.line = d.line;
    def.line_count = d.lines;
    def.camera = sheet->camera;
    def.camera_count = sheet->cameras;
    result = th_mesh_figure_write(&def, path, error);
  }
  release(&d, s->mesh.vertex_count);
  return result;
}
