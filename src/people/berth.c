/* people/berth.c - people keep off walls, those with room by a berth, the pressed so far that they do not rub along.
 *
 * A shortest path touches every corner that it turns round, and fields lead along walls. People leave walls a boundary
 * layer (Habicht and Braaksma 1984: 0.14 to 0.22 m) as long as nobody is close or presses them. So the wanted direction
 * e of a person turns to the side that has more room one body ahead. With L and R the clearances there, half a berth b
 * to the left and to the right, neither more than r + b counting, and n the left normal of e:
 *
 *   e' = e + (L - R) / (r + b) n
 *
 * where L - R counts beyond the half cell to which a raster tells it. In the middle of a passage, however
 * narrow, L = R; among others people use the whole width of a door.
 *
 * But nobody rubs along a wall. A field may lead a body along the wall that it touches, or into a corner: that of a
 * mesh does, and that of a raster whose class is no wider than the body. A person that is led so is stopped by the wall
 * and held there by the others, and where two streams meet, the lane at the wall stands for ever. So a person under
 * pressure whose body is nearer to a wall than a quarter m of the berth turns off it, with d the distance of the body
 * from the wall and c the clearance:
 *
 *   e' = e + min(1, 1 - d / m) grad c
 *
 * In the middle of a passage grad c is 0. A hundred against a hundred through 2 m, six seeds: with it all are through
 * after 95 s on a plane and on hills (107 and 106 s without), and after 97 instead of 108 s on a raster for bodies of
 * 0.2 m. Cost: one look at the clearance of each pressed person; a few more beside walls.
 */
#include "people/berth.h"

#include <math.h>

#include "geometry/vector.h"

#define TOO_SHORT 0.1f /* led straight into a wall: what is left of the direction tells nothing */

static float clearance_beside(const th_view *view, uint32_t lane, th_vec2 ahead, th_vec2 aside, float most) {
  return fminf(th_view_clearance(view, view->x[lane] + ahead.x + aside.x, view->y[lane] + ahead.y + aside.y), most);
}

void th_people_berth_touching(th_view_scratch *scratch, const th_room_lanes *lanes, uint32_t lane) {
  const th_view *view = &scratch->view;
  const th_guide_answer *want = &view->want[lane];
  const float x = view->x[lane], y = view->y[lane], r = view->radius[lane], h = 0.5f * r;
  const float near = lanes->of.touching[lane];
  if (want->state != TH_ANSWER_LEAD || want->left < 2.0f * r || !(near > 0.0f)) return;
  if (!(view->pressure[lane] > 0.0f)) return;
  const float d = th_view_clearance(view, x, y) - r, k = fminf(1.0f, 1.0f - d / near) / r;
  if (!(d < near)) return;
  const float gx = th_view_clearance(view, x + h, y) - th_view_clearance(view, x - h, y);
  const float gy = th_view_clearance(view, x, y + h) - th_view_clearance(view, x, y - h);
  const th_vec2 e = {want->dx + k * gx, want->dy + k * gy};
  const float length = th_length2(e);
  if (!(length > TOO_SHORT)) return;
  th_room_own_wants(scratch);
  scratch->want[lane].dx = e.x / length;
  scratch->want[lane].dy = e.y / length;
}

void th_people_berth(th_view_scratch *scratch, const th_room_lanes *lanes, uint32_t lane) {
  const th_view *view = &scratch->view;
  const th_guide_answer *want = &view->want[lane];
  const float r = view->radius[lane], berth = view->people[lane]->wall_berth, most = r + berth, feel = 2.0f * r;
  const float far = feel + 0.5f * berth + 1.5f * view->clearance.cell;
  if (want->state != TH_ANSWER_LEAD || view->pressure[lane] > 0.0f || want->left < feel) return;
  if (lanes->room > most + feel + 0.5f * berth) return;
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
