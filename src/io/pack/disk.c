/* io/pack/disk.c - the files that a scene names, from the disk: each by the reader of its format. */
#include <stdio.h>

#include "base/error.h"
#include "base/platform/file.h"
#include "base/platform/path.h"
#include "io/markers/file.h"
#include "io/pack/files.h"

th_result th_files_path(const th_files *files, const char *name, char path[TH_FILE_PATH], th_error *error) {
  const bool alone = th_path_is_absolute(name) || !files->folder;
  const int length = snprintf(path, TH_FILE_PATH, "%s%s%s", alone ? "" : files->folder, alone ? "" : "/", name);
  if (length >= 0 && length < TH_FILE_PATH) return TH_OK;
  return th_fail(error, TH_ERROR_FILE, name, "expected a path below %d bytes, found %d", TH_FILE_PATH, length);
}

/* A link that leads nowhere is there, too: nothing is written through it. */
static bool has(const th_files *files, const char *name) {
  char path[TH_FILE_PATH];
  return th_files_path(files, name, path, NULL) == TH_OK && th_file_name_taken(path);
}

static th_result bytes(const th_files *files, const th_env *env, const char *name, th_file_bytes *file,
                       th_error *error) {
  char path[TH_FILE_PATH];
  th_result result = th_files_path(files, name, path, error);
  return result ? result : th_file_load(&env->allocator, path, TH_MARKERS_BYTES, file, error);
}

static th_result image(const th_files *files, const th_env *env, const char *name, th_image_file *file,
                       th_error *error) {
  char path[TH_FILE_PATH];
  th_result result = th_files_path(files, name, path, error);
  if (result) return result;
  th_error found = {0};
  result = th_image_read(&(th_image_def){.env = *env, .path = path}, file, &found);
  return result ? th_fail(error, result, path, "%s", found.text) : TH_OK;
}

static th_result triangles(const th_files *files, const th_mesh_def *def, const th_mesh_axes *axes, const char *name,
                           const th_mesh_use *use, th_error *error) {
  char path[TH_FILE_PATH];
  th_result result = th_files_path(files, name, path, error);
  return result ? result : th_mesh_read_file(def, axes, path, use, error);
}

static th_result marks(const th_files *files, const th_env *env, const char *name, th_marks *found, th_error *error) {
  char path[TH_FILE_PATH];
  th_file_bytes file;
  *found = (th_marks){.allocator = env->allocator};
  th_result result = th_files_path(files, name, path, error);
  if (result == TH_OK) result = th_file_load(&env->allocator, path, SIZE_MAX, &file, error);
  if (result != TH_OK) return result;
  result = th_marks_read(path, &file, &env->allocator, found, error);
  th_file_unload(&env->allocator, &file);
  return result;
}

th_files th_files_of_disk(const char *folder) {
  return (th_files){
      .folder = folder, .has = has, .bytes = bytes, .image = image, .triangles = triangles, .marks = marks};
}
