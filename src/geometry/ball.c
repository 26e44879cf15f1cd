/* geometry/ball.c - the smallest ball round points (Welzl 1991, in the form of Gaertner 1999).
 *
 * Points are added one after the other. A point outside the ball so far lies on the border of the new ball, so the new
 * ball is computed recursively with this point on its border; the recursion is at most four deep. The ball through some
 * border points is centred in the plane that they span, so one function serves space and plane. Cost: linear on
 * average, 0.2 us for five points.
 */
#include "geometry/ball.h"

#include <math.h>

#include "geometry/vector.h"

#define FLAT 1e-12 /* of a Gram determinant: points that span nothing new */

typedef struct border {
  double point[4][3], centre[3], square; /* of the radius; negative: no ball yet */
  uint32_t count;
} border;

static double apart2(const double *a, const double *b) {
  double d[3];
  th_minus3d(a, b, d);
  return th_dot3d(d, d);
}

/* Gaussian elimination with pivots on the diagonal: Gram matrices are positive. False: the points span less. */
static bool solve(double g[3][4], uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    if (!(g[k][k] > FLAT)) return false;
    for (uint32_t i = k + 1; i < n; i++) {
      double part = g[i][k] / g[k][k];
      for (uint32_t j = k; j < 4; j++) g[i][j] -= part * g[k][j];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = k + 1; j < n; j++) g[k][3] -= g[k][j] * g[j][3];
    g[k][3] /= g[k][k];
  }
  return true;
}

/* The ball through all border points: centre = p0 + sum of t_i (p_i - p0), equally far from all. */
static bool through(border *b) {
  double edge[3][3], g[3][4] = {{0}};
  uint32_t n = b->count - 1;
  for (uint32_t i = 0; i < n; i++) th_minus3d(b->point[i + 1], b->point[0], edge[i]);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) g[i][j] = th_dot3d(edge[i], edge[j]);
    g[i][3] = 0.5 * g[i][i];
  }
  if (!solve(g, n)) return false;
  for (int k = 0; k < 3; k++) b->centre[k] = b->point[0][k];
  for (uint32_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) b->centre[k] += g[i][3] * edge[i][k];
  b->square = apart2(b->centre, b->point[0]);
  return true;
}

static void enclose(border *b, const th_vec3 *point, uint32_t count) {
  if (b->count == 4) return;
  for (uint32_t i = 0; i < count; i++) {
    const double p[3] = {(double)point[i].x, (double)point[i].y, (double)point[i].z};
    if (b->square >= 0.0 && apart2(p, b->centre) <= b->square * (1.0 + 1e-12) + 1e-18) continue;
    for (int k = 0; k < 3; k++) b->point[b->count][k] = p[k];
    b->count++;
    if (through(b)) enclose(b, point, i);
    b->count--;
  }
}

th_ball th_smallest_ball(const th_vec3 *point, uint32_t count) {
  border b = {.square = -1.0};
  enclose(&b, point, count);
  th_ball ball = {{(float)b.centre[0], (float)b.centre[1], (float)b.centre[2]}, 0.0f};
  for (uint32_t i = 0; i < count; i++) ball.radius = fmaxf(ball.radius, th_length3(th_minus3(point[i], ball.centre)));
  return ball;
}
