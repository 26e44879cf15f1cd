/* world/agents.h - checking defs of agents and writing their rows. */
#ifndef TH_WORLD_AGENTS_H
#define TH_WORLD_AGENTS_H

#include "world/world.h"

/* agents_check.c: everything a def says but its place; its place. `element` goes into the error. */
th_result th_agent_check(th_world *world, const th_agent_def *def, uint32_t element, th_error *error);
th_result th_agent_check_place(const th_world *world, const th_agent_def *def, uint32_t element, th_error *error);

/* agents.c */
/* The row of an agent, UINT32_MAX for a stale id, which goes to the log unless `call` is NULL. */
uint32_t th_agent_row(const th_world *world, th_agent_id id, const char *call);
/* The fields that lead a checked def along its route; made, and asked for, when they are new. */
th_result th_agent_fields(th_world *world, const th_agent_def *def, uint16_t *field, th_error *error);
/* A new row for a checked def, in capacity that is there. */
th_result th_agent_emit(th_world *world, const th_agent_def *def, const uint16_t *field, th_agent_id *id);
void th_agent_drop(th_world *world, uint32_t row);
/* Everything a def says but place, heading, model and delay; the route starts again. */
void th_agent_write_settings(th_world *world, uint32_t row, const th_agent_def *def, const uint16_t *field);
void th_agent_limits(th_world *world, uint32_t row); /* derived columns, after a change of dt or of limits */
void th_agent_head_for(th_world *world, uint32_t row, uint8_t stop);
void th_agent_put(th_world *world, uint32_t row, th_place place); /* somewhere else than it was */

static inline bool th_agent_under_way(const th_agent_def *def) { return def->route_count || def->guide.index; }

#endif
