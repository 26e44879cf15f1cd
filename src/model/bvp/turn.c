/* model/bvp/turn.c - pass 3: heading and speed from the slope at the centre of the map.
 *
 * D1 to D4 of Dapper 2007 (section 5.2.2) and of the CGI 2007 paper. Heading d and slope g are unit vectors:
 *
 *   gradient d' = g      mean d' = |d + g|      mass d' = |mass d + g|      blend d' = |eta d + (1 - eta) g|
 *   angle    d' = d turned by (1 - eta) times the shorter arc from d to g
 *
 * The velocity is d' * speed * F, where F falls as the slope turns away from the previous heading: an agent that has to
 * turn by more than a quarter turn stops and turns. Raw slopes are 1e-2 to 1e-4 in size and would be negligible against
 * the inertia, hence unit vectors (the printed formula mixes both). Cost: about 20 ns.
 */
#include <math.h>

#include "base/trig.h"
#include "geometry/vector.h"
#include "model/bvp/relax.h"

static th_vec2 new_heading(const th_bvp_params *params, th_vec2 g, th_vec2 d) {
  float keep = params->mass, eta = params->eta;
  switch (params->motion) {
    case TH_BVP_GRADIENT:
      return g;
    case TH_BVP_MEAN:
      return th_bvp_unit_or(d.x + g.x, d.y + g.y, d);
    case TH_BVP_BLEND:
      return th_bvp_unit_or(eta * d.x + (1.0f - eta) * g.x, eta * d.y + (1.0f - eta) * g.y, d);
    case TH_BVP_ANGLE: {
      float arc = th_atan2f(d.x * g.y - d.y * g.x, d.x * g.x + d.y * g.y), s, c;
      th_sincosf((1.0f - eta) * arc, &s, &c);
      return th_bvp_unit_or(d.x * c - d.y * s, d.y * c + d.x * s, d);
    }
    default:
      return th_bvp_unit_or(keep * d.x + g.x, keep * d.y + g.y, d);
  }
}

static float share_of_speed(const th_bvp_params *params, float cosine, float slowness) {
  uint32_t k = 0;
  switch (params->speed_rule) {
    case TH_BVP_TABLE:
      while (k + 1 < TH_BVP_TABLE_STEPS && cosine >= params->table_below[k]) k++;
      return params->table_speed[k];
    case TH_BVP_COSINE:
      return cosine < 0.0f ? 0.0f : cosine < 1.0f ? cosine : 1.0f;
    case TH_BVP_MODULUS:
      return slowness < 1.0f ? slowness : 1.0f;
    default:
      return 1.0f;
  }
}

float th_bvp_steer(const th_bvp_params *params, th_vec2 g, float slowness, th_vec2 *d) {
  float cosine = g.x * d->x + g.y * d->y;
  *d = new_heading(params, g, *d);
  return share_of_speed(params, cosine, slowness);
}

/* Modulus of the slope relative to that of an empty map, which is computed on first use. */
static float slowness_of(th_bvp_state *state, const th_bvp_params *params) {
  if (params->speed_rule != TH_BVP_MODULUS) return 1.0f;
  float reference = params->reference;
  if (!(reference > 0.0f)) {
    if (!(state->reference > 0.0f))
      state->reference =
          th_bvp_empty_modulus((uint32_t)params->n, (uint32_t)params->sweeps, params->order == TH_BVP_ALTERNATING);
    reference = state->reference;
  }
  return reference > 0.0f ? state->modulus / reference : 1.0f;
}

th_gait th_bvp_gait(float speed) {
  return speed > TH_GAIT_RUN_SPEED ? TH_GAIT_RUN : speed > 0.0f ? TH_GAIT_WALK : TH_GAIT_STAND;
}

static void turn_lane(const th_work *work, uint32_t lane) {
  const th_view *view = work->view;
  const th_bvp_params *params = work->params[lane];
  th_bvp_state *state = work->state[lane];
  if (th_bvp_is_person(view, lane)) {
    if (view->want[lane].state == TH_ANSWER_LEAD) th_bvp_people_walk(work, lane);
    return;
  }
  if (!state->lead) return;
  th_vec2 g = {state->gx, state->gy}, d = {state->dx, state->dy};
  bool flat = g.x == 0.0f && g.y == 0.0f;
  if (flat && params->flat == TH_BVP_FLAT_GUIDE)
    g = th_inward2((th_vec2){view->want[lane].dx, view->want[lane].dy}, view->frame[lane]);
  float speed = 0.0f;
  if (g.x != 0.0f || g.y != 0.0f) speed = th_bvp_steer(params, g, slowness_of(state, params), &d) * view->speed[lane];
  state->dx = d.x;
  state->dy = d.y;
  th_vec2 out = th_outward2(d, view->frame[lane]);
  work->advice.vx[lane] = out.x * speed;
  work->advice.vy[lane] = out.y * speed;
  work->advice.hx[lane] = out.x;
  work->advice.hy[lane] = out.y;
  work->advice.gait[lane] = (uint8_t)th_bvp_gait(speed);
}

static void publish(const th_work *work, uint32_t lane) {
  const th_turn frame = work->view->frame[lane];
  const th_bvp_state *s = work->state[lane];
  const float vx = work->advice.vx[lane], vy = work->advice.vy[lane], wanted = work->view->speed[lane];
  const float share = wanted > 0.0f ? sqrtf(vx * vx + vy * vy) / wanted : 0.0f;
  if (!s->lead) return;
  th_trace_vector(work->trace, lane, &th_bvp_trace[TH_BVP_TRACE_GRADIENT], th_outward2((th_vec2){s->gx, s->gy}, frame),
                  s->modulus);
  th_trace_vector(work->trace, lane, &th_bvp_trace[TH_BVP_TRACE_V], th_outward2((th_vec2){s->ex, s->ey}, frame),
                  (float)s->slot);
  th_trace_vector(work->trace, lane, &th_bvp_trace[TH_BVP_TRACE_HEADING], th_outward2((th_vec2){s->dx, s->dy}, frame),
                  share);
}

void th_bvp_turn(const th_work *work) {
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) turn_lane(work, lane);
  for (uint32_t lane = 0; work->trace && lane < work->view->lanes; lane++) publish(work, lane);
}
