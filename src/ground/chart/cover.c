/* ground/chart/cover.c - how far round its patch a chart has no gap.
 *
 * The chart ends at walls, beyond which there is nothing to cover, and at tears: edges beyond which the surface goes
 * on. Any path from the patch to a point that is not held leaves over a tear, so the nearest tear bounds what is
 * covered. Two lower bounds of its distance are taken, and the larger counts: the straight distance in the plane, and,
 * for tears behind a corner, nine tenths of the distance from the centre along the surface (keys of obtuse faces are up
 * to a tenth too long) less the radius of the patch. Cost: tears times sides of the patch, after a test of boxes that
 * few tears pass.
 */
#include <string.h>

#include "ground/chart/stages.h"

static double point_to_edge(th_point p, th_point a, th_point b) {
  double ex = b.x - a.x, ey = b.y - a.y, length2 = ex * ex + ey * ey;
  double t = length2 > 0.0 ? ((p.x - a.x) * ex + (p.y - a.y) * ey) / length2 : 0.0;
  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  double dx = p.x - a.x - t * ex, dy = p.y - a.y - t * ey;
  return sqrt(dx * dx + dy * dy);
}

static double side_of(th_point a, th_point b, th_point p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static double edge_to_edge(th_point a, th_point b, th_point p, th_point q) {
  if (side_of(a, b, p) * side_of(a, b, q) < 0.0 && side_of(p, q, a) * side_of(p, q, b) < 0.0) return 0.0;
  double d = fmin(point_to_edge(a, p, q), point_to_edge(b, p, q));
  return fmin(d, fmin(point_to_edge(p, a, b), point_to_edge(q, a, b)));
}

/* Distance of a point of the edge from the centre along the surface: at least this. */
static double key_of_edge(const th_chart_task *t, uint32_t h) {
  const uint32_t *corner = t->frames->mesh->corner;
  const th_polar_map_node *a = &t->maker->map.node[corner[h]], *b = &t->maker->map.node[corner[th_half_next(h)]];
  th_point p = th_frames_corner(t->frames, h), q = th_frames_corner(t->frames, th_half_next(h));
  double length = sqrt((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
  return 0.5 * (a->key + b->key - length);
}

static double distance_of(const th_chart_task *t, uint32_t h, double max) {
  const th_chart_maker *k = t->maker;
  th_point a = th_chart_corner(t, h), b = th_chart_corner(t, th_half_next(h));
  double x = fmax(0.0, fmax(fmin(a.x, b.x) - k->own.x1, k->own.x0 - fmax(a.x, b.x)));
  double y = fmax(0.0, fmax(fmin(a.y, b.y) - k->own.y1, k->own.y0 - fmax(a.y, b.y)));
  double min = fmax(sqrt(x * x + y * y), 0.9 * key_of_edge(t, h) - k->radius);
  if (min >= max) return max;
  double straight = max;
  for (uint32_t n = 0; n < k->rim_count; n++) {
    uint32_t g = k->rim[n];
    straight = fmin(straight, edge_to_edge(a, b, th_chart_corner(t, g), th_chart_corner(t, th_half_next(g))));
  }
  return fmax(min, straight);
}

void th_chart_measure_cover(const th_chart_task *t) {
  th_chart_maker *k = t->maker;
  double reach = (double)t->def->reach, cover = reach;
  k->torn = 0;
  for (uint32_t n = 0; n < k->tear_count; n++) {
    double d = distance_of(t, k->tear[n], reach);
    k->torn += d < reach;
    cover = fmin(cover, d);
  }
  k->cover = (float)cover;
}
