/* lab/planner.h - published relaxations in scenes. */
#ifndef TH_LAB_PLANNER_H
#define TH_LAB_PLANNER_H

#include "throng/scene.h"

/* Keys of goals that `throng_lab` reads beside ours. */
extern const th_scene_planner th_lab_planner;

#endif
