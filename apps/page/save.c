/* apps/page/save.c - the run as a text that the program reads: an episode, with what was done by hand and marks.
 *
 * Files that the scene names keep their names; a page that was given a pack puts this text into it in place of its
 * scene.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "throng/text.h"

const char *th_page_episode(th_page *page) {
  const th_scene_write_def def = th_default_scene_write_def();
  char *text = NULL;
  if (th_run_write(page->run, &def, NULL, 0, &text, &page->error) != TH_OK) return "";
  free(page->text);
  page->text = malloc(strlen(text) + 1);
  if (page->text)
    strcpy(page->text, text);
  else
    th_page_fail(page, "episode", "out of memory");
  th_text_free(text);
  return page->text ? page->text : "";
}
