/* view/candidates.c - copies the agents around a view into small arrays.
 *
 * Slots are sorted row by row, so a rectangle of clusters is one run of slots a row. The copy keeps slot order, which
 * numbers candidates the same way whatever the size of the rectangle. It costs a few nanoseconds an agent and buys
 * arrays that lie in the first-level cache and look the same on flat ground and on meshes.
 */
#include "view.h"

typedef struct run {
  uint32_t first, count;
} run;

/* Slots of one row of clusters between two columns. */
static run row_run(const th_order *order, uint32_t row, uint32_t column0, uint32_t column1) {
  const uint32_t *start = order->start + (size_t)row * order->columns;
  return (run){start[column0], start[column1 + 1] - start[column0]};
}

bool th_candidates_copy(th_view_room *room, const th_order *order, const th_rectangle *box, uint32_t rings,
                        th_simd simd) {
  uint32_t column0 = box->column0 > rings ? box->column0 - rings : 0, column1 = box->column1 + rings;
  uint32_t row0 = box->row > rings ? box->row - rings : 0, row1 = box->row1 + rings;
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
    TH_LANES_PICK(simd, th_candidates_append)(room, order, source.first, source.count, at);
    if (row == box->row) room->run_first[0] = at;
    if (row >= box->row && row <= box->row1) room->run_last[0] = at + source.count;
    at += source.count;
  }
  room->run_first[1] = 0;
  room->run_last[1] = room->run_first[0];
  room->run_first[2] = room->run_last[0];
  room->run_last[2] = at;
  TH_LANES_PICK(simd, th_candidates_pad)(room, at);
  room->view.near.count = at;
  return true;
}
