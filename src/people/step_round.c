/* people/step_round.c - people do not follow somebody slow for ever.
 *
 * Somebody close ahead stands in all five directions that people compare (room_ahead.c). People who are held up by it
 * step round it where the ground is clear of people for some metres: in the open nobody follows a slow one for ever,
 * and in a crowd, where there is no such room, nobody steps out of its stream. Only people under full pressure do so.
 * Cost: next to nothing, as few are.
 */
#include <math.h>

#include "geometry/vector.h"
#include "people/room_ahead.h"

#define PAST 0.82f /* half width of the strip for it, of both bodies: those that touch are passed at 1 rad */

/* How many stand in direction u within `range` [m], in a strip of half width `wide` l. UINT32_MAX where all of the
 * nearest are closer than that, for others may stand behind them, and where somebody comes: a stream against this one
 * is not to be walked into. */
static uint32_t count_in(const th_room_lanes *r, uint32_t lane, th_vec2 u, float wide, float range) {
  const th_view *view = r->view;
  const th_neighbours *near = &view->neighbours;
  const th_vec2 own = {r->ex[lane], r->ey[lane]};
  uint32_t count = 0;
  for (uint32_t n = 0; n < near->pick_count; n++) {
    const uint32_t j = near->pick[n * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) return count;
    const th_vec2 x = {near->x[j] - view->x[lane], near->y[j] - view->y[lane]};
    const float l = view->radius[lane] + near->radius[j];
    if (!(th_dot2(x, x) < range * range)) return count;
    if (th_dot2(th_wish_of(view, j), own) < 0.0f) return UINT32_MAX;
    count += th_dot2(x, u) > 0.0f && fabsf(th_cross2(x, u)) < wide * l;
  }
  return UINT32_MAX;
}

/* Somebody close ahead stands in all five directions, and would be followed for ever. An agent that is held up by it
 * steps round it where there is room: at 1 rad to the right or left, else straight to a side. */
bool th_room_step_round(th_view_scratch *scratch, const th_room_lanes *r, uint32_t lane) {
  static const float c[4] = {0.54030231f, 0.54030231f, 0.0f, 0.0f}, s[4] = {-0.84147098f, 0.84147098f, -1.0f, 1.0f};
  const th_people_params *people = r->view->people[lane];
  const float ex = r->ex[lane], ey = r->ey[lane];
  if (people->round_room == 0.0f) return false;
  for (int k = 0; k < 4; k++) {
    const th_vec2 u = {c[k] * ex - s[k] * ey, s[k] * ex + c[k] * ey};
    if (count_in(r, lane, u, PAST, people->round_room) > 0 || th_room_leads_to_wall(r, lane, u)) continue;
    th_room_own_wants(scratch);
    scratch->want[lane].dx = u.x;
    scratch->want[lane].dy = u.y;
    return true;
  }
  return false;
}
