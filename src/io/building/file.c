/* io/building/file.c - buildings from files: from their description, or from the mesh that was made from it. Cost: that
 * of reading and building; a mesh file is read twice, for the triangles and for their marks. */
#include "base/platform/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "base/memory.h"
#include "io/building/read.h"
#include "throng/mesh_file.h"

static th_result fail_in(const th_json_text *source, const th_error *found, const char *pointer, th_error *error) {
  if (found->code == TH_ERROR_MEMORY) return th_fail_memory(error, source->name);
  th_fail(error, found->code, source->name, "%s: %s", *pointer ? pointer : "/", found->text);
  if (error) th_json_locate(source, pointer, false, &error->line, &error->column);
  return found->code;
}

static th_result make_text(const th_env *env, const th_json_text *source, json_t *root, th_building *building,
                           th_error *error) {
  th_scene_reader reader = {.source = source, .memory = th_scene_memory_make(env), .error = error};
  if (!reader.memory) return th_fail_memory(error, source->name);
  th_building_text *text = th_scene_memory_take(reader.memory, 1, th_building_table.size);
  th_result result = text ? th_read_object(&reader, &th_building_table, root, text) : th_reader_fail_memory(&reader);
  if (result == TH_OK) {
    char pointer[TH_JSON_POINTER];
    th_error found = {0};
    result = th_building_read_text(env, text, building, pointer, &found);
    if (result != TH_OK) fail_in(source, &found, pointer, error);
  }
  th_scene_memory_free(reader.memory);
  return result;
}

static th_result load_text(const th_env *env, const char *path, th_building *building, th_error *error) {
  th_json_file file;
  th_result result = th_json_load(env, path, &file, error);
  if (result != TH_OK) return result;
  th_json_text source = {path, file.text, file.length};
  json_t *root;
  result = th_json_parse(&source, &root, error);
  if (result == TH_OK) {
    result = make_text(env, &source, root, building, error);
    json_decref(root);
  }
  th_json_unload(env, &file);
  return result;
}

static th_result read_marks(const char *path, FILE *in, th_building *building, th_error *error) {
  const th_allocator *a = &building->allocator;
  long size = fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
  if (size < 0 || fseek(in, 0, SEEK_SET) != 0)
    return th_fail(error, TH_ERROR_FILE, path, "expected a file with a size: %s", strerror(errno));
  char *text = TH_TAKE(a, char, (size_t)size);
  if (!text) return th_fail_memory(error, path);
  th_result result = fread(text, 1, (size_t)size, in) == (size_t)size
                         ? th_marks_read(path, text, (size_t)size, building, error)
                         : th_fail(error, TH_ERROR_FILE, path, "expected %ld bytes, found fewer", size);
  TH_GIVE(a, text, (size_t)size);
  return result;
}

th_result th_building_load(const th_mesh_def *def, const th_mesh_axes *axes, const char *path, th_building *building,
                           th_error *error) {
  const th_env env = th_env_complete(&def->env);
  const char *dot = strrchr(path, '.');
  *building = (th_building){.allocator = env.allocator};
  if (dot && th_letters_same(dot, ".json")) return load_text(&env, path, building, error);
  th_result result = th_mesh_load(def, axes, path, &building->mesh, error);
  if (result != TH_OK) return result;
  FILE *in = th_file_open(path, error);
  result = in ? read_marks(path, in, building, error) : TH_ERROR_FILE;
  if (in) fclose(in);
  if (result != TH_OK) th_building_free(building);
  return result;
}
