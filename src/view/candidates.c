/* view/candidates.c - copies the agents around a view into small arrays.
 *
 * Slots are sorted row by row, so a rectangle of clusters is one run of slots a row. The copy keeps slot order, which
 * numbers candidates the same way whatever the size of the rectangle. It costs a few nanoseconds an agent and buys
 * arrays that lie in the first-level cache and look the same on flat ground and on meshes.
 */
#include <string.h>

#include "view.h"

typedef struct run {
  uint32_t first, count;
} run;

/* Slots of one row of clusters between two columns. */
static run row_run(const th_order *order, uint32_t row, uint32_t column0, uint32_t column1) {
  const uint32_t *start = order->start + (size_t)row * order->columns;
  return (run){start[column0], start[column1 + 1] - start[column0]};
}

/* Short runs: a loop of whole registers beats a call of memcpy. Both sides have 16 entries of padding. */
static void copy_words(uint32_t *to, const uint32_t *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i += 8) memcpy(to + i, from + i, 8 * sizeof *to);
}

static void copy_floats(float *to, const float *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i += 8) memcpy(to + i, from + i, 8 * sizeof *to);
}

static void append(th_view_room *room, const th_order *order, run source, uint32_t at) {
  copy_floats(room->nx + at, order->x + source.first, source.count);
  copy_floats(room->ny + at, order->y + source.first, source.count);
  copy_floats(room->nvx + at, order->vx + source.first, source.count);
  copy_floats(room->nvy + at, order->vy + source.first, source.count);
  copy_floats(room->nradius + at, order->radius + source.first, source.count);
  copy_floats(room->nshare + at, order->share + source.first, source.count);
  copy_words(room->nlayers + at, order->layers + source.first, source.count);
  for (uint32_t i = 0; i < source.count; i++) room->nslot[at + i] = source.first + i;
}

uint32_t th_candidates_pad(th_view_room *room, uint32_t count) {
  for (uint32_t i = count; i < count + 16; i++) {
    room->nx[i] = room->ny[i] = 1e15f;
    room->nvx[i] = room->nvy[i] = room->nradius[i] = room->nshare[i] = 0.0f;
    room->nlayers[i] = 0;
    room->nslot[i] = UINT32_MAX;
  }
  return count;
}

bool th_candidates_copy(th_view_room *room, const th_order *order, const th_rectangle *box, uint32_t rings) {
  uint32_t column0 = box->column0 > rings ? box->column0 - rings : 0, column1 = box->column1 + rings;
  uint32_t row0 = box->row > rings ? box->row - rings : 0, row1 = box->row + rings;
  if (column1 >= order->columns) column1 = order->columns - 1;
  if (row1 >= order->rows) row1 = order->rows - 1;
  uint32_t total = 0;
  for (uint32_t row = row0; row <= row1; row++) total += row_run(order, row, column0, column1).count;
  if (total > TH_MOST_CANDIDATES) return false;
  room->column0 = column0;
  uint32_t at = 0;
  room->run_first[0] = room->run_last[0] = 0;
  for (uint32_t row = row0; row <= row1; row++) {
    run source = row_run(order, row, column0, column1);
    append(room, order, source, at);
    if (row == box->row) {
      room->run_first[0] = at;
      room->run_last[0] = at + source.count;
    }
    at += source.count;
  }
  room->run_first[1] = 0;
  room->run_last[1] = room->run_first[0];
  room->run_first[2] = room->run_last[0];
  room->run_last[2] = at;
  room->view.near.count = th_candidates_pad(room, at);
  return true;
}
