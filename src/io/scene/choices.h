/* io/scene/choices.h - choices of a scene. */
#ifndef TH_IO_SCENE_CHOICES_H
#define TH_IO_SCENE_CHOICES_H

#include "io/scene/read.h"
#include "io/scene/run.h"

th_result th_scene_choices_link(th_scene_reader *reader, const th_scene *scene, th_scene_choice *choice);
/* With the goals that its options name now: indices in the run's list. */
th_choice_def th_run_choice_def(const th_run *run, const th_scene_choice *choice);
th_result th_run_add_choices(th_run *run, th_error *error);

#endif
