/* world/events.h - what happened in a step and in the calls since. */
#ifndef TH_WORLD_EVENTS_H
#define TH_WORLD_EVENTS_H

#include "throng/world.h"

void th_event_add(th_world *world, th_event_kind kind, th_agent_id agent, uint32_t goal);
/* Of a source, by its index. */
void th_event_add_emitted(th_world *world, th_event_kind kind, th_agent_id agent, uint32_t source);
void th_events_sort(th_world *world);
/* Begins the events of the next step before the step itself: what calls raise from the first time on is read after it.
 */
void th_events_begin(th_world *world);

/* The word for a kind in files (docs/recordings.md), NULL for a number that is none; and back, false for a word that is
 * none. The words stay as they are whatever is added to the enum. */
const char *th_event_word(th_event_kind kind);
bool th_event_of_word(const char *word, th_event_kind *kind);

#endif
