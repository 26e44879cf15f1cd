/* view/neighbours.c - the neighbours in a view: candidates, and the K nearest of each agent.
 *
 * All lanes share one list of candidates. For the K nearest we scan the clusters around the lanes, then widen the
 * rectangle ring by ring until every lane's K-th distance lies inside what was scanned: a lane is done when no agent
 * outside can be nearer. Each group of four lanes has its own rectangle within what was copied, and groups that are
 * done are left out when it widens. Cost for one person per square metre and K = 10: about 60 ns per agent with AVX2.
 */
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "view/view.h"

/* The clusters that hold lanes; rows ascend from lane to lane. */
void th_view_find_boxes(th_view_scratch *scratch, const th_order *order) {
  uint32_t columns = order->grid.columns, row = 0, base = 0, column[TH_VIEW_LANES];
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    uint32_t cluster = order->cluster[order->row[scratch->slot[lane]]];
    if (cluster - base >= columns) {
      row = cluster / columns;
      base = row * columns;
    }
    scratch->at_row[lane] = row;
    column[lane] = cluster - base;
  }
  th_rectangle *box = &scratch->box;
  *box = (th_rectangle){column[0], column[0], scratch->at_row[0], row};
  for (uint32_t q = 0; q < 4; q++) {
    const uint32_t *c = column + 4 * q, *r = scratch->at_row + 4 * q;
    uint32_t low = th_min_u32(th_min_u32(c[0], c[1]), th_min_u32(c[2], c[3]));
    uint32_t high = th_max_u32(th_max_u32(c[0], c[1]), th_max_u32(c[2], c[3]));
    scratch->quarters.column0[q] = low;
    scratch->quarters.column1[q] = high;
    scratch->quarters.row[q] = r[0];
    scratch->quarters.row1[q] = r[3];
    box->column0 = th_min_u32(box->column0, low);
    box->column1 = th_max_u32(box->column1, high);
  }
}

/* What was scanned for each four lanes [m]: their own clusters and the rings around them. There is no agent beyond the
 * ground's border. */
typedef struct extents {
  float x0[4], y0[4], x1[4], y1[4];
} extents;

static void find_extents(const th_order *order, const th_quarters *of, uint32_t rings, extents *e) {
  float side = order->grid.side, x0 = order->grid.x0, y0 = order->grid.y0;
  int32_t far = (int32_t)rings, columns = (int32_t)order->grid.columns, rows = (int32_t)order->grid.rows;
  for (uint32_t q = 0; q < 4; q++) {
    int32_t left = (int32_t)of->column0[q] - far, right = (int32_t)of->column1[q] + far + 1;
    int32_t below = (int32_t)of->row[q] - far, above = (int32_t)of->row1[q] + far + 1;
    e->x0[q] = left > 0 ? x0 + (float)left * side : -1e30f;
    e->x1[q] = right < columns ? x0 + (float)right * side : 1e30f;
    e->y0[q] = below > 0 ? y0 + (float)below * side : -1e30f;
    e->y1[q] = above < rows ? y0 + (float)above * side : 1e30f;
  }
}

/* The box of all lanes, four times. */
static th_quarters all_of(const th_rectangle *box) {
  th_quarters all;
  for (uint32_t q = 0; q < 4; q++) {
    all.column0[q] = box->column0;
    all.column1[q] = box->column1;
    all.row[q] = box->row;
    all.row1[q] = box->row1;
  }
  return all;
}

/* Distance from each lane to the border of what was scanned for it. Rounding decides the cluster of a place on a
 * border; the small margin allows for it. */
static void cover_lanes(const th_view_scratch *scratch, const th_order *order, uint32_t rings,
                        float cover[TH_VIEW_LANES]) {
  const float *px = scratch->view.x, *py = scratch->view.y;
  extents e;
  if (scratch->rings) {
    find_extents(order, &scratch->quarters, rings, &e);
  } else {
    th_quarters all = all_of(&scratch->box);
    find_extents(order, &all, rings, &e);
  }
  for (uint32_t q = 0; q < 4; q++) {
    for (uint32_t lane = 4 * q; lane < 4 * q + 4; lane++) {
      float x = th_min(px[lane] - e.x0[q], e.x1[q] - px[lane]), y = th_min(py[lane] - e.y0[q], e.y1[q] - py[lane]);
      cover[lane] = th_min(x, y) * 0.9999f;
    }
  }
}

/* The rows that were copied: those of the lanes first, then outwards. */
static void list_rows(const th_view_scratch *scratch, uint32_t list[TH_NEAREST_RUNS]) {
  uint32_t count = 0, row = scratch->box.row, row1 = scratch->box.row1, end = scratch->row0 + scratch->rows;
  for (uint32_t r = row; r <= row1; r++) list[count++] = r;
  while (count < scratch->rows) {
    if (row > scratch->row0) list[count++] = --row;
    if (row1 + 1 < end) list[count++] = ++row1;
  }
}

/* The candidates around each group of four lanes, one run per row. */
static void quarter_runs(th_view_scratch *scratch, const th_order *order) {
  const th_quarters own = scratch->quarters;
  uint32_t rings = scratch->rings, max = order->grid.columns - 1, rows[TH_NEAREST_RUNS], column0[4], column1[4],
           high[4];
  list_rows(scratch, rows);
  for (uint32_t q = 0; q < 4; q++) {
    column0[q] = own.column0[q] - th_min_u32(own.column0[q], rings);
    column1[q] = th_min_u32(own.column1[q] + rings, max) + 1;
    high[q] = own.row1[q] - own.row[q] + 2 * rings;
  }
  for (uint32_t run = 0; run < scratch->rows; run++) {
    const uint32_t *start = order->start + (size_t)rows[run] * order->grid.columns;
    uint32_t shift = scratch->shift[rows[run] - scratch->row0];
    for (uint32_t q = 0; q < 4; q++) {
      /* a mask: a branch would be hard to predict */
      uint32_t far = 0u - (uint32_t)(rows[run] + rings - own.row[q] > high[q]);
      scratch->nearest.first[run][q] = (start[column0[q]] + shift) | far; /* TH_NO_RUN */
      scratch->nearest.last[run][q] = (start[column1[q]] + shift) & ~far;
    }
  }
}

static void choose_runs(th_view_scratch *scratch, const th_order *order) {
  th_nearest *s = &scratch->nearest;
  s->runs = scratch->rings ? scratch->rows : 3;
  if (scratch->rings) quarter_runs(scratch, order);
  for (uint32_t run = 0; !scratch->rings && run < 3; run++) {
    for (uint32_t q = 0; q < 4; q++) {
      s->first[run][q] = scratch->run_first[run];
      s->last[run][q] = scratch->run_last[run];
    }
  }
}

static void search(th_view_scratch *scratch, const th_view_source *source) {
  choose_runs(scratch, source->order);
  if (scratch->view.neighbours.count <= TH_MAX_KEYED)
    TH_LANES_PICK(source->simd, th_nearest_find)(&scratch->nearest);
  else
    th_nearest_find_many(&scratch->nearest);
}

static void begin_search(th_view_scratch *scratch, const th_view_source *source, const th_view_need *need) {
  const th_order *order = source->order;
  for (uint32_t lane = 0; order->layered && lane < TH_VIEW_LANES; lane++)
    scratch->avoids[lane] = source->columns.avoids[scratch->row[lane]];
  th_nearest *s = &scratch->nearest;
  s->x = scratch->view.x;
  s->y = scratch->view.y;
  s->avoids = order->layered ? scratch->avoids : NULL;
  s->clayers = scratch->nlayers;
  s->reach = need->reach;
  s->k = need->nearest;
  memset(s->known, 0, sizeof s->known);
  scratch->barred = false;
  scratch->view.neighbours.pick_count = need->nearest;
  search(scratch, source);
}

/* Notes which groups of four lanes are done; the k-th distance was truncated down by at most 2^-14 of its value. */
static bool all_done(th_view_scratch *scratch, const float cover[TH_VIEW_LANES], float reach) {
  uint32_t any = 0;
  for (uint32_t q = 0; q < 4; q++) {
    uint32_t open = 0;
    for (uint32_t lane = 4 * q; lane < 4 * q + 4; lane++)
      open |= cover[lane] < reach && scratch->farthest[lane] * 1.0001f >= cover[lane] * cover[lane];
    scratch->nearest.known[q] = !open;
    any |= open;
  }
  return !any;
}

/* No lane's K-th neighbour is farther away than `cover`. */
static bool known_within(const th_view_scratch *scratch, float cover) {
  uint32_t open = !scratch->view.neighbours.pick_count;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) open |= scratch->farthest[lane] * 1.0001f >= cover * cover;
  return !open;
}

/* Copies as many rings as asked for and as the scratch memory holds; returns how many. */
uint32_t th_view_copy_rings(th_view_scratch *scratch, const th_view_source *source, const th_rectangle *box,
                            uint32_t rings) {
  while (!th_candidates_copy(scratch, source->order, box, rings, source->simd)) {
    if (!rings) {
      scratch->view.neighbours.count = 0;
      break;
    }
    rings--;
  }
  return rings;
}

/* Copies one ring more than before and searches again for lanes that are not done; the picks of the others get new
 * numbers. False when the memory is full: then all lanes scan all candidates, because registers of another width would
 * scan another union of quarters, and the result must not depend on the width. */
static bool widen(th_view_scratch *scratch, const th_view_source *source, uint32_t rings) {
  th_nearest *s = &scratch->nearest;
  uint32_t row0 = scratch->row0, rows = scratch->rows, count = scratch->view.neighbours.count, shift[TH_NEAREST_RUNS];
  memcpy(s->moved_from, scratch->row_at, sizeof scratch->row_at);
  memcpy(shift, scratch->shift, sizeof shift);
  bool wider = th_view_copy_rings(scratch, source, &scratch->box, rings) == rings,
       few = scratch->rows <= TH_NEAREST_RUNS;
  scratch->rings = wider && few ? rings : 0;
  s->moved = few ? rows : 0;
  for (uint32_t r = 0; r < s->moved; r++) s->moved_by[r] = scratch->shift[r + row0 - scratch->row0] - shift[r];
  for (uint32_t q = 0; q < 4; q++) s->known[q] &= few;
  if (scratch->barred) th_view_in_sight_move_bars(scratch, source, count);
  return wider;
}

/* Searches again for lanes that have picked somebody behind a wall; false: none has. */
static bool search_in_sight(th_view_scratch *scratch, const th_view_source *source) {
  if (!th_view_in_sight_bar(scratch, source)) return false;
  search(scratch, source);
  return true;
}

/* Candidates alone need rings enough for the reach; the K nearest start with one ring and widen. When a crowd is too
 * dense for the scratch memory, the rectangle stays smaller and `cover` tells its extent. */
void th_view_fill_neighbours(th_view_scratch *scratch, const th_view_source *source, const th_view_need *need) {
  const th_order *order = source->order;
  /* a little more than the reach, so that rounding at a cluster's border hides no agent */
  float wide = floorf(need->reach * order->grid.inverse * 1.001f) + 1.0f,
        max = (float)(order->grid.columns + order->grid.rows);
  uint32_t enough = (uint32_t)th_min(wide, max > 1.0f ? max : 1.0f), asked = need->see & TH_SEE_NEIGHBOURS ? enough : 1;
  uint32_t rings = th_view_copy_rings(scratch, source, &scratch->box, asked);
  bool full = rings < asked;
  float cover[TH_VIEW_LANES], min = th_min(need->reach, source->cover);
  scratch->rings = !full && scratch->rows <= TH_NEAREST_RUNS ? rings : 0;
  cover_lanes(scratch, order, rings, cover);
  if (need->see & TH_SEE_NEAREST && scratch->view.neighbours.count) {
    begin_search(scratch, source, need);
    do {
      while (!full && rings < enough && !all_done(scratch, cover, need->reach)) {
        full = !widen(scratch, source, rings + 1);
        rings += !full;
        cover_lanes(scratch, order, rings, cover);
        search(scratch, source);
      }
    } while (need->see & TH_SEE_IN_SIGHT && search_in_sight(scratch, source));
    scratch->view.neighbours.in_sight = need->see & TH_SEE_IN_SIGHT;
  }
  scratch->whole = source->cover >= need->reach || full || known_within(scratch, source->cover);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) min = th_min(min, cover[lane]);
  scratch->view.neighbours.cover = scratch->view.neighbours.count ? min : 0.0f;
}
