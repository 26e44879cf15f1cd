/* report/metrics/measure.c - measure lines and areas.
 *
 * A step from p to q crosses the line a-b when p and q lie on different sides of it, and a and b on different sides of
 * p-q; a point on the line counts as its right side, so that no agent is counted twice. Flow is (N - 1) / (t_N - t_1),
 * the usual estimate from passing times (Weidmann). Density is people per area. Cost: O(agents x lines) with two
 * products each, O(agents x corners) for areas.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/polygon.h"
#include "report/metrics/metrics.h"

/* Twice the area of (a, b, p): above 0 when p lies left of a-b. */
static double side(th_vec2 a, th_vec2 b, float x, float y) {
  return ((double)b.x - (double)a.x) * ((double)y - (double)a.y) -
         ((double)b.y - (double)a.y) * ((double)x - (double)a.x);
}

bool th_metrics_measure_crossing(th_metrics *metrics, const th_life *life, float x, float y) {
  for (uint32_t k = 0; k < metrics->line_count; k++) {
    th_line_log *line = &metrics->line[k];
    bool left_before = side(line->a, line->b, life->x, life->y) > 0.0, left_now = side(line->a, line->b, x, y) > 0.0;
    if (left_before == left_now) continue;
    th_vec2 p = {life->x, life->y}, q = {x, y};
    if ((side(p, q, line->a.x, line->a.y) > 0.0) == (side(p, q, line->b.x, line->b.y) > 0.0)) continue;
    if (!th_grow(&metrics->env.allocator, (void **)&line->crossing, &line->capacity, line->count + 1,
                 sizeof *line->crossing))
      return false;
    line->crossing[line->count++] = (th_line_crossing){metrics->time, left_before};
  }
  return true;
}

bool th_metrics_measure_areas(th_metrics *metrics, const th_agents *agents, bool sample) {
  const th_allocator *allocator = &metrics->env.allocator;
  for (uint32_t k = 0; k < metrics->area_count; k++) {
    th_area_log *area = &metrics->area[k];
    double people = 0.0, speed = 0.0;
    for (uint32_t i = 0; i < agents->count; i++) {
      if (agents->state && agents->state[i] == TH_AGENT_DELAYED) continue;
      if (!th_polygon_holds(area->point, area->count, (double)agents->x[i], (double)agents->y[i])) continue;
      people += 1.0;
      double vx = agents->vx ? (double)agents->vx[i] : 0.0, vy = agents->vy ? (double)agents->vy[i] : 0.0;
      speed += sqrt(vx * vx + vy * vy);
    }
    area->now = people;
    if (people > area->most) area->most = people, area->most_time = metrics->time;
    area->density_sum += people / area->size;
    area->speed_sum += speed;
    area->people += people;
    area->steps += 1.0;
    if (!sample) continue;
    uint32_t at = metrics->curve_count - 1;
    if (!th_grow(allocator, (void **)&area->density, &area->density_capacity, at + 1, sizeof *area->density) ||
        !th_grow(allocator, (void **)&area->speed, &area->speed_capacity, at + 1, sizeof *area->speed))
      return false;
    area->density[at] = people / area->size;
    area->speed[at] = people > 0.0 ? speed / people : -1.0;
  }
  return true;
}

bool th_metrics_line(const th_metrics *metrics, const char *name, uint32_t *forwards, uint32_t *backwards,
                     double *flow) {
  for (uint32_t k = 0; k < metrics->line_count; k++) {
    const th_line_log *line = &metrics->line[k];
    if (strcmp(line->name, name) != 0) continue;
    uint32_t ahead = 0;
    for (uint32_t c = 0; c < line->count; c++) ahead += line->crossing[c].forwards;
    double span = line->count > 1 ? line->crossing[line->count - 1].time - line->crossing[0].time : 0.0;
    if (forwards) *forwards = ahead;
    if (backwards) *backwards = line->count - ahead;
    if (flow) *flow = span > 0.0 ? (line->count - 1) / span : 0.0;
    return true;
  }
  return false;
}

double th_metrics_line_gap(const th_metrics *metrics, const char *name) {
  for (uint32_t k = 0; k < metrics->line_count; k++) {
    const th_line_log *line = &metrics->line[k];
    if (strcmp(line->name, name) != 0) continue;
    double longest = NAN;
    for (uint32_t c = 1; c < line->count; c++)
      longest = fmax(longest, line->crossing[c].time - line->crossing[c - 1].time); /* fmax passes over NAN */
    return longest;
  }
  return NAN;
}

bool th_metrics_inside(const th_metrics *metrics, const char *name, double *people) {
  for (uint32_t k = 0; k < metrics->area_count; k++) {
    if (strcmp(metrics->area[k].name, name) != 0) continue;
    *people = metrics->area[k].now;
    return true;
  }
  return false;
}

bool th_metrics_area_peak(const th_metrics *metrics, const char *name, double *density, double *time) {
  for (uint32_t k = 0; k < metrics->area_count; k++) {
    const th_area_log *area = &metrics->area[k];
    if (strcmp(area->name, name) != 0) continue;
    if (density) *density = area->most / area->size;
    if (time) *time = area->most_time;
    return true;
  }
  return false;
}

bool th_metrics_area(const th_metrics *metrics, const char *name, double *density, double *speed) {
  for (uint32_t k = 0; k < metrics->area_count; k++) {
    const th_area_log *area = &metrics->area[k];
    if (strcmp(area->name, name) != 0) continue;
    if (density) *density = area->steps > 0.0 ? area->density_sum / area->steps : 0.0;
    if (speed) *speed = area->people > 0.0 ? area->speed_sum / area->people : 0.0;
    return true;
  }
  return false;
}
