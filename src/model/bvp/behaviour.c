/* model/bvp/behaviour.c - behaviours set the vector v and its strength at every decision.
 *
 * B1 to B8 of Dapper 2007 (section 5.2.1) and of the CGI 2006 paper. Time is counted in decisions of the agent itself,
 * so that a sinusoid has the same shape for every step length. A random vector is a function of (seed, agent, step).
 * Only the product counts: eps v = +- strength * cell * v, negative when v shall attract, because the equation as
 * printed lowers the potential on the side away from v.
 */
#include <math.h>

#include "base/random.h"
#include "base/trig.h"
#include "geometry/vector.h"
#include "model/bvp/state.h"

enum { STREAM_VECTOR = 0xb4b0, STREAM_HOLD };

#define TWO_PI 6.283185307179586

static float wave_at(float seconds, float period) {
  double turns = (double)seconds / (double)period;
  return (float)th_sin_double(TWO_PI * (turns - floor(turns)));
}

/* Seconds from one decision to the next: an agent decides at most once per step. */
static float period_of(const th_work *work, uint32_t lane) {
  return fmaxf(((const th_bvp_params *)work->params[lane])->period, work->dt);
}

static th_vec2 random_vector(const th_work *work, uint32_t lane, const th_bvp_behaviour *b) {
  th_bvp_state *state = work->state[lane];
  if (state->decisions >= state->hold_until) {
    uint32_t agent = work->view->agent[lane];
    uint64_t bits = th_random(work->seed, STREAM_VECTOR, agent, work->step);
    state->hold_x = th_random_to_range(bits, -1.0f, 1.0f);
    state->hold_y = th_random_to_range(th_random_mix(bits), -1.0f, 1.0f);
    float hold = th_random_range(work->seed, STREAM_HOLD, agent, work->step, b->hold_min, b->hold_max);
    float decisions = hold / period_of(work, lane);
    state->hold_until = state->decisions + 1 + (decisions < 1e6f ? (uint32_t)decisions : 1000000u);
  }
  return (th_vec2){state->hold_x, state->hold_y};
}

/* Unit vector to a link in the agent's frame; along the guide when there is none. */
static th_vec2 toward(const th_work *work, uint32_t lane, const th_bvp_behaviour *b, th_vec2 flow) {
  const th_view *view = work->view;
  if ((uint32_t)b->link >= view->link_count) return flow;
  const th_link *link = &view->link[lane * view->link_count + (uint32_t)b->link];
  return link->exists ? th_inward2((th_vec2){link->dx, link->dy}, view->frame[lane]) : flow;
}

static th_vec2 vector_of(const th_work *work, uint32_t lane, const th_bvp_behaviour *b, const th_bvp_moment *moment,
                         float *strength) {
  float t = moment->time;
  th_vec2 v = {0.0f, 0.0f};
  switch (b->kind) {
    case TH_BVP_CONSTANT:
      return b->v;
    case TH_BVP_SINUSOID:
      return (th_vec2){1.0f, wave_at(t, b->wave)};
    case TH_BVP_DOUBLE_SINUSOID:
      return (th_vec2){1.0f, wave_at(t, b->wave) + wave_at(t, 2.0f * b->wave)};
    case TH_BVP_CROSS_SINUSOID:
      return (th_vec2){wave_at(t, b->wave), 1.0f};
    case TH_BVP_TOWARD:
      return toward(work, lane, b, moment->flow);
    case TH_BVP_ACROSS:
      v = toward(work, lane, b, moment->flow);
      return b->hand == TH_BVP_LEFT ? (th_vec2){-v.y, v.x} : (th_vec2){v.y, -v.x};
    case TH_BVP_RANDOM:
      return random_vector(work, lane, b);
    case TH_BVP_USER: {
      const th_bvp_params *params = work->params[lane];
      if (params->choose) params->choose(params->user, moment, &v, strength);
      return v;
    }
    default: /* harmonic */
      return v;
  }
}

static bool fires(const th_bvp_params *params, const th_bvp_moment *moment) {
  switch (params->trigger) {
    case TH_BVP_AHEAD:
      return moment->ahead > 0;
    case TH_BVP_CROWD:
      return moment->ahead >= (uint32_t)params->crowd;
    case TH_BVP_LINKED:
      return moment->link && moment->link[params->behaviour[TH_BVP_SIGHT].link].seen;
    case TH_BVP_TOLD:
      return params->criterion && params->criterion(params->user, moment);
    default:
      return false;
  }
}

static bool turns_with_flow(const th_bvp_behaviour *b) {
  return b->axes == TH_BVP_AXES_FLOW && b->kind != TH_BVP_TOWARD && b->kind != TH_BVP_ACROSS;
}

void th_bvp_behaviour_set(const th_work *work, uint32_t lane, th_vec2 flow, const th_bvp_sight *sight) {
  const th_bvp_params *params = work->params[lane];
  const th_view *view = work->view;
  th_bvp_state *state = work->state[lane];
  th_bvp_moment moment = {.agent = view->agent[lane],
                          .decision = state->decisions,
                          .time = (float)state->decisions * period_of(work, lane),
                          .place = {view->x[lane], view->y[lane]},
                          .heading = {state->dx, state->dy},
                          .flow = flow,
                          .ahead = sight->ahead,
                          .nearest = sight->nearest,
                          .link = view->link_count ? view->link + (size_t)lane * view->link_count : NULL};
  state->slot = fires(params, &moment)               ? TH_BVP_SIGHT
                : moment.time >= params->later_after ? TH_BVP_LATER
                                                     : TH_BVP_FIRST;
  const th_bvp_behaviour *b = &params->behaviour[state->slot];
  float strength = b->kind == TH_BVP_HARMONIC ? 0.0f : b->strength;
  th_vec2 v = vector_of(work, lane, b, &moment, &strength);
  if (turns_with_flow(b)) v = (th_vec2){v.x * flow.x - v.y * flow.y, v.x * flow.y + v.y * flow.x};
  float eps = strength * params->cell;
  if (params->sense == TH_SENSE_PULL) eps = -eps;
  state->ex = eps * v.x;
  state->ey = eps * v.y;
  if (!(fabsf(state->ex) < 1e6f && fabsf(state->ey) < 1e6f)) state->ex = state->ey = 0.0f; /* a host's NaN */
  state->decisions++;
}
