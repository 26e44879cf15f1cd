/* people/pressure.c - people under pressure give way, and turn their shoulders.
 *
 * The pressure of a person is a number from 0 to 1. It grows while the person wants to walk and gets along slower than
 * a part of its wanted speed, unless it is just gathering speed; it falls again when the person walks and nobody pushes
 * it. Pressure has two effects. The person gives up the personal distance beside its body and follows closer
 * (room_ahead.c). And while it is slow, it turns its shoulders: towards other agents its body narrows. A person who
 * walks is as wide as ever even under pressure, because at doors and in corridors people keep close but do not walk
 * sideways. For walls and fields the radius stays. With p the pressure, v the speed, h the part `shoulders` and s, f
 * the speeds `sideways`, `forwards`:
 *
 *   body = radius (1 - (1 - h) p clamp((f - v) / (f - s), 0, 1))
 *
 * Turning back takes a moment, and room: who is pushed in a jam stays as narrow as it is, for its shoulders would push
 * others back. All this is a function of the state alone. Cost: about 3 ns per person.
 */
#include "people/pressure.h"

#include <math.h>

static float least(float a, float b) { return a < b ? a : b; }
static float most(float a, float b) { return a > b ? a : b; }

static bool is_pushed(const th_pressed *one, float speed) {
  return one->pushed_x * one->pushed_x + one->pushed_y * one->pushed_y > speed * speed;
}

static float next_pressure(const th_people_params *p, float dt, const th_pressed *one) {
  if (th_people_hindered(p, one)) return least(1.0f, one->pressure + dt / p->press_in);
  return is_pushed(one, p->pushed) ? one->pressure : most(0.0f, one->pressure - dt / p->press_out);
}

static float next_body(const th_people_params *p, float dt, const th_pressed *one) {
  const float square = one->vx * one->vx + one->vy * one->vy;
  if (one->body == one->radius && square >= p->forwards * p->forwards) return one->radius;
  const float speed = sqrtf(square);
  const float slow = least(1.0f, most(0.0f, (p->forwards - speed) / (p->forwards - p->sideways)));
  const float whole = one->radius * (1.0f - p->shoulders), turned = one->pressure * slow;
  const bool held = speed < p->forwards && is_pushed(one, p->squeezed);
  return least(one->radius - whole * turned, one->body + (held ? 0.0f : whole * (dt / p->shoulders_back)));
}

void th_people_press(const th_people_params *people, float dt, th_pressed *one) {
  one->pressure = next_pressure(people, dt, one);
  one->body = next_body(people, dt, one);
}
