/* tests/support/scene_runs.h - a scene given as text, and its run. */
#ifndef TESTS_SCENE_RUNS_H
#define TESTS_SCENE_RUNS_H

#include <stdio.h>
#include <string.h>

#include "support/unit.h"
#include "throng/scene.h"

typedef struct scene_run {
  th_scene *scene;
  th_run *run;
} scene_run;

/* `format` is the scene with one %s, in which `part` stands; `def` is that of the run, without the scene. The run must
 * be freed whether it was made or not. */
static inline th_result scene_run_try(const char *format, const char *part, th_run_def def, scene_run *s,
                                      th_error *error) {
  char text[4096];
  *s = (scene_run){0};
  assert_true(snprintf(text, sizeof text, format, part) < (int)sizeof text);
  th_result result = th_scene_parse(text, strlen(text), &s->scene, error);
  def.scene = s->scene;
  return result ? result : th_run_make(&def, &s->run, error);
}

static inline scene_run scene_run_make(const char *format, const char *part, th_run_def def) {
  scene_run s;
  th_error error = {0};
  if (scene_run_try(format, part, def, &s, &error)) fail_msg("%u:%u: %s", error.line, error.column, error.text);
  return s;
}

static inline void scene_run_free(scene_run *s) {
  th_run_free(s->run);
  th_scene_free(s->scene);
}

/* Until this time, or the end of the scene. */
static inline void scene_run_to(scene_run *s, double time) {
  th_error error = {0};
  while (!th_run_done(s->run) && th_world_time(th_run_world(s->run)) < time - 1e-6)
    if (th_run_step(s->run, &error) != TH_OK) fail_msg("%u:%u: %s", error.line, error.column, error.text);
}

#endif
