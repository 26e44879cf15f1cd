/* guide/registry.c - the list of all guides; a new one is entered in registry.h. */
#include "guide/registry.h"

#include <string.h>

#include "throng/guide.h"
#include "throng/guide/target.h"
#include "throng/guide/tree.h"

const th_guide *const *th_guides(void) {
#define X(name) &th_guide_##name,
  /* clang-format off */
  static const th_guide *const list[] = {TH_GUIDES(X) &th_guide_user, NULL};
  /* clang-format on */
#undef X
  return list;
}

const th_guide *th_guide_find(const char *name) {
  for (const th_guide *const *guide = th_guides(); *guide; guide++)
    if (!strcmp((*guide)->name, name)) return *guide;
  return NULL;
}
