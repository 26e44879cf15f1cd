/* geometry/shape.c - shapes that own their points: worlds and requests keep them longer than their callers do. */
#include "geometry/shape.h"

#include <string.h>

#include "base/memory.h"

bool th_shape_copy(const th_allocator *allocator, const th_shape *from, th_shape *to) {
  th_vec2 *point = TH_TAKE(allocator, th_vec2, from->count);
  float *z = from->z ? TH_TAKE(allocator, float, from->count) : NULL;
  *to = *from;
  to->point = point;
  to->z = z;
  if (!point || (from->z && !z)) {
    th_shape_free(allocator, to);
    return false;
  }
  memcpy(point, from->point, sizeof *point * from->count);
  if (z) memcpy(z, from->z, sizeof *z * from->count);
  return true;
}

void th_shape_free(const th_allocator *allocator, th_shape *shape) {
  th_give(allocator, (void *)(uintptr_t)shape->point, shape->count, sizeof *shape->point);
  th_give(allocator, (void *)(uintptr_t)shape->z, shape->count, sizeof *shape->z);
  *shape = (th_shape){0};
}

bool th_shape_same(const th_shape *a, const th_shape *b) {
  if (a->kind != b->kind || a->count != b->count || a->radius != b->radius || a->level != b->level) return false;
  if (!a->z != !b->z || (a->z && memcmp(a->z, b->z, sizeof *a->z * a->count) != 0)) return false;
  return !a->count || memcmp(a->point, b->point, sizeof *a->point * a->count) == 0;
}
