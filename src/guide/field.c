/* guide/field.c - climbs the field of the agent's goal.
 *
 * All agents with the same goal, radius class and eps level share one field; an agent's own v adds a term to grad log
 * u, which bends its direction. Cost: about 10 ns per agent, 16 at a time; three times that with a v.
 */
#include "field/sample.h"
#include "throng/guide.h"

static void answer(const th_guide_query *query) {
  if (query->field) th_field_sample_query(query->field, query); /* else the field is not ready: wait */
}

static void prefetch(const th_guide_ahead *ahead) { th_field_prefetch(ahead->fields, ahead->cell, ahead->count); }

const th_guide th_guide_field = {
    .name = "field",
    .summary = "climbs the field of the agent's goal",
    .needs_field = true,
    .ask = answer,
    .prefetch = prefetch,
};
