/* ground/markers/index.c - markers in the order of squares or faces, as models read them.
 *
 * Squares are two and a half marker distances wide: those that a circle of six distances touches are six rows of about
 * thirty markers each, which are read sixteen at a time. Cost: two passes over the markers, and their clearance, some
 * 50 ns each.
 */
#include <math.h>

#include "base/memory.h"
#include "geometry/vector.h"
#include "ground/markers/markers.h"
#include "ground/mesh/ground.h"

#define SQUARE 2.5 /* marker distances */

static bool take(th_markers *set, const th_allocator *a) {
  th_marker_index *x = &set->index;
  const size_t padded = (size_t)set->count + TH_MARKER_PAD;
  set->place = TH_TAKE(a, th_place, set->count);
  x->start = TH_TAKE(a, uint32_t, (size_t)x->columns * x->rows + 1);
  x->x = TH_TAKE(a, float, padded);
  x->y = TH_TAKE(a, float, padded);
  x->clearance = TH_TAKE(a, float, padded);
  return set->place && x->start && x->x && x->y && x->clearance;
}

void th_marker_index_free(th_markers *set) {
  const th_allocator *a = &set->allocator;
  th_marker_index *x = &set->index;
  const size_t padded = (size_t)set->count + TH_MARKER_PAD;
  TH_GIVE(a, set->place, set->count);
  TH_GIVE(a, x->start, (size_t)x->columns * x->rows + 1);
  TH_GIVE(a, x->x, padded);
  TH_GIVE(a, x->y, padded);
  TH_GIVE(a, x->clearance, padded);
}

static void lay(th_marker_index *x, const th_ground *ground, double distance) {
  if (th_ground_is_mesh(ground)) {
    x->columns = ground->mesh->mesh.face_count;
    x->rows = 1;
    return;
  }
  const th_box *b = &ground->bounds;
  double side = SQUARE * distance;
  while ((b->x1 - b->x0) / side * ((b->y1 - b->y0) / side) > (double)TH_MAX_CELLS) side *= 2.0;
  x->x0 = (float)b->x0;
  x->y0 = (float)b->y0;
  x->side = (float)side;
  x->inverse = 1.0f / x->side;
  x->columns = (uint32_t)((b->x1 - b->x0) / side) + 1;
  x->rows = (uint32_t)((b->y1 - b->y0) / side) + 1;
}

static uint32_t bin_of(const th_marker_index *x, th_place p) {
  if (!(x->side > 0.0f)) return p.cell;
  return th_bin((p.y - x->y0) * x->inverse, x->rows) * x->columns + th_bin((p.x - x->x0) * x->inverse, x->columns);
}

bool th_marker_index_make(th_markers *set, const th_ground *ground) {
  th_marker_index *x = &set->index;
  lay(x, ground, (double)set->def.distance);
  if (!take(set, &set->allocator)) return false;
  const uint32_t bins = x->columns * x->rows;
  for (uint32_t n = 0; n < set->count; n++) x->start[bin_of(x, set->by_tile[n]) + 1]++;
  for (uint32_t c = 0; c < bins; c++) x->start[c + 1] += x->start[c];
  for (uint32_t n = 0; n < set->count; n++) set->place[x->start[bin_of(x, set->by_tile[n])]++] = set->by_tile[n];
  for (uint32_t c = bins; c > 0; c--) x->start[c] = x->start[c - 1];
  x->start[0] = 0;
  for (uint32_t n = 0; n < set->count; n++) {
    x->x[n] = set->place[n].x;
    x->y[n] = set->place[n].y;
    x->clearance[n] = set->def.through_walls ? INFINITY : th_ground_clearance_at(ground, set->place[n]);
  }
  return true;
}
