/* model/steering/trace.c - what a decision publishes: each force, and what caused it.
 *
 * Colours are those of the thesis' viewer. Causes are computed a second time here, so that decisions of agents that are
 * not traced pay nothing. Cost: none for agents that are not traced.
 */
#include "model/steering/trace.h"

const th_trace th_steering_trace[TH_STEERING_TRACES] = {
    [TH_STEERING_TRACE_PREVIOUS] = {"previous", TH_TRACE_VECTOR, "m/s", "velocity before, with its weight", 0xf2d027},
    [TH_STEERING_TRACE_NEW] = {"new", TH_TRACE_VECTOR, "m/s", "velocity that follows", 0xd62728},
    [TH_STEERING_TRACE_OBSTACLE] = {"obstacle", TH_TRACE_VECTOR, "m/s", "force of obstacle avoidance", 0x9b6535},
    [TH_STEERING_TRACE_PEOPLE] = {"people", TH_TRACE_VECTOR, "m/s", "force of people avoidance", 0xe68048},
    [TH_STEERING_TRACE_TARGET] = {"target", TH_TRACE_VECTOR, "m/s", "force of target approaching", 0x90d315},
    [TH_STEERING_TRACE_PATH] = {"path", TH_TRACE_VECTOR, "m/s", "force of path following", 0x419b35},
    [TH_STEERING_TRACE_WALL] = {"wall", TH_TRACE_VECTOR, "m/s", "force of wall following", 0xffba58},
    [TH_STEERING_TRACE_LEADER] = {"leader", TH_TRACE_VECTOR, "m/s", "force of leader following", 0x3caf64},
    [TH_STEERING_TRACE_ALONG] = {"along", TH_TRACE_VECTOR, "m/s", "force of walk along", 0xff9156},
    [TH_STEERING_TRACE_CLASSIC] = {"classic", TH_TRACE_VECTOR, "m/s", "force of a behaviour of Reynolds, its number",
                                   0x7f7fd5},
    [TH_STEERING_TRACE_HOST] = {"host", TH_TRACE_VECTOR, "m/s", "force of the host's own steering", 0x808080},
    [TH_STEERING_TRACE_STOP] = {"stop", TH_TRACE_SCALAR, "", "number of a steering that asks to stop", 0},
    [TH_STEERING_TRACE_RAY] = {"ray", TH_TRACE_SEGMENT, "m",
                               "ray that meets a wall, up to it, and how deep it is buried", 0x9b6535},
    [TH_STEERING_TRACE_SEEN] = {"seen", TH_TRACE_POINT, "m", "somebody in sight and the distance", 0xe68048},
    [TH_STEERING_TRACE_PLACE] = {"place", TH_TRACE_POINT, "m", "target, and the distance", 0x90d315},
    [TH_STEERING_TRACE_CORNER] = {"corner", TH_TRACE_POINT, "", "next corner of the path, and its number", 0x419b35},
    [TH_STEERING_TRACE_WHOM] = {"whom", TH_TRACE_POINT, "", "leader or partner in sight, and the role", 0x3caf64},
};

static void publish_rays(const th_steer_self *self, const th_rays rays[TH_RAY_COUNT]) {
  const uint32_t lane = self->lane;
  for (uint32_t i = 0; i < TH_RAY_COUNT; i++) {
    const th_rays *r = &rays[i];
    if (r->nx[lane] == 0.0f && r->ny[lane] == 0.0f) continue;
    const th_segment ray = {self->at.x, self->at.y, self->at.x + r->dx[lane] * r->free[lane],
                            self->at.y + r->dy[lane] * r->free[lane]};
    th_trace_segment(self->work->trace, lane, &th_steering_trace[TH_STEERING_TRACE_RAY], &ray,
                     r->length[lane] - r->free[lane]);
  }
}

static void publish_people(const th_steer_self *self) {
  const th_neighbours *near = &self->view->neighbours;
  for (uint32_t k = 0; k < near->pick_count && (int32_t)k < self->params->people.nearest; k++) {
    const uint32_t j = near->pick[k * TH_VIEW_LANES + self->lane];
    if (!(self->senses->seen[k] >> self->lane & 1u)) continue;
    const th_vec2 at = {near->x[j], near->y[j]};
    th_trace_point(self->work->trace, self->lane, &th_steering_trace[TH_STEERING_TRACE_SEEN], at,
                   th_length2(th_minus2(at, self->at)));
  }
}

static void publish_link(const th_steer_self *self, uint32_t role) {
  const th_link *link = th_view_link(self->view, self->lane, role);
  if (link && link->seen)
    th_trace_point(self->work->trace, self->lane, &th_steering_trace[TH_STEERING_TRACE_WHOM],
                   (th_vec2){link->x, link->y}, (float)role);
}

static void publish_corner(const th_steer_self *self) {
  const th_view_path *path = self->view->path ? &self->view->path[self->lane] : NULL;
  const uint32_t i = path ? self->state->path_next - path->number : 0;
  if (path && i < path->count)
    th_trace_point(self->work->trace, self->lane, &th_steering_trace[TH_STEERING_TRACE_CORNER],
                   (th_vec2){path->x[i], path->y[i]}, (float)self->state->path_next);
}

void th_steer_trace_publish(const th_steer_self *self, const th_steer_result *result) {
  const th_steering_params *p = self->params;
  th_tracer *tracer = self->work->trace;
  th_vec2 target;
  th_trace_vector(tracer, self->lane, &th_steering_trace[TH_STEERING_TRACE_PREVIOUS], self->v, self->a);
  th_trace_vector(tracer, self->lane, &th_steering_trace[TH_STEERING_TRACE_NEW], result->velocity,
                  th_length2(result->velocity));
  if (p->obstacle.on) publish_rays(self, self->senses->obstacle);
  if (p->wall.on) publish_rays(self, self->senses->wall);
  if (p->people.on) publish_people(self);
  if (p->path.on) publish_corner(self);
  if (p->leader.on) publish_link(self, TH_ROLE_LEADER);
  if (p->along.on) publish_link(self, TH_ROLE_PARTNER);
  if ((p->target.on || p->along.on) && th_steer_target_of(self, &target))
    th_trace_point(tracer, self->lane, &th_steering_trace[TH_STEERING_TRACE_PLACE], target,
                   th_length2(th_minus2(target, self->at)));
}

void th_steer_trace_publish_force(const th_steer_self *self, uint32_t row, const th_steering_force *force,
                                  float value) {
  if (force->stop)
    th_trace_scalar(self->work->trace, self->lane, &th_steering_trace[TH_STEERING_TRACE_STOP], (float)row);
  else
    th_trace_vector(self->work->trace, self->lane, &th_steering_trace[row], force->force, value);
}
