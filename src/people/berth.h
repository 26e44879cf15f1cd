/* people/berth.h - people keep off walls. */
#ifndef TH_PEOPLE_BERTH_H
#define TH_PEOPLE_BERTH_H

#include "view/view.h"

/* Turns the wanted direction of a lane that is a person to the side with more room, where it walks close to walls. */
void th_people_berth(th_view_scratch *scratch, uint32_t lane);

/* Turns the wanted direction of a lane that is a person off a wall that its body touches, or nearly so. */
void th_people_berth_touching(th_view_scratch *scratch, uint32_t lane);

#endif
