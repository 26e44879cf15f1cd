/* model/steering/combine.c - one velocity from the previous one and the forces of all steerings.
 *
 *   v' = (a v + sum b_i s_i) / k,   k = a + sum of b_i over the forces that are not negligible
 *   a = clamp(3 - |v| / walk, 1, 2), 0 for an agent that stands
 *
 * A weighted mean, for a sum would be too fast and a mean over idle steerings too slow. A running agent has a smaller a
 * and so falls back to walking. A stop request is the force -a v, once: alone it stops the agent, beside other forces
 * it is one of them. When all steerings agree, an agent that was slowed down is raised to walking. The result is scaled
 * so that nobody creeps and nobody runs too fast, as the two animations ask (4.2 to 4.8 of the specification; constants
 * of the author's later release). Cost: about 40 operations.
 */
#include "model/steering/steer.h"

#define RUN_FROM 2.5f /* of the wanted speed */
#define FASTEST 20.5f /* of the wanted speed */
#define RUN_BASE 2.0f /* speed of running, of the wanted speed */
#define NOTHING 1e-4f /* [m/s]: less is standing still */

float th_steer_weight(float speed, float walk) {
  return speed > 0.0f ? th_clamp(3.0f - speed / walk, 1.0f, 2.0f) : 0.0f;
}

float th_steer_scale(float speed, float walk, bool *runs) {
  float x = speed / walk;
  *runs = x > RUN_FROM;
  if (x <= 0.8f) return (0.25f + 0.75f * x) * walk;
  if (!*runs) return (0.85f + 0.1f * sqrtf(10.0f * (x - 0.8f))) * walk;
  x = x < FASTEST ? x : FASTEST;
  return (0.8f + (x - RUN_FROM) / 18.0f) * (RUN_BASE * walk);
}

th_steer_sum th_steer_combine_begin(const th_steer_self *self) {
  return (th_steer_sum){.sum = th_scaled2(self->v, self->a), .k = self->a, .faster = true};
}

static void add_stop(const th_steer_self *self, th_steer_sum *sum, const th_steering_force *f, float weight) {
  sum->faster = false;
  if (f->looks) {
    sum->focus = th_plus2(sum->focus, f->focus);
    sum->foci++;
  }
  if (sum->stopped) return; /* twice would turn the agent back */
  sum->stopped = true;
  sum->sum = th_plus2(sum->sum, th_steer_brake(self, 1.0f));
  if (self->a * self->speed > TH_STEER_SMALL * self->walk) sum->k += weight;
}

void th_steer_combine_add(const th_steer_self *self, th_steer_sum *sum, const th_steering_force *f, float weight) {
  if (f->stop) {
    add_stop(self, sum, f, weight);
    return;
  }
  sum->faster &= f->agrees;
  float larger = fmaxf(fabsf(f->force.x), fabsf(f->force.y));
  if (!((f->force.x - f->force.x) + (f->force.y - f->force.y) == 0.0f)) return; /* a host's NaN */
  th_vec2 force = larger > TH_STEER_CAP ? th_scaled2(f->force, TH_STEER_CAP / larger) : f->force;
  float size = th_length2(force), k = size > TH_STEER_CAP ? weight * TH_STEER_CAP / size : weight;
  sum->sum = th_along2(sum->sum, k, force);
  if (k * size > TH_STEER_SMALL * self->walk) sum->k += weight;
}

th_steer_result th_steer_combine_finish(const th_steer_self *self, const th_steer_sum *sum) {
  th_steer_result r = {.gait = TH_GAIT_STAND};
  th_vec2 v = sum->k > 0.0f ? th_scaled2(sum->sum, 1.0f / sum->k) : sum->sum;
  float size = th_length2(v), speed = size * self->params->multiplier;
  /* beside a stop request negligible forces do not keep anyone walking: crowds that wait would shuffle for ever */
  bool stays = sum->stopped && th_length2(sum->sum) <= TH_STEER_SMALL * self->walk;
  if (stays || !(speed > NOTHING) || !(self->walk > 0.0f)) {
    r.looks = sum->foci > 0;
    if (r.looks) r.look = th_scaled2(sum->focus, 1.0f / (float)sum->foci);
    return r;
  }
  if (sum->faster && speed < TH_STEER_RAISED * self->walk) speed = TH_STEER_RAISED * self->walk;
  bool runs;
  r.velocity = th_scaled2(v, th_steer_scale(speed, self->walk, &runs) / size);
  r.gait = runs ? TH_GAIT_RUN : TH_GAIT_WALK;
  return r;
}
