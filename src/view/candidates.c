/* view/candidates.c - copies the agents around a view into small arrays.
 *
 * Slots are sorted row by row, so a rectangle of clusters is one run of slots per row. The copy keeps slot order, so
 * the order of candidates does not depend on the size of the rectangle. It costs a few nanoseconds per agent and gives
 * arrays that fit the first-level cache and have the same layout on flat ground and on meshes.
 */
#include "view/view.h"

typedef struct run {
  uint32_t first, count;
} run;

/* Slots of one row of clusters between two columns. */
static run row_run(const th_order *order, uint32_t row, uint32_t column0, uint32_t column1) {
  const uint32_t *start = order->start + (size_t)row * order->grid.columns;
  return (run){start[column0], start[column1 + 1] - start[column0]};
}

/* Numbers of the lanes of one row among the candidates. */
static void name_lanes(th_view_scratch *room, uint32_t row, uint32_t shift) {
  if (room->box.row == room->box.row1) {
    for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) room->own[lane] = room->slot[lane] + shift;
    return;
  }
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++)
    room->own[lane] = room->at_row[lane] == row ? room->slot[lane] + shift : room->own[lane];
}

static void note_row(th_view_scratch *room, uint32_t row, uint32_t at, uint32_t shift) {
  if (row >= TH_NEAREST_RUNS) return;
  room->row_at[row] = at;
  room->shift[row] = shift;
}

bool th_candidates_copy(th_view_scratch *room, const th_order *order, const th_rectangle *box, uint32_t rings,
                        th_simd simd) {
  uint32_t column0 = box->column0 > rings ? box->column0 - rings : 0, column1 = box->column1 + rings;
  uint32_t row0 = box->row > rings ? box->row - rings : 0, row1 = box->row1 + rings;
  if (column1 >= order->grid.columns) column1 = order->grid.columns - 1;
  if (row1 >= order->grid.rows) row1 = order->grid.rows - 1;
  uint32_t at = 0;
  room->row0 = row0;
  room->rows = row1 - row0 + 1;
  room->run_first[0] = room->run_last[0] = 0;
  for (uint32_t row = row0; row <= row1; row++) {
    run source = row_run(order, row, column0, column1);
    if (at + source.count > TH_MAX_CANDIDATES) return false;
    TH_LANES_PICK(simd, th_candidates_append)(room, order, source.first, source.count, at);
    note_row(room, row - row0, at, at - source.first);
    if (row == box->row) room->run_first[0] = at;
    if (row - box->row <= box->row1 - box->row) {
      room->run_last[0] = at + source.count;
      name_lanes(room, row, at - source.first);
    }
    at += source.count;
  }
  room->run_first[1] = 0;
  room->run_last[1] = room->run_first[0];
  room->run_first[2] = room->run_last[0];
  room->run_last[2] = at;
  TH_LANES_PICK(simd, th_candidates_pad)(room, at);
  room->view.neighbours.count = at;
  return true;
}
