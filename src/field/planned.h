/* field/planned.h - what a planner of the host gave, taken over on either kind of ground. */
#ifndef TH_FIELD_PLANNED_H
#define TH_FIELD_PLANNED_H

#include "throng/field.h"

/* Asks the planner for u of all cells; refuses values that are not finite and gives walls and goals their own. */
th_result th_planned_values(const th_planner *planner, const th_planner_cells *cells, double *u, th_error *error);

#endif
