/* field/grid/goal.h - from a goal's shape to raster cells. */
#ifndef TH_FIELD_GRID_GOAL_H
#define TH_FIELD_GRID_GOAL_H

#include "field/grid/field.h"

/* Collects the free cells of the draft's class that the goal's shape covers into draft->goal, ascending. A shape
 * that covers walkable cells only where the class is blocked gets their exits. */
th_result th_goal_find(th_field_build *build, th_error *error);

#endif
