/* people/berth.h - people keep off walls. */
#ifndef TH_PEOPLE_BERTH_H
#define TH_PEOPLE_BERTH_H

#include "people/room_ahead.h"

#define TH_BERTH_TOUCHING 0.25f /* part of the berth within which a body rubs along a wall */

/* Turns the wanted direction of a lane that is a person to the side with more room, where it walks close to walls. */
void th_people_berth(th_view_scratch *scratch, const th_room_lanes *lanes, uint32_t lane);

/* Turns the wanted direction of a lane that is a person off a wall that its body touches, or nearly so. */
void th_people_berth_touching(th_view_scratch *scratch, const th_room_lanes *lanes, uint32_t lane);

#endif
