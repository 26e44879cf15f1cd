/* io/scene/write/paths.c - names of files beside a scene, as they are from another folder.
 *
 * Both folders are made absolute, without links and "..", and the longest common beginning is replaced by "..". A name
 * that is absolute stays, as an address of the web does; so does every name when the folder does not change. Cost: a
 * few calls of the system per name.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/scene/write/write.h"

/* Cuts a path behind its folder and gives what follows: "a/b.png" becomes "a" and "b.png". */
static const char *split(char *path) {
  char *slash = strrchr(path, '/');
  if (!slash) return NULL;
  *slash = 0;
  return slash + 1;
}

static bool folder_of(const char *file, char folder[PATH_MAX]) {
  char copy[PATH_MAX];
  if (snprintf(copy, sizeof copy, "%s", file) >= (int)sizeof copy) return false;
  const char *name = split(copy);
  return realpath(name ? (*copy ? copy : "/") : ".", folder) != NULL;
}

/* "../../maps/" from folder `from` to folder `to`, both absolute. */
static bool steps_between(const char *from, const char *to, char steps[PATH_MAX]) {
  size_t same = 0, used = 0;
  while (from[same] && from[same] == to[same]) same++;
  const bool whole = (!from[same] || from[same] == '/') && (!to[same] || to[same] == '/');
  while (!whole && same && from[same] != '/') same--; /* to the end of a name that both have */
  *steps = 0;
  for (const char *at = from + same; *at && used < PATH_MAX; at++)
    if (*at == '/' && at[1]) used += (size_t)snprintf(steps + used, PATH_MAX - used, "../");
  to += same;
  while (*to == '/') to++;
  if (*to && used < PATH_MAX) used += (size_t)snprintf(steps + used, PATH_MAX - used, "%s/", to);
  return used < PATH_MAX;
}

/* Whether the file that is written lies in the folder of the scene. */
static bool stays(const th_scene_writer *writer) {
  char from[PATH_MAX], to[PATH_MAX];
  return !writer->path || (folder_of(writer->path, from) && realpath(writer->scene->folder, to) && !strcmp(from, to));
}

/* The folder that a file of the scene is in, and its name there; of a folder that does not exist (yet) the scene's. */
static bool find(const th_scene *scene, const char *file, char folder[PATH_MAX], const char **name) {
  char whole[PATH_MAX];
  const char *slash = strrchr(file, '/');
  if (snprintf(whole, sizeof whole, "%s/%s", scene->folder, file) >= (int)sizeof whole) return false;
  *name = slash ? slash + 1 : file;
  if (folder_of(whole, folder)) return true;
  *name = file;
  return realpath(scene->folder, folder) != NULL;
}

void th_write_path(th_scene_writer *writer, const char *file) {
  char from[PATH_MAX], to[PATH_MAX], steps[PATH_MAX], text[2 * PATH_MAX];
  const char *name;
  if (*file == '/' || strstr(file, "://") || stays(writer)) {
    th_write_value_text(writer, file);
    return;
  }
  if (!folder_of(writer->path, from) || !find(writer->scene, file, to, &name) || !steps_between(from, to, steps)) {
    th_write_object_fail(writer, TH_ERROR_FILE, file,
                         "expected the folders of this scene and of the new one, found none");
    return;
  }
  snprintf(text, sizeof text, "%s%s", steps, name);
  th_write_value_text(writer, text);
}
