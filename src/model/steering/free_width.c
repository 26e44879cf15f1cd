/* model/steering/free_width.c - the free width of the path along which a guide leads.
 *
 * The published rays and distances suit a town: 6 m ahead, 3 m from others. In front of a door of 1 m such rays meet
 * the wall round it, and nobody gets out of a room. But a guide knows the walls. So where a guide gives the target,
 * rays and distances are at most w, the free width of its path: the least clearance along the direction ahead, as far
 * as the rays reach. An oblique ray ends where it is w beside the path, and others may come as near as the path is
 * wide. Where the path bends at the next corner, w falls to 0 and minimum values hold: an arm's length. (Ours; in the
 * open, and for targets that no guide gives, nothing changes.) Cost: about five reads of the clearance raster.
 */
#include "model/steering/steer.h"

#define WIDE 1.5f      /* [m]: to either side of the path */
#define PULL_MAX 2.0f  /* times the target's own force */
#define STEP_MIN 0.25f /* [m]: a cell of the raster */
#define STEP 0.75f     /* of the clearance: no wall is nearer, and no minimum of the clearance is missed */

float th_steer_free_width(const th_steer_self *self) {
  const th_steering_params *p = self->params;
  const th_guide_answer *want = &self->view->want[self->lane];
  if (!p->adapt || !self->view->clearance.sample || !p->target.on || p->target.by != TH_STEER_GUIDE ||
      want->state != TH_ANSWER_LEAD)
    return INFINITY;
  float width = INFINITY, end = fminf(p->obstacle.front_ray, want->left);
  for (float t = 0.0f; t < end && width > 0.0f;) {
    const float clear = th_view_clearance(self->view, self->at.x + t * want->dx, self->at.y + t * want->dy);
    width = fminf(width, clear);
    t += fmaxf(STEP * clear, STEP_MIN);
  }
  return width;
}

float th_steer_ray_ahead(const th_steer_self *self) {
  return fminf(self->params->obstacle.front_ray, fmaxf(TH_STEER_RAY_MIN, self->width));
}

float th_steer_ray_aside(const th_steer_self *self) {
  return fminf(self->params->obstacle.side_ray, fmaxf(TH_STEER_SIDE_MIN, self->width));
}

/* The pull is added to twice the previous velocity and turns it slowly; past a door of 1 m that is too late. */
float th_steer_pull(const th_steer_self *self, float force) {
  return self->width < WIDE ? force * fminf(WIDE / fmaxf(self->width, STEP_MIN), PULL_MAX) : force;
}

float th_steer_distance(const th_steer_self *self, float distance) {
  return fminf(distance, fmaxf(TH_STEER_DISTANCE_MIN, self->width));
}
