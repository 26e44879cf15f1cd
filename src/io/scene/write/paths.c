/* io/scene/write/paths.c - names of files beside a scene, as they are from another folder.
 *
 * Both folders are made absolute, without links and "..", and the longest common beginning is replaced by "..". A name
 * that is absolute stays, as an address of the web does; so does every name when the folder does not change. Cost: a
 * few calls of the system per name.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/file.h"
#include "base/platform/path.h"
#include "io/pack/files.h"
#include "io/scene/write/write.h"

/* Cuts a path behind its folder and gives what follows: "a/b.png" becomes "a" and "b.png". */
static const char *split(char *path) {
  const char *slash = th_path_last_separator(path);
  if (!slash) return NULL;
  path[slash - path] = 0;
  return slash + 1;
}

static bool folder_of(const char *file, char folder[TH_PATH_ROOM]) {
  char copy[TH_PATH_ROOM];
  if (snprintf(copy, sizeof copy, "%s", file) >= (int)sizeof copy) return false;
  const char *name = split(copy);
  return th_file_real_path(name ? (*copy ? copy : "/") : ".", folder);
}

/* "../../maps/" from folder `from` to folder `to`, both absolute. */
static bool steps_between(const char *from, const char *to, char steps[TH_PATH_ROOM]) {
  size_t same = 0, used = 0;
  while (from[same] && from[same] == to[same]) same++;
  const bool whole = (!from[same] || from[same] == '/') && (!to[same] || to[same] == '/');
  while (!whole && same && from[same] != '/') same--; /* to the end of a name that both have */
  *steps = 0;
  if (!same && *from != '/') return snprintf(steps, TH_PATH_ROOM, "%s/", to) < TH_PATH_ROOM; /* on another drive */
  for (const char *at = from + same; *at && used < TH_PATH_ROOM; at++)
    if (*at == '/' && at[1]) used += (size_t)snprintf(steps + used, TH_PATH_ROOM - used, "../");
  to += same;
  while (*to == '/') to++;
  if (*to && used < TH_PATH_ROOM) used += (size_t)snprintf(steps + used, TH_PATH_ROOM - used, "%s/", to);
  return used < TH_PATH_ROOM;
}

/* Whether the file that is written lies in the folder of the scene; one of a pack keeps its names. */
static bool stays(const th_scene_writer *writer) {
  char from[TH_PATH_ROOM], to[TH_PATH_ROOM];
  return !writer->path || writer->scene->files->pack ||
         (folder_of(writer->path, from) && th_file_real_path(writer->scene->files->folder, to) && !strcmp(from, to));
}

/* The folder that a file of the scene is in, and its name there; of a folder that does not exist (yet) the scene's. */
static bool find(const th_scene *scene, const char *file, char folder[TH_PATH_ROOM], const char **name) {
  char whole[TH_PATH_ROOM];
  const char *slash = th_path_last_separator(file);
  if (snprintf(whole, sizeof whole, "%s/%s", scene->files->folder, file) >= (int)sizeof whole) return false;
  *name = slash ? slash + 1 : file;
  if (folder_of(whole, folder)) return true;
  *name = file;
  return th_file_real_path(scene->files->folder, folder);
}

void th_write_path(th_scene_writer *writer, const char *file) {
  char from[TH_PATH_ROOM], to[TH_PATH_ROOM], steps[TH_PATH_ROOM], text[2 * TH_PATH_ROOM];
  const char *name;
  if (th_path_is_absolute(file) || strstr(file, "://") || stays(writer)) {
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
