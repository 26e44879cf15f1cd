/* io/scene/write/moment_crowds.h - agents on their way into the populations of a scene. */
#ifndef TH_IO_SCENE_WRITE_MOMENT_CROWDS_H
#define TH_IO_SCENE_WRITE_MOMENT_CROWDS_H

#include "io/scene/write/moment.h"

typedef struct th_moment_agent {
  th_agent_id id;
  uint32_t row, population, group, order; /* TH_NO_INDEX: no population; 0: no group */
  bool leads;                             /* its group */
} th_moment_agent;

typedef struct th_moment_agents {
  const th_moment_agent *agent; /* in the order of their new indices, which count from 1 */
  uint32_t count;
  const uint32_t *index_of; /* the new index by the old one, 0 = gone */
  uint32_t indices;
} th_moment_agents;

/* moment_common.c: whether these are the defaults of the model; what was said about people, so that they are these; and
 * what all of a population have in common, so that each one says only the rest. */
bool th_moment_crowds_usual(const th_model *model, const void *params);
void th_moment_crowds_people(const th_scene *scene, const th_people_params *has, th_scene_people *people);
void th_moment_crowds_share(th_scene_population *population);

/* moment_links.c: links, points of their own, and models that need links, as events of the first step. */
void th_moment_links(th_scene_moment *moment, const th_moment_agents *agents);

#endif
