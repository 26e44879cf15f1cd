/* apps/throng/ground_info.c - what `throng info` says of grounds, mesh files and buildings: kind, size, parts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli.h"
#include "throng/mesh_file.h"

enum { MAX_LEVELS = 64 };

/* [m2] */
static double area_of(const th_mesh *mesh, uint32_t face) {
  const double *p[3];
  double a[3], b[3];
  for (uint32_t k = 0; k < 3; k++) p[k] = mesh->xyz + 3 * (size_t)mesh->corner[3 * (size_t)face + k];
  for (int k = 0; k < 3; k++) a[k] = p[1][k] - p[0][k], b[k] = p[2][k] - p[0][k];
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  return 0.5 * sqrt(x * x + y * y + z * z);
}

bool th_cli_mended(const th_mesh *mesh, th_mesh_note_kind kind, char text[TH_MEND_ROOM]) {
  static const char *const what[TH_MESH_NOTES] = {
      [TH_MESH_UNUSED] = "vertices without a face were dropped",
      [TH_MESH_DEGENERATE] = "triangles without an area were dropped",
      [TH_MESH_DUPLICATE] = "triangles that were there twice were dropped",
      [TH_MESH_CROWDED] = "triangles that were the third on an edge were dropped (drop_crowded)",
      [TH_MESH_TURNED] = "triangles were turned over",
      [TH_MESH_PARTED] = "vertices that joined two surfaces were parted"};
  uint32_t i = 0;
  while (i < mesh->note_count && mesh->note[i].kind != kind) i++;
  if (i == mesh->note_count || !what[kind]) return false;
  const th_vec3 at = mesh->note[i].at;
  snprintf(text, TH_MEND_ROOM, "%s: %u, the first at %.5g, %.5g, %.5g", what[kind], mesh->count[kind], (double)at.x,
           (double)at.y, (double)at.z);
  return true;
}

static json_t *mended_json(const th_mesh *mesh) {
  json_t *list = json_array();
  char text[TH_MEND_ROOM];
  for (int kind = 0; kind < TH_MESH_NOTES; kind++)
    if (th_cli_mended(mesh, (th_mesh_note_kind)kind, text)) json_array_append_new(list, json_string(text));
  return list;
}

/* Counts, size and shape of a mesh; `blocked` may be NULL. */
static json_t *mesh_json(const th_mesh *mesh, const uint8_t *blocked) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, area = 0.0;
  uint32_t closed = 0, genus = 0, borders = 0;
  int32_t euler = 0;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    for (size_t k = 0; k < 3; k++) {
      low[k] = fmin(low[k], mesh->xyz[3 * v + k]);
      high[k] = fmax(high[k], mesh->xyz[3 * v + k]);
    }
  for (uint32_t f = 0; f < mesh->face_count; f++) {
    closed += blocked && blocked[f];
    if (!blocked || !blocked[f]) area += area_of(mesh, f);
  }
  json_t *row = json_pack("{s:s, s:f, s:i, s:i, s:i, s:[f, f, f], s:[f, f, f]}", "kind", "mesh", "area", area,
                          "vertices", (int)mesh->vertex_count, "faces", (int)mesh->face_count, "blocked", (int)closed,
                          "lower", low[0], low[1], low[2], "upper", high[0], high[1], high[2]);
  json_t *mended = mended_json(mesh);
  if (json_array_size(mended)) json_object_set(row, "mended", mended);
  json_decref(mended);
  th_mesh_pieces pieces;
  if (th_mesh_pieces_make(mesh, &pieces, NULL) != TH_OK) return row;
  for (uint32_t i = 0; i < pieces.count; i++) {
    euler += pieces.piece[i].euler;
    genus += pieces.piece[i].genus;
    borders += pieces.piece[i].borders;
  }
  json_object_update_new(row, json_pack("{s:i, s:i, s:i, s:i}", "pieces", (int)pieces.count, "euler", (int)euler,
                                        "genus", (int)genus, "borders", (int)borders));
  th_mesh_pieces_free(mesh, &pieces);
  return row;
}

/* The numbers of levels, ascending; nothing when all is on one. */
static void add_levels(json_t *row, const int32_t *level, uint32_t count) {
  int32_t found[MAX_LEVELS];
  uint32_t levels = 0;
  for (uint32_t f = 0; f < count; f++) {
    uint32_t at = 0;
    while (at < levels && found[at] < level[f]) at++;
    if ((at < levels && found[at] == level[f]) || levels == MAX_LEVELS) continue;
    memmove(found + at + 1, found + at, (levels - at) * sizeof *found);
    found[at] = level[f];
    levels++;
  }
  if (levels < 2) return;
  json_t *list = json_array();
  for (uint32_t i = 0; i < levels; i++) json_array_append_new(list, json_integer(found[i]));
  json_object_set_new(row, "levels", list);
}

static json_t *flat_json(const th_ground *ground) {
  const th_raster raster = th_ground_clearance_raster(ground);
  const size_t cells = (size_t)raster.width * raster.height;
  size_t free_cells = 0;
  uint32_t walls;
  th_vec2 lower, upper;
  for (size_t i = 0; i < cells; i++) free_cells += raster.sample[i] > 0.0f;
  th_ground_bounds(ground, &lower, &upper);
  (void)th_ground_walls(ground, &walls);
  const double cell = (double)raster.cell;
  return json_pack("{s:s, s:f, s:[f, f], s:[f, f], s:f, s:[i, i], s:i}", "kind", "flat", "area",
                   (double)free_cells * cell * cell, "lower", (double)lower.x, (double)lower.y, "upper",
                   (double)upper.x, (double)upper.y, "cell", cell, "cells", (int)raster.width, (int)raster.height,
                   "walls", (int)walls);
}

json_t *th_cli_ground_info(const th_ground *ground) {
  const th_mesh *mesh = th_ground_mesh(ground);
  if (!mesh) return flat_json(ground);
  json_t *row = mesh_json(mesh, th_ground_blocked_faces(ground));
  int32_t *level = calloc(mesh->face_count + 1u, sizeof *level);
  for (uint32_t f = 0; level && f < mesh->face_count; f++) level[f] = th_ground_level(ground, f);
  if (level) add_levels(row, level, mesh->face_count);
  free(level);
  return row;
}

bool th_cli_is_building(const char *path) {
  json_t *root = json_load_file(path, 0, NULL);
  bool found = json_object_get(root, "levels") != NULL;
  json_decref(root);
  return found;
}

bool th_cli_is_mesh(const char *path) {
  static const char *const ending[] = {".obj", ".ply", ".stl", ".gltf", ".glb"};
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
    if (th_cli_ends(path, ending[i])) return true;
  return false;
}

json_t *th_cli_mesh_info(const char *path, th_error *error) {
  th_building building;
  th_mesh_def def = th_default_mesh_def();
  if (th_building_load(&def, NULL, path, &building, error) != TH_OK) return NULL;
  json_t *row = json_pack("{s:s}", "file", path);
  json_object_update_new(row, mesh_json(&building.mesh, NULL));
  if (th_cli_ends(path, ".json")) json_object_set_new(row, "kind", json_string("building"));
  json_t *terrains = json_array();
  for (uint32_t i = 0; i < building.terrain_count; i++)
    json_array_append_new(terrains, json_string(building.terrain[i].name));
  json_object_set_new(row, "terrains", terrains);
  add_levels(row, building.level_of, building.face_count);
  th_building_free(&building);
  return row;
}
