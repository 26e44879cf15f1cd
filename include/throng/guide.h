/* throng/guide.h - a guide tells agents which way they want to go.
 *
 * Built-in: `field` (climbs the field of the agent's goal), `path` (walks a polyline), `user` (asks the host). A guide
 * answers up to 16 agents at a time and reads the state at the start of the step.
 */
#ifndef THRONG_GUIDE_H
#define THRONG_GUIDE_H

#include "field.h"
#include "param.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A question of up to 16 agents that head for the same goal. Answers go to `want`, preset to TH_WANT_WAIT. */
typedef struct th_question {
  const void *params;      /* of the guide */
  const th_ground *ground; /* version in force */
  uint32_t lanes;
  const uint32_t *agent, *cell; /* index of the agent's id; cell of its place */
  const float *x, *y;           /* place in that cell's frame [m]; all 16 entries may be read */
  const th_vec2 *v;             /* personal vector, cell frame; read it only where eps is not 0 */
  const float *eps;
  const th_field *field; /* of the goal that all lanes share; NULL while it is not there or when there is no goal */
  void *const *state;    /* per lane; NULL when state_size is 0 */
  float dt;
  uint64_t step;
  th_sense sense;
  uint32_t simd; /* th_simd */
  th_want *want;
} th_question;

typedef struct th_guide {
  const char *name, *summary;
  const th_param *param;
  uint32_t param_count;
  size_t param_size, state_size; /* state_size at most 64 bytes per agent */
  bool needs_field;
  void (*ask)(const th_question *question);
  th_result (*check)(const void *params, th_error *error); /* what the table cannot say; NULL: nothing */
} th_guide;

/** Climbs the goal's field, bent by the agent's own v and eps. The guide of every agent that names none. */
TH_API extern const th_guide th_guide_field;

/** Walks along a polyline. Points are kept by the caller as long as the guide lives in a world. */
typedef struct th_path_params {
  const th_vec2 *point;
  uint32_t count; /* 2 or more */
  bool closed;    /* round and round: never arrives */
  float ahead;    /* aims at the point this far along the path [m] (0, 100], default 1 */
} th_path_params;
TH_API extern const th_guide th_guide_path;

/** Asks the host; `answer` may be called from several threads at once. */
typedef struct th_user_guide_params {
  void (*answer)(void *user, const th_question *question);
  void *user;
} th_user_guide_params;
TH_API extern const th_guide th_guide_user;

TH_API const th_guide *const *th_guides(void);
TH_API const th_guide *th_guide_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
