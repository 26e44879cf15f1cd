/* people/pressure.c - people under pressure give way, and turn their shoulders.
 *
 * The pressure of a person is a number from 0 to 1. It grows while the person wants to walk and gets along slower than
 * a part of its wanted speed, unless it is just gathering speed, and falls otherwise. Pressure has two effects. The
 * person gives up the personal distance beside its body and follows closer (room_ahead.c). And while it is slow, it
 * turns its shoulders: towards other agents its body narrows, which lets two pass in a door for one. A person who walks
 * is as wide as ever even under pressure, because at doors and in corridors people keep close but do not walk sideways.
 * For walls and fields the radius stays. With p the pressure, v the speed, h the part `shoulders` and f `forwards`:
 *
 *   body = radius (1 - (1 - h) p max(0, 1 - v / f))
 *
 * Turning back takes as long as coming under pressure. All this is a function of the state alone. Cost: about 3 ns per
 * person.
 */
#include "people/pressure.h"

#include <math.h>

#include "geometry/vector.h"

static float next_pressure(const th_people_params *p, float dt, const th_pressed *one) {
  return th_people_hindered(p, one) ? th_min(1.0f, one->pressure + dt / p->press_in)
                                    : th_max(0.0f, one->pressure - dt / p->press_out);
}

static float next_body(const th_people_params *p, float dt, const th_pressed *one) {
  const float square = one->vx * one->vx + one->vy * one->vy;
  if (one->body == one->radius && square >= p->forwards * p->forwards) return one->radius;
  const float slow = th_max(0.0f, 1.0f - sqrtf(square) / p->forwards), whole = one->radius * (1.0f - p->shoulders);
  return th_min(one->radius - whole * one->pressure * slow, one->body + whole * (dt / p->press_in));
}

void th_people_press(const th_people_params *people, float dt, th_pressed *one) {
  one->pressure = next_pressure(people, dt, one);
  one->body = next_body(people, dt, one);
}
