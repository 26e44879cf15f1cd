/* apps/throng/view.c - `throng view`: a scene in a page that any browser opens.
 *
 * The page (page/, built by ./dev page) is one file with the engine in it and a place for a scene; here a pack is put
 * there. A pack is ASCII without <, > and &, so nothing in it can end the place or become markup.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/child.h"
#include "base/platform/file.h"
#include "base/platform/program.h"
#include "cli.h"
#include "io/json.h"

static const char place[] = "@SCENE@";

/* FOLDER/NAME.json becomes NAME.html, here. */
static void usual_name(const char *scene, char *path, size_t size) {
  const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
  const char *dot = strrchr(name, '.');
  snprintf(path, size, "%.*s.html", (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
}

/* Installed, the page lies in share/throng; in the tree beside the folder of the build. */
static th_result find_page(char *path, size_t size, th_error *error) {
  static const char *const beside[] = {"../share/throng/throng.html", "../page/throng.html"};
  char folder[1024];
  if (th_program_folder(folder, sizeof folder))
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
      const int length = snprintf(path, size, "%s/%s", folder, beside[i]);
      if (length > 0 && (size_t)length < size && th_file_look(path) == TH_FILE_REGULAR) return TH_OK;
    }
  return th_fail(error, TH_ERROR_FILE, "view", "expected the page in share/throng or from ./dev page, found none");
}

/* The page with the pack in its place; to be freed. */
static char *fill(const th_json_file *page, const char *pack) {
  const size_t size = strlen(pack);
  char *text = malloc(page->length + size + 1);
  if (!text) return NULL;
  memcpy(text, page->text, page->length);
  text[page->length] = 0;
  char *at = strstr(text, place);
  if (!at) return text;
  const size_t before = (size_t)(at - text), after = before + strlen(place);
  memmove(at + size, at + strlen(place), page->length - after + 1);
  memcpy(at, pack, size);
  return text;
}

static th_result write_page(const char *pack, const char *out, th_error *error) {
  char path[2048];
  th_json_file page;
  const th_env env = th_env_complete(NULL);
  th_result result = find_page(path, sizeof path, error);
  if (result == TH_OK) result = th_json_load(&env, path, &page, error);
  if (result != TH_OK) return result;
  char *text = fill(&page, pack);
  th_json_unload(&env, &page);
  if (!text) return th_fail_memory(error, out);
  result = th_cli_write_text(out, text, error);
  free(text);
  return result;
}

static void open_page(const char *path) {
  const char *const argument[] = {"xdg-open", path, NULL};
  th_child child;
  if (th_child_start(&child, argument) != 0 || th_child_end(&child) != 0)
    fprintf(stderr, "throng: no browser could be started; open %s in one\n", path);
}

int th_command_view(const th_options *options) {
  char path[1024], *pack;
  th_error error = {0};
  th_scene *scene;
  th_result result = th_cli_scene(options, options->argument[0], &scene, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  result = th_scene_pack(scene, &pack, &error);
  th_scene_free(scene);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  usual_name(options->argument[0], path, sizeof path);
  if (options->out) snprintf(path, sizeof path, "%s", options->out);
  result = write_page(pack, path, &error);
  th_text_free(pack);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_output_code(result));
  if (!options->quiet) printf("%s\n", path);
  if (!options->no_open) open_page(path);
  return TH_EXIT_OK;
}
