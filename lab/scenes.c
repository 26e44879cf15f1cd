/* lab/scenes.c - runs a scene that is part of the program, with an observer, and draws it.
 *
 * Claims are about what an observer of the world sees. The observer is a function that is called after each step. Cost:
 * that of the scene.
 */
#include "lab/scenes.h"

#include <string.h>

#include "base/error.h"

static const th_lab_scene *scene_of(const char *name) {
  for (const th_lab_scene *s = th_lab_scenes; s->name; s++)
    if (!strcmp(s->name, name)) return s;
  return NULL;
}

/* Traces are on in the step that the figure shows; for a film in all steps up to it. */
static th_result watch(th_lab *lab, const th_lab_run *def, th_run *run, th_lab_picture *picture, th_error *error) {
  th_world *world = th_run_world(run);
  th_result result = TH_OK;
  bool goes_on = def->look(def->user, world, 0);
  for (uint32_t step = 1; result == TH_OK && goes_on && !th_run_done(run); step++) {
    const bool shown = picture->recording && def->moment && step <= def->moment;
    if (shown && (step == def->moment || (lab->film && step == 1))) result = th_lab_trace(world, true, error);
    if (result == TH_OK) result = th_run_step(run, error);
    if (result == TH_OK && (shown || !def->moment)) result = th_lab_picture_step(picture, world, error);
    if (result == TH_OK && shown && step == def->moment) {
      result = th_lab_picture_end(lab, picture, def->figure, result, error);
      if (result == TH_OK) result = th_lab_trace(world, false, error);
    }
    goes_on = def->look(def->user, world, step);
  }
  return result;
}

th_result th_lab_run_scene(th_lab *lab, const th_lab_run *def, th_error *error) {
  const th_lab_scene *text = scene_of(def->scene);
  th_scene *scene = NULL;
  th_run *run = NULL;
  th_lab_picture picture = {0};
  if (!text) return th_fail(error, TH_ERROR_STATE, def->scene, "no such scene is in the program");
  th_result result = th_scene_parse(text->text, text->size, &scene, error);
  if (result == TH_OK)
    result = th_run_make(&(th_run_def){.scene = scene, .seed = def->seed, .duration = def->seconds}, &run, error);
  if (result == TH_OK && def->figure)
    result = th_lab_picture_begin(lab, th_run_world(run), run, (double)th_scene_world_def(scene)->dt, &picture, error);
  if (result == TH_OK) result = watch(lab, def, run, &picture, error);
  result = th_lab_picture_end(lab, &picture, def->figure, result, error);
  th_run_free(run);
  th_scene_free(scene);
  return result;
}
