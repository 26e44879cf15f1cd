/* world/agent/agents.h - checking defs of agents and writing their rows. */
#ifndef TH_WORLD_AGENT_AGENTS_H
#define TH_WORLD_AGENT_AGENTS_H

#include "world/world.h"

/* agent/check.c; `has`: the route that the agent has, whose goals may be gone, or NULL */
th_result th_agent_spread_check(const th_agent_spread *spread, th_error *error);
/* No agent would go farther in a step of dt seconds than its model allows. */
th_result th_agent_check_steps(const th_world *world, float dt, th_error *error);
th_result th_agent_check(th_world *world, const th_agent_def *def, const th_route *has, th_error *error);
/* agent/set.c: whether th_world_change_agent would succeed; makes what that needs, so that it succeeds next time. */
th_result th_agent_may_change(th_world *world, uint32_t row, const th_agent_def *def, th_error *error);
/* agent/set.c: it walks from now on, or stands when there is nowhere to go; a delayed or external agent stays so. */
void th_agent_set_off(th_world *world, uint32_t row);
/* agent/needs.c: links and guide that the model needs; `row`: of the agent that is changed, UINT32_MAX for a new one.
 */
th_result th_agent_check_needs(const th_world *world, uint32_t row, const th_agent_def *def, th_error *error);
th_result th_route_check(const th_world *world, const th_stop *stop, uint32_t count, const th_route *has,
                         th_error *error);
th_result th_agent_check_place(const th_world *world, th_vec3 point, int32_t level, th_error *error);
th_result th_agent_check_number(const char *name, float value, float min, float max, th_error *error);

/* agent/read.c: what is left of a premovement time [s]. */
float th_agent_read_premovement_left(const th_world *world, uint32_t row);

/* agent/rows.c */
th_result th_agent_find(const th_world *world, th_agent_id agent, const char *call, uint32_t *row, th_error *error);
/* The fields of a def's route. A new field is entered in the table and requested. A stop without a goal keeps its
 * field. */
th_result th_agent_fields(th_world *world, const th_agent_def *def, uint16_t *field, th_error *error);
/* Writes a new row for a checked def; the capacity must have been reserved. */
th_result th_agent_emit(th_world *world, const th_agent_def *def, const uint16_t *field, th_agent_id *id);
void th_agent_drop(th_world *world, uint32_t row);
void th_agent_write_body(th_world *world, uint32_t row, const th_agent_def *def); /* not place, guide, route, links */
void th_agent_write_links(th_world *world, uint32_t row, const th_agent_def *def);
th_route th_agent_route_of(const th_world *world, const th_agent_def *def, const uint16_t *field);
void th_agent_write_route(th_world *world, uint32_t row, const th_route *route);
void th_agent_note_waits(th_world *world, const th_route *route); /* that it has stops to wait at */
void th_agent_limits(th_world *world, uint32_t row); /* derived columns, after a change of dt or of limits */
void th_agent_head_for(th_world *world, uint32_t row, uint8_t stop);
void th_agent_stand(th_world *world, uint32_t row); /* for its premovement time from now on, if that is not 0 */
void th_agent_put(th_world *world, uint32_t row, th_place place);

static inline bool th_agent_under_way(const th_agent_def *def) { return def->route_count || def->guide.index; }

#endif
