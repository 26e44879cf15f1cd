/* report/metrics/space.c - metrics on mesh ground: path lengths, turning and distances in space.
 *
 * Lines and areas are seen from above; everything else is measured in space. Turning must not include the curvature of
 * the ground, so the previous heading is transported into the tangent plane of the current one: the rotation that takes
 * normal m to normal n turns a tangent h to h - (h.n) / (1 + m.n) (m + n) (Rodrigues' formula for the smallest
 * rotation); the angle between both is the turning. Two bodies whose normals differ by more than 90 degrees stand on
 * different sides of a thin sheet or a tube and cannot touch, however near they are. Cost: O(1) per agent.
 */
#include <math.h>

#include "base/memory.h"
#include "geometry/vector.h"
#include "report/metrics/metrics.h"

bool th_metrics_from_above(th_metrics *metrics, const th_agents *agents, th_agents *above) {
  const th_points *space = agents->space;
  uint32_t n = agents->count;
  if (n > UINT32_MAX / 6 || !th_grow(&metrics->env.allocator, (void **)&metrics->seen_from_above,
                                     &metrics->overhead_capacity, 6 * n, sizeof *metrics->seen_from_above))
    return false;
  float *v = metrics->seen_from_above;
  for (uint32_t i = 0; i < n; i++) {
    v[i] = space->point[i].x;
    v[n + i] = space->point[i].y;
    v[2 * n + i] =
        (float)sqrt(th_dot3_double(space->velocity[i], space->velocity[i])); /* only its length is asked for */
    v[3 * n + i] = 0.0f;
    v[4 * n + i] = space->heading[i].x;
    v[5 * n + i] = space->heading[i].y;
  }
  *above = *agents;
  above->x = v, above->y = v + n, above->vx = v + 2 * n, above->vy = v + 3 * n;
  above->hx = v + 4 * n, above->hy = v + 5 * n;
  return true;
}

th_vec3 th_metrics_carry(th_vec3 h, th_vec3 m, th_vec3 n) {
  const double bend = 1.0 + th_dot3_double(m, n);
  if (!(bend > 1e-6)) return h;
  const float k = (float)(th_dot3_double(h, n) / bend);
  return (th_vec3){h.x - k * (m.x + n.x), h.y - k * (m.y + n.y), h.z - k * (m.z + n.z)};
}

/* |angle| between the transported previous heading and the current heading. */
static double turned(th_vec3 before, th_vec3 m, th_vec3 now, th_vec3 n) {
  const th_vec3 h = th_metrics_carry(before, m, n);
  double cx = (double)h.y * (double)now.z - (double)h.z * (double)now.y,
         cy = (double)h.z * (double)now.x - (double)h.x * (double)now.z,
         cz = (double)h.x * (double)now.y - (double)h.y * (double)now.x;
  return atan2(sqrt(cx * cx + cy * cy + cz * cz), th_dot3_double(h, now));
}

void th_metrics_live_in_space(th_life *life, const th_points *space, uint32_t i, bool first) {
  th_vec3 p = space->point[i], heading = space->heading[i], normal = space->normal[i];
  if (!first) {
    th_vec3 step = {p.x - life->x, p.y - life->y, p.z - life->z};
    life->path += sqrt(th_dot3_double(step, step));
    life->turning += turned(life->heading, life->normal, heading, normal);
  }
  life->z = p.z;
  life->heading = heading;
  life->normal = normal;
}

double th_metrics_apart(const th_points *space, uint32_t i, uint32_t j) {
  th_vec3 p = space->point[i], q = space->point[j], d = {p.x - q.x, p.y - q.y, p.z - q.z};
  return th_dot3_double(space->normal[i], space->normal[j]) >= 0.0 ? sqrt(th_dot3_double(d, d)) : INFINITY;
}
