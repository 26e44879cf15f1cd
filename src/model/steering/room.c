/* model/steering/room.c - how much room the way has that a guide leads along.
 *
 * The published rays and distances are those of a town: 6 m ahead, 3 m from others. Before a door of 1 m they only see
 * the wall round it, and nobody gets out of a room. A guide knows the walls already. So where it gives the target, rays
 * and distances are no longer than the free width of its way, w, the least clearance ahead as far as the rays reach: an
 * oblique ray ends where it is w beside the way, and somebody else may come as near as the way is wide. A way that
 * bends behind the next corner has no width there, and the least values hold: an arm's length. (Ours; in the open, and
 * for targets that no guide gives, nothing changes.) Cost: about five reads of the clearance raster.
 */
#include "model/steering/steer.h"

#define WIDE 1.5f      /* [m]: to either side of the way */
#define PULL_MAX 2.0f  /* times the target's own force */
#define STEP_MIN 0.25f /* [m]: a cell of the raster */
#define STEP 0.75f     /* of the clearance: no wall is nearer, and a dip of it is not passed over */

float th_steer_room_of(const th_steer_self *self) {
  const th_steering_params *p = self->params;
  const th_guide_answer *want = &self->view->want[self->lane];
  if (!p->adapt || !self->view->clearance.sample || !p->target.on || p->target.by != TH_STEER_GUIDE ||
      want->state != TH_ANSWER_LEAD)
    return INFINITY;
  float room = INFINITY, end = fminf(p->obstacle.front_ray, want->left);
  for (float t = 0.0f; t < end && room > 0.0f;) {
    const float clear = th_view_clearance(self->view, self->at.x + t * want->dx, self->at.y + t * want->dy);
    room = fminf(room, clear);
    t += fmaxf(STEP * clear, STEP_MIN);
  }
  return room;
}

float th_steer_ray_ahead(const th_steer_self *self) {
  return fminf(self->params->obstacle.front_ray, fmaxf(TH_STEER_RAY_MIN, self->room));
}

float th_steer_ray_aside(const th_steer_self *self) {
  return fminf(self->params->obstacle.side_ray, fmaxf(TH_STEER_SIDE_MIN, self->room));
}

/* The pull is added to twice the previous velocity and turns it slowly; past a door of 1 m that is too late. */
float th_steer_pull(const th_steer_self *self, float force) {
  return self->room < WIDE ? force * fminf(WIDE / fmaxf(self->room, STEP_MIN), PULL_MAX) : force;
}

float th_steer_distance(const th_steer_self *self, float distance) {
  return fminf(distance, fmaxf(TH_STEER_DISTANCE_MIN, self->room));
}
