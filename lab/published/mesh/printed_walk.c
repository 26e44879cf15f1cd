/* lab/published/mesh/printed_walk.c - Algorithm 4 of 3DS-BVP as printed, kept to show what it lacks.
 *
 * A step goes along the face's gradient and is cut at the face's edge, where the agent passes to the face beyond; the
 * rest of the step is lost. Where the gradients of both faces at an edge point into it, the agent passes back and forth
 * for ever without moving: on ordinary meshes this stops most agents. Also, the gradient of (4.14) points uphill and
 * the printed step adds it. trace.c is the walker that arrives. Cost: a few dozen operations per call.
 */
#include <math.h>

#include "geometry/mesh/halfedge.h"
#include "lab/published/mesh/height.h"

/* Weights of a point of the face's plane: each is a linear function of the point. */
static void weights_of(const th_mesh *m, uint32_t face, const double *p, double *weight) {
  double xyz[3][3], g[3];
  th_mesh_height_corners(m, face, xyz);
  for (uint32_t c = 0; c < 3; c++) {
    const double unit[3] = {c == 0, c == 1, c == 2}, *at = xyz[(c + 1) % 3];
    th_mesh_face_gradient((const double(*)[3])xyz, unit, g);
    weight[c] = g[0] * (p[0] - at[0]) + g[1] * (p[1] - at[1]) + g[2] * (p[2] - at[2]);
  }
}

static bool in_goal(const th_mesh_height *h, const th_mesh_printed_walker *agent) {
  th_mesh_spot s = {agent->face, {0.0, 0.0, 0.0}};
  weights_of(h->mesh, agent->face, agent->xyz, s.weight);
  return th_mesh_height_is_goal(h, &s);
}

/* The side that is crossed first, and the distance to it [m]; 3: none within `speed`. */
static uint32_t crossed(const double weight[3], const double rate[3], double speed, double *length) {
  uint32_t side = 3;
  *length = speed;
  for (uint32_t c = 0; c < 3; c++) {
    const double left = fmax(weight[c], 0.0), after = rate[c] < 0.0 ? left / -rate[c] : INFINITY;
    if (!(after < *length)) continue;
    side = c;
    *length = after;
  }
  return side;
}

th_descent th_mesh_printed_walker_update(th_mesh_height *h, th_mesh_printed_walker *agent, double speed,
                                         th_mesh_printed_sign sign) {
  if (in_goal(h, agent)) return TH_DESCENT_ARRIVED;
  const th_mesh_height_slope *s = th_mesh_height_slope_of(h, agent->face);
  if (!(s->steep > 0.0)) return TH_DESCENT_NULL;
  const double up = sign == TH_MESH_PRINTED_UP ? 1.0 : -1.0;
  double weight[3], length;
  const double rate[3] = {-up * s->rate[0], -up * s->rate[1], -up * s->rate[2]};
  weights_of(h->mesh, agent->face, agent->xyz, weight);
  const uint32_t side = crossed(weight, rate, speed, &length);
  for (int k = 0; k < 3; k++) agent->xyz[k] += up * s->gradient[k] / s->steep * length;
  if (side < 3) { /* the edge opposite that corner begins at the next one */
    const uint32_t twin = h->mesh->twin[3 * agent->face + (side + 1) % 3];
    if (twin == TH_NO_HALF) return TH_DESCENT_BLOCKED;
    agent->face = th_half_face(twin);
  }
  return in_goal(h, agent) ? TH_DESCENT_ARRIVED : TH_DESCENT_MOVED;
}
