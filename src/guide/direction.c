/* guide/direction.c - leads in one direction, for ever.
 *
 * In a corridor whose ends join there is no goal: everybody goes round. The direction is given in space, or as the axis
 * about which to go round; its part along the surface leads. No field is solved and nothing is remembered. Cost: about
 * 10 ns per agent.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "geometry/vector.h"
#include "throng/guide.h"

static th_vec3 vector_at(const th_direction_params *p, th_vec3 at) {
  if (!p->around) return p->vector;
  return (th_vec3){p->vector.y * at.z - p->vector.z * at.y, p->vector.z * at.x - p->vector.x * at.z,
                   p->vector.x * at.y - p->vector.y * at.x};
}

static void lead(const th_guide_query *query, uint32_t lane) {
  const th_place place = {query->cell[lane], query->x[lane], query->y[lane]};
  const th_vec3 at = th_ground_point(query->ground, place);
  const th_vec2 d = th_ground_to_cell(query->ground, place, vector_at(query->params, at));
  const float length = sqrtf(d.x * d.x + d.y * d.y);
  th_guide_answer *want = &query->want[lane];
  if (!(length > 0.0f)) return; /* straight into the ground: wait */
  *want = (th_guide_answer){.dx = d.x / length, .dy = d.y / length, .left = INFINITY, .state = TH_ANSWER_LEAD};
}

static void answer(const th_guide_query *query) {
  for (uint32_t lane = 0; lane < query->lanes; lane++) lead(query, lane);
}

static th_result check(const void *params, th_error *error) {
  const th_direction_params *p = params;
  const float length2 = th_dot3(p->vector, p->vector);
  if (length2 > 0.0f && isfinite(length2)) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, "direction", "expected a vector with a length, found %g, %g, %g",
                 (double)p->vector.x, (double)p->vector.y, (double)p->vector.z);
}

static const th_param params[] = {
    {"vector", TH_PARAM_PLACE, offsetof(th_direction_params, vector), "", -1e6, 1e6, 0,
     "direction in space, or the axis to go round", NULL},
    {"around", TH_PARAM_BOOL, offsetof(th_direction_params, around), "", 0, 1, 0,
     "the vector is an axis through 0, 0, 0: they go round it, to the left seen from its tip", NULL},
};

const th_guide th_guide_direction = {
    .name = "direction",
    .summary = "walks on in one direction, or round an axis, for ever",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_direction_params),
    .ask = answer,
    .check = check,
};

th_direction_params th_default_direction_params(void) {
  th_direction_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(th_guide_direction.param, th_guide_direction.param_count, &values);
  return values;
}
