/* lab/scenes.h - scenes of published experiments, inside the program, run and watched. */
#ifndef TH_LAB_SCENES_H
#define TH_LAB_SCENES_H

#include <stddef.h>

#include "lab/picture.h"

/* A scene of scenes/steering or scenes/biocrowds; its name has its folder: "steering/secret". */
typedef struct th_lab_scene {
  const char *name, *text;
  size_t size;
} th_lab_scene;
extern const th_lab_scene th_lab_scenes[]; /* ended by a name of NULL */

/* How a scene is run. */
typedef struct th_lab_run {
  const char *scene;
  uint64_t seed; /* 0: the scene's own */
  float seconds; /* another duration; 0: the scene's own */
  /* Called before the first step and after each, with the number of steps so far; false ends the run. */
  bool (*look)(void *user, th_world *world, uint32_t step);
  void *user;
  const th_figure_def *figure; /* how the lab draws it; NULL: not at all */
  uint32_t moment; /* the step that the figure shows, with traces of all agents; 0: the whole run, without */
} th_lab_run;

th_result th_lab_run_scene(th_lab *lab, const th_lab_run *run, th_error *error);

#endif
