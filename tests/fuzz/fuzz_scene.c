/* tests/fuzz/fuzz_scene.c - any bytes as a scene: read, and when they are one, written, read back and run a few steps.
 *
 * Whatever the reader accepts the writer must write, the reader accept again, and the writer write the same.
 * Images are not reached: a scene from memory has no folder of its own. Crowds and grounds are kept small, so that the
 * search spends its time in the reader.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/scene.h"

static void hush(void *user, th_log_level level, const char *text) {
  (void)user;
  (void)level;
  (void)text;
}

static bool is_small(const th_scene *scene) {
  const th_scene_ground *g = &scene->ground;
  if (g->image.file || g->map || th_scene_agents(scene) > 200 || (g->def.cell > 0.0f && g->def.cell < 0.2f))
    return false;
  float size = 0;
  for (uint32_t i = 0; i < g->outline_count; i++) {
    for (uint32_t k = 0; k < g->outline[i].shape.count; k++) {
      size = fmaxf(size, fmaxf(fabsf(g->outline[i].shape.point[k].x), fabsf(g->outline[i].shape.point[k].y)));
    }
  }
  return size <= 60;
}

static void come_back(const th_scene *scene, const th_env *env) {
  const th_scene_write_def def = th_default_scene_write_def();
  char *text = NULL, *second = NULL;
  th_scene *again = NULL;
  th_error error = {0};
  if (th_scene_write(scene, &def, &text, &error) != TH_OK) abort();
  const th_scene_def read = {.env = *env, .text = text, .length = strlen(text)};
  if (th_scene_make(&read, &again, &error) != TH_OK) abort();
  if (th_scene_write(again, &def, &second, &error) != TH_OK || strcmp(text, second) != 0) abort();
  th_scene_free(again);
  th_text_free(text);
  th_text_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  th_scene *scene = NULL;
  th_run *run = NULL;
  th_error error = {0};
  th_env env = {.log = {hush, NULL}};
  const char *set[] = {"seed=3", "populations.0.speed=1"};
  th_scene_def def = {
      .env = env, .text = (const char *)data, .length = size, .set = set, .set_count = (uint32_t)(size % 3)};
  if (th_scene_make(&def, &scene, &error) != TH_OK) return 0;
  come_back(scene, &env);
  if (is_small(scene) && th_run_make(&(th_run_def){.env = env, .scene = scene}, &run, &error) == TH_OK) {
    for (int i = 0; i < 5 && th_run_step(run, &error) == TH_OK; i++) {
    }
    th_run_free(run);
  }
  th_scene_free(scene);
  return 0;
}
