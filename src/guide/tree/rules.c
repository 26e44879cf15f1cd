/* guide/tree/rules.c - checks what the published method requires of its parameters (Rodrigues 2010, section 6.1).
 *
 * A node must see the markers next to it (V1), retain fewer markers than it sees (V2), stand farther from its parent
 * than an agent goes in one step (V3), and see no marker across an obstacle (V4). The last is needed only without line
 * of sight. The width of an obstacle is the least distance of two parallel lines that hold it between them, found over
 * the directions of its own sides, which is exact for convex ones, and a fan of others. Cost: sides x (sides + 64) for
 * each obstacle.
 */
#include "guide/tree/rules.h"

#include <math.h>

#include "base/error.h"
#include "base/trig.h"

#define FAN 64

static double width_along(const th_floor_polygon *polygon, double nx, double ny) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (uint32_t i = 0; i < polygon->count; i++) {
    double at = nx * (double)polygon->point[i].x + ny * (double)polygon->point[i].y;
    low = fmin(low, at), high = fmax(high, at);
  }
  return high - low;
}

static double width_of(const th_floor_polygon *polygon) {
  double least = HUGE_VAL;
  for (uint32_t i = 0; i < polygon->count; i++) {
    th_vec2 a = polygon->point[i], b = polygon->point[(i + 1) % polygon->count];
    double x = (double)(b.x - a.x), y = (double)(b.y - a.y), size = sqrt(x * x + y * y);
    if (size > 0.0) least = fmin(least, width_along(polygon, -y / size, x / size));
  }
  for (int k = 0; k < FAN; k++) {
    double c, s;
    th_sincos_double(TH_PI * k / FAN, &s, &c);
    least = fmin(least, width_along(polygon, c, s));
  }
  return least;
}

static float narrowest_of(const th_ground *ground) {
  double least = HUGE_VAL;
  const th_shapes *shapes = ground && ground->flat ? ground->flat->shapes : NULL;
  for (uint32_t i = 0; shapes && i < shapes->polygon_count; i++) {
    const th_floor_polygon *polygon = &shapes->polygon[i];
    bool solid = polygon->kind == TH_FLOOR_OBSTACLE || (polygon->kind == TH_FLOOR_DOOR && polygon->closed);
    if (solid) least = fmin(least, width_of(polygon));
  }
  return (float)least;
}

uint32_t th_tree_broken_rules(const th_tree_params *params, const th_ground *ground, float step_max, float *narrowest) {
  uint32_t broken = 0;
  float width = narrowest_of(ground);
  if (narrowest) *narrowest = width;
  if (!(params->action > params->spacing)) broken |= TH_TREE_ACTION;
  if (!(params->restriction < params->action)) broken |= TH_TREE_RESTRICTION;
  if (!(params->segment > step_max)) broken |= TH_TREE_SEGMENT;
  if (!params->line_of_sight && !(width > params->action + params->segment)) broken |= TH_TREE_OBSTACLES;
  return broken;
}

th_result th_tree_check(const void *params, th_error *error) {
  const th_tree_params *p = params;
  uint32_t broken = th_tree_broken_rules(p, NULL, 0.0f, NULL);
  if (broken & TH_TREE_ACTION)
    return th_fail(error, TH_ERROR_RANGE, "action", "expected more than the spacing of %g m, found %g m",
                   (double)p->spacing, (double)p->action);
  if (broken & TH_TREE_RESTRICTION)
    return th_fail(error, TH_ERROR_RANGE, "restriction", "expected less than the action radius of %g m, found %g m",
                   (double)p->action, (double)p->restriction);
  if (p->jitter > 0.5f * p->spacing)
    return th_fail(error, TH_ERROR_RANGE, "jitter", "expected at most half the spacing of %g m, found %g m",
                   (double)p->spacing, (double)p->jitter);
  return TH_OK;
}

const char *th_tree_warn(const void *params, const th_ground *ground) {
  static const char *const text[] = {
      NULL, "tree: a segment is not longer than the greatest step of biocrowds, 0.4 m: an agent may outrun its tree",
      "tree: without line of sight an obstacle is not wider than action + segment: trees will cross it",
      "tree: a segment is not longer than 0.4 m, and without line of sight an obstacle is not wider than action + "
      "segment: trees will cross it"};
  uint32_t broken = th_tree_broken_rules(params, ground, TH_TREE_STEP_MAX, NULL);
  return text[(broken & TH_TREE_SEGMENT ? 1 : 0) + (broken & TH_TREE_OBSTACLES ? 2 : 0)];
}
