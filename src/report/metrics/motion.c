/* report/metrics/motion.c - how people move: whether they stand, walk backwards, turn on the spot, speed up and down.
 *
 * A crowd may have the right flow and still look wrong: bodies that tremble, turn like tops while they wait or are
 * pushed through each other backwards. Four numbers measure this. An agent slower than STANDING stands; one that goes
 * against its own heading by more than BACKWARDS walks backwards; turning counts while an agent stands; acceleration is
 * the root mean square of the change of the realised velocity from step to step, so it holds what contacts do to a
 * body. On a mesh the velocity before is carried along the surface first (space.c), so that a fold of the ground is no
 * acceleration. Only agents that are under way count; an agent that sets off turns to where its guide leads at once,
 * which is no turning while standing: it is the first step that turns or moves the agent, a later one where its field
 * was not in force yet. Cost: some 20 ns per agent.
 */
#include <math.h>

#include "geometry/vector.h"
#include "report/metrics/metrics.h"

#define STANDING 0.1   /* [m/s] */
#define BACKWARDS 0.05 /* [m/s] */
#define FREE 0.5       /* [m/s]: an agent this fast is in no jam */

void th_metrics_motion(th_metrics *metrics, th_life *life, const th_moment *now) {
  th_motion_sums *sum = &metrics->motion;
  const double dt = metrics->dt, speed = sqrt(th_dot3_double(now->velocity, now->velocity));
  if (now->walking) {
    sum->seconds += dt;
    if (th_dot3_double(now->velocity, now->heading) < -BACKWARDS) sum->backwards += dt;
    if (speed >= FREE) sum->free += dt;
    if (now->narrowed) sum->narrowed += dt;
    if (now->narrowed && speed >= FREE) sum->narrowed_free += dt;
    if (speed < STANDING) sum->standing += dt, sum->standing_turns += life->faces ? now->turned : 0.0;
  }
  if (now->walking && life->walked) {
    const th_vec3 before = th_metrics_carry(life->velocity, life->upright, now->normal);
    const th_vec3 change = {now->velocity.x - before.x, now->velocity.y - before.y, now->velocity.z - before.z};
    sum->squares += th_dot3_double(change, change) / (dt * dt);
    sum->changes += 1.0;
  }
  life->faces = life->walked && now->walking && (life->faces || now->turned > 0.0 || speed > 0.0);
  life->velocity = now->velocity;
  life->upright = now->normal;
  life->walked = now->walking;
}

void th_metrics_motion_sum(const th_metrics *metrics, th_summary *sum) {
  const th_motion_sums *m = &metrics->motion;
  sum->standing = m->seconds > 0.0 ? m->standing / m->seconds : NAN;
  sum->backwards = m->seconds > 0.0 ? m->backwards / m->seconds : NAN;
  sum->standing_turning = m->standing > 0.0 ? m->standing_turns / m->standing : NAN;
  sum->narrowed = m->seconds > 0.0 ? m->narrowed / m->seconds : NAN;
  sum->narrowed_free = m->free > 0.0 ? m->narrowed_free / m->free : NAN;
  sum->acceleration = m->changes > 0.0 ? sqrt(m->squares / m->changes) : NAN;
}
