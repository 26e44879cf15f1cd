/* field/grid/blocked/cut_off.h - leads people out of where the raster alone has shut them in. */
#ifndef TH_FIELD_GRID_CUT_OFF_H
#define TH_FIELD_GRID_CUT_OFF_H

#include "field/grid/field.h"

/* Gives a path to cells without one from where the class fits through to cells with one. Needs the field's nodes. */
th_result th_cut_off_lead(th_field_build *build, th_error *error);

#endif
