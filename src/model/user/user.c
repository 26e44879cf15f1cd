/* model/user/user.c - the host decides: one call for each view of up to 16 agents.
 *
 * All agents of a view may have different callbacks; each distinct one is called once with the whole view and must
 * write the lanes that are its own (work->params[lane] tells).
 */
#include <stddef.h>
#include <string.h>

#include "throng/model.h"

static const th_user_params *params_of(const th_work *work, uint32_t lane) { return work->params[lane]; }

static bool called_before(const th_work *work, uint32_t lane) {
  for (uint32_t i = 0; i < lane; i++)
    if (params_of(work, i)->decide == params_of(work, lane)->decide &&
        params_of(work, i)->user == params_of(work, lane)->user)
      return true;
  return false;
}

static void decide(const th_work *work) {
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    const th_user_params *host = params_of(work, lane);
    if (host->decide && !called_before(work, lane)) host->decide(host->user, work);
  }
}

static float reach(const void *params) { return ((const th_user_params *)params)->reach; }
static uint32_t nearest(const void *params) { return (uint32_t)((const th_user_params *)params)->nearest; }

static const th_param params[] = {
    {"reach", TH_PARAM_FLOAT, offsetof(th_user_params, reach), "m", 0, 50, 5, "how far the callback sees", NULL},
    {"nearest", TH_PARAM_INT, offsetof(th_user_params, nearest), "", 1, TH_MAX_NEAREST, 10,
     "how many nearest agents are picked for each lane", NULL},
};

static const th_pass passes[] = {
    {"user", TH_OVER_VIEWS,
     TH_SEE_NEIGHBOURS | TH_SEE_NEAREST | TH_SEE_WALLS | TH_SEE_CLEARANCE | TH_SEE_LINKS | TH_SEE_BODY, decide}};

const th_model th_model_user = {
    .name = "user",
    .summary = "asks the host for advice",
    .param = params,
    .param_count = sizeof params / sizeof *params,
    .param_size = sizeof(th_user_params),
    .state_size = 64,
    .reach = reach,
    .nearest = nearest,
    .pass = passes,
    .pass_count = 1,
};

th_user_params th_default_user_params(void) {
  th_user_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(th_model_user.param, th_model_user.param_count, &values);
  return values;
}
