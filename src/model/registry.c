/* model/registry.c - the one list of built-in models. */
#include <string.h>

#include "throng/model.h"
#include "throng/model/biocrowds.h"
#include "throng/model/bvp.h"
#include "throng/model/orca.h"
#include "throng/model/steering.h"

const th_model *const *th_models(void) {
  static const th_model *const list[] = {
      &th_model_follow, &th_model_bvp, &th_model_orca, &th_model_steering, &th_model_biocrowds, &th_model_user, NULL};
  return list;
}

const th_model *th_model_find(const char *name) {
  for (const th_model *const *model = th_models(); *model; model++)
    if (!strcmp((*model)->name, name)) return *model;
  return NULL;
}
