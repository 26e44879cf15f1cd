/* people/stand_off.h - people who block each other's path. */
#ifndef TH_PEOPLE_STAND_OFF_H
#define TH_PEOPLE_STAND_OFF_H

#include "people/room_ahead.h"

/* True when a person who stands before somebody opposed turns its wanted direction: it has lost its patience. */
bool th_people_stand_off(th_view_scratch *scratch, const th_view_source *source, uint32_t lane);

#endif
