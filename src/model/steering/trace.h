/* model/steering/trace.h - the rows that the model publishes. */
#ifndef TH_MODEL_STEERING_TRACE_H
#define TH_MODEL_STEERING_TRACE_H

#include "model/steering/steer.h"

enum {
  TH_STEERING_TRACE_PREVIOUS,
  TH_STEERING_TRACE_NEW,
  TH_STEERING_TRACE_OBSTACLE, /* from here in the order of the steerings */
  TH_STEERING_TRACE_PEOPLE,
  TH_STEERING_TRACE_TARGET,
  TH_STEERING_TRACE_PATH,
  TH_STEERING_TRACE_WALL,
  TH_STEERING_TRACE_LEADER,
  TH_STEERING_TRACE_ALONG,
  TH_STEERING_TRACE_CLASSIC,
  TH_STEERING_TRACE_HOST,
  TH_STEERING_TRACE_STOP,
  TH_STEERING_TRACE_RAY,
  TH_STEERING_TRACE_SEEN,
  TH_STEERING_TRACE_PLACE,
  TH_STEERING_TRACE_CORNER,
  TH_STEERING_TRACE_WHOM,
  TH_STEERING_TRACES
};

extern const th_trace th_steering_trace[TH_STEERING_TRACES];

/* A force, or a stop request, of a traced agent; `value` goes with the vector. */
void th_steer_trace_publish_force(const th_steer_self *self, uint32_t row, const th_steering_force *force, float value);
/* The rest: velocities and causes. */
void th_steer_trace_publish(const th_steer_self *self, const th_steer_result *result);

#endif
