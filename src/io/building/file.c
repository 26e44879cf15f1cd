/* io/building/file.c - buildings from files: from their description, or from the mesh that was made from it. Cost: that
 * of reading and building; a mesh file is read twice, for the triangles and for their marks. */
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "base/memory.h"
#include "io/building/read.h"
#include "io/pack/files.h"
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

static th_result parse(const th_env *env, const char *where, const th_file_bytes *file, th_building *building,
                       th_error *error) {
  th_json_text source = {where, (const char *)file->bytes, file->size};
  json_t *root;
  th_json_skip_mark(&source);
  if (source.length > TH_JSON_MAX_BYTES)
    return th_fail(error, TH_ERROR_CAPACITY, where, "expected a text of at most %zu MB, found %zu MB",
                   TH_JSON_MAX_BYTES >> 20, source.length >> 20);
  th_result result = th_json_parse(&source, &root, error);
  if (result != TH_OK) return result;
  result = make_text(env, &source, root, building, error);
  json_decref(root);
  return result;
}

static th_result fetch_text(const th_files *files, const th_env *env, const char *name, th_building *building,
                            th_error *error) {
  char path[TH_FILE_PATH];
  th_file_bytes file;
  th_result result = th_files_path(files, name, path, error);
  if (result == TH_OK) result = files->bytes(files, env, name, &file, error);
  if (result != TH_OK) return result;
  result = parse(env, path, &file, building, error);
  th_file_unload(&env->allocator, &file);
  return result;
}

bool th_building_file_is_text(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && th_letters_same(dot, ".json");
}

static th_result build(void *user, const th_mesh_def *def, th_error *error) { return th_mesh_build(def, user, error); }

static th_result fetch_marks(const th_files *files, const th_env *env, const char *name, th_building *building,
                             th_error *error) {
  char path[TH_FILE_PATH];
  th_marks marks;
  th_result result = th_files_path(files, name, path, error);
  if (result != TH_OK) return result;
  result = files->marks(files, env, name, &marks, error);
  if (result == TH_OK) result = th_marks_keep(path, &marks, building, error);
  th_marks_free(&marks);
  return result;
}

th_result th_building_file_fetch(const th_files *files, const th_mesh_def *def, const th_mesh_axes *axes,
                                 const char *name, th_building *building, th_error *error) {
  const th_env env = th_env_complete(&def->env);
  *building = (th_building){.allocator = env.allocator};
  if (th_building_file_is_text(name)) return fetch_text(files, &env, name, building, error);
  th_result result = files->triangles(files, def, axes, name, &(th_mesh_use){build, &building->mesh}, error);
  if (result == TH_OK) result = fetch_marks(files, &env, name, building, error);
  if (result != TH_OK) th_building_free(building);
  return result;
}

th_result th_building_load(const th_mesh_def *def, const th_mesh_axes *axes, const char *path, th_building *building,
                           th_error *error) {
  const th_files disk = th_files_of_disk(NULL);
  return th_building_file_fetch(&disk, def, axes, path, building, error);
}
