/* io/recording/space.h - agents of a world with their points in space, as metrics and recordings take them. */
#ifndef TH_IO_RECORDING_SPACE_H
#define TH_IO_RECORDING_SPACE_H

#include "throng/world.h"

/* Memory for the points of agents on mesh ground. Zero-initialise with an env; free with th_space_free. */
typedef struct th_space {
  th_env env;
  bool whole;      /* normals and clearances too, which metrics read and recordings do not */
  th_vec3 *vector; /* points, velocities, headings, weights, normals of `capacity` agents */
  float *clearance;
  uint32_t capacity;
  th_points points;
} th_space;

/* The agents of the world; on mesh ground their `space` points to this memory, which is valid until the next call. */
th_result th_space_agents(th_space *space, const th_world *world, th_agents *agents, th_error *error);
void th_space_free(th_space *space);

#endif
