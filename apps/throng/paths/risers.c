/* apps/throng/paths/risers.c - finds steps that were modelled with their risers.
 *
 * Everything on a mesh is ground, the front of a step too: people walk up it, across the tread and up the next one.
 * Their paths are longer by all the risers, and as seen from above two who touch on a tread and on the front before it
 * overlap. So `check` and `run` tell it. A step is a front, steeper than 60 degrees and at most 0.3 m high, whose edge
 * is that of a level face above or below it; steep ground of other sizes, as on planets and statues, is meant so. Cost:
 * one look at each half-edge.
 */
#include <math.h>

#include "cli.h"

#define STEEP 0.5   /* largest part of a normal that points up: 60 degrees */
#define LEVEL 0.966 /* least part: 15 degrees */
#define HIGHEST 0.3 /* [m] */
#define LOWEST 0.05 /* [m]: less is a threshold */

/* How high a face reaches from its lowest corner, and how much of its normal points up. */
static double height_of(const th_mesh *mesh, uint32_t face, double *up) {
  const double *p[3];
  for (int k = 0; k < 3; k++) p[k] = &mesh->xyz[3 * (size_t)mesh->corner[3 * (size_t)face + (size_t)k]];
  double u[3], v[3];
  for (int k = 0; k < 3; k++) u[k] = p[1][k] - p[0][k], v[k] = p[2][k] - p[0][k];
  const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  *up = n[2] / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  return fmax(p[0][2], fmax(p[1][2], p[2][2])) - fmin(p[0][2], fmin(p[1][2], p[2][2]));
}

uint32_t th_cli_risers(const th_mesh *mesh, th_vec3 *first) {
  uint32_t edges = 0;
  for (uint32_t h = 0; h < 3 * mesh->face_count; h++) {
    double up, other;
    const double height = height_of(mesh, h / 3, &up);
    if (mesh->twin[h] == TH_NO_HALF || !(fabs(up) < STEEP) || height > HIGHEST || height < LOWEST) continue;
    (void)height_of(mesh, mesh->twin[h] / 3, &other);
    if (!(other > LEVEL)) continue;
    const double *p = &mesh->xyz[3 * (size_t)mesh->corner[h]];
    if (!edges++) *first = (th_vec3){(float)p[0], (float)p[1], (float)p[2]};
  }
  return edges;
}
