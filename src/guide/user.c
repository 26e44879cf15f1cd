/* guide/user.c - asks the host, and the list of all guides. */
#include <string.h>

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

const th_guide *const *th_guides(void) {
  static const th_guide *const list[] = {&th_guide_field,   &th_guide_dijkstra, &th_guide_path,
                                         &th_guide_explore, &th_guide_user,     NULL};
  return list;
}

const th_guide *th_guide_find(const char *name) {
  for (const th_guide *const *guide = th_guides(); *guide; guide++)
    if (!strcmp((*guide)->name, name)) return *guide;
  return NULL;
}
