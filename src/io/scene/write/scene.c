/* io/scene/write/scene.c - a scene as the text of a file, and into a file.
 *
 * The scene is written in one line by its tables and then laid out. A file is written beside its place and moved there
 * when it is complete, so that a full disk leaves what was there; a file that is there already is replaced only when
 * that is asked for. Cost: linear in the text.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/file.h"
#include "io/json.h"
#include "io/scene/read.h"
#include "io/scene/write/write.h"

th_scene_write_def th_default_scene_write_def(void) { return (th_scene_write_def){0}; }

th_result th_write_scene_text(th_scene_writer *writer, const th_scene *scene, char **text) {
  const th_allocator allocator = writer->text.allocator;
  th_text laid = {.allocator = allocator};
  th_write_object(writer, &th_scene_table, scene);
  if (!writer->text.failed) th_json_layout(&laid, writer->text.text);
  laid.failed |= writer->text.failed || writer->result != TH_OK;
  *text = th_text_finish(&laid);
  th_give(&allocator, writer->text.text, writer->text.capacity, 1);
  if (*text) return TH_OK;
  return writer->result != TH_OK ? writer->result : th_fail_memory(writer->error, scene->path);
}

th_result th_scene_write(const th_scene *scene, const th_scene_write_def *def, char **text, th_error *error) {
  th_scene_writer writer = {.text.allocator = th_scene_memory_env(scene->memory)->allocator,
                            .scene = scene,
                            .path = def->path,
                            .planner = def->planner,
                            .error = error};
  return th_write_scene_text(&writer, scene, text);
}

static th_result fail_file(const char *path, th_error *error) {
  return th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
}

static th_result fail_there(const char *path, th_error *error) {
  return th_fail(error, TH_ERROR_FILE, path, "expected a new file, found one that is there already");
}

static th_result put_there(const char *part, const th_scene_write_def *def, th_error *error) {
  if (def->replace ? th_file_rename(part, def->path) : th_file_rename_new(part, def->path)) return TH_OK;
  return !def->replace && errno == EEXIST ? fail_there(def->path, error) : fail_file(def->path, error);
}

th_result th_write_scene_file(const th_scene_write_def *def, const char *text, th_error *error) {
  char part[1100];
  if (!def->path) return th_fail(error, TH_ERROR_STATE, "scene", "expected a path to write to, found none");
  if (!def->replace && th_file_name_taken(def->path)) return fail_there(def->path, error);
  if (snprintf(part, sizeof part, "%s.part", def->path) >= (int)sizeof part)
    return th_fail(error, TH_ERROR_FILE, def->path, "expected a shorter path");
  FILE *file = th_file_fresh(part);
  if (!file) return fail_file(def->path, error);
  bool good = fputs(text, file) >= 0;
  good = (fclose(file) == 0) && good;
  const th_result result = good ? put_there(part, def, error) : fail_file(def->path, error);
  if (result != TH_OK) th_file_remove(part);
  return result;
}

th_result th_scene_save(const th_scene *scene, const th_scene_write_def *def, th_error *error) {
  char *text;
  th_result result = th_scene_write(scene, def, &text, error);
  if (result == TH_OK) result = th_write_scene_file(def, text, error);
  th_text_free(text);
  return result;
}
