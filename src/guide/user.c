/* guide/user.c - calls the host's callback. */
#include <string.h>

#include "throng/guide.h"

static void answer(const th_guide_query *query) {
  const th_user_guide_params *host = query->params;
  if (host->answer) host->answer(host->user, query);
}

const th_guide th_guide_user = {
    .name = "user",
    .summary = "asks the host",
    .param_size = sizeof(th_user_guide_params),
    .state_size = 64,
    .ask = answer,
};

th_user_guide_params th_default_user_guide_params(void) {
  th_user_guide_params values;
  memset(&values, 0, sizeof values); /* padding too: equal parameters are found by their bytes */
  th_param_defaults(th_guide_user.param, th_guide_user.param_count, &values);
  return values;
}
