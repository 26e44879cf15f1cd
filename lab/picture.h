/* lab/picture.h - the figure, and if wanted the film, of an experiment, from a recording of it. */
#ifndef TH_LAB_PICTURE_H
#define TH_LAB_PICTURE_H

#include "lab/table.h"
#include "throng/figure.h"
#include "throng/recording.h"
#include "throng/scene.h"
#include "throng/world.h"

/* A recording under way; all zero: none, and the calls below do nothing. */
typedef struct th_lab_picture {
  th_recording *recording;
  char path[1024];
} th_lab_picture;

/* Begins to record at the world's first step, unless the lab draws nothing. `run`: for names of a scene, or NULL. */
th_result th_lab_picture_begin(const th_lab *lab, const th_world *world, const th_run *run, double dt,
                               th_lab_picture *picture, th_error *error);
th_result th_lab_picture_step(th_lab_picture *picture, const th_world *world, th_error *error);
/* Ends the recording and draws it as `how` says, whose tracks are the recording: folder/id.png, and folder/id.mp4, or
 * frames where there is no ffmpeg, when the lab films. After a failure before, only ends it. */
th_result th_lab_picture_end(th_lab *lab, th_lab_picture *picture, const th_figure_def *how, th_result before,
                             th_error *error);

/* The defaults of such a figure: the agents at the end of the recording with the traces named, and their paths. */
th_figure_def th_lab_moment(const char *title, const char *traces);

/* Traces everybody from the next step on, with room for trees of a thousand nodes; or nobody any more. */
th_result th_lab_trace(th_world *world, bool on, th_error *error);

#endif
