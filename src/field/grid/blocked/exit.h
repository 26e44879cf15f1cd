/* field/grid/blocked/exit.h - where a body goes that stands in a cell its class blocks. */
#ifndef TH_FIELD_GRID_EXIT_H
#define TH_FIELD_GRID_EXIT_H

#include "field/grid/field.h"

/* The free cell that a blocked one leads to, TH_NO_CELL when there is none. Needs the draft's distances. */
uint32_t th_exit_of(const th_field_build *build, uint32_t cell);

#endif
