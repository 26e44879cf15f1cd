/* model/follow/follow.c - goes along the guide at the wanted speed.
 *
 * The simplest model: no neighbours, no walls of its own (walking stops at walls and slides along them). It slows down
 * close to the goal, so that no agent overshoots it:  speed = wanted * min(1, left / slow_within).
 */
#include <stddef.h>
#include <string.h>

#include "throng/model.h"

static void decide(const th_work *work) {
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    const th_guide_answer *want = &view->want[lane];
    const th_follow_params *params = work->params[lane];
    float speed = view->speed[lane];
    if (want->state != TH_ANSWER_LEAD) continue;
    if (want->left < params->slow_within) speed *= 0.2f + 0.8f * want->left / params->slow_within;
    work->advice.vx[lane] = want->dx * speed;
    work->advice.vy[lane] = want->dy * speed;
    work->advice.gait[lane] = speed > TH_GAIT_RUN_SPEED ? TH_GAIT_RUN : TH_GAIT_WALK;
  }
}

static const th_param params[] = {
    {"slow_within", TH_PARAM_FLOAT, offsetof(th_follow_params, slow_within), "m", 0, 100, 0.5,
     "slows down within this distance of the goal", NULL},
};

static const th_pass passes[] = {{"follow", TH_OVER_VIEWS, 0, decide}};

const th_model th_model_follow = {
    .name = "follow",
    .summary = "goes along the guide and respects walls; does not see other agents",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_follow_params),
    .pass = passes,
    .pass_count = 1,
};

th_follow_params th_default_follow_params(void) {
  th_follow_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(th_model_follow.param, th_model_follow.param_count, &values);
  return values;
}
