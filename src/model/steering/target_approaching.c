/* model/steering/target_approaching.c - a target pulls like gravity; further ones pull or repel by distance.
 *
 * The pull is constant, so turning towards the target takes a while, which is smooth; more force turns faster. Within
 * `stop` the agent asks to stand. A guide may lead round corners and decides when the agent has arrived: with a guide
 * the pull goes along its direction, and close to the goal the agent slows down so that it does not circle round a
 * small one. Each target of the list has its own force as a piecewise linear function of distance, positive to attract
 * (Popelova 2011, 3.3). Cost: about 15 operations for each target.
 */
#include "model/steering/steer.h"

/* Force at a distance; beyond the last point its value holds if it continues. */
float th_steer_function(const th_vec3 *points, uint32_t count, float distance) {
  uint32_t i = 0;
  if (!count || distance < points[0].x) return 0.0f;
  while (i + 1 < count && points[i + 1].x <= distance) i++;
  const th_vec3 *p = &points[i];
  if (distance == p->x) return p->y;
  if (!(p->z > 0.5f)) return 0.0f;
  if (i + 1 == count) return p->y;
  return p->y + (points[i + 1].y - p->y) * (distance - p->x) / (points[i + 1].x - p->x);
}

bool th_steer_target_of(const th_steer_self *self, th_vec2 *target) {
  const th_steering_approach *p = &self->params->target;
  const th_guide_answer *want = &self->view->want[self->lane];
  const th_link *link;
  switch (p->by) {
    case TH_STEER_GUIDE:
      if (want->state != TH_ANSWER_LEAD) return false;
      *target = th_along2(self->at, want->left < 1e3f ? want->left : 1e3f, (th_vec2){want->dx, want->dy});
      return true;
    case TH_STEER_PLACE:
      *target = th_view_place(self->view, self->lane, p->place);
      return true;
    case TH_STEER_LINK:
      link = th_view_link(self->view, self->lane, TH_ROLE_TARGET);
      if (!link) return false;
      *target = th_along2(self->at, link->distance, (th_vec2){link->dx, link->dy});
      return true;
    default:
      return false;
  }
}

static void approach(const th_steer_self *self, th_steering_force *out) {
  const th_steering_approach *p = &self->params->target;
  const th_guide_answer *want = &self->view->want[self->lane];
  th_vec2 target;
  if (p->by == TH_STEER_NONE) return;
  if (!th_steer_target_of(self, &target)) {
    out->stop = true;
    return;
  }
  th_vec2 direction = th_minus2(target, self->at);
  float d = th_length2(direction);
  direction = th_unit2(direction);
  if (p->by == TH_STEER_GUIDE) {
    direction = (th_vec2){want->dx, want->dy};
    bool close = want->left < p->stop;
    out->agrees = !close;
    out->force = close ? th_steer_exactly(self, th_scaled2(direction, self->walk * want->left / p->stop))
                       : th_scaled2(direction, th_steer_pull(self, p->force));
  } else if (d < p->stop) {
    out->stop = true;
  } else {
    out->force = th_scaled2(direction, p->force);
  }
}

/* The end of the function that begins at `first`. */
static uint32_t end_of(const th_vec3 *point, uint32_t count, uint32_t first) {
  uint32_t end = first + 1;
  while (end < count && point[end].x > point[end - 1].x) end++;
  return end < count ? end : count;
}

void th_steer_target(const th_steer_self *self, th_steering_force *out) {
  const th_steering_approach *p = &self->params->target;
  const uint32_t count = p->functions.count;
  uint32_t first = 0, end = end_of(p->functions.point, count, 0);
  approach(self, out);
  for (uint32_t i = 0; i < p->targets.count && count; i++) {
    th_vec2 offset = th_minus2(th_view_place(self->view, self->lane, p->targets.point[i]), self->at);
    float d = th_length2(offset), force = th_steer_function(p->functions.point + first, end - first, d);
    if (d < p->stop && force > 0.0f) out->stop = true;
    out->force = th_along2(out->force, force, th_unit2(offset));
    if (end < count) {
      first = end;
      end = end_of(p->functions.point, count, first);
    }
  }
}
