/* guide/registry.c - the list of all guides; a new one is entered here. */
#include <string.h>

#include "throng/guide.h"

const th_guide *const *th_guides(void) {
  static const th_guide *const list[] = {
      &th_guide_field, &th_guide_reference_points, &th_guide_path, &th_guide_explore, &th_guide_user, NULL};
  return list;
}

const th_guide *th_guide_find(const char *name) {
  for (const th_guide *const *guide = th_guides(); *guide; guide++)
    if (!strcmp((*guide)->name, name)) return *guide;
  return NULL;
}
