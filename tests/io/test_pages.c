/* tests/io/test_pages.c - numbers and names that texts repeat are those of the code. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/json.h"
#include "support/allocator.h"
#include "throng/guide.h"
#include "throng/recording.h"

/* True when the file holds the text; line breaks of comments count as blanks. */
static bool page_says(const char *path, const char *text) {
  th_env env = th_env_complete(NULL);
  th_json_file page;
  th_error error = {0};
  assert_int_equal(th_json_load(&env, path, &page, &error), TH_OK);
  assert_true(page.length < page.capacity); /* the block is zeroed: the text ends */
  for (char *at = page.text; (at = strstr(at, "\n *")); at++) memcpy(at, "   ", 3);
  char *to = page.text;
  for (const char *from = page.text; *from; from++)
    if (*from != ' ' || from[1] != ' ') *to++ = *from;
  *to = 0;
  bool found = strstr(page.text, text) != NULL;
  th_json_unload(&env, &page);
  return found;
}

static void expect_text(const char *path, const char *format, unsigned number) {
  char text[160];
  snprintf(text, sizeof text, format, number);
  if (!page_says(path, text)) fail_msg("%s does not say: %s", path, text);
}

static void texts_name_the_default_version_of_recordings(void **state) {
  (void)state;
  const unsigned version = th_default_recording_def().version;
  expect_text("src/io/recording/tables.c", "Version %u is the default", version);
  expect_text("include/throng/recording.h", "JuPedSim's file version: %u (default)", version);
  expect_text("docs/recordings.md", "therefore %u is the default", version);
  expect_text("docs/scene.md", "whose ground PedPy does not load; default %u", version);
}

static void the_page_of_scenes_names_every_guide(void **state) {
  (void)state;
  for (const th_guide *const *guide = th_guides(); *guide; guide++) {
    char name[64];
    snprintf(name, sizeof name, "`%s`", (*guide)->name);
    if (*guide != &th_guide_user && !page_says("docs/scene.md", name))
      fail_msg("docs/scene.md does not name the guide %s", name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_name_the_default_version_of_recordings),
                                     cmocka_unit_test(the_page_of_scenes_names_every_guide)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
