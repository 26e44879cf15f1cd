/* model/steering/steering.c - the model: sixteen agents sense together, then each blends its steerings.
 *
 * One list holds all steerings; what combines them (combine.c) knows none. A steering that is added to the list, or the
 * host's own, takes part without any other change. Cost of a decision with obstacle and people avoidance and a target:
 * about 0.2 us.
 */
#include "model/steering/table.h"

/* One steering: whether it is on, with which weight. */
typedef struct steering {
  th_steer_run run;
  uint32_t on, weight; /* offsets in the parameters */
} steering;

#define STEERING(run, part) \
  { run, (uint32_t)offsetof(th_steering_params, part.on), (uint32_t)offsetof(th_steering_params, part.weight) }

static const steering list[] = {
    STEERING(th_steer_obstacle, obstacle),
    STEERING(th_steer_people, people),
    STEERING(th_steer_target, target),
};

/* The agent at the start of its decision. Its first one may find it walking already. */
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
  if (!s.state->decisions && p->start > 0.0f) s.v = th_scaled2(s.h, p->start);
  s.speed = th_length2(s.v);
  if (s.speed < TH_STEER_STANDS) {
    s.speed = 0.0f;
    s.v = (th_vec2){0.0f, 0.0f};
  } else {
    s.h = th_scaled2(s.v, 1.0f / s.speed);
  }
  s.a = s.walk > 0.0f ? th_steer_weight(s.speed, s.walk) : 0.0f;
  return s;
}

static bool is_on(const th_steering_params *p, const steering *s) { return *((const char *)p + s->on) != 0; }

static float weight_of(const th_steering_params *p, const steering *s) {
  float weight;
  memcpy(&weight, (const char *)p + s->weight, sizeof weight);
  return weight;
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
  th_steer_add(self, sum, &f, p->behave_weight);
}

static th_steer_sum add_all(const th_steer_self *self) {
  const th_steering_params *p = self->params;
  th_steer_sum sum = th_steer_begin(self);
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (!is_on(p, &list[i])) continue;
    th_steering_force f = {.agrees = true};
    list[i].run(self, &f);
    th_steer_add(self, &sum, &f, weight_of(p, &list[i]));
  }
  if (p->behave) ask_host(self, &sum);
  return sum;
}

/* A standing agent turns to what its steerings ask it to look at, else to its focus. */
static void look(const th_steer_self *self, const th_steer_result *r) {
  const th_work *work = self->work;
  const th_link *focus = r->looks ? NULL : th_view_link(self->view, self->lane, TH_ROLE_FOCUS);
  th_vec2 way = r->looks ? th_unit2(th_minus2(r->look, self->at)) : (th_vec2){0.0f, 0.0f};
  if (focus) way = (th_vec2){focus->dx, focus->dy};
  work->advice.hx[self->lane] = way.x;
  work->advice.hy[self->lane] = way.y;
}

void th_steering_decide(const th_work *work) {
  th_steer_room *r = work->scratch;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) r->self[lane] = th_steer_look_at(work, &r->senses, lane);
  th_steer_sense(work, r->self, &r->senses);
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    const th_steer_self *self = &r->self[lane];
    const th_steer_sum sum = add_all(self);
    const th_steer_result result = th_steer_finish(self, &sum);
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

/* Velocities of a leader are kept only by those who follow one in formation. */
size_t th_steering_state_bytes(const void *params) {
  const th_steering_leader *p = &((const th_steering_params *)params)->leader;
  bool keeps = p->on && p->type == TH_FOLLOW_FORMATION && p->memory;
  return keeps ? sizeof(th_steering_state) : offsetof(th_steering_state, memory);
}
