/* view/in_sight.c - the nearest whom no wall hides.
 *
 * Hidden agents must not take the places of those in sight. But mostly no wall stands between neighbours, and to test
 * every candidate against every wall costs more than the search. So the search goes first; picks that a wall hides are
 * barred for their lane, and lanes that lost somebody search again, until all that they pick are in sight. Bars are
 * layers of another kind, so the search knows nothing of them: the word of a candidate holds the lanes that may pick
 * it, the word of a lane its own bit. (The specification of Popelova 2011 lists whom an agent sees.) Cost: where nobody
 * is hidden, that of th_view_visible; else a search more for each K hidden agents who are nearer than the last pick.
 */
#include <math.h>
#include <string.h>

#include "view/view.h"

#define EVERY_LANE 0xffffu

static const uint32_t bit_of[TH_VIEW_LANES] = {1u << 0,  1u << 1,  1u << 2,  1u << 3, 1u << 4,  1u << 5,
                                               1u << 6,  1u << 7,  1u << 8,  1u << 9, 1u << 10, 1u << 11,
                                               1u << 12, 1u << 13, 1u << 14, 1u << 15};

/* Candidates that nobody has looked at may be picked by all lanes that avoid their layers. */
static void open_all(th_view_scratch *scratch, bool layered, uint32_t first, uint32_t last) {
  for (uint32_t c = first; c < last; c++) {
    uint32_t open = layered ? 0 : EVERY_LANE;
    for (uint32_t lane = 0; layered && lane < TH_VIEW_LANES; lane++)
      if (scratch->avoids[lane] & scratch->nlayers[c]) open |= bit_of[lane];
    scratch->nopen[c] = open;
  }
}

static void bar(th_view_scratch *scratch, bool layered, uint32_t candidate, uint32_t lane) {
  if (!scratch->barred) {
    open_all(scratch, layered, 0, scratch->view.neighbours.count);
    scratch->nearest.avoids = bit_of;
    scratch->nearest.clayers = scratch->nopen;
    scratch->barred = true;
  }
  scratch->nopen[candidate] &= ~bit_of[lane];
}

bool th_view_in_sight_bar(th_view_scratch *scratch, const th_view_source *source) {
  float range[TH_VIEW_LANES];
  uint32_t seen[TH_MAX_NEAREST];
  bool any = false;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) range[lane] = INFINITY;
  th_view_visible(&scratch->view, range, seen, source->simd);
  for (uint32_t q = 0; q < 4; q++) scratch->nearest.known[q] = true;
  scratch->nearest.moved = 0;
  for (uint32_t k = 0; k < scratch->nearest.k; k++) {
    for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
      const uint32_t pick = scratch->pick[k * TH_VIEW_LANES + lane];
      if (pick == TH_NO_PICK || seen[k] & bit_of[lane]) continue;
      bar(scratch, source->order->layered, pick, lane);
      scratch->nearest.known[lane / 4] = false;
      any = true;
    }
  }
  return any;
}

/* Numbers only grow when candidates are added, so runs are moved from the last to the first, in place. */
void th_view_in_sight_move_bars(th_view_scratch *scratch, const th_view_source *source, uint32_t count) {
  const th_nearest *s = &scratch->nearest;
  const bool layered = source->order->layered;
  uint32_t end = scratch->view.neighbours.count;
  for (uint32_t run = s->moved; run-- > 0; count = s->moved_from[run]) {
    const uint32_t from = s->moved_from[run], size = count - from, to = from + s->moved_by[run];
    memmove(scratch->nopen + to, scratch->nopen + from, size * sizeof *scratch->nopen);
    open_all(scratch, layered, to + size, end);
    end = to;
  }
  open_all(scratch, layered, 0, end);
}
