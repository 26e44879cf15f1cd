/* model/biocrowds/own.c - first pass: every marker of a patch gets its owner.
 *
 * A marker belongs to the nearest agent, of any model, from which no wall hides it. Agents around the patch are sorted
 * into squares of a metre; then rows of markers go through the kernel, sixteen at a time. Where the nearest agent is
 * farther from the marker than the nearest wall, a wall may stand between them: for such a marker agents are tested one
 * by one. Cost: about 60 ns per agent at 17.5 markers and one agent per square metre.
 */
#include "model/biocrowds/own.h"

#include <math.h>
#include <string.h>

#include "view/markers.h"

#define SIDE 1.0f      /* [m] */
#define CLEAR 0.9f     /* of a marker's clearance: on saddles it may be some percent too long */
#define ROUNDING 1e-3f /* [m]: markers may lie so far outside their square */

static void lay_squares(th_own_crowd *c, const th_neighbours *n) {
  float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, side = SIDE;
  for (uint32_t k = 0; k < n->count; k++) {
    x0 = n->x[k] < x0 ? n->x[k] : x0;
    x1 = n->x[k] > x1 ? n->x[k] : x1;
    y0 = n->y[k] < y0 ? n->y[k] : y0;
    y1 = n->y[k] > y1 ? n->y[k] : y1;
  }
  for (;; side *= 1.25f) {
    float columns = floorf((x1 - x0) / side) + 1.0f, rows = floorf((y1 - y0) / side) + 1.0f;
    if (columns * rows > (float)TH_OWN_SQUARES) continue;
    c->columns = (uint32_t)columns;
    c->rows = (uint32_t)rows;
    break;
  }
  c->x0 = x0;
  c->y0 = y0;
  c->inverse = 1.0f / side;
}

static void sort(th_own_crowd *c, const th_view *view) {
  const th_neighbours *n = &view->neighbours;
  const uint32_t *world_of = view->markers.world_of, squares = c->columns * c->rows;
  uint32_t *start = c->start;
  memset(start, 0, sizeof *start * (squares + 1));
  for (uint32_t k = 0; k < n->count; k++) {
    c->square[k] = th_cell_square(n->y[k], c->y0, c->inverse, c->rows) * c->columns +
                   th_cell_square(n->x[k], c->x0, c->inverse, c->columns);
    start[c->square[k] + 1]++;
  }
  for (uint32_t s = 0; s < squares; s++) start[s + 1] += start[s];
  for (uint32_t k = 0; k < n->count; k++) {
    const uint32_t at = start[c->square[k]]++, slot = n->slot[k];
    c->x[at] = n->x[k];
    c->y[at] = n->y[k];
    c->slot[at] = (int32_t)(world_of ? world_of[slot] : slot);
  }
  memmove(start + 1, start, sizeof *start * squares);
  start[0] = 0;
  c->count = n->count;
}

/* The nearest agent that sees the marker, by definition; -1: none. */
static int32_t nearest_seeing(const th_view *view, const th_own_crowd *c, uint32_t entry) {
  const float x = view->markers.x[entry], y = view->markers.y[entry];
  float best = c->reach * c->reach;
  int32_t owner = -1;
  for (uint32_t n = 0; n < c->count; n++) {
    const float dx = x - c->x[n], dy = y - c->y[n], d2 = dx * dx + dy * dy;
    if (d2 > best || (d2 == best && owner >= 0 && c->slot[n] > owner)) continue;
    if (!th_view_marker_seen(view, c->x[n], c->y[n], entry)) continue;
    best = d2;
    owner = c->slot[n];
  }
  return owner;
}

static void own_block(const th_work *work, th_own_batch *b, uint32_t first) {
  const th_view_markers *m = &work->view->markers;
  const th_biocrowds_shared *shared = work->shared;
  TH_LANES_PICK(work->simd, th_biocrowds_own_nearest)(b);
  for (uint32_t k = 0; k < b->count; k++) {
    const uint32_t entry = first + k, number = m->number ? m->number[entry] : entry;
    const float clear = CLEAR * m->clearance[entry];
    int32_t owner = b->owner[k];
    if (owner >= 0 && b->square[k] > clear * clear) owner = nearest_seeing(work->view, b->crowd, entry);
    shared->owner[number] = (uint32_t)owner;
  }
}

void th_biocrowds_own(const th_work *work) {
  const th_view *view = work->view;
  const th_view_markers *m = &view->markers;
  th_own_crowd *crowd = work->scratch;
  lay_squares(crowd, &view->neighbours);
  sort(crowd, view);
  crowd->reach = m->reach - TH_OWN_MARGIN;
  th_own_batch b = {.crowd = crowd};
  const float side = 1.0f / m->inverse;
  for (uint32_t j = m->j0; j < m->j1; j++) {
    b.y0 = m->y0 + side * (float)j - ROUNDING;
    b.y1 = b.y0 + side + 2.0f * ROUNDING;
    const uint32_t end = m->start[j * m->columns + m->i1];
    for (uint32_t at = m->start[j * m->columns + m->i0]; at < end; at += 16) {
      b.count = end - at < 16 ? end - at : 16;
      b.x = m->x + at;
      b.y = m->y + at;
      b.x0 = m->x0 + side * floorf((b.x[0] - m->x0) * m->inverse) - ROUNDING;
      b.x1 = m->x0 + side * (floorf((b.x[b.count - 1] - m->x0) * m->inverse) + 1.0f) + ROUNDING;
      own_block(work, &b, at);
    }
  }
}
