/* io/scene/ground.c - the ground of a scene.
 *
 * Areas become polygons of the flat def, an image or map is one of the files that the scene names. When the ground
 * refuses a shape, the error names that shape's position in the scene file. Cost: that of th_ground_make_flat.
 */
#include "ground/ground.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/json.h"
#include "io/markers/file.h"
#include "io/pack/files.h"
#include "io/scene/read.h"
#include "io/scene/world.h"

th_result th_scene_fail(const th_scene *scene, th_error *error, th_result code, const char *pointer, const char *format,
                        ...) {
  if (!error) return code;
  char text[sizeof error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  th_fail(error, code, scene->path, "%s: %s", pointer, text);
  th_json_text source = {scene->path, scene->text, strlen(scene->text)};
  char place[128];
  snprintf(place, sizeof place, "%s", pointer);
  char *end; /* a key with its default value stands in no file: what holds it does */
  while (!th_json_locate(&source, place, false, &error->line, &error->column) && (end = strrchr(place, '/'))) *end = 0;
  return code;
}

/* The lists of a def, made from the scene's areas in one block. */
typedef struct shapes {
  th_polygon *polygon; /* outlines, then obstacles */
  th_door *door;
  uint32_t polygon_count, door_count;
} shapes;

static th_polygon polygon_of(const th_scene_area *area) { return th_scene_polygon(area->name, &area->shape); }

static bool take_shapes(const th_env *env, const th_scene_ground *ground, shapes *s) {
  s->polygon_count = ground->outline_count + ground->obstacle_count;
  s->door_count = ground->door_count;
  s->polygon = TH_TAKE(&env->allocator, th_polygon, s->polygon_count);
  s->door = TH_TAKE(&env->allocator, th_door, s->door_count);
  if (!s->polygon || !s->door) return false;
  for (uint32_t i = 0; i < ground->outline_count; i++) s->polygon[i] = polygon_of(&ground->outline[i]);
  for (uint32_t i = 0; i < ground->obstacle_count; i++) {
    s->polygon[ground->outline_count + i] = polygon_of(&ground->obstacle[i]);
  }
  for (uint32_t i = 0; i < ground->door_count; i++) s->door[i].shape = polygon_of(&ground->door[i]); /* open */
  return true;
}

static void give_shapes(const th_env *env, shapes *s) {
  TH_GIVE(&env->allocator, s->polygon, s->polygon_count);
  TH_GIVE(&env->allocator, s->door, s->door_count);
}

th_result th_scene_retell(const th_scene *scene, const th_error *found, th_result code, const char *const place[][2],
                          th_error *error) {
  char pointer[64];
  uint32_t i = 0;
  while (place[i][0] && strcmp(found->where, place[i][0]) != 0) i++;
  if (place[i][0] && found->element != TH_NO_ELEMENT)
    snprintf(pointer, sizeof pointer, "/ground%s/%u", place[i][1], found->element);
  else
    snprintf(pointer, sizeof pointer, "/ground%s", place[i][1]);
  return th_scene_fail(scene, error, code, pointer, "%s", found->text);
}

static const char *const places[][2] = {
    {"outline", "/outline"}, {"obstacle", "/obstacles"},          {"door", "/doors"}, {"image", "/image"},
    {"cell", "/cell"},       {"radius_class", "/radius_classes"}, {NULL, ""}};

static th_result load_image(const th_scene *scene, const th_env *env, th_image_file *file, th_error *error) {
  const th_scene_image *image = &scene->ground.image;
  const char *name = image->file ? image->file : scene->ground.map;
  th_error found = {0};
  th_result result = scene->files->image(scene->files, env, name, file, &found);
  if (result != TH_OK) {
    const char *pointer = image->file ? "/ground/image/file" : "/ground/map";
    return th_scene_fail(scene, error, result, pointer, "%s: %s", found.where, found.text);
  }
  if (!image->file) return TH_OK;
  file->image.metres_per_pixel = image->metres_per_pixel;
  file->image.origin = image->origin;
  file->image.dark = (uint8_t)image->dark;
  return TH_OK;
}

static th_result make_flat(const th_scene *scene, const th_env *env, const th_image *image, th_ground **ground,
                           th_error *error) {
  const th_scene_ground *from = &scene->ground;
  shapes s;
  if (!take_shapes(env, from, &s)) {
    give_shapes(env, &s);
    return th_fail_memory(error, "ground");
  }
  th_flat_def def = from->def;
  def.env = *env;
  def.outline = s.polygon;
  def.outline_count = from->outline_count;
  def.obstacle = s.polygon + from->outline_count;
  def.obstacle_count = from->obstacle_count;
  def.door = s.door;
  def.door_count = from->door_count;
  def.image = image;
  def.markers = from->markers.def;
  th_error found = {0};
  th_result result = def.cell > 0.0f ? TH_OK : th_scene_fit_cell(&def, &def.cell, &found);
  for (uint32_t i = 0; i < s.door_count; i++) s.door[i].closed = from->door[i].closed;
  if (!result) result = th_ground_make_flat(&def, ground, &found);
  give_shapes(env, &s);
  return result == TH_OK ? TH_OK : th_scene_retell(scene, &found, result, places, error);
}

static th_result make_ground(const th_scene *scene, const th_env *env, th_ground **ground, th_error *error) {
  if (scene->ground.mesh) return th_scene_make_mesh_ground(scene, env, ground, error);
  if (!scene->ground.image.file && !scene->ground.map) return make_flat(scene, env, NULL, ground, error);
  th_image_file file;
  th_result result = load_image(scene, env, &file, error);
  if (result != TH_OK) return result;
  result = make_flat(scene, env, &file.image, ground, error);
  th_image_file_free(&file);
  return result;
}

/* A scene of a stranger must not choose where files appear: no other folder than its own, or one in it. Signs that mean
 * folders or drives on Windows are refused everywhere. */
static bool is_beside(const char *file) {
  if (*file == '/' || strpbrk(file, "\\:")) return false;
  for (const char *at = file; at; at = strchr(at, '/'), at = at ? at + 1 : NULL)
    if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2])) return false;
  return true;
}

static th_result fail_markers(const th_scene *scene, const th_error *found, th_error *error) {
  return th_scene_fail(scene, error, found->code, "/ground/markers", "%s: %s", found->where, found->text);
}

static th_result read_markers(const th_scene *scene, const th_ground *ground, th_error *error) {
  const th_files *files = scene->files;
  const char *name = scene->ground.markers.file;
  const th_markers *markers;
  char path[TH_FILE_PATH];
  th_file_bytes file;
  th_error found = {0};
  if (!is_beside(name))
    return th_scene_fail(scene, error, TH_ERROR_RANGE, "/ground/markers/file",
                         "expected a file beside the scene or in a folder there, found \"%s\"", name);
  if (!files->has(files, name)) return TH_OK;
  th_result result = th_files_path(files, name, path, &found);
  if (result == TH_OK) result = files->bytes(files, &ground->env, name, &file, &found);
  if (result != TH_OK) return fail_markers(scene, &found, error);
  result = th_markers_file_read(ground, &file, path, &markers, &found);
  th_file_unload(&ground->env.allocator, &file);
  return result ? fail_markers(scene, &found, error) : TH_OK;
}

/* Beside a scene, not into a pack. */
th_result th_scene_write_markers(const th_scene *scene, const th_ground *ground, th_error *error) {
  char path[TH_FILE_PATH];
  const th_markers *markers;
  const char *name = scene->ground.markers.file;
  th_error found = {0};
  if (!name || scene->files->pack || scene->files->has(scene->files, name)) return TH_OK;
  const th_markers_def def = th_ground_markers_def(ground);
  th_result result = th_ground_markers(ground, &def, 0, &markers, &found);
  if (!result) result = th_files_path(scene->files, name, path, &found);
  if (!result) result = th_markers_save(ground, markers, path, &found);
  return result ? fail_markers(scene, &found, error) : TH_OK;
}

th_result th_scene_ground_with(const th_scene *scene, const th_env *env, th_ground **ground, th_error *error) {
  *ground = NULL;
  th_result result = make_ground(scene, env, ground, error);
  if (result || !scene->ground.markers.file) return result;
  result = read_markers(scene, *ground, error);
  if (!result) return TH_OK;
  th_ground_release(*ground);
  *ground = NULL;
  return result;
}

th_result th_scene_make_ground(const th_scene *scene, th_ground **ground, th_error *error) {
  return th_scene_ground_with(scene, th_scene_memory_env(scene->memory), ground, error);
}
