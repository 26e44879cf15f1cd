/* model/steering/steering.c - the model: sixteen agents sense together, then each blends its steerings.
 *
 * One list holds all steerings; what combines them (combine.c) knows none. A steering that is added to the list, or the
 * host's own, takes part without any other change. Cost of a decision with obstacle and people avoidance and a target:
 * about 0.2 us.
 */
#include "model/steering/classic.h"
#include "model/steering/table.h"
#include "model/steering/trace.h"

/* One steering: whether it is on, with which weight. */
typedef struct steering {
  th_steer_run run;
  uint32_t on, weight; /* offsets in the parameters */
} steering;

#define STEERING(run, part) \
  { run, (uint32_t)offsetof(th_steering_params, part.on), (uint32_t)offsetof(th_steering_params, part.weight) }

static const steering list[] = {
    STEERING(th_steer_obstacle, obstacle), STEERING(th_steer_people, people), STEERING(th_steer_target, target),
    STEERING(th_steer_path, path),         STEERING(th_steer_wall, wall),     STEERING(th_steer_leader, leader),
    STEERING(th_steer_along, along),
};

static const th_steer_run classics[TH_CLASSIC_COUNT] = {
    [TH_CLASSIC_SEEK] = th_classic_seek,
    [TH_CLASSIC_FLEE] = th_classic_flee,
    [TH_CLASSIC_ARRIVAL] = th_classic_arrival,
    [TH_CLASSIC_PURSUIT] = th_classic_pursuit,
    [TH_CLASSIC_OFFSET_PURSUIT] = th_classic_offset_pursuit,
    [TH_CLASSIC_EVASION] = th_classic_evasion,
    [TH_CLASSIC_WANDER] = th_classic_wander,
    [TH_CLASSIC_FLOW] = th_classic_flow,
    [TH_CLASSIC_CONTAINMENT] = th_classic_containment,
    [TH_CLASSIC_UNALIGNED] = th_classic_unaligned,
    [TH_CLASSIC_INTERPOSE] = th_classic_interpose,
    [TH_CLASSIC_HIDE] = th_classic_hide,
    [TH_CLASSIC_SEPARATION] = th_classic_separation,
    [TH_CLASSIC_COHESION] = th_classic_cohesion,
    [TH_CLASSIC_ALIGNMENT] = th_classic_alignment,
    [TH_CLASSIC_FLOCKING] = th_classic_flocking,
    [TH_CLASSIC_QUEUING] = th_classic_queuing,
};

/* The agent at the start of its decision. */
th_steer_self th_steer_look_at(const th_work *work, const th_steer_senses *senses, uint32_t lane) {
  const th_view *view = work->view;
  const th_steering_params *p = work->params[lane];
  th_steer_self s = {.work = work,
                     .view = view,
                     .senses = senses,
                     .params = p,
                     .state = work->state[lane],
                     .lane = lane,
                     .at = {view->x[lane], view->y[lane]},
                     .v = {view->vx[lane], view->vy[lane]},
                     .h = {view->hx[lane], view->hy[lane]},
                     .walk = view->speed[lane],
                     .tick = p->period > work->dt ? p->period : work->dt};
  s.speed = th_length2(s.v);
  if (s.speed < TH_STEER_STANDS) {
    s.speed = 0.0f;
    s.v = (th_vec2){0.0f, 0.0f};
  } else {
    s.h = th_scaled2(s.v, 1.0f / s.speed);
  }
  s.a = s.walk > 0.0f ? th_steer_weight(s.speed, s.walk) : 0.0f;
  s.width = th_steer_free_width(&s);
  return s;
}

static bool is_on(const th_steering_params *p, const steering *s) { return *((const char *)p + s->on) != 0; }

static float weight_of(const th_steering_params *p, const steering *s) {
  float weight;
  memcpy(&weight, (const char *)p + s->weight, sizeof weight);
  return weight;
}

/* One force into the sum; traces see it. */
static void take(const th_steer_self *self, th_steer_sum *sum, const th_steering_force *f, float weight, uint32_t row) {
  if (th_trace_wants(self->work->trace, self->lane)) th_steer_trace_publish_force(self, row, f, weight);
  th_steer_combine_add(self, sum, f, weight);
}

static void ask_host(const th_steer_self *self, th_steer_sum *sum) {
  const th_steering_params *p = self->params;
  th_steering_force f = {.agrees = true};
  const th_steering_moment moment = {.view = self->view,
                                     .lane = self->lane,
                                     .place = self->at,
                                     .velocity = self->v,
                                     .heading = self->h,
                                     .walk = self->walk,
                                     .tick = self->tick,
                                     .memory = self->a};
  p->behave(p->user, &moment, &f);
  take(self, sum, &f, p->behave_weight, TH_STEERING_TRACE_HOST);
}

static void ask_classics(const th_steer_self *self, th_steer_sum *sum) {
  const float *weight = self->params->classic.weight;
  for (uint32_t i = 0; i < TH_CLASSIC_COUNT; i++) {
    th_steering_force f = {.agrees = true};
    if (!(weight[i] > 0.0f)) continue;
    classics[i](self, &f);
    take(self, sum, &f, weight[i], TH_STEERING_TRACE_CLASSIC);
  }
}

static th_steer_sum add_all(const th_steer_self *self, bool classic) {
  const th_steering_params *p = self->params;
  th_steer_sum sum = th_steer_combine_begin(self);
  for (uint32_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (!is_on(p, &list[i])) continue;
    th_steering_force f = {.agrees = true};
    list[i].run(self, &f);
    take(self, &sum, &f, weight_of(p, &list[i]), TH_STEERING_TRACE_OBSTACLE + i);
  }
  if (classic) ask_classics(self, &sum);
  if (p->behave) ask_host(self, &sum);
  return sum;
}

static bool has_classics(const th_steering_params *p) {
  float sum = 0.0f;
  for (uint32_t i = 0; i < TH_CLASSIC_COUNT; i++) sum += p->classic.weight[i];
  return sum > 0.0f;
}

/* A standing agent turns to what its steerings ask it to look at, else to its focus. */
static void look(const th_steer_self *self, const th_steer_result *r) {
  const th_work *work = self->work;
  const th_link *focus = r->looks ? NULL : th_view_link(self->view, self->lane, TH_ROLE_FOCUS);
  th_vec2 facing = r->looks ? th_unit2(th_minus2(r->look, self->at)) : (th_vec2){0.0f, 0.0f};
  if (focus) facing = (th_vec2){focus->dx, focus->dy};
  work->advice.hx[self->lane] = facing.x;
  work->advice.hy[self->lane] = facing.y;
}

void th_steering_decide(const th_work *work) {
  th_steer_scratch *r = work->scratch;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) r->self[lane] = th_steer_look_at(work, &r->senses, lane);
  th_steer_sense(work, r->self, &r->senses);
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    const th_steer_self *self = &r->self[lane];
    const th_steer_sum sum = add_all(self, has_classics(self->params));
    const th_steer_result result = th_steer_combine_finish(self, &sum);
    if (th_trace_wants(work->trace, lane)) th_steer_trace_publish(self, &result);
    work->advice.vx[lane] = result.velocity.x;
    work->advice.vy[lane] = result.velocity.y;
    work->advice.gait[lane] = result.gait;
    if (result.gait == TH_GAIT_STAND) look(self, &result);
    self->state->decisions++;
  }
}

float th_steering_reach(const void *params) {
  const th_steering_params *p = params;
  float far = p->sight;
  if (p->obstacle.on) far = fmaxf(far, fmaxf(p->obstacle.front_ray, p->obstacle.side_ray));
  if (p->wall.on) far = fmaxf(far, 2.0f * p->wall.ray);
  return far;
}

uint32_t th_steering_nearest(const void *params) {
  return (uint32_t)((const th_steering_params *)params)->people.nearest;
}
float th_steering_period(const void *params) { return ((const th_steering_params *)params)->period; }

/* Velocities of a leader are kept only by agents that follow it in formation. */
size_t th_steering_state_bytes(const void *params) {
  const th_steering_leader *p = &((const th_steering_params *)params)->leader;
  bool keeps = p->on && p->type == TH_FOLLOW_FORMATION && p->memory;
  return keeps ? sizeof(th_steering_state) : offsetof(th_steering_state, memory);
}

uint32_t th_steering_needs(const void *params) {
  const th_steering_params *p = params;
  const float *classic = p->classic.weight;
  uint32_t needs = p->path.on ? TH_NEED_PATH : 0;
  if (p->leader.on) needs |= TH_NEED_LEADER;
  if (p->along.on || classic[TH_CLASSIC_INTERPOSE] > 0.0f) needs |= TH_NEED_PARTNER;
  if ((p->target.on || p->along.on) && p->target.by == TH_STEER_LINK) needs |= TH_NEED_TARGET;
  return needs;
}
