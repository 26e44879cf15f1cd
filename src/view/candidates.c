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
static void name_lanes(th_view_scratch *scratch, uint32_t row, uint32_t shift) {
  if (scratch->box.row == scratch->box.row1) {
    for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) scratch->own[lane] = scratch->slot[lane] + shift;
    return;
  }
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++)
    scratch->own[lane] = scratch->at_row[lane] == row ? scratch->slot[lane] + shift : scratch->own[lane];
}

static void note_row(th_view_scratch *scratch, uint32_t row, uint32_t at, uint32_t shift) {
  if (row >= TH_NEAREST_RUNS) return;
  scratch->row_at[row] = at;
  scratch->shift[row] = shift;
}

bool th_candidates_copy(th_view_scratch *scratch, const th_order *order, const th_rectangle *box, uint32_t rings,
                        th_simd simd) {
  uint32_t column0 = box->column0 > rings ? box->column0 - rings : 0, column1 = box->column1 + rings;
  uint32_t row0 = box->row > rings ? box->row - rings : 0, row1 = box->row1 + rings;
  if (column1 >= order->grid.columns) column1 = order->grid.columns - 1;
  if (row1 >= order->grid.rows) row1 = order->grid.rows - 1;
  uint32_t at = 0;
  scratch->row0 = row0;
  scratch->rows = row1 - row0 + 1;
  scratch->run_first[0] = scratch->run_last[0] = 0;
  for (uint32_t row = row0; row <= row1; row++) {
    run source = row_run(order, row, column0, column1);
    if (at + source.count > TH_MAX_CANDIDATES) return false;
    TH_LANES_PICK(simd, th_candidates_append)(scratch, order, source.first, source.count, at);
    note_row(scratch, row - row0, at, at - source.first);
    if (row == box->row) scratch->run_first[0] = at;
    if (row - box->row <= box->row1 - box->row) {
      scratch->run_last[0] = at + source.count;
      name_lanes(scratch, row, at - source.first);
    }
    at += source.count;
  }
  scratch->run_first[1] = 0;
  scratch->run_last[1] = scratch->run_first[0];
  scratch->run_first[2] = scratch->run_last[0];
  scratch->run_last[2] = at;
  TH_LANES_PICK(simd, th_candidates_pad)(scratch, at);
  scratch->view.neighbours.count = at;
  return true;
}
