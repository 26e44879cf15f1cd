/* people/stand_off.c - two who block each other's path do not stand there for ever.
 *
 * Two opposed streams may meet where only one passes: whoever stands in front on either side has somebody before it who
 * wants to come the other way, and a wall or its own people at its side. Nothing that all of them do alike ends that.
 * So a person who has stood still for a while before somebody who wants against it tries another direction, drawn again
 * every second, the farther off the longer it has stood: at last it steps back, and somebody gets past. People in a
 * queue do not, for those before them want the same. Held for h times its patience, a person turns by up to
 * min(pi, h - 1) to either side. Cost: next to nothing, as few stand so.
 */
#include "people/stand_off.h"

#include <math.h>

#include "base/random.h"
#include "base/trig.h"
#include "geometry/vector.h"

#define WIDEST 3.1f /* [rad]: to the back */

enum { STREAM_TRY = 0x57a0 };

/* Somebody right ahead, too near to be walked up to, wants against the lane. */
static bool is_opposed(const th_view *view, uint32_t lane, th_vec2 own) {
  const th_neighbours *near = &view->neighbours;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    const uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) return false;
    const th_vec2 x = {near->x[j] - view->x[lane], near->y[j] - view->y[lane]};
    const float l = view->radius[lane] + near->radius[j], far = l + view->radius[lane];
    if (th_dot2(x, x) > far * far) return false;
    if (th_dot2(x, own) > 0.0f && fabsf(th_cross2(own, x)) < l && th_dot2(th_wish_of(view, j), own) < 0.0f) return true;
  }
  return false;
}

bool th_people_stand_off(th_view_scratch *scratch, const th_view_source *source, uint32_t lane) {
  const th_view *view = &scratch->view;
  const float beyond = scratch->held[lane] / view->people[lane]->patience - 1.0f;
  const th_vec2 own = {view->want[lane].dx, view->want[lane].dy};
  if (!(beyond > 0.0f) || !is_opposed(view, lane, own)) return false;
  const uint64_t second = (uint64_t)(source->time + 0.5 * (double)source->dt);
  const float unit = th_random_to_float(th_random(source->seed, STREAM_TRY, view->agent[lane], second));
  const float most = beyond < WIDEST ? beyond : WIDEST;
  float s, c;
  th_sincosf(most * (2.0f * unit - 1.0f), &s, &c);
  th_room_own_wants(scratch);
  scratch->want[lane].dx = c * own.x - s * own.y;
  scratch->want[lane].dy = s * own.x + c * own.y;
  return true;
}
