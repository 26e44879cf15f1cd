/* io/mesh/move.c - shifts the points of a mesh file in its bytes, before they are read.
 *
 * The reading library keeps a coordinate in 32 bits: at 5,500,000 m, a usual northing, that is half a metre, and no
 * shift afterwards brings the rest back. The checks parse every coordinate in double precision anyway; with a mover
 * they replace it by the shifted one. Formats whose points have 32 bits in the file lose nothing and need none of this.
 * Cost: one copy of the file.
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/mesh/check.h"

static void append(th_mesh_mover *m, const void *bytes, size_t count) {
  void *all = m->bytes;
  if (m->failed || count > UINT32_MAX - m->size ||
      !th_grow(m->allocator, &all, &m->capacity, m->size + (uint32_t)count, 1))
    m->failed = true;
  m->bytes = all;
  if (m->failed || count == 0) return;
  memcpy(m->bytes + m->size, bytes, count);
  m->size += (uint32_t)count;
}

static void replace(const th_mesh_source *source, size_t begin, size_t end, const void *bytes, size_t count) {
  th_mesh_mover *m = source->mover;
  append(m, source->bytes + m->from, begin - m->from);
  append(m, bytes, count);
  m->from = end;
}

void th_mesh_move_text(const th_mesh_source *source, size_t end, uint32_t axis, double value) {
  char text[32];
  size_t begin = end;
  if (!source->mover) return;
  while (begin > source->mover->from && source->bytes[begin - 1] > ' ') begin--;
  int length = snprintf(text, sizeof text, "%.9g", value + source->mover->shift[axis]);
  replace(source, begin, end, text, (size_t)length);
}

void th_mesh_move_raw(const th_mesh_source *source, size_t end, uint32_t size, bool big, uint32_t axis, double value) {
  uint8_t raw[8], turned[8];
  if (!source->mover) return;
  double moved = value + source->mover->shift[axis];
  float narrow = (float)moved;
  memcpy(raw, size == 8 ? (const void *)&moved : (const void *)&narrow, size);
  for (uint32_t k = 0; k < size; k++) turned[k] = raw[big ? size - 1 - k : k];
  replace(source, end - size, end, turned, size);
}

bool th_mesh_move_end(const th_mesh_source *source) {
  replace(source, source->size, source->size, NULL, 0);
  return !source->mover->failed;
}

void th_mesh_move_free(th_mesh_mover *mover) {
  TH_GIVE(mover->allocator, mover->bytes, mover->capacity);
  mover->bytes = NULL;
}
