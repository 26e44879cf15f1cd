/* people/stand_off.c - two who block each other's path do not stand there for ever.
 *
 * Two opposed streams may meet where only one passes: whoever stands in front on either side has somebody before it who
 * wants to come the other way, and a wall or its own people at its side. Nothing that all of them do alike ends that.
 * So a person who has stood still for a while before somebody who wants against it tries another direction, drawn again
 * every second, the farther off the longer it has stood: at last it steps back, and somebody gets past. It does so when
 * it has no less far to go than whoever is against it: then one side gives way to the other, its second and third row
 * too, and as it walks back it has ever farther to go, so it goes on. The other side tries twenty times as late, for
 * those who should give way may have no room. People in a queue do not, for those before them want the same; those who
 * come to a door from both sides along its wall may. Held for h times its patience, a person turns by up to
 * min(pi, h - 1) to either side, or min(pi, h / 20 - 1), and takes for somebody against it who is ahead within h radii
 * of touching. Cost: next to nothing, as few stand so.
 */
#include "people/stand_off.h"

#include <math.h>

#include "base/random.h"
#include "base/trig.h"
#include "geometry/vector.h"

#define WIDEST 3.1f /* [rad]: to the back */
#define LAST 0.05f  /* of the time held counts for those who have less far to go: they try when nothing else helps */

enum { STREAM_TRY = 0x57a0 };

/* The nearest one right ahead that wants against the lane, looked for a radius farther for each patience that is over:
 * at first too near to be walked up to, later behind others who are held as well. */
static uint32_t find_opposed(const th_view *view, uint32_t lane, th_vec2 own, float times) {
  const th_neighbours *near = &view->neighbours;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    const uint32_t j = near->pick[k * TH_VIEW_LANES + lane];
    if (j == TH_NO_PICK) return TH_NO_PICK;
    const th_vec2 x = {near->x[j] - view->x[lane], near->y[j] - view->y[lane]};
    const float l = view->radius[lane] + near->radius[j], far = l + times * view->radius[lane];
    if (th_dot2(x, x) > far * far) return TH_NO_PICK;
    if (th_dot2(x, own) > 0.0f && fabsf(th_cross2(own, x)) < l && th_dot2(th_wish_of(view, j), own) < 0.0f) return j;
  }
  return TH_NO_PICK;
}

bool th_people_stand_off(th_view_scratch *scratch, const th_view_source *source, uint32_t lane) {
  const th_view *view = &scratch->view;
  const th_guide_answer *want = &view->want[lane];
  const float times = scratch->held[lane] / view->people[lane]->patience;
  const th_vec2 own = {want->dx, want->dy};
  const uint32_t other = times > 1.0f ? find_opposed(view, lane, own, times) : TH_NO_PICK;
  if (other == TH_NO_PICK) return false;
  const bool yields = !(want->left < th_wish_answer(view, other)->left);
  const float most = fminf(WIDEST, yields ? times - 1.0f : LAST * times - 1.0f);
  if (!(most > 0.0f)) return false;
  const uint64_t second = (uint64_t)(source->time + 0.5 * (double)source->dt);
  const float unit = th_random_to_float(th_random(source->seed, STREAM_TRY, view->agent[lane], second));
  float s, c;
  th_sincosf(most * (2.0f * unit - 1.0f), &s, &c);
  th_room_own_wants(scratch);
  scratch->want[lane].dx = c * own.x - s * own.y;
  scratch->want[lane].dy = s * own.x + c * own.y;
  return true;
}
