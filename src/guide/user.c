/* guide/user.c - asks the host. */
#include "throng/guide.h"

static void answer(const th_question *question) {
  const th_user_guide_params *host = question->params;
  if (host->answer) host->answer(host->user, question);
}

const th_guide th_guide_user = {
    .name = "user",
    .summary = "asks the host",
    .param_size = sizeof(th_user_guide_params),
    .state_size = 64,
    .ask = answer,
};
