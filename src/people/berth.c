/* people/berth.c - people who have room keep off walls.
 *
 * A shortest path touches every corner that it turns round, and fields lead along walls. People leave walls a boundary
 * layer (Habicht and Braaksma 1984: 0.14 to 0.22 m) as long as nobody is close or presses them. So the wanted direction
 * e of a person turns to the side that has more room one body ahead. With L and R the clearances there, half a berth b
 * to the left and to the right, neither more than r + b counting, and n the left normal of e:
 *
 *   e' = e + (L - R) / (r + b) n
 *
 * where L - R counts beyond the half cell to which a raster tells it. In the middle of a passage, however
 * narrow, L = R; among others people use the whole width of a door. Cost: one look at the clearance; three beside
 * walls.
 */
#include "people/berth.h"

#include <math.h>

#include "people/room_ahead.h"

static float clearance_beside(const th_view *view, uint32_t lane, th_vec2 ahead, th_vec2 aside, float most) {
  return fminf(th_view_clearance(view, view->x[lane] + ahead.x + aside.x, view->y[lane] + ahead.y + aside.y), most);
}

void th_people_berth(th_view_scratch *scratch, uint32_t lane) {
  const th_view *view = &scratch->view;
  const th_guide_answer *want = &view->want[lane];
  const float r = view->radius[lane], berth = view->people[lane]->wall_berth, most = r + berth, feel = 2.0f * r;
  const float far = feel + 0.5f * berth + 1.5f * view->clearance.cell;
  if (want->state != TH_ANSWER_LEAD || view->pressure[lane] > 0.0f || want->left < feel) return;
  if (th_view_clearance(view, view->x[lane], view->y[lane]) > most + far) return;
  const th_vec2 ahead = {feel * want->dx, feel * want->dy};
  const th_vec2 left = {-0.5f * berth * want->dy, 0.5f * berth * want->dx}, right = {-left.x, -left.y};
  const float more = clearance_beside(view, lane, ahead, left, most) - clearance_beside(view, lane, ahead, right, most);
  const float room = fabsf(more) - 0.5f * view->clearance.cell;
  if (!(room > 0.0f)) return;
  const float turn = copysignf(room, more) / most, k = 1.0f / sqrtf(1.0f + turn * turn);
  const th_vec2 e = {k * (want->dx - turn * want->dy), k * (want->dy + turn * want->dx)};
  th_room_own_wants(scratch);
  scratch->want[lane].dx = e.x;
  scratch->want[lane].dy = e.y;
}
