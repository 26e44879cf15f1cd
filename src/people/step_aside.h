/* people/step_aside.h - people who stand make way. */
#ifndef TH_PEOPLE_STEP_ASIDE_H
#define TH_PEOPLE_STEP_ASIDE_H

#include "people/room_ahead.h"

/* True when a person that is not led wants to step aside now: its wish and its speed are set. Wishes are the view's own
 * copy. */
bool th_people_step_aside(th_view_scratch *scratch, const th_view_source *source, uint32_t lane);

#endif
