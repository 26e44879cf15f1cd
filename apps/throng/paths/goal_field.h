/* apps/throng/paths/goal_field.h - a scene's ground with the field of one goal, for `field` and `path`. */
#ifndef TH_APPS_PATHS_GOAL_FIELD_H
#define TH_APPS_PATHS_GOAL_FIELD_H

#include "cli.h"

typedef struct th_goal_path {
  th_scene *scene;
  th_ground *ground;
  th_solver *solver;
  th_field *field;
  uint32_t goal;
} th_goal_path;

/* The goal of the options (the first when none is named). Release with th_goal_path_free in either case. */
th_result th_goal_path_make(const th_options *options, th_goal_path *goal_path, th_error *error);
void th_goal_path_free(th_goal_path *goal_path);

/* A figure of the ground with the goal; field and tracks may be NULL. */
th_result th_goal_path_draw(const th_goal_path *goal_path, const th_options *options, const th_plot_field *field,
                            const th_tracks *tracks, const char *path, th_error *error);

/* The same on mesh ground: the field in colours, and a path over it when `count` is above 0. */
th_result th_goal_path_draw_mesh(const th_goal_path *goal_path, const th_options *options, const th_vec3 *path,
                                 uint32_t count, const char *file, th_error *error);

#endif
