/* world/agent/sources.h - sources of agents. */
#ifndef TH_WORLD_AGENT_SOURCES_H
#define TH_WORLD_AGENT_SOURCES_H

#include "base/ids.h"
#include "throng/world.h"
#include "world/goals.h"

typedef struct th_source {
  th_source_def def; /* points owned; params owned */
  uint8_t *params;
  th_people_params people; /* where def.agent.people is not NULL */
  uint16_t field[TH_MAX_STOPS];
  uint32_t emitted;
  double debt; /* fraction of an agent that is due */
} th_source;

typedef struct th_sources {
  th_ids ids;
  th_source *source;
  uint32_t capacity;
} th_sources;

/* Key of the fields of a source, but for the goal: those of the largest body that it may emit. */
th_field_key th_source_key(const th_world *world, const th_source_def *def);
void th_sources_emit(th_world *world);
bool th_sources_done(const th_world *world);
void th_source_clear(th_world *world, th_source *source);

#endif
