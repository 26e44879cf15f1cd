/* apps/throng/convert.c - `throng convert`: recording to CSV and back, meshes to OBJ and PLY, by file name
 * extension. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/file.h"
#include "cli.h"
#include "throng/mesh_file.h"
#include "throng/param.h"

static bool is_recording(const char *path) { return th_cli_ends(path, ".sqlite") || th_cli_ends(path, ".db"); }

static bool is_mesh(const char *path) { return th_cli_ends(path, ".obj") || th_cli_ends(path, ".ply"); }

/* A recording stays what it is: a copy keeps events, shapes and the scene. */
static int copy_recording(const th_options *options, const char *from, const char *to) {
  th_recording_info info;
  th_error error = {0};
  th_result result = th_recording_read_info(from, &info, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  result = th_recording_copy(from, to, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_output_code(result));
  if (!options->quiet)
    printf("%s: %llu agents, %llu places\n", to, (unsigned long long)info.agents, (unsigned long long)info.rows);
  return TH_EXIT_OK;
}

static int convert_tracks(const th_options *options, const char *from, const char *to) {
  th_tracks tracks;
  th_error error = {0};
  th_result result = th_cli_tracks(from, &tracks, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  if (options->trace && !th_cli_ends(to, ".csv")) {
    th_tracks_free(&tracks);
    return th_cli_usage("convert", "--trace: expected a name that ends in .csv, found \"%s\"", to);
  }
  if (options->trace)
    result = th_csv_write_traces(&tracks, to, &error);
  else
    result = th_cli_ends(to, ".csv") ? th_csv_write(&tracks, to, &error) : th_tracks_record(&tracks, to, &error);
  uint32_t agents = tracks.track_count, samples = tracks.sample_count;
  th_tracks_free(&tracks);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_output_code(result));
  if (!options->quiet) printf("%s: %u agents, %u places\n", to, agents, samples);
  return TH_EXIT_OK;
}

/* ---------------------------------------------------------------- meshes */

/* "planet" or "planet,radius=20,level=4" */
static th_result make_shape(const char *text, th_mesh *mesh, th_error *error) {
  char copy[400];
  uint32_t count;
  const th_param *table = th_make_table(&count);
  th_make_params params = th_default_make_params();
  if (snprintf(copy, sizeof copy, "shape=%s", text) >= (int)sizeof copy)
    return th_fail(error, TH_ERROR_FORMAT, "make", "expected fewer parameters");
  for (char *at = copy, *next; at; at = next) {
    next = strchr(at, ',');
    if (next) *next++ = 0;
    char *value = strchr(at, '=');
    if (!value) return th_fail(error, TH_ERROR_FORMAT, "make", "expected NAME=VALUE, found \"%s\"", at);
    *value++ = 0;
    th_result result = th_param_set(table, count, &params, at, value, error);
    if (result != TH_OK) return result;
  }
  return th_mesh_generate(&params, mesh, error);
}

/* A copy of a mesh that belongs to something else. */
static th_result copy_mesh(const th_mesh *from, th_mesh *mesh, th_error *error) {
  th_mesh_def def = th_default_mesh_def();
  def.xyz_double = from->xyz;
  def.corner = from->corner;
  def.vertex_count = from->vertex_count;
  def.face_count = from->face_count;
  def.weld = -1;
  return th_mesh_build(&def, mesh, error);
}

static th_result recorded_mesh(const char *from, th_mesh *mesh, th_error *error) {
  th_tracks tracks;
  th_result result = th_recording_read(&(th_tracks_def){.path = from}, &tracks, error);
  if (result != TH_OK) return result;
  result = tracks.mesh_count ? copy_mesh(&tracks.mesh[tracks.mesh_count - 1].mesh, mesh, error)
                             : th_fail(error, TH_ERROR_STATE, from, "expected a recording of mesh ground");
  th_tracks_free(&tracks);
  return result;
}

/* ---------------------------------------------------------------- buildings */

static th_result scene_building(const th_options *options, const char *from, th_building *building, th_error *error) {
  th_scene *scene;
  th_result result = th_cli_scene(options, from, &scene, error);
  if (result != TH_OK) return result;
  result = th_scene_make_building(scene, building, error);
  th_scene_free(scene);
  return result;
}

static void tell_mended(const th_options *options, const th_mesh *mesh, const char *from) {
  char text[TH_MEND_ROOM];
  for (int kind = 0; kind < TH_MESH_NOTES && !options->quiet; kind++)
    if (th_cli_mended(mesh, (th_mesh_note_kind)kind, text)) fprintf(stderr, "throng: %s: warning: %s\n", from, text);
}

/* Faces keep level, terrain and speed. */
static int convert_building(const th_options *options, const char *from, const char *to) {
  th_building building;
  th_error error = {0};
  th_mesh_def def = th_default_mesh_def();
  const bool scene = th_cli_ends(from, ".pack") || (th_cli_ends(from, ".json") && !th_cli_is_building(from));
  th_result result =
      scene ? scene_building(options, from, &building, &error) : th_building_load(&def, NULL, from, &building, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  tell_mended(options, &building.mesh, from);
  bool marked = building.terrain_count > 1 || building.pieces;
  for (uint32_t f = 0; f < building.face_count && !marked; f++) marked = building.level_of[f] != 0;
  result = marked ? th_building_save(&building, to, &error) : th_mesh_save(&building.mesh, to, &error);
  uint32_t vertices = building.mesh.vertex_count, faces = building.mesh.face_count, terrains = building.terrain_count;
  th_building_free(&building);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_output_code(result));
  if (!options->quiet && marked) printf("%s: %u vertices, %u faces, %u terrains\n", to, vertices, faces, terrains);
  if (!options->quiet && !marked) printf("%s: %u vertices, %u faces\n", to, vertices, faces);
  return TH_EXIT_OK;
}

/* ---------------------------------------------------------------- other meshes */

static th_result find_mesh(const char *from, th_mesh *mesh, th_error *error) {
  static const char *const ending[] = {".stl", ".gltf", ".glb"};
  th_mesh_def def = th_default_mesh_def();
  for (int k = 0; k < 3; k++)
    if (th_cli_ends(from, ending[k])) return th_mesh_load(&def, NULL, from, mesh, error);
  return is_recording(from) ? recorded_mesh(from, mesh, error) : make_shape(from, mesh, error);
}

static int convert_mesh(const th_options *options, const char *from, const char *to) {
  th_mesh mesh = {0};
  th_error error = {0};
  th_result result = find_mesh(from, &mesh, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  tell_mended(options, &mesh, from);
  result = th_mesh_save(&mesh, to, &error);
  uint32_t vertices = mesh.vertex_count, faces = mesh.face_count;
  th_mesh_free(&mesh);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_output_code(result));
  if (!options->quiet) printf("%s: %u vertices, %u faces\n", to, vertices, faces);
  return TH_EXIT_OK;
}

int th_command_convert(const th_options *options) {
  const char *from = options->argument[0], *to = options->argument[1];
  if (th_file_same(from, to)) return th_cli_usage("convert", "expected two files, found \"%s\" twice", from);
  if (is_mesh(to) && (is_mesh(from) || th_cli_ends(from, ".json") || th_cli_ends(from, ".pack")))
    return convert_building(options, from, to);
  if (is_mesh(to)) return convert_mesh(options, from, to);
  if (is_recording(from) && is_recording(to)) return copy_recording(options, from, to);
  if (th_cli_ends(to, ".csv") || is_recording(to)) return convert_tracks(options, from, to);
  if (th_cli_ends(to, ".json")) return th_cli_plan_convert(options);
  return th_cli_usage("convert", "expected a name that ends in .sqlite, .db, .csv, .obj, .ply or .json, found \"%s\"",
                      to);
}
